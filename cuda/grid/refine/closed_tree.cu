// SPDX-License-Identifier: BSD-3-Clause
// The tree of a plan that the CPU closed, as several processes have it, with the roots of others
// around the owned ones: bits for lists and parts.
#include "cuda/grid/refine/refine.cuh"

namespace {

// Memory for the bricks, which are as many as the host's.
tsr_status make_bricks(tsr_grid_device *grid, const tsr_tree &from, tsr_error *error) {
  const char *what = "the levels below the input cells";
  tsr_tree &tree = grid->frame.tree;
  tree.has_brick.words = from.has_brick.words;
  tree.n_bricks = from.n_bricks;
  TSR_STEP(grid->memory.get(&tree.has_brick.word, from.has_brick.words, what, error));
  TSR_STEP(grid->memory.get(&tree.has_brick.before, from.has_brick.words + 1, what, error));
  TSR_STEP(grid->memory.get(&tree.bricks, from.n_bricks * from.brick_bytes, what, error));
  TSR_CUDA(tsr_copy_async(grid->frame_d, &grid->frame, sizeof grid->frame, cudaMemcpyHostToDevice,
                          grid->stream),
           "uploading the grid");
  return TSR_OK;
}

} // namespace

tsr_status tsr_grid_upload_dense(tsr_grid_device *grid, const tsr_grid_request *request,
                                 const std::vector<tsr_dense_copy> &trees, tsr_error *error) {
  std::vector<tsr_copy> copies;
  for (const tsr_dense_copy &tree : trees)
    for (int level = 0; level < grid->frame.levels; ++level)
      copies.push_back({tree.to + (grid->frame.tree.dense[level] - grid->bytes),
                        tree.from->dense[level], (size_t)grid->level_bytes[level]});
  TSR_CUDA(cudaStreamSynchronize(grid->stream), "refining the levels");
  const double start = tsr_cuda_now(request->execution);
  TSR_STEP(tsr_transfer_up(grid->state, request->execution, copies, error));
  request->report->upload_seconds += tsr_cuda_now(request->execution) - start;
  return TSR_OK;
}

tsr_status tsr_grid_upload_tree(tsr_grid_device *grid, const tsr_grid_request *request,
                                tsr_error *error) {
  const tsr_tree &from = *request->tree, &to = grid->frame.tree;
  std::vector<tsr_copy> copies;
  if (from.n_bricks > 0) {
    const size_t words = (size_t)from.has_brick.words;
    TSR_STEP(make_bricks(grid, from, error));
    copies.push_back({to.has_brick.word, from.has_brick.word, words * sizeof *to.has_brick.word});
    copies.push_back(
        {to.has_brick.before, from.has_brick.before, (words + 1) * sizeof *to.has_brick.before});
    copies.push_back({to.bricks, from.bricks, (size_t)(from.n_bricks * from.brick_bytes)});
  }
  TSR_STEP(tsr_grid_upload_dense(grid, request, {{grid->bytes, &from}}, error));
  const double start = tsr_cuda_now(request->execution);
  TSR_STEP(tsr_transfer_up(grid->state, request->execution, copies, error));
  request->report->upload_seconds += tsr_cuda_now(request->execution) - start;
  return TSR_OK;
}
