/* SPDX-License-Identifier: BSD-3-Clause */
/** The jet as an image: the table of the choices, and what they mean to the options. */
#include "common/support.h"
#include "jet/tessera_jet_choices.h"

#include <math.h>

/* Property, first member, type, how many, bounds, defaults. */
#define ONE(NAME, MEMBER, TYPE, NUMBERS, LEAST, MOST, ...)                                         \
  TSR_PROPERTY(tsr_jet_choices, NAME, MEMBER, TYPE, NUMBERS, 1, LEAST, MOST, __VA_ARGS__)

static const tsr_property properties[] = {
    ONE(Dimensions, dimensions, INT, 3, 1, INFINITY, 128, 64, 64),
    ONE(TimeSteps, time_steps, INT, 1, 1, TSR_JET_MAX_STEPS, 11),
    ONE(TimeRange, time_range, DOUBLE, 2, -INFINITY, INFINITY, 0, 1),
    ONE(OutputPrecision, output_precision, INT, 1, 0, 1, 0)};

enum { PROPERTIES = sizeof properties / sizeof properties[0] };

const tsr_property *tsr_jet_choices_properties(int *n) {
  *n = PROPERTIES;
  return properties;
}

void tsr_jet_choices_init(tsr_jet_choices *choices) {
  tsr_properties_init(properties, PROPERTIES, choices);
}

static tsr_status check_image(const tsr_jet_choices *choices, const tsr_jet_options *options,
                              tsr_error *error) {
  const int *n = choices->dimensions;
  double points = 1.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double low = options->bounds[2 * axis], high = options->bounds[2 * axis + 1];
    if (n[axis] < 1)
      return tsr_fail(error, TSR_BAD_OPTION, -1,
                      "Dimensions must be 1 or more along each axis, not %d.", n[axis]);
    if (!(low < high) || !isfinite(high - low))
      return tsr_fail(error, TSR_BAD_OPTION, -1,
                      "Bounds must rise along each axis, but %g to %g does not.", low, high);
    points *= n[axis];
  }
  if (points > (double)TSR_JET_MAX_POINTS)
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "Dimensions of %d x %d x %d make %g points, and at most %lld can be.", n[0],
                    n[1], n[2], points, (long long)TSR_JET_MAX_POINTS);
  return TSR_OK;
}

tsr_status tsr_jet_choices_check(const tsr_jet_choices *choices, const tsr_jet_options *options,
                                 tsr_error *error) {
  if (tsr_need(choices && options, "the struct of the choices or of the options", error))
    return TSR_BAD_INPUT;
  const double *range = choices->time_range;
  const tsr_status status = check_image(choices, options, error);
  if (status != TSR_OK)
    return status;
  if (choices->time_steps < 1 || choices->time_steps > TSR_JET_MAX_STEPS)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "Time Steps must be a number from 1 to %d, not %d.",
                    TSR_JET_MAX_STEPS, choices->time_steps);
  /* The difference of two finite numbers may be infinite. */
  if (!isfinite(range[1] - range[0]))
    return tsr_fail(error, TSR_BAD_OPTION, -1, "Time Range must be finite; it is %g to %g.",
                    range[0], range[1]);
  return TSR_OK;
}

void tsr_jet_choices_apply(const tsr_jet_choices *choices, double time, tsr_jet_options *options) {
  for (int axis = 0; axis < 3; ++axis) {
    options->whole[2 * axis] = 0;
    options->whole[2 * axis + 1] = choices->dimensions[axis] - 1;
  }
  options->time = time;
}

void tsr_jet_place(const tsr_jet_choices *choices, const tsr_jet_options *options, double origin[3],
                   double spacing[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    const double low = options->bounds[2 * axis];
    const double length = options->bounds[2 * axis + 1] - low;
    const int cells = choices->dimensions[axis] - 1;
    origin[axis] = cells > 0 ? low : low + 0.5 * length;
    spacing[axis] = cells > 0 ? length / cells : length;
  }
}

double tsr_jet_time(const tsr_jet_choices *choices, int step) {
  const double *range = choices->time_range;
  return step == 0
             ? range[0]
             : range[0] + (range[1] - range[0]) * (double)step / (double)(choices->time_steps - 1);
}

tsr_status tsr_jet_check_memory(const tsr_jet_choices *choices, double points, double available,
                                tsr_error *error) {
  if (tsr_need(choices != NULL, "the struct of the choices", error))
    return TSR_BAD_INPUT;
  const int values = 5; /* the velocity, the temperature and the scalar */
  const double bytes = points * values * (choices->output_precision == 1 ? 8.0 : 4.0);
  if (bytes > available)
    return tsr_fail(error, TSR_TOO_LARGE, -1,
                    "the image would have %.0f points and need %.0f bytes of memory, where %.0f "
                    "bytes are available; choose smaller Dimensions",
                    points, bytes, available);
  return TSR_OK;
}
