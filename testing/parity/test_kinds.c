/* SPDX-License-Identifier: BSD-3-Clause */
/** Every kind of curve, sampling, criterion and array type: CUDA gives the CPU's bytes. */
#include "check.h"
#include "views.h"

#include <stdlib.h>
#include <string.h>

static const char *const sampling_names[] = {"uniform", "bisection", "equal error",
                                             "equal arc length"};

static void compare(const curve_set *set, const tsr_curves_options *options, const wanted *want,
                    const char *what) {
  const tsr_curves_view view = curve_set_view(set);
  const tsr_execution on_cpu = execution_cpu(), on_cuda = execution_cuda();
  outputs cpu, cuda;
  CHECK_SAY(outputs_make(&view, options, &on_cpu, want, &cpu) == TSR_OK, "%s: the CPU: %s", what,
            cpu.error.text);
  outputs_make(&view, options, &on_cuda, want, &cuda);
  CHECK_SAME(&cpu, &cuda, what);
  outputs_free(&cpu);
  outputs_free(&cuda);
}

/** Kind 0 is all kinds mixed. */
static void kind_by_criteria(int kind, int rational, int bad, int64_t curves) {
  curve_set set;
  wanted want = {.points_type = kind % 2 ? TSR_DOUBLE : TSR_FLOAT,
                 .index_type = kind % 2 ? TSR_INT32 : TSR_INT64,
                 .generated = 1};
  double *storage;
  curve_set_init(&set);
  random_curves(&set, (tsr_curve_kind)kind, curves, rational, bad, 77u + (uint64_t)kind);
  random_attributes(set.n_points, 5, &want, &storage);
  for (int sampling = 0; sampling <= TSR_SAMPLING_EQUAL_ARC_LENGTH; sampling++) {
    for (int which = 0; which < OPTION_CASES; which++) {
      char what[120];
      const tsr_curves_options o = option_case(which, (tsr_sampling)sampling, &want);
      snprintf(what, sizeof what, "kind %d%s%s, %s, %s", kind, rational ? " rational" : "",
               bad ? " with bad items" : "", sampling_names[sampling], option_case_name(which));
      compare(&set, &o, &want, what);
    }
  }
  free(storage);
  curve_set_free(&set);
}

static void empty_input(void) {
  curve_set set;
  const wanted want = {.points_type = TSR_FLOAT, .index_type = TSR_INT64, .generated = 1};
  const tsr_curves_options o = option_case(0, TSR_SAMPLING_BISECTION, &want);
  const double point[3] = {1.0, 2.0, 3.0};
  curve_set_init(&set);
  compare(&set, &o, &want, "no curves");
  curve_set_add(&set, TSR_KIND_CATMULL_ROM, 1, point, NULL, 0);
  compare(&set, &o, &want, "a single point");
  curve_set_free(&set);
}

/** The plain cells that have kernels of their own; small: fewer, and fewer points of each. */
static void plain_cells(int degree, tsr_type points, int small) {
  curve_set set;
  float *single;
  wanted want = {.points_type = TSR_FLOAT, .index_type = TSR_INT64, .generated = 0};
  const tsr_execution on_cpu = execution_cpu();
  tsr_execution on_cuda = execution_cuda();
  curve_set_init(&set);
  bezier_cells(&set, degree, small ? 150 : 5000, 9u + (uint64_t)degree);
  single = malloc((size_t)set.n_points * 3 * sizeof *single);
  for (int64_t i = 0; i < 3 * set.n_points; i++) {
    single[i] = i % 11 == 0 ? -0.0f : (float)set.points[i];
  }
  for (int components = 1; components <= 3; components++) { /* attributes that share the kernels */
    want.attributes[components - 1] = (tsr_array){single, TSR_FLOAT, components, set.n_points};
    want.modes[components - 1] = TSR_INTERPOLATE_CURVE;
    want.n_attributes = components;
  }
  for (int factor = 1; factor <= (small ? 64 : 1024); factor *= 4) {
    tsr_curves_view view = curve_set_view(&set);
    tsr_curves_options o = option_case(2, TSR_SAMPLING_UNIFORM, &want);
    outputs cpu, cuda;
    char what[80];
    if (points == TSR_FLOAT) {
      view.points.data = single;
      view.points.type = TSR_FLOAT;
    }
    o.curvature_factor = factor;
    o.min_points = factor % 3 + 2;
    o.max_points = 8 * factor;
    o.use_field_error = 0;
    o.use_chord_error = factor > 16;
    o.chord_error = 1e-4;
    /* 0 1 4 1 4 1: Auto, Block Per Item, Flat */
    o.launch.strategy = (tsr_curves_strategy)(factor % 5);
    if (factor == 64) {
      o.launch.strategy = TSR_STRATEGY_AGGREGATED_CHILDREN;
    }
    snprintf(what, sizeof what, "plain cells of degree %d, type %d, factor %d", degree, (int)points,
             factor);
    outputs_make(&view, &o, &on_cpu, &want, &cpu);
    outputs_make(&view, &o, &on_cuda, &want, &cuda);
    CHECK_SAME(&cpu, &cuda, what);
    outputs_free(&cpu);
    outputs_free(&cuda);
  }
  free(single);
  curve_set_free(&set);
}

/** Cells of one degree only, which has kernels of its own from 1 to 7: every sampling, criterion
 * and array. */
static void one_degree(int degree, int64_t curves) {
  curve_set set;
  wanted want = {
      .points_type = degree % 2 ? TSR_FLOAT : TSR_DOUBLE, .index_type = TSR_INT64, .generated = 1};
  double *storage;
  curve_set_init(&set);
  bezier_cells(&set, degree, curves, 31u + (uint64_t)degree);
  random_attributes(set.n_points, 6, &want, &storage);
  for (int sampling = 0; sampling <= TSR_SAMPLING_EQUAL_ARC_LENGTH; sampling++) {
    for (int which = 0; which < OPTION_CASES; which++) {
      char what[120];
      const tsr_curves_options o = option_case(which, (tsr_sampling)sampling, &want);
      snprintf(what, sizeof what, "degree %d alone, %s, %s", degree, sampling_names[sampling],
               option_case_name(which));
      compare(&set, &o, &want, what);
    }
  }
  free(storage);
  curve_set_free(&set);
}

/** Deals out the groups of checks to the parts that run side by side: 1 if the next one is ours. */
static int is_mine(int part, int parts) {
  static int group = -1;
  group++;
  return group % parts == part;
}

/** Arguments: "small" for a race checker or an emulated device; else PART and PARTS: only part
 * 0 .. PARTS - 1 of the checks. */
int main(int argc, char **argv) {
  const int small = argc > 1 && strcmp(argv[1], "small") == 0;
  const int part = argc > 2 ? atoi(argv[1]) : 0, parts = argc > 2 ? atoi(argv[2]) : 1;
  const int missing = gpu_missing();
  if (missing) {
    return missing;
  }
  empty_input();
  for (int kind = 0; kind <= (small ? 0 : TSR_KIND_NATURAL_SPLINE); kind++) {
    for (int rational = 0; rational < 2; rational++) {
      for (int bad = 0; bad < 2; bad++) {
        if (is_mine(part, parts)) {
          kind_by_criteria(kind, rational, bad, small ? 30 : 300);
        }
      }
    }
  }
  if (small) {
    kind_by_criteria(TSR_KIND_CATMULL_ROM, 0, 0, 20);
    kind_by_criteria(TSR_KIND_NATURAL_SPLINE, 0, 0, 20);
  }
  for (int degree = 1; degree <= 8; degree++) {
    if (is_mine(part, parts)) {
      one_degree(degree, small ? 10 : 200);
    }
  }
  for (int degree = 1; degree <= 4; degree++) {
    for (int single = 0; single < 2; single++) {
      if (is_mine(part, parts)) {
        plain_cells(degree, single ? TSR_FLOAT : TSR_DOUBLE, small);
      }
    }
  }
  return check_result();
}
