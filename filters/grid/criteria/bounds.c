/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: upper bounds of interpolation errors that were looked at. A byte holds a bound, in steps
 *  of the threshold divided by TSR_BOUND_STEPS; 0: there is none. */
#include "grid/criteria/criteria.h"

#include <stdlib.h>
#include <string.h>

#define TSR_BOUND_STEPS 253 /* rounded up twice, a bound of the whole threshold is 255 */

tsr_status tsr_bounds_create(tsr_grid_criteria *criteria, const tsr_lattice *lattice,
                             const tsr_tree *tree, tsr_error *error) {
  tsr_bounds *bounds = &criteria->bounds;
  tsr_bounds_free(bounds);
  bounds->tree = tree;
  for (int r = 0; r < criteria->n && !bounds->rule; ++r)
    if (criteria->rules[r].measure == TSR_MEASURE_INTERPOLATION_ERROR)
      bounds->rule = &criteria->in_force[r];
  for (int level = 0; level < lattice->coarsen && bounds->rule; ++level) {
    bounds->level[level] = tsr_alloc_clear(8 * tsr_tree_bytes(tree, level), 1,
                                           "the bounds of interpolation errors", error);
    if (!bounds->level[level])
      return TSR_NO_MEMORY;
  }
  return TSR_OK;
}

void tsr_bounds_free(tsr_bounds *bounds) {
  for (int level = 0; level <= TSR_GRID_MAX_LEVEL; ++level)
    free(bounds->level[level]);
  memset(bounds, 0, sizeof *bounds);
}

/* Where the bound of a node is. */
static uint8_t *bound_at(const tsr_bounds *bounds, int level, const int64_t i[3]) {
  return bounds->level[level] + 8 * tsr_tree_dense_at(bounds->tree, level, i) + tsr_child_number(i);
}

void tsr_bounds_note(const tsr_bounds *bounds, const tsr_rule *rule, int level, const int64_t i[3],
                     double error) {
  const double steps = error / rule->threshold * TSR_BOUND_STEPS;
  if (rule == bounds->rule && bounds->level[level])
    *bound_at(bounds, level, i) = steps <= TSR_BOUND_STEPS ? (uint8_t)((int)steps + 2) : 0;
}

double tsr_bounds_get(const tsr_bounds *bounds, const tsr_array *array, int level,
                      const int64_t i[3]) {
  const tsr_rule *rule = bounds->rule;
  const int knows = rule && rule->array.data == array->data && rule->array.type == array->type &&
                    rule->array.components == array->components &&
                    (rule->component < 0 || array->components == 1) && bounds->level[level];
  const uint8_t bound = knows ? *bound_at(bounds, level, i) : 0;
  return bound > 0 ? bound * rule->threshold / TSR_BOUND_STEPS : TSR_INFINITY;
}
