/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Coarsening: the least number of segments for a chain of few pieces, of all that there are (Imai
 * and Iri, 1986).
 *
 * A shortest path, breadth first: a layer is all vertices that as many segments reach and no fewer.
 * Each of them is asked at once whether one more segment does from there to the end, so that the
 * last two layers, most of the vertices where segments are long, are never looked from.
 */
#ifndef TSR_FEWEST_MATH_H
#define TSR_FEWEST_MATH_H

#include "curves/coarsen/look_math.h"

/** A chain of so few pieces that scatters is searched instead of walked along, and one of so few
 *  after that where widely scattered vertices left few segments, up to so many times the pieces:
 *  one too many of them is a large part. */
#define TSR_CHAIN_SHORT 20
#define TSR_CHAIN_FEW 2048
#define TSR_KEPT_PIECES 65536

/** What the plane of the vertices that others come from holds during the search, of one that is
 *  reached: 1 plus the vertex before, and so many times 1 plus the next one of its layer's list, or
 *  0 where there is none. Of others 0. */
#define TSR_FEWEST_NEXT 4096

/** A search on its way. */
typedef struct tsr_fewest {
  const tsr_chain *chain;
  double *links;
  int layer, next; /**< the first vertices of this layer's list and of the next one's; -1: none */
  int end;         /**< a vertex that is reached and has the last one a segment away; -1: none */
  int is_last;     /**< nothing is looked from behind this layer */
  tsr_look ends;   /**< segments to the last one: what one of them misses, others do, too */
} tsr_fewest;

/** 1 if vertex k has the last one a segment away. */
TSR_FN int tsr_fewest_ends(tsr_fewest *path, int k) {
  const tsr_chain *chain = path->chain;
  double miss;
  path->ends.i = k;
  return k + 1 == chain->last || tsr_look_try(&path->ends, chain, chain->last, &miss);
}

/** Vertex k is reached from vertex i: it is of the next layer, or where the search ends. */
TSR_FN void tsr_fewest_reach(tsr_fewest *path, int i, int k) {
  path->links[k] = (double)(i + 1 + TSR_FEWEST_NEXT * (path->next + 1));
  path->next = k;
  if (path->is_last || tsr_fewest_ends(path, k))
    path->end = k;
}

/** 1 if it matters whether vertex k is reached: of the last layer, where it would end. That is
 * asked once, and soon answered. */
TSR_FN int tsr_fewest_wants(tsr_fewest *path, int k) {
  if (path->links[k] != 0.0)
    return 0;
  if (!path->is_last || tsr_fewest_ends(path, k))
    return 1;
  path->links[k] = -1.0;
  return 0;
}

/** Reaches what is one segment away from vertex i. */
TSR_FN void tsr_fewest_from(tsr_fewest *path, int i) {
  const tsr_chain *chain = path->chain;
  const int64_t end = i + TSR_LOOK_FIRST;
  int64_t far = 0;
  tsr_look look;
  tsr_cone cone;
  int open, inside;
  if (i + 1 < chain->last && tsr_fewest_wants(path, i + 1))
    tsr_fewest_reach(path, i, i + 1);
  if (path->end >= 0 || i + 1 >= chain->last || tsr_cone_is_shut(chain, i))
    return;
  look.i = i;
  look.n_missed = 0;
  tsr_cone_start(&cone, chain, i, end < chain->last ? end : chain->last, &far);
  open = tsr_cone_see(&cone, &cone.slabs, chain, i + 1, &inside);
  for (int k = i + 2; open && k < chain->last && path->end < 0; ++k) {
    double miss;
    open = tsr_cone_see(&cone, &cone.slabs, chain, k, &inside);
    if (inside && tsr_fewest_wants(path, k) && tsr_look_try(&look, chain, k, &miss))
      tsr_fewest_reach(path, i, k);
  }
}

/** Marks the vertices that lead to path->end and it. Returns the largest miss of their segments. */
TSR_FN double tsr_fewest_keep(const tsr_fewest *path, uint8_t *keep) {
  const tsr_chain *chain = path->chain;
  double most = -chain->tolerance;
  int64_t j = chain->last, missed;
  for (int64_t k = 0; k < chain->last; ++k)
    keep[k] = 0;
  for (int i = path->end; i >= 0; j = i, i = (int)path->links[i] % TSR_FEWEST_NEXT - 1) {
    tsr_chord chord;
    double miss;
    keep[i] = 1;
    tsr_chord_make(&chord, chain, i, j);
    miss = tsr_chain_miss(chain, &chord, &missed);
    most = j > i + 1 && miss > most ? miss : most;
  }
  return most;
}

/** If fewer segments than `kept` do, keep becomes that of the least number of them, and *most their
 *  largest miss. */
TSR_FN void tsr_fewest_search(const tsr_chain *chain, int64_t kept, uint8_t *keep, double *most) {
  tsr_fewest path;
  path.chain = chain;
  path.links = tsr_chain_plane(chain, chain->from);
  path.next = path.end = -1;
  path.ends.n_missed = path.is_last = 0;
  for (int64_t k = 0; k < chain->last; ++k)
    path.links[k] = 0.0;
  tsr_fewest_reach(&path, -1, 0);
  for (int64_t n = 2; n < kept && path.end < 0; ++n) { /* by n segments to the last one */
    path.layer = path.next;
    path.next = -1;
    path.is_last = n + 1 == kept;
    for (int i = path.layer; i >= 0 && path.end < 0;
         i = (int)path.links[i] / TSR_FEWEST_NEXT % TSR_FEWEST_NEXT - 1)
      tsr_fewest_from(&path, i);
  }
  if (path.end >= 0)
    *most = tsr_fewest_keep(&path, keep);
}

#endif
