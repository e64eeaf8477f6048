// SPDX-License-Identifier: BSD-3-Clause
// In a file of its own, since CUB takes long to compile.
#include "cuda/curves/plan.cuh"

#include <cub/device/device_scan.cuh>

namespace {

struct add_items {
  __host__ __device__ tsr_item_sum operator()(const tsr_item_sum &a, const tsr_item_sum &b) const {
    return {a.spans + b.spans, a.open + b.open, a.cells + b.cells};
  }
};

} // namespace

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
