// SPDX-License-Identifier: BSD-3-Clause
// What all CUDA files share: errors, the device's state, and memory of a plan.
#ifndef TSR_COMMON_COMMON_CUH
#define TSR_COMMON_COMMON_CUH

#include "common/common_math.h"
#include "common/tessera_common.h"
#include "common/tessera_memory.h"

#include <cuda_runtime.h>

#include <vector>

// Puts a failed CUDA call into *error: `what` was being done ("uploading the points") and CUDA's
// own text. Also clears CUDA's last error, so that a later check does not report it again.
tsr_status tsr_cuda_fail(tsr_error *error, cudaError_t code, const char *what);

// Fills *error from a printf format and returns `status`.
tsr_status tsr_cuda_refuse(tsr_error *error, tsr_status status, const char *format, ...);

// Clears CUDA's last error after a call whose failure is ignored, such as one in a destructor.
// Otherwise the check after the next kernel launch would report it as that launch's failure.
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

// Makes a device current for the lifetime of the object and then restores the caller's device. It
// first clears an error that earlier code of this thread left behind, which the check after our
// first kernel launch would otherwise report as ours.
class tsr_on_device {
public:
  explicit tsr_on_device(int device);
  ~tsr_on_device();
  tsr_on_device(const tsr_on_device &) = delete;
  tsr_on_device &operator=(const tsr_on_device &) = delete;
  // cudaSuccess, or the reason why the device could not be made current.
  cudaError_t code() const { return result; }
  // Turns code() into a status and an error text. The text says so if the error is older than this
  // object, that is, if other code left the device in a failed state.
  tsr_status check(tsr_error *error) const;

private:
  int device, before;
  cudaError_t earlier, result;
};

// State of one device that a process keeps from one execution to the next. tsr_device_state_of
// creates it on first use.
struct tsr_device_state {
  int device;
  cudaMemPool_t pool; // our own memory pool, which keeps freed memory for the next execution
  cudaDeviceProp properties;
  size_t stack; // cudaLimitStackSize as it was before our first kernel
  size_t launches,
      heap; // cudaLimitDevRuntimePendingLaunchCount and cudaLimitMallocHeapSize as they were then
  cudaError_t
      stack_kept; // why the stack limit could not be restored, for the report; cudaSuccess: it was
};

// Returns the state of a device, or an error that says why the device cannot be used.
tsr_status tsr_device_state_of(int device, tsr_device_state **state, tsr_error *error);

// Measures the peak of the device memory taken from the pool: tsr_pool_start resets the peak, and
// tsr_pool_peak returns it in bytes, or `unknown` if CUDA does not report it.
cudaError_t tsr_pool_start(const tsr_device_state *state);
int64_t tsr_pool_peak(const tsr_device_state *state, int64_t unknown);

// Device memory that an allocation can get: what is free on the device, and what the pool holds and
// nobody uses.
tsr_status tsr_free_memory(const tsr_device_state *state, int64_t *outside, int64_t *pooled,
                           tsr_error *error);

// Waits for the stream's work, then destroys the stream and its two events. Each may be NULL.
void tsr_stream_close(cudaStream_t stream, cudaEvent_t begin, cudaEvent_t end);

// cudaMemcpyAsync, counted for tsr_traffic. All copies of plans go through it.
cudaError_t tsr_copy_async(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                           cudaStream_t stream);

// The bytes that tsr_copy_async has copied between host and devices.
tsr_bus_traffic tsr_traffic(void);

// Copies `bytes` bytes to host memory in the order of the stream, and waits for them. doing: what
// the stream is doing until then, for the error.
tsr_status tsr_bring(void *host, const void *from, size_t bytes, cudaStream_t stream,
                     const char *doing, tsr_error *error);

// Chooses the index of the device to run on. wanted: the execution's setting.
tsr_status tsr_device_choose(int wanted, int *device, tsr_error *error);

// Device memory that is freed with the object. It is allocated and freed in the order of a stream.
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
  // The stream in whose order memory is allocated and freed.
  cudaStream_t on_stream() const { return stream; }
  void free_one(void *pointer);
  // Leaves the memory to the caller; returns whether it is from here.
  bool let_go(const void *pointer);
  void free_others(const std::vector<const void *> &kept);
  void free_all();

private:
  tsr_device_state *state = nullptr;
  cudaStream_t stream = nullptr;
  std::vector<void *> blocks;
};

// Frees all device memory that is kept between executions, on all devices.
void tsr_device_states_trim();

// Counts the CUDA devices. Returns false, and says in `problem` what is wrong with the driver, if
// they cannot be counted.
bool tsr_device_list(int *count, char *problem, size_t size);

// Number of blocks of `block` threads that n threads need.
static inline unsigned tsr_blocks(int64_t n, int64_t block) {
  return (unsigned)((n + block - 1) / block);
}

// Number of blocks for a kernel whose threads stride through the n items by the number of blocks,
// so that each block gets items from everywhere. The number is odd: rows and layers of a grid often
// have a power of two as length, and with an even stride a block would only ever meet a few of
// them.
static inline unsigned tsr_odd_blocks(int64_t n, int64_t block) {
  return tsr_blocks(n, block) | 1u;
}

#endif
