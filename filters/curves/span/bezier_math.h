/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Bezier form: basis, restriction to an interval, conversion from Lagrange form, and bounds.
 * Control values are plain arrays of degree + 1 doubles, one array a component.
 * Sources: Farin, Curves and Surfaces for CAGD; Sederberg, Computer Aided Geometric Design.
 */
#ifndef TSR_CURVES_SPAN_BEZIER_MATH_H
#define TSR_CURVES_SPAN_BEZIER_MATH_H

#include "common/vector_math.h"
#include "curves/span/degree.h"

/** Control points of one span. Rational: x, y, z are multiplied by w (homogeneous). */
typedef struct tsr_net {
  tsr_degree degree;
  tsr_rational rational;
  double x[TSR_MAX_ORDER], y[TSR_MAX_ORDER], z[TSR_MAX_ORDER], w[TSR_MAX_ORDER];
} tsr_net;

/** Bernstein basis of degree 2 and 3 at u, each value to its own place. */
TSR_FN void tsr_bernstein2(double u, double *b0, double *b1, double *b2) {
  const double s = 1.0 - u;
  *b0 = s * s;
  *b1 = 2.0 * (s * u);
  *b2 = u * u;
}

TSR_FN void tsr_bernstein3(double u, double *b0, double *b1, double *b2, double *b3) {
  const double s = 1.0 - u, ss = s * s, uu = u * u;
  *b0 = ss * s;
  *b1 = 3.0 * (ss * u);
  *b2 = 3.0 * (s * uu);
  *b3 = uu * u;
}

/** Bernstein basis of the degree at u: basis[0..degree]. Exact at u = 0 and u = 1. */
TSR_FN void tsr_bernstein(int degree, double u, double *basis) {
  const double s = 1.0 - u;
  double choose = 1.0, power = 1.0;
  int i;
  if (degree == 2) {
    tsr_bernstein2(u, &basis[0], &basis[1], &basis[2]);
    return;
  }
  if (degree == 3) {
    tsr_bernstein3(u, &basis[0], &basis[1], &basis[2], &basis[3]);
    return;
  }
  for (i = 0; i <= degree; ++i) {
    basis[i] = choose * power;
    choose = choose * (double)(degree - i) / (double)(i + 1);
    power *= u;
  }
  power = 1.0;
  for (i = degree; i >= 0; --i) {
    basis[i] *= power;
    power *= s;
  }
}

/** Sum of basis[i] * q[i]. */
TSR_FN double tsr_combine(int degree, const double *basis, const double *q) {
  double sum = basis[0] * q[0];
  for (int i = 1; i <= degree; ++i)
    sum += basis[i] * q[i];
  return sum;
}

/** tsr_restrict for one degree; inlined with each constant degree, so that the loops unroll. */
TSR_FN void tsr_restrict_degree(int degree, double *q, double a, double b) {
  if (b < 1.0) {
    TSR_UNROLL
    for (int r = 1; r <= degree; ++r)
      TSR_UNROLL
    for (int i = degree; i >= r; --i)
      q[i] = (1.0 - b) * q[i - 1] + b * q[i];
  }
  if (a > 0.0) {
    const double c = a / b;
    TSR_UNROLL
    for (int r = 1; r <= degree; ++r)
      TSR_UNROLL
    for (int i = 0; i <= degree - r; ++i)
      q[i] = (1.0 - c) * q[i] + c * q[i + 1];
  }
}

/** Replaces q by the control values of the same polynomial on [a, b], 0 <= a < b <= 1. */
TSR_FN void tsr_restrict(int degree, double *q, double a, double b) {
  switch (degree) {
  case 1:
    tsr_restrict_degree(1, q, a, b);
    break;
  case 2:
    tsr_restrict_degree(2, q, a, b);
    break;
  case 3:
    tsr_restrict_degree(3, q, a, b);
    break;
  default:
    tsr_restrict_degree(degree, q, a, b);
    break;
  }
}

TSR_FN void tsr_net_piece_degree(int degree, const tsr_net *net, double a, double b,
                                 tsr_net *piece) {
  TSR_UNROLL
  for (int i = 0; i <= degree; ++i) {
    piece->x[i] = net->x[i];
    piece->y[i] = net->y[i];
    piece->z[i] = net->z[i];
  }
  tsr_restrict_degree(degree, piece->x, a, b);
  tsr_restrict_degree(degree, piece->y, a, b);
  tsr_restrict_degree(degree, piece->z, a, b);
}

/** The piece of a net on [a, b]. */
TSR_FN void tsr_net_piece(const tsr_net *net, double a, double b, tsr_net *piece) {
  piece->degree = net->degree;
  piece->rational = net->rational;
  switch (net->degree) {
  case 2:
    tsr_net_piece_degree(2, net, a, b, piece);
    break;
  case 3:
    tsr_net_piece_degree(3, net, a, b, piece);
    break;
  default:
    tsr_net_piece_degree(net->degree, net, a, b, piece);
    break;
  }
  if (!net->rational)
    return;
  for (int i = 0; i <= net->degree; ++i)
    piece->w[i] = net->w[i];
  tsr_restrict(net->degree, piece->w, a, b);
}

/** Divides a rational net's coordinates by its weights; the weights stay. */
TSR_FN void tsr_net_project(tsr_net *net) {
  if (!net->rational)
    return;
  for (int i = 0; i <= net->degree; ++i) {
    net->x[i] /= net->w[i];
    net->y[i] /= net->w[i];
    net->z[i] /= net->w[i];
  }
}

/** The first of the count nodes, neighbours, that lie around the one given: as many on both sides
 *  as there are. */
TSR_FN int tsr_nodes_around(int degree, int node, int count) {
  const int first = node - (count - 1) / 2, last = degree + 1 - count;
  return first < 0 ? 0 : (first > last ? last : first);
}

/** The general case of tsr_lagrange_to_bezier. Newton's form takes the nodes from the interval
 *  outwards: in their order along the curve the products of distances would grow, and rounding
 *  with them, 2^degree times. */
TSR_FN void tsr_newton_to_bezier(int degree, int lo, int hi, double *q) {
  const int middle = (lo + hi) / 2;
  double p[TSR_MAX_ORDER];
  for (int r = 1; r <= degree; ++r) { /* q[0..r - 1]: of Newton's form; then differences */
    const double next = q[tsr_nodes_around(degree, middle, r) + r - 1];
    for (int i = degree; i >= r; --i)
      q[i] = (q[i] - q[i - 1]) / (double)r;
    q[r - 1] = next;
  }
  p[0] = q[degree];
  for (int n = 0; n < degree; ++n) { /* p has degree n; times (x - node), plus a difference */
    const int r = degree - n, first = tsr_nodes_around(degree, middle, r);
    const int grew_down = r > 1 && first < tsr_nodes_around(degree, middle, r - 1);
    const int node = grew_down ? first : first + r - 1;
    const double a = (double)(lo - node), b = (double)(hi - node), inv = 1.0 / (double)(n + 1);
    p[n + 1] = b * p[n];
    for (int i = n; i >= 1; --i)
      p[i] = ((double)(n + 1 - i) * (a * p[i]) + (double)i * (b * p[i - 1])) * inv;
    p[0] = a * p[0];
    for (int i = 0; i <= n + 1; ++i)
      p[i] += q[r - 1];
  }
  for (int i = 0; i <= degree; ++i)
    q[i] = p[i];
}

/**
 * Replaces values q at the nodes 0, 1, ..., degree by the Bezier control values, on [lo, hi], of
 * the polynomial through them: divided differences, then Newton's form multiplied out in
 * Bernstein form. lo and hi are nodes; the ends come out exactly.
 */
TSR_FN void tsr_lagrange_to_bezier(int degree, int lo, int hi, double *q) {
  const double first = q[lo], last = q[hi];
  if (degree == 2 && hi - lo == 1) /* half of a quadratic edge, the commonest case by far */
    q[1] = lo == 0 ? (0.25 * q[0] + q[1]) - 0.25 * q[2] : (0.25 * q[2] + q[1]) - 0.25 * q[0];
  else
    tsr_newton_to_bezier(degree, lo, hi, q);
  q[0] = first;
  q[degree] = last;
}

/** Vector from control point i to j of a projected net; returns its squared length. */
TSR_FN double tsr_net_leg(const tsr_net *net, int i, int j, double leg[3]) {
  leg[0] = net->x[j] - net->x[i];
  leg[1] = net->y[j] - net->y[i];
  leg[2] = net->z[j] - net->z[i];
  return (leg[0] * leg[0] + leg[1] * leg[1]) + leg[2] * leg[2];
}

/** Where control point i projects to on the chord: 0 at its start, 1 at its end. *arm receives the
 *  vector from the start. over_length2: 1 / |chord|^2, or 0. */
TSR_FN double tsr_net_place(const tsr_net *net, int i, const double chord[3], double over_length2,
                            double arm[3]) {
  tsr_net_leg(net, 0, i, arm);
  return tsr_dot(arm, chord) * over_length2;
}

/** Squared length of arm - t * chord, which is stored in *offset. */
TSR_FN double tsr_offset2(const double arm[3], double t, const double chord[3], double offset[3]) {
  for (int c = 0; c < 3; ++c)
    offset[c] = arm[c] - t * chord[c];
  return tsr_dot(offset, offset);
}

TSR_FN double tsr_clamp01(double t) { return t < 0.0 ? 0.0 : (t > 1.0 ? 1.0 : t); }

/** Largest value on [0, 1] of 3t(1-t)((1-t)a + tb) for a, b >= 0. */
TSR_FN double tsr_cubic_peak(double a, double b) {
  double t;
  if (a < b) {
    const double swap = a;
    a = b;
    b = swap;
  }
  if (!(a > 0.0))
    return 0.0;
  t = a / ((2.0 * a - b) + sqrt((a * a - a * b) + b * b));
  return 3.0 * (t * (1.0 - t)) * ((1.0 - t) * a + t * b);
}

/** The share of a Bezier curve's weight that inner control points can reach: 1 - 2^(1-degree),
 *  for a rational curve corrected by the ratio of its weights. */
TSR_FN double tsr_inner_share(const tsr_net *net) {
  double share = 1.0, inner = 0.0, ends;
  for (int i = 1; i < net->degree; ++i)
    share *= 0.5;
  share = 1.0 - share;
  if (!net->rational)
    return share;
  ends = net->w[0] < net->w[net->degree] ? net->w[0] : net->w[net->degree];
  for (int i = 1; i < net->degree; ++i)
    inner = net->w[i] > inner ? net->w[i] : inner;
  return inner * share / (inner * share + ends * (1.0 - share));
}

/** The offsets of a cubic's inner control points from its chord. */
typedef struct tsr_cubic_offsets {
  double d1, d2;  /**< squared */
  double against; /**< dot product */
} tsr_cubic_offsets;

TSR_FN tsr_cubic_offsets tsr_cubic_measure(const tsr_net *net) {
  tsr_cubic_offsets it;
  double chord[3], arm1[3], arm2[3], y1[3], y2[3];
  const double length2 = tsr_net_leg(net, 0, 3, chord);
  const double over = length2 > 0.0 ? 1.0 / length2 : 0.0;
  const double t1 = tsr_clamp01(tsr_net_place(net, 1, chord, over, arm1));
  const double t2 = tsr_clamp01(tsr_net_place(net, 2, chord, over, arm2));
  it.d1 = tsr_offset2(arm1, t1, chord, y1);
  it.d2 = tsr_offset2(arm2, t2, chord, y2);
  it.against = tsr_dot(y1, y2);
  return it;
}

/**
 * Flatness of a polynomial cubic. The curve is no further from its chord than the sum of the
 * offsets, each times its Bernstein polynomial, whose peak is 4/9: where they are against each
 * other, so is each alone the most on its side, instead of 3/4 for both.
 */
TSR_FN double tsr_cubic_flatness(const tsr_cubic_offsets *it) {
  const double peak = tsr_cubic_peak(sqrt(it->d1), sqrt(it->d2));
  double opposite, across, bound;
  if (!(it->against < 0.0))
    return peak;
  opposite = it->against * it->against / it->d1; /* squared part of one offset against the other */
  across = it->d2 > opposite ? it->d2 - opposite : 0.0;
  bound = 4.0 / 9.0 * sqrt((it->d1 > opposite ? it->d1 : opposite) + across);
  return bound < peak ? bound : peak;
}

/** 1 or 0 if the larger offset of a polynomial cubic tells whether its flatness is at most `most`,
 *  which it does in most cases: the flatness lies between 4/9 and 3/4 of it. Else -1. */
TSR_FN int tsr_cubic_known_flat(const tsr_cubic_offsets *it, double most) {
  const double d = it->d1 > it->d2 ? it->d1 : it->d2, most2 = most * most;
  if (9.0 / 16.0 * d <= most2)
    return 1;
  return 16.0 / 81.0 * d > most2 ? 0 : -1;
}

/** 1 if the flatness of a polynomial cubic is at most `most`. */
TSR_FN int tsr_cubic_is_flat(const tsr_net *net, double most) {
  const tsr_cubic_offsets it = tsr_cubic_measure(net);
  const int known = tsr_cubic_known_flat(&it, most);
  return known < 0 ? tsr_cubic_flatness(&it) <= most : known;
}

/**
 * Upper bound of the distance of a projected net's curve from its chord, a segment.
 * The distance D to a segment is convex and zero at both ends, so it is at most
 * sum_i B_i(t) D(P_i) over the inner control points.
 */
TSR_FN double tsr_net_flatness(const tsr_net *net) {
  double chord[3], arm[3], offset[3], most2 = 0.0, length2, over;
  if (net->degree < 2)
    return 0.0;
  if (net->degree == 3 && !net->rational) {
    const tsr_cubic_offsets it = tsr_cubic_measure(net);
    return tsr_cubic_flatness(&it);
  }
  length2 = tsr_net_leg(net, 0, net->degree, chord);
  over = length2 > 0.0 ? 1.0 / length2 : 0.0;
  for (int i = 1; i < net->degree; ++i) {
    const double t = tsr_clamp01(tsr_net_place(net, i, chord, over, arm));
    const double d2 = tsr_offset2(arm, t, chord, offset);
    most2 = d2 > most2 ? d2 : most2;
  }
  return tsr_inner_share(net) * sqrt(most2);
}

/** 1 if the flatness is at most `most`. */
TSR_FN int tsr_net_is_flat(const tsr_net *net, double most) {
  if (net->degree == 3 && !net->rational)
    return tsr_cubic_is_flat(net, most);
  return tsr_net_flatness(net) <= most;
}

/**
 * What has to be added to the flatness to bound the Frechet distance of a projected net's curve
 * from its chord, too: half of how far the nearest places of the control points go back along the
 * chord. The curve is within its flatness of the sum of these places with the curve's own weights,
 * and that sum goes back no farther than they do. Of a parabola, and of a polynomial of degree 3,
 * the sum never goes back.
 */
TSR_FN double tsr_net_back(const tsr_net *net) {
  double chord[3], arm[3], length2, over, far = 0.0, back = 0.0;
  if (net->degree < 3 || (net->degree == 3 && !net->rational))
    return 0.0;
  length2 = tsr_net_leg(net, 0, net->degree, chord);
  over = length2 > 0.0 ? 1.0 / length2 : 0.0;
  for (int i = 1; i < net->degree; ++i) {
    const double t = tsr_clamp01(tsr_net_place(net, i, chord, over, arm));
    far = t > far ? t : far;
    back = far - t > back ? far - t : back;
  }
  return back > 0.0 ? 0.5 * back * sqrt(length2) : 0.0;
}

/** Largest |q[i] - 2 q[i+1] + q[i+2]| over i, of points; squared. */
TSR_FN double tsr_net_bend2(const tsr_net *net) {
  double most = 0.0;
  for (int i = 0; i + 2 <= net->degree; ++i) {
    const double x = (net->x[i] - 2.0 * net->x[i + 1]) + net->x[i + 2];
    const double y = (net->y[i] - 2.0 * net->y[i + 1]) + net->y[i + 2];
    const double z = (net->z[i] - 2.0 * net->z[i + 1]) + net->z[i + 2];
    const double bend2 = (x * x + y * y) + z * z;
    most = bend2 > most ? bend2 : most;
  }
  return most;
}

/**
 * The number that Wang's bound compares with: max |second difference| of a polynomial net. For a
 * rational net X/w, compare with the projective chord: |X/w - LX/Lw| <= (|X - LX| + |C| |w - Lw|) /
 * Lw, so (max |ddX| + R max |ddw|) / min w, with R the largest distance of a control point from the
 * origin, which is moved to the middle of the control points first.
 */
TSR_FN double tsr_net_wang(const tsr_net *homogeneous) {
  tsr_net net = *homogeneous;
  double middle[3], radius2 = 0.0, bend_w = 0.0, least_w;
  if (!net.rational)
    return sqrt(tsr_net_bend2(&net));
  middle[0] = 0.5 * (net.x[0] / net.w[0] + net.x[net.degree] / net.w[net.degree]);
  middle[1] = 0.5 * (net.y[0] / net.w[0] + net.y[net.degree] / net.w[net.degree]);
  middle[2] = 0.5 * (net.z[0] / net.w[0] + net.z[net.degree] / net.w[net.degree]);
  least_w = net.w[0];
  for (int i = 0; i <= net.degree; ++i) {
    double x, y, z, r2;
    net.x[i] -= middle[0] * net.w[i];
    net.y[i] -= middle[1] * net.w[i];
    net.z[i] -= middle[2] * net.w[i];
    x = net.x[i] / net.w[i];
    y = net.y[i] / net.w[i];
    z = net.z[i] / net.w[i];
    r2 = (x * x + y * y) + z * z;
    radius2 = r2 > radius2 ? r2 : radius2;
    least_w = net.w[i] < least_w ? net.w[i] : least_w;
  }
  for (int i = 0; i + 2 <= net.degree; ++i) {
    const double bend = fabs((net.w[i] - 2.0 * net.w[i + 1]) + net.w[i + 2]);
    bend_w = bend > bend_w ? bend : bend_w;
  }
  return (sqrt(tsr_net_bend2(&net)) + sqrt(radius2) * bend_w) / least_w;
}

/** Wang's bound of the chord error of a net as one segment; of n uniform ones it is 1/n^2 of that.
 */
TSR_FN double tsr_wang_error(const tsr_net *net) {
  return (double)(net->degree * (net->degree - 1)) / 8.0 * tsr_net_wang(net);
}

#endif
