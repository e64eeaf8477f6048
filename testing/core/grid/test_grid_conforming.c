/* SPDX-License-Identifier: BSD-3-Clause */
/** Conforming grids: cells meet in whole faces, fill the box, none is turned inside out, and the
 *  interpolation error holds in them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "executor.h"
#include "grid_case.h"

/** Points of a cell, in the order of VTK's hexahedron, tetrahedron, pyramid (2D: quad, triangle).
 */
typedef struct cell {
  int n, dimension;
  int64_t id[8];
  double x[8][3], value[8];
} cell;

static cell cell_of(const grid_out *out, int64_t c) {
  cell it = {.n = (int)(out->offsets[c + 1] - out->offsets[c]), .dimension = out->sizes.dimension};
  for (int k = 0; k < it.n; k++) {
    const int whole = out->cell_type[c] == TSR_GRID_CELL_LEAF;
    it.id[k] = out->connectivity[out->offsets[c] + (whole && k & 2 ? k ^ 1 : k)];
    memcpy(it.x[k], out->points + 3 * it.id[k], sizeof it.x[k]);
    it.value[k] = out->point_values[it.id[k]];
  }
  return it;
}

/** Faces of a cell (2D: sides), by the places of their points; -1: none. Returns how many. */
static int faces_of(const cell *it, int face[6][4]) {
  static const int hexahedron[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                       {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
  static const int tetrahedron[4][4] = {{0, 2, 1, -1}, {0, 1, 3, -1}, {1, 2, 3, -1}, {2, 0, 3, -1}};
  static const int pyramid[5][4] = {
      {0, 3, 2, 1}, {0, 1, 4, -1}, {1, 2, 4, -1}, {2, 3, 4, -1}, {3, 0, 4, -1}};
  if (it->dimension == 2) {
    for (int k = 0; k < it->n; k++) {
      const int side[4] = {k, (k + 1) % it->n, -1, -1};
      memcpy(face[k], side, sizeof side);
    }
    return it->n;
  }
  const int n = it->n == 8 ? 6 : it->n;
  memcpy(face,
         it->n == 8   ? hexahedron
         : it->n == 5 ? pyramid
                      : tetrahedron,
         (size_t)n * sizeof face[0]);
  return n;
}

/** Volume of the tetrahedron (2D: area of the triangle) of four points (three). */
static double simplex(const cell *it, int a, int b, int c, int d) {
  double e[3][3];
  const int ends[3] = {b, c, d};
  for (int k = 0; k < 3; k++) {
    for (int m = 0; m < 3; m++) {
      e[k][m] = k < it->dimension ? it->x[ends[k]][m] - it->x[a][m] : (double)(m == 2);
    }
  }
  return (e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) -
          e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
          e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0])) /
         (it->dimension == 3 ? 6.0 : 2.0);
}

/** The volume; the Jacobian at every corner is checked to be positive. */
static double volume_of(const cell *it) {
  double volume;
  if (it->n == 8 || (it->n == 4 && it->dimension == 2)) {
    volume = simplex(it, 0, 1, 3, it->n == 8 ? 4 : 0) * (it->n == 8 ? 6.0 : 2.0);
  } else if (it->n == 5) {
    volume = 0.5 * (simplex(it, 0, 1, 2, 4) + simplex(it, 0, 2, 3, 4) + simplex(it, 0, 1, 3, 4) +
                    simplex(it, 1, 2, 3, 4));
    for (int k = 0; k < 4; k++) {
      CHECK(simplex(it, k, (k + 1) % 4, (k + 3) % 4, 4) > 0.0);
    }
  } else {
    volume = simplex(it, 0, 1, 2, it->dimension == 3 ? 3 : 0);
  }
  CHECK(volume > 0.0);
  return volume;
}

/** A face with its points in order of their numbers. */
typedef struct face {
  int64_t id[4], cell;
  double x[4][3];
  int n;
} face;

static int by_ids(const void *a, const void *b) {
  const face *p = a, *q = b;
  for (int k = 0; k < 4; k++) {
    if (p->id[k] != q->id[k]) {
      return p->id[k] < q->id[k] ? -1 : 1;
    }
  }
  return 0;
}

static int by_place(const void *a, const void *b) {
  const double *p = a, *q = b;
  for (int k = 0; k < 3; k++) {
    if (p[k] != q[k]) {
      return p[k] < q[k] ? -1 : 1;
    }
  }
  return 0;
}

static face face_of(const cell *it, const int places[4], int64_t number) {
  face f = {.cell = number};
  for (int k = 0; k < 4; k++) {
    f.id[k] = -1;
    if (places[k] >= 0) {
      int at = f.n++;
      for (; at > 0 && f.id[at - 1] > it->id[places[k]]; at--) {
        f.id[at] = f.id[at - 1];
      }
      f.id[at] = it->id[places[k]];
      memcpy(f.x[f.n - 1], it->x[places[k]], sizeof f.x[0]);
    }
  }
  return f;
}

/** 1 if the face lies in a side of the box. */
static int is_outer(const face *f, const int64_t cells[3]) {
  for (int a = 0; a < 3; a++) {
    for (int s = 0; s < 2 && cells[a] > 0; s++) {
      int all = 1;
      for (int k = 0; k < f->n; k++) {
        all = all && f->x[k][a] == (s ? (double)cells[a] : 0.0);
      }
      if (all) {
        return 1;
      }
    }
  }
  return 0;
}

/** Inner faces belong to two cells, outer ones to one; next to hidden cells others do, too. */
static void check_faces(const grid_case *grid, const grid_out *out) {
  face *faces = malloc((size_t)out->sizes.cells * 6 * sizeof *faces);
  int64_t n = 0, wrong = 0;
  for (int64_t c = 0; c < out->sizes.cells; c++) {
    const cell it = cell_of(out, c);
    int places[6][4];
    const int count = faces_of(&it, places);
    for (int k = 0; k < count; k++) {
      faces[n++] = face_of(&it, places[k], c);
    }
  }
  qsort(faces, (size_t)n, sizeof *faces, by_ids);
  for (int64_t k = 0, end; k < n; k = end) {
    for (end = k + 1; end < n && by_ids(&faces[k], &faces[end]) == 0;) {
      end++;
    }
    const int outer = is_outer(&faces[k], grid->cells);
    wrong += grid->hidden ? end - k > 2 || (outer && end - k != 1) : end - k != (outer ? 1 : 2);
  }
  CHECK_SAY(wrong == 0, "%lld of %lld faces belong to a wrong number of cells", (long long)wrong,
            (long long)n);
  free(faces);
}

/** No point lies within an edge, along an axis, of a cell, and no two have the same place. */
static void check_points(const grid_out *out, int refine) {
  const double step = 1.0 / (double)(2 << refine);
  const size_t n = (size_t)out->sizes.points;
  double *sorted = malloc((n + 1) * 3 * sizeof *sorted);
  int64_t same = 0, hanging = 0;
  memcpy(sorted, out->points, n * 3 * sizeof *sorted);
  qsort(sorted, n, 3 * sizeof *sorted, by_place);
  for (size_t p = 1; p < n; p++) {
    same += by_place(sorted + 3 * p - 3, sorted + 3 * p) == 0;
  }
  for (int64_t c = 0; c < out->sizes.cells; c++) {
    const cell it = cell_of(out, c);
    int places[6][4];
    const int count = faces_of(&it, places);
    for (int k = 0; k < 4 * count; k++) {
      const int *f = places[k / 4];
      const int corners = out->sizes.dimension == 2 ? 2 : f[3] < 0 ? 3 : 4;
      if (k % 4 >= corners) {
        continue;
      }
      const double *from = it.x[f[k % 4]], *to = it.x[f[(k % 4 + 1) % corners]];
      int axis = -1, differ = 0;
      for (int a = 0; a < 3; a++) {
        axis = from[a] < to[a] ? a : axis;
        differ += from[a] != to[a];
      }
      double x[3] = {from[0], from[1], from[2]};
      for (; differ == 1 && axis >= 0 && x[axis] + step < to[axis];) {
        x[axis] += step;
        hanging += bsearch(x, sorted, n, 3 * sizeof *sorted, by_place) != NULL;
      }
    }
  }
  CHECK_INT(same, 0);
  CHECK_INT(hanging, 0);
  for (size_t p = 0; p < n; p++) {
    CHECK_INT(out->hanging[p], 0);
  }
  free(sorted);
}

/** VTK's shape functions, in the order of a cell's points. */
static void shapes(const cell *it, const double r[3], double w[8]) {
  if (it->n == 8 || (it->n == 4 && it->dimension == 2)) {
    for (int k = 0; k < it->n; k++) {
      const int u = (k ^ (k >> 1)) & 1, v = k >> 1 & 1;
      w[k] = (u ? r[0] : 1 - r[0]) * (v ? r[1] : 1 - r[1]) *
             (it->n == 4 ? 1.0
              : k >> 2   ? r[2]
                         : 1 - r[2]);
    }
  } else if (it->n == 5) {
    w[0] = (1 - r[0]) * (1 - r[1]) * (1 - r[2]);
    w[1] = r[0] * (1 - r[1]) * (1 - r[2]);
    w[2] = r[0] * r[1] * (1 - r[2]);
    w[3] = (1 - r[0]) * r[1] * (1 - r[2]);
    w[4] = r[2];
  } else {
    w[0] = 1 - r[0] - r[1] - (it->dimension == 3 ? r[2] : 0);
    w[1] = r[0];
    w[2] = r[1];
    w[3] = r[2];
  }
}

/** Solves for the parametric coordinates by Newton's method, with differences for derivatives.
 *  Returns 0 where x lies outside. */
static int value_in(const cell *it, const double x[3], double *value) {
  const int d = it->dimension;
  double r[3] = {0.4, 0.4, 0.3}, w[8] = {0.0};
  for (int step = 0; step < 60; step++) {
    double f[4][3] = {{0}};
    for (int k = 0; k <= d; k++) { /* at r, and 1e-6 further along each axis */
      double q[3] = {r[0], r[1], r[2]};
      if (k > 0) {
        q[k - 1] += 1e-6;
      }
      shapes(it, q, w);
      for (int n = 0; n < it->n; n++) {
        for (int a = 0; a < 3; a++) {
          f[k][a] += w[n] * it->x[n][a];
        }
      }
    }
    double m[3][4];
    for (int a = 0; a < d; a++) {
      for (int k = 0; k < d; k++) {
        m[a][k] = (f[k + 1][a] - f[0][a]) / 1e-6;
      }
      m[a][3] = x[a] - f[0][a];
    }
    for (int k = 0; k < d; k++) { /* Gauss with the largest pivot */
      int p = k;
      for (int a = k; a < d; a++) {
        p = fabs(m[a][k]) > fabs(m[p][k]) ? a : p;
      }
      for (int c = 0; c < 4; c++) {
        const double t = m[k][c];
        m[k][c] = m[p][c];
        m[p][c] = t;
      }
      for (int a = 0; a < d; a++) {
        const double factor = a == k ? 0.0 : m[a][k] / m[k][k];
        for (int c = k; c < 4; c++) {
          m[a][c] -= factor * m[k][c];
        }
      }
    }
    double moved = 0.0;
    for (int k = 0; k < d; k++) {
      const double by = m[k][3] / m[k][k];
      r[k] += by > 1 ? 1 : by < -1 ? -1 : by == by ? by : 0.0;
      moved = fmax(moved, fabs(by));
    }
    if (it->n == 5 && r[2] > 1.0 - 1e-7) {
      r[2] = 1.0 - 1e-7; /* towards the apex the others have no meaning */
    }
    if (moved < 1e-13) {
      break;
    }
  }
  shapes(it, r, w);
  *value = 0.0;
  double error = 0.0;
  for (int n = 0; n < it->n; n++) {
    *value += w[n] * it->value[n];
    if (w[n] < -1e-9) {
      return 0;
    }
  }
  for (int a = 0; a < d; a++) {
    double y = 0.0;
    for (int n = 0; n < it->n; n++) {
      y += w[n] * it->x[n][a];
    }
    error = fmax(error, fabs(y - x[a]));
  }
  return error < 1e-5;
}

/** Largest difference, at the input points, of the interpolation in all cells that hold them; each
 *  is held by one. */
static double probe(const grid_case *grid, const grid_out *out) {
  uint8_t *seen = calloc((size_t)grid->n_points, 1);
  double most = 0.0;
  for (int64_t c = 0; c < out->sizes.cells; c++) {
    const cell it = cell_of(out, c);
    int64_t b[3], e[3];
    for (int a = 0; a < 3; a++) {
      double low = it.x[0][a], high = low;
      for (int k = 1; k < it.n; k++) {
        low = fmin(low, it.x[k][a]);
        high = fmax(high, it.x[k][a]);
      }
      b[a] = (int64_t)ceil(low);
      e[a] = (int64_t)floor(high);
    }
    for (int64_t z = b[2]; z <= e[2]; z++) {
      for (int64_t y = b[1]; y <= e[1]; y++) {
        for (int64_t x = b[0]; x <= e[0]; x++) {
          const double at[3] = {(double)x, (double)y, (double)z};
          const int64_t p = (z * (grid->cells[1] + 1) + y) * (grid->cells[0] + 1) + x;
          double value;
          if (value_in(&it, at, &value)) {
            seen[p] = 1;
            most = fmax(most, fabs(value - grid->points[p]));
          }
        }
      }
    }
  }
  int64_t lost = 0;
  for (int64_t p = 0; p < grid->n_points; p++) {
    lost += !seen[p];
  }
  CHECK_INT(lost, 0);
  free(seen);
  return most;
}

/** The parts of a leaf have its values, and its centre the mean of its corners. */
static void check_values(const grid_case *grid, const tsr_grid_options *o, const grid_out *out) {
  tsr_grid_options of_cells = *o;
  tsr_grid_view view = grid_case_view(grid);
  grid_out whole;
  of_cells.output = TSR_GRID_CELLS;
  int64_t cut = 0, previous = -1;
  if (o->n_criteria > 0 && o->criteria->measure == TSR_MEASURE_INTERPOLATION_ERROR) {
    return; /* more is refined where parts need it */
  }
  if (of_cells.balance < TSR_BALANCE_EDGE && out->sizes.dimension == 3) {
    of_cells.balance = TSR_BALANCE_EDGE;
  } else if (of_cells.balance < TSR_BALANCE_FACE) {
    of_cells.balance = TSR_BALANCE_FACE;
  }
  CHECK_INT(grid_run(grid, &view, &of_cells, NULL, &whole), TSR_OK);
  CHECK_INT(whole.sizes.cells, out->sizes.leaves);
  CHECK_INT(whole.sizes.all_leaves, out->sizes.all_leaves);
  const int corners = 1 << out->sizes.dimension;
  for (int64_t c = 0; c < out->sizes.cells; c++) {
    const int64_t leaf = out->leaf[c];
    CHECK(leaf == previous || leaf == previous + 1);
    CHECK(memcmp(&out->nodes[leaf], &whole.nodes[leaf], sizeof *out->nodes) == 0);
    CHECK_INT(out->level[c], whole.level[leaf]);
    CHECK_INT(out->source_cell[c], whole.source_cell[leaf]);
    CHECK_INT(out->state[c], TSR_STATE_LEAF);
    CHECK(out->indicator[c] == whole.indicator[leaf]);
    CHECK(out->cell_values[c] == whole.cell_values[leaf]);
    cut += out->cell_type[c] != TSR_GRID_CELL_LEAF && leaf != previous;
    const int64_t centre = out->connectivity[out->offsets[c + 1] - 1];
    /* Leaves next to hidden ones may have more points than CELLS has. */
    if (!grid->hidden && out->cell_type[c] != TSR_GRID_CELL_LEAF && centre >= whole.sizes.points) {
      double mean = 0.0, place[3] = {0.0, 0.0, 0.0};
      for (int k = 0; k < corners; k++) {
        const int64_t p = whole.connectivity[corners * leaf + k];
        mean += whole.point_values[p] / corners;
        for (int a = 0; a < 3; a++) {
          place[a] += whole.points[3 * p + a] / corners;
        }
      }
      CHECK_NEAR(out->point_values[centre], mean, 1e-14);
      for (int a = 0; a < 3; a++) {
        CHECK_NEAR(out->points[3 * centre + a], place[a], 1e-12);
      }
    }
    previous = leaf;
  }
  CHECK_INT(cut, out->sizes.cut_leaves);
  CHECK_INT(previous + 1, out->sizes.leaves);
  grid_out_free(&whole);
}

static void check_threads(const grid_case *grid, const tsr_grid_options *o, const grid_out *alone) {
  const tsr_grid_view view = grid_case_view(grid);
  for (int threads = 2; threads <= 5; threads += 3) {
    executor exec = {.threads = threads};
    const tsr_execution execution = executor_execution(&exec);
    grid_out out;
    CHECK_INT(grid_run(grid, &view, o, &execution, &out), TSR_OK);
    if (CHECK(memcmp(&alone->sizes, &out.sizes, sizeof out.sizes) == 0)) {
      const size_t n = (size_t)out.sizes.cells, m = (size_t)out.sizes.points;
      CHECK(memcmp(alone->points, out.points, 3 * m * sizeof(double)) == 0);
      CHECK(memcmp(alone->point_values, out.point_values, m * sizeof(double)) == 0);
      CHECK(memcmp(alone->offsets, out.offsets, (n + 1) * sizeof(int64_t)) == 0);
      CHECK(memcmp(alone->connectivity, out.connectivity,
                   (size_t)out.sizes.connectivity * sizeof(int64_t)) == 0);
      CHECK(memcmp(alone->cell_type, out.cell_type, n) == 0);
      CHECK(memcmp(alone->leaf, out.leaf, n * sizeof(int64_t)) == 0);
      CHECK(memcmp(alone->cell_values, out.cell_values, n * sizeof(double)) == 0);
      CHECK(alone->point_error == out.point_error && alone->cell_error == out.cell_error);
    }
    grid_out_free(&out);
  }
}

/** Everything that holds for any grid. Returns the number of cut leaves. */
static int64_t check_grid(const grid_case *grid, tsr_grid_options *o) {
  const tsr_grid_view view = grid_case_view(grid);
  double volume = 0.0, expected = 0.0;
  grid_out out;
  o->output = TSR_GRID_CONFORMING;
  if (!CHECK_SAY(grid_run(grid, &view, o, NULL, &out) == TSR_OK, "%s", out.error.text)) {
    return 0;
  }
  CHECK_INT(out.offsets[out.sizes.cells], out.sizes.connectivity);
  for (int64_t c = 0; c < out.sizes.cells; c++) {
    const cell it = cell_of(&out, c);
    volume += volume_of(&it);
  }
  for (int64_t k = 0; k < grid->n_cells; k++) {
    expected += !(grid->hidden && grid->hidden[k]);
  }
  CHECK_NEAR(volume, expected, 1e-9 * expected);
  check_faces(grid, &out);
  check_points(&out, o->refine_levels);
  check_values(grid, o, &out);
  check_threads(grid, o, &out);
  if (!grid->hidden) {
    const double most = probe(grid, &out);
    CHECK_NEAR(out.point_error, most, 1e-6);
    if (o->n_criteria > 0 && o->criteria->measure == TSR_MEASURE_INTERPOLATION_ERROR) {
      CHECK_AT_MOST(most, o->criteria->threshold + 1e-6);
      CHECK_AT_MOST(out.point_error, o->criteria->threshold);
    }
  }
  const int64_t cut = out.sizes.cut_leaves;
  grid_out_free(&out);
  return cut;
}

/** Trees refined at random cells. */
static void check_random(int64_t nx, int64_t ny, int64_t nz, uint64_t seed) {
  grid_case grid;
  int64_t cut = 0;
  grid_case_init(&grid, nx, ny, nz);
  grid_case_fill(&grid, seed);
  for (int k = 0; k < 12; k++) {
    for (int64_t c = 0; c < grid.n_cells; c++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      grid.values[c] = (seed >> 33) % 1000 < (k % 2 ? 3u : 30u) ? 1.0 : 0.0;
    }
    tsr_grid_criterion c = grid_criterion(&grid, TSR_MEASURE_IN_RANGE, 0.0);
    c.array = grid_case_cells(&grid);
    c.cell_data = 1;
    c.lower = c.upper = 1.0;
    tsr_grid_options o = grid_options(&c, 1);
    o.coarsen_levels = k % 4;
    o.refine_levels = k / 4;
    o.buffer_cells = k == 7;
    o.balance = (tsr_balance)((k + k / 4) % 4);
    if (k % 3 == 2) {
      grid.hidden = calloc((size_t)grid.n_cells, 1);
      for (int64_t h = 0; h < grid.n_cells; h++) {
        grid.hidden[h] = h % 211 < 3;
      }
    }
    cut += check_grid(&grid, &o);
    free(grid.hidden);
    grid.hidden = NULL;
  }
  CHECK(cut > 0 || nz + ny == 0);
  grid_case_free(&grid);
}

/** The interpolation error, in grids that it makes. */
static void check_guarantee(int64_t nx, int64_t ny, int64_t nz) {
  grid_case grid;
  int64_t cut = 0;
  grid_case_init(&grid, nx, ny, nz);
  grid_case_fill(&grid, 31);
  for (int k = 0; k < 6; k++) {
    static const double thresholds[3] = {0.1, 0.03, 0.01};
    const tsr_grid_criterion c =
        grid_criterion(&grid, TSR_MEASURE_INTERPOLATION_ERROR, thresholds[k / 2]);
    tsr_grid_options o = grid_options(&c, 1);
    o.coarsen_levels = 2 + k % 2;
    cut += check_grid(&grid, &o);
  }
  CHECK(cut > 0);
  grid_case_free(&grid);
}

int main(void) {
  check_random(13, 11, 9, 1);
  check_random(16, 8, 8, 2);
  check_random(29, 22, 0, 3);
  check_guarantee(24, 19, 17);
  check_guarantee(61, 47, 0);
  return check_result();
}
