// SPDX-License-Identifier: BSD-3-Clause
// What all CUDA files share: errors, the device's state, and memory of a plan.
#ifndef TSR_COMMON_CUH
#define TSR_COMMON_CUH

#include "common/common_math.h"
#include "common/tessera_common.h"

#include <cuda_runtime.h>

#include <vector>

// Fills *error, quotes CUDA verbatim, and forgets CUDA's last error. what: "uploading the points".
tsr_status tsr_cuda_fail(tsr_error *error, cudaError_t code, const char *what);

// Fills *error from a printf format and returns `status`.
tsr_status tsr_cuda_refuse(tsr_error *error, tsr_status status, const char *format, ...);

// Forgets a failure that changes nothing any more, as in cleaning up: left behind, it would pass
// for one of the next launch's.
void tsr_cuda_drop(cudaError_t code);

#define TSR_CUDA(CALL, WHAT)                                                                       \
  do {                                                                                             \
    const cudaError_t tsr_code = (CALL);                                                           \
    if (tsr_code != cudaSuccess)                                                                   \
      return tsr_cuda_fail(error, tsr_code, WHAT);                                                 \
  } while (0)

#define TSR_STEP(CALL)                                                                             \
  do {                                                                                             \
    const tsr_status tsr_result = (CALL);                                                          \
    if (tsr_result != TSR_OK)                                                                      \
      return tsr_result;                                                                           \
  } while (0)

// Makes a device current and, at the end of the scope, the caller's again. An error that somebody
// else left behind is forgotten first: it would pass for one of our first launch's.
class tsr_on_device {
public:
  explicit tsr_on_device(int device);
  ~tsr_on_device();
  tsr_on_device(const tsr_on_device &) = delete;
  tsr_on_device &operator=(const tsr_on_device &) = delete;
  // What kept the device from becoming current.
  cudaError_t code() const { return result; }
  // The same with a sentence, which says so where the failure is older than this scope.
  tsr_status check(tsr_error *error) const;

private:
  int device, before;
  cudaError_t earlier, result;
};

// What a process keeps of a device between executions. Made once, by tsr_device_state.
struct tsr_device_state {
  int device;
  cudaMemPool_t pool; // our own: it keeps its memory for the next execution
  cudaDeviceProp properties;
  size_t stack;           // the limit before the first kernel of ours
  size_t launches, heap;  // the same of pending launches from kernels, and of the kernels' heap
  cudaError_t stack_kept; // why it could not be put back, for the report
};

// The state of a device; its problem as an error where it cannot be used.
tsr_status tsr_device_state_of(int device, tsr_device_state **state, tsr_error *error);

// Most device memory in use at once since `start`; `unknown` where CUDA does not tell.
cudaError_t tsr_pool_start(const tsr_device_state *state);
int64_t tsr_pool_peak(const tsr_device_state *state, int64_t unknown);

// Waits for a stream's work, and gives the stream and its events back. Any may be NULL.
void tsr_stream_close(cudaStream_t stream, cudaEvent_t begin, cudaEvent_t end);

// Index of the device that the execution asks for.
tsr_status tsr_device_choose(int wanted, int *device, tsr_error *error);

// Device memory that is freed with the object. Allocation and freeing follow a stream.
class tsr_memory {
public:
  ~tsr_memory() { free_all(); }
  tsr_memory() = default;
  tsr_memory(const tsr_memory &) = delete;
  tsr_memory &operator=(const tsr_memory &) = delete;

  void use(tsr_device_state *state_, cudaStream_t stream_) {
    state = state_;
    stream = stream_;
  }
  // *pointer receives count * size bytes; what: "the points", for the error.
  tsr_status get(void **pointer, int64_t count, size_t size, const char *what, tsr_error *error);
  template <class T>
  tsr_status get(T **pointer, int64_t count, const char *what, tsr_error *error) {
    return get((void **)pointer, count, sizeof(T), what, error);
  }
  void free_one(void *pointer);
  void free_others(const std::vector<const void *> &kept);
  void free_all();

private:
  tsr_device_state *state = nullptr;
  cudaStream_t stream = nullptr;
  std::vector<void *> blocks;
};

// Frees what is kept of all devices between executions.
void tsr_device_states_trim();

// Lists devices: *count, or a sentence about the driver where none can be counted.
bool tsr_device_list(int *count, char *problem, size_t size);

// A grid for n threads in blocks of `block`.
static inline unsigned tsr_blocks(int64_t n, int64_t block) {
  return (unsigned)((n + block - 1) / block);
}

// The same where every block has some of them from everywhere, so many apart as there are blocks:
// an odd number, as rows and layers are often powers of 2, and a block would have parts of few.
static inline unsigned tsr_odd_blocks(int64_t n, int64_t block) {
  return tsr_blocks(n, block) | 1u;
}

#endif
