/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Tessera: cells of a grid, cut at the surface of an unstructured mesh. A part of the public
 * header; include tessera.h.
 *
 * tsr_mesh_plan_create makes an octree that reaches beyond the mesh by up to a cell. This plan
 * takes the leaves of a grid over that octree, and replaces those that a face at the mesh's
 * boundary touches by their intersections with the cells of the mesh. A face is at the boundary if
 * no other cell of the mesh has it.
 *
 * - The pieces are simplices of positive volume: tetrahedra, in a plane triangles. Where the faces
 *   of the mesh are plane, the pieces and the uncut leaves together have the volume of the mesh up
 *   to rounding, and the mesh's integral of a linear function. A cell whose faces are not plane, or
 *   that is not convex, is cut into simplices first: between the mean of its points, the mean of a
 *   face's points, and the edges of the face.
 * - Pieces that share a face within a cell of the mesh, between cells of it, or between leaves of
 *   one size, share its points. Between a leaf that is cut and another that is not, and between
 *   leaves of two sizes, points hang.
 * - Values at the points of the pieces are those of the mesh's interpolation there, in the cell
 *   that the piece is a part of; a piece has the tuple of that cell.
 *
 * All work runs on the CPU. The result does not depend on threads.
 */
#ifndef TSR_MESH_TESSERA_MESH_CLIP_H
#define TSR_MESH_TESSERA_MESH_CLIP_H

#include "mesh/tessera_mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Which leaves are looked at. */
typedef struct tsr_mesh_clip_options {
  size_t struct_size;
  tsr_mesh_options lattice; /**< as the plan of the octree had them: cell_size, bounds and levels
                                 say where the lattice is; the other members are ignored */
  const double *leaves;     /**< n_leaves x 4: the lowest corner of each, in cells of level 0 from
                                 tsr_mesh_sizes.origin, 0 along an axis without cells; and its side,
                                 in cells of level 0. A leaf is a cell of the lattice, of level 0, of
                                 a finer level or of a coarser one, and leaves do not overlap. Leaves
                                 that are close in the list should be close in space; borrowed as
                                 long as the plan lives; NULL if there is none */
  int64_t n_leaves;         /**< [0] */
} tsr_mesh_clip_options;

/** Sets every member to its default. `options` must not be NULL. */
void tsr_mesh_clip_options_init(tsr_mesh_clip_options *options);

/** Sizes of the result. */
typedef struct tsr_mesh_clip_sizes {
  int dimension;  /**< 2 or 3; 0: the mesh has no cell */
  int64_t cut;    /**< leaves that are cut; they have pieces, or lie outside the mesh */
  int64_t pieces; /**< simplices that replace them */
  int64_t points; /**< points of these, each counted once */
} tsr_mesh_clip_sizes;

/** A plan, freed by tsr_mesh_clip_free. */
typedef struct tsr_mesh_clip tsr_mesh_clip;

/**
 * Cuts leaves at the surface of a mesh.
 * view: as the plan of the octree had it. view, options: copied, their arrays borrowed until
 * tsr_mesh_clip_free; must not be NULL, nor lie on a device.
 * execution: NULL = defaults; its backend is ignored.
 * clip: receives the plan, or NULL on failure.
 * Fails with BAD_OPTION, BAD_INPUT, TOO_LARGE, NO_MEMORY, ABORTED.
 */
tsr_status tsr_mesh_clip_create(const tsr_mesh_view *view, const tsr_mesh_clip_options *options,
                                const tsr_execution *execution, tsr_mesh_clip **clip,
                                tsr_error *error);

/** Frees a plan; NULL is allowed. */
void tsr_mesh_clip_free(tsr_mesh_clip *clip);

/** Returns the sizes, which belong to the plan: valid until it is freed. */
const tsr_mesh_clip_sizes *tsr_mesh_clip_plan_sizes(const tsr_mesh_clip *clip);

/** Where tsr_mesh_clip_fill writes. A member that is NULL is not written. Set up by
 *  tsr_mesh_clip_output_init. */
typedef struct tsr_mesh_clip_output {
  size_t struct_size;
  uint8_t *cut;          /**< n_leaves: 1: the leaf is replaced by its pieces, of which it may have
                              none */
  double *points;        /**< sizes.points x 3 */
  double *places;        /**< sizes.points x 3: as tsr_grid_samples.places. A corner of a leaf has
                              the exact place of the lattice */
  int64_t *connectivity; /**< sizes.pieces x (dimension + 1), in VTK's order of tetrahedra */
  int64_t *leaf;         /**< sizes.pieces: number of the leaf, in rising order */
  int64_t *source;       /**< sizes.pieces: number of the mesh cell that the piece is a part of */
  const tsr_mesh_attribute *attributes; /**< n_attributes; NULL if 0. `out` has sizes.points tuples,
                                             or with cell_data sizes.pieces */
  int n_attributes;
} tsr_mesh_clip_output;

/** Clears *output and sets struct_size. `output` must not be NULL. */
void tsr_mesh_clip_output_init(tsr_mesh_clip_output *output);

/**
 * Writes the result of a plan. May be called again with other outputs.
 * Fails with BAD_OPTION, BAD_INPUT, NO_MEMORY, ABORTED (outputs are then incomplete).
 */
tsr_status tsr_mesh_clip_fill(tsr_mesh_clip *clip, const tsr_mesh_clip_output *output,
                              tsr_error *error);

#ifdef __cplusplus
}
#endif
#endif
