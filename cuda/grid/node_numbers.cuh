// SPDX-License-Identifier: BSD-3-Clause
// Numbers the nodes of a box, such as those of a level, with axis 0 fastest.
#ifndef TSR_GRID_NODE_NUMBERS_CUH
#define TSR_GRID_NODE_NUMBERS_CUH

#include "cuda/common/common.cuh"

// Index i of node n of the box [range[a][0], range[a][1]) along each axis a.
static __device__ __forceinline__ void tsr_node_in(const int64_t range[3][2], int64_t n,
                                                   int64_t i[3]) {
  const int64_t nx = range[0][1] - range[0][0], ny = range[1][1] - range[1][0];
  i[0] = range[0][0] + n % nx;
  i[1] = range[1][0] + n / nx % ny;
  i[2] = range[2][0] + n / nx / ny;
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

// Number of the node with index i in the box.
static __device__ __forceinline__ int64_t tsr_number_in(const int64_t range[3][2],
                                                        const int64_t i[3]) {
  return ((i[2] - range[2][0]) * (range[1][1] - range[1][0]) + (i[1] - range[1][0])) *
             (range[0][1] - range[0][0]) +
         (i[0] - range[0][0]);
}

#endif
