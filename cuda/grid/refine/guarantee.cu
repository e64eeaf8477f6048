// SPDX-License-Identifier: BSD-3-Clause
// Which leaves are still too far from the input. First they are noted (noting.cu). The host reads
// what there is, so that it starts nothing that has nothing to do. Then warps look at the list of
// leaves that are cut, and at the bits of the others level by level, from the roots down, as a leaf
// that is refined leaves its children to be looked at.
#include "cuda/grid/refine/guarantee.cuh"

#include "cuda/grid/cut_estimate.cuh"
#include "cuda/grid/refine/round.cuh"
#include "cuda/grid/slabs.cuh"

#include <algorithm>

namespace {

// The rules, with their arrays as the device has them now.
tsr_status upload_rules(tsr_grid_device *grid, const tsr_grid_job *job, tsr_error *error) {
  tsr_grid_whole &w = grid->whole;
  w.rules_h.assign(job->rules, job->rules + job->n_rules);
  for (tsr_rule &rule : w.rules_h)
    rule.array.data = tsr_find_uploaded(*grid, rule.array);
  TSR_CUDA(cudaMemcpyAsync(w.rules, w.rules_h.data(), w.rules_h.size() * sizeof(tsr_rule),
                           cudaMemcpyHostToDevice, grid->stream),
           "uploading the rules");
  return TSR_OK;
}

// Those with the nodes of a frame.
tsr_level_bytes bytes_of(const tsr_grid_frame &nodes) {
  tsr_level_bytes bytes = {};
  for (int level = 0; level < nodes.levels; ++level)
    for (int end = 0; end < 2; ++end)
      bytes.at[level][end] =
          (((nodes.range[level][2][end] + end) >> 1) - nodes.tree.first[level][2]) *
          nodes.tree.size[level][0] * nodes.tree.size[level][1];
  return bytes;
}

// Memory for the list. *by_weights: 1 where leaves that are cut go into it, as every rule that
// looks at them leaves that to the weights.
tsr_status make_list(tsr_grid_device *grid, const tsr_grid_job *job, int *by_weights,
                     tsr_error *error) {
  tsr_grid_whole &w = grid->whole;
  const int64_t room =
      std::min<int64_t>(std::max<int64_t>(grid->n_bytes / 2, 4096), (int64_t)1 << 30);
  *by_weights = 1;
  for (int r = 0; r < job->n_rules; ++r)
    *by_weights &= job->rules[r].measure != TSR_MEASURE_INTERPOLATION_ERROR ||
                   tsr_estimates(grid->frame, job->rules[r].array);
  if (!w.noted)
    TSR_STEP(grid->memory.get(&w.noted, 1, "the rounds of the guarantee", error));
  TSR_CUDA(cudaMemsetAsync(w.noted, 0, sizeof *w.noted, grid->stream), "looking at new cells");
  if (grid->n_bytes < (int64_t)1 << 43 && !w.list) { // a leaf has 43 bits for its byte
    TSR_STEP(grid->memory.get(&w.list, 3 * room, "the rounds of the guarantee", error));
    w.list_room = (unsigned)room;
  }
  return TSR_OK;
}

tsr_status read_noted(tsr_grid_device *grid, tsr_noted *noted, tsr_error *error) {
  static_assert(sizeof *noted <= sizeof grid->waves->totals, "it is read by way of the totals");
  TSR_CUDA(cudaMemcpyAsync(grid->waves->totals, grid->whole.noted, sizeof *noted,
                           cudaMemcpyDeviceToHost, grid->stream),
           "looking at new cells");
  TSR_CUDA(cudaStreamSynchronize(grid->stream), "looking at new cells");
  memcpy(noted, grid->waves->totals, sizeof *noted);
  return TSR_OK;
}

// Looks at the leaves that are noted, slab by slab. Lists that follow the first begin anew in each.
tsr_status look_at_all(tsr_grid_device *grid, const tsr_grid_job *job, const tsr_round &it,
                       tsr_noted *noted, tsr_error *error) {
  std::vector<tsr_array> arrays;
  for (int r = 0; r < job->n_rules; ++r)
    if (job->rules[r].measure == TSR_MEASURE_INTERPOLATION_ERROR)
      arrays.push_back(job->rules[r].array);
  const auto work = [&](const tsr_grid_frame &nodes) {
    const tsr_level_bytes bytes = bytes_of(nodes);
    if (!it.last || !grid->slabs.frames.empty())
      TSR_STEP(upload_rules(grid, job, error));
    TSR_CUDA(cudaMemsetAsync(&it.noted->list[1], 0,
                             sizeof it.noted->list - sizeof it.noted->list[0], grid->stream),
             "looking at new cells");
    TSR_STEP(tsr_look_at_lists(grid, it, bytes, *noted, error));
    TSR_STEP(read_noted(grid, noted, error));
    if (!noted->cut && !noted->look)
      return TSR_OK;
    TSR_STEP(tsr_look_at_bits(grid, it, bytes, *noted, error));
    return read_noted(grid, noted, error);
  };
  return tsr_each_slab(grid, job, arrays, work, error);
}

} // namespace

tsr_status tsr_grid_look_again(tsr_grid_device *grid, const tsr_grid_job *job, bool again,
                               int *added, tsr_error *error) {
  const tsr_grid_whole &w = grid->whole;
  const bool conforming = grid->frame.options.output == TSR_GRID_CONFORMING;
  tsr_noted noted;
  int by_weights;
  *added = 0;
  TSR_STEP(make_list(grid, job, &by_weights, error));
  if (conforming)
    TSR_STEP(tsr_grid_cut_table(grid, error));
  const tsr_round it = {grid->frame_d,
                        again ? w.last_d : nullptr,
                        w.base,
                        w.look,
                        w.look + grid->n_bytes,
                        w.table,
                        w.rules,
                        job->n_rules,
                        0,
                        0,
                        0,
                        w.noted,
                        {w.list, w.list + w.list_room, w.list + 2 * (int64_t)w.list_room},
                        w.list_room,
                        by_weights};
  TSR_CUDA(cudaMemsetAsync(w.look, 0, (size_t)((conforming ? 2 : 1) * grid->n_bytes), grid->stream),
           "looking at new cells");
  TSR_STEP(tsr_note_leaves(grid, it, conforming, error));
  if (conforming)
    TSR_STEP(tsr_cut_make_claimed(grid, error));
  TSR_STEP(read_noted(grid, &noted, error));
  if (!noted.list[0] && !noted.cut && !noted.look)
    return TSR_OK;
  TSR_STEP(look_at_all(grid, job, it, &noted, error));
  *added = noted.added != 0;
  return TSR_OK;
}
