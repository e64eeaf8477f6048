// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/curves/output/host_side.cuh"

namespace {

template <class T>
void make_ids(const tsr_host_side *it, T *connectivity, int64_t begin, int64_t end) {
  for (int64_t c = begin; c < end; ++c) {
    const int64_t first = it->first_points[c], points = it->first_points[c + 1] - first;
    T *to = connectivity + it->offsets[c];
    for (int64_t k = 0; k < points; ++k)
      to[k] = (T)(first + k);
    if (it->offsets[c + 1] - it->offsets[c] > points)
      to[points] = (T)first; // a closed curve ends on its first point
  }
}

template <class T>
void make_lengths(const tsr_host_side *it, const T *points, T *lengths, int64_t begin,
                  int64_t end) {
  for (int64_t c = begin; c < end; ++c)
    tsr_arc_lengths(points, lengths, it->first_points[c], it->first_points[c + 1]);
}

} // namespace

void tsr_iota_task(void *data, int64_t begin, int64_t end) {
  const tsr_host_side *it = (const tsr_host_side *)data;
  if (it->out->index_type == TSR_INT32)
    for (int64_t k = begin; k < end; ++k)
      ((int32_t *)it->out->connectivity)[k] = (int32_t)k;
  else
    for (int64_t k = begin; k < end; ++k)
      ((int64_t *)it->out->connectivity)[k] = k;
}

void tsr_connectivity_task(void *data, int64_t begin, int64_t end) {
  const tsr_host_side *it = (const tsr_host_side *)data;
  if (it->out->index_type == TSR_INT32)
    make_ids(it, (int32_t *)it->out->connectivity, begin, end);
  else
    make_ids(it, (int64_t *)it->out->connectivity, begin, end);
}

void tsr_arc_length_task(void *data, int64_t begin, int64_t end) {
  const tsr_host_side *it = (const tsr_host_side *)data;
  if (it->out->points_type == TSR_FLOAT)
    make_lengths(it, (const float *)it->out->points, (float *)it->out->arc_length, begin, end);
  else
    make_lengths(it, (const double *)it->out->points, (double *)it->out->arc_length, begin, end);
}
