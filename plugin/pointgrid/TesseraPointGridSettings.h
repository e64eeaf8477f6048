// SPDX-License-Identifier: BSD-3-Clause
/** The settings of Adaptive Point Grid as plain data. */
#ifndef TesseraPointGridSettings_h
#define TesseraPointGridSettings_h

#include "tessera.h"

#include <string>

namespace tessera {

/** The coordinates as a point array, of which the output has means and extremes. */
constexpr const char *POINTGRID_COORDINATES = "Coordinates";

struct PointGridSettings : tsr_pointgrid_choices {
  PointGridSettings() {
    tsr_pointgrid_choices_init(this);
    tsr_pointgrid_options_init(&this->Options);
  }

  tsr_pointgrid_options Options; /**< without array and messages */
  std::string SpreadArray;       /**< empty: the active scalars, else the first numeric array */
};

} // namespace tessera

#endif
