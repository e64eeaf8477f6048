// SPDX-License-Identifier: BSD-3-Clause
/** The points of all leaves and time steps together, with their arrays. */
#ifndef TesseraOrderingPoints_h
#define TesseraOrderingPoints_h

#include "frame/TesseraArrays.h"

#include <set>
#include <string>
#include <vector>

class vtkAbstractArray;
class vtkDataArray;
class vtkDataObject;
class vtkPointSet;

namespace tessera {

/** Points and point arrays of a dataset or of all leaves of a composite, without their cells; the
 *  arrays are shared. Leaves of other kinds become empty. */
vtkSmartPointer<vtkDataObject> PointsOf(vtkDataObject *input);

/** An array with a tuple for each point. */
struct OrderingColumn {
  vtkSmartPointer<vtkAbstractArray> Values;
  int Roles = 0; /**< bits of those of vtkDataSetAttributes that it has */
};

/**
 * Where there is one leaf and one step its arrays are taken as they are; else they are joined, in
 * the order of the steps and in each of the leaves. An array that not all of them have, of one
 * type, is left out with a sentence. Ghost points of other processes are left out.
 */
class OrderingPoints {
public:
  /** Adds one dataset or all leaves of a composite. keep: the input's arrays hold beyond this step.
   */
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

  /** A sentence about an array that not all have. */
  void LeaveOut(const char *name);

  vtkSmartPointer<vtkDataArray> Places; /**< NULL while there are no points */
  std::vector<OrderingColumn> Columns;
  std::set<std::string> Messages;
  vtkIdType Hidden = 0;      /**< points that were left out since they are hidden or copies */
  vtkIdType OtherLeaves = 0; /**< datasets that are no point sets */
  std::string OtherPlace;    /**< of the first of them: its block */

private:
  void AddLeaf(vtkPointSet *leaf, bool keep);
  void TakeFirst(vtkPointSet *leaf);
  void Join(vtkPointSet *leaf, vtkIdList *ids);
  void JoinPlaces(vtkDataArray *places, vtkIdList *ids);

  std::vector<Step> AllSteps;
  bool Own = false; /**< the arrays are copies */
};

} // namespace tessera

#endif
