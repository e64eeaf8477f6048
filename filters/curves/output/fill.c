/* SPDX-License-Identifier: BSD-3-Clause */
/** Curves: the fill. Every output element is written once, at a place that the plan decided. */
#include "curves/output/fill.h"

#include <stdlib.h>

/* A curve of a single point comes out as it is. */
static void fill_single(const tsr_fill *fill, int64_t i, const tsr_item *item) {
  const tsr_curves_plan *plan = fill->plan;
  const tsr_curves_output *out = fill->out;
  const double zero[3] = {0.0, 0.0, 0.0};
  const int64_t at = plan->point_start[i];
  const int64_t id = tsr_item_id(&plan->view, item, 0);
  double x[3];
  for (int c = 0; c < 3; ++c)
    x[c] = tsr_load(&plan->view.points, 3 * id + c);
  if (out->points)
    tsr_store(tsr_value_at(out->points, out->points_type, 3 * at), out->points_type, 1, x, 3);
  if (out->connectivity)
    tsr_store_index(out->connectivity, out->index_type,
                    plan->segment_start[plan->span_start[i]] + plan->cell_start[i], at);
  for (int a = 0; a < out->n_attributes; ++a)
    tsr_copy_tuple(&out->attributes[a], id, at);
  if (out->nearest_point)
    out->nearest_point[at] = id;
  if (out->parameter)
    tsr_store(tsr_value_at(out->parameter, out->points_type, at), out->points_type, 1, zero, 1);
  if (out->curvature)
    tsr_store(tsr_value_at(out->curvature, out->points_type, at), out->points_type, 1, zero, 1);
  if (out->tangents)
    tsr_store(tsr_value_at(out->tangents, out->points_type, 3 * at), out->points_type, 1, zero, 3);
}

/* Length of the polyline up to each point of item i. */
static void fill_arc_length(const tsr_fill *fill, int64_t i) {
  const tsr_curves_output *out = fill->out;
  const tsr_array points = {out->points, out->points_type, 3, fill->plan->sizes.points};
  const int64_t first = fill->plan->point_start[i], last = fill->plan->point_start[i + 1];
  double length = 0.0;
  for (int64_t p = first; p < last; ++p) {
    double d2 = 0.0;
    for (int c = 0; p > first && c < 3; ++c) {
      const double d = tsr_load(&points, 3 * p + c) - tsr_load(&points, 3 * (p - 1) + c);
      d2 += d * d;
    }
    length += sqrt(d2);
    tsr_store(tsr_value_at(out->arc_length, out->points_type, p), out->points_type, 1, &length, 1);
  }
}

/* What belongs to whole items. */
static void fill_items_task(void *data, int64_t begin, int64_t end) {
  const tsr_fill *fill = data;
  const tsr_curves_plan *plan = fill->plan;
  const tsr_curves_output *out = fill->out;
  for (int64_t i = begin; i < end; ++i) {
    const int64_t cell = plan->cell_start[i];
    tsr_item item;
    if (plan->cell_start[i + 1] == cell)
      continue;
    item = tsr_item_at(&plan->view, i);
    if (item.n_spans == 0)
      fill_single(fill, i, &item);
    if (out->offsets)
      tsr_store_index(out->offsets, out->index_type, cell,
                      plan->segment_start[plan->span_start[i]] + cell);
    if (out->source_item)
      out->source_item[cell] = i;
    if (out->arc_length)
      fill_arc_length(fill, i);
    if (out->achieved_error) {
      const int walked = tsr_item_is_walked(plan, i);
      const double *errors = walked ? plan->walk_error : fill->span_error;
      const int64_t *starts = walked ? plan->walk_start : plan->span_start;
      double most = 0.0;
      for (int64_t e = starts[i]; e < starts[i + 1]; ++e)
        most = errors[e] > most ? errors[e] : most;
      out->achieved_error[cell] = most + plan->rounding;
    }
  }
}

tsr_status tsr_curves_check_output(const tsr_curves_plan *plan, const tsr_curves_output *out,
                                   tsr_error *error) {
  if (tsr_check_output_types(out->points_type, out->index_type, error))
    return TSR_BAD_OPTION;
  if (out->index_type == TSR_INT32 &&
      (plan->sizes.connectivity > INT32_MAX || plan->sizes.points > INT32_MAX))
    return tsr_fail(error, TSR_TOO_LARGE, -1, "%lld points do not fit 32-bit ids",
                    (long long)plan->sizes.points);
  if (out->arc_length && !out->points)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "the arc length needs the points");
  if (out->classes && (!out->points || !out->offsets || !out->connectivity))
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "the classes need the points, the offsets and the connectivity");
  if (tsr_check_list(out->attributes, out->n_attributes, "attributes", TSR_BAD_OPTION, error))
    return TSR_BAD_OPTION;
  for (int a = 0; a < out->n_attributes; ++a) {
    const tsr_attribute *attribute = &out->attributes[a];
    if (!attribute->in.data || !attribute->out || attribute->in.components < 1 ||
        tsr_type_size(attribute->in.type) == 0 || attribute->in.tuples != plan->view.points.tuples)
      return tsr_fail(error, TSR_BAD_OPTION, a,
                      "attribute %d has no data, an unknown type, or another number of tuples "
                      "than the points",
                      a);
    if ((unsigned)attribute->mode > (unsigned)TSR_INTERPOLATE_NEAREST)
      return tsr_fail(error, TSR_BAD_OPTION, a, "the interpolation of attribute %d, %d, is unknown",
                      a, (int)attribute->mode);
  }
  return TSR_OK;
}

/* Sorts the polylines of the output into classes. */
static tsr_status fill_classes(const tsr_fill *fill, tsr_error *error) {
  const tsr_curves_output *out = fill->out;
  const tsr_curves_sizes *sizes = &fill->plan->sizes;
  const tsr_array points = {out->points, out->points_type, 3, sizes->points};
  const tsr_polylines lines = {points, out->index_type, out->offsets, out->connectivity,
                               sizes->cells};
  memset(out->classes, 0, TSR_POLYLINE_CLASSES * sizeof *out->classes);
  return tsr_polylines_classify(&lines, &fill->plan->base.execution, out->classes, error);
}

/* Everything, once span_error has memory. */
static tsr_status fill_jobs(const tsr_fill *fill, tsr_error *error) {
  const tsr_curves_plan *plan = fill->plan;
  tsr_job spans = {.execution = &plan->base.execution,
                   .task = tsr_fill_spans_task,
                   .data = (void *)fill,
                   .n = plan->n_spans,
                   .done_first = 0.4,
                   .done_last = 0.9};
  tsr_job items = {.execution = &plan->base.execution,
                   .task = fill_items_task,
                   .data = (void *)fill,
                   .n = plan->view.n_items,
                   .done_first = 0.9,
                   .done_last = 1.0};
  tsr_status status = tsr_job_run(&spans, TSR_SPAN_CHUNK);
  if (status == TSR_OK)
    status = tsr_job_run(&items, 4096);
  if (status != TSR_OK)
    return tsr_fail(error, status, -1, "stopped while the points were made");
  if (fill->out->offsets)
    tsr_store_index(fill->out->offsets, fill->out->index_type, plan->sizes.cells,
                    plan->sizes.connectivity);
  return fill->out->classes ? fill_classes(fill, error) : TSR_OK;
}

tsr_status tsr_curves_fill_here(const tsr_curves_plan *plan, const tsr_curves_output *out,
                                tsr_error *error) {
  tsr_fill fill = {plan, out, NULL};
  tsr_status status;
  if (out->achieved_error) {
    fill.span_error = tsr_alloc(plan->n_spans, sizeof(double), "the errors of spans", error);
    if (!fill.span_error)
      return TSR_NO_MEMORY;
  }
  status = fill_jobs(&fill, error);
  free(fill.span_error);
  return status;
}
