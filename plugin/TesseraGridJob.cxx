// SPDX-License-Identifier: BSD-3-Clause
#include "TesseraGridJob.h"

#include "TesseraGridOutput.h"
#include "TesseraGridPieces.h"
#include "TesseraLeaves.h"

#include <vtkCompositeDataSet.h>
#include <vtkDataSet.h>
#include <vtkHyperTreeGrid.h>
#include <vtkOverlappingAMR.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <new>

namespace tessera {

GridJob::GridJob(vtkDataObject *input, const GridSettings &settings, Execution &execution)
    : Input(input), Settings(settings), Executor(execution),
      Composite(vtkCompositeDataSet::SafeDownCast(input) != nullptr), OfLevel(TSR_GRID_MAX_LEVEL + 1),
      AllNotes(GRID_NOTES) {
  std::memset(&this->Failure, 0, sizeof(this->Failure));
}

bool GridJob::Step(const std::function<void()> &work) {
  try {
    work();
  } catch (const std::bad_alloc &) {
    this->Failure.status = TSR_NO_MEMORY;
    std::snprintf(this->Failure.text, sizeof(this->Failure.text),
                  "the system gave no memory for the output arrays");
  }
  return this->Group.Agree(this->Failure, this->Sentence);
}

bool GridJob::Run() {
  bool good = this->Step([this] { this->Collect(); });
  good = good && this->Step([this] { this->FindArrays(); });
  if (good && this->Composite && this->Settings.Relative) {
    this->ShareRanges();
  }
  if (good && this->Settings.UseRegion) {
    this->ShareRegion();
  }
  good = good && this->Step([this] { this->MakePlans(); });
  good = good && this->Step([this] { this->FillAll(); });
  if (good) {
    this->Conclude();
  }
  return good;
}

void GridJob::Collect() {
  if (this->Composite) {
    this->CollectComposite();
  } else {
    this->CollectShared();
  }
  this->Executor.SetParts(this->Grids.size());
}

void GridJob::CollectComposite() {
  for (const Leaf &leaf : Leaves(this->Input)) {
    this->Grids.emplace_back(nullptr);
    Extent extent;
    if (!GetExtent(leaf.Data, extent)) {
      this->AllNotes.Add(GRID_NOTE_LEAF, 1, 0, leaf.Block);
    } else if (!extent.IsEmpty()) {
      vtkDataSet *data = vtkDataSet::SafeDownCast(leaf.Data);
      this->InputCells += data->GetNumberOfCells();
      this->Grids.back().reset(
          new GridLeaf(data, leaf.Block, extent, extent, false, this->Settings));
    }
  }
  this->Group.Sum(&this->InputCells, 1);
}

void GridJob::CollectShared() {
  GridPiece piece;
  const int margin = 1; // the most that any criterion looks beyond its own cells
  if (GatherPieces(vtkDataSet::SafeDownCast(this->Input), this->Settings.Options.coarsen_levels,
                   margin, this->Group, piece, this->Messages, this->Failure) &&
      !piece.Whole.IsEmpty()) {
    this->Grids.emplace_back(new GridLeaf(piece.Data, 0, piece.Whole, piece.Owned,
                                          this->Group.Count() > 1, this->Settings));
  } else {
    this->Grids.emplace_back(nullptr);
  }
}

void GridJob::FindArrays() {
  size_t found = 0, tried = 0;
  tsr_error error = this->Failure;
  for (auto &grid : this->Grids) {
    if (grid) {
      ++tried;
      found += grid->FindArrays(error);
    }
  }
  // In a composite an array may be missing here and there.
  vtkIdType counts[2] = {static_cast<vtkIdType>(found), static_cast<vtkIdType>(tried)};
  this->Group.Sum(counts, 2);
  if (counts[0] == 0 && tried > 0) {
    this->Failure = error;
  }
}

void GridJob::ShareRanges() {
  // Names differ from process to process; all of them go through one text.
  std::map<std::string, std::pair<double, double>> mine;
  for (const auto &grid : this->Grids) {
    if (grid) {
      for (const auto &range : grid->Ranges()) {
        auto place = mine.insert(range).first;
        place->second.first = std::max(place->second.first, range.second.first);
        place->second.second = std::max(place->second.second, range.second.second);
      }
    }
  }
  MaximumByName(this->Group, mine);
  for (auto &grid : this->Grids) {
    if (grid) {
      grid->SetRanges(mine);
    }
  }
}

void GridJob::ShareRegion() {
  double corners[6];
  std::fill_n(corners, 6, -std::numeric_limits<double>::infinity());
  if (!this->Composite) {
    if (this->Grids.front()) {
      this->Grids.front()->RegionIndices(corners);
    }
    this->Group.Max(corners, 6);
  }
  for (auto &grid : this->Grids) {
    if (grid) {
      if (this->Composite) {
        grid->RegionIndices(corners);
      }
      grid->SetRegion(corners);
    }
  }
}

int64_t GridJob::BudgetOf(size_t leaf) const {
  const int64_t budget = this->Settings.Options.cell_budget;
  if (budget == 0 || !this->Composite || this->InputCells == 0) {
    return budget;
  }
  const double share = static_cast<double>(this->Grids[leaf]->Input()->GetNumberOfCells()) /
                       static_cast<double>(this->InputCells);
  return std::max<int64_t>(1, static_cast<int64_t>(static_cast<double>(budget) * share));
}

void GridJob::MakePlans() {
  const vtkIdType available = AvailableMemory();
  double left = available >= 0 ? static_cast<double>(available) : 0.0;
  for (size_t i = 0; i < this->Grids.size() && this->Failure.status == TSR_OK; ++i) {
    if (!this->Grids[i]) {
      continue;
    }
    GridLeaf &leaf = *this->Grids[i];
    this->Executor.StartPart(i);
    int64_t limit = 0;
    if (available >= 0) {
      limit = static_cast<int64_t>(std::max(1.0, left / leaf.BytesPerCell()));
    }
    if (leaf.MakePlan(this->Composite ? nullptr : &this->Group, this->Executor.Core(),
                      this->BudgetOf(i), limit, this->Failure)) {
      left -= leaf.BytesPerCell() * static_cast<double>(leaf.Sizes().cells);
    }
  }
}

vtkSmartPointer<vtkDataObject> GridJob::Fill(GridLeaf &leaf) {
  GridOutput output(leaf, this->Messages);
  vtkSmartPointer<vtkDataObject> result;
  if (this->Settings.Output == GridSettings::UNSTRUCTURED) {
    result = MakeUnstructured(output, this->Failure);
  } else if (this->Settings.Output == GridSettings::HYPER_TREE) {
    result = MakeHyperTrees(output, this->Failure);
  } else {
    result = MakeAMR(output, this->Group, this->Failure);
  }
  this->CollectErrors(output.Errors());
  return result;
}

void GridJob::FillAll() {
  for (size_t i = 0; i < this->Grids.size() && this->Failure.status == TSR_OK; ++i) {
    this->Executor.StartPart(i);
    this->Outputs.push_back(this->Grids[i] ? this->Fill(*this->Grids[i]) : nullptr);
  }
  if (this->Failure.status == TSR_OK && this->Executor.Aborted()) {
    this->Failure.status = TSR_ABORTED;
  }
}

void GridJob::CollectErrors(const std::vector<GridArrayError> &errors) {
  if (!this->Settings.Errors) {
    return;
  }
  for (const GridArrayError &error : errors) {
    const auto same = std::find_if(
        this->Largest.begin(), this->Largest.end(),
        [&error](const GridArrayError &other) { return other.Name == error.Name; });
    if (same == this->Largest.end()) {
      this->Largest.push_back(error);
    } else {
      same->Largest = std::max(same->Largest, error.Largest);
    }
  }
}

void GridJob::AgreeOnErrors() {
  std::map<std::string, std::pair<double, double>> named;
  for (const GridArrayError &error : this->Largest) {
    named[error.Name] = {error.Largest, 0.0};
  }
  MaximumByName(this->Group, named);
  this->Largest.clear();
  for (const auto &one : named) {
    this->Largest.push_back({one.first, one.second.first});
  }
}

void GridJob::Conclude() {
  double scale = 1.0;
  this->Total.SetThreads(this->Executor.Core()->threads);
  vtkIdType totals[2] = {0, 0};
  for (const auto &leaf : this->Grids) {
    if (!leaf) {
      continue;
    }
    const tsr_grid_sizes &sizes = leaf->Sizes();
    tsr_report one;
    tsr_grid_plan_report(leaf->CorePlan(), &one);
    this->Total.Add(one);
    scale = std::max(scale, sizes.threshold_scale);
    totals[0] += sizes.leaves;
    // The core counts the fine cells of all processes at once.
    totals[1] += this->Composite || this->Group.Rank() == 0 ? sizes.fine_cells : 0;
    for (size_t level = 0; level < this->OfLevel.size(); ++level) {
      this->OfLevel[level] += sizes.leaves_of_level[level];
    }
    for (int note = 0; note < TSR_GRID_NOTES; ++note) {
      const tsr_note_count &count = sizes.notes[note];
      this->AllNotes.Add(note, count.count, count.first, leaf->Block());
    }
  }
  this->Total.SetToleranceScale(scale);
  this->Total.Agree(this->Group);
  this->AllNotes.Agree(this->Group);
  this->Group.Sum(totals, 2);
  this->Visible = totals[0];
  this->Fine = totals[1];
  this->Group.Sum(this->OfLevel.data(), static_cast<int>(this->OfLevel.size()));
  this->AgreeOnErrors();
}

std::vector<std::string> GridJob::Warnings() const {
  std::vector<std::string> warnings(this->Messages.begin(), this->Messages.end());
  for (int kind = 0; kind < GRID_NOTES && this->Group.Rank() == 0; ++kind) {
    const tsr_note_count note = this->AllNotes.Count(kind);
    const std::string where = this->AllNotes.Where(kind, this->Composite, this->Group);
    if (note.count > 0 && kind == GRID_NOTE_LEAF) {
      warnings.push_back(std::to_string(note.count) +
                         (note.count == 1 ? " dataset is no structured grid and is left out"
                                          : " datasets are no structured grids and are left out") +
                         "; the first is" + where + ".");
    } else if (note.count > 0) {
      char text[500];
      tsr_grid_note_sentence(static_cast<tsr_grid_note>(kind), note, text, sizeof(text));
      warnings.push_back(text + (where.empty() ? "" : " The first is" + where + "."));
    }
  }
  return warnings;
}

} // namespace tessera
