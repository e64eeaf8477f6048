// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/curves/output/parts.cuh"

#include "cuda/common/policy.cuh"

static void drop_parts(tsr_fill_parts *parts) {
  for (const tsr_fill_part &part : parts->list)
    if (part.made)
      tsr_cuda_drop(cudaEventDestroy(part.made));
  parts->list.clear();
}

tsr_fill_parts::~tsr_fill_parts() { drop_parts(this); }

tsr_status tsr_cut_parts(tsr_fill_parts *parts, const tsr_fill_piece &piece, int most,
                         const tsr_opened &plan, tsr_error *error) {
  tsr_part_start starts[tsr_policy::most_parts + 1] = {{piece.span_begin, piece.point_begin, 0},
                                                       {piece.span_end, piece.point_end, 0}};
  drop_parts(parts);
  if (most > 1)
    TSR_CUDA(tsr_find_parts(piece, most, starts, plan), "cutting the output into parts");
  for (int k = 0; k < most; ++k) {
    const tsr_part_start &a = starts[k], &b = starts[k + 1];
    if (most > 1 && a.span == b.span)
      continue;
    parts->list.push_back({a.span, b.span, a.point, b.point, a.segments, nullptr});
    TSR_CUDA(cudaEventCreateWithFlags(&parts->list.back().made, cudaEventDisableTiming),
             "making an event");
  }
  return TSR_OK;
}
