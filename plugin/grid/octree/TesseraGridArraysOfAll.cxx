// SPDX-License-Identifier: BSD-3-Clause
#include "grid/octree/TesseraGridArraysOfAll.h"

#include "frame/data/TesseraArrays.h"
#include "grid/TesseraGridPieces.h"
#include "mpi/TesseraColumns.h"

#include <vtkDataArray.h>
#include <vtkFieldData.h>

#include <algorithm>

namespace tessera {

namespace {

vtkDataSetAttributes *AttributesOf(vtkDataSet *data, bool cells) {
  return data->GetAttributes(cells ? vtkDataObject::CELL : vtkDataObject::POINT);
}

} // namespace

void GatherBytes(const void *mine, const std::vector<vtkIdType> &counts, size_t tuple, void *all,
                 OctreeContext &context) {
  const tsr_processes group = context.Group.Core();
  std::vector<int64_t> sizes;
  for (const vtkIdType count : counts) {
    sizes.push_back(count * static_cast<int64_t>(tuple));
  }
  const int64_t bytes = sizes[static_cast<size_t>(group.rank)];
  if (group.gather(group.context, mine, bytes, all, sizes.data()) != 0) {
    Fail(context.Error, "the cells of another process could not be received");
  }
}

int64_t ArraysOfAll::Sum(bool cells, int ranks) const {
  const std::vector<vtkIdType> &of = cells ? this->Cells : this->Points;
  int64_t sum = 0;
  for (int k = 0; k < ranks; ++k) {
    sum += of[static_cast<size_t>(k)];
  }
  return sum;
}

void ArraysOfAll::AddArrays(bool cells, std::vector<tsr_column> &mine,
                            std::vector<std::string> &names) {
  vtkDataSetAttributes *attributes = AttributesOf(this->Mine, cells);
  const vtkIdType tuples = cells ? this->Mine->GetNumberOfCells() : this->Mine->GetNumberOfPoints();
  for (int i = 0; i < attributes->GetNumberOfArrays(); ++i) {
    vtkAbstractArray *array = attributes->GetAbstractArray(i);
    tsr_type type;
    if (IsGhostArray(array)) {
      continue;
    }
    if (!array->GetName()) {
      this->Context.Messages.Add("An array without a name is left out, since several processes "
                                 "hold parts of the grid.");
    } else if (!vtkDataArray::SafeDownCast(array) || !CoreType(array->GetDataType(), type)) {
      this->Context.Messages.LeaveOut(NameOf(array),
                                      "the array '" + NameOf(array) +
                                          "' is not numeric and is left out, since the "
                                          "processes share the grid out anew");
    } else if (CheckArray(attributes, array, tuples, cells ? "cell" : "point",
                          this->Context.Messages)) {
      names.push_back((cells ? "c" : "p") + NameOf(array));
      mine.push_back(ColumnOf(array, RolesOf(attributes, array)));
    }
  }
}

void ArraysOfAll::FindArrays(bool holds) {
  this->Holds = holds;
  std::vector<std::string> names; // behind a letter for the kind
  std::vector<tsr_column> mine;
  this->AddArrays(false, mine, names);
  this->AddArrays(true, mine, names);
  for (size_t i = 0; i < mine.size(); ++i) {
    mine[i].name = names[i].c_str();
  }
  for (const tsr_common_column &one :
       tessera::Columns(this->Context.Group, holds, mine, this->Context.Error)) {
    const bool cells = one.column.name[0] == 'c';
    const std::string name = one.column.name + 1;
    if (one.everywhere) {
      this->Columns.push_back(
          {name, cells, one.column.type, one.column.components, one.column.roles});
    } else {
      this->Context.Messages.LeaveOut(name, "the " + std::string(cells ? "cell" : "point") +
                                                " array '" + name +
                                                "' is not the same on all processes with cells and "
                                                "is left out");
    }
  }
}

bool ArraysOfAll::HavePointArrays() const {
  return std::any_of(this->Columns.begin(), this->Columns.end(),
                     [](const Column &column) { return !column.Cells; });
}

void ArraysOfAll::Count(vtkIdType points, vtkIdType cells) {
  this->Points = this->Context.Group.Gather({points});
  this->Cells = this->Context.Group.Gather({cells});
}

void ArraysOfAll::GatherColumn(const Column &column, vtkDataSet *all) {
  vtkSmartPointer<vtkDataArray> from, to;
  Guard(this->Context.Error, [&] {
    to.TakeReference(vtkDataArray::CreateDataArray(column.Type));
    to->SetName(column.Name.c_str());
    to->SetNumberOfComponents(column.Components);
    AllocateTuples(to, this->All(column.Cells));
    if (this->Holds) {
      vtkDataArray *array = AttributesOf(this->Mine, column.Cells)->GetArray(column.Name.c_str());
      to->CopyComponentNames(array);
      from = array->HasStandardMemoryLayout() ? array : ContiguousCopy(array, column.Type).Get();
    }
  });
  if (!this->Context.Group.AllFine(this->Context.Error)) {
    return;
  }
  const size_t tuple =
      static_cast<size_t>(column.Components) * static_cast<size_t>(to->GetDataTypeSize());
  GatherBytes(from ? from->GetVoidPointer(0) : nullptr, column.Cells ? this->Cells : this->Points,
              tuple, to->GetVoidPointer(0), this->Context);
  vtkDataSetAttributes *attributes = AttributesOf(all, column.Cells);
  attributes->AddArray(to);
  SetRoles(attributes, column.Name.c_str(), column.Roles);
}

vtkSmartPointer<vtkDataSet> ArraysOfAll::GatherArrays() {
  vtkSmartPointer<vtkDataSet> all;
  Guard(this->Context.Error, [&] { all = NewOctreeArrays(this->All(false), this->All(true)); });
  if (!this->Context.Group.AllFine(this->Context.Error)) {
    return nullptr;
  }
  for (const Column &column : this->Columns) {
    if (this->Context.Error.status == TSR_OK) {
      this->GatherColumn(column, all);
    }
  }
  all->GetFieldData()->PassData(this->Mine->GetFieldData());
  return all;
}

} // namespace tessera
