/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Sampling by equal arc length: the length of a span, how many segments a curve gets, and where
 * they begin.
 *
 * The length is the integral of the speed |P'| by Gauss and Legendre's rule of 8 nodes, on cells
 * that are halved until the rule on a cell and on its two halves agree. Points are found by
 * Newton's method on that integral. Both are far more accurate than the 2^-30 of a span that a
 * point's parameter is rounded to.
 */
#ifndef TSR_CURVES_SAMPLING_ARC_MATH_H
#define TSR_CURVES_SAMPLING_ARC_MATH_H

#include "common/part_math.h"
#include "curves/coarsen/vertex_math.h"
#include "curves/span/speed_math.h"

/** Most cells of a span. Smooth spans take 1 to 8; each place where the speed falls to 0, which is
 *  a kink of the integrand, takes one for each halving, about 20. */
#define TSR_ARC_CELLS 64

/** A cell is not halved if that changes its length by at most this part of the span's: a thousandth
 *  of what the rounding of a parameter comes to. */
#define TSR_ARC_AGREES (1.0 / 1099511627776.0)

/** Newton's steps for a point, at most. Three or four are the rule. A step out of the bracket is
 *  replaced by a halving, so that as many steps as a parameter has bits are always enough. */
#define TSR_ARC_STEPS 40

/** A Newton step is the last one where its square is at most this part of the cell's: what it
 * leaves is about that square over the cell, less than the rounding of a parameter. */
#define TSR_ARC_CLOSE (1.0 / 68719476736.0)

/** A point that comes this part of the curve's length before a joint is at the joint: sums of
 *  lengths are rounded. */
#define TSR_ARC_AT_JOINT (1.0 / 17592186044416.0)

/** Fewest segments of a closed curve. */
#define TSR_ARC_LEAST_CLOSED 3

/** Most segments of a curve. */
#define TSR_ARC_MOST_SEGMENTS ((int64_t)1 << 60)

/** Lengths above this are overflows: of rational spans with extreme weights. */
#define TSR_ARC_MOST 1e300

/** The arc length of a span as a function of its parameter. */
typedef struct tsr_arc {
  tsr_net legs;                     /**< what the speed is made of */
  double length;                    /**< in the unit of the coordinates */
  double unit;                      /**< of the numbers in `before` */
  int cells;                        /**< 0: the length grows evenly with the parameter */
  double at[TSR_ARC_CELLS + 1];     /**< parameters where cells begin and end */
  double before[TSR_ARC_CELLS + 1]; /**< length up to there */
} tsr_arc;

/** The integral of the speed from a to b, in the unit of the legs. */
TSR_FN double tsr_arc_integral(const tsr_net *legs, double a, double b) {
  const double node[4] = {0.18343464249564980, 0.52553240991632899, 0.79666647741362674,
                          0.96028985649753623};
  const double weight[4] = {0.36268378337836198, 0.31370664587788729, 0.22238103445337447,
                            0.10122853629037626};
  const double half = 0.5 * (b - a), middle = 0.5 * (a + b);
  double sum = 0.0;
  if (legs->degree == 3 && !legs->rational) {
    for (int i = 0; i < 4; ++i)
      sum += weight[i] * (tsr_legs_speed_cubic(legs, middle - half * node[i]) +
                          tsr_legs_speed_cubic(legs, middle + half * node[i]));
    return half * sum;
  }
  for (int i = 0; i < 4; ++i)
    sum += weight[i] * (tsr_legs_speed(legs, middle - half * node[i]) +
                        tsr_legs_speed(legs, middle + half * node[i]));
  return half * sum;
}

/** Divides the span into cells on which the rule is accurate, from the left to the right. */
TSR_FN void tsr_arc_fill(tsr_arc *arc) {
  double end[TSR_FIXED_BITS + 1], length[TSR_FIXED_BITS + 1]; /* halves that wait */
  double a = 0.0, b = 1.0, whole = tsr_arc_integral(&arc->legs, 0.0, 1.0);
  const double tolerance = TSR_ARC_AGREES * whole, shortest = 1.0 / (double)TSR_FIXED_ONE;
  int waiting = 0;
  arc->cells = 0;
  arc->at[0] = arc->before[0] = 0.0;
  for (;;) {
    const double middle = 0.5 * (a + b);
    const double left = tsr_arc_integral(&arc->legs, a, middle);
    const double right = tsr_arc_integral(&arc->legs, middle, b);
    const int may_halve = b - a > shortest && arc->cells + waiting + 2 <= TSR_ARC_CELLS;
    if (may_halve && !(fabs(left + right - whole) <= tolerance)) {
      end[waiting] = b;
      length[waiting++] = right;
      b = middle;
      whole = left;
      continue;
    }
    arc->before[arc->cells + 1] = arc->before[arc->cells] + (left + right);
    arc->at[++arc->cells] = b;
    if (waiting == 0)
      return;
    a = b;
    b = end[--waiting];
    whole = length[waiting];
  }
}

/** Sets the arc of a span up; net: homogeneous where it is rational. Where the speed overflows, the
 *  span is taken to be as long as its control polygon, evenly in the parameter. */
TSR_FN void tsr_arc_make(tsr_arc *arc, const tsr_net *net) {
  arc->cells = 0;
  arc->length = 0.0;
  arc->unit = tsr_net_legs(net, &arc->legs);
  if (!(arc->unit > 0.0))
    return;
  if (net->degree == 1 && !net->rational) {
    arc->length = tsr_legs_speed(&arc->legs, 0.0) * arc->unit;
    return;
  }
  tsr_arc_fill(arc);
  arc->length = arc->before[arc->cells] * arc->unit;
  if (!(arc->length <= TSR_ARC_MOST)) {
    tsr_net polygon = *net;
    tsr_net_project(&polygon);
    arc->length = tsr_polygon_length(&polygon);
    arc->cells = 0;
  }
}

/** The parameter in a cell at which its length is y, in the unit of the legs. */
TSR_FN double tsr_arc_in_cell(const tsr_arc *arc, int cell, double y) {
  const double from = arc->at[cell], whole = arc->before[cell + 1] - arc->before[cell];
  const double width = arc->at[cell + 1] - from;
  double low = from, high = arc->at[cell + 1], u;
  if (!(whole > 0.0))
    return from;
  u = low + (high - low) * tsr_clamp01(y / whole);
  for (int step = 0; step < TSR_ARC_STEPS; ++step) {
    const double miss = tsr_arc_integral(&arc->legs, from, u) - y;
    double next;
    if (miss == 0.0)
      return u;
    if (miss > 0.0)
      high = u;
    else
      low = u;
    next = u - miss / tsr_legs_speed(&arc->legs, u);
    if (!(next >= low && next <= high))
      next = 0.5 * (low + high);
    else if ((next - u) * (next - u) <= TSR_ARC_CLOSE * (width * width))
      return next;
    u = next;
  }
  return u;
}

/** The parameter at which the span has the length y. *cell: 0 at first; y must not decrease from
 *  call to call. A span without a length counts as 1 long. */
TSR_FN double tsr_arc_place(const tsr_arc *arc, double y, int *cell) {
  double part;
  if (arc->cells == 0)
    return tsr_clamp01(arc->length > 0.0 ? y / arc->length : y);
  part = y / arc->unit;
  while (*cell + 1 < arc->cells && arc->before[*cell + 1] <= part)
    ++*cell;
  return tsr_arc_in_cell(arc, *cell, part - arc->before[*cell]);
}

/** How a curve is divided. */
typedef struct tsr_arc_cut {
  double total; /**< its length; where that is 0, its number of spans: each counts as 1 long */
  int64_t n_segments; /**< of the whole curve */
  int empty;          /**< 1: its length is 0 */
  int limited;        /**< 1: fewer segments than asked for, by the level limit */
} tsr_arc_cut;

/** The cut of a curve whose spans have these lengths. */
TSR_FN tsr_arc_cut tsr_arc_cut_of(const tsr_curves_criteria *criteria, int closed,
                                  const double *lengths, int64_t n_spans) {
  const int64_t least = closed ? TSR_ARC_LEAST_CLOSED : 1;
  const double deepest = (double)((int64_t)1 << criteria->max_level);
  tsr_arc_cut cut = {0.0, criteria->n_segments, 0, 0};
  double longest = 0.0;
  int64_t most;
  for (int64_t s = 0; s < n_spans; ++s) {
    cut.total += lengths[s];
    longest = lengths[s] > longest ? lengths[s] : longest;
  }
  if (cut.n_segments == 0)
    cut.n_segments = tsr_ceil_count(cut.total / criteria->length, TSR_ARC_MOST_SEGMENTS);
  cut.n_segments = cut.n_segments > least ? cut.n_segments : least;
  cut.empty = !(cut.total > 0.0);
  if (cut.empty) {
    cut.total = (double)n_spans;
    longest = 1.0;
  }
  most = tsr_ceil_count(cut.total / longest * deepest, TSR_ARC_MOST_SEGMENTS);
  most = most > least ? most : least;
  cut.limited = cut.n_segments > most;
  cut.n_segments = cut.limited ? most : cut.n_segments;
  return cut;
}

/** The first segment that begins where the curve has this length or later, but not the curve's
 *  first segment. */
TSR_FN int64_t tsr_arc_first(const tsr_arc_cut *cut, double length) {
  const double share = length / cut->total - TSR_ARC_AT_JOINT;
  return tsr_ceil_count(share * (double)cut->n_segments, cut->n_segments);
}

/** Divides a curve: counts[s] becomes the number of segments that begin in span s, and lengths[s]
 *  the length of the spans before it. The first segment begins with the first span. */
TSR_FN tsr_arc_cut tsr_arc_divide(const tsr_curves_criteria *criteria, int closed, double *lengths,
                                  int64_t *counts, int64_t n_spans) {
  const tsr_arc_cut cut = tsr_arc_cut_of(criteria, closed, lengths, n_spans);
  double before = 0.0;
  int64_t first = 0;
  for (int64_t s = 0; s < n_spans; ++s) {
    const double after = before + (cut.empty ? 1.0 : lengths[s]);
    const int64_t next = s + 1 < n_spans ? tsr_arc_first(&cut, after) : cut.n_segments;
    counts[s] = next - first;
    lengths[s] = before;
    before = after;
    first = next;
  }
  return cut;
}

/** Where segment k of the curve begins, as a leaf of the span that it begins in. before: length of
 *  the spans before that one. *cell: 0 for the span's first. */
TSR_FN uint32_t tsr_arc_leaf(const tsr_arc *arc, const tsr_arc_cut *cut, double before, int64_t k,
                             int *cell) {
  const double y = cut->total * ((double)k / (double)cut->n_segments) - before;
  const double u = y > 0.0 ? tsr_arc_place(arc, y, cell) : 0.0;
  const int64_t fixed = (int64_t)(u * (double)TSR_FIXED_ONE + 0.5);
  return (uint32_t)(fixed < TSR_FIXED_ONE ? fixed : TSR_FIXED_ONE - 1);
}

/** Distance of a point from a segment. */
TSR_FN double tsr_arc_aside(const double x[3], const double from[3], const double to[3]) {
  double way[3], arm[3], way2, t;
  for (int c = 0; c < 3; ++c) {
    way[c] = to[c] - from[c];
    arm[c] = x[c] - from[c];
  }
  way2 = tsr_dot(way, way);
  t = way2 > 0.0 ? tsr_clamp01(tsr_dot(arm, way) / way2) : 0.0;
  for (int c = 0; c < 3; ++c)
    arm[c] -= t * way[c];
  return sqrt(tsr_dot(arm, arm));
}

/** Control point i of a projected net. */
TSR_FN void tsr_arc_point(const tsr_net *net, int i, double x[3]) {
  x[0] = net->x[i];
  x[1] = net->y[i];
  x[2] = net->z[i];
}

/** Bound of the distance of the span's piece between two leaves from the segment that it is a part
 *  of: its bound from its own chord, and how far that is from the segment at most. */
TSR_FN double tsr_arc_piece_error(const tsr_vertex_span *it, uint32_t a, uint32_t b,
                                  const double from[3], const double to[3]) {
  const int last = it->net.degree;
  double x[3], error, start, end;
  tsr_net piece;
  tsr_leaf_piece(&it->net, a, b, &piece);
  error = tsr_leaf_error(it->criteria, &it->net, it->wang, a, b, &piece);
  tsr_arc_point(&piece, 0, x);
  start = tsr_arc_aside(x, from, to);
  tsr_arc_point(&piece, last, x);
  end = tsr_arc_aside(x, from, to);
  return error + (start > end ? start : end);
}

/** Bound of the distance of the span from its segments, whose beginnings are its n leaves. before,
 *  after: the vertices of the curve before the first and after the last of them. */
TSR_FN double tsr_arc_span_error(const tsr_vertex_span *it, const uint32_t *leaves, int64_t n,
                                 const double before[3], const double after[3]) {
  double from[3], to[3], most = 0.0;
  uint32_t a = 0;
  for (int c = 0; c < 3; ++c)
    from[c] = before[c];
  for (int64_t k = 0; k <= n; ++k) {
    const uint32_t b = k < n ? leaves[k] : (uint32_t)TSR_FIXED_ONE;
    if (k < n)
      tsr_vertex_place(it, b, to);
    for (int c = 0; k == n && c < 3; ++c)
      to[c] = after[c];
    if (b > a) {
      const double error = tsr_arc_piece_error(it, a, b, from, to);
      most = error > most ? error : most;
    }
    for (int c = 0; c < 3; ++c)
      from[c] = to[c];
    a = b;
  }
  return most;
}

/** A vertex of a curve: a leaf of one of its spans. */
typedef struct tsr_arc_vertex {
  int64_t span, segment; /**< segment: the one that begins there; -1: the end of the curve */
} tsr_arc_vertex;

/** The vertices before the first and after the last segment that begins in span s, one of the spans
 *  [first, end) of a curve. starts: segments before each span. */
TSR_FN void tsr_arc_around(const int64_t *starts, int64_t first, int64_t end, int64_t s,
                           tsr_arc_vertex *before, tsr_arc_vertex *after) {
  const int64_t at = starts[s] > starts[first] ? starts[s] - 1 : starts[first];
  const int is_last = starts[s + 1] == starts[end];
  before->segment = at;
  before->span = tsr_part_at(starts, first, end, at);
  after->segment = is_last ? -1 : starts[s + 1];
  after->span = is_last ? end - 1 : tsr_part_at(starts, first, end, starts[s + 1]);
}

#endif
