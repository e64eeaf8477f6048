/* SPDX-License-Identifier: BSD-3-Clause */
/** Meshes of curved cells, and what becomes of them. */
#ifndef TESSERA_TEST_CELL_MESH_H
#define TESSERA_TEST_CELL_MESH_H

#include "tessera.h"

/** Components of a point's values. */
#define CELL_MESH_VALUES 4

/** A mesh that grows. */
typedef struct cell_mesh {
  int64_t n_points, n_cells, n_ids;
  int64_t room_points, room_cells, room_ids;
  double *points;  /**< 3 each */
  double *weights; /**< 1 each */
  double *values;  /**< CELL_MESH_VALUES each */
  double *degrees; /**< 3 a cell */
  uint8_t *types;
  int64_t *offsets, *ids;
  int without_normals; /**< 1: no normals are asked of its surface */
} cell_mesh;

void cell_mesh_free(cell_mesh *mesh);

/** Adds a point of weight 1 whose values are 0, and returns its id. */
int64_t cell_mesh_add_point(cell_mesh *mesh, const double x[3]);

/** Adds a cell. d: its degrees. */
void cell_mesh_add_cell(cell_mesh *mesh, int type, const int d[3], const int64_t *ids, int64_t n);

/** Adds one face, a Lagrange or Bezier triangle (sides 3) or quadrilateral, whose nodes are the
 * next points: row by row, node (a, b) at row b. ids: receives them, or NULL. Values 0 and 1 of the
 * nodes become the numbers with which the face's parameters are interpolated. */
void cell_mesh_add_face(cell_mesh *mesh, int sides, int bezier, const int d[2],
                        const double (*x)[3]);

/** Adds a cell of n nodes at the places of a lattice; id_of: gives the id of the node at each
 * place, which is given in steps of 1 / d. */
typedef int64_t (*cell_mesh_node)(void *context, const double place[3]);
void cell_mesh_add_lattice(cell_mesh *mesh, int type, const int d[3], cell_mesh_node id_of,
                           void *context);

/** The whole mesh. rational: with its weights. */
tsr_cells_view cell_mesh_view(const cell_mesh *mesh, int rational);

/** What a plan makes. */
typedef struct cell_surface {
  tsr_cells_sizes sizes;
  double *points, *values; /**< 3 and CELL_MESH_VALUES each */
  int64_t *vert_offsets, *verts, *line_offsets, *lines, *poly_offsets, *polys;
  int64_t *source;
  int64_t *cell_ids; /**< a cell array: 7 times the number of the cell */
  float *normals;    /**< 3 each; NULL: the mesh asked for none */
  double *achieved;
  double *parameters; /**< 3 each */
  int64_t *parameter_cell;
  tsr_report report;
} cell_surface;

/** Makes the surface, points in double. Returns the status of plan or fill. */
tsr_status cell_surface_make(const cell_mesh *mesh, const tsr_cells_view *view,
                             const tsr_cells_options *options, const tsr_execution *execution,
                             cell_surface *out, tsr_error *error);
/** Fills the output of a plan, points in double. */
tsr_status cell_surface_fill(const cell_mesh *mesh, tsr_cells_plan *plan, cell_surface *out,
                             tsr_error *error);
void cell_surface_free(cell_surface *out);

/** Number of edges of the polygons that an odd number of them have; edges between equal points are
 *  left out. */
int64_t cell_surface_open_edges(const cell_surface *it);

/** A number in [0, 1) for each i. */
double cell_mesh_random(uint64_t i);
/** The number of *seed, in [low, high) instead. Raises *seed by 1. */
double cell_mesh_between(uint64_t *seed, double low, double high);

#endif
