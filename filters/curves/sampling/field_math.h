/* SPDX-License-Identifier: BSD-3-Clause */
/** Bounds of the field error of a piece: an array along the curve, and as it is drawn. */
#ifndef TSR_FIELD_MATH_H
#define TSR_FIELD_MATH_H

#include "curves/span/span_math.h"

/** Where the control points of a projected piece lie along its chord, from 0 to 1 or beyond;
 *  evenly, where the chord has no length. Returns by how much the curve may go beyond its ends:
 * what lies there has the end beside it. */
TSR_FN double tsr_piece_places(const tsr_net *piece, double *t) {
  double chord[3], arm[3], beyond = 0.0;
  const double length2 = tsr_net_leg(piece, 0, piece->degree, chord);
  for (int i = 0; i <= piece->degree; ++i)
    t[i] = length2 > 0.0 ? tsr_net_place(piece, i, chord, 1.0 / length2, arm)
                         : (double)i / (double)piece->degree;
  t[0] = 0.0;
  t[piece->degree] = 1.0;
  for (int i = 1; i < piece->degree; ++i) {
    const double over = t[i] > 1.0 ? t[i] - 1.0 : -t[i];
    beyond = over > beyond ? over : beyond;
  }
  return beyond;
}

/**
 * Upper bound, on a piece, of the difference between a component that follows the curve and the
 * linear interpolation along the chord, at the point of the chord beside the curve's: as it is
 * drawn. places, beyond: tsr_piece_places. The difference from the line has zero ends and no Bezier
 * value beyond `most`. Nor can it be more than the values' range.
 */
TSR_FN double tsr_field_bound(const tsr_net *piece, const double *places, double beyond,
                              const double *f) {
  const int degree = piece->degree;
  double most = 0.0, share = 1.0, least_w = 1.0, lo, hi, first, step;
  first = piece->rational ? f[0] / piece->w[0] : f[0];
  step = (piece->rational ? f[degree] / piece->w[degree] : f[degree]) - first;
  lo = hi = first;
  for (int i = 0; i <= degree; ++i) {
    const double w = piece->rational ? piece->w[i] : 1.0;
    const double value = f[i] / w;
    const double d = fabs(f[i] - w * (first + places[i] * step));
    lo = value < lo ? value : lo;
    hi = value > hi ? value : hi;
    least_w = i == 0 || w < least_w ? w : least_w;
    if (i > 0 && i < degree)
      most = d > most ? d : most;
    share *= i > 1 ? 0.5 : 1.0;
  }
  most = (1.0 - share) * most / least_w + beyond * fabs(step);
  return hi - lo < most ? hi - lo : most;
}

/** The same for a component that follows the span linearly: at the kinks inside, and as far as the
 *  curve's own speed is not even. */
TSR_FN double tsr_linear_field_bound(const tsr_span *span, const double *places, double beyond,
                                     int degree, const tsr_array *array, int component, double a,
                                     double b) {
  double end[2], most = 0.0, uneven = 0.0, lo, hi;
  for (int e = 0; e < 2; ++e) {
    int j;
    const double t = tsr_span_linear(span, e ? b : a, &j);
    end[e] = (1.0 - t) * tsr_load(array, span->id[j] * array->components + component) +
             t * tsr_load(array, span->id[j + 1] * array->components + component);
  }
  lo = end[0] < end[1] ? end[0] : end[1];
  hi = end[0] < end[1] ? end[1] : end[0];
  for (int j = 0; j < span->count; ++j) {
    const double g = tsr_span_abscissa(span, j);
    if (g > a && g < b) {
      const double value = tsr_load(array, span->id[j] * array->components + component);
      const double t = (g - a) / (b - a);
      const double d = fabs(value - ((1.0 - t) * end[0] + t * end[1]));
      most = d > most ? d : most;
      lo = value < lo ? value : lo;
      hi = value > hi ? value : hi;
    }
  }
  for (int i = 1; i < degree; ++i) {
    const double d = fabs(places[i] - (double)i / (double)degree);
    uneven = d > uneven ? d : uneven;
  }
  most += (uneven + beyond) * fabs(end[1] - end[0]);
  return hi - lo < most ? hi - lo : most;
}

#endif
