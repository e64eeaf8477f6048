// SPDX-License-Identifier: BSD-3-Clause
// Input that is too large for the device goes there slab by slab, layers of whole roots along the
// slowest axis, while the slab before is worked on:
//
//     host     | 0 | 1 | 2 | 3 | ...       buffer 0: 0   2   ...
//     device     0   1   2   3             buffer 1:   1   3
//
// A slab's array stands in for the whole one: its address is that at which the whole one would
// begin, so that kernels need not know. They keep to the nodes of the slab's own frame.
#ifndef TSR_GRID_SLABS_CUH
#define TSR_GRID_SLABS_CUH

#include "cuda/grid/whole.cuh"

// Brings these arrays to where tsr_find_uploaded finds them, as tsr_upload does with `keep`; or
// makes slabs where they do not fit on the device together, or are more than the options allow.
// Points of POINTS geometry come whole, and so does what has fewer than three dimensions.
tsr_status tsr_slabs_upload(tsr_grid_device *grid, const tsr_grid_job *job, tsr_memory *memory,
                            bool keep, const std::vector<tsr_array> &arrays, void **to,
                            tsr_error *error);
void tsr_slabs_close(tsr_grid_device *grid);

// Brings slab k of the arrays, and makes it the one that is worked on; ends that.
tsr_status tsr_slab_begin(tsr_grid_device *grid, const tsr_grid_job *job,
                          const std::vector<tsr_array> &arrays, int k, tsr_error *error);
tsr_status tsr_slab_end(tsr_grid_device *grid, tsr_error *error);

// What each slab of a whole plan has; one share of all where there are no slabs. Nodes of trees and
// patches do not follow the slabs: of those every share has all, and the layers tell.
tsr_status tsr_slab_shares(tsr_grid_device *grid, std::vector<tsr_share> *shares, tsr_error *error);

// Tuples of an array that are there while work goes on: first, and end. They are all of them where
// there are no slabs, else those of the cells of the slab and of its margin.
void tsr_slab_tuples(const tsr_grid_device *grid, const tsr_array &array, int64_t range[2]);

// Inside of it the grid's frame has the nodes of the slab alone, as passes over all nodes want it.
class tsr_slab_nodes {
public:
  explicit tsr_slab_nodes(tsr_grid_device *grid_)
      : grid(grid_), whole(grid_->frame), whole_d(grid_->frame_d) {
    const tsr_grid_slabs &slabs = grid->slabs;
    if (slabs.frames.empty())
      return;
    grid->frame = slabs.frames[(size_t)slabs.now];
    grid->frame_d = slabs.frames_d + slabs.now;
  }
  ~tsr_slab_nodes() {
    grid->frame = whole;
    grid->frame_d = whole_d;
  }
  tsr_slab_nodes(const tsr_slab_nodes &) = delete;
  tsr_slab_nodes &operator=(const tsr_slab_nodes &) = delete;

private:
  tsr_grid_device *grid;
  tsr_grid_frame whole, *whole_d;
};

// Puts work(frame) on the stream for each slab, whose arrays tsr_find_uploaded then finds; once
// where all of the input is there. The frame has the slab's nodes.
template <class Work>
tsr_status tsr_each_slab(tsr_grid_device *grid, const tsr_grid_job *job,
                         const std::vector<tsr_array> &arrays, const Work &work, tsr_error *error) {
  if (grid->slabs.frames.empty())
    return work(grid->frame);
  for (size_t k = 0; k < grid->slabs.frames.size(); ++k) {
    tsr_error ignored;
    tsr_status status = tsr_slab_begin(grid, job, arrays, (int)k, error);
    if (status == TSR_OK)
      status = work(grid->slabs.frames[k]);
    const tsr_status ended = tsr_slab_end(grid, status == TSR_OK ? error : &ignored);
    TSR_STEP(status == TSR_OK ? ended : status);
  }
  return TSR_OK;
}

#endif
