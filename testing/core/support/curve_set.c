/* SPDX-License-Identifier: BSD-3-Clause */
#include "curve_set.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** realloc or the end of the test program. */
static void *resized(void *memory, int64_t count, size_t size) {
  void *result = realloc(memory, (size_t)(count > 0 ? count : 1) * size);
  if (result == NULL) {
    fprintf(stderr, "the test has no memory\n");
    exit(1);
  }
  return result;
}

/** The capacity to hold `count`, at least doubled where it must grow. */
static int64_t grown(int64_t capacity, int64_t count) {
  return count <= capacity ? capacity : count > 2 * capacity ? count : 2 * capacity;
}

void curve_set_init(curve_set *set) {
  memset(set, 0, sizeof *set);
  set->offsets = resized(NULL, 1, sizeof *set->offsets);
  set->offsets[0] = 0;
}

void curve_set_free(curve_set *set) {
  free(set->points);
  free(set->weights);
  free(set->ids);
  free(set->offsets);
  free(set->kinds);
  memset(set, 0, sizeof *set);
}

void curve_set_add_cusp(curve_set *set) {
  static const double cusp[4][3] = {{0, 0, 0},
                                    {-0.23570226039551587, 0, 0},
                                    {-0.30473785412436505, -0.11785113019775793, 0},
                                    {-0.20710678118654757, -0.020220057259940472, 0}};
  curve_set_add(set, TSR_KIND_BEZIER, 4, cusp[0], NULL, 0);
}

int64_t curve_set_add_points(curve_set *set, int n, const double *xyz) {
  const int64_t first = set->n_points;
  set->n_points += n;
  if (set->n_points > set->points_capacity) {
    set->points_capacity = grown(set->points_capacity, set->n_points);
    set->points = resized(set->points, 3 * set->points_capacity, sizeof(double));
    set->weights = resized(set->weights, set->points_capacity, sizeof(double));
  }
  for (int i = 0; i < n; i++) {
    for (int c = 0; c < 3; c++) {
      set->points[3 * (first + i) + c] = xyz[3 * i + c];
    }
    set->weights[first + i] = 1.0;
  }
  return first;
}

void curve_set_add_ids(curve_set *set, tsr_curve_kind kind, int n, const int64_t *ids) {
  if (set->n_ids + n > set->ids_capacity) {
    set->ids_capacity = grown(set->ids_capacity, set->n_ids + n);
    set->ids = resized(set->ids, set->ids_capacity, sizeof *set->ids);
  }
  for (int i = 0; i < n; i++) {
    set->ids[set->n_ids + i] = ids[i];
  }
  set->n_ids += n;
  set->n_items++;
  if (set->n_items > set->items_capacity) {
    set->items_capacity = grown(set->items_capacity, set->n_items);
    set->offsets = resized(set->offsets, set->items_capacity + 1, sizeof *set->offsets);
    set->kinds = resized(set->kinds, set->items_capacity, 1);
  }
  set->offsets[set->n_items] = set->n_ids;
  set->kinds[set->n_items - 1] = (uint8_t)kind;
}

void curve_set_add(curve_set *set, tsr_curve_kind kind, int n, const double *xyz,
                   const double *weights, int closed) {
  const int64_t first = curve_set_add_points(set, n, xyz);
  const int cell = kind == TSR_KIND_LAGRANGE || kind == TSR_KIND_BEZIER;
  int64_t *ids = resized(NULL, n + 1, sizeof *ids);
  for (int i = 0; i < n; i++) {
    ids[i] = first + i;
    if (cell && n > 1 && i == 1) {
      ids[i] = first + n - 1;
    } else if (cell && i > 1) {
      ids[i] = first + i - 1;
    }
    if (weights != NULL) {
      set->weights[first + i] = weights[i];
      set->rational = 1;
    }
  }
  ids[n] = first;
  curve_set_add_ids(set, kind, closed ? n + 1 : n, ids);
  free(ids);
}

tsr_curves_view curve_set_view(const curve_set *set) {
  tsr_curves_view view;
  tsr_curves_view_init(&view);
  view.points = (tsr_array){set->points, TSR_DOUBLE, 3, set->n_points};
  if (set->rational) {
    view.weights = (tsr_array){set->weights, TSR_DOUBLE, 1, set->n_points};
  }
  view.n_items = set->n_items;
  view.offsets = set->offsets;
  view.connectivity = set->ids;
  view.n_connectivity = set->n_ids;
  view.index_type = TSR_INT64;
  view.kinds = set->kinds;
  return view;
}

/** Allocates every output at exactly its size, so that a sanitizer sees any overrun. */
static tsr_curves_output exact_output(tessellation *out) {
  const int64_t points = out->sizes.points;
  const int64_t cells = out->sizes.cells;
  tsr_curves_output output;
  tsr_curves_output_init(&output);
  output.points_type = TSR_DOUBLE;
  output.points = out->points = resized(NULL, 3 * points, sizeof(double));
  output.offsets = out->offsets = resized(NULL, cells + 1, sizeof(int64_t));
  output.connectivity = out->connectivity = resized(NULL, out->sizes.connectivity, sizeof(int64_t));
  output.source_item = out->source_item = resized(NULL, cells, sizeof(int64_t));
  output.nearest_point = out->nearest_point = resized(NULL, points, sizeof(int64_t));
  output.parameter = out->parameter = resized(NULL, points, sizeof(double));
  output.arc_length = out->arc_length = resized(NULL, points, sizeof(double));
  output.curvature = out->curvature = resized(NULL, points, sizeof(double));
  output.tangents = out->tangents = resized(NULL, 3 * points, sizeof(double));
  output.achieved_error = out->achieved_error = resized(NULL, cells, sizeof(double));
  return output;
}

tsr_status tessellate(const tsr_curves_view *view, const tsr_curves_options *options,
                      const tsr_execution *execution, tsr_attribute *attributes, int n_attributes,
                      tessellation *out) {
  tsr_curves_plan *plan = NULL;
  memset(out, 0, sizeof *out);
  for (int i = 0; i < n_attributes; i++) {
    attributes[i].out = NULL;
  }
  out->status = tsr_curves_plan_create(view, options, execution, &plan, &out->error);
  if (out->status != TSR_OK) {
    return out->status;
  }
  out->sizes = *tsr_curves_plan_sizes(plan);
  tsr_curves_output output = exact_output(out);
  for (int i = 0; i < n_attributes; i++) {
    const tsr_array *in = &attributes[i].in;
    attributes[i].out = resized(NULL, out->sizes.points * in->components, tsr_type_size(in->type));
  }
  output.attributes = attributes;
  output.n_attributes = n_attributes;
  out->status = tsr_curves_fill(plan, &output, &out->error);
  tsr_curves_plan_report(plan, &out->report);
  tsr_curves_plan_free(plan);
  return out->status;
}

void tessellation_free(tessellation *out) {
  free(out->points);
  free(out->offsets);
  free(out->connectivity);
  free(out->source_item);
  free(out->nearest_point);
  free(out->parameter);
  free(out->arc_length);
  free(out->curvature);
  free(out->tangents);
  free(out->achieved_error);
  memset(out, 0, sizeof *out);
}

tsr_curves_options options_points_per_span(int n) {
  tsr_curves_options options;
  tsr_curves_options_init(&options);
  options.sampling = TSR_SAMPLING_UNIFORM;
  options.use_chord_error = 0;
  options.use_curvature = 1;
  options.min_points = n;
  options.max_points = n;
  options.field_relative = 0;
  return options;
}

tsr_curves_options options_chord_error(tsr_sampling sampling, double chord_error) {
  tsr_curves_options options;
  tsr_curves_options_init(&options);
  options.sampling = sampling;
  options.use_chord_error = 1;
  options.chord_relative = 0;
  options.chord_error = chord_error;
  options.joints = TSR_JOINTS_KEEP_ALL;
  options.field_relative = 0;
  return options;
}

tsr_attribute attribute_of(const void *data, tsr_type type, int components, int64_t tuples,
                           tsr_interpolation mode) {
  tsr_attribute attribute;
  attribute.in = (tsr_array){data, type, components, tuples};
  attribute.out = NULL;
  attribute.mode = mode;
  return attribute;
}

double polyline_length(const tessellation *out, int64_t cell) {
  double length = 0.0;
  for (int64_t k = out->offsets[cell]; k + 1 < out->offsets[cell + 1]; k++) {
    const double *a = out->points + 3 * out->connectivity[k];
    const double *b = out->points + 3 * out->connectivity[k + 1];
    length += sqrt((b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]) +
                   (b[2] - a[2]) * (b[2] - a[2]));
  }
  return length;
}

uint64_t random_bits(uint64_t *state) {
  /* splitmix64 (Steele, Lea and Flood 2014). */
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

double random_in(uint64_t *state, double low, double high) {
  return low + (high - low) * ((double)(random_bits(state) >> 11) * 0x1p-53);
}
