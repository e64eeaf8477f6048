// SPDX-License-Identifier: BSD-3-Clause
// How much work a launch gets: the numbers that were chosen by measuring, each with its reason.
// What follows from the device is computed from its properties; the rest was measured on an H200
// (132 multiprocessors, each with room for 32 blocks and 2,048 threads) and changes speed only.
#ifndef TSR_POLICY_CUH
#define TSR_POLICY_CUH

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

namespace tsr_policy {

// ---- every kernel

// Threads of a block where nothing is shared or kept: eight such blocks fill a multiprocessor.
const int block = 256;

// The same where a block holds a tile in shared memory: measured.
const int tile_block = 128;

// Launch bounds of child grids, whatever they are launched with. A child's shared memory seems to
// be set aside for the largest block that its kernel allows, so that wide bounds let eight times as
// many blocks run at once.
const int child_bounds = 1024;

// Shared memory that a kernel gets without asking for more, on every device.
const size_t shared_unasked = 48 << 10;

// ---- launches from kernels

// Slots for launches that have not ended: CUDA's own number, so that as a rule nothing is set.
const int64_t least_slots = 2048;

// A larger pool makes every launch slower and takes memory: at 262,144 slots 2.3 GiB.
const int64_t most_slots = 32768;

// Slots for so many launches.
inline int64_t slots_for(int64_t launches) {
  return std::max(least_slots, std::min(launches, most_slots));
}

// ---- curves

// An output of fewer points is made in the time that a few launches take: small tiles then give
// every multiprocessor some, and parents do all themselves.
const int64_t few_points = 1000000;

// A thread a span makes the points where spans have fewer of them than this on average, and no span
// more than that: measured. Tiles load a span once for many threads, and take twice as long where
// it has but one or two points.
const int64_t span_points = 8;
const int64_t span_segments = 4096;

// Threads that fill a device: where there are fewer spans, a few threads share one.
const int64_t span_threads = 1 << 18;

// An output goes over the bus in parts while those after them are made: so many bytes are worth the
// launches, and more parts bring the first one forward by little. The tests that emulate a device
// have small outputs.
#ifndef TSR_PART_BYTES
#define TSR_PART_BYTES ((int64_t)2 << 20)
#endif
const int64_t part_bytes = TSR_PART_BYTES;
const int most_parts = 8;

// Points a block of the flat fill makes.
const int flat_tile = 1024;

// The same of the tuned fill: small for few points; in between for short lines, since no more of
// them should lie in a tile than its block has threads to load them; else as large as still fills
// the device.
const int small_tile = 512, short_line_tile = 1536, long_line_tile = 2048;
const int64_t short_line = 20; // points

// Parents that share the curves among their children. Launches cost a fixed 0.02 ms, and 0.3
// microseconds each beyond some 60: so fewer than that, unless the user sets the threshold and with
// it what becomes a child; then enough for several on each multiprocessor.
const int64_t parents_of_children = 48, parents_by_wish = 512;

// Curves of a parent that launches nothing: 20,000 curves then give four parents a multiprocessor.
const int64_t curves_kept = 38;

// The tuned children. Up to so many points the parents are done before children would run.
const int64_t many_points = 50000000;

// Beyond, the parents keep three tenths of the points, but no more than so many: what they make
// while the children start.
inline int64_t points_kept(int64_t n_points) {
  return std::min<int64_t>(n_points * 3 / 10, 6000000);
}

// Few children cost less than many.
const int64_t tuned_launchers = 8;

// Parents that do all the work: one for each place that a multiprocessor has for a block.
inline int64_t parents_alone(const cudaDeviceProp &device) {
  return (int64_t)device.maxBlocksPerMultiProcessor * device.multiProcessorCount;
}

// Parents beside those that launch children: measured, four for each multiprocessor.
inline int64_t parents_beside(const cudaDeviceProp &device) {
  return 4 * (int64_t)device.multiProcessorCount;
}

// ---- discs

// A disc that touches so many tiles goes into the child grid: a thread would walk through them much
// longer than the others of its warp. More and smaller children took up to 1.7 times as long (a
// million small discs from 4 tiles on); 64 to 4096 were within 2 % of each other.
const int64_t tiles_of_a_large_disc = 64;

// Up to so many pairs of a tile and a disc every tile looks through all discs, which costs no
// launch, scan and sort. Both took as long at 10 million pairs (512 pixels a side), 15 (1024) and
// 16 (4096), with discs of up to a hundredth of the image (testing/bench/bench_discs_cuda).
const int64_t most_looks = 12000000;

// ---- point grids

// So many points the blocks of a recursion share out alone, from the root on.
const int64_t points_from_the_root = (int64_t)1 << 20;

// Of more the first levels are sorted before, down to about so many points a cell: enough blocks to
// fill the device then, and each of them has much to do.
const int64_t points_a_first_cell = (int64_t)1 << 13;

// Points to every slot of the pool, as far as the two bounds above let it grow: measured.
const int64_t points_a_slot = 256;

} // namespace tsr_policy

#endif
