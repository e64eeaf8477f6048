/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Adaptive grids from cells of several sizes, as of AMR, hyper trees and octrees: the spine. This
 * file calls the phases in the order of the work, and none of them calls back:
 *
 *     take                     the caller's structs, copied and checked
 *     make
 *       tsr_octree_take_cells    input.c   the cells in Morton order
 *       tsr_octree_make_tree     input.c   the nodes above them
 *       tsr_octree_find_rules    rules.c   thresholds in absolute numbers, measures of nodes
 *       refine                             at a scale of the thresholds:
 *         tsr_octree_refine        rules.c   which nodes criteria refine
 *         tsr_octree_make_splits   close.c   with buffer and marks, closed: the refined tree
 *         tsr_octree_list_leaves   leaves.c  its leaves
 *         tsr_octree_guarantee     leaves.c  leaves above the interpolation error, refined
 *       tsr_octree_list          list.c    cells and points of the output, or trees, or blocks
 *       tsr_octree_note_samples  errors.c  leaves that are off at a sample, and cannot be refined
 *     tsr_octree_fill          fill.c
 *
 * The output is never finer than the input, but where balance demands it: there a cell of the input
 * is divided, and its parts have its value. All work is steps (steps.h), which the executor runs on
 * the CPU or on a device; common/run/plan.c falls back to the CPU. Several processes all make the
 * whole plan, and each has its share of the output.
 */
#include "grid/octree/octree.h"

#include "common/budget/bracket.h"

#include <stdlib.h>
#include <string.h>

static tsr_status check_axes(const tsr_octree_plan *plan, tsr_error *error) {
  const tsr_grid_octree *cells = &plan->cells;
  const tsr_grid_view *view = &plan->view;
  for (int a = 0; a < 3; ++a) {
    const tsr_array *x = &view->coordinates[a];
    if (cells->cells[a] < 0)
      return tsr_fail(error, TSR_BAD_INPUT, -1, "the octree has %d cells of level 0 along axis %d",
                      cells->cells[a], a);
    if (view->geometry == TSR_GEOMETRY_UNIFORM && cells->cells[a] > 0 &&
        !(view->spacing[a] > 0.0 && tsr_finite(view->spacing[a]) && tsr_finite(view->origin[a])))
      return tsr_fail(error, TSR_BAD_INPUT, -1,
                      "the cells of an octree must have a size above 0, not %g, along axis %d",
                      view->spacing[a], a);
    if (view->geometry != TSR_GEOMETRY_RECTILINEAR)
      continue;
    TSR_OCTREE_TRY(tsr_check_array(x, "an array of coordinates", 1, cells->cells[a] + 1, error));
    for (int64_t i = 0; i < cells->cells[a]; ++i)
      if (!(tsr_load(x, i) < tsr_load(x, i + 1)))
        return tsr_fail(error, TSR_BAD_INPUT, i,
                        "the coordinates of an octree must rise, and number %lld along axis %d is "
                        "not below the next one",
                        (long long)i, a);
  }
  return TSR_OK;
}

static tsr_status check_view(const tsr_octree_plan *plan, tsr_error *error) {
  const tsr_grid_octree *cells = &plan->cells;
  const tsr_grid_options *o = &plan->grid.options;
  if (plan->view.geometry == TSR_GEOMETRY_POINTS)
    return tsr_fail(error, TSR_BAD_INPUT, -1,
                    "the cells of an octree cannot have points as places");
  TSR_OCTREE_TRY(tsr_check_list(cells->level, cells->n, "levels of cells", TSR_BAD_INPUT, error));
  TSR_OCTREE_TRY(tsr_check_list(cells->index, cells->n, "indices of cells", TSR_BAD_INPUT, error));
  if (cells->n > INT32_MAX)
    return tsr_fail(error, TSR_TOO_LARGE, -1,
                    "the octree has %lld cells, and at most 2^31 are possible",
                    (long long)cells->n);
  if (o->constrain)
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "hanging nodes of an octree cannot be constrained: take conforming cells");
  if (o->base_levels > 0)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "the trees of an octree cannot have base levels");
  if (o->n_ranks < 1 || o->rank < 0 || o->rank >= o->n_ranks)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "rank %d is outside 0..%d", o->rank, o->n_ranks - 1);
  return check_axes(plan, error);
}

/* Sets what the code of criteria needs of a structured grid. */
static void set_grid(tsr_octree_plan *plan) {
  tsr_grid_input *grid = &plan->grid;
  grid->execution = plan->base.execution;
  grid->options.gather = NULL;
  for (int a = 0; a < 3; ++a) {
    grid->view.extent[2 * a] = 0;
    grid->view.extent[2 * a + 1] = 1;
  }
}

static tsr_status take(void *data, const void *view, const void *options, tsr_error *error) {
  tsr_octree_plan *plan = data;
  tsr_grid_input *grid = &plan->grid;
  TSR_OCTREE_TRY(tsr_grid_take_input(grid, view, options, &plan->base.execution, error));
  TSR_OCTREE_TRY(tsr_grid_check_options(&grid->options, error));
  plan->view = grid->view;
  plan->cells = *grid->view.octree;
  plan->given = grid->options.criteria;
  plan->base.processes = (tsr_processes){.n = 1};
  for (int a = 0; a < 3; ++a)
    plan->sizes.dimension += plan->cells.cells[a] > 0;
  set_grid(plan);
  TSR_OCTREE_TRY(check_view(plan, error));
  if (grid->options.output == TSR_GRID_POLYGONS && plan->sizes.dimension != 2)
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "polygons need an octree of 2 dimensions, not %d: take conforming cells",
                    plan->sizes.dimension);
  TSR_OCTREE_TRY(tsr_grid_check_criteria(grid, error));
  return tsr_octree_check_samples(plan, error);
}

/* The limits of levels, in finest cells. */
static void set_limits(tsr_octree_plan *plan) {
  const tsr_grid_options *o = &plan->grid.options;
  const tsr_octree_shape *shape = &plan->tree.shape;
  const double fine = (double)((int64_t)1 << plan->input.deepest);
  tsr_octree_limits *limits = &plan->close.limits;
  limits->use_region = o->use_region;
  limits->inside_level = o->inside_level;
  limits->outside_level = o->outside_level;
  for (int a = 0; a < 3; ++a) {
    limits->low[a] = o->region[2 * shape->axis[a]] * fine;
    limits->high[a] = o->region[2 * shape->axis[a] + 1] * fine;
  }
}

static tsr_status check_leaves(const tsr_octree_plan *plan, int64_t cells, tsr_error *error) {
  const int64_t limit = plan->grid.options.limit_cells;
  if (limit > 0 && cells > limit)
    return tsr_fail(error, TSR_TOO_LARGE, -1,
                    "the grid has %lld cells, above the limit of %lld; raise the thresholds or set "
                    "a cell budget",
                    (long long)cells, (long long)limit);
  return TSR_OK;
}

/* Applies the criteria, the thresholds multiplied by the scale. */
static tsr_status refine(tsr_octree_plan *plan, double scale, tsr_error *error) {
  tsr_grid_criteria_scale(&plan->criteria, scale);
  TSR_OCTREE_TRY(tsr_octree_refine(plan, error));
  TSR_OCTREE_TRY(tsr_octree_make_splits(plan, error));
  TSR_OCTREE_TRY(tsr_octree_list_leaves(plan, error));
  return tsr_octree_guarantee(plan, error);
}

/* A step of the search for a budget. */
static tsr_status try_scale(void *context, double scale, tsr_fit *fits, tsr_error *error) {
  tsr_octree_plan *plan = context;
  const int64_t budget = plan->grid.options.cell_budget;
  int64_t cells;
  TSR_OCTREE_TRY(refine(plan, scale, error));
  TSR_OCTREE_TRY(tsr_octree_count_cells(plan, &cells, error));
  *fits = cells > budget ? TSR_FITS_NOT : budget - cells <= budget / 100 ? TSR_FITS_WELL : TSR_FITS;
  return TSR_OK;
}

static tsr_status refine_within_budget(tsr_octree_plan *plan, tsr_error *error) {
  const tsr_bracket bracket = {try_scale, plan, 1048576e18, 0.0};
  const int64_t budget = plan->grid.options.cell_budget;
  double scale = 1.0, tried = 1.0;
  int64_t cells;
  TSR_OCTREE_TRY(tsr_bracket_search(&bracket, &scale, &tried, error));
  if (scale != tried)
    TSR_OCTREE_TRY(refine(plan, scale, error));
  TSR_OCTREE_TRY(tsr_octree_count_cells(plan, &cells, error));
  if (cells > budget)
    plan->sizes.notes[TSR_GRID_NOTE_BUDGET].count = cells - budget;
  return TSR_OK;
}

static int compare_nodes(const void *one, const void *other) {
  const tsr_grid_node *a = one, *b = other;
  for (int axis = 2; axis >= 0; --axis)
    if (a->index[axis] != b->index[axis])
      return a->index[axis] < b->index[axis] ? -1 : 1;
  return (a->level > b->level) - (a->level < b->level);
}

/* Lists each mark once: their number tells the caller whether a time step has added any. */
static void drop_repeated_marks(tsr_octree_plan *plan) {
  int64_t kept = 0;
  if (plan->n_marks > 0)
    qsort(plan->marks, (size_t)plan->n_marks, sizeof *plan->marks, compare_nodes);
  for (int64_t i = 0; i < plan->n_marks; ++i)
    if (i == 0 || compare_nodes(&plan->marks[kept - 1], &plan->marks[i]) != 0)
      plan->marks[kept++] = plan->marks[i];
  plan->n_marks = kept;
}

/* Copies the nodes that criteria and marks refine, before the closure, to plan->marks. */
static tsr_status keep_marks(tsr_octree_plan *plan, tsr_error *error) {
  const tsr_octree_shape *shape = &plan->tree.shape;
  const tsr_octree_nodes *nodes = &plan->tree.nodes;
  const int64_t n = nodes->at[shape->top + 1], given = plan->grid.options.marks.n;
  tsr_executor *e = &plan->executor;
  if (!plan->grid.options.keep_marks)
    return TSR_OK;
  uint64_t *number = tsr_alloc(n, sizeof *number, "the marks", error);
  uint8_t *refined = tsr_alloc(n, 1, "the marks", error);
  plan->marks = tsr_alloc(n + given, sizeof *plan->marks, "the marks", error);
  tsr_status status = number && refined && plan->marks ? TSR_OK : TSR_NO_MEMORY;
  if (status == TSR_OK)
    status = e->read(e, number, nodes->number, n * (int64_t)sizeof *number, error);
  if (status == TSR_OK)
    status = e->read(e, refined, plan->refine, n, error);
  for (int h = 1; status == TSR_OK && h <= shape->top; ++h)
    for (int64_t j = nodes->at[h]; j < nodes->at[h + 1]; ++j) {
      tsr_grid_node *mark = &plan->marks[plan->n_marks];
      int64_t at[3];
      if (refined[j] == TSR_OCTREE_KEEP || h > shape->levels)
        continue;
      tsr_octree_lowest(shape, number[j], at);
      *mark = (tsr_grid_node){{0, 0, 0}, shape->levels - h};
      for (int a = 0; a < shape->dimension; ++a)
        mark->index[shape->axis[a]] = (int32_t)at[a];
      plan->n_marks++;
    }
  if (status == TSR_OK && given > 0)
    memcpy(plan->marks + plan->n_marks, plan->grid.options.marks.nodes,
           (size_t)given * sizeof *plan->marks);
  plan->n_marks += status == TSR_OK ? given : 0;
  drop_repeated_marks(plan);
  free(number);
  free(refined);
  return status;
}

static tsr_status make(void *data, tsr_error *error) {
  tsr_octree_plan *plan = data;
  const tsr_grid_options *o = &plan->grid.options;
  tsr_grid_sizes *sizes = &plan->sizes;
  for (int note = 0; note < TSR_GRID_NOTES; ++note)
    sizes->notes[note] = (tsr_note_count){0, -1};
  sizes->threshold_scale = 1.0;
  TSR_OCTREE_TRY(tsr_octree_open(plan, error));
  plan->executor.done_first = 0.0;
  plan->executor.done_last = 0.1;
  if (sizes->dimension == 0 || plan->cells.n == 0)
    return TSR_OK;
  TSR_OCTREE_TRY(tsr_octree_take_cells(plan, error));
  sizes->levels = plan->tree.shape.levels;
  if (sizes->fine_cells == 0)
    return TSR_OK;
  TSR_OCTREE_TRY(tsr_octree_make_tree(plan, error));
  plan->grid.lattice = tsr_octree_lattice(&plan->tree.shape);
  set_limits(plan);
  plan->executor.done_first = 0.1;
  plan->executor.done_last = 0.4;
  TSR_OCTREE_TRY(tsr_octree_find_rules(plan, error));
  if (o->mode == TSR_GRID_ADAPTIVE && o->cell_budget > 0)
    TSR_OCTREE_TRY(refine_within_budget(plan, error));
  else
    TSR_OCTREE_TRY(refine(plan, 1.0, error));
  sizes->threshold_scale = plan->criteria.scale;
  TSR_OCTREE_TRY(check_leaves(plan, plan->entries.cells.n, error));
  TSR_OCTREE_TRY(keep_marks(plan, error));
  TSR_OCTREE_TRY(tsr_octree_list(plan, error));
  TSR_OCTREE_TRY(check_leaves(plan, sizes->cells, error));
  TSR_OCTREE_TRY(tsr_octree_note_samples(plan, error));
  TSR_OCTREE_TRY(plan->executor.finish(&plan->executor, NULL, error));
  tsr_octree_drop_splits(plan); /* the fill needs the list alone */
  return TSR_OK;
}

static void drop(void *data) {
  tsr_octree_plan *plan = data;
  tsr_octree_plan none;
  tsr_octree_close(plan);
  tsr_octree_free_rules(plan);
  free(plan->columns);
  free(plan->tree_first);
  free(plan->tree_root);
  free(plan->patches);
  free(plan->nodes);
  free(plan->marks);
  memset(&none, 0, sizeof none);
  none.base = plan->base;
  none.view = plan->view;
  none.cells = plan->cells;
  none.grid = plan->grid;
  none.given = plan->given;
  none.sizes.dimension = plan->sizes.dimension;
  *plan = none;
}

/* The sizes stay; nothing here is collective. */
static tsr_status make_here(void *data, tsr_error *error) {
  drop(data);
  return make(data, error);
}

static const tsr_plan_steps STEPS = {.size = sizeof(tsr_octree_plan),
                                     .take = take,
                                     .make = make,
                                     .fill = tsr_octree_fill,
                                     .drop = drop,
                                     .make_here = make_here,
                                     .on_host_only = "grids of cells of several sizes"};

tsr_status tsr_octree_plan_create(const tsr_grid_view *view, const tsr_grid_options *options,
                                  const tsr_execution *execution, tsr_octree_plan **plan,
                                  tsr_error *error) {
  return tsr_plan_create(&STEPS, view, options, execution, plan, error);
}

void tsr_octree_plan_free(tsr_octree_plan *plan) { tsr_plan_free(&STEPS, plan); }

void tsr_octree_plan_report(const tsr_octree_plan *plan, tsr_report *report) {
  *report = tsr_plan_report(&plan->base);
  report->items = plan->cells.n;
  report->points = plan->sizes.points;
  report->cells = plan->sizes.cells;
  report->tolerance_scale = plan->sizes.threshold_scale;
}

tsr_status tsr_octree_plan_fill(tsr_octree_plan *plan, const tsr_grid_output *output,
                                tsr_error *error) {
  tsr_grid_output out;
  tsr_grid_output_init(&out);
  TSR_OCTREE_TRY(tsr_copy_versioned(&out, sizeof out, output, "output", TSR_BAD_OPTION, error));
  TSR_OCTREE_TRY(tsr_check_output_types(out.points_type, out.index_type, error));
  TSR_OCTREE_TRY(
      tsr_check_list(out.attributes, out.n_attributes, "attributes", TSR_BAD_OPTION, error));
  return tsr_plan_fill(&STEPS, plan, &out, error);
}

const tsr_grid_node *tsr_octree_plan_nodes(tsr_octree_plan *plan) {
  const int64_t n = plan->entries.cells.n;
  tsr_octree_put put = tsr_octree_put_of(plan);
  tsr_error why;
  if (plan->nodes || n == 0)
    return plan->nodes;
  plan->nodes = tsr_alloc(n, sizeof *plan->nodes, "the nodes of the output", NULL);
  if (plan->nodes && TSR_MAKE(&plan->executor, tsr_octree_put_node, put, n, plan->nodes,
                              n * (int64_t)sizeof *plan->nodes, &why) != TSR_OK) {
    free(plan->nodes);
    plan->nodes = NULL;
  }
  return plan->nodes;
}

tsr_status tsr_octree_count_fine(const tsr_grid_view *view, int64_t *cells, tsr_error *error) {
  const tsr_grid_octree *octree = view->octree;
  TSR_OCTREE_TRY(tsr_check_list(octree->level, octree->n, "levels of cells", TSR_BAD_INPUT, error));
  *cells = 0;
  for (int64_t i = 0; i < octree->n; ++i)
    *cells += (!view->hidden_cells || !view->hidden_cells[i]) &&
              (!octree->outside || !octree->outside[i]);
  return TSR_OK;
}
