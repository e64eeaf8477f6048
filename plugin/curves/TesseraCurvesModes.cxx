// SPDX-License-Identifier: BSD-3-Clause
#include "curves/TesseraCurvesModes.h"

#include "frame/data/TesseraArrays.h"
#include "mpi/TesseraProcesses.h"

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
  const auto choose = [this](const std::vector<std::string> &names, tsr_interpolation mode,
                             const char *list) {
    for (const std::string &name : names) {
      Require(tsr_modes_choose(this->Core, name.c_str(), mode, nullptr));
      this->Choices.push_back({name, list});
    }
  };
  Require(tsr_modes_create(choices.Others, &this->Core, nullptr));
  // If a name is in several lists, the last list decides.
  choose(choices.Curve, TSR_INTERPOLATE_CURVE, "Curve Arrays");
  choose(choices.Linear, TSR_INTERPOLATE_LINEAR, "Linear Arrays");
  choose(choices.Nearest, TSR_INTERPOLATE_NEAREST, "Nearest Arrays");
  this->Found.assign(this->Choices.size() + 1, 0);
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
  for (size_t k = 0; k < this->Choices.size(); ++k) {
    this->Found[k] += arrays->HasArray(this->Choices[k].Name.c_str());
  }
  this->Found.back() += data->GetNumberOfPoints() > 0;
}

void CurvesModes::Agree(const Processes &group, tsr_error &error) {
  const tsr_processes core = group.Core();
  tsr_modes_agree(this->Core, &core, &error);
  group.Sum(this->Found.data(), static_cast<int>(this->Found.size()));
}

std::vector<std::string> CurvesModes::Missing() const {
  std::vector<std::string> sentences;
  for (size_t k = 0; k < this->Choices.size(); ++k) {
    if (this->Found[k] == 0 && this->Found.back() > 0) {
      sentences.push_back("There is no point array '" + this->Choices[k].Name + "', named in " +
                          this->Choices[k].List + ".");
    }
  }
  return sentences;
}

tsr_interpolation CurvesModes::Of(vtkPointData *data, vtkAbstractArray *array) const {
  return BelongsToPoints(data, array) ? TSR_INTERPOLATE_NEAREST
                                      : tsr_modes_of(this->Core, NameOf(array).c_str());
}

} // namespace tessera
