// SPDX-License-Identifier: BSD-3-Clause
#include "grid/octree/TesseraGridCover.h"

#include "grid/octree/TesseraGridOctree.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

namespace tessera {

namespace {

/** Most parts of the domain along an axis. */
const int MOST_BINS = 32;

/** A copy of `box` with the cells [low, high). */
CoverBox Between(const CoverBox &box, const int64_t low[3], const int64_t high[3]) {
  CoverBox part = box;
  std::copy_n(low, 3, part.Low);
  std::copy_n(high, 3, part.High);
  return part;
}

/** The own cells of a block, of which boxes are taken away. */
class OwnCells {
public:
  OwnCells(const CoverBox &whole, const unsigned char *flags) : Whole(whole) {
    int64_t cells = 1;
    for (int axis = 0; axis < 3; ++axis) {
      this->Size[axis] = whole.High[axis] - whole.Low[axis];
      cells *= this->Size[axis];
    }
    this->Left.resize(static_cast<size_t>(cells));
    std::transform(flags, flags + cells, this->Left.begin(),
                   [](unsigned char flag) -> std::uint8_t { return IsCopy(flag) ? 0 : 1; });
  }

  /** The largest box that begins at the cell, grown along x, then y, then z. The cells are taken
   * away. */
  CoverBox Take(const int64_t at[3]) {
    int64_t end[3] = {at[0] + 1, at[1] + 1, at[2] + 1};
    for (int axis = 0; axis < 3; ++axis) {
      int64_t low[3], high[3];
      do {
        std::copy_n(at, 3, low);
        std::copy_n(end, 3, high);
        low[axis] = end[axis];
        high[axis] = ++end[axis];
      } while (high[axis] <= this->Size[axis] && this->HasAll(low, high));
      --end[axis];
    }
    int64_t low[3], high[3];
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = this->Whole.Low[axis] + at[axis];
      high[axis] = this->Whole.Low[axis] + end[axis];
    }
    this->ForAll(at, end, [](std::uint8_t &left) {
      left = 0;
      return true;
    });
    return Between(this->Whole, low, high);
  }

  bool Has(const int64_t at[3]) { return this->HasAll(at, nullptr); }

  int64_t Size[3];

private:
  template <class Visit>
  bool ForAll(const int64_t low[3], const int64_t high[3], const Visit &visit) {
    for (int64_t k = low[2]; k < high[2]; ++k) {
      for (int64_t j = low[1]; j < high[1]; ++j) {
        for (int64_t i = low[0]; i < high[0]; ++i) {
          if (!visit(
                  this->Left[static_cast<size_t>(i + this->Size[0] * (j + this->Size[1] * k))])) {
            return false;
          }
        }
      }
    }
    return true;
  }

  bool HasAll(const int64_t low[3], const int64_t *high) {
    const int64_t next[3] = {low[0] + 1, low[1] + 1, low[2] + 1};
    return this->ForAll(low, high ? high : next, [](std::uint8_t left) { return left != 0; });
  }

  const CoverBox &Whole;
  std::vector<std::uint8_t> Left;
};

} // namespace

std::vector<CoverBox> BoxesOfOwnCells(const CoverBox &whole, const unsigned char *flags) {
  if (!flags) {
    return {whole};
  }
  std::vector<CoverBox> boxes;
  OwnCells cells(whole, flags);
  int64_t at[3];
  for (at[2] = 0; at[2] < cells.Size[2]; ++at[2]) {
    for (at[1] = 0; at[1] < cells.Size[1]; ++at[1]) {
      for (at[0] = 0; at[0] < cells.Size[0]; ++at[0]) {
        if (cells.Has(at)) {
          boxes.push_back(cells.Take(at));
        }
      }
    }
  }
  return boxes;
}

Cover::Cover(std::vector<CoverBox> boxes, const int32_t cells[3])
    : Boxes(std::move(boxes)), Seen(Boxes.size(), 0) {
  const int wanted = static_cast<int>(std::cbrt(static_cast<double>(this->Boxes.size())));
  size_t bins = 1;
  for (int axis = 0; axis < 3; ++axis) {
    this->Cells[axis] = cells[axis];
    this->Bins[axis] = cells[axis] > 0 ? std::min(std::max(wanted, 1), MOST_BINS) : 1;
    bins *= static_cast<size_t>(this->Bins[axis]);
  }
  this->InBin.resize(bins);
  for (size_t box = 0; box < this->Boxes.size(); ++box) {
    this->ForBins(this->Boxes[box], [this, box](size_t bin) { this->InBin[bin].push_back(box); });
  }
}

template <class Visit> void Cover::ForBins(const CoverBox &box, const Visit &visit) const {
  int64_t first[3], last[3];
  for (int axis = 0; axis < 3; ++axis) {
    const int64_t cells = std::max<int64_t>(1, int64_t{this->Cells[axis]} << box.Level);
    first[axis] = box.Low[axis] * this->Bins[axis] / cells;
    last[axis] = (box.High[axis] - 1) * this->Bins[axis] / cells;
  }
  for (int64_t k = first[2]; k <= last[2]; ++k) {
    for (int64_t j = first[1]; j <= last[1]; ++j) {
      for (int64_t i = first[0]; i <= last[0]; ++i) {
        visit(static_cast<size_t>(i + this->Bins[0] * (j + this->Bins[1] * k)));
      }
    }
  }
}

bool Cover::Covers(const CoverBox &over, const CoverBox &under) const {
  bool meets = over.Level > under.Level || (over.Level == under.Level && over.Block < under.Block);
  for (int axis = 0; axis < 3 && meets; ++axis) {
    const int64_t shift = this->Cells[axis] > 0 ? over.Level - under.Level : 0;
    meets =
        over.Low[axis] < under.High[axis] << shift && under.Low[axis] << shift < over.High[axis];
  }
  return meets;
}

void Cover::FlagBy(size_t number, const CoverBox &block, std::vector<std::uint8_t> &flags,
                   std::vector<Part> &parts) const {
  const CoverBox &over = this->Boxes[number];
  int64_t touched[3][2], whole[3][2], size[3]; // the block's cells, first and behind the last
  for (int axis = 0; axis < 3; ++axis) {
    const int64_t shift = this->Cells[axis] > 0 ? over.Level - block.Level : 0;
    const int64_t rest = (int64_t{1} << shift) - 1, low = block.Low[axis];
    size[axis] = block.High[axis] - low;
    touched[axis][0] = std::max<int64_t>(0, (over.Low[axis] >> shift) - low);
    touched[axis][1] = std::min(size[axis], ((over.High[axis] + rest) >> shift) - low);
    whole[axis][0] = ((over.Low[axis] + rest) >> shift) - low;
    whole[axis][1] = (over.High[axis] >> shift) - low;
  }
  const auto within = [&whole](int axis, int64_t at) {
    return whole[axis][0] <= at && at < whole[axis][1];
  };
  for (int64_t k = touched[2][0]; k < touched[2][1]; ++k) {
    for (int64_t j = touched[1][0]; j < touched[1][1]; ++j) {
      const bool row = within(1, j) && within(2, k);
      for (int64_t i = touched[0][0]; i < touched[0][1]; ++i) {
        const int64_t cell = i + size[0] * (j + size[1] * k);
        if (row && within(0, i)) {
          flags[static_cast<size_t>(cell)] = 1;
        } else {
          parts.push_back({cell, number});
        }
      }
    }
  }
}

bool Cover::IsWhole(const CoverBox &block, int64_t cell, const Part *first,
                    const Part *last) const {
  int64_t level = block.Level;
  for (const Part *part = first; part < last; ++part) {
    level = std::max(level, this->Boxes[part->Box].Level);
  }
  const int64_t nx = block.High[0] - block.Low[0], ny = block.High[1] - block.Low[1];
  const int64_t at[3] = {block.Low[0] + cell % nx, block.Low[1] + cell / nx % ny,
                         block.Low[2] + cell / nx / ny};
  std::set<std::tuple<int64_t, int64_t, int64_t>> covered; // cells of the finest of the boxes
  int64_t parts = 1;
  for (int axis = 0; axis < 3; ++axis) {
    parts <<= this->Cells[axis] > 0 ? level - block.Level : 0;
  }
  for (const Part *part = first; part < last; ++part) {
    const CoverBox &box = this->Boxes[part->Box];
    int64_t low[3], high[3];
    for (int axis = 0; axis < 3; ++axis) {
      const bool active = this->Cells[axis] > 0;
      const int64_t down = active ? level - block.Level : 0, up = active ? level - box.Level : 0;
      low[axis] = std::max(at[axis] << down, box.Low[axis] << up);
      high[axis] = std::min((at[axis] + 1) << down, box.High[axis] << up);
    }
    for (int64_t k = low[2]; k < high[2]; ++k) {
      for (int64_t j = low[1]; j < high[1]; ++j) {
        for (int64_t i = low[0]; i < high[0]; ++i) {
          covered.emplace(i, j, k);
        }
      }
    }
  }
  return static_cast<int64_t>(covered.size()) == parts;
}

int64_t Cover::Flag(const CoverBox &block, std::vector<std::uint8_t> &flags) {
  std::vector<Part> parts;
  ++this->Turn;
  this->ForBins(block, [this, &block, &flags, &parts](size_t bin) {
    for (const size_t box : this->InBin[bin]) {
      if (this->Seen[box] != this->Turn && this->Covers(this->Boxes[box], block)) {
        this->FlagBy(box, block, flags, parts);
      }
      this->Seen[box] = this->Turn;
    }
  });
  std::sort(parts.begin(), parts.end(), [](const Part &one, const Part &other) {
    return std::tie(one.Cell, one.Box) < std::tie(other.Cell, other.Box);
  });
  for (size_t begin = 0, end; begin < parts.size(); begin = end) {
    const int64_t cell = parts[begin].Cell;
    for (end = begin; end < parts.size() && parts[end].Cell == cell;) {
      ++end;
    }
    std::uint8_t &flag = flags[static_cast<size_t>(cell)];
    if (flag == 0 && !this->IsWhole(block, cell, &parts[begin], parts.data() + end)) {
      return cell;
    }
    flag = 1;
  }
  return -1;
}

} // namespace tessera
