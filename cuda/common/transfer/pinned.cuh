// SPDX-License-Identifier: BSD-3-Clause
// The transfer ring: page-locked slots of host memory, and the threads that fill or empty them.
#ifndef TSR_COMMON_TRANSFER_PINNED_CUH
#define TSR_COMMON_TRANSFER_PINNED_CUH

#include "cuda/common/common.cuh"
#include "cuda/common/transfer/worker.cuh"

#include <cstddef>

const size_t tsr_slot_bytes = (size_t)1
                              << 20; // of a slot, measured: larger and smaller slots are slower
const int tsr_most_lanes = 16;

// One thread's way to the device: a stream and two slots, one being copied while the other is used.
struct tsr_lane {
  tsr_worker *worker;
  cudaStream_t stream;
  cudaEvent_t done[2];
  char *slot[2];
};

// Allocates page-locked host memory that all devices can copy from and to, in huge pages, all 0.
// tsr_locked_free frees it; NULL is allowed.
cudaError_t tsr_locked_alloc(size_t bytes, char **memory);
void tsr_locked_free(char *memory);

// Borrows n lanes of a device, making the missing ones; tsr_lanes_give returns them.
cudaError_t tsr_lanes_take(int device, int n, std::vector<tsr_lane> *lanes);
void tsr_lanes_give(int device, std::vector<tsr_lane> *lanes);

// Makes as many lanes as a large transfer uses, once for each device, ahead of time: making them
// takes longer than many transfers.
cudaError_t tsr_lanes_prepare(int device);

// Borrows a page of page-locked memory that devices can access; its contents are undefined. Making
// such a page takes longer than many a plan, so pages are kept.
const size_t tsr_page_bytes = 4096;
cudaError_t tsr_page_take(void **page);
void tsr_page_give(void *page);

void tsr_lanes_release(void);

#endif
