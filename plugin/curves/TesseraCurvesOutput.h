// SPDX-License-Identifier: BSD-3-Clause
/** The vtkPolyData that a planned dataset becomes. */
#ifndef TesseraCurvesOutput_h
#define TesseraCurvesOutput_h

#include "frame/data/TesseraArrays.h"

#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkSmartPointer.h>
#include <vtkType.h>

#include <cstdint>
#include <string>
#include <vector>

class vtkAbstractArray;
class vtkDataArray;
class vtkPolyData;

class vtkPointSet;

namespace tessera {

class CurvesDataset;
class ThreadRunner;
class PolylineClasses;

/** The points of the curves come first, then those of the cells that are passed through. Cells are
 * in the order of vtkPolyData: verts, lines, polys, strips. */
class CurvesOutput {
public:
  CurvesOutput(const CurvesDataset &dataset, WarningList &messages);

  vtkSmartPointer<vtkPolyData> Fill(ThreadRunner &runner, PolylineClasses &classes,
                                    tsr_error &error);

  static double BytesPerPoint(const CurvesDataset &dataset);
  static double Bytes(const CurvesDataset &dataset);

private:
  void AllocatePoints();
  void AllocateLines();
  void AllocateGenerated();
  void AllocatePointArrays();
  vtkSmartPointer<vtkDataArray> NewGenerated(const char *name, int components);
  void FinishNearest();
  /** True if some array of the output cells is copied from their input cells. */
  bool NeedsSources() const;
  void FinishCells(ThreadRunner &runner);
  void AddGeneratedArrays();

  const CurvesDataset &Dataset;
  WarningList &Messages;
  vtkSmartPointer<vtkPolyData> Result;
  vtkIdType CurvePoints, PassedPoints, FirstLineCell;
  int ScalarType;
  Writer Filler = Writer::CPU;

  tsr_curves_output Core;
  std::vector<tsr_attribute> Attributes;
  std::vector<ArrayView> Inputs;
  vtkIdType Cells = 0;           /**< how many there are in the output */
  vtkNew<vtkIdList> SourceCells; /**< the input cell of each of them, where that is needed */

  /** Input and output of the arrays that the core has no type for. */
  std::vector<std::pair<vtkAbstractArray *, vtkAbstractArray *>> ByNearest;
  std::vector<int64_t> Nearest;

  std::vector<vtkSmartPointer<vtkDataArray>> Generated;
  vtkSmartPointer<vtkDataArray> AchievedError;
};

} // namespace tessera

#endif
