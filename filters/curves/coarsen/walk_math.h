/* SPDX-License-Identifier: BSD-3-Clause */
/** Coarsening: the walk along a chain, which decides the vertices that stay. */
#ifndef TSR_WALK_MATH_H
#define TSR_WALK_MATH_H

#include "curves/coarsen/cone_math.h"

/** A walk looks at so many points at once, and at so many times what it has kept. */
#define TSR_WALK_FIRST 32
#define TSR_WALK_GROWTH 4

/** Where the last point of the cone does not do, so many that it saw before, and then so many
 * others are tried. */
#define TSR_WALK_SEEN 4
#define TSR_WALK_TRIES 6

/** Ends of a segment that are compared by how far the next one goes, where points scatter. */
#define TSR_WALK_ENDS 2

/** Points that one walk keeps together; the point where two walks meet stays. */
#define TSR_WALK_POINTS 65536

/** A walk's way to the end of a segment. */
typedef struct tsr_reach {
  int64_t sure;                /**< a vertex that does */
  int64_t seen[TSR_WALK_SEEN]; /**< the last vertices that lay in the cone, in a ring */
  int n_seen;                  /**< how many there were since `sure` */
} tsr_reach;

/** 1 if the segment from i to j does; then it is the sure one. */
TSR_FN int tsr_reach_try(tsr_reach *reach, const tsr_chain *chain, int64_t i, int64_t j,
                         double *miss) {
  const double tried = tsr_chain_miss(chain, i, j);
  if (tried > 0.0)
    return 0;
  *miss = tried;
  reach->sure = j;
  reach->n_seen = 0;
  return 1;
}

/** The last of the vertices that the cone had room for, which a few tries find: those that it saw
 *  last, and then by halves. */
TSR_FN int64_t tsr_reach_back(tsr_reach *reach, const tsr_chain *chain, int64_t i, double *miss) {
  const int n = reach->n_seen, oldest = n > TSR_WALK_SEEN ? n - TSR_WALK_SEEN : 0;
  int64_t beyond = 0;
  for (int c = n - 1; c >= oldest; --c) {
    beyond = reach->seen[c % TSR_WALK_SEEN];
    if (tsr_reach_try(reach, chain, i, beyond, miss))
      return beyond;
  }
  for (int tries = 0; oldest > 0 && tries < TSR_WALK_TRIES && beyond - reach->sure > 1; ++tries) {
    const int64_t middle = reach->sure + (beyond - reach->sure) / 2;
    if (!tsr_reach_try(reach, chain, i, middle, miss))
      beyond = middle;
  }
  return reach->sure;
}

/** A segment as far on as it is found to go, and, where points scatter so that one end is not as
 * good as the one beside it, others that end before it. */
typedef struct tsr_step {
  int n; /**< ends that do, the farthest first */
  int64_t to[TSR_WALK_ENDS];
  double miss[TSR_WALK_ENDS]; /**< tsr_chain_miss, where the segment stands for several */
} tsr_step;

/** 1 if the last vertices that the cone saw did not follow each other. */
TSR_FN int tsr_reach_scatters(const tsr_reach *reach, int64_t i) {
  const int n = reach->n_seen, oldest = n > TSR_WALK_SEEN ? n - TSR_WALK_SEEN : 0;
  int64_t after = n > 0 ? reach->seen[(n - 1) % TSR_WALK_SEEN] : 0;
  for (int c = n - 2; c >= oldest - (oldest == 0); --c) {
    const int64_t before = c < 0 ? i + 1 : reach->seen[c % TSR_WALK_SEEN];
    if (after - before > 1)
      return 1;
    after = before;
  }
  return 0;
}

/** Adds what the cone saw before the step's first end, and what does. */
TSR_FN void tsr_step_add_others(tsr_step *step, const tsr_reach *seen, const tsr_chain *chain,
                                int64_t i) {
  const int n = seen->n_seen, oldest = n > TSR_WALK_SEEN ? n - TSR_WALK_SEEN : 0;
  for (int c = n - 1; c >= oldest && step->n < TSR_WALK_ENDS; --c) {
    const int64_t j = seen->seen[c % TSR_WALK_SEEN];
    double miss;
    if (j >= step->to[0])
      continue;
    miss = tsr_chain_miss(chain, i, j);
    if (miss <= 0.0) {
      step->to[step->n] = j;
      step->miss[step->n++] = miss;
    }
  }
}

/** The segment from vertex i < last. */
TSR_FN void tsr_chain_step(const tsr_chain *chain, int64_t i, tsr_step *step) {
  const double *from = tsr_chain_at(chain, i), *v = from;
  int64_t end = i + TSR_WALK_FIRST;
  tsr_reach reach;
  tsr_cone cone;
  reach.sure = i + 1;
  reach.n_seen = 0;
  step->n = 1;
  step->miss[0] = -chain->tolerance;
  end = end < chain->last ? end : chain->last;
  tsr_cone_start(&cone, chain, i, end);
  for (int64_t k = i + 1; k <= end; ++k) {
    int open;
    v += chain->stride;
    if (tsr_cone_take(&cone, from, v, &open) && k > i + 1)
      reach.seen[reach.n_seen++ % TSR_WALK_SEEN] = k;
    if (!open || v[TSR_VERTEX_REACH] < 0.0)
      break;
    if (k == end && reach.n_seen > 0 && k < chain->last) {
      if (!tsr_reach_try(&reach, chain, i, reach.seen[(reach.n_seen - 1) % TSR_WALK_SEEN],
                         step->miss))
        break;
      end = i + TSR_WALK_FIRST + TSR_WALK_GROWTH * (reach.sure - i);
      end = end < chain->last ? end : chain->last;
    }
  }
  {
    const tsr_reach seen = reach;
    step->to[0] = tsr_reach_back(&reach, chain, i, step->miss);
    if (step->to[0] < chain->last && tsr_reach_scatters(&seen, i))
      tsr_step_add_others(step, &seen, chain, i);
  }
}

/** Walks along a finished chain: keep[k] becomes 1 for each vertex that stays, 0 for the others,
 *  k < last. Where a segment has several ends, that one is taken from which the next segment goes
 *  farthest. Returns the largest error of a segment that stands for several, at least 0. */
TSR_FN double tsr_chain_walk(const tsr_chain *chain, uint8_t *keep) {
  double most = 0.0;
  int64_t i = 0;
  tsr_step step;
  tsr_chain_step(chain, i, &step);
  while (i < chain->last) {
    tsr_step next = step, tried;
    int best = 0;
    for (int e = 0; e < step.n && step.to[0] < chain->last; ++e) {
      tsr_chain_step(chain, step.to[e], &tried);
      if (e == 0 || tried.to[0] > next.to[0]) {
        next = tried;
        best = e;
      }
    }
    keep[i] = 1;
    for (int64_t k = i + 1; k < step.to[best]; ++k)
      keep[k] = 0;
    most = chain->tolerance + step.miss[best] > most ? chain->tolerance + step.miss[best] : most;
    i = step.to[best];
    step = next;
  }
  return most;
}

/** Finishes the chain and walks along it. closed: it ends where it begins, and stays a polygon.
 *  Returns the largest error of a segment. */
TSR_FN double tsr_chain_coarsen(const tsr_chain *chain, int bound, int closed, uint8_t *keep) {
  const double most = tsr_chain_finish(chain, bound);
  double error = tsr_chain_walk(chain, keep);
  int64_t kept = 0;
  for (int64_t k = 0; closed && k < chain->last && kept < 3; ++k)
    kept += keep[k];
  if (closed && kept < 3 && chain->last >= 3) {
    tsr_chain_at(chain, chain->last / 3)[TSR_VERTEX_REACH] = -1.0;
    tsr_chain_at(chain, 2 * chain->last / 3)[TSR_VERTEX_REACH] = -1.0;
    error = tsr_chain_walk(chain, keep);
  }
  return error > most ? error : most;
}

#endif
