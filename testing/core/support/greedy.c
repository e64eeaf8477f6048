/* SPDX-License-Identifier: BSD-3-Clause */
#include "greedy.h"

#include "segment.h"

enum { MOST_ORDER = TSR_MAX_DEGREE + 1, SAMPLES = 24 };

/** Control points in homogeneous coordinates. */
typedef struct bezier {
  int order;
  double q[MOST_ORDER][4];
} bezier;

static bezier bezier_of(const curve_set *set, int64_t item) {
  const int64_t *ids = set->ids + set->offsets[item];
  bezier b = {(int)(set->offsets[item + 1] - set->offsets[item]), {{0}}};
  for (int i = 0; i < b.order; i++) {
    const int64_t id = ids[i == 0 ? 0 : i == b.order - 1 ? 1 : i + 1];
    const double w = set->rational ? set->weights[id] : 1.0;
    for (int c = 0; c < 3; c++) {
      b.q[i][c] = w * set->points[3 * id + c];
    }
    b.q[i][3] = w;
  }
  return b;
}

static void evaluate(const bezier *b, double t, double *p) {
  double q[MOST_ORDER][4];
  for (int i = 0; i < b->order; i++) {
    for (int c = 0; c < 4; c++) {
      q[i][c] = b->q[i][c];
    }
  }
  for (int r = b->order - 1; r > 0; r--) {
    for (int i = 0; i < r; i++) {
      for (int c = 0; c < 4; c++) {
        q[i][c] += t * (q[i + 1][c] - q[i][c]);
      }
    }
  }
  for (int c = 0; c < 3; c++) {
    p[c] = q[0][c] / q[0][3];
  }
}

/** 1 if the samples between the parameters are within the error of the segment. */
static int is_near(const bezier *b, double from, double to, double error) {
  double start[3], end[3], p[3];
  evaluate(b, from, start);
  evaluate(b, to, end);
  for (int i = 1; i < SAMPLES; i++) {
    /* from the middle on, where it fails first */
    const int k = i % 2 ? (SAMPLES + i) / 2 : (SAMPLES - i) / 2;
    evaluate(b, from + (to - from) * k / SAMPLES, p);
    if (segment_distance2(start, end, p) > error * error) {
      return 0;
    }
  }
  return 1;
}

int64_t greedy_segments(const curve_set *set, int64_t item, double error) {
  const bezier b = bezier_of(set, item);
  double from = 0.0, step = 1.0;
  int64_t n = 0;
  while (from < 1.0) {
    double good = 0.0, bad = step;
    while (bad < 1.0 - from && is_near(&b, from, from + bad, error)) {
      good = bad;
      bad *= 1.25;
    }
    if (bad >= 1.0 - from) {
      bad = 1.0 - from;
      if (is_near(&b, from, 1.0, error)) {
        return n + 1;
      }
    }
    while (bad - good > 1e-4 * bad && from + bad > from) {
      const double middle = 0.5 * (good + bad);
      if (is_near(&b, from, from + middle, error)) {
        good = middle;
      } else {
        bad = middle;
      }
    }
    step = bad; /* never a little less than what can be */
    from += step;
    n++;
  }
  return n;
}
