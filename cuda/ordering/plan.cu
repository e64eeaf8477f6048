// SPDX-License-Identifier: BSD-3-Clause
// The plan of points to curves on the device, from the upload to the curves.
#include "cuda/ordering/plan.cuh"

namespace {

// Uploads the view's arrays. They stay on the device, since the fill copies from them.
tsr_status upload_view(tsr_ordering_device *device, const tsr_ordering_request *request,
                       tsr_error *error) {
  tsr_array *const arrays[] = {&device->view.points, &device->view.group, &device->view.order};
  void *to[3];
  device->view = *request->view;
  for (tsr_array *array : arrays)
    if (array->components == 0)
      array->data = nullptr;
  TSR_STEP(tsr_upload(device, request->execution, request->report, &device->memory, true,
                      {*arrays[0], *arrays[1], *arrays[2]}, to, error));
  for (int k = 0; k < 3; ++k)
    arrays[k]->data = to[k];
  return TSR_OK;
}

// Everything that needs the device's memory and stream.
tsr_status open_on(tsr_ordering_device *device, const tsr_ordering_request *request,
                   tsr_error *error) {
  device->n = request->view->points.tuples;
  TSR_STEP(upload_view(device, request, error));
  if (device->n == 0)
    return TSR_OK;
  TSR_CUDA(cudaEventRecord(device->begin, device->stream), "sorting the points");
  TSR_STEP(tsr_ordering_cuda_sort(device, request, error));
  TSR_STEP(tsr_ordering_cuda_find(device, request, error));
  TSR_CUDA(cudaEventRecord(device->end, device->stream), "finding the curves");
  TSR_CUDA(cudaStreamSynchronize(device->stream), "finding the curves");
  for (void *done : {(void *)device->words[0], (void *)device->words[1], (void *)device->sorted,
                     (void *)device->flags})
    device->memory.free_one(done);
  tsr_note_work(*device, request->report);
  return TSR_OK;
}

} // namespace

tsr_status tsr_ordering_cuda_open(const tsr_ordering_request *request, tsr_ordering_device **made,
                                  tsr_error *error) {
  const auto fill = [request](tsr_ordering_device *device, tsr_error *error) {
    return open_on(device, request, error);
  };
  return tsr_open_plan(*request->execution, request->report, fill, tsr_ordering_cuda_close, made,
                       error);
}

void tsr_ordering_cuda_close(tsr_ordering_device *device) {
  const tsr_on_device scope(device->state->device);
  tsr_opened_stop(device);
  delete device;
}
