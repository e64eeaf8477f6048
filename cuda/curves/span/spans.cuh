// SPDX-License-Identifier: BSD-3-Clause
// Kernels that give each span to one thread, or to a few. They are compiled once for any span, and
// once for each degree from 1 to 7 for plans whose spans are all polynomial and of that degree
// (curves/span/degree.h). The code is in count_body.cuh and points_body.cuh. Each function starts a
// kernel on a stream and returns CUDA's error.
#ifndef TSR_CURVES_SPAN_SPANS_CUH
#define TSR_CURVES_SPAN_SPANS_CUH

#include "cuda/curves/coarsen/coarsen.cuh"
#include "cuda/curves/strategy/kernels.cuh"

struct tsr_count_kernels {
  // EQUAL_ERROR: counts the spans for which one segment is enough, and lists the other ones in
  // plan->searched.
  cudaError_t (*whole)(const tsr_curves_device &plan);

  // Counts the segments of n spans: EQUAL_ERROR: of those in plan->searched, otherwise of all. Also
  // fills plan->choices (EQUAL_ERROR) and plan->few if they are allocated. Counting may end early
  // once it has found more than `limit` segments.
  cudaError_t (*count)(const tsr_curves_device &plan, int64_t n, int64_t limit);

  // Lists the piece's leaves in order. Uses what counting left in the plan, so that nothing is
  // searched twice. After an abort the list is incomplete.
  cudaError_t (*leaves)(const tsr_fill_piece &piece, const tsr_curves_device &plan,
                        uint32_t *leaves);
};
extern const tsr_count_kernels tsr_count_any, tsr_count_1, tsr_count_2, tsr_count_3, tsr_count_4,
    tsr_count_5, tsr_count_6, tsr_count_7;

struct tsr_points_kernels {
  // Makes the vertices that coarsening compares. NULL above degree 3: such
  // cells are one span each, so there is no joint to drop.
  cudaError_t (*vertices)(const tsr_thinning &it, int64_t n_segments, const int *stop,
                          cudaStream_t stream);

  // Bounds the chord error of each of the piece's spans; span_error[0] is that of span_begin.
  cudaError_t (*errors)(const tsr_fill_piece &piece, double *span_error, const int *stop,
                        cudaStream_t stream);

  // Makes all points of the spans [begin, end) of the piece, so many, at their final places. NULL
  // in the kernels for any span.
  cudaError_t (*fill)(const tsr_fill_piece *device_piece, int64_t begin, int64_t end,
                      int64_t points, cudaStream_t stream);
};
extern const tsr_points_kernels tsr_points_any, tsr_points_1, tsr_points_2, tsr_points_3,
    tsr_points_4, tsr_points_5, tsr_points_6, tsr_points_7;

// The common degree of all spans, if kernels are compiled for it and for the plan's criteria;
// otherwise 0.
static inline int tsr_one_degree(const tsr_curves_device &plan) {
  const int degree = plan.found.least_degree;
  return degree == plan.found.most_degree && degree >= 1 && degree <= 7 &&
                 !plan.criteria.off_curve && !plan.criteria.use_curvature
             ? degree
             : 0;
}

static inline const tsr_count_kernels &tsr_count_of(const tsr_curves_device &plan) {
  const tsr_count_kernels *const made[] = {&tsr_count_1, &tsr_count_2, &tsr_count_3, &tsr_count_4,
                                           &tsr_count_5, &tsr_count_6, &tsr_count_7};
  const int degree = tsr_one_degree(plan);
  return degree > 0 ? *made[degree - 1] : tsr_count_any;
}

static inline const tsr_points_kernels &tsr_points_of(const tsr_curves_device &plan) {
  const tsr_points_kernels *const made[] = {&tsr_points_1, &tsr_points_2, &tsr_points_3,
                                            &tsr_points_4, &tsr_points_5, &tsr_points_6,
                                            &tsr_points_7};
  const int degree = tsr_one_degree(plan);
  return degree > 0 ? *made[degree - 1] : tsr_points_any;
}

#endif
