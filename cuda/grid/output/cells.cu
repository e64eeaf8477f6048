// SPDX-License-Identifier: BSD-3-Clause
// Which points the cells of a whole plan have. A thread has a leaf; those that are cut follow in a
// kernel of their own.
#include "cuda/grid/cut/cut.cuh"
#include "cuda/grid/output/fill.cuh"

namespace {

const int block = 128, warps = block / 32;

struct shape_args {
  const tsr_grid_frame *frame;
  const tsr_grid_node *nodes;
  const uint32_t *has; // NULL: no leaf is cut
  const int32_t *list;
  int64_t n, n_cut, n_points;
  const int64_t *cell, *entry, *centre;
  tsr_grid_points points;
  const tsr_cut_table *table;
  tsr_grid_shapes to;
};

// Writes what all kinds of cells have.
__device__ void put_cell(const tsr_grid_shapes &to, int64_t cell, int64_t entry, int32_t owner,
                         tsr_grid_cell type) {
  if (to.offsets)
    tsr_store_index(to.offsets, to.index_type, cell, entry);
  if (to.cell_type)
    to.cell_type[cell] = to.type_of[type];
  if (to.owner)
    to.owner[cell] = owner;
}

// Points of a leaf that is not cut.
__device__ void corner_ids(const shape_args &args, const tsr_grid_node &node, int64_t id[8]) {
  const tsr_lattice &lattice = args.frame->lattice;
  int64_t i[3], range[3][2];
  tsr_node_inner(&lattice, &node, i);
  for (int a = 0; a < 3; ++a)
    tsr_node_lattice(&lattice, a, node.level, i[a], range[a]);
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    const int corner = args.to.hexahedra && lattice.dimension > 1 && (k & 2) ? k ^ 1 : k;
    const int64_t x[3] = {range[0][corner & 1], range[1][corner >> 1 & 1],
                          range[2][corner >> 2 & 1]};
    id[k] = k < 1 << lattice.dimension ? tsr_point_id(&args.frame->lattice, &args.points, x) : 0;
  }
}

// Leaves are cells: the block's points go out one after another.
__global__ void __launch_bounds__(block) leaf_kernel(shape_args args) {
  __shared__ int64_t ids[8 * block];
  const int corners = 1 << args.frame->lattice.dimension;
  const int64_t begin = (int64_t)blockIdx.x * block, n = begin + threadIdx.x;
  if (n < args.n) {
    int64_t id[8];
    put_cell(args.to, n, n * corners, (int32_t)n, TSR_GRID_CELL_LEAF);
    if (args.to.connectivity)
      corner_ids(args, args.nodes[n], id);
#pragma unroll
    for (int k = 0; k < 8; ++k)
      if (args.to.connectivity && k < corners)
        ids[threadIdx.x * corners + k] = id[k];
  }
  __syncthreads();
  const int64_t left = args.n - begin;
  const int count = (int)(left < block ? left : block) * corners;
  for (int k = threadIdx.x; args.to.connectivity && k < count; k += block)
    tsr_store_index(args.to.connectivity, args.to.index_type, begin * corners + k, ids[k]);
}

// The leaves that are not cut, among others that are: a warp's points go out leaf after leaf, so
// that lanes side by side write what lies side by side.
__global__ void __launch_bounds__(block) whole_kernel(shape_args args) {
  __shared__ int64_t ids[warps][32][9]; // an odd number: lanes meet other banks
  const int64_t n = (int64_t)blockIdx.x * block + threadIdx.x;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, k = lane % 8;
  const int corners = 1 << args.frame->lattice.dimension;
  const int here = n < args.n && !args.has[n];
  const int64_t entry = here ? args.entry[n] : -1;
  if (here) {
    put_cell(args.to, args.cell[n], entry, (int32_t)n, TSR_GRID_CELL_LEAF);
    if (args.to.connectivity)
      corner_ids(args, args.nodes[n], ids[warp][lane]);
  }
  __syncwarp();
  for (int first = 0; first < 32 && args.to.connectivity; first += 4) {
    const int leaf = first + lane / 8;
    const int64_t at = __shfl_sync(0xffffffffu, entry, leaf);
    if (at >= 0 && k < corners)
      tsr_store_index(args.to.connectivity, args.to.index_type, at + k, ids[warp][leaf][k]);
  }
}

__device__ tsr_grid_cell type_of(int corners) {
  return corners == 3   ? TSR_GRID_CELL_TRIANGLE
         : corners == 4 ? TSR_GRID_CELL_TETRAHEDRON
                        : TSR_GRID_CELL_PYRAMID;
}

// A warp has a leaf that is cut, and a lane a part of it.
__global__ void __launch_bounds__(block) part_kernel(shape_args args) {
  __shared__ tsr_cut_room rooms[warps];
  __shared__ int64_t ids[warps][TSR_CUT_PLACES];
  const tsr_grid_frame &f = *args.frame;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int64_t k = (int64_t)blockIdx.x * warps + warp;
  const double middle[3] = {0.5, 0.5, 0.5}; // which parts there are does not depend on it
  int64_t *const id = ids[warp], i[3];
  tsr_cut cut;
  if (k >= args.n_cut)
    return;
  const int32_t n = args.list[k];
  tsr_node_inner(&f.lattice, &args.nodes[n], i);
  tsr_frame_cut(f, args.nodes[n].level, i, &cut);
  const tsr_cut_entry *entry = tsr_cut_find_entry(args.table, cut, middle, &rooms[warp], lane);
  if (lane == TSR_CUT_CENTRE) {
    id[lane] = args.n_points + args.centre[n];
  } else if (lane < TSR_CUT_PLACES && (cut.has >> lane) & 1) {
    int64_t x[3];
    tsr_cut_lattice(&cut, lane, x);
    id[lane] = tsr_point_id(&f.lattice, &args.points, x);
  }
  __syncwarp();
  for (int c = lane; c < entry->n; c += 32) {
    const tsr_cut_cell &cell = entry->parts[c].cell;
    const int64_t first = args.entry[n] + entry->first[c];
    put_cell(args.to, args.cell[n] + c, first, n, type_of(cell.n));
    for (int at = 0; at < cell.n && args.to.connectivity; ++at)
      tsr_store_index(args.to.connectivity, args.to.index_type, first + at, id[cell.at[at]]);
  }
}

} // namespace

tsr_status tsr_grid_fill_shapes(tsr_grid_device *grid, const tsr_plan_lists &lists,
                                const tsr_grid_shapes &to, tsr_error *error) {
  const tsr_leaf_list &leaves = lists.leaves;
  const tsr_cut_list &cuts = lists.cuts;
  if (grid->frame.options.output == TSR_GRID_POLYGONS)
    return tsr_grid_fill_sides(grid, lists, to, error);
  const shape_args args = {grid->frame_d,
                           leaves.nodes,
                           cuts.has,
                           cuts.list,
                           leaves.n,
                           cuts.n,
                           lists.points.n,
                           cuts.cell,
                           cuts.entry,
                           cuts.centre,
                           lists.points.bits,
                           cuts.table,
                           to};
  if (!cuts.has)
    leaf_kernel<<<tsr_blocks(leaves.n, block), block, 0, grid->stream>>>(args);
  else
    whole_kernel<<<tsr_blocks(leaves.n, block), block, 0, grid->stream>>>(args);
  TSR_CUDA(cudaGetLastError(), "making the cells");
  if (cuts.n > 0)
    part_kernel<<<tsr_blocks(cuts.n, warps), block, 0, grid->stream>>>(args);
  TSR_CUDA(cudaGetLastError(), "making the parts of cells");
  return TSR_OK;
}
