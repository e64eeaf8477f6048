/* SPDX-License-Identifier: BSD-3-Clause */
/** The core's own calls of malloc, calloc, realloc and free, counted and made to fail: the program
 *  links a copy of the core in which they have other names. */
#ifndef TESSERA_ALLOCATIONS_H
#define TESSERA_ALLOCATIONS_H

#include <stdint.h>

/** Counts anew. fail_at: the allocation of that number gets no memory; 0: none. */
void allocations_start(int64_t fail_at);

/** How many there were since the start; from now on none fails. */
int64_t allocations_stop(void);

/** Allocations that were not freed, since the program began. */
int64_t allocations_live(void);

#endif
