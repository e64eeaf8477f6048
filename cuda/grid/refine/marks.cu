// SPDX-License-Identifier: BSD-3-Clause
// Marks of a whole plan, as filters/grid/refine/marks.c has them: what other plans refined comes
// in, and what this one refined before closure goes out, each node before those below it.
//
// A byte has the children of one parent. Level by level, from the deepest up, each byte counts the
// refined nodes of its children and below; from the roots down, each then knows the place of its
// first one in the list:
//
//     level 1   byte of A: B C        counts 2 + 1        from 1 on: B is 1, what is below B begins
//     level 2   byte of B: D          counts 1            at 2, and C is at 1 + 1 + 1 = 3
//
// The CPU walks down from each root instead, in a quarter of the lines: one body for both would be
// longer than the two are.
#include "cuda/common/executor.cuh"
#include "cuda/grid/whole.cuh"

#include "cuda/common/transfer/transfer.cuh"
#include "grid/refine/descent_math.h"

namespace {

const int64_t most_bytes = (int64_t)1 << 29; // of the tree, so that a count has 32 bits

struct list_args {
  const tsr_grid_frame *frame;
  const uint8_t *base, *bricks; // the tree before closure
  int64_t n_bytes;              // of the first
  int level;
  int64_t bytes; // of the level
  int64_t per;   // of those in a brick; 0: the level has none
  const int64_t *brick_cell;
  uint32_t *count; // by byte: nodes in it and below; on the way down: the place of the first
  int64_t *roots;  // n_roots + 1: nodes before each root
  int64_t n_roots;
  tsr_grid_node *to;
};

// ---- marks that come in

// 1 if the node was not refined yet.
__device__ int refine(const tsr_grid_frame &f, int level, const int64_t i[3]) {
  uint8_t *const byte = tsr_tree_byte(&f.tree, &f.lattice, level, i);
  const unsigned bit = 1u << tsr_child_number(i);
  if (!byte || *(volatile uint8_t *)byte & bit)
    return 0;
  tsr_or_byte(byte, bit);
  return 1;
}

// A thread has a mark, and goes up until somebody else goes on.
__device__ void add_mark(int64_t n, const tsr_grid_frame *frame, const tsr_grid_node *marks,
                         int first, int end) {
  const tsr_grid_frame &f = *frame;
  const tsr_grid_node mark = marks[n];
  for (int level = mark.level < end ? mark.level : end - 1; level >= first; --level) {
    const int coarse = level < f.lattice.coarsen ? level : f.lattice.coarsen;
    int64_t i[3], owner[3];
    for (int a = 0; a < 3; ++a) {
      i[a] = tsr_shift(&f.lattice, a, mark.index[a], mark.level - level);
      owner[a] = tsr_shift(&f.lattice, a, i[a], level - coarse);
    }
    if (!tsr_in_frame(f, coarse, owner) || !refine(f, level, i))
      return;
  }
}

// ---- marks that go out

// The number of the byte of a node's children; -1: there is none.
__device__ int64_t children_of(const list_args &args, int level, const int64_t i[3]) {
  const tsr_grid_frame &f = *args.frame;
  int64_t child[3];
  tsr_descent_child(&f.lattice, i, 0, child);
  const uint8_t *byte = tsr_tree_byte(&f.tree, &f.lattice, level + 1, child);
  if (!byte)
    return -1;
  return level + 1 <= f.lattice.coarsen ? byte - f.tree.dense[0]
                                        : args.n_bytes + (byte - f.tree.bricks);
}

// The number of byte n of the level, and the parent whose children it has.
__device__ int64_t byte_of(const list_args &args, int64_t n, int64_t parent[3]) {
  const tsr_grid_frame &f = *args.frame;
  if (args.per == 0) {
    tsr_frame_parent(f, args.level, n, parent);
    return f.tree.dense[args.level] - f.tree.dense[0] + n;
  }
  const int64_t brick = n / args.per;
  int64_t cell[3];
  tsr_brick_cell(&f.lattice, &f.tree, args.brick_cell[brick], cell);
  tsr_brick_parent(&f.lattice, args.level, cell, n % args.per, parent);
  return args.n_bytes + brick * f.tree.brick_bytes + f.tree.brick_level[args.level] + n % args.per;
}

__device__ unsigned bits_of(const list_args &args, int64_t byte) {
  return byte < args.n_bytes ? args.base[byte] : args.bricks[byte - args.n_bytes];
}

// A node that is refined, and those below it.
__device__ uint32_t count_of(const list_args &args, int64_t children) {
  return 1 + (children < 0 ? 0 : args.count[children]);
}

__device__ void count_byte(int64_t n, const list_args &args) {
  int64_t parent[3], i[3];
  uint32_t count = 0;
  const int64_t byte = byte_of(args, n, parent);
  const unsigned bits = bits_of(args, byte);
  for (unsigned k = 0; bits >> k; ++k) {
    tsr_descent_child(&args.frame->lattice, parent, k, i);
    if ((bits >> k) & 1)
      count += count_of(args, children_of(args, args.level, i));
  }
  args.count[byte] = count;
}

// Puts a node into the list. Returns the place of what follows it and those below it.
__device__ int64_t put(const list_args &args, int64_t at, int level, const int64_t i[3]) {
  const int64_t children = children_of(args, level, i);
  const uint32_t count = count_of(args, children);
  tsr_grid_node node;
  for (int a = 0; a < 3; ++a)
    node.index[a] = (int32_t)i[a];
  node.level = level;
  args.to[at] = node;
  if (children >= 0)
    args.count[children] = (uint32_t)(at + 1);
  return at + count;
}

// Roots follow each other otherwise than in bytes. to: NULL: they are counted.
__device__ void do_root(int64_t n, const list_args &args) {
  const tsr_grid_frame &f = *args.frame;
  int64_t i[3];
  tsr_node_in(f.range[0], n, i);
  const int refined = tsr_bit_in(f, args.base, 0, i);
  if (!args.to)
    args.roots[n] = refined ? count_of(args, children_of(args, 0, i)) : 0;
  else if (refined)
    (void)put(args, args.roots[n], 0, i);
}

__device__ void list_byte(int64_t n, const list_args &args) {
  int64_t parent[3], i[3];
  const int64_t byte = byte_of(args, n, parent);
  const unsigned bits = bits_of(args, byte);
  int64_t at = args.count[byte];
  for (unsigned k = 0; bits >> k; ++k) {
    tsr_descent_child(&args.frame->lattice, parent, k, i);
    if ((bits >> k) & 1)
      at = put(args, at, args.level, i);
  }
}

// Sets the members of the arguments that depend on the level.
void set_level(const tsr_grid_device *grid, list_args *args, int level) {
  const tsr_lattice &lattice = grid->frame.lattice;
  args->level = level;
  args->per = level <= lattice.coarsen
                  ? 0
                  : (int64_t)1 << ((level - 1 - lattice.coarsen) * lattice.dimension);
  args->bytes = args->per == 0 ? grid->level_bytes[level] : args->per * grid->frame.tree.n_bricks;
}

tsr_status count_all(tsr_grid_device *grid, list_args args, int64_t *n, tsr_error *error) {
  for (int level = grid->frame.lattice.levels - 1; level > 0; --level) {
    set_level(grid, &args, level);
    TSR_CUDA(tsr_launch_each<count_byte>(args.bytes, grid->stream, args), "counting the marks");
  }
  TSR_CUDA(tsr_launch_each<do_root>(args.n_roots, grid->stream, args), "counting the marks");
  return tsr_grid_sum(grid, args.roots, args.n_roots, n, "counting the marks", error);
}

tsr_status list_all(tsr_grid_device *grid, list_args args, tsr_error *error) {
  TSR_CUDA(tsr_launch_each<do_root>(args.n_roots, grid->stream, args), "listing the marks");
  for (int level = 1; level < grid->frame.lattice.levels; ++level) {
    set_level(grid, &args, level);
    TSR_CUDA(tsr_launch_each<list_byte>(args.bytes, grid->stream, args), "listing the marks");
  }
  return TSR_OK;
}

tsr_status make_list(tsr_grid_device *grid, tsr_grid_refining *refining, tsr_error *error) {
  tsr_grid_mark_lists &marks = refining->marks;
  const tsr_tree &tree = grid->frame.tree;
  const int64_t all = grid->n_bytes + tree.n_bricks * tree.brick_bytes;
  list_args args = {};
  if (all >= most_bytes)
    return tsr_cuda_refuse(error, TSR_NO_MEMORY,
                           "CUDA cannot be used for the marks of a tree of %lld bytes: take "
                           "Backend CPU",
                           (long long)all);
  args.frame = grid->frame_d;
  args.base = refining->base;
  args.bricks = refining->bricks.kept;
  args.n_bytes = grid->n_bytes;
  args.brick_cell = refining->bricks.cell;
  args.n_roots = tsr_range_nodes(grid->frame, 0);
  TSR_STEP(grid->memory.get(&args.count, all, "the marks", error));
  TSR_STEP(grid->memory.get(&args.roots, args.n_roots + 1, "the marks", error));
  TSR_STEP(count_all(grid, args, &marks.n_made, error));
  TSR_STEP(grid->memory.get(&marks.made, marks.n_made, "the marks", error));
  args.to = marks.made;
  TSR_STEP(list_all(grid, args, error));
  grid->memory.free_one(args.count);
  grid->memory.free_one(args.roots);
  return TSR_OK;
}

tsr_status upload(tsr_grid_device *grid, const tsr_grid_request *request, tsr_grid_node **to,
                  tsr_error *error) {
  const tsr_grid_marks &marks = request->options->marks;
  TSR_STEP(grid->memory.get(to, marks.n, "the marks", error));
  TSR_CUDA(cudaStreamSynchronize(grid->stream), "allocating the marks");
  const double start = tsr_cuda_now(request->execution);
  TSR_STEP(tsr_transfer_up(grid->state, request->execution,
                           {{*to, marks.nodes, (size_t)marks.n * sizeof *marks.nodes}}, error));
  request->report->upload_seconds += tsr_cuda_now(request->execution) - start;
  return TSR_OK;
}

} // namespace

tsr_status tsr_grid_add_marks(tsr_grid_device *grid, const tsr_grid_request *request, int first,
                              int end, tsr_grid_mark_lists *marks, tsr_error *error) {
  const int64_t n = request->options->marks.n;
  if (n == 0 || request->options->mode != TSR_GRID_ADAPTIVE)
    return TSR_OK;
  if (!marks->given)
    TSR_STEP(upload(grid, request, &marks->given, error));
  if (!marks->unmarked)
    TSR_STEP(grid->memory.get(&marks->unmarked, grid->n_bytes, "the tree before the marks", error));
  if (first == 0)
    TSR_CUDA(tsr_copy_async(marks->unmarked, grid->bytes, (size_t)grid->n_bytes,
                            cudaMemcpyDeviceToDevice, grid->stream),
             "copying the tree");
  TSR_CUDA(tsr_launch_each<add_mark>(n, grid->stream, grid->frame_d, marks->given, first, end),
           "refining the marks");
  return TSR_OK;
}

tsr_status tsr_grid_cuda_marks(tsr_grid_device *grid, const tsr_grid_request *request,
                               tsr_grid_node *to, int64_t *n, tsr_error *error) {
  const tsr_on_device scope(grid->state->device);
  tsr_grid_mark_lists &marks = grid->whole->refining.marks;
  TSR_STEP(scope.check(error));
  *n = 0;
  if (grid->frame.levels == 0)
    return TSR_OK;
  if (!to)
    TSR_STEP(make_list(grid, &grid->whole->refining, error));
  *n = marks.n_made;
  if (!to)
    return TSR_OK;
  TSR_CUDA(cudaStreamSynchronize(grid->stream), "listing the marks");
  const double start = tsr_cuda_now(request->execution);
  TSR_STEP(tsr_transfer_down(grid->state, request->execution,
                             {{to, marks.made, (size_t)marks.n_made * sizeof *to}}, nullptr, 0.45,
                             0.45, error));
  request->report->download_seconds += tsr_cuda_now(request->execution) - start;
  grid->memory.free_one(marks.made);
  marks.made = nullptr;
  return TSR_OK;
}
