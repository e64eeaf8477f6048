// SPDX-License-Identifier: BSD-3-Clause
/** The cells of AMR. */
#include "grid/octree/TesseraGridCover.h"
#include "grid/octree/TesseraGridJoined.h"
#include "grid/octree/TesseraGridLevels.h"
#include "grid/octree/TesseraGridOctree.h"

#include "grid/TesseraGridPieces.h"

#include <vtkFieldData.h>
#include <vtkImageData.h>
#include <vtkUniformGridAMR.h>

#include <algorithm>
#include <cstring>

namespace tessera {

namespace {

/** The elements of all processes, one process after the other. Collective. */
template <class T> std::vector<T> AllOf(const std::vector<T> &mine, const Processes &processes) {
  const std::string bytes = processes.Concatenate(
      std::string(reinterpret_cast<const char *>(mine.data()), mine.size() * sizeof(T)));
  std::vector<T> all(bytes.size() / sizeof(T));
  if (!all.empty()) {
    std::memcpy(all.data(), bytes.data(), bytes.size());
  }
  return all;
}

/** The block as a box of the domain's cells of its level. */
CoverBox BoxOf(const BlockLattice &lattice, const BlockPlace &place) {
  CoverBox box = {place.Number, lattice.DepthOf(place), {}, {}};
  lattice.FirstCell(place, box.Low);
  for (int axis = 0; axis < 3; ++axis) {
    box.High[axis] = box.Low[axis] + std::max<int64_t>(1, place.Cells[axis]);
  }
  return box;
}

/** The conversion of the blocks that this process has. */
class BlockCells {
public:
  BlockCells(GridOctree &tree, OctreeContext &context) : Tree(tree), Context(context) {}

  void Run(vtkUniformGridAMR *data);

private:
  void FindBoxes(const BlockLattice &lattice, std::vector<CoverBox> &own);

  /** Finds which cells lie under others. Collective. */
  void FindCover(const BlockLattice &lattice);
  void Drop(size_t block, Cover &cover);
  void Count();
  void Write();
  void WriteBlock(size_t block);

  const unsigned char *Ghosts(size_t block, bool cells) const {
    return (cells ? this->CellGhosts : this->PointGhosts)[block];
  }

  GridOctree &Tree;
  OctreeContext &Context;
  std::vector<Block> Blocks;
  std::vector<CoverBox> Boxes; /**< of the blocks */
  std::vector<const unsigned char *> CellGhosts, PointGhosts;
  std::vector<JoinedPart> Parts;
  vtkIdType Points = 0;
  bool AnyHidden = false;
};

void BlockCells::Run(vtkUniformGridAMR *data) {
  tsr_error &error = this->Context.Error;
  Guard(error, [this, data, &error] { this->Blocks = BlocksOf(data, error); });
  if (!this->Context.Group.AllFine(error)) {
    return;
  }
  std::vector<BlockPlace> mine;
  for (const Block &block : this->Blocks) {
    mine.push_back(block.Place);
  }
  const BlockLattice lattice(AllOf(mine, this->Context.Group), error);
  this->Tree.Lattice = lattice.Lattice;
  if (error.status != TSR_OK) {
    return; // on all processes, which see the same blocks
  }
  const auto without = [&lattice](const Block &block) { return !lattice.HasCells(block.Place); };
  this->Blocks.erase(std::remove_if(this->Blocks.begin(), this->Blocks.end(), without),
                     this->Blocks.end());
  this->FindCover(lattice);
  if (error.status == TSR_OK) {
    Guard(error, [this] {
      this->Count();
      this->Write();
    });
  }
  this->Tree.Data = this->Tree.Data ? this->Tree.Data : NewOctreeArrays(0, 0);
  if (data) {
    this->Tree.Data->GetFieldData()->PassData(data->GetFieldData());
  }
  this->Context.Group.AllFine(error);
}

void BlockCells::FindBoxes(const BlockLattice &lattice, std::vector<CoverBox> &own) {
  for (const Block &block : this->Blocks) {
    const std::string where = " The block is block " + std::to_string(block.Place.Number) +
                              " of level " + std::to_string(block.Place.Level) + ".";
    this->CellGhosts.push_back(GhostsOf(block.Data, true, where, this->Context.Messages));
    this->PointGhosts.push_back(GhostsOf(block.Data, false, where, this->Context.Messages));
    this->Boxes.push_back(BoxOf(lattice, block.Place));
    const std::vector<CoverBox> boxes =
        BoxesOfOwnCells(this->Boxes.back(), this->CellGhosts.back());
    own.insert(own.end(), boxes.begin(), boxes.end());
  }
}

void BlockCells::FindCover(const BlockLattice &lattice) {
  tsr_error &error = this->Context.Error;
  std::vector<CoverBox> own;
  Guard(error, [this, &lattice, &own] { this->FindBoxes(lattice, own); });
  if (!this->Context.Group.AllFine(error)) {
    return;
  }
  own = AllOf(own, this->Context.Group);
  Guard(error, [this, &lattice, &own, &error] {
    Cover cover(std::move(own), lattice.Lattice.Cells);
    this->Parts.resize(this->Blocks.size());
    for (size_t i = 0; i < this->Blocks.size() && error.status == TSR_OK; ++i) {
      this->Drop(i, cover);
    }
  });
}

void BlockCells::Drop(size_t i, Cover &cover) {
  vtkImageData *data = this->Blocks[i].Data;
  const vtkIdType cells = data->GetNumberOfCells();
  const unsigned char *ghosts = this->Ghosts(i, true);
  std::vector<std::uint8_t> flags(static_cast<size_t>(cells), 0);
  for (vtkIdType cell = 0; ghosts && cell < cells; ++cell) {
    const size_t at = static_cast<size_t>(cell);
    flags[at] = IsCopy(ghosts[cell]) ? 1 : IsHiddenCell(ghosts[cell]) ? 2 : 0;
  }
  const int64_t bad = cover.Flag(this->Boxes[i], flags);
  if (bad >= 0) {
    const BlockPlace &place = this->Blocks[i].Place;
    Fail(this->Context.Error, "cell " + std::to_string(bad) + " of block " +
                                  std::to_string(place.Number) + " of level " +
                                  std::to_string(place.Level) +
                                  " lies partly under finer cells: blocks must begin and end where "
                                  "cells of the coarser level do");
  }
  this->Parts[i].Data = data;
  this->Parts[i].Dropped = std::move(flags);
}

void BlockCells::Count() {
  for (JoinedPart &part : this->Parts) {
    const auto &dropped = part.Dropped;
    part.FirstPoint = this->Points;
    part.FirstCell = this->Tree.Count;
    this->Points += part.Data->GetNumberOfPoints();
    this->Tree.Count += static_cast<int64_t>(dropped.size()) -
                        std::count(dropped.begin(), dropped.end(), std::uint8_t{1});
    this->AnyHidden =
        this->AnyHidden || std::count(dropped.begin(), dropped.end(), std::uint8_t{2}) > 0;
  }
}

void BlockCells::Write() {
  GridOctree &tree = this->Tree;
  const bool hidden =
      this->AnyHidden || std::any_of(this->PointGhosts.begin(), this->PointGhosts.end(),
                                     [](const auto *ghosts) { return ghosts; });
  const int corners = 1 << tree.Lattice.Dimension();
  tree.Level.Allocate(tree.Count);
  tree.Index.Allocate(3 * tree.Count);
  tree.Hidden.Allocate(hidden ? tree.Count : 0);
  tree.Corners.Allocate(HavePointArrays(this->Parts) ? corners * tree.Count : 0);
  this->Context.Runner.Share(static_cast<int64_t>(this->Blocks.size()), 1,
                             [this](int64_t begin, int64_t end) {
                               for (int64_t i = begin; i < end; ++i) {
                                 this->WriteBlock(static_cast<size_t>(i));
                               }
                             });
  tree.Data =
      JoinArrays(this->Parts, tree.Corners.Get() ? this->Points : 0, tree.Count, this->Context);
}

void BlockCells::WriteBlock(size_t i) {
  GridOctree &tree = this->Tree;
  const JoinedPart &part = this->Parts[i];
  const CoverBox &box = this->Boxes[i];
  const unsigned char *ghosts = this->Ghosts(i, false);
  const int32_t *active = tree.Lattice.Cells;
  const int corners = 1 << tree.Lattice.Dimension();
  vtkIdType offset[8] = {0}; // of the corners from the first one, in points of the block
  vtkIdType stride[3], step = 1;
  for (int axis = 0, bit = 0; axis < 3; ++axis) {
    stride[axis] = step;
    for (int corner = 0; corner < corners && active[axis] > 0; ++corner) {
      offset[corner] += corner >> bit & 1 ? step : 0;
    }
    bit += active[axis] > 0;
    step *= active[axis] > 0 ? box.High[axis] - box.Low[axis] + 1 : 1;
  }
  int64_t to = part.FirstCell;
  size_t cell = 0;
  for (int64_t k = box.Low[2]; k < box.High[2]; ++k) {
    for (int64_t j = box.Low[1]; j < box.High[1]; ++j) {
      for (int64_t i0 = box.Low[0]; i0 < box.High[0]; ++i0, ++cell) {
        if (part.Dropped[cell] == 1) {
          continue;
        }
        const vtkIdType first = (i0 - box.Low[0]) * stride[0] + (j - box.Low[1]) * stride[1] +
                                (k - box.Low[2]) * stride[2];
        const int64_t index[3] = {i0, j, k};
        bool hidden = part.Dropped[cell] == 2;
        for (int axis = 0; axis < 3; ++axis) {
          tree.Index[3 * to + axis] = static_cast<std::int32_t>(index[axis]);
        }
        tree.Level[to] = static_cast<std::uint8_t>(box.Level);
        for (int corner = 0; corner < corners; ++corner) {
          hidden = hidden || (ghosts && IsHiddenPoint(ghosts[first + offset[corner]]));
          if (tree.Corners.Get()) {
            tree.Corners[corners * to + corner] = part.FirstPoint + first + offset[corner];
          }
        }
        if (tree.Hidden.Get()) {
          tree.Hidden[to] = hidden;
        }
        ++to;
      }
    }
  }
}

} // namespace

void OctreeOfBlocks(vtkUniformGridAMR *data, GridOctree &tree, OctreeContext &context) {
  BlockCells(tree, context).Run(data);
}

} // namespace tessera
