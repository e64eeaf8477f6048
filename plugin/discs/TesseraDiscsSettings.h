// SPDX-License-Identifier: BSD-3-Clause
/** The settings of Disc Image as plain data. */
#ifndef TesseraDiscsSettings_h
#define TesseraDiscsSettings_h

#include "tessera.h"

#include <string>
#include <vector>

namespace tessera {

struct DiscsSettings : tsr_discs_choices {
  DiscsSettings() {
    tsr_discs_choices_init(this);
    tsr_discs_options_init(&this->Options);
  }

  tsr_discs_options Options; /**< without place, radius and table */
  std::string RadiusArray, ColorArray, OpacityArray, OrderArray;
  std::vector<double> ColorMap; /**< value, red, green, blue of each point */
};

} // namespace tessera

#endif
