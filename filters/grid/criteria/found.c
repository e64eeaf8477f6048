/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: interpolation errors that were found while the grid was refined, kept for the fill. */
#include "grid/criteria/criteria.h"

#include <stdlib.h>
#include <string.h>

/* Owned nodes of a level. */
static void owned_nodes(const tsr_lattice *lattice, int level, int64_t range[3][2]) {
  for (int a = 0; a < 3; ++a)
    tsr_level_range(lattice, a, level, lattice->owned[a], range[a]);
}

static double *make_level(const tsr_lattice *lattice, int level) {
  int64_t range[3][2], n = 1;
  owned_nodes(lattice, level, range);
  for (int a = 0; a < 3; ++a)
    n *= range[a][1] - range[a][0];
  return tsr_alloc_clear(n, sizeof(double), "the errors", NULL);
}

void tsr_found_create(const tsr_grid_input *input, const tsr_grid_criteria *criteria,
                      tsr_found *found) {
  const int coarsen = input->lattice.coarsen;
  found->n = (int64_t)criteria->n * coarsen;
  found->level = tsr_alloc_clear(found->n, sizeof *found->level, "the errors", NULL);
  for (int64_t k = 0; found->level && k < found->n; ++k)
    if (criteria->rules[k / coarsen].measure == TSR_MEASURE_INTERPOLATION_ERROR) {
      found->level[k] = make_level(&input->lattice, (int)(k % coarsen));
      if (!found->level[k]) {
        tsr_found_free(found);
        return;
      }
    }
}

void tsr_found_free(tsr_found *found) {
  for (int64_t k = 0; found->level && k < found->n; ++k)
    free(found->level[k]);
  free(found->level);
  memset(found, 0, sizeof *found);
}

/* Where the error by rule r of an owned node is. An error of 0 is kept as -1: the memory comes as
 * zeros, which say that an error is not known, so that only pages with errors are touched. */
static double *place_of(const tsr_lattice *lattice, const tsr_found *found, int r, int level,
                        const int64_t i[3]) {
  int64_t range[3][2];
  owned_nodes(lattice, level, range);
  return found->level[(int64_t)r * lattice->coarsen + level] +
         tsr_number_in((const int64_t(*)[2])range, i);
}

void tsr_found_put(const tsr_lattice *lattice, tsr_found *found, int r, int level,
                   const int64_t i[3], double error) {
  if (found && found->level)
    *place_of(lattice, found, r, level, i) = !tsr_finite(error) ? 0.0 : error > 0.0 ? error : -1.0;
}

/* 1 if an interpolation error by the rule is the largest difference in all components of the
 * array. */
static int measures_all(const tsr_rule *rule, const tsr_array *array) {
  return rule->measure == TSR_MEASURE_INTERPOLATION_ERROR && rule->array.data == array->data &&
         rule->array.type == array->type && rule->array.components == array->components &&
         (rule->component < 0 || array->components == 1);
}

double tsr_found_get(const tsr_lattice *lattice, const tsr_grid_criteria *criteria,
                     const tsr_found *found, const tsr_array *array, int level,
                     const int64_t i[3]) {
  for (int r = 0; found->level && level < lattice->coarsen && r < criteria->n; ++r)
    if (measures_all(&criteria->rules[r], array)) {
      const double kept = *place_of(lattice, found, r, level, i);
      return kept < 0.0 ? 0.0 : kept > 0.0 ? kept : -1.0;
    }
  return -1.0;
}
