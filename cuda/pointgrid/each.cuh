// SPDX-License-Identifier: BSD-3-Clause
// Makes an output array on the device and copies it to the caller.
#ifndef TSR_POINTGRID_EACH_CUH
#define TSR_POINTGRID_EACH_CUH

#include "cuda/common/policy.cuh"
#include "cuda/pointgrid/sort.cuh"

template <class Job> __global__ void tsr_points_each(Job job, int64_t n) {
  const int64_t i = (int64_t)blockIdx.x * tsr_policy::block + threadIdx.x;
  if (i < n)
    job(i);
}

// Runs job(i) for all i in [0, n).
template <class Job> cudaError_t tsr_points_do(const Job &job, int64_t n, cudaStream_t stream) {
  tsr_points_each<<<tsr_blocks(n, tsr_policy::block), tsr_policy::block, 0, stream>>>(job, n);
  return cudaGetLastError();
}

// Waits for the stream's work and copies its results to the host.
tsr_status tsr_points_send(tsr_pointgrid_device *plan, const tsr_pointgrid_job *job,
                           const std::vector<tsr_copy> &copies, tsr_error *error);

// Makes an array of n values of `size` bytes each: job(i) runs for all i in [0, work) and writes to
// job.to. host: receives the array; NULL: not wanted.
template <class Job>
tsr_status tsr_points_array(tsr_pointgrid_device *plan, const tsr_pointgrid_job *of, Job job,
                            int64_t work, void *host, int64_t n, size_t size, tsr_error *error) {
  if (!host || n == 0)
    return TSR_OK;
  TSR_STEP(plan->memory.get((void **)&job.to, n, size, "the output", error));
  TSR_CUDA(cudaEventRecord(plan->begin, plan->stream), "making the output");
  TSR_CUDA(tsr_points_do(job, work, plan->stream), "making the output");
  TSR_CUDA(cudaEventRecord(plan->end, plan->stream), "making the output");
  TSR_CUDA(cudaStreamSynchronize(plan->stream), "making the output");
  tsr_note_work(*plan, of->report);
  TSR_STEP(tsr_points_send(plan, of, {{host, job.to, (size_t)n * size}}, error));
  plan->memory.free_one(job.to);
  return TSR_OK;
}

#endif
