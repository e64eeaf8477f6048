/* SPDX-License-Identifier: BSD-3-Clause */
/** The n-th CUDA call of a run fails, for every n: Backend CUDA gives a sentence that quotes CUDA
 * or the right bytes, Auto the right bytes, and nothing stays behind. Where a run makes too many
 *  calls for that, every k-th fails.
 *  Arguments: "small", for devices that are slow; what the scenarios' names contain (all of them).
 */
#include "check.h"
#include "cuda_calls.h"
#include "point_case.h"
#include "views.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SCENARIOS = 35, LEAST_FAILURES = 6 }; /* failures: of a scenario, however slow it is */
static int cells = 1500, side = 40, side_of_cut = 40, points_of_crowd = 20000;
static double seconds_in_all = 240.0; /* as far as it can be known before */
static double started;
static int scenarios_before;

/** Curves, a grid where there are values, or points where there is a crowd. */
typedef struct input {
  curve_set set;
  tsr_curves_view view;
  wanted want;
  double *storage;
  float *points;
  tsr_curves_options options;
  double *values;
  tsr_grid_view grid;
  tsr_grid_options grid_options;
  tsr_grid_criterion criterion;
  int again; /* the grid is made twice, and its input stays on the device in between */
  point_case crowd;
  tsr_pointgrid_options point_options;
} input;

/** What a run gives. */
typedef struct result {
  outputs out;
  tsr_grid_sizes sizes;
  double largest;
  uint64_t hash; /* of all arrays of the grid */
  point_out sorted;
} result;

static void mixed_curves(input *in) {
  curve_set_init(&in->set);
  random_curves(&in->set, TSR_KIND_NONE, 24, 1, 1, 123);
  random_attributes(in->set.n_points, 3, &in->want, &in->storage);
  in->want.points_type = TSR_FLOAT;
  in->want.index_type = TSR_INT64;
  in->want.generated = 1;
  in->view = curve_set_view(&in->set);
  in->options = option_case(0, TSR_SAMPLING_BISECTION, &in->want);
}

/** The tuned kernels' case, with arrays that are large enough for the transfer ring. */
static void plain_curves(input *in) {
  curve_set_init(&in->set);
  bezier_cells(&in->set, 2, cells, 321);
  in->points = malloc((size_t)in->set.n_points * 3 * sizeof *in->points);
  for (int64_t v = 0; v < 3 * in->set.n_points; v++) {
    in->points[v] = (float)in->set.points[v];
  }
  in->want.points_type = TSR_FLOAT;
  in->want.index_type = TSR_INT64;
  in->view = curve_set_view(&in->set);
  in->view.points.data = in->points;
  in->view.points.type = TSR_FLOAT;
  in->options = option_case(2, TSR_SAMPLING_UNIFORM, &in->want);
}

static void ball(input *in, int points) {
  const int n = points * points * points;
  const double radius = 0.3 * points, middle = 0.5 * points;
  in->values = malloc((size_t)n * sizeof *in->values);
  for (int k = 0; k < n; k++) {
    const double x = k % points - middle + 2.5, y = k / points % points - middle + 0.5,
                 z = k / points / points - middle - 0.5;
    in->values[k] = x * x + y * y + z * z < radius * radius ? 1.0 : 0.001 * x;
  }
  tsr_grid_view_init(&in->grid);
  tsr_grid_options_init(&in->grid_options);
  tsr_grid_criterion_init(&in->criterion);
  for (int a = 0; a < 3; a++) {
    in->grid.whole[2 * a + 1] = in->grid.extent[2 * a + 1] = points - 1;
  }
  in->criterion.measure = TSR_MEASURE_VALUE_RANGE;
  in->criterion.array = (tsr_array){in->values, TSR_DOUBLE, 1, n};
  in->criterion.threshold = 0.5;
  in->grid_options.criteria = &in->criterion;
  in->grid_options.n_criteria = 1;
  in->grid_options.coarsen_levels = 4;
}

/** As if all other processes had the same to say. */
static int echo(void *context, const void *mine, int64_t bytes, void *all, const int64_t *sizes) {
  char *to = all;
  (void)context;
  for (int r = 0; r < 2; r++) {
    if (sizes[r] != bytes) {
      return 1;
    }
    if (bytes > 0) {
      memcpy(to, mine, (size_t)bytes);
    }
    to += bytes;
  }
  return 0;
}

static void crowd(input *in) {
  point_case_init(&in->crowd, points_of_crowd);
  point_case_crowd(&in->crowd);
  tsr_pointgrid_options_init(&in->point_options);
  in->point_options.output = TSR_POINTGRID_POINTS;
}

static void input_free(input *in) {
  if (in->crowd.n > 0) {
    point_case_free(&in->crowd);
  } else if (!in->values) {
    curve_set_free(&in->set);
  }
  free(in->storage);
  free(in->points);
  free(in->values);
}

static void add_bytes(result *it, const void *data, size_t bytes) {
  for (size_t b = 0; b < bytes; b++) {
    it->hash = (it->hash ^ ((const unsigned char *)data)[b]) * 1099511628211u;
  }
}

/** The grid's bytes, with those of the value array and the marks, as one number. */
static tsr_status fill_grid(const input *in, tsr_grid_plan *plan, result *it) {
  const tsr_grid_sizes *sizes = tsr_grid_plan_sizes(plan);
  const size_t bytes[4] = {(size_t)sizes->points * 12, (size_t)(sizes->cells + 1) * 8,
                           (size_t)sizes->connectivity * 8, (size_t)sizes->points * 8};
  unsigned char *arrays[4];
  for (int k = 0; k < 4; k++) {
    arrays[k] = calloc(bytes[k] + 1, 1);
  }
  const tsr_grid_attribute attribute = {in->criterion.array, 0, arrays[3], &it->largest};
  tsr_grid_output output;
  tsr_grid_output_init(&output);
  output.points = arrays[0];
  output.offsets = arrays[1];
  output.connectivity = arrays[2];
  output.attributes = &attribute;
  output.n_attributes = 1;
  const tsr_status status = tsr_grid_fill(plan, &output, &it->out.error);
  for (int k = 0; k < 4; k++) {
    add_bytes(it, arrays[k], bytes[k]);
    free(arrays[k]);
  }
  const tsr_grid_marks marks = tsr_grid_plan_marks(plan);
  add_bytes(it, marks.nodes, (size_t)marks.n * sizeof *marks.nodes);
  it->sizes = *sizes;
  return status;
}

static tsr_status run_grid(const input *in, const tsr_execution *e, result *it) {
  tsr_grid_plan *plan = NULL;
  it->hash = 0;
  outputs *out = &it->out;
  out->status = tsr_grid_plan_create(&in->grid, &in->grid_options, e, &plan, &out->error);
  if (out->status == TSR_OK) {
    out->status = fill_grid(in, plan, it);
  }
  tsr_grid_plan_free(plan);
  return out->status;
}

static uint64_t never_changes(void *context, const void *data) {
  (void)context;
  return data != NULL;
}

/** Twice, the second time with the input that is on the device already. */
static tsr_status run_grid_again(const input *in, const tsr_execution *e, result *it) {
  tsr_execution execution = *e;
  execution.owner = in;
  execution.generation = never_changes;
  tsr_status status = run_grid(in, &execution, it);
  if (status == TSR_OK) {
    status = run_grid(in, &execution, it);
  }
  tsr_device_forget(in);
  return status;
}

static tsr_status run_points(const input *in, const tsr_execution *e, result *it) {
  const tsr_pointgrid_view view = point_case_view(&in->crowd);
  it->out.status = point_run(&in->crowd, &view, &in->point_options, e, &it->sorted);
  it->out.error = it->sorted.error;
  return it->out.status;
}

static tsr_status run(const input *in, const tsr_execution *e, result *it) {
  memset(it, 0, sizeof *it);
  if (in->crowd.n > 0) {
    return run_points(in, e, it);
  }
  if (in->again) {
    return run_grid_again(in, e, it);
  }
  return in->values ? run_grid(in, e, it)
                    : outputs_make(&in->view, &in->options, e, &in->want, &it->out);
}

static const char *cells_difference(const point_out *a, const point_out *b) {
  const tsr_pointgrid_sizes *s = &a->sizes;
  if (memcmp(s, &b->sizes, sizeof *s) != 0) {
    return "the sizes of the cells differ";
  }
  if (memcmp(a->connectivity, b->connectivity, (size_t)s->connectivity * sizeof *a->connectivity)) {
    return "the points of the cells differ";
  }
  return memcmp(a->mean, b->mean, (size_t)s->cells * sizeof *a->mean) ? "the means differ" : NULL;
}

/** What differs from the CPU's, whichever backend made it; NULL: nothing. */
static const char *difference(const input *in, const result *cpu, result *it) {
  if (in->crowd.n > 0 && in->point_options.output == TSR_POINTGRID_CELLS) {
    return cells_difference(&cpu->sorted, &it->sorted);
  }
  if (in->crowd.n > 0) {
    const size_t bytes = (size_t)in->crowd.n * sizeof *cpu->sorted.source;
    return memcmp(&cpu->sorted.sizes, &it->sorted.sizes, sizeof cpu->sorted.sizes) != 0 ||
                   memcmp(cpu->sorted.source, it->sorted.source, bytes) != 0 ||
                   memcmp(cpu->sorted.value, it->sorted.value, bytes) != 0 ||
                   memcmp(cpu->sorted.leaf, it->sorted.leaf, bytes) != 0
               ? "the points differ"
               : NULL;
  }
  if (in->values) {
    return memcmp(&cpu->sizes, &it->sizes, sizeof cpu->sizes) != 0 || cpu->largest != it->largest ||
                   cpu->hash != it->hash
               ? "the grid differs"
               : NULL;
  }
  it->out.report.backend = TSR_BACKEND_CUDA;
  it->out.report.child_items = it->out.report.inline_items = it->out.report.items = 0;
  return outputs_difference(&cpu->out, &it->out, "the curves");
}

static void result_free(result *it) {
  outputs_free(&it->out);
  point_out_free(&it->sorted);
}

static int strategy_of(const input *in) {
  if (in->crowd.n > 0) {
    return (int)in->point_options.launch.strategy;
  }
  return in->values ? (int)in->grid_options.launch.strategy : (int)in->options.launch.strategy;
}

/** One run in which call n fails (0: none); 1 if so many calls were made. */
static int attempt(const input *in, const tsr_execution *e, const result *cpu, int64_t n) {
  result it;
  cuda_calls_start(n);
  const tsr_status status = run(in, e, &it);
  cuda_calls_stop();
  const char *const name = cuda_calls_failed();
  const char *const what = name ? name : "nothing";
  if (status == TSR_OK) {
    const char *const other = difference(in, cpu, &it);
    CHECK_SAY(other == NULL, "backend %d, call %lld (%s) failed: %s", (int)e->backend, (long long)n,
              what, other ? other : "");
  } else {
    const char *const text = it.out.error.text;
    CHECK_SAY(name && e->backend == TSR_BACKEND_CUDA &&
                  (strstr(text, "CUDA") || strstr(text, "cudaError")),
              "backend %d, call %lld (%s) failed: status %d: %s", (int)e->backend, (long long)n,
              what, (int)status, text);
  }
  result_free(&it);
  return name != NULL;
}

static const char *only; /* of the scenarios' names; NULL: all */

/** Every k-th call of the strategy fails, by both backends. */
static void fail_all(const input *in, const char *name) {
  const tsr_execution cuda = execution_cuda();
  tsr_execution either = cuda;
  const tsr_execution on_cpu = execution_cpu();
  result cpu;
  if (only && !strstr(name, only)) {
    return;
  }
  CHECK_INT(run(in, &on_cpu, &cpu), TSR_OK);
  either.backend = TSR_BACKEND_AUTO;
  attempt(in, &cuda, &cpu, 0);
  const int64_t live = cuda_calls_live();
  const double start = cuda.clock();
  attempt(in, &cuda, &cpu, 0);
  const double run_seconds = cuda.clock() - start;
  cuda_calls_start(0);
  attempt(in, &cuda, &cpu, 0);
  const int64_t calls = cuda_calls_stop();
  const int left = SCENARIOS - scenarios_before++;
  const double share = fmax(1.0, seconds_in_all - (cuda.clock() - started)) / fmax(1.0, left);
  const double wished = (double)calls * 4.0 * run_seconds / share;
  int64_t step = wished > 1.0 ? (int64_t)wished + 1 : 1;
  if (step > calls / LEAST_FAILURES) {
    step = calls / LEAST_FAILURES > 1 ? calls / LEAST_FAILURES : 1;
  }
  for (int64_t n = 1 + step / 2; n <= calls; n += step) {
    attempt(in, &cuda, &cpu, n);
    CHECK_SAY(cuda_calls_live() == live, "%s: call %lld (%s) failed: %lld things stay behind", name,
              (long long)n, cuda_calls_failed() ? cuda_calls_failed() : "none",
              (long long)(cuda_calls_live() - live));
    attempt(in, &either, &cpu, n);
    CHECK_INT(cuda_calls_live(), live);
    attempt(in, &cuda, &cpu, 0);
  }
  printf("%s, strategy %d, memory %d: %lld calls, every %lld. failed, %.4f s a run\n", name,
         strategy_of(in), (int)in->options.launch.output_memory, (long long)calls, (long long)step,
         run_seconds);
  result_free(&cpu);
}

/** Also the calls that start a device and make the lanes, which happen once a process. Afterwards
 *  only the device's pool of memory is kept. By a grid: CUB, which curves need, asks for the device
 *  once a process too, and never again where that failed. */
static void fail_first_start(const input *in) {
  const tsr_execution cuda = execution_cuda(), on_cpu = execution_cpu();
  result cpu;
  int64_t n = 1;
  CHECK_INT(run(in, &on_cpu, &cpu), TSR_OK);
  while (n < 2000 && attempt(in, &cuda, &cpu, n)) {
    const char *const name = cuda_calls_failed();
    tsr_device_release();
    CHECK_SAY(cuda_calls_live() <= 1, "first start: call %lld (%s) failed: %lld things stay behind",
              (long long)n, name, (long long)cuda_calls_live());
    n++;
  }
  printf("first start: %lld calls\n", (long long)n - 1);
  result_free(&cpu);
}

/** For devices that are slow. */
static void make_small(void) {
  cells = 60;
  side = 12;
  side_of_cut = 6;
  points_of_crowd = 400;
  seconds_in_all = 60.0;
}

/** By every strategy and memory that goes together. */
static void fail_curves(void) {
  static input mixed, plain;
  mixed_curves(&mixed);
  plain_curves(&plain);
  for (int strategy = 1; strategy <= TSR_STRATEGY_RECURSIVE_CHILDREN; strategy++) {
    for (int memory = 0; memory <= TSR_MEMORY_DEVICE_HEAP; memory++) {
      const int owners =
          strategy != TSR_STRATEGY_FLAT && strategy != TSR_STRATEGY_RECURSIVE_CHILDREN;
      if (memory == TSR_MEMORY_DEVICE_HEAP && !owners) {
        continue;
      }
      mixed.options.launch.strategy = plain.options.launch.strategy = (tsr_curves_strategy)strategy;
      mixed.options.launch.output_memory = plain.options.launch.output_memory =
          (tsr_output_memory)memory;
      fail_all(&mixed, "mixed curves");
      if (strategy != TSR_STRATEGY_RECURSIVE_CHILDREN) {
        fail_all(&plain, "plain curves");
      }
    }
  }
  input_free(&mixed);
  input_free(&plain);
}

static void fail_grid(input *grid) {
  grid->grid_options.launch.strategy = TSR_STRATEGY_HOST_WAVES;
  fail_all(grid, "grid");
  grid->grid_options.launch.strategy = TSR_STRATEGY_DEVICE_LAUNCHED;
  fail_all(grid, "grid");
  grid->grid_options.launch.strategy = TSR_STRATEGY_HOST_WAVES;
  grid->grid_options.cell_budget = side * side * side / 4;
  fail_all(grid, "grid of a budget");
  grid->grid_options.cell_budget = 0;
}

/** With cells that are cut, with what stays on the device, with marks, and as one of two. */
static void fail_cut_grid(void) {
  static input cut;
  static const tsr_grid_node marks[2] = {{{0, 0, 0}, 2}, {{1, 1, 1}, 3}};
  ball(&cut, side_of_cut);
  cut.grid_options.launch.strategy = TSR_STRATEGY_HOST_WAVES;
  cut.grid_options.output = TSR_GRID_CONFORMING;
  cut.criterion.measure = TSR_MEASURE_INTERPOLATION_ERROR;
  cut.criterion.threshold = 0.1;
  cut.criterion.relative = 1;
  fail_all(&cut, "conforming grid");
  cut.again = 1;
  fail_all(&cut, "grid of kept input");
  cut.again = 0;
  cut.grid_options.output = TSR_GRID_CELLS;
  cut.grid_options.marks.nodes = marks;
  cut.grid_options.marks.n = 2;
  cut.grid_options.keep_marks = 1;
  fail_all(&cut, "grid with marks");
  cut.grid_options.keep_marks = 0;
  cut.grid_options.marks.n = 0;
  cut.grid_options.output = TSR_GRID_CONFORMING;
  cut.grid_options.refine_levels = 2;
  cut.grid_options.n_ranks = 2;
  cut.grid_options.gather = echo;
  fail_all(&cut, "grid of a process");
  input_free(&cut);
}

static void fail_points(void) {
  static input points;
  crowd(&points);
  for (int strategy = TSR_POINTGRID_FLAT; strategy <= TSR_POINTGRID_HOST_WAVES; strategy++) {
    points.point_options.launch.strategy = (tsr_pointgrid_strategy)strategy;
    fail_all(&points, "points");
  }
  points.point_options.launch.strategy = TSR_POINTGRID_FLAT;
  points.point_options.output = TSR_POINTGRID_CELLS;
  fail_all(&points, "cells of points");
  input_free(&points);
}

int main(int argc, char **argv) {
  static input grid;
  if (tsr_devices_present() <= 0) {
    return gpu_missing();
  }
  if (argc > 1 && strcmp(argv[1], "small") == 0) {
    make_small();
    only = argc > 2 ? argv[2] : NULL;
  } else {
    only = argc > 1 ? argv[1] : NULL;
  }
  ball(&grid, side);
  started = execution_cuda().clock();
  fail_first_start(&grid); /* before anything else has started the device */
  const int missing = gpu_missing();
  if (missing) {
    return missing;
  }
  fail_curves();
  fail_grid(&grid);
  fail_cut_grid();
  fail_points();
  input_free(&grid);
  return check_result();
}
