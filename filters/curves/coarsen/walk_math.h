/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Coarsening: the walk along a chain, which decides the vertices that stay.
 *
 * From a vertex the walk goes as far as one segment can. Where the ends of such segments are not
 * all next to each other, as on noise, the farthest one may be a bad place to go on from: then the
 * walk looks back, and takes that one of the last TSR_ENDS ends from which the next segment goes
 * farthest.
 */
#ifndef TSR_WALK_MATH_H
#define TSR_WALK_MATH_H

#include "curves/coarsen/cone_math.h"

/** Ends of segments from a vertex that are remembered. Measured on noise as wide as the tolerance
 *  and 1.3 times as wide, times the least number of segments and million points a second: 4 ends
 *  1.17 and 2.2 at 9, 8 ends 1.17 and 1.8 at 7, 16 ends 1.17 and 1.8 at 5; with 1 end, which is no
 *  looking back, 1.25 and 3.6 at 20. On stream lines, tracts and outlines all of these are alike.
 */
#define TSR_ENDS 8

/** A look from a vertex takes in the square of this number of vertices, and this many times as many
 *  as long as the segment found spans at least one part of them in this number. It bounds the time
 *  where directions stay open and segments end for another reason, as the turning angle. With 4
 *  noise keeps up to a third more segments, with 16 it keeps as many. */
#define TSR_LOOK 8

/** Points that one walk keeps together; the point where two walks meet stays. */
#define TSR_WALK_POINTS 65536

/** Where a segment from vertex i may end. */
typedef struct tsr_look {
  int64_t i;
  int64_t end;            /**< the farthest end that is known to do */
  double miss;            /**< tsr_chain_miss of that segment */
  int n;                  /**< ends that may do */
  int32_t ends[TSR_ENDS]; /**< the last of them, in a ring */
} tsr_look;

/** The c-th of the ends that are remembered, the last one first; -1: there are no more. */
TSR_FN int64_t tsr_look_end(const tsr_look *look, int c) {
  return c < look->n && c < TSR_ENDS ? look->ends[(look->n - 1 - c) % TSR_ENDS] : -1;
}

/** Looks as far as vertex `stop`. Returns 0 if there is nothing to see behind it. */
TSR_FN int tsr_look_to(tsr_look *look, const tsr_chain *chain, int64_t stop) {
  tsr_cone cone;
  int open = 1, inside;
  tsr_cone_start(&cone, chain, look->i, stop);
  look->n = 0;
  for (int64_t k = look->i + 1; open && k <= stop; ++k) {
    open = tsr_cone_see(&cone, chain, k, &inside);
    if (inside || k == look->i + 1)
      look->ends[look->n++ % TSR_ENDS] = (int32_t)k;
  }
  for (int c = 0; tsr_look_end(look, c) > look->end; ++c) {
    const double miss = tsr_chain_miss(chain, look->i, tsr_look_end(look, c));
    if (miss <= 0.0) {
      look->end = tsr_look_end(look, c);
      look->miss = miss;
      break;
    }
  }
  return open && stop < chain->last;
}

/** Looks from vertex i, as far as there is something to see, but not farther than a multiple of a
 *  segment that does: the time of a walk stays linear. The piece after i does in any case. */
TSR_FN void tsr_look_far(tsr_look *look, const tsr_chain *chain, int64_t i) {
  int64_t ahead = TSR_LOOK * TSR_LOOK;
  look->i = i;
  look->end = i + 1;
  look->miss = -chain->tolerance;
  while (tsr_look_to(look, chain, i + ahead < chain->last ? i + ahead : chain->last) &&
         look->end - i >= ahead / TSR_LOOK)
    ahead *= TSR_LOOK;
}

/** 1 if the ends of a look that are remembered, up to the one that does, are next to each other:
 * the curve is smooth there, and none of them sees farther than the last one. */
TSR_FN int tsr_look_is_smooth(const tsr_look *look) {
  const int n = look->n < TSR_ENDS ? look->n : TSR_ENDS;
  return look->end - tsr_look_end(look, n - 1) < n;
}

/** Looks back at the ends of a look before its last one, from which *next is. If one sees farther,
 *  *next becomes the look from it. Returns the largest miss of the segment to next->i. */
TSR_FN double tsr_look_back(const tsr_look *look, const tsr_chain *chain, tsr_look *next) {
  double taken = look->miss;
  int64_t k;
  for (int c = 0; (k = tsr_look_end(look, c)) >= 0 && next->end < chain->last; ++c) {
    tsr_look other;
    double miss;
    if (k >= look->end)
      continue;
    tsr_look_far(&other, chain, k);
    if (other.end <= next->end)
      continue;
    miss = k == look->i + 1 ? -chain->tolerance : tsr_chain_miss(chain, look->i, k);
    if (miss <= 0.0) {
      *next = other;
      taken = miss;
    }
  }
  return taken;
}

/** Walks along a finished chain: keep[k] becomes 1 for each vertex that stays, 0 for the others,
 *  k < last. Returns the largest error of a segment that stands for several, at least 0. */
TSR_FN double tsr_chain_walk(const tsr_chain *chain, uint8_t *keep) {
  double most = -chain->tolerance;
  tsr_look look, next;
  for (int64_t k = 0; k < chain->last; ++k)
    keep[k] = k == 0;
  tsr_look_far(&look, chain, 0);
  while (look.end < chain->last) {
    double miss = look.miss;
    tsr_look_far(&next, chain, look.end);
    if (!tsr_look_is_smooth(&look))
      miss = tsr_look_back(&look, chain, &next);
    most = miss > most ? miss : most;
    keep[next.i] = 1;
    look = next;
  }
  return chain->tolerance + (look.miss > most ? look.miss : most);
}

/** Walks along a finished chain. closed: it ends where it begins, and stays a polygon. most: the
 *  largest error of a piece. Returns that of a segment. */
TSR_FN double tsr_chain_coarsen(const tsr_chain *chain, double most, int closed, uint8_t *keep) {
  double error = tsr_chain_walk(chain, keep);
  int64_t kept = 0;
  for (int64_t k = 0; closed && k < chain->last && kept < 3; ++k)
    kept += keep[k];
  if (closed && kept < 3 && chain->last >= 3) {
    tsr_chain_plane(chain, TSR_PLANE_REACH)[chain->last / 3] = -1.0;
    tsr_chain_plane(chain, TSR_PLANE_REACH)[2 * chain->last / 3] = -1.0;
    error = tsr_chain_walk(chain, keep);
  }
  return error > most ? error : most;
}

#endif
