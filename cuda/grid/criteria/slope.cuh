// SPDX-License-Identifier: BSD-3-Clause
// Gradient and standard deviation of point data in one pass over the field, as pass.cuh has it for
// the value range: estimates in single precision, of values less the first one. Nodes that those do
// not decide go into a list, and are looked at in double, as the CPU does.
#ifndef TSR_GRID_SLOPE_CUH
#define TSR_GRID_SLOPE_CUH

#include "cuda/grid/criteria/pass.cuh"

// What a node has. Gradient: a, the largest square of four times a cell's gradient. Standard
// deviation: sums of the values at the corners of n cells (a), and of their squares (b).
struct tsr_slope {
  float a, b, n;
  float most; // largest magnitude of a value; below 0: there is no node
};

// The same of both measures.
template <bool GRADIENT> struct tsr_slope_of {
  static __device__ __forceinline__ tsr_slope none() { return {0.0f, 0.0f, 0.0f, -1.0f}; }
  static __device__ __forceinline__ void add(tsr_slope *to, const tsr_slope &s) {
    to->a = GRADIENT ? tsr_high_of(to->a, s.a) : to->a + s.a;
    to->b += s.b;
    to->n += s.n;
    to->most = tsr_high_of(to->most, s.most);
  }
};

struct tsr_slope_job {
  tsr_plain_job plain;
  float limit[TSR_GRID_MAX_LEVEL + 1]; // by how many levels a node is above the input cells
  int coarsen;
  tsr_grid_doubt list;
};

// Level and index of a node.
static __device__ __forceinline__ uint64_t tsr_slope_pack(int level, int64_t i, int64_t j,
                                                          int64_t k) {
  return (uint64_t)level << 57 | (uint64_t)k << 38 | (uint64_t)j << 19 | (uint64_t)i;
}

// 1 if a node of so many levels above the input cells is refined, 0 if not, 2 if the estimate
// cannot tell. Gradient: values are off by 2^-24 of the largest, sums of eight of them by 32 times
// that along each axis; twice that is allowed for. Standard deviation: mean and mean square are off
// by some 20 times 2^-24 each; and the CPU takes none for what rounding makes.
template <bool GRADIENT>
static __device__ __forceinline__ int tsr_slope_asks(const tsr_slope_job &job, const tsr_slope &s,
                                                     int by, float base) {
  const float limit = job.limit[by];
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

static __device__ __forceinline__ void tsr_slope_doubt(const tsr_slope_job &job, int by, int64_t i,
                                                       int64_t j, int64_t k) {
  const unsigned at = atomicAdd(job.list.n, 1u);
  if (at < job.list.room)
    job.list.node[at] = tsr_slope_pack(job.coarsen - by, i, j, k);
}

// The first value, which others are compared to.
template <class T> static __device__ __forceinline__ T tsr_slope_base(const tsr_slope_job &job) {
  const T base = __ldg((const T *)job.plain.values);
  return fabs((double)base) < 1e300 ? base : (T)0;
}

// A lane's points in a plane: five rows of five, less the base.
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

// Adds the cells between two planes to the lane's nodes of 2 cubed. cells: 4 bits along each axis.
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
