// SPDX-License-Identifier: BSD-3-Clause
// The plain case: the pass decides the nodes of 2, 4 and 8 cubed cells, and then a kernel decides
// three levels at a time, from the spans of the finest of them.
#include "cuda/grid/criteria/pass.cuh"

#include <algorithm>

namespace {

const int side = 8; // nodes of the finest level along each axis of a block
const int block = side * side * side;

struct above_args {
  const void *from;         // spans of the finest level
  void *to;                 // of the level above the coarsest; NULL: not wanted
  int64_t range[3][2];      // nodes of the finest level
  int64_t to_range[3][2];   // of the one that goes out
  double limit;             // refined if not at most this
  int fresh, levels;        // 1 to 3
  const int *if_odd;        // NULL, or nothing is done unless it is set
  tsr_plain_level level[3]; // finest first; `first` is added to a parent's index
};

// Along each axis the bits of a thread's number that lie three apart: eight threads in turn are the
// children of one node, eight such nodes those of another.
__device__ int64_t along(unsigned t, int axis) {
  return (t >> axis & 1) | (t >> (axis + 3) & 1) << 1 | (t >> (axis + 6) & 1) << 2;
}

// A node a thread: writes the bits of eight, and gives the first of eight the span of all.
template <class T>
__device__ void decide_above(const above_args &args, int which, unsigned t, const int64_t first[3],
                             tsr_extremes<T> *span) {
  const tsr_plain_level &level = args.level[which];
  const int exists = !(span->lo > span->hi);
  const unsigned asks =
      __ballot_sync(0xffffffffu, level.asks && exists && span->asks(args.limit)) >> (t & 24);
  const unsigned any = __ballot_sync(0xffffffffu, exists) >> (t & 24) & 255u;
  for (int k = 1; k < 8; k *= 2)
    span->add_lane(k);
  if (any && t % 8 == 0)
    tsr_plain_put(level.bytes + tsr_plain_at(level, ((first[0] >> which) + along(t, 0)) >> 1,
                                             ((first[1] >> which) + along(t, 1)) >> 1,
                                             ((first[2] >> which) + along(t, 2)) >> 1),
                  args.fresh, asks & 255u);
}

template <class T> __global__ void __launch_bounds__(block) above_kernel(above_args args) {
  __shared__ tsr_extremes<T> spans[2][block / 8];
  if (args.if_odd && !*args.if_odd)
    return;
  const unsigned t = threadIdx.x;
  const int64_t first[3] = {(args.range[0][0] / side + blockIdx.x) * side,
                            (args.range[1][0] / side + blockIdx.y) * side,
                            (args.range[2][0] / side + blockIdx.z) * side};
  int exists = 1;
  int64_t i[3];
  tsr_extremes<T> span;
  for (int a = 0; a < 3; ++a) {
    i[a] = first[a] + along(t, a);
    exists = exists && i[a] >= args.range[a][0] && i[a] < args.range[a][1];
  }
  span.none();
  if (exists)
    span = ((const tsr_extremes<T> *)args.from)[tsr_number_in(args.range, i)];
  for (unsigned which = 0, n = block; which < (unsigned)args.levels; ++which, n /= 8) {
    if (which > 0) {
      __syncthreads();
      span.none();
      if (t < n)
        span = spans[which % 2][t];
    }
    if (t < max(n, 32u)) {
      decide_above(args, (int)which, t, first, &span);
      if (t % 8 == 0 && t < n)
        spans[1 - which % 2][t / 8] = span;
    }
  }
  if (args.to && t == 0) { // all three levels
    for (int a = 0; a < 3; ++a)
      i[a] = first[a] / side;
    ((tsr_extremes<T> *)args.to)[tsr_number_in(args.to_range, i)] = span;
  }
}

tsr_plain_level level_of(const tsr_grid_frame &f, const tsr_rule &rule, int level) {
  tsr_plain_level it = {};
  it.bytes = f.tree.dense[level];
  it.asks = rule.max_level < 0 || level < rule.max_level;
  for (int a = 0; a < 3; ++a) {
    it.first[a] = -f.tree.first[level][a];
    it.size[a] = f.tree.size[level][a];
  }
  return it;
}

// The levels from `base` up, whose spans are in payload[0].
template <class T>
tsr_status mark_above(tsr_grid_device *grid, const tsr_rule &rule, int base, int fresh, int if_odd,
                      tsr_error *error) {
  const tsr_grid_frame &f = grid->frame;
  for (int slot = 0; base >= 0; base -= 3, slot = 1 - slot) {
    above_args args = {};
    unsigned blocks[3];
    args.from = grid->marking.payload[slot];
    args.limit = std::min(rule.threshold, tsr_plain_largest);
    args.fresh = fresh;
    args.if_odd = if_odd ? &grid->marking.found->odd : nullptr;
    args.levels = std::min(base + 1, 3);
    for (int which = 0; which < args.levels; ++which)
      args.level[which] = level_of(f, rule, base - which);
    for (int a = 0; a < 3; ++a)
      for (int end = 0; end < 2; ++end) {
        args.range[a][end] = f.range[base][a][end];
        args.to_range[a][end] = base >= 3 ? f.range[base - 3][a][end] : 0;
      }
    for (int a = 0; a < 3; ++a)
      blocks[a] = (unsigned)((args.range[a][1] + side - 1) / side - args.range[a][0] / side);
    args.to = base >= 3 ? grid->marking.payload[1 - slot] : nullptr;
    above_kernel<T><<<dim3(blocks[0], blocks[1], blocks[2]), block, 0, grid->stream>>>(args);
    TSR_CUDA(cudaGetLastError(), "evaluating a criterion");
  }
  return TSR_OK;
}

} // namespace

tsr_plain_args tsr_grid_plain_args(const tsr_grid_device *grid, const tsr_rule &rule, int fresh,
                                   int if_odd) {
  const tsr_grid_frame &f = grid->frame;
  const tsr_lattice &lattice = f.lattice;
  const int c = lattice.coarsen;
  tsr_plain_args args = {};
  int64_t origin = 0;
  for (int s = 0; s < 2; ++s)
    args.step[s] = rule.cell_data ? lattice.cell_step[s + 1] : lattice.point_step[s + 1];
  for (int which = 0; which < 3; ++which)
    args.level[which] = level_of(f, rule, c - 1 - which);
  for (int a = 0; a < 3; ++a) {
    const int64_t *cells = f.range[c][a];
    origin += (cells[0] - lattice.held[a][0]) * (a == 0 ? 1 : args.step[a - 1]);
    args.cells[a] = cells[1] - cells[0];
    args.last[a] = args.cells[a] - (rule.cell_data ? 1 : 0);
    args.nodes[a] = c > 3 ? f.range[c - 4][a][1] - f.range[c - 4][a][0] : 0;
    for (int which = 0; which < 3; ++which)
      args.level[which].first[a] += f.range[c - 1 - which][a][0] >> 1;
  }
  args.values = (const char *)rule.array.data + origin * tsr_type_size(rule.array.type);
  args.limit = std::min(rule.threshold, tsr_plain_largest);
  args.fresh = fresh;
  args.spans = c > 3 ? grid->marking.payload[0] : nullptr;
  args.odd = &grid->marking.found->odd;
  args.if_odd = if_odd;
  return args;
}

tsr_status tsr_range_pass_memory(tsr_grid_device *grid, tsr_error *error) {
  for (int level = grid->frame.lattice.coarsen - 4, slot = 0; level >= 0; level -= 3, slot ^= 1)
    TSR_STEP(tsr_grid_payloads(grid, slot, level, error));
  return TSR_OK;
}

tsr_status tsr_mark_by_range_pass(tsr_grid_device *grid, const tsr_rule &rule, int fresh,
                                  int if_odd, tsr_error *error) {
  const int base = grid->frame.lattice.coarsen - 4;
  TSR_STEP(tsr_range_pass_memory(grid, error));
  const tsr_plain_args args = tsr_grid_plain_args(grid, rule, fresh, if_odd);
  const bool floats = rule.array.type == TSR_FLOAT;
  TSR_CUDA(floats ? tsr_pass_start<float>(args, rule.cell_data, grid->stream)
                  : tsr_pass_start<double>(args, rule.cell_data, grid->stream),
           "evaluating a criterion");
  return floats ? mark_above<float>(grid, rule, base, fresh, if_odd, error)
                : mark_above<double>(grid, rule, base, fresh, if_odd, error);
}
