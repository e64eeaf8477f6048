/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * A radix sort for many items; a merge sort for few.
 *
 * The items are cut into chunks. In each pass a chunk counts its digits; the sums of the counts,
 * digit by digit and in each digit chunk by chunk, are where a chunk's items of a digit go to.
 * Equal digits therefore keep their order, and the result does not depend on the number of threads.
 *
 * Where keys are long, a first pass by the highest digit puts the items into buckets. Each bucket
 * is then sorted alone, digit by digit from the lowest, by one thread in its cache. Otherwise, and
 * where one bucket has most of the items, all passes are over all items, from the lowest digit on.
 */
#include "common/sort/sort.h"

#include <stdlib.h>
#include <string.h>

/* Most bits of a digit. Measured on one thread of a Xeon with 5.7 million pairs and keys of 33
 * bits, at random and in Morton order: 8 bits take 30 % longer, 9 and 10 bits 10 %, 12 bits as
 * long. */
enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

/* Items of a chunk, at least, and chunks, at most: one thread sums the counts of all chunks. */
enum { LEAST_CHUNK = 1 << 16, MOST_CHUNKS = 64 };

/* The highest digit is so wide that a bucket has this many items on average. It is at most
 * DIGIT_BITS wide; keys whose highest bits are all 0, as Morton numbers of a domain that is no
 * cube, then have fewer and larger buckets, and a bucket still fits the cache. */
enum { BUCKET_ITEMS = 1 << 11 };

/* Fewer items fit the cache as they are, and two passes over all items are as quick. Measured on
 * one thread with random keys of 60 bits: 6 million take 60 ns an item without buckets and 28 with
 * them; with three passes, of 30 bits, 6 million take as long in either way, and the plan of an
 * octree with 36 million slots of 33 bits takes 0.84 of the time. */
enum { LEAST_IN_BUCKETS = 1 << 18, LEAST_PASSES = 3 };

enum { SHORT_RUN = 12 };

/* Most items that are inserted one by one. To sort four of them by digits, with 2,048 counts a
 * digit, took a tenth of the time of a plan of one curved face. */
enum { INSERTED = 32 };

/* ---- many items */

typedef struct digit_pass {
  const tsr_sort *sort;
  int64_t chunk;
  int64_t (*places)[DIGITS]; /* of each chunk: counts, then where its digits go to */
  uint64_t *differ; /* of each chunk: the bits that differ from the first item's; 1: not in order */
  int low;
  uint64_t mask;
} digit_pass;

static int64_t end_of(const digit_pass *p, int64_t c) {
  const int64_t begin = c * p->chunk, n = p->sort->n;
  return n - begin < p->chunk ? n : begin + p->chunk;
}

static void find_bits(void *data, int64_t begin, int64_t end) {
  const digit_pass *p = data;
  const uint64_t *items = p->sort->items;
  const int words = p->sort->words;
  for (int64_t c = begin; c < end; ++c) {
    const int64_t last = end_of(p, c);
    uint64_t differ = 0;
    for (int64_t i = c * p->chunk; i < last; ++i)
      differ |= items[i * words] ^ items[0];
    p->differ[c] = differ;
  }
}

static void count_digits(void *data, int64_t begin, int64_t end) {
  const digit_pass *p = data;
  const uint64_t mask = p->mask;
  const uint64_t *items = p->sort->items;
  const int words = p->sort->words, low = p->low;
  for (int64_t c = begin; c < end; ++c) {
    const int64_t last = end_of(p, c);
    int64_t *counts = p->places[c];
    memset(counts, 0, sizeof p->places[c]);
    for (int64_t i = c * p->chunk; i < last; ++i)
      counts[items[i * words] >> low & mask]++;
  }
}

/* words: a constant for the compiler. */
static inline void move_chunk(const digit_pass *p, int64_t c, const int words) {
  const uint64_t *items = p->sort->items, mask = p->mask;
  const int low = p->low;
  uint64_t *out = p->sort->other;
  int64_t *places = p->places[c];
  const int64_t last = end_of(p, c);
  for (int64_t i = c * p->chunk; i < last; ++i) {
    const uint64_t *item = items + i * words;
    memcpy(out + places[item[0] >> low & mask]++ * words, item, (size_t)words * sizeof *item);
  }
}

static void move_digits(void *data, int64_t begin, int64_t end) {
  const digit_pass *p = data;
  for (int64_t c = begin; c < end; ++c) {
    if (p->sort->words == 1)
      move_chunk(p, c, 1);
    else
      move_chunk(p, c, 2);
  }
}

/* Turns counts into places: by digit, and in each digit by chunk. */
static void sum_digits(const digit_pass *p, int64_t chunks) {
  int64_t sum = 0;
  for (int d = 0; d < DIGITS; ++d)
    for (int64_t c = 0; c < chunks; ++c) {
      const int64_t count = p->places[c][d];
      p->places[c][d] = sum;
      sum += count;
    }
}

static tsr_status run_over(const tsr_sort *sort, tsr_task task, void *data, int64_t n, double first,
                           double last) {
  tsr_execution alone;
  tsr_execution_init(&alone);
  return tsr_run_task(sort->execution ? sort->execution : &alone, task, data, n, 1, first, last);
}

/* Runs a task over the chunks. */
static tsr_status run(const digit_pass *p, tsr_task task, int64_t chunks, double first,
                      double last) {
  return run_over(p->sort, task, (void *)p, chunks, first, last);
}

/* Sets the bits to sort by, those that differ. */
static tsr_status narrow(tsr_sort *sort, const digit_pass *p, int64_t chunks) {
  const tsr_status status = run(p, find_bits, chunks, sort->first, sort->first);
  uint64_t differ = 0;
  for (int64_t c = 0; status == TSR_OK && c < chunks; ++c)
    differ |= p->differ[c];
  for (sort->low = 0; differ && !(differ & 1); differ >>= 1)
    ++sort->low;
  for (; differ; differ >>= 1)
    ++sort->bits;
  return status;
}

static void find_unsorted(void *data, int64_t begin, int64_t end) {
  const digit_pass *p = data;
  const uint64_t *items = p->sort->items, mask = p->mask;
  const int words = p->sort->words, low = p->low;
  for (int64_t c = begin; c < end; ++c) {
    const int64_t last = end_of(p, c);
    int64_t i = c > 0 ? c * p->chunk : 1;
    while (i < last && (items[(i - 1) * words] >> low & mask) <= (items[i * words] >> low & mask))
      ++i;
    p->differ[c] = i < last;
  }
}

/* Sets *sorted to 1 if the items are in order already: it costs little to find that they are not.
 */
static tsr_status find_sorted(const tsr_sort *sort, digit_pass *p, int64_t chunks, int *sorted) {
  p->low = sort->low;
  p->mask = sort->bits < 64 ? ((uint64_t)1 << sort->bits) - 1 : UINT64_MAX;
  const tsr_status status = run(p, find_unsorted, chunks, sort->first, sort->first);
  *sorted = 1;
  for (int64_t c = 0; status == TSR_OK && c < chunks; ++c)
    *sorted = *sorted && !p->differ[c];
  return status;
}

/* Counts the digit [begin, end) of the bits to sort by, and sums the counts. */
static tsr_status count_pass(const tsr_sort *sort, digit_pass *p, int64_t chunks, int begin,
                             int end, double first, double last) {
  p->low = sort->low + begin;
  p->mask = ((uint64_t)1 << (end - begin)) - 1;
  const tsr_status status = run(p, count_digits, chunks, first, last);
  if (status == TSR_OK)
    sum_digits(p, chunks);
  return status;
}

/* Moves the items by the digit that was counted. */
static tsr_status move_pass(tsr_sort *sort, const digit_pass *p, int64_t chunks, double first,
                            double last) {
  void *const swap = sort->other;
  const tsr_status status = run(p, move_digits, chunks, first, last);
  sort->other = sort->items;
  sort->items = swap;
  return status;
}

static int passes_of(int bits) { return (bits + DIGIT_BITS - 1) / DIGIT_BITS; }

/* By all digits from the lowest on. */
static tsr_status sort_digits(tsr_sort *sort, digit_pass *p, int64_t chunks) {
  const int passes = passes_of(sort->bits);
  const double step = (sort->last - sort->first) / (2.0 * (passes > 0 ? passes : 1));
  tsr_status status = TSR_OK;
  for (int k = 0; k < passes && status == TSR_OK; ++k) {
    const int begin = sort->bits * k / passes, end = sort->bits * (k + 1) / passes;
    const double done = sort->first + 2.0 * k * step;
    status = count_pass(sort, p, chunks, begin, end, done, done + step);
    if (status == TSR_OK)
      status = move_pass(sort, p, chunks, done + step, done + 2.0 * step);
  }
  return status;
}

/* Items [begin[k], begin[k + 1]) are bucket k. */
typedef struct buckets {
  const tsr_sort *sort;
  int64_t begin[DIGITS + 1];
  int bits; /* left to sort by, from sort->low on */
} buckets;

/* Sorts n items from `items` by one digit into `to`. words: a constant for the compiler. */
static inline void move_bucket(const uint64_t *items, uint64_t *to, int64_t n, int low,
                               uint64_t mask, const int words) {
  int64_t places[DIGITS], sum = 0;
  memset(places, 0, ((size_t)mask + 1) * sizeof *places);
  for (int64_t i = 0; i < n; ++i)
    places[items[i * words] >> low & mask]++;
  for (uint64_t d = 0; d <= mask; ++d) {
    const int64_t count = places[d];
    places[d] = sum;
    sum += count;
  }
  for (int64_t i = 0; i < n; ++i) {
    const uint64_t *item = items + i * words;
    memcpy(to + places[item[0] >> low & mask]++ * words, item, (size_t)words * sizeof *item);
  }
}

static void sort_buckets(void *data, int64_t begin, int64_t end) {
  const buckets *b = data;
  const int words = b->sort->words, passes = passes_of(b->bits);
  for (int64_t k = begin; k < end; ++k) {
    const int64_t at = b->begin[k], n = b->begin[k + 1] - at;
    uint64_t *items = (uint64_t *)b->sort->items + at * words;
    uint64_t *other = (uint64_t *)b->sort->other + at * words;
    for (int d = 0; d < passes && n > 0; ++d) {
      const int low = b->bits * d / passes, width = b->bits * (d + 1) / passes - low;
      const uint64_t mask = ((uint64_t)1 << width) - 1;
      uint64_t *const swap = other;
      if (words == 1)
        move_bucket(items, other, n, b->sort->low + low, mask, 1);
      else
        move_bucket(items, other, n, b->sort->low + low, mask, 2);
      other = items;
      items = swap;
    }
  }
}

/* Finds the buckets of a digit that was counted. Returns the number of items in the largest one. */
static int64_t find_buckets(const tsr_sort *sort, const digit_pass *p, buckets *b) {
  int64_t most = 0;
  for (int d = 0; d < DIGITS; ++d)
    b->begin[d] = p->places[0][d];
  b->begin[DIGITS] = sort->n;
  for (int d = 0; d < DIGITS; ++d)
    if (b->begin[d + 1] - b->begin[d] > most)
      most = b->begin[d + 1] - b->begin[d];
  return most;
}

/* By the highest digit, then in buckets. *done: receives 0 if one bucket has too many of the items,
 * and nothing was moved. */
static tsr_status sort_in_buckets(tsr_sort *sort, digit_pass *p, int64_t chunks, int *done) {
  const double step = (sort->last - sort->first) / 3.0;
  buckets b = {.sort = sort};
  int top = 1;
  while (top < DIGIT_BITS && sort->n >> (top + 1) >= BUCKET_ITEMS)
    ++top;
  *done = 0;
  b.bits = sort->bits - top;
  if (sort->n < LEAST_IN_BUCKETS || passes_of(sort->bits) < LEAST_PASSES)
    return TSR_OK;
  tsr_status status =
      count_pass(sort, p, chunks, b.bits, sort->bits, sort->first, sort->first + step);
  if (status != TSR_OK)
    return status;
  if (find_buckets(sort, p, &b) > sort->n / 4) {
    sort->first += step; /* progress has told so much */
    return TSR_OK;
  }
  *done = 1;
  status = move_pass(sort, p, chunks, sort->first + step, sort->first + 2.0 * step);
  if (status == TSR_OK)
    status = run_over(sort, sort_buckets, &b, DIGITS, sort->first + 2.0 * step, sort->last);
  if (passes_of(b.bits) % 2 == 1) {
    void *const swap = sort->other;
    sort->other = sort->items;
    sort->items = swap;
  }
  return status;
}

/* Sorts few items in place, in the same order as the other ways do. A task of one part. */
static void insert_items(void *data, int64_t begin, int64_t end) {
  const tsr_sort *sort = data;
  const int words = sort->words, bits = sort->bits > 0 ? sort->bits : 64;
  const int low = sort->bits > 0 ? sort->low : 0;
  const uint64_t mask = bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
  uint64_t *items = sort->items, one[2] = {0, 0};
  for (int64_t i = 1; i < sort->n; ++i) {
    int64_t j = i;
    memcpy(one, items + i * words, (size_t)words * sizeof *items);
    for (; j > 0 && (items[(j - 1) * words] >> low & mask) > (one[0] >> low & mask); --j)
      memcpy(items + j * words, items + (j - 1) * words, (size_t)words * sizeof *items);
    memcpy(items + j * words, one, (size_t)words * sizeof *items);
  }
  (void)begin;
  (void)end;
}

tsr_status tsr_sort_run(tsr_sort *sort, tsr_error *error) {
  const int64_t share = (sort->n + MOST_CHUNKS - 1) / MOST_CHUNKS;
  const int64_t chunk = share > LEAST_CHUNK ? share : LEAST_CHUNK;
  const int64_t chunks = (sort->n + chunk - 1) / chunk;
  digit_pass p = {.sort = sort, .chunk = chunk};
  tsr_status status = TSR_NO_MEMORY;
  int sorted = 0;
  if (sort->n < 2)
    return TSR_OK;
  if (sort->n <= INSERTED)
    return run_over(sort, insert_items, sort, 1, sort->first, sort->last);
  p.places = tsr_alloc(chunks, sizeof *p.places, "the counts of digits", error);
  p.differ = tsr_alloc(chunks, sizeof *p.differ, "the bits of keys", error);
  if (p.places && p.differ)
    status = sort->bits == 0 ? narrow(sort, &p, chunks) : TSR_OK;
  if (status == TSR_OK)
    status = find_sorted(sort, &p, chunks, &sorted);
  if (status == TSR_OK && !sorted)
    status = sort_in_buckets(sort, &p, chunks, &sorted);
  if (status == TSR_OK && !sorted)
    status = sort_digits(sort, &p, chunks);
  free(p.places);
  free(p.differ);
  return status;
}

/* ---- few items */

static void insertion_sort(tsr_pair *pairs, int64_t n) {
  for (int64_t i = 1; i < n; ++i) {
    const tsr_pair one = pairs[i];
    int64_t j = i;
    for (; j > 0 && pairs[j - 1].key > one.key; --j)
      pairs[j] = pairs[j - 1];
    pairs[j] = one;
  }
}

/* Of equal keys, a's come first. There is no branch on the keys, which no processor could predict.
 */
static void merge(const tsr_pair *a, int64_t na, const tsr_pair *b, int64_t nb, tsr_pair *out) {
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

tsr_pair *tsr_sort_few(tsr_pair *pairs, tsr_pair *other, int64_t n) {
  for (int64_t i = 0; i < n; i += SHORT_RUN)
    insertion_sort(pairs + i, n - i < SHORT_RUN ? n - i : SHORT_RUN);
  for (int64_t width = SHORT_RUN; width < n; width *= 2) {
    tsr_pair *const swap = pairs;
    for (int64_t i = 0; i < n; i += 2 * width) {
      const int64_t na = n - i < width ? n - i : width;
      const int64_t nb = n - i - na < width ? n - i - na : width;
      merge(pairs + i, na, pairs + i + na, nb, other + i);
    }
    pairs = other;
    other = swap;
  }
  return pairs;
}
