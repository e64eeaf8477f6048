// SPDX-License-Identifier: BSD-3-Clause
/** The datasets of a composite as one mesh. */
#ifndef TesseraGridMerge_h
#define TesseraGridMerge_h

#include "grid/octree/TesseraGridOctree.h"

#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>

namespace tessera {

/**
 * Makes one unstructured grid of the datasets of `input` that this process has, in their order.
 * Unstructured grids, images, rectilinear and structured grids are taken, of which it keeps the
 * point and cell arrays that all have, and their ghost arrays. Datasets of other kinds and grids
 * with unusable ids are left out, with a warning, and so are arrays that are not on every dataset.
 * Points are not merged: for the core, two faces are the same if their points have equal
 * coordinates. Where nothing can be taken the result has no cells. context: receives the
 * warnings. Not collective; throws if memory runs out.
 */
vtkSmartPointer<vtkUnstructuredGrid> MergeDatasets(vtkDataObject *input, OctreeContext &context);

} // namespace tessera

#endif
