// SPDX-License-Identifier: BSD-3-Clause
// A whole plan on the device. After the descent come closure with the guarantee of the
// interpolation error, the leaves, their points and parts, and the output.
#ifndef TSR_GRID_WHOLE_CUH
#define TSR_GRID_WHOLE_CUH

#include "cuda/grid/plan.cuh"
#include "grid/cut_math.h"
#include "grid/output/rank_math.h"
#include "grid/output/unit_math.h"

// Largest number of tree bytes, so that kernels of one thread for each node can use 32-bit numbers.
const int64_t tsr_whole_most = INT32_MAX;

// Address of the byte with a node's bit in `bytes`, which are arranged like the dense levels of the
// frame's tree.
static __device__ __forceinline__ uint8_t *tsr_byte_in(const tsr_grid_frame &f, uint8_t *bytes,
                                                       int level, const int64_t i[3]) {
  return bytes + (f.tree.dense[level] - f.tree.dense[0]) + tsr_tree_dense_at(&f.tree, level, i);
}

static __device__ __forceinline__ int tsr_bit_in(const tsr_grid_frame &f, const uint8_t *bytes,
                                                 int level, const int64_t i[3]) {
  return (*tsr_byte_in(f, (uint8_t *)bytes, level, i) >> tsr_child_number(i)) & 1;
}

// Sets bits of a byte atomically. Most bits are set already, so it looks before it writes.
static __device__ __forceinline__ void tsr_or_byte(uint8_t *byte, unsigned bits) {
  if ((*(volatile uint8_t *)byte & bits) == bits)
    return;
  const unsigned shift = 8 * (unsigned)((uintptr_t)byte % 4);
  atomicOr((unsigned *)((uintptr_t)byte & ~(uintptr_t)3), bits << shift);
}

static __device__ __forceinline__ void tsr_set_in(const tsr_grid_frame &f, uint8_t *bytes,
                                                  int level, const int64_t i[3]) {
  tsr_or_byte(tsr_byte_in(f, bytes, level, i), 1u << tsr_child_number(i));
}

// 1 if a node exists: in a plan that is whole on the device, all existing nodes are owned.
static __device__ __forceinline__ int tsr_in_frame(const tsr_grid_frame &f, int level,
                                                   const int64_t i[3]) {
  const int64_t(*range)[2] = f.range[level];
  return i[0] >= range[0][0] && i[0] < range[0][1] && i[1] >= range[1][0] && i[1] < range[1][1] &&
         i[2] >= range[2][0] && i[2] < range[2][1];
}

// As tsr_tree_parent, for trees of fewer than 2^31 bytes: divisions of 64 bits are slow.
static __device__ __forceinline__ void tsr_frame_parent(const tsr_grid_frame &f, int level,
                                                        int64_t n, int64_t parent[3]) {
  const unsigned nx = (unsigned)f.tree.size[level][0], ny = (unsigned)f.tree.size[level][1];
  const unsigned row = (unsigned)n / nx, plane = row / ny;
  parent[0] = f.tree.first[level][0] + ((unsigned)n - row * nx);
  parent[1] = f.tree.first[level][1] + (row - plane * ny);
  parent[2] = f.tree.first[level][2] + plane;
}

// Spreads the pairs of a byte's bits 2 bits apart: 8 bits become 16.
static __device__ __forceinline__ unsigned tsr_spread_pairs(unsigned byte) {
  const unsigned halves = (byte | byte << 4) & 0x0f0fu;
  return (halves | halves << 2) & 0x3333u;
}

// Tells which of the 3 x 3 x 3 nodes around a node, itself included, are refined, in three
// dimensions: bit x + 3 y + 9 z, from the lowest neighbour on. These nodes are children of 2 x 2 x
// 2 parents, one byte each; the loads of the bytes overlap. Bits of nodes that do not exist are 0.
static __device__ __forceinline__ unsigned tsr_frame_around(const tsr_grid_frame &f, int level,
                                                            const int64_t i[3]) {
  const int64_t *first = f.tree.first[level], *size = f.tree.size[level];
  const uint8_t *bytes = f.tree.dense[level];
  const int nx = (int)size[0], ny = (int)size[1], nz = (int)size[2];
  const int x = (int)(((i[0] - 1) >> 1) - first[0]), y = (int)(((i[1] - 1) >> 1) - first[1]),
            z = (int)(((i[2] - 1) >> 1) - first[2]);
  unsigned of[8], plane[4], around = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    const int px = x + (k & 1), py = y + (k >> 1 & 1), pz = z + (k >> 2);
    const int inside =
        (unsigned)px < (unsigned)nx && (unsigned)py < (unsigned)ny && (unsigned)pz < (unsigned)nz;
    of[k] = inside ? bytes[((int64_t)pz * ny + py) * nx + px] : 0u;
  }
#pragma unroll
  for (int pz = 0; pz < 2; ++pz) { // 4 x 4 nodes a plane, 4 bits a row
    const unsigned low = tsr_spread_pairs(of[4 * pz]) | tsr_spread_pairs(of[4 * pz + 1]) << 2;
    const unsigned high = tsr_spread_pairs(of[4 * pz + 2]) | tsr_spread_pairs(of[4 * pz + 3]) << 2;
    plane[2 * pz] = (low & 0xffu) | (high & 0xffu) << 8;
    plane[2 * pz + 1] = low >> 8 | (high >> 8) << 8;
  }
  const int skip = (int)((i[0] - 1) & 1) + 4 * (int)((i[1] - 1) & 1), up = (int)((i[2] - 1) & 1);
#pragma unroll
  for (int k = 0; k < 3; ++k) {
    const unsigned rows = (up ? plane[k + 1] : plane[k]) >> skip;
    around |= ((rows & 7u) | (rows >> 4 & 7u) << 3 | (rows >> 8 & 7u) << 6) << (9 * k);
  }
  return around;
}

// As tsr_cut_find, but faster for leaves that lie wholly in the grid.
static __device__ inline int tsr_frame_cut(const tsr_grid_frame &f, int level, const int64_t i[3],
                                           tsr_cut *cut) {
  const tsr_lattice &lattice = f.lattice;
  if (lattice.dimension < 3 || level >= lattice.coarsen || tsr_node_sticks_out(&lattice, level, i))
    return tsr_cut_find(&lattice, &f.tree, level, i, cut);
  const int64_t half = (int64_t)1 << (lattice.levels - level - 1);
  const uint32_t around = tsr_frame_around(f, level, i);
  cut->dimension = lattice.dimension;
  cut->has = tsr_cut_around(around);
#pragma unroll
  for (int a = 0; a < 3; ++a)
#pragma unroll
    for (int u = 0; u < 3; ++u)
      cut->at[a][u] = (2 * i[a] + u) * half;
  return cut->has != TSR_CUT_CORNERS;
}

static __device__ inline int tsr_frame_hides(const tsr_grid_frame &f, int level,
                                             const int64_t i[3]) {
  return tsr_hidden_node(&f.lattice, f.hidden, level, i);
}

// Index of child k of a node of level - 1. Returns 0 if the child does not exist.
static __device__ inline int tsr_frame_child(const tsr_grid_frame &f, int level,
                                             const int64_t parent[3], unsigned k, int64_t i[3]) {
  return k < (1u << f.lattice.dimension) && tsr_node_child(&f.lattice, level - 1, parent, k, i);
}

static __device__ inline void tsr_leaf_index(const tsr_lattice &lattice, const tsr_grid_node &node,
                                             int64_t i[3]) {
  for (int a = 0; a < 3; ++a)
    i[a] = node.index[lattice.axis[a]];
}

// ---- refine/marks.cu

// Refines the nodes marked by other plans (other time steps) on the levels [first, end), and their
// ancestors. With first 0, the tree before is kept in whole.own.
tsr_status tsr_grid_add_marks(tsr_grid_device *grid, const tsr_grid_job *job, int first, int end,
                              tsr_error *error);

// ---- refine/guarantee.cu

// Allocates the memory that tsr_grid_close_tree needs, so that it is not part of the measured time.
tsr_status tsr_grid_prepare_close(tsr_grid_device *grid, const tsr_grid_job *job, tsr_error *error);

// Closes the tree: adds the buffer and balance, and refines until the interpolation error is within
// its threshold everywhere.
tsr_status tsr_grid_close_tree(tsr_grid_device *grid, const tsr_grid_job *job, tsr_error *error);

// The part of a plan that belongs to one slab: leaves, input points, and layers of input cells;
// first and end of each.
struct tsr_share {
  int64_t leaves[2], points[2], cells[2];
};

// ---- refine/parts.cu

// tsr_is_deep: 1 if there are levels below the input cells. tsr_has_bricks: 1 if there is more than
// one such level, so that the tree has bricks.
static __host__ __device__ inline int tsr_is_deep(const tsr_lattice &lattice) {
  return lattice.levels > lattice.coarsen;
}

static __host__ __device__ inline int tsr_has_bricks(const tsr_lattice &lattice) {
  return lattice.levels > lattice.coarsen + 1;
}

// The input cell that a brick divides, given the cell's bit.
static __device__ inline void tsr_brick_cell(const tsr_grid_frame &f, int64_t bit,
                                             int64_t cell[3]) {
  tsr_tree_parent(&f.tree, f.lattice.coarsen, bit / 8, cell);
  for (int a = 0; a < 3; ++a)
    cell[a] = a < f.lattice.dimension ? 2 * cell[a] + ((bit >> a) & 1) : 0;
}

// The node whose children's bits are in byte n of a level, in the brick of the cell with this bit.
static __device__ inline void tsr_brick_parent(const tsr_grid_frame &f, int level, int64_t bit,
                                               int64_t n, int64_t parent[3]) {
  const int below = level - 1 - f.lattice.coarsen;
  tsr_brick_cell(f, bit, parent);
  for (int a = 0; a < f.lattice.dimension; ++a) {
    parent[a] = parent[a] * ((int64_t)1 << below) + (n & (((int64_t)1 << below) - 1));
    n >>= below;
  }
}

// Descends through the levels below the input cells: makes the bricks, also those that closure may
// need, and sets the bits that criteria ask for in them.
tsr_status tsr_grid_descend_parts(tsr_grid_device *grid, const tsr_grid_job *job, tsr_error *error);

// Counts the set bits before each word of `bits`; *n: the number of all set bits.
tsr_status tsr_grid_count_bits(tsr_grid_device *grid, const tsr_bits &bits, int64_t *n,
                               tsr_error *error);

// tsr_grid_keep_bricks copies the bricks; tsr_grid_restore_bricks puts the copy back.
tsr_status tsr_grid_keep_bricks(tsr_grid_device *grid, tsr_error *error);
tsr_status tsr_grid_restore_bricks(tsr_grid_device *grid, tsr_error *error);

// Adds the buffer, or blocks and balance, within the bricks.
tsr_status tsr_grid_buffer_bricks(tsr_grid_device *grid, tsr_error *error);
tsr_status tsr_grid_balance_bricks(tsr_grid_device *grid, tsr_balance balance, tsr_error *error);

// ---- output/closed_tree.cu

// Replaces the device's tree by the job's tree, which the CPU has made.
tsr_status tsr_grid_upload_tree(tsr_grid_device *grid, const tsr_grid_job *job, tsr_error *error);

// Uploads the dense levels of trees of the host, each to `to`, which is arranged like grid->bytes.
struct tsr_dense_copy {
  uint8_t *to;
  const tsr_tree *from;
};
tsr_status tsr_grid_upload_dense(tsr_grid_device *grid, const tsr_grid_job *job,
                                 const std::vector<tsr_dense_copy> &trees, tsr_error *error);

// ---- output/leaves.cu

// Counts the leaves; tsr_grid_list_leaves then lists them in whole.nodes.
tsr_status tsr_grid_count_leaves(tsr_grid_device *grid, tsr_grid_counts *counts, tsr_error *error);
tsr_status tsr_grid_list_leaves(tsr_grid_device *grid, tsr_error *error);
// Waits for the kernel that counts the leaves of each level, and copies the numbers to *counts.
tsr_status tsr_grid_read_counts(tsr_grid_device *grid, tsr_grid_counts *counts, tsr_error *error);

// ---- output/part_leaves.cu: levels below the input cells

// Counts and lists the leaves within input cells, in the same two steps. To be called after
// tsr_grid_count_leaves and tsr_grid_list_leaves.
tsr_status tsr_grid_count_part_leaves(tsr_grid_device *grid, tsr_grid_counts *counts,
                                      tsr_error *error);
tsr_status tsr_grid_list_part_leaves(tsr_grid_device *grid, tsr_error *error);

// ---- output/trees.cu and output/patches.cu

// Lists the nodes of trees (tsr_grid_list_trees), or the patches and their cells
// (tsr_grid_list_patches).
tsr_status tsr_grid_list_trees(tsr_grid_device *grid, tsr_grid_counts *counts, tsr_error *error);
tsr_status tsr_grid_list_patches(tsr_grid_device *grid, tsr_grid_counts *counts, tsr_error *error);

// Writes the index of each tree's root, three numbers for each tree.
tsr_status tsr_grid_tree_roots(tsr_grid_device *grid, int64_t trees, int32_t *to, tsr_error *error);

// ---- output/points.cu

// Numbers the output points: the corners of the leaves and the places of those that are cut. Waits
// until that is done.
tsr_status tsr_grid_number_points(tsr_grid_device *grid, tsr_grid_counts *counts, tsr_error *error);

// ---- output/part_points.cu: levels below the input cells

// Numbers the output points if some lie between input points.
tsr_status tsr_grid_number_part_points(tsr_grid_device *grid, tsr_grid_counts *counts,
                                       tsr_error *error);
// Computes the coordinates of these points.
tsr_status tsr_grid_place_part_points(tsr_grid_device *grid, const tsr_space &space, void *to,
                                      tsr_type type, tsr_error *error);

// What kernels need to find the number of a point.
struct tsr_numbering {
  tsr_ranks ranks;
  tsr_grid_points points;
  int deep; // 1: `points` is used, otherwise `ranks`
};

static __device__ __forceinline__ int64_t tsr_number_of(const tsr_grid_frame &f,
                                                        const tsr_numbering &n,
                                                        const int64_t x[3]) {
  return n.deep ? tsr_point_id(&f.lattice, &n.points, x) : tsr_rank_id(&n.ranks, x);
}

// Number of the output point at place x; -1 if there is none.
static __device__ __forceinline__ int64_t tsr_find_number(const tsr_grid_frame &f,
                                                          const tsr_numbering &n,
                                                          const int64_t x[3]) {
  return n.deep ? tsr_point_id(&f.lattice, &n.points, x) : tsr_rank_find(&n.ranks, x);
}

static inline tsr_numbering tsr_numbering_of(const tsr_grid_device *grid) {
  return {grid->whole.ranks, grid->whole.points, tsr_is_deep(grid->frame.lattice)};
}

// ---- cut_table.cu and output/parts.cu

// Makes the table of the ways in which leaves are cut, unless an earlier plan has left one.
// tsr_grid_cut_table_give leaves it to the next plan; the stream must have finished.
tsr_status tsr_grid_cut_table(tsr_grid_device *grid, tsr_error *error);
void tsr_grid_cut_table_give(const tsr_device_state *state, const tsr_grid_whole &whole);

// Starts to find the leaves that are cut and to count their parts. tsr_grid_take_parts takes over
// the counts once the stream has finished.
tsr_status tsr_grid_count_parts(tsr_grid_device *grid, tsr_error *error);
void tsr_grid_take_parts(tsr_grid_device *grid);

// Raises *most to the largest error of a point array in the cut leaves among [leaves[0],
// leaves[1]). *most holds the bits of a double.
tsr_status tsr_grid_cut_errors(tsr_grid_device *grid, const tsr_array &array,
                               const int64_t leaves[2], unsigned long long *most, tsr_error *error);

// ---- output/cells.cu

// Connectivity arrays on the device; NULL: not wanted.
struct tsr_grid_shapes {
  void *offsets, *connectivity;
  tsr_type index_type;
  int hexahedra;
  uint8_t *cell_type;
  uint8_t type_of[4]; // VTK cell type to write for each tsr_grid_cell
  int32_t *owner;     // leaf of each cell; NULL: leaves are cells
};

tsr_status tsr_grid_fill_shapes(tsr_grid_device *grid, const tsr_grid_shapes &to, tsr_error *error);

// ---- output/sides.cu

// Output as polygons: counts the points on the sides of each leaf, once points are numbered;
// tsr_grid_fill_sides then writes the polygons.
tsr_status tsr_grid_count_sides(tsr_grid_device *grid, tsr_grid_counts *counts, tsr_error *error);
tsr_status tsr_grid_fill_sides(tsr_grid_device *grid, const tsr_grid_shapes &to, tsr_error *error);

// ---- output/hanging.cu

// For each output point, the leaf whose edge or side it hangs on.
struct tsr_hangs {
  int8_t *level;  // level of the leaf; -1: the point does not hang
  uint64_t *node; // the leaf's place on its level
};

// Finds the leaves that points hang on; *hangs is allocated from `memory`.
tsr_status tsr_grid_find_hanging(tsr_grid_device *grid, tsr_memory *memory, tsr_hangs *hangs,
                                 tsr_error *error);

// Writes 1 for each point that hangs, 0 for the others.
tsr_status tsr_grid_tell_hanging(tsr_grid_device *grid, const tsr_hangs &hangs, uint8_t *to,
                                 tsr_error *error);

// Output whose hanging points are constrained. tsr_grid_free_values writes the values of the input
// points [points[0], points[1]), in double before rounding, one for each point and component, as
// the CPU has them. When all of them are there, tsr_grid_hang_values interpolates the values of
// hanging points from the leaves that they hang on and, unless `to` is NULL, stores these in `to`.
tsr_status tsr_grid_free_values(tsr_grid_device *grid, const tsr_array &array, const tsr_share &of,
                                double *values, tsr_error *error);
tsr_status tsr_grid_hang_values(tsr_grid_device *grid, const tsr_hangs &hangs,
                                const tsr_array &array, double *values, void *to, tsr_type type,
                                tsr_error *error);

// ---- output/indicator.cu

// Writes the indicator of each cell, from the rules of the job. owner: leaf of each cell; NULL:
// nodes are cells.
tsr_status tsr_grid_fill_indicator(tsr_grid_device *grid, const tsr_grid_job *job,
                                   const tsr_grid_counts &counts, const int32_t *owner, double *to,
                                   tsr_error *error);

// ---- refine/guarantee.cu

tsr_status tsr_grid_cuda_look(tsr_grid_device *grid, const tsr_grid_job *job, tsr_grid_look *look,
                              tsr_error *error);

// ---- whole.cu

int tsr_grid_cuda_is_whole(const tsr_grid_device *grid, const tsr_grid_job *job);
int tsr_grid_cuda_can_list(const tsr_grid_device *grid, const tsr_grid_job *job);
tsr_status tsr_grid_cuda_refine(tsr_grid_device *grid, const tsr_grid_job *job,
                                tsr_grid_counts *counts, tsr_error *error);
tsr_status tsr_grid_cuda_take_tree(tsr_grid_device *grid, const tsr_grid_job *job,
                                   tsr_grid_counts *counts, tsr_error *error);
tsr_status tsr_grid_cuda_marks(tsr_grid_device *grid, const tsr_grid_job *job, tsr_grid_node *to,
                               int64_t *n, tsr_error *error);
tsr_status tsr_grid_cuda_list(tsr_grid_device *grid, const tsr_grid_job *job,
                              tsr_grid_counts *counts, tsr_error *error);
tsr_status tsr_grid_cuda_fetch(tsr_grid_device *grid, const tsr_grid_job *job, tsr_error *error);
tsr_status tsr_grid_cuda_fetch_bricks(tsr_grid_device *grid, const tsr_grid_job *job,
                                      tsr_error *error);

// ---- criteria/range.cu

tsr_status tsr_grid_cuda_range(tsr_grid_device *grid, const tsr_grid_job *job, const tsr_rule *rule,
                               int measure, double range[2], tsr_error *error);

// ---- fill.cu

tsr_status tsr_grid_cuda_fill(tsr_grid_device *grid, const tsr_grid_job *job,
                              const tsr_grid_counts *counts, const tsr_grid_output *out,
                              tsr_error *error);

#endif
