/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Normal Angle against known normals, those of a sphere and a torus: of rational Bezier patches,
 * and of Lagrange patches whose degree is high enough for normals within 1e-4 degrees. No triangle
 * is off by more than was asked, and the largest angle is not far below it. And where the least
 * number of triangles is known, there are no more.
 */
#include <stdlib.h>

#include "cell_mesh.h"
#include "check.h"

static const double PI = 3.14159265358979323846;

/** A patch of a surface of revolution around z: `around` quarters of the way round, with a profile
 *  of quarter circles around (middle, 0), of which the patch has the one that begins at angle
 * `low`.
 */
typedef struct patch {
  cell_mesh *mesh;
  int around;
  double middle, radius, low;
  int lagrange; /**< degree of Lagrange patches; 0: rational Bezier patches of degree 2 */
} patch;

/* Control point k of the quarter of the unit circle that begins at an angle, with its weight. */
static double quarter(double low, int k, double to[2]) {
  const double size = k == 1 ? sqrt(2.0) : 1.0, angle = low + k * PI / 4.0;
  to[0] = size * cos(angle);
  to[1] = size * sin(angle);
  return k == 1 ? sqrt(0.5) : 1.0;
}

static int64_t lagrange_node(const patch *it, const double place[3]) {
  const double a = (it->around + place[0]) * PI / 2.0, b = it->low + place[1] * PI / 2.0;
  const double r = it->middle + it->radius * cos(b);
  const double x[3] = {r * cos(a), r * sin(a), it->radius * sin(b)};
  return cell_mesh_add_point(it->mesh, x);
}

static int64_t patch_node(void *context, const double place[3]) {
  const patch *it = context;
  double a[2], b[2];
  if (it->lagrange)
    return lagrange_node(it, place);
  const double w = quarter(it->around * PI / 2.0, (int)(2 * place[0] + 0.5), a) *
                   quarter(it->low, (int)(2 * place[1] + 0.5), b);
  const double r = it->middle + it->radius * b[0];
  const double x[3] = {r * a[0], r * a[1], it->radius * b[1]};
  const int64_t id = cell_mesh_add_point(it->mesh, x);
  it->mesh->weights[id] = w;
  return id;
}

/* Largest angle in degrees between the normal of a triangle and those of the surface at its
 * corners. */
static double angle_of(const cell_surface *out, int64_t t, double middle) {
  double edge[2][3], flat[3], most = 0.0;
  const int64_t *id = out->polys + 3 * t;
  for (int k = 0; k < 2; k++)
    for (int c = 0; c < 3; c++)
      edge[k][c] = out->points[3 * id[k + 1] + c] - out->points[3 * id[0] + c];
  for (int c = 0; c < 3; c++)
    flat[c] =
        edge[0][(c + 1) % 3] * edge[1][(c + 2) % 3] - edge[0][(c + 2) % 3] * edge[1][(c + 1) % 3];
  for (int k = 0; k < 3; k++) {
    const double *x = out->points + 3 * id[k], r = sqrt(x[0] * x[0] + x[1] * x[1]);
    const double n[3] = {x[0] - middle * x[0] / r, x[1] - middle * x[1] / r, x[2]};
    double dot = 0.0, nn = 0.0, ff = 0.0;
    for (int c = 0; c < 3; c++) {
      dot += n[c] * flat[c];
      nn += n[c] * n[c];
      ff += flat[c] * flat[c];
    }
    const double angle = acos(fmin(1.0, dot / sqrt(nn * ff))) * 180.0 / PI;
    most = angle > most ? angle : most;
  }
  return most;
}

/* Makes the surface by Normal Angle alone. */
static void make_by_angle(const cell_mesh *mesh, int rational, double asked, cell_surface *out) {
  const tsr_cells_view view = cell_mesh_view(mesh, rational);
  tsr_cells_options o;
  tsr_error error;
  tsr_cells_options_init(&o);
  o.use_chord_error = 0;
  o.use_normal_angle = 1;
  o.normal_angle = asked;
  CHECK_INT(cell_surface_make(mesh, &view, &o, NULL, out, &error), TSR_OK);
  CHECK_INT(out->sizes.notes[TSR_CELLS_NOTE_ANGLE].count, 0);
  CHECK_INT(out->sizes.notes[TSR_CELLS_NOTE_LIMIT].count, 0);
}

/* A torus, or with middle 0 the zone of a sphere between the parallels of 45 degrees. least: the
 * largest angle as a part of what is asked. */
static void check_angle(int lagrange, double middle, double radius, double asked, double least) {
  const int rows = middle > 0.0 ? 4 : 1, degree = lagrange ? lagrange : 2;
  cell_mesh mesh = {0};
  cell_surface out;
  double most = 0.0;
  int64_t violations = 0;
  for (int a = 0; a < 4; a++)
    for (int b = 0; b < rows; b++) {
      const int d[3] = {degree, degree, 1};
      patch it = {&mesh, a, middle, radius, (b - 0.5) * PI / 2.0, lagrange};
      cell_mesh_add_lattice(&mesh, lagrange ? 70 : 77, d, patch_node, &it);
    }
  make_by_angle(&mesh, 1, asked, &out);
  for (int64_t t = 0; t < out.sizes.polys; t++) {
    const double angle = angle_of(&out, t, middle);
    violations += angle > asked;
    most = angle > most ? angle : most;
  }
  printf("degree %d, middle %g, %g degrees: %lld triangles, %.3f of the angle\n", degree, middle,
         asked, (long long)out.sizes.polys, most / asked);
  CHECK_INT(violations, 0);
  CHECK_SAY(most >= least * asked, "only %g of %g degrees", most, asked);
  cell_surface_free(&out);
  cell_mesh_free(&mesh);
}

/* An eighth of a pipe of radii 1 to 2. */
static int64_t pipe_node(void *context, const double place[3]) {
  const double r = 1.0 + place[0], angle = place[1] * PI / 4.0;
  const double x[3] = {r * cos(angle), r * sin(angle), place[2]};
  return cell_mesh_add_point(context, x);
}

/* A quadratic hexahedron. A facet over d degrees of a wall has normals d / 2 off at its corners, so
 * that arcs have 45 / (2 asked) steps at least, and the walls two triangles a step. The other sides
 * are flat: a polygon of n corners needs n - 2 triangles, and no normal asks for more. */
static void check_least(double asked) {
  const int d[3] = {2, 2, 2};
  const int64_t steps = (int64_t)ceil(45.0 / (2.0 * asked)), ends = 2 * steps + 2;
  cell_mesh mesh = {0};
  cell_surface out;
  cell_mesh_add_lattice(&mesh, 72, d, pipe_node, &mesh);
  make_by_angle(&mesh, 0, asked, &out);
  CHECK_INT(out.sizes.polys, 2 * (2 * steps) + 2 * (ends - 2) + 2 * 2);
  cell_surface_free(&out);
  cell_mesh_free(&mesh);
}

int main(void) {
  /* By the lengths of second derivatives alone, and cut into 4 x 4 boxes at most, it is 0.082,
   * 0.102, 0.193, 0.377 and 0.194 of the angle. */
  check_angle(0, 0.0, 1.0, 15.0, 0.14);
  check_angle(0, 2.0, 0.5, 15.0, 0.16);
  check_angle(8, 0.0, 1.0, 15.0, 0.24);
  check_angle(8, 2.0, 0.5, 15.0, 0.4);
  check_angle(8, 0.0, 1.0, 4.0, 0.33);
  for (double asked = 5.0; asked < 45.0; asked *= 2.0)
    check_least(asked);
  return check_result();
}
