// SPDX-License-Identifier: BSD-3-Clause
// Gradient and standard deviation of point data in one pass over the field, like that for the value
// range in pass.cuh. It estimates in single precision, after subtracting the first value from all
// values. Nodes that the estimate cannot decide are listed and then computed in double, as on the
// CPU.
#ifndef TSR_GRID_CRITERIA_SLOPE_CUH
#define TSR_GRID_CRITERIA_SLOPE_CUH

#include "cuda/grid/criteria/pass.cuh"

// Payload of a node. Gradient: a is the largest square of four times a cell's gradient. Standard
// deviation: a and b are the sums, over the corners of n cells, of the values and of their squares.
struct tsr_slope {
  float a, b, n;
  float most; // largest magnitude of a value; below 0: the node does not exist
};

// Operations on payloads, for either measure.
template <bool GRADIENT> struct tsr_slope_of {
  static __device__ __forceinline__ tsr_slope none() { return {0.0f, 0.0f, 0.0f, -1.0f}; }
  static __device__ __forceinline__ void add(tsr_slope *to, const tsr_slope &s) {
    to->a = GRADIENT ? tsr_high_of(to->a, s.a) : to->a + s.a;
    to->b += s.b;
    to->n += s.n;
    to->most = tsr_high_of(to->most, s.most);
  }
};

struct tsr_slope_args {
  tsr_plain_args plain;
  float limit[TSR_GRID_MAX_LEVEL +
              1]; // limit for each number of levels that a node is above the input cells
  int coarsen;
  tsr_grid_doubt list;
};

// Packs the level and the index of a node into 64 bits.
static __device__ __forceinline__ uint64_t tsr_slope_pack(int level, int64_t i, int64_t j,
                                                          int64_t k) {
  return (uint64_t)level << 57 | (uint64_t)k << 38 | (uint64_t)j << 19 | (uint64_t)i;
}

// Decides whether a node `by` levels above the input cells is refined: 1 yes, 0 no, 2 the estimate
// cannot tell. Error bounds: the values are off by 2^-24 of the largest one. Gradient: sums of
// eight values are off by 32 times that along each axis, and twice that is allowed for. Standard
// deviation: the mean and the mean square are off by about 20 times 2^-24 each; a deviation that
// rounding alone explains counts as none on the CPU.
template <bool GRADIENT>
static __device__ __forceinline__ int tsr_slope_asks(const tsr_slope_args &args, const tsr_slope &s,
                                                     int by, float base) {
  const float limit = args.limit[by];
  float low, high, found = s.a;
  if (GRADIENT) {
    const float slack = 7.7e-6f * s.most + 1e-6f * limit;
    high = (limit + slack) * (limit + slack);
    low = limit > slack ? (limit - slack) * (limit - slack) : 0.0f;
  } else {
    const float rounding = 4e-15f * (s.most + fabsf(base)), inverse = 0.125f / s.n;
    const float slack = 7.7e-6f * s.most * s.most + 1e-6f * limit + rounding * rounding;
    const float mean = s.a * inverse;
    found = s.b * inverse - mean * mean;
    high = limit + slack;
    low = limit - slack;
  }
  if (found > high && s.most < 1e17f)
    return 1;
  return found < low && s.most < 1e17f ? 0 : 2;
}

static __device__ __forceinline__ void tsr_slope_doubt(const tsr_slope_args &args, int by,
                                                       int64_t i, int64_t j, int64_t k) {
  const unsigned at = atomicAdd(args.list.n, 1u);
  if (at < args.list.room)
    args.list.node[at] = tsr_slope_pack(args.coarsen - by, i, j, k);
}

// The first value, which is subtracted from all others.
template <class T> static __device__ __forceinline__ T tsr_slope_base(const tsr_slope_args &args) {
  const T base = __ldg((const T *)args.plain.values);
  return fabs((double)base) < 1e300 ? base : (T)0;
}

// A lane's points in a plane, five rows of five, minus the base.
struct tsr_slope_plane {
  float v[5][5];
  float most;
};

template <class T>
static __device__ __forceinline__ void tsr_slope_load(const T *plane, const tsr_lane_rows &at,
                                                      T base, tsr_slope_plane *to) {
  const tsr_samples<T, 5> in = tsr_load_plane<T, true, false>(plane, at);
  to->most = 0.0f;
#pragma unroll
  for (int r = 0; r < 5; ++r) {
#pragma unroll
    for (int c = 0; c < 4; ++c)
      to->v[r][c] = (float)(in.v[r][c] - base);
    const float next = __shfl_down_sync(0xffffffffu, to->v[r][0], 1);
    to->v[r][4] = threadIdx.x == 31 ? (float)(in.next[r] - base) : next;
#pragma unroll
    for (int c = 0; c < 5; ++c)
      to->most = tsr_high_of(to->most, fabsf(to->v[r][c]));
  }
}

// Adds the cells between two planes to the lane's nodes of 2 cubed cells. cells: which cells exist,
// 4 bits along each axis.
template <bool GRADIENT>
static __device__ __forceinline__ void tsr_slope_cells(const tsr_slope_plane &low,
                                                       const tsr_slope_plane &high, unsigned cells,
                                                       tsr_slope node[2][2]) {
  const float most = tsr_high_of(low.most, high.most);
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    float p[5], q[5], s[5];
#pragma unroll
    for (int c = 0; c < 5; ++c) {
      const float a = low.v[r][c], b = low.v[r + 1][c], d = high.v[r][c], e = high.v[r + 1][c];
      p[c] = (a + d) + (b + e);
      q[c] = GRADIENT ? (b + e) - (a + d) : (a * a + d * d) + (b * b + e * e);
      s[c] = GRADIENT ? (d - a) + (e - b) : 0.0f;
    }
#pragma unroll
    for (int c = 0; c < 4; ++c) {
      const float x = p[c + 1] - p[c], y = q[c] + q[c + 1], z = s[c] + s[c + 1];
      const tsr_slope one = {GRADIENT ? (x * x + y * y) + z * z : p[c] + p[c + 1],
                             GRADIENT ? 0.0f : y, 1.0f, most};
      if ((cells >> c) & (cells >> (4 + r)) & 1u)
        tsr_slope_of<GRADIENT>::add(&node[r / 2][c / 2], one);
    }
  }
}

#endif
