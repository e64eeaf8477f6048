// SPDX-License-Identifier: BSD-3-Clause
#include "curves/TesseraCurvesExecution.h"

#include "frame/data/TesseraDatasets.h"

#include <vtkAlgorithm.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace tessera {

namespace {

const int FIELD_STATES = FIELD_IN_USE + 1;

bool IsSupported(vtkDataObject *data) {
  return vtkPolyData::SafeDownCast(data) || vtkUnstructuredGrid::SafeDownCast(data);
}

/** A search counts the points some twenty times: with very many, that takes longer than anyone
 * wants to wait for a refusal. */
bool IsSearched(const OutputSize &size) { return size.Count() <= 2e6; }

} // namespace

CurvesExecution::CurvesExecution(vtkDataObject *input, const CurvesSettings &settings,
                                 CurvesBoxes &boxes, ThreadRunner &runner)
    : Execution(input, runner, CURVES_NOTES), Settings(settings), Modes(settings.Arrays),
      Boxes(boxes), FieldCounts(settings.FieldErrorArrays.size() * FIELD_STATES, 0) {
  for (int i = 0; i < 6; ++i) {
    this->Box[i] = (i % 2 == 0 ? 1.0 : -1.0) * std::numeric_limits<double>::infinity();
  }
}

bool CurvesExecution::Run() {
  const tsr_curves_options &options = this->Settings.Options;
  bool good = this->Step([this] { this->Collect(); });
  if (good && (options.use_chord_error || options.sampling == TSR_SAMPLING_EQUAL_ARC_LENGTH)) {
    good = this->Step([this] { this->Bounds(); });
    if (good) {
      this->ShareBounds();
    }
    if (good && options.use_chord_error) {
      this->ChoosePrecision();
    }
  }
  if (good) {
    this->ShareModes();
  }
  if (good && options.use_field_error && options.field_relative) {
    this->ShareRanges();
  }
  if (good && !this->MakePlans()) {
    return this->AllTooLarge() ? this->IsWithinLimit(false) : false;
  }
  if (good && this->Settings.point_budget > 0) {
    good = this->Step([this] { this->FitBudget(this->Settings.point_budget); });
    if (!good && this->AllTooLarge()) {
      return this->IsWithinLimit(false);
    }
  }
  good = good && this->IsWithinLimit(true);
  if (!good || this->OnlyEstimate) {
    return good;
  }
  good = this->CheckSizes() && this->FillAll() && this->CountLabelChanges();
  if (good) {
    this->Conclude();
  }
  return good;
}

void CurvesExecution::Collect() {
  for (const Dataset &dataset : Datasets(this->Input)) {
    this->Blocks.push_back(dataset.Block);
    if (!IsSupported(dataset.Data)) {
      this->AllNotes.Add(CURVES_NOTE_DATASET, 1, 0, dataset.Block);
      this->Curves.emplace_back(nullptr);
      continue;
    }
    this->Curves.emplace_back(new CurvesDataset(vtkPointSet::SafeDownCast(dataset.Data),
                                                dataset.Block, this->Settings, this->Modes));
    if (!this->Curves.back()->JoinLines(this->Failure)) {
      return;
    }
    const CurvesDataset &curves = *this->Curves.back();
    // Alone it is an error; among others they can go on without it.
    if (this->Composite && !curves.WeightsFit()) {
      this->AllNotes.Add(CURVES_NOTE_WEIGHTS, 1, curves.View()->weights.tuples, dataset.Block);
      this->Curves.back().reset();
    } else if (curves.Input()->GetNumberOfPoints() > 0) {
      this->CountFields(curves, dataset.Block);
    }
  }
  this->Runner.SetParts(this->Curves.size());
}

void CurvesExecution::CountFields(const CurvesDataset &curves, unsigned int block) {
  for (size_t i = 0; i < curves.Fields().States().size(); ++i) {
    const FieldState state = curves.Fields().States()[i];
    const std::string &name = this->Settings.FieldErrorArrays[i];
    ++this->FieldCounts[i * FIELD_STATES + static_cast<size_t>(state)];
    if (state == FIELD_WRONG_LENGTH && this->Settings.Options.use_field_error) {
      vtkPointSet *data = curves.Input();
      const vtkIdType tuples =
          data->GetPointData()->GetAbstractArray(name.c_str())->GetNumberOfTuples();
      const std::string where = BlockText(this->Input, block);
      this->Messages.Add("The point array '" + name + "' has " + std::to_string(tuples) +
                         " tuples for " + std::to_string(data->GetNumberOfPoints()) + " points" +
                         (where.empty() ? "" : " " + where) +
                         ", so its field error was not considered.");
    }
  }
}

bool CurvesExecution::FindBox(const CurvesDataset &dataset, CurvesBoxes &found,
                              CurvesBoxes::Box &box) {
  const vtkMTimeType changed = LastChange(this->Input, dataset.Input());
  if (const CurvesBoxes::Box *known = this->Boxes.Find(dataset, changed)) {
    box = *known;
  } else if (tsr_curves_bounds(dataset.View(), this->Runner.Core(), box.data(), &this->Failure) !=
             TSR_OK) {
    return false;
  }
  found.Add(dataset, changed, box);
  return true;
}

void CurvesExecution::Bounds() {
  CurvesBoxes found;
  for (const auto &dataset : this->Curves) {
    CurvesBoxes::Box box;
    if (dataset) {
      if (!this->FindBox(*dataset, found, box)) {
        return;
      }
      for (size_t i = 0; i < 6; ++i) {
        this->Box[i] = i % 2 == 0 ? std::min(this->Box[i], box[i]) : std::max(this->Box[i], box[i]);
      }
    }
  }
  this->Boxes = std::move(found); // what is no more in the input is forgotten
}

void CurvesExecution::ShareBounds() {
  const tsr_processes group = this->Group.Core();
  tsr_curves_agree_bounds(this->Box, &group, &this->Failure);
  this->ReferenceLength = tsr_curves_diagonal(this->Box);
  this->LargestPlace = tsr_curves_largest_place(this->Box);
}

void CurvesExecution::ChoosePrecision() {
  tsr_curves_options options = this->Settings.Options;
  options.reference_length = this->ReferenceLength;
  vtkIdType single = 0;
  for (const auto &dataset : this->Curves) {
    single += dataset && dataset->IsSingle();
  }
  this->Group.Sum(&single, 1);
  this->TooCoarse = single > 0 && tsr_curves_is_too_coarse(&options, this->LargestPlace);
  for (const auto &dataset : this->Curves) {
    if (dataset && this->TooCoarse &&
        this->Settings.output_precision == vtkAlgorithm::DEFAULT_PRECISION) {
      dataset->UseDouble();
    }
  }
}

void CurvesExecution::ShareModes() {
  for (const auto &dataset : this->Curves) {
    if (dataset) {
      this->Modes.Add(dataset->Input());
    }
  }
  this->Modes.Agree(this->Group, this->Failure);
  for (const auto &dataset : this->Curves) {
    if (dataset) {
      dataset->Fields().Choose(this->Modes,
                               this->Settings.Options.joints == TSR_JOINTS_WHERE_NEEDED);
    }
  }
}

void CurvesExecution::ShareRanges() {
  for (const auto &dataset : this->Curves) {
    if (dataset) {
      dataset->Fields().AddRanges(this->Ranges);
    }
  }
  const tsr_processes group = this->Group.Core();
  tsr_maxima_agree(&this->Ranges, &group, &this->Failure);
}

bool CurvesExecution::MakePlans() {
  std::vector<double> bytes;
  for (const auto &dataset : this->Curves) {
    bytes.push_back(dataset ? dataset->BytesPerPoint() : 0.0);
    if (dataset) {
      this->Runner.KnowArrays(this->Input, dataset->Input());
    }
  }
  return this->PlanEach(this->Allowed(), bytes, 0, [this](size_t i, int64_t limit) {
    CurvesDataset &dataset = *this->Curves[i];
    const bool good =
        dataset.MakePlan(this->Runner.Core(), this->ReferenceLength, this->LargestPlace,
                         this->Ranges, limit, this->Settings.point_budget > 0, this->Failure);
    return good ? dataset.Bytes() : 0.0;
  });
}

bool CurvesExecution::MakePlansAgain() {
  std::memset(&this->Failure, 0, sizeof(this->Failure));
  return this->Step([this] {
    for (size_t i = 0; i < this->Curves.size() && this->Failure.status == TSR_OK; ++i) {
      if (this->Curves[i]) {
        this->Curves[i]->MakePlan(this->Runner.Core(), this->ReferenceLength, this->LargestPlace,
                                  this->Ranges, 0, true, this->Failure);
      }
    }
  });
}

bool CurvesExecution::IsWithinLimit(bool counted) {
  OutputSize size(this->Limit, "points");
  if (!size.SetFrom(this->Group, this->Curves, counted)) {
    return false;
  }
  this->EstimateSentence = size.Sentence();
  if (size.Fits()) {
    return true;
  }
  if (counted || !IsSearched(size) || this->MakePlansAgain()) {
    this->Refuse(size, size.ItemsThatFit(size.Count()));
  }
  return false;
}

Tolerances CurvesExecution::InUse() const {
  tsr_tolerance list[TSR_CURVES_TOLERANCES];
  return Tolerances(list, list + tsr_curves_tolerances(&this->Settings.Options, list));
}

void CurvesExecution::Refuse(const OutputSize &size, double fit) {
  const std::string budget = "set Point Budget to " + std::to_string(static_cast<int64_t>(fit));
  const tsr_curves_options &options = this->Settings.Options;
  if (this->Settings.point_budget > 0) {
    this->FailTogether(size.Refusal({}, 1.0, budget));
  } else if (options.sampling == TSR_SAMPLING_EQUAL_ARC_LENGTH && !options.use_max_length) {
    this->FailTogether(size.Refusal({}, 1.0, "lower Number Of Segments, or " + budget));
  } else if (!IsSearched(size)) {
    this->FailTogether(size.Refusal({}, 1.0, "raise the tolerances, or " + budget));
  } else if (this->Step([this, fit] { this->FitBudget(static_cast<int64_t>(fit)); })) {
    this->FailTogether(size.Refusal(this->InUse(), this->BudgetScale,
                                    "no tolerance makes it fit; take fewer curves"));
  }
}

void CurvesExecution::FitBudget(int64_t budget) {
  std::vector<tsr_curves_plan *> plans;
  for (const auto &dataset : this->Curves) {
    if (dataset) {
      plans.push_back(dataset->Plan());
    }
  }
  tsr_curves_fit_budget(plans.empty() ? nullptr : plans.data(), static_cast<int>(plans.size()),
                        budget, SumOver, &this->Group, &this->BudgetScale, &this->Failure);
}

bool CurvesExecution::CheckSizes() {
  double points = 0.0;
  double bytes = 0.0;
  for (const auto &dataset : this->Curves) {
    points += dataset ? static_cast<double>(dataset->Sizes().points) : 0.0;
    bytes += dataset ? dataset->Bytes() : 0.0;
  }
  CheckMemory(this->Group, points, bytes, this->Failure);
  return this->Step([] {});
}

bool CurvesExecution::FillAll() {
  return this->FillEach(this->Curves.size(), 0, [this](size_t i) {
    vtkSmartPointer<vtkDataObject> output;
    if (this->Curves[i]) {
      output = this->Curves[i]->Fill(this->Runner, this->Made, this->Messages, this->Failure);
    }
    return output;
  });
}

bool CurvesExecution::CountLabelChanges() {
  return this->Step([this] {
    for (size_t i = 0; i < this->Curves.size() && this->Failure.status == TSR_OK; ++i) {
      if (this->Curves[i]) {
        this->Curves[i]->AddLabelChanges(this->LabelChanges, this->Failure);
      }
    }
  });
}

void CurvesExecution::Conclude() {
  this->Total.SetToleranceScale(this->BudgetScale);
  for (const auto &dataset : this->Curves) {
    if (dataset) {
      tsr_report one;
      tsr_curves_plan_report(dataset->Plan(), &one);
      this->Total.Add(one);
      dataset->AddNotes(this->AllNotes);
      this->KeptApart.Add(dataset->Apart());
    }
  }
  this->AgreeOnReport();
  this->KeptApart.Agree(this->Group);
  this->LabelChanges.Agree(this->Group);
  this->Made.Agree(this->Group.Core());
  if (!this->FieldCounts.empty()) {
    this->Group.Sum(this->FieldCounts.data(), static_cast<int>(this->FieldCounts.size()));
  }
}

} // namespace tessera
