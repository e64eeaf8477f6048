/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * How densely the points of a span have to lie for equal errors, and where that puts them.
 *
 * A segment of length s on a curve of curvature k is k s^2 / 8 away from it, so that an error e
 * takes sqrt(k / (8 e)) segments a length; in the parameter that is
 * sqrt(|P' x P''| / |P'| / (8 e)). Its integral is the number of segments, and equal parts of the
 * integral end where the points belong. A largest length L of a segment takes |P'| / L segments;
 * where both bind, the density is the larger of the two at each place.
 */
#ifndef TSR_CURVES_SAMPLING_DENSITY_MATH_H
#define TSR_CURVES_SAMPLING_DENSITY_MATH_H

#include "common/vector_math.h"
#include "curves/span/speed_math.h"

/** Cells of Simpson's rule over a span: as many as a short span needs, and doubled as long as a
 * cell has more than two segments. */
#define TSR_LEAST_CELLS 8
#define TSR_MOST_CELLS 64

/** What the places of a span's points are made from. */
typedef enum tsr_density_form {
  TSR_DENSITY_CONSTANT = 0, /**< equal steps of the parameter */
  TSR_DENSITY_PARABOLA,     /**< closed form: Levien's inverse */
  TSR_DENSITY_TABLE
} tsr_density_form;

typedef struct tsr_density {
  tsr_density_form form;
  double total;                      /**< the integral: segments, not rounded */
  double tip, width, from, step;     /**< PARABOLA */
  double peak;                       /**< PARABOLA: the density where it is highest */
  int cells;                         /**< TABLE */
  double at[2 * TSR_MOST_CELLS + 1]; /**< TABLE: at both ends of each cell, and in its middle */
  double before[TSR_MOST_CELLS + 1]; /**< TABLE: the integral before each cell */
} tsr_density;

/** Where Levien's map takes tau, in half the widths of the parabola's tip from it (R. Levien,
 * Flattening quadratic Beziers, 2019): steps of equal error of a parabola are equal steps of tau.
 */
TSR_FN double tsr_levien(double tau) {
  return 2.0 * tau * (0.61 + sqrt(0.1521 + 0.25 * (tau * tau)));
}

/** The tau that Levien's map takes to y: his estimate, and two Newton steps. */
TSR_FN double tsr_levien_inverse(double y) {
  double tau = 0.5 * y / (0.33 + sqrt(sqrt(0.20151121 + 0.25 * (y * y))));
  for (int i = 0; i < 2; ++i) {
    const double root = sqrt(0.1521 + 0.25 * (tau * tau));
    const double slope = 2.0 * (0.61 + root) + 0.5 * (tau * tau) / root;
    tau -= (2.0 * tau * (0.61 + root) - y) / slope;
  }
  return tau;
}

/** A polynomial quadratic; legs: its two, in a unit in which the error is 1 / (8 over). */
TSR_FN void tsr_density_parabola(const tsr_net *legs, double over, tsr_density *density) {
  const double d0[3] = {legs->x[0], legs->y[0], legs->z[0]};
  const double a[3] = {legs->x[1] - d0[0], legs->y[1] - d0[1], legs->z[1] - d0[2]};
  const double a2 = tsr_dot(a, a);
  double cross[3], to, off;
  density->form = TSR_DENSITY_CONSTANT;
  density->total = 0.0;
  if (!(a2 > 0.0))
    return;
  tsr_cross(d0, a, cross);
  density->tip = -tsr_dot(d0, a) / a2;
  density->width = sqrt(tsr_dot(cross, cross)) / a2;
  if (!(density->width > 1e-100)) /* a fold: straight */
    return;
  density->form = TSR_DENSITY_PARABOLA;
  density->from = tsr_levien_inverse(-density->tip / density->width);
  to = tsr_levien_inverse((1.0 - density->tip) / density->width);
  density->step = to - density->from;
  density->total = 2.0 * (sqrt(2.0 * sqrt(a2)) * density->width) * density->step * sqrt(over);
  off = tsr_clamp01(density->tip) - density->tip;
  density->peak = sqrt(2.0 * over * density->width * sqrt(a2) /
                       sqrt(off * off + density->width * density->width));
}

/** |P' x P''| / |P'| of a polynomial span, but for the factor degree * (degree - 1), at t; squared.
 *  By the quadratic that osculates it: the last but two of de Casteljau's points. */
TSR_FN double tsr_bend_polynomial(int degree, const tsr_net *legs, double t, const double *basis) {
  double e0[3], e1[3], v[3], cross[3], speed2;
  e0[0] = tsr_combine(degree - 2, basis, legs->x);
  e0[1] = tsr_combine(degree - 2, basis, legs->y);
  e0[2] = tsr_combine(degree - 2, basis, legs->z);
  e1[0] = tsr_combine(degree - 2, basis, legs->x + 1);
  e1[1] = tsr_combine(degree - 2, basis, legs->y + 1);
  e1[2] = tsr_combine(degree - 2, basis, legs->z + 1);
  for (int c = 0; c < 3; ++c)
    v[c] = (1.0 - t) * e0[c] + t * e1[c];
  tsr_cross(e0, e1, cross);
  speed2 = tsr_dot(v, v);
  return speed2 > 0.0 ? tsr_dot(cross, cross) / speed2 : 0.0;
}

/** (|P' x P''| / |P'|)^2 of a rational span at t, all factors included. net: relative to its first
 *  point. */
TSR_FN double tsr_bend_rational(int degree, const tsr_net *net, double t, const double *basis) {
  const double *const q[4] = {net->x, net->y, net->z, net->w};
  const double s = 1.0 - t, d = (double)degree;
  double value[4], first[4], second[4], v[3], a[3], cross[3], speed2;
  for (int c = 0; c < 4; ++c) {
    const double q0 = tsr_combine(degree - 2, basis, q[c]);
    const double q1 = tsr_combine(degree - 2, basis, q[c] + 1);
    const double q2 = tsr_combine(degree - 2, basis, q[c] + 2);
    value[c] = (s * s * q0 + 2.0 * (s * t) * q1) + t * t * q2;
    first[c] = d * (s * (q1 - q0) + t * (q2 - q1));
    second[c] = d * (d - 1.0) * ((q2 - q1) - (q1 - q0));
  }
  for (int c = 0; c < 3; ++c) {
    const double p = value[c] / value[3];
    v[c] = (first[c] - first[3] * p) / value[3];
    a[c] = (second[c] - second[3] * p) / value[3];
  }
  tsr_cross(v, a, cross);
  speed2 = tsr_dot(v, v);
  return speed2 > 0.0 ? tsr_dot(cross, cross) / speed2 : 0.0;
}

/** Samples of a span of degree 3, by themselves so that the loop becomes vector instructions. */
TSR_FN void tsr_density_cubic(const tsr_net *legs, int cells, double *at) {
  const double share = 1.0 / (double)(2 * cells);
  const double ax = legs->x[1] - legs->x[0], bx = legs->x[2] - legs->x[1];
  const double ay = legs->y[1] - legs->y[0], by = legs->y[2] - legs->y[1];
  const double az = legs->z[1] - legs->z[0], bz = legs->z[2] - legs->z[1];
  for (int i = 0; i <= 2 * cells; ++i) {
    const double t = (double)i * share;
    const double x0 = legs->x[0] + t * ax, x1 = (legs->x[1] + t * bx) - x0;
    const double y0 = legs->y[0] + t * ay, y1 = (legs->y[1] + t * by) - y0;
    const double z0 = legs->z[0] + t * az, z1 = (legs->z[1] + t * bz) - z0;
    const double vx = x0 + t * x1, vy = y0 + t * y1, vz = z0 + t * z1;
    const double cx = y0 * z1 - z0 * y1, cy = z0 * x1 - x0 * z1, cz = x0 * y1 - y0 * x1;
    const double speed2 = ((vx * vx + vy * vy) + vz * vz) + 1e-200;
    at[i] = sqrt(sqrt(((cx * cx + cy * cy) + cz * cz) / speed2));
  }
}

/** Samples of a span of any degree from 2 on. */
TSR_FN void tsr_density_samples(const tsr_net *net, int cells, double *at) {
  const double share = 1.0 / (double)(2 * cells);
  double basis[TSR_MAX_ORDER];
  for (int i = 0; i <= 2 * cells; ++i) {
    const double t = (double)i * share;
    tsr_bernstein(net->degree - 2, t, basis);
    at[i] = sqrt(sqrt(net->rational ? tsr_bend_rational(net->degree, net, t, basis)
                                    : tsr_bend_polynomial(net->degree, net, t, basis)));
  }
}

/** Raises the samples to the speed times `factor` where that is more. */
TSR_FAR_FN void tsr_density_speeds(const tsr_net *net, int cells, double factor, double *at) {
  const double share = 1.0 / (double)(2 * cells);
  for (int i = 0; i <= 2 * cells; ++i) {
    const double speed = factor * tsr_legs_speed(net, (double)i * share);
    at[i] = speed > at[i] ? speed : at[i];
  }
}

/** Fills the table, with `cells` cells. net: tsr_net_legs; bend: the factor of the samples by the
 *  chord error, 0 where that is not in use; speed: the factor of those by the length, likewise. */
TSR_FN void tsr_density_table(tsr_density *density, const tsr_net *net, int cells, double bend,
                              double speed) {
  const double share = 1.0 / (double)(6 * cells);
  double *at = density->at, sum = 0.0;
  density->cells = cells;
  if (!(bend > 0.0) || net->degree < 2)
    for (int i = 0; i <= 2 * cells; ++i)
      at[i] = 0.0;
  else if (net->degree == 3 && !net->rational)
    tsr_density_cubic(net, cells, at);
  else
    tsr_density_samples(net, cells, at);
  for (int i = 0; i <= 2 * cells; ++i)
    at[i] *= bend;
  if (speed > 0.0)
    tsr_density_speeds(net, cells, speed, at);
  for (int c = 0; c < cells; ++c) {
    density->before[c] = sum;
    sum += share * ((at[2 * c] + 4.0 * at[2 * c + 1]) + at[2 * c + 2]);
  }
  density->before[cells] = sum;
  density->total = sum;
}

/** How far the flatness of a short piece, which is nearly a parabola, is above its distance: the
 *  offsets of a parabola's control points grow with the degree that they are raised to. */
TSR_FN double tsr_flatness_excess(int degree) {
  double share = 1.0;
  for (int i = 1; i < degree; ++i)
    share *= 0.5;
  return (1.0 - share) * (double)(4 * (degree / 2) * ((degree + 1) / 2)) /
         (double)(degree * (degree - 1));
}

/** The density of a span for a chord error and a largest length of segments, each of them 0 where
 * it is not in use. Its total is not finite where that cannot be told. */
TSR_FN void tsr_density_of_net(tsr_density *density, const tsr_net *homogeneous, double error,
                               double length) {
  const int degree = homogeneous->degree;
  tsr_net net;
  double most, over, speed;
  density->form = TSR_DENSITY_CONSTANT;
  density->total = 0.0;
  if (degree < 2 && !(length > 0.0))
    return;
  most = tsr_net_legs(homogeneous, &net);
  if (!(most > 0.0))
    return;
  over = error > 0.0 ? most / error * 0.125 : 0.0;
  speed = length > 0.0 ? most / length : 0.0;
  if (degree == 1 && !net.rational) {
    density->total = speed * tsr_legs_speed(&net, 0.0);
    return;
  }
  if (degree == 2 && !net.rational && !(length > 0.0)) {
    tsr_density_parabola(&net, over, density);
    return;
  }
  density->form = TSR_DENSITY_TABLE;
  over *= degree > 3 ? tsr_flatness_excess(degree) : 1.0;
  over *= net.rational ? 1.0 : (double)(degree * (degree - 1));
  tsr_density_table(density, &net, TSR_LEAST_CELLS, sqrt(over), speed);
  while (density->cells < TSR_MOST_CELLS && density->total > (double)(2 * density->cells))
    tsr_density_table(density, &net, 2 * density->cells, sqrt(over), speed);
}

/** The density where it is highest: segments of equal steps, not rounded. */
TSR_FN double tsr_density_peak(const tsr_density *density) {
  double peak = 0.0;
  if (density->form == TSR_DENSITY_PARABOLA)
    return density->peak;
  for (int i = 0; density->form == TSR_DENSITY_TABLE && i <= 2 * density->cells; ++i)
    peak = density->at[i] > peak ? density->at[i] : peak;
  return peak;
}

/** Where in a cell the integral from its start is y, 0 at the start and 1 at the end: by the
 *  parabola with the cell's first density and its integral, and a Newton step on the cubic that
 *  Simpson's rule integrates. */
TSR_FN double tsr_density_in_cell(const double at[3], double y, double whole) {
  const double f0 = at[0], rest = whole - f0;
  const double root = f0 * f0 + 4.0 * (rest * y);
  const double below = f0 + sqrt(root > 0.0 ? root : 0.0);
  const double c1 = (4.0 * at[1] - 3.0 * f0) - at[2], c2 = 2.0 * ((f0 + at[2]) - 2.0 * at[1]);
  double s = below > 0.0 ? 2.0 * y / below : y / whole, slope;
  s = tsr_clamp01(s);
  slope = f0 + s * (c1 + s * c2);
  if (slope > 0.0)
    s -= (s * (f0 + s * (0.5 * c1 + s * (c2 * (1.0 / 3.0)))) - y) / slope;
  return tsr_clamp01(s);
}

/** Parameter before which the integral of a table is y. before, next: the integral before cell
 * number `cell`, in which y lies, and before the cell after it; at: the cell's densities. */
TSR_FN double tsr_density_in_table(double before, double next, const double at[3], int cell,
                                   int cells, double y) {
  const double n = (double)cells, whole = next - before;
  const double in = whole > 0.0 ? tsr_density_in_cell(at, (y - before) * n, whole * n) : 0.0;
  return ((double)cell + in) / n;
}

/** Parameter before which a share of the integral lies; *cell: of the share before it, 0 at first.
 */
TSR_FN double tsr_density_place(const tsr_density *density, tsr_density_form form, double share,
                                int *cell) {
  double y;
  if (form == TSR_DENSITY_CONSTANT)
    return share;
  if (form == TSR_DENSITY_PARABOLA)
    return density->tip + density->width * tsr_levien(density->from + share * density->step);
  y = share * density->total;
  while (*cell + 1 < density->cells && density->before[*cell + 1] <= y)
    ++*cell;
  return tsr_density_in_table(density->before[*cell], density->before[*cell + 1],
                              &density->at[2 * *cell], *cell, density->cells, y);
}

#endif
