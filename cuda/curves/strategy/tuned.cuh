// SPDX-License-Identifier: BSD-3-Clause
// Kernels tuned for the most common case: every curve is one open, polynomial Bezier span of degree
// 2 or 3, points are floats in the input and the output, and steps of the parameter are equal.
// Their speed is limited by memory.
//
// Bytes that must move, once: 4 x 3 x order + 8 for each curve, and 4 x components for each point.
#ifndef TSR_CURVES_STRATEGY_TUNED_CUH
#define TSR_CURVES_STRATEGY_TUNED_CUH

#include "cuda/curves/strategy/kernels.cuh"

// Decides whether the tuned kernels can make the plan. If so, packs its control points.
tsr_status tsr_tuned_open(tsr_curves_device *plan, tsr_error *error);

// Finds the tiles of the fill, once segment_start holds the prefix sums of the counts. If a block's
// shared memory is too small for a tile's curves, plan->tuned.tile stays 0.
tsr_status tsr_tuned_tiles(tsr_curves_device *plan, tsr_error *error);

// Points that a block of the fill makes, given the total number of points and curves: a multiple of
// 512.
int tsr_tuned_tile_for(int64_t n_points, int64_t n_lines);

// Finds the first curve of each tile, with the number of curves at the end of the list, and the
// largest number of curves in a tile.
cudaError_t tsr_tuned_find_tiles(const int64_t *segment_start, int64_t n_lines, int64_t n_points,
                                 int tile, int64_t *tile_lines, int *most_lines,
                                 cudaStream_t stream);

// True if the tuned kernel can count by these criteria.
bool tsr_tuned_counts(const tsr_curves_criteria &criteria);
cudaError_t tsr_tuned_count(const tsr_tuned &tuned, const tsr_curves_criteria &criteria,
                            int64_t n_lines, int64_t *counts, uint8_t *limited,
                            tsr_plan_summary *summary, cudaStream_t stream);

// Packs the control values of a float array of 1 or 3 components: `order` x `components` values for
// each curve.
cudaError_t tsr_tuned_pack(const tsr_curves_view &view, const tsr_array &array, int order,
                           float *packed, cudaStream_t stream);

// Arguments of a tuned fill.
struct tsr_tuned_params {
  const float *packed;
  const int64_t *segment_start, *tile_lines;
  int64_t n_lines, n_points;
  int tile, most_lines, order, components;
  float *out; // n_points x components
};
cudaError_t tsr_tuned_fill(cudaStream_t stream, const tsr_tuned_params &params);

// As tsr_tuned_fill, but with one block for each curve.
cudaError_t tsr_tuned_blocks(cudaStream_t stream, const tsr_tuned_params &params);

#endif
