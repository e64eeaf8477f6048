/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The tetrahedra of a solid. Its parameter domain is convex, so that each point of the rim sees the
 * middle: copies of the rim, shrunk towards the middle in m equal steps, are shells. Between two
 * shells each triangle of the rim is a prism, and the last shell is joined with the middle.
 *
 *     rim      x-------y------z      A prism is cut into x y z x', y z x' y' and z x' y' z', where
 *     shell 1    x'----y'---z'       x, y, z are the triangle's points in the order of their
 *     middle          o              numbers. So the two prisms at an edge cut their common side by
 *                                    the same diagonal (Dompierre et al., How to subdivide
 * pyramids, prisms and hexahedra into tetrahedra, 1999).
 *
 * The triangles of the rim alone decide, whatever they are. A tetrahedron whose faces are one
 * triangle each stays one if the criteria allow it.
 */
#ifndef TSR_CELLS_VOLUMES_SOLID_SHELL_MATH_H
#define TSR_CELLS_VOLUMES_SOLID_SHELL_MATH_H

#include "cells/volumes/solid_rim_math.h"

/** Sorts the points of a triangle by their numbers. Returns 1 if that turns its front round. */
TSR_FN int tsr_sort_triangle(const int64_t *triangle, int64_t to[3]) {
  int odd = 0;
  for (int k = 0; k < 3; ++k) {
    int at = k;
    for (; at > 0 && to[at - 1] > triangle[k]; --at) {
      to[at] = to[at - 1];
      odd = !odd;
    }
    to[at] = triangle[k];
  }
  return odd;
}

/** A triangle of a rim with what the second derivatives along its edges and to the middle are, for
 *  one choice of bends. */
typedef struct tsr_wall {
  tsr_shape shape;
  const double *bends;
  double side[3][3]; /**< vectors from point 0 to 1, 0 to 2, 1 to 2 */
  double down[3][3]; /**< from the middle to each point */
} tsr_wall;

/** The wall of a triangle whose points are sorted; place: of the rim's points. */
TSR_FN void tsr_wall_open(tsr_shape shape, const double *bends, const double *place,
                          const int64_t triangle[3], tsr_wall *to) {
  static const int from[3] = {0, 0, 1}, end[3] = {1, 2, 2};
  double middle[3];
  to->shape = shape;
  to->bends = bends;
  tsr_solid_middle(shape, middle);
  for (int k = 0; k < 3; ++k)
    for (int c = 0; c < 3; ++c) {
      to->side[k][c] = place[3 * triangle[end[k]] + c] - place[3 * triangle[from[k]] + c];
      to->down[k][c] = place[3 * triangle[k] + c] - middle[c];
    }
}

TSR_FN double tsr_wall_bend(const tsr_wall *it, const double e[3]) {
  return tsr_solid_bend_twice(it->shape, it->bends, e);
}

/** Bound of the second derivative from a point of a shell to point `low` of the next one. The
 * vector is t times the side plus a step down, with t from 0 to 1; its coordinates are linear in t,
 * so that the derivative at both ends and the one along both vectors bound all of them. */
TSR_FN double tsr_wall_diagonal(const tsr_wall *it, int side, int low, double step) {
  double e[2][3], most, bend;
  for (int c = 0; c < 3; ++c) {
    e[0][c] = step * it->down[low][c];
    e[1][c] = it->side[side][c] + e[0][c];
  }
  most = tsr_wall_bend(it, e[0]);
  bend = tsr_wall_bend(it, e[1]);
  most = bend > most ? bend : most;
  bend = tsr_solid_bend_along(it->shape, it->bends, e[0], e[1]);
  return bend > most ? bend : most;
}

/** Bound of the error in all tetrahedra behind a triangle, with m shells, the rim counted. */
TSR_FN double tsr_wall_error(const tsr_wall *it, int m) {
  const double step = 1.0 / (double)m;
  double l[3], r[3], d[3], most, error;
  for (int k = 0; k < 3; ++k) {
    l[k] = tsr_wall_bend(it, it->side[k]);
    r[k] = step * step * tsr_wall_bend(it, it->down[k]);
    d[k] = m == 1 ? 0.0 : tsr_wall_diagonal(it, k, k / 2, step);
  }
  const double last[6] = {step * step * l[0], r[2], step * step * l[1], r[1], r[0],
                          step * step * l[2]};
  const double cut[3][6] = {{l[0], d[1], l[1], d[0], r[0], l[2]},
                            {l[2], l[0], d[0], d[2], r[1], d[1]},
                            {d[1], l[2], d[2], l[1], r[2], l[0]}};
  most = tsr_tetra_error(last);
  for (int k = 0; m > 1 && k < 3; ++k) {
    error = tsr_tetra_error(cut[k]);
    most = error > most ? error : most;
  }
  return most;
}

/** Bound of the error behind triangle t of all rims, which is one of solid i. */
TSR_FN double tsr_behind_triangle(const tsr_solids *it, int64_t i, int64_t t, tsr_shape shape,
                                  const double *bends, int m) {
  int64_t sorted[3];
  tsr_wall wall;
  tsr_sort_triangle(it->triangle + 3 * t, sorted);
  tsr_wall_open(shape, bends, it->place + 3 * it->rim_points[i], sorted, &wall);
  return tsr_wall_error(&wall, m);
}

/** Bound of the error in a tetrahedron that stays one. */
TSR_FN double tsr_whole_error(const double *bends) {
  const double whole[6] = {bends[0], bends[5], bends[1], bends[4], bends[2], bends[3]};
  return tsr_tetra_error(whole);
}

/** Bound of the error inside solid i, which is curved, with m shells; 0: as one tetrahedron. bends:
 *  of the criterion that is measured. */
TSR_FN double tsr_solid_error(const tsr_cells_work *work, int64_t i, const double *bends, int m) {
  const tsr_solids *it = &work->solids;
  double most = 0.0;
  tsr_cell cell;
  if (m == 0)
    return tsr_whole_error(bends);
  tsr_good_cell_at(&work->view, it->cell[i], &cell);
  for (int64_t t = it->rim_triangles[i]; t < it->rim_triangles[i + 1]; ++t) {
    const double error = tsr_behind_triangle(it, i, t, cell.shape, bends, m);
    most = error > most ? error : most;
  }
  return most;
}

/** Finds how many shells solid i gets: the fewest that fulfil the criteria; beyond eight, at most a
 *  quarter more. *limit: set to 1 if as many as are allowed do not. */
TSR_FN int tsr_solid_shells(const tsr_cells_work *work, int64_t i, uint8_t *limit) {
  const tsr_solids *it = &work->solids;
  const double *bends = it->bends + TSR_SOLID_KINDS * it->cell[i];
  const int64_t first = it->rim_triangles[i], end = it->rim_triangles[i + 1];
  int m = 1;
  tsr_cell cell;
  if (end - first == 4 && !(tsr_whole_error(bends) > TSR_FULFILLED)) /* 4: a tetrahedron's */
    return 0;
  tsr_good_cell_at(&work->view, it->cell[i], &cell);
  /* Once round the triangles without one that asks for more shells, from the last that did. */
  for (int64_t t = first, left = end - first; left > 0; --left) {
    while (tsr_behind_triangle(it, i, t, cell.shape, bends, m) > TSR_FULFILLED) {
      if (m == work->criteria.most) {
        *limit = 1;
        return m;
      }
      m += m < 8 ? 1 : m / 4;
      m = m > work->criteria.most ? work->criteria.most : m;
      left = end - first;
    }
    t = t + 1 == end ? first : t + 1;
  }
  return m;
}

/** Decides how solid i is filled, and counts what it makes. */
TSR_FN void tsr_solid_divide(const tsr_cells_work *work, int64_t i) {
  const tsr_solids *it = &work->solids;
  const int64_t points = it->rim_points[i + 1] - it->rim_points[i];
  const int64_t triangles = it->rim_triangles[i + 1] - it->rim_triangles[i];
  int m = 0;
  it->limit[i] = 0;
  if (triangles > 0)
    m = tsr_solid_shells(work, i, &it->limit[i]);
  it->shells[i] = m;
  it->inside[i] = m > 0 ? (m - 1) * points + 1 : 0;
  it->cells[i] = m > 0 ? triangles * (3 * (int64_t)(m - 1) + 1) : 1;
  it->ids[i] = 4 * it->cells[i];
  if (triangles == 0) {
    tsr_cell cell;
    tsr_good_cell_at(&work->view, it->cell[i], &cell);
    it->ids[i] = cell.curved ? 4 : cell.n;
  }
}

/** Marks the points of solid i, if it is linear. Cells that share a point write the same number. */
TSR_FN void tsr_solid_mark(const tsr_cells_work *work, int64_t i) {
  tsr_cell cell;
  tsr_good_cell_at(&work->view, work->solids.cell[i], &cell);
  for (int64_t k = 0; !cell.curved && k < cell.n; ++k)
    tsr_work_mark(work, tsr_cell_id(&work->view, &cell, k));
}

/** Solids that do not fulfil the criteria, by their cells. */
TSR_FN tsr_note_count tsr_solid_sum_none(void) {
  const tsr_note_count none = {0, -1};
  return none;
}
TSR_FN void tsr_solid_sum_join(tsr_note_count *all, const tsr_note_count *part) {
  tsr_note_join(all, *part);
}
TSR_FN void tsr_solid_sum(const tsr_cells_work *work, int64_t i, tsr_note_count *facts) {
  if (work->solids.limit[i])
    tsr_note_item(facts, 1, work->solids.cell[i]);
}

#endif
