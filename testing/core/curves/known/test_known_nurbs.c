/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * NURBS as chains of rational Bezier pieces, against numbers of
 * - geomdl, orbingol/NURBS-Python at 8ae8b127, tests/test_curve.py (MIT), given to 1e-3;
 * - tinynurbs, pradeep-pyro/tinynurbs at 2669a6b4, tests/test_rational_curve.cpp (BSD-3-Clause);
 * - VTK, Common/DataModel/Testing/Cxx/TestBezier.cxx at d5345fac (BSD-3-Clause).
 */
#include <math.h>
#include <string.h>

#include "check.h"
#include "curve_set.h"

enum { DEGREE = 3, MOST = 32 };

static const double root_half = 0.70710678118654752440;

/** A cubic NURBS with control points x w, y w, w. */
typedef struct nurbs {
  int n;
  double point[MOST][3];
  double knot[MOST];
} nurbs;

/** Boehm's knot insertion (The NURBS Book, A5.1): t once more. */
static void insert_knot(nurbs *c, double t) {
  nurbs old = *c;
  int k = DEGREE;
  while (k + 1 < old.n && old.knot[k + 1] <= t) {
    k++;
  }
  for (int i = 0; i <= old.n; i++) {
    double a = i <= k - DEGREE ? 1.0 : 0.0;
    if (i > k - DEGREE && i <= k) {
      a = (t - old.knot[i]) / (old.knot[i + DEGREE] - old.knot[i]);
    }
    for (int x = 0; x < 3; x++) {
      const double here = i < old.n ? old.point[i][x] : 0.0;
      const double before = i > 0 ? old.point[i - 1][x] : 0.0;
      c->point[i][x] = a * here + (1.0 - a) * before;
    }
  }
  c->n = old.n + 1;
  c->knot[k + 1] = t;
  memcpy(c->knot + k + 2, old.knot + k + 1, (size_t)(old.n + DEGREE - k) * sizeof(double));
}

/** geomdl's curve with each inner knot brought to multiplicity three: a chain of three cubics. */
static void geomdl_chain(const double *weights, curve_set *set) {
  static const double xy[6][2] = {{5, 5}, {10, 10}, {20, 15}, {35, 15}, {45, 10}, {50, 5}};
  static const double knots[10] = {0, 0, 0, 0, 0.33, 0.66, 1, 1, 1, 1};
  nurbs c = {.n = 6};
  memcpy(c.knot, knots, sizeof knots);
  for (int i = 0; i < 6; i++) {
    c.point[i][0] = xy[i][0] * weights[i];
    c.point[i][1] = xy[i][1] * weights[i];
    c.point[i][2] = weights[i];
  }
  for (int times = 0; times < 2; times++) {
    insert_knot(&c, 0.33);
    insert_knot(&c, 0.66);
  }
  CHECK_INT(c.n, 10);
  double xyz[3 * MOST] = {0};
  double w[MOST];
  for (int i = 0; i < c.n; i++) {
    w[i] = c.point[i][2];
    xyz[3 * i] = c.point[i][0] / w[i];
    xyz[3 * i + 1] = c.point[i][1] / w[i];
  }
  curve_set_init(set);
  curve_set_add(set, TSR_KIND_BEZIER3_CHAIN, c.n, xyz, w, 0);
}

/** One of geomdl's numbers: where in the chain, in `steps` steps a span, the parameter lies. */
typedef struct known {
  int steps, span, step;
  double x, y;
  double dx, dy; /* first derivative, 0 0 where not given */
} known;

static void check_geomdl(const double *weights, const known *expected, int n) {
  curve_set set;
  geomdl_chain(weights, &set);
  const tsr_curves_view view = curve_set_view(&set);
  for (int i = 0; i < n; i++) {
    const known *e = &expected[i];
    const tsr_curves_options o = options_points_per_span(e->steps + 1);
    tessellation out;
    CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
    CHECK_INT(out.sizes.points, 3 * e->steps + 1);
    const int64_t at = (int64_t)e->span * e->steps + e->step;
    if (out.sizes.points > at) {
      CHECK_NEAR(out.points[3 * at], e->x, 1e-3);
      CHECK_NEAR(out.points[3 * at + 1], e->y, 1e-3);
      const double speed = hypot(e->dx, e->dy);
      if (speed > 0.0) {
        CHECK_NEAR(out.tangents[3 * at], e->dx / speed, 1e-5);
        CHECK_NEAR(out.tangents[3 * at + 1], e->dy / speed, 1e-5);
      }
    }
    tessellation_free(&out);
  }
  curve_set_free(&set);
}

static void check_geomdl_curves(void) {
  static const double ones[] = {1, 1, 1, 1, 1, 1};
  static const double weights[] = {0.5, 1, 0.75, 1, 0.25, 1};
  /* 0.3 = 30/33 of the first span, 0.5 = 17/33 and 0.6 = 27/33 of the second, and so on. */
  static const known bspline[] = {{33, 0, 0, 5, 5, 0, 0},
                                  {33, 0, 30, 18.617, 13.377, 0, 0},
                                  {33, 1, 17, 27.645, 14.691, 0, 0},
                                  {33, 1, 27, 32.143, 14.328, 0, 0},
                                  {33, 2, 33, 50, 5, 0, 0}};
  static const known rational[] = {{33, 0, 0, 5, 5, 0, 0},
                                   {33, 0, 20, 13.8181, 11.5103, 40.0602, 17.3878},
                                   {33, 1, 17, 28.1775, 14.7858, 39.7272, 2.2562},
                                   {34, 2, 29, 48.7837, 6.0022, 39.5178, -29.9962}};
  check_geomdl(ones, bspline, 5);
  check_geomdl(weights, rational, 4);
}

/** tinynurbs' unit circle of nine points: four rational quadratics, closed. */
static void check_circle(void) {
  static const double xyz[] = {1,  0, 0, 1,  1,  0, 0, 1,  0, -1, 1,  0,
                               -1, 0, 0, -1, -1, 0, 0, -1, 0, 1,  -1, 0};
  const double weights[] = {1, root_half, 1, root_half, 1, root_half, 1, root_half};
  curve_set set;
  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_BEZIER2_CHAIN, 8, xyz, weights, 1);
  const tsr_curves_view view = curve_set_view(&set);
  const tsr_curves_options o = options_points_per_span(17);
  tessellation out;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  CHECK_INT(out.sizes.points, 64);
  CHECK_INT(out.sizes.connectivity, 65);
  for (int64_t i = 0; i < out.sizes.points; i++) {
    const double *p = out.points + 3 * i;
    const double *t = out.tangents + 3 * i;
    CHECK_NEAR(hypot(p[0], p[1]), 1.0, 1e-14);
    CHECK_NEAR(t[0], -p[1], 1e-13); /* counter-clockwise: (0, 1, 0) at 0, (0, -1, 0) at pi */
    CHECK_NEAR(t[1], p[0], 1e-13);
    CHECK_NEAR(out.curvature[i], 1.0, 1e-11);
  }
  if (out.sizes.points == 64) {
    CHECK(out.points[0] == 1.0 && out.points[1] == 0.0);
    CHECK(out.points[3 * 32] == -1.0 && out.points[3 * 32 + 1] == 0.0);
  }
  tessellation_free(&out);
  curve_set_free(&set);
}

/** VTK's rational quarter circle: every vertex at radius 1 within 1e-12. */
static void check_vtk_quarter_circle(void) {
  static const double in_order[] = {0, 1, 0, 1, 1, 0, 1, 0, 0};
  const double weights[] = {1, root_half, 1};
  curve_set set;
  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_BEZIER, 3, in_order, weights, 0);
  CHECK_INT(set.ids[1], 2); /* VTK's order: ends first */
  const tsr_curves_view view = curve_set_view(&set);
  for (int sampling = 0; sampling <= TSR_SAMPLING_EQUAL_ERROR; sampling++) {
    for (double e = 0.1; e > 1e-9; e /= 10.0) {
      const tsr_curves_options o = options_chord_error((tsr_sampling)sampling, e);
      tessellation out;
      CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
      for (int64_t i = 0; i < out.sizes.points; i++) {
        CHECK_NEAR(hypot(out.points[3 * i], out.points[3 * i + 1]), 1.0, 1e-12);
      }
      tessellation_free(&out);
    }
  }
  curve_set_free(&set);
}

int main(void) {
  check_geomdl_curves();
  check_circle();
  check_vtk_quarter_circle();
  return check_result();
}
