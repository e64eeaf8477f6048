// SPDX-License-Identifier: BSD-3-Clause
// How far points of leaves that are cut are from the interpolation in their parts, estimated by the
// table's weights: of leaves of 2, 4 or 8 cells along each side, with even steps. What the estimate
// does not decide is looked at in double, as the CPU does.
#ifndef TSR_GRID_CUT_ESTIMATE_CUH
#define TSR_GRID_CUT_ESTIMATE_CUH

#include "cuda/grid/cut.cuh"

// 1 if arrays and nodes are of the kind.
static __host__ __device__ inline int tsr_estimates(const tsr_grid_frame &f,
                                                    const tsr_array &array) {
  return f.lattice.dimension == 3 && f.space.geometry != TSR_GEOMETRY_RECTILINEAR &&
         array.components == 1 && (array.type == TSR_FLOAT || array.type == TSR_DOUBLE);
}

// The same of a leaf: all of it lies in the grid.
static __device__ __forceinline__ int tsr_estimates_leaf(const tsr_grid_frame &f, int level,
                                                         const int64_t i[3]) {
  const int by = f.lattice.coarsen - level;
  return by >= 1 && by <= tsr_cut_sizes && !tsr_node_sticks_out(&f.lattice, level, i);
}

// A leaf, as the lanes of a warp have it: lane 0 to 26 the value at a place, as its difference to
// that of the lowest corner.
template <class T> struct tsr_estimate {
  const T *at; // the lowest corner
  T base;
  float difference; // lane 13: of the centre
  float slack;      // of an estimate, but for what the point's own value adds
  int n;            // points along each side
  const tsr_cut_weights *weights;
};

static __device__ __forceinline__ float tsr_warp_most(float v) {
  for (int step = 16; step > 0; step /= 2)
    v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, step));
  return v;
}

// The whole warp calls it. Rounding of weights: five times 2^-16; the rest is single precision.
template <class T>
static __device__ inline tsr_estimate<T>
tsr_estimate_of(const tsr_grid_frame &f, const T *values, int level, const int64_t i[3],
                const tsr_cut_table *table, int slot, int lane) {
  const int64_t *step = f.lattice.point_step;
  const int by = f.lattice.coarsen - level, half = 1 << by >> 1;
  const int64_t corner[3] = {i[0] << by, i[1] << by, i[2] << by};
  const unsigned has = table->keys[slot];
  const int mine = lane < TSR_CUT_PLACES && (has >> lane) & 1;
  tsr_estimate<T> e;
  float sum = 0.0f;
  e.at = values + tsr_point_at(&f.lattice, corner);
  e.n = 2 * half + 1;
  e.weights = table->weights[slot] + (by == 1 ? 0 : by == 2 ? 27 : 27 + 125);
  const T value =
      mine ? e.at[(lane % 3 * step[0] + lane / 3 % 3 * step[1] + lane / 9 * step[2]) * half] : (T)0;
  e.base = __shfl_sync(0xffffffffu, value, 0);
  e.difference = mine ? (float)(value - e.base) : 0.0f;
#pragma unroll
  for (int k = 0; k < 8; ++k)
    sum += __shfl_sync(0xffffffffu, e.difference, 2 * (k & 1) + 6 * (k >> 1 & 1) + 18 * (k >> 2));
  // Whatever is not finite must not be lost in a maximum.
  const float most = tsr_warp_most(mine ? fabsf(e.difference) : 0.0f);
  const float largest = tsr_warp_most(mine ? fabsf((float)value) : 0.0f);
  const int odd = __any_sync(0xffffffffu, mine && !(fabsf((float)value) < 1e37f));
  if (lane == TSR_CUT_CENTRE)
    e.difference = 0.125f * sum;
  e.slack = odd ? INFINITY : 8e-5f * most + 1e-6f * largest;
  return e;
}

// Point k of the leaf, if k is below the number of points: the estimate of how far it is from the
// interpolation, and what that may be off; both may be not finite. The whole warp calls it.
template <class T>
static __device__ __forceinline__ void tsr_estimate_point(const tsr_estimate<T> &e,
                                                          const int64_t step[3], int k, float *far,
                                                          float *slack) {
  const int all = e.n * e.n * e.n, m = k < all ? k : 0;
  const uint4 packed = __ldg((const uint4 *)(e.weights + m));
  const unsigned weight[5] = {packed.x & 0xffff, packed.x >> 16, packed.y & 0xffff, packed.y >> 16,
                              packed.z & 0xffff};
  const unsigned at[5] = {packed.z >> 16 & 0xff, packed.z >> 24, packed.w & 0xff,
                          packed.w >> 8 & 0xff, packed.w >> 16 & 0xff};
  const int row = m / e.n, x = m - row * e.n, z = row / e.n, y = row - z * e.n;
  const float own = (float)(__ldg(e.at + (x * step[0] + y * step[1] + z * step[2])) - e.base);
  float sum = 0.0f;
#pragma unroll
  for (int c = 0; c < 5; ++c)
    sum += (float)weight[c] * __shfl_sync(0xffffffffu, e.difference, (int)at[c]);
  *far = k < all ? fabsf(own - sum * 3.0517578e-5f) : 0.0f;
  *slack = e.slack + 1e-6f * fabsf(own);
}

#endif
