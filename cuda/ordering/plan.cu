// SPDX-License-Identifier: BSD-3-Clause
// The plan of points to curves on the device, from the upload to the curves.
#include "cuda/ordering/plan.cuh"

#include <cstdio>
#include <new>

namespace {

double now(const tsr_execution *execution) { return execution->clock ? execution->clock() : 0.0; }

tsr_status upload(tsr_ordering_device *device, const tsr_array &from, tsr_array *to,
                  std::vector<tsr_copy> *copies, tsr_error *error) {
  const int64_t bytes = (int64_t)tsr_type_size(from.type) * from.components * from.tuples;
  void *data = nullptr;
  *to = from;
  if (from.components == 0)
    return TSR_OK;
  TSR_STEP(device->memory.get(&data, bytes, 1, "the input", error));
  to->data = data;
  if (bytes > 0)
    copies->push_back({data, from.data, (size_t)bytes});
  return TSR_OK;
}

// Everything that needs the device's memory and stream.
tsr_status open_on(tsr_ordering_device *device, const tsr_ordering_job *job, tsr_error *error) {
  const double start = now(job->execution);
  std::vector<tsr_copy> copies;
  uint64_t zero = 0, high = 0;
  float milliseconds = 0.0f;
  TSR_CUDA(cudaStreamCreateWithFlags(&device->stream, cudaStreamNonBlocking), "making a stream");
  TSR_CUDA(cudaEventCreate(&device->begin), "making an event");
  TSR_CUDA(cudaEventCreate(&device->end), "making an event");
  device->memory.use(device->state, device->stream);
  cudaMemPoolSetAttribute(device->state->pool, cudaMemPoolAttrUsedMemHigh, &zero);
  TSR_STEP(upload(device, job->view->points, &device->points, &copies, error));
  TSR_STEP(upload(device, job->view->group, &device->group, &copies, error));
  TSR_STEP(upload(device, job->view->order, &device->order, &copies, error));
  TSR_CUDA(cudaStreamSynchronize(device->stream), "allocating the input");
  TSR_STEP(tsr_transfer_up(device->state, job->execution, copies, error));
  job->report->upload_seconds += now(job->execution) - start;
  if (device->n == 0)
    return TSR_OK;
  TSR_CUDA(cudaEventRecord(device->begin, device->stream), "sorting the points");
  TSR_STEP(tsr_ordering_cuda_sort(device, job, error));
  TSR_STEP(tsr_ordering_cuda_find(device, job, error));
  TSR_CUDA(cudaEventRecord(device->end, device->stream), "finding the curves");
  TSR_CUDA(cudaStreamSynchronize(device->stream), "finding the curves");
  for (void *done : {(void *)device->words, (void *)device->scratch, (void *)device->sorted,
                     (void *)device->flags})
    device->memory.free_one(done);
  if (cudaEventElapsedTime(&milliseconds, device->begin, device->end) == cudaSuccess)
    job->report->device_seconds = 1e-3 * (double)milliseconds;
  if (cudaMemPoolGetAttribute(device->state->pool, cudaMemPoolAttrUsedMemHigh, &high) ==
      cudaSuccess)
    job->report->device_peak_bytes = (int64_t)high;
  return TSR_OK;
}

void close_device(tsr_ordering_device *device) {
  const tsr_on_device scope(device->state->device);
  device->memory.free_all();
  if (device->stream) {
    cudaStreamSynchronize(device->stream);
    cudaStreamDestroy(device->stream);
  }
  if (device->begin)
    cudaEventDestroy(device->begin);
  if (device->end)
    cudaEventDestroy(device->end);
  cudaGetLastError();
  delete device;
}

tsr_status open_device(const tsr_ordering_job *job, tsr_ordering_device **made, tsr_error *error) {
  tsr_device_state *state;
  int index = 0;
  const tsr_strategy strategy = job->execution->strategy;
  if (strategy != TSR_STRATEGY_AUTO && strategy != TSR_STRATEGY_FLAT)
    return tsr_cuda_refuse(error, TSR_BAD_OPTION,
                           "the launch strategy %d is none for points: take Auto or Flat",
                           (int)strategy);
  TSR_STEP(tsr_device_choose(job->execution->device, &index, error));
  TSR_STEP(tsr_device_state_of(index, &state, error));
  const tsr_on_device scope(index);
  tsr_ordering_device *device = new (std::nothrow) tsr_ordering_device();
  if (!device)
    return tsr_cuda_refuse(error, TSR_NO_MEMORY, "there is no memory for the plan");
  device->state = state;
  device->n = job->view->points.tuples;
  job->report->strategy = TSR_STRATEGY_FLAT;
  job->report->device = index;
  snprintf(job->report->device_name, sizeof job->report->device_name, "%.127s",
           state->properties.name);
  const tsr_status status = open_on(device, job, error);
  if (status != TSR_OK) {
    close_device(device);
    return status;
  }
  *made = device;
  return TSR_OK;
}

} // namespace

const tsr_ordering_backend *tsr_ordering_cuda_backend(void) {
  static const tsr_ordering_backend backend = {open_device, tsr_ordering_cuda_fill, close_device};
  return &backend;
}
