// SPDX-License-Identifier: BSD-3-Clause
// The transfer ring: page-locked slots of host memory, and the threads that fill or empty them.
#ifndef TSR_PINNED_CUH
#define TSR_PINNED_CUH

#include "cuda/common/common.cuh"
#include "cuda/common/transfer/worker.cuh"

#include <cstddef>

const size_t tsr_slot_bytes = (size_t)1 << 20; // of the ring; larger and smaller ones are slower
const int tsr_most_lanes = 16;

// One thread's way to the device: a stream and two slots, one being copied while the other is used.
struct tsr_lane {
  tsr_worker *worker;
  cudaStream_t stream;
  cudaEvent_t done[2];
  char *slot[2];
};

// Borrows n lanes of a device, made where there are too few; gives them back.
cudaError_t tsr_lanes_take(int device, int n, std::vector<tsr_lane> *lanes);
void tsr_lanes_give(int device, std::vector<tsr_lane> *lanes);

// Makes as many as a large transfer takes, once a device: it takes longer than many a transfer.
cudaError_t tsr_lanes_prepare(int device);

// Borrows a page of page-locked memory that devices see; making one takes longer than many a plan.
// Its contents are anything.
const size_t tsr_page_bytes = 4096;
cudaError_t tsr_page_take(void **page);
void tsr_page_give(void *page);

// Asks for large pages where the memory is about to be touched for the first time.
void tsr_advise_large(void *memory, size_t bytes);

void tsr_lanes_release(void);

#endif
