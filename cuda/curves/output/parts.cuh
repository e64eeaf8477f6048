// SPDX-License-Identifier: BSD-3-Clause
// The parts of a piece of the output. Kernels make one part after another, and each is copied to
// the host while the next one is made.
#ifndef TSR_CURVES_OUTPUT_PARTS_CUH
#define TSR_CURVES_OUTPUT_PARTS_CUH

#include "cuda/curves/plan.cuh"
#include "cuda/curves/strategy/kernels.cuh"

struct tsr_fill_part {
  int64_t span_begin, span_end, point_begin, point_end;
  int64_t segments; // segments of the piece before this part
  cudaEvent_t made; // happens when the points are made
};

// The parts of the piece that is being made; the object is used for one piece after another.
struct tsr_fill_parts {
  std::vector<tsr_fill_part> list;
  ~tsr_fill_parts();
};

// Cuts a piece into at least one and at most `most` parts, none of them empty.
tsr_status tsr_cut_parts(tsr_fill_parts *parts, const tsr_fill_piece &piece, int most,
                         const tsr_opened &plan, tsr_error *error);

#endif
