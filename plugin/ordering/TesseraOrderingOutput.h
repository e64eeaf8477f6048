// SPDX-License-Identifier: BSD-3-Clause
/** The vtkPolyData that planned points become. */
#ifndef TesseraOrderingOutput_h
#define TesseraOrderingOutput_h

#include "frame/report/TesseraWarningList.h"
#include "ordering/TesseraOrderingPoints.h"

#include <vtkIdList.h>
#include <vtkNew.h>

class vtkPolyData;

namespace tessera {

/** Arrays that are sent with the points but are not part of the output. */
extern const char *const ORDERING_NUMBER; /**< the point's number in its time step: the group */
extern const char *const ORDERING_INDEX;  /**< its number in the input: the order */

/** Fills one array after another, and frees each input array when it is done. */
class OrderingOutput {
public:
  /** group, order: array names; empty if none is set. `points` must hold the arrays of the plan's
   * view. */
  OrderingOutput(OrderingPoints &points, tsr_ordering_plan *plan, const std::string &group,
                 const std::string &order, WarningList &messages);

  /** Bytes that the output of a plan of these sizes takes. */
  static double Bytes(const OrderingPoints &points, const tsr_ordering_sizes &sizes);

  /** NULL on failure. */
  vtkSmartPointer<vtkPolyData> Fill(tsr_error &error);

private:
  void MakeCells();
  void AddCellArrays();
  void AddCellArray(const char *name, vtkAbstractArray *like, vtkIdList *ids);
  void AddOrderArray(const char *name, vtkIdList *ids);
  bool FillColumn(OrderingColumn &column, tsr_error &error);

  OrderingPoints &Points;
  tsr_ordering_plan *Plan;
  const tsr_ordering_sizes &Sizes;
  const std::string Group, Order;
  WarningList &Messages;
  vtkSmartPointer<vtkPolyData> Result;
  tsr_ordering_output Core;
  Writer Filler = Writer::CPU;
  vtkNew<vtkIdList> PointIds;          /**< where an array has to be copied by VTK */
  vtkNew<vtkIdList> FirstIds, LastIds; /**< the ends of each cell */
};

} // namespace tessera

#endif
