/* SPDX-License-Identifier: BSD-3-Clause */
/** The region of interest: a box in space becomes one in index space, that of the cells that it
 *  touches. */
#include "grid/partition/box.h"

#include "common/common_math.h"

#include <string.h>

double tsr_grid_coordinate(const tsr_grid_view *view, const double *const axes[3], int axis,
                           int64_t index) {
  return view->geometry == TSR_GEOMETRY_RECTILINEAR
             ? axes[axis][index - view->whole[2 * axis]]
             : view->origin[axis] + (double)index * view->spacing[axis];
}

int tsr_grid_is_axis_aligned(const tsr_grid_view *view) {
  int identity = 1;
  for (int k = 0; k < 9; ++k)
    identity = identity && view->direction[k] == (k % 4 == 0 ? 1.0 : 0.0);
  return view->geometry == TSR_GEOMETRY_RECTILINEAR ||
         (view->geometry == TSR_GEOMETRY_UNIFORM && identity);
}

static double least(double a, double b) { return b < a ? b : a; }

static double most(double a, double b) { return b > a ? b : a; }

/* Does [low, high] reach into [a, b]? A plane and a flat cell do where they touch. */
static int reaches(double low, double high, double a, double b) {
  return low < high && a < b ? a < high && b > low : low <= high && a <= high && b >= low;
}

/* Widens {-least, largest} to hold a value. */
static void widen(double range[2], double value) {
  range[0] = most(range[0], -value);
  range[1] = most(range[1], value);
}

/* What of the extent lies in [low, high] along an axis of straight coordinates, parts of cells as
 * fractions. */
static void along_axis(const tsr_grid_view *view, const double *const axes[3], int axis, double low,
                       double high, double range[2]) {
  const int64_t first = view->extent[2 * axis], last = view->extent[2 * axis + 1];
  for (int64_t i = first; i < (last > first ? last : first + 1); ++i) {
    const double a = tsr_grid_coordinate(view, axes, axis, i);
    const double b = i < last ? tsr_grid_coordinate(view, axes, axis, i + 1) : a;
    const double begin = most(low, least(a, b)), end = least(high, most(a, b));
    if (!reaches(low, high, least(a, b), most(a, b)))
      continue;
    widen(range, (double)i + (a != b ? (begin - a) / (b - a) : 0.0));
    widen(range, (double)i + (a != b ? (end - a) / (b - a) : 0.0));
    if (a == b && i < last) /* a flat cell */
      widen(range, (double)(i + 1));
  }
}

/* Where a point of the extent lies, of any geometry but RECTILINEAR. */
static void point_at(const tsr_grid_view *view, const int64_t index[3], double x[3]) {
  const int64_t *e = view->extent;
  const int64_t at =
      ((index[2] - e[4]) * (e[3] - e[2] + 1) + (index[1] - e[2])) * (e[1] - e[0] + 1) +
      (index[0] - e[0]);
  for (int c = 0; c < 3; ++c) {
    const double *d = view->direction + 3 * c, *s = view->spacing;
    x[c] = view->geometry == TSR_GEOMETRY_POINTS
               ? tsr_load(&view->points, 3 * at + c)
               : d[0] * s[0] * (double)index[0] + d[1] * s[1] * (double)index[1] +
                     d[2] * s[2] * (double)index[2] + view->origin[c];
  }
}

/* Lowest and highest place of the corners of an input cell. */
static void cell_bounds(const tsr_grid_view *view, const int64_t cell[3], double low[3],
                        double high[3]) {
  for (int a = 0; a < 3; ++a) {
    low[a] = INFINITY;
    high[a] = -INFINITY;
  }
  for (int corner = 0; corner < 8; ++corner) {
    int64_t at[3];
    double x[3];
    for (int a = 0; a < 3; ++a) {
      const int64_t next = cell[a] + ((corner >> a) & 1), end = view->extent[2 * a + 1];
      at[a] = next < end ? next : end;
    }
    point_at(view, at, x);
    for (int a = 0; a < 3; ++a) {
      low[a] = least(low[a], x[a]);
      high[a] = most(high[a], x[a]);
    }
  }
}

static void touch_cell(const tsr_grid_view *view, const int64_t cell[3], const double region[6],
                       double corners[6]) {
  double low[3], high[3];
  int inside = 1;
  cell_bounds(view, cell, low, high);
  for (int a = 0; a < 3; ++a)
    inside = inside && reaches(region[2 * a], region[2 * a + 1], low[a], high[a]);
  for (int a = 0; inside && a < 3; ++a) {
    const int64_t end = view->extent[2 * a + 1];
    widen(corners + 2 * a, (double)cell[a]);
    widen(corners + 2 * a, (double)(cell[a] + 1 < end ? cell[a] + 1 : end));
  }
}

/* The cells of any other grid whose boxes in space the region reaches into. */
static void around_cells(const tsr_grid_view *view, const double region[6], double corners[6]) {
  const int64_t *e = view->extent;
  int64_t cell[3], end[3];
  for (int a = 0; a < 3; ++a)
    end[a] = e[2 * a + 1] > e[2 * a] ? e[2 * a + 1] : e[2 * a] + 1;
  for (cell[2] = e[4]; cell[2] < end[2]; ++cell[2])
    for (cell[1] = e[2]; cell[1] < end[1]; ++cell[1])
      for (cell[0] = e[0]; cell[0] < end[0]; ++cell[0])
        touch_cell(view, cell, region, corners);
}

/* Are there as many points as the extent has? The plan says so where there are not. */
static int has_points(const tsr_grid_view *view) {
  tsr_grid_box extent;
  memcpy(extent.at, view->extent, sizeof extent.at);
  return !tsr_grid_box_is_empty(&extent) &&
         (view->geometry != TSR_GEOMETRY_POINTS ||
          (view->points.data && view->points.tuples >= tsr_grid_box_values(&extent, 0)));
}

int tsr_grid_region_is_set(const double region[6]) {
  int set = 0;
  for (int k = 0; k < 6; ++k)
    set = set || region[k] != (k % 2 ? -1.0 : 1.0);
  return set;
}

void tsr_grid_region(const tsr_grid_view *view, const double *const axes[3], const double region[6],
                     double corners[6]) {
  static const double all[6] = {-INFINITY, INFINITY, -INFINITY, INFINITY, -INFINITY, INFINITY};
  int some = has_points(view);
  if (!tsr_grid_region_is_set(region))
    region = all;
  for (int k = 0; k < 6; ++k)
    corners[k] = -INFINITY;
  if (some && !tsr_grid_is_axis_aligned(view))
    around_cells(view, region, corners);
  for (int a = 0; a < 3 && some && tsr_grid_is_axis_aligned(view); ++a)
    along_axis(view, axes, a, region[2 * a], region[2 * a + 1], corners + 2 * a);
  for (int a = 0; a < 3; ++a) /* beside the region along one axis is outside of it */
    some = some && corners[2 * a + 1] > -INFINITY;
  for (int k = 0; k < 6 && !some; ++k)
    corners[k] = -INFINITY;
}
