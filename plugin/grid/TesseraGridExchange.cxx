// SPDX-License-Identifier: BSD-3-Clause
#include "grid/TesseraGridExchange.h"

#include <vtkDataArray.h>
#include <vtkDataSetAttributes.h>
#include <vtkFieldData.h>
#include <vtkImageData.h>
#include <vtkMatrix3x3.h>
#include <vtkMultiProcessController.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkRectilinearGrid.h>
#include <vtkStructuredGrid.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <cstring>
#include <sstream>

namespace tessera {

namespace {

enum { AT_POINTS = 0, AT_CELLS, COORDINATES };

const int TAG = 7301;

/** Values along each axis of a box: points, or cells (one where there is a single point). */
void Counts(const Extent &box, bool cells, vtkIdType counts[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    const vtkIdType points = vtkIdType{box.At[2 * axis + 1]} - box.At[2 * axis] + 1;
    counts[axis] = cells ? std::max<vtkIdType>(points - 1, 1) : points;
  }
}

/** Calls visit(first tuple, tuples) for each row of `part` within an array of `box`. */
template <typename Visit>
void ForRows(const Extent &box, const Extent &part, bool cells, const Visit &visit) {
  vtkIdType all[3], counts[3];
  Counts(box, cells, all);
  Counts(part, cells, counts);
  for (vtkIdType k = 0; k < counts[2]; ++k) {
    for (vtkIdType j = 0; j < counts[1]; ++j) {
      const vtkIdType y = part.At[2] - box.At[2] + j, z = part.At[4] - box.At[4] + k;
      visit((z * all[1] + y) * all[0] + part.At[0] - box.At[0], counts[0]);
    }
  }
}

vtkSmartPointer<vtkDataArray> NewArray(int type, const std::string &name, int components) {
  auto array = vtkSmartPointer<vtkDataArray>::Take(vtkDataArray::CreateDataArray(type));
  array->SetName(name.c_str());
  array->SetNumberOfComponents(components);
  return array;
}

vtkDataSetAttributes *AttributesOf(vtkDataSet *data, int place) {
  return data->GetAttributes(place == AT_CELLS ? vtkDataObject::CELL : vtkDataObject::POINT);
}

} // namespace

GridExchange::GridExchange(const GridPiece &piece, const std::vector<Extent> &have,
                           const std::vector<Extent> &need, const Processes &processes,
                           std::set<std::string> &messages)
    : Piece(piece), Data(piece.Data), Have(have), Need(need), Group(processes), Messages(messages),
      Teller(0) {
  while (this->Have[static_cast<size_t>(this->Teller)].IsEmpty()) {
    ++this->Teller;
  }
}

vtkSmartPointer<vtkDataSet> GridExchange::Run(tsr_error &error) {
  this->AddGhosts();
  this->ShareColumns();
  // What takes memory may fail here and not there; the processes agree before they go on.
  Guard(error, [this, &error] {
    this->FindColumns(error);
    this->CheckCover(error);
  });
  if (!this->Group.AllFine(error)) {
    return nullptr;
  }
  Guard(error, [this] {
    this->Make();
    this->Bytes.resize(this->LargestMove());
  });
  if (!this->Group.AllFine(error)) {
    return nullptr;
  }
  this->SetPlace();
  for (Column &column : this->Columns) {
    this->Move(column);
  }
  return this->Result;
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
      AllocateTuples(none,
                     place == AT_CELLS ? copy->GetNumberOfCells() : copy->GetNumberOfPoints());
      none->FillValue(0);
      attributes->AddArray(none);
    }
  }
  this->Result = copy;
}

void GridExchange::ShareColumns() {
  std::ostringstream text;
  for (const int place : {AT_POINTS, AT_CELLS}) {
    vtkDataSetAttributes *attributes = AttributesOf(this->Result, place);
    for (int i = 0; i < attributes->GetNumberOfArrays(); ++i) {
      vtkDataArray *array = attributes->GetArray(i);
      tsr_type type;
      if (!array || !array->GetName() || !CoreType(array->GetDataType(), type)) {
        const char *name = attributes->GetAbstractArray(i)->GetName();
        this->Messages.insert("The array '" + std::string(name ? name : "") +
                              "' is not numeric and is left out, since the processes share the "
                              "grid out anew.");
        continue;
      }
      int roles = 0;
      for (int role = 0; role < vtkDataSetAttributes::NUM_ATTRIBUTES; ++role) {
        roles |= (attributes->GetAbstractAttribute(role) == array ? 1 : 0) << role;
      }
      text << place << " " << array->GetDataType() << " " << array->GetNumberOfComponents() << " "
           << roles << " " << array->GetName() << '\0';
    }
  }
  auto *structured = vtkStructuredGrid::SafeDownCast(this->Data);
  if (structured && structured->GetPoints()) {
    text << int{COORDINATES} << " " << structured->GetPoints()->GetDataType() << " 3 0 points"
         << '\0';
  }
  std::string all = text.str();
  vtkIdType size = static_cast<vtkIdType>(all.size());
  this->Group.Broadcast(&size, sizeof(size), this->Teller);
  all.resize(static_cast<size_t>(size));
  this->Group.Broadcast(&all[0], all.size(), this->Teller);
  for (size_t begin = 0, end; begin < all.size(); begin = end + 1) {
    end = all.find('\0', begin);
    this->ReadColumn(all.substr(begin, end - begin));
  }
}

void GridExchange::ReadColumn(const std::string &text) {
  std::istringstream in(text);
  Column column;
  in >> column.Place >> column.Type >> column.Components >> column.Roles;
  in.get();
  std::getline(in, column.Name, '\0');
  this->Columns.push_back(column);
}

void GridExchange::FindColumns(tsr_error &error) {
  if (this->Have[static_cast<size_t>(this->Group.Rank())].IsEmpty()) {
    return;
  }
  for (Column &column : this->Columns) {
    auto *structured = vtkStructuredGrid::SafeDownCast(this->Data);
    vtkDataArray *array =
        column.Place == COORDINATES
            ? (structured && structured->GetPoints() ? structured->GetPoints()->GetData() : nullptr)
            : AttributesOf(this->Result, column.Place)->GetArray(column.Name.c_str());
    const vtkIdType tuples =
        column.Place == AT_CELLS ? this->Data->GetNumberOfCells() : this->Data->GetNumberOfPoints();
    if (!array || array->GetDataType() != column.Type ||
        array->GetNumberOfComponents() != column.Components ||
        array->GetNumberOfTuples() != tuples) {
      Fail(error, "the array '" + column.Name + "' is not the same on all processes");
      return;
    }
    column.From = array;
    if (!array->HasStandardMemoryLayout()) {
      column.From = ContiguousCopy(array, column.Type);
    }
  }
}

void GridExchange::CheckCover(tsr_error &error) const {
  const bool anyCells = std::any_of(this->Columns.begin(), this->Columns.end(),
                                    [](const Column &column) { return column.Place == AT_CELLS; });
  const int rank = this->Group.Rank();
  const Extent &box = this->Need[static_cast<size_t>(rank)];
  for (const int place : {AT_POINTS, AT_CELLS}) {
    if (box.IsEmpty() || error.status != TSR_OK || (place == AT_CELLS && !anyCells)) {
      continue;
    }
    const bool cells = place == AT_CELLS;
    vtkIdType counts[3];
    Counts(box, cells, counts);
    std::vector<char> held(static_cast<size_t>(counts[0] * counts[1] * counts[2]), 0);
    for (int source = 0; source < this->Group.Count(); ++source) {
      const Extent part = this->Common(place, source, rank);
      if (!part.IsEmpty()) {
        ForRows(box, part, cells, [&held](vtkIdType first, vtkIdType count) {
          std::fill_n(held.begin() + first, count, char{1});
        });
      }
    }
    const vtkIdType gap = std::find(held.begin(), held.end(), 0) - held.begin();
    if (gap < static_cast<vtkIdType>(held.size())) {
      Fail(error, std::string("no process holds the input ") + (cells ? "cell " : "point ") +
                      std::to_string(box.At[0] + gap % counts[0]) + " " +
                      std::to_string(box.At[2] + gap / counts[0] % counts[1]) + " " +
                      std::to_string(box.At[4] + gap / counts[0] / counts[1]));
    }
  }
}

void GridExchange::Make() {
  const Extent &box = this->Need[static_cast<size_t>(this->Group.Rank())];
  int extent[6];
  std::copy_n(box.At, 6, extent);
  auto made = vtkSmartPointer<vtkDataSet>::Take(this->Data->NewInstance());
  made->GetFieldData()->PassData(this->Data->GetFieldData());
  this->Result = made;
  if (auto *image = vtkImageData::SafeDownCast(made)) {
    image->SetExtent(extent);
  } else if (auto *rectilinear = vtkRectilinearGrid::SafeDownCast(made)) {
    rectilinear->SetExtent(extent);
  } else if (auto *structured = vtkStructuredGrid::SafeDownCast(made)) {
    structured->SetExtent(extent);
  }
  vtkIdType points = 1, cells = 1, counts[3];
  for (const bool ofCells : {false, true}) {
    Counts(box, ofCells, counts);
    (ofCells ? cells : points) = box.IsEmpty() ? 0 : counts[0] * counts[1] * counts[2];
  }
  for (Column &column : this->Columns) {
    column.To = NewArray(column.Type, column.Name, column.Components);
    AllocateTuples(column.To, column.Place == AT_CELLS ? cells : points);
    if (column.Place == COORDINATES) {
      vtkNew<vtkPoints> places;
      places->SetDataType(column.Type);
      places->SetData(column.To);
      vtkStructuredGrid::SafeDownCast(made)->SetPoints(places);
      continue;
    }
    vtkDataSetAttributes *attributes = AttributesOf(made, column.Place);
    attributes->AddArray(column.To);
    for (int role = 0; role < vtkDataSetAttributes::NUM_ATTRIBUTES; ++role) {
      if ((column.Roles >> role) & 1) {
        attributes->SetActiveAttribute(column.Name.c_str(), role);
      }
    }
  }
}

void GridExchange::SetPlace() {
  if (auto *image = vtkImageData::SafeDownCast(this->Result)) {
    double place[15];
    auto *mine = vtkImageData::SafeDownCast(this->Data);
    mine->GetOrigin(place);
    mine->GetSpacing(place + 3);
    std::copy_n(mine->GetDirectionMatrix()->GetData(), 9, place + 6);
    this->Group.Broadcast(place, sizeof(place), this->Teller);
    image->SetOrigin(place);
    image->SetSpacing(place + 3);
    image->SetDirectionMatrix(place + 6);
  }
  for (int axis = 0; axis < 3 && vtkRectilinearGrid::SafeDownCast(this->Result); ++axis) {
    this->SetAxis(axis);
  }
}

void GridExchange::SetAxis(int axis) {
  auto *grid = vtkRectilinearGrid::SafeDownCast(this->Result);
  vtkDataArray *mine = AxisOf(this->Data, axis); // an empty part may have none
  int type = mine ? mine->GetDataType() : VTK_DOUBLE;
  this->Group.Broadcast(&type, sizeof(type), this->Teller);
  auto values = NewArray(type, "", 1);
  const Extent &box = this->Need[static_cast<size_t>(this->Group.Rank())];
  const std::vector<double> &all = this->Piece.Axes[axis];
  for (int i = box.At[2 * axis]; !box.IsEmpty() && i <= box.At[2 * axis + 1]; ++i) {
    values->InsertNextTuple1(all[static_cast<size_t>(i - this->Piece.Whole.At[2 * axis])]);
  }
  axis == 0   ? grid->SetXCoordinates(values)
  : axis == 1 ? grid->SetYCoordinates(values)
              : grid->SetZCoordinates(values);
}

Extent GridExchange::Common(int place, int source, int target) const {
  const Extent &have = this->Have[static_cast<size_t>(source)];
  const Extent &need = this->Need[static_cast<size_t>(target)];
  Extent common = have;
  if (have.IsEmpty() || need.IsEmpty()) {
    common.At[1] = common.At[0] - 1;
    return common;
  }
  for (int axis = 0; axis < 3; ++axis) {
    common.At[2 * axis] = std::max(have.At[2 * axis], need.At[2 * axis]);
    common.At[2 * axis + 1] = std::min(have.At[2 * axis + 1], need.At[2 * axis + 1]);
    // A common layer of points has no cells, unless the grid is flat there.
    const bool flat =
        have.At[2 * axis] == have.At[2 * axis + 1] && need.At[2 * axis] == need.At[2 * axis + 1];
    if (place == AT_CELLS && !flat && common.At[2 * axis] == common.At[2 * axis + 1]) {
      common.At[2 * axis + 1] = common.At[2 * axis] - 1;
    }
  }
  return common;
}

void GridExchange::Move(Column &column) {
  for (int source = 0; source < this->Group.Count(); ++source) {
    for (int target = 0; target < this->Group.Count(); ++target) {
      this->MoveBetween(column, source, target);
    }
  }
}

size_t GridExchange::LargestMove() const {
  const int rank = this->Group.Rank();
  size_t largest = 0;
  for (const Column &column : this->Columns) {
    const vtkIdType tuple = vtkIdType{column.Components} * column.To->GetDataTypeSize();
    for (int other = 0; other < this->Group.Count(); ++other) {
      for (const bool give : {true, false}) {
        const Extent part = this->Common(column.Place, give ? rank : other, give ? other : rank);
        vtkIdType counts[3];
        Counts(part, column.Place == AT_CELLS, counts);
        const vtkIdType size = part.IsEmpty() ? 0 : counts[0] * counts[1] * counts[2] * tuple;
        largest = std::max(largest, static_cast<size_t>(size));
      }
    }
  }
  return largest;
}

void GridExchange::MoveBetween(const Column &column, int source, int target) {
  const int rank = this->Group.Rank();
  const Extent part = this->Common(column.Place, source, target);
  if (part.IsEmpty() || (rank != source && rank != target)) {
    return;
  }
  const bool cells = column.Place == AT_CELLS;
  const size_t tuple =
      static_cast<size_t>(column.Components) * static_cast<size_t>(column.To->GetDataTypeSize());
  vtkIdType counts[3];
  Counts(part, cells, counts);
  const vtkIdType size = counts[0] * counts[1] * counts[2] * static_cast<vtkIdType>(tuple);
  char *at = this->Bytes.data();
  if (rank == source) {
    const char *from = static_cast<const char *>(column.From->GetVoidPointer(0));
    ForRows(this->Have[static_cast<size_t>(source)], part, cells,
            [&at, from, tuple](vtkIdType first, vtkIdType count) {
              const size_t length = static_cast<size_t>(count) * tuple;
              std::memcpy(at, from + static_cast<size_t>(first) * tuple, length);
              at += length;
            });
  }
  auto *controller = vtkMultiProcessController::GetGlobalController();
  if (source != target && rank == source) {
    controller->Send(this->Bytes.data(), size, target, TAG);
    return;
  }
  if (source != target) {
    controller->Receive(this->Bytes.data(), size, source, TAG);
  }
  char *to = static_cast<char *>(column.To->GetVoidPointer(0));
  at = this->Bytes.data();
  ForRows(this->Need[static_cast<size_t>(target)], part, cells,
          [&at, to, tuple](vtkIdType first, vtkIdType count) {
            const size_t length = static_cast<size_t>(count) * tuple;
            std::memcpy(to + static_cast<size_t>(first) * tuple, at, length);
            at += length;
          });
}

} // namespace tessera
