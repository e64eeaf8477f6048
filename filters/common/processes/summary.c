/* SPDX-License-Identifier: BSD-3-Clause */
/** One report of many datasets and processes. */
#include "common/processes/tessera_summary.h"
#include "common/support.h"

#include <stdlib.h>
#include <string.h>

/* What a number of the report becomes when another report's is added. Datasets of a process come
 * one after another, processes work at the same time. */
static double joined(tsr_report_join way, double a, double b, int processes) {
  const double most = a > b ? a : b;
  if (way == TSR_JOIN_SUM || (way == TSR_JOIN_SLOWEST && !processes))
    return a + b;
  return way == TSR_JOIN_MOST || (way != TSR_JOIN_OWN && processes) ? most : a;
}

static void join_numbers(tsr_report *to, const tsr_report *from, int processes) {
  int n;
  const tsr_report_field *fields = tsr_report_fields(&n);
  for (int f = 0; f < n; ++f) {
    const tsr_property *number = &fields[f].number;
    tsr_property_set(number, to, 0,
                     joined(fields[f].join, tsr_property_get(number, to, 0),
                            tsr_property_get(number, from, 0), processes));
  }
}

/* The device and how it was used. */
static void copy_device(tsr_report *to, const tsr_report *from) {
  memcpy(to->device_name, from->device_name, sizeof to->device_name);
  memcpy(to->by_cpu, from->by_cpu, sizeof to->by_cpu);
  to->backend = TSR_BACKEND_CUDA;
  to->device = from->device;
  to->strategy = from->strategy;
  to->child_stream = from->child_stream;
  to->output_memory = from->output_memory;
}

void tsr_summary_init(tsr_summary *summary) {
  memset(summary, 0, sizeof *summary);
  summary->total.backend = TSR_BACKEND_CPU;
  summary->total.tolerance_scale = 1.0;
}

void tsr_summary_add(tsr_summary *summary, const tsr_report *one, int devices) {
  tsr_report *total = &summary->total;
  const int cuda = one->backend == TSR_BACKEND_CUDA;
  if (cuda && summary->on_cuda == 0)
    copy_device(total, one);
  summary->on_cuda += cuda;
  summary->on_cpu += !cuda;
  join_numbers(total, one, 0);
  if (one->fallback[0] && summary->fallback == TSR_FALLBACK_NONE) {
    memcpy(total->fallback, one->fallback, sizeof total->fallback);
    summary->fallback = devices == 0 ? TSR_FALLBACK_NO_DEVICE : TSR_FALLBACK_FAILED;
  }
}

/* What a process gives to the summary of all. */
typedef struct share {
  tsr_summary summary;
  int64_t host;
} share;

static void join(tsr_summary *to, const tsr_summary *from, int rank) {
  if (from->on_cuda > 0 && to->on_cuda == 0)
    copy_device(&to->total, &from->total);
  to->on_cuda += from->on_cuda;
  to->on_cpu += from->on_cpu;
  join_numbers(&to->total, &from->total, 1);
  if (from->fallback > to->fallback) {
    to->fallback = from->fallback;
    to->failed_process = rank;
    memcpy(to->total.fallback, from->total.fallback, sizeof to->total.fallback);
  }
}

/* 1 if no process below `rank` used its device. */
static int is_new_device(const share *all, int rank) {
  const share *mine = &all[rank];
  for (int k = 0; k < rank; ++k)
    if (all[k].summary.on_cuda > 0 && all[k].host == mine->host &&
        all[k].summary.total.device == mine->summary.total.device)
      return 0;
  return mine->summary.on_cuda > 0;
}

tsr_status tsr_summary_agree(tsr_summary *summary, const tsr_processes *processes, int64_t host,
                             tsr_error *error) {
  const int threads = summary->total.threads;
  tsr_status status;
  share mine, *all = tsr_alloc(processes->n, sizeof *all, "the reports of processes", error);
  if (!all)
    return TSR_NO_MEMORY;
  memset(&mine, 0, sizeof mine);
  mine.summary = *summary;
  mine.host = host;
  status = tsr_processes_gather(processes, &mine, sizeof mine, all, error);
  if (status == TSR_OK) {
    tsr_summary_init(summary);
    summary->total.threads = threads;
  }
  for (int k = 0; k < processes->n && status == TSR_OK; ++k) {
    join(summary, &all[k].summary, k);
    summary->devices += is_new_device(all, k);
  }
  free(all);
  return status;
}

tsr_status tsr_notes_agree(tsr_placed_note *notes, int n, const tsr_processes *processes,
                           tsr_error *error) {
  tsr_status status;
  tsr_placed_note *all = tsr_alloc((int64_t)processes->n * n, sizeof *all, "notes", error);
  if (!all)
    return TSR_NO_MEMORY;
  status = tsr_processes_gather(processes, notes, n * (int64_t)sizeof *notes, all, error);
  for (int kind = 0; kind < n && status == TSR_OK; ++kind) {
    tsr_placed_note *sum = &notes[kind];
    *sum = (tsr_placed_note){{0, -1}, 0, 0};
    for (int k = 0; k < processes->n; ++k) {
      const tsr_placed_note *one = &all[k * n + kind];
      if (one->items.count > 0 && sum->items.count == 0)
        *sum = (tsr_placed_note){{0, one->items.first}, one->block, k};
      sum->items.count += one->items.count;
    }
  }
  free(all);
  return status;
}
