/* SPDX-License-Identifier: BSD-3-Clause */
/** What is set about curves, and about the random ones: sentences, kinds and tolerances. */
#include <string.h>

#include "check.h"
#include "tessera.h"

static void checks(void) {
  tsr_error error = {TSR_OK, 0, ""};
  tsr_curves_choices c;
  tsr_random_curves_options r;
  tsr_curves_choices_init(&c);
  CHECK_INT(tsr_curves_choices_check(&c, &error), TSR_OK);
  c.point_budget = -5;
  CHECK_INT(tsr_curves_choices_check(&c, &error), TSR_BAD_OPTION);
  CHECK(strcmp(error.text, "Point Budget must be 0 (off) or more, not -5.") == 0);
  tsr_random_curves_options_init(&r);
  CHECK_INT(tsr_random_curves_check(&r, &error), TSR_OK);
  r.degree = 11;
  CHECK_INT(tsr_random_curves_check(&r, &error), TSR_BAD_OPTION);
  CHECK(strcmp(error.text, "Degree must be 1 to 10, not 11.") == 0);
  r.count = -1;
  CHECK_INT(tsr_random_curves_check(&r, &error), TSR_BAD_OPTION);
  CHECK(strcmp(error.text, "Number Of Curves must be 0 or more, not -1.") == 0);
}

/** In the order of the panel's list, which is as long as the table says. */
static void kinds(void) {
  static const tsr_curve_kind expected[] = {TSR_KIND_CATMULL_ROM,   TSR_KIND_BEZIER2_CHAIN,
                                            TSR_KIND_BEZIER3_CHAIN, TSR_KIND_BSPLINE2,
                                            TSR_KIND_BSPLINE3,      TSR_KIND_STRAIGHT,
                                            TSR_KIND_AUTOMATIC,     TSR_KIND_NATURAL_SPLINE};
  int n;
  const tsr_property *table = tsr_curves_choices_properties(&n);
  tsr_curves_choices c;
  CHECK(strcmp(table[0].name, "InterpretLinesAs") == 0 && table[0].most == 7.0);
  for (c.polylines = 0; c.polylines <= 7; c.polylines++) {
    CHECK_INT(tsr_curves_polyline_kind(&c), expected[c.polylines]);
  }
}

static void tolerances(void) {
  tsr_curves_options o;
  tsr_tolerance list[TSR_CURVES_TOLERANCES];
  tsr_curves_options_init(&o);
  CHECK_INT(tsr_curves_tolerances(&o, list), 2);
  CHECK(strcmp(list[0].name, "Chord Error") == 0 && list[0].value == 0.001);
  CHECK(strcmp(list[1].name, "Field Error") == 0 && list[1].value == 0.01);
  CHECK(list[0].of && strcmp(list[0].of, "the diagonal") == 0);
  CHECK(list[1].of && strcmp(list[1].of, "the range") == 0);
  o.chord_relative = o.field_relative = 0;
  CHECK_INT(tsr_curves_tolerances(&o, list), 2);
  CHECK(!list[0].of && !list[1].of);
  o.use_turning_angle = o.use_max_length = 1;
  o.field_error = 0.0; /* times anything it stays 0 */
  CHECK_INT(tsr_curves_tolerances(&o, list), 3);
  CHECK(strcmp(list[1].name, "Turning Angle") == 0 && list[1].value == 10.0);
  CHECK(strcmp(list[2].name, "Maximum Segment Length") == 0 && list[2].value == 1.0);
}

int main(void) {
  checks();
  kinds();
  tolerances();
  return check_result();
}
