/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Speed of coarsening on one thread, in input points a second: one curve of ten million points, and
 * a million curves of ten. Beside it, of the first 2,000 points of the curve, how many times the
 * least number of segments stay. The time is the processor's, so that other programs on the machine
 * take none of it; of a device, the clock's.
 * Use: bench_coarsen [RUNS [POINTS [cuda]]]   (default 5 and 10,000,000; the median counts)
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "least.h"
#include "median.h"
#include "tessera.h"

enum { MOST_RUNS = 101, PROBE = 2000 };

static tsr_backend_id backend = TSR_BACKEND_CPU;

static double now(void) {
  struct timespec t;
  if (backend == TSR_BACKEND_CPU) {
    return (double)clock() / CLOCKS_PER_SEC;
  }
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/** Most memory that this process has had so far, in bytes for each of n points. */
static double memory_a_point(double n) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * (double)usage.ru_maxrss / n;
}

/** Random number from 0 to 1. */
static double uniform(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) * 0x1p-53;
}

/** Polylines of equal length, one after another. */
typedef struct polylines {
  int64_t curves, each;
  double *x;
  float *field;
  int64_t *ids, *offsets;
} polylines;

static polylines make_polylines(int64_t points, int64_t each) {
  polylines p = {points / each, each, NULL, NULL, NULL, NULL};
  p.x = malloc((size_t)(3 * points) * sizeof *p.x);
  p.field = malloc((size_t)points * sizeof *p.field);
  p.ids = malloc((size_t)points * sizeof *p.ids);
  p.offsets = malloc((size_t)(p.curves + 1) * sizeof *p.offsets);
  for (int64_t i = 0; i < points; i++) {
    p.ids[i] = i;
  }
  for (int64_t i = 0; i <= p.curves; i++) {
    p.offsets[i] = i * each;
  }
  return p;
}

static void free_polylines(polylines *p) {
  free(p->x);
  free(p->field);
  free(p->ids);
  free(p->offsets);
}

typedef enum shape { WAVE, SMOOTH, NOISE, SHAPES } shape;

/** A wave in the plane, a smooth random curve in space, and a straight run with noise of 1. */
static void draw(polylines *p, shape kind) {
  uint64_t state = 1;
  double a = 0.0, b = 0.0, at[3] = {0.0, 0.0, 0.0};
  for (int64_t i = 0; i < p->curves * p->each; i++) {
    double *x = p->x + 3 * i;
    if (kind == SMOOTH) {
      a += 0.1 * (uniform(&state) - 0.5);
      b += 0.1 * (uniform(&state) - 0.5);
      at[0] += cos(a) * cos(b), at[1] += sin(a) * cos(b), at[2] += sin(b);
      memcpy(x, at, sizeof at);
    } else if (kind == NOISE) {
      x[0] = 0.3 * (double)i;
      x[1] = 2.0 * uniform(&state) - 1.0;
      x[2] = 2.0 * uniform(&state) - 1.0;
    } else {
      x[0] = 1e-2 * (double)i, x[1] = sin(x[0]), x[2] = 0.1 * cos(0.1 * x[0]);
    }
    p->field[i] = (float)sin(0.003 * (double)i);
  }
}

static void run_once(const polylines *p, double error, int with_field, double seconds[2],
                     int64_t *made) {
  tsr_curves_view view;
  tsr_curves_options options;
  tsr_curves_output output;
  tsr_curves_plan *plan = NULL;
  tsr_execution execution;
  tsr_error why;
  const int64_t points = p->curves * p->each;
  const tsr_array field = {p->field, TSR_FLOAT, 1, points};
  tsr_curves_view_init(&view);
  view.points = (tsr_array){p->x, TSR_DOUBLE, 3, points};
  view.n_items = p->curves;
  view.offsets = p->offsets;
  view.connectivity = p->ids;
  view.n_connectivity = points;
  view.index_type = TSR_INT64;
  view.kind = TSR_KIND_STRAIGHT;
  tsr_curves_options_init(&options);
  options.chord_relative = 0;
  options.chord_error = error;
  options.fields = &field;
  options.n_fields = with_field;
  tsr_execution_init(&execution);
  execution.backend = backend;
  double start = now();
  if (tsr_curves_plan_create(&view, &options, &execution, &plan, &why) != TSR_OK) {
    fprintf(stderr, "%s\n", why.text);
    exit(1);
  }
  seconds[0] = now() - start;
  *made = tsr_curves_plan_sizes(plan)->points;
  float *values = malloc((size_t)*made * 4 * sizeof *values);
  int64_t *ids = malloc((size_t)(*made + 2 * p->curves + 1) * sizeof *ids);
  tsr_attribute attribute = {field, values + 3 * *made, TSR_INTERPOLATE_CURVE};
  tsr_curves_output_init(&output);
  output.points = values;
  output.connectivity = ids;
  output.offsets = ids + tsr_curves_plan_sizes(plan)->connectivity;
  output.attributes = &attribute;
  output.n_attributes = with_field;
  start = now();
  if (tsr_curves_fill(plan, &output, &why) != TSR_OK) {
    fprintf(stderr, "%s\n", why.text);
    exit(1);
  }
  seconds[1] = now() - start;
  tsr_curves_plan_free(plan);
  free(values);
  free(ids);
}

/** Segments that stay of the first points, over the least number. */
static double ratio(const polylines *p, double error) {
  const tsr_backend_id asked = backend;
  polylines probe = *p;
  int64_t ends[2] = {0, PROBE}, made;
  double seconds[2];
  probe.curves = 1;
  probe.each = PROBE;
  probe.offsets = ends;
  backend = TSR_BACKEND_CPU;
  run_once(&probe, error, 0, seconds, &made);
  backend = asked;
  return (double)(made - 1) / (double)least_segments(p->x, PROBE, error * (1.0 + 1e-12));
}

static void measure(const char *name, const polylines *p, double error, int with_field, int runs) {
  double plan[MOST_RUNS], fill[MOST_RUNS];
  const double points = (double)(p->curves * p->each);
  int64_t made = 0;
  for (int i = 0; i < runs; i++) {
    double seconds[2];
    run_once(p, error, with_field, seconds, &made);
    plan[i] = seconds[0];
    fill[i] = seconds[1];
  }
  const double one = median(plan, runs), other = median(fill, runs);
  printf("%8lld x %-8lld %-7s error %-6g %-10s %9lld stay  plan %6.1f M points/s, with fill %6.1f",
         (long long)p->curves, (long long)p->each, name, error, with_field ? "with field" : "",
         (long long)made, 1e-6 * points / one, 1e-6 * points / (one + other));
  if (p->each >= PROBE && !with_field)
    printf("  %.3f times the least number", ratio(p, error));
  printf("\n");
  fflush(stdout);
}

/** What reading and writing of the coordinates take by themselves. */
static void print_floor(const polylines *p, int runs) {
  const int64_t n = 3 * p->curves * p->each;
  double seconds[MOST_RUNS], sum = 0.0;
  for (int i = 0; i < runs; i++) {
    const double start = now();
    for (int64_t k = 0; k < n; k++) {
      sum += p->x[k];
    }
    seconds[i] = now() - start;
  }
  printf("reading the coordinates once: %.1f M points/s (%g)\n",
         1e-6 * (double)n / 3.0 / median(seconds, runs), sum);
}

int main(int argc, char **argv) {
  static const char *const names[SHAPES] = {"wave", "smooth", "noise"};
  static const double errors[SHAPES][3] = {{1e-4, 1e-2, 0.3}, {1e-2, 0.3, 5.0}, {0.1, 1.0, 1.5}};
  int runs = argc > 1 ? atoi(argv[1]) : 5;
  int64_t points = argc > 2 ? atoll(argv[2]) : 10000000;
  runs = runs < 1 ? 1 : runs > MOST_RUNS ? MOST_RUNS : runs;
  points = points < PROBE ? PROBE : points - points % 10;
  backend = argc > 3 && strcmp(argv[3], "cuda") == 0 ? TSR_BACKEND_CUDA : TSR_BACKEND_CPU;
  for (int many = 0; many < 2; many++) {
    polylines p = make_polylines(points, many ? 10 : points);
    for (int kind = 0; kind < SHAPES; kind++) {
      draw(&p, (shape)kind);
      if (kind == 0)
        print_floor(&p, runs);
      for (int e = 0; e < 3; e++)
        measure(names[kind], &p, errors[kind][e], 0, runs);
      measure(names[kind], &p, errors[kind][1], 1, runs);
    }
    free_polylines(&p);
    printf("most memory so far, input and output included: %.0f bytes a point\n",
           memory_a_point((double)points));
  }
  return 0;
}
