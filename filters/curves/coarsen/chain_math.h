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

/** Slabs of a cone, and the values whose slopes are followed beside it; others are only checked. */
#define TSR_SLABS 4
#define TSR_CONE_FAR 3.0 /* so many times its reach away, a vertex is a disc across the axis */
#define TSR_SLOPES 24

/** A walk looks at so many points at once, and at so many times what it has kept. */
#define TSR_WALK_FIRST 32
#define TSR_WALK_GROWTH 4

/** Where the last point of the cone does not do, so many that it saw before, and then so many
 * others are tried. */
#define TSR_WALK_SEEN 4
#define TSR_WALK_TRIES 6

/** Ends of a segment that are compared by how far the next one goes, where points scatter. */
#define TSR_WALK_ENDS 2

/** Points that one walk keeps together; the point where two walks meet stays. */
#define TSR_WALK_POINTS 65536

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

/** The directions that a walk may still take. */
typedef struct tsr_cone {
  double across[2][3], axis[3]; /**< unit vectors */
  double lo[TSR_SLABS], hi[TSR_SLABS];
  double slope_lo[TSR_SLOPES], slope_hi[TSR_SLOPES];
  int n_slopes;
} tsr_cone;

/** An axis for the cone at vertex i: to the first vertex that is well outside of its own reach. */
TSR_FN void tsr_cone_start(tsr_cone *cone, const tsr_chain *chain, int64_t i, int64_t end) {
  double *w = cone->axis, *a = cone->across[0], *b = cone->across[1], size = 0.0, over;
  for (int64_t k = i + 1; k <= end; ++k) {
    const double *v = tsr_chain_at(chain, k);
    size = tsr_chain_leg(tsr_chain_at(chain, i), v, w);
    if (v[TSR_VERTEX_REACH] < 0.0 || size > 3.0 * v[TSR_VERTEX_REACH])
      break;
  }
  over = size > 0.0 ? 1.0 / size : 0.0;
  for (int c = 0; c < 3; ++c)
    w[c] = size > 0.0 ? w[c] * over : (double)(c == 0);
  if (fabs(w[2]) < 0.75) {
    over = 1.0 / sqrt(w[0] * w[0] + w[1] * w[1]);
    a[0] = w[1] * over;
    a[1] = -w[0] * over;
    a[2] = 0.0;
  } else {
    over = 1.0 / sqrt(w[1] * w[1] + w[2] * w[2]);
    a[0] = 0.0;
    a[1] = w[2] * over;
    a[2] = -w[1] * over;
  }
  b[0] = w[1] * a[2] - w[2] * a[1];
  b[1] = w[2] * a[0] - w[0] * a[2];
  b[2] = w[0] * a[1] - w[1] * a[0];
  for (int m = 0; m < TSR_SLABS; ++m) {
    cone->lo[m] = -1e300;
    cone->hi[m] = 1e300;
  }
  cone->n_slopes = chain->n_values < TSR_SLOPES ? chain->n_values : TSR_SLOPES;
  for (int f = 0; f < cone->n_slopes; ++f) {
    cone->slope_lo[f] = -1e300;
    cone->slope_hi[f] = 1e300;
  }
}

/** 1 if the slopes of values up to the vertex are among those that all before allow. Then narrows
 *  them; *open: some are left. */
TSR_FN int tsr_cone_slopes(tsr_cone *cone, const double *from, const double *v, double over,
                           int *open) {
  /* The slopes are along the axis and not along the segment, which is little else: a reserve. */
  const double share = v[TSR_VERTEX_SHARE] * (63.0 / 64.0);
  int inside = 1;
  for (int f = 0; f < cone->n_slopes; ++f) {
    const double rise = v[TSR_VERTEX_VALUES + f] - from[TSR_VERTEX_VALUES + f];
    const double slope = rise * over;
    const double lo = (rise - share) * over, hi = (rise + share) * over;
    inside &= slope >= cone->slope_lo[f] && slope <= cone->slope_hi[f];
    cone->slope_lo[f] = lo > cone->slope_lo[f] ? lo : cone->slope_lo[f];
    cone->slope_hi[f] = hi < cone->slope_hi[f] ? hi : cone->slope_hi[f];
    *open &= cone->slope_lo[f] <= cone->slope_hi[f];
  }
  return inside;
}

/** The largest of the numbers of slabs. */
TSR_FN double tsr_slabs_most(const double v[TSR_SLABS]) {
  const double a = v[0] > v[2] ? v[0] : v[2];
  const double b = v[1] > v[3] ? v[1] : v[3];
  return a > b ? a : b;
}

/** Narrows the slabs to a disc. Returns by how much its middle lies outside of what they were;
 *  *open: 0 where nothing is left of them. Without branches, so that a processor does several slabs
 *  at once. */
TSR_FN double tsr_cone_narrow(tsr_cone *cone, const double p[TSR_SLABS], double reach, int *open) {
  double outside[TSR_SLABS], crossed[TSR_SLABS];
  for (int m = 0; m < TSR_SLABS; ++m) {
    const double lo = cone->lo[m], hi = cone->hi[m];
    const double low = p[m] - reach, high = p[m] + reach;
    const double new_lo = low > lo ? low : lo, new_hi = high < hi ? high : hi;
    const double below = lo - p[m], above = p[m] - hi;
    outside[m] = below > above ? below : above;
    crossed[m] = new_lo - new_hi;
    cone->lo[m] = new_lo;
    cone->hi[m] = new_hi;
  }
  *open = tsr_slabs_most(crossed) <= 0.0;
  return tsr_slabs_most(outside);
}

/** The same where the vertex is not much farther away than its reach, by the tangents to its disc
 * in the plane of each slab: what a slab allows is not even around the vertex there. side: how far
 * it lies across, from the axis, which it lies `ahead` along. */
TSR_FN void tsr_cone_narrow_near(tsr_cone *cone, double ahead, const double side[TSR_SLABS],
                                 double reach, int *open) {
  for (int m = 0; m < TSR_SLABS; ++m) {
    const double rest2 = (ahead * ahead + side[m] * side[m]) - reach * reach;
    const double rest = rest2 > 0.0 ? sqrt(rest2) : 0.0;
    /* Sine and cosine of the two tangents' angles from the axis, times the same positive number. */
    const double low_sin = side[m] * rest - ahead * reach, low_cos = ahead * rest + side[m] * reach;
    const double high_sin = side[m] * rest + ahead * reach,
                 high_cos = ahead * rest - side[m] * reach;
    double lo = low_sin > 0.0 ? 1e300 : -1e300, hi = high_sin > 0.0 ? 1e300 : -1e300;
    if (!(rest2 > 0.0))
      continue;
    lo = low_cos > 0.0 ? low_sin / low_cos : lo;
    hi = high_cos > 0.0 ? high_sin / high_cos : hi;
    cone->lo[m] = lo > cone->lo[m] ? lo : cone->lo[m];
    cone->hi[m] = hi < cone->hi[m] ? hi : cone->hi[m];
    *open &= cone->lo[m] <= cone->hi[m];
  }
}

/** 1 if the direction x y lies in all slabs. */
TSR_FN int tsr_cone_has(const tsr_cone *cone, const double p[TSR_SLABS]) {
  int inside = 1;
  for (int m = 0; m < TSR_SLABS; ++m)
    inside &= p[m] >= cone->lo[m] && p[m] <= cone->hi[m];
  return inside;
}

/** How far x y lies along the middles of the slabs. */
TSR_FN void tsr_slabs_of(double x, double y, double p[TSR_SLABS]) {
  const double slant = 0.70710678118654752;
  p[0] = x;
  p[1] = slant * (x + y);
  p[2] = y;
  p[3] = slant * (y - x);
}

/** 1 if the vertex lies in the cone from vertex `from`. Then narrows it to what passes the vertex
 *  within its reach; *open: 0 where nothing is left. */
TSR_FN int tsr_cone_take(tsr_cone *cone, const double *from, const double *v, int *open) {
  const double q[3] = {v[0] - from[0], v[1] - from[1], v[2] - from[2]};
  const double ahead = (q[0] * cone->axis[0] + q[1] * cone->axis[1]) + q[2] * cone->axis[2];
  const double x =
      (q[0] * cone->across[0][0] + q[1] * cone->across[0][1]) + q[2] * cone->across[0][2];
  const double y =
      (q[0] * cone->across[1][0] + q[1] * cone->across[1][1]) + q[2] * cone->across[1][2];
  const double reach = v[TSR_VERTEX_REACH], over = 1.0 / ahead;
  double p[TSR_SLABS];
  int inside;
  *open = 1;
  if (ahead > TSR_CONE_FAR * reach && ahead > 0.0) {
    tsr_slabs_of(over * x, over * y, p);
    inside = tsr_cone_narrow(cone, p, over * reach, open) <= 0.0;
  } else {
    double side[TSR_SLABS];
    tsr_slabs_of(x, y, side);
    tsr_slabs_of(over * x, over * y, p);
    inside = ahead > 0.0 && tsr_cone_has(cone, p);
    tsr_cone_narrow_near(cone, ahead, side, reach, open);
  }
  if (cone->n_slopes > 0 && ahead > 0.0)
    inside &= tsr_cone_slopes(cone, from, v, over, open);
  return inside;
}

/** A walk's way to the end of a segment. */
typedef struct tsr_reach {
  int64_t sure;                /**< a vertex that does */
  int64_t seen[TSR_WALK_SEEN]; /**< the last vertices that lay in the cone, in a ring */
  int n_seen;                  /**< how many there were since `sure` */
} tsr_reach;

/** 1 if the segment from i to j does; then it is the sure one. */
TSR_FN int tsr_reach_try(tsr_reach *reach, const tsr_chain *chain, int64_t i, int64_t j,
                         double *miss) {
  const double tried = tsr_chain_miss(chain, i, j);
  if (tried > 0.0)
    return 0;
  *miss = tried;
  reach->sure = j;
  reach->n_seen = 0;
  return 1;
}

/** The last of the vertices that the cone had room for, which a few tries find: those that it saw
 *  last, and then by halves. */
TSR_FN int64_t tsr_reach_back(tsr_reach *reach, const tsr_chain *chain, int64_t i, double *miss) {
  const int n = reach->n_seen, oldest = n > TSR_WALK_SEEN ? n - TSR_WALK_SEEN : 0;
  int64_t beyond = 0;
  for (int c = n - 1; c >= oldest; --c) {
    beyond = reach->seen[c % TSR_WALK_SEEN];
    if (tsr_reach_try(reach, chain, i, beyond, miss))
      return beyond;
  }
  for (int tries = 0; oldest > 0 && tries < TSR_WALK_TRIES && beyond - reach->sure > 1; ++tries) {
    const int64_t middle = reach->sure + (beyond - reach->sure) / 2;
    if (!tsr_reach_try(reach, chain, i, middle, miss))
      beyond = middle;
  }
  return reach->sure;
}

/** A segment as far on as it is found to go, and, where points scatter so that one end is not as
 * good as the one beside it, others that end before it. */
typedef struct tsr_step {
  int n; /**< ends that do, the farthest first */
  int64_t to[TSR_WALK_ENDS];
  double miss[TSR_WALK_ENDS]; /**< tsr_chain_miss, where the segment stands for several */
} tsr_step;

/** 1 if the last vertices that the cone saw did not follow each other. */
TSR_FN int tsr_reach_scatters(const tsr_reach *reach, int64_t i) {
  const int n = reach->n_seen, oldest = n > TSR_WALK_SEEN ? n - TSR_WALK_SEEN : 0;
  int64_t after = n > 0 ? reach->seen[(n - 1) % TSR_WALK_SEEN] : 0;
  for (int c = n - 2; c >= oldest - (oldest == 0); --c) {
    const int64_t before = c < 0 ? i + 1 : reach->seen[c % TSR_WALK_SEEN];
    if (after - before > 1)
      return 1;
    after = before;
  }
  return 0;
}

/** Adds what the cone saw before the step's first end, and what does. */
TSR_FN void tsr_step_add_others(tsr_step *step, const tsr_reach *seen, const tsr_chain *chain,
                                int64_t i) {
  const int n = seen->n_seen, oldest = n > TSR_WALK_SEEN ? n - TSR_WALK_SEEN : 0;
  for (int c = n - 1; c >= oldest && step->n < TSR_WALK_ENDS; --c) {
    const int64_t j = seen->seen[c % TSR_WALK_SEEN];
    double miss;
    if (j >= step->to[0])
      continue;
    miss = tsr_chain_miss(chain, i, j);
    if (miss <= 0.0) {
      step->to[step->n] = j;
      step->miss[step->n++] = miss;
    }
  }
}

/** The segment from vertex i < last. */
TSR_FN void tsr_chain_step(const tsr_chain *chain, int64_t i, tsr_step *step) {
  const double *from = tsr_chain_at(chain, i), *v = from;
  int64_t end = i + TSR_WALK_FIRST;
  tsr_reach reach;
  tsr_cone cone;
  reach.sure = i + 1;
  reach.n_seen = 0;
  step->n = 1;
  step->miss[0] = -chain->tolerance;
  end = end < chain->last ? end : chain->last;
  tsr_cone_start(&cone, chain, i, end);
  for (int64_t k = i + 1; k <= end; ++k) {
    int open;
    v += chain->stride;
    if (tsr_cone_take(&cone, from, v, &open) && k > i + 1)
      reach.seen[reach.n_seen++ % TSR_WALK_SEEN] = k;
    if (!open || v[TSR_VERTEX_REACH] < 0.0)
      break;
    if (k == end && reach.n_seen > 0 && k < chain->last) {
      if (!tsr_reach_try(&reach, chain, i, reach.seen[(reach.n_seen - 1) % TSR_WALK_SEEN],
                         step->miss))
        break;
      end = i + TSR_WALK_FIRST + TSR_WALK_GROWTH * (reach.sure - i);
      end = end < chain->last ? end : chain->last;
    }
  }
  {
    const tsr_reach seen = reach;
    step->to[0] = tsr_reach_back(&reach, chain, i, step->miss);
    if (step->to[0] < chain->last && tsr_reach_scatters(&seen, i))
      tsr_step_add_others(step, &seen, chain, i);
  }
}

/** Walks along a finished chain: keep[k] becomes 1 for each vertex that stays, 0 for the others,
 *  k < last. Where a segment has several ends, that one is taken from which the next segment goes
 *  farthest. Returns the largest error of a segment that stands for several, at least 0. */
TSR_FN double tsr_chain_walk(const tsr_chain *chain, uint8_t *keep) {
  double most = 0.0;
  int64_t i = 0;
  tsr_step step;
  tsr_chain_step(chain, i, &step);
  while (i < chain->last) {
    tsr_step next = step, tried;
    int best = 0;
    for (int e = 0; e < step.n && step.to[0] < chain->last; ++e) {
      tsr_chain_step(chain, step.to[e], &tried);
      if (e == 0 || tried.to[0] > next.to[0]) {
        next = tried;
        best = e;
      }
    }
    keep[i] = 1;
    for (int64_t k = i + 1; k < step.to[best]; ++k)
      keep[k] = 0;
    most = chain->tolerance + step.miss[best] > most ? chain->tolerance + step.miss[best] : most;
    i = step.to[best];
    step = next;
  }
  return most;
}

/** Finishes the chain and walks along it. closed: it ends where it begins, and stays a polygon.
 *  Returns the largest error of a segment. */
TSR_FN double tsr_chain_coarsen(const tsr_chain *chain, int bound, int closed, uint8_t *keep) {
  const double most = tsr_chain_finish(chain, bound);
  double error = tsr_chain_walk(chain, keep);
  int64_t kept = 0;
  for (int64_t k = 0; closed && k < chain->last && kept < 3; ++k)
    kept += keep[k];
  if (closed && kept < 3 && chain->last >= 3) {
    tsr_chain_at(chain, chain->last / 3)[TSR_VERTEX_REACH] = -1.0;
    tsr_chain_at(chain, 2 * chain->last / 3)[TSR_VERTEX_REACH] = -1.0;
    error = tsr_chain_walk(chain, keep);
  }
  return error > most ? error : most;
}

#endif
