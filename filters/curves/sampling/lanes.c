/* SPDX-License-Identifier: BSD-3-Clause */
/** Curves: pieces of several spans side by side. */
#include "curves/sampling/lanes.h"
#include "curves/sampling/vectors.h"

#include <stdlib.h>

/* Rows begin at multiples of so many bytes: no vector lies in two lines of a cache. */
#define TSR_ROW_BYTES ((size_t)64)

/* How the pieces lie. */
typedef struct tsr_lane_pieces {
  tsr_lane_row place[TSR_LANE_ORDER]; /* tsr_piece_places */
  tsr_lane_row beyond, uneven;
  tsr_lane_row d1, d2, against; /* tsr_cubic_offsets */
  tsr_lane_row fails;           /* 1: a criterion is not fulfilled; else 0 */
} tsr_lane_pieces;

/* The net of lane l. */
static inline void take_net(const tsr_lanes *lanes, int l, tsr_net *to) {
  to->degree = TSR_LANE_DEGREE;
  to->rational = 0;
  TSR_UNROLL
  for (int i = 0; i < TSR_LANE_ORDER; ++i) {
    to->x[i] = lanes->net[0][i][l];
    to->y[i] = lanes->net[1][i][l];
    to->z[i] = lanes->net[2][i][l];
  }
}

/* Measures the pieces for their chord errors and fields. Where a chord error matters, notes whether
 * it is too large; *open becomes 1 where that is not known yet. */
static inline void measure(const tsr_lanes *restrict lanes, tsr_lane_pieces *restrict pieces,
                           double *restrict open) {
  for (int l = 0; l < TSR_LANES; ++l) {
    tsr_net net, piece;
    tsr_field_piece on;
    tsr_cubic_offsets offsets;
    const double h = lanes->b[l] - lanes->a[l], idle = lanes->idle[l];
    const double asks = lanes->wang[l] * (h * h) > lanes->chord ? 1.0 : 0.0;
    int flat;
    take_net(lanes, l, &net);
    piece.degree = TSR_LANE_DEGREE;
    piece.rational = 0;
    tsr_net_piece_degree(TSR_LANE_DEGREE, &net, lanes->a[l], lanes->b[l], &piece);
    offsets = tsr_cubic_measure(&piece);
    pieces->d1[l] = offsets.d1;
    pieces->d2[l] = offsets.d2;
    pieces->against[l] = offsets.against;
    flat = tsr_cubic_known_flat(&offsets, lanes->chord);
    pieces->fails[l] = flat == 0 ? asks : idle;
    open[l] = flat < 0 ? asks : 0.0;
    on.piece = &piece;
    pieces->beyond[l] = tsr_piece_places(&piece, NULL, on.places);
    pieces->uneven[l] = tsr_piece_uneven(&on);
    TSR_UNROLL
    for (int i = 0; i < TSR_LANE_ORDER; ++i)
      pieces->place[i][l] = on.places[i];
  }
}

/* Looks at the chord errors that are not known yet. */
static inline void settle(const tsr_lanes *restrict lanes, const double *restrict open,
                          tsr_lane_pieces *restrict pieces) {
  for (int l = 0; l < TSR_LANES; ++l) {
    const tsr_cubic_offsets it = {pieces->d1[l], pieces->d2[l], pieces->against[l]};
    const double now = pieces->fails[l], then = now + open[l];
    pieces->fails[l] = tsr_cubic_flatness(&it) <= lanes->chord ? now : then;
  }
}

/* Bound of the error of a component in lane l, as a share of what is allowed, by the bounds of its
 * span. */
static inline double known_most(const tsr_lanes *lanes, const tsr_lane_component *c,
                                const tsr_lane_pieces *pieces, int l) {
  const tsr_component it = {.bend = c->bend[l], .slope = c->slope[l], .size = c->size[l]};
  const tsr_field_piece on = {.a = lanes->a[l], .b = lanes->b[l], .beyond = pieces->beyond[l]};
  return tsr_component_most(&it, &on, pieces->uneven[l]);
}

/* Bound of the error of a component in lane l, by its values on the piece. */
static inline double find_error(const tsr_lanes *lanes, const tsr_lane_component *c,
                                const tsr_lane_pieces *pieces, int l) {
  double q[TSR_LANE_ORDER], places[TSR_LANE_ORDER];
  tsr_net piece;
  TSR_UNROLL
  for (int i = 0; i < TSR_LANE_ORDER; ++i) {
    q[i] = c->q[i][l];
    places[i] = pieces->place[i][l];
  }
  piece.degree = TSR_LANE_DEGREE;
  tsr_restrict_degree(TSR_LANE_DEGREE, q, lanes->a[l], lanes->b[l]);
  return tsr_field_bound_of(0, &piece, places, pieces->beyond[l], q);
}

/* Sets asks to 1 in the lanes that have not failed yet and whose component may fail by its bounds.
 */
static inline void may_fail(const tsr_lanes *restrict lanes, const tsr_lane_component *restrict c,
                            const tsr_lane_pieces *restrict pieces, double *restrict asks) {
  TSR_LANE_LOOP
  for (int l = 0; l < TSR_LANES; ++l) {
    const double then = 1.0 - pieces->fails[l];
    asks[l] = known_most(lanes, c, pieces, l) <= 1.0 ? 0.0 : then;
  }
}

/* Of the lanes that ask for it, notes those in which the component's error is too large. */
static inline void look(const tsr_lanes *restrict lanes, const tsr_lane_component *restrict c,
                        double allowed, const double *restrict asks,
                        tsr_lane_pieces *restrict pieces) {
  for (int l = 0; l < TSR_LANES; ++l) {
    const double now = pieces->fails[l], then = now + asks[l];
    pieces->fails[l] = find_error(lanes, c, pieces, l) > allowed ? then : now;
  }
}

/* Sets asks to 1 in the lanes whose component may raise their share by its bounds. */
static inline void may_exceed(const tsr_lanes *restrict lanes, const tsr_lane_component *restrict c,
                              const tsr_lane_pieces *restrict pieces, const double *restrict shares,
                              double *restrict asks) {
  TSR_LANE_LOOP
  for (int l = 0; l < TSR_LANES; ++l)
    asks[l] = known_most(lanes, c, pieces, l) <= shares[l] ? 0.0 : 1.0;
}

/* Raises the shares to those of the component. */
static inline void raise_shares(const tsr_lanes *restrict lanes,
                                const tsr_lane_component *restrict c, double allowed,
                                const tsr_lane_pieces *restrict pieces, double *restrict shares) {
  for (int l = 0; l < TSR_LANES; ++l) {
    const double most = shares[l], error = find_error(lanes, c, pieces, l);
    const double share = error > 0.0 ? error / allowed : 0.0;
    shares[l] = share > most ? share : most;
  }
}

/* The number of lanes, all of them 0 or 1, that are 1. */
static inline int count(const double *row) {
  int n = 0;
  TSR_LANE_LOOP
  for (int l = 0; l < TSR_LANES; ++l)
    n += row[l] > 0.0;
  return n;
}

/* Bit l is 1 where lane l, which is 0 or 1, is 1. */
static inline int bits(const double *row) {
  int n = 0;
  TSR_LANE_LOOP
  for (int l = 0; l < TSR_LANES; ++l)
    n += row[l] > 0.0 ? 1 << l : 0;
  return n;
}

static inline unsigned find_fulfilled(const tsr_lanes *lanes) {
  tsr_lane_pieces pieces;
  tsr_lane_row asks;
  measure(lanes, &pieces, asks);
  if (count(asks) > 0)
    settle(lanes, asks, &pieces);
  for (int k = 0; k < lanes->n_components; ++k) {
    const int c = lanes->order[k];
    may_fail(lanes, &lanes->components[c], &pieces, asks);
    if (count(asks) == 0)
      continue;
    look(lanes, &lanes->components[c], lanes->taken->allowed[c], asks, &pieces);
    if (count(pieces.fails) < TSR_LANES)
      continue;
    lanes->order[k] = lanes->order[0]; /* what failed last is likely to fail next */
    lanes->order[0] = c;
    break;
  }
  return (1u << TSR_LANES) - 1 - (unsigned)bits(pieces.fails);
}

/* Bounds of the pieces' chord errors. */
static inline void find_errors(const tsr_lane_row a, const tsr_lane_row b, const tsr_lane_row wang,
                               const tsr_lane_pieces *restrict pieces, double *restrict errors) {
  for (int l = 0; l < TSR_LANES; ++l) {
    const tsr_cubic_offsets it = {pieces->d1[l], pieces->d2[l], pieces->against[l]};
    const double h = b[l] - a[l], error = tsr_cubic_flatness(&it), uniform = wang[l] * (h * h);
    errors[l] = error < uniform ? error : uniform;
  }
}

/* Points where the pieces start, and Bernstein's basis there. */
static inline void find_points(const tsr_lanes *restrict lanes, tsr_lane_row *restrict basis,
                               tsr_lane_row *restrict points) {
  for (int l = 0; l < TSR_LANES; ++l) {
    tsr_net of;
    double b[TSR_LANE_ORDER];
    take_net(lanes, l, &of);
    tsr_bernstein3(lanes->a[l], &b[0], &b[1], &b[2], &b[3]);
    points[0][l] = tsr_combine(TSR_LANE_DEGREE, b, of.x);
    points[1][l] = tsr_combine(TSR_LANE_DEGREE, b, of.y);
    points[2][l] = tsr_combine(TSR_LANE_DEGREE, b, of.z);
    TSR_UNROLL
    for (int i = 0; i < TSR_LANE_ORDER; ++i)
      basis[i][l] = b[i];
  }
}

/* Values of a component where the pieces start, as shares of what is allowed. */
static inline void find_values(tsr_lane_row *restrict basis, double allowed,
                               tsr_lane_component *restrict c) {
  for (int l = 0; l < TSR_LANES; ++l) {
    double b[TSR_LANE_ORDER], q[TSR_LANE_ORDER];
    TSR_UNROLL
    for (int i = 0; i < TSR_LANE_ORDER; ++i) {
      b[i] = basis[i][l];
      q[i] = c->q[i][l];
    }
    c->start[l] = tsr_combine(TSR_LANE_DEGREE, b, q) / allowed;
  }
}

static inline void find_vertices(tsr_lanes *lanes) {
  tsr_lane_pieces pieces;
  tsr_lane_row asks, basis[TSR_LANE_ORDER], points[3], shares = {0.0};
  measure(lanes, &pieces, asks);
  find_errors(lanes->a, lanes->b, lanes->wang, &pieces, lanes->error);
  find_points(lanes, basis, points);
  for (int c = 0; c < lanes->n_components; ++c) {
    tsr_lane_component *it = &lanes->components[c];
    find_values(basis, lanes->taken->allowed[c], it);
    may_exceed(lanes, it, &pieces, shares, asks);
    if (count(asks) > 0)
      raise_shares(lanes, it, lanes->taken->allowed[c], &pieces, shares);
  }
  memcpy(lanes->start, points, sizeof points);
  memcpy(lanes->share, shares, sizeof shares);
}

static TSR_NARROW_CODE unsigned fulfilled_narrow(const tsr_lanes *lanes) {
  return find_fulfilled(lanes);
}

static TSR_NARROW_CODE void vertices_narrow(tsr_lanes *lanes) { find_vertices(lanes); }

#ifdef TSR_HAS_WIDE
static TSR_WIDE_CODE unsigned fulfilled_wide(const tsr_lanes *lanes) {
  return find_fulfilled(lanes);
}

static TSR_WIDE_CODE void vertices_wide(tsr_lanes *lanes) { find_vertices(lanes); }
#else
#define fulfilled_wide fulfilled_narrow
#define vertices_wide vertices_narrow
#endif

unsigned tsr_lanes_fulfilled(const tsr_lanes *lanes) {
  return lanes->wide ? fulfilled_wide(lanes) : fulfilled_narrow(lanes);
}

void tsr_lanes_vertices(tsr_lanes *lanes) {
  if (lanes->wide)
    vertices_wide(lanes);
  else
    vertices_narrow(lanes);
}

int tsr_lanes_are_wide(void) {
#ifdef TSR_HAS_WIDE
  const char *text = getenv("TESSERA_VECTORS");
  return (!text || strcmp(text, "sse2") != 0) && __builtin_cpu_supports("avx2");
#else
  return 0;
#endif
}

/* 1 if the criteria are those of lanes. */
static int may_look(const tsr_curves_criteria *criteria) {
  if (criteria->use_turning || criteria->use_length || criteria->off_curve)
    return 0;
  for (int f = 0; criteria->use_field && f < criteria->n_fields; ++f)
    if (criteria->fields[f].linear && criteria->field * criteria->fields[f].unit > 0.0)
      return 0;
  return 1;
}

/* Where the values of spans are put. */
static void start_values(tsr_lane_values *taken, const tsr_curves_criteria *criteria,
                         const tsr_kept_fields *kept) {
  tsr_values_init(&taken->values, criteria->wide);
  taken->fits = 1;
  for (int f = 0; criteria->use_field && f < criteria->n_fields; ++f)
    if (tsr_field_is_kept(criteria, &criteria->fields[f]))
      taken->fits &= tsr_values_add(&taken->values, &criteria->fields[f].array);
  for (int c = 0; c < TSR_MOST_VALUES; ++c)
    taken->allowed[c] = c < kept->n_list ? kept->list[c].allowed : 1.0;
}

tsr_lanes *tsr_lanes_make(const tsr_curves_criteria *criteria, const tsr_kept_fields *kept) {
  const size_t n = (size_t)tsr_kept_components(criteria);
  const size_t own = (sizeof(tsr_lanes) + TSR_ROW_BYTES - 1) / TSR_ROW_BYTES * TSR_ROW_BYTES;
  const size_t rows = own + n * sizeof(tsr_lane_component);
  tsr_lanes *lanes;
  char *memory;
  if (!may_look(criteria) || kept->n_list != (int)n || n > TSR_MOST_VALUES)
    return NULL;
  memory = malloc(TSR_ROW_BYTES + rows + sizeof(tsr_lane_values) + n * sizeof(int));
  if (!memory)
    return NULL;
  lanes = (tsr_lanes *)(memory + (TSR_ROW_BYTES - (uintptr_t)memory % TSR_ROW_BYTES));
  memset(lanes, 0, rows);
  lanes->memory = memory;
  lanes->wide = criteria->wide;
  lanes->chord = criteria->chord;
  lanes->components = (tsr_lane_component *)((char *)lanes + own);
  lanes->taken = (tsr_lane_values *)((char *)lanes + rows);
  lanes->order = (int *)(lanes->taken + 1);
  lanes->n_components = (int)n;
  start_values(lanes->taken, criteria, kept);
  for (int k = 0; k < lanes->n_components; ++k)
    lanes->order[k] = k;
  return lanes;
}

void tsr_lanes_free(tsr_lanes *lanes) {
  if (lanes)
    free(lanes->memory);
}

/* tsr_component_bounds of the values. */
static inline void find_bounds(tsr_lane_values *restrict taken, int rows) {
  for (int c = 0; c < rows; ++c) {
    tsr_component it = {.allowed = taken->allowed[c]};
    tsr_component_bounds(&it, TSR_LANE_DEGREE, &taken->values.q[0][c], TSR_MOST_VALUES);
    taken->bend[c] = it.bend;
    taken->slope[c] = it.slope;
    taken->size[c] = it.size;
  }
}

static TSR_NARROW_CODE void bounds_narrow(tsr_lane_values *taken, int rows) {
  find_bounds(taken, rows);
}

#ifdef TSR_HAS_WIDE
static TSR_WIDE_CODE void bounds_wide(tsr_lane_values *taken, int rows) {
  find_bounds(taken, rows);
}
#else
#define bounds_wide bounds_narrow
#endif

/* Takes the values from where they are kept. */
static void take_kept(tsr_lanes *lanes, const tsr_kept_fields *kept) {
  tsr_lane_values *taken = lanes->taken;
  for (int k = 0; k < lanes->n_components; ++k) {
    const tsr_component *from = &kept->list[k];
    const double *q = kept->q + from->kept * TSR_MAX_ORDER;
    for (int i = 0; i < TSR_LANE_ORDER; ++i)
      taken->values.q[i][from->kept] = q[i];
    taken->bend[from->kept] = from->bend;
    taken->slope[from->kept] = from->slope;
    taken->size[from->kept] = from->size;
  }
}

void tsr_lanes_take_span(tsr_lanes *lanes, const tsr_curves_view *view,
                         const tsr_curves_criteria *criteria, const tsr_span *span,
                         tsr_kept_fields *kept) {
  tsr_lane_values *taken = lanes->taken;
  if (lanes->n_components == 0)
    return;
  if (!taken->fits || !tsr_values_load(&taken->values, span)) {
    tsr_keep_fields(view, criteria, span, kept);
    take_kept(lanes, kept);
  } else if (lanes->wide) {
    bounds_wide(taken, tsr_values_rows(&taken->values));
  } else {
    bounds_narrow(taken, tsr_values_rows(&taken->values));
  }
}

/* Puts components of the span that was taken last into lane l of theirs. */
static inline void put_components(const tsr_lane_values *restrict from, int n, int l,
                                  tsr_lane_component *restrict to) {
  for (int c = 0; c < n; ++c) {
    const double *q = &from->values.q[0][c];
    double *of_lane = &to[c].q[0][l];
    TSR_UNROLL
    for (int i = 0; i < TSR_LANE_ORDER; ++i)
      of_lane[i * TSR_LANES] = q[i * TSR_MOST_VALUES];
    to[c].bend[l] = from->bend[c];
    to[c].slope[l] = from->slope[c];
    to[c].size[l] = from->size[c];
  }
}

void tsr_lanes_load(tsr_lanes *lanes, int l, const tsr_net *net, double wang) {
  lanes->wang[l] = wang;
  lanes->idle[l] = 0.0;
  for (int i = 0; i < TSR_LANE_ORDER; ++i) {
    lanes->net[0][i][l] = net->x[i];
    lanes->net[1][i][l] = net->y[i];
    lanes->net[2][i][l] = net->z[i];
  }
  put_components(lanes->taken, lanes->n_components, l, lanes->components);
}
