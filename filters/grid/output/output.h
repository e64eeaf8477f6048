/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: the phases after the tree. Leaves are counted, the cells of the output listed, their
 *  points numbered; the fill then writes what these say. Not public. */
#ifndef TSR_GRID_OUTPUT_OUTPUT_H
#define TSR_GRID_OUTPUT_OUTPUT_H

#include "grid/criteria/criteria.h"
#include "grid/cut/cut_math.h"
#include "grid/output/lists.h"
#include "grid/output/mean_math.h"

/** Leaves are counted and listed in parallel, unit by unit. A unit is a node of one level: it has
 * the leaves within it, or the coarser leaf whose lowest corner is the unit's. */
typedef struct tsr_grid_leaves {
  int unit_level;
  int64_t begin[3], size[3]; /**< the owned units */
  int64_t *first;            /**< units + 1: leaves before each */
  int64_t n, all;            /**< visible leaves: here, in all processes */
  int64_t of_level[TSR_GRID_MAX_LEVEL + 1];
} tsr_grid_leaves;

#define TSR_FILL_PIECE 256 /**< cells of a piece of work, and leaves that are cut */

/** What some leaves have after they are cut. */
typedef struct tsr_grid_parts {
  int64_t cells, entries; /**< cells; entries of their connectivity */
  int64_t centres;        /**< new points */
  int64_t cut;            /**< leaves that are cut */
} tsr_grid_parts;

/** CONFORMING: how the leaves are cut. */
typedef struct tsr_grid_cuts {
  uint32_t *has;          /**< by leaf: bits of its places (cut_math.h) if it is cut, else 0 */
  tsr_grid_parts *before; /**< by piece of TSR_FILL_PIECE leaves: what all before it have */
  tsr_grid_parts all;
} tsr_grid_cuts;

/* ---- leaves.c */

/** Counts the leaves here. May be called again for another tree. */
tsr_status tsr_leaves_count(const tsr_grid_input *input, const tsr_tree *tree,
                            tsr_grid_leaves *leaves, tsr_error *error);

/** CONFORMING: the cells here, after the leaves that were counted are cut. */
tsr_status tsr_leaves_count_parts(const tsr_grid_input *input, const tsr_tree *tree,
                                  const tsr_grid_leaves *leaves, int64_t *cells, tsr_error *error);

/** CELLS, POLYGONS: lists the leaves that were counted. */
tsr_status tsr_list_leaves(const tsr_grid_input *input, const tsr_tree *tree,
                           const tsr_grid_leaves *leaves, tsr_grid_lists *lists, tsr_error *error);

void tsr_lists_free(tsr_grid_lists *lists);

/* ---- points.c */

/** Finds and numbers the points of the listed leaves, on the CPU. has: of the cuts; NULL: no leaf
 * is cut. */
tsr_status tsr_points_create(tsr_executor *cpu, const tsr_grid_input *input, const tsr_tree *tree,
                             const tsr_grid_lists *lists, const uint32_t *has,
                             tsr_grid_points *points, tsr_error *error);
void tsr_points_free(tsr_grid_points *points);

/** Calls visit(data, number, place in the lattice) for every point, in parallel. */
tsr_status tsr_points_visit(const tsr_grid_input *input, const tsr_grid_points *points,
                            void (*visit)(void *data, int64_t id, const int64_t x[3]), void *data);

/* ---- conforming.c */

/** CONFORMING: adds what a leaf has after it is cut, if it is, to *parts. Returns its places, as
 *  tsr_grid_cuts.has. */
uint32_t tsr_leaf_cut(const tsr_grid_input *input, const tsr_tree *tree, int level,
                      const int64_t i[3], tsr_grid_parts *parts);

/** CONFORMING: finds how the listed leaves are cut. */
tsr_status tsr_cuts_create(const tsr_grid_input *input, const tsr_tree *tree,
                           const tsr_grid_lists *lists, tsr_grid_cuts *cuts, tsr_error *error);
void tsr_cuts_free(tsr_grid_cuts *cuts);

/** What is written for the parts of a leaf; NULL members are not wanted. */
typedef struct tsr_part_output {
  void *offsets, *connectivity;
  tsr_type type; /**< of these */
  uint8_t *cell_type;
  const uint8_t *type_of; /**< what is written for each tsr_grid_cell */
} tsr_part_output;

/** CONFORMING: writes the parts of a leaf that is cut, and adds them to those before it. */
void tsr_parts_put(const tsr_grid_input *input, const tsr_grid_points *points, const tsr_cut *cut,
                   tsr_grid_parts *before, const tsr_part_output *out);

/* ---- turn.c */

/** CELLS, CONFORMING: 1 if the axes of the grid run backwards or are left-handed, so that its cells
 *  would have negative volumes. */
int tsr_cells_are_turned(const tsr_grid_input *input);

/** Reorders the corners of cells with negative volumes, after the connectivity has been written.
 *  out->offsets may be NULL only for CELLS. */
tsr_status tsr_cells_turn(const tsr_grid_input *input, int64_t cells, const tsr_grid_output *out);

/* ---- hanging.c */

/** 1 if the point at lattice place x hangs: it lies on a visible leaf without being a corner of it.
 *  level, node: receive the coarsest such leaf. */
int tsr_point_hangs(const tsr_grid_input *input, const tsr_tree *tree, const int64_t x[3],
                    int *level, int64_t node[3]);

/** CELLS, constrained: the corners, and their weights, that give the value of a hanging point. */
typedef struct tsr_constraint {
  int n;                /**< corners of the leaf that the point hangs on */
  int64_t corner[8][3]; /**< their lattice places */
  double weight[8];     /**< 0: the corner does not count */
  uint8_t hangs[8];     /**< 1: the corner hangs itself, on a coarser leaf */
} tsr_constraint;

/** Returns 0, and leaves *constraint as it is, where the point at lattice place x does not hang. */
int tsr_constraint_find(const tsr_grid_input *input, const tsr_tree *tree, const int64_t x[3],
                        tsr_constraint *constraint);

/** The value of a component there. */
double tsr_constraint_value(const tsr_grid_input *input, const tsr_tree *tree,
                            const tsr_constraint *constraint, const tsr_array *array,
                            int component);

/** The values of point arrays at the points that hang, in double: a row for each such point, a
 *  column for each component. Several leaves share a point, and their errors need its values. */
typedef struct tsr_hanging {
  tsr_bits points; /**< which points hang */
  int64_t columns;
  double *values; /**< NULL: none are kept */
} tsr_hanging;

/** Finds the points that hang, and makes room for the rows, which the caller fills. */
tsr_status tsr_hanging_create(const tsr_grid_input *input, const tsr_tree *tree,
                              const tsr_grid_points *points, int64_t columns, tsr_hanging *hanging,
                              tsr_error *error);

/** The row of a point; NULL where it does not hang, and where no values are kept. */
double *tsr_hanging_row(const tsr_hanging *hanging, int64_t id);

void tsr_hanging_free(tsr_hanging *hanging);

/* ---- values.c */

/** Value of one component of an array for a whole node, as a cell of the output has it. */
double tsr_node_value(const tsr_grid_input *input, const tsr_array *array, int cell_data,
                      int component, int level, const int64_t i[3]);

/** Sums of one component over the visible input cells of a node no smaller than an input cell.
 *  extremes: receives the least and the largest input in a node above the input cells; elsewhere it
 *  stays. */
tsr_sums tsr_node_sums(const tsr_grid_input *input, const tsr_array *array, int cell_data,
                       int component, int level, const int64_t i[3], double extremes[2]);

/** TREES: tsr_leaf_error of a leaf with these extremes of the input; infinite ones are unknown. */
double tsr_mean_error(const tsr_grid_input *input, const tsr_array *array, int cell_data,
                      int component, int level, const int64_t i[3], double value,
                      const double extremes[2]);

/** Largest difference between a component of the input and what comes out in a visible leaf.
 * `value`: of the cell. corner: the values at the corners of a leaf no smaller than an input cell;
 * NULL: those of the input. cut: how the leaf is cut; NULL: it is not. */
double tsr_leaf_error(const tsr_grid_input *input, const tsr_array *array, int cell_data,
                      int component, int level, const int64_t i[3], double value,
                      const double *corner, const tsr_cut *cut);

#endif
