// SPDX-License-Identifier: BSD-3-Clause
/** Moving points between processes, so that each group is whole on one of them. */
#ifndef TesseraOrderingExchange_h
#define TesseraOrderingExchange_h

#include "mpi/TesseraProcesses.h"
#include "ordering/TesseraOrderingPoints.h"

#include <cstdint>

class vtkStringArray;

namespace tessera {

/** Every step is collective. A process receives points in the order of the processes that send
 * them. */
class OrderingExchange {
public:
  OrderingExchange(OrderingPoints &points, const Processes &processes)
      : Points(points), Group(processes) {}
  ~OrderingExchange() { tsr_route_free(&this->Route); }
  OrderingExchange(const OrderingExchange &) = delete;
  OrderingExchange &operator=(const OrderingExchange &) = delete;

  /** Gives all processes the same columns, empty if a process has no points. Arrays that a process
   * with points lacks, and types that cannot be sent, are left out with a warning. */
  void ShareColumns(tsr_error &error);

  /** Sends each point to process target[point]. */
  bool Move(const std::vector<int32_t> &target, tsr_error &error);

private:
  OrderingColumn ColumnLike(const tsr_column &like) const;
  void SharePlaces();

  /** Replaces the array by what this process receives of it. */
  bool MoveArray(vtkSmartPointer<vtkAbstractArray> &array, tsr_error &error) const;
  bool MoveTexts(vtkStringArray *from, vtkStringArray *to, tsr_error &error) const;

  OrderingPoints &Points;
  const Processes &Group;
  tsr_route Route = {};
};

} // namespace tessera

#endif
