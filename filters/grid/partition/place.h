/* SPDX-License-Identifier: BSD-3-Clause */
/** Where the parts of a grid lie in space, and whether processes agree on it. Not public. */
#ifndef TSR_GRID_PARTITION_PLACE_H
#define TSR_GRID_PARTITION_PLACE_H

#include "common/support.h"
#include "grid/tessera_grid_share.h"

/** Where a UNIFORM grid lies. */
typedef struct tsr_place {
  double origin[3], spacing[3], direction[9];
} tsr_place;

/** RECTILINEAR: gathers the coordinates of all processes into shares->axes. Fails with BAD_INPUT if
 *  those of this process differ from the result by more than rounding. Collective. */
tsr_status tsr_share_axes(const tsr_grid_view *view, const tsr_processes *processes,
                          tsr_grid_shares *shares, tsr_error *error);

/** UNIFORM: fails with BAD_INPUT if the points held here lie elsewhere, by more than rounding, than
 *  origin, spacing and direction of shares->teller say. */
tsr_status tsr_check_place(const tsr_place *mine, const tsr_grid_box *held,
                           const tsr_grid_shares *shares, tsr_error *error);

#endif
