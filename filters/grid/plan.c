/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Adaptive grids: the plan, from the view to exact sizes. This file calls the phases in the order
 * of the work, and none of them calls back:
 *
 *     prepare                      input.h     what the caller gave, checked; the lattice
 *     tsr_grid_criteria_find            criteria/   thresholds in absolute numbers
 *     refine                                   at a scale of the thresholds:
 *       mark                       criteria/     a bit for each node that criteria ask for
 *       tsr_descend                refine/       from the roots down to the input cells
 *       tsr_descend_parts          refine/       the levels below the input cells
 *       tsr_marks_add              refine/       after both: what other plans refined
 *       tsr_closure_guarantee      refine/       ghosts, buffer, blocks, balance
 *       tsr_grid_sum_leaves        count.c
 *     list_cells                   output/     cells, points, sides of polygons, parts of leaves
 *
 * A cell budget is a search for the scale (common/budget/bracket.h) around `refine`.
 *
 * What a device does is decided once, when it is opened: plan->on_device. It takes the place of
 * mark and tsr_descend, and, where it makes the whole tree, of all of `refine`. With several
 * processes the CPU makes the tree below the input cells and the closure, and hands the tree back
 * to the device (tsr_grid_device_take_tree), which lists the cells and fills the output.
 *
 * One place falls back to the CPU: tsr_grid_plan_create. Where a device gives up under Auto, in any
 * of the processes, all of them drop what they made, and make the plan again without devices.
 */
#include "grid/plan.h"
#include "grid/cut/cut_error.h"
#include "grid/octree/octree.h"

#include "common/budget/bracket.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* CONFORMING: parts of leaves fit where edges (2D: sides) have one point more at most. */
static void conform(tsr_grid_input *input) {
  const tsr_balance least = input->lattice.dimension == 3 ? TSR_BALANCE_EDGE : TSR_BALANCE_FACE;
  if (input->options.output != TSR_GRID_CONFORMING)
    return;
  input->options.constrain = 0;
  if (input->options.balance < least)
    input->options.balance = least;
}

/* What the CPU does in a plan that has a device cannot be done with arrays on it. */
static tsr_status check_device_arrays(const tsr_grid_plan *plan, tsr_error *error) {
  const tsr_grid_input *input = &plan->input;
  if (tsr_cells_are_turned(input))
    return tsr_refuse_device_arrays(&input->execution, "grids whose axes run backwards", error);
  if (!plan->on_device.tree || !plan->on_device.output)
    return tsr_refuse_device_arrays(&input->execution,
                                    "grids of several processes, and grids too large or too deep "
                                    "for the device to make all of them,",
                                    error);
  return TSR_OK;
}

/* What must be right before anything is computed. Nothing here is collective. */
static tsr_status prepare(tsr_grid_plan *plan, tsr_error *error) {
  int on_device;
  tsr_status status = tsr_grid_check_options(&plan->input.options, error);
  if (status == TSR_OK && plan->input.execution.device_arrays) /* before an array is looked at */
    status = tsr_choose_device(&plan->input.execution, &on_device, error);
  if (status != TSR_OK)
    return status;
  status = tsr_grid_set_lattice(&plan->input, error);
  if (status == TSR_OK)
    status = tsr_grid_check_criteria(&plan->input, error);
  if (status == TSR_OK && plan->input.options.output == TSR_GRID_POLYGONS &&
      plan->input.lattice.dimension != 2)
    status = tsr_fail(error, TSR_BAD_OPTION, -1,
                      "polygons need a grid of 2 dimensions, not %d: take conforming cells",
                      plan->input.lattice.dimension);
  if (status != TSR_OK || plan->input.lattice.dimension == 0)
    return status;
  conform(&plan->input);
  if (plan->input.options.output == TSR_GRID_CONFORMING)
    plan->input.cuts = tsr_cut_table_create();
  tsr_tree_shape(&plan->tree, &plan->input.lattice);
  status = tsr_grid_set_hidden(&plan->input, error);
  if (status == TSR_OK && plan->input.options.mode == TSR_GRID_ADAPTIVE)
    status = tsr_marks_check(&plan->input, error);
  if (status == TSR_OK)
    status = tsr_grid_criteria_create(&plan->criteria, &plan->input, error);
  if (status == TSR_OK)
    status = tsr_grid_device_open(plan, error);
  return status == TSR_OK ? check_device_arrays(plan, error) : status;
}

/* The search of a cell budget. The field is measured once; what is tried after that are thresholds
 * against those measures. */
typedef struct tsr_search {
  tsr_grid_plan *plan;
  tsr_measures measures; /* on the CPU */
  int measured;
} tsr_search;

/* The tree's bits before the descent: what criteria ask for. */
static tsr_status mark(tsr_grid_plan *plan, tsr_search *search, tsr_error *error) {
  const tsr_pass_target target = {
      .tree = &plan->tree, .notes = plan->sizes.notes, .done_first = 0.05, .done_last = 0.4};
  const double scale = plan->criteria.scale;
  tsr_status status = TSR_OK;
  if (plan->input.options.mode != TSR_GRID_ADAPTIVE)
    return TSR_OK;
  for (int r = 0; !search && r < plan->criteria.n && status == TSR_OK; ++r)
    status = tsr_rule_evaluate(&plan->input, &plan->criteria.in_force[r], &target, error);
  if (!search)
    return status;
  if (!search->measured) { /* at the least scale: no other asks for more */
    search->measured = 1;
    tsr_grid_criteria_scale(&plan->criteria, 1.0);
    status = tsr_measures_create(&plan->input, &plan->criteria, target, &search->measures, error);
    tsr_grid_criteria_scale(&plan->criteria, scale);
  }
  return status == TSR_OK
             ? tsr_measures_mark(&search->measures, &plan->input.lattice, &plan->tree, error)
             : status;
}

/* The levels above the input cells, and on a device the input cells, too. */
static tsr_status refine_upper(const tsr_refinement *it, tsr_grid_plan *plan, tsr_search *search,
                               tsr_error *error) {
  tsr_status status = tsr_tree_clear(&plan->tree, &plan->input.lattice, error);
  if (status == TSR_OK && plan->on_device.criteria)
    return tsr_grid_device_descend(plan, error);
  if (status == TSR_OK && !search)
    status = tsr_bounds_create(&plan->criteria, &plan->input.lattice, &plan->tree, error);
  if (status == TSR_OK)
    status = mark(plan, search, error);
  return status == TSR_OK ? tsr_descend(it, 0, plan->input.lattice.coarsen, error) : status;
}

/* `refine` where the device makes the tree, which stays there. */
static tsr_status refine_on_device(tsr_grid_plan *plan, int limited, tsr_error *error) {
  const tsr_status status = tsr_grid_device_refine(plan, error);
  if (status != TSR_OK)
    return status;
  plan->leaves.n = plan->leaves.all = plan->counts.leaves;
  plan->all_cells = plan->counts.cells;
  memcpy(plan->leaves.of_level, plan->counts.of_level, sizeof plan->leaves.of_level);
  return limited ? TSR_OK : tsr_grid_check_leaves(plan, error);
}

/* From criteria to leaves, the thresholds multiplied by `scale`. most: of cells in all processes,
 * which are counted then; it ends as soon as there are more leaves, as what follows only adds to
 * them. INT64_MAX: no such limit. */
static tsr_status refine(tsr_grid_plan *plan, tsr_search *search, double scale, int64_t most,
                         tsr_error *error) {
  const tsr_grid_options *o = &plan->input.options;
  const int coarsen = plan->input.lattice.coarsen, limited = most < INT64_MAX;
  const tsr_refinement it = {.input = &plan->input,
                             .criteria = &plan->criteria,
                             .measures =
                                 search && !plan->on_device.criteria ? &search->measures : NULL,
                             .tree = &plan->tree,
                             .ghosts = &plan->ghosts,
                             .own = &plan->own,
                             .asked = o->keep_marks ? &plan->asked : NULL,
                             .check = plan->on_device.criteria ? tsr_grid_device_check : NULL,
                             .check_data = plan};
  tsr_status status;
  tsr_grid_criteria_scale(&plan->criteria, scale);
  if (plan->on_device.tree)
    return refine_on_device(plan, limited, error);

  status = tsr_grid_agree(o, refine_upper(&it, plan, search, error), error);
  if (status == TSR_OK && limited)
    status = tsr_grid_sum_leaves(plan, error);
  if (status != TSR_OK || (limited && plan->leaves.all > most))
    return status;

  status = plan->on_device.criteria ? TSR_OK : tsr_descend(&it, coarsen, coarsen + 1, error);
  if (status == TSR_OK)
    status = tsr_marks_add(&it, 0, coarsen + 1, error);
  status = tsr_grid_agree(o, status, error);
  if (status == TSR_OK && limited)
    status = tsr_grid_sum_leaves(plan, error);
  if (status != TSR_OK || (limited && plan->leaves.all > most))
    return status;

  status = tsr_descend_parts(&it, limited ? most : tsr_grid_most_leaves(plan), error);
  if (status == TSR_OK)
    status = tsr_marks_add(&it, coarsen + 1, TSR_GRID_MAX_LEVEL, error);
  status = tsr_grid_agree(o, status, error);
  /* More leaves than the input has cells are refused before the closure makes still more. */
  if (status == TSR_OK && (limited || plan->input.lattice.levels > coarsen)) {
    status = tsr_grid_sum_leaves(plan, error);
    if (status == TSR_OK && !limited)
      status = tsr_grid_agree(o, tsr_grid_check_leaves(plan, error), error);
    if (status == TSR_OK && plan->leaves.all > most)
      return status;
  }
  if (status != TSR_OK)
    return status;

  status = tsr_closure_guarantee(&it, error);
  if (status == TSR_OK)
    status = tsr_grid_sum_leaves(plan, error);
  return status == TSR_OK && limited ? tsr_grid_sum_cells(plan, most, error) : status;
}

/* A step of the search: refines at a scale. */
static tsr_status try_scale(void *context, double scale, tsr_fit *fits, tsr_error *error) {
  tsr_search *search = context;
  const int64_t budget = search->plan->input.options.cell_budget;
  const tsr_status status = refine(search->plan, search, scale, budget, error);
  const int64_t all = search->plan->all_cells;
  *fits = all > budget ? TSR_FITS_NOT : budget - all <= budget / 100 ? TSR_FITS_WELL : TSR_FITS;
  return status;
}

/* Refines at a scale with which the output has 99 to 100 % of the cell budget, or else at the
 * smallest scale found that fits; at an infinite one if none fits. A smaller scale might fit as
 * well, since more leaves may be cut into fewer conforming cells. */
static tsr_status refine_within_budget(tsr_grid_plan *plan, tsr_error *error) {
  tsr_search search = {.plan = plan};
  /* Coarsest: 2^20, and three of the search's large steps. */
  const tsr_bracket bracket = {try_scale, &search, 1048576e18, 0.0};
  double scale = 1.0, tried = 1.0;
  tsr_status status = tsr_bracket_search(&bracket, &scale, &tried, error);
  if (status == TSR_OK && scale != tried)
    status = refine(plan, &search, scale, INT64_MAX, error);
  tsr_measures_free(&search.measures);
  return status;
}

/* Notes how far the cells that come out are above the budget, where nothing fits it. */
static tsr_status note_budget(tsr_grid_plan *plan, tsr_error *error) {
  const tsr_grid_options *o = &plan->input.options;
  int64_t cells = o->output == TSR_GRID_CONFORMING ? plan->sizes.cells : plan->sizes.leaves;
  const tsr_status status = tsr_grid_sum(o, &cells, error);
  if (status == TSR_OK && cells > o->cell_budget)
    plan->sizes.notes[TSR_GRID_NOTE_BUDGET].count = cells - o->cell_budget;
  return status;
}

/* The marks, if they are wanted. What they are made of is not needed any more. */
static tsr_status keep_marks(tsr_grid_plan *plan, tsr_error *error) {
  tsr_status status = TSR_OK;
  if (plan->input.options.keep_marks)
    status = plan->on_device.tree
                 ? tsr_grid_device_marks(plan, error)
                 : tsr_marks_list(&plan->input, &plan->asked, &plan->marks, &plan->n_marks, error);
  tsr_tree_free(&plan->own);
  tsr_tree_free(&plan->asked);
  return status;
}

/* The cells of the output, in this process, and their points. */
static tsr_status list_here(tsr_grid_plan *plan, tsr_error *error) {
  const tsr_grid_input *input = &plan->input;
  const tsr_made_tree made = {&input->lattice, &plan->tree, input->hidden};
  tsr_executor cpu;
  tsr_status status;
  tsr_grid_use_cpu(&cpu, &input->execution);
  if (input->options.output == TSR_GRID_TREES)
    return tsr_list_trees(&cpu, &input->lattice, &made, &plan->lists, error);
  if (input->options.output == TSR_GRID_PATCHES)
    return tsr_list_patches(&cpu, &input->lattice, &made, input->options.block_size, &plan->lists,
                            error);
  status = tsr_list_leaves(input, &plan->tree, &plan->leaves, &plan->lists, error);
  if (status == TSR_OK && input->options.output == TSR_GRID_CONFORMING) {
    status = tsr_cuts_create(input, &plan->tree, &plan->lists, &plan->cuts, error);
    if (status == TSR_OK)
      status = tsr_grid_check_cells(plan, plan->cuts.all.cells, error);
  }
  if (status == TSR_OK)
    status = tsr_points_create(&cpu, input, &plan->tree, &plan->lists, plan->cuts.has,
                               &plan->points, error);
  return status == TSR_OK && input->options.output == TSR_GRID_POLYGONS
             ? tsr_list_sides(&cpu, &input->lattice, plan->lists.nodes, plan->lists.n,
                              &plan->points, error)
             : status;
}

static void free_lists(tsr_grid_plan *plan) {
  tsr_points_free(&plan->points);
  tsr_cuts_free(&plan->cuts);
  tsr_lists_free(&plan->lists);
  memset(&plan->points, 0, sizeof plan->points);
  memset(&plan->cuts, 0, sizeof plan->cuts);
}

/* The cells of the output, where on_device says. */
static tsr_status list_cells(tsr_grid_plan *plan, tsr_error *error) {
  tsr_status status = tsr_grid_check_leaves(plan, error);
  if (status == TSR_OK && !plan->on_device.output)
    return list_here(plan, error);
  if (status == TSR_OK && !plan->on_device.tree)
    status = tsr_grid_device_take_tree(plan, error);
  if (status == TSR_OK)
    status = tsr_grid_device_list(plan, error);
  return status == TSR_OK && !tsr_grid_has_states(&plan->input)
             ? tsr_grid_check_cells(plan, plan->counts.cells, error)
             : status;
}

/* Everything after the structs were copied. */
static tsr_status make(tsr_grid_plan *plan, tsr_error *error) {
  const tsr_grid_options *o = &plan->input.options;
  const int searches = o->mode == TSR_GRID_ADAPTIVE && o->cell_budget > 0;
  tsr_status status = tsr_grid_agree(o, prepare(plan, error), error);
  plan->sizes.dimension = plan->input.lattice.dimension;
  plan->sizes.levels = plan->input.lattice.levels;
  if (status != TSR_OK || plan->input.lattice.dimension == 0)
    return status;
  for (int note = 0; note < TSR_GRID_NOTES; ++note)
    plan->sizes.notes[note].first = -1;
  status =
      tsr_grid_criteria_find(&plan->criteria, &plan->input,
                             plan->on_device.criteria ? tsr_grid_device_range : NULL, plan, error);
  if (status == TSR_OK)
    status = tsr_grid_sum_fine(plan, error);
  if (status == TSR_OK)
    status =
        searches ? refine_within_budget(plan, error) : refine(plan, NULL, 1.0, INT64_MAX, error);
  if (status == TSR_OK)
    status = tsr_grid_agree(o, keep_marks(plan, error), error);
  if (status == TSR_OK)
    status = tsr_grid_agree(o, list_cells(plan, error), error);
  if (status == TSR_OK)
    tsr_grid_set_sizes(plan);
  if (status == TSR_OK && searches)
    status = note_budget(plan, error);
  tsr_grid_set_by_cpu(plan);
  return status;
}

/* Frees what a plan consists of. */
static void release(tsr_grid_plan *plan) {
  tsr_grid_device_close(plan);
  free_lists(plan);
  free(plan->leaves.first);
  free(plan->marks);
  tsr_tree_free(&plan->own);
  tsr_tree_free(&plan->asked);
  tsr_ghosts_free(&plan->ghosts);
  tsr_tree_free(&plan->tree);
  tsr_grid_criteria_free(&plan->criteria);
  tsr_cut_table_free(plan->input.cuts);
  free(plan->input.hidden);
  for (int a = 0; a < 3; ++a)
    free(plan->input.fetched[a]);
}

/* Drops all that was made, and makes the plan again without a device. The report keeps why. */
static tsr_status start_again(tsr_grid_plan *plan, tsr_error *error) {
  tsr_grid_plan anew;
  memset(&anew, 0, sizeof anew);
  anew.input.view = plan->input.view;
  anew.input.options = plan->input.options;
  anew.input.execution = plan->input.execution;
  anew.report.plan_seconds = plan->report.plan_seconds;
  memcpy(anew.report.fallback, plan->report.fallback, sizeof anew.report.fallback);
  if (anew.input.execution.backend == TSR_BACKEND_AUTO)
    anew.input.execution.backend = TSR_BACKEND_CPU;
  release(plan);
  *plan = anew;
  return make(plan, error);
}

/* The plan, with a device or without. */
static tsr_status make_by_either(tsr_grid_plan *plan, tsr_error *error) {
  const double start = tsr_now(&plan->input.execution);
  tsr_error why;
  tsr_status status = make(plan, &why);
  if (status != TSR_OK) { /* in all processes */
    const int gave_up = tsr_grid_device_gave_up(plan, status, &why);
    if (tsr_grid_agree_again(&plan->input.options, gave_up, status, plan->report.fallback))
      status = start_again(plan, &why);
  }
  if (status != TSR_OK)
    return tsr_grid_tell(plan, status, &why, error);
  plan->report.plan_seconds = tsr_now(&plan->input.execution) - start;
  return TSR_OK;
}

/* A plan of cells of several sizes. */
static tsr_status make_octree(tsr_grid_plan *plan, const tsr_grid_view *view,
                              const tsr_grid_options *options, const tsr_execution *execution,
                              tsr_error *error) {
  const tsr_status status = tsr_octree_plan_create(view, options, execution, &plan->octree, error);
  if (status == TSR_OK) {
    plan->sizes = plan->octree->sizes;
    plan->marks = plan->octree->marks;
    plan->n_marks = plan->octree->n_marks;
  }
  return status;
}

tsr_status tsr_grid_plan_create(const tsr_grid_view *view, const tsr_grid_options *options,
                                const tsr_execution *execution, tsr_grid_plan **plan,
                                tsr_error *error) {
  tsr_status status;
  tsr_grid_plan *made = tsr_plan_alloc(sizeof *made, plan, view, options, &status, error);
  if (made)
    status = tsr_grid_take_input(&made->input, view, options, execution, error);
  if (status == TSR_OK && made->input.view.octree)
    status = make_octree(made, view, options, execution, error);
  else if (status == TSR_OK)
    status = make_by_either(made, error);
  if (status != TSR_OK) {
    tsr_grid_plan_free(made);
    made = NULL;
  }
  if (plan)
    *plan = made;
  return status;
}

/* `start_again` for a plan that a caller has: its sizes stay, and the marks stay where they are. */
static tsr_status make_again(tsr_grid_plan *plan, tsr_error *error) {
  const tsr_grid_sizes sizes = plan->sizes;
  tsr_grid_node *marks = plan->marks;
  tsr_status status;
  plan->marks = NULL;
  status = start_again(plan, error);
  free(plan->marks);
  plan->marks = marks;
  plan->sizes = sizes;
  return status;
}

tsr_status tsr_grid_make_here(tsr_grid_plan *plan, tsr_error *error) {
  tsr_status status = TSR_OK;
  if (!plan->lists.nodes && tsr_grid_processes(&plan->input.options).n == 1) {
    status = make_again(plan, error);
  } else { /* the tree is here; and no process waits for another */
    plan->on_device.output = 0;
    tsr_grid_set_by_cpu(plan);
    tsr_grid_device_close(plan);
    if (!plan->lists.nodes)
      status = list_here(plan, error);
  }
  if (status != TSR_OK) /* so that nobody takes half of them for all */
    free_lists(plan);
  return status;
}

/* The lists of a plan that has them on its device. */
static tsr_status bring_lists(tsr_grid_plan *plan, tsr_error *error) {
  tsr_status status = TSR_OK;
  if (plan->on_device.tree)
    status = tsr_grid_device_fetch(plan, error);
  if (status == TSR_OK && plan->on_device.tree)
    status = tsr_grid_sum_leaves(plan, error);
  if (status == TSR_OK)
    status = list_here(plan, error);
  if (status != TSR_OK)
    free_lists(plan);
  return status;
}

const tsr_grid_node *tsr_grid_plan_nodes(const tsr_grid_plan *plan) {
  tsr_grid_plan *own = (tsr_grid_plan *)plan; /* a list that is only made when needed */
  tsr_error why;
  if (plan->octree)
    return tsr_octree_plan_nodes(plan->octree);
  if (own->on_device.output && !own->lists.nodes) {
    const tsr_status status = bring_lists(own, &why);
    if (tsr_grid_device_gave_up(own, status, &why))
      (void)tsr_grid_make_here(own, &why);
  }
  return plan->lists.nodes;
}

void tsr_grid_plan_free(tsr_grid_plan *plan) {
  if (!plan)
    return;
  if (plan->octree)
    plan->marks = NULL; /* the octree's */
  tsr_octree_plan_free(plan->octree);
  release(plan);
  free(plan);
}
