// SPDX-License-Identifier: BSD-3-Clause
// CUB's stable radix sorts: kept in one file, which takes long to compile.
#include "cuda/discs/plan.cuh"

#include <cub/device/device_radix_sort.cuh>

namespace {

// CUB is asked twice: for the size of its temporary memory, and to do it.
template <class Key>
tsr_status sort(tsr_discs_device *device, cub::DoubleBuffer<Key> &keys,
                cub::DoubleBuffer<uint32_t> &values, int64_t n, int bits, tsr_error *error) {
  void *room = nullptr;
  size_t bytes = 0;
  TSR_CUDA(
      cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, values, n, 0, bits, device->stream),
      "preparing the sorting of discs");
  TSR_STEP(device->memory.get(&room, (int64_t)bytes, 1, "the sorting of discs", error));
  TSR_CUDA(cub::DeviceRadixSort::SortPairs(room, bytes, keys, values, n, 0, bits, device->stream),
           "sorting the discs");
  device->memory.free_one(room);
  return TSR_OK;
}

} // namespace

tsr_status tsr_discs_sort_order(tsr_discs_device *device, uint64_t *keys[2], uint32_t *values[2],
                                int64_t n, uint32_t **sorted, tsr_error *error) {
  cub::DoubleBuffer<uint64_t> key_buffers(keys[0], keys[1]);
  cub::DoubleBuffer<uint32_t> value_buffers(values[0], values[1]);
  TSR_STEP(sort(device, key_buffers, value_buffers, n, 64, error));
  *sorted = value_buffers.Current();
  return TSR_OK;
}

tsr_status tsr_discs_sort_pairs(tsr_discs_device *device, tsr_discs_pairs *pairs, int bits,
                                tsr_error *error) {
  uint32_t *tiles, *ranks;
  TSR_STEP(device->memory.get(&tiles, pairs->n, "the tiles of the discs", error));
  TSR_STEP(device->memory.get(&ranks, pairs->n, "the tiles of the discs", error));
  cub::DoubleBuffer<uint32_t> key_buffers(pairs->tiles, tiles), value_buffers(pairs->ranks, ranks);
  TSR_STEP(sort(device, key_buffers, value_buffers, pairs->n, bits, error));
  pairs->tiles = key_buffers.Current();
  pairs->ranks = value_buffers.Current();
  device->memory.free_one(key_buffers.Alternate());
  device->memory.free_one(value_buffers.Alternate());
  return TSR_OK;
}
