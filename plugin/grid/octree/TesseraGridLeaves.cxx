// SPDX-License-Identifier: BSD-3-Clause
/** The leaves of hyper tree grids. */
#include "grid/octree/TesseraGridOctree.h"

#include "frame/data/TesseraArrays.h"
#include "grid/TesseraGridPieces.h"

#include <vtkBitArray.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkFieldData.h>
#include <vtkHyperTree.h>
#include <vtkHyperTreeGrid.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tessera {

namespace {

/** Most trees that a thread converts at a time. */
const int64_t TREES_OF_A_PIECE = 16;

/** A tree of this process. */
struct Tree {
  vtkHyperTree *Data;
  int64_t Root[3];
  int64_t First, Leaves; /**< number of its first leaf among all, and of its leaves */
};

/** A node on the way down. */
struct Node {
  vtkIdType Vertex;
  int Level;
  int64_t Index[3];
  bool Hidden;
};

/** How coordinates along an axis are spread. */
bool IsEven(const std::vector<double> &sides, bool single) {
  const double rounding = 16.0 * (single ? 6e-8 : 1.2e-16); // 16 roundings of the largest one
  const double first = sides.front(), last = sides.back();
  const double largest = std::max(std::fabs(first), std::fabs(last));
  const size_t cells = sides.size() - 1;
  for (size_t i = 0; i <= cells; ++i) {
    const double at =
        first + (last - first) * (static_cast<double>(i) / static_cast<double>(cells));
    if (!(std::fabs(sides[i] - at) <= rounding * largest)) {
      return false;
    }
  }
  return true;
}

/** The lattice of the roots. False, with a sentence, if the grid cannot be used. */
bool LatticeOf(vtkHyperTreeGrid *grid, OctreeLattice &lattice, tsr_error &error) {
  if (grid->GetBranchFactor() != 2) {
    return Fail(error, "the hyper tree grid divides cells into " +
                           std::to_string(grid->GetBranchFactor()) +
                           " along each axis; only a branch factor of 2 can be used");
  }
  vtkDataArray *const coordinates[] = {grid->GetXCoordinates(), grid->GetYCoordinates(),
                                       grid->GetZCoordinates()};
  std::vector<double> sides[3];
  bool even = true;
  lattice.Single = true;
  for (int axis = 0; axis < 3; ++axis) {
    const vtkIdType count = coordinates[axis] ? coordinates[axis]->GetNumberOfTuples() : 0;
    if (count != static_cast<vtkIdType>(grid->GetDimensions()[axis])) {
      return Fail(error, std::string("the hyper tree grid has ") + std::to_string(count) +
                             " coordinates along " + "xyz"[axis] + " for " +
                             std::to_string(grid->GetDimensions()[axis]) + " points");
    }
    for (vtkIdType i = 0; i < count; ++i) {
      sides[axis].push_back(coordinates[axis]->GetTuple1(i));
      if (!std::isfinite(sides[axis].back()) ||
          (i > 0 &&
           !(sides[axis][static_cast<size_t>(i)] > sides[axis][static_cast<size_t>(i) - 1]))) {
        return Fail(error, std::string("the coordinates of the hyper tree grid must rise along ") +
                               "xyz"[axis] + ", and number " + std::to_string(i) + " does not");
      }
    }
    lattice.Cells[axis] = static_cast<int32_t>(count - 1);
    lattice.Single = lattice.Single && coordinates[axis]->GetDataType() == VTK_FLOAT;
  }
  for (int axis = 0; axis < 3; ++axis) {
    even = even && (lattice.Cells[axis] == 0 || IsEven(sides[axis], lattice.Single));
  }
  for (int axis = 0; axis < 3; ++axis) {
    const int32_t cells = lattice.Cells[axis];
    lattice.Origin[axis] = sides[axis].front();
    lattice.Spacing[axis] = cells > 0 ? (sides[axis].back() - sides[axis].front()) / cells : 1.0;
    lattice.Sides[axis] = even ? std::vector<double>() : sides[axis];
  }
  return true;
}

bool AreEqual(const OctreeLattice &one, const OctreeLattice &other) {
  return std::equal(one.Cells, one.Cells + 3, other.Cells) &&
         std::equal(one.Origin, one.Origin + 3, other.Origin) &&
         std::equal(one.Spacing, one.Spacing + 3, other.Spacing) &&
         std::equal(one.Sides, one.Sides + 3, other.Sides);
}

/** The lattice as numbers, and back. */
std::vector<double> NumbersOf(const OctreeLattice &lattice) {
  std::vector<double> numbers;
  for (int axis = 0; axis < 3; ++axis) {
    numbers.push_back(lattice.Cells[axis]);
    numbers.push_back(lattice.Origin[axis]);
    numbers.push_back(lattice.Spacing[axis]);
    numbers.push_back(static_cast<double>(lattice.Sides[axis].size()));
    numbers.insert(numbers.end(), lattice.Sides[axis].begin(), lattice.Sides[axis].end());
  }
  numbers.push_back(lattice.Single ? 1.0 : 0.0);
  return numbers;
}

OctreeLattice LatticeFrom(const std::vector<double> &numbers) {
  OctreeLattice lattice;
  auto at = numbers.begin();
  for (int axis = 0; axis < 3; ++axis) {
    lattice.Cells[axis] = static_cast<int32_t>(*at++);
    lattice.Origin[axis] = *at++;
    lattice.Spacing[axis] = *at++;
    const auto sides = static_cast<std::ptrdiff_t>(*at++);
    lattice.Sides[axis].assign(at, at + sides);
    at += sides;
  }
  lattice.Single = *at != 0.0;
  return lattice;
}

/** The conversion of the trees that this process has. */
class Leaves {
public:
  Leaves(vtkHyperTreeGrid *grid, GridOctree &tree, OctreeContext &context)
      : Grid(grid), Tree(tree), Context(context) {}

  /** Makes the lattice that of the lowest process with trees. Collective. */
  void ShareLattice();
  void Convert();

private:
  void FindTrees();
  /** Calls visit(node) for each leaf of a tree. Returns false where it has too many levels. */
  template <class Visit> bool ForLeaves(const tessera::Tree &tree, const Visit &visit) const;
  void Write(const tessera::Tree &tree);

  vtkHyperTreeGrid *Grid;
  GridOctree &Tree;
  OctreeContext &Context;
  std::vector<tessera::Tree> Trees;
  vtkNew<vtkIdList> Ids;
  const unsigned char *Ghosts = nullptr;
};

void Leaves::ShareLattice() {
  tsr_error &error = this->Context.Error;
  OctreeLattice &lattice = this->Tree.Lattice;
  Guard(error, [this, &lattice, &error] {
    if (this->Grid) {
      LatticeOf(this->Grid, lattice, error);
    }
  });
  if (!this->Context.Group.AllFine(error)) {
    return;
  }
  const std::vector<vtkIdType> has = this->Context.Group.Gather({this->Grid ? 1 : 0});
  const int source = static_cast<int>(std::find(has.begin(), has.end(), 1) - has.begin());
  std::vector<double> numbers = NumbersOf(lattice);
  vtkIdType count = static_cast<vtkIdType>(numbers.size());
  this->Context.Group.Broadcast(&count, sizeof count, source);
  numbers.resize(static_cast<size_t>(count));
  this->Context.Group.Broadcast(numbers.data(), numbers.size() * sizeof(double), source);
  const OctreeLattice common = LatticeFrom(numbers);
  if (this->Grid && !AreEqual(lattice, common)) {
    Fail(error, "the processes have hyper tree grids with different coordinates");
  }
  lattice = common;
  this->Context.Group.AllFine(error);
}

void Leaves::FindTrees() {
  vtkHyperTreeGrid::vtkHyperTreeGridIterator it;
  this->Grid->InitializeTreeIterator(it);
  vtkIdType index;
  while (vtkHyperTree *one = it.GetNextTree(index)) {
    unsigned int root[3];
    this->Grid->GetLevelZeroCoordinatesFromIndex(index, root[0], root[1], root[2]);
    this->Trees.push_back({one, {root[0], root[1], root[2]}, 0, 0});
  }
}

template <class Visit> bool Leaves::ForLeaves(const tessera::Tree &tree, const Visit &visit) const {
  vtkBitArray *mask = this->Grid->HasMask() ? this->Grid->GetMask() : nullptr;
  const auto deepest = static_cast<int64_t>(this->Grid->GetDepthLimiter());
  const int32_t *cells = this->Tree.Lattice.Cells;
  const int children = 1 << this->Tree.Lattice.Dimension();
  std::vector<Node> stack;
  stack.push_back({0, 0, {tree.Root[0], tree.Root[1], tree.Root[2]}, false});
  while (!stack.empty()) {
    Node node = stack.back();
    stack.pop_back();
    const vtkIdType global = tree.Data->GetGlobalIndexFromLocal(node.Vertex);
    node.Hidden =
        node.Hidden || (mask && global < mask->GetNumberOfValues() && mask->GetValue(global) != 0);
    if (node.Level >= deepest || tree.Data->IsLeaf(node.Vertex)) {
      visit(node, global);
      continue;
    }
    if (node.Level == OCTREE_MOST_BITS) {
      return false;
    }
    const vtkIdType elder = tree.Data->GetElderChildIndex(static_cast<unsigned int>(node.Vertex));
    for (int child = children - 1; child >= 0; --child) { // taken from the back: child 0 is next
      Node next = {elder + child, node.Level + 1, {0, 0, 0}, node.Hidden};
      for (int axis = 0, bit = 0; axis < 3; ++axis) {
        next.Index[axis] = cells[axis] > 0 ? 2 * node.Index[axis] + (child >> bit++ & 1) : 0;
      }
      stack.push_back(next);
    }
  }
  return true;
}

void Leaves::Write(const tessera::Tree &tree) {
  GridOctree &all = this->Tree;
  int64_t to = tree.First;
  this->ForLeaves(tree, [this, &all, &to](const Node &node, vtkIdType global) {
    all.Level[to] = static_cast<std::uint8_t>(node.Level);
    for (int axis = 0; axis < 3; ++axis) {
      all.Index[3 * to + axis] = static_cast<std::int32_t>(node.Index[axis]);
    }
    const unsigned char ghost = this->Ghosts ? this->Ghosts[global] : 0;
    all.Hidden[to] = node.Hidden || IsHiddenCell(ghost);
    if (this->Ghosts) {
      all.Copies[to] = IsCopy(ghost);
    }
    this->Ids->SetId(to, global);
    ++to;
  });
}

void Leaves::Convert() {
  this->FindTrees();
  GridOctree &all = this->Tree;
  const vtkIdType nodes = this->Grid->GetNumberOfElements(vtkDataObject::CELL);
  const auto trees = static_cast<int64_t>(this->Trees.size());
  std::atomic<bool> deep(false), outside(false);
  this->Context.Runner.Share(trees, TREES_OF_A_PIECE, [&](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; ++t) {
      tessera::Tree &tree = this->Trees[static_cast<size_t>(t)];
      if (!this->ForLeaves(tree, [&](const Node &node, vtkIdType global) {
            outside = outside || global < 0 || global >= nodes;
            deep = deep || ((tree.Root[0] + 1) << node.Level) > (int64_t{1} << OCTREE_MOST_BITS) ||
                   ((tree.Root[1] + 1) << node.Level) > (int64_t{1} << OCTREE_MOST_BITS) ||
                   ((tree.Root[2] + 1) << node.Level) > (int64_t{1} << OCTREE_MOST_BITS);
            ++tree.Leaves;
          })) {
        deep = true;
      }
    }
  });
  if (deep || outside) {
    Fail(this->Context.Error, deep ? "the trees of the hyper tree grid have more than 2^" +
                                         std::to_string(OCTREE_MOST_BITS) + " cells along an axis"
                                   : "nodes of the hyper tree grid have numbers beyond the " +
                                         std::to_string(nodes) + " tuples of its cell arrays");
    return;
  }
  for (tessera::Tree &tree : this->Trees) {
    tree.First = all.Count;
    all.Count += tree.Leaves;
  }
  this->Ghosts = GhostsOf(this->Grid, true, "", this->Context.Messages);
  all.Level.Allocate(all.Count);
  all.Index.Allocate(3 * all.Count);
  all.Hidden.Allocate(all.Count);
  all.Copies.Allocate(this->Ghosts ? all.Count : 0);
  this->Ids->SetNumberOfIds(all.Count);
  this->Context.Runner.Share(trees, TREES_OF_A_PIECE, [this](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; ++t) {
      this->Write(this->Trees[static_cast<size_t>(t)]);
    }
  });
  all.Data = NewOctreeArrays(0, all.Count);
  vtkCellData *from = this->Grid->GetCellData();
  GatherArrays(from, nodes, this->Ids, "cell", all.Data->GetCellData(), this->Context.Runner,
               this->Context.Messages);
  const int none[] = {-1};
  CopyRoles(from, all.Data->GetCellData(), none);
  all.Data->GetCellData()->RemoveArray(vtkDataSetAttributes::GhostArrayName());
}

} // namespace

void OctreeOfTrees(vtkHyperTreeGrid *data, GridOctree &tree, OctreeContext &context) {
  Leaves leaves(data, tree, context);
  leaves.ShareLattice();
  if (context.Error.status != TSR_OK) {
    return;
  }
  tree.Data = NewOctreeArrays(0, 0);
  Guard(context.Error, [data, &leaves] {
    if (data) {
      leaves.Convert();
    }
  });
  if (data) {
    tree.Data->GetFieldData()->PassData(data->GetFieldData());
  }
  context.Group.AllFine(context.Error);
}

} // namespace tessera
