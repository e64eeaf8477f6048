/* SPDX-License-Identifier: BSD-3-Clause */
/** Processes that send each other messages, played by threads. */
#ifndef TESSERA_TEST_RANKS_H
#define TESSERA_TEST_RANKS_H

#include "tessera.h"

/** Largest number of processes. */
enum { MAX_RANKS = 8 };

/** The work of one process. data: the process's own element of the array. */
typedef void (*ranks_work)(void *data, const tsr_processes *processes);

/** Sets the members of the options that say which process this is. */
void ranks_take_part(tsr_grid_options *options, const tsr_processes *processes);

/** Runs n processes at once and waits for all. data: n elements of `size` bytes. */
void ranks_run(int n, ranks_work work, void *data, size_t size);

#endif
