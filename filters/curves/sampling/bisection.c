/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Curves: nodes of a bisection that fail for certain.
 *
 * tsr_piece_fulfilled compares the chord error with a bound of the curve's distance from the node's
 * segment. So a node fails if one point of its curve, that in its middle, is farther from the line
 * through the node's ends. The points of all levels are shared: each is evaluated once.
 */
#include "curves/sampling/bisection.h"
#include "curves/sampling/vectors.h"

/* Shares of the chord error, and of the control points' coordinates, that a distance must be beyond
 * the chord error: thousands of times what rounding takes of a distance or a bound. */
#define TSR_SURELY_MORE (1.0 + 1e-9)
#define TSR_SURELY_ROUNDED 1e-12

/* Squares and products of coordinates up to the one and of distances from the other on stay away
 * from the limits of a double. */
#define TSR_SURELY_MOST 1e60
#define TSR_SURELY_LEAST 1e-60

#define TSR_CUBIC 3

typedef double tsr_places[(1 << TSR_LEVELS_BEFORE) + 1];

/* The span's points at the multiples of 1 / n. */
static inline void find_places(const tsr_net *restrict net, int n, tsr_places *restrict at) {
  const double step = 1.0 / (double)n;
  for (int k = 0; k <= n; ++k) {
    double b[TSR_CUBIC + 1];
    tsr_bernstein3((double)k * step, &b[0], &b[1], &b[2], &b[3]);
    at[0][k] = tsr_combine(TSR_CUBIC, b, net->x);
    at[1][k] = tsr_combine(TSR_CUBIC, b, net->y);
    at[2][k] = tsr_combine(TSR_CUBIC, b, net->z);
  }
}

/* Sets far to 1 for each node whose middle is farther than `most` from the line through its ends;
 * else to 0. at: every second place is an end of a node. */
static inline void find_far(const tsr_places *restrict at, int nodes, double most,
                            double *restrict far) {
  const double *x = at[0], *y = at[1], *z = at[2];
  for (int i = 0; i < nodes; ++i) {
    const int a = 2 * i, m = a + 1, b = a + 2;
    const double cx = x[b] - x[a], cy = y[b] - y[a], cz = z[b] - z[a];
    const double dx = x[m] - x[a], dy = y[m] - y[a], dz = z[m] - z[a];
    const double ux = cy * dz - cz * dy, uy = cz * dx - cx * dz, uz = cx * dy - cy * dx;
    const double area2 = (ux * ux + uy * uy) + uz * uz, length2 = (cx * cx + cy * cy) + cz * cz;
    far[i] = area2 > most * most * length2 ? 1.0 : 0.0;
  }
}

/* Leaves every second of the 2 n + 1 places out. */
static inline void halve_places(tsr_places *at, int n) {
  for (int c = 0; c < 3; ++c)
    for (int k = 1; k <= n; ++k)
      at[c][k] = at[c][2 * k];
}

static inline void find_failing(const tsr_span_case *it, int levels, uint64_t *fails) {
  const tsr_net *net = &it->net;
  double size = 0.0, most;
  tsr_places at[3], far;
  memset(fails, 0, (size_t)levels * sizeof *fails);
  for (int i = 0; i <= TSR_CUBIC; ++i)
    size += (fabs(net->x[i]) + fabs(net->y[i])) + fabs(net->z[i]);
  most = it->criteria->chord * TSR_SURELY_MORE + TSR_SURELY_ROUNDED * size;
  if (!(size < TSR_SURELY_MOST && most > TSR_SURELY_LEAST))
    return;
  find_places(net, 1 << levels, at);
  for (int level = levels - 1; level > 0; --level) {
    find_far((const tsr_places *)at, 1 << level, most, far);
    for (int i = 0; i < 1 << level; ++i)
      fails[level] |= (uint64_t)(far[i] > 0.0) << i;
    halve_places(at, 1 << level);
  }
}

static TSR_NARROW_CODE void failing_narrow(const tsr_span_case *it, int levels, uint64_t *fails) {
  find_failing(it, levels, fails);
}

#ifdef TSR_HAS_WIDE
static TSR_WIDE_CODE void failing_wide(const tsr_span_case *it, int levels, uint64_t *fails) {
  find_failing(it, levels, fails);
}
#else
#define failing_wide failing_narrow
#endif

void tsr_find_failing(const tsr_span_case *it, int levels, uint64_t *fails) {
  if (it->criteria->wide)
    failing_wide(it, levels, fails);
  else
    failing_narrow(it, levels, fails);
}
