// SPDX-License-Identifier: BSD-3-Clause
/** The lattice in which the boxes of unstructured grids lie. */
#ifndef TesseraGridBoxLattice_h
#define TesseraGridBoxLattice_h

#include "grid/octree/TesseraGridOctree.h"

#include <string>
#include <vector>

namespace tessera {

/** What is known about the cells of some process before they have levels. Plain bytes. */
struct Extremes {
  double Low[3], High[3];      /**< of all points of cells */
  double Largest[3], Least[3]; /**< sides of cells that are not flat */
  double At[3];                /**< lowest corner of a cell with the largest side */
  int64_t Dimension;           /**< of the cells; 0: none */
  int64_t Wide;                /**< 1: coordinates are of double precision */
};

/** Adds the extremes of cells to those of others. A cell of fewer dimensions than others is left
 * out.
 */
void AddExtremes(const Extremes &other, Extremes &sum);

/** A number with few digits. */
std::string ShortText(double value);

/** The lattice of the boxes of all processes. */
struct BoxLattice {
  /** all: of each process. Fails with a sentence if the boxes cannot form an octree. */
  void Find(const std::vector<Extremes> &all, tsr_error &error);

  OctreeLattice Lattice;
  int Dimension = 0;
  double Tolerance = 0.0;       /**< of coordinates */
  double Low[3] = {0, 0, 0};    /**< lowest corner of all cells */
  int Finest = 0;               /**< the largest level */
  int64_t Shift[3] = {0, 0, 0}; /**< from the domain's corner to `Low`, in cells of that level */

private:
  bool FindAxes(const Extremes &sum, tsr_error &error);
  bool FindFinest(const Extremes &sum, tsr_error &error);
  bool FindCells(const Extremes &sum, int axis, tsr_error &error);
};

} // namespace tessera

#endif
