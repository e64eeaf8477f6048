// SPDX-License-Identifier: BSD-3-Clause
#include "grid/TesseraGridOutput.h"

#include <vtkBitArray.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDataSet.h>
#include <vtkFieldData.h>
#include <vtkHyperTree.h>
#include <vtkHyperTreeGrid.h>

#include <algorithm>
#include <cmath>

namespace tessera {

namespace {

/** Whether there is memory is asked anew after so many nodes, of up to 16 bytes each in VTK; a tree
 * is as large as some of them. */
const int64_t NODES_BETWEEN = 1 << 16;
const int64_t NODES_OF_A_TREE = 64;

/** Input cells along a side of a root. */
int64_t RootCells(const GridLeaf &leaf) {
  return int64_t{1} << (leaf.Options().coarsen_levels - leaf.Sizes().tree_level);
}

/** Where the roots begin along an axis. The last one may reach beyond the grid. */
vtkSmartPointer<vtkDoubleArray> RootCoordinates(const GridLeaf &leaf, int axis) {
  const tsr_grid_view &view = leaf.View();
  const int64_t first = view.whole[2 * axis], last = view.whole[2 * axis + 1];
  const int64_t step = RootCells(leaf);
  auto coordinates = vtkSmartPointer<vtkDoubleArray>::New();
  int64_t index = first;
  for (; index < last; index += step) {
    coordinates->InsertNextValue(leaf.Coordinate(axis, index));
  }
  if (first == last) {
    coordinates->InsertNextValue(leaf.Coordinate(axis, first));
  } else {
    const double low = leaf.Coordinate(axis, index - step);
    const double held = static_cast<double>(last - (index - step));
    const double length = (leaf.Coordinate(axis, last) - low) * static_cast<double>(step) / held;
    coordinates->InsertNextValue(low + length);
  }
  return coordinates;
}

/** Are the input points within each root at equal distances? */
bool IsEven(const GridLeaf &leaf, int axis) {
  const tsr_grid_view &view = leaf.View();
  const int64_t step = RootCells(leaf);
  // Numbers of single precision are as even as they can be.
  const double rounding = view.coordinates[axis].type == TSR_FLOAT ? 2.4e-7 : 4.5e-16;
  for (int64_t index = view.whole[2 * axis] + 1; index < view.whole[2 * axis + 1]; ++index) {
    if ((index - view.whole[2 * axis]) % step != 0) {
      const double left = leaf.Coordinate(axis, index) - leaf.Coordinate(axis, index - 1);
      const double right = leaf.Coordinate(axis, index + 1) - leaf.Coordinate(axis, index);
      const double largest = std::max(std::abs(leaf.Coordinate(axis, index - 1)),
                                      std::abs(leaf.Coordinate(axis, index + 1)));
      if (!(std::abs(left - right) <= 1e-6 * std::abs(left + right) + rounding * largest)) {
        return false;
      }
    }
  }
  return true;
}

bool Check(const GridLeaf &leaf, std::set<std::string> &messages, tsr_error &error) {
  if (!leaf.IsAxisAligned()) {
    return Fail(error, "a hyper tree grid needs an image without rotation or a rectilinear grid");
  }
  if (leaf.Sizes().dimension == 0) {
    return Fail(error, "a hyper tree grid needs an input with cells");
  }
  if (!leaf.IsRising()) {
    return Fail(error, leaf.View().geometry == TSR_GEOMETRY_UNIFORM
                           ? "a hyper tree grid needs spacings above 0"
                           : "a hyper tree grid needs coordinates that rise along each axis");
  }
  for (int axis = 0; axis < 3 && leaf.View().geometry == TSR_GEOMETRY_RECTILINEAR; ++axis) {
    if (!IsEven(leaf, axis)) {
      messages.insert("Within a tree a hyper tree grid places cells at equal distances, which the "
                      "coordinates of the input do not have: they are moved.");
    }
  }
  return true;
}

/** Splits the nodes of a tree in the core's order; masks those that are not to be seen. */
void BuildTree(vtkHyperTree *tree, const unsigned char *states, int64_t begin, int64_t end,
               int children, vtkBitArray *mask) {
  std::vector<int64_t> firstChild(static_cast<size_t>(end - begin), 0);
  unsigned int level = 0;
  int64_t nextLevel = begin + 1; // the first node that is deeper
  tree->SetGlobalIndexStart(begin);
  int64_t next = begin + 1;
  for (int64_t node = begin; node < end; ++node) {
    if (node == nextLevel) {
      ++level;
      nextLevel = next;
    }
    if (states[node] == TSR_STATE_COVERED) {
      tree->SubdivideLeaf(node - begin, level);
      firstChild[static_cast<size_t>(node - begin)] = next;
      next += children;
    }
  }
  for (int64_t node = end; node-- > begin && mask;) {
    bool hidden = states[node] != TSR_STATE_LEAF;
    const int64_t first = firstChild[static_cast<size_t>(node - begin)];
    for (int child = 0; first > 0 && child < children && hidden; ++child) {
      hidden = mask->GetValue(first + child) != 0;
    }
    mask->SetValue(node, hidden);
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
  auto tree = vtkSmartPointer<vtkHyperTree>::Take(
      vtkHyperTree::CreateInstance(static_cast<unsigned char>(grid->GetBranchFactor()),
                                   static_cast<unsigned char>(grid->GetDimension())));
  tree->InitializeScales(size);
  grid->SetTree(index, tree);
  return tree;
}

void CopyCell(vtkCellData *data, int64_t from, int64_t to) {
  for (int i = 0; i < data->GetNumberOfArrays(); ++i) {
    vtkAbstractArray *array = data->GetAbstractArray(i);
    array->SetTuple(to, from, array);
  }
}

/** Masked nodes have no values of their own, but ranges count them, and so colours: they take those
 *  of their parents, roots those of any leaf that is seen. */
void FillMasked(vtkCellData *data, const unsigned char *states, const std::vector<int64_t> &first,
                int children, vtkBitArray *mask) {
  const int64_t cells = first.back();
  const int64_t seen = std::find(states, states + cells, TSR_STATE_LEAF) - states;
  for (size_t t = 0; seen < cells && t + 1 < first.size(); ++t) {
    if (mask->GetValue(first[t])) {
      CopyCell(data, seen, first[t]);
    }
    int64_t child = first[t] + 1;
    for (int64_t node = first[t]; node < first[t + 1]; ++node) {
      const int64_t end = states[node] == TSR_STATE_COVERED ? child + children : child;
      for (; child < end; ++child) {
        if (mask->GetValue(child)) {
          CopyCell(data, node, child);
        }
      }
    }
  }
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
  vtkSmartPointer<vtkBitArray> mask;
  const bool some = std::any_of(states, states + sizes.cells, [](unsigned char state) {
    return state == TSR_STATE_HIDDEN || state == TSR_STATE_OUTSIDE;
  });
  if (some) {
    mask = vtkSmartPointer<vtkBitArray>::New();
    mask->SetNumberOfValues(sizes.cells);
  }
  int64_t asked = -NODES_BETWEEN;
  for (size_t t = 0; t < static_cast<size_t>(sizes.trees); ++t) {
    if (first[t + 1] + static_cast<int64_t>(t) * NODES_OF_A_TREE - asked >= NODES_BETWEEN) {
      RequireHeadroom();
      asked = first[t + 1] + static_cast<int64_t>(t) * NODES_OF_A_TREE;
    }
    BuildTree(AddTree(grid, &roots[3 * t]), states, first[t], first[t + 1], 1 << sizes.dimension,
              mask);
  }
  RequireHeadroom();
  if (mask) {
    FillMasked(grid->GetCellData(), states, first, 1 << sizes.dimension, mask);
    grid->SetMask(mask);
  }
  output.AddGeneratedArrays(grid->GetCellData());
  grid->GetFieldData()->PassData(leaf.Input()->GetFieldData());
  return grid;
}

} // namespace tessera
