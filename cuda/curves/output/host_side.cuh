// SPDX-License-Identifier: BSD-3-Clause
// Output that the host computes itself: ids that follow from the sizes, and arc lengths, which are
// sums along a curve.
#ifndef TSR_CURVES_OUTPUT_HOST_SIDE_CUH
#define TSR_CURVES_OUTPUT_HOST_SIDE_CUH

#include "cuda/common/common.cuh"
#include "curves/tessera_curves.h"

struct tsr_host_side {
  const tsr_curves_output *out;
  int64_t n_cells, n_points, n_connectivity;
  int closed;                   // 1: some curve is closed, and offsets and first_points are filled
  std::vector<int64_t> offsets; // n_cells + 1
  std::vector<int64_t> first_points; // n_cells + 1
};

// Writes the length of the polyline of points [first, end) up to each of them.
template <class T>
static __host__ __device__ void tsr_arc_lengths(const T *points, T *lengths, int64_t first,
                                                int64_t end) {
  double length = 0.0;
  for (int64_t p = first; p < end; ++p) {
    double d2 = 0.0;
    for (int k = 0; p > first && k < 3; ++k) {
      const double d = (double)points[3 * p + k] - (double)points[3 * (p - 1) + k];
      d2 += d * d;
    }
    length += sqrt(d2);
    lengths[p] = (T)length;
  }
}

// Tasks for the host's threads, over a range of connectivity entries, cells and cells. data: a
// tsr_host_side.
void tsr_iota_task(void *data, int64_t begin, int64_t end);         // of connectivity entries
void tsr_connectivity_task(void *data, int64_t begin, int64_t end); // of cells
void tsr_arc_length_task(void *data, int64_t begin, int64_t end);   // of cells

#endif
