/* SPDX-License-Identifier: BSD-3-Clause */
/** Curved cells: the executor of a plan. */
#include "cells/plan.h"

TSR_CELLS_STEPS(TSR_STEP_LOOP)
TSR_CELLS_REDUCTIONS(TSR_REDUCTION_LOOP)

void tsr_cells_open(tsr_cells_plan *plan) {
  static const tsr_task loops[] = {TSR_CELLS_STEPS(TSR_STEP_ENTRY)};
  static const tsr_reduction *const reductions[] = {TSR_CELLS_REDUCTIONS(TSR_REDUCTION_ENTRY)};
  tsr_executor_on_cpu(&plan->executor, &plan->base.execution, loops, reductions);
}

void tsr_cells_progress(tsr_cells_plan *plan, double first, double last) {
  plan->executor.done_first = first;
  plan->executor.done_last = last;
}
