// SPDX-License-Identifier: BSD-3-Clause
// What CUB's algorithms have in common.
#ifndef EMULATOR_ROOM_H
#define EMULATOR_ROOM_H

#include "../../hidden.h"

#include <cstddef>
#include <cstring>

namespace emulator {

const size_t room_bytes = 64;

// False: only the size was asked for. What is given is written all over, as CUB does.
inline bool has_room(void *room, size_t &bytes) {
  const device_works open;
  if (room)
    memset(room, 0x5A, bytes);
  else
    bytes = room_bytes;
  return room != nullptr;
}

} // namespace emulator

namespace cub {

template <class T> struct DoubleBuffer {
  T *d_buffers[2];
  int selector = 0;
  DoubleBuffer(T *current, T *other) : d_buffers{current, other} {}
  T *Current() const { return d_buffers[selector]; }
  T *Alternate() const { return d_buffers[selector ^ 1]; }
};

} // namespace cub

#endif
