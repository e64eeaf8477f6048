// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/grid/slabs.cuh"

#include "cuda/common/memory/callers.cuh"
#include "cuda/common/memory/kept.cuh"
#include "cuda/common/memory/made.cuh"

#include <algorithm>

namespace {

const int64_t slab_bytes = (int64_t)512 << 20; // enough for the bus; more would only wait longer

int64_t bytes_of(const tsr_array &array) {
  return (int64_t)tsr_type_size(array.type) * array.components * array.tuples;
}

// Layers of samples that an array has; at least 1, also where there is no cell.
int64_t layers_of(const tsr_lattice &lattice, const tsr_array &array) {
  const int64_t cells = lattice.held[2][1] - lattice.held[2][0];
  int64_t points = cells + 1;
  for (int a = 0; a < 2; ++a)
    points *= lattice.held[a][1] - lattice.held[a][0] + 1;
  return std::max<int64_t>(array.tuples == points ? cells + 1 : cells, 1);
}

// Memory that is free on the device, that the pool has and nobody uses, or that gives way.
tsr_status free_memory(const tsr_grid_device *grid, int64_t *bytes, tsr_error *error) {
  const int device = grid->state->device;
  int64_t outside, pooled;
  TSR_STEP(tsr_free_memory(grid->state, &outside, &pooled, error));
  *bytes = outside + pooled + tsr_kept_waiting(device) + tsr_made_waiting(device);
  return TSR_OK;
}

// Bytes of the arrays that are not on the device, and of the layers of a cell of the slowest axis.
tsr_status sum_up(const tsr_grid_device *grid, const std::vector<tsr_array> &arrays, int64_t *all,
                  int64_t *layer, tsr_error *error) {
  std::vector<const void *> seen;
  bool there;
  *all = *layer = 0;
  for (const tsr_array &array : arrays) {
    TSR_STEP(tsr_find_callers(grid, array.data, &there, error));
    if (!array.data || there || tsr_find_uploaded(*grid, array) ||
        std::find(seen.begin(), seen.end(), array.data) != seen.end())
      continue;
    seen.push_back(array.data);
    *all += bytes_of(array);
    *layer += bytes_of(array) / layers_of(grid->frame.lattice, array);
  }
  return TSR_OK;
}

// Notes the caller's arrays on the device as uploaded.
tsr_status note_callers(tsr_grid_device *grid, const std::vector<tsr_array> &arrays,
                        tsr_error *error) {
  for (const tsr_array &array : arrays) {
    bool there;
    TSR_STEP(tsr_find_callers(grid, array.data, &there, error));
    if (there && !tsr_find_uploaded(*grid, array))
      grid->uploaded.push_back({array.data, bytes_of(array), (void *)array.data, 0});
  }
  return TSR_OK;
}

// Layers of cells around a slab that any criterion looks at.
int64_t margin_of(const tsr_grid_options &options) {
  int64_t margin = 0;
  for (int r = 0; r < options.n_criteria; ++r)
    if (options.criteria[r].cell_data ||
        options.criteria[r].measure == TSR_MEASURE_SECOND_DERIVATIVE)
      margin = 2;
  return margin;
}

// Roots of a slab: bytes of the tree and blocks of kernels belong to one.
int64_t roots_of(const tsr_lattice &lattice, int64_t margin, int64_t layer, int64_t bytes) {
  const int64_t root = (int64_t)1 << lattice.coarsen;
  const int64_t least = std::max<int64_t>(2, 16 / root);
  const int64_t fit = bytes / std::max<int64_t>(layer, 1) - 2 * margin - 1;
  return std::max(least, fit / root / least * least);
}

tsr_status make_frames(tsr_grid_device *grid, int64_t roots, tsr_error *error) {
  tsr_grid_slabs &slabs = grid->slabs;
  const tsr_lattice &lattice = grid->frame.lattice;
  const int64_t *owned = lattice.owned[2];
  int64_t end = owned[0];
  while (end < owned[1]) {
    const int64_t first = end; // also in the middle of a byte of the tree; but it ends with one
    end = std::min((first + roots) / 2 * 2, owned[1]);
    const int64_t mine[2] = {first, end};
    slabs.frames.push_back(grid->frame);
    for (int level = 0; level <= lattice.coarsen; ++level)
      tsr_level_range(&lattice, 2, level, mine, slabs.frames.back().range[level][2]);
  }
  const int64_t n = (int64_t)slabs.frames.size();
  TSR_STEP(grid->memory.get(&slabs.frames_d, n, "the slabs", error));
  TSR_CUDA(tsr_copy_async(slabs.frames_d, slabs.frames.data(), (size_t)n * sizeof grid->frame,
                          cudaMemcpyHostToDevice, grid->stream),
           "uploading the slabs");
  for (int b = 0; b < 2; ++b)
    TSR_CUDA(cudaEventCreateWithFlags(&slabs.used[b], cudaEventDisableTiming), "making an event");
  return TSR_OK;
}

// Memory for a slab of the arrays.
tsr_status make_buffer(tsr_grid_device *grid, int b, int64_t bytes, tsr_error *error) {
  tsr_grid_slabs &slabs = grid->slabs;
  if (slabs.bytes[b] >= bytes)
    return TSR_OK;
  grid->memory.free_one(slabs.buffer[b]);
  slabs.bytes[b] = 0;
  TSR_STEP(grid->memory.get((void **)&slabs.buffer[b], bytes, 1, "a slab of the input", error));
  slabs.bytes[b] = bytes;
  TSR_CUDA(cudaStreamSynchronize(grid->stream), "allocating a slab");
  return TSR_OK;
}

// The part of an array that a slab has.
struct piece {
  const void *host;
  int64_t all;   // bytes of the array
  int64_t first; // byte of it
  size_t bytes;
  int64_t at; // in the buffer
};

// The parts of the arrays for the current slab. *bytes: their sum.
std::vector<piece> pieces_of(const tsr_grid_device *grid, const std::vector<tsr_array> &arrays,
                             int64_t *bytes) {
  std::vector<piece> pieces;
  for (const tsr_array &array : arrays) {
    const auto known = [&array](const piece &p) { return p.host == array.data; };
    if (!array.data || tsr_find_uploaded(*grid, array) ||
        std::find_if(pieces.begin(), pieces.end(), known) != pieces.end())
      continue;
    const int64_t tuple = bytes_of(array) / array.tuples;
    int64_t range[2];
    tsr_slab_tuples(grid, array, range);
    const int64_t wanted = (range[1] - range[0]) * tuple;
    pieces.push_back({array.data, bytes_of(array), range[0] * tuple, (size_t)wanted, *bytes});
    *bytes += (wanted + 255) / 256 * 256;
  }
  return pieces;
}

// Makes slabs if the arrays are too large. failed: they were, as memory is short.
tsr_status make_slabs(tsr_grid_device *grid, const tsr_grid_request *request,
                      const std::vector<tsr_array> &arrays, bool failed, tsr_error *error) {
  const tsr_lattice &lattice = grid->frame.lattice;
  const int64_t wish = request->options->device_bytes;
  const int64_t large = (int64_t)(grid->state->properties.totalGlobalMem / 4);
  grid->slabs.margin = margin_of(*request->options);
  int64_t all, layer, room = wish;
  TSR_STEP(sum_up(grid, arrays, &all, &layer, error));
  if (!grid->slabs.frames.empty() || all == 0 || lattice.dimension < 3 ||
      grid->frame.space.geometry == TSR_GEOMETRY_POINTS)
    return TSR_OK;
  if (wish == 0 && all < large && !failed)
    return TSR_OK; // asking for free memory takes long
  if (wish == 0) {
    TSR_STEP(free_memory(grid, &room, error));
    room = room / 4 * 3; // the rest is for the output
  }
  if (all <= room && !failed)
    return TSR_OK;
  const int64_t roots =
      roots_of(lattice, grid->slabs.margin, layer, std::min(room / 2, slab_bytes));
  if (roots >= lattice.owned[2][1] - lattice.owned[2][0])
    return TSR_OK;
  TSR_STEP(make_frames(grid, roots, error));
  request->report->pieces = (int64_t)grid->slabs.frames.size();
  return TSR_OK;
}

} // namespace

void tsr_slab_tuples(const tsr_grid_device *grid, const tsr_array &array, int64_t range[2]) {
  const tsr_grid_slabs &slabs = grid->slabs;
  const tsr_lattice &lattice = grid->frame.lattice;
  range[0] = 0;
  range[1] = array.tuples;
  if (slabs.frames.empty())
    return;
  const int64_t *held = lattice.held[2];
  const int64_t *cells = slabs.frames[(size_t)slabs.now].range[lattice.coarsen][2];
  const int64_t layers = layers_of(lattice, array), layer = array.tuples / layers;
  const int64_t begin = std::max(cells[0] - slabs.margin, held[0]);
  const int64_t end = std::min(cells[1] + slabs.margin, held[1]);
  range[0] = (begin - held[0]) * layer;
  range[1] = (end - held[0] + (layers > held[1] - held[0])) * layer; // points: both ends
}

tsr_status tsr_slabs_upload(tsr_grid_device *grid, const tsr_grid_request *request,
                            tsr_memory *memory, bool keep, const std::vector<tsr_array> &arrays,
                            void **to, tsr_error *error) {
  tsr_error other;
  TSR_STEP(make_slabs(grid, request, arrays, false, error));
  if (!grid->slabs.frames.empty())
    return TSR_OK;
  const tsr_status status =
      tsr_upload(grid, request->execution, request->report, memory, keep, arrays, to, error);
  if (status != TSR_NO_MEMORY || make_slabs(grid, request, arrays, true, &other) != TSR_OK)
    return status;
  return grid->slabs.frames.empty() ? status : TSR_OK;
}

void tsr_slabs_close(tsr_grid_device *grid) {
  for (cudaEvent_t event : grid->slabs.used)
    if (event)
      tsr_cuda_drop(cudaEventDestroy(event));
}

tsr_status tsr_slab_begin(tsr_grid_device *grid, const tsr_grid_request *request,
                          const std::vector<tsr_array> &arrays, int k, tsr_error *error) {
  tsr_grid_slabs &slabs = grid->slabs;
  const int b = k % 2;
  int64_t bytes = 0;
  slabs.now = k;
  slabs.n_before = grid->uploaded.size();
  TSR_STEP(note_callers(grid, arrays, error));
  const std::vector<piece> pieces = pieces_of(grid, arrays, &bytes);
  TSR_CUDA(cudaEventSynchronize(slabs.used[b]), "working on a slab"); // at once if it never was
  TSR_STEP(make_buffer(grid, b, bytes, error));
  std::vector<tsr_copy> copies;
  for (const piece &one : pieces) {
    char *const to = slabs.buffer[b] + one.at;
    copies.push_back({to, (const char *)one.host + one.first, one.bytes});
    grid->uploaded.push_back({one.host, one.all, to - one.first, 0});
  }
  const double start = tsr_cuda_now(request->execution);
  TSR_STEP(tsr_transfer_up(grid->state, request->execution, copies, error));
  request->report->upload_seconds += tsr_cuda_now(request->execution) - start;
  return TSR_OK;
}

tsr_status tsr_slab_end(tsr_grid_device *grid, tsr_error *error) {
  tsr_grid_slabs &slabs = grid->slabs;
  grid->uploaded.resize(slabs.n_before);
  TSR_CUDA(cudaEventRecord(slabs.used[slabs.now % 2], grid->stream), "working on a slab");
  slabs.now = -1;
  return TSR_OK;
}

// Leaves follow the units, which begin with a slab.
tsr_status tsr_slab_shares(tsr_grid_device *grid, const tsr_plan_lists &lists,
                           std::vector<tsr_share> *shares, tsr_error *error) {
  const tsr_leaf_list &leaves = lists.leaves;
  const tsr_lattice &lattice = grid->frame.lattice;
  tsr_share all = {{0, leaves.n}, {0, INT64_MAX}};
  for (const tsr_grid_frame &slab : grid->slabs.frames) {
    const int64_t layers = slab.range[tsr_unit_level(&lattice)][2][0] - leaves.begin[2];
    const int64_t unit = layers * leaves.units[0] * leaves.units[1];
    for (int end = 0; end < 2; ++end)
      all.cells[end] = slab.range[lattice.coarsen][2][end];
    if (!lists.trees.states)
      TSR_CUDA(tsr_copy_async(&all.leaves[0], leaves.unit_first + unit, sizeof(int64_t),
                              cudaMemcpyDeviceToHost, grid->stream),
               "finding what slabs have");
    TSR_CUDA(cudaStreamSynchronize(grid->stream), "finding what slabs have");
    shares->push_back(all);
  }
  if (shares->empty())
    shares->push_back(all);
  for (size_t k = 0; !lists.trees.states && k + 1 < shares->size(); ++k)
    (*shares)[k].leaves[1] = (*shares)[k + 1].leaves[0];
  return TSR_OK;
}
