// SPDX-License-Identifier: BSD-3-Clause
// Input that is too large for the device is uploaded slab by slab, each of whole layers of roots
// along the slowest axis, while the device works on the slab before:
//
//     host     | 0 | 1 | 2 | 3 | ...       buffer 0: 0   2   ...     device     0   1   2   3
// buffer 1:   1   3
//
// A slab's array is addressed like the whole one: its address is moved to where the whole array
// would begin, so that kernels need not know of slabs. They only access the nodes of the slab's own
// frame.
#ifndef TSR_GRID_SLABS_CUH
#define TSR_GRID_SLABS_CUH

#include "cuda/grid/output/lists.cuh"

// The part of a plan that belongs to one slab: leaves, and layers of input cells; first and end of
// each.
struct tsr_share {
  int64_t leaves[2], cells[2];
};

// 1 if a place on the lattice belongs to a share: it lies in the share's layers. Places beyond the
// last layer of all belong to that.
static __device__ __forceinline__ int tsr_shares_point(const tsr_grid_frame &f, const tsr_share &of,
                                                       const int64_t x[3]) {
  const tsr_lattice &lattice = f.lattice;
  const int64_t end = f.range[lattice.coarsen][2][1];
  const int64_t layer = tsr_shift(&lattice, 2, x[2], lattice.levels - lattice.coarsen);
  const int64_t own = lattice.dimension > 2 && layer >= end ? end - 1 : layer;
  return own >= of.cells[0] && own < of.cells[1];
}

// Uploads the arrays as tsr_upload does with `keep`, so that tsr_find_uploaded finds them. If they
// do not fit on the device together, or exceed what the options allow, it sets up slabs instead.
// Coordinates of POINTS geometry, and grids of fewer than three dimensions, are always uploaded
// whole.
tsr_status tsr_slabs_upload(tsr_grid_device *grid, const tsr_grid_request *request,
                            tsr_memory *memory, bool keep, const std::vector<tsr_array> &arrays,
                            void **to, tsr_error *error);
void tsr_slabs_close(tsr_grid_device *grid);

// tsr_slab_begin uploads slab k of the arrays and makes it the current one; tsr_slab_end ends the
// work on the current slab.
tsr_status tsr_slab_begin(tsr_grid_device *grid, const tsr_grid_request *request,
                          const std::vector<tsr_array> &arrays, int k, tsr_error *error);
tsr_status tsr_slab_end(tsr_grid_device *grid, tsr_error *error);

// Lists the share of each slab; without slabs, one share of everything. The nodes of trees and
// patches are not ordered by slab: each share then has all nodes, and `cells` says which of them
// belong to it.
tsr_status tsr_slab_shares(tsr_grid_device *grid, const tsr_plan_lists &lists,
                           std::vector<tsr_share> *shares, tsr_error *error);

// Range of the tuples of an array that are on the device at present: first and end. Without slabs
// all tuples, otherwise those of the cells of the slab and its margin.
void tsr_slab_tuples(const tsr_grid_device *grid, const tsr_array &array, int64_t range[2]);

// During its lifetime, the grid's frame has the nodes of the current slab alone, for kernels that
// go over all nodes.
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

// Calls work(frame) for each slab, with a frame of the slab's nodes, and with the slab's arrays
// where tsr_find_uploaded finds them. Without slabs it is called once, with the grid's frame.
// `work` puts kernels on the stream.
template <class Work>
tsr_status tsr_each_slab(tsr_grid_device *grid, const tsr_grid_request *request,
                         const std::vector<tsr_array> &arrays, const Work &work, tsr_error *error) {
  if (grid->slabs.frames.empty())
    return work(grid->frame);
  for (size_t k = 0; k < grid->slabs.frames.size(); ++k) {
    tsr_error ignored;
    tsr_status status = tsr_slab_begin(grid, request, arrays, (int)k, error);
    if (status == TSR_OK)
      status = work(grid->slabs.frames[k]);
    const tsr_status ended = tsr_slab_end(grid, status == TSR_OK ? error : &ignored);
    TSR_STEP(status == TSR_OK ? ended : status);
  }
  return TSR_OK;
}

#endif
