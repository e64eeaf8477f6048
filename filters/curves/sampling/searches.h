/* SPDX-License-Identifier: BSD-3-Clause */
/** Curves: the searches for the best points of several spans at a time. */
#ifndef TSR_CURVES_SAMPLING_SEARCHES_H
#define TSR_CURVES_SAMPLING_SEARCHES_H

#include "curves/plan.h"
#include "curves/sampling/bisection.h"
#include "curves/sampling/density.h"
#include "curves/sampling/lanes.h"

/** What a search waits for: whether a segment fulfils the criteria. */
typedef enum tsr_question {
  TSR_ASKS_NOTHING = 0, /**< the search is over, or the slot is free */
  TSR_ASKS_WHOLE,       /**< the whole span */
  TSR_ASKS_NODE,        /**< a node of a bisection: see tsr_nodes */
  TSR_ASKS_STEP         /**< the segment that the walk has come to */
} tsr_question;

/** A look at a bisection, level by level, before a walk. */
typedef struct tsr_nodes {
  uint64_t here, below; /**< nodes of a level that are to be looked at, and of the next one */
  uint32_t i;           /**< the node that is looked at */
  int level;
  int64_t n;                         /**< segments of the bisection: at least so many */
  uint64_t fails[TSR_LEVELS_BEFORE]; /**< nodes that need no look: tsr_find_failing */
} tsr_nodes;

/** A span, and the search for its points. */
typedef struct tsr_slot {
  int64_t span_number; /**< of the span; -1: the slot is free */
  tsr_span span;
  tsr_span_case it;
  tsr_leaves leaves; /**< of the best candidate; when the search is over, none where bisection is to
                          divide the span */
  tsr_leaves trial;  /**< of the candidate that is counted */
  int in_lane;       /**< 1: its pieces are looked at in its lane */
  tsr_question asks;
  int64_t count; /**< segments of the candidate so far */
  tsr_nodes nodes;
  tsr_density density;
  tsr_search search;
  tsr_walk walk;
  uint32_t later[TSR_WALK_DEPTH]; /**< of the walk */
  double ends[TSR_STEPS];         /**< of the walk's step and those after it: tsr_density_steps */
} tsr_slot;

/** Searches side by side: that of slot l is in lane l. */
typedef struct tsr_searches {
  tsr_lanes *lanes; /**< NULL: all pieces are looked at one by one */
  tsr_slot slots[TSR_LANES];
  tsr_job *job;
} tsr_searches;

/** Returns slots without spans, or NULL if out of memory. */
tsr_searches *tsr_searches_make(const tsr_curves_criteria *criteria, tsr_job *job);

void tsr_searches_free(tsr_searches *searches);

/** Returns a free slot, or NULL if there is none. */
tsr_slot *tsr_searches_free_slot(tsr_searches *searches);

/** Starts the search of a slot whose span and case are set. */
void tsr_searches_start(tsr_searches *searches, tsr_slot *slot);

/** Goes on with all searches until one of them is over, and returns its slot; NULL if there is
 *  none, or if the job is to stop. */
tsr_slot *tsr_searches_run(tsr_searches *searches);

#endif
