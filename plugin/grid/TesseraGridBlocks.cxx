// SPDX-License-Identifier: BSD-3-Clause
#include "grid/TesseraGridBlocks.h"

#include "grid/TesseraGridPieces.h"

#include <vtkCellData.h>
#include <vtkDataObjectTypes.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <map>

namespace tessera {

namespace {

/** One process's piece of a block. */
struct BlockPiece {
  int Process;
  int Type;
  Extent Own;
};

vtkIdType Cells(const Extent &box) {
  vtkIdType cells = 1;
  for (int axis = 0; axis < 3; ++axis) {
    cells *= std::max(box.At[2 * axis + 1] - box.At[2 * axis], 1);
  }
  return cells;
}

/** The points of the cells that are no copies of another process's; empty where they fill no box.
 */
Extent OwnBox(vtkDataSet *data) {
  Extent all, own = {{0, -1, 0, -1, 0, -1}};
  GetExtent(data, all);
  auto *ghosts = vtkUnsignedCharArray::SafeDownCast(
      data->GetCellData()->GetArray(vtkDataSetAttributes::GhostArrayName()));
  if (!ghosts || ghosts->GetNumberOfTuples() != Cells(all)) {
    return all;
  }
  vtkIdType cell = 0, count = 0;
  for (int k = all.At[4]; k < std::max(all.At[5], all.At[4] + 1); ++k) {
    for (int j = all.At[2]; j < std::max(all.At[3], all.At[2] + 1); ++j) {
      for (int i = all.At[0]; i < std::max(all.At[1], all.At[0] + 1); ++i, ++cell) {
        if (ghosts->GetValue(cell) & vtkDataSetAttributes::DUPLICATECELL) {
          continue;
        }
        Extent one = {{i, i + 1, j, j + 1, k, k + 1}};
        for (int axis = 0; axis < 3; ++axis) {
          one.At[2 * axis + 1] = std::min(one.At[2 * axis + 1], all.At[2 * axis + 1]);
        }
        own = Around(own, one);
        ++count;
      }
    }
  }
  return count == Cells(own) ? own : Extent{{0, -1, 0, -1, 0, -1}};
}

bool Overlap(const Extent &a, const Extent &b) {
  bool overlap = true;
  for (int axis = 0; axis < 3; ++axis) {
    const int low = std::max(a.At[2 * axis], b.At[2 * axis]);
    const int high = std::min(a.At[2 * axis + 1], b.At[2 * axis + 1]);
    const bool flat = a.At[2 * axis] == a.At[2 * axis + 1];
    overlap = overlap && (low < high || (flat && low == high));
  }
  return overlap;
}

/** Are these pieces, of one type, a box without overlap? */
bool Tile(const std::vector<BlockPiece> &pieces) {
  Extent all = pieces.front().Own;
  vtkIdType cells = 0;
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].Own.IsEmpty() || pieces[i].Type != pieces.front().Type) {
      return false;
    }
    for (size_t j = 0; j < i; ++j) {
      if (Overlap(pieces[i].Own, pieces[j].Own)) {
        return false;
      }
    }
    all = Around(all, pieces[i].Own);
    cells += Cells(pieces[i].Own);
  }
  return pieces.size() > 1 && cells == Cells(all);
}

} // namespace

std::vector<SharedBlock> FindSharedBlocks(const std::vector<Leaf> &leaves,
                                          const Processes &processes) {
  std::vector<vtkIdType> mine;
  Extent extent;
  for (const Leaf &leaf : leaves) {
    if (GetExtent(leaf.Data, extent) && !extent.IsEmpty()) {
      const Extent own = OwnBox(vtkDataSet::SafeDownCast(leaf.Data));
      mine.insert(mine.end(),
                  {processes.Rank(), vtkIdType{leaf.Block}, leaf.Data->GetDataObjectType()});
      mine.insert(mine.end(), own.At, own.At + 6);
    }
  }
  const std::vector<vtkIdType> all = processes.ConcatenateIds(mine);
  std::map<unsigned int, std::vector<BlockPiece>> blocks;
  for (size_t at = 0; at < all.size(); at += 9) {
    BlockPiece piece = {static_cast<int>(all[at]), static_cast<int>(all[at + 2]), {}};
    std::transform(&all[at] + 3, &all[at] + 9, piece.Own.At,
                   [](vtkIdType side) { return static_cast<int>(side); });
    blocks[static_cast<unsigned int>(all[at + 1])].push_back(piece);
  }
  std::vector<SharedBlock> shared;
  for (const auto &block : blocks) {
    if (!Tile(block.second)) {
      continue;
    }
    SharedBlock one = {block.first, nullptr, {}};
    for (const BlockPiece &piece : block.second) {
      one.Holders.push_back(piece.Process);
    }
    for (const Leaf &leaf : leaves) {
      if (leaf.Block == block.first) {
        one.Data = leaf.Data;
      }
    }
    if (!one.Data) {
      one.Data.TakeReference(vtkDataObjectTypes::NewDataObject(block.second.front().Type));
    }
    shared.push_back(one);
  }
  return shared;
}

} // namespace tessera
