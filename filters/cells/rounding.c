/* SPDX-License-Identifier: BSD-3-Clause */
/** Curved cells: what the types of the output take of the errors that are allowed. */
#include "cells/tessera_cells.h"
#include "common/tessera_rounding.h"

#include <stdio.h>

/* What rounding moves a point or a value by, as a part of the largest number: the stored one by
 * half a unit in the last place, in each of 3 coordinates; sums of weights in double by some units.
 */
#define SINGLE_ROUNDING (1.8 / 16777216.0 / 2.0)
#define DOUBLE_ROUNDING 1e-14

/* The part of what is allowed that is kept for the triangles, whatever rounding takes. */
#define KEPT 0.5

double tsr_cells_rounding(double largest, tsr_type type) {
  const double rounding =
      largest * (type == TSR_FLOAT ? SINGLE_ROUNDING + DOUBLE_ROUNDING : DOUBLE_ROUNDING);
  return type == TSR_FLOAT || type == TSR_DOUBLE || rounding > 0.5 ? rounding : 0.5;
}

/* The part of the chord error that rounding takes. */
static double share(const tsr_cells_options *options, tsr_type type) {
  const double chord =
      options->chord_error * (options->chord_relative ? options->reference_length : 1.0);
  return options->use_chord_error && chord > 0.0
             ? tsr_cells_rounding(options->largest_place, type) / chord
             : 0.0;
}

int tsr_cells_is_too_coarse(const tsr_cells_options *options) {
  const double much = 0.25; /* below it, more points make good what the type takes away */
  return share(options, TSR_FLOAT) > much;
}

void tsr_cells_points_sentence(const tsr_cells_options *options, int single, int widened,
                               char *text, size_t size) {
  const double place = options->largest_place;
  text[0] = 0;
  if (widened || (single && share(options, TSR_FLOAT) > KEPT))
    tsr_rounding_sentence(tsr_cells_rounding(place, TSR_FLOAT), single, text, size);
  if (!single && share(options, TSR_DOUBLE) > KEPT)
    snprintf(text, size,
             "Double precision moves points this far from the origin by up to %.3g, more than half "
             "of the chord error: the surface may be off by more than the chord error.",
             tsr_cells_rounding(place, TSR_DOUBLE));
}

void tsr_cells_field_sentence(const tsr_cells_options *options, const char *name, tsr_type type,
                              double range, double largest, char *text, size_t size) {
  const double allowed = options->field_error * (options->field_relative ? range : 1.0);
  const double rounding = tsr_cells_rounding(largest, type);
  text[0] = 0;
  if (options->use_field_error && range > 0.0 && rounding > KEPT * allowed)
    snprintf(text, size,
             "Rounding takes up to %.3g from values of the point array '%s', more than half of its "
             "field error of %.3g: the array may be off by more than that.",
             rounding, name, allowed);
}
