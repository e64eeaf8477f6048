/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Tessera: adaptive curves and grids, and points joined into curves. The one public header: it
 * gathers those of the rooms.
 *
 * Data flows one way: a view (borrowed pointers) -> a plan (exact sizes) -> the caller
 * allocates arrays of those sizes -> fill writes each of their elements exactly once.
 */
#ifndef TSR_TESSERA_H
#define TSR_TESSERA_H

#include "cells/tessera_cells.h"
#include "cells/tessera_cells_choices.h"
#include "common/processes/tessera_columns.h"
#include "common/processes/tessera_holders.h"
#include "common/processes/tessera_letters.h"
#include "common/processes/tessera_machine.h"
#include "common/processes/tessera_maxima.h"
#include "common/processes/tessera_processes.h"
#include "common/processes/tessera_route.h"
#include "common/processes/tessera_summary.h"
#include "common/tessera_choices.h"
#include "common/tessera_common.h"
#include "common/tessera_limit.h"
#include "common/tessera_memory.h"
#include "common/tessera_polylines.h"
#include "common/tessera_rounding.h"
#include "curves/tessera_curves.h"
#include "curves/tessera_curves_choices.h"
#include "curves/tessera_join.h"
#include "curves/tessera_modes.h"
#include "curves/tessera_pass.h"
#include "curves/tessera_random_curves.h"
#include "device/tessera_device.h"
#include "discs/tessera_discs.h"
#include "discs/tessera_discs_choices.h"
#include "grid/tessera_grid.h"
#include "grid/tessera_grid_amr.h"
#include "grid/tessera_grid_choices.h"
#include "grid/tessera_grid_dataset.h"
#include "grid/tessera_grid_octree.h"
#include "grid/tessera_grid_share.h"
#include "jet/tessera_jet.h"
#include "jet/tessera_jet_choices.h"
#include "mesh/tessera_mesh.h"
#include "mesh/tessera_mesh_boxes.h"
#include "mesh/tessera_mesh_clip.h"
#include "ordering/tessera_ordering.h"
#include "pointgrid/tessera_pointgrid.h"
#include "pointgrid/tessera_pointgrid_choices.h"

#endif
