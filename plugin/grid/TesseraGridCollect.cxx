// SPDX-License-Identifier: BSD-3-Clause
/** The grids that an input consists of. */
#include "grid/TesseraGridExecution.h"
#include "grid/mesh/TesseraGridMerge.h"
#include "grid/mesh/TesseraGridMesh.h"
#include "grid/octree/TesseraGridOctree.h"

#include <vtkDataSet.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace tessera {

namespace {

/** The places at which any process has cells of several sizes, in rising order, and who has them.
 * mine: those of this process. Collective. */
std::vector<SharedBlock> OctreeBlocks(const std::vector<int64_t> &mine,
                                      const Processes &processes) {
  std::vector<vtkIdType> counts = processes.Gather({static_cast<vtkIdType>(mine.size())});
  const std::string bytes = processes.Concatenate(
      std::string(reinterpret_cast<const char *>(mine.data()), mine.size() * sizeof(int64_t)));
  std::vector<int64_t> all(bytes.size() / sizeof(int64_t));
  std::copy_n(bytes.data(), bytes.size(), reinterpret_cast<char *>(all.data()));
  std::set<std::pair<int64_t, int>> holders; // by place, then by process
  size_t next = 0;
  for (size_t rank = 0; rank < counts.size(); ++rank) {
    for (vtkIdType i = 0; i < counts[rank]; ++i) {
      holders.emplace(all[next++], static_cast<int>(rank));
    }
  }
  std::vector<SharedBlock> blocks;
  for (const auto &holder : holders) {
    if (blocks.empty() || blocks.back().Place != holder.first) {
      blocks.push_back({holder.first, nullptr, {}});
    }
    blocks.back().Holders.push_back(holder.second);
  }
  return blocks;
}

} // namespace

bool GridExecution::MergeBlocks() {
  OctreeContext context = {this->Group, this->Runner, this->Messages, this->Failure};
  Guard(this->Failure, [&] { this->MergedBlocks = MergeDatasets(this->Input, context); });
  this->Input = this->MergedBlocks;
  this->Composite = false;
  return this->Group.AllFine(this->Failure);
}

void GridExecution::Collect() {
  if (this->Composite && this->Settings.merge_blocks && !this->MergeBlocks()) {
    return; // on all processes
  }
  const std::vector<Dataset> datasets = Datasets(this->Input);
  if (this->Composite) {
    const Places places(this->Input);
    for (const SharedBlock &one : FindSharedBlocks(datasets, places, this->Group, this->Failure)) {
      if (!this->CollectShared(one, places.Block(one.Place))) {
        return; // on all processes
      }
    }
    this->CollectOctrees(datasets, places);
    if (this->Failure.status == TSR_OK && this->CollectMeshes()) {
      this->CollectOwn(datasets, places);
    }
  } else {
    SharedBlock all = {0, this->Input, std::vector<int>(static_cast<size_t>(this->Group.Count()))};
    std::iota(all.Holders.begin(), all.Holders.end(), 0);
    const bool octree = this->Group.Any(HoldsOctree(this->Input));
    if (!(octree ? this->CollectOctree(all, 0) && this->CollectMeshes()
                 : this->CollectShared(all, 0))) {
      return;
    }
  }
  for (const auto &grid : this->Grids) {
    this->InputCells += grid && grid->Counts() ? grid->WholeCells() : 0;
  }
  this->Group.Sum(&this->InputCells, 1);
  for (const auto &grid : this->Grids) {
    if (grid) {
      const std::string where = BlockText(this->Input, grid->Block());
      for (const std::string &problem : grid->GhostProblems()) {
        this->Messages.Add(problem + (where.empty() ? "" : " The dataset is " + where + "."));
      }
    }
  }
  if (this->LooksForGrowth) {
    this->WarnOfChoices();
  }
  this->Runner.SetParts(this->Grids.size());
}

void GridExecution::WarnOfChoices() {
  const tsr_grid_options &options = this->Settings.Options;
  for (const auto &grid : this->Grids) {
    if (grid && grid->IsOctree() && options.refine_levels > 0) {
      this->Messages.Add("Refine Levels counts as 0 for AMR, hyper tree grids and unstructured "
                         "grids, whose cells are never divided.");
    }
    if (grid && !grid->IsOctree() && options.move_cells && grid->HasCellArrays()) {
      this->Messages.Add("Cell arrays of images, rectilinear grids and structured grids stay on "
                         "cells, though Cell Arrays is Move To Points: put Cell Data to Point Data "
                         "before this filter.");
    }
  }
}

bool GridExecution::CollectShared(const SharedBlock &one, unsigned int block) {
  GridPiece piece;
  const bool good = GatherPieces(vtkDataSet::SafeDownCast(one.Data), this->Settings, one.Holders,
                                 this->Group, piece, this->Messages, this->Failure);
  this->Grids.emplace_back(good && piece.Shares->teller >= 0
                               ? new GridDataset(piece, block, one.Place, this->Settings)
                               : nullptr);
  this->Blocks.push_back(block);
  this->NameBlock(this->SharedGrids++);
  return good;
}

void GridExecution::CollectOctrees(const std::vector<Dataset> &datasets, const Places &places) {
  std::map<int64_t, vtkDataObject *> here;
  std::vector<int64_t> mine;
  for (const Dataset &dataset : datasets) {
    if (HoldsOctree(dataset.Data)) {
      mine.push_back(places.Of(dataset.Block));
      here[mine.back()] = dataset.Data;
    }
  }
  for (SharedBlock &one : OctreeBlocks(mine, this->Group)) {
    const auto found = here.find(one.Place);
    one.Data = found != here.end() ? found->second : nullptr;
    if (!this->CollectOctree(one, places.Block(one.Place))) {
      return; // on all processes
    }
  }
}

bool GridExecution::CollectOctree(const SharedBlock &one, unsigned int block) {
  tsr_error error = {};
  OctreeContext context = {this->Group, this->Runner, this->Messages, error};
  std::shared_ptr<GridMesh> mesh;
  if (vtkDataSet *cells = vtkDataSet::SafeDownCast(one.Data)) {
    this->Runner.KnowArrays(this->Input, cells);
  }
  const auto tree = MakeOctree(one.Data, one.Holders, context, mesh);
  this->Blocks.push_back(block);
  this->Grids.emplace_back(nullptr);
  ++this->SharedGrids;
  if (tree) {
    this->AddOctree(this->Grids.size() - 1, one, tree);
  }
  if (this->Group.Any(mesh != nullptr)) {
    this->Meshes.push_back({one, mesh, this->Grids.size() - 1});
  }
  if (!this->Group.Any(error.status != TSR_OK) || this->LeavesOut(one, block, error)) {
    return true;
  }
  this->Failure = error;
  this->NameBlock(this->Blocks.size() - 1);
  return false;
}

void GridExecution::AddOctree(size_t grid, const SharedBlock &one,
                              const std::shared_ptr<GridOctree> &tree) {
  GridPiece piece;
  const auto me = std::find(one.Holders.begin(), one.Holders.end(), this->Group.Rank());
  piece.Data = tree->Data;
  piece.Octree = tree;
  piece.Ranks = static_cast<int>(one.Holders.size());
  piece.Rank = static_cast<int>(me - one.Holders.begin());
  piece.Shared = piece.Ranks > 1;
  piece.Counts = piece.Rank == 0;
  this->Grids[grid].reset(new GridDataset(piece, this->Blocks[grid], one.Place, this->Settings));
}

bool GridExecution::LeavesOut(const SharedBlock &one, unsigned int block, const tsr_error &error) {
  const bool bad = error.status == TSR_BAD_INPUT || error.status == TSR_ABORTED;
  if (!this->Composite || this->Group.Any(!bad) ||
      !this->Group.Any(vtkUnstructuredGrid::SafeDownCast(one.Data) != nullptr)) {
    return false;
  }
  tsr_error agreed = error;
  std::string sentence;
  this->Group.Agree(agreed, sentence);
  if (this->UnfitBlocks++ > 0) {
    if (this->Group.Rank() == 0) {
      this->AllNotes.Add(GRID_NOTE_UNFIT, 1, 0, block);
    }
  } else if (!sentence.empty()) {
    this->Messages.Add("The unstructured grid " + BlockText(this->Input, block) +
                       " is left out: " + sentence + ".");
  }
  return true;
}

void GridExecution::CollectOwn(const std::vector<Dataset> &datasets, const Places &places) {
  for (const Dataset &dataset : datasets) {
    if (std::find(this->Blocks.begin(), this->Blocks.end(), dataset.Block) != this->Blocks.end()) {
      continue; // shared
    }
    this->Grids.emplace_back(nullptr);
    this->Blocks.push_back(dataset.Block);
    tsr_grid_box box;
    if (!GetBox(dataset.Data, box)) {
      this->AllNotes.Add(GRID_NOTE_DATASET, 1, 0, dataset.Block);
      continue;
    }
    const GridPiece piece =
        OwnPiece(vtkDataSet::SafeDownCast(dataset.Data), this->Settings, this->Failure);
    if (!piece.Data) {
      this->NameBlock(this->Blocks.size() - 1);
      return;
    }
    if (!tsr_grid_box_is_empty(&box)) {
      this->Grids.back().reset(
          new GridDataset(piece, dataset.Block, places.Of(dataset.Block), this->Settings));
    }
  }
}

} // namespace tessera
