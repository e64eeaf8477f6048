/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Coarsening: the directions from a vertex that pass all vertices after it within their reach (the
 * cone test of Imai and Iri, 1986).
 *
 * Such directions are kept as slopes: how far a direction goes aside while it goes one step along
 * an axis. Four sides, 45 degrees apart, make an octagon of the disc around a vertex; each value of
 * the field error is one side more. A cone says which segments to try; tsr_chain_miss decides.
 */
#ifndef TSR_CURVES_COARSEN_CONE_MATH_H
#define TSR_CURVES_COARSEN_CONE_MATH_H

#include "curves/coarsen/chord_math.h"

/** Sides of a cone: four across the axis, and the first 24 values. Other values are only checked
 *  with the segment. (Stream lines of ParaView have 12 to 21 values.) */
#define TSR_CONE_SIDES 28

typedef struct tsr_cone {
  int64_t i;                                        /**< the vertex that it begins at */
  double axis[3], across[2][3];                     /**< unit vectors */
  double low[TSR_CONE_SIDES], high[TSR_CONE_SIDES]; /**< slopes, a range for each side */
  double place;                                     /**< along the axis, the first place in order */
  int n_values;
} tsr_cone;

/** Two unit vectors across the axis, without a root or a special case (Duff and others, 2017). */
TSR_FN void tsr_cone_frame(tsr_cone *cone) {
  const double *w = cone->axis;
  const double sign = w[2] < 0.0 ? -1.0 : 1.0, over = -1.0 / (sign + w[2]);
  double *a = cone->across[0], *b = cone->across[1];
  a[0] = 1.0 + sign * (w[0] * w[0]) * over;
  a[1] = sign * (w[0] * w[1] * over);
  a[2] = -sign * w[0];
  b[0] = w[0] * w[1] * over;
  b[1] = sign + (w[1] * w[1]) * over;
  b[2] = -w[1];
}

/** 1 if a segment with this squared length is too long. */
TSR_FN int tsr_cone_is_long(const tsr_chain *chain, double length2) {
  return chain->length > 0.0 && length2 > chain->length * chain->length;
}

/** The cone at vertex i. Its axis goes to the first vertex that is farther away than twice its
 *  reach, so that all directions of the cone are within 30 degrees of it, or to the first one that
 *  is too far away for a segment, or to vertex `end`. */
TSR_FN void tsr_cone_start(tsr_cone *cone, const tsr_chain *chain, int64_t i, int64_t end) {
  const double *reach = tsr_chain_plane(chain, TSR_PLANE_REACH);
  double size2, over;
  int64_t k = i + 1;
  while ((size2 = tsr_chain_leg(chain, i, k, cone->axis)) <= 4.0 * (reach[k] * reach[k]) &&
         k < end && !(reach[k] < 0.0) && !tsr_cone_is_long(chain, size2))
    ++k;
  over = size2 > 0.0 ? 1.0 / sqrt(size2) : 0.0;
  for (int c = 0; c < 3; ++c)
    cone->axis[c] = size2 > 0.0 ? cone->axis[c] * over : (double)(c == 0);
  tsr_cone_frame(cone);
  cone->i = i;
  cone->place = 0.0;
  cone->n_values = chain->n_values < TSR_CONE_SIDES - 4 ? chain->n_values : TSR_CONE_SIDES - 4;
  for (int s = 0; s < 4 + cone->n_values; ++s) {
    cone->low[s] = -1e300;
    cone->high[s] = 1e300;
  }
}

/** 1 if the slope to a vertex, `side` aside, is in the range of side s. Then narrows the range to
 *  what passes the vertex within `wide`; *open becomes 0 if nothing is left. over: 1 over how far
 *  it is along the axis. */
TSR_FN int tsr_cone_narrow(tsr_cone *cone, int s, double side, double wide, double over,
                           int *open) {
  const double low = (side - wide) * over, high = (side + wide) * over, at = side * over;
  const int inside = (at >= cone->low[s]) & (at <= cone->high[s]);
  cone->low[s] = low > cone->low[s] ? low : cone->low[s];
  cone->high[s] = high < cone->high[s] ? high : cone->high[s];
  *open &= cone->low[s] <= cone->high[s];
  return inside;
}

/** Narrows the cone to segments that pass vertex k within its reach. *inside: receives 1 if a
 *  segment may end at k. Returns 1 if a segment may end beyond k. A vertex farther away than the
 *  largest length ends the search, although a curve that turns back may come near again: searching
 *  on took 20 times the time where the length is the limit. */
TSR_FN int tsr_cone_see(tsr_cone *cone, const tsr_chain *chain, int64_t k, int *inside) {
  const double reach = tsr_chain_plane(chain, TSR_PLANE_REACH)[k];
  const double share = tsr_chain_plane(chain, TSR_PLANE_SHARE)[k];
  const double *w = cone->axis, *a = cone->across[0], *b = cone->across[1];
  const double *v = tsr_chain_plane(chain, TSR_PLANE_VALUES);
  double leg[3], along, p, q;
  const double leg2 = tsr_chain_leg(chain, cone->i, k, leg);
  int open = !(reach < 0.0) & !tsr_cone_is_long(chain, leg2);
  along = (leg[0] * w[0] + leg[1] * w[1]) + leg[2] * w[2];
  *inside = along > 0.0 && along >= cone->place;
  if (along > 0.0) {
    const double over = 1.0 / along;
    p = (leg[0] * a[0] + leg[1] * a[1]) + leg[2] * a[2];
    q = (leg[0] * b[0] + leg[1] * b[1]) + leg[2] * b[2];
    *inside &= tsr_cone_narrow(cone, 0, p, reach, over, &open);
    *inside &= tsr_cone_narrow(cone, 1, q, reach, over, &open);
    *inside &= tsr_cone_narrow(cone, 2, 0.70710678118654752 * (p + q), reach, over, &open);
    *inside &= tsr_cone_narrow(cone, 3, 0.70710678118654752 * (q - p), reach, over, &open);
    for (int f = 0; f < cone->n_values; ++f, v += chain->room)
      *inside &= tsr_cone_narrow(cone, 4 + f, v[k] - v[cone->i], share, over, &open);
  }
  cone->place = along - reach > cone->place ? along - reach : cone->place;
  if (*inside && (chain->length > 0.0 || chain->tangents > 0))
    *inside = tsr_chain_allows(chain, cone->i, k, leg, sqrt(leg2));
  return open && along + reach >= cone->place;
}

#endif
