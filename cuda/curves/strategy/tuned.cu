// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/curves/strategy/tuned.cuh"

#include "cuda/common/policy.cuh"
#include "cuda/curves/strategy/tuned_tile.cuh"

namespace {

const int threads = 128;

// Control values of every curve, one after another, in the order along the curve.
template <int ORDER, int NC>
__global__ void __launch_bounds__(tsr_policy::block)
    pack_kernel(tsr_curves_view view, const float *array, float *packed) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= view.n_items)
    return;
  const int cell = tsr_kind_is_cell(view.kinds ? (tsr_curve_kind)view.kinds[i] : view.kind);
  const int64_t first = tsr_load_index(view.offsets, view.index_type, i);
  for (int j = 0; j < ORDER; ++j) {
    const int k = !cell ? j : (j == 0 ? 0 : (j == ORDER - 1 ? 1 : j + 1));
    const int64_t id = tsr_load_index(view.connectivity, view.index_type, first + k);
    for (int c = 0; c < NC; ++c)
      packed[(i * ORDER + j) * NC + c] = array[id * NC + c];
  }
}

// tsr_uniform_count, for what tsr_tuned_counts allows: such a case needs no more than its net.
template <int ORDER>
__global__ void __launch_bounds__(tsr_policy::block)
    count_kernel(const float *packed, tsr_curves_criteria criteria, int64_t n, int64_t *counts,
                 uint8_t *limited, tsr_plan_summary *summary) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    tsr_span span;
    tsr_span_case it;
    span.degree = ORDER - 1;
    span.rational = 0;
    span.form = TSR_FORM_BEZIER;
    it.view = nullptr;
    it.criteria = &criteria;
    it.span = &span;
    it.kept.q = nullptr;
    it.net.degree = ORDER - 1;
    it.net.rational = 0;
#pragma unroll
    for (int j = 0; j < ORDER; ++j) {
      it.net.x[j] = (double)packed[(i * ORDER + j) * 3];
      it.net.y[j] = (double)packed[(i * ORDER + j) * 3 + 1];
      it.net.z[j] = (double)packed[(i * ORDER + j) * 3 + 2];
    }
    tsr_span_case_start(&it);
    if (it.at_limit) {
      limited[i] = 1;
      summary->limited = 1;
    }
    counts[i] = it.uniform_count;
  } else if (i == n) {
    counts[i] = 0;
  }
}

__global__ void tiles_kernel(const int64_t *segment_start, int64_t n, int64_t n_points, int tile,
                             int64_t *tile_lines) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i > n)
    return;
  if (i == n) {
    tile_lines[(n_points + tile - 1) / tile] = n;
    return;
  }
  const int64_t first = segment_start[i] + i, end = segment_start[i + 1] + i + 1;
  for (int64_t t = (first + tile - 1) / tile; t * tile < end; ++t)
    tile_lines[t] = i;
}

__global__ void most_lines_kernel(const int64_t *tile_lines, int64_t tiles, int *most) {
  const int64_t t = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  int lines = t < tiles ? (int)(tile_lines[t + 1] - tile_lines[t]) + 1 : 0;
  for (int d = 16; d > 0; d /= 2) {
    const int other = __shfl_down_sync(~0u, lines, d);
    lines = other > lines ? other : lines;
  }
  if (threadIdx.x % 32 == 0)
    atomicMax(most, lines);
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
constexpr int tile_blocks = 8; // Turing has 1,024 threads a multiprocessor
#else
constexpr int tile_blocks = 9;
#endif

template <int ORDER, int NC>
__global__ void __launch_bounds__(threads, ORDER *NC > 9 ? 8 : tile_blocks)
    tile_kernel(tsr_tuned_params params, int64_t tiles) {
  extern __shared__ double shared[];
  if (blockIdx.x < tiles)
    tsr_tuned_tile<ORDER, NC>(params, blockIdx.x, (char *)shared);
}

template <int ORDER, int NC>
__global__ void __launch_bounds__(1024) lines_kernel(tsr_tuned_params params) {
  __shared__ tsr_line<ORDER, NC> line;
  __shared__ int odd;
  const int64_t i = blockIdx.x;
  if (i >= params.n_lines)
    return;
  const int64_t first = params.segment_start[i] + i;
  if (threadIdx.x == 0)
    odd = tsr_line_load(params, i, first, &line);
  __syncthreads();
  tsr_line<ORDER, NC> own;
  tsr_line_copy(&line, &own);
  for (int k = (int)threadIdx.x; k <= own.last; k += (int)blockDim.x) {
    float value[NC];
    tsr_line_point<ORDER, NC>(own, k, value);
    for (int c = 0; c < NC; ++c)
      params.out[(first + k) * NC + c] = value[c];
  }
  __syncthreads();
  if (odd && threadIdx.x == 0)
    tsr_line_ends(line, line.last + 1, params.out + first * NC);
}

typedef void (*tile_function)(tsr_tuned_params, int64_t);
typedef void (*line_function)(tsr_tuned_params);

} // namespace

bool tsr_tuned_counts(const tsr_curves_criteria &c) {
  return c.sampling == TSR_SAMPLING_UNIFORM && !c.use_turning && !c.use_length && !c.use_field;
}

cudaError_t tsr_tuned_count(const tsr_tuned &tuned, const tsr_curves_criteria &criteria,
                            int64_t n_lines, int64_t *counts, uint8_t *limited,
                            tsr_plan_summary *summary, cudaStream_t stream) {
  const unsigned blocks = tsr_blocks(n_lines + 1, tsr_policy::block);
  if (tuned.order == 3)
    count_kernel<3><<<blocks, tsr_policy::block, 0, stream>>>(tuned.packed, criteria, n_lines,
                                                              counts, limited, summary);
  else
    count_kernel<4><<<blocks, tsr_policy::block, 0, stream>>>(tuned.packed, criteria, n_lines,
                                                              counts, limited, summary);
  return cudaGetLastError();
}

cudaError_t tsr_tuned_pack(const tsr_curves_view &view, const tsr_array &array, int order,
                           float *packed, cudaStream_t stream) {
  const unsigned blocks = tsr_blocks(view.n_items, tsr_policy::block);
  const float *from = (const float *)array.data;
  if (order == 3 && array.components == 3)
    pack_kernel<3, 3><<<blocks, tsr_policy::block, 0, stream>>>(view, from, packed);
  else if (order == 3)
    pack_kernel<3, 1><<<blocks, tsr_policy::block, 0, stream>>>(view, from, packed);
  else if (array.components == 3)
    pack_kernel<4, 3><<<blocks, tsr_policy::block, 0, stream>>>(view, from, packed);
  else
    pack_kernel<4, 1><<<blocks, tsr_policy::block, 0, stream>>>(view, from, packed);
  return cudaGetLastError();
}

tsr_status tsr_tuned_open(tsr_curves_device *plan, tsr_error *error) {
  const tsr_plan_summary &found = plan->found;
  plan->tuned = {};
  if (!plan->places.identity || found.odd_span || found.min_order != found.max_order ||
      plan->view.points.type != TSR_FLOAT || plan->criteria.sampling != TSR_SAMPLING_UNIFORM)
    return TSR_OK;
  TSR_STEP(plan->memory.get(&plan->tuned.packed, plan->view.n_items * found.max_order * 3,
                            "the control points", error));
  TSR_CUDA(tsr_tuned_pack(plan->view, plan->view.points, found.max_order, plan->tuned.packed,
                          plan->stream),
           "packing the control points");
  plan->tuned.order = found.max_order;
  return TSR_OK;
}

int tsr_tuned_tile_for(int64_t n_points, int64_t n_lines) {
  if (n_points < tsr_policy::few_points)
    return tsr_policy::small_tile;
  return n_points < tsr_policy::short_line * n_lines ? tsr_policy::short_line_tile
                                                     : tsr_policy::long_line_tile;
}

cudaError_t tsr_tuned_find_tiles(const int64_t *segment_start, int64_t n_lines, int64_t n_points,
                                 int tile, int64_t *tile_lines, int *most_lines,
                                 cudaStream_t stream) {
  const int64_t tiles = (n_points + tile - 1) / tile;
  tiles_kernel<<<tsr_blocks(n_lines + 1, tsr_policy::block), tsr_policy::block, 0, stream>>>(
      segment_start, n_lines, n_points, tile, tile_lines);
  const cudaError_t code = cudaGetLastError();
  if (code != cudaSuccess)
    return code;
  most_lines_kernel<<<tsr_blocks(tiles, tsr_policy::block), tsr_policy::block, 0, stream>>>(
      tile_lines, tiles, most_lines);
  return cudaGetLastError();
}

tsr_status tsr_tuned_tiles(tsr_curves_device *plan, tsr_error *error) {
  tsr_tuned *tuned = &plan->tuned;
  const int64_t points = plan->places.n_points;
  if (tuned->order == 0 || points == 0)
    return TSR_OK;
  const int tile = tsr_tuned_tile_for(points, plan->places.n_spans);
  plan->memory.free_one(tuned->tile_lines);
  TSR_STEP(
      plan->memory.get(&tuned->tile_lines, (points + tile - 1) / tile + 1, "the tiles", error));
  TSR_CUDA(cudaMemsetAsync(&plan->summary->most_lines, 0, sizeof(int), plan->stream),
           "finding the tiles");
  TSR_CUDA(tsr_tuned_find_tiles(plan->segment_start, plan->places.n_spans, points, tile,
                                tuned->tile_lines, &plan->summary->most_lines, plan->stream),
           "finding the tiles");
  TSR_STEP(tsr_read_summary(plan, error));
  tuned->most_lines = plan->found.most_lines;
  const tsr_tuned_params largest = {nullptr, nullptr,           nullptr,      0, 0,
                                    tile,    tuned->most_lines, tuned->order, 3, nullptr};
  if (tsr_tuned_bytes(largest, threads) <= plan->state->properties.sharedMemPerBlockOptin)
    tuned->tile = tile;
  return TSR_OK;
}

cudaError_t tsr_tuned_fill(cudaStream_t stream, const tsr_tuned_params &given) {
  tsr_tuned_params params = given;
  int64_t tiles = (params.n_points + params.tile - 1) / params.tile;
  const bool three = params.components == 3;
  void *arguments[] = {&params, &tiles};
  const tile_function kernel = params.order == 3 ? (three ? tile_kernel<3, 3> : tile_kernel<3, 1>)
                                                 : (three ? tile_kernel<4, 3> : tile_kernel<4, 1>);
  return tsr_launch_kernel(stream, (const void *)kernel, tiles, threads,
                           tsr_tuned_bytes(params, threads), arguments);
}

cudaError_t tsr_tuned_blocks(cudaStream_t stream, const tsr_tuned_params &given) {
  tsr_tuned_params params = given;
  const bool three = params.components == 3;
  void *arguments[] = {&params};
  const line_function kernel = params.order == 3
                                   ? (three ? lines_kernel<3, 3> : lines_kernel<3, 1>)
                                   : (three ? lines_kernel<4, 3> : lines_kernel<4, 1>);
  return tsr_launch_kernel(stream, (const void *)kernel, params.n_lines, tsr_policy::tile_block, 0,
                           arguments);
}
