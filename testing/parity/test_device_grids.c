/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Grids whose arrays lie on the device: the bytes of the CPU's output, written where the caller
 * says, and next to nothing over the bus. What only the CPU can do is refused by name.
 *
 *     test_device_grids [small]
 */
#include "check.h"
#include "device_memory.h"
#include "outputs.h"
#include "random_numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_small;

static void check_traffic(tsr_bus_traffic before, const char *what) {
  const char *moved = placed_moved(before, is_small);
  CHECK_SAY(moved == NULL, "%s: %s", what, moved ? moved : "");
}

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
  const tsr_execution e = placed_execution(set, cuda);
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

/** A grid that is refused: the status and a word of the sentence must be these. change: what is
 *  wrong with the scene, or NULL. */
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

/** An octree of a mesh is refused before its arrays are looked at: they are bad addresses here. */
static void mesh_refused(void) {
  static const char nowhere;
  const tsr_execution e = placed_execution(&(placed){.on_device = 1}, 1);
  tsr_mesh_view view;
  tsr_mesh_plan *plan;
  tsr_error error = {0};
  tsr_mesh_view_init(&view);
  view.points = (tsr_array){&nowhere, TSR_DOUBLE, 3, 1000000};
  view.n_cells = 1000000;
  view.types = (const uint8_t *)&nowhere;
  view.cell_faces = view.offsets = view.connectivity = &nowhere;
  const tsr_status status = tsr_mesh_plan_create(&view, NULL, &e, &plan, &error);
  CHECK_SAY(status == TSR_BAD_OPTION && strstr(error.text, "octrees of meshes"), "status %d: %s",
            (int)status, error.text);
}

int main(int argc, char **argv) {
  const int missing = gpu_missing();
  is_small = argc > 1 && strcmp(argv[1], "small") == 0;
  if (missing) {
    return missing;
  }
  state = 30;
  grids_on_device();
  grids_refused();
  mesh_refused();
  return check_result();
}
