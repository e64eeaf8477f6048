// SPDX-License-Identifier: BSD-3-Clause
// Page-locked host memory: the slots of the transfer ring, and large output arrays.
#ifndef TSR_PINNED_CUH
#define TSR_PINNED_CUH

#include "common.cuh"

#include <cstddef>

const size_t tsr_slot_bytes = (size_t)1 << 20; // of the ring; larger and smaller ones are slower
const int tsr_most_lanes = 16;

// One worker's way to the device: a stream and two slots, one being copied while the other is used.
struct tsr_lane {
  cudaStream_t stream;
  cudaEvent_t done[2];
  char *slot[2];
};

// Borrows n lanes of a device, made where there are too few; gives them back.
cudaError_t tsr_lanes_take(int device, int n, std::vector<tsr_lane> *lanes);
void tsr_lanes_give(int device, std::vector<tsr_lane> *lanes);

// Asks for large pages where the memory is about to be touched for the first time.
void tsr_advise_large(void *memory, size_t bytes);

// 1 if the range is our own output memory and page-locked. Of our own memory that is not, it notes
// that the device fills it.
bool tsr_output_locked(void *memory, size_t bytes);

// Starts to page-lock the output memory that the device has filled, beside whatever follows.
void tsr_outputs_lock(int device);

void tsr_pinned_release(void);

#endif
