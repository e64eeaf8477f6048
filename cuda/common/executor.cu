// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/common/executor.cuh"

#include "cuda/common/memory/callers.cuh"
#include "cuda/common/scan.cuh"
#include "cuda/common/sort.cuh"
#include "cuda/common/transfer/reuse.cuh"
#include "cuda/common/transfer/transfer.cuh"

#include <algorithm>

namespace {

// Values of pairs take 32 bits, and 64 where there are more pairs.
#ifndef TSR_MOST_NARROW
#define TSR_MOST_NARROW ((int64_t)UINT32_MAX)
#endif

// Results up to this size are copied at once; starting a larger transfer costs more than that.
const int64_t SMALL_BYTES = 1 << 16;

tsr_opened &plan_of(const tsr_executor *it) { return *(tsr_opened *)it->place; }

// The time of the kernels from here to the next `wait` counts as the device's.
tsr_status begin(tsr_opened &plan, tsr_error *error) {
  if (!plan.timing)
    TSR_CUDA(cudaEventRecord(plan.begin, plan.stream), "starting a step");
  plan.timing = true;
  return TSR_OK;
}

tsr_status wait(tsr_executor *it, tsr_error *error) {
  tsr_opened &plan = plan_of(it);
  const bool timing = plan.timing;
  plan.timing = false;
  if (timing)
    TSR_CUDA(cudaEventRecord(plan.end, plan.stream), "ending a step");
  TSR_CUDA(cudaStreamSynchronize(plan.stream), "waiting for a step");
  if (timing)
    tsr_note_work(plan, it->report);
  return TSR_OK;
}

tsr_status each(tsr_executor *it, int step, const void *job, int64_t n, tsr_error *error) {
  tsr_opened &plan = plan_of(it);
  const tsr_on_device scope(plan.state->device);
  TSR_STEP(scope.check(error));
  TSR_STEP(begin(plan, error));
  TSR_CUDA(((const tsr_launch *)it->steps)[step](job, n, plan.stream), "starting a step");
  return TSR_OK;
}

tsr_status copy(tsr_executor *it, void *host, const void *from, int64_t bytes, tsr_error *error) {
  tsr_opened &plan = plan_of(it);
  const double start = tsr_cuda_now(it->execution);
  const std::vector<tsr_copy> copies = {{host, from, (size_t)bytes}};
  TSR_STEP(wait(it, error));
  if (bytes <= SMALL_BYTES) {
    TSR_STEP(tsr_bring(host, from, (size_t)bytes, plan.stream, "copying a result", error));
  } else {
    TSR_STEP(tsr_transfer_down(plan.state, it->execution, copies, nullptr, it->done_first,
                               it->done_last, error));
  }
  it->report->download_seconds += tsr_cuda_now(it->execution) - start;
  return TSR_OK;
}

tsr_status read(tsr_executor *it, void *host, const void *from, int64_t bytes, tsr_error *error) {
  const tsr_on_device scope(plan_of(it).state->device);
  TSR_STEP(scope.check(error));
  return copy(it, host, from, bytes, error);
}

tsr_status reduce(tsr_executor *it, int reduction, const void *job, int64_t n, void *result,
                  tsr_error *error) {
  tsr_opened &plan = plan_of(it);
  const tsr_reduction_launch &r = *((const tsr_reduction_launch *const *)it->reductions)[reduction];
  const unsigned blocks = std::min((unsigned)plan.state->properties.multiProcessorCount * 8,
                                   tsr_blocks(n, tsr_policy::block));
  const tsr_on_device scope(plan.state->device);
  std::vector<char> parts(blocks * r.size);
  void *made;
  TSR_STEP(scope.check(error));
  r.none(result);
  if (n == 0)
    return TSR_OK;
  TSR_STEP(plan.memory.get(&made, blocks, r.size, "the parts of a sum", error));
  TSR_STEP(begin(plan, error));
  TSR_CUDA(r.launch(job, n, blocks, made, plan.stream), "starting a sum");
  TSR_STEP(copy(it, parts.data(), made, (int64_t)parts.size(), error));
  plan.memory.free_one(made);
  for (unsigned block = 0; block < blocks; ++block)
    r.join(result, &parts[block * r.size]);
  return TSR_OK;
}

tsr_status scan(tsr_executor *it, int64_t *counts, int64_t n, tsr_error *error) {
  tsr_opened &plan = plan_of(it);
  const tsr_on_device scope(plan.state->device);
  TSR_STEP(scope.check(error));
  TSR_STEP(begin(plan, error));
  return tsr_scan_counts(counts, n, &plan.memory, plan.stream, error);
}

tsr_status alloc_pairs(tsr_executor *it, tsr_pairs *pairs, int64_t n, const char *what,
                       tsr_error *error) {
  tsr_memory &memory = plan_of(it).memory;
  const int wide = n > TSR_MOST_NARROW;
  const tsr_on_device scope(plan_of(it).state->device);
  *pairs = {nullptr, nullptr, n, 1, wide, 0, 0};
  TSR_STEP(scope.check(error));
  TSR_STEP(memory.get(&pairs->keys, n, what, error));
  return memory.get(&pairs->values, n, wide ? sizeof(int64_t) : sizeof(uint32_t), what, error);
}

template <class Value>
tsr_status sort_pairs(tsr_opened &plan, tsr_pairs *pairs, int bits, tsr_error *error) {
  uint64_t *keys[2] = {pairs->keys, nullptr};
  Value *values[2] = {(Value *)pairs->values, nullptr};
  TSR_STEP(plan.memory.get(&keys[1], pairs->n, "a sort", error));
  TSR_STEP(plan.memory.get(&values[1], pairs->n, "a sort", error));
  TSR_STEP(tsr_sort_pairs(keys, values, pairs->n, 0, bits, &plan.memory, error));
  plan.memory.free_one(keys[1]);
  plan.memory.free_one(values[1]);
  pairs->keys = keys[0];
  pairs->values = values[0];
  return TSR_OK;
}

tsr_status sort(tsr_executor *it, tsr_pairs *pairs, int bits, tsr_error *error) {
  tsr_opened &plan = plan_of(it);
  const tsr_on_device scope(plan.state->device);
  TSR_STEP(scope.check(error));
  TSR_STEP(begin(plan, error));
  return pairs->wide ? sort_pairs<int64_t>(plan, pairs, bits, error)
                     : sort_pairs<uint32_t>(plan, pairs, bits, error);
}

tsr_status sort_words(tsr_executor *it, uint64_t *words[2], int64_t n, int low, int bits,
                      tsr_error *error) {
  tsr_opened &plan = plan_of(it);
  const tsr_on_device scope(plan.state->device);
  uint64_t *both[2] = {words[0], words[1]};
  TSR_STEP(scope.check(error));
  TSR_STEP(begin(plan, error));
  TSR_STEP(tsr_sort_keys(both, n, low, bits, &plan.memory, error));
  std::copy(both, both + 2, words);
  return TSR_OK;
}

tsr_status alloc(tsr_executor *it, void **memory, int64_t n, size_t size, const char *what,
                 tsr_error *error) {
  const tsr_on_device scope(plan_of(it).state->device);
  TSR_STEP(scope.check(error));
  return plan_of(it).memory.get(memory, n, size, what, error);
}

void release(tsr_executor *it, const void *memory) {
  const tsr_on_device scope(plan_of(it).state->device);
  plan_of(it).memory.free_one((void *)memory);
}

void free_pairs(tsr_executor *it, tsr_pairs *pairs) {
  release(it, pairs->keys);
  release(it, pairs->values);
  *pairs = {};
}

tsr_status input(tsr_executor *it, const tsr_array *arrays, int n, int keep, void **to,
                 tsr_error *error) {
  tsr_opened &plan = plan_of(it);
  const tsr_on_device scope(plan.state->device);
  TSR_STEP(scope.check(error));
  return tsr_upload(&plan, it->execution, it->report, &plan.memory, keep != 0,
                    std::vector<tsr_array>(arrays, arrays + n), to, error);
}

tsr_status make(tsr_executor *it, int step, void *job, int64_t n, void *host, int64_t bytes,
                tsr_error *error) {
  tsr_opened &plan = plan_of(it);
  const tsr_on_device scope(plan.state->device);
  void *made;
  bool there;
  if (!host || bytes == 0)
    return TSR_OK;
  TSR_STEP(scope.check(error));
  TSR_STEP(tsr_find_output(&plan, host, &there, error));
  if (there) {
    memcpy(job, &host, sizeof host);
    TSR_STEP(each(it, step, job, n, error));
    return wait(it, error);
  }
  TSR_STEP(plan.memory.get(&made, bytes, 1, "the output", error));
  memcpy(job, &made, sizeof made);
  TSR_STEP(each(it, step, job, n, error));
  TSR_STEP(copy(it, host, made, bytes, error));
  tsr_reuse_keep(plan.state, it->execution, &plan.memory, {{host, made, (size_t)bytes}});
  plan.memory.free_one(made);
  return TSR_OK;
}

// True if `input` was told to keep the array at this place of the device. It returns the same place
// again for an attribute that is the array of the points.
bool holds(const tsr_opened &plan, const void *input) {
  return std::any_of(plan.uploaded.begin(), plan.uploaded.end(),
                     [input](const tsr_uploaded &one) { return one.device == input; });
}

tsr_status finish(tsr_executor *it, const void *input, tsr_error *error) {
  const tsr_on_device scope(plan_of(it).state->device);
  TSR_STEP(scope.check(error));
  TSR_STEP(wait(it, error));
  if (!holds(plan_of(it), input))
    plan_of(it).memory.free_one((void *)input);
  return TSR_OK;
}

} // namespace

void tsr_executor_on_device(tsr_executor *it, tsr_opened *plan, const tsr_execution *execution,
                            tsr_report *report, const tsr_launch *launches,
                            const tsr_reduction_launch *const *reductions) {
  *it = {execution,   report, launches,   reductions, plan,  0,       0.0,   0.0,  each, reduce, scan,
         alloc_pairs, sort,   free_pairs, sort_words, alloc, release, input, make, read, finish};
}
