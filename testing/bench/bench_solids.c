/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Speed of Adaptive Cells with Output Type Cells: tetrahedra a second of plan and fill, of curved
 * Lagrange tetrahedra that fill a bent cube, with a field error of 1 % of the range. The last line
 * is of small cells, which are flat enough to stay one tetrahedron each.
 * Use: bench_solids [cubes along each axis, 20: of 6 tetrahedra each] [threads, 1]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "executor.h"
#include "solid_mesh.h"

/* Processor time of all threads. */
static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* Tetrahedra whose nodes are those of a grid of m points along each axis. */
typedef struct cube {
  cell_mesh mesh;
  int m, degree;
  int from[3], axes[3][3]; /* of the tetrahedron that is added, in nodes of the grid */
} cube;

static int64_t cube_node(void *context, const double place[3]) {
  const cube *it = context;
  int64_t id = 0;
  for (int c = 2; c >= 0; c--) {
    double at = it->from[c];
    for (int k = 0; k < 3; k++)
      at += place[k] * it->degree * it->axes[k][c];
    id = id * it->m + (int64_t)(at + 0.5);
  }
  return id;
}

static void add_points(cube *it) {
  for (int z = 0; z < it->m; z++)
    for (int y = 0; y < it->m; y++)
      for (int x = 0; x < it->m; x++) {
        const double h = 1.0 / (it->m - 1), p[3] = {x * h, y * h, z * h};
        const double q[3] = {p[0] + 0.05 * sin(5.0 * p[1]), p[1] + 0.05 * sin(5.0 * p[2]),
                             p[2] + 0.05 * sin(5.0 * p[0])};
        const int64_t id = cell_mesh_add_point(&it->mesh, q);
        it->mesh.values[CELL_MESH_VALUES * id] =
            sin(6.0 * p[0]) + sin(5.0 * p[1]) * sin(4.0 * p[2]);
      }
}

/* Kuhn's six tetrahedra of each cube. */
static void add_tetrahedra(cube *it, int n) {
  static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                   {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  const int d[3] = {it->degree, it->degree, it->degree};
  for (int k = 0; k < n * n * n; k++)
    for (int t = 0; t < 6; t++) {
      const int at[3] = {k % n, k / n % n, k / n / n};
      for (int c = 0; c < 3; c++)
        it->from[c] = at[c] * it->degree;
      for (int step = 0; step < 3; step++)
        for (int c = 0; c < 3; c++)
          it->axes[step][c] = c == orders[t][0] || (step > 0 && c == orders[t][1]) || step > 1;
      for (int c = 0; t > 2 && c < 3; c++) { /* the front of the others is inside */
        const int swap = it->axes[0][c];
        it->axes[0][c] = it->axes[1][c];
        it->axes[1][c] = swap;
      }
      cell_mesh_add_lattice(&it->mesh, 71, d, cube_node, it);
    }
}

/* Makes points, one array and the tetrahedra. Returns their number. */
static int64_t make(const cell_mesh *mesh, const tsr_cells_view *view, const double *values,
                    const tsr_execution *execution) {
  tsr_cells_options o;
  tsr_cells_plan *plan;
  tsr_cells_output out;
  tsr_error error;
  const tsr_array field = {values, TSR_DOUBLE, 1, mesh->n_points};
  tsr_cells_options_init(&o);
  o.output = TSR_CELLS_VOLUMES;
  o.fields = &field;
  o.n_fields = 1;
  o.field_error = 0.01;
  o.use_chord_error = 0;
  if (tsr_cells_plan_create(view, &o, execution, &plan, &error) != TSR_OK) {
    printf("%s\n", error.text);
    exit(1);
  }
  const tsr_cells_sizes s = *tsr_cells_plan_sizes(plan);
  double *of_points = solid_mesh_room(s.points, sizeof *of_points);
  tsr_cells_output_init(&out);
  out.points_type = TSR_FLOAT;
  out.points = solid_mesh_room(3 * s.points, sizeof(float));
  out.solid_offsets = solid_mesh_room(s.solids + 1, sizeof(int64_t));
  out.solid_connectivity = solid_mesh_room(s.solid_connectivity, sizeof(int64_t));
  out.solid_types = solid_mesh_room(s.solids, 1);
  const tsr_cells_attribute array = {field, of_points};
  out.point_arrays = &array;
  out.n_point_arrays = 1;
  if (tsr_cells_fill(plan, &out, &error) != TSR_OK) {
    printf("%s\n", error.text);
    exit(1);
  }
  tsr_cells_plan_free(plan);
  free(of_points);
  free(out.points);
  free(out.solid_offsets);
  free(out.solid_connectivity);
  free(out.solid_types);
  return s.solids;
}

static void bench(int degree, int n, int threads) {
  executor exec = {.threads = threads};
  const tsr_execution execution = executor_execution(&exec);
  cube it = {.m = n * degree + 1, .degree = degree};
  double best = 1e300;
  int64_t solids = 0;
  add_points(&it);
  add_tetrahedra(&it, n);
  double *values = solid_mesh_room(it.mesh.n_points, sizeof *values);
  for (int64_t k = 0; k < it.mesh.n_points; k++)
    values[k] = it.mesh.values[CELL_MESH_VALUES * k];
  const tsr_cells_view view = cell_mesh_view(&it.mesh, 0);
  for (int k = 0; k < 3; k++) {
    const double start = seconds();
    solids = make(&it.mesh, &view, values, &execution);
    const double took = seconds() - start;
    best = took < best ? took : best;
  }
  printf("degree %d: %lld cells, %lld tetrahedra: %.3f s, %.2f million tetrahedra/s\n", degree,
         (long long)it.mesh.n_cells, (long long)solids, best, 1e-6 * (double)solids / best);
  cell_mesh_free(&it.mesh);
  free(values);
}

int main(int argc, char **arguments) {
  const int n = argc > 1 ? atoi(arguments[1]) : 20;
  const int threads = argc > 2 ? atoi(arguments[2]) : 1;
  bench(2, n, threads);
  bench(4, n / 2, threads);
  bench(2, 3 * n, threads); /* nearly all of these stay one tetrahedron */
  return 0;
}
