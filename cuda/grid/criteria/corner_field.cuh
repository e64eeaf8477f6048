// SPDX-License-Identifier: BSD-3-Clause
// The interpolant of a node of `size` cubed cells whose points are at even steps, and how far
// points are from it: in double as the CPU computes it, or estimated in single precision with a
// margin.
#ifndef TSR_GRID_CRITERIA_CORNER_FIELD_CUH
#define TSR_GRID_CRITERIA_CORNER_FIELD_CUH

#include "cuda/grid/plan.cuh"

template <class T> struct tsr_corner_field {
  const T *at; // the lowest corner
  T corner[8];
  float most; // largest magnitude at a corner
};

// Address that the value at the lowest corner of the whole grid would have, for an array of one
// float or double a point. Nodes are counted from that corner, but the array begins with the points
// that this process holds.
static __host__ __device__ inline const void *tsr_field_origin(const tsr_lattice &lattice,
                                                               const tsr_array &array) {
  int64_t at = 0;
  for (int a = 0; a < 3; ++a)
    at += lattice.held[a][0] * lattice.point_step[a];
  return (const char *)array.data - at * (array.type == TSR_DOUBLE ? 8 : 4);
}

// Loads the corners of node i. origin: from tsr_field_origin. step: number of values from one point
// to the next along each axis.
template <class T>
static __device__ __forceinline__ tsr_corner_field<T>
tsr_field_of(const T *origin, const int64_t step[3], const int64_t i[3], int size) {
  tsr_corner_field<T> f;
  f.at = origin + ((i[0] * step[0] + i[1] * step[1]) + i[2] * step[2]) * size;
  f.most = 0.0f;
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    f.corner[k] =
        f.at[((k & 1 ? step[0] : 0) + (k & 2 ? step[1] : 0) + (k & 4 ? step[2] : 0)) * size];
    f.most = fmaxf(f.most, fabsf((float)f.corner[k]));
  }
  return f;
}

// Absolute difference of the value at point (x, y, z) of the node to the interpolant, in double as
// the CPU computes it.
template <class T>
static __device__ inline double tsr_difference(const tsr_corner_field<T> &f, int size, int x, int y,
                                               int z, T value) {
  double corner[8];
  const double t[3] = {(double)x / (double)size, (double)y / (double)size,
                       (double)z / (double)size};
  for (int k = 0; k < 8; ++k)
    corner[k] = (double)f.corner[k];
  return fabs((double)value - tsr_multilinear(3, corner, t));
}

template <class T> static __device__ inline double tsr_rounding_at(const tsr_corner_field<T> &f) {
  double corner[8];
  for (int k = 0; k < 8; ++k)
    corner[k] = (double)f.corner[k];
  return tsr_corners_rounding(3, corner);
}

// Error bound of a difference in single precision: a dozen operations, each off by at most 2^-24 of
// twice the largest corner, together by less than 2^-19 of it.
static __device__ __forceinline__ float tsr_slack(float most, float value) {
  return 1.9073486e-6f * (most + fabsf(value));
}

// Calls visit(z, value, difference) for the points (x, y, 0) to (x, y, size). The difference is in
// single precision: it is off by at most tsr_slack, or not finite. SIZE: the size if the compiler
// knows it; 0 if not, and then the size is a multiple of 8.
template <int SIZE, class Visit>
static __device__ __forceinline__ void tsr_visit_column(const tsr_corner_field<float> &f,
                                                        const int64_t step[3], int size, int x,
                                                        int y, Visit visit) {
  const float s = 1.0f / (float)size, tx = (float)x * s, ty = (float)y * s;
  const float *at = f.at + (x * step[0] + y * step[1]);
  float end[2];
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    const float *c = f.corner + 4 * k;
    const float a = __fmaf_rn(c[1] - c[0], tx, c[0]), b = __fmaf_rn(c[3] - c[2], tx, c[2]);
    end[k] = __fmaf_rn(b - a, ty, a);
  }
  const float slope = (end[1] - end[0]) * s;
  if constexpr (SIZE > 0) {
    float v[SIZE + 1];
#pragma unroll
    for (int z = 0; z <= SIZE; ++z)
      v[z] = __ldg(at + z * step[2]);
#pragma unroll
    for (int z = 0; z <= SIZE; ++z)
      visit(z, v[z], fabsf(v[z] - __fmaf_rn(slope, (float)z, end[0])));
  } else {
    const auto one = [&](int z, float v) {
      visit(z, v, fabsf(v - __fmaf_rn(slope, (float)z, end[0])));
    };
    for (int first = 0; first < size; first += 8) { // the loads of eight values overlap
      float v[8];
#pragma unroll
      for (int z = 0; z < 8; ++z, at += step[2])
        v[z] = __ldg(at);
#pragma unroll
      for (int z = 0; z < 8; ++z)
        one(first + z, v[z]);
    }
    one(size, __ldg(at));
  }
}

#endif
