// SPDX-License-Identifier: BSD-3-Clause
// Mean, least and greatest of the values in each leaf. A thread sums up one chunk, so that a leaf
// of many points keeps many threads busy; then a warp a leaf joins its chunks, in their order. The
// CPU has its own code (filters/pointgrid/output/values.c): it sums up a leaf at once, without
// memory for chunks.
#include "common/part_math.h"
#include "cuda/common/memory/callers.cuh"
#include "cuda/common/scan.cuh"
#include "cuda/common/transfer/reuse.cuh"
#include "cuda/pointgrid/device.cuh"
#include "pointgrid/output/value_math.h"

#include <algorithm>

namespace {

const int WARPS = 8; // of a block that joins

__device__ void count_chunks_of(int64_t i, const tsr_pointgrid_leaf *leaves, int64_t *to) {
  to[i] = tsr_pointgrid_chunks(leaves[i].count);
}

// One component of one array.
struct leaf_values {
  const tsr_pointgrid_leaf *leaves;
  int64_t n_leaves;
  const int64_t *chunk_begin;
  int64_t n_chunks;
  const int64_t *order;
  const void *values;
  int64_t components, component;
  void *parts;
  double *mean; // of all components; NULL: not wanted
  void *least, *greatest;
};

// The arithmetic of a type.
template <class T> struct kind;
#define DEFINE_KIND(TYPE, T, NOTHING)                                                              \
  template <> struct kind<T> {                                                                     \
    typedef tsr_pointgrid_values_##T part;                                                         \
    static __device__ part none() { return tsr_pointgrid_no_##T(); }                               \
    static __device__ part chunk(const T *values, int64_t stride, const int64_t *order,            \
                                 int64_t n) {                                                      \
      return tsr_pointgrid_chunk_##T(values, stride, order, n);                                    \
    }                                                                                              \
    static __device__ void join(part *all, const part *next) {                                     \
      tsr_pointgrid_join_##T(all, next);                                                           \
    }                                                                                              \
  };
TSR_POINTGRID_EACH_TYPE(DEFINE_KIND)

// Chunk i belongs to the last leaf whose first chunk is i or before; one without points has none.
template <class T> __device__ void sum_chunk(int64_t i, const leaf_values &job) {
  const int64_t at = tsr_part_at(job.chunk_begin, 0, job.n_leaves, i);
  const tsr_pointgrid_leaf leaf = job.leaves[at];
  const int64_t first = (i - job.chunk_begin[at]) * TSR_POINTGRID_CHUNK;
  const int64_t left = leaf.count - first;
  ((typename kind<T>::part *)job.parts)[i] = kind<T>::chunk(
      (const T *)job.values + job.component, job.components, job.order + leaf.begin + first,
      left < TSR_POINTGRID_CHUNK ? left : TSR_POINTGRID_CHUNK);
}

template <class T> __global__ void __launch_bounds__(32 * WARPS) join_chunks(leaf_values job) {
  typedef typename kind<T>::part part;
  __shared__ part parts[WARPS][32];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x & 31u;
  const int64_t leaf = (int64_t)blockIdx.x * WARPS + warp;
  if (leaf >= job.n_leaves)
    return;
  const int64_t end = job.chunk_begin[leaf + 1];
  part all = kind<T>::none();
  for (int64_t first = job.chunk_begin[leaf]; first < end; first += 32) {
    const int n = end - first < 32 ? (int)(end - first) : 32;
    if ((int)lane < n)
      parts[warp][lane] = ((const part *)job.parts)[first + lane];
    __syncwarp();
    for (int i = 0; i < n && lane == 0; ++i)
      kind<T>::join(&all, &parts[warp][i]);
    __syncwarp();
  }
  const int64_t at = leaf * job.components + job.component;
  if (lane > 0)
    return;
  if (job.mean)
    job.mean[at] = tsr_pointgrid_mean(all.sum, all.count);
  if (job.least)
    ((T *)job.least)[at] = all.least;
  if (job.greatest)
    ((T *)job.greatest)[at] = all.greatest;
}

template <class T>
tsr_status do_components(tsr_pointgrid_device *s, tsr_memory *memory, leaf_values job,
                         tsr_error *error) {
  TSR_STEP(memory->get(&job.parts, job.n_chunks, sizeof(typename kind<T>::part),
                       "the values of cells", error));
  for (; job.component < job.components; ++job.component) {
    TSR_CUDA(tsr_launch_each<sum_chunk<T>>(job.n_chunks, s->stream, job), "summing values up");
    join_chunks<T><<<tsr_blocks(job.n_leaves, WARPS), 32 * WARPS, 0, s->stream>>>(job);
    TSR_CUDA(cudaGetLastError(), "joining the values of cells");
  }
  return TSR_OK;
}

tsr_status do_values(tsr_pointgrid_device *s, tsr_memory *memory, tsr_type type,
                     const leaf_values &job, tsr_error *error) {
#define DO_TYPE(TYPE, T, NOTHING)                                                                  \
  case TYPE:                                                                                       \
    return do_components<T>(s, memory, job, error);
  switch (type) { TSR_POINTGRID_EACH_TYPE(DO_TYPE) }
  return tsr_cuda_refuse(error, TSR_BAD_INPUT, "the type %d of values is unknown", (int)type);
}

// Counts the chunks of values of each leaf. Called once for all attributes of a plan.
tsr_status count_chunks(tsr_pointgrid_device *s, const tsr_pointgrid_leaves &leaves,
                        tsr_error *error) {
  const char *what = "counting the chunks of leaves";
  int64_t *begin;
  if (s->chunk_begin)
    return TSR_OK;
  TSR_STEP(s->memory.get(&begin, leaves.n + 1, "the values of cells", error));
  TSR_CUDA(tsr_launch_each<count_chunks_of>(leaves.n, s->stream, leaves.at, begin), what);
  TSR_STEP(tsr_scan_counts(begin, leaves.n, &s->memory, s->stream, error));
  TSR_STEP(tsr_bring(&s->n_chunks, begin + leaves.n, sizeof s->n_chunks, s->stream, what, error));
  s->chunk_begin = begin;
  return TSR_OK;
}

} // namespace

tsr_status tsr_pointgrid_cuda_values(tsr_pointgrid_device *s, const tsr_pointgrid_input *input,
                                     const tsr_pointgrid_sorted *sorted, const int64_t *,
                                     int64_t cells, const tsr_pointgrid_attribute *attribute,
                                     tsr_error *error) {
  const tsr_on_device scope(s->state->device);
  const tsr_array &in = attribute->in;
  const int64_t n = cells * in.components;
  const size_t size = tsr_type_size(in.type);
  leaf_values it = {sorted->leaves.at, cells, nullptr, 0,       sorted->order, nullptr,
                    in.components,     0,     nullptr, nullptr, nullptr,       nullptr};
  std::vector<tsr_copy> copies;
  tsr_memory memory;
  void *values;
  TSR_STEP(scope.check(error));
  if (cells == 0 || (!attribute->mean && !attribute->least && !attribute->greatest))
    return TSR_OK;
  memory.use(s->state, s->stream);
  TSR_STEP(tsr_upload(s, input->execution, input->report, &memory, false, {in}, &values, error));
  TSR_CUDA(cudaEventRecord(s->begin, s->stream), "summing values up");
  TSR_STEP(count_chunks(s, sorted->leaves, error));
  it.values = values;
  it.chunk_begin = s->chunk_begin;
  it.n_chunks = s->n_chunks;
  const auto room = [&](void *host, void **to, size_t bytes) {
    bool there;
    TSR_STEP(tsr_find_output(s, host, &there, error));
    *to = host;
    if (!host || there)
      return TSR_OK;
    TSR_STEP(memory.get(to, n, bytes, "the values of cells", error));
    copies.push_back({host, *to, (size_t)n * bytes});
    return TSR_OK;
  };
  TSR_STEP(room(attribute->mean, (void **)&it.mean, sizeof *it.mean));
  TSR_STEP(room(attribute->least, &it.least, size));
  TSR_STEP(room(attribute->greatest, &it.greatest, size));
  TSR_STEP(do_values(s, &memory, in.type, it, error));
  TSR_CUDA(cudaEventRecord(s->end, s->stream), "summing values up");
  TSR_CUDA(cudaStreamSynchronize(s->stream), "summing values up");
  tsr_note_work(*s, input->report);
  const double start = tsr_cuda_now(input->execution);
  TSR_STEP(tsr_transfer_down(s->state, input->execution, copies, nullptr, 0.6, 1.0, error));
  input->report->download_seconds += tsr_cuda_now(input->execution) - start;
  tsr_reuse_keep(s->state, input->execution, &memory, copies);
  return TSR_OK;
}
