// SPDX-License-Identifier: BSD-3-Clause
#include "grid/TesseraGridCheck.h"

#include <vtkDataArray.h>
#include <vtkImageData.h>
#include <vtkMatrix3x3.h>
#include <vtkRectilinearGrid.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace tessera {

namespace {

const char NAMES[] = "xyz";

/** Of a cell: what rounding may move a point by, when each process works out where it lies. */
const double TOLERANCE = 1e-6;

/** Where an image lies. */
struct Place {
  double Origin[3], Spacing[3], Direction[9];

  std::string Text() const {
    std::ostringstream text;
    text.precision(12);
    text << "the origin " << this->Origin[0] << " " << this->Origin[1] << " " << this->Origin[2]
         << " and the spacing " << this->Spacing[0] << " " << this->Spacing[1] << " "
         << this->Spacing[2];
    return text.str();
  }
};

Place PlaceOf(vtkImageData *image) {
  Place place;
  image->GetOrigin(place.Origin);
  image->GetSpacing(place.Spacing);
  std::copy_n(image->GetDirectionMatrix()->GetData(), 9, place.Direction);
  return place;
}

/** Equal, both not a number, or closer than the tolerance. */
bool IsClose(double a, double b, double tolerance) {
  return a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= tolerance;
}

bool AreClose(const Place &a, const Place &b, const Extent &held) {
  bool close = true;
  for (int axis = 0; axis < 3; ++axis) {
    const double tolerance = TOLERANCE * std::abs(b.Spacing[axis]);
    const double farthest = std::max({1.0, std::abs(static_cast<double>(held.At[2 * axis])),
                                      std::abs(static_cast<double>(held.At[2 * axis + 1]))});
    close = close && IsClose(a.Origin[axis], b.Origin[axis], tolerance) &&
            IsClose(a.Spacing[axis], b.Spacing[axis], tolerance / farthest);
  }
  return close && std::equal(a.Direction, a.Direction + 9, b.Direction,
                             [](double x, double y) { return IsClose(x, y, 1e-9); });
}

} // namespace

bool CheckDataset(vtkDataSet *data, tsr_error &error) {
  Extent extent;
  GetExtent(data, extent);
  int64_t counts[3];
  bool all = true, inverted = false;
  double points = 1.0;
  for (int axis = 0; axis < 3; ++axis) {
    counts[axis] = int64_t{extent.At[2 * axis + 1]} - extent.At[2 * axis] + 1;
    all = all && counts[axis] < 1;
    inverted = inverted || counts[axis] < 0;
    points *= static_cast<double>(counts[axis]);
  }
  for (int axis = 0; axis < 3 && inverted && !all; ++axis) {
    if (counts[axis] < 0) {
      return Fail(error, std::string("the extent along ") + NAMES[axis] + " runs backwards, from " +
                             std::to_string(extent.At[2 * axis]) + " to " +
                             std::to_string(extent.At[2 * axis + 1]));
    }
  }
  if (extent.IsEmpty()) {
    return true;
  }
  if (points > 9e18) {
    return Fail(error, "the extent has more points than 64 bits can count");
  }
  for (int axis = 0; axis < 3 && vtkRectilinearGrid::SafeDownCast(data); ++axis) {
    vtkDataArray *values = AxisOf(data, axis);
    const vtkIdType held = values ? values->GetNumberOfTuples() : 0;
    if (held != counts[axis]) {
      return Fail(error, "there are " + std::to_string(held) + " coordinates along " + NAMES[axis] +
                             " for " + std::to_string(counts[axis]) + " points");
    }
  }
  return true;
}

bool CheckAnnounced(const Extent &announced, const Extent &held, tsr_error &error) {
  for (int axis = 0; axis < 3 && !announced.IsEmpty(); ++axis) {
    const bool below = announced.At[2 * axis] < held.At[2 * axis];
    if (below || announced.At[2 * axis + 1] > held.At[2 * axis + 1]) {
      int missing[] = {announced.At[0], announced.At[2], announced.At[4]};
      missing[axis] = below ? missing[axis] : held.At[2 * axis + 1] + 1;
      return Fail(error, "no process holds the input point " + std::to_string(missing[0]) + " " +
                             std::to_string(missing[1]) + " " + std::to_string(missing[2]) +
                             ", which the source announces");
    }
  }
  return true;
}

bool CheckPlace(vtkDataSet *data, int teller, const Processes &processes, tsr_error &error) {
  auto *image = vtkImageData::SafeDownCast(data);
  if (!image) {
    return true;
  }
  const Place mine = PlaceOf(image);
  Place told = mine;
  processes.Broadcast(&told, sizeof(told), teller);
  Extent held;
  GetExtent(image, held);
  if (held.IsEmpty() || AreClose(mine, told, held)) {
    return true;
  }
  return Fail(error, "the part of the image has " + mine.Text() + ", but on process " +
                         std::to_string(teller) + " " + told.Text() +
                         ", or another direction: parts of one image have to agree");
}

bool CheckAxis(const std::vector<double> &mine, const std::vector<double> &agreed, int axis,
               int64_t first, tsr_error &error) {
  for (size_t i = 0; i < mine.size(); ++i) {
    const size_t other = i > 0 ? i - 1 : std::min<size_t>(1, mine.size() - 1);
    if (!IsClose(mine[i], agreed[i], TOLERANCE * std::abs(mine[i] - mine[other]))) {
      std::ostringstream text;
      text.precision(12);
      text << "the coordinate along " << NAMES[axis] << " of index "
           << first + static_cast<int64_t>(i) << " is " << mine[i] << ", but " << agreed[i]
           << " on another process: parts of one grid have to agree";
      return Fail(error, text.str());
    }
  }
  return true;
}

} // namespace tessera
