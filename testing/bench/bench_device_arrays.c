/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Whole calls on a device, plan and fill, with input and output there: seconds beside those with
 * arrays on the host, and bytes over the bus.
 *
 *     bench_device_arrays [SIDE POINTS LINES]     512, 100 million, 200,000
 *
 * The floor is the time in which the device copies as many bytes as the input and the output have.
 */
#include "executor.h"
#include "tessera.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS = 5, MOST = 16 };

/** Arrays of a run, all on one side of the bus. */
typedef struct arrays {
  int on_device;
  void *at[MOST];
  int n;
  int64_t bytes;
} arrays;

static executor pool = {.threads = 16};

static double seconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void must(tsr_status status, const tsr_error *error) {
  if (status != TSR_OK) {
    printf("%s\n", error->text);
    exit(1);
  }
}

static void *room(arrays *to, int64_t bytes) {
  tsr_error error;
  void *memory = NULL;
  if (to->on_device) {
    must(tsr_device_alloc(0, bytes, &memory, &error), &error);
  } else {
    memory = tsr_output_alloc((size_t)bytes);
  }
  to->at[to->n++] = memory;
  to->bytes += bytes;
  return memory;
}

static void *copy(arrays *to, const void *from, int64_t bytes) {
  tsr_error error;
  void *memory = room(to, bytes);
  if (to->on_device) {
    must(tsr_device_copy(0, NULL, memory, from, bytes, &error), &error);
  } else {
    memcpy(memory, from, (size_t)bytes);
  }
  return memory;
}

static void release(arrays *of, int from) {
  while (of->n > from) {
    void *memory = of->at[--of->n];
    if (of->on_device) {
      tsr_device_free(memory);
    } else {
      tsr_output_free(memory);
    }
  }
}

static tsr_execution execution_of(const arrays *in) {
  tsr_execution e = executor_execution(&pool);
  e.backend = TSR_BACKEND_CUDA;
  e.device = 0;
  e.device_arrays = in->on_device;
  return e;
}

/** Makes plan and output once; returns the seconds without the allocation of the output. */
typedef double (*call)(arrays *in, int64_t n);

static double grid_call(arrays *in, int64_t side) {
  const tsr_execution e = execution_of(in);
  const int inputs = in->n;
  tsr_grid_criterion criterion;
  tsr_grid_options options;
  tsr_grid_output out;
  tsr_grid_plan *plan;
  tsr_grid_view view;
  tsr_error error;
  tsr_grid_view_init(&view);
  tsr_grid_options_init(&options);
  tsr_grid_criterion_init(&criterion);
  tsr_grid_output_init(&out);
  for (int a = 0; a < 3; a++) {
    view.whole[2 * a + 1] = view.extent[2 * a + 1] = side - 1;
  }
  criterion.measure = TSR_MEASURE_INTERPOLATION_ERROR;
  criterion.array = (tsr_array){in->at[0], TSR_FLOAT, 1, side * side * side};
  criterion.threshold = 0.01;
  criterion.relative = 1;
  options.criteria = &criterion;
  options.n_criteria = 1;
  options.coarsen_levels = 4;
  options.output = TSR_GRID_CONFORMING;
  double start = seconds();
  must(tsr_grid_plan_create(&view, &options, &e, &plan, &error), &error);
  double spent = seconds() - start;
  const tsr_grid_sizes *z = tsr_grid_plan_sizes(plan);
  tsr_grid_attribute attribute = {.in = criterion.array};
  out.points_type = TSR_FLOAT;
  out.points = room(in, 12 * z->points);
  out.offsets = room(in, 8 * (z->cells + 1));
  out.connectivity = room(in, 8 * z->connectivity);
  out.cell_type = room(in, z->cells);
  attribute.out = room(in, 4 * z->points);
  out.attributes = &attribute;
  out.n_attributes = 1;
  start = seconds();
  must(tsr_grid_fill(plan, &out, &error), &error);
  spent += seconds() - start;
  tsr_grid_plan_free(plan);
  release(in, inputs);
  return spent;
}

static double points_call(arrays *in, int64_t n) {
  const tsr_execution e = execution_of(in);
  const int inputs = in->n;
  tsr_pointgrid_options options;
  tsr_pointgrid_output out;
  tsr_pointgrid_plan *plan;
  tsr_pointgrid_view view;
  tsr_error error;
  tsr_pointgrid_view_init(&view);
  tsr_pointgrid_options_init(&options);
  tsr_pointgrid_output_init(&out);
  view.points = (tsr_array){in->at[0], TSR_FLOAT, 3, n};
  double start = seconds();
  must(tsr_pointgrid_plan_create(&view, &options, &e, &plan, &error), &error);
  double spent = seconds() - start;
  const tsr_pointgrid_sizes *z = tsr_pointgrid_plan_sizes(plan);
  out.points_type = TSR_FLOAT;
  out.points = room(in, 12 * z->points);
  out.offsets = room(in, 8 * (z->cells + 1));
  out.connectivity = room(in, 8 * z->connectivity);
  out.count = room(in, 8 * z->cells);
  start = seconds();
  must(tsr_pointgrid_fill(plan, &out, &error), &error);
  spent += seconds() - start;
  tsr_pointgrid_plan_free(plan);
  release(in, inputs);
  return spent;
}

enum { POINTS_OF_LINE = 300 };

static double curves_call(arrays *in, int64_t lines) {
  const tsr_execution e = execution_of(in);
  const int inputs = in->n;
  tsr_curves_options options;
  tsr_curves_output out;
  tsr_curves_plan *plan;
  tsr_curves_view view;
  tsr_error error;
  tsr_curves_view_init(&view);
  tsr_curves_options_init(&options);
  tsr_curves_output_init(&out);
  view.points = (tsr_array){in->at[0], TSR_FLOAT, 3, lines * POINTS_OF_LINE};
  view.offsets = in->at[1];
  view.connectivity = in->at[2];
  view.n_items = lines;
  view.n_connectivity = lines * POINTS_OF_LINE;
  view.kind = TSR_KIND_STRAIGHT;
  view.single_points = 1;
  double start = seconds();
  must(tsr_curves_plan_create(&view, &options, &e, &plan, &error), &error);
  double spent = seconds() - start;
  const tsr_curves_sizes *z = tsr_curves_plan_sizes(plan);
  out.points = room(in, 12 * z->points);
  out.offsets = room(in, 8 * (z->cells + 1));
  out.connectivity = room(in, 8 * z->connectivity);
  start = seconds();
  must(tsr_curves_fill(plan, &out, &error), &error);
  spent += seconds() - start;
  tsr_curves_plan_free(plan);
  release(in, inputs);
  return spent;
}

/** Best of RUNS, after one that is not timed. */
static void time_calls(const char *what, call made, arrays *in, int64_t n) {
  const int64_t input = in->bytes;
  double best = INFINITY;
  tsr_bus_traffic before = {0, 0}, after;
  int64_t output = 0;
  for (int run = 0; run <= RUNS; run++) {
    before = tsr_memory_traffic();
    in->bytes = 0;
    const double spent = made(in, n);
    output = in->bytes;
    best = run > 0 && spent < best ? spent : best;
  }
  after = tsr_memory_traffic();
  printf("%-14s %-6s %9.2f ms   in %8.1f MB, out %8.1f MB   bus: up %10.3f MB, down %10.3f MB\n",
         what, in->on_device ? "device" : "host", 1e3 * best, 1e-6 * (double)input,
         1e-6 * (double)output, 1e-6 * (double)(after.up - before.up),
         1e-6 * (double)(after.down - before.down));
  release(in, 0);
}

/** Seconds in which the device copies `bytes` bytes: the best of RUNS. */
static void print_floor(int64_t bytes) {
  arrays a = {.on_device = 1};
  void *from = room(&a, bytes), *to = room(&a, bytes);
  double best = INFINITY;
  tsr_error error;
  for (int run = 0; run <= RUNS; run++) {
    const double start = seconds();
    must(tsr_device_copy(0, NULL, to, from, bytes, &error), &error);
    must(tsr_device_wait(0, NULL, &error), &error);
    best = fmin(best, seconds() - start);
  }
  printf("the device copies %.1f MB in %.2f ms\n", 1e-6 * (double)bytes, 1e3 * best);
  release(&a, 0);
}

static void bench_grid(int64_t side, int on_device) {
  arrays in = {.on_device = on_device};
  float *field = malloc((size_t)(side * side * side) * sizeof *field);
  for (int64_t i = 0; i < side * side * side; i++) {
    const double x = (double)(i % side), y = (double)(i / side % side),
                 z = (double)(i / side / side), s = (double)side;
    field[i] = (float)tanh(20.0 * (x + 0.4 * y + 0.2 * z - 0.8 * s) / s);
  }
  copy(&in, field, side * side * side * (int64_t)sizeof *field);
  free(field);
  time_calls("grid", grid_call, &in, side);
}

static uint64_t state = 30;

static float uniform(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (float)(state >> 40) / 16777216.0f;
}

static void bench_points(int64_t n, int on_device) {
  arrays in = {.on_device = on_device};
  float *x = malloc((size_t)n * 3 * sizeof *x);
  for (int64_t i = 0; i < 3 * n; i++) {
    x[i] = uniform() * uniform();
  }
  copy(&in, x, 3 * n * (int64_t)sizeof *x);
  free(x);
  time_calls("point grid", points_call, &in, n);
}

static void bench_curves(int64_t lines, int on_device) {
  const int64_t n = lines * POINTS_OF_LINE;
  arrays in = {.on_device = on_device};
  float *x = malloc((size_t)n * 3 * sizeof *x);
  int64_t *ids = malloc((size_t)n * sizeof *ids);
  int64_t *offsets = malloc((size_t)(lines + 1) * sizeof *offsets);
  for (int64_t l = 0; l <= lines; l++) {
    offsets[l] = l * POINTS_OF_LINE;
  }
  for (int64_t l = 0; l < lines; l++) {
    const float a = uniform(), b = uniform(), c = uniform();
    for (int k = 0; k < POINTS_OF_LINE; k++) {
      const int64_t i = l * POINTS_OF_LINE + k;
      const float t = (float)k / POINTS_OF_LINE;
      x[3 * i] = a + t;
      x[3 * i + 1] = b + 0.1f * sinf(9.0f * t * c);
      x[3 * i + 2] = c + 0.1f * cosf(7.0f * t * a);
      ids[i] = i;
    }
  }
  copy(&in, x, 3 * n * (int64_t)sizeof *x);
  copy(&in, offsets, (lines + 1) * (int64_t)sizeof *offsets);
  copy(&in, ids, n * (int64_t)sizeof *ids);
  free(x);
  free(ids);
  free(offsets);
  time_calls("stream lines", curves_call, &in, lines);
}

int main(int argc, char **argv) {
  const int64_t side = argc > 1 ? atoll(argv[1]) : 512;
  const int64_t points = argc > 2 ? atoll(argv[2]) : 100000000;
  const int64_t lines = argc > 3 ? atoll(argv[3]) : 200000;
  if (tsr_devices_present() < 1) {
    printf("there is no device\n");
    return 77;
  }
  print_floor(side * side * side * (int64_t)sizeof(float));
  print_floor((int64_t)1 << 30);
  for (int on_device = 0; on_device < 2; on_device++) {
    bench_grid(side, on_device);
    bench_points(points, on_device);
    bench_curves(lines, on_device);
  }
  return 0;
}
