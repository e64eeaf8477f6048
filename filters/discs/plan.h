/* SPDX-License-Identifier: BSD-3-Clause */
/** A plan of a disc image, and the steps that work on it, in their order. Not public. */
#ifndef TSR_DISCS_PLAN_H
#define TSR_DISCS_PLAN_H

#include "common/run/plan.h"
#include "common/support.h"
#include "discs/backend.h"

/** Samples along the sides of a tile: its channels fit into a processor's fastest cache. */
enum { TSR_DISCS_TILE_X = 32, TSR_DISCS_TILE_Y = 16 };

struct tsr_discs_plan {
  tsr_plan base;
  tsr_discs_view view;
  tsr_discs_options options; /**< the table and the range are in force */
  tsr_discs_sizes sizes;
  tsr_disc_rules rules;
  double falloff[TSR_FALLOFF_STEPS + 1];
  double *table;            /**< where the caller gave none */
  int64_t tiles[2];         /**< along x and y */
  int64_t *rows;            /**< CPU: pairs of a disc and a tile in each row of tiles */
  tsr_discs_device *device; /**< NULL: the CPU's plan */
  tsr_executor executor;    /**< owns the arrays of the list */
  tsr_disc_list list;
};

/** Takes and checks view and options. */
tsr_status tsr_discs_check(tsr_discs_plan *plan, const tsr_discs_view *view,
                           const tsr_discs_options *options, tsr_error *error);

/** Copies the caller's output over the defaults. Fails with BAD_OPTION if it was not set up. */
tsr_status tsr_discs_check_output(const tsr_discs_output *from, tsr_discs_output *to,
                                  tsr_error *error);

/** Sets table, range, rules and falloff. */
tsr_status tsr_discs_prepare(tsr_discs_plan *plan, tsr_error *error);

/** Sets up the plan's executor, of the CPU or of a device. */
tsr_status tsr_discs_open(tsr_discs_plan *plan, tsr_error *error);

/** Sets the list's order. */
tsr_status tsr_discs_sort(tsr_discs_plan *plan, tsr_error *error);

/** Tiles of the image that a disc touches, in rows [begin, end) of tiles, where they are stored. */
typedef struct tsr_discs_bins {
  int64_t begin, end;
  int64_t *first;  /**< first entry of each tile, and where the last ends */
  uint32_t *ranks; /**< of the discs of each tile, rising */
  int chunks;      /**< parts in which the discs were sorted: first has `chunks` entries a tile */
} tsr_discs_bins;

/** Pairs of a disc and a tile in a row of tiles. */
int64_t tsr_discs_row_parts(const tsr_discs_plan *plan, uint32_t rank, int64_t row);

/** Sorts the discs into the tiles of the rows; freed by tsr_discs_bins_free, also after a failure.
 *  done: the share of the whole progress, from and to. */
tsr_status tsr_discs_bin(const tsr_discs_plan *plan, tsr_discs_bins *bins, const double done[2],
                         tsr_error *error);

void tsr_discs_bins_free(tsr_discs_bins *bins);

/** Draws on the device. */
tsr_status tsr_discs_device_fill(tsr_discs_plan *plan, const tsr_discs_output *output,
                                 tsr_error *error);

void tsr_discs_device_close(tsr_discs_plan *plan);

/** Sets the list's discs and boxes, and the sizes. */
tsr_status tsr_discs_project(tsr_discs_plan *plan, tsr_error *error);

/** Sets the rows, for drawing on the CPU. */
tsr_status tsr_discs_count_rows(tsr_discs_plan *plan, tsr_error *error);

/** Draws on the CPU. */
tsr_status tsr_discs_fill_on_cpu(const tsr_discs_plan *plan, const tsr_discs_output *output,
                                 tsr_error *error);

#endif
