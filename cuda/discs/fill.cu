// SPDX-License-Identifier: BSD-3-Clause
// The fill of disc images on the device.
#include "cuda/common/policy.cuh"
#include "cuda/common/transfer/transfer.cuh"
#include "cuda/discs/plan.cuh"

namespace {

tsr_status draw(tsr_discs_device *device, const tsr_discs_request *request, uint8_t *rgba,
                int64_t *top, tsr_error *error) {
  tsr_discs_pairs pairs = {};
  int made = 0;
  TSR_CUDA(cudaEventRecord(device->begin, device->stream), "drawing the discs");
  if (request->list->options.launch.strategy != TSR_DISCS_STRATEGY_AUTO ||
      device->scene.n * device->scene.tiles[0] * device->scene.tiles[1] > tsr_policy::most_looks)
    TSR_STEP(tsr_discs_bin_pairs(device, request, &pairs, &made, error));
  TSR_STEP(tsr_discs_draw(device, made ? &pairs : nullptr, rgba, top, error));
  TSR_CUDA(cudaEventRecord(device->end, device->stream), "drawing the discs");
  TSR_CUDA(cudaStreamSynchronize(device->stream), "drawing the discs");
  tsr_note_work(*device, request->report);
  for (void *memory :
       {(void *)pairs.first, (void *)pairs.tiles, (void *)pairs.ranks, (void *)pairs.begin})
    if (memory)
      device->memory.free_one(memory);
  return TSR_OK;
}

} // namespace

tsr_status tsr_discs_cuda_fill(tsr_discs_device *device, const tsr_discs_request *request,
                               const tsr_discs_output *output, tsr_error *error) {
  const tsr_on_device scope(device->state->device);
  TSR_STEP(scope.check(error));
  const int64_t pixels = request->sizes->pixels;
  tsr_discs_input &s = device->scene;
  static_cast<tsr_disc_list &>(s) = *request->list;
  s.n = request->sizes->discs;
  s.tiles[0] = (s.rules.width + tsr_discs_tile - 1) / tsr_discs_tile;
  s.tiles[1] = (s.rules.height + tsr_discs_tile - 1) / tsr_discs_tile;
  uint8_t *rgba = nullptr;
  int64_t *top = nullptr;
  std::vector<tsr_copy> copies;
  if (output->rgba) {
    TSR_STEP(device->memory.get(&rgba, 4 * pixels, "the image", error));
    copies.push_back({output->rgba, rgba, (size_t)(4 * pixels)});
  }
  if (output->top) {
    TSR_STEP(device->memory.get(&top, pixels, "the topmost points", error));
    copies.push_back({output->top, top, (size_t)pixels * sizeof *top});
  }
  TSR_STEP(draw(device, request, rgba, top, error));
  const double start = tsr_cuda_now(request->execution);
  TSR_STEP(tsr_transfer_down(device->state, request->execution, copies, nullptr, 0.8, 1.0, error));
  request->report->download_seconds += tsr_cuda_now(request->execution) - start;
  if (rgba)
    device->memory.free_one(rgba);
  if (top)
    device->memory.free_one(top);
  return TSR_OK;
}
