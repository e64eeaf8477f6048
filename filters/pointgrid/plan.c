/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Point grids: the spine. This file calls the steps in the order of the work, and none of them
 * calls back:
 *
 *     take                                      the caller's structs, copied
 *     make
 *       prepare                   check.c         what the caller gave, checked; executors
 *       find_box                  tree/           the box of the points, the root cell
 *       tsr_pointgrid_share_*     partition/      several processes: points to the owners of leaves
 *       tsr_pointgrid_make_leaves device.c        the points, sorted into leaves
 *       tsr_pointgrid_balance     tree/           further cells split
 *       count_output              output/         leaves, corners, cells of the tree
 *     fill                      fill.c
 *
 * common/run/plan.c calls take, make and fill, and falls back to the CPU. find_box, make_leaves,
 * count_output and fill run on the plan's executor. Two parts are the CPU's by design: several
 * processes share their points before the device sorts those that this one owns; and balance and
 * TREE get the sorted points from the device, which is then left.
 */
#include "pointgrid/plan.h"

#include "pointgrid/steps.h"

#include <stdlib.h>
#include <string.h>

/* Copies the caller's structs. What only one process may have wrong is checked by `make`. */
static tsr_status take(void *data, const void *view, const void *options, tsr_error *error) {
  tsr_pointgrid_plan *plan = data;
  tsr_pointgrid_input *in = &plan->input;
  tsr_pointgrid_options *o = &in->options;
  tsr_status status;
  tsr_pointgrid_view_init(&in->view);
  tsr_pointgrid_options_init(o);
  status = tsr_copy_versioned(o, sizeof *o, options, "options", TSR_BAD_OPTION, error);
  if (status == TSR_OK)
    status = tsr_copy_versioned(&in->view, sizeof in->view, view, "view", TSR_BAD_INPUT, error);
  if (status == TSR_OK)
    status = tsr_pointgrid_check_ranks(o, error);
  plan->base.processes = (tsr_processes){.n = o->gather ? o->n_ranks : 1,
                                         .rank = o->rank,
                                         .gather = o->gather,
                                         .exchange = o->exchange,
                                         .context = o->context};
  in->execution = &plan->base.execution;
  in->processes = &plan->base.processes;
  in->report = &plan->base.report;
  return status;
}

/* With fewer points than this, one thread of the CPU is done before the points have been to an H200
 * and back: there, whole calls took as long at about 12,000 points
 * (testing/bench/bench_pointgrid_cuda), 0.2 times as long with a thousand, twice with 30,000. */
static int suits_device(const void *data) {
  const tsr_pointgrid_plan *plan = data;
  return plan->input.view.points.tuples >= 12000;
}

/** What must be right before anything is computed. Nothing here is collective. */
static tsr_status prepare(tsr_pointgrid_plan *plan, tsr_error *error) {
  tsr_pointgrid_input *in = &plan->input;
  tsr_pointgrid_options *o = &in->options;
  tsr_status status;
  if (o->spread_of != TSR_POINTGRID_SPREAD_OF_ARRAY) {
    o->spread_array = in->view.points;
    o->spread_component = (int)o->spread_of - TSR_POINTGRID_SPREAD_OF_X;
  }
  status = tsr_pointgrid_check(in, error);
  in->points = in->view.points;
  in->hidden = in->view.hidden;
  in->spread = o->spread_array;
  if (in->points.tuples == 0)
    in->spread.tuples = 0;
  in->cube = (tsr_pointgrid_cube){0};
  in->rule = (tsr_pointgrid_rule){.max_level = o->max_level,
                                  .max_points = o->max_points,
                                  .use_spread = o->use_spread != 0,
                                  .spread = o->spread};
  return status == TSR_OK ? tsr_pointgrid_open(plan, error) : status;
}

static tsr_status check_limit(const tsr_pointgrid_plan *plan, tsr_error *error) {
  const int64_t limit = plan->input.options.limit_cells, cells = plan->sorted.leaves.n;
  if (limit > 0 && cells > limit)
    return tsr_fail(error, TSR_TOO_LARGE, -1,
                    "the points give %lld cells, and at most %lld are allowed", (long long)cells,
                    (long long)limit);
  return TSR_OK;
}

/** Finds the box of the points. Points that travel first are the CPU's. */
static tsr_status find_box(tsr_pointgrid_plan *plan, tsr_pointgrid_box *box, tsr_error *error) {
  const tsr_pointgrid_input *in = &plan->input;
  tsr_executor *e = in->options.gather ? &plan->cpu : &plan->executor;
  const tsr_array arrays[2] = {in->points, {in->hidden, TSR_UINT8, 1, in->points.tuples}};
  tsr_pointgrid_bound_job job = {.points = in->points};
  void *to[2];
  e->done_first = 0.0;
  e->done_last = 0.05;
  *box = tsr_pointgrid_bound_none();
  if (in->points.tuples == 0)
    return TSR_OK;
  const tsr_status status = e->input(e, arrays, 2, 1, to, error);
  if (status != TSR_OK)
    return status;
  job.points.data = to[0];
  job.hidden = to[1];
  return TSR_REDUCE(e, tsr_pointgrid_bound, job, in->points.tuples, box, error);
}

static void set_cube(tsr_pointgrid_plan *plan, const tsr_pointgrid_box *box) {
  const tsr_pointgrid_cube *cube = &plan->input.cube;
  tsr_pointgrid_set_cube(&plan->input, box);
  plan->sizes.dimension = cube->dimension;
  plan->sizes.side = cube->side;
  for (int a = 0; a < 3; ++a) {
    plan->sizes.axis[a] = cube->axis[a];
    plan->sizes.origin[a] = cube->origin[a];
  }
}

/** Finds the root. Of several processes, sends every point where it belongs. */
static tsr_status place_points(tsr_pointgrid_plan *plan, tsr_status ready, tsr_error *error) {
  tsr_pointgrid_input *in = &plan->input;
  tsr_note_count *left_out = &plan->sizes.notes[TSR_POINTGRID_NOTE_NOT_FINITE];
  tsr_pointgrid_box box;
  tsr_status status = ready;
  if (status == TSR_OK)
    status = find_box(plan, &box, error);
  status = tsr_processes_agree(in->processes, status, error);
  if (status == TSR_OK) {
    in->n_items = box.kept;
    left_out->count = box.bad;
    left_out->first = box.first_bad;
    status = tsr_pointgrid_share_box(in, &box, error);
  }
  status = tsr_processes_agree(in->processes, status, error);
  if (status == TSR_OK)
    set_cube(plan, &box);
  if (status == TSR_OK && in->cube.dimension > 0 && in->options.gather)
    status = tsr_pointgrid_share_points(in, &plan->route, error);
  return tsr_processes_agree(in->processes, status, error);
}

/** Counts points, cells and connectivity. CELLS: finds the points. */
static tsr_status count_output(tsr_pointgrid_plan *plan, tsr_error *error) {
  const tsr_pointgrid_input *in = &plan->input;
  const tsr_pointgrid_summarise_job job = {plan->sorted.leaves.at, in->rule};
  tsr_pointgrid_sizes *sizes = &plan->sizes;
  tsr_executor *e = &plan->executor;
  e->done_first = 0.35;
  e->done_last = 0.4;
  tsr_status status =
      TSR_REDUCE(e, tsr_pointgrid_summarise, job, plan->sorted.leaves.n, &plan->summary, error);
  sizes->leaves = plan->sorted.leaves.n;
  sizes->kept = in->n_items;
  if (in->options.output == TSR_POINTGRID_CELLS) {
    if (status == TSR_OK)
      status = tsr_pointgrid_make_corners(plan, error);
    sizes->cells = sizes->leaves;
    sizes->connectivity = sizes->leaves << in->cube.dimension;
    sizes->points = plan->cells.n;
  } else if (in->options.output == TSR_POINTGRID_POINTS) {
    sizes->cells = sizes->points = sizes->connectivity = in->n_items;
  } else if (status == TSR_OK) {
    status = tsr_pointgrid_collect(&plan->sorted.leaves, in->cube.dimension, &plan->splits, error);
    sizes->cells = 1;
    for (int level = 0; level <= TSR_POINTGRID_MAX_LEVEL; ++level)
      sizes->cells += plan->splits.of[level].n << in->cube.dimension;
  }
  return status;
}

/** Counts the leaves of all processes, and those that the warning about full leaves is about. */
static tsr_status count_leaves(tsr_pointgrid_plan *plan, tsr_error *error) {
  const tsr_pointgrid_input *in = &plan->input;
  const int n_ranks = in->options.n_ranks;
  tsr_pointgrid_sizes *sizes = &plan->sizes;
  const tsr_pointgrid_summary *summary = &plan->summary;
  tsr_note_count *full = &sizes->notes[TSR_POINTGRID_NOTE_FULL];
  int64_t mine[2] = {sizes->leaves, 0};
  int64_t *all = tsr_alloc(n_ranks, sizeof mine, "a message", error);
  tsr_status status = tsr_processes_agree(in->processes, all ? TSR_OK : TSR_NO_MEMORY, error);
  full->count = summary->full;
  full->first = summary->first_full;
  for (int level = 0; level <= TSR_POINTGRID_MAX_LEVEL; ++level) {
    sizes->leaves_of_level[level] = summary->of_level[level];
    mine[1] = summary->of_level[level] > 0 ? level : mine[1];
  }
  if (status == TSR_OK)
    status = tsr_processes_gather(in->processes, mine, sizeof mine, all, error);
  for (int rank = 0; status == TSR_OK && rank < n_ranks; ++rank) {
    const int level = (int)all[2 * rank + 1];
    sizes->first_leaf += rank < in->options.rank ? all[2 * rank] : 0;
    sizes->all_leaves += all[2 * rank];
    sizes->levels = level > sizes->levels ? level : sizes->levels;
  }
  if (full->count > 0)
    full->first += sizes->first_leaf;
  free(all);
  return status;
}

static tsr_status make(void *data, tsr_error *error) {
  tsr_pointgrid_plan *plan = data;
  const tsr_pointgrid_input *in = &plan->input;
  tsr_status status = place_points(plan, prepare(plan, error), error);
  if (status != TSR_OK)
    return status;
  if (!in->execution->device_arrays &&
      (in->n_items == 0 || in->rule.begin >= in->rule.end)) /* nothing to sort here */
    tsr_pointgrid_leave_device(plan);
  if (in->cube.dimension == 0)
    return TSR_OK;
  status = tsr_pointgrid_make_leaves(plan, error);
  if (status == TSR_OK)
    status = check_limit(plan, error);
  status = tsr_processes_agree(in->processes, status, error);
  if (status == TSR_OK && in->options.balance != TSR_BALANCE_NONE)
    status = tsr_pointgrid_balance(in, &plan->sorted, error);
  if (status == TSR_OK)
    status = check_limit(plan, error);
  plan->sizes.leaves = plan->sorted.leaves.n;
  if (status == TSR_OK)
    status = count_output(plan, error);
  status = tsr_processes_agree(in->processes, status, error);
  return status == TSR_OK ? count_leaves(plan, error) : status;
}

static tsr_status fill(void *plan, const void *part, tsr_error *error) {
  return tsr_pointgrid_fill_part(plan, part, error);
}

static void drop(void *data) {
  tsr_pointgrid_plan *plan = data;
  static const tsr_pointgrid_sizes none;
  tsr_pointgrid_drop_sorted(plan);
  tsr_pointgrid_route_free(&plan->route);
  tsr_pointgrid_free_splits(&plan->splits);
  plan->sizes = none;
}

/* Makes leaves and corners again. Balance and TREE have left the device before the fill: they never
 * come here. */
static tsr_status make_here(void *data, tsr_error *error) {
  tsr_pointgrid_plan *plan = data;
  tsr_pointgrid_drop_sorted(plan);
  const tsr_status status = tsr_pointgrid_make_leaves(plan, error);
  return status == TSR_OK && plan->input.options.output == TSR_POINTGRID_CELLS
             ? tsr_pointgrid_make_corners(plan, error)
             : status;
}

static const tsr_plan_steps STEPS = {.size = sizeof(tsr_pointgrid_plan),
                                     .take = take,
                                     .suits_device = suits_device,
                                     .make = make,
                                     .fill = fill,
                                     .drop = drop,
                                     .make_here = make_here};

tsr_status tsr_pointgrid_plan_create(const tsr_pointgrid_view *view,
                                     const tsr_pointgrid_options *options,
                                     const tsr_execution *execution, tsr_pointgrid_plan **plan,
                                     tsr_error *error) {
  return tsr_plan_create(&STEPS, view, options, execution, plan, error);
}

void tsr_pointgrid_plan_free(tsr_pointgrid_plan *plan) { tsr_plan_free(&STEPS, plan); }

const tsr_pointgrid_sizes *tsr_pointgrid_plan_sizes(const tsr_pointgrid_plan *plan) {
  return &plan->sizes;
}

void tsr_pointgrid_plan_report(const tsr_pointgrid_plan *plan, tsr_report *report) {
  *report = tsr_plan_report(&plan->base);
  report->items = plan->input.view.points.tuples;
  report->points = plan->sizes.points;
  report->cells = plan->sizes.cells;
  if (plan->base.report.backend == TSR_BACKEND_CUDA) /* it has sorted the points */
    report->backend = TSR_BACKEND_CUDA;
}

/* Fills one attribute. Several processes first send the values to the owners of the points. */
static tsr_status send_and_fill(tsr_pointgrid_plan *plan, tsr_pointgrid_part part,
                                const tsr_pointgrid_attribute *attribute, tsr_error *error) {
  tsr_pointgrid_attribute held = *attribute;
  void *received = NULL;
  tsr_status status = TSR_OK;
  part.attribute = &held;
  if (plan->route.way.sent) {
    status = tsr_pointgrid_send(&plan->input, &plan->route, &attribute->in, &received, error);
    held.in.data = received;
    held.in.tuples = plan->route.way.n_received;
  }
  if (status == TSR_OK)
    status = tsr_plan_fill(&STEPS, plan, &part, error);
  free(received);
  /* All processes send the next attribute, or none. */
  return plan->route.way.sent ? tsr_processes_agree(&plan->base.processes, status, error) : status;
}

tsr_status tsr_pointgrid_fill(tsr_pointgrid_plan *plan, const tsr_pointgrid_output *output,
                              tsr_error *error) {
  if (tsr_need(plan != NULL, "the plan", error))
    return TSR_BAD_INPUT;
  const tsr_pointgrid_input *in = &plan->input;
  const double start = tsr_now(in->execution);
  tsr_pointgrid_output out;
  tsr_pointgrid_walk walk = {0};
  const tsr_pointgrid_part structure = {.out = &out, .walk = &walk};
  tsr_pointgrid_output_init(&out);
  tsr_status status = tsr_copy_versioned(&out, sizeof out, output, "output", TSR_BAD_OPTION, error);
  if (status == TSR_OK)
    status = tsr_pointgrid_check_output(plan, &out, error);
  if (status == TSR_OK && in->options.output == TSR_POINTGRID_TREE && in->cube.dimension > 0)
    status = tsr_pointgrid_walk_tree(in, &plan->sorted.leaves, &plan->splits, &walk, error);
  if (status == TSR_OK)
    status = tsr_plan_fill(&STEPS, plan, &structure, error);
  status = tsr_pointgrid_agree_on_attributes(plan, &out, status, error);
  for (int i = 0; status == TSR_OK && i < out.n_attributes; ++i)
    status = send_and_fill(plan, structure, &out.attributes[i], error);
  tsr_pointgrid_walk_free(&walk);
  plan->base.report.fill_seconds = tsr_now(in->execution) - start;
  return status;
}
