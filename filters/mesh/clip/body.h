/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Unstructured meshes: convex bodies that are cut by the sides of cubes, and the simplices that
 * they are made of. Not public.
 *
 * A body is a convex cell of the mesh, or a simplex of one, of which planes cut off parts. It knows
 * for each of its vertices on which facets of the cell and on which planes it lies. A new vertex is
 * computed of these alone, in an order that does not depend on the body: two bodies with a common
 * facet, and a body in two cubes, get the same bits for their common vertices. So equal
 * coordinates are equal points.
 */
#ifndef TSR_MESH_CLIP_BODY_H
#define TSR_MESH_CLIP_BODY_H

#include "mesh/shape/locate_math.h"

/** A hexahedron has 8 vertices and 6 facets, and each of 6 planes adds at most a vertex a facet,
 *  and a facet. In a plane a quad has one facet, itself, and 4 sides. */
enum { TSR_BODY_VERTICES = 64, TSR_BODY_FACETS = 12, TSR_BODY_LOOP = 12 };

typedef struct tsr_body_vertex {
  double x[3];
  uint32_t on; /**< bits: of the facets of the source (3D) or its sides (2D), TSR_BODY_PLANE of
                    planes */
} tsr_body_vertex;

/** Bit of the plane at the lower (side 0) or upper end of a cube along an axis. */
#define TSR_BODY_PLANE(AXIS, SIDE) ((uint32_t)1 << (16 + 2 * (AXIS) + (SIDE)))
/** All bits of facets or sides of the source. */
#define TSR_BODY_SOURCE 0xffffu

/** The vertices of a facet, by their order around it. */
typedef struct tsr_body_facet {
  int n;
  int at[TSR_BODY_LOOP];
} tsr_body_facet;

typedef struct tsr_body {
  int dimension; /**< 2: the one facet is the body */
  int n;         /**< vertices; those that were cut off stay in the list. 0: nothing is left */
  tsr_body_vertex v[TSR_BODY_VERTICES];
  int facets;
  tsr_body_facet facet[TSR_BODY_FACETS];
  int sources; /**< the first vertices are those of the source, as it was */
  tsr_body_vertex source[TSR_MESH_SHAPE_POINTS];
  double low[3], high[3]; /**< of the cube; set by tsr_body_clip */
} tsr_body;

/** Makes the body of a cell or simplex that is convex and has plane faces. */
void tsr_body_begin(tsr_body *body, int dimension);
/** Adds a vertex of the source. */
void tsr_body_add(tsr_body *body, const double x[3]);
/** Adds a facet of the source; locals: n of its vertices in their order. A body in a plane has one,
 *  which has all of them. */
void tsr_body_close(tsr_body *body, const int *locals, int n);

/** Keeps what lies in a cube. Returns 0 if that has no inside. */
int tsr_body_clip(tsr_body *body, const double low[3], double side);

/** Receives a simplex: dimension + 1 vertices, of positive volume. */
typedef void (*tsr_body_taker)(void *data, const double *const vertices[4]);

/** Cuts a body into simplices without new vertices. Two bodies with a common facet cut it into the
 *  same triangles. */
void tsr_body_cut(const tsr_body *body, tsr_body_taker take, void *data);

/** The order of places by their first, second and third coordinate: below 0, 0, or above. */
int tsr_body_compare(const double a[3], const double b[3]);

#endif
