// SPDX-License-Identifier: BSD-3-Clause
// Arguments of the fill kernels, and the function with which one block makes a range of points.
// Every strategy calls tsr_fill_range; they differ in which block makes which points.
#ifndef TSR_CURVES_STRATEGY_RANGE_CUH
#define TSR_CURVES_STRATEGY_RANGE_CUH

#include "cuda/curves/places.cuh"
#include "curves/sampling/criteria_math.h"
#include "curves/span/frame_math.h"
#include "curves/span/value_math.h"

// How the values of a point array are computed.
enum tsr_content {
  TSR_CONTENT_CURVE,     // by the curve's weights
  TSR_CONTENT_LINEAR,    // linearly between the input points
  TSR_CONTENT_NEAREST,   // the tuple of the nearest input point
  TSR_CONTENT_ID,        // number of the nearest input point
  TSR_CONTENT_PARAMETER, // span number + u
  TSR_CONTENT_CURVATURE,
  TSR_CONTENT_TANGENTS
};

struct tsr_point_array {
  tsr_content content;
  int copies_ends; // 1: at points where the curve passes through an input point, its tuple is
                   // copied
  tsr_type type;   // of the output
  int components;
  int64_t tuple_bytes; // of the output
  tsr_array in;
  char *out; // of the piece's first point
};

// One piece of a fill: the spans [span_begin, span_end) and their points.
struct tsr_fill_piece {
  tsr_curves_view view;
  tsr_curves_criteria criteria;
  tsr_places places;
  int64_t span_begin, span_end, point_begin, point_end, item_begin, item_end;
  const uint32_t *leaves; // of the piece's first segment; UNIFORM: NULL
  int order;              // most control points of a span
  int n_kept;             // of the plan
  int batch;              // spans that a block stages at once
  int n_arrays;
  const tsr_point_array *arrays;
  // If each item has memory of its own, it is in one of these; both NULL: points go to their final
  // places.
  char *slots; // slot_bytes an item from item_begin on
  int64_t slot_bytes;
  char **heap; // one pointer an item from item_begin on
};

// Bytes that n points of an item take in the arrays before array `a`; a = n_arrays: in all arrays.
static __host__ __device__ inline int64_t tsr_slot_offset(const tsr_point_array *arrays, int a,
                                                          int64_t n) {
  int64_t bytes = 0;
  for (int b = 0; b < a; ++b)
    bytes += (n * arrays[b].tuple_bytes + 7) / 8 * 8;
  return bytes;
}

// A span in a block's shared memory.
struct tsr_staged {
  tsr_span span;
  int with_end; // 1: its points include the curve's last point
  int wanted;   // 1: tsr_wanted includes its item
  int64_t number, at, segments, item_points, item_first;
  double h;
  double before;          // number of the span in its item
  const uint32_t *leaves; // of the span
  char *slot;             // memory of the item, or NULL
};

// Bytes of shared memory that tsr_fill_range needs.
static __host__ __device__ inline size_t tsr_stage_bytes(int batch, int order) {
  return (size_t)batch * (sizeof(tsr_staged) + 4 * sizeof(double) * (size_t)order);
}

// The part of an item that lies in the piece.
struct tsr_item_part {
  int64_t span, span_end, first, last;
};

static __device__ inline tsr_item_part tsr_part_of_item(const tsr_fill_piece &piece, int64_t i) {
  const tsr_places &places = piece.places;
  tsr_item_part part = {tsr_first_span(places, i), tsr_first_span(places, i + 1),
                        tsr_first_point(places, i), tsr_first_point(places, i + 1)};
  part.span = part.span > piece.span_begin ? part.span : piece.span_begin;
  part.span_end = part.span_end < piece.span_end ? part.span_end : piece.span_end;
  part.first = part.first > piece.point_begin ? part.first : piece.point_begin;
  part.last = part.last < piece.point_end ? part.last : piece.point_end;
  return part;
}

// Items that have at least `least` and fewer than `below` points.
struct tsr_wanted {
  int64_t least, below;
};

static __device__ inline void tsr_stage_span(const tsr_fill_piece &piece, int64_t s,
                                             tsr_wanted wanted, tsr_staged *it) {
  const tsr_places &places = piece.places;
  const int64_t i = tsr_item_of(places, s);
  const tsr_item item = tsr_item_at(&piece.view, i);
  const int64_t first = tsr_first_span(places, i);
  const int64_t next = tsr_first_span(places, i + 1);
  it->number = s;
  it->at = tsr_point_of(places, s);
  it->segments = places.segment_start[s + 1] - places.segment_start[s];
  it->with_end = s + 1 == next && !item.closed;
  it->item_first = tsr_first_point(places, i);
  it->item_points = tsr_first_point(places, i + 1) - it->item_first;
  it->wanted = it->item_points >= wanted.least && it->item_points < wanted.below;
  it->h = 1.0 / (double)it->segments;
  it->before = (double)(s - first);
  it->leaves = piece.leaves ? piece.leaves +
                                  (places.segment_start[s] - places.segment_start[piece.span_begin])
                            : nullptr;
  it->slot = nullptr;
  if (piece.heap)
    it->slot = piece.heap[i - piece.item_begin];
  else if (piece.slots)
    it->slot = piece.slots + (i - piece.item_begin) * piece.slot_bytes;
  if (it->wanted)
    tsr_span_make(&piece.view, &item, &piece.criteria.rules, s - first, &it->span);
}

// Parameter of point k of a span. *leaf: where it has one, or 0.
static __device__ inline double tsr_point_parameter(const tsr_staged &it, int64_t k,
                                                    uint32_t *leaf) {
  *leaf = it.leaves && k < it.segments ? it.leaves[k] : 0;
  if (k >= it.segments)
    return 1.0;
  return it.leaves ? tsr_from_fixed(*leaf) : (double)k * it.h;
}

// Where the tuple of point p goes in array a.
static __device__ inline char *tsr_place_of(const tsr_fill_piece &piece, const tsr_staged &it,
                                            int a, int64_t p) {
  const tsr_point_array &array = piece.arrays[a];
  if (it.slot)
    return it.slot + tsr_slot_offset(piece.arrays, a, it.item_points) +
           (p - it.item_first) * array.tuple_bytes;
  return array.out + (p - piece.point_begin) * array.tuple_bytes;
}

static __device__ inline void tsr_copy_bytes(char *to, const char *from, int64_t bytes) {
  for (int64_t b = 0; b < bytes; ++b)
    to[b] = from[b];
}

// A component of 64-bit integers, as it is in the input.
static __device__ inline void tsr_copy_integer(const tsr_array &in, int64_t tuple, int component,
                                               char *to) {
  *(int64_t *)to = ((const int64_t *)in.data)[tuple * in.components + component];
}

// Values at u of n components, from control values that lie `stride` apart.
template <int DEGREE>
static __device__ inline void tsr_point_values(int degree, double u, const double *q,
                                               const double *w, int64_t stride, int n,
                                               double *values) {
  double basis[DEGREE > 0 ? DEGREE + 1 : TSR_MAX_ORDER];
  const int d = DEGREE > 0 ? DEGREE : degree;
  tsr_bernstein(d, u, basis);
  for (int c = 0; c < n; ++c)
    values[c] = tsr_combine(d, basis, q + c * stride);
  if (w) {
    const double divisor = tsr_combine(d, basis, w);
    for (int c = 0; c < n; ++c)
      values[c] /= divisor;
  }
}

// What one point takes from its staged span.
struct tsr_point_work {
  const tsr_fill_piece *piece;
  const tsr_staged *it;
  const double *q, *w; // staged control values; w NULL where polynomial
  int64_t stride;
  int a, component, n; // array, first component and number of components
  uint32_t leaf;       // a mark in it: the vertex lies off the curve
  double u;
  char *to;
};

// The control points that are staged for the point.
static __device__ inline void tsr_point_net(const tsr_point_work &work, tsr_net *net) {
  net->degree = work.it->span.degree;
  net->rational = work.w != nullptr;
  for (int i = 0; i <= net->degree; ++i) {
    net->x[i] = work.q[i];
    net->y[i] = work.q[work.stride + i];
    net->z[i] = work.q[2 * work.stride + i];
    net->w[i] = work.w ? work.w[i] : 1.0;
  }
}

// Moves a position off the curve, as far as its leaf says.
static __device__ inline void tsr_point_move(const tsr_point_work &work, double *values) {
  tsr_net net;
  double offset[3];
  tsr_point_net(work, &net);
  tsr_leaf_offset(&work.piece->criteria, &net, work.leaf, offset);
  for (int c = 0; c < 3; ++c)
    values[c] += offset[c];
}

static __device__ inline void tsr_point_curve(const tsr_point_work &work) {
  const tsr_point_array &array = work.piece->arrays[work.a];
  const tsr_staged &it = *work.it;
  const int entry = work.u == 0.0 ? it.span.start : (work.u == 1.0 ? it.span.end : -1);
  double values[3];
  if (entry >= 0 && array.copies_ends) {
    if (work.component == 0)
      tsr_copy_bytes(work.to, (const char *)array.in.data + it.span.id[entry] * array.tuple_bytes,
                     array.tuple_bytes);
    return;
  }
  if (entry >= 0) {
    for (int c = 0; c < work.n; ++c)
      values[c] = tsr_load(&array.in, it.span.id[entry] * array.components + work.component + c);
  } else if (it.span.degree == 3) {
    tsr_point_values<3>(3, work.u, work.q, work.w, work.stride, work.n, values);
  } else if (it.span.degree == 2) {
    tsr_point_values<2>(2, work.u, work.q, work.w, work.stride, work.n, values);
  } else {
    tsr_point_values<0>(it.span.degree, work.u, work.q, work.w, work.stride, work.n, values);
  }
  char *to = work.to + work.component * (array.tuple_bytes / array.components);
  if (!array.copies_ends) { // positions
    if (work.leaf & TSR_FIXED_OFF)
      tsr_point_move(work, values);
    tsr_store(to, array.type, 1, values, work.n);
    return;
  }
  for (int c = 0; c < work.n; ++c)
    if (!(values[c] == values[c]))
      values[c] =
          tsr_span_value_again(&work.piece->view, &it.span, &array.in, work.component + c, work.u);
  tsr_store(to, array.type, 1, values, work.n);
  for (int c = 0; c < work.n; ++c)
    if (tsr_span_is_constant(&it.span, &array.in, work.component + c, 0, it.span.count))
      tsr_copy_integer(array.in, it.span.id[0], work.component + c, to + c * 8);
}

static __device__ inline void tsr_point_linear(const tsr_point_work &work) {
  const tsr_point_array &array = work.piece->arrays[work.a];
  const tsr_span *span = &work.it->span;
  const int entry = work.u == 0.0 ? span->start : (work.u == 1.0 ? span->end : -1);
  const int64_t size = array.tuple_bytes / array.components;
  if (entry >= 0) {
    tsr_copy_bytes(work.to, (const char *)array.in.data + span->id[entry] * array.tuple_bytes,
                   array.tuple_bytes);
    return;
  }
  int j;
  tsr_span_linear(span, work.u, &j);
  for (int c = 0; c < array.components; ++c) {
    const double value = tsr_span_linear_value(span, &array.in, c, work.u);
    tsr_store(work.to + c * size, array.type, 1, &value, 1);
    if (tsr_span_is_constant(span, &array.in, c, j, 2))
      tsr_copy_integer(array.in, span->id[j], c, work.to + c * size);
  }
}

static __device__ inline void tsr_point_frame(const tsr_point_work &work, int curvature) {
  const tsr_point_array &array = work.piece->arrays[work.a];
  tsr_net net;
  double tangent[3];
  tsr_point_net(work, &net);
  const double bend = tsr_net_frame(&net, work.u, tangent);
  if (curvature)
    tsr_store(work.to, array.type, 1, &bend, 1);
  else
    tsr_store(work.to, array.type, 1, tangent, 3);
}

static __device__ inline void tsr_point_do(const tsr_point_work &work) {
  const tsr_point_array &array = work.piece->arrays[work.a];
  const tsr_staged &it = *work.it;
  double value;
  int64_t id;
  switch (array.content) {
  case TSR_CONTENT_CURVE:
    tsr_point_curve(work);
    break;
  case TSR_CONTENT_LINEAR:
    tsr_point_linear(work);
    break;
  case TSR_CONTENT_NEAREST:
    id = it.span.id[tsr_span_nearest(&it.span, work.u)];
    tsr_copy_bytes(work.to, (const char *)array.in.data + id * array.tuple_bytes,
                   array.tuple_bytes);
    break;
  case TSR_CONTENT_ID:
    *(int64_t *)work.to = it.span.id[tsr_span_nearest(&it.span, work.u)];
    break;
  case TSR_CONTENT_PARAMETER:
    value = it.before + work.u;
    tsr_store(work.to, array.type, 1, &value, 1);
    break;
  case TSR_CONTENT_CURVATURE:
    tsr_point_frame(work, 1);
    break;
  case TSR_CONTENT_TANGENTS:
    tsr_point_frame(work, 0);
    break;
  }
}

// Control values of components [c, c + n) of an array, NULL: of positions, for staged span j; and
// its weights.
static __device__ inline void tsr_stage_values(const tsr_fill_piece &piece, const tsr_staged &it,
                                               int j, const tsr_array *in, int c, int n,
                                               double *q) {
  const int64_t stride = (int64_t)piece.batch * piece.order;
  double values[TSR_MAX_ORDER];
  for (int k = 0; k < n; ++k) {
    if (in)
      tsr_span_values(&piece.view, &it.span, in, c + k, values);
    else
      tsr_span_places(&piece.view, &it.span, c + k, values);
    for (int i = 0; i <= it.span.degree; ++i)
      q[k * stride + j * piece.order + i] = values[i];
  }
  if (it.span.rational) {
    tsr_span_weights(&piece.view, &it.span, values);
    for (int i = 0; i <= it.span.degree; ++i)
      q[3 * stride + j * piece.order + i] = values[i];
  }
}

// The spans that a block has staged.
struct tsr_stage {
  tsr_staged *spans;
  int n;
  double *values; // control values of three components and the weights, piece.batch spans each
};

// Makes components [c, c + n) of array a of the points [first, last), whose spans are staged.
static __device__ inline void tsr_fill_staged(const tsr_fill_piece &piece, const tsr_stage &stage,
                                              int a, int c, int n, int64_t first, int64_t last) {
  const tsr_content content = piece.arrays[a].content;
  const bool frame = content == TSR_CONTENT_CURVATURE || content == TSR_CONTENT_TANGENTS;
  const int64_t stride = (int64_t)piece.batch * piece.order;
  tsr_point_work work;
  work.piece = &piece;
  work.stride = stride;
  work.a = a;
  work.component = c;
  work.n = n;
  if (content == TSR_CONTENT_CURVE || frame) {
    for (int j = (int)threadIdx.x; j < stage.n; j += (int)blockDim.x)
      if (stage.spans[j].wanted)
        tsr_stage_values(piece, stage.spans[j], j,
                         frame || !piece.arrays[a].copies_ends ? nullptr : &piece.arrays[a].in,
                         frame ? 0 : c, frame ? 3 : n, stage.values);
    __syncthreads();
  }
  for (int64_t p = first + (int)threadIdx.x; p < last; p += (int)blockDim.x) {
    int lo = 0, hi = stage.n;
    while (hi - lo > 1) {
      const int middle = (lo + hi) / 2;
      if (stage.spans[middle].at <= p)
        lo = middle;
      else
        hi = middle;
    }
    const tsr_staged &it = stage.spans[lo];
    const int64_t k = p - it.at;
    // What lies between the spans is made elsewhere: curves of a single point.
    if (!it.wanted || k < 0 || k >= it.segments + it.with_end)
      continue;
    work.it = &it;
    work.q = stage.values + lo * piece.order;
    work.w = it.span.rational ? stage.values + 3 * stride + lo * piece.order : nullptr;
    work.u = tsr_point_parameter(it, k, &work.leaf);
    work.to = tsr_place_of(piece, it, a, p);
    tsr_point_do(work);
  }
  __syncthreads();
}

// All arrays of the points [first, last) of wanted items, which the spans [s, s_end) have: `first`
// lies in span s or behind it. Called by all threads of a block, with tsr_stage_bytes of shared
// memory.
static __device__ inline void tsr_fill_range(const tsr_fill_piece &piece, int64_t s, int64_t s_end,
                                             int64_t first, int64_t last, tsr_wanted wanted,
                                             char *shared) {
  tsr_stage stage = {(tsr_staged *)shared, 0,
                     (double *)(shared + (size_t)piece.batch * sizeof(tsr_staged))};
  while (first < last && s < s_end) {
    const int64_t left = s_end - s;
    stage.n = left < piece.batch ? (int)left : piece.batch;
    int64_t stop = last;
    for (int j = (int)threadIdx.x; j < stage.n; j += (int)blockDim.x)
      tsr_stage_span(piece, s + j, wanted, &stage.spans[j]);
    if (s + stage.n < s_end) {
      const int64_t after = tsr_point_of(piece.places, s + stage.n);
      stop = after < last ? after : last;
    }
    __syncthreads();
    for (int a = 0; a < piece.n_arrays; ++a) {
      const int components =
          piece.arrays[a].content == TSR_CONTENT_CURVE ? piece.arrays[a].components : 1;
      for (int c = 0; c < components; c += 3)
        tsr_fill_staged(piece, stage, a, c, components - c < 3 ? components - c : 3, first, stop);
    }
    first = stop > first ? stop : first;
    s += stage.n;
  }
}

#endif
