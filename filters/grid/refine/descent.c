/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: which owned nodes are refined before buffer and balance. */
#include "grid/plan.h"

#include <stdlib.h>
#include <string.h>

static tsr_rule tsr_rule_in_force(const tsr_grid_plan *plan, int r) {
  tsr_rule rule = plan->rules[r];
  if (rule.measure == TSR_MEASURE_IN_RANGE)
    rule.threshold = 0.5;
  else
    rule.threshold = plan->scale <= TSR_LARGEST_VALUE ? rule.threshold * plan->scale : TSR_INFINITY;
  return rule;
}

tsr_rule *tsr_grid_rules_in_force(const tsr_grid_plan *plan, tsr_error *error) {
  tsr_rule *rules = tsr_alloc(plan->n_rules, sizeof *rules, "the criteria", error);
  for (int r = 0; rules && r < plan->n_rules; ++r)
    rules[r] = tsr_rule_in_force(plan, r);
  return rules;
}

int tsr_grid_error_asks(const tsr_grid_plan *plan, const tsr_rule *rules, int level,
                        const int64_t i[3]) {
  for (int r = 0; r < plan->n_rules && level < plan->lattice.coarsen; ++r) {
    const tsr_rule *rule = &rules[r];
    double measure;
    if (rule->measure != TSR_MEASURE_INTERPOLATION_ERROR || tsr_node_hidden(plan, level, i))
      continue;
    measure = plan->kept ? tsr_grid_kept_error(plan, rules, r, level, i)
                         : tsr_grid_error(plan, rule, level, i, rule->threshold);
    if (tsr_rule_asks(&plan->lattice, rule, level, measure))
      return 1;
  }
  return 0;
}

/* Refining from the roots down. */
typedef struct tsr_descent {
  tsr_grid_plan *plan;
  const tsr_rule *rules;
  int level;
  int64_t range[3][2];     /* owned nodes of the level */
  int64_t room;            /* parts of input cells that may be refined before it stops */
  _Atomic int64_t refined; /* those that were */
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

/* Those of the children that have hidden and visible cells. */
static unsigned mixed_children(const tsr_descent *it, const int64_t parent[3], unsigned children) {
  unsigned bits = 0;
  if (!it->plan->hidden || it->plan->options.mode == TSR_GRID_FINE)
    return 0;
  for (unsigned k = 0; children >> k; ++k) {
    int64_t i[3];
    tsr_descent_child(&it->plan->lattice, parent, k, i);
    if (((children >> k) & 1) && tsr_node_is_mixed(it->plan, it->level, i))
      bits |= 1u << k;
  }
  return bits;
}

/* Those of the children that criteria ask for which left no bits in the tree: measures that were
 * kept, and interpolation errors. */
static unsigned asked_later(const tsr_descent *it, const int64_t parent[3], unsigned children) {
  const tsr_grid_plan *plan = it->plan;
  unsigned bits = 0;
  for (unsigned k = 0; children >> k; ++k) {
    int64_t i[3];
    if (!((children >> k) & 1))
      continue;
    tsr_descent_child(&plan->lattice, parent, k, i);
    if ((plan->kept && tsr_grid_kept_asks(plan, it->rules, it->level, i)) ||
        tsr_grid_error_asks(plan, it->rules, it->level, i))
      bits |= 1u << k;
  }
  return bits;
}

/* Bytes of a level: children of refined parents keep or get their bits, the others lose them. */
static void tsr_descent_task(void *data, int64_t begin, int64_t end) {
  const tsr_descent *it = data;
  const tsr_grid_plan *plan = it->plan;
  const tsr_lattice *lattice = &plan->lattice;
  const int level = it->level;
  for (int64_t n = begin; n < end; ++n) {
    uint8_t *byte = &plan->tree.dense[level][n];
    int64_t parent[3];
    unsigned owned, forced, open;
    tsr_tree_parent(&plan->tree, level, n, parent);
    if (!tsr_descent_reaches(lattice, &plan->tree, level, parent)) {
      *byte = 0;
      continue;
    }
    owned = tsr_descent_owned(lattice, (const int64_t(*)[2])it->range, parent);
    forced = tsr_descent_forced(lattice, &plan->options, level, parent, owned,
                                mixed_children(it, parent, owned));
    open =
        tsr_descent_open(lattice, &plan->options, plan->view.whole, level, parent, owned & ~forced);
    *byte = (uint8_t)(forced | (open & *byte) | asked_later(it, parent, open & ~(unsigned)*byte));
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

/* The parts of one input cell. */
typedef struct tsr_parts {
  const tsr_descent *it;
  int64_t room, refined; /* nodes that may still be refined, and that were */
} tsr_parts;

/* Refines node i of `level`, which is refined, further; as long as there is room. */
static void tsr_parts_refine(tsr_parts *parts, int level, const int64_t i[3]) {
  const tsr_descent *it = parts->it;
  tsr_grid_plan *plan = it->plan;
  const tsr_lattice *lattice = &plan->lattice;
  if (level + 1 >= lattice->levels)
    return;
  for (unsigned k = 0; k < (1u << lattice->dimension) && parts->refined <= parts->room; ++k) {
    int64_t child[3];
    int refine = plan->options.mode == TSR_GRID_FINE;
    (void)tsr_node_child(lattice, level, i, k, child);
    if (!refine && level + 1 >= tsr_grid_limit(plan, level + 1, child))
      continue;
    for (int r = 0; r < plan->n_rules && !refine; ++r)
      refine =
          it->rules[r].measure != TSR_MEASURE_INTERPOLATION_ERROR &&
          tsr_rule_asks(lattice, &it->rules[r], level + 1,
                        tsr_part_measure(lattice, &plan->space, &it->rules[r], level + 1, child));
    if (refine) {
      tsr_tree_set(&plan->tree, lattice, level + 1, child);
      ++parts->refined;
      tsr_parts_refine(parts, level + 1, child);
    }
  }
}

static void tsr_descent_brick(void *data, const int64_t cell[3]) {
  tsr_descent *it = data;
  tsr_parts parts = {it, it->room - atomic_load(&it->refined), 0};
  if (parts.room < 0 || tsr_node_hidden(it->plan, it->plan->lattice.coarsen, cell))
    return;
  tsr_parts_refine(&parts, it->plan->lattice.coarsen, cell);
  atomic_fetch_add(&it->refined, parts.refined);
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

/* Evaluates the rules in force: sets the bits of the nodes that they ask for, or keeps what they
 * measure. */
static tsr_status tsr_decide_passes(tsr_grid_plan *plan, const tsr_rule *rules, tsr_error *error) {
  tsr_status status = TSR_OK;
  if (plan->options.mode != TSR_GRID_ADAPTIVE)
    return TSR_OK;
  if (plan->options.cell_budget > 0) {
    if (!plan->kept)
      status = tsr_grid_keep(plan, rules, error);
    if (status == TSR_OK)
      tsr_grid_recall(plan);
    return status;
  }
  for (int r = 0; r < plan->n_rules && status == TSR_OK; ++r)
    status = tsr_grid_apply_rule(plan, &rules[r], NULL, error);
  return status;
}

/* The levels above the input cells, with the rules in force; a device decides those, too. */
static tsr_status tsr_decide_with(tsr_grid_plan *plan, const tsr_rule *rules, tsr_error *error) {
  tsr_descent it = {.plan = plan, .rules = rules};
  tsr_status status = plan->device ? tsr_grid_device_decide(plan, rules, error) : TSR_OK;
  if (plan->device || status != TSR_OK)
    return status;
  status = tsr_decide_passes(plan, rules, error);
  for (int level = 0; level < plan->lattice.coarsen && status == TSR_OK; ++level)
    status = tsr_descent_level(&it, level);
  return status;
}

/* The input cells, with the rules in force. */
static tsr_status tsr_decide_cells_with(tsr_grid_plan *plan, const tsr_rule *rules) {
  const tsr_lattice *lattice = &plan->lattice;
  tsr_descent it = {.plan = plan, .rules = rules};
  tsr_status status = TSR_OK;
  if (!plan->device && lattice->levels > lattice->coarsen)
    status = tsr_descent_level(&it, lattice->coarsen);
  return status;
}

/* The parts of input cells, with the rules in force. */
static tsr_status tsr_decide_parts_with(tsr_grid_plan *plan, const tsr_rule *rules, int64_t most,
                                        tsr_error *error) {
  const tsr_lattice *lattice = &plan->lattice;
  tsr_descent it = {.plan = plan, .rules = rules};
  /* Each refined node adds so many leaves. */
  it.room = most / ((1 << lattice->dimension) - 1);
  return lattice->levels > lattice->coarsen + 1 ? tsr_descent_deep(&it, error) : TSR_OK;
}

/* What a decision's status means to the caller. */
static tsr_status tsr_decided(tsr_status status, tsr_error *error) {
  if (status == TSR_ABORTED)
    return tsr_fail(error, status, -1, "stopped while the grid was refined");
  return status;
}

tsr_status tsr_grid_decide(tsr_grid_plan *plan, tsr_error *error) {
  tsr_rule *rules = tsr_grid_rules_in_force(plan, error);
  tsr_status status = TSR_NO_MEMORY;
  tsr_tree_clear(&plan->tree, &plan->lattice);
  if (rules)
    status = tsr_decide_with(plan, rules, error);
  free(rules);
  return tsr_decided(status, error);
}

tsr_status tsr_grid_decide_cells(tsr_grid_plan *plan, tsr_error *error) {
  tsr_rule *rules = tsr_grid_rules_in_force(plan, error);
  const tsr_status status = rules ? tsr_decide_cells_with(plan, rules) : TSR_NO_MEMORY;
  free(rules);
  return tsr_decided(status, error);
}

tsr_status tsr_grid_decide_parts(tsr_grid_plan *plan, int64_t most, tsr_error *error) {
  tsr_rule *rules = tsr_grid_rules_in_force(plan, error);
  const tsr_status status = rules ? tsr_decide_parts_with(plan, rules, most, error) : TSR_NO_MEMORY;
  free(rules);
  return tsr_decided(status, error);
}
