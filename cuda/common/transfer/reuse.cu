// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/common/transfer/reuse.cuh"

#include "cuda/common/memory/kept.cuh"
#include "cuda/common/memory/made.cuh"
#include "cuda/common/memory/outputs.cuh"
#include "cuda/common/transfer/digest.cuh"

namespace {

// With fewer threads the bus is faster. bench_chains on one H100 and 16 cores, arrays of 240 and 720
// MB: comparing and copying takes 1.0 of the time of an Apply with 8 threads, 0.96 and 0.90 with 12,
// 0.87 and 0.84 with 16.
const int least_threads = 12;

bool bus_is_faster(const tsr_execution *execution, const tsr_copy &upload) {
  return execution->threads < least_threads && tsr_output_locked((void *)upload.from, upload.bytes);
}

// Copies from `there` if it has the host's bytes. *same: whether it has.
tsr_status copy_same(tsr_device_state *state, const tsr_execution *execution, cudaStream_t stream,
                     const tsr_copy &upload, const void *there, bool *same, tsr_error *error) {
  const char *const doing = "copying the input on the device";
  TSR_STEP(tsr_same_bytes(state, execution, stream, upload.from, there, upload.bytes, same, error));
  if (!*same)
    return TSR_OK;
  TSR_CUDA(tsr_copy_async(upload.to, there, upload.bytes, cudaMemcpyDeviceToDevice, stream), doing);
  TSR_CUDA(cudaStreamSynchronize(stream), doing);
  return TSR_OK;
}

} // namespace

void tsr_reuse_keep(const tsr_device_state *state, const tsr_execution *execution,
                    tsr_memory *memory, const std::vector<tsr_copy> &copies) {
  for (const tsr_copy &copy : copies)
    if (tsr_output_holds(copy.to, copy.bytes) && memory->let_go(copy.from))
      tsr_made_put(state, copy.to, copy.bytes, tsr_generation_of(execution, copy.to),
                   (void *)copy.from);
}

tsr_status tsr_reuse_bring(tsr_device_state *state, const tsr_execution *execution,
                           cudaStream_t stream, std::vector<tsr_copy> *uploads, tsr_error *error) {
  std::vector<tsr_copy> left;
  for (const tsr_copy &upload : *uploads) {
    const void *there = bus_is_faster(execution, upload)
                            ? nullptr
                            : tsr_made_take(state, upload.from, upload.bytes, 0);
    bool same = false;
    if (there) {
      const tsr_status status = copy_same(state, execution, stream, upload, there, &same, error);
      tsr_made_give(there, same);
      TSR_STEP(status);
    }
    if (!same)
      left.push_back(upload);
  }
  uploads->swap(left);
  return TSR_OK;
}
