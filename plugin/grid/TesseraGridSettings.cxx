// SPDX-License-Identifier: BSD-3-Clause
#include "grid/TesseraGridSettings.h"

#include <cmath>
#include <cstddef>

namespace tessera {

namespace {

/* Property, first member, type, how many, bounds, defaults. */
#define ONE(NAME, MEMBER, TYPE, NUMBERS, LEAST, MOST, ...)                                         \
  TSR_PROPERTY(GridChoices, NAME, MEMBER, TYPE, NUMBERS, 1, LEAST, MOST, __VA_ARGS__)

/* The switch and the threshold of a criterion. */
#define CRITERION(NAME, MEASURE, USE, THRESHOLD)                                                   \
  ONE(Use##NAME, Thresholds[MEASURE].Use, INT, 1, 0, 1, USE),                                      \
      ONE(NAME, Thresholds[MEASURE].Threshold, DOUBLE, 1, 0, INFINITY, THRESHOLD)

const tsr_property PROPERTIES[] = {
    ONE(UseRegion, UseRegion, INT, 1, 0, 1, 0),
    ONE(Region, Region, DOUBLE, 6, -INFINITY, INFINITY, 0, 1, 0, 1, 0, 1),
    ONE(Component, Component, INT, 1, -1, INFINITY, -1),
    ONE(ThresholdMode, Relative, CHOICE, 1, 0, 1, 1),
    CRITERION(InterpolationError, TSR_MEASURE_INTERPOLATION_ERROR, 1, 0.01),
    CRITERION(ValueRange, TSR_MEASURE_VALUE_RANGE, 0, 0.1),
    CRITERION(Gradient, TSR_MEASURE_GRADIENT, 0, 0.1),
    CRITERION(SecondDerivative, TSR_MEASURE_SECOND_DERIVATIVE, 0, 0.8),
    CRITERION(StandardDeviation, TSR_MEASURE_STANDARD_DEVIATION, 0, 0.05),
    CRITERION(Vorticity, TSR_MEASURE_VORTICITY, 0, 0.25),
    CRITERION(QCriterion, TSR_MEASURE_Q, 0, 0.1),
    ONE(UseArrayInRange, Thresholds[TSR_MEASURE_IN_RANGE].Use, INT, 1, 0, 1, 0),
    ONE(ArrayInRange, InRange, DOUBLE, 2, -INFINITY, INFINITY, 0, 1),
    ONE(OutputType, Output, CHOICE, 1, 0, GridSettings::AMR, GridSettings::UNSTRUCTURED),
    ONE(HangingNodes, HangingNodes, CHOICE, 1, 0, GridSettings::CONFORMING,
        GridSettings::CONFORMING),
    ONE(CellShape, Hexahedra, CHOICE, 1, 0, 1, 0),
    ONE(OutputPrecision, OutputPrecision, CHOICE, 1, 0, 2, 2),
    ONE(MeasureErrors, Errors, INT, 1, 0, 1, 1),
    ONE(GenerateLevel, Level, INT, 1, 0, 1, 0),
    ONE(GenerateIndicator, Indicator, INT, 1, 0, 1, 0),
    ONE(GenerateSourceCell, SourceCell, INT, 1, 0, 1, 0),
    ONE(OverTime, AllSteps, CHOICE, 1, 0, 1, 0)};

} // namespace

const tsr_property *GridProperties(int *n) {
  *n = static_cast<int>(sizeof(PROPERTIES) / sizeof(PROPERTIES[0]));
  return PROPERTIES;
}

GridSettings::GridSettings() : GridChoices(), Announced{0, -1, 0, -1, 0, -1} {
  int n;
  const tsr_property *properties = GridProperties(&n);
  tsr_properties_init(properties, n, static_cast<GridChoices *>(this));
  tsr_grid_options_init(&this->Options);
}

std::vector<GridCriterion> GridSettings::Wanted() const {
  // In the order of the panel, which numbers them in messages.
  static const struct {
    const char *Name;
    tsr_grid_measure Measure;
  } all[] = {{"Interpolation Error", TSR_MEASURE_INTERPOLATION_ERROR},
             {"Value Range", TSR_MEASURE_VALUE_RANGE},
             {"Gradient", TSR_MEASURE_GRADIENT},
             {"Second Derivative", TSR_MEASURE_SECOND_DERIVATIVE},
             {"Standard Deviation", TSR_MEASURE_STANDARD_DEVIATION},
             {"Vorticity", TSR_MEASURE_VORTICITY},
             {"Q-Criterion", TSR_MEASURE_Q},
             {"Array In Range", TSR_MEASURE_IN_RANGE}};
  std::vector<GridCriterion> wanted;
  for (const auto &one : all) {
    const bool range = one.Measure == TSR_MEASURE_IN_RANGE;
    if (this->Thresholds[one.Measure].Use) {
      wanted.push_back({one.Name, one.Measure, this->Thresholds[one.Measure].Threshold,
                        range ? this->InRange[0] : 0.0, range ? this->InRange[1] : 0.0});
    }
  }
  return wanted;
}

void GridSettings::SetOutput() {
  static const tsr_grid_output_kind kinds[] = {TSR_GRID_CELLS, TSR_GRID_TREES, TSR_GRID_PATCHES};
  this->Options.output = kinds[this->Output];
  if (this->Output == UNSTRUCTURED) {
    this->Options.constrain = this->HangingNodes == CONSTRAINED;
    this->Options.output = this->HangingNodes == POLYGONS     ? TSR_GRID_POLYGONS
                           : this->HangingNodes == CONFORMING ? TSR_GRID_CONFORMING
                                                              : TSR_GRID_CELLS;
  }
}

} // namespace tessera
