// SPDX-License-Identifier: BSD-3-Clause
/** The vtkPolyData, or the vtkUnstructuredGrid, that a planned dataset becomes. */
#ifndef TesseraCellsOutput_h
#define TesseraCellsOutput_h

#include "frame/data/TesseraArrays.h"

#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkSmartPointer.h>
#include <vtkType.h>

#include <vector>

class vtkCellArray;
class vtkPointSet;
class vtkUnsignedCharArray;

namespace tessera {

class CellsDataset;
class ThreadRunner;

class CellsOutput {
public:
  CellsOutput(const CellsDataset &dataset, WarningList &messages);

  vtkSmartPointer<vtkPointSet> Fill(ThreadRunner &runner, tsr_error &error);

  static double BytesPerPoint(const CellsDataset &dataset);
  static double Bytes(const CellsDataset &dataset);

private:
  void AllocatePoints();
  void AllocateCells();
  void AllocateSolids();
  void AllocateSources();
  int64_t CountCells() const;
  void AllocatePointArrays();
  bool NeedsSources() const;
  void AllocateMade();
  void AllocateParameters();
  void FinishSolids();
  void FinishCells(ThreadRunner &runner);

  const CellsDataset &Dataset;
  WarningList &Messages;
  vtkSmartPointer<vtkPointSet> Result;
  tsr_cells_output Core;
  Writer Filler = Writer::CPU;     /**< what fills the arrays, which says where they are to lie */
  std::vector<int64_t> Offsets[3]; /**< of vertices, lines and polygons of a solid output */
  vtkSmartPointer<vtkCellArray> Solids;
  vtkSmartPointer<vtkUnsignedCharArray> SolidTypes;
  std::vector<tsr_cells_attribute> Attributes;
  std::vector<ArrayView> Inputs;
  vtkSmartPointer<vtkDataArray> Normals, AchievedError, Parameters, ParameterCells;
  vtkNew<vtkIdList> SourceCells; /**< the input cell of each output cell, where that is needed */
};

} // namespace tessera

#endif
