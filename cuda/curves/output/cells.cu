// SPDX-License-Identifier: BSD-3-Clause
// The part of a fill that belongs to whole curves.
#include "cuda/curves/output/steps.cuh"

#include "cuda/common/memory/callers.cuh"
#include "cuda/common/transfer/transfer.cuh"
#include "cuda/curves/strategy/kernels.cuh"

// Memory on the device for an array of cells; its copy to the caller, unless it stays there.
template <class T>
static tsr_status get_cells(tsr_filling *f, T **to, void *host, int64_t n, size_t size,
                            const char *what, std::vector<tsr_copy> *copies, tsr_error *error) {
  bool there;
  TSR_STEP(tsr_find_output(f->plan, host, &there, error));
  *to = (T *)host;
  if (there)
    return TSR_OK;
  TSR_STEP(f->memory.get((void **)to, n, size, what, error));
  copies->push_back({host, *to, (size_t)n * size});
  return TSR_OK;
}

// Offsets and first points of all cells, for ids of closed curves and for arc lengths.
static tsr_status make_firsts(tsr_filling *f, std::vector<tsr_copy> *copies, tsr_error *error) {
  const int64_t n = f->side.n_cells;
  tsr_cell_arrays wide = {};
  wide.index_type = TSR_INT64;
  TSR_STEP(f->memory.get(&wide.offsets, n + 1, 8, "the offsets", error));
  TSR_STEP(f->memory.get(&wide.first_points, n + 1, "the first points of cells", error));
  TSR_CUDA(tsr_make_cells(f->plan->places, wide, f->plan->stream), "filling the cells");
  f->wide_offsets = (int64_t *)wide.offsets;
  f->first_points = wide.first_points;
  if ((f->ids_stay || !f->out->connectivity) && (f->lengths_stay || !f->out->arc_length))
    return TSR_OK;
  f->side.offsets.resize((size_t)n + 1);
  f->side.first_points.resize((size_t)n + 1);
  f->side.first_points[(size_t)n] = f->side.n_points;
  copies->push_back({f->side.offsets.data(), wide.offsets, (size_t)(n + 1) * 8});
  if (n > 0)
    copies->push_back({f->side.first_points.data(), wide.first_points, (size_t)n * 8});
  return TSR_OK;
}

// What belongs to cells and does not depend on the points.
tsr_status tsr_fill_cells(tsr_filling *f, tsr_error *error) {
  const tsr_curves_output &out = *f->out;
  const int64_t n = f->side.n_cells;
  const bool firsts = (f->side.closed && out.connectivity) || out.arc_length;
  tsr_cell_arrays cells = {};
  std::vector<tsr_copy> copies;
  cells.index_type = out.index_type;
  if (out.offsets)
    TSR_STEP(get_cells(f, &cells.offsets, out.offsets, n + 1, tsr_type_size(out.index_type),
                       "the offsets", &copies, error));
  if (out.source_item && n > 0)
    TSR_STEP(get_cells(f, &cells.source_item, out.source_item, n, 8, "the sources of cells",
                       &copies, error));
  if (firsts)
    TSR_STEP(make_firsts(f, &copies, error));
  if (cells.offsets || cells.source_item)
    TSR_CUDA(tsr_make_cells(f->plan->places, cells, f->plan->stream), "filling the cells");
  if (f->ids_stay)
    TSR_STEP(tsr_fill_ids_there(f, error));
  if (copies.empty())
    return TSR_OK;
  if (!firsts) { // then nobody asks for them before the points
    f->cells.swap(copies);
    return TSR_OK;
  }
  TSR_CUDA(cudaStreamSynchronize(f->plan->stream), "filling the cells");
  return tsr_transfer_down(f->plan->state, f->request->execution, copies, nullptr, 0.38, 0.4,
                           error);
}

// The errors that were reached, once every piece has given those of its spans.
tsr_status tsr_fill_errors(tsr_filling *f, tsr_error *error) {
  const int64_t n = f->side.n_cells;
  tsr_cell_arrays cells = {};
  if (!f->span_error || n == 0)
    return TSR_OK;
  cells.span_error = f->span_error;
  cells.walk_start = f->plan->walk_start;
  cells.walk_error = f->plan->walk_error;
  cells.rounding = f->plan->criteria.rounding;
  std::vector<tsr_copy> copies;
  TSR_STEP(get_cells(f, &cells.achieved_error, f->out->achieved_error, n, 8, "the errors of cells",
                     &copies, error));
  TSR_CUDA(tsr_make_cells(f->plan->places, cells, f->plan->stream), "filling the errors");
  TSR_CUDA(cudaStreamSynchronize(f->plan->stream), "filling the errors");
  return tsr_transfer_down(f->plan->state, f->request->execution, copies, nullptr, 0.9, 0.92,
                           error);
}

// Lengths along the curves: sums whose order matters, from the points as stored.
tsr_status tsr_fill_lengths(tsr_filling *f, tsr_error *error) {
  const tsr_execution *e = f->request->execution;
  const int64_t n = f->side.n_cells;
  if (!f->out->arc_length)
    return TSR_OK;
  if (f->lengths_stay)
    return tsr_fill_lengths_there(f, error);
  if (e->run && n > 64)
    e->run(e->run_context, n, 64, tsr_arc_length_task, &f->side);
  else
    tsr_arc_length_task(&f->side, 0, n);
  return TSR_OK;
}
