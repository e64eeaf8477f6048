/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The output Cells, of several cells: faces of mixed meshes that must be shared, the bytes of
 * several threads, budgets, and cells that are copied or left out.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "executor.h"
#include "solid_mesh.h"

/* Nodes that are found again by their place. Meshes are small: all points are looked at. */
typedef struct blocks {
  cell_mesh mesh;
  double corner[3], axes[3][3];
  double noise;
} blocks;

static int64_t block_node(void *context, const double place[3]) {
  blocks *it = context;
  double x[3];
  for (int c = 0; c < 3; c++) {
    x[c] = it->corner[c];
    for (int k = 0; k < 3; k++)
      x[c] += place[k] * it->axes[k][c];
  }
  for (int64_t p = 0; p < it->mesh.n_points; p++) {
    const double *y = it->mesh.values + CELL_MESH_VALUES * p;
    if (fabs(x[0] - y[0]) + fabs(x[1] - y[1]) + fabs(x[2] - y[2]) < 1e-9)
      return p;
  }
  const int64_t id = cell_mesh_add_point(&it->mesh, x);
  memcpy(it->mesh.values + CELL_MESH_VALUES * id, x, sizeof x);
  for (int c = 0; c < 3; c++) /* nodes between blocks stay in their planes */
    if (fabs(x[c] - floor(x[c] + 0.5)) > 1e-9)
      it->mesh.points[3 * id + c] +=
          it->noise * (cell_mesh_random((uint64_t)(3 * id + c) + 1000) - 0.5);
  return id;
}

static void add_block(blocks *it, int type, int degree, const double corner[3], double axes[3][3]) {
  const int d[3] = {degree, degree, degree};
  memcpy(it->corner, corner, sizeof it->corner);
  memcpy(it->axes, axes, sizeof it->axes);
  cell_mesh_add_lattice(&it->mesh, type, d, block_node, it);
}

/* Tetrahedra of a block by Kuhn's division, along the axes in each order; x runs backwards, so that
 * the diagonals of the bottom are those of wedges. */
static void add_tetrahedra(blocks *it, int type, int degree, const double at[3]) {
  static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                   {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  const double corner[3] = {at[0] + 1, at[1], at[2]};
  for (int t = 0; t < 6; t++) {
    double axes[3][3] = {{0}};
    for (int step = 0; step < 3; step++)
      for (int later = step; later < 3; later++)
        axes[later][orders[t][step]] = orders[t][step] == 0 ? -1.0 : 1.0;
    for (int c = 0; (t == 0 || t == 3 || t == 4) && c < 3; c++) { /* the others are positive */
      const double swap = axes[0][c];
      axes[0][c] = axes[1][c];
      axes[1][c] = swap;
    }
    add_block(it, type, degree, corner, axes);
  }
}

/* Two hexahedra at x < 1, wedges beside them at z < 1, and tetrahedra on the wedges: the corners of
 * all faces fit. The volume is 6. */
static void fill_blocks(blocks *it, int bezier, int degree) {
  static double whole[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  static double half[3][3] = {{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}};
  for (int y = 0; y < 2; y++) {
    const double hexahedron[3] = {0, y, 0}, wedge[3] = {1, y, 0}, other[3] = {2, y + 1, 0};
    const double tetrahedra[3] = {1, y, 1};
    add_block(it, 72 + bezier, degree, hexahedron, whole);
    add_block(it, 73 + bezier, degree, wedge, whole);
    add_block(it, 73 + bezier, degree, other, half);
    add_tetrahedra(it, 71 + bezier, degree, tetrahedra);
  }
}

static int compare_faces(const void *a, const void *b) { return memcmp(a, b, 3 * sizeof(int64_t)); }

/* 1 if a face lies outside of all blocks. */
static int is_outside(const solid_mesh *it, const int64_t face[3]) {
  double least[3] = {9, 9, 9}, most[3] = {-9, -9, -9};
  int outside = 0;
  for (int k = 0; k < 3; k++)
    for (int c = 0; c < 3; c++) {
      const double x = it->points[3 * face[k] + c];
      least[c] = x < least[c] ? x : least[c];
      most[c] = x > most[c] ? x : most[c];
    }
  for (int c = 0; c < 3; c++)
    outside = outside || most[c] < 1e-12 || least[c] > 2.0 - 1e-12;
  outside = outside || (least[0] > 1.0 - 1e-12 && most[0] < 1.0 + 1e-12 && most[2] > 1.0 + 1e-9);
  return outside || (least[2] > 1.0 - 1e-12 && most[2] < 1.0 + 1e-12 && least[0] < 1.0 - 1e-9);
}

/* Faces of tetrahedra that no second one has, inside the blocks, or that a second one has, outside.
 * Faces with equal corners are left out. */
static int64_t open_faces(const solid_mesh *it) {
  int64_t(*faces)[3] = solid_mesh_room(4 * it->sizes.solids, sizeof *faces), n = 0, open = 0;
  for (int64_t t = 0; t < it->sizes.solids; t++)
    for (int f = 0; f < 4; f++) {
      int64_t *to = faces[n];
      int k = 0;
      for (int c = 0; c < 4; c++)
        if (c != f) {
          int at = k++;
          for (; at > 0 && to[at - 1] > it->ids[4 * t + c]; at--)
            to[at] = to[at - 1];
          to[at] = it->ids[4 * t + c];
        }
      n += to[0] != to[1] && to[1] != to[2];
    }
  qsort(faces, (size_t)n, sizeof *faces, compare_faces);
  for (int64_t k = 0, next; k < n; k = next) {
    for (next = k; next < n && compare_faces(faces[k], faces[next]) == 0;)
      next++;
    open += next - k != (is_outside(it, faces[k]) ? 1 : 2);
  }
  free(faces);
  return open;
}

static double all_volumes(const solid_mesh *it) {
  long double sum = 0.0L;
  for (int64_t t = 0; t < it->sizes.solids; t++) {
    long double x[4][3];
    const long double *at[4] = {x[0], x[1], x[2], x[3]};
    for (int k = 0; k < 4; k++)
      for (int c = 0; c < 3; c++)
        x[k][c] = it->points[3 * it->ids[4 * t + k] + c];
    sum += solid_mesh_volume(at);
  }
  return (double)sum;
}

/* Hexahedra, wedges and tetrahedra: no gap, and on 3 threads the same bytes. */
static void check_mixed(int bezier, int degree, double noise, double chord) {
  blocks it = {.noise = noise};
  executor exec = {.threads = 3};
  const tsr_execution execution = executor_execution(&exec);
  tsr_cells_options o;
  solid_mesh one, out;
  tsr_error error;
  fill_blocks(&it, bezier, degree);
  tsr_cells_options_init(&o);
  o.output = TSR_CELLS_VOLUMES;
  o.chord_error = chord;
  const tsr_cells_view view = cell_mesh_view(&it.mesh, 0);
  CHECK_INT(solid_mesh_make(&it.mesh, &view, &o, NULL, &one, &error), TSR_OK);
  CHECK_INT(solid_mesh_make(&it.mesh, &view, &o, &execution, &out, &error), TSR_OK);
  CHECK_INT(out.sizes.notes[TSR_CELLS_NOTE_LIMIT].count, 0);
  CHECK_INT(open_faces(&out), 0);
  CHECK_NEAR(all_volumes(&out), 6.0, 1e-11);
  CHECK_INT(memcmp(&one.sizes, &out.sizes, sizeof out.sizes), 0);
  CHECK_INT(memcmp(one.points, out.points, (size_t)out.sizes.points * 24), 0);
  CHECK_INT(memcmp(one.ids, out.ids, (size_t)out.sizes.solid_connectivity * 8), 0);
  CHECK_INT(memcmp(one.achieved, out.achieved, (size_t)out.sizes.solids * 8), 0);
  for (int64_t t = 1; t < out.sizes.solids; t++)
    CHECK(out.source[t] >= out.source[t - 1]);
  CHECK_INT(out.source[out.sizes.solids - 1], it.mesh.n_cells - 1);
  printf("degree %d, %lld cells: %lld tetrahedra\n", degree, (long long)it.mesh.n_cells,
         (long long)out.sizes.solids);
  /* Fewer points than the plan has: it is too large; with a budget, it is coarser. */
  o.limit_points = out.sizes.points - 1;
  solid_mesh_free(&one);
  CHECK_INT(solid_mesh_make(&it.mesh, &view, &o, NULL, &one, &error), TSR_TOO_LARGE);
  o.limit_points = 0;
  o.defer_count = 1;
  tsr_cells_plan *plan = NULL;
  double scale = 0.0;
  CHECK_INT(tsr_cells_plan_create(&view, &o, NULL, &plan, &error), TSR_OK);
  CHECK_INT(tsr_cells_fit_budget(&plan, 1, out.sizes.points - 1, NULL, NULL, &scale, &error),
            TSR_OK);
  CHECK(noise == 0.0 || scale > 1.0);
  CHECK(noise == 0.0 || tsr_cells_plan_sizes(plan)->points < out.sizes.points);
  tsr_cells_plan_free(plan);
  solid_mesh_free(&out);
  cell_mesh_free(&it.mesh);
}

/* Cells that are copied, and cells that are left out. */
static void check_others(void) {
  static const struct {
    int type, n, kept;
  } cells[] = {{10, 4, 1},  {11, 8, 1},  {12, 8, 1},  {13, 6, 1},  {14, 5, 1}, {15, 10, 1},
               {16, 12, 1}, {27, 13, 0}, {37, 19, 0}, {33, 24, 0}, {42, 8, 0}};
  cell_mesh mesh = {0};
  tsr_cells_options o;
  solid_mesh out;
  tsr_error error;
  int64_t at = 0;
  for (size_t k = 0; k < sizeof cells / sizeof cells[0]; k++) {
    int64_t ids[27];
    const int d[3] = {2, 2, 2};
    for (int i = 0; i < cells[k].n; i++) {
      const double x[3] = {cell_mesh_random(31 * k + (uint64_t)i), i, (double)k};
      ids[i] = cell_mesh_add_point(&mesh, x);
    }
    cell_mesh_add_cell(&mesh, cells[k].type, d, ids, cells[k].n);
  }
  tsr_cells_options_init(&o);
  o.output = TSR_CELLS_VOLUMES;
  const tsr_cells_view view = cell_mesh_view(&mesh, 0);
  CHECK_INT(solid_mesh_make(&mesh, &view, &o, NULL, &out, &error), TSR_OK);
  CHECK_INT(out.sizes.solids, 7);
  CHECK_INT(out.sizes.notes[TSR_CELLS_NOTE_SOLID].count, 3);
  CHECK_INT(out.sizes.notes[TSR_CELLS_NOTE_SOLID].first, 7);
  CHECK_INT(out.sizes.notes[TSR_CELLS_NOTE_TYPE].count, 1);
  for (int64_t s = 0; s < out.sizes.solids; s++) {
    CHECK_INT(out.types[s], cells[s].type);
    CHECK_INT(out.source[s], s);
    CHECK_INT(out.offsets[s + 1] - out.offsets[s], cells[s].n);
    for (int i = 0; i < cells[s].n; i++, at++)
      for (int c = 0; c < 3; c++)
        CHECK(out.points[3 * out.ids[at] + c] == mesh.points[3 * mesh.ids[at] + c]);
  }
  char text[300];
  tsr_cells_note_sentence(TSR_CELLS_NOTE_SOLID, out.sizes.notes[TSR_CELLS_NOTE_SOLID], text,
                          sizeof text);
  CHECK(strstr(text, "3 cells (the first is of cell 7) are left out") != NULL);
  solid_mesh_free(&out);
  cell_mesh_free(&mesh);
}

/* Tetrahedra of a quadratic tetrahedron whose array is the square of a coordinate, with a value at
 * a node that is not finite; node -1: with none. */
static int64_t solids_of_values(int node, double bad) {
  const double corner[3] = {0, 0, 0};
  double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, values[10];
  blocks it = {.noise = 0.0};
  tsr_cells_options o;
  solid_mesh out;
  tsr_error error;
  add_block(&it, 71, 2, corner, axes);
  for (int k = 0; k < 10; k++)
    values[k] = k == node ? bad : it.mesh.points[3 * k] * it.mesh.points[3 * k];
  const tsr_array field = {values, TSR_DOUBLE, 1, 10};
  const tsr_cells_view view = cell_mesh_view(&it.mesh, 0);
  tsr_cells_options_init(&o);
  o.output = TSR_CELLS_VOLUMES;
  o.fields = &field;
  o.n_fields = 1;
  o.field_relative = 0;
  CHECK_INT(solid_mesh_make(&it.mesh, &view, &o, NULL, &out, &error), TSR_OK);
  const int64_t solids = out.sizes.solids;
  solid_mesh_free(&out);
  cell_mesh_free(&it.mesh);
  return solids;
}

/* An array that is not finite at one node asks for nothing. */
static void check_not_finite(void) {
  CHECK(solids_of_values(-1, 0.0) > 1);
  for (int k = 0; k < 10; k++) {
    CHECK_INT(solids_of_values(k, (double)NAN), 1);
    CHECK_INT(solids_of_values(k, (double)INFINITY), 1);
  }
}

int main(void) {
  check_others();
  check_not_finite();
  for (int degree = 2; degree <= 3; degree++)
    for (int bezier = 0; bezier <= 7; bezier += 7) {
      check_mixed(bezier, degree, 0.0, 0.001);
      check_mixed(bezier, degree, (bezier ? 0.2 : 0.03) / (degree * degree), 0.02);
    }
  return check_result();
}
