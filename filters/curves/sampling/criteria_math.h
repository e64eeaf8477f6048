/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The criteria: how many segments a span needs, and which leaves of its parameter tree it gets.
 * Counting and filling walk through the same functions here.
 */
#ifndef TSR_CURVES_SAMPLING_CRITERIA_MATH_H
#define TSR_CURVES_SAMPLING_CRITERIA_MATH_H

#include "curves/sampling/piece_math.h"

/** The lower end of a leaf as a fixed-point parameter: u = fixed / 2^TSR_FIXED_BITS, exact for
 * every leaf. The bit TSR_FIXED_OFF says that the vertex there lies off the curve: tsr_offset_at().
 */
#define TSR_FIXED_BITS 30
#define TSR_FIXED_ONE ((int64_t)1 << TSR_FIXED_BITS)
#define TSR_FIXED_OFF ((uint32_t)1 << 31)

/** Lower end of uniform segment k of n as a fixed-point parameter, rounded to the nearest. */
TSR_FN uint32_t tsr_uniform_fixed(int64_t k, int64_t n) {
  return (uint32_t)((double)k * (1.0 / (double)n) * (double)TSR_FIXED_ONE + 0.5);
}

/** The parameter u, from 0 to 1, of a fixed-point number. The bit TSR_FIXED_OFF is ignored. */
TSR_FN double tsr_from_fixed(uint32_t fixed) {
  return (double)(fixed & ~TSR_FIXED_OFF) * (1.0 / (double)TSR_FIXED_ONE);
}

/** Index of the one of n equal pieces of a parabola that deviates most from its chord: the piece
 *  with the tip. The middle control points of all pieces are equally far from their chords along
 *  the parabola's axis, and only at the tip is the chord perpendicular to the axis. */
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

/** The range of the n equal pieces whose chord errors bound those of all n: returns its first piece
 *  and sets *last. Of a parabola it is the piece with the tip and its neighbours, else all pieces.
 */
TSR_FN int64_t tsr_uniform_farthest(const tsr_net *net, int64_t n, int64_t *last) {
  int64_t k;
  *last = n - 1;
  if (net->degree != 2 || net->rational)
    return 0;
  k = tsr_bent_most(net, n);
  *last = k < n - 1 ? k + 1 : k;
  return k > 0 ? k - 1 : 0;
}

/** Uniform: the parameter at which segment k of n begins, rounded as the plan stores it. */
TSR_FN double tsr_uniform_place(const tsr_curves_criteria *criteria, int64_t k, int64_t n) {
  if (k == n)
    return 1.0;
  return criteria->fixed_steps ? tsr_from_fixed(tsr_uniform_fixed(k, n))
                               : (double)k * (1.0 / (double)n);
}

/** Uniform: 1 if the pieces [first, last] of n fulfil the criteria. */
TSR_FN int tsr_uniform_pieces_fulfilled(tsr_span_case *it, int64_t n, int64_t first, int64_t last,
                                        int with_chord) {
  const tsr_curves_criteria *criteria = it->criteria;
  double a, b = tsr_uniform_place(criteria, first, n);
  for (int64_t i = first; i <= last; ++i) {
    a = b;
    b = tsr_uniform_place(criteria, i + 1, n);
    if (!tsr_piece_fulfilled(it, a, b, NULL, with_chord))
      return 0;
  }
  return 1;
}

/** Uniform: 1 if all n pieces fulfil the criteria. */
TSR_FN int tsr_uniform_fulfilled(tsr_span_case *it, int64_t n) {
  const tsr_curves_criteria *criteria = it->criteria;
  /* A step in fixed point may be longer by one unit: two are safe. */
  const double h = 1.0 / (double)n, more = 2.0 / (double)TSR_FIXED_ONE;
  const double longest = criteria->fixed_steps ? h + more : h;
  const int with_chord = criteria->use_chord && it->wang * (longest * longest) > criteria->chord;
  const int others = criteria->use_length || criteria->use_turning || criteria->use_field;
  int64_t first, last;
  it->at_limit = 0;
  if (!with_chord && !others)
    return 1;
  first = tsr_uniform_farthest(&it->net, n, &last);
  if (!tsr_uniform_pieces_fulfilled(it, n, first, last, with_chord))
    return 0;
  /* Steps in fixed point are not quite equal, so that another piece may be the farthest. */
  return (!others && !criteria->fixed_steps) || last - first == n - 1 ||
         tsr_uniform_pieces_fulfilled(it, n, 0, n - 1, with_chord);
}

/** Number of uniform segments, not rounded, that closed-form bounds ask for: Wang's bound for the
 *  chord error, and degree times the longest control leg for the length. The length of a rational
 *  span is not bounded. */
TSR_FN double tsr_uniform_demand(const tsr_span_case *it) {
  const tsr_curves_criteria *criteria = it->criteria;
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

/** Uniform: the smallest number of segments from `low` to `cap` that fulfils the criteria, to
 * within 1/64 of it: doubling steps, then bisection. Returns cap and sets it->at_limit if cap does
 * not fulfil them either. */
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

/** Uniform: the number of segments at which the search starts. It is the larger of what the peak of
 *  the chord's density asks for, less a 64th since the density is an estimate, and of what the
 *  distance between the ends asks for. It is at most `demand` unless the span is rational. */
TSR_FN double tsr_uniform_start(const tsr_span_case *it, double demand) {
  const tsr_curves_criteria *criteria = it->criteria;
  const int degree = it->span->degree;
  double start = 1.0, leg[3];
  tsr_net net = it->net;
  tsr_net_project(&net);
  if (criteria->use_length)
    start = sqrt(tsr_net_leg(&net, 0, degree, leg)) / criteria->length;
  if (criteria->use_chord && demand > 1.0) {
    tsr_density density;
    double peak;
    tsr_density_of_net(&density, &it->net, criteria->chord, 0.0);
    peak = tsr_density_peak(&density) * (63.0 / 64.0);
    start = peak > start ? peak : start;
  }
  return start < demand || it->span->rational ? start : demand;
}

/** Uniform: the number of segments, at most `cap`. Sets it->at_limit if `cap` is too few. */
TSR_FN int64_t tsr_uniform_count(tsr_span_case *it, int64_t cap) {
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
  const tsr_curves_criteria *criteria = it->criteria;
  const tsr_span *span = it->span;
  it->least = 1;
  it->most = (int64_t)1 << criteria->max_level;
  if (!TSR_ANY_SPAN || !criteria->use_curvature)
    return;
  it->most = criteria->max_points - 1;
  if (TSR_ANY_SPAN && span->form == TSR_FORM_LAGRANGE) {
    tsr_net cell = it->net; /* later versions of gcc take its numbers for unset */
    tsr_cell_net(it->view, span, &cell);
    it->least = (tsr_curvature_count(criteria, &cell) + span->degree - 1) / span->degree;
    it->most = it->most > span->degree ? it->most / span->degree : 1;
  } else {
    it->least = tsr_curvature_count(criteria, &it->net);
  }
  it->least = it->least < it->most ? it->least : it->most;
}

/** Falls back to it->most equal steps for a span whose sampling asks for more segments, and returns
 *  that number. Sets it->at_limit if they do not fulfil the criteria. */
TSR_FN int64_t tsr_most_steps(tsr_span_case *it) {
  if (!tsr_uniform_fulfilled(it, it->most))
    it->at_limit = 1;
  return it->most;
}

/** Sets up all of the case from its net except uniform_count. */
TSR_FN void tsr_span_case_begin(tsr_span_case *it) {
  const tsr_curves_criteria *criteria = it->criteria;
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
}

/** tsr_span_case_begin(), and uniform_count where the sampling is uniform. */
TSR_FN void tsr_span_case_start(tsr_span_case *it) {
  const int64_t most = it->criteria->most_segments;
  tsr_span_case_begin(it);
  if (it->criteria->sampling == TSR_SAMPLING_UNIFORM)
    it->uniform_count = tsr_uniform_count(it, most < it->most ? most : it->most);
}

/** Gives the case of a span its control points. kept: where its fields are kept, or NULL; see
 *  tsr_kept_fields. */
TSR_FN void tsr_span_case_load(tsr_span_case *it, const tsr_curves_view *view,
                               const tsr_curves_criteria *criteria, const tsr_span *span,
                               double *kept, int64_t stride) {
  tsr_kept_start(&it->kept, kept, stride);
  it->view = view;
  it->criteria = criteria;
  it->span = span;
  tsr_span_net(view, span, &it->net);
}

/** Sets the case of a span up: its control points and what all samplings start from. */
TSR_FN void tsr_span_case_init(tsr_span_case *it, const tsr_curves_view *view,
                               const tsr_curves_criteria *criteria, const tsr_span *span) {
  tsr_span_case_load(it, view, criteria, span, NULL, 0);
  tsr_span_case_start(it);
}

/** A leaf of the dyadic tree: [index, index + 1] / 2^level. */
typedef struct tsr_leaf {
  int level;
  int64_t index;
} tsr_leaf;

/** 1 if the node needs no further division. */
TSR_FN int tsr_leaf_fulfilled(tsr_span_case *it, const tsr_leaf *node) {
  const tsr_curves_criteria *criteria = it->criteria;
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

/** Moves from a leaf to the root of the next subtree in the order of the parameter: its sibling, or
 *  the sibling of one of its ancestors. */
TSR_FN void tsr_pass_leaf(tsr_leaf *node) {
  ++node->index;
  while (node->level > 0 && node->index % 2 == 0) {
    node->index /= 2;
    --node->level;
  }
}

/** The lower end of a leaf as a fixed-point parameter. */
TSR_FN uint32_t tsr_leaf_fixed(const tsr_leaf *node) {
  return (uint32_t)(node->index << (TSR_FIXED_BITS - node->level));
}

/** The vector from the curve to the vertex of a leaf. */
TSR_FN void tsr_leaf_offset(const tsr_curves_criteria *criteria, const tsr_net *net, uint32_t fixed,
                            double offset[3]) {
  if (TSR_ANY_SPAN && (fixed & TSR_FIXED_OFF))
    tsr_offset_at(net, tsr_from_fixed(fixed), TSR_OFFSET_PART * criteria->chord, offset);
  else
    offset[0] = offset[1] = offset[2] = 0.0;
}

/** The vectors from the curve to both ends of a segment; NULL if both ends are on the curve. */
TSR_FN const tsr_offsets *tsr_leaf_offsets(const tsr_curves_criteria *criteria, const tsr_net *net,
                                           uint32_t a, uint32_t b, tsr_offsets *ends) {
  if (!TSR_ANY_SPAN || !((a | b) & TSR_FIXED_OFF))
    return NULL;
  tsr_leaf_offset(criteria, net, a, ends->start);
  tsr_leaf_offset(criteria, net, b, ends->end);
  return ends;
}

/** The piece between two leaves, the second one also TSR_FIXED_ONE, projected. */
TSR_FN void tsr_leaf_piece(const tsr_net *net, uint32_t a, uint32_t b, tsr_net *piece) {
  tsr_net_piece(net, tsr_from_fixed(a), tsr_from_fixed(b), piece);
  tsr_net_project(piece);
}

/** Upper bound of the chord error of the segment between two leaves: the smaller of the piece's own
 *  bound and of Wang's. If an end lies off the curve, the bound is at least criteria->chord, since
 *  that vertex was placed at this distance less a part for rounding. Where joints may be dropped or
 *  vertices lie off the curve, the bound holds for the Frechet distance.
 *  wang: tsr_wang_error() of the net; piece: tsr_leaf_piece() of the two leaves. */
TSR_FN double tsr_leaf_error(const tsr_curves_criteria *criteria, const tsr_net *net, double wang,
                             uint32_t a, uint32_t b, const tsr_net *piece) {
  const double from = tsr_from_fixed(a), to = tsr_from_fixed(b);
  const double uniform = wang * ((to - from) * (to - from));
  tsr_offsets ends = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  double error;
  int off;
  if (!TSR_ANY_SPAN || !criteria->off_curve) {
    error = tsr_piece_error(criteria, piece);
    return error < uniform ? error : uniform;
  }
  off = tsr_leaf_offsets(criteria, net, a, b, &ends) != NULL;
  error = !off && tsr_net_in_order(piece) ? tsr_piece_error(criteria, piece)
                                          : tsr_offset_error(piece, &ends);
  if (off)
    return error > criteria->chord ? error : criteria->chord;
  return error < uniform ? error : uniform;
}

/** Bound of the chord error of a span in n uniform segments: that of the worst segment. Looks at
 * the pieces that the count looks at; their ends are doubles, not fixed point. */
TSR_FN double tsr_uniform_error(const tsr_net *net, double wang, int64_t n) {
  const double h = 1.0 / (double)n, uniform = wang * (h * h);
  double most = 0.0;
  int64_t last, i = tsr_uniform_farthest(net, n, &last);
  for (; i <= last; ++i) {
    tsr_net piece;
    double flatness;
    tsr_net_piece(net, (double)i * h, i + 1 == n ? 1.0 : (double)(i + 1) * h, &piece);
    tsr_net_project(&piece);
    flatness = tsr_net_flatness(&piece);
    most = flatness > most ? flatness : most;
  }
  return most < uniform ? most : uniform;
}

#endif
