// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/device/probe.cuh"

namespace {

__global__ void probe_child(int *value) { *value += 40; }

__global__ void probe_parent(int *value) {
  *value = 2;
  probe_child<<<1, 1, 0, cudaStreamTailLaunch>>>(value);
  const cudaError_t code = cudaGetLastError();
  if (code != cudaSuccess)
    *value = -(int)code;
}

} // namespace

tsr_status tsr_launching_probe(tsr_error *error) {
  int *value = nullptr, result = 0;
  TSR_CUDA(cudaMalloc(&value, sizeof *value), "trying a kernel that launches a kernel");
  probe_parent<<<1, 1>>>(value);
  cudaError_t code = cudaGetLastError();
  if (code == cudaSuccess)
    code = cudaMemcpy(&result, value, sizeof result, cudaMemcpyDeviceToHost);
  const cudaError_t freed = cudaFree(value);
  TSR_CUDA(code == cudaSuccess ? freed : code, "trying a kernel that launches a kernel");
  TSR_CUDA(result < 0 ? (cudaError_t)-result : cudaSuccess, "launching a kernel from a kernel");
  if (result != 42)
    return tsr_cuda_refuse(error, TSR_DEVICE,
                           "a kernel that launches a kernel gave %d instead of 42", result);
  return TSR_OK;
}
