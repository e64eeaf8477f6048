// SPDX-License-Identifier: BSD-3-Clause
// The kernels of the fill that launch no other kernels. Each function starts its kernel on a stream
// and returns CUDA's error.
#ifndef TSR_CURVES_STRATEGY_KERNELS_CUH
#define TSR_CURVES_STRATEGY_KERNELS_CUH

#include "cuda/curves/plan.cuh"
#include "cuda/curves/strategy/range.cuh"

// Launches `kernel` with as much shared memory as it asks for. 0 blocks: a no-op.
cudaError_t tsr_launch_kernel(cudaStream_t stream, const void *kernel, int64_t blocks, int threads,
                              size_t shared, void **arguments);

// A range of spans, with its points and items.
struct tsr_piece_range {
  int64_t span_end, point_begin, point_end, item_begin, item_end;
};

// Finds the largest piece that starts at span_begin and has at most most_points points and
// most_items items. It has at least one span.
cudaError_t tsr_find_piece(const tsr_places &places, int64_t span_begin, int64_t most_points,
                           int64_t most_items, tsr_piece_range *range, const tsr_opened &plan);

// Puts the largest number of points of an item into summary->most_points.
cudaError_t tsr_find_most_points(const tsr_places &places, tsr_plan_summary *summary,
                                 cudaStream_t stream);

// Where a part of a piece starts: its first span and point, and the number of the piece's segments
// before it.
struct tsr_part_start {
  int64_t span, point, segments;
};

// Divides a piece at spans into `parts` parts, at most 32, of about as many points each. starts:
// parts + 1 entries; the last one is the end.
cudaError_t tsr_find_parts(const tsr_fill_piece &piece, int parts, tsr_part_start *starts,
                           const tsr_opened &plan);

// Finds the first span of every tile of the piece. piece: the host's copy; device_piece: the copy
// on the device.
cudaError_t tsr_find_tiles(const tsr_fill_piece &piece, const tsr_fill_piece *device_piece,
                           int64_t *tile_spans, cudaStream_t stream);
int64_t tsr_flat_tiles(const tsr_fill_piece &piece);

// The tile of a point of the piece, and the first point of that point's tile.
int64_t tsr_flat_tile(const tsr_fill_piece &piece, int64_t point);
int64_t tsr_flat_begin(const tsr_fill_piece &piece, int64_t point);

// Makes all points of the tiles [begin, end) of the piece.
cudaError_t tsr_fill_flat(cudaStream_t stream, const tsr_fill_piece &piece,
                          const tsr_fill_piece *device_piece, const int64_t *tile_spans,
                          int64_t begin, int64_t end);
cudaError_t tsr_fill_blocks(cudaStream_t stream, const tsr_fill_piece &piece,
                            const tsr_fill_piece *device_piece);

// Makes the points of curves that have only one point.
cudaError_t tsr_fill_singles(const tsr_fill_piece &piece, const tsr_fill_piece *device_piece,
                             cudaStream_t stream);

// Copies the points from the memory of each item to their final places.
cudaError_t tsr_gather_curves(const tsr_fill_piece &piece, const tsr_fill_piece *device_piece,
                              cudaStream_t stream);

// Arrays of cells to be made; NULL: not wanted.
struct tsr_cell_arrays {
  void *offsets; // n_cells + 1
  tsr_type index_type;
  int64_t *source_item, *first_points;
  double *achieved_error;
  const double *span_error;
  const int64_t
      *walk_start; // of the plan; curves that were coarsened have their errors from walk_error
  const double *walk_error;
  double rounding; // bound of the rounding error, which the criteria add to the error
};
cudaError_t tsr_make_cells(const tsr_places &places, const tsr_cell_arrays &arrays,
                           cudaStream_t stream);

#endif
