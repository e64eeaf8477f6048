/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Tessera: grids of several processes, before they are refined. A part of the public header;
 * include tessera.h.
 *
 * Each process holds one box of the points of a grid, as its source gave it. tsr_grid_share decides
 * which whole roots each process owns and which box it needs for that, and checks that the parts
 * are of one grid. tsr_grid_move sends points and cells to the processes that need them.
 *
 * Boxes are extents: first and last point index along i, j, k, both included, as in VTK. A box
 * whose last is below its first is empty.
 */
#ifndef TSR_GRID_TESSERA_GRID_SHARE_H
#define TSR_GRID_TESSERA_GRID_SHARE_H

#include "common/processes/tessera_processes.h"
#include "grid/tessera_grid.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Points, or the cells between them: imin imax jmin jmax kmin kmax. */
typedef struct tsr_grid_box {
  int64_t at[6];
} tsr_grid_box;

/** 1 if the box has no point. */
int tsr_grid_box_is_empty(const tsr_grid_box *box);

/** Returns the number of points in the box or, if `cells` is 1, of cells. Along an axis with one
 *  point there is one cell. 0 for an empty box. */
int64_t tsr_grid_box_values(const tsr_grid_box *box, int cells);

/**
 * Proposes tsr_grid_options.base_levels for TREES: by how many levels the trees' roots are to be
 * coarser than coarsen_levels says, so that there are not many more than 4,096. The grid then has
 * the same leaves in fewer trees. 0 unless the geometry is UNIFORM, since trees have cells of equal
 * size. Roots reach beyond the whole only along axes where those of coarsen_levels do, and there by
 * at most a sixteenth of it or as far as those.
 * The sum of coarsen_levels, the result and refine_levels is at most TSR_GRID_MAX_LEVEL.
 */
int tsr_grid_base_levels(const tsr_grid_box *whole, tsr_grid_geometry geometry, int coarsen_levels,
                         int refine_levels);

/** Returns the box that process `rank` of `ranks` will need if all of them own roots: its own box
 * of whole roots of 2^coarsen_levels cells, and `margin` cells more on every side, within the
 * whole. If the source gives each process this box, nothing has to be moved. Empty if the process
 * will own nothing. */
tsr_grid_box tsr_grid_needed_box(const tsr_grid_box *whole, int coarsen_levels, int margin,
                                 int rank, int ranks);

/** The part of a grid that a process holds, and how the grid is shared out. All members but `view`
 *  and `kind` are the same in all processes. */
typedef struct tsr_grid_part {
  const tsr_grid_view *view; /**< extent: the points held. Geometry with origin, spacing, direction
                                  or coordinates; other members are ignored */
  int kind; /**< the caller's number for the kind of dataset: the same in all processes that hold
                 points */
  tsr_grid_box announced; /**< box of the points of all processes, as the source says; empty:
                               unknown */
  int coarsen_levels;     /**< roots are 2^coarsen_levels cells wide */
  int trees;              /**< 1: the output is TREES; roots are then wider by the number of levels
                               that tsr_grid_base_levels proposes */
  int refine_levels;      /**< for that number */
  int margin;             /**< cells that a process needs beyond its own, within the whole */
  const int *sharers;     /**< the ranks that are to own roots; NULL: all */
  int n_sharers;
} tsr_grid_part;

/** The boxes that each process holds, owns and needs. */
typedef struct tsr_grid_shares {
  tsr_grid_box whole; /**< the smallest box around all points held */
  tsr_grid_box *held; /**< for each process, the points that it holds */
  tsr_grid_box *own;  /**< for each process, the whole roots that it owns; empty for some if there
                           are fewer roots than processes. Together they are the whole */
  tsr_grid_box *need; /**< for each process, its own box and the margin */
  int in_place; /**< 1: nothing has to be moved: every process owns roots and holds what it needs,
                   or no process holds anything */
  int teller;   /**< the lowest process that holds points, else -1. All processes take the members
                     below from it */
  int kind;
  tsr_grid_geometry geometry;
  double origin[3], spacing[3], direction[9]; /**< UNIFORM */
  int base_levels; /**< for tsr_grid_options.base_levels; 0 unless part.trees. Roots that processes
                      own are 2^(coarsen_levels + base_levels) cells wide */
  double *axes[3]; /**< RECTILINEAR: the coordinates of the whole along each axis, else NULL */
} tsr_grid_shares;

/**
 * Decides which process owns which roots. Collective. One process owns all that it holds.
 * shares: receives the result, to be freed by tsr_grid_shares_free; all 0 on failure.
 * Fails with BAD_INPUT if a part is not valid, if the parts differ in kind, or (beyond rounding) in
 * where they lie in space, or if they are less than what was announced; with ABORTED if another
 * process failed; with NO_MEMORY. Gaps between the parts are found by tsr_grid_check_cover.
 */
tsr_status tsr_grid_share(const tsr_grid_part *part, const tsr_processes *processes,
                          tsr_grid_shares *shares, tsr_error *error);

/** Frees all memory of the shares, not the struct itself, which is all 0 afterwards. */
void tsr_grid_shares_free(tsr_grid_shares *shares);

/** Fails with BAD_INPUT where the extent of a view runs backwards or has more points than can be
 *  counted, or where its coordinates are not as many as its points. Not collective. */
tsr_status tsr_grid_check_part(const tsr_grid_view *view, tsr_error *error);

/** Fails with BAD_INPUT if no process holds some point (if `cells` is 1: cell) that this process
 *  needs; the text names one. Not collective. */
tsr_status tsr_grid_check_cover(const tsr_grid_shares *shares, const tsr_processes *processes,
                                int cells, tsr_error *error);

/** An array to move: one tuple for each point, or each cell, of a box, i fastest. */
typedef struct tsr_grid_column {
  int cells;        /**< 1: cell data. Along an axis with one point there is one cell */
  size_t tuple;     /**< bytes of a tuple; the same in all processes */
  const void *from; /**< the tuples of the box that this process holds */
  void *to;         /**< receives the tuples of the box that this process needs */
} tsr_grid_column;

/**
 * Sends each process the values that it needs. If several processes hold a value, that of the
 * highest rank is taken; if none does, `to` is left as it is there. Collective, over `exchange`.
 * Fails with NO_MEMORY or ABORTED.
 */
tsr_status tsr_grid_move(const tsr_grid_shares *shares, const tsr_processes *processes,
                         const tsr_grid_column *columns, int n_columns, tsr_error *error);

/**
 * Converts a box in space to index space: the box around all cells that the region touches. Where
 * cells are boxes along the axes, the result is exact, with fractions of cells.
 * view: whole, extent and geometry. axes: RECTILINEAR: the coordinates of the whole, as in
 * tsr_grid_shares.
 * region: xmin xmax ymin ymax zmin zmax; or 1 -1 1 -1 1 -1, VTK's empty bounds, which here mean the
 * bounds of the input. corners: receives -imin imax -jmin jmax -kmin kmax, so that the maximum over
 * processes is the box around theirs; all -infinity if the region touches no cell.
 */
void tsr_grid_region(const tsr_grid_view *view, const double *const axes[3], const double region[6],
                     double corners[6]);

/** 0 if the region is VTK's empty bounds, which mean the bounds of the input; else 1. */
int tsr_grid_region_is_set(const double region[6]);

/** Returns the coordinate of point `index` along an axis, in a UNIFORM grid without rotation or a
 *  RECTILINEAR grid. axes: RECTILINEAR: the coordinates of the whole along each axis. */
double tsr_grid_coordinate(const tsr_grid_view *view, const double *const axes[3], int axis,
                           int64_t index);

/** 1 if the cells are boxes along the axes: RECTILINEAR, or UNIFORM with identity direction. */
int tsr_grid_is_axis_aligned(const tsr_grid_view *view);

/** The piece of a composite dataset's block that one process holds. */
typedef struct tsr_grid_piece {
  int64_t block;
  int kind;         /**< the caller's number for the kind of dataset */
  int rank;         /**< the process that holds it; set by tsr_grid_shared_pieces */
  tsr_grid_box own; /**< its points, without ghost cells */
} tsr_grid_piece;

/** Returns the box of the points of the cells of an extent whose flags have no bit of `copies`,
 * that is, without ghost cells; empty if those cells do not fill a box. flags: one for each cell,
 * or NULL: all are 0. */
tsr_grid_box tsr_grid_own_box(const int64_t extent[6], const uint8_t *flags, uint8_t copies);

/**
 * Finds the blocks that are one grid spread over several processes: their pieces are of one kind
 * and fill a box without overlap. Collective. mine: the n pieces of this process; NULL is allowed
 * where n is 0. shared: receives the pieces of such blocks, block after block in rising order, and
 * in each by rank; to be freed by tsr_grid_pieces_free. NULL on failure. n_shared: receives how
 * many. Fails with NO_MEMORY, ABORTED.
 */
tsr_status tsr_grid_shared_pieces(const tsr_processes *processes, const tsr_grid_piece *mine,
                                  int64_t n, tsr_grid_piece **shared, int64_t *n_shared,
                                  tsr_error *error);

/** Frees the result of tsr_grid_shared_pieces; NULL is allowed. */
void tsr_grid_pieces_free(tsr_grid_piece *pieces);

#ifdef __cplusplus
}
#endif
#endif
