// SPDX-License-Identifier: BSD-3-Clause
// Points into leaves by recursive child grids. A block has a cell: where it holds too many points,
// the block counts those of its children, moves them to their children in their order, and one lane
// launches one child grid for all of them, a block each. Where there is no ticket, no room or no
// depth left, the block goes on with the children itself, from a stack. Of many points the first
// levels are sorted before: cuda/pointgrid/top.cu.
#include "cuda/common/policy.cuh"
#include "cuda/common/waiting.cuh"
#include "cuda/launching/tickets.cuh"
#include "cuda/pointgrid/device.cuh"

#include <algorithm>

namespace {

const int BLOCK = tsr_policy::block, WARPS = BLOCK / 32, CHILDREN = 8;
// Every level leaves at most 7 cells waiting.
const int STACK = 7 * TSR_POINTGRID_MAX_LEVEL + CHILDREN;
// Tiles of points that a block goes through between two looks at whether to go on: a look goes over
// the bus.
const int TILES_A_LOOK = 64;

typedef tsr_pointgrid_node node;

struct recursion {
  tsr_pointgrid_rule rule;
  uint64_t *keys[2];
  int64_t *points[2];
  int64_t *order;
  tsr_pointgrid_found out; // n: room
  unsigned long long *n_leaves, *n_nodes;
  node *nodes; // that wait for their grid
  unsigned long long most_nodes;
  const int *stop; // of the host: 1 where the caller wants to stop
  tsr_tickets *tickets;
  tsr_child_stream where;
  int deepest;
};

// A block's shared memory.
struct shared {
  node stack[STACK];
  int n_stack;
  int tiles, stop; // since the last look; what it said
  unsigned long long counts[CHILDREN];
  int64_t starts[CHILDREN + 1], cursor[CHILDREN];
  unsigned warp_counts[WARPS][CHILDREN];
  int64_t warp_starts[WARPS][CHILDREN];
};

__device__ unsigned digit_of(const recursion &r, const node &it, int64_t i) {
  const int shift = tsr_pointgrid_shift(r.rule.dimension, it.level + 1);
  return (unsigned)(r.keys[it.side][i] >> shift) & ((1u << r.rule.dimension) - 1u);
}

__device__ void look(const recursion &r, shared *s) {
  if (threadIdx.x == 0 && ++s->tiles >= TILES_A_LOOK) {
    s->tiles = 0;
    s->stop = tsr_stop_asked(r.stop);
  }
}

// A warp's points of the same child are counted together: thousands would queue up for a counter.
__device__ void count_children(const recursion &r, const node &it, shared *s) {
  const unsigned lane = threadIdx.x & 31u;
  if (threadIdx.x < CHILDREN)
    s->counts[threadIdx.x] = 0;
  __syncthreads();
  for (int64_t tile = it.begin; tile < it.end && !*(volatile int *)&s->stop; tile += BLOCK) {
    const int64_t i = tile + threadIdx.x;
    const unsigned digit = i < it.end ? digit_of(r, it, i) : CHILDREN;
    const unsigned same = __match_any_sync(~0u, digit);
    if (digit < CHILDREN && (same & ((1u << lane) - 1u)) == 0)
      atomicAdd(&s->counts[digit], (unsigned long long)__popc(same));
    look(r, s);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    s->starts[0] = it.begin;
    for (int c = 0; c < CHILDREN; ++c) {
      s->cursor[c] = s->starts[c];
      s->starts[c + 1] = s->starts[c] + (int64_t)s->counts[c];
    }
  }
  __syncthreads();
}

// A tile of points at a time: within a warp by the lanes before with the same child, between warps
// by their counts.
__device__ void move_points(const recursion &r, const node &it, shared *s) {
  const unsigned lane = threadIdx.x & 31u, warp = threadIdx.x / 32;
  for (int64_t tile = it.begin; tile < it.end; tile += BLOCK) {
    const int64_t i = tile + threadIdx.x;
    const bool active = i < it.end;
    const unsigned digit = active ? digit_of(r, it, i) : CHILDREN;
    const unsigned same = __match_any_sync(~0u, digit);
    const unsigned before = (unsigned)__popc(same & ((1u << lane) - 1u));
    if (lane < CHILDREN)
      s->warp_counts[warp][lane] = 0;
    __syncwarp();
    if (active && before == 0)
      s->warp_counts[warp][digit] = (unsigned)__popc(same);
    __syncthreads();
    if (threadIdx.x < CHILDREN) {
      int64_t at = s->cursor[threadIdx.x];
      for (int w = 0; w < WARPS; ++w) {
        s->warp_starts[w][threadIdx.x] = at;
        at += s->warp_counts[w][threadIdx.x];
      }
      s->cursor[threadIdx.x] = at;
    }
    look(r, s);
    __syncthreads();
    if (s->stop)
      return;
    if (active) {
      const int64_t to = s->warp_starts[warp][digit] + before;
      r.keys[!it.side][to] = r.keys[it.side][i];
      r.points[!it.side][to] = r.points[it.side][i];
    }
  }
}

__device__ void emit_leaf(const recursion &r, const node &it, int depth) {
  for (int64_t i = it.begin + threadIdx.x; i < it.end; i += BLOCK)
    r.order[i] = r.points[it.side][i];
  if (threadIdx.x != 0 || !tsr_pointgrid_is_owned(&r.rule, it.key, it.level))
    return;
  const unsigned long long at = atomicAdd(r.n_leaves, 1ull);
  atomicAdd(depth > 0 ? &r.tickets->child_items : &r.tickets->inline_items,
            (unsigned long long)(it.end - it.begin));
  if (at < (unsigned long long)r.out.n) {
    r.out.keys[at] = it.key;
    r.out.leaves[at] = {it.key, it.begin, it.end - it.begin, it.level};
  }
}

__device__ node child_of(const recursion &r, const node &it, const shared *s, int c) {
  const uint64_t size = (uint64_t)1 << tsr_pointgrid_shift(r.rule.dimension, it.level + 1);
  return {it.key + (uint64_t)c * size, s->starts[c], s->starts[c + 1], it.level + 1, !it.side};
}

__global__ void nodes_kernel(recursion r, unsigned long long first, int depth);

// By one lane. False: nothing was launched.
__device__ bool launch_children(const recursion &r, const node &it, const shared *s, int depth) {
  const int children = 1 << r.rule.dimension;
  if (depth >= r.deepest)
    return false;
  const unsigned long long first = atomicAdd(r.n_nodes, (unsigned long long)children);
  if (first + (unsigned long long)children > r.most_nodes)
    return false;
  for (int c = 0; c < children; ++c)
    r.nodes[first + (unsigned long long)c] = child_of(r, it, s, c);
  __threadfence();
  if (!tsr_launch_child(r.tickets, r.where, nodes_kernel, (unsigned)children, (unsigned)BLOCK,
                        (size_t)0, r, first, depth + 1))
    return false;
  atomicMax(&r.tickets->deepest, depth + 1);
  return true;
}

__global__ void __launch_bounds__(tsr_policy::child_bounds)
    nodes_kernel(recursion r, unsigned long long first, int depth) {
  __shared__ shared s;
  if (threadIdx.x == 0) {
    s.stack[0] = r.nodes[first + blockIdx.x];
    s.n_stack = 1;
    s.tiles = s.stop = 0;
  }
  __syncthreads();
  while (s.n_stack > 0) {
    const node it = s.stack[s.n_stack - 1];
    tsr_pointgrid_cell cell = {};
    cell.key = it.key;
    cell.count = it.end - it.begin;
    cell.level = it.level;
    const bool split = tsr_pointgrid_splits(&r.rule, &cell) != 0;
    if (split) {
      count_children(r, it, &s);
      if (!s.stop)
        move_points(r, it, &s);
      __threadfence(); // a grid that is launched reads what all threads have moved
    } else {
      emit_leaf(r, it, depth);
    }
    __syncthreads();
    if (s.stop)
      return;
    if (threadIdx.x == 0) {
      s.n_stack--;
      // The first child is to come first from the stack.
      if (split && !launch_children(r, it, &s, depth))
        for (int c = (1 << r.rule.dimension) - 1; c >= 0; --c)
          s.stack[s.n_stack++] = child_of(r, it, &s, c);
    }
    __syncthreads();
  }
}

// Memory, and a block for each cell that there is.
tsr_status start(recursion *r, const tsr_pointgrid_recursion &work, tsr_pointgrid_device *plan,
                 tsr_error *error) {
  const unsigned long long counts[2] = {work.nodes.size(), 0};
  const char *what = "starting the recursion";
  r->most_nodes = (unsigned long long)std::max<int64_t>(1 << 16, work.n / 4);
  TSR_STEP(plan->memory.get(&r->nodes, (int64_t)r->most_nodes, "the recursion", error));
  TSR_STEP(plan->memory.get(&r->n_nodes, 2, "the recursion", error));
  r->n_leaves = r->n_nodes + 1;
  TSR_CUDA(tsr_copy_async(r->n_nodes, counts, sizeof counts, cudaMemcpyHostToDevice, plan->stream),
           what);
  TSR_CUDA(tsr_copy_async(r->nodes, work.nodes.data(), work.nodes.size() * sizeof(node),
                          cudaMemcpyHostToDevice, plan->stream),
           what);
  TSR_CUDA(cudaStreamSynchronize(plan->stream), what);
  nodes_kernel<<<(unsigned)work.nodes.size(), BLOCK, 0, plan->stream>>>(*r, 0ull, 0);
  TSR_CUDA(cudaGetLastError(), what);
  return TSR_OK;
}

} // namespace

tsr_status tsr_pointgrid_recursive(tsr_pointgrid_device *plan, const tsr_pointgrid_recursion &work,
                                   const tsr_pointgrid_input *input, tsr_pointgrid_found *leaves,
                                   tsr_error *error) {
  tsr_report *report = input->report;
  const int64_t asked = input->options.launch.pending_launches;
  const int64_t wanted =
      asked > 0 ? asked : tsr_policy::slots_for(work.n / tsr_policy::points_a_slot);
  recursion r = {};
  unsigned long long n_leaves = 0;
  tsr_pool pool;
  tsr_host_flag stop;
  r.rule = input->rule;
  for (int side = 0; side < 2; ++side) {
    r.keys[side] = work.keys[side];
    r.points[side] = work.points[side];
  }
  r.order = work.order;
  r.out = *leaves;
  r.where = input->options.launch.child_stream;
  r.deepest = input->options.launch.nesting_depth;
  TSR_STEP(pool.give(plan, wanted, &r.tickets, report, error));
  TSR_STEP(stop.make(plan->stream, &r.stop, error));
  TSR_STEP(start(&r, work, plan, error));
  const bool stopped = tsr_caller_stops(plan->stream, input->execution, 0.2);
  if (stopped)
    stop.set();
  TSR_CUDA(
      tsr_copy_async(&n_leaves, r.n_leaves, sizeof n_leaves, cudaMemcpyDeviceToHost, plan->stream),
      "splitting by child grids");
  // A run that found too little room for its leaves does not count.
  report->child_launches = report->refused_launches = 0;
  report->child_items = report->inline_items = 0;
  TSR_STEP(tsr_tickets_end(plan, r.tickets, true, report, error));
  TSR_CUDA(pool.put_back(), "putting the pending launch count back");
  plan->memory.free_one(r.nodes);
  plan->memory.free_one(r.n_nodes);
  leaves->n = (int64_t)n_leaves;
  if (stopped)
    return tsr_cuda_refuse(error, TSR_ABORTED, "stopped while the points were sorted");
  return TSR_OK;
}
