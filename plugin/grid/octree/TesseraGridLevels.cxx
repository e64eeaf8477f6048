// SPDX-License-Identifier: BSD-3-Clause
#include "grid/octree/TesseraGridLevels.h"

#include "frame/TesseraVersions.h"
#include "grid/TesseraGridPieces.h"

#include <vtkImageData.h>
#include <vtkMatrix3x3.h>
#include <vtkUniformGridAMR.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace tessera {

namespace {

/** A number with few digits. */
std::string ShortText(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string NameOf(const BlockPlace &block) {
  return "block " + std::to_string(block.Number) + " of level " + std::to_string(block.Level);
}

} // namespace

std::vector<Block> BlocksOf(vtkUniformGridAMR *data, tsr_error &error) {
  std::vector<Block> blocks;
  if (!data) {
    return blocks;
  }
  auto it = vtkSmartPointer<vtkCompositeDataIterator>::Take(data->NewIterator());
  auto *at = AMRIterator::SafeDownCast(it);
  for (it->InitTraversal(); at && !it->IsDoneWithTraversal(); it->GoToNextItem()) {
    auto *image = vtkImageData::SafeDownCast(it->GetCurrentDataObject());
    BlockPlace place = {static_cast<int64_t>(at->GetCurrentLevel()),
                        static_cast<int64_t>(at->GetCurrentIndex()),
                        {},
                        {},
                        {}};
    if (!image || !image->GetDirectionMatrix()->IsIdentity()) {
      Fail(error, NameOf(place) + " is no image along the axes");
      return blocks;
    }
    if (image->GetNumberOfPoints() == 0) {
      continue;
    }
    int extent[6];
    image->GetExtent(extent);
    image->GetSpacing(place.Spacing);
    image->GetOrigin(place.Corner);
    for (int axis = 0; axis < 3; ++axis) {
      place.Corner[axis] += extent[2 * axis] * place.Spacing[axis];
      place.Cells[axis] = extent[2 * axis + 1] - extent[2 * axis];
    }
    blocks.push_back({image, place});
  }
  return blocks;
}

BlockLattice::BlockLattice(const std::vector<BlockPlace> &all, tsr_error &error) {
  double largest = 0.0;
  for (const BlockPlace &block : all) {
    for (int axis = 0; axis < 3; ++axis) {
      const double low = block.Corner[axis];
      const double high = low + static_cast<double>(block.Cells[axis]) * block.Spacing[axis];
      this->Active[axis] = this->Active[axis] || block.Cells[axis] > 0;
      if (!(std::isfinite(low) && std::isfinite(high)) ||
          (block.Cells[axis] > 0 && !(block.Spacing[axis] > 0.0))) {
        Fail(error, NameOf(block) + " needs a finite origin, and spacings above 0");
        return;
      }
      largest = std::max(largest, std::max(std::fabs(low), std::fabs(high)));
    }
  }
  this->Tolerance = OCTREE_TOLERANCE * largest;
  if (this->FindLevels(all, error) && std::all_of(all.begin(), all.end(), [&](const auto &block) {
        return this->CheckBlock(block, error);
      })) {
    this->FindDomain(all, error);
  }
}

bool BlockLattice::HasCells(const BlockPlace &block) const {
  bool has = false, flat = false;
  for (int axis = 0; axis < 3; ++axis) {
    has = has || this->Active[axis];
    flat = flat || (this->Active[axis] && block.Cells[axis] == 0);
  }
  return has && !flat;
}

double BlockLattice::SpacingAt(int depth, int axis) const {
  return std::ldexp(this->Lattice.Spacing[axis], -depth);
}

bool BlockLattice::FindLevels(const std::vector<BlockPlace> &all, tsr_error &error) {
  std::vector<const BlockPlace *> first; // of each level
  for (const BlockPlace &block : all) {
    if (this->HasCells(block)) {
      const size_t level = static_cast<size_t>(block.Level);
      first.resize(std::max(first.size(), level + 1), nullptr);
      first[level] = first[level] ? first[level] : &block;
    }
  }
  this->Depths.assign(first.size(), -1);
  const BlockPlace *coarser = nullptr;
  for (const BlockPlace *block : first) {
    if (!block) {
      continue;
    }
    if (!coarser) {
      std::copy_n(block->Spacing, 3, this->Lattice.Spacing);
      this->Depths[static_cast<size_t>(block->Level)] = 0;
    } else if (!this->AddLevel(*block, *coarser, error)) {
      return false;
    }
    coarser = block;
  }
  return true;
}

bool BlockLattice::AddLevel(const BlockPlace &block, const BlockPlace &coarser, tsr_error &error) {
  int halvings = 0;
  double ratio = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    if (!this->Active[axis]) {
      continue;
    }
    const double here = coarser.Spacing[axis] / block.Spacing[axis];
    const double power = std::round(std::log2(here));
    const bool fits = power >= 1.0 && std::fabs(std::ldexp(1.0, static_cast<int>(power)) - here) <=
                                          1e-3 * here; // 3 is far from 2 and 4
    if (!fits || (ratio != 0.0 && power != halvings)) {
      return Fail(
          error,
          "cells of level " + std::to_string(block.Level) + " are " +
              ShortText(fits ? ratio : here) +
              (fits ? " times smaller than those of level " + std::to_string(coarser.Level) +
                          " along one axis and " + ShortText(here) + " times along another"
                    : " times smaller than those of level " + std::to_string(coarser.Level)) +
              ": refinement ratios must be 2, 4 or another power of 2, the same "
              "along all axes");
    }
    halvings = static_cast<int>(power);
    ratio = here;
  }
  const int depth = this->DepthOf(coarser) + halvings;
  this->Depths[static_cast<size_t>(block.Level)] = depth;
  return depth <= OCTREE_MOST_BITS ||
         Fail(error, "level " + std::to_string(block.Level) + " has cells of 2^-" +
                         std::to_string(depth) + " of the coarsest ones; the limit is 2^-" +
                         std::to_string(OCTREE_MOST_BITS));
}

bool BlockLattice::CheckBlock(const BlockPlace &block, tsr_error &error) const {
  const int depth = this->HasCells(block) ? this->DepthOf(block) : 0;
  for (int axis = 0; axis < 3 && this->HasCells(block); ++axis) {
    const double spacing = this->SpacingAt(depth, axis);
    const double off = std::fabs(block.Spacing[axis] - spacing) *
                       static_cast<double>(std::max<int64_t>(1, block.Cells[axis]));
    if (this->Active[axis] && !(off <= std::min(this->Tolerance, 0.25 * spacing))) {
      return Fail(error, NameOf(block) + " has the spacing " + ShortText(block.Spacing[axis]) +
                             " along " + "xyz"[axis] + ", and other levels ask for " +
                             ShortText(spacing));
    }
  }
  return true;
}

bool BlockLattice::FindDomain(const std::vector<BlockPlace> &all, tsr_error &error) {
  double origin[3];
  std::fill_n(origin, 3, std::numeric_limits<double>::infinity());
  for (const BlockPlace &block : all) {
    if (this->HasCells(block)) {
      for (int axis = 0; axis < 3; ++axis) {
        const bool counts = this->DepthOf(block) == 0;
        origin[axis] = counts ? std::min(origin[axis], block.Corner[axis]) : origin[axis];
      }
    }
  }
  std::copy_n(origin, 3, this->Lattice.Origin);
  int64_t low[3] = {0, 0, 0}, high[3] = {0, 0, 0}; // of the domain, in cells of level 0
  for (const BlockPlace &block : all) {
    if (!this->HasCells(block)) {
      continue;
    }
    const int depth = this->DepthOf(block);
    for (int axis = 0; axis < 3; ++axis) {
      const double spacing = this->SpacingAt(depth, axis);
      const double from = block.Corner[axis] - origin[axis];
      if (!this->Active[axis]) {
        if (!(std::fabs(from) <= this->Tolerance)) {
          return Fail(error, NameOf(block) + " lies at " + "xyz"[axis] + " = " +
                                 ShortText(block.Corner[axis]) + ", other blocks at " +
                                 ShortText(origin[axis]) + ": flat blocks must lie in one plane");
        }
        continue;
      }
      const double at = std::round(from / spacing);
      if (!(std::fabs(from - at * spacing) <= std::min(this->Tolerance, 0.25 * spacing))) {
        return Fail(error, NameOf(block) + " begins at " + "xyz"[axis] + " = " +
                               ShortText(block.Corner[axis]) +
                               ", between cells of its level, which the coarser levels place");
      }
      const double most = std::ldexp(1.0, OCTREE_MOST_BITS);
      if (!(std::fabs(at) + static_cast<double>(block.Cells[axis]) < most)) {
        return Fail(error, NameOf(block) + " lies more than 2^" + std::to_string(OCTREE_MOST_BITS) +
                               " of its cells from the others");
      }
      const int64_t first = static_cast<int64_t>(at), rest = (int64_t{1} << depth) - 1;
      low[axis] = std::min(low[axis], first >> depth);
      high[axis] = std::max(high[axis], (first + block.Cells[axis] + rest) >> depth);
    }
  }
  for (int axis = 0; axis < 3; ++axis) {
    this->Lattice.Origin[axis] += static_cast<double>(low[axis]) * this->Lattice.Spacing[axis];
    this->Lattice.Cells[axis] = static_cast<int32_t>(high[axis] - low[axis]);
  }
  return true;
}

void BlockLattice::FirstCell(const BlockPlace &block, int64_t first[3]) const {
  for (int axis = 0; axis < 3; ++axis) {
    const double spacing = this->SpacingAt(this->DepthOf(block), axis);
    first[axis] = this->Active[axis]
                      ? std::llround((block.Corner[axis] - this->Lattice.Origin[axis]) / spacing)
                      : 0;
  }
}

} // namespace tessera
