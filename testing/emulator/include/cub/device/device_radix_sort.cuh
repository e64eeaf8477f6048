// SPDX-License-Identifier: BSD-3-Clause
// CUB's radix sorts, as the C++ library's stable sort by the same bits. What is sorted ends in the
// other buffer, and this one is spoilt, since CUB may leave it so.
#ifndef EMULATOR_DEVICE_RADIX_SORT_CUH
#define EMULATOR_DEVICE_RADIX_SORT_CUH

#include <cuda_runtime.h>

#include "../room.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace cub {

struct DeviceRadixSort {
  template <class K>
  static cudaError_t SortKeys(void *room, size_t &bytes, DoubleBuffer<K> &keys, int64_t n,
                              int begin, int end, cudaStream_t stream = nullptr) {
    if (!emulator::has_room(room, bytes))
      return cudaSuccess;
    const emulator::device_works open;
    move(&keys, order_of(keys.Current(), n, begin, end));
    emulator::ran(stream);
    return cudaSuccess;
  }

  template <class K, class V>
  static cudaError_t SortPairs(void *room, size_t &bytes, DoubleBuffer<K> &keys,
                               DoubleBuffer<V> &values, int64_t n, int begin, int end,
                               cudaStream_t stream = nullptr) {
    if (!emulator::has_room(room, bytes))
      return cudaSuccess;
    const emulator::device_works open;
    const std::vector<int64_t> order = order_of(keys.Current(), n, begin, end);
    move(&keys, order);
    move(&values, order);
    emulator::ran(stream);
    return cudaSuccess;
  }

private:
  template <class K>
  static std::vector<int64_t> order_of(const K *keys, int64_t n, int begin, int end) {
    const int bits = end - begin;
    const K mask = bits >= (int)(8 * sizeof(K)) ? (K) ~(K)0 : (K)(((K)1 << bits) - 1);
    std::vector<int64_t> order((size_t)n);
    std::iota(order.begin(), order.end(), (int64_t)0);
    if (bits > 0)
      std::stable_sort(order.begin(), order.end(), [=](int64_t a, int64_t b) {
        return (keys[a] >> begin & mask) < (keys[b] >> begin & mask);
      });
    return order;
  }

  template <class T> static void move(DoubleBuffer<T> *it, const std::vector<int64_t> &order) {
    for (size_t k = 0; k < order.size(); ++k)
      it->Alternate()[k] = it->Current()[order[k]];
    memset(static_cast<void *>(it->Current()), 0x5A, order.size() * sizeof(T));
    it->selector ^= 1;
  }
};

} // namespace cub

#endif
