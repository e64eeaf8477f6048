// SPDX-License-Identifier: BSD-3-Clause
// Memory per curve from the device heap. Its size can change only until the first kernel here has
// run, which is why no other file's kernels allocate: they leave it free to change.
#ifndef TSR_HEAP_CUH
#define TSR_HEAP_CUH

#include "cuda/curves/strategy/range.cuh"

// The heap of the current device, with the size it needs for the time of a scope. All executions of
// a process on the device share it: its limit is put back, where CUDA still allows it, by the last.
class tsr_heap {
public:
  tsr_heap() = default;
  ~tsr_heap();
  tsr_heap(const tsr_heap &) = delete;
  tsr_heap &operator=(const tsr_heap &) = delete;
  void use(int device_) { device = device_; }
  // Asks for a heap of `wanted` bytes, or (0) of at least `needed`. *in_force: what it is. An error
  // only where the size that was wanted cannot be had.
  tsr_status prepare(int64_t wanted, int64_t needed, int64_t *in_force, tsr_error *error);

private:
  int device = 0;
  bool joined = false;
};

// Allocates for every curve of the piece. *failures: those that got nothing. What was allocated is
// to be freed also where it fails.
tsr_status tsr_heap_take(int device, const tsr_fill_job &piece, const tsr_fill_job *device_piece,
                         tsr_memory *memory, cudaStream_t stream, int *failures, tsr_error *error);

// Frees all of it.
cudaError_t tsr_heap_free(const tsr_fill_job &piece, const tsr_fill_job *device_piece,
                          cudaStream_t stream);

#endif
