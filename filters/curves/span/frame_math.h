/* SPDX-License-Identifier: BSD-3-Clause */
/** Tangent and curvature of a span (Farin, Curves and Surfaces for CAGD, 10.6 and 13.4). */
#ifndef TSR_CURVES_SPAN_FRAME_MATH_H
#define TSR_CURVES_SPAN_FRAME_MATH_H

#include "curves/span/bezier_math.h"

/** First and second derivative in u of one component. value[0] is the value itself. */
TSR_FN void tsr_derivatives(int degree, const double *q, double u, double value[3]) {
  double basis[TSR_MAX_ORDER] = {1.0}, d[TSR_MAX_ORDER] = {0.0};
  tsr_bernstein(degree, u, basis);
  value[0] = tsr_combine(degree, basis, q);
  for (int i = 0; i < degree; ++i)
    d[i] = (double)degree * (q[i + 1] - q[i]);
  tsr_bernstein(degree - 1, u, basis);
  value[1] = tsr_combine(degree - 1, basis, d);
  value[2] = 0.0;
  if (degree < 2)
    return;
  for (int i = 0; i + 1 < degree; ++i)
    d[i] = (double)(degree - 1) * (d[i + 1] - d[i]);
  tsr_bernstein(degree - 2, u, basis);
  value[2] = tsr_combine(degree - 2, basis, d);
}

/** Where the speed is 0: the direction to the next distinct control point, seen from the nearer
 *  end; 0 0 0 if all coincide. */
TSR_FN void tsr_net_end_tangent(const tsr_net *homogeneous, double u, double tangent[3]) {
  tsr_net net = *homogeneous;
  double length2 = 0.0;
  tsr_net_project(&net);
  for (int i = 1; i <= net.degree && !(length2 > 0.0); ++i)
    length2 = u < 0.5 ? tsr_net_leg(&net, 0, i, tangent)
                      : tsr_net_leg(&net, net.degree - i, net.degree, tangent);
  for (int c = 0; c < 3; ++c)
    tangent[c] = length2 > 0.0 ? tangent[c] / sqrt(length2) : 0.0;
}

/** Derivatives beyond this come from weights that overflow: they say nothing. */
#define TSR_LARGEST_DERIVATIVE 1e300

/** Largest magnitude of a vector's components; not-a-number counts as infinite. */
TSR_FN double tsr_largest(const double v[3]) {
  double most = 0.0;
  for (int c = 0; c < 3; ++c)
    most = fabs(v[c]) <= most ? most : (fabs(v[c]) >= 0.0 ? fabs(v[c]) : INFINITY);
  return most;
}

/** Unit tangent at u; returns the curvature |C' x C''| / |C'|^3, 0 where the speed is 0. Both
 *  derivatives are scaled first, so that no product of them overflows. */
TSR_FN double tsr_net_frame(const tsr_net *net, double u, double tangent[3]) {
  const double *q[3] = {net->x, net->y, net->z};
  double w[3] = {1.0, 0.0, 0.0}, first[3], second[3], cross[3], most, length, speed;
  if (net->rational)
    tsr_derivatives(net->degree, net->w, u, w);
  for (int c = 0; c < 3; ++c) {
    /* Rational: seen from the first control point, so that a small curve far from the origin does
     * not lose its digits. */
    const double origin = net->rational ? q[c][0] / net->w[0] : 0.0;
    double local[TSR_MAX_ORDER], v[3];
    for (int i = 0; i <= net->degree; ++i)
      local[i] = net->rational ? q[c][i] - origin * net->w[i] : q[c][i];
    tsr_derivatives(net->degree, local, u, v);
    v[0] /= w[0];
    first[c] = (v[1] - w[1] * v[0]) / w[0];
    second[c] = ((v[2] - 2.0 * w[1] * first[c]) - w[2] * v[0]) / w[0];
  }
  most = tsr_largest(first);
  if (!(most > 0.0) || most > TSR_LARGEST_DERIVATIVE) {
    tsr_net_end_tangent(net, u, tangent);
    return 0.0;
  }
  for (int c = 0; c < 3; ++c)
    first[c] /= most;
  length = sqrt(tsr_dot(first, first));
  for (int c = 0; c < 3; ++c)
    tangent[c] = first[c] / length;
  speed = most * length;
  most = tsr_largest(second);
  if (!(most > 0.0) || most > TSR_LARGEST_DERIVATIVE)
    return 0.0;
  for (int c = 0; c < 3; ++c)
    second[c] /= most;
  cross[0] = tangent[1] * second[2] - tangent[2] * second[1];
  cross[1] = tangent[2] * second[0] - tangent[0] * second[2];
  cross[2] = tangent[0] * second[1] - tangent[1] * second[0];
  return sqrt(tsr_dot(cross, cross)) * most / speed / speed;
}

#endif
