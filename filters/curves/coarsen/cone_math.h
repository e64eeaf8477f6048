/* SPDX-License-Identifier: BSD-3-Clause */
/** Coarsening: the directions from a vertex that pass all vertices after it within their reach. */
#ifndef TSR_CONE_MATH_H
#define TSR_CONE_MATH_H

#include "common/four_math.h"
#include "curves/coarsen/chain_math.h"

/** Slabs of a cone, and the values whose slopes are followed beside it; others are only checked. */
#define TSR_CONE_FAR 3.0F /* so many times its reach ahead, a vertex is well outside */
#define TSR_AXIS_FAR 6.0  /* and so many times away, it says where the curve goes */
#define TSR_SLOPES 24
#define TSR_CONE_ANY 1e30F /* beyond all slopes */

/** Of what directions go across while they go one step along the axis, a range in each slab. In
 *  single precision, of which a processor takes four side by side: a cone says what to try, and the
 *  check of the segment decides. */
typedef struct tsr_slabs {
  tsr_four lo, hi;
} tsr_slabs;

/** The directions that a walk may still take: those with a step `ahead` along the axis, and of what
 *  they go across meanwhile, a range in each slab. */
typedef struct tsr_cone {
  double from[3];     /**< the first vertex */
  double frame[3][3]; /**< the axis, and two across it: each 1 over the tolerance long */
  double scale;       /**< 1 over the tolerance */
  tsr_slabs slabs;
  double slope_lo[TSR_SLOPES], slope_hi[TSR_SLOPES];
  int64_t i; /**< the vertex that it begins at */
  int n_slopes;
} tsr_cone;

/** The frame of an axis: two vectors across it, as Duff and others have them (2017), with no root
 *  and no case apart. */
TSR_FN void tsr_cone_frame(tsr_cone *cone, const double w[3]) {
  const double sign = w[2] < 0.0 ? -1.0 : 1.0, over = -1.0 / (sign + w[2]);
  const double scale = cone->scale, both = w[0] * w[1] * over;
  double *axis = cone->frame[0], *a = cone->frame[1], *b = cone->frame[2];
  for (int c = 0; c < 3; ++c)
    axis[c] = scale * w[c];
  a[0] = scale * (1.0 + sign * (w[0] * w[0]) * over);
  a[1] = scale * (sign * both);
  a[2] = scale * (-sign * w[0]);
  b[0] = scale * both;
  b[1] = scale * (sign + (w[1] * w[1]) * over);
  b[2] = scale * -w[1];
}

/** The cone at vertex i, with its axis to a vertex that is far outside of its own reach: the first
 *  one from *far on, which it becomes, and not behind `end`. */
TSR_FN void tsr_cone_start(tsr_cone *cone, const tsr_chain *chain, int64_t i, int64_t end,
                           int64_t *far) {
  const double *reach = tsr_chain_plane(chain, TSR_PLANE_REACH);
  int64_t k = *far > i ? *far : i + 1;
  double w[3], size2, over;
  for (;; ++k) {
    size2 = tsr_chain_leg(chain, i, k, w);
    if (k >= end || reach[k] < 0.0 || size2 > TSR_AXIS_FAR * TSR_AXIS_FAR * reach[k] * reach[k])
      break;
  }
  *far = k;
  over = size2 > 0.0 ? 1.0 / sqrt(size2) : 0.0;
  for (int c = 0; c < 3; ++c) {
    w[c] = size2 > 0.0 ? w[c] * over : (double)(c == 0);
    cone->from[c] = chain->v[c * chain->room + i];
  }
  cone->scale = chain->tolerance > 1e-300 ? 1.0 / chain->tolerance : 1.0;
  tsr_cone_frame(cone, w);
  cone->slabs.lo = tsr_four_all(-TSR_CONE_ANY);
  cone->slabs.hi = tsr_four_all(TSR_CONE_ANY);
  cone->i = i;
  cone->n_slopes = chain->n_values < TSR_SLOPES ? chain->n_values : TSR_SLOPES;
  for (int f = 0; f < cone->n_slopes; ++f) {
    cone->slope_lo[f] = -1e300;
    cone->slope_hi[f] = 1e300;
  }
}

/** 1 if some value has no slope from vertex i that suits both vertices after it, which are p and q
 *  away. Along a segment that may stand for them, a vertex is matched at most its reach nearer than
 *  it is, and not farther. */
TSR_FN int tsr_cone_slopes_shut(const tsr_chain *chain, int64_t i, double p, double q) {
  const double *reach = tsr_chain_plane(chain, TSR_PLANE_REACH) + i + 1;
  const double *share = tsr_chain_plane(chain, TSR_PLANE_SHARE) + i + 1;
  const double *v = tsr_chain_plane(chain, TSR_PLANE_VALUES) + i;
  const double far[2] = {p, q};
  double near[2], off[2];
  int shut = 0;
  for (int k = 0; k < 2; ++k) {
    near[k] = reach[k] > 0.0 ? far[k] - reach[k] : far[k];
    near[k] = near[k] > 0.0 ? near[k] : 0.0;
    off[k] = share[k] > 0.0 ? share[k] : 0.0;
  }
  for (int f = 0; f < chain->n_values; ++f, v += chain->room)
    for (int k = 0; k < 2; ++k) { /* the least slope to one, and the greatest to the other */
      const double low = (v[1 + k] - v[0]) - off[k], high = (v[2 - k] - v[0]) + off[1 - k];
      const double low_at = low > 0.0 ? far[k] : near[k];
      const double high_at = high > 0.0 ? near[1 - k] : far[1 - k];
      shut |= low * high_at > high * low_at;
    }
  return shut;
}

/** 1 if no segment from i passes vertex i + 1, because that is a corner, of the curve (the sum of
 * the angles that the two vertices after i allow is less than the angle between them) or of a
 * value. A few products, where a cone would tell the same. */
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
  if (along < 0.0 && a + b < pp * qq)
    return 1;
  cross[0] = p[1] * q[2] - p[2] * q[1];
  cross[1] = p[2] * q[0] - p[0] * q[2];
  cross[2] = p[0] * q[1] - p[1] * q[0];
  across2 = (cross[0] * cross[0] + cross[1] * cross[1]) + cross[2] * cross[2];
  if (along >= 0.0 && across2 > (a + b) + 2.0 * sqrt(a * b))
    return 1;
  return chain->n_values > 0 && pp > reach[1] * reach[1] &&
         tsr_cone_slopes_shut(chain, i, sqrt(pp), sqrt(qq));
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

/** What is seen of a vertex from the cone's point: where it lies, and in each slab the bounds of
 * the directions that pass it within its reach. */
typedef struct tsr_sight {
  double along;       /**< how far along the axis, in tolerances */
  float ahead, reach; /**< the same, and its reach */
  tsr_four at;        /**< the slopes to the vertex; beyond any where it is behind */
  tsr_four low, high;
} tsr_sight;

/** Bounds where the vertex is anywhere. The tangents to a disc from 0 0 have the slopes
 *  (side ahead -+ reach rest) / (ahead^2 - reach^2), rest^2 = ahead^2 + side^2 - reach^2. Where the
 *  disc is beside 0 0, one of them bounds nothing, and where 0 0 lies in it, there are none. */
TSR_FN void tsr_sight_near(tsr_sight *sight, tsr_four side) {
  const tsr_four none = tsr_four_all(0.0F), any = tsr_four_all(TSR_CONE_ANY);
  const float ahead = sight->ahead, reach = sight->reach, reach2 = reach * reach;
  const float some = 1e-6F * reach2 + 1e-30F, least = ahead * ahead - reach2;
  const float before2 = fabsf(least) < some ? some : least, over = 1.0F / before2;
  const tsr_four before = tsr_four_all(before2 > 0.0F ? TSR_CONE_ANY : 0.0F);
  const tsr_four rest2 = tsr_four_add(tsr_four_all(before2), tsr_four_times(side, side));
  const tsr_four root = tsr_four_root(tsr_four_most(rest2, none));
  const tsr_four half = tsr_four_times(root, tsr_four_all(reach * over));
  const tsr_four middle = tsr_four_times(side, tsr_four_all(ahead * over));
  const tsr_four beside = tsr_four_pick(rest2, side, none);
  sight->at = ahead > 0.0F ? tsr_four_times(side, tsr_four_all(1.0F / ahead))
                           : tsr_four_all(2.0F * TSR_CONE_ANY);
  sight->low = tsr_four_pick(tsr_four_add(before, beside), tsr_four_less(middle, half),
                             tsr_four_less(none, any));
  sight->high = tsr_four_pick(tsr_four_less(before, beside), tsr_four_add(middle, half), any);
}

/** Looks at vertex k. */
TSR_FN void tsr_sight_make(tsr_sight *sight, const tsr_cone *cone, const tsr_chain *chain,
                           int64_t k) {
  const double *v = chain->v + k;
  const double x = v[0] - cone->from[0], y = v[chain->room] - cone->from[1];
  const double z = v[2 * chain->room] - cone->from[2];
  const double *w = cone->frame[0], *a = cone->frame[1], *b = cone->frame[2];
  const float p = (float)((x * a[0] + y * a[1]) + z * a[2]);
  const float q = (float)((x * b[0] + y * b[1]) + z * b[2]);
  const tsr_four side = tsr_four_of(p, 0.707106781F * (p + q), q, 0.707106781F * (q - p));
  sight->along = (x * w[0] + y * w[1]) + z * w[2];
  sight->ahead = (float)sight->along;
  sight->reach = (float)(v[TSR_PLANE_REACH * chain->room] * cone->scale);
  if (sight->ahead > TSR_CONE_FAR * sight->reach) { /* the disc is across the way to it */
    const float over = 1.0F / sight->ahead;
    const tsr_four at = tsr_four_times(side, tsr_four_all(over));
    const tsr_four tilt = tsr_four_times(tsr_four_all(0.5F), tsr_four_times(at, at));
    const tsr_four wide =
        tsr_four_times(tsr_four_add(tsr_four_all(1.0F), tilt), tsr_four_all(over * sight->reach));
    sight->at = at;
    sight->low = tsr_four_less(sight->at, wide);
    sight->high = tsr_four_add(sight->at, wide);
  } else {
    tsr_sight_near(sight, side);
  }
}

/** 1 if the vertex in sight lies in the cone. */
TSR_FN int tsr_sight_inside(const tsr_sight *sight, const tsr_slabs *slabs) {
  return tsr_four_ordered(slabs->lo, sight->at) & tsr_four_ordered(sight->at, slabs->hi);
}

/** Narrows the cone to the vertex in sight. 0: nothing is left of it. */
TSR_FN int tsr_slabs_narrow(tsr_slabs *slabs, const tsr_sight *sight) {
  slabs->lo = tsr_four_most(sight->low, slabs->lo);
  slabs->hi = tsr_four_least(sight->high, slabs->hi);
  return sight->ahead > -sight->reach && tsr_four_ordered(slabs->lo, slabs->hi);
}

/** Looks at vertex k; *inside: it lies in the cone. Narrows `slabs`, which are the cone's, and
 *  returns 1 if there is something to see beyond. */
TSR_FN int tsr_cone_see(tsr_cone *cone, tsr_slabs *slabs, const tsr_chain *chain, int64_t k,
                        int *inside) {
  tsr_sight sight;
  int open;
  tsr_sight_make(&sight, cone, chain, k);
  *inside = tsr_sight_inside(&sight, slabs);
  open = tsr_slabs_narrow(slabs, &sight);
  if (cone->n_slopes > 0 && sight.along > 0.0)
    *inside &= tsr_cone_slopes(cone, chain, k, 1.0 / sight.along, &open);
  return open && !(sight.reach < 0.0F);
}

#endif
