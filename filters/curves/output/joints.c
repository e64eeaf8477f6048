/* SPDX-License-Identifier: BSD-3-Clause */
/** Curves: the fill of straight lines whose points are input points, those that coarsening kept:
 *  nothing is evaluated, all is copied. */
#include "curves/output/fill.h"

#define TSR_KEPT 64 /* points that are copied together */

/* Points that follow each other in the output. */
typedef struct tsr_kept {
  int64_t n;
  int64_t ids[TSR_KEPT + 1];     /* of input points */
  int64_t numbers[TSR_KEPT + 1]; /* within the item */
} tsr_kept;

static void copy_positions(const tsr_fill *fill, const tsr_kept *kept, int64_t at) {
  const tsr_curves_output *out = fill->out;
  double x[3 * (TSR_KEPT + 1)];
  for (int64_t k = 0; k < kept->n; ++k)
    tsr_load3(&fill->plan->view.points, kept->ids[k], x + 3 * k);
  tsr_store(tsr_value_at(out->points, out->points_type, 3 * at), out->points_type, 1, x,
            3 * kept->n);
}

static void copy_attribute(const tsr_attribute *attribute, const tsr_kept *kept, int64_t at) {
  if (attribute->in.components * (int)tsr_type_size(attribute->in.type) == 4) {
    for (int64_t k = 0; k < kept->n; ++k)
      memcpy((char *)attribute->out + 4 * (at + k),
             (const char *)attribute->in.data + 4 * kept->ids[k], 4);
    return;
  }
  for (int64_t k = 0; k < kept->n; ++k)
    tsr_copy_tuple(attribute, kept->ids[k], at + k);
}

/* All output of the points, from number `at` on. */
static void copy_joints(const tsr_fill *fill, const tsr_kept *kept, int64_t at) {
  const tsr_curves_output *out = fill->out;
  if (out->points)
    copy_positions(fill, kept, at);
  for (int a = 0; a < out->n_attributes; ++a)
    copy_attribute(&out->attributes[a], kept, at);
  if (out->parameter) {
    double u[TSR_KEPT + 1];
    for (int64_t k = 0; k < kept->n; ++k)
      u[k] = (double)kept->numbers[k];
    tsr_store(tsr_value_at(out->parameter, out->points_type, at), out->points_type, 1, u, kept->n);
  }
  if (out->nearest_point)
    memcpy(out->nearest_point + at, kept->ids, (size_t)kept->n * sizeof kept->ids[0]);
}

/* n entries of the connectivity from `at` on: the points from `point` on. */
static void number_points(const tsr_curves_output *out, int64_t at, int64_t point, int64_t n) {
  if (!out->connectivity)
    return;
  if (out->index_type == TSR_INT32) {
    for (int64_t k = 0; k < n; ++k)
      ((int32_t *)out->connectivity)[at + k] = (int32_t)(point + k);
  } else {
    for (int64_t k = 0; k < n; ++k)
      ((int64_t *)out->connectivity)[at + k] = point + k;
  }
}

int tsr_fill_is_of_joints(const tsr_fill *fill, int64_t i, const tsr_item *item) {
  const tsr_curves_criteria *criteria = &fill->plan->criteria;
  return item->kind == TSR_KIND_STRAIGHT && tsr_item_is_walked(fill->plan, i) &&
         criteria->sampling != TSR_SAMPLING_EQUAL_ARC_LENGTH && !criteria->use_length &&
         !fill->out->curvature && !fill->out->tangents;
}

int64_t tsr_fill_joints(const tsr_fill *fill, int64_t i, const tsr_item *item, int64_t s,
                        int64_t end) {
  const tsr_curves_plan *plan = fill->plan;
  const tsr_curves_view *view = &plan->view;
  const int64_t *starts = plan->segment_start;
  const int64_t first = plan->span_start[i], last = plan->span_start[i + 1];
  const int64_t stop = last < end ? last : end;
  int64_t at = plan->point_start[i] + starts[s] - starts[first];
  int64_t entry = starts[s] + plan->cell_start[i];
  tsr_kept kept;
  while (s < stop) {
    kept.n = 0;
    for (; s < stop && kept.n < TSR_KEPT; ++s) {
      kept.ids[kept.n] =
          tsr_load_index(view->connectivity, view->index_type, item->first + (s - first));
      kept.numbers[kept.n] = s - first;
      kept.n += starts[s + 1] - starts[s];
    }
    number_points(fill->out, entry, at, kept.n);
    entry += kept.n;
    if (s == last) {
      const int64_t n = kept.n;
      kept.ids[n] = tsr_item_id(view, item, s - first); /* the first again, if it is closed */
      kept.numbers[n] = s - first;
      kept.n += !item->closed;
      number_points(fill->out, entry, item->closed ? plan->point_start[i] : at + n, 1);
    }
    copy_joints(fill, &kept, at);
    at += kept.n;
  }
  return stop;
}
