/* SPDX-License-Identifier: BSD-3-Clause */
/** The speed |P'| of a span: how fast the arc length grows with the parameter. */
#ifndef TSR_CURVES_SPAN_SPEED_MATH_H
#define TSR_CURVES_SPAN_SPEED_MATH_H

#include "curves/span/bezier_math.h"

/** Stores what the derivatives of a span are made of in *legs: the legs of a polynomial net, the
 *  homogeneous points of a rational one as seen from the first point. Both are divided by their
 *  largest coordinate, so that no product of them overflows. Returns that coordinate, or 0 where
 * all points coincide: *legs then says nothing. */
TSR_FN double tsr_net_legs(const tsr_net *homogeneous, tsr_net *legs) {
  const int degree = homogeneous->degree, rational = homogeneous->rational;
  const double origin[3] = {rational ? homogeneous->x[0] / homogeneous->w[0] : homogeneous->x[0],
                            rational ? homogeneous->y[0] / homogeneous->w[0] : homogeneous->y[0],
                            rational ? homogeneous->z[0] / homogeneous->w[0] : homogeneous->z[0]};
  double most = 0.0;
  legs->degree = homogeneous->degree;
  legs->rational = homogeneous->rational;
  for (int i = 0; i < degree + rational; ++i) {
    const int j = rational ? i : i + 1;
    const double w = rational ? homogeneous->w[i] : 1.0;
    legs->w[i] = w;
    legs->x[i] = homogeneous->x[j] - (rational ? origin[0] * w : homogeneous->x[i]);
    legs->y[i] = homogeneous->y[j] - (rational ? origin[1] * w : homogeneous->y[i]);
    legs->z[i] = homogeneous->z[j] - (rational ? origin[2] * w : homogeneous->z[i]);
    most = fabs(legs->x[i]) > most ? fabs(legs->x[i]) : most;
    most = fabs(legs->y[i]) > most ? fabs(legs->y[i]) : most;
    most = fabs(legs->z[i]) > most ? fabs(legs->z[i]) : most;
  }
  if (!(most > 0.0))
    return 0.0;
  for (int i = 0; i < degree + rational; ++i) {
    legs->x[i] /= most;
    legs->y[i] /= most;
    legs->z[i] /= most;
  }
  return most;
}

/** tsr_legs_speed of a polynomial cubic: the same bits with less to do. Most curves are cubics. */
TSR_FN double tsr_legs_speed_cubic(const tsr_net *legs, double t) {
  double b0, b1, b2, v[3];
  tsr_bernstein2(t, &b0, &b1, &b2);
  v[0] = 3.0 * (b0 * legs->x[0] + b1 * legs->x[1] + b2 * legs->x[2]);
  v[1] = 3.0 * (b0 * legs->y[0] + b1 * legs->y[1] + b2 * legs->y[2]);
  v[2] = 3.0 * (b0 * legs->z[0] + b1 * legs->z[1] + b2 * legs->z[2]);
  return sqrt(tsr_dot(v, v));
}

/** The speed at t, divided by what tsr_net_legs returned. */
TSR_FN double tsr_legs_speed(const tsr_net *legs, double t) {
  const double *const q[4] = {legs->x, legs->y, legs->z, legs->w};
  const int degree = legs->degree;
  double basis[TSR_MAX_ORDER] = {1.0}, value[4], first[4], v[3];
  tsr_bernstein(degree - 1, t, basis);
  for (int c = 0; c < (legs->rational ? 4 : 3); ++c) {
    const double q0 = tsr_combine(degree - 1, basis, q[c]);
    const double q1 = legs->rational ? tsr_combine(degree - 1, basis, q[c] + 1) : 0.0;
    value[c] = legs->rational ? (1.0 - t) * q0 + t * q1 : 0.0;
    first[c] = (double)degree * (legs->rational ? q1 - q0 : q0);
  }
  for (int c = 0; c < 3; ++c)
    v[c] = legs->rational ? (first[c] - first[3] * (value[c] / value[3])) / value[3] : first[c];
  return sqrt(tsr_dot(v, v));
}

#endif
