/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: defaults, and everything that can be wrong with options, views and criteria. */
#include "grid/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tsr_grid_view_init(tsr_grid_view *view) {
  memset(view, 0, sizeof *view);
  view->struct_size = sizeof *view;
  for (int a = 0; a < 3; ++a) {
    view->whole[2 * a + 1] = view->extent[2 * a + 1] = -1;
    view->spacing[a] = 1.0;
    view->direction[4 * a] = 1.0;
  }
}

void tsr_grid_criterion_init(tsr_grid_criterion *criterion) {
  memset(criterion, 0, sizeof *criterion);
  criterion->measure = TSR_MEASURE_VALUE_RANGE;
  criterion->component = -1;
  criterion->range[0] = 1.0;
  criterion->max_level = -1;
}

void tsr_grid_output_init(tsr_grid_output *output) {
  memset(output, 0, sizeof *output);
  output->struct_size = sizeof *output;
  output->points_type = TSR_FLOAT;
  output->index_type = TSR_INT64;
  for (int type = TSR_GRID_CELL_LEAF; type <= TSR_GRID_CELL_PYRAMID; ++type)
    output->cell_type_of[type] = (uint8_t)type;
}

int tsr_grid_ghost_cells(const tsr_grid_options *options) {
  int ghosts = 0;
  for (int r = 0; r < options->n_criteria; ++r) {
    const tsr_grid_criterion *c = &options->criteria[r];
    if (c->measure == TSR_MEASURE_SECOND_DERIVATIVE)
      ghosts = 1;
    if (c->cell_data && (c->measure == TSR_MEASURE_GRADIENT ||
                         c->measure == TSR_MEASURE_VORTICITY || c->measure == TSR_MEASURE_Q))
      ghosts = 1;
  }
  return ghosts;
}

int64_t tsr_grid_ghost_roots(const tsr_grid_options *options) {
  const int64_t block = options->output == TSR_GRID_PATCHES ? options->block_size : 0;
  return 2 + options->buffer_cells + block;
}

static tsr_status check_int(int64_t value, int64_t least, int64_t most, const char *name,
                            tsr_error *error) {
  if (value < least || value > most)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "%s must lie between %lld and %lld, not be %lld",
                    name, (long long)least, (long long)most, (long long)value);
  return TSR_OK;
}

/* What errors call criterion r; `number` receives it where it has no name. */
static const char *name_of(const tsr_grid_options *o, int r, char number[32]) {
  if (o->criterion_names && o->criterion_names[r])
    return o->criterion_names[r];
  snprintf(number, 32, "criterion %d", r);
  return number;
}

/* The numbers of a criterion. */
static tsr_status check_criterion(const tsr_grid_options *o, int r, tsr_error *error) {
  const tsr_grid_criterion *c = &o->criteria[r];
  char number[32];
  const char *name = name_of(o, r, number);
  if ((unsigned)c->measure > (unsigned)TSR_MEASURE_INTERPOLATION_ERROR)
    return tsr_fail(error, TSR_BAD_OPTION, r, "the measure %d of %s is unknown", (int)c->measure,
                    name);
  if (c->measure != TSR_MEASURE_IN_RANGE && !(c->threshold >= 0.0 && tsr_finite(c->threshold)))
    return tsr_fail(error, TSR_BAD_OPTION, r,
                    "the threshold of %s must be a finite number of at least 0, but is %g", name,
                    c->threshold);
  if (c->measure == TSR_MEASURE_IN_RANGE && !(c->lower <= c->upper))
    return tsr_fail(error, TSR_BAD_OPTION, r, "the range of %s, %g to %g, is empty", name, c->lower,
                    c->upper);
  if (c->relative && (c->range[0] != c->range[0] || c->range[1] != c->range[1]))
    return tsr_fail(error, TSR_BAD_OPTION, r, "the array range of %s is no number", name);
  return TSR_OK;
}

tsr_status tsr_grid_take_input(tsr_grid_input *input, const tsr_grid_view *view,
                               const tsr_grid_options *options, const tsr_execution *execution,
                               tsr_error *error) {
  tsr_status status;
  tsr_grid_view_init(&input->view);
  tsr_grid_options_init(&input->options);
  status = tsr_copy_versioned(&input->options, sizeof input->options, options, "options",
                              TSR_BAD_OPTION, error);
  if (status == TSR_OK)
    status =
        tsr_copy_versioned(&input->view, sizeof input->view, view, "view", TSR_BAD_INPUT, error);
  return status == TSR_OK ? tsr_take_execution(&input->execution, execution, error) : status;
}

tsr_status tsr_grid_check_options(const tsr_grid_options *o, tsr_error *error) {
  char number[32];
  if (tsr_need(o != NULL, "the struct of the options", error))
    return TSR_BAD_INPUT;
  if (check_int(o->coarsen_levels, 0, TSR_GRID_MAX_LEVEL, "the coarsen levels", error) ||
      check_int(o->refine_levels, 0, TSR_GRID_MAX_LEVEL, "the refine levels", error) ||
      check_int(o->coarsen_levels + o->refine_levels, 0, TSR_GRID_MAX_LEVEL,
                "the coarsen and refine levels together", error) ||
      check_int(o->base_levels, 0, o->coarsen_levels, "the base levels", error) ||
      check_int((int)o->mode, 0, TSR_GRID_FINE, "the grid mode", error) ||
      check_int(o->buffer_cells, 0, 16, "the buffer cells", error) ||
      check_int((int)o->balance, 0, TSR_BALANCE_CORNER, "the balance", error) ||
      check_int(o->cell_budget, 0, INT64_MAX, "the cell budget", error) ||
      check_int(o->inside_level, 0, INT32_MAX, "the level inside the region", error) ||
      check_int(o->outside_level, 0, INT32_MAX, "the level outside the region", error) ||
      check_int((int)o->output, 0, TSR_GRID_CONFORMING, "the kind of output", error) ||
      check_int(o->keep_bytes, 0, INT64_MAX, "the bytes of input kept on a device", error) ||
      check_int(o->device_bytes, 0, INT64_MAX, "the bytes of input on a device", error) ||
      check_int(o->limit_cells, 0, INT64_MAX, "the limit of cells", error))
    return TSR_BAD_OPTION;
  if (o->output == TSR_GRID_PATCHES &&
      (o->block_size < 2 || o->block_size > 64 || (o->block_size & (o->block_size - 1))))
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "the block size must be a power of two between 2 and 64, but is %d",
                    o->block_size);
  if (tsr_check_list(o->criteria, o->n_criteria, "criteria", TSR_BAD_OPTION, error) ||
      tsr_check_list(o->marks.nodes, o->marks.n, "marks", TSR_BAD_OPTION, error))
    return TSR_BAD_OPTION;
  if (o->mode == TSR_GRID_ADAPTIVE && o->cell_budget > 0)
    for (int r = 0; r < o->n_criteria; ++r)
      if (o->criteria[r].measure != TSR_MEASURE_IN_RANGE && o->criteria[r].threshold == 0.0)
        return tsr_fail(error, TSR_BAD_OPTION, r,
                        "a cell budget scales the thresholds, but that of %s is 0, which stays 0: "
                        "give it a value",
                        name_of(o, r, number));
  if (o->cell_budget > 0 && (o->marks.n > 0 || o->keep_marks))
    return tsr_fail(
        error, TSR_BAD_OPTION, -1,
        "a cell budget scales the thresholds of one time step, and does not go together "
        "with one grid for all: take one of the two");
  if (o->use_region)
    for (int a = 0; a < 6; ++a)
      if (o->region[a] != o->region[a])
        return tsr_fail(error, TSR_BAD_OPTION, -1, "a bound of the region is not a number");
  for (int r = 0; r < o->n_criteria; ++r)
    if (check_criterion(o, r, error))
      return TSR_BAD_OPTION;
  if (o->gather && (o->n_ranks < 1 || o->rank < 0 || o->rank >= o->n_ranks))
    return tsr_fail(error, TSR_BAD_OPTION, -1, "rank %d is outside 0..%d", o->rank, o->n_ranks - 1);
  return TSR_OK;
}

static int extent_is_empty(const int64_t extent[6]) {
  return extent[1] < extent[0] || extent[3] < extent[2] || extent[5] < extent[4];
}

/* Extents: whole contains extent, and that contains owned; indices can count all of them. */
static tsr_status check_extents(tsr_grid_view *view, tsr_error *error) {
  static const char *const names = "ijk";
  int all_zero = 1;
  for (int k = 0; k < 6; ++k)
    all_zero = all_zero && view->owned[k] == 0;
  if (all_zero)
    memcpy(view->owned, view->extent, sizeof view->owned);
  for (int a = 0; a < 3; ++a) {
    const int64_t *w = view->whole + 2 * a, *e = view->extent + 2 * a, *o = view->owned + 2 * a;
    const int64_t limit = (int64_t)1 << 40;
    if (w[0] < -limit || w[1] > limit)
      return tsr_fail(error, TSR_BAD_INPUT, -1, "the extent along %c, %lld to %lld, is too large",
                      names[a], (long long)w[0], (long long)w[1]);
    if (extent_is_empty(view->extent))
      continue;
    if (e[0] < w[0] || e[1] > w[1] ||
        (!extent_is_empty(view->owned) && (o[0] < e[0] || o[1] > e[1])))
      return tsr_fail(error, TSR_BAD_INPUT, -1,
                      "along %c the points owned, %lld to %lld, are not within those held, %lld to "
                      "%lld, or these not within the whole, %lld to %lld",
                      names[a], (long long)o[0], (long long)o[1], (long long)e[0], (long long)e[1],
                      (long long)w[0], (long long)w[1]);
  }
  return TSR_OK;
}

/* Inner axes, levels, sizes of the whole grid. */
static tsr_status set_axes(tsr_grid_input *input, tsr_error *error) {
  tsr_lattice *lattice = &input->lattice;
  const int64_t *w = input->view.whole;
  int inactive = 2;
  lattice->coarsen = input->options.coarsen_levels;
  lattice->levels = lattice->coarsen + input->options.refine_levels;
  for (int a = 2; a >= 0; --a)
    if (w[2 * a + 1] <= w[2 * a])
      lattice->axis[inactive--] = a;
  for (int a = 0; a < 3; ++a)
    if (w[2 * a + 1] > w[2 * a])
      lattice->axis[lattice->dimension++] = a;
  for (int a = 0; a < 3; ++a) {
    const int64_t *e = w + 2 * lattice->axis[a];
    lattice->cells[a] = a < lattice->dimension ? e[1] - e[0] : 1;
    lattice->roots[a] = tsr_level_nodes(lattice, a, 0);
    if (a < lattice->dimension &&
        lattice->cells[a] > (INT32_MAX - 1) / ((int64_t)1 << input->options.refine_levels))
      return tsr_fail(error, TSR_BAD_INPUT, -1,
                      "%lld cells along an axis with %d refine levels give an index above %d",
                      (long long)lattice->cells[a], input->options.refine_levels, INT32_MAX);
  }
  if (lattice->cells[0] > ((int64_t)1 << 62) / lattice->cells[1] / lattice->cells[2])
    return tsr_fail(error, TSR_BAD_INPUT, -1,
                    "the whole grid of %lld times %lld times %lld cells has more than 2^62",
                    (long long)lattice->cells[0], (long long)lattice->cells[1],
                    (long long)lattice->cells[2]);
  return TSR_OK;
}

/* Held and owned boxes along inner axis a. */
static tsr_status set_boxes(tsr_grid_input *input, int a, tsr_error *error) {
  tsr_lattice *lattice = &input->lattice;
  const int axis = lattice->axis[a];
  const int64_t first = input->view.whole[2 * axis];
  const int64_t *e = input->view.extent + 2 * axis, *o = input->view.owned + 2 * axis;
  const int64_t root = (int64_t)1 << lattice->coarsen, n = lattice->cells[a];
  const int64_t begin = o[0] - first, end = o[1] - first;
  const int64_t ghosts = tsr_grid_ghost_cells(&input->options);
  if (a >= lattice->dimension) {
    lattice->held[a][1] = lattice->owned[a][1] = 1;
    return TSR_OK;
  }
  lattice->held[a][0] = e[0] - first;
  lattice->held[a][1] = e[1] - first;
  if (begin % root != 0 || (end % root != 0 && end != n))
    return tsr_fail(error, TSR_BAD_INPUT, -1,
                    "the points owned along axis %d, %lld to %lld, do not end on multiples of %lld "
                    "cells from %lld on",
                    axis, (long long)o[0], (long long)o[1], (long long)root, (long long)first);
  lattice->owned[a][0] = begin / root;
  lattice->owned[a][1] = (end + root - 1) / root;
  if (end > begin && (lattice->held[a][0] > (begin > ghosts ? begin - ghosts : 0) ||
                      lattice->held[a][1] < (end < n - ghosts ? end + ghosts : n)))
    return tsr_fail(error, TSR_BAD_INPUT, -1,
                    "the points held along axis %d, %lld to %lld, lack %lld ghost cells around "
                    "those owned, %lld to %lld",
                    axis, (long long)e[0], (long long)e[1], (long long)ghosts, (long long)o[0],
                    (long long)o[1]);
  return TSR_OK;
}

/* Points, or cells, held. */
static int64_t held_tuples(const tsr_grid_input *input, int cells) {
  const tsr_grid_octree *octree = input->view.octree;
  int64_t n = 1;
  if (octree)
    return cells ? octree->n : octree->points;
  if (extent_is_empty(input->view.extent))
    return 0;
  for (int a = 0; a < input->lattice.dimension; ++a)
    n *= input->lattice.held[a][1] - input->lattice.held[a][0] + (cells ? 0 : 1);
  return n;
}

/* Coordinates along an axis. */
static tsr_status check_coordinates(const tsr_grid_view *view, int axis, tsr_error *error) {
  const tsr_array *x = &view->coordinates[axis];
  const int64_t n = view->extent[2 * axis + 1] - view->extent[2 * axis] + 1;
  char name[32];
  snprintf(name, sizeof name, "the coordinates %d", axis);
  if (tsr_check_array(x, name, 1, n, error))
    return TSR_BAD_INPUT;
  for (int64_t i = 0; i < n; ++i)
    if (!tsr_finite(tsr_load(x, i)))
      return tsr_fail(error, TSR_BAD_INPUT, -1, "coordinate %lld along %c is not finite",
                      (long long)(view->extent[2 * axis] + i), "xyz"[axis]);
  return TSR_OK;
}

static tsr_status set_space(tsr_grid_input *input, tsr_error *error) {
  const tsr_grid_view *view = &input->view;
  tsr_space *space = &input->space;
  space->geometry = view->geometry;
  if ((unsigned)view->geometry > (unsigned)TSR_GEOMETRY_POINTS)
    return tsr_fail(error, TSR_BAD_INPUT, -1, "the geometry %d is unknown", (int)view->geometry);
  memcpy(space->spacing, view->spacing, sizeof space->spacing);
  memcpy(space->direction, view->direction, sizeof space->direction);
  memcpy(space->coordinates, view->coordinates, sizeof space->coordinates);
  space->points = view->points;
  for (int c = 0; c < 3; ++c) {
    space->origin[c] = view->origin[c];
    for (int a = 0; a < 3; ++a)
      space->origin[c] +=
          view->direction[3 * c + a] * ((double)view->whole[2 * a] * view->spacing[a]);
    if (view->geometry == TSR_GEOMETRY_UNIFORM && !tsr_finite(space->origin[c]))
      return tsr_fail(error, TSR_BAD_INPUT, -1, "the origin, spacing or direction is not finite");
  }
  if (extent_is_empty(view->extent))
    return TSR_OK;
  if (view->geometry == TSR_GEOMETRY_RECTILINEAR)
    for (int a = 0; a < 3; ++a)
      if (check_coordinates(view, a, error) != TSR_OK)
        return TSR_BAD_INPUT;
  if (view->geometry == TSR_GEOMETRY_POINTS)
    return tsr_check_array(&view->points, "the array of points", 3, held_tuples(input, 0), error);
  return TSR_OK;
}

tsr_status tsr_grid_set_lattice(tsr_grid_input *input, tsr_error *error) {
  tsr_lattice *lattice = &input->lattice;
  const int64_t reach = input->options.gather ? tsr_grid_ghost_roots(&input->options) : 0;
  tsr_status status = check_extents(&input->view, error);
  int64_t points = 1, cells = 1;
  if (status == TSR_OK)
    status = set_axes(input, error);
  if (status != TSR_OK)
    return status;
  if (!extent_is_empty(input->view.extent) && !extent_is_empty(input->view.owned))
    for (int a = 0; a < 3 && status == TSR_OK; ++a)
      status = set_boxes(input, a, error);
  for (int a = 0; a < 3 && status == TSR_OK; ++a) {
    const int has_some = lattice->owned[a][1] > lattice->owned[a][0];
    lattice->point_step[a] = points;
    lattice->cell_step[a] = cells;
    if (lattice->held[a][1] - lattice->held[a][0] > ((int64_t)1 << 60) / (points + 1))
      return tsr_fail(error, TSR_BAD_INPUT, -1, "the points held are more than 2^60");
    if (a < lattice->dimension) {
      points *= lattice->held[a][1] - lattice->held[a][0] + 1;
      cells *= lattice->held[a][1] - lattice->held[a][0];
    }
    lattice->ghosted[a][0] = lattice->owned[a][0];
    lattice->ghosted[a][1] = lattice->owned[a][1];
    if (a < lattice->dimension && has_some) {
      lattice->ghosted[a][0] -= lattice->ghosted[a][0] < reach ? lattice->ghosted[a][0] : reach;
      lattice->ghosted[a][1] += lattice->roots[a] - lattice->ghosted[a][1] < reach
                                    ? lattice->roots[a] - lattice->ghosted[a][1]
                                    : reach;
    }
  }
  return status == TSR_OK ? set_space(input, error) : status;
}

tsr_status tsr_grid_check_criteria(const tsr_grid_input *input, tsr_error *error) {
  if (extent_is_empty(input->view.extent))
    return TSR_OK;
  for (int r = 0; r < input->options.n_criteria; ++r) {
    const tsr_grid_criterion *c = &input->options.criteria[r];
    const int flow = c->measure == TSR_MEASURE_VORTICITY || c->measure == TSR_MEASURE_Q;
    char number[32], name[256];
    snprintf(name, sizeof name, "the array of %s", name_of(&input->options, r, number));
    if (tsr_check_array(&c->array, name, flow ? 3 : 0, held_tuples(input, c->cell_data), error)) {
      if (error)
        error->item = r;
      return TSR_BAD_INPUT;
    }
    if (c->component >= c->array.components)
      return tsr_fail(error, TSR_BAD_OPTION, r,
                      "%s looks at component %d, but the components are 0 to %d",
                      name_of(&input->options, r, number), c->component, c->array.components - 1);
  }
  return TSR_OK;
}

void tsr_grid_note_sentence(tsr_grid_note note, tsr_note_count count, char *text, size_t size) {
  static const char *const what[TSR_GRID_NOTES][2] = {
      {"1 input cell (number %lld) has a value that is not finite: it is kept at input level.",
       "%lld input cells (the first is number %lld) have a value that is not finite: they are kept "
       "at input level."},
      {"1 input cell (number %lld) is flat: it has no derivative.",
       "%lld input cells (the first is number %lld) are flat: they have no derivative."},
      {"The cell budget is 1 cell too small for the coarsest grid that the other settings allow, "
       "and that is what was made.",
       "The cell budget is %lld cells too small for the coarsest grid that the other settings "
       "allow, and that is what was made."},
      {"1 leaf is further from the input than the threshold allows, but is not refined: it is no "
       "larger than a cell of the octree (number %lld).",
       "%lld leaves are further from the input than the threshold allows, but are not refined: "
       "they "
       "are no larger than a cell of the octree (the first in number %lld)."}};
  if (count.count <= 0 || (unsigned)note >= (unsigned)TSR_GRID_NOTES || size == 0)
    return;
  if (count.count == 1)
    snprintf(text, size, what[note][0], (long long)count.first);
  else
    snprintf(text, size, what[note][1], (long long)count.count, (long long)count.first);
}
