// SPDX-License-Identifier: BSD-3-Clause
// Decides whether any point of a node is further from the node's interpolant than a rule allows,
// column by column, for nodes whose points are at even steps. Floats are first compared in single
// precision; only points within its margin of error, or not finite, are then computed in double, as
// on the CPU.
#ifndef TSR_GRID_COLUMNS_CUH
#define TSR_GRID_COLUMNS_CUH

#include "cuda/grid/criteria/corner_field.cuh"

struct tsr_column_job {
  tsr_rule rule;
  const void *origin;       // tsr_field_origin of its array
  int64_t step[3];          // values from point to point along each axis
  float limit, limit_slack; // the threshold in single precision, and its rounding error
  int *odd;                 // NULL, or set where a value may not be finite
};

static __host__ __device__ inline tsr_column_job tsr_columns_of(const tsr_lattice &lattice,
                                                                const tsr_rule &rule, int *odd) {
  tsr_column_job job = {rule, tsr_field_origin(lattice, rule.array), {0, 0, 0}, 0.0f, 0.0f, odd};
  for (int a = 0; a < 3; ++a)
    job.step[a] = lattice.point_step[a];
  job.limit = rule.threshold < 1e38 ? (float)rule.threshold : 1e38f;
  job.limit_slack = 1e-6f * job.limit;
  return job;
}

// 1 if a value is not finite. For doubles also if it is so large that a difference of two such
// values may not be finite.
static __device__ __forceinline__ int tsr_is_odd(float value) {
  return !(fabsf(value) <= 3.402823466e38f);
}
static __device__ __forceinline__ int tsr_is_odd(double value) { return !(fabs(value) <= 4e307); }

// Decides in double, as on the CPU, whether a point is too far.
template <class T>
static __device__ int tsr_is_far_exactly(const tsr_column_job &job, const tsr_corner_field<T> &f,
                                         int size, int x, int y, int z, T value) {
  const double e = tsr_difference(f, size, x, y, z, value);
  return !tsr_finite(e) || (e > job.rule.threshold && e > tsr_rounding_at(f));
}

// 1 if a point of the column (x, y) of a node is too far from the interpolant.
template <int SIZE>
static __device__ __forceinline__ int tsr_column_is_far(const tsr_column_job &job,
                                                        const tsr_corner_field<float> &f, int size,
                                                        int x, int y) {
  int far = 0;
  const auto look = [&](int z, float value, float e) {
    const float slack = tsr_slack(f.most, value) + job.limit_slack;
    if (e + slack < job.limit)
      return;
    if (job.odd && tsr_is_odd(value))
      *job.odd = 1;
    if (e - slack > job.limit && e < 1e38f) // beyond, differences of floats may be infinite
      far = 1;
    else
      far |= far ? 0 : tsr_is_far_exactly(job, f, size, x, y, z, value);
  };
  tsr_visit_column<SIZE>(f, job.step, size, x, y, look);
  return far;
}

template <int SIZE>
static __device__ __forceinline__ int tsr_column_is_far(const tsr_column_job &job,
                                                        const tsr_corner_field<double> &f, int size,
                                                        int x, int y) {
  int far = 0;
  for (int z = 0; z <= size && (SIZE == 2 || !far);
       ++z) { // nodes of 2 cubed cells check every point, to find odd values
    const double value = f.at[(x * job.step[0] + y * job.step[1]) + z * job.step[2]];
    if (job.odd && tsr_is_odd(value))
      *job.odd = 1;
    far |= tsr_is_far_exactly(job, f, size, x, y, z, value);
  }
  return far;
}

// 1 in every lane of a warp if any point of the node is too far. SIZE: the node's size if the
// compiler knows it, otherwise 0.
template <class T, int SIZE>
static __device__ int tsr_columns_are_far(const tsr_column_job &job, const int64_t i[3], int size,
                                          int lane) {
  const int n = size + 1;
  const tsr_corner_field<T> field = tsr_field_of((const T *)job.origin, job.step, i, size);
  for (int first = 0; first < n * n; first += 32) {
    const int k = first + lane;
    if (__any_sync(0xffffffffu,
                   k < n * n && tsr_column_is_far<SIZE>(job, field, size, k % n, k / n)))
      return 1;
  }
  return 0;
}

#endif
