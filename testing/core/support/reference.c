/* SPDX-License-Identifier: BSD-3-Clause */
#include "reference.h"

#include "segment.h"

#include <string.h>

enum { WIDTH = REFERENCE_COMPONENTS + 1, MAX_POINTS = 64 };

/** What one evaluation is about. */
typedef struct source {
  const curve_set *set;
  const int64_t *ids;
  int64_t n; /* ids, without the repeated one of a closed curve */
  int closed;
  tsr_curve_kind kind;
  const double *values;
  int components;
} source;

static source source_of(const curve_set *set, int64_t item, const double *values, int components) {
  source s = {.set = set, .values = values, .components = components};
  s.ids = set->ids + set->offsets[item];
  s.n = set->offsets[item + 1] - set->offsets[item];
  s.kind = (tsr_curve_kind)set->kinds[item];
  const int cell = s.kind == TSR_KIND_LAGRANGE || s.kind == TSR_KIND_BEZIER;
  s.closed = !cell && s.n >= 3 && s.ids[0] == s.ids[s.n - 1];
  const int joint_is_smooth = s.kind == TSR_KIND_CATMULL_ROM || s.kind == TSR_KIND_BSPLINE2 ||
                              s.kind == TSR_KIND_BSPLINE3 || s.kind == TSR_KIND_NATURAL_SPLINE;
  if (s.closed && joint_is_smooth) {
    s.n--;
  }
  return s;
}

/** Index of a point in order along the curve. */
static int64_t id_of(const source *s, int64_t k) {
  if (s->kind == TSR_KIND_LAGRANGE || s->kind == TSR_KIND_BEZIER) {
    return s->ids[k == 0 ? 0 : k == s->n - 1 ? 1 : k + 1];
  }
  return s->ids[s->closed ? (k % s->n + s->n) % s->n : k];
}

/** The value at point k times its weight, and the weight behind it. */
static void get(const source *s, int64_t k, real *out) {
  const int64_t id = id_of(s, k);
  const int takes_weights = s->kind >= TSR_KIND_BEZIER2_CHAIN && s->kind <= TSR_KIND_BEZIER &&
                            s->kind != TSR_KIND_LAGRANGE;
  const real w = s->set->rational && takes_weights ? (real)s->set->weights[id] : 1.0L;
  for (int c = 0; c < s->components; c++) {
    out[c] = w * (real)s->values[id * s->components + c];
  }
  out[s->components] = w;
}

static void project(const source *s, const real *h, double *out) {
  for (int c = 0; c < s->components; c++) {
    out[c] = (double)(h[c] / h[s->components]);
  }
}

static void de_casteljau(const source *s, int64_t first, int degree, real u, double *out) {
  real h[MAX_POINTS][WIDTH];
  for (int k = 0; k <= degree; k++) {
    get(s, first + k, h[k]);
  }
  for (int r = 1; r <= degree; r++) {
    for (int k = 0; k <= degree - r; k++) {
      for (int c = 0; c <= s->components; c++) {
        h[k][c] = (1.0L - u) * h[k][c] + u * h[k + 1][c];
      }
    }
  }
  project(s, h[0], out);
}

static int bspline_degree(const source *s) {
  const int degree = s->kind == TSR_KIND_BSPLINE2 ? 2 : 3;
  return !s->closed && s->n <= degree ? (int)s->n - 1 : degree;
}

/** Knot i: uniform when closed, else clamped to the open curve's ends. */
static real knot(const source *s, int64_t i, int degree) {
  if (s->closed) {
    return (real)i;
  }
  const int64_t last = s->n - degree;
  return (real)(i < degree ? 0 : i - degree > last ? last : i - degree);
}

/** Cox-de Boor: B-spline i of degree p at t, which lies in knot interval `at`. */
static real basis(const source *s, int64_t i, int p, int degree, int64_t at, real t) {
  if (p == 0) {
    return i == at ? 1.0L : 0.0L;
  }
  const real t0 = knot(s, i, degree);
  const real t1 = knot(s, i + p, degree);
  const real t2 = knot(s, i + 1, degree);
  const real t3 = knot(s, i + p + 1, degree);
  real sum = 0.0L;
  if (t1 > t0) {
    sum += (t - t0) / (t1 - t0) * basis(s, i, p - 1, degree, at, t);
  }
  if (t3 > t2) {
    sum += (t3 - t) / (t3 - t2) * basis(s, i + 1, p - 1, degree, at, t);
  }
  return sum;
}

static void bspline(const source *s, int64_t span, real u, double *out) {
  const int degree = bspline_degree(s);
  real sum[WIDTH] = {0.0L};
  const real t = s->closed ? (real)(span + degree) + u : (real)span + u;
  for (int64_t k = span; k <= span + degree; k++) {
    real h[WIDTH];
    get(s, k, h);
    const real b = basis(s, k, degree, degree, span + degree, t);
    for (int c = 0; c <= s->components; c++) {
      sum[c] += b * h[c];
    }
  }
  project(s, sum, out);
}

static real interval(const source *s, int64_t a, int64_t b, tsr_knots knots) {
  if (knots == TSR_KNOTS_UNIFORM) {
    return 1.0L;
  }
  const double *p = s->set->points + 3 * id_of(s, a);
  const double *q = s->set->points + 3 * id_of(s, b);
  real sum = 0.0L;
  for (int c = 0; c < 3; c++) {
    sum += ((real)q[c] - (real)p[c]) * ((real)q[c] - (real)p[c]);
  }
  return knots == TSR_KNOTS_CHORDAL ? sqrtl(sum) : sqrtl(sqrtl(sum));
}

/** Four points and knots; a missing neighbour is the end point, one equal interval outside. */
static int four_points(const source *s, int64_t span, tsr_knots knots, real p[4][WIDTH],
                       real t[4]) {
  const real d1 = interval(s, span, span + 1, knots);
  const int before = s->closed || span > 0;
  const int after = s->closed || span + 2 < s->n;
  real d0 = before ? interval(s, span - 1, span, knots) : d1;
  real d2 = after ? interval(s, span + 1, span + 2, knots) : d1;
  get(s, before && d0 > 0.0L ? span - 1 : span, p[0]);
  get(s, span, p[1]);
  get(s, span + 1, p[2]);
  get(s, after && d2 > 0.0L ? span + 2 : span + 1, p[3]);
  d0 = d0 > 0.0L ? d0 : d1;
  d2 = d2 > 0.0L ? d2 : d1;
  t[1] = 0.0L;
  t[0] = -d0;
  t[2] = d1;
  t[3] = d1 + d2;
  return d1 > 0.0L;
}

static real blend(real a, real ta, real b, real tb, real t) {
  return (tb - t) / (tb - ta) * a + (t - ta) / (tb - ta) * b;
}

static void catmull_rom(const source *s, int64_t span, tsr_knots knots, real tension, real u,
                        double *out) {
  real p[4][WIDTH];
  real t[4];
  const int has_length = four_points(s, span, knots, p, t);
  const real at = u * t[2];
  for (int c = 0; c < s->components; c++) {
    if (!has_length) {
      out[c] = (double)p[1][c];
    } else if (tension <= 0.0L) {
      const real a1 = blend(p[0][c], t[0], p[1][c], t[1], at);
      const real a2 = blend(p[1][c], t[1], p[2][c], t[2], at);
      const real a3 = blend(p[2][c], t[2], p[3][c], t[3], at);
      const real b1 = blend(a1, t[0], a2, t[2], at);
      const real b2 = blend(a2, t[1], a3, t[3], at);
      out[c] = (double)blend(b1, t[1], b2, t[2], at);
    } else { /* Hermite's form, with the pyramid's tangents scaled */
      const real s0 = (p[1][c] - p[0][c]) / (t[1] - t[0]);
      const real s1 = (p[2][c] - p[1][c]) / (t[2] - t[1]);
      const real s2 = (p[3][c] - p[2][c]) / (t[3] - t[2]);
      const real m1 = s0 - (p[2][c] - p[0][c]) / (t[2] - t[0]) + s1;
      const real m2 = s1 - (p[3][c] - p[1][c]) / (t[3] - t[1]) + s2;
      const real scale = (1.0L - tension) * t[2];
      const real v = 1.0L - u;
      out[c] = (double)(v * v * (1.0L + 2.0L * u) * p[1][c] + u * u * (3.0L - 2.0L * u) * p[2][c] +
                        scale * (u * v * v * m1 - u * u * v * m2));
    }
  }
}

/** Solves the n rows of a dense system, n + 1 numbers each, by elimination with pivots. */
static void solve_dense(int n, real (*row)[MAX_POINTS + 1]) {
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++) {
      best = fabsl(row[i][k]) > fabsl(row[best][k]) ? i : best;
    }
    for (int j = 0; j <= n; j++) {
      const real swap = row[k][j];
      row[k][j] = row[best][j];
      row[best][j] = swap;
    }
    for (int i = 0; i < n; i++) {
      const real factor = i == k ? 0.0L : row[i][k] / row[k][k];
      for (int j = k; j <= n && factor != 0.0L; j++) {
        row[i][j] -= factor * row[k][j];
      }
    }
  }
  for (int k = 0; k < n; k++) {
    row[k][n] /= row[k][k];
  }
}

/** The textbook's form by second derivatives; the points without repeats, at knots t. Positions
 *  alone: arrays go linearly. */
static void natural_spline(const source *s, int64_t span, tsr_knots knots, real u, double *out) {
  real p[MAX_POINTS][WIDTH], h[MAX_POINTS], row[MAX_POINTS][MAX_POINTS + 1], a[WIDTH], b[WIDTH];
  const int legs = (int)(s->closed ? s->n : s->n - 1);
  int n = 0, at = 0;
  real at_length = 0.0L;
  get(s, span, a);
  get(s, span + 1, b);
  for (int64_t k = 0; k < legs; k++) {
    const real length =
        s->set->points == s->values ? interval(s, k, k + 1, TSR_KNOTS_CHORDAL) : 0.0L;
    at_length = k == span ? length : at_length;
    at = k == span ? n : at;
    if (length > 0.0L) {
      get(s, k, p[n]);
      get(s, k + 1, p[n + 1]);
      h[n++] = interval(s, k, k + 1, knots);
    }
  }
  for (int c = 0; c < s->components; c++) {
    const int points = s->closed ? n : n + 1;
    if (!(at_length > 0.0L)) {
      out[c] = (double)((1.0L - u) * a[c] + u * b[c]);
      continue;
    }
    for (int k = 0; k < points; k++) {
      const int before = (k + points - 1) % points, after = (k + 1) % points;
      memset(row[k], 0, (size_t)(points + 1) * sizeof row[k][0]);
      if (!s->closed && (k == 0 || k == n)) {
        row[k][k] = 1.0L;
        continue;
      }
      const real h0 = h[before], h1 = h[k];
      row[k][before] += h0;
      row[k][k] += 2.0L * (h0 + h1);
      row[k][after] += h1;
      row[k][points] = 6.0L * ((p[k + 1][c] - p[k][c]) / h1 - (p[k][c] - p[before][c]) / h0);
    }
    solve_dense(points, row);
    const real m0 = row[at][points], m1 = row[(at + 1) % points][points], hh = h[at] * h[at] / 6.0L;
    const real v = 1.0L - u;
    out[c] = (double)(v * a[c] + u * b[c] + hh * ((v * v * v - v) * m0 + (u * u * u - u) * m1));
  }
}

static void lagrange(const source *s, int64_t span, real u, double *out) {
  const int64_t degree = s->n - 1;
  const real t = (real)span + u; /* node k stands at t = k */
  real sum[WIDTH] = {0.0L};
  for (int64_t k = 0; k <= degree; k++) {
    real h[WIDTH];
    real product = 1.0L;
    for (int64_t j = 0; j <= degree; j++) {
      if (j != k) {
        product *= (t - (real)j) / (real)(k - j);
      }
    }
    get(s, k, h);
    for (int c = 0; c <= s->components; c++) {
      sum[c] += product * h[c];
    }
  }
  project(s, sum, out);
}

int64_t reference_spans(const curve_set *set, int64_t item) {
  const source s = source_of(set, item, set->points, 3);
  switch (s.kind) {
  case TSR_KIND_STRAIGHT:
    return s.n - 1;
  case TSR_KIND_CATMULL_ROM:
  case TSR_KIND_NATURAL_SPLINE:
    return s.closed ? s.n : s.n - 1;
  case TSR_KIND_BEZIER2_CHAIN:
    return s.n / 2;
  case TSR_KIND_BEZIER3_CHAIN:
    return (s.n + 1) / 3;
  case TSR_KIND_BSPLINE2:
  case TSR_KIND_BSPLINE3:
    return s.closed ? s.n : s.n - bspline_degree(&s);
  case TSR_KIND_LAGRANGE:
    return s.n - 1;
  case TSR_KIND_BEZIER:
    return 1;
  case TSR_KIND_NONE:
  default:
    return 0;
  }
}

void reference_value(const curve_set *set, int64_t item, tsr_knots knots, double tension,
                     const double *values, int components, int64_t span, double u, double *out) {
  const source s = source_of(set, item, values, components);
  const int chain = s.kind == TSR_KIND_BEZIER2_CHAIN ? 2 : 3;
  const int64_t left = s.n - 1 - span * chain;
  switch (s.kind) {
  case TSR_KIND_STRAIGHT:
    de_casteljau(&s, span, 1, u, out);
    break;
  case TSR_KIND_CATMULL_ROM:
    catmull_rom(&s, span, knots, tension, u, out);
    break;
  case TSR_KIND_NATURAL_SPLINE:
    natural_spline(&s, span, knots, u, out);
    break;
  case TSR_KIND_BEZIER2_CHAIN:
  case TSR_KIND_BEZIER3_CHAIN:
    de_casteljau(&s, span * chain, left < chain ? (int)left : chain, u, out);
    break;
  case TSR_KIND_BSPLINE2:
  case TSR_KIND_BSPLINE3:
    bspline(&s, span, u, out);
    break;
  case TSR_KIND_LAGRANGE:
    lagrange(&s, span, u, out);
    break;
  case TSR_KIND_BEZIER:
    de_casteljau(&s, 0, (int)s.n - 1, u, out);
    break;
  case TSR_KIND_NONE:
  default:
    memset(out, 0, (size_t)components * sizeof *out);
    break;
  }
}

void reference_piece(const curve_set *set, const tessellation *out, int64_t cell, int64_t k,
                     double *from, double *to) {
  *from = out->parameter[out->connectivity[k]];
  *to = out->parameter[out->connectivity[k + 1]];
  if (*to <= *from) { /* the joint of a closed curve */
    *to = (double)reference_spans(set, out->source_item[cell]);
  }
}

double measured_error(const curve_set *set, const tessellation *out, int64_t cell, tsr_knots knots,
                      double tension, int samples) {
  const int64_t item = out->source_item[cell];
  double greatest = 0.0;
  for (int64_t k = out->offsets[cell]; k + 1 < out->offsets[cell + 1]; k++) {
    const int64_t a = out->connectivity[k], b = out->connectivity[k + 1];
    double from, to;
    reference_piece(set, out, cell, k, &from, &to);
    const int64_t span = (int64_t)floor(from);
    for (int i = 0; i <= samples + 1; i++) {
      const double u = from + (to - from) * i / (samples + 1) - (double)span;
      double p[3];
      reference_value(set, item, knots, tension, set->points, 3, span, u, p);
      const double d = sqrt(segment_distance2(out->points + 3 * a, out->points + 3 * b, p));
      greatest = d > greatest ? d : greatest;
    }
  }
  return greatest;
}
