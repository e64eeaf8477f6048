// SPDX-License-Identifier: BSD-3-Clause
// Sampling by equal arc length: a thread a span measures it, a thread a curve divides the curve, a
// thread a span lists its leaves and bounds their error. Sums are the CPU's, in its order.
#include "cuda/common/executor.cuh"
#include "cuda/curves/sampling/arc.cuh"

#include "cuda/common/policy.cuh"
#include "cuda/curves/sampling/leaves.cuh"
#include "cuda/curves/waiting.cuh"
#include "curves/sampling/arc_math.h"

namespace {

const int block = 128;

// Arguments of the kernels.
struct arc_args {
  tsr_curves_view view;
  tsr_curves_criteria criteria;
  tsr_places places;
  double *lengths; // as in filters/curves/sampling/arc.c
  double *totals;
  uint32_t *leaves;
  int64_t *counts; // segments that begin in each span; a 0 behind them
  int64_t *walk_start;
  double *walk_error;
  uint8_t *limited;
  tsr_plan_summary *summary;
};

arc_args args_of(const tsr_curves_device &plan) {
  return {plan.view,       plan.criteria, plan.places,        plan.lengths,
          plan.totals,     plan.leaves,   plan.segment_start, plan.walk_start,
          plan.walk_error, plan.limited,  plan.summary};
}

__device__ void measure(const arc_args &args, int64_t s, tsr_arc *arc) {
  const int64_t i = tsr_item_of(args.places, s);
  const tsr_item item = tsr_item_at(&args.view, i);
  tsr_span span;
  tsr_net net;
  tsr_span_make(&args.view, &item, &args.criteria.rules, s - tsr_first_span(args.places, i), &span);
  tsr_span_net(&args.view, &span, &net);
  tsr_arc_make(arc, &net);
}

__device__ void measure_span(int64_t s, const arc_args &args) {
  tsr_arc arc;
  measure(args, s, &arc);
  args.lengths[s] = arc.length;
}

__global__ void __launch_bounds__(block) divide_kernel(arc_args args) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  int64_t n = 0, most = 0;
  if (i < args.places.n_items) {
    const int64_t first = tsr_first_span(args.places, i), end = tsr_first_span(args.places, i + 1);
    if (end > first) {
      const tsr_arc_cut cut =
          tsr_arc_divide(&args.criteria, tsr_item_at(&args.view, i).closed, args.lengths + first,
                         args.counts + first, end - first);
      args.totals[i] = cut.total;
      n = cut.n_segments;
      if (cut.limited)
        args.limited[i] = args.summary->limited = 1;
    }
    for (int64_t s = first; s < end; ++s)
      most = args.counts[s] > most ? args.counts[s] : most;
  } else if (i == args.places.n_items) {
    args.counts[args.places.n_spans] = 0;
  }
  tsr_tell_counts(args.summary, most, most - n);
}

__device__ void list_span(int64_t s, const arc_args &args) {
  const int64_t *starts = args.places.segment_start;
  tsr_arc arc;
  tsr_arc_cut cut = {0.0, 0, 0, 0};
  int cell = 0;
  if (starts[s + 1] == starts[s])
    return;
  const int64_t i = tsr_item_of(args.places, s);
  const int64_t first = starts[tsr_first_span(args.places, i)];
  measure(args, s, &arc);
  cut.total = args.totals[i];
  cut.n_segments = starts[tsr_first_span(args.places, i + 1)] - first;
  for (int64_t k = starts[s]; k < starts[s + 1]; ++k) {
    args.leaves[k] = tsr_arc_leaf(&arc, &cut, args.lengths[s], k - first, &cell);
    if ((k - starts[s]) % tsr_leaves_a_look == tsr_leaves_a_look - 1 &&
        tsr_stop_asked(&args.summary->stop))
      return;
  }
}

__device__ void load_span(const arc_args &args, int64_t s, tsr_vertex_span *it) {
  const int64_t i = tsr_item_of(args.places, s);
  const tsr_item item = tsr_item_at(&args.view, i);
  tsr_vertex_span_make(it, &args.view, &args.criteria, &item, s - tsr_first_span(args.places, i),
                       nullptr, 0);
}

// Where a vertex of the curve is.
__device__ void place(const arc_args &args, const tsr_arc_vertex &vertex, double x[3]) {
  tsr_vertex_span it;
  load_span(args, vertex.span, &it);
  tsr_vertex_place(&it, vertex.segment < 0 ? (uint32_t)TSR_FIXED_ONE : args.leaves[vertex.segment],
                   x);
}

__device__ void bound_span(int64_t s, const arc_args &args) {
  const int64_t *starts = args.places.segment_start;
  tsr_arc_vertex before, after;
  tsr_vertex_span it;
  double from[3], to[3];
  const int64_t i = tsr_item_of(args.places, s);
  tsr_arc_around(starts, tsr_first_span(args.places, i), tsr_first_span(args.places, i + 1), s,
                 &before, &after);
  place(args, before, from);
  place(args, after, to);
  load_span(args, s, &it);
  args.lengths[s] =
      tsr_arc_span_error(&it, args.leaves + starts[s], starts[s + 1] - starts[s], from, to);
}

// Each curve's error, the largest of its spans, as that of a walk, of which each curve has one.
__device__ void keep_item(int64_t i, const arc_args &args) {
  double most = 0.0;
  args.walk_start[i] = i;
  if (i == args.places.n_items)
    return;
  for (int64_t s = tsr_first_span(args.places, i); s < tsr_first_span(args.places, i + 1); ++s)
    most = args.lengths[s] > most ? args.lengths[s] : most;
  args.walk_error[i] = most;
}

} // namespace

tsr_status tsr_device_divide(tsr_curves_device *plan, const tsr_execution *execution,
                             tsr_error *error) {
  const arc_args args = args_of(*plan);
  TSR_CUDA(tsr_launch_each<measure_span>(args.places.n_spans, plan->stream, args),
           "measuring the curves");
  divide_kernel<<<tsr_blocks(args.places.n_items + 1, block), block, 0, plan->stream>>>(args);
  TSR_CUDA(cudaGetLastError(), "dividing the curves");
  return tsr_plan_wait(plan, execution, 0.2, "dividing the curves", error);
}

tsr_status tsr_device_list_arcs(tsr_curves_device *plan, const tsr_execution *execution, int64_t n,
                                tsr_error *error) {
  const int64_t n_items = plan->places.n_items, n_spans = plan->places.n_spans;
  if (!plan->walk_start)
    TSR_STEP(plan->memory.get(&plan->walk_start, n_items + 1, "the errors of curves", error));
  if (!plan->walk_error)
    TSR_STEP(plan->memory.get(&plan->walk_error, n_items, "the errors of curves", error));
  TSR_STEP(plan->memory.get(&plan->leaves, n, "the leaves", error));
  const arc_args args = args_of(*plan);
  if (n_spans > 0) {
    TSR_CUDA(tsr_launch_each<list_span>(n_spans, plan->stream, args), "listing the leaves");
    TSR_CUDA(tsr_launch_each<bound_span>(n_spans, plan->stream, args), "bounding the errors");
  }
  TSR_CUDA(tsr_launch_each<keep_item>(n_items + 1, plan->stream, args), "bounding the errors");
  return tsr_plan_wait(plan, execution, 0.35, "listing the leaves", error);
}
