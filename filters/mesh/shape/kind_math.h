/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Unstructured meshes: the kinds of cells, and how a step reads a cell.
 *
 * A kind is VTK's number of a cell type. A cell is solid (3 dimensions) or plane (2). The faces of
 * a plane cell are its edges. Whatever is not one of VTK's cells with shape functions of their own
 * is a fan: simplices between the mean of the cell's points, the mean of a face's points, and the
 * edges of the face. Neighbours that share a face share the triangles that it is cut into.
 */
#ifndef TSR_MESH_SHAPE_KIND_MATH_H
#define TSR_MESH_SHAPE_KIND_MATH_H

#include "common/vector_math.h"
#include "mesh/tessera_mesh.h"

/** VTK's numbers of cell types. */
enum {
  TSR_MESH_EMPTY = 0,
  TSR_MESH_POLY_LINE = 4, /**< the last kind of one dimension; vertices and lines are below */
  TSR_MESH_TRIANGLE = 5,
  TSR_MESH_STRIP = 6,
  TSR_MESH_POLYGON = 7,
  TSR_MESH_PIXEL = 8,
  TSR_MESH_QUAD = 9,
  TSR_MESH_TETRAHEDRON = 10,
  TSR_MESH_VOXEL = 11,
  TSR_MESH_HEXAHEDRON = 12,
  TSR_MESH_WEDGE = 13,
  TSR_MESH_PYRAMID = 14,
  TSR_MESH_PRISM_5 = 15,
  TSR_MESH_PRISM_6 = 16,
  TSR_MESH_POLYHEDRON = 42
};

/** Most points of a cell whose number of points is fixed, and of one with shape functions. */
enum { TSR_MESH_FIXED_POINTS = 12, TSR_MESH_SHAPE_POINTS = 8 };

/** Most axes on which a cell and a box are compared, besides those of the lattice. */
enum { TSR_MESH_PLANES = 12 };

/** The mesh, as steps read it; arrays of the executor. */
typedef struct tsr_mesh {
  int64_t n;        /**< cells */
  tsr_array points; /**< as in the view */
  const uint8_t *types, *hidden;
  const void *offsets, *connectivity, *cell_faces, *face_offsets, *face_ids;
  int64_t n_connectivity, n_face_ids, n_faces;
  tsr_type index_type;
  uint8_t *use;     /**< n: the dimension of each cell, 0 if it is ignored */
  uint8_t *marked;  /**< points: 1: a cell that counts uses it */
  double *places;   /**< points x 3, by inner axes, in finest cells from the domain's corner */
  int dimension;    /**< of the cells that count */
  int axis[3];      /**< the caller's axis that each inner axis stands for */
  double origin[3]; /**< of the lattice, by the caller's axes */
  double size;      /**< side of the finest cells */
  int levels;       /**< halvings from level 0 to the finest cells */
  int bits;         /**< an axis has at most 2^bits finest cells */
  int32_t cells[3]; /**< of level 0, by inner axes; 0 along the axis without cells */
  float *boxes;     /**< n x 6: the box around each cell's places: lows, then highs, rounded
                         outwards. Undefined for cells that do not count */
} tsr_mesh;

TSR_FN int64_t tsr_mesh_index(const tsr_mesh *mesh, const void *data, int64_t i) {
  return tsr_load_index(data, mesh->index_type, i);
}

/** The dimension of a kind; 0 for those that are passed over, -1 for those that are unknown. */
TSR_FN int tsr_mesh_kind_dimension(int kind) {
  if (kind <= TSR_MESH_POLY_LINE)
    return 0;
  if (kind <= TSR_MESH_QUAD)
    return 2;
  return kind <= TSR_MESH_PRISM_6 || kind == TSR_MESH_POLYHEDRON ? 3 : -1;
}

/** Number of points of a kind; 0: any number. */
TSR_FN int tsr_mesh_kind_points(int kind) {
  switch (kind) {
  case TSR_MESH_TRIANGLE:
    return 3;
  case TSR_MESH_PIXEL:
  case TSR_MESH_QUAD:
  case TSR_MESH_TETRAHEDRON:
    return 4;
  case TSR_MESH_PYRAMID:
    return 5;
  case TSR_MESH_WEDGE:
    return 6;
  case TSR_MESH_VOXEL:
  case TSR_MESH_HEXAHEDRON:
    return 8;
  case TSR_MESH_PRISM_5:
    return 10;
  case TSR_MESH_PRISM_6:
    return 12;
  default:
    return 0;
  }
}

/** 1 if a cell of the kind is a fan of simplices. */
TSR_FN int tsr_mesh_is_fan(int kind) {
  return kind == TSR_MESH_STRIP || kind == TSR_MESH_POLYGON || kind == TSR_MESH_PRISM_5 ||
         kind == TSR_MESH_PRISM_6 || kind == TSR_MESH_POLYHEDRON;
}

/** A cell of the mesh. */
typedef struct tsr_mesh_cell {
  int kind;
  int64_t cell;
  int64_t first, n; /**< its ids in the connectivity */
} tsr_mesh_cell;

TSR_FN tsr_mesh_cell tsr_mesh_cell_of(const tsr_mesh *mesh, int64_t i) {
  tsr_mesh_cell c;
  c.kind = mesh->types[i];
  c.cell = i;
  c.first = tsr_mesh_index(mesh, mesh->offsets, i);
  c.n = tsr_mesh_index(mesh, mesh->offsets, i + 1) - c.first;
  return c;
}

/** Point k of a cell. Voxels and pixels are read as hexahedra and quads. */
TSR_FN int64_t tsr_mesh_id(const tsr_mesh *mesh, const tsr_mesh_cell *c, int64_t k) {
  if ((c->kind == TSR_MESH_VOXEL || c->kind == TSR_MESH_PIXEL) && (k & 2))
    k ^= 1;
  return tsr_mesh_index(mesh, mesh->connectivity, c->first + k);
}

/** Point k of a cell in the order of the connectivity. */
TSR_FN int64_t tsr_mesh_listed_id(const tsr_mesh *mesh, const tsr_mesh_cell *c, int64_t k) {
  return tsr_mesh_index(mesh, mesh->connectivity, c->first + k);
}

/** The points of the faces of a solid kind, four bits a point, the number of
 * points above. */
TSR_FN uint32_t tsr_mesh_kind_face(int kind, int face) {
  static const uint32_t tetrahedron[4] = {0x30000310u, 0x30000321u, 0x30000302u, 0x30000120u};
  static const uint32_t hexahedron[6] = {0x40003740u, 0x40005621u, 0x40004510u,
                                         0x40006732u, 0x40001230u, 0x40007654u};
  static const uint32_t wedge[5] = {0x30000210u, 0x30000453u, 0x40001430u, 0x40002541u,
                                    0x40000352u};
  static const uint32_t pyramid[5] = {0x40001230u, 0x30000410u, 0x30000421u, 0x30000432u,
                                      0x30000403u};
  static const uint32_t prism_5[7] = {0x50043210u, 0x50098765u, 0x40005610u, 0x40006721u,
                                      0x40007832u, 0x40008943u, 0x40009504u};
  static const uint32_t prism_6[8] = {0x60543210u, 0x60ba9876u, 0x40006710u, 0x40007821u,
                                      0x40008932u, 0x40009a43u, 0x4000ab54u, 0x4000b605u};
  switch (kind) {
  case TSR_MESH_TETRAHEDRON:
    return tetrahedron[face];
  case TSR_MESH_WEDGE:
    return wedge[face];
  case TSR_MESH_PYRAMID:
    return pyramid[face];
  case TSR_MESH_PRISM_5:
    return prism_5[face];
  case TSR_MESH_PRISM_6:
    return prism_6[face];
  default:
    return hexahedron[face];
  }
}

/** Number of faces of a cell. */
TSR_FN int64_t tsr_mesh_faces(const tsr_mesh *mesh, const tsr_mesh_cell *c) {
  switch (c->kind) {
  case TSR_MESH_TETRAHEDRON:
    return 4;
  case TSR_MESH_VOXEL:
  case TSR_MESH_HEXAHEDRON:
    return 6;
  case TSR_MESH_WEDGE:
  case TSR_MESH_PYRAMID:
    return 5;
  case TSR_MESH_PRISM_5:
    return 7;
  case TSR_MESH_PRISM_6:
    return 8;
  case TSR_MESH_POLYHEDRON:
    return tsr_mesh_index(mesh, mesh->cell_faces, c->cell + 1) -
           tsr_mesh_index(mesh, mesh->cell_faces, c->cell);
  default:
    return c->n;
  }
}

/** A face of a cell. */
typedef struct tsr_mesh_face {
  int64_t n;       /**< points */
  int64_t first;   /**< polyhedra: its ids in face_ids; plane cells: the point of the cell */
  uint32_t locals; /**< of a solid kind of fixed size */
} tsr_mesh_face;

TSR_FN tsr_mesh_face tsr_mesh_face_of(const tsr_mesh *mesh, const tsr_mesh_cell *c, int64_t f) {
  tsr_mesh_face face = {2, f, 0};
  if (c->kind == TSR_MESH_POLYHEDRON) {
    const int64_t at = tsr_mesh_index(mesh, mesh->cell_faces, c->cell) + f;
    face.first = tsr_mesh_index(mesh, mesh->face_offsets, at);
    face.n = tsr_mesh_index(mesh, mesh->face_offsets, at + 1) - face.first;
  } else if (mesh->dimension == 3) {
    face.locals = tsr_mesh_kind_face(c->kind, (int)f);
    face.n = face.locals >> 28;
  }
  return face;
}

/** Point k of a face of a cell that is no polyhedron. */
TSR_FN int64_t tsr_mesh_fixed_face_id(const tsr_mesh *mesh, const tsr_mesh_cell *c,
                                      const tsr_mesh_face *face, int64_t k) {
  if (mesh->dimension == 3)
    return tsr_mesh_id(mesh, c, face->locals >> 4 * k & 15u);
  if (c->kind == TSR_MESH_STRIP) {
    /* Its first and its last edge, and those along its sides. */
    const int64_t at = face->first + (k == 0 ? -1 : 1);
    return tsr_mesh_id(mesh, c, at < 0 ? 0 : at < c->n ? at : c->n - 1);
  }
  return tsr_mesh_id(mesh, c, face->first + k < c->n ? face->first + k : 0);
}

/** Point k of a face; k may be one more than the last, which is the first
 * again. */
TSR_FN int64_t tsr_mesh_face_id(const tsr_mesh *mesh, const tsr_mesh_cell *c,
                                const tsr_mesh_face *face, int64_t k) {
  k = k < face->n ? k : 0;
  return c->kind == TSR_MESH_POLYHEDRON ? tsr_mesh_index(mesh, mesh->face_ids, face->first + k)
                                        : tsr_mesh_fixed_face_id(mesh, c, face, k);
}

/** Place of a point in the lattice. */
TSR_FN const double *tsr_mesh_place(const tsr_mesh *mesh, int64_t id) {
  return mesh->places + 3 * id;
}

/** The square of the distance of two places. */
TSR_FN double tsr_mesh_distance2(const double a[3], const double b[3]) {
  const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  return x * x + y * y + z * z;
}

TSR_FN double tsr_mesh_dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

#endif
