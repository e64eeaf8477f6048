// SPDX-License-Identifier: BSD-3-Clause
// What the emulator's parts know of one another beside what kernels see.
#ifndef EMULATOR_RUNTIME_H
#define EMULATOR_RUNTIME_H

#include "cuda_runtime_api.h"

namespace emulator {

const size_t shared_most = 227 << 10; // what a block may ask for

// The thread of the host runs a kernel. Only one does at a time.
extern thread_local bool in_kernel;

// The error that cudaGetLastError gives next.
void fail(cudaError_t code);

size_t limit(cudaLimit which);

} // namespace emulator

#endif
