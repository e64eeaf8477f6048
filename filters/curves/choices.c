/* SPDX-License-Identifier: BSD-3-Clause */
/** Curves: the table of the choices, and what they mean to the options. */
#include "common/support.h"
#include "curves/tessera_curves_choices.h"

#include <math.h>

/* What polylines can be, as the panel numbers it. */
static const tsr_curve_kind kinds[] = {
    TSR_KIND_CATMULL_ROM, TSR_KIND_BEZIER2_CHAIN, TSR_KIND_BEZIER3_CHAIN, TSR_KIND_BSPLINE2,
    TSR_KIND_BSPLINE3,    TSR_KIND_STRAIGHT,      TSR_KIND_AUTOMATIC,     TSR_KIND_NATURAL_SPLINE};
enum { KINDS = sizeof kinds / sizeof kinds[0], AUTOMATIC = 6 };

/* Property, member, type, bounds, default. */
#define ONE(NAME, MEMBER, TYPE, LEAST, MOST, VALUE)                                                \
  TSR_PROPERTY(tsr_curves_choices, NAME, MEMBER, TYPE, 1, 1, LEAST, MOST, VALUE)

static const tsr_property properties[] = {
    ONE(InterpretLinesAs, polylines, CHOICE, 0, KINDS - 1, AUTOMATIC),
    ONE(JoinLines, join_lines, INT, 0, 1, 1),
    ONE(PointBudget, point_budget, INT64, 0, INFINITY, 0),
    ONE(OutputPrecision, output_precision, CHOICE, 0, 2, 2),
    ONE(GenerateParameter, parameter, INT, 0, 1, 0),
    ONE(GenerateArcLength, arc_length, INT, 0, 1, 0),
    ONE(GenerateCurvature, curvature, INT, 0, 1, 0),
    ONE(GenerateTangents, tangents, INT, 0, 1, 0),
    ONE(GenerateSourceCell, source_cell, INT, 0, 1, 0),
    ONE(GenerateAchievedError, achieved_error, INT, 0, 1, 0)};

enum { PROPERTIES = sizeof properties / sizeof properties[0] };

const tsr_property *tsr_curves_choices_properties(int *n) {
  *n = PROPERTIES;
  return properties;
}

void tsr_curves_choices_init(tsr_curves_choices *choices) {
  tsr_properties_init(properties, PROPERTIES, choices);
}

tsr_status tsr_curves_choices_check(const tsr_curves_choices *choices, tsr_error *error) {
  if (tsr_need(choices != NULL, "the struct of the choices", error))
    return TSR_BAD_INPUT;
  if (choices->point_budget < 0)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "Point Budget must be 0 (off) or more, not %lld.",
                    (long long)choices->point_budget);
  return TSR_OK;
}

tsr_curve_kind tsr_curves_polyline_kind(const tsr_curves_choices *choices) {
  return kinds[choices->polylines];
}

int tsr_curves_tolerances(const tsr_curves_options *options, tsr_tolerance *list) {
  const struct {
    int use;
    tsr_tolerance tolerance;
  } all[TSR_CURVES_TOLERANCES] = {
      {options->use_chord_error,
       {"Chord Error", options->chord_error, options->chord_relative ? "the diagonal" : NULL}},
      {options->use_turning_angle, {"Turning Angle", options->turning_angle, NULL}},
      {options->use_max_length, {"Maximum Segment Length", options->max_length, NULL}},
      {options->use_field_error,
       {"Field Error", options->field_error, options->field_relative ? "the range" : NULL}}};
  int n = 0;
  for (int k = 0; k < TSR_CURVES_TOLERANCES; ++k)
    if (all[k].use && all[k].tolerance.value > 0.0)
      list[n++] = all[k].tolerance;
  return n;
}
