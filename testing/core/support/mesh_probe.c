/* SPDX-License-Identifier: BSD-3-Clause */
/** Cells of meshes by the formulas of VTK's classes, with numeric derivatives: slow and obvious. */
#include "mesh_case.h"

#include <math.h>
#include <string.h>

typedef struct simplex {
  double x[4][3], value[4];
} simplex;

/* VTK's InterpolationFunctions. */
static void weights(int type, const double r[3], double w[8]) {
  const double a = r[0], b = r[1], c = r[2];
  if (type == 9) {
    const double all[4] = {(1 - a) * (1 - b), a * (1 - b), a * b, (1 - a) * b};
    memcpy(w, all, sizeof all);
  } else if (type == 8) {
    const double all[4] = {(1 - a) * (1 - b), a * (1 - b), (1 - a) * b, a * b};
    memcpy(w, all, sizeof all);
  } else if (type == 13) {
    const double all[6] = {(1 - a - b) * (1 - c), a * (1 - c), b * (1 - c),
                           (1 - a - b) * c,       a * c,       b * c};
    memcpy(w, all, sizeof all);
  } else if (type == 14) {
    const double all[5] = {(1 - a) * (1 - b) * (1 - c), a * (1 - b) * (1 - c), a * b * (1 - c),
                           (1 - a) * b * (1 - c), c};
    memcpy(w, all, sizeof all);
  } else {
    const double all[8] = {
        (1 - a) * (1 - b) * (1 - c), a * (1 - b) * (1 - c), a * b * (1 - c), (1 - a) * b * (1 - c),
        (1 - a) * (1 - b) * c,       a * (1 - b) * c,       a * b * c,       (1 - a) * b * c};
    memcpy(w, all, sizeof all);
    if (type == 11) {
      w[2] = all[3];
      w[3] = all[2];
      w[6] = all[7];
      w[7] = all[6];
    }
  }
}

static const double *point(const mesh_case *it, int64_t c, int64_t k) {
  return it->points + 3 * it->ids[it->offsets[c] + k];
}

static void map(const mesh_case *it, int64_t c, const double r[3], double x[3]) {
  double w[8];
  weights(it->types[c], r, w);
  x[0] = x[1] = x[2] = 0.0;
  for (int64_t k = 0; k < it->offsets[c + 1] - it->offsets[c]; ++k)
    for (int a = 0; a < 3; ++a)
      x[a] += w[k] * point(it, c, k)[a];
}

/* Solves a linear system of up to 3 unknowns by Cramer's rule. */
static int solve(double m[3][3], const double e[3], double d[3]) {
  const double det = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                     m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                     m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
  if (det == 0.0)
    return 0;
  for (int k = 0; k < 3; ++k) {
    double n[3][3];
    memcpy(n, m, sizeof n);
    for (int a = 0; a < 3; ++a)
      n[a][k] = e[a];
    d[k] = (n[0][0] * (n[1][1] * n[2][2] - n[1][2] * n[2][1]) -
            n[0][1] * (n[1][0] * n[2][2] - n[1][2] * n[2][0]) +
            n[0][2] * (n[1][0] * n[2][1] - n[1][1] * n[2][0])) /
           det;
  }
  return 1;
}

static double of_shape(const mesh_case *it, int64_t c, const double x[3], double *value) {
  const int type = it->types[c], n = it->dimension;
  double r[3] = {0.4, 0.4, 0.4}, at[3], to[3], w[8], m[3][3], e[3], d[3], depth;
  for (int step = 0; step < 60; ++step) {
    map(it, c, r, at);
    memset(m, 0, sizeof m);
    m[2][2] = 1.0;
    for (int k = 0; k < n; ++k) {
      double s[3] = {r[0], r[1], r[2]};
      s[k] += 1e-6;
      map(it, c, s, to);
      for (int a = 0; a < n; ++a)
        m[a][k] = (to[a] - at[a]) * 1e6;
    }
    for (int a = 0; a < 3; ++a)
      e[a] = a < n ? x[a] - at[a] : 0.0;
    if (!solve(m, e, d))
      return -1.0;
    for (int k = 0; k < n; ++k) {
      r[k] += d[k];
      r[k] = r[k] < -1.0 ? -1.0 : r[k] > 2.0 ? 2.0 : r[k];
    }
  }
  /* Newton's method ends anywhere for a place far outside. */
  if (!(fabs(e[0]) + fabs(e[1]) + fabs(e[2]) < 1e-9 * (1.0 + fabs(x[0]) + fabs(x[1]) + fabs(x[2]))))
    return -1.0;
  depth = fmin(fmin(r[0], r[1]), n == 3 ? r[2] : 1.0);
  if (type == 13)
    depth = fmin(depth, fmin(1.0 - r[0] - r[1], 1.0 - r[2]));
  else
    depth = fmin(depth, fmin(fmin(1.0 - r[0], 1.0 - r[1]), n == 3 ? 1.0 - r[2] : 1.0));
  if (value) {
    weights(type, r, w);
    *value = 0.0;
    for (int64_t k = 0; k < it->offsets[c + 1] - it->offsets[c]; ++k)
      *value += w[k] * it->front[it->ids[it->offsets[c] + k]];
  }
  return depth;
}

static double of_simplex(int n, const simplex *s, const double x[3], double *value) {
  double m[3][3] = {{0}}, e[3] = {0}, d[3], depth;
  m[2][2] = 1.0;
  for (int a = 0; a < n; ++a) {
    e[a] = x[a] - s->x[0][a];
    for (int k = 0; k < n; ++k)
      m[a][k] = s->x[k + 1][a] - s->x[0][a];
  }
  if (!solve(m, e, d))
    return -1.0;
  depth = 1.0;
  *value = s->value[0];
  for (int k = 0; k < n; ++k) {
    depth -= d[k];
    *value += d[k] * (s->value[k + 1] - s->value[0]);
  }
  for (int k = 0; k < n; ++k)
    depth = fmin(depth, d[k]);
  return depth;
}

/* The mean of points. */
static void mean(const mesh_case *it, const int64_t *ids, int64_t n, simplex *s, int k) {
  memset(s->x[k], 0, sizeof s->x[k]);
  s->value[k] = 0.0;
  for (int64_t i = 0; i < n; ++i) {
    for (int a = 0; a < 3; ++a)
      s->x[k][a] += it->points[3 * ids[i] + a] / (double)n;
    s->value[k] += it->front[ids[i]] / (double)n;
  }
}

/* The faces of a cell as lists of ids. */
static int faces_of(const mesh_case *it, int64_t c, int64_t ids[8][8], int n[8]) {
  static const int prism[2] = {5, 6};
  const int64_t *p = it->ids + it->offsets[c];
  const int sides = it->types[c] == 15 ? prism[0] : prism[1];
  int faces = 0;
  if (it->types[c] == 42) {
    for (int64_t f = it->cell_faces[c]; f < it->cell_faces[c + 1]; ++f, ++faces) {
      n[faces] = (int)(it->face_offsets[f + 1] - it->face_offsets[f]);
      memcpy(ids[faces], it->face_ids + it->face_offsets[f], (size_t)n[faces] * sizeof(int64_t));
    }
    return faces;
  }
  for (int k = 0; k < sides; ++k) {
    ids[0][k] = p[k];
    ids[1][k] = p[sides + k];
    const int next = (k + 1) % sides;
    const int64_t side[4] = {p[k], p[next], p[sides + next], p[sides + k]};
    memcpy(ids[2 + k], side, sizeof side);
    n[2 + k] = 4;
  }
  n[0] = n[1] = sides;
  return sides + 2;
}

/* Simplex j of a cell, or 0. */
static int simplex_of(const mesh_case *it, int64_t c, int64_t j, simplex *s) {
  const int64_t *p = it->ids + it->offsets[c];
  const int64_t n = it->offsets[c + 1] - it->offsets[c];
  int64_t faces[8][8];
  int sizes[8];
  if (it->types[c] == 5 || it->types[c] == 10) {
    for (int k = 0; k <= it->dimension; ++k)
      mean(it, p + k, 1, s, k);
    return j == 0;
  }
  if (it->types[c] == 6) {
    for (int k = 0; k < 3 && j < n - 2; ++k)
      mean(it, p + j + k, 1, s, k);
    return j < n - 2;
  }
  mean(it, p, n, s, 0);
  if (it->types[c] == 7) {
    mean(it, p + j % n, 1, s, 1);
    mean(it, p + (j + 1) % n, 1, s, 2);
    return j < n;
  }
  const int count = faces_of(it, c, faces, sizes);
  for (int f = 0; f < count; j -= sizes[f++])
    if (j < sizes[f]) {
      mean(it, faces[f], sizes[f], s, 1);
      mean(it, &faces[f][j], 1, s, 2);
      mean(it, &faces[f][(j + 1) % sizes[f]], 1, s, 3);
      return 1;
    }
  return 0;
}

static int has_shape(int type) { return type == 8 || type == 9 || (type >= 11 && type <= 14); }

double mesh_depth(const mesh_case *it, int64_t c, const double x[3], double *value) {
  double best = -2.0;
  simplex s;
  for (int a = 0; a < it->dimension; ++a) {
    double low = point(it, c, 0)[a], high = low;
    for (int64_t k = 1; k < it->offsets[c + 1] - it->offsets[c]; ++k) {
      low = fmin(low, point(it, c, k)[a]);
      high = fmax(high, point(it, c, k)[a]);
    }
    const double wide = 1e-6 * (high - low);
    if (x[a] < low - wide || x[a] > high + wide)
      return -1.0;
  }
  if (has_shape(it->types[c]))
    return of_shape(it, c, x, value);
  /* Between its simplices a cell has no border. */
  for (int64_t j = 0; simplex_of(it, c, j, &s); ++j) {
    double v = 0.0;
    const double depth = of_simplex(it->dimension, &s, x, &v);
    if (depth > best) {
      best = depth;
      if (value)
        *value = v;
    }
  }
  return best;
}

void mesh_random_place(const mesh_case *it, int64_t c, unsigned *random, double x[3]) {
  const int n = it->dimension, type = it->types[c];
  simplex s;
  if (has_shape(type)) {
    double r[3] = {mesh_uniform(random), mesh_uniform(random), n == 3 ? mesh_uniform(random) : 0};
    if (type == 13 && r[0] + r[1] > 1.0) {
      r[0] = 1.0 - r[0];
      r[1] = 1.0 - r[1];
    }
    map(it, c, r, x);
    return;
  }
  int64_t count = 0;
  while (simplex_of(it, c, count, &s))
    ++count;
  simplex_of(it, c, (int64_t)(mesh_uniform(random) * (double)count), &s);
  double w[4], sum = 0.0;
  for (int k = 0; k <= n; ++k)
    sum += w[k] = -log(1e-12 + mesh_uniform(random));
  for (int a = 0; a < 3; ++a) {
    x[a] = 0.0;
    for (int k = 0; k <= n; ++k)
      x[a] += w[k] / sum * s.x[k][a];
  }
}
