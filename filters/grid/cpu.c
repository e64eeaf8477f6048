/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: the steps as loops of the CPU. */
#include "grid/plan.h"
#include "grid/steps.h"

TSR_GRID_STEPS(TSR_STEP_LOOP)

void tsr_grid_use_cpu(tsr_executor *executor, const tsr_execution *execution) {
  static const tsr_task loops[] = {TSR_GRID_STEPS(TSR_STEP_ENTRY)};
  tsr_executor_on_cpu(executor, execution, loops, NULL);
  executor->done_first = executor->done_last = 0.5;
}
