/* SPDX-License-Identifier: BSD-3-Clause */
/** Memory of an executor that a plan holds, so that a phase that fails has nothing to free. Not
 * public. */
#ifndef TSR_COMMON_RUN_HELD_H
#define TSR_COMMON_RUN_HELD_H

#include "common/run/executor.h"

/** The addresses that are held. All zero: none. */
typedef struct tsr_held {
  void **memory; /**< (malloc) n of them */
  int64_t n, room;
} tsr_held;

/** Allocates n * size bytes of the executor's memory. to: points to the pointer that receives them.
 *  what: names the memory in the error. Fails with NO_MEMORY; nothing is held then. */
tsr_status tsr_held_alloc(tsr_held *held, tsr_executor *executor, void *to, int64_t n, size_t size,
                          const char *what, tsr_error *error);
/** Frees memory from tsr_held_alloc. to: points to the pointer, which becomes NULL; it may be NULL
 *  already. */
void tsr_held_release(tsr_held *held, tsr_executor *executor, void *to);
/** Frees all memory that is held. */
void tsr_held_free(tsr_held *held, tsr_executor *executor);

#endif
