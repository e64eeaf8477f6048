// SPDX-License-Identifier: BSD-3-Clause
// Allocates memory for each curve from the device heap, inside a kernel. CUDA allows the size of
// the heap to change only until the first kernel that allocates has run. Kernels of other files
// therefore never allocate.
#ifndef TSR_CURVES_OUTPUT_HEAP_CUH
#define TSR_CURVES_OUTPUT_HEAP_CUH

#include "cuda/curves/strategy/range.cuh"

// Sets the size of the device's heap for the lifetime of the object. All executions of the process
// on the device share the heap. The last one to end restores the size, if CUDA still allows it.
class tsr_heap {
public:
  tsr_heap() = default;
  ~tsr_heap();
  tsr_heap(const tsr_heap &) = delete;
  tsr_heap &operator=(const tsr_heap &) = delete;
  void use(int device_) { device = device_; }
  // Asks for a heap of `wanted` bytes or, with wanted 0, of at least `needed`. *in_force: the size
  // that it has. Fails only if the user's `wanted` size cannot be set.
  tsr_status prepare(int64_t wanted, int64_t needed, int64_t *in_force, tsr_error *error);

private:
  int device = 0;
  bool joined = false;
};

// Allocates memory for every curve of the piece. *failures: number of curves that got none. The
// caller calls tsr_heap_free also if this fails.
tsr_status tsr_heap_take(int device, const tsr_fill_piece &piece,
                         const tsr_fill_piece *device_piece, tsr_memory *memory,
                         cudaStream_t stream, int *failures, tsr_error *error);

// Frees the memory of all curves of the piece.
cudaError_t tsr_heap_free(const tsr_fill_piece &piece, const tsr_fill_piece *device_piece,
                          cudaStream_t stream);

#endif
