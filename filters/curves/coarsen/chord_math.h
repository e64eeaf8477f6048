/* SPDX-License-Identifier: BSD-3-Clause */
/** Coarsening: may a segment stand for the vertices between its ends? The answer that counts. */
#ifndef TSR_CHORD_MATH_H
#define TSR_CHORD_MATH_H

#include "curves/coarsen/chain_math.h"

/** A segment between two vertices. A place on it is 0 at its first end and 1 at its last. */
typedef struct tsr_chord {
  int64_t i, j;
  double from[3], way[3];
  double over2; /**< 1 over its squared length; 0: it has none */
  double length;
} tsr_chord;

TSR_FN void tsr_chord_make(tsr_chord *chord, const tsr_chain *chain, int64_t i, int64_t j) {
  const double length2 = tsr_chain_leg(chain, i, j, chord->way);
  chord->i = i;
  chord->j = j;
  for (int c = 0; c < 3; ++c)
    chord->from[c] = chain->v[c * chain->room + i];
  chord->over2 = length2 > 0.0 ? 1.0 / length2 : 0.0;
  chord->length = sqrt(length2);
}

/** Where x y z lies along the line of the chord; *across2: its squared distance from that line. */
TSR_FN double tsr_chord_along(const tsr_chord *chord, double vx, double vy, double vz,
                              double *across2) {
  const double *way = chord->way;
  const double x = vx - chord->from[0], y = vy - chord->from[1], z = vz - chord->from[2];
  const double t = ((x * way[0] + y * way[1]) + z * way[2]) * chord->over2;
  const double dx = x - t * way[0], dy = y - t * way[1], dz = z - t * way[2];
  *across2 = (dx * dx + dy * dy) + dz * dz;
  return t;
}

/** The same of vertex k. */
TSR_FN double tsr_chord_along_vertex(const tsr_chord *chord, const tsr_chain *chain, int64_t k,
                                     double *across2) {
  const double *v = chain->v + k;
  return tsr_chord_along(chord, v[0], v[chain->room], v[2 * chain->room], across2);
}

/** 1 if the points between can be given places on the segment in order, each as early as its reach
 *  allows: the exact answer, where the nearest places would not be in order. */
TSR_FN int tsr_chord_in_order(const tsr_chord *chord, const tsr_chain *chain) {
  const double *reach = tsr_chain_plane(chain, TSR_PLANE_REACH);
  double place = 0.0;
  for (int64_t k = chord->i + 1; k < chord->j; ++k) {
    double across2, gap;
    const double s = chord->length * tsr_chord_along_vertex(chord, chain, k, &across2);
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

/** What is known of the vertices of a segment so far. */
typedef struct tsr_fit {
  double place; /**< the farthest nearest place */
  double most;  /**< the largest miss */
  int ordered;  /**< 0: the nearest places are not in order, and that costs too much */
} tsr_fit;

/** Takes vertex k. 0: the segment misses it. */
TSR_FN int tsr_fit_take(tsr_fit *fit, const tsr_chord *chord, const tsr_chain *chain, int64_t k) {
  const double reach = tsr_chain_plane(chain, TSR_PLANE_REACH)[k], room = fit->most + reach;
  double across2, off, off2;
  const double t = tsr_chord_along_vertex(chord, chain, k, &across2);
  const double nearest = t < 0.0 ? 0.0 : (t > 1.0 ? 1.0 : t);
  fit->place = nearest > fit->place ? nearest : fit->place;
  off = (fit->place - t) * chord->length;
  off2 = across2 + off * off;
  if (room < 0.0 || off2 > room * room) { /* a root is wanted for the farthest so far only */
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

/** 1 if the places of the lanes are on the segment and in order, behind `place`. */
TSR_FN int tsr_lanes_ordered(const double t[TSR_LANES], double place) {
  int ordered = t[0] >= place && t[TSR_LANES - 1] <= 1.0;
  for (int l = 1; l < TSR_LANES; ++l)
    ordered &= t[l] >= t[l - 1];
  return ordered;
}

/** The largest miss of the lanes, each `off2` squared away. One root does where all have the same
 *  reach. */
TSR_FN double tsr_lanes_miss(const double off2[TSR_LANES], const double *reach) {
  double miss[TSR_LANES];
  int same = 1;
  for (int l = 1; l < TSR_LANES; ++l)
    same &= reach[l] == reach[0];
  if (same)
    return sqrt(tsr_lanes_most(off2)) - reach[0];
  for (int l = 0; l < TSR_LANES; ++l)
    miss[l] = sqrt(off2[l]) - reach[l];
  return tsr_lanes_most(miss);
}

/** Takes the vertices of the lanes from k on, side by side. 0, and nothing is taken: the segment
 * may miss one. */
TSR_FN int tsr_fit_take_lanes(tsr_fit *fit, const tsr_chord *chord, const tsr_chain *chain,
                              int64_t k) {
  const double *x = chain->v + k, *y = x + chain->room, *z = y + chain->room;
  const double *reach = z + chain->room;
  double t[TSR_LANES], off2[TSR_LANES], over[TSR_LANES], place, most;
  int known;
  for (int l = 0; l < TSR_LANES; ++l) {
    const double room = fit->most + reach[l];
    t[l] = tsr_chord_along(chord, x[l], y[l], z[l], &off2[l]);
    over[l] = off2[l] - room * fabs(room);
  }
  place = t[TSR_LANES - 1];
  known = tsr_lanes_ordered(t, fit->place);
  if (!known) {
    place = fit->place;
    for (int l = 0; l < TSR_LANES; ++l) {
      const double nearest = t[l] > 1.0 ? 1.0 : t[l];
      double off;
      place = nearest > place ? nearest : place;
      off = (place - t[l]) * chord->length;
      off2[l] += off * off;
    }
  }
  if (!known || tsr_lanes_most(over) > 0.0) { /* farther than all before? */
    most = tsr_lanes_miss(off2, reach);
    if (!(most <= 0.0))
      return 0;
    fit->most = most > fit->most ? most : fit->most;
  }
  fit->place = place;
  return 1;
}

/** 1 if a value of the vertices [k, end), or of the curve between them, is farther from the
 *  segment's than is allowed. The curve lies up to the error of a piece from the piece, and so
 *  beside another place of the segment; and between a vertex that lies beyond an end, which has
 *  that end beside it, and the next one the values go straight and their places do not. */
TSR_FN int tsr_chord_values_miss(const tsr_chord *chord, const tsr_chain *chain, int64_t k,
                                 int64_t end) {
  const double *share = tsr_chain_plane(chain, TSR_PLANE_SHARE);
  const double *reach = tsr_chain_plane(chain, TSR_PLANE_REACH);
  for (; k < end; ++k) {
    double across2;
    const double t = tsr_chord_along_vertex(chord, chain, k, &across2);
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

/** By how much a segment misses the reach of what lies between, at most 0 where it may stand for
 *  it: then tolerance + miss bounds its error. *missed: the vertex that it misses, where that is
 *  known; else unchanged. */
TSR_FN double tsr_chain_miss(const tsr_chain *chain, const tsr_chord *chord, int64_t *missed) {
  tsr_fit fit;
  int64_t k = chord->i + 1;
  fit.place = 0.0;
  fit.most = -chain->tolerance;
  fit.ordered = 1;
  if (chain->length > 0.0 && chord->length > chain->length)
    return 1.0;
  if (chain->tangents > 0 && (tsr_chain_turns(chain, chord->i, chord->way, chord->length) ||
                              tsr_chain_turns(chain, chord->j, chord->way, chord->length)))
    return 1.0;
  while (k < chord->j) {
    const int64_t stop = chord->j - k < TSR_LANES ? chord->j : k + TSR_LANES;
    if (chord->j - k >= TSR_LANES && tsr_fit_take_lanes(&fit, chord, chain, k)) {
      k = stop;
      continue;
    }
    for (; k < stop; ++k)
      if (!tsr_fit_take(&fit, chord, chain, k)) {
        *missed = k;
        return 1.0;
      }
  }
  if (!fit.ordered && !tsr_chord_in_order(chord, chain))
    return 1.0;
  return chain->n_values > 0 && tsr_chord_values_miss(chord, chain, chord->i + 1, chord->j)
             ? 1.0
             : fit.most;
}

#endif
