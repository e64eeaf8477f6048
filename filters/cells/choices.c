/* SPDX-License-Identifier: BSD-3-Clause */
/** Curved cells: the table of the choices. */
#include "cells/tessera_cells_choices.h"
#include "common/support.h"

#include <math.h>

/* Property, member, type, bounds, default. */
#define ONE(NAME, MEMBER, TYPE, LEAST, MOST, VALUE)                                                \
  TSR_PROPERTY(tsr_cells_choices, NAME, MEMBER, TYPE, 1, 1, LEAST, MOST, VALUE)

static const tsr_property properties[] = {
    ONE(PointBudget, point_budget, INT64, 0, INFINITY, 0),
    ONE(OutputPrecision, output_precision, CHOICE, 0, 2, 2),
    ONE(GenerateSourceCell, source_cell, INT, 0, 1, 0),
    ONE(GenerateNormals, normals, INT, 0, 1, 0),
    ONE(GenerateAchievedError, achieved_error, INT, 0, 1, 0),
    ONE(GenerateParametricCoordinates, parameters, INT, 0, 1, 0)};

enum { PROPERTIES = sizeof properties / sizeof properties[0] };

const tsr_property *tsr_cells_choices_properties(int *n) {
  *n = PROPERTIES;
  return properties;
}

void tsr_cells_choices_init(tsr_cells_choices *choices) {
  tsr_properties_init(properties, PROPERTIES, choices);
}

tsr_status tsr_cells_choices_check(const tsr_cells_choices *choices, tsr_error *error) {
  if (choices->point_budget < 0)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "Point Budget must be 0 (off) or more, not %lld.",
                    (long long)choices->point_budget);
  return TSR_OK;
}
