/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Sampling by equal errors: candidates for the points of a span, and the search for the best one.
 *
 * A candidate puts n - 1 points where a density says, then looks at every segment with the test
 * that bisection uses and halves it where it fails. So each candidate fulfils the criteria, however
 * wrong its density is, and bisection is the candidate of one step. The search counts the segments
 * of a few and keeps the first of the smallest.
 */
#ifndef TSR_CURVES_SAMPLING_EQUAL_MATH_H
#define TSR_CURVES_SAMPLING_EQUAL_MATH_H

#include "curves/sampling/criteria_math.h"
#include "curves/sampling/density_math.h"

/** The density of a span by its chord error and the length of its segments; constant where neither
 *  is in use. */
TSR_FN void tsr_density_of_span(tsr_density *density, const tsr_span_case *it) {
  const tsr_curves_criteria *criteria = it->criteria;
  density->form = TSR_DENSITY_CONSTANT;
  density->total = 0.0;
  if (criteria->use_chord || criteria->use_length)
    tsr_density_of_net(density, &it->net, criteria->use_chord ? criteria->chord : 0.0,
                       criteria->use_length ? criteria->length : 0.0);
}

/** Most steps of a candidate. A span that needs more is bisected, and so is a span that needs more
 *  than criteria->most_segments: bisection reports its count while it runs, so that other threads
 *  stop early. */
#define TSR_MOST_STEPS ((int64_t)1 << 24)

/** In spans of at most this many segments bisection is counted as well, since it may need fewer. */
#define TSR_FEW_SEGMENTS 8

/** Most tries with steps of equal error. From try to try the number of steps grows by 1, 1, 2, 4,
 *  ... times 1 / TSR_EQUAL_PART of the steps of the first try. The tries end as soon as halving has
 *  added no more segments than that part. */
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
 *  sqrt(2) times as long as a segment on the curve. A segment with one end on the curve may be
 *  sqrt((3 + sqrt(8)) / 4) times as long; TSR_OFF_LESS is the part of a step by which it is
 * shorter. Both follow from the distance 4 e t (1 - t) of an arc of error e from its chord, minus
 * the linear course of the offset from one end to the other. */
#define TSR_OFF_LONGER 1.4142135623730951
#define TSR_OFF_LESS 0.14644660940672624

/** Walks along a candidate's segments. */
typedef struct tsr_walk {
  const tsr_density *density;
  tsr_density_form form;
  int trusted;     /**< 1: all segments are known to fulfil the criteria */
  int cell;        /**< cell of the density's table in which the last place was found */
  int halved;      /**< 1 if any segment was halved */
  int off;         /**< 1: vertices inside the span lie off the curve */
  int depth;       /**< entries of `later` */
  int64_t n, k;    /**< number of steps, and the index of the current one */
  int64_t slack;   /**< tolerance, in fixed point, with which it->least is compared */
  uint32_t a, b;   /**< ends of the segment, in fixed point */
  uint32_t *later; /**< stack of the upper ends of pending second halves: TSR_WALK_DEPTH entries */
} tsr_walk;

#define TSR_WALK_DEPTH (TSR_FIXED_BITS + 1)

/** 1 or 0 if the segment [a, b] of vertices on the curve is known to fulfil the criteria or not to,
 *  without a look at its piece; else -1, and *with_chord tells whether the chord error matters. */
TSR_FN int tsr_stretch_known(const tsr_span_case *it, int64_t slack, uint32_t a, uint32_t b,
                             int *with_chord) {
  const tsr_curves_criteria *criteria = it->criteria;
  const double h = tsr_from_fixed(b) - tsr_from_fixed(a);
  *with_chord = criteria->use_chord && it->wang * (h * h) > criteria->chord;
  if ((int64_t)(b - a) * it->least > TSR_FIXED_ONE + slack)
    return 0;
  return *with_chord || criteria->use_length || criteria->use_turning || criteria->use_field ? -1
                                                                                             : 1;
}

/** 1 if the segment [a, b] fulfils all criteria. off: vertices inside the span are off the curve.
 */
TSR_FN int tsr_stretch_fulfilled(tsr_span_case *it, int64_t slack, uint32_t a, uint32_t b,
                                 int off) {
  int with_chord;
  const int known = tsr_stretch_known(it, slack, a, b, &with_chord);
  if (TSR_ANY_SPAN && off && known != 0) {
    tsr_offsets ends;
    const tsr_offsets *moved =
        tsr_leaf_offsets(it->criteria, &it->net, a > 0 ? a | TSR_FIXED_OFF : a,
                         b < (uint32_t)TSR_FIXED_ONE ? b | TSR_FIXED_OFF : b, &ends);
    return tsr_piece_fulfilled(it, tsr_from_fixed(a), tsr_from_fixed(b), moved, 1);
  }
  return known < 0 ? tsr_piece_fulfilled(it, tsr_from_fixed(a), tsr_from_fixed(b), NULL, with_chord)
                   : known;
}

/** Starts the walk along the candidate `choice`. later: scratch of TSR_WALK_DEPTH entries; it is
 * not part of the walk, so that the walk can stay in registers. */
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

/** The share of the density that step k of the walk ends at. */
TSR_FN double tsr_walk_share(const tsr_walk *walk, int64_t k) {
  const double less = walk->off ? TSR_OFF_LESS : 0.0;
  return ((double)k - less) / ((double)walk->n - 2.0 * less);
}

/** A parameter in fixed point, rounded to the nearest once it is an integer. */
TSR_FN double tsr_near_fixed(double u) { return u * (double)TSR_FIXED_ONE + 0.5; }

/** 1 if a step can end at a parameter. One that fixed point cannot tell from the step before is
 * left out. fixed: tsr_near_fixed. */
TSR_FN int tsr_walk_takes(const tsr_walk *walk, double fixed) {
  return fixed >= (double)walk->b + 1.0 && fixed < (double)TSR_FIXED_ONE;
}

/** Upper end of the next step. */
TSR_FN uint32_t tsr_walk_step(tsr_walk *walk) {
  while (++walk->k < walk->n) {
    const double share = tsr_walk_share(walk, walk->k);
    const double fixed =
        tsr_near_fixed(tsr_density_place(walk->density, walk->form, share, &walk->cell));
    if (tsr_walk_takes(walk, fixed))
      return (uint32_t)fixed;
  }
  return (uint32_t)TSR_FIXED_ONE;
}

/** Moves on to the next step, or to a pending half, as the candidate segment [walk->a, walk->b],
 * and returns 1; 0 after the last. */
TSR_FN int tsr_walk_pass(tsr_walk *walk) {
  if (walk->b == (uint32_t)TSR_FIXED_ONE)
    return 0;
  walk->a = walk->b;
  walk->b = walk->depth > 0 ? walk->later[--walk->depth] : tsr_walk_step(walk);
  return 1;
}

/** 1 if [walk->a, walk->b] fulfils the criteria. */
TSR_FN int tsr_walk_fulfilled(const tsr_walk *walk, tsr_span_case *it) {
  return walk->trusted || tsr_stretch_fulfilled(it, walk->slack, walk->a, walk->b, walk->off);
}

/** Halves the current segment, which fails the criteria, moves to its first half and returns 1.
 *  Returns 0 and sets it->at_limit if the halves would be shorter than 2^-max_level: then the
 *  segment stays as it is. */
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

/** The kind of candidate that the search counts next. */
typedef enum tsr_search_stage {
  TSR_SEARCH_EQUAL,
  TSR_SEARCH_UNIFORM,
  TSR_SEARCH_BISECTION,
  TSR_SEARCH_OFF,
  TSR_SEARCH_OVER
} tsr_search_stage;

/** The search for the best candidate of a span. The order of calls is tsr_search_start(),
 *  tsr_search_aim(), and then, until tsr_search_next() returns 0, a count of its candidate followed
 *  by tsr_search_tell(). */
typedef struct tsr_search {
  tsr_search_stage stage;
  int tries;
  int64_t n, grow;    /**< EQUAL, OFF: steps of the next try; what the try after it has more */
  int64_t off;        /**< OFF: steps of the first try; 0: vertices stay on the curve */
  int64_t part;       /**< EQUAL, OFF: a try is good enough if halving added at most this many */
  int64_t uniform;    /**< steps of the parameter that Wang's bounds ask for; 0: not known yet */
  tsr_choice running; /**< the candidate that is counted now */
  tsr_choice choice;  /**< the best candidate so far */
  int64_t count;      /**< segments of `choice`; 0: nothing found yet */
  int64_t most;       /**< a candidate replaces `choice` if it has at most this many segments */
  int limited;        /**< 1 if `choice` reached a limit */
} tsr_search;

/** 1 if criteria other than the chord error are in use. */
TSR_FN int tsr_other_criteria(const tsr_curves_criteria *criteria) {
  return criteria->use_length || criteria->use_turning || criteria->use_field;
}

/** Resets the search: nothing is found, and it is over. */
TSR_FN void tsr_search_clear(tsr_search *search, tsr_span_case *it) {
  it->at_limit = 0;
  search->stage = TSR_SEARCH_OVER;
  search->choice = TSR_CHOICE_BISECTION;
  search->count = 0;
  search->limited = 0;
  search->most = 0;
}

/** Ends the search with the whole span as one segment. */
TSR_FN void tsr_search_whole(tsr_search *search, const tsr_span_case *it) {
  search->choice = 1 | TSR_CHOICE_WHOLE;
  search->count = 1;
  search->limited = it->at_limit;
}

/** Resets the search and tests the whole span. Returns 0 if one segment fulfils the criteria: then
 *  the search is over, and no density is needed. */
TSR_FN int tsr_search_start(tsr_search *search, tsr_span_case *it) {
  tsr_search_clear(search, it);
  if (!tsr_stretch_fulfilled(it, 0, 0, (uint32_t)TSR_FIXED_ONE, 0))
    return 1;
  tsr_search_whole(search, it);
  return 0;
}

/** Restarts the tries, at n steps. */
TSR_FN void tsr_search_tries(tsr_search *search, int64_t n) {
  search->n = n;
  search->tries = 0;
  search->part = n / TSR_EQUAL_PART;
  search->grow = search->part > 1 ? search->part : 1;
}

/** Number of steps with vertices off the curve, from `total`, that of steps with vertices on it.
 * The first and the last step keep one end on the curve. For degrees above 3 `total` contains the
 *  factor tsr_flatness_excess(), which the bound for vertices off the curve does not have. */
TSR_FN int64_t tsr_off_steps(const tsr_span_case *it, double total) {
  const int degree = it->net.degree;
  const double least = degree > 3 ? total / sqrt(tsr_flatness_excess(degree)) : total;
  const int64_t n = tsr_ceil_count(least / TSR_OFF_LONGER + 2.0 * TSR_OFF_LESS, TSR_MOST_STEPS);
  const int64_t most = n > it->least ? n : it->least;
  return most > 2 ? most : 2;
}

/** Sets up the candidates from the span's density; the search stays over if they would have too
 * many steps. With a segment length one more unit of rounding is added, since no step may be
 * longer. */
TSR_FN void tsr_search_aim(tsr_search *search, const tsr_span_case *it,
                           const tsr_density *density) {
  const tsr_curves_criteria *criteria = it->criteria;
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

/** 1 if bisection must be counted, too: if the best candidate had to halve segments, if other
 *  criteria are in use, or if several tries were needed for a short or a rational span, whose
 *  density may be too steep for its table. If nothing was found, bisection is chosen without being
 *  counted here. One uniform step, halved where it fails, was bisection already. */
TSR_FN int tsr_search_bisects(const tsr_search *search, const tsr_span_case *it) {
  if (search->count == 0 || search->uniform == 1)
    return 0;
  return tsr_other_criteria(it->criteria) || !(search->choice & TSR_CHOICE_WHOLE) ||
         (search->tries > 1 && (it->net.rational || search->count <= TSR_FEW_SEGMENTS));
}

/** Goes on to vertices off the curve, if these are wanted and another candidate was found;
 * otherwise ends the search. */
TSR_FN void tsr_search_go_off(tsr_search *search) {
  search->stage = search->off > 0 && search->count > 0 ? TSR_SEARCH_OFF : TSR_SEARCH_OVER;
  tsr_search_tries(search, search->off);
}

/** 1 if the stage makes tries with more and more steps. */
TSR_FN int tsr_search_trying(const tsr_search *search) {
  return search->stage == TSR_SEARCH_EQUAL || search->stage == TSR_SEARCH_OFF;
}

/** The count of the uniform sampling, or most + 1 if it is above most. The search takes it where a
 *  segment length is in use, since the closed form may then ask for many more steps. */
TSR_FAR_FN int64_t tsr_uniform_within(tsr_span_case *copy, int64_t most) {
  const int64_t n = tsr_uniform_count(copy, most);
  return copy->at_limit ? most + 1 : n;
}

/** Selects the candidate to be counted next, sets search->running and *walk, and returns 1; returns
 *  0 when the search is over. later: scratch, see tsr_walk_start(). */
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

/** 1 if the candidate, with n segments counted, must exceed search->most, since every step that is
 *  left makes at least one segment. A try also gives up when halving must add more than an eighth
 *  of its steps and 2: the next try is then better. */
TSR_FN int tsr_search_gives_up(const tsr_search *search, const tsr_walk *walk, int64_t n) {
  const int64_t left = walk->k < walk->n ? walk->n - walk->k : 0;
  const int64_t least = n + walk->depth + left;
  return least > search->most ||
         (tsr_search_trying(search) && least > search->n + search->n / 8 + 2);
}

/** Records the count of the running candidate and selects the next stage. A count above
 * search->most says that the candidate gave up. */
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
