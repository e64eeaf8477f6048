// SPDX-License-Identifier: BSD-3-Clause
#include "pointgrid/TesseraPointGridExecution.h"

#include <vtkPolyData.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>

namespace tessera {

PointGridExecution::PointGridExecution(vtkDataObject *input, const PointGridSettings &settings,
                                       ThreadRunner &runner)
    : Execution(input, runner, POINTGRID_NOTES), Settings(settings),
      OfLevel(TSR_POINTGRID_MAX_LEVEL + 1) {}

bool PointGridExecution::Run() {
  bool good = this->Step([this] { this->Collect(); });
  good = good && this->Step([this] {
    for (auto &dataset : this->Datasets) {
      if (dataset) {
        dataset->FindArrays(this->Group, this->Messages, this->Failure);
      }
    }
  });
  if (good && !this->MakePlans()) {
    return this->AllTooLarge() ? this->IsWithinLimit(false) : false;
  }
  good = good && this->IsWithinLimit(true);
  if (!good || this->OnlyEstimate) {
    return good;
  }
  good = this->FillAll();
  if (good) {
    this->Conclude();
  }
  return good;
}

void PointGridExecution::AddDataset(vtkDataObject *data, unsigned int block,
                                    const std::vector<int> &holders) {
  this->Datasets.emplace_back(nullptr);
  this->Blocks.push_back(block);
  auto *points = vtkPointSet::SafeDownCast(data);
  if (data && !points) {
    this->AllNotes.Add(POINTGRID_NOTE_DATASET, 1, 0, block);
  }
  if (points || !holders.empty()) {
    vtkNew<vtkPolyData> nothing;
    this->Datasets.back().reset(
        new PointGridDataset(points ? points : nothing.Get(), block, holders, this->Settings));
  }
}

void PointGridExecution::Collect() {
  if (this->Composite) {
    this->CollectBlocks();
  } else {
    std::vector<int> all(static_cast<size_t>(this->Group.Count()));
    std::iota(all.begin(), all.end(), 0);
    this->AddDataset(this->Input, 0, all);
    this->SharedDatasets = 1;
  }
  this->Runner.SetParts(this->Datasets.size());
}

void PointGridExecution::CollectBlocks() {
  const std::vector<Dataset> datasets = tessera::Datasets(this->Input);
  const Places places(this->Input);
  std::map<int64_t, vtkDataObject *> held;
  std::vector<int64_t> mine;
  for (const Dataset &dataset : datasets) {
    auto *points = vtkPointSet::SafeDownCast(dataset.Data);
    const int64_t place = places.Of(dataset.Block);
    held[place] = dataset.Data;
    if (points && points->GetNumberOfPoints() > 0) {
      mine.push_back(place);
    }
  }
  const tsr_processes group = this->Group.Core();
  tsr_holder *shared = nullptr;
  int64_t count = 0;
  tsr_shared_blocks(&group, mine.data(), static_cast<int64_t>(mine.size()), &shared, &count,
                    &this->Failure);
  const std::unique_ptr<tsr_holder, decltype(&std::free)> owner(shared, std::free);
  for (int64_t at = 0; at < count;) {
    const int64_t place = shared[at].block;
    std::vector<int> holders;
    for (; at < count && shared[at].block == place; ++at) {
      holders.push_back(static_cast<int>(shared[at].rank));
    }
    this->AddDataset(held[place], places.Block(place), holders);
  }
  this->SharedDatasets = this->Datasets.size();
  for (const Dataset &dataset : datasets) {
    if (std::find(this->Blocks.begin(), this->Blocks.end(), dataset.Block) == this->Blocks.end()) {
      this->AddDataset(dataset.Data, dataset.Block, {});
    }
  }
}

bool PointGridExecution::MakePlans() {
  std::vector<double> bytes;
  for (const auto &dataset : this->Datasets) {
    bytes.push_back(dataset ? dataset->BytesPerItem() : 0.0);
  }
  return this->PlanEach(
      this->Allowed(), bytes, this->SharedDatasets, [this](size_t i, int64_t limit) {
        PointGridDataset &dataset = *this->Datasets[i];
        const bool good = dataset.MakePlan(this->Group, this->Runner.Core(), limit, this->Failure);
        return good ? dataset.Bytes() : 0.0;
      });
}

bool PointGridExecution::IsWithinLimit(bool counted) {
  OutputSize size(this->Limit, "cells");
  if (!size.SetFrom(this->Group, this->Datasets, counted)) {
    return false;
  }
  return this->IsAllowed(size, "take a lower Maximum Level, or more points in a cell");
}

void PointGridExecution::MakeOutput(size_t dataset) {
  if (this->Datasets[dataset]) {
    this->Fills[dataset].reset(new PointGridOutput(*this->Datasets[dataset], this->Messages));
    this->Fills[dataset]->Allocate();
  }
}

bool PointGridExecution::FillAll() {
  this->Fills.resize(this->Datasets.size());
  // All processes fill a shared one together, so all must have got this far.
  const bool good = this->Step([this] {
    for (size_t i = 0; i < this->Datasets.size(); ++i) {
      this->MakeOutput(i);
    }
  });
  return good && this->FillEach(this->Datasets.size(), this->SharedDatasets, [this](size_t i) {
    const bool filled = this->Fills[i] && this->Fills[i]->Fill(this->Failure);
    this->Sums[1] += filled ? this->Fills[i]->EmptyCells() : 0;
    return filled ? this->Fills[i]->Make() : nullptr;
  });
}

void PointGridExecution::Conclude() {
  for (const auto &dataset : this->Datasets) {
    if (!dataset) {
      continue;
    }
    const tsr_pointgrid_sizes &sizes = dataset->Sizes();
    tsr_report one;
    tsr_pointgrid_plan_report(dataset->CorePlan(), &one);
    this->Total.Add(one);
    const int64_t bad = sizes.notes[TSR_POINTGRID_NOTE_NOT_FINITE].count;
    this->Sums[0] += one.items - sizes.kept - bad; // a point may be kept by another process
    this->Sums[2] += bad;
    for (size_t level = 0; level < this->OfLevel.size(); ++level) {
      this->OfLevel[level] += sizes.leaves_of_level[level];
    }
    // Who has set a lower level wants such cells, and needs no warning.
    const bool told = this->Settings.Options.max_level == TSR_POINTGRID_MAX_LEVEL;
    this->AddNotes(sizes.notes, told ? TSR_POINTGRID_NOTES : TSR_POINTGRID_NOTE_FULL,
                   dataset->Block());
  }
  this->AgreeOnReport();
  this->Group.Sum(this->OfLevel.data(), static_cast<int>(this->OfLevel.size()));
  this->Group.Sum(this->Sums, 3);
  this->AllLeaves = std::accumulate(this->OfLevel.begin(), this->OfLevel.end(), vtkIdType{0});
}

std::string PointGridExecution::WhyNone() const {
  if (this->AllLeaves > 0) {
    return "";
  }
  const std::string why = WhyNothing(this->Total.Core().items, this->HiddenPoints());
  return why.empty() ? Counted(this->Sums[2], "point has", "points have") +
                           " a coordinate that is not finite or beyond 1e100, and no other is left"
                     : why;
}

std::string PointGridExecution::NoteSentence(int kind, const tsr_note_count &note,
                                             const std::string &where) const {
  if (kind == POINTGRID_NOTE_DATASET) {
    return CountedFirst(note.count, "dataset has no points of its own and is left out",
                        "datasets have no points of their own and are left out", where);
  }
  char text[500];
  tsr_pointgrid_note_sentence(static_cast<tsr_pointgrid_note>(kind), note, text, sizeof(text));
  return WithPlace(text, where);
}

} // namespace tessera
