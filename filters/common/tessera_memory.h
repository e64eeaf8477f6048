/* SPDX-License-Identifier: BSD-3-Clause */
/** Tessera: the memory that an output may take. A part of the public header; include tessera.h. */
#ifndef TSR_COMMON_TESSERA_MEMORY_H
#define TSR_COMMON_TESSERA_MEMORY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The memory of this process, in bytes; infinite where the system does not say. */
typedef struct tsr_system_memory {
  double total;     /**< memory of the machine, or the limit of a control group if that is less */
  double available; /**< what this process may still take: the least of the machine's available
                         memory, what each of its control groups has left, and what RLIMIT_AS and
                         RLIMIT_DATA leave; tsr_output_waiting() counts as available */
} tsr_system_memory;

/**
 * Asks the system how much memory there is. Implemented for Linux only: reads /proc, and the
 * control groups (versions 1 and 2) below /sys/fs/cgroup, from this process's group up to the root.
 * A group's inactive file pages count as available, as they do for the machine.
 * root: a folder that stands for "/", for tests; NULL = the system.
 */
tsr_system_memory tsr_memory_look(const char *root);

/** Returns the limit that the property Largest Output sets, in bytes. asked_mib: the property's
 *  value in MiB; 0 = a quarter of memory->total. */
double tsr_memory_largest_output(const tsr_system_memory *memory, double asked_mib);

/** Returns the most bytes that the outputs of all processes on this machine may take: the smaller
 *  of the available memory and Largest Output. Every feature's limit follows from this. */
double tsr_memory_allowed(const tsr_system_memory *memory, double asked_mib);

/** Returns how many items of `item_bytes` fit into `bytes`, at least 1; 0, which means no limit,
 *  where bytes is infinite. */
int64_t tsr_memory_items(double bytes, double item_bytes);

/** Bytes that all plans of this process have copied over the bus since it started. */
typedef struct tsr_bus_traffic {
  int64_t up;   /**< from the host to devices */
  int64_t down; /**< from devices to the host */
} tsr_bus_traffic;

/** Returns the traffic so far; 0 and 0 if CUDA is not built in. Any thread may call it. */
tsr_bus_traffic tsr_memory_traffic(void);

#ifdef __cplusplus
}
#endif
#endif
