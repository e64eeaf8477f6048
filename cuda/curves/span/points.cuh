// SPDX-License-Identifier: BSD-3-Clause
// One thread makes the points of one span in all arrays, at their final places. For plans of one
// degree, whose control values fit into registers, and for spans of few points. The result is the
// same as that of tsr_fill_range.
#ifndef TSR_CURVES_SPAN_POINTS_CUH
#define TSR_CURVES_SPAN_POINTS_CUH

#include "cuda/curves/strategy/range.cuh"

#ifdef TSR_ONE_DEGREE

// Stores a value as a type. Types other than float and double are stored by a function that is not
// inlined, as in tsr_get.
static __device__ __noinline__ void tsr_put_integer(char *to, tsr_type type, double value) {
  tsr_store(to, type, 1, &value, 1);
}
static __device__ inline void tsr_put(char *to, tsr_type type, double value) {
  if (type == TSR_FLOAT)
    *(float *)to = tsr_to_float(value);
  else if (type == TSR_DOUBLE)
    *(double *)to = tsr_to_double(value);
  else
    tsr_put_integer(to, type, value);
}

// The points that one thread makes.
struct tsr_span_part {
  const tsr_fill_piece *piece;
  const tsr_span *span;
  const uint32_t *leaves;   // of the span, or NULL
  int64_t at;               // of the span's first point in the piece's arrays
  int64_t n;                // points
  int64_t start_id, end_id; // input points that the span's ends are; -1: none
  double h;                 // of uniform steps
  double before;            // number of the span in its item
  tsr_net net;
};

// Parameter of point k of the span. *id: the input point at that place, or -1.
static __device__ inline double tsr_part_parameter(const tsr_span_part &part, int64_t segments,
                                                   int64_t k, int64_t *id) {
  double u = 1.0;
  if (k < segments)
    u = part.leaves ? tsr_from_fixed(part.leaves[k]) : (double)k * part.h;
  *id = u == 0.0 ? part.start_id : (u == 1.0 ? part.end_id : -1);
  return u;
}

// A component as it is in the input: `size` bytes, aligned.
static __device__ inline void tsr_copy_component(const tsr_array &in, int64_t i, int64_t size,
                                                 char *to) {
  const char *from = (const char *)in.data + i * size;
  if (size == 4)
    *(uint32_t *)to = *(const uint32_t *)from;
  else if (size == 8)
    *(uint64_t *)to = *(const uint64_t *)from;
  else
    tsr_copy_bytes(to, from, size);
}

// Components [c, c + n) of an array that follows the curve, n <= 3.
static __device__ inline void tsr_part_curve(const tsr_span_part &part, int64_t segments,
                                             const tsr_point_array &array, int c, int n) {
  const tsr_span &span = *part.span;
  const int64_t size = array.tuple_bytes / array.components;
  double q[3][TSR_MAX_ORDER];
#pragma unroll
  for (int i = 0; i < 3; ++i)
    if (i < n && array.copies_ends)
      tsr_span_values(&part.piece->view, &span, &array.in, c + i, q[i]);
    else if (i < n) // positions
      tsr_span_places(&part.piece->view, &span, c + i, q[i]);
  for (int64_t k = 0; k < part.n; ++k) {
    int64_t id;
    const double u = tsr_part_parameter(part, segments, k, &id);
    char *to = array.out + (part.at + k) * array.tuple_bytes + c * size;
    double basis[TSR_MAX_ORDER];
    tsr_bernstein(span.degree, u, basis);
#pragma unroll
    for (int i = 0; i < 3; ++i) {
      if (i >= n)
        continue;
      if (id >= 0 && array.copies_ends) {
        tsr_copy_component(array.in, id * array.components + c + i, size, to + i * size);
        continue;
      }
      double value = id >= 0 ? tsr_get(&array.in, id * array.components + c + i)
                             : tsr_combine(span.degree, basis, q[i]);
      if (array.copies_ends && !(value == value))
        value = tsr_span_value_again(&part.piece->view, &span, &array.in, c + i, u);
      tsr_put(to + i * size, array.type, value);
      if (array.copies_ends && tsr_span_is_constant(&span, &array.in, c + i, 0, span.count))
        tsr_copy_integer(array.in, span.id[0], c + i, to + i * size);
    }
  }
}

// What of an array is made by one point alone.
static __device__ inline void tsr_part_other(const tsr_span_part &part,
                                             const tsr_point_array &array, int64_t id, double u,
                                             char *to) {
  const tsr_span *span = part.span;
  const int64_t size = array.tuple_bytes / array.components;
  double tangent[3], value;
  switch (array.content) {
  case TSR_CONTENT_LINEAR:
  case TSR_CONTENT_NEAREST:
    if (id < 0 && array.content == TSR_CONTENT_NEAREST)
      id = span->id[tsr_span_nearest(span, u)];
    for (int c = 0; c < array.components; ++c) {
      int j;
      if (id >= 0) {
        tsr_copy_component(array.in, id * array.components + c, size, to + c * size);
        continue;
      }
      value = tsr_span_linear_value(span, &array.in, c, u);
      tsr_put(to + c * size, array.type, value);
      tsr_span_linear(span, u, &j);
      if (tsr_span_is_constant(span, &array.in, c, j, 2))
        tsr_copy_integer(array.in, span->id[j], c, to + c * size);
    }
    break;
  case TSR_CONTENT_ID:
    *(int64_t *)to = span->id[tsr_span_nearest(span, u)];
    break;
  case TSR_CONTENT_PARAMETER:
    value = part.before + u;
    tsr_put(to, array.type, value);
    break;
  case TSR_CONTENT_CURVATURE:
    value = tsr_net_frame(&part.net, u, tangent);
    tsr_put(to, array.type, value);
    break;
  case TSR_CONTENT_TANGENTS:
    tsr_net_frame(&part.net, u, tangent);
    for (int c = 0; c < 3; ++c)
      tsr_put(to + c * size, array.type, tangent[c]);
    break;
  case TSR_CONTENT_CURVE:
    break;
  }
}

// One array of the part's points.
static __device__ inline void tsr_part_array(const tsr_span_part &part, int64_t segments,
                                             const tsr_point_array &array) {
  if (array.content == TSR_CONTENT_CURVE) {
    for (int c = 0; c < array.components; c += 3)
      tsr_part_curve(part, segments, array, c, array.components - c < 3 ? array.components - c : 3);
    return;
  }
  for (int64_t k = 0; k < part.n; ++k) {
    int64_t id;
    const double u = tsr_part_parameter(part, segments, k, &id);
    tsr_part_other(part, array, id, u, array.out + (part.at + k) * array.tuple_bytes);
  }
}

// All arrays of span s.
static __device__ inline void tsr_fill_span(const tsr_fill_piece &piece, int64_t s) {
  const tsr_places &places = piece.places;
  const int64_t i = tsr_item_of(places, s), *start = places.segment_start;
  const int64_t segments = start[s + 1] - start[s];
  const tsr_item item = tsr_item_at(&piece.view, i);
  tsr_span span;
  tsr_span_part part;
  bool frame = false;
  part.piece = &piece;
  part.span = &span;
  part.before = (double)(s - tsr_first_span(places, i));
  tsr_span_make(&piece.view, &item, &piece.criteria.rules, s - tsr_first_span(places, i), &span);
  part.leaves = piece.leaves ? piece.leaves + (start[s] - start[piece.span_begin]) : nullptr;
  part.at = tsr_point_of(places, s) - piece.point_begin;
  part.n = segments + (s + 1 == tsr_first_span(places, i + 1) && !item.closed);
  part.h = 1.0 / (double)segments;
  part.start_id = part.end_id = -1;
  for (int j = 0; j < span.count; ++j) {
    part.start_id = j == span.start ? span.id[j] : part.start_id;
    part.end_id = j == span.end ? span.id[j] : part.end_id;
  }
  for (int a = 0; a < piece.n_arrays; ++a)
    frame = frame || piece.arrays[a].content == TSR_CONTENT_CURVATURE ||
            piece.arrays[a].content == TSR_CONTENT_TANGENTS;
  if (frame)
    tsr_span_net(&piece.view, &span, &part.net);
  for (int a = 0; a < piece.n_arrays; ++a)
    tsr_part_array(part, segments, piece.arrays[a]);
}

#endif

#endif
