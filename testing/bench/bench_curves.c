/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Speed of the curves' CPU backend, by itself: points a second, and bytes written a second beside
 * a plain memory copy of as many bytes in the same run. Before that, how many segments the three
 * samplings make, and the least number that there could be with vertices on the curve.
 * Use: bench_curves [RUNS]   (default 7; the median counts)
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "case_file.h"
#include "executor.h"
#include "greedy.h"
#include "median.h"

enum { CURVES = 20000, MOST_RUNS = 101 };

/** One way to use the filter. */
typedef struct bench_case {
  const char *name;
  curve_set set;
  tsr_curves_options options;
  int with_array;
} bench_case;

/** What one run took and made. Seconds are medians after all runs. */
typedef struct bench_result {
  double plan, fresh, touched;
  int64_t points, bytes;
} bench_result;

static double now(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void fill_or_exit(tsr_curves_plan *plan, const tsr_curves_output *output) {
  tsr_error error;
  if (tsr_curves_fill(plan, output, &error) != TSR_OK) {
    fprintf(stderr, "%s\n", error.text);
    exit(1);
  }
}

/** Plans, fills fresh memory, and fills the same memory again. */
static void run_once(const bench_case *c, const tsr_execution *execution, double seconds[3],
                     bench_result *result) {
  const tsr_curves_view view = curve_set_view(&c->set);
  tsr_curves_plan *plan = NULL;
  tsr_error error;
  double start = now();
  if (tsr_curves_plan_create(&view, &c->options, execution, &plan, &error) != TSR_OK) {
    fprintf(stderr, "%s\n", error.text);
    exit(1);
  }
  seconds[0] = now() - start;
  const tsr_curves_sizes *sizes = tsr_curves_plan_sizes(plan);
  const size_t points = (size_t)sizes->points;
  start = now();
  float *values = malloc(points * 4 * sizeof *values);
  int64_t *ids = malloc(((size_t)sizes->connectivity + (size_t)sizes->cells + 1) * sizeof *ids);
  tsr_attribute attribute = {{c->set.weights, TSR_DOUBLE, 1, c->set.n_points}, NULL, 0};
  float *array = malloc((size_t)c->set.n_points * sizeof *array);
  for (int64_t i = 0; i < c->set.n_points; i++) {
    array[i] = (float)c->set.points[3 * i];
  }
  attribute.in = (tsr_array){array, TSR_FLOAT, 1, c->set.n_points};
  attribute.out = values + 3 * points;
  attribute.mode = TSR_INTERPOLATE_CURVE;
  tsr_curves_output output;
  tsr_curves_output_init(&output);
  output.points = values;
  output.connectivity = ids;
  output.offsets = ids + sizes->connectivity;
  output.attributes = &attribute;
  output.n_attributes = c->with_array;
  fill_or_exit(plan, &output);
  seconds[1] = now() - start;
  start = now();
  fill_or_exit(plan, &output);
  seconds[2] = now() - start;
  result->points = sizes->points;
  result->bytes = sizes->points * (12 + 4 * c->with_array) + 8 * sizes->connectivity;
  tsr_curves_plan_free(plan);
  free(values);
  free(ids);
  free(array);
}

/** Seconds to copy so many bytes by memcpy between touched memory. */
static double copy_seconds(int64_t bytes, int runs) {
  double seconds[MOST_RUNS];
  char *from = malloc((size_t)bytes);
  char *to = malloc((size_t)bytes);
  memset(from, 1, (size_t)bytes);
  memset(to, 2, (size_t)bytes);
  for (int i = 0; i < runs; i++) {
    const double start = now();
    memcpy(to, from, (size_t)bytes);
    seconds[i] = now() - start;
    from[i] = to[runs - i]; /* so that no copy can be left out */
  }
  free(from);
  free(to);
  return median(seconds, runs);
}

static void measure(const bench_case *c, int threads, int runs) {
  executor exec = {.threads = threads};
  tsr_execution execution = executor_execution(&exec);
  if (threads == 1) {
    execution.run = NULL;
  }
  double seconds[3][MOST_RUNS];
  bench_result result = {0};
  for (int i = 0; i < runs; i++) {
    double one[3];
    run_once(c, &execution, one, &result);
    for (int k = 0; k < 3; k++) {
      seconds[k][i] = one[k];
    }
  }
  result.plan = median(seconds[0], runs);
  result.fresh = median(seconds[1], runs);
  result.touched = median(seconds[2], runs);
  const double copy = copy_seconds(result.bytes, runs);
  const double whole = result.plan + result.fresh;
  printf("%-34s %d thread%s  %9lld points %8.1f M points/s  plan %6.2f ms  fill %6.2f ms "
         "(touched memory %6.2f ms: %5.2f GB/s)  memcpy %5.2f GB/s, fill/memcpy %.2f\n",
         c->name, threads, threads == 1 ? " " : "s", (long long)result.points,
         1e-6 * (double)result.points / whole, 1e3 * result.plan, 1e3 * result.fresh,
         1e3 * result.touched, 1e-9 * (double)result.bytes / result.touched,
         1e-9 * (double)result.bytes / copy, result.touched / copy);
}

static void random_curves(curve_set *set, tsr_curve_kind kind, int points, int curves) {
  uint64_t state = 1;
  curve_set_init(set);
  for (int i = 0; i < curves; i++) {
    double xyz[3 * 8];
    for (int k = 0; k < 3 * points; k++) {
      xyz[k] = random_in(&state, 0.0, 1.0);
    }
    curve_set_add(set, kind, points, xyz, NULL, 0);
  }
}

/** Segments of the set's curves, and the median of the plan's seconds. */
static int64_t segments(const curve_set *set, tsr_sampling sampling, double error, int runs,
                        double *seconds) {
  const tsr_curves_options options = options_chord_error(sampling, error);
  const tsr_curves_view view = curve_set_view(set);
  double each[MOST_RUNS];
  int64_t n = 0;
  for (int i = 0; i < runs; i++) {
    tsr_curves_plan *plan = NULL;
    tsr_error why;
    const double start = now();
    if (tsr_curves_plan_create(&view, &options, NULL, &plan, &why) != TSR_OK) {
      fprintf(stderr, "%s\n", why.text);
      exit(1);
    }
    each[i] = now() - start;
    n = tsr_curves_plan_sizes(plan)->connectivity - tsr_curves_plan_sizes(plan)->cells;
    tsr_curves_plan_free(plan);
  }
  *seconds = median(each, runs);
  return n;
}

static void print_ratios(const char *name, const curve_set *set, double error, int runs) {
  static const char *const names[] = {"uniform", "bisection", "equal error"};
  int64_t least = 0;
  for (int64_t i = 0; i < set->n_items; i++) {
    least += set->kinds[i] == TSR_KIND_NONE ? 0 : greedy_segments(set, i, error);
  }
  printf("%-18s %-7g least %9lld", name, error, (long long)least);
  for (int s = 0; s <= TSR_SAMPLING_EQUAL_ERROR; s++) {
    double seconds;
    const int64_t n = segments(set, (tsr_sampling)s, error, runs, &seconds);
    printf("; %s %9lld (%.3f) in %7.2f ms", names[s], (long long)n, (double)n / (double)least,
           1e3 * seconds);
  }
  printf("\n");
}

static void print_file(const char *name, double error, int runs) {
  case_file file;
  curve_set set;
  if (!case_file_open(&file, name)) {
    return;
  }
  curve_set_init(&set);
  case_file_curves(&file, TSR_KIND_NONE, &set);
  for (int i = 0; i < 3; i++, error /= 10.0) {
    print_ratios(name, &set, error, runs);
  }
  curve_set_free(&set);
  case_file_close(&file);
}

/** The tiger's segments beside those of other programs' methods, as nical/bezier_flattening at
 *  39184cc2 publishes them (notes/results/edge-count-cubic-tiger.md, MIT). Not all of those
 * guarantee the tolerance. */
static void print_published(void) {
  enum { TOLERANCES = 10, METHODS = 5 };
  static const double tolerances[TOLERANCES] = {0.01, 0.025, 0.05, 0.075, 0.1,
                                                0.15, 0.2,   0.25, 0.5,   1.0};
  static const struct {
    const char *name;
    int counts[TOLERANCES];
  } methods[METHODS] = {
      {"recursive", {37604, 23766, 17249, 14049, 12095, 10009, 8828, 7892, 5687, 4096}},
      {"linear", {36832, 23181, 16632, 13522, 11744, 9712, 8440, 7622, 5483, 4018}},
      {"levien", {28410, 18252, 13170, 10978, 9590, 8061, 7066, 6413, 4821, 3724}},
      {"hain", {24112, 16064, 12218, 10621, 9805, 9050, 8975, 9411, 6878, 5054}},
      {"wang", {63524, 40470, 28935, 23813, 20709, 17111, 14930, 13461, 9778, 7199}}};
  case_file file;
  curve_set set;
  if (!case_file_open(&file, "tiger_bezier")) {
    return;
  }
  curve_set_init(&set);
  case_file_curves(&file, TSR_KIND_NONE, &set);
  printf("the tiger's cubics, with what others make of them over equal error's segments\n");
  for (int t = 0; t < TOLERANCES; t++) {
    double seconds;
    const int64_t own = segments(&set, TSR_SAMPLING_EQUAL_ERROR, tolerances[t], 1, &seconds);
    printf("%-6g equal error %6lld", tolerances[t], (long long)own);
    for (int m = 0; m < METHODS; m++) {
      printf("; %s %6d (%.3f)", methods[m].name, methods[m].counts[t],
             (double)methods[m].counts[t] / (double)own);
    }
    printf("\n");
  }
  curve_set_free(&set);
  case_file_close(&file);
}

/** Roads: legs of some length that turn as they go, a curve at a time. */
static void roads(curve_set *set, int n) {
  enum { POINTS = 400 };
  uint64_t state = 3;
  curve_set_init(set);
  for (int i = 0; i < n; i++) {
    double xyz[3 * POINTS] = {0}, heading = random_in(&state, 0.0, 6.0), bend = 0.0;
    for (int k = 1; k < POINTS; k++) {
      bend = k % 40 == 0 ? random_in(&state, -0.05, 0.05) : bend;
      heading += bend;
      xyz[3 * k] = xyz[3 * k - 3] + 10.0 * cos(heading);
      xyz[3 * k + 1] = xyz[3 * k - 2] + 10.0 * sin(heading);
    }
    curve_set_add(set, TSR_KIND_CATMULL_ROM, POINTS, xyz, NULL, 0);
  }
}

/** Polylines, whose joints may go: points, and times the least number, as the report estimates it.
 */
static void print_estimate(const char *name, const curve_set *set, double error) {
  const tsr_curves_view view = curve_set_view(set);
  printf("%-18s %-7g %9lld points in", name, error, (long long)set->n_points);
  for (int joints = 0; joints <= TSR_JOINTS_WHERE_NEEDED; joints++) {
    tsr_curves_options o = options_chord_error(TSR_SAMPLING_EQUAL_ERROR, error);
    tessellation out;
    o.joints = (tsr_joints)joints;
    if (tessellate(&view, &o, NULL, NULL, 0, &out) != TSR_OK) {
      fprintf(stderr, "%s\n", out.error.text);
      exit(1);
    }
    printf("; %s %9lld (%.3f)", joints ? "joints where needed" : "all joints",
           (long long)out.sizes.points, tsr_report_over_least(&out.report));
    tessellation_free(&out);
  }
  printf("\n");
}

static void print_estimates(void) {
  case_file file;
  curve_set set;
  printf("points, and times the least number estimated by the integral\n");
  roads(&set, 100);
  for (double error = 1.0; error > 0.005; error /= 10.0) {
    print_estimate("made roads", &set, error);
  }
  curve_set_free(&set);
  if (!case_file_open(&file, "tract_example")) {
    return;
  }
  curve_set_init(&set);
  case_file_curves(&file, TSR_KIND_CATMULL_ROM, &set);
  for (double error = 1.0; error > 0.005; error /= 10.0) {
    print_estimate("tract_example", &set, error);
  }
  curve_set_free(&set);
  case_file_close(&file);
}

static void print_all_ratios(int runs) {
  printf("segments, times the least number, and the plan on one thread\n");
  for (int order = 3; order <= 6; order++) {
    curve_set set;
    char name[32];
    random_curves(&set, TSR_KIND_BEZIER, order, 2000);
    snprintf(name, sizeof name, "degree %d", order - 1);
    for (double error = 1e-2; error > 5e-5; error /= 10.0) {
      print_ratios(name, &set, error, runs);
    }
    curve_set_free(&set);
  }
  print_file("tiger_bezier", 1.0, runs);
  print_file("DejaVuSans_bezier", 10.0, runs);
  print_published();
  print_estimates();
}

/** Arithmetic that touches no memory. */
static void spin(void *data, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; i++) {
    volatile double x = 1.0;
    for (int k = 0; k < 3000000; k++) {
      x = x * 1.0000001;
    }
  }
  (void)data;
}

/** How many times the work of one thread two of them do here: what two can gain at most. */
static double two_threads_gain(void) {
  double seconds[2];
  for (int threads = 1; threads <= 2; threads++) {
    executor exec = {.threads = threads};
    const tsr_execution execution = executor_execution(&exec);
    const double start = now();
    execution.run(execution.run_context, 32, 1, spin, NULL);
    seconds[threads - 1] = now() - start;
  }
  return seconds[0] / seconds[1];
}

int main(int argc, char **argv) {
  int runs = argc > 1 ? atoi(argv[1]) : 7;
  runs = runs < 1 ? 1 : runs > MOST_RUNS ? MOST_RUNS : runs;
  printf("pure arithmetic: two threads do %.2f times the work of one\n", two_threads_gain());
  print_all_ratios(runs);
  bench_case cases[4];
  cases[0].name = "Catmull-Rom, 133 pieces a line";
  random_curves(&cases[0].set, TSR_KIND_CATMULL_ROM, 8, CURVES);
  cases[0].options = options_points_per_span(20); /* 7 spans of 19 pieces */
  cases[0].with_array = 1;
  cases[1].name = "quadratic edges, uniform, 1e-4";
  random_curves(&cases[1].set, TSR_KIND_LAGRANGE, 3, CURVES);
  cases[1].options = options_chord_error(TSR_SAMPLING_UNIFORM, 1e-4);
  cases[1].with_array = 0;
  cases[2].name = "quadratic edges, bisection, 1e-4";
  random_curves(&cases[2].set, TSR_KIND_LAGRANGE, 3, CURVES);
  cases[2].options = options_chord_error(TSR_SAMPLING_BISECTION, 1e-4);
  cases[2].with_array = 0;
  cases[3].name = "quadratic edges, equal error, 1e-4";
  random_curves(&cases[3].set, TSR_KIND_LAGRANGE, 3, CURVES);
  cases[3].options = options_chord_error(TSR_SAMPLING_EQUAL_ERROR, 1e-4);
  cases[3].with_array = 0;
  for (int c = 0; c < 4; c++) {
    for (int threads = 1; threads <= 2; threads++) {
      measure(&cases[c], threads, runs);
    }
    curve_set_free(&cases[c].set);
  }
  return 0;
}
