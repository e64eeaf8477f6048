// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/pointgrid/each.cuh"

tsr_status tsr_points_send(tsr_pointgrid_device *s, const tsr_pointgrid_job *job,
                           const std::vector<tsr_copy> &copies, tsr_error *error) {
  const double start = tsr_cuda_now(job->execution);
  TSR_STEP(tsr_transfer_down(s->state, job->execution, copies, nullptr, 0.4, 1.0, error));
  job->report->download_seconds += tsr_cuda_now(job->execution) - start;
  return TSR_OK;
}
