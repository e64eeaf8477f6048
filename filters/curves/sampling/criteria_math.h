/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The criteria: how many segments a span needs, and which leaves of its parameter tree it gets.
 * Counting and filling walk through the same functions here.
 */
#ifndef TSR_CRITERIA_MATH_H
#define TSR_CRITERIA_MATH_H

#include "curves/sampling/density_math.h"
#include "curves/sampling/field_math.h"

/** An array of the field error. */
typedef struct tsr_field {
  tsr_array array;
  double unit; /**< times criteria->field: what is allowed; 0: it asks for nothing */
  int linear;  /**< it follows the span linearly */
} tsr_field;

/** The options as the arithmetic needs them: absolute, scaled by the point budget. */
typedef struct tsr_criteria {
  tsr_curve_rules rules;
  tsr_sampling sampling;
  int max_level;
  int64_t most_segments; /**< UNIFORM: of one span; at most 2^max_level */
  int use_curvature, min_points, max_points;
  double curvature_factor;
  int use_chord, use_turning, use_length, use_field;
  double chord;         /**< chord error, less what rounding takes */
  double rounding;      /**< most that the type of the points moves them */
  double turning_cos;   /**< cosine of half the turning angle */
  double length, field; /**< segment length, field error */
  const tsr_field *fields;
  int n_fields;
  int off_curve;           /**< vertices may lie off the curve */
  int coarsen;             /**< joints may go */
  const tsr_array *labels; /**< as TSR_UINT8, a component a byte */
  int n_labels;
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
  int64_t least, most;   /**< at least and at most so many segments, by the curvature rule */
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

/** 1 if every leg of a projected net is within half the turning angle of the segment, a vector.
 *  Tangents are positive sums of legs (also of a rational curve with positive weights: Sederberg),
 * so both end tangents are too, and two neighbours together turn by at most the whole angle. */
TSR_FN int tsr_turning_fulfilled(const tsr_net *net, const double chord[3], double turning_cos) {
  double leg[3];
  const double chord2 = tsr_dot(chord, chord);
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

/** Bound of the field error on [a, b] as a share of what each array allows: the largest of all
 *  components, or one above `enough`. Values that are no numbers ask for nothing. ends: as in
 *  tsr_piece_places. */
TSR_FN double tsr_fields_share(const tsr_curves_view *view, const tsr_criteria *criteria,
                               const tsr_span *span, const tsr_net *piece, const tsr_offsets *ends,
                               double a, double b, double enough) {
  double places[TSR_MAX_ORDER], most = 0.0;
  const double beyond = tsr_piece_places(piece, ends, places);
  for (int f = 0; f < criteria->n_fields && most <= enough; ++f) {
    const tsr_array *array = &criteria->fields[f].array;
    const double allowed = criteria->field * criteria->fields[f].unit;
    for (int c = 0; allowed > 0.0 && c < array->components; ++c) {
      double q[TSR_MAX_ORDER], share;
      if (criteria->fields[f].linear) {
        share =
            tsr_linear_field_bound(span, places, beyond, piece->degree, array, c, a, b) / allowed;
      } else {
        tsr_span_values(view, span, array, c, q);
        tsr_restrict(piece->degree, q, a, b);
        share = tsr_field_bound(piece, places, beyond, q) / allowed;
      }
      most = share > most ? share : most;
    }
  }
  return most;
}

/** The segment of a projected piece, a vector; returns its squared length. ends: where the
 * segment's ends are, NULL: on the curve. */
TSR_FN double tsr_piece_chord(const tsr_net *piece, const tsr_offsets *ends, double chord[3]) {
  tsr_net_leg(piece, 0, piece->degree, chord);
  for (int c = 0; ends && c < 3; ++c)
    chord[c] += ends->end[c] - ends->start[c];
  return tsr_dot(chord, chord);
}

/** 1 if a projected piece keeps the chord error. Where vertices may lie off the curve it does so in
 *  order, with its ends on the curve, too. ends: as in tsr_piece_chord. */
TSR_FN int tsr_piece_is_near(const tsr_criteria *criteria, const tsr_net *piece,
                             const tsr_offsets *ends) {
  const tsr_offsets none = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  if (!ends && !tsr_net_is_flat(piece, criteria->chord))
    return 0;
  if (!ends && (!criteria->off_curve || tsr_net_in_order(piece)))
    return 1;
  return tsr_offset_error(piece, ends ? ends : &none) <= criteria->chord;
}

/** 1 if the span's piece on [a, b] fulfils the criteria: turning, length and fields, and the
 *  chord error too where asked (uniform sampling has Wang's bound for that). ends: as in
 *  tsr_piece_chord. */
TSR_FN int tsr_piece_fulfilled(tsr_span_case *it, double a, double b, const tsr_offsets *ends,
                               int with_chord) {
  const tsr_criteria *criteria = it->criteria;
  double chord[3] = {0.0, 0.0, 0.0}, chord2 = 0.0;
  tsr_net piece;
  tsr_net_piece(&it->net, a, b, &piece);
  tsr_net_project(&piece);
  if (with_chord && !tsr_piece_is_near(criteria, &piece, ends))
    return 0;
  if (criteria->use_length || criteria->use_turning)
    chord2 = tsr_piece_chord(&piece, ends, chord);
  if (criteria->use_length && (tsr_polygon_length(&piece) > criteria->length ||
                               (ends && chord2 > criteria->length * criteria->length)))
    return 0;
  if (criteria->use_turning && !tsr_turning_fulfilled(&piece, chord, criteria->turning_cos)) {
    if (tsr_polygon_length(&piece) > it->cusp)
      return 0;
    it->at_limit = 1;
  }
  return !criteria->use_field ||
         !(tsr_fields_share(it->view, criteria, it->span, &piece, ends, a, b, 1.0) > 1.0);
}

/** The piece of n equal ones of a parabola that is farthest from its chord: of all its control
 *  points, which are equally far from their chords along the axis, that nearest to the tip is
 *  farthest across it. */
TSR_FN int64_t tsr_bent_most(const tsr_net *net, int64_t n) {
  double d[3], a[3], a2;
  int64_t k;
  tsr_net_leg(net, 0, 1, d);
  tsr_net_leg(net, 1, 2, a);
  for (int c = 0; c < 3; ++c)
    a[c] -= d[c];
  a2 = tsr_dot(a, a);
  if (!(a2 > 0.0))
    return 0;
  k = (int64_t)(tsr_clamp01(-tsr_dot(d, a) / a2) * (double)n);
  return k < n ? k : n - 1;
}

/** Uniform: 1 if all n pieces fulfil the criteria. */
TSR_FN int tsr_uniform_fulfilled(tsr_span_case *it, int64_t n) {
  const tsr_criteria *criteria = it->criteria;
  const double h = 1.0 / (double)n;
  const int with_chord = criteria->use_chord && it->wang * (h * h) > criteria->chord;
  const int others = criteria->use_length || criteria->use_turning || criteria->use_field;
  int64_t first = 0, last = n - 1;
  it->at_limit = 0;
  if (!with_chord && !others)
    return 1;
  if (!others && it->net.degree == 2 && !it->net.rational) {
    const int64_t k = tsr_bent_most(&it->net, n);
    first = k > 0 ? k - 1 : 0;
    last = k < n - 1 ? k + 1 : k;
  }
  for (int64_t i = first; i <= last; ++i)
    if (!tsr_piece_fulfilled(it, (double)i * h, i + 1 == n ? 1.0 : (double)(i + 1) * h, NULL,
                             with_chord))
      return 0;
  return 1;
}

/** Segments, all of the same length in the parameter, that bounds in closed form ask for: Wang's of
 *  the position, and of the length. */
TSR_FN double tsr_uniform_demand(const tsr_span_case *it) {
  const tsr_criteria *criteria = it->criteria;
  const int degree = it->span->degree;
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
  return demand;
}

/** Uniform: the least number from `low` on that fulfils the criteria, in steps that double and then
 *  by halves down to a 64th. */
TSR_FN int64_t tsr_uniform_search(tsr_span_case *it, int64_t low, int64_t cap) {
  int64_t n = low, step = 1 + low / 64;
  while (!tsr_uniform_fulfilled(it, n)) {
    if (n == cap) {
      it->at_limit = 1;
      return cap;
    }
    low = n + 1;
    n = n <= cap - step ? n + step : cap;
    step *= 2;
  }
  while (n - low > n / 64) {
    const int limited = it->at_limit;
    const int64_t middle = low + (n - low) / 2;
    if (tsr_uniform_fulfilled(it, middle)) {
      n = middle;
    } else {
      it->at_limit = limited;
      low = middle + 1;
    }
  }
  return n;
}

/** Uniform: where the search begins: about where the density is highest, from which segments of
 *  equal steps follow, and where the chord alone is too long. At most at `demand`. */
TSR_FN double tsr_uniform_start(const tsr_span_case *it, double demand) {
  const tsr_criteria *criteria = it->criteria;
  const int degree = it->span->degree;
  double start = 1.0, leg[3];
  tsr_net net = it->net;
  tsr_net_project(&net);
  if (criteria->use_length)
    start = sqrt(tsr_net_leg(&net, 0, degree, leg)) / criteria->length;
  if (criteria->use_chord && demand > 1.0) {
    tsr_density density;
    double peak;
    tsr_density_of_net(&density, &it->net, criteria->chord);
    peak = tsr_density_peak(&density) * (63.0 / 64.0);
    start = peak > start ? peak : start;
  }
  return start < demand || it->span->rational ? start : demand;
}

/** Uniform: the number of segments. */
TSR_FN int64_t tsr_uniform_count(tsr_span_case *it) {
  const tsr_criteria *criteria = it->criteria;
  const int64_t cap = criteria->most_segments < it->most ? criteria->most_segments : it->most;
  const int search = it->span->degree > 1 || it->span->rational;
  double demand = tsr_uniform_demand(it);
  int64_t n = tsr_ceil_count(search ? tsr_uniform_start(it, demand) : demand, cap);
  n = it->least > n ? it->least : n;
  n = n < cap ? n : cap;
  it->at_limit = demand > (double)cap;
  if (search)
    n = tsr_uniform_search(it, n, cap);
  if (it->least > cap)
    it->at_limit = 1;
  return n;
}

/** Least and most segments of a span by the curvature rule. */
TSR_FN void tsr_span_case_limits(tsr_span_case *it) {
  const tsr_criteria *criteria = it->criteria;
  const tsr_span *span = it->span;
  it->least = 1;
  it->most = (int64_t)1 << criteria->max_level;
  if (!criteria->use_curvature)
    return;
  it->most = criteria->max_points - 1;
  if (span->form == TSR_FORM_LAGRANGE) {
    tsr_net cell;
    tsr_cell_net(it->view, span, &cell);
    it->least = (tsr_curvature_count(criteria, &cell) + span->degree - 1) / span->degree;
    it->most = it->most > span->degree ? it->most / span->degree : 1;
  } else {
    it->least = tsr_curvature_count(criteria, &it->net);
  }
  it->least = it->least < it->most ? it->least : it->most;
}

/** Segments of a span that would have more by its sampling: equal steps, as many as it may have. */
TSR_FN int64_t tsr_most_steps(tsr_span_case *it) {
  if (!tsr_uniform_fulfilled(it, it->most))
    it->at_limit = 1;
  return it->most;
}

/** Sets the case up from its net. */
TSR_FN void tsr_span_case_start(tsr_span_case *it) {
  const tsr_criteria *criteria = it->criteria;
  it->at_limit = 0;
  it->uniform_count = 0;
  it->cusp = 0.0;
  it->wang = criteria->use_chord ? tsr_wang_error(&it->net) : 0.0;
  if (criteria->use_turning) {
    tsr_net whole = it->net;
    tsr_net_project(&whole);
    it->cusp = TSR_CUSP * tsr_polygon_length(&whole);
  }
  tsr_span_case_limits(it);
  if (criteria->sampling == TSR_SAMPLING_UNIFORM)
    it->uniform_count = tsr_uniform_count(it);
}

/** Sets the case of a span up: its control points and what all samplings start from. */
TSR_FN void tsr_span_case_init(tsr_span_case *it, const tsr_curves_view *view,
                               const tsr_criteria *criteria, const tsr_span *span) {
  it->view = view;
  it->criteria = criteria;
  it->span = span;
  tsr_span_net(view, span, &it->net);
  tsr_span_case_start(it);
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
  return tsr_piece_fulfilled(it, a, b, NULL, with_chord);
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

/** A leaf's lower end as a fixed-point number: u = fixed / 2^TSR_FIXED_BITS, exactly. A mark above
 *  it: the vertex there lies off the curve, by tsr_offset_at. */
#define TSR_FIXED_BITS 30
#define TSR_FIXED_ONE ((int64_t)1 << TSR_FIXED_BITS)
#define TSR_FIXED_OFF ((uint32_t)1 << 31)

TSR_FN uint32_t tsr_leaf_fixed(const tsr_leaf *node) {
  return (uint32_t)(node->index << (TSR_FIXED_BITS - node->level));
}

/** Lower end of uniform segment k of n, in the same way. */
TSR_FN uint32_t tsr_uniform_fixed(int64_t k, int64_t n) {
  return (uint32_t)((double)k * (1.0 / (double)n) * (double)TSR_FIXED_ONE + 0.5);
}

TSR_FN double tsr_from_fixed(uint32_t fixed) {
  return (double)(fixed & ~TSR_FIXED_OFF) * (1.0 / (double)TSR_FIXED_ONE);
}

/** The vector from the curve to the vertex of a leaf. */
TSR_FN void tsr_leaf_offset(const tsr_criteria *criteria, const tsr_net *net, uint32_t fixed,
                            double offset[3]) {
  if (fixed & TSR_FIXED_OFF)
    tsr_offset_at(net, tsr_from_fixed(fixed), TSR_OFFSET_PART * criteria->chord, offset);
  else
    offset[0] = offset[1] = offset[2] = 0.0;
}

/** The same of both ends of a segment; NULL where they are on the curve. */
TSR_FN const tsr_offsets *tsr_leaf_offsets(const tsr_criteria *criteria, const tsr_net *net,
                                           uint32_t a, uint32_t b, tsr_offsets *ends) {
  if (!((a | b) & TSR_FIXED_OFF))
    return NULL;
  tsr_leaf_offset(criteria, net, a, ends->start);
  tsr_leaf_offset(criteria, net, b, ends->end);
  return ends;
}

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

/** The same of the segment between two leaves, the second one also TSR_FIXED_ONE; in order where
 *  vertices may lie off the curve. */
TSR_FN double tsr_leaf_error(const tsr_criteria *criteria, const tsr_net *net, double wang,
                             uint32_t a, uint32_t b) {
  const double from = tsr_from_fixed(a), to = tsr_from_fixed(b);
  const double uniform = wang * ((to - from) * (to - from));
  tsr_offsets ends = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  double error;
  tsr_net piece;
  int off;
  if (!criteria->off_curve)
    return tsr_segment_error(net, wang, from, to);
  tsr_net_piece(net, from, to, &piece);
  tsr_net_project(&piece);
  off = tsr_leaf_offsets(criteria, net, a, b, &ends) != NULL;
  error =
      !off && tsr_net_in_order(&piece) ? tsr_net_flatness(&piece) : tsr_offset_error(&piece, &ends);
  return off || error < uniform ? error : uniform;
}

/** The same of the span's n uniform segments: of the worst of them. */
TSR_FN double tsr_uniform_error(const tsr_net *net, double wang, int64_t n) {
  const double h = 1.0 / (double)n;
  double most = 0.0;
  for (int64_t i = 0; i < n; ++i) {
    const double error =
        tsr_segment_error(net, wang, (double)i * h, i + 1 == n ? 1.0 : (double)(i + 1) * h);
    most = error > most ? error : most;
  }
  return most;
}

#endif
