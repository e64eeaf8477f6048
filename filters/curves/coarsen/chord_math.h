/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Coarsening: the exact test whether a segment may stand for the vertices between its ends.
 *
 * The reach of a vertex is how far it may lie from the segment (chain_math.h). Its place is where
 * on the segment it is put. Its miss is its distance from there minus its reach: at most 0 is good.
 */
#ifndef TSR_CURVES_COARSEN_CHORD_MATH_H
#define TSR_CURVES_COARSEN_CHORD_MATH_H

#include "curves/coarsen/chain_math.h"

/** The segment between two vertices. */
typedef struct tsr_chord {
  int64_t i, j;
  double from[3], way[3];
  double over2; /**< 1 / squared length; 0 if the ends coincide */
  double length;
} tsr_chord;

/** Sets up the segment from vertex i to vertex j of the chain. */
TSR_FN void tsr_chord_make(tsr_chord *chord, const tsr_chain *chain, int64_t i, int64_t j) {
  const double length2 = tsr_chain_leg(chain, i, j, chord->way);
  chord->i = i;
  chord->j = j;
  for (int c = 0; c < 3; ++c)
    chord->from[c] = chain->v[c * chain->room + i];
  chord->over2 = length2 > 0.0 ? 1.0 / length2 : 0.0;
  chord->length = sqrt(length2);
}

/** The foot of vertex k on the line of the chord: 0 at the chord's first end, 1 at its last, not
 *  clamped. *across2 receives the squared distance of the vertex from that line. */
TSR_FN double tsr_chord_along(const tsr_chord *chord, const tsr_chain *chain, int64_t k,
                              double *across2) {
  const double *v = chain->v + k, *way = chord->way;
  const double x = v[0] - chord->from[0], y = v[chain->room] - chord->from[1];
  const double z = v[2 * chain->room] - chord->from[2];
  const double t = ((x * way[0] + y * way[1]) + z * way[2]) * chord->over2;
  const double dx = x - t * way[0], dy = y - t * way[1], dz = z - t * way[2];
  *across2 = (dx * dx + dy * dy) + dz * dz;
  return t;
}

/** 1 if the vertices between can be given places on the segment in order, each within its reach.
 *  Every vertex gets the earliest place that its reach allows, so the answer is exact. It is needed
 *  only if the nearest places are not in order. Places are lengths here, from 0 to chord->length.
 */
TSR_FN int tsr_chord_in_order(const tsr_chord *chord, const tsr_chain *chain) {
  const double *reach = tsr_chain_plane(chain, TSR_PLANE_REACH);
  double place = 0.0;
  for (int64_t k = chord->i + 1; k < chord->j; ++k) {
    double across2, gap;
    const double s = chord->length * tsr_chord_along(chord, chain, k, &across2);
    gap = reach[k] * reach[k] - across2;
    if (gap < 0.0 || reach[k] < 0.0)
      return 0;
    gap = sqrt(gap);
    place = s - gap > place ? s - gap : place;
    if (place > s + gap || place > chord->length)
      return 0;
  }
  return 1;
}

/** State of the test after some of the vertices between the ends. Places run from 0 to 1. */
typedef struct tsr_fit {
  double place; /**< the farthest of the nearest places so far */
  double most;  /**< the largest miss so far */
  int ordered;  /**< 0: a vertex is out of reach once its nearest place is moved on to keep order */
} tsr_fit;

/** Adds vertex k to the test. Returns 0 if even its nearest place is out of its reach. Clears
 *  fit->ordered if only the place that keeps the order is: tsr_chord_in_order() then decides. */
TSR_FN int tsr_fit_take(tsr_fit *fit, const tsr_chord *chord, const tsr_chain *chain, int64_t k) {
  const double reach = tsr_chain_plane(chain, TSR_PLANE_REACH)[k], limit = fit->most + reach;
  double across2, off, off2;
  const double t = tsr_chord_along(chord, chain, k, &across2);
  const double nearest = t < 0.0 ? 0.0 : (t > 1.0 ? 1.0 : t);
  fit->place = nearest > fit->place ? nearest : fit->place;
  off = (fit->place - t) * chord->length;
  off2 = across2 + off * off;
  if (limit < 0.0 || off2 > limit * limit) { /* only a new largest miss takes a root */
    const double miss = sqrt(off2) - reach;
    fit->most = miss > fit->most ? miss : fit->most;
    if (fit->most > 0.0) {
      if (fit->place == nearest)
        return 0;
      fit->ordered = 0;
      fit->most = 0.0;
    }
  }
  return 1;
}

/** 1 if an array's value, at a vertex between the ends or on the curve between two of them, differs
 *  from the segment's linear value by more than its share. Two things widen the difference. The
 *  curve may lie off its piece by the piece's error, which shifts its place by at most that error
 *  divided by the length. And a vertex beyond an end is compared with that end, while the values
 *  towards the next vertex change linearly with the foot: its overshoot |t - nearest| is added. */
TSR_FN int tsr_chord_values_miss(const tsr_chord *chord, const tsr_chain *chain) {
  const double *share = tsr_chain_plane(chain, TSR_PLANE_SHARE);
  const double *reach = tsr_chain_plane(chain, TSR_PLANE_REACH);
  for (int64_t k = chord->i + 1; k < chord->j; ++k) {
    double across2;
    const double t = tsr_chord_along(chord, chain, k, &across2);
    const double nearest = t < 0.0 ? 0.0 : (t > 1.0 ? 1.0 : t);
    const double error = chain->tolerance - reach[k];
    const double aside = error * (chord->over2 * chord->length) + fabs(t - nearest);
    const double *v = tsr_chain_plane(chain, TSR_PLANE_VALUES);
    int miss = 0;
    for (int f = 0; f < chain->n_values; ++f, v += chain->room) {
      const double step = v[chord->j] - v[chord->i];
      const double at = v[chord->i] + nearest * step;
      miss |= fabs(v[k] - at) + aside * fabs(step) > share[k];
    }
    if (miss)
      return 1;
  }
  return 0;
}

/** 1 if a segment's length, and its angles to the curve at both ends, are allowed. */
TSR_FN int tsr_chain_allows(const tsr_chain *chain, int64_t i, int64_t j, const double way[3],
                            double length) {
  if (chain->length > 0.0 && length > chain->length)
    return 0;
  return chain->tangents == 0 ||
         !(tsr_chain_turns(chain, i, way, length) | tsr_chain_turns(chain, j, way, length));
}

/** Largest miss of the vertices between i and j, at most 0 if the segment may stand for them: then
 *  tolerance + miss bounds its error. 1 if the segment is not allowed for any reason. */
TSR_FN double tsr_chain_miss(const tsr_chain *chain, int64_t i, int64_t j) {
  tsr_chord chord;
  tsr_fit fit = {0.0, -chain->tolerance, 1};
  tsr_chord_make(&chord, chain, i, j);
  if (!tsr_chain_allows(chain, i, j, chord.way, chord.length))
    return 1.0;
  for (int64_t k = i + 1; k < j; ++k)
    if (!tsr_fit_take(&fit, &chord, chain, k))
      return 1.0;
  if (!fit.ordered && !tsr_chord_in_order(&chord, chain))
    return 1.0;
  return chain->n_values > 0 && tsr_chord_values_miss(&chord, chain) ? 1.0 : fit.most;
}

#endif
