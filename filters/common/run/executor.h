/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * An executor runs the steps of a room: on the CPU by threads, on a device by kernels. A room's
 * driver is written once and calls its executor. Not public.
 *
 * A step is a function `NAME(const JOB *job, int64_t i)` in a *_math.h, which C and CUDA compile
 * alike. It does item i of the work, and no two items write to the same place. A reduction is
 * `NAME(const JOB *job, int64_t i, RESULT *result)`, which adds item i to a result, together with
 * `RESULT NAME_none(void)`, the result of no items, and `NAME_join(RESULT *all, const RESULT
 * *part)`, whose outcome must not depend on the order of the parts.
 *
 * A room lists its steps once, and makes a numbering and a table for each executor of the list:
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
 * The driver then says, in memory of the executor:
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

/** The functions return a status and fill *error (never NULL) unless it is TSR_OK. A function may
 *  return before its work is done; `read`, `make`, `reduce` and `finish` wait for all work. */
struct tsr_executor {
  const tsr_execution *execution;
  tsr_report *report;             /**< receives the times of a device */
  const void *steps, *reductions; /**< the room's tables for this executor */
  void *place;                    /**< CUDA: the plan's tsr_opened; CPU: NULL */
  double done_first, done_last;   /**< progress of the execution before and after the next steps */

  /** Runs a step, by its number in the room's list, for all i in [0, n). */
  tsr_status (*each)(tsr_executor *it, int step, const void *job, int64_t n, tsr_error *error);
  /** Runs a reduction for all i in [0, n). result: receives the result, on the host. */
  tsr_status (*reduce)(tsr_executor *it, int reduction, const void *job, int64_t n, void *result,
                       tsr_error *error);
  /** Replaces counts[0..n) by their exclusive prefix sums and counts[n] by the total. */
  tsr_status (*scan)(tsr_executor *it, int64_t *counts, int64_t n, tsr_error *error);
  /** Allocates n pairs. Sorts them by the lowest `bits` bits of their keys; equal ones keep their
   *  order. Frees them; they may never have been allocated, but must then be all zero. */
  tsr_status (*alloc_pairs)(tsr_executor *it, tsr_pairs *pairs, int64_t n, const char *what,
                            tsr_error *error);
  tsr_status (*sort)(tsr_executor *it, tsr_pairs *pairs, int bits, tsr_error *error);
  void (*free_pairs)(tsr_executor *it, tsr_pairs *pairs);
  /** Sorts words[0][0..n) by their bits [low, low + bits); words[1]: memory of the same size. May
   *  exchange the two; equal bits keep their order. */
  tsr_status (*sort_words)(tsr_executor *it, uint64_t *words[2], int64_t n, int low, int bits,
                           tsr_error *error);
  /** Allocates n * size bytes. what: for the error. Frees memory, which may be NULL. */
  tsr_status (*alloc)(tsr_executor *it, void **memory, int64_t n, size_t size, const char *what,
                      tsr_error *error);
  void (*free)(tsr_executor *it, const void *memory);
  /** Brings the n arrays of the caller to where steps can read them. to[k]: receives the place of
   *  array k, NULL if it has no data. keep: a device holds the arrays until the plan is closed;
   *  otherwise `finish` gives them back. */
  tsr_status (*input)(tsr_executor *it, const tsr_array *arrays, int n, int keep, void **to,
                      tsr_error *error);
  /** Runs a step that makes an array of the output of `bytes` bytes. The job's first member is the
   *  pointer to the array, which this function sets. host: the caller's array; NULL: not wanted. */
  tsr_status (*make)(tsr_executor *it, int step, void *job, int64_t n, void *host, int64_t bytes,
                     tsr_error *error);
  /** Copies `bytes` bytes of the executor's memory to the host. */
  tsr_status (*read)(tsr_executor *it, void *host, const void *from, int64_t bytes,
                     tsr_error *error);
  /** Waits for all work. input: an array that `input` brought and that is no longer needed; NULL:
   *  none. */
  tsr_status (*finish)(tsr_executor *it, const void *input, tsr_error *error);
};

#define TSR_STEP_NUMBER(NAME, JOB) NAME##_number,
#define TSR_REDUCTION_NUMBER(NAME, JOB, RESULT) NAME##_number,
#define TSR_STEP_ENTRY(NAME, JOB) NAME##_entry,
#define TSR_REDUCTION_ENTRY(NAME, JOB, RESULT) &NAME##_entry,

#define TSR_EACH(EXECUTOR, NAME, JOB, N, ERROR)                                                    \
  ((EXECUTOR)->each((EXECUTOR), NAME##_number, &(JOB), (N), (ERROR)))
#define TSR_REDUCE(EXECUTOR, NAME, JOB, N, RESULT, ERROR)                                          \
  ((EXECUTOR)->reduce((EXECUTOR), NAME##_number, &(JOB), (N), (RESULT), (ERROR)))
#define TSR_MAKE(EXECUTOR, NAME, JOB, N, HOST, BYTES, ERROR)                                       \
  ((EXECUTOR)->make((EXECUTOR), NAME##_number, &(JOB), (N), (HOST), (BYTES), (ERROR)))

/** A reduction on the CPU. */
typedef struct tsr_reduction {
  size_t size; /**< of a result */
  void (*none)(void *result);
  void (*add)(const void *job, int64_t begin, int64_t end, void *result);
  void (*join)(void *all, const void *part);
} tsr_reduction;

#define TSR_STEP_LOOP(NAME, JOB)                                                                   \
  static void NAME##_entry(void *job, int64_t begin, int64_t end) {                                \
    for (int64_t i = begin; i < end; ++i)                                                          \
      NAME((const JOB *)job, i);                                                                   \
  }
#define TSR_REDUCTION_LOOP(NAME, JOB, RESULT)                                                      \
  static void NAME##_nothing(void *result) { *(RESULT *)result = NAME##_none(); }                  \
  static void NAME##_range(const void *job, int64_t begin, int64_t end, void *result) {            \
    RESULT part = NAME##_none();                                                                   \
    for (int64_t i = begin; i < end; ++i)                                                          \
      NAME((const JOB *)job, i, &part);                                                            \
    *(RESULT *)result = part;                                                                      \
  }                                                                                                \
  static void NAME##_both(void *all, const void *part) {                                           \
    NAME##_join((RESULT *)all, (const RESULT *)part);                                              \
  }                                                                                                \
  static const tsr_reduction NAME##_entry = {sizeof(RESULT), NAME##_nothing, NAME##_range,         \
                                             NAME##_both};

/** Sets up the CPU's executor. loops, reductions: the room's tables. */
void tsr_executor_on_cpu(tsr_executor *it, const tsr_execution *execution, const tsr_task *loops,
                         const tsr_reduction *const *reductions);

/** Runs a task of the CPU's executor over [0, n) in ranges of at most `grain`. */
tsr_status tsr_executor_run(tsr_executor *it, tsr_task task, void *data, int64_t n, int64_t grain,
                            tsr_error *error);

#ifdef __cplusplus
}
#endif
#endif
