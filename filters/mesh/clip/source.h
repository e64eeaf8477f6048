/* SPDX-License-Identifier: BSD-3-Clause */
/** Unstructured meshes: the convex bodies that a cell of the mesh consists of. Not public. */
#ifndef TSR_MESH_CLIP_SOURCE_H
#define TSR_MESH_CLIP_SOURCE_H

#include "mesh/clip/body.h"

/** The bodies of a cell, one after the other: the cell itself if it is convex and has plane faces,
 *  else simplices between the mean of its points, the mean of a face's points, and the edges of the
 *  face, as tsr_mesh_view has them. */
typedef struct tsr_bodies {
  const tsr_mesh *mesh;
  tsr_mesh_shape shape; /**< of the whole cell; only if `whole` */
  int whole, more;
  tsr_mesh_fan fan;
} tsr_bodies;

/** Goes to the first body of cell i. */
void tsr_bodies_begin(tsr_bodies *it, const tsr_mesh *mesh, int64_t i);

/** Makes the next body, and sets `face` and `edge` of *spot to its simplex. Returns 0 if there is
 *  none; *body is undefined then. */
int tsr_bodies_next(tsr_bodies *it, tsr_body *body, tsr_mesh_spot *spot);

/** Sets spot->r to the parameters of place p in the body of cell spot->cell that `face` and `edge`
 *  say. */
void tsr_bodies_locate(const tsr_mesh *mesh, const double p[3], tsr_mesh_spot *spot);

#endif
