// SPDX-License-Identifier: BSD-3-Clause
#include "curves/TesseraCurvesJob.h"

#include "frame/TesseraLeaves.h"

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

int64_t SumOverProcesses(void *group, int64_t value) {
  vtkIdType sum = static_cast<vtkIdType>(value);
  static_cast<const Processes *>(group)->Sum(&sum, 1);
  return sum;
}

bool IsSupported(vtkDataObject *data) {
  return vtkPolyData::SafeDownCast(data) || vtkUnstructuredGrid::SafeDownCast(data);
}

/** A search counts the points some twenty times: with very many, that takes longer than anyone
 * wants to wait for a refusal. */
bool IsSearched(const OutputSize &size) { return size.Count() <= 2e6; }

} // namespace

CurvesJob::CurvesJob(vtkDataObject *input, const CurvesSettings &settings, CurvesBoxes &boxes,
                     Execution &execution)
    : Job(input, execution, CURVES_NOTES), Settings(settings), Modes(settings.Arrays), Boxes(boxes),
      FieldCounts(settings.FieldErrorArrays.size() * FIELD_STATES, 0) {
  for (int i = 0; i < 6; ++i) {
    this->Box[i] = (i % 2 == 0 ? 1.0 : -1.0) * std::numeric_limits<double>::infinity();
  }
}

bool CurvesJob::Run() {
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

void CurvesJob::Collect() {
  for (const Leaf &leaf : Leaves(this->Input)) {
    this->Blocks.push_back(leaf.Block);
    if (!IsSupported(leaf.Data)) {
      this->AllNotes.Add(CURVES_NOTE_LEAF, 1, 0, leaf.Block);
      this->Curves.emplace_back(nullptr);
      continue;
    }
    this->Curves.emplace_back(new CurvesLeaf(vtkPointSet::SafeDownCast(leaf.Data), leaf.Block,
                                             this->Settings, this->Modes));
    if (!this->Curves.back()->JoinLines(this->Failure)) {
      return;
    }
    const CurvesLeaf &curves = *this->Curves.back();
    // Alone it is an error; among others they can go on without it.
    if (this->Composite && !curves.WeightsFit()) {
      this->AllNotes.Add(CURVES_NOTE_WEIGHTS, 1, curves.View()->weights.tuples, leaf.Block);
      this->Curves.back().reset();
    } else if (curves.Input()->GetNumberOfPoints() > 0) {
      this->CountFields(curves, leaf.Block);
    }
  }
  this->Executor.SetParts(this->Curves.size());
}

void CurvesJob::CountFields(const CurvesLeaf &curves, unsigned int block) {
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

bool CurvesJob::FindBox(const CurvesLeaf &leaf, CurvesBoxes &found, CurvesBoxes::Box &box) {
  const vtkMTimeType changed = LastChange(this->Input, leaf.Input());
  if (const CurvesBoxes::Box *known = this->Boxes.Find(leaf, changed)) {
    box = *known;
  } else if (tsr_curves_bounds(leaf.View(), this->Executor.Core(), box.data(), &this->Failure) !=
             TSR_OK) {
    return false;
  }
  found.Add(leaf, changed, box);
  return true;
}

void CurvesJob::Bounds() {
  CurvesBoxes found;
  for (const auto &leaf : this->Curves) {
    CurvesBoxes::Box box;
    if (leaf) {
      if (!this->FindBox(*leaf, found, box)) {
        return;
      }
      for (size_t i = 0; i < 6; ++i) {
        this->Box[i] = i % 2 == 0 ? std::min(this->Box[i], box[i]) : std::max(this->Box[i], box[i]);
      }
    }
  }
  this->Boxes = std::move(found); // what is no more in the input is forgotten
}

void CurvesJob::ShareBounds() {
  const tsr_processes group = this->Group.Core();
  tsr_curves_agree_bounds(this->Box, &group, &this->Failure);
  this->ReferenceLength = tsr_curves_diagonal(this->Box);
  this->LargestPlace = tsr_curves_largest_place(this->Box);
}

void CurvesJob::ChoosePrecision() {
  tsr_curves_options options = this->Settings.Options;
  options.reference_length = this->ReferenceLength;
  vtkIdType single = 0;
  for (const auto &leaf : this->Curves) {
    single += leaf && leaf->IsSingle();
  }
  this->Group.Sum(&single, 1);
  this->TooCoarse = single > 0 && tsr_curves_is_too_coarse(&options, this->LargestPlace);
  for (const auto &leaf : this->Curves) {
    if (leaf && this->TooCoarse &&
        this->Settings.output_precision == vtkAlgorithm::DEFAULT_PRECISION) {
      leaf->UseDouble();
    }
  }
}

void CurvesJob::ShareModes() {
  for (const auto &leaf : this->Curves) {
    if (leaf) {
      this->Modes.Add(leaf->Input());
    }
  }
  this->Modes.Agree(this->Group, this->Failure);
  for (const auto &leaf : this->Curves) {
    if (leaf) {
      leaf->Fields().Choose(this->Modes, this->Settings.Options.joints == TSR_JOINTS_WHERE_NEEDED);
    }
  }
}

void CurvesJob::ShareRanges() {
  for (const auto &leaf : this->Curves) {
    if (leaf) {
      leaf->Fields().AddRanges(this->Ranges);
    }
  }
  const tsr_processes group = this->Group.Core();
  tsr_maxima_agree(&this->Ranges, &group, &this->Failure);
}

bool CurvesJob::MakePlans() {
  std::vector<double> bytes;
  for (const auto &leaf : this->Curves) {
    bytes.push_back(leaf ? leaf->BytesPerPoint() : 0.0);
    if (leaf) {
      this->Executor.KnowArrays(this->Input, leaf->Input());
    }
  }
  return this->PlanEach(this->Allowed(), bytes, 0, [this](size_t i, int64_t limit) {
    CurvesLeaf &leaf = *this->Curves[i];
    const bool good =
        leaf.MakePlan(this->Executor.Core(), this->ReferenceLength, this->LargestPlace,
                      this->Ranges, limit, this->Settings.point_budget > 0, this->Failure);
    return good ? leaf.Bytes() : 0.0;
  });
}

bool CurvesJob::MakePlansAgain() {
  std::memset(&this->Failure, 0, sizeof(this->Failure));
  return this->Step([this] {
    for (size_t i = 0; i < this->Curves.size() && this->Failure.status == TSR_OK; ++i) {
      if (this->Curves[i]) {
        this->Curves[i]->MakePlan(this->Executor.Core(), this->ReferenceLength, this->LargestPlace,
                                  this->Ranges, 0, true, this->Failure);
      }
    }
  });
}

bool CurvesJob::IsWithinLimit(bool counted) {
  OutputSize size(this->Limit, "points");
  double points = 0.0, bytes = 0.0, each = 0.0;
  for (const auto &leaf : this->Curves) {
    points += leaf && counted ? static_cast<double>(leaf->Sizes().points) : 0.0;
    bytes += leaf && counted ? leaf->Bytes() : 0.0;
    each = leaf ? std::max(each, leaf->BytesPerPoint() + sizeof(vtkIdType)) : each;
  }
  if (counted) {
    size.Set(this->Group, points, bytes);
  } else if (!size.SetAtLeast(this->Group, each)) {
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

Tolerances CurvesJob::InUse() const {
  tsr_tolerance list[TSR_CURVES_TOLERANCES];
  return Tolerances(list, list + tsr_curves_tolerances(&this->Settings.Options, list));
}

void CurvesJob::Refuse(const OutputSize &size, double fit) {
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

void CurvesJob::FitBudget(int64_t budget) {
  std::vector<tsr_curves_plan *> plans;
  for (const auto &leaf : this->Curves) {
    if (leaf) {
      plans.push_back(leaf->Plan());
    }
  }
  tsr_curves_fit_budget(plans.empty() ? nullptr : plans.data(), static_cast<int>(plans.size()),
                        budget, SumOverProcesses, &this->Group, &this->BudgetScale, &this->Failure);
}

bool CurvesJob::CheckSizes() {
  double points = 0.0;
  double bytes = 0.0;
  for (const auto &leaf : this->Curves) {
    points += leaf ? static_cast<double>(leaf->Sizes().points) : 0.0;
    bytes += leaf ? leaf->Bytes() : 0.0;
  }
  CheckMemory(this->Group, points, bytes, this->Failure);
  return this->Step([] {});
}

bool CurvesJob::FillAll() {
  return this->FillEach(this->Curves.size(), 0, [this](size_t i) {
    vtkSmartPointer<vtkDataObject> output;
    if (this->Curves[i]) {
      output = this->Curves[i]->Fill(this->Executor, this->Made, this->Messages, this->Failure);
    }
    return output;
  });
}

bool CurvesJob::CountLabelChanges() {
  return this->Step([this] {
    for (size_t i = 0; i < this->Curves.size() && this->Failure.status == TSR_OK; ++i) {
      if (this->Curves[i]) {
        this->Curves[i]->AddLabelChanges(this->LabelChanges, this->Failure);
      }
    }
  });
}

void CurvesJob::Conclude() {
  this->Total.SetToleranceScale(this->BudgetScale);
  for (const auto &leaf : this->Curves) {
    if (leaf) {
      tsr_report one;
      tsr_curves_plan_report(leaf->Plan(), &one);
      this->Total.Add(one);
      leaf->AddNotes(this->AllNotes);
      this->KeptApart.Add(leaf->Apart());
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
