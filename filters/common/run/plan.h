/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * What the plans of all rooms share: creating them, choosing where they run, and falling back to
 * the CPU. A room is a feature, such as pointgrid, with a folder in filters/ and in cuda/. Not
 * public.
 *
 *     tsr_plan_create:  take -> choose a device -> make
 *                                                   | the device gives up: drop, make on the CPU
 *     tsr_plan_fill:                              fill
 *                                                   | the device gives up: drop, make, fill on CPU
 *
 * A device gives up if it fails, for instance for lack of memory, and the backend is
 * TSR_BACKEND_AUTO: the plan then continues on the CPU, and never goes back to a device.
 *
 * A room's plan begins with a tsr_plan. The room's functions read plan->on_device to choose their
 * executor, and return a failure of the device like any other failure: the functions here decide
 * whether the plan is made again.
 */
#ifndef TSR_COMMON_RUN_PLAN_H
#define TSR_COMMON_RUN_PLAN_H

#include "common/processes/tessera_processes.h"
#include "common/run/backend.h"

/** First member of every plan. */
typedef struct tsr_plan {
  tsr_execution execution;
  tsr_report report;
  tsr_processes processes; /**< the processes that make the plan together; n < 2: this one */
  int on_device;           /**< 1: the device makes and fills the plan; 0: the CPU does */
  int made;                /**< 1: `make` has succeeded */
} tsr_plan;

/** The functions of a room. `plan` is the room's plan, and `error` is never NULL. */
typedef struct tsr_plan_steps {
  size_t size; /**< of the room's plan, in bytes */
  /** Copies and checks the caller's structs, and sets plan->processes if there are several
   *  processes. plan->execution is set already. */
  tsr_status (*take)(void *plan, const void *view, const void *options, tsr_error *error);
  /** Returns 1 if Auto is to take a device for this plan, whose arrays are on the host; NULL:
   *  always. */
  int (*suits_device)(const void *plan);
  /** Makes the plan. With several processes, fails in all of them or in none. */
  tsr_status (*make)(void *plan, tsr_error *error);
  /** Writes the output. *output was checked by the caller of tsr_plan_fill. */
  tsr_status (*fill)(void *plan, const void *output, tsr_error *error);
  /** Frees all that `make` made, and closes the device: the plan is then as `take` left it. */
  void (*drop)(void *plan);
  /** Called instead of drop and make if the device gives up in `fill`. A room whose `make` is
   *  collective needs it, since the other processes do not take part in a fill: it must make the
   *  plan on the CPU without them. NULL: drop and make are called. */
  tsr_status (*make_here)(void *plan, tsr_error *error);
  /** Frees what `take` made; NULL: there is nothing to free. */
  void (*release)(void *plan);
  /** NULL: the room takes arrays on a device (tsr_execution.device_arrays). Else it does not, and
   *  this names it, as the subject of a sentence in the plural: "discs". */
  const char *on_host_only;
} tsr_plan_steps;

/**
 * Creates a plan. If the device of any process gives up, all processes drop what they made and make
 * the plan on the CPU.
 * execution: NULL = defaults.
 * place: the address of a pointer to the room's plan. The pointer receives the plan, which is freed
 *   by tsr_plan_free, or NULL on failure.
 * error: NULL, or receives what went wrong.
 * Sets report.plan_seconds, and report.fallback if the device gave up. Collective if `take` sets
 * several processes.
 */
tsr_status tsr_plan_create(const tsr_plan_steps *steps, const void *view, const void *options,
                           const tsr_execution *execution, void *place, tsr_error *error);

/** Makes a plan that `take` has set up, also one that was made before and whose options have
 *  changed. If the device gives up, the CPU makes it. `error` must not be NULL. */
tsr_status tsr_plan_make(const tsr_plan_steps *steps, void *plan, tsr_error *error);

/** Fills `output`, which must not be NULL. If the device gives up, the plan is made again on the
 *  CPU, which then fills. Adds to report.fill_seconds. */
tsr_status tsr_plan_fill(const tsr_plan_steps *steps, void *plan, const void *output,
                         tsr_error *error);

/** Frees a plan and all that it owns; NULL is allowed. */
void tsr_plan_free(const tsr_plan_steps *steps, void *plan);

/** Returns the plan's report with backend, threads and tolerance_scale set. */
tsr_report tsr_plan_report(const tsr_plan *plan);

/**
 * Decides, in all processes together, whether they make their plans again on the CPU. Returns 1 if
 * a device gave up in at least one process and no process failed for another reason; an abort
 * (TSR_ABORTED) does not count as a failure. Returns 0 otherwise, and if messages between the
 * processes fail. Collective.
 * gave_up: 1 if the device of this process gave up.
 * status: how making the plan ended in this process.
 * why: the reason, a sentence, if this process has one; if it is empty, it receives the reason of
 *   the lowest rank whose device gave up.
 */
int tsr_processes_fall_back(const tsr_processes *processes, int gave_up, tsr_status status,
                            char why[500]);

#endif
