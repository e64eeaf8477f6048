// SPDX-License-Identifier: BSD-3-Clause
// Bounding box of the points. Each block finds the box of every n-th point, for n threads in all;
// the host joins the boxes.
#include "cuda/common/policy.cuh"
#include "cuda/pointgrid/sort.cuh"

#include <algorithm>

namespace {

const int BLOCK = tsr_policy::block;

struct box_job {
  tsr_array points;
  const uint8_t *hidden;
  tsr_pointgrid_box *boxes; // of the blocks
};

__host__ __device__ tsr_pointgrid_box empty_box() {
  tsr_pointgrid_box box;
  for (int a = 0; a < 3; ++a) {
    box.low[a] = INFINITY;
    box.high[a] = -INFINITY;
  }
  box.bad = box.kept = 0;
  box.first_bad = -1;
  return box;
}

__host__ __device__ void join(tsr_pointgrid_box *box, const tsr_pointgrid_box &other) {
  for (int a = 0; a < 3; ++a) {
    box->low[a] = other.low[a] < box->low[a] ? other.low[a] : box->low[a];
    box->high[a] = other.high[a] > box->high[a] ? other.high[a] : box->high[a];
  }
  if (other.bad > 0 && (box->bad == 0 || other.first_bad < box->first_bad))
    box->first_bad = other.first_bad;
  box->bad += other.bad;
  box->kept += other.kept;
}

__device__ void add_point(const box_job &job, int64_t i, tsr_pointgrid_box *box) {
  double xyz[3];
  if (job.hidden && job.hidden[i])
    return;
  for (int a = 0; a < 3; ++a)
    xyz[a] = tsr_load(&job.points, 3 * i + a);
  if (!(tsr_usable(xyz[0]) && tsr_usable(xyz[1]) && tsr_usable(xyz[2]))) {
    box->first_bad = box->bad++ == 0 ? i : box->first_bad;
    return;
  }
  for (int a = 0; a < 3; ++a) {
    box->low[a] = xyz[a] < box->low[a] ? xyz[a] : box->low[a];
    box->high[a] = xyz[a] > box->high[a] ? xyz[a] : box->high[a];
  }
  box->kept++;
}

__global__ void __launch_bounds__(BLOCK) find_boxes(box_job job) {
  __shared__ tsr_pointgrid_box boxes[BLOCK];
  tsr_pointgrid_box box = empty_box();
  const int64_t step = (int64_t)gridDim.x * BLOCK;
  for (int64_t i = (int64_t)blockIdx.x * BLOCK + threadIdx.x; i < job.points.tuples; i += step)
    add_point(job, i, &box);
  boxes[threadIdx.x] = box;
  __syncthreads();
  for (unsigned half = BLOCK / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      join(&boxes[threadIdx.x], boxes[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0)
    job.boxes[blockIdx.x] = boxes[0];
}

} // namespace

tsr_status tsr_pointgrid_cuda_box(tsr_pointgrid_device *s, const tsr_pointgrid_job *job,
                                  tsr_pointgrid_box *box, tsr_error *error) {
  const tsr_on_device scope(s->state->device);
  TSR_STEP(scope.check(error));
  const char *what = "finding the box of the points";
  box_job it = {*job->points, nullptr, nullptr};
  const std::vector<tsr_array> arrays = {it.points,
                                         {job->hidden, TSR_UINT8, 1, job->points->tuples}};
  void *to[2];
  TSR_STEP(tsr_upload(s, job->execution, job->report, &s->memory, true, arrays, to, error));
  it.points.data = to[0];
  it.hidden = (const uint8_t *)to[1];
  const unsigned blocks = std::min((unsigned)s->state->properties.multiProcessorCount * 8,
                                   tsr_blocks(it.points.tuples, BLOCK));
  std::vector<tsr_pointgrid_box> boxes(blocks);
  TSR_STEP(s->memory.get(&it.boxes, blocks, "the box of the points", error));
  TSR_CUDA(cudaEventRecord(s->begin, s->stream), what);
  find_boxes<<<blocks, BLOCK, 0, s->stream>>>(it);
  TSR_CUDA(cudaGetLastError(), what);
  TSR_CUDA(cudaEventRecord(s->end, s->stream), what);
  TSR_CUDA(cudaMemcpyAsync(boxes.data(), it.boxes, blocks * sizeof boxes[0], cudaMemcpyDeviceToHost,
                           s->stream),
           what);
  TSR_CUDA(cudaStreamSynchronize(s->stream), what);
  tsr_note_work(*s, job->report);
  s->memory.free_one(it.boxes);
  *box = empty_box();
  for (const tsr_pointgrid_box &one : boxes)
    join(box, one);
  return TSR_OK;
}
