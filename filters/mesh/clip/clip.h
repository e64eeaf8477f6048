/* SPDX-License-Identifier: BSD-3-Clause */
/** Unstructured meshes: the plan that cuts leaves at the surface, and its phases in the order of
 * the work. Not public. */
#ifndef TSR_MESH_CLIP_CLIP_H
#define TSR_MESH_CLIP_CLIP_H

#include "mesh/clip/source.h"
#include "mesh/mesh.h"
#include "mesh/tessera_mesh_clip.h"

/** A tree over the boxes of leaves [0, n). The node of the leaves [begin, end) has the number `at`;
 *  those of its halves, which meet at `begin` + (`end` - `begin`) / 2, have at + 1 and the number
 *  behind all nodes of the first half. */
typedef struct tsr_clip_boxes {
  int64_t n;
  double *box; /**< 2 n - 1 nodes x 6: the lowest and the highest corner */
} tsr_clip_boxes;

/** A piece, as it is listed before its points are numbered. */
typedef struct tsr_clip_piece {
  double x[4][3];
  int64_t leaf, cell;
  int32_t face, edge; /**< of the simplex of the cell, as tsr_mesh_spot has them */
} tsr_clip_piece;

/** A plan. All memory is the mesh plan's. */
struct tsr_mesh_clip {
  tsr_mesh_plan plan; /**< reads the mesh, on the CPU; it has no tree. First member */
  tsr_mesh_clip_options options;
  tsr_clip_boxes boxes;
  double *leaves;    /**< n_leaves x 4: by inner axes, in finest cells */
  uint8_t *cut;      /**< n_leaves: 1: replaced by pieces */
  uint8_t *seen;     /**< n_leaves: 1: the middle is in a cell of the mesh */
  int64_t *first;    /**< n_leaves + 1: cells in `touching` before those of each leaf */
  int64_t *touching; /**< cells whose boxes overlap a leaf that is cut, in rising order */
  int64_t *before;   /**< n_leaves + 1: pieces before those of each leaf */
  tsr_clip_piece *piece;
  int64_t *number; /**< corners of pieces, (dimension + 1) each: the point */
  int64_t *corner; /**< points: the first corner that has it */
  tsr_mesh_clip_sizes sizes;
};

/* ---- search.c */

/** Is called with each leaf whose inside overlaps a box. */
typedef void (*tsr_clip_visitor)(void *data, int64_t leaf);
/** Visits these leaves in rising order. */
void tsr_clip_visit(const tsr_clip_boxes *boxes, const double low[3], const double high[3],
                    int dimension, tsr_clip_visitor visit, void *data);
/** Makes the tree of boxes. */
tsr_status tsr_clip_make_boxes(tsr_mesh_clip *clip, tsr_error *error);

/* ---- touch.c */

/** Finds the leaves that are cut, and the cells of the mesh near each. */
tsr_status tsr_clip_find_cells(tsr_mesh_clip *clip, tsr_error *error);

/* ---- pieces.c */

/** Lists the pieces. */
tsr_status tsr_clip_make_pieces(tsr_mesh_clip *clip, tsr_error *error);
/** Numbers their points. */
tsr_status tsr_clip_number_points(tsr_mesh_clip *clip, tsr_error *error);

/* ---- fill.c */

tsr_status tsr_clip_write(void *clip, const void *output, tsr_error *error);

#endif
