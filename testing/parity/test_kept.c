/* SPDX-License-Identifier: BSD-3-Clause */
/** Curves whose input stays on the device: a plan that is made of it does not notice that the
 * host's values are others by now, unless it is told. */
#include "check.h"
#include "views.h"

#include <stdlib.h>
#include <string.h>

/** Curves whose points are also their only array. */
typedef struct input {
  curve_set set;
  wanted want;
  tsr_curves_options options;
  tsr_execution cuda;
  outputs before, after; /* of the CPU: with the points as made, and with all of them doubled */
} input;

static void make(const input *in, const tsr_execution *execution, outputs *out) {
  const tsr_curves_view view = curve_set_view(&in->set);
  CHECK_INT(outputs_make(&view, &in->options, execution, &in->want, out), TSR_OK);
}

static void scale(input *in, double factor) {
  for (int64_t i = 0; i < 3 * in->set.n_points; i++) {
    in->set.points[i] *= factor;
  }
}

static void input_make(input *in, int64_t n) {
  const tsr_execution cpu = execution_cpu();
  memset(in, 0, sizeof *in);
  curve_set_init(&in->set);
  random_curves(&in->set, TSR_KIND_CATMULL_ROM, n, 0, 0, 5);
  in->want.points_type = TSR_DOUBLE;
  in->want.index_type = TSR_INT64;
  in->want.attributes[0] = (tsr_array){in->set.points, TSR_DOUBLE, 3, in->set.n_points};
  in->want.modes[0] = TSR_INTERPOLATE_CURVE;
  in->want.n_attributes = 1;
  tsr_curves_options_init(&in->options);
  in->options.chord_relative = 0; /* to a box of what the host has */
  in->options.chord_error = 0.01;
  make(in, &cpu, &in->before);
  scale(in, 2.0);
  make(in, &cpu, &in->after);
  scale(in, 0.5);
  in->cuda = execution_cuda();
  in->cuda.generation = generation_of_all;
  in->cuda.owner = in;
}

/** The curves with these values, made of what the device has of this generation. */
static void expect(const input *in, uint64_t of_values, const outputs *expected, const char *what) {
  outputs made;
  generation_now = of_values;
  make(in, &in->cuda, &made);
  CHECK_SAME(expected, &made, what);
  outputs_free(&made);
}

int main(int argc, char **argv) {
  const int small = argc > 1 && strcmp(argv[1], "small") == 0;
  const int missing = gpu_missing();
  int other = 0;
  input in;
  if (missing) {
    return missing;
  }
  input_make(&in, small ? 40 : 4000);
  CHECK(outputs_difference(&in.before, &in.after, "") != NULL);
  expect(&in, 1, &in.before, "at first");
  scale(&in, 2.0);
  expect(&in, 1, &in.before, "what lies there");
  expect(&in, 2, &in.after, "others");
  scale(&in, 0.5);
  expect(&in, 2, &in.after, "what lies there by now");
  expect(&in, 0, &in.before, "not known");
  tsr_device_forget(&other);
  expect(&in, 2, &in.after, "another owner is forgotten");
  tsr_device_forget(&in);
  expect(&in, 2, &in.before, "forgotten");
  scale(&in, 2.0);
  in.options.launch.keep_bytes = 24 * in.set.n_points - 1;
  expect(&in, 2, &in.after, "too little for the points");
  in.options.launch.keep_bytes = 1 << 30;
  expect(&in, 2, &in.before, "which are still there from before");
  in.options.launch.keep_bytes = 0;
  expect(&in, 2, &in.after, "nothing is to stay");
  in.options.launch.keep_bytes = 1 << 30;
  expect(&in, 2, &in.after, "and nothing did");
  in.options.launch.keep_bytes = -1;
  {
    const tsr_curves_view view = curve_set_view(&in.set);
    outputs made;
    CHECK_INT(outputs_make(&view, &in.options, &in.cuda, &in.want, &made), TSR_BAD_OPTION);
    CHECK(strstr(made.error.text, "kept on a device") != NULL);
    outputs_free(&made);
  }
  tsr_device_forget(&in);
  outputs_free(&in.before);
  outputs_free(&in.after);
  curve_set_free(&in.set);
  return check_result();
}
