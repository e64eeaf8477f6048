// SPDX-License-Identifier: BSD-3-Clause
#include "ordering/TesseraOrderingPoints.h"

#include "frame/data/TesseraDatasets.h"

#include <vtkDataArray.h>
#include <vtkDataSetAttributes.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPointSet.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>

#include <algorithm>

namespace tessera {

namespace {

/** The points that are this dataset's own and to be seen; `all`: they are all of them. */
vtkSmartPointer<vtkIdList> OwnPoints(vtkPointSet *dataset, bool &all) {
  const std::vector<std::uint8_t> foreign =
      Flagged(dataset->GetPointData(), dataset->GetNumberOfPoints(),
              vtkDataSetAttributes::DUPLICATEPOINT | vtkDataSetAttributes::HIDDENPOINT);
  auto ids = vtkSmartPointer<vtkIdList>::New();
  all = std::find(foreign.begin(), foreign.end(), 1) == foreign.end();
  for (size_t i = 0; i < foreign.size() && !all; ++i) {
    if (!foreign[i]) {
      ids->InsertNextId(static_cast<vtkIdType>(i));
    }
  }
  return ids;
}

/** Appends tuples: those of the list, or all where it is NULL. */
void Append(vtkAbstractArray *to, vtkAbstractArray *from, vtkIdList *ids) {
  const vtkIdType at = to->GetNumberOfTuples();
  if (!ids) {
    to->InsertTuples(at, from->GetNumberOfTuples(), 0, from);
  } else if (ids->GetNumberOfIds() > 0) {
    to->InsertTuplesStartingAt(at, ids, from);
  }
}

vtkSmartPointer<vtkAbstractArray> CopyOf(vtkAbstractArray *array) {
  auto copy = NewArrayLike(array, 0);
  Append(copy, array, nullptr);
  return copy;
}

bool SameKind(vtkAbstractArray *a, vtkAbstractArray *b) {
  return a->GetDataType() == b->GetDataType() &&
         a->GetNumberOfComponents() == b->GetNumberOfComponents();
}

} // namespace

vtkSmartPointer<vtkDataObject> PointsOf(vtkDataObject *input) {
  std::vector<vtkSmartPointer<vtkDataObject>> datasets;
  for (const Dataset &dataset : Datasets(input)) {
    auto *from = vtkPointSet::SafeDownCast(dataset.Data);
    if (!from) {
      datasets.push_back(vtkSmartPointer<vtkDataObject>::Take(dataset.Data->NewInstance()));
      continue;
    }
    vtkNew<vtkPolyData> to;
    if (from->GetPoints()) {
      vtkNew<vtkPoints> points;
      points->SetData(from->GetPoints()->GetData());
      to->SetPoints(points);
    }
    to->GetPointData()->ShallowCopy(from->GetPointData());
    datasets.emplace_back(to);
  }
  vtkSmartPointer<vtkDataObject> points = NewOutput(input, "vtkPolyData");
  SetDatasets(input, datasets, points);
  return points;
}

vtkIdType OrderingPoints::Count() const {
  return this->Places ? this->Places->GetNumberOfTuples() : 0;
}

vtkAbstractArray *OrderingPoints::Find(const std::string &name) const {
  for (const OrderingColumn &column : this->Columns) {
    if (name == column.Values->GetName()) {
      return column.Values;
    }
  }
  return nullptr;
}

void OrderingPoints::AddStep(vtkDataObject *input, double time, bool keep) {
  const vtkIdType before = this->Count();
  for (const Dataset &dataset : Datasets(input)) {
    auto *points = vtkPointSet::SafeDownCast(dataset.Data);
    if (!points) {
      if (this->OtherDatasets++ == 0) {
        this->OtherPlace = BlockText(input, dataset.Block);
      }
    } else if (points->GetNumberOfPoints() > 0) {
      this->AddDataset(points, keep);
    }
  }
  this->AllSteps.push_back({this->Count() - before, time});
}

void OrderingPoints::AddDataset(vtkPointSet *dataset, bool keep) {
  bool all;
  const vtkSmartPointer<vtkIdList> own = OwnPoints(dataset, all);
  this->Hidden += all ? 0 : dataset->GetNumberOfPoints() - own->GetNumberOfIds();
  const bool first = !this->Places;
  if (first) {
    this->TakeFirst(dataset);
    if (all && keep) {
      return;
    }
  }
  if (!this->Own) {
    // For the first dataset only empty arrays of the same kinds, otherwise copies of the arrays.
    const bool kinds = first;
    auto places = kinds ? NewArrayLike(this->Places, 0) : CopyOf(this->Places);
    this->Places = vtkDataArray::SafeDownCast(places);
    for (OrderingColumn &column : this->Columns) {
      column.Values = kinds ? NewArrayLike(column.Values, 0) : CopyOf(column.Values);
    }
    this->Own = true;
  }
  this->Join(dataset, all ? nullptr : own.Get());
}

void OrderingPoints::TakeFirst(vtkPointSet *dataset) {
  vtkPointData *data = dataset->GetPointData();
  this->Places = dataset->GetPoints()->GetData();
  for (int i = 0; i < data->GetNumberOfArrays(); ++i) {
    vtkAbstractArray *array = data->GetAbstractArray(i);
    if (IsGhostArray(array)) {
      continue;
    }
    if (!array->GetName()) {
      this->LeaveOut("");
    } else if (CheckArray(data, array, dataset->GetNumberOfPoints(), "point", this->Messages)) {
      OrderingColumn column;
      column.Values = array;
      column.Roles = RolesOf(data, array);
      this->Columns.push_back(column);
    }
  }
}

void OrderingPoints::Join(vtkPointSet *dataset, vtkIdList *ids) {
  vtkPointData *data = dataset->GetPointData();
  this->JoinPlaces(dataset->GetPoints()->GetData(), ids);
  std::vector<OrderingColumn> kept;
  for (OrderingColumn &column : this->Columns) {
    vtkAbstractArray *from = data->GetAbstractArray(column.Values->GetName());
    if (from && SameKind(from, column.Values) &&
        from->GetNumberOfTuples() == dataset->GetNumberOfPoints()) {
      Append(column.Values, from, ids);
      kept.push_back(column);
    } else {
      this->LeaveOut(column.Values->GetName());
    }
  }
  this->Columns.swap(kept);
  for (int i = 0; i < data->GetNumberOfArrays(); ++i) {
    vtkAbstractArray *array = data->GetAbstractArray(i);
    if (!IsGhostArray(array) && (!array->GetName() || !this->Find(array->GetName()))) {
      this->LeaveOut(NameOf(array).c_str());
    }
  }
}

void OrderingPoints::JoinPlaces(vtkDataArray *places, vtkIdList *ids) {
  if (places->GetDataType() != this->Places->GetDataType() &&
      this->Places->GetDataType() != VTK_DOUBLE) {
    this->Places = ContiguousCopy(this->Places, VTK_DOUBLE);
  }
  Append(this->Places, places, ids);
}

void OrderingPoints::LeaveOut(const char *name) {
  this->Messages.LeaveOut(name, "the point array '" + std::string(name) +
                                    "' is not the same in all blocks, processes and time steps "
                                    "and is left out");
}

} // namespace tessera
