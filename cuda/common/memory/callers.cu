// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/common/memory/callers.cuh"

namespace {

const uintptr_t output_alignment = 16; // the widest store of a kernel

// Managed memory counts as the device's, page-locked host memory as the host's.
tsr_status find_place(int device, const void *array, bool *there, tsr_error *error) {
  cudaPointerAttributes found = {};
  *there = false;
  TSR_CUDA(cudaPointerGetAttributes(&found, array), "asking where an array lies");
  *there = found.type == cudaMemoryTypeDevice || found.type == cudaMemoryTypeManaged;
  if (found.type == cudaMemoryTypeDevice && found.device != device)
    return tsr_cuda_refuse(error, TSR_BAD_INPUT,
                           "an array lies on device %d, but the plan runs on device %d: set the "
                           "device of the execution",
                           found.device, device);
  return TSR_OK;
}

} // namespace

tsr_status tsr_find_callers(const tsr_opened *plan, const void *array, bool *there,
                            tsr_error *error) {
  *there = false;
  if (!plan->callers.anywhere || !array)
    return TSR_OK;
  TSR_STEP(find_place(plan->state->device, array, there, error));
  if (!*there)
    return TSR_OK;
  TSR_CUDA(cudaEventRecord(plan->callers.ready, plan->callers.stream),
           "waiting for the caller's stream");
  TSR_CUDA(cudaStreamWaitEvent(plan->stream, plan->callers.ready, 0),
           "waiting for the caller's stream");
  return TSR_OK;
}

tsr_status tsr_find_output(const tsr_opened *plan, const void *array, bool *there,
                           tsr_error *error) {
  TSR_STEP(tsr_find_callers(plan, array, there, error));
  if (*there && (uintptr_t)array % output_alignment != 0)
    return tsr_cuda_refuse(error, TSR_BAD_OPTION,
                           "an output on the device begins at the address %p, which is not a "
                           "multiple of %d",
                           array, (int)output_alignment);
  return TSR_OK;
}

tsr_status tsr_copy_between(const tsr_execution *execution, void *to, const void *from,
                            int64_t bytes, tsr_error *error) {
  static const cudaMemcpyKind kinds[2][2] = {{cudaMemcpyHostToHost, cudaMemcpyDeviceToHost},
                                             {cudaMemcpyHostToDevice, cudaMemcpyDeviceToDevice}};
  const cudaStream_t stream = (cudaStream_t)execution->stream;
  const char *what = "copying a small array";
  bool to_there, from_there;
  int device = 0;
  tsr_error ignored;
  error = error ? error : &ignored;
  TSR_STEP(tsr_device_choose(execution->device, &device, error));
  const tsr_on_device scope(device);
  TSR_STEP(scope.check(error));
  TSR_STEP(find_place(device, to, &to_there, error));
  TSR_STEP(find_place(device, from, &from_there, error));
  TSR_CUDA(tsr_copy_async(to, from, (size_t)bytes, kinds[to_there][from_there], stream), what);
  TSR_CUDA(cudaStreamSynchronize(stream), what);
  return TSR_OK;
}

tsr_status tsr_callers_alloc(int device, int64_t bytes, void **memory, tsr_error *error) {
  tsr_device_state *state;
  tsr_error ignored;
  error = error ? error : &ignored;
  TSR_STEP(tsr_device_choose(device, &device, error));
  TSR_STEP(tsr_device_state_of(device, &state, error));
  const tsr_on_device scope(device);
  TSR_STEP(scope.check(error));
  TSR_CUDA(cudaMalloc(memory, (size_t)bytes), "allocating an array");
  return TSR_OK;
}

void tsr_callers_free(void *memory) { tsr_cuda_drop(cudaFree(memory)); }

tsr_status tsr_callers_wait(int device, void *stream, tsr_error *error) {
  tsr_error ignored;
  error = error ? error : &ignored;
  TSR_STEP(tsr_device_choose(device, &device, error));
  const tsr_on_device scope(device);
  TSR_STEP(scope.check(error));
  TSR_CUDA(cudaStreamSynchronize((cudaStream_t)stream), "waiting for the caller's stream");
  return TSR_OK;
}

tsr_status tsr_caller_lies_on_device(const tsr_execution *execution, const void *array,
                                     int *on_device, tsr_error *error) {
  bool there;
  int device = 0;
  tsr_error ignored;
  error = error ? error : &ignored;
  TSR_STEP(tsr_device_choose(execution->device, &device, error));
  const tsr_on_device scope(device);
  TSR_STEP(scope.check(error));
  TSR_STEP(find_place(device, array, &there, error));
  *on_device = there;
  return TSR_OK;
}
