/* SPDX-License-Identifier: BSD-3-Clause */
/** Coarsening: the directions from a vertex that pass all vertices after it within their reach. */
#ifndef TSR_CONE_MATH_H
#define TSR_CONE_MATH_H

#include "curves/coarsen/chain_math.h"

/** Slabs of a cone, and the values whose slopes are followed beside it; others are only checked. */
#define TSR_SLABS 4
#define TSR_CONE_FAR 3.0 /* so many times its reach away, a vertex is a disc across the axis */
#define TSR_SLOPES 24

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

#endif
