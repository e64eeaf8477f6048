// SPDX-License-Identifier: BSD-3-Clause
/** What is set about Adaptive Grid, as plain data. */
#ifndef TesseraGridSettings_h
#define TesseraGridSettings_h

#include "tessera.h"

#include <string>
#include <vector>

namespace tessera {

/** One criterion that is switched on; it looks at every chosen array. */
struct GridCriterion {
  const char *Name; /**< of the property */
  tsr_grid_measure Measure;
  double Threshold, Lower, Upper;
};

/** What the user sets beside the options of the core; GridProperties has the defaults. */
struct GridChoices {
  int UseRegion;
  double Region[6]; /**< in space */
  int Component;
  int Relative; /**< thresholds are fractions of what they bound */
  struct {
    int Use;
    double Threshold;
  } Thresholds[TSR_MEASURE_INTERPOLATION_ERROR + 1]; /**< by measure */
  double InRange[2];                                 /**< of TSR_MEASURE_IN_RANGE */
  int Output;                                        /**< GridSettings::OutputType */
  int HangingNodes;                                  /**< GridSettings::HangingNodeType */
  int Hexahedra;
  int OutputPrecision; /**< of points, as vtkAlgorithm's */
  int Errors, Level, Indicator, SourceCell;
  int AllSteps; /**< one grid for all time steps */
};

/** The table of the choices; n: receives how many. */
const tsr_property *GridProperties(int *n);

struct GridSettings : GridChoices {
  enum OutputType { UNSTRUCTURED = 0, HYPER_TREE, AMR };
  enum HangingNodeType { FREE = 0, CONSTRAINED, POLYGONS, CONFORMING };

  GridSettings();

  /** The criteria that are switched on. */
  std::vector<GridCriterion> Wanted() const;

  /** What the choices of the output ask the core for. */
  void SetOutput();

  tsr_grid_options Options;        /**< without criteria, region and gather */
  std::vector<std::string> Arrays; /**< empty: the active one */
  std::string Velocity;            /**< of vorticity and Q; empty: the active vectors */
  int Announced[6]; /**< the extent that the processes together should hold; empty if unknown */
};

/** What the user is told about an array. */
struct GridArrayError {
  std::string Name;
  double Largest;
};

} // namespace tessera

#endif
