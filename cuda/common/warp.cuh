// SPDX-License-Identifier: BSD-3-Clause
// What the 32 threads of a warp find together. All of them call these functions.
#ifndef TSR_COMMON_WARP_CUH
#define TSR_COMMON_WARP_CUH

#include "cuda/common/common.cuh"

// The largest of the lanes' values, in every lane. What is no number does not count.
static __device__ __forceinline__ float tsr_warp_most(float v) {
  for (int step = 16; step > 0; step /= 2)
    v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, step));
  return v;
}

static __device__ __forceinline__ double tsr_warp_most(double v) {
  for (int step = 16; step > 0; step /= 2)
    v = fmax(v, __shfl_xor_sync(0xffffffffu, v, step));
  return v;
}

static __device__ __forceinline__ int tsr_warp_most(int v) {
  for (int step = 16; step > 0; step /= 2)
    v = max(v, __shfl_xor_sync(0xffffffffu, v, step));
  return v;
}

// Raises *most, which holds the bits of a double that is not negative, to the largest of the lanes'
// values.
static __device__ __forceinline__ void tsr_warp_raise(unsigned long long *most, double v) {
  v = tsr_warp_most(v);
  const unsigned long long bits = (unsigned long long)__double_as_longlong(v);
  if (threadIdx.x % 32 == 0 && v > 0.0 && bits > *(volatile unsigned long long *)most)
    atomicMax(most, bits);
}

// Takes a place in a list for each lane that `has` something to store: the count before it.
template <class Count>
static __device__ __forceinline__ Count tsr_warp_place(Count *count, int has) {
  const unsigned lane = threadIdx.x % 32, all = __ballot_sync(0xffffffffu, has);
  Count first = 0;
  if (lane == 0 && all)
    first = atomicAdd(count, (Count)__popc(all));
  return __shfl_sync(0xffffffffu, first, 0) + __popc(all & ((1u << lane) - 1));
}

#endif
