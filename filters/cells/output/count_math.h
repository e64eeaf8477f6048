/* SPDX-License-Identifier: BSD-3-Clause */
/** How each item is divided, and how much of the output it makes. */
#ifndef TSR_CELLS_OUTPUT_COUNT_MATH_H
#define TSR_CELLS_OUTPUT_COUNT_MATH_H

#include "cells/outside/edges_math.h"

/** Steps of the sides of curved item i. */
TSR_FN void tsr_item_steps(const tsr_cells_work *work, int64_t i, int steps[4]) {
  const int64_t first = work->sides[i];
  for (int s = 0; s < 4; ++s)
    steps[s] = first + s < work->sides[i + 1] ? work->edge_steps[tsr_slot_number(work, first + s)]
                                              : s < tsr_plain_corners(work, i);
}

/** Sets plain face i to one triangle or two, as tsr_divide_face() would. */
TSR_FN void tsr_divide_plain(const tsr_cells_work *work, int64_t i) {
  tsr_divided *to = &work->divided[i];
  to->nu = to->nv = 1;
  for (int s = 0; s < 4; ++s)
    to->tries[s] = 0;
  to->strips = to->loose = to->limit = to->turned = to->uneven = 0;
  work->item_points[i] = 0;
  work->item_cells[i] =
      work->plain[i] & TSR_PLAIN_SOLID ? 0 : (int64_t)(tsr_plain_corners(work, i) - 2);
  work->item_ids[i] = 3 * work->item_cells[i];
}

/** Divides curved face i, and sets what it makes. */
TSR_FN void tsr_divide_face(const tsr_cells_work *work, int64_t i, const tsr_cell *cell) {
  const tsr_products *known = NULL;
  tsr_divided *to = &work->divided[i];
  tsr_shape_asked asked;
  tsr_division division;
  tsr_products products;
  tsr_patch patch;
  tsr_bends bends;
  int steps[4];
  tsr_item_steps(work, i, steps);
  tsr_patch_of(&work->view, cell, tsr_item_face(work->items[i]), &patch);
  tsr_patch_bends(&work->view, &work->criteria, &patch, &bends);
  if (tsr_is_solid(work, cell))
    tsr_solids_raise(work, i, &bends);
  to->uneven = (uint8_t)tsr_shape_ask(&work->view, &work->criteria, &patch, &asked);
  if (!tsr_is_solid(work, cell) && !tsr_is_plain(&bends, steps)) {
    tsr_patch_products(&work->view, &work->criteria, &patch, &products);
    tsr_bends_lower(&bends, &products);
    known = &products;
  }
  if (patch.sides == 3)
    tsr_triangle_divide(&bends, known, &asked, work->criteria.most, steps, to);
  else
    tsr_quad_divide(&bends, known, &asked, work->criteria.most, steps, to);
  tsr_division_open(&division, patch.sides, steps, to);
  work->item_points[i] = tsr_division_points(&division);
  work->item_cells[i] = tsr_division_triangles(&division);
  work->item_ids[i] = 3 * work->item_cells[i];
  if (tsr_is_solid(work, cell)) /* drawn by its tetrahedra */
    work->item_cells[i] = work->item_ids[i] = 0;
}

/** Decides how item i is divided, and counts what it makes. */
TSR_FN void tsr_cells_divide(const tsr_cells_work *work, int64_t i) {
  tsr_cell cell;
  if (work->plain[i]) {
    tsr_divide_plain(work, i);
    return;
  }
  tsr_work_cell(work, work->items[i], &cell);
  if (tsr_is_solid(work, &cell) && tsr_leading_item(work, i) != i) {
    work->item_points[i] = work->item_cells[i] = work->item_ids[i] = 0;
    return;
  }
  if (!work->curves && cell.curved && cell.shape != TSR_SHAPE_CURVE) {
    tsr_divide_face(work, i, &cell);
    return;
  }
  work->item_points[i] = 0;
  work->item_cells[i] = 1;
  if (work->curves && cell.shape > TSR_SHAPE_POLYLINE) { /* drawn by its edges */
    work->item_cells[i] = work->item_ids[i] = 0;
    return;
  }
  if (cell.shape == TSR_SHAPE_STRIP) {
    work->item_cells[i] = cell.n - 2;
    work->item_ids[i] = 3 * (cell.n - 2);
  } else if (cell.shape == TSR_SHAPE_CURVE) {
    work->item_ids[i] = work->edge_steps[tsr_slot_number(work, work->sides[i])] + 1;
  } else {
    work->item_ids[i] = cell.shape < TSR_SHAPE_TETRA
                            ? cell.n
                            : tsr_face_corners(&cell, tsr_item_face(work->items[i]));
  }
}

/** What the divided items amount to. */
typedef struct tsr_divided_facts {
  tsr_note_count limit; /**< items that do not fulfil the criteria, by their cells */
  tsr_note_count angle; /**< faces whose angles of normals are not guaranteed */
  int64_t faces;        /**< curved faces, but for those of solids that stay one tetrahedron */
} tsr_divided_facts;

TSR_FN tsr_divided_facts tsr_cells_sum_none(void) {
  const tsr_divided_facts none = {{0, -1}, {0, -1}, 0};
  return none;
}

TSR_FN void tsr_cells_sum_join(tsr_divided_facts *all, const tsr_divided_facts *part) {
  tsr_note_join(&all->limit, part->limit);
  tsr_note_join(&all->angle, part->angle);
  all->faces += part->faces;
}

/** 1 if the edge of a slot does not fulfil the criteria. */
TSR_FN int tsr_slot_is_limited(const tsr_cells_work *work, int64_t slot) {
  const int steps = work->edge_steps[tsr_slot_number(work, slot)];
  tsr_bends bends;
  tsr_edge edge;
  if (steps < work->criteria.most)
    return 0;
  tsr_slot_edge(work, slot, &edge);
  tsr_edge_bends(&work->view, &work->criteria, &edge, &bends);
  return tsr_edge_error(&bends, steps) > TSR_FULFILLED ||
         tsr_edge_length(&work->view, &work->criteria, &edge) > (double)steps * TSR_FULFILLED;
}

/** 1 if item i, which is curved, does not fulfil the criteria. */
TSR_FN int tsr_item_is_limited(const tsr_cells_work *work, int64_t i, const tsr_cell *cell) {
  if (!work->curves && cell->shape != TSR_SHAPE_CURVE)
    return work->divided[i].limit;
  for (int64_t slot = work->sides[i]; slot < work->sides[i + 1]; ++slot)
    if (tsr_slot_is_limited(work, slot))
      return 1;
  return 0;
}

/** Adds item i. */
TSR_FN void tsr_cells_sum(const tsr_cells_work *work, int64_t i, tsr_divided_facts *facts) {
  const int64_t item = work->items[i];
  tsr_cell cell;
  if (work->plain[i]) {
    facts->faces += !(work->plain[i] & TSR_PLAIN_SOLID);
    return;
  }
  tsr_work_cell(work, item, &cell);
  if (!cell.curved || (tsr_is_solid(work, &cell) && tsr_leading_item(work, i) != i))
    return;
  facts->faces += cell.shape != TSR_SHAPE_CURVE;
  if (tsr_item_is_limited(work, i, &cell))
    tsr_note_item(&facts->limit, 1, tsr_item_cell(item));
  if (!work->curves && cell.shape != TSR_SHAPE_CURVE && work->divided[i].uneven)
    tsr_note_item(&facts->angle, 1, tsr_item_cell(item));
}

#endif
