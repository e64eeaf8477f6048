// SPDX-License-Identifier: BSD-3-Clause
// The bounding box of the good curves, where the points lie on the device: as
// filters/curves/bounds.c finds it on the host.
#include "cuda/common/executor.cuh"
#include "cuda/curves/plan.cuh"

#include <algorithm>
#include <cmath>

namespace {

struct box {
  double at[6]; // lowest and highest of each coordinate
};

struct box_of_items {
  typedef box result;
  tsr_curves_view view;
  const uint16_t *notes;
  int group; // lanes that share an item

  static __host__ __device__ box none() {
    return {{INFINITY, -INFINITY, INFINITY, -INFINITY, INFINITY, -INFINITY}};
  }
  static __host__ __device__ void join(box *all, const box *part) {
    for (int c = 0; c < 6; c += 2) {
      all->at[c] = part->at[c] < all->at[c] ? part->at[c] : all->at[c];
      all->at[c + 1] = part->at[c + 1] > all->at[c + 1] ? part->at[c + 1] : all->at[c + 1];
    }
  }
  __device__ void operator()(int64_t t, box *to) const {
    const int64_t i = t / group;
    if (notes[i] & TSR_NOTES_BAD)
      return;
    const tsr_item item = tsr_item_at(&view, i);
    for (int64_t k = item.first + t % group; k < item.first + item.n; k += group) {
      const int64_t id = tsr_load_index(view.connectivity, view.index_type, k);
      for (int c = 0; c < 3; ++c) {
        const double x = tsr_load(&view.points, 3 * id + c);
        to->at[2 * c] = x < to->at[2 * c] ? x : to->at[2 * c];
        to->at[2 * c + 1] = x > to->at[2 * c + 1] ? x : to->at[2 * c + 1];
      }
    }
  }
};

} // namespace

tsr_status tsr_curves_cuda_bounds(tsr_curves_device *plan, double bounds[6], tsr_error *error) {
  const tsr_on_device scope(plan->state->device);
  const int group = tsr_lanes_of_item(plan->view);
  const int64_t n = plan->view.n_items * group;
  const unsigned blocks = std::min((unsigned)plan->state->properties.multiProcessorCount * 8,
                                   tsr_blocks(n, tsr_policy::block));
  std::vector<box> parts(blocks);
  box all = box_of_items::none(), *made;
  TSR_STEP(scope.check(error));
  if (n > 0) {
    TSR_STEP(plan->memory.get(&made, blocks, "the bounding box", error));
    TSR_CUDA(tsr_launch_reduce(box_of_items{plan->view, plan->notes, group}, n, blocks, made,
                               plan->stream),
             "finding the bounding box");
    TSR_STEP(tsr_bring(parts.data(), made, blocks * sizeof(box), plan->stream,
                       "finding the bounding box", error));
    plan->memory.free_one(made);
  }
  for (const box &part : parts)
    box_of_items::join(&all, &part);
  std::copy_n(all.at, 6, bounds);
  return TSR_OK;
}
