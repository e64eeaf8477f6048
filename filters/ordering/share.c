/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Points to curves on several processes: who gets which group.
 *
 * Every process sorts the keys of its own groups and gives some of them, evenly spaced, each
 * with the number of points that it stands for. All processes see all of these samples and
 * choose the same borders between the shares; a group is never cut, since borders are keys.
 */
#include "ordering/plan.h"

#include <stdlib.h>
#include <string.h>

/* Samples of a process for each of the shares: the shares differ by about a part in so many. */
enum { SAMPLES = 64 };

/* Keys that a process looks at to find its samples: every k-th of its points. */
enum { MOST_KEYS = 1 << 16 };

typedef struct sample {
  uint64_t key;
  int64_t weight; /* points; 0: a process that failed */
} sample;

static int compare_keys(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static int compare_samples(const void *a, const void *b) {
  return compare_keys(&((const sample *)a)->key, &((const sample *)b)->key);
}

static int64_t samples_of(int64_t n, int ranks) {
  const int64_t most = (int64_t)SAMPLES * ranks;
  return n < most ? n : most;
}

/* Evenly spaced keys of the sorted ones. */
static tsr_status take_samples(const tsr_array *group, int64_t n, int64_t count, sample *samples,
                               tsr_error *error) {
  const int64_t stride = n / MOST_KEYS + 1, n_keys = (n + stride - 1) / stride;
  uint64_t *keys = tsr_alloc(n_keys, sizeof *keys, "the keys of groups", error);
  if (!keys)
    return TSR_NO_MEMORY;
  for (int64_t i = 0; i < n_keys; ++i)
    keys[i] = group->components > 0 ? tsr_key(group, i * stride) : 0;
  qsort(keys, (size_t)n_keys, sizeof *keys, compare_keys);
  for (int64_t s = 0; s < count; ++s) {
    const int64_t at = (int64_t)((double)n_keys / (double)count * ((double)s + 0.5));
    samples[s].key = keys[at < n_keys ? at : n_keys - 1];
    samples[s].weight = n * (s + 1) / count - n * s / count;
  }
  free(keys);
  return TSR_OK;
}

/* borders[r]: the lowest key of rank r + 1. */
static void choose_borders(sample *all, int64_t count, int ranks, uint64_t *borders) {
  int64_t total = 0, sum = 0, s = 0;
  qsort(all, (size_t)count, sizeof *all, compare_samples);
  for (int64_t i = 0; i < count; ++i)
    total += all[i].weight;
  for (int r = 0; r + 1 < ranks; ++r) {
    const double goal = (double)total / (double)ranks * (double)(r + 1);
    while (s < count && (double)sum < goal)
      sum += all[s++].weight;
    /* Go on to where the next key begins; behind the last key there is nothing left. */
    while (s < count && s > 0 && all[s].key == all[s - 1].key)
      sum += all[s++].weight;
    borders[r] = s < count ? all[s].key : UINT64_MAX;
  }
}

static void find_targets(const tsr_array *group, int64_t n, const uint64_t *borders, int ranks,
                         int32_t *target) {
  for (int64_t i = 0; i < n; ++i) {
    const uint64_t key = group->components > 0 ? tsr_key(group, i) : 0;
    int low = 0, high = ranks - 1;
    while (low < high) {
      const int middle = low + (high - low) / 2;
      if (key >= borders[middle])
        low = middle + 1;
      else
        high = middle;
    }
    target[i] = low;
  }
}

/* What all processes gather of each other. */
typedef struct exchange {
  int64_t *sizes;
  sample *mine, *all;
  uint64_t *borders;
} exchange;

static tsr_status share(exchange *x, const tsr_array *group, int64_t n,
                        int (*gather_all)(void *, const void *, int64_t, void *, const int64_t *),
                        void *context, int ranks, int32_t *target, tsr_error *error) {
  const int64_t count = samples_of(n, ranks);
  const int64_t one = sizeof(int64_t);
  int64_t total = 0, mine = count * (int64_t)sizeof(sample);
  tsr_status status = TSR_NO_MEMORY;
  x->mine = tsr_alloc(count, sizeof *x->mine, "samples of groups", error);
  x->borders = tsr_alloc(ranks, sizeof *x->borders, "the shares of groups", error);
  if (x->mine && x->borders)
    status = take_samples(group, n, count, x->mine, error);
  if (status != TSR_OK)
    mine = -1; /* a failure, so that the others do not wait */
  for (int r = 0; r < ranks; ++r)
    x->sizes[r] = one;
  if (gather_all(context, &mine, one, x->sizes + ranks, x->sizes))
    return tsr_fail(error, TSR_ABORTED, -1, "the exchange between processes failed");
  for (int r = 0; r < ranks; ++r) {
    x->sizes[r] = x->sizes[ranks + r];
    if (x->sizes[r] < 0)
      return status != TSR_OK ? status : tsr_fail(error, TSR_ABORTED, -1, "another process failed");
    total += x->sizes[r];
  }
  x->all = tsr_alloc(total, 1, "the samples of all processes", error);
  if (!x->all)
    return TSR_NO_MEMORY; /* so small that it will not happen to some only */
  if (gather_all(context, x->mine, mine, x->all, x->sizes))
    return tsr_fail(error, TSR_ABORTED, -1, "the exchange between processes failed");
  choose_borders(x->all, total / (int64_t)sizeof(sample), ranks, x->borders);
  find_targets(group, n, x->borders, ranks, target);
  return TSR_OK;
}

tsr_status tsr_ordering_share(const tsr_array *group, int64_t n,
                              int (*gather_all)(void *context, const void *mine, int64_t bytes,
                                                void *all, const int64_t *sizes),
                              void *context, int ranks, int32_t *target, tsr_error *error) {
  exchange x = {NULL, NULL, NULL, NULL};
  tsr_status status;
  if (!group || !gather_all || ranks < 1 || n < 0 || (n > 0 && !target))
    return tsr_fail(error, TSR_BAD_INPUT, -1, "an argument of the sharing of groups is missing");
  if (group->components != 0 && tsr_check_array(group, "the group array", 1, n, error))
    return TSR_BAD_INPUT;
  x.sizes = tsr_alloc(2 * (int64_t)ranks, sizeof *x.sizes, "sizes", error);
  status = x.sizes ? share(&x, group, n, gather_all, context, ranks, target, error) : TSR_NO_MEMORY;
  free(x.sizes);
  free(x.mine);
  free(x.all);
  free(x.borders);
  return status;
}
