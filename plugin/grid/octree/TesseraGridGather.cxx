// SPDX-License-Identifier: BSD-3-Clause
/** Cells of several sizes, and their arrays, from all processes to each. */
#include "frame/data/TesseraArrays.h"
#include "grid/TesseraGridPieces.h"
#include "grid/octree/TesseraGridOctree.h"
#include "mpi/TesseraColumns.h"

#include <vtkDataArray.h>
#include <vtkFieldData.h>

#include <algorithm>
#include <cstring>

namespace tessera {

namespace {

vtkDataSetAttributes *AttributesOf(vtkDataSet *data, bool cells) {
  return data->GetAttributes(cells ? vtkDataObject::CELL : vtkDataObject::POINT);
}

/** An array that all processes with cells have. */
struct Column {
  std::string Name;
  bool Cells;
  int Type, Components, Roles;
};

/** The conversion of one process's cells to those of all. */
class Gatherer {
public:
  Gatherer(GridOctree &tree, bool receives, OctreeContext &context)
      : Tree(tree), Receives(receives), Context(context) {}

  void Run();

private:
  void DropCopies();
  template <class T> void Compact(Values<T> &values, int64_t components);
  void ShareColumns();
  void AddArrays(bool cells, std::vector<tsr_column> &mine, std::vector<std::string> &names);
  void CountAll();
  void Move();
  template <class T> Values<T> Gather(const Values<T> &mine, int64_t components);
  bool GatherBytes(const void *mine, size_t tuple, bool cells, void *all);
  void GatherColumn(const Column &column, vtkDataSet *all);

  int64_t Tuples(bool cells, bool all) const {
    const std::vector<vtkIdType> &of = cells ? this->Cells : this->Points;
    int64_t sum = 0;
    for (const vtkIdType count : of) {
      sum += count;
    }
    return all ? sum : of[static_cast<size_t>(this->Context.Group.Rank())];
  }

  GridOctree &Tree;
  const bool Receives;
  OctreeContext &Context;
  std::vector<Column> Columns;
  std::vector<vtkIdType> Cells, Points; /**< of each process */
  bool AnyHidden = false;
};

/** Removes the elements of cells that are copies. */
template <class T> void Gatherer::Compact(Values<T> &values, int64_t components) {
  int64_t to = 0;
  for (int64_t cell = 0; values.Get() && cell < this->Tree.Count; ++cell) {
    if (!this->Tree.Copies[cell]) {
      std::copy_n(values.Get() + cell * components, components, values.Get() + to * components);
      ++to;
    }
  }
}

void Gatherer::DropCopies() {
  GridOctree &tree = this->Tree;
  const std::uint8_t *copies = tree.Copies.Get();
  const int64_t kept = copies ? std::count(copies, copies + tree.Count, std::uint8_t{0}) : 0;
  if (!copies || kept == tree.Count) {
    tree.Copies.Free();
    return;
  }
  vtkNew<vtkIdList> ids;
  ids->SetNumberOfIds(kept);
  for (int64_t cell = 0, to = 0; cell < tree.Count; ++cell) {
    if (!copies[cell]) {
      ids->SetId(to++, cell);
    }
  }
  vtkSmartPointer<vtkDataSet> all = NewOctreeArrays(tree.Data->GetNumberOfPoints(), kept);
  all->GetFieldData()->PassData(tree.Data->GetFieldData());
  AttributesOf(all, false)->PassData(AttributesOf(tree.Data, false));
  GatherArrays(AttributesOf(tree.Data, true), tree.Count, ids, "cell", AttributesOf(all, true),
               this->Context.Runner, this->Context.Messages);
  const int none[] = {-1};
  CopyRoles(AttributesOf(tree.Data, true), AttributesOf(all, true), none);
  this->Compact(tree.Level, 1);
  this->Compact(tree.Index, 3);
  this->Compact(tree.Corners, 1 << tree.Lattice.Dimension());
  this->Compact(tree.Hidden, 1);
  tree.Copies.Free();
  tree.Count = kept;
  tree.Data = all;
}

void Gatherer::AddArrays(bool cells, std::vector<tsr_column> &mine,
                         std::vector<std::string> &names) {
  vtkDataSetAttributes *attributes = AttributesOf(this->Tree.Data, cells);
  const vtkIdType tuples =
      cells ? this->Tree.Data->GetNumberOfCells() : this->Tree.Data->GetNumberOfPoints();
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

void Gatherer::ShareColumns() {
  std::vector<std::string> names; // behind a letter for the kind
  std::vector<tsr_column> mine;
  this->AddArrays(false, mine, names);
  this->AddArrays(true, mine, names);
  for (size_t i = 0; i < mine.size(); ++i) {
    mine[i].name = names[i].c_str();
  }
  for (const tsr_common_column &one :
       tessera::Columns(this->Context.Group, this->Tree.Count > 0, mine, this->Context.Error)) {
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

void Gatherer::CountAll() {
  GridOctree &tree = this->Tree;
  const bool points = std::any_of(this->Columns.begin(), this->Columns.end(),
                                  [](const Column &column) { return !column.Cells; });
  if (!points) {
    tree.Corners.Free();
  }
  this->Cells = this->Context.Group.Gather({tree.Count});
  this->Points = this->Context.Group.Gather({points ? tree.Data->GetNumberOfPoints() : 0});
  this->AnyHidden = this->Context.Group.Any(tree.Hidden.Get() != nullptr);
}

bool Gatherer::GatherBytes(const void *mine, size_t tuple, bool cells, void *all) {
  const tsr_processes group = this->Context.Group.Core();
  std::vector<int64_t> sizes;
  for (const vtkIdType count : cells ? this->Cells : this->Points) {
    sizes.push_back(count * static_cast<int64_t>(tuple));
  }
  const int64_t bytes = sizes[static_cast<size_t>(group.rank)];
  if (group.gather(group.context, mine, bytes, all, sizes.data()) != 0) {
    return Fail(this->Context.Error, "the cells of another process could not be received");
  }
  return true;
}

template <class T> Values<T> Gatherer::Gather(const Values<T> &mine, int64_t components) {
  Values<T> all;
  Guard(this->Context.Error, [&] { all.Allocate(this->Tuples(true, true) * components); });
  if (this->Context.Group.AllFine(this->Context.Error)) {
    this->GatherBytes(mine.Get(), static_cast<size_t>(components) * sizeof(T), true, all.Get());
  }
  return all;
}

void Gatherer::GatherColumn(const Column &column, vtkDataSet *all) {
  vtkSmartPointer<vtkDataArray> from, to;
  Guard(this->Context.Error, [&] {
    to.TakeReference(vtkDataArray::CreateDataArray(column.Type));
    to->SetName(column.Name.c_str());
    to->SetNumberOfComponents(column.Components);
    AllocateTuples(to, this->Tuples(column.Cells, true));
    if (this->Tree.Count > 0) {
      vtkDataArray *array =
          AttributesOf(this->Tree.Data, column.Cells)->GetArray(column.Name.c_str());
      to->CopyComponentNames(array);
      from = array->HasStandardMemoryLayout() ? array : ContiguousCopy(array, column.Type).Get();
    }
  });
  if (!this->Context.Group.AllFine(this->Context.Error)) {
    return;
  }
  const size_t tuple =
      static_cast<size_t>(column.Components) * static_cast<size_t>(to->GetDataTypeSize());
  this->GatherBytes(from ? from->GetVoidPointer(0) : nullptr, tuple, column.Cells,
                    to->GetVoidPointer(0));
  vtkDataSetAttributes *attributes = AttributesOf(all, column.Cells);
  attributes->AddArray(to);
  SetRoles(attributes, column.Name.c_str(), column.Roles);
}

void Gatherer::Move() {
  GridOctree &tree = this->Tree;
  tsr_error &error = this->Context.Error;
  const int64_t corners = int64_t{1} << tree.Lattice.Dimension();
  const int rank = this->Context.Group.Rank();
  vtkSmartPointer<vtkDataSet> all;
  Guard(error, [&] {
    all = NewOctreeArrays(this->Tuples(false, true), this->Tuples(true, true));
    if (this->AnyHidden && !tree.Hidden.Get()) {
      tree.Hidden.Allocate(tree.Count);
      std::fill_n(tree.Hidden.Get(), tree.Count, std::uint8_t{0});
    }
  });
  int64_t before = 0;
  for (int k = 0; k < rank; ++k) {
    before += this->Points[static_cast<size_t>(k)];
  }
  for (int64_t i = 0; tree.Corners.Get() && i < corners * tree.Count; ++i) {
    tree.Corners[i] += before;
  }
  const bool points = this->Tuples(false, true) > 0;
  Values<std::uint8_t> level = this->Gather(tree.Level, 1);
  Values<std::int32_t> index = this->Gather(tree.Index, 3);
  Values<std::uint8_t> hidden;
  Values<std::int64_t> ids;
  if (this->AnyHidden && error.status == TSR_OK) {
    hidden = this->Gather(tree.Hidden, 1);
  }
  if (points && error.status == TSR_OK) {
    ids = this->Gather(tree.Corners, corners);
  }
  for (const Column &column : this->Columns) {
    if (error.status == TSR_OK) {
      this->GatherColumn(column, all);
    }
  }
  if (!this->Context.Group.AllFine(error)) {
    return;
  }
  all->GetFieldData()->PassData(tree.Data->GetFieldData());
  tree.Count = this->Receives ? this->Tuples(true, true) : 0;
  tree.Level = std::move(level);
  tree.Index = std::move(index);
  tree.Hidden = std::move(hidden);
  tree.Corners = std::move(ids);
  tree.Data = all;
}

void Gatherer::Run() {
  tsr_error &error = this->Context.Error;
  Guard(error, [this] { this->DropCopies(); });
  if (!this->Context.Group.AllFine(error) || this->Context.Group.Count() == 1) {
    return;
  }
  this->ShareColumns();
  if (!this->Context.Group.AllFine(error)) {
    return;
  }
  this->CountAll();
  this->Move();
}

} // namespace

void GatherOctree(GridOctree &tree, bool receives, OctreeContext &context) {
  Gatherer(tree, receives, context).Run();
}

} // namespace tessera
