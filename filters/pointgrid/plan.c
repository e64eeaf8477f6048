/* SPDX-License-Identifier: BSD-3-Clause */
/** Point grids: the plan, from the view to exact sizes. */
#include "pointgrid/plan.h"

#include <stdlib.h>
#include <string.h>

static tsr_status take(tsr_pointgrid_plan *plan, const tsr_pointgrid_view *view,
                       const tsr_pointgrid_options *options, const tsr_execution *execution,
                       tsr_error *error) {
  tsr_status status;
  tsr_pointgrid_view_init(&plan->view);
  tsr_pointgrid_options_init(&plan->options);
  status = tsr_copy_versioned(&plan->options, sizeof plan->options, options, "options",
                              TSR_BAD_OPTION, error);
  if (status == TSR_OK)
    status = tsr_copy_versioned(&plan->view, sizeof plan->view, view, "view", TSR_BAD_INPUT, error);
  if (status == TSR_OK)
    status = tsr_take_execution(&plan->execution, execution, error);
  if (status == TSR_OK)
    status = tsr_pointgrid_check_ranks(&plan->options, error);
  plan->processes = (tsr_processes){.n = plan->options.gather ? plan->options.n_ranks : 1,
                                    .rank = plan->options.rank,
                                    .gather = plan->options.gather,
                                    .exchange = plan->options.exchange,
                                    .context = plan->options.context};
  return status;
}

/** What must be right before anything is computed. Nothing here is collective. */
static tsr_status prepare(tsr_pointgrid_plan *plan, tsr_error *error) {
  tsr_pointgrid_options *o = &plan->options;
  tsr_status status;
  if (o->spread_of != TSR_POINTGRID_SPREAD_OF_ARRAY) {
    o->spread_array = plan->view.points;
    o->spread_component = (int)o->spread_of - TSR_POINTGRID_SPREAD_OF_X;
  }
  status = tsr_pointgrid_check(plan, error);
  plan->points = plan->view.points;
  plan->spread = o->spread_array;
  if (plan->points.tuples == 0)
    plan->spread.tuples = 0;
  plan->rule.max_level = o->max_level;
  plan->rule.max_points = o->max_points;
  plan->rule.use_spread = o->use_spread != 0;
  plan->rule.spread = o->spread;
  plan->report = tsr_pointgrid_cpu_report(plan);
  return status == TSR_OK ? tsr_pointgrid_device_open(plan, error) : status;
}

static tsr_status check_limit(const tsr_pointgrid_plan *plan, tsr_error *error) {
  const int64_t limit = plan->options.limit_cells, cells = plan->leaves.n;
  if (limit > 0 && cells > limit)
    return tsr_fail(error, TSR_TOO_LARGE, -1,
                    "the points give %lld cells, and at most %lld are allowed", (long long)cells,
                    (long long)limit);
  return TSR_OK;
}

/** By the device, where there is one and the points do not travel first. */
static tsr_status find_box(tsr_pointgrid_plan *plan, tsr_pointgrid_box *box, tsr_error *error) {
  int done = 0;
  tsr_status status = TSR_OK;
  if (!plan->options.gather)
    status = tsr_pointgrid_device_box(plan, box, &done, error);
  return done || status != TSR_OK ? status
                                  : tsr_pointgrid_find_box(plan, box, &plan->before, error);
}

/** The root, the keys in it, and, of several processes, every point where it belongs. */
static tsr_status place_points(tsr_pointgrid_plan *plan, tsr_status ready, tsr_error *error) {
  tsr_pointgrid_box box;
  tsr_status status = ready;
  if (status == TSR_OK)
    status = find_box(plan, &box, error);
  status = tsr_processes_agree(&plan->processes, status, error);
  if (status == TSR_OK) {
    plan->n_items = box.kept;
    plan->sizes.notes[TSR_POINTGRID_NOTE_NOT_FINITE].count = box.bad;
    plan->sizes.notes[TSR_POINTGRID_NOTE_NOT_FINITE].first = box.first_bad;
    status = tsr_pointgrid_share_box(plan, &box, error);
  }
  if (status == TSR_OK) {
    tsr_pointgrid_set_cube(plan, &box);
    /* A device makes its own; the processes share points by these. */
    if (plan->cube.dimension > 0 && (!plan->device || plan->options.gather))
      status = tsr_pointgrid_make_items(plan, plan->before, error);
    status = tsr_processes_agree(&plan->processes, status, error);
  }
  if (status == TSR_OK && plan->cube.dimension > 0 && plan->options.gather)
    status = tsr_pointgrid_share_points(plan, error);
  return tsr_processes_agree(&plan->processes, status, error);
}

static tsr_status find_corners(tsr_pointgrid_plan *plan, tsr_error *error) {
  int done;
  const tsr_status status = tsr_pointgrid_device_corners(plan, &done, error);
  return done || status != TSR_OK ? status : tsr_pointgrid_find_corners(plan, error);
}

/** Points, cells and connectivity. */
static tsr_status count_output(tsr_pointgrid_plan *plan, tsr_error *error) {
  tsr_pointgrid_sizes *sizes = &plan->sizes;
  tsr_status status = TSR_OK;
  sizes->leaves = plan->leaves.n;
  sizes->kept = plan->n_items;
  if (plan->options.output == TSR_POINTGRID_CELLS) {
    sizes->cells = sizes->leaves;
    sizes->connectivity = sizes->leaves << plan->cube.dimension;
    status = find_corners(plan, error);
  } else if (plan->options.output == TSR_POINTGRID_POINTS) {
    sizes->cells = sizes->points = sizes->connectivity = plan->n_items;
  } else {
    tsr_pointgrid_free_tree(&plan->tree);
    status = tsr_pointgrid_collect(plan, &plan->tree, error);
    sizes->cells = 1;
    for (int level = 0; level <= TSR_POINTGRID_MAX_LEVEL; ++level)
      sizes->cells += plan->tree.of[level].n << plan->cube.dimension;
  }
  return status;
}

/** What all processes know together, and the notes about leaves. */
static tsr_status count_leaves(tsr_pointgrid_plan *plan, tsr_error *error) {
  tsr_pointgrid_sizes *sizes = &plan->sizes;
  const tsr_pointgrid_summary *summary = &plan->summary;
  tsr_note_count *full = &sizes->notes[TSR_POINTGRID_NOTE_FULL];
  int64_t mine[2] = {plan->leaves.n, 0};
  int64_t *all = tsr_alloc(plan->options.n_ranks, sizeof mine, "a message", error);
  if (!all)
    return TSR_NO_MEMORY;
  full->count = summary->full;
  full->first = summary->first_full;
  for (int level = 0; level <= TSR_POINTGRID_MAX_LEVEL; ++level) {
    sizes->leaves_of_level[level] = summary->of_level[level];
    mine[1] = summary->of_level[level] > 0 ? level : mine[1];
  }
  const tsr_status status = tsr_processes_gather(&plan->processes, mine, sizeof mine, all, error);
  for (int rank = 0; status == TSR_OK && rank < plan->options.n_ranks; ++rank) {
    const int level = (int)all[2 * rank + 1];
    sizes->first_leaf += rank < plan->options.rank ? all[2 * rank] : 0;
    sizes->all_leaves += all[2 * rank];
    sizes->levels = level > sizes->levels ? level : sizes->levels;
  }
  if (full->count > 0)
    full->first += sizes->first_leaf;
  free(all);
  return status;
}

/** By the device, or by the CPU where there is none, or none any more. */
static tsr_status sort_points(tsr_pointgrid_plan *plan, tsr_error *error) {
  int done;
  const tsr_status status = tsr_pointgrid_device_sort(plan, &done, error);
  return done || status != TSR_OK ? status : tsr_pointgrid_sort_here(plan, error);
}

static tsr_status make(tsr_pointgrid_plan *plan, tsr_error *error) {
  tsr_status status = place_points(plan, prepare(plan, error), error);
  if (status != TSR_OK || plan->cube.dimension == 0)
    return status;
  status = sort_points(plan, error);
  if (status == TSR_OK)
    status = check_limit(plan, error);
  status = tsr_processes_agree(&plan->processes, status, error);
  if (status == TSR_OK && plan->options.balance != TSR_BALANCE_NONE)
    status = tsr_pointgrid_balance(plan, error);
  if (status == TSR_OK)
    status = check_limit(plan, error);
  if (status == TSR_OK && !plan->on_device)
    tsr_pointgrid_summarise(plan);
  if (status == TSR_OK)
    status = count_output(plan, error);
  if (!plan->on_device)
    tsr_pointgrid_device_close(plan);
  status = tsr_processes_agree(&plan->processes, status, error);
  return status == TSR_OK ? count_leaves(plan, error) : status;
}

tsr_status tsr_pointgrid_plan_create(const tsr_pointgrid_view *view,
                                     const tsr_pointgrid_options *options,
                                     const tsr_execution *execution, tsr_pointgrid_plan **plan,
                                     tsr_error *error) {
  tsr_status status;
  tsr_pointgrid_plan *made = tsr_plan_alloc(sizeof *made, plan, view, options, &status, error);
  if (plan)
    *plan = NULL;
  if (!made)
    return status;
  status = take(made, view, options, execution, error);
  if (status == TSR_OK) {
    const double start = tsr_now(&made->execution);
    status = make(made, error);
    made->report.plan_seconds = tsr_now(&made->execution) - start;
    made->report.points = made->sizes.points;
    made->report.cells = made->sizes.cells;
  }
  if (status == TSR_OK)
    *plan = made;
  else
    tsr_pointgrid_plan_free(made);
  return status;
}

void tsr_pointgrid_plan_free(tsr_pointgrid_plan *plan) {
  if (!plan)
    return;
  tsr_pointgrid_device_close(plan);
  tsr_route_free(&plan->route.way);
  free(plan->route.points);
  free(plan->route.spread);
  free(plan->items);
  free(plan->before);
  free(plan->order);
  free(plan->leaves.at);
  tsr_pointgrid_free_tree(&plan->tree);
  free(plan->corners);
  free(plan->corner_of);
  free(plan);
}

const tsr_pointgrid_sizes *tsr_pointgrid_plan_sizes(const tsr_pointgrid_plan *plan) {
  return &plan->sizes;
}

void tsr_pointgrid_plan_report(const tsr_pointgrid_plan *plan, tsr_report *report) {
  *report = plan->report;
}
