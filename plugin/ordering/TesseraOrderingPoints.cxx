// SPDX-License-Identifier: BSD-3-Clause
#include "ordering/TesseraOrderingPoints.h"

#include "frame/TesseraLeaves.h"

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
vtkSmartPointer<vtkIdList> OwnPoints(vtkPointSet *leaf, bool &all) {
  const std::vector<std::uint8_t> foreign =
      Flagged(leaf->GetPointData(), leaf->GetNumberOfPoints(),
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
  std::vector<vtkSmartPointer<vtkDataObject>> leaves;
  for (const Leaf &leaf : Leaves(input)) {
    auto *from = vtkPointSet::SafeDownCast(leaf.Data);
    if (!from) {
      leaves.push_back(vtkSmartPointer<vtkDataObject>::Take(leaf.Data->NewInstance()));
      continue;
    }
    vtkNew<vtkPolyData> to;
    if (from->GetPoints()) {
      vtkNew<vtkPoints> points;
      points->SetData(from->GetPoints()->GetData());
      to->SetPoints(points);
    }
    to->GetPointData()->ShallowCopy(from->GetPointData());
    leaves.emplace_back(to);
  }
  vtkSmartPointer<vtkDataObject> points = NewOutput(input, "vtkPolyData");
  SetLeaves(input, leaves, points);
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
  for (const Leaf &leaf : Leaves(input)) {
    auto *points = vtkPointSet::SafeDownCast(leaf.Data);
    if (!points) {
      if (this->OtherLeaves++ == 0) {
        this->OtherPlace = BlockText(input, leaf.Block);
      }
    } else if (points->GetNumberOfPoints() > 0) {
      this->AddLeaf(points, keep);
    }
  }
  this->AllSteps.push_back({this->Count() - before, time});
}

void OrderingPoints::AddLeaf(vtkPointSet *leaf, bool keep) {
  bool all;
  const vtkSmartPointer<vtkIdList> own = OwnPoints(leaf, all);
  this->Hidden += all ? 0 : leaf->GetNumberOfPoints() - own->GetNumberOfIds();
  const bool first = !this->Places;
  if (first) {
    this->TakeFirst(leaf);
    if (all && keep) {
      return;
    }
  }
  if (!this->Own) {
    // For the first leaf only empty arrays of the same kinds, otherwise copies of the arrays.
    const bool kinds = first;
    auto places = kinds ? NewArrayLike(this->Places, 0) : CopyOf(this->Places);
    this->Places = vtkDataArray::SafeDownCast(places);
    for (OrderingColumn &column : this->Columns) {
      column.Values = kinds ? NewArrayLike(column.Values, 0) : CopyOf(column.Values);
    }
    this->Own = true;
  }
  this->Join(leaf, all ? nullptr : own.Get());
}

void OrderingPoints::TakeFirst(vtkPointSet *leaf) {
  vtkPointData *data = leaf->GetPointData();
  this->Places = leaf->GetPoints()->GetData();
  for (int i = 0; i < data->GetNumberOfArrays(); ++i) {
    vtkAbstractArray *array = data->GetAbstractArray(i);
    if (IsGhostArray(array)) {
      continue;
    }
    if (!array->GetName()) {
      this->LeaveOut("");
    } else if (CheckArray(data, array, leaf->GetNumberOfPoints(), "point", this->Messages)) {
      OrderingColumn column;
      column.Values = array;
      column.Roles = RolesOf(data, array);
      this->Columns.push_back(column);
    }
  }
}

void OrderingPoints::Join(vtkPointSet *leaf, vtkIdList *ids) {
  vtkPointData *data = leaf->GetPointData();
  this->JoinPlaces(leaf->GetPoints()->GetData(), ids);
  std::vector<OrderingColumn> kept;
  for (OrderingColumn &column : this->Columns) {
    vtkAbstractArray *from = data->GetAbstractArray(column.Values->GetName());
    if (from && SameKind(from, column.Values) &&
        from->GetNumberOfTuples() == leaf->GetNumberOfPoints()) {
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
