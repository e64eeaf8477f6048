// SPDX-License-Identifier: BSD-3-Clause
/** The cells of unstructured grids, where they are boxes along the axes that form an octree. */
#include "frame/data/TesseraMemory.h"
#include "grid/mesh/TesseraGridMesh.h"
#include "grid/octree/TesseraGridOctree.h"

#include <vtkPointData.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>

namespace tessera {

namespace {

/** True if the points of `grid` have an array besides ghosts. */
bool HasPointArrays(vtkUnstructuredGrid *grid) {
  vtkPointData *points = grid->GetPointData();
  return points->GetNumberOfArrays() >
         (points->HasArray(vtkDataSetAttributes::GhostArrayName()) ? 1 : 0);
}

/** Writes the cells of this process. */
void Convert(vtkUnstructuredGrid *grid, const tsr_mesh_view &cells, const tsr_mesh_boxes &boxes,
             GridOctree &tree, OctreeContext &context) {
  tree.Count = cells.n_cells;
  if (tree.Count == 0) {
    return;
  }
  tree.Level.Allocate(tree.Count);
  tree.Index.Allocate(3 * tree.Count);
  tree.Corners.Allocate(HasPointArrays(grid) ? tree.Count << boxes.dimension : 0);
  if (tsr_mesh_boxes_fill(&cells, &boxes, context.Runner.Core(), tree.Level.Get(), tree.Index.Get(),
                          tree.Corners.Get(), &context.Error) == TSR_OK) {
    ReadGhosts(grid, cells, tree.Hidden, tree.Copies, context);
    tree.Data = grid;
  }
}

} // namespace

void ReadGhosts(vtkUnstructuredGrid *grid, const tsr_mesh_view &cells, Values<std::uint8_t> &hidden,
                Values<std::uint8_t> &copies, OctreeContext &context) {
  const unsigned char *ofCells = GhostsOf(grid, true, "", context.Messages);
  const unsigned char *ofPoints = GhostsOf(grid, false, "", context.Messages);
  if (ofCells || ofPoints) {
    hidden.Allocate(cells.n_cells);
    copies.Allocate(ofCells ? cells.n_cells : 0);
    tsr_mesh_read_ghosts(&cells, ofCells, ofPoints, context.Runner.Core(), hidden.Get(),
                         copies.Get(), &context.Error);
  }
}

void OctreeOfCells(vtkUnstructuredGrid *data, GridOctree &tree, OctreeContext &context) {
  tsr_error &error = context.Error;
  const tsr_processes group = context.Group.Core();
  GridMesh cells;
  Guard(error, [data, &cells] {
    if (data && data->GetPoints()) {
      cells.Show(data);
    }
  });
  tsr_mesh_boxes boxes;
  if (!context.Group.AllFine(error) ||
      tsr_mesh_boxes_find(&cells.Core, &group, context.Runner.Core(), &boxes, &error) != TSR_OK) {
    return; // on all processes
  }
  std::copy_n(boxes.cells, 3, tree.Lattice.Cells);
  std::copy_n(boxes.origin, 3, tree.Lattice.Origin);
  std::copy_n(boxes.spacing, 3, tree.Lattice.Spacing);
  tree.Lattice.Single = boxes.single != 0;
  tree.Data = NewOctreeArrays(0, 0);
  Guard(error, [&] { Convert(data, cells.Core, boxes, tree, context); });
  context.Group.AllFine(error);
}

} // namespace tessera
