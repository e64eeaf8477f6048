/* SPDX-License-Identifier: BSD-3-Clause */
/** The matrices from Lagrange's to Bernstein's form: see form/bernstein_math.h. */
#include "cells/form/forms.h"
#include "cells/form/bernstein_math.h"

/* A homogeneous polynomial of degree d in three barycentric coordinates, by tsr_triangle_place. */
typedef struct polynomial {
  int d;
  double at[TSR_TRIANGLE_NODES];
} polynomial;

static double factorial(int n) {
  double product = 1.0;
  for (int k = 2; k <= n; ++k)
    product *= (double)k;
  return product;
}

/* Multiplies it by the linear form. */
static void multiply(polynomial *it, const double form[3]) {
  polynomial product = {.d = it->d + 1};
  for (int b = 0; b <= it->d; ++b) {
    for (int a = 0; a <= it->d - b; ++a) {
      const double value = it->at[tsr_triangle_place(it->d, a, b)];
      product.at[tsr_triangle_place(product.d, a, b)] += form[0] * value;
      product.at[tsr_triangle_place(product.d, a + 1, b)] += form[1] * value;
      product.at[tsr_triangle_place(product.d, a, b + 1)] += form[2] * value;
    }
  }
  *it = product;
}

/* Lagrange's polynomial of node (a, b), times the factorials of a, b and d - a - b. line: the third
 * coordinate is 0. */
static polynomial lagrange(int d, int a, int b, int line) {
  const int node[3] = {d - a - b, a, b};
  polynomial it = {.d = 0, .at = {1.0}};
  for (int c = 0; c < 3; ++c) {
    for (int m = 0; m < node[c]; ++m) {
      double form[3] = {-(double)m, -(double)m, line ? 0.0 : -(double)m};
      form[c] += (double)d;
      multiply(&it, form);
    }
  }
  return it;
}

static void set_form(int d, int line, double *matrix) {
  const int n = line ? d + 1 : (d + 1) * (d + 2) / 2, rows = line ? 0 : d;
  for (int b = 0; b <= rows; ++b) {
    for (int a = 0; a <= d - b; ++a) {
      const polynomial it = lagrange(d, a, b, line);
      const double node = factorial(d - a - b) * factorial(a) * factorial(b);
      for (int y = 0; y <= rows; ++y)
        for (int x = 0; x <= d - y; ++x)
          matrix[tsr_triangle_place(d, x, y) * n + tsr_triangle_place(d, a, b)] =
              it.at[tsr_triangle_place(d, x, y)] *
              (factorial(d - x - y) * factorial(x) * factorial(y)) / (node * factorial(d));
    }
  }
}

void tsr_forms_make(int degrees, double *forms) {
  for (int d = 1; d <= TSR_CELLS_MAX_DEGREE; ++d) {
    if (!(degrees >> d & 1))
      continue;
    set_form(d, 1, forms + tsr_line_form(d));
    set_form(d, 0, forms + tsr_triangle_form(d));
  }
}
