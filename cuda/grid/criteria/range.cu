// SPDX-License-Identifier: BSD-3-Clause
// Least and largest finite value of a criterion's array, for thresholds that are fractions of it.
#include "cuda/common/memory/kept.cuh"
#include "cuda/grid/slabs.cuh"
#include "cuda/grid/whole.cuh"

#include <algorithm>
#include <cstring>

namespace {

const int block = 256;

struct extent {
  double low, high;
};

__device__ void add(extent *e, double v) {
  if (!tsr_finite(v))
    return;
  e->low = v < e->low ? v : e->low;
  e->high = v > e->high ? v : e->high;
}

// Adds what all threads of the block found to what the block has.
__device__ void tell(extent mine, extent *to) {
  __shared__ extent of_warp[block / 32];
  for (int step = 16; step > 0; step /= 2) {
    add(&mine, __shfl_xor_sync(0xffffffffu, mine.low, step));
    add(&mine, __shfl_xor_sync(0xffffffffu, mine.high, step));
  }
  if (threadIdx.x % 32 == 0)
    of_warp[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x != 0)
    return;
  for (int w = 0; w < block / 32; ++w) {
    add(&to[blockIdx.x], of_warp[w].low);
    add(&to[blockIdx.x], of_warp[w].high);
  }
}

__global__ void __launch_bounds__(block) float_kernel(const float4 *values, int64_t n, extent *to) {
  const int64_t step = (int64_t)gridDim.x * block;
  extent mine = {INFINITY, -INFINITY};
  float low = INFINITY, high = -INFINITY;
  const auto one = [&low, &high](float v) {
    const bool finite = fabsf(v) <= 3.402823466e38f;
    low = finite && v < low ? v : low;
    high = finite && v > high ? v : high;
  };
  for (int64_t k = (int64_t)blockIdx.x * block + threadIdx.x; k < n; k += step) {
    const float4 v = __ldg(values + k);
    one(v.x), one(v.y), one(v.z), one(v.w);
  }
  add(&mine, (double)low);
  add(&mine, (double)high);
  tell(mine, to);
}

// Range of the samples [first, n) of a rule's array. each: the range is over single components.
// hidden: 1 for each hidden tuple; NULL: none is hidden.
__global__ void __launch_bounds__(block)
    sample_kernel(tsr_rule rule, int each, const uint8_t *hidden, int64_t first, int64_t n,
                  extent *to) {
  const int64_t step = (int64_t)gridDim.x * block;
  extent mine = {INFINITY, -INFINITY};
  for (int64_t k = first + (int64_t)blockIdx.x * block + threadIdx.x; k < n; k += step)
    if (!hidden || !hidden[each ? k / rule.array.components : k])
      add(&mine, each ? tsr_load(&rule.array, k) : tsr_sample(&rule, k));
  tell(mine, to);
}

// Range of the samples of owned cells, if this process holds cells of other processes, too.
__global__ void __launch_bounds__(block) owned_kernel(const tsr_grid_frame *frame, tsr_rule rule,
                                                      int each, const uint8_t *hidden, extent *to) {
  const tsr_lattice &lattice = frame->lattice;
  const int64_t(*range)[2] = frame->range[lattice.coarsen];
  const int64_t step = (int64_t)gridDim.x * block;
  int64_t size[3];
  for (int a = 0; a < 3; ++a)
    size[a] = range[a][1] - range[a][0] + (!rule.cell_data && a < lattice.dimension);
  extent mine = {INFINITY, -INFINITY};
  for (int64_t k = (int64_t)blockIdx.x * block + threadIdx.x; k < size[0] * size[1] * size[2];
       k += step) {
    const int64_t s[3] = {range[0][0] + k % size[0], range[1][0] + k / size[0] % size[1],
                          range[2][0] + k / size[0] / size[1]};
    const int64_t at = tsr_sample_at(&lattice, &rule, s);
    if (hidden && hidden[at])
      continue;
    for (int c = 0; each && c < rule.array.components; ++c)
      add(&mine, tsr_load(&rule.array, at * rule.array.components + c));
    if (!each)
      add(&mine, tsr_sample(&rule, at));
  }
  tell(mine, to);
}

// The measures of the visible input cells.
__global__ void __launch_bounds__(block)
    measure_kernel(const tsr_grid_frame *frame, tsr_rule rule, int64_t n, extent *to) {
  const tsr_grid_frame &f = *frame;
  const int64_t step = (int64_t)gridDim.x * block;
  extent mine = {INFINITY, -INFINITY};
  for (int64_t k = (int64_t)blockIdx.x * block + threadIdx.x; k < n; k += step) {
    int64_t c[3];
    double p[3];
    int flat;
    tsr_node_in(f.range[f.lattice.coarsen], k, c);
    if (f.hidden && f.hidden[tsr_cell_at(&f.lattice, c)])
      continue;
    tsr_cell_payload(&f.lattice, &f.space, &rule, c, p, &flat);
    add(&mine, p[0]);
  }
  tell(mine, to);
}

// 1 if all cells that are held are owned.
bool owns_all(const tsr_grid_frame &f) {
  return memcmp(f.range[f.lattice.coarsen], f.lattice.held, sizeof f.lattice.held) == 0;
}

// 1 if every component counts by itself.
bool by_components(const tsr_rule &rule) {
  return rule.array.components > 1 && rule.component < 0 &&
         rule.measure == TSR_MEASURE_INTERPOLATION_ERROR;
}

// Address of the array on the device if the range depends on nothing but its values; otherwise
// NULL. *range: identifies which values count.
const void *place_of_all(const tsr_grid_device *grid, const tsr_grid_request *request,
                         const tsr_rule &rule, int measure, tsr_kept_range *range) {
  const void *hidden = rule.cell_data ? grid->frame.hidden : request->view->hidden_points;
  range->what = (uint64_t)rule.array.type << 48 | (uint64_t)rule.array.components << 24 |
                (uint64_t)(rule.component + 1) << 1 | (by_components(rule) ? 1u : 0u);
  range->tuples = rule.array.tuples;
  return measure || hidden || !owns_all(grid->frame) || !grid->slabs.frames.empty()
             ? nullptr
             : tsr_find_uploaded(*grid, rule.array);
}

// Starts the kernels that look at the samples that are there; they fill both halves of `found`.
// all: every sample counts; else those of the frame's cells.
tsr_status look_at_samples(tsr_grid_device *grid, const tsr_rule &rule, const uint8_t *hidden,
                           bool all, int blocks, extent *found, tsr_error *error) {
  const int each = by_components(rule);
  int64_t range[2];
  if (!all) {
    owned_kernel<<<blocks, block, 0, grid->stream>>>(grid->frame_d, rule, each, hidden, found);
    TSR_CUDA(cudaGetLastError(), "finding the range of an array");
    return TSR_OK;
  }
  tsr_slab_tuples(grid, rule.array, range);
  const int values = each ? rule.array.components : 1; // of a sample
  const int64_t begin = range[0] * values, end = range[1] * values;
  const float *const first = (const float *)rule.array.data + begin;
  const bool floats = !hidden && rule.array.type == TSR_FLOAT &&
                      (each || rule.array.components == 1) &&
                      (uintptr_t)first % sizeof(float4) == 0;
  const int64_t fours = floats ? (end - begin) / 4 : 0;
  float_kernel<<<blocks, block, 0, grid->stream>>>((const float4 *)first, fours, found);
  TSR_CUDA(cudaGetLastError(), "finding the range of an array");
  sample_kernel<<<blocks, block, 0, grid->stream>>>(rule, each, hidden, begin + 4 * fours, end,
                                                    found + blocks);
  TSR_CUDA(cudaGetLastError(), "finding the range of an array");
  return TSR_OK;
}

// Which samples of a rule's array are hidden, one a sample; no data: none. Brings those of points
// there, unless they come in slabs.
tsr_status hidden_samples(tsr_grid_device *grid, const tsr_grid_request *request,
                          const tsr_rule &rule, tsr_array *hidden, tsr_error *error) {
  void *to = nullptr;
  *hidden = {nullptr, TSR_UINT8, 1, rule.array.tuples};
  if (rule.cell_data || !request->view->hidden_points)
    return TSR_OK;
  hidden->data = request->view->hidden_points;
  if (!grid->slabs.frames.empty())
    return TSR_OK;
  return tsr_upload(grid, request->execution, request->report, &grid->memory, true, {*hidden}, &to,
                    error);
}

// Range of the rule's samples, or of its measure, over the whole input on the device or slab by
// slab.
tsr_status check_all(tsr_grid_device *grid, const tsr_grid_request *request, const tsr_rule &rule,
                     int measure, int blocks, extent *found, tsr_error *error) {
  tsr_array hidden;
  TSR_STEP(hidden_samples(grid, request, rule, &hidden, error));
  const bool all = owns_all(grid->frame);
  const auto work = [&](const tsr_grid_frame &slab) {
    const tsr_slab_nodes nodes(grid);
    tsr_rule here = rule;
    here.array.data = tsr_find_uploaded(*grid, rule.array);
    if (!measure)
      return look_at_samples(grid, here,
                             rule.cell_data ? grid->frame.hidden
                                            : (const uint8_t *)tsr_find_uploaded(*grid, hidden),
                             all, blocks, found, error);
    measure_kernel<<<blocks, block, 0, grid->stream>>>(
        grid->frame_d, here, tsr_range_nodes(slab, slab.lattice.coarsen), found);
    TSR_CUDA(cudaGetLastError(), "finding the range of a criterion");
    return TSR_OK;
  };
  return tsr_each_slab(grid, request, {rule.array, hidden}, work, error);
}

} // namespace

tsr_status tsr_grid_cuda_range(tsr_grid_device *grid, const tsr_grid_request *request,
                               const tsr_rule *rule, int measure, double range[2],
                               tsr_error *error) {
  const tsr_on_device scope(grid->state->device);
  TSR_STEP(scope.check(error));
  range[0] = INFINITY;
  range[1] = -INFINITY;
  if (tsr_range_nodes(grid->frame, grid->frame.lattice.coarsen) == 0)
    return TSR_OK;
  tsr_kept_range known = {};
  const void *const kept = place_of_all(grid, request, *rule, measure, &known);
  if (kept && tsr_kept_find_range(kept, &known)) {
    std::copy_n(known.of, 2, range);
    return TSR_OK;
  }
  const int blocks = 8 * grid->state->properties.multiProcessorCount;
  std::vector<extent> found((size_t)(2 * blocks), extent{INFINITY, -INFINITY});
  extent *found_d;
  TSR_STEP(grid->memory.get(&found_d, (int64_t)found.size(), "the range of an array", error));
  TSR_CUDA(tsr_copy_async(found_d, found.data(), found.size() * sizeof(extent),
                          cudaMemcpyHostToDevice, grid->stream),
           "finding the range of an array");
  TSR_STEP(check_all(grid, request, *rule, measure, blocks, found_d, error));
  TSR_STEP(tsr_bring(found.data(), found_d, found.size() * sizeof(extent), grid->stream,
                     "finding the range of an array", error));
  grid->memory.free_one(found_d);
  for (const extent &e : found) {
    range[0] = std::min(range[0], e.low);
    range[1] = std::max(range[1], e.high);
  }
  std::copy_n(range, 2, known.of);
  if (kept)
    tsr_kept_note_range(kept, known);
  return TSR_OK;
}
