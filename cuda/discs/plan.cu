// SPDX-License-Identifier: BSD-3-Clause
// The discs go to the device, into their order, and become discs in samples there.
#include "cuda/common/policy.cuh"
#include "cuda/common/sort.cuh"
#include "cuda/common/transfer/transfer.cuh"
#include "cuda/discs/plan.cuh"

namespace {

const int block = tsr_policy::block;

tsr_status check_launch(const tsr_discs_request *request, tsr_error *error) {
  const tsr_discs_launch &e = request->options->launch;
  if (e.strategy != TSR_DISCS_STRATEGY_AUTO && e.strategy != TSR_DISCS_FLAT &&
      e.strategy != TSR_DISCS_AGGREGATED_CHILDREN)
    return tsr_cuda_refuse(error, TSR_BAD_OPTION,
                           "disc images have no launch strategy %d: take Auto, Flat or "
                           "Aggregated Grids",
                           (int)e.strategy);
  TSR_STEP(tsr_check_children(e.child_stream, e.pending_launches, error));
  if (e.launch_threshold < 0)
    return tsr_cuda_refuse(error, TSR_BAD_OPTION,
                           "the launch threshold must not be negative, but is %lld",
                           (long long)e.launch_threshold);
  request->report->child_stream = e.child_stream;
  request->report->strategy = e.strategy == TSR_DISCS_STRATEGY_AUTO ? TSR_DISCS_FLAT : e.strategy;
  return TSR_OK;
}

tsr_status upload(tsr_discs_device *device, const tsr_discs_request *request, tsr_error *error) {
  tsr_discs_input &s = device->scene;
  tsr_array *const views[] = {&s.view.points,  &s.view.radii,     &s.view.colors,
                              &s.view.scalars, &s.view.opacities, &s.view.order};
  std::vector<tsr_array> arrays = {{s.options.table, TSR_DOUBLE, 3, s.options.table_size},
                                   {request->falloff, TSR_DOUBLE, 1, TSR_FALLOFF_STEPS + 1}};
  for (const tsr_array *view : views)
    arrays.push_back(*view);
  std::vector<void *> there(arrays.size());
  TSR_STEP(tsr_upload(device, request->execution, request->report, &device->memory, true, arrays,
                      there.data(), error));
  s.options.table = (const double *)there[0];
  s.falloff = (const double *)there[1];
  for (size_t a = 2; a < there.size(); ++a)
    views[a - 2]->data = there[a];
  return TSR_OK;
}

__global__ void key_kernel(tsr_discs_input scene, uint64_t *keys, uint32_t *points) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < scene.n) {
    keys[i] = tsr_disc_order_key(&scene.view, &scene.options, i);
    points[i] = (uint32_t)i;
  }
}

__global__ void make_kernel(tsr_discs_input scene, tsr_discs_found *found) {
  enum {
    OF_NO_USE = 1 << TSR_DISCS_NOTE_POSITION | 1 << TSR_DISCS_NOTE_RADIUS |
                1 << TSR_DISCS_NOTE_ZERO | 1 << TSR_DISCS_NOTE_OPACITY
  };
  const int64_t rank = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  int inside = 0, outside = 0;
  if (rank < scene.n) {
    const int64_t point = scene.order ? scene.order[rank] : rank;
    tsr_disc disc;
    tsr_disc_fate fate;
    tsr_disc_make(&scene.view, &scene.options, &scene.rules, point, &disc, &fate);
    inside = fate.drawn;
    outside = !fate.drawn && !(fate.notes & OF_NO_USE);
    if (inside)
      scene.discs[rank] = disc;
    scene.boxes[rank] = inside ? make_int4(fate.box[0], fate.box[1], fate.box[2], fate.box[3])
                               : make_int4(0, -1, 0, -1);
    for (int k = 0; fate.notes >> k; ++k)
      if (fate.notes >> k & 1) {
        atomicAdd(&found->count[k], 1ull);
        atomicMin(&found->first[k], (unsigned long long)point);
      }
  }
  inside = __syncthreads_count(inside);
  outside = __syncthreads_count(outside);
  if (threadIdx.x == 0) {
    atomicAdd(&found->inside, (unsigned long long)inside);
    atomicAdd(&found->outside, (unsigned long long)outside);
  }
}

tsr_status order_discs(tsr_discs_device *device, tsr_error *error) {
  tsr_discs_input &s = device->scene;
  uint64_t *keys[2];
  uint32_t *points[2];
  if (s.options.order == TSR_DISCS_BY_INDEX || s.n == 0)
    return TSR_OK;
  for (int k = 0; k < 2; ++k) {
    TSR_STEP(device->memory.get(&keys[k], s.n, "the order of the discs", error));
    TSR_STEP(device->memory.get(&points[k], s.n, "the order of the discs", error));
  }
  key_kernel<<<tsr_blocks(s.n, block), block, 0, device->stream>>>(s, keys[0], points[0]);
  TSR_CUDA(cudaGetLastError(), "ordering the discs");
  TSR_STEP(tsr_sort_pairs(keys, points, s.n, 0, 64, &device->memory, error));
  s.order = points[0];
  for (void *done : {(void *)keys[0], (void *)keys[1], (void *)points[1]})
    device->memory.free_one(done);
  return TSR_OK;
}

tsr_status make_discs(tsr_discs_device *device, const tsr_discs_request *request,
                      tsr_error *error) {
  tsr_discs_input &s = device->scene;
  tsr_discs_found found = {}, *found_d;
  for (unsigned long long &first : found.first)
    first = ~0ull;
  TSR_STEP(device->memory.get(&s.discs, s.n, "the discs", error));
  TSR_STEP(device->memory.get(&s.boxes, s.n, "the boxes of the discs", error));
  TSR_STEP(device->memory.get(&found_d, 1, "the notes", error));
  TSR_CUDA(cudaMemcpyAsync(found_d, &found, sizeof found, cudaMemcpyHostToDevice, device->stream),
           "making the discs");
  TSR_CUDA(cudaEventRecord(device->begin, device->stream), "making the discs");
  TSR_STEP(order_discs(device, error));
  if (s.n > 0) {
    make_kernel<<<tsr_blocks(s.n, block), block, 0, device->stream>>>(s, found_d);
    TSR_CUDA(cudaGetLastError(), "making the discs");
  }
  TSR_CUDA(cudaEventRecord(device->end, device->stream), "making the discs");
  TSR_CUDA(cudaMemcpyAsync(&found, found_d, sizeof found, cudaMemcpyDeviceToHost, device->stream),
           "making the discs");
  TSR_CUDA(cudaStreamSynchronize(device->stream), "making the discs");
  device->memory.free_one(found_d);
  request->sizes->inside = (int64_t)found.inside;
  request->sizes->outside = (int64_t)found.outside;
  for (int k = 0; k < TSR_DISCS_NOTES; ++k) {
    request->sizes->notes[k].count = (int64_t)found.count[k];
    request->sizes->notes[k].first = found.count[k] > 0 ? (int64_t)found.first[k] : -1;
  }
  return TSR_OK;
}

tsr_status make_scene(tsr_discs_device *device, const tsr_discs_request *request,
                      tsr_error *error) {
  tsr_discs_input &s = device->scene;
  s.view = *request->view;
  s.options = *request->options;
  s.rules = *request->rules;
  s.n = request->view->points.tuples;
  s.tiles[0] = (s.rules.width + tsr_discs_tile - 1) / tsr_discs_tile;
  s.tiles[1] = (s.rules.height + tsr_discs_tile - 1) / tsr_discs_tile;
  TSR_STEP(upload(device, request, error));
  TSR_STEP(make_discs(device, request, error));
  tsr_note_work(*device, request->report);
  if (tsr_cuda_stopped(request->execution, 0.4))
    return tsr_cuda_refuse(error, TSR_ABORTED, "stopped while the discs were made");
  return TSR_OK;
}

tsr_status draw(tsr_discs_device *device, const tsr_discs_request *request, uint8_t *rgba,
                int64_t *top, tsr_error *error) {
  tsr_discs_pairs pairs = {};
  int made = 0;
  TSR_CUDA(cudaEventRecord(device->begin, device->stream), "drawing the discs");
  if (request->options->launch.strategy != TSR_DISCS_STRATEGY_AUTO ||
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

tsr_status tsr_discs_cuda_open(const tsr_discs_request *request, tsr_discs_device **made,
                               tsr_error *error) {
  const auto fill = [request](tsr_discs_device *device, tsr_error *why) {
    return make_scene(device, request, why);
  };
  TSR_STEP(check_launch(request, error));
  return tsr_open_plan(*request->execution, request->report, fill, tsr_discs_cuda_close, made,
                       error);
}

tsr_status tsr_discs_cuda_fill(tsr_discs_device *device, const tsr_discs_request *request,
                               const tsr_discs_output *output, tsr_error *error) {
  const tsr_on_device scope(device->state->device);
  TSR_STEP(scope.check(error));
  const int64_t pixels = request->sizes->pixels;
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

void tsr_discs_cuda_close(tsr_discs_device *device) {
  const tsr_on_device scope(device->state->device);
  tsr_opened_stop(device);
  delete device;
}
