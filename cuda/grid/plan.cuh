// SPDX-License-Identifier: BSD-3-Clause
// A plan of Adaptive Grid on the device: the descent. First a pass over the field (the marking
// kernels) sets a bit for every node that a criterion asks to refine. Then the levels are gone
// through from the roots down (the waves), and the bits of nodes that do not exist are cleared.
#ifndef TSR_GRID_PLAN_CUH
#define TSR_GRID_PLAN_CUH

#include "cuda/common/opened.cuh"
#include "cuda/common/transfer/transfer.cuh"
#include "cuda/grid/frame.cuh"

// A level of at most this many items is handled, together with the levels above it, by one block.
const int64_t tsr_small_level = 8192;

// Progress of the waves: the number of refined nodes of each level, and the last level that is
// done. It lies in host memory that the device can access.
struct tsr_wave_state {
  volatile unsigned long long refined[TSR_GRID_MAX_LEVEL + 1];
  volatile int level; // highest level that is done; -1: none
  volatile int launched;
  volatile int code;              // CUDA error of the launch that failed; 0: none
  unsigned long long totals[128]; // room for totals that are copied from the device
};

// Counters of the waves, on the device.
struct tsr_wave_count {
  unsigned long long refined[TSR_GRID_MAX_LEVEL + 1];
  unsigned done[TSR_GRID_MAX_LEVEL + 1]; // blocks that have finished the level
};

// What the marking kernels count beside setting marks, for the notes.
struct tsr_grid_found {
  unsigned long long bad, first_bad, flat, first_flat;
  int odd; // 1: the tuned pass met a value that is not finite
};

// List of the nodes for which an estimate in single precision was not sure; see slope.cuh.
struct tsr_grid_doubt {
  unsigned *n; // number of nodes; if more than `room`, only `room` of them are in the list
  uint64_t *node;
  unsigned room;
};

// Tables of the criteria, which the rules use one after another.
struct tsr_grid_marking {
  double *payload[2]; // payloads of two levels, used in turn
  int64_t payload_nodes[2];
  tsr_grid_found *found_all; // of every rule
  tsr_grid_found *found;     // of the rule that is being marked
  std::vector<tsr_grid_found> found_h;
  tsr_grid_doubt doubt;
};

struct tsr_grid_whole; // whole.cuh

// Input that does not fit on the device and is processed in slabs; see slabs.cuh.
struct tsr_grid_slabs {
  std::vector<tsr_grid_frame>
      frames; // one for each slab, with its nodes; empty: all of the input is there
  tsr_grid_frame *frames_d;
  char *buffer[2];
  int64_t bytes[2];
  int64_t margin;      // number of layers of cells around a slab that are uploaded with it
  cudaEvent_t used[2]; // happens when the kernels that read the buffer are done
  int now;
  size_t n_before; // number of uploaded arrays that are not of the slab
};

struct tsr_grid_device : tsr_opened {
  tsr_grid_frame frame; // the host's copy
  tsr_grid_frame *frame_d;
  uint8_t *bytes; // dense levels of the tree, one after another
  int64_t n_bytes;
  int64_t level_bytes[TSR_GRID_MAX_LEVEL + 1];
  tsr_grid_marking marking;
  tsr_wave_count *count;
  tsr_wave_state *waves, *waves_d; // one array, by its addresses on the host and on the device
  int failed;            // 1: a kernel or copy failed, so the contents of the device may be wrong
  int32_t *list;         // output cells that are larger than an input cell
  tsr_grid_whole *whole; // of the phases after the descent
  tsr_grid_slabs slabs;
  cudaEvent_t made[2]; // events of the output: its cells are made; the rest but the errors is made
};

// Replaces n counts by the number before each; counts[n] and *total receive their sum. Waits for
// the stream.
tsr_status tsr_grid_sum(tsr_grid_device *grid, int64_t *counts, int64_t n, int64_t *total,
                        const char *doing, tsr_error *error);

// Runs the waves from the roots down. *levels_done: number of levels whose bytes are made; deeper
// levels are empty. In tsr_grid_device_waves, kernels launch the kernels of the next level.
tsr_status tsr_grid_waves(tsr_grid_device *grid, int *levels_done, tsr_error *error);
tsr_status tsr_grid_device_waves(tsr_grid_device *grid, int *levels_done, tsr_error *error);

// Starts the first wave of a chain, in which the kernel of each level launches that of the next.
cudaError_t tsr_grid_chain(const tsr_grid_frame *frame, tsr_wave_count *count,
                           tsr_wave_state *waves, int small_levels, cudaStream_t stream);

// Waits until `level` is done by reading the waves' state in host memory, without a copy. Returns
// an error if the device has failed.
tsr_status tsr_grid_wait(tsr_grid_device *grid, int level, tsr_error *error);

#endif
