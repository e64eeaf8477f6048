// SPDX-License-Identifier: BSD-3-Clause
/** What is set about Adaptive Point Grid, as plain data. */
#ifndef TesseraPointGridSettings_h
#define TesseraPointGridSettings_h

#include "tessera.h"

#include <string>

namespace tessera {

struct PointGridSettings {
  tsr_pointgrid_options Options; /**< without array and messages */
  std::string SpreadArray;       /**< empty: the active scalars, else the first numeric array */
  int OutputPrecision;           /**< of points, as vtkAlgorithm's */
  bool Level, Density, Means, Extremes;
};

} // namespace tessera

#endif
