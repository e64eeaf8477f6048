/* SPDX-License-Identifier: BSD-3-Clause */
/** Curves: the searches for the best points of several spans at a time. */
#include "curves/sampling/searches.h"

#include <stdlib.h>

#define TSR_SEGMENTS_A_LOOK 1024 /* so often the job is asked whether it goes on */

/* Nodes that fail for certain are sought where a candidate has at least this many segments. With 1
 * instead of 8, polylines of 4 segments a span took 1.02 times as long, since few nodes are saved;
 * Bezier cells of 15 segments take 0.87 times as long as without the search. */
#define TSR_SEEK_FAILING 8

/* A lane that nothing is asked in: its piece fails at once. */
static void idle_lane(tsr_lanes *lanes, int l) { lanes->idle[l] = 1.0; }

tsr_searches *tsr_searches_make(const tsr_curves_criteria *criteria, tsr_job *job) {
  tsr_searches *searches = malloc(sizeof *searches);
  if (!searches)
    return NULL;
  searches->job = job;
  for (int l = 0; l < TSR_LANES; ++l) {
    tsr_slot *slot = &searches->slots[l];
    slot->span_number = -1;
    slot->asks = TSR_ASKS_NOTHING;
    slot->it.kept = tsr_curves_keep(criteria);
    slot->leaves = slot->trial = (tsr_leaves){NULL, 0, 0};
  }
  searches->lanes = tsr_lanes_make(criteria, &searches->slots[0].it.kept);
  for (int l = 0; searches->lanes && l < TSR_LANES; ++l)
    idle_lane(searches->lanes, l);
  return searches;
}

void tsr_searches_free(tsr_searches *searches) {
  for (int l = 0; searches && l < TSR_LANES; ++l) {
    free(searches->slots[l].it.kept.list);
    free(searches->slots[l].leaves.fixed);
    free(searches->slots[l].trial.fixed);
  }
  if (searches)
    tsr_lanes_free(searches->lanes);
  free(searches);
}

tsr_slot *tsr_searches_free_slot(tsr_searches *searches) {
  for (int l = 0; l < TSR_LANES; ++l)
    if (searches->slots[l].span_number < 0)
      return &searches->slots[l];
  return NULL;
}

/* Puts the piece [a, b] into lane l and returns -1; or returns tsr_stretch_known. */
static inline int put_in_lane(tsr_searches *searches, int l, int64_t slack, uint32_t a,
                              uint32_t b) {
  const tsr_span_case *it = &searches->slots[l].it;
  tsr_lanes *lanes = searches->lanes;
  if (lanes->n_components == 0 || it->least > 1) { /* else nothing is known */
    int with_chord;
    const int known = tsr_stretch_known(it, slack, a, b, &with_chord);
    if (known >= 0)
      return known;
  }
  lanes->a[l] = tsr_from_fixed(a);
  lanes->b[l] = tsr_from_fixed(b);
  return -1;
}

/* Answers the question of slot l if no piece has to be looked at in a lane; else puts the piece
 * into the lane and returns -1. */
static int answer(tsr_searches *searches, int l) {
  tsr_slot *slot = &searches->slots[l];
  uint32_t a = 0, b = (uint32_t)TSR_FIXED_ONE;
  int64_t slack = 0;
  int off = 0;
  if (slot->asks == TSR_ASKS_NODE) {
    const uint32_t size = (uint32_t)1 << (TSR_FIXED_BITS - slot->nodes.level);
    a = slot->nodes.i * size;
    b = a + size;
  } else if (slot->asks == TSR_ASKS_STEP) {
    a = slot->walk.a;
    b = slot->walk.b;
    slack = slot->walk.slack;
    off = slot->walk.off;
  }
  return slot->in_lane ? put_in_lane(searches, l, slack, a, b)
                       : tsr_stretch_fulfilled(&slot->it, slack, a, b, off);
}

/* Counts node i, which fails: its halves are nodes of the next level. Returns 0 if bisection makes
 * too many segments. */
static int node_fails(tsr_slot *slot) {
  tsr_nodes *nodes = &slot->nodes;
  nodes->below |= (uint64_t)3 << (2 * nodes->i++);
  return ++nodes->n <= slot->search.most;
}

/* Moves on to the next node that is to be looked at. Returns 0 if there is none. */
static int next_node(tsr_slot *slot) {
  tsr_nodes *nodes = &slot->nodes;
  while (nodes->level < TSR_LEVELS_BEFORE && nodes->level < slot->it.criteria->max_level) {
    while (nodes->i < (uint32_t)1 << nodes->level) {
      if (!(nodes->here >> nodes->i & 1))
        ++nodes->i;
      else if (!(nodes->fails[nodes->level] >> nodes->i & 1))
        return 1;
      else if (!node_fails(slot))
        return 0;
    }
    ++nodes->level;
    nodes->i = 0;
    nodes->here = nodes->below;
    nodes->below = 0;
  }
  return 0;
}

/* tsr_walk_step with steps that were found together. */
static uint32_t next_step(tsr_slot *slot) {
  tsr_walk *walk = &slot->walk;
  while (++walk->k < walk->n) {
    const int64_t at = (walk->k - 1) % TSR_STEPS;
    if (at == 0)
      tsr_density_steps(walk, slot->it.criteria->wide, slot->ends);
    if (tsr_walk_takes(walk, slot->ends[at]))
      return (uint32_t)slot->ends[at];
  }
  return (uint32_t)TSR_FIXED_ONE;
}

/* tsr_walk_pass with such steps. */
static int pass(tsr_slot *slot) {
  tsr_walk *walk = &slot->walk;
  if (walk->b == (uint32_t)TSR_FIXED_ONE)
    return 0;
  walk->a = walk->b;
  walk->b = walk->depth > 0 ? slot->later[--walk->depth] : next_step(slot);
  return 1;
}

/* Starts to count the walk's segments. */
static int start_walk(tsr_slot *slot) {
  slot->count = slot->trial.n = 0;
  slot->it.at_limit = 0;
  slot->asks = TSR_ASKS_STEP;
  return pass(slot);
}

/* Moves on to the next node, or to the walk. Returns 0 if bisection makes too many segments. */
static int next_question(tsr_slot *slot) {
  if (next_node(slot))
    return 1;
  if (slot->nodes.n <= slot->search.most)
    return start_walk(slot);
  slot->count = slot->search.most + 1;
  return 0;
}

/* Takes the answer about a node. Returns 1 if there is another question about the candidate. Each
 * node that fails makes one segment more, and long nodes fail: so looking level by level shows
 * sooner than a walk from end to end, half of whose nodes do not fail, that bisection makes more
 * than search->most segments. */
static int go_on_looking(tsr_slot *slot, int fulfilled) {
  if (fulfilled)
    ++slot->nodes.i;
  else if (!node_fails(slot)) {
    slot->count = slot->search.most + 1;
    return 0;
  }
  return next_question(slot);
}

/* Takes the answer about the walk's segment: halves it, or appends it to the trial. Returns 1 if
 * there is another question about the candidate. */
static int go_on_walking(tsr_slot *slot, int fulfilled, tsr_job *job) {
  tsr_leaves *trial = &slot->trial;
  if (!fulfilled && tsr_walk_halve(&slot->walk, &slot->it))
    return 1;
  if (tsr_search_gives_up(&slot->search, &slot->walk, ++slot->count)) {
    slot->count = slot->search.most + 1;
    return 0;
  }
  if (trial->n == trial->room && !tsr_leaves_grow(trial)) {
    tsr_job_stop(job, TSR_NO_MEMORY);
    return 0;
  }
  trial->fixed[trial->n++] = tsr_walk_leaf(&slot->walk);
  if (trial->n % TSR_SEGMENTS_A_LOOK == 0)
    tsr_job_goes_on(job);
  return pass(slot);
}

/* Takes the answer about the whole span: it is one segment, or candidates are set up. */
static void take_whole(tsr_slot *slot, int fulfilled, tsr_job *job) {
  if (!fulfilled) {
    tsr_density_make(&slot->density, &slot->it);
    tsr_search_aim(&slot->search, &slot->it, &slot->density);
    return;
  }
  tsr_search_whole(&slot->search, &slot->it);
  if (slot->leaves.room == 0 && !tsr_leaves_grow(&slot->leaves))
    tsr_job_stop(job, TSR_NO_MEMORY);
  else
    slot->leaves.fixed[slot->leaves.n++] = 0;
}

/* Tells the search the count of its candidate, whose leaves are kept if it is the best so far. */
static void tell(tsr_slot *slot) {
  const int64_t most = slot->search.most;
  tsr_search_tell(&slot->search, &slot->it, &slot->walk, slot->count);
  if (slot->search.most < most) {
    const tsr_leaves trial = slot->trial;
    slot->trial = slot->leaves;
    slot->leaves = trial;
  }
}

/* Starts to look at the nodes of a bisection. Returns 1 if there is a question about it. */
static int start_nodes(tsr_slot *slot) {
  const int64_t most = slot->search.most;
  slot->nodes = (tsr_nodes){.here = 3, .level = 1, .n = 2};
  slot->asks = TSR_ASKS_NODE;
  if (slot->in_lane && slot->it.criteria->use_chord && most >= TSR_SEEK_FAILING) {
    int levels = 1;
    while (levels < TSR_LEVELS_BEFORE && (int64_t)1 << levels <= most)
      ++levels;
    tsr_find_failing(&slot->it, levels, slot->nodes.fails);
  }
  return next_question(slot);
}

/* Moves on to the next candidate. Returns 1 if there is a question about it, or if the search is
 * over, and 0 if it is known to make too many segments. */
static int next_candidate(tsr_slot *slot) {
  tsr_search *search = &slot->search;
  if (!tsr_search_next(search, &slot->it, &slot->density, &slot->walk, slot->later)) {
    slot->it.at_limit = search->limited;
    slot->asks = TSR_ASKS_NOTHING;
    if (search->choice == TSR_CHOICE_BISECTION) {
      slot->it.at_limit = 0;
      slot->leaves.n = 0;
    }
    return 1;
  }
  if (search->running == 1 && search->count > 0) /* one step, halved where it fails: bisection */
    return start_nodes(slot);
  return start_walk(slot);
}

/* Takes the answer to the question of slot l. Returns 1 if there is another question about the
 * candidate. */
static int take_answer(tsr_searches *searches, int l, int fulfilled) {
  tsr_slot *slot = &searches->slots[l];
  if (slot->asks == TSR_ASKS_STEP)
    return go_on_walking(slot, fulfilled, searches->job);
  if (slot->asks == TSR_ASKS_NODE)
    return go_on_looking(slot, fulfilled);
  take_whole(slot, fulfilled, searches->job);
  return 0;
}

/* Goes on with slot l until a piece has to be looked at in a lane, or the search is over. asks: 1
 * if there is a question about the candidate. */
static void go_on(tsr_searches *searches, int l, int asks) {
  tsr_slot *slot = &searches->slots[l];
  int fulfilled = 0;
  while (fulfilled >= 0) {
    while (!asks) {
      if (slot->asks != TSR_ASKS_WHOLE)
        tell(slot);
      asks = next_candidate(slot);
    }
    if (slot->asks == TSR_ASKS_NOTHING || atomic_load(&searches->job->stop) != TSR_OK)
      break;
    fulfilled = answer(searches, l);
    if (fulfilled >= 0)
      asks = take_answer(searches, l, fulfilled);
  }
  if (fulfilled >= 0 && slot->in_lane)
    idle_lane(searches->lanes, l);
}

void tsr_searches_start(tsr_searches *searches, tsr_slot *slot) {
  const int l = (int)(slot - searches->slots);
  int known;
  slot->in_lane = tsr_lanes_take(searches->lanes, &slot->span, &slot->it.kept);
  if (slot->in_lane) {
    tsr_lanes_take_span(searches->lanes, slot->it.view, slot->it.criteria, &slot->span,
                        &slot->it.kept);
    tsr_lanes_load(searches->lanes, l, &slot->it.net, slot->it.wang);
  }
  slot->leaves.n = 0;
  slot->asks = TSR_ASKS_WHOLE;
  tsr_search_clear(&slot->search, &slot->it);
  known = answer(searches, l);
  if (known >= 0)
    go_on(searches, l, take_answer(searches, l, known));
}

/* Takes the answer from lane l, and puts the next piece into it. */
static inline void take_from_lane(tsr_searches *searches, int l, int fulfilled) {
  tsr_slot *slot = &searches->slots[l];
  const tsr_walk *walk = &slot->walk;
  const int asks = take_answer(searches, l, fulfilled);
  if (!asks || slot->asks != TSR_ASKS_STEP ||
      put_in_lane(searches, l, walk->slack, walk->a, walk->b) >= 0)
    go_on(searches, l, asks);
}

tsr_slot *tsr_searches_run(tsr_searches *searches) {
  for (;;) {
    unsigned fulfilled;
    int busy = 0;
    for (int l = 0; l < TSR_LANES; ++l) {
      tsr_slot *slot = &searches->slots[l];
      if (slot->span_number >= 0 && slot->asks == TSR_ASKS_NOTHING)
        return slot;
      busy |= slot->span_number >= 0;
    }
    if (!busy || atomic_load(&searches->job->stop) != TSR_OK)
      return NULL;
    fulfilled = tsr_lanes_fulfilled(searches->lanes); /* a search that goes on is in a lane */
    for (int l = 0; l < TSR_LANES; ++l)
      if (searches->slots[l].span_number >= 0)
        take_from_lane(searches, l, (int)(fulfilled >> l & 1));
  }
}
