/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Single faces against an independent evaluator: Lagrange and Bezier, rational, of any degrees.
 * Each triangle is compared with the surface at many places: the point arrays carry the parameters
 * of the vertices, and the surface is evaluated there by de Casteljau's or Neville's recursion in
 * long double.
 */
#include <stdlib.h>
#include <string.h>

#include "cell_mesh.h"
#include "check.h"
#include "curved_face.h"
#include "curved_face_random.h"

typedef long double real;
typedef curved_face face;

/* What is allowed; 0: not in use. */
typedef struct limits {
  double chord, field, angle, length;
} limits;

/* How many faces had their angles checked. */
static int64_t angles;

/* Parameters of a point of the output. */
static void parameters(const cell_surface *out, int64_t point, real uv[2]) {
  const double *value = out->values + CELL_MESH_VALUES * point;
  uv[0] = (real)value[0] / value[3];
  uv[1] = (real)value[1] / value[3];
}

/* A point of the output as it is stored, its value, and its parameters. */
static void vertex(const cell_surface *out, int64_t point, real to[5], real uv[2]) {
  parameters(out, point, uv);
  for (int c = 0; c < 3; c++)
    to[c] = out->points[3 * point + c];
  to[4] = out->values[CELL_MESH_VALUES * point + 2];
}

/* About how many triangles and points of a face are looked at; 0: all, at a lattice of places. */
static int64_t sample;

/* Number of the next random number for the place in a triangle. */
static uint64_t next_place;

/* Of n triangles or points, each of this number is looked at, from number n % stride on. */
static int64_t stride(int64_t n) { return sample > 0 ? n / sample + 1 : 1; }

/* Largest angle in degrees between the normals of a triangle and of the face at its corners and in
 * the middle, and its longest edge. */
static void measure_shape(const face *it, const cell_surface *out, int64_t t, double most[2]) {
  const int64_t *corner = out->polys + 3 * t;
  real uv[4][2] = {{0}}, flat[3], n[3];
  double edge[3][3];
  for (int k = 0; k < 3; k++) {
    double length = 0.0;
    parameters(out, corner[k], uv[k]);
    uv[3][0] += uv[k][0] / 3;
    uv[3][1] += uv[k][1] / 3;
    for (int c = 0; c < 3; c++) {
      edge[k][c] = out->points[3 * corner[(k + 1) % 3] + c] - out->points[3 * corner[k] + c];
      length += edge[k][c] * edge[k][c];
    }
    most[1] = sqrt(length) > most[1] ? sqrt(length) : most[1];
  }
  for (int c = 0; c < 3; c++)
    flat[c] = (real)edge[0][(c + 1) % 3] * edge[1][(c + 2) % 3] -
              (real)edge[0][(c + 2) % 3] * edge[1][(c + 1) % 3];
  for (int k = 0; k < 4; k++) {
    curved_face_normal(it, uv[k][0], uv[k][1], n);
    const double angle = (double)curved_face_angle(flat, n);
    most[0] = angle > most[0] ? angle : most[0];
  }
}

/* Checks the criteria of shape, and the normals of the points. */
static void check_shape(const face *it, const cell_surface *out, const limits *allowed,
                        const char *name) {
  const int64_t triangles = out->sizes.polys, points = out->sizes.points;
  double most[2] = {0.0, 0.0};
  if (!(allowed->length > 0.0) && !(allowed->angle > 0.0))
    return;
  for (int64_t t = triangles % stride(triangles); t < triangles; t += stride(triangles))
    measure_shape(it, out, t, most);
  if (out->sizes.notes[TSR_CELLS_NOTE_LIMIT].count > 0)
    return;
  CHECK_SAY(!(allowed->length > 0.0) || most[1] <= allowed->length, "%s: an edge of %g, not %g",
            name, most[1], allowed->length);
  if (!(allowed->angle > 0.0) || out->sizes.notes[TSR_CELLS_NOTE_ANGLE].count > 0)
    return;
  angles++;
  CHECK_SAY(most[0] <= allowed->angle, "%s: an angle of %g, not %g", name, most[0], allowed->angle);
  for (int64_t p = points % stride(points); p < points; p += stride(points)) {
    real uv[2], n[3], made[3];
    parameters(out, p, uv);
    curved_face_normal(it, uv[0], uv[1], n);
    for (int c = 0; c < 3; c++)
      made[c] = out->normals[3 * p + c];
    CHECK_SAY(curved_face_angle(n, made) < 0.05, "%s: a normal is off by %g degrees", name,
              (double)curved_face_angle(n, made));
  }
}

/* The parametric coordinates of the points are the parameters that the values carry. */
static void check_parameters(const cell_surface *out, const char *name) {
  for (int64_t p = 0; p < out->sizes.points; p++) {
    const double *made = out->parameters + 3 * p;
    real uv[2];
    parameters(out, p, uv);
    CHECK_INT(out->parameter_cell[p], 0);
    CHECK_SAY(fabsl(made[0] - uv[0]) + fabsl(made[1] - uv[1]) < 1e-12L && made[2] == 0.0,
              "%s: point %lld is at %g %g, not %g %g", name, (long long)p, made[0], made[1],
              (double)uv[0], (double)uv[1]);
  }
}

/* Distance and field difference of triangle t from the surface at barycentric coordinates l. */
static void measure_at(const face *it, const cell_surface *out, int64_t t, const double l[3],
                       double here[2]) {
  const real at[3] = {l[0], l[1], 1 - (real)l[0] - l[1]};
  real corner[3][5], uv[3][2];
  for (int k = 0; k < 3; k++)
    vertex(out, out->polys[3 * t + k], corner[k], uv[k]);
  curved_face_off(it, corner, uv, at, here);
}

/* Places in triangles, to be measured side by side. */
typedef struct places {
  int n;
  int64_t t[CURVED_FACE_BESIDE];   /* the triangles */
  double l[CURVED_FACE_BESIDE][3]; /* barycentric coordinates */
  double u[CURVED_FACE_BESIDE], v[CURVED_FACE_BESIDE];
  double drawn[4][CURVED_FACE_BESIDE]; /* as curved_face_beside gives the surface */
} places;

static void put_place(const face *it, const cell_surface *out, int64_t t, const double l[3],
                      places *to) {
  const int i = to->n++;
  to->t[i] = t;
  to->u[i] = to->v[i] = to->drawn[0][i] = to->drawn[1][i] = to->drawn[2][i] = to->drawn[3][i] = 0;
  for (int k = 0; k < 3; k++) {
    const int64_t point = out->polys[3 * t + k];
    const double *value = out->values + CELL_MESH_VALUES * point;
    to->l[i][k] = l[k];
    to->u[i] += l[k] * (value[0] / value[3]);
    to->v[i] += l[k] * (value[1] / value[3]);
    for (int c = 0; c < 3; c++)
      to->drawn[c][i] += l[k] * (out->points[3 * point + c] - it->x[0][c]);
    to->drawn[3][i] += l[k] * value[2];
  }
}

/* Measures the places, in double; where that gives more than nine tenths of what is allowed, or so
 * little is allowed that rounding matters, in long double once more. */
static void measure_places(const face *it, const cell_surface *out, const limits *allowed,
                           places *from, double most[2]) {
  double there[4][CURVED_FACE_BESIDE];
  for (int i = from->n; i < CURVED_FACE_BESIDE; i++)
    from->u[i] = from->v[i] = 0;
  curved_face_beside(it, from->u, from->v, there);
  for (int i = 0; i < from->n; i++) {
    const double achieved = out->achieved[from->t[i]] * (1.0 + 1e-9) + 1e-14;
    const double chord =
        allowed->chord > 0.0 && allowed->chord < achieved ? allowed->chord : achieved;
    const double field = allowed->field > 0.0 ? allowed->field : 1e300;
    double here[2] = {0.0, fabs(from->drawn[3][i] - there[3][i])};
    for (int c = 0; c < 3; c++)
      here[0] += (from->drawn[c][i] - there[c][i]) * (from->drawn[c][i] - there[c][i]);
    here[0] = sqrt(here[0]);
    if (!(here[0] < 0.9 * chord && here[1] < 0.9 * field && chord > 1e-9 && field > 1e-9)) {
      here[0] = here[1] = 0.0;
      measure_at(it, out, from->t[i], from->l[i], here);
    }
    CHECK_AT_MOST(here[0], achieved);
    most[0] = here[0] > most[0] ? here[0] : most[0];
    most[1] = here[1] > most[1] ? here[1] : most[1];
  }
  from->n = 0;
}

/* Measures a sample of the triangles, each in its middle and at a random place, which is on a side
 * for one of two. */
static void measure_sample(const face *it, const cell_surface *out, const limits *allowed,
                           double most[2]) {
  static const double middle[3] = {1.0 / 3, 1.0 / 3, 1.0 / 3};
  const int64_t n = out->sizes.polys;
  places at = {.n = 0};
  for (int64_t t = n % stride(n); t < n; t += stride(n), next_place += 3) {
    const double a = cell_mesh_random(next_place), b = cell_mesh_random(next_place + 1);
    const double k = 6 * cell_mesh_random(next_place + 2);
    const int side = (int)k % 3;
    double l[3];
    l[side] = k < 3 ? 0 : b * (1 - a);
    l[(side + 1) % 3] = a;
    l[(side + 2) % 3] = 1 - l[side] - a;
    put_place(it, out, t, middle, &at);
    put_place(it, out, t, l, &at);
    if (at.n == CURVED_FACE_BESIDE || t + stride(n) >= n)
      measure_places(it, out, allowed, &at, most);
  }
}

/* Largest distance and field difference of the triangles from the surface. No triangle is farther
 * away than its achieved error says. */
static void measure(const face *it, const cell_surface *out, const limits *allowed,
                    double most[2]) {
  const int64_t n = out->sizes.polys;
  const int parts = n > 200 ? 2 : 5;
  most[0] = most[1] = 0.0;
  if (sample > 0) {
    measure_sample(it, out, allowed, most);
    return;
  }
  for (int64_t t = 0; t < n; t++) {
    double here[2] = {0.0, 0.0};
    for (int i = 0; i <= parts; i++)
      for (int j = 0; i + j <= parts; j++) {
        const double l[3] = {(double)i / parts, (double)j / parts, 0};
        measure_at(it, out, t, l, here);
      }
    CHECK_AT_MOST(here[0], out->achieved[t] * (1.0 + 1e-9) + 1e-14);
    most[0] = here[0] > most[0] ? here[0] : most[0];
    most[1] = here[1] > most[1] ? here[1] : most[1];
  }
}

/* Area of the triangles in the parameter plane, and the least of one. */
static double parameter_area(const cell_surface *out, double *least) {
  double sum = 0.0;
  *least = 1.0;
  for (int64_t t = 0; t < out->sizes.polys; t++) {
    real p[3][2];
    for (int k = 0; k < 3; k++)
      parameters(out, out->polys[3 * t + k], p[k]);
    const double area = (double)((p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) -
                                 (p[2][0] - p[0][0]) * (p[1][1] - p[0][1])) /
                        2.0;
    *least = area < *least ? area : *least;
    sum += area;
  }
  return sum;
}

/* The face as a mesh of one cell. A rational face interpolates u / w and 1 / w to u / W and 1 / W:
 * the values 0, 1 and 3 carry the parameters. */
static double *make_mesh(const face *it, cell_mesh *mesh) {
  double *field;
  memset(mesh, 0, sizeof *mesh);
  cell_mesh_add_face(mesh, it->sides, it->bezier, it->d, it->x);
  field = malloc((size_t)mesh->n_points * sizeof *field);
  if (!field)
    abort();
  for (int64_t p = 0; p < mesh->n_points; p++) {
    double *value = mesh->values + CELL_MESH_VALUES * p;
    const int a = (int)(value[0] * it->d[0] + 0.5), b = (int)(value[1] * it->d[1] + 0.5);
    const int at =
        it->sides == 3 ? b * (it->d[0] + 1) - b * (b - 1) / 2 + a : b * (it->d[0] + 1) + a;
    const double w = it->rational ? it->w[at] : 1.0;
    mesh->weights[p] = w;
    value[0] /= w;
    value[1] /= w;
    value[2] = field[p] = it->f[at];
    value[3] = 1.0 / w;
  }
  return field;
}

/* How many faces were measured, and the sum of what was found as parts of what is allowed. */
static int64_t measured;
static double shares;

/* Divides a face. Returns the number of triangles. */
static int64_t check_limits(const face *it, const limits *allowed, int most_segments,
                            const char *name) {
  const double chord = allowed->chord, field = allowed->field;
  double most[2], least;
  tsr_cells_options o;
  cell_surface out;
  tsr_error error;
  cell_mesh mesh;
  double *values = make_mesh(it, &mesh);
  mesh.without_normals = sample > 0 && !(allowed->angle > 0.0);
  const tsr_array array = {values, TSR_DOUBLE, 1, mesh.n_points};
  const tsr_cells_view view = cell_mesh_view(&mesh, it->rational);
  tsr_cells_options_init(&o);
  o.use_chord_error = chord > 0.0;
  o.chord_relative = o.field_relative = 0;
  o.use_field_error = field > 0.0;
  o.chord_error = chord;
  o.field_error = field;
  o.fields = &array;
  o.n_fields = 1;
  o.use_normal_angle = allowed->angle > 0.0;
  o.normal_angle = allowed->angle;
  o.use_max_length = allowed->length > 0.0;
  o.max_length = allowed->length;
  o.max_segments = most_segments;
  const tsr_status status = cell_surface_make(&mesh, &view, &o, NULL, &out, &error);
  CHECK_SAY(status == TSR_OK, "%s: %s", name, error.text);
  const int64_t triangles = out.sizes.polys;
  measure(it, &out, allowed, most);
  if (out.sizes.notes[TSR_CELLS_NOTE_LIMIT].count == 0) {
    const double share = chord > 0.0 ? most[0] / chord : field > 0.0 ? most[1] / field : 0.0;
    measured++;
    shares += share;
    CHECK_SAY(!(chord > 0.0) || most[0] <= chord, "%s: off by %g, not %g", name, most[0], chord);
    CHECK_SAY(!(field > 0.0) || most[1] <= field, "%s: field off by %g, not %g", name, most[1],
              field);
  }
  check_shape(it, &out, allowed, name);
  check_parameters(&out, name);
  CHECK_NEAR(parameter_area(&out, &least), it->sides == 3 ? 0.5 : 1.0, 1e-9);
  CHECK_SAY(least > -1e-15, "%s: a triangle of area %g", name, least);
  cell_surface_free(&out);
  cell_mesh_free(&mesh);
  free(values);
  return triangles;
}

static int64_t check_face(const face *it, double chord, double field, int most_segments,
                          const char *name) {
  const limits allowed = {chord, field, 0.0, 0.0};
  return check_limits(it, &allowed, most_segments, name);
}

/* The evaluation side by side gives what the one in long double does. */
static void check_beside(const face *it, uint64_t *seed) {
  double u[CURVED_FACE_BESIDE], v[CURVED_FACE_BESIDE], to[4][CURVED_FACE_BESIDE];
  for (int k = 0; k < CURVED_FACE_BESIDE; k++) {
    u[k] = cell_mesh_between(seed, 0, 1);
    v[k] = cell_mesh_between(seed, 0, it->sides == 3 ? 1 - u[k] : 1);
  }
  curved_face_beside(it, u, v, to);
  for (int k = 0; k < CURVED_FACE_BESIDE; k++) {
    real at[5];
    curved_face_at(it, u[k], v[k], at);
    for (int c = 0; c < 3; c++)
      CHECK_NEAR(to[c][k], at[c] - it->x[0][c], 1e-11);
    CHECK_NEAR(to[3][k], at[4], 1e-11);
  }
}

static void random_faces(int n, uint64_t seed) {
  static const double noises[] = {0.0, 1e-3, 0.03, 0.2, 1.0};
  const int shapes =
      sample > 0 ? 101 : 3; /* one in so many has its angle limited: that takes long */
  int64_t triangles = 0;
  next_place = (seed << 40) + ((uint64_t)1 << 39);
  seed <<= 40; /* a face takes fewer than 1,000 random numbers */
  for (int k = 0; k < n; k++) {
    const double noise = noises[k % 5];
    const face it = curved_face_random(&seed, noise);
    const double chord = (noise + 1e-3) * exp(cell_mesh_between(&seed, -4.6, 0.7));
    const double field = (noise + 1e-3) * exp(cell_mesh_between(&seed, -4.6, 0.7));
    char name[64];
    snprintf(name, sizeof name, "face %d (%d sides, degrees %d %d)", k, it.sides, it.d[0], it.d[1]);
    const limits allowed = {k % 4 == 1 ? 0.0 : chord, k % 4 == 2 ? 0.0 : field,
                            k % shapes == 1 ? cell_mesh_between(&seed, 2, 60) : 0.0,
                            k % shapes == 2 ? cell_mesh_between(&seed, 0.05, 0.5) : 0.0};
    triangles += check_limits(&it, &allowed, sample > 0 ? 8 : 32, name);
    if (sample == 0)
      check_beside(&it, &seed);
  }
  printf(
      "%lld faces of %d measured, %lld by angles, %lld triangles, errors %.2f of what is allowed\n",
      (long long)measured, n, (long long)angles, (long long)triangles, shares / (double)measured);
}

/* Normal Angle, alone or with a chord error that divides sides unequally: triangles are as large as
 * it allows. Half of the faces lie in a plane, where no normal asks for more, but no triangle may
 * be turned over. */
static void random_angles(int n, uint64_t seed) {
  static const double noises[] = {1e-3, 0.03, 0.1, 0.2};
  const int64_t before = sample;
  int64_t triangles = 0;
  sample = 8;
  angles = 0;
  seed = (seed << 40) + ((uint64_t)1 << 38);
  for (int k = 0; k < n; k++) {
    face it = curved_face_random(&seed, noises[k % 4]);
    for (int p = 0; k / 4 % 2 == 0 && p < it.n; p++)
      it.x[p][2] = 0.0;
    char name[64];
    snprintf(name, sizeof name, "angle %d (%d sides, degrees %d %d)", k, it.sides, it.d[0],
             it.d[1]);
    const double chord = noises[k % 4] * exp(cell_mesh_between(&seed, -4, 0));
    const limits allowed = {k / 8 % 2 ? chord : 0.0, 0.0, cell_mesh_between(&seed, 2, 60), 0.0};
    triangles += check_limits(&it, &allowed, 16, name);
  }
  printf("%d faces, %lld by angles, %lld triangles\n", n, (long long)angles, (long long)triangles);
  sample = before;
}

/* A field of degree 5 that is 0 at the corners and the middles of the edges, where a check of edge
 * middles finds nothing: (1 - 2u) u (1 - u) 's square root form in u alone. */
static void field_unseen_at_middles(void) {
  face it = {.sides = 4, .d = {5, 1}};
  for (int b = 0; b <= 1; b++)
    for (int a = 0; a <= 5; a++, it.n++) {
      const double u = a / 5.0;
      it.x[it.n][0] = u;
      it.x[it.n][1] = b;
      it.f[it.n] = 40.0 * u * (u - 0.25) * (u - 0.5) * (u - 0.75) * (u - 1.0);
    }
  CHECK(check_face(&it, 1e-3, 1e-3, 256, "the field of degree 5") > 40);
}

/* Bends along u only: no step is made along v. */
static void bends_in_one_direction(void) {
  face it = {.sides = 4, .d = {2, 1}};
  for (int b = 0; b <= 1; b++)
    for (int a = 0; a <= 2; a++, it.n++) {
      it.x[it.n][0] = a / 2.0;
      it.x[it.n][1] = b;
      it.x[it.n][2] = a == 1;
    }
  /* |S_uu| = 8: one step in u of length h is off by h h; the edges take three quarters. */
  const int64_t steps = (int64_t)ceil(sqrt(1.0 / (0.75 * 1e-4)));
  CHECK_INT(check_face(&it, 1e-4, 0.0, 256, "the parabola"), 2 * steps);
}

/* Bends along one diagonal of the parameters: cells of the grid that are cut along the other one
 * are off four times as far. A step h of both parameters is off by h h / 4 at the middle of a side.
 */
static void bends_along_a_diagonal(double sign) {
  face it = {.sides = 4, .d = {2, 2}};
  for (int b = 0; b <= 2; b++)
    for (int a = 0; a <= 2; a++, it.n++) {
      const double u = a / 2.0, v = b / 2.0;
      it.x[it.n][0] = u;
      it.x[it.n][1] = v;
      it.x[it.n][2] = (u + sign * v) * (u + sign * v);
    }
  CHECK_AT_MOST(check_face(&it, 1e-3, 0.0, 256, "a bend along a diagonal"), 2 * 19 * 19);
}

/* A rational square of the degrees 8 to 10 along both directions, the most that there are, whose
 * weights differ tenfold. */
static void rational_of_high_degree(void) {
  int64_t first = 0;
  for (int d = 8; d <= TSR_CELLS_MAX_DEGREE; d++) {
    face it = {.sides = 4, .bezier = 1, .rational = 1, .d = {d, d}};
    for (int b = 0; b <= d; b++)
      for (int a = 0; a <= d; a++, it.n++) {
        const double u = (double)a / d, v = (double)b / d;
        it.x[it.n][0] = u + 0.1 * sin(3.0 * v);
        it.x[it.n][1] = v;
        it.x[it.n][2] = 0.5 * sin(4.0 * u + v);
        it.w[it.n] = exp(2.3 * u * v);
        it.f[it.n] = cos(5.0 * v);
      }
    const int64_t triangles = check_face(&it, 2e-2, 2e-2, 256, "a rational square of high degree");
    first = d == 8 ? triangles : first;
    /* Control points of nearly the same surface. */
    CHECK_AT_MOST((double)triangles, 1.1 * (double)first);
  }
}

/* Use: test_cells_faces [faces at random, 150 [seed, 1 [triangles of each that are measured, 0:
 * all]]]; with arguments nothing else is checked. */
int main(int argc, char **arguments) {
  sample = argc > 3 ? atoi(arguments[3]) : 0;
  const int n = argc > 1 ? atoi(arguments[1]) : 150;
  const uint64_t seed = argc > 2 ? (uint64_t)atoll(arguments[2]) : 1;
  random_faces(n, seed);
  random_angles(argc > 1 ? n / 500 : 300, seed);
  if (argc > 1)
    return check_result();
  bends_in_one_direction();
  bends_along_a_diagonal(1.0);
  bends_along_a_diagonal(-1.0);
  field_unseen_at_middles();
  rational_of_high_degree();
  return check_result();
}
