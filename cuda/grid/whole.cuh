// SPDX-License-Identifier: BSD-3-Clause
// A whole plan on the device: after the descent come the closure with its guarantee, the leaves,
// their points and parts, and the output.
#ifndef TSR_GRID_WHOLE_CUH
#define TSR_GRID_WHOLE_CUH

#include "cuda/grid/plan.cuh"
#include "grid/cut_math.h"
#include "grid/output/rank_math.h"
#include "grid/output/unit_math.h"

// Memory that a launch of one thread a node may share out in 32 bits.
const int64_t tsr_whole_most = INT32_MAX;

// The place of a node's byte in `bytes`, a tree whose levels lie as the frame's do.
static __device__ __forceinline__ uint8_t *tsr_byte_in(const tsr_grid_frame &f, uint8_t *bytes,
                                                       int level, const int64_t i[3]) {
  return bytes + (f.tree.dense[level] - f.tree.dense[0]) + tsr_tree_dense_at(&f.tree, level, i);
}

static __device__ __forceinline__ int tsr_bit_in(const tsr_grid_frame &f, const uint8_t *bytes,
                                                 int level, const int64_t i[3]) {
  return (*tsr_byte_in(f, (uint8_t *)bytes, level, i) >> tsr_child_number(i)) & 1;
}

// Sets a bit that others may set at once; most are set already.
static __device__ __forceinline__ void tsr_or_byte(uint8_t *byte, unsigned bit) {
  if (*(volatile uint8_t *)byte & bit)
    return;
  const unsigned shift = 8 * (unsigned)((uintptr_t)byte % 4);
  atomicOr((unsigned *)((uintptr_t)byte & ~(uintptr_t)3), bit << shift);
}

static __device__ __forceinline__ void tsr_set_in(const tsr_grid_frame &f, uint8_t *bytes,
                                                  int level, const int64_t i[3]) {
  tsr_or_byte(tsr_byte_in(f, bytes, level, i), 1u << tsr_child_number(i));
}

// 1 if a node exists; all that exist are owned.
static __device__ __forceinline__ int tsr_in_frame(const tsr_grid_frame &f, int level,
                                                   const int64_t i[3]) {
  const int64_t(*range)[2] = f.range[level];
  return i[0] >= range[0][0] && i[0] < range[0][1] && i[1] >= range[1][0] && i[1] < range[1][1] &&
         i[2] >= range[2][0] && i[2] < range[2][1];
}

// As tsr_tree_parent, where the tree has fewer than 2^31 bytes: divisions of 64 bits take long.
static __device__ __forceinline__ void tsr_frame_parent(const tsr_grid_frame &f, int level,
                                                        int64_t n, int64_t parent[3]) {
  const unsigned nx = (unsigned)f.tree.size[level][0], ny = (unsigned)f.tree.size[level][1];
  const unsigned row = (unsigned)n / nx, plane = row / ny;
  parent[0] = f.tree.first[level][0] + ((unsigned)n - row * nx);
  parent[1] = f.tree.first[level][1] + (row - plane * ny);
  parent[2] = f.tree.first[level][2] + plane;
}

// What tsr_cut_find adds to a leaf with all of its middles.
static inline void tsr_frame_touches(tsr_grid_frame *f) {
  const int dimension = f->lattice.dimension;
  const int halves[3] = {1, dimension > 1, dimension > 2};
  for (int number = 0; number < 27; ++number) {
    const int d[3] = {number % 3 - 1, number / 3 % 3 - 1, number / 9 - 1};
    const int length = (d[0] != 0) + (d[1] != 0) + (d[2] != 0);
    const int within = (dimension > 1 || d[1] == 0) && (dimension > 2 || d[2] == 0);
    tsr_cut cut = {};
    cut.dimension = dimension;
    if (within && length > 0 && length < dimension)
      tsr_cut_add(&cut, d, halves);
    f->touch[number] = cut.has;
  }
}

// As tsr_cut_find, faster for leaves that the box does not cut.
static __device__ inline int tsr_frame_cut(const tsr_grid_frame &f, int level, const int64_t i[3],
                                           tsr_cut *cut) {
  const tsr_lattice &lattice = f.lattice;
  const uint32_t corners = TSR_CUT_CORNERS & (lattice.dimension > 2 ? 0x7ffffffu : 0x1ffu);
  if (level >= lattice.coarsen || tsr_node_sticks_out(&lattice, level, i))
    return tsr_cut_find(&lattice, &f.tree, level, i, cut);
  const int64_t half = (int64_t)1 << (lattice.levels - level - 1);
  cut->dimension = lattice.dimension;
  cut->has = corners;
  for (int a = 0; a < 3; ++a)
    for (int u = 0; u < 3; ++u)
      cut->at[a][u] = a < lattice.dimension ? (2 * i[a] + u) * half : 0;
  for (int number = 0; number < 27; ++number) {
    const uint32_t touch = f.touch[number];
    const int64_t q[3] = {i[0] + number % 3 - 1, i[1] + number / 3 % 3 - 1, i[2] + number / 9 - 1};
    if (touch && (touch & ~cut->has) && tsr_in_frame(f, level, q) &&
        tsr_bit_in(f, f.tree.dense[0], level, q))
      cut->has |= touch;
  }
  return cut->has != corners;
}

static __device__ inline int tsr_frame_hides(const tsr_grid_frame &f, int level,
                                             const int64_t i[3]) {
  return tsr_hidden_node(&f.lattice, f.hidden, level, i);
}

// Child k of a node of level - 1; 0 where it does not exist.
static __device__ inline int tsr_frame_child(const tsr_grid_frame &f, int level,
                                             const int64_t parent[3], unsigned k, int64_t i[3]) {
  return k < (1u << f.lattice.dimension) && tsr_node_child(&f.lattice, level - 1, parent, k, i);
}

static __device__ inline void tsr_leaf_index(const tsr_lattice &lattice, const tsr_grid_node &node,
                                             int64_t i[3]) {
  for (int a = 0; a < 3; ++a)
    i[a] = node.index[lattice.axis[a]];
}

// ---- refine/closure.cu

// Buffer, balance and the guarantee.
tsr_status tsr_grid_close_tree(tsr_grid_device *grid, const tsr_grid_job *job, tsr_error *error);

// What a slab has of a plan: leaves, input points and layers of input cells: first, and end.
struct tsr_share {
  int64_t leaves[2], points[2], cells[2];
};

// ---- refine/parts.cu

// 1 if input cells are refined, and 1 if parts of them are, so that there are bricks.
static __host__ __device__ inline int tsr_is_deep(const tsr_lattice &lattice) {
  return lattice.levels > lattice.coarsen;
}

static __host__ __device__ inline int tsr_has_bricks(const tsr_lattice &lattice) {
  return lattice.levels > lattice.coarsen + 1;
}

// The levels below the input cells' level: makes the bricks that closure may need, too, and what
// criteria ask for in them.
tsr_status tsr_grid_descend_parts(tsr_grid_device *grid, const tsr_grid_job *job, tsr_error *error);

// Counts the bits before each word, and all of them.
tsr_status tsr_grid_count_bits(tsr_grid_device *grid, const tsr_bits &bits, int64_t *n,
                               tsr_error *error);

// Keeps the bricks as they are; brings them back.
tsr_status tsr_grid_keep_bricks(tsr_grid_device *grid, tsr_error *error);
tsr_status tsr_grid_restore_bricks(tsr_grid_device *grid, tsr_error *error);

// Buffer, and blocks and balance, in the bricks.
tsr_status tsr_grid_buffer_bricks(tsr_grid_device *grid, tsr_error *error);
tsr_status tsr_grid_balance_bricks(tsr_grid_device *grid, tsr_balance balance, tsr_error *error);

// ---- output/leaves.cu

// Counts the leaves; lists them once they are counted.
tsr_status tsr_grid_count_leaves(tsr_grid_device *grid, tsr_grid_counts *counts, tsr_error *error);
tsr_status tsr_grid_list_leaves(tsr_grid_device *grid, tsr_error *error);

// ---- output/part_leaves.cu: levels below the input cells

// The same with the leaves in input cells, once the others are counted; and once they are.
tsr_status tsr_grid_count_part_leaves(tsr_grid_device *grid, tsr_grid_counts *counts,
                                      tsr_error *error);
tsr_status tsr_grid_list_part_leaves(tsr_grid_device *grid, tsr_error *error);

// ---- output/trees.cu and output/patches.cu

// Lists the nodes of trees, or the patches and their cells.
tsr_status tsr_grid_list_trees(tsr_grid_device *grid, tsr_grid_counts *counts, tsr_error *error);
tsr_status tsr_grid_list_patches(tsr_grid_device *grid, tsr_grid_counts *counts, tsr_error *error);

// The indices of the trees' first nodes, three a tree.
tsr_status tsr_grid_tree_roots(tsr_grid_device *grid, int64_t trees, int32_t *to, tsr_error *error);

// ---- output/points.cu

// Numbers the corners of the leaves, and the places of those that are cut.
tsr_status tsr_grid_number_points(tsr_grid_device *grid, tsr_grid_counts *counts, tsr_error *error);

// ---- output/part_points.cu: levels below the input cells

// The same, with the points between input points.
tsr_status tsr_grid_number_part_points(tsr_grid_device *grid, tsr_grid_counts *counts,
                                       tsr_error *error);
// Where the points are.
tsr_status tsr_grid_place_part_points(tsr_grid_device *grid, const tsr_space &space, void *to,
                                      tsr_type type, tsr_error *error);

// What kernels need to number a point.
struct tsr_numbering {
  tsr_ranks ranks;
  tsr_grid_points points;
  int deep; // 1: the second
};

static __device__ __forceinline__ int64_t tsr_number_of(const tsr_grid_frame &f,
                                                        const tsr_numbering &n,
                                                        const int64_t x[3]) {
  return n.deep ? tsr_point_id(&f.lattice, &n.points, x) : tsr_rank_id(&n.ranks, x);
}

static inline tsr_numbering tsr_numbering_of(const tsr_grid_device *grid) {
  return {grid->whole.ranks, grid->whole.points, tsr_is_deep(grid->frame.lattice)};
}

// ---- cut_table.cu and output/parts.cu

// Makes the table of the ways in which leaves are cut, unless it is there.
tsr_status tsr_grid_cut_table(tsr_grid_device *grid, tsr_error *error);

// Finds the leaves that are cut, and counts their parts.
tsr_status tsr_grid_count_parts(tsr_grid_device *grid, tsr_grid_counts *counts, tsr_error *error);

// The largest error of a point array in those of the leaves [leaves[0], leaves[1]) that are cut;
// most: bits of a double, raised.
tsr_status tsr_grid_cut_errors(tsr_grid_device *grid, const tsr_array &array,
                               const int64_t leaves[2], unsigned long long *most, tsr_error *error);

// ---- output/cells.cu

// What is written on the device; NULL: not wanted.
struct tsr_grid_shapes {
  void *offsets, *connectivity;
  tsr_type index_type;
  int hexahedra;
  uint8_t *cell_type;
  uint8_t type_of[4]; // what is written for each tsr_grid_cell
  int32_t *owner;     // leaf of each cell; NULL: leaves are cells
};

tsr_status tsr_grid_fill_shapes(tsr_grid_device *grid, const tsr_grid_shapes &to, tsr_error *error);

// ---- output/hanging.cu

// On which leaves the points of a plan hang.
struct tsr_hangs {
  int8_t *level;  // of the leaf; -1: it hangs on none
  uint64_t *node; // its place
};

// Finds that; in `memory`.
tsr_status tsr_grid_find_hanging(tsr_grid_device *grid, tsr_memory *memory, tsr_hangs *hangs,
                                 tsr_error *error);

// 1 for each point that hangs.
tsr_status tsr_grid_tell_hanging(tsr_grid_device *grid, const tsr_hangs &hangs, uint8_t *to,
                                 tsr_error *error);

// Constrained: the values of an array as the CPU has them before they are rounded, a number a point
// and component. First those of the input, of the points [points[0], points[1]); when all are
// there, the points that hang take theirs from the leaves that they hang on, and are stored in
// `to`, unless that is NULL.
tsr_status tsr_grid_free_values(tsr_grid_device *grid, const tsr_array &array, const tsr_share &of,
                                double *values, tsr_error *error);
tsr_status tsr_grid_hang_values(tsr_grid_device *grid, const tsr_hangs &hangs,
                                const tsr_array &array, double *values, void *to, tsr_type type,
                                tsr_error *error);

// The largest difference of the input to these values, interpolated in the leaves [leaves[0],
// leaves[1]). most: bits of a double, raised.
tsr_status tsr_grid_hang_errors(tsr_grid_device *grid, const tsr_array &array, const double *values,
                                const int64_t leaves[2], unsigned long long *most,
                                tsr_error *error);

// ---- output/indicator.cu

// The indicator of each cell. owner: leaf of each cell; NULL: nodes are cells. The job has the
// rules.
tsr_status tsr_grid_fill_indicator(tsr_grid_device *grid, const tsr_grid_job *job,
                                   const tsr_grid_counts &counts, const int32_t *owner, double *to,
                                   tsr_error *error);

// ---- whole.cu

int tsr_grid_cuda_is_whole(const tsr_grid_device *grid, const tsr_grid_job *job);
tsr_status tsr_grid_cuda_refine(tsr_grid_device *grid, const tsr_grid_job *job,
                                tsr_grid_counts *counts, tsr_error *error);
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
                              const tsr_grid_counts *counts, const tsr_grid_output *out, int *done,
                              tsr_error *error);

#endif
