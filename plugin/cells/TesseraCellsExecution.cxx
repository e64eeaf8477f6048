// SPDX-License-Identifier: BSD-3-Clause
#include "cells/TesseraCellsExecution.h"

#include "frame/data/TesseraDatasets.h"

#include <vtkPointSet.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tessera {

CellsExecution::CellsExecution(vtkDataObject *input, const CellsSettings &settings,
                               ThreadRunner &runner)
    : Execution(input, runner, CELLS_NOTES), Settings(settings),
      Found(settings.FieldErrorArrays.size(), 0) {}

bool CellsExecution::Run() {
  bool good = this->Step([this] { this->Collect(); });
  if (good) {
    this->ShareBox();
    good = this->Step([this] { this->ShareRanges(); });
  }
  if (good && !this->MakePlans()) {
    return this->AllTooLarge() ? this->IsWithinLimit(false) : false;
  }
  good = good && this->FitBudget() && this->IsWithinLimit(true);
  if (!good || this->OnlyEstimate) {
    return good;
  }
  good = this->FillAll();
  if (good) {
    this->Conclude();
  }
  return good;
}

void CellsExecution::Collect() {
  for (const Dataset &dataset : Datasets(this->Input)) {
    auto *grid = vtkUnstructuredGrid::SafeDownCast(dataset.Data);
    this->Blocks.push_back(dataset.Block);
    this->Cells.emplace_back(grid ? new CellsDataset(grid, this->Settings) : nullptr);
    if (!grid) {
      this->AllNotes.Add(CELLS_NOTE_DATASET, 1, 0, dataset.Block);
      continue;
    }
    this->Runner.KnowArrays(this->Input, grid);
    for (size_t i = 0; i < this->Found.size(); ++i) {
      this->Found[i] += this->Cells.back()->HasField(this->Settings.FieldErrorArrays[i]);
    }
  }
  this->Runner.SetParts(this->Cells.size());
}

/** The box of all points, of all blocks and processes. */
void CellsExecution::ShareBox() {
  const double none = -std::numeric_limits<double>::infinity();
  double most[6] = {none, none, none, none, none, none}; // -xmin xmax -ymin ymax -zmin zmax
  for (const auto &dataset : this->Cells) {
    if (dataset && dataset->Input()->GetNumberOfPoints() > 0) {
      double bounds[6];
      dataset->Input()->GetBounds(bounds);
      for (int i = 0; i < 6; ++i) {
        most[i] = std::max(most[i], i % 2 == 0 ? -bounds[i] : bounds[i]);
      }
    }
  }
  this->Group.Max(most, 6);
  double sum = 0.0, largest = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double span = most[2 * axis] + most[2 * axis + 1];
    sum += span * span;
    largest = std::max({largest, most[2 * axis], most[2 * axis + 1]});
  }
  this->ReferenceLength = std::isfinite(sum) ? std::sqrt(sum) : 0.0;
  this->LargestPlace = std::isfinite(sum) ? largest : 0.0;
}

void CellsExecution::ShareRanges() {
  for (const auto &dataset : this->Cells) {
    if (dataset) {
      dataset->AddRanges(this->Ranges);
    }
  }
  const tsr_processes group = this->Group.Core();
  tsr_maxima_agree(&this->Ranges, &group, &this->Failure);
}

bool CellsExecution::MakePlans() {
  std::vector<double> bytes;
  for (const auto &dataset : this->Cells) {
    if (dataset) {
      dataset->SetBox(this->ReferenceLength, this->LargestPlace);
    }
    bytes.push_back(dataset ? dataset->BytesPerItem() : 0.0);
  }
  return this->PlanEach(this->Allowed(), bytes, 0, [this](size_t i, int64_t limit) {
    CellsDataset &dataset = *this->Cells[i];
    const bool good = dataset.MakePlan(this->Runner.Core(), this->Ranges, limit, this->Failure);
    return good && this->Settings.point_budget == 0 ? dataset.Bytes() : 0.0;
  });
}

bool CellsExecution::FitBudget() {
  std::vector<tsr_cells_plan *> plans;
  if (this->Settings.point_budget == 0) {
    return true;
  }
  for (const auto &dataset : this->Cells) {
    if (dataset) {
      plans.push_back(dataset->Plan());
    }
  }
  return this->Step([this, &plans] {
    tsr_cells_fit_budget(plans.empty() ? nullptr : plans.data(), static_cast<int>(plans.size()),
                         this->Settings.point_budget, SumOver, &this->Group, &this->BudgetScale,
                         &this->Failure);
  });
}

bool CellsExecution::IsWithinLimit(bool counted) {
  OutputSize size(this->Limit, "points");
  if (!size.SetFrom(this->Group, this->Cells, counted)) {
    return false;
  }
  std::string otherwise = "take a larger chord error or field error, or set Point Budget";
  if (counted) { // else counting ended where the points alone were too many
    otherwise += " to " + std::to_string(static_cast<int64_t>(size.ItemsThatFit(size.Count())));
  }
  return this->IsAllowed(size, otherwise.c_str());
}

bool CellsExecution::FillAll() {
  return this->FillEach(this->Cells.size(), 0, [this](size_t i) {
    vtkSmartPointer<vtkDataObject> output;
    if (this->Cells[i]) {
      output = this->Cells[i]->Fill(this->Runner, this->Messages, this->Failure);
    }
    return output;
  });
}

void CellsExecution::Conclude() {
  this->Total.SetToleranceScale(this->BudgetScale);
  for (size_t i = 0; i < this->Cells.size(); ++i) {
    if (this->Cells[i]) {
      const tsr_cells_sizes &sizes = this->Cells[i]->Sizes();
      tsr_report one;
      tsr_cells_plan_report(this->Cells[i]->Plan(), &one);
      this->Total.Add(one);
      this->CurvedFaces += sizes.faces;
      this->AddNotes(sizes.notes, TSR_CELLS_NOTES, this->Blocks[i]);
    }
  }
  this->AgreeOnReport();
  this->Group.Sum(&this->CurvedFaces, 1);
  if (!this->Found.empty()) {
    this->Group.Sum(this->Found.data(), static_cast<int>(this->Found.size()));
  }
}

std::vector<std::string> CellsExecution::Warnings() const {
  std::vector<std::string> warnings = this->Execution::Warnings();
  if (this->Group.Rank() == 0 && std::isinf(this->BudgetScale)) {
    warnings.push_back("The point budget of " + std::to_string(this->Settings.point_budget) +
                       " is too small: the corners of the faces alone are more, and the coarsest "
                       "output was made.");
  }
  if (this->Group.Rank() == 0 && this->Group.Count() > 1 &&
      this->Settings.Options.use_normal_angle) {
    warnings.push_back("With Normal Angle the faces of different processes may not fit along their "
                       "common edges, since each process divides an edge by its own faces.");
  }
  if (this->Group.Rank() == 0 && this->Settings.Options.output == TSR_CELLS_VOLUMES) {
    if (this->Group.Count() > 1 || this->Cells.size() > 1) {
      warnings.push_back("With Output Type Cells the tetrahedra of different processes and blocks "
                         "may not fit along their common faces, since each divides a face by its "
                         "own cells.");
    }
    if (this->Settings.normals || this->Settings.parameters) {
      warnings.push_back("Generate Normals and Generate Parametric Coordinates make nothing with "
                         "Output Type Cells.");
    }
  }
  for (size_t i = 0; this->Group.Rank() == 0 && i < this->Found.size(); ++i) {
    if (this->Settings.Options.use_field_error && this->Found[i] == 0) {
      warnings.push_back("There is no numeric point array '" + this->Settings.FieldErrorArrays[i] +
                         "', so its field error was not considered.");
    }
  }
  return warnings;
}

std::string CellsExecution::NoteSentence(int kind, const tsr_note_count &note,
                                         const std::string &where) const {
  if (kind == CELLS_NOTE_DATASET) {
    return CountedFirst(note.count, "dataset is no unstructured grid and is left out",
                        "datasets are no unstructured grids and are left out", where);
  }
  char text[500];
  tsr_cells_note_sentence(static_cast<tsr_cells_note>(kind), note, text, sizeof(text));
  return WithPlace(text, where);
}

} // namespace tessera
