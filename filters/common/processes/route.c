/* SPDX-License-Identifier: BSD-3-Clause */
/** Tuples that go from process to process. */
#include "common/processes/tessera_route.h"
#include "common/support.h"

#include <stdlib.h>
#include <string.h>

void tsr_route_free(tsr_route *route) {
  if (!route)
    return;
  free(route->sent);
  free(route->to);
  free(route->from);
  memset(route, 0, sizeof *route);
}

tsr_status tsr_route_make(tsr_route *route, const tsr_processes *processes, const int32_t *target,
                          int64_t n, tsr_error *error) {
  const int64_t ranks = processes->n;
  int64_t *all = tsr_alloc(ranks * ranks, sizeof *all, "the way of the points", error);
  int64_t *at = tsr_alloc(ranks + 1, sizeof *at, "the way of the points", error);
  route->to = tsr_alloc_clear(ranks, sizeof *route->to, "the way of the points", error);
  route->from = tsr_alloc(ranks, sizeof *route->from, "the way of the points", error);
  route->sent = tsr_alloc(n, sizeof *route->sent, "the way of the points", error);
  tsr_status status = tsr_processes_agree(
      processes, all && at && route->to && route->from && route->sent ? TSR_OK : TSR_NO_MEMORY,
      error);
  if (status == TSR_OK) {
    for (int64_t i = 0; i < n; ++i)
      route->to[target[i]]++;
    memcpy(at, route->to, (size_t)ranks * sizeof *at);
    route->n_sent = tsr_scan(at, ranks);
    for (int64_t i = 0; i < n; ++i)
      route->sent[at[target[i]]++] = i;
    status = tsr_processes_gather(processes, route->to, ranks * (int64_t)sizeof *all, all, error);
  }
  for (int64_t rank = 0; status == TSR_OK && rank < ranks; ++rank) {
    route->from[rank] = all[rank * ranks + processes->rank];
    route->n_received += route->from[rank];
  }
  free(all);
  free(at);
  return status;
}

/* Sends what is packed, the sizes in bytes of what goes to each process and comes from it. */
static tsr_status exchange(const tsr_processes *processes, const void *packed, const int64_t *to,
                           void *out, const int64_t *from, tsr_error *error) {
  if (processes->n == 1) {
    if (to[0] > 0)
      memcpy(out, packed, (size_t)to[0]);
    return TSR_OK;
  }
  return processes->exchange(processes->context, packed, to, out, from)
             ? tsr_fail(error, TSR_ABORTED, -1, "a message between the processes failed")
             : TSR_OK;
}

tsr_status tsr_route_move(const tsr_route *route, const tsr_processes *processes, const void *from,
                          size_t bytes, void *to, tsr_error *error) {
  const int ranks = processes->n;
  char *packed = tsr_alloc(route->n_sent, bytes, "points for other processes", error);
  int64_t *sizes = tsr_alloc(2 * (int64_t)ranks, sizeof *sizes, "a message", error);
  const int ready = packed && sizes && (to || route->n_received == 0);
  tsr_status status = tsr_processes_agree(processes, ready ? TSR_OK : TSR_NO_MEMORY, error);
  for (int64_t i = 0; status == TSR_OK && i < route->n_sent; ++i)
    memcpy(packed + (size_t)i * bytes, (const char *)from + (size_t)route->sent[i] * bytes, bytes);
  for (int rank = 0; status == TSR_OK && rank < ranks; ++rank) {
    sizes[rank] = route->to[rank] * (int64_t)bytes;
    sizes[ranks + rank] = route->from[rank] * (int64_t)bytes;
  }
  if (status == TSR_OK)
    status = exchange(processes, packed, sizes, to, sizes + ranks, error);
  free(packed);
  free(sizes);
  return status;
}

/* Buffers of a message of texts; all NULL at first. */
typedef struct letters {
  int64_t *begins; /* of each tuple's texts */
  int64_t *sizes;
  char *packed;
} letters;

/* The texts in the order of their receivers, and how many bytes go to each. */
static void pack(const tsr_route *route, int ranks, const char *texts, const letters *l) {
  int64_t i = 0;
  char *at = l->packed;
  for (int rank = 0; rank < ranks; ++rank) {
    const char *first = at;
    for (int64_t k = 0; k < route->to[rank]; ++k, ++i) {
      const int64_t begin = l->begins[route->sent[i]], end = l->begins[route->sent[i] + 1];
      memcpy(at, texts + begin, (size_t)(end - begin));
      at += end - begin;
    }
    l->sizes[rank] = at - first;
  }
}

/* How many bytes come from each process; returns how many are all. */
static int64_t count(const tsr_route *route, int ranks, int components, const int64_t *arrived,
                     int64_t *sizes) {
  int64_t total = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    sizes[rank] = 0;
    for (int64_t k = 0; k < route->from[rank] * components; ++k)
      sizes[rank] += *arrived++;
    total += sizes[rank];
  }
  return total;
}

tsr_status tsr_route_move_texts(const tsr_route *route, const tsr_processes *processes,
                                int components, const int64_t *lengths, const char *texts,
                                int64_t *arrived, char **all, tsr_error *error) {
  const int ranks = processes->n;
  const int64_t n = route->n_sent;
  int64_t total = 0;
  letters l = {tsr_alloc_clear(n + 1, sizeof *l.begins, "texts", error),
               tsr_alloc(2 * (int64_t)ranks, sizeof *l.sizes, "a message", error), NULL};
  tsr_status status = tsr_route_move(route, processes, lengths,
                                     (size_t)components * sizeof *lengths, arrived, error);
  *all = NULL;
  for (int64_t i = 0; l.begins && i < n; ++i)
    for (int c = 0; c < components; ++c)
      l.begins[i] += lengths[i * components + c];
  if (status == TSR_OK && l.begins && l.sizes) {
    l.packed = tsr_alloc(tsr_scan(l.begins, n), 1, "texts for other processes", error);
    total = count(route, ranks, components, arrived, l.sizes + ranks);
    *all = tsr_alloc(total, 1, "texts from other processes", error);
  }
  if (status == TSR_OK)
    status = tsr_processes_agree(processes, l.packed && *all ? TSR_OK : TSR_NO_MEMORY, error);
  if (status == TSR_OK) {
    pack(route, ranks, texts, &l);
    status = exchange(processes, l.packed, l.sizes, *all, l.sizes + ranks, error);
  }
  free(l.begins);
  free(l.sizes);
  free(l.packed);
  if (status != TSR_OK) {
    free(*all);
    *all = NULL;
  }
  return status;
}
