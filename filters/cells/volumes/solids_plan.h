/* SPDX-License-Identifier: BSD-3-Clause */
/** The steps of a plan that are about solids, in the order in which they are called. All do nothing
 *  where the output is not Cells. Not public. */
#ifndef TSR_CELLS_VOLUMES_SOLIDS_PLAN_H
#define TSR_CELLS_VOLUMES_SOLIDS_PLAN_H

#include "cells/plan.h"

/** Lists the solids, which tsr_cells_look() found. work.counts must hold the prefix sums of the
 * items, as it does until tsr_cells_find_items frees it. */
tsr_status tsr_solids_find(tsr_cells_plan *plan, tsr_error *error);

/** Finds the bends of all curved solids, under the criteria in force. */
tsr_status tsr_solids_measure(tsr_cells_plan *plan, tsr_error *error);

/** Marks the points of linear solids as points of the output. */
tsr_status tsr_solids_mark(tsr_cells_plan *plan, tsr_error *error);

/** Finds which faces two solids share, of solids that may be divided. The corners of items that are
 *  not flat must be marked. */
tsr_status tsr_solids_pair(tsr_cells_plan *plan, tsr_error *error);

/** Divides the solids, and adds them to the sizes. Their faces must be divided. */
tsr_status tsr_solids_count(tsr_cells_plan *plan, tsr_error *error);

/** Makes the points inside solids. */
tsr_status tsr_solids_fill_points(tsr_cells_plan *plan, tsr_cells_filler *filler, tsr_error *error);

/** Writes the cells that solids become. */
tsr_status tsr_solids_fill_cells(tsr_cells_plan *plan, tsr_cells_filler *filler, tsr_error *error);

/** Frees what tsr_solids_count made. */
void tsr_solids_forget(tsr_cells_plan *plan);

/** Frees what tsr_solids_find and tsr_solids_measure made. */
void tsr_solids_drop(tsr_cells_plan *plan);

#endif
