/* SPDX-License-Identifier: BSD-3-Clause */
/** The plan of an adaptive grid, as its own files see it. Not public. */
#ifndef TSR_GRID_H
#define TSR_GRID_H

#include "common/support.h"
#include "grid/backend.h"
#include "grid/refine/descent_math.h"

/** The points of CELLS and POLYGONS: bits that say where one is. Points in input points come first,
 *  in the order of the input; then those between, by the cell they are in. */
typedef struct tsr_grid_points {
  int64_t first[3], size[3]; /**< the box of input points that the owned roots touch */
  tsr_bits at_input;         /**< one bit an input point of the box, axis 0 fastest */
  tsr_bits has_page; /**< the same numbering: cells (by their lowest point) with points between */
  tsr_bits page;     /**< page_bits for each such cell */
  int64_t page_bits;
  int64_t n_input; /**< points in input points */
} tsr_grid_points;

/** Output cells that are made as one piece: the nodes of one level that share it, and, with its
 *  first corner, coarser leaves. */
typedef struct tsr_grid_units {
  int level;
  int64_t begin[3], size[3];
  int64_t *first; /**< units + 1: number of its first cell */
} tsr_grid_units;

/** Measures that were evaluated once, while thresholds are searched for. */
typedef struct tsr_grid_kept tsr_grid_kept;

struct tsr_grid_plan {
  tsr_grid_view view;
  tsr_grid_options options;
  tsr_execution execution;
  tsr_lattice lattice;
  tsr_space space;
  tsr_tree tree;
  tsr_rule *rules; /**< n_rules, thresholds not scaled */
  int n_rules;
  double scale;         /**< on the thresholds, in force */
  tsr_grid_kept *kept;  /**< while a budget is fitted on the CPU; else NULL */
  uint8_t *hidden;      /**< one an input cell held; NULL: none is hidden */
  int64_t n_hidden;     /**< owned ones */
  tsr_grid_units units; /**< CELLS, POLYGONS */
  tsr_grid_node *nodes; /**< of the output cells */
  uint8_t *states;      /**< tsr_grid_state of each; NULL: all are leaves */
  int64_t *tree_first;  /**< TREES */
  tsr_grid_patch *patches;
  tsr_grid_points points;
  int64_t *offsets;  /**< POLYGONS: sizes.cells + 1 */
  uint8_t *received; /**< decisions of all processes; NULL: there is one process */
  int64_t received_bytes;
  tsr_grid_sizes sizes;
  tsr_grid_device *device; /**< NULL: the CPU decides */
  tsr_report report;
};

/* ---- grid_check.c */

/** Fails with BAD_INPUT or TOO_LARGE; else sets lattice and space. */
tsr_status tsr_grid_set_lattice(tsr_grid_plan *plan, tsr_error *error);

/** Fails with BAD_INPUT where a criterion's array does not fit. */
tsr_status tsr_grid_check_criteria(const tsr_grid_plan *plan, tsr_error *error);

/* ---- grid_hidden.c */

/** Finds the input cells that are hidden, or have a hidden corner. */
tsr_status tsr_grid_set_hidden(tsr_grid_plan *plan, tsr_error *error);

/* ---- grid_tree.c */

/** Allocates the dense levels, all bits 0. */
tsr_status tsr_tree_create(tsr_tree *tree, const tsr_lattice *lattice, tsr_error *error);

/** Clears all bits and gives the bricks back. */
void tsr_tree_clear(tsr_tree *tree, const tsr_lattice *lattice);

void tsr_tree_free(tsr_tree *tree);

/** Makes bricks, all bits 0, for the input cells whose bits are set in has_brick. */
tsr_status tsr_tree_make_bricks(tsr_tree *tree, const tsr_lattice *lattice, tsr_error *error);

/** Sets the node's bit. Any number of threads may do so at once. */
void tsr_tree_set(tsr_tree *tree, const tsr_lattice *lattice, int level, const int64_t i[3]);

/** n bits, all 0. */
tsr_status tsr_bits_create(tsr_bits *bits, int64_t n, const char *what, tsr_error *error);
void tsr_bits_free(tsr_bits *bits);

/** Sets bit n; any number of threads may do so at once. */
static inline void tsr_bits_set(tsr_bits *bits, int64_t n) {
  const uint64_t bit = (uint64_t)1 << (n & 63);
  _Atomic uint64_t *word = (_Atomic uint64_t *)&bits->word[n >> 6];
  if (!(atomic_load_explicit(word, memory_order_relaxed) & bit))
    atomic_fetch_or_explicit(word, bit, memory_order_relaxed);
}

/** Counts the bits before each word; returns their number. */
int64_t tsr_bits_count(tsr_bits *bits);

/** Called with the children of `parent`, a node of level - 1, that are refined. */
typedef void (*tsr_tree_visitor)(void *data, int level, const int64_t parent[3], unsigned children);

/** Calls visit for every parent of `source` with refined children of `level`, in parallel. */
tsr_status tsr_tree_visit(const tsr_grid_plan *plan, const tsr_tree *source, int level,
                          tsr_tree_visitor visit, void *data);

/** Calls visit(data, bit) for every brick's cell, in parallel. */
tsr_status tsr_tree_visit_bricks(const tsr_grid_plan *plan,
                                 void (*visit)(void *data, const int64_t cell[3]), void *data);

/* ---- grid_close.c */

/** Levels below which the node may be refined by criteria and buffer. */
int tsr_grid_limit(const tsr_grid_plan *plan, int level, const int64_t i[3]);

/** Roots beyond the owned ones that the result depends on. */
int64_t tsr_grid_reach(const tsr_grid_options *options);

/** Buffer, blocks, balance: the rules 2 and 3 of the public header. */
tsr_status tsr_grid_close(tsr_grid_plan *plan, tsr_error *error);

/* ---- grid_settle.c */

/** Exchange and close, until every leaf that they make fulfils the interpolation error, too. */
tsr_status tsr_grid_settle(tsr_grid_plan *plan, tsr_error *error);

/* ---- grid_decide.c, grid_passes.c, grid_range.c */

/** Rule 1 of the public header, for the owned roots, with the plan's scale: the levels above the
 *  input cells. */
tsr_status tsr_grid_decide(tsr_grid_plan *plan, tsr_error *error);

/** The same for the input cells, after that. */
tsr_status tsr_grid_decide_cells(tsr_grid_plan *plan, tsr_error *error);

/** The same for the parts of input cells, after that; it stops where this process has more than
 *  `most` leaves. */
tsr_status tsr_grid_decide_parts(tsr_grid_plan *plan, int64_t most, tsr_error *error);

/** Most leaves of this process; and TSR_TOO_LARGE where they are more. */
int64_t tsr_grid_most_leaves(const tsr_grid_plan *plan);
tsr_status tsr_grid_check_leaves(const tsr_grid_plan *plan, tsr_error *error);

/** Sets the bits of every node for which the rule asks, whether it exists or not. measures: NULL,
 *  or for each level above the input cells where the measures of the owned nodes go, instead.
 *  INTERPOLATION_ERROR: for nodes with values that are not finite only. */
tsr_status tsr_grid_apply_rule(tsr_grid_plan *plan, const tsr_rule *rule, double *const *measures,
                               tsr_error *error);

/** Least and largest finite value of a rule's array (`measure` 0) or of its measure in input
 *  cells (1), held here. low > high: there is none. */
tsr_status tsr_grid_rule_range(tsr_grid_plan *plan, const tsr_rule *rule, int measure,
                               double range[2], tsr_error *error);

/** All rules with their thresholds scaled, to be freed; NULL: there is no memory. */
tsr_rule *tsr_grid_rules_in_force(const tsr_grid_plan *plan, tsr_error *error);

/** 1 if the interpolation error asks to refine a visible owned node above the input cells. rules:
 *  in force. */
int tsr_grid_error_asks(const tsr_grid_plan *plan, const tsr_rule *rules, int level,
                        const int64_t i[3]);

/* ---- grid_budget.c */

/** Decides at the smallest scale that fits the budget: doubled until it fits, then bisected. */
tsr_status tsr_grid_fit(tsr_grid_plan *plan, tsr_error *error);

/** Evaluates the rules, in force at scale 1, and keeps what they measure. */
tsr_status tsr_grid_keep(tsr_grid_plan *plan, const tsr_rule *rules, tsr_error *error);
void tsr_grid_free_kept(tsr_grid_plan *plan);

/** Sets the bits of all nodes that rules refine at any scale. */
void tsr_grid_recall(tsr_grid_plan *plan);

/** 1 if a rule in force, other than the interpolation error, asks to refine an owned node. */
int tsr_grid_kept_asks(const tsr_grid_plan *plan, const tsr_rule *rules, int level,
                       const int64_t i[3]);

/** The interpolation error by rule r of an owned node above the input cells. */
double tsr_grid_kept_error(const tsr_grid_plan *plan, const tsr_rule *rules, int r, int level,
                           const int64_t i[3]);

/* ---- grid_errors.c */

/** Largest difference, in one component of a point array, between the input points of a node no
 *  smaller than an input cell and the interpolant of `corner`, its corners' values. Stops above
 *  `enough`. odd: what a difference that is not finite counts as. */
double tsr_grid_node_error(const tsr_grid_plan *plan, const tsr_array *array, int component,
                           int level, const int64_t i[3], const double corner[8], double enough,
                           double odd);

/** Measure INTERPOLATION_ERROR of a node; stops above `enough`. */
double tsr_grid_error(const tsr_grid_plan *plan, const tsr_rule *rule, int level,
                      const int64_t i[3], double enough);

/* ---- grid_device.c */

/** Opens the device that the execution asks for, if any. */
tsr_status tsr_grid_device_open(tsr_grid_plan *plan, tsr_error *error);

/** The levels down to the input cells, by rules in force. The device may be closed afterwards,
 *  where AUTO gave up: then nothing is decided. */
tsr_status tsr_grid_device_decide(tsr_grid_plan *plan, const tsr_rule *rules, tsr_error *error);
void tsr_grid_device_close(tsr_grid_plan *plan);

/** What the device found out about an attribute. */
typedef struct tsr_grid_known {
  int done;      /**< 0: nothing */
  double *means; /**< (malloc) sizes.cells x components: of leaves larger than an input cell */
  double error;  /**< the largest */
} tsr_grid_known;

/** Has the device look at an attribute of the output, if it can. */
tsr_status tsr_grid_device_values(tsr_grid_plan *plan, const tsr_grid_attribute *attribute,
                                  tsr_grid_known *known, tsr_error *error);

/* ---- grid_ranks.c */

/** Adds a number up over all processes. */
tsr_status tsr_grid_sum(const tsr_grid_plan *plan, int64_t *value, tsr_error *error);

/** All processes return TSR_OK, or this one its own status, the others TSR_ABORTED. */
tsr_status tsr_grid_agree(const tsr_grid_plan *plan, tsr_status status, tsr_error *error);

/** Least and largest of all processes. */
tsr_status tsr_grid_agree_range(const tsr_grid_plan *plan, double range[2], tsr_error *error);

/** Sends the decisions on the owned roots that others know of, and receives theirs. */
tsr_status tsr_grid_exchange(tsr_grid_plan *plan, tsr_error *error);

/** Sets the bits that were received, of known roots, as far as the tree has a place for them. */
void tsr_grid_import(tsr_grid_plan *plan);

/* ---- grid_cells.c, grid_trees.c, grid_patches.c: the nodes of the output, and the sizes */

tsr_status tsr_grid_count_leaves(tsr_grid_plan *plan, tsr_error *error);
tsr_status tsr_grid_list_leaves(tsr_grid_plan *plan, tsr_error *error);
tsr_status tsr_grid_list_trees(tsr_grid_plan *plan, tsr_error *error);
tsr_status tsr_grid_list_patches(tsr_grid_plan *plan, tsr_error *error);

/** Inner indices of a node. */
static inline void tsr_node_inner(const tsr_lattice *lattice, const tsr_grid_node *node,
                                  int64_t i[3]) {
  for (int a = 0; a < 3; ++a)
    i[a] = node->index[lattice->axis[a]];
}

/** The node with these inner indices. */
static inline tsr_grid_node tsr_node_outer(const tsr_lattice *lattice, int level,
                                           const int64_t i[3]) {
  tsr_grid_node node;
  node.level = level;
  for (int a = 0; a < 3; ++a)
    node.index[lattice->axis[a]] = (int32_t)i[a];
  return node;
}

/** 1 if the input cells of the node, which are all hidden or all visible, are hidden. */
static inline int tsr_node_hidden(const tsr_grid_plan *plan, int level, const int64_t i[3]) {
  int64_t c[3], range[2];
  if (!plan->hidden)
    return 0;
  for (int a = 0; a < 3; ++a) {
    tsr_node_cells(&plan->lattice, a, level, i[a], range);
    c[a] = range[0];
  }
  return plan->hidden[tsr_cell_at(&plan->lattice, c)];
}

/** As tsr_node_hidden, of a leaf whose cells may lie outside the held ones: then 0. */
static inline int tsr_leaf_is_hidden(const tsr_grid_plan *plan, int level, const int64_t i[3]) {
  for (int a = 0; plan->hidden && a < 3; ++a) {
    int64_t range[2];
    tsr_node_cells(&plan->lattice, a, level, i[a], range);
    if (range[0] < plan->lattice.held[a][0] || range[0] >= plan->lattice.held[a][1])
      return 0;
  }
  return tsr_node_hidden(plan, level, i);
}

/* ---- grid_points.c */

/** Finds the points of the leaves and sets sizes.points and sizes.connectivity. */
tsr_status tsr_grid_make_points(tsr_grid_plan *plan, tsr_error *error);
void tsr_grid_free_points(tsr_grid_points *points);

/** Number of the point at lattice place x, or -1. */
int64_t tsr_grid_point_id(const tsr_grid_plan *plan, const int64_t x[3]);

/** Calls visit(data, number, place in the lattice) for every point, in parallel. */
tsr_status tsr_grid_visit_points(tsr_grid_plan *plan,
                                 void (*visit)(void *data, int64_t id, const int64_t x[3]),
                                 void *data);

/* ---- grid_hanging.c */

/** 1 if the point is no corner of a visible leaf that touches it; node: the coarsest of those. */
int tsr_grid_hangs(const tsr_grid_plan *plan, const int64_t x[3], int *level, int64_t node[3]);

/** Value of a component at a point that may hang: from the corners of the leaf it hangs on. */
double tsr_grid_constrained(const tsr_grid_plan *plan, const tsr_array *array, int component,
                            const int64_t x[3]);

/** POLYGONS: sets offsets and sizes.connectivity. */
tsr_status tsr_grid_count_sides(tsr_grid_plan *plan, tsr_error *error);

/** POLYGONS: writes the point numbers of a cell, if ids is not NULL; returns how many. */
int64_t tsr_grid_sides(const tsr_grid_plan *plan, const tsr_grid_node *node, int64_t *ids);

/* ---- grid_values.c */

/** Value of one component of an array for a whole node, as a cell of the output has it. */
double tsr_grid_node_value(const tsr_grid_plan *plan, const tsr_array *array, int cell_data,
                           int component, int level, const int64_t i[3]);

/** Largest difference between a component of the input and what comes out in a visible leaf.
 * `value`: of the cell. */
double tsr_grid_leaf_error(const tsr_grid_plan *plan, const tsr_array *array, int cell_data,
                           int component, int level, const int64_t i[3], double value);

/* ---- grid_measures.c */

/** Measures of all owned nodes above the input cells: by rule, level and number of the node; -1
 *  where they were not evaluated. */
typedef struct tsr_measures {
  double **level;
  int64_t n;
} tsr_measures;

/**
 * Evaluates the rules, in force. decides: 1: sets the bits of the input cells that they ask for,
 * and of nodes with values that are not finite for the interpolation error, which is evaluated
 * later. What was made is to be freed even where it fails.
 */
tsr_status tsr_measures_create(tsr_grid_plan *plan, const tsr_rule *rules, int decides,
                               tsr_measures *measures, tsr_error *error);
void tsr_measures_free(tsr_measures *measures);

/** The measure by rule r of an owned node above the input cells. */
double *tsr_measures_of(const tsr_grid_plan *plan, const tsr_measures *measures, int r, int level,
                        const int64_t i[3]);

/** The measure of an input cell. */
double tsr_cell_measure(const tsr_grid_plan *plan, const tsr_rule *rule, const int64_t i[3]);

/** Largest measure / threshold of an owned node. rules: in force; measures: theirs. */
double tsr_grid_indicator(const tsr_grid_plan *plan, const tsr_rule *rules,
                          const tsr_measures *measures, int level, const int64_t i[3]);

/** 1 if output cells are nodes of trees or blocks. */
static inline int tsr_grid_has_states(const tsr_grid_plan *plan) {
  return plan->options.output == TSR_GRID_TREES || plan->options.output == TSR_GRID_PATCHES;
}

#endif
