/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Adaptive Curves on the CPU with default settings, on inputs as users have them: short smooth
 * polylines with a noisy array, long stream lines with eight arrays, and Bezier cells.
 *
 * Each row prints medians of the wall time of the plan and of the fill and of the processor time of
 * both, which a busy machine disturbs least, and a hash of everything that was written: two builds
 * of the core that print the same hashes make the same bytes. The hash is made in the first run,
 * and is part of that run's processor time.
 * Use: bench_curves_users [RUNS [THREADS [CASE]]]   (default: 5 runs, 1 and 2 threads, all cases)
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "curve_set.h"
#include "executor.h"
#include "median.h"

enum { MOST_RUNS = 101, MOST_ARRAYS = 8, CASES = 3 };

/** One input: the same number of points for each curve. All values are single precision, as those
 *  of most VTK filters. */
typedef struct bench_input {
  const char *name;
  tsr_curve_kind kind;
  int64_t curves, length;
  float *points; /**< n x 3 */
  int64_t *offsets, *ids;
  int n_arrays;
  int components[MOST_ARRAYS];
  float *arrays[MOST_ARRAYS];
} bench_input;

static double now(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *need(void *memory) {
  if (!memory) {
    fprintf(stderr, "out of memory\n");
    exit(1);
  }
  return memory;
}

static bench_input input_of(const char *name, tsr_curve_kind kind, int64_t curves, int64_t length,
                            int n_arrays, const int *components) {
  bench_input in = {.name = name, .kind = kind, .curves = curves, .length = length};
  const size_t n = (size_t)(curves * length);
  in.points = need(malloc(3 * n * sizeof *in.points));
  in.ids = need(malloc(n * sizeof *in.ids));
  in.offsets = need(malloc((size_t)(curves + 1) * sizeof *in.offsets));
  in.n_arrays = n_arrays;
  for (size_t i = 0; i < n; i++) {
    in.ids[i] = (int64_t)i;
  }
  for (int64_t i = 0; i <= curves; i++) {
    in.offsets[i] = i * length;
  }
  for (int a = 0; a < n_arrays; a++) {
    in.components[a] = components[a];
    in.arrays[a] = need(malloc(n * (size_t)components[a] * sizeof(float)));
  }
  return in;
}

/** Helices of two turns, each with its own radius and place: velocity, pressure, noise. */
static bench_input short_lines(void) {
  static const int components[] = {3, 1, 1};
  bench_input in =
      input_of("20,000 polylines of 20 points", TSR_KIND_AUTOMATIC, 20000, 20, 3, components);
  uint64_t state = 1;
  int64_t p = 0;
  for (int64_t i = 0; i < in.curves; i++) {
    const double radius = random_in(&state, 0.5, 1.5);
    const double place[3] = {random_in(&state, 0.0, 100.0), random_in(&state, 0.0, 100.0),
                             random_in(&state, 0.0, 100.0)};
    for (int64_t k = 0; k < in.length; k++, p++) {
      const double t = 12.566370614359172 * (double)k / (double)(in.length - 1);
      in.points[3 * p] = (float)(place[0] + radius * cos(t));
      in.points[3 * p + 1] = (float)(place[1] + radius * sin(t));
      in.points[3 * p + 2] = (float)(place[2] + 0.3 * t);
      in.arrays[0][3 * p] = (float)(-radius * sin(t));
      in.arrays[0][3 * p + 1] = (float)(radius * cos(t));
      in.arrays[0][3 * p + 2] = 1.0f;
      in.arrays[1][p] = (float)(radius * sin(t));
      in.arrays[2][p] = (float)random_in(&state, 0.0, 1.0);
    }
  }
  return in;
}

/** Velocity of the flow of Arnold, Beltrami and Childress. */
static void flow(const double x[3], double v[3]) {
  v[0] = sin(x[2]) + 0.5 * cos(x[1]);
  v[1] = 0.8 * sin(x[0]) + cos(x[2]);
  v[2] = 0.5 * sin(x[1]) + 0.8 * cos(x[0]);
}

/** One step of the midpoint rule. */
static void advance(double x[3], double h) {
  double v[3], middle[3];
  flow(x, v);
  for (int c = 0; c < 3; c++) {
    middle[c] = x[c] + 0.5 * h * v[c];
  }
  flow(middle, v);
  for (int c = 0; c < 3; c++) {
    x[c] += h * v[c];
  }
}

/** Stream lines, as long as those of Stream Tracer, with arrays of as many components. */
static bench_input stream_lines(void) {
  static const int components[] = {3, 3, 3, 1, 1, 1, 1, 1};
  bench_input in =
      input_of("6,000 stream lines of 110 points", TSR_KIND_AUTOMATIC, 6000, 110, 8, components);
  uint64_t state = 2;
  int64_t p = 0;
  for (int64_t i = 0; i < in.curves; i++) {
    double x[3];
    for (int c = 0; c < 3; c++) {
      x[c] = random_in(&state, 0.0, 6.283185307179586);
    }
    for (int64_t k = 0; k < in.length; k++, p++) {
      double v[3];
      flow(x, v);
      for (int c = 0; c < 3; c++) {
        in.points[3 * p + c] = (float)x[c];
        in.arrays[0][3 * p + c] = (float)v[c];
        in.arrays[1][3 * p + c] = (float)(v[c] + 0.1 * sin(3.0 * x[(c + 1) % 3]));
        in.arrays[2][3 * p + c] = (float)(v[c] / sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
      }
      in.arrays[3][p] = (float)(0.05 * (double)k);
      in.arrays[4][p] = (float)(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
      in.arrays[5][p] = (float)(sin(2.0 * x[0]) * cos(2.0 * x[1]) * sin(2.0 * x[2]));
      in.arrays[6][p] = (float)(v[0] * x[1]);
      in.arrays[7][p] = 1.0f;
      advance(x, 0.05);
    }
  }
  return in;
}

/** Bezier cells of degree 3 on random control points, with a random array. */
static bench_input bezier_cells(void) {
  static const int components[] = {1};
  bench_input in =
      input_of("200,000 Bezier cells of degree 3", TSR_KIND_BEZIER, 200000, 4, 1, components);
  uint64_t state = 3;
  for (int64_t p = 0; p < in.curves * in.length; p++) {
    for (int c = 0; c < 3; c++) {
      in.points[3 * p + c] = (float)random_in(&state, 0.0, 1.0);
    }
    in.arrays[0][p] = (float)random_in(&state, 0.0, 1.0);
  }
  return in;
}

static void free_input(bench_input *in) {
  free(in->points);
  free(in->ids);
  free(in->offsets);
  for (int a = 0; a < in->n_arrays; a++) {
    free(in->arrays[a]);
  }
}

/** FNV-1a, eight bytes at a time. */
static uint64_t hash_of(uint64_t hash, const void *data, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 8) {
    uint64_t word = 0;
    memcpy(&word, (const char *)data + i, bytes - i < 8 ? bytes - i : 8);
    hash = (hash ^ word) * 0x100000001b3u;
  }
  return hash;
}

static void expect(tsr_status status, const tsr_error *error) {
  if (status != TSR_OK) {
    fprintf(stderr, "%s\n", error->text);
    exit(1);
  }
}

/** Plans and fills. Adds what was written to *hash where it is not NULL. Returns the points. */
static int64_t run_once(const bench_input *in, const tsr_execution *execution, double seconds[2],
                        uint64_t *hash) {
  const int64_t n = in->curves * in->length;
  tsr_array fields[MOST_ARRAYS];
  tsr_attribute attributes[MOST_ARRAYS];
  tsr_curves_options options;
  tsr_curves_output output;
  tsr_curves_plan *plan;
  tsr_curves_view view;
  tsr_error error;
  double start = now();
  tsr_curves_view_init(&view);
  view.points = (tsr_array){in->points, TSR_FLOAT, 3, n};
  view.n_items = in->curves;
  view.offsets = in->offsets;
  view.connectivity = in->ids;
  view.n_connectivity = n;
  view.index_type = TSR_INT64;
  view.kind = in->kind;
  view.single_points = 1;
  for (int a = 0; a < in->n_arrays; a++) {
    fields[a] = (tsr_array){in->arrays[a], TSR_FLOAT, in->components[a], n};
  }
  tsr_curves_options_init(&options);
  options.fields = fields;
  options.n_fields = in->n_arrays;
  expect(tsr_curves_plan_create(&view, &options, execution, &plan, &error), &error);
  seconds[0] = now() - start;
  start = now();
  const tsr_curves_sizes sizes = *tsr_curves_plan_sizes(plan);
  tsr_curves_output_init(&output);
  output.points = need(malloc((size_t)sizes.points * 12));
  output.connectivity = need(malloc((size_t)sizes.connectivity * 8));
  output.offsets = need(malloc((size_t)(sizes.cells + 1) * 8));
  for (int a = 0; a < in->n_arrays; a++) {
    attributes[a] = (tsr_attribute){fields[a], NULL, TSR_INTERPOLATE_CURVE};
    attributes[a].out = need(malloc((size_t)sizes.points * 4 * (size_t)in->components[a]));
  }
  output.attributes = attributes;
  output.n_attributes = in->n_arrays;
  expect(tsr_curves_fill(plan, &output, &error), &error);
  seconds[1] = now() - start;
  if (hash) {
    *hash = hash_of(0xcbf29ce484222325u, output.points, (size_t)sizes.points * 12);
    *hash = hash_of(*hash, output.connectivity, (size_t)sizes.connectivity * 8);
    *hash = hash_of(*hash, output.offsets, (size_t)(sizes.cells + 1) * 8);
  }
  for (int a = 0; a < in->n_arrays; a++) {
    if (hash) {
      *hash =
          hash_of(*hash, attributes[a].out, (size_t)sizes.points * 4 * (size_t)in->components[a]);
    }
    free(attributes[a].out);
  }
  free(output.points);
  free(output.connectivity);
  free(output.offsets);
  tsr_curves_plan_free(plan);
  return sizes.points;
}

static void measure(const bench_input *in, int threads, int runs) {
  executor exec = {.threads = threads};
  tsr_execution execution = executor_execution(&exec);
  double plan[MOST_RUNS], fill[MOST_RUNS], processor[MOST_RUNS];
  uint64_t hash = 0;
  int64_t points = 0;
  if (threads == 1) {
    execution.run = NULL;
  }
  for (int i = 0; i < runs; i++) {
    double seconds[2];
    const clock_t start = clock();
    points = run_once(in, &execution, seconds, i == 0 ? &hash : NULL);
    plan[i] = seconds[0];
    fill[i] = seconds[1];
    processor[i] = (double)(clock() - start) / CLOCKS_PER_SEC;
  }
  printf("%-34s %2d thread%s %9lld points in, %9lld out  plan %7.1f ms  fill %6.1f ms  "
         "processor %7.1f ms  hash %016llx\n",
         in->name, threads, threads == 1 ? " " : "s", (long long)(in->curves * in->length),
         (long long)points, 1e3 * median(plan, runs), 1e3 * median(fill, runs),
         1e3 * median(processor, runs), (unsigned long long)hash);
  fflush(stdout);
}

int main(int argc, char **argv) {
  static bench_input (*const make[CASES])(void) = {short_lines, stream_lines, bezier_cells};
  int runs = argc > 1 ? atoi(argv[1]) : 5;
  const int threads = argc > 2 ? atoi(argv[2]) : 0;
  const int only = argc > 3 ? atoi(argv[3]) : -1;
  runs = runs < 1 ? 1 : runs > MOST_RUNS ? MOST_RUNS : runs;
  for (int c = 0; c < CASES; c++) {
    if (only < 0 || only == c) {
      bench_input in = make[c]();
      for (int n = threads > 0 ? threads : 1; n <= (threads > 0 ? threads : 2); n++) {
        measure(&in, n, runs);
      }
      free_input(&in);
    }
  }
  return 0;
}
