/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Tessera: adaptive grids of points. A part of the public header; include tessera.h.
 *
 * The root cell is the bounding cube (of a quadtree: square) of the points: its lowest corner is
 * the lowest coordinate along each axis, its side the longest extent; where all points lie in one
 * place, 1 or a millionth of their largest coordinate, whichever is more. A cell of level l is one
 * of 2^l along each axis. Cells are half open: a point on the border of two belongs to the upper
 * one, at the upper end of the root to the last one.
 *
 * A cell whose level is less than max_level is split, into all of its 4 or 8 children, if it holds
 * more than max_points points, or if the values of the spread array (or one coordinate) of its
 * points differ by more than the threshold. Then the smallest number of further cells is split that
 * balance needs.
 *
 * Leaves come in Morton order (x fastest), and the points of a leaf in their order in the input.
 * Sums over the points of a leaf are taken in this order: of 64 points each, then of these sums.
 * Points that are hidden, or not finite or beyond 1e100 in a coordinate, are left out, the latter
 * with a note; the coordinate along the dropped axis of a quadtree counts as well.
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

/** The deepest level there can be. */
#define TSR_POINTGRID_MAX_LEVEL 20

/** The input: points, in their order. */
typedef struct tsr_pointgrid_view {
  size_t struct_size;
  tsr_array points;      /**< 3 components, FLOAT or DOUBLE; no tuples: data is not looked at */
  const uint8_t *hidden; /**< one a point, or NULL: not 0 = left out */
} tsr_pointgrid_view;

/** Clears *view. `view` must not be NULL. */
void tsr_pointgrid_view_init(tsr_pointgrid_view *view);

/** Along which axes cells are split. */
typedef enum tsr_pointgrid_shape {
  TSR_POINTGRID_OCTREE = 0,
  TSR_POINTGRID_THINNEST, /**< quadtree: the axis along which the points reach least is dropped; of
                               several the last one */
  TSR_POINTGRID_XY,       /**< quadtrees */
  TSR_POINTGRID_YZ,
  TSR_POINTGRID_XZ
} tsr_pointgrid_shape;

/** The values that may not differ by more than the spread within a cell. */
typedef enum tsr_pointgrid_spread_of {
  TSR_POINTGRID_SPREAD_OF_ARRAY = 0, /**< a component of the spread array */
  TSR_POINTGRID_SPREAD_OF_X,         /**< a coordinate of the points */
  TSR_POINTGRID_SPREAD_OF_Y,
  TSR_POINTGRID_SPREAD_OF_Z
} tsr_pointgrid_spread_of;

/** What comes out. */
typedef enum tsr_pointgrid_output_kind {
  TSR_POINTGRID_CELLS = 0, /**< leaves as voxels or pixels with shared points */
  TSR_POINTGRID_TREE,      /**< all cells, level by level */
  TSR_POINTGRID_POINTS     /**< the points in the order of their leaves */
} tsr_pointgrid_output_kind;

/** How kernels share out the work: docs/adaptive-point-grid.md. The numbers are those of saved
 * states. */
typedef enum tsr_pointgrid_strategy {
  TSR_POINTGRID_STRATEGY_AUTO = 0,      /**< FLAT, or HOST_WAVES where FLAT cannot run */
  TSR_POINTGRID_FLAT = 4,               /**< from the sorted keys at once; knows no spread. One of
                                             several processes takes HOST_WAVES instead */
  TSR_POINTGRID_RECURSIVE_CHILDREN = 5, /**< a cell that is split launches a grid for its children;
                                             knows no spread */
  TSR_POINTGRID_HOST_WAVES = 6          /**< the host launches each level */
} tsr_pointgrid_strategy;

/** How kernels are launched on a CUDA device; the CPU does not look at it. */
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
  int max_level;                     /**< [20] 0 to 20: the points split no cell of this level */
  int use_spread;                    /**< [0] the same in all processes */
  tsr_pointgrid_spread_of spread_of; /**< [ARRAY] the same in all processes; with a coordinate,
                                          array and component are ignored */
  tsr_array spread_array;            /**< as many tuples as there are points; not-a-number does not
                                          count. Borrowed as long as the plan lives */
  int spread_component;              /**< [-1] -1: the magnitude; of one component the value */
  double spread;                     /**< [1] finite, >= 0 */
  tsr_balance balance;               /**< [NONE] leaves that share a face (edge, corner) differ by
                                          one level at most */
  tsr_pointgrid_output_kind output;  /**< [CELLS] */
  int64_t limit_cells;               /**< [0] > 0: a plan of more cells here ends with TOO_LARGE */
  /**
   * Gives this process's `bytes` bytes to all and receives those of all, in the order of the
   * ranks, in `all`; sizes[k] bytes from rank k. Returns 0, or not 0 if it failed in any process.
   * NULL (default): there is one process.
   */
  int (*gather)(void *context, const void *mine, int64_t bytes, void *all, const int64_t *sizes);
  /**
   * Sends send_bytes[k] bytes to rank k, one rank's after the other's in `send`, and receives
   * receive_bytes[k] from rank k in `receive` likewise, its own included. Returns as gather. NULL
   * only where gather is.
   */
  int (*exchange)(void *context, const void *send, const int64_t *send_bytes, void *receive,
                  const int64_t *receive_bytes);
  void *context;
  int n_ranks;           /**< [1] */
  int rank;              /**< [0] */
  const uint8_t *owners; /**< [NULL: all] n_ranks: not 0 = owns leaves; the same in all processes,
                              at least one */
  tsr_pointgrid_launch launch;
} tsr_pointgrid_options;

/** Sets every member to its default. `options` must not be NULL. */
void tsr_pointgrid_options_init(tsr_pointgrid_options *options);

/** The options that the user sets; n: receives how many. */
const tsr_property *tsr_pointgrid_properties(int *n);

/** What a plan noticed. */
typedef enum tsr_pointgrid_note {
  TSR_POINTGRID_NOTE_NOT_FINITE = 0, /**< points left out */
  TSR_POINTGRID_NOTE_FULL,           /**< leaves of the highest level with more than max_points */
  TSR_POINTGRID_NOTES                /**< how many there are */
} tsr_pointgrid_note;

/** Writes the note as a sentence, as tsr_note_sentence. Nothing is written if count is 0. */
void tsr_pointgrid_note_sentence(tsr_pointgrid_note note, tsr_note_count count, char *text,
                                 size_t size);

/** Exact sizes of the output of a plan, of this process. */
typedef struct tsr_pointgrid_sizes {
  int dimension;        /**< 2 or 3; 0 where there is no point in any process */
  int axis[3];          /**< the axes that are split */
  double origin[3];     /**< lowest corner of the root; along a dropped axis the middle of the
                             points */
  double side;          /**< of the root */
  int levels;           /**< highest level of a leaf, of all processes */
  int64_t cells;        /**< CELLS: leaves; TREE: all cells; POINTS: the points */
  int64_t leaves;       /**< owned here */
  int64_t first_leaf;   /**< how many leaves the processes before this one own */
  int64_t all_leaves;   /**< in all processes */
  int64_t points;       /**< CELLS: shared corners; POINTS: the points; TREE: 0 */
  int64_t connectivity; /**< CELLS: 4 or 8 a cell; POINTS: 1 a point; TREE: 0 */
  int64_t kept;         /**< points in the leaves here */
  int64_t leaves_of_level[TSR_POINTGRID_MAX_LEVEL + 1]; /**< owned here */
  tsr_note_count notes[TSR_POINTGRID_NOTES]; /**< of this process; `first` is the number of a point
                                                  of the view, or of a leaf of all processes */
} tsr_pointgrid_sizes;

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

/** The sizes, valid until the plan is freed. */
const tsr_pointgrid_sizes *tsr_pointgrid_plan_sizes(const tsr_pointgrid_plan *plan);

/** The report so far: complete after tsr_pointgrid_fill. items: points of the view. */
void tsr_pointgrid_plan_report(const tsr_pointgrid_plan *plan, tsr_report *report);

/** One point array. Values that are not a number do not count; where none counts (an empty cell)
 *  mean is not-a-number, and least and greatest are as well, or 0 where the type is an integer. A
 *  cell of TREE that is split takes its children's. */
typedef struct tsr_pointgrid_attribute {
  tsr_array in;   /**< as many tuples as the view has points */
  double *mean;   /**< CELLS, TREE: sizes.cells x components, or NULL */
  void *least;    /**< CELLS, TREE: sizes.cells x components of type in.type, or NULL */
  void *greatest; /**< CELLS, TREE: sizes.cells x components of type in.type, or NULL */
  void *out;      /**< POINTS: sizes.points tuples of in.type, or NULL */
} tsr_pointgrid_attribute;

/** State of a cell of TREE. */
typedef enum tsr_pointgrid_state {
  TSR_POINTGRID_LEAF = 0, /**< a leaf that is owned here */
  TSR_POINTGRID_SPLIT,    /**< its children are there as well; values are of the owned part */
  TSR_POINTGRID_FOREIGN   /**< all of it belongs to other processes */
} tsr_pointgrid_state;

/** Where fill writes. NULL members are not wanted. Set up by tsr_pointgrid_output_init. */
typedef struct tsr_pointgrid_output {
  size_t struct_size;
  tsr_type points_type; /**< [TSR_DOUBLE] FLOAT or DOUBLE */
  void *points;         /**< CELLS, POINTS: sizes.points x 3 */
  tsr_type index_type;  /**< [TSR_INT64] of offsets and connectivity: INT32 or INT64 */
  void *offsets;        /**< CELLS, POINTS: sizes.cells + 1 */
  void *connectivity;   /**< sizes.connectivity: CELLS in VTK's order of voxels and pixels */
  int32_t *level;       /**< sizes.cells; POINTS: of the point's leaf */
  int64_t *count;       /**< CELLS, TREE: points in the cell */
  double *density;      /**< CELLS, TREE: points over the cell's volume (quadtree: area) */
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
 * Writes the output of a plan. May be called again with other outputs. With gather it is
 * collective where there are attributes: all processes give the same number of them, of the same
 * types and components, in the same order.
 * Fails with BAD_OPTION, BAD_INPUT, TOO_LARGE, NO_MEMORY, DEVICE, ABORTED (outputs are then
 * incomplete).
 */
tsr_status tsr_pointgrid_fill(tsr_pointgrid_plan *plan, const tsr_pointgrid_output *output,
                              tsr_error *error);

#ifdef __cplusplus
}
#endif
#endif
