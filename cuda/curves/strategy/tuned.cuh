// SPDX-License-Identifier: BSD-3-Clause
// The plainest case, as fast as the memory goes: every curve is one open, polynomial Bezier span of
// degree 2 or 3, with float points in and out and equal steps of the parameter.
//
// Bytes that must move: (4 x 3 x order + 8) a curve and 4 x components a point, once.
#ifndef TSR_TUNED_CUH
#define TSR_TUNED_CUH

#include "cuda/curves/strategy/kernels.cuh"

// Decides whether the plan is that case, and packs its control points.
tsr_status tsr_tuned_open(tsr_curves_device *plan, tsr_error *error);

// Finds the tiles of the fill, once the counts are summed up; where the memory of a block is too
// small for them plan->tuned.tile stays 0.
tsr_status tsr_tuned_tiles(tsr_curves_device *plan, tsr_error *error);

// Points a block of the fill makes, for so many points and curves in all: a multiple of 512.
int tsr_tuned_tile_for(int64_t n_points, int64_t n_lines);

// The first curve of each tile, the number of curves behind them, and the most that a tile has.
cudaError_t tsr_tuned_find_tiles(const int64_t *segment_start, int64_t n_lines, int64_t n_points,
                                 int tile, int64_t *tile_lines, int *most_lines,
                                 cudaStream_t stream);

// 1 if the tuned kernel counts by these criteria.
bool tsr_tuned_counts(const tsr_criteria &criteria);
cudaError_t tsr_tuned_count(const tsr_tuned &tuned, const tsr_criteria &criteria, int64_t n_lines,
                            int64_t *counts, uint8_t *limited, tsr_plan_summary *summary,
                            cudaStream_t stream);

// Control values of a float array of 1 or 3 components, `order` x `components` a curve.
cudaError_t tsr_tuned_pack(const tsr_curves_view &view, const tsr_array &array, int order,
                           float *packed, cudaStream_t stream);

// What a fill needs.
struct tsr_tuned_job {
  const float *packed;
  const int64_t *segment_start, *tile_lines;
  int64_t n_lines, n_points;
  int tile, most_lines, order, components;
  float *out; // n_points x components
};
cudaError_t tsr_tuned_fill(const tsr_launch &launch, const tsr_tuned_job &job);

// The same by a block a curve.
cudaError_t tsr_tuned_blocks(const tsr_launch &launch, const tsr_tuned_job &job);

#endif
