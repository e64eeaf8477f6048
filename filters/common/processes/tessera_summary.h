/* SPDX-License-Identifier: BSD-3-Clause */
/** Tessera: one report of many datasets and processes. A part of the public header; include
 *  tessera.h. */
#ifndef TESSERA_SUMMARY_H
#define TESSERA_SUMMARY_H

#include "common/processes/tessera_processes.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Why the CPU did what was asked of a device. */
typedef enum tsr_fallback {
  TSR_FALLBACK_NONE = 0,
  TSR_FALLBACK_NO_DEVICE, /**< there is none */
  TSR_FALLBACK_FAILED     /**< one failed, which tells more */
} tsr_fallback;

/** Counts are sums; seconds, peaks, tolerances and scales are the largest. */
typedef struct tsr_summary {
  tsr_report total; /**< what concerns CUDA: of the first dataset, and the lowest process, that
                         used it; `threads`: of this process */
  int64_t on_cpu, on_cuda; /**< datasets */
  int devices;             /**< different ones in use; known after tsr_summary_agree */
  tsr_fallback fallback;   /**< the worst; total.fallback says it */
  int failed_process;      /**< the lowest one with that */
} tsr_summary;

/** Nothing ran yet: CPU, scale 1. */
void tsr_summary_init(tsr_summary *summary);

/** Adds the report of one dataset; the tolerance scale is left to the caller. devices: how many
 * there are, which tells why the CPU did it. */
void tsr_summary_add(tsr_summary *summary, const tsr_report *one, int devices);

/** Adds up over all processes. host: a number of the machine, the same for all processes on it.
 *  Collective. Fails with NO_MEMORY, ABORTED. */
tsr_status tsr_summary_agree(tsr_summary *summary, const tsr_processes *processes, int64_t host,
                             tsr_error *error);

/** Items that have a note, and where the first of them is. */
typedef struct tsr_placed_note {
  tsr_note_count items;
  int64_t block;   /**< of the first item: a number of the caller's */
  int64_t process; /**< of the first item; known after tsr_notes_agree */
} tsr_placed_note;

/** Adds up n notes, each over all processes; its first item is that of the lowest process that has
 *  any. The same n everywhere. Collective. Fails with NO_MEMORY, ABORTED. */
tsr_status tsr_notes_agree(tsr_placed_note *notes, int n, const tsr_processes *processes,
                           tsr_error *error);

/** What a summary says in words. */
typedef enum tsr_summary_word {
  TSR_SUMMARY_BACKEND = 0, /**< "CPU", "CUDA" or "CPU and CUDA" */
  /* "-" where no CUDA ran, or a filter has nothing to choose: */
  TSR_SUMMARY_DEVICE,
  TSR_SUMMARY_STRATEGY,
  TSR_SUMMARY_CHILD_STREAM,
  TSR_SUMMARY_OUTPUT_MEMORY
} tsr_summary_word;

/** Most bytes of such a text, and of a warning. */
#define TSR_SUMMARY_TEXT 640

/** Writes one of them. */
void tsr_summary_text(const tsr_summary *summary, tsr_summary_word word,
                      char text[TSR_SUMMARY_TEXT]);

/** Writes a sentence about why the CPU did the work; nothing where it was not to blame. processes:
 *  that the summary is of. */
void tsr_summary_warning(const tsr_summary *summary, int processes, char text[TSR_SUMMARY_TEXT]);

#ifdef __cplusplus
}
#endif
#endif
