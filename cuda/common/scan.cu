// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/common/scan.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

namespace {

struct add_items {
  __host__ __device__ tsr_item_sum operator()(const tsr_item_sum &a, const tsr_item_sum &b) const {
    return {a.spans + b.spans, a.open + b.open, a.cells + b.cells};
  }
};

} // namespace

cudaError_t tsr_scan_counts_in(void *room, size_t *bytes, int64_t *values, int64_t n,
                               cudaStream_t stream) {
  return cub::DeviceScan::ExclusiveSum(room, *bytes, values, values, n + 1, stream);
}

// CUB is asked twice: for the size of its temporary memory, and to do it.
tsr_status tsr_scan_counts(int64_t *values, int64_t n, tsr_memory *memory, cudaStream_t stream,
                           tsr_error *error) {
  void *room = nullptr;
  size_t bytes = 0;
  TSR_CUDA(tsr_scan_counts_in(nullptr, &bytes, values, n, stream),
           "preparing the sums of segments");
  TSR_STEP(memory->get(&room, (int64_t)bytes, 1, "the sums of segments", error));
  TSR_CUDA(tsr_scan_counts_in(room, &bytes, values, n, stream), "summing the segments up");
  memory->free_one(room);
  return TSR_OK;
}

tsr_status tsr_scan_items(tsr_item_sum *values, int64_t n, tsr_memory *memory, cudaStream_t stream,
                          tsr_error *error) {
  const tsr_item_sum zero = {0, 0, 0};
  void *room = nullptr;
  size_t bytes = 0;
  TSR_CUDA(cub::DeviceScan::ExclusiveScan(nullptr, bytes, values, values, add_items(), zero, n + 1,
                                          stream),
           "preparing the sums of curves");
  TSR_STEP(memory->get(&room, (int64_t)bytes, 1, "the sums of curves", error));
  TSR_CUDA(
      cub::DeviceScan::ExclusiveScan(room, bytes, values, values, add_items(), zero, n + 1, stream),
      "summing the curves up");
  memory->free_one(room);
  return TSR_OK;
}

tsr_status tsr_sort_keys(uint64_t *keys, uint64_t *other, int64_t n, int bits, uint64_t **sorted,
                         tsr_memory *memory, cudaStream_t stream, tsr_error *error) {
  cub::DoubleBuffer<uint64_t> buffers(keys, other);
  void *room = nullptr;
  size_t bytes = 0;
  TSR_CUDA(cub::DeviceRadixSort::SortKeys(nullptr, bytes, buffers, n, 0, bits, stream),
           "preparing the sorting of leaves");
  TSR_STEP(memory->get(&room, (int64_t)bytes, 1, "the sorting of leaves", error));
  TSR_CUDA(cub::DeviceRadixSort::SortKeys(room, bytes, buffers, n, 0, bits, stream),
           "sorting the leaves");
  memory->free_one(room);
  *sorted = buffers.Current();
  return TSR_OK;
}
