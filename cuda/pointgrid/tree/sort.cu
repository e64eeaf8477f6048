// SPDX-License-Identifier: BSD-3-Clause
// The spine of the device: points up, keys, sorted, leaves, and their points in the order of the
// input.
#include "cuda/pointgrid/pairs.cuh"

#include "cuda/common/memory/outputs.cuh"
#include "cuda/common/policy.cuh"

#include <algorithm>

namespace {

const int BLOCK = tsr_policy::block;

__global__ void make_keys(tsr_points_frame f, uint64_t *keys, int64_t *points_of) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  double xyz[3];
  bool counts = true;
  if (i >= f.points.tuples)
    return;
  for (int a = 0; a < 3; ++a) {
    xyz[a] = tsr_load(&f.points, 3 * i + a);
    counts = counts && tsr_usable(xyz[a]);
  }
  counts = counts && !(f.hidden && f.hidden[i]);
  keys[i] = counts ? tsr_pointgrid_key(&f.cube, xyz) : ~(uint64_t)0; // these come last
  points_of[i] = i;
}

__global__ void number(int64_t *numbers, int64_t n) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    numbers[i] = i;
}

__global__ void order_leaves(const tsr_pointgrid_leaf *leaves, const int64_t *order, int64_t n,
                             tsr_pointgrid_leaf *sorted) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
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

__global__ void strip_numbers(uint64_t *points, int64_t n, int bits) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    points[i] &= ((uint64_t)1 << bits) - 1;
}

// Bits that hold the numbers below n.
int bits_below(int64_t n) {
  int bits = 1;
  while (bits < 62 && n > (int64_t)1 << bits)
    ++bits;
  return bits;
}

tsr_status upload(tsr_pointgrid_device *s, const tsr_pointgrid_job *job, tsr_error *error) {
  tsr_points_frame &f = s->frame;
  f.cube = *job->cube;
  f.rule = *job->rule;
  f.points = *job->points;
  f.spread = f.rule.use_spread ? *job->spread : tsr_array{};
  f.spread_component = job->spread_component;
  f.n = job->n_items;
  const std::vector<tsr_array> arrays = {
      f.points, f.spread, {job->hidden, TSR_UINT8, 1, f.points.tuples}};
  void *to[3];
  TSR_STEP(tsr_upload(s, job->execution, job->report, &s->memory, true, arrays, to, error));
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

// Sorted keys of the points that count, and their points. Where no cell of the level that ends at
// bit `first` is split, no more is sorted by.
tsr_status sort_keys(tsr_pointgrid_device *s, int first, tsr_error *error) {
  tsr_points_frame &f = s->frame;
  const int64_t n = f.points.tuples;
  uint64_t *keys[2];
  int64_t *points[2];
  int *found_d, found = 0;
  for (int i = 0; i < 2; ++i) {
    TSR_STEP(s->memory.get(&keys[i], n, "the keys", error));
    TSR_STEP(s->memory.get(&points[i], n, "the keys", error));
  }
  make_keys<<<tsr_blocks(n, BLOCK), BLOCK, 0, s->stream>>>(f, keys[0], points[0]);
  TSR_CUDA(cudaGetLastError(), "making the keys");
  cub::DoubleBuffer<uint64_t> key_buffers(keys[0], keys[1]);
  cub::DoubleBuffer<int64_t> point_buffers(points[0], points[1]);
  // One bit more where there are points that do not count.
  const int last = tsr_pointgrid_shift(f.rule.dimension, 0) + (f.n < n ? 1 : 0);
  TSR_STEP(tsr_points_sort_pairs(s, &key_buffers, &point_buffers, n, first, last, error));
  if (first > tsr_pointgrid_shift(f.rule.dimension, f.rule.max_level)) {
    TSR_STEP(s->memory.get(&found_d, 1, "the keys", error));
    TSR_CUDA(cudaMemsetAsync(found_d, 0, sizeof *found_d, s->stream), "sorting the keys");
    find_full<<<tsr_blocks(f.n, BLOCK), BLOCK, 0, s->stream>>>(key_buffers.Current(), f.n,
                                                               f.rule.max_points, first, found_d);
    TSR_CUDA(cudaGetLastError(), "sorting the keys");
    TSR_CUDA(cudaMemcpyAsync(&found, found_d, sizeof found, cudaMemcpyDeviceToHost, s->stream),
             "sorting the keys");
    TSR_CUDA(cudaStreamSynchronize(s->stream), "sorting the keys");
  }
  if (found)
    TSR_STEP(tsr_points_sort_pairs(s, &key_buffers, &point_buffers, n, 0, last, error));
  f.keys = key_buffers.Current();
  f.points_of = point_buffers.Current();
  s->memory.free_one(key_buffers.Alternate());
  s->memory.free_one(point_buffers.Alternate());
  return TSR_OK;
}

// The recursion needs the points that count, in their order, and room for leaves, which it may find
// too small: then once more.
tsr_status recurse(tsr_pointgrid_device *s, const tsr_pointgrid_job *job, tsr_points_leaves *found,
                   tsr_error *error) {
  tsr_points_frame &f = s->frame;
  const int64_t n = f.points.tuples;
  tsr_points_work work = {};
  int64_t room = 8 * (f.n / f.rule.max_points) + 4096;
  const int level = tsr_points_top_level(f.rule, f.n),
            top = tsr_pointgrid_shift(f.rule.dimension, 0);
  work.n = f.n;
  TSR_STEP(s->memory.get(&work.order, f.n, "the order of the points", error));
  for (int i = 0; i < 2; ++i) {
    TSR_STEP(s->memory.get(&work.keys[i], n, "the keys", error));
    TSR_STEP(s->memory.get(&work.points[i], n, "the keys", error));
  }
  for (;;) {
    cub::DoubleBuffer<uint64_t> keys(work.keys[0], work.keys[1]);
    cub::DoubleBuffer<int64_t> points(work.points[0], work.points[1]);
    make_keys<<<tsr_blocks(n, BLOCK), BLOCK, 0, s->stream>>>(f, keys.Current(), points.Current());
    TSR_CUDA(cudaGetLastError(), "making the keys");
    work.nodes = {{0, 0, f.n, 0, 0}};
    if (level > 0)
      TSR_STEP(tsr_points_top(s, keys.Current(), level, &work.nodes, error));
    // One bit more where there are points that do not count.
    const int first = tsr_pointgrid_shift(f.rule.dimension, level), last = top + (f.n < n ? 1 : 0);
    if (first < last)
      TSR_STEP(tsr_points_sort_pairs(s, &keys, &points, n, first, last, error));
    work.keys[0] = keys.Current();
    work.keys[1] = keys.Alternate();
    work.points[0] = points.Current();
    work.points[1] = points.Alternate();
    TSR_STEP(s->memory.get(&found->keys, room, "the leaves", error));
    TSR_STEP(s->memory.get(&found->leaves, room, "the leaves", error));
    found->n = room;
    TSR_STEP(tsr_points_recursive(s, work, job, found, error));
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
  void *room = nullptr;
  size_t bytes = 0;
  TSR_CUDA(all > 64 ? cudaErrorNotSupported : cudaSuccess, what);
  TSR_CUDA(cudaMemcpyAsync(&first, sorted, sizeof first, cudaMemcpyDeviceToHost, s->stream), what);
  TSR_CUDA(
      cudaMemcpyAsync(&last, sorted + leaves - 1, sizeof last, cudaMemcpyDeviceToHost, s->stream),
      what);
  number_points<<<tsr_blocks(leaves, BLOCK / 32), BLOCK, 0, s->stream>>>(sorted, leaves, bits,
                                                                         points);
  TSR_CUDA(cudaGetLastError(), what);
  TSR_CUDA(cudaStreamSynchronize(s->stream), what);
  const int64_t begin = first.begin, n = last.begin + last.count - begin;
  TSR_STEP(s->memory.get(&other, s->frame.n, "the order of the points", error));
  cub::DoubleBuffer<uint64_t> words(points + begin, other + begin);
  TSR_CUDA(cub::DeviceRadixSort::SortKeys(nullptr, bytes, words, n, 0, all, s->stream),
           "preparing the order of the points");
  TSR_STEP(s->memory.get(&room, (int64_t)bytes, 1, "the order of the points", error));
  TSR_CUDA(cub::DeviceRadixSort::SortKeys(room, bytes, words, n, 0, all, s->stream), what);
  if (n > 0)
    strip_numbers<<<tsr_blocks(n, BLOCK), BLOCK, 0, s->stream>>>(words.Current(), n, bits);
  TSR_CUDA(cudaGetLastError(), what);
  *order = (int64_t *)(words.Current() - begin);
  return TSR_OK;
}

// Counts of the leaves; first_full starts as the largest number there is, which as an int64_t is
// -1.
__global__ void summarise(tsr_pointgrid_rule rule, const tsr_pointgrid_leaf *leaves, int64_t n,
                          tsr_pointgrid_summary *summary) {
  __shared__ unsigned of_block[TSR_POINTGRID_MAX_LEVEL + 1];
  const int64_t i = (int64_t)blockIdx.x * BLOCK + threadIdx.x;
  if (threadIdx.x <= TSR_POINTGRID_MAX_LEVEL)
    of_block[threadIdx.x] = 0;
  __syncthreads();
  if (i < n) {
    const tsr_pointgrid_leaf leaf = leaves[i];
    atomicAdd(&of_block[leaf.level], 1u);
    if (tsr_pointgrid_is_full(&rule, leaf.level, leaf.count)) {
      atomicAdd((unsigned long long *)&summary->full, 1ull);
      atomicMin((unsigned long long *)&summary->first_full, (unsigned long long)i);
    }
  }
  __syncthreads();
  if (threadIdx.x <= TSR_POINTGRID_MAX_LEVEL && of_block[threadIdx.x] > 0)
    atomicAdd((unsigned long long *)&summary->of_level[threadIdx.x],
              (unsigned long long)of_block[threadIdx.x]);
}

tsr_status tell_of_leaves(tsr_pointgrid_device *s, tsr_pointgrid_summary *summary,
                          tsr_error *error) {
  const char *what = "counting the leaves";
  tsr_pointgrid_summary *made;
  TSR_STEP(s->memory.get(&made, 1, "the leaves", error));
  TSR_CUDA(cudaMemsetAsync(made, 0, sizeof *made, s->stream), what);
  TSR_CUDA(cudaMemsetAsync(&made->first_full, 0xff, sizeof made->first_full, s->stream), what);
  summarise<<<tsr_blocks(s->n_leaves, BLOCK), BLOCK, 0, s->stream>>>(s->frame.rule, s->leaves,
                                                                     s->n_leaves, made);
  TSR_CUDA(cudaGetLastError(), what);
  TSR_CUDA(cudaMemcpyAsync(summary, made, sizeof *summary, cudaMemcpyDeviceToHost, s->stream),
           what);
  TSR_CUDA(cudaStreamSynchronize(s->stream), what);
  return TSR_OK;
}

// Frees everything but what later steps need.
void keep_leaves(tsr_pointgrid_device *s, tsr_pointgrid_output_kind output) {
  const void *const points = output == TSR_POINTGRID_POINTS ? s->frame.points.data : nullptr;
  std::vector<tsr_uploaded> left;
  for (const tsr_uploaded &one : s->uploaded)
    if (one.device == points)
      left.push_back(one);
  s->uploaded.swap(left);
  s->memory.free_others({s->leaves, s->order, points});
}

tsr_status finish(tsr_pointgrid_device *s, const tsr_pointgrid_job *job,
                  const tsr_points_leaves &found, tsr_error *error) {
  uint64_t *other_keys;
  int64_t *numbers[2], *order = nullptr;
  tsr_pointgrid_leaf *sorted;
  TSR_STEP(s->memory.get(&other_keys, found.n, "the leaves", error));
  TSR_STEP(s->memory.get(&numbers[0], found.n, "the leaves", error));
  TSR_STEP(s->memory.get(&numbers[1], found.n, "the leaves", error));
  TSR_STEP(s->memory.get(&sorted, found.n, "the leaves", error));
  number<<<tsr_blocks(found.n, BLOCK), BLOCK, 0, s->stream>>>(numbers[0], found.n);
  TSR_CUDA(cudaGetLastError(), "ordering the leaves");
  cub::DoubleBuffer<uint64_t> keys(found.keys, other_keys);
  cub::DoubleBuffer<int64_t> values(numbers[0], numbers[1]);
  TSR_STEP(tsr_points_sort_pairs(s, &keys, &values, found.n, 0,
                                 tsr_pointgrid_shift(s->frame.rule.dimension, 0), error));
  order_leaves<<<tsr_blocks(found.n, BLOCK), BLOCK, 0, s->stream>>>(found.leaves, values.Current(),
                                                                    found.n, sorted);
  TSR_CUDA(cudaGetLastError(), "ordering the leaves");
  // The recursion has kept that order.
  order = (int64_t *)s->frame.points_of;
  if (job->report->strategy != TSR_POINTGRID_RECURSIVE_CHILDREN)
    TSR_STEP(order_points(s, sorted, found.n, &order, error));
  s->leaves = sorted;
  s->n_leaves = found.n;
  s->order = order;
  return TSR_OK;
}

tsr_status check_launch(const tsr_pointgrid_job *job, tsr_error *error) {
  const tsr_pointgrid_launch &e = *job->launch;
  const int wanted = (int)e.strategy;
  if (wanted != TSR_POINTGRID_STRATEGY_AUTO &&
      (wanted < TSR_POINTGRID_FLAT || wanted > TSR_POINTGRID_HOST_WAVES))
    return tsr_cuda_refuse(error, TSR_BAD_OPTION,
                           "the launch strategy %d is none for point grids: take Auto, Flat, "
                           "Recursive Child Grids or Host Waves",
                           wanted);
  if (job->rule->use_spread &&
      (wanted == TSR_POINTGRID_FLAT || wanted == TSR_POINTGRID_RECURSIVE_CHILDREN))
    return tsr_cuda_refuse(error, TSR_BAD_OPTION,
                           "%s by their numbers of points alone: for the spread of an array take "
                           "Auto or Host Waves",
                           wanted == TSR_POINTGRID_FLAT ? "Flat finds cells"
                                                        : "Recursive Child Grids find cells");
  if ((unsigned)e.child_stream > TSR_CHILD_TAIL)
    return tsr_cuda_refuse(error, TSR_BAD_OPTION, "the child stream %d is unknown",
                           (int)e.child_stream);
  if (e.pending_launches < 0 || e.pending_launches > 262144)
    return tsr_cuda_refuse(error, TSR_BAD_OPTION,
                           "the pending launch count must lie between 0 and 262144, but is %lld",
                           (long long)e.pending_launches);
  if (e.nesting_depth < 1 || e.nesting_depth > 24)
    return tsr_cuda_refuse(error, TSR_BAD_OPTION,
                           "the nesting depth must lie between 1 and 24, but is %d",
                           e.nesting_depth);
  return TSR_OK;
}

// Which strategy runs: Flat needs counts alone, and all keys.
tsr_pointgrid_strategy choose(const tsr_pointgrid_job *job) {
  const tsr_pointgrid_strategy wanted = job->launch->strategy;
  const tsr_pointgrid_rule *rule = job->rule;
  const bool all = rule->begin == 0 && rule->end == (uint64_t)1
                                                        << tsr_pointgrid_shift(rule->dimension, 0);
  if (wanted == TSR_POINTGRID_RECURSIVE_CHILDREN || wanted == TSR_POINTGRID_HOST_WAVES)
    return wanted;
  return all && !rule->use_spread ? TSR_POINTGRID_FLAT : TSR_POINTGRID_HOST_WAVES;
}

tsr_status find_leaves(tsr_pointgrid_device *s, const tsr_pointgrid_job *job,
                       tsr_points_leaves *found, tsr_error *error) {
  if (job->report->strategy == TSR_POINTGRID_RECURSIVE_CHILDREN)
    return recurse(s, job, found, error);
  const bool flat = job->report->strategy == TSR_POINTGRID_FLAT;
  TSR_STEP(sort_keys(s, flat ? lowest_bit(s->frame.rule, s->frame.n) : 0, error));
  return flat ? tsr_points_flat(s->frame, &s->memory, s->stream, found, error)
              : tsr_points_waves(s->frame, &s->memory, s->stream, found, error);
}

} // namespace

tsr_status tsr_pointgrid_cuda_open(const tsr_pointgrid_job *job, tsr_pointgrid_device **made,
                                   tsr_error *error) {
  TSR_STEP(check_launch(job, error));
  const auto fill = [](tsr_pointgrid_device *, tsr_error *) { return TSR_OK; };
  return tsr_open_plan(*job->execution, job->report, fill, tsr_pointgrid_cuda_close, made, error);
}

tsr_status tsr_pointgrid_cuda_sort(tsr_pointgrid_device *plan, const tsr_pointgrid_job *job,
                                   tsr_pointgrid_summary *summary, int64_t *n, tsr_error *error) {
  const tsr_on_device scope(plan->state->device);
  TSR_STEP(scope.check(error));
  tsr_points_leaves found = {};
  job->report->strategy = choose(job);
  job->report->child_stream = job->launch->child_stream;
  TSR_STEP(upload(plan, job, error));
  TSR_CUDA(cudaEventRecord(plan->begin, plan->stream), "sorting the points");
  TSR_STEP(find_leaves(plan, job, &found, error));
  TSR_STEP(finish(plan, job, found, error));
  TSR_CUDA(cudaEventRecord(plan->end, plan->stream), "sorting the points");
  TSR_STEP(tell_of_leaves(plan, summary, error));
  tsr_note_work(*plan, job->report);
  *n = plan->n_leaves;
  keep_leaves(plan, job->output);
  return TSR_OK;
}

tsr_status tsr_pointgrid_cuda_fetch(tsr_pointgrid_device *s, const tsr_pointgrid_job *job,
                                    int64_t *order, tsr_pointgrid_leaf *leaves, tsr_error *error) {
  const tsr_on_device scope(s->state->device);
  TSR_STEP(scope.check(error));
  const double start = tsr_cuda_now(job->execution);
  const std::vector<tsr_copy> copies = {{order, s->order, (size_t)s->frame.n * sizeof *order},
                                        {leaves, s->leaves, (size_t)s->n_leaves * sizeof *leaves}};
  TSR_CUDA(cudaStreamSynchronize(s->stream), "ordering the points");
  TSR_STEP(tsr_transfer_down(s->state, job->execution, copies, nullptr, 0.2, 0.3, error));
  job->report->download_seconds += tsr_cuda_now(job->execution) - start;
  return TSR_OK;
}

void tsr_pointgrid_cuda_close(tsr_pointgrid_device *plan) {
  const tsr_on_device scope(plan->state->device);
  tsr_outputs_lock(plan->state->device); // what it has filled, for the next one
  tsr_opened_stop(plan);
  delete plan;
}
