/* SPDX-License-Identifier: BSD-3-Clause */
/** Vertices from which a segment can end at the next vertex only: beside the look that lists all
 *  ends, and in chains of which it is known. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "curve_set.h"
#include "curves/coarsen/lone.h"
#include "curves/coarsen/walk_math.h"
#include "curves/sampling/lanes.h"

enum { N = 200, ROOM = N + 7, VALUES = 16, CHAINS = 400 };

static double planes[(TSR_PLANE_VALUES + VALUES) * ROOM];

/** A chain of N vertices in `planes`. */
static tsr_chain chain_of(int n_values, double tolerance) {
  tsr_chain chain = {.v = planes, .room = ROOM, .last = N - 1, .n_values = n_values};
  chain.tolerance = tolerance;
  memset(planes, 0, sizeof planes);
  return chain;
}

/** Vertices a step apart, each with a reach up to the tolerance and a share up to 1; one in 20 has
 *  to stay. whole: all numbers are small multiples of 1 / 4, so that vertices often lie just as far
 *  off as they may. */
static tsr_chain random_chain(uint64_t *state, int n_values, double step, int whole) {
  const tsr_chain chain = chain_of(n_values, 1.0);
  for (int64_t k = 0; k < N; k++) {
    const int stays = random_in(state, 0.0, 1.0) < 0.05;
    for (int c = 0; c < 3; c++) {
      const double before = k > 0 ? planes[c * ROOM + k - 1] : 1000.0;
      planes[c * ROOM + k] = before + random_in(state, c == 0 ? 0.0 : -step, step);
    }
    planes[TSR_PLANE_REACH * ROOM + k] = random_in(state, 0.0, 1.0);
    planes[TSR_PLANE_SHARE * ROOM + k] = stays ? -1.0 : random_in(state, 0.0, 1.0);
    for (int f = 0; f < n_values; f++) {
      planes[(TSR_PLANE_VALUES + f) * ROOM + k] = random_in(state, -1.0, 1.0);
    }
    for (int p = 0; whole && p < TSR_PLANE_VALUES + n_values; p++) {
      planes[p * ROOM + k] = floor(4.0 * planes[p * ROOM + k]) / 4.0;
    }
    if (stays) {
      planes[TSR_PLANE_REACH * ROOM + k] = -1.0;
    }
  }
  return chain;
}

/** Compares what is found with the look from each vertex; adds the vertices whose only end is the
 *  next one to *only, and those that are found to *found. */
static void check_chain(tsr_chain chain, int wide, int64_t *only, int64_t *found) {
  uint8_t lone[N], keep[2][N];
  double error[2];
  chain.lone = NULL;
  tsr_chain_find_lone(&chain, wide, lone);
  for (int64_t i = 0; i < chain.last; i++) {
    tsr_look look;
    tsr_look_far(&look, &chain, i);
    const int alone = look.n == 1 && look.ends[0] == i + 1 && look.end == i + 1;
    *only += alone;
    *found += lone[i];
    CHECK(!lone[i] || alone);
  }
  error[0] = tsr_chain_walk(&chain, keep[0]);
  chain.lone = lone;
  error[1] = tsr_chain_walk(&chain, keep[1]);
  CHECK(error[0] == error[1]);
  CHECK(memcmp(keep[0], keep[1], (size_t)chain.last) == 0);
}

static void test_random(int wide) {
  static const double steps[] = {0.2, 1.0, 5.0, 1e4};
  static const int values[] = {0, 1, 5, VALUES};
  uint64_t state = 11;
  for (int v = 0; v < 4; v++) {
    int64_t only = 0, found = 0;
    for (int k = 0; k < CHAINS; k++) {
      tsr_chain chain = random_chain(&state, values[v], steps[k % 4], k / 4 % 2);
      chain.length = k % 5 == 4 ? steps[k % 4] : 0.0; /* most chains have no greatest length */
      check_chain(chain, wide, &only, &found);
    }
    /* Sides of the cone that see less of a distance than its octagon does, and ties, are not
     * certain. */
    CHECK(only > 1000);
    CHECK(found > only * 7 / 10);
  }
}

/** Right angles, farther apart than the tolerance: no segment can pass over a vertex. A straight
 *  line on which the value changes evenly: every segment can. A value that jumps on such a line. */
static void test_known(int wide) {
  uint8_t lone[N];
  tsr_chain chain = chain_of(1, 0.1);
  for (int64_t k = 0; k < N; k++) {
    planes[k] = (double)(k / 2 + k % 2);
    planes[ROOM + k] = (double)(k / 2);
    planes[TSR_PLANE_REACH * ROOM + k] = 0.1;
    planes[TSR_PLANE_SHARE * ROOM + k] = 1.0;
  }
  tsr_chain_find_lone(&chain, wide, lone);
  for (int64_t i = 0; i < N - 2; i++) {
    CHECK(lone[i] == 1);
  }
  CHECK(lone[N - 2] == 0); /* the last segment ends at the next vertex anyway */
  for (int64_t k = 0; k < N; k++) {
    planes[k] = planes[ROOM + k] = planes[TSR_PLANE_VALUES * ROOM + k] = (double)k;
  }
  tsr_chain_find_lone(&chain, wide, lone);
  for (int64_t i = 0; i < N - 1; i++) {
    CHECK(lone[i] == 0);
  }
  planes[TSR_PLANE_VALUES * ROOM + 50] += 4.0;
  tsr_chain_find_lone(&chain, wide, lone);
  for (int64_t i = 0; i < N - 1; i++) {
    CHECK(lone[i] == (i >= 48 && i <= 50)); /* 4 off, where the shares allow 3 */
  }
}

/** Coordinates and values that a double can hardly square, and repeated points: nothing is certain,
 *  and nothing is wrong. */
static void test_extremes(int wide) {
  static const double scales[] = {0.0, 1e-200, 1e-40, 1e40, 1e99};
  uint64_t state = 5;
  int64_t only = 0, found = 0;
  for (int s = 0; s < 5; s++) {
    for (int k = 0; k < 40; k++) {
      const tsr_chain chain = random_chain(&state, 3, 1.0, 0);
      for (int64_t i = 0; i < 3 * ROOM; i++) {
        planes[i] = scales[s] * (planes[i] - 1000.0);
      }
      for (int64_t i = 0; k % 2 && i < ROOM; i++) {
        planes[TSR_PLANE_VALUES * ROOM + i] *= scales[4 - s];
      }
      check_chain(chain, wide, &only, &found);
    }
  }
}

int main(void) {
  for (int wide = 0; wide <= tsr_lanes_are_wide(); wide++) {
    test_random(wide);
    test_known(wide);
    test_extremes(wide);
  }
  return check_result();
}
