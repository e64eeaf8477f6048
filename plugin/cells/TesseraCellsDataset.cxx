// SPDX-License-Identifier: BSD-3-Clause
#include "cells/TesseraCellsDataset.h"

#include "cells/TesseraCellsOutput.h"
#include "frame/TesseraVersions.h"

#include <vtkAlgorithm.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDataSetAttributes.h>
#include <vtkPointData.h>
#include <vtkPointSet.h>
#include <vtkPoints.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <numeric>

namespace tessera {

CellsDataset::CellsDataset(vtkUnstructuredGrid *input, const CellsSettings &settings)
    : Data(input), Settings(settings), Options(settings.Options) {
  tsr_cells_view_init(&this->View);
  if (input->GetPoints() && this->Points.Set(input->GetPoints()->GetData())) {
    this->View.points = this->Points.Get();
  }
  const bool wide = this->View.points.type == TSR_DOUBLE;
  this->View.single_points = PointType(settings.output_precision, wide) == VTK_FLOAT;
  if (this->Weights.Set(input->GetPointData()->GetRationalWeights())) {
    this->View.weights = this->Weights.Get();
  }
  if (input->GetNumberOfCells() > 0) {
    this->Indices.Set(input->GetCells());
    this->Indices.Describe(this->View);
    this->View.types = CellTypes(input, this->Types);
    this->SetRoles();
    if (this->Degrees.Set(input->GetCellData()->GetHigherOrderDegrees())) {
      this->View.degrees = this->Degrees.Get();
    }
  }
  this->ChooseFields();
}

CellsDataset::~CellsDataset() { tsr_cells_plan_free(this->CorePlan); }

/** Ghost cells hide the faces that they share; hidden cells do not exist. */
void CellsDataset::SetRoles() {
  const vtkIdType cells = this->Data->GetNumberOfCells();
  vtkCellData *data = this->Data->GetCellData();
  this->Roles = Flagged(data, cells, vtkDataSetAttributes::DUPLICATECELL);
  const std::vector<std::uint8_t> hidden = Flagged(data, cells, vtkDataSetAttributes::HIDDENCELL);
  for (size_t cell = 0; cell < this->Roles.size(); ++cell) {
    this->Roles[cell] = static_cast<std::uint8_t>(
        hidden[cell] ? TSR_CELLS_ABSENT
                     : (this->Roles[cell] ? TSR_CELLS_NEIGHBOUR : TSR_CELLS_DRAWN));
  }
  this->View.roles = this->Roles.empty() ? nullptr : this->Roles.data();
}

bool CellsDataset::IsField(vtkDataArray *array) const {
  vtkPointData *arrays = this->Data->GetPointData();
  const std::vector<std::string> &names = this->Settings.FieldErrorArrays;
  tsr_type type;
  if (!array || !CoreType(array->GetDataType(), type) ||
      array->GetNumberOfTuples() != this->Data->GetNumberOfPoints()) {
    return false;
  }
  if (!names.empty()) {
    return std::find(names.begin(), names.end(), NameOf(array)) != names.end();
  }
  return (type == TSR_FLOAT || type == TSR_DOUBLE) && array != arrays->GetRationalWeights();
}

bool CellsDataset::HasField(const std::string &name) const {
  return this->IsField(this->Data->GetPointData()->GetArray(name.c_str()));
}

void CellsDataset::ChooseFields() {
  vtkPointData *arrays = this->Data->GetPointData();
  for (int i = 0; i < arrays->GetNumberOfArrays(); ++i) {
    vtkDataArray *array = arrays->GetArray(i);
    ArrayView view;
    if (this->IsField(array) && view.Set(array)) {
      this->Sources.push_back(array);
      this->FieldViews.push_back(view);
      this->Fields.push_back(view.Get());
    }
  }
}

void CellsDataset::AddRanges(tsr_maxima &ranges) const {
  for (vtkDataArray *array : this->Sources) {
    tessera::AddRanges(array, ranges);
  }
}

void CellsDataset::SetBox(double referenceLength, double largestPlace) {
  this->Options.reference_length = referenceLength;
  this->Options.largest_place = largestPlace;
  this->MayCurve = tsr_cells_may_curve(&this->View) != 0;
  this->Widened = this->IsSingle() && this->MayCurve &&
                  this->Settings.output_precision == vtkAlgorithm::DEFAULT_PRECISION &&
                  tsr_cells_is_too_coarse(&this->Options);
  this->View.single_points = this->IsSingle() && !this->Widened;
}

bool CellsDataset::MakePlan(const tsr_execution *execution, const tsr_maxima &ranges,
                            int64_t limitPoints, tsr_error &error) {
  this->Ranges.clear();
  this->Largest.clear();
  for (vtkDataArray *array : this->Sources) {
    int n = 0;
    const double *numbers = tsr_maxima_find(&ranges, NameOf(array).c_str(), &n);
    this->Ranges.push_back(tsr_maxima_widest(&ranges, NameOf(array).c_str()));
    this->Largest.push_back(std::accumulate(numbers, numbers + n, 0.0,
                                            [](double a, double b) { return std::max(a, b); }));
  }
  this->Options.fields = this->Fields.data();
  this->Options.field_ranges = this->Ranges.data();
  this->Options.field_largest = this->Largest.data();
  this->Options.n_fields = static_cast<int>(this->Fields.size());
  this->Options.limit_points = limitPoints;
  this->Options.defer_count = this->Settings.point_budget > 0;
  tsr_cells_plan_free(this->CorePlan);
  this->CorePlan = nullptr;
  return tsr_cells_plan_create(&this->View, &this->Options, execution, &this->CorePlan, &error) ==
         TSR_OK;
}

void CellsDataset::TellOfRounding(WarningList &messages) const {
  if (!this->MayCurve) {
    return; // what is copied stays as it is
  }
  char text[500];
  const auto tell = [&messages, &text] {
    if (text[0]) {
      messages.Add(text);
    }
  };
  tsr_cells_points_sentence(&this->Options, this->IsSingle(), this->Widened, text, sizeof text);
  tell();
  for (size_t i = 0; i < this->Fields.size(); ++i) {
    tsr_cells_field_sentence(&this->Options, NameOf(this->Sources[i]).c_str(), this->Fields[i].type,
                             this->Ranges[i], this->Largest[i], text, sizeof text);
    tell();
  }
}

double CellsDataset::BytesPerItem() const { return CellsOutput::BytesPerPoint(*this); }

double CellsDataset::Bytes() const { return CellsOutput::Bytes(*this); }

vtkSmartPointer<vtkPointSet> CellsDataset::Fill(ThreadRunner &runner, WarningList &messages,
                                                tsr_error &error) {
  CellsOutput output(*this, messages);
  this->TellOfRounding(messages);
  return output.Fill(runner, error);
}

} // namespace tessera
