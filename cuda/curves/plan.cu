// SPDX-License-Identifier: BSD-3-Clause
// The plan: which items are good, how many segments each span has, and where they go.
#include "cuda/common/executor.cuh"
#include "cuda/common/warp.cuh"
#include "cuda/curves/plan.cuh"

#include "cuda/common/memory/kept.cuh"
#include "cuda/common/policy.cuh"
#include "cuda/common/scan.cuh"
#include "cuda/common/transfer/pinned.cuh"
#include "cuda/common/transfer/transfer.cuh"
#include "cuda/curves/check.cuh"
#include "cuda/curves/coarsen/coarsen.cuh"
#include "cuda/curves/sampling/arc.cuh"
#include "cuda/curves/span/spans.cuh"
#include "cuda/curves/strategy/children.cuh"
#include "cuda/curves/strategy/tuned.cuh"
#include "cuda/curves/waiting.cuh"

#include "curves/coarsen/vertex_math.h"

#include <cstring>

namespace {

const int block = tsr_policy::block;

__global__ void clear_summary(tsr_plan_summary *summary) {
  memset(summary, 0, sizeof *summary);
  summary->min_order = summary->least_degree = INT32_MAX;
  for (int note = 0; note < TSR_NOTES; ++note)
    summary->note_first[note] = INT64_MAX;
}

// Most control points of a span of the item.
__device__ int order_of(const tsr_item &item) {
  switch (item.kind) {
  case TSR_KIND_LAGRANGE:
  case TSR_KIND_BEZIER:
    return (int)item.n;
  case TSR_KIND_CATMULL_ROM:
  case TSR_KIND_NATURAL_SPLINE:
  case TSR_KIND_BEZIER3_CHAIN:
  case TSR_KIND_BSPLINE3:
    return 4;
  case TSR_KIND_BEZIER2_CHAIN:
  case TSR_KIND_BSPLINE2:
    return 3;
  default:
    return 2;
  }
}

// The degree that all spans of the item have; 0: rational, of several degrees, or Lagrange's.
__device__ int degree_of(const tsr_curves_view &view, const tsr_item &item) {
  if (view.weights.data && tsr_kind_is_rational(item.kind))
    return 0;
  switch (item.kind) {
  case TSR_KIND_CATMULL_ROM:
  case TSR_KIND_NATURAL_SPLINE:
    return 3;
  case TSR_KIND_STRAIGHT:
    return 1;
  case TSR_KIND_BEZIER:
    return (int)item.n - 1;
  case TSR_KIND_BEZIER2_CHAIN:
    return (item.n - 1) % 2 == 0 ? 2 : 0;
  case TSR_KIND_BEZIER3_CHAIN:
    return (item.n - 1) % 3 == 0 ? 3 : 0;
  case TSR_KIND_BSPLINE2:
    return item.closed || item.n > 2 ? 2 : 0;
  case TSR_KIND_BSPLINE3:
    return item.closed || item.n > 3 ? 3 : 0;
  default:
    return 0;
  }
}

// Bezier control points as they are, in one span: what the tuned kernels know. 0 = it is not.
__device__ int plain_order(const tsr_curves_view &view, const tsr_item &item) {
  if (view.weights.data || item.n_spans != 1)
    return 0;
  if (item.kind == TSR_KIND_BEZIER && (item.n == 3 || item.n == 4))
    return (int)item.n;
  if (item.kind == TSR_KIND_BEZIER2_CHAIN && item.n == 3)
    return 3;
  return item.kind == TSR_KIND_BEZIER3_CHAIN && item.n == 4 ? 4 : 0;
}

__device__ void note(tsr_plan_summary *summary, unsigned notes, int64_t i) {
  for (int n = 0; n < TSR_NOTES; ++n) {
    if (!(notes & TSR_NOTE_BIT(n)))
      continue;
    atomicAdd(&summary->note_count[n], 1ull);
    atomicMin(&summary->note_first[n], (long long)i);
  }
}

// All items may raise one flag: a look costs less than a store to where so many others store.
__device__ void raise_flag(int *flag, bool raises) {
  if (raises && !*(volatile int *)flag)
    *(volatile int *)flag = 1;
}

// Adds a warp's items to what is the same for all of them. good: 0 leaves this thread's out.
__device__ void tell_spans(tsr_plan_summary *summary, int good, int order, int degree) {
  const int most_order = tsr_warp_most(good ? order : INT32_MIN);
  const int least_order = -tsr_warp_most(good ? -order : -INT32_MAX);
  const int most_degree = tsr_warp_most(good ? degree : INT32_MIN);
  const int least_degree = -tsr_warp_most(good ? -degree : -INT32_MAX);
  if (threadIdx.x % 32 != 0)
    return;
  if (most_order > summary->max_order)
    atomicMax(&summary->max_order, most_order);
  if (least_order < summary->min_order)
    atomicMin(&summary->min_order, least_order);
  if (most_degree > summary->most_degree)
    atomicMax(&summary->most_degree, most_degree);
  if (least_degree < summary->least_degree)
    atomicMin(&summary->least_degree, least_degree);
}

// The notes on item i, as tsr_check_item finds them on the CPU. `group` neighbouring lanes look at
// as many points at once; of several faults, that of the first point along the item counts.
__device__ unsigned check_together(const tsr_curves_view &view, int64_t i, int group) {
  if (group == 1)
    return tsr_check_item(&view, i);
  const int in_warp = (int)(threadIdx.x % 32), lane = in_warp % group;
  const unsigned all = (~0u >> (32 - group)) << (in_warp - lane);
  tsr_item_look look;
  double x[3];
  unsigned notes = tsr_check_offsets(&view, i, &look);
  for (int64_t chunk = look.first; !notes && chunk < look.last; chunk += group) {
    const int64_t k = chunk + lane;
    const unsigned found = k < look.last ? tsr_check_point(&view, k, &look, x) : 0;
    const unsigned bad = __ballot_sync(all, found != 0);
    notes = bad ? __shfl_sync(all, found, __ffs((int)bad) - 1) : 0;
  }
  look.beyond = __ballot_sync(all, look.beyond) != 0;
  look.same = __ballot_sync(all, look.same) == all;
  return notes ? notes : tsr_check_shape(&view, i, &look);
}

// group: lanes that share an item; the first of them tells what was found.
__global__ void check_kernel(tsr_curves_view view, int group, uint16_t *notes, tsr_item_sum *items,
                             tsr_plan_summary *summary) {
  const int64_t t = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, i = t / group;
  const unsigned found = i < view.n_items ? check_together(view, i, group) : 0;
  const int tells = t % group == 0;
  tsr_item_sum sum = {0, 0, 0};
  int order = 0, degree = 0, plain = 0, good = 0;
  if (i < view.n_items && tells) {
    notes[i] = (uint16_t)found;
    note(summary, found, i);
    if (!(found & TSR_NOTES_BAD)) {
      const tsr_item item = tsr_item_at(&view, i);
      good = tsr_item_good(found, &item);
      if (good) {
        sum.spans = item.n_spans;
        sum.open = item.closed ? 0 : 1;
        sum.cells = 1;
        order = order_of(item);
        degree = degree_of(view, item);
        plain = plain_order(view, item);
      }
    }
    raise_flag(&summary->irregular, sum.spans != 1 || sum.open != 1);
    raise_flag(&summary->odd_span, good && plain != order);
  }
  tell_spans(summary, good, order, degree);
  if (i <= view.n_items && tells)
    items[i] = sum;
}

// The item of every span: each item writes to its own.
__global__ void owner_kernel(const tsr_item_sum *items, int64_t n_items, int64_t *span_item) {
  const int64_t warp = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (warp >= n_items)
    return;
  for (int64_t s = items[warp].spans + (int)(threadIdx.x % 32); s < items[warp + 1].spans; s += 32)
    span_item[s] = warp;
}

__device__ void note_limit(int64_t i, const uint8_t *limited, tsr_plan_summary *summary) {
  if (limited[i])
    note(summary, TSR_NOTE_BIT(TSR_NOTE_LEVEL_LIMIT), i);
}

__device__ void place_spans(int64_t s, const tsr_item_sum *items, const int64_t *span_item,
                            const int64_t *segment_start, int64_t n_spans, int64_t n_items,
                            int64_t *span_point) {
  const int64_t item = s < n_spans ? span_item[s] : n_items;
  span_point[s] = segment_start[s] + items[item].open;
}

__global__ void clear_counts(tsr_plan_summary *summary) {
  summary->limited = 0;
  summary->running = 0;
  summary->n_searched = 0;
  summary->most_segments = 0;
  summary->note_count[TSR_NOTE_LEVEL_LIMIT] = 0;
  summary->note_first[TSR_NOTE_LEVEL_LIMIT] = INT64_MAX;
}

} // namespace

// n elements of the host, copied to memory of the plan's; NULL where there are none.
template <class T>
static tsr_status upload_list(tsr_curves_device *plan, const T *list, size_t n, const T **to,
                              tsr_error *error) {
  T *made = nullptr;
  *to = nullptr;
  if (n == 0)
    return TSR_OK;
  TSR_STEP(plan->memory.get(&made, (int64_t)n, "the fields", error));
  TSR_CUDA(tsr_copy_async(made, list, n * sizeof(T), cudaMemcpyHostToDevice, plan->stream),
           "uploading the fields");
  TSR_CUDA(cudaStreamSynchronize(plan->stream), "uploading the fields");
  *to = made;
  return TSR_OK;
}

// The view's arrays, those of fields and labels, and slopes, with device pointers in their place.
static tsr_status upload_view(tsr_curves_device *plan, const tsr_curves_request *request,
                              tsr_error *error) {
  const tsr_curves_view &view = *request->view;
  const size_t n_fields = request->criteria->use_field ? (size_t)request->criteria->n_fields : 0;
  const size_t n_labels = (size_t)request->criteria->n_labels;
  std::vector<tsr_array> arrays = {
      view.points,
      view.weights,
      {view.offsets, view.index_type, 1, view.n_items > 0 ? view.n_items + 1 : 0},
      {view.connectivity, view.index_type, 1, view.n_connectivity},
      {view.kinds, TSR_UINT8, 1, view.n_items}};
  const size_t first_field = arrays.size(), first_label = first_field + n_fields;
  for (size_t f = 0; f < n_fields; ++f)
    arrays.push_back(request->criteria->fields[f].array);
  arrays.insert(arrays.end(), request->criteria->labels, request->criteria->labels + n_labels);
  std::vector<void *> to(arrays.size());
  TSR_STEP(tsr_upload(plan, request->execution, request->report, &plan->memory, true, arrays,
                      to.data(), error));
  plan->view = view;
  plan->view.points.data = to[0];
  plan->view.weights.data = to[1];
  plan->view.offsets = to[2];
  plan->view.connectivity = to[3];
  plan->view.kinds = (const uint8_t *)to[4];
  plan->criteria = *request->criteria;
  std::vector<tsr_field> fields(request->criteria->fields, request->criteria->fields + n_fields);
  std::vector<tsr_array> labels(request->criteria->labels, request->criteria->labels + n_labels);
  for (size_t f = 0; f < n_fields; ++f)
    fields[f].array.data = to[first_field + f];
  for (size_t l = 0; l < n_labels; ++l)
    labels[l].data = to[first_label + l];
  const double *slopes = request->criteria->rules.slopes;
  const size_t n_slopes = slopes ? 3 * (size_t)view.n_connectivity : 0;
  TSR_STEP(upload_list(plan, slopes, n_slopes, &plan->criteria.rules.slopes, error));
  TSR_STEP(upload_list(plan, fields.data(), n_fields, &plan->criteria.fields, error));
  return upload_list(plan, labels.data(), n_labels, &plan->criteria.labels, error);
}

// Notes and spans of every item, and what is the same for all of them.
static tsr_status check_items(tsr_curves_device *plan, const tsr_curves_request *request,
                              tsr_error *error) {
  const int64_t n = plan->view.n_items;
  tsr_places &places = plan->places;
  tsr_item_sum total;
  TSR_STEP(plan->memory.get(&plan->notes, n, "the notes on curves", error));
  TSR_STEP(plan->memory.get(&plan->items, n + 1, "the curves", error));
  TSR_STEP(plan->memory.get(&plan->summary, 1, "the summary", error));
  TSR_STEP(plan->memory.get(&plan->limited, n, "the level limits", error));
  clear_summary<<<1, 1, 0, plan->stream>>>(plan->summary);
  TSR_CUDA(cudaGetLastError(), "clearing the summary");
  const int group = tsr_lanes_of_item(plan->view);
  check_kernel<<<tsr_blocks((n + 1) * group, block), block, 0, plan->stream>>>(
      plan->view, group, plan->notes, plan->items, plan->summary);
  TSR_CUDA(cudaGetLastError(), "checking the curves");
  TSR_STEP(tsr_read_summary(plan, error));
  places.identity = !plan->found.irregular && n > 0;
  places.n_items = n;
  places.n_spans = n;
  total = {n, n, n};
  if (!places.identity) {
    TSR_STEP(tsr_scan_items(plan->items, n, &plan->memory, plan->stream, error));
    TSR_STEP(tsr_bring(&total, plan->items + n, sizeof total, plan->stream, "summing the curves up",
                       error));
    places.n_spans = total.spans;
    TSR_STEP(plan->memory.get(&plan->span_item, total.spans, "the spans", error));
    TSR_STEP(plan->memory.get(&plan->span_point, total.spans + 1, "the spans", error));
    if (total.spans > 0)
      owner_kernel<<<tsr_blocks(n * 32, block), block, 0, plan->stream>>>(plan->items, n,
                                                                          plan->span_item);
    TSR_CUDA(cudaGetLastError(), "numbering the spans");
  }
  TSR_STEP(plan->memory.get(&plan->segment_start, places.n_spans + 1, "the spans", error));
  if (plan->criteria.sampling == TSR_SAMPLING_EQUAL_ERROR) {
    TSR_STEP(plan->memory.get(&plan->choices, places.n_spans, "the spans", error));
    TSR_STEP(plan->memory.get(&plan->searched, places.n_spans, "the spans", error));
  }
  const bool by_length = plan->criteria.sampling == TSR_SAMPLING_EQUAL_ARC_LENGTH;
  if (by_length) {
    TSR_STEP(plan->memory.get(&plan->lengths, places.n_spans, "the lengths of spans", error));
    TSR_STEP(plan->memory.get(&plan->totals, n, "the lengths of curves", error));
  }
  // Straight spans have one leaf, unless an array is to be followed: not worth 32 bytes each.
  if (tsr_one_degree(*plan) > 1 && plan->criteria.sampling != TSR_SAMPLING_UNIFORM && !by_length &&
      request->report->strategy != TSR_STRATEGY_RECURSIVE_CHILDREN)
    TSR_STEP(plan->memory.get(&plan->few, places.n_spans * tsr_few_leaves, "the leaves", error));
  places.notes = plan->notes;
  places.items = plan->items;
  places.segment_start = plan->segment_start;
  places.span_item = plan->span_item;
  places.span_point = plan->span_point;
  plan->n_closed = total.cells - total.open;
  TSR_STEP(tsr_tuned_open(plan, error));
  request->sizes->cells = total.cells;
  *request->n_spans = total.spans;
  return TSR_OK;
}

// Refuses combinations of options that cannot run, with a sentence.
static tsr_status check_request(const tsr_curves_request *request, tsr_error *error) {
  TSR_STEP(tsr_check_launch(request, error));
  if (request->view->n_items >= (int64_t)1 << 31)
    return tsr_cuda_refuse(error, TSR_NO_MEMORY, "CUDA cannot be used for %lld curves at once",
                           (long long)request->view->n_items);
  return TSR_OK;
}

tsr_status tsr_curves_cuda_open(const tsr_curves_request *request, tsr_curves_device **made,
                                tsr_error *error) {
  const auto fill = [request](tsr_curves_device *plan, tsr_error *error) {
    TSR_STEP(check_request(request, error));
    tsr_kept_begin(plan, request->launch->keep_bytes);
    TSR_CUDA(tsr_lanes_prepare(plan->state->device), "allocating page-locked memory");
    TSR_STEP(upload_view(plan, request, error));
    return check_items(plan, request, error);
  };
  return tsr_open_plan(*request->execution, request->report, fill, tsr_curves_cuda_close, made,
                       error);
}

void tsr_curves_cuda_close(tsr_curves_device *plan) {
  const tsr_on_device scope(plan->state->device);
  tsr_opened_stop(plan);
  delete plan;
}

// Segments of every span.
static tsr_status count_spans(tsr_curves_device *plan, const tsr_curves_request *request,
                              tsr_error *error) {
  const tsr_places &places = plan->places;
  if (plan->tuned.order > 0 && tsr_tuned_counts(plan->criteria)) {
    TSR_CUDA(tsr_tuned_count(plan->tuned, plan->criteria, places.n_spans, plan->segment_start,
                             plan->limited, plan->summary, plan->stream),
             "counting the points");
    return TSR_OK;
  }
  if (plan->criteria.sampling == TSR_SAMPLING_EQUAL_ARC_LENGTH)
    return tsr_device_divide(plan, request->execution, error);
  if (request->report->strategy == TSR_STRATEGY_RECURSIVE_CHILDREN)
    return tsr_children_count(plan, request, error);
  int64_t n = places.n_spans;
  if (plan->searched) {
    TSR_CUDA(tsr_count_of(*plan).whole(*plan), "counting the points");
    TSR_STEP(tsr_read_summary(plan, error));
    n = (int64_t)plan->found.n_searched;
  }
  if (n > 0 || !plan->searched)
    TSR_CUDA(tsr_count_of(*plan).count(*plan, n, request->fine_limit), "counting the points");
  return tsr_plan_wait(plan, request->execution, 0.3, "counting the points", error);
}

// Scans the counts and has joints taken away, or segments of equal arc length listed; *segments:
// how many there are in the end.
static tsr_status sum_segments(tsr_curves_device *plan, const tsr_curves_request *request,
                               int64_t *segments, tsr_error *error) {
  const int64_t n = plan->places.n_spans;
  TSR_STEP(tsr_scan_counts(plan->segment_start, n, &plan->memory, plan->stream, error));
  for (int pass = 0;; ++pass) {
    TSR_STEP(tsr_bring(segments, plan->segment_start + n, sizeof *segments, plan->stream,
                       "summing the points up", error));
    if (plan->criteria.sampling == TSR_SAMPLING_EQUAL_ARC_LENGTH)
      return tsr_device_list_arcs(plan, request->execution, *segments, error);
    if (pass > 0 || !tsr_device_coarsens(*plan))
      return TSR_OK;
    TSR_STEP(tsr_device_coarsen(plan, request->execution, *segments, error));
  }
}

// The sums over the counts, and the sizes.
static tsr_status sum_up(tsr_curves_device *plan, const tsr_curves_request *request,
                         tsr_error *error) {
  const tsr_places &places = plan->places;
  int64_t segments = 0;
  if (plan->found.limited)
    TSR_CUDA(
        tsr_launch_each<note_limit>(places.n_items, plan->stream, plan->limited, plan->summary),
        "noting the level limit");
  TSR_STEP(sum_segments(plan, request, &segments, error));
  if (!places.identity)
    TSR_CUDA(tsr_launch_each<place_spans>(places.n_spans + 1, plan->stream, plan->items,
                                          plan->span_item, plan->segment_start, places.n_spans,
                                          places.n_items, plan->span_point),
             "summing the points up");
  plan->tuned.tile = 0;
  TSR_STEP(tsr_read_summary(plan, error));
  request->sizes->points = segments + (request->sizes->cells - plan->n_closed);
  request->sizes->connectivity = segments + request->sizes->cells;
  plan->places.n_points = request->sizes->points;
  TSR_STEP(tsr_tuned_tiles(plan, error));
  for (int n = 0; n < TSR_NOTES; ++n) {
    const int64_t count = (int64_t)plan->found.note_count[n];
    request->sizes->notes[n] = {count, count > 0 ? (int64_t)plan->found.note_first[n] : -1};
  }
  return TSR_OK;
}

tsr_status tsr_curves_cuda_count(tsr_curves_device *plan, const tsr_curves_request *request,
                                 tsr_error *error) {
  const tsr_on_device scope(plan->state->device);
  TSR_STEP(scope.check(error));
  const tsr_field *const fields = plan->criteria.fields;
  const tsr_array *const labels = plan->criteria.labels;
  const double *const slopes = plan->criteria.rules.slopes;
  plan->criteria = *request->criteria;
  plan->criteria.fields = fields;
  plan->criteria.labels = labels;
  plan->criteria.rules.slopes = slopes;
  plan->n_values = tsr_vertex_values(request->criteria);
  plan->n_kept = tsr_kept_components(request->criteria);
  // Frees the leaves of an earlier count. The kernels of RECURSIVE_CHILDREN free theirs themselves.
  if (request->report->strategy != TSR_STRATEGY_RECURSIVE_CHILDREN) {
    plan->memory.free_one(plan->leaves);
    plan->leaves = nullptr;
  }
  clear_counts<<<1, 1, 0, plan->stream>>>(plan->summary);
  TSR_CUDA(cudaGetLastError(), "clearing the counts");
  TSR_CUDA(cudaMemsetAsync(plan->limited, 0, (size_t)plan->places.n_items, plan->stream),
           "counting the points");
  TSR_STEP(count_spans(plan, request, error));
  TSR_STEP(tsr_read_summary(plan, error));
  if (tsr_cuda_stopped(request->execution, 0.3))
    return tsr_cuda_refuse(error, TSR_ABORTED, "stopped while the points were counted");
  if (plan->found.running <= (unsigned long long)request->fine_limit)
    TSR_STEP(sum_up(plan, request, error));
  tsr_note_peak(*plan, request->report);
  if (plan->found.running > (unsigned long long)request->fine_limit ||
      request->sizes->points > request->limit_points)
    return tsr_cuda_refuse(error, TSR_TOO_LARGE,
                           "the curves need more than %lld points, the most that there is room "
                           "for; %s or set a point budget",
                           (long long)request->limit_points, tsr_curves_advice(request->criteria));
  return TSR_OK;
}
