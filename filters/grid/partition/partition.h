/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids in several processes: what they agree on, and the ghosts, the roots of others that the
 *  tree here holds. All of it goes through options.gather. Not public. */
#ifndef TSR_GRID_PARTITION_PARTITION_H
#define TSR_GRID_PARTITION_PARTITION_H

#include "common/processes/tessera_processes.h"
#include "grid/tree/tree.h"

/* ---- agree.c */

/** Returns the processes of the options; one process if options.gather is NULL. */
tsr_processes tsr_grid_processes(const tsr_grid_options *options);

/** Adds a number up over all processes. */
tsr_status tsr_grid_sum(const tsr_grid_options *options, int64_t *value, tsr_error *error);

/** tsr_processes_agree with the processes of the options. */
tsr_status tsr_grid_agree(const tsr_grid_options *options, tsr_status status, tsr_error *error);

/** After all processes failed, each with its status: 1 in all of them if they are to start again
 *  without devices, since at least one device gave up and nothing else is wrong. gave_up: the
 * device of this process did. why: the reason, if this process has one; else receives that of
 * another. */
int tsr_grid_agree_again(const tsr_grid_options *options, int gave_up, tsr_status status,
                         char why[500]);

/** Replaces range by the smallest range that contains those of all processes. */
tsr_status tsr_grid_agree_range(const tsr_grid_options *options, double range[2], tsr_error *error);

/* ---- ghosts.c */

/** What other processes refined near the border. */
typedef struct tsr_grid_ghosts {
  uint8_t *bytes; /**< messages of all processes, one after another; NULL: there is one process */
  int64_t n;
} tsr_grid_ghosts;

/** Sends each process the refined nodes of those owned roots that are its ghosts, receives theirs,
 *  and adds them to the tree. */
tsr_status tsr_ghosts_exchange(const tsr_grid_input *input, tsr_tree *tree, tsr_grid_ghosts *ghosts,
                               tsr_error *error);

/** Adds the received nodes to the tree, except nodes in bricks that the tree does not have. To be
 *  called again when the tree has got more bricks. */
void tsr_ghosts_add(const tsr_grid_input *input, const tsr_grid_ghosts *ghosts, tsr_tree *tree);

void tsr_ghosts_free(tsr_grid_ghosts *ghosts);

#endif
