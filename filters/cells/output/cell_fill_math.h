/* SPDX-License-Identifier: BSD-3-Clause */
/** The cells of the output: connectivity, offsets, and what belongs to cells. */
#ifndef TSR_CELLS_OUTPUT_CELL_FILL_MATH_H
#define TSR_CELLS_OUTPUT_CELL_FILL_MATH_H

#include "cells/output/achieved_math.h"
#include "cells/output/parameter_math.h"

/** A curved face whose triangles are written. */
typedef struct tsr_face_writer {
  const tsr_cells_filler *filler;
  int64_t slot;       /**< of side 0 */
  int64_t inside;     /**< number of the first point inside */
  int64_t corner[4];  /**< points of the output */
  int64_t skip, left; /**< triangles that are not written before those that are, and how many are */
  int64_t *to;        /**< where the next triangle goes */
  tsr_division division;
  const int64_t *first; /**< for each side, what its steps count from in place of points of the
                             output; NULL: these are written. Not NULL: slot is not used */
  const int *step;      /**< with first: 1, or -1 where they count down */
} tsr_face_writer;

/** Output point of node k of a cell, a corner. */
TSR_FN int64_t tsr_corner_point(const tsr_cells_work *work, const tsr_cell *cell, int64_t k) {
  return work->corners[tsr_cell_id(&work->view, cell, k)];
}

/** Point at step k, not an end, of the side of a slot, whose edge has n steps. */
TSR_FN int64_t tsr_slot_point(const tsr_cells_filler *filler, int64_t slot, int k, int n) {
  const tsr_cells_work *work = &filler->work;
  return filler->first_edge_point + work->edge_first[tsr_slot_number(work, slot)] +
         (tsr_slot_reversed(work, slot) ? n - k : k) - 1;
}

/** Point at step k of side s of a face. */
TSR_FN int64_t tsr_rim_point(const tsr_face_writer *it, int s, int k) {
  const int n = it->division.steps[s], sides = it->division.sides;
  if (k == 0)
    return it->corner[s];
  if (k == n)
    return it->corner[s + 1 == sides ? 0 : s + 1];
  if (it->first)
    return it->first[s] + (int64_t)it->step[s] * k;
  return tsr_slot_point(it->filler, it->slot + s, k, n);
}

/** The point at step k of the grid's row along side s, which has no strip. */
TSR_FN int64_t tsr_met_point(const tsr_face_writer *it, int s, int k) {
  return tsr_rim_point(it, s, k + it->division.strip[s == 0 ? it->division.sides - 1 : s - 1]);
}

/** Point (i, j) of the grid. */
TSR_FAR_FN int64_t tsr_grid_point(const tsr_face_writer *it, int i, int j) {
  const tsr_division *d = &it->division;
  const int triangle = d->sides == 3;
  if (j == 0 && !d->strip[0])
    return tsr_met_point(it, 0, i);
  if (i == (triangle ? d->a - j : d->a) && !d->strip[1])
    return tsr_met_point(it, 1, j);
  if (!triangle && j == d->b && !d->strip[2])
    return tsr_met_point(it, 2, d->a - i);
  if (i == 0 && !d->strip[d->sides - 1])
    return tsr_met_point(it, d->sides - 1, triangle ? d->a - j : d->b - j);
  return it->inside + tsr_division_before(d, j) + (i - tsr_division_left(d));
}

TSR_FN void tsr_write_triangle(tsr_face_writer *it, int64_t a, int64_t b, int64_t c) {
  if (it->skip > 0 || it->left == 0) {
    it->skip -= it->skip > 0;
    return;
  }
  --it->left;
  it->to[0] = a;
  it->to[1] = b;
  it->to[2] = c;
  it->to += 3;
}

/** Writes the triangles of the grid. */
TSR_FAR_FN void tsr_write_grid(tsr_face_writer *it) {
  const tsr_division *d = &it->division;
  const int rows = d->sides == 3 ? d->a : d->b;
  for (int j = 0; j < rows && it->left > 0; ++j) {
    const int columns = d->sides == 3 ? d->a - j : d->a;
    const int64_t triangles = 2 * columns - (d->sides == 3);
    if (it->skip >= triangles) {
      it->skip -= triangles;
      continue;
    }
    int i = (int)(it->skip / 2);
    it->skip %= 2;
    for (; i < columns && it->left > 0; ++i) {
      const int64_t at = tsr_grid_point(it, i, j), right = tsr_grid_point(it, i + 1, j);
      const int64_t above = tsr_grid_point(it, i, j + 1);
      const int square = d->sides == 4 || i + 1 < columns;
      const int64_t across = square ? tsr_grid_point(it, i + 1, j + 1) : 0;
      if (d->turned) {
        tsr_write_triangle(it, at, right, across);
        tsr_write_triangle(it, at, across, above);
        continue;
      }
      tsr_write_triangle(it, at, right, above);
      if (square)
        tsr_write_triangle(it, right, across, above);
    }
  }
}

/** Point at step k of the grid's row along side s. */
TSR_FN int64_t tsr_row_point(const tsr_face_writer *it, int s, int k) {
  int i, j;
  tsr_division_row(&it->division, s, k, &i, &j);
  return tsr_grid_point(it, i, j);
}

/** Writes the strip along side s. */
TSR_FAR_FN void tsr_write_strip(tsr_face_writer *it, int s) {
  int64_t side, grid;
  int i = 0, j = 0;
  tsr_strip strip;
  tsr_division_strip(&it->division, s, &strip);
  for (; it->skip > 0 && (i < strip.n || j < strip.m); --it->skip)
    tsr_strip_next(&strip, &i, &j);
  side = tsr_rim_point(it, s, i);
  grid = tsr_row_point(it, s, j);
  while (it->left > 0 && (i < strip.n || j < strip.m)) {
    if (tsr_strip_next(&strip, &i, &j)) {
      const int64_t next = tsr_rim_point(it, s, i);
      tsr_write_triangle(it, side, next, grid);
      side = next;
    } else {
      const int64_t next = tsr_row_point(it, s, j);
      tsr_write_triangle(it, side, next, grid);
      grid = next;
    }
  }
}

/** Writes the triangles of the grid and of the strips. */
TSR_FN void tsr_write_triangles(tsr_face_writer *it) {
  tsr_write_grid(it);
  for (int s = 0; s < it->division.sides && it->left > 0; ++s)
    if (it->division.strip[s])
      tsr_write_strip(it, s);
}

/** Writes n triangles of curved face i, from number `first` on. */
TSR_FN void tsr_write_face(const tsr_cells_filler *filler, int64_t i, const tsr_cell *cell,
                           int64_t first, int64_t n, int64_t *to) {
  const tsr_cells_work *work = &filler->work;
  const int f = tsr_item_face(work->items[i]), sides = tsr_face_corners(cell, f);
  tsr_face_writer it;
  it.filler = filler;
  it.slot = work->sides[i];
  it.inside = filler->first_face_point + work->item_points[i];
  it.skip = first;
  it.left = n;
  it.to = to;
  it.first = NULL;
  it.step = NULL;
  for (int k = 0; k < sides; ++k)
    it.corner[k] = tsr_corner_point(work, cell, tsr_face_corner(cell, f, k));
  tsr_item_division(work, i, sides, &it.division);
  tsr_write_triangles(&it);
}

/** Writes the line of curve i. */
TSR_FN void tsr_write_curve(const tsr_cells_filler *filler, int64_t i, const tsr_cell *cell,
                            int64_t *to) {
  const tsr_cells_work *work = &filler->work;
  const int n = work->edge_steps[tsr_slot_number(work, work->sides[i])];
  to[0] = tsr_corner_point(work, cell, 0);
  to[n] = tsr_corner_point(work, cell, 1);
  for (int k = 1; k < n; ++k)
    to[k] = tsr_slot_point(filler, work->sides[i], k, n);
}

/** Writes the triangles of a plain face of n corners. */
TSR_FN void tsr_write_plain(const tsr_cells_work *work, const tsr_cell *cell, int f, int n,
                            int64_t *to) {
  to[0] = tsr_corner_point(work, cell, tsr_item_corner(cell, f, 0));
  to[1] = tsr_corner_point(work, cell, tsr_item_corner(cell, f, 1));
  to[2] = tsr_corner_point(work, cell, tsr_item_corner(cell, f, n - 1));
  if (n == 4) {
    to[3] = to[1];
    to[4] = tsr_corner_point(work, cell, tsr_item_corner(cell, f, 2));
    to[5] = to[2];
  }
}

/** Writes the ids of all cells of item i, which is no curved face. */
TSR_FN void tsr_write_whole(const tsr_cells_filler *filler, int64_t i, const tsr_cell *cell,
                            int64_t *to) {
  const tsr_cells_work *work = &filler->work;
  const int f = tsr_item_face(work->items[i]);
  if (work->plain[i]) {
    tsr_write_plain(work, cell, f, tsr_plain_corners(work, i), to);
  } else if (cell->shape == TSR_SHAPE_CURVE) {
    tsr_write_curve(filler, i, cell, to);
  } else if (cell->shape == TSR_SHAPE_STRIP) {
    for (int64_t k = 0; k + 2 < cell->n; ++k) {
      to[3 * k] = tsr_corner_point(work, cell, k);
      to[3 * k + 1] = tsr_corner_point(work, cell, k % 2 ? k + 2 : k + 1);
      to[3 * k + 2] = tsr_corner_point(work, cell, k % 2 ? k + 1 : k + 2);
    }
  } else {
    for (int64_t k = 0; k < tsr_item_corners(cell, f); ++k)
      to[k] = tsr_corner_point(work, cell, tsr_item_corner(cell, f, k));
  }
}

/** Writes the ids of n cells of item i, from number `first` on; of an item that is no curved face
 *  all with the first one. ids: of the item. */
TSR_FN void tsr_write_item(const tsr_cells_filler *filler, int64_t i, int64_t first, int64_t n,
                           int64_t *ids) {
  const tsr_cells_work *work = &filler->work;
  tsr_cell cell;
  tsr_work_cell(work, work->items[i], &cell);
  if (!work->plain[i] && cell.curved && cell.shape != TSR_SHAPE_CURVE)
    tsr_write_face(filler, i, &cell, first, n, ids + 3 * first);
  else if (first == 0)
    tsr_write_whole(filler, i, &cell, ids);
}

/** Sets the arrays of a cell of the output, which comes from this one of the input. */
TSR_FN void tsr_write_cell_arrays(const tsr_cells_filler *filler, int64_t cell, int64_t to,
                                  double achieved) {
  if (filler->source)
    filler->source[to] = cell;
  if (filler->achieved)
    filler->achieved[to] = achieved;
  for (int t = 0; t < filler->n_cells; ++t)
    tsr_copy_tuple(&filler->cells[t], cell, to);
}

/** Writes the line of edge i, after those of all items, and its arrays. */
TSR_FN void tsr_cells_fill_line(const tsr_cells_filler *filler, int64_t i) {
  const tsr_cells_work *work = &filler->work;
  const int64_t lines = work->item_cells[work->n_items], slot = work->edge_slot[i];
  const int64_t before = lines - work->item_cells[work->first_line_item];
  const int64_t ids = work->item_ids[work->n_items] - work->item_ids[work->first_line_item] +
                      work->edge_first[i] + 2 * i;
  const int n = work->edge_steps[i];
  tsr_edge edge;
  tsr_slot_edge(work, slot, &edge);
  if (filler->offsets[1])
    filler->offsets[1][before + i] = ids;
  for (int k = 1; filler->ids[1] && k < n; ++k)
    filler->ids[1][ids + k] = filler->first_edge_point + work->edge_first[i] + k - 1;
  if (filler->ids[1]) {
    filler->ids[1][ids] = work->corners[edge.id[0]];
    filler->ids[1][ids + n] = work->corners[edge.id[edge.degree]];
  }
  tsr_write_cell_arrays(
      filler, tsr_item_cell(work->items[work->slot_item[slot]]), lines + i,
      filler->achieved ? tsr_edge_achieved(work, &edge, n) + work->criteria.rounding : 0.0);
}

/** Writes n cells of item i from number `first` on, and their arrays. */
TSR_FN void tsr_write_cells(const tsr_cells_filler *filler, int64_t i, int64_t first, int64_t n) {
  const tsr_cells_work *work = &filler->work;
  const int kind = i < work->first_line_item ? 0 : (i < work->first_face_item ? 1 : 2);
  const int64_t first_item =
      kind == 0 ? 0 : (kind == 1 ? work->first_line_item : work->first_face_item);
  const int64_t cells = work->item_cells[i];
  const int64_t ids = work->item_ids[i] - work->item_ids[first_item];
  const int64_t cell = tsr_item_cell(work->items[i]);
  const double achieved = filler->achieved ? tsr_item_achieved(work, i) : 0.0;
  for (int64_t k = first; k < first + n; ++k) {
    if (filler->offsets[kind]) /* an item with several cells has triangles alone */
      filler->offsets[kind][cells - work->item_cells[first_item] + k] = ids + 3 * k;
    tsr_write_cell_arrays(filler, cell, cells + k, achieved);
  }
  if (filler->ids[kind])
    tsr_write_item(filler, i, first, n, filler->ids[kind] + ids);
}

/** The cells of items, and their arrays. */
TSR_CELLS_SHARED_STEP(tsr_cells_fill_item, tsr_write_cells, item_cells, n_items)

#endif
