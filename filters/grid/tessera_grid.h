/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Tessera: adaptive grids. A part of the public header; include tessera.h.
 *
 * The input is a structured grid of points, seen in index space: there an input cell is a unit
 * cube, and the grid is a box. A root cell holds 2^coarsen_levels input cells along each axis that
 * has cells. A node is (level, i, j, k): level 0 is a root, and each further level halves the side.
 * Nodes of level `coarsen_levels` are input cells; deeper nodes are parts of one input cell. A node
 * that reaches beyond the box is clipped to it, and children outside the box do not exist. So the
 * leaves cover the box exactly, whatever its size. All indices count from the lowest corner of
 * `whole`.
 *
 * Which nodes are refined:
 * 1. From the roots down: a node whose parent is refined is refined if any criterion asks for
 *    it and its level is below the limits. A node with both hidden and visible cells is always
 *    refined; a node with hidden cells only is never refined.
 * 2. Buffer: the nodes within buffer_cells nodes, along every axis, of a node that step 1 refined
 *    are refined as well, below the same limits.
 * 3. Closure: the smallest set of refined nodes that contains those of steps 1 and 2 and fulfils
 *    three rules: the blocks are full (patches only), the leaves are balanced, and the parent of a
 *    refined node is refined. Balancing again changes nothing. The level limits do not apply here.
 * 4. Guarantee: steps 2 and 3 make new leaves, whose interpolation error may be above the
 * threshold. Each such leaf is refined, with its ancestors, as by step 1; then steps 2 and 3 follow
 * again, until no leaf is above the threshold. Only the interpolation error is evaluated here.
 *
 * Several processes. Each process owns a box of whole roots (view.owned). It holds the data of
 * these roots and of tsr_grid_ghost_cells more input cells on every side that is not a side of the
 * whole grid. All communication goes through options.gather, which all processes call equally
 * often: array ranges, the nodes that criteria refined in the roots near a border, the number of
 * cells. Whether criteria refine a node depends on its own cells and the ghost cells only. Buffer,
 * blocks and balance reach a bounded number of roots, and each process receives which nodes of
 * those roots other processes refined. So every root is refined as it would be in one process,
 * whatever the number of processes. Points on a border are in the output of each process that has
 * a cell there.
 */
#ifndef TSR_GRID_TESSERA_GRID_H
#define TSR_GRID_TESSERA_GRID_H

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
 *  arrays run with i fastest. An extent whose last is below its first is empty; arrays are then
 *  ignored. */
typedef struct tsr_grid_view {
  size_t struct_size;
  int64_t whole[6];  /**< points of the whole grid; the same in all processes */
  int64_t extent[6]; /**< points of the arrays held here; within whole */
  int64_t owned[6];  /**< points of the roots that this process owns; within extent. Each side
                          lies on a multiple of 2^coarsen_levels cells from the lowest corner of
                          whole, or at the end of whole. If all six are 0: the extent */
  tsr_grid_geometry geometry;
  double origin[3], spacing[3]; /**< UNIFORM: origin is where index 0 0 0 is; spacing [1 1 1] */
  double direction[9];          /**< UNIFORM: row by row [identity] */
  tsr_array coordinates[3]; /**< RECTILINEAR: 1 component, as many as extent has along the axis */
  tsr_array points;         /**< POINTS: 3 components, one tuple a point of extent */
  const uint8_t *hidden_cells;  /**< a flag for each cell of extent, or NULL. Not 0: hidden, which
                                     means not in the output, and its values are ignored */
  const uint8_t *hidden_points; /**< a flag for each point of extent, or NULL. Not 0: the cells that
                                     have this point are hidden */
} tsr_grid_view;

/** Clears *view; identity direction and spacing 1. `view` must not be NULL. */
void tsr_grid_view_init(tsr_grid_view *view);

/** What a criterion measures in a node. Point data are multilinear in each input cell. */
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
  TSR_MEASURE_INTERPOLATION_ERROR /**< largest difference, at an input point, between the input and
                                       the multilinear interpolant of the node's corners. The
                                       threshold is a guarantee: every leaf keeps it at every input
                                       point (with free hanging points, or conforming: there in
                                       VTK's interpolation of the parts of a cut leaf). Cell data,
                                       TREES and PATCHES: largest minus smallest value of a
                                       component, an upper bound of the difference between an
                                       input value and the leaf's; never refines below the input
                                       cells */
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
  int relative;        /**< 1: threshold, lower and upper are fractions of the array's range; for
                            VORTICITY and Q, of the largest measure of an input cell. Ignored for
                            SECOND_DERIVATIVE, which is dimensionless. A fraction of a range of 0
                            is an infinite threshold */
  double range[2];     /**< for `relative`: the array's range over all processes. range[0] >
                            range[1]: the plan finds it, through gather */
  int max_level; /**< the criterion refines only nodes of a lower level number; -1: no limit */
} tsr_grid_criterion;

/** Sets *criterion to its defaults: VALUE_RANGE of the magnitude, no limit of levels; the plan
 * finds the array's range. */
void tsr_grid_criterion_init(tsr_grid_criterion *criterion);

/** Which grid the plan makes. */
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
  TSR_GRID_TREES,     /**< every root (node of sizes.tree_level) as a tree, breadth first. A node
                           that reaches beyond the box is refined, and so are its children that do;
                           nodes outside the box are masked */
  TSR_GRID_PATCHES,   /**< overlapping blocks of nodes of one level, balanced by corners. A
                           node that reaches beyond the box is refined, too, and is in no block */
  TSR_GRID_CONFORMING /**< as CELLS, but without hanging points: a leaf that touches finer leaves is
                           cut into pyramids and tetrahedra (2D: triangles), in some cases around a
                           new point at its centre, so that cells share whole faces. Balanced at
                           least by edges (2D: by faces). The guarantee of the interpolation error
                           holds in the parts, too */
} tsr_grid_output_kind;

/** The type of a cell of CONFORMING. */
typedef enum tsr_grid_cell {
  TSR_GRID_CELL_LEAF = 0,    /**< a whole leaf, as a cell of CELLS */
  TSR_GRID_CELL_TRIANGLE,    /**< 2D */
  TSR_GRID_CELL_TETRAHEDRON, /**< oriented as VTK's: the normal of the first three points points to
                                  the fourth */
  TSR_GRID_CELL_PYRAMID      /**< oriented as VTK's: the normal of the first four points points to
                                  the fifth */
} tsr_grid_cell;

/** How the kernels of one level follow those of the level above on a CUDA device. The numbers are
 *  part of saved states and must not change. */
typedef enum tsr_grid_strategy {
  TSR_GRID_STRATEGY_AUTO = 0, /**< the faster by measured rules */
  TSR_STRATEGY_HOST_WAVES =
      6, /**< the host launches each level after reading its number of nodes */
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

/** Marks: the nodes that criteria refined in a plan. With the marks of all time steps, one grid can
 *  be made that suits each of them. In any order; the ancestors of a node may be missing, and a
 * node may be there twice. */
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
                            multiplied by the smallest factor >= 1 with which the output of all
                            processes together has at most this many cells, or by one with which it
                            has 99 to 100 % of them. CONFORMING counts cells after leaves are cut
                            (a smaller factor may then fit as well, since more leaves can give fewer
                            cells); TREES and PATCHES count visible leaves. IN_RANGE is not scaled.
                            If even an infinite factor gives more cells, the output is that grid,
                            with a note. On the CPU the search takes 8 bytes for each criterion and
                            node above the input cells */
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
  tsr_grid_marks marks; /**< [none] ADAPTIVE: nodes that are refined, with their ancestors, as if a
                             criterion asked for them: the marks of other plans of this grid with
                             the same levels and region. Nodes that other processes own are ignored.
                             The guarantee of the interpolation error covers the leaves that marks
                             make. Borrowed as long as the plan lives. Not with a cell budget */
  int keep_marks;       /**< [0] 1: tsr_grid_plan_marks returns marks. Not with a cell budget */
  int64_t keep_bytes;   /**< [2^30] CUDA, >= 0: limit in bytes of the input arrays, of all plans
                             together, that stay on a device after their plan is freed, so that the
                             next plan need not upload them. 0: this plan keeps none. The least
                             recently used arrays are freed first; all are where memory is short */
  int64_t device_bytes; /**< [0] CUDA, >= 0: limit in bytes of the arrays on the device at once, in
                             3D; 0: the free memory. Larger input is uploaded in slabs of whole
                             roots, two slabs at a time, each at least two layers of roots or 16
                             cells thick; none of it stays for later plans. Not with POINTS
                             geometry */
  const char *const *criterion_names; /**< [NULL] n_criteria: what errors call each criterion, as
                                           "the gradient of 'T'"; NULL: "criterion 0". Borrowed as
                                           long as the plan lives */
} tsr_grid_options;

/** Sets every member to its default. `options` must not be NULL. */
void tsr_grid_options_init(tsr_grid_options *options);

/** The options that the user sets; n: receives how many. */
const tsr_property *tsr_grid_properties(int *n);

/** Checks that every option is in its range; fails with BAD_OPTION. tsr_grid_plan_create does so,
 *  too; a caller that uses the levels before, to partition the grid, checks them first. */
tsr_status tsr_grid_check_options(const tsr_grid_options *options, tsr_error *error);

/** Input cells beyond the owned ones that a process must hold on each side. */
int tsr_grid_ghost_cells(const tsr_grid_options *options);

/** What a plan noticed. */
typedef enum tsr_grid_note {
  TSR_GRID_NOTE_NOT_FINITE = 0, /**< input cells with a value that is not finite (point data: at one
                                     of their points); the grid is refined down to them */
  TSR_GRID_NOTE_FLAT_CELL,      /**< input cells without volume, where no derivative exists */
  TSR_GRID_NOTE_BUDGET,         /**< cells beyond the budget although no criterion refines */
  TSR_GRID_NOTES                /**< number of notes */
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
  int64_t cut_leaves;   /**< CONFORMING: visible leaves that are cut */
  int64_t points;       /**< CELLS, POLYGONS, CONFORMING */
  int64_t connectivity; /**< CELLS: 2^dimension a cell */
  int64_t trees;        /**< TREES */
  int tree_level;       /**< TREES: level of the trees' roots: the first level with a node that lies
                             wholly in the box */
  int64_t patches;      /**< PATCHES */
  int64_t leaves_of_level[TSR_GRID_MAX_LEVEL + 1];
  int64_t all_leaves;                   /**< in all processes */
  int64_t fine_cells;                   /**< leaves of the fixed fine grid, in all processes */
  double threshold_scale;               /**< factor on thresholds that the cell budget needed; 1
                                             without a budget; can be infinite */
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
 * Counts, without a plan, the visible leaves of the fixed fine grid (mode FINE) that this process
 * owns. cells: receives their number, INT64_MAX if it is larger. Not collective. Reads no arrays
 * except hidden_cells and hidden_points.
 */
tsr_status tsr_grid_count_fine(const tsr_grid_view *view, const tsr_grid_options *options,
                               int64_t *cells, tsr_error *error);

/** Returns the node of each output cell, sizes.cells of them (CONFORMING: of each leaf,
 * sizes.leaves of them; tsr_grid_output.leaf maps cells to leaves). Valid until the plan is freed.
 * NULL: there are none, or out of memory. */
const tsr_grid_node *tsr_grid_plan_nodes(const tsr_grid_plan *plan);

/**
 * Returns the marks of a plan: the nodes that criteria refined, their ancestors, and options.marks,
 * before buffer, blocks and balance. Only nodes in roots that this process owns; root by root.
 * Valid until the plan is freed; empty unless options.keep_marks is set.
 *
 * To make one grid for many time steps, plan each step with the marks of the step before, the first
 * step with none. A plan with the last marks is then the same grid at each step, and refines every
 * node that the grid of any step refines. With the interpolation error, a step may refine leaves
 * that the marks of a later step made: go through the steps again and again, until the number of
 * marks (summed over processes) has not changed for as many plans as there are steps.
 */
tsr_grid_marks tsr_grid_plan_marks(const tsr_grid_plan *plan);

/** The report so far: complete after tsr_grid_fill. items: input cells owned; points, cells: of
 *  the sizes; tolerance_scale: threshold_scale. */
void tsr_grid_plan_report(const tsr_grid_plan *plan, tsr_report *report);

/** An array of the output and its input.
 *  - Point array, output CELLS, POLYGONS, CONFORMING: at an input point the input tuple, elsewhere
 *    the multilinear interpolant; at a centre point of a cut leaf the mean of the leaf's corners.
 *  - Point array, output TREES, PATCHES, which have cells only: the mean over the node, where each
 *    input cell counts with the mean of its corners.
 *  - Cell array: the mean over the node's visible input cells, weighted by volume; for a node no
 *    larger than an input cell the tuple of that cell.
 *  Sums are added in pairs, up the octree. The error of a node's mean, m levels above the input
 *  cells, is at most 3 m + 4 roundings of the mean magnitude in it, or 6 m + 15 with volumes.
 *  Integers are rounded half away from zero. */
typedef struct tsr_grid_attribute {
  tsr_array in;  /**< as many tuples as the extent has points, or cells */
  int cell_data; /**< 1: cell data */
  void *out;     /**< sizes.points or sizes.cells tuples of in.type; NULL: the error only */
  double *error; /**< NULL, or receives the largest difference, in any component, between input and
                      output: for point arrays at input points, against the leaf's interpolant
                      (CONFORMING: in the parts of a cut leaf); for cell arrays in input cells,
                      against the leaf's value. Over this process's visible leaves; input that is
                      not finite is ignored. For integers, before means are rounded */
} tsr_grid_attribute;

/** State of a cell of TREES and PATCHES. */
typedef enum tsr_grid_state {
  TSR_STATE_LEAF = 0, /**< a visible leaf */
  TSR_STATE_COVERED,  /**< refined: its children are there as well */
  TSR_STATE_HIDDEN,   /**< a leaf of hidden cells */
  TSR_STATE_OUTSIDE   /**< TREES: outside the box */
} tsr_grid_state;

/** A block of nodes of one level: indices [begin, end) along each axis. Its output cells are first,
 *  first + 1, ..., i fastest. */
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
                             CONFORMING: as CELLS for whole leaves. Where the axes of a UNIFORM or
                             RECTILINEAR grid run backwards or are left-handed, the corners of 3D
                             cells are reordered so that every volume is positive */
  int hexahedra;        /**< [0] */
  int32_t *level;       /**< sizes.cells */
  double *indicator; /**< sizes.cells: largest measure / threshold (in force) of the node; IN_RANGE
                          counts as 2 or 0; infinite for a threshold of 0 that is exceeded.
                          Leaves only, else 0 */
  int64_t *source_cell; /**< sizes.cells: index, in extent's cells, of the node's first input cell;
                             -1 outside */
  uint8_t *state;       /**< sizes.cells: tsr_grid_state */
  uint8_t *hanging;    /**< sizes.points: 1: a hanging point, which lies on a leaf without being one
                            of its corners; CONFORMING: 0 */
  int64_t *tree_first; /**< TREES: sizes.trees + 1: first cell of each tree. The trees are the
                            owned nodes of sizes.tree_level, i fastest. A node's children follow
                            the children of the nodes before it in its level, 2^dimension each,
                            i fastest */
  int32_t *tree_root;  /**< TREES: sizes.trees x 3: index of the root */
  tsr_grid_patch *patches;              /**< PATCHES: sizes.patches, coarse levels first */
  const tsr_grid_attribute *attributes; /**< n_attributes; NULL if 0 */
  int n_attributes;
  uint8_t *cell_type;      /**< sizes.cells: tsr_grid_cell */
  int64_t *leaf;           /**< sizes.cells: index in tsr_grid_plan_nodes of the cell's leaf */
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
