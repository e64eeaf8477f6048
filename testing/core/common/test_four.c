/* SPDX-License-Identifier: BSD-3-Clause */
/** Four numbers side by side give, bit by bit, what each of them gives by itself in plain C: also
 *  zeros, infinities and what is no number, where instructions differ in which one they take. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "common/four_math.h"

enum { KINDS = 12 };

static const float numbers[KINDS] = {0.0F,   -0.0F,  1.0F,   -1.5F,    2.0F / 3.0F, 3e38F,
                                     -2e38F, 1e-40F, 1e-20F, INFINITY, -INFINITY,   NAN};

/** Number k of a lane: every pair of two such comes up in every lane. */
static float number(int k, int lane) { return numbers[(k + 5 * lane) % KINDS]; }

static tsr_four four(int k) {
  return tsr_four_of(number(k, 0), number(k, 1), number(k, 2), number(k, 3));
}

/** The same bits; of what is no number, that both are none. */
static void check_same(tsr_four four_of_them, const float expected[4], const char *what) {
  float v[4];
  memcpy(v, &four_of_them, sizeof v);
  for (int m = 0; m < 4; m++) {
    CHECK_SAY((isnan(v[m]) && isnan(expected[m])) || memcmp(&v[m], &expected[m], sizeof v[m]) == 0,
              "%s, lane %d: %g and not %g", what, m, (double)v[m], (double)expected[m]);
  }
}

static void check_pair(int i, int j) {
  float sum[4], rest[4], product[4], most[4], least[4], picked[4];
  int ordered = 1;
  for (int m = 0; m < 4; m++) {
    const float a = number(i, m), b = number(j, m);
    sum[m] = a + b;
    rest[m] = a - b;
    product[m] = a * b;
    most[m] = a > b ? a : b;
    least[m] = a < b ? a : b;
    picked[m] = a > 0.0F ? b : a;
    ordered = ordered && a <= b;
  }
  check_same(tsr_four_add(four(i), four(j)), sum, "sum");
  check_same(tsr_four_less(four(i), four(j)), rest, "difference");
  check_same(tsr_four_times(four(i), four(j)), product, "product");
  check_same(tsr_four_most(four(i), four(j)), most, "the larger");
  check_same(tsr_four_least(four(i), four(j)), least, "the smaller");
  check_same(tsr_four_pick(four(i), four(j), four(i)), picked, "picked");
  CHECK_INT(tsr_four_ordered(four(i), four(j)), ordered);
}

int main(void) {
  for (int i = 0; i < KINDS; i++) {
    float root[4], all[4];
    for (int j = 0; j < KINDS; j++) {
      check_pair(i, j);
    }
    for (int m = 0; m < 4; m++) {
      root[m] = sqrtf(number(i, m));
      all[m] = numbers[i];
    }
    check_same(tsr_four_root(four(i)), root, "root");
    check_same(tsr_four_all(numbers[i]), all, "one for all");
  }
  CHECK_INT(tsr_four_ordered(tsr_four_of(1, 2, 3, 4), tsr_four_of(1, 2, 3, 5)), 1);
  for (int m = 0; m < 4; m++) {
    const float above[4] = {m == 0 ? 9 : 1, m == 1 ? 9 : 2, m == 2 ? 9 : 3, m == 3 ? 9 : 4};
    CHECK_INT(tsr_four_ordered(tsr_four_of(above[0], above[1], above[2], above[3]),
                               tsr_four_of(1, 2, 3, 4)),
              0);
  }
  return check_result();
}
