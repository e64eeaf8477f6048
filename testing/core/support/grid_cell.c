/* SPDX-License-Identifier: BSD-3-Clause */
#include "grid_cell.h"

#include <math.h>
#include <string.h>

#include "check.h"

grid_cell grid_cell_of(const grid_out *out, int64_t c) {
  grid_cell it = {.n = (int)(out->offsets[c + 1] - out->offsets[c]),
                  .dimension = out->sizes.dimension};
  for (int k = 0; k < it.n; k++) {
    const int whole = out->cell_type[c] == TSR_GRID_CELL_LEAF;
    it.id[k] = out->connectivity[out->offsets[c] + (whole && k & 2 ? k ^ 1 : k)];
    memcpy(it.x[k], out->points + 3 * it.id[k], sizeof it.x[k]);
    it.value[k] = out->point_values[it.id[k]];
  }
  return it;
}

int grid_cell_faces(const grid_cell *it, int face[6][4]) {
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
static double simplex(const grid_cell *it, int a, int b, int c, int d) {
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

double grid_cell_volume(const grid_cell *it) {
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

/** VTK's shape functions, in the order of a cell's points. */
static void shapes(const grid_cell *it, const double r[3], double w[8]) {
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

/** Solves d equations, a row each with its right side last, by Gauss with the largest pivot:
 * m[k][3] / m[k][k] is then unknown k. */
static void solve(int d, double m[3][4]) {
  for (int k = 0; k < d; k++) {
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
}

/* For the parametric coordinates by Newton's method, with differences for derivatives. */
int grid_cell_value(const grid_cell *it, const double x[3], double *value) {
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
    solve(d, m);
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
