/* SPDX-License-Identifier: BSD-3-Clause */
/** What processes agree on. Lists as long as there are processes are so small that a process that
 *  gets no memory for one is not waited for; before anything larger is sent all agree. */
#include "common/processes/tessera_processes.h"
#include "common/support.h"

#include <stdlib.h>
#include <string.h>

static tsr_status message_failed(tsr_error *error) {
  return tsr_fail(error, TSR_ABORTED, -1, "the processes could not exchange data");
}

tsr_status tsr_processes_gather(const tsr_processes *processes, const void *mine, int64_t bytes,
                                void *all, tsr_error *error) {
  int64_t *sizes;
  int failed;
  if (processes->n == 1) {
    memcpy(all, mine, (size_t)bytes);
    return TSR_OK;
  }
  sizes = tsr_alloc(processes->n, sizeof *sizes, "a message", error);
  if (!sizes)
    return TSR_NO_MEMORY;
  for (int k = 0; k < processes->n; ++k)
    sizes[k] = bytes;
  failed = processes->gather(processes->context, mine, bytes, all, sizes);
  free(sizes);
  return failed ? message_failed(error) : TSR_OK;
}

tsr_status tsr_processes_agree(const tsr_processes *processes, tsr_status status,
                               tsr_error *error) {
  const int32_t mine = (int32_t)status;
  tsr_error own;
  int32_t *all;
  tsr_status sent;
  if (processes->n == 1)
    return status;
  all = tsr_alloc(processes->n, sizeof *all, "a message", &own);
  sent = all ? tsr_processes_gather(processes, &mine, sizeof mine, all, &own) : TSR_NO_MEMORY;
  if (status == TSR_OK && sent != TSR_OK)
    status = tsr_fail(error, sent, -1, "%s", own.text);
  for (int k = 0; k < processes->n && status == TSR_OK; ++k)
    if (all[k] != TSR_OK)
      status = tsr_fail(error, TSR_ABORTED, -1, "another process, %d, failed", k);
  free(all);
  return status;
}

/* The bytes themselves, of which each process gives sizes[rank]. */
static tsr_status receive_all(const tsr_processes *processes, const void *mine,
                              const int64_t *sizes, void **all, int64_t *total, tsr_error *error) {
  int64_t bytes = 0;
  tsr_status status;
  for (int k = 0; k < processes->n; ++k)
    bytes += sizes[k];
  *all = tsr_alloc(bytes, 1, "what the processes tell each other", error);
  status = tsr_processes_agree(processes, *all ? TSR_OK : TSR_NO_MEMORY, error);
  if (status == TSR_OK && processes->n == 1 && bytes > 0)
    memcpy(*all, mine, (size_t)bytes);
  if (status == TSR_OK && processes->n > 1 &&
      processes->gather(processes->context, mine, sizes[processes->rank], *all, sizes))
    status = message_failed(error);
  if (status == TSR_OK) {
    *total = bytes;
  } else {
    free(*all);
    *all = NULL;
  }
  return status;
}

tsr_status tsr_processes_gather_bytes(const tsr_processes *processes, tsr_status status,
                                      const void *mine, int64_t bytes, void **all, int64_t *sizes,
                                      int64_t *total, tsr_error *error) {
  int64_t *each = NULL;
  *all = NULL;
  *total = 0;
  if (status == TSR_OK) {
    each = tsr_alloc(processes->n, sizeof *each, "a message", error);
    status = each ? TSR_OK : TSR_NO_MEMORY;
  }
  status = tsr_processes_agree(processes, status, error);
  if (status == TSR_OK)
    status = tsr_processes_gather(processes, &bytes, sizeof bytes, each, error);
  if (status == TSR_OK)
    status = receive_all(processes, mine, each, all, total, error);
  if (status == TSR_OK && sizes)
    memcpy(sizes, each, (size_t)processes->n * sizeof *sizes);
  free(each);
  return status;
}

/* n numbers of `size` bytes of each process, one process after the other; the caller frees *all. */
static tsr_status gather_numbers(const tsr_processes *processes, const void *mine, int n,
                                 size_t size, void **all, tsr_error *error) {
  *all = tsr_alloc((int64_t)processes->n * n, size, "the numbers of processes", error);
  return *all ? tsr_processes_gather(processes, mine, n * (int64_t)size, *all, error)
              : TSR_NO_MEMORY;
}

/* The sums over the processes up to rank `end`. */
static tsr_status sum_below(const tsr_processes *processes, int end, int64_t *values, int n,
                            tsr_error *error) {
  void *gathered;
  tsr_status status = gather_numbers(processes, values, n, sizeof *values, &gathered, error);
  for (int i = 0; status == TSR_OK && i < n; ++i) {
    const int64_t *all = gathered;
    values[i] = 0;
    for (int k = 0; k < end; ++k)
      values[i] += all[(int64_t)k * n + i];
  }
  free(gathered);
  return status;
}

tsr_status tsr_processes_sum(const tsr_processes *processes, int64_t *values, int n,
                             tsr_error *error) {
  return processes->n == 1 || n == 0 ? TSR_OK
                                     : sum_below(processes, processes->n, values, n, error);
}

tsr_status tsr_processes_before(const tsr_processes *processes, int64_t *values, int n,
                                tsr_error *error) {
  return n == 0 ? TSR_OK : sum_below(processes, processes->rank, values, n, error);
}

tsr_status tsr_processes_max(const tsr_processes *processes, double *values, int n,
                             tsr_error *error) {
  void *gathered;
  tsr_status status;
  if (processes->n == 1 || n == 0)
    return TSR_OK;
  status = gather_numbers(processes, values, n, sizeof *values, &gathered, error);
  for (int i = 0; status == TSR_OK && i < n; ++i) {
    const double *all = gathered;
    for (int k = 0; k < processes->n; ++k)
      values[i] = all[(int64_t)k * n + i] > values[i] ? all[(int64_t)k * n + i] : values[i];
  }
  free(gathered);
  return status;
}
