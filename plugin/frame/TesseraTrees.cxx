// SPDX-License-Identifier: BSD-3-Clause
#include "frame/TesseraTrees.h"

#include "frame/TesseraExecution.h"
#include "frame/TesseraLeaves.h"

#include <vtkHyperTree.h>
#include <vtkHyperTreeGrid.h>

namespace tessera {

namespace {

/** So many trees cost a thread as much as its start. */
const int64_t TREES_OF_A_PIECE = 2048;

/** VTK's map of trees, which its subclasses see. By SetTree alone, which looks for the place of
 * each tree from the root of the map, putting trees takes ten times as long. */
class MapOfTrees : public vtkHyperTreeGrid {
public:
  static std::map<vtkIdType, vtkSmartPointer<vtkHyperTree>> &In(vtkHyperTreeGrid *grid) {
    return grid->*(&MapOfTrees::HyperTrees);
  }
};

} // namespace

void PutTrees(std::vector<PlacedTree> &trees, vtkHyperTreeGrid *grid) {
  auto &map = MapOfTrees::In(grid);
  for (PlacedTree &tree : trees) {
    map.emplace_hint(map.end(), std::move(tree));
  }
  trees.clear();
}

void MoveTrees(vtkHyperTreeGrid *from, vtkHyperTreeGrid *to) {
  MapOfTrees::In(from).swap(MapOfTrees::In(to));
}

OldTrees::OldTrees(vtkDataObject *output) {
  if (!output) {
    return;
  }
  for (const Leaf &leaf : Leaves(output)) {
    if (auto *grid = vtkHyperTreeGrid::SafeDownCast(leaf.Data)) {
      this->Maps.emplace_back();
      this->Maps.back().swap(MapOfTrees::In(grid));
    }
  }
}

void OldTrees::Free(Execution &execution) {
  for (auto &map : this->Maps) {
    std::vector<vtkSmartPointer<vtkHyperTree> *> trees;
    trees.reserve(map.size());
    for (auto &tree : map) {
      trees.push_back(&tree.second);
    }
    execution.Share(static_cast<int64_t>(trees.size()), TREES_OF_A_PIECE,
                    [&trees](int64_t begin, int64_t end) {
                      for (int64_t t = begin; t < end; ++t) {
                        *trees[static_cast<size_t>(t)] = nullptr;
                      }
                    });
  }
  this->Maps.clear();
}

} // namespace tessera
