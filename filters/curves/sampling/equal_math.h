/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Sampling by equal errors: candidates for the points of a span, and the search for the best one.
 *
 * A candidate puts n - 1 points where a density says, then looks at every segment with the test
 * that bisection uses and halves it where it fails. So each candidate fulfils the criteria, however
 * wrong its density is, and bisection is the candidate of one step. The search counts the segments
 * of a few and keeps the first of the smallest.
 */
#ifndef TSR_EQUAL_MATH_H
#define TSR_EQUAL_MATH_H

#include "curves/sampling/criteria_math.h"
#include "curves/sampling/density_math.h"

/** The density of a span by its chord error and the length of its segments; constant where neither
 *  is in use. */
TSR_FN void tsr_density_of_span(tsr_density *density, const tsr_span_case *it) {
  const tsr_criteria *criteria = it->criteria;
  density->form = TSR_DENSITY_CONSTANT;
  density->total = 0.0;
  if (criteria->use_chord || criteria->use_length)
    tsr_density_of_net(density, &it->net, criteria->use_chord ? criteria->chord : 0.0,
                       criteria->use_length ? criteria->length : 0.0);
}

/** Most steps of a candidate. A span that needs more goes to bisection, and so does one that needs
 *  more than the plan may have: bisection tells others what it counts before it is done. */
#define TSR_MOST_STEPS ((int64_t)1 << 24)

/** Bisection is looked at, too, where it could be the better: in spans of so few segments. */
#define TSR_FEW_SEGMENTS 8

/** Tries with steps of equal error. Their number grows by 1, 1, 2, 4 ... times a part of the first
 * one; a try may halve as many of its steps without another one after it. */
#define TSR_EQUAL_TRIES 8
#define TSR_EQUAL_PART 64

/** A candidate in 32 bits: the number of steps and how to make them; 0 is bisection. */
typedef uint32_t tsr_choice;
#define TSR_CHOICE_BISECTION ((tsr_choice)0)
#define TSR_CHOICE_EQUAL ((tsr_choice)1 << 31) /* steps by the density, else of the parameter */
#define TSR_CHOICE_WHOLE ((tsr_choice)1 << 30) /* no segment has to be halved */
#define TSR_CHOICE_OFF ((tsr_choice)1 << 29)   /* vertices off the curve, but for the span's ends */
#define TSR_CHOICE_STEPS (TSR_CHOICE_OFF - 1)

/** With vertices off the curve as far as the error allows, a segment between two of them may be
 *  sqrt(2) times as long as one on the curve. One with an end on it may be sqrt((3 + sqrt(8)) / 4)
 *  times as long: that much less than the others. (By 4 e t (1 - t), an arc of error e, less the
 *  line from 0 to the offset.) */
#define TSR_OFF_LONGER 1.4142135623730951
#define TSR_OFF_LESS 0.14644660940672624

/** Walks along a candidate's segments. */
typedef struct tsr_walk {
  const tsr_density *density;
  tsr_density_form form;
  int trusted; /**< no segment needs to be looked at */
  int cell;    /**< of the density's table */
  int halved;  /**< some segment was */
  int off;     /**< vertices lie off the curve */
  int depth;
  int64_t n, k;    /**< steps, and the one that comes next */
  int64_t slack;   /**< rounding of a step to fixed point, for the least */
  uint32_t a, b;   /**< the segment, in fixed point */
  uint32_t *later; /**< upper ends of the halves that wait: TSR_WALK_DEPTH */
} tsr_walk;

#define TSR_WALK_DEPTH (TSR_FIXED_BITS + 1)

/** 1 if the segment [a, b] fulfils all criteria. off: vertices inside the span are off the curve.
 */
TSR_FN int tsr_stretch_fulfilled(tsr_span_case *it, int64_t slack, uint32_t a, uint32_t b,
                                 int off) {
  const tsr_criteria *criteria = it->criteria;
  const double from = tsr_from_fixed(a), to = tsr_from_fixed(b), h = to - from;
  const int with_chord = criteria->use_chord && it->wang * (h * h) > criteria->chord;
  if ((int64_t)(b - a) * it->least > TSR_FIXED_ONE + slack)
    return 0;
  if (TSR_ANY_SPAN && off) {
    tsr_offsets ends;
    const tsr_offsets *moved =
        tsr_leaf_offsets(criteria, &it->net, a > 0 ? a | TSR_FIXED_OFF : a,
                         b < (uint32_t)TSR_FIXED_ONE ? b | TSR_FIXED_OFF : b, &ends);
    return tsr_piece_fulfilled(it, from, to, moved, 1);
  }
  if (!with_chord && !criteria->use_length && !criteria->use_turning && !criteria->use_field)
    return 1;
  return tsr_piece_fulfilled(it, from, to, NULL, with_chord);
}

/** later: TSR_WALK_DEPTH numbers that the walk uses; by themselves, so that all else of it can stay
 * in registers. */
TSR_FN void tsr_walk_start(tsr_walk *walk, uint32_t *later, const tsr_density *density,
                           const tsr_span_case *it, tsr_choice choice) {
  walk->later = later;
  walk->density = density;
  walk->n = (int64_t)(choice & TSR_CHOICE_STEPS);
  walk->form = choice & TSR_CHOICE_EQUAL ? density->form : TSR_DENSITY_CONSTANT;
  walk->trusted = (choice & TSR_CHOICE_WHOLE) != 0;
  walk->off = (choice & TSR_CHOICE_OFF) != 0;
  walk->cell = walk->halved = walk->depth = 0;
  walk->slack = walk->n > 1 ? it->least : 0;
  walk->k = 0;
  walk->a = walk->b = 0;
}

/** Upper end of the next step. A step that fixed point cannot tell from the one before is left out.
 */
TSR_FN uint32_t tsr_walk_step(tsr_walk *walk) {
  const double less = walk->off ? TSR_OFF_LESS : 0.0;
  while (++walk->k < walk->n) {
    const double share = ((double)walk->k - less) / ((double)walk->n - 2.0 * less);
    const double u = tsr_density_place(walk->density, walk->form, share, &walk->cell);
    const double fixed = u * (double)TSR_FIXED_ONE + 0.5;
    if (fixed >= (double)walk->b + 1.0 && fixed < (double)TSR_FIXED_ONE)
      return (uint32_t)fixed;
  }
  return (uint32_t)TSR_FIXED_ONE;
}

/** Moves on to what may be the next segment, [walk->a, walk->b], and returns 1; 0 after the last.
 */
TSR_FN int tsr_walk_pass(tsr_walk *walk) {
  if (walk->b == (uint32_t)TSR_FIXED_ONE)
    return 0;
  walk->a = walk->b;
  walk->b = walk->depth > 0 ? walk->later[--walk->depth] : tsr_walk_step(walk);
  return 1;
}

/** 1 if [walk->a, walk->b] fulfils the criteria, or need not be looked at. */
TSR_FN int tsr_walk_fulfilled(const tsr_walk *walk, tsr_span_case *it) {
  return walk->trusted || tsr_stretch_fulfilled(it, walk->slack, walk->a, walk->b, walk->off);
}

/** Goes on to the first half of what does not, and returns 1; 0 where it is too short for that:
 * then it is a segment all the same. */
TSR_FN int tsr_walk_halve(tsr_walk *walk, tsr_span_case *it) {
  const uint32_t shortest = (uint32_t)1 << (TSR_FIXED_BITS - it->criteria->max_level);
  const uint32_t half = (walk->b - walk->a) / 2;
  if (half < shortest) {
    it->at_limit = 1;
    return 0;
  }
  walk->halved = 1;
  walk->later[walk->depth++] = walk->b;
  walk->b = walk->a + half;
  return 1;
}

/** Moves on to the next segment, [walk->a, walk->b], and returns 1; 0 after the last. */
TSR_FN int tsr_walk_next(tsr_walk *walk, tsr_span_case *it) {
  if (!tsr_walk_pass(walk))
    return 0;
  while (!tsr_walk_fulfilled(walk, it) && tsr_walk_halve(walk, it))
    ;
  return 1;
}

/** The leaf that the walk's segment begins with. */
TSR_FN uint32_t tsr_walk_leaf(const tsr_walk *walk) {
  return walk->off && walk->a > 0 ? walk->a | TSR_FIXED_OFF : walk->a;
}

/** What the search looks at next. */
typedef enum tsr_search_stage {
  TSR_SEARCH_EQUAL,
  TSR_SEARCH_UNIFORM,
  TSR_SEARCH_BISECTION,
  TSR_SEARCH_OFF,
  TSR_SEARCH_OVER
} tsr_search_stage;

/** The search for the best candidate of a span. */
typedef struct tsr_search {
  tsr_search_stage stage;
  int tries;
  int64_t n, grow;    /**< EQUAL, OFF: steps of the next try, and how many more the one after has */
  int64_t off;        /**< OFF: steps of the first try; 0: there is none */
  int64_t part;       /**< halved steps that are too few for another try */
  int64_t uniform;    /**< steps of the parameter that Wang's bounds ask for; 0: not known yet */
  tsr_choice running; /**< the candidate that is counted now */
  tsr_choice choice;  /**< the best so far, and in the end */
  int64_t count, most; /**< its segments; a better one has no more than that many */
  int limited;         /**< it reached a limit */
} tsr_search;

/** 1 if criteria other than the chord error are in use. */
TSR_FN int tsr_other_criteria(const tsr_criteria *criteria) {
  return criteria->use_length || criteria->use_turning || criteria->use_field;
}

/** Begins the search, with nothing found. */
TSR_FN void tsr_search_clear(tsr_search *search, tsr_span_case *it) {
  it->at_limit = 0;
  search->stage = TSR_SEARCH_OVER;
  search->choice = TSR_CHOICE_BISECTION;
  search->count = 0;
  search->limited = 0;
  search->most = 0;
}

/** Ends it where the span is one segment. */
TSR_FN void tsr_search_whole(tsr_search *search, const tsr_span_case *it) {
  search->choice = 1 | TSR_CHOICE_WHOLE;
  search->count = 1;
  search->limited = it->at_limit;
}

/** Begins the search. Returns 0 where the span is one segment, so that no density is needed. */
TSR_FN int tsr_search_start(tsr_search *search, tsr_span_case *it) {
  tsr_search_clear(search, it);
  if (!tsr_stretch_fulfilled(it, 0, 0, (uint32_t)TSR_FIXED_ONE, 0))
    return 1;
  tsr_search_whole(search, it);
  return 0;
}

/** Begins with tries of n steps. */
TSR_FN void tsr_search_tries(tsr_search *search, int64_t n) {
  search->n = n;
  search->tries = 0;
  search->part = n / TSR_EQUAL_PART;
  search->grow = search->part > 1 ? search->part : 1;
}

/** Steps with vertices off the curve where `total` would do on it: the first and the last one have
 *  an end on it. The bound of their error has no excess, which the total counts with. */
TSR_FN int64_t tsr_off_steps(const tsr_span_case *it, double total) {
  const int degree = it->net.degree;
  const double least = degree > 3 ? total / sqrt(tsr_flatness_excess(degree)) : total;
  const int64_t n = tsr_ceil_count(least / TSR_OFF_LONGER + 2.0 * TSR_OFF_LESS, TSR_MOST_STEPS);
  const int64_t most = n > it->least ? n : it->least;
  return most > 2 ? most : 2;
}

/** Sets the candidates up, from the span's density. Where lengths count, a step must not be longer
 *  by the unit that places are rounded to. */
TSR_FN void tsr_search_aim(tsr_search *search, const tsr_span_case *it,
                           const tsr_density *density) {
  const tsr_criteria *criteria = it->criteria;
  const int64_t may = criteria->most_segments < it->most ? criteria->most_segments : it->most;
  const int64_t cap = may < TSR_MOST_STEPS ? may : TSR_MOST_STEPS;
  const double unit = criteria->use_length ? density->total / (double)TSR_FIXED_ONE : 0.0;
  search->n = tsr_ceil_count(density->total * (1.0 + unit), cap + 1);
  search->n = search->n > it->least ? search->n : it->least;
  search->n = search->n > 2 ? search->n : 2;
  if (!(density->total <= (double)cap) || search->n > cap)
    return;
  search->uniform = tsr_ceil_count(tsr_uniform_demand(it), cap + 1);
  search->uniform = search->uniform > it->least ? search->uniform : it->least;
  search->uniform = criteria->use_length ? 0 : search->uniform;
  search->stage = search->uniform <= search->n && !tsr_other_criteria(criteria) ? TSR_SEARCH_UNIFORM
                                                                                : TSR_SEARCH_EQUAL;
  search->most = cap;
  tsr_search_tries(search, search->n);
  search->off = TSR_ANY_SPAN && criteria->off_curve && density->form != TSR_DENSITY_CONSTANT
                    ? tsr_off_steps(it, density->total)
                    : 0;
}

/** 1 if bisection has to be counted, too: where nothing else was found it is the choice anyway, and
 *  can be counted then without a bound. The density of a rational span may be too steep for its
 *  table. */
TSR_FN int tsr_search_bisects(const tsr_search *search, const tsr_span_case *it) {
  if (search->count == 0)
    return 0;
  return tsr_other_criteria(it->criteria) || !(search->choice & TSR_CHOICE_WHOLE) ||
         (search->tries > 1 && (it->net.rational || search->count <= TSR_FEW_SEGMENTS));
}

/** Goes on to vertices off the curve, if these are asked for and there is a number to better. */
TSR_FN void tsr_search_go_off(tsr_search *search) {
  search->stage = search->off > 0 && search->count > 0 ? TSR_SEARCH_OFF : TSR_SEARCH_OVER;
  tsr_search_tries(search, search->off);
}

/** 1 if the stage makes tries with more and more steps. */
TSR_FN int tsr_search_trying(const tsr_search *search) {
  return search->stage == TSR_SEARCH_EQUAL || search->stage == TSR_SEARCH_OFF;
}

/** Steps of the parameter as the uniform sampling finds them, or most + 1 where these are more. The
 *  closed form is no guide where lengths count: it may ask for many more. */
TSR_FAR_FN int64_t tsr_uniform_within(tsr_span_case *copy, int64_t most) {
  const int64_t n = tsr_uniform_count(copy, most);
  return copy->at_limit ? most + 1 : n;
}

/** The candidate to be counted next, in search->running and *walk, and 1; 0 where the search is
 * over. later: as in tsr_walk_start. */
TSR_FN int tsr_search_next(tsr_search *search, tsr_span_case *it, const tsr_density *density,
                           tsr_walk *walk, uint32_t *later) {
  if (search->stage == TSR_SEARCH_EQUAL &&
      (search->n > search->most || search->tries == TSR_EQUAL_TRIES))
    search->stage = TSR_SEARCH_UNIFORM;
  if (search->stage == TSR_SEARCH_UNIFORM && search->uniform == 0) {
    tsr_span_case copy = *it; /* so that a device's thread can keep its own in registers */
    search->uniform = tsr_uniform_within(&copy, search->most);
  }
  if (search->stage == TSR_SEARCH_UNIFORM && search->uniform > search->most)
    search->stage = TSR_SEARCH_BISECTION;
  if (search->stage == TSR_SEARCH_BISECTION && !tsr_search_bisects(search, it))
    tsr_search_go_off(search);
  if (search->stage == TSR_SEARCH_OFF &&
      (search->n > search->most || search->tries == TSR_EQUAL_TRIES))
    search->stage = TSR_SEARCH_OVER;
  if (search->stage == TSR_SEARCH_OVER || search->most < 2) {
    if (search->limited)
      search->choice = TSR_CHOICE_BISECTION;
    return 0;
  }
  search->running = 1;
  if (search->stage == TSR_SEARCH_EQUAL)
    search->running = (tsr_choice)search->n | TSR_CHOICE_EQUAL;
  else if (search->stage == TSR_SEARCH_UNIFORM)
    search->running = (tsr_choice)search->uniform;
  else if (search->stage == TSR_SEARCH_OFF)
    search->running = (tsr_choice)search->n | TSR_CHOICE_EQUAL | TSR_CHOICE_OFF;
  it->at_limit = 0;
  tsr_walk_start(walk, later, density, it, search->running);
  return 1;
}

/** 1 if the candidate cannot come to search->most segments or fewer any more, n of them being there
 *  already: every step that is left makes at least one. */
TSR_FN int tsr_search_gives_up(const tsr_search *search, const tsr_walk *walk, int64_t n) {
  const int64_t left = walk->k < walk->n ? walk->n - walk->k : 0;
  const int64_t least = n + walk->depth + left;
  return least > search->most ||
         (tsr_search_trying(search) && least > search->n + search->n / 8 + 2);
}

/** Tells what the candidate came to; count is above search->most where that was not found out. */
TSR_FN void tsr_search_tell(tsr_search *search, const tsr_span_case *it, const tsr_walk *walk,
                            int64_t count) {
  if (count <= search->most && (!it->at_limit || search->count == 0 || search->limited)) {
    search->choice = search->running | (walk->halved || it->at_limit ? 0 : TSR_CHOICE_WHOLE);
    search->count = count;
    search->limited = it->at_limit;
    search->most = count - 1;
  }
  if (tsr_search_trying(search)) {
    if (search->count > 0 && search->count <= search->n + search->part)
      search->stage = search->stage == TSR_SEARCH_EQUAL ? TSR_SEARCH_UNIFORM : TSR_SEARCH_OVER;
    search->n += search->grow;
    search->grow = search->tries++ == 0 ? search->grow : 2 * search->grow;
  } else if (search->stage == TSR_SEARCH_UNIFORM) {
    search->stage = TSR_SEARCH_BISECTION;
  } else {
    tsr_search_go_off(search);
  }
}

#endif
