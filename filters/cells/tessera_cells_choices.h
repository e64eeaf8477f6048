/* SPDX-License-Identifier: BSD-3-Clause */
/** Tessera: the user's settings of curved cells beyond the core's options. A part of the public
 *  header; include tessera.h. */
#ifndef TSR_CELLS_TESSERA_CELLS_CHOICES_H
#define TSR_CELLS_TESSERA_CELLS_CHOICES_H

#include "cells/tessera_cells.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What the user sets. Set up by tsr_cells_choices_init; the table has the defaults. */
typedef struct tsr_cells_choices {
  int output_precision; /**< of points: 0 float, 1 double, 2 as the input */
  int64_t point_budget; /**< most points of all datasets together; 0 = off */
  int source_cell;      /**< 1: the output has the cell array SourceCell */
  int normals;          /**< 1: the output has normals */
  int achieved_error;   /**< 1: the output has the cell array AchievedError */
  int parameters; /**< 1: the output has the point arrays ParametricCoordinates and ParametricCell
                   */
} tsr_cells_choices;

/** Sets every member to its default. `choices` must not be NULL. */
void tsr_cells_choices_init(tsr_cells_choices *choices);

/** Fails with BAD_OPTION where a choice cannot be used. choices: not NULL. */
tsr_status tsr_cells_choices_check(const tsr_cells_choices *choices, tsr_error *error);

/** The table of properties of tsr_cells_choices; n: receives their number. */
const tsr_property *tsr_cells_choices_properties(int *n);

#ifdef __cplusplus
}
#endif
#endif
