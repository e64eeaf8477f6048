// SPDX-License-Identifier: BSD-3-Clause
// Cache of input arrays on the device, so that the next plan need not upload them again. It also
// keeps data that was derived from an array, and value ranges that were found in it. All plans of
// the process share the cache. An array is identified by its host address, its size and its
// generation, whoever uploaded it. Each array has owners, the callers that asked for it; it stays
// until all owners have let go of it. If the cache is full, the least recently used arrays are
// freed first.
#ifndef TSR_COMMON_MEMORY_KEPT_CUH
#define TSR_COMMON_MEMORY_KEPT_CUH

#include "cuda/common/common.cuh"

// Identifies a host array at one generation, or data derived from it.
struct tsr_kept_key {
  const void *host;
  int64_t bytes;       // on the device
  uint64_t generation; // number that changes whenever the array's values change; not 0
  uint64_t what;       // which derived data; 0: the array itself
};

// The caller's generation of a host array; 0: unknown.
uint64_t tsr_generation_of(const tsr_execution *execution, const void *host);

// Returns device memory for the array, which stays valid until tsr_kept_give; NULL if the device's
// cache cannot take it within `most` bytes over all owners. Older arrays are freed to make room for
// an array, but not for derived data. *there is true if the memory holds the data already;
// otherwise the caller fills it and then calls tsr_kept_arrived.
void *tsr_kept_take(tsr_device_state *state, cudaStream_t stream, const tsr_kept_key &key,
                    const void *owner, int64_t most, bool *there);
void tsr_kept_arrived(const void *memory);

// Lets the inputs of an open plan stay in the cache: at most `bytes` bytes over all plans. With 0
// none stays, and what the plan's owner has in the cache is freed.
void tsr_kept_begin(struct tsr_opened *plan, int64_t bytes);

// Remembers the smallest and the largest number of a cached array for later plans. `what` and
// `tuples` say which numbers of the array were looked at. tsr_kept_find_range returns false if no
// such range is known or the memory is not in the cache.
struct tsr_kept_range {
  uint64_t what;
  int64_t tuples;
  double of[2];
};
bool tsr_kept_find_range(const void *memory, tsr_kept_range *range);
void tsr_kept_note_range(const void *memory, const tsr_kept_range &range);

// Ends a plan's use of the memory; the plan's stream must have finished. With good false the
// contents may be wrong, and the array is dropped. The memory's device must be current.
void tsr_kept_give(const void *memory, bool good);

// Bytes of cached arrays that no plan uses at present.
int64_t tsr_kept_waiting(int device);

// Frees the cached arrays that no plan uses. Returns whether there were any.
bool tsr_kept_release(int device);

// Removes an owner from all arrays on all devices; tsr_kept_forget_all removes every owner. Arrays
// without an owner are freed once no plan uses them.
void tsr_kept_forget(const void *owner);
void tsr_kept_forget_all(void);

#endif
