/* SPDX-License-Identifier: BSD-3-Clause */
/** Input curves built by hand, and what the core makes of them in exactly sized arrays. */
#ifndef TESSERA_TEST_CURVE_SET_H
#define TESSERA_TEST_CURVE_SET_H

#include "tessera.h"

/** A growing set of curves. Every item has points of its own. */
typedef struct curve_set {
  double *points;  /**< n_points x 3 */
  double *weights; /**< n_points, all 1 unless given */
  int64_t n_points;
  int64_t *ids;
  int64_t n_ids;
  int64_t *offsets; /**< n_items + 1 */
  uint8_t *kinds;
  int64_t n_items;
  int rational; /**< whether the view gets the weights */
  int64_t points_capacity, ids_capacity, items_capacity;
} curve_set;

void curve_set_init(curve_set *set);
void curve_set_free(curve_set *set);

/**
 * Adds an item of n points x y z, given in order along the curve (cells are brought into VTK's
 * order, ends first). weights: n of them, or NULL = 1. closed: the first id stands at the end too.
 */
void curve_set_add(curve_set *set, tsr_curve_kind kind, int n, const double *xyz,
                   const double *weights, int closed);

/** Adds a cubic Bezier cell with x' = u - c and y' = u (u - c), where c is the root of 1/2: a cusp
 *  at which no step ever falls. */
void curve_set_add_cusp(curve_set *set);

/** Appends loose points; returns the id of the first. */
int64_t curve_set_add_points(curve_set *set, int n, const double *xyz);

/** Adds an item of n ids as they are. */
void curve_set_add_ids(curve_set *set, tsr_curve_kind kind, int n, const int64_t *ids);

/** A view of the set, with 64-bit ids; valid until the set changes. */
tsr_curves_view curve_set_view(const curve_set *set);

/** The output of a plan, all of it in double, in arrays of exactly the promised sizes. */
typedef struct tessellation {
  tsr_status status;
  tsr_error error;
  tsr_curves_sizes sizes;
  tsr_report report;
  double *points;
  int64_t *offsets;
  int64_t *connectivity;
  int64_t *source_item;
  int64_t *nearest_point;
  double *parameter;
  double *arc_length;
  double *curvature;
  double *tangents;
  double *achieved_error;
} tessellation;

/**
 * Plans and fills. attributes: n_attributes with `out` unset; it is allocated here, exactly sized,
 * and freed by the caller. execution: NULL = the calling thread. Returns out->status.
 */
tsr_status tessellate(const tsr_curves_view *view, const tsr_curves_options *options,
                      const tsr_execution *execution, tsr_attribute *attributes, int n_attributes,
                      tessellation *out);
void tessellation_free(tessellation *out);

/** Options for exactly n points a span (uniform, no other criterion; degree 1 keeps 2). */
tsr_curves_options options_points_per_span(int n);

/** Options for an absolute chord error and nothing else; every joint stays, so that the points are
 *  those of the sampling alone. A field error would be absolute, too. */
tsr_curves_options options_chord_error(tsr_sampling sampling, double chord_error);

/** One double array of `components` as an attribute with no output yet. */
tsr_attribute attribute_of(const void *data, tsr_type type, int components, int64_t tuples,
                           tsr_interpolation mode);

/** Length of polyline `cell` of the output. */
double polyline_length(const tessellation *out, int64_t cell);

/** Pseudorandom numbers, the same everywhere. The state is any value. */
uint64_t random_bits(uint64_t *state);

/** In [low, high). */
double random_in(uint64_t *state, double low, double high);

#endif
