/* SPDX-License-Identifier: BSD-3-Clause */
/** Coarsening: the vertices of a chain, from the segments that a sampling has made of spans. */
#ifndef TSR_CURVES_COARSEN_VERTEX_MATH_H
#define TSR_CURVES_COARSEN_VERTEX_MATH_H

#include "curves/coarsen/walk_math.h"
#include "curves/sampling/criteria_math.h"
#include "curves/span/value_math.h"

/** Values of a vertex: the components of all fields that ask for anything. */
TSR_FN int tsr_vertex_values(const tsr_curves_criteria *criteria) {
  int n = 0;
  for (int f = 0; criteria->use_field && f < criteria->n_fields; ++f)
    n +=
        criteria->field * criteria->fields[f].unit > 0.0 ? criteria->fields[f].array.components : 0;
  return n;
}

/** 1 if one polyline may pass over joints by these criteria: the classic rule asks for points in
 *  each span, and without a chord error nothing says where a curve is straight. */
TSR_FN int tsr_joints_may_go(const tsr_curves_criteria *criteria) {
  return criteria->coarsen && criteria->use_chord && !criteria->use_curvature;
}

/** 1 if all components of the labels are the same at two input points. */
TSR_FN int tsr_labels_agree(const tsr_curves_criteria *criteria, int64_t a, int64_t b) {
  for (int l = 0; a != b && l < criteria->n_labels; ++l) {
    const tsr_array *array = &criteria->labels[l];
    const int64_t bytes = array->components;
    const char *data = (const char *)array->data;
    for (int64_t i = 0; i < bytes; ++i)
      if (data[a * bytes + i] != data[b * bytes + i])
        return 0;
  }
  return 1;
}

/** A span of a curve whose vertices are made. A straight one has vertices between its ends, too,
 *  where segments have a greatest length. */
typedef struct tsr_vertex_span {
  const tsr_curves_view *view;
  const tsr_curves_criteria *criteria;
  tsr_span span;
  tsr_net net;
  tsr_kept_fields kept;
  double wang;
  int straight;
} tsr_vertex_span;

/** kept: as in tsr_span_case_init. */
TSR_FN void tsr_vertex_span_make(tsr_vertex_span *it, const tsr_curves_view *view,
                                 const tsr_curves_criteria *criteria, const tsr_item *item,
                                 int64_t s, double *kept, int64_t stride) {
  tsr_kept_start(&it->kept, kept, stride);
  it->view = view;
  it->criteria = criteria;
  it->straight = item->kind == TSR_KIND_STRAIGHT;
  tsr_span_make(view, item, &criteria->rules, s, &it->span);
  tsr_span_net(view, &it->span, &it->net);
  it->wang = it->straight ? 0.0 : tsr_wang_error(&it->net);
}

/** Writes coordinates to a vertex, and that no piece after it has an error. `room` from a plane to
 *  the next. */
TSR_FN void tsr_vertex_put(const double x[3], double *v, int64_t room) {
  for (int c = 0; c < 3; ++c)
    v[c * room] = x[c];
  v[TSR_PLANE_REACH * room] = v[TSR_PLANE_SHARE * room] = 0.0;
}

/** A place on a span: Bernstein's basis there, and the weight, 1 where it is polynomial. */
typedef struct tsr_vertex_at {
  double u, w, basis[TSR_MAX_ORDER];
  int entry; /**< the stencil entry that lies here, or -1: only then the others are set */
} tsr_vertex_at;

TSR_FN void tsr_vertex_look(const tsr_vertex_span *it, uint32_t fixed, tsr_vertex_at *at) {
  const tsr_span *span = &it->span;
  at->u = tsr_from_fixed(fixed);
  at->entry = at->u == 0.0 ? span->start : (at->u == 1.0 ? span->end : -1);
  if (at->entry >= 0)
    return;
  at->basis[0] = 0.0;
  tsr_bernstein(span->degree, at->u, at->basis);
  at->w = span->rational ? tsr_combine(span->degree, at->basis, it->net.w) : 1.0;
}

/** Coordinates of the vertex of a leaf, at its place. */
TSR_FN void tsr_vertex_point(const tsr_vertex_span *it, const tsr_vertex_at *at, uint32_t fixed,
                             double x[3]) {
  const tsr_span *span = &it->span;
  double offset[3];
  if (at->entry >= 0) {
    tsr_load3(&it->view->points, span->id[at->entry], x);
    return;
  }
  x[0] = tsr_combine(span->degree, at->basis, it->net.x) / at->w;
  x[1] = tsr_combine(span->degree, at->basis, it->net.y) / at->w;
  x[2] = tsr_combine(span->degree, at->basis, it->net.z) / at->w;
  if (!TSR_ANY_SPAN || !(fixed & TSR_FIXED_OFF))
    return;
  tsr_leaf_offset(it->criteria, &it->net, fixed, offset);
  for (int c = 0; c < 3; ++c)
    x[c] += offset[c];
}

/** Coordinates of the vertex of a leaf. */
TSR_FN void tsr_vertex_place(const tsr_vertex_span *it, uint32_t fixed, double x[3]) {
  tsr_vertex_at at;
  tsr_vertex_look(it, fixed, &at);
  tsr_vertex_point(it, &at, fixed, x);
}

/** One component of a field at a place. *k: as in tsr_field_values. */
TSR_FN double tsr_vertex_value(tsr_vertex_span *it, const tsr_field *field, int component, int *k,
                               const tsr_vertex_at *at) {
  const tsr_array *array = &field->array;
  const tsr_span *span = &it->span;
  double q[TSR_MAX_ORDER];
  if (at->entry >= 0) {
    *k += it->kept.q && !field->linear;
    return tsr_get(array, span->id[at->entry] * array->components + component);
  }
  if (field->linear)
    return tsr_span_linear_value(span, array, component, at->u);
  tsr_keep_fields(it->view, it->criteria, span, &it->kept);
  tsr_field_values(it->view, span, &it->kept, array, component, k, q);
  return tsr_combine(span->degree, at->basis, q) / at->w;
}

/** Writes coordinates and values of an input point, the values divided by the allowed field error,
 *  to the vertex whose number in the first plane is *v. */
TSR_FN void tsr_vertex_input(const tsr_curves_view *view, const tsr_curves_criteria *criteria,
                             int64_t id, double *v, int64_t room) {
  double x[3];
  int n = TSR_PLANE_VALUES;
  tsr_load3(&view->points, id, x);
  tsr_vertex_put(x, v, room);
  for (int f = 0; criteria->use_field && f < criteria->n_fields; ++f) {
    const tsr_array *array = &criteria->fields[f].array;
    const double allowed = criteria->field * criteria->fields[f].unit;
    for (int c = 0; allowed > 0.0 && c < array->components; ++c)
      v[n++ * room] = tsr_get(array, id * array->components + c) / allowed;
  }
}

/** Writes coordinates and values of a leaf's vertex, the values divided by the allowed field error,
 *  to the vertex whose number in the first plane is *v. */
TSR_FN void tsr_vertex_make(tsr_vertex_span *it, uint32_t fixed, double *v, int64_t room) {
  const tsr_curves_criteria *criteria = it->criteria;
  tsr_vertex_at at;
  double x[3];
  int n = TSR_PLANE_VALUES, k = 0;
  tsr_vertex_look(it, fixed, &at);
  tsr_vertex_point(it, &at, fixed, x);
  tsr_vertex_put(x, v, room);
  for (int f = 0; criteria->use_field && f < criteria->n_fields; ++f) {
    const tsr_field *field = &criteria->fields[f];
    const double allowed = criteria->field * field->unit;
    for (int c = 0; allowed > 0.0 && c < field->array.components; ++c)
      v[n++ * room] = tsr_vertex_value(it, field, c, &k, &at) / allowed;
  }
}

/** Errors of the piece between two leaves, the second one also TSR_FIXED_ONE, to the vertex of the
 *  first. */
TSR_FN void tsr_vertex_piece(tsr_vertex_span *it, uint32_t from, uint32_t to, double *v,
                             int64_t room) {
  const tsr_curves_criteria *criteria = it->criteria;
  const tsr_span *span = &it->span;
  const double a = tsr_from_fixed(from), b = tsr_from_fixed(to);
  tsr_offsets ends;
  tsr_net piece;
  if (criteria->n_labels > 0 && !tsr_labels_agree(criteria, span->id[tsr_span_nearest(span, a)],
                                                  span->id[tsr_span_nearest(span, b)]))
    v[TSR_PLANE_SHARE * room] = TSR_SHARE_FIXED;
  if (it->straight || span->degree < 2)
    return;
  tsr_leaf_piece(&it->net, from, to, &piece);
  v[TSR_PLANE_REACH * room] = tsr_leaf_error(criteria, &it->net, it->wang, from, to, &piece);
  if (!criteria->use_field || v[TSR_PLANE_SHARE * room] > 1.0)
    return;
  v[TSR_PLANE_SHARE * room] =
      tsr_fields_share(it->view, criteria, span, &it->kept, &piece,
                       tsr_leaf_offsets(criteria, &it->net, from, to, &ends), a, b);
}

/** The chain of the vertices 0 ... last whose planes begin at `v` and are `room` apart. */
TSR_FN tsr_chain tsr_chain_of(const tsr_curves_criteria *criteria, double *v, int64_t room,
                              int64_t last) {
  tsr_chain chain;
  chain.v = v;
  chain.room = room;
  chain.last = last;
  chain.n_values = tsr_vertex_values(criteria);
  chain.tangents = criteria->use_turning ? TSR_PLANE_VALUES + chain.n_values : 0;
  chain.tolerance = criteria->chord;
  chain.length = criteria->use_length ? criteria->length : 0.0;
  chain.turning_cos = criteria->turning_cos;
  chain.lone = NULL;
  return chain;
}

#endif
