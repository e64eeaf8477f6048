/* SPDX-License-Identifier: BSD-3-Clause */
/** Trees as a dataset has them: their roots in space, and cells that are not to be seen. */
#include "common/support.h"
#include "grid/tessera_grid_dataset.h"
#include "grid/tessera_grid_share.h"

#include <math.h>

/* Do the coordinates rise along every axis that has cells? */
static int is_rising(const tsr_grid_view *view, const double *const axes[3]) {
  for (int axis = 0; axis < 3; ++axis)
    for (int64_t i = view->whole[2 * axis]; i < view->whole[2 * axis + 1]; ++i)
      if (!(tsr_grid_coordinate(view, axes, axis, i) <
            tsr_grid_coordinate(view, axes, axis, i + 1)))
        return 0;
  return 1;
}

/* Are the input points within each root at equal distances? */
static int is_even(const tsr_grid_view *view, const double *const axes[3], int64_t root_cells,
                   int axis) {
  const int64_t first = view->whole[2 * axis];
  /* Numbers of single precision are as even as they can be. */
  const double rounding = view->coordinates[axis].type == TSR_FLOAT ? 2.4e-7 : 4.5e-16;
  for (int64_t i = first + 1; i < view->whole[2 * axis + 1]; ++i) {
    const double before = tsr_grid_coordinate(view, axes, axis, i - 1);
    const double at = tsr_grid_coordinate(view, axes, axis, i);
    const double after = tsr_grid_coordinate(view, axes, axis, i + 1);
    const double left = at - before, right = after - at;
    const double largest = fmax(fabs(before), fabs(after));
    if ((i - first) % root_cells != 0 &&
        !(fabs(left - right) <= 1e-6 * fabs(left + right) + rounding * largest))
      return 0;
  }
  return 1;
}

tsr_status tsr_grid_check_trees(const tsr_grid_view *view, const double *const axes[3],
                                int dimension, int64_t root_cells, int *moved, tsr_error *error) {
  if (tsr_need(view && axes && moved, "the view, its axes or the place for the answer", error))
    return TSR_BAD_INPUT;
  *moved = 0;
  if (!tsr_grid_is_axis_aligned(view))
    return tsr_fail(error, TSR_BAD_INPUT, -1,
                    "a hyper tree grid needs an image without rotation or a rectilinear grid");
  if (dimension == 0)
    return tsr_fail(error, TSR_BAD_INPUT, -1, "a hyper tree grid needs an input with cells");
  if (!is_rising(view, axes))
    return tsr_fail(error, TSR_BAD_INPUT, -1, "a hyper tree grid needs %s",
                    view->geometry == TSR_GEOMETRY_UNIFORM
                        ? "spacings above 0"
                        : "coordinates that rise along each axis");
  for (int axis = 0; axis < 3 && view->geometry == TSR_GEOMETRY_RECTILINEAR; ++axis)
    *moved = *moved || !is_even(view, axes, root_cells, axis);
  return TSR_OK;
}

int64_t tsr_grid_root_coordinates(const tsr_grid_view *view, const double *const axes[3],
                                  int64_t root_cells, int axis, double *coordinates) {
  const int64_t first = view->whole[2 * axis], last = view->whole[2 * axis + 1];
  const int64_t roots = (last - first + root_cells - 1) / root_cells;
  for (int64_t k = 0; coordinates && (k < roots || k == 0); ++k)
    coordinates[k] = tsr_grid_coordinate(view, axes, axis, first + k * root_cells);
  if (coordinates && roots > 0) {
    const int64_t begin = first + (roots - 1) * root_cells;
    const double low = tsr_grid_coordinate(view, axes, axis, begin);
    const double side = tsr_grid_coordinate(view, axes, axis, last) - low;
    coordinates[roots] = low + side * (double)root_cells / (double)(last - begin);
  }
  return roots + 1;
}

int tsr_grid_tree_mask(const uint8_t *states, const int64_t *first, int64_t trees, int children,
                       uint8_t *hidden) {
  int any = 0;
  for (int64_t t = 0; t < trees; ++t) {
    int64_t next = first[t + 1]; /* the children of the nodes before are from here on */
    for (int64_t node = first[t + 1]; node-- > first[t];) {
      hidden[node] = states[node] != TSR_STATE_LEAF;
      if (states[node] == TSR_STATE_COVERED) {
        next -= children;
        for (int child = 0; child < children; ++child)
          hidden[node] = hidden[node] && hidden[next + child];
      }
      any = any || hidden[node];
    }
  }
  return any;
}

void tsr_grid_mask_sources(const uint8_t *states, const int64_t *first, int64_t trees, int children,
                           const uint8_t *hidden, int64_t *source) {
  const int64_t cells = first[trees];
  int64_t seen = 0;
  while (seen < cells && states[seen] != TSR_STATE_LEAF)
    ++seen;
  for (int64_t t = 0; t < trees; ++t) {
    int64_t child = first[t] + 1;
    source[first[t]] = hidden[first[t]] && seen < cells ? seen : -1;
    for (int64_t node = first[t]; node < first[t + 1]; ++node)
      for (const int64_t end = states[node] == TSR_STATE_COVERED ? child + children : child;
           child < end; ++child)
        source[child] = hidden[child] && seen < cells ? node : -1;
  }
}
