/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Coarsening: which points of a chain of points stay, so that few segments keep the tolerances.
 *
 *         k+1 ___ ...          A segment from i to j may stand for all that lies between where its
 *    i  .-'  \   /  `-. j      points k can be given places on it, in order, within their reach:
 *      *------x-x------*       r_k = tolerance - (error of the pieces that meet at k). Then no
 * point k                of the curve is farther than the tolerance, and no fold is skipped: the
 * Frechet distance holds, not the Hausdorff distance alone.
 *
 * From i on, the directions that pass all points so far within their reach are a cone (Imai and
 * Iri, 1986, and Hershberger and Snoeyink's stabbing orders look for the same). It is kept as four
 * slabs across an axis, so that a disc is taken for an octagon around it. A point whose own
 * direction lies in the cone may be the end of the segment; the last such point is tried, and
 * tsr_chain_miss decides, which knows of order and of values. No walk looks farther than a multiple
 * of what it has kept, so that the time is linear in the points.
 *
 * A vertex is `stride` doubles:
 *   x y z, the error of the piece from it to the next one, the same of the values as a share of
 *   what is allowed, the values over their tolerances, and the direction of the curve there.
 * tsr_chain_finish turns the two errors of pieces into the reach of the vertex.
 */
#ifndef TSR_CHAIN_MATH_H
#define TSR_CHAIN_MATH_H

#include "common/common_math.h"

/** Places in a vertex. */
#define TSR_VERTEX_REACH 3
#define TSR_VERTEX_SHARE 4
#define TSR_VERTEX_VALUES 5

/** A share above 1: both ends of the piece have to stay. */
#define TSR_SHARE_FIXED 2.0

typedef struct tsr_chain {
  double *v; /**< the vertices */
  int64_t last;
  int stride, n_values;
  int tangents; /**< place of the direction in a vertex; 0: the turning angle is not in use */
  double tolerance;
  double length;      /**< most length of a segment; 0: any */
  double turning_cos; /**< cosine of half the turning angle */
} tsr_chain;

/** Doubles of a vertex. */
TSR_FN int tsr_chain_stride(int n_values, int turning) {
  return TSR_VERTEX_VALUES + n_values + (turning ? 3 : 0);
}

TSR_FN double *tsr_chain_at(const tsr_chain *chain, int64_t k) {
  return chain->v + k * chain->stride;
}

/** The vector from a to b; returns its length. */
TSR_FN double tsr_chain_leg(const double *a, const double *b, double leg[3]) {
  for (int c = 0; c < 3; ++c)
    leg[c] = b[c] - a[c];
  return sqrt((leg[0] * leg[0] + leg[1] * leg[1]) + leg[2] * leg[2]);
}

/** The direction at vertex k: half way between the legs that meet there, 0 0 0 where the curve ends
 *  or has a corner. Returns 1 if it has a corner. */
TSR_FN int tsr_chain_direction(const tsr_chain *chain, int64_t k) {
  const double cos_whole = 2.0 * chain->turning_cos * chain->turning_cos - 1.0;
  double *to = tsr_chain_at(chain, k) + chain->tangents;
  double before[3], after[3], size, size_before, size_after;
  to[0] = to[1] = to[2] = 0.0;
  if (k == 0 || k == chain->last)
    return 0;
  size_before = tsr_chain_leg(tsr_chain_at(chain, k - 1), tsr_chain_at(chain, k), before);
  size_after = tsr_chain_leg(tsr_chain_at(chain, k), tsr_chain_at(chain, k + 1), after);
  if (!(size_before > 0.0) || !(size_after > 0.0))
    return 1;
  for (int c = 0; c < 3; ++c)
    to[c] = before[c] / size_before + after[c] / size_after;
  size = 0.0;
  for (int c = 0; c < 3; ++c)
    size += before[c] * after[c];
  if (size < cos_whole * size_before * size_after) {
    to[0] = to[1] = to[2] = 0.0;
    return 1;
  }
  size = sqrt((to[0] * to[0] + to[1] * to[1]) + to[2] * to[2]);
  for (int c = 0; c < 3; ++c)
    to[c] = size > 0.0 ? to[c] / size : 0.0;
  return 0;
}

/** Which values of a vertex are no numbers, folded into one; they become 0. */
TSR_FN int tsr_chain_none(const tsr_chain *chain, double *v) {
  int none = 0;
  for (int f = TSR_VERTEX_VALUES; f < TSR_VERTEX_VALUES + chain->n_values; ++f) {
    const int number = fabs(v[f]) <= 1e300;
    none = 31 * (none & 0xffffff) + !number;
    v[f] = number ? v[f] : 0.0;
  }
  return none;
}

/** Turns the errors of pieces into the reach of vertices; below 0: the vertex has to stay, as both
 *  ends of a piece do where values begin or cease to be numbers. bound: ends of the chain where the
 *  curve goes on, 1 the first and 2 the last. Returns the largest error of a piece. */
TSR_FN double tsr_chain_finish(const tsr_chain *chain, int bound) {
  double before = 0.0, share_before = 0.0, most = 0.0;
  int none_before = 0;
  for (int64_t k = 0; k <= chain->last; ++k) {
    double *v = tsr_chain_at(chain, k);
    const double error = k < chain->last ? v[TSR_VERTEX_REACH] : 0.0;
    const double share = k < chain->last ? v[TSR_VERTEX_SHARE] : 0.0;
    const double worse = error > before ? error : before;
    const double share_worse = share > share_before ? share : share_before;
    const int none = chain->n_values > 0 ? tsr_chain_none(chain, v) : 0;
    int stays = share_worse > 1.0;
    if (chain->tangents > 0) {
      stays |= tsr_chain_direction(chain, k);
      stays |= ((bound & 1) && k == 1) || ((bound & 2) && k + 1 == chain->last);
    }
    if (none != none_before && k > 0) {
      stays = 1;
      tsr_chain_at(chain, k - 1)[TSR_VERTEX_REACH] = -1.0;
    }
    v[TSR_VERTEX_REACH] = stays ? -1.0 : chain->tolerance - worse;
    v[TSR_VERTEX_SHARE] = 1.0 - share_worse;
    most = worse > most ? worse : most;
    before = error;
    share_before = share;
    none_before = none;
  }
  return most;
}

/** 1 if the direction at a vertex turns from the chord by more than half the turning angle. */
TSR_FN int tsr_chain_turns(const tsr_chain *chain, int64_t k, const double chord[3],
                           double length) {
  const double *t = tsr_chain_at(chain, k) + chain->tangents;
  const double dot = (t[0] * chord[0] + t[1] * chord[1]) + t[2] * chord[2];
  return (t[0] != 0.0 || t[1] != 0.0 || t[2] != 0.0) && dot < chain->turning_cos * length;
}

/** 1 if the vertex's values at t of the segment from i to j are farther off than is allowed. */
TSR_FN int tsr_chain_values_miss(const tsr_chain *chain, const double *i, const double *j,
                                 const double *k, double t) {
  for (int f = TSR_VERTEX_VALUES; f < TSR_VERTEX_VALUES + chain->n_values; ++f)
    if (fabs(k[f] - (i[f] + t * (j[f] - i[f]))) > k[TSR_VERTEX_SHARE])
      return 1;
  return 0;
}

/** Where vertex k lies along the unit vector from `origin` on; *across2: squared distance from that
 *  line. */
TSR_FN double tsr_chain_along(const double *origin, const double unit[3], const double *k,
                              double *across2) {
  const double x = k[0] - origin[0], y = k[1] - origin[1], z = k[2] - origin[2];
  const double s = (x * unit[0] + y * unit[1]) + z * unit[2];
  const double dx = x - s * unit[0], dy = y - s * unit[1], dz = z - s * unit[2];
  *across2 = (dx * dx + dy * dy) + dz * dz;
  return s;
}

/** 1 if the points between can be given places on the segment in order, each as early as its reach
 *  allows: the exact answer, where the nearest places would not be in order. */
TSR_FN int tsr_chain_in_order(const tsr_chain *chain, int64_t i, int64_t j, const double unit[3],
                              double length) {
  const double *origin = tsr_chain_at(chain, i);
  double place = 0.0;
  for (int64_t k = i + 1; k < j; ++k) {
    const double *v = tsr_chain_at(chain, k);
    double across2, gap;
    const double s = tsr_chain_along(origin, unit, v, &across2);
    gap = v[TSR_VERTEX_REACH] * v[TSR_VERTEX_REACH] - across2;
    if (gap < 0.0)
      return 0;
    gap = sqrt(gap);
    place = s - gap > place ? s - gap : place;
    if (place > s + gap || place > length)
      return 0;
  }
  return 1;
}

/** By how much the segment from i to j misses the reach of what lies between, at most 0 where it
 *  may stand for it: then tolerance + miss bounds its error. No vertex between has to stay. */
TSR_FN double tsr_chain_miss(const tsr_chain *chain, int64_t i, int64_t j) {
  const double *from = tsr_chain_at(chain, i), *to = tsr_chain_at(chain, j);
  const double *v = from + chain->stride;
  double chord[3], unit[3], over, place = 0.0, most = -chain->tolerance;
  const double length = tsr_chain_leg(from, to, chord);
  int ordered = 1;
  over = length > 0.0 ? 1.0 / length : 0.0;
  for (int c = 0; c < 3; ++c)
    unit[c] = chord[c] * over;
  if (chain->length > 0.0 && length > chain->length)
    return 1.0;
  if (chain->tangents > 0 &&
      (tsr_chain_turns(chain, i, chord, length) || tsr_chain_turns(chain, j, chord, length)))
    return 1.0;
  for (; v < to; v += chain->stride) {
    double across2, off, off2;
    const double s = tsr_chain_along(from, unit, v, &across2);
    const double nearest = s < 0.0 ? 0.0 : (s > length ? length : s);
    const double room = most + v[TSR_VERTEX_REACH];
    place = nearest > place ? nearest : place;
    off = place - s;
    off2 = across2 + off * off;
    if (room < 0.0 || off2 > room * room) { /* a root is wanted for the farthest so far only */
      const double miss = sqrt(off2) - v[TSR_VERTEX_REACH];
      most = miss > most ? miss : most;
      if (most > 0.0) {
        if (place == nearest)
          return most;
        ordered = 0;
        most = 0.0;
      }
    }
    if (chain->n_values > 0 && tsr_chain_values_miss(chain, from, to, v, nearest * over))
      return 1.0;
  }
  return ordered || tsr_chain_in_order(chain, i, j, unit, length) ? most : 1.0;
}

#endif
