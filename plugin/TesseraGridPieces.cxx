// SPDX-License-Identifier: BSD-3-Clause
#include "TesseraGridPieces.h"

#include "TesseraGridExchange.h"
#include "TesseraGridGather.h"

#include <vtkDataSet.h>

#include <algorithm>
#include <cstring>

namespace tessera {

namespace {

const Extent EMPTY = {{0, -1, 0, -1, 0, -1}};

/** Roots along an axis. */
int64_t Roots(const Extent &extent, int axis, int64_t root) {
  return (int64_t{extent.At[2 * axis + 1]} - extent.At[2 * axis] + root - 1) / root;
}

/** The smallest box around the extents of all processes. */
Extent Union(const std::vector<vtkIdType> &all) {
  Extent whole = EMPTY;
  for (size_t i = 0; i < all.size(); i += 6) {
    Extent one;
    std::transform(&all[i], &all[i] + 6, one.At,
                   [](vtkIdType side) { return static_cast<int>(side); });
    if (one.IsEmpty()) {
      continue;
    }
    for (int axis = 0; axis < 3; ++axis) {
      const bool first = whole.IsEmpty() && axis == 0;
      if (first) {
        whole = one;
      }
      whole.At[2 * axis] = std::min(whole.At[2 * axis], one.At[2 * axis]);
      whole.At[2 * axis + 1] = std::max(whole.At[2 * axis + 1], one.At[2 * axis + 1]);
    }
  }
  return whole;
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
    grown.At[2 * axis] = std::max(whole.At[2 * axis], extent.At[2 * axis] - margin);
    grown.At[2 * axis + 1] = std::min(whole.At[2 * axis + 1], extent.At[2 * axis + 1] + margin);
  }
  return grown;
}

bool GatherPieces(vtkDataSet *data, int coarsen, int margin, const Processes &processes,
                  GridPiece &piece, std::set<std::string> &messages, tsr_error &error) {
  Extent held = EMPTY;
  GetExtent(data, held);
  const std::vector<vtkIdType> all = processes.Gather(std::vector<vtkIdType>(held.At, held.At + 6));
  piece.Whole = Union(all);
  const int levels = std::min(std::max(coarsen, 0), TSR_GRID_MAX_LEVEL);
  bool inPlace = true;
  std::vector<Extent> have, need;
  for (int rank = 0; rank < processes.Count(); ++rank) {
    Extent one;
    std::transform(&all[6 * static_cast<size_t>(rank)], &all[6 * static_cast<size_t>(rank)] + 6,
                   one.At, [](vtkIdType side) { return static_cast<int>(side); });
    have.push_back(one);
    const Extent owned = OwnedExtent(piece.Whole, levels, rank, processes.Count());
    need.push_back(Grown(owned, margin, piece.Whole));
    // Where a process owns nothing it still has to know the arrays.
    inPlace = inPlace && !owned.IsEmpty() && Holds(one, need.back());
  }
  piece.Owned = OwnedExtent(piece.Whole, levels, processes.Rank(), processes.Count());
  piece.Data = data;
  if (inPlace || piece.Whole.IsEmpty() || processes.Count() == 1) {
    return true;
  }
  GridExchange exchange(data, have, need, processes, messages);
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
  const std::vector<vtkIdType> counts = processes.Gather({static_cast<vtkIdType>(mine.size())});
  const std::vector<int64_t> sizes(counts.begin(), counts.end());
  size_t total = 0;
  for (const int64_t size : sizes) {
    total += static_cast<size_t>(size);
  }
  std::vector<char> all(total);
  GatherBytes(nullptr, mine.data(), static_cast<int64_t>(mine.size()), all.data(), sizes.data());
  for (size_t at = 0; at < total;) {
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
