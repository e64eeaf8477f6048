/* SPDX-License-Identifier: BSD-3-Clause */
/** Tessera: blocks that are spread over several processes. A part of the public header; include
 *  tessera.h. */
#ifndef TSR_COMMON_PROCESSES_TESSERA_HOLDERS_H
#define TSR_COMMON_PROCESSES_TESSERA_HOLDERS_H

#include "common/processes/tessera_processes.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A process that holds a part of a block. */
typedef struct tsr_holder {
  int64_t block; /**< the caller's number of the block, the same in all processes */
  int64_t rank;
} tsr_holder;

/**
 * Finds the blocks that more than one process holds a part of. Collective.
 * mine: the numbers of the n blocks that this process holds, each once, in any order; may be NULL
 * where n is 0.
 * shared: receives the holders of these blocks, sorted by block, then by rank, to be freed by
 * free(); NULL on failure. count: receives the number of holders. Fails with NO_MEMORY, ABORTED.
 */
tsr_status tsr_shared_blocks(const tsr_processes *processes, const int64_t *mine, int64_t n,
                             tsr_holder **shared, int64_t *count, tsr_error *error);

#ifdef __cplusplus
}
#endif
#endif
