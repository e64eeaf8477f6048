// SPDX-License-Identifier: BSD-3-Clause
/** Moving points between processes, so that each group is whole on one of them. */
#ifndef TesseraOrderingExchange_h
#define TesseraOrderingExchange_h

#include "mpi/TesseraProcesses.h"
#include "ordering/TesseraOrderingPoints.h"

class vtkStringArray;

namespace tessera {

/** Every step is collective. What arrives comes from process 0, then 1, ..., in their order. */
class OrderingExchange {
public:
  OrderingExchange(OrderingPoints &points, const Processes &processes)
      : Points(points), Group(processes) {}

  /** All processes have the same columns afterwards, empty where they have no points; those that
   *  not all have are left out with a sentence. Types that cannot travel too. */
  void ShareColumns();

  /** target: the process of each point. */
  void Move(const std::vector<int32_t> &target);

private:
  void Keep(const std::vector<std::string> &names);
  void SharePlaces();
  vtkSmartPointer<vtkAbstractArray> MoveArray(vtkAbstractArray *from) const;
  void MoveNumbers(vtkDataArray *from, vtkDataArray *to) const;
  void MoveTexts(vtkStringArray *from, vtkStringArray *to) const;

  /** What comes from each process, where each point brings so many bytes. */
  std::vector<int64_t> Incoming(int64_t bytes) const;
  vtkIdType Count(int source, int target) const;

  OrderingPoints &Points;
  const Processes &Group;
  std::vector<vtkIdType> Counts;           /**< by source and target */
  std::vector<std::vector<vtkIdType>> Ids; /**< of this process, by target */
};

} // namespace tessera

#endif
