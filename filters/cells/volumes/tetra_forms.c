/* SPDX-License-Identifier: BSD-3-Clause */
/** The matrices from Lagrange's to Bernstein's form of tetrahedra: see form/bernstein_math.h, whose
 *  construction has one more coordinate here. */
#include "cells/volumes/tetra_forms.h"
#include "cells/volumes/solid_bend_math.h"

/* A homogeneous polynomial of degree d in four barycentric coordinates, by tsr_solid_place. */
typedef struct polynomial {
  int d;
  double at[TSR_TETRA_NODES];
} polynomial;

static int place(int d, int a, int b, int c) {
  const int degrees[3] = {d, d, d};
  return tsr_solid_place(TSR_SHAPE_TETRA, degrees, a, b, c);
}

static double factorial(int n) {
  double product = 1.0;
  for (int k = 2; k <= n; ++k)
    product *= (double)k;
  return product;
}

/* Multiplies it by the linear form d x_k - m (x_0 + ... + x_3). */
static void multiply(polynomial *it, int k, double d, double m) {
  polynomial product = {.d = it->d + 1};
  double form[4] = {-m, -m, -m, -m};
  form[k] += d;
  for (int c = 0; c <= it->d; ++c)
    for (int b = 0; b <= it->d - c; ++b)
      for (int a = 0; a <= it->d - c - b; ++a) {
        const double value = it->at[place(it->d, a, b, c)];
        product.at[place(product.d, a, b, c)] += form[0] * value;
        product.at[place(product.d, a + 1, b, c)] += form[1] * value;
        product.at[place(product.d, a, b + 1, c)] += form[2] * value;
        product.at[place(product.d, a, b, c + 1)] += form[3] * value;
      }
  *it = product;
}

/* Sets the column of node (a, b, c). */
static void set_column(int d, int a, int b, int c, double *matrix) {
  const int node[4] = {d - a - b - c, a, b, c}, n = (d + 1) * (d + 2) * (d + 3) / 6;
  polynomial it = {.d = 0, .at = {1.0}};
  double over = factorial(d);
  for (int k = 0; k < 4; ++k) {
    over *= factorial(node[k]);
    for (int m = 0; m < node[k]; ++m)
      multiply(&it, k, (double)d, (double)m);
  }
  for (int z = 0; z <= d; ++z)
    for (int y = 0; y <= d - z; ++y)
      for (int x = 0; x <= d - z - y; ++x)
        matrix[place(d, x, y, z) * n + place(d, a, b, c)] =
            it.at[place(d, x, y, z)] *
            (factorial(d - x - y - z) * factorial(x) * (factorial(y) * factorial(z))) / over;
}

void tsr_tetra_forms_make(int degrees, double *forms) {
  for (int d = 1; d <= TSR_CELLS_MAX_DEGREE; ++d)
    for (int c = 0; degrees >> d & 1 && c <= d; ++c)
      for (int b = 0; b <= d - c; ++b)
        for (int a = 0; a <= d - c - b; ++a)
          set_column(d, a, b, c, forms + tsr_tetra_form(d));
}
