// SPDX-License-Identifier: BSD-3-Clause
/** What is said of an output that saves nothing. */
#include "grid/TesseraGridExecution.h"

#include <algorithm>

namespace tessera {

int64_t GridExecution::CountCells(double scale) {
  vtkIdType cells = 0;
  for (const auto &grid : this->Grids) {
    if (grid) {
      grid->ScaleThresholds(scale);
    }
  }
  if (!this->MakePlans(this->Settings.Options.cell_budget, this->Allowed())) {
    return -1;
  }
  for (const auto &grid : this->Grids) {
    cells += grid ? grid->SeenCells() : 0;
  }
  this->Group.Sum(&cells, 1);
  return cells;
}

void GridExecution::WarnOfGrowth() {
  const tsr_grid_options &options = this->Settings.Options;
  const Tolerances list = this->InUse();
  tsr_grid_growth growth = {
      this->Visible, this->Fine, this->Uncut, options.refine_levels > 0, 0, 0};
  const bool some = std::any_of(list.begin(), list.end(),
                                [](const tsr_tolerance &one) { return one.value > 0.0; });
  if (options.mode != TSR_GRID_ADAPTIVE || list.empty() || this->Fine == 0 ||
      this->Visible < this->Fine) {
    return;
  }
  // The marks of other time steps stay, whatever the thresholds.
  int64_t cells = this->Fine;
  double scale = 1.0;
  for (int k = 0; some && !this->Steps && scale > 0.0 && cells >= 0; ++k) {
    scale = tsr_grid_growth_scale(k, cells, this->Fine);
    cells = scale > 0.0 ? this->CountCells(scale) : cells; // where it fails, the output stays right
    if (scale > 0.0 && cells >= 0 && cells < (growth.scale > 0.0 ? growth.fewer : this->Fine)) {
      growth.scale = scale;
      growth.fewer = cells;
    }
  }
  char text[600];
  tsr_grid_growth_sentence(&growth, list.data(), static_cast<int>(list.size()), text, sizeof(text));
  if (text[0] != '\0' && this->Group.Rank() == 0) {
    this->Messages.Add(text);
  }
}

} // namespace tessera
