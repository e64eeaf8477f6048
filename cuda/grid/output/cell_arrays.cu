// SPDX-License-Identifier: BSD-3-Clause
// Cell arrays of a whole plan: what the cells are, and their values. One thread for each cell, or
// for each of its components.
#include "cuda/grid/output/values.cuh"

#include <cstring>

namespace {

const int block = 256;

struct cell_job {
  const tsr_grid_frame *frame;
  const tsr_grid_node *nodes;
  const int32_t *owner;  // NULL: nodes are cells
  const uint8_t *states; // NULL: all are leaves
  int64_t n;
  tsr_described to;
  int64_t leaves[2], cells[2]; // values: only of these, as in a share
  int copies;                  // values of nodes that are no larger than an input cell are its own
};

// The first layer of input cells of a node, and the input cell that it begins with; -1 outside.
__device__ int64_t source_of(const cell_job &job, int64_t leaf, int64_t *layer) {
  const tsr_lattice &lattice = job.frame->lattice;
  const tsr_grid_node node = job.nodes[leaf];
  int64_t i[3], c[3], range[2];
  tsr_leaf_index(lattice, node, i);
  for (int a = 0; a < 3; ++a) {
    tsr_node_cells(&lattice, a, node.level, i[a], range);
    c[a] = range[0];
  }
  *layer = c[2];
  return job.states && job.states[leaf] == TSR_STATE_OUTSIDE ? -1 : tsr_cell_at(&lattice, c);
}

__global__ void __launch_bounds__(block) cell_kernel(cell_job job) {
  const int64_t cell = (int64_t)blockIdx.x * block + threadIdx.x;
  if (cell >= job.n)
    return;
  const int64_t leaf = job.owner ? job.owner[cell] : cell;
  int64_t layer;
  if (job.to.level)
    job.to.level[cell] = job.nodes[leaf].level;
  if (job.to.source)
    job.to.source[cell] = source_of(job, leaf, &layer);
  if (job.to.leaf)
    job.to.leaf[cell] = leaf;
  if (job.to.state)
    job.to.state[cell] = job.states ? job.states[leaf] : (uint8_t)TSR_STATE_LEAF;
}

// Tuples of input cells are copied, the means of other nodes stored. What is outside stays.
template <class T>
__global__ void __launch_bounds__(block)
    cell_value_kernel(cell_job job, tsr_array array, const double *means, T *to) {
  const int64_t k = (int64_t)blockIdx.x * block + threadIdx.x;
  const int components = array.components;
  if (k >= job.n * components)
    return;
  const int64_t cell = components == 1 ? k : k / components, c = k - cell * components;
  const int64_t leaf = job.owner ? job.owner[cell] : cell;
  if (leaf < job.leaves[0] || leaf >= job.leaves[1])
    return;
  int64_t layer;
  const int64_t source = source_of(job, leaf, &layer);
  if (source < 0 || layer < job.cells[0] || layer >= job.cells[1])
    return;
  if (job.copies && job.nodes[leaf].level >= job.frame->lattice.coarsen)
    to[k] = ((const T *)array.data)[source * components + c];
  else
    tsr_store(to + k, array.type, 1, means + leaf * components + c, 1);
}

cell_job job_of(const tsr_grid_device *grid, const tsr_plan_lists &lists, int64_t cells,
                const int32_t *owner) {
  const tsr_leaf_list &leaves = lists.leaves;
  return {grid->frame_d, leaves.nodes,   owner, lists.trees.states, cells, {},
          {0, leaves.n}, {0, INT64_MAX}, 0};
}

template <class T>
cudaError_t store(const tsr_grid_device *grid, const cell_job &job, const tsr_measuring &what,
                  void *to) {
  cell_value_kernel<T>
      <<<tsr_blocks(job.n * what.array.components, block), block, 0, grid->stream>>>(
          job, what.array, what.means, (T *)to);
  return cudaGetLastError();
}

} // namespace

tsr_status tsr_grid_describe_cells(tsr_grid_device *grid, const tsr_plan_lists &lists,
                                   int64_t cells, const tsr_described &to, tsr_error *error) {
  cell_job job = job_of(grid, lists, cells, to.owner);
  job.to = to;
  if (to.level || to.source || to.leaf || to.state)
    cell_kernel<<<tsr_blocks(cells, block), block, 0, grid->stream>>>(job);
  TSR_CUDA(cudaGetLastError(), "describing the cells");
  return TSR_OK;
}

tsr_status tsr_grid_store_cells(tsr_grid_device *grid, const tsr_plan_lists &lists, int64_t cells,
                                const int32_t *owner, const tsr_share &of,
                                const tsr_measuring &what, void *to, tsr_error *error) {
  const size_t size = tsr_value_bytes(what.array.type);
  cell_job job = job_of(grid, lists, cells, owner);
  memcpy(job.leaves, of.leaves, sizeof job.leaves);
  memcpy(job.cells, of.cells, sizeof job.cells);
  job.copies = what.cell_data;
  TSR_CUDA(size == 1   ? store<uint8_t>(grid, job, what, to)
           : size == 2 ? store<uint16_t>(grid, job, what, to)
           : size == 4 ? store<uint32_t>(grid, job, what, to)
                       : store<uint64_t>(grid, job, what, to),
           "storing the cells' values");
  return TSR_OK;
}
