// SPDX-License-Identifier: BSD-3-Clause
// CUB's prefix sums, as a loop. As in CUB, the first call tells how many bytes of room the second
// one gets.
#ifndef EMULATOR_DEVICE_SCAN_CUH
#define EMULATOR_DEVICE_SCAN_CUH

#include <cuda_runtime.h>

#include "../room.h"

namespace cub {

struct DeviceScan {
  template <class In, class Out, class Op, class T>
  static cudaError_t ExclusiveScan(void *room, size_t &bytes, In in, Out out, Op op, T sum,
                                   int64_t n, cudaStream_t stream = nullptr) {
    if (!emulator::has_room(room, bytes))
      return cudaSuccess;
    const emulator::device_works open;
    for (int64_t k = 0; k < n; ++k) {
      const T one = in[k];
      out[k] = sum;
      sum = op(sum, one);
    }
    emulator::ran(stream);
    return cudaSuccess;
  }

  template <class T>
  static cudaError_t ExclusiveSum(void *room, size_t &bytes, const T *in, T *out, int64_t n,
                                  cudaStream_t stream = nullptr) {
    const auto add = [](T a, T b) { return (T)(a + b); };
    return ExclusiveScan(room, bytes, in, out, add, T(0), n, stream);
  }
};

} // namespace cub

#endif
