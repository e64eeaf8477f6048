// SPDX-License-Identifier: BSD-3-Clause
#include "frame/TesseraVersions.h"
#include "grid/TesseraGridOutput.h"
#include "grid/mesh/TesseraGridMeshClip.h"
#include "grid/octree/TesseraGridOctree.h"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkDataSet.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkTypeInt64Array.h>
#include <vtkUnstructuredGrid.h>

namespace tessera {

namespace {

int CellType(const GridDataset &dataset, bool hexahedra) {
  static const int boxes[] = {VTK_VERTEX, VTK_LINE, VTK_PIXEL, VTK_VOXEL};
  static const int general[] = {VTK_VERTEX, VTK_LINE, VTK_QUAD, VTK_HEXAHEDRON};
  if (dataset.Options().output == TSR_GRID_POLYGONS) {
    return VTK_POLYGON;
  }
  return (hexahedra ? general : boxes)[dataset.Sizes().dimension];
}

bool IsWide(const GridDataset &dataset) {
  const tsr_grid_view &view = dataset.View();
  if (dataset.IsOctree()) {
    return !dataset.IsSingle();
  }
  return view.geometry == TSR_GEOMETRY_UNIFORM ||
         (view.geometry == TSR_GEOMETRY_POINTS ? view.points : view.coordinates[0]).type ==
             TSR_DOUBLE;
}

} // namespace

vtkSmartPointer<vtkDataObject> MakeUnstructured(GridOutput &output, ThreadRunner &runner,
                                                tsr_error &error) {
  const GridDataset &dataset = output.Dataset;
  const tsr_grid_sizes &sizes = dataset.Sizes();
  if (sizes.dimension == 0) {
    output.Messages.Add("An input of one point has no cell to refine; nothing comes of it.");
  }
  const bool hexahedra = dataset.Settings().hexahedra || !dataset.IsAxisAligned();
  auto grid = vtkSmartPointer<vtkUnstructuredGrid>::New();
  vtkNew<vtkPoints> points;
  points->SetDataType(PointType(dataset.Settings().output_precision, IsWide(dataset)));
  AllocateTuples(points->GetData(), sizes.points, output.Filler);
  vtkNew<vtkTypeInt64Array> offsets, connectivity;
  AllocateTuples(offsets, sizes.cells + 1, output.Filler);
  AllocateTuples(connectivity, sizes.connectivity, output.Filler);
  output.Core.points_type = points->GetDataType() == VTK_DOUBLE ? TSR_DOUBLE : TSR_FLOAT;
  output.Core.points = points->GetVoidPointer(0);
  output.Core.offsets = offsets->GetPointer(0);
  output.Core.connectivity = connectivity->GetPointer(0);
  output.Core.hexahedra = hexahedra;
  vtkNew<vtkUnsignedCharArray> types;
  AllocateTuples(types, sizes.cells, output.Filler);
  output.Core.cell_type = types->GetPointer(0);
  output.Core.cell_type_of[TSR_GRID_CELL_LEAF] = static_cast<uint8_t>(CellType(dataset, hexahedra));
  output.Core.cell_type_of[TSR_GRID_CELL_TRIANGLE] = VTK_TRIANGLE;
  output.Core.cell_type_of[TSR_GRID_CELL_TETRAHEDRON] = VTK_TETRA;
  output.Core.cell_type_of[TSR_GRID_CELL_PYRAMID] = VTK_PYRAMID;
  const bool clips = dataset.Octree() && dataset.Octree()->Mesh;
  vtkNew<vtkIdTypeArray> leaves;
  if (clips) {
    AllocateTuples(leaves, sizes.cells, output.Filler);
    output.Core.leaf = reinterpret_cast<int64_t *>(leaves->GetPointer(0));
  }
  output.AddArrays(grid->GetPointData(), grid->GetCellData());
  if (!output.Fill(error)) {
    return nullptr;
  }
  vtkNew<vtkCellArray> cells;
  cells->SetData(offsets, connectivity);
  grid->SetPoints(points);
  SetCells(grid, types, cells);
  output.AddGeneratedArrays(grid->GetPointData(), grid->GetCellData());
  grid->GetFieldData()->PassData(dataset.Input()->GetFieldData());
  if (clips) {
    return ClipAtSurface(dataset, grid, leaves, runner, error);
  }
  return grid;
}

} // namespace tessera
