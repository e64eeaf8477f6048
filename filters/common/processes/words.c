/* SPDX-License-Identifier: BSD-3-Clause */
/** A summary in words. */
#include "common/processes/tessera_summary.h"

#include <stdio.h>

/* The launch strategies of all filters; each filter has some of them. */
static const char *const strategies[] = {
    "Auto", "Block Per Item",        "Child Grid Per Item", "Aggregated Grids",
    "Flat", "Recursive Child Grids", "Host Waves",          "Device Launched"};
enum { BLOCK_PER_ITEM = 1, FLAT = 4 };

static const char *const streams[] = {"Block NULL Stream", "Named Stream", "Fire and Forget",
                                      "Tail Launch"};
static const char *const memories[] = {"Exact", "Worst Case", "Device Heap"};

static const char *word_of(const tsr_summary *summary, tsr_summary_word word) {
  const tsr_report *total = &summary->total;
  const int cuda = summary->on_cuda > 0;
  if (word == TSR_SUMMARY_BACKEND)
    return !cuda ? "CPU" : summary->on_cpu > 0 ? "CPU and CUDA" : "CUDA";
  if (!cuda)
    return "-";
  if (word == TSR_SUMMARY_STRATEGY) /* Auto (0) is a choice, it never runs */
    return total->strategy != 0 ? strategies[total->strategy] : "-";
  if (word == TSR_SUMMARY_CHILD_STREAM) /* these launch no children */
    return total->strategy != FLAT && total->strategy != BLOCK_PER_ITEM
               ? streams[total->child_stream]
               : "-";
  return memories[total->output_memory];
}

void tsr_summary_text(const tsr_summary *summary, tsr_summary_word word,
                      char text[TSR_SUMMARY_TEXT]) {
  if (word == TSR_SUMMARY_DEVICE && summary->on_cuda > 0)
    snprintf(text, TSR_SUMMARY_TEXT, "%s (device %d)", summary->total.device_name,
             summary->total.device);
  else
    snprintf(text, TSR_SUMMARY_TEXT, "%s", word_of(summary, word));
}

void tsr_summary_warning(const tsr_summary *summary, int processes, char text[TSR_SUMMARY_TEXT]) {
  char where[40] = "";
  text[0] = '\0';
  if (summary->fallback == TSR_FALLBACK_NONE)
    return;
  if (processes > 1)
    snprintf(where, sizeof where, " on process %d", summary->failed_process);
  snprintf(text, TSR_SUMMARY_TEXT, "The CPU did the work%s: %s.", where, summary->total.fallback);
}
