/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Point grids, and curves after them, whose arrays lie on the device: the bytes of the CPU's
 * output, written where the caller says, and next to nothing over the bus. What only the CPU can do
 * is refused by name. Also memory that the library allocates on the device.
 *
 *     test_device_points [small]
 */
#include "check.h"
#include "device_memory.h"
#include "outputs.h"
#include "random_numbers.h"

#include <cuda_runtime_api.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_small;

static void check_traffic(tsr_bus_traffic before, const char *what) {
  const char *moved = placed_moved(before, is_small);
  CHECK_SAY(moved == NULL, "%s: %s", what, moved ? moved : "");
}

/* ---- point grids */

typedef struct points_scene {
  int64_t n;
  tsr_array points, values, pairs;
  uint8_t *hidden;
} points_scene;

static points_scene make_points(int64_t n, tsr_type type) {
  points_scene s = {.n = n};
  const size_t size = tsr_type_size(type);
  char *x = malloc((size_t)n * 3 * size);
  float *values = malloc((size_t)n * sizeof *values);
  int16_t *pairs = malloc((size_t)n * 2 * sizeof *pairs);
  s.hidden = malloc((size_t)n);
  for (int64_t i = 0; i < 3 * n; i++) {
    const double v = uniform() * uniform();
    if (type == TSR_FLOAT) {
      ((float *)(void *)x)[i] = (float)v;
    } else {
      ((double *)(void *)x)[i] = v;
    }
  }
  for (int64_t i = 0; i < n; i++) {
    values[i] = (float)uniform();
    pairs[2 * i] = (int16_t)below(1000);
    pairs[2 * i + 1] = (int16_t)below(10);
    s.hidden[i] = below(5) == 0;
  }
  s.points = (tsr_array){x, type, 3, n};
  s.values = (tsr_array){values, TSR_FLOAT, 1, n};
  s.pairs = (tsr_array){pairs, TSR_INT16, 2, n};
  return s;
}

static void free_points(points_scene *s) {
  free((void *)s->points.data);
  free((void *)s->values.data);
  free((void *)s->pairs.data);
  free(s->hidden);
}

static void want_statistics(placed *set, const tsr_pointgrid_sizes *sizes, const tsr_array *in,
                            tsr_pointgrid_attribute *to) {
  const size_t n = (size_t)sizes->cells * (size_t)in->components, size = tsr_type_size(in->type);
  to->mean = placed_output(set, "a mean", n * sizeof(double));
  to->least = placed_output(set, "a minimum", n * size);
  to->greatest = placed_output(set, "a maximum", n * size);
}

static void want_points(placed *set, const tsr_pointgrid_sizes *sizes,
                        const tsr_pointgrid_options *options, tsr_pointgrid_output *out,
                        tsr_pointgrid_attribute attributes[2]) {
  const size_t cells = (size_t)sizes->cells, points = (size_t)sizes->points;
  const int of_points = options->output == TSR_POINTGRID_POINTS;
  tsr_pointgrid_output_init(out);
  out->points = placed_output(set, "points", 3 * points * sizeof(double));
  out->offsets = placed_output(set, "offsets", (cells + 1) * sizeof(int64_t));
  out->connectivity =
      placed_output(set, "connectivity", (size_t)sizes->connectivity * sizeof(int64_t));
  out->level = placed_output(set, "levels", cells * sizeof(int32_t));
  if (of_points) {
    out->leaf = placed_output(set, "leaves", points * sizeof(int64_t));
    out->source_point = placed_output(set, "source points", points * sizeof(int64_t));
  } else {
    out->count = placed_output(set, "counts", cells * sizeof(int64_t));
    out->density = placed_output(set, "densities", cells * sizeof(double));
  }
  for (int a = 0; a < 2; a++) {
    const tsr_array *in = &attributes[a].in;
    if (of_points)
      attributes[a].out =
          placed_output(set, "values", points * (size_t)in->components * tsr_type_size(in->type));
    else
      want_statistics(set, sizes, in, &attributes[a]);
  }
  out->attributes = attributes;
  out->n_attributes = 2;
}

static tsr_status run_points(const points_scene *s, tsr_pointgrid_options options, int cuda,
                             size_t shift, placed *set, tsr_error *error) {
  const tsr_execution e = placed_execution(set, cuda);
  const size_t point = 3 * tsr_type_size(s->points.type);
  tsr_pointgrid_attribute attributes[2] = {{.in = placed_array(set, s->values)},
                                           {.in = placed_array(set, s->pairs)}};
  tsr_pointgrid_output out;
  tsr_pointgrid_view view;
  tsr_pointgrid_plan *plan;
  tsr_pointgrid_view_init(&view);
  view.points = s->points;
  view.points.data = placed_input(set, s->points.data, (size_t)s->n * point, shift);
  view.hidden = placed_input(set, s->hidden, (size_t)s->n, 0);
  if (options.use_spread && options.spread_of == TSR_POINTGRID_SPREAD_OF_ARRAY)
    options.spread_array = attributes[0].in;
  const tsr_bus_traffic before = tsr_memory_traffic();
  tsr_status status = tsr_pointgrid_plan_create(&view, &options, &e, &plan, error);
  if (status != TSR_OK)
    return status;
  want_points(set, tsr_pointgrid_plan_sizes(plan), &options, &out, attributes);
  status = tsr_pointgrid_fill(plan, &out, error);
  tsr_pointgrid_plan_free(plan);
  if (set->on_device)
    check_traffic(before, "a point grid");
  return status;
}

static void compare_points(const points_scene *s, const tsr_pointgrid_options *options,
                           size_t shift) {
  placed on_host = {0}, on_device = {.on_device = 1};
  tsr_error error = {0};
  CHECK_SAY(run_points(s, *options, 0, 0, &on_host, &error) == TSR_OK, "%s", error.text);
  CHECK_SAY(run_points(s, *options, 1, shift, &on_device, &error) == TSR_OK, "%s", error.text);
  const char *said = placed_difference(&on_host, &on_device);
  CHECK_SAY(said == NULL, "point grid, output %d, spread %d: %s", (int)options->output,
            options->use_spread, said ? said : "");
  placed_free(&on_host);
  placed_free(&on_device);
}

static void points_on_device(void) {
  static const int64_t sizes[] = {0, 1, 300000};
  for (int k = 0; k < 3; k++) {
    points_scene s =
        make_points(is_small && k == 2 ? 3000 : sizes[k], k % 2 ? TSR_FLOAT : TSR_DOUBLE);
    for (int kind = 0; kind < 6; kind++) {
      tsr_pointgrid_options o;
      tsr_pointgrid_options_init(&o);
      o.output = kind % 2 ? TSR_POINTGRID_POINTS : TSR_POINTGRID_CELLS;
      o.shape = kind < 3 ? TSR_POINTGRID_OCTREE : TSR_POINTGRID_THINNEST;
      o.use_spread = kind >= 4;
      o.spread = 0.2;
      o.max_points = 16;
      compare_points(&s, &o, kind == 2 ? 8 : 0);
    }
    free_points(&s);
  }
}

/** The sentence of a point grid that is refused; it must have the status and the word. */
static void refused_points(const tsr_pointgrid_options *o, int cuda, tsr_status expected,
                           const char *word) {
  points_scene s = make_points(100, TSR_FLOAT);
  placed set = {.on_device = 1};
  tsr_error error = {0};
  const tsr_status status = run_points(&s, *o, cuda, 0, &set, &error);
  CHECK_SAY(status == expected && strstr(error.text, word), "status %d: %s", (int)status,
            error.text);
  placed_free(&set);
  free_points(&s);
}

static void points_refused(void) {
  tsr_pointgrid_options o;
  tsr_pointgrid_options_init(&o);
  refused_points(&o, 0, TSR_BAD_OPTION, "CPU");
  o.balance = TSR_BALANCE_FACE;
  refused_points(&o, 1, TSR_BAD_OPTION, "balance");
  o.balance = TSR_BALANCE_NONE;
  o.output = TSR_POINTGRID_TREE;
  refused_points(&o, 1, TSR_BAD_OPTION, "trees");
}

/* ---- chains */

/** A point grid whose points, in the order of its leaves, a curve then goes through. The curve's
 *  arrays are those of the grid's output; its two offsets are on the host. Returns the traffic. */
static tsr_bus_traffic run_chain(const points_scene *s, placed *set) {
  const tsr_execution e = placed_execution(set, set->on_device);
  const tsr_array given = placed_array(set, s->points);
  const tsr_bus_traffic before = tsr_memory_traffic();
  tsr_pointgrid_options grid_options;
  tsr_pointgrid_output between;
  tsr_pointgrid_view grid_view;
  tsr_pointgrid_plan *grid_plan = NULL;
  tsr_error error = {0};
  tsr_pointgrid_view_init(&grid_view);
  tsr_pointgrid_options_init(&grid_options);
  tsr_pointgrid_output_init(&between);
  grid_view.points = given;
  grid_options.output = TSR_POINTGRID_POINTS;
  CHECK_SAY(tsr_pointgrid_plan_create(&grid_view, &grid_options, &e, &grid_plan, &error) == TSR_OK,
            "%s", error.text);
  between.points_type = TSR_FLOAT;
  between.points = placed_output(set, "points between", (size_t)s->n * 3 * sizeof(float));
  between.connectivity = placed_output(set, "ids between", (size_t)s->n * sizeof(int64_t));
  CHECK_SAY(tsr_pointgrid_fill(grid_plan, &between, &error) == TSR_OK, "%s", error.text);
  tsr_pointgrid_plan_free(grid_plan);

  const int64_t offsets[2] = {0, s->n};
  tsr_curves_options options;
  tsr_curves_output out;
  tsr_curves_view view;
  tsr_curves_plan *plan = NULL;
  tsr_curves_view_init(&view);
  tsr_curves_options_init(&options);
  tsr_curves_output_init(&out);
  view.points = (tsr_array){between.points, TSR_FLOAT, 3, s->n};
  view.connectivity = between.connectivity;
  view.n_connectivity = s->n;
  view.offsets = offsets;
  view.n_items = 1;
  options.chord_error = 0.02;
  CHECK_SAY(tsr_curves_plan_create(&view, &options, &e, &plan, &error) == TSR_OK, "%s", error.text);
  const tsr_curves_sizes *sizes = tsr_curves_plan_sizes(plan);
  CHECK(sizes->points > 1000);
  out.points = placed_output(set, "points", (size_t)sizes->points * 3 * sizeof(float));
  out.connectivity = placed_output(set, "ids", (size_t)sizes->connectivity * sizeof(int64_t));
  CHECK_SAY(tsr_curves_fill(plan, &out, &error) == TSR_OK, "%s", error.text);
  tsr_curves_plan_free(plan);
  return before;
}

static void curves_after_points(void) {
  points_scene s = make_points(is_small ? 8000 : 100000, TSR_DOUBLE);
  placed on_host = {0}, on_device = {.on_device = 1};
  run_chain(&s, &on_host);
  check_traffic(run_chain(&s, &on_device), "a chain");
  const char *said = placed_difference(&on_host, &on_device);
  CHECK_SAY(said == NULL, "chain: %s", said ? said : "");
  placed_free(&on_host);
  placed_free(&on_device);
  free_points(&s);
}

/** Memory that the library allocates and copies. */
static void own_memory(void) {
  const char text[] = "there and back";
  char back[sizeof text] = {0};
  struct cudaPointerAttributes found;
  tsr_error error;
  void *there, *again;
  CHECK_INT(tsr_device_alloc(-1, sizeof text, &there, &error), TSR_OK);
  CHECK_INT(tsr_device_alloc(0, sizeof text, &again, &error), TSR_OK);
  CHECK(cudaPointerGetAttributes(&found, there) == cudaSuccess &&
        found.type == cudaMemoryTypeDevice);
  CHECK_INT(tsr_device_copy(0, NULL, there, text, sizeof text, &error), TSR_OK);
  CHECK_INT(tsr_device_copy(0, NULL, again, there, sizeof text, &error), TSR_OK);
  CHECK_INT(tsr_device_copy(0, NULL, back, again, sizeof text, &error), TSR_OK);
  CHECK(strcmp(back, text) == 0);
  tsr_device_free(there);
  tsr_device_free(again);
  CHECK_INT(tsr_device_alloc(31, 1, &there, &error), TSR_NO_BACKEND);
  CHECK_INT(tsr_device_alloc(0, -1, &there, &error), TSR_BAD_INPUT);
}

int main(int argc, char **argv) {
  const int missing = gpu_missing();
  is_small = argc > 1 && strcmp(argv[1], "small") == 0;
  if (missing) {
    return missing;
  }
  state = 30;
  points_on_device();
  points_refused();
  curves_after_points();
  own_memory();
  return check_result();
}
