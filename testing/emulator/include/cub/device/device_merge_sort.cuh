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
                              cudaStream_t = nullptr) {
    if (emulator::has_room(room, bytes))
      std::sort(keys, keys + n, less);
    return cudaSuccess;
  }
};

} // namespace cub

#endif
