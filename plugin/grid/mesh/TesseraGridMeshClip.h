// SPDX-License-Identifier: BSD-3-Clause
/** The grid of a mesh, cut at the mesh's surface. */
#ifndef TesseraGridMeshClip_h
#define TesseraGridMeshClip_h

#include "grid/TesseraGridDataset.h"

#include <vtkIdTypeArray.h>
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>

namespace tessera {

/**
 * Replaces the cells of leaves that the boundary of the mesh touches by their intersections with
 * the cells of the mesh. Cells inside stay as they are, with their points, which pieces share at
 * corners of leaves. dataset: its octree has the mesh. grid: its output, with all arrays: first
 * those of the mesh, in their order, then generated ones. leaves: the leaf of each cell of `grid`,
 * as the core numbers them. Returns NULL on failure, with `error` set.
 */
vtkSmartPointer<vtkUnstructuredGrid> ClipAtSurface(const GridDataset &dataset,
                                                   vtkUnstructuredGrid *grid,
                                                   vtkIdTypeArray *leaves, ThreadRunner &runner,
                                                   tsr_error &error);

} // namespace tessera

#endif
