/* SPDX-License-Identifier: BSD-3-Clause */
/** The CPU's executor: what it computes with any number of threads, in which ranges, and what it
 *  tells the user. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "executor.h"
#include "executor_steps.h"

TEST_STEPS(TSR_STEP_LOOP)
TEST_REDUCTIONS(TSR_REDUCTION_LOOP)

static const tsr_task loops[] = {TEST_STEPS(TSR_STEP_ENTRY)};
static const tsr_reduction *const reductions[] = {TEST_REDUCTIONS(TSR_REDUCTION_ENTRY)};

static void check_threads(int threads) {
  executor exec = {.threads = threads};
  tsr_execution execution = executor_execution(&exec);
  tsr_executor e;
  if (threads == 0) {
    tsr_execution_init(&execution);
  }
  tsr_executor_on_cpu(&e, &execution, loops, reductions);
  CHECK_INT(executor_check(&e), 0);
  CHECK((exec.pieces > 0) == (threads > 0));
}

typedef struct ranges {
  char *done; /**< how often each item was in a range */
  int64_t n, grain;
  int wrong;
} ranges;

static void note_range(void *data, int64_t begin, int64_t end) {
  ranges *r = data;
  if (begin < 0 || end > r->n || begin >= end || end - begin > r->grain) {
    r->wrong = 1;
    return;
  }
  for (int64_t i = begin; i < end; i++) {
    r->done[i]++;
  }
}

/** A task gets every item once, in ranges that are not longer than asked for. */
static void check_ranges(int64_t n, int64_t grain) {
  executor exec = {.threads = 3};
  const tsr_execution execution = executor_execution(&exec);
  tsr_executor e;
  tsr_error error = {TSR_OK, -1, ""};
  ranges r = {calloc((size_t)n + 1, 1), n, grain, 0};
  int64_t once = 0;
  tsr_executor_on_cpu(&e, &execution, loops, reductions);
  CHECK(tsr_executor_run(&e, note_range, &r, n, grain, &error) == TSR_OK);
  for (int64_t i = 0; i < n; i++) {
    once += r.done[i] == 1;
  }
  CHECK_INT(once, n);
  CHECK_INT(r.wrong, 0);
  free(r.done);
}

/** The fractions that progress was called with, and after how many calls the user stops. */
typedef struct seen {
  double least, most;
  int calls, stop_after, falls;
} seen;

static int see(void *context, double fraction) {
  seen *s = context;
  s->falls += s->calls > 0 && fraction < s->most;
  s->least = s->calls == 0 || fraction < s->least ? fraction : s->least;
  s->most = fraction > s->most ? fraction : s->most;
  return ++s->calls > s->stop_after;
}

static tsr_status run_one(tsr_executor *e, int which, const test_numbers *job, tsr_error *error) {
  test_facts facts;
  tsr_pairs pairs = {0};
  uint64_t *words[2] = {(uint64_t *)job->to, (uint64_t *)job->from};
  tsr_status status = TSR_OK;
  switch (which) {
  case 0:
    return TSR_EACH(e, test_scale, *job, job->n, error);
  case 1:
    return TSR_REDUCE(e, test_find, *job, job->n, &facts, error);
  case 2:
    return e->sort_words(e, words, job->n, 0, 40, error);
  default:
    e->alloc_pairs(e, &pairs, job->n, "pairs", error);
    for (int64_t i = 0; i < job->n; i++) {
      tsr_pairs_set(&pairs, i, (uint64_t)-i, i);
    }
    status = e->sort(e, &pairs, 64, error);
    e->free_pairs(e, &pairs);
    return status;
  }
}

/** Progress rises between the fractions that the driver has set. A user who stops ends the step:
 *  with a status and a sentence. */
static void check_progress(int which) {
  enum { N = 300000 };
  tsr_execution execution;
  tsr_executor e;
  tsr_error error = {TSR_OK, -1, ""};
  seen s = {.stop_after = 1 << 30};
  const test_numbers job = {malloc(N * sizeof(int64_t)), malloc(N * sizeof(int64_t)), N, -1};
  int64_t *from = (int64_t *)job.from;
  for (int64_t i = 0; i < N; i++) {
    job.to[i] = from[i] = -i;
  }
  tsr_execution_init(&execution);
  execution.progress = see;
  execution.progress_context = &s;
  tsr_executor_on_cpu(&e, &execution, loops, reductions);
  e.done_first = 0.25;
  e.done_last = 0.75;
  CHECK(run_one(&e, which, &job, &error) == TSR_OK);
  CHECK(s.calls > 3 && s.falls == 0 && s.least >= 0.25);
  CHECK_NEAR(s.most, 0.75, 1e-12);
  s = (seen){.stop_after = 2};
  CHECK_INT(run_one(&e, which, &job, &error), TSR_ABORTED);
  CHECK_INT(error.status, TSR_ABORTED);
  CHECK_SAY(strcmp(error.text, "the work was stopped") == 0, "%s", error.text);
  free(job.to);
  free(from);
}

/** Memory that does not exist: an error that names what it was for. */
static void check_no_memory(void) {
  tsr_execution execution;
  tsr_executor e;
  tsr_error error = {TSR_OK, -1, ""};
  tsr_pairs pairs = {0};
  void *memory = &error;
  tsr_execution_init(&execution);
  tsr_executor_on_cpu(&e, &execution, loops, reductions);
  CHECK_INT(e.alloc(&e, &memory, INT64_MAX, 8, "the moon", &error), TSR_NO_MEMORY);
  CHECK(memory == NULL && strstr(error.text, "the moon"));
  CHECK_INT(e.alloc_pairs(&e, &pairs, INT64_MAX, "the stars", &error), TSR_NO_MEMORY);
  CHECK(pairs.keys == NULL && pairs.values == NULL && strstr(error.text, "the stars"));
  e.free_pairs(&e, &pairs);
}

int main(void) {
  for (int threads = 0; threads < 4; threads++) {
    check_threads(threads);
  }
  check_ranges(0, 10);
  check_ranges(10, 10);
  check_ranges(11, 10);
  check_ranges(100001, 1000);
  for (int which = 0; which < 4; which++) {
    check_progress(which);
  }
  check_no_memory();
  return check_result();
}
