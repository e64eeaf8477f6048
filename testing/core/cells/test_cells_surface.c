/* SPDX-License-Identifier: BSD-3-Clause */
/** Whole meshes: surfaces whose formula is known, and mixed meshes that must be closed. */
#include <stdlib.h>
#include <string.h>

#include "cell_mesh.h"
#include "check.h"
#include "executor.h"

static const double PI = 3.14159265358979323846;

/** Nodes that are found again by their place and weight. */
typedef struct node_finder {
  cell_mesh mesh;
  double corner[4][3]; /**< block: origin and axes of the cell in question, in the lattice */
  int kind;
  double noise;
} node_finder;

/* The point at a place with a weight. Meshes are small: all points are looked at. */
static int64_t find_node(node_finder *it, const double x[3], double w) {
  for (int64_t p = 0; p < it->mesh.n_points; p++) {
    const double *y = it->mesh.points + 3 * p;
    if (fabs(x[0] - y[0]) + fabs(x[1] - y[1]) + fabs(x[2] - y[2]) < 1e-9 &&
        fabs(it->mesh.weights[p] - w) < 1e-9)
      return p;
  }
  const int64_t id = cell_mesh_add_point(&it->mesh, x);
  it->mesh.weights[id] = w;
  return id;
}

/* Control point k of quarter `quarter` of the unit circle, with its weight. */
static double circle(int quarter, int k, double to[2]) {
  static const double x[4][3] = {{1, 1, 0}, {0, -1, -1}, {-1, -1, 0}, {0, 1, 1}};
  static const double y[4][3] = {{0, 1, 1}, {1, 1, 0}, {0, -1, -1}, {-1, -1, 0}};
  to[0] = x[quarter][k];
  to[1] = y[quarter][k];
  return k == 1 ? sqrt(0.5) : 1.0;
}

/** A patch of a surface of revolution around z: a quarter of the circle (middle + radius cos,
 * radius sin), round a quarter of the way. */
typedef struct ring {
  node_finder *nodes;
  int around, along;
  double middle, radius;
} ring;

static int64_t ring_node(void *context, const double place[3]) {
  const ring *it = context;
  double a[2], b[2];
  const double w = circle(it->around, (int)(2 * place[0] + 0.5), a) *
                   circle(it->along, (int)(2 * place[1] + 0.5), b);
  const double r = it->middle + it->radius * b[0];
  const double x[3] = {r * a[0], r * a[1], it->radius * b[1]};
  return find_node(it->nodes, x, w);
}

static void add_ring(node_finder *nodes, int around, int along, double middle, double radius) {
  const int d[3] = {2, 2, 1};
  ring it = {nodes, around, along, middle, radius};
  /* A lattice of one layer: the type's third axis is not used. */
  cell_mesh_add_lattice(&nodes->mesh, 77, d, ring_node, &it);
}

/* Volume under all triangles. */
static double volume_of(const cell_surface *it) {
  double sum = 0.0;
  for (int64_t t = 0; t < it->sizes.polys; t++) {
    const double *a = it->points + 3 * it->polys[3 * t], *b = it->points + 3 * it->polys[3 * t + 1],
                 *c = it->points + 3 * it->polys[3 * t + 2];
    sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return sum / 6.0;
}

/* Distance of x from the torus, or with middle 0 from the sphere. */
static double off_ring(const double *x, double middle, double radius) {
  const double r = sqrt(x[0] * x[0] + x[1] * x[1]) - middle;
  return fabs(sqrt(r * r + x[2] * x[2]) - radius);
}

/* Farthest place of the triangles. */
static double farthest(const cell_surface *it, double middle, double radius) {
  enum { PARTS = 8 };
  double most = 0.0;
  for (int64_t t = 0; t < it->sizes.polys; t++)
    for (int i = 0; i <= PARTS; i++)
      for (int j = 0; i + j <= PARTS; j++) {
        const double l[3] = {(double)(PARTS - i - j) / PARTS, (double)i / PARTS, (double)j / PARTS};
        double x[3] = {0.0};
        for (int k = 0; k < 3; k++)
          for (int c = 0; c < 3; c++)
            x[c] += l[k] * it->points[3 * it->polys[3 * t + k] + c];
        const double off = off_ring(x, middle, radius);
        most = off > most ? off : most;
      }
  return most;
}

/* A sphere (middle 0) or torus, closed. most: triangles. */
static void check_ring(double middle, double radius, double chord, double volume, int64_t most) {
  node_finder nodes = {.noise = 0.0};
  tsr_cells_options o;
  cell_surface out;
  tsr_error error;
  for (int a = 0; a < 4; a++)
    for (int b = 0; b < 4; b++)
      if (middle > 0.0 || b == 0 || b == 3)
        add_ring(&nodes, a, b, middle, radius);
  tsr_cells_options_init(&o);
  o.chord_relative = 0;
  o.chord_error = chord;
  const tsr_cells_view view = cell_mesh_view(&nodes.mesh, 1);
  CHECK_INT(cell_surface_make(&nodes.mesh, &view, &o, NULL, &out, &error), TSR_OK);
  for (int64_t p = 0; p < out.sizes.points; p++) {
    const double *x = out.points + 3 * p, r = sqrt(x[0] * x[0] + x[1] * x[1]);
    CHECK_AT_MOST(off_ring(x, middle, radius), 1e-13);
    for (int c = 0; c < 3 && r > 0.0; c++)
      CHECK_NEAR(out.normals[3 * p + c], (x[c] - (c < 2 ? middle * x[c] / r : 0.0)) / radius, 1e-5);
    CHECK(r > 0.0 || out.normals[3 * p + 2] * x[2] > 0.9999);
  }
  for (int64_t t = 0; t < out.sizes.polys; t++)
    CHECK_AT_MOST(out.achieved[t], chord);
  CHECK_INT(out.sizes.notes[TSR_CELLS_NOTE_LIMIT].count, 0);
  CHECK_INT(cell_surface_open_edges(&out), 0);
  const double error_found = farthest(&out, middle, radius);
  CHECK_AT_MOST(error_found, chord);
  CHECK_NEAR(volume_of(&out), volume, 3.0 * chord * volume / radius);
  printf("ring %g %g: %lld triangles, off by %.2f of the chord error\n", middle, radius,
         (long long)out.sizes.polys, error_found / chord);
  CHECK_AT_MOST(out.sizes.polys, most);
  cell_surface_free(&out);
  cell_mesh_free(&nodes.mesh);
}

/* A node of a block of the mixed mesh: corner + place times the axes, in the unit of the lattice.
 */
static int64_t block_node(void *context, const double place[3]) {
  node_finder *it = context;
  double x[3];
  for (int c = 0; c < 3; c++)
    x[c] = it->corner[0][c] + place[0] * it->corner[1][c] + place[1] * it->corner[2][c] +
           place[2] * it->corner[3][c];
  return find_node(it, x, 1.0);
}

/* A cell with this first corner and the axes to the next ones. */
static void add_block(node_finder *it, int type, int degree, const double corner[3],
                      double axes[3][3]) {
  const int d[3] = {degree, degree, degree};
  for (int c = 0; c < 3; c++) {
    it->corner[0][c] = corner[c];
    for (int k = 0; k < 3; k++)
      it->corner[k + 1][c] = axes[k][c];
  }
  cell_mesh_add_lattice(&it->mesh, type, d, block_node, it);
}

/* The six pyramids of a block, of VTK's quadratic ones, with 13 or 19 points. */
static void add_pyramids(node_finder *it, const double at[3], int full) {
  for (int f = 0; f < 6; f++) {
    const int axis = f / 2, side = f % 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
    double x[19][3];
    int64_t ids[19];
    for (int k = 0; k < 4; k++) {
      const int a = k == 1 || k == 2, b = k >= 2;
      x[k][axis] = at[axis] + side;
      x[k][u] = at[u] + (side ? b : a); /* the base looks outward */
      x[k][v] = at[v] + (side ? a : b);
    }
    for (int c = 0; c < 3; c++) {
      x[4][c] = at[c] + 0.5;
      x[13][c] = 0.25 * (x[0][c] + x[1][c] + x[2][c] + x[3][c]);
      x[18][c] = 0.5 * (x[13][c] + x[4][c]);
      for (int k = 0; k < 4; k++) {
        x[5 + k][c] = 0.5 * (x[k][c] + x[(k + 1) % 4][c]);
        x[9 + k][c] = 0.5 * (x[k][c] + x[4][c]);
        x[14 + k][c] = (x[k][c] + x[(k + 1) % 4][c] + x[4][c]) / 3.0;
      }
    }
    for (int k = 0; k < (full ? 19 : 13); k++)
      ids[k] = find_node(it, x[k], 1.0);
    const int d[3] = {2, 2, 2};
    cell_mesh_add_cell(&it->mesh, full ? 37 : 27, d, ids, full ? 19 : 13);
  }
}

/* Fills block (i, j, k) with cells of one kind. */
static void fill_block(node_finder *it, int kind, int degree, int i, int j, int k) {
  static double whole[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  static double half[3][3] = {{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}};
  static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                   {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  const double at[3] = {i, j, k}, far_corner[3] = {i + 1, j + 1, k};
  const int bezier = it->kind == 1 ? 7 : 0;
  if (kind == 0) {
    add_block(it, 72 + bezier, degree, at, whole);
  } else if (kind == 1) {
    add_block(it, 73 + bezier, degree, at, whole);
    add_block(it, 73 + bezier, degree, far_corner, half);
  } else if (kind == 2) {
    for (int t = 0; t < 6; t++) { /* Kuhn's division: along the axes in each order */
      double axes[3][3] = {{0}};
      for (int step = 0; step < 3; step++)
        for (int later = step; later < 3; later++)
          axes[later][orders[t][step]] = 1.0;
      if (t == 1 || t == 2 || t == 5) /* the others have this orientation by themselves */
        for (int c = 0; c < 3; c++) {
          const double swap = axes[0][c];
          axes[0][c] = axes[1][c];
          axes[1][c] = swap;
        }
      add_block(it, 71 + bezier, degree, at, axes);
    }
  } else {
    add_pyramids(it, at, it->kind == 2);
  }
}

/* Blocks of hexahedra, wedges, tetrahedra and, for degree 2, pyramids; all nodes are moved. */
static void make_mixed(node_finder *it, int degree, int n, int kinds) {
  for (int k = 0; k < n; k++)
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
        fill_block(it, (int)(cell_mesh_random((uint64_t)((k * n + j) * n + i) + 77) * kinds),
                   degree, i, j, k);
  for (int64_t p = 0; p < it->mesh.n_points; p++)
    for (int c = 0; c < 3; c++) {
      it->mesh.points[3 * p + c] +=
          it->noise * (cell_mesh_random((uint64_t)(3 * p + c) + 1000) - 0.5);
      it->mesh.values[CELL_MESH_VALUES * p + c] = it->mesh.points[3 * p + c];
    }
}

static void check_mixed(int degree, int kinds, int kind, double noise) {
  node_finder nodes = {.kind = kind, .noise = noise};
  executor exec = {.threads = 3};
  const tsr_execution execution = executor_execution(&exec);
  tsr_cells_options o;
  cell_surface one, out;
  tsr_error error;
  make_mixed(&nodes, degree, 2, kinds);
  tsr_cells_options_init(&o);
  o.chord_error = 0.004;
  const tsr_cells_view view = cell_mesh_view(&nodes.mesh, 0);
  CHECK_INT(cell_surface_make(&nodes.mesh, &view, &o, NULL, &one, &error), TSR_OK);
  CHECK_INT(cell_surface_make(&nodes.mesh, &view, &o, &execution, &out, &error), TSR_OK);
  for (int k = 0; k < TSR_CELLS_NOTE_LIMIT; k++)
    CHECK_INT(out.sizes.notes[k].count, 0);
  printf("degree %d, %lld cells: %lld faces, %lld triangles\n", degree,
         (long long)nodes.mesh.n_cells, (long long)out.sizes.faces, (long long)out.sizes.polys);
  CHECK_INT(cell_surface_open_edges(&out), 0);
  if (noise == 0.0) /* whatever is inside twice cancels */
    CHECK_NEAR(volume_of(&out), 8.0, 1e-12);
  CHECK_INT(memcmp(&one.sizes, &out.sizes, sizeof out.sizes), 0);
  CHECK_INT(memcmp(one.points, out.points, (size_t)out.sizes.points * 24), 0);
  CHECK_INT(memcmp(one.polys, out.polys, (size_t)out.sizes.poly_connectivity * 8), 0);
  for (int64_t p = 0; p < 3 * out.sizes.points; p++)
    CHECK_NEAR(out.values[CELL_MESH_VALUES * (p / 3) + p % 3], out.points[p], 1e-14);
  for (int64_t c = 0; c < out.sizes.polys; c++)
    CHECK_INT(out.cell_ids[c], 7 * out.source[c]);
  cell_surface_free(&one);
  cell_surface_free(&out);
  cell_mesh_free(&nodes.mesh);
}

/* n x n x n hexahedra without curvature: their outside, exactly. */
static void check_outside(int type, int degree, int n) {
  node_finder nodes = {.noise = 0.0};
  static double whole[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  tsr_cells_options o;
  cell_surface out;
  tsr_error error;
  for (int k = 0; k < n * n * n; k++) {
    const double at[3] = {k % n, k / n % n, k / n / n};
    add_block(&nodes, 72, degree, at, whole);
  }
  memset(nodes.mesh.types, type, (size_t)nodes.mesh.n_cells);
  tsr_cells_options_init(&o);
  tsr_cells_view view = cell_mesh_view(&nodes.mesh, 0);
  CHECK_INT(cell_surface_make(&nodes.mesh, &view, &o, NULL, &out, &error), TSR_OK);
  CHECK_INT(out.sizes.polys, (type == 12 ? 1 : 2) * 6 * n * n);
  CHECK_INT(out.sizes.points, (n + 1) * (n + 1) * (n + 1) - (n - 1) * (n - 1) * (n - 1));
  CHECK_INT(cell_surface_open_edges(&out), 0);
  cell_surface_free(&out);
  /* Cell 0 is another process's: its three outer faces go; a cell that is absent shows three. */
  uint8_t *roles = calloc((size_t)nodes.mesh.n_cells, 1);
  if (!roles)
    return;
  view.roles = roles;
  roles[0] = TSR_CELLS_NEIGHBOUR;
  CHECK_INT(cell_surface_make(&nodes.mesh, &view, &o, NULL, &out, &error), TSR_OK);
  CHECK_INT(out.sizes.polys, (type == 12 ? 1 : 2) * (6 * n * n - 3));
  cell_surface_free(&out);
  roles[0] = TSR_CELLS_ABSENT;
  CHECK_INT(cell_surface_make(&nodes.mesh, &view, &o, NULL, &out, &error), TSR_OK);
  CHECK_INT(out.sizes.polys, (type == 12 ? 1 : 2) * 6 * n * n);
  cell_surface_free(&out);
  free(roles);
  cell_mesh_free(&nodes.mesh);
}

/* A node of a face of two triangles: the paraboloid z = x^2 + 2 x y, which all degrees have alike.
 * Only the ends of edges are shared. */
static int64_t paraboloid_node(void *context, const double place[3]) {
  node_finder *it = context;
  double x[3];
  for (int c = 0; c < 2; c++)
    x[c] = it->corner[0][c] + place[0] * it->corner[1][c] + place[1] * it->corner[2][c];
  x[2] = x[0] * x[0] + 2.0 * x[0] * x[1];
  const int corner = place[0] + place[1] == 0.0 || place[0] == 1.0 || place[1] == 1.0;
  /* Inner nodes of different cells differ by their weights alone, which Lagrange cells ignore. */
  return find_node(it, x, corner ? 1.0 : 2.0 + it->kind);
}

/* Triangles of degrees a and b with a common edge that has other nodes on each side: it is divided
 * alike, so that points lie in the same places, to within rounding. */
static void check_degrees(int a, int b) {
  static const double axes[2][2][2] = {{{1, 0}, {0, 1}}, {{-1, 0}, {0, -1}}};
  node_finder nodes = {.noise = 0.0};
  tsr_cells_options o;
  cell_surface out;
  tsr_error error;
  int64_t on_edge[2] = {0, 0};
  for (int t = 0; t < 2; t++) {
    const int d[3] = {t ? b : a, t ? b : a, 1};
    nodes.kind = t;
    nodes.corner[0][0] = nodes.corner[0][1] = t;
    for (int k = 0; k < 2; k++)
      memcpy(nodes.corner[k + 1], axes[t][k], sizeof axes[t][k]);
    cell_mesh_add_lattice(&nodes.mesh, 69, d, paraboloid_node, &nodes);
  }
  tsr_cells_options_init(&o);
  const tsr_cells_view view = cell_mesh_view(&nodes.mesh, 0);
  CHECK_INT(cell_surface_make(&nodes.mesh, &view, &o, NULL, &out, &error), TSR_OK);
  for (int64_t p = 0; p < out.sizes.points; p++) {
    const double *x = out.points + 3 * p;
    if (fabs(x[0] + x[1] - 1.0) > 1e-12 || x[0] * x[1] < 1e-9)
      continue;
    int64_t twins = 0;
    for (int64_t q = 0; q < out.sizes.points; q++)
      twins += fabs(x[0] - out.points[3 * q]) + fabs(x[1] - out.points[3 * q + 1]) +
                   fabs(x[2] - out.points[3 * q + 2]) <
               1e-13;
    on_edge[0]++;
    on_edge[1] += twins == 2;
  }
  CHECK(on_edge[0] > 4);
  CHECK_INT(on_edge[1], on_edge[0]);
  cell_surface_free(&out);
  cell_mesh_free(&nodes.mesh);
}

/* A flat cell of n corners, and beside its side s a triangle whose edge has the same ends and
 * bends: both edges get the same number of steps. */
static void check_flat_beside(int n, int s) {
  static const double square[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  const double tip[3] = {0.5, -1.0, 0.0};
  const int d[3] = {2, 2, 1};
  cell_mesh mesh = {0};
  tsr_cells_options o;
  cell_surface out;
  tsr_error error;
  double middle[3];
  int64_t ids[8], edge[6], inside[2] = {0, 0};
  for (int k = 0; k < n; k++) /* side s is the one along x */
    ids[(k + s) % n] = cell_mesh_add_point(&mesh, square[n == 3 && k == 2 ? 3 : k]);
  for (int k = 0; k < n; k++) {
    for (int c = 0; c < 3; c++)
      middle[c] = 0.5 * (mesh.points[3 * ids[k] + c] + mesh.points[3 * ids[(k + 1) % n] + c]);
    ids[n + k] = cell_mesh_add_point(&mesh, middle);
  }
  cell_mesh_add_cell(&mesh, n == 3 ? 22 : 23, d, ids, 2 * n);
  edge[0] = ids[(s + 1) % n];
  edge[1] = ids[s];
  edge[2] = cell_mesh_add_point(&mesh, tip);
  for (int k = 0; k < 3; k++) {
    for (int c = 0; c < 3; c++)
      middle[c] = 0.5 * (mesh.points[3 * edge[k] + c] + mesh.points[3 * edge[(k + 1) % 3] + c]);
    middle[2] = k == 0 ? 0.3 : 0.0;
    edge[3 + k] = cell_mesh_add_point(&mesh, middle);
  }
  cell_mesh_add_cell(&mesh, 22, d, edge, 6);
  tsr_cells_options_init(&o);
  const tsr_cells_view view = cell_mesh_view(&mesh, 0);
  CHECK_INT(cell_surface_make(&mesh, &view, &o, NULL, &out, &error), TSR_OK);
  for (int64_t p = 0; p < out.sizes.points; p++) {
    const double *x = out.points + 3 * p;
    if (fabs(x[1]) < 1e-12 && x[0] > 1e-9 && x[0] < 1.0 - 1e-9)
      inside[x[2] > 1e-9]++;
  }
  CHECK(inside[1] > 3);
  CHECK_INT(inside[0], inside[1]);
  cell_surface_free(&out);
  cell_mesh_free(&mesh);
}

int main(void) {
  for (int side = 0; side < 4; side++) {
    if (side < 3)
      check_flat_beside(3, side);
    check_flat_beside(4, side);
  }
  check_degrees(2, 4);
  check_degrees(5, 3);
  check_degrees(2, 10);
  check_ring(0.0, 1.0, 1e-3, 4.0 / 3.0 * PI, 17500);
  check_ring(2.0, 0.5, 1e-3, 2.0 * PI * PI * 2.0 * 0.25, 27500);
  check_outside(72, 2, 3);
  check_outside(79, 3, 2);
  check_outside(12, 1, 3);
  for (int degree = 2; degree <= 4; degree++)
    for (int kind = 0; kind < 3; kind++)
      check_mixed(degree, degree == 2 && kind != 1 ? 4 : 3, kind, 0.25 / degree);
  check_mixed(2, 4, 2, 0.0);
  check_mixed(3, 3, 0, 0.0);
  return check_result();
}
