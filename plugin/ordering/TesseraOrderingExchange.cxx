// SPDX-License-Identifier: BSD-3-Clause
#include "ordering/TesseraOrderingExchange.h"

#include "mpi/TesseraColumns.h"

#include <vtkDataArray.h>
#include <vtkStringArray.h>

#include <algorithm>

namespace tessera {

namespace {

bool CanTravel(vtkAbstractArray *array) {
  tsr_type type;
  return vtkStringArray::SafeDownCast(array) || CoreType(array->GetDataType(), type);
}

} // namespace

void OrderingExchange::ShareColumns(tsr_error &error) {
  std::vector<tsr_column> mine;
  for (const OrderingColumn &column : this->Points.Columns) {
    if (CanTravel(column.Values)) {
      mine.push_back(ColumnOf(column.Values, column.Roles));
    } else {
      const std::string name = column.Values->GetName();
      this->Points.Messages.LeaveOut(name, "the point array '" + name +
                                               "' is of a type that cannot go to another process "
                                               "and is left out");
    }
  }
  std::vector<OrderingColumn> kept;
  for (const tsr_common_column &one : Columns(this->Group, this->Points.Count() > 0, mine, error)) {
    if (one.everywhere) {
      kept.push_back(this->ColumnLike(one.column));
    } else {
      this->Points.LeaveOut(one.column.name);
    }
  }
  this->Points.Columns.swap(kept);
  this->SharePlaces();
}

OrderingColumn OrderingExchange::ColumnLike(const tsr_column &like) const {
  OrderingColumn column;
  column.Values = this->Points.Find(like.name);
  column.Roles = like.roles;
  if (!column.Values) { // no points here
    column.Values.TakeReference(vtkAbstractArray::CreateArray(like.type));
    column.Values->SetName(like.name);
    column.Values->SetNumberOfComponents(like.components);
  }
  return column;
}

void OrderingExchange::SharePlaces() {
  const int mine = this->Points.Places ? this->Points.Places->GetDataType() : 0;
  const std::vector<vtkIdType> types = this->Group.Gather({mine});
  int common = 0;
  for (const vtkIdType type : types) {
    const int one = static_cast<int>(type);
    common = common == 0 || one == common ? std::max(one, common) : one == 0 ? common : VTK_DOUBLE;
  }
  if (common != 0 && mine != common) {
    auto places = vtkSmartPointer<vtkDataArray>::Take(vtkDataArray::CreateDataArray(common));
    places->SetNumberOfComponents(3);
    if (this->Points.Places) {
      places->DeepCopy(this->Points.Places);
    }
    this->Points.Places = places;
  }
}

bool OrderingExchange::Move(const std::vector<int32_t> &target, tsr_error &error) {
  const tsr_processes group = this->Group.Core();
  bool good = tsr_route_make(&this->Route, &group, target.data(),
                             static_cast<int64_t>(target.size()), &error) == TSR_OK;
  vtkSmartPointer<vtkAbstractArray> places = this->Points.Places;
  good = good && (!places || this->MoveArray(places, error));
  this->Points.Places = vtkDataArray::SafeDownCast(places);
  for (size_t i = 0; i < this->Points.Columns.size() && good; ++i) {
    good = this->MoveArray(this->Points.Columns[i].Values, error);
  }
  return good;
}

bool OrderingExchange::MoveArray(vtkSmartPointer<vtkAbstractArray> &array, tsr_error &error) const {
  const vtkSmartPointer<vtkAbstractArray> from = array;
  array = NewArrayLike(from, this->Route.n_received);
  vtkDataArray *numbers = vtkDataArray::SafeDownCast(from);
  if (!numbers) {
    return this->MoveTexts(vtkStringArray::SafeDownCast(from), vtkStringArray::SafeDownCast(array),
                           error);
  }
  ArrayView packed;
  packed.Set(numbers);
  const tsr_processes group = this->Group.Core();
  const size_t tuple = static_cast<size_t>(numbers->GetNumberOfComponents()) *
                       static_cast<size_t>(numbers->GetDataTypeSize());
  return tsr_route_move(&this->Route, &group, packed.Get().data, tuple, array->GetVoidPointer(0),
                        &error) == TSR_OK;
}

bool OrderingExchange::MoveTexts(vtkStringArray *from, vtkStringArray *to, tsr_error &error) const {
  const tsr_processes group = this->Group.Core();
  std::vector<int64_t> lengths, arrived(static_cast<size_t>(to->GetNumberOfValues()));
  std::string texts;
  for (vtkIdType i = 0; i < from->GetNumberOfValues(); ++i) {
    lengths.push_back(static_cast<int64_t>(from->GetValue(i).size()));
    texts += from->GetValue(i);
  }
  char *all = nullptr;
  const bool good =
      tsr_route_move_texts(&this->Route, &group, to->GetNumberOfComponents(), lengths.data(),
                           texts.data(), arrived.data(), &all, &error) == TSR_OK;
  const char *at = all;
  for (size_t i = 0; i < arrived.size() && good; ++i) {
    to->SetValue(static_cast<vtkIdType>(i), std::string(at, static_cast<size_t>(arrived[i])));
    at += arrived[i];
  }
  std::free(all);
  return good;
}

} // namespace tessera
