// SPDX-License-Identifier: BSD-3-Clause
// Marks the nodes that criteria ask for: computes the payloads of nodes from those of their
// children, from the input cells up.
#include "cuda/common/executor.cuh"
#include "cuda/grid/criteria/marking.cuh"
#include "grid/refine/descent_math.h"

#include <algorithm>

namespace {

__device__ void note(unsigned long long *count, unsigned long long *first, int64_t number) {
  atomicAdd(count, 1ull);
  atomicMin(first, (unsigned long long)number);
}

// Payload of an input cell; counts it in *found if it is degenerate or its measure is not finite.
__device__ void cell_payload(const tsr_grid_frame &f, const tsr_rule &rule, const int64_t c[3],
                             double p[3], tsr_grid_found *found) {
  int flat = 0;
  if (f.hidden && f.hidden[tsr_cell_at(&f.lattice, c)]) {
    tsr_payload_empty(&rule, p);
    return;
  }
  tsr_cell_payload(&f.lattice, &f.space, &rule, c, p, &flat);
  if (flat)
    note(&found->flat, &found->first_flat, tsr_cell_number_of(&f.lattice, c));
  if (!tsr_finite(tsr_payload_measure(&f.lattice, rule.measure, f.lattice.coarsen, p)))
    note(&found->bad, &found->first_bad, tsr_cell_number_of(&f.lattice, c));
}

// Arguments of the kernel of one level: one thread for each node of `level` (-1: parents of the
// roots).
struct mark_args {
  const tsr_grid_frame *frame;
  tsr_rule rule;
  int level;
  int64_t range[3][2]; // of the nodes
  const double *from;  // payloads of the children; NULL: they are input cells
  double *to;          // NULL: not wanted
  int marks;           // 1: the children that the rule asks for get their bits
  tsr_grid_found *found;
};

// Decides a node's children and makes its payload.
__device__ void mark_node(int64_t n, const mark_args &args) {
  const tsr_grid_frame &f = *args.frame;
  const tsr_rule &rule = args.rule;
  const int below = args.level + 1;
  double p[3], q[3];
  unsigned bits = 0;
  int64_t i[3], child[3] = {0, 0, 0}, first[3];
  tsr_node_in(args.range, n, i);
  tsr_payload_empty(&rule, p);
  for (unsigned k = 0; k < (1u << f.lattice.dimension); ++k) {
    tsr_descent_child(&f.lattice, i, k, child);
    if (!tsr_in_frame(f, below, child))
      continue;
    if (args.from) {
      const double *from = args.from + 3 * tsr_number_in(f.range[below], child);
      for (int c = 0; c < 3; ++c)
        q[c] = from[c];
    } else {
      cell_payload(f, rule, child, q, args.found);
    }
    if (args.marks && below < f.lattice.levels &&
        tsr_rule_asks(&f.lattice, &rule, below,
                      tsr_payload_measure(&f.lattice, rule.measure, below, q)))
      bits |= 1u << k;
    tsr_payload_combine(rule.measure, p, q);
  }
  tsr_descent_child(&f.lattice, i, 0, first);
  if (bits)
    f.tree.dense[below][tsr_tree_dense_at(&f.tree, below, first)] |= (uint8_t)bits;
  for (int c = 0; args.to && c < 3; ++c)
    args.to[3 * n + c] = p[c];
}

__device__ void find_bad(int64_t n, const tsr_grid_frame *frame, const tsr_rule &rule,
                         tsr_grid_found *found) {
  int64_t c[3];
  double p[3];
  tsr_node_in(frame->range[frame->lattice.coarsen], n, c);
  cell_payload(*frame, rule, c, p, found);
}

__device__ void see_node(int64_t n, const tsr_grid_frame *frame, int level) {
  const tsr_grid_frame &f = *frame;
  int64_t i[3], child[3];
  unsigned seen = 0;
  tsr_node_in(f.range[level], n, i);
  for (unsigned k = 0; k < (1u << f.lattice.dimension); ++k) {
    tsr_descent_child(&f.lattice, i, k, child);
    if (!tsr_in_frame(f, level + 1, child))
      continue;
    seen |= level + 1 < f.lattice.coarsen
                ? f.seen[level + 1][tsr_number_in(f.range[level + 1], child)]
            : f.hidden[tsr_cell_at(&f.lattice, child)] ? 2u
                                                       : 1u;
  }
  f.seen[level][n] = (uint8_t)seen;
}

tsr_status too_many(int64_t n, tsr_error *error) {
  if (n > (int64_t)INT32_MAX * tsr_policy::block)
    return tsr_cuda_refuse(error, TSR_NO_MEMORY, "CUDA cannot be used for %lld nodes at once",
                           (long long)n);
  return TSR_OK;
}

} // namespace

tsr_status tsr_grid_payloads(tsr_grid_device *grid, int slot, int level, tsr_error *error) {
  const int64_t n = tsr_range_nodes(grid->frame, level);
  if (n <= grid->marking.payload_nodes[slot])
    return TSR_OK;
  grid->memory.free_one(grid->marking.payload[slot]);
  grid->marking.payload_nodes[slot] = 0;
  TSR_STEP(grid->memory.get(&grid->marking.payload[slot], 3 * n, "the coarse levels of a criterion",
                            error));
  grid->marking.payload_nodes[slot] = n;
  return TSR_OK;
}

// Levels take turns.
static int slot_of(const tsr_grid_device *grid, int level) {
  return (grid->frame.lattice.coarsen - level) & 1;
}

const double *tsr_grid_payloads_of(const tsr_grid_device *grid, int level) {
  return grid->marking.payload[slot_of(grid, level)];
}

tsr_status tsr_grid_payload_level(tsr_grid_device *grid, const tsr_rule &rule, int level, int marks,
                                  tsr_error *error) {
  const tsr_grid_frame &f = grid->frame;
  mark_args args = {grid->frame_d, rule,    level, {{0, 0}},
                    nullptr,       nullptr, marks, grid->marking.found};
  int64_t n = 1;
  for (int a = 0; a < 3; ++a) {
    const int64_t *roots = f.range[0][a];
    args.range[a][0] = level >= 0                ? f.range[level][a][0]
                       : a < f.lattice.dimension ? roots[0] >> 1
                                                 : roots[0];
    args.range[a][1] = level >= 0                ? f.range[level][a][1]
                       : a < f.lattice.dimension ? (roots[1] + 1) >> 1
                                                 : roots[1];
    n *= args.range[a][1] - args.range[a][0];
  }
  TSR_STEP(too_many(n, error));
  if (level + 1 < f.lattice.coarsen)
    args.from = tsr_grid_payloads_of(grid, level + 1);
  if (level >= 0) {
    TSR_STEP(tsr_grid_payloads(grid, slot_of(grid, level), level, error));
    args.to = grid->marking.payload[slot_of(grid, level)];
  }
  TSR_CUDA(tsr_launch_each<mark_node>(n, grid->stream, args), "evaluating a criterion");
  return TSR_OK;
}

tsr_status tsr_mark_by_levels(tsr_grid_device *grid, const tsr_rule &rule, tsr_error *error) {
  int *odd = &grid->marking.found->odd; // what is not finite is counted here
  TSR_CUDA(cudaMemsetAsync(odd, 0, sizeof *odd, grid->stream), "evaluating a criterion");
  for (int level = grid->frame.lattice.coarsen - 1; level >= -1; --level)
    TSR_STEP(tsr_grid_payload_level(grid, rule, level, 1, error));
  return TSR_OK;
}

tsr_status tsr_grid_count_bad(tsr_grid_device *grid, const tsr_rule &rule, tsr_error *error) {
  const int64_t n = tsr_range_nodes(grid->frame, grid->frame.lattice.coarsen);
  TSR_STEP(too_many(n, error));
  TSR_CUDA(tsr_launch_each<find_bad>(n, grid->stream, grid->frame_d, rule, grid->marking.found),
           "looking for values that are not finite");
  return TSR_OK;
}

tsr_status tsr_grid_see(tsr_grid_device *grid, tsr_error *error) {
  for (int level = grid->frame.lattice.coarsen - 1; level >= 0; --level) {
    const int64_t n = tsr_range_nodes(grid->frame, level);
    TSR_STEP(too_many(n, error));
    TSR_CUDA(tsr_launch_each<see_node>(n, grid->stream, grid->frame_d, level),
             "looking for hidden cells");
  }
  return TSR_OK;
}
