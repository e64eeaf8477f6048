/* SPDX-License-Identifier: BSD-3-Clause */
/** Tessera: tuples that go from process to process. A part of the public header; include tessera.h.
 */
#ifndef TESSERA_ROUTE_H
#define TESSERA_ROUTE_H

#include "common/processes/tessera_processes.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The way of the tuples, the same for all their arrays. What arrives comes from process 0, then 1,
 *  ..., in their order. Begins as {0}; ends with tsr_route_free. */
typedef struct tsr_route {
  int64_t *sent;      /**< n_sent numbers of tuples, one receiver's after the other's */
  int64_t *to, *from; /**< how many go to, and come from, each process */
  int64_t n_sent, n_received;
} tsr_route;

/** Finds the way of n tuples. target: the process that each goes to. Collective. Fails with
 *  NO_MEMORY, ABORTED. */
tsr_status tsr_route_make(tsr_route *route, const tsr_processes *processes, const int32_t *target,
                          int64_t n, tsr_error *error);

/**
 * Moves tuples of `bytes` bytes. Collective, over `exchange`; the same bytes on all processes.
 * from: the tuples that route->sent has the numbers of. to: route->n_received tuples; NULL where
 * there is no memory for them, which all then fail with, unless there are none.
 * Fails with NO_MEMORY, ABORTED.
 */
tsr_status tsr_route_move(const tsr_route *route, const tsr_processes *processes, const void *from,
                          size_t bytes, void *to, tsr_error *error);

/**
 * Moves texts, `components` of them a tuple. Collective, over `exchange`.
 * lengths: of all texts of the n tuples that tsr_route_make was given, tuple after tuple; texts:
 * these, one after another. arrived: receives the lengths of those that come, route->n_received
 * times components. all: receives these texts, one after another, for free().
 * Fails with NO_MEMORY, ABORTED.
 */
tsr_status tsr_route_move_texts(const tsr_route *route, const tsr_processes *processes,
                                int components, const int64_t *lengths, const char *texts,
                                int64_t *arrived, char **all, tsr_error *error);

/** Frees what the route has, which is {0} again. */
void tsr_route_free(tsr_route *route);

#ifdef __cplusplus
}
#endif
#endif
