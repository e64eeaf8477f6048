/* SPDX-License-Identifier: BSD-3-Clause */
/** How far the triangles of a face, or the line of a curve, are from the surface at most. */
#ifndef TSR_CELLS_OUTPUT_ACHIEVED_MATH_H
#define TSR_CELLS_OUTPUT_ACHIEVED_MATH_H

#include "cells/output/point_math.h"

/** Criteria that measure lengths as they are, with a chord error of 1. */
TSR_FN tsr_cells_criteria tsr_plain_lengths(const tsr_cells_work *work) {
  tsr_cells_criteria to = work->criteria;
  to.over_chord = 1.0;
  to.n_fields = 0;
  return to;
}

/** Bound of the error in the grid of a divided face. */
TSR_FN double tsr_grid_achieved(const tsr_bends *bends, const tsr_products *products,
                                const tsr_divided *divided) {
  const double h = 1.0 / (double)divided->nu;
  const double most[3] = {bends->most[0][0], bends->most[1][0], bends->most[2][0]};
  return bends->sides == 3 ? tsr_triangle_error(most) * (h * h)
                           : tsr_quad_error(products, divided->turned, divided->nu, divided->nv);
}

/** Bound of the error of a curved face. */
TSR_FN double tsr_face_achieved(const tsr_cells_work *work, int64_t i, const tsr_cell *cell) {
  const tsr_cells_criteria criteria = tsr_plain_lengths(work);
  const tsr_divided *divided = &work->divided[i];
  tsr_division division;
  tsr_products products;
  tsr_bends bends;
  tsr_patch patch;
  double most;
  tsr_patch_of(&work->view, cell, tsr_item_face(work->items[i]), &patch);
  tsr_patch_bends(&work->view, &criteria, &patch, &bends);
  tsr_item_division(work, i, patch.sides, &division);
  if (patch.sides == 4 || divided->strips) {
    tsr_patch_products(&work->view, &criteria, &patch, &products);
    tsr_bends_lower(&bends, &products);
  }
  most = tsr_grid_achieved(&bends, &products, divided);
  for (int s = 0; s < patch.sides; ++s) {
    tsr_strip strip;
    tsr_strip_bases bases;
    double error;
    if (!division.strip[s])
      continue;
    tsr_division_strip(&division, s, &strip);
    tsr_strip_walk(&strip, &bases);
    error = tsr_strip_error(&bends, &products, s, &bases, division.depth[s]);
    most = error > most ? error : most;
  }
  return most;
}

/** Bound of the error of the line of a curve or an edge, in so many steps. */
TSR_FN double tsr_edge_achieved(const tsr_cells_work *work, const tsr_edge *edge, int steps) {
  const tsr_cells_criteria criteria = tsr_plain_lengths(work);
  tsr_bends bends;
  tsr_edge_bends(&work->view, &criteria, edge, &bends);
  return tsr_edge_error(&bends, steps);
}

/** Bound of the error of the cells of item i, as they are stored. */
TSR_FN double tsr_item_achieved(const tsr_cells_work *work, int64_t i) {
  tsr_cell cell;
  tsr_edge edge;
  tsr_work_cell(work, work->items[i], &cell);
  if (!cell.curved)
    return 0.0;
  if (cell.shape != TSR_SHAPE_CURVE)
    return tsr_face_achieved(work, i, &cell) + work->criteria.rounding;
  tsr_slot_edge(work, work->sides[i], &edge);
  return tsr_edge_achieved(work, &edge, work->edge_steps[tsr_slot_number(work, work->sides[i])]) +
         work->criteria.rounding;
}

#endif
