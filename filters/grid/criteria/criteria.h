/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: the criteria phase. Rules are criteria with thresholds in absolute numbers; passes over
 *  the field evaluate them, measures are what they store. Not public. */
#ifndef TSR_GRID_CRITERIA_CRITERIA_H
#define TSR_GRID_CRITERIA_CRITERIA_H

#include "grid/criteria/measure_math.h"
#include "grid/partition/partition.h"
#include "grid/tree/tree.h"

/** Upper bounds of the interpolation errors of leaves above the input cells, as they are cut. They
 *  are noted while the tree is refined; the fill, which finds the largest error of each array, then
 *  looks only at leaves that may have it. */
typedef struct tsr_bounds {
  const tsr_rule *rule; /**< of these errors, in force; NULL: there are no bounds */
  const tsr_tree *tree; /**< whose sizes the levels have */
  uint8_t *level[TSR_GRID_MAX_LEVEL + 1]; /**< a byte for each bit of the tree */
} tsr_bounds;

/** The rules of a plan. */
typedef struct tsr_grid_criteria {
  tsr_rule *rules;    /**< n, at scale 1 */
  tsr_rule *in_force; /**< n, their thresholds times the scale */
  int n;
  double scale;
  tsr_bounds bounds;
} tsr_grid_criteria;

/* ---- criteria.c */

/** Allocates what options.n_criteria need; there are none yet. */
tsr_status tsr_grid_criteria_create(tsr_grid_criteria *criteria, const tsr_grid_input *input,
                                    tsr_error *error);
void tsr_grid_criteria_free(tsr_grid_criteria *criteria);

/** Finds the range of a rule's array, or, with `measure`, of its measure in input cells; or leaves
 *  low > high. */
typedef tsr_status (*tsr_range_finder)(void *data, const tsr_rule *rule, int measure,
                                       double range[2], tsr_error *error);

/** Turns relative thresholds into absolute ones: all processes agree on the ranges. Scale 1.
 *  finder: asked first, with its data. */
tsr_status tsr_grid_criteria_find(tsr_grid_criteria *criteria, const tsr_grid_input *input,
                                  tsr_range_finder finder, void *data, tsr_error *error);

/** Puts rules in force whose thresholds are multiplied by the scale, which may be infinite. */
void tsr_grid_criteria_scale(tsr_grid_criteria *criteria, double scale);

/* ---- range.c */

/** Least and largest finite value of a rule's array (`measure` 0) or of its measure in input
 *  cells (1), held here. low > high: there is none. *finite: 1 if no visible one is infinite or not
 *  a number. */
tsr_status tsr_rule_range(const tsr_grid_input *input, const tsr_rule *rule, int measure,
                          double range[2], int *finite, tsr_error *error);

/* ---- passes.c */

/** Where a pass over the field leaves what it finds. */
typedef struct tsr_pass_target {
  tsr_tree *tree; /**< receives the bits of nodes that the rule asks for; NULL: none are wanted */
  double *const *measures; /**< NULL; or, for each level above the input cells, an array for the
                                measures of the owned nodes: those levels get no bits then */
  tsr_note_count *notes;   /**< TSR_GRID_NOTES: raised to the counts of this rule */
  double done_first, done_last; /**< its share of the whole progress */
} tsr_pass_target;

/** Evaluates a rule in every owned node, whether it exists or not. An INTERPOLATION_ERROR is
 *  measured node by node elsewhere: here it asks only for nodes with values that are not finite,
 * and returns at once if the rule is tame. */
tsr_status tsr_rule_evaluate(const tsr_grid_input *input, const tsr_rule *rule,
                             const tsr_pass_target *target, tsr_error *error);

/* ---- interpolation_error.c */

/** Largest difference, in one component of a point array, between the input points of a node no
 *  smaller than an input cell and the interpolant of `corner`, its corners' values. Stops above
 *  `enough`. odd: what a difference that is not finite counts as. */
double tsr_node_error(const tsr_grid_input *input, const tsr_array *array, int component, int level,
                      const int64_t i[3], const double corner[8], double enough, double odd);

/** Measure INTERPOLATION_ERROR of a node, 0 where it is within rounding; stops above `enough`.
 *  largest: NULL, or receives the largest difference, also where it is within rounding. */
double tsr_interpolation_error(const tsr_grid_input *input, const tsr_rule *rule, int level,
                               const int64_t i[3], double enough, double *largest);

/* ---- bounds.c */

/** Makes room for the bounds of the first INTERPOLATION_ERROR among the rules; all are unknown. */
tsr_status tsr_bounds_create(tsr_grid_criteria *criteria, const tsr_lattice *lattice,
                             const tsr_tree *tree, tsr_error *error);
void tsr_bounds_free(tsr_bounds *bounds);

/** Notes the error of a node above the input cells by a rule in force. No other thread may note
 *  the same node's. */
void tsr_bounds_note(const tsr_bounds *bounds, const tsr_rule *rule, int level, const int64_t i[3],
                     double error);

/** Upper bound of the error of a point array in a leaf above the input cells; infinite: unknown. */
double tsr_bounds_get(const tsr_bounds *bounds, const tsr_array *array, int level,
                      const int64_t i[3]);

/* ---- measures.c */

/** Measures of nodes, stored where they are needed more than once: in the search of a cell budget,
 *  which tries many thresholds, and for the indicator of the output. */
typedef struct tsr_measures {
  double **level; /**< measures of the owned nodes above the input cells: an array for each rule and
                       level. INTERPOLATION_ERROR: -1 until it is first needed */
  int64_t n;      /**< number of arrays */
  uint8_t *bits[TSR_GRID_MAX_LEVEL + 1]; /**< for a budget: what the dense levels of the tree are
                                              before the descent, whatever the scale; in the level
                                              of the input cells, what is asked for at scale 1 */
} tsr_measures;

/** Evaluates the rules in force. target->tree: NULL, or for a budget: a clear tree, whose bits are
 *  copied and left in it. What was made is to be freed even where it fails. */
tsr_status tsr_measures_create(const tsr_grid_input *input, const tsr_grid_criteria *criteria,
                               tsr_pass_target target, tsr_measures *measures, tsr_error *error);
void tsr_measures_free(tsr_measures *measures);

/** For a budget: clears the tree and sets the bits that do not depend on the scale. */
tsr_status tsr_measures_mark(const tsr_measures *measures, const tsr_lattice *lattice,
                             tsr_tree *tree, tsr_error *error);

/** 1 if a rule in force asks to refine an owned node, by what was measured. Not for
 *  INTERPOLATION_ERROR. */
int tsr_measures_ask(const tsr_grid_input *input, const tsr_grid_criteria *criteria,
                     const tsr_measures *measures, const tsr_tree *tree, int level,
                     const int64_t i[3]);

/** 1 if the interpolation error asks to refine a visible owned node above the input cells.
 *  measures: NULL, or where errors are looked up, and noted for the next time. */
int tsr_error_asks(const tsr_grid_input *input, const tsr_grid_criteria *criteria,
                   tsr_measures *measures, int level, const int64_t i[3]);

/** Largest measure / threshold of an owned node. */
double tsr_grid_indicator(const tsr_grid_input *input, const tsr_grid_criteria *criteria,
                          const tsr_measures *measures, int level, const int64_t i[3]);

#endif
