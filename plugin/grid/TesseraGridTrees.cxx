// SPDX-License-Identifier: BSD-3-Clause
#include "frame/TesseraVersions.h"
#include "frame/data/TesseraTrees.h"
#include "grid/TesseraGridOutput.h"

#include <vtkBitArray.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDataSet.h>
#include <vtkFieldData.h>
#include <vtkHyperTree.h>
#include <vtkHyperTreeGrid.h>
#include <vtkHyperTreeGridScales.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>

namespace tessera {

namespace {

/** After this many nodes, of up to 16 bytes each in VTK, the memory that is left is checked again.
 * A tree itself counts as NODES_OF_A_TREE nodes. */
const int64_t NODES_BETWEEN = 1 << 16;
const int64_t NODES_OF_A_TREE = 64;

/** Roots whose indices a thread computes at a time: about as much work as starting a thread. */
const int64_t ROOTS_OF_A_PIECE = 16384;

/** Input cells along a side of a root. */
int64_t RootCells(const GridDataset &dataset) {
  return int64_t{1} << (dataset.Options().coarsen_levels - dataset.Sizes().tree_level);
}

vtkSmartPointer<vtkDoubleArray> RootCoordinates(const GridDataset &dataset, int axis) {
  auto coordinates = vtkSmartPointer<vtkDoubleArray>::New();
  coordinates->SetNumberOfValues(tsr_grid_root_coordinates(&dataset.View(), dataset.Axes(),
                                                           RootCells(dataset), axis, nullptr));
  tsr_grid_root_coordinates(&dataset.View(), dataset.Axes(), RootCells(dataset), axis,
                            coordinates->GetPointer(0));
  return coordinates;
}

bool Check(const GridDataset &dataset, WarningList &messages, tsr_error &error) {
  int moved;
  const bool good = tsr_grid_check_trees(&dataset.View(), dataset.Axes(), dataset.Sizes().dimension,
                                         RootCells(dataset), &moved, &error) == TSR_OK;
  if (good && moved) {
    messages.Add("Within a tree a hyper tree grid places cells at equal distances, which the "
                 "coordinates of the input do not have: they are moved.");
  }
  return good;
}

/** The trees of a grid that has none yet. */
class TreeMaker {
public:
  /** first, states: as the core filled them. */
  TreeMaker(vtkHyperTreeGrid *grid, const std::vector<int64_t> &first,
            const std::vector<int32_t> &roots, const unsigned char *states);

  /** Makes all trees, on all threads. Throws std::bad_alloc. */
  void Make(ThreadRunner &runner);

  /** Masks what is not to be seen; arrays have values there all the same, which ranges count. */
  void Mask() const;

private:
  using Scales = std::shared_ptr<vtkHyperTreeGridScales>;
  using ScalesOfSizes = std::map<std::array<double, 3>, Scales>;

  void FindPlaces(int64_t begin, int64_t end);
  void MakeSome(int64_t begin, int64_t end, TreePlaces &places);
  bool IsSplitLike(vtkHyperTree *tree, size_t t) const;
  vtkSmartPointer<vtkHyperTree> MakeOne(size_t t) const;
  void SetSizes(vtkHyperTree *tree, size_t t, ScalesOfSizes &scales) const;

  vtkHyperTreeGrid *Grid;
  const std::vector<int64_t> &First;
  const std::vector<int32_t> &Roots;
  const unsigned char *States;
  int64_t Trees;
  int Children;
  std::array<std::vector<double>, 3> Sizes; /**< of the roots along each axis */
  std::vector<vtkIdType> Indices;           /**< of the trees in the grid */
  std::unique_ptr<std::uint8_t[]> Hidden;   /**< of each cell: is it to be masked? */
  std::atomic<bool> AnyHidden{false};
};

TreeMaker::TreeMaker(vtkHyperTreeGrid *grid, const std::vector<int64_t> &first,
                     const std::vector<int32_t> &roots, const unsigned char *states)
    : Grid(grid), First(first), Roots(roots), States(states),
      Trees(static_cast<int64_t>(first.size()) - 1), Children(1 << grid->GetDimension()),
      Indices(first.size() - 1), Hidden(new std::uint8_t[static_cast<size_t>(first.back())]) {
  const unsigned int *cells = grid->GetCellDims();
  for (size_t axis = 0; axis < 3; ++axis) {
    for (unsigned int i = 0; i < cells[axis]; ++i) {
      const unsigned int root[3] = {axis == 0 ? i : 0, axis == 1 ? i : 0, axis == 2 ? i : 0};
      vtkIdType index;
      double origin[3], size[3];
      grid->GetIndexFromLevelZeroCoordinates(index, root[0], root[1], root[2]);
      grid->GetLevelZeroOriginAndSizeFromIndex(index, origin, size); // for one thread only
      this->Sizes[axis].push_back(size[axis]);
    }
  }
}

/** Is it one that may become the t-th, being split in the same way? */
bool TreeMaker::IsSplitLike(vtkHyperTree *tree, size_t t) const {
  const int64_t begin = this->First[t], nodes = this->First[t + 1] - begin;
  if (tree->GetNumberOfVertices() != nodes || tree->GetNumberOfChildren() != this->Children) {
    return false;
  }
  size_t known;
  const unsigned int *children = tree->GetElderChildIndexArray(known);
  int64_t next = 1; // as many splits as here make as many nodes: the other nodes are leaves, too
  for (int64_t node = 0; node < nodes; ++node) {
    if (this->States[begin + node] == TSR_STATE_COVERED) {
      if (static_cast<size_t>(node) >= known || children[node] != next) {
        return false;
      }
      next += this->Children;
    }
  }
  return true;
}

/** Splits the nodes of the tree in the core's order, which is level by level. */
vtkSmartPointer<vtkHyperTree> TreeMaker::MakeOne(size_t t) const {
  const int64_t begin = this->First[t], end = this->First[t + 1];
  auto tree = MakeTree(static_cast<unsigned char>(this->Grid->GetBranchFactor()),
                       static_cast<unsigned char>(this->Grid->GetDimension()));
  unsigned int level = 0;
  int64_t next = begin + 1;      // the children that come next
  int64_t nextLevel = begin + 1; // the first node that is deeper
  for (int64_t node = begin; node < end; ++node) {
    if (node == nextLevel) {
      ++level;
      nextLevel = next;
    }
    if (this->States[node] == TSR_STATE_COVERED) {
      tree->SubdivideLeaf(node - begin, level);
      next += this->Children;
    }
  }
  return tree;
}

void TreeMaker::SetSizes(vtkHyperTree *tree, size_t t, ScalesOfSizes &scales) const {
  std::array<double, 3> size;
  for (size_t axis = 0; axis < 3; ++axis) {
    size[axis] = this->Sizes[axis][static_cast<size_t>(this->Roots[3 * t + axis])];
  }
  Scales &shared = scales[size];
  if (shared) {
    tree->SetScales(shared);
  } else {
    shared = tree->InitializeScales(size.data(), true);
  }
  PrepareScales(shared.get(), tree->GetNumberOfLevels());
}

void TreeMaker::FindPlaces(int64_t begin, int64_t end) {
  for (size_t t = static_cast<size_t>(begin); t < static_cast<size_t>(end); ++t) {
    const int32_t *root = &this->Roots[3 * t];
    this->Grid->GetIndexFromLevelZeroCoordinates(
        this->Indices[t], static_cast<unsigned int>(root[0]), static_cast<unsigned int>(root[1]),
        static_cast<unsigned int>(root[2]));
  }
}

void TreeMaker::MakeSome(int64_t begin, int64_t end, TreePlaces &places) {
  ScalesOfSizes
      scales; // of these trees: one for all would have threads wait for its count of users
  int64_t asked = -NODES_BETWEEN;
  for (size_t t = static_cast<size_t>(begin); t < static_cast<size_t>(end); ++t) {
    const int64_t soFar = this->First[t + 1] + static_cast<int64_t>(t) * NODES_OF_A_TREE;
    if (t == static_cast<size_t>(begin) || soFar - asked >= NODES_BETWEEN) {
      RequireHeadroom();
      asked = soFar;
    }
    vtkSmartPointer<vtkHyperTree> &tree = places[t];
    if (!tree || !MakeOurs(tree) || !this->IsSplitLike(tree, t)) {
      tree = this->MakeOne(t);
    }
    tree->SetTreeIndex(this->Indices[t]);
    tree->SetGlobalIndexStart(this->First[t]);
    this->SetSizes(tree, t, scales);
  }
  if (tsr_grid_tree_mask(this->States, &this->First[static_cast<size_t>(begin)], end - begin,
                         this->Children, this->Hidden.get())) {
    this->AnyHidden = true;
  }
}

void TreeMaker::Make(ThreadRunner &runner) {
  runner.Share(this->Trees, ROOTS_OF_A_PIECE,
               [this](int64_t begin, int64_t end) { this->FindPlaces(begin, end); });
  TreePlaces places(this->Indices, runner);
  const int64_t nodes = this->First.back() + this->Trees * NODES_OF_A_TREE;
  const int64_t grain =
      std::max<int64_t>(1, this->Trees * NODES_BETWEEN / std::max<int64_t>(1, nodes));
  runner.Share(this->Trees, grain,
               [this, &places](int64_t begin, int64_t end) { this->MakeSome(begin, end, places); });
  RequireHeadroom();
  places.PutInto(this->Grid);
}

void TreeMaker::Mask() const {
  if (!this->AnyHidden) {
    return;
  }
  const vtkIdType cells = this->First.back();
  std::vector<int64_t> source(static_cast<size_t>(cells));
  tsr_grid_mask_sources(this->States, this->First.data(), this->Trees, this->Children,
                        this->Hidden.get(), source.data());
  auto mask = vtkSmartPointer<vtkBitArray>::New();
  mask->SetNumberOfValues(cells);
  vtkCellData *data = this->Grid->GetCellData();
  for (vtkIdType cell = 0; cell < cells; ++cell) {
    mask->SetValue(cell, this->Hidden[static_cast<size_t>(cell)]);
    const int64_t from = source[static_cast<size_t>(cell)];
    for (int i = 0; from >= 0 && i < data->GetNumberOfArrays(); ++i) {
      vtkAbstractArray *array = data->GetAbstractArray(i);
      array->SetTuple(cell, from, array);
    }
  }
  this->Grid->SetMask(mask);
}

/** All processes have the roots of the whole grid, each the trees of its own: so VTK's files and
 * ghost cells of hyper tree grids want it. */
void SetRoots(const GridDataset &dataset, vtkHyperTreeGrid *grid) {
  grid->Initialize();
  grid->SetBranchFactor(2);
  auto x = RootCoordinates(dataset, 0), y = RootCoordinates(dataset, 1),
       z = RootCoordinates(dataset, 2);
  grid->SetDimensions(static_cast<unsigned int>(x->GetNumberOfValues()),
                      static_cast<unsigned int>(y->GetNumberOfValues()),
                      static_cast<unsigned int>(z->GetNumberOfValues()));
  grid->SetXCoordinates(x);
  grid->SetYCoordinates(y);
  grid->SetZCoordinates(z);
}

} // namespace

vtkSmartPointer<vtkDataObject> MakeHyperTrees(GridOutput &output, ThreadRunner &runner,
                                              tsr_error &error) {
  const GridDataset &dataset = output.Dataset;
  const tsr_grid_sizes &sizes = dataset.Sizes();
  if (!Check(dataset, output.Messages, error)) {
    return nullptr;
  }
  auto grid = vtkSmartPointer<vtkHyperTreeGrid>::New();
  SetRoots(dataset, grid);
  std::vector<int64_t> first(static_cast<size_t>(sizes.trees) + 1);
  std::vector<int32_t> roots(3 * static_cast<size_t>(sizes.trees));
  output.Core.tree_first = first.data();
  output.Core.tree_root = roots.data();
  output.AddArrays(nullptr, grid->GetCellData());
  if (!output.Fill(error)) {
    return nullptr;
  }
  TreeMaker trees(grid, first, roots, output.States->GetPointer(0));
  trees.Make(runner);
  trees.Mask();
  output.AddGeneratedArrays(nullptr, grid->GetCellData());
  grid->GetFieldData()->PassData(dataset.Input()->GetFieldData());
  return grid;
}

} // namespace tessera
