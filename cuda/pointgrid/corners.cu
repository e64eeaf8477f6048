// SPDX-License-Identifier: BSD-3-Clause
// Numbers the corners of the leaves. All corners are sorted by their places; corners at the same
// place become one point.
#include "cuda/common/policy.cuh"
#include "cuda/common/scan.cuh"
#include "cuda/pointgrid/pairs.cuh"

// The sort carries the number of a corner in 32 bits.
#ifndef TSR_MOST_CORNERS
#define TSR_MOST_CORNERS ((int64_t)UINT32_MAX)
#endif

namespace {

const int BLOCK = tsr_policy::block;

struct corner_work {
  const tsr_pointgrid_leaf *leaves;
  int64_t n; // corners of all leaves
  int dimension, finest;
};

// slots: position of each corner in the connectivity.
__global__ void make_corners(corner_work w, uint64_t *places, uint32_t *slots) {
  const int64_t i = (int64_t)blockIdx.x * BLOCK + threadIdx.x;
  if (i >= w.n)
    return;
  const tsr_pointgrid_leaf leaf = w.leaves[i >> w.dimension];
  const int c = (int)(i & ((1 << w.dimension) - 1));
  places[i] = tsr_pointgrid_corner(leaf.key, leaf.level, c, w.dimension, w.finest);
  slots[i] = (uint32_t)i;
}

__global__ void mark_first(corner_work w, const uint64_t *places, int64_t *before) {
  const int64_t i = (int64_t)blockIdx.x * BLOCK + threadIdx.x;
  if (i < w.n)
    before[i] = i == 0 || places[i] != places[i - 1];
}

// before[i]: number of first corners of a place among the sorted corners before i. Corner i belongs
// to point before[i + 1] - 1.
__global__ void number_corners(corner_work w, const uint64_t *places, const uint32_t *slots,
                               const int64_t *before, int64_t *corner_of, uint64_t *corners) {
  const int64_t i = (int64_t)blockIdx.x * BLOCK + threadIdx.x;
  if (i >= w.n)
    return;
  const int64_t id = before[i + 1] - 1;
  corner_of[slots[i]] = id;
  if (before[i] == id)
    corners[id] = tsr_pointgrid_full_place(places[i], w.dimension, w.finest);
}

// Sorts the corners by their places, and sums up mark_first into *before.
tsr_status sort_corners(tsr_pointgrid_device *s, const corner_work &w, uint64_t **places,
                        uint32_t **slots, int64_t **before, tsr_error *error) {
  const char *what = "finding the points of the cells";
  uint64_t *keys[2];
  uint32_t *values[2];
  for (int i = 0; i < 2; ++i) {
    TSR_STEP(s->memory.get(&keys[i], w.n, "the points of the cells", error));
    TSR_STEP(s->memory.get(&values[i], w.n, "the points of the cells", error));
  }
  TSR_STEP(s->memory.get(before, w.n + 1, "the points of the cells", error));
  make_corners<<<tsr_blocks(w.n, BLOCK), BLOCK, 0, s->stream>>>(w, keys[0], values[0]);
  TSR_CUDA(cudaGetLastError(), what);
  cub::DoubleBuffer<uint64_t> key_buffers(keys[0], keys[1]);
  cub::DoubleBuffer<uint32_t> value_buffers(values[0], values[1]);
  TSR_STEP(tsr_points_sort_pairs(s, &key_buffers, &value_buffers, w.n, 0,
                                 w.dimension * tsr_pointgrid_corner_bits(w.finest), error));
  *places = key_buffers.Current();
  *slots = value_buffers.Current();
  mark_first<<<tsr_blocks(w.n, BLOCK), BLOCK, 0, s->stream>>>(w, *places, *before);
  TSR_CUDA(cudaGetLastError(), what);
  return tsr_scan_counts(*before, w.n, &s->memory, s->stream, error);
}

} // namespace

tsr_status tsr_pointgrid_cuda_corners(tsr_pointgrid_device *s, const tsr_pointgrid_job *job,
                                      int finest, int64_t *n, tsr_error *error) {
  const tsr_on_device scope(s->state->device);
  TSR_STEP(scope.check(error));
  const char *what = "finding the points of the cells";
  const int dimension = job->rule->dimension;
  const corner_work w = {s->leaves, s->n_leaves << dimension, dimension, finest};
  uint64_t *places, *made;
  uint32_t *slots;
  int64_t *before, *ids;
  if (w.n > TSR_MOST_CORNERS)
    return tsr_cuda_refuse(error, TSR_NO_MEMORY,
                           "CUDA can number the corners of at most %lld leaves, not %lld: take "
                           "Backend CPU",
                           (long long)(TSR_MOST_CORNERS >> dimension), (long long)s->n_leaves);
  TSR_CUDA(cudaEventRecord(s->begin, s->stream), what);
  TSR_STEP(sort_corners(s, w, &places, &slots, &before, error));
  TSR_CUDA(cudaMemcpyAsync(n, before + w.n, sizeof *n, cudaMemcpyDeviceToHost, s->stream), what);
  TSR_CUDA(cudaStreamSynchronize(s->stream), what);
  TSR_STEP(s->memory.get(&made, *n, "the points of the cells", error));
  TSR_STEP(s->memory.get(&ids, w.n, "the points of the cells", error));
  number_corners<<<tsr_blocks(w.n, BLOCK), BLOCK, 0, s->stream>>>(w, places, slots, before, ids,
                                                                  made);
  TSR_CUDA(cudaGetLastError(), what);
  TSR_CUDA(cudaEventRecord(s->end, s->stream), what);
  TSR_CUDA(cudaStreamSynchronize(s->stream), what);
  tsr_note_work(*s, job->report);
  s->corners = made;
  s->corner_of = ids;
  s->n_corners = *n;
  s->memory.free_others({s->leaves, s->order, made, ids});
  return TSR_OK;
}
