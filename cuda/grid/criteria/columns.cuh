// SPDX-License-Identifier: BSD-3-Clause
// Decides whether any point of a node is further from the node's interpolant than a rule allows,
// column by column, for nodes whose points are at even steps. Floats are first compared in single
// precision; only points within its margin of error, or not finite, are then computed in double, as
// on the CPU.
#ifndef TSR_GRID_CRITERIA_COLUMNS_CUH
#define TSR_GRID_CRITERIA_COLUMNS_CUH

#include "cuda/grid/criteria/corner_field.cuh"

struct tsr_column_args {
  tsr_rule rule;
  const void *origin;       // tsr_field_origin of its array
  int64_t step[3];          // values from point to point along each axis
  float limit, limit_slack; // the threshold in single precision, and its rounding error
  int *odd;                 // NULL, or set where a value may not be finite
};

static __host__ __device__ inline tsr_column_args tsr_columns_of(const tsr_lattice &lattice,
                                                                 const tsr_rule &rule, int *odd) {
  tsr_column_args args = {rule, tsr_field_origin(lattice, rule.array), {0, 0, 0}, 0.0f, 0.0f, odd};
  for (int a = 0; a < 3; ++a)
    args.step[a] = lattice.point_step[a];
  args.limit = rule.threshold < 1e38 ? (float)rule.threshold : 1e38f;
  args.limit_slack = 1e-6f * args.limit;
  return args;
}

// 1 if a value is not finite. For doubles also if it is so large that a difference of two such
// values may not be finite.
static __device__ __forceinline__ int tsr_is_odd(float value) {
  return !(fabsf(value) <= 3.402823466e38f);
}
static __device__ __forceinline__ int tsr_is_odd(double value) { return !(fabs(value) <= 4e307); }

// Decides in double, as on the CPU, whether a point is too far.
template <class T>
static __device__ int tsr_is_far_exactly(const tsr_column_args &args, const tsr_corner_field<T> &f,
                                         int size, int x, int y, int z, T value) {
  const double e = tsr_difference(f, size, x, y, z, value);
  return !tsr_finite(e) || (e > args.rule.threshold && e > tsr_rounding_at(f));
}

// 1 if a point of the column (x, y) of a node is too far from the interpolant.
template <int SIZE>
static __device__ __forceinline__ int tsr_column_is_far(const tsr_column_args &args,
                                                        const tsr_corner_field<float> &f, int size,
                                                        int x, int y) {
  int far = 0;
  const auto look = [&](int z, float value, float e) {
    const float slack = tsr_slack(f.most, value) + args.limit_slack;
    if (e + slack < args.limit)
      return;
    if (args.odd && tsr_is_odd(value))
      *args.odd = 1;
    if (e - slack > args.limit && e < 1e38f) // beyond, differences of floats may be infinite
      far = 1;
    else
      far |= far ? 0 : tsr_is_far_exactly(args, f, size, x, y, z, value);
  };
  tsr_visit_column<SIZE>(f, args.step, size, x, y, look);
  return far;
}

template <int SIZE>
static __device__ __forceinline__ int tsr_column_is_far(const tsr_column_args &args,
                                                        const tsr_corner_field<double> &f, int size,
                                                        int x, int y) {
  int far = 0;
  for (int z = 0; z <= size && (SIZE == 2 || !far);
       ++z) { // nodes of 2 cubed cells check every point, to find odd values
    const double value = f.at[(x * args.step[0] + y * args.step[1]) + z * args.step[2]];
    if (args.odd && tsr_is_odd(value))
      *args.odd = 1;
    far |= tsr_is_far_exactly(args, f, size, x, y, z, value);
  }
  return far;
}

// 1 in every lane of a warp if any point of the node is too far. SIZE: the node's size if the
// compiler knows it, otherwise 0.
template <class T, int SIZE>
static __device__ int tsr_columns_are_far(const tsr_column_args &args, const int64_t i[3], int size,
                                          int lane) {
  const int n = size + 1;
  const tsr_corner_field<T> field = tsr_field_of((const T *)args.origin, args.step, i, size);
  for (int first = 0; first < n * n; first += 32) {
    const int k = first + lane;
    if (__any_sync(0xffffffffu,
                   k < n * n && tsr_column_is_far<SIZE>(args, field, size, k % n, k / n)))
      return 1;
  }
  return 0;
}

#endif
