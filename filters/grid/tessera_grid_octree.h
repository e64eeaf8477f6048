/* SPDX-License-Identifier: BSD-3-Clause */
/** Tessera: adaptive grids from cells of several sizes. A part of the public header; include
 * tessera.h.
 */
#ifndef TSR_GRID_TESSERA_GRID_OCTREE_H
#define TSR_GRID_TESSERA_GRID_OCTREE_H

#include "common/tessera_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Places, besides the points of the cells, where data are known: for an octree that stands for a
 * mesh, the points of the mesh, and the centres of its cells. Criteria and attributes have the
 * values there in their member `samples`: an array with a tuple for each of octree->at_points, or
 * for cell data of octree->at_cells, and with the components of their own array; data NULL: none.
 *
 * A sample is in each cell that holds it, sides included, and that is not `outside`; a sample in no
 * such cell is ignored. A sample of point data at a corner of such a cell counts as a point of the
 * input: it is only in the first cell, in Morton order, that has the corner.
 *
 * - The measure INTERPOLATION_ERROR also looks at the samples in a node, and its threshold is
 *   guaranteed there as at points of the input; but leaves no larger than a cell of the octree are
 *   not refined: TSR_GRID_NOTE_SAMPLES counts those above the threshold. Cell data, TREES and
 *   PATCHES: the range of values in a node includes those of its samples. A relative threshold is a
 *   fraction of the range of the cells and samples together. Other measures ignore samples, and so
 *   does cell data that is moved to the points (tsr_grid_options.move_cells).
 * - The error of an attribute counts its samples, too, in leaves of every size.
 */
typedef struct tsr_grid_samples {
  int64_t n; /**< [0] */
  const double
      *places; /**< n x 3: in cells of level 0, counted from the lowest corner of the domain;
                    0 along an axis without cells. A sample outside all cells, or NaN, is ignored */
} tsr_grid_samples;

/**
 * Cells of several sizes, as of AMR, hyper trees and octrees. A cell of level 0 is one of
 * cells[0] x cells[1] x cells[2] boxes that make the whole domain; a cell of level n is a box after
 * n halvings along each axis that has cells. Cells must not overlap, and need not cover the domain:
 * what they leave out is a hole. If two cells are equal (as copies on several processes are), the
 * first one counts. Cells may be in any order.
 *
 * A view with an octree ignores whole, extent, owned and hidden_points; hidden_cells has a flag for
 * each of the cells, and cell arrays have a tuple for each. UNIFORM: origin is the lowest corner of
 * the domain, spacing the size of a cell of level 0. RECTILINEAR: coordinates has the sides of the
 * cells of level 0, one more along an axis than cells there (1 along an axis without cells); finer
 * cells halve them. With several processes each has all cells, and makes the part of the output
 * that its rank owns; gather is not called.
 */
typedef struct tsr_grid_octree {
  int32_t cells[3];       /**< cells of level 0 along each axis; 0 along an axis without cells. An
                               axis has at most 2^20 cells of the finest level (2D: 2^30) */
  int64_t n;              /**< number of cells */
  const uint8_t *level;   /**< n levels */
  const int32_t *index;   /**< n x 3: index of the cell among those of its level, counted from the
                               lowest corner of the domain; 0 along an axis without cells */
  const int64_t *corners; /**< n x 2^dimension: the tuple in point arrays of each corner of the
                               cell, in VTK's order of voxels; at one place, that of the first cell
                               in Morton order counts. NULL: tuples are in the order of the corners'
                               Morton numbers, each place once, and no cell is hidden */
  int64_t points;         /**< number of tuples of point arrays; 0: there are none */
  const uint8_t *outside; /**< n flags, or NULL. Not 0: the cell has values, but is no part of what
                               the octree stands for. A leaf of such cells alone is not in the
                             output, like one of hidden cells. Leaves may hold such cells beside
                             others; criteria, errors, means and counts ignore these cells, and the
                             points that no other cell has */
  tsr_grid_samples at_points; /**< samples of point data */
  tsr_grid_samples at_cells;  /**< samples of cell data */
} tsr_grid_octree;

#ifdef __cplusplus
}
#endif
#endif
