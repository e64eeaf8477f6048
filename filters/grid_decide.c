/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: which owned nodes are refined before buffer and balance. */
#include "grid.h"

#include <stdlib.h>
#include <string.h>

tsr_rule tsr_grid_rule_in_force(const tsr_grid_plan *plan, int r) {
  tsr_rule rule = plan->rules[r];
  if (rule.measure == TSR_MEASURE_IN_RANGE)
    rule.threshold = 0.5;
  else
    rule.threshold = plan->scale <= TSR_LARGEST_VALUE ? rule.threshold * plan->scale : TSR_INFINITY;
  return rule;
}

/* Refining from the roots down. */
typedef struct tsr_descent {
  tsr_grid_plan *plan;
  const tsr_rule *rules;
  int level;
  int64_t range[3][2]; /* owned nodes of the level */
} tsr_descent;

/* 1 if the node has hidden and visible cells. */
static int tsr_node_is_mixed(const tsr_grid_plan *plan, int level, const int64_t i[3]) {
  int64_t range[3][2], c[3];
  int seen = 0; /* bit 0: a visible one, bit 1: a hidden one */
  if (!plan->hidden || level >= plan->lattice.coarsen)
    return 0;
  for (int a = 0; a < 3; ++a)
    tsr_node_cells(&plan->lattice, a, level, i[a], range[a]);
  for (c[2] = range[2][0]; c[2] < range[2][1]; ++c[2])
    for (c[1] = range[1][0]; c[1] < range[1][1]; ++c[1])
      for (c[0] = range[0][0]; c[0] < range[0][1]; ++c[0]) {
        seen |= plan->hidden[tsr_cell_at(&plan->lattice, c)] ? 2 : 1;
        if (seen == 3)
          return 1;
      }
  return 0;
}

/* 1 if the node must be refined whatever the criteria and limits say. */
static int tsr_node_is_forced(const tsr_grid_plan *plan, int level, const int64_t i[3]) {
  const int whole =
      plan->options.output == TSR_GRID_TREES || plan->options.output == TSR_GRID_PATCHES;
  return (whole && tsr_node_sticks_out(&plan->lattice, level, i)) ||
         tsr_node_is_mixed(plan, level, i);
}

/* 1 if an existing node is refined; `asked`: a criterion of the passes said so. */
static int tsr_descent_refines(const tsr_descent *it, const int64_t i[3], int asked) {
  const tsr_grid_plan *plan = it->plan;
  if (plan->options.mode == TSR_GRID_FINE)
    return 1;
  if (tsr_node_is_forced(plan, it->level, i))
    return 1;
  if (plan->options.mode == TSR_GRID_COARSE || it->level >= tsr_grid_limit(plan, it->level, i))
    return 0;
  if (asked)
    return 1;
  for (int r = 0; r < plan->n_rules; ++r) {
    const tsr_rule *rule = &it->rules[r];
    if (rule->measure == TSR_MEASURE_INTERPOLATION_ERROR && !tsr_node_hidden(plan, it->level, i) &&
        tsr_rule_asks(&plan->lattice, rule, it->level,
                      tsr_interpolation_error(&plan->lattice, &plan->space, rule, it->level, i,
                                              rule->threshold)))
      return 1;
  }
  return 0;
}

/* Bytes of a level: children of refined parents keep or get their bits, the others lose them. */
static void tsr_descent_task(void *data, int64_t begin, int64_t end) {
  const tsr_descent *it = data;
  const tsr_grid_plan *plan = it->plan;
  const tsr_tree *tree = &plan->tree;
  const int level = it->level;
  const int64_t *size = tree->size[level], *first = tree->first[level];
  for (int64_t n = begin; n < end; ++n) {
    const int64_t parent[3] = {first[0] + n % size[0], first[1] + n / size[0] % size[1],
                               first[2] + n / size[0] / size[1]};
    uint8_t *byte = &tree->dense[level][n];
    unsigned bits = 0;
    if (level > 0 && !(tsr_node_known(&plan->lattice, level - 1, parent) &&
                       tsr_tree_get(tree, &plan->lattice, level - 1, parent))) {
      *byte = 0;
      continue;
    }
    for (unsigned k = 0; k < (1u << plan->lattice.dimension); ++k) {
      int64_t i[3];
      int inside = 1;
      for (int a = 0; a < 3; ++a) {
        i[a] = a < plan->lattice.dimension ? 2 * parent[a] + ((k >> a) & 1) : 0;
        inside = inside && i[a] >= it->range[a][0] && i[a] < it->range[a][1];
      }
      if (inside && tsr_descent_refines(it, i, (*byte >> k) & 1))
        bits |= 1u << k;
    }
    *byte = (uint8_t)bits;
  }
}

static tsr_status tsr_descent_level(tsr_descent *it, int level) {
  const tsr_lattice *lattice = &it->plan->lattice;
  tsr_job job = {.execution = &it->plan->execution, .task = tsr_descent_task, .data = it};
  const int64_t *size = it->plan->tree.size[level];
  it->level = level;
  for (int a = 0; a < 3; ++a)
    tsr_level_range(lattice, a, level, lattice->owned[a], it->range[a]);
  job.n = size[0] * size[1] * size[2];
  job.done_first = job.done_last = 0.4;
  return tsr_job_run(&job, 512);
}

/* Parts of an input cell: refines node i of `level`, which is refined, further. */
static void tsr_descent_parts(const tsr_descent *it, int level, const int64_t i[3]) {
  tsr_grid_plan *plan = it->plan;
  const tsr_lattice *lattice = &plan->lattice;
  if (level + 1 >= lattice->levels)
    return;
  for (unsigned k = 0; k < (1u << lattice->dimension); ++k) {
    int64_t child[3];
    int refine = plan->options.mode == TSR_GRID_FINE;
    for (int a = 0; a < 3; ++a)
      child[a] = a < lattice->dimension ? 2 * i[a] + ((k >> a) & 1) : 0;
    if (!refine && level + 1 >= tsr_grid_limit(plan, level + 1, child))
      continue;
    for (int r = 0; r < plan->n_rules && !refine; ++r)
      refine =
          it->rules[r].measure != TSR_MEASURE_INTERPOLATION_ERROR &&
          tsr_rule_asks(lattice, &it->rules[r], level + 1,
                        tsr_part_measure(lattice, &plan->space, &it->rules[r], level + 1, child));
    if (refine) {
      tsr_tree_set(&plan->tree, lattice, level + 1, child);
      tsr_descent_parts(it, level + 1, child);
    }
  }
}

static void tsr_descent_brick(void *data, const int64_t cell[3]) {
  const tsr_descent *it = data;
  if (!tsr_node_hidden(it->plan, it->plan->lattice.coarsen, cell))
    tsr_descent_parts(it, it->plan->lattice.coarsen, cell);
}

static void tsr_descent_mark(void *data, int level, const int64_t parent[3], unsigned children) {
  const tsr_descent *it = data;
  tsr_tree *tree = &it->plan->tree;
  int64_t first[3];
  for (int a = 0; a < 3; ++a)
    first[a] = a < it->plan->lattice.dimension ? 2 * parent[a] : 0;
  for (unsigned k = 0; k < 8; ++k)
    if ((children >> k) & 1)
      tsr_bits_set(&tree->has_brick, 8 * tsr_tree_dense_at(tree, level, first) + k);
}

/* The levels below the input cells. */
static tsr_status tsr_descent_deep(tsr_descent *it, tsr_error *error) {
  const tsr_lattice *lattice = &it->plan->lattice;
  tsr_tree *tree = &it->plan->tree;
  const int64_t *size = tree->size[lattice->coarsen];
  tsr_status status = tsr_bits_create(&tree->has_brick, 8 * size[0] * size[1] * size[2],
                                      "the refined input cells", error);
  if (status == TSR_OK)
    status = tsr_tree_visit(it->plan, tree, lattice->coarsen, tsr_descent_mark, it);
  if (status == TSR_OK)
    status = tsr_tree_make_bricks(tree, lattice, error);
  if (status == TSR_OK)
    status = tsr_tree_visit_bricks(it->plan, tsr_descent_brick, it);
  return status;
}

/* Passes and descent, with the rules in force. */
static tsr_status tsr_decide_with(tsr_grid_plan *plan, const tsr_rule *rules, tsr_error *error) {
  const tsr_lattice *lattice = &plan->lattice;
  tsr_descent it = {.plan = plan, .rules = rules};
  tsr_status status = plan->device ? tsr_grid_device_decide(plan, rules, error) : TSR_OK;
  const int decided = plan->device != NULL;
  for (int r = 0; !decided && r < plan->n_rules && status == TSR_OK; ++r) {
    tsr_rule rule = rules[r];
    if (plan->options.mode != TSR_GRID_ADAPTIVE)
      continue;
    if (rule.measure == TSR_MEASURE_INTERPOLATION_ERROR) {
      /* The pass finds what is not finite; the error itself is looked at from the roots down. */
      rule.measure = TSR_MEASURE_VALUE_RANGE;
      rule.threshold = TSR_INFINITY;
    }
    status = tsr_grid_apply_rule(plan, &rule, error);
  }
  for (int level = 0;
       !decided && level < lattice->levels && level <= lattice->coarsen && status == TSR_OK;
       ++level)
    status = tsr_descent_level(&it, level);
  if (status == TSR_OK && lattice->levels > lattice->coarsen + 1)
    status = tsr_descent_deep(&it, error);
  if (status == TSR_ABORTED)
    return tsr_fail(error, status, -1, "stopped while the grid was refined");
  return status;
}

tsr_status tsr_grid_decide(tsr_grid_plan *plan, tsr_error *error) {
  tsr_rule *rules = tsr_alloc(plan->n_rules, sizeof *rules, "the criteria", error);
  tsr_status status;
  if (!rules)
    return TSR_NO_MEMORY;
  for (int r = 0; r < plan->n_rules; ++r)
    rules[r] = tsr_grid_rule_in_force(plan, r);
  tsr_tree_clear(&plan->tree, &plan->lattice);
  status = tsr_decide_with(plan, rules, error);
  free(rules);
  return status;
}

/* The search for the range of an array or measure. */
typedef struct tsr_range_work {
  const tsr_grid_plan *plan;
  const tsr_rule *rule;
  int measure;
  double (*parts)[2];
  int64_t first[3], n[3];
} tsr_range_work;

static void tsr_range_add(double range[2], double v) {
  if (!tsr_finite(v))
    return;
  if (v < range[0])
    range[0] = v;
  if (v > range[1])
    range[1] = v;
}

static int tsr_range_is_hidden(const tsr_range_work *work, const int64_t s[3]) {
  const tsr_grid_plan *plan = work->plan;
  if (work->measure || work->rule->cell_data)
    return plan->hidden && plan->hidden[tsr_cell_at(&plan->lattice, s)];
  return plan->view.hidden_points && plan->view.hidden_points[tsr_point_at(&plan->lattice, s)];
}

/* Rows of the held samples, or of the owned cells for a measure. */
static void tsr_range_task(void *data, int64_t begin, int64_t end) {
  const tsr_range_work *work = data;
  const tsr_lattice *lattice = &work->plan->lattice;
  for (int64_t row = begin; row < end; ++row) {
    double *range = work->parts[row];
    int64_t s[3] = {0, work->first[1] + row % work->n[1], work->first[2] + row / work->n[1]};
    range[0] = TSR_INFINITY;
    range[1] = -TSR_INFINITY;
    for (int64_t x = 0; x < work->n[0]; ++x) {
      double v;
      s[0] = work->first[0] + x;
      if (tsr_range_is_hidden(work, s))
        continue;
      if (work->measure) {
        tsr_cell_flow(lattice, &work->plan->space, work->rule, s, &v);
      } else if (work->rule->component < 0 &&
                 work->rule->measure == TSR_MEASURE_INTERPOLATION_ERROR) {
        const int64_t at = tsr_sample_at(lattice, work->rule, s);
        for (int c = 0; c < work->rule->array.components; ++c)
          tsr_range_add(range, tsr_load(&work->rule->array, at * work->rule->array.components + c));
        continue;
      } else {
        v = tsr_sample(work->rule, tsr_sample_at(lattice, work->rule, s));
      }
      tsr_range_add(range, v);
    }
  }
}

tsr_status tsr_grid_rule_range(tsr_grid_plan *plan, const tsr_rule *rule, int measure,
                               double range[2], tsr_error *error) {
  tsr_range_work work = {.plan = plan, .rule = rule, .measure = measure};
  tsr_job job = {.execution = &plan->execution, .task = tsr_range_task, .data = &work};
  tsr_status status;
  for (int a = 0; a < 3; ++a) {
    int64_t cells[2] = {plan->lattice.held[a][0], plan->lattice.held[a][1]};
    if (measure)
      tsr_level_range(&plan->lattice, a, plan->lattice.coarsen, plan->lattice.owned[a], cells);
    work.first[a] = cells[0];
    work.n[a] = cells[1] - cells[0];
    if (!measure && !rule->cell_data && a < plan->lattice.dimension && work.n[a] > 0)
      ++work.n[a];
  }
  job.n = work.n[0] > 0 ? work.n[1] * work.n[2] : 0;
  work.parts = tsr_alloc(job.n, sizeof *work.parts, "the range of an array", error);
  if (!work.parts)
    return TSR_NO_MEMORY;
  job.done_last = 0.05;
  status = tsr_job_run(&job, 16);
  range[0] = TSR_INFINITY;
  range[1] = -TSR_INFINITY;
  for (int64_t row = 0; row < job.n; ++row) {
    tsr_range_add(range, work.parts[row][0]);
    tsr_range_add(range, work.parts[row][1]);
  }
  free(work.parts);
  if (status != TSR_OK)
    return tsr_fail(error, status, -1, "stopped while the range of an array was found");
  return TSR_OK;
}
