/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Coarsening of a long curve and of many short ones: what stays is the same whatever else is in the
 * input, and the time of both is linear; and when Auto leaves an input to the CPU, which is a
 * decision that no device takes part in. And lines whose points are copied are what evaluating them
 * gives.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "curve_set.h"
#include "curves/plan.h"
#include "executor.h"

/** Points on a wave, 0.01 apart along x. */
static void add_wave(curve_set *set, int curves, int each) {
  double *x = malloc((size_t)3 * (size_t)each * sizeof *x);
  for (int c = 0; c < curves; c++) {
    for (int i = 0; i < each; i++) {
      const double t = 0.01 * ((double)c * each + i);
      x[3 * i] = t;
      x[3 * i + 1] = sin(t);
      x[3 * i + 2] = 0.1 * cos(0.1 * t);
    }
    curve_set_add(set, TSR_KIND_STRAIGHT, each, x, NULL, 0);
  }
  free(x);
}

/** Processor seconds of `curves` waves of `each` points, the best of three; *points: what stays.
 *  longest: most length of a segment; 0: any. */
static double seconds_of(int curves, int each, double error, double longest, int64_t *points) {
  double best = INFINITY;
  curve_set set;
  curve_set_init(&set);
  add_wave(&set, curves, each);
  const tsr_curves_view view = curve_set_view(&set);
  tsr_curves_options o = options_chord_error(TSR_SAMPLING_EQUAL_ERROR, error);
  o.joints = TSR_JOINTS_WHERE_NEEDED;
  o.use_max_length = longest > 0.0;
  o.max_length = longest;
  for (int run = 0; run < 3; run++) {
    tsr_curves_plan *plan = NULL;
    tsr_execution execution;
    tsr_error why;
    tsr_execution_init(&execution);
    execution.backend = TSR_BACKEND_CPU;
    const double start = (double)clock() / CLOCKS_PER_SEC;
    CHECK_INT(tsr_curves_plan_create(&view, &o, &execution, &plan, &why), TSR_OK);
    const double took = (double)clock() / CLOCKS_PER_SEC - start;
    best = took < best ? took : best;
    *points = tsr_curves_plan_sizes(plan)->points;
    tsr_curves_plan_free(plan);
  }
  curve_set_free(&set);
  return best;
}

/** Eight times the input takes about eight times as long: 16 leaves room for other work of the
 *  machine, and 64 would be quadratic. What stays of a wave is in proportion, too. */
static void check_linear(void) {
  static const int cases[3][2] = {{1, 100000}, {10000, 10}, {100, 1000}};
  for (int c = 0; c < 3; c++) {
    const int many = cases[c][0] > 1;
    int64_t few, more;
    const double one = seconds_of(cases[c][0], cases[c][1], 1e-3, 0.0, &few);
    const double eight =
        seconds_of(cases[c][0] * (many ? 8 : 1), cases[c][1] * (many ? 1 : 8), 1e-3, 0.0, &more);
    printf("%d x %d: %.4f s, of eight times as many %.4f s\n", cases[c][0], cases[c][1], one,
           eight);
    CHECK_AT_MOST(eight, 16.0 * one + 0.02);
    CHECK_SAY(fabs((double)more / (double)few - 8.0) < 0.1, "%lld and %lld", (long long)few,
              (long long)more);
  }
}

/** The segment length ends segments long before the chord error would: no vertex is looked at from
 *  far away all the same. */
static void check_length_is_linear(void) {
  int64_t few, more;
  const double one = seconds_of(1, 8000, 100.0, 0.05, &few);
  const double eight = seconds_of(1, 64000, 100.0, 0.05, &more);
  printf("length, 8000: %.4f s, of eight times as many %.4f s\n", one, eight);
  CHECK_AT_MOST(eight, 16.0 * one + 0.02);
  CHECK_AT_MOST(6.0 * (double)few, (double)more);
}

/** Whether Auto leaves `curves` of `each` points, and one of `long_one`, to the CPU. */
static int left_to_cpu(int64_t curves, int64_t each, int64_t long_one, int threads) {
  tsr_curves_view view;
  int32_t *offsets = malloc((size_t)(curves + 2) * sizeof *offsets);
  for (int64_t i = 0; i <= curves; i++) {
    offsets[i] = (int32_t)(i * each);
  }
  offsets[curves + 1] = (int32_t)(curves * each + long_one);
  tsr_curves_view_init(&view);
  view.n_items = curves + (long_one > 0);
  view.offsets = offsets;
  view.index_type = TSR_INT32;
  view.n_connectivity = offsets[curves + 1];
  const int left = tsr_curves_walks_are_few(&view, threads);
  free(offsets);
  return left;
}

static void check_auto(void) {
  CHECK(left_to_cpu(0, 0, 10000000, 1));     /* one long one: 153 walks */
  CHECK(left_to_cpu(10, 100000, 0, 1));      /* few long ones */
  CHECK(left_to_cpu(20, 20, 0, 1));          /* hardly anything */
  CHECK(left_to_cpu(0, 0, 0, 1));            /* nothing */
  CHECK(!left_to_cpu(1000000, 10, 0, 1));    /* many short ones */
  CHECK(!left_to_cpu(1000000, 10, 0, 64));   /* and 64 threads */
  CHECK(!left_to_cpu(200000, 20, 0, 64));    /* streamlines */
  CHECK(left_to_cpu(1000000, 10, 65536, 1)); /* they would wait for the long one */
  CHECK(!left_to_cpu(10000, 1000, 0, 1));    /* 10,000 walks */
  CHECK(left_to_cpu(10000, 1000, 0, 64));    /* that 64 threads are done with before */
}

enum { COPIED = 500 };

/** Everything that is made of lines, all at once. */
typedef struct made {
  double points[3 * COPIED], parameter[COPIED], vectors[3 * COPIED];
  float scalars[COPIED];
  int64_t ids[COPIED], nearest[COPIED], connectivity[COPIED], offsets[8];
} made;

/** Fills the plan; with_curvature: legs have to be known, so that spans are evaluated. */
static void fill_made(tsr_curves_plan *plan, const tsr_array in[3], int with_curvature, made *m) {
  double curvature[COPIED];
  tsr_attribute attributes[3] = {{in[0], m->vectors, TSR_INTERPOLATE_CURVE},
                                 {in[1], m->scalars, TSR_INTERPOLATE_LINEAR},
                                 {in[2], m->ids, TSR_INTERPOLATE_NEAREST}};
  tsr_curves_output out;
  tsr_error why;
  memset(m, 0, sizeof *m);
  tsr_curves_output_init(&out);
  out.points_type = TSR_DOUBLE;
  out.points = m->points;
  out.connectivity = m->connectivity;
  out.offsets = m->offsets;
  out.parameter = m->parameter;
  out.nearest_point = m->nearest;
  out.curvature = with_curvature ? curvature : NULL;
  out.attributes = attributes;
  out.n_attributes = 3;
  CHECK_INT(tsr_curves_fill(plan, &out, &why), TSR_OK);
}

/** Open and closed lines, and one of two points. */
static void check_copied(void) {
  enum { N = 150 };
  double x[3 * N], vectors[9 * N];
  float scalars[3 * N];
  int64_t ids[3 * N];
  curve_set set;
  tsr_curves_plan *plan = NULL;
  tsr_error why;
  static made copied, evaluated;
  curve_set_init(&set);
  for (int i = 0; i < N; i++) {
    x[3 * i] = cos(0.04 * i), x[3 * i + 1] = sin(0.04 * i), x[3 * i + 2] = 0.01 * (i % 7);
  }
  curve_set_add(&set, TSR_KIND_STRAIGHT, N, x, NULL, 0);
  curve_set_add(&set, TSR_KIND_STRAIGHT, N, x, NULL, 1);
  curve_set_add(&set, TSR_KIND_STRAIGHT, 2, x, NULL, 0);
  for (int64_t i = 0; i < set.n_points; i++) {
    scalars[i] = (float)i, ids[i] = ((int64_t)1 << 60) + i;
    vectors[3 * i] = vectors[3 * i + 1] = vectors[3 * i + 2] = 0.1 * (double)i;
  }
  const tsr_array in[3] = {{vectors, TSR_DOUBLE, 3, set.n_points},
                           {scalars, TSR_FLOAT, 1, set.n_points},
                           {ids, TSR_INT64, 1, set.n_points}};
  for (double error = 0.001; error < 1.0; error *= 4.0) {
    const tsr_curves_view view = curve_set_view(&set);
    tsr_curves_options o = options_chord_error(TSR_SAMPLING_EQUAL_ERROR, error);
    o.joints = TSR_JOINTS_WHERE_NEEDED;
    CHECK_INT(tsr_curves_plan_create(&view, &o, NULL, &plan, &why), TSR_OK);
    CHECK(tsr_curves_plan_sizes(plan)->points <= COPIED);
    fill_made(plan, in, 0, &copied);
    fill_made(plan, in, 1, &evaluated);
    CHECK_SAY(memcmp(&copied, &evaluated, sizeof copied) == 0, "error %g", error);
    tsr_curves_plan_free(plan);
  }
  curve_set_free(&set);
}

int main(void) {
  check_copied();
  check_auto();
  check_linear();
  check_length_is_linear();
  return check_result();
}
