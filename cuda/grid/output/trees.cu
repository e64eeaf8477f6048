// SPDX-License-Identifier: BSD-3-Clause
// Trees of a whole plan, breadth first. A level of all trees is a list, tree after tree, and within
// one in the order in which children follow each other; the refined nodes of it, counted, say where
// the children of each are in the list of the next level:
//
//     level l     A a b C | D e f g      capitals are refined: 0, 1 and 2 are before A, C and D
//     level l + 1 A's C's | D's          so C's children begin at 1 * 4 (2D)
//
// A tree's cells are its parts of these lists, one after another.
#include "cuda/grid/node_numbers.cuh"
#include "cuda/grid/output/fill.cuh"

#include "grid/output/patch_math.h"

#include <algorithm>

namespace {

const int block = 256, most_levels = TSR_GRID_MAX_LEVEL + 1;

// A level of all trees.
struct tree_level {
  uint64_t *places; // n nodes
  int32_t *tree;    // of each node
  int64_t *before;  // n + 1: refined nodes before each; NULL: none is refined
  int64_t *begin;   // trees + 1: first node of each tree
  int64_t n;
};

struct tree_args {
  const tsr_grid_frame *frame;
  int level, first_level;
  int64_t trees;
  tree_level here, next;
};

struct list_args {
  const tsr_grid_frame *frame;
  int level, first_level, n_levels;
  int64_t trees;
  tree_level here;
  const int64_t *begin[most_levels]; // of each level, from first_level on
  int64_t *tree_first;
  tsr_grid_node *nodes;
  uint8_t *states;
};

__global__ void __launch_bounds__(block) root_kernel(tree_args args) {
  const int64_t t = (int64_t)blockIdx.x * block + threadIdx.x;
  int64_t i[3];
  if (t > args.trees)
    return;
  args.here.begin[t] = t;
  if (t == args.trees)
    return;
  tsr_node_in(args.frame->range[args.first_level], t, i);
  args.here.places[t] = tsr_place_pack(i);
  args.here.tree[t] = (int32_t)t;
}

__device__ int state_at(const tsr_grid_frame &f, int level, uint64_t place, int64_t i[3]) {
  tsr_place_unpack(place, i);
  return tsr_node_state(&f.lattice, &f.tree, f.hidden, level, i);
}

__global__ void __launch_bounds__(block) count_kernel(tree_args args) {
  const int64_t n = (int64_t)blockIdx.x * block + threadIdx.x;
  int64_t i[3];
  if (n < args.here.n)
    args.here.before[n] =
        state_at(*args.frame, args.level, args.here.places[n], i) == TSR_STATE_COVERED;
}

// The children of the refined nodes, and where each tree's begin.
__global__ void __launch_bounds__(block) child_kernel(tree_args args) {
  const int64_t n = (int64_t)blockIdx.x * block + threadIdx.x;
  const tsr_lattice &lattice = args.frame->lattice;
  const unsigned children = 1u << lattice.dimension;
  if (n <= args.trees)
    args.next.begin[n] = children * args.here.before[args.here.begin[n]];
  if (n >= args.here.n || args.here.before[n + 1] == args.here.before[n])
    return;
  int64_t i[3], child[3];
  tsr_place_unpack(args.here.places[n], i);
  for (unsigned k = 0; k < children; ++k) {
    const int64_t to = children * args.here.before[n] + k;
    (void)tsr_node_child(&lattice, args.level, i, k, child);
    args.next.places[to] = tsr_place_pack(child);
    args.next.tree[to] = args.here.tree[n];
  }
}

__global__ void __launch_bounds__(block) first_kernel(list_args args) {
  const int64_t t = (int64_t)blockIdx.x * block + threadIdx.x;
  int64_t first = 0;
  if (t > args.trees)
    return;
  for (int l = 0; l < args.n_levels; ++l)
    first += args.begin[l][t];
  args.tree_first[t] = first;
}

// Puts the nodes of a level to where they belong.
__global__ void __launch_bounds__(block) list_kernel(list_args args) {
  const int64_t n = (int64_t)blockIdx.x * block + threadIdx.x;
  const tsr_lattice &lattice = args.frame->lattice;
  if (n >= args.here.n)
    return;
  const int32_t t = args.here.tree[n];
  const int depth = args.level - args.first_level;
  int64_t i[3], to = args.tree_first[t] + n - args.begin[depth][t];
  for (int l = 0; l < depth; ++l)
    to += args.begin[l][t + 1] - args.begin[l][t];
  tsr_grid_node node;
  const int state = state_at(*args.frame, args.level, args.here.places[n], i);
  node.level = args.level;
  for (int a = 0; a < 3; ++a)
    node.index[lattice.axis[a]] = (int32_t)i[a];
  args.nodes[to] = node;
  args.states[to] = (uint8_t)state;
}

__global__ void __launch_bounds__(block)
    index_kernel(const tsr_grid_node *nodes, const int64_t *first, int64_t n, int32_t *to) {
  const int64_t t = (int64_t)blockIdx.x * block + threadIdx.x;
  for (int a = 0; t < n && a < 3; ++a)
    to[3 * t + a] = nodes[first[t]].index[a];
}

tsr_status make_level(tsr_grid_device *grid, tree_level *level, int64_t n, int64_t trees,
                      tsr_error *error) {
  level->n = n;
  TSR_STEP(grid->memory.get(&level->places, n, "the nodes of trees", error));
  TSR_STEP(grid->memory.get(&level->tree, n, "the nodes of trees", error));
  return grid->memory.get(&level->begin, trees + 1, "the nodes of trees", error);
}

// Makes the level below args->level, if there is one.
tsr_status go_down(tsr_grid_device *grid, tree_args *args, bool *any, tsr_error *error) {
  const int64_t children = (int64_t)1 << grid->frame.lattice.dimension;
  tree_level &here = args->here;
  TSR_STEP(grid->memory.get(&here.before, here.n + 1, "the nodes of trees", error));
  count_kernel<<<tsr_blocks(here.n, block), block, 0, grid->stream>>>(*args);
  TSR_CUDA(cudaGetLastError(), "counting the nodes of trees");
  int64_t refined;
  TSR_STEP(tsr_grid_sum(grid, here.before, here.n, &refined, "counting the nodes of trees", error));
  *any = refined > 0;
  if (*any) {
    if (refined * children >= tsr_whole_most)
      return tsr_cuda_refuse(
          error, TSR_NO_MEMORY,
          "CUDA cannot be used for %lld nodes of trees at once: take Backend CPU",
          (long long)(refined * children));
    TSR_STEP(make_level(grid, &args->next, refined * children, args->trees, error));
    child_kernel<<<tsr_blocks(std::max(here.n, args->trees + 1), block), block, 0, grid->stream>>>(
        *args);
    TSR_CUDA(cudaGetLastError(), "listing the nodes of trees");
  }
  grid->memory.free_one(here.before);
  here.before = nullptr;
  return TSR_OK;
}

// All levels, the coarsest first.
tsr_status go_down_all(tsr_grid_device *grid, int first_level, int64_t trees,
                       std::vector<tree_level> *levels, tsr_error *error) {
  tree_args args = {grid->frame_d, first_level, first_level, trees, {}, {}};
  bool any = true;
  TSR_STEP(make_level(grid, &args.here, trees, trees, error));
  root_kernel<<<tsr_blocks(trees + 1, block), block, 0, grid->stream>>>(args);
  TSR_CUDA(cudaGetLastError(), "listing the nodes of trees");
  while (any) {
    any = args.level < grid->frame.lattice.levels;
    if (any)
      TSR_STEP(go_down(grid, &args, &any, error));
    levels->push_back(args.here);
    args.here = args.next;
    args.next = {};
    ++args.level;
  }
  return TSR_OK;
}

// From the levels to the lists of the plan.
tsr_status list_all(tsr_grid_device *grid, int first_level, int64_t trees,
                    const std::vector<tree_level> &levels, tsr_leaf_list *leaves,
                    tsr_tree_list *list, tsr_error *error) {
  list_args args = {};
  args.frame = grid->frame_d;
  args.first_level = first_level;
  args.n_levels = (int)levels.size();
  args.trees = trees;
  leaves->n = 0;
  for (size_t l = 0; l < levels.size(); ++l) {
    args.begin[l] = levels[l].begin;
    leaves->n += levels[l].n;
    list->nodes_of_level[first_level + (int)l] = levels[l].n;
  }
  if (leaves->n >= tsr_whole_most)
    return tsr_cuda_refuse(error, TSR_NO_MEMORY,
                           "CUDA cannot be used for %lld nodes of trees at once: take Backend CPU",
                           (long long)leaves->n);
  TSR_STEP(grid->memory.get(&list->first, trees + 1, "the trees", error));
  TSR_STEP(grid->memory.get(&leaves->nodes, leaves->n, "the nodes of trees", error));
  TSR_STEP(grid->memory.get(&list->states, leaves->n, "the nodes of trees", error));
  args.tree_first = list->first;
  args.nodes = leaves->nodes;
  args.states = list->states;
  first_kernel<<<tsr_blocks(trees + 1, block), block, 0, grid->stream>>>(args);
  TSR_CUDA(cudaGetLastError(), "listing the trees");
  for (size_t l = 0; l < levels.size(); ++l) {
    args.here = levels[l];
    args.level = first_level + (int)l;
    list_kernel<<<tsr_blocks(args.here.n, block), block, 0, grid->stream>>>(args);
    TSR_CUDA(cudaGetLastError(), "listing the nodes of trees");
  }
  return TSR_OK;
}

} // namespace

tsr_status tsr_grid_list_trees(tsr_grid_device *grid, tsr_leaf_list *leaves, tsr_tree_list *list,
                               tsr_grid_counts *counts, tsr_error *error) {
  const int first_level = tsr_first_tree_level(&grid->frame.lattice);
  const int64_t trees = tsr_range_nodes(grid->frame, first_level);
  std::vector<tree_level> levels;
  tsr_status status = go_down_all(grid, first_level, trees, &levels, error);
  if (status == TSR_OK)
    status = list_all(grid, first_level, trees, levels, leaves, list, error);
  for (const tree_level &level : levels) {
    grid->memory.free_one(level.places);
    grid->memory.free_one(level.tree);
    grid->memory.free_one(level.begin);
  }
  TSR_STEP(status);
  counts->trees = trees;
  counts->tree_level = first_level;
  counts->cells = leaves->n;
  return TSR_OK;
}

tsr_status tsr_grid_tree_roots(tsr_grid_device *grid, const tsr_plan_lists &lists, int64_t trees,
                               int32_t *to, tsr_error *error) {
  index_kernel<<<tsr_blocks(trees, block), block, 0, grid->stream>>>(lists.leaves.nodes,
                                                                     lists.trees.first, trees, to);
  TSR_CUDA(cudaGetLastError(), "listing the trees");
  return TSR_OK;
}
