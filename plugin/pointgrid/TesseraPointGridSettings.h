// SPDX-License-Identifier: BSD-3-Clause
/** What is set about Adaptive Point Grid, as plain data. */
#ifndef TesseraPointGridSettings_h
#define TesseraPointGridSettings_h

#include "tessera.h"

#include <string>

namespace tessera {

/** What the user sets beside the options of the core; PointGridProperties has the defaults. */
struct PointGridChoices {
  int OutputPrecision; /**< of points, as vtkAlgorithm's */
  int Level, Density, Means, Extremes;
};

/** The table of the choices; n: receives how many. */
const tsr_property *PointGridProperties(int *n);

struct PointGridSettings : PointGridChoices {
  PointGridSettings();

  tsr_pointgrid_options Options; /**< without array and messages */
  std::string SpreadArray;       /**< empty: the active scalars, else the first numeric array */
};

} // namespace tessera

#endif
