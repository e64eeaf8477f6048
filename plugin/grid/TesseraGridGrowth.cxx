// SPDX-License-Identifier: BSD-3-Clause
/** The warning about an output that saves nothing. */
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
  // The fixed fine grid of a mesh is its octree.
  const bool refined = options.refine_levels > 0 || this->OfOctrees > 0;
  tsr_grid_growth growth = {this->Visible, this->Fine, this->Uncut, refined, 0, 0};
  const bool some = std::any_of(list.begin(), list.end(),
                                [](const tsr_tolerance &one) { return one.value > 0.0; });
  if (options.mode != TSR_GRID_ADAPTIVE || list.empty() || this->Fine == 0 ||
      this->Visible < this->Fine) {
    return;
  }
  // The marks of other time steps stay, whatever the thresholds.
  const bool tries = some && !this->Steps;
  for (int k = 0; tries && growth.scale == 0.0 && tsr_grid_growth_scale(k) > 0.0; ++k) {
    growth.fewer = this->CountCells(tsr_grid_growth_scale(k));
    if (growth.fewer < 0) {
      break; // the count failed: the output stays right
    }
    growth.scale = growth.fewer < this->Fine ? tsr_grid_growth_scale(k) : 0.0;
  }
  char text[600];
  tsr_grid_growth_sentence(&growth, list.data(), static_cast<int>(list.size()), text, sizeof(text));
  if (text[0] != '\0' && this->Group.Rank() == 0) {
    this->Messages.Add(text);
  }
}

} // namespace tessera
