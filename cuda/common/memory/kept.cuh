// SPDX-License-Identifier: BSD-3-Clause
// Input arrays that stay on a device after their plan, and what was found of them, so that the next
// one need not upload or look for it again. All plans of the process share them: an array is found
// by its address, its bytes and its generation, whoever brought it. It stays as long as one of
// those who asked for it (the owners) has not let go of it, and as there is room: what was not used
// for longest goes first.
#ifndef TSR_KEPT_CUH
#define TSR_KEPT_CUH

#include "cuda/common/common.cuh"

// An array of the host, as it was at some moment; or something that follows from it.
struct tsr_kept_key {
  const void *host;
  int64_t bytes;       // on the device
  uint64_t generation; // of the array; not 0
  uint64_t what;       // follows from it; 0: the array itself
};

// Memory that holds the array, or is to hold it, and stays until tsr_kept_give; NULL: there is none
// within `most` bytes that are kept on the device, of all owners; only arrays make others give way.
// *there: 1 if it holds it already; else the caller brings it, and says so.
void *tsr_kept_take(tsr_device_state *state, cudaStream_t stream, const tsr_kept_key &key,
                    const void *owner, int64_t most, bool *there);
void tsr_kept_arrived(const void *memory);

// The least and the largest number of an array that is kept, which one plan has found for those
// that follow; `what` and the tuples say of which numbers. The first returns false where nobody
// noted it, or the memory is not kept.
struct tsr_kept_range {
  uint64_t what;
  int64_t tuples;
  double of[2];
};
bool tsr_kept_find_range(const void *memory, tsr_kept_range *range);
void tsr_kept_note_range(const void *memory, const tsr_kept_range &range);

// The plan does not use it any more; its stream has come to its end. good: false: what lies there
// may not be what it should. The device is the current one.
void tsr_kept_give(const void *memory, bool good);

// Bytes that no plan uses.
int64_t tsr_kept_waiting(int device);

// Frees what no plan uses. Returns whether there was any.
bool tsr_kept_release(int device);

// Lets go of what the owner has asked for, on all devices; or of what any has.
void tsr_kept_forget(const void *owner);
void tsr_kept_forget_all(void);

#endif
