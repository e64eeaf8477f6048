/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Point grids of several processes: who owns what.
 *
 * A sample of all keys is cut into as many parts as there are owners. A cut moves down to the first
 * key of the leaf that it falls into: which leaf that is follows from how many points of all
 * processes lie in each of the cells above the cut, so no leaf is torn apart.
 */
#include "pointgrid/partition/partition.h"

#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 256 /* of an owner */ };

tsr_status tsr_pointgrid_share_box(const tsr_pointgrid_input *input, tsr_pointgrid_box *box,
                                   tsr_error *error) {
  double mine[6], *all = tsr_alloc(input->options.n_ranks, sizeof mine, "a message", error);
  if (!all)
    return TSR_NO_MEMORY;
  memcpy(mine, box->low, sizeof box->low);
  memcpy(mine + 3, box->high, sizeof box->high);
  const tsr_status status = tsr_processes_gather(input->processes, mine, sizeof mine, all, error);
  for (int rank = 0; status == TSR_OK && rank < input->options.n_ranks; ++rank) {
    for (int a = 0; a < 3; ++a) {
      const double low = all[6 * rank + a], high = all[6 * rank + 3 + a];
      box->low[a] = low < box->low[a] ? low : box->low[a];
      box->high[a] = high > box->high[a] ? high : box->high[a];
    }
  }
  free(all);
  return status;
}

static int compare(const void *left, const void *right) {
  const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

/** Cuts at equal parts of a sample of the keys of all: cuts[1 .. owners). */
static tsr_status sample_cuts(const tsr_pointgrid_input *input, const tsr_pointgrid_item *items,
                              int owners, uint64_t *cuts, tsr_error *error) {
  const tsr_pointgrid_options *o = &input->options;
  int64_t *counts = tsr_alloc(o->n_ranks, sizeof *counts, "a message", error), total = 0, bytes = 0;
  tsr_status status = counts ? TSR_OK : TSR_NO_MEMORY;
  void *all = NULL;
  if (status == TSR_OK)
    status = tsr_processes_gather(input->processes, &input->n_items, sizeof input->n_items, counts,
                                  error);
  for (int rank = 0; status == TSR_OK && rank < o->n_ranks; ++rank)
    total += counts[rank];
  free(counts);
  const int64_t step = total / ((int64_t)owners * SAMPLES) + 1;
  const int64_t n = (input->n_items + step - 1) / step;
  uint64_t *mine = tsr_alloc(n, sizeof *mine, "a sample of the points", error);
  for (int64_t i = 0; mine && i < n; ++i)
    mine[i] = items[i * step].key;
  if (status == TSR_OK && !mine)
    status = TSR_NO_MEMORY;
  status = tsr_processes_gather_bytes(input->processes, status, mine, n * (int64_t)sizeof *mine,
                                      &all, NULL, &bytes, error);
  if (status == TSR_OK) {
    uint64_t *sample = all;
    const int64_t samples = bytes / (int64_t)sizeof *sample;
    if (samples > 0)
      qsort(sample, (size_t)samples, sizeof *sample, compare);
    for (int c = 1; c < owners; ++c)
      cuts[c] = samples > 0 ? sample[samples * c / owners] : 0;
  }
  free(mine);
  free(all);
  return status;
}

/** The points whose keys agree with a cut's down to a level, and no further. */
typedef struct branch {
  int64_t count;
  double low, high;
} branch;

enum { LEVELS = TSR_POINTGRID_MAX_LEVEL + 1 };

static void count_branches(const tsr_pointgrid_input *input, const tsr_pointgrid_item *items,
                           const uint64_t *cuts, int owners, branch *branches) {
  for (int i = 0; i < owners * LEVELS; ++i)
    branches[i] = (branch){0, INFINITY, -INFINITY};
  for (int64_t i = 0; i < input->n_items; ++i) {
    const double v =
        input->rule.use_spread
            ? tsr_pointgrid_value(&input->spread, input->options.spread_component, items[i].point)
            : 0.0;
    for (int c = 1; c < owners; ++c) {
      branch *b = &branches[c * LEVELS + tsr_pointgrid_common_level(items[i].key, cuts[c],
                                                                    input->rule.dimension)];
      b->count++;
      b->low = v < b->low ? v : b->low;
      b->high = v > b->high ? v : b->high;
    }
  }
}

static void join_branches(branch *to, const branch *from) {
  to->count += from->count;
  to->low = from->low < to->low ? from->low : to->low;
  to->high = from->high > to->high ? from->high : to->high;
}

/** The first key of the leaf that the cut falls into. branches: of all points. */
static uint64_t leaf_of_cut(const tsr_pointgrid_input *input, uint64_t cut, branch *branches) {
  tsr_pointgrid_rule rule = input->rule;
  int level = 0;
  rule.begin = 0;
  rule.end = (uint64_t)1 << tsr_pointgrid_shift(rule.dimension, 0);
  for (int l = LEVELS - 1; l > 0; --l)
    join_branches(&branches[l - 1], &branches[l]);
  for (;; ++level) {
    const int shift = tsr_pointgrid_shift(rule.dimension, level);
    const tsr_pointgrid_cell cell = {.key = cut >> shift << shift,
                                     .count = branches[level].count,
                                     .low = branches[level].low,
                                     .high = branches[level].high,
                                     .level = level};
    if (!tsr_pointgrid_splits(&rule, &cell))
      return cell.key;
  }
}

static tsr_status move_cuts(const tsr_pointgrid_input *input, const tsr_pointgrid_item *items,
                            int owners, uint64_t *cuts, tsr_error *error) {
  const int64_t n = (int64_t)owners * LEVELS;
  const int ranks = input->options.n_ranks;
  branch *mine = tsr_alloc(n, sizeof *mine, "the cuts between processes", error);
  branch *all = tsr_alloc(n * ranks, sizeof *all, "the cuts between processes", error);
  tsr_status status =
      tsr_processes_agree(input->processes, mine && all ? TSR_OK : TSR_NO_MEMORY, error);
  if (status == TSR_OK) {
    count_branches(input, items, cuts, owners, mine);
    status = tsr_processes_gather(input->processes, mine, n * (int64_t)sizeof *mine, all, error);
  }
  for (int rank = 1; status == TSR_OK && rank < ranks; ++rank)
    for (int64_t i = 0; i < n; ++i)
      join_branches(&all[i], &all[rank * n + i]);
  for (int c = 1; status == TSR_OK && c < owners; ++c)
    cuts[c] = leaf_of_cut(input, cuts[c], &all[c * LEVELS]);
  free(mine);
  free(all);
  return status;
}

/** The number of a rank among the owners, or -1; rank = n_ranks: how many there are. */
static int owner_number(const tsr_pointgrid_options *o, int rank) {
  int number = 0;
  for (int r = 0; r < rank; ++r)
    number += !o->owners || o->owners[r];
  return rank < o->n_ranks && o->owners && !o->owners[rank] ? -1 : number;
}

/** The rank that owns each item. */
static void find_owners(const tsr_pointgrid_input *input, const tsr_pointgrid_item *items,
                        const uint64_t *cuts, int owners, const int *ranks, int *owner_of_item) {
  for (int64_t i = 0; i < input->n_items; ++i) {
    int low = 0, high = owners;
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      if (cuts[middle] <= items[i].key)
        low = middle;
      else
        high = middle;
    }
    owner_of_item[i] = ranks[low];
  }
}

tsr_status tsr_pointgrid_share_points(tsr_pointgrid_input *input, tsr_pointgrid_route *route,
                                      tsr_error *error) {
  const tsr_pointgrid_options *o = &input->options;
  const int owners = owner_number(o, o->n_ranks), me = owner_number(o, o->rank);
  uint64_t *cuts = tsr_alloc(owners + 1, sizeof *cuts, "the cuts between processes", error);
  int *ranks = tsr_alloc(owners, sizeof *ranks, "the cuts between processes", error);
  int *owner_of_item = tsr_alloc(input->n_items, sizeof *owner_of_item, "the owners", error);
  tsr_pointgrid_item *items;
  tsr_status status = tsr_pointgrid_make_items(input, &items, error);
  if (status == TSR_OK && (!cuts || !ranks || !owner_of_item))
    status = TSR_NO_MEMORY;
  status = tsr_processes_agree(input->processes, status, error);
  if (status == TSR_OK) {
    cuts[0] = 0;
    cuts[owners] = (uint64_t)1 << tsr_pointgrid_shift(input->rule.dimension, 0);
    status = sample_cuts(input, items, owners, cuts, error);
  }
  if (status == TSR_OK)
    status = move_cuts(input, items, owners, cuts, error);
  for (int rank = 0; status == TSR_OK && rank < o->n_ranks; ++rank)
    if (owner_number(o, rank) >= 0)
      ranks[owner_number(o, rank)] = rank;
  if (status == TSR_OK) {
    find_owners(input, items, cuts, owners, ranks, owner_of_item);
    input->rule.begin = me < 0 ? 0 : cuts[me];
    input->rule.end = me < 0 ? 0 : cuts[me + 1];
    status = tsr_pointgrid_travel(input, route, items, owner_of_item, error);
  }
  free(items);
  free(cuts);
  free(ranks);
  free(owner_of_item);
  return status;
}
