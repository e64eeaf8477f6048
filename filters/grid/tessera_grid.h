/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Tessera: adaptive grids. A part of the public header; include tessera.h.
 *
 * The input is a structured grid of points, seen in index space: an input cell is a unit cube of
 * it. A root cell holds 2^coarsen_levels input cells along each axis that has cells. A node is
 * (level, i, j, k): level 0 is a root, and each level halves; level `coarsen_levels` is an input
 * cell, deeper ones are parts of one. A node that the box cuts is clipped by it, and children
 * that lie outside do not exist, so the leaves cover the box exactly, whatever its size. All
 * indices count from the lowest corner of `whole`.
 *
 * Which nodes are refined:
 * 1. From the roots down: a node whose parent is refined is refined if any criterion asks for
 *    it and its level is below the limits. Nodes with hidden and visible cells are always refined,
 *    those of hidden cells only never.
 * 2. Buffer: the nodes within buffer_cells nodes, along every axis, of a node that 1 refined
 *    are refined as well, below the same limits.
 * 3. Blocks (patches only), balance, and "the parent of a refined node is refined": the
 *    smallest set that holds 1 and 2 and fulfils them. Balancing again changes nothing. Limits do
 *    not bind it.
 * 4. What 2 and 3 made of a node may be further from the input than the node was: leaves that the
 *    interpolation error asks to refine are refined, with all above them, as by 1, and 2 and 3
 *    follow again, until there are none. Other criteria do not look at such leaves.
 *
 * Several processes. Each one owns a box of whole roots (view.owned), holds their data and
 * tsr_grid_ghost_cells more input cells on every side that is not the end of the grid, and
 * gives options.gather, which all processes call equally often. Everything that crosses a border
 * goes through it: array ranges, the nodes refined by criteria in the roots near the border, the
 * number of cells. Whether criteria refine a node follows from its own cells and the ghost cells;
 * buffer, blocks and balance reach a bounded number of roots, and each process receives what others
 * refined of those. So every owned root comes out as it would in one process, whatever the number
 * of processes. Points on a border are put out by each process that has a cell there.
 */
#ifndef TESSERA_GRID_H
#define TESSERA_GRID_H

#include "common/tessera_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Coarsen levels + refine levels is at most this. */
#define TSR_GRID_MAX_LEVEL 30

/** Where the points are in space. */
typedef enum tsr_grid_geometry {
  TSR_GEOMETRY_UNIFORM = 0, /**< origin + direction (index * spacing) */
  TSR_GEOMETRY_RECTILINEAR, /**< coordinates along each axis */
  TSR_GEOMETRY_POINTS       /**< every point given */
} tsr_grid_geometry;

/** The input grid. Extents are first and last point index along i, j, k, both included, as in VTK;
 *  arrays run with i fastest. A last below the first: empty; arrays are then not looked at. */
typedef struct tsr_grid_view {
  size_t struct_size;
  int64_t whole[6];  /**< points of the whole grid; the same in all processes */
  int64_t extent[6]; /**< points of the arrays held here; within whole */
  int64_t owned[6];  /**< points of the roots that this process puts out; within extent. Each
                          side lies on a multiple of 2^coarsen_levels cells from the lowest corner
                          of whole or at the end of whole. Where all are 0: the extent */
  tsr_grid_geometry geometry;
  double origin[3], spacing[3]; /**< UNIFORM: origin is where index 0 0 0 is; spacing [1 1 1] */
  double direction[9];          /**< UNIFORM: row by row [identity] */
  tsr_array coordinates[3]; /**< RECTILINEAR: 1 component, as many as extent has along the axis */
  tsr_array points;         /**< POINTS: 3 components, one tuple a point of extent */
  const uint8_t *hidden_cells;  /**< one a cell of extent, or NULL: not 0 = never put out, and its
                                     values do not count */
  const uint8_t *hidden_points; /**< one a point of extent, or NULL: not 0 hides its cells */
} tsr_grid_view;

/** Clears *view; identity direction and spacing 1. `view` must not be NULL. */
void tsr_grid_view_init(tsr_grid_view *view);

/** What a criterion looks at in a node. Point data: f is multilinear in each input cell. */
typedef enum tsr_grid_measure {
  TSR_MEASURE_VALUE_RANGE = 0, /**< largest minus smallest value */
  TSR_MEASURE_GRADIENT, /**< undivided: largest magnitude of the gradient in an input cell (at its
                             centre, per index), times the node's size in input cells */
  TSR_MEASURE_SECOND_DERIVATIVE,  /**< Loehner's estimator with filter 0.01 and the mixed
                                       derivatives in both orders, between 0 and 1: the
                                       largest at an input point (cell data: cell). Loehner,
                                       Comput. Methods Appl. Mech. Eng. 61, 1987 */
  TSR_MEASURE_VORTICITY,          /**< largest magnitude of the curl, in space; 3 components */
  TSR_MEASURE_Q,                  /**< largest (|W|^2 - |S|^2) / 2, in space; 3 components */
  TSR_MEASURE_STANDARD_DEVIATION, /**< of the values; point data: of all corners of its cells */
  TSR_MEASURE_IN_RANGE,           /**< 1 if a value is within [lower, upper], else 0; point data:
                                       if the values in an input cell reach into it */
  TSR_MEASURE_INTERPOLATION_ERROR /**< largest difference, at an input point, to the multilinear
                                       interpolant of the node's corners. The leaves then fulfil it
                                       at every input point (with free hanging points, or
                                       conforming: where a leaf is cut, as VTK interpolates in its
                                       parts). Cell data, TREES and PATCHES: largest minus smallest
                                       value of a component, which bounds the differences of the
                                       input's values to the cell's; not below the input cells */
} tsr_grid_measure;

/** One criterion: a node is refined where its measure is above the threshold. */
typedef struct tsr_grid_criterion {
  tsr_grid_measure measure;
  tsr_array array;     /**< as many tuples as the extent has points, or cells */
  int cell_data;       /**< 1: cell data */
  int component;       /**< -1: the magnitude; for INTERPOLATION_ERROR each component by itself,
                            against the range of all. Vorticity and Q use all three */
  double threshold;    /**< finite, >= 0; IN_RANGE does not use it */
  double lower, upper; /**< IN_RANGE */
  int relative;        /**< 1: threshold, lower and upper are fractions: of the array's range; for
                            VORTICITY and Q of the largest measure of an input cell. Nothing for
                            SECOND_DERIVATIVE. A threshold that is a fraction of 0 is infinite */
  double range[2];     /**< for `relative`: of the array, in all processes. range[0] > range[1]:
                            found here, through gather */
  int max_level;       /**< refines nodes below this level only; -1: no such limit */
} tsr_grid_criterion;

/** Clears *criterion: value range, magnitude, range to be found, no limit. */
void tsr_grid_criterion_init(tsr_grid_criterion *criterion);

/** Which grid. */
typedef enum tsr_grid_mode {
  TSR_GRID_ADAPTIVE = 0,
  TSR_GRID_COARSE, /**< roots only (split where hidden cells, trees or blocks demand it) */
  TSR_GRID_FINE    /**< the finest level everywhere */
} tsr_grid_mode;

/** What comes out. */
typedef enum tsr_grid_output_kind {
  TSR_GRID_CELLS = 0, /**< leaves as voxels, pixels, lines (or hexahedra, quads: the caller's choice
                           of connectivity order) with shared points */
  TSR_GRID_POLYGONS,  /**< 2D: leaves as polygons that contain the points on their sides */
  TSR_GRID_TREES,   /**< every root (node of sizes.tree_level) as a tree, breadth first. Nodes that
                         stick out of the box are split until they do not; the parts outside are
                         masked */
  TSR_GRID_PATCHES, /**< overlapping blocks of nodes of one level, balanced by corners. Nodes that
                         stick out of the box are split as well, and are in no block */
  TSR_GRID_CONFORMING /**< as CELLS, without hanging points: a leaf that finer ones touch is cut
                           into pyramids and tetrahedra (2D: triangles), some of them around a new
                           point at its centre, and cells meet in whole faces. Balanced by edges at
                         least (2D: by sides). The interpolation error holds in the parts, too */
} tsr_grid_output_kind;

/** What a cell of CONFORMING is. */
typedef enum tsr_grid_cell {
  TSR_GRID_CELL_LEAF = 0,    /**< a whole leaf, as a cell of CELLS */
  TSR_GRID_CELL_TRIANGLE,    /**< 2D */
  TSR_GRID_CELL_TETRAHEDRON, /**< the first three turn to the fourth, as VTK's */
  TSR_GRID_CELL_PYRAMID      /**< the first four turn to the fifth, as VTK's */
} tsr_grid_cell;

/** How the levels follow each other on a CUDA device. (The numbers are those of saved states.) */
typedef enum tsr_grid_strategy {
  TSR_GRID_STRATEGY_AUTO = 0,  /**< the faster by measured rules */
  TSR_STRATEGY_HOST_WAVES = 6, /**< the host launches each level, and reads how many nodes go on */
  TSR_STRATEGY_DEVICE_LAUNCHED /**< each level's kernel launches the next */
} tsr_grid_strategy;

/** How kernels are launched on a CUDA device; see tsr_curves_launch. */
typedef struct tsr_grid_launch {
  tsr_grid_strategy strategy; /**< [AUTO] */
} tsr_grid_launch;

/** A node of the grid. The indices count nodes of its level from the lowest corner of whole. */
typedef struct tsr_grid_node {
  int32_t index[3]; /**< 0 along an axis without cells */
  int32_t level;
} tsr_grid_node;

/** What the criteria refined, so that the grids of many time steps can be made one: the refined
 *  nodes of a tree, in any order. Those above a node may be missing, and a node may come twice. */
typedef struct tsr_grid_marks {
  const tsr_grid_node *nodes; /**< n of them; NULL if 0 */
  int64_t n;
} tsr_grid_marks;

/** What to refine. Set up by tsr_grid_options_init; defaults in brackets. */
typedef struct tsr_grid_options {
  size_t struct_size;
  int coarsen_levels;                 /**< [3] >= 0 */
  int refine_levels;                  /**< [0] >= 0 */
  tsr_grid_mode mode;                 /**< [ADAPTIVE] */
  const tsr_grid_criterion *criteria; /**< n_criteria; borrowed as long as the plan lives */
  int n_criteria;                     /**< [0] */
  int buffer_cells;                   /**< [0] 0 to 16 */
  tsr_balance balance;                /**< [FACE] */
  int64_t cell_budget; /**< [0] ADAPTIVE, > 0: the thresholds, which must not be 0 then, are
                            multiplied by the smallest factor >= 1 with which at most so many cells
                            come out of all processes together, or one with which they are at least
                            99 % of the budget. CONFORMING: of cells after leaves are cut; as more
                            leaves may be cut into fewer cells, a smaller factor may do there, too.
                            TREES, PATCHES: of visible leaves. IN_RANGE is not scaled. Where even an
                            infinite factor gives more, that grid comes out, with a note. Without a
                            device the search needs 8 bytes for each criterion and node above the
                            input cells */
  int use_region;      /**< [0] */
  double region[6];    /**< in index space: imin imax jmin jmax kmin kmax, as view.whole */
  int inside_level;    /**< [30] nodes that overlap the region (touch it, along an axis where it is
                            a plane) are refined below this level only */
  int outside_level;   /**< [30] the other nodes */
  tsr_grid_output_kind output; /**< [CELLS] */
  int block_size;              /**< [8] PATCHES: cells along a side of a block: 2, 4, 8 ... 64 */
  int constrain; /**< [0] CELLS, POLYGONS: 1: a point that hangs on a coarser leaf takes the values
                      of that leaf's interpolant there (POINTS geometry: its place as well) */
  /**
   * Gives this process's `bytes` bytes to all and receives those of all, in the order of the
   * ranks, in `all`; sizes[k] bytes from rank k. Returns 0, or not 0 if it failed in any process.
   * NULL (default): there is one process.
   */
  int (*gather)(void *gather_context, const void *mine, int64_t bytes, void *all,
                const int64_t *sizes);
  void *gather_context;
  int n_ranks;         /**< [1] */
  int rank;            /**< [0] */
  int64_t limit_cells; /**< [0] > 0: a plan of more cells here ends with TSR_TOO_LARGE */
  tsr_grid_launch launch;
  tsr_grid_marks marks; /**< [none] ADAPTIVE: nodes that count as refined by criteria, with all
                           above them; of other plans of this grid, with the same levels and region,
                           and borrowed as long as this one lives. What other processes own is
                           passed over. The interpolation error is looked at in the leaves that they
                             make, too. Not with a cell budget */
  int keep_marks;       /**< [0] 1: for tsr_grid_plan_marks. Not with a cell budget */
  int64_t keep_bytes;   /**< [2^30] CUDA, >= 0: most bytes of input that stay on a device after
                             their plans, of all plans together, for the next one of the execution's
                             owner or others. 0: of this plan nothing stays. What was not used for
                             longest goes first, and all of it where memory is short */
  int64_t device_bytes; /**< [0] CUDA, >= 0: most bytes of arrays on the device at once, in 3D; 0:
                           what is free. Larger input goes there in slabs of whole roots, two at a
                           time and at least two layers of roots, or 16 cells, each; then none of it
                             stays. Not with POINTS geometry */
} tsr_grid_options;

/** Sets every member to its default. `options` must not be NULL. */
void tsr_grid_options_init(tsr_grid_options *options);

/** The options that the user sets; n: receives how many. */
const tsr_property *tsr_grid_properties(int *n);

/** Is every option in its range? tsr_grid_plan_create asks this, too; who shares a grid out before,
 *  by its levels, asks first. BAD_OPTION where it is not. */
tsr_status tsr_grid_check_options(const tsr_grid_options *options, tsr_error *error);

/** Input cells beyond the owned ones that a process must hold on each side. */
int tsr_grid_ghost_cells(const tsr_grid_options *options);

/** What a plan noticed. */
typedef enum tsr_grid_note {
  TSR_GRID_NOTE_NOT_FINITE = 0, /**< input cells with a value that is not finite (a point of theirs,
                                     for point data): kept at input level */
  TSR_GRID_NOTE_FLAT_CELL,      /**< input cells without volume: no derivative there */
  TSR_GRID_NOTE_BUDGET,         /**< cells above the budget, though no criterion refines any more */
  TSR_GRID_NOTES                /**< how many there are */
} tsr_grid_note;

/** Writes the note as a sentence, as tsr_note_sentence. Nothing is written if count is 0. */
void tsr_grid_note_sentence(tsr_grid_note note, tsr_note_count count, char *text, size_t size);

/** Exact sizes of the output of a plan, of this process. */
typedef struct tsr_grid_sizes {
  int dimension;        /**< axes that have cells: 0 to 3 */
  int levels;           /**< number of the finest level that a leaf may have */
  int64_t cells;        /**< leaves; TREES: nodes of all trees; PATCHES: cells of all blocks;
                             CONFORMING: whole leaves and parts of cut ones */
  int64_t leaves;       /**< visible leaves */
  int64_t cut_leaves;   /**< CONFORMING: those of them that are cut */
  int64_t points;       /**< CELLS, POLYGONS, CONFORMING */
  int64_t connectivity; /**< CELLS: 2^dimension a cell */
  int64_t trees;        /**< TREES */
  int tree_level;       /**< TREES: level that they begin with: the first with a node in the box */
  int64_t patches;      /**< PATCHES */
  int64_t leaves_of_level[TSR_GRID_MAX_LEVEL + 1];
  int64_t all_leaves;                   /**< in all processes */
  int64_t fine_cells;                   /**< leaves of the fixed fine grid, in all processes */
  double threshold_scale;               /**< that the cell budget made necessary; can be infinite */
  tsr_note_count notes[TSR_GRID_NOTES]; /**< of this process; `first` is the number of an input cell
                                             of the whole grid, i fastest */
} tsr_grid_sizes;

typedef struct tsr_grid_plan tsr_grid_plan;

/**
 * Refines the grid and counts what comes out.
 * view, options: copied, their arrays borrowed until tsr_grid_plan_free; must not be NULL.
 * execution: NULL = defaults. Its callbacks are called until tsr_grid_plan_free.
 * plan: receives the plan, or NULL on failure.
 * Fails with BAD_OPTION, BAD_INPUT, TOO_LARGE, NO_MEMORY, NO_BACKEND, DEVICE, ABORTED. With
 * gather, a process whose own part failed still takes part in every call of gather, and the others
 * then fail with ABORTED.
 */
tsr_status tsr_grid_plan_create(const tsr_grid_view *view, const tsr_grid_options *options,
                                const tsr_execution *execution, tsr_grid_plan **plan,
                                tsr_error *error);

/** Frees a plan; NULL is allowed. */
void tsr_grid_plan_free(tsr_grid_plan *plan);

/** The sizes, valid until the plan is freed. */
const tsr_grid_sizes *tsr_grid_plan_sizes(const tsr_grid_plan *plan);

/**
 * Counts the visible cells of the fixed fine grid (mode FINE) that this process owns, without a
 * plan: the leaves that the plan would have. INT64_MAX: there are more than that. Is not
 * collective, and looks at no array but those that hide.
 */
tsr_status tsr_grid_count_fine(const tsr_grid_view *view, const tsr_grid_options *options,
                               int64_t *cells, tsr_error *error);

/** The nodes of the output cells, in their order, sizes.cells of them (CONFORMING: of the leaves,
 *  sizes.leaves of them; see tsr_grid_output.leaf). Valid as the plan. NULL: none, or no memory. */
const tsr_grid_node *tsr_grid_plan_nodes(const tsr_grid_plan *plan);

/**
 * The nodes that criteria refined, those above them, and options.marks: what the buffer, blocks and
 * balance are made around. Of the roots that this process owns; a root with all below it after the
 * other. Valid as the plan; none without options.keep_marks.
 *
 * One grid for many time steps: plan each step with the marks of the one before, the first with
 * none. A plan with the marks of all of them is then the same grid at each step, and holds the
 * grids of all. With the interpolation error a step can ask for more in leaves that a later one
 * made: go through the steps until the number of marks (added up over processes) has stayed the
 * same for as many plans as there are steps.
 */
tsr_grid_marks tsr_grid_plan_marks(const tsr_grid_plan *plan);

/** The report so far: complete after tsr_grid_fill. items: input cells owned; points, cells: of
 *  the sizes; tolerance_scale: threshold_scale. */
void tsr_grid_plan_report(const tsr_grid_plan *plan, tsr_report *report);

/** One array to carry along. Point arrays come out at the points of CELLS, POLYGONS and CONFORMING:
 *  the input tuple at input points, multilinear between, and at the centre of a leaf that is cut,
 *  if it is a point, the mean of its corners. TREES and PATCHES have cells only: a point array
 *  comes out as mean over the node, each input cell with the mean of its corners. Cell arrays come
 *  out as volume mean of the node's visible input cells, or their input cell's tuple where the node
 *  is no larger. Sums are made in pairs, up the octree: the mean of a node of m levels is within
 *  3 m + 4 roundings, or 6 m + 15 with volumes, of the mean magnitude in it. Integers are rounded
 * half away from zero. */
typedef struct tsr_grid_attribute {
  tsr_array in;  /**< as many tuples as the extent has points, or cells */
  int cell_data; /**< 1: cell data */
  void *out;     /**< sizes.points or sizes.cells tuples of in.type; NULL: the error only */
  double *error; /**< NULL, or receives the largest difference between the input and what comes
                      out, of any component: at input points to the leaf's interpolant (CONFORMING:
                      in the parts of a cut one), in input cells to the leaf's value. Of the visible
                    leaves here; what is not finite in the input does not count. Of
                    integers: before means are rounded */
} tsr_grid_attribute;

/** State of a cell of TREES and PATCHES. */
typedef enum tsr_grid_state {
  TSR_STATE_LEAF = 0, /**< a visible leaf */
  TSR_STATE_COVERED,  /**< refined: its children are there as well */
  TSR_STATE_HIDDEN,   /**< a leaf of hidden cells */
  TSR_STATE_OUTSIDE   /**< TREES: outside the box */
} tsr_grid_state;

/** A block: nodes [begin, end) of one level, i fastest, from cell `first` on. */
typedef struct tsr_grid_patch {
  int32_t level;
  int32_t begin[3], end[3];
  int64_t first;
} tsr_grid_patch;

/** Where fill writes. NULL members are not wanted. Set up by tsr_grid_output_init. */
typedef struct tsr_grid_output {
  size_t struct_size;
  tsr_type points_type; /**< [TSR_FLOAT] FLOAT or DOUBLE */
  void *points;         /**< sizes.points x 3 */
  tsr_type index_type;  /**< [TSR_INT64] of offsets and connectivity: INT32 or INT64 */
  void *offsets;        /**< sizes.cells + 1 */
  void *connectivity;   /**< sizes.connectivity: CELLS in VTK's order of voxels and pixels, or, with
                             `hexahedra`, of hexahedra and quads; POLYGONS counter-clockwise;
                             CONFORMING: as CELLS for whole leaves. Where axes of an image or of
                             coordinates run backwards, or are a mirror image, cells of 3D are
                             written so that their volume is above 0 all the same */
  int hexahedra;        /**< [0] */
  int32_t *level;       /**< sizes.cells */
  double *indicator; /**< sizes.cells: largest measure / threshold (in force) of the node; IN_RANGE
                          counts as 2 or 0; infinite for a threshold of 0 that is exceeded.
                          Leaves only, else 0 */
  int64_t *source_cell; /**< sizes.cells: index, in extent's cells, of the node's first input cell;
                             -1 outside */
  uint8_t *state;       /**< sizes.cells: tsr_grid_state */
  uint8_t *hanging;     /**< sizes.points: 1: a point that is no corner of a leaf that touches it;
                             CONFORMING: 0 */
  int64_t *tree_first;  /**< TREES: sizes.trees + 1: first cell of each tree. The trees are the
                             owned nodes of sizes.tree_level, i fastest. A node's children follow
                             the children of the nodes before it in its level, 2^dimension each,
                             i fastest */
  int32_t *tree_root;   /**< TREES: sizes.trees x 3: index of the root */
  tsr_grid_patch *patches;              /**< PATCHES: sizes.patches, coarse levels first */
  const tsr_grid_attribute *attributes; /**< n_attributes; NULL if 0 */
  int n_attributes;
  uint8_t *cell_type;      /**< sizes.cells: tsr_grid_cell */
  int64_t *leaf;           /**< sizes.cells: number of the node that the cell is, or is a part of */
  uint8_t cell_type_of[4]; /**< [0, 1, 2, 3] what cell_type receives for each tsr_grid_cell */
} tsr_grid_output;

/** Clears *output and sets struct_size and the types. `output` must not be NULL. */
void tsr_grid_output_init(tsr_grid_output *output);

/**
 * Writes the output of a plan. May be called again with other outputs. Calls no gather.
 * Fails with BAD_OPTION, TOO_LARGE, NO_MEMORY, DEVICE, ABORTED (outputs are then incomplete).
 */
tsr_status tsr_grid_fill(tsr_grid_plan *plan, const tsr_grid_output *output, tsr_error *error);

#ifdef __cplusplus
}
#endif
#endif
