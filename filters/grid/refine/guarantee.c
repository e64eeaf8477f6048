/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Grids: the guarantee of the interpolation error. Closure makes children that no criterion looked
 * at, and a child may be further from the input than its parent was. So their errors are measured,
 * those that ask for it are refined, and closure follows again, until no leaf asks for more:
 *
 *     refined by criteria  --closure-->  refined  --errors of new leaves-->  none asks: done
 *            ^                                                |
 *            +------------- with the leaves that ask ---------+
 *
 * A conforming grid interpolates in the parts of the leaves that are cut: those leaves are looked
 * at, too, as what is cut follows from the leaves around. Nodes are only ever added, so a leaf that
 * did not ask for more in one round, and is cut as it was, does not ask in the next.
 */
#include "grid/cut/cut_error.h"
#include "grid/refine/refine.h"

#include <stdlib.h>
#include <string.h>

/* One round. */
typedef struct tsr_round {
  const tsr_refinement *of;
  const tsr_grid_input *input;
  tsr_tree before; /* the tree before closure, as far as errors were looked at: without marks that
                    * came from elsewhere, in the first round */
  tsr_tree next;   /* the tree before closure, with what this round adds */
  const tsr_tree
      *last; /* the tree after the closure of the round before; NULL: this is the first */
  _Atomic int64_t added;
} tsr_round;

/* 1 if a leaf asks to be refined. */
static int leaf_asks(const tsr_round *it, int level, const int64_t i[3]) {
  return level < tsr_refinement_limit(it->input, level, i) &&
         tsr_error_asks(it->input, it->of->criteria, it->of->measures, level, i);
}

/* Adds a node and those above it to what criteria refined. */
static void add_node(tsr_round *it, int level, const int64_t i[3]) {
  for (int up = level; up >= 0; --up) {
    int64_t node[3];
    for (int a = 0; a < 3; ++a)
      node[a] = tsr_shift(&it->input->lattice, a, i[a], level - up);
    tsr_tree_set(&it->next, &it->input->lattice, up, node);
  }
  atomic_fetch_add(&it->added, 1);
}

static void refine_leaf(tsr_round *it, int level, const int64_t i[3]);

/* Refines a node, and of its children those that ask for it. */
static void refine_node(tsr_round *it, int level, const int64_t i[3]) {
  const tsr_lattice *lattice = &it->input->lattice;
  add_node(it, level, i);
  for (unsigned k = 0; k < (1u << lattice->dimension); ++k) {
    int64_t child[3];
    if (tsr_node_child(lattice, level, i, k, child))
      refine_leaf(it, level + 1, child);
  }
}

/* Refines a leaf that asks for it, and below it. */
static void refine_leaf(tsr_round *it, int level, const int64_t i[3]) {
  if (leaf_asks(it, level, i))
    refine_node(it, level, i);
}

/* 1 if a node was a leaf in the round before, and cut in the same way. */
static int was_cut(const tsr_round *it, int level, const int64_t i[3], uint32_t has) {
  const tsr_lattice *lattice = &it->input->lattice;
  int64_t parent[3];
  tsr_cut cut;
  for (int a = 0; a < 3; ++a)
    parent[a] = tsr_shift(lattice, a, i[a], 1);
  return (level == 0 || tsr_tree_get(it->last, lattice, level - 1, parent)) &&
         tsr_cut_find(lattice, it->last, level, i, &cut) && cut.has == has;
}

/* 1 if a leaf is cut and in its parts the error is too large. */
static int cut_asks(const tsr_round *it, int level, const int64_t i[3]) {
  const tsr_grid_input *input = it->input;
  const tsr_grid_criteria *criteria = it->of->criteria;
  tsr_cut cut;
  if (level >= tsr_refinement_limit(input, level, i) || tsr_node_hidden(input, level, i) ||
      !tsr_cut_find(&input->lattice, it->of->tree, level, i, &cut) ||
      (it->last && was_cut(it, level, i, cut.has)))
    return 0;
  for (int r = 0; r < criteria->n; ++r) {
    const tsr_rule *rule = &criteria->in_force[r];
    double largest = 0.0;
    if (rule->measure != TSR_MEASURE_INTERPOLATION_ERROR)
      continue;
    for (int c = 0; c < rule->array.components; ++c) {
      double e;
      if (rule->component >= 0 && c != rule->component)
        continue;
      e = tsr_cut_error(input->cuts, &input->lattice, &input->space, &rule->array, c, &cut,
                        rule->threshold, TSR_INFINITY);
      if (tsr_rule_asks(&input->lattice, rule, level, e))
        return 1;
      largest = e > largest ? e : largest;
    }
    tsr_bounds_note(&criteria->bounds, rule, level, i, largest);
  }
  return 0;
}

/* Calls look for the leaves among the children of an owned node that is refined. */
static void look_at_children(tsr_round *it, int level, const int64_t node[3],
                             void (*look)(tsr_round *it, int level, const int64_t i[3])) {
  const tsr_lattice *lattice = &it->input->lattice;
  int64_t child[3];
  unsigned refined;
  (void)tsr_node_child(lattice, level, node, 0, child);
  refined = *tsr_tree_byte(it->of->tree, lattice, level + 1, child);
  for (unsigned c = 0; c < 1u << lattice->dimension; ++c)
    if (!((refined >> c) & 1) && tsr_node_child(lattice, level, node, c, child))
      look(it, level + 1, child);
}

/* Evaluates the errors of the leaves whose parent was refined by closure alone: no criterion has
 * evaluated those leaves before. */
static void visit_parent(void *data, int level, const int64_t parent[3], unsigned refined) {
  tsr_round *it = data;
  const tsr_lattice *lattice = &it->input->lattice;
  for (unsigned k = 0; refined >> k; ++k) {
    int64_t node[3];
    tsr_descent_child(lattice, parent, k, node);
    if (((refined >> k) & 1) && !tsr_tree_get(&it->before, lattice, level, node) &&
        !(it->last && tsr_tree_get(it->last, lattice, level, node)) &&
        tsr_node_is_owned(lattice, level, node))
      look_at_children(it, level, node, refine_leaf);
  }
}

/* Looks at a leaf that may be cut. */
static void look_at_cut(tsr_round *it, int level, const int64_t i[3]) {
  if (cut_asks(it, level, i))
    refine_node(it, level, i);
}

/* 1 if a node was refined in the round before, and the bytes of its children and of those of the
 * nodes around it are as they were: then the children that are leaves were leaves, cut alike. */
static int is_as_before(const tsr_round *it, int level, const int64_t node[3]) {
  const tsr_tree *now = it->of->tree, *last = it->last;
  const int64_t *first = now->first[level + 1], *size = now->size[level + 1];
  int64_t low[3], end[3];
  if (!last || !tsr_tree_get(last, &it->input->lattice, level, node))
    return 0;
  for (int a = 0; a < 3; ++a) {
    const int64_t at = node[a] - first[a];
    low[a] = at > 0 ? at - 1 : 0;
    end[a] = at + 2 < size[a] ? at + 2 : size[a];
  }
  for (int64_t z = low[2]; z < end[2]; ++z)
    for (int64_t y = low[1]; y < end[1]; ++y) {
      const int64_t row = (z * size[1] + y) * size[0];
      for (int64_t x = row + low[0]; x < row + end[0]; ++x)
        if (now->dense[level + 1][x] != last->dense[level + 1][x])
          return 0;
    }
  return 1;
}

/* The leaves among the children of refined nodes. */
static void visit_cut(void *data, int level, const int64_t parent[3], unsigned refined) {
  tsr_round *it = data;
  for (unsigned k = 0; refined >> k; ++k) {
    int64_t node[3];
    tsr_descent_child(&it->input->lattice, parent, k, node);
    if (((refined >> k) & 1) && tsr_node_is_owned(&it->input->lattice, level, node) &&
        !is_as_before(it, level, node))
      look_at_children(it, level, node, look_at_cut);
  }
}

/* The owned roots, by their number. */
static void visit_roots(void *data, int64_t begin, int64_t end) {
  tsr_round *it = data;
  const int64_t(*owned)[2] = (const int64_t(*)[2])it->input->lattice.owned;
  const int64_t nx = owned[0][1] - owned[0][0], ny = owned[1][1] - owned[1][0];
  for (int64_t n = begin; n < end; ++n) {
    const int64_t i[3] = {owned[0][0] + n % nx, owned[1][0] + n / nx % ny,
                          owned[2][0] + n / nx / ny};
    if (!tsr_tree_get(it->of->tree, &it->input->lattice, 0, i))
      look_at_cut(it, 0, i);
  }
}

/* The errors in the parts of all leaves that are cut. */
static tsr_status look_at_cuts(tsr_round *it) {
  const tsr_lattice *lattice = &it->input->lattice;
  int64_t roots = 1;
  tsr_status status;
  if (it->input->options.output != TSR_GRID_CONFORMING || lattice->coarsen == 0)
    return TSR_OK;
  for (int a = 0; a < 3; ++a)
    roots *= lattice->owned[a][1] - lattice->owned[a][0];
  status = tsr_run_task(&it->input->execution, visit_roots, it, roots, 64, 0.45, 0.45);
  for (int level = 0; level + 1 < lattice->coarsen && status == TSR_OK; ++level)
    status = tsr_tree_visit(it->input, it->of->tree, level, visit_cut, it);
  return status;
}

/* The leaves that closure made and those that are cut, where a device can look at them. */
static tsr_status look_elsewhere(tsr_round *it, int *done, tsr_error *error) {
  tsr_grid_leaf_check check = {.before = &it->before, .next = &it->next, .is_first = !it->last};
  const tsr_status status =
      it->of->check ? it->of->check(it->of->check_data, &check, error) : TSR_OK;
  atomic_fetch_add(&it->added, check.added);
  *done = check.done;
  return status;
}

/* The errors of the leaves that closure made; in next, those that ask for more are refined. */
static tsr_status look_again(tsr_round *it, tsr_error *error) {
  const tsr_grid_input *input = it->input;
  const int has_marks = !it->last && it->of->own->dense[0];
  int done = 0;
  tsr_status status =
      tsr_tree_copy(&it->before, has_marks ? it->of->own : it->of->tree, &input->lattice, error);
  if (status == TSR_OK)
    status = tsr_tree_copy(&it->next, it->of->tree, &input->lattice, error);
  if (status == TSR_OK)
    status = tsr_closure_make(it->of, error);
  if (status == TSR_OK)
    status = look_elsewhere(it, &done, error);
  if (done)
    return status;
  for (int level = 0; level + 1 < input->lattice.coarsen && status == TSR_OK; ++level)
    status = tsr_tree_visit(input, it->of->tree, level, visit_parent, it);
  if (status == TSR_OK)
    status = look_at_cuts(it);
  if (status == TSR_ABORTED)
    tsr_fail(error, status, -1, "stopped while the grid was balanced");
  return status;
}

/* Returns in *added how many leaves, in all processes, asked for more. If there are any, the tree
 * is then without closure, but with those; it was `last` with closure. */
static tsr_status run_round(const tsr_refinement *of, tsr_tree *last, int64_t *added,
                            tsr_error *error) {
  tsr_round it = {.of = of, .input = of->input, .last = last->dense[0] ? last : NULL};
  tsr_status status = tsr_grid_agree(&of->input->options, look_again(&it, error), error);
  *added = atomic_load(&it.added);
  if (status == TSR_OK)
    status = tsr_grid_sum(&of->input->options, added, error);
  if (status == TSR_OK && *added > 0) {
    tsr_tree_free(last);
    *last = *of->tree;
    *of->tree = it.next;
  } else if (status == TSR_OK && of->asked) {
    tsr_tree_free(of->asked);
    *of->asked = it.next;
  } else {
    tsr_tree_free(&it.next);
  }
  tsr_tree_free(&it.before);
  return status;
}

/* Makes the closure of a plan without an interpolation error. */
static tsr_status close_only(const tsr_refinement *of, tsr_error *error) {
  tsr_status status = TSR_OK;
  if (of->asked) {
    tsr_tree_free(of->asked);
    status = tsr_tree_copy(of->asked, of->tree, &of->input->lattice, error);
  }
  return status == TSR_OK ? tsr_closure_make(of, error) : status;
}

tsr_status tsr_closure_guarantee(const tsr_refinement *of, tsr_error *error) {
  const tsr_grid_input *input = of->input;
  tsr_tree last = {0};
  int64_t added = 1;
  int has_error = 0;
  tsr_status status = TSR_OK;
  for (int r = 0; r < of->criteria->n; ++r)
    has_error = has_error || of->criteria->rules[r].measure == TSR_MEASURE_INTERPOLATION_ERROR;
  if (!has_error || input->options.mode != TSR_GRID_ADAPTIVE) {
    status = tsr_ghosts_exchange(input, of->tree, of->ghosts, error);
    return status == TSR_OK ? tsr_grid_agree(&input->options, close_only(of, error), error)
                            : status;
  }
  while (status == TSR_OK && added > 0) {
    status = tsr_ghosts_exchange(input, of->tree, of->ghosts, error);
    if (status == TSR_OK)
      status = run_round(of, &last, &added, error);
  }
  tsr_tree_free(&last);
  return status;
}
