/* SPDX-License-Identifier: BSD-3-Clause */
/** Coarsening: the walk along a chain, which decides the vertices that stay. */
#ifndef TSR_WALK_MATH_H
#define TSR_WALK_MATH_H

#include "curves/coarsen/chord_math.h"
#include "curves/coarsen/cone_math.h"

/** A walk looks at so many vertices at once, and at so many times what it has kept. */
#define TSR_WALK_FIRST 32
#define TSR_WALK_GROWTH 4

/** Where the last vertex of the cone does not do, so many that it saw before, and then so many
 *  others are tried. */
#define TSR_WALK_SEEN 8 /* a power of two */
#define TSR_WALK_TRIES 6

/** Two ends of a segment are compared by how far can be seen from there, and so many where those
 * that are known lie so many times their number apart. */
#define TSR_WALK_ENDS 4
#define TSR_WALK_GAP 2

/** Points that one walk keeps together; the point where two walks meet stays. */
#define TSR_WALK_POINTS 65536

/** What can be seen from a vertex. */
typedef struct tsr_look {
  tsr_cone cone;
  int64_t next;                /**< the first vertex that was not looked at */
  int64_t seen[TSR_WALK_SEEN]; /**< the last vertices that lay in the cone, in a ring */
  int n_seen;
  int shut; /**< nothing beyond is in sight */
} tsr_look;

/** The c-th of the vertices seen last, from 0 on. */
TSR_FN int64_t tsr_look_seen(const tsr_look *look, int c) {
  return look->seen[(look->n_seen - 1 - c) & (TSR_WALK_SEEN - 1)];
}

/** How many of the vertices seen are known. */
TSR_FN int tsr_look_known(const tsr_look *look) {
  return look->n_seen < TSR_WALK_SEEN ? look->n_seen : TSR_WALK_SEEN;
}

TSR_FN void tsr_look_begin(tsr_look *look, const tsr_chain *chain, int64_t i) {
  const int64_t end = i + TSR_WALK_FIRST;
  look->next = i + 1;
  look->n_seen = 0;
  look->cone.i = i;
  look->shut = i + 1 >= chain->last || tsr_cone_is_shut(chain, i);
  if (!look->shut)
    tsr_cone_start(&look->cone, chain, i, end < chain->last ? end : chain->last);
}

/** Notes a vertex that lies in the cone. */
TSR_FN void tsr_look_note(tsr_look *look, int64_t k) {
  look->seen[look->n_seen & (TSR_WALK_SEEN - 1)] = k;
  ++look->n_seen;
}

/** Takes the vertices in sight from look->next on, one by one. */
TSR_FN void tsr_look_each(tsr_look *look, const tsr_sight *sight, const tsr_chain *chain) {
  const double *reach = tsr_chain_plane(chain, TSR_PLANE_REACH) + look->next;
  const int64_t left = chain->last + 1 - look->next;
  const int n = left < TSR_LANES ? (int)left : TSR_LANES;
  tsr_slabs slabs = look->cone.slabs;
  for (int l = 0; l < n && !look->shut; ++l) {
    const int64_t k = look->next + l;
    int inside = tsr_sight_inside(sight, &slabs, l);
    int open = tsr_slabs_narrow(&slabs, sight, l, reach[l]);
    if (look->cone.n_slopes > 0 && sight->ahead[l] > 0.0)
      inside &= tsr_cone_slopes(&look->cone, chain, k, sight->over[l], &open);
    if (inside && k > look->cone.i + 1)
      tsr_look_note(look, k);
    look->shut = !open || reach[l] < 0.0;
  }
  look->cone.slabs = slabs;
}

/** Takes them all at once, if that leaves the cone open: then those that lie in it are seen. */
TSR_FN int tsr_look_all(tsr_look *look, const tsr_sight *sight, const tsr_chain *chain) {
  const double *reach = tsr_chain_plane(chain, TSR_PLANE_REACH) + look->next;
  double outside[TSR_LANES];
  if (look->cone.n_slopes > 0 || look->next + TSR_LANES > chain->last ||
      look->next <= look->cone.i + TSR_WALK_FIRST ||
      !tsr_slabs_narrow_all(&look->cone.slabs, sight, reach))
    return 0;
  tsr_sight_outside(sight, &look->cone.slabs, outside);
  for (int l = 0; l < TSR_LANES; ++l)
    if (outside[l] <= 0.0)
      tsr_look_note(look, look->next + l);
  return 1;
}

/** Looks as far as vertex `end`, or a few vertices on. */
TSR_FN void tsr_look_to(tsr_look *look, const tsr_chain *chain, int64_t end) {
  tsr_sight sight;
  while (!look->shut && look->next <= end && look->next <= chain->last) {
    tsr_sight_make(&sight, &look->cone, chain, look->next);
    if (!tsr_look_all(look, &sight, chain))
      tsr_look_each(look, &sight, chain);
    look->next += TSR_LANES;
  }
  look->shut |= look->next > chain->last;
}

/** An end of a segment that is known to do. */
typedef struct tsr_end {
  int64_t to;
  double miss; /**< tsr_chain_miss of the segment */
} tsr_end;

/** 1 if the segment from i to j does; then that is its end. */
TSR_FN int tsr_end_try(tsr_end *end, const tsr_chain *chain, int64_t i, int64_t j) {
  const double miss = tsr_chain_miss(chain, i, j);
  if (miss > 0.0)
    return 0;
  end->to = j;
  end->miss = miss;
  return 1;
}

/** Looks from vertex i as far as there is something to see, but not farther than a multiple of a
 *  segment that does: `end`. */
TSR_FN void tsr_look_far(tsr_look *look, const tsr_chain *chain, tsr_end *end) {
  const int64_t i = look->cone.i;
  tsr_look_to(look, chain, i + TSR_WALK_FIRST);
  while (!look->shut && look->n_seen > 0 && tsr_look_seen(look, 0) > end->to &&
         tsr_end_try(end, chain, i, tsr_look_seen(look, 0)))
    tsr_look_to(look, chain, i + TSR_WALK_FIRST + TSR_WALK_GROWTH * (end->to - i));
}

/** The last of the vertices seen that does, which a few tries find: those seen last, and then by
 *  halves. */
TSR_FN void tsr_look_back(const tsr_look *look, const tsr_chain *chain, tsr_end *end) {
  const int64_t i = look->cone.i;
  const int known = tsr_look_known(look);
  int64_t beyond = end->to;
  for (int c = 0; c < known && tsr_look_seen(look, c) > end->to; ++c) {
    beyond = tsr_look_seen(look, c);
    if (tsr_end_try(end, chain, i, beyond))
      return;
  }
  for (int tries = 0; known < look->n_seen && tries < TSR_WALK_TRIES && beyond - end->to > 1;
       ++tries) {
    const int64_t middle = end->to + (beyond - end->to) / 2;
    if (!tsr_end_try(end, chain, i, middle))
      beyond = middle;
  }
}

/** The c-th of the ends that are compared: the vertices seen last, and then the one next to i. */
TSR_FN int64_t tsr_look_end(const tsr_look *look, int c) {
  return c < look->n_seen ? tsr_look_seen(look, c) : look->cone.i + 1;
}

/** How many there are. */
TSR_FN int tsr_look_ends(const tsr_look *look) {
  return look->n_seen < TSR_WALK_SEEN ? look->n_seen + 1 : TSR_WALK_SEEN;
}

/** How many ends of a segment are compared: the more, the wider they scatter. Where the last
 *  vertices seen follow each other, the last is as good as the one beside it. None is compared that
 *  would keep less than a quarter of what was looked at: the time stays linear. */
TSR_FN int tsr_look_compared(const tsr_look *look, const tsr_chain *chain) {
  const int64_t i = look->cone.i, first = tsr_look_end(look, 0);
  int ends = tsr_look_ends(look);
  const int64_t gap = first - tsr_look_end(look, ends - 1);
  if (gap < ends || first >= chain->last)
    return 1;
  if (gap < TSR_WALK_GAP * (ends - 1))
    ends = 2;
  ends = ends < TSR_WALK_ENDS ? ends : TSR_WALK_ENDS;
  while (ends > 1 && TSR_WALK_GROWTH * (tsr_look_end(look, ends - 1) - i) < first - i)
    --ends;
  return ends;
}

/** Looks from `compared` of the vertices seen last, and takes that end from which most can be seen,
 *  with others[0] the look from there. 0: it does not do. */
TSR_FN int tsr_look_best(const tsr_look *look, const tsr_chain *chain, int compared,
                         tsr_look *others[2], tsr_end *end) {
  const int64_t i = look->cone.i, first = tsr_look_end(look, 0);
  const int64_t limit = first + 2 * TSR_WALK_FIRST + TSR_WALK_GROWTH * (first - i);
  int64_t most = -1;
  for (int c = 0; c < compared; ++c) {
    tsr_look *tried = others[1];
    int64_t score;
    tsr_look_begin(tried, chain, tsr_look_end(look, c));
    tsr_look_to(tried, chain, limit);
    score = tsr_look_end(tried, 0);
    if (score > most) {
      most = score;
      others[1] = others[0];
      others[0] = tried;
    }
  }
  return tsr_end_try(end, chain, i, others[0]->cone.i);
}

/** 1 if one segment does for a whole chain of few vertices, which is soon tried. */
TSR_FN int tsr_chain_is_one(const tsr_chain *chain, tsr_end *end) {
  return chain->last > 1 && chain->last <= TSR_WALK_FIRST &&
         tsr_end_try(end, chain, 0, chain->last);
}

/** Walks along a finished chain: keep[k] becomes 1 for each vertex that stays, 0 for the others,
 *  k < last. Returns the largest error of a segment that stands for several, at least 0. */
TSR_FN double tsr_chain_walk(const tsr_chain *chain, uint8_t *keep) {
  double most = 0.0;
  tsr_look looks[3], *look = &looks[0], *others[2] = {&looks[1], &looks[2]};
  tsr_end end = {0, 0.0};
  if (tsr_chain_is_one(chain, &end)) {
    for (int64_t k = 0; k < chain->last; ++k)
      keep[k] = k == 0;
    return chain->tolerance + end.miss;
  }
  tsr_look_begin(look, chain, 0);
  for (int64_t i = 0; i < chain->last;) {
    int compared;
    end.to = i + 1;
    end.miss = -chain->tolerance;
    tsr_look_far(look, chain, &end);
    compared = tsr_look_compared(look, chain);
    keep[i] = 1;
    if (compared > 1 && tsr_look_best(look, chain, compared, others, &end)) {
      tsr_look *used = look;
      look = others[0];
      others[0] = used;
    } else {
      tsr_look_back(look, chain, &end);
      tsr_look_begin(look, chain, end.to);
    }
    for (int64_t k = i + 1; k < end.to; ++k)
      keep[k] = 0;
    most = chain->tolerance + end.miss > most ? chain->tolerance + end.miss : most;
    i = end.to;
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
    tsr_chain_plane(chain, TSR_PLANE_REACH)[chain->last / 3] = -1.0;
    tsr_chain_plane(chain, TSR_PLANE_REACH)[2 * chain->last / 3] = -1.0;
    error = tsr_chain_walk(chain, keep);
  }
  return error > most ? error : most;
}

#endif
