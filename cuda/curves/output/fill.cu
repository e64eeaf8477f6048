// SPDX-License-Identifier: BSD-3-Clause
// The fill: which arrays, in which pieces, by which strategy, and back to the caller.
#include "cuda/curves/output/fill.cuh"

#include "cuda/common/memory/callers.cuh"
#include "cuda/common/memory/large_pages.cuh"
#include "cuda/common/memory/made.cuh"
#include "cuda/common/transfer/reuse.cuh"
#include "cuda/common/transfer/transfer.cuh"
#include "cuda/curves/output/steps.cuh"
#include "cuda/curves/strategy/tuned.cuh"
#include "cuda/curves/waiting.cuh"

#include <algorithm>

namespace {

typedef tsr_filling filling;

void add_array(filling *f, tsr_content content, const tsr_array &in, tsr_type type, int components,
               void *host) {
  tsr_point_array array = {};
  if (!host)
    return;
  array.content = content;
  array.in = in;
  array.type = type;
  array.components = components;
  array.tuple_bytes = (int64_t)tsr_type_size(type) * components;
  f->arrays.push_back(array);
  f->host.push_back((char *)host);
}

// Which arrays of the caller lie on the device, so that the kernels write there.
tsr_status find_places(filling *f, tsr_error *error) {
  const tsr_curves_output &out = *f->out;
  bool there, points_there;
  for (size_t a = 0; a < f->arrays.size(); ++a) {
    TSR_STEP(tsr_find_output(f->plan, f->host[a], &there, error));
    f->stays.push_back(there);
    f->record_bytes += f->arrays[a].tuple_bytes;
    f->down_bytes += there ? 0 : f->arrays[a].tuple_bytes;
  }
  TSR_STEP(tsr_find_output(f->plan, out.connectivity, &there, error));
  f->ids_stay = there;
  TSR_STEP(tsr_find_output(f->plan, out.arc_length, &there, error));
  TSR_STEP(tsr_find_output(f->plan, out.points, &points_there, error));
  f->lengths_stay = there;
  if (out.arc_length && there != points_there)
    return tsr_cuda_refuse(error, TSR_BAD_OPTION,
                           "arc lengths follow from the points: both must lie on the device, or "
                           "both on the host");
  return TSR_OK;
}

// All arrays that are wanted; those of attributes are uploaded.
tsr_status list_arrays(filling *f, tsr_error *error) {
  const tsr_curves_output &out = *f->out;
  const tsr_array none = {};
  std::vector<tsr_array> in((size_t)out.n_attributes);
  std::vector<void *> to((size_t)out.n_attributes);
  for (int a = 0; a < out.n_attributes; ++a)
    in[(size_t)a] = out.attributes[a].in;
  TSR_STEP(tsr_upload(f->plan, f->request->execution, f->request->report, &f->memory, false, in,
                      to.data(), error));
  add_array(f, TSR_CONTENT_CURVE, f->plan->view.points, out.points_type, 3, out.points);
  for (int a = 0; a < out.n_attributes; ++a) {
    const tsr_attribute &attribute = out.attributes[a];
    const tsr_content content = attribute.mode == TSR_INTERPOLATE_NEAREST  ? TSR_CONTENT_NEAREST
                                : attribute.mode == TSR_INTERPOLATE_LINEAR ? TSR_CONTENT_LINEAR
                                                                           : TSR_CONTENT_CURVE;
    in[(size_t)a].data = to[(size_t)a];
    add_array(f, content, in[(size_t)a], attribute.in.type, attribute.in.components, attribute.out);
    f->arrays.back().copies_ends = 1;
  }
  add_array(f, TSR_CONTENT_ID, none, TSR_INT64, 1, out.nearest_point);
  add_array(f, TSR_CONTENT_PARAMETER, none, out.points_type, 1, out.parameter);
  add_array(f, TSR_CONTENT_CURVATURE, none, out.points_type, 1, out.curvature);
  add_array(f, TSR_CONTENT_TANGENTS, none, out.points_type, 3, out.tangents);
  return find_places(f, error);
}

// Device memory that the output may take at once.
tsr_status memory_for_output(const filling &f, int64_t *bytes, tsr_error *error) {
  int64_t outside, pooled;
  TSR_STEP(tsr_free_memory(f.plan->state, &outside, &pooled, error));
  *bytes = outside / 10 * 9 + pooled + tsr_made_waiting(f.plan->state->device);
  if (f.request->launch->device_bytes > 0)
    *bytes = std::min(*bytes, f.request->launch->device_bytes);
  return TSR_OK;
}

// How large pieces may be.
tsr_status size_pieces(filling *f, tsr_error *error) {
  const tsr_places &places = f->plan->places;
  int64_t bytes = 0;
  TSR_STEP(memory_for_output(*f, &bytes, error));
  f->most_items = INT64_MAX / 2;
  if (tsr_fills_per_item(*f) && places.n_items > 0) {
    TSR_CUDA(tsr_find_most_points(places, f->plan->summary, f->plan->stream), "sizing the slots");
    TSR_STEP(tsr_read_summary(f->plan, error));
    f->slot_bytes = tsr_slot_offset(f->arrays.data(), (int)f->arrays.size(),
                                    (int64_t)f->plan->found.most_points);
    bytes /= 2;
    if (f->request->report->output_memory == TSR_MEMORY_WORST_CASE)
      f->most_items = std::max<int64_t>(1, bytes / std::max<int64_t>(1, f->slot_bytes));
  }
  if (f->request->report->output_memory == TSR_MEMORY_DEVICE_HEAP) {
    // Its own bookkeeping and its pages take about as much again.
    const int64_t needed =
        2 * (places.n_points * f->record_bytes + places.n_items * 128 * (int64_t)f->arrays.size()) +
        ((int64_t)32 << 20);
    int64_t heap = 0;
    TSR_STEP(
        f->heap.prepare(f->request->launch->heap_bytes, std::min(needed, bytes / 2), &heap, error));
    bytes = std::min(bytes, heap / 4);
    f->most_items = std::max<int64_t>(1, heap / 4 / (128 * (int64_t)f->arrays.size() + 1));
  }
  const int64_t record = tsr_fills_per_item(*f) ? f->record_bytes : f->down_bytes;
  f->most_points = std::max<int64_t>(1, bytes / (record + 4 + 1));
  return TSR_OK;
}

// Arrays that the tuned kernels make: none, unless the whole output is one piece.
void choose_tuned(filling *f) {
  const tsr_curves_device *plan = f->plan;
  const int strategy = f->request->report->strategy;
  const bool usable = plan->tuned.tile > 0 && !tsr_fills_per_item(*f) &&
                      f->most_points >= plan->places.n_points &&
                      (strategy == TSR_STRATEGY_FLAT || strategy == TSR_STRATEGY_BLOCK_PER_ITEM);
  f->tuned.clear();
  for (const tsr_point_array &array : f->arrays)
    f->tuned.push_back(usable && array.content == TSR_CONTENT_CURVE && array.in.type == TSR_FLOAT &&
                       array.type == TSR_FLOAT && (array.components == 1 || array.components == 3));
}

// The next piece's range, from span_begin on.
tsr_status next_piece(const filling &f, int64_t span_begin, tsr_piece_range *range,
                      tsr_error *error) {
  const tsr_places &places = f.plan->places;
  if (span_begin == 0 && (places.n_spans == 0 ||
                          (f.most_points >= places.n_points && f.most_items >= places.n_items))) {
    *range = {places.n_spans, 0, places.n_points, 0, places.n_items};
    return TSR_OK;
  }
  TSR_CUDA(tsr_find_piece(places, span_begin, f.most_points, f.most_items, range, *f.plan),
           "cutting the output into pieces");
  return TSR_OK;
}

// Places for the piece's items, beside the exact ones.
tsr_status get_slots(filling *f, tsr_fill_piece *piece, tsr_error *error) {
  const int64_t items = piece->item_end - piece->item_begin;
  if (f->request->report->output_memory == TSR_MEMORY_WORST_CASE) {
    piece->slot_bytes = f->slot_bytes;
    return f->memory.get((void **)&piece->slots, std::min(items, f->most_items),
                         (size_t)f->slot_bytes, "the slots of curves", error);
  }
  if (f->request->report->output_memory != TSR_MEMORY_DEVICE_HEAP)
    return TSR_OK;
  TSR_STEP(f->memory.get(&piece->heap, items, "the pointers to the device heap", error));
  TSR_CUDA(cudaMemsetAsync(piece->heap, 0, (size_t)items * sizeof(char *), f->plan->stream),
           "preparing the device heap");
  return TSR_OK;
}

// The share of the whole progress when the points before this one are made.
double done_before(const filling &f, int64_t point) {
  return 0.4 + 0.5 * (double)point / (double)std::max<int64_t>(1, f.plan->places.n_points);
}

// Makes the piece: its output arrays, its leaves, and its copy on the device.
tsr_status get_piece(filling *f, int64_t span_begin, const tsr_piece_range &range,
                     tsr_fill_piece *piece, tsr_fill_piece **device_piece, tsr_error *error) {
  const tsr_curves_device *plan = f->plan;
  const int64_t points = range.point_end - range.point_begin;
  *piece = {};
  piece->view = plan->view;
  piece->criteria = plan->criteria;
  piece->places = plan->places;
  piece->span_begin = span_begin;
  piece->span_end = range.span_end;
  piece->point_begin = range.point_begin;
  piece->point_end = range.point_end;
  piece->item_begin = range.item_begin;
  piece->item_end = range.item_end;
  piece->order = std::max(2, plan->found.max_order);
  piece->n_kept = plan->n_kept;
  piece->batch = 32;
  std::vector<tsr_point_array> list; // of those that the general kernels make
  for (size_t a = 0; a < f->arrays.size(); ++a) {
    tsr_point_array &array = f->arrays[a];
    if (f->stays[a])
      array.out = f->host[a] + range.point_begin * array.tuple_bytes;
    else
      TSR_STEP(f->memory.get((void **)&array.out, points, (size_t)array.tuple_bytes, "the output",
                             error));
    if (!f->tuned[a])
      list.push_back(array);
  }
  piece->n_arrays = (int)list.size();
  if (plan->leaves) {
    int64_t before = 0;
    if (span_begin > 0) {
      TSR_STEP(tsr_bring(&before, plan->segment_start + span_begin, sizeof before, plan->stream,
                         "finding the leaves", error));
    }
    piece->leaves = plan->leaves + before;
  } else if (tsr_fill_makes_leaves(*f)) {
    TSR_STEP(f->memory.get((void **)&piece->leaves, points, sizeof(uint32_t), "the leaves", error));
  }
  TSR_STEP(get_slots(f, piece, error));
  TSR_STEP(f->memory.get(&f->device_arrays, piece->n_arrays, "the list of arrays", error));
  TSR_CUDA(tsr_copy_async(f->device_arrays, list.data(), list.size() * sizeof(tsr_point_array),
                          cudaMemcpyHostToDevice, plan->stream),
           "uploading the list of arrays");
  piece->arrays = f->device_arrays;
  TSR_STEP(f->memory.get(device_piece, 1, "the piece", error));
  TSR_CUDA(
      tsr_copy_async(*device_piece, piece, sizeof *piece, cudaMemcpyHostToDevice, plan->stream),
      "uploading the piece");
  return TSR_OK;
}

// The piece's arrays to the caller, as they are made; the ids of all cells beside the first piece.
tsr_status download_piece(filling *f, const tsr_fill_piece &piece, tsr_error *error) {
  const double start = tsr_cuda_now(f->request->execution);
  const double before = done_before(*f, piece.point_begin);
  std::vector<tsr_copy> copies;
  tsr_aside aside = {nullptr, &f->side, 0, 0, {}};
  aside.wait = [f, before](tsr_error *error_) {
    return tsr_plan_wait(f->plan, f->request->execution, before, "filling the points", error_);
  };
  copies.swap(f->cells);
  for (tsr_copy &copy : copies)
    copy.after = f->parts.list.front().made;
  for (const tsr_fill_part &part : f->parts.list) {
    const int64_t points = part.point_end - part.point_begin;
    for (size_t a = 0; a < f->arrays.size() && points > 0; ++a) {
      if (f->stays[a])
        continue;
      const size_t tuple = (size_t)f->arrays[a].tuple_bytes;
      copies.push_back({f->host[a] + (size_t)part.point_begin * tuple,
                        f->arrays[a].out + (size_t)(part.point_begin - piece.point_begin) * tuple,
                        (size_t)points * tuple, part.made});
    }
  }
  if (f->out->connectivity && !f->ids_stay && piece.span_begin == 0) {
    aside.task = f->side.closed ? tsr_connectivity_task : tsr_iota_task;
    aside.n = f->side.closed ? f->side.n_cells : f->side.n_connectivity;
    aside.grain = f->side.closed ? 4096 : 1 << 18;
    tsr_advise_large(f->out->connectivity,
                     (size_t)f->side.n_connectivity * tsr_type_size(f->out->index_type));
  }
  TSR_STEP(tsr_transfer_down(f->plan->state, f->request->execution, copies, &aside, before,
                             done_before(*f, piece.point_end), error));
  f->download_seconds += tsr_cuda_now(f->request->execution) - start;
  return TSR_OK;
}

// Whole arrays stay on the device for filters that read them.
void keep_piece(filling *f, const tsr_fill_piece &piece) {
  const int64_t points = piece.point_end - piece.point_begin;
  std::vector<tsr_copy> copies;
  if (points < f->plan->places.n_points)
    return;
  for (size_t a = 0; a < f->arrays.size(); ++a)
    copies.push_back({f->host[a], f->arrays[a].out, (size_t)(points * f->arrays[a].tuple_bytes)});
  tsr_reuse_keep(f->plan->state, f->request->execution, &f->memory, copies);
}

void free_piece(filling *f, tsr_fill_piece *piece, tsr_fill_piece *device_piece) {
  for (tsr_point_array &array : f->arrays) {
    f->memory.free_one(array.out);
    array.out = nullptr;
  }
  f->memory.free_one((void *)piece->leaves); // kept where it is the plan's
  f->memory.free_one(piece->slots);
  f->memory.free_one(piece->heap);
  f->memory.free_one(f->tile_spans);
  f->tile_spans = nullptr;
  f->memory.free_one(f->device_arrays);
  f->memory.free_one(device_piece);
}

tsr_status fill_pieces(filling *f, tsr_error *error) {
  int64_t span = 0;
  do {
    tsr_piece_range range;
    tsr_fill_piece piece;
    tsr_fill_piece *device_piece = nullptr;
    TSR_STEP(next_piece(*f, span, &range, error));
    TSR_STEP(get_piece(f, span, range, &piece, &device_piece, error));
    TSR_STEP(tsr_run_piece(f, piece, device_piece, error));
    TSR_STEP(download_piece(f, piece, error));
    float milliseconds = 0.0f;
    TSR_CUDA(cudaEventElapsedTime(&milliseconds, f->plan->begin, f->plan->end), "timing the fill");
    f->request->report->device_seconds += 1e-3 * (double)milliseconds;
    keep_piece(f, piece);
    free_piece(f, &piece, device_piece);
    ++f->request->report->pieces;
    span = range.span_end;
    if (tsr_cuda_stopped(f->request->execution, done_before(*f, range.point_end)))
      return tsr_cuda_refuse(error, TSR_ABORTED, "stopped while the points were made");
  } while (span < f->plan->places.n_spans);
  return TSR_OK;
}

tsr_status fill_all(filling *f, tsr_error *error) {
  tsr_report *report = f->request->report;
  TSR_STEP(list_arrays(f, error));
  TSR_STEP(size_pieces(f, error));
  choose_tuned(f);
  if (f->out->achieved_error)
    TSR_STEP(f->memory.get(&f->span_error, f->plan->places.n_spans, "the errors of spans", error));
  TSR_STEP(tsr_fill_cells(f, error));
  TSR_STEP(fill_pieces(f, error));
  TSR_STEP(tsr_fill_errors(f, error));
  TSR_STEP(tsr_fill_classes(f, error));
  TSR_STEP(tsr_fill_lengths(f, error));
  report->download_seconds = f->download_seconds;
  return TSR_OK;
}

} // namespace

tsr_status tsr_curves_cuda_fill(tsr_curves_device *plan, const tsr_curves_request *request,
                                const tsr_curves_output *output, tsr_error *error) {
  const tsr_on_device scope(plan->state->device);
  TSR_STEP(scope.check(error));
  tsr_report *report = request->report;
  filling f = {};
  f.plan = plan;
  f.request = request;
  f.out = output;
  f.memory.use(plan->state, plan->stream);
  f.heap.use(plan->state->device);
  f.side.out = output;
  f.side.n_cells = request->sizes->cells;
  f.side.n_points = request->sizes->points;
  f.side.n_connectivity = request->sizes->connectivity;
  f.side.closed = plan->n_closed > 0;
  const int64_t with_spans =
      request->sizes->cells - request->sizes->notes[TSR_NOTE_ONE_POINT].count;
  const bool children = report->strategy == TSR_STRATEGY_CHILD_PER_ITEM ||
                        report->strategy == TSR_STRATEGY_AGGREGATED_CHILDREN;
  report->pieces = 0;
  report->device_seconds = 0.0;
  if (report->strategy != TSR_STRATEGY_RECURSIVE_CHILDREN) {
    report->child_items = report->child_launches = report->refused_launches = 0;
    report->deepest_nesting = 0;
  }
  // Curves without a span are never a child's.
  report->inline_items = request->view->n_items - with_spans;
  if (!children)
    report->inline_items = request->view->n_items - report->child_items;
  const tsr_status status = fill_all(&f, error);
  f.memory.free_all();
  const cudaError_t ended = cudaStreamSynchronize(plan->stream);
  tsr_note_peak(*plan, report);
  TSR_STEP(status);
  TSR_CUDA(ended, "ending the fill");
  return TSR_OK;
}
