// SPDX-License-Identifier: BSD-3-Clause
/** The points of all datasets and time steps together, with their arrays. */
#ifndef TesseraOrderingPoints_h
#define TesseraOrderingPoints_h

#include "frame/data/TesseraArrays.h"

#include <string>
#include <vector>

class vtkAbstractArray;
class vtkDataArray;
class vtkDataObject;
class vtkPointSet;

namespace tessera {

/** The points and point arrays of a dataset, or of all datasets of a composite, without cells. The
 * arrays are shared with the input. Datasets of unsupported types become empty. */
vtkSmartPointer<vtkDataObject> PointsOf(vtkDataObject *input);

/** An array with a tuple for each point. */
struct OrderingColumn {
  vtkSmartPointer<vtkAbstractArray> Values;
  int Roles = 0; /**< bits of those of vtkDataSetAttributes that it has */
};

/**
 * With one dataset and one step, its arrays are used as they are. Otherwise the arrays of all steps
 * and datasets are concatenated, step by step and dataset by dataset. An array that some of them
 * lack, or whose type differs, is left out with a warning. Ghost points of other processes are left
 * out.
 */
class OrderingPoints {
public:
  /** Adds a dataset or all datasets of a composite. keep: the input's arrays stay valid after this
   * step. */
  void AddStep(vtkDataObject *input, double time, bool keep);

  vtkIdType Count() const;

  /** The array of this name, or NULL. */
  vtkAbstractArray *Find(const std::string &name) const;

  /** Points and time of each step. */
  struct Step {
    vtkIdType Points;
    double Time;
  };
  const std::vector<Step> &Steps() const { return this->AllSteps; }

  /** Adds a warning that an array is left out because not all datasets have it. */
  void LeaveOut(const char *name);

  vtkSmartPointer<vtkDataArray> Places; /**< NULL while there are no points */
  std::vector<OrderingColumn> Columns;
  WarningList Messages;
  vtkIdType Hidden = 0;        /**< points that were left out since they are hidden or copies */
  vtkIdType OtherDatasets = 0; /**< datasets that are no point sets */
  std::string OtherPlace;      /**< of the first of them: its block */

private:
  void AddDataset(vtkPointSet *dataset, bool keep);
  void TakeFirst(vtkPointSet *dataset);
  void Join(vtkPointSet *dataset, vtkIdList *ids);
  void JoinPlaces(vtkDataArray *places, vtkIdList *ids);

  std::vector<Step> AllSteps;
  bool Own = false; /**< the arrays are copies */
};

} // namespace tessera

#endif
