/* SPDX-License-Identifier: BSD-3-Clause */
/** Tessera: how much memory an output may take. A part of the public header; include tessera.h. */
#ifndef TESSERA_MEMORY_H
#define TESSERA_MEMORY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The memory of this process, in bytes; infinite where the system does not say. */
typedef struct tsr_memory {
  double total;     /**< of the machine, or of a control group of this process that may have less */
  double available; /**< what this process may still take: the least of the machine's available
                         memory, what each of its control groups has left, and what RLIMIT_AS and
                         RLIMIT_DATA leave; tsr_output_waiting() counts as available */
} tsr_memory;

/**
 * Asks the system. Only Linux answers: /proc, and the control groups (versions 1 and 2) below
 * /sys/fs/cgroup, from the group of this process up to the root. File pages that a group holds and
 * does not use count as available, as they do for the machine.
 * root: a folder that stands for "/", for tests; NULL = the system.
 */
tsr_memory tsr_memory_look(const char *root);

/** The property Largest Output in bytes. asked_mib: its value; 0 = a quarter of memory->total. */
double tsr_memory_largest_output(const tsr_memory *memory, double asked_mib);

/** Most bytes that the outputs of all processes on this machine may take: the available memory, or
 *  Largest Output where that is less. Every feature plans within it. */
double tsr_memory_allowed(const tsr_memory *memory, double asked_mib);

/** Most items of `item_bytes` in `bytes`, at least 1; 0 = no limit, where bytes is infinite. */
int64_t tsr_memory_items(double bytes, double item_bytes);

#ifdef __cplusplus
}
#endif
#endif
