/* SPDX-License-Identifier: BSD-3-Clause */
/** Every face of every cell type is the one that VTK draws: values at places on faces, as VTK's own
 *  cells give them (vtk_answers*.h). Also: Bernstein coefficients are of the same polynomial. */
#include <stdlib.h>
#include <string.h>

#include "cells/form/bernstein_math.h"
#include "cells/form/forms.h"
#include "check.h"

typedef struct answer {
  int type, d[3], n, face;
  double place[3];
  int rational;
  double value;
} answer;

static const answer answers[] = {
#include "vtk_answers.h"
#include "vtk_answers_bezier.h"
};

enum { ANSWERS = sizeof answers / sizeof answers[0], MOST_NODES = 2000 };

static double values[3 * MOST_NODES], weights[MOST_NODES], degrees[3];
static int64_t ids[MOST_NODES], offsets[2];
static uint8_t type;
static double *forms;

static tsr_cells_view view_of(const answer *it) {
  tsr_cells_view view;
  tsr_cells_view_init(&view);
  view.points = (tsr_array){values, TSR_DOUBLE, 3, MOST_NODES};
  if (it->rational)
    view.weights = (tsr_array){weights, TSR_DOUBLE, 1, MOST_NODES};
  for (int k = 0; k < 3; ++k)
    degrees[k] = it->d[k];
  if (it->type >= 68 && it->n != 7 && it->n != 15 && it->n != 21)
    view.degrees = (tsr_array){degrees, TSR_DOUBLE, 3, 1};
  type = (uint8_t)it->type;
  view.n_cells = 1;
  view.types = &type;
  view.offsets = offsets;
  view.connectivity = ids;
  view.n_connectivity = offsets[1] = it->n;
  return view;
}

/* Where corner k of a cell lies, by its shape. */
static void corner_place(tsr_shape shape, int k, double x[3]) {
  static const double brick[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                     {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  static const double wedge[6][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0},
                                     {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
  static const double simplex[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const double *from = shape == TSR_SHAPE_WEDGE ? wedge[k] : brick[k];
  if (shape == TSR_SHAPE_TRIANGLE || shape == TSR_SHAPE_TETRA)
    from = simplex[k];
  memcpy(x, from, 3 * sizeof *x);
}

/* The parameters on face f of a place of the cell. Returns 0 if it is not on the face. */
static int parameters_of(const tsr_cell *cell, int f, const double place[3], double uv[2]) {
  const int last = tsr_face_corners(cell, f) - 1;
  double at[3][3], off = 0.0;
  corner_place(cell->shape, tsr_face_corner(cell, f, 0), at[0]);
  corner_place(cell->shape, tsr_face_corner(cell, f, 1), at[1]);
  corner_place(cell->shape, tsr_face_corner(cell, f, last), at[2]);
  double g[2][2] = {{0}}, r[2] = {0}, det;
  for (int c = 0; c < 3; ++c)
    for (int i = 0; i < 2; ++i) {
      r[i] += (at[i + 1][c] - at[0][c]) * (place[c] - at[0][c]);
      for (int j = 0; j < 2; ++j)
        g[i][j] += (at[i + 1][c] - at[0][c]) * (at[j + 1][c] - at[0][c]);
    }
  det = g[0][0] * g[1][1] - g[0][1] * g[1][0];
  uv[0] = (r[0] * g[1][1] - r[1] * g[0][1]) / det;
  uv[1] = (r[1] * g[0][0] - r[0] * g[1][0]) / det;
  for (int c = 0; c < 3; ++c)
    off +=
        fabs(at[0][c] + uv[0] * (at[1][c] - at[0][c]) + uv[1] * (at[2][c] - at[0][c]) - place[c]);
  return off < 1e-12;
}

/* Bernstein polynomials in long double, one by one. */
static long double bernstein(int d, const int *k, const long double *x, int n) {
  long double value = 1.0L;
  for (int i = 2; i <= d; ++i)
    value *= i;
  for (int c = 0; c < n; ++c)
    for (int i = 1; i <= k[c]; ++i)
      value *= x[c] / i;
  return value;
}

/* The value of a face from its Bernstein coefficients. */
static double bernstein_value(const tsr_cells_view *view, const tsr_patch *patch, double u,
                              double v) {
  double q[TSR_FACE_NODES], w[TSR_FACE_NODES];
  const int n = patch->n + patch->bubble, d = tsr_triangle_degree(patch);
  long double sum = 0.0L, over = 0.0L;
  int at = 0;
  tsr_load_nodes(view, &view->points, 0, n, patch->id, patch->rational, q);
  for (int k = 0; k < patch->n; ++k)
    w[k] = patch->rational ? weights[patch->id[k]] : 1.0;
  tsr_patch_to_bernstein(forms, patch, q);
  for (int b = 0; b <= (patch->sides == 3 ? d : patch->dv); ++b)
    for (int a = 0; a <= (patch->sides == 3 ? d - b : patch->du); ++a, ++at) {
      const long double x[3] = {1.0L - u - v, u, v}, y[4] = {1.0L - u, u, 1.0L - v, v};
      const int k[3] = {d - a - b, a, b}, l[4] = {patch->du - a, a, patch->dv - b, b};
      const long double weight =
          patch->sides == 3 ? bernstein(d, k, x, 3)
                            : bernstein(patch->du, l, y, 2) * bernstein(patch->dv, l + 2, y + 2, 2);
      sum += weight * q[at];
      over += weight * (patch->rational ? w[at] : 1.0L);
    }
  return (double)(sum / over) + values[3 * patch->id[0]];
}

static void check_face(const answer *it, const tsr_cells_view *view, const tsr_cell *cell, int f,
                       const double uv[2]) {
  double w[TSR_FACE_NODES + 1];
  tsr_patch patch;
  tsr_patch_of(view, cell, f, &patch);
  const int n = tsr_patch_weights(view, &patch, uv[0], uv[1], w);
  const double value = tsr_weighted_value(&view->points, 0, n, patch.id, w);
  const double by_coefficients = bernstein_value(view, &patch, uv[0], uv[1]);
  CHECK_SAY(fabs(value - it->value) <= 1e-10,
            "type %d, degrees %d %d %d, face %d: %.15g, not %.15g", it->type, it->d[0], it->d[1],
            it->d[2], f, value, it->value);
  CHECK_SAY(fabs(by_coefficients - it->value) <= 1e-10,
            "type %d, degrees %d %d %d, face %d: %.15g by Bernstein coefficients, not %.15g",
            it->type, it->d[0], it->d[1], it->d[2], f, by_coefficients, it->value);
  for (int k = 0; k < tsr_face_corners(cell, f); ++k) {
    int a, b;
    tsr_edge edge;
    tsr_edge_of(view, cell, f, k, &edge);
    CHECK_INT(edge.degree, tsr_side_degree(&patch, k));
    for (int t = 0; t <= edge.degree; ++t) {
      tsr_side_place(&patch, k, edge.reversed ? edge.degree - t : t, &a, &b);
      CHECK_INT(edge.id[t], tsr_cell_id(view, cell, tsr_face_node(cell, f, a, b)));
    }
    tsr_side_place(&patch, k, 0, &a, &b);
    CHECK_INT(tsr_face_node(cell, f, a, b), tsr_face_corner(cell, f, k));
  }
}

static void check_curve(const answer *it, const tsr_cells_view *view, const tsr_cell *cell) {
  double w[TSR_EDGE_NODES], q[TSR_EDGE_NODES];
  long double sum = 0.0L, over = 0.0L;
  tsr_patch patch;
  tsr_edge edge;
  tsr_edge_of(view, cell, 0, 0, &edge);
  const double u = edge.reversed ? 1.0 - it->place[0] : it->place[0];
  tsr_edge_weights(view, &edge, u, w);
  const double value = tsr_weighted_value(&view->points, 0, edge.degree + 1, edge.id, w);
  CHECK_SAY(fabs(value - it->value) <= 1e-11, "type %d, degree %d: %.15g, not %.15g", it->type,
            it->d[0], value, it->value);
  tsr_load_nodes(view, &view->points, 0, edge.degree + 1, edge.id, edge.rational, q);
  tsr_edge_patch(&edge, &patch);
  tsr_patch_to_bernstein(forms, &patch, q);
  for (int i = 0; i <= edge.degree; ++i) {
    const int k[2] = {edge.degree - i, i};
    const long double x[2] = {1.0L - u, u}, weight = bernstein(edge.degree, k, x, 2);
    sum += weight * q[i];
    over += weight * (edge.rational ? weights[edge.id[i]] : 1.0L);
  }
  CHECK_SAY(fabs((double)(sum / over) + values[3 * edge.id[0]] - it->value) <= 1e-10,
            "type %d, degree %d: Bernstein coefficients", it->type, it->d[0]);
}

static void check_answer(const answer *it) {
  const tsr_cells_view view = view_of(it);
  int found = 0;
  tsr_cell_box box;
  tsr_cell cell;
  const int note = tsr_cell_examine(&view, 0, &cell, &box);
  CHECK_SAY(note < 0, "type %d, degrees %d %d %d, %d nodes: note %d", it->type, it->d[0], it->d[1],
            it->d[2], it->n, note);
  if (note >= 0)
    return;
  if (cell.shape == TSR_SHAPE_CURVE) {
    check_curve(it, &view, &cell);
    return;
  }
  for (int f = 0; f < tsr_cell_faces(&cell); ++f) {
    double uv[2];
    if (it->face >= 0 ? it->face == f : parameters_of(&cell, f, it->place, uv)) {
      if (it->face >= 0)
        memcpy(uv, it->place, sizeof uv);
      check_face(it, &view, &cell, f, uv);
      ++found;
    }
  }
  CHECK_SAY(found == 1, "type %d: the place lies on %d faces", it->type, found);
}

/* Numbers of nodes as VTK's documentation of the types has them. */
static void check_degrees(void) {
  static const struct {
    int type, n, degree;
  } known[] = {{12, 8, 1},  {22, 6, 2},  {24, 10, 2}, {27, 13, 2},    {31, 12, 2}, {35, 4, 3},
               {69, 15, 4}, {71, 35, 4}, {71, 15, 2}, {72, 64, 3},    {73, 18, 2}, {73, 21, 2},
               {70, 6, 2},  {72, 24, 2}, {73, 12, 2}, {79, 1331, 10}, {42, 10, 1}, {36, 6, 1}};
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    CHECK_INT(tsr_cells_degree(known[i].type, known[i].n), known[i].degree);
}

int main(void) {
  check_degrees();
  for (int k = 0; k < MOST_NODES; ++k) {
    values[3 * k] = (double)((7919 * k + 13) % 1009) / 1009.0;
    weights[k] = 1.0 + (double)((31 * k) % 7) / 10.0;
    ids[k] = k;
  }
  forms = malloc((size_t)tsr_forms_size() * sizeof *forms);
  if (!forms)
    return 1;
  tsr_forms_make(TSR_FORMS_ALL, forms);
  for (int k = 0; k < ANSWERS; ++k)
    check_answer(&answers[k]);
  free(forms);
  return check_result();
}
