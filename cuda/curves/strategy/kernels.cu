// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/common/executor.cuh"
#include "cuda/curves/strategy/kernels.cuh"

#include "cuda/common/policy.cuh"

namespace {

const int tile = tsr_policy::flat_tile;

__global__ void piece_kernel(tsr_places places, int64_t span_begin, int64_t most_points,
                             int64_t most_items, tsr_piece_range *range) {
  const int64_t first = span_begin == 0 ? 0 : tsr_point_of(places, span_begin);
  int64_t end = places.n_spans;
  if (first + most_points < places.n_points)
    end = tsr_span_at_point(places, span_begin, end, first + most_points);
  const int64_t item = span_begin == 0 ? 0 : tsr_item_of(places, span_begin);
  if (item + most_items < places.n_items) {
    const int64_t next = tsr_first_span(places, item + most_items);
    end = next < end ? next : end;
  }
  end = end > span_begin ? end : span_begin + 1;
  const bool last = end >= places.n_spans;
  range->span_end = end;
  range->point_begin = first;
  range->point_end = last ? places.n_points : tsr_point_of(places, end);
  range->item_begin = item;
  // Curves of a single point that lie before the next span belong to this piece.
  range->item_end = places.n_items;
  if (!last) {
    const int64_t next = tsr_item_of(places, end);
    range->item_end = next + (tsr_first_span(places, next) < end ? 1 : 0);
  }
}

__global__ void parts_kernel(tsr_fill_piece piece, int parts, tsr_part_start *starts) {
  const int k = (int)threadIdx.x;
  const tsr_places &places = piece.places;
  const int64_t points = piece.point_end - piece.point_begin;
  tsr_part_start start = {piece.span_begin, piece.point_begin, 0};
  if (k > parts)
    return;
  if (k == parts) {
    start.span = piece.span_end;
    start.point = piece.point_end;
  } else if (k > 0) {
    start.span = tsr_span_at_point(places, piece.span_begin, piece.span_end,
                                   piece.point_begin + points / parts * k);
    if (start.span > piece.span_begin)
      start.point = tsr_point_of(places, start.span);
  }
  start.segments = places.segment_start[start.span] - places.segment_start[piece.span_begin];
  starts[k] = start;
}

__device__ void raise_most_points(int64_t i, const tsr_places &places, tsr_plan_summary *summary) {
  atomicMax(&summary->most_points,
            (long long)(tsr_first_point(places, i + 1) - tsr_first_point(places, i)));
}

__device__ void find_span_of_tile(int64_t t, const tsr_fill_piece *piece, int64_t *tile_spans) {
  tile_spans[t] = tsr_span_at_point(piece->places, piece->span_begin, piece->span_end,
                                    piece->point_begin + t * tile);
}

__global__ void __launch_bounds__(1024)
    flat_kernel(const tsr_fill_piece *piece, const int64_t *tile_spans, int64_t begin, int64_t end,
                int64_t tiles) {
  extern __shared__ double shared[];
  const int64_t t = begin + blockIdx.x;
  if (t >= end)
    return;
  const int64_t first = piece->point_begin + t * tile;
  const int64_t last = first + tile < piece->point_end ? first + tile : piece->point_end;
  tsr_fill_range(*piece, tile_spans[t], t + 1 < tiles ? tile_spans[t + 1] + 1 : piece->span_end,
                 first, last, {0, INT64_MAX}, (char *)shared);
}

__global__ void __launch_bounds__(1024) blocks_kernel(const tsr_fill_piece *piece) {
  extern __shared__ double shared[];
  const int64_t i = piece->item_begin + blockIdx.x;
  if (i >= piece->item_end)
    return;
  const tsr_item_part part = tsr_part_of_item(*piece, i);
  tsr_fill_range(*piece, part.span, part.span_end, part.first, part.last, {0, INT64_MAX},
                 (char *)shared);
}

__global__ void singles_kernel(const tsr_fill_piece *piece) {
  const int64_t i = piece->item_begin + (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  const double zero[3] = {0.0, 0.0, 0.0};
  if (i >= piece->item_end ||
      tsr_first_span(piece->places, i) != tsr_first_span(piece->places, i + 1))
    return;
  const int64_t point = tsr_first_point(piece->places, i);
  if (tsr_cell_of(piece->places, i) == tsr_cell_of(piece->places, i + 1) ||
      point < piece->point_begin || point >= piece->point_end)
    return;
  const tsr_item item = tsr_item_at(&piece->view, i);
  const int64_t id = tsr_item_id(&piece->view, &item, 0);
  for (int a = 0; a < piece->n_arrays; ++a) {
    const tsr_point_array &array = piece->arrays[a];
    char *to = array.out + (point - piece->point_begin) * array.tuple_bytes;
    if (array.content == TSR_CONTENT_ID) {
      *(int64_t *)to = id;
    } else if (array.in.data && array.type == array.in.type) {
      tsr_copy_bytes(to, (const char *)array.in.data + id * array.tuple_bytes, array.tuple_bytes);
    } else if (array.in.data) {
      double x[3];
      for (int c = 0; c < 3; ++c)
        x[c] = tsr_load(&array.in, 3 * id + c);
      tsr_store(to, array.type, 1, x, 3);
    } else {
      tsr_store(to, array.type, 1, zero, array.components);
    }
  }
}

// Copies bytes with all threads of a block: in words of 4 bytes where both ends and the length
// allow.
__device__ void copy_by_block(char *to, const char *from, int64_t bytes) {
  if (((uintptr_t)to | (uintptr_t)from | (uintptr_t)bytes) % 4 == 0) {
    for (int64_t b = threadIdx.x; b < bytes / 4; b += blockDim.x)
      ((uint32_t *)to)[b] = ((const uint32_t *)from)[b];
    return;
  }
  for (int64_t b = threadIdx.x; b < bytes; b += blockDim.x)
    to[b] = from[b];
}

__global__ void gather_kernel(const tsr_fill_piece *piece) {
  const int64_t i = piece->item_begin + blockIdx.x;
  const tsr_places &places = piece->places;
  if (i >= piece->item_end || tsr_first_span(places, i) == tsr_first_span(places, i + 1))
    return;
  const int64_t begin = tsr_first_point(places, i), end = tsr_first_point(places, i + 1);
  const int64_t first = begin > piece->point_begin ? begin : piece->point_begin;
  const int64_t last = end < piece->point_end ? end : piece->point_end;
  const char *slot =
      piece->heap ? piece->heap[blockIdx.x] : piece->slots + blockIdx.x * piece->slot_bytes;
  if (!slot)
    return;
  for (int a = 0; a < piece->n_arrays; ++a) {
    const int64_t tuple = piece->arrays[a].tuple_bytes;
    copy_by_block(piece->arrays[a].out + (first - piece->point_begin) * tuple,
                  slot + tsr_slot_offset(piece->arrays, a, end - begin) + (first - begin) * tuple,
                  (last - first) * tuple);
  }
}

__device__ void store_index(void *data, tsr_type type, int64_t i, int64_t value) {
  if (type == TSR_INT32)
    ((int32_t *)data)[i] = (int32_t)value;
  else
    ((int64_t *)data)[i] = value;
}

__device__ void fill_cell(int64_t i, const tsr_places &places, const tsr_cell_arrays &arrays) {
  const int64_t cell = tsr_cell_of(places, i), span = tsr_first_span(places, i);
  const int64_t next = i < places.n_items ? tsr_cell_of(places, i + 1) : cell + 1;
  if (next == cell)
    return;
  if (arrays.offsets)
    store_index(arrays.offsets, arrays.index_type, cell, places.segment_start[span] + cell);
  if (i == places.n_items)
    return;
  if (arrays.source_item)
    arrays.source_item[cell] = i;
  if (arrays.first_points)
    arrays.first_points[cell] = tsr_first_point(places, i);
  if (arrays.achieved_error) {
    const bool walked = arrays.walk_start && arrays.walk_start[i + 1] > arrays.walk_start[i];
    const double *errors = walked ? arrays.walk_error : arrays.span_error;
    const int64_t last = walked ? arrays.walk_start[i + 1] : tsr_first_span(places, i + 1);
    double most = 0.0;
    for (int64_t e = walked ? arrays.walk_start[i] : span; e < last; ++e)
      most = errors[e] > most ? errors[e] : most;
    arrays.achieved_error[cell] = most + arrays.rounding;
  }
}

} // namespace

cudaError_t tsr_launch_kernel(cudaStream_t stream, const void *kernel, int64_t blocks, int threads,
                              size_t shared, void **arguments) {
  cudaLaunchConfig_t config = {};
  if (blocks <= 0)
    return cudaSuccess;
  if (shared > tsr_policy::shared_unasked) {
    const cudaError_t code =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared);
    if (code != cudaSuccess)
      return code;
  }
  config.gridDim = dim3((unsigned)blocks);
  config.blockDim = dim3((unsigned)threads);
  config.dynamicSmemBytes = shared;
  config.stream = stream;
  return cudaLaunchKernelExC(&config, kernel, arguments);
}

// Runs a small kernel by launch(found), and copies its n results back to `to`. Waits for it.
template <class T, class Launch>
static cudaError_t find_out(T *to, int n, Launch launch, const tsr_opened &plan) {
  const cudaStream_t stream = plan.stream;
  T *found = nullptr;
  cudaError_t code =
      cudaMallocFromPoolAsync((void **)&found, (size_t)n * sizeof *found, plan.state->pool, stream);
  if (code != cudaSuccess)
    return code;
  launch(found);
  code = cudaGetLastError();
  if (code == cudaSuccess)
    code = tsr_copy_async(to, found, (size_t)n * sizeof *to, cudaMemcpyDeviceToHost, stream);
  const cudaError_t freed = cudaFreeAsync(found, stream);
  code = code == cudaSuccess ? freed : code;
  return code == cudaSuccess ? cudaStreamSynchronize(stream) : code;
}

cudaError_t tsr_find_piece(const tsr_places &places, int64_t span_begin, int64_t most_points,
                           int64_t most_items, tsr_piece_range *range, const tsr_opened &plan) {
  const auto launch = [=, &plan](tsr_piece_range *found) {
    piece_kernel<<<1, 1, 0, plan.stream>>>(places, span_begin, most_points, most_items, found);
  };
  return find_out(range, 1, launch, plan);
}

cudaError_t tsr_find_parts(const tsr_fill_piece &piece, int parts, tsr_part_start *starts,
                           const tsr_opened &plan) {
  const auto launch = [=, &plan](tsr_part_start *found) {
    parts_kernel<<<1, 32, 0, plan.stream>>>(piece, parts, found);
  };
  return find_out(starts, parts + 1, launch, plan);
}

cudaError_t tsr_find_most_points(const tsr_places &places, tsr_plan_summary *summary,
                                 cudaStream_t stream) {
  return tsr_launch_each<raise_most_points>(places.n_items, stream, places, summary);
}

int64_t tsr_flat_tiles(const tsr_fill_piece &piece) {
  return (piece.point_end - piece.point_begin + tile - 1) / tile;
}

int64_t tsr_flat_tile(const tsr_fill_piece &piece, int64_t point) {
  return (point - piece.point_begin) / tile;
}

int64_t tsr_flat_begin(const tsr_fill_piece &piece, int64_t point) {
  return piece.point_begin + tsr_flat_tile(piece, point) * tile;
}

cudaError_t tsr_find_tiles(const tsr_fill_piece &piece, const tsr_fill_piece *device_piece,
                           int64_t *tile_spans, cudaStream_t stream) {
  const int64_t tiles = tsr_flat_tiles(piece);
  return tsr_launch_each<find_span_of_tile>(tiles, stream, device_piece, tile_spans);
}

cudaError_t tsr_fill_flat(cudaStream_t stream, const tsr_fill_piece &piece,
                          const tsr_fill_piece *device_piece, const int64_t *tile_spans,
                          int64_t begin, int64_t end) {
  int64_t tiles = tsr_flat_tiles(piece);
  void *arguments[] = {&device_piece, &tile_spans, &begin, &end, &tiles};
  return tsr_launch_kernel(stream, (const void *)flat_kernel, end - begin, tsr_policy::tile_block,
                           tsr_stage_bytes(piece.batch, piece.order), arguments);
}

cudaError_t tsr_fill_blocks(cudaStream_t stream, const tsr_fill_piece &piece,
                            const tsr_fill_piece *device_piece) {
  void *arguments[] = {&device_piece};
  return tsr_launch_kernel(stream, (const void *)blocks_kernel, piece.item_end - piece.item_begin,
                           tsr_policy::tile_block, tsr_stage_bytes(piece.batch, piece.order),
                           arguments);
}

cudaError_t tsr_fill_singles(const tsr_fill_piece &piece, const tsr_fill_piece *device_piece,
                             cudaStream_t stream) {
  singles_kernel<<<tsr_blocks(piece.item_end - piece.item_begin, 128), 128, 0, stream>>>(
      device_piece);
  return cudaGetLastError();
}

cudaError_t tsr_gather_curves(const tsr_fill_piece &piece, const tsr_fill_piece *device_piece,
                              cudaStream_t stream) {
  gather_kernel<<<(unsigned)(piece.item_end - piece.item_begin), 64, 0, stream>>>(device_piece);
  return cudaGetLastError();
}

cudaError_t tsr_make_cells(const tsr_places &places, const tsr_cell_arrays &arrays,
                           cudaStream_t stream) {
  return tsr_launch_each<fill_cell>(places.n_items + 1, stream, places, arrays);
}
