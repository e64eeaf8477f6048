// SPDX-License-Identifier: BSD-3-Clause
/** The output of one dataset of Adaptive Grid: arrays that the core fills, and a dataset made of
 * them.
 */
#ifndef TesseraGridOutput_h
#define TesseraGridOutput_h

#include "frame/report/TesseraWarningList.h"
#include "frame/run/TesseraThreadRunner.h"
#include "grid/TesseraGridDataset.h"

#include <vtkDoubleArray.h>
#include <vtkFloatArray.h>
#include <vtkIdTypeArray.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkUnsignedCharArray.h>

#include <deque>

class vtkAbstractArray;
class vtkHyperTreeGrid;
class vtkUnstructuredGrid;

namespace tessera {

/** The steps that all kinds of output share. */
class GridOutput {
public:
  GridOutput(const GridDataset &dataset, WarningList &messages);

  /** Allocates the output arrays. Cell arrays are added to `cells`, or, moved, to `points`;
   * point arrays to `points`, or to `cells` if `points` is NULL. */
  void AddArrays(vtkDataSetAttributes *points, vtkDataSetAttributes *cells);

  /** Lets the core write the output arrays. */
  bool Fill(tsr_error &error);

  /** Adds the generated arrays that the user has asked for; `points` is NULL where the output has
   * none. To be called after Fill. */
  void AddGeneratedArrays(vtkDataSetAttributes *points, vtkDataSetAttributes *cells);

  const GridDataset &Dataset;
  WarningList &Messages;
  tsr_grid_output Core;
  Writer Filler;
  vtkNew<vtkUnsignedCharArray> States; /**< tsr_grid_state of each cell; empty if not wanted */

  /** Largest error of a coordinate of the points; below 0 if it was not measured. */
  double GeometricError() const { return this->Bent; }

  /** Largest error of each array. */
  const std::deque<GridArrayError> &Errors() const { return this->Largest; }

private:
  void AddPointArray(vtkAbstractArray *from, vtkDataSetAttributes *points,
                     vtkDataSetAttributes *cells);
  void AddCellArray(vtkAbstractArray *from, vtkDataSetAttributes *points,
                    vtkDataSetAttributes *cells);
  /** from: shown by `in`. cellData: as tsr_grid_attribute has it. */
  void AddAttribute(vtkAbstractArray *from, const ArrayView &in, int cellData,
                    vtkAbstractArray *out);
  void GatherOthers();
  void AddInside(bool points);

  double Bent = -1.0;
  std::vector<ArrayView> Inputs;
  std::vector<tsr_grid_attribute> Attributes;
  std::deque<GridArrayError> Largest; /**< keeps its members in place while it grows */
  std::vector<std::pair<vtkAbstractArray *, vtkAbstractArray *>>
      Others; /**< input and output of arrays that VTK copies, tuple by tuple */
  vtkNew<vtkIntArray> Level;
  vtkNew<vtkDoubleArray> Indicator;
  vtkNew<vtkIdTypeArray> SourceCell;
  vtkNew<vtkFloatArray> Inside; /**< 1 where all of a point or cell is made of points in the mesh */
};

/** Leaves as cells with shared points; of a mesh, cut at its surface where the settings say so. */
vtkSmartPointer<vtkDataObject> MakeUnstructured(GridOutput &output, ThreadRunner &runner,
                                                tsr_error &error);

/** Every root as a tree. */
vtkSmartPointer<vtkDataObject> MakeHyperTrees(GridOutput &output, ThreadRunner &runner,
                                              tsr_error &error);

/** Blocks of one level. Collective: all processes know all boxes. */
vtkSmartPointer<vtkDataObject> MakeAMR(GridOutput &output, const Processes &processes,
                                       tsr_error &error);

} // namespace tessera

#endif
