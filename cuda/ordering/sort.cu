// SPDX-License-Identifier: BSD-3-Clause
// Points in the order of their groups and orders: from keys to words, sorted, and back.
#include "cuda/ordering/plan.cuh"

namespace {

// What is found in all points. Everything is 0 at first.
struct findings {
  unsigned long long group, order; // bits that differ from those of point 0
  unsigned long long count[TSR_ORDERING_NOTES];
  unsigned long long
      first[TSR_ORDERING_NOTES]; // stored with all bits inverted, so that 0 stands for none
};

__global__ void examine_points(tsr_ordering_view view, findings *all) {
  unsigned long long group = 0, order = 0;
  for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < view.points.tuples;
       i += (int64_t)gridDim.x * blockDim.x) {
    const tsr_point_facts facts = tsr_examine_point(&view, i);
    group |= facts.group;
    order |= facts.order;
    for (int k = 0; facts.warnings >> k; ++k)
      if (facts.warnings >> k & 1) {
        atomicAdd(&all->count[k], 1ull);
        atomicMax(&all->first[k], ~(unsigned long long)i);
      }
  }
  for (int step = 16; step > 0; step /= 2) {
    group |= __shfl_down_sync(~0u, group, step);
    order |= __shfl_down_sync(~0u, order, step);
  }
  if (threadIdx.x % 32 == 0) {
    atomicOr(&all->group, group);
    atomicOr(&all->order, order);
  }
}

__global__ void make_words(tsr_sort_phase phase, int64_t n) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    phase.words[i] = tsr_make_word(&phase.word, phase.sorted, i);
}

__global__ void read_words(tsr_sort_phase phase, int64_t n) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    tsr_read_word(&phase, i);
}

tsr_status examine_all(tsr_ordering_device *device, const tsr_ordering_request *request,
                       tsr_word *word, tsr_error *error) {
  const int64_t most = (int64_t)device->state->properties.multiProcessorCount * 16;
  const int64_t blocks = tsr_blocks(device->n, TSR_ORDERING_BLOCK);
  const char *what = "examining the points";
  findings *all;
  findings found;
  TSR_STEP(device->memory.get(&all, 1, "what is found in points", error));
  TSR_CUDA(cudaMemsetAsync(all, 0, sizeof found, device->stream), what);
  examine_points<<<(unsigned)(blocks < most ? blocks : most), TSR_ORDERING_BLOCK, 0,
                   device->stream>>>(device->view, all);
  TSR_CUDA(cudaGetLastError(), what);
  TSR_CUDA(cudaMemcpyAsync(&found, all, sizeof found, cudaMemcpyDeviceToHost, device->stream),
           what);
  TSR_CUDA(cudaStreamSynchronize(device->stream), what);
  device->memory.free_one(all);
  for (int k = 0; k < TSR_ORDERING_NOTES; ++k) {
    request->sizes->notes[k].count = (int64_t)found.count[k];
    request->sizes->notes[k].first = found.count[k] > 0 ? (int64_t)~found.first[k] : 0;
  }
  tsr_key_bits_of(found.group, &word->group_bits);
  tsr_key_bits_of(found.order, &word->order_bits);
  return TSR_OK;
}

// Sorts device->sorted, the points by the phases before, by the bits of the word, too.
tsr_status run_phase(tsr_ordering_device *device, const tsr_word &word, bool last,
                     tsr_error *error) {
  const unsigned blocks = tsr_blocks(device->n, TSR_ORDERING_BLOCK);
  tsr_sort_phase phase = {word, device->sorted, device->words[0], nullptr,
                          last ? device->flags : nullptr};
  make_words<<<blocks, TSR_ORDERING_BLOCK, 0, device->stream>>>(phase, device->n);
  TSR_CUDA(cudaGetLastError(), "making the words to sort");
  TSR_STEP(tsr_sort_keys(device->words, device->n, word.place_bits, word.key_bits, &device->memory,
                         error));
  phase.words = device->words[0];
  phase.out = (int64_t *)device->words[1];
  read_words<<<blocks, TSR_ORDERING_BLOCK, 0, device->stream>>>(phase, device->n);
  TSR_CUDA(cudaGetLastError(), "reading the sorted words");
  device->words[1] = (uint64_t *)device->sorted;
  device->sorted = phase.out;
  return TSR_OK;
}

} // namespace

tsr_status tsr_ordering_cuda_sort(tsr_ordering_device *device, const tsr_ordering_request *request,
                                  tsr_error *error) {
  tsr_word word = {};
  word.group = device->view.group;
  word.order = device->view.order;
  word.place_bits = tsr_place_bits(device->n);
  TSR_STEP(device->memory.get(&device->words[0], device->n, "the words to sort", error));
  TSR_STEP(device->memory.get(&device->flags, device->n, "the flags of points", error));
  TSR_STEP(examine_all(device, request, &word, error));
  const int phases = tsr_word_phases(&word);
  device->words[1] = nullptr;
  for (int k = 0; k < phases; ++k) {
    tsr_word_phase(&word, k, phases);
    if (!device->words[1])
      TSR_STEP(device->memory.get(&device->words[1], device->n, "sorting", error));
    TSR_STEP(run_phase(device, word, k == phases - 1, error));
  }
  return TSR_OK;
}
