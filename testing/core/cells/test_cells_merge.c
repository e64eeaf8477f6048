/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Merge Points: a discontinuous mesh, in which each cell has points of its own, becomes the mesh
 * whose cells share them, as a slow loop over all pairs of points makes it.
 */
#include <stdlib.h>
#include <string.h>

#include "cell_mesh.h"
#include "check.h"
#include "executor.h"

/** The cell in question of a row of bent blocks. */
typedef struct row {
  cell_mesh *mesh;
  int cell;
} row;

/* A node of a cell, always a new point. Equal places have equal positions, as -0 and 0 are. */
static int64_t own_node(void *context, const double place[3]) {
  const row *it = context;
  const double s = it->cell + place[0], t = 0.75 * s;
  const double x[3] = {s, place[1] + 0.125 * t * t, it->cell % 2 ? -(place[2] * 1.0) : -place[2]};
  const int64_t id = cell_mesh_add_point(it->mesh, x);
  for (int k = 0; k < CELL_MESH_VALUES; k++) /* each cell has other values on the seams */
    it->mesh->values[CELL_MESH_VALUES * id + k] = s + 0.001 * it->cell + k;
  if (it->cell % 2 && place[2] == 0.0)
    it->mesh->points[3 * id + 2] = 0.0;
  return id;
}

static void make_row(cell_mesh *mesh, int type, int degree, int cells) {
  const int d[3] = {degree, degree, degree};
  row it = {mesh, 0};
  for (; it.cell < cells; it.cell++)
    cell_mesh_add_lattice(mesh, type == 12 ? 72 : type, d, own_node, &it);
}

/* The mesh with the lowest of equal points, by a loop over all pairs. */
static void merge_slowly(cell_mesh *mesh) {
  for (int64_t k = 0; k < mesh->n_ids; k++) {
    const double *x = mesh->points + 3 * mesh->ids[k];
    for (int64_t p = 0; p < mesh->n_points; p++) {
      const double *y = mesh->points + 3 * p;
      if (x[0] == y[0] && x[1] == y[1] && x[2] == y[2] &&
          mesh->weights[p] == mesh->weights[mesh->ids[k]]) {
        mesh->ids[k] = p;
        break;
      }
    }
  }
}

static void make(const cell_mesh *mesh, int rational, int merge, const tsr_execution *execution,
                 cell_surface *out) {
  const tsr_cells_view view = cell_mesh_view(mesh, rational);
  const tsr_array field = {mesh->values, TSR_DOUBLE, CELL_MESH_VALUES, mesh->n_points};
  tsr_cells_options o;
  tsr_error error;
  tsr_cells_options_init(&o);
  o.chord_error = 0.003;
  o.fields = &field;
  o.n_fields = 1;
  o.merge_points = merge;
  CHECK_INT(cell_surface_make(mesh, &view, &o, execution, out, &error), TSR_OK);
}

static void check_same(const cell_surface *a, const cell_surface *b) {
  CHECK_INT(a->sizes.points, b->sizes.points);
  CHECK_INT(a->sizes.polys, b->sizes.polys);
  if (a->sizes.points != b->sizes.points || a->sizes.polys != b->sizes.polys)
    return;
  CHECK_INT(memcmp(a->points, b->points, (size_t)a->sizes.points * 24), 0);
  CHECK_INT(memcmp(a->values, b->values, (size_t)a->sizes.points * CELL_MESH_VALUES * 8), 0);
  CHECK_INT(memcmp(a->normals, b->normals, (size_t)a->sizes.points * 12), 0);
  CHECK_INT(memcmp(a->polys, b->polys, (size_t)a->sizes.poly_connectivity * 8), 0);
}

/* A row of `cells` blocks. Of volumes, all 6 faces are drawn, or those outside; of surface cells
 * the seams are open, or only the rim. */
static void check_row(int type, int degree, int cells) {
  const int volume = type == 72 || type == 79 || type == 12;
  executor exec = {.threads = 3};
  const tsr_execution threads = executor_execution(&exec);
  cell_surface split, merged, slow, again;
  cell_mesh mesh = {0};
  make_row(&mesh, type, degree, cells);
  if (type == 12)
    memset(mesh.types, 12, (size_t)mesh.n_cells);
  make(&mesh, type == 79, 0, NULL, &split);
  make(&mesh, type == 79, 1, NULL, &merged);
  make(&mesh, type == 79, 1, &threads, &again);
  merge_slowly(&mesh);
  make(&mesh, type == 79, 0, NULL, &slow);
  check_same(&merged, &slow);
  check_same(&merged, &again);
  if (volume) {
    CHECK_INT(cell_surface_open_edges(&split), 0);
    CHECK_INT(cell_surface_open_edges(&merged), 0);
    CHECK(merged.sizes.polys < split.sizes.polys);
    CHECK_INT(merged.sizes.edges, type == 12 ? 0 : 12 + 8 * (cells - 1));
    CHECK_INT(split.sizes.edges, type == 12 ? 0 : 12 * cells);
  } else {
    CHECK_INT(split.sizes.edges, 4 * cells);
    CHECK_INT(merged.sizes.edges, 3 * cells + 1);
    CHECK(cell_surface_open_edges(&split) > cell_surface_open_edges(&merged));
  }
  /* On the seam the values are those of the lower cell. */
  for (int64_t p = 0; p < merged.sizes.corners; p++) {
    const double x = merged.points[3 * p];
    CHECK(x != 1.0 || merged.values[CELL_MESH_VALUES * p] == 1.0);
  }
  cell_surface_free(&split);
  cell_surface_free(&merged);
  cell_surface_free(&slow);
  cell_surface_free(&again);
  cell_mesh_free(&mesh);
}

/* Points with other weights stay apart, and so do positions that are not numbers. */
static void check_apart(void) {
  cell_mesh mesh = {0};
  cell_surface out;
  make_row(&mesh, 77, 2, 2);
  for (int64_t p = 9; p < 18; p++)
    mesh.weights[p] = 2.0;
  make(&mesh, 1, 1, NULL, &out);
  CHECK_INT(out.sizes.edges, 8);
  cell_surface_free(&out);
  make(&mesh, 0, 1, NULL, &out);
  CHECK_INT(out.sizes.edges, 7);
  cell_surface_free(&out);
  mesh.points[0] = mesh.points[27] = NAN;
  make(&mesh, 0, 1, NULL, &out);
  CHECK_INT(out.sizes.notes[TSR_CELLS_NOTE_PLACE].count, 2);
  cell_surface_free(&out);
  mesh.ids[0] = 1000;
  make(&mesh, 0, 1, NULL, &out);
  CHECK_INT(out.sizes.notes[TSR_CELLS_NOTE_ID].count, 1);
  cell_surface_free(&out);
  cell_mesh_free(&mesh);
}

/* A thousand cells in one place: many points, one position. */
static void check_pile(void) {
  cell_mesh mesh = {0};
  cell_surface out;
  for (int k = 0; k < 1000; k++)
    make_row(&mesh, 70, 2, 1);
  make(&mesh, 0, 1, NULL, &out);
  CHECK_INT(out.sizes.edges, 4);
  CHECK_INT(out.sizes.corners, 4);
  cell_surface_free(&out);
  cell_mesh_free(&mesh);
}

int main(void) {
  check_row(70, 2, 3);
  check_row(70, 3, 4);
  check_row(77, 3, 3);
  check_row(72, 2, 3);
  check_row(79, 2, 3);
  check_row(12, 1, 4);
  check_apart();
  check_pile();
  return check_result();
}
