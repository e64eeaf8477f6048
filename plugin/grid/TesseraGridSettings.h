// SPDX-License-Identifier: BSD-3-Clause
/** What is set about Adaptive Grid, as plain data. */
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
  std::vector<std::string> Arrays; /**< empty: the active one. POINTS or CELLS before a name says
                                        which array of that name it is */
  std::string Velocity;            /**< of vorticity and Q; empty: the active vectors */
  bool VelocityOfCells = false;    /**< it is none of points */
  int Announced[6] = {0, -1, 0, -1,
                      0, -1}; /**< the extent that the processes together should hold;
                                   empty if unknown */
};

/** What the user is told about an array. */
struct GridArrayError {
  std::string Name;
  bool CellData; /**< of the input */
  double Largest;
};

} // namespace tessera

#endif
