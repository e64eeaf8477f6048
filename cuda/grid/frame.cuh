// SPDX-License-Identifier: BSD-3-Clause
// What kernels know of a grid, and how they get at the bits and the index of a node.
#ifndef TSR_GRID_FRAME_CUH
#define TSR_GRID_FRAME_CUH

#include "cuda/common/common.cuh"
#include "grid/backend.h"
#include "grid/cut/cut_math.h"

// Largest number of tree bytes, so that kernels of one thread for each node can use 32-bit numbers.
const int64_t tsr_whole_most = INT32_MAX;

// What kernels know of the grid. Another copy lies on the device.
struct tsr_grid_frame {
  tsr_lattice lattice;
  tsr_space space;
  tsr_tree tree; // its dense levels are on the device
  tsr_grid_options options;
  int64_t whole[6];
  const uint8_t *hidden;
  int64_t range[TSR_GRID_MAX_LEVEL + 1][3][2]; // owned nodes of a level
  uint8_t *seen[TSR_GRID_MAX_LEVEL + 1]; // for each owned node above the input cells: bit 0: it has
                                         // visible cells; bit 1: hidden ones
  int levels;                            // number of levels that the device decides
  int may_force;                         // 1: nodes can be refined without being asked for
  int masks_only; // 1: a node is refined exactly if it is asked for and its parent is refined
};

static inline int64_t tsr_range_nodes(const tsr_grid_frame &f, int level) {
  return (f.range[level][0][1] - f.range[level][0][0]) *
         (f.range[level][1][1] - f.range[level][1][0]) *
         (f.range[level][2][1] - f.range[level][2][0]);
}

// As tsr_node_in, for a box of fewer than 2^32 nodes: divisions of 64 bits are slow.
static __device__ __forceinline__ void tsr_node_in_small(const int64_t range[3][2], unsigned n,
                                                         int64_t i[3]) {
  const unsigned nx = (unsigned)(range[0][1] - range[0][0]);
  const unsigned ny = (unsigned)(range[1][1] - range[1][0]);
  const unsigned row = n / nx, plane = row / ny;
  i[0] = range[0][0] + (n - row * nx);
  i[1] = range[1][0] + (row - plane * ny);
  i[2] = range[2][0] + plane;
}

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

// As tsr_cut_find, but faster for leaves that lie wholly in the grid.
static __device__ inline int tsr_frame_cut(const tsr_grid_frame &f, int level, const int64_t i[3],
                                           tsr_cut *cut) {
  const tsr_lattice &lattice = f.lattice;
  if (lattice.dimension < 3 || level >= lattice.coarsen || tsr_node_sticks_out(&lattice, level, i))
    return tsr_cut_find(&lattice, &f.tree, level, i, cut);
  const int64_t half = (int64_t)1 << (lattice.levels - level - 1);
  const uint32_t around = tsr_tree_around(&f.tree, level, i);
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

// tsr_is_deep: 1 if there are levels below the input cells. tsr_has_bricks: 1 if there is more than
// one such level, so that the tree has bricks.
static __host__ __device__ inline int tsr_is_deep(const tsr_lattice &lattice) {
  return lattice.levels > lattice.coarsen;
}

static __host__ __device__ inline int tsr_has_bricks(const tsr_lattice &lattice) {
  return lattice.levels > lattice.coarsen + 1;
}

#endif
