/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Coarsening on the CPU: vertices from which a segment can end at the next vertex only.
 *
 * From most vertices of a curve that is sampled as coarsely as its criteria allow, the cone of
 * cone_math.h has closed at the second vertex after it, and no segment may end there. This is found
 * here for many vertices side by side, without roots and quotients: with a and b the vectors to the
 * two vertices, and w the one that the cone's axis is along, the places along the axis are a.w and
 * b.w, times the same factor.
 */
#include "curves/coarsen/lone.h"
#include "curves/coarsen/cone_math.h"
#include "curves/sampling/vectors.h"

#define TSR_LONE_BLOCK 64 /* vertices that are looked at together */

/* The axis is sought among so many vertices. With 8, all were found of polylines whose segments are
 * as long as the chord error. */
#define TSR_LONE_AHEAD 8

/* Least share of a distance from the axis that one of the cone's four sides sees: the cosine of
 * 22.5 degrees; squared. */
#define TSR_LONE_SIDES 0.8535

/* Shares by which a vertex must be farther off than the cone is wide, of values, and of squared
 * distances: thousands of times what rounding takes of either, here and in the cone. */
#define TSR_LONE_VALUE_ROUNDED 1e-9
#define TSR_LONE_PLACE_ROUNDED 1e-12

/* Squared lengths in which no product here leaves the range of a double, and the least squared
 * cosine of an angle with the axis, so that rounding matters little along it. */
#define TSR_LONE_LEAST 1e-50
#define TSR_LONE_MOST 1e50
#define TSR_LONE_COSINE2 1e-6

typedef double tsr_lone_row[TSR_LONE_BLOCK];

/* What is known of the vertices of a block. */
typedef struct tsr_lone_rows {
  tsr_lone_row w[3], ww;   /* along the axis, not a unit vector, and its squared length */
  tsr_lone_row near, next; /* places of the next vertex along the axis, and of the one after it */
  tsr_lone_row may;        /* 1: the comparisons hold here; else 0 */
  tsr_lone_row lone;       /* 1: a lone vertex for certain; else 0 */
} tsr_lone_rows;

/* Looks whether the axes that are not found yet go to the k-th vertex from theirs: tsr_cone_start.
 * Returns how many are found. */
static inline int seek_axes(const tsr_chain *chain, int64_t first, int n, int k,
                            tsr_lone_rows *restrict rows) {
  const double *x = tsr_chain_plane(chain, 0) + first, *y = tsr_chain_plane(chain, 1) + first;
  const double *z = tsr_chain_plane(chain, 2) + first;
  const double *reach = tsr_chain_plane(chain, TSR_PLANE_REACH) + first;
  const double longest2 = chain->length > 0.0 ? chain->length * chain->length : INFINITY;
  int found = 0;
  for (int l = 0; l < n; ++l) {
    const double wx = x[l + k] - x[l], wy = y[l + k] - y[l], wz = z[l + k] - z[l];
    const double ww = (wx * wx + wy * wy) + wz * wz, r = reach[l + k];
    const double before = rows->may[l], far = ww <= 4.0 * (r * r) ? before : 1.0;
    const double ends = ww > longest2 ? 1.0 : far;
    const double now = r < 0.0 ? 1.0 : ends; /* 1: it is found, now or before */
    rows->w[0][l] = now > before ? wx : rows->w[0][l];
    rows->w[1][l] = now > before ? wy : rows->w[1][l];
    rows->w[2][l] = now > before ? wz : rows->w[2][l];
    rows->ww[l] = now > before ? ww : rows->ww[l];
    rows->may[l] = now;
  }
  for (int l = 0; l < n; ++l)
    found += rows->may[l] > 0.0;
  return found;
}

/* Finds the axes of cones at the vertices first ... first + n. */
static inline void find_axes(const tsr_chain *chain, int64_t first, int n,
                             tsr_lone_rows *restrict rows) {
  int found = 0;
  for (int l = 0; l < n; ++l)
    rows->may[l] = rows->w[0][l] = rows->w[1][l] = rows->w[2][l] = rows->ww[l] = 0.0;
  for (int k = 1; k <= TSR_LONE_AHEAD && found < n; ++k) {
    const int64_t left = chain->last + 1 - k - first;
    found = left > 0 ? seek_axes(chain, first, left < n ? (int)left : n, k, rows) : n;
  }
}

/* Compares the places of the two vertices after each of them. */
static inline void look_at_places(const tsr_chain *chain, int64_t first, int n,
                                  tsr_lone_rows *restrict rows) {
  const double *x = tsr_chain_plane(chain, 0) + first, *y = tsr_chain_plane(chain, 1) + first;
  const double *z = tsr_chain_plane(chain, 2) + first;
  const double *reach = tsr_chain_plane(chain, TSR_PLANE_REACH) + first;
  for (int l = 0; l < n; ++l) {
    const double wx = rows->w[0][l], wy = rows->w[1][l], wz = rows->w[2][l], ww = rows->ww[l];
    const double ax = x[l + 1] - x[l], ay = y[l + 1] - y[l], az = z[l + 1] - z[l];
    const double bx = x[l + 2] - x[l], by = y[l + 2] - y[l], bz = z[l + 2] - z[l];
    const double aw = (ax * wx + ay * wy) + az * wz, bw = (bx * wx + by * wy) + bz * wz;
    const double aa = (ax * ax + ay * ay) + az * az, bb = (bx * bx + by * by) + bz * bz;
    const double dx = bx * aw - ax * bw, dy = by * aw - ay * bw, dz = bz * aw - az * bw;
    const double r1 = reach[l + 1], r2 = reach[l + 2] > 0.0 ? reach[l + 2] : 0.0;
    const double wide = r1 * bw + r2 * aw;
    const double most = (1.0 + TSR_LONE_VALUE_ROUNDED) * (wide * wide) +
                        TSR_LONE_PLACE_ROUNDED * (bb * (aw * aw) + aa * (bw * bw));
    const double off = TSR_LONE_SIDES * ((dx * dx + dy * dy) + dz * dz);
    const double ahead1 = aw * fabs(aw) > TSR_LONE_COSINE2 * (aa * ww) ? rows->may[l] : 0.0;
    const double ahead2 = bw * fabs(bw) > TSR_LONE_COSINE2 * (bb * ww) ? ahead1 : 0.0;
    const double large = aa > TSR_LONE_LEAST ? ahead2 : 0.0;
    const double may = (aa + bb) + ww < TSR_LONE_MOST ? large : 0.0;
    const double far = off > most ? may : 0.0;
    rows->near[l] = aw;
    rows->next[l] = bw;
    rows->may[l] = may;
    rows->lone[l] = r1 < 0.0 ? 1.0 : far;
  }
}

/* Looks at one value of these vertices. */
static inline void look_at_values(const tsr_chain *chain, int64_t first, int n, const double *v,
                                  tsr_lone_rows *restrict rows) {
  const double *share = tsr_chain_plane(chain, TSR_PLANE_SHARE) + first;
  v += first;
  for (int l = 0; l < n; ++l) {
    const double d1 = v[l + 1] - v[l], d2 = v[l + 2] - v[l];
    const double s1 = share[l + 1], s2 = share[l + 2] > 0.0 ? share[l + 2] : 0.0;
    const double near = rows->near[l], next = rows->next[l];
    const double off = fabs(d2 * near - d1 * next), wide = s1 * next + s2 * near;
    const double size = (fabs(d2) + s2) * near + (fabs(d1) + fabs(s1)) * next;
    const double most = wide + (TSR_LONE_VALUE_ROUNDED * size + 1e-200);
    const double lone = rows->lone[l], may = rows->may[l];
    const double then = lone > may ? lone : may;
    rows->lone[l] = off > most ? then : lone;
  }
}

static inline void find_lone(const tsr_chain *chain, uint8_t *lone) {
  const int n_values = chain->n_values < TSR_CONE_VALUES ? chain->n_values : TSR_CONE_VALUES;
  tsr_lone_rows rows;
  for (int64_t first = 0; first + 1 < chain->last; first += TSR_LONE_BLOCK) {
    const int64_t left = chain->last - 1 - first;
    const int n = left < TSR_LONE_BLOCK ? (int)left : TSR_LONE_BLOCK;
    find_axes(chain, first, n, &rows);
    look_at_places(chain, first, n, &rows);
    for (int f = 0; f < n_values; ++f)
      look_at_values(chain, first, n, tsr_chain_plane(chain, TSR_PLANE_VALUES + f), &rows);
    for (int l = 0; l < n; ++l)
      lone[first + l] = rows.lone[l] > 0.0;
  }
  lone[chain->last - 1] = 0;
}

static TSR_NARROW_CODE void lone_narrow(const tsr_chain *chain, uint8_t *lone) {
  find_lone(chain, lone);
}

#ifdef TSR_HAS_WIDE
static TSR_WIDE_CODE void lone_wide(const tsr_chain *chain, uint8_t *lone) {
  find_lone(chain, lone);
}
#else
#define lone_wide lone_narrow
#endif

void tsr_chain_find_lone(const tsr_chain *chain, int wide, uint8_t *lone) {
  if (wide)
    lone_wide(chain, lone);
  else
    lone_narrow(chain, lone);
}
