/* SPDX-License-Identifier: BSD-3-Clause */
/** The field error of several arrays: the points do not depend on the order of the arrays, although
 *  the CPU looks first at the array that failed last and passes over arrays whose bounds on a span
 *  suffice. Each array alone, and all in both orders, also with values that are no numbers, without
 *  limit, very large or very small. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "curve_set.h"

enum { ARRAYS = 8, CURVES = 30, POINTS = 9, N = CURVES * POINTS };

static double values[ARRAYS][N];

static void make_values(void) {
  uint64_t state = 5;
  for (int i = 0; i < N; i++) {
    const double noise = random_in(&state, 0.0, 1.0);
    values[0][i] = 3.0;
    values[1][i] = (double)i;
    values[2][i] = sin(0.3 * i);
    values[3][i] = noise;
    values[4][i] = i % 31 == 7 ? NAN : random_in(&state, 0.0, 1.0);
    values[5][i] = i % 37 == 5 ? INFINITY : cos(0.2 * i);
    values[6][i] = 1e200 * sin(0.5 * i);
    values[7][i] = 1e-305 * random_in(&state, 0.0, 1.0);
  }
}

/** The points of the curves with the fields list[0 .. n). */
static void run(const curve_set *set, tsr_sampling sampling, const int *list, int n,
                tessellation *out) {
  const tsr_curves_view view = curve_set_view(set);
  tsr_curves_options options = options_chord_error(sampling, 0.01);
  tsr_array fields[ARRAYS];
  for (int f = 0; f < n; f++) {
    fields[f] = (tsr_array){values[list[f]], TSR_DOUBLE, 1, N};
  }
  options.fields = fields;
  options.n_fields = n;
  options.use_field_error = options.field_relative = 1;
  options.field_error = 0.02;
  options.joints = TSR_JOINTS_WHERE_NEEDED;
  CHECK(tessellate(&view, &options, NULL, NULL, 0, out) == TSR_OK);
}

static void test_orders(tsr_sampling sampling, tsr_curve_kind kind) {
  static const int forward[ARRAYS] = {0, 1, 2, 3, 4, 5, 6, 7};
  static const int backward[ARRAYS] = {7, 6, 5, 4, 3, 2, 1, 0};
  uint64_t state = 9;
  curve_set set;
  tessellation a, b;
  curve_set_init(&set);
  for (int i = 0; i < CURVES; i++) {
    double xyz[3 * POINTS];
    for (int k = 0; k < 3 * POINTS; k++) {
      xyz[k] = random_in(&state, 0.0, 1.0);
    }
    curve_set_add(&set, kind, POINTS, xyz, NULL, 0);
  }
  run(&set, sampling, forward, ARRAYS, &a);
  run(&set, sampling, backward, ARRAYS, &b);
  CHECK_INT(a.sizes.points, b.sizes.points);
  CHECK(a.sizes.points == b.sizes.points &&
        memcmp(a.points, b.points, (size_t)a.sizes.points * 3 * sizeof *a.points) == 0);
  tessellation_free(&b);
  for (int f = 0; f < ARRAYS; f++) { /* none asks for more points than all of them */
    run(&set, sampling, &forward[f], 1, &b);
    CHECK(b.sizes.points <= a.sizes.points + a.sizes.points / 8);
    tessellation_free(&b);
  }
  tessellation_free(&a);
  curve_set_free(&set);
}

int main(void) {
  make_values();
  for (int s = 0; s <= TSR_SAMPLING_EQUAL_ERROR; s++) {
    test_orders((tsr_sampling)s, TSR_KIND_CATMULL_ROM);
    test_orders((tsr_sampling)s, TSR_KIND_BEZIER);
    test_orders((tsr_sampling)s, TSR_KIND_LAGRANGE);
  }
  return check_result();
}
