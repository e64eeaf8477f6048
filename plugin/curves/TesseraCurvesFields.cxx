// SPDX-License-Identifier: BSD-3-Clause
#include "curves/TesseraCurvesFields.h"

#include "mpi/TesseraProcesses.h"

#include <vtkDataArray.h>
#include <vtkDataSetAttributes.h>
#include <vtkPointData.h>
#include <vtkPointSet.h>
#include <vtkVariant.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace tessera {

namespace {

const double Infinity = std::numeric_limits<double>::infinity();

std::string NameOf(vtkAbstractArray *array) { return array->GetName() ? array->GetName() : ""; }

template <class T> void Append(std::string &bytes, const T &value) {
  bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
}

template <class T> T Take(const char *&at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  at += sizeof value;
  return value;
}

} // namespace

bool OnlyByNearest(vtkPointData *data, vtkAbstractArray *array) {
  return NameOf(array) == vtkDataSetAttributes::GhostArrayName() || array == data->GetGlobalIds() ||
         array == data->GetPedigreeIds();
}

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

CurvesFields::CurvesFields(vtkPointSet *data, const std::vector<std::string> &names,
                           bool withLabels) {
  vtkPointData *arrays = data->GetPointData();
  const vtkIdType points = data->GetNumberOfPoints();
  for (const std::string &name : names) {
    this->NameStates.push_back(this->AddField(arrays->GetAbstractArray(name.c_str()), points));
  }
  for (int i = 0; i < arrays->GetNumberOfArrays(); ++i) {
    vtkAbstractArray *array = arrays->GetAbstractArray(i);
    const bool label = !vtkDataArray::SafeDownCast(array) || OnlyByNearest(arrays, array);
    if (label && withLabels) {
      this->AddLabels(array, points);
    } else if (!label && names.empty() && array != arrays->GetRationalWeights()) {
      this->AddField(array, points);
    }
  }
}

FieldState CurvesFields::AddField(vtkAbstractArray *array, vtkIdType points) {
  ArrayView view;
  if (!array || !view.Set(vtkDataArray::SafeDownCast(array))) {
    return array ? FIELD_NOT_NUMERIC : FIELD_UNKNOWN;
  }
  if (view.Get().tuples != points) {
    return FIELD_WRONG_LENGTH;
  }
  this->Views.push_back(view);
  this->Fields.push_back(view.Get());
  this->Sources.push_back(vtkDataArray::SafeDownCast(array));
  return FIELD_IN_USE;
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

void CurvesFields::AddLabels(vtkAbstractArray *array, vtkIdType points) {
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
  options.n_fields = static_cast<int>(this->Fields.size());
  options.labels = this->Labels.data();
  options.n_labels = static_cast<int>(this->Labels.size());
}

} // namespace tessera
