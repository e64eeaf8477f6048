// SPDX-License-Identifier: BSD-3-Clause
#include "pointgrid/TesseraPointGridOutput.h"

#include <vtkBitArray.h>
#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkHyperTree.h>
#include <vtkHyperTreeGrid.h>

namespace tessera {

namespace {

/** One root; its axis that is dropped has one coordinate. */
void SetRoot(const tsr_pointgrid_sizes &sizes, vtkHyperTreeGrid *grid) {
  vtkNew<vtkDoubleArray> coordinates[3];
  unsigned int dimensions[3] = {1, 1, 1};
  for (int axis = 0; axis < 3; ++axis) {
    coordinates[axis]->InsertNextValue(sizes.origin[axis]);
  }
  for (int a = 0; a < sizes.dimension; ++a) {
    const int axis = sizes.axis[a];
    coordinates[axis]->InsertNextValue(sizes.origin[axis] + sizes.side);
    dimensions[axis] = 2;
  }
  grid->Initialize();
  grid->SetBranchFactor(2);
  grid->SetDimensions(dimensions);
  grid->SetXCoordinates(coordinates[0]);
  grid->SetYCoordinates(coordinates[1]);
  grid->SetZCoordinates(coordinates[2]);
}

} // namespace

vtkSmartPointer<vtkDataObject> PointGridOutput::MakeTree() {
  const tsr_pointgrid_sizes &sizes = this->Dataset.Sizes();
  auto grid = vtkSmartPointer<vtkHyperTreeGrid>::New();
  if (sizes.leaves == 0) {
    return grid; // nothing of it is here
  }
  SetRoot(sizes, grid);
  vtkHyperTree *tree = grid->GetTree(0, true);
  tree->SetGlobalIndexStart(0);
  vtkSmartPointer<vtkBitArray> mask;
  for (vtkIdType cell = 0; cell < sizes.cells; ++cell) {
    const unsigned char state = this->States->GetValue(cell);
    if (state == TSR_POINTGRID_SPLIT) {
      tree->SubdivideLeaf(cell, static_cast<unsigned int>(this->Level->GetValue(cell)));
    } else if (state == TSR_POINTGRID_FOREIGN) {
      if (!mask) {
        mask = vtkSmartPointer<vtkBitArray>::New();
        mask->SetNumberOfValues(sizes.cells);
        for (vtkIdType i = 0; i < sizes.cells; ++i) {
          mask->SetValue(i, 0);
        }
      }
      mask->SetValue(cell, 1);
    }
  }
  if (mask) {
    grid->SetMask(mask);
  }
  this->AddGeneratedTo(grid->GetCellData());
  return grid;
}

} // namespace tessera
