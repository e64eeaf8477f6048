// SPDX-License-Identifier: BSD-3-Clause
// The parts of a piece: kernels make one after another, and each goes over the bus meanwhile.
#ifndef TSR_PARTS_CUH
#define TSR_PARTS_CUH

#include "cuda/curves/plan.cuh"
#include "cuda/curves/strategy/kernels.cuh"

struct tsr_fill_part {
  int64_t span_begin, span_end, point_begin, point_end;
  int64_t segments; // of the piece, before it
  cudaEvent_t made; // its points are there
};

// Those of one piece after another.
struct tsr_fill_parts {
  std::vector<tsr_fill_part> list;
  ~tsr_fill_parts();
};

// Cuts a piece into `most` parts or fewer, the empty ones left out; at least one.
tsr_status tsr_cut_parts(tsr_fill_parts *parts, const tsr_fill_job &piece, int most,
                         const tsr_opened &plan, tsr_error *error);

#endif
