// SPDX-License-Identifier: BSD-3-Clause
// Kernels over spans whose segments are known: vertices for coarsening, errors, points. See
// spans.cuh. A .cu file that includes this contains nothing else but the table of its kernels.
#include "cuda/common/executor.cuh"
#include "cuda/curves/sampling/leaves.cuh"
#include "cuda/curves/span/points.cuh"
#include "cuda/curves/span/spans.cuh"
#include "curves/coarsen/vertex_math.h"

namespace {

const int points_block = 128;

// Least number of blocks on a multiprocessor: the threads mostly wait for memory.
#if TSR_ANY_SPAN || TSR_ONE_DEGREE <= 3
const int points_blocks = 4;
#else
const int points_blocks = 3;
#endif

// Threads that share a span, a power of two, where there are n parts of all spans: no more than
// keep the device busy, since each of them loads the span.
int group_of(int64_t n, int64_t n_spans) {
  int group = 1;
  while (group < 32 && 2 * group * n_spans <= n && group * n_spans < tsr_policy::span_threads)
    group *= 2;
  return group;
}

__global__ void __launch_bounds__(points_block)
    errors_kernel(tsr_fill_piece piece, double *span_error, const int *stop) {
  const int64_t s = piece.span_begin + (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= piece.span_end)
    return;
  const int64_t *start = piece.places.segment_start;
  const int64_t i = tsr_item_of(piece.places, s), segments = start[s + 1] - start[s];
  const tsr_item item = tsr_item_at(&piece.view, i);
  tsr_span span;
  tsr_net net;
  double most = 0.0;
  tsr_span_make(&piece.view, &item, &piece.criteria.rules, s - tsr_first_span(piece.places, i),
                &span);
  tsr_span_net(&piece.view, &span, &net);
  const double wang = tsr_wang_error(&net);
  if (!piece.leaves)
    most = tsr_uniform_error(&net, wang, segments);
  for (int64_t k = 0; piece.leaves && k < segments; ++k) {
    const uint32_t *fixed = piece.leaves + (start[s] - start[piece.span_begin]) + k;
    const uint32_t next = k + 1 < segments ? fixed[1] : (uint32_t)TSR_FIXED_ONE;
    tsr_net segment;
    tsr_leaf_piece(&net, fixed[0], next, &segment);
    const double error = tsr_leaf_error(&piece.criteria, &net, wang, fixed[0], next, &segment);
    most = error > most ? error : most;
    if (k % tsr_leaves_a_look == tsr_leaves_a_look - 1 && tsr_stop_asked(stop))
      return;
  }
  span_error[s] = most;
}

cudaError_t bound_errors(const tsr_fill_piece &piece, double *span_error, const int *stop,
                         cudaStream_t stream) {
  errors_kernel<<<tsr_blocks(piece.span_end - piece.span_begin, points_block), points_block, 0,
                  stream>>>(piece, span_error, stop);
  return cudaGetLastError();
}

#if TSR_ANY_SPAN || TSR_ONE_DEGREE <= 3

// A span whose vertices a block makes: where its segments begin, those of its curve, and the
// curve's first walk.
struct vertex_work {
  tsr_vertex_span span;
  int64_t start, begin, end, walk;
  int64_t walked; // 0: the curve has no walk
  double apart;   // an odd number of words, so that spans beside each other lie in different banks
};

// Threads of a block, spans that it stages at most, a power of two, and blocks a multiprocessor, at
// least: those that shared memory has room for.
#if TSR_ANY_SPAN
const int vertices_block = 64, vertices_spans = 32, vertices_blocks = 8;
#else
const int vertices_block = 128, vertices_spans = 64, vertices_blocks = 5;
#endif
const size_t vertices_shared = tsr_policy::shared_unasked - sizeof(tsr_thinning);
static_assert(vertices_spans * sizeof(vertex_work) <= vertices_shared, "one unasked");

// fields: where the block keeps those of this thread's span, `spans` apart, or NULL.
__device__ void stage_vertices(const tsr_thinning &it, int64_t s, double *fields, int spans,
                               vertex_work *to) {
  const int64_t *starts = it.places.segment_start;
  const int64_t i = tsr_item_of(it.places, s), first = tsr_first_span(it.places, i);
  to->start = starts[s];
  to->begin = starts[first];
  to->end = starts[tsr_first_span(it.places, i + 1)];
  to->walk = it.walk_start[i];
  to->walked = it.walk_start[i + 1] > to->walk;
  if (!to->walked)
    return;
  const tsr_item item = tsr_item_at(&it.view, i);
  tsr_vertex_span_make(&to->span, &it.view, &it.criteria, &item, s - first, fields, spans);
  if (it.criteria.use_field)
    tsr_keep_fields(&it.view, &it.criteria, &to->span.span, &to->span.kept);
}

// A block stages spans, and its threads take their segments in turn, however many each span
// has: neighbouring threads write to neighbouring places.
__global__ void __launch_bounds__(vertices_block, vertices_blocks)
    vertices_kernel(tsr_thinning given, int spans, int kept, const int *stop) {
  extern __shared__ double shared[];
  __shared__ tsr_thinning it; // staged spans point into it, for all threads
  vertex_work *const staged = (vertex_work *)shared;
  double *const fields = (double *)(staged + spans);
  const int64_t first_span = (int64_t)blockIdx.x * spans, left = given.places.n_spans - first_span;
  const int n = left < spans ? (int)left : spans, thread = (int)threadIdx.x;
  if (thread == 0)
    it = given;
  __syncthreads();
  if (thread < n)
    stage_vertices(it, first_span + thread, kept > 0 ? fields + thread : nullptr, spans,
                   &staged[thread]);
  __syncthreads();
  const int64_t last = it.places.segment_start[first_span + n];
  int looks = 0;
  for (int64_t at = staged[0].start + thread; at < last; at += blockDim.x) {
    int lo = 0;
    for (int hi = n; hi - lo > 1;) {
      const int middle = (lo + hi) / 2;
      lo = staged[middle].start <= at ? middle : lo;
      hi = staged[middle].start <= at ? hi : middle;
    }
    vertex_work &work = staged[lo];
    if (!work.walked)
      continue;
    double *v = it.v + at + work.walk + (at - work.begin) / TSR_WALK_POINTS;
    const uint32_t a = it.leaves[at];
    const uint32_t b =
        at + 1 < (lo + 1 < n ? staged[lo + 1].start : last) ? it.leaves[at + 1] : TSR_FIXED_ONE;
    const int ends = at + 1 == work.end || (at + 1 - work.begin) % TSR_WALK_POINTS == 0 ? 2 : 1;
#pragma unroll 1 // its code once, so that it stays near
    for (int e = 0; e < ends; ++e)
      tsr_vertex_make(&work.span, e ? b : a, v + e, it.room);
    tsr_vertex_piece(&work.span, a, b, v, it.room);
    if (++looks % tsr_leaves_a_look == 0 && tsr_stop_asked(stop))
      return;
  }
}

#if TSR_ONE_DEGREE == 1

// The vertices of a straight span of one segment: input points. A thread a span writes them at the
// memory's speed. Staged spans, which cuts between input points need, take five times as long.
__device__ void put_ends(int64_t s, const tsr_thinning &it) {
  const int64_t i = tsr_item_of(it.places, s), k = s - tsr_first_span(it.places, i);
  const int64_t walk = it.walk_start[i];
  if (it.walk_start[i + 1] == walk)
    return;
  const tsr_item item = tsr_item_at(&it.view, i);
  const int64_t id = tsr_item_id(&it.view, &item, k), next = tsr_item_id(&it.view, &item, k + 1);
  double *const v = it.v + s + walk + k / TSR_WALK_POINTS;
  tsr_vertex_input(&it.view, &it.criteria, id, v, it.room);
  if (!tsr_labels_agree(&it.criteria, id, next))
    v[TSR_PLANE_SHARE * it.room] = TSR_SHARE_FIXED;
  if (k + 1 == item.n_spans || (k + 1) % TSR_WALK_POINTS == 0) // the walk's last one
    tsr_vertex_input(&it.view, &it.criteria, next, v + 1, it.room);
}

#endif

cudaError_t make_vertices(const tsr_thinning &it, int64_t n_segments, const int *stop,
                          cudaStream_t stream) {
#if TSR_ONE_DEGREE == 1
  if (n_segments == it.places.n_spans)
    return tsr_launch_each<put_ends>(n_segments, stream, it);
#endif
  const int spans = vertices_spans / group_of(n_segments, it.places.n_spans);
  const size_t own = (size_t)spans * sizeof(vertex_work);
  int kept;
  size_t fields = tsr_kept_bytes(it.n_kept, spans, &kept);
  if (own + fields > vertices_shared)
    fields = 0, kept = 0;
  vertices_kernel<<<tsr_blocks(it.places.n_spans, spans), vertices_block, own + fields, stream>>>(
      it, spans, kept, stop);
  return cudaGetLastError();
}

#else

cudaError_t (*const make_vertices)(const tsr_thinning &, int64_t, const int *,
                                   cudaStream_t) = nullptr;

#endif

#ifdef TSR_ONE_DEGREE

// Spans that each thread looks at, at most, to find those with a point.
const int most_rounds = 16;

// A block lists its spans that have points, and shares them out: where coarsening has left a point
// in every thirtieth span, each warp would otherwise make the points of one or two.
__global__ void __launch_bounds__(points_block, points_blocks)
    fill_kernel(const tsr_fill_piece *piece, int64_t begin, int64_t end, int rounds) {
  __shared__ uint16_t listed[most_rounds * points_block];
  __shared__ int n;
  const int64_t first = begin + (int64_t)blockIdx.x * rounds * points_block;
  const int thread = (int)threadIdx.x;
  if (thread == 0)
    n = 0;
  __syncthreads();
  for (int at = thread; at < rounds * points_block && first + at < end; at += points_block)
    if (tsr_point_of(piece->places, first + at + 1) > tsr_point_of(piece->places, first + at))
      listed[atomicAdd(&n, 1)] = (uint16_t)at;
  __syncthreads();
  for (int k = thread; k < n; k += points_block)
    tsr_fill_span(*piece, first + listed[k]);
}

cudaError_t fill(const tsr_fill_piece *device_piece, int64_t begin, int64_t end, int64_t points,
                 cudaStream_t stream) {
  const int64_t spans = end - begin;
  int rounds = 1;
  while (rounds < most_rounds && 2 * rounds * points < spans)
    rounds *= 2;
  fill_kernel<<<tsr_blocks(spans, rounds * points_block), points_block, 0, stream>>>(
      device_piece, begin, end, rounds);
  return cudaGetLastError();
}

#else

cudaError_t (*const fill)(const tsr_fill_piece *, int64_t, int64_t, int64_t,
                          cudaStream_t) = nullptr;

#endif

} // namespace
