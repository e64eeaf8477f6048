// SPDX-License-Identifier: BSD-3-Clause
// Sorts pairs of a key and a value by CUB. It is a header of its own, since CUB takes long to
// compile.
#ifndef TSR_POINTGRID_PAIRS_CUH
#define TSR_POINTGRID_PAIRS_CUH

#include "cuda/pointgrid/sort.cuh"

#include <cub/device/device_radix_sort.cuh>

// Sorts keys with their values by the bits [first, last) of the keys. The current buffers then hold
// the result.
template <class Key, class Value>
tsr_status tsr_points_sort_pairs(tsr_pointgrid_device *s, cub::DoubleBuffer<Key> *keys,
                                 cub::DoubleBuffer<Value> *values, int64_t n, int first, int last,
                                 tsr_error *error) {
  void *room = nullptr;
  size_t bytes = 0;
  TSR_CUDA(
      cub::DeviceRadixSort::SortPairs(nullptr, bytes, *keys, *values, n, first, last, s->stream),
      "preparing the sorting of keys");
  TSR_STEP(s->memory.get(&room, (int64_t)bytes, 1, "the sorting of keys", error));
  TSR_CUDA(cub::DeviceRadixSort::SortPairs(room, bytes, *keys, *values, n, first, last, s->stream),
           "sorting the keys");
  s->memory.free_one(room);
  return TSR_OK;
}

#endif
