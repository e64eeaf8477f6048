// SPDX-License-Identifier: BSD-3-Clause
// Patches of a whole plan. The patches of a level are a list; a count of the groups that are refined
// says where the patches of the next level are in its list.
#include "cuda/grid/output/lists.cuh"

#include "grid/output/patch_math.h"

namespace {

const int block = 256;

// The patches of a level.
struct patch_list {
  tsr_grid_patch *patches;
  int64_t n;
};

struct patch_args {
  const tsr_grid_frame *frame;
  int level;
  patch_list here, next;
  int64_t *before; // n * 2^dimension + 1: patches of the next level before each group
};

struct cut_args {
  const tsr_grid_frame *frame;
  patch_list here;
  int64_t *kept, *cells; // of each patch and those after it in all lists
  tsr_grid_patch *to;    // NULL: only counts
  unsigned long long *count;
};

struct cell_args {
  const tsr_grid_frame *frame;
  const tsr_grid_patch *patches;
  tsr_grid_node *nodes;
  uint8_t *states;
};

// The blocks of roots along an axis that the owned ones touch: the first, and how many.
__host__ __device__ void blocks_along(const tsr_lattice &lattice, int axis, int64_t size,
                                      int64_t *first, int64_t *n) {
  const int64_t *owned = lattice.owned[axis];
  const int has_cells = axis < lattice.dimension;
  *first = has_cells ? owned[0] / size : 0;
  *n = has_cells ? (owned[1] + size - 1) / size - *first : 1;
}

// The blocks of roots.
__global__ void __launch_bounds__(block) first_kernel(patch_args args) {
  const int64_t n = (int64_t)blockIdx.x * block + threadIdx.x;
  const tsr_lattice &lattice = args.frame->lattice;
  const int64_t size = args.frame->options.block_size;
  int64_t at[3], rest = n;
  if (n >= args.here.n)
    return;
  for (int a = 0; a < 3; ++a) {
    int64_t first, blocks;
    blocks_along(lattice, a, size, &first, &blocks);
    at[a] = (first + rest % blocks) * size;
    rest /= blocks;
  }
  (void)tsr_patch_make(&lattice, size, 0, at, &args.here.patches[n]);
}

// A thread has a group.
__global__ void __launch_bounds__(block) child_kernel(patch_args args, int count) {
  const int64_t n = (int64_t)blockIdx.x * block + threadIdx.x;
  const tsr_grid_frame &f = *args.frame;
  const int64_t size = f.options.block_size;
  const unsigned children = 1u << f.lattice.dimension;
  int64_t at[3];
  if (n >= args.here.n * children)
    return;
  const tsr_grid_patch patch = args.here.patches[n / children];
  const int has = tsr_patch_child(&f.lattice, &f.tree, size, &patch, (unsigned)(n % children), at);
  if (count)
    args.before[n] = has;
  else if (has)
    (void)tsr_patch_make(&f.lattice, size, args.level + 1, at, &args.next.patches[args.before[n]]);
}

// Ends the patches where the box ends.
__global__ void __launch_bounds__(block) cut_kernel(cut_args args) {
  const int64_t n = (int64_t)blockIdx.x * block + threadIdx.x;
  if (n >= args.here.n)
    return;
  tsr_grid_patch patch = args.here.patches[n];
  const int64_t cells = tsr_patch_cut(&args.frame->lattice, &patch);
  if (!args.to) {
    args.kept[n] = cells > 0;
    args.cells[n] = cells;
  } else if (cells > 0) {
    patch.first = args.cells[n];
    args.to[args.kept[n]] = patch;
    atomicAdd(args.count + patch.level, (unsigned long long)cells);
  }
}

// A block has a patch.
__global__ void __launch_bounds__(block) cell_kernel(cell_args args) {
  const tsr_grid_frame &f = *args.frame;
  const tsr_grid_patch patch = args.patches[blockIdx.x];
  const int nx = patch.end[0] - patch.begin[0], ny = patch.end[1] - patch.begin[1];
  const int n = nx * ny * (patch.end[2] - patch.begin[2]);
  for (int k = (int)threadIdx.x; k < n; k += block) {
    tsr_grid_node node;
    int64_t i[3];
    node.index[0] = patch.begin[0] + k % nx;
    node.index[1] = patch.begin[1] + k / nx % ny;
    node.index[2] = patch.begin[2] + k / nx / ny;
    node.level = patch.level;
    tsr_leaf_index(f.lattice, node, i);
    args.nodes[patch.first + k] = node;
    args.states[patch.first + k] =
        (uint8_t)tsr_node_state(&f.lattice, &f.tree, f.hidden, patch.level, i);
  }
}

tsr_status refuse(int64_t n, tsr_error *error) {
  return tsr_cuda_refuse(error, TSR_NO_MEMORY,
                         "CUDA cannot be used for %lld cells of blocks at once: take Backend CPU",
                         (long long)n);
}

// Makes the list of the next level, which may be empty.
tsr_status go_down(tsr_grid_device *grid, patch_args *args, tsr_error *error) {
  const int64_t groups = args->here.n << grid->frame.lattice.dimension;
  TSR_STEP(grid->memory.get(&args->before, groups + 1, "the blocks", error));
  child_kernel<<<tsr_blocks(groups, block), block, 0, grid->stream>>>(*args, 1);
  TSR_CUDA(cudaGetLastError(), "counting the blocks");
  TSR_STEP(tsr_grid_sum(grid, args->before, groups, &args->next.n, "counting the blocks", error));
  if (args->next.n >= tsr_whole_most / 8)
    return refuse(8 * args->next.n, error);
  TSR_STEP(grid->memory.get(&args->next.patches, args->next.n, "the blocks", error));
  if (args->next.n > 0) {
    // Groups without a patch have the same number as the one after: they write nothing.
    child_kernel<<<tsr_blocks(groups, block), block, 0, grid->stream>>>(*args, 0);
    TSR_CUDA(cudaGetLastError(), "listing the blocks");
  }
  grid->memory.free_one(args->before);
  return TSR_OK;
}

// The patches of all levels, before they are cut.
tsr_status go_down_all(tsr_grid_device *grid, std::vector<patch_list> *lists, tsr_error *error) {
  const tsr_lattice &lattice = grid->frame.lattice;
  const int64_t size = grid->frame.options.block_size;
  patch_args args = {grid->frame_d, 0, {nullptr, 1}, {}, nullptr};
  for (int a = 0; a < lattice.dimension; ++a) {
    int64_t first, blocks;
    blocks_along(lattice, a, size, &first, &blocks);
    args.here.n *= blocks;
  }
  TSR_STEP(grid->memory.get(&args.here.patches, args.here.n, "the blocks", error));
  first_kernel<<<tsr_blocks(args.here.n, block), block, 0, grid->stream>>>(args);
  TSR_CUDA(cudaGetLastError(), "listing the blocks");
  lists->push_back(args.here);
  for (; args.level < lattice.levels; ++args.level) {
    TSR_STEP(go_down(grid, &args, error));
    lists->push_back(args.next);
    if (args.next.n == 0)
      return TSR_OK;
    args.here = args.next;
  }
  return TSR_OK;
}

// Runs the kernel for all lists.
tsr_status cut(tsr_grid_device *grid, const std::vector<patch_list> &lists, cut_args args,
               tsr_error *error) {
  for (const patch_list &list : lists) {
    args.here = list;
    if (list.n > 0)
      cut_kernel<<<tsr_blocks(list.n, block), block, 0, grid->stream>>>(args);
    TSR_CUDA(cudaGetLastError(), "cutting the blocks");
    args.kept += list.n;
    args.cells += list.n;
  }
  return TSR_OK;
}

// Ends the patches where the box ends, and lists what is left, and its cells.
tsr_status list_all(tsr_grid_device *grid, const std::vector<patch_list> &lists,
                    tsr_leaf_list *leaves, tsr_tree_list *list, tsr_grid_counts *counts,
                    tsr_error *error) {
  cut_args args = {grid->frame_d, {}, nullptr, nullptr, nullptr, leaves->of_level};
  int64_t n = 0;
  for (const patch_list &of : lists)
    n += of.n;
  TSR_STEP(grid->memory.get(&args.kept, n + 1, "the blocks", error));
  TSR_STEP(grid->memory.get(&args.cells, n + 1, "the blocks", error));
  TSR_STEP(cut(grid, lists, args, error));
  TSR_STEP(tsr_grid_sum(grid, args.kept, n, &counts->patches, "counting the blocks", error));
  TSR_STEP(tsr_grid_sum(grid, args.cells, n, &counts->cells, "counting the blocks", error));
  if (counts->cells >= tsr_whole_most)
    return refuse(counts->cells, error);
  leaves->n = counts->cells;
  TSR_STEP(grid->memory.get(&list->patches, counts->patches, "the blocks", error));
  TSR_STEP(grid->memory.get(&leaves->nodes, leaves->n, "the cells of blocks", error));
  TSR_STEP(grid->memory.get(&list->states, leaves->n, "the cells of blocks", error));
  TSR_CUDA(cudaMemsetAsync(leaves->of_level, 0, (TSR_GRID_MAX_LEVEL + 1) * sizeof *leaves->of_level,
                           grid->stream),
           "listing the blocks");
  args.to = list->patches;
  TSR_STEP(cut(grid, lists, args, error));
  const cell_args cells = {grid->frame_d, list->patches, leaves->nodes, list->states};
  if (counts->patches > 0)
    cell_kernel<<<(unsigned)counts->patches, block, 0, grid->stream>>>(cells);
  TSR_CUDA(cudaGetLastError(), "listing the cells of blocks");
  grid->memory.free_one(args.kept);
  grid->memory.free_one(args.cells);
  return TSR_OK;
}

// The cells of each level.
tsr_status read_levels(tsr_grid_device *grid, const tsr_leaf_list &leaves, tsr_tree_list *list,
                       tsr_error *error) {
  const int levels = TSR_GRID_MAX_LEVEL + 1;
  TSR_CUDA(cudaMemcpyAsync(grid->waves->totals, leaves.of_level, levels * sizeof *leaves.of_level,
                           cudaMemcpyDeviceToHost, grid->stream),
           "counting the cells");
  TSR_CUDA(cudaStreamSynchronize(grid->stream), "counting the cells");
  for (int level = 0; level < levels; ++level)
    list->nodes_of_level[level] = (int64_t)grid->waves->totals[level];
  return TSR_OK;
}

} // namespace

tsr_status tsr_grid_list_patches(tsr_grid_device *grid, tsr_leaf_list *leaves, tsr_tree_list *list,
                                 tsr_grid_counts *counts, tsr_error *error) {
  std::vector<patch_list> lists;
  tsr_status status = go_down_all(grid, &lists, error);
  if (status == TSR_OK)
    status = list_all(grid, lists, leaves, list, counts, error);
  for (const patch_list &of : lists)
    grid->memory.free_one(of.patches);
  return status == TSR_OK ? read_levels(grid, *leaves, list, error) : status;
}
