/* SPDX-License-Identifier: BSD-3-Clause */
/** Boxes of unstructured grids: how their cells are read, and what is known of them before they
 * have levels. Not public. */
#ifndef TSR_MESH_BOXES_BOXES_H
#define TSR_MESH_BOXES_BOXES_H

#include "common/ghosts.h"
#include "common/support.h"
#include "mesh/shape/kind_math.h"
#include "mesh/tessera_mesh_boxes.h"

/** Cells that a thread takes at a time. */
enum { TSR_BOXES_GRAIN = 1 << 14 };

/** What a cell may be wrong by is told in a text of this size. */
enum { TSR_BOXES_TEXT = 400 };

/** Extremes of cells. Plain bytes, which processes send each other. */
typedef struct tsr_boxes_extremes {
  double low[3], high[3];      /**< of all points of cells */
  double largest[3], least[3]; /**< sides of cells */
  double at[3];                /**< lowest corner of the first cell with the largest side */
  int32_t dimension;           /**< of the cells; 0: there is none */
  int32_t wide;                /**< 1: coordinates are double */
} tsr_boxes_extremes;

/** Dimension of a kind of cell that may be a box; 0 for others. */
static inline int tsr_boxes_dimension(int kind) {
  return kind == TSR_MESH_VOXEL || kind == TSR_MESH_HEXAHEDRON ? 3
         : kind == TSR_MESH_PIXEL || kind == TSR_MESH_QUAD     ? 2
                                                               : 0;
}

/** Where the ids of cell i begin; i may be n_cells. */
static inline int64_t tsr_boxes_first(const tsr_mesh_view *view, int64_t i) {
  return tsr_load_index(view->offsets, view->index_type, i);
}

/** Point id `at` of the connectivity. */
static inline int64_t tsr_boxes_id(const tsr_mesh_view *view, int64_t at) {
  return tsr_load_index(view->connectivity, view->index_type, at);
}

/** A coordinate of a point. */
static inline double tsr_boxes_coordinate(const tsr_mesh_view *view, int64_t id, int axis) {
  const int64_t at = 3 * id + axis;
  return view->points.type == TSR_FLOAT ? (double)((const float *)view->points.data)[at]
                                        : ((const double *)view->points.data)[at];
}

/** A kind of cell with its article, for sentences. */
const char *tsr_boxes_word(int kind);

/** Adds the extremes of cells to those of cells before them. Cells of fewer dimensions than others
 *  are left out: they are told of later. */
void tsr_boxes_add(const tsr_boxes_extremes *other, tsr_boxes_extremes *sum);

/** Finds the lattice from the extremes of all processes. Fails with BAD_INPUT. */
tsr_status tsr_boxes_make_lattice(const tsr_boxes_extremes *sum, tsr_mesh_boxes *boxes,
                                  tsr_error *error);

/** Work on a cell. Returns 1 if it is fine; else 0, and writes into `text` what is wrong with it.
 *  part: number of the piece of work that the cell is in. */
typedef int (*tsr_boxes_visitor)(void *data, int64_t part, int64_t cell, char *text);

/** Visits all cells, TSR_BOXES_GRAIN at a time, on several threads. A piece ends at its first cell
 *  at fault; the first of all is named in *error. Fails with BAD_INPUT, ABORTED. */
tsr_status tsr_boxes_visit(const tsr_execution *execution, int64_t n, tsr_boxes_visitor visit,
                           void *data, tsr_error *error);

#endif
