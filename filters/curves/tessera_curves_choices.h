/* SPDX-License-Identifier: BSD-3-Clause */
/** Tessera: what the user of a program sets about adaptive curves beside the core's options,
 *  and what that means to these. A part of the public header; include tessera.h. */
#ifndef TESSERA_CURVES_CHOICES_H
#define TESSERA_CURVES_CHOICES_H

#include "common/tessera_limit.h"
#include "curves/tessera_curves.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What the user sets. Set up by tsr_curves_choices_init; the table has the defaults. */
typedef struct tsr_curves_choices {
  int polylines;        /**< what their points mean: see tsr_curves_polyline_kind */
  int join_lines;       /**< lines of two points become polylines first */
  int64_t point_budget; /**< of all curves together; 0 = off */
  int output_precision; /**< of points: 0 float, 1 double, 2 as the input */
  int parameter, arc_length, curvature, tangents, source_cell,
      achieved_error; /**< arrays made on request */
} tsr_curves_choices;

/** Sets every member to its default. `choices` must not be NULL. */
void tsr_curves_choices_init(tsr_curves_choices *choices);

/** The table of them; n: receives how many. */
const tsr_property *tsr_curves_choices_properties(int *n);

/** BAD_OPTION, with a whole sentence, where a choice cannot be; choices of the table are left to
 *  tsr_properties_check. */
tsr_status tsr_curves_choices_check(const tsr_curves_choices *choices, tsr_error *error);

/** The kind of curve that polylines are. */
tsr_curve_kind tsr_curves_polyline_kind(const tsr_curves_choices *choices);

/** Most tolerances that can be in use. */
#define TSR_CURVES_TOLERANCES 4

/** The tolerances in use, for a sentence about what would fit. list: receives up to
 *  TSR_CURVES_TOLERANCES. Returns how many. */
int tsr_curves_tolerances(const tsr_curves_options *options, tsr_tolerance *list);

#ifdef __cplusplus
}
#endif
#endif
