/* SPDX-License-Identifier: BSD-3-Clause */
/** Each function of an executor against a loop over the host's memory. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "executor_steps.h"

enum { GUARD = 77 };

static uint64_t state = 5;

static uint64_t next(void) { /* xorshift64 */
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

/** n words at random on the host, with room for two more. */
static uint64_t *words_of(int64_t n) {
  uint64_t *words = malloc((size_t)(n + 2) * sizeof *words);
  for (int64_t i = 0; i < n + 2; i++) {
    words[i] = next();
  }
  return words;
}

/** n small numbers at random, negative ones, too. */
static int64_t *numbers_of(int64_t n) {
  int64_t *numbers = (int64_t *)words_of(n);
  for (int64_t i = 0; i < n; i++) {
    numbers[i] = (int64_t)((uint64_t)numbers[i] % 2001) - 1000;
  }
  return numbers;
}

/** Memory of the executor, for n words. */
static void *room(tsr_executor *e, int64_t n) {
  tsr_error error = {TSR_OK, -1, ""};
  void *memory = NULL;
  CHECK_SAY(e->alloc(e, &memory, n, 8, "a test", &error) == TSR_OK, "%s", error.text);
  CHECK(memory != NULL);
  return memory;
}

/** Brings an array to the executor. */
static void *bring(tsr_executor *e, const void *data, int64_t n, int keep) {
  const tsr_array arrays[] = {{NULL, TSR_INT64, 1, 0}, {data, TSR_INT64, 1, n}};
  void *to[2] = {e, NULL};
  tsr_error error = {TSR_OK, -1, ""};
  CHECK_SAY(e->input(e, arrays, 2, keep, to, &error) == TSR_OK, "%s", error.text);
  CHECK(to[0] == NULL);
  CHECK(to[1] != NULL || n == 0);
  return to[1];
}

/** Reads n words, and no more. */
static void *take(tsr_executor *e, const void *from, int64_t n) {
  tsr_error error = {TSR_OK, -1, ""};
  int64_t *to = malloc((size_t)(n + 1) * sizeof *to);
  to[n] = GUARD;
  CHECK_SAY(e->read(e, to, from, n * 8, &error) == TSR_OK, "%s", error.text);
  CHECK_INT(to[n], GUARD);
  return to;
}

/** Steps one after another: each finds what the one before has written, and does each item once. */
static void check_each(tsr_executor *e, int64_t n) {
  tsr_error error = {TSR_OK, -1, ""};
  int64_t *input = numbers_of(n);
  const test_numbers scale = {room(e, n), bring(e, input, n, 0), n, 3};
  const test_numbers add = {room(e, n), scale.to, n, 0};
  const test_numbers count = {scale.to, NULL, n, 0};
  CHECK(TSR_EACH(e, test_scale, scale, n, &error) == TSR_OK);
  CHECK(TSR_EACH(e, test_add_next, add, n, &error) == TSR_OK);
  for (int k = 0; k < 3; k++) {
    CHECK(TSR_EACH(e, test_count, count, n, &error) == TSR_OK);
  }
  CHECK(e->finish(e, scale.from, &error) == TSR_OK);
  int64_t *scaled = take(e, scale.to, n), *added = take(e, add.to, n), wrong = 0;
  for (int64_t i = 0; i < n; i++) {
    wrong += scaled[i] != 3 * input[i] + 3 || added[i] != 3 * (input[i] + input[(i + 1) % n]);
  }
  CHECK_SAY(wrong == 0, "each: %lld of %lld items are wrong", (long long)wrong, (long long)n);
  e->free(e, scale.to);
  e->free(e, add.to);
  free(input);
  free(scaled);
  free(added);
}

static void check_reduce(tsr_executor *e, int64_t n) {
  tsr_error error = {TSR_OK, -1, ""};
  int64_t *input = numbers_of(n), sum = 0, largest = INT64_MIN;
  const test_numbers job = {.from = bring(e, input, n, 0), .n = n};
  test_facts facts = {GUARD, GUARD};
  int32_t even[] = {GUARD, GUARD}, evens = 0;
  for (int64_t i = 0; i < n; i++) {
    sum += input[i];
    largest = input[i] > largest ? input[i] : largest;
    evens += input[i] % 2 == 0;
  }
  CHECK(TSR_REDUCE(e, test_find, job, n, &facts, &error) == TSR_OK);
  CHECK(TSR_REDUCE(e, test_even, job, n, even, &error) == TSR_OK);
  CHECK_INT(facts.sum, sum);
  CHECK_INT(facts.largest, largest);
  CHECK_INT(even[0], evens);
  CHECK_INT(even[1], GUARD);
  CHECK(e->finish(e, job.from, &error) == TSR_OK);
  free(input);
}

/** Sums that need more than 32 bits, over every other item. */
static void check_scan(tsr_executor *e, int64_t n) {
  tsr_error error = {TSR_OK, -1, ""};
  test_numbers job = {room(e, n + 1), NULL, n, 123456789};
  CHECK(TSR_EACH(e, test_scale, job, n, &error) == TSR_OK);
  CHECK(e->scan(e, job.to, n, &error) == TSR_OK);
  int64_t *sums = take(e, job.to, n + 1), sum = 0, wrong = 0;
  for (int64_t i = 0; i <= n; sum += 123456789 * i++) {
    wrong += sums[i] != sum;
  }
  CHECK_SAY(wrong == 0, "scan: %lld of %lld sums are wrong", (long long)wrong, (long long)n + 1);
  e->free(e, job.to);
  free(sums);
}

static uint64_t part_of(uint64_t key, int low, int bits) {
  return key >> low & (bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX);
}

/** Pairs by the lowest bits of keys that differ in higher ones, too. */
static void check_pairs(tsr_executor *e, int64_t n, int bits) {
  tsr_error error = {TSR_OK, -1, ""};
  uint64_t *input = words_of(n);
  test_pairs job = {.keys = bring(e, input, n, 0), .values = room(e, n)};
  char *seen = calloc((size_t)n + 1, 1);
  int64_t wrong = 0;
  e->free_pairs(e, &job.pairs); /* there are none yet */
  CHECK(e->alloc_pairs(e, &job.pairs, n, "pairs", &error) == TSR_OK);
  CHECK_INT(job.pairs.n, n);
  CHECK(TSR_EACH(e, test_set_pair, job, n, &error) == TSR_OK);
  CHECK(e->sort(e, &job.pairs, bits, &error) == TSR_OK);
  CHECK(e->finish(e, job.keys, &error) == TSR_OK);
  job.keys = room(e, n);
  CHECK(TSR_EACH(e, test_get_pair, job, n, &error) == TSR_OK);
  uint64_t *keys = take(e, job.keys, n);
  int64_t *values = take(e, job.values, n);
  for (int64_t i = 0; i < n; i++) {
    const int known = values[i] >= 0 && values[i] < n && !seen[values[i]]++;
    const uint64_t key = part_of(keys[i], 0, bits), last = i ? part_of(keys[i - 1], 0, bits) : 0;
    wrong += !known || keys[i] != input[values[i]] || key < last ||
             (i > 0 && key == last && values[i] < values[i - 1]);
  }
  CHECK_SAY(wrong == 0, "sort: %lld of %lld pairs by %d bits are wrong", (long long)wrong,
            (long long)n, bits);
  e->free_pairs(e, &job.pairs);
  CHECK(!job.pairs.keys && !job.pairs.values && job.pairs.n == 0);
  e->free(e, job.keys);
  e->free(e, job.values);
  free(input);
  free(keys);
  free(values);
  free(seen);
}

/** Words by some bits; the others are the place where a word stood, which must not count. */
static void check_words(tsr_executor *e, int64_t n, int low, int bits) {
  tsr_error error = {TSR_OK, -1, ""};
  const uint64_t places = ((uint64_t)1 << 20) - 1;
  const int place = low == 0 ? 40 : 0;
  uint64_t *input = words_of(n), *words[2] = {room(e, n), room(e, n)};
  int64_t wrong = 0;
  for (int64_t i = 0; i < n; i++) { /* the places fall */
    input[i] = (input[i] & ~(places << place)) | (uint64_t)(n - 1 - i) << place;
  }
  const test_numbers job = {(int64_t *)words[0], bring(e, input, n, 0), n, 1};
  CHECK(TSR_EACH(e, test_scale, job, n, &error) == TSR_OK);
  CHECK(e->sort_words(e, words, n, low, bits, &error) == TSR_OK);
  CHECK((words[0] == (uint64_t *)job.to) != (words[1] == (uint64_t *)job.to));
  uint64_t *sorted = take(e, words[0], n);
  for (int64_t i = 0; i < n; i++) {
    const int64_t from = n - 1 - (int64_t)(sorted[i] >> place & places);
    const uint64_t key = part_of(sorted[i], low, bits);
    wrong += from < 0 || from >= n || sorted[i] != input[from];
    if (i > 0) {
      const uint64_t last = part_of(sorted[i - 1], low, bits);
      wrong += key < last ||
               (key == last && (sorted[i - 1] >> place & places) <= (sorted[i] >> place & places));
    }
  }
  CHECK_SAY(wrong == 0, "sort_words: %lld of %lld words by %d bits are wrong", (long long)wrong,
            (long long)n, bits);
  CHECK(e->finish(e, job.from, &error) == TSR_OK);
  e->free(e, words[0]);
  e->free(e, words[1]);
  free(input);
  free(sorted);
}

/** Makes an array of the output that nobody wants, and then one that the caller has memory for. */
static void check_make(tsr_executor *e, int64_t n) {
  tsr_error error = {TSR_OK, -1, ""};
  int64_t *out = calloc((size_t)n + 1, sizeof *out), wrong = 0;
  test_numbers job = {.n = n, .factor = -2};
  out[n] = GUARD;
  CHECK(TSR_MAKE(e, test_scale, job, n, NULL, n * 8, &error) == TSR_OK);
  CHECK(TSR_MAKE(e, test_scale, job, n, out, n * 8, &error) == TSR_OK);
  for (int64_t i = 0; i < n; i++) {
    wrong += out[i] != -2 * i;
  }
  CHECK_SAY(wrong == 0, "make: %lld of %lld items are wrong", (long long)wrong, (long long)n);
  CHECK_INT(out[n], GUARD);
  free(out);
}

/** An array that the plan holds stays where it is when another call of `input` has finished. The
 *  host must not free the array before the plan is closed. */
static void check_kept(tsr_executor *e, const int64_t *input, int64_t n) {
  tsr_error error = {TSR_OK, -1, ""};
  const int64_t *kept = bring(e, input, n, 1);
  CHECK(e->finish(e, bring(e, input, n, 0), &error) == TSR_OK);
  test_numbers job = {room(e, n), NULL, n, 1}; /* takes the place of what was freed */
  CHECK(TSR_EACH(e, test_scale, job, n, &error) == TSR_OK);
  int64_t *now = take(e, kept, n);
  CHECK(memcmp(now, input, (size_t)n * sizeof *now) == 0);
  e->free(e, job.to);
  free(now);
}

int executor_check(tsr_executor *e) {
  /* Around a block of a device, an interval of the CPU's steps and reductions, and the number of
   * pairs beyond which the emulated device has wide values. */
  static const int64_t sizes[] = {0,    1,    2,     255,   256,    257,   4095,
                                  4096, 4097, 65535, 65536, 100001, 200003};
  const int64_t before = check_failures;
  for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
    const int64_t n = sizes[k];
    check_each(e, n);
    check_reduce(e, n);
    check_scan(e, n);
    check_pairs(e, n, 0);
    check_pairs(e, n, 5);
    check_pairs(e, n, 33);
    check_pairs(e, n, 64);
    check_words(e, n, 20, 44);
    check_words(e, n, 41, 3);
    check_words(e, n, 0, 12);
    check_words(e, n, 30, 0);
    check_make(e, n);
  }
  int64_t *input = numbers_of(5000);
  check_kept(e, input, 5000);
  free(input);
  e->free(e, NULL);
  return check_result() != 0 || check_failures > before;
}
