/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The edges of curved items. Sides with the same nodes are one edge. Edges with the same ends and
 * different nodes, as between cells of different degrees, get the same number of steps.
 */
#ifndef TSR_CELLS_OUTSIDE_EDGES_MATH_H
#define TSR_CELLS_OUTSIDE_EDGES_MATH_H

#include "cells/outside/items_math.h"

/** Number of curved sides of a cell's face, or of a curve. */
TSR_FN int tsr_curved_sides(const tsr_cell *cell, int f) {
  if (!cell->curved)
    return 0;
  return cell->shape == TSR_SHAPE_CURVE ? 1 : tsr_face_corners(cell, f);
}

/** Counts the curved sides of item i. */
TSR_FN void tsr_cells_count_sides(const tsr_cells_work *work, int64_t i) {
  const int64_t item = work->items[i];
  tsr_cell cell;
  tsr_work_cell(work, item, &cell);
  work->sides[i] = tsr_curved_sides(&cell, tsr_item_face(item));
}

/** The edge of a slot. */
TSR_FN void tsr_slot_edge(const tsr_cells_work *work, int64_t slot, tsr_edge *edge) {
  const int64_t at = work->slot_item[slot], item = work->items[at / 4];
  tsr_cell cell;
  tsr_work_cell(work, item, &cell);
  tsr_edge_of(&work->view, &cell, tsr_item_face(item), (int)(at % 4), edge);
}

/** Sets the slots of item i, and their pairs. A loop, with equal ends, is told from others by its
 *  inner nodes. */
TSR_FN void tsr_cells_hash_sides(const tsr_cells_work *work, int64_t i) {
  for (int64_t slot = work->sides[i]; slot < work->sides[i + 1]; ++slot) {
    tsr_edge edge;
    uint64_t hash = 2;
    int d;
    work->slot_item[slot] = 4 * i + (slot - work->sides[i]);
    tsr_slot_edge(work, slot, &edge);
    d = edge.degree;
    hash = tsr_hash(tsr_hash(hash, edge.id[0]), edge.id[d]);
    for (int k = 1; edge.id[0] == edge.id[d] && k < d; ++k)
      hash = tsr_hash(hash, edge.id[k]);
    tsr_pairs_set(&work->slots, slot,
                  tsr_id_key(edge.id[0] < edge.id[d] ? edge.id[0] : edge.id[d], hash), slot);
  }
}

/** The edge of a slot whose edges are numbered, and whether the side runs against it. */
TSR_FN int64_t tsr_slot_number(const tsr_cells_work *work, int64_t slot) {
  return work->edge_of[slot] / 2;
}
TSR_FN int tsr_slot_reversed(const tsr_cells_work *work, int64_t slot) {
  return (int)(work->edge_of[slot] % 2);
}

/** 1 if two edges are one. */
TSR_FN int tsr_edges_match(const tsr_edge *a, const tsr_edge *b) {
  int same = a->degree == b->degree && (a->degree < 2 || a->basis == b->basis);
  same = same && a->rational == b->rational;
  for (int k = 0; same && k <= a->degree; ++k)
    same = a->id[k] == b->id[k];
  return same;
}

/** Finds the first place of the sorted slots with the edge that place i has, and whether its side
 * runs against the edge; if i is the first, how many steps the edge needs. */
TSR_FN void tsr_cells_lead(const tsr_cells_work *work, int64_t i) {
  const uint64_t key = tsr_pairs_key(&work->slots, i);
  int64_t first = i, lead = i;
  tsr_edge edge, other;
  tsr_slot_edge(work, tsr_pairs_value(&work->slots, i), &edge);
  while (first > 0 && tsr_pairs_key(&work->slots, first - 1) == key)
    --first;
  for (int64_t j = first; j < i && lead == i; ++j) {
    tsr_slot_edge(work, tsr_pairs_value(&work->slots, j), &other);
    if (tsr_edges_match(&edge, &other))
      lead = j;
  }
  work->edge_of[tsr_pairs_value(&work->slots, i)] = edge.reversed;
  work->lead[i] = lead;
  work->numbers[i] = lead == i;
  work->own_steps[i] = 0;
  if (lead == i) {
    tsr_bends bends;
    tsr_edge_bends(&work->view, &work->criteria, &edge, &bends);
    work->own_steps[i] = tsr_edge_steps(&bends, work->criteria.most);
  }
}

/** Gives the edge at place i of the sorted slots its number; if i leads, also its steps: the most
 * of all edges with the same ends. */
TSR_FN void tsr_cells_number_edge(const tsr_cells_work *work, int64_t i) {
  const int64_t number = work->numbers[work->lead[i]], n = work->n_slots;
  const int64_t slot = tsr_pairs_value(&work->slots, i);
  const uint64_t key = tsr_pairs_key(&work->slots, i);
  int32_t steps = work->own_steps[i];
  int64_t first = i;
  tsr_edge edge, other;
  work->edge_of[slot] += 2 * number;
  if (work->lead[i] != i)
    return;
  edge.degree = 0; /* not looked at yet */
  while (first > 0 && tsr_pairs_key(&work->slots, first - 1) == key)
    --first;
  for (int64_t j = first; j < n && tsr_pairs_key(&work->slots, j) == key; ++j) {
    if (work->own_steps[j] <= steps)
      continue;
    if (edge.degree == 0)
      tsr_slot_edge(work, slot, &edge);
    tsr_slot_edge(work, tsr_pairs_value(&work->slots, j), &other);
    if (edge.id[0] == other.id[0] && edge.id[edge.degree] == other.id[other.degree])
      steps = work->own_steps[j];
  }
  work->edge_slot[number] = slot;
  work->edge_steps[number] = steps;
  work->edge_first[number] = steps - 1;
}

#endif
