// SPDX-License-Identifier: BSD-3-Clause
#include "ordering/TesseraOrderingExecution.h"

#include "mpi/TesseraMessages.h"
#include "ordering/TesseraOrderingOutput.h"

#include <vtkDoubleArray.h>
#include <vtkPolyData.h>
#include <vtkStringArray.h>
#include <vtkTypeInt64Array.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <numeric>

namespace tessera {

OrderingExecution::OrderingExecution(vtkDataObject *input, const OrderingSettings &settings,
                                     OrderingPoints &points, ThreadRunner &runner)
    : Execution(input, runner, ORDERING_NOTES), Settings(settings), Points(points) {
  runner.SetParts(1);
}

OrderingExecution::~OrderingExecution() { tsr_ordering_plan_free(this->Plan); }

bool OrderingExecution::Run() {
  bool good = this->Step([this] {
    if (!this->Settings.Temporal) {
      this->Points.AddStep(this->Input, 0.0, true);
    }
  });
  if (good && this->Settings.Temporal) {
    this->AddTimes();
    this->AddNumbers();
  }
  if (good && this->Settings.Order.empty() && this->Group.Count() > 1) {
    this->AddIndices();
  }
  good = good && this->Step([this] { this->CheckArrays(); });
  vtkIdType all = this->Points.Count();
  this->Group.Sum(&all, 1);
  if (good && all > 0) {
    good = this->Exchange() && this->Step([this] { this->MakePlan(); });
  }
  good = good && this->IsWithinLimit();
  if (!good || this->OnlyEstimate) {
    return good;
  }
  if (all > 0) {
    good = this->Step([this] { this->FillAll(); }) && this->Step([this] {
      this->Made.Add(this->Outputs.front(), this->Runner, this->Failure);
    });
  } else {
    this->Outputs.push_back(vtkSmartPointer<vtkPolyData>::New());
  }
  if (good) {
    this->Conclude();
  }
  return good;
}

bool OrderingExecution::IsWithinLimit() {
  double points = 0.0, bytes = 0.0;
  if (this->Plan) {
    const tsr_ordering_sizes &sizes = *tsr_ordering_plan_sizes(this->Plan);
    points = static_cast<double>(sizes.points);
    bytes = OrderingOutput::Bytes(this->Points, sizes);
  }
  OutputSize size(this->Limit, "points");
  size.Set(this->Group, points, bytes);
  if (!this->IsAllowed(size, "take fewer points")) {
    return false;
  }
  CheckMemory(this->Group, points, bytes, this->Failure);
  return this->Step([] {});
}

void OrderingExecution::AddColumn(const vtkSmartPointer<vtkAbstractArray> &values) {
  OrderingColumn column;
  column.Values = values;
  auto &columns = this->Points.Columns;
  const auto same = std::find_if(columns.begin(), columns.end(), [&](const OrderingColumn &one) {
    return std::strcmp(one.Values->GetName(), values->GetName()) == 0;
  });
  if (same != columns.end()) {
    this->Messages.Add("The generated array '" + std::string(values->GetName()) +
                       "' replaces the input's array of that name.");
    columns.erase(same);
  }
  columns.push_back(column);
}

void OrderingExecution::AddTimes() {
  vtkNew<vtkDoubleArray> times;
  times->SetName("Time");
  times->SetNumberOfValues(this->Points.Count());
  vtkIdType at = 0;
  for (const OrderingPoints::Step &step : this->Points.Steps()) {
    std::fill_n(times->GetPointer(at), step.Points, step.Time);
    at += step.Points;
  }
  if (this->Points.Count() > 0) {
    this->AddColumn(times.Get());
  }
  if (this->Settings.Order.empty()) {
    this->Settings.Order = "Time";
  }
}

void OrderingExecution::AddNumbers() {
  // Process after process, in each step anew.
  double most = static_cast<double>(this->Points.Steps().size());
  this->Group.Max(&most, 1);
  if (!this->Settings.Group.empty()) {
    return;
  }
  std::vector<int64_t> next;
  for (const OrderingPoints::Step &step : this->Points.Steps()) {
    next.push_back(step.Points);
  }
  next.resize(static_cast<size_t>(most), 0);
  this->CountBefore(next);
  this->Settings.Group = ORDERING_NUMBER;
  vtkNew<vtkTypeInt64Array> numbers;
  numbers->SetName(ORDERING_NUMBER);
  numbers->SetNumberOfValues(this->Points.Count());
  vtkTypeInt64 *at = numbers->GetPointer(0);
  for (size_t step = 0; step < this->Points.Steps().size(); ++step) {
    const vtkIdType points = this->Points.Steps()[step].Points;
    std::iota(at, at + points, next[step]);
    at += points;
  }
  if (this->Points.Count() > 0) {
    this->AddColumn(numbers.Get());
  }
}

void OrderingExecution::AddIndices() {
  std::vector<int64_t> first = {this->Points.Count()};
  this->CountBefore(first);
  vtkNew<vtkTypeInt64Array> indices;
  indices->SetName(ORDERING_INDEX);
  indices->SetNumberOfValues(this->Points.Count());
  std::iota(indices->GetPointer(0), indices->GetPointer(0) + this->Points.Count(), first.front());
  if (this->Points.Count() > 0) {
    this->AddColumn(indices.Get());
  }
  this->Settings.Order = ORDERING_INDEX;
}

void OrderingExecution::Fail(const std::string &text) {
  this->Failure.status = TSR_BAD_INPUT;
  this->Failure.item = -1;
  std::snprintf(this->Failure.text, sizeof(this->Failure.text), "%s", text.c_str());
}

void OrderingExecution::CheckArrays() {
  this->CheckArray(this->Settings.Group, "group", "group", true);
  if (this->Failure.status == TSR_OK) {
    this->CheckArray(this->Settings.Order, "order", "order", false);
  }
}

void OrderingExecution::CheckArray(const std::string &name, const char *role, const char *verb,
                                   bool texts) {
  if (name.empty() || this->Points.Count() == 0) {
    return;
  }
  const std::string quoted = "'" + name + "'";
  vtkAbstractArray *array = this->Points.Find(name);
  tsr_type type;
  if (!array) {
    const std::string why = this->Points.Messages.WhyLeftOut(name);
    const std::string end = " to " + std::string(verb) + " the points by";
    this->Fail(why.empty() ? "there is no point array " + quoted + end
                           : "there is nothing" + end + ": " + why);
  } else if (!CoreType(array->GetDataType(), type) &&
             !(texts && vtkStringArray::SafeDownCast(array))) {
    this->Fail("the " + std::string(role) + " array " + quoted +
               (texts ? " holds neither numbers nor texts" : " does not hold numbers"));
  } else if (array->GetNumberOfComponents() != 1) {
    this->Fail("the " + std::string(role) + " array " + quoted + " has " +
               std::to_string(array->GetNumberOfComponents()) + " components instead of 1");
  }
}

void OrderingExecution::CountBefore(std::vector<int64_t> &counts) {
  const tsr_processes group = this->Group.Core();
  tsr_processes_before(&group, counts.data(), static_cast<int>(counts.size()), &this->Failure);
}

void OrderingExecution::MakeTextIds() {
  auto *texts = vtkStringArray::SafeDownCast(this->Points.Find(this->Settings.Group));
  const vtkIdType points = texts ? this->Points.Count() : 0;
  std::vector<int64_t> lengths;
  std::string all;
  for (vtkIdType i = 0; i < points; ++i) {
    lengths.push_back(static_cast<int64_t>(texts->GetValue(i).size()));
    all += texts->GetValue(i);
  }
  this->WithoutGroup = std::count(lengths.begin(), lengths.end(), 0);
  const tsr_processes group = this->Group.Core();
  vtkNew<vtkTypeInt64Array> ids;
  ids->SetNumberOfValues(points);
  tsr_ordering_text_ids(&group, all.data(), lengths.data(), points,
                        reinterpret_cast<int64_t *>(ids->GetPointer(0)), &this->Failure);
  if (texts) {
    this->TextIds = ids.Get();
  }
}

bool OrderingExecution::Exchange() {
  if (this->Group.Count() == 1) {
    return this->Step([this] { this->MakeTextIds(); });
  }
  OrderingExchange exchange(this->Points, this->Group);
  exchange.ShareColumns(this->Failure);
  std::vector<int32_t> target(static_cast<size_t>(this->Points.Count()));
  const bool good = this->Step([this] { this->CheckArrays(); }) && this->Step([&] {
    this->MakeTextIds();
    ArrayView view;
    tsr_array group = {nullptr, TSR_INT64, 0, 0};
    vtkAbstractArray *array = this->Points.Find(this->Settings.Group);
    if (this->TextIds ? view.Set(this->TextIds) : view.Set(vtkDataArray::SafeDownCast(array))) {
      group = view.Get();
    }
    const tsr_processes processes = this->Group.Core();
    tsr_ordering_share(&processes, &group, this->Points.Count(), target.data(), &this->Failure);
    this->Look();
  });
  return good && this->Step([&] {
    if (exchange.Move(target, this->Failure)) {
      this->MakeTextIds();
    }
  });
}

bool OrderingExecution::MakeView(tsr_ordering_view &view) {
  tsr_ordering_view_init(&view);
  if (!this->PlacesView.Set(this->Points.Places)) {
    this->Fail("the coordinates of the points have an unknown type");
    return false;
  }
  view.points = this->PlacesView.Get();
  vtkDataArray *group = vtkDataArray::SafeDownCast(this->Points.Find(this->Settings.Group));
  if (this->GroupView.Set(this->TextIds ? this->TextIds.Get() : group)) {
    view.group = this->GroupView.Get();
  }
  if (this->OrderView.Set(vtkDataArray::SafeDownCast(this->Points.Find(this->Settings.Order)))) {
    view.order = this->OrderView.Get();
  }
  return true;
}

void OrderingExecution::Look() {
  tsr_ordering_view view;
  if (this->Failure.status == TSR_OK && this->Points.Count() > 0 && this->MakeView(view)) {
    tsr_ordering_examine(&view, this->Noted);
  }
}

void OrderingExecution::MakePlan() {
  tsr_ordering_view view;
  if (!this->MakeView(view)) {
    return;
  }
  this->Runner.StartPart(0);
  tsr_ordering_plan_create(&view, &this->Settings.Options, this->Runner.Core(), &this->Plan,
                           &this->Failure);
}

void OrderingExecution::FillAll() {
  OrderingOutput output(this->Points, this->Plan, this->Settings.Group, this->Settings.Order,
                        this->Messages);
  this->Runner.StartPart(0);
  this->Outputs.push_back(output.Fill(this->Failure));
  this->CheckAborted();
}

void OrderingExecution::Conclude() {
  this->Total.SetThreads(this->Runner.Core()->threads);
  if (this->Plan) {
    tsr_report one;
    tsr_ordering_plan_report(this->Plan, &one);
    this->Total.Add(one);
    const tsr_ordering_sizes &sizes = *tsr_ordering_plan_sizes(this->Plan);
    if (this->Group.Count() == 1) {
      std::copy_n(sizes.notes, TSR_ORDERING_NOTES, this->Noted);
    }
    this->Sums[0] = sizes.repeats;
    this->Sums[1] = sizes.cuts;
    this->Sums[2] = sizes.singles_dropped;
  }
  this->AddNotes(this->Noted, TSR_ORDERING_NOTES, 0);
  this->AllNotes.Add(ORDERING_NOTE_DATASET, this->Points.OtherDatasets, 0, 0);
  this->Sums[3] = this->Points.Hidden;
  this->Sums[4] = this->WithoutGroup;
  this->Group.Sum(this->Sums, 5);
  this->Total.Agree(this->Group);
  this->Made.Agree(this->Group.Core());
  this->AllNotes.Agree(this->Group, nullptr);
  this->Messages.Add(this->Points.Messages);
  this->Group.Collect(this->Messages.All());
  std::set<std::string> places;
  if (!this->Points.OtherPlace.empty()) {
    places.insert(this->Points.OtherPlace);
  }
  this->Group.Collect(places);
  this->OtherPlace = places.empty() ? "" : *places.begin();
}

std::string OrderingExecution::WhyNone() const {
  if (this->Total.Core().cells > 0) {
    return "";
  }
  if (this->SinglesDropped() > 0) {
    return "Single Points leaves out " + Counted(this->SinglesDropped(),
                                                 "curve, which has one point",
                                                 "curves, which have one point each");
  }
  return WhyNothing(this->Total.Core().items + this->Hidden(), this->Hidden());
}

std::string OrderingExecution::NoteSentence(int kind, const tsr_note_count &note,
                                            const std::string &where) const {
  if (kind == ORDERING_NOTE_DATASET) {
    return CountedFirst(note.count, "dataset has no points of its own and is left out",
                        "datasets have no points of their own and are left out",
                        " " + this->OtherPlace);
  }
  char text[500] = "";
  tsr_ordering_note_sentence(static_cast<tsr_ordering_note>(kind), note, text, sizeof(text));
  return WithPlace(text, where);
}

} // namespace tessera
