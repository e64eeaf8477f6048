/* SPDX-License-Identifier: BSD-3-Clause */
/** Coarsening: the walk along a chain, which decides the vertices that stay. */
#ifndef TSR_WALK_MATH_H
#define TSR_WALK_MATH_H

#include "curves/coarsen/fewest_math.h"

/** Most vertices of a layer, and where segments are short. */
#define TSR_LAYER 10
#define TSR_LAYER_SHORT 4

/** A layer of segments that are not short gets vertices from behind, too, until it has so many. */
#define TSR_LAYER_FEW 8

/** With more vertices a layer on the average, a chain scatters widely. */
#define TSR_SCATTERS 3

/** A segment of fewer pieces is short. */
#define TSR_SHORT 8

/** So many vertices that were seen last tell whether a curve is smooth, or so many short segments.
 *  Where the former lie so far apart, its points scatter widely. */
#define TSR_CALM_SEEN 8
#define TSR_CALM 3
#define TSR_SCATTERED 32

/** From a layer is looked so many times as far as from the one before to it. */
#define TSR_WALK_AHEAD 2

/** Points that one walk keeps together; the point where two walks meet stays. */
#define TSR_WALK_POINTS 65536

/** Vertices that are reached with as many segments and are followed, the last one first. */
typedef struct tsr_layer {
  int n;
  int want;       /**< so many were wanted last */
  int calm;       /**< so many short segments in succession seemed smooth */
  int64_t before; /**< the last vertex of the layer before */
  int64_t far;    /**< the vertex that the last cone's axis goes to */
  int64_t stays;  /**< the last vertex that is known to stay: it was a layer by itself */
  int64_t kept;   /**< segments up to there */
  tsr_look looks[TSR_LAYER];
  double most[TSR_LAYER]; /**< the largest miss of the segments that lead there */
} tsr_layer;

/** A vertex to follow, and the one of the layer before that it is reached from. */
typedef struct tsr_step {
  int64_t at;
  int from;
  double miss;
} tsr_step;

/** The c-th of the vertices that may be ends, the last one first: those seen last, and then the one
 *  after the look's. -1: there are no more. */
TSR_FN int64_t tsr_look_end(const tsr_look *look, int c) {
  const int known = tsr_look_known(look);
  return c < known                             ? tsr_look_seen(look, c)
         : c == known && known == look->n_seen ? look->i + 1
                                               : -1;
}

/** The last vertex that may be an end of a segment from the layer and has not been had; -1: none is
 *  left. next[c]: how many of look c's have been had. */
TSR_FN int64_t tsr_layer_next(const tsr_layer *layer, const int next[TSR_LAYER]) {
  int64_t at = -1;
  for (int c = 0; c < layer->n; ++c) {
    const int64_t end = tsr_look_end(&layer->looks[c], next[c]);
    at = end > at ? end : at;
  }
  return at;
}

/** Reaches a vertex from the layer, if one of its segments does. */
TSR_FN int tsr_layer_try(tsr_layer *layer, const tsr_chain *chain, int64_t at, int next[TSR_LAYER],
                         tsr_step *step) {
  int does = 0;
  for (int c = 0; c < layer->n; ++c)
    does |= layer->looks[c].i == at; /* it is reached with one segment less */
  step->from = -1;
  for (int c = 0; c < layer->n; ++c) {
    tsr_look *look = &layer->looks[c];
    if (tsr_look_end(look, next[c]) != at)
      continue;
    ++next[c];
    if (does)
      continue;
    step->miss = look->end_miss;
    does = at == look->end || tsr_look_try(look, chain, at, &step->miss);
    step->from = does ? c : -1;
    step->at = at;
  }
  return step->from >= 0;
}

/** The farthest of the ends that are known, for where nothing that was remembered does. */
TSR_FN void tsr_layer_known(const tsr_layer *layer, tsr_step *step) {
  step->at = -1;
  for (int c = 0; c < layer->n; ++c) {
    const tsr_look *look = &layer->looks[c];
    if (look->end > step->at) {
      step->at = look->end;
      step->from = c;
      step->miss = look->end_miss;
    }
  }
}

/** Takes the vertices that can be reached from a layer, the farthest first: up to `want` beyond it,
 *  at least one, and others behind its last one until there are `few`. Their number. */
TSR_FN int tsr_layer_reach(tsr_layer *layer, const tsr_chain *chain, int want, int few,
                           tsr_step steps[TSR_LAYER]) {
  int next[TSR_LAYER] = {0}, n = 0;
  int64_t at = tsr_layer_next(layer, next);
  for (; n < want && at > layer->looks[0].i; at = tsr_layer_next(layer, next))
    n += tsr_layer_try(layer, chain, at, next, &steps[n]);
  if (n == 0)
    tsr_layer_known(layer, &steps[n++]);
  for (; n < few && at > layer->before; at = tsr_layer_next(layer, next))
    n += tsr_layer_try(layer, chain, at, next, &steps[n]);
  return n;
}

/** 1 if the curve is smooth, as far as the layer tells: its last vertex sees farthest, and what it
 *  saw last follows each other; if that is little, some times in succession. */
TSR_FN int tsr_layer_is_calm(tsr_layer *layer) {
  const tsr_look *look = &layer->looks[0];
  const int64_t last = tsr_look_end(look, 0);
  const int enough = look->n_seen >= TSR_CALM_SEEN;
  int calm = enough ? last - tsr_look_seen(look, TSR_CALM_SEEN - 1) < TSR_CALM_SEEN
                    : last - look->i == look->n_seen + 1;
  for (int c = 1; c < layer->n; ++c)
    calm &= tsr_look_end(&layer->looks[c], 0) <= last;
  layer->want = calm && enough ? 1 : layer->want;
  layer->calm = calm ? layer->calm + (enough ? TSR_CALM : 1) : 0;
  return layer->calm >= TSR_CALM;
}

/** How many vertices the next layer should have beyond this one, where it is not calm: two where
 * few are left out among those seen last, all at once where they scatter widely, else by and by.
 *  *few: how many at least, with others behind. */
TSR_FN int tsr_layer_want(tsr_layer *layer, int *few) {
  const tsr_look *look = &layer->looks[0];
  int64_t far = look->i, gap;
  int most = TSR_LAYER;
  for (int c = 0; c < layer->n; ++c) {
    const int64_t last = tsr_look_end(&layer->looks[c], 0);
    far = last > far ? last : far;
  }
  *few = layer->n > 2 ? TSR_LAYER_FEW : 0;
  if (far - look->i < TSR_SHORT && look->i - layer->before < TSR_SHORT) {
    most = TSR_LAYER_SHORT;
    *few = 0;
  }
  gap = far - (look->n_seen >= TSR_CALM_SEEN ? tsr_look_seen(look, TSR_CALM_SEEN - 1) : look->i);
  if (look->n_seen >= TSR_CALM_SEEN && gap < 2 * (TSR_CALM_SEEN - 1))
    return 2;
  layer->want = gap > TSR_SCATTERED || 2 * layer->want > most ? most : 2 * layer->want;
  return layer->want;
}

/** 1 if one segment does for a whole chain of few vertices, which is soon tried: where the chain is
 *  no line, mostly the vertex in the middle is too far away already, by more than rounding. */
TSR_FN int tsr_chain_is_one(const tsr_chain *chain, double *miss) {
  const int64_t middle = chain->last / 2;
  tsr_chord chord;
  int64_t missed;
  double reach, across2;
  if (chain->last < 2 || chain->last > TSR_LOOK_FIRST)
    return 0;
  tsr_chord_make(&chord, chain, 0, chain->last);
  reach = tsr_chain_plane(chain, TSR_PLANE_REACH)[middle];
  tsr_chord_along_vertex(&chord, chain, middle, &across2);
  if (reach < 0.0 || across2 > 1.0001 * (reach * reach) + 1e-300)
    return 0;
  *miss = tsr_chain_miss(chain, &chord, &missed);
  return *miss <= 0.0;
}

/** Looks from all vertices of the layer. */
TSR_FN void tsr_layer_look(tsr_layer *layer, const tsr_chain *chain) {
  const int64_t ahead = TSR_LOOK_FIRST + TSR_WALK_AHEAD * (layer->looks[0].i - layer->before);
  tsr_cone cone;
  for (int c = 0; c < layer->n; ++c)
    tsr_look_far(&layer->looks[c], &cone, chain, layer->looks[c].i, layer->looks[c].i + ahead,
                 &layer->far);
}

/** The next layer, of the vertices that the steps lead to. */
TSR_FN void tsr_layer_take(tsr_layer *layer, const tsr_chain *chain, const tsr_step *steps, int n) {
  double *from = tsr_chain_plane(chain, chain->from), most[TSR_LAYER];
  for (int c = 0; c < n; ++c) {
    const double before = layer->most[steps[c].from];
    most[c] = steps[c].miss > before ? steps[c].miss : before;
    from[steps[c].at] = (double)layer->looks[steps[c].from].i;
  }
  layer->before = layer->looks[0].i;
  for (int c = 0; c < n; ++c) {
    layer->looks[c].i = steps[c].at;
    layer->most[c] = most[c];
  }
  layer->n = n;
}

/** The next layer of a calm one. */
TSR_FN void tsr_layer_go_on(tsr_layer *layer, const tsr_chain *chain) {
  tsr_look *look = &layer->looks[0];
  tsr_look_known_end(look, chain);
  layer->most[0] = look->end_miss > layer->most[0] ? look->end_miss : layer->most[0];
  layer->before = look->i;
  look->i = look->end;
}

/** Where all paths pass the layer's first vertex after a layer of one: it stays. */
TSR_FN void tsr_layer_stay(tsr_layer *layer, const tsr_chain *chain, uint8_t *keep) {
  layer->stays = layer->looks[0].i;
  ++layer->kept;
  if (layer->stays < chain->last)
    keep[layer->stays] = 1;
}

/** From a layer of one vertex on, as far as hints tell what looking would come to: nothing is seen,
 *  and the layer is calm. Returns how many layers that are. A look's axis would be sought from the
 *  last one's on, and the hint's was from the vertex on: it is the same if it is not before that.
 */
TSR_FN int64_t tsr_layer_go_by_hints(tsr_layer *layer, const tsr_chain *chain, uint8_t *keep) {
  const int64_t begin = layer->looks[0].i;
  int64_t i = begin;
  if (!chain->hints || layer->n > 1 || layer->calm + 1 < TSR_CALM)
    return 0;
  while (i < chain->last && chain->hints[i] != TSR_HINT_NONE) {
    const int64_t far = i + (chain->hints[i] - TSR_HINT_SHUT);
    if (far > i && layer->far > far)
      break;
    layer->far = far > i ? far : layer->far;
    if (++i < chain->last)
      keep[i] = 1;
  }
  if (i == begin)
    return 0;
  layer->calm = TSR_CALM;
  layer->before = i - 1;
  layer->looks[0].i = layer->stays = i;
  layer->kept += i - begin;
  return i - begin;
}

/** The same after layers of several: so do those that lead there. */
TSR_FN void tsr_layer_path_stays(tsr_layer *layer, const tsr_chain *chain, uint8_t *keep) {
  const double *from = tsr_chain_plane(chain, chain->from);
  for (int64_t k = (int64_t)from[layer->looks[0].i]; k > layer->stays; k = (int64_t)from[k]) {
    keep[k] = 1;
    ++layer->kept;
  }
  tsr_layer_stay(layer, chain, keep);
}

/** Walks along a finished chain by layers, but along one of very few pieces that scatters not at
 *  all: all of its vertices stay then. *most: the largest miss of the segments, *wide: 1 if the
 *  chain scatters. Returns the number of segments. */
TSR_FN int64_t tsr_chain_layers(const tsr_chain *chain, uint8_t *keep, double *most, int *wide) {
  int64_t layers = 0, followed = 0;
  tsr_layer layer;
  layer.n = 1;
  layer.want = TSR_LAYER;
  layer.calm = TSR_CALM;
  layer.before = layer.looks[0].i = layer.far = layer.stays = layer.kept = 0;
  layer.most[0] = *most = -chain->tolerance;
  for (;;) {
    tsr_step steps[TSR_LAYER];
    int n, few = 0;
    layers += tsr_layer_go_by_hints(&layer, chain, keep);
    if (layer.looks[0].i >= chain->last)
      break;
    ++layers;
    tsr_layer_look(&layer, chain);
    n = tsr_layer_is_calm(&layer) ? 1 : tsr_layer_want(&layer, &few);
    if (n > 1 && chain->last <= TSR_CHAIN_SHORT) {
      for (int64_t k = 0; k < chain->last; ++k)
        keep[k] = 1;
      *wide = 1;
      return chain->last;
    }
    if (n == 1 && layer.n == 1) {
      tsr_layer_go_on(&layer, chain);
      tsr_layer_stay(&layer, chain, keep);
      continue;
    }
    n = tsr_layer_reach(&layer, chain, n, few, steps);
    tsr_layer_take(&layer, chain, steps, n);
    followed += n;
    if (n == 1 || layer.looks[0].i == chain->last)
      tsr_layer_path_stays(&layer, chain, keep);
  }
  *wide = followed > TSR_SCATTERS * layers;
  *most = layer.most[0];
  return layer.kept;
}

/** Walks along a finished chain: keep[k] becomes 1 for each vertex that stays, 0 for the others,
 *  k < last. Returns the largest error of a segment that stands for several, at least 0. */
TSR_FN double tsr_chain_walk(const tsr_chain *chain, uint8_t *keep) {
  double most;
  int64_t kept;
  int wide;
  for (int64_t k = 0; k < chain->last; ++k)
    keep[k] = k == 0;
  if (tsr_chain_is_one(chain, &most))
    return chain->tolerance + most;
  kept = tsr_chain_layers(chain, keep, &most, &wide);
  if (wide && kept > 2 && chain->last <= TSR_CHAIN_FEW && kept * chain->last <= TSR_KEPT_PIECES)
    tsr_fewest_search(chain, kept, keep, &most);
  return chain->tolerance + most;
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
