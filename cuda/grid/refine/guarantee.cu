// SPDX-License-Identifier: BSD-3-Clause
// Closure, and which leaves are still too far from the input, round by round, as
// filters/grid/refine/guarantee.c has it:
//
//     close (closure.cu) -> note the leaves to look at (noting.cu) -> look at them (looking.cu)
//
// The first round goes through all nodes. What a later one has to do follows from what the one
// before added, and is little: such rounds go from these nodes to what is around them, and several
// are put on the stream before the host looks what came of them. A round that has nothing to do, or
// whose lists overflow, does nothing, and neither do those after it. Where more than balance
// follows from a node that is added, or the input comes in slabs, every round goes through all
// nodes.
#include "cuda/grid/cut_estimate.cuh"
#include "cuda/grid/refine/round.cuh"
#include "cuda/grid/slabs.cuh"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace {

const int ahead = 4; // rounds that the host starts before it reads their results
const int lists = 5; // of leaves and nodes

// Uploads the rules, with the addresses that their arrays have on the device at present.
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

// Ranges of the bytes of each level that hold nodes of the frame.
tsr_level_bytes bytes_of(const tsr_grid_frame &nodes) {
  tsr_level_bytes bytes = {};
  for (int level = 0; level < nodes.levels; ++level)
    for (int end = 0; end < 2; ++end)
      bytes.at[level][end] =
          (((nodes.range[level][2][end] + end) >> 1) - nodes.tree.first[level][2]) *
          nodes.tree.size[level][0] * nodes.tree.size[level][1];
  return bytes;
}

// 1 if cut leaves go into the list and are checked by the weights of the table: every rule of the
// interpolation error must support that.
int goes_by_weights(const tsr_grid_device *grid, const tsr_grid_job *job) {
  int by_weights = 1;
  for (int r = 0; r < job->n_rules; ++r)
    by_weights &= job->rules[r].measure != TSR_MEASURE_INTERPOLATION_ERROR ||
                  tsr_estimates(grid->frame, job->rules[r].array);
  return by_weights;
}

// 1 if some cut leaves cannot go into the list.
int has_bits(const tsr_grid_device *grid, int by_weights) {
  const tsr_lattice &lattice = grid->frame.lattice;
  int sticks_out = 0;
  for (int a = 0; a < lattice.dimension; ++a)
    sticks_out |= lattice.cells[a] % ((int64_t)1 << lattice.coarsen) != 0;
  return grid->frame.options.output == TSR_GRID_CONFORMING && (sticks_out || !by_weights);
}

// Memory for the rounds: trees, rules and lists.
tsr_status make_rounds(tsr_grid_device *grid, const tsr_grid_job *job, tsr_error *error) {
  tsr_grid_whole &w = grid->whole;
  const char *what = "the rounds of the guarantee";
  const int64_t room =
      std::min<int64_t>(std::max<int64_t>(grid->n_bytes / 3, 512), (int64_t)1 << 30);
  if (w.last)
    return TSR_OK;
  TSR_STEP(grid->memory.get(&w.last, grid->n_bytes, what, error));
  TSR_STEP(grid->memory.get(&w.look, 2 * grid->n_bytes, what, error));
  TSR_STEP(grid->memory.get(&w.rules, job->n_rules, what, error));
  TSR_STEP(grid->memory.get(&w.last_d, 1, what, error));
  TSR_STEP(grid->memory.get(&w.noted, 1 + ahead, what, error));
  if (grid->n_bytes < (int64_t)1 << 43) { // a leaf has 43 bits for its byte
    TSR_STEP(grid->memory.get(&w.list, lists * room, what, error));
    w.list_room = (unsigned)room;
  }
  w.last_h = grid->frame;
  for (int level = 0; level < grid->frame.levels; ++level)
    w.last_h.tree.dense[level] = w.last + (grid->frame.tree.dense[level] - grid->bytes);
  TSR_CUDA(
      cudaMemcpyAsync(w.last_d, &w.last_h, sizeof w.last_h, cudaMemcpyHostToDevice, grid->stream),
      "uploading the grid");
  TSR_CUDA(cudaMemsetAsync(w.look, 0, (size_t)(2 * grid->n_bytes), grid->stream),
           "clearing the rounds");
  return TSR_OK;
}

// The first round: of all nodes.
tsr_round round_of(const tsr_grid_device *grid, const tsr_grid_job *job) {
  const tsr_grid_whole &w = grid->whole;
  const int64_t room = w.list_room;
  tsr_round it = {};
  it.frame = grid->frame_d;
  it.base = w.base;
  it.look = w.look;
  it.cut = w.look + grid->n_bytes;
  it.table = w.table;
  it.rules = w.rules;
  it.n_rules = job->n_rules;
  it.noted = w.noted;
  for (int k = 0; k < 3; ++k)
    it.list[k] = w.list + k * room;
  it.asked = w.list + 3 * room;
  it.fresh = w.list + 4 * room;
  it.room = w.list_room;
  it.by_weights = goes_by_weights(grid, job);
  it.bits = has_bits(grid, it.by_weights);
  return it;
}

// Reads the results of the first n rounds that the host has started.
tsr_status read_noted(tsr_grid_device *grid, tsr_noted *noted, int n, tsr_error *error) {
  static_assert((1 + ahead) * sizeof *noted <= sizeof grid->waves->totals,
                "it is read by way of the totals");
  TSR_CUDA(cudaMemcpyAsync(grid->waves->totals, grid->whole.noted, (size_t)n * sizeof *noted,
                           cudaMemcpyDeviceToHost, grid->stream),
           "looking at new cells");
  TSR_CUDA(cudaStreamSynchronize(grid->stream), "looking at new cells");
  memcpy(noted, grid->waves->totals, (size_t)n * sizeof *noted);
  return TSR_OK;
}

// Looks at the leaves that have bits; such a round counts as one without.
tsr_status look_at_bits(tsr_grid_device *grid, const tsr_round &it, const tsr_level_bytes &bytes,
                        tsr_error *error) {
  static_assert(offsetof(tsr_noted, cut) == 0 && offsetof(tsr_noted, look) == sizeof it.noted->cut,
                "they are cleared together");
  TSR_STEP(tsr_look_at_bits(grid, it, bytes, error));
  TSR_CUDA(cudaMemsetAsync(it.noted, 0, 2 * sizeof it.noted->cut, grid->stream),
           "looking at new cells");
  return TSR_OK;
}

// Looks at the leaves that are noted, slab by slab. Lists that follow the first begin anew in each.
tsr_status look_at_all(tsr_grid_device *grid, const tsr_grid_job *job, const tsr_round &it,
                       tsr_noted *noted, tsr_error *error) {
  std::vector<tsr_array> arrays;
  const bool slabs = !grid->slabs.frames.empty();
  for (int r = 0; r < job->n_rules; ++r)
    if (job->rules[r].measure == TSR_MEASURE_INTERPOLATION_ERROR)
      arrays.push_back(job->rules[r].array);
  const auto work = [&](const tsr_grid_frame &nodes) {
    const tsr_level_bytes bytes = bytes_of(nodes);
    TSR_STEP(upload_rules(grid, job, error));
    if (slabs)
      TSR_CUDA(cudaMemsetAsync(&it.noted->list[1], 0,
                               sizeof it.noted->list - sizeof it.noted->list[0], grid->stream),
               "looking at new cells");
    TSR_STEP(tsr_look_at_lists(grid, it, bytes, error));
    TSR_STEP(read_noted(grid, noted, 1, error));
    return noted->cut || noted->look ? tsr_look_at_bits(grid, it, bytes, error) : TSR_OK;
  };
  TSR_STEP(tsr_each_slab(grid, job, arrays, work, error));
  if (!noted->cut && !noted->look)
    return TSR_OK;
  TSR_CUDA(cudaMemsetAsync(it.noted, 0, 2 * sizeof it.noted->cut, grid->stream),
           "looking at new cells");
  return read_noted(grid, noted, 1, error);
}

// A round of all nodes. last: the tree after closure of the round before; NULL: there was none.
// *added: 1 if a leaf asks for more.
tsr_status look_again(tsr_grid_device *grid, const tsr_grid_job *job, tsr_round it,
                      const tsr_grid_frame *last, int *added, tsr_error *error) {
  const bool conforming = grid->frame.options.output == TSR_GRID_CONFORMING;
  tsr_noted noted;
  it.last = last;
  *added = 0;
  TSR_CUDA(cudaMemsetAsync(it.noted, 0, sizeof *it.noted, grid->stream), "looking at new cells");
  TSR_STEP(tsr_note_leaves(grid, it, conforming, error));
  if (conforming)
    TSR_STEP(tsr_cut_make_claimed(grid, error));
  if (!grid->slabs.frames.empty()) { // no slab is brought for nothing
    TSR_STEP(read_noted(grid, &noted, 1, error));
    if (!noted.list[0] && !noted.cut && !noted.look)
      return TSR_OK;
  }
  TSR_STEP(look_at_all(grid, job, it, &noted, error));
  *added = noted.added != 0;
  return TSR_OK;
}

// 1 if rounds may follow others without going through all nodes.
int may_follow(const tsr_grid_device *grid) {
  const tsr_grid_options &o = grid->frame.options;
  const tsr_lattice &lattice = grid->frame.lattice;
  return lattice.dimension == 3 && o.buffer_cells == 0 && !tsr_has_bricks(lattice) &&
         o.output != TSR_GRID_PATCHES && grid->slabs.frames.empty() && grid->whole.list;
}

// Puts a round on the stream that follows that of number k - 1 of those in `noted`.
tsr_status start_round(tsr_grid_device *grid, tsr_round it, int k, tsr_error *error) {
  const bool conforming = grid->frame.options.output == TSR_GRID_CONFORMING;
  const tsr_level_bytes bytes = bytes_of(grid->frame);
  it.last = grid->whole.last_d;
  it.before = it.noted + k - 1;
  it.noted += k;
  TSR_STEP(tsr_close_added(grid, it, error));
  TSR_STEP(tsr_note_leaves(grid, it, conforming, error));
  if (conforming)
    TSR_STEP(tsr_cut_make_claimed(grid, error));
  TSR_STEP(tsr_look_at_lists(grid, it, bytes, error));
  return it.bits ? tsr_look_at_bits(grid, it, bytes, error) : TSR_OK;
}

tsr_status check_stopped(const tsr_grid_job *job, tsr_error *error) {
  if (tsr_cuda_stopped(job->execution, 0.35))
    return tsr_cuda_refuse(error, TSR_ABORTED, "stopped while the grid was balanced");
  return TSR_OK;
}

// Rounds that follow one that added leaves; `last` and the tree are as that one left them. *done: 0
// where lists overflow: then `last` and the tree before closure are as a round of all nodes wants
// them.
tsr_status follow(tsr_grid_device *grid, const tsr_grid_job *job, const tsr_round &it, int *done,
                  tsr_error *error) {
  const tsr_level_bytes bytes = bytes_of(grid->frame);
  tsr_noted noted[1 + ahead];
  for (*done = 0;;) {
    TSR_CUDA(cudaMemsetAsync(it.noted + 1, 0, ahead * sizeof *it.noted, grid->stream),
             "looking at new cells");
    for (int k = 1; k <= ahead; ++k)
      TSR_STEP(start_round(grid, it, k, error));
    TSR_STEP(read_noted(grid, noted, 1 + ahead, error));
    int k = 0; // the last round that is complete, but for leaves with bits
    const auto is_odd = [&](int round) {
      return !it.bits && (noted[round].cut || noted[round].look);
    };
    while (k < ahead && noted[k].added > 0 && noted[k].added <= it.room && !is_odd(k) &&
           noted[k + 1].fresh <= it.room)
      ++k;
    if (is_odd(k)) {
      tsr_round bits = it;
      bits.noted += k;
      TSR_STEP(look_at_bits(grid, bits, bytes, error));
      TSR_STEP(read_noted(grid, noted, 1 + k, error));
    }
    *done = noted[k].added == 0;
    if (*done || noted[k].added > it.room || (k < ahead && noted[k + 1].fresh > it.room))
      return TSR_OK;
    TSR_CUDA(cudaMemcpyAsync(it.noted, it.noted + k, sizeof *it.noted, cudaMemcpyDeviceToDevice,
                             grid->stream),
             "looking at new cells");
    TSR_STEP(check_stopped(job, error));
  }
}

tsr_status copy_tree(tsr_grid_device *grid, uint8_t *to, const uint8_t *from, tsr_error *error) {
  TSR_CUDA(cudaMemcpyAsync(to, from, (size_t)grid->n_bytes, cudaMemcpyDeviceToDevice, grid->stream),
           "copying the tree");
  return TSR_OK;
}

tsr_status make_base(tsr_grid_device *grid, tsr_error *error) {
  tsr_grid_whole &w = grid->whole;
  return w.base ? TSR_OK
                : grid->memory.get(&w.base, grid->n_bytes, "the tree before closure", error);
}

// Keeps the tree before closure.
tsr_status keep_base(tsr_grid_device *grid, tsr_error *error) {
  TSR_STEP(make_base(grid, error));
  TSR_STEP(copy_tree(grid, grid->whole.base, grid->bytes, error));
  return tsr_has_bricks(grid->frame.lattice) ? tsr_grid_keep_bricks(grid, error) : TSR_OK;
}

// 1 if leaves are looked at; without coarser ones none has input points within.
bool is_guaranteed(const tsr_grid_device *grid, const tsr_grid_job *job) {
  bool any = false;
  for (int r = 0; r < job->n_rules; ++r)
    any = any || job->rules[r].measure == TSR_MEASURE_INTERPOLATION_ERROR;
  return any && grid->frame.lattice.coarsen > 0 && grid->frame.options.mode == TSR_GRID_ADAPTIVE;
}

// All memory that the rounds want.
tsr_status prepare_rounds(tsr_grid_device *grid, const tsr_grid_job *job, tsr_error *error) {
  TSR_STEP(make_base(grid, error));
  TSR_STEP(make_rounds(grid, job, error));
  return grid->frame.options.output == TSR_GRID_CONFORMING ? tsr_grid_cut_table(grid, error)
                                                           : TSR_OK;
}

// Rounds until no leaf asks for more. What is kept before the first receives what they add.
tsr_status make_guarantee(tsr_grid_device *grid, const tsr_grid_job *job, tsr_error *error) {
  tsr_grid_whole &w = grid->whole;
  const bool bricks = tsr_has_bricks(grid->frame.lattice);
  TSR_STEP(prepare_rounds(grid, job, error));
  tsr_round it = round_of(grid, job);
  it.seen = w.own ? w.own : w.base;
  for (int round = 0;; ++round) {
    int added = 0, done = 0;
    TSR_STEP(tsr_close_all(grid, error));
    TSR_STEP(look_again(grid, job, it, round > 0 ? w.last_d : nullptr, &added, error));
    if (!added)
      return TSR_OK;
    TSR_STEP(check_stopped(job, error));
    TSR_STEP(copy_tree(grid, w.last, grid->bytes, error));
    it.seen = w.base;
    if (may_follow(grid))
      TSR_STEP(follow(grid, job, it, &done, error));
    if (done)
      return TSR_OK;
    TSR_STEP(copy_tree(grid, grid->bytes, w.base, error));
    if (bricks)
      TSR_STEP(tsr_grid_restore_bricks(grid, error));
  }
}

} // namespace

tsr_status tsr_grid_prepare_close(tsr_grid_device *grid, const tsr_grid_job *job,
                                  tsr_error *error) {
  // Bricks are not made yet, and belong to the frame.
  return is_guaranteed(grid, job) && !tsr_has_bricks(grid->frame.lattice)
             ? prepare_rounds(grid, job, error)
             : TSR_OK;
}

tsr_status tsr_grid_close_tree(tsr_grid_device *grid, const tsr_grid_job *job, tsr_error *error) {
  tsr_grid_whole &w = grid->whole;
  const bool guaranteed = is_guaranteed(grid, job);
  if (grid->frame.options.buffer_cells > 0 && !w.copy)
    TSR_STEP(grid->memory.get(&w.copy, grid->n_bytes, "a copy of a level", error));
  if (guaranteed || grid->frame.options.keep_marks)
    TSR_STEP(keep_base(grid, error));
  return guaranteed ? make_guarantee(grid, job, error) : tsr_close_all(grid, error);
}

namespace {

// Downloads the tree before closure, to which the nodes that leaves ask for have been added.
tsr_status bring_base(tsr_grid_device *grid, const tsr_grid_job *job, tsr_tree *next,
                      tsr_error *error) {
  std::vector<tsr_copy> copies;
  for (int level = 0; level < grid->frame.levels; ++level)
    copies.push_back({next->dense[level],
                      grid->whole.base + (grid->frame.tree.dense[level] - grid->bytes),
                      (size_t)grid->level_bytes[level]});
  return tsr_transfer_down(grid->state, job->execution, copies, nullptr, 0.35, 0.35, error);
}

// The trees of a round that the CPU closed; that of the round before is here already.
tsr_status bring_round(tsr_grid_device *grid, const tsr_grid_job *job, const tsr_grid_look &look,
                       tsr_error *error) {
  tsr_grid_whole &w = grid->whole;
  const char *what = "the rounds of the guarantee";
  if (!w.own)
    TSR_STEP(grid->memory.get(&w.own, grid->n_bytes, what, error));
  TSR_STEP(prepare_rounds(grid, job, error));
  if (!look.is_first)
    TSR_STEP(copy_tree(grid, w.last, grid->bytes, error));
  return tsr_grid_upload_dense(
      grid, job, {{grid->bytes, job->tree}, {w.own, look.before}, {w.base, look.next}}, error);
}

} // namespace

tsr_status tsr_grid_cuda_look(tsr_grid_device *grid, const tsr_grid_job *job, tsr_grid_look *look,
                              tsr_error *error) {
  const tsr_on_device scope(grid->state->device);
  TSR_STEP(scope.check(error));
  tsr_grid_whole &w = grid->whole;
  const tsr_lattice &lattice = grid->frame.lattice;
  int added = 0;
  if (lattice.coarsen == 0 || tsr_range_nodes(grid->frame, lattice.coarsen) == 0 ||
      grid->n_bytes >= tsr_whole_most)
    return TSR_OK;
  TSR_STEP(bring_round(grid, job, *look, error));
  tsr_round it = round_of(grid, job);
  it.seen = w.own;
  TSR_STEP(look_again(grid, job, it, look->is_first ? nullptr : w.last_d, &added, error));
  TSR_STEP(check_stopped(job, error));
  if (added)
    TSR_STEP(bring_base(grid, job, look->next, error));
  look->added = added;
  look->done = 1;
  return TSR_OK;
}
