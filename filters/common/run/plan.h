/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * What the plans of all rooms share: creating them, choosing where they run, and falling back to
 * the CPU. Not public.
 *
 *     tsr_plan_create:  take -> choose -> make            <---+ CPU: drop, then make again;
 *     tsr_plan_fill:                             fill         | only under Auto, only once
 *                                       device gives up   ----+
 *
 * A room's plan begins with a tsr_plan. Its steps read plan->on_device where they call the
 * executor, and return the device's failure like any other: they never ask whether there still is a
 * device.
 */
#ifndef TSR_COMMON_RUN_PLAN_H
#define TSR_COMMON_RUN_PLAN_H

#include "common/processes/tessera_processes.h"
#include "common/run/backend.h"

/** First member of every plan. */
typedef struct tsr_plan {
  tsr_execution execution;
  tsr_report report;
  tsr_processes processes; /**< that make the plan together; n below 2: this one alone */
  int on_device;           /**< 1: the device makes and fills the plan; 0: the CPU does */
  int made;                /**< 1: `make` has succeeded */
} tsr_plan;

/** The steps of a room. `plan` is the room's plan, and `error` is never NULL. */
typedef struct tsr_plan_steps {
  size_t size; /**< of the room's plan */
  /** Copies and checks the caller's structs, and sets plan->processes where there are several.
   * plan->execution is set. */
  tsr_status (*take)(void *plan, const void *view, const void *options, tsr_error *error);
  /** Returns 1 if Auto may take a device for this plan; NULL: always. */
  int (*suits_device)(const void *plan);
  /** Makes the plan. With several processes, fails in all of them or in none. */
  tsr_status (*make)(void *plan, tsr_error *error);
  /** Writes the output, which the caller of tsr_plan_fill has checked. */
  tsr_status (*fill)(void *plan, const void *output, tsr_error *error);
  /** Frees all that `make` made, and closes the device: the plan is then as `take` left it. */
  void (*drop)(void *plan);
  /** Takes the place of drop and make where the device gives up in `fill`, which the processes do
   * not call together; NULL: drop and make. */
  tsr_status (*make_here)(void *plan, tsr_error *error);
  /** Frees what `take` made; NULL: nothing. */
  void (*release)(void *plan);
} tsr_plan_steps;

/**
 * Creates a plan. If a device gives up under Auto, in any of the processes, all of them drop what
 * they made and make the plan on the CPU.
 * place: the address of the pointer that receives the plan, NULL after a failure.
 * Sets report.plan_seconds, and report.fallback if the device gave up.
 */
tsr_status tsr_plan_create(const tsr_plan_steps *steps, const void *view, const void *options,
                           const tsr_execution *execution, void *place, tsr_error *error);

/** Fills `output`, never NULL. If the device gives up under Auto, the CPU makes the plan again and
 * fills. Adds to report.fill_seconds. */
tsr_status tsr_plan_fill(const tsr_plan_steps *steps, void *plan, const void *output,
                         tsr_error *error);

/** Drops and frees a plan; NULL is allowed. */
void tsr_plan_free(const tsr_plan_steps *steps, void *plan);

/** Returns the plan's report with backend, threads and tolerance_scale set. */
tsr_report tsr_plan_report(const tsr_plan *plan);

/**
 * Decides together whether all processes make their plan again on the CPU, because a device gave up
 * in some of them, and none failed for another reason. Returns 1 if so. Collective.
 * gave_up, status: this process's device gave up; how its plan ended.
 * why: the reason, if it gave up; receives the reason of the lowest rank that did, if not.
 */
int tsr_processes_fall_back(const tsr_processes *processes, int gave_up, tsr_status status,
                            char why[500]);

#endif
