/* SPDX-License-Identifier: BSD-3-Clause */
/** Curves: pieces of several spans side by side. */
#include "curves/sampling/lanes.h"

/* How the pieces lie. */
typedef struct tsr_lane_pieces {
  tsr_lane_row place[TSR_LANE_ORDER]; /* tsr_piece_places */
  tsr_lane_row beyond, uneven;
  tsr_lane_row fails; /* 1: a criterion is not fulfilled; else 0 */
} tsr_lane_pieces;

/* The net of lane l. */
static inline void take_net(const tsr_lane_row net[3][TSR_LANE_ORDER], int l, tsr_net *to) {
  to->degree = TSR_LANE_DEGREE;
  to->rational = 0;
  TSR_UNROLL_4
  for (int i = 0; i < TSR_LANE_ORDER; ++i) {
    to->x[i] = net[0][i][l];
    to->y[i] = net[1][i][l];
    to->z[i] = net[2][i][l];
  }
}

/* Looks at the chord error of the pieces, and measures them for their fields. */
static inline void measure(const tsr_lanes *restrict lanes, tsr_lane_pieces *restrict pieces) {
  for (int l = 0; l < TSR_LANES; ++l) {
    tsr_net net, piece;
    tsr_field_piece on;
    take_net(lanes->net, l, &net);
    piece.degree = TSR_LANE_DEGREE;
    piece.rational = 0;
    tsr_net_piece_degree(TSR_LANE_DEGREE, &net, lanes->a[l], lanes->b[l], &piece);
    pieces->fails[l] = tsr_cubic_is_flat(&piece, lanes->chord[l]) ? 0.0 : lanes->with_chord[l];
    on.piece = &piece;
    pieces->beyond[l] = tsr_piece_places(&piece, NULL, on.places);
    pieces->uneven[l] = tsr_piece_uneven(&on);
    TSR_UNROLL_4
    for (int i = 0; i < TSR_LANE_ORDER; ++i)
      pieces->place[i][l] = on.places[i];
  }
}

/* Sets asks to 1 in the lanes that have not failed yet and whose component may fail by its bounds. */
static inline void may_fail(const tsr_lanes *restrict lanes, const tsr_lane_component *restrict c,
                            const tsr_lane_pieces *restrict pieces, double *restrict asks) {
  for (int l = 0; l < TSR_LANES; ++l) {
    const tsr_component it = {.bend = c->bend[l], .slope = c->slope[l], .size = c->size[l]};
    const tsr_field_piece on = {.a = lanes->a[l], .b = lanes->b[l], .beyond = pieces->beyond[l]};
    const double most = tsr_component_most(&it, &on, pieces->uneven[l]);
    asks[l] = most <= 1.0 ? 0.0 : 1.0 - pieces->fails[l];
  }
}

/* Of the lanes that ask for it, notes those in which the component's error is too large. */
static inline void look(const tsr_lanes *restrict lanes, const tsr_lane_component *restrict c,
                        double allowed, const double *restrict asks, tsr_lane_pieces *restrict pieces) {
  for (int l = 0; l < TSR_LANES; ++l) {
    const double now = pieces->fails[l], then = now + asks[l];
    double q[TSR_LANE_ORDER], places[TSR_LANE_ORDER], error;
    tsr_net piece;
    TSR_UNROLL_4
    for (int i = 0; i < TSR_LANE_ORDER; ++i) {
      q[i] = c->q[i][l];
      places[i] = pieces->place[i][l];
    }
    piece.degree = TSR_LANE_DEGREE;
    tsr_restrict_degree(TSR_LANE_DEGREE, q, lanes->a[l], lanes->b[l]);
    error = tsr_field_bound_of(0, &piece, places, pieces->beyond[l], q);
    pieces->fails[l] = error > allowed ? then : now;
  }
}

/* The number of lanes, all of them 0 or 1, that are 1. */
static inline int count(const double *row) {
  int n = 0;
  for (int l = 0; l < TSR_LANES; ++l)
    n += row[l] > 0.0;
  return n;
}

__attribute__((flatten)) unsigned tsr_lanes_fulfilled(const tsr_lanes *lanes) {
  tsr_lane_pieces pieces;
  tsr_lane_row asks;
  unsigned fulfilled = 0;
  measure(lanes, &pieces);
  for (int k = 0; k < lanes->n_components; ++k) {
    const int c = lanes->order[k];
    may_fail(lanes, &lanes->components[c], &pieces, asks);
    if (count(asks) == 0)
      continue;
    look(lanes, &lanes->components[c], lanes->allowed[c], asks, &pieces);
    if (count(pieces.fails) < TSR_LANES)
      continue;
    lanes->order[k] = lanes->order[0];
    lanes->order[0] = c;
    break;
  }
  for (int l = 0; l < TSR_LANES; ++l)
    fulfilled |= (unsigned)!(pieces.fails[l] > 0.0) << l;
  return fulfilled;
}
