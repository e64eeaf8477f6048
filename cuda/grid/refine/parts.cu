// SPDX-License-Identifier: BSD-3-Clause
// Levels below the input cells of a whole plan, as descent.c and closure.c have them: the same
// bricks, for the cells that closure may refine from the start. A thread has a byte of a brick.
#include "cuda/common/executor.cuh"
#include "cuda/grid/refine/refine.cuh"
#include "cuda/grid/slabs.cuh"

#include "grid/refine/descent_math.h"

namespace {

struct part_args {
  const tsr_grid_frame *frame;
  const int64_t *cell_of;
  const uint8_t *source; // buffer: bricks as they were; else the tree's own
  int level;
  int64_t per, n; // bytes of the level in a brick, and in all
};

// ---- bricks

__device__ void set_brick(const tsr_closing *it, int level, const int64_t i[3]) {
  tsr_or_byte((uint8_t *)it->tree->has_brick.word + tsr_tree_dense_at(it->tree, level, i),
              1u << tsr_child_number(i));
}

// The cells that have bricks. A thread has a byte.
__device__ void reach_byte(int64_t n, const tsr_grid_frame *frame) {
  const tsr_grid_frame &f = *frame;
  const int level = f.lattice.coarsen;
  const unsigned refined = f.tree.dense[level][n];
  const tsr_closing it = tsr_closing_of(f, nullptr, nullptr);
  int64_t parent[3];
  if (refined == 0)
    return;
  tsr_frame_parent(f, level, n, parent);
  tsr_closing_bricks(&it, level, parent, refined, set_brick);
}

__device__ void count_word(int64_t w, const tsr_bits &bits) {
  bits.before[w] = tsr_popcount(bits.word[w]);
}

__device__ void list_cells(int64_t w, const tsr_bits &bits, int64_t *cell_of) {
  int64_t at = bits.before[w];
  for (int k = 0; k < 64; ++k)
    if ((bits.word[w] >> k) & 1)
      cell_of[at++] = 64 * w + k;
}

// The parent whose children byte n of a level of the bricks holds, and the brick.
__device__ int64_t parent_at(const part_args &args, int64_t n, int64_t parent[3]) {
  const int64_t brick = n / args.per;
  int64_t cell[3];
  tsr_brick_cell(&args.frame->lattice, &args.frame->tree, args.cell_of[brick], cell);
  tsr_brick_parent(&args.frame->lattice, args.level, cell, n % args.per, parent);
  return brick;
}

__device__ uint8_t *byte_of(const part_args &args, int64_t n) {
  const tsr_tree &tree = args.frame->tree;
  return tree.bricks + n / args.per * tree.brick_bytes + tree.brick_level[args.level] +
         n % args.per;
}

// ---- the descent

// Refines the children of a node of the level above that is refined, in the cells of a slab.
__device__ void descend_byte(int64_t n, const part_args &args, const tsr_rule *rules, int n_rules,
                             int64_t first, int64_t end) {
  const tsr_grid_frame &f = *args.frame;
  const tsr_lattice &lattice = f.lattice;
  int64_t parent[3], cell[3], i[3];
  unsigned bits = 0;
  tsr_brick_cell(&lattice, &f.tree, args.cell_of[parent_at(args, n, parent)], cell);
  if (cell[2] < first || cell[2] >= end || tsr_frame_hides(f, lattice.coarsen, cell) ||
      !tsr_tree_get(&f.tree, &lattice, args.level - 1, parent))
    return;
  for (unsigned k = 0; k < (1u << lattice.dimension); ++k) {
    int refine = f.options.mode == TSR_GRID_FINE;
    tsr_descent_child(&lattice, parent, k, i);
    if (!refine && args.level >= tsr_region_limit(&lattice, &f.options, f.whole, args.level, i))
      continue;
    for (int r = 0; r < n_rules && !refine; ++r)
      refine = rules[r].measure != TSR_MEASURE_INTERPOLATION_ERROR &&
               tsr_rule_asks(&lattice, &rules[r], args.level,
                             tsr_part_measure(&lattice, &f.space, &rules[r], args.level, i));
    bits |= refine ? 1u << k : 0u;
  }
  *byte_of(args, n) = (uint8_t)bits;
}

// ---- the closure

__device__ void balance_byte(int64_t n, const part_args &args, const tsr_sides &sides) {
  const unsigned children = *byte_of(args, n);
  const tsr_closing it = tsr_closing_of(*args.frame, nullptr, sides.of);
  int64_t parent[3];
  if (children == 0)
    return;
  parent_at(args, n, parent);
  tsr_closing_balance(&it, args.level, parent, children, tsr_set_node);
}

__device__ void buffer_byte(int64_t n, const part_args &args) {
  const tsr_closing it = tsr_closing_of(*args.frame, args.source, nullptr);
  const unsigned children = args.source[byte_of(args, n) - it.tree->bricks];
  int64_t parent[3];
  if (children == 0)
    return;
  parent_at(args, n, parent);
  tsr_closing_buffer(&it, args.level, parent, children, tsr_set_node);
}

// Refines whole blocks. Threads only set bits of their own group, so it makes no difference whether
// a thread sees them early or late.
__device__ void block_byte(int64_t n, const part_args &args) {
  const tsr_closing it = tsr_closing_of(*args.frame, nullptr, nullptr);
  int64_t parent[3];
  if (*byte_of(args, n) == 0)
    return;
  parent_at(args, n, parent);
  tsr_closing_block(&it, args.level, parent, tsr_set_node);
}

// ---- from the host

part_args args_of(const tsr_grid_device *grid, const tsr_grid_bricks &bricks, int level) {
  const tsr_lattice &lattice = grid->frame.lattice;
  const int64_t per = (int64_t)1 << ((level - 1 - lattice.coarsen) * lattice.dimension);
  return {grid->frame_d, bricks.cell, nullptr, level, per, per * grid->frame.tree.n_bricks};
}

// Bytes of all bricks, rounded up to 4, since bits are set in words of 4 bytes.
int64_t bytes_of(const tsr_grid_device *grid) {
  return (grid->frame.tree.n_bricks * grid->frame.tree.brick_bytes + 3) / 4 * 4;
}

// Bits, all 0.
tsr_status make_bits(tsr_grid_device *grid, int64_t n, tsr_bits *bits, tsr_error *error) {
  bits->words = n / 64 + 1;
  TSR_STEP(grid->memory.get(&bits->word, bits->words, "the refined input cells", error));
  TSR_STEP(grid->memory.get(&bits->before, bits->words + 1, "the refined input cells", error));
  TSR_CUDA(cudaMemsetAsync(bits->word, 0, (size_t)bits->words * sizeof *bits->word, grid->stream),
           "clearing the refined input cells");
  return TSR_OK;
}

void free_bricks(tsr_grid_device *grid, tsr_grid_bricks *bricks) {
  tsr_tree &tree = grid->frame.tree;
  for (void *memory :
       {(void *)tree.has_brick.word, (void *)tree.has_brick.before, (void *)tree.bricks,
        (void *)bricks->cell, (void *)bricks->kept, (void *)bricks->copy})
    grid->memory.free_one(memory);
  tree.has_brick = {};
  tree.bricks = nullptr;
  tree.n_bricks = 0;
  *bricks = {};
}

// Kernels find the bricks by the frame.
tsr_status upload_frame(tsr_grid_device *grid, tsr_error *error) {
  TSR_CUDA(tsr_copy_async(grid->frame_d, &grid->frame, sizeof grid->frame, cudaMemcpyHostToDevice,
                          grid->stream),
           "uploading the grid");
  return TSR_OK;
}

tsr_status make_bricks(tsr_grid_device *grid, tsr_grid_bricks *bricks, tsr_error *error) {
  const int coarsen = grid->frame.lattice.coarsen;
  const int64_t bytes = grid->level_bytes[coarsen];
  tsr_tree &tree = grid->frame.tree;
  free_bricks(grid, bricks);
  TSR_STEP(make_bits(grid, 8 * bytes, &tree.has_brick, error));
  TSR_STEP(upload_frame(grid, error));
  TSR_CUDA(tsr_launch_each<reach_byte>(bytes, grid->stream, grid->frame_d),
           "finding the refined input cells");
  TSR_STEP(tsr_grid_count_bits(grid, tree.has_brick, &tree.n_bricks, error));
  if (bytes_of(grid) >= (int64_t)tsr_whole_most * 16 ||
      tree.n_bricks > tsr_whole_most / (tree.brick_bytes + 1) * 16)
    return tsr_cuda_refuse(error, TSR_NO_MEMORY,
                           "CUDA cannot be used for %lld refined input cells with %lld bytes each: "
                           "take Backend CPU",
                           (long long)tree.n_bricks, (long long)tree.brick_bytes);
  TSR_STEP(
      grid->memory.get(&tree.bricks, bytes_of(grid), "the levels below the input cells", error));
  TSR_STEP(
      grid->memory.get(&bricks->cell, tree.n_bricks, "the levels below the input cells", error));
  TSR_CUDA(cudaMemsetAsync(tree.bricks, 0, (size_t)bytes_of(grid), grid->stream),
           "clearing the levels below the input cells");
  TSR_CUDA(
      tsr_launch_each<list_cells>(tree.has_brick.words, grid->stream, tree.has_brick, bricks->cell),
      "listing the refined input cells");
  return upload_frame(grid, error);
}

} // namespace

tsr_status tsr_grid_count_bits(tsr_grid_device *grid, const tsr_bits &bits, int64_t *n,
                               tsr_error *error) {
  TSR_CUDA(tsr_launch_each<count_word>(bits.words, grid->stream, bits), "counting bits");
  return tsr_grid_sum(grid, bits.before, bits.words, n, "counting bits", error);
}

tsr_status tsr_grid_descend_parts(tsr_grid_device *grid, const tsr_grid_request *request,
                                  tsr_grid_bricks *bricks, tsr_error *error) {
  const tsr_lattice &lattice = grid->frame.lattice;
  std::vector<tsr_rule> rules(request->rules, request->rules + request->n_rules);
  std::vector<tsr_array> arrays;
  tsr_rule *rules_d;
  TSR_STEP(make_bricks(grid, bricks, error));
  TSR_STEP(grid->memory.get(&rules_d, request->n_rules, "the rules", error));
  for (const tsr_rule &rule : rules)
    arrays.push_back(rule.array);
  const auto work = [&](const tsr_grid_frame &nodes) {
    const int64_t *cells = nodes.range[lattice.coarsen][2];
    for (size_t r = 0; r < rules.size(); ++r)
      rules[r].array.data = tsr_find_uploaded(*grid, request->rules[r].array);
    TSR_CUDA(tsr_copy_async(rules_d, rules.data(), rules.size() * sizeof(tsr_rule),
                            cudaMemcpyHostToDevice, grid->stream),
             "uploading the rules");
    for (int level = lattice.coarsen + 1; level < lattice.levels; ++level) {
      const part_args it = args_of(grid, *bricks, level);
      TSR_CUDA(tsr_launch_each<descend_byte>(it.n, grid->stream, it, rules_d, request->n_rules,
                                             cells[0], cells[1]),
               "refining the levels below the input cells");
    }
    return TSR_OK;
  };
  TSR_STEP(tsr_each_slab(grid, request, arrays, work, error));
  TSR_CUDA(cudaStreamSynchronize(grid->stream), "refining the levels below the input cells");
  grid->memory.free_one(rules_d);
  return TSR_OK;
}

static tsr_status copy_bricks(tsr_grid_device *grid, uint8_t *to, const uint8_t *from,
                              tsr_error *error) {
  TSR_CUDA(tsr_copy_async(to, from, (size_t)bytes_of(grid), cudaMemcpyDeviceToDevice, grid->stream),
           "copying the levels below the input cells");
  return TSR_OK;
}

tsr_status tsr_grid_keep_bricks(tsr_grid_device *grid, tsr_grid_bricks *bricks, tsr_error *error) {
  if (!bricks->kept)
    TSR_STEP(grid->memory.get(&bricks->kept, bytes_of(grid), "the rounds of the guarantee", error));
  return copy_bricks(grid, bricks->kept, grid->frame.tree.bricks, error);
}

tsr_status tsr_grid_restore_bricks(tsr_grid_device *grid, const tsr_grid_bricks &bricks,
                                   tsr_error *error) {
  return copy_bricks(grid, grid->frame.tree.bricks, bricks.kept, error);
}

tsr_status tsr_grid_buffer_bricks(tsr_grid_device *grid, tsr_grid_bricks *bricks,
                                  tsr_error *error) {
  const tsr_lattice &lattice = grid->frame.lattice;
  if (!bricks->copy)
    TSR_STEP(grid->memory.get(&bricks->copy, bytes_of(grid), "a copy of a level", error));
  TSR_STEP(copy_bricks(grid, bricks->copy, grid->frame.tree.bricks, error));
  for (int level = lattice.coarsen + 1; level < lattice.levels; ++level) {
    part_args it = args_of(grid, *bricks, level);
    it.source = bricks->copy;
    TSR_CUDA(tsr_launch_each<buffer_byte>(it.n, grid->stream, it), "making the buffer");
  }
  return TSR_OK;
}

tsr_status tsr_grid_balance_bricks(tsr_grid_device *grid, const tsr_grid_bricks &bricks,
                                   const tsr_sides &sides, tsr_error *error) {
  const tsr_lattice &lattice = grid->frame.lattice;
  const tsr_grid_options &o = grid->frame.options;
  for (int level = lattice.levels - 1; level > lattice.coarsen; --level) {
    const part_args it = args_of(grid, bricks, level);
    if (it.n == 0)
      return TSR_OK;
    if (o.output == TSR_GRID_PATCHES && o.block_size > 2)
      TSR_CUDA(tsr_launch_each<block_byte>(it.n, grid->stream, it), "refining whole blocks");
    TSR_CUDA(tsr_launch_each<balance_byte>(it.n, grid->stream, it, sides), "balancing the grid");
  }
  return TSR_OK;
}
