// SPDX-License-Identifier: BSD-3-Clause
#include "curves/TesseraCurvesModes.h"

#include "curves/TesseraBytes.h"
#include "frame/TesseraArrays.h"
#include "mpi/TesseraProcesses.h"

#include <vtkDataArray.h>
#include <vtkDataSetAttributes.h>
#include <vtkPointData.h>
#include <vtkPointSet.h>

#include <algorithm>

namespace tessera {

namespace {

const size_t MOST_LABELS = 32;
const int64_t POINTS_A_LABEL = 4;

bool Has(const std::vector<std::string> &names, const std::string &name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/** Flags and identifiers. */
bool BelongsToPoints(vtkPointData *data, vtkAbstractArray *array) {
  return NameOf(array) == vtkDataSetAttributes::GhostArrayName() || array == data->GetGlobalIds() ||
         array == data->GetPedigreeIds();
}

/** One integer of any type; those of 64 bits without a sign by their bits. */
int64_t IntegerAt(const tsr_array &array, int64_t i) {
  switch (array.type) {
  case TSR_INT8:
    return static_cast<const int8_t *>(array.data)[i];
  case TSR_UINT8:
    return static_cast<const uint8_t *>(array.data)[i];
  case TSR_INT16:
    return static_cast<const int16_t *>(array.data)[i];
  case TSR_UINT16:
    return static_cast<const uint16_t *>(array.data)[i];
  case TSR_INT32:
    return static_cast<const int32_t *>(array.data)[i];
  case TSR_UINT32:
    return static_cast<const uint32_t *>(array.data)[i];
  default:
    return static_cast<const int64_t *>(array.data)[i];
  }
}

} // namespace

bool CurvesModes::IsChosen(const std::string &name) const {
  return Has(this->Choices.Fields, name) || Has(this->Choices.Curve, name) ||
         Has(this->Choices.Linear, name) || Has(this->Choices.Nearest, name);
}

void CurvesModes::Join(Seen &seen, int64_t value) {
  seen.Many = seen.Many || (seen.Values.insert(value).second && seen.Values.size() > MOST_LABELS);
}

void CurvesModes::AddValues(Seen &seen, vtkDataArray *array) {
  ArrayView view;
  seen.Points += array->GetNumberOfTuples();
  if (array->GetNumberOfComponents() != 1 || !view.Set(array) || view.Get().type == TSR_FLOAT ||
      view.Get().type == TSR_DOUBLE) {
    seen.Many = true;
    return;
  }
  int64_t last = 0;
  for (int64_t i = 0; i < view.Get().tuples && !seen.Many; ++i) {
    const int64_t value = IntegerAt(view.Get(), i);
    if (i == 0 || value != last) {
      Join(seen, value);
    }
    last = value;
  }
}

void CurvesModes::Add(vtkPointSet *data) {
  vtkPointData *arrays = data->GetPointData();
  for (int i = 0; i < arrays->GetNumberOfArrays(); ++i) {
    vtkDataArray *array = vtkDataArray::SafeDownCast(arrays->GetAbstractArray(i));
    if (array && !BelongsToPoints(arrays, array) && !this->IsChosen(NameOf(array))) {
      this->AddValues(this->Integers[NameOf(array)], array);
    }
  }
}

void CurvesModes::Agree(const Processes &group) {
  std::string mine;
  for (const auto &one : this->Integers) {
    Append(mine, one.first.size());
    mine += one.first;
    Append(mine, one.second.Points);
    Append(mine, one.second.Many);
    Append(mine, one.second.Values.size());
    for (const int64_t value : one.second.Values) {
      Append(mine, value);
    }
  }
  std::vector<vtkIdType> sizes;
  const std::string all = group.Concatenate(mine, sizes);
  this->Integers.clear();
  for (const char *at = all.data(); at < all.data() + all.size();) {
    const size_t length = Take<size_t>(at);
    Seen &seen = this->Integers[std::string(at, length)];
    at += length;
    seen.Points += Take<int64_t>(at);
    seen.Many = Take<bool>(at) || seen.Many;
    for (size_t left = Take<size_t>(at); left > 0; --left) {
      Join(seen, Take<int64_t>(at));
    }
  }
}

tsr_interpolation CurvesModes::Of(vtkPointData *data, vtkAbstractArray *array) const {
  const std::string name = NameOf(array);
  if (!vtkDataArray::SafeDownCast(array) || BelongsToPoints(data, array) ||
      Has(this->Choices.Nearest, name)) {
    return TSR_INTERPOLATE_NEAREST;
  }
  if (Has(this->Choices.Linear, name)) {
    return TSR_INTERPOLATE_LINEAR;
  }
  if (Has(this->Choices.Curve, name)) {
    return TSR_INTERPOLATE_CURVE;
  }
  const auto found = this->Integers.find(name);
  const bool label =
      found != this->Integers.end() && !found->second.Many &&
      static_cast<int64_t>(found->second.Values.size()) * POINTS_A_LABEL <= found->second.Points;
  return label ? TSR_INTERPOLATE_NEAREST : this->Choices.Others;
}

} // namespace tessera
