// SPDX-License-Identifier: BSD-3-Clause
/** What comes out of one leaf of Adaptive Point Grid: arrays that the core fills, and a dataset. */
#ifndef TesseraPointGridOutput_h
#define TesseraPointGridOutput_h

#include "pointgrid/TesseraPointGridLeaf.h"

#include <vtkCellArray.h>
#include <vtkDoubleArray.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkTypeInt64Array.h>
#include <vtkUnsignedCharArray.h>

#include <set>
#include <string>
#include <vector>

class vtkDataObject;
class vtkDataSetAttributes;

namespace tessera {

class PointGridOutput {
public:
  PointGridOutput(const PointGridLeaf &leaf, std::set<std::string> &messages);

  /** Makes room for everything. */
  void Allocate();

  /** Lets the core write. Collective where the leaf is shared. */
  bool Fill(tsr_error &error);

  /** How many of the cells that are not split hold no point, after Fill; 0 of points in order. */
  vtkIdType EmptyCells() const;

  /** The dataset of what was filled. */
  vtkSmartPointer<vtkDataObject> Make();

private:
  void AllocateCells();
  void AllocatePoints();
  void AddArray(vtkDataArray *from);
  vtkSmartPointer<vtkDataObject> MakeCells();
  vtkSmartPointer<vtkDataObject> MakeTree();
  vtkSmartPointer<vtkDataObject> MakePoints();
  void KeepOthers(vtkDataSetAttributes *out);
  void AddGeneratedTo(vtkDataSetAttributes *out);

  const PointGridLeaf &Leaf;
  std::set<std::string> &Messages;
  tsr_pointgrid_output Core;
  std::vector<ArrayView> Inputs;
  std::vector<tsr_pointgrid_attribute> Attributes;
  std::vector<vtkSmartPointer<vtkDataArray>> Outputs;
  vtkNew<vtkPoints> Points;
  vtkNew<vtkTypeInt64Array> Offsets, Connectivity, Count, CellId, SourcePoint;
  vtkNew<vtkIntArray> Level;
  vtkNew<vtkDoubleArray> Density;
  vtkNew<vtkUnsignedCharArray> States;
};

} // namespace tessera

#endif
