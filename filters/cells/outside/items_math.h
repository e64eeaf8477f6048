/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * What is drawn: all vertices, lines and surface cells, and the outside of volumes. A face of a
 * volume is inside if another volume has a face with the same corners.
 */
#ifndef TSR_CELLS_OUTSIDE_ITEMS_MATH_H
#define TSR_CELLS_OUTSIDE_ITEMS_MATH_H

#include "cells/outside/work.h"
#include "cells/volumes/solid_math.h"

/** The notes of cells that are left out: those before TSR_CELLS_NOTE_LIMIT, and after them
 *  TSR_CELLS_NOTE_SOLID. A device has shared memory for no more of them. */
#define TSR_LOOK_SOLID ((int)TSR_CELLS_NOTE_LIMIT)
#define TSR_LOOK_NOTES (TSR_LOOK_SOLID + 1)

/** What all cells of the view amount to. */
typedef struct tsr_cells_facts {
  tsr_note_count notes[TSR_LOOK_NOTES];
  double least[3], most[3]; /**< box of the nodes of cells that are drawn; least > most: none */
  int64_t volumes;
  int degree;   /**< largest of a curved cell, along any axis; 1: there is none */
  int lagrange; /**< bit d: a curved cell of Lagrange's basis has degree d along an axis */
} tsr_cells_facts;

TSR_FN tsr_cells_facts tsr_cells_look_none(void) {
  tsr_cells_facts none;
  for (int k = 0; k < TSR_LOOK_NOTES; ++k) {
    none.notes[k].count = 0;
    none.notes[k].first = -1;
  }
  for (int c = 0; c < 3; ++c) {
    none.least[c] = 2.0 * TSR_LARGEST_COORDINATE;
    none.most[c] = -2.0 * TSR_LARGEST_COORDINATE;
  }
  none.volumes = 0;
  none.degree = 1;
  none.lagrange = 0;
  return none;
}

TSR_FN void tsr_cells_look_join(tsr_cells_facts *all, const tsr_cells_facts *part) {
  for (int k = 0; k < TSR_LOOK_NOTES; ++k)
    tsr_note_join(&all->notes[k], part->notes[k]);
  for (int c = 0; c < 3; ++c) {
    all->least[c] = part->least[c] < all->least[c] ? part->least[c] : all->least[c];
    all->most[c] = part->most[c] > all->most[c] ? part->most[c] : all->most[c];
  }
  all->volumes += part->volumes;
  all->degree = part->degree > all->degree ? part->degree : all->degree;
  all->lagrange |= part->lagrange;
}

/** Examines cell i: counts its vertices, lines and faces, finds out whether it is a solid, and adds
 *  it to the facts. */
TSR_FN void tsr_cells_look(const tsr_cells_work *work, int64_t i, tsr_cells_facts *facts) {
  const int64_t n = work->view.n_cells;
  const int role = tsr_work_role(work, i);
  int64_t *counts = work->counts;
  tsr_cell_box box;
  tsr_cell cell;
  int note = -1;
  counts[i] = counts[n + i] = counts[2 * n + i] = 0;
  if (work->solids.on)
    work->solids.number[i] = 0;
  if (role == TSR_CELLS_ABSENT)
    return;
  note = tsr_cell_examine(&work->view, i, &cell, &box);
  if (note >= 0 && role == TSR_CELLS_DRAWN)
    tsr_note_item(facts->notes, 1 << note, i);
  if (note >= 0 || cell.shape == TSR_SHAPE_NONE)
    return;
  for (int c = 0; cell.curved && c < 3; ++c) {
    facts->degree = cell.d[c] > facts->degree ? cell.d[c] : facts->degree;
    facts->lagrange |= cell.basis == TSR_BASIS_LAGRANGE ? 1 << cell.d[c] : 0;
  }
  if (cell.shape >= TSR_SHAPE_TETRA && work->solids.on) {
    if (role != TSR_CELLS_DRAWN)
      return;
    if (cell.curved && !tsr_solid_is_divided(&cell)) {
      tsr_note_item(facts->notes, 1 << TSR_LOOK_SOLID, i);
      return;
    }
    counts[2 * n + i] = cell.curved ? tsr_cell_faces(&cell) : 0;
    work->solids.number[i] = 1;
    facts->volumes++;
  } else if (cell.shape >= TSR_SHAPE_TETRA) {
    counts[2 * n + i] = tsr_cell_faces(&cell);
    facts->volumes++;
  } else if (role == TSR_CELLS_DRAWN) {
    counts[i] = cell.shape == TSR_SHAPE_VERTS;
    counts[n + i] = cell.shape == TSR_SHAPE_POLYLINE || cell.shape == TSR_SHAPE_CURVE;
    counts[2 * n + i] = !counts[i] && !counts[n + i];
  }
  for (int c = 0; role == TSR_CELLS_DRAWN && c < 3; ++c) {
    facts->least[c] = box.least[c] < facts->least[c] ? box.least[c] : facts->least[c];
    facts->most[c] = box.most[c] > facts->most[c] ? box.most[c] : facts->most[c];
  }
}

/** Lists the candidates of cell i. */
TSR_FN void tsr_cells_list(const tsr_cells_work *work, int64_t i) {
  for (int kind = 0; kind < 3; ++kind) {
    const int64_t *first = work->counts + kind * work->view.n_cells + i;
    for (int64_t c = first[0]; c < first[1]; ++c) {
      work->candidates[c] = tsr_item_pack(i, (int)(c - first[0]));
      if (work->volumes)
        work->kept[c] = 1;
    }
  }
}

/** Bits of a hash in a key. Items with equal keys are compared one by one. */
#define TSR_HASH_BITS 16

/** The key of what has this lowest point id: the id first, so that sorted items lie near each other
 * in memory, then bits of a hash of all ids. */
TSR_FN uint64_t tsr_id_key(int64_t lowest, uint64_t hash) {
  return (uint64_t)lowest << TSR_HASH_BITS | hash >> (64 - TSR_HASH_BITS);
}

/** Bits of the keys. */
TSR_FN int tsr_id_key_bits(const tsr_cells_work *work) {
  int bits = TSR_HASH_BITS;
  while (work->view.points.tuples >> (bits - TSR_HASH_BITS))
    ++bits;
  return bits;
}

/** The corners of a face of a volume, in the order of their ids. Returns how many there are; 0: the
 *  item is no face of a volume. */
TSR_FN int tsr_sorted_corners(const tsr_cells_work *work, int64_t item,
                              int64_t ids[TSR_FACE_CORNERS]) {
  const int f = tsr_item_face(item);
  tsr_cell cell;
  int n;
  tsr_work_cell(work, item, &cell);
  n = cell.shape < TSR_SHAPE_TETRA ? 0 : tsr_face_corners(&cell, f);
  for (int k = 0; k < n; ++k) {
    const int64_t id = tsr_cell_id(&work->view, &cell, tsr_face_corner(&cell, f, k));
    int at = k;
    for (; at > 0 && ids[at - 1] > id; --at)
      ids[at] = ids[at - 1];
    ids[at] = id;
  }
  return n;
}

/** Sets pair i of the faces, which is of this item. */
TSR_FN void tsr_pair_face(const tsr_cells_work *work, int64_t i, int64_t item) {
  int64_t ids[TSR_FACE_CORNERS] = {0};
  const int n = tsr_sorted_corners(work, item, ids);
  uint64_t hash = n > 0 ? 0 : tsr_hash(1, i);
  for (int k = 0; k < n; ++k)
    hash = tsr_hash(hash, ids[k]);
  tsr_pairs_set(&work->faces, i, tsr_id_key(ids[0], hash), i);
}

/** Sets the pair of candidate face i. */
TSR_FN void tsr_cells_hash_face(const tsr_cells_work *work, int64_t i) {
  tsr_pair_face(work, i, work->candidates[work->first_face + i]);
}

/** 1 if the faces at two places of the sorted pairs have the same corners. */
TSR_FN int tsr_faces_match(const tsr_cells_work *work, const int64_t *ids, int n, int64_t place) {
  const int64_t other = work->candidates[work->first_face + tsr_pairs_value(&work->faces, place)];
  int64_t theirs[TSR_FACE_CORNERS];
  int same = tsr_sorted_corners(work, other, theirs) == n;
  for (int k = 0; same && k < n; ++k)
    same = ids[k] == theirs[k];
  return same;
}

/** Decides whether the face at place i of the sorted pairs is drawn. */
TSR_FN void tsr_cells_match(const tsr_cells_work *work, int64_t i) {
  const uint64_t key = tsr_pairs_key(&work->faces, i);
  const int64_t candidate = work->first_face + tsr_pairs_value(&work->faces, i);
  const int64_t item = work->candidates[candidate];
  int64_t ids[TSR_FACE_CORNERS];
  const int n = tsr_sorted_corners(work, item, ids);
  int found = 0;
  if (n == 0)
    return;
  if (tsr_work_role(work, tsr_item_cell(item)) == TSR_CELLS_NEIGHBOUR) {
    work->kept[candidate] = 0;
    return;
  }
  for (int64_t j = i - 1; !found && j >= 0 && tsr_pairs_key(&work->faces, j) == key; --j)
    found = tsr_faces_match(work, ids, n, j);
  for (int64_t j = i + 1; !found && j < work->faces.n && tsr_pairs_key(&work->faces, j) == key; ++j)
    found = tsr_faces_match(work, ids, n, j);
  work->kept[candidate] = !found;
}

/** Number of points of the input that an item has as such: corners, or all points of a cell that is
 *  not curved. */
TSR_FN int64_t tsr_item_corners(const tsr_cell *cell, int f) {
  if (cell->shape == TSR_SHAPE_CURVE)
    return 2;
  return cell->curved || cell->shape >= TSR_SHAPE_TETRA ? tsr_face_corners(cell, f) : cell->n;
}

/** Number of the node that is corner k of an item. */
TSR_FN int64_t tsr_item_corner(const tsr_cell *cell, int f, int64_t k) {
  if (cell->shape == TSR_SHAPE_PIXEL)
    return k < 2 ? k : 5 - k;
  return cell->shape >= TSR_SHAPE_TETRA ? tsr_face_corner(cell, f, (int)k) : k;
}

/** Copies candidate i to the items if it is kept. */
TSR_FN void tsr_cells_keep(const tsr_cells_work *work, int64_t i) {
  if (work->kept[i + 1] > work->kept[i])
    work->items[work->kept[i]] = work->candidates[i];
}

#endif
