/* SPDX-License-Identifier: BSD-3-Clause */
/** One report of many datasets and processes. */
#include "common/support.h"
#include "common/tessera_summary.h"

#include <stdlib.h>
#include <string.h>

static int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }

static double most_of(double a, double b) { return a > b ? a : b; }

/* What is added up, and what the largest stands for. */
static void add_counts(tsr_report *to, const tsr_report *from) {
  to->items += from->items;
  to->spans += from->spans;
  to->points += from->points;
  to->cells += from->cells;
  to->child_launches += from->child_launches;
  to->refused_launches += from->refused_launches;
  to->child_items += from->child_items;
  to->inline_items += from->inline_items;
  to->pieces += from->pieces;
  to->pool_in_force = most(to->pool_in_force, from->pool_in_force);
  to->device_peak_bytes = most(to->device_peak_bytes, from->device_peak_bytes);
  to->deepest_nesting = (int)most(to->deepest_nesting, from->deepest_nesting);
  to->chord_tolerance = most_of(to->chord_tolerance, from->chord_tolerance);
}

/* The device and how it was used. */
static void copy_device(tsr_report *to, const tsr_report *from) {
  memcpy(to->device_name, from->device_name, sizeof to->device_name);
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
  add_counts(total, one);
  /* Datasets come one after another. */
  total->plan_seconds += one->plan_seconds;
  total->fill_seconds += one->fill_seconds;
  total->upload_seconds += one->upload_seconds;
  total->download_seconds += one->download_seconds;
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
  add_counts(&to->total, &from->total);
  /* Processes work at the same time. */
  to->total.plan_seconds = most_of(to->total.plan_seconds, from->total.plan_seconds);
  to->total.fill_seconds = most_of(to->total.fill_seconds, from->total.fill_seconds);
  to->total.upload_seconds = most_of(to->total.upload_seconds, from->total.upload_seconds);
  to->total.download_seconds = most_of(to->total.download_seconds, from->total.download_seconds);
  to->total.tolerance_scale = most_of(to->total.tolerance_scale, from->total.tolerance_scale);
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
