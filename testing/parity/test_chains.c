/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Two filters one after the other, with arrays on the host: what the first one has filled on the
 * device and nobody has altered since is not uploaded for the second one. Its output has the CPU's
 * bytes, whatever was altered, freed or released in between.
 *
 *     test_chains [small]    small: for the emulated device, where outputs of any size stay
 */
#include "check.h"
#include "outputs.h"
#include "random_numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Numbers, and lists whose length follows from the number of multiprocessors. */
static int64_t few_bytes;

/** With so many threads the device's copy is faster than the bus; of pages that are locked, it is
 *  slower with one. */
static int threads = 16;

static int64_t n_points;

/* ---- the first filter */

/** Points with values, and where there are lines their cells, in memory of tsr_output_alloc. */
typedef struct chain {
  tsr_array points, values;
  int64_t *offsets, *connectivity; /**< NULL: no lines */
  int64_t lines;
} chain;

/** Memory for an output; that which is there already, if any. */
static void *output(const void *there, int64_t n, size_t size) {
  return there ? (void *)there : tsr_output_alloc((size_t)n * size);
}

static void chain_free(chain *it) {
  tsr_output_free((void *)it->points.data);
  tsr_output_free((void *)it->values.data);
  tsr_output_free(it->offsets);
  tsr_output_free(it->connectivity);
}

static tsr_execution by(tsr_backend_id backend) {
  tsr_execution e;
  tsr_execution_init(&e);
  e.backend = backend;
  e.generation = generation_of_all;
  e.threads = threads;
  return e;
}

static double *random_numbers(int64_t n) {
  double *made = malloc((size_t)n * sizeof *made);
  for (int64_t i = 0; i < n; i++) {
    made[i] = uniform();
  }
  return made;
}

/** Points To Curves: about a hundred points a curve. */
static void join_points(chain *to) {
  const tsr_execution e = by(TSR_BACKEND_CUDA);
  double *points = random_numbers(3 * n_points), *values = random_numbers(n_points);
  int32_t *group = malloc((size_t)n_points * sizeof *group);
  tsr_ordering_view view;
  tsr_ordering_options options;
  tsr_ordering_output out;
  tsr_ordering_plan *plan = NULL;
  tsr_error error = {0};
  for (int64_t i = 0; i < n_points; i++) {
    group[i] = below((int)n_points / 100);
  }
  tsr_ordering_view_init(&view);
  tsr_ordering_options_init(&options);
  tsr_ordering_output_init(&out);
  view.points = (tsr_array){points, TSR_DOUBLE, 3, n_points};
  view.group = (tsr_array){group, TSR_INT32, 1, n_points};
  CHECK_SAY(tsr_ordering_plan_create(&view, &options, &e, &plan, &error) == TSR_OK, "%s",
            error.text);
  to->lines = tsr_ordering_plan_sizes(plan)->lines;
  CHECK_INT(tsr_ordering_plan_sizes(plan)->points, n_points);
  to->points =
      (tsr_array){output(to->points.data, 3 * n_points, sizeof(double)), TSR_DOUBLE, 3, n_points};
  to->values =
      (tsr_array){output(to->values.data, n_points, sizeof(double)), TSR_DOUBLE, 1, n_points};
  to->offsets = output(to->offsets, to->lines + 1, sizeof(int64_t));
  to->connectivity = output(to->connectivity, n_points, sizeof(int64_t));
  const tsr_ordering_attribute attribute = {
      {values, TSR_DOUBLE, 1, n_points}, (void *)to->values.data, TSR_AT_POINTS};
  out.points = (void *)to->points.data;
  out.line_offsets = to->offsets;
  out.line_connectivity = to->connectivity;
  out.attributes = &attribute;
  out.n_attributes = 1;
  CHECK_SAY(tsr_ordering_fill(plan, &out, &error) == TSR_OK, "%s", error.text);
  tsr_ordering_plan_free(plan);
  free(points);
  free(values);
  free(group);
}

/** Adaptive Curves: one through all points. */
static void draw_curves(chain *to) {
  const tsr_execution e = by(TSR_BACKEND_CUDA);
  double *points = random_numbers(3 * n_points), *values = random_numbers(n_points);
  int64_t *ids = malloc((size_t)n_points * sizeof *ids);
  const int64_t offsets[2] = {0, n_points};
  tsr_curves_view view;
  tsr_curves_options options;
  tsr_curves_output out;
  tsr_curves_plan *plan = NULL;
  tsr_error error = {0};
  tsr_curves_view_init(&view);
  tsr_curves_options_init(&options);
  tsr_curves_output_init(&out);
  view.points = (tsr_array){points, TSR_DOUBLE, 3, n_points};
  for (int64_t i = 0; i < n_points; i++) {
    ids[i] = i;
  }
  view.connectivity = ids;
  view.n_connectivity = n_points;
  view.offsets = offsets;
  view.n_items = 1;
  options.chord_error = 0.1;
  CHECK_SAY(tsr_curves_plan_create(&view, &options, &e, &plan, &error) == TSR_OK, "%s", error.text);
  const int64_t n = tsr_curves_plan_sizes(plan)->points;
  to->points = (tsr_array){output(to->points.data, 3 * n, sizeof(float)), TSR_FLOAT, 3, n};
  to->values = (tsr_array){output(to->values.data, n, sizeof(double)), TSR_DOUBLE, 1, n};
  const tsr_attribute attribute = {.in = {values, TSR_DOUBLE, 1, n_points},
                                   .mode = TSR_INTERPOLATE_LINEAR,
                                   .out = (void *)to->values.data};
  out.points = (void *)to->points.data;
  out.attributes = &attribute;
  out.n_attributes = 1;
  CHECK_SAY(tsr_curves_fill(plan, &out, &error) == TSR_OK, "%s", error.text);
  tsr_curves_plan_free(plan);
  free(points);
  free(values);
  free(ids);
}

/** Adaptive Grid: conforming cells of a field that is rough everywhere. */
static void make_grid(chain *to) {
  const tsr_execution e = by(TSR_BACKEND_CUDA);
  int64_t side = 8;
  while ((side + 1) * (side + 1) * (side + 1) < n_points) {
    side += 8;
  }
  const int64_t n = (side + 1) * (side + 1) * (side + 1);
  double *values = random_numbers(n);
  tsr_grid_view view;
  tsr_grid_options options;
  tsr_grid_criterion criterion;
  tsr_grid_output out;
  tsr_grid_plan *plan = NULL;
  tsr_error error = {0};
  tsr_grid_view_init(&view);
  tsr_grid_options_init(&options);
  tsr_grid_criterion_init(&criterion);
  tsr_grid_output_init(&out);
  for (int a = 0; a < 3; a++) {
    view.whole[2 * a + 1] = view.extent[2 * a + 1] = (int)side;
  }
  criterion.array = (tsr_array){values, TSR_DOUBLE, 1, n};
  criterion.threshold = 0.8;
  options.criteria = &criterion;
  options.n_criteria = 1;
  options.output = TSR_GRID_CONFORMING;
  CHECK_SAY(tsr_grid_plan_create(&view, &options, &e, &plan, &error) == TSR_OK, "%s", error.text);
  const int64_t made = tsr_grid_plan_sizes(plan)->points;
  to->points = (tsr_array){output(to->points.data, 3 * made, sizeof(float)), TSR_FLOAT, 3, made};
  to->values = (tsr_array){output(to->values.data, made, sizeof(double)), TSR_DOUBLE, 1, made};
  const tsr_grid_attribute attribute = {.in = criterion.array, .out = (void *)to->values.data};
  out.points = (void *)to->points.data;
  out.attributes = &attribute;
  out.n_attributes = 1;
  CHECK_SAY(tsr_grid_fill(plan, &out, &error) == TSR_OK, "%s", error.text);
  tsr_grid_plan_free(plan);
  free(values);
}

/* ---- the second filter */

/** What it makes, and what it uploads for it. */
typedef struct result {
  char *bytes;
  int64_t n, up;
} result;

static void *room(result *to, int64_t bytes) {
  to->bytes = realloc(to->bytes, (size_t)(to->n + bytes));
  memset(to->bytes + to->n, 0xa5, (size_t)bytes);
  to->n += bytes;
  return to->bytes + to->n - bytes;
}

/** Adaptive Point Grid, with the means of the values. */
static result sort_points(const chain *in, tsr_backend_id backend) {
  const tsr_execution e = by(backend);
  result made = {0};
  tsr_pointgrid_view view;
  tsr_pointgrid_options options;
  tsr_pointgrid_output out;
  tsr_pointgrid_plan *plan = NULL;
  tsr_error error = {0};
  const tsr_bus_traffic before = tsr_memory_traffic();
  tsr_pointgrid_view_init(&view);
  tsr_pointgrid_options_init(&options);
  tsr_pointgrid_output_init(&out);
  view.points = in->points;
  options.max_points = 50;
  CHECK_SAY(tsr_pointgrid_plan_create(&view, &options, &e, &plan, &error) == TSR_OK, "%s",
            error.text);
  const int64_t cells = tsr_pointgrid_plan_sizes(plan)->cells;
  double *mean = room(&made, cells * (int64_t)(sizeof(double) + sizeof(int64_t)));
  const tsr_pointgrid_attribute attribute = {.in = in->values, .mean = mean};
  out.count = (int64_t *)(void *)(mean + cells);
  out.attributes = &attribute;
  out.n_attributes = 1;
  CHECK_SAY(tsr_pointgrid_fill(plan, &out, &error) == TSR_OK, "%s", error.text);
  tsr_pointgrid_plan_free(plan);
  made.up = tsr_memory_traffic().up - before.up;
  return made;
}

/** Adaptive Curves through the lines. */
static result smooth_lines(const chain *in, tsr_backend_id backend) {
  const tsr_execution e = by(backend);
  result made = {0};
  tsr_curves_view view;
  tsr_curves_options options;
  tsr_curves_output out;
  tsr_curves_plan *plan = NULL;
  tsr_error error = {0};
  const tsr_bus_traffic before = tsr_memory_traffic();
  tsr_curves_view_init(&view);
  tsr_curves_options_init(&options);
  tsr_curves_output_init(&out);
  view.points = in->points;
  view.offsets = in->offsets;
  view.connectivity = in->connectivity;
  view.n_connectivity = in->points.tuples;
  view.n_items = in->lines;
  options.chord_error = 0.1;
  CHECK_SAY(tsr_curves_plan_create(&view, &options, &e, &plan, &error) == TSR_OK, "%s", error.text);
  const int64_t n = tsr_curves_plan_sizes(plan)->points;
  double *values = room(&made, n * (int64_t)(sizeof(double) + 3 * sizeof(float)));
  const tsr_attribute attribute = {.in = in->values, .mode = TSR_INTERPOLATE_LINEAR, .out = values};
  out.points = values + n;
  out.attributes = &attribute;
  out.n_attributes = 1;
  CHECK_SAY(tsr_curves_fill(plan, &out, &error) == TSR_OK, "%s", error.text);
  tsr_curves_plan_free(plan);
  made.up = tsr_memory_traffic().up - before.up;
  return made;
}

/* ---- the two together */

typedef result (*second_filter)(const chain *, tsr_backend_id);

typedef struct scene {
  const char *name;
  void (*first)(chain *to);
  second_filter second;
} scene;

static int64_t bytes_of(tsr_array array) {
  return (int64_t)tsr_type_size(array.type) * array.components * array.tuples;
}

/** The second filter gives the CPU's bytes; it uploads these arrays and little else. */
static void expect(const scene *s, const chain *in, int64_t uploaded, const char *what) {
  result cpu = s->second(in, TSR_BACKEND_CPU), cuda = s->second(in, TSR_BACKEND_CUDA);
  CHECK(cpu.n > 0);
  CHECK_SAY(cpu.n == cuda.n && memcmp(cpu.bytes, cuda.bytes, (size_t)cpu.n) == 0,
            "%s, %s: other bytes than the CPU's", s->name, what);
  CHECK_SAY(cuda.up >= uploaded && cuda.up <= uploaded + few_bytes,
            "%s, %s: %lld bytes go up, not %lld", s->name, what, (long long)cuda.up,
            (long long)uploaded);
  free(cpu.bytes);
  free(cuda.bytes);
}

/** What it uploads where nothing is on the device. */
static int64_t all_bytes(const scene *s, const chain *in) {
  const int64_t ids = in->points.tuples * (int64_t)sizeof(int64_t);
  return bytes_of(in->points) + bytes_of(in->values) + (s->second == smooth_lines ? ids : 0);
}

static void check_scene(const scene *s) {
  chain made = {0}, other = {0};
  s->first(&made);
  expect(s, &made, 0, "nothing altered");
  expect(s, &made, 0, "once more");

  /* The last bytes have bits of an exponent. */
  char *value = (char *)made.values.data + bytes_of(made.values) - 1;
  char *point = (char *)made.points.data + bytes_of(made.points) - 1;
  *value ^= 1;
  expect(s, &made, bytes_of(made.values), "a value altered");
  expect(s, &made, bytes_of(made.values), "and read once more");
  *point ^= 1;
  expect(s, &made, bytes_of(made.points) + bytes_of(made.values), "a point altered, too");

  s->first(&other);
  tsr_device_release();
  expect(s, &other, all_bytes(s, &other), "released");
  chain_free(&other);

  /* Memory that is freed and handed out again, with values that are those of before. */
  other = (chain){0};
  s->first(&other);
  const int64_t bytes = bytes_of(other.points);
  void *copy = malloc((size_t)bytes);
  memcpy(copy, other.points.data, (size_t)bytes);
  tsr_output_free((void *)other.points.data);
  other.points.data = tsr_output_alloc((size_t)bytes);
  memcpy((void *)other.points.data, copy, (size_t)bytes);
  expect(s, &other, bytes, "freed in between");
  free(copy);
  chain_free(&other);
  chain_free(&made);
}

/** One thread: the bus takes what is locked faster than the thread can compare it. */
static void expect_locked(const scene *s, const chain *made) {
  const int64_t values = bytes_of(made->values); /* are not locked if they are few */
  threads = 1;
  expect(s, made, bytes_of(made->points) + (values < 64 << 10 ? 0 : values), "one thread");
  threads = 16;
}

/** The pages of an output are locked once the plan that filled it is closed. */
static void check_locked(void) {
  const scene s = {"points filled twice", join_points, sort_points};
  chain made = {0};
  s.first(&made);
  tsr_device_release(); /* waits for the pages */
  s.first(&made);
  expect_locked(&s, &made);
  chain_free(&made);
  tsr_device_release(); /* no other output is to get these pages */
}

/** Output that is filled once more, into pages that are locked by then. */
static void check_again(void) {
  const scene s = {"points filled again", join_points, sort_points};
  chain made = {0};
  s.first(&made);
  expect(&s, &made, 0, "at first");
  tsr_device_release(); /* waits for the pages */
  s.first(&made);
  expect(&s, &made, 0, "other values");
  expect_locked(&s, &made);
  expect(&s, &made, 0, "many threads again");
  chain_free(&made);
}

/** A caller that knows versions: while they are the same, the device's copy is the input, whatever
 *  lies on the host, and however few threads there are to compare the two. */
static void check_versions(void) {
  const scene s = {"points with a version", join_points, sort_points};
  chain made = {0};
  threads = 1;
  generation_now = 5;
  s.first(&made);
  expect(&s, &made, 0, "the same version");
  result before = s.second(&made, TSR_BACKEND_CPU);
  for (int64_t k = 0; k < made.values.tuples; k++) {
    ((double *)made.values.data)[k] += 1.0;
  }
  result blind = s.second(&made, TSR_BACKEND_CUDA);
  CHECK(blind.n == before.n && memcmp(blind.bytes, before.bytes, (size_t)before.n) == 0);
  threads = 16; /* from here on bytes are compared */
  generation_now = 6;
  expect(&s, &made, bytes_of(made.values), "another version");
  generation_now = 0;
  free(before.bytes);
  free(blind.bytes);
  chain_free(&made);
}

/** The oldest copies give way: the emulated device has room for those of ten filters. */
static void check_pressure(void) {
  const scene s = {"many outputs", join_points, sort_points};
  enum { MANY = 32 };
  chain made[MANY];
  memset(made, 0, sizeof made);
  for (int k = 0; k < MANY; k++) {
    s.first(&made[k]);
  }
  expect(&s, &made[MANY - 1], 0, "the newest");
  expect(&s, &made[0], all_bytes(&s, &made[0]), "the oldest");
  for (int k = 0; k < MANY; k++) {
    chain_free(&made[k]);
  }
}

int main(int argc, char **argv) {
  static const scene scenes[] = {{"curves after points", join_points, smooth_lines},
                                 {"point grid after points", join_points, sort_points},
                                 {"point grid after curves", draw_curves, sort_points},
                                 {"point grid after a grid", make_grid, sort_points}};
  const int small = argc > 1 && strcmp(argv[1], "small") == 0, missing = gpu_missing();
  if (missing) {
    return missing;
  }
  state = 7;
  n_points = small ? 4000 : 400000;
  few_bytes = small ? 16 << 10 : 1 << 20;
  for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
    check_scene(&scenes[k]);
  }
  check_locked();
  check_again();
  check_versions();
  if (small) {
    check_pressure();
  }
  tsr_device_release();
  return check_result();
}
