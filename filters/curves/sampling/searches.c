/* SPDX-License-Identifier: BSD-3-Clause */
/** Curves: the searches for the best points of several spans at a time. */
#include "curves/sampling/searches.h"

#include <stdlib.h>

#define TSR_SEGMENTS_A_LOOK 1024 /* so often the job is asked whether it goes on */

/* A lane that nothing is asked in: its piece fails at once. */
static void idle_lane(tsr_lanes *lanes, int l) {
  lanes->chord[l] = -1.0;
  lanes->with_chord[l] = 1.0;
}

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
    slot->leaves = slot->trial = slot->next = (tsr_leaves){NULL, 0, 0};
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
    free(searches->slots[l].next.fixed);
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

/* Ends of the segment of the candidate that is asked about. */
static uint32_t segment_start(const tsr_slot *slot) {
  return slot->trial.fixed[slot->at] & ((uint32_t)TSR_FIXED_ONE - 1);
}

static uint32_t segment_end(const tsr_slot *slot) {
  return slot->at + 1 < slot->trial.n
             ? slot->trial.fixed[slot->at + 1] & ((uint32_t)TSR_FIXED_ONE - 1)
             : (uint32_t)TSR_FIXED_ONE;
}

/* Answers the question of slot l if no piece has to be looked at in a lane; else puts the piece
 * into the lane and returns -1. */
static int answer(tsr_searches *searches, int l) {
  tsr_slot *slot = &searches->slots[l];
  tsr_lanes *lanes = searches->lanes;
  uint32_t a = 0, b = (uint32_t)TSR_FIXED_ONE;
  int64_t slack = 0;
  int off = 0, with_chord, known;
  if (slot->asks == TSR_ASKS_SEGMENT) {
    a = segment_start(slot);
    b = segment_end(slot);
    slack = slot->walk.slack;
    off = slot->walk.off;
  }
  if (!slot->in_lane)
    return tsr_stretch_fulfilled(&slot->it, slack, a, b, off);
  known = tsr_stretch_known(&slot->it, slack, a, b, &with_chord);
  if (known < 0) {
    lanes->a[l] = tsr_from_fixed(a);
    lanes->b[l] = tsr_from_fixed(b);
    lanes->chord[l] = slot->it.criteria->chord;
    lanes->with_chord[l] = (double)with_chord;
  }
  return known;
}

/* Appends a segment to a list. */
static void put(tsr_leaves *list, uint32_t segment, tsr_job *job) {
  if (list->n == list->room && !tsr_leaves_grow(list)) {
    tsr_job_stop(job, TSR_NO_MEMORY);
    return;
  }
  list->fixed[list->n++] = segment;
  if (list->n % TSR_SEGMENTS_A_LOOK == 0)
    tsr_job_goes_on(job);
}

/* Lists the steps of the candidate, none of them looked at. */
static void list_steps(tsr_slot *slot, tsr_job *job) {
  slot->trial.n = slot->next.n = slot->at = 0;
  while (tsr_walk_pass(&slot->walk) && atomic_load(&job->stop) == TSR_OK)
    put(&slot->trial, tsr_walk_leaf(&slot->walk) | TSR_SEGMENT_OPEN, job);
  slot->steps = slot->trial.n;
}

/* Moves on to the next segment of the round that is to be looked at, or to the next round. Returns
 * 0 if there is none: then all of `trial` keeps the criteria. */
static int next_segment(tsr_slot *slot, tsr_job *job) {
  tsr_leaves *trial = &slot->trial;
  while (atomic_load(&job->stop) == TSR_OK) {
    const int64_t before = trial->n;
    for (; slot->at < trial->n; ++slot->at) {
      if (trial->fixed[slot->at] & TSR_SEGMENT_OPEN)
        return 1;
      put(&slot->next, trial->fixed[slot->at], job);
    }
    const tsr_leaves round = slot->next;
    slot->next = *trial;
    *trial = round;
    slot->next.n = slot->at = 0;
    if (trial->n == before)
      break;
  }
  return 0;
}

/* 1 if a walk from end to end would have given up: it takes each step that is left to make a
 * segment, also one that fixed point cannot tell from the step before. */
static int walk_gives_up(tsr_slot *slot) {
  const tsr_leaves *trial = &slot->trial;
  int64_t n = 0;
  tsr_walk_start(&slot->walk, slot->later, &slot->density, &slot->it, slot->search.running);
  while (tsr_walk_pass(&slot->walk)) {
    while (n < trial->n && (trial->fixed[n] & ~TSR_FIXED_OFF) < slot->walk.b)
      ++n;
    if (tsr_search_gives_up(&slot->search, &slot->walk, n))
      return 1;
  }
  return 0;
}

/* Takes the answer about a segment: keeps it, or puts its halves into the next round. Returns 1 if
 * there is another question about the candidate. Each segment that fails makes one more, and long
 * ones fail: so round by round it shows sooner than from end to end, where most looks are at short
 * ones, that the candidate has too many. */
static int go_on_counting(tsr_slot *slot, int fulfilled, tsr_job *job) {
  const uint32_t segment = slot->trial.fixed[slot->at] & ~TSR_SEGMENT_OPEN;
  const uint32_t a = segment_start(slot);
  const uint32_t half = fulfilled ? 0 : tsr_stretch_half(&slot->it, a, segment_end(slot));
  int64_t left;
  ++slot->at;
  if (half == 0) {
    put(&slot->next, segment, job);
  } else {
    const uint32_t off = slot->walk.off ? TSR_FIXED_OFF : 0;
    slot->walk.halved = 1;
    put(&slot->next, segment | TSR_SEGMENT_OPEN, job);
    put(&slot->next, (a + half) | off | TSR_SEGMENT_OPEN, job);
    left = slot->trial.n - slot->at;
    if (tsr_search_gives_up(&slot->search, &slot->walk, slot->next.n + left)) {
      slot->count = slot->search.most + 1;
      return 0;
    }
  }
  if (next_segment(slot, job))
    return 1;
  slot->count = slot->trial.n;
  if (slot->steps < slot->walk.n) {
    const int halved = slot->walk.halved;
    if (walk_gives_up(slot))
      slot->count = slot->search.most + 1;
    slot->walk.halved = halved;
  }
  return 0;
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

/* Moves on to the next candidate and its first question, or ends the search. */
static void next_candidate(tsr_slot *slot, tsr_job *job) {
  tsr_search *search = &slot->search;
  if (!tsr_search_next(search, &slot->it, &slot->density, &slot->walk, slot->later)) {
    slot->it.at_limit = search->limited;
    slot->asks = TSR_ASKS_NOTHING;
    if (search->choice == TSR_CHOICE_BISECTION) {
      slot->it.at_limit = 0;
      slot->leaves.n = 0;
    }
    return;
  }
  slot->asks = TSR_ASKS_SEGMENT;
  list_steps(slot, job);
}

/* Takes the answer to the question of slot l, and goes on until a piece has to be looked at in a
 * lane, or the search is over. */
static void go_on(tsr_searches *searches, int l, int fulfilled) {
  tsr_slot *slot = &searches->slots[l];
  do {
    int goes_on = 0, whole_failed;
    if (slot->asks == TSR_ASKS_WHOLE)
      take_whole(slot, fulfilled, searches->job);
    else
      goes_on = go_on_counting(slot, fulfilled, searches->job);
    if (!goes_on) {
      if (slot->asks != TSR_ASKS_WHOLE)
        tell(slot);
      next_candidate(slot, searches->job);
    }
    if (slot->asks == TSR_ASKS_NOTHING || atomic_load(&searches->job->stop) != TSR_OK)
      break;
    /* Bisection is one step, halved where it fails, and the whole span has failed before. */
    whole_failed = !goes_on && slot->in_lane && slot->search.running == 1;
    fulfilled = whole_failed ? 0 : answer(searches, l);
  } while (fulfilled >= 0);
  if (fulfilled >= 0 && slot->in_lane)
    idle_lane(searches->lanes, l);
}

void tsr_searches_start(tsr_searches *searches, tsr_slot *slot) {
  const int l = (int)(slot - searches->slots);
  int known;
  slot->in_lane = tsr_lanes_take(searches->lanes, &slot->span, &slot->it.kept);
  if (slot->in_lane) {
    tsr_keep_fields(slot->it.view, slot->it.criteria, &slot->span, &slot->it.kept);
    tsr_lanes_load(searches->lanes, l, &slot->it.net, &slot->it.kept);
  }
  slot->leaves.n = 0;
  slot->asks = TSR_ASKS_WHOLE;
  tsr_search_clear(&slot->search, &slot->it);
  known = answer(searches, l);
  if (known >= 0)
    go_on(searches, l, known);
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
        go_on(searches, l, (int)(fulfilled >> l & 1));
  }
}
