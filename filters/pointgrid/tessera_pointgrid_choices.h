/* SPDX-License-Identifier: BSD-3-Clause */
/** Tessera: what the user of a program sets about point grids beside the core's options. A part of
 * the public header; include tessera.h. */
#ifndef TESSERA_POINTGRID_CHOICES_H
#define TESSERA_POINTGRID_CHOICES_H

#include "pointgrid/tessera_pointgrid.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What the user sets. Set up by tsr_pointgrid_choices_init; the table has the defaults. */
typedef struct tsr_pointgrid_choices {
  int output_precision;                /**< of points: 0 float, 1 double, 2 as the input */
  int level, density, means, extremes; /**< arrays made on request */
  int coordinates; /**< means and extremes of the coordinates, too, as of an array Coordinates */
} tsr_pointgrid_choices;

/** Sets every member to its default. `choices` must not be NULL. */
void tsr_pointgrid_choices_init(tsr_pointgrid_choices *choices);

/** The table of them; n: receives how many. */
const tsr_property *tsr_pointgrid_choices_properties(int *n);

#ifdef __cplusplus
}
#endif
#endif
