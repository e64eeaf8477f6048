/* SPDX-License-Identifier: BSD-3-Clause */
/** Coarsening: where a segment from a vertex may end. */
#ifndef TSR_LOOK_MATH_H
#define TSR_LOOK_MATH_H

#include "curves/coarsen/chord_math.h"
#include "curves/coarsen/cone_math.h"

/** A look takes so many vertices at once, and so many times what is known to do. */
#define TSR_LOOK_FIRST 32
#define TSR_LOOK_GROWTH 4

/** So many of the vertices seen last are remembered, and so many that were missed. */
#define TSR_SEEN 16 /* powers of two */
#define TSR_MISSED 4

/** Where none of those seen does, it is looked again so often. */
#define TSR_LOOK_TRIES 3

/** What a look from a vertex comes to, where that is told before the walk: along a smooth curve it
 *  mostly ends soon, with nothing seen and the next vertex for its end. */
#define TSR_HINT_NONE 0 /* it may see something */
#define TSR_HINT_SHUT 1 /* no cone is needed to tell; above: one is, with its axis so far ahead */

/** After so many vertices a look that is to end soon has ended. */
#define TSR_HINT_SEES 3

/** What can be seen from a vertex. */
typedef struct tsr_look {
  int64_t i;                  /**< the vertex */
  int64_t next;               /**< the first vertex that was not looked at */
  int64_t end;                /**< the farthest end of a segment from i that is known to do */
  double end_miss;            /**< tsr_chain_miss of that segment */
  int n_seen, n_missed, shut; /**< shut: nothing beyond is in sight */
  int32_t seen[TSR_SEEN];     /**< the last vertices that lay in the cone, in a ring */
  int32_t missed[TSR_MISSED]; /**< vertices that segments from i have missed, in a ring */
} tsr_look;

/** The c-th of the vertices seen last, from 0 on. */
TSR_FN int64_t tsr_look_seen(const tsr_look *look, int c) {
  return look->seen[(look->n_seen - 1 - c) & (TSR_SEEN - 1)];
}

/** How many of the vertices seen are known. */
TSR_FN int tsr_look_known(const tsr_look *look) {
  return look->n_seen < TSR_SEEN ? look->n_seen : TSR_SEEN;
}

/** Begins to look from vertex i. The piece after it does in any case. */
TSR_FN void tsr_look_begin(tsr_look *look, tsr_cone *cone, const tsr_chain *chain, int64_t i,
                           int64_t *far) {
  const int64_t end = i + TSR_LOOK_FIRST;
  look->i = i;
  look->next = look->end = i + 1;
  look->end_miss = -chain->tolerance;
  look->n_seen = look->n_missed = 0;
  look->shut = i + 1 >= chain->last || tsr_cone_is_shut(chain, i);
  if (!look->shut)
    tsr_cone_start(cone, chain, i, end < chain->last ? end : chain->last, far);
}

/** Looks as far as vertex `end`, where there is something to see. */
TSR_FN void tsr_look_to(tsr_look *look, tsr_cone *cone, const tsr_chain *chain, int64_t end) {
  const int64_t last = end < chain->last ? end : chain->last;
  tsr_slabs slabs;
  int64_t k = look->next;
  int shut = 0, inside;
  if (look->shut)
    return;
  slabs = cone->slabs;
  for (; !shut && k <= last; ++k) {
    shut = !tsr_cone_see(cone, &slabs, chain, k, &inside);
    look->seen[look->n_seen & (TSR_SEEN - 1)] = (int32_t)k; /* noted if it lies in the cone */
    look->n_seen += inside & (k > look->i + 1);
  }
  cone->slabs = slabs;
  look->next = k;
  look->shut = shut || k > chain->last;
}

/** 1 if the segment from i to j does, and then *miss is its tsr_chain_miss. What others have missed
 *  is asked first: that is mostly missed again. */
TSR_FN int tsr_look_try(tsr_look *look, const tsr_chain *chain, int64_t j, double *miss) {
  const double *reach = tsr_chain_plane(chain, TSR_PLANE_REACH);
  tsr_chord chord;
  int64_t missed = -1;
  tsr_chord_make(&chord, chain, look->i, j);
  for (int m = 0; m < look->n_missed && m < TSR_MISSED; ++m) {
    const int64_t k = look->missed[m];
    double across2;
    tsr_chord_along_vertex(&chord, chain, k, &across2);
    if (look->i < k && k < j && across2 > reach[k] * reach[k])
      return 0;
  }
  *miss = tsr_chain_miss(chain, &chord, &missed);
  if (*miss <= 0.0)
    return 1;
  if (missed >= 0)
    look->missed[look->n_missed++ & (TSR_MISSED - 1)] = (int32_t)missed;
  return 0;
}

/** The last of the vertices seen last that does, if it lies beyond look->end, becomes that. */
TSR_FN int tsr_look_known_end(tsr_look *look, const tsr_chain *chain) {
  const int known = tsr_look_known(look);
  for (int c = 0; c < known && tsr_look_seen(look, c) > look->end; ++c) {
    double miss;
    if (tsr_look_try(look, chain, tsr_look_seen(look, c), &miss)) {
      look->end = tsr_look_seen(look, c);
      look->end_miss = miss;
      return 1;
    }
  }
  return 0;
}

/** Where none of the vertices that are remembered does, though there were more: looks again, half
 * as far beyond what is known to do. */
TSR_FN void tsr_look_again(tsr_look *look, tsr_cone *cone, const tsr_chain *chain, int64_t *far) {
  for (int tries = 0; tries < TSR_LOOK_TRIES && look->n_seen > TSR_SEEN; ++tries) {
    const int64_t end = look->end, beyond = tsr_look_seen(look, TSR_SEEN - 1);
    const double end_miss = look->end_miss;
    const int n_missed = look->n_missed;
    if (beyond <= end || tsr_look_known_end(look, chain))
      return;
    tsr_look_begin(look, cone, chain, look->i, far);
    look->end = end;
    look->end_miss = end_miss;
    look->n_missed = n_missed;
    tsr_look_to(look, cone, chain, end + (beyond - end) / 2);
  }
}

/** Looks from vertex i to vertex `first`, and on as far as there is something to see, but not
 *  farther than a multiple of a segment that does: look->end. */
TSR_FN void tsr_look_far(tsr_look *look, tsr_cone *cone, const tsr_chain *chain, int64_t i,
                         int64_t first, int64_t *far) {
  tsr_look_begin(look, cone, chain, i, far);
  tsr_look_to(look, cone, chain, first);
  while (!look->shut && tsr_look_known_end(look, chain))
    tsr_look_to(look, cone, chain, i + TSR_LOOK_FIRST + TSR_LOOK_GROWTH * (look->end - i));
  tsr_look_again(look, cone, chain, far);
}

/** The hint of vertex i, which depends on nothing but the chain: a device makes those of all
 *  vertices side by side. */
TSR_FN uint8_t tsr_look_hint(const tsr_chain *chain, int64_t i) {
  tsr_look look;
  tsr_cone cone;
  int64_t far = 0;
  tsr_look_begin(&look, &cone, chain, i, &far);
  if (look.shut)
    return TSR_HINT_SHUT;
  tsr_look_to(&look, &cone, chain, i + TSR_HINT_SEES);
  return look.shut && look.n_seen == 0 ? (uint8_t)(TSR_HINT_SHUT + (far - i)) : TSR_HINT_NONE;
}

#endif
