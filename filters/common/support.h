/* SPDX-License-Identifier: BSD-3-Clause */
/** Helpers that all filters share: errors, checks, parallel loops, memory, sums. Not public. */
#ifndef TSR_COMMON_SUPPORT_H
#define TSR_COMMON_SUPPORT_H

#include "common/tessera_common.h"

#include <stdatomic.h>

/** Fills *error (if not NULL) from a printf format and returns `status`. item: index of the curve,
 *  cell or point at fault, or -1. */
tsr_status tsr_fail(tsr_error *error, tsr_status status, int64_t item, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;

/** A parallel loop over [0, n) that reports progress and can be stopped. */
typedef struct tsr_job {
  const tsr_execution *execution;
  tsr_task task;        /**< called with ranges of [0, n) */
  void *data;           /**< for the task */
  int64_t n;            /**< number of elements */
  double done_first;    /**< progress of the whole execution at the start of this loop, 0 to 1 */
  double done_last;     /**< progress of the whole execution at its end */
  _Atomic int64_t done; /**< elements finished so far */
  _Atomic int stop;     /**< a tsr_status: TSR_OK to go on; a task may set it */
} tsr_job;

/**
 * Runs job->task over [0, n) in ranges of at most `grain`, calling progress after each.
 * Returns TSR_OK, TSR_ABORTED, or the status that a task left in job->stop.
 */
tsr_status tsr_job_run(tsr_job *job, int64_t grain);

/** Runs a job of these members. first, last: its progress. */
tsr_status tsr_run_task(const tsr_execution *execution, tsr_task task, void *data, int64_t n,
                        int64_t grain, double first, double last);

/** Reports progress from within a task that takes long over its range; such tasks call it now and
 *  then. Returns 0 if the task must return at once, since the user or another task has stopped the
 *  job. */
int tsr_job_goes_on(tsr_job *job);

/** Ends the job with this status, unless something else has ended it before. */
void tsr_job_stop(tsr_job *job, tsr_status status);

/** Overwrites the defaults in `to` with those members of `from` that the caller's version of the
 *  struct has. Both structs begin with struct_size. Fails with `failure` if `from` is NULL or if
 * its struct_size is 0. what: the struct's name, for the message. */
tsr_status tsr_copy_versioned(void *to, size_t to_size, const void *from, const char *what,
                              tsr_status failure, tsr_error *error);

/** Sets *to to the defaults, then copies the caller's members over them if `from` is not NULL. */
tsr_status tsr_take_execution(tsr_execution *to, const tsr_execution *from, tsr_error *error);

/** Allocates a plan of `size` bytes, all 0. place, view and options are arguments of the caller
 * that are only checked for NULL; place is the address that receives the plan. Returns NULL, with
 *  *status and *error filled, if one of them is NULL or if out of memory. */
void *tsr_plan_alloc(size_t size, const void *place, const void *view, const void *options,
                     tsr_status *status, tsr_error *error);

/** Fails with BAD_INPUT if `given` is 0. given: whether all pointers that a function needs are not
 *  NULL. what: their names, for the message. */
tsr_status tsr_need(int given, const char *what, tsr_error *error);

/** Fails with BAD_INPUT unless the array has a known type, `components` components (0: any number)
 *  and `tuples` tuples. */
tsr_status tsr_check_array(const tsr_array *array, const char *name, int components, int64_t tuples,
                           tsr_error *error);

/** The place of value i (not tuple i) of an array of the type. */
static inline void *tsr_value_at(void *data, tsr_type type, int64_t i) {
  return (char *)data + (size_t)i * tsr_type_size(type);
}

/** Bytes of a tuple. */
static inline size_t tsr_tuple_bytes(const tsr_array *array) {
  return (size_t)array->components * tsr_type_size(array->type);
}

/** Fails with `failure` if n < 0, or if n > 0 and `list` is NULL. what: the elements, in the
 * plural, for the message. */
tsr_status tsr_check_list(const void *list, int64_t n, const char *what, tsr_status failure,
                          tsr_error *error);

/** Fails with BAD_INPUT unless the array holds places: 3 components, float or double. */
tsr_status tsr_check_places(const tsr_array *points, tsr_error *error);

/** Checks the lists of n_cells cells with their point ids. cells: what they are, for the message.
 */
tsr_status tsr_check_cells(int64_t n_cells, const void *offsets, int64_t n_connectivity,
                           const void *connectivity, tsr_type index_type, const char *cells,
                           tsr_error *error);

/** Fails with BAD_OPTION, and `item`, unless the number is finite and above 0. */
tsr_status tsr_check_above_0(double value, const char *name, int64_t item, tsr_error *error);

/** Fails with BAD_OPTION, and `item`, unless the number is finite and at least 0. */
tsr_status tsr_check_at_least_0(double value, const char *name, int64_t item, tsr_error *error);

/** Checks field f of a field error: its array and, if not NULL, its range. */
tsr_status tsr_check_field(const tsr_array *field, int f, int64_t tuples, const double *range,
                           tsr_error *error);

/** Fails with BAD_OPTION unless points are float or double and indices 32 or 64 bits. */
tsr_status tsr_check_output_types(tsr_type points_type, tsr_type index_type, tsr_error *error);

/** Clears an options struct of `size` bytes, sets its first member, struct_size, and the defaults
 * of the n properties in the table. */
void tsr_options_init(void *options, size_t size, const tsr_property *properties, int n);

/** Seconds of the execution's clock, 0 where it has none. */
double tsr_now(const tsr_execution *execution);

/** malloc of count * size bytes, or NULL with *error filled: "there is not enough memory for WHAT
 *  (1.5 GiB)". */
void *tsr_alloc(int64_t count, size_t size, const char *what, tsr_error *error);

/** tsr_alloc with calloc: the memory is 0, and pages that are never touched take no physical
 * memory.
 */
void *tsr_alloc_clear(int64_t count, size_t size, const char *what, tsr_error *error);

/**
 * Makes room for one more element in a list of n elements of `size` bytes.
 * at: the list; NULL if n is 0. room: its capacity: `first` elements at first, then doubled as
 * needed. Returns the list, which may have moved, or NULL if out of memory; `at` is then still
 * valid.
 */
void *tsr_grow(void *at, int64_t n, int64_t *room, int64_t first, size_t size);

/** Exclusive prefix sum in place. counts has n + 1 entries; counts[n] receives the total, which is
 *  returned. */
int64_t tsr_scan(int64_t *counts, int64_t n);

#endif
