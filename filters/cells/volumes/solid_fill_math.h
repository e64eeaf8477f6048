/* SPDX-License-Identifier: BSD-3-Clause */
/** The points inside solids, and the cells of the output that solids become. */
#ifndef TSR_CELLS_VOLUMES_SOLID_FILL_MATH_H
#define TSR_CELLS_VOLUMES_SOLID_FILL_MATH_H

#include "cells/volumes/solid_shell_math.h"

/** VTK's number of the tetrahedron. */
#define TSR_VTK_TETRA 10

/** Number of the first output point inside a solid. */
TSR_FN int64_t tsr_first_solid_point(const tsr_cells_filler *filler) {
  return filler->first_face_point + filler->work.item_points[filler->work.n_items];
}

/** Makes the points inside solid i: shell by shell, then the middle. */
TSR_FN void tsr_cells_fill_solid_points(const tsr_cells_filler *filler, int64_t i) {
  const tsr_cells_work *work = &filler->work;
  const tsr_solids *it = &work->solids;
  const int m = it->shells[i];
  int64_t to = tsr_first_solid_point(filler) + it->inside[i];
  double w[TSR_SOLID_NODES], middle[3], x[3];
  tsr_solid solid;
  tsr_cell cell;
  if (m == 0)
    return;
  tsr_good_cell_at(&work->view, it->cell[i], &cell);
  tsr_solid_of(&work->view, &cell, &solid);
  tsr_solid_middle(cell.shape, middle);
  for (int shell = 1; shell < m; ++shell) {
    const double r = (double)(m - shell) / (double)m;
    for (int64_t p = it->rim_points[i]; p < it->rim_points[i + 1]; ++p) {
      for (int c = 0; c < 3; ++c)
        x[c] = middle[c] + r * (it->place[3 * p + c] - middle[c]);
      tsr_solid_weights(&work->view, &solid, x, w);
      tsr_make_point(filler, to++, solid.n, solid.id, w);
    }
  }
  tsr_solid_weights(&work->view, &solid, middle, w);
  tsr_make_point(filler, to, solid.n, solid.id, w);
}

/** A solid whose tetrahedra are written. */
typedef struct tsr_solid_writer {
  const int64_t *point; /**< of the output, of each point of the rim */
  int64_t points;       /**< of the rim */
  int64_t inside;       /**< first point of the output inside */
  int64_t *to;          /**< where the next tetrahedron goes */
} tsr_solid_writer;

/** Point of the output of point p of a shell; shell 0 is the rim. */
TSR_FN int64_t tsr_shell_point(const tsr_solid_writer *it, int shell, int64_t p) {
  return shell == 0 ? it->point[p] : it->inside + (shell - 1) * it->points + p;
}

/** Writes a tetrahedron; odd: its last points change places. */
TSR_FN void tsr_write_tetra(tsr_solid_writer *it, int odd, int64_t a, int64_t b, int64_t c,
                            int64_t d) {
  it->to[0] = a;
  it->to[1] = b;
  it->to[2] = odd ? d : c;
  it->to[3] = odd ? c : d;
  it->to += 4;
}

/** Writes the tetrahedra behind a triangle of the rim, from the rim to the middle. */
TSR_FN void tsr_write_wall(tsr_solid_writer *it, const int64_t *triangle, int m) {
  int64_t sorted[3];
  const int odd = tsr_sort_triangle(triangle, sorted);
  int64_t upper[3], lower[3];
  for (int k = 0; k < 3; ++k)
    upper[k] = tsr_shell_point(it, 0, sorted[k]);
  for (int shell = 1; shell < m; ++shell) {
    for (int k = 0; k < 3; ++k)
      lower[k] = tsr_shell_point(it, shell, sorted[k]);
    tsr_write_tetra(it, odd, upper[0], upper[2], upper[1], lower[0]);
    tsr_write_tetra(it, odd, upper[1], lower[0], upper[2], lower[1]);
    tsr_write_tetra(it, odd, upper[2], lower[1], lower[0], lower[2]);
    for (int k = 0; k < 3; ++k)
      upper[k] = lower[k];
  }
  tsr_write_tetra(it, odd, upper[0], upper[2], upper[1], tsr_shell_point(it, m, 0));
}

/** Writes the points of solid i's cells. */
TSR_FN void tsr_write_solid(const tsr_cells_filler *filler, int64_t i, int64_t *to) {
  const tsr_cells_work *work = &filler->work;
  const tsr_solids *it = &work->solids;
  tsr_solid_writer writer;
  tsr_cell cell;
  if (it->shells[i] == 0) {
    tsr_good_cell_at(&work->view, it->cell[i], &cell);
    for (int64_t k = 0; k < it->ids[i + 1] - it->ids[i]; ++k)
      to[k] = tsr_corner_point(work, &cell, k);
    return;
  }
  writer.point = it->point + it->rim_points[i];
  writer.points = it->rim_points[i + 1] - it->rim_points[i];
  writer.inside = tsr_first_solid_point(filler) + it->inside[i];
  writer.to = to;
  for (int64_t t = it->rim_triangles[i]; t < it->rim_triangles[i + 1]; ++t)
    tsr_write_wall(&writer, it->triangle + 3 * t, it->shells[i]);
}

/** Bound of the distance between the tetrahedra of solid i and their parts of it. */
TSR_FN double tsr_solid_achieved(const tsr_cells_work *work, int64_t i) {
  const tsr_cells_criteria criteria = tsr_plain_lengths(work);
  double bends[TSR_SOLID_KINDS];
  tsr_cell cell;
  tsr_good_cell_at(&work->view, work->solids.cell[i], &cell);
  if (!cell.curved)
    return 0.0;
  tsr_cell_bends(&work->view, &criteria, &cell, bends);
  return tsr_solid_error(work, i, bends, work->solids.shells[i]) + work->criteria.rounding;
}

/** Writes the cells of solid i, and their arrays. */
TSR_FN void tsr_cells_fill_solid(const tsr_cells_filler *filler, int64_t i) {
  const tsr_cells_work *work = &filler->work;
  const tsr_solids *it = &work->solids;
  const int64_t cells = it->cells[i], n = it->cells[i + 1] - cells, ids = it->ids[i];
  const int64_t before = work->item_cells[work->n_items];
  const double achieved = filler->achieved ? tsr_solid_achieved(work, i) : 0.0;
  uint8_t type = (uint8_t)TSR_VTK_TETRA;
  if (filler->solid_types && it->rim_triangles[i + 1] == it->rim_triangles[i]) {
    tsr_cell cell;
    tsr_good_cell_at(&work->view, it->cell[i], &cell);
    type = cell.curved ? type : (uint8_t)cell.type;
  }
  for (int64_t k = 0; k < n; ++k) {
    if (filler->solid_offsets)
      filler->solid_offsets[cells + k] = ids + 4 * k;
    if (filler->solid_types)
      filler->solid_types[cells + k] = type;
    tsr_write_cell_arrays(filler, it->cell[i], before + cells + k, achieved);
  }
  if (filler->solid_ids)
    tsr_write_solid(filler, i, filler->solid_ids + ids);
}

#endif
