// SPDX-License-Identifier: BSD-3-Clause
#include "grid/octree/TesseraGridBoxLattice.h"

#include "grid/TesseraGridPieces.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tessera {

std::string ShortText(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

void AddExtremes(const Extremes &other, Extremes &sum) {
  if (other.Dimension == 0 || other.Dimension < sum.Dimension) {
    return; // a cell of fewer dimensions than others is found, and told, later
  }
  if (other.Dimension > sum.Dimension) {
    sum = other;
    return;
  }
  if (*std::max_element(other.Largest, other.Largest + 3) >
      *std::max_element(sum.Largest, sum.Largest + 3)) {
    std::copy_n(other.At, 3, sum.At);
  }
  for (int axis = 0; axis < 3; ++axis) {
    sum.Low[axis] = std::min(sum.Low[axis], other.Low[axis]);
    sum.High[axis] = std::max(sum.High[axis], other.High[axis]);
    sum.Largest[axis] = std::max(sum.Largest[axis], other.Largest[axis]);
    sum.Least[axis] = std::min(sum.Least[axis], other.Least[axis]);
  }
  sum.Wide = std::max(sum.Wide, other.Wide);
}

bool BoxLattice::FindAxes(const Extremes &sum, tsr_error &error) {
  double largest = 0.0;
  int flat = 0;
  for (int axis = 0; axis < 3; ++axis) {
    largest = std::max(largest, std::max(std::fabs(sum.Low[axis]), std::fabs(sum.High[axis])));
  }
  this->Tolerance = OCTREE_TOLERANCE * largest;
  for (int axis = 0; axis < 3; ++axis) {
    const bool isFlat = sum.High[axis] - sum.Low[axis] <= this->Tolerance;
    flat += isFlat;
    this->Lattice.Origin[axis] = sum.Low[axis];
    this->Lattice.Cells[axis] = isFlat ? 0 : 1;
  }
  if (3 - flat != this->Dimension) {
    return Fail(error, this->Dimension == 2 ? "flat cells must lie in one plane across an axis"
                                            : "the cells have no volume");
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (this->Lattice.Cells[axis] > 0 && !(sum.Least[axis] > 4.0 * this->Tolerance)) {
      return Fail(error, "the smallest cell is " + ShortText(sum.Least[axis]) + " wide along " +
                             "xyz"[axis] + ", too little for coordinates up to " +
                             ShortText(largest) + " to tell where it begins and ends");
    }
  }
  return true;
}

bool BoxLattice::FindFinest(const Extremes &sum, tsr_error &error) {
  for (int axis = 0; axis < 3; ++axis) {
    if (this->Lattice.Cells[axis] > 0) {
      const double halvings = std::round(std::log2(sum.Largest[axis] / sum.Least[axis]));
      this->Finest = std::max(this->Finest, static_cast<int>(halvings));
    }
  }
  return this->Finest <= OCTREE_MOST_BITS ||
         Fail(error, "the largest cell is 2^" + std::to_string(this->Finest) +
                         " times as wide as the smallest; the limit is 2^" +
                         std::to_string(OCTREE_MOST_BITS));
}

bool BoxLattice::FindCells(const Extremes &sum, int axis, tsr_error &error) {
  const int64_t whole = int64_t{1} << this->Finest;
  const double range = sum.High[axis] - sum.Low[axis];
  const double ofCell = std::ldexp(sum.Largest[axis], -this->Finest);
  const double cells = std::round(range / ofCell);
  if (!(cells < std::ldexp(1.0, OCTREE_MOST_BITS))) {
    return Fail(error, "there are more than 2^" + std::to_string(OCTREE_MOST_BITS) +
                           " cells of the finest level along " + "xyz"[axis]);
  }
  // One cell is known to a few roundings only, and the whole domain, if it fits, better.
  const double ofDomain = range / cells;
  const bool fits = std::fabs(std::ldexp(ofDomain - ofCell, this->Finest)) <= 2.0 * this->Tolerance;
  const double side = fits ? ofDomain : ofCell;
  const int64_t at = std::llround((sum.At[axis] - sum.Low[axis]) / side);
  this->Shift[axis] = (whole - at % whole) % whole;
  this->Lattice.Spacing[axis] = std::ldexp(side, this->Finest);
  this->Lattice.Origin[axis] = sum.Low[axis] - static_cast<double>(this->Shift[axis]) * side;
  this->Lattice.Cells[axis] =
      static_cast<int32_t>((static_cast<int64_t>(cells) + this->Shift[axis] + whole - 1) / whole);
  return true;
}

void BoxLattice::Find(const std::vector<Extremes> &all, tsr_error &error) {
  Extremes sum = {};
  for (const Extremes &one : all) {
    AddExtremes(one, sum);
  }
  this->Dimension = static_cast<int>(sum.Dimension);
  this->Lattice.Single = sum.Wide == 0;
  std::copy_n(sum.Low, 3, this->Low);
  bool good = this->FindAxes(sum, error) && this->FindFinest(sum, error);
  for (int axis = 0; axis < 3 && good; ++axis) {
    good = this->Lattice.Cells[axis] == 0 || this->FindCells(sum, axis, error);
  }
}

} // namespace tessera
