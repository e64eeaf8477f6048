// SPDX-License-Identifier: BSD-3-Clause
/** The trees of a hyper tree grid, as many as there are at once. */
#ifndef TesseraTrees_h
#define TesseraTrees_h

#include <vtkSmartPointer.h>
#include <vtkType.h>

#include <deque>
#include <map>
#include <vector>

class vtkDataObject;
class vtkHyperTree;
class vtkHyperTreeGrid;

namespace tessera {

class Execution;

using TreeMap = std::map<vtkIdType, vtkSmartPointer<vtkHyperTree>>;

/** Gives `to`, which has none, all trees of `from`, which has none then. */
void MoveTrees(vtkHyperTreeGrid *from, vtkHyperTreeGrid *to);

/** Takes the trees out of an output before VTK clears it for the next, which may have the same:
 * freeing them one after another takes longer than making new ones. */
class OldTrees {
public:
  /** output: a hyper tree grid, or a composite of some; anything else, NULL too, has none. A lone
   * tree stays where it is. */
  explicit OldTrees(vtkDataObject *output);

  /** Those of the next grid, in the order of the output; none where there is no grid left. */
  TreeMap Next();

  /** Frees what nobody took, on all threads; without it, that happens at the end, on one. */
  void Free(Execution &execution);

private:
  std::deque<TreeMap> Maps;
};

/** The places of a grid's trees: made one after another, to be filled by many threads at once. */
class TreePlaces {
public:
  /** indices: of the trees in the grid; it goes quickly where they rise. */
  TreePlaces(const std::vector<vtkIdType> &indices, Execution &execution);

  /** The tree of indices[t], to be set; at first that of the output before, where that had trees at
   * the same places, or NULL. */
  vtkSmartPointer<vtkHyperTree> &operator[](size_t t) { return *this->Places[t]; }

  /** Gives `grid`, which has none, the trees, which know their indices
   * (vtkHyperTree::SetTreeIndex). */
  void PutInto(vtkHyperTreeGrid *grid);

private:
  TreeMap Map;
  std::vector<vtkSmartPointer<vtkHyperTree> *> Places;
};

} // namespace tessera

#endif
