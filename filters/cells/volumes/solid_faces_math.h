/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The faces of solids. Two solids share a face that has the same nodes in both; each of them has an
 * item of it, and the one with the lower number leads: it is divided, for both.
 *
 * What the insides of solids ask for enters as bends of their faces and edges, so that the
 * triangles of a rim are fine enough for the tetrahedra behind them. A shared face or edge gets
 * what the solid asks for that asks for most.
 */
#ifndef TSR_CELLS_VOLUMES_SOLID_FACES_MATH_H
#define TSR_CELLS_VOLUMES_SOLID_FACES_MATH_H

#include "cells/outside/items_math.h"
#include "cells/volumes/solid_bend_math.h"

/** 1 if the cell of an item is a curved solid. */
TSR_FN int tsr_is_solid(const tsr_cells_work *work, const tsr_cell *cell) {
  return work->solids.on && cell->curved && cell->shape >= TSR_SHAPE_TETRA;
}

/** Corner of a face that is corner k of the same face as another cell sees it; turn: from 0 below
 *  the number of sides: rotated; from there on: mirrored, too. */
TSR_FN int tsr_turned_corner(int sides, int turn, int k) {
  return turn < sides ? (turn + k) % sides : (turn - k) % sides;
}

/** Node of patch `it` that is node (a, b) of a patch of the degrees du and dv; -1: they have other
 *  degrees. */
TSR_FN int tsr_turned_node(const tsr_patch *it, int turn, int du, int dv, int a, int b) {
  static const int corners[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  const int *p[3];
  int bary[3], along, x, y;
  if (it->sides == 3) {
    const int from[3] = {du - a - b, a, b};
    for (int k = 0; k < 3; ++k)
      bary[tsr_turned_corner(3, turn, k)] = from[k];
    return tsr_triangle_place(du, bary[1], bary[2]);
  }
  p[0] = corners[tsr_turned_corner(4, turn, 0)];
  p[1] = corners[tsr_turned_corner(4, turn, 1)];
  p[2] = corners[tsr_turned_corner(4, turn, 3)];
  along = p[1][0] != p[0][0];
  if ((along ? it->du : it->dv) != du || (along ? it->dv : it->du) != dv)
    return -1;
  x = p[0][0] * it->du + (p[1][0] - p[0][0]) * a + (p[2][0] - p[0][0]) * b;
  y = p[0][1] * it->dv + (p[1][1] - p[0][1]) * a + (p[2][1] - p[0][1]) * b;
  return y * (it->du + 1) + x;
}

/** 1 if all nodes of two patches are equal under a turn. */
TSR_FN int tsr_turn_fits(const tsr_patch *it, const tsr_patch *other, int turn) {
  int n = 0;
  for (int b = 0; b <= other->dv; ++b)
    for (int a = 0; a <= (other->sides == 3 ? other->du - b : other->du); ++a) {
      const int node = tsr_turned_node(it, turn, other->du, other->dv, a, b);
      if (node < 0 || it->id[node] != other->id[n++])
        return 0;
    }
  return 1;
}

/** The turn that takes the corners of `other` to those of the same face `it`; -1: they are not the
 *  same face. */
TSR_FN int tsr_turn_between(const tsr_patch *it, const tsr_patch *other) {
  const int linear = it->du < 2 && it->dv < 2;
  if (it->sides != other->sides || it->rational != other->rational || it->n != other->n ||
      (!linear && it->basis != other->basis))
    return -1;
  if (it->sides == 3 && it->du != other->du)
    return -1;
  for (int turn = it->sides; turn < 2 * it->sides; ++turn)
    if (tsr_turn_fits(it, other, turn))
      return turn;
  for (int turn = 0; turn < it->sides; ++turn)
    if (tsr_turn_fits(it, other, turn))
      return turn;
  return -1;
}

/** Finds out whether item i is near: a face of a curved solid that has a corner of an item that is
 *  not flat. All faces of a solid that is not plain are near: at least two of its corners are such,
 *  and a face of a tetrahedron leaves out one. Only they need their mates. */
TSR_FN void tsr_solid_find_near(const tsr_cells_work *work, int64_t i) {
  const int f = tsr_item_face(work->items[i]);
  int64_t near = 0;
  tsr_cell cell;
  tsr_work_cell(work, work->items[i], &cell);
  for (int k = 0; tsr_is_solid(work, &cell) && k < tsr_face_corners(&cell, f); ++k)
    near |= work->bent[tsr_cell_id(&work->view, &cell, tsr_face_corner(&cell, f, k))];
  work->solids.near_count[i] = near;
}

/** Lists item i if it is near, and sets its pair. */
TSR_FN void tsr_solid_list_near(const tsr_cells_work *work, int64_t i) {
  const int64_t at = work->solids.near_count[i];
  if (work->solids.near_count[i + 1] == at)
    return;
  work->solids.near[at] = i;
  tsr_pair_face(work, at, work->items[i]);
}

/** The item at place i of the sorted pairs. */
TSR_FN int64_t tsr_paired_item(const tsr_cells_work *work, int64_t i) {
  return work->solids.near[tsr_pairs_value(&work->faces, i)];
}

/** The patch of item i, a face of a solid. */
TSR_FN void tsr_item_patch(const tsr_cells_work *work, int64_t i, tsr_patch *patch) {
  tsr_cell cell;
  tsr_work_cell(work, work->items[i], &cell);
  tsr_patch_of(&work->view, &cell, tsr_item_face(work->items[i]), patch);
}

/** Sets mate and turn of an item. */
TSR_FN void tsr_mate_put(const tsr_cells_work *work, int64_t item, int64_t mate, int turn) {
  work->solids.mate[item] = mate;
  work->solids.turn[item] = (uint8_t)(mate < 0 ? 0 : turn);
}

/** Finds the mates of the items a and b, to which no others can be equal. */
TSR_FN void tsr_solid_pair_two(const tsr_cells_work *work, int64_t a, int64_t b) {
  tsr_patch patch[2];
  int turn[2];
  tsr_item_patch(work, a, &patch[0]);
  tsr_item_patch(work, b, &patch[1]);
  turn[0] = tsr_turn_between(&patch[0], &patch[1]);
  turn[1] = turn[0] >= patch[0].sides ? turn[0] /* a mirrored turn is its own inverse */
                                      : tsr_turn_between(&patch[1], &patch[0]);
  tsr_mate_put(work, a, turn[0] < 0 ? -1 : b, turn[0]);
  tsr_mate_put(work, b, turn[1] < 0 ? -1 : a, turn[1]);
}

/** Finds the mate of the item at place i of the sorted pairs, of which the places from first to
 *  end - 1 have the same key. */
TSR_FAR_FN void tsr_solid_pair_many(const tsr_cells_work *work, int64_t first, int64_t end,
                                    int64_t i) {
  const int64_t own = tsr_paired_item(work, i);
  int64_t before = 0, last = -1, next = -1;
  int turn, last_turn = 0, next_turn = 0;
  tsr_patch patch, other;
  tsr_item_patch(work, own, &patch);
  for (int64_t j = first; j < end; ++j) {
    const int64_t theirs = tsr_paired_item(work, j);
    if (j == i)
      continue;
    tsr_item_patch(work, theirs, &other);
    turn = tsr_turn_between(&patch, &other);
    if (turn < 0)
      continue;
    before += theirs < own;
    if (theirs < own && theirs > last) {
      last = theirs;
      last_turn = turn;
    } else if (theirs > own && (next < 0 || theirs < next)) {
      next = theirs;
      next_turn = turn;
    }
  }
  tsr_mate_put(work, own, before % 2 ? last : next, before % 2 ? last_turn : next_turn);
}

/** Finds the mates of the items whose key begins at place i of the sorted pairs. Of several equal
 *  faces, the first is a pair with the second one, and so on. */
TSR_FN void tsr_solid_pair(const tsr_cells_work *work, int64_t i) {
  const uint64_t key = tsr_pairs_key(&work->faces, i);
  int64_t end = i + 1;
  if (i > 0 && tsr_pairs_key(&work->faces, i - 1) == key)
    return;
  while (end < work->faces.n && tsr_pairs_key(&work->faces, end) == key)
    ++end;
  if (end == i + 1)
    tsr_mate_put(work, tsr_paired_item(work, i), -1, 0);
  else if (end == i + 2)
    tsr_solid_pair_two(work, tsr_paired_item(work, i), tsr_paired_item(work, i + 1));
  for (int64_t j = i; end > i + 2 && j < end; ++j)
    tsr_solid_pair_many(work, i, end, j);
}

/** The item that is divided for item i, a face of a solid. */
TSR_FN int64_t tsr_leading_item(const tsr_cells_work *work, int64_t i) {
  const int64_t mate = work->solids.mate[i];
  return mate >= 0 && mate < i ? mate : i;
}

/** A face of a solid, as the item sees it that leads. */
typedef struct tsr_solid_face {
  tsr_cell cell;
  int sides;
  int mirrored;       /**< 1: its front is inside the solid, as the leading item sees it */
  int corner[4];      /**< corners of the cell */
  double place[4][3]; /**< their parameters */
} tsr_solid_face;

/** Opens the face of item i, as the item `leader` sees it, which is i or its mate. */
TSR_FN void tsr_solid_face_open(const tsr_cells_work *work, int64_t i, int64_t leader,
                                tsr_solid_face *to) {
  const int f = tsr_item_face(work->items[i]), turn = leader == i ? 0 : work->solids.turn[i];
  tsr_work_cell(work, work->items[i], &to->cell);
  to->sides = tsr_face_corners(&to->cell, f);
  to->mirrored = turn >= to->sides;
  for (int k = 0; k < to->sides; ++k) {
    to->corner[k] = tsr_face_corner(&to->cell, f, tsr_turned_corner(to->sides, turn, k));
    tsr_solid_corner(to->cell.shape, to->corner[k], to->place[k]);
  }
}

/** Parameters in the solid of the place (u, v) of a face. */
TSR_FN void tsr_solid_face_place(const tsr_solid_face *it, double u, double v, double to[3]) {
  for (int c = 0; c < 3; ++c) {
    const double along = it->place[1][c] - it->place[0][c];
    const double up = it->place[it->sides - 1][c] - it->place[0][c];
    to[c] = it->place[0][c] + (u * along + v * up);
  }
}

/** The vectors along side s of a face and across, as tsr_bends has them. */
TSR_FN void tsr_solid_face_vectors(const tsr_solid_face *it, int s, double along[3],
                                   double across[3]) {
  const double *from = it->place[s], *to = it->place[(s + 1) % it->sides];
  const double *up = it->place[(s + it->sides - 1) % it->sides];
  for (int c = 0; c < 3; ++c) {
    along[c] = to[c] - from[c];
    across[c] = up[c] - (it->sides == 3 ? 0.5 * (from[c] + to[c]) : from[c]);
  }
}

/** Raises rows to a bound that holds for all of them. */
TSR_FN void tsr_rows_raise(tsr_rows *rows, double least) {
  if (rows->n == 0)
    tsr_rows_put(rows, 1, 0, least);
  for (int k = 0; k < rows->n; ++k)
    rows->most[k] = least > rows->most[k] ? least : rows->most[k];
}

/** Raises the bends of the face of item `leader` to what the solid of item i asks for. */
TSR_FN void tsr_solid_raise(const tsr_cells_work *work, int64_t i, int64_t leader,
                            tsr_bends *bends) {
  const double *own = work->solids.bends + TSR_SOLID_KINDS * tsr_item_cell(work->items[i]);
  tsr_solid_face face;
  tsr_solid_face_open(work, i, leader, &face);
  for (int s = 0; s < face.sides; ++s) {
    double e[2][3];
    tsr_solid_face_vectors(&face, s, e[0], e[1]);
    for (int k = 0; k < 3; ++k) {
      const double bend =
          tsr_solid_bend_along(face.cell.shape, own, e[k / 2], e[(k + 1) / 2]) / TSR_RIM_SHARE;
      tsr_rows_raise(&bends->rows[s][k], bend);
      bends->most[s][k] = tsr_larger_bend(bends->most[s][k], bend);
    }
  }
}

/** Raises the bends of curved face i to what the solids on both of its sides ask for. */
TSR_FN void tsr_solids_raise(const tsr_cells_work *work, int64_t i, tsr_bends *bends) {
  tsr_solid_raise(work, i, i, bends);
  if (work->solids.mate[i] >= 0)
    tsr_solid_raise(work, work->solids.mate[i], i, bends);
}

/** Steps that the cell of item i asks for along side s of its face; 0: it is no solid. */
TSR_FN int tsr_solid_side_steps(const tsr_cells_work *work, const tsr_cell *cell, int64_t i,
                                int s) {
  const double *own = work->solids.bends + TSR_SOLID_KINDS * tsr_item_cell(work->items[i]);
  const int f = tsr_item_face(work->items[i]);
  double from[3], to[3], along[3];
  if (!tsr_is_solid(work, cell))
    return 0;
  tsr_solid_corner(cell->shape, tsr_face_corner(cell, f, s), from);
  tsr_solid_corner(cell->shape, tsr_face_corner(cell, f, (s + 1) % tsr_face_corners(cell, f)), to);
  for (int c = 0; c < 3; ++c)
    along[c] = to[c] - from[c];
  return (int)tsr_ceil_count(
      sqrt(tsr_solid_bend_twice(cell->shape, own, along) / (8.0 * TSR_EDGE_SHARE * TSR_RIM_SHARE)),
      work->criteria.most);
}

/** Finds the bends of solid i. */
TSR_FN void tsr_solid_bend(const tsr_cells_work *work, int64_t i) {
  const int64_t number = work->solids.cell[i];
  tsr_cell cell;
  tsr_good_cell_at(&work->view, number, &cell);
  if (cell.curved)
    tsr_cell_bends(&work->view, &work->criteria, &cell,
                   work->solids.bends + TSR_SOLID_KINDS * number);
}

/** Lists cell i, if it is a solid. */
TSR_FN void tsr_solid_list(const tsr_cells_work *work, int64_t i) {
  const tsr_solids *it = &work->solids;
  if (it->number[i + 1] == it->number[i])
    return;
  it->cell[it->number[i]] = i;
  it->item[it->number[i]] = work->counts[2 * work->view.n_cells + i];
}

#endif
