// SPDX-License-Identifier: BSD-3-Clause
#ifndef EMULATOR_DEVICE_MERGE_SORT_CUH
#define EMULATOR_DEVICE_MERGE_SORT_CUH

#include <cuda_runtime.h>

#include "../room.h"

#include <algorithm>

namespace cub {

struct DeviceMergeSort {
  template <class K, class Less>
  static cudaError_t SortKeys(void *room, size_t &bytes, K *keys, int64_t n, Less less,
                              cudaStream_t stream = nullptr) {
    if (!emulator::has_room(room, bytes))
      return cudaSuccess;
    std::sort(keys, keys + n, less);
    emulator::ran(stream);
    return cudaSuccess;
  }
};

} // namespace cub

#endif
