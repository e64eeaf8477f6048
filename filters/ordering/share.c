/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Points to curves on several processes: who gets which group.
 *
 * Every process sorts the keys of its own groups and gives some of them, evenly spaced, each
 * with the number of points that it stands for. All processes see all of these samples and
 * choose the same borders between the shares; a group is never cut, since borders are keys.
 */
#include "common/sort/sort.h"
#include "ordering/plan.h"

#include <stdlib.h>

/* Samples that a process takes for each share. The sizes of the shares then differ by about 1 / 64.
 */
enum { SAMPLES = 64 };

/* A process takes its samples from at most this many keys, those of every k-th point. */
enum { MOST_KEYS = 1 << 16 };

static int64_t samples_of(int64_t n, int ranks) {
  const int64_t most = (int64_t)SAMPLES * ranks;
  return n < most ? n : most;
}

/* Takes `count` keys, evenly spaced, of the sorted keys of this process. Each sample is a key and
 * the number of points that it stands for. */
static tsr_status take_samples(const tsr_array *group, int64_t n, int64_t count, tsr_pair *samples,
                               tsr_error *error) {
  const int64_t stride = n / MOST_KEYS + 1, n_keys = (n + stride - 1) / stride;
  uint64_t *memory = tsr_alloc(2 * n_keys, sizeof *memory, "the keys of groups", error);
  tsr_sort sort = {.items = memory, .other = memory + n_keys, .n = n_keys, .words = 1};
  tsr_status status;
  if (!memory)
    return TSR_NO_MEMORY;
  for (int64_t i = 0; i < n_keys; ++i)
    memory[i] = group->components > 0 ? tsr_key(group, i * stride) : 0;
  status = tsr_sort_run(&sort, error);
  for (int64_t s = 0; status == TSR_OK && s < count; ++s) {
    const int64_t at = (int64_t)((double)n_keys / (double)count * ((double)s + 0.5));
    samples[s].key = ((const uint64_t *)sort.items)[at < n_keys ? at : n_keys - 1];
    samples[s].value = n * (s + 1) / count - n * s / count;
  }
  free(memory);
  return status;
}

/* Chooses the lowest key of rank r + 1, borders[r], by the samples of all processes. */
static tsr_status choose_borders(tsr_pair *all, int64_t count, int ranks, uint64_t *borders,
                                 tsr_error *error) {
  int64_t total = 0, sum = 0, s = 0;
  tsr_pair *other = tsr_alloc(count, sizeof *other, "samples of groups", error);
  const tsr_pair *sorted;
  if (!other)
    return TSR_NO_MEMORY;
  sorted = tsr_sort_few(all, other, count);
  for (int64_t i = 0; i < count; ++i)
    total += sorted[i].value;
  for (int r = 0; r + 1 < ranks; ++r) {
    const double goal = (double)total / (double)ranks * (double)(r + 1);
    while (s < count && (double)sum < goal)
      sum += sorted[s++].value;
    /* Go on to where the next key begins; behind the last key there is nothing left. */
    while (s < count && s > 0 && sorted[s].key == sorted[s - 1].key)
      sum += sorted[s++].value;
    borders[r] = s < count ? sorted[s].key : UINT64_MAX;
  }
  free(other);
  return TSR_OK;
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

static tsr_status check(const tsr_array *group, int64_t n, const int32_t *target,
                        tsr_error *error) {
  if (!group || n < 0 || (n > 0 && !target))
    return tsr_fail(error, TSR_BAD_INPUT, -1, "an argument of tsr_ordering_share is NULL");
  return group->components != 0 ? tsr_check_array(group, "the group array", 1, n, error) : TSR_OK;
}

tsr_status tsr_ordering_share(const tsr_processes *processes, const tsr_array *group, int64_t n,
                              int32_t *target, tsr_error *error) {
  if (tsr_need(processes && group, "the group of processes or the array of groups", error))
    return TSR_BAD_INPUT;
  const int ranks = processes->n;
  const int64_t count = n > 0 ? samples_of(n, ranks) : 0;
  tsr_pair *mine = tsr_alloc(count, sizeof *mine, "samples of groups", error);
  uint64_t *borders = tsr_alloc(ranks, sizeof *borders, "the shares of groups", error);
  int64_t bytes;
  void *all;
  tsr_status status = mine && borders ? check(group, n, target, error) : TSR_NO_MEMORY;
  if (status == TSR_OK)
    status = take_samples(group, n, count, mine, error);
  status = tsr_processes_gather_bytes(processes, status, mine, count * (int64_t)sizeof *mine, &all,
                                      NULL, &bytes, error);
  if (status == TSR_OK) {
    status = choose_borders(all, bytes / (int64_t)sizeof *mine, ranks, borders, error);
    if (status == TSR_OK)
      find_targets(group, n, borders, ranks, target);
  }
  free(mine);
  free(borders);
  free(all);
  return status;
}
