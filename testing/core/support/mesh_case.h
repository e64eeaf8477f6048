/* SPDX-License-Identifier: BSD-3-Clause */
/** Unstructured meshes made of jittered boxes, arrays on them, and the octrees made of them. */
#ifndef TESSERA_TEST_MESH_CASE_H
#define TESSERA_TEST_MESH_CASE_H

#include "tessera.h"

/** What each box of the lattice becomes. */
typedef enum mesh_kind {
  MESH_TETS_5 = 0,
  MESH_TETS_6,
  MESH_HEXES,
  MESH_VOXELS,
  MESH_WEDGES,
  MESH_PYRAMIDS,
  MESH_POLYHEDRA, /**< hexahedra whose upper and lower faces are two triangles */
  MESH_PRISMS,    /**< hexagonal and pentagonal ones, which fill a box with a wedge */
  MESH_MIXED,     /**< hexahedra, wedges, pyramids and polyhedra at random */
  MESH_TRIANGLES,
  MESH_QUADS,
  MESH_PIXELS,
  MESH_POLYGONS,
  MESH_STRIPS,
  MESH_KINDS
} mesh_kind;

/** What makes a mesh. */
typedef struct mesh_recipe {
  unsigned seed;
  mesh_kind kind;
  int n[3];      /**< boxes along each axis; plane kinds: of the first two */
  double jitter; /**< of points, as a part of a box */
  double scale[3], origin[3];
  double grading;      /**< > 0: boxes along x grow by this factor from the first to the last */
  double hole;         /**< chance that a box is left out */
  double repeat;       /**< chance that a cell comes twice */
  double invert, flat; /**< chances */
  int parts;           /**< copies, which overlap by half; 0 is 1 */
} mesh_recipe;

/** A mesh. */
typedef struct mesh_case {
  tsr_mesh_view view;
  int64_t n_points, n_cells, n_ids, n_faces, n_face_ids, n_boxes;
  int64_t room_points, room_cells, room_ids, room_faces, room_face_ids;
  int dimension;
  double *points;
  uint8_t *types;
  int64_t *offsets, *ids, *cell_faces, *face_offsets, *face_ids;
  double *linear;  /**< a linear function at the points */
  double *front;   /**< a function with a steep front */
  int32_t *pair;   /**< 2 components */
  int64_t *number; /**< of each cell */
} mesh_case;

mesh_case mesh_case_make(const mesh_recipe *recipe);
void mesh_case_free(mesh_case *it);

/** The functions at a place. */
double mesh_linear(const double x[3]);
double mesh_front(const double x[3]);

/** A random place in cell c by its corners' weights. random: a state. */
void mesh_random_place(const mesh_case *it, int64_t c, unsigned *random, double x[3]);

/** How deep x is in cell c: the least of the parameters' distances from their bounds; below 0 is
 *  outside. value: NULL, or receives the interpolated `front`. Fans are cut into simplices. */
double mesh_depth(const mesh_case *it, int64_t c, const double x[3], double *value);

double mesh_uniform(unsigned *random);

/** Everything that a plan makes. */
typedef struct mesh_out {
  tsr_status status;
  tsr_error error;
  tsr_mesh_sizes sizes;
  tsr_report report;
  uint8_t *level, *outside, *inside;
  int32_t *index;
  int64_t *corners, *source, *number;
  double *point_places, *cell_places, *linear, *front;
  int32_t *pair;
} mesh_out;

tsr_status mesh_run(const mesh_case *it, const tsr_mesh_options *options,
                    const tsr_execution *execution, mesh_out *out);
void mesh_out_free(mesh_out *out);

/** The name of the first member that differs, or NULL. */
const char *mesh_difference(const mesh_case *it, const mesh_out *one, const mesh_out *other);

#endif
