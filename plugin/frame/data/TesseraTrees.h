// SPDX-License-Identifier: BSD-3-Clause
/** Handling all trees of a hyper tree grid at once, which is faster than one by one. */
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

class ThreadRunner;

using TreeMap = std::map<vtkIdType, vtkSmartPointer<vtkHyperTree>>;

/** Moves all trees of `from` to `to`, which must have none. */
void MoveTrees(vtkHyperTreeGrid *from, vtkHyperTreeGrid *to);

/** Takes the trees out of the old output before VTK clears it, so that the new output can reuse
 * them: freeing them one by one takes longer than making new ones. */
class OldTrees {
public:
  /** output: a hyper tree grid or a composite with some. From anything else, and from NULL, nothing
   * is taken. A grid's only tree stays where it is. */
  explicit OldTrees(vtkDataObject *output);

  /** Returns the trees of the next grid, in the order of the output; none if there is no further
   * grid. */
  TreeMap Next();

  /** Frees the trees that were not reused, on all threads. Without this call the destructor frees
   * them on one thread. */
  void Free(ThreadRunner &runner);

private:
  std::deque<TreeMap> Maps;
};

/** The entries of a grid's map of trees: all are made first, one after another, so that many
 * threads can then set them at once. */
class TreePlaces {
public:
  /** indices: those of the trees in the grid; fast if they are in ascending order. */
  TreePlaces(const std::vector<vtkIdType> &indices, ThreadRunner &runner);

  /** The tree of indices[t], to be set. At first it is the old output's tree, if that had trees at
   * the same indices, otherwise NULL. */
  vtkSmartPointer<vtkHyperTree> &operator[](size_t t) { return *this->Places[t]; }

  /** Puts the trees into `grid`, which must have none. The trees must know their indices
   * (vtkHyperTree::SetTreeIndex). */
  void PutInto(vtkHyperTreeGrid *grid);

private:
  TreeMap Map;
  std::vector<vtkSmartPointer<vtkHyperTree> *> Places;
};

} // namespace tessera

#endif
