/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Tessera: unstructured grids whose cells are boxes that form an octree. A part of the public
 * header; include tessera.h.
 *
 * Voxels, hexahedra, pixels and quads along the axes are the cells of an octree if their sides are
 * 1, 1/2, 1/4, ... of those of the largest cell and each begins at a multiple of its side. The
 * caller finds the lattice (tsr_mesh_boxes_find), then writes level, index and corners of each cell
 * (tsr_mesh_boxes_fill): the members of a tsr_grid_octree. A mesh that is refused with BAD_INPUT
 * goes to tsr_mesh_plan_create instead.
 *
 * Of a tsr_mesh_view these functions read points, types, offsets and connectivity; they check the
 * ids, but not the offsets, which must rise from 0 on and stay in the connectivity.
 */
#ifndef TSR_MESH_TESSERA_MESH_BOXES_H
#define TSR_MESH_TESSERA_MESH_BOXES_H

#include "common/processes/tessera_processes.h"
#include "mesh/tessera_mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The lattice of the boxes of all processes. Coordinates are in the unit of the points. */
typedef struct tsr_mesh_boxes {
  int dimension;     /**< of the cells: 2 or 3; 0: no process has a cell */
  int single;        /**< 1: the points of all processes are float */
  int32_t cells[3];  /**< cells of level 0 along each axis; 0 along an axis without cells */
  double origin[3];  /**< lowest corner of the domain */
  double spacing[3]; /**< sides of a cell of level 0; 1 along an axis without cells */
  double low[3];     /**< lowest corner of all boxes */
  double tolerance;  /**< how far a coordinate may be from its place in the lattice */
  int finest;        /**< the largest level, at most 30 */
  int64_t shift[3];  /**< from origin to low, in cells of the finest level */
} tsr_mesh_boxes;

/**
 * Finds the lattice, from the extremes of the boxes of all processes. Collective.
 * view: the cells of this process, which may have none.
 * processes: NULL: this process alone.
 * execution: NULL = defaults; its backend is ignored.
 * boxes: receives the lattice, the same on all processes; undefined on failure.
 * Fails with BAD_INPUT, and a sentence about the first cell at fault, if the cells cannot be those
 * of an octree; NO_MEMORY, ABORTED.
 */
tsr_status tsr_mesh_boxes_find(const tsr_mesh_view *view, const tsr_processes *processes,
                               const tsr_execution *execution, tsr_mesh_boxes *boxes,
                               tsr_error *error);

/**
 * Writes the place of each cell of this process in the lattice.
 * view: as tsr_mesh_boxes_find had it.
 * boxes: what that function found.
 * execution: NULL = defaults; its backend is ignored.
 * level: n_cells levels; 0 is the coarsest.
 * index: n_cells x 3: index of the cell among those of its level; 0 along an axis without cells.
 * corners: n_cells x 2^dimension: the point at each corner, in VTK's order of voxels and pixels;
 * may be NULL.
 * Fails with BAD_INPUT, and a sentence about the first cell at fault, if a cell is no box of the
 * lattice; the arrays are then undefined. NO_MEMORY, ABORTED.
 */
tsr_status tsr_mesh_boxes_fill(const tsr_mesh_view *view, const tsr_mesh_boxes *boxes,
                               const tsr_execution *execution, uint8_t *level, int32_t *index,
                               int64_t *corners, tsr_error *error);

/**
 * Reads the ghost arrays of an unstructured grid, whose bits are those of VTK
 * (vtkDataSetAttributes.h).
 * view: the cells; ids beyond the points are passed over.
 * cell_ghosts: n_cells flags, or NULL.
 * point_ghosts: one flag for each point of the view, or NULL.
 * execution: NULL = defaults; its backend is ignored.
 * hidden: receives n_cells flags: 1: the cell, or one of its points, is hidden or refined.
 * copies: receives n_cells flags: 1: the cell is a copy of one of another process; may be NULL.
 * Fails with BAD_INPUT if a needed pointer is NULL; ABORTED.
 */
tsr_status tsr_mesh_read_ghosts(const tsr_mesh_view *view, const uint8_t *cell_ghosts,
                                const uint8_t *point_ghosts, const tsr_execution *execution,
                                uint8_t *hidden, uint8_t *copies, tsr_error *error);

#ifdef __cplusplus
}
#endif
#endif
