/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * From an item to its spans, and from a span to control values in Bezier form.
 *
 * A span is a stencil of input points and the linear map that turns their values into Bezier
 * control values. Positions, weights and every point array go through the same map.
 */
#ifndef TSR_CURVES_SPAN_SPAN_MATH_H
#define TSR_CURVES_SPAN_SPAN_MATH_H

#include "curves/span/bezier_math.h"

/** How stencil values become Bezier control values. */
typedef enum tsr_form {
  TSR_FORM_BEZIER = 0,  /**< they are the control values */
  TSR_FORM_MATRIX,      /**< a small matrix times the values */
  TSR_FORM_CATMULL_ROM, /**< a matrix whose rows sum to 1, times the differences from the nearer end
                             point: its weights are large where the knot intervals differ much, and
                             would cancel digits far from the origin */
  TSR_FORM_LAGRANGE /**< values at equidistant nodes of the cell, of which `node` is the first */
} tsr_form;

/** What the span functions need to know besides the item. */
typedef struct tsr_curve_rules {
  tsr_knots knots;
  double tension;
  const double
      *slopes; /**< derivatives of natural splines by the knot parameter, 3 numbers for each
                    id of the connectivity; see natural.c. NULL: no item is such a spline */
} tsr_curve_rules;

/** One item, looked up. */
typedef struct tsr_item {
  int64_t first;       /**< index of its first id in the connectivity */
  int64_t n;           /**< number of its ids */
  int64_t n_spans;     /**< 0 for a single point or nothing */
  tsr_curve_kind kind; /**< TSR_KIND_NONE for an item that is left out */
  int closed;
} tsr_item;

/** One span. Stencil arrays have `count` entries. */
typedef struct tsr_span {
  tsr_degree degree;
  tsr_order count;
  tsr_form form;
  int node; /**< LAGRANGE: the span lies on [node, node + 1] */
  tsr_rational rational;
  int start, end;            /**< stencil entry that u = 0 and u = 1 return exactly, or -1 */
  int64_t id[TSR_MAX_ORDER]; /**< point ids */
  double m[4][4];     /**< MATRIX, CATMULL_ROM: control value i is the sum of m[i][j] * value j */
  double greville[4]; /**< MATRIX, CATMULL_ROM: the stencil's abscissae, in u */
  int is_natural;     /**< positions are those of a natural spline, arrays are linear */
  double arm[2][3];   /**< is_natural: vectors from each end to the control point beside it */
} tsr_span;

/** Number of spans of n points; closed as in tsr_curves_view. */
TSR_FN int64_t tsr_span_count(tsr_curve_kind kind, int64_t n, int closed) {
  int64_t degree;
  if (n < 2)
    return 0;
  switch (kind) {
  case TSR_KIND_STRAIGHT:
  case TSR_KIND_CATMULL_ROM:
  case TSR_KIND_LAGRANGE:
  case TSR_KIND_NATURAL_SPLINE:
    return n - 1;
  case TSR_KIND_BEZIER2_CHAIN:
    return n / 2;
  case TSR_KIND_BEZIER3_CHAIN:
    return (n + 1) / 3;
  case TSR_KIND_BSPLINE2:
  case TSR_KIND_BSPLINE3:
    degree = kind == TSR_KIND_BSPLINE2 ? 2 : 3;
    if (closed)
      return n - 1;
    return n > degree ? n - degree : 1;
  case TSR_KIND_BEZIER:
    return 1;
  case TSR_KIND_AUTOMATIC: /* replaced by another kind before a plan is made */
  case TSR_KIND_NONE:
    break;
  }
  return 0;
}

/** 1 if the kind is a single cell in VTK's point order: both ends first. */
TSR_FN int tsr_kind_is_cell(tsr_curve_kind kind) {
  return kind == TSR_KIND_LAGRANGE || kind == TSR_KIND_BEZIER;
}

/** 1 if rational weights apply to the kind. */
TSR_FN int tsr_kind_is_rational(tsr_curve_kind kind) {
  return kind == TSR_KIND_BEZIER || kind == TSR_KIND_BEZIER2_CHAIN ||
         kind == TSR_KIND_BEZIER3_CHAIN || kind == TSR_KIND_BSPLINE2 || kind == TSR_KIND_BSPLINE3;
}

/** Looks item i up. Its offsets must be valid. */
TSR_FN tsr_item tsr_item_at(const tsr_curves_view *view, int64_t i) {
  tsr_item item;
  item.kind = view->kinds ? (tsr_curve_kind)view->kinds[i] : view->kind;
  item.first = item.n = item.n_spans = 0;
  item.closed = 0;
  if (item.kind == TSR_KIND_NONE) /* its offsets were not checked */
    return item;
  item.first = tsr_load_index(view->offsets, view->index_type, i);
  item.n = tsr_load_index(view->offsets, view->index_type, i + 1) - item.first;
  if (item.n >= 3) {
    const int64_t last = tsr_kind_is_cell(item.kind) ? 1 : item.n - 1;
    item.closed = tsr_load_index(view->connectivity, view->index_type, item.first) ==
                  tsr_load_index(view->connectivity, view->index_type, item.first + last);
  }
  item.n_spans = tsr_span_count(item.kind, item.n, item.closed);
  return item;
}

/** Point id number k, in the order along the curve. Wraps around where closed. */
TSR_FN int64_t tsr_item_id(const tsr_curves_view *view, const tsr_item *item, int64_t k) {
  if (tsr_kind_is_cell(item->kind)) {
    k = k == 0 ? 0 : (k == item->n - 1 ? 1 : k + 1);
  } else if (item->closed) {
    const int64_t distinct = item->n - 1;
    k %= distinct;
    if (k < 0)
      k += distinct;
  }
  return tsr_load_index(view->connectivity, view->index_type, item->first + k);
}

/** Distance of two points, to the power that the knots ask for; 0 only if they coincide. */
TSR_FN double tsr_knot_interval(const tsr_curves_view *view, const tsr_curve_rules *rules,
                                int64_t a, int64_t b) {
  double d2 = 0.0, length;
  for (int c = 0; c < 3; ++c) {
    const double d = tsr_get(&view->points, 3 * b + c) - tsr_get(&view->points, 3 * a + c);
    d2 += d * d;
  }
  if (!(d2 > 0.0))
    return 0.0;
  if (rules->knots == TSR_KNOTS_UNIFORM)
    return 1.0;
  length = sqrt(d2);
  return rules->knots == TSR_KNOTS_CHORDAL ? length : sqrt(length);
}

/** Sets all entries of span->m to 0. */
TSR_FN void tsr_span_clear_matrix(tsr_span *span) {
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      span->m[i][j] = 0.0;
}

/**
 * Catmull-Rom span s: through points s and s + 1, with neighbours on both sides. Non-uniform
 * tangents after Barry and Goldman (SIGGRAPH 1988). At an open end, and beside a repeated point,
 * the span's own end point stands in for the missing neighbour, one equal interval outside.
 */
TSR_FN void tsr_span_catmull_rom(const tsr_curves_view *view, const tsr_item *item,
                                 const tsr_curve_rules *rules, int64_t s, tsr_span *span) {
  const int64_t points = item->n - 1; /* number of the last point */
  double d0 = 0.0, d1, d2 = 0.0, pull;
  span->degree = 3;
  span->count = 4;
  span->form = TSR_FORM_CATMULL_ROM;
  span->start = 1;
  span->end = 2;
  for (int j = 0; j < 4; ++j) {
    int64_t k = s - 1 + j;
    if (!item->closed)
      k = k < 0 ? 0 : (k > points ? points : k);
    span->id[j] = tsr_item_id(view, item, k);
    span->greville[j] = (double)(j - 1);
  }
  d1 = tsr_knot_interval(view, rules, span->id[1], span->id[2]);
  if (item->closed || s > 0)
    d0 = tsr_knot_interval(view, rules, span->id[0], span->id[1]);
  if (item->closed || s + 2 <= points)
    d2 = tsr_knot_interval(view, rules, span->id[2], span->id[3]);
  tsr_span_clear_matrix(span);
  for (int i = 0; i < 2; ++i)
    span->m[i][1] = span->m[2 + i][2] = 1.0;
  if (!(d1 > 0.0)) { /* a repeated point: straight, so that its arrays go over linearly */
    span->m[1][1] = span->m[2][2] = 2.0 / 3.0;
    span->m[1][2] = span->m[2][1] = 1.0 / 3.0;
    return;
  }
  pull = (1.0 - rules->tension) / 3.0;
  if (!(d0 > 0.0)) {
    d0 = d1;
    span->id[0] = span->id[1];
  }
  if (!(d2 > 0.0)) {
    d2 = d1;
    span->id[3] = span->id[2];
  }
  span->m[1][0] = -pull * (d1 * (d1 / (d0 * (d0 + d1))));
  span->m[1][1] += pull * (d1 / d0 - 1.0);
  span->m[1][2] = pull * (d0 / (d0 + d1));
  span->m[2][3] = -pull * (d1 * (d1 / (d2 * (d1 + d2))));
  span->m[2][2] += pull * (d1 / d2 - 1.0);
  span->m[2][1] = pull * (d2 / (d1 + d2));
}

/** Natural spline span s: between points s and s + 1. */
TSR_FN void tsr_span_natural(const tsr_curves_view *view, const tsr_item *item,
                             const tsr_curve_rules *rules, int64_t s, tsr_span *span) {
  const double *slopes = rules->slopes + 3 * (item->first + s);
  double third;
  span->degree = 3;
  span->count = 4;
  span->form = TSR_FORM_CATMULL_ROM;
  span->is_natural = 1;
  span->start = 1;
  span->end = 2;
  tsr_span_clear_matrix(span);
  span->m[0][1] = span->m[3][2] = 1.0;
  span->m[1][1] = span->m[2][2] = 2.0 / 3.0;
  span->m[1][2] = span->m[2][1] = 1.0 / 3.0;
  for (int j = 0; j < 4; ++j) { /* the stencil has only the two end points, each twice */
    span->id[j] = tsr_item_id(view, item, s + j / 2);
    span->greville[j] = (double)(j - 1);
  }
  third = tsr_knot_interval(view, rules, span->id[1], span->id[2]) / 3.0;
  for (int c = 0; c < 3; ++c) {
    span->arm[0][c] = third * slopes[c];
    span->arm[1][c] = -third * slopes[3 + c];
  }
}

/**
 * Matrix of a B-spline span from its local knots, by the polar form (de Boor's algorithm with one
 * argument a step; Ramshaw 1987). knots: 2 * degree values around [a, b] = [knots[degree - 1],
 * knots[degree]]; degree <= 3.
 */
TSR_FN void tsr_bspline_matrix(int degree, const double *knots, tsr_span *span) {
  const double a = knots[degree - 1], b = knots[degree];
  tsr_span_clear_matrix(span);
  for (int i = 0; i <= degree; ++i) {
    for (int j = 0; j <= degree; ++j) {
      double d[4] = {0.0, 0.0, 0.0, 0.0};
      d[j] = 1.0;
      for (int r = 1; r <= degree; ++r) {
        const double x = r <= degree - i ? a : b;
        for (int k = degree; k >= r; --k) {
          const double lo = knots[k - 1], hi = knots[k + degree - r];
          const double t = (x - lo) / (hi - lo);
          d[k] = (1.0 - t) * d[k - 1] + t * d[k];
        }
      }
      span->m[i][j] = d[degree];
    }
  }
  for (int j = 0; j <= degree; ++j) {
    double sum = 0.0;
    for (int k = 0; k < degree; ++k)
      sum += knots[j + k];
    span->greville[j] = (sum / (double)degree - a) / (b - a);
  }
}

/** B-spline span s: uniform knots, the ends clamped unless closed. */
TSR_FN void tsr_span_bspline(const tsr_curves_view *view, const tsr_item *item, int degree,
                             int64_t s, tsr_span *span) {
  const int64_t last = item->n_spans; /* the knots run from 0 to n_spans */
  double knots[6];
  span->degree = degree;
  span->count = degree + 1;
  span->form = TSR_FORM_MATRIX;
  for (int j = 0; j <= degree; ++j)
    span->id[j] = tsr_item_id(view, item, s + j);
  for (int k = 0; k < 2 * degree; ++k) {
    int64_t knot = s + 1 + k - degree;
    if (!item->closed)
      knot = knot < 0 ? 0 : (knot > last ? last : knot);
    knots[k] = (double)(knot - s); /* relative: the same bits for every inner span */
  }
  tsr_bspline_matrix(degree, knots, span);
  span->start = !item->closed && s == 0 ? 0 : -1;
  span->end = !item->closed && s + 1 == last ? degree : -1;
}

/** Bezier span on the points k, k + 1, ..., k + degree of the item. */
TSR_FN void tsr_span_bezier(const tsr_curves_view *view, const tsr_item *item, int degree,
                            int64_t k, tsr_span *span) {
  span->degree = degree;
  span->count = degree + 1;
  span->form = TSR_FORM_BEZIER;
  span->start = 0;
  span->end = degree;
  for (int j = 0; j < span->count; ++j)
    span->id[j] = tsr_item_id(view, item, k + j);
}

/** Piece s of a chain of Bezier spans; the last one has the degree that is left. */
TSR_FN void tsr_span_chain(const tsr_curves_view *view, const tsr_item *item, int degree, int64_t s,
                           tsr_span *span) {
  const int64_t left = item->n - 1 - s * degree;
  tsr_span_bezier(view, item, left < degree ? (int)left : degree, s * degree, span);
}

/** Span s of an item, 0 <= s < n_spans. The item's ids must be valid. */
TSR_FN void tsr_span_make(const tsr_curves_view *view, const tsr_item *item,
                          const tsr_curve_rules *rules, int64_t s, tsr_span *span) {
  int degree;
  span->node = span->is_natural = 0;
  span->rational = view->weights.data && tsr_kind_is_rational(item->kind);
  switch (item->kind) {
  case TSR_KIND_CATMULL_ROM:
    tsr_span_catmull_rom(view, item, rules, s, span);
    return;
  case TSR_KIND_NATURAL_SPLINE:
    tsr_span_natural(view, item, rules, s, span);
    return;
  case TSR_KIND_BEZIER2_CHAIN:
    tsr_span_chain(view, item, 2, s, span);
    return;
  case TSR_KIND_BEZIER3_CHAIN:
    tsr_span_chain(view, item, 3, s, span);
    return;
  case TSR_KIND_BSPLINE2:
  case TSR_KIND_BSPLINE3:
    degree = item->kind == TSR_KIND_BSPLINE2 ? 2 : 3;
    if (!item->closed && item->n <= degree)
      tsr_span_bezier(view, item, (int)item->n - 1, 0, span);
    else
      tsr_span_bspline(view, item, degree, s, span);
    return;
  case TSR_KIND_LAGRANGE:
    tsr_span_bezier(view, item, (int)item->n - 1, 0, span);
    span->form = TSR_FORM_LAGRANGE;
    span->node = (int)s;
    span->start = (int)s;
    span->end = (int)s + 1;
    return;
  case TSR_KIND_BEZIER:
    tsr_span_bezier(view, item, (int)item->n - 1, 0, span);
    return;
  case TSR_KIND_STRAIGHT:
  case TSR_KIND_AUTOMATIC:
  case TSR_KIND_NONE:
    break;
  }
  tsr_span_bezier(view, item, 1, s, span);
}

/** Turns stencil values q, in place, into the span's Bezier control values. */
TSR_FN void tsr_span_to_bezier(const tsr_span *span, double *q) {
  if (span->form == TSR_FORM_CATMULL_ROM) {
    const double start = q[1], end = q[2];
    const double before = q[0] - start, along = end - start, after = q[3] - end;
    q[0] = start;
    q[1] = start + (span->m[1][0] * before + span->m[1][2] * along);
    q[2] = end + (span->m[2][3] * after - span->m[2][1] * along);
    q[3] = end;
  } else if (span->form == TSR_FORM_MATRIX) {
    double p[4];
    for (int i = 0; i <= span->degree; ++i)
      p[i] = tsr_combine(span->degree, span->m[i], q);
    for (int i = 0; i <= span->degree; ++i)
      q[i] = p[i];
  } else if (TSR_ANY_SPAN && span->form == TSR_FORM_LAGRANGE) {
    tsr_lagrange_to_bezier(span->degree, span->node, span->node + 1, q);
  }
}

/** Bezier control values of the rational weights; all 1 where the span is polynomial. */
TSR_FN void tsr_span_weights(const tsr_curves_view *view, const tsr_span *span, double *w) {
  for (int j = 0; j < span->count; ++j)
    w[j] = span->rational ? tsr_get(&view->weights, span->id[j]) : 1.0;
  if (span->rational)
    tsr_span_to_bezier(span, w);
}

/** Bezier control values of one component of an array, homogeneous where the span is rational. */
TSR_FN void tsr_span_values(const tsr_curves_view *view, const tsr_span *span,
                            const tsr_array *array, int component, double *q) {
  for (int j = 0; j < span->count; ++j) {
    q[j] = tsr_get(array, span->id[j] * array->components + component);
    if (span->rational)
      q[j] *= tsr_get(&view->weights, span->id[j]);
  }
  tsr_span_to_bezier(span, q);
}

/** Component c of the span's control points, homogeneous where it is rational. */
TSR_FN void tsr_span_places(const tsr_curves_view *view, const tsr_span *span, int c, double *q) {
  tsr_span_values(view, span, &view->points, c, q);
  if (span->is_natural) {
    q[1] = q[0] + span->arm[0][c];
    q[2] = q[3] + span->arm[1][c];
  }
}

/** Control points of the span. */
TSR_FN void tsr_span_net(const tsr_curves_view *view, const tsr_span *span, tsr_net *net) {
  net->degree = span->degree;
  net->rational = span->rational;
  tsr_span_places(view, span, 0, net->x);
  tsr_span_places(view, span, 1, net->y);
  tsr_span_places(view, span, 2, net->z);
  if (span->rational)
    tsr_span_weights(view, span, net->w);
}

/** Control points of the whole Lagrange cell that the span is a part of. */
TSR_FN void tsr_cell_net(const tsr_curves_view *view, const tsr_span *span, tsr_net *net) {
  tsr_span cell = *span;
  cell.form = TSR_FORM_BEZIER; /* leaves the values at the nodes as they are */
  tsr_span_net(view, &cell, net);
  tsr_lagrange_to_bezier(span->degree, 0, span->degree, net->x);
  tsr_lagrange_to_bezier(span->degree, 0, span->degree, net->y);
  tsr_lagrange_to_bezier(span->degree, 0, span->degree, net->z);
}

/** Where stencil entry j lies, in u of the span: its Greville abscissa. Increases with j. */
TSR_FN double tsr_span_abscissa(const tsr_span *span, int j) {
  if (span->form == TSR_FORM_MATRIX || span->form == TSR_FORM_CATMULL_ROM)
    return span->greville[j];
  if (span->form == TSR_FORM_LAGRANGE)
    return (double)(j - span->node);
  return (double)j / (double)span->degree;
}

/** Stencil entry whose abscissa is nearest to u; of two equally near the later one. */
TSR_FN int tsr_span_nearest(const tsr_span *span, double u) {
  int best = 0;
  double least = fabs(u - tsr_span_abscissa(span, 0));
  for (int j = 1; j < span->count; ++j) {
    const double d = fabs(u - tsr_span_abscissa(span, j));
    if (d <= least) {
      least = d;
      best = j;
    }
  }
  return best;
}

/** Linear interpolation at u between the stencil entries *j, which it sets, and *j + 1. Returns the
 *  weight of entry *j + 1. */
TSR_FN double tsr_span_linear(const tsr_span *span, double u, int *j) {
  double lo, hi;
  *j = 0;
  while (*j + 2 < span->count && u >= tsr_span_abscissa(span, *j + 1))
    ++*j;
  lo = tsr_span_abscissa(span, *j);
  hi = tsr_span_abscissa(span, *j + 1);
  return hi > lo ? (u - lo) / (hi - lo) : 0.0;
}

#endif
