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

/** The edge of a slot. */
TSR_FAR_FN void tsr_slot_edge(const tsr_cells_work *work, int64_t slot, tsr_edge *edge) {
  const int64_t i = work->slot_item[slot], s = slot - work->sides[i], item = work->items[i];
  tsr_cell cell;
  tsr_work_cell(work, item, &cell);
  if (cell.curved)
    tsr_edge_of(&work->view, &cell, tsr_item_face(item), (int)s, edge);
  else
    tsr_linear_edge(&work->view, &cell, tsr_item_face(item), s, edge);
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

/** Steps that a slot's face needs on it for the angle of its normals; 0: not in use. */
TSR_FN int tsr_slot_angle_steps(const tsr_cells_work *work, int64_t slot) {
  const int64_t i = work->slot_item[slot], item = work->items[i];
  tsr_shape_asked asked;
  tsr_patch patch;
  tsr_cell cell;
  if (!(work->criteria.sine > 0.0))
    return 0;
  tsr_work_cell(work, item, &cell);
  if (!cell.curved || cell.shape == TSR_SHAPE_CURVE)
    return 0;
  tsr_patch_of(&work->view, &cell, tsr_item_face(item), &patch);
  tsr_shape_ask(&work->view, &work->criteria, &patch, &asked);
  return tsr_angle_steps(&asked, patch.sides, (int)(slot - work->sides[i]), work->criteria.most);
}

/** Steps that the inside of a slot's solid needs on it; 0: there is none. */
TSR_FN int tsr_slot_solid_steps(const tsr_cells_work *work, int64_t slot) {
  const int64_t i = work->slot_item[slot];
  return tsr_solid_side_steps(work, i, (int)(slot - work->sides[i]));
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
  work->own_steps[i] = tsr_slot_angle_steps(work, tsr_pairs_value(&work->slots, i));
  if (work->solids.on) {
    const int inside = tsr_slot_solid_steps(work, tsr_pairs_value(&work->slots, i));
    work->own_steps[i] = inside > work->own_steps[i] ? inside : work->own_steps[i];
  }
  if (lead == i) {
    const int own = tsr_own_steps(work, &edge);
    work->own_steps[i] = own > work->own_steps[i] ? own : work->own_steps[i];
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
