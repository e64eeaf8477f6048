// SPDX-License-Identifier: BSD-3-Clause
#include "grid/TesseraGridPieces.h"

#include "grid/TesseraGridCheck.h"
#include "grid/TesseraGridExchange.h"

#include <vtkDataArray.h>
#include <vtkDataObjectTypes.h>
#include <vtkDataSet.h>
#include <vtkRectilinearGrid.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace tessera {

namespace {

const Extent EMPTY = {{0, -1, 0, -1, 0, -1}};

/** Roots along an axis. */
int64_t Roots(const Extent &extent, int axis, int64_t root) {
  return (int64_t{extent.At[2 * axis + 1]} - extent.At[2 * axis] + root - 1) / root;
}

/** What each process tells of its part. */
struct Told {
  std::vector<Extent> Have;
  Extent Whole, Announced;
  int Teller; /**< the lowest process that holds anything, else -1 */
  vtkIdType Type;
};

Extent ExtentFrom(const vtkIdType *sides) {
  Extent extent;
  std::transform(sides, sides + 6, extent.At,
                 [](vtkIdType side) { return static_cast<int>(side); });
  return extent;
}

/** Collective. On process 0 a sentence where the parts are not of one kind. */
Told GatherTold(vtkDataSet *data, const Extent &held, const Extent &announced,
                const Processes &processes, tsr_error &error) {
  std::vector<vtkIdType> mine(held.At, held.At + 6);
  mine.insert(mine.end(), announced.At, announced.At + 6);
  mine.push_back(data->GetDataObjectType());
  const std::vector<vtkIdType> all = processes.Gather(mine);
  Told told = {{}, EMPTY, EMPTY, -1, 0};
  for (size_t at = 0; at < all.size(); at += mine.size()) {
    const Extent part = ExtentFrom(&all[at]);
    told.Have.push_back(part);
    told.Announced = Around(told.Announced, ExtentFrom(&all[at + 6]));
    told.Whole = Around(told.Whole, part);
    if (part.IsEmpty()) {
      continue;
    }
    if (told.Teller < 0) {
      told.Teller = static_cast<int>(at / mine.size());
      told.Type = all[at + 12];
    } else if (told.Type != all[at + 12] && processes.Rank() == 0) {
      Fail(error, "the processes hold grids of different kinds");
    }
  }
  return told;
}

/** Puts together the coordinates that the processes have of a rectilinear grid. */
void ShareAxes(const Extent &held, const Processes &processes, GridPiece &piece, tsr_error &error) {
  for (int axis = 0; axis < 3 && vtkRectilinearGrid::SafeDownCast(piece.Data); ++axis) {
    const int64_t first = piece.Whole.At[2 * axis], last = piece.Whole.At[2 * axis + 1];
    const std::vector<double> mine = held.IsEmpty() ? std::vector<double>() : piece.Axes[axis];
    std::vector<double> all(static_cast<size_t>(last - first + 1),
                            -std::numeric_limits<double>::infinity());
    const auto place = all.begin() + (held.At[2 * axis] - first);
    std::copy(mine.begin(), mine.end(), mine.empty() ? all.begin() : place);
    processes.Max(all.data(), static_cast<int>(all.size()));
    if (!mine.empty()) {
      CheckAxis(mine, std::vector<double>(place, place + static_cast<int64_t>(mine.size())), axis,
                held.At[2 * axis], error);
    }
    piece.Axes[axis] = all;
  }
}

bool Holds(const Extent &box, const Extent &part) {
  bool holds = !box.IsEmpty();
  for (int axis = 0; axis < 3; ++axis) {
    holds = holds && box.At[2 * axis] <= part.At[2 * axis] &&
            part.At[2 * axis + 1] <= box.At[2 * axis + 1];
  }
  return holds;
}

} // namespace

Extent OwnedExtent(const Extent &whole, int coarsen, int rank, int ranks) {
  if (whole.IsEmpty()) {
    return EMPTY;
  }
  const int64_t root = int64_t{1} << coarsen;
  Extent mine = whole;
  int first = 0, count = ranks;
  while (count > 1) {
    int axis = 0;
    for (int other = 1; other < 3; ++other) {
      axis = Roots(mine, other, root) > Roots(mine, axis, root) ? other : axis;
    }
    const int64_t roots = Roots(mine, axis, root);
    const int half = count / 2;
    if (roots < 2) { // nothing to share: the first process has it
      return rank == first ? mine : EMPTY;
    }
    const int64_t low = std::min(std::max<int64_t>(roots * half / count, 1), roots - 1);
    const int middle = mine.At[2 * axis] + static_cast<int>(low * root);
    const bool lower = rank < first + half;
    mine.At[2 * axis + (lower ? 1 : 0)] = middle;
    first += lower ? 0 : half;
    count = lower ? half : count - half;
  }
  return mine;
}

Extent Grown(const Extent &extent, int margin, const Extent &whole) {
  if (extent.IsEmpty()) {
    return extent;
  }
  Extent grown;
  for (int axis = 0; axis < 3; ++axis) {
    const int *all = whole.At + 2 * axis, *one = extent.At + 2 * axis;
    grown.At[2 * axis] = one[0] - all[0] < margin ? all[0] : one[0] - margin;
    grown.At[2 * axis + 1] = all[1] - one[1] < margin ? all[1] : one[1] + margin;
  }
  return grown;
}

Extent Around(const Extent &a, const Extent &b) {
  if (a.IsEmpty() || b.IsEmpty()) {
    return a.IsEmpty() ? b : a;
  }
  Extent both;
  for (int axis = 0; axis < 3; ++axis) {
    both.At[2 * axis] = std::min(a.At[2 * axis], b.At[2 * axis]);
    both.At[2 * axis + 1] = std::max(a.At[2 * axis + 1], b.At[2 * axis + 1]);
  }
  return both;
}

GridPiece WholePiece(vtkDataSet *data) {
  GridPiece piece = {data, EMPTY, EMPTY, false, {}};
  GetExtent(data, piece.Whole);
  piece.Owned = piece.Whole;
  for (int axis = 0; axis < 3; ++axis) {
    vtkDataArray *values = AxisOf(data, axis);
    for (vtkIdType i = 0; values && i < values->GetNumberOfTuples(); ++i) {
      piece.Axes[axis].push_back(values->GetComponent(i, 0));
    }
  }
  return piece;
}

bool GatherPieces(vtkDataSet *data, const Extent &announced, int coarsen, int margin,
                  const std::vector<int> &sharers, const Processes &processes, GridPiece &piece,
                  std::set<std::string> &messages, tsr_error &error) {
  piece = WholePiece(data);
  const Extent held = piece.Whole;
  CheckDataset(data, error);
  const Told told = GatherTold(data, held, announced, processes, error);
  piece.Whole = told.Whole;
  const bool shared = processes.Count() > 1 && told.Teller >= 0;
  if (shared && processes.Rank() == 0) {
    CheckAnnounced(told.Announced, told.Whole, error);
  }
  if (!processes.AllFine(error)) {
    return false;
  }
  piece.Shared = processes.Count() > 1;
  if (!shared) {
    return true;
  }
  if (held.IsEmpty() && data->GetDataObjectType() != told.Type) {
    piece.Data.TakeReference(
        vtkDataSet::SafeDownCast(vtkDataObjectTypes::NewDataObject(static_cast<int>(told.Type))));
  }
  ShareAxes(held, processes, piece, error);
  CheckPlace(piece.Data, told.Teller, processes, error);
  if (!processes.AllFine(error)) {
    return false;
  }
  std::vector<Extent> need;
  bool inPlace = true;
  for (int rank = 0; rank < processes.Count(); ++rank) {
    const auto place = std::find(sharers.begin(), sharers.end(), rank);
    const Extent owned =
        place == sharers.end()
            ? EMPTY
            : OwnedExtent(piece.Whole, coarsen, static_cast<int>(place - sharers.begin()),
                          static_cast<int>(sharers.size()));
    need.push_back(Grown(owned, margin, piece.Whole));
    // Where a process owns nothing it still has to know the arrays.
    inPlace =
        inPlace && !owned.IsEmpty() && Holds(told.Have[static_cast<size_t>(rank)], need.back());
    piece.Owned = rank == processes.Rank() ? owned : piece.Owned;
  }
  if (inPlace) {
    return true;
  }
  GridExchange exchange(piece, told.Have, need, processes, messages);
  piece.Data = exchange.Run(error);
  return piece.Data != nullptr;
}

void MaximumByName(const Processes &processes,
                   std::map<std::string, std::pair<double, double>> &values) {
  if (processes.Count() == 1) {
    return;
  }
  std::string mine;
  for (const auto &one : values) {
    mine.append(one.first.c_str(), one.first.size() + 1);
    mine.append(reinterpret_cast<const char *>(&one.second.first), sizeof(double));
    mine.append(reinterpret_cast<const char *>(&one.second.second), sizeof(double));
  }
  std::vector<vtkIdType> sizes;
  const std::string all = processes.Concatenate(mine, sizes);
  for (size_t at = 0; at < all.size();) {
    const std::string name(&all[at]);
    at += name.size() + 1;
    double pair[2];
    std::memcpy(pair, &all[at], sizeof(pair));
    at += sizeof(pair);
    auto place = values.insert({name, {pair[0], pair[1]}}).first;
    place->second.first = std::max(place->second.first, pair[0]);
    place->second.second = std::max(place->second.second, pair[1]);
  }
}

} // namespace tessera
