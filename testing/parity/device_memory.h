/* SPDX-License-Identifier: BSD-3-Clause */
/** Arrays on the host or on the device, for tests of tsr_execution.device_arrays. Every call to
 * CUDA is checked; a failure ends the test. */
#ifndef TESSERA_PARITY_DEVICE_MEMORY_H
#define TESSERA_PARITY_DEVICE_MEMORY_H

#include "tessera.h"

enum { MOST_PLACED = 96 };

/** Arrays of one run. */
typedef struct placed {
  int on_device;
  int n;
  void *at[MOST_PLACED];
  size_t bytes[MOST_PLACED];
  const char *name[MOST_PLACED]; /**< of an output; NULL: an input */
} placed;

/** A copy of `bytes` bytes, `shift` bytes behind a multiple of 256. NULL if `from` is NULL. */
void *placed_input(placed *set, const void *from, size_t bytes, size_t shift);

/** The array with its data in the set. */
tsr_array placed_array(placed *set, tsr_array array);

/** Memory of an output, poisoned, with poison behind it. */
void *placed_output(placed *set, const char *name, size_t bytes);

/** The first output that differs between two runs or is written past its end, as a sentence; NULL:
 *  none. Valid until the next call. */
const char *placed_difference(const placed *one, const placed *other);

void placed_free(placed *set);

/** An execution for arrays that are in the set. cuda: 1 on the device, 0 on the CPU. */
tsr_execution placed_execution(const placed *set, int cuda);

/** What a plan and its fill have moved over the bus since `before`, as a sentence, if that is more
 * than they need; else NULL. They need numbers, and lists whose length follows from the number of
 *  multiprocessors, not from that of the input's elements. is_small: 1 for the emulated device,
 * which has 4 of them. Valid until the next call. */
const char *placed_moved(tsr_bus_traffic before, int is_small);

#endif
