/* SPDX-License-Identifier: BSD-3-Clause */
/** Processes that send each other messages, played by threads. */
#ifndef TESSERA_TEST_RANKS_H
#define TESSERA_TEST_RANKS_H

#include "tessera.h"

/** Most of them. */
enum { MAX_RANKS = 8 };

/** What one of them does; data: its own element of the array. */
typedef void (*ranks_work)(void *data, const tsr_processes *processes);

/** Makes options those of one of the processes. */
void ranks_take_part(tsr_grid_options *options, const tsr_processes *processes);

/** Runs n of them at once, and returns when all are done. data: n elements of `size` bytes. */
void ranks_run(int n, ranks_work work, void *data, size_t size);

#endif
