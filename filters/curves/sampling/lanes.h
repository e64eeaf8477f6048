/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Curves: pieces of several spans side by side, so that each operation on them is one vector
 * instruction. Only polynomial cubics are looked at in lanes: nearly all spans are. The functions
 * are those that look at one piece: the compiler makes vectors of loops over lanes.
 */
#ifndef TSR_CURVES_SAMPLING_LANES_H
#define TSR_CURVES_SAMPLING_LANES_H

#include "curves/sampling/piece_math.h"

/** Lanes: two vectors of AVX2, so that one hides what the other waits for. */
#define TSR_LANES 8

/** Degree of the spans. */
#define TSR_LANE_DEGREE 3
#define TSR_LANE_ORDER (TSR_LANE_DEGREE + 1)

/** One number for each lane. */
typedef double tsr_lane_row[TSR_LANES];

/** A component of a field in all lanes. */
typedef struct tsr_lane_component {
  tsr_lane_row q[TSR_LANE_ORDER]; /**< Bezier values on the span */
  tsr_lane_row bend, slope, size; /**< tsr_component_bounds */
} tsr_lane_component;

/** A span in each lane, and a piece of it. */
typedef struct tsr_lanes {
  tsr_lane_row net[3][TSR_LANE_ORDER]; /**< control points of the span */
  tsr_lane_row a, b;                   /**< the piece */
  tsr_lane_row chord;                  /**< largest chord error of the piece */
  tsr_lane_row with_chord;             /**< 0: any chord error will do; else 1 */
  tsr_lane_component *components;      /**< those that are kept */
  double *allowed;                     /**< their errors */
  int *order;                          /**< in which they are looked at */
  int n_components;
} tsr_lanes;

/** Returns a bit for each lane: 1 if its piece fulfils the criteria, as tsr_piece_fulfilled finds
 *  it. */
unsigned tsr_lanes_fulfilled(const tsr_lanes *lanes);

#endif
