/* SPDX-License-Identifier: BSD-3-Clause */
/** The CPU's executor: steps are loops that threads share. */
#include "common/run/executor.h"

#include "common/sort/sort.h"
#include "common/support.h"

#include <stdlib.h>
#include <string.h>

/* Items between two looks at whether the user wants to stop; a reduction keeps a result for each.
 */
enum { STEP_ITEMS = 4096, REDUCTION_ITEMS = 65536 };

/* Pieces of a step: some for each thread, so that all end at about the same time. */
enum { PIECES = 256 };

/* Fewest items of a piece: waking a thread takes as long as some light items. Measured with 16
 * threads on meshes of 1,000 to 500,000 cells, on hyper trees, points and discs: with 32 Applies
 * take as long, with 512 up to 1.4 times, with STEP_ITEMS up to 2.4 times. */
enum { LEAST_ITEMS = 128 };

/* Items of a piece of n. */
static int64_t grain_of(const tsr_executor *it, int64_t n, int64_t most) {
  const int64_t even = n / PIECES, least = it->least_items;
  return even > most ? most : (even > least ? even : least);
}

static tsr_status stopped(tsr_status status, tsr_error *error) {
  return status == TSR_ABORTED ? tsr_fail(error, status, -1, "the work was stopped") : status;
}

tsr_status tsr_executor_run(tsr_executor *it, tsr_task task, void *data, int64_t n, int64_t grain,
                            tsr_error *error) {
  return stopped(tsr_run_task(it->execution, task, data, n, grain, it->done_first, it->done_last),
                 error);
}

static tsr_status each(tsr_executor *it, int step, const void *job, int64_t n, tsr_error *error) {
  return tsr_executor_run(it, ((const tsr_task *)it->steps)[step], (void *)job, n,
                          grain_of(it, n, STEP_ITEMS), error);
}

typedef struct reduce_work {
  const tsr_reduction *reduction;
  const void *job;
  int64_t grain;
  char *parts;
} reduce_work;

static void reduce_range(void *data, int64_t begin, int64_t end) {
  const reduce_work *work = data;
  work->reduction->range(work->job, begin, end,
                         work->parts + (size_t)(begin / work->grain) * work->reduction->size);
}

static tsr_status reduce(tsr_executor *it, int reduction, const void *job, int64_t n, void *result,
                         tsr_error *error) {
  const tsr_reduction *r = ((const tsr_reduction *const *)it->reductions)[reduction];
  const int64_t grain = grain_of(it, n, REDUCTION_ITEMS), parts = (n + grain - 1) / grain;
  reduce_work work = {r, job, grain, tsr_alloc(parts, r->size, "the parts of a sum", error)};
  if (!work.parts)
    return TSR_NO_MEMORY;
  const tsr_status status = tsr_executor_run(it, reduce_range, &work, n, grain, error);
  r->none(result);
  for (int64_t part = 0; status == TSR_OK && part < parts; ++part)
    r->join(result, work.parts + (size_t)part * r->size);
  free(work.parts);
  return status;
}

static tsr_status scan(tsr_executor *it, int64_t *counts, int64_t n, tsr_error *error) {
  (void)it;
  (void)error;
  tsr_scan(counts, n);
  return TSR_OK;
}

static tsr_status alloc(tsr_executor *it, void **memory, int64_t n, size_t size, const char *what,
                        tsr_error *error) {
  (void)it;
  *memory = tsr_alloc(n, size, what, error);
  return *memory ? TSR_OK : TSR_NO_MEMORY;
}

static void release(tsr_executor *it, const void *memory) {
  (void)it;
  free((void *)memory);
}

/* Sets pairs to memory of n of them: shift as tsr_pairs has it. */
static void set_pairs(tsr_pairs *pairs, void *memory, int64_t n, int shift) {
  tsr_pair *first = memory;
  *pairs = (tsr_pairs){.n = n, .shift = shift, .stride = shift > 0 ? 1 : 2, .wide = shift == 0};
  if (first && shift > 0) {
    pairs->keys = memory;
  } else if (first) {
    pairs->keys = &first->key;
    pairs->values = &first->value;
  }
}

static size_t pair_size(const tsr_pairs *pairs) {
  return pairs->shift > 0 ? sizeof(uint64_t) : sizeof(tsr_pair);
}

static tsr_status alloc_pairs(tsr_executor *it, tsr_pairs *pairs, int64_t n, const char *what,
                              tsr_error *error) {
  int bits = 1; /* of a value */
  (void)it;
  while (bits < 63 && (int64_t)1 << bits < n)
    ++bits;
  pairs->shift = pairs->key_bits > 0 && pairs->key_bits + bits <= 64 ? bits : 0;
  set_pairs(pairs, tsr_alloc(n, pair_size(pairs), what, error), n, pairs->shift);
  return pairs->keys ? TSR_OK : TSR_NO_MEMORY;
}

static tsr_status sort(tsr_executor *it, tsr_pairs *pairs, int bits, tsr_error *error) {
  tsr_sort sort = {.execution = it->execution,
                   .items = pairs->keys,
                   .other = tsr_alloc(pairs->n, pair_size(pairs), "sorting", error),
                   .n = pairs->n,
                   .words = pairs->shift > 0 ? 1 : 2,
                   .low = pairs->shift,
                   .bits = pairs->shift > 0 || bits < 64 ? bits : 0,
                   .first = it->done_first,
                   .last = it->done_last};
  if (!sort.other)
    return TSR_NO_MEMORY;
  const tsr_status status = bits > 0 ? tsr_sort_run(&sort, error) : TSR_OK;
  free(sort.other);
  set_pairs(pairs, sort.items, pairs->n, pairs->shift);
  return stopped(status, error);
}

static tsr_status sort_words(tsr_executor *it, uint64_t *words[2], int64_t n, int low, int bits,
                             tsr_error *error) {
  tsr_sort sort = {it->execution, words[0],       words[1],     n, 1, low,
                   bits,          it->done_first, it->done_last};
  const tsr_status status = bits > 0 ? tsr_sort_run(&sort, error) : TSR_OK;
  words[0] = sort.items;
  words[1] = sort.other;
  return stopped(status, error);
}

static void free_pairs(tsr_executor *it, tsr_pairs *pairs) {
  (void)it;
  free(pairs->keys);
  memset(pairs, 0, sizeof *pairs);
}

static tsr_status input(tsr_executor *it, const tsr_array *arrays, int n, int keep, void **to,
                        tsr_error *error) {
  (void)it;
  (void)keep;
  (void)error;
  for (int k = 0; k < n; ++k)
    to[k] = (void *)arrays[k].data;
  return TSR_OK;
}

static tsr_status make(tsr_executor *it, int step, void *job, int64_t n, void *host, int64_t bytes,
                       tsr_error *error) {
  (void)bytes;
  if (!host)
    return TSR_OK;
  memcpy(job, &host, sizeof host);
  return each(it, step, job, n, error);
}

static tsr_status read(tsr_executor *it, void *host, const void *from, int64_t bytes,
                       tsr_error *error) {
  (void)it;
  (void)error;
  memcpy(host, from, (size_t)bytes);
  return TSR_OK;
}

static tsr_status finish(tsr_executor *it, const void *input, tsr_error *error) {
  (void)it;
  (void)input;
  (void)error;
  return TSR_OK;
}

void tsr_executor_on_cpu(tsr_executor *it, const tsr_execution *execution, const tsr_task *loops,
                         const tsr_reduction *const *reductions) {
  const tsr_executor made = {.execution = execution,
                             .least_items = LEAST_ITEMS,
                             .steps = loops,
                             .reductions = reductions,
                             .each = each,
                             .reduce = reduce,
                             .scan = scan,
                             .alloc_pairs = alloc_pairs,
                             .sort = sort,
                             .free_pairs = free_pairs,
                             .sort_words = sort_words,
                             .alloc = alloc,
                             .free = release,
                             .input = input,
                             .make = make,
                             .read = read,
                             .finish = finish};
  *it = made;
}
