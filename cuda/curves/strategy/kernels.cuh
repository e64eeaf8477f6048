// SPDX-License-Identifier: BSD-3-Clause
// The fill's kernels that launch nothing. All are started on a stream and return CUDA's error.
#ifndef TSR_KERNELS_CUH
#define TSR_KERNELS_CUH

#include "cuda/curves/plan.cuh"
#include "cuda/curves/strategy/range.cuh"

// How blocks are launched: expert settings of the execution.
struct tsr_launch {
  cudaStream_t stream;
  int block, cluster, carveout; // 0, 0, -1: not asked for
  tsr_device_state *state;
};

// Launches `kernel` with the expert settings; the grid is rounded up to whole clusters.
cudaError_t tsr_launch_kernel(const tsr_launch &launch, const void *kernel, int64_t blocks,
                              int threads, size_t shared, void **arguments);

// A range of spans, with its points and items.
struct tsr_piece_range {
  int64_t span_end, point_begin, point_end, item_begin, item_end;
};

// The largest piece from span_begin on with at most so many points and items; at least one span.
cudaError_t tsr_find_piece(const tsr_places &places, int64_t span_begin, int64_t most_points,
                           int64_t most_items, tsr_piece_range *range, const tsr_opened &plan);

// Most points of an item: into summary->most_points.
cudaError_t tsr_find_most_points(const tsr_places &places, tsr_plan_summary *summary,
                                 cudaStream_t stream);

// Spans that begin before a part of a piece, where it begins, and the segments of the piece before.
struct tsr_part_start {
  int64_t span, point, segments;
};

// Where `parts` parts of about as many points each begin, at spans, and where the last one ends:
// parts + 1 of them, up to 32.
cudaError_t tsr_find_parts(const tsr_fill_job &piece, int parts, tsr_part_start *starts,
                           const tsr_opened &plan);

// The first span of every tile of the piece. job: host copy; device_job: the same on the device.
cudaError_t tsr_find_tiles(const tsr_fill_job &job, const tsr_fill_job *device_job,
                           int64_t *tile_spans, cudaStream_t stream);
int64_t tsr_flat_tiles(const tsr_fill_job &job);

// The tile that a point of the piece lies in, and its first point.
int64_t tsr_flat_tile(const tsr_fill_job &job, int64_t point);
int64_t tsr_flat_begin(const tsr_fill_job &job, int64_t point);

// All points of the tiles [begin, end) of the piece.
cudaError_t tsr_fill_flat(const tsr_launch &launch, const tsr_fill_job &job,
                          const tsr_fill_job *device_job, const int64_t *tile_spans, int64_t begin,
                          int64_t end);
cudaError_t tsr_fill_blocks(const tsr_launch &launch, const tsr_fill_job &job,
                            const tsr_fill_job *device_job);

// Points of curves that have only one.
cudaError_t tsr_fill_singles(const tsr_fill_job &job, const tsr_fill_job *device_job,
                             cudaStream_t stream);

// From memory per item to the exact places.
cudaError_t tsr_gather_curves(const tsr_fill_job &job, const tsr_fill_job *device_job,
                              cudaStream_t stream);

// What belongs to cells; NULL: not wanted. first_points: of every cell.
struct tsr_cell_arrays {
  void *offsets; // n_cells + 1
  tsr_type index_type;
  int64_t *source_item, *first_points;
  double *achieved_error;
  const double *span_error;
  const int64_t *walk_start; // of the plan: walked curves have their errors from there
  const double *walk_error;
  double rounding; // of the criteria: part of the error
};
cudaError_t tsr_make_cells(const tsr_places &places, const tsr_cell_arrays &arrays,
                           cudaStream_t stream);

#endif
