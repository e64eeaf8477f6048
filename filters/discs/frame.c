/* SPDX-License-Identifier: BSD-3-Clause */
/** Disc images: where the discs are, an image that holds a box, and the table of a colour map. */
#include "discs/plan.h"

#include <string.h>

/* right, up and depth, which points at the viewer. */
static void axes_of(const tsr_discs_options *o, double axes[3][3]) {
  memcpy(axes[0], o->right, sizeof axes[0]);
  memcpy(axes[1], o->up, sizeof axes[1]);
  for (int a = 0; a < 3; ++a) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    axes[2][a] = o->right[b] * o->up[c] - o->right[c] * o->up[b];
  }
}

/* Takes the disc into the box; margin: how far it reaches beyond its centre. */
static void widen(double low[3], double high[3], const double at[3], double margin) {
  for (int a = 0; a < 3; ++a) {
    const double m = a < 2 ? margin : 0.0;
    low[a] = at[a] - m < low[a] ? at[a] - m : low[a];
    high[a] = at[a] + m > high[a] ? at[a] + m : high[a];
  }
}

tsr_status tsr_discs_bounds(const tsr_discs_view *from, const tsr_discs_options *options,
                            double low[3], double high[3], tsr_error *error) {
  if (tsr_need(low && high, "the place for the bounds", error))
    return TSR_BAD_INPUT;
  static const double origin[3] = {0.0, 0.0, 0.0};
  tsr_discs_plan plan;
  double axes[3][3];
  const tsr_discs_view *view = &plan.view;
  tsr_status status = tsr_discs_check(&plan, from, options, error);
  if (status != TSR_OK)
    return status;
  axes_of(&plan.options, axes);
  for (int a = 0; a < 3; ++a) {
    low[a] = 1e300;
    high[a] = -1e300;
  }
  for (int64_t i = 0; i < view->points.tuples; ++i) {
    double p[3], at[3], radius = plan.options.radius;
    for (int a = 0; a < 3; ++a)
      p[a] = tsr_load(&view->points, 3 * i + a);
    if (view->radii.tuples > 0)
      radius *= tsr_load(&view->radii, i);
    if (!tsr_usable(p[0]) || !tsr_usable(p[1]) || !tsr_usable(p[2]) ||
        !(radius >= 0.0 && tsr_usable(radius)))
      continue;
    for (int a = 0; a < 3; ++a)
      at[a] = tsr_disc_along(p, origin, axes[a]);
    widen(low, high, at, plan.options.radius_in_pixels ? 0.0 : radius);
  }
  return TSR_OK;
}

void tsr_discs_frame(const double low[3], const double high[3], tsr_discs_options *o) {
  double axes[3][3], corner[3], size;
  const double width = high[0] - low[0], height = high[1] - low[1];
  axes_of(o, axes);
  size = width / o->width > height / o->height ? width / o->width : height / o->height;
  if (!(size >= 1e-30 && size <= 1e30))
    size = 1.0;
  o->pixel_size = size;
  corner[0] = 0.5 * (low[0] + high[0] - size * o->width);
  corner[1] = 0.5 * (low[1] + high[1] - size * o->height);
  corner[2] = 0.5 * (low[2] + high[2]);
  for (int a = 0; a < 3; ++a) {
    o->corner[a] = 0.0;
    for (int b = 0; b < 3 && low[b] <= high[b]; ++b)
      o->corner[a] += axes[b][a] * corner[b];
  }
}

tsr_status tsr_discs_color_table(const double *map, int points, double *table, int entries,
                                 tsr_error *error) {
  if (tsr_need((map || points < 1) && (table || entries < 1), "the color map or the table", error))
    return TSR_BAD_INPUT;
  int k = 0;
  for (int i = 0; i < points; ++i)
    if (!tsr_usable(map[4 * i]) || (i > 0 && !(map[4 * i] >= map[4 * i - 4])))
      return tsr_fail(error, TSR_BAD_OPTION, i,
                      "the color map's values must be finite and rise, but that of point %d does "
                      "not",
                      i);
  if (points < 1)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "the color map has no points");
  for (int e = 0; e < entries; ++e) {
    const double first = map[0], last = map[4 * (points - 1)];
    const double x = first + (last - first) * (((double)e + 0.5) / (double)entries);
    const double *a, *b;
    double t;
    while (k + 2 < points && map[4 * (k + 1)] <= x)
      ++k;
    a = map + 4 * k;
    b = k + 1 < points ? a + 4 : a;
    t = b[0] > a[0] ? tsr_disc_clamp((x - a[0]) / (b[0] - a[0]), 0.0, 1.0) : 0.0;
    for (int c = 1; c <= 3; ++c)
      table[3 * e + c - 1] = a[c] + (b[c] - a[c]) * t;
  }
  return TSR_OK;
}
