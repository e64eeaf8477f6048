/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Tessera: several processes that do one piece of work. A part of the public header; include
 * tessera.h.
 *
 * The core sends no messages by itself: the caller gives two callbacks, over MPI or whatever else
 * there is. Every function here is collective: all processes call it, in the same order, each with
 * its own status so far. With one process they return at once.
 */
#ifndef TESSERA_PROCESSES_H
#define TESSERA_PROCESSES_H

#include "common/tessera_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Gives this process's `bytes` bytes to all and receives those of all, in the order of the ranks,
 * in `all`; sizes[k] bytes from rank k. Returns 0, or not 0 if it failed in any process.
 */
typedef int (*tsr_gather)(void *context, const void *mine, int64_t bytes, void *all,
                          const int64_t *sizes);

/**
 * Sends send_bytes[k] bytes to rank k, and receives receive_bytes[k] bytes from it: in both buffers
 * one rank's bytes after the other's. Returns 0, or not 0 if it failed in any process.
 */
typedef int (*tsr_exchange)(void *context, const void *send, const int64_t *send_bytes,
                            void *receive, const int64_t *receive_bytes);

/** The processes, and how they talk. */
typedef struct tsr_processes {
  int n;    /**< how many. 1: the callbacks are not called */
  int rank; /**< of this one */
  tsr_gather gather;
  tsr_exchange exchange; /**< NULL where nothing is exchanged */
  void *context;         /**< of both */
} tsr_processes;

/** TSR_OK if all processes come with TSR_OK. Else this one's own status with *error as it was, or
 *  ABORTED where only others failed. */
tsr_status tsr_processes_agree(const tsr_processes *processes, tsr_status status, tsr_error *error);

/** Gathers `bytes` bytes, as many in every process; all: room for n times as many. */
tsr_status tsr_processes_gather(const tsr_processes *processes, const void *mine, int64_t bytes,
                                void *all, tsr_error *error);

/**
 * Gathers any number of bytes from each process, once all have said that they have theirs ready.
 * status: how this process fared with its own; where any comes with another than TSR_OK nothing is
 * gathered, and the call fails as tsr_processes_agree does.
 * mine: `bytes` bytes; not looked at where status is not TSR_OK.
 * all: receives memory for free(), NULL where it fails. sizes: NULL, or receives how many bytes
 * each process gave. total: receives how many there are, 0 where it fails.
 */
tsr_status tsr_processes_gather_bytes(const tsr_processes *processes, tsr_status status,
                                      const void *mine, int64_t bytes, void **all, int64_t *sizes,
                                      int64_t *total, tsr_error *error);

/** Adds up n numbers, each over all processes, in place. */
tsr_status tsr_processes_sum(const tsr_processes *processes, int64_t *values, int n,
                             tsr_error *error);

/** Replaces n numbers, each by the sum over the processes of lower ranks. */
tsr_status tsr_processes_before(const tsr_processes *processes, int64_t *values, int n,
                                tsr_error *error);

/** The largest of n numbers, each over all processes, in place. */
tsr_status tsr_processes_max(const tsr_processes *processes, double *values, int n,
                             tsr_error *error);

#ifdef __cplusplus
}
#endif
#endif
