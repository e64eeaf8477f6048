/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Tessera: adaptive grids. A part of the public header; include tessera.h.
 *
 * The input is a structured grid of points, seen in index space: there an input cell is a unit
 * cube, and the grid is a box. A root cell holds 2^coarsen_levels input cells along each axis that
 * has cells. A node is (level, i, j, k): level 0 is a root, and each further level halves the side.
 * Nodes of level `coarsen_levels` are input cells; deeper nodes are parts of one input cell. To
 * refine a node is to divide it into its children; a leaf is a node of the grid that is not
 * refined. A node that reaches beyond the box is clipped to it, and children outside the box do not
 * exist. So the leaves cover the box exactly, whatever its size. All indices count from the lowest
 * corner of `whole`. Input cells may be hidden (view.hidden_cells, view.hidden_points). A leaf of
 * hidden cells is not in the output, except in trees and patches, which mark it as hidden; all
 * other leaves are visible.
 *
 * Which nodes are refined:
 * 1. From the roots down: a node whose parent is refined is refined if any criterion asks for
 *    it and its level is below the limits. A node with both hidden and visible cells is always
 *    refined; a node with hidden cells only is never refined.
 * 2. Buffer: the nodes within buffer_cells nodes, along every axis, of a node that step 1 refined
 *    are refined as well, below the same limits.
 * 3. Closure: the smallest set of refined nodes that contains those of steps 1 and 2 and fulfils
 *    three rules: the leaves are balanced (options.balance); the parent of a refined node is
 *    refined; and, for PATCHES only, aligned groups of block_size / 2 nodes along each axis are
 *    refined as a whole, since their children are one block. The level limits do not apply here.
 * 4. Guarantee: steps 2 and 3 make new leaves, whose interpolation error may be above the
 *    threshold. Each such leaf is refined, and it and its ancestors count as refined by step 1;
 *    then steps 2 and 3 are repeated, until no leaf is above the threshold. Of the criteria only
 *    the interpolation error is evaluated here.
 *
 * Several processes. Each process owns a box of whole roots (view.owned). It holds the data of
 * these roots and of tsr_grid_ghost_cells more input cells on every side that is not a side of the
 * whole grid. All communication goes through options.gather, which all processes call equally
 * often. It carries array ranges, the nodes that criteria refined in the roots near a border, and
 * numbers of cells. Whether criteria refine a node depends on its own cells and the ghost cells
 * only. Buffer, blocks and balance reach a bounded number of roots, and each process receives which
 * nodes of those roots other processes refined. So every root is refined as it would be in one
 * process, whatever the number of processes. Points on a border are in the output of each process
 * that has a cell there.
 */
#ifndef TSR_GRID_TESSERA_GRID_H
#define TSR_GRID_TESSERA_GRID_H

#include "common/tessera_common.h"
#include "grid/tessera_grid_octree.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Largest sum of options.coarsen_levels and options.refine_levels. */
#define TSR_GRID_MAX_LEVEL 30

/** Where the points are in space. */
typedef enum tsr_grid_geometry {
  TSR_GEOMETRY_UNIFORM = 0, /**< view.origin + view.direction (index * view.spacing) */
  TSR_GEOMETRY_RECTILINEAR, /**< view.coordinates, an array for each axis */
  TSR_GEOMETRY_POINTS       /**< view.points, a place for each point */
} tsr_grid_geometry;

/** The input grid. An extent is imin imax jmin jmax kmin kmax: the first and the last point index
 *  along each axis, both included, as in VTK. Arrays run with i fastest. An extent with a last
 *  index below the first is empty: this process has no part of the grid, and its arrays are
 *  ignored. */
typedef struct tsr_grid_view {
  size_t struct_size;
  int64_t whole[6];  /**< points of the whole grid; the same in all processes */
  int64_t extent[6]; /**< points of the arrays held here; within whole */
  int64_t owned[6];  /**< points of the roots that this process owns; within extent. Each side
                          lies on a multiple of 2^coarsen_levels cells from the lowest corner of
                          whole, or at the end of whole. All six 0 (the default): this process owns
                          all of extent */
  tsr_grid_geometry geometry;
  double origin[3], spacing[3]; /**< UNIFORM: origin is where index 0 0 0 is; spacing [1 1 1] */
  double direction[9];          /**< UNIFORM: row by row [identity] */
  tsr_array coordinates[3]; /**< RECTILINEAR: 1 component, as many as extent has along the axis */
  tsr_array points;         /**< POINTS: 3 components, one tuple a point of extent */
  const uint8_t *hidden_cells;  /**< a flag for each cell of extent, or NULL. Not 0: hidden, which
                                     means not in the output, and its values are ignored */
  const uint8_t *hidden_points; /**< a flag for each point of extent, or NULL. Not 0: the cells that
                                     have this point are hidden */
  const tsr_grid_octree *octree; /**< NULL (default): the input is a structured grid. Else it is
                                    these cells, borrowed: see tessera_grid_octree.h */
} tsr_grid_view;

/** Sets every member to its default: 0 and NULL, except direction (identity) and spacing (1).
 *  `view` must not be NULL. */
void tsr_grid_view_init(tsr_grid_view *view);

/** What a criterion measures in a node. Point data are multilinear in each input cell. */
typedef enum tsr_grid_measure {
  TSR_MEASURE_VALUE_RANGE = 0, /**< largest minus smallest value */
  TSR_MEASURE_GRADIENT, /**< undivided: largest magnitude of the gradient in an input cell (at its
                             centre, per index), times the node's size in input cells */
  TSR_MEASURE_SECOND_DERIVATIVE,  /**< Loehner's estimator, between 0 and 1, with filter 0.01 and
                                       the mixed derivatives counted in both orders; the largest at
                                       an input point (cell data: of an input cell). Loehner,
                                       Comput. Methods Appl. Mech. Eng. 61, 1987 */
  TSR_MEASURE_VORTICITY,          /**< largest magnitude of the curl, in space; 3 components */
  TSR_MEASURE_Q,                  /**< largest (|W|^2 - |S|^2) / 2, in space; 3 components. W and S
                                       are the antisymmetric and the symmetric part of the gradient
                                       of the vector */
  TSR_MEASURE_STANDARD_DEVIATION, /**< standard deviation of the values. Point data: of the corner
                                       values of all its input cells, so that a point counts once
                                       for each cell that has it */
  TSR_MEASURE_IN_RANGE,           /**< 1 if a value is within [lower, upper], else 0. Point data: 1
                                       if the range of the corner values of an input cell overlaps
                                       [lower, upper] */
  TSR_MEASURE_INTERPOLATION_ERROR /**< largest difference, at an input point, between the input and
                                       the multilinear interpolant of the node's corners. The
                                       threshold is guaranteed in every leaf at every input point,
                                       for the interpolant of the leaf as it is in the output: for
                                       CELLS without `constrain`, and for CONFORMING, where that of
                                       a cut leaf is VTK's in its parts. POLYGONS without
                                       `constrain`: for the multilinear interpolant, which is not
                                       VTK's in a polygon of more than four corners.
                                       Cell data, TREES and PATCHES: the measure is the
                                       largest minus the smallest value of a component, an upper
                                       bound of the difference between an input value and the
                                       leaf's; it never refines below the input cells */
} tsr_grid_measure;

/** One criterion: a node is refined where its measure is above the threshold. */
typedef struct tsr_grid_criterion {
  tsr_grid_measure measure;
  tsr_array array;     /**< as many tuples as the extent has points, or cells */
  int cell_data;       /**< 1: cell data */
  int component;       /**< component of the array; -1: the magnitude. INTERPOLATION_ERROR with -1:
                            the largest error of any component, relative to the range of the values
                            of all components together. VORTICITY and Q ignore it */
  double threshold;    /**< finite, >= 0; IN_RANGE does not use it */
  double lower, upper; /**< IN_RANGE: the bounds of the range, both included; lower <= upper */
  int relative;        /**< 1: threshold, lower and upper are fractions of the array's range; for
                            VORTICITY and Q, of the largest measure of an input cell. Ignored for
                            SECOND_DERIVATIVE, which is dimensionless. If the range is 0, the
                            threshold is infinite */
  double range[2];     /**< for `relative`: smallest and largest value of the array over all
                            processes. range[0] > range[1] (the default): the plan finds them,
                            through gather */
  int max_level; /**< the criterion refines only nodes whose level is below max_level; -1: any */
  tsr_array samples; /**< INTERPOLATION_ERROR with view.octree: see tsr_grid_samples */
} tsr_grid_criterion;

/** Sets *criterion to its defaults: VALUE_RANGE of the magnitude, no limit of levels; the plan
 * finds the array's range. */
void tsr_grid_criterion_init(tsr_grid_criterion *criterion);

/** Which grid the plan makes. */
typedef enum tsr_grid_mode {
  TSR_GRID_ADAPTIVE = 0,
  TSR_GRID_COARSE, /**< no criterion is evaluated: the leaves are roots, except where roots are
                        refined because some of their cells are hidden, by TREES or PATCHES, or by
                        options.base_levels */
  TSR_GRID_FINE    /**< the finest level everywhere */
} tsr_grid_mode;

/** What comes out. */
typedef enum tsr_grid_output_kind {
  TSR_GRID_CELLS = 0, /**< leaves as voxels, pixels, lines (or hexahedra, quads: the caller's choice
                           of connectivity order) with shared points */
  TSR_GRID_POLYGONS,  /**< 2D: leaves as polygons whose corners include the hanging points on their
                           sides */
  TSR_GRID_TREES,     /**< every node of sizes.tree_level as a tree, breadth first, for
                           vtkHyperTreeGrid. Nodes are not clipped here: every node that reaches
                           beyond the box is refined, down to the input cells, and cells outside
                           the box are masked */
  TSR_GRID_PATCHES,   /**< blocks of nodes of one level that overlap the blocks of coarser levels,
                           for vtkOverlappingAMR; balanced by corners. A node that reaches beyond
                           the box is always refined and is in no block */
  TSR_GRID_CONFORMING /**< as CELLS, but without hanging points: a leaf that touches finer leaves is
                           cut into pyramids and tetrahedra (2D: triangles), so that cells share
                           whole faces. Some leaves get a new point at their centre. Balanced at
                           least by edges (2D: by faces). The guarantee of the interpolation error
                           holds in the parts as well */
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

/** How kernels are launched on a CUDA device. Results never depend on it, and the CPU ignores it.
 *  Set up by tsr_grid_options_init; default in brackets. */
typedef struct tsr_grid_launch {
  tsr_grid_strategy strategy; /**< [AUTO] */
} tsr_grid_launch;

/** A node of the grid. The indices count nodes of its level from the lowest corner of whole. */
typedef struct tsr_grid_node {
  int32_t index[3]; /**< 0 along an axis without cells */
  int32_t level;
} tsr_grid_node;

/** Marks: nodes that criteria refined, in a plan or in those whose marks it was given. With the
 * marks of all time steps, one grid can be made that suits each of them. The nodes are in any
 * order; the ancestors of a node may be missing, and a node may be listed twice. */
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
  int64_t cell_budget; /**< [0] ADAPTIVE, > 0: upper limit of the number of cells over all
                            processes; 0: no limit. The thresholds are multiplied by a factor
                            >= 1 that a search finds: the smallest that keeps the limit, or one that
                            uses 99 to 100 % of it, where the search ends.
                            A threshold of 0 is then a BAD_OPTION, except for IN_RANGE, which is not
                            scaled. CONFORMING counts cells after leaves are cut; a smaller factor
                            may then keep the limit as well, since more leaves can give fewer cells.
                            TREES and PATCHES count visible leaves. If even an infinite factor gives
                            more cells, the output is the grid of that factor, with
                            TSR_GRID_NOTE_BUDGET. On the CPU the search takes 8 bytes for each
                            criterion and node above the input cells */
  int use_region;      /**< [0] 1: the level limits depend on the region */
  double region[6];    /**< in index space: imin imax jmin jmax kmin kmax, as view.whole */
  int inside_level;    /**< [30] with use_region: a node that overlaps the region is refined by
                            steps 1 and 2 only if its level is below this one. Along an axis where
                            the region has no width, touching it counts as overlapping */
  int outside_level;   /**< [30] with use_region: the limit for all other nodes */
  tsr_grid_output_kind output; /**< [CELLS] */
  int block_size;              /**< [8] PATCHES: cells along a side of a block: 2, 4, 8 ... 64 */
  int constrain; /**< [0] CELLS, POLYGONS: 1: a point that hangs on a coarser leaf takes its values
                      from the interpolant of that leaf (with POINTS geometry also its place), so
                      that the interpolation is continuous across leaves */
  /**
   * All-gather, as tsr_gather: sends this process's `bytes` bytes to all processes, and receives
   * sizes[k] bytes from each rank k in `all`, in the order of the ranks; sizes has n_ranks values.
   * Returns 0, or not 0 if it failed in any process. NULL (default): there is one process.
   */
  int (*gather)(void *gather_context, const void *mine, int64_t bytes, void *all,
                const int64_t *sizes);
  void *gather_context;
  int n_ranks;         /**< [1] */
  int rank;            /**< [0] */
  int64_t limit_cells; /**< [0] > 0: a plan of more cells in this process ends with TSR_TOO_LARGE */
  tsr_grid_launch launch;
  tsr_grid_marks marks; /**< [none] ADAPTIVE: nodes that are refined, with their ancestors, as if a
                             criterion asked for them: the marks of other plans of this grid with
                             the same levels and region. Nodes that other processes own are ignored.
                             The guarantee of the interpolation error covers the leaves that marks
                             make. Borrowed as long as the plan lives. Not with a cell budget */
  int keep_marks;       /**< [0] 1: tsr_grid_plan_marks returns marks. Not with a cell budget */
  int64_t keep_bytes;   /**< [2^30] CUDA, >= 0: limit in bytes of the input arrays, of all plans
                             together, that stay on a device after their plan is freed, so that the
                             next plan need not upload them. 0: this plan keeps none. Beyond the
                             limit the least recently used arrays are freed first; if device memory
                             runs short, all unused ones are freed. Needs tsr_execution.owner */
  int64_t device_bytes; /**< [0] CUDA, 3D, >= 0: limit in bytes of the input arrays that are on the
                             device at the same time; 0: the free memory. Larger input is uploaded
                             in slabs of whole roots, two at a time. A slab has at least two layers
                             of roots and 16 layers of cells, even if that is above the limit. None
                             of this input stays for later plans. Ignored with POINTS geometry */
  const char *const *criterion_names; /**< [NULL] n_criteria names of the criteria, for errors, as
                                           "the gradient of 'T'"; NULL: errors say "criterion 0".
                                           Borrowed as long as the plan lives */
  int move_cells; /**< [0] with view.octree, 1: criteria look at cell arrays as moved to the points:
                       the value at a corner is that of the linear function fitted by least squares
                       to the cells around it (Holmes and Connell, AIAA 89-1932: weights that keep
                       linear functions exact), clamped to the range of these cells. At the border
                       of the domain and of holes the next cells inward count as well; there the
                       value may exceed the range of the cells at the point by the difference
                       between these and their inward neighbours, summed over the axes.
                       RECTILINEAR: not clamped */
  int base_levels; /**< [0] TREES of a structured grid, 0 to coarsen_levels: nodes of levels below
                      this one are always refined, in every mode. The leaves are those of
                      coarsen_levels minus this number; trees are fewer and deeper.
                      tsr_grid_base_levels (tessera_grid_choices.h) proposes a number */
} tsr_grid_options;

/** Sets every member to its default. `options` must not be NULL. */
void tsr_grid_options_init(tsr_grid_options *options);

/** Returns the table of the options that the user sets; n: receives its length. The table is
 *  constant and belongs to the library. */
const tsr_property *tsr_grid_properties(int *n);

/** Checks that every option is in its range; fails with BAD_OPTION. tsr_grid_plan_create checks the
 *  options as well. A caller that needs valid levels earlier, to partition the grid between
 *  processes, calls this function first. */
tsr_status tsr_grid_check_options(const tsr_grid_options *options, tsr_error *error);

/** Returns the number of layers of input cells beyond the owned ones that a process must hold on
 *  each side of view.owned that is not a side of the whole grid. */
int tsr_grid_ghost_cells(const tsr_grid_options *options);

/** What a plan noticed. */
typedef enum tsr_grid_note {
  TSR_GRID_NOTE_NOT_FINITE = 0, /**< input cells with a value that is not finite (point data: at one
                                     of their points); the grid is refined down to them */
  TSR_GRID_NOTE_FLAT_CELL,      /**< input cells without volume, where no derivative exists */
  TSR_GRID_NOTE_BUDGET,         /**< cells beyond cell_budget, even with infinite thresholds */
  TSR_GRID_NOTE_SAMPLES, /**< ADAPTIVE: leaves no larger than a cell of the octree that have a
                              sample whose error is above the threshold; `first` is the
                              number of such a cell */
  TSR_GRID_NOTES         /**< number of notes */
} tsr_grid_note;

/** Writes the note as a sentence for the user into text, cut to `size` bytes (> 0) including the
 *  NUL at its end. Nothing is written if count.count is 0. */
void tsr_grid_note_sentence(tsr_grid_note note, tsr_note_count count, char *text, size_t size);

/** Exact sizes of the output of a plan, in this process unless a member says otherwise. */
typedef struct tsr_grid_sizes {
  int dimension;        /**< number of axes that have cells: 0 to 3 */
  int levels;           /**< the finest level that a leaf may have */
  int64_t cells;        /**< leaves; TREES: nodes of all trees; PATCHES: cells of all blocks;
                             CONFORMING: whole leaves and parts of cut ones */
  int64_t leaves;       /**< visible leaves */
  int64_t cut_leaves;   /**< CONFORMING: visible leaves that are cut */
  int64_t points;       /**< CELLS, POLYGONS, CONFORMING: points */
  int64_t connectivity; /**< CELLS, POLYGONS, CONFORMING: point ids of all cells together */
  int64_t trees;        /**< TREES: number of trees */
  int tree_level;       /**< TREES: level of the trees' roots: the first level with a node that lies
                             wholly in the box */
  int64_t patches;      /**< PATCHES: number of blocks */
  int64_t leaves_of_level[TSR_GRID_MAX_LEVEL + 1]; /**< visible leaves of each level */
  int64_t all_leaves;                              /**< visible leaves in all processes */
  int64_t fine_cells;                   /**< visible leaves that mode FINE would give, in all
                                             processes */
  double threshold_scale;               /**< factor on thresholds that the cell budget needed; 1
                                             without a budget; can be infinite */
  tsr_note_count notes[TSR_GRID_NOTES]; /**< of this process; `first` is the number of an input cell
                                             of the whole grid, i fastest, or of view.octree */
} tsr_grid_sizes;

/** A plan: the checked input, the refined nodes, and the number and place of all output cells and
 *  points. Made by tsr_grid_plan_create, freed by tsr_grid_plan_free. */
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

/** Returns the sizes, which belong to the plan: valid until it is freed. */
const tsr_grid_sizes *tsr_grid_plan_sizes(const tsr_grid_plan *plan);

/**
 * Counts, without a plan, the visible leaves that mode FINE would give in this process.
 * cells: receives their number, or INT64_MAX if it is larger; 0 on failure.
 * Not collective. Reads no arrays except hidden_cells and hidden_points.
 * Fails with BAD_OPTION, BAD_INPUT, NO_MEMORY.
 */
tsr_status tsr_grid_count_fine(const tsr_grid_view *view, const tsr_grid_options *options,
                               int64_t *cells, tsr_error *error);

/** Returns the node of each output cell: sizes.cells nodes. CONFORMING: the node of each leaf,
 *  sizes.leaves nodes; tsr_grid_output.leaf maps cells to leaves. The nodes belong to the plan and
 *  are valid until it is freed. Returns NULL if there is no cell or if memory runs out. */
const tsr_grid_node *tsr_grid_plan_nodes(const tsr_grid_plan *plan);

/**
 * Returns the marks of a plan: the nodes that criteria refined, their ancestors, and options.marks,
 * before buffer, blocks and balance. Only nodes in roots that this process owns are listed, root by
 * root. Valid until the plan is freed; empty unless options.keep_marks is set.
 *
 * To make one grid for many time steps, plan each step with the marks of the step before, the first
 * step without marks. A plan with the marks of the last step is then the same grid at each step,
 * and refines every node that the grid of any step refines. With the interpolation error, an
 * earlier step may have to refine leaves that the marks of a later step made. Repeat the pass over
 * all steps then, starting with the last marks, until a whole pass leaves the number of marks,
 * summed over processes, unchanged.
 */
tsr_grid_marks tsr_grid_plan_marks(const tsr_grid_plan *plan);

/** Copies the report so far to *report; it is complete after tsr_grid_fill. items: the owned
 *  input cells; points, cells: as in the sizes; tolerance_scale: sizes.threshold_scale. */
void tsr_grid_plan_report(const tsr_grid_plan *plan, tsr_report *report);

/** An array of the output and its input. The values of the output are:
 *  - Point array, output CELLS, POLYGONS, CONFORMING: at an input point the input tuple, elsewhere
 *    the multilinear interpolant; at a centre point of a cut leaf the mean of the leaf's corners.
 *  - Point array, output TREES, PATCHES, which have cells only: the mean over the node, where each
 *    input cell counts with the mean of its corners.
 *  - Cell array: the mean over the node's visible input cells, weighted by volume; for a node no
 *    larger than an input cell the tuple of that cell.
 *  Means are computed in double by pairwise summation up the tree. The rounding error of the mean
 *  of a node m levels above the input cells is at most (3 m + 4) 2^-53 times the mean magnitude in
 *  the node, or (6 m + 15) 2^-53 times where cells are weighted by their volumes. Integers are
 * rounded half away from zero. */
typedef struct tsr_grid_attribute {
  tsr_array in;  /**< as many tuples as the extent has points, or cells */
  int cell_data; /**< 1: cell data; 2, with view.octree: cell data that become point data, see
                      tsr_grid_options.move_cells */
  void *out;     /**< tuples of in.type: sizes.cells for cell data that stay so, else sizes.points;
                      NULL: the error only */
  double *error; /**< receives the largest difference, in any component, between input and output
                      over this process's visible leaves; NULL: not wanted. Point arrays: at input
                      points, to the leaf's interpolant (CONFORMING: to that in the parts of a cut
                      leaf). Cell arrays: in input cells, to the leaf's value. Values that are not
                      finite are ignored. Means of integers are compared before they are rounded */
  tsr_array samples; /**< with view.octree: they count for the error; see tsr_grid_samples */
} tsr_grid_attribute;

/** State of a cell of TREES and PATCHES. */
typedef enum tsr_grid_state {
  TSR_STATE_LEAF = 0, /**< a visible leaf */
  TSR_STATE_COVERED,  /**< a refined node: its children are in the output as well */
  TSR_STATE_HIDDEN,   /**< a leaf of hidden cells */
  TSR_STATE_OUTSIDE   /**< TREES: a node outside the box */
} tsr_grid_state;

/** A block of nodes of one level: node indices [begin, end) along each axis. Its output cells have
 *  the numbers first, first + 1, ..., i fastest. */
typedef struct tsr_grid_patch {
  int32_t level;
  int32_t begin[3], end[3];
  int64_t first;
} tsr_grid_patch;

/** Where tsr_grid_fill writes. A member that is NULL is not written. Set up by
 *  tsr_grid_output_init. */
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
  int hexahedra;        /**< [0] 1: corners in VTK's order of hexahedra and quads; 0: of voxels and
                             pixels */
  int32_t *level;       /**< sizes.cells: level of the node minus options.base_levels; negative for
                             the nodes that these levels add */
  double *indicator;    /**< sizes.cells: for a leaf, the largest ratio over the criteria of
                             measure to threshold, absolute and scaled by the budget; above 1, a
                           criterion asks to refine it.    IN_RANGE counts as 2 if its measure is 1, else
                           as 0. A threshold of 0    that is exceeded gives infinity. 0 for cells that are
                           no leaves */
  int64_t *source_cell; /**< sizes.cells: index, among the cells of view.extent or of view.octree,
                           of the node's first input cell (lowest i, j, k; octree: in Morton order);
                             -1 if the node lies outside the box */
  uint8_t *state;       /**< sizes.cells: tsr_grid_state */
  uint8_t *hanging;    /**< sizes.points: 1: a hanging point, which lies on a leaf without being one
                            of its corners; CONFORMING: 0 */
  int64_t *tree_first; /**< TREES: sizes.trees + 1: first cell of each tree. The trees are the
                            owned nodes of sizes.tree_level, i fastest. The cells of a tree are in
                            breadth-first order: level by level, and in a level the children of one
                            refined node after those of another, 2^dimension each, i fastest */
  int32_t *tree_root;  /**< TREES: sizes.trees x 3: index of the root */
  tsr_grid_patch *patches;              /**< PATCHES: sizes.patches, coarse levels first */
  const tsr_grid_attribute *attributes; /**< n_attributes; NULL if 0 */
  int n_attributes;
  uint8_t *cell_type;      /**< sizes.cells: type of the cell, as cell_type_of says */
  int64_t *leaf;           /**< sizes.cells: index in tsr_grid_plan_nodes of the cell's leaf */
  uint8_t cell_type_of[4]; /**< [0, 1, 2, 3] number that cell_type receives for each tsr_grid_cell,
                                for instance VTK's cell types */
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
