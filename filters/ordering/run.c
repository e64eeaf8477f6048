/* SPDX-License-Identifier: BSD-3-Clause */
/** Points to curves: one of the steps of a plan or fill, on all threads. */
#include "ordering/plan.h"

tsr_status tsr_ordering_run(const tsr_execution *execution, tsr_task task, void *data, int64_t n,
                            int64_t grain, double first, double last) {
  tsr_job job = {execution, task, data, n, first, last, 0, 0};
  return tsr_job_run(&job, grain);
}
