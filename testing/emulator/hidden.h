// SPDX-License-Identifier: BSD-3-Clause
// Memory of cudaMalloc, which the host cannot read or write: a host that touches it ends with a
// segmentation fault. It is open while a kernel, a copy or the emulator works on it.
#ifndef EMULATOR_HIDDEN_H
#define EMULATOR_HIDDEN_H

#include <cstddef>

namespace emulator {

// Open memory of `bytes` bytes; hide() hides it. NULL: there is none.
void *hidden_alloc(size_t bytes);
void hide(void *memory);

// Frees memory of hidden_alloc; false if `memory` is not such memory.
bool hidden_free(void *memory);

// Opens all hidden memory for its lifetime. Scopes may overlap, also on several threads.
class device_works {
public:
  device_works();
  ~device_works();
  device_works(const device_works &) = delete;
  device_works &operator=(const device_works &) = delete;
};

} // namespace emulator

#endif
