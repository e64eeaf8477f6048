// SPDX-License-Identifier: BSD-3-Clause
#include "grid/TesseraGridExecution.h"

#include "grid/TesseraGridOutput.h"
#include "grid/mesh/TesseraGridMesh.h"

#include <vtkDataArray.h>
#include <vtkDataSet.h>
#include <vtkDataSetAttributes.h>
#include <vtkHyperTreeGrid.h>
#include <vtkOverlappingAMR.h>
#include <vtkPointSet.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace tessera {

namespace {

/** Suffixes of the keys of the largest errors. They sort before all characters of names. */
const std::string OF_CELLS = "\001c", OF_POINTS = "\001p";

/** Bytes of memory that a dataset takes, as VTK counts them. */
vtkIdType BytesOf(vtkDataObject *data) {
  return static_cast<vtkIdType>(data->GetActualMemorySize()) * 1024;
}

} // namespace

GridExecution::GridExecution(vtkDataObject *input, const GridSettings &settings,
                             ThreadRunner &runner, GridSteps *steps, bool only)
    : Execution(input, runner, GRID_NOTES), Settings(settings), OfLevel(TSR_GRID_MAX_LEVEL + 1),
      MostLevels(settings.Options.coarsen_levels + settings.Options.refine_levels + 1),
      Steps(steps), MarksOnly(only) {}

bool GridExecution::Run() {
  // The levels are needed for boxes of roots before any plan checks them.
  bool good =
      this->Step([this] { tsr_grid_check_options(&this->Settings.Options, &this->Failure); });
  good = good && this->Step([this] { this->Collect(); });
  good = good && this->Step([this] { this->FindArrays(); });
  if (good && this->Settings.relative && (this->Composite || this->Settings.geometry.use)) {
    this->ShareRanges();
  }
  if (good && this->Settings.use_region) {
    this->ShareRegion();
  }
  if (good && this->Settings.Options.mode == TSR_GRID_FINE) { // by arithmetic, before any work
    good = this->IsFineWithinLimit();
    if (!good || this->OnlyEstimate) {
      return good;
    }
  }
  this->KnowArrays();
  if (good && !this->MakePlans(this->Settings.Options.cell_budget, this->Allowed())) {
    return this->AllTooLarge() ? this->IsWithinLimit(false) : false;
  }
  if (good && this->MarksOnly) {
    this->AddStep();
    return true;
  }
  good = good && this->IsWithinLimit(true);
  if (!good || this->OnlyEstimate) {
    return good;
  }
  good = this->FillAll();
  if (good) {
    this->Conclude();
    // Pieces at the surface are as many whatever the thresholds are.
    if (this->LooksForGrowth && this->Settings.boundary != TSR_GRID_CLIPPED) {
      this->WarnOfGrowth();
    }
  }
  return good;
}

void GridExecution::FindArrays() {
  const std::vector<GridWanted> wanted = WantedArrays(this->Settings);
  std::vector<vtkIdType> counts(wanted.size(), 0);
  bool any = false;
  for (auto &grid : this->Grids) {
    if (grid) {
      any = true;
      grid->FindArrays(wanted, counts.data());
    }
  }
  // In a composite, some blocks may lack an array.
  this->Group.Sum(counts.data(), static_cast<int>(counts.size()));
  for (size_t i = 0; i < wanted.size() && any; ++i) {
    if (counts[i] == 0) {
      const std::string why = this->Messages.WhyLeftOut(wanted[i].Name);
      const bool bits = std::any_of(this->Grids.begin(), this->Grids.end(), [&](const auto &grid) {
        return grid && grid->HasBits(wanted[i].Name);
      });
      Fail(this->Failure, bits ? "the array '" + wanted[i].Name +
                                     "' holds bits, which criteria cannot look at: make it numbers "
                                     "by Calculator"
                               : wanted[i].Missing() + (why.empty() ? "" : ": " + why));
      return;
    }
  }
  this->NoteGridsWithoutCriteria(!wanted.empty());
}

void GridExecution::NoteGridsWithoutCriteria(bool wanted) {
  for (size_t i = 0; i < this->Grids.size() && wanted; ++i) {
    if (this->Grids[i] && this->Grids[i]->Counts() && !this->Grids[i]->HasCriteria()) {
      this->AllNotes.Add(GRID_NOTE_NO_ARRAY, 1, 0, this->Blocks[i]);
    }
  }
}

void GridExecution::KnowArrays() {
  for (const auto &grid : this->Grids) {
    // The arrays of octrees are made anew each time. CollectOctree tells of the cells' own ones.
    if (grid && grid->Input() && !grid->IsOctree()) {
      this->Runner.KnowArrays(this->Input, grid->Input());
    }
  }
}

void GridExecution::ShareRanges() {
  const tsr_processes group = this->Group.Core();
  tsr_maxima ranges = {};
  for (const auto &grid : this->Grids) {
    if (grid) {
      grid->AddRanges(ranges);
    }
  }
  tsr_maxima_agree(&ranges, &group, &this->Failure);
  for (auto &grid : this->Grids) {
    if (grid) {
      grid->SetRanges(ranges, this->Composite);
    }
  }
  tsr_maxima_free(&ranges);
}

void GridExecution::ShareRegion() {
  double touched = 0.0;
  for (size_t i = 0; i < this->Grids.size(); ++i) {
    double corners[6];
    std::fill_n(corners, 6, -std::numeric_limits<double>::infinity());
    if (this->Grids[i]) {
      this->Grids[i]->RegionIndices(corners);
    }
    if (i < this->SharedGrids) {
      this->Group.Max(corners, 6);
    }
    if (this->Grids[i]) {
      this->Grids[i]->SetRegion(corners);
    }
    touched = std::isfinite(corners[1]) ? 1.0 : touched;
  }
  this->Group.Max(&touched, 1);
  if (touched == 0.0 && this->InputCells > 0) {
    this->Messages.Add("The region touches no cell of the input; Level Outside holds everywhere.");
  }
}

int64_t GridExecution::BudgetOf(size_t dataset, int64_t budget) const {
  return this->Composite
             ? tsr_grid_budget_share(budget, this->Grids[dataset]->WholeCells(), this->InputCells)
             : budget;
}

bool GridExecution::MakePlans(int64_t budget, double most) {
  std::vector<double> bytes;
  for (const auto &dataset : this->Grids) {
    bytes.push_back(dataset ? dataset->BytesPerCell() : 0.0);
  }
  return this->PlanEach(most, bytes, this->SharedGrids,
                        [this, &bytes, budget](size_t i, int64_t limit) {
                          return this->PlanOne(i, bytes[i], budget, limit);
                        });
}

void GridExecution::Measure(OutputSize &size) const {
  double cells = 0.0, bytes = 0.0;
  for (const auto &dataset : this->Grids) {
    if (dataset) {
      cells += static_cast<double>(dataset->SeenCells());
      bytes += static_cast<double>(dataset->Sizes().cells) * dataset->BytesPerCell();
    }
  }
  size.Set(this->Group, cells, bytes);
}

bool GridExecution::IsWithinLimit(bool counted) {
  OutputSize size(this->Limit, "cells");
  if (counted) {
    this->Measure(size);
  } else {
    double each = 0.0;
    for (const auto &dataset : this->Grids) {
      each = dataset ? std::max(each, dataset->BytesPerCell()) : each;
    }
    if (!size.SetAtLeast(this->Group, each)) {
      return false;
    }
  }
  return this->CheckSize(size);
}

bool GridExecution::IsFineWithinLimit() {
  double cells = 0.0, bytes = 0.0;
  const bool good = this->Step([this, &cells, &bytes] {
    for (const auto &dataset : this->Grids) {
      int64_t here = 0;
      if (dataset && !dataset->CountFine(here, this->Failure)) {
        return;
      }
      cells += static_cast<double>(here);
      bytes += dataset ? static_cast<double>(here) * dataset->BytesPerCell() : 0.0;
    }
  });
  if (!good) {
    return false;
  }
  OutputSize size(this->Limit, "cells");
  size.Set(this->Group, cells, bytes);
  return this->CheckSize(size);
}

bool GridExecution::CheckSize(OutputSize &size) {
  this->EstimateSentence = size.Sentence();
  if (size.Fits()) {
    return true;
  }
  const OutputSize asked = size;
  Tolerances list;
  double scale = 1.0;
  const std::string otherwise = this->Advice(size, list, scale);
  this->FailTogether(asked.Refusal(list, scale, otherwise));
  return false;
}

std::string GridExecution::Advice(OutputSize &size, Tolerances &list, double &scale) {
  const tsr_grid_options &options = this->Settings.Options;
  double cells = size.Count();
  if (options.mode != TSR_GRID_ADAPTIVE) {
    return "take fewer Refine Levels, or more Coarsen Levels";
  }
  if (options.cell_budget > 0) {
    return "set Cell Budget to " + std::to_string(static_cast<int64_t>(size.ItemsThatFit(cells)));
  }
  const std::string otherwise = "raise the thresholds";
  if (this->Steps) { // a budget is of one time step
    return otherwise;
  }
  // The cells of trees and blocks are not only those to be seen, so the output itself is checked.
  for (int tries = 0; tries < 4 && !size.Fits(); ++tries) {
    cells = size.ItemsThatFit(cells);
    std::memset(&this->Failure, 0, sizeof(this->Failure));
    // A grid above the limit is an answer to the search for a scale, not its end.
    if (!this->MakePlans(static_cast<int64_t>(cells), tsr_memory_look(nullptr).available)) {
      return otherwise;
    }
    this->Measure(size);
    cells = size.Count();
  }
  for (const auto &dataset : this->Grids) {
    scale = dataset ? std::max(scale, dataset->Sizes().threshold_scale) : scale;
  }
  this->Group.Max(&scale, 1);
  if (size.Fits()) {
    list = this->InUse();
  }
  return otherwise;
}

Tolerances GridExecution::InUse() const {
  tsr_tolerance list[TSR_GRID_WISHES];
  return Tolerances(list, list + tsr_grid_choices_tolerances(&this->Settings, list));
}

double GridExecution::PlanOne(size_t i, double bytes, int64_t budget, int64_t limit) {
  GridDataset &dataset = *this->Grids[i];
  // If the marks belong to another grid, they do so on every process.
  if (this->Steps && !dataset.SetMarks(this->Steps->Marks, this->MarksOnly, this->Failure)) {
    return 0.0;
  }
  const bool good = dataset.MakePlan(this->Group, this->Runner.Core(), this->BudgetOf(i, budget),
                                     limit, this->Failure);
  return good ? bytes * static_cast<double>(dataset.Sizes().cells) : 0.0;
}

void GridExecution::AddStep() {
  vtkIdType count = 0;
  for (const auto &grid : this->Grids) {
    if (grid) {
      grid->KeepMarks(this->Steps->Marks);
    }
  }
  for (const auto &block : this->Steps->Marks) {
    count += static_cast<vtkIdType>(block.second.Nodes.size());
  }
  this->Group.Sum(&count, 1);
  this->Steps->Add(count, this->Settings.thresholds[TSR_MEASURE_INTERPOLATION_ERROR].use != 0);
}

void GridExecution::NameBalance() {
  double dimension = 0.0;
  for (const auto &grid : this->Grids) {
    dimension = grid ? std::max<double>(dimension, grid->Sizes().dimension) : dimension;
  }
  this->Group.Max(&dimension, 1);
  char text[100];
  tsr_grid_balance_text(&this->Settings.Options, static_cast<int>(dimension), text, sizeof(text));
  this->BalanceInForce = text;
}

vtkSmartPointer<vtkDataObject> GridExecution::Fill(GridDataset &dataset) {
  GridOutput output(dataset, this->Messages);
  vtkSmartPointer<vtkDataObject> result;
  if (this->Settings.output == TSR_GRID_UNSTRUCTURED) {
    result = MakeUnstructured(output, this->Runner, this->Failure);
    auto *grid = vtkUnstructuredGrid::SafeDownCast(result);
    this->CutMore += grid ? grid->GetNumberOfCells() - dataset.Sizes().cells : 0;
  } else if (this->Settings.output == TSR_GRID_HYPER_TREE) {
    result = MakeHyperTrees(output, this->Runner, this->Failure);
  } else {
    result = MakeAMR(output, this->Group, this->Failure);
  }
  this->CollectErrors(output.Errors());
  this->Bent = std::max(this->Bent, output.GeometricError());
  return result;
}

bool GridExecution::FillAll() {
  return this->FillEach(this->Grids.size(), 0, [this](size_t i) {
    return this->Grids[i] ? this->Fill(*this->Grids[i]) : nullptr;
  });
}

void GridExecution::CollectErrors(const std::deque<GridArrayError> &errors) {
  for (const GridArrayError &error : errors) {
    if (this->Settings.errors) {
      const std::string key = error.Name + (error.CellData ? OF_CELLS : OF_POINTS);
      Require(tsr_maxima_add(&this->Largest, key.c_str(), 0, &error.Largest, 1, nullptr));
    }
  }
}

bool GridExecution::BoundsMesh() const {
  return this->OfOctrees > 0 && this->Settings.Options.mode == TSR_GRID_ADAPTIVE &&
         this->Settings.thresholds[TSR_MEASURE_INTERPOLATION_ERROR].use;
}

int64_t GridExecution::LeavesAbove() const { return this->BoundsMesh() ? this->Above : -1; }

std::string GridExecution::ErrorBound() const {
  const int use = this->Settings.thresholds[TSR_MEASURE_INTERPOLATION_ERROR].use;
  const std::string text = tsr_grid_bound_text(&this->Settings.Options, use);
  return text +
         (this->BoundsMesh()
              ? "; of a mesh, leaves of the finest cells may exceed it: Leaves Above Threshold "
                "counts them"
              : "");
}

std::vector<GridArrayError> GridExecution::Errors() const {
  std::vector<GridArrayError> errors;
  for (int64_t k = 0; k < this->Largest.n; ++k) {
    const double *largest;
    int n;
    const std::string key = tsr_maxima_get(&this->Largest, k, &largest, &n);
    const bool cells = key.compare(key.size() - OF_CELLS.size(), OF_CELLS.size(), OF_CELLS) == 0;
    errors.push_back({key.substr(0, key.size() - OF_CELLS.size()), cells, *largest});
  }
  for (size_t k = 1; k < errors.size(); ++k) {
    if (errors[k].Name == errors[k - 1].Name) { // cells come first
      errors[k - 1].Name += " (cells)";
      errors[k].Name += " (points)";
    }
  }
  return errors;
}

void GridExecution::CountGrid(const GridDataset &dataset, int64_t more, vtkIdType *sums) {
  const tsr_grid_sizes &sizes = dataset.Sizes();
  const vtkIdType cells = dataset.Counts() ? dataset.WholeCells() : 0;
  tsr_report one;
  tsr_grid_plan_report(dataset.CorePlan(), &one);
  one.items = dataset.MeshCells() > 0 ? dataset.MeshCells() : one.items;
  if (dataset.IsOctree() && !dataset.Counts()) {
    one.items = 0; // each process has all cells
  }
  one.cells += more;
  this->Total.Add(one);
  sums[VISIBLE] += dataset.SeenCells();
  // The core counts the fine cells of all processes at once.
  sums[FINE] += dataset.Counts() ? sizes.fine_cells : 0;
  sums[LEAVES] += sizes.leaves;
  sums[CELLS] += sizes.dimension > 0 ? cells : 0;
  sums[OF_OCTREES] += dataset.MeshCells() > 0 ? cells : 0;
  sums[ABOVE] += sizes.notes[TSR_GRID_NOTE_SAMPLES].count;
  const auto base = static_cast<size_t>(dataset.Options().base_levels);
  for (size_t level = 0; level + base < this->OfLevel.size(); ++level) {
    this->OfLevel[level] += sizes.leaves_of_level[level + base];
  }
  // The report gives the last note, of leaves above the threshold: most meshes have some.
  this->AddNotes(sizes.notes, TSR_GRID_NOTE_SAMPLES, dataset.Block());
}

void GridExecution::TakeSums(const vtkIdType *sums) {
  this->Visible = sums[VISIBLE];
  this->Fine = sums[FINE];
  this->Uncut = sums[LEAVES];
  this->BytesIn = sums[BYTES_IN];
  this->BytesOut = sums[BYTES_OUT];
  this->OfOctrees = sums[OF_OCTREES];
  this->Above = sums[ABOVE];
  if (this->Fine == 0 && sums[CELLS] > 0 && this->Group.Rank() == 0) {
    // A mesh whose cells are all hidden has no octree.
    this->Messages.Add(this->OfOctrees == sums[CELLS]
                           ? std::string(NOTHING_WHOLLY_INSIDE)
                           : "All " + std::to_string(sums[CELLS]) +
                                 " cells of the input are hidden: the output has none.");
  }
}

void GridExecution::Conclude() {
  vtkIdType sums[SUMS] = {};
  double scale = 1.0, levels = this->MostLevels;
  int64_t more = this->CutMore; // cells of all grids are counted together: with the first
  for (const auto &dataset : this->Grids) {
    if (!dataset) {
      continue;
    }
    this->CountGrid(*dataset, more, sums);
    more = 0;
    const tsr_grid_sizes &sizes = dataset->Sizes();
    scale = std::max(scale, sizes.threshold_scale);
    levels = std::max<double>(levels, sizes.levels - dataset->Options().base_levels + 1);
  }
  sums[VISIBLE] += this->CutMore;
  sums[BYTES_IN] = BytesOf(this->Input);
  for (const auto &output : this->Outputs) {
    sums[BYTES_OUT] += output ? BytesOf(output) : 0;
  }
  this->Total.SetToleranceScale(scale);
  this->AgreeOnReport();
  this->Group.Sum(sums, SUMS);
  this->TakeSums(sums);
  this->Group.Sum(this->OfLevel.data(), static_cast<int>(this->OfLevel.size()));
  this->Group.Max(&this->Bent, 1);
  const tsr_processes group = this->Group.Core();
  tsr_maxima_agree(&this->Largest, &group, nullptr); // on failure only the report is incomplete
  this->NameBalance();
  this->Group.Max(&levels, 1);
  this->MostLevels = static_cast<int>(levels);
}

std::string GridExecution::NoteSentence(int kind, const tsr_note_count &note,
                                        const std::string &where) const {
  if (kind == GRID_NOTE_DATASET) {
    return CountedFirst(note.count, "dataset is of a kind that is not taken and is left out",
                        "datasets are of kinds that are not taken and are left out", where);
  }
  if (kind == GRID_NOTE_UNFIT) {
    return CountedFirst(note.count, "further unstructured grid is unusable and is left out",
                        "further unstructured grids are unusable and are left out", where);
  }
  if (kind == GRID_NOTE_NO_ARRAY) {
    return CountedFirst(
        note.count,
        "block has no array that a criterion can look at and comes out as the coarsest grid",
        "blocks have no array that a criterion can look at and come out as the coarsest grid",
        where);
  }
  char text[500];
  tsr_grid_note_sentence(static_cast<tsr_grid_note>(kind), note, text, sizeof(text));
  return WithPlace(text, where);
}

} // namespace tessera
