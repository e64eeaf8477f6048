// SPDX-License-Identifier: BSD-3-Clause
// Points to curves: the fill. Whole tuples are copied, so that types do not matter.
#include "cuda/ordering/plan.cuh"

#include "common/part_math.h"

namespace {

// Curves of more points than this are measured by a warp.
const int64_t LONG_CURVE = 4 * TSR_LENGTH_BLOCK;

template <class Unit>
__global__ void gather(Unit *out, const Unit *in, const int64_t *ids, int64_t tuples, int units) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < tuples * units)
    out[i] = in[ids[i / units] * units + i % units];
}

// A thread a curve. out: arrays on the device; NULL where they are not wanted.
__global__ void fill_cells(tsr_curve_list c, tsr_ordering_output out) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < c.n)
    tsr_fill_cell(&c, &out, i);
  else if (i == c.n)
    tsr_fill_last_offsets(&c, &out);
}

// A thread a point: its curve is found by bisection.
__global__ void fill_lines(tsr_curve_list c, int64_t points, int64_t *connectivity) {
  const int64_t p = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= points)
    return;
  const int64_t i = tsr_part_at(c.start, 0, c.n, p);
  if (c.start[i + 1] - c.start[i] > 1)
    connectivity[p - tsr_verts_before(&c, i)] = p;
}

// The sums of blocks are added up in their order, as on the CPU.
__global__ void measure_short(tsr_curve_list c, tsr_array points, double *length) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= c.n || c.start[i + 1] - c.start[i] > LONG_CURVE)
    return;
  const int64_t begin = c.start[i], end = c.start[i + 1];
  double sum = 0.0;
  for (int64_t block = 0; block * TSR_LENGTH_BLOCK < end - 1 - begin; ++block)
    sum += tsr_block_length(&points, c.point_ids, begin, end, block);
  length[c.cell[i]] = sum;
}

__global__ void measure_long(tsr_curve_list c, tsr_array points, double *length) {
  const int64_t lane = threadIdx.x % 32;
  const int64_t warps = (int64_t)gridDim.x * (blockDim.x / 32);
  for (int64_t i = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / 32; i < c.n; i += warps) {
    const int64_t begin = c.start[i], end = c.start[i + 1];
    double sum = 0.0;
    if (end - begin <= LONG_CURVE)
      continue;
    for (int64_t block = 0; block * TSR_LENGTH_BLOCK < end - 1 - begin; block += 32) {
      const double mine = tsr_block_length(&points, c.point_ids, begin, end, block + lane);
      for (int k = 0; k < 32; ++k)
        sum += __shfl_sync(~0u, mine, k);
    }
    if (lane == 0)
      length[c.cell[i]] = sum;
  }
}

// One call of fill: its memory is freed at the end.
struct filler {
  tsr_ordering_device *device;
  const tsr_ordering_request *request;
  tsr_error *error;
  tsr_memory memory;
  std::vector<tsr_copy> down;
  tsr_curve_list all;

  // Device memory for an output, which goes to the host in the end; NULL where it is not wanted.
  template <class T>
  tsr_status out(T **pointer, void *host, int64_t count, int64_t size, const char *what) {
    *pointer = nullptr;
    if (!host || count == 0)
      return TSR_OK;
    TSR_STEP(memory.get((void **)pointer, count, (size_t)size, what, error));
    down.push_back({host, *pointer, (size_t)(count * size)});
    return TSR_OK;
  }

  unsigned blocks(int64_t n) const { return tsr_blocks(n, TSR_ORDERING_BLOCK); }

  tsr_status copy_tuples(void *to, const void *from, const int64_t *ids, int64_t tuples,
                         int64_t bytes) {
    if (bytes % 8 == 0)
      gather<<<blocks(tuples * bytes / 8), TSR_ORDERING_BLOCK, 0, device->stream>>>(
          (uint64_t *)to, (const uint64_t *)from, ids, tuples, (int)(bytes / 8));
    else if (bytes % 4 == 0)
      gather<<<blocks(tuples * bytes / 4), TSR_ORDERING_BLOCK, 0, device->stream>>>(
          (uint32_t *)to, (const uint32_t *)from, ids, tuples, (int)(bytes / 4));
    else
      gather<<<blocks(tuples * bytes), TSR_ORDERING_BLOCK, 0, device->stream>>>(
          (uint8_t *)to, (const uint8_t *)from, ids, tuples, (int)bytes);
    TSR_CUDA(cudaGetLastError(), "copying the arrays");
    return TSR_OK;
  }

  tsr_status points(const tsr_ordering_output *output);
  tsr_status cells(const tsr_ordering_output *output, tsr_ordering_output *to);
  tsr_status attribute(const tsr_ordering_attribute &one, const tsr_ordering_output &cells);
};

int64_t tuple_bytes(const tsr_array &array) {
  return (int64_t)tsr_type_size(array.type) * array.components;
}

tsr_status filler::points(const tsr_ordering_output *output) {
  const int64_t n = request->sizes->points, bytes = tuple_bytes(request->view->points);
  void *to;
  double *length;
  if (output->point_ids)
    down.push_back({output->point_ids, all.point_ids, (size_t)n * sizeof(int64_t)});
  TSR_STEP(out(&to, output->points, n, bytes, "the points"));
  if (to)
    TSR_STEP(copy_tuples(to, request->view->points.data, all.point_ids, n, bytes));
  TSR_STEP(out(&length, output->length, all.n, sizeof *length, "the lengths"));
  if (length) {
    const unsigned warps = (unsigned)device->state->properties.multiProcessorCount * 8;
    measure_short<<<blocks(all.n), TSR_ORDERING_BLOCK, 0, device->stream>>>(
        all, request->view->points, length);
    measure_long<<<warps, TSR_ORDERING_BLOCK, 0, device->stream>>>(all, request->view->points,
                                                                   length);
    TSR_CUDA(cudaGetLastError(), "measuring the curves");
  }
  return TSR_OK;
}

// The cells, with the input points at their ends, which attributes need.
tsr_status filler::cells(const tsr_ordering_output *output, tsr_ordering_output *to) {
  const tsr_ordering_sizes &sizes = *request->sizes;
  const int64_t one = sizeof(int64_t), lines = sizes.points - sizes.verts;
  TSR_STEP(memory.get(&to->first_ids, all.n, "the ends of curves", error));
  TSR_STEP(memory.get(&to->last_ids, all.n, "the ends of curves", error));
  if (output->first_ids)
    down.push_back({output->first_ids, to->first_ids, (size_t)(all.n * one)});
  if (output->last_ids)
    down.push_back({output->last_ids, to->last_ids, (size_t)(all.n * one)});
  TSR_STEP(out(&to->vert_offsets, output->vert_offsets, sizes.verts + 1, one, "the vertices"));
  TSR_STEP(
      out(&to->vert_connectivity, output->vert_connectivity, sizes.verts, one, "the vertices"));
  TSR_STEP(out(&to->line_offsets, output->line_offsets, sizes.lines + 1, one, "the lines"));
  TSR_STEP(out(&to->line_connectivity, output->line_connectivity, lines, one, "the lines"));
  fill_cells<<<blocks(all.n + 1), TSR_ORDERING_BLOCK, 0, device->stream>>>(all, *to);
  TSR_CUDA(cudaGetLastError(), "making the cells");
  if (to->line_connectivity)
    fill_lines<<<blocks(sizes.points), TSR_ORDERING_BLOCK, 0, device->stream>>>(
        all, sizes.points, to->line_connectivity);
  TSR_CUDA(cudaGetLastError(), "making the lines");
  return TSR_OK;
}

tsr_status filler::attribute(const tsr_ordering_attribute &one, const tsr_ordering_output &cells) {
  const int64_t bytes = tuple_bytes(one.in);
  const int at_points = one.place == TSR_AT_POINTS;
  const int64_t tuples = at_points ? request->sizes->points : all.n;
  void *in, *to;
  TSR_STEP(tsr_upload(device, request->execution, request->report, &memory, false, {one.in}, &in,
                      error));
  TSR_STEP(out(&to, one.out, tuples, bytes, "an array"));
  if (to)
    TSR_STEP(copy_tuples(to, in,
                         at_points                  ? all.point_ids
                         : one.place == TSR_AT_LAST ? cells.last_ids
                                                    : cells.first_ids,
                         tuples, bytes));
  memory.free_one(in); // not one of the view's: that is in the plan's memory
  return TSR_OK;
}

} // namespace

tsr_status tsr_ordering_cuda_fill(tsr_ordering_device *device, const tsr_ordering_request *request,
                                  const tsr_ordering_output *output, tsr_error *error) {
  const tsr_on_device scope(device->state->device);
  TSR_STEP(scope.check(error));
  filler f;
  f.device = device;
  f.request = request;
  f.error = error;
  f.memory.use(device->state, device->stream);
  f.all = *request->curves;
  tsr_ordering_output to = {};
  if (f.all.n > 0)
    TSR_STEP(f.points(output));
  TSR_STEP(f.cells(output, &to));
  for (int a = 0; a < output->n_attributes && f.all.n > 0; ++a)
    TSR_STEP(f.attribute(output->attributes[a], to));
  TSR_CUDA(cudaStreamSynchronize(device->stream), "filling the curves");
  const double start = tsr_cuda_now(request->execution);
  TSR_STEP(tsr_transfer_down(device->state, request->execution, f.down, nullptr, 0.4, 1.0, error));
  request->report->download_seconds += tsr_cuda_now(request->execution) - start;
  return TSR_OK;
}
