/* SPDX-License-Identifier: BSD-3-Clause */
/** What the search for the points of a span finds for several places at a time: the ends of steps
 * of equal error, beside one place after the other; and nodes of a bisection that fail for certain,
 *  beside many points of the curve. Both with the shorter and the longer vectors. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "curve_set.h"
#include "curves/sampling/bisection.h"
#include "curves/sampling/density.h"
#include "curves/sampling/lanes.h"

enum { CURVES = 2000, SAMPLES = 64 };

static const double CHORDS[] = {1e-1, 1e-2, 1e-3, 1e-4};

/** A case of a cubic with random control points, at a distance from the origin. */
static void random_case(uint64_t *state, double away, tsr_curves_criteria *criteria,
                        tsr_span_case *it) {
  memset(it, 0, sizeof *it);
  it->criteria = criteria;
  it->net.degree = 3;
  for (int i = 0; i < 4; i++) {
    it->net.x[i] = away + random_in(state, 0.0, 1.0);
    it->net.y[i] = away + random_in(state, 0.0, 1.0);
    it->net.z[i] = random_in(state, 0.0, 1.0);
  }
  it->least = 1;
  it->most = (int64_t)1 << 24;
  it->wang = tsr_wang_error(&it->net);
}

static void point_at(const tsr_net *net, double u, double x[3]) {
  const double *q[3] = {net->x, net->y, net->z};
  for (int c = 0; c < 3; c++) {
    double p[4] = {q[c][0], q[c][1], q[c][2], q[c][3]};
    for (int r = 1; r <= 3; r++) {
      for (int i = 0; i <= 3 - r; i++) {
        p[i] = (1.0 - u) * p[i] + u * p[i + 1];
      }
    }
    x[c] = p[0];
  }
}

/** The largest distance of points of the curve on [a, b] from its segment. */
static double farthest(const tsr_net *net, double a, double b) {
  double from[3], to[3], x[3], most = 0.0;
  point_at(net, a, from);
  point_at(net, b, to);
  for (int k = 0; k <= SAMPLES; k++) {
    double length2 = 0.0, along = 0.0, off2 = 0.0;
    point_at(net, a + (b - a) * k / SAMPLES, x);
    for (int c = 0; c < 3; c++) {
      length2 += (to[c] - from[c]) * (to[c] - from[c]);
      along += (x[c] - from[c]) * (to[c] - from[c]);
    }
    along = fmin(1.0, fmax(0.0, along / length2));
    for (int c = 0; c < 3; c++) {
      const double d = x[c] - (from[c] + along * (to[c] - from[c]));
      off2 += d * d;
    }
    most = fmax(most, sqrt(off2));
  }
  return most;
}

/** Counts the nodes that fail by points of the curve, and those that were found. Fails where a node
 *  was found that keeps the error. */
static void check_nodes(tsr_span_case *it, int64_t *failing, int64_t *found) {
  uint64_t fails[TSR_LEVELS_BEFORE];
  tsr_find_failing(it, TSR_LEVELS_BEFORE, fails);
  CHECK(fails[0] == 0);
  for (int level = 1; level < TSR_LEVELS_BEFORE; level++) {
    for (int i = 0; i < 1 << level; i++) {
      const double h = 1.0 / (1 << level), a = i * h, b = (i + 1) * h;
      const int far = farthest(&it->net, a, b) > it->criteria->chord;
      *failing += far;
      if (fails[level] >> i & 1) {
        *found += 1;
        CHECK(far);
        CHECK(!tsr_piece_fulfilled(it, a, b, NULL, 1));
      }
    }
  }
}

static void test_nodes(int wide, double away) {
  tsr_curves_criteria criteria = {.use_chord = 1, .wide = wide};
  uint64_t state = 7;
  int64_t failing = 0, found = 0;
  for (int k = 0; k < CURVES / 10; k++) {
    tsr_span_case it;
    random_case(&state, away, &criteria, &it);
    criteria.chord = CHORDS[k % 4];
    check_nodes(&it, &failing, &found);
  }
  /* Of a parabola the middle is the farthest point, and most nodes are nearly parabolas. */
  CHECK(failing > 1000);
  CHECK(found > failing * 8 / 10);
  CHECK(found <= failing);
}

/** Nodes of a straight line, and of coordinates whose squares a double cannot hold: none fails. */
static void test_no_nodes(int wide) {
  tsr_curves_criteria criteria = {.use_chord = 1, .wide = wide, .chord = 1e-9};
  uint64_t state = 3, fails[TSR_LEVELS_BEFORE];
  for (int k = 0; k < 2; k++) {
    tsr_span_case it;
    random_case(&state, 0.0, &criteria, &it);
    for (int i = 0; i < 4; i++) {
      it.net.x[i] = k == 0 ? 1000.0 + i : 1e99 * it.net.x[i];
      it.net.y[i] = k == 0 ? 2000.0 - i : it.net.y[i];
      it.net.z[i] = k == 0 ? 0.5 * i : it.net.z[i];
    }
    tsr_find_failing(&it, TSR_LEVELS_BEFORE, fails);
    for (int level = 0; level < TSR_LEVELS_BEFORE; level++) {
      CHECK(fails[level] == 0);
    }
  }
}

static void test_steps(int wide) {
  tsr_curves_criteria criteria = {.use_chord = 1, .wide = wide};
  uint64_t state = 5;
  for (int k = 0; k < CURVES; k++) {
    tsr_density density;
    tsr_span_case it;
    tsr_walk walk = {.density = &density, .n = 2 + k % 40};
    int cell = 0;
    random_case(&state, 0.0, &criteria, &it);
    criteria.chord = CHORDS[k % 4];
    tsr_density_make(&density, &it);
    walk.form = k % 5 == 0 ? TSR_DENSITY_CONSTANT : density.form;
    for (walk.k = 1; walk.k < walk.n; walk.k += TSR_STEPS) {
      double ends[TSR_STEPS];
      tsr_density_steps(&walk, wide, ends);
      for (int l = 0; l < TSR_STEPS && walk.k + l < walk.n; l++) {
        const double share = (double)(walk.k + l) / (double)walk.n;
        const double u = tsr_density_place(&density, walk.form, share, &cell);
        CHECK(ends[l] == u * 0x1p30 + 0.5);
      }
    }
  }
}

int main(void) {
  for (int wide = 0; wide <= tsr_lanes_are_wide(); wide++) {
    test_nodes(wide, 0.0);
    test_nodes(wide, 1e5);
    test_no_nodes(wide);
    test_steps(wide);
  }
  return check_result();
}
