// SPDX-License-Identifier: BSD-3-Clause
// What the host makes beside the device (host_side.cu), for outputs that stay on the device.
#include "common/part_math.h"
#include "cuda/common/executor.cuh"
#include "cuda/curves/output/steps.cuh"

namespace {

struct ids_job {
  void *to;
  tsr_type type;
  int64_t n_cells, n_points;
  const int64_t *offsets, *first_points; // NULL: no curve is closed
};

// Entry k of the connectivity. A closed curve ends on its first point.
__device__ void put_id(int64_t k, const ids_job &job) {
  int64_t id = k;
  if (job.offsets) {
    const int64_t c = tsr_part_at(job.offsets, 0, job.n_cells, k), at = k - job.offsets[c];
    const int64_t first = job.first_points[c];
    const int64_t end = c + 1 < job.n_cells ? job.first_points[c + 1] : job.n_points;
    id = first + (at < end - first ? at : 0);
  }
  if (job.type == TSR_INT32)
    ((int32_t *)job.to)[k] = (int32_t)id;
  else
    ((int64_t *)job.to)[k] = id;
}

template <class T> struct lengths_job {
  const T *points;
  T *lengths;
  int64_t n_cells, n_points;
  const int64_t *first_points;
};

template <class T> __device__ void put_lengths(int64_t c, const lengths_job<T> &job) {
  tsr_arc_lengths(job.points, job.lengths, job.first_points[c],
                  c + 1 < job.n_cells ? job.first_points[c + 1] : job.n_points);
}

template <class T> tsr_status fill_lengths(tsr_filling *f, tsr_error *error) {
  const lengths_job<T> job = {(const T *)f->out->points, (T *)f->out->arc_length, f->side.n_cells,
                              f->side.n_points, f->first_points};
  TSR_CUDA(tsr_launch_each<put_lengths<T>>(f->side.n_cells, f->plan->stream, job),
           "summing lengths up");
  return TSR_OK;
}

} // namespace

tsr_status tsr_fill_ids_there(tsr_filling *f, tsr_error *error) {
  const ids_job job = {f->out->connectivity,
                       f->out->index_type,
                       f->side.n_cells,
                       f->side.n_points,
                       f->side.closed ? f->wide_offsets : nullptr,
                       f->first_points};
  TSR_CUDA(tsr_launch_each<put_id>(f->side.n_connectivity, f->plan->stream, job),
           "filling the ids");
  return TSR_OK;
}

tsr_status tsr_fill_lengths_there(tsr_filling *f, tsr_error *error) {
  return f->out->points_type == TSR_FLOAT ? fill_lengths<float>(f, error)
                                          : fill_lengths<double>(f, error);
}
