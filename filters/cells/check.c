/* SPDX-License-Identifier: BSD-3-Clause */
/** Curved cells: defaults, and everything that can be wrong with views, options and outputs. */
#include "cells/plan.h"

#include <stdio.h>
#include <string.h>

void tsr_cells_view_init(tsr_cells_view *view) {
  memset(view, 0, sizeof *view);
  view->struct_size = sizeof *view;
  view->points.type = TSR_FLOAT;
  view->points.components = 3;
  view->index_type = TSR_INT64;
}

void tsr_cells_output_init(tsr_cells_output *output) {
  memset(output, 0, sizeof *output);
  output->struct_size = sizeof *output;
  output->points_type = TSR_FLOAT;
}

static tsr_status check_lists(const tsr_cells_view *view, tsr_error *error) {
  if (tsr_check_cells(view->n_cells, view->offsets, view->n_connectivity, view->connectivity,
                      view->index_type, "cells", error) ||
      tsr_check_list(view->types, view->n_cells, "cell types", TSR_BAD_INPUT, error))
    return TSR_BAD_INPUT;
  if (view->n_cells >> 48)
    return tsr_fail(error, TSR_BAD_INPUT, -1, "there are more than 2^48 cells: %lld",
                    (long long)view->n_cells);
  if (view->points.tuples >> 48)
    return tsr_fail(error, TSR_BAD_INPUT, -1, "there are more than 2^48 points: %lld",
                    (long long)view->points.tuples);
  return TSR_OK;
}

static tsr_status check_view(const tsr_cells_view *view, tsr_error *error) {
  if (tsr_check_places(&view->points, error))
    return TSR_BAD_INPUT;
  if (view->weights.data && tsr_check_array(&view->weights, "the array of rational weights", 1,
                                            view->points.tuples, error))
    return TSR_BAD_INPUT;
  if (view->degrees.data &&
      tsr_check_array(&view->degrees, "the array of degrees", 3, view->n_cells, error))
    return TSR_BAD_INPUT;
  return check_lists(view, error);
}

static tsr_status check_fields(const tsr_cells_view *view, const tsr_cells_options *o,
                               tsr_error *error) {
  tsr_status status = tsr_check_list(o->fields, o->n_fields, "fields", TSR_BAD_OPTION, error);
  const double *ranges = o->field_relative ? o->field_ranges : NULL;
  for (int f = 0; f < o->n_fields && status == TSR_OK; ++f)
    status =
        tsr_check_field(&o->fields[f], f, view->points.tuples, ranges ? &ranges[f] : NULL, error);
  return status;
}

tsr_status tsr_cells_check(const tsr_cells_view *view, const tsr_cells_options *o,
                           tsr_error *error) {
  const tsr_status status = check_view(view, error);
  if (status != TSR_OK)
    return status;
  if (o->output < TSR_CELLS_SURFACE || o->output > TSR_CELLS_VOLUMES)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "there is no output %d", (int)o->output);
  if ((o->use_chord_error && tsr_check_above_0(o->chord_error, "the chord error", -1, error)) ||
      (o->use_field_error && tsr_check_above_0(o->field_error, "the field error", -1, error)) ||
      (o->use_normal_angle && tsr_check_above_0(o->normal_angle, "the normal angle", -1, error)) ||
      (o->use_max_length &&
       tsr_check_above_0(o->max_length, "the maximum edge length", -1, error)) ||
      tsr_check_at_least_0(o->reference_length, "the reference length", -1, error) ||
      tsr_check_at_least_0(o->largest_place, "the largest coordinate", -1, error) ||
      tsr_check_at_least_0((double)o->keep_bytes, "the limit of bytes kept on a device", -1, error))
    return TSR_BAD_OPTION;
  if (o->max_segments < 1 || o->max_segments > 4096)
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "the largest number of segments must lie between 1 and 4096, not be %d",
                    o->max_segments);
  if (o->limit_points < 0)
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "the limit of points must be at least 0, but is %lld",
                    (long long)o->limit_points);
  return check_fields(view, o, error);
}

static tsr_status check_arrays(const tsr_cells_attribute *arrays, int n, const char *what,
                               int64_t tuples, tsr_error *error) {
  if (tsr_check_list(arrays, n, what, TSR_BAD_INPUT, error))
    return TSR_BAD_INPUT;
  for (int k = 0; k < n; ++k) {
    char name[64];
    snprintf(name, sizeof name, "number %d of the %s", k, what);
    if (tsr_check_array(&arrays[k].in, name, 0, tuples, error))
      return TSR_BAD_INPUT;
    if (!arrays[k].out)
      return tsr_fail(error, TSR_BAD_INPUT, k, "%s has no output array", name);
  }
  return TSR_OK;
}

tsr_status tsr_cells_check_output(const tsr_cells_view *view, const tsr_cells_output *output,
                                  tsr_error *error) {
  if (tsr_check_output_types(output->points_type, TSR_INT64, error))
    return TSR_BAD_OPTION;
  if (check_arrays(output->point_arrays, output->n_point_arrays, "point arrays",
                   view->points.tuples, error))
    return TSR_BAD_INPUT;
  return check_arrays(output->cell_arrays, output->n_cell_arrays, "cell arrays", view->n_cells,
                      error);
}

int tsr_cells_degree(int type, int64_t n) {
  tsr_cell cell = {.type = type, .n = n};
  int d[3] = {1, 1, 1};
  tsr_cell_set_shape(&cell);
  if (cell.shape == TSR_SHAPE_UNKNOWN)
    return 1;
  if (!cell.by_degree || tsr_cell_set_degree(&cell))
    return cell.d[0];
  while (d[0] < TSR_CELLS_MAX_DEGREE && tsr_cell_lattice_nodes(cell.shape, d) < n) {
    ++d[0];
    d[1] = d[2] = d[0];
  }
  return d[0];
}

int tsr_cells_may_curve(const tsr_cells_view *view) {
  char curved[256];
  const int64_t many = 1000; /* points, of cells whose degree follows from their number */
  for (int type = 0; type < 256; ++type)
    curved[type] = tsr_cells_degree(type, many) > 1;
  for (int64_t cell = 0; cell < view->n_cells; ++cell)
    if (curved[view->types[cell]])
      return 1;
  return 0;
}

void tsr_cells_note_sentence(tsr_cells_note note, tsr_note_count count, char *text, size_t size) {
  static const char *const what[TSR_CELLS_NOTES] = {
      "left out: the type of the cell is not supported",
      "left out: the number of points does not fit the cell's type and degree",
      "left out: the degree of the cell is not a whole number from 1 to 10",
      "left out: a point id is out of range",
      "left out: a coordinate is not finite, or too large",
      "left out: a rational weight is not a number above 0",
      "drawn too coarsely: the criteria ask for more segments than are allowed",
      "drawn without a guarantee for the normal angle: the normal may vanish, or an edge is too "
      "coarse",
      "left out: the inside of this type of cell cannot be divided into tetrahedra"};
  const int of_faces = note == TSR_CELLS_NOTE_LIMIT || note == TSR_CELLS_NOTE_ANGLE;
  if (count.count <= 0 || (unsigned)note >= (unsigned)TSR_CELLS_NOTES)
    return;
  if (count.count == 1)
    snprintf(text, size, "1 %s (of cell %lld) is %s.", of_faces ? "face or line" : "cell",
             (long long)count.first, what[note]);
  else
    snprintf(text, size, "%lld %s (the first is of cell %lld) are %s.", (long long)count.count,
             of_faces ? "faces and lines" : "cells", (long long)count.first, what[note]);
}
