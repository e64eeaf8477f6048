// SPDX-License-Identifier: BSD-3-Clause
/** The settings of Adaptive Grid as plain data. */
#ifndef TesseraGridSettings_h
#define TesseraGridSettings_h

#include "tessera.h"

#include <string>
#include <vector>

namespace tessera {

struct GridSettings : tsr_grid_choices {
  GridSettings() {
    tsr_grid_choices_init(this);
    tsr_grid_options_init(&this->Options);
  }

  /** The criteria that are switched on. */
  std::vector<tsr_grid_wish> Wanted() const {
    std::vector<tsr_grid_wish> wishes(TSR_GRID_WISHES);
    wishes.resize(static_cast<size_t>(tsr_grid_choices_wishes(this, wishes.data())));
    return wishes;
  }

  tsr_grid_options Options;        /**< without criteria, region and gather */
  std::vector<std::string> Arrays; /**< of the criteria; empty: the active one. A prefix POINTS or
                                      CELLS says which of two arrays of one name is meant */
  std::string Velocity;            /**< array for vorticity and Q; empty: the active vectors */
  bool VelocityOfCells = false;    /**< it is a cell array */
  int Announced[6] = {
      0, -1, 0, -1, 0, -1}; /**< extent that all processes together should hold; empty if unknown */
};

/** The largest error of an array, for the report. */
struct GridArrayError {
  std::string Name;
  bool CellData; /**< it is a cell array of the input */
  double Largest;
};

} // namespace tessera

#endif
