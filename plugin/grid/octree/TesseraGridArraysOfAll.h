// SPDX-License-Identifier: BSD-3-Clause
/** The arrays of a grid that processes hold parts of, and other values for each of its cells and
 * points, from all processes to each. */
#ifndef TesseraGridArraysOfAll_h
#define TesseraGridArraysOfAll_h

#include "grid/octree/TesseraGridOctree.h"

#include <string>
#include <vector>

namespace tessera {

/** Gathers counts[rank] tuples of `tuple` bytes from each process. On failure sets the context's
 * error. Collective. */
void GatherBytes(const void *mine, const std::vector<vtkIdType> &counts, size_t tuple, void *all,
                 OctreeContext &context);

/** Values of all processes, in the order of the ranks. */
template <class T> struct Gathered {
  Values<T> All;
  int64_t Count = 0, Before = 0; /**< number of all, and of those of lower ranks */
};

/** Gathers n values from this process. On failure sets the context's error. Collective. */
template <class T> Gathered<T> GatherValues(const T *mine, int64_t n, OctreeContext &context) {
  Gathered<T> all;
  const std::vector<vtkIdType> counts = context.Group.Gather({static_cast<vtkIdType>(n)});
  for (int rank = 0; rank < context.Group.Count(); ++rank) {
    all.Count += counts[static_cast<size_t>(rank)];
    all.Before += rank < context.Group.Rank() ? counts[static_cast<size_t>(rank)] : 0;
  }
  Guard(context.Error, [&all] { all.All.Allocate(all.Count); });
  if (context.Group.AllFine(context.Error)) {
    GatherBytes(mine, counts, sizeof(T), all.All.Get(), context);
  }
  return all;
}

/** All calls are collective. What is gathered has the tuples of one process after those of another,
 * in the order of the ranks. */
class ArraysOfAll {
public:
  /** mine: the arrays of this process. */
  ArraysOfAll(vtkDataSet *mine, OctreeContext &context) : Mine(mine), Context(context) {}

  /** Finds the arrays that all processes with cells have, and warns about others. holds: does this
   * process have cells? */
  void FindArrays(bool holds);

  bool HavePointArrays() const;

  /** Tells all processes how many points and cells this one has. */
  void Count(vtkIdType points, vtkIdType cells);

  /** How many points or cells all processes have, and how many those of lower ranks. */
  int64_t All(bool cells) const { return this->Sum(cells, this->Context.Group.Count()); }
  int64_t Before(bool cells) const { return this->Sum(cells, this->Context.Group.Rank()); }

  /** Gathers the arrays. On failure sets the context's error. */
  vtkSmartPointer<vtkDataSet> GatherArrays();

private:
  /** An array that all processes with cells have. */
  struct Column {
    std::string Name;
    bool Cells;
    int Type, Components, Roles;
  };

  int64_t Sum(bool cells, int ranks) const;
  void AddArrays(bool cells, std::vector<tsr_column> &mine, std::vector<std::string> &names);
  void GatherColumn(const Column &column, vtkDataSet *all);

  vtkDataSet *Mine;
  OctreeContext &Context;
  bool Holds = false;
  std::vector<Column> Columns;
  std::vector<vtkIdType> Cells, Points; /**< of each process */
};

} // namespace tessera

#endif
