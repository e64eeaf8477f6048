// SPDX-License-Identifier: BSD-3-Clause
#include "curves/TesseraCurvesModes.h"

#include "frame/TesseraArrays.h"

#include <vtkDataArray.h>
#include <vtkPointData.h>
#include <vtkPointSet.h>

namespace tessera {

namespace {

/** Texts, flags and identifiers. */
bool BelongsToPoints(vtkPointData *data, vtkAbstractArray *array) {
  return !vtkDataArray::SafeDownCast(array) || IsGhostArray(array) ||
         array == data->GetGlobalIds() || array == data->GetPedigreeIds();
}

} // namespace

CurvesModes::CurvesModes(const ArrayChoices &choices) {
  const auto choose = [this](const std::vector<std::string> &names, tsr_interpolation mode) {
    for (const std::string &name : names) {
      Require(tsr_modes_choose(this->Core, name.c_str(), mode, nullptr));
    }
  };
  Require(tsr_modes_create(choices.Others, &this->Core, nullptr));
  choose(choices.Curve, TSR_INTERPOLATE_CURVE); // of a name in several lists the last one holds
  choose(choices.Linear, TSR_INTERPOLATE_LINEAR);
  choose(choices.Nearest, TSR_INTERPOLATE_NEAREST);
  for (const std::string &name : choices.Fields) {
    Require(tsr_modes_no_label(this->Core, name.c_str(), nullptr));
  }
}

void CurvesModes::Add(vtkPointSet *data) {
  vtkPointData *arrays = data->GetPointData();
  for (int i = 0; i < arrays->GetNumberOfArrays(); ++i) {
    vtkAbstractArray *array = arrays->GetAbstractArray(i);
    if (!BelongsToPoints(arrays, array)) {
      ArrayView view;
      const bool known = view.Set(vtkDataArray::SafeDownCast(array));
      Require(tsr_modes_look(this->Core, NameOf(array).c_str(), known ? &view.Get() : nullptr,
                             nullptr));
    }
  }
}

tsr_interpolation CurvesModes::Of(vtkPointData *data, vtkAbstractArray *array) const {
  return BelongsToPoints(data, array) ? TSR_INTERPOLATE_NEAREST
                                      : tsr_modes_of(this->Core, NameOf(array).c_str());
}

} // namespace tessera
