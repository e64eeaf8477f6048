// SPDX-License-Identifier: BSD-3-Clause
// The output of leaves and points that are on the device: array after array is made there, and sent
// to where the caller wants it.
#include "cuda/pointgrid/each.cuh"

namespace {

// Tuple i of an array of floats or doubles.
__device__ void store_point(void *to, tsr_type type, int64_t i, const double xyz[3]) {
  void *const at = type == TSR_FLOAT ? (void *)((float *)to + 3 * i) : (double *)to + 3 * i;
  tsr_store(at, type, 1, xyz, 3);
}

// Corners of cells in space.
struct corner_places {
  tsr_pointgrid_cube cube;
  const uint64_t *corners;
  tsr_type type;
  void *to;
  __device__ void operator()(int64_t i) const {
    double xyz[3];
    tsr_pointgrid_place(&cube, corners[i], xyz);
    store_point(to, type, i, xyz);
  }
};

// Points in the order of the leaves.
struct point_places {
  tsr_array points;
  const int64_t *order;
  tsr_type type;
  void *to;
  __device__ void operator()(int64_t i) const {
    double xyz[3];
    for (int a = 0; a < 3; ++a)
      xyz[a] = tsr_load(&points, 3 * order[i] + a);
    store_point(to, type, i, xyz);
  }
};

// Indices that rise by a step.
struct steps {
  int64_t step;
  tsr_type type;
  void *to;
  __device__ void operator()(int64_t i) const { tsr_store_index(to, type, i, step * i); }
};

struct indices {
  const int64_t *from;
  tsr_type type;
  void *to;
  __device__ void operator()(int64_t i) const { tsr_store_index(to, type, i, from[i]); }
};

struct leaf_levels {
  const tsr_pointgrid_leaf *leaves;
  int32_t *to;
  __device__ void operator()(int64_t i) const { to[i] = leaves[i].level; }
};

struct leaf_counts {
  const tsr_pointgrid_leaf *leaves;
  int64_t *to;
  __device__ void operator()(int64_t i) const { to[i] = leaves[i].count; }
};

struct leaf_densities {
  tsr_pointgrid_cube cube;
  const tsr_pointgrid_leaf *leaves;
  double *to;
  __device__ void operator()(int64_t i) const {
    to[i] = tsr_pointgrid_density(&cube, leaves[i].count, leaves[i].level);
  }
};

// The leaf of point i in the order of the leaves: the last one that begins there or before. Empty
// ones before it begin there too, empty ones after it later.
__device__ int64_t leaf_of(const tsr_pointgrid_leaf *leaves, int64_t n, int64_t i) {
  int64_t low = 0, high = n;
  while (high - low > 1) {
    const int64_t middle = low + (high - low) / 2;
    if (leaves[middle].begin <= i)
      low = middle;
    else
      high = middle;
  }
  return low;
}

struct point_levels {
  const tsr_pointgrid_leaf *leaves;
  int64_t n;
  int32_t *to;
  __device__ void operator()(int64_t i) const { to[i] = leaves[leaf_of(leaves, n, i)].level; }
};

struct point_leaves {
  const tsr_pointgrid_leaf *leaves;
  int64_t n, first;
  int64_t *to;
  __device__ void operator()(int64_t i) const { to[i] = first + leaf_of(leaves, n, i); }
};

tsr_status fill_cells(tsr_pointgrid_device *s, const tsr_pointgrid_job *job,
                      const tsr_pointgrid_output *out, tsr_error *error) {
  const int dimension = job->rule->dimension;
  const int64_t n = s->n_leaves, slots = n << dimension;
  const size_t real = tsr_type_size(out->points_type), index = tsr_type_size(out->index_type);
  TSR_STEP(tsr_points_array(s, job,
                            corner_places{*job->cube, s->corners, out->points_type, nullptr},
                            s->n_corners, out->points, 3 * s->n_corners, real, error));
  TSR_STEP(tsr_points_array(s, job, steps{(int64_t)1 << dimension, out->index_type, nullptr}, n + 1,
                            out->offsets, n + 1, index, error));
  if (out->connectivity && out->index_type == TSR_INT64)
    TSR_STEP(
        tsr_points_send(s, job, {{out->connectivity, s->corner_of, (size_t)slots * index}}, error));
  else
    TSR_STEP(tsr_points_array(s, job, indices{s->corner_of, out->index_type, nullptr}, slots,
                              out->connectivity, slots, index, error));
  TSR_STEP(tsr_points_array(s, job, leaf_levels{s->leaves, nullptr}, n, out->level, n,
                            sizeof *out->level, error));
  TSR_STEP(tsr_points_array(s, job, leaf_counts{s->leaves, nullptr}, n, out->count, n,
                            sizeof *out->count, error));
  return tsr_points_array(s, job, leaf_densities{*job->cube, s->leaves, nullptr}, n, out->density,
                          n, sizeof *out->density, error);
}

tsr_status fill_points(tsr_pointgrid_device *s, const tsr_pointgrid_job *job,
                       const tsr_pointgrid_output *out, tsr_error *error) {
  const int64_t n = s->frame.n;
  const size_t real = tsr_type_size(out->points_type), index = tsr_type_size(out->index_type);
  const steps numbers = {1, out->index_type, nullptr};
  TSR_STEP(tsr_points_array(s, job,
                            point_places{s->frame.points, s->order, out->points_type, nullptr}, n,
                            out->points, 3 * n, real, error));
  TSR_STEP(tsr_points_array(s, job, numbers, n + 1, out->offsets, n + 1, index, error));
  TSR_STEP(tsr_points_array(s, job, numbers, n, out->connectivity, n, index, error));
  TSR_STEP(tsr_points_array(s, job, point_levels{s->leaves, s->n_leaves, nullptr}, n, out->level, n,
                            sizeof *out->level, error));
  TSR_STEP(tsr_points_array(s, job, point_leaves{s->leaves, s->n_leaves, job->first_leaf, nullptr},
                            n, out->leaf, n, sizeof *out->leaf, error));
  if (!out->source_point)
    return TSR_OK;
  return tsr_points_send(
      s, job, {{out->source_point, s->order, (size_t)n * sizeof *out->source_point}}, error);
}

} // namespace

tsr_status tsr_pointgrid_cuda_fill(tsr_pointgrid_device *s, const tsr_pointgrid_job *job,
                                   const tsr_pointgrid_output *output, tsr_error *error) {
  const tsr_on_device scope(s->state->device);
  TSR_STEP(scope.check(error));
  TSR_CUDA(cudaStreamSynchronize(s->stream), "making the output");
  return job->output == TSR_POINTGRID_POINTS ? fill_points(s, job, output, error)
                                             : fill_cells(s, job, output, error);
}
