/* SPDX-License-Identifier: BSD-3-Clause */
/** Curves: the count of spans by equal errors. */
#include "curves/plan.h"
#include "curves/sampling/equal_math.h"

#define TSR_SEGMENTS_A_LOOK 1024 /* so often the job is asked whether it goes on */

/* Appends the walk's segments; their number, a larger one than search->most where they are too
 * many, or -1 where the job is to stop. */
static int64_t collect(tsr_leaves *leaves, tsr_walk *walk, tsr_span_case *it,
                       const tsr_search *search, tsr_job *job) {
  int64_t n = 0;
  while (tsr_walk_next(walk, it)) {
    if (tsr_search_gives_up(search, walk, ++n))
      return search->most + 1;
    if (leaves->n == leaves->room && !tsr_leaves_grow(leaves)) {
      tsr_job_stop(job, TSR_NO_MEMORY);
      return -1;
    }
    leaves->fixed[leaves->n++] = tsr_walk_leaf(walk);
    if (n % TSR_SEGMENTS_A_LOOK == 0 && !tsr_job_goes_on(job))
      return -1;
  }
  return n;
}

/* Levels of bisection that are looked at before a walk: the nodes of the deepest one, 2^5, and
 * their children are bits of a word. */
#define TSR_LEVELS_BEFORE 6

/* 1 if bisecting the span, which does not fulfil the criteria as a whole, must make more than
 * `most` segments; 0 if that is not known. Each node that fails makes one segment more, and long
 * nodes fail. So looking level by level shows sooner than a walk from end to end, half of whose
 * nodes do not fail, that there are too many. Without this, 200,000 cubic cells with default
 * settings take 1.26 times as long, and 20,000 noisy polylines 1.04 times. */
static int bisection_exceeds(tsr_span_case *it, int64_t most) {
  uint64_t nodes = 3;
  int64_t n = 2;
  for (int level = 1; level < TSR_LEVELS_BEFORE && level < it->criteria->max_level; ++level) {
    const uint32_t size = (uint32_t)1 << (TSR_FIXED_BITS - level);
    uint64_t below = 0;
    for (uint32_t i = 0; i < (uint32_t)1 << level; ++i) {
      if (!(nodes >> i & 1) || tsr_stretch_fulfilled(it, 0, i * size, (i + 1) * size, 0))
        continue;
      if (++n > most)
        return 1;
      below |= (uint64_t)3 << (2 * i);
    }
    nodes = below;
  }
  return 0;
}

int64_t tsr_equal_collect(tsr_leaves *leaves, tsr_span_case *it, tsr_job *job) {
  const int64_t first = leaves->n;
  tsr_density density;
  tsr_search search;
  tsr_walk walk;
  uint32_t later[TSR_WALK_DEPTH];
  int64_t n = 0;
  tsr_choice kept = TSR_CHOICE_BISECTION;
  if (tsr_search_start(&search, it)) {
    tsr_density_make(&density, it);
    tsr_search_aim(&search, it, &density);
  }
  while (tsr_search_next(&search, it, &density, &walk, later)) {
    /* One step, halved where it fails, is bisection. */
    const int exceeds =
        search.running == 1 && search.count > 0 && bisection_exceeds(it, search.most);
    leaves->n = first;
    it->at_limit = 0;
    n = exceeds ? search.most + 1 : collect(leaves, &walk, it, &search, job);
    if (n < 0)
      return n;
    kept = n > search.most ? TSR_CHOICE_BISECTION : search.running;
    tsr_search_tell(&search, it, &walk, n);
  }
  it->at_limit = search.limited;
  if (kept != TSR_CHOICE_BISECTION && (search.choice & ~TSR_CHOICE_WHOLE) == kept)
    return n;
  leaves->n = first;
  if (search.choice == TSR_CHOICE_BISECTION) {
    it->at_limit = 0;
    return 0;
  }
  tsr_walk_start(&walk, later, &density, it, search.choice);
  search.stage = TSR_SEARCH_OVER;
  search.most = INT64_MAX;
  return collect(leaves, &walk, it, &search, job);
}
