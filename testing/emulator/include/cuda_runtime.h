// SPDX-License-Identifier: BSD-3-Clause
// What a file of CUDA C++ finds without including anything: the words of the language, a kernel's
// own variables, and launches. device_functions.h holds what kernels call.
#ifndef EMULATOR_CUDA_RUNTIME_H
#define EMULATOR_CUDA_RUNTIME_H

#include "cuda_runtime_api.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define __global__
#define __device__
#define __host__
#define __constant__
#define __grid_constant__
#define __shared__ static
#define __launch_bounds__(...)
#define __forceinline__ inline
#define __noinline__
#define __align__(BYTES) __attribute__((aligned(BYTES)))

struct uchar4 {
  unsigned char x, y, z, w;
};
struct __attribute__((aligned(16))) int4 {
  int x, y, z, w;
};
struct __attribute__((aligned(16))) uint4 {
  unsigned x, y, z, w;
};
struct __attribute__((aligned(16))) float4 {
  float x, y, z, w;
};
struct __attribute__((aligned(16))) double2 {
  double x, y;
};
static inline uchar4 make_uchar4(unsigned char x, unsigned char y, unsigned char z,
                                 unsigned char w) {
  return {x, y, z, w};
}
static inline int4 make_int4(int x, int y, int z, int w) { return {x, y, z, w}; }
static inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }

#include "device_functions.h"
#include "launches.h"

// The runtime's calls as its C++ header has them: typed.
template <class T> cudaError_t cudaMalloc(T **to, size_t bytes) {
  return cudaMalloc(reinterpret_cast<void **>(to), bytes);
}
template <class... P>
cudaError_t cudaFuncSetAttribute(void (*kernel)(P...), cudaFuncAttribute which, int value) {
  return cudaFuncSetAttribute(reinterpret_cast<const void *>(kernel), which, value);
}

#endif
