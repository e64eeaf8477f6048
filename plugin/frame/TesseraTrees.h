// SPDX-License-Identifier: BSD-3-Clause
/** The trees of a hyper tree grid, as many as there are at once. */
#ifndef TesseraTrees_h
#define TesseraTrees_h

#include <vtkSmartPointer.h>
#include <vtkType.h>

#include <map>
#include <utility>
#include <vector>

class vtkDataObject;
class vtkHyperTree;
class vtkHyperTreeGrid;

namespace tessera {

class Execution;

/** A tree and its index in the grid, which it knows already (vtkHyperTree::SetTreeIndex). */
using PlacedTree = std::pair<vtkIdType, vtkSmartPointer<vtkHyperTree>>;

/** Puts trees into a grid, as vtkHyperTreeGrid::SetTree does for one; quickly where the indices
 *  rise and lie behind those that are there. Leaves `trees` empty. */
void PutTrees(std::vector<PlacedTree> &trees, vtkHyperTreeGrid *grid);

/** Gives `to`, which has none, all trees of `from`, which has none then. */
void MoveTrees(vtkHyperTreeGrid *from, vtkHyperTreeGrid *to);

/** Takes the trees out of an output before VTK clears it for the next: freeing them one after
 * another takes longer than making new ones. */
class OldTrees {
public:
  /** output: a hyper tree grid, or a composite of some; anything else, NULL too, has none. */
  explicit OldTrees(vtkDataObject *output);

  /** Frees them on all threads; without it, that happens at the end, on one. */
  void Free(Execution &execution);

private:
  std::vector<std::map<vtkIdType, vtkSmartPointer<vtkHyperTree>>> Maps;
};

} // namespace tessera

#endif
