// SPDX-License-Identifier: BSD-3-Clause
#include "frame/data/TesseraTrees.h"

#include "frame/data/TesseraDatasets.h"
#include "frame/run/TesseraThreadRunner.h"

#include <vtkHyperTree.h>
#include <vtkHyperTreeGrid.h>

#include <algorithm>

namespace tessera {

namespace {

/** Trees that a thread handles at a time: about as much work as starting a thread. */
const int64_t TREES_OF_A_PIECE = 2048;

/** VTK's map of trees, which its subclasses see. By SetTree alone, which looks for the place of
 * each tree from the root of the map, putting trees takes ten times as long. */
class MapOfTrees : public vtkHyperTreeGrid {
public:
  static TreeMap &In(vtkHyperTreeGrid *grid) { return grid->*(&MapOfTrees::HyperTrees); }
};

/** Addresses of the entries of `map`, in its order. */
std::vector<vtkSmartPointer<vtkHyperTree> *> PlacesIn(TreeMap &map) {
  std::vector<vtkSmartPointer<vtkHyperTree> *> places;
  places.reserve(map.size());
  for (auto &tree : map) {
    places.push_back(&tree.second);
  }
  return places;
}

void FreeTrees(TreeMap &map, ThreadRunner &runner) {
  const auto places = PlacesIn(map);
  runner.Share(static_cast<int64_t>(places.size()), TREES_OF_A_PIECE,
               [&places](int64_t begin, int64_t end) {
                 for (int64_t t = begin; t < end; ++t) {
                   *places[static_cast<size_t>(t)] = nullptr;
                 }
               });
  map.clear();
}

bool HasTreesAt(const TreeMap &map, const std::vector<vtkIdType> &indices) {
  return map.size() == indices.size() &&
         std::equal(indices.begin(), indices.end(), map.begin(),
                    [](vtkIdType index, const auto &tree) { return index == tree.first; });
}

} // namespace

void MoveTrees(vtkHyperTreeGrid *from, vtkHyperTreeGrid *to) {
  MapOfTrees::In(from).swap(MapOfTrees::In(to));
}

OldTrees::OldTrees(vtkDataObject *output) {
  if (!output) {
    return;
  }
  for (const Dataset &dataset : Datasets(output)) {
    auto *grid = vtkHyperTreeGrid::SafeDownCast(dataset.Data);
    if (grid && MapOfTrees::In(grid).size() > 1) {
      this->Maps.emplace_back();
      this->Maps.back().swap(MapOfTrees::In(grid));
    }
  }
}

TreeMap OldTrees::Next() {
  TreeMap map;
  if (!this->Maps.empty()) {
    map.swap(this->Maps.front());
    this->Maps.pop_front();
  }
  return map;
}

void OldTrees::Free(ThreadRunner &runner) {
  for (TreeMap &map : this->Maps) {
    FreeTrees(map, runner);
  }
  this->Maps.clear();
}

TreePlaces::TreePlaces(const std::vector<vtkIdType> &indices, ThreadRunner &runner) {
  if (runner.Before) {
    this->Map = runner.Before->Next();
  }
  if (HasTreesAt(this->Map, indices)) {
    this->Places = PlacesIn(this->Map);
    return;
  }
  FreeTrees(this->Map, runner);
  this->Places.reserve(indices.size());
  for (const vtkIdType index : indices) {
    this->Places.push_back(&this->Map.emplace_hint(this->Map.end(), index, nullptr)->second);
  }
}

void TreePlaces::PutInto(vtkHyperTreeGrid *grid) { this->Map.swap(MapOfTrees::In(grid)); }

} // namespace tessera
