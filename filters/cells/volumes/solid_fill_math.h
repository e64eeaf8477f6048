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

/** Makes n of the points inside solid i, from number `first` on: they come shell by shell, then
 *  the middle. */
TSR_FN void tsr_make_solid_points(const tsr_cells_filler *filler, int64_t i, int64_t first,
                                  int64_t n) {
  const tsr_cells_work *work = &filler->work;
  const tsr_solids *it = &work->solids;
  const int64_t rim = it->rim_points[i], points = it->rim_points[i + 1] - rim;
  const int64_t to = tsr_first_solid_point(filler) + it->inside[i];
  const int m = it->shells[i];
  int shell = 1 + (int)(first / points);
  int64_t p = first % points; /* of the rim */
  double w[TSR_SOLID_NODES], middle[3], x[3];
  tsr_solid solid;
  tsr_cell cell;
  tsr_good_cell_at(&work->view, it->cell[i], &cell);
  tsr_solid_of(&work->view, &cell, &solid);
  tsr_solid_middle(cell.shape, middle);
  for (int64_t k = first; k < first + n; ++k) {
    const double r = (double)(m - shell) / (double)m;
    const double *place = it->place + 3 * (rim + p);
    for (int c = 0; c < 3; ++c)
      x[c] = shell < m ? middle[c] + r * (place[c] - middle[c]) : middle[c];
    tsr_solid_weights(&work->view, &solid, x, w);
    tsr_make_point(filler, to + k, solid.n, solid.id, w);
    if (++p == points) {
      p = 0;
      ++shell;
    }
  }
}

/** The points inside solids. */
TSR_CELLS_SHARED_STEP(tsr_cells_fill_solid_points, tsr_make_solid_points, solids.inside, solids.n)

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

/** Writes what belongs to n cells of solid i, of this type, from number `first` on: all but the
 *  ids of their points. */
TSR_FN void tsr_write_solid_cells(const tsr_cells_filler *filler, int64_t i, uint8_t type,
                                  int64_t first, int64_t n) {
  const tsr_solids *it = &filler->work.solids;
  const int64_t before = filler->work.item_cells[filler->work.n_items];
  const double achieved = filler->achieved ? tsr_solid_achieved(&filler->work, i) : 0.0;
  for (int64_t k = first; k < first + n; ++k) {
    if (filler->solid_offsets)
      filler->solid_offsets[it->cells[i] + k] = it->ids[i] + 4 * k;
    if (filler->solid_types)
      filler->solid_types[it->cells[i] + k] = type;
    tsr_write_cell_arrays(filler, it->cell[i], before + it->cells[i] + k, achieved);
  }
}

/** Writes solid i, and its arrays, where it stays one cell. */
TSR_FN void tsr_cells_fill_solid(const tsr_cells_filler *filler, int64_t i) {
  const tsr_cells_work *work = &filler->work;
  const tsr_solids *it = &work->solids;
  const int64_t ids = it->ids[i];
  tsr_cell cell;
  if (it->shells[i] > 0)
    return;
  tsr_good_cell_at(&work->view, it->cell[i], &cell);
  tsr_write_solid_cells(filler, i, cell.curved ? (uint8_t)TSR_VTK_TETRA : (uint8_t)cell.type, 0, 1);
  for (int64_t k = 0; filler->solid_ids && k < it->ids[i + 1] - ids; ++k)
    filler->solid_ids[ids + k] = tsr_corner_point(work, &cell, k);
}

/** Writes the tetrahedra behind n triangles of the rim of solid i, from number `first` on, and
 *  their arrays, where it does not stay one cell. */
TSR_FN void tsr_write_walls(const tsr_cells_filler *filler, int64_t i, int64_t first, int64_t n) {
  const tsr_solids *it = &filler->work.solids;
  const int m = it->shells[i];
  const int64_t behind = 3 * (int64_t)(m - 1) + 1; /* tetrahedra of a triangle */
  const int64_t *triangle = it->triangle + 3 * (it->rim_triangles[i] + first);
  tsr_solid_writer writer;
  if (m == 0)
    return;
  tsr_write_solid_cells(filler, i, (uint8_t)TSR_VTK_TETRA, first * behind, n * behind);
  if (!filler->solid_ids)
    return;
  writer.point = it->point + it->rim_points[i];
  writer.points = it->rim_points[i + 1] - it->rim_points[i];
  writer.inside = tsr_first_solid_point(filler) + it->inside[i];
  writer.to = filler->solid_ids + it->ids[i] + 4 * first * behind;
  for (int64_t t = 0; t < n; ++t)
    tsr_write_wall(&writer, triangle + 3 * t, m);
}

/** The tetrahedra behind the triangles of rims, and their arrays. */
TSR_CELLS_SHARED_STEP(tsr_cells_fill_walls, tsr_write_walls, solids.rim_triangles, solids.n)

#endif
