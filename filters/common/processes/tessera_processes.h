/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Tessera: communication between processes that work together. A part of the public header; include
 * tessera.h.
 *
 * The core sends no messages by itself: the caller gives two callbacks that use MPI or another
 * library. Every function here is collective: all processes call the same functions in the same
 * order. With one process they return at once.
 */
#ifndef TSR_COMMON_PROCESSES_TESSERA_PROCESSES_H
#define TSR_COMMON_PROCESSES_TESSERA_PROCESSES_H

#include "common/tessera_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * All-gather: sends this process's `bytes` bytes to all processes, and receives sizes[k] bytes from
 * each rank k in `all`, in the order of the ranks. Returns 0, or not 0 if it failed in any process.
 */
typedef int (*tsr_gather)(void *context, const void *mine, int64_t bytes, void *all,
                          const int64_t *sizes);

/**
 * All-to-all: sends send_bytes[k] bytes to rank k, and receives receive_bytes[k] bytes from it.
 * Both buffers are in the order of the ranks. Returns 0, or not 0 if it failed in any process.
 */
typedef int (*tsr_exchange)(void *context, const void *send, const int64_t *send_bytes,
                            void *receive, const int64_t *receive_bytes);

/** The group of processes, and its callbacks. */
typedef struct tsr_processes {
  int n;    /**< number of processes. 1: the callbacks are not called */
  int rank; /**< of this process */
  tsr_gather gather;
  tsr_exchange exchange; /**< may be NULL where only functions without an exchange are called */
  void *context;         /**< first argument of both callbacks */
} tsr_processes;

/** Returns TSR_OK if all processes call it with TSR_OK. Otherwise returns this process's own status
 *  and leaves *error as it is, or ABORTED if only other processes failed. */
tsr_status tsr_processes_agree(const tsr_processes *processes, tsr_status status, tsr_error *error);

/** Gathers `bytes` bytes of each process, the same number in all; all: room for n * bytes. */
tsr_status tsr_processes_gather(const tsr_processes *processes, const void *mine, int64_t bytes,
                                void *all, tsr_error *error);

/**
 * Gathers a different number of bytes from each process, if no process has failed before.
 * status: TSR_OK, or why this process has no data. If any process has failed, nothing is gathered
 * and the call fails as tsr_processes_agree does.
 * mine: this process's `bytes` bytes; ignored where status is not TSR_OK.
 * all: receives the bytes of all processes, to be freed by free(); NULL on failure.
 * sizes: NULL, or receives the number of bytes of each process.
 * total: receives the number of bytes in `all`; 0 on failure.
 */
tsr_status tsr_processes_gather_bytes(const tsr_processes *processes, tsr_status status,
                                      const void *mine, int64_t bytes, void **all, int64_t *sizes,
                                      int64_t *total, tsr_error *error);

/** Replaces each of n numbers by its sum over all processes. */
tsr_status tsr_processes_sum(const tsr_processes *processes, int64_t *values, int n,
                             tsr_error *error);

/** Replaces each of n numbers by its sum over the processes of lower rank (exclusive prefix sum).
 */
tsr_status tsr_processes_before(const tsr_processes *processes, int64_t *values, int n,
                                tsr_error *error);

/** Replaces each of n numbers by its maximum over all processes. */
tsr_status tsr_processes_max(const tsr_processes *processes, double *values, int n,
                             tsr_error *error);

#ifdef __cplusplus
}
#endif
#endif
