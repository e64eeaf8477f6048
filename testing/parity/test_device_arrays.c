/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Arrays of the caller on the device: the bytes of the CPU's output, written where the caller says,
 * and next to nothing over the bus. What only the CPU can do is refused by name.
 *
 *     test_device_arrays [small]
 */
#include "check.h"
#include "device_memory.h"
#include "outputs.h"
#include "random_numbers.h"

#include <cuda_runtime_api.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Most bytes over the bus, either way, of a plan and its fill: numbers and lists whose length does
 *  not follow from the input's, but from the number of multiprocessors, of which the emulated
 * device has 4. */
enum { MOST_TRAFFIC = 1 << 20, MOST_TRAFFIC_SMALL = 64 << 10 };

static int is_small;

/** An execution for arrays that are in `set`. */
static tsr_execution execution_for(const placed *set, int cuda) {
  tsr_execution e = cuda ? execution_cuda() : execution_cpu();
  e.device_arrays = set->on_device;
  return e;
}

static void check_traffic(tsr_bus_traffic before, const char *what) {
  const tsr_bus_traffic now = tsr_memory_traffic();
  const int64_t most = is_small ? MOST_TRAFFIC_SMALL : MOST_TRAFFIC;
  CHECK_SAY(now.up - before.up <= most && now.down - before.down <= most,
            "%s: %lld bytes up and %lld down", what, (long long)(now.up - before.up),
            (long long)(now.down - before.down));
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
  const tsr_execution e = execution_for(set, cuda);
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

/* ---- grids */

/** A structured grid with a front and a bump, as point and as cell data. */
typedef struct grid_scene {
  tsr_grid_view view;
  tsr_array field, pair, cells;
} grid_scene;

static grid_scene make_grid(int64_t side, tsr_grid_geometry geometry) {
  const int64_t n = side * side * side, m = (side - 1) * (side - 1) * (side - 1);
  float *field = malloc((size_t)n * sizeof *field), *x = malloc((size_t)n * 3 * sizeof *x);
  double *pair = malloc((size_t)n * 2 * sizeof *pair), *axis = malloc((size_t)side * sizeof *axis);
  uint8_t *cells = malloc((size_t)m);
  grid_scene s = {.field = {field, TSR_FLOAT, 1, n},
                  .pair = {pair, TSR_DOUBLE, 2, n},
                  .cells = {cells, TSR_UINT8, 1, m}};
  for (int64_t i = 0; i < n; i++) {
    const int64_t at[3] = {i % side, i / side % side, i / side / side};
    for (int a = 0; a < 3; a++) {
      x[3 * i + a] = (float)((double)at[a] + 0.2 * uniform());
    }
    field[i] = (float)tanh(0.3 * (double)(at[0] + at[1] - side));
    pair[2 * i] = exp(-0.01 * (double)((at[0] - 9) * (at[0] - 9) + at[2] * at[2]));
    pair[2 * i + 1] = below(500) == 0 ? NAN : 0.01 * uniform();
  }
  for (int64_t i = 0; i < m; i++) {
    cells[i] = (uint8_t)(i % (side - 1) > side / 2 ? 200 : below(3));
  }
  tsr_grid_view_init(&s.view);
  for (int a = 0; a < 3; a++) {
    s.view.whole[2 * a + 1] = s.view.extent[2 * a + 1] = side - 1;
  }
  s.view.geometry = geometry;
  for (int64_t k = 0; k < side; k++) {
    axis[k] = (double)k + 0.5 * (k > 0 ? uniform() : 0.0);
  }
  for (int a = 0; a < 3; a++) {
    s.view.coordinates[a] = (tsr_array){axis, TSR_DOUBLE, 1, side};
  }
  s.view.points = (tsr_array){x, TSR_FLOAT, 3, n};
  return s;
}

static void free_grid(grid_scene *s) {
  free((void *)s->field.data);
  free((void *)s->pair.data);
  free((void *)s->cells.data);
  free((void *)s->view.points.data);
  free((void *)s->view.coordinates[0].data);
}

/** All that a fill makes. errors: of three arrays, on the host. */
static void want_grid(placed *set, const tsr_grid_sizes *z, const tsr_grid_options *o,
                      tsr_grid_attribute attributes[3], double errors[3], tsr_grid_output *out) {
  const int states = o->output == TSR_GRID_TREES || o->output == TSR_GRID_PATCHES;
  const size_t cells = (size_t)z->cells, points = (size_t)z->points;
  tsr_grid_output_init(out);
  if (states) {
    out->state = placed_output(set, "states", cells);
    out->tree_first = placed_output(set, "trees", (size_t)(z->trees > 0 ? z->trees + 1 : 0) * 8);
    out->tree_root = placed_output(set, "roots", (size_t)z->trees * 12);
  } else {
    out->points_type = TSR_FLOAT;
    out->points = placed_output(set, "points", 3 * points * sizeof(float));
    out->offsets = placed_output(set, "offsets", (cells + 1) * sizeof(int64_t));
    out->connectivity =
        placed_output(set, "connectivity", (size_t)z->connectivity * sizeof(int64_t));
    out->hanging = placed_output(set, "hanging", points);
    out->leaf = placed_output(set, "leaves", cells * sizeof(int64_t));
    out->cell_type = placed_output(set, "types", cells);
  }
  out->level = placed_output(set, "levels", cells * sizeof(int32_t));
  out->source_cell = placed_output(set, "source cells", cells * sizeof(int64_t));
  out->indicator = placed_output(set, "indicators", cells * sizeof(double));
  for (int a = 0; a < 3; a++) {
    const tsr_array *in = &attributes[a].in;
    const size_t tuples = attributes[a].cell_data || states ? cells : points;
    attributes[a].out =
        placed_output(set, "an array", tuples * (size_t)in->components * tsr_type_size(in->type));
    attributes[a].error = &errors[a];
  }
  out->attributes = attributes;
  out->n_attributes = 3;
}

static tsr_status run_grid(const grid_scene *s, tsr_grid_options o, tsr_grid_measure measure,
                           int cuda, placed *set, double errors[3], tsr_error *error) {
  const tsr_execution e = execution_for(set, cuda);
  tsr_grid_view view = s->view;
  tsr_grid_attribute attributes[3] = {{.in = placed_array(set, s->field)},
                                      {.in = placed_array(set, s->pair)},
                                      {.in = placed_array(set, s->cells), .cell_data = 1}};
  const int flow = measure == TSR_MEASURE_VORTICITY;
  tsr_grid_criterion criteria[2];
  tsr_grid_output out;
  tsr_grid_plan *plan;
  view.points = placed_array(set, view.points);
  for (int a = 0; a < 3; a++) {
    view.coordinates[a] = placed_array(set, view.coordinates[a]);
  }
  for (int c = 0; c < 2; c++) {
    tsr_grid_criterion_init(&criteria[c]);
    criteria[c].measure = c == 0 ? measure : TSR_MEASURE_VALUE_RANGE;
    criteria[c].array = c == 0 ? (flow ? view.points : attributes[0].in) : attributes[2].in;
    criteria[c].cell_data = c;
    criteria[c].relative = 1;
    criteria[c].threshold = c == 0 ? 0.05 : 0.3;
  }
  o.criteria = criteria;
  o.n_criteria = 2;
  const tsr_bus_traffic before = tsr_memory_traffic();
  tsr_status status = tsr_grid_plan_create(&view, &o, &e, &plan, error);
  if (status != TSR_OK) {
    return status;
  }
  want_grid(set, tsr_grid_plan_sizes(plan), &o, attributes, errors, &out);
  status = tsr_grid_fill(plan, &out, error);
  tsr_grid_plan_free(plan);
  if (set->on_device) {
    check_traffic(before, "a grid");
  }
  return status;
}

static void compare_grids(const grid_scene *s, const tsr_grid_options *o,
                          tsr_grid_measure measure) {
  placed on_host = {0}, on_device = {.on_device = 1};
  double errors[2][3] = {{0.0}};
  tsr_error error = {0};
  char what[80];
  snprintf(what, sizeof what, "grid, geometry %d, output %d, measure %d", (int)s->view.geometry,
           (int)o->output, (int)measure);
  CHECK_SAY(run_grid(s, *o, measure, 0, &on_host, errors[0], &error) == TSR_OK, "%s: %s", what,
            error.text);
  CHECK_SAY(run_grid(s, *o, measure, 1, &on_device, errors[1], &error) == TSR_OK, "%s: %s", what,
            error.text);
  const char *said = placed_difference(&on_host, &on_device);
  CHECK_SAY(said == NULL, "%s: %s", what, said ? said : "");
  for (int a = 0; a < 3; a++) {
    CHECK_SAY(errors[0][a] == errors[1][a], "%s: error %.17g, CUDA %.17g", what, errors[0][a],
              errors[1][a]);
  }
  placed_free(&on_host);
  placed_free(&on_device);
}

static void grids_on_device(void) {
  static const tsr_grid_measure measures[] = {TSR_MEASURE_INTERPOLATION_ERROR, TSR_MEASURE_GRADIENT,
                                              TSR_MEASURE_SECOND_DERIVATIVE, TSR_MEASURE_VORTICITY,
                                              TSR_MEASURE_STANDARD_DEVIATION};
  for (int geometry = TSR_GEOMETRY_UNIFORM; geometry <= TSR_GEOMETRY_POINTS; geometry++) {
    grid_scene s = make_grid(is_small ? 30 : 90, (tsr_grid_geometry)geometry);
    for (int kind = TSR_GRID_CELLS; kind <= TSR_GRID_CONFORMING; kind++) {
      for (int m = 0; m < 5; m++) {
        tsr_grid_options o;
        tsr_grid_options_init(&o);
        o.output = (tsr_grid_output_kind)kind;
        o.coarsen_levels = 2;
        o.refine_levels = m == 1;
        o.constrain = m == 2;
        o.cell_budget = m == 4 && !is_small ? 20000 : 0;
        if (kind != TSR_GRID_POLYGONS && !(is_small && (m + kind + geometry) % 2)) {
          compare_grids(&s, &o, measures[m]);
        }
      }
    }
    free_grid(&s);
  }
}

/** As refused_points, for grids. change: what is wrong with the scene. */
static void refused_grid(void (*change)(grid_scene *, placed *), int cuda, tsr_status expected,
                         const char *word) {
  grid_scene s = make_grid(12, TSR_GEOMETRY_UNIFORM);
  placed set = {.on_device = 1};
  tsr_error error = {0};
  double errors[3];
  tsr_grid_options o;
  tsr_grid_options_init(&o);
  if (change) {
    change(&s, &set);
  }
  const tsr_status status = run_grid(&s, o, TSR_MEASURE_VALUE_RANGE, cuda, &set, errors, &error);
  CHECK_SAY(status == expected && strstr(error.text, word), "status %d: %s", (int)status,
            error.text);
  placed_free(&set);
  free_grid(&s);
}

static void hide_on_device(grid_scene *s, placed *set) {
  const uint8_t flags[11 * 11 * 11] = {1};
  s->view.hidden_cells = placed_input(set, flags, sizeof flags, 0);
}

static void turn_axis(grid_scene *s, placed *set) {
  (void)set;
  s->view.spacing[1] = -1.0;
}

static void grids_refused(void) {
  refused_grid(NULL, 0, TSR_BAD_OPTION, "CPU");
  refused_grid(hide_on_device, 1, TSR_BAD_OPTION, "hidden");
  refused_grid(turn_axis, 1, TSR_BAD_OPTION, "backwards");
}

/* ---- chains */

/** A point grid whose points, in the order of its leaves, a curve then goes through. The curve's
 *  arrays are those of the grid's output; its two offsets are on the host. Returns the traffic. */
static tsr_bus_traffic run_chain(const points_scene *s, placed *set) {
  const tsr_execution e = execution_for(set, set->on_device);
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
  grids_on_device();
  grids_refused();
  curves_after_points();
  own_memory();
  return check_result();
}
