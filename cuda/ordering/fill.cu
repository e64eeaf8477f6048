// SPDX-License-Identifier: BSD-3-Clause
// Points to curves: the fill. Whole tuples are copied, so that types do not matter.
#include "cuda/ordering/plan.cuh"

#include "common/part_math.h"

namespace {

// Curves of more points than this are measured by a warp.
const int64_t LONG_CURVE = 4 * TSR_LENGTH_BLOCK;

// The curves, as kernels see them.
struct curves {
  int64_t n, verts;
  const int64_t *start, *cell, *point_ids;
};

template <class Unit>
__global__ void gather(Unit *out, const Unit *in, const int64_t *ids, int64_t tuples, int units) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < tuples * units)
    out[i] = in[ids[i / units] * units + i % units];
}

__global__ void fill_ends(curves c, int64_t *first, int64_t *last) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= c.n)
    return;
  first[c.cell[i]] = c.point_ids[c.start[i]];
  last[c.cell[i]] = c.point_ids[c.start[i + 1] - 1];
}

// NULL outputs are not wanted.
__global__ void fill_cells(curves c, int64_t *vert_offsets, int64_t *verts, int64_t *line_offsets) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i > c.n)
    return;
  const int64_t begin = c.start[i];
  if (i == c.n) {
    if (vert_offsets)
      vert_offsets[c.verts] = c.verts;
    if (line_offsets)
      line_offsets[c.n - c.verts] = begin - c.verts;
  } else if (c.start[i + 1] - begin == 1) {
    if (vert_offsets)
      vert_offsets[c.cell[i]] = c.cell[i];
    if (verts)
      verts[c.cell[i]] = begin;
  } else if (line_offsets) {
    const int64_t line = c.cell[i] - c.verts;
    line_offsets[line] = begin - (i - line);
  }
}

// A thread a point: its curve is found by bisection.
__global__ void fill_lines(curves c, int64_t points, int64_t *connectivity) {
  const int64_t p = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= points)
    return;
  const int64_t i = tsr_part_at(c.start, 0, c.n, p);
  if (c.start[i + 1] - c.start[i] > 1)
    connectivity[p - (i - (c.cell[i] - c.verts))] = p;
}

// Length of the segments that end in the points (begin, end).
__device__ double block_length(const tsr_array &points, const int64_t *ids, int64_t begin,
                               int64_t end) {
  double sum = 0.0;
  tsr_place before = tsr_place_of(&points, ids[begin]);
  for (int64_t i = begin + 1; i < end; ++i) {
    const tsr_place here = tsr_place_of(&points, ids[i]);
    sum += tsr_step(&before, &here);
    before = here;
  }
  return sum;
}

__device__ double length_of_block(const curves &c, const tsr_array &points, int64_t begin,
                                  int64_t end, int64_t block) {
  const int64_t first = begin + block * TSR_LENGTH_BLOCK;
  const int64_t last = first + TSR_LENGTH_BLOCK + 1;
  return first < end - 1 ? block_length(points, c.point_ids, first, last < end ? last : end) : 0.0;
}

// The sums of blocks are added up in their order, as on the CPU.
__global__ void measure_short(curves c, tsr_array points, double *length) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= c.n || c.start[i + 1] - c.start[i] > LONG_CURVE)
    return;
  const int64_t begin = c.start[i], end = c.start[i + 1];
  double sum = 0.0;
  for (int64_t block = 0; block * TSR_LENGTH_BLOCK < end - 1 - begin; ++block)
    sum += length_of_block(c, points, begin, end, block);
  length[c.cell[i]] = sum;
}

__global__ void measure_long(curves c, tsr_array points, double *length) {
  const int64_t lane = threadIdx.x % 32;
  const int64_t warps = (int64_t)gridDim.x * (blockDim.x / 32);
  for (int64_t i = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / 32; i < c.n; i += warps) {
    const int64_t begin = c.start[i], end = c.start[i + 1];
    double sum = 0.0;
    if (end - begin <= LONG_CURVE)
      continue;
    for (int64_t block = 0; block * TSR_LENGTH_BLOCK < end - 1 - begin; block += 32) {
      const double mine = length_of_block(c, points, begin, end, block + lane);
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
  curves all;

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
  tsr_status cells(const tsr_ordering_output *output);
  tsr_status ends(int64_t **first, int64_t **last);
  tsr_status attribute(const tsr_ordering_attribute &one, const int64_t *first,
                       const int64_t *last);
  tsr_status attributes(const tsr_ordering_output *output, const int64_t *first,
                        const int64_t *last);
};

int64_t tuple_bytes(const tsr_array &array) {
  return (int64_t)tsr_type_size(array.type) * array.components;
}

tsr_status filler::points(const tsr_ordering_output *output) {
  const int64_t n = request->sizes->points, bytes = tuple_bytes(device->points);
  void *to;
  double *length;
  if (output->point_ids)
    down.push_back({output->point_ids, device->point_ids, (size_t)n * sizeof(int64_t)});
  TSR_STEP(out(&to, output->points, n, bytes, "the points"));
  if (to)
    TSR_STEP(copy_tuples(to, device->points.data, device->point_ids, n, bytes));
  TSR_STEP(out(&length, output->length, all.n, sizeof *length, "the lengths"));
  if (length) {
    const unsigned warps = (unsigned)device->state->properties.multiProcessorCount * 8;
    measure_short<<<blocks(all.n), TSR_ORDERING_BLOCK, 0, device->stream>>>(all, device->points,
                                                                            length);
    measure_long<<<warps, TSR_ORDERING_BLOCK, 0, device->stream>>>(all, device->points, length);
    TSR_CUDA(cudaGetLastError(), "measuring the curves");
  }
  return TSR_OK;
}

tsr_status filler::cells(const tsr_ordering_output *output) {
  const tsr_ordering_sizes &sizes = *request->sizes;
  const int64_t one = sizeof(int64_t);
  int64_t *vert_offsets, *verts, *line_offsets, *lines;
  TSR_STEP(out(&vert_offsets, output->vert_offsets, sizes.verts + 1, one, "the vertices"));
  TSR_STEP(out(&verts, output->vert_connectivity, sizes.verts, one, "the vertices"));
  TSR_STEP(out(&line_offsets, output->line_offsets, sizes.lines + 1, one, "the lines"));
  TSR_STEP(out(&lines, output->line_connectivity, sizes.points - sizes.verts, one, "the lines"));
  if (vert_offsets || verts || line_offsets)
    fill_cells<<<blocks(all.n + 1), TSR_ORDERING_BLOCK, 0, device->stream>>>(all, vert_offsets,
                                                                             verts, line_offsets);
  if (lines)
    fill_lines<<<blocks(sizes.points), TSR_ORDERING_BLOCK, 0, device->stream>>>(all, sizes.points,
                                                                                lines);
  TSR_CUDA(cudaGetLastError(), "making the cells");
  return TSR_OK;
}

// The input points at the ends of each cell.
tsr_status filler::ends(int64_t **first, int64_t **last) {
  TSR_STEP(memory.get(first, all.n, "the ends of curves", error));
  TSR_STEP(memory.get(last, all.n, "the ends of curves", error));
  fill_ends<<<blocks(all.n), TSR_ORDERING_BLOCK, 0, device->stream>>>(all, *first, *last);
  TSR_CUDA(cudaGetLastError(), "finding the ends of curves");
  return TSR_OK;
}

tsr_status filler::attribute(const tsr_ordering_attribute &one, const int64_t *first,
                             const int64_t *last) {
  const int64_t bytes = tuple_bytes(one.in);
  const int at_points = one.place == TSR_AT_POINTS;
  const int64_t tuples = at_points ? request->sizes->points : all.n;
  void *in, *to;
  TSR_STEP(tsr_upload(device, request->execution, request->report, &memory, false, {one.in}, &in,
                      error));
  TSR_STEP(out(&to, one.out, tuples, bytes, "an array"));
  if (to)
    TSR_STEP(copy_tuples(to, in,
                         at_points                  ? device->point_ids
                         : one.place == TSR_AT_LAST ? last
                                                    : first,
                         tuples, bytes));
  memory.free_one(in); // not one of the view's: that is in the plan's memory
  return TSR_OK;
}

tsr_status filler::attributes(const tsr_ordering_output *output, const int64_t *first,
                              const int64_t *last) {
  for (int a = 0; a < output->n_attributes; ++a)
    TSR_STEP(attribute(output->attributes[a], first, last));
  return TSR_OK;
}

} // namespace

tsr_status tsr_ordering_cuda_fill(tsr_ordering_device *device, const tsr_ordering_request *request,
                                  const tsr_ordering_output *output, tsr_error *error) {
  const tsr_on_device scope(device->state->device);
  TSR_STEP(scope.check(error));
  if (device->n == 0) { // offsets alone: there is nothing to launch
    if (output->vert_offsets)
      output->vert_offsets[0] = 0;
    if (output->line_offsets)
      output->line_offsets[0] = 0;
    return TSR_OK;
  }
  filler f;
  f.device = device;
  f.request = request;
  f.error = error;
  f.memory.use(device->state, device->stream);
  f.all = {request->sizes->verts + request->sizes->lines, request->sizes->verts,
           device->curve_start, device->curve_cell, device->point_ids};
  int64_t *first = nullptr, *last = nullptr;
  if (f.all.n > 0) {
    TSR_STEP(f.points(output));
    TSR_STEP(f.ends(&first, &last));
    if (output->first_ids)
      f.down.push_back({output->first_ids, first, (size_t)f.all.n * sizeof(int64_t)});
    if (output->last_ids)
      f.down.push_back({output->last_ids, last, (size_t)f.all.n * sizeof(int64_t)});
    TSR_STEP(f.attributes(output, first, last));
  }
  TSR_STEP(f.cells(output));
  TSR_CUDA(cudaStreamSynchronize(device->stream), "filling the curves");
  const double start = tsr_cuda_now(request->execution);
  TSR_STEP(tsr_transfer_down(device->state, request->execution, f.down, nullptr, 0.4, 1.0, error));
  request->report->download_seconds += tsr_cuda_now(request->execution) - start;
  return TSR_OK;
}
