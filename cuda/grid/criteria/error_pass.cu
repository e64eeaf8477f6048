// SPDX-License-Identifier: BSD-3-Clause
// The interpolation error where that is plain: one float or double a point in three dimensions, and
// nodes whose points are at even steps between their corners. A warp has a node of 8 cubed cells,
// and goes on to its children where it is to be refined; larger nodes take a block each. Of floats
// bounds come first, from one pass over all values, and decide nearly all nodes of 8 cubed cells
// and of more.
#include "cuda/common/warp.cuh"
#include "cuda/grid/criteria/columns.cuh"
#include "cuda/grid/criteria/dense.cuh"
#include "cuda/grid/criteria/far.cuh"

#include <algorithm>

namespace {

const int block = 128, warps = block / 32, large_block = 256;
const int small_levels = 3; // of a warp

struct pass_args {
  const tsr_grid_frame *frame;
  tsr_column_args of;
  int level; // of the nodes that the launch has
  int skip;  // 1: the children of a node that is not refined are of no interest
};

// Looks at all points of a node that the box cuts.
template <class T>
__device__ void look_for_odd(const pass_args &args, const int64_t i[3], int level, int lane) {
  const tsr_grid_frame &f = *args.frame;
  int64_t first[3], last[3];
  tsr_node_points(&f.lattice, level, i, first, last);
  const int nx = (int)(last[0] - first[0]) + 1, ny = (int)(last[1] - first[1]) + 1;
  for (int k = lane; k < nx * ny * (int)(last[2] - first[2] + 1); k += 32) {
    const int64_t p[3] = {first[0] + k % nx, first[1] + k / nx % ny, first[2] + k / nx / ny};
    if (tsr_is_odd(((const T *)args.of.origin)[(p[0] * args.of.step[0] + p[1] * args.of.step[1]) +
                                               p[2] * args.of.step[2]]))
      *args.of.odd = 1;
  }
}

// 1 in every lane if the rule asks to refine a node. SIZE: the node's size, a constant.
template <class T, int SIZE>
__device__ int node_asks(const pass_args &args, const int64_t i[3], int lane) {
  const tsr_grid_frame &f = *args.frame;
  const int level = f.lattice.coarsen - (SIZE == 8 ? 3 : SIZE == 4 ? 2 : 1);
  if (args.of.rule.max_level >= 0 && level >= args.of.rule.max_level)
    return 0;
  if (tsr_node_sticks_out(&f.lattice, level, i)) {
    if (SIZE == 2)
      look_for_odd<T>(args, i, level, lane);
    return tsr_node_is_far<32>(f, args.of.rule, level, i, lane);
  }
  return tsr_columns_are_far<T, SIZE>(args.of, i, SIZE, lane);
}

__device__ void put(const tsr_grid_frame &f, int level, const int64_t i[3], int lane) {
  if (lane == 0)
    tsr_set_in(f, f.tree.dense[0], level, i);
}

// Decides the eight children, of 2 cubed cells each, of a node that lies wholly in the grid; four
// lanes share a child. Returns, in every lane, the bits of the children that are to be refined.
template <class T>
__device__ unsigned children_ask(const pass_args &args, const int64_t i[3], int lane) {
  const tsr_grid_frame &f = *args.frame;
  const unsigned k = (unsigned)lane / 4;
  const int64_t child[3] = {2 * i[0] + (k & 1), 2 * i[1] + (k >> 1 & 1), 2 * i[2] + (k >> 2)};
  unsigned bits = 0;
  if (args.of.rule.max_level >= 0 && f.lattice.coarsen - 1 >= args.of.rule.max_level)
    return 0;
  const tsr_corner_field<T> field = tsr_field_of((const T *)args.of.origin, args.of.step, child, 2);
  int far = 0;
  for (int column = lane % 4; column < 9; column += 4)
    far |= tsr_column_is_far<2>(args.of, field, 2, column % 3, column / 3);
  const unsigned all = __ballot_sync(0xffffffffu, far);
  for (int c = 0; c < 8; ++c)
    bits |= all >> (4 * c) & 15u ? 1u << c : 0u;
  return bits;
}

template <class T, int SIZE>
__device__ void walk(const pass_args &args, const int64_t i[3], int lane) {
  const tsr_grid_frame &f = *args.frame;
  const int level = f.lattice.coarsen - (SIZE == 8 ? 3 : SIZE == 4 ? 2 : 1);
  const int asks = node_asks<T, SIZE>(args, i, lane);
  if (asks)
    put(f, level, i, lane);
  if (!asks && args.skip)
    return;
  if (SIZE == 4 && !tsr_node_sticks_out(&f.lattice, level, i)) {
    const int64_t first[3] = {2 * i[0], 2 * i[1], 2 * i[2]};
    const unsigned bits = children_ask<T>(args, i, lane);
    if (bits && lane == 0)
      tsr_or_byte(tsr_byte_in(f, f.tree.dense[0], level + 1, first), bits);
    return;
  }
  for (unsigned k = 0; SIZE > 2 && k < 8; ++k) {
    int64_t child[3];
    if (tsr_node_child(&f.lattice, level, i, k, child))
      walk<T, (SIZE > 2 ? SIZE / 2 : 2)>(args, child, lane);
  }
}

// The node that a thread's group has; 0 where it is of no interest.
__device__ int node_of(const pass_args &args, int64_t n, int64_t i[3]) {
  const tsr_grid_frame &f = *args.frame;
  int64_t up[3];
  tsr_node_in(f.range[args.level], n, i);
  for (int a = 0; a < 3; ++a)
    up[a] = i[a] >> 1;
  return !args.skip || args.level == 0 || tsr_bit_in(f, f.tree.dense[0], args.level - 1, up);
}

template <class T, int SIZE>
__global__ void __launch_bounds__(block) small_kernel(pass_args args, int64_t nodes) {
  const int64_t n = ((int64_t)blockIdx.x * block + threadIdx.x) / 32;
  int64_t i[3];
  if (n < nodes && node_of(args, n, i))
    walk<T, SIZE>(args, i, threadIdx.x % 32);
}

// Nodes that a kernel leaves to another.
struct node_list {
  unsigned *n;
  unsigned *number; // in a row, as tsr_number_in
};

// A lane has a node of 8 cubed cells, and its warp looks at those that may be far; what is refined
// goes to the list. These lie close together, so a warp has nodes from everywhere.
__global__ void __launch_bounds__(block)
    near_kernel(pass_args args, const tsr_dense_bound *bounds, int64_t nodes, node_list refined) {
  const tsr_grid_frame &f = *args.frame;
  const int64_t all = (int64_t)gridDim.x * warps;
  const int64_t warp = (int64_t)blockIdx.x * warps + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int64_t mine = all * lane + warp;
  const tsr_dense_bound bound = mine < nodes ? bounds[mine] : tsr_dense_bound{0.0f, 0.0f};
  const int open = mine < nodes && !(bound.far < args.of.limit - args.of.limit_slack);
  const unsigned sure = __ballot_sync(0xffffffffu, bound.far - 2.0f * bound.slack >
                                                           args.of.limit + args.of.limit_slack &&
                                                       bound.far < 1e37f);
  int64_t i[3];
  for (unsigned left = __ballot_sync(0xffffffffu, open); left; left &= left - 1) {
    const int k = __ffs((int)left) - 1;
    const int64_t number = all * k + warp;
    if (!node_of(args, number, i) || !((sure >> k & 1) || node_asks<float, 8>(args, i, lane)))
      continue;
    put(f, args.level, i, lane);
    if (lane == 0)
      refined.number[atomicAdd(refined.n, 1u)] = (unsigned)number;
  }
}

// A warp has a child of a node of the list.
__global__ void __launch_bounds__(block, 8) child_kernel(pass_args args, node_list list) {
  const tsr_lattice &lattice = args.frame->lattice;
  const int64_t n = 8 * (int64_t)*list.n;
  for (int64_t at = (blockIdx.x * block + threadIdx.x) / 32; at < n; at += gridDim.x * warps) {
    int64_t i[3], child[3];
    if (node_of(args, list.number[at / 8], i) &&
        tsr_node_child(&lattice, args.level, i, (unsigned)(at % 8), child))
      walk<float, 4>(args, child, threadIdx.x % 32);
  }
}

// How far the corners of nodes of 8 cubed cells are from the interpolant of a larger node. Between
// them the interpolants differ by no more, so this and their own bounds bound the larger node's.
struct corner_look {
  int far;    // one is, for sure
  float most; // with the slack; INFINITY: not known
};

__device__ corner_look look_at_corners(const pass_args &args, const int64_t i[3], int size,
                                       int lane) {
  const tsr_column_args &of = args.of;
  const tsr_corner_field<float> f = tsr_field_of((const float *)of.origin, of.step, i, size);
  const int n = size / 8 + 1;
  const float unit = 8.0f / (float)size;
  corner_look to = {0, 0.0f};
  for (int k = lane; k < n * n * n; k += 32) {
    const int x = k % n, y = k / n % n, z = k / n / n;
    const float value = f.at[(x * of.step[0] + y * of.step[1] + z * of.step[2]) * 8];
    float line[4];
#pragma unroll
    for (int c = 0; c < 4; ++c)
      line[c] = __fmaf_rn(f.corner[2 * c + 1] - f.corner[2 * c], (float)x * unit, f.corner[2 * c]);
    const float low = __fmaf_rn(line[1] - line[0], (float)y * unit, line[0]),
                high = __fmaf_rn(line[3] - line[2], (float)y * unit, line[2]);
    const float e = fabsf(value - __fmaf_rn(high - low, (float)z * unit, low));
    const float slack = tsr_slack(f.most, value) + of.limit_slack;
    to.far |= e - slack > of.limit && e < 1e38f;
    to.most = e + slack < 1e37f ? fmaxf(to.most, e + slack) : INFINITY;
  }
  return to;
}

// A warp has a node, of more than 8 cubed cells. It is refined, or it is not, or it goes to the
// list.
__global__ void __launch_bounds__(block)
    above_kernel(pass_args args, const tsr_dense_bound *bounds, int64_t nodes, node_list list) {
  const tsr_grid_frame &f = *args.frame;
  const int64_t number = ((int64_t)blockIdx.x * block + threadIdx.x) / 32;
  const int by = f.lattice.coarsen - args.level - 3, n = 1 << by, lane = threadIdx.x % 32;
  int64_t i[3];
  if (number >= nodes || !node_of(args, number, i))
    return;
  float most = INFINITY;
  if (!tsr_node_sticks_out(&f.lattice, args.level, i)) {
    const corner_look corners = look_at_corners(args, i, 8 * n, lane);
    if (__any_sync(0xffffffffu, corners.far)) {
      put(f, args.level, i, lane);
      return;
    }
    float bound = 0.0f;
    for (int k = lane; k < n * n * n; k += 32) {
      const int64_t child[3] = {n * i[0] + k % n, n * i[1] + k / n % n, n * i[2] + k / n / n};
      const float one = bounds[tsr_number_in(f.range[args.level + by], child)].far;
      bound = one < 1e37f ? fmaxf(bound, one) : INFINITY;
    }
    most = tsr_warp_most(corners.most) + tsr_warp_most(bound);
  }
  if (lane == 0 && !(most < args.of.limit))
    list.number[atomicAdd(list.n, 1u)] = (unsigned)number;
}

// A block has a node. list.n NULL: all nodes of the level.
template <class T>
__global__ void __launch_bounds__(large_block)
    large_kernel(pass_args args, node_list list, unsigned nodes) {
  const tsr_grid_frame &f = *args.frame;
  const int size = 1 << (f.lattice.coarsen - args.level), n = size + 1;
  const unsigned count = list.n ? *list.n : nodes;
  for (unsigned at = blockIdx.x; at < count; at += gridDim.x) {
    int64_t i[3];
    int asks = 0;
    if (!node_of(args, list.n ? list.number[at] : at, i))
      continue;
    if (tsr_node_sticks_out(&f.lattice, args.level, i)) {
      asks = tsr_node_is_far<large_block>(f, args.of.rule, args.level, i, (int)threadIdx.x);
    } else {
      const tsr_corner_field<T> field =
          tsr_field_of((const T *)args.of.origin, args.of.step, i, size);
      for (int first = 0; first < n * n && !asks; first += large_block) {
        const int k = first + (int)threadIdx.x;
        asks =
            __syncthreads_or(k < n * n && tsr_column_is_far<0>(args.of, field, size, k % n, k / n));
      }
    }
    if (asks)
      put(f, args.level, i, (int)threadIdx.x);
  }
}

// Marks floats if only children of refined nodes matter: one pass over all values bounds the
// differences of each node, so that few nodes need to be checked themselves.
tsr_status start_dense(tsr_grid_device *grid, pass_args args, int dense_level, int most,
                       tsr_error *error) {
  const tsr_grid_frame &f = grid->frame;
  const char *what = "evaluating the interpolation error";
  const int64_t nodes = tsr_range_nodes(f, dense_level);
  const unsigned processors = (unsigned)grid->state->properties.multiProcessorCount;
  const tsr_dense_bound *bounds;
  node_list list;
  TSR_STEP(tsr_dense_bounds(grid, args.of.rule.array, dense_level, &bounds, error));
  TSR_STEP(grid->memory.get(&list.n, dense_level + 1, "the nodes to look at", error));
  TSR_STEP(grid->memory.get(&list.number, nodes, "the nodes to look at", error));
  TSR_CUDA(cudaMemsetAsync(list.n, 0, (size_t)(dense_level + 1) * sizeof *list.n, grid->stream),
           what);
  for (args.level = 0; args.level < std::min(dense_level, most); ++args.level) {
    const int64_t here = tsr_range_nodes(f, args.level);
    const node_list open = {list.n + args.level, list.number};
    above_kernel<<<tsr_blocks(here, warps), block, 0, grid->stream>>>(args, bounds, here, open);
    TSR_CUDA(cudaGetLastError(), what);
    large_kernel<float><<<4 * processors, large_block, 0, grid->stream>>>(args, open, 0);
    TSR_CUDA(cudaGetLastError(), what);
  }
  const node_list refined = {list.n + dense_level, list.number};
  args.level = dense_level;
  if (dense_level < most) {
    near_kernel<<<tsr_odd_blocks(nodes, block), block, 0, grid->stream>>>(args, bounds, nodes,
                                                                          refined);
    TSR_CUDA(cudaGetLastError(), what);
    child_kernel<<<16 * processors, block, 0, grid->stream>>>(args, refined);
    TSR_CUDA(cudaGetLastError(), what);
  }
  grid->memory.free_one(list.n);
  grid->memory.free_one(list.number);
  return TSR_OK;
}

template <class T>
cudaError_t start(const tsr_grid_device *grid, pass_args args, int first_small, int most) {
  const tsr_grid_frame &f = grid->frame;
  const int coarsen = f.lattice.coarsen;
  cudaError_t code = cudaSuccess;
  for (args.level = 0; args.level < std::min(first_small, most) && code == cudaSuccess;
       ++args.level) {
    const unsigned all = (unsigned)tsr_range_nodes(f, args.level);
    large_kernel<T><<<all, large_block, 0, grid->stream>>>(args, {nullptr, nullptr}, all);
    code = cudaGetLastError();
  }
  args.level = first_small;
  if (code != cudaSuccess || args.level >= most)
    return code;
  const int64_t nodes = tsr_range_nodes(f, args.level);
  const unsigned blocks = tsr_blocks(nodes, warps);
  if (coarsen - first_small == 3)
    small_kernel<T, 8><<<blocks, block, 0, grid->stream>>>(args, nodes);
  else if (coarsen - first_small == 2)
    small_kernel<T, 4><<<blocks, block, 0, grid->stream>>>(args, nodes);
  else
    small_kernel<T, 2><<<blocks, block, 0, grid->stream>>>(args, nodes);
  return cudaGetLastError();
}

} // namespace

tsr_status tsr_mark_by_error_columns(tsr_grid_device *grid, const tsr_rule &rule, int alone,
                                     int bounds, tsr_error *error) {
  const tsr_lattice &lattice = grid->frame.lattice;
  pass_args args = {grid->frame_d, tsr_columns_of(lattice, rule, &grid->marking.found->odd), 0,
                    alone};
  const int first_small = std::max(0, lattice.coarsen - small_levels);
  const int most = rule.max_level < 0 ? lattice.coarsen : std::min(rule.max_level, lattice.coarsen);
  if (bounds)
    return start_dense(grid, args, first_small, most, error);
  TSR_CUDA(rule.array.type == TSR_FLOAT ? start<float>(grid, args, first_small, most)
                                        : start<double>(grid, args, first_small, most),
           "evaluating the interpolation error");
  return TSR_OK;
}
