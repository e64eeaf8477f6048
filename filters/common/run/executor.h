/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * An executor runs the steps of a room: on the CPU by threads, on a device by kernels. A room is a
 * feature, such as grid, with a folder in filters/ and in cuda/. The code that makes a room's plan
 * is written once and calls an executor for each step. Not public.
 *
 * A step is a function `NAME(const JOB *job, int64_t i)` in a *_math.h, which C and CUDA compile
 * alike. A job is a struct with what the step reads and where it writes. The step does item i of
 * the work, and no two items write to the same place, except for bytes that all of them set to 1
 * with tsr_set_flag, and for words that they change by atomic operations, in any order with the
 * same outcome. A reduction consists of three functions: `NAME(const JOB *job, int64_t i,
 * RESULT *result)` adds item i to a result, `RESULT NAME_none(void)` returns the result of no
 * items, and `NAME_join(RESULT *all, const RESULT *part)` adds a part to a result. Parts are joined
 * in no fixed order, so the outcome must not depend on the order.
 *
 * A room lists its steps once. From the list, macros make a numbering of the steps and, for each
 * executor, a table of functions:
 *
 *     #define TSR_ROOM_STEPS(STEP) STEP(tsr_room_scale, tsr_room_scale_job) ...
 *
 *     enum { TSR_ROOM_STEPS(TSR_STEP_NUMBER) };                       room's header
 *     TSR_ROOM_STEPS(TSR_STEP_LOOP)                                   room's steps.c
 *     static const tsr_task loops[] = {TSR_ROOM_STEPS(TSR_STEP_ENTRY)};
 *     TSR_ROOM_STEPS(TSR_STEP_KERNEL)                                 cuda/ROOM/steps.cu
 *     static const tsr_launch launches[] = {TSR_ROOM_STEPS(TSR_STEP_ENTRY)};
 *
 * Reductions are listed as REDUCTION(NAME, JOB, RESULT), and made with TSR_REDUCTION_NUMBER,
 * TSR_REDUCTION_LOOP, TSR_REDUCTION_KERNEL and TSR_REDUCTION_ENTRY.
 *
 * The caller fills a job, whose pointers are to memory of the executor, and TSR_EACH runs the step
 * of this name:
 *
 *     executor->alloc(executor, (void **)&job.to, n, sizeof *job.to, "the sizes", error);
 *     TSR_EACH(executor, tsr_room_scale, job, n, error);
 */
#ifndef TSR_COMMON_RUN_EXECUTOR_H
#define TSR_COMMON_RUN_EXECUTOR_H

#include "common/sort/pairs_math.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsr_executor tsr_executor;

/** An executor. Set up by tsr_executor_on_cpu, or by tsr_executor_on_device (cuda/common); it owns
 *  no memory and need not be freed. The first argument of each function is the executor. The
 * functions with a status return TSR_OK, or fill *error; `error` is never NULL.
 * Work runs in the order of the calls, but a function may return before its work is done. `read`,
 * `make`, `reduce` and `finish` wait for all work so far. */
struct tsr_executor {
  const tsr_execution *execution; /**< borrowed */
  tsr_report *report;             /**< CUDA: receives the times of the device; CPU: NULL */
  const void *steps, *reductions; /**< the room's tables for this executor */
  void *place;                    /**< CUDA: the device as the plan opened it, a tsr_opened
                                       (cuda/common/opened.h); CPU: NULL */
  int64_t least_items;            /**< CPU: fewest items of a step that a thread takes at a time */
  double done_first, done_last;   /**< the caller sets these before a call: the fractions that the
                                       progress callback receives at its begin and at its end */

  /** Runs a step, by its number in the room's list, for all i in [0, n). */
  tsr_status (*each)(tsr_executor *it, int step, const void *job, int64_t n, tsr_error *error);
  /** Runs a reduction, by its number in the room's list, for all i in [0, n). result: receives the
   *  result, in host memory; for n = 0 that of NAME_none. */
  tsr_status (*reduce)(tsr_executor *it, int reduction, const void *job, int64_t n, void *result,
                       tsr_error *error);
  /** Replaces counts[0..n) by their exclusive prefix sums and counts[n] by the total. counts: n + 1
   *  numbers in memory of the executor. */
  tsr_status (*scan)(tsr_executor *it, int64_t *counts, int64_t n, tsr_error *error);
  /** Allocates n pairs of a key and a value. pairs: all zero, but for key_bits. what: names them in
   *  the error if memory runs out. The caller frees them with free_pairs, also after a failure. */
  tsr_status (*alloc_pairs)(tsr_executor *it, tsr_pairs *pairs, int64_t n, const char *what,
                            tsr_error *error);
  /** Sorts pairs by the lowest `bits` bits of their keys; pairs with equal bits keep their order.
   *  May move the pairs to other memory. */
  tsr_status (*sort)(tsr_executor *it, tsr_pairs *pairs, int bits, tsr_error *error);
  /** Frees the pairs and clears *pairs. Pairs that were never allocated must be all zero. */
  void (*free_pairs)(tsr_executor *it, tsr_pairs *pairs);
  /** Sorts words[0][0..n) by their bits [low, low + bits); words with equal bits keep their order.
   *  words[1]: scratch memory of n words. The sorted words are in words[0] afterwards, which may be
   *  the memory that was words[1] before. */
  tsr_status (*sort_words)(tsr_executor *it, uint64_t *words[2], int64_t n, int low, int bits,
                           tsr_error *error);
  /** Allocates n * size bytes where the steps run; the contents are undefined. what: names the
   *  memory in the error if memory runs out. The caller frees *memory with `free`. */
  tsr_status (*alloc)(tsr_executor *it, void **memory, int64_t n, size_t size, const char *what,
                      tsr_error *error);
  /** Frees memory from `alloc`; NULL is allowed. */
  void (*free)(tsr_executor *it, const void *memory);
  /** Brings n arrays of the caller to where steps can read them: a device uploads them, the CPU
   *  reads them in place. to[k]: receives the address of the data of array k, NULL if it has none.
   *  keep: 1: a device holds the arrays until the plan is closed; 0: until `finish`
   *  is called with them. */
  tsr_status (*input)(tsr_executor *it, const tsr_array *arrays, int n, int keep, void **to,
                      tsr_error *error);
  /** Runs a step, for all i in [0, n), that writes one array of the output. The first member of
   *  *job must be the pointer to which the step writes; this function sets it. host: the caller's
   *  array of `bytes` bytes, to which the result is copied if the step does not write there at
   *  once; NULL: the array is not wanted, and nothing runs. */
  tsr_status (*make)(tsr_executor *it, int step, void *job, int64_t n, void *host, int64_t bytes,
                     tsr_error *error);
  /** Copies `bytes` bytes from memory of the executor to host memory. */
  tsr_status (*read)(tsr_executor *it, void *host, const void *from, int64_t bytes,
                     tsr_error *error);
  /** Waits for all work so far. input: an address that `input` returned with keep 0: the copy on
   *  the device is freed, unless the plan also took the array with keep 1; NULL: none. */
  tsr_status (*finish)(tsr_executor *it, const void *input, tsr_error *error);
};

/* For each entry of a room's list: its number, and its entry in the table of an executor. */
#define TSR_STEP_NUMBER(NAME, JOB) NAME##_number,
#define TSR_REDUCTION_NUMBER(NAME, JOB, RESULT) NAME##_number,
#define TSR_STEP_ENTRY(NAME, JOB) NAME##_entry,
#define TSR_REDUCTION_ENTRY(NAME, JOB, RESULT) &NAME##_entry,

/* Call `each`, `reduce` and `make` by the name of the step, with a job that is a variable. */
#define TSR_EACH(EXECUTOR, NAME, JOB, N, ERROR)                                                    \
  ((EXECUTOR)->each((EXECUTOR), NAME##_number, &(JOB), (N), (ERROR)))
#define TSR_REDUCE(EXECUTOR, NAME, JOB, N, RESULT, ERROR)                                          \
  ((EXECUTOR)->reduce((EXECUTOR), NAME##_number, &(JOB), (N), (RESULT), (ERROR)))
#define TSR_MAKE(EXECUTOR, NAME, JOB, N, HOST, BYTES, ERROR)                                       \
  ((EXECUTOR)->make((EXECUTOR), NAME##_number, &(JOB), (N), (HOST), (BYTES), (ERROR)))

/** A reduction on the CPU, made by TSR_REDUCTION_LOOP. */
typedef struct tsr_reduction {
  size_t size;                /**< of a result, in bytes */
  void (*none)(void *result); /**< sets *result to the result of no items */
  /** Sets *result to the result of the items [begin, end). */
  void (*range)(const void *job, int64_t begin, int64_t end, void *result);
  void (*join)(void *all, const void *part); /**< adds the result *part to *all */
} tsr_reduction;

/* For each entry of a room's list: defines the function that the CPU's table points to. A step
 * becomes a tsr_task, whose data is the job; a reduction becomes a tsr_reduction. Both copy the
 * job: the compiler then knows that what a step stores into arrays does not change the job's
 * members. */

#define TSR_STEP_LOOP(NAME, JOB)                                                                   \
  static void NAME##_entry(void *job, int64_t begin, int64_t end) {                                \
    const JOB own = *(const JOB *)job;                                                             \
    for (int64_t i = begin; i < end; ++i)                                                          \
      NAME(&own, i);                                                                               \
  }
#define TSR_REDUCTION_LOOP(NAME, JOB, RESULT)                                                      \
  static void NAME##_nothing(void *result) { *(RESULT *)result = NAME##_none(); }                  \
  static void NAME##_range(const void *job, int64_t begin, int64_t end, void *result) {            \
    const JOB own = *(const JOB *)job;                                                             \
    RESULT part = NAME##_none();                                                                   \
    for (int64_t i = begin; i < end; ++i)                                                          \
      NAME(&own, i, &part);                                                                        \
    *(RESULT *)result = part;                                                                      \
  }                                                                                                \
  static void NAME##_both(void *all, const void *part) {                                           \
    NAME##_join((RESULT *)all, (const RESULT *)part);                                              \
  }                                                                                                \
  static const tsr_reduction NAME##_entry = {sizeof(RESULT), NAME##_nothing, NAME##_range,         \
                                             NAME##_both};

/** Sets up an executor that runs on the CPU, by the threads of `execution`, which is borrowed.
 *  loops, reductions: the room's tables; NULL if there are none of the kind. */
void tsr_executor_on_cpu(tsr_executor *it, const tsr_execution *execution, const tsr_task *loops,
                         const tsr_reduction *const *reductions);

/** Runs a task over [0, n) on the CPU in ranges [k grain, (k + 1) grain), the last one cut at n,
 *  and calls the progress callback after each. `it` may be any executor: only its execution,
 *  done_first and done_last are used. Fails with TSR_ABORTED if the callback asks to stop. */
tsr_status tsr_executor_run(tsr_executor *it, tsr_task task, void *data, int64_t n, int64_t grain,
                            tsr_error *error);

#ifdef __cplusplus
}
#endif
#endif
