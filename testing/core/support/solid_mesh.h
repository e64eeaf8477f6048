/* SPDX-License-Identifier: BSD-3-Clause */
/** What the output Cells makes of a mesh. */
#ifndef TESSERA_TEST_SOLID_MESH_H
#define TESSERA_TEST_SOLID_MESH_H

#include "cell_mesh.h"

/** The cells of a plan, with points in double. */
typedef struct solid_mesh {
  tsr_cells_sizes sizes;
  double *points;   /**< 3 each */
  double *values;   /**< CELL_MESH_VALUES a point */
  double *achieved; /**< one a cell, of all kinds */
  int64_t *offsets, *ids;
  int64_t *source; /**< one a cell, of all kinds */
  int64_t *poly_ids;
  uint8_t *types;
  tsr_report report;
} solid_mesh;

/** Makes the output. values: an array of the points. Returns the status of plan or fill. */
tsr_status solid_mesh_make(const cell_mesh *mesh, const tsr_cells_view *view,
                           const tsr_cells_options *options, const tsr_execution *execution,
                           solid_mesh *out, tsr_error *error);
void solid_mesh_free(solid_mesh *out);

/** Zeroed memory for n elements; ends the program if there is none. The caller frees it. */
void *solid_mesh_room(int64_t n, size_t size);

/** Determinant of a matrix. */
long double solid_mesh_det(long double m[3][3]);

/** Signed volume of the tetrahedron with these corners of 3 coordinates. */
long double solid_mesh_volume(const long double *at[4]);

#endif
