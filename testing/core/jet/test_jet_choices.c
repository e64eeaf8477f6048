/* SPDX-License-Identifier: BSD-3-Clause */
/** The jet as an image: which ones there are, where they lie, and when their steps are. */
#include <string.h>

#include "check.h"
#include "tessera.h"

static tsr_jet_choices c;
static tsr_jet_options o;

static void reset(void) {
  tsr_jet_choices_init(&c);
  tsr_jet_options_init(&o);
}

static void said(const char *expected) {
  tsr_error error = {TSR_OK, 0, ""};
  CHECK_INT(tsr_jet_choices_check(&c, &o, &error), expected ? TSR_BAD_OPTION : TSR_OK);
  CHECK_SAY(!expected || strcmp(error.text, expected) == 0, "%s", error.text);
}

static void checks(void) {
  reset();
  for (int axis = 0; axis < 3; axis++) {
    CHECK_INT(c.dimensions[axis], o.whole[2 * axis + 1] - o.whole[2 * axis] + 1);
  }
  said(NULL);
  c.dimensions[1] = 0;
  said("Dimensions must be 1 or more along each axis, not 0.");
  reset();
  o.bounds[2] = 1.0;
  said("Bounds must rise along each axis, but 1 to 1 does not.");
  o.bounds[2] = -1e308;
  o.bounds[3] = 1e308;
  said("Bounds must rise along each axis, but -1e+308 to 1e+308 does not.");
  reset();
  c.dimensions[0] = c.dimensions[1] = c.dimensions[2] = 1 << 20;
  said("Dimensions of 1048576 x 1048576 x 1048576 make 1.15292e+18 points, and at most "
       "288230376151711744 can be.");
  reset();
  c.time_steps = 0;
  said("Time Steps must be a number from 1 to 1000000, not 0.");
  c.time_steps = 1000001;
  said("Time Steps must be a number from 1 to 1000000, not 1000001.");
  c.time_steps = 1;
  c.time_range[0] = -1e308;
  c.time_range[1] = 1e308;
  said("Time Range must be finite; it is -1e+308 to 1e+308.");
}

/** First and last point are the bounds, but along an axis of one point, which is in the middle. */
static void places(void) {
  double origin[3], spacing[3];
  reset();
  c.dimensions[0] = 5;
  c.dimensions[1] = 2;
  c.dimensions[2] = 1;
  tsr_jet_place(&c, &o, origin, spacing);
  CHECK(origin[0] == 0.0 && origin[0] + 4 * spacing[0] == 4.0);
  CHECK(origin[1] == -1.0 && origin[1] + spacing[1] == 1.0);
  CHECK(origin[2] == 0.0 && spacing[2] == 2.0);
  tsr_jet_choices_apply(&c, 0.75, &o);
  CHECK(o.time == 0.75 && o.whole[1] == 4 && o.whole[3] == 1 && o.whole[5] == 0);
}

static void times(void) {
  reset();
  c.time_steps = 5;
  c.time_range[0] = 2.0;
  c.time_range[1] = 4.0;
  for (int step = 0; step < 5; step++) {
    CHECK(tsr_jet_time(&c, step) == 2.0 + 0.5 * step);
  }
  c.time_steps = 1;
  CHECK(tsr_jet_time(&c, 0) == 2.0);
}

static void memory(void) {
  tsr_error error = {TSR_OK, 0, ""};
  reset();
  CHECK_INT(tsr_jet_check_memory(&c, 1000, 20000, &error), TSR_OK);
  CHECK_INT(tsr_jet_check_memory(&c, 1000, INFINITY, &error), TSR_OK);
  CHECK_INT(tsr_jet_check_memory(&c, 1000, 19999, &error), TSR_TOO_LARGE);
  CHECK(strcmp(error.text, "the image would have 1000 points and need 20000 bytes of memory, where "
                           "19999 bytes are available; choose smaller Dimensions") == 0);
  c.output_precision = 1;
  CHECK_INT(tsr_jet_check_memory(&c, 1000, 20000, &error), TSR_TOO_LARGE);
}

int main(void) {
  checks();
  places();
  times();
  memory();
  return check_result();
}
