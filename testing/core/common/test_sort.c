/* SPDX-License-Identifier: BSD-3-Clause */
/** The sorts of words and pairs against insertion into a list, and against each other's rules:
 *  keys rise, equal keys keep their order, nothing is lost. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "common/sort/sort.h"
#include "executor.h"

static uint64_t state = 7;

static uint64_t next(void) { /* xorshift64 */
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

/** Keys of n pairs: `values` different ones, shifted by `shift` above bits that all share. */
static tsr_pair *make_pairs(int64_t n, uint64_t values, int shift) {
  tsr_pair *pairs = malloc((size_t)(n + 1) * sizeof *pairs);
  for (int64_t i = 0; i < n; i++) {
    pairs[i].key = ((next() >> 3) % values) << shift | 1;
    pairs[i].value = i;
  }
  return pairs;
}

static int in_order(const tsr_pair *sorted, const tsr_pair *input, int64_t n) {
  char *seen = calloc((size_t)n + 1, 1);
  int good = 1;
  for (int64_t i = 0; i < n; i++) {
    const tsr_pair one = sorted[i];
    good = good && 0 <= one.value && one.value < n && !seen[one.value]++ &&
           one.key == input[one.value].key &&
           (i == 0 || one.key > sorted[i - 1].key ||
            (one.key == sorted[i - 1].key && one.value > sorted[i - 1].value));
  }
  free(seen);
  return good;
}

static void check_pairs(int64_t n, uint64_t values, int shift, int bits, int threads) {
  executor exec = {.threads = threads};
  const tsr_execution execution = executor_execution(&exec);
  tsr_pair *input = make_pairs(n, values, shift), *pairs = malloc((size_t)(n + 1) * sizeof *pairs);
  tsr_pair *other = malloc((size_t)(n + 1) * sizeof *other);
  tsr_sort sort = {
      threads > 0 ? &execution : NULL, pairs, other, n, 2, bits ? shift : 0, bits, 0.0, 1.0};
  memcpy(pairs, input, (size_t)n * sizeof *pairs);
  CHECK(tsr_sort_run(&sort, NULL) == TSR_OK);
  CHECK((sort.items == pairs && sort.other == other) ||
        (sort.items == other && sort.other == pairs));
  CHECK(in_order(sort.items, input, n));
  if (n < 5000) {
    memcpy(pairs, input, (size_t)n * sizeof *pairs);
    CHECK(in_order(tsr_sort_few(pairs, other, n), input, n));
  }
  free(input);
  free(pairs);
  free(other);
}

/** Words of a key above the place where they stood: they rise, though only the key is sorted by. */
static void check_words(int64_t n, int key_bits, int threads) {
  enum { PLACE_BITS = 24 };
  executor exec = {.threads = threads};
  const tsr_execution execution = executor_execution(&exec);
  uint64_t *words = malloc((size_t)(n + 1) * sizeof *words), sum = 0;
  uint64_t *other = malloc((size_t)(n + 1) * sizeof *other);
  tsr_sort sort = {&execution, words, other, n, 1, PLACE_BITS, key_bits, 0.0, 1.0};
  int good = 1;
  for (int64_t i = 0; i < n; i++) {
    words[i] = next() >> (64 - key_bits) << PLACE_BITS | (uint64_t)i;
    sum += words[i];
  }
  CHECK(tsr_sort_run(&sort, NULL) == TSR_OK);
  for (int64_t i = 0; i < n; i++) {
    const uint64_t *sorted = sort.items;
    good = good && (i == 0 || sorted[i] > sorted[i - 1]);
    sum -= sorted[i];
  }
  CHECK(good && sum == 0);
  free(words);
  free(other);
}

/** Items in order stay where they are; one that is not, at the border of two chunks, is seen. */
static void check_sorted(int threads) {
  enum { N = 200000, BORDER = 65536 };
  executor exec = {.threads = threads};
  const tsr_execution execution = executor_execution(&exec);
  uint64_t *words = malloc(N * sizeof *words), *other = malloc(N * sizeof *other);
  for (int border = 0; border < 2; border++) {
    tsr_sort sort = {&execution, words, other, N, 1, 8, 24, 0.0, 1.0}; /* three passes */
    int good = 1;
    for (int i = 0; i < N; i++) {
      words[i] = (uint64_t)(i + 1) << 8 | (uint64_t)(255 - i % 256); /* the low bits do not count */
    }
    words[BORDER] = border ? words[BORDER - 1] - 256 : words[BORDER];
    CHECK(tsr_sort_run(&sort, NULL) == TSR_OK);
    CHECK((sort.items == words) == !border);
    for (int i = 1; i < N; i++) {
      const uint64_t *sorted = sort.items;
      good = good && sorted[i - 1] >> 8 <= sorted[i] >> 8;
    }
    CHECK(good);
  }
  free(words);
  free(other);
}

static int stop(void *context, double fraction) {
  (void)context, (void)fraction;
  return 1;
}

/** A sort that the user stops says so. */
static void check_stopped(void) {
  tsr_pair pairs[3] = {{3, 0}, {2, 1}, {1, 2}}, other[3];
  tsr_execution execution;
  tsr_execution_init(&execution);
  execution.progress = stop;
  tsr_sort sort = {&execution, pairs, other, 3, 2, 0, 0, 0.0, 1.0};
  CHECK(tsr_sort_run(&sort, NULL) == TSR_ABORTED);
}

/** Enough items and bits for buckets: with an odd and an even number of digits below the highest
 * one, few buckets with items, and one with most of them, so that there are no buckets. */
static void check_buckets(void) {
  enum { N = 300000 };
  for (int threads = 0; threads < 4; threads += 3) {
    check_pairs(N, (uint64_t)1 << 60, 1, 0, threads);
    check_pairs(N, (uint64_t)1 << 44, 20, 44, threads);
    check_pairs(N, (uint64_t)5 << 40, 3, 46, threads);
    check_pairs(N, (uint64_t)1 << 36, 2, 60, threads);
  }
  check_words(N, 9, 2);
  check_words(N, 36, 1);
  check_words(N, 40, 3);
}

int main(void) {
  static const int64_t sizes[] = {0, 1, 2, 3, 11, 12, 13, 25, 500, 4097, 65536, 65537, 200000};
  for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
    for (int threads = 0; threads < 4; threads++) {
      check_pairs(sizes[k], 1, 5, 0, threads);
      check_pairs(sizes[k], 3, 61, 0, threads);
      check_pairs(sizes[k], 1000, 20, 10, threads);
      check_pairs(sizes[k], (uint64_t)1 << 60, 1, 0, threads);
    }
    check_words(sizes[k], 1, 1);
    check_words(sizes[k], 9, 2);
    check_words(sizes[k], 40, 3);
  }
  check_buckets();
  check_sorted(1);
  check_sorted(3);
  check_stopped();
  return check_result();
}
