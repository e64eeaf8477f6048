/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Grids: what criteria measure. An input cell gives a payload of three numbers:
 *
 *     value range          smallest and largest value, 0
 *     standard deviation   number of values, their mean, sum of the squared deviations from it
 *     all others           largest value, 0, 0
 *
 * The payload of a node is the empty one combined with those of its children, in their order: along
 * axis 0 first. A cell with a value that is not finite gives an infinite measure. A hidden cell
 * gives the empty payload.
 */
#ifndef TSR_GRID_CRITERIA_MEASURE_MATH_H
#define TSR_GRID_CRITERIA_MEASURE_MATH_H

#include "grid/criteria/field_math.h"

/** The payload of a node without visible cells. */
TSR_FN void tsr_payload_empty(const tsr_rule *rule, double p[3]) {
  p[0] = rule->measure == TSR_MEASURE_VALUE_RANGE          ? TSR_INFINITY
         : rule->measure == TSR_MEASURE_STANDARD_DEVIATION ? 0.0
                                                           : -TSR_INFINITY;
  p[1] = rule->measure == TSR_MEASURE_VALUE_RANGE ? -TSR_INFINITY : 0.0;
  p[2] = 0.0;
}

/** The payload of a cell with a value that is not finite. */
TSR_FN void tsr_payload_bad(const tsr_rule *rule, double p[3]) {
  p[0] = rule->measure == TSR_MEASURE_VALUE_RANGE          ? -TSR_INFINITY
         : rule->measure == TSR_MEASURE_STANDARD_DEVIATION ? 1.0
                                                           : TSR_INFINITY;
  p[1] = rule->measure == TSR_MEASURE_VALUE_RANGE ? TSR_INFINITY : 0.0;
  p[2] = TSR_INFINITY;
}

/** Combines payload q into p: the union of ranges, the larger value, or the joint mean and squares
 *  (Chan, Golub and LeVeque, 1979). */
TSR_FN void tsr_payload_combine(tsr_grid_measure measure, double p[3], const double q[3]) {
  if (measure == TSR_MEASURE_VALUE_RANGE) {
    p[0] = q[0] < p[0] ? q[0] : p[0];
    p[1] = q[1] > p[1] ? q[1] : p[1];
  } else if (measure != TSR_MEASURE_STANDARD_DEVIATION) {
    p[0] = q[0] > p[0] ? q[0] : p[0];
  } else if (q[0] > 0.0) {
    const double n = p[0] + q[0], d = q[1] - p[1];
    p[2] = (p[2] + q[2]) + d * d * (p[0] * q[0] / n);
    p[1] = p[1] + d * (q[0] / n);
    p[0] = n;
  }
}

/** Largest difference that rounding alone can make between values of this magnitude, eight units of
 *  the last place: interpolants and means of a few values are within that. Smaller differences
 *  count as 0. */
TSR_FN double tsr_rounding_of(double magnitude) {
  return tsr_finite(magnitude) ? 1.7763568394002505e-15 * magnitude : 0.0; /* 8 times 2^-52 */
}

/** tsr_rounding_of() the corner value of largest magnitude: for an interpolant between corners. */
TSR_FN double tsr_corners_rounding(int dimension, const double corner[8]) {
  double most = 0.0;
  for (int k = 0; k < 1 << dimension; ++k)
    most = fabs(corner[k]) > most ? fabs(corner[k]) : most;
  return tsr_rounding_of(most);
}

/** The standard deviation of a payload. */
TSR_FN double tsr_payload_deviation(const double p[3]) {
  const double deviation = p[0] > 0.0 ? sqrt(p[2] / p[0]) : 0.0;
  return deviation <= tsr_rounding_of(fabs(p[1])) ? 0.0 : deviation;
}

/** The measure of a node from its payload. A gradient is scaled by the node's size at `level`. */
TSR_FN double tsr_payload_measure(const tsr_lattice *lattice, tsr_grid_measure measure, int level,
                                  const double p[3]) {
  const int by = lattice->coarsen - level;
  switch (measure) {
  case TSR_MEASURE_VALUE_RANGE:
    return p[1] - p[0];
  case TSR_MEASURE_STANDARD_DEVIATION:
    return tsr_payload_deviation(p);
  case TSR_MEASURE_GRADIENT:
    return by >= 0 ? p[0] * (double)((int64_t)1 << by) : p[0] / (double)((int64_t)1 << -by);
  default:
    return p[0];
  }
}

/** 1 if the rule asks to refine a node of `level`. Where the measure is not finite, nodes are
 * refined down to input cells and no further. */
TSR_FN int tsr_rule_asks(const tsr_lattice *lattice, const tsr_rule *rule, int level,
                         double measure) {
  if (rule->max_level >= 0 && level >= rule->max_level)
    return 0;
  if (measure == TSR_INFINITY || measure != measure)
    return level < lattice->coarsen;
  return measure > rule->threshold;
}

/** Magnitude of the undivided gradient at the centre of a cell with these values at its corners. */
TSR_FN double tsr_corners_gradient(int dimension, const double v[8]) {
  double squares = 0.0;
  TSR_UNROLL
  for (int a = 0; a < dimension; ++a) {
    const double d = tsr_corners_difference(dimension, a, v) / (double)(1 << (dimension - 1));
    squares += d * d;
  }
  return sqrt(squares);
}

/** Mean of the corner values. */
TSR_FN double tsr_corners_mean(int dimension, const double v[8]) {
  const int n = 1 << dimension;
  double sum = 0.0;
  TSR_UNROLL
  for (int k = 0; k < n; ++k)
    sum += v[k];
  return sum / (double)n;
}

/** Sum of the squared differences from the mean. */
TSR_FN double tsr_corners_squares(int dimension, const double v[8], double mean) {
  const int n = 1 << dimension;
  double sum = 0.0;
  TSR_UNROLL
  for (int k = 0; k < n; ++k)
    sum += (v[k] - mean) * (v[k] - mean);
  return sum;
}

/** Payload of a cell from the values at its corners; for SECOND_DERIVATIVE v holds the estimator at
 *  the corners instead. */
TSR_FN void tsr_payload_corners(int dimension, const tsr_rule *rule, const double v[8],
                                double p[3]) {
  const int n = 1 << dimension;
  double lo = v[0], hi = v[0];
  int bad = 0;
  for (int k = 0; k < n; ++k) {
    bad |= !tsr_finite(v[k]);
    lo = v[k] < lo ? v[k] : lo;
    hi = v[k] > hi ? v[k] : hi;
  }
  if (bad) {
    tsr_payload_bad(rule, p);
    return;
  }
  p[0] = hi;
  p[1] = p[2] = 0.0;
  if (rule->measure == TSR_MEASURE_VALUE_RANGE) {
    p[0] = lo;
    p[1] = hi;
  } else if (rule->measure == TSR_MEASURE_IN_RANGE) {
    p[0] = hi >= rule->lower && lo <= rule->upper ? 1.0 : 0.0;
  } else if (rule->measure == TSR_MEASURE_STANDARD_DEVIATION) {
    p[0] = (double)n;
    p[1] = tsr_corners_mean(dimension, v);
    p[2] = tsr_corners_squares(dimension, v, p[1]);
  } else if (rule->measure == TSR_MEASURE_GRADIENT) {
    p[0] = tsr_corners_gradient(dimension, v);
  }
}

/** Payload of a cell from its own value; for SECOND_DERIVATIVE v is the estimator instead. */
TSR_FN void tsr_payload_value(const tsr_rule *rule, double v, double p[3]) {
  if (!tsr_finite(v)) {
    tsr_payload_bad(rule, p);
    return;
  }
  p[0] = v;
  p[1] = p[2] = 0.0;
  if (rule->measure == TSR_MEASURE_VALUE_RANGE) {
    p[1] = v;
  } else if (rule->measure == TSR_MEASURE_STANDARD_DEVIATION) {
    p[0] = 1.0;
    p[1] = v;
  } else if (rule->measure == TSR_MEASURE_IN_RANGE) {
    p[0] = v >= rule->lower && v <= rule->upper ? 1.0 : 0.0;
  }
}

/** Place of sample s, a point or a cell as the rule's array has it. */
TSR_FN int64_t tsr_sample_at(const tsr_lattice *lattice, const tsr_rule *rule, const int64_t s[3]) {
  return rule->cell_data ? tsr_cell_at(lattice, s) : tsr_point_at(lattice, s);
}

/** Samples of the whole grid along an axis. */
TSR_FN int64_t tsr_sample_count(const tsr_lattice *lattice, const tsr_rule *rule, int axis) {
  return axis >= lattice->dimension ? 1 : lattice->cells[axis] + (rule->cell_data ? 0 : 1);
}

/** Adds d squared to the numerator of Loehner's estimator and e squared to its denominator, if both
 *  squares are finite. */
TSR_FN void tsr_second_derivative_add(double d, double e, double *above, double *below) {
  const double dd = d * d, ee = e * e;
  const int counts = tsr_finite(dd) & tsr_finite(ee);
  *above += counts ? dd : 0.0;
  *below += counts ? ee : 0.0;
}

/** Adds the term of the second derivative along one axis, from the samples before, at and after. */
TSR_FN void tsr_second_derivative_along(double l, double m, double h, double *above,
                                        double *below) {
  const double filter = 0.01;
  const double d = (h - m) - (m - l);
  const double e = (fabs(h - m) + fabs(m - l)) + filter * ((fabs(h) + 2.0 * fabs(m)) + fabs(l));
  tsr_second_derivative_add(d, e, above, below);
}

/** Adds the term of a mixed derivative, from the samples at four corners: the difference of the
 *  differences along the second axis. */
TSR_FN void tsr_second_derivative_mixed(double ll, double lh, double hl, double hh, double *above,
                                        double *below) {
  const double filter = 0.01;
  const double d = 0.25 * ((hh - hl) - (lh - ll));
  const double e = 0.25 * ((fabs(hh - hl) + fabs(lh - ll)) +
                           filter * ((fabs(hh) + fabs(hl)) + (fabs(lh) + fabs(ll))));
  tsr_second_derivative_add(d, e, above, below);
}

/** Adds the terms of both mixed derivatives along two axes. Their denominators differ, so both are
 *  needed; added as one sum they do not depend on the order of the axes. */
TSR_FN void tsr_second_derivative_across(double ll, double lh, double hl, double hh, double *above,
                                         double *below) {
  double d = 0.0, e = 0.0;
  tsr_second_derivative_mixed(ll, lh, hl, hh, &d, &e);
  tsr_second_derivative_mixed(ll, hl, lh, hh, &d, &e);
  *above += d;
  *below += e;
}

/** The estimator at a sample `m`. */
TSR_FN double tsr_second_derivative_ratio(double m, double above, double below) {
  const double ratio = below > 0.0 ? sqrt(above / below) : 0.0;
  return tsr_finite(m) ? ratio : TSR_INFINITY;
}

/** Loehner's estimator at sample s. Derivatives along an axis on whose end s lies are left out. */
TSR_FN double tsr_second_derivative(const tsr_lattice *lattice, const tsr_rule *rule,
                                    const int64_t s[3]) {
  const int64_t *step = rule->cell_data ? lattice->cell_step : lattice->point_step;
  const int64_t at = tsr_sample_at(lattice, rule, s);
  const double m = tsr_sample(rule, at);
  double above = 0.0, below = 0.0;
  for (int a = 0; a < lattice->dimension; ++a) {
    if (s[a] < 1 || s[a] > tsr_sample_count(lattice, rule, a) - 2)
      continue;
    tsr_second_derivative_along(tsr_sample(rule, at - step[a]), m, tsr_sample(rule, at + step[a]),
                                &above, &below);
    for (int b = a + 1; b < lattice->dimension; ++b)
      if (s[b] >= 1 && s[b] <= tsr_sample_count(lattice, rule, b) - 2)
        tsr_second_derivative_across(tsr_sample(rule, at - step[a] - step[b]),
                                     tsr_sample(rule, at - step[a] + step[b]),
                                     tsr_sample(rule, at + step[a] - step[b]),
                                     tsr_sample(rule, at + step[a] + step[b]), &above, &below);
  }
  return tsr_second_derivative_ratio(m, above, below);
}

/** Values at the corners of an input cell; for SECOND_DERIVATIVE the estimator at the corners. */
TSR_FN void tsr_cell_corner_values(const tsr_lattice *lattice, const tsr_rule *rule,
                                   const int64_t c[3], double v[8]) {
  const int n = 1 << lattice->dimension;
  for (int k = 0; k < n; ++k) {
    const int64_t p[3] = {c[0] + (k & 1), c[1] + ((k >> 1) & 1), c[2] + ((k >> 2) & 1)};
    v[k] = rule->measure == TSR_MEASURE_SECOND_DERIVATIVE
               ? tsr_second_derivative(lattice, rule, p)
               : tsr_sample(rule, tsr_point_at(lattice, p));
  }
}

/** Payload of a visible input cell. *flat: set to 1 where the cell is flat. */
TSR_FN void tsr_cell_payload(const tsr_lattice *lattice, const tsr_space *space,
                             const tsr_rule *rule, const int64_t c[3], double p[3], int *flat) {
  double v[8] = {0.0};
  if (rule->measure == TSR_MEASURE_VORTICITY || rule->measure == TSR_MEASURE_Q) {
    if (!tsr_cell_flow(lattice, space, rule, c, &v[0]))
      *flat = 1;
    tsr_payload_value(rule, v[0], p);
  } else if (!rule->cell_data) {
    tsr_cell_corner_values(lattice, rule, c, v);
    tsr_payload_corners(lattice->dimension, rule, v, p);
  } else {
    v[0] = rule->measure == TSR_MEASURE_GRADIENT ? tsr_cell_gradient(lattice, rule, c)
           : rule->measure == TSR_MEASURE_SECOND_DERIVATIVE
               ? tsr_second_derivative(lattice, rule, c)
               : tsr_sample(rule, tsr_cell_at(lattice, c));
    tsr_payload_value(rule, v[0], p);
  }
}

/** Measure of node i, which is finer than the input cells. VALUE_RANGE, IN_RANGE and
 *  STANDARD_DEVIATION of point data use the values interpolated at its corners; all others use the
 *  payload of the input cell that contains it. */
TSR_FN double tsr_part_measure(const tsr_lattice *lattice, const tsr_space *space,
                               const tsr_rule *rule, int level, const int64_t i[3]) {
  const int below = level - lattice->coarsen, n = 1 << lattice->dimension;
  const double unit = 1.0 / (double)((int64_t)1 << below);
  int64_t c[3];
  double p[3], v[8] = {0.0}, w[8] = {0.0};
  int flat = 0;
  for (int a = 0; a < 3; ++a)
    c[a] = tsr_shift(lattice, a, i[a], below);
  tsr_cell_payload(lattice, space, rule, c, p, &flat);
  if (rule->cell_data || rule->measure == TSR_MEASURE_GRADIENT ||
      (rule->measure != TSR_MEASURE_VALUE_RANGE && rule->measure != TSR_MEASURE_IN_RANGE &&
       rule->measure != TSR_MEASURE_STANDARD_DEVIATION))
    return tsr_payload_measure(lattice, rule->measure, level, p);
  tsr_cell_corner_values(lattice, rule, c, v);
  for (int k = 0; k < n; ++k) {
    double t[3] = {0.0, 0.0, 0.0};
    for (int a = 0; a < lattice->dimension; ++a)
      t[a] = (double)(i[a] + ((k >> a) & 1) - c[a] * ((int64_t)1 << below)) * unit;
    w[k] = tsr_multilinear(lattice->dimension, v, t);
  }
  tsr_payload_corners(lattice->dimension, rule, w, p);
  return tsr_payload_measure(lattice, rule->measure, level, p);
}

/** First and last input point of a node that is no smaller than an input cell, along all axes. */
TSR_FN void tsr_node_points(const tsr_lattice *lattice, int level, const int64_t i[3],
                            int64_t first[3], int64_t last[3]) {
  for (int a = 0; a < 3; ++a) {
    int64_t range[2];
    tsr_node_cells(lattice, a, level, i[a], range);
    first[a] = range[0];
    last[a] = a < lattice->dimension ? range[1] : range[0];
  }
}

/** Values of a component at the corners of a node that is no smaller than an input cell. */
TSR_FN void tsr_node_corner_values(const tsr_lattice *lattice, const tsr_array *array,
                                   int component, int level, const int64_t i[3], double v[8]) {
  const int n = 1 << lattice->dimension;
  int64_t first[3], last[3];
  tsr_node_points(lattice, level, i, first, last);
  for (int k = 0; k < n; ++k) {
    int64_t p[3];
    for (int a = 0; a < 3; ++a)
      p[a] = (k >> a) & 1 ? last[a] : first[a];
    v[k] = tsr_load(array, tsr_point_at(lattice, p) * array->components + component);
  }
}

#endif
