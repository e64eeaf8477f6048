/* SPDX-License-Identifier: BSD-3-Clause */
/** Curves: everything that can be wrong with options, views and items. */
#include "curves/plan.h"

#include <stdio.h>
#include <string.h>

void tsr_curves_view_init(tsr_curves_view *view) {
  memset(view, 0, sizeof *view);
  view->struct_size = sizeof *view;
  view->index_type = TSR_INT64;
  view->kind = TSR_KIND_CATMULL_ROM;
}

void tsr_curves_output_init(tsr_curves_output *output) {
  memset(output, 0, sizeof *output);
  output->struct_size = sizeof *output;
  output->points_type = TSR_FLOAT;
  output->index_type = TSR_INT64;
}

static tsr_status check_kinds(const tsr_curves_view *view, tsr_error *error) {
  const uint8_t *kinds = view->kinds;
  unsigned largest = 0;
  int64_t i = 0;
  for (int64_t k = 0; kinds && k < view->n_items; ++k)
    largest = kinds[k] > largest ? kinds[k] : largest;
  if (largest <= (unsigned)TSR_KIND_AUTOMATIC)
    return TSR_OK;
  while (kinds[i] <= (unsigned)TSR_KIND_AUTOMATIC)
    ++i;
  return tsr_fail(error, TSR_BAD_INPUT, i, "the kind %d of curve %lld is unknown", (int)kinds[i],
                  (long long)i);
}

tsr_status tsr_curves_check_view(const tsr_curves_view *view, tsr_error *error) {
  tsr_status status =
      tsr_check_array(&view->points, "the array of points", 3, view->points.tuples, error);
  if (status != TSR_OK)
    return status;
  if (view->weights.data) {
    status = tsr_check_array(&view->weights, "the array of rational weights", 1,
                             view->points.tuples, error);
    if (status != TSR_OK)
      return status;
  }
  if (tsr_check_cells(view->n_items, view->offsets, view->n_connectivity, view->connectivity,
                      view->index_type, "curves", error))
    return TSR_BAD_INPUT;
  if (!view->kinds && (unsigned)view->kind > (unsigned)TSR_KIND_AUTOMATIC)
    return tsr_fail(error, TSR_BAD_INPUT, -1, "the kind of curve %d is unknown", (int)view->kind);
  return check_kinds(view, error);
}

/* Criteria: their numbers. */
static tsr_status check_criteria(const tsr_curves_options *o, tsr_error *error) {
  if (o->use_curvature && o->min_points < 2)
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "the minimum of points must be at least 2, but is %d", o->min_points);
  if (o->use_curvature && o->max_points < o->min_points)
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "the minimum of points, %d, is above the maximum of points, %d", o->min_points,
                    o->max_points);
  if (o->use_turning_angle && !(o->turning_angle > 0.0 && o->turning_angle <= 180.0))
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "the turning angle must be above 0 and at most 180 degrees, but is %g",
                    o->turning_angle);
  if (o->sampling == TSR_SAMPLING_EQUAL_ARC_LENGTH && o->n_segments < 1)
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "the number of segments must be at least 1, but is %d", o->n_segments);
  if ((o->use_curvature &&
       tsr_check_at_least_0(o->curvature_factor, "the curvature factor", -1, error)) ||
      (o->use_chord_error && o->chord_relative &&
       tsr_check_at_least_0(o->reference_length, "the reference length", -1, error)) ||
      tsr_check_at_least_0(o->largest_place, "the largest coordinate", -1, error) ||
      (o->use_chord_error && tsr_check_above_0(o->chord_error, "the chord error", -1, error)) ||
      (o->use_max_length && tsr_check_above_0(o->max_length, "the segment length", -1, error)) ||
      (o->use_field_error && tsr_check_above_0(o->field_error, "the field error", -1, error)))
    return TSR_BAD_OPTION;
  return TSR_OK;
}

/* 1 if fields can be interpolated so. */
static int goes_between(tsr_interpolation mode) {
  return mode == TSR_INTERPOLATE_CURVE || mode == TSR_INTERPOLATE_LINEAR;
}

/* Fields and labels. */
static tsr_status check_arrays(const tsr_curves_options *o, int64_t n_points, tsr_error *error) {
  char name[64];
  if ((o->n_fields < 0 || o->use_field_error) &&
      tsr_check_list(o->fields, o->n_fields, "fields of the field error", TSR_BAD_OPTION, error))
    return TSR_BAD_OPTION;
  if (tsr_check_list(o->labels, o->n_labels, "labels", TSR_BAD_OPTION, error))
    return TSR_BAD_OPTION;
  for (int f = 0; o->use_field_error && f < o->n_fields; ++f) {
    const int ranged = o->field_relative && o->field_ranges;
    const tsr_status status =
        tsr_check_field(&o->fields[f], f, n_points, ranged ? &o->field_ranges[f] : NULL, error);
    if (status != TSR_OK)
      return status;
    if (o->field_modes && !goes_between(o->field_modes[f]))
      return tsr_fail(error, TSR_BAD_OPTION, f, "the interpolation of field %d, %d, is unknown", f,
                      (int)o->field_modes[f]);
  }
  for (int l = 0; l < o->n_labels; ++l) {
    snprintf(name, sizeof name, "array %d of labels", l);
    if (tsr_check_array(&o->labels[l], name, 0, n_points, error))
      return TSR_BAD_INPUT;
  }
  return TSR_OK;
}

tsr_status tsr_curves_check_options(const tsr_curves_options *o, int64_t n_points,
                                    tsr_error *error) {
  tsr_status status;
  if ((unsigned)o->knots > (unsigned)TSR_KNOTS_CHORDAL)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "the knots %d are unknown", (int)o->knots);
  if ((unsigned)o->sampling > (unsigned)TSR_SAMPLING_EQUAL_ARC_LENGTH)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "the sampling %d is unknown", (int)o->sampling);
  if (!goes_between(o->interpolation))
    return tsr_fail(error, TSR_BAD_OPTION, -1, "the interpolation of fields %d is unknown",
                    (int)o->interpolation);
  if ((unsigned)o->joints > (unsigned)TSR_JOINTS_WHERE_NEEDED)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "the choice of joints %d is unknown",
                    (int)o->joints);
  if ((unsigned)o->vertices > (unsigned)TSR_VERTICES_WITHIN_TOLERANCE)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "the choice of vertices %d is unknown",
                    (int)o->vertices);
  if (o->vertices == TSR_VERTICES_WITHIN_TOLERANCE &&
      (o->sampling != TSR_SAMPLING_EQUAL_ERROR || !o->use_chord_error))
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "vertices within the tolerance need the sampling Equal Error and a chord "
                    "error: choose these, or vertices on the curve");
  if (!(o->tension >= 0.0 && o->tension <= 1.0))
    return tsr_fail(error, TSR_BAD_OPTION, -1, "the tension must lie between 0 and 1, but is %g",
                    o->tension);
  if (o->max_level < 0 || o->max_level > 30)
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "the maximum level must lie between 0 and 30, but is %d", o->max_level);
  if (o->limit_points < 0)
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "the limit of points must not be negative, but is %lld",
                    (long long)o->limit_points);
  status = check_arrays(o, n_points, error);
  return status == TSR_OK ? check_criteria(o, error) : status;
}

unsigned tsr_curves_check_item(const tsr_curves_view *view, int64_t i) {
  return tsr_check_item(view, i);
}

void tsr_note_sentence(tsr_note note, tsr_note_count count, const char *noun, char *text,
                       size_t size) {
  static const char *const what[TSR_NOTES] = {
      "left out: the offsets decrease or leave the connectivity",
      "left out: a point id is out of range",
      "left out: a coordinate is not finite (or beyond 1e100)",
      "left out: a rational weight is not a finite number of at least 1e-100",
      "left out: the degree is above 15",
      "left out: a coordinate is beyond 3e35, too large for points in single precision "
      "(Output Precision: Double holds it)",
      "left out: there are no points",
      "kept unchanged: there is only one point",
      "of zero length: all points coincide",
      "given a piece of lower degree: the number of points does not fit the degree",
      ("coarser than asked for: the maximum level, the maximum of points or a cusp was reached "
       "first"),
      "bent by more than the turning angle at a corner or a cusp, which stays"};
  if (count.count <= 0 || (unsigned)note >= (unsigned)TSR_NOTES)
    return;
  if (!noun)
    noun = "curve";
  if (count.count == 1)
    snprintf(text, size, "1 %s (number %lld) is %s.", noun, (long long)count.first, what[note]);
  else
    snprintf(text, size, "%lld %ss (the first is number %lld) are %s.", (long long)count.count,
             noun, (long long)count.first, what[note]);
}
