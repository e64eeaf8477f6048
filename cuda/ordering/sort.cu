// SPDX-License-Identifier: BSD-3-Clause
// Points in the order of their groups and orders: keys to words, sorted, and back.
#include "cuda/ordering/plan.cuh"

namespace {

// What is found over all keys. Everything is 0 at first.
struct look {
  unsigned long long group, order; // bits that differ from those of point 0
  unsigned long long count[TSR_ORDERING_NOTES];
  unsigned long long
      first[TSR_ORDERING_NOTES]; // stored with all bits inverted, so that 0 stands for none
};

__device__ unsigned long long differ(const tsr_array &array, int64_t i, look *all, int kind) {
  if (array.components == 0)
    return 0;
  const uint64_t key = tsr_key(&array, i);
  if (key == TSR_KEY_NAN && tsr_is_real(&array)) {
    atomicAdd(&all->count[kind], 1ull);
    atomicMax(&all->first[kind], ~(unsigned long long)i);
  }
  return key ^ tsr_key(&array, 0);
}

__global__ void look_at_keys(tsr_array group, tsr_array order, int64_t n, look *all) {
  unsigned long long of_group = 0, of_order = 0;
  for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += (int64_t)gridDim.x * blockDim.x) {
    of_group |= differ(group, i, all, TSR_ORDERING_NOTE_GROUP);
    of_order |= differ(order, i, all, TSR_ORDERING_NOTE_ORDER);
  }
  for (int step = 16; step > 0; step /= 2) {
    of_group |= __shfl_down_sync(~0u, of_group, step);
    of_order |= __shfl_down_sync(~0u, of_order, step);
  }
  if (threadIdx.x % 32 == 0) {
    atomicOr(&all->group, of_group);
    atomicOr(&all->order, of_order);
  }
}

__global__ void make_words(tsr_word word, const int64_t *sorted, int64_t n, uint64_t *words) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    words[i] = tsr_make_word(&word, sorted, i);
}

// flags: NULL before the last phase.
__global__ void read_words(tsr_word word, const int64_t *sorted, int64_t n, const uint64_t *words,
                           int64_t *out, uint8_t *flags) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = tsr_sorted_point(sorted, (int64_t)(words[i] & tsr_low_ones(word.place_bits)));
  if (flags)
    flags[i] = tsr_begins_group(&word, words, sorted, i) ? TSR_FLAG_GROUP : 0;
}

tsr_status look_at_all(tsr_ordering_device *device, const tsr_ordering_request *request,
                       tsr_word *word, tsr_error *error) {
  const int64_t most = (int64_t)device->state->properties.multiProcessorCount * 16;
  const int64_t blocks = tsr_blocks(device->n, TSR_ORDERING_BLOCK);
  const char *what = "looking at the groups and orders";
  look *all;
  look found;
  TSR_STEP(device->memory.get(&all, 1, "what points have", error));
  TSR_CUDA(cudaMemsetAsync(all, 0, sizeof found, device->stream), what);
  look_at_keys<<<(unsigned)(blocks < most ? blocks : most), TSR_ORDERING_BLOCK, 0,
                 device->stream>>>(device->group, device->order, device->n, all);
  TSR_CUDA(cudaGetLastError(), what);
  TSR_CUDA(cudaMemcpyAsync(&found, all, sizeof found, cudaMemcpyDeviceToHost, device->stream),
           what);
  TSR_CUDA(cudaStreamSynchronize(device->stream), what);
  device->memory.free_one(all);
  for (int k : {TSR_ORDERING_NOTE_GROUP, TSR_ORDERING_NOTE_ORDER}) {
    request->sizes->notes[k].count = (int64_t)found.count[k];
    request->sizes->notes[k].first = found.count[k] > 0 ? (int64_t)~found.first[k] : 0;
  }
  tsr_key_bits_of(found.group, &word->group_bits);
  tsr_key_bits_of(found.order, &word->order_bits);
  return TSR_OK;
}

} // namespace

tsr_status tsr_ordering_cuda_sort(tsr_ordering_device *device, const tsr_ordering_request *request,
                                  tsr_error *error) {
  const unsigned blocks = tsr_blocks(device->n, TSR_ORDERING_BLOCK);
  tsr_word word = {};
  word.group = device->group;
  word.order = device->order;
  word.place_bits = tsr_place_bits(device->n);
  TSR_STEP(device->memory.get(&device->words, device->n, "the words to sort", error));
  TSR_STEP(device->memory.get(&device->scratch, device->n, "sorting", error));
  TSR_STEP(device->memory.get(&device->flags, device->n, "the flags of points", error));
  TSR_STEP(look_at_all(device, request, &word, error));
  const int phases = tsr_word_phases(&word);
  for (int k = 0; k < phases; ++k) {
    tsr_word_phase(&word, k, phases);
    make_words<<<blocks, TSR_ORDERING_BLOCK, 0, device->stream>>>(word, device->sorted, device->n,
                                                                  device->words);
    TSR_CUDA(cudaGetLastError(), "making the words to sort");
    TSR_STEP(tsr_ordering_cuda_sort_words(device, word.place_bits, word.key_bits,
                                          request->options->sort, error));
    int64_t *const before = device->sorted, *const out = (int64_t *)device->scratch;
    read_words<<<blocks, TSR_ORDERING_BLOCK, 0, device->stream>>>(
        word, before, device->n, device->words, out, k == phases - 1 ? device->flags : nullptr);
    TSR_CUDA(cudaGetLastError(), "reading the sorted words");
    device->sorted = out;
    device->scratch = (uint64_t *)before;
    if (!device->scratch && k < phases - 1)
      TSR_STEP(device->memory.get(&device->scratch, device->n, "sorting", error));
  }
  return TSR_OK;
}
