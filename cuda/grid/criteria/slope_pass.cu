// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/grid/criteria/slope.cuh"

#include <algorithm>
#include <cstring>

namespace {

const unsigned doubt_room = 1u << 20, most_blocks = 2112;
const int block = 128;
const int doubt_block = 512; // a node of 16 cubed cells has as many of 2 cubed

using fours = tsr_slope[4][tsr_pass_warps][32]; // nodes of 4 cubed cells of a block

// Decides the lane's four nodes of 2 cubed in a layer. Returns their bits; *four gets all of them.
template <bool GRADIENT>
__device__ unsigned finish_layer(const tsr_slope_args &args, const tsr_slope node[2][2],
                                 const int64_t first[3], float base, tsr_slope *four) {
  unsigned bits = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const tsr_slope &s = node[k / 2][k % 2];
    if (s.most >= 0.0f || s.most != s.most) {
      const int asks = tsr_slope_asks<GRADIENT>(args, s, 1, base);
      if (asks == 2 && args.plain.level[0].asks)
        tsr_slope_doubt(args, 1, first[0] + k % 2, first[1] + k / 2, first[2]);
      bits |= (unsigned)(asks == 1) << k;
      tsr_slope_of<GRADIENT>::add(four, s);
    }
  }
  return args.plain.level[0].asks ? bits : 0u;
}

// A lane's planes: writes the bits of nodes of 2 cubed cells, keeps those of 4 cubed.
template <class T, bool GRADIENT>
__device__ void pass_planes(const tsr_slope_args &args, T base, fours &keep) {
  const tsr_plain_args &plain = args.plain;
  const int x = ((int)blockIdx.x * 32 + (int)threadIdx.x) * 4;
  const int y = ((int)blockIdx.y * tsr_pass_warps + (int)threadIdx.y) * 4;
  const int z = (int)blockIdx.z * tsr_pass_planes;
  const int last = min((int)plain.last[2] - z, tsr_pass_planes);
  const int left = min((int)plain.cells[2] - z, tsr_pass_planes);
  const tsr_lane_rows at = tsr_rows_of<T, false>(plain, x, y);
  const T *planes = (const T *)plain.values + z * plain.step[1];
  uint8_t *byte = plain.level[0].bytes + tsr_plain_at(plain.level[0], x / 4, y / 4, z / 4);
  unsigned cells = 0, bits = 0;
  tsr_slope_plane now, next;
  tsr_slope four = tsr_slope_of<GRADIENT>::none();
  for (int k = 0; k < 4; ++k)
    cells |= (unsigned)(x + k < plain.cells[0]) << k | (unsigned)(y + k < plain.cells[1])
                                                           << (4 + k);
  const bool any = (cells & 15) && (cells >> 4);
  tsr_slope_load(planes, at, base, &now);
#pragma unroll 1
  for (int first = 0; first < tsr_pass_planes; first += 2) {
    tsr_slope node[2][2];
    for (int k = 0; k < 4; ++k)
      node[k / 2][k % 2] = tsr_slope_of<GRADIENT>::none();
    tsr_slope_load(planes + min(first + 1, last) * plain.step[1], at, base, &next);
    if (any && first < left)
      tsr_slope_cells<GRADIENT>(now, next, cells, node);
    tsr_slope_load(planes + min(first + 2, last) * plain.step[1], at, base, &now);
    if (any && first + 1 < left)
      tsr_slope_cells<GRADIENT>(next, now, cells, node);
    const int64_t index[3] = {x / 2, y / 2, (z + first) / 2};
    const unsigned asks = finish_layer<GRADIENT>(args, node, index, (float)base, &four);
    if (first % 4 == 0) {
      bits = asks;
      continue;
    }
    bits |= asks << 4;
    keep[first / 4][threadIdx.y][threadIdx.x] = four;
    four = tsr_slope_of<GRADIENT>::none();
    if (any && first - 2 < left)
      tsr_plain_put(byte, plain.fresh, bits);
    byte += plain.level[0].size[0] * plain.level[0].size[1];
  }
}

// Decides a node; 1 if it is refined, as far as the estimate tells.
template <bool GRADIENT>
__device__ unsigned decide(const tsr_slope_args &args, const tsr_slope &s, int by,
                           const int64_t n[3], int wanted, float base) {
  if (s.most < 0.0f || !wanted)
    return 0;
  const int asks = tsr_slope_asks<GRADIENT>(args, s, by, base);
  if (asks == 2)
    tsr_slope_doubt(args, by, n[0], n[1], n[2]);
  return asks == 1;
}

// Decides the nodes of 4 and 8 cubed cells, and stores what those of 16 cubed have: a thread has a
// node of 8 cubed, eight in turn one of 16 cubed.
template <bool GRADIENT>
__device__ void pass_above(const tsr_slope_args &args, const fours &keep, float base) {
  const tsr_plain_args &plain = args.plain;
  const int t = (int)(threadIdx.y * 32 + threadIdx.x), child = t & 7, parent = t >> 3;
  const int here[3] = {2 * (parent & 7) + (child & 1), 2 * (parent >> 3) + (child >> 1 & 1),
                       child >> 2};
  int64_t n[3] = {(int64_t)blockIdx.x * 16 + here[0],
                  (int64_t)blockIdx.y * (tsr_pass_warps / 2) + here[1],
                  (int64_t)blockIdx.z * 2 + here[2]};
  tsr_slope eight = tsr_slope_of<GRADIENT>::none();
  unsigned bits = 0;
  for (int k = 0; k < 8; ++k) {
    const tsr_slope s =
        keep[2 * here[2] + (k >> 2)][2 * here[1] + (k >> 1 & 1)][2 * here[0] + (k & 1)];
    const int64_t c[3] = {2 * n[0] + (k & 1), 2 * n[1] + (k >> 1 & 1), 2 * n[2] + (k >> 2)};
    bits |= decide<GRADIENT>(args, s, 2, c, plain.level[1].asks, base) << k;
    if (!(s.most < 0.0f))
      tsr_slope_of<GRADIENT>::add(&eight, s);
  }
  const int exists = !(eight.most < 0.0f);
  if (exists) {
    tsr_plain_put(plain.level[1].bytes + tsr_plain_at(plain.level[1], n[0], n[1], n[2]),
                  plain.fresh, bits);
    if (!(eight.most < 1e17f))
      *plain.odd = 1;
  }
  bits = __ballot_sync(0xffffffffu,
                       decide<GRADIENT>(args, eight, 3, n, plain.level[2].asks && exists, base));
  for (int k = 1; k < 8; k *= 2) {
    tsr_slope other;
    other.a = __shfl_xor_sync(0xffffffffu, eight.a, k);
    other.b = __shfl_xor_sync(0xffffffffu, eight.b, k);
    other.n = __shfl_xor_sync(0xffffffffu, eight.n, k);
    other.most = __shfl_xor_sync(0xffffffffu, eight.most, k);
    tsr_slope_of<GRADIENT>::add(&eight, other);
  }
  if (!exists || child != 0)
    return;
  for (int a = 0; a < 3; ++a)
    n[a] /= 2;
  tsr_plain_put(plain.level[2].bytes + tsr_plain_at(plain.level[2], n[0], n[1], n[2]), plain.fresh,
                bits >> (t & 24) & 255u);
  if (plain.spans)
    ((tsr_slope *)plain.spans)[(n[2] * plain.nodes[1] + n[1]) * plain.nodes[0] + n[0]] = eight;
}

template <class T, bool GRADIENT>
__global__ void __launch_bounds__(32 * tsr_pass_warps, 4) pass_kernel(tsr_slope_args args) {
  __shared__ fours keep;
  const T base = tsr_slope_base<T>(args);
  pass_planes<T, GRADIENT>(args, base, keep);
  __syncthreads();
  if (threadIdx.y < tsr_pass_warps / 2)
    pass_above<GRADIENT>(args, keep, (float)base);
}

// A level above those: nodes from what their children have, or, of 16 cubed cells, from their own.
struct above_args {
  const tsr_grid_frame *frame;
  const tsr_slope *from;
  tsr_slope *to; // NULL: `from` is of this level
  int level, wanted;
};

template <class T, bool GRADIENT>
__global__ void __launch_bounds__(block)
    above_kernel(tsr_slope_args args, above_args of, int64_t n) {
  const tsr_grid_frame &f = *of.frame;
  const int64_t(*range)[2] = f.range[of.level];
  const int64_t at = (int64_t)blockIdx.x * block + threadIdx.x;
  int64_t i[3];
  if (at >= n)
    return;
  tsr_node_in(range, at, i);
  tsr_slope s = of.from[at < n && !of.to ? at : 0];
  if (of.to) {
    s = tsr_slope_of<GRADIENT>::none();
    for (unsigned k = 0; k < 8; ++k) {
      int64_t child[3];
      if (tsr_node_child(&f.lattice, of.level, i, k, child))
        tsr_slope_of<GRADIENT>::add(&s, of.from[tsr_number_in(f.range[of.level + 1], child)]);
    }
    of.to[at] = s;
  }
  // The list counts nodes from the first owned ones, as the pass does.
  const int64_t local[3] = {i[0] - range[0][0], i[1] - range[1][0], i[2] - range[2][0]};
  if (decide<GRADIENT>(args, s, f.lattice.coarsen - of.level, local, of.wanted,
                       (float)tsr_slope_base<T>(args)))
    tsr_set_in(f, f.tree.dense[0], of.level, i);
}

// ---- nodes in doubt

const int exact_levels = 4; // of a part of a node that the block has at once
using payload = double[3];

__device__ void combine(const tsr_rule &rule, const payload *children, double p[3]) {
  tsr_payload_empty(&rule, p);
  for (int k = 0; k < 8; ++k)
    tsr_payload_combine(rule.measure, p, children[k]);
}

// `count` payloads into staged[0], eight at a time; the whole block calls it.
__device__ void combine_all(const tsr_rule &rule, int count, payload *staged) {
  for (int n = count / 8; n >= 1; n /= 8) {
    double p[3];
    __syncthreads();
    if ((int)threadIdx.x < n)
      combine(rule, staged + 8 * threadIdx.x, p);
    __syncthreads();
    for (int c = 0; (int)threadIdx.x < n && c < 3; ++c)
      staged[threadIdx.x][c] = p[c];
  }
  __syncthreads();
}

// The payload of a node of at most 16 cubed cells into staged[0]; the whole block calls it. Nodes
// of 2 cubed are numbered as children of children are.
__device__ void small_payload(const tsr_grid_frame &f, const tsr_rule &rule, int level,
                              const int64_t i[3], payload *staged) {
  const int by = f.lattice.coarsen - level, pairs = 1 << 3 * (by - 1);
  const int64_t *end[3] = {&f.range[f.lattice.coarsen][0][1], &f.range[f.lattice.coarsen][1][1],
                           &f.range[f.lattice.coarsen][2][1]};
  for (int m = (int)threadIdx.x; m < pairs; m += doubt_block) {
    double p[3], q[3];
    tsr_payload_empty(&rule, p);
    for (int k = 0; k < 8; ++k) {
      int64_t c[3];
      int exists = 1, flat = 0;
      for (int a = 0; a < 3; ++a) {
        int64_t at = 0;
        for (int b = 0; b < by - 1; ++b)
          at |= (int64_t)((m >> (3 * b + a)) & 1) << b;
        c[a] = ((i[a] << (by - 1)) + at) * 2 + ((k >> a) & 1);
        exists = exists && c[a] < *end[a];
      }
      if (!exists)
        continue;
      tsr_cell_payload(&f.lattice, &f.space, &rule, c, q, &flat);
      tsr_payload_combine(rule.measure, p, q);
    }
    for (int c = 0; c < 3; ++c)
      staged[m][c] = p[c];
  }
  combine_all(rule, pairs, staged);
}

// Payload of a larger node, from the payloads of its nodes of 16 cubed cells.
__device__ void large_payload(const tsr_grid_frame &f, const tsr_rule &rule, int level,
                              const int64_t i[3], const payload *parts, payload *staged) {
  const int top = f.lattice.coarsen - exact_levels, up = top - level, count = 1 << 3 * up;
  for (int m = (int)threadIdx.x; m < count; m += doubt_block) {
    int64_t c[3];
    int exists = 1;
    tsr_payload_empty(&rule, staged[m]);
    for (int a = 0; a < 3; ++a) {
      c[a] = i[a] << up;
      for (int b = 0; b < up; ++b)
        c[a] |= (int64_t)((m >> (3 * b + a)) & 1) << b;
      exists = exists && c[a] < f.range[top][a][1];
    }
    for (int k = 0; exists && k < 3; ++k)
      staged[m][k] = parts[tsr_number_in(f.range[top], c)][k];
  }
  combine_all(rule, count, staged);
}

// 1 in thread 0 if the rule asks for the node: that is gone through in parts of `levels` levels,
// whose payloads part_of(level, i) puts into staged[0].
template <class Part>
__device__ int exactly_asks(const tsr_grid_frame &f, const tsr_rule &rule, int level,
                            const int64_t i[3], int levels, const payload *staged, Part part_of) {
  const int by = f.lattice.coarsen - level, more = by > levels ? by - levels : 0;
  double sum[TSR_GRID_MAX_LEVEL + 1][3];
  for (int l = 0; l <= more; ++l)
    tsr_payload_empty(&rule, sum[l]);
  for (int64_t part = 0; part < (int64_t)1 << 3 * more; ++part) {
    int64_t j[3];
    int exists = 1;
    for (int a = 0; a < 3; ++a) {
      j[a] = i[a] << more;
      for (int b = 0; b < more; ++b)
        j[a] |= (part >> (3 * b + a) & 1) << b;
      exists = exists && j[a] < f.range[level + more][a][1];
    }
    __syncthreads();
    if (exists)
      part_of(level + more, j);
    if (threadIdx.x != 0)
      continue;
    for (int c = 0; exists && c < 3; ++c)
      sum[0][c] = staged[0][c];
    // sum[l]: of the children so far of the node l levels up; sum[0] is one of them.
    for (int l = 0; l < more; ++l) {
      tsr_payload_combine(rule.measure, sum[l + 1], sum[l]);
      tsr_payload_empty(&rule, sum[l]);
      if ((part >> 3 * l & 7) != 7)
        break;
    }
  }
  return threadIdx.x == 0 &&
         tsr_rule_asks(&f.lattice, &rule, level,
                       tsr_payload_measure(&f.lattice, rule.measure, level, sum[more]));
}

__device__ int doubted(const tsr_grid_frame &f, uint64_t node, int64_t i[3]) {
  const int level = (int)(node >> 57);
  for (int a = 0; a < 3; ++a)
    i[a] = f.range[level][a][0] + (int64_t)(node >> (19 * a) & ((1 << 19) - 1));
  return level;
}

// A block has a node of at most 16 cubed cells; of a larger one a share of those in it, for the
// kernel that follows.
__global__ void __launch_bounds__(doubt_block)
    doubt_kernel(const tsr_grid_frame *frame, tsr_rule rule, tsr_grid_doubt list, unsigned n,
                 payload *parts) {
  __shared__ payload staged[doubt_block];
  const tsr_grid_frame &f = *frame;
  const auto small = [&](int level, const int64_t i[3]) {
    small_payload(f, rule, level, i, staged);
  };
  for (unsigned k = blockIdx.x; k < n; k += gridDim.x) {
    int64_t i[3], j[3];
    const int level = doubted(f, list.node[k], i);
    const int up = f.lattice.coarsen - level - exact_levels;
    if (up <= 0) {
      if (blockIdx.y == 0 && exactly_asks(f, rule, level, i, exact_levels, staged, small))
        tsr_set_in(f, f.tree.dense[0], level, i);
      continue;
    }
    for (int64_t part = blockIdx.y; part < (int64_t)1 << 3 * up; part += gridDim.y) {
      int exists = 1;
      for (int a = 0; a < 3; ++a) {
        j[a] = (i[a] << up) + (part >> (a * up) & ((1 << up) - 1));
        exists = exists && j[a] < f.range[level + up][a][1];
      }
      if (!exists)
        continue;
      __syncthreads();
      small(level + up, j);
      if (threadIdx.x < 3)
        parts[tsr_number_in(f.range[level + up], j)][threadIdx.x] = staged[0][threadIdx.x];
    }
  }
}

// A block has a node of more than 16 cubed cells.
__global__ void __launch_bounds__(doubt_block)
    large_doubt_kernel(const tsr_grid_frame *frame, tsr_rule rule, tsr_grid_doubt list, unsigned n,
                       const payload *parts) {
  __shared__ payload staged[doubt_block];
  const tsr_grid_frame &f = *frame;
  const auto large = [&](int level, const int64_t i[3]) {
    large_payload(f, rule, level, i, parts, staged);
  };
  for (unsigned k = blockIdx.x; k < n; k += gridDim.x) {
    int64_t i[3];
    const int level = doubted(f, list.node[k], i);
    if (f.lattice.coarsen - level > exact_levels &&
        exactly_asks(f, rule, level, i, exact_levels + 3, staged, large))
      tsr_set_in(f, f.tree.dense[0], level, i);
  }
}

tsr_slope_args args_of(const tsr_grid_device *grid, const tsr_rule &rule) {
  tsr_slope_args args = {};
  args.plain = tsr_grid_plain_args(grid, rule, 0, 0);
  args.coarsen = grid->frame.lattice.coarsen;
  args.list = grid->marking.doubt;
  for (int by = 0; by <= args.coarsen; ++by) {
    const double threshold = std::min(rule.threshold, 1e30);
    const double limit = rule.measure == TSR_MEASURE_GRADIENT
                             ? 4.0 * threshold / (double)((int64_t)1 << by)
                             : threshold * threshold;
    args.limit[by] = (float)std::min(limit, 1e30);
  }
  return args;
}

template <class T, bool GRADIENT>
tsr_status start(tsr_grid_device *grid, const tsr_rule &rule, tsr_error *error) {
  const tsr_slope_args args = args_of(grid, rule);
  const int64_t *cells = args.plain.cells;
  const unsigned rows = 4 * tsr_pass_warps, planes = tsr_pass_planes;
  const dim3 blocks((unsigned)((cells[0] + 127) / 128), (unsigned)((cells[1] + rows - 1) / rows),
                    (unsigned)((cells[2] + planes - 1) / planes));
  pass_kernel<T, GRADIENT><<<blocks, dim3(32, tsr_pass_warps), 0, grid->stream>>>(args);
  TSR_CUDA(cudaGetLastError(), "evaluating a criterion");
  for (int level = args.coarsen - 4, slot = 0; level >= 0; --level) {
    const int64_t n = tsr_range_nodes(grid->frame, level);
    const bool first = level == args.coarsen - 4;
    above_args of = {grid->frame_d, (const tsr_slope *)grid->marking.payload[slot], nullptr, level,
                     rule.max_level < 0 || level < rule.max_level};
    if (!first) {
      slot = 1 - slot;
      of.to = (tsr_slope *)grid->marking.payload[slot];
    }
    above_kernel<T, GRADIENT><<<tsr_blocks(n, block), block, 0, grid->stream>>>(args, of, n);
    TSR_CUDA(cudaGetLastError(), "evaluating a criterion");
  }
  return TSR_OK;
}

tsr_status decide_doubted(tsr_grid_device *grid, const tsr_rule &rule, unsigned n,
                          tsr_error *error) {
  const int top = grid->frame.lattice.coarsen - exact_levels;
  const unsigned blocks = std::min(n, most_blocks);
  payload *parts = nullptr;
  if (top > 0)
    TSR_STEP(
        grid->memory.get(&parts, tsr_range_nodes(grid->frame, top), "the nodes in doubt", error));
  doubt_kernel<<<dim3(blocks, top > 0 ? 64 : 1), doubt_block, 0, grid->stream>>>(
      grid->frame_d, rule, grid->marking.doubt, n, parts);
  TSR_CUDA(cudaGetLastError(), "evaluating a criterion");
  if (top > 0)
    large_doubt_kernel<<<blocks, doubt_block, 0, grid->stream>>>(grid->frame_d, rule,
                                                                 grid->marking.doubt, n, parts);
  TSR_CUDA(cudaGetLastError(), "evaluating a criterion");
  grid->memory.free_one(parts);
  return TSR_OK;
}

// The nodes in doubt; where they are too many for the list, all nodes by the slower way.
tsr_status decide_rest(tsr_grid_device *grid, const tsr_rule &rule, tsr_error *error) {
  TSR_STEP(tsr_bring(grid->waves->totals, grid->marking.doubt.n, sizeof *grid->marking.doubt.n,
                     grid->stream, "evaluating a criterion", error));
  unsigned n;
  memcpy(&n, grid->waves->totals, sizeof n);
  if (n > grid->marking.doubt.room)
    return tsr_mark_by_levels(grid, rule, error);
  return n > 0 ? decide_doubted(grid, rule, n, error) : TSR_OK;
}

} // namespace

tsr_status tsr_mark_by_slope_pass(tsr_grid_device *grid, const tsr_rule &rule, tsr_error *error) {
  const bool floats = rule.array.type == TSR_FLOAT;
  const int top = grid->frame.lattice.coarsen - 4;
  static_assert(sizeof(tsr_slope) <= 3 * sizeof(double), "the payloads are too small");
  if (!grid->marking.doubt.n) {
    TSR_STEP(grid->memory.get(&grid->marking.doubt.n, 1, "the nodes in doubt", error));
    TSR_STEP(grid->memory.get(&grid->marking.doubt.node, doubt_room, "the nodes in doubt", error));
    grid->marking.doubt.room = doubt_room;
  }
  if (top >= 0)
    TSR_STEP(tsr_grid_payloads(grid, 0, top, error));
  if (top >= 1)
    TSR_STEP(tsr_grid_payloads(grid, 1, top - 1, error));
  TSR_CUDA(cudaMemsetAsync(grid->marking.doubt.n, 0, sizeof *grid->marking.doubt.n, grid->stream),
           "evaluating a criterion");
  const auto pass = rule.measure == TSR_MEASURE_GRADIENT
                        ? (floats ? start<float, true> : start<double, true>)
                        : (floats ? start<float, false> : start<double, false>);
  TSR_STEP(pass(grid, rule, error));
  return decide_rest(grid, rule, error);
}
