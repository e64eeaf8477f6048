/* SPDX-License-Identifier: BSD-3-Clause */
/** Tessera: the reports of all datasets and processes combined into one. A part of the public
 *  header; include tessera.h. */
#ifndef TSR_COMMON_PROCESSES_TESSERA_SUMMARY_H
#define TSR_COMMON_PROCESSES_TESSERA_SUMMARY_H

#include "common/processes/tessera_processes.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Why AUTO fell back to the CPU, in rising order of severity. */
typedef enum tsr_fallback {
  TSR_FALLBACK_NONE = 0,
  TSR_FALLBACK_NO_DEVICE, /**< the machine has no device */
  TSR_FALLBACK_FAILED     /**< a device failed */
} tsr_fallback;

/** The combined report. tsr_report_fields says of each number how it is combined. */
typedef struct tsr_summary {
  tsr_report total; /**< device, strategy and other texts: those of the first dataset, in the lowest
                         process, that used CUDA; `threads`: those of this process */
  int64_t on_cpu, on_cuda; /**< number of datasets */
  int devices;             /**< number of different devices in use; set by tsr_summary_agree */
  tsr_fallback fallback;   /**< the most severe one; total.fallback is its sentence */
  int failed_process;      /**< the lowest process with that fallback */
} tsr_summary;

/** Sets up the summary of no datasets: backend CPU, scale 1. */
void tsr_summary_init(tsr_summary *summary);

/** Adds the report of one dataset. devices: number of CUDA devices of this machine; it decides
 *  between NO_DEVICE and FAILED where the report has a fallback. The caller sets
 *  total.tolerance_scale, which is not changed here. */
void tsr_summary_add(tsr_summary *summary, const tsr_report *one, int devices);

/** Combines the summaries of all processes, in place. host: a number that identifies the machine,
 *  equal for all processes on it. Collective. Fails with NO_MEMORY, ABORTED. */
tsr_status tsr_summary_agree(tsr_summary *summary, const tsr_processes *processes, int64_t host,
                             tsr_error *error);

/** Number of items with a note, and the place of the first of them. */
typedef struct tsr_placed_note {
  tsr_note_count items;
  int64_t block;   /**< the caller's number of the block with the first item */
  int64_t process; /**< the process with the first item; set by tsr_notes_agree */
} tsr_placed_note;

/** Sums each of n notes over all processes, in place; the first item of a note is that of the
 *  lowest process with one. n: the same in all processes. Collective. Fails with NO_MEMORY,
 *  ABORTED. */
tsr_status tsr_notes_agree(tsr_placed_note *notes, int n, const tsr_processes *processes,
                           tsr_error *error);

/** The texts of a summary. */
typedef enum tsr_summary_word {
  TSR_SUMMARY_BACKEND = 0, /**< "CPU", "CUDA" or "CPU and CUDA" */
  /* The texts below are "-" where CUDA did not run, or the filter has no such choice. */
  TSR_SUMMARY_DEVICE,
  TSR_SUMMARY_STRATEGY,
  TSR_SUMMARY_CHILD_STREAM,
  TSR_SUMMARY_OUTPUT_MEMORY
} tsr_summary_word;

/** Size in bytes of the buffers for a text of a summary and for its warning. */
#define TSR_SUMMARY_TEXT 640

/** Writes one text of the summary. */
void tsr_summary_text(const tsr_summary *summary, tsr_summary_word word,
                      char text[TSR_SUMMARY_TEXT]);

/** Writes a sentence that says why AUTO fell back to the CPU; an empty text if it did not.
 *  processes: number of processes in the summary. */
void tsr_summary_warning(const tsr_summary *summary, int processes, char text[TSR_SUMMARY_TEXT]);

#ifdef __cplusplus
}
#endif
#endif
