// SPDX-License-Identifier: BSD-3-Clause
/** Cells of several sizes, and their arrays, from all processes to each. */
#include "frame/data/TesseraArrays.h"
#include "grid/octree/TesseraGridArraysOfAll.h"

#include <vtkFieldData.h>

#include <algorithm>

namespace tessera {

namespace {

vtkDataSetAttributes *AttributesOf(vtkDataSet *data, bool cells) {
  return data->GetAttributes(cells ? vtkDataObject::CELL : vtkDataObject::POINT);
}

/** The conversion of one process's cells to those of all. */
class Gatherer {
public:
  Gatherer(GridOctree &tree, bool receives, OctreeContext &context)
      : Tree(tree), Receives(receives), Context(context) {}

  void Run();

private:
  void DropCopies();
  template <class T> void Compact(Values<T> &values, int64_t components);
  void Move(ArraysOfAll &arrays);

  GridOctree &Tree;
  const bool Receives;
  OctreeContext &Context;
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

void Gatherer::Move(ArraysOfAll &arrays) {
  GridOctree &tree = this->Tree;
  tsr_error &error = this->Context.Error;
  const int64_t corners = int64_t{1} << tree.Lattice.Dimension();
  const bool anyHidden = this->Context.Group.Any(tree.Hidden.Get() != nullptr);
  Guard(error, [&] {
    if (anyHidden && !tree.Hidden.Get()) {
      tree.Hidden.Allocate(tree.Count);
      std::fill_n(tree.Hidden.Get(), tree.Count, std::uint8_t{0});
    }
  });
  for (int64_t i = 0; tree.Corners.Get() && i < corners * tree.Count; ++i) {
    tree.Corners[i] += arrays.Before(false);
  }
  Gathered<std::uint8_t> level = GatherValues(tree.Level.Get(), tree.Count, this->Context);
  Gathered<std::int32_t> index = GatherValues(tree.Index.Get(), 3 * tree.Count, this->Context);
  Gathered<std::uint8_t> hidden;
  Gathered<std::int64_t> ids;
  if (anyHidden && error.status == TSR_OK) {
    hidden = GatherValues(tree.Hidden.Get(), tree.Count, this->Context);
  }
  if (arrays.All(false) > 0 && error.status == TSR_OK) {
    ids = GatherValues(tree.Corners.Get(), corners * tree.Count, this->Context);
  }
  vtkSmartPointer<vtkDataSet> all = arrays.GatherArrays();
  if (!this->Context.Group.AllFine(error)) {
    return;
  }
  tree.Count = this->Receives ? arrays.All(true) : 0;
  tree.Level = std::move(level.All);
  tree.Index = std::move(index.All);
  tree.Hidden = std::move(hidden.All);
  tree.Corners = std::move(ids.All);
  tree.Data = all;
}

void Gatherer::Run() {
  GridOctree &tree = this->Tree;
  tsr_error &error = this->Context.Error;
  Guard(error, [this] { this->DropCopies(); });
  if (!this->Context.Group.AllFine(error) || this->Context.Group.Count() == 1) {
    return;
  }
  ArraysOfAll arrays(tree.Data, this->Context);
  arrays.FindArrays(tree.Count > 0);
  if (!this->Context.Group.AllFine(error)) {
    return;
  }
  const bool points = arrays.HavePointArrays();
  if (!points) {
    tree.Corners.Free();
  }
  arrays.Count(points ? tree.Data->GetNumberOfPoints() : 0, tree.Count);
  this->Move(arrays);
}

} // namespace

void GatherOctree(GridOctree &tree, bool receives, OctreeContext &context) {
  Gatherer(tree, receives, context).Run();
}

} // namespace tessera
