// SPDX-License-Identifier: BSD-3-Clause
// The device's sort of points into leaves: points are uploaded, get keys, are sorted by them; then
// the leaves are found, and the points of each leaf are put in the order of the input.
#include "cuda/common/executor.cuh"
#include "cuda/common/sort.cuh"
#include "cuda/pointgrid/device.cuh"

#include <algorithm>

namespace {

const int BLOCK = tsr_policy::block;

__device__ void make_keys(int64_t i, const tsr_pointgrid_frame &f, uint64_t *keys,
                          int64_t *points_of) {
  double xyz[3];
  const bool counts = tsr_pointgrid_load(&f.points, f.hidden, i, xyz) == TSR_POINTGRID_COUNTS;
  keys[i] = counts ? tsr_pointgrid_key(&f.cube, xyz) : ~(uint64_t)0; // these come last
  points_of[i] = i;
}

__device__ void number(int64_t i, int64_t *numbers) { numbers[i] = i; }

__device__ void order_leaves(int64_t i, const tsr_pointgrid_leaf *leaves, const int64_t *order,
                             tsr_pointgrid_leaf *sorted) {
  sorted[i] = leaves[order[i]];
}

// Puts the number of its leaf above each point. A warp a leaf.
__global__ void number_points(const tsr_pointgrid_leaf *leaves, int64_t n, int bits,
                              uint64_t *points) {
  const int64_t i = ((int64_t)blockIdx.x * BLOCK + threadIdx.x) / 32;
  if (i >= n)
    return;
  const int64_t end = leaves[i].begin + leaves[i].count;
  for (int64_t at = leaves[i].begin + (threadIdx.x & 31u); at < end; at += 32)
    points[at] |= (uint64_t)i << bits;
}

__device__ void strip_numbers(int64_t i, uint64_t *points, int bits) {
  points[i] &= ((uint64_t)1 << bits) - 1;
}

// Bits that hold the numbers below n.
int bits_below(int64_t n) {
  int bits = 1;
  while (bits < 62 && n > (int64_t)1 << bits)
    ++bits;
  return bits;
}

tsr_status upload(tsr_pointgrid_device *s, const tsr_pointgrid_input *input, tsr_error *error) {
  tsr_pointgrid_frame &f = s->frame;
  f.cube = input->cube;
  f.rule = input->rule;
  f.points = input->points;
  f.spread = f.rule.use_spread ? input->spread : tsr_array{};
  f.spread_component = input->options.spread_component;
  f.n = input->n_items;
  const std::vector<tsr_array> arrays = {
      f.points, f.spread, {input->hidden, TSR_UINT8, 1, f.points.tuples}};
  void *to[3];
  TSR_STEP(tsr_upload(s, input->execution, input->report, &s->memory, true, arrays, to, error));
  f.points.data = to[0];
  f.spread.data = to[1];
  f.hidden = (const uint8_t *)to[2];
  return TSR_OK;
}

// Raises *found where a cell of the level that ends at bit `first` holds too many points.
__global__ void find_full(const uint64_t *keys, int64_t n, int64_t most, int first, int *found) {
  const int64_t i = (int64_t)blockIdx.x * BLOCK + threadIdx.x;
  if (i < n - most && keys[i] >> first == keys[i + most] >> first)
    *found = 1;
}

// The lowest bit that Flat needs to sort by, unless points crowd: that of a level at which an even
// cloud has a 16th of the most points in a cell, and of more such levels where that costs no
// further pass of 8 bits.
int lowest_bit(const tsr_pointgrid_rule &rule, int64_t n) {
  int level = 1;
  while (level < TSR_POINTGRID_MAX_LEVEL && n >> (level * rule.dimension) > rule.max_points / 16)
    ++level;
  level = std::min(TSR_POINTGRID_MAX_LEVEL, (level * rule.dimension + 7) / 8 * 8 / rule.dimension);
  return tsr_pointgrid_shift(rule.dimension, level);
}

// Keys and the points they belong to, each in two arrays, of which the first has the pairs.
struct key_pairs {
  uint64_t *keys[2];
  int64_t *points[2];
};

tsr_status get_pairs(tsr_memory *memory, int64_t n, key_pairs *pairs, tsr_error *error) {
  for (int k = 0; k < 2; ++k) {
    TSR_STEP(memory->get(&pairs->keys[k], n, "the keys", error));
    TSR_STEP(memory->get(&pairs->points[k], n, "the keys", error));
  }
  return TSR_OK;
}

// The first bit that is not sorted by: one more where there are points that do not count.
int last_bit(const tsr_pointgrid_frame &f) {
  return tsr_pointgrid_shift(f.rule.dimension, 0) + (f.n < f.points.tuples ? 1 : 0);
}

// Sorts pairs by the bits of their keys from `first` on.
tsr_status sort_pairs(tsr_pointgrid_device *s, key_pairs *pairs, int64_t n, int first,
                      tsr_error *error) {
  return tsr_sort_pairs(pairs->keys, pairs->points, n, first, last_bit(s->frame) - first,
                        &s->memory, error);
}

// Sorts the keys of the points that count, and their points, by the bits from `first` on. If a cell
// of the level that ends there is split, all bits are sorted by.
tsr_status sort_keys(tsr_pointgrid_device *s, int first, tsr_error *error) {
  const char *what = "sorting the keys";
  tsr_pointgrid_frame &f = s->frame;
  const int64_t n = f.points.tuples;
  key_pairs pairs;
  int *found_d, found = 0;
  TSR_STEP(get_pairs(&s->memory, n, &pairs, error));
  TSR_CUDA(tsr_launch_each<make_keys>(n, s->stream, f, pairs.keys[0], pairs.points[0]),
           "making the keys");
  TSR_STEP(sort_pairs(s, &pairs, n, first, error));
  if (first > tsr_pointgrid_shift(f.rule.dimension, f.rule.max_level)) {
    TSR_STEP(s->memory.get(&found_d, 1, "the keys", error));
    TSR_CUDA(cudaMemsetAsync(found_d, 0, sizeof *found_d, s->stream), what);
    find_full<<<tsr_blocks(f.n, BLOCK), BLOCK, 0, s->stream>>>(pairs.keys[0], f.n,
                                                               f.rule.max_points, first, found_d);
    TSR_CUDA(cudaGetLastError(), what);
    TSR_STEP(tsr_bring(&found, found_d, sizeof found, s->stream, what, error));
  }
  if (found)
    TSR_STEP(sort_pairs(s, &pairs, n, 0, error));
  f.keys = pairs.keys[0];
  f.points_of = pairs.points[0];
  s->memory.free_one(pairs.keys[1]);
  s->memory.free_one(pairs.points[1]);
  return TSR_OK;
}

// Runs the recursion. It needs the points that count, in their order, and room for leaves; if there
// are more leaves than room, it is run again.
tsr_status recurse(tsr_pointgrid_device *s, const tsr_pointgrid_input *input,
                   tsr_pointgrid_found *found, tsr_error *error) {
  tsr_pointgrid_frame &f = s->frame;
  const int64_t n = f.points.tuples;
  const int level = tsr_pointgrid_top_level(f.rule, f.n);
  const int first = tsr_pointgrid_shift(f.rule.dimension, level);
  int64_t room = 8 * (f.n / f.rule.max_points) + 4096;
  tsr_pointgrid_recursion work = {};
  key_pairs pairs;
  work.n = f.n;
  TSR_STEP(s->memory.get(&work.order, f.n, "the order of the points", error));
  TSR_STEP(get_pairs(&s->memory, n, &pairs, error));
  for (;;) {
    TSR_CUDA(tsr_launch_each<make_keys>(n, s->stream, f, pairs.keys[0], pairs.points[0]),
             "making the keys");
    work.nodes = {{0, 0, f.n, 0, 0}};
    if (level > 0)
      TSR_STEP(tsr_pointgrid_top(s, pairs.keys[0], level, &work.nodes, error));
    if (first < last_bit(f))
      TSR_STEP(sort_pairs(s, &pairs, n, first, error));
    for (int k = 0; k < 2; ++k) {
      work.keys[k] = pairs.keys[k];
      work.points[k] = pairs.points[k];
    }
    TSR_STEP(s->memory.get(&found->keys, room, "the leaves", error));
    TSR_STEP(s->memory.get(&found->leaves, room, "the leaves", error));
    found->n = room;
    TSR_STEP(tsr_pointgrid_recursive(s, work, input, found, error));
    if (found->n <= room)
      break;
    room = found->n;
    s->memory.free_one(found->keys);
    s->memory.free_one(found->leaves);
  }
  f.points_of = work.order;
  return TSR_OK;
}

// The points of each leaf in the order of the input. They were sorted by their whole keys: now by
// leaf and point, in one word. Leaves that follow one another have points that do. (CUB's segmented
// sort would do less work, but in CUDA 13.0 it does not pass on the failure of a call that it
// makes.)
tsr_status order_points(tsr_pointgrid_device *s, const tsr_pointgrid_leaf *sorted, int64_t leaves,
                        int64_t **order, tsr_error *error) {
  const char *what = "ordering the points";
  const int bits = bits_below(s->frame.points.tuples), all = bits + bits_below(leaves);
  uint64_t *const points = (uint64_t *)s->frame.points_of;
  uint64_t *other;
  tsr_pointgrid_leaf first, last;
  TSR_CUDA(all > 64 ? cudaErrorNotSupported : cudaSuccess, what);
  TSR_CUDA(tsr_copy_async(&first, sorted, sizeof first, cudaMemcpyDeviceToHost, s->stream), what);
  TSR_CUDA(
      tsr_copy_async(&last, sorted + leaves - 1, sizeof last, cudaMemcpyDeviceToHost, s->stream),
      what);
  number_points<<<tsr_blocks(leaves, BLOCK / 32), BLOCK, 0, s->stream>>>(sorted, leaves, bits,
                                                                         points);
  TSR_CUDA(cudaGetLastError(), what);
  TSR_CUDA(cudaStreamSynchronize(s->stream), what);
  const int64_t begin = first.begin, n = last.begin + last.count - begin;
  TSR_STEP(s->memory.get(&other, s->frame.n, "the order of the points", error));
  uint64_t *words[2] = {points + begin, other + begin};
  TSR_STEP(tsr_sort_keys(words, n, 0, all, &s->memory, error));
  TSR_CUDA(tsr_launch_each<strip_numbers>(n, s->stream, words[0], bits), what);
  *order = (int64_t *)(words[0] - begin);
  return TSR_OK;
}

// Frees all memory that later steps do not need.
void keep_sorted(tsr_pointgrid_device *s, const tsr_pointgrid_sorted &sorted,
                 tsr_pointgrid_output_kind output) {
  const void *const points = output == TSR_POINTGRID_POINTS ? s->frame.points.data : nullptr;
  std::vector<tsr_uploaded> left;
  for (const tsr_uploaded &one : s->uploaded)
    if (one.device == points)
      left.push_back(one);
  s->uploaded.swap(left);
  s->memory.free_others({sorted.leaves.at, sorted.order, points});
}

// Sorts the leaves by their keys, and the points within each leaf.
tsr_status finish(tsr_pointgrid_device *s, const tsr_pointgrid_input *input,
                  const tsr_pointgrid_found &found, tsr_pointgrid_sorted *sorted,
                  tsr_error *error) {
  const char *what = "ordering the leaves";
  int64_t *order = (int64_t *)s->frame.points_of;
  uint64_t *keys[2] = {found.keys, nullptr};
  int64_t *numbers[2];
  tsr_pointgrid_leaf *leaves;
  TSR_STEP(s->memory.get(&keys[1], found.n, "the leaves", error));
  TSR_STEP(s->memory.get(&numbers[0], found.n, "the leaves", error));
  TSR_STEP(s->memory.get(&numbers[1], found.n, "the leaves", error));
  TSR_STEP(s->memory.get(&leaves, found.n, "the leaves", error));
  TSR_CUDA(tsr_launch_each<number>(found.n, s->stream, numbers[0]), what);
  TSR_STEP(tsr_sort_pairs(keys, numbers, found.n, 0,
                          tsr_pointgrid_shift(s->frame.rule.dimension, 0), &s->memory, error));
  TSR_CUDA(tsr_launch_each<order_leaves>(found.n, s->stream, found.leaves, numbers[0], leaves),
           what);
  // The recursion keeps the order of the points.
  if (input->report->strategy != TSR_POINTGRID_RECURSIVE_CHILDREN)
    TSR_STEP(order_points(s, leaves, found.n, &order, error));
  *sorted = {{leaves, found.n, found.n}, order};
  return TSR_OK;
}

// Chooses the strategy. Flat knows no spread, and needs all keys to be owned here.
tsr_pointgrid_strategy choose(const tsr_pointgrid_input *input) {
  const tsr_pointgrid_strategy wanted = input->options.launch.strategy;
  const tsr_pointgrid_rule &rule = input->rule;
  const bool all = rule.begin == 0 && rule.end == (uint64_t)1
                                                      << tsr_pointgrid_shift(rule.dimension, 0);
  if (wanted == TSR_POINTGRID_RECURSIVE_CHILDREN || wanted == TSR_POINTGRID_HOST_WAVES)
    return wanted;
  return all && !rule.use_spread ? TSR_POINTGRID_FLAT : TSR_POINTGRID_HOST_WAVES;
}

tsr_status find_leaves(tsr_pointgrid_device *s, const tsr_pointgrid_input *input,
                       tsr_pointgrid_found *found, tsr_error *error) {
  if (input->report->strategy == TSR_POINTGRID_RECURSIVE_CHILDREN)
    return recurse(s, input, found, error);
  const bool flat = input->report->strategy == TSR_POINTGRID_FLAT;
  TSR_STEP(sort_keys(s, flat ? lowest_bit(s->frame.rule, s->frame.n) : 0, error));
  return flat ? tsr_pointgrid_flat(s->frame, &s->memory, s->stream, found, error)
              : tsr_pointgrid_waves(s->frame, &s->memory, s->stream, found, error);
}

} // namespace

tsr_status tsr_pointgrid_cuda_sort(tsr_pointgrid_device *plan, const tsr_pointgrid_input *input,
                                   tsr_pointgrid_sorted *sorted, tsr_error *error) {
  const tsr_on_device scope(plan->state->device);
  TSR_STEP(scope.check(error));
  tsr_report *const report = input->report;
  tsr_pointgrid_found found = {};
  tsr_pointgrid_sorted made;
  report->strategy = choose(input);
  report->child_stream = input->options.launch.child_stream;
  TSR_STEP(upload(plan, input, error));
  TSR_CUDA(cudaEventRecord(plan->begin, plan->stream), "sorting the points");
  TSR_STEP(find_leaves(plan, input, &found, error));
  TSR_STEP(finish(plan, input, found, &made, error));
  TSR_CUDA(cudaEventRecord(plan->end, plan->stream), "sorting the points");
  TSR_CUDA(cudaStreamSynchronize(plan->stream), "sorting the points");
  tsr_note_work(*plan, report);
  keep_sorted(plan, made, input->options.output);
  report->backend = TSR_BACKEND_CUDA;
  *sorted = made;
  return TSR_OK;
}
