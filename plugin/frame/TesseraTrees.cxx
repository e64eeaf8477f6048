// SPDX-License-Identifier: BSD-3-Clause
#include "frame/TesseraTrees.h"

#include <vtkHyperTree.h>
#include <vtkHyperTreeGrid.h>

#include <map>

namespace tessera {

namespace {

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

} // namespace tessera
