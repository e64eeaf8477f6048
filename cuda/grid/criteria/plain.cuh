// SPDX-License-Identifier: BSD-3-Clause
// The pass over the field for the most common rule: the value range of one float or double for each
// sample, in three dimensions. This file has its arguments, and the arithmetic that it shares with
// the levels above.
#ifndef TSR_GRID_CRITERIA_PLAIN_CUH
#define TSR_GRID_CRITERIA_PLAIN_CUH

#include "cuda/grid/criteria/marking.cuh"

const double tsr_plain_largest = TSR_LARGEST_VALUE;

// Smaller and larger of two values; NaN if either is NaN.
template <class T> __device__ __forceinline__ T tsr_low_of(T a, T b) {
  return !(a >= b) && b == b ? a : b;
}
template <class T> __device__ __forceinline__ T tsr_high_of(T a, T b) {
  return !(a <= b) && b == b ? a : b;
}
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
template <> __device__ __forceinline__ float tsr_low_of(float a, float b) {
  float c;
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(c) : "f"(a), "f"(b));
  return c;
}
template <> __device__ __forceinline__ float tsr_high_of(float a, float b) {
  float c;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(c) : "f"(a), "f"(b));
  return c;
}
#endif

// Smallest and largest value of a node: its payload, in the array's own type.
template <class T> struct tsr_extremes {
  T lo, hi;
  __device__ __forceinline__ void one(T v) { lo = hi = v; }
  __device__ __forceinline__ void none() {
    lo = (T)INFINITY;
    hi = (T)-INFINITY;
  }
  __device__ __forceinline__ void add(T v) {
    lo = tsr_low_of(lo, v);
    hi = tsr_high_of(hi, v);
  }
  __device__ __forceinline__ void add(const tsr_extremes &s) {
    lo = tsr_low_of(lo, s.lo);
    hi = tsr_high_of(hi, s.hi);
  }
  // Adds the extremes of all lanes whose numbers differ from this lane's only in the bits `lanes`.
  __device__ __forceinline__ void add_lane(int lanes) {
    tsr_extremes s;
    s.lo = __shfl_xor_sync(0xffffffffu, lo, lanes);
    s.hi = __shfl_xor_sync(0xffffffffu, hi, lanes);
    add(s);
  }
  // The limit is finite, so a range that is not finite asks for refinement.
  __device__ __forceinline__ unsigned asks(double limit) const {
    return !((double)hi - (double)lo <= limit);
  }
};

// Where the bits of a level are stored.
struct tsr_plain_level {
  uint8_t *bytes;
  int64_t first[3], size[3]; // added to a parent's index: its place in the box; the box's size
  int asks;                  // 0: no node of the level is refined
};

struct tsr_plain_args {
  const void *values;       // of the first owned sample
  int64_t step[2];          // values from row to row, from plane to plane
  int64_t cells[3];         // owned
  int64_t last[3];          // last sample that belongs to them, from the first owned one
  double limit;             // refined if not at most this
  int fresh;                // 1: bytes are overwritten; 0: bits are added to them
  tsr_plain_level level[3]; // of the nodes of 2, 4 and 8 cubed cells
  void *spans;              // extremes of the nodes of 16 cubed cells; NULL: there are none
  int64_t nodes[3];         // number of these nodes along each axis
  int *odd;
  int if_odd; // 1: nothing is done unless *odd is set
};

// Arguments of a pass over the owned nodes. fresh, if_odd: as for tsr_mark_by_range_pass.
tsr_plain_args tsr_grid_plain_args(const tsr_grid_device *grid, const tsr_rule &rule, int fresh,
                                   int if_odd);

// Place of the byte for the children of parent (px, py, pz).
static __device__ __forceinline__ int64_t tsr_plain_at(const tsr_plain_level &level, int64_t px,
                                                       int64_t py, int64_t pz) {
  const int64_t *first = level.first, *size = level.size;
  return ((pz + first[2]) * size[1] + (py + first[1])) * size[0] + px + first[0];
}

static __device__ __forceinline__ void tsr_plain_put(uint8_t *byte, int fresh, unsigned bits) {
  if (fresh)
    *byte = (uint8_t)bits;
  else if (bits)
    *byte |= (uint8_t)bits;
}

#endif
