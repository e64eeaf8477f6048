/* SPDX-License-Identifier: BSD-3-Clause */
/** Tessera: sending tuples of arrays from process to process. A part of the public header; include
 *  tessera.h. */
#ifndef TSR_COMMON_PROCESSES_TESSERA_ROUTE_H
#define TSR_COMMON_PROCESSES_TESSERA_ROUTE_H

#include "common/processes/tessera_processes.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Which tuples go to which process; made once, then used for every array. Received tuples are in
 *  the order of the sending ranks, and those of one rank in its order. Initialise with {0}; free
 *  with tsr_route_free. */
typedef struct tsr_route {
  int64_t *sent;      /**< n_sent indices of tuples, sorted by the receiving process */
  int64_t *to, *from; /**< number of tuples sent to, and received from, each process */
  int64_t n_sent, n_received;
} tsr_route;

/** Makes the route of n tuples. target: the process that receives each of them. Collective. Fails
 *  with NO_MEMORY, ABORTED. */
tsr_status tsr_route_make(tsr_route *route, const tsr_processes *processes, const int32_t *target,
                          int64_t n, tsr_error *error);

/**
 * Sends tuples of `bytes` bytes (the same on all processes) along the route. Collective, over
 * `exchange`.
 * from: the array that route->sent has indices of. to: receives route->n_received tuples; NULL if
 * this process could not allocate it: then all processes fail, unless nothing is received here.
 * Fails with NO_MEMORY, ABORTED.
 */
tsr_status tsr_route_move(const tsr_route *route, const tsr_processes *processes, const void *from,
                          size_t bytes, void *to, tsr_error *error);

/**
 * Sends an array of texts with `components` texts in a tuple along the route. Collective, over
 * `exchange`.
 * lengths: length in bytes of each text of the n tuples that tsr_route_make was given, tuple after
 * tuple. texts: the texts, one after another.
 * arrived: receives the lengths of the received texts, route->n_received x components of them.
 * all: receives the received texts, one after another, to be freed by free().
 * Fails with NO_MEMORY, ABORTED.
 */
tsr_status tsr_route_move_texts(const tsr_route *route, const tsr_processes *processes,
                                int components, const int64_t *lengths, const char *texts,
                                int64_t *arrived, char **all, tsr_error *error);

/** Frees all memory of the route, which is {0} again. */
void tsr_route_free(tsr_route *route);

#ifdef __cplusplus
}
#endif
#endif
