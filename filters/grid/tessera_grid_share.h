/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Tessera: grids of several processes, before they are refined. A part of the public header;
 * include tessera.h.
 *
 * Each process holds one box of the points of a grid, whatever its source gave it. tsr_grid_share
 * decides which whole roots each process owns and what box it needs for that, and makes sure that
 * the parts agree; tsr_grid_move brings the points and cells there.
 *
 * Boxes are extents: first and last point index along i, j, k, both included, as in VTK. A last
 * below the first: empty.
 */
#ifndef TESSERA_GRID_SHARE_H
#define TESSERA_GRID_SHARE_H

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

/** Values of an array of its points, or of its cells: along an axis with one point there is one
 *  cell. 0 of an empty box. */
int64_t tsr_grid_box_values(const tsr_grid_box *box, int cells);

/** What process `rank` of `ranks` will need where all share the grid out: its own box of whole
 * roots of 2^coarsen_levels cells, and `margin` cells beyond it within the whole. A source that
 * gives it just that saves moving it. Empty where it will own nothing. */
tsr_grid_box tsr_grid_needed_box(const tsr_grid_box *whole, int coarsen_levels, int margin,
                                 int rank, int ranks);

/** What one process gives to a grid, and who shares it. All but the view and `kind` is the same in
 *  all processes. */
typedef struct tsr_grid_part {
  const tsr_grid_view *view; /**< its extent: the points held. Its geometry with origin, spacing,
                                  direction or coordinates; the rest is not looked at */
  int kind; /**< any number for the kind of dataset: processes that hold something must
                 have the same */
  tsr_grid_box announced; /**< points that the source says all hold together; empty: unknown */
  int coarsen_levels;     /**< roots are 2^coarsen_levels cells wide */
  int margin;             /**< cells that each needs beyond its own, within the whole */
  const int *sharers;     /**< the ranks that shall own roots; NULL: all */
  int n_sharers;
} tsr_grid_part;

/** Who holds, owns and needs what. */
typedef struct tsr_grid_shares {
  tsr_grid_box whole; /**< around all that is held */
  tsr_grid_box *held; /**< of each process */
  tsr_grid_box *own;  /**< of each process: whole roots; empty where there are fewer roots than
                           processes. Together they are the whole */
  tsr_grid_box *need; /**< of each process: its own box and the margin */
  int in_place; /**< 1: nothing has to move. Every process then owns something and holds what it
                     needs, or none holds anything */
  int teller;   /**< the lowest process that holds anything, else -1. What follows is the same
                     in all processes, as it says */
  int kind;
  tsr_grid_geometry geometry;
  double origin[3], spacing[3], direction[9]; /**< UNIFORM */
  double *axes[3]; /**< RECTILINEAR: the coordinates of the whole along each axis, else NULL */
} tsr_grid_shares;

/**
 * Shares a grid out. Collective. With one process it owns all that it holds.
 * shares: receives the result, to be freed by tsr_grid_shares_free; all 0 on failure.
 * Fails with BAD_INPUT where a part cannot be one, where the parts disagree on their kind or on
 * where they lie by more than rounding, or are not all of what was announced; with ABORTED where
 * another process failed; with NO_MEMORY. What no process holds, and was not announced, is found by
 * tsr_grid_check_cover.
 */
tsr_status tsr_grid_share(const tsr_grid_part *part, const tsr_processes *processes,
                          tsr_grid_shares *shares, tsr_error *error);

/** Frees what the shares have, not the struct itself, which is all 0 afterwards. */
void tsr_grid_shares_free(tsr_grid_shares *shares);

/** Fails with BAD_INPUT where the extent of a view runs backwards or has more points than can be
 *  counted, or where its coordinates are not as many as its points. Not collective. */
tsr_status tsr_grid_check_part(const tsr_grid_view *view, tsr_error *error);

/** Fails with BAD_INPUT where no process holds a point that `rank` needs, or, with `cells`, a cell:
 *  the text names it. Not collective. */
tsr_status tsr_grid_check_cover(const tsr_grid_shares *shares, const tsr_processes *processes,
                                int cells, tsr_error *error);

/** An array on its way: values of the points, or the cells, of a box, i fastest. */
typedef struct tsr_grid_column {
  int cells;        /**< 1: of cells. Along an axis with one point there is one cell */
  size_t tuple;     /**< bytes of a tuple; the same in all processes */
  const void *from; /**< what this process holds */
  void *to;         /**< room for what it needs */
} tsr_grid_column;

/**
 * Fills what each process needs with what is held; where several hold a value it is that of the
 * highest rank. Collective, over `exchange`. What tsr_grid_check_cover misses stays as it was.
 * Fails with NO_MEMORY or ABORTED.
 */
tsr_status tsr_grid_move(const tsr_grid_shares *shares, const tsr_processes *processes,
                         const tsr_grid_column *columns, int n_columns, tsr_error *error);

/**
 * The input points within a box in space, in index space: those of the cells that it touches, parts
 * of cells as fractions where cells are boxes along the axes.
 * view: whole, extent and geometry. axes: RECTILINEAR: the coordinates from view->whole on, as of
 * tsr_grid_shares.
 * region: xmin xmax ymin ymax zmin zmax; or 1 -1 1 -1 1 -1, VTK's bounds of nothing, which stand
 * for those of the input. corners: receives -imin imax -jmin jmax -kmin kmax, so that a maximum
 * joins those of processes; all -infinity where no cell is touched.
 */
void tsr_grid_region(const tsr_grid_view *view, const double *const axes[3], const double region[6],
                     double corners[6]);

/** 0 where a region stands for the bounds of the input. */
int tsr_grid_region_is_set(const double region[6]);

/** Where point `index` of a UNIFORM grid without rotation, or of a RECTILINEAR one, lies along an
 *  axis. axes: the coordinates from view->whole on. */
double tsr_grid_coordinate(const tsr_grid_view *view, const double *const axes[3], int axis,
                           int64_t index);

/** 1 if its cells are boxes along the axes. */
int tsr_grid_is_axis_aligned(const tsr_grid_view *view);

/** A piece of a block of a composite. */
typedef struct tsr_grid_piece {
  int64_t block;
  int kind;         /**< any number for the kind of dataset */
  int rank;         /**< who holds it; set by tsr_grid_shared_pieces */
  tsr_grid_box own; /**< without copies of what others hold */
} tsr_grid_piece;

/** The points of the cells of an extent whose flags have no bit of `copies`; empty where they fill
 *  no box. flags: one a cell, or NULL: 0. */
tsr_grid_box tsr_grid_own_box(const int64_t extent[6], const uint8_t *flags, uint8_t copies);

/**
 * Which blocks are one grid that several processes hold pieces of: those whose pieces are of one
 * kind and fill a box without overlap. Collective.
 * mine: the n pieces of this process; NULL is allowed where n is 0.
 * shared: receives the pieces of such blocks, block after block in rising order, and in each by
 * rank; to be freed by tsr_grid_pieces_free. NULL on failure. n_shared: receives how many.
 * Fails with NO_MEMORY, ABORTED.
 */
tsr_status tsr_grid_shared_pieces(const tsr_processes *processes, const tsr_grid_piece *mine,
                                  int64_t n, tsr_grid_piece **shared, int64_t *n_shared,
                                  tsr_error *error);

/** Frees what tsr_grid_shared_pieces gave; NULL is allowed. */
void tsr_grid_pieces_free(tsr_grid_piece *pieces);

#ifdef __cplusplus
}
#endif
#endif
