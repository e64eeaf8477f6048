// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/common/scan.cuh"

#include <cub/device/device_scan.cuh>

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
