// SPDX-License-Identifier: BSD-3-Clause
// The kernels that make a piece of the output: those of the strategy, and the tuned ones.
#include "cuda/common/policy.cuh"
#include "cuda/curves/output/steps.cuh"
#include "cuda/curves/span/spans.cuh"
#include "cuda/curves/strategy/children.cuh"
#include "cuda/curves/strategy/tuned.cuh"

#include <algorithm>

namespace {

typedef tsr_filling filling;

// One array by its tuned kernel.
tsr_status run_tuned(filling *f, const tsr_point_array &array, tsr_error *error) {
  tsr_curves_device *plan = f->plan;
  float *packed = plan->tuned.packed;
  const bool positions = array.in.data == plan->view.points.data && array.components == 3;
  if (!positions) {
    TSR_STEP(f->memory.get(&packed, plan->view.n_items * plan->tuned.order * array.components,
                           "the control values", error));
    TSR_CUDA(tsr_tuned_pack(plan->view, array.in, plan->tuned.order, packed, plan->stream),
             "packing the control values");
  }
  const tsr_tuned_params params = {packed,
                                   plan->segment_start,
                                   plan->tuned.tile_lines,
                                   plan->places.n_spans,
                                   plan->places.n_points,
                                   plan->tuned.tile,
                                   plan->tuned.most_lines,
                                   plan->tuned.order,
                                   array.components,
                                   (float *)array.out};
  if (f->request->report->strategy == TSR_STRATEGY_BLOCK_PER_ITEM)
    TSR_CUDA(tsr_tuned_blocks(f->plan->stream, params), "filling by a block a curve");
  else
    TSR_CUDA(tsr_tuned_fill(f->plan->stream, params), "filling by tiles");
  if (!positions)
    f->memory.free_one(packed);
  return TSR_OK;
}

// Memory for the piece's curves from the device heap, where that is the output memory.
tsr_status take_heap(filling *f, const tsr_fill_piece &piece, const tsr_fill_piece *device_piece,
                     tsr_error *error) {
  int failures = 0;
  size_t bytes = 0;
  if (!piece.heap)
    return TSR_OK;
  TSR_STEP(tsr_heap_take(f->plan->state->device, piece, device_piece, &f->memory, f->plan->stream,
                         &failures, error));
  if (failures == 0)
    return TSR_OK;
  TSR_CUDA(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize),
           "reading the size of the device heap");
  return tsr_cuda_refuse(error, TSR_NO_MEMORY,
                         "the device heap of %llu bytes is too small: %d curves got no memory from "
                         "it",
                         (unsigned long long)bytes, failures);
}

// 1 if a thread a span makes the points: they have few, no span has so many that the others would
// wait for it.
bool fills_by_spans(const filling &f) {
  const tsr_curves_device &plan = *f.plan;
  return tsr_points_of(plan).fill && !tsr_fills_per_item(f) &&
         plan.criteria.sampling != TSR_SAMPLING_UNIFORM &&
         plan.places.n_points < tsr_policy::span_points * plan.places.n_spans &&
         plan.found.most_segments <= tsr_policy::span_segments;
}

// Parts that the piece is made in.
int parts_of(const filling &f, const tsr_fill_piece &piece) {
  const int64_t bytes = (piece.point_end - piece.point_begin) * f.down_bytes;
  const bool cuts = f.request->report->strategy == TSR_STRATEGY_FLAT && !tsr_fills_per_item(f) &&
                    std::find(f.tuned.begin(), f.tuned.end(), 1) == f.tuned.end();
  return cuts ? (int)std::max<int64_t>(
                    1, std::min<int64_t>(tsr_policy::most_parts, bytes / tsr_policy::part_bytes))
              : 1;
}

// A tile that lies across the end of a part is made with the next one, which has the leaves for it:
// its points go with that one, too.
void end_at_tiles(const tsr_fill_piece &piece, tsr_fill_parts *parts) {
  for (tsr_fill_part &part : parts->list) {
    part.point_begin = tsr_flat_begin(piece, part.point_begin);
    if (part.point_end < piece.point_end)
      part.point_end = tsr_flat_begin(piece, part.point_end);
  }
}

// The leaves of a part, where counting has not left them.
tsr_status make_leaves(const filling &f, const tsr_fill_piece &piece, const tsr_fill_part &part,
                       tsr_error *error) {
  const tsr_curves_device &plan = *f.plan;
  tsr_fill_piece own = piece;
  own.span_begin = part.span_begin;
  own.span_end = part.span_end;
  if (tsr_fill_makes_leaves(f) && part.span_end > part.span_begin)
    TSR_CUDA(tsr_count_of(plan).leaves(own, plan, (uint32_t *)piece.leaves + part.segments),
             "making the leaves");
  return TSR_OK;
}

// A part by the kernels that know of parts: all of a piece that is not cut.
tsr_status run_part(filling *f, const tsr_fill_piece &piece, const tsr_fill_piece *device_piece,
                    const tsr_fill_part &part, tsr_error *error) {
  const bool last = part.span_end == piece.span_end;
  const int64_t begin = tsr_flat_tile(piece, part.point_begin);
  const int64_t end = last ? tsr_flat_tiles(piece) : tsr_flat_tile(piece, part.point_end);
  if (fills_by_spans(*f)) {
    TSR_CUDA(tsr_points_of(*f->plan).fill(device_piece, part.span_begin, part.span_end,
                                          part.point_end - part.point_begin, f->plan->stream),
             "filling by spans");
    return TSR_OK;
  }
  if (!f->tile_spans) {
    TSR_STEP(f->memory.get(&f->tile_spans, tsr_flat_tiles(piece), "the tiles", error));
    TSR_CUDA(tsr_find_tiles(piece, device_piece, f->tile_spans, f->plan->stream), "finding tiles");
  }
  if (end > begin)
    TSR_CUDA(tsr_fill_flat(f->plan->stream, piece, device_piece, f->tile_spans, begin, end),
             "filling by tiles");
  return TSR_OK;
}

// The strategy's kernels, for the arrays that have no tuned one, and what brings the curves from
// memory of their own to their places. *timed: 1 where children were timed by themselves.
tsr_status run_strategy(filling *f, const tsr_fill_piece &piece, const tsr_fill_piece *device_piece,
                        const tsr_fill_part &part, bool *timed, tsr_error *error) {
  const int strategy = f->request->report->strategy;
  TSR_STEP(take_heap(f, piece, device_piece, error));
  if (strategy == TSR_STRATEGY_FLAT || strategy == TSR_STRATEGY_RECURSIVE_CHILDREN) {
    TSR_STEP(run_part(f, piece, device_piece, part, error));
  } else if (strategy == TSR_STRATEGY_BLOCK_PER_ITEM) {
    TSR_CUDA(tsr_fill_blocks(f->plan->stream, piece, device_piece), "filling by a block a curve");
  } else {
    TSR_STEP(tsr_children_fill(f->plan, f->request, piece, device_piece, error));
    *timed = !tsr_fills_per_item(*f);
  }
  if (tsr_fills_per_item(*f))
    TSR_CUDA(tsr_gather_curves(piece, device_piece, f->plan->stream), "gathering the curves");
  return TSR_OK;
}

// All parts of the piece.
tsr_status run_parts(filling *f, const tsr_fill_piece &piece, const tsr_fill_piece *device_piece,
                     bool *timed, tsr_error *error) {
  for (const tsr_fill_part &part : f->parts.list) {
    TSR_STEP(make_leaves(*f, piece, part, error));
    if (piece.n_arrays > 0 && piece.span_end > piece.span_begin) {
      const tsr_status status = run_strategy(f, piece, device_piece, part, timed, error);
      const cudaError_t freed =
          piece.heap ? tsr_heap_free(piece, device_piece, f->plan->stream) : cudaSuccess;
      TSR_STEP(status);
      TSR_CUDA(freed, "freeing the device heap");
    }
    TSR_CUDA(cudaEventRecord(part.made, f->plan->stream), "filling the points");
  }
  return TSR_OK;
}

} // namespace

tsr_status tsr_run_piece(filling *f, const tsr_fill_piece &piece,
                         const tsr_fill_piece *device_piece, tsr_error *error) {
  tsr_curves_device *plan = f->plan;
  bool timed = false;
  TSR_STEP(tsr_cut_parts(&f->parts, piece, parts_of(*f, piece), *plan, error));
  if (!fills_by_spans(*f))
    end_at_tiles(piece, &f->parts);
  if (piece.n_arrays > 0 && plan->found.note_count[TSR_NOTE_ONE_POINT] > 0)
    TSR_CUDA(tsr_fill_singles(piece, device_piece, plan->stream), "filling single points");
  TSR_CUDA(cudaEventRecord(plan->begin, plan->stream), "filling the points");
  for (size_t a = 0; a < f->arrays.size(); ++a)
    if (f->tuned[a])
      TSR_STEP(run_tuned(f, f->arrays[a], error));
  TSR_STEP(run_parts(f, piece, device_piece, &timed, error));
  if (!timed)
    TSR_CUDA(cudaEventRecord(plan->end, plan->stream), "filling the points");
  if (f->span_error && piece.span_end > piece.span_begin)
    TSR_CUDA(tsr_points_of(*plan).errors(piece, f->span_error, &plan->summary->stop, plan->stream),
             "bounding the errors");
  return tsr_find_classes(f, piece, error);
}
