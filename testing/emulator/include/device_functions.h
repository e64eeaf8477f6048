// SPDX-License-Identifier: BSD-3-Clause
// What kernels call: votes and shuffles, barriers, atomics, intrinsics. Threads of a block take
// turns on one thread of the host, so that an atomic is a plain operation.
#ifndef EMULATOR_DEVICE_FUNCTIONS_H
#define EMULATOR_DEVICE_FUNCTIONS_H

#include "block.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace emulator {

template <class T> uint64_t to_word(T value) {
  static_assert(sizeof value <= sizeof(uint64_t), "shuffles are of 8 bytes at most");
  uint64_t word = 0;
  memcpy(&word, &value, sizeof value);
  return word;
}
template <class T> T from_word(uint64_t word) {
  T value;
  memcpy(&value, &word, sizeof value);
  return value;
}
// The value of a lane; of one that takes no part CUDA promises nothing, and this makes it show.
template <class T> T shuffle(unsigned mask, T value, unsigned from) {
  const exchange &found = meet_warp(mask, "__shfl_sync", to_word(value));
  return from_word<T>(found.lanes >> from & 1u ? found.words[from] : 0xA5A5A5A5A5A5A5A5u);
}
template <class T> struct same {
  typedef T type; // an argument of this type is converted
};

} // namespace emulator

static inline void __syncthreads() { emulator::meet_block("__syncthreads", false); }
static inline int __syncthreads_or(int v) {
  return emulator::meet_block("__syncthreads_or", v != 0) > 0;
}
static inline int __syncthreads_count(int v) {
  return emulator::meet_block("__syncthreads_count", v != 0);
}
static inline void __syncwarp(unsigned mask = ~0u) { emulator::meet_warp(mask, "__syncwarp", 0); }
static inline void __threadfence() {}
static inline void __threadfence_system() {}

template <class T> static inline T __shfl_sync(unsigned mask, T v, int from) {
  return emulator::shuffle(mask, v, (unsigned)from & 31u);
}
template <class T> static inline T __shfl_xor_sync(unsigned mask, T v, int with) {
  return emulator::shuffle(mask, v, (emulator::lane() ^ (unsigned)with) & 31u);
}
template <class T> static inline T __shfl_up_sync(unsigned mask, T v, unsigned by) {
  const unsigned lane = emulator::lane();
  return emulator::shuffle(mask, v, lane >= by ? lane - by : lane);
}
template <class T> static inline T __shfl_down_sync(unsigned mask, T v, unsigned by) {
  const unsigned lane = emulator::lane();
  return emulator::shuffle(mask, v, lane + by < 32 ? lane + by : lane);
}
static inline unsigned __ballot_sync(unsigned mask, int v) {
  const emulator::exchange &found = emulator::meet_warp(mask, "__ballot_sync", v != 0);
  unsigned votes = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    if (found.lanes >> lane & 1u && found.words[lane])
      votes |= 1u << lane;
  return votes;
}
static inline int __any_sync(unsigned mask, int v) { return __ballot_sync(mask, v) != 0; }
template <class T> static inline unsigned __match_any_sync(unsigned mask, T v) {
  const uint64_t mine = emulator::to_word(v);
  const emulator::exchange &found = emulator::meet_warp(mask, "__match_any_sync", mine);
  unsigned alike = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    if (found.lanes >> lane & 1u && found.words[lane] == mine)
      alike |= 1u << lane;
  return alike;
}

template <class T> static inline T atomicAdd(T *at, typename emulator::same<T>::type v) {
  const T before = *at;
  *at = before + v;
  return before;
}
template <class T> static inline T atomicOr(T *at, typename emulator::same<T>::type v) {
  const T before = *at;
  *at = before | v;
  return before;
}
template <class T> static inline T atomicAnd(T *at, typename emulator::same<T>::type v) {
  const T before = *at;
  *at = before & v;
  return before;
}
template <class T> static inline T atomicMax(T *at, typename emulator::same<T>::type v) {
  const T before = *at;
  *at = before < v ? v : before;
  return before;
}
template <class T> static inline T atomicMin(T *at, typename emulator::same<T>::type v) {
  const T before = *at;
  *at = v < before ? v : before;
  return before;
}
template <class T>
static inline T atomicCAS(T *at, typename emulator::same<T>::type old,
                          typename emulator::same<T>::type v) {
  const T before = *at;
  *at = before == old ? v : before;
  return before;
}

static inline int __popc(unsigned v) { return __builtin_popcount(v); }
static inline int __ffs(int v) { return __builtin_ffs(v); }
static inline int __ffsll(long long v) { return __builtin_ffsll(v); }
static inline int __clzll(long long v) { return v ? __builtin_clzll((unsigned long long)v) : 64; }
static inline long long __double_as_longlong(double v) {
  return emulator::from_word<long long>(emulator::to_word(v));
}
static inline double __longlong_as_double(long long v) {
  return emulator::from_word<double>(emulator::to_word(v));
}
static inline double __hiloint2double(int high, int low) {
  return __longlong_as_double((long long)((uint64_t)(uint32_t)high << 32 | (uint32_t)low));
}
static inline unsigned __float_as_uint(float v) {
  return emulator::from_word<unsigned>(emulator::to_word(v));
}
static inline float __uint_as_float(unsigned v) {
  return emulator::from_word<float>(emulator::to_word(v));
}
// Rounded down.
static inline float __double2float_rd(double v) {
  const float nearest = (float)v;
  return (double)nearest > v ? nextafterf(nearest, -INFINITY) : nearest;
}
static inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
template <class T> static inline T __ldg(const T *at) { return *at; }
template <class T> static inline void __stcs(T *at, T v) { *at = v; }

template <class A, class B,
          class = std::enable_if_t<std::is_arithmetic<A>::value && std::is_arithmetic<B>::value>>
static inline std::common_type_t<A, B> min(A a, B b) {
  typedef std::common_type_t<A, B> T;
  return (T)b < (T)a ? (T)b : (T)a;
}
template <class A, class B,
          class = std::enable_if_t<std::is_arithmetic<A>::value && std::is_arithmetic<B>::value>>
static inline std::common_type_t<A, B> max(A a, B b) {
  typedef std::common_type_t<A, B> T;
  return (T)a < (T)b ? (T)b : (T)a;
}

#endif
