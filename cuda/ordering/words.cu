// SPDX-License-Identifier: BSD-3-Clause
// Sorting words, by CUB: in a file of its own, which takes long to compile.
#include "cuda/ordering/plan.cuh"

#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>

#include <utility>

namespace {

struct is_less {
  __device__ bool operator()(uint64_t a, uint64_t b) const { return a < b; }
};

} // namespace

// CUB is asked twice: for the size of its temporary memory, and to do it.
tsr_status tsr_ordering_cuda_sort_words(tsr_ordering_device *device, int low, int bits,
                                        tsr_ordering_sort sort, tsr_error *error) {
  cub::DoubleBuffer<uint64_t> buffers(device->words, device->scratch);
  void *room = nullptr;
  size_t bytes = 0;
  const auto run = [&]() {
    // Whole words are compared: their low bits are the places where they stood.
    return sort == TSR_SORT_MERGE
               ? cub::DeviceMergeSort::SortKeys(room, bytes, device->words, device->n, is_less(),
                                                device->stream)
               : cub::DeviceRadixSort::SortKeys(room, bytes, buffers, device->n, low, low + bits,
                                                device->stream);
  };
  if (device->n < 2 || bits == 0)
    return TSR_OK;
  TSR_CUDA(run(), "preparing the sorting of points");
  TSR_STEP(device->memory.get(&room, (int64_t)bytes, 1, "the sorting of points", error));
  TSR_CUDA(run(), "sorting the points");
  device->memory.free_one(room);
  if (sort != TSR_SORT_MERGE && buffers.Current() != device->words)
    std::swap(device->words, device->scratch);
  return TSR_OK;
}
