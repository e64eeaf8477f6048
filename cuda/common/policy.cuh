// SPDX-License-Identifier: BSD-3-Clause
// How much work a kernel launch gets. Limits that follow from the device are computed from its
// properties. The other numbers were measured on an H200 (132 multiprocessors, each with room for
// 32 blocks and 2,048 threads). They change the speed only, never the result.
#ifndef TSR_COMMON_POLICY_CUH
#define TSR_COMMON_POLICY_CUH

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

namespace tsr_policy {

// ---- every kernel

// Threads of a block that uses no shared memory: eight such blocks fill a multiprocessor.
const int block = 256;

// Threads of a block that holds a tile in shared memory, measured.
const int tile_block = 128;

// Launch bounds of kernels that other kernels launch, whatever block size they are launched with.
// CUDA seems to reserve shared memory for a child by the largest block that its kernel allows: with
// bounds of 1024, eight times as many blocks ran at once.
const int child_bounds = 1024;

// Shared memory that a kernel gets without asking for more, on every device.
const size_t shared_unasked = 48 << 10;

// ---- launches from kernels

// Least size of the pool of pending launches: CUDA's own default, so that the limit is rarely
// changed.
const int64_t least_slots = 2048;

// Largest size of the pool of pending launches. A larger pool slows every launch down and takes
// memory: 2.3 GiB for 262,144 slots.
const int64_t most_slots = 32768;

// Size of the pool for the given number of launches.
inline int64_t slots_for(int64_t launches) {
  return std::max(least_slots, std::min(launches, most_slots));
}

// ---- curves

// An output of fewer points than this takes no longer than a few kernel launches. Small tiles then
// spread it over all multiprocessors, and parent kernels do all the work themselves.
const int64_t few_points = 1000000;

// One thread makes all points of a span if spans have fewer than span_points on average and none
// has more than span_segments, measured. Otherwise a block makes a tile of points: it loads each
// span once for many threads, but takes twice as long if a span has only one or two points.
const int64_t span_points = 8;
const int64_t span_segments = 4096;

// Number of threads that fills the device. With fewer spans than this, several threads share a
// span.
const int64_t span_threads = 1 << 18;

// An output is copied to the host in parts while later parts are still being made. A part of this
// many bytes is worth its kernel launches, and with more than most_parts the first copy starts
// hardly any earlier. Tests on the emulated device set part_bytes themselves, since their outputs
// are small.
#ifndef TSR_PART_BYTES
#define TSR_PART_BYTES ((int64_t)2 << 20)
#endif
const int64_t part_bytes = TSR_PART_BYTES;
const int most_parts = 8;

// Points that one block of the flat fill makes.
const int flat_tile = 1024;

// Points that one block of the tuned fill makes: small_tile for outputs of few points;
// short_line_tile for short lines, since a tile should not hold more lines than its block has
// threads to load them; otherwise long_line_tile, the largest that still fills the device.
const int small_tile = 512, short_line_tile = 1536, long_line_tile = 2048;
const int64_t short_line = 20; // points

// Number of parent threads that share the curves among child kernels. The launches cost 0.02 ms in
// all, plus 0.3 microseconds for each beyond about 60. By default there are therefore fewer than 60
// parents. If the user sets the threshold, which decides how many curves become children, there are
// enough for several on each multiprocessor.
const int64_t parents_of_children = 48, parents_by_wish = 512;

// Curves of a parent that launches no children: 20,000 curves then make four parents on each
// multiprocessor.
const int64_t curves_kept = 38;

// ---- discs

// A disc that touches at least this many tiles is handled by a child kernel: a single thread would
// walk through the tiles much longer than the other threads of its warp. Lower thresholds, which
// make more and smaller children, took up to 1.7 times as long (a million small discs, threshold
// 4). Thresholds from 64 to 4096 were within 2 % of each other.
const int64_t tiles_of_a_large_disc = 64;

// Up to this many pairs of a tile and a disc, every tile tests all discs, which saves a launch, a
// scan and a sort. Both ways took equally long at 10 million pairs for an image of 512 pixels a
// side, at 15 million for 1024 and at 16 million for 4096, with discs of up to a hundredth of the
// image (testing/bench/bench_discs_cuda).
const int64_t most_looks = 12000000;

// ---- point grids

// Up to this many points the recursive kernels start at the root of the tree.
const int64_t points_from_the_root = (int64_t)1 << 20;

// With more points than that, the first levels are sorted before the recursion, until a cell has
// about this many points. There are then enough cells to fill the device, and each one is a good
// amount of work for a block.
const int64_t points_a_first_cell = (int64_t)1 << 13;

// Points for each slot of the pool of pending launches, within least_slots and most_slots,
// measured.
const int64_t points_a_slot = 256;

} // namespace tsr_policy

#endif
