// SPDX-License-Identifier: BSD-3-Clause
// Launches. rewrite.py turns
//   kernel<<<blocks, threads, shared, stream>>>(arguments)
// into
//   emulator::launch({blocks, threads, shared, stream}, [&]() { kernel(arguments); })
#ifndef EMULATOR_LAUNCHES_H
#define EMULATOR_LAUNCHES_H

#include "cuda_runtime_api.h"

#include <functional>
#include <tuple>
#include <utility>

namespace emulator {

// Of a grid, as kernel<<<...>>> has it.
struct shape {
  dim3 blocks, threads;
  size_t shared; // bytes
  cudaStream_t stream;
  shape(dim3 blocks_, dim3 threads_, size_t shared_ = 0, cudaStream_t stream_ = nullptr)
      : blocks(blocks_), threads(threads_), shared(shared_), stream(stream_) {}
};

// Runs `body` for every thread, or, from a kernel, notes it for when the running grid has ended.
// A failure is cudaGetLastError's.
void launch(const shape &of, std::function<void()> body);

// Something on the stream has ended that has written to memory of the device: a grid with all that
// it launched, or what stands for such.
void ran(cudaStream_t stream);

// How cudaLaunchKernelExC calls a kernel of which it knows the address alone.
typedef std::function<void()> (*binder)(const void *kernel, void **arguments);
void know(const void *kernel, binder how);

template <class... P, size_t... I>
std::tuple<P...> arguments_at(void **at, std::index_sequence<I...>) {
  (void)at; // of a kernel without parameters
  return std::tuple<P...>(*static_cast<P *>(at[I])...);
}

// rewrite.py turns (const void *)kernel into this.
template <class... P> const void *address_of(void (*kernel)(P...)) {
  know(reinterpret_cast<const void *>(kernel),
       [](const void *address, void **at) -> std::function<void()> {
         const auto typed = reinterpret_cast<void (*)(P...)>(const_cast<void *>(address));
         const auto arguments = arguments_at<P...>(at, std::index_sequence_for<P...>{});
         return [typed, arguments]() { std::apply(typed, arguments); };
       });
  return reinterpret_cast<const void *>(kernel);
}

} // namespace emulator

#endif
