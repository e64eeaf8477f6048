// SPDX-License-Identifier: BSD-3-Clause
// Kernels of a thread or a few a span, which are compiled for any span, and for spans that are all
// polynomial and of one degree, from 2 to 7 (curves/span/degree.h). What they do is in
// count_body.cuh and points_body.cuh. All are started on a stream and return CUDA's error.
#ifndef TSR_SPANS_CUH
#define TSR_SPANS_CUH

#include "cuda/curves/coarsen/coarsen.cuh"
#include "cuda/curves/strategy/kernels.cuh"

struct tsr_count_kernels {
  // Segments of every span; EQUAL_ERROR: and plan->choices; where there is room, and plan->few.
  // limit: counting may end beyond it.
  cudaError_t (*count)(const tsr_curves_device *plan, int64_t limit);

  // The piece's leaves, in order, by what the plan has of the count, so that nothing is searched
  // again. Where the caller wants to stop they stay incomplete.
  cudaError_t (*leaves)(const tsr_fill_job &job, const tsr_curves_device &plan, uint32_t *leaves);
};
extern const tsr_count_kernels tsr_count_any, tsr_count_2, tsr_count_3, tsr_count_4, tsr_count_5,
    tsr_count_6, tsr_count_7;

struct tsr_points_kernels {
  // The vertices that coarsening compares; NULL above degree 3, where no item has two spans.
  cudaError_t (*vertices)(const tsr_thinning &it, int64_t n_segments, const int *stop,
                          cudaStream_t stream);

  // Bounds of the chord error of the piece's spans, from span_begin on.
  cudaError_t (*errors)(const tsr_fill_job &job, double *span_error, const int *stop,
                        cudaStream_t stream);

  // All points of the spans [begin, end) of the piece, in exact places; NULL: not for any span.
  cudaError_t (*fill)(const tsr_fill_job *device_job, int64_t begin, int64_t end,
                      cudaStream_t stream);
};
extern const tsr_points_kernels tsr_points_any, tsr_points_2, tsr_points_3, tsr_points_4,
    tsr_points_5, tsr_points_6, tsr_points_7;

// The degree that all spans of the plan have and that kernels were compiled for, or 0.
static inline int tsr_one_degree(const tsr_curves_device &plan) {
  const int degree = plan.found.least_degree;
  return degree == plan.found.most_degree && degree >= 2 && degree <= 7 &&
                 !plan.criteria.off_curve && !plan.criteria.use_curvature
             ? degree
             : 0;
}

static inline const tsr_count_kernels &tsr_count_of(const tsr_curves_device &plan) {
  const tsr_count_kernels *const made[] = {&tsr_count_2, &tsr_count_3, &tsr_count_4,
                                           &tsr_count_5, &tsr_count_6, &tsr_count_7};
  const int degree = tsr_one_degree(plan);
  return degree > 0 ? *made[degree - 2] : tsr_count_any;
}

static inline const tsr_points_kernels &tsr_points_of(const tsr_curves_device &plan) {
  const tsr_points_kernels *const made[] = {&tsr_points_2, &tsr_points_3, &tsr_points_4,
                                            &tsr_points_5, &tsr_points_6, &tsr_points_7};
  const int degree = tsr_one_degree(plan);
  return degree > 0 ? *made[degree - 2] : tsr_points_any;
}

#endif
