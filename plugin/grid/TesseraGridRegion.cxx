// SPDX-License-Identifier: BSD-3-Clause
// The region of interest: a box in space becomes one in index space, that of the cells it touches.
#include "grid/TesseraGridLeaf.h"

#include <vtkDataSet.h>

#include <algorithm>
#include <limits>

namespace tessera {

namespace {

const double NOTHING = -std::numeric_limits<double>::infinity();

/** Does [low, high] reach into [a, b]? A plane and a flat cell do where they touch. */
bool Reaches(double low, double high, double a, double b) {
  return low < high && a < b ? a < high && b > low : low <= high && a <= high && b >= low;
}

/** Widens {-least, largest} to hold a value. */
void Widen(double range[2], double value) {
  range[0] = std::max(range[0], -value);
  range[1] = std::max(range[1], value);
}

/** What of the extent lies in [low, high] along an axis of straight coordinates, parts of cells
 *  as fractions. */
void AlongAxis(const GridLeaf &leaf, int axis, double low, double high, double range[2]) {
  const int64_t first = leaf.View().extent[2 * axis], last = leaf.View().extent[2 * axis + 1];
  for (int64_t index = first; index < std::max(last, first + 1); ++index) {
    const double a = leaf.Coordinate(axis, index);
    const double b = index < last ? leaf.Coordinate(axis, index + 1) : a;
    if (!Reaches(low, high, std::min(a, b), std::max(a, b))) {
      continue;
    }
    for (const double x : {std::max(low, std::min(a, b)), std::min(high, std::max(a, b))}) {
      Widen(range, static_cast<double>(index) + (a != b ? (x - a) / (b - a) : 0.0));
    }
    if (a == b && index < last) { // a flat cell
      Widen(range, static_cast<double>(index + 1));
    }
  }
}

/** Lowest and highest place of the corners of an input cell. */
void CellBounds(vtkDataSet *data, const int64_t extent[6], const int64_t cell[3], double low[3],
                double high[3]) {
  const int64_t nx = extent[1] - extent[0] + 1, ny = extent[3] - extent[2] + 1;
  std::fill_n(low, 3, -NOTHING);
  std::fill_n(high, 3, NOTHING);
  for (int corner = 0; corner < 8; ++corner) {
    int64_t at[3];
    double x[3];
    for (int axis = 0; axis < 3; ++axis) {
      const int64_t next = cell[axis] + ((corner >> axis) & 1);
      at[axis] = std::min(next, extent[2 * axis + 1]) - extent[2 * axis];
    }
    data->GetPoint(static_cast<vtkIdType>((at[2] * ny + at[1]) * nx + at[0]), x);
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], x[axis]);
      high[axis] = std::max(high[axis], x[axis]);
    }
  }
}

/** The cells of any other grid whose boxes in space the region reaches into. */
void AroundCells(vtkDataSet *data, const int64_t extent[6], const double region[6],
                 double corners[6]) {
  int64_t end[3], cell[3];
  for (int axis = 0; axis < 3; ++axis) {
    end[axis] = std::max(extent[2 * axis + 1], extent[2 * axis] + 1);
  }
  for (cell[2] = extent[4]; cell[2] < end[2]; ++cell[2]) {
    for (cell[1] = extent[2]; cell[1] < end[1]; ++cell[1]) {
      for (cell[0] = extent[0]; cell[0] < end[0]; ++cell[0]) {
        double low[3], high[3];
        bool inside = true;
        CellBounds(data, extent, cell, low, high);
        for (int axis = 0; axis < 3; ++axis) {
          inside = inside && Reaches(region[2 * axis], region[2 * axis + 1], low[axis], high[axis]);
        }
        for (int axis = 0; inside && axis < 3; ++axis) {
          Widen(corners + 2 * axis, static_cast<double>(cell[axis]));
          Widen(corners + 2 * axis,
                static_cast<double>(std::min(cell[axis] + 1, extent[2 * axis + 1])));
        }
      }
    }
  }
}

} // namespace

void GridLeaf::RegionIndices(double corners[6]) const {
  const int64_t *extent = this->CoreView.extent;
  bool some = true;
  std::fill_n(corners, 6, NOTHING);
  for (int axis = 0; axis < 3; ++axis) {
    some = some && extent[2 * axis] <= extent[2 * axis + 1];
  }
  if (some && !this->IsAxisAligned()) {
    AroundCells(this->Data, extent, this->Set.Region, corners);
  }
  for (int axis = 0; axis < 3 && some && this->IsAxisAligned(); ++axis) {
    AlongAxis(*this, axis, this->Set.Region[2 * axis], this->Set.Region[2 * axis + 1],
              corners + 2 * axis);
  }
  for (int axis = 0; axis < 3; ++axis) { // beside the region along one axis is outside of it
    some = some && corners[2 * axis + 1] > NOTHING;
  }
  if (!some) {
    std::fill_n(corners, 6, NOTHING);
  }
}

void GridLeaf::SetRegion(const double corners[6]) {
  this->CoreOptions.use_region = 1;
  for (int axis = 0; axis < 3; ++axis) {
    this->CoreOptions.region[2 * axis] = -corners[2 * axis];
    this->CoreOptions.region[2 * axis + 1] = corners[2 * axis + 1];
  }
}

} // namespace tessera
