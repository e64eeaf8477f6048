/* SPDX-License-Identifier: BSD-3-Clause */
/** Coarsening: the directions from a vertex that pass all vertices after it within their reach. */
#ifndef TSR_CONE_MATH_H
#define TSR_CONE_MATH_H

#include "curves/coarsen/chain_math.h"

/** Slabs of a cone, and the values whose slopes are followed beside it; others are only checked. */
#define TSR_SLABS 4
#define TSR_CONE_FAR 3.0 /* so many times its reach away, a vertex is well outside */
#define TSR_AXIS_FAR 6.0 /* and so many times, it says where the curve goes */
#define TSR_SLOPES 24

/** Of what directions go across while they go one step along the axis, a range in each slab. */
typedef struct tsr_slabs {
  double lo[TSR_SLABS], hi[TSR_SLABS];
} tsr_slabs;

/** The directions that a walk may still take: those with a step `ahead` along the axis, and of what
 *  they go across meanwhile, a range in each slab. */
typedef struct tsr_cone {
  double from[3], across[2][3], axis[3]; /**< the first vertex, and unit vectors */
  tsr_slabs slabs;
  double slope_lo[TSR_SLOPES], slope_hi[TSR_SLOPES];
  int64_t i; /**< the vertex that it begins at */
  int n_slopes;
} tsr_cone;

/** The cone at vertex i, with its axis to the first vertex that is far outside of its own reach.
 */
TSR_FN void tsr_cone_start(tsr_cone *cone, const tsr_chain *chain, int64_t i, int64_t end) {
  const double *reach = tsr_chain_plane(chain, TSR_PLANE_REACH);
  double *w = cone->axis, *a = cone->across[0], *b = cone->across[1], size2 = 0.0, over, sign;
  for (int64_t k = i + 1; k <= end; ++k) {
    size2 = tsr_chain_leg(chain, i, k, w);
    if (reach[k] < 0.0 || size2 > TSR_AXIS_FAR * TSR_AXIS_FAR * reach[k] * reach[k])
      break;
  }
  over = size2 > 0.0 ? 1.0 / sqrt(size2) : 0.0;
  for (int c = 0; c < 3; ++c) {
    w[c] = size2 > 0.0 ? w[c] * over : (double)(c == 0);
    cone->from[c] = chain->v[c * chain->room + i];
  }
  /* Two vectors across it, as Duff and others have them (2017): no root, and no case apart. */
  sign = w[2] < 0.0 ? -1.0 : 1.0;
  over = -1.0 / (sign + w[2]);
  a[0] = 1.0 + sign * (w[0] * w[0]) * over;
  b[0] = w[0] * w[1] * over;
  a[1] = sign * b[0];
  a[2] = -sign * w[0];
  b[1] = sign + (w[1] * w[1]) * over;
  b[2] = -w[1];
  for (int m = 0; m < TSR_SLABS; ++m) {
    cone->slabs.lo[m] = -1e300;
    cone->slabs.hi[m] = 1e300;
  }
  cone->i = i;
  cone->n_slopes = chain->n_values < TSR_SLOPES ? chain->n_values : TSR_SLOPES;
  for (int f = 0; f < cone->n_slopes; ++f) {
    cone->slope_lo[f] = -1e300;
    cone->slope_hi[f] = 1e300;
  }
}

/** 1 if vertex i + 1 is a corner that no segment from i passes: the sum of the angles that the two
 *  vertices after i allow is less than the angle between them. A few products, where a cone would
 *  tell the same. */
TSR_FN int tsr_cone_is_shut(const tsr_chain *chain, int64_t i) {
  const double *reach = tsr_chain_plane(chain, TSR_PLANE_REACH) + i;
  double p[3], q[3], pp, qq, along, across2, cross[3], a, b;
  if (reach[1] < 0.0)
    return 1;
  pp = tsr_chain_leg(chain, i, i + 1, p);
  qq = tsr_chain_leg(chain, i, i + 2, q);
  a = reach[1] * reach[1] * qq;
  b = reach[2] > 0.0 ? reach[2] * reach[2] * pp : 0.0;
  along = (p[0] * q[0] + p[1] * q[1]) + p[2] * q[2];
  if (along < 0.0)
    return a + b < pp * qq;
  cross[0] = p[1] * q[2] - p[2] * q[1];
  cross[1] = p[2] * q[0] - p[0] * q[2];
  cross[2] = p[0] * q[1] - p[1] * q[0];
  across2 = (cross[0] * cross[0] + cross[1] * cross[1]) + cross[2] * cross[2];
  return across2 > (a + b) + 2.0 * sqrt(a * b);
}

/** 1 if the slopes of values up to the vertex are among those that all before allow. Then narrows
 *  them; *open: some are left. */
TSR_FN int tsr_cone_slopes(tsr_cone *cone, const tsr_chain *chain, int64_t k, double over,
                           int *open) {
  /* The slopes are along the axis and not along the segment, which is little else: a reserve. */
  const double share = tsr_chain_plane(chain, TSR_PLANE_SHARE)[k] * (63.0 / 64.0);
  const double *v = tsr_chain_plane(chain, TSR_PLANE_VALUES);
  int inside = 1;
  for (int f = 0; f < cone->n_slopes; ++f, v += chain->room) {
    const double rise = v[k] - v[cone->i];
    const double slope = rise * over;
    const double lo = (rise - share) * over, hi = (rise + share) * over;
    inside &= slope >= cone->slope_lo[f] && slope <= cone->slope_hi[f];
    cone->slope_lo[f] = lo > cone->slope_lo[f] ? lo : cone->slope_lo[f];
    cone->slope_hi[f] = hi < cone->slope_hi[f] ? hi : cone->slope_hi[f];
    *open &= cone->slope_lo[f] <= cone->slope_hi[f];
  }
  return inside;
}

/** What is seen from the cone's point of TSR_LANES vertices, side by side: where they lie, and the
 *  bounds of the directions that pass them within their reach. */
typedef struct tsr_sight {
  double ahead[TSR_LANES], over[TSR_LANES]; /**< along the axis, and 1 over that */
  double at[TSR_SLABS][TSR_LANES];          /**< the slope to the vertex; beyond any where behind */
  double low[TSR_SLABS][TSR_LANES], high[TSR_SLABS][TSR_LANES];
} tsr_sight;

/** Bounds of a slab where all vertices are far ahead: their discs are across the axis. */
TSR_FN void tsr_sight_far(tsr_sight *sight, int m, const double side[TSR_LANES],
                          const double reach[TSR_LANES]) {
  for (int l = 0; l < TSR_LANES; ++l) {
    const double p = sight->over[l] * side[l], wide = sight->over[l] * reach[l];
    sight->at[m][l] = p;
    sight->low[m][l] = p - wide;
    sight->high[m][l] = p + wide;
  }
}

/** The same for vertices anywhere. The tangents to a disc from 0 0 have the slopes
 *  (side ahead -+ reach rest) / (ahead^2 - reach^2), rest^2 = ahead^2 + side^2 - reach^2. Where the
 *  disc is beside 0 0, one of them bounds nothing, and where 0 0 lies in it, there are none. */
TSR_FN void tsr_sight_near(tsr_sight *sight, int m, const double side[TSR_LANES],
                           const double reach[TSR_LANES], const double before2[TSR_LANES],
                           const double over[TSR_LANES]) {
  for (int l = 0; l < TSR_LANES; ++l) {
    const double ahead = sight->ahead[l], rest2 = before2[l] + side[l] * side[l];
    const double half = reach[l] * sqrt(rest2 > 0.0 ? rest2 : 0.0) * over[l];
    const double middle = side[l] * ahead * over[l];
    const double before = before2[l] > 0.0 ? 1e300 : 0.0, beside = rest2 > 0.0 ? side[l] : 0.0;
    sight->at[m][l] = ahead > 0.0 ? side[l] * sight->over[l] : 2e300;
    sight->low[m][l] = before + beside > 0.0 ? middle - half : -1e300;
    sight->high[m][l] = before - beside > 0.0 ? middle + half : 1e300;
  }
}

/** Looks at the vertices from k on. Behind the last vertex of a chain there is room for that. */
TSR_FN void tsr_sight_make(tsr_sight *sight, const tsr_cone *cone, const tsr_chain *chain,
                           int64_t k) {
  const double *vx = chain->v + k, *vy = vx + chain->room, *vz = vy + chain->room;
  const double *reach = vz + chain->room;
  const double *a = cone->across[0], *b = cone->across[1], *w = cone->axis;
  const double fx = cone->from[0], fy = cone->from[1], fz = cone->from[2];
  double near[TSR_LANES], side[TSR_SLABS][TSR_LANES], before2[TSR_LANES], over[TSR_LANES];
  for (int l = 0; l < TSR_LANES; ++l) {
    const double qx = vx[l] - fx, qy = vy[l] - fy, qz = vz[l] - fz;
    const double x = (qx * a[0] + qy * a[1]) + qz * a[2];
    const double y = (qx * b[0] + qy * b[1]) + qz * b[2];
    const double ahead = (qx * w[0] + qy * w[1]) + qz * w[2];
    near[l] = TSR_CONE_FAR * reach[l] - ahead;
    sight->ahead[l] = ahead;
    sight->over[l] = 1.0 / ahead;
    side[0][l] = x;
    side[1][l] = 0.70710678118654752 * (x + y);
    side[2][l] = y;
    side[3][l] = 0.70710678118654752 * (y - x);
  }
  if (tsr_lanes_most(near) < 0.0) {
    for (int m = 0; m < TSR_SLABS; ++m)
      tsr_sight_far(sight, m, side[m], reach);
    return;
  }
  for (int l = 0; l < TSR_LANES; ++l) {
    const double reach2 = reach[l] * reach[l], some = 1e-9 * reach2 + 1e-300;
    const double least = sight->ahead[l] * sight->ahead[l] - reach2;
    before2[l] = fabs(least) < some ? some : least;
    over[l] = 1.0 / before2[l];
  }
  for (int m = 0; m < TSR_SLABS; ++m)
    tsr_sight_near(sight, m, side[m], reach, before2, over);
}

/** 1 if vertex l of those in sight lies in the cone. */
TSR_FN int tsr_sight_inside(const tsr_sight *sight, const tsr_slabs *slabs, int l) {
  int inside = 1;
  for (int m = 0; m < TSR_SLABS; ++m)
    inside &= (sight->at[m][l] >= slabs->lo[m]) & (sight->at[m][l] <= slabs->hi[m]);
  return inside;
}

/** By how much each vertex in sight lies outside of the cone. */
TSR_FN void tsr_sight_outside(const tsr_sight *sight, const tsr_slabs *slabs,
                              double outside[TSR_LANES]) {
  for (int l = 0; l < TSR_LANES; ++l)
    outside[l] = -1e300;
  for (int m = 0; m < TSR_SLABS; ++m)
    for (int l = 0; l < TSR_LANES; ++l) {
      const double below = slabs->lo[m] - sight->at[m][l], above = sight->at[m][l] - slabs->hi[m];
      const double off = below > above ? below : above;
      outside[l] = off > outside[l] ? off : outside[l];
    }
}

/** Narrows the cone to vertex l of those in sight, which is vertex k. 0: nothing is left of it. */
TSR_FN int tsr_slabs_narrow(tsr_slabs *slabs, const tsr_sight *sight, int l, double reach) {
  int open = sight->ahead[l] > -reach;
  for (int m = 0; m < TSR_SLABS; ++m) {
    const double low = sight->low[m][l], high = sight->high[m][l];
    slabs->lo[m] = low > slabs->lo[m] ? low : slabs->lo[m];
    slabs->hi[m] = high < slabs->hi[m] ? high : slabs->hi[m];
    open &= slabs->lo[m] <= slabs->hi[m];
  }
  return open;
}

/** Narrows the cone to all vertices in sight at once. 0, and it is as it was: nothing would be left
 *  of it, or a vertex is behind or has to stay. */
TSR_FN int tsr_slabs_narrow_all(tsr_slabs *slabs, const tsr_sight *sight, const double *reach) {
  double lo[TSR_SLABS], hi[TSR_SLABS], behind[TSR_LANES];
  for (int l = 0; l < TSR_LANES; ++l)
    behind[l] = reach[l] < 0.0 ? 1.0 : -reach[l] - sight->ahead[l];
  if (!(tsr_lanes_most(behind) < 0.0))
    return 0;
  for (int m = 0; m < TSR_SLABS; ++m) {
    double high[TSR_LANES], most;
    for (int l = 0; l < TSR_LANES; ++l)
      high[l] = -sight->high[m][l];
    most = tsr_lanes_most(sight->low[m]);
    lo[m] = most > slabs->lo[m] ? most : slabs->lo[m];
    most = -tsr_lanes_most(high);
    hi[m] = most < slabs->hi[m] ? most : slabs->hi[m];
    if (!(lo[m] <= hi[m]))
      return 0;
  }
  for (int m = 0; m < TSR_SLABS; ++m) {
    slabs->lo[m] = lo[m];
    slabs->hi[m] = hi[m];
  }
  return 1;
}

#endif
