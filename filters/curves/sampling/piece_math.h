/* SPDX-License-Identifier: BSD-3-Clause */
/** The criteria, and whether one piece of a span fulfils them. */
#ifndef TSR_CURVES_SAMPLING_PIECE_MATH_H
#define TSR_CURVES_SAMPLING_PIECE_MATH_H

#include "curves/sampling/density_math.h"
#include "curves/sampling/field_math.h"

/** An array of the field error. */
typedef struct tsr_field {
  tsr_array array;
  double unit; /**< times criteria->field: what is allowed; 0: it asks for nothing */
  int linear;  /**< it follows the span linearly */
} tsr_field;

/** The options as the arithmetic needs them: absolute, scaled by the point budget. */
typedef struct tsr_curves_criteria {
  tsr_curve_rules rules;
  tsr_sampling sampling;
  int max_level;
  int64_t most_segments; /**< UNIFORM: of one span; at most 2^max_level */
  int64_t n_segments;    /**< EQUAL_ARC_LENGTH: of a curve; 0: `length` decides */
  int use_curvature, min_points, max_points;
  double curvature_factor;
  int use_chord, use_turning, use_length, use_field;
  double chord;         /**< chord error, less what rounding takes */
  double rounding;      /**< most that the type of the points moves them */
  double turning_cos;   /**< cosine of half the turning angle */
  double length, field; /**< segment length, field error */
  const tsr_field *fields;
  int n_fields;
  int off_curve;   /**< vertices may lie off the curve */
  int coarsen;     /**< joints may go */
  int fixed_steps; /**< parameters are kept in fixed point, uniform ones, too; set by a count */
  const tsr_array *labels; /**< as TSR_UINT8, a component a byte */
  int n_labels;
  int wide; /**< tsr_lanes_are_wide */
} tsr_curves_criteria;

/** Part of a span's length below which a piece may turn by more than the turning angle: a cusp
 * turns back however short its piece is. */
#define TSR_CUSP (1.0 / 1048576.0)

/** A component of a field that asks for anything, with what bounds its error on the pieces of a
 *  span: see tsr_component_most. */
typedef struct tsr_component {
  const tsr_field *field;
  int component;
  int kept;                 /**< its number among those that are kept; -1: it is not kept */
  double allowed;           /**< its error */
  double bend, slope, size; /**< bounds of the span's second and first differences and values, as
                                 shares of `allowed` */
} tsr_component;

/** Where a span's fields are kept in Bezier form, so that they are loaded once and not for each
 * piece that is looked at: control value i of component k, of all that ask for anything and follow
 * the curve, at q[(k * TSR_MAX_ORDER + i) * stride]. */
typedef struct tsr_kept_fields {
  double *q; /**< NULL: nothing is kept */
  int64_t stride;
  int made;            /**< 0: not yet */
  tsr_component *list; /**< on the CPU: all components, in the order in which they are looked at;
                            NULL: in the order of the fields. Only where fields are kept */
  int n_list;
} tsr_kept_fields;

/** 1 if the components are in a list. Never on a device: there the threads of a warp look at the
 *  same component at the same time, and lists of their own would make them wait for each other. */
#ifdef __CUDACC__
#define TSR_HAS_LIST(kept) 0
#else
#define TSR_HAS_LIST(kept) ((kept)->list != NULL)
#endif

/** 1 if the field asks for anything and follows the curve, so that it can be kept. */
TSR_FN int tsr_field_is_kept(const tsr_curves_criteria *criteria, const tsr_field *field) {
  return criteria->field * field->unit > 0.0 && !field->linear;
}

/** Components that are kept of a span: times TSR_MAX_ORDER values. */
TSR_FN int tsr_kept_components(const tsr_curves_criteria *criteria) {
  int n = 0;
  for (int f = 0; criteria->use_field && f < criteria->n_fields; ++f)
    n += tsr_field_is_kept(criteria, &criteria->fields[f]) ? criteria->fields[f].array.components
                                                           : 0;
  return n;
}

/** Sets the bounds of a component from its Bezier values. The error on a piece of length h is at
 *  most bend h^2 + (uneven + beyond) slope h + size (1 + uneven + beyond), where no control point
 *  lies farther than `uneven` from its even place on the segment. Why: the control polygon leaves
 *  the line between its ends by at most i (n - i) / 2 second differences, which are h^2 times those
 *  of the span; its ends differ by at most n h first differences. The size stands for all rounding,
 *  in tsr_restrict (1e-14 of the values) as well as here. Values that are no numbers make it so. */
TSR_FN void tsr_component_bounds(tsr_component *it, int degree, const double *q, int64_t stride) {
  const double over = (1.0 + 1e-9) / it->allowed;
  double bend = 0.0, slope = 0.0, size = fabs(q[0]);
  TSR_UNROLL
  for (int i = 1; i <= degree; ++i) {
    const double leg = q[i * stride] - q[(i - 1) * stride];
    const double next = i < degree ? q[(i + 1) * stride] - q[i * stride] : leg;
    slope = fabs(leg) > slope ? fabs(leg) : slope;
    bend = fabs(next - leg) > bend ? fabs(next - leg) : bend;
    size += fabs(q[i * stride]);
  }
  it->bend = 0.5 * (double)((degree / 2) * ((degree + 1) / 2)) * bend * over;
  it->slope = (double)degree * slope * over;
  it->size = (1e-12 * size + 1e-300) * over;
}

/** Sets the bounds of all components in the list; infinite where none are known. */
TSR_FN void tsr_list_bounds(const tsr_span *span, const tsr_kept_fields *kept) {
  for (int i = 0; i < kept->n_list; ++i) {
    tsr_component *it = &kept->list[i];
    it->size = INFINITY;
    if (it->kept >= 0 && !span->rational)
      tsr_component_bounds(it, span->degree, kept->q + it->kept * TSR_MAX_ORDER * kept->stride,
                           kept->stride);
  }
}

/** Keeps the span's fields, where that is wanted and not done. */
TSR_FN void tsr_keep_fields(const tsr_curves_view *view, const tsr_curves_criteria *criteria,
                            const tsr_span *span, tsr_kept_fields *kept) {
  double *to = kept->q;
  if (!kept->q || kept->made)
    return;
  kept->made = 1;
  for (int f = 0; f < criteria->n_fields; ++f) {
    const tsr_field *field = &criteria->fields[f];
    for (int c = 0; tsr_field_is_kept(criteria, field) && c < field->array.components; ++c) {
      double q[TSR_MAX_ORDER];
      tsr_span_values(view, span, &field->array, c, q);
      for (int i = 0; i < span->count; ++i)
        to[i * kept->stride] = q[i];
      to += TSR_MAX_ORDER * kept->stride;
    }
  }
  if (TSR_HAS_LIST(kept))
    tsr_list_bounds(span, kept);
}

/** Sets up for a span where its fields are kept. q: NULL: nowhere. */
TSR_FN void tsr_kept_start(tsr_kept_fields *kept, double *q, int64_t stride) {
  kept->q = q;
  kept->stride = stride;
  kept->made = 0;
  kept->list = NULL;
  kept->n_list = 0;
}

/** Bezier values of component c of an array of a span; *k: of the one that is kept next. */
TSR_FN void tsr_field_values(const tsr_curves_view *view, const tsr_span *span,
                             const tsr_kept_fields *kept, const tsr_array *array, int c, int *k,
                             double *q) {
  if (!kept->q) {
    tsr_span_values(view, span, array, c, q);
    return;
  }
  for (int i = 0; i < span->count; ++i)
    q[i] = kept->q[(*k * TSR_MAX_ORDER + i) * kept->stride];
  ++*k;
}

/** One span with what its decisions need. */
typedef struct tsr_span_case {
  const tsr_curves_view *view;
  const tsr_curves_criteria *criteria;
  const tsr_span *span;
  tsr_net net; /**< homogeneous where rational */
  tsr_kept_fields kept;
  int64_t least, most;   /**< bounds of the number of segments, by the curvature rule */
  int64_t uniform_count; /**< UNIFORM: the segments */
  double wang;           /**< Wang's bound of the chord error of the span as one segment */
  double cusp;           /**< pieces whose control polygon is no longer than this may turn more */
  int at_limit;          /**< a limit was reached before all was fulfilled */
} tsr_span_case;

/** Segments by the classic rule on a net. */
TSR_FN int64_t tsr_curvature_count(const tsr_curves_criteria *criteria,
                                   const tsr_net *homogeneous) {
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

/** A piece [a, b] of a span, projected, as its fields are looked at. */
typedef struct tsr_field_piece {
  const tsr_net *piece;
  double a, b;
  double places[TSR_MAX_ORDER], beyond; /**< tsr_piece_places */
} tsr_field_piece;

/** Bound of the error of component c of a field. *k: as in tsr_field_values. */
TSR_FN double tsr_field_error(const tsr_curves_view *view, const tsr_span *span,
                              const tsr_kept_fields *kept, const tsr_field_piece *on,
                              const tsr_field *field, int c, int *k) {
  double q[TSR_MAX_ORDER];
  if (field->linear)
    return tsr_linear_field_bound(span, on->places, on->beyond, on->piece->degree, &field->array, c,
                                  on->a, on->b);
  tsr_field_values(view, span, kept, &field->array, c, k, q);
  tsr_restrict(on->piece->degree, q, on->a, on->b);
  return tsr_field_bound(on->piece, on->places, on->beyond, q);
}

/** Upper bound of the error of a component on a piece as a share of what is allowed, by the bounds
 *  of its span: not a number or infinite where it is not known. uneven: tsr_piece_uneven. */
TSR_FN double tsr_component_most(const tsr_component *it, const tsr_field_piece *on,
                                 double uneven) {
  const double h = on->b - on->a, aside = uneven + on->beyond;
  return (it->bend * (h * h) + aside * (it->slope * h)) + it->size * (1.0 + aside);
}

/** How far control points lie from their even places on the segment. */
TSR_FN double tsr_piece_uneven(const tsr_field_piece *on) {
  const int degree = on->piece->degree;
  const double step = 1.0 / (double)degree;
  double uneven = 0.0;
  for (int i = 0; i <= degree; ++i) {
    const double d = fabs(on->places[i] - (double)i * step);
    uneven = d > uneven ? d : uneven;
  }
  return uneven;
}

/** Error of a component in the list. */
TSR_FN double tsr_component_error(const tsr_curves_view *view, const tsr_span *span,
                                  const tsr_kept_fields *kept, const tsr_field_piece *on,
                                  const tsr_component *it) {
  int k = it->kept;
  return tsr_field_error(view, span, kept, on, it->field, it->component, &k);
}

/** Moves component i of the list to its front: the one that failed last is likely to fail next. */
TSR_FN void tsr_list_first(const tsr_kept_fields *kept, int i) {
  const tsr_component first = kept->list[0];
  kept->list[0] = kept->list[i];
  kept->list[i] = first;
}

/** tsr_fields_fulfilled by the list. */
TSR_FN int tsr_list_fulfilled(const tsr_curves_view *view, const tsr_span *span,
                              const tsr_kept_fields *kept, const tsr_field_piece *on) {
  const double uneven = tsr_piece_uneven(on);
  for (int i = 0; i < kept->n_list; ++i) {
    const tsr_component *it = &kept->list[i];
    if (tsr_component_most(it, on, uneven) <= 1.0 ||
        !(tsr_component_error(view, span, kept, on, it) > it->allowed))
      continue;
    if (i > 0)
      tsr_list_first(kept, i);
    return 0;
  }
  return 1;
}

/** tsr_fields_share by the list. */
TSR_FN double tsr_list_share(const tsr_curves_view *view, const tsr_span *span,
                             const tsr_kept_fields *kept, const tsr_field_piece *on) {
  const double uneven = tsr_piece_uneven(on);
  double most = 0.0;
  int largest = 0;
  for (int i = 0; i < kept->n_list && most <= 1.0; ++i) {
    const tsr_component *it = &kept->list[i];
    double error, share;
    if (tsr_component_most(it, on, uneven) <= most)
      continue;
    error = tsr_component_error(view, span, kept, on, it);
    share = error > 0.0 ? error / it->allowed : 0.0;
    largest = share > most ? i : largest;
    most = share > most ? share : most;
  }
  if (largest > 0)
    tsr_list_first(kept, largest);
  return most;
}

/** Bound of the field error on [a, b] as a share of what each array allows: the largest of all
 *  components, or one above 1. Values that are no numbers ask for nothing. ends: as in
 *  tsr_piece_places. */
TSR_FN double tsr_fields_share(const tsr_curves_view *view, const tsr_curves_criteria *criteria,
                               const tsr_span *span, tsr_kept_fields *kept, const tsr_net *piece,
                               const tsr_offsets *ends, double a, double b) {
  tsr_field_piece on = {piece, a, b, {0.0}, 0.0};
  double most = 0.0;
  int k = 0;
  on.beyond = tsr_piece_places(piece, ends, on.places);
  tsr_keep_fields(view, criteria, span, kept);
  if (TSR_HAS_LIST(kept))
    return tsr_list_share(view, span, kept, &on);
  for (int f = 0; f < criteria->n_fields && most <= 1.0; ++f) {
    const tsr_field *field = &criteria->fields[f];
    const double allowed = criteria->field * field->unit;
    for (int c = 0; allowed > 0.0 && c < field->array.components; ++c) {
      const double error = tsr_field_error(view, span, kept, &on, field, c, &k);
      const double share = error > 0.0 ? error / allowed : 0.0;
      most = share > most ? share : most;
    }
  }
  return most;
}

/** 1 if that is at most 1: a quotient is above 1 where it is rounded if it is so at all. */
TSR_FN int tsr_fields_fulfilled(const tsr_curves_view *view, const tsr_curves_criteria *criteria,
                                const tsr_span *span, tsr_kept_fields *kept, const tsr_net *piece,
                                const tsr_offsets *ends, double a, double b) {
  tsr_field_piece on = {piece, a, b, {0.0}, 0.0};
  int k = 0, fulfilled = 1;
  on.beyond = tsr_piece_places(piece, ends, on.places);
  tsr_keep_fields(view, criteria, span, kept);
  if (TSR_HAS_LIST(kept))
    return tsr_list_fulfilled(view, span, kept, &on);
  for (int f = 0; f < criteria->n_fields && fulfilled; ++f) {
    const tsr_field *field = &criteria->fields[f];
    const double allowed = criteria->field * field->unit;
    for (int c = 0; allowed > 0.0 && c < field->array.components && fulfilled; ++c)
      fulfilled = !(tsr_field_error(view, span, kept, &on, field, c, &k) > allowed);
  }
  return fulfilled;
}

/** The segment of a projected piece, a vector; returns its squared length. ends: where the
 * segment's ends are, NULL: on the curve. */
TSR_FN double tsr_piece_chord(const tsr_net *piece, const tsr_offsets *ends, double chord[3]) {
  tsr_net_leg(piece, 0, piece->degree, chord);
  for (int c = 0; ends && c < 3; ++c)
    chord[c] += ends->end[c] - ends->start[c];
  return tsr_dot(chord, chord);
}

/** Bound of the distance of a projected piece from its chord: in order where joints may go. */
TSR_FN double tsr_piece_error(const tsr_curves_criteria *criteria, const tsr_net *piece) {
  const double flatness = tsr_net_flatness(piece);
  return criteria->coarsen ? flatness + tsr_net_back(piece) : flatness;
}

/** 1 if a projected piece keeps the chord error. Where joints may go, or vertices may lie off the
 *  curve, it does so in order, with its ends on the curve, too. ends: as in tsr_piece_chord. */
TSR_FN int tsr_piece_is_near(const tsr_curves_criteria *criteria, const tsr_net *piece,
                             const tsr_offsets *ends) {
  const tsr_offsets none = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  const double back = !ends && criteria->coarsen ? tsr_net_back(piece) : 0.0;
  if (!ends && !tsr_net_is_flat(piece, criteria->chord))
    return 0;
  if (back > 0.0 && tsr_net_flatness(piece) + back > criteria->chord)
    return 0;
  if (!TSR_ANY_SPAN || (!ends && (!criteria->off_curve || tsr_net_in_order(piece))))
    return 1;
  return tsr_offset_error(piece, ends ? ends : &none) <= criteria->chord;
}

/** 1 if the span's piece on [a, b] fulfils the criteria: turning, length and fields, and the
 *  chord error too where asked (uniform sampling has Wang's bound for that). ends: as in
 *  tsr_piece_chord. */
TSR_FN int tsr_piece_fulfilled(tsr_span_case *it, double a, double b, const tsr_offsets *ends,
                               int with_chord) {
  const tsr_curves_criteria *criteria = it->criteria;
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
         tsr_fields_fulfilled(it->view, criteria, it->span, &it->kept, &piece, ends, a, b);
}

#endif
