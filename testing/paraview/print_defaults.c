/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the core's defaults, one "name value" a line, for defaults.py to compare. */
#include "tessera.h"

#include <stdio.h>

int main(void) {
  tsr_curves_options o;
  tsr_execution e;
  tsr_curves_options_init(&o);
  tsr_execution_init(&e);
  printf("CatmullRomKnots %d\n", (int)o.knots);
  printf("Tension %.17g\n", o.tension);
  printf("Sampling %d\n", (int)o.sampling);
  printf("MaximumLevel %d\n", o.max_level);
  printf("UseCurvatureFactor %d\n", o.use_curvature);
  printf("CurvatureFactor %.17g\n", o.curvature_factor);
  printf("MinimumPoints %d\n", o.min_points);
  printf("MaximumPoints %d\n", o.max_points);
  printf("UseChordError %d\n", o.use_chord_error);
  printf("ChordError %.17g\n", o.chord_error);
  printf("ChordErrorMode %d\n", o.chord_relative);
  printf("UseTurningAngle %d\n", o.use_turning_angle);
  printf("TurningAngle %.17g\n", o.turning_angle);
  printf("UseMaximumSegmentLength %d\n", o.use_max_length);
  printf("MaximumSegmentLength %.17g\n", o.max_length);
  printf("UseFieldError %d\n", o.use_field_error);
  printf("FieldError %.17g\n", o.field_error);
  printf("ArrayInterpolation %d\n", (int)o.interpolation);
  printf("Backend %d\n", (int)e.backend);
  return 0;
}
