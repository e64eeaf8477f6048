/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Coarsening: the walk along a chain, which decides the vertices that stay.
 *
 * The walk is greedy: from a vertex it takes the farthest vertex at which one segment can end. On a
 * smooth curve a segment can end at every vertex before the farthest one. On noise a segment
 * cannot, and the next segment from the farthest end may be short. There the walk looks back one
 * step: of the last TSR_ENDS possible ends it takes the one whose next segment reaches farthest.
 */
#ifndef TSR_CURVES_COARSEN_WALK_MATH_H
#define TSR_CURVES_COARSEN_WALK_MATH_H

#include "curves/coarsen/cone_math.h"

/** How many possible ends of a segment are kept for looking back. Measured on noise as wide as the
 *  tolerance and on noise 1.3 times as wide; segments as a multiple of the least number:
 *
 *      ends kept                   1      4      8     16
 *      noise, 1.0 x tolerance    1.25   1.17   1.17   1.17
 *      noise, 1.3 x tolerance     3.6    2.2    1.8    1.8
 *      million points a second     20      9      7      5      (one thread)
 *
 *  With 1 the walk does not look back. On stream lines, tracts and outlines all four numbers give
 *  about as many segments. */
#define TSR_ENDS 8

/** Bounds how far the walk looks ahead. A look scans TSR_LOOK^2 vertices at first. As long as the
 *  segment found spans at least 1 / TSR_LOOK of the scanned vertices, TSR_LOOK times as many are
 *  scanned. This keeps the time linear where a segment ends for another reason than the tolerance,
 *  such as the turning angle. At 4, noise yields up to a third more segments; at 16, no fewer. */
#define TSR_LOOK 8

/** Most points of one walk. Longer chains are split, and the points where they are split stay. */
#define TSR_WALK_POINTS 65536

/** Where a segment from vertex i may end. */
typedef struct tsr_look {
  int64_t i;
  int64_t end;            /**< the farthest end for which the segment keeps all criteria */
  double miss;            /**< tsr_chain_miss of the segment from i to `end` */
  int n;                  /**< number of ends that the cone allows */
  int32_t ends[TSR_ENDS]; /**< ring buffer of the last TSR_ENDS of them */
} tsr_look;

/** Returns the c-th of the ends kept, the farthest first; -1 if there are no more. */
TSR_FN int64_t tsr_look_end(const tsr_look *look, int c) {
  return c < look->n && c < TSR_ENDS ? look->ends[(look->n - 1 - c) % TSR_ENDS] : -1;
}

/** Lists the possible ends of a segment from look->i up to vertex `stop`, and sets look->end and
 *  look->miss to the farthest end whose segment passes the exact test. Returns 1 if a segment may
 *  end beyond `stop`. */
TSR_FN int tsr_look_to(tsr_look *look, const tsr_chain *chain, int64_t stop) {
  tsr_slopes values[TSR_CONE_VALUES];
  tsr_cone cone;
  int open = 1, inside;
  tsr_cone_start(&cone, chain, look->i, stop, values);
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

/** Finds the possible ends of a segment from vertex i, looking ahead as TSR_LOOK says. The segment
 * to vertex i + 1 always keeps the criteria. */
TSR_FN void tsr_look_far(tsr_look *look, const tsr_chain *chain, int64_t i) {
  int64_t ahead = TSR_LOOK * TSR_LOOK;
  look->i = i;
  look->end = i + 1;
  look->miss = -chain->tolerance;
  if (TSR_IS_LONE(chain, i)) {
    look->n = 1;
    look->ends[0] = (int32_t)look->end;
    return;
  }
  while (tsr_look_to(look, chain, i + ahead < chain->last ? i + ahead : chain->last) &&
         look->end - i >= ahead / TSR_LOOK)
    ahead *= TSR_LOOK;
}

/** 1 if the vertices from the oldest of the ends kept to look->end are at most as many as the ends
 *  kept. The curve is smooth there, and looking back would gain nothing. */
TSR_FN int tsr_look_is_smooth(const tsr_look *look) {
  const int n = look->n < TSR_ENDS ? look->n : TSR_ENDS;
  return look->end - tsr_look_end(look, n - 1) < n;
}

/** Looks back: compares the ends kept before look->end with *next, the look from look->end. If the
 *  next segment reaches farther from one of them, *next becomes the look from that end. Returns the
 *  miss of the segment from look->i to next->i. */
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

/** Coarsens a chain of which all planes are filled. closed: 1 if the chain ends where it begins. It
 *  then keeps at least three vertices, so that it stays a polygon: if fewer would stay, the
 * vertices at a third and at two thirds get a reach below 0, and the walk starts again. most: the
 * largest error of a piece. Returns the largest error of a segment. */
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
