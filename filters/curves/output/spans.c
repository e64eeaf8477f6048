/* SPDX-License-Identifier: BSD-3-Clause */
/** Curves: the fill of spans, some points at a time. */
#include "curves/output/fill.h"
#include "curves/span/value_math.h"

#define TSR_CHUNK 64 /* points that are evaluated together */

/* What a task works on: a span, and up to TSR_CHUNK of its points. */
typedef struct tsr_filler {
  const tsr_fill *fill;
  int64_t item_number, span_number;
  tsr_item item;
  tsr_span span;
  tsr_net net;
  int64_t segments;
  int basis_degree;                             /* basis[] holds this degree ... */
  int64_t basis_segments, basis_first, basis_n; /* ... for these uniform points; 0 segments: none */
  int64_t n;                                    /* points in the chunk */
  int64_t at;                                   /* output number of its first point */
  double u[TSR_CHUNK];
  const uint32_t *leaves; /* of the chunk, the end of a curve not among them; NULL: equal steps */
  double basis[TSR_MAX_ORDER][TSR_CHUNK];
  double values[TSR_CHUNK];
  double divisor[TSR_CHUNK]; /* rational: the weight function */
} tsr_filler;

/* values[k] = sum of basis[j][k] * q[j], in tsr_combine's order. Inlined once a degree, so that the
 * compiler unrolls j and works on several k at once. */
static inline void evaluate_degree(int degree, int64_t n, double (*restrict basis)[TSR_CHUNK],
                                   const double *restrict q, double *restrict values) {
  for (int64_t k = 0; k < n; ++k) {
    double sum = basis[0][k] * q[0];
    for (int j = 1; j <= degree; ++j)
      sum += basis[j][k] * q[j];
    values[k] = sum;
  }
}

static void evaluate(tsr_filler *f, const double *q, double *values) {
  switch (f->span.degree) {
  case 1:
    evaluate_degree(1, f->n, f->basis, q, values);
    break;
  case 2:
    evaluate_degree(2, f->n, f->basis, q, values);
    break;
  case 3:
    evaluate_degree(3, f->n, f->basis, q, values);
    break;
  default:
    evaluate_degree(f->span.degree, f->n, f->basis, q, values);
    break;
  }
}

static void evaluate_basis(tsr_filler *f) {
  double b[TSR_MAX_ORDER];
  if (f->span.degree == 2) {
    for (int64_t k = 0; k < f->n; ++k)
      tsr_bernstein2(f->u[k], &f->basis[0][k], &f->basis[1][k], &f->basis[2][k]);
    return;
  }
  if (f->span.degree == 3) {
    for (int64_t k = 0; k < f->n; ++k)
      tsr_bernstein3(f->u[k], &f->basis[0][k], &f->basis[1][k], &f->basis[2][k], &f->basis[3][k]);
    return;
  }
  for (int64_t k = 0; k < f->n; ++k) {
    tsr_bernstein(f->span.degree, f->u[k], b);
    for (int j = 0; j <= f->span.degree; ++j)
      f->basis[j][k] = b[j];
  }
}

/* Bernstein basis of the chunk. Equal uniform spans follow each other often: theirs is kept. */
static void fill_basis(tsr_filler *f, int64_t first) {
  const int uniform = !f->fill->plan->leaves;
  if (uniform && f->basis_degree == f->span.degree && f->basis_segments == f->segments &&
      f->basis_first == first && f->basis_n >= f->n)
    return;
  evaluate_basis(f);
  f->basis_degree = f->span.degree;
  f->basis_segments = uniform ? f->segments : 0;
  f->basis_first = first;
  f->basis_n = f->n;
}

/* Control values of one component to the chunk's values. */
static void evaluate_component(tsr_filler *f, const double *q) {
  evaluate(f, q, f->values);
  if (f->span.rational)
    for (int64_t k = 0; k < f->n; ++k)
      f->values[k] /= f->divisor[k];
}

/* Stencil entry that point k of the chunk returns exactly, or -1. */
static int exact_entry(const tsr_filler *f, int64_t k) {
  if (f->u[k] == 0.0)
    return f->span.start;
  if (f->u[k] == 1.0)
    return f->span.end;
  return -1;
}

/* From the curve to the chunk's vertices. Returns 0 where all of them are on it. */
static int find_offsets(const tsr_filler *f, double (*offsets)[3]) {
  int off = 0;
  for (int64_t k = 0; f->leaves && k < f->n; ++k)
    off |= f->u[k] < 1.0 && (f->leaves[k] & TSR_FIXED_OFF);
  for (int64_t k = 0; off && k < f->n; ++k)
    tsr_leaf_offset(&f->fill->plan->criteria, &f->net, f->u[k] < 1.0 ? f->leaves[k] : 0,
                    offsets[k]);
  return off;
}

static void fill_positions(tsr_filler *f) {
  const tsr_curves_view *view = &f->fill->plan->view;
  const tsr_curves_output *out = f->fill->out;
  const double *q[3] = {f->net.x, f->net.y, f->net.z};
  const int64_t ends[2] = {0, f->n - 1};
  double offsets[TSR_CHUNK][3];
  const int off = find_offsets(f, offsets);
  for (int c = 0; c < 3; ++c) {
    evaluate_component(f, q[c]);
    for (int64_t k = 0; off && k < f->n; ++k)
      f->values[k] += offsets[k][c];
    tsr_store(tsr_value_at(out->points, out->points_type, 3 * f->at + c), out->points_type, 3,
              f->values, f->n);
  }
  for (int e = 0; e < 2; ++e) {
    const int j = exact_entry(f, ends[e]);
    double x[3];
    if (j < 0)
      continue;
    for (int c = 0; c < 3; ++c)
      x[c] = tsr_load(&view->points, 3 * f->span.id[j] + c);
    tsr_store(tsr_value_at(out->points, out->points_type, 3 * (f->at + ends[e])), out->points_type,
              1, x, 3);
  }
}

/* Value k of a component of 64-bit integers, from the input as it is. */
static void copy_integer(const tsr_array *in, int64_t tuple, int component, void *to, int64_t k) {
  const int64_t n = in->components;
  ((int64_t *)to)[k * n] = ((const int64_t *)in->data)[tuple * n + component];
}

static void fill_linear(tsr_filler *f, const tsr_array *in, int component, void *to) {
  for (int64_t k = 0; k < f->n; ++k)
    f->values[k] = tsr_span_linear_value(&f->span, in, component, f->u[k]);
  tsr_store(to, in->type, in->components, f->values, f->n);
  for (int64_t k = 0; k < f->n; ++k) {
    int j;
    tsr_span_linear(&f->span, f->u[k], &j);
    if (tsr_span_is_constant(&f->span, in, component, j, 2))
      copy_integer(in, f->span.id[j], component, to, k);
  }
}

static void fill_curve(tsr_filler *f, const tsr_array *in, int component, void *to) {
  const tsr_curves_view *view = &f->fill->plan->view;
  double q[TSR_MAX_ORDER], sum = 0.0;
  if (tsr_span_is_constant(&f->span, in, component, 0, f->span.count)) {
    for (int64_t k = 0; k < f->n; ++k)
      copy_integer(in, f->span.id[0], component, to, k);
    return;
  }
  tsr_span_values(view, &f->span, in, component, q);
  evaluate_component(f, q);
  for (int i = 0; i <= f->span.degree; ++i)
    sum += q[i];
  for (int64_t k = 0; !(sum - sum == 0.0) && k < f->n; ++k)
    if (!(f->values[k] == f->values[k]))
      f->values[k] = tsr_span_value_again(view, &f->span, in, component, f->u[k]);
  tsr_store(to, in->type, in->components, f->values, f->n);
}

static void fill_attribute(tsr_filler *f, const tsr_attribute *attribute) {
  const tsr_array *in = &attribute->in;
  const int64_t ends[2] = {0, f->n - 1};
  if (attribute->mode == TSR_INTERPOLATE_NEAREST) {
    for (int64_t k = 0; k < f->n; ++k)
      tsr_copy_tuple(attribute, f->span.id[tsr_span_nearest(&f->span, f->u[k])], f->at + k);
    return;
  }
  for (int c = 0; c < in->components; ++c) {
    void *to = tsr_value_at(attribute->out, in->type, f->at * in->components + c);
    if (attribute->mode == TSR_INTERPOLATE_LINEAR)
      fill_linear(f, in, c, to);
    else
      fill_curve(f, in, c, to);
  }
  for (int e = 0; e < 2; ++e) {
    const int entry = exact_entry(f, ends[e]);
    if (entry >= 0)
      tsr_copy_tuple(attribute, f->span.id[entry], f->at + ends[e]);
  }
}

/* Parameter, nearest point, curvature and tangents of the chunk. */
static void fill_generated(tsr_filler *f) {
  const tsr_fill *fill = f->fill;
  const tsr_curves_output *out = fill->out;
  const double before = (double)(f->span_number - fill->plan->span_start[f->item_number]);
  if (out->parameter) {
    for (int64_t k = 0; k < f->n; ++k)
      f->values[k] = before + f->u[k];
    tsr_store(tsr_value_at(out->parameter, out->points_type, f->at), out->points_type, 1, f->values,
              f->n);
  }
  for (int64_t k = 0; out->nearest_point && k < f->n; ++k)
    out->nearest_point[f->at + k] = f->span.id[tsr_span_nearest(&f->span, f->u[k])];
  for (int64_t k = 0; (out->curvature || out->tangents) && k < f->n; ++k) {
    double tangent[3];
    const double curvature = tsr_net_frame(&f->net, f->u[k], tangent);
    if (out->curvature)
      tsr_store(tsr_value_at(out->curvature, out->points_type, f->at + k), out->points_type, 1,
                &curvature, 1);
    if (out->tangents)
      tsr_store(tsr_value_at(out->tangents, out->points_type, 3 * (f->at + k)), out->points_type, 1,
                tangent, 3);
  }
}

/* All output of the points that are in u[0..n). first: number of the first in the span. */
static void fill_chunk(tsr_filler *f, int64_t first) {
  const tsr_curves_output *out = f->fill->out;
  fill_basis(f, first);
  if (f->span.rational)
    evaluate(f, f->net.w, f->divisor);
  if (out->points)
    fill_positions(f);
  for (int a = 0; a < out->n_attributes; ++a)
    fill_attribute(f, &out->attributes[a]);
  fill_generated(f);
  f->at += f->n;
}

static void fill_uniform(tsr_filler *f, int with_end) {
  const double h = 1.0 / (double)f->segments;
  const int64_t points = f->segments + with_end;
  f->leaves = NULL;
  for (int64_t first = 0; first < points; first += TSR_CHUNK) {
    f->n = points - first < TSR_CHUNK ? points - first : TSR_CHUNK;
    for (int64_t k = 0; k < f->n; ++k)
      f->u[k] = (double)(first + k) * h;
    if (first + f->n > f->segments)
      f->u[f->n - 1] = 1.0;
    fill_chunk(f, first);
  }
}

/* Lower ends of the span's leaves. */
static const uint32_t *fill_leaves(const tsr_filler *f) {
  const tsr_curves_plan *plan = f->fill->plan;
  const int64_t chunk = f->span_number / TSR_SPAN_CHUNK;
  return plan->leaves[chunk].fixed +
         (plan->segment_start[f->span_number] - plan->segment_start[chunk * TSR_SPAN_CHUNK]);
}

static void fill_from_leaves(tsr_filler *f, int with_end) {
  const uint32_t *fixed = fill_leaves(f);
  const int64_t points = f->segments + with_end;
  for (int64_t first = 0; first < points; first += TSR_CHUNK) {
    f->n = points - first < TSR_CHUNK ? points - first : TSR_CHUNK;
    f->leaves = fixed + first;
    for (int64_t k = 0; k < f->n; ++k)
      f->u[k] = first + k < f->segments ? tsr_from_fixed(fixed[first + k]) : 1.0;
    fill_chunk(f, first);
  }
}

/* Bound of the chord error of the span's segments. */
static double fill_error(const tsr_filler *f) {
  const double wang = tsr_wang_error(&f->net);
  const uint32_t *fixed;
  tsr_net piece = f->net; /* all of it set: gcc 16 cannot see that a piece sets what is read */
  double most = 0.0;
  if (!f->fill->plan->leaves)
    return tsr_uniform_error(&f->net, wang, f->segments);
  fixed = fill_leaves(f);
  for (int64_t k = 0; k < f->segments; ++k) {
    const uint32_t next = k + 1 < f->segments ? fixed[k + 1] : (uint32_t)TSR_FIXED_ONE;
    double error;
    tsr_leaf_piece(&f->net, fixed[k], next, &piece);
    error = tsr_leaf_error(&f->fill->plan->criteria, &f->net, wang, fixed[k], next, &piece);
    most = error > most ? error : most;
  }
  return most;
}

/* The polyline's entries that belong to the span; the last span adds the curve's end. */
static void fill_connectivity(const tsr_filler *f, int is_last) {
  const tsr_curves_plan *plan = f->fill->plan;
  const tsr_curves_output *out = f->fill->out;
  const int64_t at = plan->segment_start[f->span_number] + plan->cell_start[f->item_number];
  const int64_t end = f->item.closed ? plan->point_start[f->item_number] : f->at + f->segments;
  if (!out->connectivity)
    return;
  if (out->index_type == TSR_INT32) {
    for (int64_t k = 0; k < f->segments; ++k)
      ((int32_t *)out->connectivity)[at + k] = (int32_t)(f->at + k);
  } else {
    for (int64_t k = 0; k < f->segments; ++k)
      ((int64_t *)out->connectivity)[at + k] = f->at + k;
  }
  if (is_last)
    tsr_store_index(out->connectivity, out->index_type, at + f->segments, end);
}

/* The first span from s < end on of which something has stayed, or which is the one with a curve's
 * last point; or else `end`. *i: an item not after the span's, brought up to it. */
static int64_t pass_empty(const tsr_curves_plan *plan, int64_t *i, int64_t s, int64_t end) {
  const int64_t *starts = plan->segment_start;
  int64_t stop;
  while (s >= plan->span_start[*i + 1])
    ++*i;
  stop = plan->span_start[*i + 1] - 1;
  stop = stop < end ? stop : end;
  while (s < stop && starts[s + 1] == starts[s])
    ++s;
  return s;
}

/* Brings the filler to the item of span s. */
static void fill_load_item(tsr_filler *f, int64_t s) {
  const tsr_curves_plan *plan = f->fill->plan;
  while (s >= plan->span_start[f->item_number + 1])
    ++f->item_number;
  if (s == plan->span_start[f->item_number] || f->span_number < 0)
    f->item = tsr_item_at(&plan->view, f->item_number);
  f->span_number = s;
}

/* Brings the filler to span s of its item. */
static void fill_load(tsr_filler *f, int64_t s) {
  const tsr_curves_plan *plan = f->fill->plan;
  tsr_span_make(&plan->view, &f->item, &plan->criteria.rules, s - plan->span_start[f->item_number],
                &f->span);
  f->segments = plan->segment_start[s + 1] - plan->segment_start[s];
  f->at = plan->point_start[f->item_number] + plan->segment_start[s] -
          plan->segment_start[plan->span_start[f->item_number]];
  tsr_span_net(&plan->view, &f->span, &f->net);
}

void tsr_fill_spans_task(void *data, int64_t begin, int64_t end) {
  const tsr_fill *fill = data;
  const tsr_curves_plan *plan = fill->plan;
  tsr_filler f;
  f.fill = fill;
  f.span_number = -1;
  f.basis_segments = 0;
  f.basis_degree = 0;
  f.item_number = tsr_curves_item_of_span(plan, begin);
  for (int64_t s = begin; s < end; ++s) {
    int is_last;
    if (plan->walk_start)
      s = pass_empty(plan, &f.item_number, s, end);
    if (s == end)
      break;
    fill_load_item(&f, s);
    if (tsr_fill_is_of_joints(fill, f.item_number, &f.item)) {
      s = tsr_fill_joints(fill, f.item_number, &f.item, s, end) - 1;
      continue;
    }
    fill_load(&f, s);
    is_last = s + 1 == plan->span_start[f.item_number + 1];
    fill_connectivity(&f, is_last);
    if (fill->span_error && !tsr_item_is_walked(plan, f.item_number))
      fill->span_error[s] = fill_error(&f);
    if (plan->leaves)
      fill_from_leaves(&f, is_last && !f.item.closed);
    else
      fill_uniform(&f, is_last && !f.item.closed);
  }
}
