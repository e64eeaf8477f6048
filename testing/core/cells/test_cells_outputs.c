/* SPDX-License-Identifier: BSD-3-Clause */
/** Edges as curves, the point budget, and the normals of points where faces meet. */
#include <stdlib.h>
#include <string.h>

#include "cell_mesh.h"
#include "check.h"
#include "executor.h"

/** A block of n x n x n hexahedra of a degree, whose nodes are moved by `move`. */
typedef struct block {
  cell_mesh mesh;
  int n, degree;
  int64_t *id; /**< of each node of the whole lattice; -1: not made yet */
  int at[3];   /**< the cell in question */
  double noise;
} block;

static int64_t block_node(void *context, const double place[3]) {
  block *it = context;
  const int m = it->n * it->degree + 1;
  int64_t node = 0;
  double x[3];
  for (int c = 2; c >= 0; c--)
    node = node * m + it->at[c] * it->degree + (int)(place[c] * it->degree + 0.5);
  if (it->id[node] >= 0)
    return it->id[node];
  for (int c = 0; c < 3; c++)
    x[c] = it->at[c] + place[c] + it->noise * (cell_mesh_random((uint64_t)(3 * node + c)) - 0.5);
  it->id[node] = cell_mesh_add_point(&it->mesh, x);
  return it->id[node];
}

static void make_block(block *it, int type) {
  const int d[3] = {it->degree, it->degree, it->degree}, m = it->n * it->degree + 1;
  it->id = malloc((size_t)(m * m * m) * sizeof *it->id);
  if (!it->id)
    abort();
  for (int k = 0; k < m * m * m; k++)
    it->id[k] = -1;
  for (int k = 0; k < it->n * it->n * it->n; k++) {
    it->at[0] = k % it->n;
    it->at[1] = k / it->n % it->n;
    it->at[2] = k / it->n / it->n;
    cell_mesh_add_lattice(&it->mesh, 72, d, block_node, it);
  }
  memset(it->mesh.types, type, (size_t)it->mesh.n_cells);
}

static void free_block(block *it) {
  free(it->id);
  cell_mesh_free(&it->mesh);
}

/* 1 if some polygon has an edge between points in these two places. */
static int has_edge(const cell_surface *it, const double *a, const double *b) {
  for (int64_t c = 0; c < it->sizes.polys; c++) {
    const int64_t first = it->poly_offsets[c], end = it->poly_offsets[c + 1];
    for (int64_t k = first; k < end; k++) {
      const double *p = it->points + 3 * it->polys[k];
      const double *q = it->points + 3 * it->polys[k + 1 < end ? k + 1 : first];
      if ((!memcmp(p, a, 24) && !memcmp(q, b, 24)) || (!memcmp(p, b, 24) && !memcmp(q, a, 24)))
        return 1;
    }
  }
  return 0;
}

/* The outside of a block has 12 n n edges. Each piece of their lines is an edge of a triangle. */
static void check_curves(int type, int degree, int n, double noise) {
  block it = {.n = n, .degree = degree, .noise = noise};
  tsr_cells_options o;
  cell_surface surface, curves, threads;
  executor exec = {.threads = 3};
  const tsr_execution execution = executor_execution(&exec);
  tsr_error error;
  make_block(&it, type);
  const tsr_cells_view view = cell_mesh_view(&it.mesh, 0);
  tsr_cells_options_init(&o);
  o.chord_error = 0.01;
  CHECK_INT(cell_surface_make(&it.mesh, &view, &o, NULL, &surface, &error), TSR_OK);
  o.output = TSR_CELLS_CURVES;
  CHECK_INT(cell_surface_make(&it.mesh, &view, &o, NULL, &curves, &error), TSR_OK);
  CHECK_INT(cell_surface_make(&it.mesh, &view, &o, &execution, &threads, &error), TSR_OK);
  CHECK_INT(curves.sizes.lines, 12 * n * n);
  CHECK_INT(curves.sizes.polys, 0);
  CHECK_INT(curves.line_offsets[0], 0);
  CHECK_INT(curves.line_offsets[curves.sizes.lines], curves.sizes.line_connectivity);
  CHECK_INT(memcmp(curves.lines, threads.lines, (size_t)curves.sizes.line_connectivity * 8), 0);
  CHECK_INT(memcmp(curves.normals, threads.normals, (size_t)curves.sizes.points * 12), 0);
  for (int64_t line = 0; line < curves.sizes.lines; line++) {
    CHECK_INT(curves.cell_ids[line], 7 * curves.source[line]);
    for (int64_t k = curves.line_offsets[line]; k + 1 < curves.line_offsets[line + 1]; k++)
      CHECK(has_edge(&surface, curves.points + 3 * curves.lines[k],
                     curves.points + 3 * curves.lines[k + 1]));
  }
  cell_surface_free(&surface);
  cell_surface_free(&curves);
  cell_surface_free(&threads);
  free_block(&it);
}

static int64_t points_at(const cell_mesh *mesh, double chord, double angle, double length) {
  const tsr_cells_view view = cell_mesh_view(mesh, 0);
  tsr_cells_options o;
  cell_surface out;
  tsr_error error;
  tsr_cells_options_init(&o);
  o.chord_relative = 0;
  o.chord_error = chord;
  o.use_normal_angle = o.use_max_length = 1;
  o.normal_angle = angle;
  o.max_length = length;
  CHECK_INT(cell_surface_make(mesh, &view, &o, NULL, &out, &error), TSR_OK);
  const int64_t points = out.sizes.points;
  cell_surface_free(&out);
  return points;
}

/* Two meshes share a budget. They get what criteria that are `scale` times as large give; a scale
 * that is 1/32 less is too small. */
static void check_budget(int64_t budget, int enough) {
  block it[2] = {{.n = 2, .degree = 3, .noise = 0.2}, {.n = 1, .degree = 2, .noise = 0.1}};
  tsr_cells_plan *plans[2] = {NULL, NULL};
  tsr_cells_options o;
  tsr_error error;
  double scale = 0.0;
  int64_t points = 0, at_scale = 0, before = 0;
  tsr_cells_options_init(&o);
  o.chord_relative = 0;
  o.use_normal_angle = o.use_max_length = o.defer_count = 1;
  o.max_length = 0.1;
  for (int k = 0; k < 2; k++) {
    make_block(&it[k], 72);
    const tsr_cells_view view = cell_mesh_view(&it[k].mesh, 0);
    CHECK_INT(tsr_cells_plan_create(&view, &o, NULL, &plans[k], &error), TSR_OK);
  }
  const tsr_cells_output none = {.struct_size = sizeof none, .points_type = TSR_DOUBLE};
  CHECK_INT(tsr_cells_fill(plans[0], &none, &error), TSR_BAD_OPTION);
  CHECK_INT(tsr_cells_fit_budget(plans, 2, budget, NULL, NULL, &scale, &error), TSR_OK);
  for (int k = 0; k < 2; k++)
    points += tsr_cells_plan_sizes(plans[k])->points;
  printf("budget %lld: %lld points, scale %g\n", (long long)budget, (long long)points, scale);
  if (enough) {
    for (int k = 0; k < 2; k++) {
      const double less = scale * (1.0 - 1.0 / 32.0);
      at_scale += points_at(&it[k].mesh, 0.001 * scale, 15.0 * scale, 0.1 * scale);
      before += points_at(&it[k].mesh, 0.001 * less, 15.0 * less, 0.1 * less);
    }
    CHECK_AT_MOST(points, budget);
    CHECK_INT(points, at_scale);
    CHECK(scale == 1.0 || before > budget);
  } else {
    CHECK(isinf(scale));
    CHECK_INT(points, 26 + 8); /* all corners */
  }
  for (int k = 0; k < 2; k++) {
    cell_surface out;
    CHECK_INT(cell_surface_fill(&it[k].mesh, plans[k], &out, &error), TSR_OK);
    CHECK_INT(cell_surface_open_edges(&out), 0);
    cell_surface_free(&out);
    tsr_cells_plan_free(plans[k]);
    free_block(&it[k]);
  }
}

/* A block without noise: the faces' own normals inside them, the mean of two on its edges, and of
 * three at its corners. Degree 1, as polygons, has corners alone. */
static void check_means(int type, int degree) {
  block it = {.n = 2, .degree = degree};
  tsr_cells_options o;
  cell_surface out;
  tsr_error error;
  make_block(&it, type);
  const tsr_cells_view view = cell_mesh_view(&it.mesh, 0);
  tsr_cells_options_init(&o);
  o.use_max_length = degree > 1;
  o.max_length = 0.4;
  CHECK_INT(cell_surface_make(&it.mesh, &view, &o, NULL, &out, &error), TSR_OK);
  for (int64_t p = 0; p < out.sizes.points; p++) {
    double n[3], size = 0.0;
    for (int c = 0; c < 3; c++) {
      const double x = out.points[3 * p + c];
      n[c] = x < 1e-9 ? -1.0 : x > 2.0 - 1e-9 ? 1.0 : 0.0;
      size += n[c] * n[c];
    }
    for (int c = 0; c < 3; c++)
      CHECK_NEAR(out.normals[3 * p + c], n[c] / sqrt(size), 1e-6);
  }
  cell_surface_free(&out);
  free_block(&it);
}

/* A face with a collapsed edge has a normal there, too, but no bound for the angle. */
static void check_pole(void) {
  static const int d[2] = {2, 2};
  static const double x[9][3] = {{1, 0, 0},   {.8, .8, 0}, {0, 1, 0}, {.5, 0, .5}, {.4, .4, .5},
                                 {0, .5, .5}, {0, 0, 1},   {0, 0, 1}, {0, 0, 1}};
  cell_mesh mesh = {0};
  tsr_cells_options o;
  cell_surface out, plain;
  tsr_error error;
  cell_mesh_add_face(&mesh, 4, 0, d, x);
  const tsr_cells_view view = cell_mesh_view(&mesh, 0);
  tsr_cells_options_init(&o);
  o.use_normal_angle = 1;
  CHECK_INT(cell_surface_make(&mesh, &view, &o, NULL, &out, &error), TSR_OK);
  CHECK_INT(out.sizes.notes[TSR_CELLS_NOTE_ANGLE].count, 1);
  o.use_normal_angle = 0;
  CHECK_INT(cell_surface_make(&mesh, &view, &o, NULL, &plain, &error), TSR_OK);
  CHECK_INT(out.sizes.polys, plain.sizes.polys);
  for (int64_t p = 0; p < out.sizes.points; p++) {
    const float *n = out.normals + 3 * p;
    CHECK_NEAR(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1.0, 1e-5);
    CHECK(n[0] > -0.1f && n[1] > -0.1f && n[2] > -0.1f);
  }
  cell_surface_free(&out);
  cell_surface_free(&plain);
  cell_mesh_free(&mesh);
}

int main(void) {
  check_curves(72, 2, 2, 0.2);
  check_curves(72, 4, 1, 0.1);
  check_curves(12, 1, 3, 0.1);
  check_budget(1000000, 1);
  check_budget(3000, 1);
  check_budget(420, 1);
  check_budget(20, 0);
  check_means(72, 3);
  check_means(12, 1);
  check_pole();
  return check_result();
}
