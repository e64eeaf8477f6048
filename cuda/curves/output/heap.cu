// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/curves/output/heap.cuh"

#include <algorithm>
#include <mutex>

namespace {

// State of a device's heap: the size before it was changed (0: not changed); whether a kernel has
// allocated from it, after which the driver does not let anybody change the size; and how many
// executions use it.
struct heap_state {
  size_t before;
  bool used;
  int users;
};
std::mutex heaps_lock;
heap_state heaps[TSR_MAX_DEVICES];

__global__ void take_kernel(const tsr_fill_piece *piece, int *failures) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  const tsr_places &places = piece->places;
  if (i >= piece->item_end - piece->item_begin)
    return;
  const int64_t item = piece->item_begin + i;
  if (tsr_first_span(places, item) == tsr_first_span(places, item + 1))
    return;
  const int64_t points = tsr_first_point(places, item + 1) - tsr_first_point(places, item);
  piece->heap[i] = (char *)malloc((size_t)tsr_slot_offset(piece->arrays, piece->n_arrays, points));
  if (!piece->heap[i])
    atomicAdd(failures, 1);
}

__global__ void free_kernel(const tsr_fill_piece *piece) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < piece->item_end - piece->item_begin && piece->heap[i])
    free(piece->heap[i]);
}

} // namespace

tsr_status tsr_heap::prepare(int64_t wanted, int64_t needed, int64_t *in_force, tsr_error *error) {
  const std::lock_guard<std::mutex> hold(heaps_lock);
  heap_state &heap = heaps[device];
  size_t now = 0;
  TSR_CUDA(cudaDeviceGetLimit(&now, cudaLimitMallocHeapSize),
           "reading the size of the device heap");
  const size_t before = now;
  const size_t size = wanted > 0 ? (size_t)wanted : std::max(now, (size_t)needed);
  const bool others = heap.users > (joined ? 1 : 0); // for them it must not shrink
  heap.users += joined ? 0 : 1;
  joined = true;
  if (size != now && !heap.used && (size > now || !others)) {
    const cudaError_t code = cudaDeviceSetLimit(cudaLimitMallocHeapSize, size);
    tsr_cuda_drop(code);
    if (code == cudaSuccess) {
      heap.before = heap.before > 0 ? heap.before : before;
      TSR_CUDA(cudaDeviceGetLimit(&now, cudaLimitMallocHeapSize),
               "reading the size of the device heap");
    }
  }
  *in_force = (int64_t)now;
  if (wanted > 0 && now < (size_t)wanted)
    return tsr_cuda_refuse(
        error, TSR_NO_MEMORY,
        "the device heap stays at %llu bytes: it has been in use and cannot grow "
        "to %lld; set its size before the first execution that uses it",
        (unsigned long long)now, (long long)wanted);
  return TSR_OK;
}

tsr_heap::~tsr_heap() {
  if (!joined)
    return;
  const std::lock_guard<std::mutex> hold(heaps_lock);
  heap_state &heap = heaps[device];
  if (--heap.users > 0)
    return;
  if (heap.before > 0 && !heap.used)
    tsr_cuda_drop(cudaDeviceSetLimit(cudaLimitMallocHeapSize, heap.before));
  heap.before = 0;
}

tsr_status tsr_heap_take(int device, const tsr_fill_piece &piece,
                         const tsr_fill_piece *device_piece, tsr_memory *memory,
                         cudaStream_t stream, int *failures, tsr_error *error) {
  int *count;
  TSR_STEP(memory->get(&count, 1, "the device heap", error));
  TSR_CUDA(cudaMemsetAsync(count, 0, sizeof *count, stream), "allocating on the device heap");
  {
    const std::lock_guard<std::mutex> hold(heaps_lock);
    heaps[device].used = true;
  }
  take_kernel<<<tsr_blocks(piece.item_end - piece.item_begin, 128), 128, 0, stream>>>(device_piece,
                                                                                      count);
  TSR_CUDA(cudaGetLastError(), "allocating on the device heap");
  TSR_STEP(
      tsr_bring(failures, count, sizeof *failures, stream, "allocating on the device heap", error));
  memory->free_one(count);
  return TSR_OK;
}

cudaError_t tsr_heap_free(const tsr_fill_piece &piece, const tsr_fill_piece *device_piece,
                          cudaStream_t stream) {
  free_kernel<<<tsr_blocks(piece.item_end - piece.item_begin, 128), 128, 0, stream>>>(device_piece);
  return cudaGetLastError();
}
