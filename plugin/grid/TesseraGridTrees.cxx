// SPDX-License-Identifier: BSD-3-Clause
#include "frame/TesseraVersions.h"
#include "grid/TesseraGridOutput.h"

#include <vtkBitArray.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDataSet.h>
#include <vtkFieldData.h>
#include <vtkHyperTree.h>
#include <vtkHyperTreeGrid.h>

#include <cstdint>

namespace tessera {

namespace {

/** After so many nodes, of up to 16 bytes each in VTK, it is asked again whether there is memory; a
 * tree by itself takes as much as the number below it. */
const int64_t NODES_BETWEEN = 1 << 16;
const int64_t NODES_OF_A_TREE = 64;

/** Input cells along a side of a root. */
int64_t RootCells(const GridLeaf &leaf) {
  return int64_t{1} << (leaf.Options().coarsen_levels - leaf.Sizes().tree_level);
}

vtkSmartPointer<vtkDoubleArray> RootCoordinates(const GridLeaf &leaf, int axis) {
  auto coordinates = vtkSmartPointer<vtkDoubleArray>::New();
  coordinates->SetNumberOfValues(
      tsr_grid_root_coordinates(&leaf.View(), leaf.Axes(), RootCells(leaf), axis, nullptr));
  tsr_grid_root_coordinates(&leaf.View(), leaf.Axes(), RootCells(leaf), axis,
                            coordinates->GetPointer(0));
  return coordinates;
}

bool Check(const GridLeaf &leaf, std::set<std::string> &messages, tsr_error &error) {
  int moved;
  const bool good = tsr_grid_check_trees(&leaf.View(), leaf.Axes(), leaf.Sizes().dimension,
                                         RootCells(leaf), &moved, &error) == TSR_OK;
  if (good && moved) {
    messages.insert("Within a tree a hyper tree grid places cells at equal distances, which the "
                    "coordinates of the input do not have: they are moved.");
  }
  return good;
}

/** Splits the nodes of a tree in the core's order, which is level by level. */
void BuildTree(vtkHyperTree *tree, const unsigned char *states, int64_t begin, int64_t end,
               int children) {
  unsigned int level = 0;
  int64_t next = begin + 1;      // the children that come next
  int64_t nextLevel = begin + 1; // the first node that is deeper
  tree->SetGlobalIndexStart(begin);
  for (int64_t node = begin; node < end; ++node) {
    if (node == nextLevel) {
      ++level;
      nextLevel = next;
    }
    if (states[node] == TSR_STATE_COVERED) {
      tree->SubdivideLeaf(node - begin, level);
      next += children;
    }
  }
}

/** A tree of one node, as vtkHyperTreeGrid::GetTree makes it, which takes twice as long: where
 * there are thousands of small ones, that is what counts. */
vtkHyperTree *AddTree(vtkHyperTreeGrid *grid, const int32_t root[3]) {
  vtkIdType index;
  double origin[3], size[3];
  grid->GetIndexFromLevelZeroCoordinates(index, static_cast<unsigned int>(root[0]),
                                         static_cast<unsigned int>(root[1]),
                                         static_cast<unsigned int>(root[2]));
  grid->GetLevelZeroOriginAndSizeFromIndex(index, origin, size);
  auto tree = MakeTree(static_cast<unsigned char>(grid->GetBranchFactor()),
                       static_cast<unsigned char>(grid->GetDimension()));
  tree->InitializeScales(size);
  grid->SetTree(index, tree);
  return tree;
}

/** Masks what is not to be seen; arrays have values there all the same, which ranges count. */
void MaskCells(const std::vector<int64_t> &first, const unsigned char *states, int children,
               vtkHyperTreeGrid *grid) {
  const size_t cells = static_cast<size_t>(first.back());
  const int64_t trees = static_cast<int64_t>(first.size()) - 1;
  std::vector<std::uint8_t> hidden(cells);
  if (!tsr_grid_tree_mask(states, first.data(), trees, children, hidden.data())) {
    return;
  }
  std::vector<int64_t> source(cells);
  tsr_grid_mask_sources(states, first.data(), trees, children, hidden.data(), source.data());
  auto mask = vtkSmartPointer<vtkBitArray>::New();
  mask->SetNumberOfValues(first.back());
  for (vtkIdType cell = 0; cell < first.back(); ++cell) {
    mask->SetValue(cell, hidden[static_cast<size_t>(cell)]);
    const int64_t from = source[static_cast<size_t>(cell)];
    for (int i = 0; from >= 0 && i < grid->GetCellData()->GetNumberOfArrays(); ++i) {
      vtkAbstractArray *array = grid->GetCellData()->GetAbstractArray(i);
      array->SetTuple(cell, from, array);
    }
  }
  grid->SetMask(mask);
}

/** All processes have the roots of the whole grid, each the trees of its own: so VTK's files and
 * ghost cells of hyper tree grids want it. */
void SetRoots(const GridLeaf &leaf, vtkHyperTreeGrid *grid) {
  grid->Initialize();
  grid->SetBranchFactor(2);
  auto x = RootCoordinates(leaf, 0), y = RootCoordinates(leaf, 1), z = RootCoordinates(leaf, 2);
  grid->SetDimensions(static_cast<unsigned int>(x->GetNumberOfValues()),
                      static_cast<unsigned int>(y->GetNumberOfValues()),
                      static_cast<unsigned int>(z->GetNumberOfValues()));
  grid->SetXCoordinates(x);
  grid->SetYCoordinates(y);
  grid->SetZCoordinates(z);
}

} // namespace

vtkSmartPointer<vtkDataObject> MakeHyperTrees(GridOutput &output, tsr_error &error) {
  const GridLeaf &leaf = output.Leaf;
  const tsr_grid_sizes &sizes = leaf.Sizes();
  if (!Check(leaf, output.Messages, error)) {
    return nullptr;
  }
  auto grid = vtkSmartPointer<vtkHyperTreeGrid>::New();
  SetRoots(leaf, grid);
  std::vector<int64_t> first(static_cast<size_t>(sizes.trees) + 1);
  std::vector<int32_t> roots(3 * static_cast<size_t>(sizes.trees));
  output.Core.tree_first = first.data();
  output.Core.tree_root = roots.data();
  output.AddArrays(nullptr, grid->GetCellData());
  if (!output.Fill(error)) {
    return nullptr;
  }
  const unsigned char *states = output.States->GetPointer(0);
  int64_t asked = -NODES_BETWEEN;
  for (size_t t = 0; t < static_cast<size_t>(sizes.trees); ++t) {
    if (first[t + 1] + static_cast<int64_t>(t) * NODES_OF_A_TREE - asked >= NODES_BETWEEN) {
      RequireHeadroom();
      asked = first[t + 1] + static_cast<int64_t>(t) * NODES_OF_A_TREE;
    }
    BuildTree(AddTree(grid, &roots[3 * t]), states, first[t], first[t + 1], 1 << sizes.dimension);
  }
  RequireHeadroom();
  MaskCells(first, states, 1 << sizes.dimension, grid);
  output.AddGeneratedArrays(grid->GetCellData());
  grid->GetFieldData()->PassData(leaf.Input()->GetFieldData());
  return grid;
}

} // namespace tessera
