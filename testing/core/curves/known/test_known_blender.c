/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Blender's numbers: source/blender/blenkernel/intern/curves_geometry_test.cc at 0f8bf5549af5
 * (GPL-2.0-or-later; only the numbers stand here), given there to 1e-5.
 */
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "curve_set.h"

static const double tolerance = 1e-5;

static void check_polyline(const tessellation *out, int64_t from, const double (*expected)[2],
                           int n) {
  if (!CHECK_SAY(out->sizes.points >= from + n, "only %lld points", (long long)out->sizes.points)) {
    return;
  }
  for (int i = 0; i < n; i++) {
    CHECK_NEAR(out->points[3 * (from + i)], expected[i][0], tolerance);
    CHECK_NEAR(out->points[3 * (from + i) + 1], expected[i][1], tolerance);
    CHECK(out->points[3 * (from + i) + 2] == 0.0);
  }
}

static void tessellate_points(tsr_curve_kind kind, int n, const double *xyz, int closed,
                              int points_per_span, tessellation *out) {
  curve_set set;
  curve_set_init(&set);
  curve_set_add(&set, kind, n, xyz, NULL, closed);
  tsr_curves_options o = options_points_per_span(points_per_span);
  o.knots = TSR_KNOTS_UNIFORM;
  const tsr_curves_view view = curve_set_view(&set);
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, out), TSR_OK);
  curve_set_free(&set);
}

static void check_bezier(void) {
  static const double xyz[] = {-1, 0, 0, -0.5, 0.5, 0, 0, 0, 0, 1, 0, 0};
  static const double expected[13][2] = {{-1, 0},
                                         {-0.874711, 0.105035},
                                         {-0.747685, 0.173611},
                                         {-0.617188, 0.210937},
                                         {-0.481481, 0.222222},
                                         {-0.338831, 0.212674},
                                         {-0.1875, 0.1875},
                                         {-0.0257524, 0.15191},
                                         {0.148148, 0.111111},
                                         {0.335937, 0.0703125},
                                         {0.539352, 0.0347222},
                                         {0.760127, 0.00954859},
                                         {1, 0}};
  tessellation out;
  tessellate_points(TSR_KIND_BEZIER, 4, xyz, 0, 13, &out);
  CHECK_INT(out.sizes.points, 13);
  check_polyline(&out, 0, expected, 13);
  tessellation_free(&out);
  tessellate_points(TSR_KIND_BEZIER3_CHAIN, 4, xyz, 0, 13, &out);
  CHECK_INT(out.sizes.points, 13);
  check_polyline(&out, 0, expected, 13);
  tessellation_free(&out);
}

static void check_bezier_chain(void) {
  static const double xyz[] = {-1, 0, 0, -1, 1, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 1, 1, 0, 2, 1, 0};
  static const double expected[17][2] = {
      {-1, 0},         {-0.955078, 0.287109},  {-0.828125, 0.421875}, {-0.630859, 0.439453},
      {-0.375, 0.375}, {-0.0722656, 0.263672}, {0.265625, 0.140625},  {0.626953, 0.0410156},
      {1, 0},          {1.28906, 0.0429688},   {1.4375, 0.15625},     {1.49219, 0.316406},
      {1.5, 0.5},      {1.50781, 0.683594},    {1.5625, 0.84375},     {1.71094, 0.957031},
      {2, 1}};
  /* Blender gives the radius at the joints, 0 1 2, and blends it linearly: so does an array that
     is linear over the control points. */
  static const double radius[] = {0, 1.0 / 3, 2.0 / 3, 1, 4.0 / 3, 5.0 / 3, 2};
  curve_set set;
  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_BEZIER3_CHAIN, 7, xyz, NULL, 0);
  const tsr_curves_options o = options_points_per_span(9);
  const tsr_curves_view view = curve_set_view(&set);
  tsr_attribute radii[2] = {attribute_of(radius, TSR_DOUBLE, 1, 7, TSR_INTERPOLATE_CURVE),
                            attribute_of(radius, TSR_DOUBLE, 1, 7, TSR_INTERPOLATE_LINEAR)};
  tessellation out;
  CHECK_INT(tessellate(&view, &o, NULL, radii, 2, &out), TSR_OK);
  CHECK_INT(out.sizes.points, 17);
  check_polyline(&out, 0, expected, 17);
  for (int a = 0; a < 2; a++) {
    for (int i = 0; i < 17 && out.sizes.points == 17; i++) {
      CHECK_NEAR(((double *)radii[a].out)[i], 0.125 * i, 1e-14);
    }
    free(radii[a].out);
  }
  tessellation_free(&out);
  curve_set_free(&set);
}

static void check_catmull_rom(void) {
  static const double xyz[] = {1, 1, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0};
  static const double expected[37][2] = {{1, 1},
                                         {0.948495, 1.00318},
                                         {0.87963, 1.01157},
                                         {0.796875, 1.02344},
                                         {0.703704, 1.03704},
                                         {0.603588, 1.05064},
                                         {0.5, 1.0625},
                                         {0.396412, 1.07089},
                                         {0.296296, 1.07407},
                                         {0.203125, 1.07031},
                                         {0.12037, 1.05787},
                                         {0.0515046, 1.03501},
                                         {0, 1},
                                         {-0.0318287, 0.948495},
                                         {-0.0462963, 0.87963},
                                         {-0.046875, 0.796875},
                                         {-0.037037, 0.703704},
                                         {-0.0202546, 0.603588},
                                         {0, 0.5},
                                         {0.0202546, 0.396412},
                                         {0.037037, 0.296296},
                                         {0.046875, 0.203125},
                                         {0.0462963, 0.12037},
                                         {0.0318287, 0.0515046},
                                         {0, 0},
                                         {-0.0515046, -0.0350116},
                                         {-0.12037, -0.0578704},
                                         {-0.203125, -0.0703125},
                                         {-0.296296, -0.0740741},
                                         {-0.396412, -0.0708912},
                                         {-0.5, -0.0625},
                                         {-0.603588, -0.0506366},
                                         {-0.703704, -0.037037},
                                         {-0.796875, -0.0234375},
                                         {-0.87963, -0.0115741},
                                         {-0.948495, -0.00318287},
                                         {-1, 0}};
  tessellation out;
  tessellate_points(TSR_KIND_CATMULL_ROM, 4, xyz, 0, 13, &out);
  CHECK_INT(out.sizes.points, 37);
  check_polyline(&out, 0, expected, 37);
  tessellation_free(&out);
}

/** What Blender evaluates of four points of order 4 is the one span of unclamped uniform knots. */
static const double nurbs_expected[11][2] = {
    {0.166667, 0.833333},   {0.121333, 0.778667},   {0.084, 0.716},
    {0.0526667, 0.647333},  {0.0253333, 0.574667},  {0, 0.5},
    {-0.0253333, 0.425333}, {-0.0526667, 0.352667}, {-0.084, 0.284},
    {-0.121333, 0.221333},  {-0.166667, 0.166667}};

/** The middle span of eight points has uniform knots all around, also where the ends are clamped:
 *  its control points are points 2 to 5, whatever the others are. */
static void check_bspline_inside(void) {
  static const double xyz[] = {7, 3, 0, -4, 2, 0, 1,  1, 0, 0, 1,  0,
                               0, 0, 0, -1, 0, 0, 12, 5, 0, 3, -9, 0};
  tessellation out;
  tessellate_points(TSR_KIND_BSPLINE3, 8, xyz, 0, 11, &out);
  CHECK_INT(out.sizes.points, 51);
  check_polyline(&out, 20, nurbs_expected, 11);
  tessellation_free(&out);
}

/** One of the four spans of the closed curve on the four points is it as well. */
static void check_bspline_closed(void) {
  static const double xyz[] = {1, 1, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0};
  tessellation out;
  tessellate_points(TSR_KIND_BSPLINE3, 4, xyz, 1, 11, &out);
  CHECK_INT(out.sizes.points, 40);
  CHECK_INT(out.sizes.connectivity, 41);
  int spans_found = 0;
  for (int64_t span = 0; span < 4 && out.sizes.points == 40; span++) {
    double greatest = 0.0;
    for (int64_t i = 0; i < 11; i++) {
      const double *p = out.points + 3 * ((10 * span + i) % 40);
      greatest = fmax(greatest, fabs(p[0] - nurbs_expected[i][0]));
      greatest = fmax(greatest, fabs(p[1] - nurbs_expected[i][1]));
    }
    spans_found += greatest <= tolerance;
  }
  CHECK_INT(spans_found, 1);
  tessellation_free(&out);
}

int main(void) {
  check_bezier();
  check_bezier_chain();
  check_catmull_rom();
  check_bspline_inside();
  check_bspline_closed();
  return check_result();
}
