/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Tessera: unstructured meshes as octrees. A part of the public header; include tessera.h.
 *
 * A plan lays an octree over a mesh: a lattice of cubes of level 0, which are halved along each
 * axis where the mesh is finer. The values at the corners of its cells are those of the mesh there.
 * The result is a tsr_grid_octree, which tsr_grid_plan_create takes: Adaptive Grid makes the grid
 * of a mesh by these two steps.
 *
 * Which cells the octree has:
 * - A cell is a part of it if it touches a cell of the mesh: each point of the mesh lies in such a
 *   cell. The test is by planes that separate the two, and may find that cells touch which are a
 *   small distance apart, never the opposite. A mesh cell that ends at the lower face of a cell of
 *   the octree does not touch it: a mesh whose sides lie on the lattice has no layer around it.
 * - A cell that touches a cell of the mesh with a shorter median edge than its own is divided, down
 *   to cells of options.cell_size. A cell with a point of the mesh, where the interpolation in the
 *   cell is off by more than a tolerance of options.fields, is divided, too, down to the same size.
 * - Of a family of 2^dimension cells the octree has all if one is a part of it; those that touch
 *   nothing have the flag `outside`.
 *
 * The values at a corner:
 * - In a cell of the mesh: the interpolation that VTK's shape functions give. If several cells hold
 *   the corner, the one with the lowest number counts. Polygons, strips, prisms of 5 and 6 sides
 *   and polyhedra are cut into simplices: triangles between the mean of the polygon's points and
 *   its sides, the triangles of a strip, and tetrahedra between the mean of the cell's points, the
 *   mean of a face's points and the edges of the face. Values there are the means, too, so that
 *   neighbours agree on their common faces. (Along a side of 4 points that do not lie in a plane,
 *   such a cell and a hexahedron leave gaps, which count as outside.)
 * - Outside the mesh: the linear continuation from the closest point of the cells that touch the
 *   octree's cells at the corner, clamped to the range of the array (but see
 *   tsr_mesh_options.extrapolate). The closest point of a cell is the one at the corner's
 *   parameters there, clamped to their range; of equally close ones, that of the cell with
 *   the lowest number counts, and flat cells count last. If no mesh cell touches these cells,
 *   the mean of the corners next to it in the octree that have a value, step by step; a corner
 *   counts once for each cell of the octree that has both.
 * - A cell of the octree has, in cell arrays, the tuple of the mesh cell that holds its middle, or
 *   else of the closest of the mesh cells that touch it; if none does, that of a neighbour that has
 *   one.
 */
#ifndef TSR_MESH_TESSERA_MESH_H
#define TSR_MESH_TESSERA_MESH_H

#include "common/tessera_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The input mesh. All arrays are borrowed for as long as the plan lives. */
typedef struct tsr_mesh_view {
  size_t struct_size;
  tsr_array points;     /**< 3 components, float or double */
  int64_t n_cells;      /**< [0] */
  const uint8_t *types; /**< n_cells: VTK's numbers of the cell types (vtkCellType.h): tetrahedron,
                             hexahedron, voxel, wedge, pyramid, pentagonal and hexagonal prism,
                             polyhedron; triangle, strip, quad, pixel, polygon, all in a plane
                             along two axes. Vertices, lines and empty cells are ignored. If
                             there are cells of three dimensions, those of two are ignored */
  const void *offsets;  /**< n_cells + 1 values: cell i has ids [offsets[i], offsets[i+1]) */
  const void *connectivity;    /**< point ids, in VTK's order */
  int64_t n_connectivity;      /**< length of connectivity */
  tsr_type index_type;         /**< [TSR_INT64] of all offsets and ids: TSR_INT32 or TSR_INT64 */
  const void *cell_faces;      /**< n_cells + 1 values: polyhedron i has faces [cell_faces[i],
                                    cell_faces[i+1]), other cells none; NULL: there is no polyhedron */
  const void *face_offsets;    /**< values for each face, and the end: face f has ids
                                    [face_offsets[f], face_offsets[f+1]) */
  const void *face_ids;        /**< point ids of the faces, which need not point outwards */
  int64_t n_face_ids;          /**< length of face_ids */
  const uint8_t *hidden_cells; /**< n_cells flags, or NULL. Not 0: the cell is ignored */
} tsr_mesh_view;

/** Sets every member to its default: 0 and NULL unless it says otherwise. */
void tsr_mesh_view_init(tsr_mesh_view *view);

/** Returns VTK's number of the linear kind that has the corners of `kind`, a kind of higher order;
 * 0 for other kinds. corners: receives the number of corners, whose ids are the first ones of the
 * cell; 0 for other kinds; must not be NULL. A mesh takes no cell of higher order: the caller
 * replaces it by the linear one. */
int tsr_mesh_linear_kind(int kind, int *corners);

/** Values whose interpolation error decides where the octree is divided. */
typedef struct tsr_mesh_field {
  tsr_array array;  /**< point data of the mesh */
  double tolerance; /**< >= 0: largest difference in a component at a point of the mesh */
  int relative; /**< 1: the tolerance is a fraction of the range of the values of all components */
} tsr_mesh_field;

/** Set up by tsr_mesh_options_init; defaults in brackets. */
typedef struct tsr_mesh_options {
  size_t struct_size;
  double cell_size; /**< [0] side of the finest cells; 0: the median edge of the mesh, of at most
                         2^13 of its cells at even steps */
  double bounds[6]; /**< [empty: low above high] xmin xmax ymin ymax zmin zmax: the domain
                         holds at least these; for meshes that share a lattice */
  int levels;       /**< [4] the domain has whole cells of this many levels above the
                         finest: level 0 has cells of cell_size * 2^levels. 0 to 20 */
  int whole_cells;  /**< [0] 1: a cell is a part of the octree only if it lies wholly
                         inside the mesh: if no face at the mesh's boundary touches it */
  const tsr_mesh_field *fields; /**< n_fields; borrowed as long as the plan lives */
  int n_fields;                 /**< [0] */
  int64_t limit_cells;          /**< [0] > 0: an octree of more cells ends with TSR_TOO_LARGE */
  int extrapolate; /**< [0] 1: values at corners outside the mesh are not clamped to the range of
                        the array, if it is one of float or double: a linear function stays linear.
                        For octrees whose leaves are cut at the surface (tessera_mesh_clip.h) */
  int64_t keep_bytes; /**< [2^30] CUDA, >= 0: as tsr_grid_options.keep_bytes */
} tsr_mesh_options;

/** Sets every member to its default. `options` must not be NULL. */
void tsr_mesh_options_init(tsr_mesh_options *options);

/** What a plan noticed. */
typedef enum tsr_mesh_note {
  TSR_MESH_NOTE_NOT_FINITE = 0, /**< cells with a point whose coordinates are not finite: ignored */
  TSR_MESH_NOTE_FLAT,           /**< cells without volume (in a plane: area): they hold no corner */
  TSR_MESH_NOTE_INVERTED, /**< tetrahedra, hexahedra, voxels and pyramids with negative volume, if
                               not all cells are so: taken as if they were turned round */
  TSR_MESH_NOTE_KIND,     /**< cells of other kinds, as quadratic ones: ignored */
  TSR_MESH_NOTES
} tsr_mesh_note;

/** Writes the note as a sentence for the user into text, cut to `size` bytes (> 0) including the
 *  NUL at its end. Nothing is written if count.count is 0. */
void tsr_mesh_note_sentence(tsr_mesh_note note, tsr_note_count count, char *text, size_t size);

/** Sizes of the result. */
typedef struct tsr_mesh_sizes {
  int dimension;    /**< 2 or 3; 0: there is no cell */
  double origin[3]; /**< lowest corner of the domain. All its coordinates are whole multiples of
                         the size of a cell of level 0; along the axis without cells, where the
                         plane is */
  double spacing;   /**< side of a cell of level 0 */
  int32_t cells[3]; /**< cells of level 0 along each axis; 0 along an axis without cells */
  int64_t n;        /**< cells of the octree */
  int64_t points;   /**< corners of these, each counted once, in the order of Morton numbers */
  int64_t inside;   /**< cells without the flag `outside` */
  tsr_note_count notes[TSR_MESH_NOTES]; /**< `first` is the number of a mesh cell */
} tsr_mesh_sizes;

/** A plan, freed by tsr_mesh_plan_free. */
typedef struct tsr_mesh_plan tsr_mesh_plan;

/**
 * Makes the octree of a mesh.
 * view, options: copied, their arrays borrowed until tsr_mesh_plan_free; options NULL = defaults.
 * execution: NULL = defaults. With device_arrays it is refused: arrays lie on the host.
 * plan: receives the plan, or NULL on failure.
 * Fails with BAD_OPTION, BAD_INPUT, TOO_LARGE, NO_MEMORY, NO_BACKEND, DEVICE, ABORTED.
 */
tsr_status tsr_mesh_plan_create(const tsr_mesh_view *view, const tsr_mesh_options *options,
                                const tsr_execution *execution, tsr_mesh_plan **plan,
                                tsr_error *error);

/** Frees a plan; NULL is allowed. */
void tsr_mesh_plan_free(tsr_mesh_plan *plan);

/** Returns the sizes, which belong to the plan: valid until it is freed. */
const tsr_mesh_sizes *tsr_mesh_plan_sizes(const tsr_mesh_plan *plan);

/** Copies the report so far to *report. items: cells of the mesh; points, cells: of the octree. */
void tsr_mesh_plan_report(const tsr_mesh_plan *plan, tsr_report *report);

/** An array of the mesh and where its values in the octree go. */
typedef struct tsr_mesh_attribute {
  tsr_array in;  /**< as many tuples as the mesh has points, or cells */
  int cell_data; /**< 1: cell data */
  void *out; /**< sizes.points tuples of in.type, or with cell_data sizes.n. Integers are rounded
                  half away from zero */
} tsr_mesh_attribute;

/** Where tsr_mesh_fill writes. A member that is NULL is not written. Set up by
 *  tsr_mesh_output_init. */
typedef struct tsr_mesh_output {
  size_t struct_size;
  uint8_t *level;       /**< sizes.n, as tsr_grid_octree.level */
  int32_t *index;       /**< sizes.n x 3 */
  int64_t *corners;     /**< sizes.n x 2^dimension */
  uint8_t *outside;     /**< sizes.n */
  uint8_t *inside;      /**< sizes.points: 1: the corner lies in a cell of the mesh */
  int64_t *source;      /**< sizes.n: number of the mesh cell whose tuple the cell has */
  double *point_places; /**< points of the mesh x 3, as tsr_grid_samples.places. A point that no
                             cell of the mesh uses, or that is not finite, has NaN: no sample */
  double *cell_places;  /**< n_cells x 3: the mean of the cell's corners; NaN for ignored cells */
  const tsr_mesh_attribute *attributes; /**< n_attributes; NULL if 0 */
  int n_attributes;
} tsr_mesh_output;

/** Clears *output and sets struct_size. `output` must not be NULL. */
void tsr_mesh_output_init(tsr_mesh_output *output);

/**
 * Writes the result of a plan. May be called again with other outputs.
 * Fails with BAD_OPTION, TOO_LARGE, NO_MEMORY, DEVICE, ABORTED (outputs are then incomplete).
 */
tsr_status tsr_mesh_fill(tsr_mesh_plan *plan, const tsr_mesh_output *output, tsr_error *error);

#ifdef __cplusplus
}
#endif
#endif
