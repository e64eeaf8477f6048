/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Curves: pieces of several spans side by side, one in each lane, so that each operation on them is
 * a vector instruction. The functions are those that look at one piece: the compiler makes vectors
 * of loops over lanes, and each lane gets the bits that a piece gets alone. Only polynomial cubics
 * are looked at in lanes, as nearly all spans are, and only with the criteria that are in use by
 * default: chord error and field error.
 */
#ifndef TSR_CURVES_SAMPLING_LANES_H
#define TSR_CURVES_SAMPLING_LANES_H

#include "curves/sampling/piece_math.h"
#include "curves/sampling/values.h"

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
  tsr_lane_row start;             /**< its value at the piece's start as a share of what is allowed:
                                       set by tsr_lanes_vertices */
} tsr_lane_component;

/** The components that are kept of a span that is put into lanes. */
typedef struct tsr_lane_values {
  tsr_values values;
  int fits;                        /**< 1: `values` has their arrays */
  tsr_value_row allowed;           /**< their errors; 1 behind the last component */
  tsr_value_row bend, slope, size; /**< tsr_component_bounds */
} tsr_lane_values;

/** A span in each lane, and a piece of it. */
typedef struct tsr_lanes {
  tsr_lane_row net[3][TSR_LANE_ORDER]; /**< control points of the span */
  tsr_lane_row a, b;                   /**< the piece */
  tsr_lane_row wang; /**< tsr_wang_error of the span; 0: any chord error will do */
  tsr_lane_row idle; /**< 1: nothing is asked, so that the piece fails; else 0 */
  tsr_lane_row start[3], error, share; /**< set by tsr_lanes_vertices */
  tsr_lane_component *components;      /**< the components that are kept */
  tsr_lane_values *taken;              /**< those of the span that tsr_lanes_take_span() took */
  int *order;                          /**< in which they are looked at */
  int n_components;
  double chord; /**< criteria->chord */
  int wide;     /**< criteria->wide */
  void *memory; /**< what was allocated for all of it */
} tsr_lanes;

/** 1 if vectors of AVX2 are to be used: where the processor has them, unless the environment
 * variable TESSERA_VECTORS is `sse2`. */
int tsr_lanes_are_wide(void);

/** Returns lanes for the criteria, to be freed with tsr_lanes_free(); NULL if these criteria are
 * not looked at in lanes, if they ask for more than TSR_MOST_VALUES components, or if out of
 * memory. kept: tsr_curves_keep() of the criteria. */
tsr_lanes *tsr_lanes_make(const tsr_curves_criteria *criteria, const tsr_kept_fields *kept);

void tsr_lanes_free(tsr_lanes *lanes);

/** 1 if the span can be in a lane. kept: where its fields are to be kept; that may fail. */
static inline int tsr_lanes_take(const tsr_lanes *lanes, const tsr_span *span,
                                 const tsr_kept_fields *kept) {
  return lanes && span->degree == TSR_LANE_DEGREE && !span->rational &&
         kept->n_list == lanes->n_components;
}

/** Takes the values of a span that can be in a lane. kept: where its fields are kept if need be. */
void tsr_lanes_take_span(tsr_lanes *lanes, const tsr_curves_view *view,
                         const tsr_curves_criteria *criteria, const tsr_span *span,
                         tsr_kept_fields *kept);

/** Puts the span that was taken last into lane l. wang: of its case. */
void tsr_lanes_load(tsr_lanes *lanes, int l, const tsr_net *net, double wang);

/** Returns a bit for each lane: 1 if its piece fulfils the criteria, as tsr_piece_fulfilled finds
 *  it. Needs a, b and idle. */
unsigned tsr_lanes_fulfilled(const tsr_lanes *lanes);

/** Sets start, error and share of each lane's piece, as tsr_vertex_make and tsr_vertex_piece do,
 * and the components' start. Needs a and b. */
void tsr_lanes_vertices(tsr_lanes *lanes);

#endif
