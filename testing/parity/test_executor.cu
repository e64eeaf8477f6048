// SPDX-License-Identifier: BSD-3-Clause
// The executor of a device: the same checks as for the CPU's in
// testing/core/common/test_executor.c.
#include "cuda/common/executor.cuh"
#include "executor_steps.h"

extern "C" {
#include "check.h"
#include "outputs.h"
}

TEST_STEPS(TSR_STEP_KERNEL)
TEST_REDUCTIONS(TSR_REDUCTION_KERNEL)

namespace {

void close(tsr_opened *plan) {
  const tsr_on_device scope(plan->state->device);
  tsr_opened_stop(plan);
  delete plan;
}

} // namespace

int main() {
  static const tsr_launch launches[] = {TEST_STEPS(TSR_STEP_ENTRY)};
  static const tsr_reduction_launch *const reductions[] = {TEST_REDUCTIONS(TSR_REDUCTION_ENTRY)};
  const auto nothing = [](tsr_opened *, tsr_error *) { return TSR_OK; };
  tsr_execution execution = execution_cuda();
  tsr_report report = {};
  tsr_error error = {};
  tsr_executor executor;
  tsr_opened *plan = nullptr;
  if (const int missing = gpu_missing())
    return missing;
  if (CHECK_SAY(tsr_open_plan(execution, &report, nothing, close, &plan, &error) == TSR_OK, "%s",
                error.text)) {
    tsr_executor_on_device(&executor, plan, &execution, &report, launches, reductions);
    CHECK_INT(executor_check(&executor), 0);
    close(plan);
  }
  return check_result();
}
