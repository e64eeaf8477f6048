/* SPDX-License-Identifier: BSD-3-Clause */
/** What the types of the output take of the errors that are allowed, and what is said about it. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "tessera.h"

/* Numbers from 2^23 to 2^24 are whole in single precision: halves between them move by a half, in
 * three coordinates by sqrt(3) / 2. */
static void as_far_as_numbers_are_apart(void) {
  const double place = 16777215.5, single = tsr_cells_rounding(place, TSR_FLOAT);
  const double moved = sqrt(3.0) * fabs((double)(float)place - place);
  CHECK_NEAR(moved, sqrt(0.75), 1e-12);
  CHECK(single >= moved && single < 1.1 * moved);
  CHECK(tsr_cells_rounding(place, TSR_DOUBLE) < 1e-6);
  CHECK(tsr_cells_rounding(1e15, TSR_DOUBLE) >= sqrt(0.75) * 0.125); /* they are 0.125 apart */
  CHECK(tsr_cells_rounding(100.0, TSR_INT16) == 0.5);
  CHECK(tsr_cells_rounding(0.0, TSR_FLOAT) == 0.0);
}

static tsr_cells_options far_away(double chord, int relative) {
  tsr_cells_options o;
  tsr_cells_options_init(&o);
  o.largest_place = 16777216.0; /* single precision takes 0.9 */
  o.chord_relative = relative;
  o.reference_length = relative ? 8.0 : 1e9; /* not looked at where the chord error is a length */
  o.chord_error = relative ? chord / 8.0 : chord;
  return o;
}

static void single_precision_takes_much(void) {
  for (int relative = 0; relative < 2; relative++) {
    tsr_cells_options o = far_away(3.5, relative);
    CHECK_INT(tsr_cells_is_too_coarse(&o), 1);
    o.use_chord_error = 0;
    CHECK_INT(tsr_cells_is_too_coarse(&o), 0);
    o = far_away(3.7, relative);
    CHECK_INT(tsr_cells_is_too_coarse(&o), 0);
  }
}

static void says(const tsr_cells_options *o, int single, int widened, const char *words) {
  char text[300];
  tsr_cells_points_sentence(o, single, widened, text, sizeof text);
  CHECK_SAY(words ? strstr(text, words) != NULL : text[0] == 0, "it says: %s", text);
}

static void sentences_about_points(void) {
  tsr_cells_options o = far_away(1.9, 0);
  says(&o, 1, 0, NULL); /* less than a half */
  says(&o, 0, 0, NULL);
  says(&o, 0, 1, "up to 0.9, too much for the chord error: the output points are in double");
  o = far_away(1.7, 1);
  says(&o, 1, 0, "too much for the chord error: set Output Precision to Double");
  o.chord_error = 1e-9;
  says(&o, 0, 0, "Double precision moves points this far from the origin by up to 1.68e-07");
}

static void sentences_about_arrays(void) {
  tsr_cells_options o;
  char text[300];
  tsr_cells_options_init(&o); /* a hundredth of the range */
  tsr_cells_field_sentence(&o, "p", TSR_FLOAT, 1.0, 101325.0, text, sizeof text);
  CHECK_SAY(strstr(text, "0.00544 from values of the point array 'p'") != NULL, "%s", text);
  tsr_cells_field_sentence(&o, "p", TSR_DOUBLE, 1.0, 101325.0, text, sizeof text);
  CHECK(text[0] == 0);
  tsr_cells_field_sentence(&o, "p", TSR_FLOAT, 0.0, 101325.0, text, sizeof text);
  CHECK(text[0] == 0); /* it is constant */
  o.use_field_error = 0;
  tsr_cells_field_sentence(&o, "p", TSR_FLOAT, 1.0, 101325.0, text, sizeof text);
  CHECK(text[0] == 0);
}

static void types_that_may_curve(void) {
  const uint8_t linear[] = {1, 3, 5, 9, 12, 42}, with_one[] = {12, 12, 72}, quadratic[] = {22};
  tsr_cells_view view;
  tsr_cells_view_init(&view);
  CHECK_INT(tsr_cells_may_curve(&view), 0);
  view.types = linear;
  view.n_cells = 6;
  CHECK_INT(tsr_cells_may_curve(&view), 0);
  view.types = with_one;
  view.n_cells = 3;
  CHECK_INT(tsr_cells_may_curve(&view), 1);
  view.types = quadratic;
  view.n_cells = 1;
  CHECK_INT(tsr_cells_may_curve(&view), 1);
}

int main(void) {
  types_that_may_curve();
  as_far_as_numbers_are_apart();
  single_precision_takes_much();
  sentences_about_points();
  sentences_about_arrays();
  return check_result();
}
