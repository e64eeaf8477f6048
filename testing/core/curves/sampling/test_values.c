/* SPDX-License-Identifier: BSD-3-Clause */
/** Bezier values of several arrays side by side, beside those of one component after the other, bit
 *  for bit. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "curve_set.h"
#include "curves/sampling/lanes.h"

enum { POINTS = 40, ARRAYS = 4 };

static const int components[ARRAYS] = {3, 1, 2, 5};
static float single[ARRAYS][POINTS * 5];
static double twice[ARRAYS][POINTS * 5];

/** Every second array is of double precision; some values are not finite. */
static void make_arrays(tsr_array arrays[ARRAYS]) {
  uint64_t state = 17;
  for (int a = 0; a < ARRAYS; a++) {
    for (int i = 0; i < POINTS * components[a]; i++) {
      const double v = i % 23 == 22 ? NAN : i % 29 == 28 ? INFINITY : random_in(&state, -9.0, 9.0);
      single[a][i] = (float)v;
      twice[a][i] = v;
    }
    arrays[a] = (tsr_array){a % 2 ? (const void *)twice[a] : single[a],
                            a % 2 ? TSR_DOUBLE : TSR_FLOAT, components[a], POINTS};
  }
}

static tsr_span random_span(uint64_t *state, tsr_form form) {
  tsr_span span;
  memset(&span, 0, sizeof span);
  span.degree = 3;
  span.count = 4;
  span.form = form;
  for (int i = 0; i < 4; i++) {
    span.id[i] = (int64_t)random_in(state, 0.0, POINTS - 0.5);
    for (int j = 0; j < 4; j++) {
      span.m[i][j] = random_in(state, -0.3, 1.3);
    }
  }
  return span;
}

/** 1 if the bits are those of the number, or both are not numbers. */
static int same(double a, double b) { return memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b); }

static void test_values(int wide) {
  static const tsr_form forms[] = {TSR_FORM_BEZIER, TSR_FORM_CATMULL_ROM};
  tsr_values values;
  tsr_array arrays[ARRAYS];
  uint64_t state = 3;
  make_arrays(arrays);
  tsr_values_init(&values, wide);
  for (int a = 0; a < ARRAYS; a++) {
    CHECK(tsr_values_add(&values, &arrays[a]));
  }
  CHECK_INT(values.n, 11);
  for (int k = 0; k < 500; k++) {
    const tsr_span span = random_span(&state, forms[k % 2]);
    int n = 0;
    CHECK(tsr_values_load(&values, &span));
    for (int a = 0; a < ARRAYS; a++) {
      for (int c = 0; c < components[a]; c++, n++) {
        double q[TSR_MAX_ORDER];
        tsr_span_values(NULL, &span, &arrays[a], c, q);
        for (int i = 0; i < 4; i++) {
          CHECK(same(values.q[i][n], q[i]));
        }
      }
    }
  }
}

/** What there is no room for, or is of another kind, is refused. */
static void test_refused(void) {
  static const int32_t numbers[POINTS] = {0};
  const tsr_array integers = {numbers, TSR_INT32, 1, POINTS};
  const tsr_array many = {single[0], TSR_FLOAT, TSR_MOST_VALUES, POINTS};
  const tsr_array one = {single[0], TSR_FLOAT, 1, POINTS};
  uint64_t state = 9;
  tsr_span span = random_span(&state, TSR_FORM_MATRIX);
  tsr_values values;
  tsr_values_init(&values, 0);
  CHECK(!tsr_values_add(&values, &integers));
  CHECK(tsr_values_add(&values, &many));
  CHECK(!tsr_values_add(&values, &one));
  tsr_values_init(&values, 0);
  CHECK(tsr_values_add(&values, &one));
  CHECK(!tsr_values_load(&values, &span));
  span.form = TSR_FORM_BEZIER;
  CHECK(tsr_values_load(&values, &span));
  span.rational = 1;
  CHECK(!tsr_values_load(&values, &span));
  span.rational = 0;
  span.degree = 2;
  CHECK(!tsr_values_load(&values, &span));
}

int main(void) {
  for (int wide = 0; wide <= tsr_lanes_are_wide(); wide++) {
    test_values(wide);
  }
  test_refused();
  return check_result();
}
