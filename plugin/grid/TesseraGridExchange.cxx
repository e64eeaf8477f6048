// SPDX-License-Identifier: BSD-3-Clause
#include "grid/TesseraGridExchange.h"

#include "mpi/TesseraColumns.h"

#include <vtkDataArray.h>
#include <vtkDataSetAttributes.h>
#include <vtkFieldData.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkRectilinearGrid.h>
#include <vtkStructuredGrid.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>

namespace tessera {

namespace {

enum { AT_POINTS = 0, AT_CELLS, COORDINATES, AXES };
const char *const NOUNS[] = {"point", "cell"};

vtkDataSetAttributes *AttributesOf(vtkDataSet *data, int place) {
  return data->GetAttributes(place == AT_CELLS ? vtkDataObject::CELL : vtkDataObject::POINT);
}

vtkIdType TuplesAt(vtkDataSet *data, int place) {
  return place == AT_CELLS ? data->GetNumberOfCells() : data->GetNumberOfPoints();
}

vtkDataArray *CoordinatesOf(vtkDataSet *data) {
  auto *structured = vtkStructuredGrid::SafeDownCast(data);
  return structured && structured->GetPoints() ? structured->GetPoints()->GetData() : nullptr;
}

} // namespace

vtkSmartPointer<vtkDataSet> GridExchange::Run(tsr_error &error) {
  const tsr_processes processes = this->Group.Core();
  this->AddGhosts();
  this->ShareColumns(error);
  // An allocation may fail on one process only, so the processes agree before they go on.
  if (error.status == TSR_OK) {
    Guard(error, [this, &error] { this->FindColumns(error); });
  }
  if (error.status == TSR_OK) {
    tsr_grid_check_cover(&this->Shares, &processes, this->AnyCells(), &error);
  }
  if (!this->Group.AllFine(error)) {
    return nullptr;
  }
  Guard(error, [this] { this->Make(); });
  if (!this->Group.AllFine(error)) {
    return nullptr;
  }
  std::vector<tsr_grid_column> moved;
  for (const Column &column : this->Columns) {
    if (column.Place < AXES) {
      const size_t tuple = static_cast<size_t>(column.Components) *
                           static_cast<size_t>(column.To->GetDataTypeSize());
      moved.push_back({column.Place == AT_CELLS, tuple,
                       column.From ? column.From->GetVoidPointer(0) : nullptr,
                       column.To->GetVoidPointer(0)});
    }
  }
  const bool good = tsr_grid_move(&this->Shares, &processes, moved.data(),
                                  static_cast<int>(moved.size()), &error) == TSR_OK;
  return good ? this->Result : nullptr;
}

void GridExchange::AddGhosts() {
  vtkIdType some[2] = {0, 0};
  const char *name = vtkDataSetAttributes::GhostArrayName();
  for (const int place : {AT_POINTS, AT_CELLS}) {
    some[place] = AttributesOf(this->Data, place)->HasArray(name);
  }
  this->Group.Sum(some, 2);
  auto copy = vtkSmartPointer<vtkDataSet>::Take(this->Data->NewInstance());
  copy->ShallowCopy(this->Data);
  for (const int place : {AT_POINTS, AT_CELLS}) {
    vtkDataSetAttributes *attributes = AttributesOf(copy, place);
    if (some[place] > 0 && !attributes->HasArray(name)) {
      vtkNew<vtkUnsignedCharArray> none;
      none->SetName(name);
      AllocateTuples(none, TuplesAt(copy, place));
      none->FillValue(0);
      attributes->AddArray(none);
    }
  }
  this->Result = copy;
}

void GridExchange::AddArrays(int place, std::vector<tsr_column> &mine,
                             std::vector<std::string> &names) {
  vtkDataSetAttributes *attributes = AttributesOf(this->Result, place);
  for (int i = 0; i < attributes->GetNumberOfArrays(); ++i) {
    vtkAbstractArray *array = attributes->GetAbstractArray(i);
    tsr_type type;
    const bool moves = !this->Shares.in_place;
    if (!array->GetName()) {
      this->Messages.Add("An array without a name is left out, since several processes hold "
                         "parts of the grid.");
    } else if (moves &&
               !(vtkDataArray::SafeDownCast(array) && CoreType(array->GetDataType(), type))) {
      this->Messages.LeaveOut(NameOf(array), "the array '" + NameOf(array) +
                                                 "' is not numeric and is left out, since the "
                                                 "processes share the grid out anew");
    } else if (CheckArray(attributes, array, TuplesAt(this->Data, place), NOUNS[place],
                          this->Messages)) {
      names.push_back(std::to_string(place) + array->GetName());
      mine.push_back(ColumnOf(array, RolesOf(attributes, array)));
    }
  }
}

void GridExchange::ShareColumns(tsr_error &error) {
  std::vector<std::string> names; // behind the digit of the place
  std::vector<tsr_column> mine;
  const auto add = [&names, &mine](int place, vtkDataArray *array, const char *name) {
    names.push_back(std::to_string(place) + name);
    mine.push_back(ColumnOf(array, 0));
  };
  this->AddArrays(AT_POINTS, mine, names);
  this->AddArrays(AT_CELLS, mine, names);
  if (vtkDataArray *points = CoordinatesOf(this->Data)) {
    add(COORDINATES, points, "points");
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (vtkDataArray *values = AxisOf(this->Data, axis)) { // an empty part may have none
      add(AXES + axis, values, "");
    }
  }
  for (size_t i = 0; i < mine.size(); ++i) {
    mine[i].name = names[i].c_str();
  }
  const bool holds = tsr_grid_box_is_empty(&this->Shares.held[this->Group.Rank()]) == 0;
  for (const tsr_common_column &one : tessera::Columns(this->Group, holds, mine, error)) {
    this->AddColumn(one);
  }
}

void GridExchange::AddColumn(const tsr_common_column &one) {
  const int place = one.column.name[0] - '0';
  const std::string name = one.column.name + 1;
  if (place < COORDINATES && !one.everywhere) {
    this->Messages.LeaveOut(name, "the " + std::string(NOUNS[place]) + " array '" + name +
                                      "' is not the same on all processes with points and is left "
                                      "out");
    return;
  }
  // If the coordinates have several types, the first one is used.
  const bool known =
      place >= COORDINATES && std::any_of(this->Columns.begin(), this->Columns.end(),
                                          [&](const Column &c) { return c.Place == place; });
  if (!known) {
    this->Columns.push_back(
        {name, place, one.column.type, one.column.components, one.column.roles, nullptr, nullptr});
  }
}

bool GridExchange::HasColumnsOnly() const {
  size_t next = 0;
  for (const int place : {AT_POINTS, AT_CELLS}) {
    vtkDataSetAttributes *attributes = AttributesOf(this->Data, place);
    for (int i = 0; i < attributes->GetNumberOfArrays(); ++i, ++next) {
      vtkAbstractArray *array = attributes->GetAbstractArray(i);
      if (next == this->Columns.size() || this->Columns[next].Place != place ||
          this->Columns[next].Name != NameOf(array) ||
          this->Columns[next].Roles != RolesOf(attributes, array)) {
        return false;
      }
    }
  }
  return next == this->Columns.size() || this->Columns[next].Place >= COORDINATES;
}

vtkSmartPointer<vtkDataSet> GridExchange::Keep(tsr_error &error) {
  this->AddGhosts();
  this->ShareColumns(error);
  if (!this->Group.AllFine(error)) {
    return nullptr;
  }
  if (this->HasColumnsOnly()) { // the dataset itself: what is kept of it stays valid
    return this->Data;
  }
  auto kept = vtkSmartPointer<vtkDataSet>::Take(this->Data->NewInstance());
  kept->ShallowCopy(this->Data);
  for (const int place : {AT_POINTS, AT_CELLS}) {
    AttributesOf(kept, place)->Initialize();
  }
  for (const Column &column : this->Columns) {
    if (column.Place < COORDINATES) {
      vtkDataSetAttributes *attributes = AttributesOf(kept, column.Place);
      attributes->AddArray(
          AttributesOf(this->Result, column.Place)->GetAbstractArray(column.Name.c_str()));
      SetRoles(attributes, column.Name.c_str(), column.Roles);
    }
  }
  return kept;
}

bool GridExchange::AnyCells() const {
  return std::any_of(this->Columns.begin(), this->Columns.end(),
                     [](const Column &column) { return column.Place == AT_CELLS; });
}

void GridExchange::FindColumns(tsr_error &error) {
  if (tsr_grid_box_is_empty(&this->Shares.held[this->Group.Rank()])) {
    return;
  }
  for (Column &column : this->Columns) {
    if (column.Place >= AXES) {
      continue;
    }
    vtkDataArray *array =
        column.Place == COORDINATES
            ? CoordinatesOf(this->Data)
            : AttributesOf(this->Result, column.Place)->GetArray(column.Name.c_str());
    if (!array || array->GetDataType() != column.Type ||
        array->GetNumberOfComponents() != column.Components ||
        array->GetNumberOfTuples() != TuplesAt(this->Data, column.Place)) {
      Fail(error, "the array '" + column.Name + "' is not the same on all processes");
      return;
    }
    column.From =
        array->HasStandardMemoryLayout() ? array : ContiguousCopy(array, column.Type).Get();
  }
}

void GridExchange::Make() {
  const tsr_grid_box &box = this->Shares.need[this->Group.Rank()];
  int extent[6];
  std::transform(box.at, box.at + 6, extent, [](int64_t side) { return static_cast<int>(side); });
  auto made = vtkSmartPointer<vtkDataSet>::Take(this->Data->NewInstance());
  made->GetFieldData()->PassData(this->Data->GetFieldData());
  this->Result = made;
  if (auto *image = vtkImageData::SafeDownCast(made)) {
    image->SetExtent(extent);
    image->SetOrigin(this->Shares.origin);
    image->SetSpacing(this->Shares.spacing);
    image->SetDirectionMatrix(this->Shares.direction);
  } else if (auto *rectilinear = vtkRectilinearGrid::SafeDownCast(made)) {
    rectilinear->SetExtent(extent);
  } else if (auto *structured = vtkStructuredGrid::SafeDownCast(made)) {
    structured->SetExtent(extent);
  }
  for (Column &column : this->Columns) {
    column.To.TakeReference(vtkDataArray::CreateDataArray(column.Type));
    column.To->SetName(column.Name.c_str());
    column.To->SetNumberOfComponents(column.Place >= AXES ? 1 : column.Components);
    if (column.Place >= AXES) {
      this->MakeAxis(column);
      continue;
    }
    AllocateTuples(column.To, tsr_grid_box_values(&box, column.Place == AT_CELLS));
    if (column.Place == COORDINATES) {
      vtkNew<vtkPoints> places;
      places->SetDataType(column.Type);
      places->SetData(column.To);
      vtkStructuredGrid::SafeDownCast(made)->SetPoints(places);
      continue;
    }
    vtkDataSetAttributes *attributes = AttributesOf(made, column.Place);
    attributes->AddArray(column.To);
    SetRoles(attributes, column.Name.c_str(), column.Roles);
  }
}

void GridExchange::MakeAxis(Column &column) {
  const int axis = column.Place - AXES;
  const tsr_grid_box &box = this->Shares.need[this->Group.Rank()];
  const bool empty = tsr_grid_box_is_empty(&box) != 0;
  for (int64_t i = box.at[2 * axis]; !empty && i <= box.at[2 * axis + 1]; ++i) {
    column.To->InsertNextTuple1(this->Shares.axes[axis][i - this->Shares.whole.at[2 * axis]]);
  }
  auto *grid = vtkRectilinearGrid::SafeDownCast(this->Result);
  axis == 0   ? grid->SetXCoordinates(column.To)
  : axis == 1 ? grid->SetYCoordinates(column.To)
              : grid->SetZCoordinates(column.To);
}

} // namespace tessera
