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
