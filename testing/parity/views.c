/* SPDX-License-Identifier: BSD-3-Clause */
#include "views.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void random_point(uint64_t *state, double *xyz) {
  for (int c = 0; c < 3; c++) {
    xyz[c] = random_in(state, -1.0, 1.0);
  }
}

/** Something that is no ordinary curve. */
static void add_odd(curve_set *set, tsr_curve_kind kind, const double *xyz, uint64_t *state) {
  const int64_t beyond[2] = {set->n_points + 1000000, 0};
  double bad[12];
  memcpy(bad, xyz, sizeof bad);
  switch (random_bits(state) % 6) {
  case 0:
    curve_set_add(set, kind, 1, xyz, NULL, 0);
    break;
  case 1:
    curve_set_add_ids(set, kind, 2, beyond);
    break;
  case 2:
    bad[4] = INFINITY;
    curve_set_add(set, kind, 4, bad, NULL, 0);
    break;
  case 3:
    for (int i = 3; i < 12; i++) {
      bad[i] = bad[i - 3];
    }
    curve_set_add(set, kind, 4, bad, NULL, 0);
    break;
  case 4:
    curve_set_add_ids(set, TSR_KIND_NONE, 1, beyond);
    break;
  default:
    curve_set_add_ids(set, kind, 0, beyond);
    break;
  }
}

void random_curves(curve_set *set, tsr_curve_kind kind, int64_t n, int rational, int bad,
                   uint64_t seed) {
  uint64_t state = seed;
  double xyz[3 * 40], weights[40];
  set->rational = rational;
  for (int64_t i = 0; i < n; i++) {
    const tsr_curve_kind one =
        kind != TSR_KIND_NONE ? kind
                              : (tsr_curve_kind)(1 + random_bits(&state) % TSR_KIND_NATURAL_SPLINE);
    const int cell = one == TSR_KIND_LAGRANGE || one == TSR_KIND_BEZIER;
    const int most = cell ? 8 : 24;
    const int points = 2 + (int)(random_bits(&state) % (uint64_t)most);
    for (int p = 0; p < points; p++) {
      random_point(&state, xyz + 3 * p);
      weights[p] = random_in(&state, 0.3, 3.0);
      if (p > 0 && random_bits(&state) % 16 == 0) {
        memcpy(xyz + 3 * p, xyz + 3 * (p - 1), 3 * sizeof(double));
      }
    }
    if (bad && random_bits(&state) % 8 == 0 && points >= 4) {
      add_odd(set, one, xyz, &state);
    } else {
      curve_set_add(set, one, points, xyz, weights,
                    bad && points >= 4 && random_bits(&state) % 4 == 0);
    }
  }
}

void bezier_cells(curve_set *set, int degree, int64_t n, uint64_t seed) {
  uint64_t state = seed;
  double xyz[3 * 16];
  for (int64_t i = 0; i < n; i++) {
    for (int p = 0; p <= degree; p++) {
      random_point(&state, xyz + 3 * p);
    }
    curve_set_add(set, TSR_KIND_BEZIER, degree + 1, xyz, NULL, 0);
  }
}

/** Infinity, or something that is not a number, with any sign and payload. */
static double odd_number(uint64_t *state) {
  const uint64_t bits = random_bits(state) % 3 == 0 ? 0 : random_bits(state) >> 12;
  const uint64_t sign = random_bits(state) << 63, exponent = (uint64_t)0x7ff << 52;
  const uint64_t all = sign | exponent | bits;
  double number;
  memcpy(&number, &all, sizeof number);
  return number;
}

void random_attributes(int64_t n_points, uint64_t seed, wanted *want, double **storage) {
  static const int components[4] = {1, 2, 4, 7};
  uint64_t state = seed;
  const int64_t values = 7 * n_points + 8;
  double *data = malloc((size_t)values * (sizeof *data + sizeof(int64_t) + sizeof(float)));
  int64_t *same = (int64_t *)(data + values);
  float *single = (float *)(same + values);
  for (int64_t i = 0; i < values; i++) { /* as integers they are just bits */
    const int odd = random_bits(&state) % 64 == 0;
    data[i] = odd ? odd_number(&state) : random_in(&state, 0.5, 2.0);
    single[i] = (float)(odd ? odd_number(&state) : random_in(&state, -1e3, 1e3));
    same[i] = INT64_MAX - i / 50 * 3; /* what no double holds, and often the same */
  }
  *storage = data;
  want->n_attributes = 0;
  for (int type = TSR_INT8; type <= TSR_DOUBLE; type++) {
    const void *from = type == TSR_FLOAT ? (const void *)single : (const void *)data;
    const tsr_array array = {from, (tsr_type)type, components[type % 4], n_points};
    want->attributes[want->n_attributes] = array;
    want->modes[want->n_attributes++] = (tsr_interpolation)(type % 3);
  }
  for (int mode = 0; mode < 2; mode++) {
    const tsr_array array = {same, mode ? TSR_UINT64 : TSR_INT64, 2 - mode, n_points};
    want->attributes[want->n_attributes] = array;
    want->modes[want->n_attributes++] = (tsr_interpolation)mode;
  }
  for (int mode = 0; mode < 3; mode++) {
    const tsr_array array = {data, TSR_DOUBLE, 3, n_points};
    want->attributes[want->n_attributes] = array;
    want->modes[want->n_attributes++] = (tsr_interpolation)mode;
  }
}

static const char *const names[OPTION_CASES] = {"chord",
                                                "relative chord",
                                                "curvature",
                                                "turning",
                                                "length",
                                                "fields",
                                                "linear fields",
                                                "all criteria at once",
                                                "level limit",
                                                "joints with fields",
                                                "joints with length",
                                                "joints with labels",
                                                "maximum points",
                                                "joints with turning",
                                                "joints with turning and length",
                                                "vertices within the tolerance",
                                                "such vertices, joints and all criteria"};

const char *option_case_name(int which) { return names[which]; }

tsr_curves_options option_case(int which, tsr_sampling sampling, const wanted *want) {
  tsr_curves_options o;
  tsr_curves_options_init(&o);
  o.sampling = sampling;
  o.max_level = 12;
  o.use_chord_error = which == 0 || which == 1 || which >= 7;
  o.joints =
      (which >= 9 && which != 15) || which == 1 ? TSR_JOINTS_WHERE_NEEDED : TSR_JOINTS_KEEP_ALL;
  if (which >= 15 && sampling == TSR_SAMPLING_EQUAL_ERROR) {
    o.vertices = TSR_VERTICES_WITHIN_TOLERANCE;
  }
  o.max_points = which == 12 ? 6 : 32;
  o.chord_relative = which == 1;
  o.chord_error = which == 8 ? 1e-9 : which >= 9 && which != 15 ? 0.05 : 0.003;
  o.use_curvature = which == 2 || which == 7 || which == 12;
  o.use_turning_angle = which == 3 || which == 7 || (which >= 13 && which != 15);
  o.turning_angle = 15.0;
  o.use_max_length = which == 4 || which == 7 || which == 10 || which == 14 || which == 16;
  o.max_length = 0.1;
  o.use_field_error =
      which == 5 || which == 6 || which == 7 || which == 9 || which == 11 || which == 16;
  o.field_relative = which >= 9;
  o.field_error = which >= 9 ? 0.2 : 0.05;
  o.interpolation = which == 6 || which == 11 ? TSR_INTERPOLATE_LINEAR : TSR_INTERPOLATE_CURVE;
  o.knots = (tsr_knots)(which % 3);
  o.tension = which == 4 ? 0.25 : which == 12 ? 1.0 : 0.0;
  o.max_level = which == 8 ? 3 : 12;
  o.n_segments = which == 8 ? 1000 : 1 + 7 * which;
  if (want->n_attributes > 0) { /* the last is double x 3 */
    o.fields = &want->attributes[want->n_attributes - 1];
    o.n_fields = 1;
    o.labels = want->attributes;
    o.n_labels = which == 11;
  }
  return o;
}
