/* SPDX-License-Identifier: BSD-3-Clause */
/** Where the parts of a grid lie. Each process may work that out by itself, so that rounding
 *  differs; parts that differ by more would be moved in silence. */
#include "grid/partition/place.h"

#include "common/common_math.h"
#include "grid/partition/box.h"

#include <stdlib.h>
#include <string.h>

static const char NAMES[] = "xyz";

/* Of a cell: what rounding may move a point by. */
static const double TOLERANCE = 1e-6;

/* Of the members of a direction. */
static const double TURNED = 1e-9;

/* Equal, both not a number, or closer than the tolerance. */
static int is_close(double a, double b, double tolerance) {
  return a == b || (a != a && b != b) || fabs(a - b) <= tolerance;
}

tsr_status tsr_grid_check_part(const tsr_grid_view *view, tsr_error *error) {
  if (tsr_need(view != NULL, "the view", error))
    return TSR_BAD_INPUT;
  int64_t counts[3];
  int nothing = 1, empty = 0;
  double points = 1.0;
  for (int a = 0; a < 3; ++a) {
    counts[a] = view->extent[2 * a + 1] - view->extent[2 * a] + 1;
    nothing = nothing && counts[a] < 1;
    empty = empty || counts[a] < 1;
    points *= (double)counts[a];
  }
  for (int a = 0; a < 3 && !nothing; ++a)
    if (counts[a] < 0)
      return tsr_fail(error, TSR_BAD_INPUT, -1,
                      "the extent along %c runs backwards, from %lld to %lld", NAMES[a],
                      (long long)view->extent[2 * a], (long long)view->extent[2 * a + 1]);
  if (empty)
    return TSR_OK;
  if (points > 9e18)
    return tsr_fail(error, TSR_BAD_INPUT, -1, "the extent has more points than 64 bits can count");
  for (int a = 0; a < 3 && view->geometry == TSR_GEOMETRY_RECTILINEAR; ++a)
    if (view->coordinates[a].tuples != counts[a])
      return tsr_fail(error, TSR_BAD_INPUT, -1,
                      "there are %lld coordinates along %c for %lld points",
                      (long long)view->coordinates[a].tuples, NAMES[a], (long long)counts[a]);
  return TSR_OK;
}

/* Do this process's n coordinates, from index `first` on, agree with those of all? */
static tsr_status check_axis(const double *mine, const double *agreed, int64_t n, int axis,
                             int64_t first, tsr_error *error) {
  for (int64_t i = 0; i < n; ++i) {
    const int64_t other = i > 0 ? i - 1 : (n > 1 ? 1 : 0);
    if (!is_close(mine[i], agreed[i], TOLERANCE * fabs(mine[i] - mine[other])))
      return tsr_fail(error, TSR_BAD_INPUT, -1,
                      "the coordinate along %c of index %lld is %.12g, but %.12g on another "
                      "process: parts of one grid have to agree",
                      NAMES[axis], (long long)(first + i), mine[i], agreed[i]);
  }
  return TSR_OK;
}

/* The coordinates of a process are those of its box; the largest of all that know one stands. */
static void join_axis(const tsr_processes *processes, const tsr_grid_shares *shares, int axis,
                      const double *gathered, double *all) {
  const int64_t n = tsr_box_points(&shares->whole, axis);
  for (int64_t i = 0; i < n; ++i)
    all[i] = -INFINITY;
  for (int k = 0; k < processes->n; ++k) {
    const tsr_grid_box *held = &shares->held[k];
    double *to = all + (held->at[2 * axis] - shares->whole.at[2 * axis]);
    for (int64_t i = 0; i < tsr_box_points(held, axis) && !tsr_grid_box_is_empty(held); ++i) {
      to[i] = to[i] >= *gathered ? to[i] : *gathered; /* one that is no number is told of as well */
      ++gathered;
    }
  }
}

static tsr_status share_axis(const tsr_grid_view *view, const tsr_processes *processes,
                             tsr_grid_shares *shares, int axis, tsr_error *error) {
  const tsr_grid_box *held = &shares->held[processes->rank];
  const tsr_array *from = &view->coordinates[axis];
  const int64_t n = tsr_grid_box_is_empty(held) ? 0 : tsr_box_points(held, axis);
  int64_t total;
  void *gathered;
  tsr_status status;
  double *mine = tsr_alloc(n, sizeof *mine, "the coordinates of the grid", error);
  double *all = tsr_alloc(tsr_box_points(&shares->whole, axis), sizeof *all,
                          "the coordinates of the grid", error);
  shares->axes[axis] = all;
  for (int64_t i = 0; mine && i < n; ++i)
    mine[i] = tsr_load(from, i * from->components);
  status = tsr_processes_gather_bytes(processes, mine && all ? TSR_OK : TSR_NO_MEMORY, mine,
                                      n * (int64_t)sizeof *mine, &gathered, NULL, &total, error);
  if (status == TSR_OK) {
    join_axis(processes, shares, axis, gathered, all);
    if (n > 0)
      status = check_axis(mine, all + (held->at[2 * axis] - shares->whole.at[2 * axis]), n, axis,
                          held->at[2 * axis], error);
    status = tsr_processes_agree(processes, status, error);
  }
  free(mine);
  free(gathered);
  return status;
}

tsr_status tsr_share_axes(const tsr_grid_view *view, const tsr_processes *processes,
                          tsr_grid_shares *shares, tsr_error *error) {
  tsr_status status = TSR_OK;
  for (int a = 0; a < 3 && status == TSR_OK && shares->geometry == TSR_GEOMETRY_RECTILINEAR; ++a)
    status = share_axis(view, processes, shares, a, error);
  return status;
}

tsr_status tsr_check_place(const tsr_place *mine, const tsr_grid_box *held,
                           const tsr_grid_shares *shares, tsr_error *error) {
  const double *o = mine->origin, *s = mine->spacing;
  int close = 1;
  if (shares->geometry != TSR_GEOMETRY_UNIFORM || tsr_grid_box_is_empty(held))
    return TSR_OK;
  for (int a = 0; a < 3; ++a) {
    const double tolerance = TOLERANCE * fabs(shares->spacing[a]);
    const double low = fabs((double)held->at[2 * a]), high = fabs((double)held->at[2 * a + 1]);
    double farthest = low > high ? low : high;
    farthest = farthest > 1.0 ? farthest : 1.0;
    close = close && is_close(o[a], shares->origin[a], tolerance) &&
            is_close(s[a], shares->spacing[a], tolerance / farthest);
  }
  for (int k = 0; k < 9; ++k)
    close = close && is_close(mine->direction[k], shares->direction[k], TURNED);
  if (close)
    return TSR_OK;
  return tsr_fail(error, TSR_BAD_INPUT, -1,
                  "the part of the image has the origin %.12g %.12g %.12g and the spacing %.12g "
                  "%.12g %.12g, but on process %d the origin %.12g %.12g %.12g and the spacing "
                  "%.12g %.12g %.12g, or another direction: parts of one image have to agree",
                  o[0], o[1], o[2], s[0], s[1], s[2], shares->teller, shares->origin[0],
                  shares->origin[1], shares->origin[2], shares->spacing[0], shares->spacing[1],
                  shares->spacing[2]);
}
