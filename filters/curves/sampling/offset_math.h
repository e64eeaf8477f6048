/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Vertices off the curve.
 *
 *    A'---------------B'    An arc is farthest from its chord in the middle, and on it at the ends.
 *   A  .-' ' ' ' ' '-.  B   With both ends moved out by the tolerance, half of that distance lies
 *    .'               '.    on each side: an arc may be sqrt(2) times as long.
 *
 * A vertex off the curve lies `size` outward of its place on the curve, away from the centre of
 * curvature: it follows from the span and its parameter alone, so that nothing but a mark has to be
 * kept of it. The ends of a span are never moved.
 *
 * A segment is checked by an ordered matching: a point of the curve has its place on the segment by
 * a polynomial, rational like the curve, whose Bezier values increase from 0 to 1, and so does it
 * itself. So the bound is one of the Frechet distance. The difference of both is a Bezier curve E,
 * no part of which goes beyond its control values.
 */
#ifndef TSR_CURVES_SAMPLING_OFFSET_MATH_H
#define TSR_CURVES_SAMPLING_OFFSET_MATH_H

#include "curves/span/bezier_math.h"

/** How far off vertices lie, as a part of the chord error: as far as rounding does not tell. */
#define TSR_OFFSET_PART (1.0 - 1.0 / 65536.0)

/** More than any tolerance: nothing can be said of a segment. */
#define TSR_OFFSET_UNKNOWN 1e300

/** Parts of E: the more, the closer its control values are to it. At the ends they are on it. */
#define TSR_OFFSET_PARTS 8

/** Where the ends of a segment lie, seen from the curve's points. */
typedef struct tsr_offsets {
  double start[3], end[3];
} tsr_offsets;

/** Position, velocity and acceleration at u, but for positive factors and what is parallel to the
 *  velocity, from the last three of de Casteljau's points. degree >= 2. */
TSR_FN void tsr_net_motion(const tsr_net *net, double u, double v[3], double a[3]) {
  const double *const q[4] = {net->x, net->y, net->z, net->w};
  const double s = 1.0 - u;
  double basis[TSR_MAX_ORDER] = {1.0}, value[4], first[4], second[4];
  const int degree = net->degree, n = net->rational ? 4 : 3;
  tsr_bernstein(degree - 2, u, basis);
  for (int c = 0; c < n; ++c) {
    const double q0 = tsr_combine(degree - 2, basis, q[c]);
    const double q1 = tsr_combine(degree - 2, basis, q[c] + 1);
    const double q2 = tsr_combine(degree - 2, basis, q[c] + 2);
    value[c] = (s * s * q0 + 2.0 * (s * u) * q1) + u * u * q2;
    first[c] = s * (q1 - q0) + u * (q2 - q1);
    second[c] = (q2 - q1) - (q1 - q0);
  }
  for (int c = 0; c < 3; ++c) {
    const double p = net->rational ? value[c] / value[3] : 0.0;
    v[c] = net->rational ? first[c] - first[3] * p : first[c];
    a[c] = net->rational ? second[c] - second[3] * p : second[c];
  }
}

/** The vector from the curve at u to a vertex off it: away from the centre of curvature, `size`
 *  long; 0 0 0 where the curve is straight or stands still. net: homogeneous where rational. */
TSR_FAR_FN void tsr_offset_at(const tsr_net *net, double u, double size, double offset[3]) {
  double v[3], a[3], v2, a2, n2, along;
  offset[0] = offset[1] = offset[2] = 0.0;
  if (net->degree < 2)
    return;
  tsr_net_motion(net, u, v, a);
  v2 = tsr_dot(v, v);
  a2 = tsr_dot(a, a);
  if (!(v2 > 0.0) || !(a2 > 0.0))
    return;
  along = tsr_dot(a, v) / v2;
  for (int c = 0; c < 3; ++c)
    a[c] -= along * v[c];
  n2 = tsr_dot(a, a);
  if (!(n2 > 1e-20 * a2) || !(n2 < 1e300)) /* nothing but rounding; or an overflow */
    return;
  for (int c = 0; c < 3; ++c)
    offset[c] = -size * (a[c] / sqrt(n2));
}

/** The difference E between a piece, projected, and the segment between its ends as they are moved,
 *  homogeneous where rational. Matched in order: the place on the segment is the one beside the
 * point of the curve, but for what the ends are off along the segment. 0 where the segment has no
 * length.
 */
TSR_FN int tsr_offset_difference(const tsr_net *piece, const tsr_offsets *ends, tsr_net *e) {
  const int degree = piece->degree;
  double unit[3], length, over, before, after, last = 0.0;
  tsr_net_leg(piece, 0, degree, unit);
  for (int c = 0; c < 3; ++c)
    unit[c] += ends->end[c] - ends->start[c];
  length = sqrt(tsr_dot(unit, unit));
  if (!(length > 0.0))
    return 0;
  over = 1.0 / length;
  for (int c = 0; c < 3; ++c)
    unit[c] *= over;
  before = -tsr_dot(ends->start, unit);
  after = -tsr_dot(ends->end, unit);
  e->degree = degree;
  e->rational = piece->rational;
  for (int i = 0; i <= degree; ++i) {
    const double t = (double)i / (double)degree, w = piece->rational ? piece->w[i] : 1.0;
    double arm[3], place;
    tsr_net_leg(piece, 0, i, arm);
    for (int c = 0; c < 3; ++c)
      arm[c] -= ends->start[c];
    place = tsr_dot(arm, unit) - ((1.0 - t) * before + t * after);
    place = place > last ? place : last;
    place = i == degree || place > length ? length : place;
    place = i == 0 ? 0.0 : place;
    last = place;
    e->w[i] = w;
    e->x[i] = w * (arm[0] - place * unit[0]);
    e->y[i] = w * (arm[1] - place * unit[1]);
    e->z[i] = w * (arm[2] - place * unit[2]);
  }
  return 1;
}

/** 1 if the control points of a projected piece lie along its chord in order: then the points of
 * the curve beside the chord do, and its flatness bounds the Frechet distance. */
TSR_FN int tsr_net_in_order(const tsr_net *piece) {
  double chord[3], arm[3], before = 0.0;
  const double length2 = tsr_net_leg(piece, 0, piece->degree, chord);
  for (int i = 1; i < piece->degree; ++i) {
    double along;
    tsr_net_leg(piece, 0, i, arm);
    along = tsr_dot(arm, chord);
    if (along < before || along > length2)
      return 0;
    before = along;
  }
  return 1;
}

/** Upper bound of the Frechet distance between a projected piece and the segment between its ends
 * as they are moved: the largest control value of the parts of E. */
TSR_FAR_FN double tsr_offset_error(const tsr_net *piece, const tsr_offsets *ends) {
  const double h = 1.0 / (double)TSR_OFFSET_PARTS;
  double most2 = 0.0;
  tsr_net e, part;
  if (!tsr_offset_difference(piece, ends, &e))
    return TSR_OFFSET_UNKNOWN;
  for (int k = 0; k < TSR_OFFSET_PARTS; ++k) {
    tsr_net_piece(&e, (double)k * h, (double)(k + 1) * h, &part);
    tsr_net_project(&part);
    for (int i = 0; i <= part.degree; ++i) {
      const double d2 = (part.x[i] * part.x[i] + part.y[i] * part.y[i]) + part.z[i] * part.z[i];
      most2 = d2 > most2 ? d2 : most2;
    }
  }
  return sqrt(most2);
}

#endif
