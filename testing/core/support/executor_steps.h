/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Steps that exist to test executors (common/run/executor.h), and what they must do. C and CUDA
 * compile them alike.
 */
#ifndef TESSERA_TEST_EXECUTOR_STEPS_H
#define TESSERA_TEST_EXECUTOR_STEPS_H

#include "common/run/executor.h"

/** Arrays of n numbers. `to` is the first member, as tsr_executor.make wants it. */
typedef struct test_numbers {
  int64_t *to;
  const int64_t *from; /**< NULL: item i is i itself */
  int64_t n, factor;
} test_numbers;

/** to[i] becomes factor times item i. */
TSR_FN void test_scale(const test_numbers *job, int64_t i) {
  job->to[i] = job->factor * (job->from ? job->from[i] : i);
}

/** Adds 1 to to[i], which shows an item that is done twice or not at all. */
TSR_FN void test_count(const test_numbers *job, int64_t i) { job->to[i] += 1; }

/** to[i] becomes the sum of item i and the next one, around the end: all of the step before must be
 *  done. */
TSR_FN void test_add_next(const test_numbers *job, int64_t i) {
  job->to[i] = job->from[i] + job->from[(i + 1) % job->n];
}

/** Pairs, and the arrays that they come from or go to. */
typedef struct test_pairs {
  tsr_pairs pairs;
  uint64_t *keys;
  int64_t *values;
} test_pairs;

/** Sets pair i to key i of the array, with the value i. */
TSR_FN void test_set_pair(const test_pairs *job, int64_t i) {
  tsr_pairs_set(&job->pairs, i, job->keys[i], i);
}

/** Reads key and value of pair i. */
TSR_FN void test_get_pair(const test_pairs *job, int64_t i) {
  job->keys[i] = tsr_pairs_key(&job->pairs, i);
  job->values[i] = tsr_pairs_value(&job->pairs, i);
}

/** A result of two numbers that are found in different ways. */
typedef struct test_facts {
  int64_t sum, largest;
} test_facts;

TSR_FN void test_find(const test_numbers *job, int64_t i, test_facts *facts) {
  const int64_t item = job->from[i];
  facts->sum += item;
  facts->largest = item > facts->largest ? item : facts->largest;
}

TSR_FN test_facts test_find_none(void) {
  const test_facts none = {0, INT64_MIN};
  return none;
}

TSR_FN void test_find_join(test_facts *all, const test_facts *part) {
  all->sum += part->sum;
  all->largest = part->largest > all->largest ? part->largest : all->largest;
}

/** How many items are even: a second reduction, of another size. */
TSR_FN void test_even(const test_numbers *job, int64_t i, int32_t *count) {
  *count += job->from[i] % 2 == 0;
}

TSR_FN int32_t test_even_none(void) { return 0; }

TSR_FN void test_even_join(int32_t *all, const int32_t *part) { *all += *part; }

#define TEST_STEPS(STEP)                                                                           \
  STEP(test_scale, test_numbers)                                                                   \
  STEP(test_count, test_numbers)                                                                   \
  STEP(test_add_next, test_numbers)                                                                \
  STEP(test_set_pair, test_pairs)                                                                  \
  STEP(test_get_pair, test_pairs)

#define TEST_REDUCTIONS(REDUCTION)                                                                 \
  REDUCTION(test_find, test_numbers, test_facts)                                                   \
  REDUCTION(test_even, test_numbers, int32_t)

enum { TEST_STEPS(TSR_STEP_NUMBER) };
enum { TEST_REDUCTIONS(TSR_REDUCTION_NUMBER) };

#ifdef __cplusplus
extern "C" {
#endif

/** Compares all functions of an executor, which has the tables of TEST_STEPS and TEST_REDUCTIONS,
 *  with loops over the host's memory. Returns 0 if all is as it should be. */
int executor_check(tsr_executor *executor);

#ifdef __cplusplus
}
#endif
#endif
