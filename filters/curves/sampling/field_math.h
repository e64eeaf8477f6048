/* SPDX-License-Identifier: BSD-3-Clause */
/** Bounds of the field error of a piece: an array along the curve, and as it is drawn. */
#ifndef TSR_CURVES_SAMPLING_FIELD_MATH_H
#define TSR_CURVES_SAMPLING_FIELD_MATH_H

#include "curves/sampling/offset_math.h"
#include "curves/span/span_math.h"

/** Where the control points of a projected piece lie along its segment, from 0 to 1 or beyond;
 *  evenly, where the segment has no length. ends: where the segment's ends are, NULL: on the curve.
 *  Returns by how much the curve may go beyond the ends: what lies there has the end beside it. */
TSR_FN double tsr_piece_places(const tsr_net *piece, const tsr_offsets *ends, double *t) {
  double chord[3], arm[3], beyond = 0.0, before = 0.0;
  double length2 = tsr_net_leg(piece, 0, piece->degree, chord);
  if (ends) {
    for (int c = 0; c < 3; ++c)
      chord[c] += ends->end[c] - ends->start[c];
    length2 = tsr_dot(chord, chord);
    before = length2 > 0.0 ? tsr_dot(ends->start, chord) / length2 : 0.0;
  }
  TSR_UNROLL
  for (int i = 0; i <= piece->degree; ++i)
    t[i] = length2 > 0.0 ? tsr_net_place(piece, i, chord, 1.0 / length2, arm) - before
                         : (double)i / (double)piece->degree;
  if (!ends) {
    t[0] = 0.0;
    t[piece->degree] = 1.0;
  }
  TSR_UNROLL
  for (int i = 0; i <= piece->degree; ++i) {
    const double over = t[i] > 1.0 ? t[i] - 1.0 : -t[i];
    beyond = over > beyond ? over : beyond;
  }
  return beyond;
}

/** tsr_field_bound; inlined with each constant `rational`, so that a polynomial piece divides by no
 *  weights. */
TSR_FN double tsr_field_bound_of(int rational, const tsr_net *piece, const double *places,
                                 double beyond, const double *f) {
  const int degree = piece->degree;
  double most = 0.0, at_end = 0.0, share = 1.0, least_w = 1.0, lo, hi, first, step;
  first = rational ? f[0] / piece->w[0] : f[0];
  step = (rational ? f[degree] / piece->w[degree] : f[degree]) - first;
  lo = hi = first;
  TSR_UNROLL
  for (int i = 0; i <= degree; ++i) {
    const double w = rational ? piece->w[i] : 1.0;
    const double value = f[i] / w;
    const double d = fabs(f[i] - w * (first + places[i] * step));
    lo = value < lo ? value : lo;
    hi = value > hi ? value : hi;
    least_w = i == 0 || w < least_w ? w : least_w;
    if (i > 0 && i < degree)
      most = d > most ? d : most;
    else if (places[i] != (double)(i > 0))
      at_end = d > at_end ? d : at_end;
    share *= i > 1 ? 0.5 : 1.0;
  }
  if (at_end > 0.0) /* the shares of a rational piece are not these */
    most = at_end > most || rational ? (at_end > most ? at_end : most)
                                     : (1.0 - share) * most + share * at_end;
  else
    most = (1.0 - share) * most;
  most = most / least_w + beyond * fabs(step);
  return hi - lo < most ? hi - lo : most;
}

/**
 * Upper bound, on a piece, of the difference between a component that follows the curve and the
 * linear interpolation along the segment, at the point of the segment beside the curve's: as it is
 * drawn. places, beyond: tsr_piece_places. The difference from the line has no Bezier value beyond
 * `most` inside, and none at its ends but where these are off the curve. Nor can it be more than
 * the values' range.
 */
TSR_FN double tsr_field_bound(const tsr_net *piece, const double *places, double beyond,
                              const double *f) {
  return piece->rational ? tsr_field_bound_of(1, piece, places, beyond, f)
                         : tsr_field_bound_of(0, piece, places, beyond, f);
}

/** tsr_field_bound for a component that is interpolated linearly between input points. The
 *  difference is largest at the kinks inside the piece; uneven speed of the curve adds to it. */
TSR_FN double tsr_linear_field_bound(const tsr_span *span, const double *places, double beyond,
                                     int degree, const tsr_array *array, int component, double a,
                                     double b) {
  double end[2], most = 0.0, uneven = 0.0, lo, hi;
  for (int e = 0; e < 2; ++e) {
    int j;
    const double t = tsr_span_linear(span, e ? b : a, &j);
    end[e] = (1.0 - t) * tsr_get(array, span->id[j] * array->components + component) +
             t * tsr_get(array, span->id[j + 1] * array->components + component);
  }
  lo = end[0] < end[1] ? end[0] : end[1];
  hi = end[0] < end[1] ? end[1] : end[0];
  for (int j = 0; j < span->count; ++j) {
    const double g = tsr_span_abscissa(span, j);
    if (g > a && g < b) {
      const double value = tsr_get(array, span->id[j] * array->components + component);
      const double t = (g - a) / (b - a);
      const double d = fabs(value - ((1.0 - t) * end[0] + t * end[1]));
      most = d > most ? d : most;
      lo = value < lo ? value : lo;
      hi = value > hi ? value : hi;
    }
  }
  for (int i = 0; i <= degree; ++i) {
    const double d = fabs(places[i] - (double)i / (double)degree);
    uneven = d > uneven ? d : uneven;
  }
  most += (uneven + beyond) * fabs(end[1] - end[0]);
  return hi - lo < most ? hi - lo : most;
}

#endif
