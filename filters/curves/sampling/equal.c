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
    leaves->n = first;
    n = collect(leaves, &walk, it, &search, job);
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
