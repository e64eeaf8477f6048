// SPDX-License-Identifier: BSD-3-Clause
// The indicator of a whole plan: in each leaf the largest measure of a criterion, as a multiple of
// its threshold. Measures of larger leaves are the payloads that marks are made of, level by level;
// an interpolation error is measured leaf by leaf.
#include "cuda/common/executor.cuh"
#include "cuda/grid/criteria/marking.cuh"
#include "cuda/grid/output/fill.cuh"
#include "cuda/grid/output/values/values.cuh"

namespace {

const int block = 128;

struct indicator_args {
  const tsr_grid_frame *frame;
  tsr_rule rule;
  const tsr_grid_node *nodes;
  const uint8_t *states; // NULL: all are leaves
  int64_t n;
  int level;              // of the leaves that are looked at; of the input cells: and below it
  const double *payloads; // of the level, above the input cells
  const int32_t *list;    // interpolation error: the leaves
  int64_t cells[2];       // only leaves whose first cell, along the slowest axis, is one of these
  double *to;
};

// 1 if node n is a leaf that is looked at.
__device__ int is_mine(const indicator_args &args, int64_t n, int64_t i[3]) {
  const tsr_lattice &lattice = args.frame->lattice;
  const tsr_grid_node node = args.nodes[n];
  int64_t range[2];
  if ((node.level < lattice.coarsen ? node.level : lattice.coarsen) != args.level ||
      (args.states && args.states[n] != TSR_STATE_LEAF))
    return 0;
  tsr_node_inner(&lattice, &node, i);
  tsr_node_cells(&lattice, 2, node.level, i[2], range);
  return range[0] >= args.cells[0] && range[0] < args.cells[1];
}

__device__ void raise(const indicator_args &args, int64_t n, double measure) {
  const double ratio = measure > 0.0 ? measure / args.rule.threshold : 0.0;
  if (ratio > args.to[n])
    args.to[n] = ratio;
}

__device__ void raise_by_payload(int64_t n, const indicator_args &args) {
  const tsr_grid_frame &f = *args.frame;
  double p[3];
  int64_t i[3];
  int flat;
  if (!is_mine(args, n, i))
    return;
  const int level = args.nodes[n].level;
  if (level > f.lattice.coarsen) {
    raise(args, n, tsr_part_measure(&f.lattice, &f.space, &args.rule, level, i));
    return;
  }
  if (level == f.lattice.coarsen) {
    tsr_cell_payload(&f.lattice, &f.space, &args.rule, i, p, &flat);
  } else {
    const double *from = args.payloads + 3 * tsr_number_in(f.range[level], i);
    for (int c = 0; c < 3; ++c)
      p[c] = from[c];
  }
  raise(args, n, tsr_payload_measure(&f.lattice, args.rule.measure, level, p));
}

// Computes tsr_interpolation_error of a leaf in one block.
__global__ void __launch_bounds__(block) error_kernel(indicator_args args) {
  __shared__ unsigned long long largest;
  const tsr_grid_frame &f = *args.frame;
  const tsr_array &array = args.rule.array;
  const int64_t n = args.list[blockIdx.x];
  int64_t i[3], first[3], last[3], count = 1;
  double all = 0.0;
  if (!is_mine(args, n, i))
    return;
  tsr_node_points(&f.lattice, args.level, i, first, last);
  for (int a = 0; a < 3; ++a)
    count *= last[a] - first[a] + 1;
  const int64_t nx = last[0] - first[0] + 1, ny = last[1] - first[1] + 1;
  for (int c = 0; c < array.components; ++c) {
    double v[8] = {0.0}, most = 0.0;
    if (args.rule.component >= 0 && c != args.rule.component)
      continue;
    tsr_node_corner_values(&f.lattice, &array, c, args.level, i, v);
    for (int64_t k = threadIdx.x; k < count; k += block) {
      const int64_t p[3] = {first[0] + k % nx, first[1] + k / nx % ny, first[2] + k / nx / ny};
      double t[3];
      for (int a = 0; a < 3; ++a)
        t[a] = tsr_axis_parameter(&f.space, &f.lattice, a, first[a], last[a], p[a]);
      const double e = fabs(tsr_load(&array, tsr_point_at(&f.lattice, p) * array.components + c) -
                            tsr_multilinear(f.lattice.dimension, v, t));
      most = tsr_finite(e) ? (e > most ? e : most) : TSR_INFINITY;
    }
    all = most > all && most > tsr_corners_rounding(f.lattice.dimension, v) ? most : all;
  }
  if (threadIdx.x == 0)
    largest = 0;
  __syncthreads();
  if (all > 0.0)
    atomicMax(&largest, (unsigned long long)__double_as_longlong(all));
  __syncthreads();
  if (threadIdx.x == 0)
    raise(args, n, __longlong_as_double((long long)largest));
}

// Cells have what their leaves have.
__device__ void spread(int64_t cell, const double *from, const int32_t *owner, double *to) {
  to[cell] = from[owner[cell]];
}

// The levels by payloads, as far up as there are leaves.
tsr_status by_payloads(tsr_grid_device *grid, indicator_args args, const int64_t *of_level,
                       tsr_error *error) {
  const int coarsen = grid->frame.lattice.coarsen;
  int coarsest = 0;
  while (coarsest < coarsen && of_level[coarsest] == 0)
    ++coarsest;
  for (args.level = coarsen; args.level >= coarsest; --args.level) {
    if (args.level < coarsen) {
      TSR_STEP(tsr_grid_payload_level(grid, args.rule, args.level, 0, error));
      args.payloads = tsr_grid_payloads_of(grid, args.level);
    }
    TSR_CUDA(tsr_launch_each<raise_by_payload>(args.n, grid->stream, args), "making the indicator");
  }
  return TSR_OK;
}

tsr_status by_errors(tsr_grid_device *grid, indicator_args args, const int64_t *of_level,
                     tsr_error *error) {
  TSR_STEP(tsr_grid_list_larger(grid, args.nodes, args.n, of_level, error));
  args.list = grid->list;
  for (args.level = 0; args.level < grid->frame.lattice.coarsen; ++args.level) {
    if (of_level[args.level] > 0)
      error_kernel<<<(unsigned)of_level[args.level], block, 0, grid->stream>>>(args);
    TSR_CUDA(cudaGetLastError(), "making the indicator");
    args.list += of_level[args.level];
  }
  return TSR_OK;
}

// Makes the indicator of each node.
tsr_status make(tsr_grid_device *grid, const tsr_grid_request *request, const tsr_plan_lists &lists,
                const int64_t *of_level, double *to, tsr_error *error) {
  const tsr_leaf_list &leaves = lists.leaves;
  std::vector<tsr_array> arrays;
  for (int r = 0; r < request->n_rules; ++r)
    arrays.push_back(request->rules[r].array);
  TSR_CUDA(cudaMemsetAsync(to, 0, (size_t)leaves.n * sizeof *to, grid->stream),
           "making the indicator");
  TSR_STEP(tsr_grid_clear_found(grid, request, error));
  const auto work = [&](const tsr_grid_frame &) {
    const tsr_slab_nodes nodes(grid);
    const int64_t *cells = grid->frame.range[grid->frame.lattice.coarsen][2];
    indicator_args it = {
        grid->frame_d, {}, leaves.nodes, lists.trees.states, leaves.n, 0, nullptr, nullptr, {}, to};
    it.cells[0] = cells[0];
    it.cells[1] = cells[1];
    for (int r = 0; r < request->n_rules; ++r) {
      it.rule = request->rules[r];
      it.rule.array.data = tsr_find_uploaded(*grid, it.rule.array);
      grid->marking.found = grid->marking.found_all + r;
      TSR_STEP(it.rule.measure == TSR_MEASURE_INTERPOLATION_ERROR
                   ? by_errors(grid, it, of_level, error)
                   : by_payloads(grid, it, of_level, error));
    }
    return TSR_OK;
  };
  TSR_STEP(tsr_each_slab(grid, request, arrays, work, error));
  return tsr_grid_raise_notes(grid, request, error);
}

} // namespace

tsr_status tsr_grid_fill_indicator(tsr_grid_device *grid, const tsr_grid_request *request,
                                   const tsr_plan_lists &lists, const tsr_grid_counts &counts,
                                   const int32_t *owner, double *to, tsr_error *error) {
  const int64_t n = lists.leaves.n;
  const int64_t *of_level = lists.trees.states ? lists.trees.of_level : counts.of_level;
  double *of_node = to;
  if (n == 0)
    return TSR_OK;
  if (owner)
    TSR_STEP(grid->memory.get(&of_node, n, "the indicator", error));
  TSR_STEP(make(grid, request, lists, of_level, of_node, error));
  if (!owner)
    return TSR_OK;
  TSR_CUDA(tsr_launch_each<spread>(counts.cells, grid->stream, of_node, owner, to),
           "making the indicator");
  grid->memory.free_one(of_node);
  return TSR_OK;
}
