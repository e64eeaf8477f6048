/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The criteria: how many segments a span needs, and which leaves of its parameter tree it gets.
 * Counting and filling walk through the same functions here.
 */
#ifndef TSR_CRITERIA_MATH_H
#define TSR_CRITERIA_MATH_H

#include "curves/span/span_math.h"

/** The options as the arithmetic needs them: absolute, scaled by the point budget. */
typedef struct tsr_criteria {
  tsr_curve_rules rules;
  tsr_sampling sampling;
  int max_level;
  int64_t most_segments; /**< UNIFORM: of one span; at most 2^max_level */
  int use_curvature, min_points, max_points;
  double curvature_factor;
  int use_chord, use_turning, use_length, use_field;
  double chord;         /**< chord error */
  double turning_cos;   /**< cosine of half the turning angle */
  double length, field; /**< segment length, field error */
  const tsr_array *fields;
  int n_fields;
  int linear; /**< the fields follow the span linearly */
} tsr_criteria;

/** Part of a span's length below which a piece may turn by more than the turning angle: a cusp
 * turns back however short its piece is. */
#define TSR_CUSP (1.0 / 1048576.0)

/** One span with what its decisions need. */
typedef struct tsr_span_case {
  const tsr_curves_view *view;
  const tsr_criteria *criteria;
  const tsr_span *span;
  tsr_net net;           /**< homogeneous where rational */
  int64_t least;         /**< at least so many segments, by the curvature rule */
  int64_t uniform_count; /**< UNIFORM: the segments */
  double wang;           /**< Wang's bound of the chord error of the span as one segment */
  double cusp;           /**< pieces whose control polygon is no longer than this may turn more */
  int at_limit;          /**< a limit was reached before all was fulfilled */
} tsr_span_case;

/** Segments by the classic rule on a net. */
TSR_FN int64_t tsr_curvature_count(const tsr_criteria *criteria, const tsr_net *homogeneous) {
  tsr_net net = *homogeneous;
  double chord[3], chord2, most2 = 0.0, k;
  int64_t n;
  if (net.degree < 2)
    return 1;
  tsr_net_project(&net);
  for (int i = 1; i < net.degree; ++i) {
    const double t = (double)i / (double)net.degree, s = 1.0 - t;
    const double x = net.x[i] - (s * net.x[0] + t * net.x[net.degree]);
    const double y = net.y[i] - (s * net.y[0] + t * net.y[net.degree]);
    const double z = net.z[i] - (s * net.z[0] + t * net.z[net.degree]);
    const double d2 = (x * x + y * y) + z * z;
    most2 = d2 > most2 ? d2 : most2;
  }
  chord2 = tsr_net_leg(&net, 0, net.degree, chord);
  if (!(chord2 > 0.0))
    return criteria->max_points - 1;
  k = sqrt(most2) / sqrt(chord2) * criteria->curvature_factor;
  n = k < (double)criteria->max_points ? (int64_t)k : criteria->max_points;
  n = n > criteria->min_points ? n : criteria->min_points;
  n = n < criteria->max_points ? n : criteria->max_points;
  return n - 1;
}

/** 1 if every leg of a projected net is within half the turning angle of the chord. Tangents are
 *  positive sums of legs (also of a rational curve with positive weights: Sederberg), so both end
 *  tangents are too, and two neighbours together turn by at most the whole angle. */
TSR_FN int tsr_turning_fulfilled(const tsr_net *net, double turning_cos) {
  double chord[3], leg[3];
  const double chord2 = tsr_net_leg(net, 0, net->degree, chord);
  for (int i = 0; i < net->degree; ++i) {
    const double leg2 = tsr_net_leg(net, i, i + 1, leg);
    const double dot = tsr_dot(leg, chord);
    if (leg2 > 0.0 && !(chord2 > 0.0))
      return 0;
    if (leg2 > 0.0 && dot < turning_cos * sqrt(leg2) * sqrt(chord2))
      return 0;
  }
  return 1;
}

/** Length of a projected net's control polygon: no less than the curve's. */
TSR_FN double tsr_polygon_length(const tsr_net *net) {
  double sum = 0.0, leg[3];
  for (int i = 0; i < net->degree; ++i)
    sum += sqrt(tsr_net_leg(net, i, i + 1, leg));
  return sum;
}

/**
 * Upper bound on [a, b] of |f(u) - l(u)|, l the linear interpolation between a and b, of a
 * component that follows the curve. With f = F/w, w (f - l) = F - w l has degree + 1, zero ends,
 * and no Bezier value beyond `most`.
 */
TSR_FN double tsr_field_bound(const tsr_span_case *it, const tsr_net *piece, double *f, double a,
                              double b) {
  const int degree = it->span->degree;
  double most = 0.0, share = 1.0, least_w = 1.0, first, step;
  int order = degree;
  tsr_restrict(degree, f, a, b);
  for (int i = 1; i < degree; ++i)
    share *= 0.5;
  if (!it->span->rational) {
    step = f[degree] - f[0];
    for (int i = 1; i < degree; ++i) {
      const double d = fabs(f[i] - (f[0] + (double)i / (double)degree * step));
      most = d > most ? d : most;
    }
    return (1.0 - share) * most;
  }
  first = f[0] / piece->w[0];
  step = f[degree] / piece->w[degree] - first;
  order = degree + 1;
  for (int i = 1; i < order; ++i) {
    const double t = (double)i / (double)order, s = 1.0 - t;
    const double raised = t * f[i - 1] + s * f[i];
    const double line = t * (piece->w[i - 1] * (first + step)) + s * (piece->w[i] * first);
    const double d = fabs(raised - line);
    most = d > most ? d : most;
  }
  for (int i = 0; i <= degree; ++i)
    least_w = i == 0 || piece->w[i] < least_w ? piece->w[i] : least_w;
  return (1.0 - 0.5 * share) * most / least_w;
}

/** The same for a component that follows the span linearly: exact, at the kinks inside. */
TSR_FN double tsr_linear_field_error(const tsr_span *span, const tsr_array *array, int component,
                                     double a, double b) {
  double end[2], most = 0.0;
  for (int e = 0; e < 2; ++e) {
    int j;
    const double t = tsr_span_linear(span, e ? b : a, &j);
    end[e] = (1.0 - t) * tsr_load(array, span->id[j] * array->components + component) +
             t * tsr_load(array, span->id[j + 1] * array->components + component);
  }
  for (int j = 0; j < span->count; ++j) {
    const double g = tsr_span_abscissa(span, j);
    if (g > a && g < b) {
      const double t = (g - a) / (b - a);
      const double line = (1.0 - t) * end[0] + t * end[1];
      const double d = fabs(tsr_load(array, span->id[j] * array->components + component) - line);
      most = d > most ? d : most;
    }
  }
  return most;
}

/** 1 if every component of every field is within the field error on [a, b]. */
TSR_FN int tsr_fields_fulfilled(const tsr_span_case *it, const tsr_net *piece, double a, double b) {
  const tsr_criteria *criteria = it->criteria;
  for (int f = 0; f < criteria->n_fields; ++f) {
    const tsr_array *array = &criteria->fields[f];
    for (int c = 0; c < array->components; ++c) {
      double q[TSR_MAX_ORDER], error;
      if (criteria->linear) {
        error = tsr_linear_field_error(it->span, array, c, a, b);
      } else {
        tsr_span_values(it->view, it->span, array, c, q);
        error = tsr_field_bound(it, piece, q, a, b);
      }
      if (error > criteria->field)
        return 0;
    }
  }
  return 1;
}

/** 1 if the span's piece on [a, b] fulfils the criteria: turning, length and fields, and the
 *  chord error too where asked (uniform sampling has Wang's bound for that). */
TSR_FN int tsr_piece_fulfilled(tsr_span_case *it, double a, double b, int with_chord) {
  const tsr_criteria *criteria = it->criteria;
  tsr_net piece;
  tsr_net_piece(&it->net, a, b, &piece);
  tsr_net_project(&piece);
  if (with_chord && !tsr_net_is_flat(&piece, criteria->chord))
    return 0;
  if (criteria->use_length && tsr_polygon_length(&piece) > criteria->length)
    return 0;
  if (criteria->use_turning && !tsr_turning_fulfilled(&piece, criteria->turning_cos)) {
    if (tsr_polygon_length(&piece) > it->cusp)
      return 0;
    it->at_limit = 1;
  }
  if (criteria->use_field && !tsr_fields_fulfilled(it, &piece, a, b))
    return 0;
  return 1;
}

/** Uniform: 1 if all n pieces fulfil what has no closed form. */
TSR_FN int tsr_uniform_fulfilled(tsr_span_case *it, int64_t n) {
  const double h = 1.0 / (double)n;
  it->at_limit = 0;
  for (int64_t i = 0; i < n; ++i)
    if (!tsr_piece_fulfilled(it, (double)i * h, i + 1 == n ? 1.0 : (double)(i + 1) * h, 0))
      return 0;
  return 1;
}

/** Uniform: segments that Wang's bounds ask for, for position, length and polynomial fields. */
TSR_FN double tsr_uniform_demand(const tsr_span_case *it) {
  const tsr_criteria *criteria = it->criteria;
  const int degree = it->span->degree;
  const double factor = (double)(degree * (degree - 1)) / 8.0;
  double demand = 1.0, n, leg[3], most2 = 0.0;
  if (criteria->use_chord && degree > 1) {
    n = sqrt(it->wang / criteria->chord);
    demand = n > demand ? n : demand;
  }
  if (criteria->use_length && !it->span->rational) {
    for (int i = 0; i < degree; ++i) {
      const double leg2 = tsr_net_leg(&it->net, i, i + 1, leg);
      most2 = leg2 > most2 ? leg2 : most2;
    }
    n = (double)degree * sqrt(most2) / criteria->length;
    demand = n > demand ? n : demand;
  }
  if (!criteria->use_field || criteria->linear || it->span->rational || degree < 2)
    return demand;
  for (int f = 0; f < criteria->n_fields; ++f) {
    for (int c = 0; c < criteria->fields[f].components; ++c) {
      double q[TSR_MAX_ORDER], most = 0.0;
      tsr_span_values(it->view, it->span, &criteria->fields[f], c, q);
      for (int i = 0; i + 2 <= degree; ++i) {
        const double bend = fabs((q[i] - 2.0 * q[i + 1]) + q[i + 2]);
        most = bend > most ? bend : most;
      }
      n = sqrt(factor * most / criteria->field);
      demand = n > demand ? n : demand;
    }
  }
  return demand;
}

/** Uniform: the number of segments. What has no closed form is met by doubling. */
TSR_FN int64_t tsr_uniform_count(tsr_span_case *it) {
  const tsr_criteria *criteria = it->criteria;
  const int64_t cap = criteria->most_segments;
  const double demand = tsr_uniform_demand(it);
  const int search = criteria->use_turning || (criteria->use_length && it->span->rational) ||
                     (criteria->use_field && (criteria->linear || it->span->rational));
  int64_t n = tsr_ceil_count(demand, cap);
  n = it->least > n ? it->least : n;
  n = n < cap ? n : cap;
  if (search) {
    while (!tsr_uniform_fulfilled(it, n)) {
      if (n == cap) {
        it->at_limit = 1;
        break;
      }
      n = n <= cap / 2 ? 2 * n : cap;
    }
  }
  if (demand > (double)cap || it->least > cap)
    it->at_limit = 1;
  return n;
}

/** Sets the case of a span up: its control points and what both samplings start from. */
TSR_FN void tsr_span_case_init(tsr_span_case *it, const tsr_curves_view *view,
                               const tsr_criteria *criteria, const tsr_span *span) {
  it->view = view;
  it->criteria = criteria;
  it->span = span;
  it->least = 1;
  it->at_limit = 0;
  it->uniform_count = 0;
  it->cusp = 0.0;
  tsr_span_net(view, span, &it->net);
  it->wang = criteria->use_chord ? tsr_wang_error(&it->net) : 0.0;
  if (criteria->use_turning) {
    tsr_net whole = it->net;
    tsr_net_project(&whole);
    it->cusp = TSR_CUSP * tsr_polygon_length(&whole);
  }
  if (criteria->use_curvature && span->form == TSR_FORM_LAGRANGE) {
    tsr_net cell;
    tsr_cell_net(view, span, &cell);
    it->least = (tsr_curvature_count(criteria, &cell) + span->degree - 1) / span->degree;
  } else if (criteria->use_curvature) {
    it->least = tsr_curvature_count(criteria, &it->net);
  }
  if (criteria->sampling == TSR_SAMPLING_UNIFORM)
    it->uniform_count = tsr_uniform_count(it);
}

/** A leaf of the dyadic tree: [index, index + 1] / 2^level. */
typedef struct tsr_leaf {
  int level;
  int64_t index;
} tsr_leaf;

/** 1 if the node needs no further division. */
TSR_FN int tsr_leaf_fulfilled(tsr_span_case *it, const tsr_leaf *node) {
  const tsr_criteria *criteria = it->criteria;
  const int64_t cells = (int64_t)1 << node->level;
  const double h = 1.0 / (double)cells;
  const double a = (double)node->index * h, b = (double)(node->index + 1) * h;
  /* Where Wang's bound does for every piece of this length, no piece has to be looked at. */
  const int with_chord = criteria->use_chord && it->wang * (h * h) > criteria->chord;
  if (cells < it->least)
    return 0;
  if (!with_chord && !criteria->use_length && !criteria->use_turning && !criteria->use_field)
    return 1;
  return tsr_piece_fulfilled(it, a, b, with_chord);
}

/**
 * Moves on to the next leaf of the tree, in order of the parameter, and returns 1; 0 after the
 * last. Start with level 0, index 0.
 */
TSR_FN int tsr_next_leaf(tsr_span_case *it, tsr_leaf *node) {
  if (node->level == 0 && node->index == 1)
    return 0;
  for (;;) {
    if (tsr_leaf_fulfilled(it, node))
      return 1;
    if (node->level == it->criteria->max_level) {
      it->at_limit = 1;
      return 1;
    }
    ++node->level;
    node->index *= 2;
  }
}

/** From a leaf to the node that the walk goes on with. */
TSR_FN void tsr_pass_leaf(tsr_leaf *node) {
  ++node->index;
  while (node->level > 0 && node->index % 2 == 0) {
    node->index /= 2;
    --node->level;
  }
}

/** A leaf's lower end as a fixed-point number: u = fixed / 2^TSR_FIXED_BITS, exactly. */
#define TSR_FIXED_BITS 30
#define TSR_FIXED_ONE ((int64_t)1 << TSR_FIXED_BITS)

TSR_FN uint32_t tsr_leaf_fixed(const tsr_leaf *node) {
  return (uint32_t)(node->index << (TSR_FIXED_BITS - node->level));
}

/** Bound of the chord error of the span's n uniform segments. wang: the net's tsr_wang_error. */
TSR_FN double tsr_uniform_error(double wang, int64_t n) { return wang / ((double)n * (double)n); }

/** Bound of the chord error of the segment on [a, b]: the smaller of the two that decide. wang: the
 *  net's tsr_wang_error. */
TSR_FN double tsr_segment_error(const tsr_net *net, double wang, double a, double b) {
  const double uniform = wang * ((b - a) * (b - a));
  double flatness;
  tsr_net piece;
  tsr_net_piece(net, a, b, &piece);
  tsr_net_project(&piece);
  flatness = tsr_net_flatness(&piece);
  return flatness < uniform ? flatness : uniform;
}

#endif
