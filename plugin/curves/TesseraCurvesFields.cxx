// SPDX-License-Identifier: BSD-3-Clause
#include "curves/TesseraCurvesFields.h"

#include "curves/TesseraCurvesModes.h"

#include <vtkDataArray.h>
#include <vtkDataSetAttributes.h>
#include <vtkPointData.h>
#include <vtkPointSet.h>
#include <vtkVariant.h>

#include <algorithm>
#include <map>

namespace tessera {

CurvesFields::CurvesFields(vtkPointSet *data, const std::vector<std::string> &names)
    : Data(data), Names(names) {
  for (const std::string &name : names) {
    this->NameStates.push_back(this->StateOf(data->GetPointData()->GetAbstractArray(name.c_str())));
  }
}

void CurvesFields::Choose(const CurvesModes &modes, bool withLabels) {
  vtkPointData *arrays = this->Data->GetPointData();
  for (int i = 0; i < arrays->GetNumberOfArrays(); ++i) {
    vtkAbstractArray *array = arrays->GetAbstractArray(i);
    const tsr_interpolation mode = modes.Of(arrays, array);
    const bool named =
        std::find(this->Names.begin(), this->Names.end(), NameOf(array)) != this->Names.end();
    if (mode == TSR_INTERPOLATE_NEAREST) {
      if (withLabels) {
        this->AddLabels(array);
      }
    } else if (named || (this->Names.empty() && array != arrays->GetRationalWeights())) {
      this->AddField(array, mode);
    }
  }
}

FieldState CurvesFields::StateOf(vtkAbstractArray *array) const {
  tsr_type type;
  if (!array) {
    return FIELD_UNKNOWN;
  }
  if (!vtkDataArray::SafeDownCast(array) || !CoreType(array->GetDataType(), type)) {
    return FIELD_NOT_NUMERIC;
  }
  return array->GetNumberOfTuples() == this->Data->GetNumberOfPoints() ? FIELD_IN_USE
                                                                       : FIELD_WRONG_LENGTH;
}

std::vector<int64_t> LabelCodes(vtkAbstractArray *array) {
  std::map<std::string, int64_t> numbers;
  std::vector<int64_t> codes;
  for (vtkIdType value = 0; value < array->GetNumberOfValues(); ++value) {
    const auto place = numbers.emplace(array->GetVariantValue(value).ToString(), numbers.size());
    codes.push_back(place.first->second);
  }
  return codes;
}

void CurvesFields::AddField(vtkAbstractArray *array, tsr_interpolation mode) {
  ArrayView view;
  if (this->StateOf(array) == FIELD_IN_USE && view.Set(vtkDataArray::SafeDownCast(array))) {
    this->Views.push_back(view);
    this->Fields.push_back(view.Get());
    this->Modes.push_back(mode);
    this->Sources.push_back(vtkDataArray::SafeDownCast(array));
  }
}

void CurvesFields::AddLabels(vtkAbstractArray *array) {
  const vtkIdType points = this->Data->GetNumberOfPoints();
  ArrayView view;
  if (array->GetNumberOfTuples() != points) {
    return;
  }
  this->LabelNameList.push_back(NameOf(array));
  if (view.Set(vtkDataArray::SafeDownCast(array))) {
    this->Views.push_back(view);
    this->Labels.push_back(view.Get());
    return;
  }
  this->Codes.push_back(LabelCodes(array));
  this->Labels.push_back(
      {this->Codes.back().data(), TSR_INT64, array->GetNumberOfComponents(), points});
}

void CurvesFields::AddRanges(tsr_maxima &ranges) const {
  for (vtkDataArray *array : this->Sources) {
    tessera::AddRanges(array, ranges);
  }
}

void CurvesFields::Apply(const tsr_maxima &ranges, tsr_curves_options &options) {
  this->Ranges.clear();
  this->FieldNames.clear();
  for (vtkDataArray *array : this->Sources) {
    this->Ranges.push_back(tsr_maxima_widest(&ranges, NameOf(array).c_str()));
    this->FieldNames.push_back(array->GetName());
  }
  options.fields = this->Fields.data();
  options.field_ranges = this->Ranges.data();
  options.field_modes = this->Modes.data();
  options.field_names = this->FieldNames.data();
  options.n_fields = static_cast<int>(this->Fields.size());
  options.labels = this->Labels.data();
  options.n_labels = static_cast<int>(this->Labels.size());
}

} // namespace tessera
