// SPDX-License-Identifier: BSD-3-Clause
// Points to curves: the fill. Whole tuples are copied, so that types do not matter.
#include "cuda/common/executor.cuh"
#include "cuda/common/transfer/reuse.cuh"
#include "cuda/ordering/plan.cuh"

#include "common/part_math.h"

namespace {

// Curves of more points than this are measured by a warp.
const int64_t LONG_CURVE = 4 * TSR_LENGTH_BLOCK;

template <class Unit>
__device__ void gather(int64_t i, Unit *out, const Unit *in, const int64_t *ids, int units) {
  out[i] = in[ids[i / units] * units + i % units];
}

// A thread a curve, and one more. out: arrays on the device; NULL where they are not wanted.
__device__ void fill_cells(int64_t i, const tsr_curve_list &c, const tsr_ordering_output &out) {
  if (i < c.n)
    tsr_fill_cell(&c, &out, i);
  else
    tsr_fill_last_offsets(&c, &out);
}

// A thread a point: its curve is found by bisection.
__device__ void fill_lines(int64_t p, const tsr_curve_list &c, int64_t *connectivity) {
  const int64_t i = tsr_part_at(c.start, 0, c.n, p);
  if (c.start[i + 1] - c.start[i] > 1)
    connectivity[p - tsr_verts_before(&c, i)] = p;
}

// The sums of blocks are added up in their order, as on the CPU.
__device__ void measure_short(int64_t i, const tsr_curve_list &c, const tsr_array &points,
                              double *length) {
  if (c.start[i + 1] - c.start[i] > LONG_CURVE)
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

  template <class Unit>
  cudaError_t copy_units(void *to, const void *from, const int64_t *ids, int64_t tuples,
                         int64_t bytes) {
    const int units = (int)(bytes / (int64_t)sizeof(Unit));
    return tsr_launch_each<gather<Unit>>(tuples * units, device->stream, (Unit *)to,
                                         (const Unit *)from, ids, units);
  }

  tsr_status copy_tuples(void *to, const void *from, const int64_t *ids, int64_t tuples,
                         int64_t bytes) {
    TSR_CUDA(bytes % 8 == 0   ? copy_units<uint64_t>(to, from, ids, tuples, bytes)
             : bytes % 4 == 0 ? copy_units<uint32_t>(to, from, ids, tuples, bytes)
                              : copy_units<uint8_t>(to, from, ids, tuples, bytes),
             "copying the arrays");
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
    TSR_CUDA(
        tsr_launch_each<measure_short>(all.n, device->stream, all, request->view->points, length),
        "measuring the curves");
    measure_long<<<warps, tsr_policy::block, 0, device->stream>>>(all, request->view->points,
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
  TSR_CUDA(tsr_launch_each<fill_cells>(all.n + 1, device->stream, all, *to), "making the cells");
  if (to->line_connectivity)
    TSR_CUDA(tsr_launch_each<fill_lines>(sizes.points, device->stream, all, to->line_connectivity),
             "making the lines");
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
  tsr_reuse_keep(device->state, request->execution, &f.memory, f.down);
  return TSR_OK;
}
