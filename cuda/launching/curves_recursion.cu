// SPDX-License-Identifier: BSD-3-Clause
// Counting by recursive child grids: a piece of a span that does not fulfil the criteria launches
// its halves. Leaves come out in no order; sorting their keys (span, place) puts them right.
#include "cuda/common/policy.cuh"
#include "cuda/common/sort.cuh"
#include "cuda/curves/strategy/children.cuh"
#include "cuda/curves/waiting.cuh"
#include "cuda/launching/tickets.cuh"

#include <algorithm>

namespace {

struct tree_node {
  int64_t span;
  tsr_leaf leaf;
};

struct tree {
  tsr_curves_view view;
  tsr_curves_criteria criteria;
  tsr_places places;
  unsigned long long limit; // most segments
  tsr_child_stream where;
  int deepest;
  unsigned long long *counts;  // of every span
  uint8_t *limited, *by_child; // of every item
  tsr_plan_summary *summary;
  const int *stop; // of the host: 1 where the caller wants to stop
  tsr_tickets *tickets;
  tree_node *nodes; // that wait for their grid
  unsigned long long *n_nodes, *n_keys;
  unsigned long long most_nodes, most_keys;
  uint64_t *keys;
};

__device__ void case_of(const tree &t, int64_t s, int64_t i, tsr_span *span, tsr_span_case *it) {
  const tsr_item item = tsr_item_at(&t.view, i);
  tsr_span_make(&t.view, &item, &t.criteria.rules, s - tsr_first_span(t.places, i), span);
  tsr_span_case_init(it, &t.view, &t.criteria, span);
}

__device__ void emit(const tree &t, int64_t s, const tsr_leaf &leaf) {
  const unsigned long long at = atomicAdd(t.n_keys, 1ull);
  if (at < t.most_keys)
    t.keys[at] = (uint64_t)s << TSR_FIXED_BITS | tsr_leaf_fixed(&leaf);
}

// Counts all leaves under a node, here, unless they are too many or the caller wants to stop.
__device__ void walk(const tree &t, int64_t s, tsr_span_case *it, tsr_leaf node) {
  const int64_t end = (node.index + 1) << (TSR_FIXED_BITS - node.level);
  unsigned long long n = 0;
  bool over = false;
  while (!over && tsr_next_leaf(it, &node)) {
    emit(t, s, node);
    ++n;
    tsr_pass_leaf(&node);
    if (n % tsr_leaves_a_look == 0)
      over = tsr_counting_over(t.summary, tsr_leaves_a_look, t.limit) || tsr_stop_asked(t.stop);
    if (node.index << (TSR_FIXED_BITS - node.level) >= end)
      break;
  }
  atomicAdd(&t.counts[s], n);
  atomicAdd(&t.summary->running, n % tsr_leaves_a_look);
}

__global__ void nodes_kernel(tree t, unsigned long long first, unsigned n, int depth);

// A warp's pieces that are to be divided: room for their halves is reserved together, and one lane
// launches the grid for them. False: nothing was launched.
__device__ bool launch_halves(const tree &t, unsigned lanes, const tree_node &node, int depth) {
  const unsigned lane = threadIdx.x, count = (unsigned)__popc(lanes);
  unsigned long long first = 0;
  int launched = 0;
  if (lane == 0 && depth < t.deepest) {
    first = atomicAdd(t.n_nodes, 2ull * count);
    launched = first + 2 * count <= t.most_nodes;
  }
  first = __shfl_sync(~0u, first, 0);
  launched = __shfl_sync(~0u, launched, 0);
  if (!launched)
    return false;
  if (lanes >> lane & 1u) {
    const unsigned long long at = first + 2 * (unsigned)__popc(lanes & ((1u << lane) - 1u));
    for (int half = 0; half < 2; ++half)
      t.nodes[at + half] = {node.span, {node.leaf.level + 1, 2 * node.leaf.index + half}};
  }
  __threadfence();
  __syncwarp();
  if (lane == 0) {
    launched = tsr_launch_child(t.tickets, t.where, nodes_kernel, (2 * count + 31) / 32, 32, 0, t,
                                first, 2 * count, depth + 1);
    if (launched)
      atomicMax(&t.tickets->deepest, depth + 1);
  }
  return __shfl_sync(~0u, launched, 0) != 0;
}

// One node a lane; the block is a warp.
__device__ void divide(const tree &t, bool active, const tree_node &node, int depth) {
  tsr_span span;
  tsr_span_case it;
  bool whole = false, split = false;
  int64_t i = 0;
  if (active) {
    i = tsr_item_of(t.places, node.span);
    case_of(t, node.span, i, &span, &it);
    if (depth > 0)
      t.by_child[i] = 1;
    whole = tsr_leaf_fulfilled(&it, &node.leaf) || node.leaf.level == t.criteria.max_level;
    split = !whole && !tsr_counting_over(t.summary, 0, t.limit);
  }
  const unsigned lanes = __ballot_sync(~0u, split);
  const bool launched = lanes != 0 && launch_halves(t, lanes, node, depth);
  if (active && (whole || (split && !launched)))
    walk(t, node.span, &it, node.leaf);
  if (active && it.at_limit) {
    t.limited[i] = 1;
    t.summary->limited = 1;
  }
}

__global__ void __launch_bounds__(tsr_policy::child_bounds)
    nodes_kernel(tree t, unsigned long long first, unsigned n, int depth) {
  const unsigned at = blockIdx.x * 32 + threadIdx.x;
  const tree_node none = {0, {0, 0}};
  divide(t, at < n, at < n ? t.nodes[first + at] : none, depth);
}

__global__ void __launch_bounds__(tsr_policy::child_bounds) roots_kernel(tree t) {
  const int64_t s = (int64_t)blockIdx.x * 32 + threadIdx.x;
  divide(t, s < t.places.n_spans, {s, {0, 0}}, 0);
}

__global__ void count_owners(const uint8_t *by_child, int64_t n, unsigned long long *count) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && by_child[i])
    atomicAdd(count, 1ull);
}

__global__ void keys_to_leaves(const uint64_t *keys, int64_t n, uint32_t *leaves) {
  const int64_t k = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (k < n)
    leaves[k] = (uint32_t)(keys[k] & (uint64_t)(TSR_FIXED_ONE - 1));
}

int bits_for(int64_t n) {
  int bits = 1;
  while (bits < 34 && (int64_t)1 << bits <= n)
    ++bits;
  return bits;
}

tsr_status get_arrays(tsr_curves_device *plan, tsr_memory *memory, tree *t, tsr_error *error) {
  const int64_t spans = plan->places.n_spans;
  t->most_nodes = (unsigned long long)std::max<int64_t>(1 << 18, 8 * spans);
  t->most_keys = (unsigned long long)std::max<int64_t>(1 << 20, 32 * spans);
  TSR_STEP(memory->get(&t->by_child, plan->places.n_items, "the recursion", error));
  TSR_STEP(memory->get(&t->tickets, 1, "the recursion", error));
  TSR_STEP(memory->get(&t->nodes, (int64_t)t->most_nodes, "the recursion", error));
  TSR_STEP(memory->get(&t->n_nodes, 2, "the recursion", error));
  TSR_STEP(memory->get(&t->keys, (int64_t)t->most_keys, "the leaves", error));
  t->n_keys = t->n_nodes + 1;
  TSR_CUDA(cudaMemsetAsync(t->by_child, 0, (size_t)plan->places.n_items, plan->stream), "clearing");
  TSR_CUDA(cudaMemsetAsync(t->n_nodes, 0, 2 * sizeof(*t->n_nodes), plan->stream), "clearing");
  TSR_CUDA(cudaMemsetAsync(t->counts, 0, (size_t)(spans + 1) * sizeof(*t->counts), plan->stream),
           "clearing");
  return TSR_OK;
}

// The sorted leaves, where all of them found room.
tsr_status keep_leaves(tsr_curves_device *plan, tsr_memory *memory, const tree &t, int64_t n_keys,
                       tsr_error *error) {
  uint64_t *keys[2] = {t.keys, nullptr};
  tsr_error ignored;
  if (n_keys == 0 || (unsigned long long)n_keys > t.most_keys ||
      memory->get(&keys[1], n_keys, "the leaves", &ignored) != TSR_OK ||
      plan->memory.get(&plan->leaves, n_keys, "the leaves", &ignored) != TSR_OK)
    return TSR_OK; // the fill then makes them anew
  TSR_STEP(tsr_sort_keys(keys, n_keys, 0, TSR_FIXED_BITS + bits_for(plan->places.n_spans), memory,
                         error));
  keys_to_leaves<<<tsr_blocks(n_keys, tsr_policy::block), tsr_policy::block, 0, plan->stream>>>(
      keys[0], n_keys, plan->leaves);
  TSR_CUDA(cudaGetLastError(), "sorting the leaves");
  return TSR_OK;
}

} // namespace

tsr_status tsr_children_count(tsr_curves_device *plan, const tsr_curves_request *request,
                              tsr_error *error) {
  tsr_report *report = request->report;
  const int64_t spans = plan->places.n_spans, items = plan->places.n_items;
  tsr_memory memory;
  tsr_tickets tickets = {};
  tree t = {};
  unsigned long long totals[2] = {0, 0}, *owners;
  tsr_pool pool;
  tsr_host_flag stop;
  memory.use(plan->state, plan->stream);
  TSR_STEP(stop.make(plan->stream, &t.stop, error));
  t.view = plan->view;
  t.criteria = plan->criteria;
  t.places = plan->places;
  t.limit = (unsigned long long)request->fine_limit;
  t.where = request->launch->child_stream;
  t.deepest = request->launch->nesting_depth;
  t.counts = (unsigned long long *)plan->segment_start;
  t.limited = plan->limited;
  t.summary = plan->summary;
  TSR_STEP(get_arrays(plan, &memory, &t, error));
  TSR_STEP(memory.get(&owners, 1, "the recursion", error));
  TSR_CUDA(cudaMemsetAsync(owners, 0, sizeof *owners, plan->stream), "clearing");
  const int64_t wanted = request->launch->pending_launches;
  TSR_CUDA(pool.set(wanted > 0 ? wanted : tsr_policy::slots_for(spans), &report->pool_in_force),
           "setting the pending launch count");
  tickets.limit = (unsigned long long)(wanted > 0 ? std::min(wanted, report->pool_in_force)
                                                  : report->pool_in_force);
  TSR_CUDA(
      tsr_copy_async(t.tickets, &tickets, sizeof tickets, cudaMemcpyHostToDevice, plan->stream),
      "starting the recursion");
  if (spans > 0) {
    roots_kernel<<<tsr_blocks(spans, 32), 32, 0, plan->stream>>>(t);
    TSR_CUDA(cudaGetLastError(), "starting the recursion");
    count_owners<<<tsr_blocks(items, tsr_policy::block), tsr_policy::block, 0, plan->stream>>>(
        t.by_child, items, owners);
    TSR_CUDA(cudaGetLastError(), "starting the recursion");
  }
  TSR_STEP(tsr_plan_wait(plan, request->execution, 0.3, "counting by child grids", error, &stop));
  TSR_CUDA(
      tsr_copy_async(&tickets, t.tickets, sizeof tickets, cudaMemcpyDeviceToHost, plan->stream),
      "counting by child grids");
  TSR_CUDA(tsr_copy_async(totals, t.n_nodes, sizeof totals, cudaMemcpyDeviceToHost, plan->stream),
           "counting by child grids");
  TSR_STEP(tsr_bring(&report->child_items, owners, sizeof *owners, plan->stream,
                     "counting by child grids", error));
  report->child_launches = (int64_t)tickets.launched;
  report->refused_launches = (int64_t)tickets.refused;
  report->deepest_nesting = tickets.deepest;
  TSR_CUDA(pool.put_back(), "putting the pending launch count back");
  plan->memory.free_one(plan->leaves);
  plan->leaves = nullptr;
  return keep_leaves(plan, &memory, t, (int64_t)totals[1], error);
}
