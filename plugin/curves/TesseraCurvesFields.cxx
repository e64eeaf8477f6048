// SPDX-License-Identifier: BSD-3-Clause
#include "curves/TesseraCurvesFields.h"

#include "curves/TesseraBytes.h"
#include "curves/TesseraCurvesModes.h"
#include "mpi/TesseraProcesses.h"

#include <vtkDataArray.h>
#include <vtkDataSetAttributes.h>
#include <vtkPointData.h>
#include <vtkPointSet.h>
#include <vtkVariant.h>

#include <algorithm>
#include <limits>

namespace tessera {

namespace {

const double Infinity = std::numeric_limits<double>::infinity();

} // namespace

void FieldRanges::Widen(const std::string &name, size_t component, double least, double most) {
  std::vector<double> &bounds = this->Bounds[name];
  while (bounds.size() < 2 * component + 2) {
    bounds.push_back(Infinity);
    bounds.push_back(-Infinity);
  }
  bounds[2 * component] = std::min(bounds[2 * component], least);
  bounds[2 * component + 1] = std::max(bounds[2 * component + 1], most);
}

void FieldRanges::Add(vtkDataArray *array) {
  for (int component = 0; component < array->GetNumberOfComponents(); ++component) {
    double range[2];
    array->GetFiniteRange(range, component);
    this->Widen(NameOf(array), static_cast<size_t>(component), range[0], range[1]);
  }
}

void FieldRanges::Agree(const Processes &group) {
  std::string mine;
  for (const auto &one : this->Bounds) {
    Append(mine, one.first.size());
    mine += one.first;
    Append(mine, one.second.size());
    for (const double bound : one.second) {
      Append(mine, bound);
    }
  }
  std::vector<vtkIdType> sizes;
  const std::string all = group.Concatenate(mine, sizes);
  for (const char *at = all.data(); at < all.data() + all.size();) {
    const size_t length = Take<size_t>(at);
    const std::string name(at, length);
    at += length;
    const size_t bounds = Take<size_t>(at);
    for (size_t component = 0; component < bounds / 2; ++component) {
      const double least = Take<double>(at);
      this->Widen(name, component, least, Take<double>(at));
    }
  }
}

double FieldRanges::Of(vtkDataArray *array) const {
  const auto found = this->Bounds.find(NameOf(array));
  double most = 0.0;
  for (size_t i = 0; found != this->Bounds.end() && i < found->second.size(); i += 2) {
    most = std::max(most, found->second[i + 1] - found->second[i]);
  }
  return std::min(most, 1e300);
}

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
  if (view.Set(vtkDataArray::SafeDownCast(array))) {
    this->Views.push_back(view);
    this->Labels.push_back(view.Get());
    return;
  }
  this->Codes.push_back(LabelCodes(array));
  this->Labels.push_back(
      {this->Codes.back().data(), TSR_INT64, array->GetNumberOfComponents(), points});
}

void CurvesFields::AddRanges(FieldRanges &ranges) const {
  for (vtkDataArray *array : this->Sources) {
    ranges.Add(array);
  }
}

void CurvesFields::Apply(const FieldRanges &ranges, tsr_curves_options &options) {
  this->Ranges.clear();
  for (vtkDataArray *array : this->Sources) {
    this->Ranges.push_back(ranges.Of(array));
  }
  options.fields = this->Fields.data();
  options.field_ranges = this->Ranges.data();
  options.field_modes = this->Modes.data();
  options.n_fields = static_cast<int>(this->Fields.size());
  options.labels = this->Labels.data();
  options.n_labels = static_cast<int>(this->Labels.size());
}

} // namespace tessera
