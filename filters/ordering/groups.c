/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Sorting inside of groups.
 *
 * Where group and order do not fit into one word (an order of numbers has many bits that differ),
 * the points are sorted by group alone, and then every group by itself, in a cache: much less
 * work than sorting all points again, as long as groups are small.
 */
#include "ordering/plan.h"

#include <string.h>

enum { MOST_POINTS = 2048, SHORT_RUN = 12 };

typedef struct entry {
  uint64_t key;
  int64_t point;
} entry;

int tsr_ordering_groups_are_small(const tsr_ordering_plan *plan) {
  int64_t start = 0;
  while (start < plan->n) {
    const uint8_t *rest = plan->flags + start + 1;
    const uint8_t *next = memchr(rest, TSR_FLAG_GROUP, (size_t)(plan->n - start - 1));
    const int64_t end = next ? next - plan->flags : plan->n;
    if (end - start > MOST_POINTS)
      return 0;
    start = end;
  }
  return 1;
}

static void insertion_sort(entry *e, int64_t n) {
  for (int64_t i = 1; i < n; ++i) {
    const entry one = e[i];
    int64_t j = i;
    for (; j > 0 && e[j - 1].key > one.key; --j)
      e[j] = e[j - 1];
    e[j] = one;
  }
}

/* Equal keys: a's come first. */
static void merge(const entry *a, int64_t na, const entry *b, int64_t nb, entry *out) {
  int64_t i = 0, j = 0, k = 0;
  while (i < na && j < nb) {
    const int second = b[j].key < a[i].key;
    out[k++] = second ? b[j] : a[i];
    j += second;
    i += 1 - second;
  }
  memcpy(out + k, a + i, (size_t)(na - i) * sizeof *a);
  memcpy(out + k + (na - i), b + j, (size_t)(nb - j) * sizeof *b);
}

/* The sorted entries, in e or in other. */
static const entry *sort_entries(entry *e, entry *other, int64_t n) {
  for (int64_t i = 0; i < n; i += SHORT_RUN)
    insertion_sort(e + i, n - i < SHORT_RUN ? n - i : SHORT_RUN);
  for (int64_t width = SHORT_RUN; width < n; width *= 2) {
    entry *swap = e;
    for (int64_t i = 0; i < n; i += 2 * width) {
      const int64_t na = n - i < width ? n - i : width;
      const int64_t nb = n - i - na < width ? n - i - na : width;
      merge(e + i, na, e + i + na, nb, other + i);
    }
    e = other;
    other = swap;
  }
  return e;
}

static void sort_group(const tsr_ordering_plan *plan, int64_t begin, int64_t end) {
  entry e[MOST_POINTS], other[MOST_POINTS];
  const entry *sorted;
  const int64_t n = end - begin;
  int64_t *points = plan->sorted + begin;
  for (int64_t i = 0; i < n; ++i) {
    e[i].key = tsr_key(&plan->view.order, points[i]);
    e[i].point = points[i];
  }
  sorted = sort_entries(e, other, n);
  for (int64_t i = 0; i < n; ++i)
    points[i] = sorted[i].point;
}

/* The groups that begin in [begin, end). */
static void sort_groups(void *data, int64_t begin, int64_t end) {
  const tsr_ordering_plan *plan = data;
  int64_t start = begin;
  while (start < end && !plan->flags[start])
    ++start;
  while (start < end) {
    int64_t next = start + 1;
    while (next < plan->n && !plan->flags[next])
      ++next;
    sort_group(plan, start, next);
    start = next;
  }
}

tsr_status tsr_ordering_sort_groups(tsr_ordering_plan *plan, double first, double last) {
  return tsr_ordering_run(&plan->base.execution, sort_groups, plan, plan->n, TSR_ORDERING_CHUNK,
                          first, last);
}
