/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The edges of items: of curved ones, or of all. Sides with the same nodes are one edge. Edges with
 * the same ends and different nodes, as between cells of different degrees, get the same number of
 * steps. The angle of normals is a matter of faces: an edge gets the steps that one of its faces
 * needs most.
 */
#ifndef TSR_CELLS_OUTSIDE_EDGES_MATH_H
#define TSR_CELLS_OUTSIDE_EDGES_MATH_H

#include "cells/outside/plain_math.h"

/** Number of sides of a cell's face, or of a curve, that are looked at: the curved ones. linear: 1:
 *  those of linear faces, too. */
TSR_FN int64_t tsr_sides_of(const tsr_cell *cell, int f, int linear) {
  if (cell->shape == TSR_SHAPE_CURVE)
    return 1;
  if (cell->curved)
    return tsr_face_corners(cell, f);
  if (!linear || cell->shape <= TSR_SHAPE_POLYLINE)
    return 0;
  return cell->shape == TSR_SHAPE_STRIP ? 2 * cell->n - 3 : tsr_item_corners(cell, f);
}

/** Side s of a linear face. A strip's are those from each point to the next one and the one after.
 */
TSR_FN void tsr_linear_edge(const tsr_cells_view *view, const tsr_cell *cell, int f, int64_t s,
                            tsr_edge *edge) {
  const int64_t n = tsr_item_corners(cell, f);
  const int64_t from = cell->shape == TSR_SHAPE_STRIP ? s / 2 : s;
  const int64_t to = cell->shape == TSR_SHAPE_STRIP ? from + 1 + s % 2 : (s + 1 < n ? s + 1 : 0);
  edge->degree = 1;
  edge->basis = TSR_BASIS_LAGRANGE;
  edge->rational = 0;
  edge->id[0] = tsr_cell_id(view, cell, tsr_item_corner(cell, f, from));
  edge->id[1] = tsr_cell_id(view, cell, tsr_item_corner(cell, f, to));
  tsr_edge_turn(edge);
}

/** Counts the sides of item i; of a plain face they are not looked up. A flat face that is not
 * plain is from here on like any other. */
TSR_FN void tsr_cells_count_sides(const tsr_cells_work *work, int64_t i) {
  const int64_t item = work->items[i];
  tsr_cell cell;
  if (work->plain[i] && !work->bent[work->view.points.tuples]) {
    work->sides[i] = 0;
    return;
  }
  tsr_work_cell(work, item, &cell);
  if (work->plain[i] && tsr_flat_meets_bent(work, i, &cell))
    work->plain[i] = 0;
  work->sides[i] = work->plain[i] ? 0 : tsr_sides_of(&cell, tsr_item_face(item), work->curves);
}

/** The cell of a slot, and its edge. */
TSR_FAR_FN void tsr_slot_cell(const tsr_cells_work *work, int64_t slot, tsr_cell *cell,
                              tsr_edge *edge) {
  const int64_t i = work->slot_item[slot], s = slot - work->sides[i], item = work->items[i];
  tsr_work_cell(work, item, cell);
  if (cell->curved)
    tsr_edge_of(&work->view, cell, tsr_item_face(item), (int)s, edge);
  else
    tsr_linear_edge(&work->view, cell, tsr_item_face(item), s, edge);
}

/** The edge of a slot. */
TSR_FN void tsr_slot_edge(const tsr_cells_work *work, int64_t slot, tsr_edge *edge) {
  tsr_cell cell;
  tsr_slot_cell(work, slot, &cell, edge);
}

/** Sets the slots of item i, and their pairs. A loop, with equal ends, is told from others by its
 *  inner nodes. */
TSR_FN void tsr_cells_hash_sides(const tsr_cells_work *work, int64_t i) {
  for (int64_t slot = work->sides[i]; slot < work->sides[i + 1]; ++slot) {
    tsr_edge edge;
    uint64_t hash = 2;
    int d;
    work->slot_item[slot] = i;
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

/** Steps that an edge needs for itself. */
TSR_FN int tsr_own_steps(const tsr_cells_work *work, const tsr_edge *edge) {
  const int most = work->criteria.most;
  const double length = tsr_edge_length(&work->view, &work->criteria, edge);
  const int n = (int)tsr_ceil_count(TSR_LENGTH_SHARE * length / TSR_FULFILLED, most);
  tsr_bends bends;
  int steps;
  tsr_edge_bends(&work->view, &work->criteria, edge, &bends);
  steps = tsr_edge_steps(&bends, most);
  return n > steps ? n : steps;
}

/** Steps that a slot's face, of this cell, needs on it for the angle of its normals; 0: not in use.
 */
TSR_FN int tsr_slot_angle_steps(const tsr_cells_work *work, int64_t slot, const tsr_cell *cell) {
  const int64_t i = work->slot_item[slot], item = work->items[i];
  tsr_shape_asked asked;
  tsr_patch patch;
  if (!(work->criteria.sine > 0.0) || !cell->curved || cell->shape == TSR_SHAPE_CURVE)
    return 0;
  tsr_patch_of(&work->view, cell, tsr_item_face(item), &patch);
  tsr_shape_ask(&work->view, &work->criteria, &patch, &asked);
  return tsr_angle_steps(&asked, patch.sides, (int)(slot - work->sides[i]), work->criteria.most);
}

/** Finds the first place of the sorted slots, from `first` on, with the edge that place i has.
 * head: the edge at `first`. */
TSR_FN int64_t tsr_find_lead(const tsr_cells_work *work, int64_t first, const tsr_edge *head,
                             int64_t i, const tsr_edge *edge) {
  tsr_edge other;
  if (tsr_edges_match(edge, head))
    return first;
  for (int64_t j = first + 1; j < i; ++j) {
    if (work->lead[j] != j)
      continue;
    tsr_slot_edge(work, tsr_pairs_value(&work->slots, j), &other);
    if (tsr_edges_match(edge, &other))
      return j;
  }
  return i;
}

/** Sets what is known of the edge at place i of the sorted slots, of which `lead` is the first: how
 *  many steps it needs for the slot's face and solid, and if it leads, for itself. cell: the
 * slot's.
 */
TSR_FN void tsr_lead_put(const tsr_cells_work *work, int64_t i, int64_t lead, const tsr_cell *cell,
                         const tsr_edge *edge) {
  const int64_t slot = tsr_pairs_value(&work->slots, i), item = work->slot_item[slot];
  const int inside = tsr_solid_side_steps(work, cell, item, (int)(slot - work->sides[item]));
  int steps = tsr_slot_angle_steps(work, slot, cell);
  steps = inside > steps ? inside : steps;
  if (lead == i) {
    const int own = tsr_own_steps(work, edge);
    steps = own > steps ? own : steps;
  }
  work->edge_of[slot] = edge->reversed;
  work->lead[i] = lead;
  work->numbers[i] = lead == i;
  work->own_steps[i] = steps;
}

/** Finds the edges at all places of the sorted slots whose key begins at place i. */
TSR_FN void tsr_cells_lead(const tsr_cells_work *work, int64_t i) {
  const uint64_t key = tsr_pairs_key(&work->slots, i);
  tsr_edge head, edge;
  tsr_cell cell;
  if (i > 0 && tsr_pairs_key(&work->slots, i - 1) == key)
    return;
  tsr_slot_cell(work, tsr_pairs_value(&work->slots, i), &cell, &head);
  tsr_lead_put(work, i, i, &cell, &head);
  for (int64_t j = i + 1; j < work->n_slots && tsr_pairs_key(&work->slots, j) == key; ++j) {
    tsr_slot_cell(work, tsr_pairs_value(&work->slots, j), &cell, &edge);
    tsr_lead_put(work, j, tsr_find_lead(work, i, &head, j, &edge), &cell, &edge);
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
