// SPDX-License-Identifier: BSD-3-Clause
// The output of a whole plan, made on the device and brought to the caller's arrays.
#include "cuda/common/memory/callers.cuh"
#include "cuda/common/transfer/reuse.cuh"
#include "cuda/grid/output/fill.cuh"
#include "cuda/grid/output/values/sums.cuh"
#include "cuda/grid/whole.cuh"

#include <algorithm>
#include <cstring>

namespace {

// An error that is measured while the output is on its way down. values: of points that are
// constrained; else NULL. of_means: 1 where it is that of means, and `left` what is left of them.
struct late_error {
  tsr_measuring what;
  const double *values;
  int of_means;
  tsr_level_sums left;
};

// State of one call of the fill.
struct filling {
  tsr_grid_device *grid;
  const tsr_plan_lists *lists; // of the plan
  const tsr_grid_request *request;
  const tsr_grid_counts *counts;
  const tsr_grid_output *out;
  tsr_memory memory; // of this call
  std::vector<tsr_copy> down;
  size_t first; // of those: made before the rest, and brought while the rest is made
  int32_t *owner;
  tsr_space space;               // its arrays on the device
  std::vector<tsr_share> shares; // of the slabs; of all where there are none
  tsr_hangs hangs;               // where it is wanted
  std::vector<late_error> later;
  int holds; // 1: an array's memory is held for its error; others do not wait for theirs
  unsigned long long *most; // largest errors so far, bits of a double, of every attribute
};

// Allocates an output array that is later copied to `host`; *to becomes NULL if `host` is NULL, and
// `host` itself if that lies on the device.
tsr_status make(filling *it, void **to, void *host, int64_t count, size_t size, tsr_error *error) {
  bool there;
  TSR_STEP(tsr_find_output(it->grid, host, &there, error));
  *to = host;
  if (!host || there)
    return TSR_OK;
  TSR_STEP(it->memory.get(to, count, size, "the output", error));
  it->down.push_back({host, *to, (size_t)count * size});
  return TSR_OK;
}

template <class T> tsr_status make(filling *it, T **to, T *host, int64_t count, tsr_error *error) {
  return make(it, (void **)to, host, count, sizeof(T), error);
}

// ---- points

// 1 if points that hang take the values of coarser leaves.
int is_constrained(const filling &it) {
  return it.grid->frame.options.constrain && !it.lists->trees.states;
}

tsr_status fill_points(filling *it, tsr_error *error) {
  const tsr_plan_lists &lists = *it->lists;
  const tsr_type type = it->out->points_type;
  void *to;
  if (lists.points.n == 0)
    return TSR_OK;
  TSR_STEP(make(it, &to, it->out->points, 3 * it->counts->points, tsr_value_bytes(type), error));
  if (!to)
    return TSR_OK;
  TSR_STEP(tsr_grid_place_points(it->grid, *it->lists, it->space, to, type, error));
  if (is_constrained(*it) && it->space.geometry == TSR_GEOMETRY_POINTS) {
    double *values;
    TSR_STEP(it->memory.get(&values, 3 * lists.points.n, "the points that hang", error));
    const tsr_share all_points = {{0, lists.leaves.n}, {0, INT64_MAX}};
    TSR_STEP(tsr_grid_point_values(it->grid, lists.points, it->space.points, all_points, nullptr,
                                   values, error));
    TSR_STEP(tsr_grid_hang_values(it->grid, it->lists->points, it->hangs, it->space.points, values,
                                  to, type, error));
    it->memory.free_one(values);
  }
  return TSR_OK;
}

// Conforming cells have no points that hang.
tsr_status clear_hanging(filling *it, tsr_error *error) {
  const size_t n = (size_t)it->counts->points;
  bool there;
  TSR_STEP(tsr_find_output(it->grid, it->out->hanging, &there, error));
  if (there)
    TSR_CUDA(cudaMemsetAsync(it->out->hanging, 0, n, it->grid->stream), "clearing what hangs");
  else
    memset(it->out->hanging, 0, n);
  return TSR_OK;
}

// Which points hang: for the caller, and for what follows.
tsr_status fill_hanging(filling *it, tsr_error *error) {
  const tsr_plan_lists &lists = *it->lists;
  uint8_t *to = nullptr;
  if (it->out->hanging && lists.cuts.has)
    return clear_hanging(it, error);
  if (lists.points.n == 0 || lists.cuts.has || !(it->out->hanging || is_constrained(*it)))
    return TSR_OK;
  TSR_STEP(make(it, &to, it->out->hanging, lists.points.n, error));
  TSR_STEP(tsr_grid_find_hanging(it->grid, it->lists->points, &it->memory, &it->hangs, error));
  return to ? tsr_grid_tell_hanging(it->grid, it->hangs, lists.points.n, to, error) : TSR_OK;
}

// ---- cells

tsr_status fill_cells(filling *it, tsr_error *error) {
  const tsr_grid_output &out = *it->out;
  const int64_t n = it->counts->cells;
  const size_t index = tsr_value_bytes(out.index_type);
  tsr_grid_shapes shapes = {};
  shapes.index_type = out.index_type;
  shapes.hexahedra = out.hexahedra;
  memcpy(shapes.type_of, out.cell_type_of, sizeof shapes.type_of);
  tsr_described args = {};
  double *indicator;
  if (it->lists->cuts.has)
    TSR_STEP(it->memory.get(&it->owner, n, "the leaves of cells", error));
  args.owner = shapes.owner = it->owner;
  TSR_STEP(make(it, &shapes.offsets, out.offsets, n, index, error));
  TSR_STEP(
      make(it, &shapes.connectivity, out.connectivity, it->counts->connectivity, index, error));
  TSR_STEP(make(it, &shapes.cell_type, out.cell_type, n, error));
  TSR_STEP(make(it, &args.level, out.level, n, error));
  TSR_STEP(make(it, &args.source, out.source_cell, n, error));
  TSR_STEP(make(it, &args.leaf, out.leaf, n, error));
  TSR_STEP(make(it, &args.state, out.state, n, error));
  TSR_STEP(make(it, &indicator, out.indicator, n, error));
  if (!it->lists->trees.states &&
      (shapes.offsets || shapes.connectivity || shapes.cell_type || shapes.owner))
    TSR_STEP(tsr_grid_fill_shapes(it->grid, *it->lists, shapes, error));
  TSR_STEP(tsr_grid_describe_cells(it->grid, *it->lists, n, args, error));
  if (indicator)
    return tsr_grid_fill_indicator(it->grid, it->request, *it->lists, *it->counts, it->owner,
                                   indicator, error);
  return TSR_OK;
}

// ---- attributes

tsr_status fill_cell_array(const filling &it, const tsr_share &of, const tsr_measuring &what,
                           void *to, tsr_error *error) {
  return tsr_grid_store_cells(it.grid, *it.lists, it.counts->cells, it.owner, of, what, to, error);
}

// 1 if an attribute has a value a cell.
int is_of_cells(const filling &it, const tsr_grid_attribute &attribute) {
  return attribute.cell_data || it.lists->trees.states;
}

// The largest error of a point array in cells. values: as in late_error.
tsr_status fill_errors(filling *it, const tsr_measuring &what, const double *values,
                       tsr_error *error) {
  if (values)
    return tsr_grid_hang_errors(it->grid, *it->lists, *it->counts, what, values, error);
  TSR_STEP(
      tsr_grid_measure_leaves(it->grid, it->lists, it->counts->of_level, what, nullptr, error));
  return tsr_grid_cut_errors(it->grid, *it->lists, what.array, what.leaves, what.most, error);
}

// Fills one array for a slab, whose part of the array is on the device. Without slabs, the errors
// of point arrays are computed later, while the values are copied to the host.
tsr_status fill_share(filling *it, const tsr_share &of, const tsr_measuring &what, void *to,
                      tsr_error *error) {
  if (what.cell_data || it->lists->trees.states) {
    const bool waits = !it->holds && tsr_errors_may_wait(it->grid, what);
    late_error late = {what, nullptr, 1, {}};
    TSR_STEP(tsr_grid_node_means(it->grid, it->space, what, waits ? &late.left : nullptr, error));
    if (waits)
      it->later.push_back(late);
    it->holds = it->holds || waits;
    return to ? fill_cell_array(*it, of, what, to, error) : TSR_OK;
  }
  if (to)
    TSR_STEP(tsr_grid_copy_points(it->grid, *it->lists, of, what.array, to, error));
  if (what.most && !it->grid->slabs.frames.empty())
    return fill_errors(it, what, nullptr, error);
  if (what.most)
    it->later.push_back({what, nullptr, 0, {}});
  return TSR_OK;
}

// A point array where points that hang are constrained; data: as below. The values of points that
// are measured later stay until then.
tsr_status fill_constrained(filling *it, const tsr_grid_attribute &attribute, const void *data,
                            void *to, tsr_measuring what, tsr_error *error) {
  tsr_grid_device *grid = it->grid;
  tsr_array array = attribute.in;
  double *values;
  size_t k = 0;
  TSR_STEP(it->memory.get(&values, it->lists->points.n * array.components, "the points that hang",
                          error));
  const auto bring = [&](const tsr_grid_frame &) {
    const tsr_share &of = it->shares[k++];
    array.data = data ? data : tsr_find_uploaded(*grid, attribute.in);
    TSR_STEP(tsr_grid_point_values(grid, it->lists->points, array, of, nullptr, values, error));
    return to ? tsr_grid_copy_points(grid, *it->lists, of, array, to, error) : TSR_OK;
  };
  const auto measure = [&](const tsr_grid_frame &) {
    const tsr_share &of = it->shares[k++];
    what.array.data = data ? data : tsr_find_uploaded(*grid, attribute.in);
    memcpy(what.leaves, of.leaves, sizeof what.leaves);
    if (it->holds || !grid->slabs.frames.empty())
      return fill_errors(it, what, values, error);
    it->later.push_back({what, values, 0, {}});
    it->holds = 1;
    return TSR_OK;
  };
  TSR_STEP(tsr_each_slab(grid, it->request, {attribute.in}, bring, error));
  TSR_STEP(tsr_grid_hang_values(grid, it->lists->points, it->hangs, array, values, to, array.type,
                                error));
  k = 0;
  if (attribute.error)
    TSR_STEP(tsr_each_slab(grid, it->request, {attribute.in}, measure, error));
  if (it->later.empty() || it->later.back().values != values)
    it->memory.free_one(values);
  return TSR_OK;
}

// data: on the device; NULL: it goes there slab by slab.
tsr_status fill_attribute(filling *it, const tsr_grid_attribute &attribute, const void *data,
                          unsigned long long *most, tsr_error *error) {
  const int of_cells = is_of_cells(*it, attribute);
  const int64_t tuples = of_cells ? it->counts->cells : it->counts->points;
  const size_t bytes = tsr_value_bytes(attribute.in.type) * (size_t)attribute.in.components;
  const tsr_plan_lists &lists = *it->lists;
  tsr_measuring what = {attribute.in,
                        {0, 0},
                        {0, 0},
                        attribute.cell_data,
                        lists.leaves.nodes,
                        lists.trees.states,
                        lists.leaves.n,
                        nullptr,
                        attribute.error ? most : nullptr};
  void *to;
  TSR_STEP(make(it, &to, attribute.out, tuples, bytes, error));
  if (is_constrained(*it) && !of_cells)
    return fill_constrained(it, attribute, data, to, what, error);
  if (it->lists->trees.states && to) // what is outside is 0
    TSR_CUDA(cudaMemsetAsync(to, 0, (size_t)tuples * bytes, it->grid->stream), "clearing an array");
  if (of_cells)
    TSR_STEP(it->memory.get(&what.means, it->lists->leaves.n * what.array.components,
                            "the means of cells", error));
  size_t k = 0;
  const auto work = [&](const tsr_grid_frame &) {
    const tsr_share &of = it->shares[k++];
    memcpy(what.leaves, of.leaves, sizeof what.leaves);
    memcpy(what.cells, of.cells, sizeof what.cells);
    what.array.data = data ? data : tsr_find_uploaded(*it->grid, attribute.in);
    return fill_share(it, of, what, to, error);
  };
  TSR_STEP(tsr_each_slab(it->grid, it->request, {attribute.in}, work, error));
  if (it->later.empty() || !what.means || it->later.back().what.means != what.means)
    it->memory.free_one(what.means);
  return TSR_OK;
}

int is_wanted(const filling &it, int a) {
  const tsr_grid_attribute &attribute = it.out->attributes[a];
  return attribute.in.data && (attribute.out || attribute.error);
}

// The arrays that are made here, and the points' places, on the device, unless there are slabs.
tsr_status upload(filling *it, std::vector<void *> *to, tsr_error *error) {
  const tsr_grid_output &out = *it->out;
  bool places = out.points != nullptr; // or volumes follow from them
  std::vector<tsr_array> arrays;
  for (int a = 0; a < out.n_attributes; ++a) {
    arrays.push_back(out.attributes[a].in);
    if (!is_wanted(*it, a))
      arrays.back().data = nullptr;
    else
      places = places || is_of_cells(*it, out.attributes[a]);
  }
  places = places && it->space.geometry == TSR_GEOMETRY_POINTS;
  arrays.push_back(it->request->space->points);
  if (!places)
    arrays.back().data = nullptr;
  to->assign(arrays.size(), nullptr);
  TSR_STEP(tsr_slabs_upload(it->grid, it->request, &it->memory, false, arrays, to->data(), error));
  if (!it->grid->slabs.frames.empty())
    to->assign(arrays.size(), nullptr); // all of them go through slabs
  if (places)
    it->space.points.data = to->back();
  return tsr_slab_shares(it->grid, *it->lists, &it->shares, error);
}

// Gives a list of the plan to the caller.
tsr_status hand_out(filling *it, void *to, const void *list, size_t bytes, tsr_error *error) {
  bool there;
  TSR_STEP(tsr_find_output(it->grid, to, &there, error));
  if (there)
    TSR_CUDA(tsr_copy_async(to, list, bytes, cudaMemcpyDeviceToDevice, it->grid->stream),
             "copying a list");
  else if (to && bytes > 0)
    it->down.push_back({to, list, bytes});
  return TSR_OK;
}

// Trees and patches: what does not belong to single cells.
tsr_status fill_lists(filling *it, tsr_error *error) {
  const tsr_plan_lists &lists = *it->lists;
  const tsr_grid_output &out = *it->out;
  const int64_t trees = it->counts->trees;
  if (lists.trees.tree_first)
    TSR_STEP(hand_out(it, out.tree_first, lists.trees.tree_first,
                      (size_t)(trees + 1) * sizeof(int64_t), error));
  if (lists.trees.patches)
    TSR_STEP(hand_out(it, out.patches, lists.trees.patches,
                      (size_t)it->counts->patches * sizeof *out.patches, error));
  if (!out.tree_root || !lists.trees.tree_first)
    return TSR_OK;
  int32_t *roots;
  TSR_STEP(make(it, &roots, out.tree_root, 3 * trees, error));
  return tsr_grid_tree_roots(it->grid, *it->lists, trees, roots, error);
}

tsr_status fill_attributes(filling *it, const std::vector<void *> &data, unsigned long long *most,
                           tsr_error *error) {
  for (int a = 0; a < it->out->n_attributes; ++a) {
    if (is_wanted(*it, a))
      TSR_STEP(fill_attribute(it, it->out->attributes[a], data[(size_t)a], most + a, error));
  }
  return TSR_OK;
}

// Starts everything: the cells first, the errors of later last.
tsr_status make_all(filling *it, tsr_error *error) {
  tsr_grid_device *grid = it->grid;
  const int64_t n = it->out->n_attributes;
  std::vector<void *> data;
  TSR_STEP(upload(it, &data, error));
  TSR_CUDA(cudaEventRecord(grid->begin, grid->stream), "starting the device's clock");
  TSR_STEP(it->memory.get(&it->most, n, "the errors", error));
  TSR_CUDA(cudaMemsetAsync(it->most, 0, (size_t)std::max<int64_t>(n, 1) * sizeof *it->most,
                           grid->stream),
           "clearing the errors");
  TSR_STEP(fill_cells(it, error));
  it->first = it->down.size();
  TSR_CUDA(cudaEventRecord(grid->made[0], grid->stream), "making the output");
  TSR_STEP(fill_hanging(it, error));
  TSR_STEP(fill_points(it, error));
  TSR_STEP(fill_lists(it, error));
  TSR_STEP(fill_attributes(it, data, it->most, error));
  TSR_CUDA(cudaEventRecord(grid->made[1], grid->stream), "making the output");
  for (const late_error &late : it->later)
    TSR_STEP(late.of_means ? tsr_grid_mean_errors(grid, it->space, late.what, late.left, error)
                           : fill_errors(it, late.what, late.values, error));
  TSR_CUDA(cudaEventRecord(grid->end, grid->stream), "stopping the device's clock");
  return TSR_OK;
}

// Brings what is first, or the rest, to the caller once it is made.
tsr_status bring(const filling &it, int rest, tsr_error *error) {
  const tsr_execution *execution = it.request->execution;
  const auto at = it.down.begin() + (std::ptrdiff_t)it.first;
  const std::vector<tsr_copy> copies(rest ? at : it.down.begin(), rest ? it.down.end() : at);
  const double done = rest ? 0.85 : 0.7;
  TSR_CUDA(cudaEventSynchronize(it.grid->made[rest]), "making the output");
  const double start = tsr_cuda_now(execution);
  TSR_STEP(tsr_transfer_down(it.grid->state, execution, copies, nullptr, done, done + 0.15, error));
  it.request->report->download_seconds += tsr_cuda_now(execution) - start;
  return TSR_OK;
}

tsr_status read_errors(filling *it, tsr_error *error) {
  tsr_grid_device *grid = it->grid;
  const tsr_grid_output &out = *it->out;
  const size_t n = (size_t)out.n_attributes;
  std::vector<unsigned long long> largest(n, 0);
  float milliseconds = 0.0f;
  if (n > 0)
    TSR_CUDA(tsr_copy_async(largest.data(), it->most, n * sizeof *it->most, cudaMemcpyDeviceToHost,
                            grid->stream),
             "reading the errors");
  TSR_CUDA(cudaStreamSynchronize(grid->stream), "measuring the errors");
  TSR_CUDA(cudaEventElapsedTime(&milliseconds, grid->begin, grid->end), "reading the clock");
  it->request->report->device_fill_seconds += 1e-3 * (double)milliseconds;
  for (size_t a = 0; a < n; ++a)
    if (out.attributes[a].error)
      memcpy(out.attributes[a].error, &largest[a], sizeof(double));
  return TSR_OK;
}

} // namespace

tsr_status tsr_grid_cuda_fill(tsr_grid_device *grid, const tsr_grid_request *request,
                              const tsr_grid_counts *counts, const tsr_grid_output *out,
                              tsr_error *error) {
  const tsr_on_device scope(grid->state->device);
  TSR_STEP(scope.check(error));
  filling it = {};
  it.grid = grid;
  it.lists = &grid->whole->lists;
  it.request = request;
  it.counts = counts;
  it.out = out;
  it.space = grid->frame.space;
  it.memory.use(grid->state, grid->stream);
  TSR_STEP(make_all(&it, error));
  TSR_STEP(bring(it, 0, error));
  TSR_STEP(bring(it, 1, error));
  TSR_STEP(read_errors(&it, error));
  tsr_reuse_keep(grid->state, request->execution, &it.memory, it.down);
  tsr_note_peak(*grid, request->report);
  return TSR_OK;
}
