/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Tessera: adaptive grids of points. A part of the public header; include tessera.h.
 *
 * The cells are those of an octree, or of a quadtree if one axis is dropped. The root cell is the
 * bounding cube (of a quadtree: square) of the points: its lowest corner has the lowest coordinate
 * along each axis, and its side is the longest extent. If all points coincide, the side is 1 or a
 * millionth of their largest coordinate, whichever is more. Level l has 2^l cells along each axis.
 * Cells are half open: a point on the border of two cells belongs to the upper one, and a point on
 * the upper border of the root to the last cell.
 *
 * A cell whose level is less than max_level is split, into all of its 4 or 8 children, if it holds
 * more than max_points points, or if the values of its points (a component of the spread array, or
 * a coordinate: options.spread_of) differ by more than options.spread. Balance then splits the
 * smallest possible number of further cells. A leaf is a cell that is not split.
 *
 * Leaves are in Morton order (x fastest), and the points of a leaf in their order in the input.
 * Sums over the points of a leaf are taken in this order: the sum of each 64 consecutive points,
 * then the sum of these sums. Hidden points are left out. Points with a coordinate that is not
 * finite, or beyond 1e100, are left out and noted, even if it is the coordinate along the dropped
 * axis.
 *
 * Several processes. The input is the points of all processes, in the order of the ranks. Each
 * process owns a range of whole leaves in Morton order. Points are sent to the owner of their leaf
 * through options.exchange. With balance, every process holds 8 bytes for every split cell of all
 * processes. Leaves, their points and sums are those that one process would have.
 */
#ifndef TSR_POINTGRID_TESSERA_POINTGRID_H
#define TSR_POINTGRID_TESSERA_POINTGRID_H

#include "common/tessera_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Largest value of options.max_level; the root cell has level 0. */
#define TSR_POINTGRID_MAX_LEVEL 20

/** The input: points, in their order. */
typedef struct tsr_pointgrid_view {
  size_t struct_size;
  tsr_array points;      /**< 3 components, FLOAT or DOUBLE; data may be NULL if tuples is 0 */
  const uint8_t *hidden; /**< a flag for each point; not 0: the point is left out. NULL: none is */
} tsr_pointgrid_view;

/** Clears *view and sets its struct_size: no points. `view` must not be NULL. */
void tsr_pointgrid_view_init(tsr_pointgrid_view *view);

/** Along which axes cells are split. */
typedef enum tsr_pointgrid_shape {
  TSR_POINTGRID_OCTREE = 0,
  TSR_POINTGRID_THINNEST, /**< quadtree: the axis along which the points have the smallest extent is
                               dropped; ties drop the last such axis */
  TSR_POINTGRID_XY,       /**< quadtree that drops z */
  TSR_POINTGRID_YZ,       /**< quadtree that drops x */
  TSR_POINTGRID_XZ        /**< quadtree that drops y */
} tsr_pointgrid_shape;

/** The values that may differ by at most options.spread within a cell, if use_spread is set. */
typedef enum tsr_pointgrid_spread_of {
  TSR_POINTGRID_SPREAD_OF_ARRAY = 0, /**< spread_component of spread_array */
  TSR_POINTGRID_SPREAD_OF_X,         /**< the points' x coordinate */
  TSR_POINTGRID_SPREAD_OF_Y,         /**< the points' y coordinate */
  TSR_POINTGRID_SPREAD_OF_Z          /**< the points' z coordinate */
} tsr_pointgrid_spread_of;

/** What comes out. */
typedef enum tsr_pointgrid_output_kind {
  TSR_POINTGRID_CELLS = 0, /**< leaves as voxels or pixels with shared points */
  TSR_POINTGRID_TREE,      /**< all cells, level by level */
  TSR_POINTGRID_POINTS     /**< the points in the order of their leaves */
} tsr_pointgrid_output_kind;

/** How the device finds the cells; docs/adaptive-point-grid.md compares the strategies. The numbers
 *  are part of saved states and must not change. */
typedef enum tsr_pointgrid_strategy {
  TSR_POINTGRID_STRATEGY_AUTO = 0,      /**< FLAT, or HOST_WAVES where FLAT cannot run */
  TSR_POINTGRID_FLAT = 4,               /**< one kernel finds all cells from the sorted Morton keys.
                                             With use_spread: BAD_OPTION. With several processes,
                                             HOST_WAVES runs instead */
  TSR_POINTGRID_RECURSIVE_CHILDREN = 5, /**< a kernel that splits a cell launches a child grid for
                                             its children. With use_spread: BAD_OPTION */
  TSR_POINTGRID_HOST_WAVES = 6          /**< the host launches a kernel for each level */
} tsr_pointgrid_strategy;

/** How kernels are launched on a CUDA device. Results never depend on these options. */
typedef struct tsr_pointgrid_launch {
  tsr_pointgrid_strategy strategy; /**< [AUTO] */
  tsr_child_stream child_stream;   /**< [FIRE_AND_FORGET] of RECURSIVE_CHILDREN */
  int64_t pending_launches;        /**< [0] slots for launched child grids that have not ended, 1 to
                                        262144; 0 = sized to the input. Where no slot is free, the
                                        parent does the work itself */
  int nesting_depth; /**< [8] RECURSIVE_CHILDREN: deepest nesting, 1 to 24; the deepest
                          child does all work below itself */
} tsr_pointgrid_launch;

/** What to split. Set up by tsr_pointgrid_options_init; defaults in brackets. */
typedef struct tsr_pointgrid_options {
  size_t struct_size;
  tsr_pointgrid_shape shape;         /**< [OCTREE] */
  int64_t max_points;                /**< [64] >= 1 */
  int max_level;                     /**< [20] 0 to 20: cells of this level are not split */
  int use_spread;                    /**< [0] 1: split by the spread of values as well; must be
                                          equal in all processes */
  tsr_pointgrid_spread_of spread_of; /**< [ARRAY] must be equal in all processes; with a coordinate,
                                          spread_array and spread_component are ignored */
  tsr_array spread_array;            /**< use_spread and ARRAY: a tuple for each point. Values that
                                          are not-a-number are ignored. Borrowed as long as the plan
                                          lives */
  int spread_component;              /**< [-1] component of spread_array. -1: the magnitude, for an
                                          array of one component the value itself */
  double spread;                     /**< [1] finite, >= 0; largest minus smallest value above which
                                          a cell is split, in the unit of the values */
  tsr_balance balance;               /**< [NONE] */
  tsr_pointgrid_output_kind output;  /**< [CELLS] */
  int64_t limit_cells;               /**< [0] > 0: a plan with more leaves in this process ends with
                                          TSR_TOO_LARGE; 0: no limit */
  /**
   * All-gather: sends this process's `bytes` bytes to all processes, and receives sizes[k] bytes
   * from each rank k in `all`, in the order of the ranks; sizes has n_ranks values. Returns 0, or
   * not 0 if it failed in any process. NULL (default): there is one process.
   */
  int (*gather)(void *context, const void *mine, int64_t bytes, void *all, const int64_t *sizes);
  /**
   * All-to-all: sends send_bytes[k] bytes to each rank k and receives receive_bytes[k] bytes from
   * it, this process included. `send` and `receive` are in the order of the ranks, and both lists
   * of sizes have n_ranks values. Returns 0, or not 0 if it failed in any process. Must be set if
   * gather is set.
   */
  int (*exchange)(void *context, const void *send, const int64_t *send_bytes, void *receive,
                  const int64_t *receive_bytes);
  void *context;         /**< [NULL] first argument of gather and exchange */
  int n_ranks;           /**< [1] number of processes */
  int rank;              /**< [0] rank of this process */
  const uint8_t *owners; /**< [NULL] n_ranks flags: not 0 if the process of that rank may own
                              leaves; NULL: all may. Must be equal in all processes, with at least
                              one that is not 0 */
  tsr_pointgrid_launch launch;
} tsr_pointgrid_options;

/** Sets every member to its default. `options` must not be NULL. */
void tsr_pointgrid_options_init(tsr_pointgrid_options *options);

/** Returns the table of the options that the user sets; n: receives its length. The table is
 *  constant and belongs to the library. */
const tsr_property *tsr_pointgrid_properties(int *n);

/** What a plan noticed. */
typedef enum tsr_pointgrid_note {
  TSR_POINTGRID_NOTE_NOT_FINITE = 0, /**< points left out: a coordinate is not finite, or
                                          beyond 1e100 */
  TSR_POINTGRID_NOTE_FULL,           /**< leaves of level max_level with more than max_points */
  TSR_POINTGRID_NOTES                /**< number of notes */
} tsr_pointgrid_note;

/** Writes the note as a sentence for the user into text, cut to `size` bytes (> 0) including the
 *  NUL at its end. Nothing is written if count.count is 0. */
void tsr_pointgrid_note_sentence(tsr_pointgrid_note note, tsr_note_count count, char *text,
                                 size_t size);

/** Exact sizes of the output of a plan, of this process. */
typedef struct tsr_pointgrid_sizes {
  int dimension;        /**< 2 or 3; 0 where there is no point in any process */
  int axis[3];          /**< axes by number (0, 1 or 2): first those that are split, last the
                             dropped one */
  double origin[3];     /**< lowest corner of the root; along a dropped axis the middle of the
                             points */
  double side;          /**< side of the root, in the unit of the coordinates */
  int levels;           /**< deepest level of a leaf, over all processes */
  int64_t cells;        /**< CELLS: leaves; TREE: all cells; POINTS: one for each point */
  int64_t leaves;       /**< leaves that this process owns */
  int64_t first_leaf;   /**< leaves that the processes of lower rank own */
  int64_t all_leaves;   /**< leaves in all processes */
  int64_t points;       /**< CELLS: corners, shared between cells; POINTS: equal to `kept`;
                             TREE: 0 */
  int64_t connectivity; /**< CELLS: 4 or 8 a cell; POINTS: 1 a point; TREE: 0 */
  int64_t kept;         /**< input points, of any process, in the leaves that this one owns */
  int64_t leaves_of_level[TSR_POINTGRID_MAX_LEVEL + 1]; /**< owned leaves of each level */
  tsr_note_count notes[TSR_POINTGRID_NOTES]; /**< of this process; `first` is the number of a point
                                                  of the view, or of a leaf of all processes */
} tsr_pointgrid_sizes;

/** A plan: the points, sorted into leaves, and the number of output cells and points. Made by
 *  tsr_pointgrid_plan_create, freed by tsr_pointgrid_plan_free. */
typedef struct tsr_pointgrid_plan tsr_pointgrid_plan;

/**
 * Sorts the points into cells and counts what comes out.
 * view, options: copied, their arrays borrowed until tsr_pointgrid_plan_free; must not be NULL.
 * execution: NULL = defaults. Its callbacks are called until tsr_pointgrid_plan_free.
 * plan: receives the plan, or NULL on failure.
 * Fails with BAD_OPTION, BAD_INPUT, TOO_LARGE, NO_MEMORY, NO_BACKEND, DEVICE, ABORTED. With
 * gather, it is collective: a process whose own part failed still takes part in every message, and
 * the others then fail with ABORTED.
 */
tsr_status tsr_pointgrid_plan_create(const tsr_pointgrid_view *view,
                                     const tsr_pointgrid_options *options,
                                     const tsr_execution *execution, tsr_pointgrid_plan **plan,
                                     tsr_error *error);

/** Frees a plan; NULL is allowed. */
void tsr_pointgrid_plan_free(tsr_pointgrid_plan *plan);

/** Returns the sizes, which belong to the plan: valid until it is freed. */
const tsr_pointgrid_sizes *tsr_pointgrid_plan_sizes(const tsr_pointgrid_plan *plan);

/** Copies the report so far to *report; it is complete after tsr_pointgrid_fill. items: points of
 *  the view; points, cells: as in the sizes. */
void tsr_pointgrid_plan_report(const tsr_pointgrid_plan *plan, tsr_report *report);

/** A point array of the input, and where to write its statistics over the points of each cell
 *  (CELLS, TREE) or its values (POINTS). A member that is NULL is not written. Values that are
 *  not-a-number are ignored. A cell without values gets not-a-number; least and greatest of an
 *  integer array then get 0. A split cell of TREE combines the values of its children. */
typedef struct tsr_pointgrid_attribute {
  tsr_array in;   /**< as many tuples as the view has points */
  double *mean;   /**< CELLS, TREE: sizes.cells x components: mean */
  void *least;    /**< CELLS, TREE: sizes.cells x components of type in.type: minimum */
  void *greatest; /**< CELLS, TREE: sizes.cells x components of type in.type: maximum */
  void *out;      /**< POINTS: sizes.points tuples of in.type: tuple of each point */
} tsr_pointgrid_attribute;

/** State of a cell of TREE. */
typedef enum tsr_pointgrid_state {
  TSR_POINTGRID_LEAF = 0, /**< a leaf that is owned here */
  TSR_POINTGRID_SPLIT,    /**< a split cell: its children are in the output as well; its values are
                               those of the points that this process owns */
  TSR_POINTGRID_FOREIGN   /**< a cell that belongs to other processes as a whole */
} tsr_pointgrid_state;

/** Where tsr_pointgrid_fill writes. A member that is NULL is not written. Set up by
 *  tsr_pointgrid_output_init. */
typedef struct tsr_pointgrid_output {
  size_t struct_size;
  tsr_type points_type; /**< [TSR_DOUBLE] FLOAT or DOUBLE */
  void *points;         /**< CELLS, POINTS: sizes.points x 3 */
  tsr_type index_type;  /**< [TSR_INT64] of offsets and connectivity: INT32 or INT64 */
  void *offsets;        /**< CELLS, POINTS: sizes.cells + 1 */
  void *connectivity;   /**< sizes.connectivity: CELLS in VTK's order of voxels and pixels */
  int32_t *level;       /**< sizes.cells: level of the cell; POINTS: of the point's leaf */
  int64_t *count;       /**< CELLS, TREE: sizes.cells: number of points in the cell */
  double *density;      /**< CELLS, TREE: sizes.cells: count over the cell's volume (quadtree:
                             area) */
  int64_t *leaf;        /**< POINTS: sizes.points: number of the point's leaf, over all processes */
  int64_t *source_point; /**< POINTS, one process: sizes.points: number of the point in the view */
  uint8_t *state; /**< TREE: sizes.cells: tsr_pointgrid_state. The root comes first, then level by
                       level the children of the split cells, in their order, x fastest */
  const tsr_pointgrid_attribute *attributes; /**< n_attributes; NULL if 0 */
  int n_attributes;
} tsr_pointgrid_output;

/** Clears *output and sets struct_size and the types. `output` must not be NULL. */
void tsr_pointgrid_output_init(tsr_pointgrid_output *output);

/**
 * Writes the output of a plan. May be called again with other outputs. With gather and attributes
 * it is collective: all processes must give the same attributes, with equal types and numbers of
 * components, in the same order.
 * Fails with BAD_OPTION, BAD_INPUT, TOO_LARGE, NO_MEMORY, DEVICE, ABORTED (outputs are then
 * incomplete).
 */
tsr_status tsr_pointgrid_fill(tsr_pointgrid_plan *plan, const tsr_pointgrid_output *output,
                              tsr_error *error);

#ifdef __cplusplus
}
#endif
#endif
