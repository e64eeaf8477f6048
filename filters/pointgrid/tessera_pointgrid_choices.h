/* SPDX-License-Identifier: BSD-3-Clause */
/** Tessera: the user's settings of point grids beyond the core's options. A part of the public
 *  header; include tessera.h. */
#ifndef TSR_POINTGRID_TESSERA_POINTGRID_CHOICES_H
#define TSR_POINTGRID_TESSERA_POINTGRID_CHOICES_H

#include "pointgrid/tessera_pointgrid.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What the user sets. Set up by tsr_pointgrid_choices_init; the table has the defaults. */
typedef struct tsr_pointgrid_choices {
  int output_precision;                /**< of points: 0 float, 1 double, 2 as the input */
  int level, density, means, extremes; /**< 1: the output has these arrays */
  int coordinates; /**< 1: means and extremes also of the points' coordinates, as of a point array
                        with the name Coordinates */
} tsr_pointgrid_choices;

/** Sets every member to its default. `choices` must not be NULL. */
void tsr_pointgrid_choices_init(tsr_pointgrid_choices *choices);

/** The table of properties of tsr_pointgrid_choices; n: receives their number. */
const tsr_property *tsr_pointgrid_choices_properties(int *n);

#ifdef __cplusplus
}
#endif
#endif
