// SPDX-License-Identifier: BSD-3-Clause
// The part of a fill that belongs to whole curves.
#include "cuda/curves/output/steps.cuh"

#include "cuda/common/transfer/transfer.cuh"
#include "cuda/curves/strategy/kernels.cuh"

// What belongs to cells and does not depend on the points.
tsr_status tsr_fill_cells(tsr_filling *f, tsr_error *error) {
  const tsr_curves_output &out = *f->out;
  const int64_t n = f->side.n_cells;
  const bool ids = f->side.closed && out.connectivity;
  const bool firsts = ids || out.arc_length;
  tsr_cell_arrays cells = {}, wide = {};
  std::vector<tsr_copy> copies;
  const size_t index = tsr_type_size(out.index_type);
  cells.index_type = out.index_type;
  if (out.offsets) {
    TSR_STEP(f->memory.get(&cells.offsets, n + 1, index, "the offsets", error));
    copies.push_back({out.offsets, cells.offsets, (size_t)(n + 1) * index});
  }
  if (out.source_item && n > 0) {
    TSR_STEP(f->memory.get(&cells.source_item, n, "the sources of cells", error));
    copies.push_back({out.source_item, cells.source_item, (size_t)n * 8});
  }
  if (firsts) {
    wide.index_type = TSR_INT64;
    TSR_STEP(f->memory.get(&wide.offsets, n + 1, 8, "the offsets", error));
    TSR_STEP(f->memory.get(&wide.first_points, n + 1, "the first points of cells", error));
    f->side.offsets.resize((size_t)n + 1);
    f->side.first_points.resize((size_t)n + 1);
    f->side.first_points[(size_t)n] = f->side.n_points;
    copies.push_back({f->side.offsets.data(), wide.offsets, (size_t)(n + 1) * 8});
    if (n > 0)
      copies.push_back({f->side.first_points.data(), wide.first_points, (size_t)n * 8});
    TSR_CUDA(tsr_make_cells(f->plan->places, wide, f->plan->stream), "filling the cells");
  }
  if (copies.empty())
    return TSR_OK;
  TSR_CUDA(tsr_make_cells(f->plan->places, cells, f->plan->stream), "filling the cells");
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
  TSR_STEP(f->memory.get(&cells.achieved_error, n, "the errors of cells", error));
  TSR_CUDA(tsr_make_cells(f->plan->places, cells, f->plan->stream), "filling the errors");
  TSR_CUDA(cudaStreamSynchronize(f->plan->stream), "filling the errors");
  return tsr_transfer_down(f->plan->state, f->request->execution,
                           {{f->out->achieved_error, cells.achieved_error, (size_t)n * 8}}, nullptr,
                           0.9, 0.92, error);
}

// Lengths along the curves: sums whose order matters, from the points as stored.
void tsr_fill_lengths(tsr_filling *f) {
  const tsr_execution *e = f->request->execution;
  const int64_t n = f->side.n_cells;
  if (!f->out->arc_length)
    return;
  if (e->run && n > 64)
    e->run(e->run_context, n, 64, tsr_arc_length_task, &f->side);
  else
    tsr_arc_length_task(&f->side, 0, n);
}
