/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Points at equal positions as one: every cell that has one of them gets the one with the lowest
 * id. All steps that follow then see neighbours as in a mesh whose cells share their points.
 *
 * Positions are equal if all coordinates are, as numbers. Where there are rational weights, these
 * must be equal, too: so no cell changes its shape.
 */
#ifndef TSR_CELLS_OUTSIDE_MERGE_MATH_H
#define TSR_CELLS_OUTSIDE_MERGE_MATH_H

#include "cells/outside/items_math.h"

/** Bits of a hash in a key. Points with equal keys are compared one by one. */
#define TSR_MERGE_BITS 40

/** What the steps of merging read and write. */
typedef struct tsr_cells_merger {
  tsr_cells_view view;
  tsr_pairs places; /**< a hash of the position of each point, and the point */
  int64_t *leader;  /**< points: the point that each one becomes */
  void *ids;        /**< n_connectivity, of the view's index type: the new connectivity */
} tsr_cells_merger;

/** Number c of what makes a position: a coordinate, or the weight. */
TSR_FN double tsr_place_number(const tsr_cells_view *view, int64_t point, int c) {
  if (c < 3)
    return tsr_load(&view->points, 3 * point + c);
  return view->weights.data ? tsr_load(&view->weights, point) : 1.0;
}

/** Sets the pair of a point. */
TSR_FN void tsr_cells_hash_place(const tsr_cells_merger *it, int64_t point) {
  uint64_t hash = 0;
  for (int c = 0; c < 4; ++c)
    hash = tsr_hash(hash, (int64_t)tsr_key_of_double(tsr_place_number(&it->view, point, c)));
  tsr_pairs_set(&it->places, point, hash >> (64 - TSR_MERGE_BITS), point);
}

/** 1 if two points have equal positions. Positions that are no numbers equal none. */
TSR_FN int tsr_places_match(const tsr_cells_view *view, int64_t a, int64_t b) {
  for (int c = 0; c < 4; ++c)
    if (!(tsr_place_number(view, a, c) == tsr_place_number(view, b, c)))
      return 0;
  return 1;
}

/** The leader of the point at place `end` of the sorted pairs, among those from `first` on. */
TSR_FN int64_t tsr_find_leader(const tsr_cells_merger *it, int64_t first, int64_t end) {
  const int64_t point = tsr_pairs_value(&it->places, end);
  for (int64_t i = first; i < end; ++i) {
    const int64_t other = tsr_pairs_value(&it->places, i);
    if (it->leader[other] == other && tsr_places_match(&it->view, point, other))
      return other;
  }
  return point;
}

/** Finds the leaders of the points whose hash begins at a place of the sorted pairs. Points of one
 *  hash come in the order of their ids, and nearly always in one position. */
TSR_FN void tsr_cells_find_leaders(const tsr_cells_merger *it, int64_t place) {
  const uint64_t key = tsr_pairs_key(&it->places, place);
  int64_t last = tsr_pairs_value(&it->places, place);
  if (place > 0 && tsr_pairs_key(&it->places, place - 1) == key)
    return;
  for (int64_t i = place; i < it->places.n && tsr_pairs_key(&it->places, i) == key; ++i) {
    const int64_t point = tsr_pairs_value(&it->places, i);
    if (!tsr_places_match(&it->view, point, last))
      last = tsr_find_leader(it, place, i);
    it->leader[point] = last;
  }
}

/** Renames entry i of the connectivity. Ids that are out of range stay, for the notes. */
TSR_FN void tsr_cells_rename(const tsr_cells_merger *it, int64_t i) {
  int64_t id = tsr_load_index(it->view.connectivity, it->view.index_type, i);
  if (id >= 0 && id < it->view.points.tuples)
    id = it->leader[id];
  if (it->view.index_type == TSR_INT32)
    ((int32_t *)it->ids)[i] = (int32_t)id;
  else
    ((int64_t *)it->ids)[i] = id;
}

#endif
