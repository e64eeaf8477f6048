/* SPDX-License-Identifier: BSD-3-Clause */
/** Errors, types, parallel loops, memory and sums: what every algorithm needs. */
#include "common/support.h"

#include "common/common_math.h"
#include "common/tessera_limit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

tsr_status tsr_fail(tsr_error *error, tsr_status status, int64_t item, const char *format, ...) {
  if (error) {
    va_list arguments;
    error->status = status;
    error->item = item;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
  }
  return status;
}

void tsr_execution_init(tsr_execution *execution) {
  memset(execution, 0, sizeof *execution);
  execution->struct_size = sizeof *execution;
  execution->backend = TSR_BACKEND_AUTO;
  execution->threads = 1;
  execution->device = -1;
}

tsr_status tsr_copy_versioned(void *to, size_t to_size, const void *from, const char *what,
                              tsr_status failure, tsr_error *error) {
  size_t size;
  if (!from)
    return tsr_fail(error, failure, -1, "the pointer to the %s is NULL", what);
  memcpy(&size, from, sizeof size);
  if (size <= sizeof size)
    return tsr_fail(error, failure, -1,
                    "the struct_size of the %s is %zu: it was not set up by its init function",
                    what, size);
  memcpy(to, from, size < to_size ? size : to_size);
  memcpy(to, &to_size, sizeof to_size);
  return TSR_OK;
}

tsr_status tsr_take_execution(tsr_execution *to, const tsr_execution *from, tsr_error *error) {
  tsr_execution_init(to);
  return from ? tsr_copy_versioned(to, sizeof *to, from, "execution", TSR_BAD_OPTION, error)
              : TSR_OK;
}

tsr_status tsr_need(int given, const char *what, tsr_error *error) {
  return given ? TSR_OK : tsr_fail(error, TSR_BAD_INPUT, -1, "%s is missing", what);
}

void *tsr_plan_alloc(size_t size, const void *place, const void *view, const void *options,
                     tsr_status *status, tsr_error *error) {
  void *plan = NULL;
  if (!place)
    *status = tsr_fail(error, TSR_BAD_INPUT, -1, "the pointer that receives the plan is NULL");
  else if (!view || !options)
    *status = tsr_fail(error, TSR_BAD_INPUT, -1, "the view or the options are NULL");
  else
    *status = (plan = tsr_alloc(1, size, "the plan", error)) ? TSR_OK : TSR_NO_MEMORY;
  if (plan)
    memset(plan, 0, size);
  return plan;
}

tsr_status tsr_check_array(const tsr_array *array, const char *name, int components, int64_t tuples,
                           tsr_error *error) {
  if (tsr_type_size(array->type) == 0)
    return tsr_fail(error, TSR_BAD_INPUT, -1, "%s has an unknown type (%d)", name,
                    (int)array->type);
  if (array->components < 1 || (components > 0 && array->components != components))
    return tsr_fail(error, TSR_BAD_INPUT, -1, "%s has %d components instead of %d", name,
                    array->components, components > 0 ? components : 1);
  if (array->tuples != tuples || tuples < 0)
    return tsr_fail(error, TSR_BAD_INPUT, -1, "%s has %lld tuples instead of %lld", name,
                    (long long)array->tuples, (long long)tuples);
  if (!array->data && tuples > 0)
    return tsr_fail(error, TSR_BAD_INPUT, -1, "%s has %lld tuples but no data", name,
                    (long long)tuples);
  return TSR_OK;
}

tsr_status tsr_check_list(const void *list, int64_t n, const char *what, tsr_status failure,
                          tsr_error *error) {
  if (n < 0 || (n > 0 && !list))
    return tsr_fail(error, failure, -1, "there are %lld %s, but no list of them", (long long)n,
                    what);
  return TSR_OK;
}

tsr_status tsr_check_places(const tsr_array *points, tsr_error *error) {
  if (tsr_check_array(points, "the array of points", 3, points->tuples, error))
    return TSR_BAD_INPUT;
  if (points->type != TSR_FLOAT && points->type != TSR_DOUBLE)
    return tsr_fail(error, TSR_BAD_INPUT, -1, "the array of points is neither float nor double");
  return TSR_OK;
}

tsr_status tsr_check_cells(int64_t n_cells, const void *offsets, int64_t n_connectivity,
                           const void *connectivity, tsr_type index_type, const char *cells,
                           tsr_error *error) {
  if (n_cells < 0 || n_connectivity < 0)
    return tsr_fail(error, TSR_BAD_INPUT, -1, "the number of %s or of their point ids is negative",
                    cells);
  if (index_type != TSR_INT32 && index_type != TSR_INT64)
    return tsr_fail(error, TSR_BAD_INPUT, -1,
                    "the offsets and point ids are neither 32-bit nor 64-bit integers");
  if ((n_cells > 0 && !offsets) || (n_connectivity > 0 && !connectivity))
    return tsr_fail(error, TSR_BAD_INPUT, -1, "the offsets or the point ids are missing");
  return TSR_OK;
}

tsr_status tsr_check_above_0(double value, const char *name, int64_t item, tsr_error *error) {
  if (!(value > 0.0 && value <= 1e300))
    return tsr_fail(error, TSR_BAD_OPTION, item, "%s must be a finite number above 0, but is %g",
                    name, value);
  return TSR_OK;
}

tsr_status tsr_check_at_least_0(double value, const char *name, int64_t item, tsr_error *error) {
  if (!(value >= 0.0 && value <= 1e300))
    return tsr_fail(error, TSR_BAD_OPTION, item,
                    "%s must be a finite number of at least 0, but is %g", name, value);
  return TSR_OK;
}

tsr_status tsr_check_field(const tsr_array *field, int f, int64_t tuples, const double *range,
                           tsr_error *error) {
  char name[64];
  snprintf(name, sizeof name, "field %d of the field error", f);
  if (tsr_check_array(field, name, 0, tuples, error))
    return TSR_BAD_INPUT;
  snprintf(name, sizeof name, "the range of field %d", f);
  return range ? tsr_check_at_least_0(*range, name, f, error) : TSR_OK;
}

tsr_status tsr_check_output_types(tsr_type points_type, tsr_type index_type, tsr_error *error) {
  if (points_type != TSR_FLOAT && points_type != TSR_DOUBLE)
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "the points_type of the output is neither float nor double");
  if (index_type != TSR_INT32 && index_type != TSR_INT64)
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "the index_type of the output is neither a 32-bit nor a 64-bit integer");
  return TSR_OK;
}

double tsr_now(const tsr_execution *execution) {
  return execution->clock ? execution->clock() : 0.0;
}

size_t tsr_type_size(tsr_type type) { return tsr_value_size(type); }

typedef struct tsr_job_range {
  tsr_job *job;
  int64_t grain;
} tsr_job_range;

/* One task of the executor: [begin, end) counts pieces of `grain`, so that a stop is noticed
 * soon however large the executor's own pieces are. */
static void job_pieces(void *data, int64_t begin, int64_t end) {
  const tsr_job_range *range = data;
  tsr_job *job = range->job;
  for (int64_t piece = begin; piece < end; ++piece) {
    const int64_t first = piece * range->grain;
    const int64_t last = job->n - first < range->grain ? job->n : first + range->grain;
    if (atomic_load(&job->stop) != TSR_OK)
      return;
    job->task(job->data, first, last);
    atomic_fetch_add(&job->done, last - first);
    tsr_job_goes_on(job);
  }
}

void tsr_job_stop(tsr_job *job, tsr_status status) {
  int going = TSR_OK;
  atomic_compare_exchange_strong(&job->stop, &going, status);
}

int tsr_job_goes_on(tsr_job *job) {
  if (job->execution->progress) {
    const double share = (double)atomic_load(&job->done) / (double)job->n;
    const double fraction = job->done_first + share * (job->done_last - job->done_first);
    if (job->execution->progress(job->execution->progress_context, fraction))
      tsr_job_stop(job, TSR_ABORTED);
  }
  return atomic_load(&job->stop) == TSR_OK;
}

tsr_status tsr_job_run(tsr_job *job, int64_t grain) {
  tsr_job_range range = {job, grain};
  const int64_t pieces = (job->n + grain - 1) / grain;
  atomic_store(&job->done, 0);
  atomic_store(&job->stop, TSR_OK);
  if (pieces > 1 && job->execution->run)
    job->execution->run(job->execution->run_context, pieces, 1, job_pieces, &range);
  else if (pieces > 0)
    job_pieces(&range, 0, pieces);
  return (tsr_status)atomic_load(&job->stop);
}

tsr_status tsr_run_task(const tsr_execution *execution, tsr_task task, void *data, int64_t n,
                        int64_t grain, double first, double last) {
  tsr_job job = {execution, task, data, n, first, last, 0, 0};
  return tsr_job_run(&job, grain);
}

static void *alloc(int64_t count, size_t size, int clear, const char *what, tsr_error *error) {
  void *memory = NULL;
  const uint64_t bytes = (uint64_t)count * size;
  const size_t least = bytes > 0 ? (size_t)bytes : 1;
  if (count >= 0 && (size == 0 || bytes / size == (uint64_t)count) && bytes <= SIZE_MAX)
    memory = clear ? calloc(least, 1) : malloc(least);
  if (!memory) {
    char text[32];
    tsr_bytes_text((double)count * (double)size, text, sizeof text);
    tsr_fail(error, TSR_NO_MEMORY, -1, "there is not enough memory for %s (%s)", what, text);
  }
  return memory;
}

void *tsr_alloc(int64_t count, size_t size, const char *what, tsr_error *error) {
  return alloc(count, size, 0, what, error);
}

void *tsr_alloc_clear(int64_t count, size_t size, const char *what, tsr_error *error) {
  return alloc(count, size, 1, what, error);
}

void *tsr_grow(void *at, int64_t n, int64_t *room, int64_t first, size_t size) {
  const int64_t wanted = *room > 0 ? 2 * *room : first;
  void *more;
  if (n < *room)
    return at;
  more = realloc(at, (size_t)wanted * size);
  if (more)
    *room = wanted;
  return more;
}

int64_t tsr_scan(int64_t *counts, int64_t n) {
  int64_t sum = 0;
  for (int64_t i = 0; i < n; ++i) {
    const int64_t count = counts[i];
    counts[i] = sum;
    sum += count;
  }
  counts[n] = sum;
  return sum;
}
