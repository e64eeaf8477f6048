// SPDX-License-Identifier: BSD-3-Clause
/** The output of one dataset of Adaptive Point Grid: arrays that the core fills, and a dataset made
 * of them. */
#ifndef TesseraPointGridOutput_h
#define TesseraPointGridOutput_h

#include "frame/report/TesseraWarningList.h"
#include "pointgrid/TesseraPointGridDataset.h"

#include <vtkCellArray.h>
#include <vtkDoubleArray.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkTypeInt64Array.h>
#include <vtkUnsignedCharArray.h>

#include <string>
#include <vector>

class vtkDataObject;
class vtkDataSetAttributes;

namespace tessera {

class PointGridOutput {
public:
  PointGridOutput(const PointGridDataset &dataset, WarningList &messages);

  /** Allocates all output arrays. */
  void Allocate();

  /** Lets the core write the output arrays. Collective if the dataset is shared. */
  bool Fill(tsr_error &error);

  /** Number of leaves without points, known after Fill; 0 if the output is points. */
  vtkIdType EmptyCells() const;

  /** Makes the dataset from the filled arrays. */
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

  const PointGridDataset &Dataset;
  WarningList &Messages;
  tsr_pointgrid_output Core;
  std::vector<ArrayView> Inputs;
  std::vector<tsr_pointgrid_attribute> Attributes;
  std::vector<vtkSmartPointer<vtkDataArray>> Outputs;
  vtkNew<vtkPoints> Points;
  vtkNew<vtkTypeInt64Array> Offsets, Connectivity, Count, CellId, SourcePoint;
  vtkNew<vtkIntArray> Level;
  vtkNew<vtkDoubleArray> Density;
  vtkNew<vtkUnsignedCharArray> States;
  Writer Filler = Writer::CPU;
};

} // namespace tessera

#endif
