// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/common/sort.cuh"

#include <cub/device/device_radix_sort.cuh>

namespace {

// Calls sort(room, bytes) twice, as CUB wants it: for the size of its temporary memory, and to
// sort.
template <class Sort> tsr_status run(const Sort &sort, tsr_memory *memory, tsr_error *error) {
  void *room = nullptr;
  size_t bytes = 0;
  TSR_CUDA(sort(room, bytes), "preparing a sort");
  TSR_STEP(memory->get(&room, (int64_t)bytes, 1, "a sort", error));
  TSR_CUDA(sort(room, bytes), "sorting");
  memory->free_one(room);
  return TSR_OK;
}

// Puts the buffer with the result first.
template <class T> void take(cub::DoubleBuffer<T> *from, T *(&to)[2]) {
  to[0] = from->Current();
  to[1] = from->Alternate();
}

} // namespace

tsr_status tsr_sort_keys(uint64_t *(&keys)[2], int64_t n, int low, int bits, tsr_memory *memory,
                         tsr_error *error) {
  cub::DoubleBuffer<uint64_t> buffers(keys[0], keys[1]);
  const auto sort = [&](void *room, size_t &bytes) {
    return cub::DeviceRadixSort::SortKeys(room, bytes, buffers, n, low, low + bits,
                                          memory->on_stream());
  };
  if (n < 2 || bits == 0)
    return TSR_OK;
  TSR_STEP(run(sort, memory, error));
  take(&buffers, keys);
  return TSR_OK;
}

template <class Key, class Value>
tsr_status tsr_sort_pairs(Key *(&keys)[2], Value *(&values)[2], int64_t n, int low, int bits,
                          tsr_memory *memory, tsr_error *error) {
  cub::DoubleBuffer<Key> key_buffers(keys[0], keys[1]);
  cub::DoubleBuffer<Value> value_buffers(values[0], values[1]);
  const auto sort = [&](void *room, size_t &bytes) {
    return cub::DeviceRadixSort::SortPairs(room, bytes, key_buffers, value_buffers, n, low,
                                           low + bits, memory->on_stream());
  };
  if (n < 2 || bits == 0)
    return TSR_OK;
  TSR_STEP(run(sort, memory, error));
  take(&key_buffers, keys);
  take(&value_buffers, values);
  return TSR_OK;
}

template tsr_status tsr_sort_pairs(uint32_t *(&)[2], uint32_t *(&)[2], int64_t, int, int,
                                   tsr_memory *, tsr_error *);
template tsr_status tsr_sort_pairs(uint64_t *(&)[2], uint32_t *(&)[2], int64_t, int, int,
                                   tsr_memory *, tsr_error *);
template tsr_status tsr_sort_pairs(uint64_t *(&)[2], int64_t *(&)[2], int64_t, int, int,
                                   tsr_memory *, tsr_error *);
