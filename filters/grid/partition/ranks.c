/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: what several processes tell each other. */
#include "grid/plan.h"

#include <stdlib.h>
#include <string.h>

/* Gathers `bytes` equal in all processes; all: n_ranks times as many. */
static tsr_status tsr_gather_equal(const tsr_grid_plan *plan, const void *mine, int64_t bytes,
                                   void *all, tsr_error *error) {
  const tsr_grid_options *o = &plan->options;
  int64_t *sizes = tsr_alloc(o->n_ranks, sizeof *sizes, "the sizes of processes", error);
  int failed;
  if (!sizes)
    return TSR_NO_MEMORY;
  for (int k = 0; k < o->n_ranks; ++k)
    sizes[k] = bytes;
  failed = o->gather(o->gather_context, mine, bytes, all, sizes);
  free(sizes);
  if (failed)
    return tsr_fail(error, TSR_ABORTED, -1, "the processes could not exchange data");
  return TSR_OK;
}

tsr_status tsr_grid_sum(const tsr_grid_plan *plan, int64_t *value, tsr_error *error) {
  int64_t *all, sum = 0;
  tsr_status status;
  if (!plan->options.gather)
    return TSR_OK;
  all = tsr_alloc(plan->options.n_ranks, sizeof *all, "the numbers of processes", error);
  if (!all)
    return TSR_NO_MEMORY;
  status = tsr_gather_equal(plan, value, sizeof *value, all, error);
  for (int k = 0; status == TSR_OK && k < plan->options.n_ranks; ++k)
    sum += all[k];
  *value = sum;
  free(all);
  return status;
}

tsr_status tsr_grid_agree(const tsr_grid_plan *plan, tsr_status status, tsr_error *error) {
  int64_t failures = status != TSR_OK;
  tsr_error own;
  const tsr_status sum = tsr_grid_sum(plan, &failures, &own);
  if (status != TSR_OK)
    return status;
  if (sum != TSR_OK)
    return tsr_fail(error, sum, -1, "%s", own.text);
  if (failures > 0)
    return tsr_fail(error, TSR_ABORTED, -1, "another process could not make its part of the grid");
  return TSR_OK;
}

tsr_status tsr_grid_agree_range(const tsr_grid_plan *plan, double range[2], tsr_error *error) {
  double *all;
  tsr_status status;
  if (!plan->options.gather)
    return TSR_OK;
  all =
      tsr_alloc(2 * (int64_t)plan->options.n_ranks, sizeof *all, "the ranges of processes", error);
  if (!all)
    return TSR_NO_MEMORY;
  status = tsr_gather_equal(plan, range, 2 * sizeof *range, all, error);
  for (int k = 0; status == TSR_OK && k < plan->options.n_ranks; ++k) {
    range[0] = all[2 * k] < range[0] ? all[2 * k] : range[0];
    range[1] = all[2 * k + 1] > range[1] ? all[2 * k + 1] : range[1];
  }
  free(all);
  return status;
}

/* Bits one after another, in whole bytes for each root. */
typedef struct tsr_message {
  uint8_t *bytes;
  int64_t n, room; /* bits */
  int full;        /* no memory */
} tsr_message;

static void tsr_message_bit(tsr_message *m, int bit) {
  if (m->n >= m->room) {
    const int64_t room = m->room > 0 ? 2 * m->room : 8192;
    uint8_t *more = m->full ? NULL : realloc(m->bytes, (size_t)room / 8);
    if (!more) {
      m->full = 1;
      return;
    }
    memset(more + m->room / 8, 0, (size_t)(room - m->room) / 8);
    m->bytes = more;
    m->room = room;
  }
  m->bytes[m->n / 8] |= (uint8_t)(bit << (m->n % 8));
  ++m->n;
}

static void tsr_message_align(tsr_message *m) {
  while (m->n % 8 != 0)
    tsr_message_bit(m, 0);
}

/* The bits of a node and, if it is refined, of its children. */
static void tsr_message_node(tsr_message *m, const tsr_grid_plan *plan, int level,
                             const int64_t i[3]) {
  const tsr_lattice *lattice = &plan->lattice;
  const int refined = tsr_tree_get(&plan->tree, lattice, level, i);
  if (level >= lattice->levels || m->full)
    return;
  tsr_message_bit(m, refined);
  for (unsigned k = 0; refined && k < (1u << lattice->dimension); ++k) {
    int64_t child[3];
    if (tsr_node_child(lattice, level, i, k, child))
      tsr_message_node(m, plan, level + 1, child);
  }
}

/* The same from a message that was received; sets what is known and not owned. */
static void tsr_message_read(tsr_grid_plan *plan, int64_t *bit, int take, int level,
                             const int64_t i[3]) {
  const tsr_lattice *lattice = &plan->lattice;
  int refined;
  if (level >= lattice->levels || *bit >= 8 * plan->received_bytes)
    return;
  refined = (plan->received[*bit / 8] >> (*bit % 8)) & 1;
  ++*bit;
  if (refined && take)
    tsr_tree_set(&plan->tree, lattice, level, i);
  for (unsigned k = 0; refined && k < (1u << lattice->dimension); ++k) {
    int64_t child[3];
    if (tsr_node_child(lattice, level, i, k, child))
      tsr_message_read(plan, bit, take, level + 1, child);
  }
}

/* 1 if another process may know the root. */
static int tsr_root_is_sent(const tsr_grid_plan *plan, const int64_t i[3]) {
  const tsr_lattice *lattice = &plan->lattice;
  const int64_t reach = tsr_grid_reach(&plan->options);
  for (int a = 0; a < lattice->dimension; ++a) {
    if (lattice->owned[a][0] > 0 && i[a] < lattice->owned[a][0] + reach)
      return 1;
    if (lattice->owned[a][1] < lattice->roots[a] && i[a] >= lattice->owned[a][1] - reach)
      return 1;
  }
  return 0;
}

/* The owned roots that others may know: the three indices in 32 bits each, then the bits. */
static tsr_message tsr_message_make(const tsr_grid_plan *plan) {
  const tsr_lattice *lattice = &plan->lattice;
  tsr_message m = {NULL, 0, 0, 0};
  int64_t i[3];
  for (i[2] = lattice->owned[2][0]; i[2] < lattice->owned[2][1]; ++i[2])
    for (i[1] = lattice->owned[1][0]; i[1] < lattice->owned[1][1]; ++i[1])
      for (i[0] = lattice->owned[0][0]; i[0] < lattice->owned[0][1]; ++i[0]) {
        if (!tsr_root_is_sent(plan, i))
          continue;
        for (int a = 0; a < 3; ++a)
          for (int k = 0; k < 32; ++k)
            tsr_message_bit(&m, (int)((i[a] >> k) & 1));
        tsr_message_node(&m, plan, 0, i);
        tsr_message_align(&m);
      }
  return m;
}

void tsr_grid_import(tsr_grid_plan *plan) {
  const tsr_lattice *lattice = &plan->lattice;
  int64_t bit = 0;
  while (plan->received && bit + 96 <= 8 * plan->received_bytes) {
    int64_t i[3] = {0, 0, 0};
    int owned = 1;
    for (int a = 0; a < 3; ++a) {
      for (int k = 0; k < 32; ++k, ++bit)
        i[a] |= (int64_t)((plan->received[bit / 8] >> (bit % 8)) & 1) << k;
      owned = owned && i[a] >= lattice->owned[a][0] && i[a] < lattice->owned[a][1];
    }
    tsr_message_read(plan, &bit, !owned && tsr_node_in_tree(lattice, 0, i), 0, i);
    bit = (bit + 7) / 8 * 8;
  }
}

/* Receives all messages into plan->received. */
static tsr_status tsr_exchange_messages(tsr_grid_plan *plan, const tsr_message *m, int64_t *sizes,
                                        tsr_error *error) {
  const tsr_grid_options *o = &plan->options;
  const int64_t bytes = m->n / 8;
  tsr_status status = tsr_gather_equal(plan, &bytes, sizeof bytes, sizes, error);
  if (status != TSR_OK)
    return status;
  plan->received_bytes = 0;
  for (int k = 0; k < o->n_ranks; ++k)
    plan->received_bytes += sizes[k];
  free(plan->received);
  plan->received = tsr_alloc(plan->received_bytes, 1, "the decisions of other processes", error);
  status = tsr_grid_agree(plan, plan->received ? TSR_OK : TSR_NO_MEMORY, error);
  if (status != TSR_OK)
    return status;
  if (o->gather(o->gather_context, m->bytes, bytes, plan->received, sizes))
    return tsr_fail(error, TSR_ABORTED, -1, "the processes could not exchange data");
  tsr_grid_import(plan);
  return TSR_OK;
}

tsr_status tsr_grid_exchange(tsr_grid_plan *plan, tsr_error *error) {
  tsr_message m;
  int64_t *sizes;
  tsr_status status = TSR_OK;
  if (!plan->options.gather)
    return TSR_OK;
  m = tsr_message_make(plan);
  sizes = tsr_alloc(plan->options.n_ranks, sizeof *sizes, "the sizes of processes", error);
  if (m.full || !sizes)
    status = tsr_fail(error, TSR_NO_MEMORY, -1, "there is no memory for the decisions to send");
  status = tsr_grid_agree(plan, status, error);
  if (status == TSR_OK)
    status = tsr_exchange_messages(plan, &m, sizes, error);
  free(m.bytes);
  free(sizes);
  return status;
}
