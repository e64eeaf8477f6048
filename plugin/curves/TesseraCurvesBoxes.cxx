// SPDX-License-Identifier: BSD-3-Clause
#include "curves/TesseraCurvesBoxes.h"

#include "curves/TesseraCurvesLeaf.h"

namespace tessera {

CurvesBoxes::State CurvesBoxes::StateOf(const CurvesLeaf &leaf, vtkMTimeType changed) {
  const CurvesSettings &settings = leaf.Choices();
  return State(leaf.Input(), changed, settings.polylines, settings.join_lines != 0,
               leaf.IsSingle());
}

const CurvesBoxes::Box *CurvesBoxes::Find(const CurvesLeaf &leaf, vtkMTimeType changed) const {
  const auto found = this->Known.find(StateOf(leaf, changed));
  return found != this->Known.end() ? &found->second : nullptr;
}

void CurvesBoxes::Add(const CurvesLeaf &leaf, vtkMTimeType changed, const Box &box) {
  this->Known[StateOf(leaf, changed)] = box;
}

} // namespace tessera
