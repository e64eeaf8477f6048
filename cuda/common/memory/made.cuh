// SPDX-License-Identifier: BSD-3-Clause
// Outputs that stay on the device beside the memory of tsr_output_alloc into which they were
// copied. All plans of the process share them. If nobody says when the host's values change (there
// is no generation), whoever takes a copy compares it with the host's bytes (transfer/reuse.cu).
#ifndef TSR_COMMON_MEMORY_MADE_CUH
#define TSR_COMMON_MEMORY_MADE_CUH

#include "cuda/common/common.cuh"

// Takes `memory` over, from the device's pool, with what was copied to `host`. All work that uses
// it must be done. It replaces an earlier copy for `host`. generation: of the host's values; 0:
// unknown.
void tsr_made_put(const tsr_device_state *state, const void *host, size_t bytes,
                  uint64_t generation, void *memory);

// Frees what goes beyond the limit (made.cu), counted from the newest copy on. For the end of a
// plan: asking the device for its free memory takes too long to do it for each array.
void tsr_made_trim(const tsr_device_state *state);

// Device memory that begins with the `bytes` bytes that were copied to `host`; it stays until
// tsr_made_give, whose `good` is false if it is of no use any more. generation: 0: of any one. NULL:
// there is none.
const void *tsr_made_take(const tsr_device_state *state, const void *host, size_t bytes,
                          uint64_t generation);
void tsr_made_give(const void *memory, bool good);

// Frees the copy of the output at this address, which is about to be freed; no-op if there is none.
void tsr_made_forget(const void *host);

// Bytes of copies that no plan uses at present.
int64_t tsr_made_waiting(int device);

// Frees the copies that no plan uses; device -1: on all devices. Returns whether there were any.
bool tsr_made_release(int device);

#endif
