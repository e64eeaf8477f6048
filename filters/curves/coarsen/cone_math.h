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

/** Values that a cone has sides for, beside four across the axis. Other values are only checked
 *  with the segment. (Stream lines of ParaView have 12 to 21 values.) */
#define TSR_CONE_VALUES 24

/** A range of slopes. */
typedef struct tsr_slopes {
  double low, high;
} tsr_slopes;

/** The list of values lies outside, so that a device can keep all else in registers. */
typedef struct tsr_cone {
  int64_t i;                    /**< the vertex that it begins at */
  double axis[3], across[2][3]; /**< unit vectors */
  tsr_slopes side[4];           /**< across the axis */
  tsr_slopes *value;            /**< n_values */
  double place;                 /**< along the axis, the first place in order */
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
 *  is too far away for a segment, or to vertex `end`. values: memory for TSR_CONE_VALUES, which
 * must outlive the cone. */
TSR_FN void tsr_cone_start(tsr_cone *cone, const tsr_chain *chain, int64_t i, int64_t end,
                           tsr_slopes *values) {
  const double *reach = tsr_chain_plane(chain, TSR_PLANE_REACH);
  const tsr_slopes all = {-1e300, 1e300};
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
  cone->value = values;
  cone->n_values = chain->n_values < TSR_CONE_VALUES ? chain->n_values : TSR_CONE_VALUES;
  cone->side[0] = cone->side[1] = cone->side[2] = cone->side[3] = all;
  for (int f = 0; f < cone->n_values; ++f)
    cone->value[f] = all;
}

/** 1 if the slope to a vertex, `aside` from the axis, is in the range. Then narrows the range to
 * what passes the vertex within `wide`; *open becomes 0 if nothing is left. over: 1 over how far it
 * is along the axis. */
TSR_FN int tsr_slopes_narrow(tsr_slopes *range, double aside, double wide, double over, int *open) {
  const double low = (aside - wide) * over, high = (aside + wide) * over, at = aside * over;
  const int inside = (at >= range->low) & (at <= range->high);
  range->low = low > range->low ? low : range->low;
  range->high = high < range->high ? high : range->high;
  *open &= range->low <= range->high;
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
    const double over = 1.0 / along, half = 0.70710678118654752; /* root of a half */
    p = (leg[0] * a[0] + leg[1] * a[1]) + leg[2] * a[2];
    q = (leg[0] * b[0] + leg[1] * b[1]) + leg[2] * b[2];
    *inside &= tsr_slopes_narrow(&cone->side[0], p, reach, over, &open);
    *inside &= tsr_slopes_narrow(&cone->side[1], q, reach, over, &open);
    *inside &= tsr_slopes_narrow(&cone->side[2], half * (p + q), reach, over, &open);
    *inside &= tsr_slopes_narrow(&cone->side[3], half * (q - p), reach, over, &open);
    for (int f = 0; f < cone->n_values; ++f, v += chain->room)
      *inside &= tsr_slopes_narrow(&cone->value[f], v[k] - v[cone->i], share, over, &open);
  }
  cone->place = along - reach > cone->place ? along - reach : cone->place;
  if (*inside && (chain->length > 0.0 || chain->tangents > 0))
    *inside = tsr_chain_allows(chain, cone->i, k, leg, sqrt(leg2));
  return open && along + reach >= cone->place;
}

#endif
