// SPDX-License-Identifier: BSD-3-Clause
// Closure, and which leaves are still too far from the input, round by round, as
// filters/grid/refine/guarantee.c has it:
//
//     close (closure.cu) -> find the leaves to check (finding.cu) -> check them (checking.cu)
//
// The first round goes through all nodes. What a later one has to do follows from what the one
// before added, and is little: such rounds go from these nodes to what is around them, and several
// are put on the stream before the host looks what came of them. A round that has nothing to do, or
// whose lists overflow, does nothing, and neither do those after it. Where more than balance
// follows from a node that is added, or the input comes in slabs, every round goes through all
// nodes.
#include "cuda/grid/cut/cut_estimate.cuh"
#include "cuda/grid/refine/round.cuh"
#include "cuda/grid/slabs.cuh"
#include "cuda/grid/whole.cuh"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace {

const int ahead = 4; // rounds that the host starts before it reads their results
const int lists = 5; // of leaves and nodes

// What the rounds of a plan work with.
struct guarantee {
  tsr_grid_device *grid;
  const tsr_grid_request *request;
  tsr_grid_refining *refining;
  tsr_cut_ways *ways;
};

// Uploads the rules, with the addresses that their arrays have on the device at present.
tsr_status upload_rules(const guarantee &g, tsr_error *error) {
  tsr_grid_rounds &rounds = g.refining->rounds;
  std::vector<tsr_rule> &rules = rounds.rules_h;
  rules.assign(g.request->rules, g.request->rules + g.request->n_rules);
  for (tsr_rule &rule : rules)
    rule.array.data = tsr_find_uploaded(*g.grid, rule.array);
  TSR_CUDA(tsr_copy_async(rounds.rules, rules.data(), rules.size() * sizeof(tsr_rule),
                          cudaMemcpyHostToDevice, g.grid->stream),
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
int goes_by_weights(const guarantee &g) {
  int by_weights = 1;
  for (int r = 0; r < g.request->n_rules; ++r)
    by_weights &= g.request->rules[r].measure != TSR_MEASURE_INTERPOLATION_ERROR ||
                  tsr_estimates(g.grid->frame, g.request->rules[r].array);
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
tsr_status make_rounds(const guarantee &g, tsr_error *error) {
  tsr_grid_device *grid = g.grid;
  tsr_grid_rounds &to = g.refining->rounds;
  const char *what = "the rounds of the guarantee";
  const int64_t room =
      std::min<int64_t>(std::max<int64_t>(grid->n_bytes / 3, 512), (int64_t)1 << 30);
  if (to.last)
    return TSR_OK;
  TSR_STEP(grid->memory.get(&to.last, grid->n_bytes, what, error));
  TSR_STEP(grid->memory.get(&to.made, 2 * grid->n_bytes, what, error));
  TSR_STEP(grid->memory.get(&to.rules, g.request->n_rules, what, error));
  TSR_STEP(grid->memory.get(&to.last_d, 1, what, error));
  TSR_STEP(grid->memory.get(&to.result, 1 + ahead, what, error));
  if (grid->n_bytes < (int64_t)1 << 43) { // a leaf has 43 bits for its byte
    TSR_STEP(grid->memory.get(&to.list, lists * room, what, error));
    to.list_room = (unsigned)room;
  }
  to.last_h = grid->frame;
  for (int level = 0; level < grid->frame.levels; ++level)
    to.last_h.tree.dense[level] = to.last + (grid->frame.tree.dense[level] - grid->bytes);
  TSR_CUDA(
      tsr_copy_async(to.last_d, &to.last_h, sizeof to.last_h, cudaMemcpyHostToDevice, grid->stream),
      "uploading the grid");
  TSR_CUDA(cudaMemsetAsync(to.made, 0, (size_t)(2 * grid->n_bytes), grid->stream),
           "clearing the rounds");
  return TSR_OK;
}

// The first round: of all nodes.
tsr_round round_of(const guarantee &g) {
  const tsr_grid_rounds &of = g.refining->rounds;
  const int64_t room = of.list_room;
  tsr_round it = {};
  it.frame = g.grid->frame_d;
  it.base = g.refining->base;
  it.made = of.made;
  it.cut = of.made + g.grid->n_bytes;
  it.table = g.ways->table;
  it.rules = of.rules;
  it.n_rules = g.request->n_rules;
  it.result = of.result;
  for (int k = 0; k < 3; ++k)
    it.list[k] = of.list + k * room;
  it.asked = of.list + 3 * room;
  it.fresh = of.list + 4 * room;
  it.room = of.list_room;
  it.by_weights = goes_by_weights(g);
  it.bits = has_bits(g.grid, it.by_weights);
  return it;
}

// Reads the results of the first n rounds that the host has started.
tsr_status read_results(const guarantee &g, tsr_round_result *result, int n, tsr_error *error) {
  static_assert((1 + ahead) * sizeof *result <= sizeof g.grid->waves->totals,
                "it is read by way of the totals");
  TSR_STEP(tsr_bring(g.grid->waves->totals, g.refining->rounds.result, (size_t)n * sizeof *result,
                     g.grid->stream, "checking new cells", error));
  memcpy(result, g.grid->waves->totals, (size_t)n * sizeof *result);
  return TSR_OK;
}

// Checks the leaves that have bits; afterwards the round counts as one without bits.
tsr_status check_bits(tsr_grid_device *grid, const tsr_round &it, const tsr_level_bytes &bytes,
                      tsr_error *error) {
  static_assert(offsetof(tsr_round_result, cut) == 0 &&
                    offsetof(tsr_round_result, made) == sizeof it.result->cut,
                "they are cleared together");
  TSR_STEP(tsr_check_bits(grid, it, bytes, error));
  TSR_CUDA(cudaMemsetAsync(it.result, 0, 2 * sizeof it.result->cut, grid->stream),
           "checking new cells");
  return TSR_OK;
}

// Looks at the leaves that are result, slab by slab. Lists that follow the first begin anew in
// each.
tsr_status check_all(const guarantee &g, const tsr_round &it, tsr_round_result *result,
                     tsr_error *error) {
  tsr_grid_device *grid = g.grid;
  std::vector<tsr_array> arrays;
  const bool slabs = !grid->slabs.frames.empty();
  for (int r = 0; r < g.request->n_rules; ++r)
    if (g.request->rules[r].measure == TSR_MEASURE_INTERPOLATION_ERROR)
      arrays.push_back(g.request->rules[r].array);
  const auto work = [&](const tsr_grid_frame &nodes) {
    const tsr_level_bytes bytes = bytes_of(nodes);
    TSR_STEP(upload_rules(g, error));
    if (slabs)
      TSR_CUDA(cudaMemsetAsync(&it.result->list[1], 0,
                               sizeof it.result->list - sizeof it.result->list[0], grid->stream),
               "checking new cells");
    TSR_STEP(tsr_check_lists(grid, it, bytes, error));
    TSR_STEP(read_results(g, result, 1, error));
    return result->cut || result->made ? tsr_check_bits(grid, it, bytes, error) : TSR_OK;
  };
  TSR_STEP(tsr_each_slab(grid, g.request, arrays, work, error));
  if (!result->cut && !result->made)
    return TSR_OK;
  TSR_CUDA(cudaMemsetAsync(it.result, 0, 2 * sizeof it.result->cut, grid->stream),
           "checking new cells");
  return read_results(g, result, 1, error);
}

// A round of all nodes. last: the tree after closure of the round before; NULL: there was none.
// *added: 1 if a leaf asks for more.
tsr_status check_again(const guarantee &g, tsr_round it, const tsr_grid_frame *last, int *added,
                       tsr_error *error) {
  tsr_grid_device *grid = g.grid;
  const bool conforming = grid->frame.options.output == TSR_GRID_CONFORMING;
  tsr_round_result result;
  it.last = last;
  *added = 0;
  TSR_CUDA(cudaMemsetAsync(it.result, 0, sizeof *it.result, grid->stream), "checking new cells");
  TSR_STEP(tsr_find_leaves(grid, it, conforming, error));
  if (conforming)
    TSR_STEP(tsr_cut_make_claimed(grid, it.table, error));
  if (!grid->slabs.frames.empty()) { // no slab is brought for nothing
    TSR_STEP(read_results(g, &result, 1, error));
    if (!result.list[0] && !result.cut && !result.made)
      return TSR_OK;
  }
  TSR_STEP(check_all(g, it, &result, error));
  *added = result.added != 0;
  return TSR_OK;
}

// 1 if rounds may follow others without going through all nodes.
int may_follow(const guarantee &g) {
  const tsr_grid_options &o = g.grid->frame.options;
  const tsr_lattice &lattice = g.grid->frame.lattice;
  return lattice.dimension == 3 && o.buffer_cells == 0 && !tsr_has_bricks(lattice) &&
         o.output != TSR_GRID_PATCHES && g.grid->slabs.frames.empty() && g.refining->rounds.list;
}

// Puts a round on the stream that follows that of number k - 1 of those in `result`.
tsr_status start_round(const guarantee &g, tsr_round it, int k, tsr_error *error) {
  tsr_grid_device *grid = g.grid;
  const bool conforming = grid->frame.options.output == TSR_GRID_CONFORMING;
  const tsr_level_bytes bytes = bytes_of(grid->frame);
  it.last = g.refining->rounds.last_d;
  it.before = it.result + k - 1;
  it.result += k;
  TSR_STEP(tsr_close_added(grid, it, error));
  TSR_STEP(tsr_find_leaves(grid, it, conforming, error));
  if (conforming)
    TSR_STEP(tsr_cut_make_claimed(grid, it.table, error));
  TSR_STEP(tsr_check_lists(grid, it, bytes, error));
  return it.bits ? tsr_check_bits(grid, it, bytes, error) : TSR_OK;
}

tsr_status check_stopped(const tsr_grid_request *request, tsr_error *error) {
  if (tsr_cuda_stopped(request->execution, 0.35))
    return tsr_cuda_refuse(error, TSR_ABORTED, "stopped while the grid was balanced");
  return TSR_OK;
}

// Rounds that follow one that added leaves; `last` and the tree are as that one left them. *done: 0
// where lists overflow: then `last` and the tree before closure are as a round of all nodes wants
// them.
tsr_status follow(const guarantee &g, const tsr_round &it, int *done, tsr_error *error) {
  tsr_grid_device *grid = g.grid;
  const tsr_level_bytes bytes = bytes_of(grid->frame);
  tsr_round_result result[1 + ahead];
  for (*done = 0;;) {
    TSR_CUDA(cudaMemsetAsync(it.result + 1, 0, ahead * sizeof *it.result, grid->stream),
             "checking new cells");
    for (int k = 1; k <= ahead; ++k)
      TSR_STEP(start_round(g, it, k, error));
    TSR_STEP(read_results(g, result, 1 + ahead, error));
    int k = 0; // the last round that is complete, but for leaves with bits
    const auto is_odd = [&](int round) {
      return !it.bits && (result[round].cut || result[round].made);
    };
    while (k < ahead && result[k].added > 0 && result[k].added <= it.room && !is_odd(k) &&
           result[k + 1].fresh <= it.room)
      ++k;
    if (is_odd(k)) {
      tsr_round bits = it;
      bits.result += k;
      TSR_STEP(check_bits(grid, bits, bytes, error));
      TSR_STEP(read_results(g, result, 1 + k, error));
    }
    *done = result[k].added == 0;
    if (*done || result[k].added > it.room || (k < ahead && result[k + 1].fresh > it.room))
      return TSR_OK;
    TSR_CUDA(tsr_copy_async(it.result, it.result + k, sizeof *it.result, cudaMemcpyDeviceToDevice,
                            grid->stream),
             "checking new cells");
    TSR_STEP(check_stopped(g.request, error));
  }
}

tsr_status copy_tree(tsr_grid_device *grid, uint8_t *to, const uint8_t *from, tsr_error *error) {
  TSR_CUDA(tsr_copy_async(to, from, (size_t)grid->n_bytes, cudaMemcpyDeviceToDevice, grid->stream),
           "copying the tree");
  return TSR_OK;
}

tsr_status make_base(const guarantee &g, tsr_error *error) {
  uint8_t **base = &g.refining->base;
  return *base ? TSR_OK
               : g.grid->memory.get(base, g.grid->n_bytes, "the tree before closure", error);
}

// Keeps the tree before closure.
tsr_status keep_base(const guarantee &g, tsr_error *error) {
  TSR_STEP(make_base(g, error));
  TSR_STEP(copy_tree(g.grid, g.refining->base, g.grid->bytes, error));
  return tsr_has_bricks(g.grid->frame.lattice)
             ? tsr_grid_keep_bricks(g.grid, &g.refining->bricks, error)
             : TSR_OK;
}

// 1 if leaves are checked: only leaves larger than input cells have input points within.
bool is_guaranteed(const guarantee &g) {
  bool any = false;
  for (int r = 0; r < g.request->n_rules; ++r)
    any = any || g.request->rules[r].measure == TSR_MEASURE_INTERPOLATION_ERROR;
  return any && g.grid->frame.lattice.coarsen > 0 &&
         g.grid->frame.options.mode == TSR_GRID_ADAPTIVE;
}

// All memory that the rounds want.
tsr_status prepare_rounds(const guarantee &g, tsr_error *error) {
  TSR_STEP(make_base(g, error));
  TSR_STEP(make_rounds(g, error));
  return g.grid->frame.options.output == TSR_GRID_CONFORMING
             ? tsr_cut_ways_make(g.grid, g.ways, error)
             : TSR_OK;
}

// Rounds until no leaf asks for more. What is kept before the first receives what they add.
tsr_status make_guarantee(const guarantee &g, tsr_error *error) {
  tsr_grid_device *grid = g.grid;
  tsr_grid_refining &r = *g.refining;
  TSR_STEP(prepare_rounds(g, error));
  tsr_round it = round_of(g);
  it.seen = r.marks.unmarked ? r.marks.unmarked : r.base;
  for (int round = 0;; ++round) {
    int added = 0, done = 0;
    TSR_STEP(tsr_close_all(grid, &r, error));
    TSR_STEP(check_again(g, it, round > 0 ? r.rounds.last_d : nullptr, &added, error));
    if (!added)
      return TSR_OK;
    TSR_STEP(check_stopped(g.request, error));
    TSR_STEP(copy_tree(grid, r.rounds.last, grid->bytes, error));
    it.seen = r.base;
    if (may_follow(g))
      TSR_STEP(follow(g, it, &done, error));
    if (done)
      return TSR_OK;
    TSR_STEP(copy_tree(grid, grid->bytes, r.base, error));
    if (tsr_has_bricks(grid->frame.lattice))
      TSR_STEP(tsr_grid_restore_bricks(grid, r.bricks, error));
  }
}

} // namespace

tsr_status tsr_grid_prepare_close(tsr_grid_device *grid, const tsr_grid_request *request,
                                  tsr_grid_refining *refining, tsr_cut_ways *ways,
                                  tsr_error *error) {
  const guarantee g = {grid, request, refining, ways};
  // Bricks are not made yet, and belong to the frame.
  return is_guaranteed(g) && !tsr_has_bricks(grid->frame.lattice) ? prepare_rounds(g, error)
                                                                  : TSR_OK;
}

tsr_status tsr_grid_close_tree(tsr_grid_device *grid, const tsr_grid_request *request,
                               tsr_grid_refining *refining, tsr_cut_ways *ways, tsr_error *error) {
  const guarantee g = {grid, request, refining, ways};
  const bool guaranteed = is_guaranteed(g);
  if (grid->frame.options.buffer_cells > 0 && !refining->copy)
    TSR_STEP(grid->memory.get(&refining->copy, grid->n_bytes, "a copy of a level", error));
  if (guaranteed || grid->frame.options.keep_marks)
    TSR_STEP(keep_base(g, error));
  return guaranteed ? make_guarantee(g, error) : tsr_close_all(grid, refining, error);
}

namespace {

// Downloads the tree before closure, to which the nodes that leaves ask for have been added.
tsr_status bring_base(const guarantee &g, tsr_tree *next, tsr_error *error) {
  tsr_grid_device *grid = g.grid;
  std::vector<tsr_copy> copies;
  for (int level = 0; level < grid->frame.levels; ++level)
    copies.push_back({next->dense[level],
                      g.refining->base + (grid->frame.tree.dense[level] - grid->bytes),
                      (size_t)grid->level_bytes[level]});
  return tsr_transfer_down(grid->state, g.request->execution, copies, nullptr, 0.35, 0.35, error);
}

// The trees of a round that the CPU closed; that of the round before is here already.
tsr_status bring_round(const guarantee &g, const tsr_grid_leaf_check &check, tsr_error *error) {
  tsr_grid_device *grid = g.grid;
  uint8_t *&before = g.refining->marks.unmarked;
  if (!before)
    TSR_STEP(grid->memory.get(&before, grid->n_bytes, "the rounds of the guarantee", error));
  TSR_STEP(prepare_rounds(g, error));
  if (!check.is_first)
    TSR_STEP(copy_tree(grid, g.refining->rounds.last, grid->bytes, error));
  return tsr_grid_upload_dense(
      grid, g.request,
      {{grid->bytes, g.request->tree}, {before, check.before}, {g.refining->base, check.next}},
      error);
}

} // namespace

tsr_status tsr_grid_cuda_check(tsr_grid_device *grid, const tsr_grid_request *request,
                               tsr_grid_leaf_check *check, tsr_error *error) {
  const tsr_on_device scope(grid->state->device);
  TSR_STEP(scope.check(error));
  const guarantee g = {grid, request, &grid->whole->refining, &grid->whole->ways};
  const tsr_lattice &lattice = grid->frame.lattice;
  int added = 0;
  if (lattice.coarsen == 0 || tsr_range_nodes(grid->frame, lattice.coarsen) == 0 ||
      grid->n_bytes >= tsr_whole_most)
    return TSR_OK;
  TSR_STEP(bring_round(g, *check, error));
  tsr_round it = round_of(g);
  it.seen = g.refining->marks.unmarked;
  TSR_STEP(
      check_again(g, it, check->is_first ? nullptr : g.refining->rounds.last_d, &added, error));
  TSR_STEP(check_stopped(request, error));
  if (added)
    TSR_STEP(bring_base(g, check->next, error));
  check->added = added;
  check->done = 1;
  return TSR_OK;
}
