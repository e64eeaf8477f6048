// SPDX-License-Identifier: BSD-3-Clause
// One tile of the tuned fill, by one block.
//
// A tile is a range of consecutive output points, whatever curves they belong to, so that all
// blocks have the same work. The block first loads the curves that begin in its tile, and the one
// that reaches into it, a thread a curve, and sets a bit where each one starts:
//
//     points of the tile  0 1 2 3 4 5 6 7 8 9 ...       staged curves  A B C D
//     curve of each       A A A B B B B C D D ...
//     mask of starts      1 0 0 1 0 0 0 1 1 0 ...       before each word of 32 bits: starts so far
//
// Then every lane makes four points in turn. The curve of its first one is found without a search:
// it is the number of starts up to that point, `before` of the word and a popcount within it; a bit
// that is set takes the lane on to the next curve. A warp's 128 points meet in shared memory and go
// out 16 bytes at a time. The ends of a curve are control values, bit for bit, which the polynomial
// gives by itself but for the odd cases that are copied afterwards.
#ifndef TSR_CURVES_STRATEGY_TUNED_TILE_CUH
#define TSR_CURVES_STRATEGY_TUNED_TILE_CUH

#include "cuda/curves/strategy/tuned.cuh"

// Doubles of a staged curve: 16 bytes an odd number of times, so that the lanes of a warp that read
// or write neighbouring curves meet different banks of shared memory.
static __host__ __device__ constexpr int tsr_line_doubles(int values) {
  return 2 * (((2 + values + 1) / 2) | 1);
}

// A staged curve, read and written 16 bytes at a time.
template <int ORDER, int NC> struct alignas(16) tsr_line {
  double h;
  int start, last; // place of its first point in the tile (can be negative); number of its last
  double q[tsr_line_doubles(ORDER * NC) - 2];
};

template <int ORDER, int NC>
static __device__ __forceinline__ void tsr_line_copy(const tsr_line<ORDER, NC> *from,
                                                     tsr_line<ORDER, NC> *to) {
#pragma unroll
  for (int v = 0; v < (2 + ORDER * NC + 1) / 2; ++v)
    ((int4 *)to)[v] = ((const int4 *)from)[v];
}

// Converts an integer to double by an addition: conversion instructions are four times as slow.
static __device__ __forceinline__ double tsr_int_to_double(int k) {
  return __hiloint2double(0x43300000, k) - 4503599627370496.0;
}

// Value at point k of a line. At the line's ends it equals the control value, except for the sign
// of a zero and for values that are not finite (tsr_line_is_odd).
template <int ORDER, int NC>
static __device__ __forceinline__ void tsr_line_point(const tsr_line<ORDER, NC> &line, int k,
                                                      float *to) {
  double basis[ORDER];
  const double u = k == line.last ? 1.0 : tsr_int_to_double(k) * line.h;
  tsr_bernstein(ORDER - 1, u, basis);
#pragma unroll
  for (int c = 0; c < NC; ++c) {
    double sum = basis[0] * line.q[c];
#pragma unroll
    for (int j = 1; j < ORDER; ++j)
      sum += basis[j] * line.q[j * NC + c];
    to[c] = (float)sum;
  }
}

// 1 if the ends must be copied: a control value is infinite or not a number, or minus zero.
template <int COUNT> static __device__ __forceinline__ int tsr_line_is_odd(const float *q) {
  int odd = 0;
#pragma unroll
  for (int v = 0; v < COUNT; ++v) {
    const unsigned bits = __float_as_uint(q[v]);
    odd |= (bits & 0x7f800000u) == 0x7f800000u || bits == 0x80000000u;
  }
  return odd;
}

// Loads line i into shared memory. before: number of the tile's first point. 1 if it is odd.
template <int ORDER, int NC>
static __device__ __forceinline__ int tsr_line_load(const tsr_tuned_params &params, int64_t i,
                                                    int64_t before, tsr_line<ORDER, NC> *to) {
  const int64_t first = params.segment_start[i] + i;
  const int segments = (int)(params.segment_start[i + 1] + i - first);
  const float *from = params.packed + i * (ORDER * NC);
  tsr_line<ORDER, NC> line;
  float q[ORDER * NC];
#pragma unroll
  for (int v = 0; v < ORDER * NC; ++v)
    q[v] = __ldg(from + v);
  line.start = (int)(first - before);
  line.last = segments;
  line.h = 1.0 / (double)segments;
#pragma unroll
  for (int v = 0; v < ORDER * NC; ++v)
    line.q[v] = (double)q[v];
  tsr_line_copy(&line, to);
  return tsr_line_is_odd<ORDER * NC>(q);
}

// Copies both ends of a line to the tile's output, as far as they lie in it.
template <int ORDER, int NC>
static __device__ void tsr_line_ends(const tsr_line<ORDER, NC> &line, int points, float *out) {
  const int end = line.start + line.last;
  for (int c = 0; c < NC; ++c) {
    if (line.start >= 0 && line.start < points)
      out[line.start * NC + c] = (float)line.q[c];
    if (end >= 0 && end < points)
      out[end * NC + c] = (float)line.q[(ORDER - 1) * NC + c];
  }
}

// Points that a lane makes one after another, of a line that it reads once: reading lines is what
// bounds the kernel. A warp makes 32 times as many, its chunk.
const int tsr_lane_points = 4, tsr_chunk_points = 32 * tsr_lane_points;

// A warp's chunk goes out 16 bytes at a time; at the end of the output value by value.
template <int NC>
static __device__ __forceinline__ void tsr_line_store(const float *stage, float *out, int points) {
  const int lane = (int)threadIdx.x % 32;
  if (points >= tsr_chunk_points) {
#pragma unroll
    for (int v = 0; v < NC; ++v)
      __stcs((float4 *)out + v * 32 + lane, ((const float4 *)stage)[v * 32 + lane]);
  } else {
    for (int v = lane; v < points * NC; v += 32)
      out[v] = stage[v];
  }
}

// Lines that start before each word of the mask of line starts. Called by one warp.
static __device__ __forceinline__ void tsr_count_starts(const unsigned *bits, int words,
                                                        int *before) {
  const int lane = (int)threadIdx.x % 32;
  int sum = 0;
  for (int base = 0; base < words; base += 32) {
    const int own = base + lane < words ? __popc(bits[base + lane]) : 0;
    int scan = own;
    for (int d = 1; d < 32; d *= 2) {
      const int other = __shfl_up_sync(~0u, scan, d);
      scan += lane >= d ? other : 0;
    }
    if (base + lane < words)
      before[base + lane] = sum + scan - own;
    sum += __shfl_sync(~0u, scan, 31);
  }
}

// Points [tile * t, tile * (t + 1)). All threads of the block; blockDim.x a multiple of 32.
template <int ORDER, int NC>
static __device__ __forceinline__ void tsr_tuned_tile(const tsr_tuned_params &params, int64_t t,
                                                      char *shared) {
  typedef tsr_line<ORDER, NC> line_type;
  const int words = params.tile / 32, warps = (int)blockDim.x / 32;
  const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
  unsigned *bits = (unsigned *)shared;
  int *before = (int *)(bits + words);
  float *stage = (float *)(before + words) + warp * tsr_chunk_points * NC;
  line_type *lines = (line_type *)((float *)(before + words) + warps * tsr_chunk_points * NC);
  const int64_t first_point = t * params.tile, first_line = params.tile_lines[t];
  const int64_t next = params.tile_lines[t + 1];
  const int n_lines = (int)((next < params.n_lines ? next + 1 : next) - first_line);
  const int64_t left = params.n_points - first_point;
  const int points = left < params.tile ? (int)left : params.tile;
  float *out = params.out + first_point * NC;
  int odd = 0;
  for (int w = (int)threadIdx.x; w < words; w += (int)blockDim.x)
    bits[w] = 0;
  __syncthreads();
  for (int l = (int)threadIdx.x; l < n_lines; l += (int)blockDim.x) {
    odd |= tsr_line_load(params, first_line + l, first_point, &lines[l]);
    const int start = lines[l].start > 0 ? lines[l].start : 0;
    if (start < params.tile)
      atomicOr(&bits[start / 32], 1u << (start % 32));
  }
  odd = __syncthreads_or(odd);
  if (warp == 0)
    tsr_count_starts(bits, words, before);
  __syncthreads();
  for (int chunk = warp * tsr_chunk_points; chunk < points; chunk += warps * tsr_chunk_points) {
    const int j = chunk + tsr_lane_points * lane, bit = tsr_lane_points * lane % 32;
    const unsigned word = bits[j / 32];
    const line_type *at = lines + (before[j / 32] + __popc(word & ((2u << bit) - 1u)) - 1);
    // Behind the last point the values mean nothing and are not stored.
    float values[tsr_lane_points * NC];
    line_type line;
    tsr_line_copy(at, &line);
#pragma unroll
    for (int p = 0; p < tsr_lane_points; ++p) {
      if (p > 0 && (word >> (bit + p) & 1u))
        tsr_line_copy(++at, &line);
      tsr_line_point<ORDER, NC>(line, j + p - line.start, values + p * NC);
    }
#pragma unroll
    for (int v = 0; v < NC; ++v)
      ((float4 *)stage)[lane * NC + v] =
          make_float4(values[4 * v], values[4 * v + 1], values[4 * v + 2], values[4 * v + 3]);
    __syncwarp();
    tsr_line_store<NC>(stage, out + chunk * NC, points - chunk);
    __syncwarp();
  }
  if (odd) {
    __syncthreads();
    for (int l = (int)threadIdx.x; l < n_lines; l += (int)blockDim.x)
      tsr_line_ends(lines[l], points, out);
  }
}

// Bytes of shared memory of a block of `threads`.
static __host__ __device__ inline size_t tsr_tuned_bytes(const tsr_tuned_params &params,
                                                         int threads) {
  const size_t line = 8 * (size_t)tsr_line_doubles(params.order * params.components);
  const size_t lines = (size_t)params.most_lines * line;
  return (size_t)params.tile / 32 * 8 +
         (size_t)threads / 32 * tsr_chunk_points * 4 * (size_t)params.components + lines;
}

#endif
