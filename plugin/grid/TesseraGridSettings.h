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

struct GridSettings {
  enum OutputType { UNSTRUCTURED = 0, HYPER_TREE, AMR };

  tsr_grid_options Options; /**< without criteria, region and gather */
  std::vector<GridCriterion> Criteria;
  std::vector<std::string> Arrays; /**< empty: the active one */
  std::string Velocity;            /**< of vorticity and Q; empty: the active vectors */
  int Component;
  bool Relative;
  bool UseRegion;
  double Region[6]; /**< in space */
  OutputType Output;
  bool Hexahedra;
  int OutputPrecision; /**< of points, as vtkAlgorithm's */
  bool Errors, Level, Indicator, SourceCell;
  int Announced[6]; /**< the extent that the processes together should hold; empty if unknown */
};

/** What the user is told about an array. */
struct GridArrayError {
  std::string Name;
  double Largest;
};

} // namespace tessera

#endif
