/* SPDX-License-Identifier: BSD-3-Clause */
/** Scenes of grids: a ball in a slope, that moves from step to step. */
#include "grid_outputs.h"
#include "ranks.h"
#include "scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 2 };

/** What sets a scene apart from the plain one: what is 0 is as there. */
typedef struct settings {
  const char *name;
  tsr_grid_output_kind output;
  tsr_grid_mode mode;
  tsr_grid_measure measure;
  tsr_grid_geometry geometry;
  double threshold; /**< relative; 0: 0.5, absolute */
  int flat, coarsen, refine, buffer, constrain, hidden, indicator, relative;
  int budget;   /**< 1: a quarter of the input cells */
  int estimate; /**< 1: the plan alone */
  int marks;    /**< 1: with marks from elsewhere, and its own are kept */
  int steps;    /**< 1: one grid for all time steps */
  int ranks;    /**< of processes that all say the same */
  int parts;    /**< of processes that share the grid; each runs in a thread */
  int again;    /**< 1: twice, with input that stays on a device in between */
  tsr_grid_strategy strategy;
} settings;

static const settings all[] = {
    {.name = "grid"},
    {.name = "grid launched by the device", .strategy = TSR_STRATEGY_DEVICE_LAUNCHED},
    {.name = "grid of a budget", .budget = 1},
    {.name = "estimate of a grid of a budget", .budget = 1, .estimate = 1},
    {.name = "estimate of a grid", .estimate = 1},
    {.name = "conforming grid",
     .output = TSR_GRID_CONFORMING,
     .measure = TSR_MEASURE_INTERPOLATION_ERROR,
     .threshold = 0.1},
    {.name = "grid of kept input",
     .output = TSR_GRID_CONFORMING,
     .measure = TSR_MEASURE_INTERPOLATION_ERROR,
     .threshold = 0.1,
     .again = 1},
    {.name = "conforming grid of a budget",
     .output = TSR_GRID_CONFORMING,
     .threshold = 0.1,
     .budget = 1,
     .measure = TSR_MEASURE_INTERPOLATION_ERROR},
    {.name = "fixed fine conforming grid",
     .output = TSR_GRID_CONFORMING,
     .mode = TSR_GRID_FINE,
     .coarsen = 1},
    {.name = "conforming flat grid", .output = TSR_GRID_CONFORMING, .flat = 1, .refine = 1},
    {.name = "fixed coarse grid", .mode = TSR_GRID_COARSE},
    {.name = "polygons", .output = TSR_GRID_POLYGONS, .flat = 1},
    {.name = "polygons of a budget", .output = TSR_GRID_POLYGONS, .flat = 1, .budget = 1},
    {.name = "trees", .output = TSR_GRID_TREES},
    {.name = "trees of a budget", .output = TSR_GRID_TREES, .budget = 1},
    {.name = "blocks", .output = TSR_GRID_PATCHES, .refine = 1},
    {.name = "blocks of a budget", .output = TSR_GRID_PATCHES, .budget = 1},
    {.name = "grid below the input cells", .refine = 2},
    {.name = "grid below the input cells, of a budget", .refine = 1, .budget = 1},
    {.name = "grid with marks",
     .measure = TSR_MEASURE_INTERPOLATION_ERROR,
     .threshold = 0.1,
     .marks = 1},
    {.name = "grid of all steps", .steps = 1, .refine = 1},
    {.name = "conforming grid of all steps",
     .output = TSR_GRID_CONFORMING,
     .steps = 1,
     .threshold = 0.1,
     .measure = TSR_MEASURE_INTERPOLATION_ERROR},
    {.name = "grid of a process",
     .output = TSR_GRID_CONFORMING,
     .measure = TSR_MEASURE_INTERPOLATION_ERROR,
     .threshold = 0.1,
     .refine = 2,
     .ranks = 2},
    {.name = "grid of a process, of a budget", .ranks = 2, .budget = 1},
    {.name = "polygons of a process", .output = TSR_GRID_POLYGONS, .flat = 1, .ranks = 2},
    {.name = "grid in parts", .coarsen = 2, .refine = 1, .parts = 2},
    {.name = "conforming grid in parts, of a budget",
     .output = TSR_GRID_CONFORMING,
     .coarsen = 2,
     .budget = 1,
     .parts = 2},
    {.name = "constrained grid", .constrain = 1, .geometry = TSR_GEOMETRY_POINTS},
    {.name = "grid with hidden cells",
     .hidden = 1,
     .geometry = TSR_GEOMETRY_RECTILINEAR,
     .indicator = 1},
    {.name = "grid of gradients", .measure = TSR_MEASURE_GRADIENT, .buffer = 1, .indicator = 1},
    {.name = "grid of second derivatives",
     .measure = TSR_MEASURE_SECOND_DERIVATIVE,
     .indicator = 1},
    {.name = "grid of deviations", .measure = TSR_MEASURE_STANDARD_DEVIATION, .indicator = 1},
    {.name = "grid of a range of values", .measure = TSR_MEASURE_IN_RANGE, .indicator = 1},
    {.name = "grid of vorticity",
     .measure = TSR_MEASURE_VORTICITY,
     .threshold = 0.5,
     .indicator = 1},
    {.name = "grid of vortices, of a budget",
     .measure = TSR_MEASURE_Q,
     .threshold = 0.1,
     .budget = 1},
};

/** The input of them all. */
typedef struct field {
  int64_t side;
  double *values[STEPS]; /**< of points */
  double *flow;          /**< three a point */
  double *cells;
  double *places;
  uint8_t *hidden;
} field;

typedef struct grid_scene {
  const settings *set;
  const field *field;
  int fill_again;
} grid_scene;

static int64_t points_of(const field *f) { return f->side * f->side * f->side; }

static void field_make(field *f, int64_t side) {
  f->side = side;
  const int64_t n = points_of(f);
  for (int step = 0; step < STEPS; step++) {
    f->values[step] = scene_room(n, sizeof(double));
  }
  f->flow = scene_room(3 * n, sizeof(double));
  f->cells = scene_room(n, sizeof(double));
  f->places = scene_room(3 * n, sizeof(double));
  f->hidden = scene_room(n, 1);
  const double radius = 0.3 * (double)side, middle = 0.5 * (double)side;
  for (int64_t k = 0; k < n; k++) {
    const double i[3] = {(double)(k % side), (double)(k / side % side), (double)(k / side / side)};
    const double y = i[1] - middle + 0.5, z = i[2] - middle - 0.5;
    for (int step = 0; step < STEPS; step++) {
      const double x = i[0] - middle + 2.5 - 3.0 * step;
      f->values[step][k] = x * x + y * y + z * z < radius * radius ? 1.0 : 0.001 * x;
    }
    f->cells[k] = 0.1 * i[0] + (double)(k % 3);
    f->hidden[k] = k % 11 == 3;
    for (int a = 0; a < 3; a++) {
      f->places[3 * k + a] = i[a] + 0.01 * (double)(k % 7);
      f->flow[3 * k + a] = f->values[a % STEPS][k] * (a == 1 ? z : y);
    }
  }
}

static void field_free(field *f) {
  for (int step = 0; step < STEPS; step++) {
    free(f->values[step]);
  }
  free(f->flow);
  free(f->cells);
  free(f->places);
  free(f->hidden);
}

/** All that a plan takes. */
typedef struct asked {
  tsr_grid_view view;
  tsr_grid_options options;
  tsr_grid_criterion criterion;
  tsr_array arrays[2];
  grid_wanted want;
} asked;

static const int is_cell_data[2] = {0, 1};

static void ask(const grid_scene *it, int step, asked *to) {
  static int ranks;
  const settings *set = it->set;
  const field *f = it->field;
  const int64_t n = set->flat ? f->side * f->side : points_of(f), layer = f->side - 1;
  const int swirls = set->measure == TSR_MEASURE_VORTICITY || set->measure == TSR_MEASURE_Q;
  memset(to, 0, sizeof *to);
  tsr_grid_view_init(&to->view);
  tsr_grid_options_init(&to->options);
  tsr_grid_criterion_init(&to->criterion);
  for (int a = 0; a < 3; a++) {
    to->view.whole[2 * a + 1] = to->view.extent[2 * a + 1] = a == 2 && set->flat ? 0 : layer;
    to->view.coordinates[a] = (tsr_array){f->cells, TSR_DOUBLE, 1, f->side};
  }
  to->view.geometry = set->geometry;
  to->view.points = (tsr_array){f->places, TSR_DOUBLE, 3, n};
  to->view.hidden_cells = set->hidden ? f->hidden : NULL;
  to->criterion.measure = set->measure;
  to->criterion.array = swirls ? (tsr_array){f->flow, TSR_DOUBLE, 3, n}
                               : (tsr_array){f->values[step], TSR_DOUBLE, 1, n};
  to->criterion.threshold = set->threshold > 0.0 ? set->threshold : 0.5;
  to->criterion.relative = set->threshold > 0.0;
  to->criterion.lower = 0.5;
  to->criterion.upper = 2.0;
  to->options.n_criteria = 1;
  to->options.mode = set->mode;
  to->options.output = set->output;
  to->options.coarsen_levels = set->coarsen > 0 ? set->coarsen : 4;
  to->options.refine_levels = set->refine;
  to->options.buffer_cells = set->buffer;
  to->options.constrain = set->constrain;
  to->options.cell_budget = set->budget ? n / 4 : 0;
  to->options.launch.strategy = set->strategy > 0 ? set->strategy : TSR_STRATEGY_HOST_WAVES;
  if (set->ranks > 0) {
    ranks = set->ranks;
    to->options.n_ranks = set->ranks;
    to->options.gather = scene_echo;
    to->options.gather_context = &ranks;
  }
  to->arrays[0] = (tsr_array){f->values[step], TSR_DOUBLE, 1, n};
  to->arrays[1] =
      (tsr_array){f->cells, TSR_DOUBLE, 1, set->flat ? layer * layer : layer * layer * layer};
  to->want = (grid_wanted){to->arrays,
                           is_cell_data,
                           2,
                           TSR_FLOAT,
                           TSR_INT64,
                           0,
                           set->indicator,
                           grid_has_states(&to->options)};
}

/** Adds what a plan is, and, unless it is an estimate, what it fills. */
static void add_plan(const grid_scene *it, tsr_grid_plan *plan, const grid_wanted *want,
                     scene_result *to) {
  const tsr_grid_marks marks = tsr_grid_plan_marks(plan);
  scene_add(to, marks.nodes, (size_t)marks.n * sizeof *marks.nodes);
  scene_add(to, tsr_grid_plan_sizes(plan), sizeof(tsr_grid_sizes));
  if (!it->set->estimate) {
    grid_filled filled;
    to->status = grid_fill(plan, want, &filled);
    if (to->status == TSR_NO_MEMORY && it->fill_again) {
      grid_filled_free(&filled);
      to->status = grid_fill(plan, want, &filled);
    }
    if (to->status == TSR_OK) {
      for (int k = 0; k < GRID_OUTPUTS + want->n_arrays; k++) {
        scene_add(to, filled.data[k], filled.bytes[k]);
      }
      scene_add(to, filled.errors, (size_t)want->n_arrays * sizeof *filled.errors);
    } else {
      to->error = filled.error;
    }
    grid_filled_free(&filled);
  }
  tsr_grid_plan_report(plan, &to->report);
}

static void run_once(const grid_scene *it, const tsr_execution *execution, scene_result *to) {
  static const tsr_grid_node marks[2] = {{{0, 0, 0}, 2}, {{1, 1, 1}, 3}};
  asked of;
  tsr_grid_plan *plan = NULL;
  ask(it, 0, &of);
  of.options.criteria = &of.criterion;
  if (it->set->marks) {
    of.options.marks = (tsr_grid_marks){marks, 2};
    of.options.keep_marks = 1;
  }
  to->status = tsr_grid_plan_create(&of.view, &of.options, execution, &plan, &to->error);
  if (to->status == TSR_OK) {
    add_plan(it, plan, &of.want, to);
  }
  tsr_grid_plan_free(plan);
}

/** The marks of each step with those of the one before; the last plan, with all of them, is
 *  filled. */
static void run_steps(const grid_scene *it, const tsr_execution *execution, scene_result *to) {
  tsr_grid_marks marks = {NULL, 0};
  for (int step = 0; step <= STEPS && to->status == TSR_OK; step++) {
    asked of;
    tsr_grid_plan *plan = NULL;
    tsr_grid_node *before = (tsr_grid_node *)marks.nodes;
    ask(it, step % STEPS, &of);
    of.options.criteria = &of.criterion;
    of.options.marks = marks;
    of.options.keep_marks = step < STEPS;
    to->status = tsr_grid_plan_create(&of.view, &of.options, execution, &plan, &to->error);
    marks = (tsr_grid_marks){NULL, 0};
    if (to->status == TSR_OK && step < STEPS) {
      const tsr_grid_marks made = tsr_grid_plan_marks(plan);
      tsr_grid_node *copy = scene_room(made.n, sizeof *copy);
      if (made.n > 0) {
        memcpy(copy, made.nodes, (size_t)made.n * sizeof *copy);
      }
      marks = (tsr_grid_marks){copy, made.n};
    } else if (to->status == TSR_OK) {
      add_plan(it, plan, &of.want, to);
    }
    tsr_grid_plan_free(plan);
    free(before);
  }
  free((tsr_grid_node *)marks.nodes);
}

/** One process of several. */
typedef struct part {
  const grid_scene *it;
  const tsr_execution *execution;
  scene_result result;
} part;

static void run_part(void *data, const tsr_processes *processes) {
  part *mine = data;
  asked of;
  tsr_grid_plan *plan = NULL;
  scene_result *to = &mine->result;
  ask(mine->it, 0, &of);
  of.options.criteria = &of.criterion;
  ranks_take_part(&of.options, processes);
  memcpy(of.view.owned, of.view.extent, sizeof of.view.owned);
  of.view.owned[processes->rank == 0 ? 5 : 4] = 4; /* where the second root begins */
  to->status = tsr_grid_plan_create(&of.view, &of.options, mine->execution, &plan, &to->error);
  if (to->status == TSR_OK) {
    add_plan(mine->it, plan, &of.want, to);
  }
  tsr_grid_plan_free(plan);
}

/** By several processes. Where one fails, the others only say that another did. */
static void run_parts(const grid_scene *it, const tsr_execution *execution, scene_result *to) {
  part parts[2] = {{.it = it, .execution = execution}, {.it = it, .execution = execution}};
  ranks_run(2, run_part, parts, sizeof *parts);
  *to = parts[0].result;
  for (int r = 0; r < 2; r++) {
    const scene_result *one = &parts[r].result;
    if (one->status != TSR_OK && (to->status == TSR_OK || to->status == TSR_ABORTED)) {
      to->status = one->status;
      to->error = one->error;
    }
    scene_add(to, &one->bytes, sizeof one->bytes);
  }
}

static uint64_t never_changes(void *context, const void *data) {
  (void)context;
  return data != NULL;
}

static void run(const scene *it, const tsr_execution *execution, scene_result *to) {
  const grid_scene *grid = it->of;
  tsr_execution kept = *execution;
  if (grid->set->parts) {
    run_parts(grid, execution, to);
    return;
  }
  if (grid->set->steps) {
    run_steps(grid, execution, to);
    return;
  }
  if (grid->set->again) {
    kept.owner = grid;
    kept.generation = never_changes;
    run_once(grid, &kept, to);
  }
  if (to->status == TSR_OK) {
    run_once(grid, &kept, to);
  }
  if (grid->set->again) {
    tsr_device_forget(grid);
  }
}

void scenes_of_grids(const scene_visit *visit) {
  field f;
  field_make(&f, visit->side);
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    const grid_scene it = {&all[k], &f, visit->fill_again};
    if (visit->devices || !all[k].parts) {
      scene_show(visit, all[k].name, run, &it);
    }
  }
  field_free(&f);
}
