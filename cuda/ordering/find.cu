// SPDX-License-Identifier: BSD-3-Clause
// From sorted points to curves: repeats, cuts, singles, and places by prefix sums.
#include "cuda/ordering/plan.cuh"

namespace {

// All of it is 0 at first.
struct totals {
  unsigned long long repeats, cuts, singles_dropped;
};

// A thread for each point; one where a run starts decides the whole run, however long it is.
__global__ void find_repeats(tsr_finder f) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < f.n && tsr_starts_run(&f, i))
    tsr_find_repeats(&f, i);
}

__global__ void find_cuts(tsr_finder f) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < f.n)
    tsr_flag_cut(&f, i);
}

// points, curves, verts: 1 where the point is kept, begins a curve, is all of its curve.
__global__ void count_points(tsr_finder f, int64_t *points, int64_t *curves, int64_t *verts,
                             totals *all) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= f.n)
    return;
  int gone;
  const int is = tsr_what_is(&f, i, &gone);
  f.is[i] = (uint8_t)is;
  points[i] = (is & TSR_IS_KEPT) != 0;
  curves[i] = (is & TSR_IS_FIRST) != 0;
  verts[i] = (is & TSR_IS_ALONE) != 0;
  if (f.flags[i] & TSR_FLAG_DROPPED)
    atomicAdd(&all->repeats, 1ull);
  if (f.flags[i] & TSR_FLAG_CUT)
    atomicAdd(&all->cuts, 1ull);
  if (gone)
    atomicAdd(&all->singles_dropped, 1ull);
}

// points, curves, verts: the sums of what count_points made.
__global__ void place_points(tsr_finder f, const int64_t *points, const int64_t *curves,
                             const int64_t *verts, tsr_curve_list to) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0)
    to.start[to.n] = points[f.n];
  if (i < f.n)
    tsr_place_point(&f, &to, i, points[i], curves[i], verts[i]);
}

tsr_finder finder_of(const tsr_ordering_device *device, const tsr_ordering_request *request,
                     uint8_t *bytes) {
  tsr_finder f;
  f.points = device->view.points;
  f.order = device->view.order;
  f.options = *request->options;
  f.n = device->n;
  f.sorted = device->sorted;
  f.flags = device->flags;
  f.repeats = request->options->drop_repeats ? bytes : nullptr;
  f.is = bytes + device->n;
  return f;
}

// Reads the totals of the sums.
tsr_status read_sizes(tsr_ordering_device *device, const int64_t *const sums[3], const totals *all,
                      tsr_ordering_sizes *sizes, tsr_error *error) {
  int64_t last[3];
  totals found;
  for (int k = 0; k < 3; ++k)
    TSR_CUDA(cudaMemcpyAsync(&last[k], sums[k] + device->n, sizeof last[k], cudaMemcpyDeviceToHost,
                             device->stream),
             "reading the sizes");
  TSR_CUDA(cudaMemcpyAsync(&found, all, sizeof found, cudaMemcpyDeviceToHost, device->stream),
           "reading the sizes");
  TSR_CUDA(cudaStreamSynchronize(device->stream), "finding the curves");
  sizes->points = last[0];
  sizes->verts = last[2];
  sizes->lines = last[1] - last[2];
  sizes->repeats = (int64_t)found.repeats;
  sizes->cuts = (int64_t)found.cuts;
  sizes->singles_dropped = (int64_t)found.singles_dropped;
  return TSR_OK;
}

} // namespace

tsr_status tsr_ordering_cuda_find(tsr_ordering_device *device, const tsr_ordering_request *request,
                                  tsr_error *error) {
  const unsigned blocks = tsr_blocks(device->n, TSR_ORDERING_BLOCK);
  const tsr_finder f =
      finder_of(device, request, (uint8_t *)device->words[0]); // 8 n bytes to spare
  int64_t *sums[3];
  totals *all;
  for (int64_t *&one : sums)
    TSR_STEP(device->memory.get(&one, device->n + 1, "the places of points", error));
  TSR_STEP(device->memory.get(&all, 1, "the sizes", error));
  TSR_CUDA(cudaMemsetAsync(all, 0, sizeof *all, device->stream), "finding the curves");
  if (f.repeats)
    find_repeats<<<blocks, TSR_ORDERING_BLOCK, 0, device->stream>>>(f);
  TSR_CUDA(cudaGetLastError(), "finding repeats");
  find_cuts<<<blocks, TSR_ORDERING_BLOCK, 0, device->stream>>>(f);
  TSR_CUDA(cudaGetLastError(), "finding cuts");
  count_points<<<blocks, TSR_ORDERING_BLOCK, 0, device->stream>>>(f, sums[0], sums[1], sums[2],
                                                                  all);
  TSR_CUDA(cudaGetLastError(), "counting the points");
  for (int64_t *one : sums)
    TSR_STEP(tsr_scan_counts(one, device->n, &device->memory, device->stream, error));
  TSR_STEP(read_sizes(device, sums, all, request->sizes, error));
  tsr_curve_list *const to = &device->curves;
  to->verts = request->sizes->verts;
  to->n = request->sizes->verts + request->sizes->lines;
  TSR_STEP(device->memory.get(&to->point_ids, request->sizes->points, "the points", error));
  TSR_STEP(device->memory.get(&to->start, to->n + 1, "the curves", error));
  TSR_STEP(device->memory.get(&to->cell, to->n, "the curves", error));
  place_points<<<blocks, TSR_ORDERING_BLOCK, 0, device->stream>>>(f, sums[0], sums[1], sums[2],
                                                                  *to);
  TSR_CUDA(cudaGetLastError(), "placing the points");
  for (int64_t *one : sums)
    device->memory.free_one(one);
  device->memory.free_one(all);
  return TSR_OK;
}
