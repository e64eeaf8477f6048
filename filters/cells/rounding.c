/* SPDX-License-Identifier: BSD-3-Clause */
/** Curved cells: what the types of the output take of the errors that are allowed. */
#include "cells/plan.h"
#include "common/tessera_rounding.h"

#include <stdio.h>

/* What rounding moves a point or a value by, as a part of the largest number: the stored one by
 * half a unit in the last place, in each of 3 coordinates; sums of weights in double by some units.
 */
#define SINGLE_ROUNDING (1.8 / 16777216.0 / 2.0)
#define DOUBLE_ROUNDING 1e-14

double tsr_cells_rounding(double largest, tsr_type type) {
  const double rounding =
      largest * (type == TSR_FLOAT ? SINGLE_ROUNDING + DOUBLE_ROUNDING : DOUBLE_ROUNDING);
  return type == TSR_FLOAT || type == TSR_DOUBLE || rounding > 0.5 ? rounding : 0.5;
}

/* The chord error as a length; 0 without one. */
static double chord_of(const tsr_cells_options *options) {
  const double unit = options->chord_relative ? options->reference_length : 1.0;
  return options->use_chord_error ? options->chord_error * unit : 0.0;
}

int tsr_cells_is_too_coarse(const tsr_cells_options *options) {
  return tsr_rounding_is_much(tsr_cells_rounding(options->largest_place, TSR_FLOAT),
                              chord_of(options));
}

/* 1 if rounding leaves the triangles less than is kept for them. */
static int is_too_much(double rounding, double allowed) {
  return allowed > 0.0 && rounding > (1.0 - TSR_CELLS_KEPT) * allowed;
}

void tsr_cells_points_sentence(const tsr_cells_options *options, int single, int widened,
                               char *text, size_t size) {
  const double of_single = tsr_cells_rounding(options->largest_place, TSR_FLOAT);
  const double of_double = tsr_cells_rounding(options->largest_place, TSR_DOUBLE);
  const double chord = chord_of(options);
  text[0] = 0;
  if (widened || (single && is_too_much(of_single, chord)))
    tsr_rounding_sentence(of_single, single, text, size);
  if (!single && is_too_much(of_double, chord))
    snprintf(text, size,
             "Double precision moves points this far from the origin by up to %.3g, more than half "
             "of the chord error: the surface may be off by more than the chord error.",
             of_double);
}

void tsr_cells_field_sentence(const tsr_cells_options *options, const char *name, tsr_type type,
                              double range, double largest, char *text, size_t size) {
  const double allowed = options->field_error * (options->field_relative ? range : 1.0);
  const double rounding = tsr_cells_rounding(largest, type);
  text[0] = 0;
  if (options->use_field_error && range > 0.0 && is_too_much(rounding, allowed))
    snprintf(text, size,
             "Rounding takes up to %.3g from values of the point array '%s', more than half of its "
             "field error of %.3g: the array may be off by more than that.",
             rounding, name, allowed);
}
