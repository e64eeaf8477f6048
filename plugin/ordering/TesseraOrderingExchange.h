// SPDX-License-Identifier: BSD-3-Clause
/** Moving points between processes, so that each group is whole on one of them. */
#ifndef TesseraOrderingExchange_h
#define TesseraOrderingExchange_h

#include "mpi/TesseraProcesses.h"
#include "ordering/TesseraOrderingPoints.h"

#include <cstdint>

class vtkStringArray;

namespace tessera {

/** Every step is collective. What arrives comes from process 0, then 1, ..., in their order. */
class OrderingExchange {
public:
  OrderingExchange(OrderingPoints &points, const Processes &processes)
      : Points(points), Group(processes) {}
  ~OrderingExchange() { tsr_route_free(&this->Route); }
  OrderingExchange(const OrderingExchange &) = delete;
  OrderingExchange &operator=(const OrderingExchange &) = delete;

  /** All processes have the same columns afterwards, empty where they have no points; those that
   *  not all have are left out with a sentence. Types that cannot travel too. */
  void ShareColumns(tsr_error &error);

  /** target: the process of each point. */
  bool Move(const std::vector<int32_t> &target, tsr_error &error);

private:
  OrderingColumn ColumnLike(const tsr_column &like) const;
  void SharePlaces();

  /** The array becomes what arrives of it. */
  bool MoveArray(vtkSmartPointer<vtkAbstractArray> &array, tsr_error &error) const;
  bool MoveTexts(vtkStringArray *from, vtkStringArray *to, tsr_error &error) const;

  OrderingPoints &Points;
  const Processes &Group;
  tsr_route Route = {};
};

} // namespace tessera

#endif
