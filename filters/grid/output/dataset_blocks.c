/* SPDX-License-Identifier: BSD-3-Clause */
/** Blocks as a dataset has them: where they lie, and those of all processes. */
#include "common/support.h"
#include "grid/tessera_grid_dataset.h"
#include "grid/tessera_grid_share.h"

#include <math.h>
#include <stdlib.h>

tsr_status tsr_grid_check_blocks(const tsr_grid_view *view, const double *const axes[3],
                                 int dimension, tsr_error *error) {
  if (tsr_need(view && axes, "the view or its axes", error))
    return TSR_BAD_INPUT;
  if (view->geometry != TSR_GEOMETRY_UNIFORM || !tsr_grid_is_axis_aligned(view) || dimension < 2)
    return tsr_fail(error, TSR_BAD_INPUT, -1,
                    "overlapping AMR needs a 2D or 3D image without rotation");
  for (int axis = 0; axis < 3; ++axis)
    for (int64_t i = view->whole[2 * axis]; i < view->whole[2 * axis + 1]; ++i)
      if (!(tsr_grid_coordinate(view, axes, axis, i) <
            tsr_grid_coordinate(view, axes, axis, i + 1)))
        return tsr_fail(error, TSR_BAD_INPUT, -1, "overlapping AMR needs spacings above 0");
  return TSR_OK;
}

void tsr_grid_levels_place(const tsr_grid_view *view, const double *const axes[3],
                           int coarsen_levels, tsr_grid_levels *levels) {
  for (int axis = 0; axis < 3; ++axis) {
    const double spacing = view->spacing[axis];
    levels->active[axis] = view->whole[2 * axis + 1] > view->whole[2 * axis];
    levels->origin[axis] = tsr_grid_coordinate(view, axes, axis, view->whole[2 * axis]);
    /* VTK divides by the spacing of a flat axis, too. */
    levels->root[axis] =
        levels->active[axis] || spacing > 0.0 ? ldexp(spacing, coarsen_levels) : 1.0;
  }
}

void tsr_grid_levels_spacing(const tsr_grid_levels *levels, int level, double spacing[3]) {
  for (int axis = 0; axis < 3; ++axis)
    spacing[axis] = ldexp(levels->root[axis], -level);
}

void tsr_grid_patch_place(const tsr_grid_levels *levels, const tsr_grid_patch *patch,
                          double corner[3], int points[3]) {
  double spacing[3];
  tsr_grid_levels_spacing(levels, patch->level, spacing);
  for (int axis = 0; axis < 3; ++axis) {
    const int active = levels->active[axis];
    corner[axis] = levels->origin[axis] + (active ? spacing[axis] * patch->begin[axis] : 0.0);
    points[axis] = active ? patch->end[axis] - patch->begin[axis] + 1 : 1;
  }
}

tsr_status tsr_grid_gather_patches(const tsr_processes *processes, const tsr_grid_patch *mine,
                                   int64_t n, tsr_grid_patch **all, int64_t *count, int64_t *first,
                                   tsr_error *error) {
  const int64_t size = sizeof *mine;
  int64_t *sizes = tsr_alloc(processes->n, sizeof *sizes, "the blocks of processes", error);
  void *gathered;
  tsr_status status = tsr_processes_gather_bytes(processes, sizes ? TSR_OK : TSR_NO_MEMORY, mine,
                                                 n * size, &gathered, sizes, count, error);
  *first = 0;
  for (int rank = 0; status == TSR_OK && rank < processes->rank; ++rank)
    *first += sizes[rank] / size;
  *count /= size;
  *all = gathered;
  free(sizes);
  return status;
}

int tsr_grid_patch_levels(const tsr_grid_patch *patches, int64_t n, int *coarsest,
                          unsigned int *blocks) {
  int finest = 0;
  *coarsest = TSR_GRID_MAX_LEVEL;
  for (int64_t i = 0; i < n; ++i) {
    *coarsest = patches[i].level < *coarsest ? patches[i].level : *coarsest;
    finest = patches[i].level > finest ? patches[i].level : finest;
  }
  if (n == 0)
    return 0;
  for (int level = *coarsest; level <= finest; ++level)
    blocks[level - *coarsest] = 0;
  for (int64_t i = 0; i < n; ++i)
    blocks[patches[i].level - *coarsest]++;
  return finest - *coarsest + 1;
}
