// SPDX-License-Identifier: BSD-3-Clause
// Seconds of a stream's work, by the device's clock.
#ifndef TSR_COMMON_STOPWATCH_CUH
#define TSR_COMMON_STOPWATCH_CUH

#include "cuda/common/common.cuh"

#include <algorithm>

class tsr_stopwatch {
public:
  tsr_stopwatch() = default;
  ~tsr_stopwatch() { tsr_stream_close(own, begin, end); }
  tsr_stopwatch(const tsr_stopwatch &) = delete;
  tsr_stopwatch &operator=(const tsr_stopwatch &) = delete;

  cudaError_t open() {
    cudaError_t code = cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    if (code == cudaSuccess)
      code = cudaEventCreate(&begin);
    return code == cudaSuccess ? cudaEventCreate(&end) : code;
  }
  cudaStream_t stream() const { return own; }

  // Measures how long the device takes for work(), which puts something on the stream and returns
  // CUDA's error. Waits for it to end.
  template <class Work> cudaError_t time(const Work &work, double *seconds) {
    float milliseconds = 0;
    cudaError_t code = cudaEventRecord(begin, own);
    if (code == cudaSuccess)
      code = work();
    if (code == cudaSuccess)
      code = cudaEventRecord(end, own);
    if (code == cudaSuccess)
      code = cudaStreamSynchronize(own);
    if (code == cudaSuccess)
      code = cudaEventElapsedTime(&milliseconds, begin, end);
    if (code != cudaSuccess) // the caller may free the memory that the work uses
      tsr_cuda_drop(cudaStreamSynchronize(own));
    *seconds = 1e-3 * milliseconds;
    return code;
  }

  // Median of `runs` measurements, after one that is not counted, since the first run is slower.
  static const int runs = 5;
  template <class Work> cudaError_t median(const Work &work, double *seconds) {
    double all[runs];
    cudaError_t code = time(work, seconds);
    for (int run = 0; run < runs && code == cudaSuccess; ++run)
      code = time(work, &all[run]);
    if (code != cudaSuccess)
      return code;
    std::sort(all, all + runs);
    *seconds = all[runs / 2];
    return *seconds > 0 ? cudaSuccess : cudaErrorUnknown;
  }

private:
  cudaStream_t own = nullptr;
  cudaEvent_t begin = nullptr, end = nullptr;
};

#endif
