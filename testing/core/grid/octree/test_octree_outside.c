/* SPDX-License-Identifier: BSD-3-Clause */
/** Random octrees with cells that are outside: criteria ignore what these have, and where leaves
 * are no larger than they are, they are as hidden cells. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "octree_check.h"

/** What differs in the leaves of two outputs, or, with `values`, in what criteria and cell data
 * have there; NULL: nothing. */
static const char *leaves_differ(const octree_out *one, const octree_out *other, int values) {
  const size_t n = (size_t)one->sizes.cells;
  if (one->status != TSR_OK || other->status != TSR_OK)
    return "status";
  if (one->sizes.cells != other->sizes.cells || one->sizes.leaves != other->sizes.leaves ||
      one->sizes.points != other->sizes.points)
    return "sizes";
  if (memcmp(one->nodes, other->nodes, (size_t)one->sizes.leaves * sizeof *one->nodes) != 0)
    return "nodes";
  if (!values)
    return NULL;
  if (memcmp(one->indicator, other->indicator, n * sizeof *one->indicator) != 0)
    return "indicator";
  if (memcmp(one->cell, other->cell, n * sizeof *one->cell) != 0)
    return "cell data";
  if (memcmp(one->point, other->point, (size_t)one->sizes.points * sizeof *one->point) != 0)
    return "point data";
  return one->errors[3] == other->errors[3] &&
                 one->sizes.notes[TSR_GRID_NOTE_NOT_FINITE].count ==
                     other->sizes.notes[TSR_GRID_NOTE_NOT_FINITE].count
             ? NULL
             : "errors";
}

/** What cells that are outside have for values is all the same to cell data. */
static void check_ignored(octree_case *it, int measure, double threshold, int coarsen) {
  tsr_grid_criterion c = octree_sampled_criterion(it, 1, threshold);
  const tsr_grid_options o = octree_options(&c, TSR_GRID_CELLS, coarsen);
  float *given = malloc((size_t)it->octree.n * sizeof *given);
  octree_out one, other;
  c.relative = 1;
  c.measure = (tsr_grid_measure)measure;
  octree_run(it, &o, NULL, &one);
  memcpy(given, it->cell, (size_t)it->octree.n * sizeof *given);
  for (int64_t i = 0; i < it->octree.n; ++i)
    if (octree_is_outside(it, i))
      it->cell[i] = i % 3 ? 1e6f * (float)(i % 7) : NAN;
  octree_run(it, &o, NULL, &other);
  const char *differ = leaves_differ(&one, &other, 1);
  CHECK_SAY(differ == NULL, "%s changed by what is outside", differ);
  memcpy(it->cell, given, (size_t)it->octree.n * sizeof *given);
  free(given);
  octree_out_free(&one);
  octree_out_free(&other);
}

/** Whole cells of level 0 that are outside are as hidden ones, where leaves are no larger; but
 * their points are known to their neighbours. */
static void check_hidden(const octree_recipe *recipe, int output, double threshold) {
  octree_case it = octree_case_make(recipe);
  octree_case_add_samples(&it, 300, 4.0 * threshold);
  const tsr_grid_criterion c = octree_sampled_criterion(&it, 0, threshold);
  tsr_grid_options o = octree_options(&c, output, 0);
  octree_out one, other;
  uint8_t *flags = malloc((size_t)it.octree.n + 1);
  o.buffer_cells = 2;
  o.balance = TSR_BALANCE_CORNER;
  for (int64_t i = 0; i < it.octree.n; ++i) {
    unsigned root = recipe->seed;
    for (int a = 0; a < 3; ++a)
      root = root * 5u + (unsigned)(it.index[3 * i + a] >> it.level[i]);
    flags[i] = root * 2654435761u >> 30 == 0;
  }
  it.outside = flags;
  octree_run(&it, &o, NULL, &one);
  it.outside = NULL;
  it.view.hidden_cells = flags;
  octree_run(&it, &o, NULL, &other);
  const char *differ = leaves_differ(&one, &other, 0);
  CHECK_SAY(differ == NULL, "%s not as where cells are hidden", differ);
  free(flags);
  octree_case_free(&it);
  octree_out_free(&one);
  octree_out_free(&other);
}

int main(void) {
  for (unsigned k = 0; k < 40; ++k) {
    const octree_recipe recipe = octree_recipe_of(k);
    const double threshold = 0.005 * (1 + k % 20);
    octree_case it = octree_case_make(&recipe);
    octree_case_add_outside(&it, 0.4 + 0.05 * (k % 7));
    octree_case_add_samples(&it, 300, 2.0 * threshold);
    check_ignored(&it, TSR_MEASURE_INTERPOLATION_ERROR, 10.0 * threshold, (int)(k / 3 % 3));
    check_ignored(&it, TSR_MEASURE_STANDARD_DEVIATION, 5.0 * threshold, (int)(k / 3 % 3));
    check_hidden(&recipe, TSR_GRID_CELLS, threshold);
    if (octree_dimension(&it) > 1)
      check_hidden(&recipe, TSR_GRID_CONFORMING, threshold);
    octree_case_free(&it);
  }
  return check_result();
}
