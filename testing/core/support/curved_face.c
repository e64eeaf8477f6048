/* SPDX-License-Identifier: BSD-3-Clause */
#include "curved_face.h"

#include <math.h>
#include <string.h>

typedef long double real;

/* Neville: values q at the nodes 0, 1, ..., d, at x. */
static real neville(int d, real *q, real x) {
  for (int r = 1; r <= d; r++)
    for (int i = 0; i + r <= d; i++)
      q[i] = ((x - i) * q[i + 1] - (x - (i + r)) * q[i]) / r;
  return q[0];
}

static real casteljau(int d, real *q, real u) {
  for (int r = 1; r <= d; r++)
    for (int i = 0; i + r <= d; i++)
      q[i] = (1 - u) * q[i] + u * q[i + 1];
  return q[0];
}

static real line(const curved_face *it, int d, real *q, real u) {
  return it->bezier ? casteljau(d, q, u) : neville(d, q, u * d);
}

static real quad(const curved_face *it, const real *q, real u, real v) {
  real row[CURVED_FACE_MOST], column[CURVED_FACE_MOST];
  for (int b = 0; b <= it->d[1]; b++) {
    memcpy(row, q + b * (it->d[0] + 1), (size_t)(it->d[0] + 1) * sizeof *q);
    column[b] = line(it, it->d[0], row, u);
  }
  return line(it, it->d[1], column, v);
}

/* Aitken's scheme on a triangle of nodes of degree d, for Lagrange; de Casteljau's for Bezier. The
 * polynomial of degree r on the subtriangle at (a, b) is made of three of degree r - 1. */
static real triangle(const curved_face *it, const real *q, real u, real v) {
  const int d = it->d[0];
  real p[CURVED_FACE_MOST][CURVED_FACE_MOST];
  int at = 0;
  for (int b = 0; b <= d; b++)
    for (int a = 0; a <= d - b; a++)
      p[a][b] = q[at++];
  for (int r = 1; r <= d; r++)
    for (int b = 0; b <= d - r; b++)
      for (int a = 0; a <= d - r - b; a++) {
        const real x = it->bezier ? u : (u * d - a) / r, y = it->bezier ? v : (v * d - b) / r;
        p[a][b] = (1 - x - y) * p[a][b] + x * p[a + 1][b] + y * p[a][b + 1];
      }
  return p[0][0];
}

/* Homogeneous components c (0 to 2: place, 3: weight, 4: field) at (u, v). */
static real component(const curved_face *it, int c, real u, real v) {
  real q[CURVED_FACE_MOST * CURVED_FACE_MOST];
  for (int k = 0; k < it->n; k++) {
    const real w = it->rational ? it->w[k] : 1;
    q[k] = c == 3 ? w : w * (c == 4 ? it->f[k] : it->x[k][c]);
  }
  return it->sides == 3 ? triangle(it, q, u, v) : quad(it, q, u, v);
}

void curved_face_at(const curved_face *it, long double u, long double v, long double to[5]) {
  for (int c = 0; c < 5; c++)
    to[c] = c == 3 && !it->rational ? 1 : component(it, c, u, v);
  for (int c = 0; c < 5; c++)
    if (c != 3)
      to[c] /= to[3];
}

void curved_face_normal(const curved_face *it, long double u, long double v, long double n[3]) {
  const real h = 1e-6L, du = u < 0.5L ? h : -h, dv = v < 0.5L ? h : -h;
  const real sum = u + v, pull = it->sides == 3 && sum > 1 - 3 * h ? (sum - (1 - 3 * h)) / sum : 0;
  real at[5], a[5], b[5];
  u -= pull * u;
  v -= pull * v;
  curved_face_at(it, u, v, at);
  curved_face_at(it, u + du, v, a);
  curved_face_at(it, u, v + dv, b);
  for (int c = 0; c < 3; c++) {
    a[c] = (a[c] - at[c]) / du;
    b[c] = (b[c] - at[c]) / dv;
  }
  for (int c = 0; c < 3; c++)
    n[c] = a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
}

/* A number at each of the places. */
typedef struct beside {
  double at[CURVED_FACE_BESIDE];
} beside;

/* to = p a + q b. */
static void mix(beside *to, const beside *p, const beside *a, const beside *q, const beside *b) {
  for (int k = 0; k < CURVED_FACE_BESIDE; k++)
    to->at[k] = p->at[k] * a->at[k] + q->at[k] * b->at[k];
}

/* As line(), of d + 1 rows of `n` values each, which become one row. */
static void lines_beside(int bezier, int d, int n, beside *q, const double *u) {
  for (int r = 1; r <= d; r++)
    for (int i = 0; i + r <= d; i++) {
      beside low, high;
      for (int k = 0; k < CURVED_FACE_BESIDE; k++) {
        high.at[k] = bezier ? u[k] : (u[k] * d - i) / r;
        low.at[k] = 1 - high.at[k];
      }
      for (int c = 0; c < n; c++)
        mix(&q[i * n + c], &low, &q[i * n + c], &high, &q[(i + 1) * n + c]);
    }
}

/* As triangle(), of n components at each node. */
static void triangles_beside(const curved_face *it, int n, beside *q, const double *u,
                             const double *v) {
  const int d = it->d[0];
  for (int r = 1; r <= d; r++)
    for (int b = 0, row = 0; b <= d - r; row += d + 1 - b, b++)
      for (int a = 0; a <= d - r - b; a++) {
        beside x, y, rest;
        for (int k = 0; k < CURVED_FACE_BESIDE; k++) {
          x.at[k] = it->bezier ? u[k] : (u[k] * d - a) / r;
          y.at[k] = it->bezier ? v[k] : (v[k] * d - b) / r;
          rest.at[k] = 1 - x.at[k] - y.at[k];
        }
        for (int c = 0; c < n; c++) {
          beside *to = &q[(row + a) * n + c], *above = &q[(row + d + 1 - b + a) * n + c];
          mix(to, &rest, to, &x, &q[(row + a + 1) * n + c]);
          for (int k = 0; k < CURVED_FACE_BESIDE; k++)
            to->at[k] += y.at[k] * above->at[k];
        }
      }
}

void curved_face_beside(const curved_face *it, const double u[CURVED_FACE_BESIDE],
                        const double v[CURVED_FACE_BESIDE], double to[4][CURVED_FACE_BESIDE]) {
  const int n = it->rational ? 5 : 4, row = n * (it->d[0] + 1);
  beside q[CURVED_FACE_MOST * CURVED_FACE_MOST * 5];
  for (int i = 0; i < it->n; i++)
    for (int c = 0; c < n; c++) {
      const double w = it->rational ? it->w[i] : 1;
      const double value = c == 4 ? 1 : c == 3 ? it->f[i] : it->x[i][c] - it->x[0][c];
      for (int k = 0; k < CURVED_FACE_BESIDE; k++)
        q[i * n + c].at[k] = w * value;
    }
  if (it->sides == 3) {
    triangles_beside(it, n, q, u, v);
  } else {
    lines_beside(it->bezier, it->d[1], row, q, v);
    lines_beside(it->bezier, it->d[0], n, q, u);
  }
  for (int c = 0; c < 4; c++)
    for (int k = 0; k < CURVED_FACE_BESIDE; k++)
      to[c][k] = q[c].at[k] / (it->rational ? q[4].at[k] : 1);
}

void curved_face_off(const curved_face *it, long double corner[3][5], long double uv[3][2],
                     const long double l[3], double most[2]) {
  real at[2] = {0}, drawn[5] = {0}, there[5], distance = 0;
  for (int k = 0; k < 3; k++) {
    for (int c = 0; c < 2; c++)
      at[c] += l[k] * uv[k][c];
    for (int c = 0; c < 5; c++)
      drawn[c] += c == 3 ? 0 : l[k] * corner[k][c];
  }
  curved_face_at(it, at[0], at[1], there);
  for (int c = 0; c < 3; c++)
    distance += (drawn[c] - there[c]) * (drawn[c] - there[c]);
  distance = sqrtl(distance);
  const real off = fabsl(drawn[4] - there[4]);
  most[0] = (double)distance > most[0] ? (double)distance : most[0];
  most[1] = (double)off > most[1] ? (double)off : most[1];
}

long double curved_face_angle(const long double a[3], const long double b[3]) {
  const long double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const long double size =
      sqrtl((a[0] * a[0] + a[1] * a[1] + a[2] * a[2]) * (b[0] * b[0] + b[1] * b[1] + b[2] * b[2]));
  return acosl(dot >= size ? 1 : dot <= -size ? -1 : dot / size) * 180 / 3.14159265358979324L;
}
