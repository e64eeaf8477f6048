// SPDX-License-Identifier: BSD-3-Clause
// The polylines by their number of segments, from the points as stored: what tsr_polylines_classify
// finds out, in the same parts and the same order.
#include "common/polyline_math.h"
#include "cuda/common/memory/callers.cuh"
#include "cuda/common/transfer/transfer.cuh"
#include "cuda/curves/output/steps.cuh"

#include <cstring>

namespace {

const int block = 256; // no fewer than classes

// The last item whose first point is `point` or one before it: the one that the point is of.
__device__ int64_t item_at(const tsr_places &places, int64_t point) {
  int64_t lo = 0, hi = places.n_items;
  while (hi - lo > 1) {
    const int64_t middle = lo + (hi - lo) / 2;
    if (tsr_first_point(places, middle) <= point)
      lo = middle;
    else
      hi = middle;
  }
  return lo;
}

template <class T> __device__ double length_of(const T *points, int64_t first, int64_t last) {
  double length = 0.0;
  for (int64_t p = first; p < last; ++p) {
    const T *b = points + 3 * p, *a = b - 3;
    length += tsr_polyline_leg((double)b[0] - (double)a[0], (double)b[1] - (double)a[1],
                               (double)b[2] - (double)a[2]);
  }
  return length;
}

// The share of an item that lies in a part.
struct item_share {
  double length;
  int64_t points; // of the item, if it begins here; else 0
  int class_;
};

// A block a part, a thread an item, and then a thread a class, which adds in the items' order. No
// curve is closed, so that places are points. T: of the points.
template <class T>
__global__ void __launch_bounds__(block)
    classify_kernel(tsr_places places, const T *points, tsr_polyline_class *parts) {
  __shared__ item_share shares[block];
  const int64_t begin = blockIdx.x * TSR_POLYLINE_PART;
  const int64_t rest = places.n_points - begin;
  const int64_t end = begin + (rest < TSR_POLYLINE_PART ? rest : TSR_POLYLINE_PART);
  const int64_t last = item_at(places, end - 1);
  const int thread = (int)threadIdx.x;
  tsr_polyline_class own = {0, 0, 0, 0.0};
  for (int64_t first = item_at(places, begin); first <= last; first += block) {
    const int64_t i = first + thread;
    const int n = last - first + 1 < block ? (int)(last - first) + 1 : block;
    if (i <= last) {
      const int64_t a = tsr_first_point(places, i), b = tsr_first_point(places, i + 1);
      item_share &share = shares[thread];
      share.class_ = b > a ? tsr_polyline_class_of(b - a - 1) : -1;
      share.points = a >= begin ? b - a : 0;
      share.length = length_of(points, a >= begin ? a + 1 : begin, b < end ? b : end);
    }
    __syncthreads();
    for (int j = 0; thread < TSR_POLYLINE_CLASSES && j < n; ++j) {
      if (shares[j].class_ != thread)
        continue;
      own.polylines += shares[j].points > 0;
      own.points += shares[j].points;
      own.segments += shares[j].points > 0 ? shares[j].points - 1 : 0;
      own.length += shares[j].length;
    }
    __syncthreads();
  }
  if (thread < TSR_POLYLINE_CLASSES)
    parts[(int64_t)blockIdx.x * TSR_POLYLINE_CLASSES + thread] = own;
}

int64_t parts_of(int64_t n_points) {
  return (n_points + TSR_POLYLINE_PART - 1) / TSR_POLYLINE_PART;
}

} // namespace

tsr_status tsr_find_classes(tsr_filling *f, const tsr_fill_piece &piece, tsr_error *error) {
  const tsr_places &places = f->plan->places;
  const unsigned parts = (unsigned)parts_of(places.n_points);
  const bool whole = piece.point_begin == 0 && piece.point_end == places.n_points;
  if (!f->out->classes || f->plan->n_closed > 0 || !whole || parts == 0)
    return TSR_OK;
  TSR_STEP(f->memory.get(&f->classes, (int64_t)parts * TSR_POLYLINE_CLASSES,
                         "the classes of polylines", error));
  const void *points = f->arrays[0].out; // positions are the first array
  if (f->out->points_type == TSR_FLOAT)
    classify_kernel<<<parts, block, 0, f->plan->stream>>>(places, (const float *)points,
                                                          f->classes);
  else
    classify_kernel<<<parts, block, 0, f->plan->stream>>>(places, (const double *)points,
                                                          f->classes);
  TSR_CUDA(cudaGetLastError(), "finding the classes of polylines");
  return TSR_OK;
}

tsr_status tsr_fill_classes(tsr_filling *f, tsr_error *error) {
  const tsr_curves_output &out = *f->out;
  const int64_t parts = parts_of(f->side.n_points);
  if (!out.classes)
    return TSR_OK;
  memset(out.classes, 0, TSR_POLYLINE_CLASSES * sizeof *out.classes);
  if (!f->classes) {
    bool there;
    TSR_STEP(tsr_find_output(f->plan, out.points, &there, error));
    if (there && f->side.n_points > 0)
      return tsr_cuda_refuse(
          error, TSR_BAD_OPTION,
          "the CPU finds the classes of closed curves, and of outputs in several "
          "pieces: leave them out, or take the points to the host");
    const tsr_array points = {out.points, out.points_type, 3, f->side.n_points};
    const tsr_polylines lines = {points, out.index_type, out.offsets, out.connectivity,
                                 f->side.n_cells};
    return tsr_polylines_classify(&lines, f->request->execution, out.classes, error);
  }
  std::vector<tsr_polyline_class> found((size_t)parts * TSR_POLYLINE_CLASSES);
  const tsr_copy copy = {found.data(), f->classes, found.size() * sizeof found[0]};
  TSR_STEP(
      tsr_transfer_down(f->plan->state, f->request->execution, {copy}, nullptr, 0.92, 0.93, error));
  for (int64_t part = 0; part < parts; ++part)
    tsr_polyline_classes_add(out.classes, &found[(size_t)part * TSR_POLYLINE_CLASSES]);
  return TSR_OK;
}
