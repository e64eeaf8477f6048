// SPDX-License-Identifier: BSD-3-Clause
/** The trees of a hyper tree grid, as many as there are at once. */
#ifndef TesseraTrees_h
#define TesseraTrees_h

#include <vtkSmartPointer.h>
#include <vtkType.h>

#include <utility>
#include <vector>

class vtkHyperTree;
class vtkHyperTreeGrid;

namespace tessera {

/** A tree and its index in the grid, which it knows already (vtkHyperTree::SetTreeIndex). */
using PlacedTree = std::pair<vtkIdType, vtkSmartPointer<vtkHyperTree>>;

/** Puts trees into a grid, as vtkHyperTreeGrid::SetTree does for one; quickly where the indices
 *  rise and lie behind those that are there. Leaves `trees` empty. */
void PutTrees(std::vector<PlacedTree> &trees, vtkHyperTreeGrid *grid);

/** Gives `to`, which has none, all trees of `from`, which has none then. */
void MoveTrees(vtkHyperTreeGrid *from, vtkHyperTreeGrid *to);

} // namespace tessera

#endif
