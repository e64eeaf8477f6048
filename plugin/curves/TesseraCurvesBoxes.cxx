// SPDX-License-Identifier: BSD-3-Clause
#include "curves/TesseraCurvesBoxes.h"

#include "curves/TesseraCurvesDataset.h"

namespace tessera {

CurvesBoxes::State CurvesBoxes::StateOf(const CurvesDataset &dataset, vtkMTimeType changed) {
  const CurvesSettings &settings = dataset.Choices();
  return State(dataset.Input(), changed, settings.polylines, settings.join_lines != 0,
               dataset.IsSingle());
}

const CurvesBoxes::Box *CurvesBoxes::Find(const CurvesDataset &dataset,
                                          vtkMTimeType changed) const {
  const auto found = this->Known.find(StateOf(dataset, changed));
  return found != this->Known.end() ? &found->second : nullptr;
}

void CurvesBoxes::Add(const CurvesDataset &dataset, vtkMTimeType changed, const Box &box) {
  this->Known[StateOf(dataset, changed)] = box;
}

} // namespace tessera
