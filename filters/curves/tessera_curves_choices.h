/* SPDX-License-Identifier: BSD-3-Clause */
/** Tessera: the user's settings of adaptive curves beyond the core's options. A part of the public
 *  header; include tessera.h. */
#ifndef TSR_CURVES_TESSERA_CURVES_CHOICES_H
#define TSR_CURVES_TESSERA_CURVES_CHOICES_H

#include "common/tessera_limit.h"
#include "curves/tessera_curves.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What the user sets. Set up by tsr_curves_choices_init; the table has the defaults. */
typedef struct tsr_curves_choices {
  int polylines;        /**< the meaning of a polyline's points: see tsr_curves_polyline_kind */
  int join_lines;       /**< 1: lines of two points are joined into polylines first */
  int64_t point_budget; /**< most points of all curves together; 0 = off */
  int output_precision; /**< of points: 0 float, 1 double, 2 as the input */
  int parameter, arc_length, curvature, tangents, source_cell,
      achieved_error; /**< 1: the output has this array */
} tsr_curves_choices;

/** Sets every member to its default. `choices` must not be NULL. */
void tsr_curves_choices_init(tsr_curves_choices *choices);

/** The table of properties of tsr_curves_choices; n: receives their number. */
const tsr_property *tsr_curves_choices_properties(int *n);

/** Checks the choices of all property types but CHOICE, which tsr_properties_check
 *  (tessera_choices.h) checks. Fails with BAD_OPTION and a whole sentence. */
tsr_status tsr_curves_choices_check(const tsr_curves_choices *choices, tsr_error *error);

/** Returns the kind of curve that choices->polylines stands for. */
tsr_curve_kind tsr_curves_polyline_kind(const tsr_curves_choices *choices);

/** Largest number of tolerances that can be in use. */
#define TSR_CURVES_TOLERANCES 4

/** Lists the tolerances in use, for the messages that propose larger ones. list: receives up to
 *  TSR_CURVES_TOLERANCES. Returns their number. */
int tsr_curves_tolerances(const tsr_curves_options *options, tsr_tolerance *list);

#ifdef __cplusplus
}
#endif
#endif
