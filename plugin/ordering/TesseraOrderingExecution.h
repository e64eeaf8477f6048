// SPDX-License-Identifier: BSD-3-Clause
/** One execution of Points To Curves over all datasets, time steps and processes. */
#ifndef TesseraOrderingExecution_h
#define TesseraOrderingExecution_h

#include "frame/report/TesseraTables.h"
#include "frame/run/TesseraExecution.h"
#include "ordering/TesseraOrderingExchange.h"
#include "ordering/TesseraOrderingPoints.h"

namespace tessera {

/** The settings of the filter. */
struct OrderingSettings {
  tsr_ordering_options Options;
  std::string Group, Order; /**< names of point arrays; empty: none */
  bool Temporal;            /**< the points of several time steps are joined */
};

/** Notes of the filter beyond those of the core. */
enum OrderingNote {
  ORDERING_NOTE_DATASET = TSR_ORDERING_NOTES, /**< a dataset that is no point set */
  ORDERING_NOTES
};

class OrderingExecution : public Execution {
public:
  /** points: the points of all time steps. Without Temporal it is empty, and Run takes the points
   * from the input. */
  OrderingExecution(vtkDataObject *input, const OrderingSettings &settings, OrderingPoints &points,
                    ThreadRunner &runner);
  ~OrderingExecution() override;

  bool Run() override;

  /** Numbers over all processes. */
  vtkIdType Repeats() const { return this->Sums[0]; }
  vtkIdType Cuts() const { return this->Sums[1]; }
  vtkIdType SinglesDropped() const { return this->Sums[2]; }
  vtkIdType Hidden() const { return this->Sums[3]; }
  vtkIdType Groupless() const { return this->Sums[4]; }

  /** Why the output has no curve; empty if it has one. */
  std::string WhyNone() const;
  const PolylineClasses &Classes() const { return this->Made; }

private:
  std::string NoteSentence(int kind, const tsr_note_count &note,
                           const std::string &where) const override;
  void AddTimes();
  void AddNumbers();
  void AddIndices();
  void AddColumn(const vtkSmartPointer<vtkAbstractArray> &values);
  void CheckArrays();
  void CheckArray(const std::string &name, const char *role, const char *verb, bool texts);
  void Fail(const std::string &text);

  /** Replaces each count by the sum of that count over all processes of lower rank. Collective. */
  void CountBefore(std::vector<int64_t> &counts);
  void MakeTextIds();
  bool Exchange();

  /** Shows the core the points and the arrays to sort them by, which are borrowed. Returns false,
   * with Failure set, if that is not possible. */
  bool MakeView(tsr_ordering_view &view);
  void Look();
  void MakePlan();
  bool IsWithinLimit();
  void FillAll();
  void Conclude();

  OrderingSettings Settings;
  OrderingPoints &Points;
  vtkSmartPointer<vtkDataArray> TextIds; /**< of groups that are texts */
  ArrayView PlacesView, GroupView, OrderView;
  tsr_note_count Noted[TSR_ORDERING_NOTES] = {}; /**< of the points that this process brought */
  tsr_ordering_plan *Plan = nullptr;
  vtkIdType WithoutGroup = 0; /**< points here whose group is an empty text */
  vtkIdType Sums[5] = {};
  std::string OtherPlace; /**< of the first dataset without points of its own */
  PolylineClasses Made;
};

} // namespace tessera

#endif
