// SPDX-License-Identifier: BSD-3-Clause
// The threads of the block that runs, and where they wait for one another.
#ifndef EMULATOR_BLOCK_H
#define EMULATOR_BLOCK_H

#include "cuda_runtime_api.h"

#include <cstdint>
#include <cstring>
#include <functional>

// What a kernel knows of itself.
extern uint3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;

namespace emulator {

const unsigned most_threads = 1024; // of a block

// Runs `body` once for each thread of the block blockIdx. shared: bytes of dynamic shared memory.
void run_block(const std::function<void()> &body, size_t shared);

// The current thread's place in its warp.
unsigned lane();

// What the lanes of a warp brought.
struct exchange {
  unsigned lanes; // a bit for each that did
  uint64_t words[32];
};

// The current thread brings `word` and waits for all lanes of `mask` that have not ended. They must
// all ask for the same `operation`. What is returned is valid until the lane waits again.
const exchange &meet_warp(unsigned mask, const char *operation, uint64_t word);

// Like meet_warp for all threads of the block. Returns how many of them passed `yes`.
int meet_block(const char *operation, bool yes);

// The dynamic shared memory of the block.
extern void *dynamic_shared;

// Is this the first thread of its block that comes by? entered: what the caller keeps of it.
bool is_new_block(unsigned long *entered);

template <class... T> void forget(T &...variables) {
  (memset(static_cast<void *>(&variables), 0xA5, sizeof variables), ...);
}

} // namespace emulator

// rewrite.py puts it behind the declaration of shared variables: what the block before left there
// must not pass for a value.
#define EMULATOR_FORGET(...)                                                                       \
  do {                                                                                             \
    static unsigned long entered;                                                                  \
    if (emulator::is_new_block(&entered))                                                          \
      emulator::forget(__VA_ARGS__);                                                               \
  } while (0)

#endif
