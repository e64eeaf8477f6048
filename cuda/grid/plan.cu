// SPDX-License-Identifier: BSD-3-Clause
// The plan of a grid on the device: the arrays of the criteria go there once, and the decisions
// come back as often as the thresholds change.
#include "cuda/common/memory/kept.cuh"
#include "cuda/common/transfer/pinned.cuh"
#include "cuda/grid/criteria/marking.cuh"
#include "cuda/grid/slabs.cuh"
#include "cuda/grid/whole.cuh"

#include <algorithm>
#include <cstring>

namespace {

tsr_status check_execution(const tsr_grid_request *request, tsr_error *error) {
  const tsr_grid_strategy strategy = request->options->launch.strategy;
  request->report->strategy = strategy;
  if (strategy == TSR_GRID_STRATEGY_AUTO)
    request->report->strategy = TSR_STRATEGY_HOST_WAVES;
  else if (strategy != TSR_STRATEGY_HOST_WAVES && strategy != TSR_STRATEGY_DEVICE_LAUNCHED)
    return tsr_cuda_refuse(error, TSR_BAD_OPTION,
                           "grids have no launch strategy %d: take Auto, Host Waves or "
                           "Device Launched",
                           (int)strategy);
  return TSR_OK;
}

// The coordinates where a criterion needs them, and the hidden cells.
tsr_status upload_others(tsr_grid_device *grid, const tsr_grid_request *request, tsr_error *error) {
  tsr_grid_frame &f = grid->frame;
  const void *hidden = request->hidden;
  std::vector<tsr_array> arrays;
  std::vector<const void **> places; // what is to point to the device
  int64_t cells = 1;
  bool flow = false; // something is measured in space
  for (int a = 0; a < 3; ++a)
    cells *= f.lattice.held[a][1] - f.lattice.held[a][0];
  for (int r = 0; r < request->options->n_criteria; ++r) {
    const tsr_grid_criterion &criterion = request->options->criteria[r];
    flow |= criterion.measure == TSR_MEASURE_VORTICITY || criterion.measure == TSR_MEASURE_Q;
  }
  if (f.space.geometry == TSR_GEOMETRY_POINTS && flow) {
    arrays.push_back(f.space.points);
    places.push_back(&f.space.points.data);
  }
  for (int a = 0; f.space.geometry == TSR_GEOMETRY_RECTILINEAR && a < 3; ++a) {
    arrays.push_back(f.space.coordinates[a]);
    places.push_back(&f.space.coordinates[a].data);
  }
  arrays.push_back({hidden, TSR_UINT8, 1, cells});
  places.push_back(&hidden);
  std::vector<void *> to(arrays.size());
  TSR_STEP(tsr_upload(grid, request->execution, request->report, &grid->memory, true, arrays,
                      to.data(), error));
  for (size_t k = 0; k < places.size(); ++k)
    *places[k] = to[k];
  f.hidden = (const uint8_t *)hidden;
  return TSR_OK;
}

// The arrays of the criteria.
std::vector<tsr_array> criteria_arrays(const tsr_grid_request *request) {
  std::vector<tsr_array> arrays;
  for (int r = 0; r < request->options->n_criteria; ++r)
    arrays.push_back(request->options->criteria[r].array);
  return arrays;
}

// All of them, or none where they go there slab by slab.
tsr_status upload_arrays(tsr_grid_device *grid, const tsr_grid_request *request, tsr_error *error) {
  const std::vector<tsr_array> arrays = criteria_arrays(request);
  std::vector<void *> to(arrays.size());
  return tsr_slabs_upload(grid, request, &grid->memory, true, arrays, to.data(), error);
}

// Memory for the bits of all levels that are decided here.
tsr_status make_levels(tsr_grid_device *grid, tsr_error *error) {
  tsr_grid_frame &f = grid->frame;
  f.levels = std::min(f.lattice.levels, f.lattice.coarsen + 1);
  for (int level = 0; level <= f.lattice.coarsen; ++level)
    for (int a = 0; a < 3; ++a)
      tsr_level_range(&f.lattice, a, level, f.lattice.owned[a], f.range[level][a]);
  for (int level = 0; level < f.levels; ++level) {
    const int64_t *size = f.tree.size[level];
    grid->level_bytes[level] = size[0] * size[1] * size[2];
    grid->n_bytes += (grid->level_bytes[level] + 15) / 16 * 16;
  }
  TSR_STEP(grid->memory.get(&grid->bytes, grid->n_bytes, "the tree", error));
  TSR_CUDA(cudaMemsetAsync(grid->bytes, 0, (size_t)grid->n_bytes, grid->stream),
           "clearing the tree");
  uint8_t *at = grid->bytes;
  for (int level = 0; level <= TSR_GRID_MAX_LEVEL; ++level) {
    f.tree.dense[level] = level < f.levels ? at : nullptr;
    at += level < f.levels ? (grid->level_bytes[level] + 15) / 16 * 16 : 0;
  }
  for (int level = 0; f.hidden && level < f.lattice.coarsen; ++level)
    TSR_STEP(
        grid->memory.get(&f.seen[level], tsr_range_nodes(f, level), "the hidden cells", error));
  return TSR_OK;
}

tsr_status open_on(tsr_grid_device *grid, const tsr_grid_request *request, tsr_error *error) {
  tsr_grid_frame &f = grid->frame;
  f.lattice = *request->lattice;
  f.space = *request->space;
  f.tree = *request->tree;
  memset(&f.tree.has_brick, 0, sizeof f.tree.has_brick);
  f.options = *request->options;
  memcpy(f.whole, request->view->whole, sizeof f.whole);
  grid->whole = new (std::nothrow) tsr_grid_whole();
  if (!grid->whole)
    return tsr_cuda_refuse(error, TSR_NO_MEMORY, "there is no memory for the plan");
  tsr_kept_begin(grid, f.options.keep_bytes);
  for (cudaEvent_t &made : grid->made)
    TSR_CUDA(cudaEventCreateWithFlags(&made, cudaEventDisableTiming), "making an event");
  TSR_STEP(upload_others(grid, request, error));
  TSR_STEP(make_levels(grid, error));
  f.may_force = f.hidden || f.options.output == TSR_GRID_TREES ||
                f.options.output == TSR_GRID_PATCHES || f.options.mode == TSR_GRID_FINE;
  f.masks_only = !f.may_force && !f.options.use_region && f.options.mode == TSR_GRID_ADAPTIVE &&
                 grid->n_bytes < INT32_MAX;
  TSR_STEP(grid->memory.get(&grid->frame_d, 1, "the grid", error));
  int64_t most_rules = 0; // a criterion is one, or one a component
  for (int r = 0; r < f.options.n_criteria; ++r)
    most_rules += std::max(f.options.criteria[r].array.components, 1);
  TSR_STEP(grid->memory.get(&grid->marking.found_all, most_rules, "the notes", error));
  TSR_STEP(grid->memory.get(&grid->count, 1, "the levels", error));
  static_assert(sizeof *grid->waves <= tsr_page_bytes, "the state is larger than a page");
  TSR_CUDA(tsr_page_take((void **)&grid->waves), "allocating page-locked memory");
  memset((void *)grid->waves, 0, sizeof *grid->waves);
  TSR_CUDA(cudaHostGetDevicePointer((void **)&grid->waves_d, grid->waves, 0),
           "allocating page-locked memory");
  TSR_CUDA(tsr_copy_async(grid->frame_d, &f, sizeof f, cudaMemcpyHostToDevice, grid->stream),
           "uploading the grid");
  if (f.hidden)
    TSR_STEP(tsr_grid_see(grid, error));
  return upload_arrays(grid, request, error);
}

tsr_status read_found(tsr_grid_device *grid, tsr_error *error) {
  TSR_STEP(tsr_bring(grid->marking.found_h.data(), grid->marking.found_all,
                     grid->marking.found_h.size() * sizeof(tsr_grid_found), grid->stream,
                     "evaluating the criteria", error));
  return TSR_OK;
}

// Notes are of the rule that has most.
void raise_note(tsr_note_count *note, unsigned long long count, unsigned long long first) {
  if ((int64_t)count > note->count) {
    note->count = (int64_t)count;
    note->first = (int64_t)first;
  }
}

void raise_notes(const tsr_grid_device *grid, const tsr_grid_request *request) {
  for (const tsr_grid_found &found : grid->marking.found_h) {
    raise_note(&request->notes[TSR_GRID_NOTE_NOT_FINITE], found.bad, found.first_bad);
    raise_note(&request->notes[TSR_GRID_NOTE_FLAT_CELL], found.flat, found.first_flat);
  }
}

// 1 if the first rule's pass writes the bytes of all nodes here, so that none need be cleared.
int is_fresh(const tsr_grid_device *grid, const tsr_grid_request *request) {
  const tsr_lattice &lattice = grid->frame.lattice;
  return request->options->mode == TSR_GRID_ADAPTIVE && request->n_rules > 0 &&
         memcmp(lattice.ghosted, lattice.owned, sizeof lattice.ghosted) == 0 &&
         tsr_way_of(grid, request->rules[0], 0) == TSR_WAY_RANGE_PASS;
}

tsr_status mark_all(tsr_grid_device *grid, const tsr_grid_request *request, tsr_error *error) {
  const int fresh = is_fresh(grid, request);
  if (fresh)
    TSR_STEP(tsr_range_pass_memory(grid, error));
  TSR_STEP(tsr_grid_clear_found(grid, request, error));
  TSR_CUDA(cudaEventRecord(grid->begin, grid->stream), "evaluating the criteria");
  if (!fresh)
    TSR_CUDA(cudaMemsetAsync(grid->bytes, 0, (size_t)grid->n_bytes, grid->stream),
             "evaluating the criteria");
  if (request->options->mode != TSR_GRID_ADAPTIVE)
    return TSR_OK;
  const auto work = [&](const tsr_grid_frame &) {
    const tsr_slab_nodes nodes(grid);
    for (int r = 0; r < request->n_rules; ++r) {
      grid->marking.found = grid->marking.found_all + r;
      tsr_rule rule = request->rules[r];
      rule.array.data = tsr_find_uploaded(*grid, rule.array);
      const int alone = request->n_rules == 1 && !grid->frame.may_force;
      TSR_STEP(tsr_mark_rule(grid, rule, alone, fresh && r == 0, error));
    }
    return TSR_OK;
  };
  return tsr_each_slab(grid, request, criteria_arrays(request), work, error);
}

// The tuned passes do not count what is not finite: that is done where there is any.
tsr_status note_all(tsr_grid_device *grid, const tsr_grid_request *request, tsr_error *error) {
  bool again = false;
  TSR_STEP(read_found(grid, error));
  for (const tsr_grid_found &found : grid->marking.found_h)
    again = again || found.odd;
  const auto work = [&](const tsr_grid_frame &) {
    const tsr_slab_nodes nodes(grid);
    for (int r = 0; r < request->n_rules; ++r) {
      tsr_rule rule = request->rules[r];
      if (!grid->marking.found_h[(size_t)r].odd)
        continue;
      rule.array.data = tsr_find_uploaded(*grid, rule.array);
      if (rule.measure == TSR_MEASURE_INTERPOLATION_ERROR)
        rule.measure = TSR_MEASURE_VALUE_RANGE;
      grid->marking.found = grid->marking.found_all + r;
      TSR_STEP(tsr_grid_count_bad(grid, rule, error));
    }
    return TSR_OK;
  };
  if (again) {
    TSR_STEP(tsr_each_slab(grid, request, criteria_arrays(request), work, error));
    TSR_STEP(read_found(grid, error));
  }
  raise_notes(grid, request);
  return TSR_OK;
}

// The levels that no wave went through have no refined nodes.
tsr_status clear_rest(tsr_grid_device *grid, int done, tsr_error *error) {
  if (done >= grid->frame.levels)
    return TSR_OK;
  const int64_t before = grid->frame.tree.dense[done] - grid->bytes;
  TSR_CUDA(cudaMemsetAsync(grid->bytes + before, 0, (size_t)(grid->n_bytes - before), grid->stream),
           "clearing the tree");
  return TSR_OK;
}

// The bytes of the first `done` levels; those of the others are 0.
tsr_status download(tsr_grid_device *grid, const tsr_grid_request *request, int done,
                    tsr_error *error) {
  std::vector<tsr_copy> copies;
  const double start = tsr_cuda_now(request->execution);
  for (int level = 0; level < grid->frame.levels; ++level) {
    const size_t bytes = (size_t)grid->level_bytes[level];
    if (level < done)
      copies.push_back({request->tree->dense[level], grid->frame.tree.dense[level], bytes});
    else
      memset(request->tree->dense[level], 0, bytes);
  }
  TSR_STEP(tsr_transfer_down(grid->state, request->execution, copies, nullptr, 0.3, 0.4, error));
  request->report->download_seconds += tsr_cuda_now(request->execution) - start;
  return TSR_OK;
}

void report(const tsr_grid_device *grid, const tsr_grid_request *request) {
  float milliseconds = 0.0f;
  tsr_report *to = request->report;
  const int launched = grid->waves->launched;
  const cudaError_t timed = cudaEventElapsedTime(&milliseconds, grid->begin, grid->end);
  tsr_cuda_drop(timed);
  if (timed == cudaSuccess)
    to->device_seconds = 1e-3 * (double)milliseconds;
  tsr_note_peak(*grid, to);
  to->child_launches += launched;
  to->deepest_nesting = std::max(to->deepest_nesting, launched);
}

} // namespace

tsr_status tsr_grid_clear_found(tsr_grid_device *grid, const tsr_grid_request *request,
                                tsr_error *error) {
  const tsr_grid_found none = {0, UINT64_MAX, 0, UINT64_MAX, 0};
  grid->marking.found_h.assign((size_t)request->n_rules, none);
  TSR_CUDA(tsr_copy_async(grid->marking.found_all, grid->marking.found_h.data(),
                          grid->marking.found_h.size() * sizeof none, cudaMemcpyHostToDevice,
                          grid->stream),
           "evaluating the criteria");
  return TSR_OK;
}

tsr_status tsr_grid_raise_notes(tsr_grid_device *grid, const tsr_grid_request *request,
                                tsr_error *error) {
  TSR_STEP(read_found(grid, error));
  raise_notes(grid, request);
  return TSR_OK;
}

tsr_status tsr_grid_cuda_open(const tsr_grid_request *request, tsr_grid_device **made,
                              tsr_error *error) {
  TSR_STEP(check_execution(request, error));
  const auto fill = [request](tsr_grid_device *grid, tsr_error *error) {
    return open_on(grid, request, error);
  };
  return tsr_open_plan(*request->execution, request->report, fill, tsr_grid_cuda_close, made,
                       error);
}

tsr_status tsr_grid_cuda_fetch(tsr_grid_device *grid, const tsr_grid_request *request,
                               tsr_error *error) {
  const tsr_on_device scope(grid->state->device);
  TSR_STEP(scope.check(error));
  TSR_CUDA(cudaStreamSynchronize(grid->stream), "refining the levels");
  return download(grid, request, grid->frame.levels, error);
}

tsr_status tsr_grid_cuda_fetch_bricks(tsr_grid_device *grid, const tsr_grid_request *request,
                                      tsr_error *error) {
  const tsr_on_device scope(grid->state->device);
  TSR_STEP(scope.check(error));
  const tsr_tree &from = grid->frame.tree;
  tsr_tree *to = request->tree;
  const size_t words = (size_t)from.has_brick.words * sizeof *from.has_brick.word;
  const size_t bytes = (size_t)(from.n_bricks * from.brick_bytes);
  tsr_copy copy = {to->has_brick.word, from.has_brick.word, words};
  if (to->bricks)
    copy = {to->bricks, from.bricks, bytes};
  return tsr_transfer_down(grid->state, request->execution, {copy}, nullptr, 0.4, 0.4, error);
}

tsr_status tsr_grid_cuda_descend(tsr_grid_device *grid, const tsr_grid_request *request, int keep,
                                 tsr_error *error) {
  const tsr_on_device scope(grid->state->device);
  TSR_STEP(scope.check(error));
  int done = 0;
  if (tsr_range_nodes(grid->frame, grid->frame.lattice.coarsen) == 0)
    return TSR_OK; // the tree is clear
  TSR_STEP(mark_all(grid, request, error));
  if (keep)
    TSR_STEP(
        tsr_grid_prepare_close(grid, request, &grid->whole->refining, &grid->whole->ways, error));
  if (grid->frame.levels == 0)
    TSR_CUDA(cudaEventRecord(grid->end, grid->stream), "evaluating the criteria");
  else if (request->report->strategy == TSR_STRATEGY_DEVICE_LAUNCHED)
    TSR_STEP(tsr_grid_device_waves(grid, &done, error));
  else
    TSR_STEP(tsr_grid_waves(grid, &done, error));
  TSR_STEP(note_all(grid, request, error));
  if (tsr_cuda_stopped(request->execution, 0.3))
    return tsr_cuda_refuse(error, TSR_ABORTED, "stopped while the grid was refined");
  TSR_STEP(keep ? clear_rest(grid, done, error) : download(grid, request, done, error));
  report(grid, request);
  return TSR_OK;
}

void tsr_grid_cuda_close(tsr_grid_device *grid) {
  const tsr_on_device scope(grid->state->device);
  tsr_slabs_close(grid);
  for (const cudaEvent_t made : grid->made)
    if (made)
      tsr_cuda_drop(cudaEventDestroy(made));
  tsr_opened_stop(grid);
  if (grid->whole)
    tsr_cut_ways_give(grid->state, grid->whole->ways);
  delete grid->whole;
  tsr_page_give(grid->waves);
  delete grid;
}
