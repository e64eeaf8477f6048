// SPDX-License-Identifier: BSD-3-Clause
// Decides whether a node's interpolant is too far from the input, by a thread, a warp or a block
// (GROUP threads).
#ifndef TSR_GRID_CRITERIA_FAR_CUH
#define TSR_GRID_CRITERIA_FAR_CUH

#include "cuda/grid/criteria/marking.cuh"

// Points that each thread checks before it asks whether another thread of its group has found one
// that is too far.
template <int GROUP> constexpr unsigned tsr_error_share = GROUP == 1 ? 125 : 16;

// 1 if this thread finds a point of the node that is above the threshold or not finite, among the
// tsr_error_share * GROUP points from number `begin` on, which the group's threads share.
template <int GROUP>
static __device__ int tsr_far_point(const tsr_grid_frame &f, const tsr_rule &rule, int component,
                                    const int64_t first[3], const int64_t last[3],
                                    const double corner[8], int64_t begin, int lane) {
  const double rounding = tsr_corners_rounding(f.lattice.dimension, corner);
  // Each axis has fewer than 2^31 points, but a node can have more rows than 32 bits can count.
  const unsigned nx = (unsigned)(last[0] - first[0] + 1), ny = (unsigned)(last[1] - first[1] + 1);
  const unsigned nz = (unsigned)(last[2] - first[2] + 1);
  const int64_t rows_before = begin / nx;
  const unsigned first_x = (unsigned)(begin % nx);
  const unsigned first_y = (unsigned)(rows_before % ny), first_z = (unsigned)(rows_before / ny);
  for (unsigned k = (unsigned)lane; k < tsr_error_share<GROUP> * GROUP; k += GROUP) {
    const unsigned y = first_y + (first_x + k) / nx, z = first_z + y / ny;
    if (z >= nz)
      return 0;
    const int64_t p[3] = {first[0] + (first_x + k) % nx, first[1] + y % ny, first[2] + z};
    double t[3];
    for (int a = 0; a < 3; ++a)
      t[a] = tsr_axis_parameter(&f.space, &f.lattice, a, first[a], last[a], p[a]);
    const double e = fabs(
        tsr_load(&rule.array, tsr_point_at(&f.lattice, p) * rule.array.components + component) -
        tsr_multilinear(f.lattice.dimension, corner, t));
    if (!tsr_finite(e) || (e > rule.threshold && e > rounding))
      return 1;
  }
  return 0;
}

// 1 in every thread of the group if any of them has found a point.
template <int GROUP> static __device__ int tsr_any_of(int found) {
  return GROUP == 1    ? found
         : GROUP == 32 ? __any_sync(0xffffffffu, found)
                       : __syncthreads_or(found);
}

template <int GROUP>
static __device__ int tsr_node_is_far(const tsr_grid_frame &f, const tsr_rule &rule, int level,
                                      const int64_t i[3], int lane) {
  int64_t first[3], last[3], points = 1;
  tsr_node_points(&f.lattice, level, i, first, last);
  for (int a = 0; a < 3; ++a)
    points *= last[a] - first[a] + 1;
  for (int c = 0; c < rule.array.components; ++c) {
    double corner[8];
    if (rule.component >= 0 && c != rule.component)
      continue;
    tsr_node_corner_values(&f.lattice, &rule.array, c, level, i, corner);
    for (int64_t begin = 0; begin < points; begin += tsr_error_share<GROUP> * GROUP)
      if (tsr_any_of<GROUP>(tsr_far_point<GROUP>(f, rule, c, first, last, corner, begin, lane)))
        return 1;
  }
  return 0;
}

#endif
