/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: the descent, which makes refined nodes of what criteria ask for. descent_math.h says how.
 */
#include "grid/refine/refine.h"

#include <stdlib.h>
#include <string.h>

/* Refining from the roots down. */
typedef struct tsr_descent {
  const tsr_refinement *of;
  const tsr_grid_input *input;
  tsr_tree *tree;
  int level;
  int64_t range[3][2];     /* owned nodes of the level */
  int64_t room;            /* parts of input cells that may be refined before it stops */
  _Atomic int64_t refined; /* parts that were refined */
} tsr_descent;

/* 1 if the node has hidden and visible cells. */
static int node_is_mixed(const tsr_grid_input *input, int level, const int64_t i[3]) {
  int64_t range[3][2], c[3];
  int seen = 0; /* bit 0: a visible one, bit 1: a hidden one */
  if (!input->hidden || level >= input->lattice.coarsen)
    return 0;
  for (int a = 0; a < 3; ++a)
    tsr_node_cells(&input->lattice, a, level, i[a], range[a]);
  for (c[2] = range[2][0]; c[2] < range[2][1]; ++c[2])
    for (c[1] = range[1][0]; c[1] < range[1][1]; ++c[1])
      for (c[0] = range[0][0]; c[0] < range[0][1]; ++c[0]) {
        seen |= input->hidden[tsr_cell_at(&input->lattice, c)] ? 2 : 1;
        if (seen == 3)
          return 1;
      }
  return 0;
}

/* Selects the children that have both hidden and visible cells. */
static unsigned mixed_children(const tsr_descent *it, const int64_t parent[3], unsigned children) {
  unsigned bits = 0;
  if (!it->input->hidden || it->input->options.mode == TSR_GRID_FINE)
    return 0;
  for (unsigned k = 0; children >> k; ++k) {
    int64_t i[3];
    tsr_descent_child(&it->input->lattice, parent, k, i);
    if (((children >> k) & 1) && node_is_mixed(it->input, it->level, i))
      bits |= 1u << k;
  }
  return bits;
}

/* Selects the children that a criterion asks for which sets no bits in the tree before the descent:
 * one whose measures are compared with the scaled thresholds of a budget, or the interpolation
 * error. */
static unsigned asked_later(const tsr_descent *it, const int64_t parent[3], unsigned children) {
  const tsr_refinement *of = it->of;
  unsigned bits = 0;
  for (unsigned k = 0; children >> k; ++k) {
    int64_t i[3];
    if (!((children >> k) & 1))
      continue;
    tsr_descent_child(&it->input->lattice, parent, k, i);
    if ((of->measures &&
         tsr_measures_ask(it->input, of->criteria, of->measures, it->tree, it->level, i)) ||
        tsr_error_asks(it->input, of->criteria, of->measures, it->level, i))
      bits |= 1u << k;
  }
  return bits;
}

/* Turns bytes of a level from what criteria ask for into what is refined. */
static void descend_task(void *data, int64_t begin, int64_t end) {
  const tsr_descent *it = data;
  const tsr_grid_input *input = it->input;
  const tsr_lattice *lattice = &input->lattice;
  const int level = it->level;
  for (int64_t n = begin; n < end; ++n) {
    uint8_t *byte = &it->tree->dense[level][n];
    int64_t parent[3];
    unsigned owned, forced, open;
    tsr_tree_parent(it->tree, level, n, parent);
    if (!tsr_descent_reaches(lattice, it->tree, level, parent)) {
      *byte = 0;
      continue;
    }
    owned = tsr_descent_owned(lattice, (const int64_t(*)[2])it->range, parent);
    forced = tsr_descent_forced(lattice, &input->options, level, parent, owned,
                                mixed_children(it, parent, owned));
    open = tsr_descent_open(lattice, &input->options, input->view.whole, level, parent,
                            owned & ~forced);
    *byte = (uint8_t)(forced | (open & *byte) | asked_later(it, parent, open & ~(unsigned)*byte));
  }
}

static tsr_status descend_level(tsr_descent *it, int level) {
  const tsr_lattice *lattice = &it->input->lattice;
  const int64_t *size = it->tree->size[level];
  it->level = level;
  for (int a = 0; a < 3; ++a)
    tsr_level_range(lattice, a, level, lattice->owned[a], it->range[a]);
  return tsr_run_task(&it->input->execution, descend_task, it, size[0] * size[1] * size[2],
                      tsr_tree_grain(it->input, level), 0.4, 0.4);
}

/* The parts of one input cell. */
typedef struct tsr_parts {
  const tsr_descent *it;
  int64_t room, refined; /* nodes that may still be refined, and that were */
} tsr_parts;

/* Refines node i of `level`, which is refined, further; as long as there is room. */
static void refine_parts(tsr_parts *parts, int level, const int64_t i[3]) {
  const tsr_descent *it = parts->it;
  const tsr_grid_input *input = it->input;
  const tsr_grid_criteria *criteria = it->of->criteria;
  const tsr_lattice *lattice = &input->lattice;
  if (level + 1 >= lattice->levels)
    return;
  for (unsigned k = 0; k < (1u << lattice->dimension) && parts->refined <= parts->room; ++k) {
    int64_t child[3];
    int refine = input->options.mode == TSR_GRID_FINE;
    (void)tsr_node_child(lattice, level, i, k, child);
    if (!refine && level + 1 >= tsr_refinement_limit(input, level + 1, child))
      continue;
    for (int r = 0; r < criteria->n && !refine; ++r)
      refine = criteria->in_force[r].measure != TSR_MEASURE_INTERPOLATION_ERROR &&
               tsr_rule_asks(lattice, &criteria->in_force[r], level + 1,
                             tsr_part_measure(lattice, &input->space, &criteria->in_force[r],
                                              level + 1, child));
    if (refine) {
      tsr_tree_set(it->tree, lattice, level + 1, child);
      ++parts->refined;
      refine_parts(parts, level + 1, child);
    }
  }
}

static void refine_brick(void *data, const int64_t cell[3]) {
  tsr_descent *it = data;
  tsr_parts parts = {it, it->room - atomic_load(&it->refined), 0};
  if (parts.room < 0 || tsr_node_hidden(it->input, it->input->lattice.coarsen, cell))
    return;
  refine_parts(&parts, it->input->lattice.coarsen, cell);
  atomic_fetch_add(&it->refined, parts.refined);
}

static void brick_mark(void *data, int level, const int64_t parent[3], unsigned children) {
  const tsr_descent *it = data;
  tsr_tree *tree = it->tree;
  int64_t first[3];
  for (int a = 0; a < 3; ++a)
    first[a] = a < it->input->lattice.dimension ? 2 * parent[a] : 0;
  for (unsigned k = 0; k < 8; ++k)
    if ((children >> k) & 1)
      tsr_bits_set(&tree->has_brick, 8 * tsr_tree_dense_at(tree, level, first) + k);
}

/* The levels below the input cells. */
static tsr_status descend_bricks(tsr_descent *it, tsr_error *error) {
  const tsr_lattice *lattice = &it->input->lattice;
  tsr_tree *tree = it->tree;
  const int64_t *size = tree->size[lattice->coarsen];
  tsr_status status = tsr_bits_create(&tree->has_brick, 8 * size[0] * size[1] * size[2],
                                      "the refined input cells", error);
  if (status == TSR_OK)
    status = tsr_tree_visit(it->input, tree, lattice->coarsen, brick_mark, it);
  if (status == TSR_OK)
    status = tsr_tree_make_bricks(tree, error);
  if (status == TSR_OK)
    status = tsr_tree_visit_bricks(it->input, tree, refine_brick, it);
  return status;
}

/* What a step's status means to the caller. */
static tsr_status descended(tsr_status status, tsr_error *error) {
  if (status == TSR_ABORTED)
    return tsr_fail(error, status, -1, "stopped while the grid was refined");
  return status;
}

tsr_status tsr_descend(const tsr_refinement *of, int first, int end, tsr_error *error) {
  tsr_descent it = {.of = of, .input = of->input, .tree = of->tree};
  tsr_status status = TSR_OK;
  for (int level = first; level < end && level < of->input->lattice.levels && status == TSR_OK;
       ++level)
    status = descend_level(&it, level);
  return descended(status, error);
}

tsr_status tsr_descend_parts(const tsr_refinement *of, int64_t most, tsr_error *error) {
  const tsr_lattice *lattice = &of->input->lattice;
  tsr_descent it = {.of = of, .input = of->input, .tree = of->tree};
  /* A node that is refined adds 2^dimension - 1 leaves. */
  it.room = most / ((1 << lattice->dimension) - 1);
  if (lattice->levels <= lattice->coarsen + 1)
    return TSR_OK;
  return descended(descend_bricks(&it, error), error);
}
