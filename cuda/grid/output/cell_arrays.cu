// SPDX-License-Identifier: BSD-3-Clause
// Cell arrays of a whole plan: what the cells are, and their values. One thread for each cell, or
// for each of its components.
#include "cuda/common/executor.cuh"
#include "cuda/grid/output/values/values.cuh"

#include <cstring>

namespace {

struct cell_args {
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
__device__ int64_t source_of(const cell_args &args, int64_t leaf, int64_t *layer) {
  const tsr_lattice &lattice = args.frame->lattice;
  const tsr_grid_node node = args.nodes[leaf];
  int64_t i[3], layers[2];
  tsr_node_inner(&lattice, &node, i);
  tsr_node_cells(&lattice, 2, node.level, i[2], layers);
  *layer = layers[0];
  return tsr_node_source(&lattice, node.level, i);
}

__device__ void describe_cell(int64_t cell, const cell_args &args) {
  const int64_t leaf = args.owner ? args.owner[cell] : cell;
  int64_t layer;
  if (args.to.level)
    args.to.level[cell] = args.nodes[leaf].level - tsr_base_levels(&args.frame->options);
  if (args.to.source)
    args.to.source[cell] = source_of(args, leaf, &layer);
  if (args.to.leaf)
    args.to.leaf[cell] = leaf;
  if (args.to.state)
    args.to.state[cell] = args.states ? args.states[leaf] : (uint8_t)TSR_STATE_LEAF;
}

// Tuples of input cells are copied, the means of other nodes stored. What is outside stays.
template <class T>
__device__ void store_value(int64_t k, const cell_args &args, const tsr_array &array,
                            const double *means, T *to) {
  const int components = array.components;
  const int64_t cell = components == 1 ? k : k / components, c = k - cell * components;
  const int64_t leaf = args.owner ? args.owner[cell] : cell;
  if (leaf < args.leaves[0] || leaf >= args.leaves[1])
    return;
  int64_t layer;
  const int64_t source = source_of(args, leaf, &layer);
  if (source < 0 || layer < args.cells[0] || layer >= args.cells[1])
    return;
  if (args.copies && args.nodes[leaf].level >= args.frame->lattice.coarsen)
    to[k] = ((const T *)array.data)[source * components + c];
  else
    tsr_store(to + k, array.type, 1, means + leaf * components + c, 1);
}

cell_args args_of(const tsr_grid_device *grid, const tsr_plan_lists &lists, int64_t cells,
                  const int32_t *owner) {
  const tsr_leaf_list &leaves = lists.leaves;
  return {grid->frame_d, leaves.nodes,   owner, lists.trees.states, cells, {},
          {0, leaves.n}, {0, INT64_MAX}, 0};
}

template <class T>
cudaError_t store(const tsr_grid_device *grid, const cell_args &args, const tsr_measuring &what,
                  void *to) {
  return tsr_launch_each<store_value<T>>(args.n * what.array.components, grid->stream, args,
                                         what.array, what.means, (T *)to);
}

} // namespace

tsr_status tsr_grid_describe_cells(tsr_grid_device *grid, const tsr_plan_lists &lists,
                                   int64_t cells, const tsr_described &to, tsr_error *error) {
  cell_args args = args_of(grid, lists, cells, to.owner);
  args.to = to;
  if (to.level || to.source || to.leaf || to.state)
    TSR_CUDA(tsr_launch_each<describe_cell>(cells, grid->stream, args), "describing the cells");
  return TSR_OK;
}

tsr_status tsr_grid_store_cells(tsr_grid_device *grid, const tsr_plan_lists &lists, int64_t cells,
                                const int32_t *owner, const tsr_share &of,
                                const tsr_measuring &what, void *to, tsr_error *error) {
  const size_t size = tsr_value_bytes(what.array.type);
  cell_args args = args_of(grid, lists, cells, owner);
  memcpy(args.leaves, of.leaves, sizeof args.leaves);
  memcpy(args.cells, of.cells, sizeof args.cells);
  args.copies = what.cell_data;
  TSR_CUDA(size == 1   ? store<uint8_t>(grid, args, what, to)
           : size == 2 ? store<uint16_t>(grid, args, what, to)
           : size == 4 ? store<uint32_t>(grid, args, what, to)
                       : store<uint64_t>(grid, args, what, to),
           "storing the cells' values");
  return TSR_OK;
}
