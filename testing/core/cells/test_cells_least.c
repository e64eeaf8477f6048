/* SPDX-License-Identifier: BSD-3-Clause */
/** Small faces become nearly as few triangles as an exhaustive search over regular grids finds. */
#include <math.h>
#include <string.h>

#include "cell_mesh.h"
#include "check.h"
#include "curved_face.h"

/* 1 if no place of a regular grid of nu x nv steps, cut along one diagonal or the other, is farther
 * than the chord error from the face. */
static int grid_is_near(const curved_face *it, int nu, int nv, int turned, double chord) {
  enum { PARTS = 2 };
  double most[2] = {0.0, 0.0};
  for (int t = 0; t < 2 * nu * nv && most[0] <= chord; t++) {
    const int i = t / 2 % nu, j = t / 2 / nu, up = t % 2;
    const int lower[3][2] = {{0, 0}, {1, 0}, {turned, 1}};
    const int upper[3][2] = {{!turned, 0}, {1, 1}, {0, 1}};
    long double corner[3][5], uv[3][2];
    for (int k = 0; k < 3; k++) {
      const int *at = up ? upper[k] : lower[k];
      uv[k][0] = (long double)(i + at[0]) / nu;
      uv[k][1] = (long double)(j + at[1]) / nv;
      curved_face_at(it, uv[k][0], uv[k][1], corner[k]);
    }
    for (int a = 0; a <= PARTS; a++)
      for (int b = 0; a + b <= PARTS; b++) {
        const long double l[3] = {(long double)(PARTS - a - b) / PARTS, (long double)a / PARTS,
                                  (long double)b / PARTS};
        curved_face_off(it, corner, uv, l, most);
      }
  }
  return most[0] <= chord;
}

/* Number of triangles that the face becomes. */
static int64_t triangles_of(const curved_face *it, double chord) {
  cell_mesh mesh = {0};
  tsr_cells_options o;
  cell_surface out;
  tsr_error error;
  cell_mesh_add_face(&mesh, it->sides, it->bezier, it->d, it->x);
  if (it->rational)
    memcpy(mesh.weights, it->w, (size_t)it->n * sizeof *it->w);
  const tsr_cells_view view = cell_mesh_view(&mesh, it->rational);
  tsr_cells_options_init(&o);
  o.chord_relative = 0;
  o.chord_error = chord;
  CHECK_INT(cell_surface_make(&mesh, &view, &o, NULL, &out, &error), TSR_OK);
  const int64_t triangles = out.sizes.polys;
  cell_surface_free(&out);
  cell_mesh_free(&mesh);
  return triangles;
}

/* The triangles of a face are at most `times` as many as those of the smallest regular grid that is
 * near enough, found by trying all; or, if `times` is above 1, as those of a grid with one step
 * more in both directions. */
static void nearly_least(curved_face it, double chord, double times, const char *name) {
  int64_t least = INT64_MAX, next = 0;
  for (int nu = 1; nu <= 24; nu++)
    for (int nv = 1; nv <= 24; nv++)
      for (int turned = 0; turned < 2 && 2 * nu * nv < least; turned++)
        if (grid_is_near(&it, nu, nv, turned, chord)) {
          least = 2 * nu * nv;
          next = 2 * (nu + 1) * (nv + 1);
        }
  const int64_t triangles = triangles_of(&it, chord);
  printf("%s, chord error %g: %lld triangles, %lld by trying all\n", name, chord,
         (long long)triangles, (long long)least);
  CHECK_AT_MOST((double)triangles, fmax(times * (double)least, times > 1.0 ? (double)next : 0.0));
}

/* A square of degree 2 over the unit square with z = a u u + b u v + c v v. */
static curved_face bowl(double a, double b, double c) {
  curved_face it = {.sides = 4, .d = {2, 2}};
  for (int j = 0; j <= 2; j++)
    for (int i = 0; i <= 2; i++, it.n++) {
      const double u = i / 2.0, v = j / 2.0;
      it.x[it.n][0] = u;
      it.x[it.n][1] = v;
      it.x[it.n][2] = a * u * u + b * u * v + c * v * v;
    }
  return it;
}

/* Part of a surface of revolution around z as a rational face: a quarter of the way around, and
 * with `round` a quarter of the circle (middle + cos, sin) along, else a straight line. */
static curved_face ring(int round, double middle) {
  static const double arc[3][3] = {{1, 0, 1}, {1, 1, 0.70710678118654752}, {0, 1, 1}};
  curved_face it = {.sides = 4, .bezier = 1, .rational = 1, .d = {2, round ? 2 : 1}};
  for (int b = 0; b <= it.d[1]; b++)
    for (int a = 0; a <= 2; a++, it.n++) {
      const double r = round ? middle + arc[b][0] : 1.0;
      it.x[it.n][0] = r * arc[a][0];
      it.x[it.n][1] = r * arc[a][1];
      it.x[it.n][2] = round ? arc[b][1] : 3.0 * b;
      it.w[it.n] = arc[a][2] * (round ? arc[b][2] : 1.0);
    }
  return it;
}

/* A square of degree 2 with its nodes on the unit sphere, 0.3 wide. */
static curved_face cap(void) {
  curved_face it = {.sides = 4, .d = {2, 2}};
  for (int j = 0; j <= 2; j++)
    for (int i = 0; i <= 2; i++, it.n++) {
      const double u = 0.15 * (i - 1), v = 0.15 * (j - 1);
      const double size = sqrt(1.0 + u * u + v * v);
      it.x[it.n][0] = u / size;
      it.x[it.n][1] = v / size;
      it.x[it.n][2] = 1.0 / size;
    }
  return it;
}

/* A flat sector of a ring of degree 2, from radius 1 to 2, that spans an angle of 1. Its arcs have
 * other steps than its straight sides, of which there is one, so that no two strips fit side by
 * side. */
static curved_face sector(void) {
  curved_face it = {.sides = 4, .d = {2, 2}};
  for (int j = 0; j <= 2; j++)
    for (int i = 0; i <= 2; i++, it.n++) {
      it.x[it.n][0] = (1.0 + 0.5 * j) * sin(0.5 * i);
      it.x[it.n][1] = (1.0 + 0.5 * j) * cos(0.5 * i);
    }
  return it;
}

/* As few triangles as a search over all regular grids finds, but for a factor. The mixed
 * derivatives of numerator and weight of a cylinder, which are not 0, do not bend it. Opposite
 * sides of the torus have other steps, so that strips surround its grid. The cap needs a finer grid
 * than its edges do, and its strips are as deep as a row of the grid. */
static void nearly_least_of_all(void) {
  static const double chords[] = {0.03, 0.006};
  for (int k = 0; k < 2; k++) {
    nearly_least(ring(0, 0.0), chords[k], 1.3, "a rational cylinder");
    nearly_least(ring(1, 2.0), 2 * chords[k], 1.8, "a rational torus");
    nearly_least(bowl(1, 0, 0), chords[k], 1.3, "a trough");
    nearly_least(bowl(1, 0, 1), chords[k], 1.3, "a bowl");
    nearly_least(bowl(1, 0, -1), chords[k], 1.3, "a saddle");
    nearly_least(bowl(1, 1, 0.5), chords[k], 1.3, "a skew bowl");
  }
  nearly_least(cap(), 0.0009, 1.0, "a cap of a sphere");
  nearly_least(sector(), 0.009, 1.7, "a flat sector of a ring");
  nearly_least(sector(), 0.0018, 1.25, "a flat sector of a ring");
}

int main(void) {
  nearly_least_of_all();
  return check_result();
}
