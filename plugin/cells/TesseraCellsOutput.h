// SPDX-License-Identifier: BSD-3-Clause
/** The vtkPolyData that a planned dataset becomes. */
#ifndef TesseraCellsOutput_h
#define TesseraCellsOutput_h

#include "frame/data/TesseraArrays.h"

#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkSmartPointer.h>
#include <vtkType.h>

#include <vector>

class vtkPolyData;

namespace tessera {

class CellsDataset;
class ThreadRunner;

class CellsOutput {
public:
  CellsOutput(const CellsDataset &dataset, WarningList &messages);

  vtkSmartPointer<vtkPolyData> Fill(ThreadRunner &runner, tsr_error &error);

  static double BytesPerPoint(const CellsDataset &dataset);
  static double Bytes(const CellsDataset &dataset);

private:
  void AllocatePoints();
  void AllocateCells();
  void AllocatePointArrays();
  bool NeedsSources() const;
  void AllocateMade();
  void AllocateParameters();
  void FinishCells(ThreadRunner &runner);

  const CellsDataset &Dataset;
  WarningList &Messages;
  vtkSmartPointer<vtkPolyData> Result;
  tsr_cells_output Core;
  std::vector<tsr_cells_attribute> Attributes;
  std::vector<ArrayView> Inputs;
  vtkSmartPointer<vtkDataArray> Normals, AchievedError, Parameters, ParameterCells;
  vtkNew<vtkIdList> SourceCells; /**< the input cell of each output cell, where that is needed */
};

} // namespace tessera

#endif
