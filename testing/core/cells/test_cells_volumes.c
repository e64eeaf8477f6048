/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The output Cells. Known answers: the tetrahedra of a cell tile its parameter domain, whose volume
 * is 1/6, 1 or 1/2; an evaluation of the cell in long double by the textbook formulas of Lagrange
 * and Bernstein, at random places of the tetrahedra; faces of mixed meshes that must be shared.
 */
#include <stdlib.h>
#include <string.h>

#include "cell_mesh.h"
#include "check.h"
#include "executor.h"

/* What a plan makes. */
typedef struct solids {
  tsr_cells_sizes sizes;
  double *points, *values, *achieved;
  int64_t *offsets, *ids, *source, *poly_ids;
  uint8_t *types;
} solids;

static void *room(int64_t n, size_t size) {
  void *memory = calloc((size_t)n + 1, size);
  if (!memory)
    abort();
  return memory;
}

static void solids_free(solids *it) {
  free(it->points);
  free(it->values);
  free(it->achieved);
  free(it->offsets);
  free(it->ids);
  free(it->source);
  free(it->poly_ids);
  free(it->types);
  memset(it, 0, sizeof *it);
}

static tsr_status solids_make(const cell_mesh *mesh, const tsr_cells_view *view,
                              const tsr_cells_options *options, const tsr_execution *execution,
                              solids *out, tsr_error *error) {
  tsr_cells_plan *plan = NULL;
  tsr_cells_output o;
  memset(out, 0, sizeof *out);
  tsr_status status = tsr_cells_plan_create(view, options, execution, &plan, error);
  if (status != TSR_OK)
    return status;
  out->sizes = *tsr_cells_plan_sizes(plan);
  const tsr_cells_sizes *s = &out->sizes;
  const int64_t cells = s->verts + s->lines + s->polys + s->solids;
  tsr_cells_output_init(&o);
  o.points_type = TSR_DOUBLE;
  o.points = out->points = room(3 * s->points, sizeof *out->points);
  out->values = room(CELL_MESH_VALUES * s->points, sizeof *out->values);
  o.solid_offsets = out->offsets = room(s->solids, sizeof *out->offsets);
  o.solid_connectivity = out->ids = room(s->solid_connectivity, sizeof *out->ids);
  o.solid_types = out->types = room(s->solids, 1);
  o.poly_connectivity = out->poly_ids = room(s->poly_connectivity, sizeof *out->ids);
  o.source_cell = out->source = room(cells, sizeof *out->source);
  o.achieved = out->achieved = room(cells, sizeof *out->achieved);
  const tsr_cells_attribute values = {{mesh->values, TSR_DOUBLE, CELL_MESH_VALUES, mesh->n_points},
                                      out->values};
  o.point_arrays = &values;
  o.n_point_arrays = 1;
  status = tsr_cells_fill(plan, &o, error);
  tsr_cells_plan_free(plan);
  return status;
}

/* A cell whose nodes lie at the places of its lattice, moved; row by row. */
typedef struct one_cell {
  cell_mesh mesh;
  int type, d[3];
  double noise;
  int64_t nodes;
  int at[1331][3]; /* place of each node, by its id */
} one_cell;

static int64_t one_node(void *context, const double place[3]) {
  one_cell *it = context;
  double x[3], bend = it->noise;
  for (int c = 0; c < 3; c++)
    x[c] = place[c] + bend * (cell_mesh_random((uint64_t)(3 * it->nodes + c) + 5) - 0.5);
  const int64_t id = cell_mesh_add_point(&it->mesh, x);
  for (int c = 0; c < 3; c++)
    it->at[id][c] = (int)(place[c] * it->d[c] + 0.5);
  it->mesh.values[CELL_MESH_VALUES * id + 3] = it->noise * cell_mesh_random((uint64_t)id + 99);
  it->mesh.weights[id] = 1.0 + it->noise * cell_mesh_random((uint64_t)id + 333);
  it->nodes++;
  return id;
}

/* Lagrange's polynomial of node i of n + 1 in the coordinate x, or x to the power i over i!. */
static long double factor(int bezier, int n, int i, long double x) {
  long double product = 1.0L;
  for (int m = 0; m < i; m++)
    product *= bezier ? x / (m + 1) : (n * x - m) / (m + 1);
  return product;
}

static long double line(int bezier, int n, int i, long double x) {
  long double scale = 1.0L;
  for (int k = 2; bezier && k <= n; k++)
    scale *= k;
  return scale * factor(bezier, n, i, x) * factor(bezier, n, n - i, 1.0L - x);
}

/* The shape function of node `at` of the cell at p. */
static long double shape(const one_cell *it, const int at[3], const long double p[3]) {
  const int bezier = it->type >= 78, kind = it->type - (bezier ? 78 : 71), d = it->d[0];
  const long double left = 1.0L - p[0] - p[1];
  long double scale = 1.0L;
  for (int k = 2; bezier && k <= d; k++)
    scale *= k;
  if (kind == 0)
    return scale * factor(bezier, d, at[0], p[0]) * factor(bezier, d, at[1], p[1]) *
           factor(bezier, d, at[2], p[2]) *
           factor(bezier, d, d - at[0] - at[1] - at[2], left - p[2]);
  if (kind == 1)
    return line(bezier, d, at[0], p[0]) * line(bezier, it->d[1], at[1], p[1]) *
           line(bezier, it->d[2], at[2], p[2]);
  return scale * factor(bezier, d, at[0], p[0]) * factor(bezier, d, at[1], p[1]) *
         factor(bezier, d, d - at[0] - at[1], left) * line(bezier, it->d[2], at[2], p[2]);
}

/* The cell's point at p, its value 3, and its weight. */
static void evaluate(const one_cell *it, int rational, const long double p[3], long double to[5]) {
  memset(to, 0, 5 * sizeof *to);
  for (int64_t k = 0; k < it->nodes; k++) {
    const long double w =
        shape(it, it->at[k], p) * (rational ? (long double)it->mesh.weights[k] : 1.0L);
    for (int c = 0; c < 3; c++)
      to[c] += w * it->mesh.points[3 * k + c];
    to[3] += w * it->mesh.values[CELL_MESH_VALUES * k + 3];
    to[4] += w;
  }
  for (int c = 0; c < 4; c++)
    to[c] /= to[4];
}

static long double det(long double m[3][3]) {
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/* The parameters of the point x, by Newton's method with divided differences. */
static void invert(const one_cell *it, int rational, const double x[3], long double p[3]) {
  long double here[5], there[5], m[3][3], off[3], step[3];
  for (int c = 0; c < 3; c++)
    p[c] = x[c];
  for (int round = 0; round < 40; round++) {
    evaluate(it, rational, p, here);
    for (int a = 0; a < 3; a++) {
      long double q[3] = {p[0], p[1], p[2]};
      q[a] += 1e-7L;
      evaluate(it, rational, q, there);
      for (int c = 0; c < 3; c++)
        m[c][a] = (there[c] - here[c]) / 1e-7L;
    }
    for (int c = 0; c < 3; c++)
      off[c] = x[c] - here[c];
    const long double whole = det(m);
    for (int a = 0; a < 3; a++) {
      long double n[3][3];
      memcpy(n, m, sizeof n);
      for (int c = 0; c < 3; c++)
        n[c][a] = off[c];
      step[a] = det(n) / whole;
    }
    for (int a = 0; a < 3; a++)
      p[a] += step[a];
    if (fabsl(step[0]) + fabsl(step[1]) + fabsl(step[2]) < 1e-13L)
      return;
  }
}

static long double tetra_volume(const long double *at[4]) {
  long double m[3][3];
  for (int k = 0; k < 3; k++)
    for (int c = 0; c < 3; c++)
      m[k][c] = at[k + 1][c] - at[0][c];
  return det(m) / 6.0L;
}

/* Compares random places of tetrahedron t with the cell; place: parameters of the points. */
static void check_tetra(const one_cell *it, int rational, const solids *out,
                        const long double *place, int64_t t, double chord, double field) {
  const int64_t *ids = out->ids + 4 * t;
  long double w[4], ends[5];
  for (int k = 0; k < 4; k++) {
    evaluate(it, rational, place + 3 * ids[k], ends);
    w[k] = ends[4];
  }
  for (int trial = 0; trial < 6; trial++) {
    long double l[4], sum = 0.0L, heavy = 0.0L, p[3] = {0}, x[4] = {0}, is[5], off = 0.0L;
    for (int k = 0; k < 4; k++)
      sum += l[k] =
          (trial == 0 ? 1.0L : 1e-9L + cell_mesh_random((uint64_t)(t * 64 + trial * 4 + k)));
    for (int k = 0; k < 4; k++) {
      l[k] /= sum;
      heavy += l[k] * w[k];
    }
    for (int k = 0; k < 4; k++) {
      for (int c = 0; c < 3; c++) {
        p[c] += l[k] * place[3 * ids[k] + c];
        x[c] += l[k] * w[k] / heavy * out->points[3 * ids[k] + c];
      }
      x[3] += l[k] * w[k] / heavy * out->values[CELL_MESH_VALUES * ids[k] + 3];
    }
    evaluate(it, rational, p, is);
    for (int c = 0; c < 3; c++)
      off += (x[c] - is[c]) * (x[c] - is[c]);
    CHECK_AT_MOST((double)sqrtl(off), chord);
    CHECK_AT_MOST((double)sqrtl(off), out->achieved[t]);
    CHECK_AT_MOST((double)fabsl(x[3] - is[3]), field);
  }
}

/* A single cell with moved nodes. Returns how many tetrahedra it becomes. */
static int64_t check_one(int type, int d0, int d1, int d2, int rational, double chord,
                         double field) {
  static const double whole[3] = {1.0 / 6.0, 1.0, 0.5};
  one_cell it = {.type = type,
                 .d = {d0, d1, d2},
                 .noise = (d0 > 4 ? 0.03 : 0.3) / (d0 > d2 ? d0 * d0 : d2 * d2)};
  tsr_cells_options o;
  solids out;
  tsr_error error;
  long double sum = 0.0L;
  cell_mesh_add_lattice(&it.mesh, type, it.d, one_node, &it);
  tsr_cells_options_init(&o);
  o.output = TSR_CELLS_VOLUMES;
  o.chord_relative = o.field_relative = 0;
  o.chord_error = chord;
  o.field_error = field;
  double *values = room(it.nodes, sizeof *values);
  for (int64_t k = 0; k < it.nodes; k++)
    values[k] = it.mesh.values[CELL_MESH_VALUES * k + 3];
  const tsr_array array = {values, TSR_DOUBLE, 1, it.nodes};
  o.fields = &array;
  o.n_fields = 1;
  const tsr_cells_view view = cell_mesh_view(&it.mesh, rational);
  CHECK_INT(solids_make(&it.mesh, &view, &o, NULL, &out, &error), TSR_OK);
  for (int k = 0; k < TSR_CELLS_NOTES; k++)
    CHECK_INT(out.sizes.notes[k].count, 0);
  CHECK_INT(out.sizes.polys, 0);
  CHECK_INT(out.sizes.solid_connectivity, 4 * out.sizes.solids);
  long double *place = room(3 * out.sizes.points, sizeof *place);
  for (int64_t p = 0; p < out.sizes.points; p++)
    invert(&it, rational, out.points + 3 * p, place + 3 * p);
  const int64_t every = out.sizes.solids / 200 + 1;
  for (int64_t t = 0; t < out.sizes.solids; t++) {
    const int64_t *ids = out.ids + 4 * t;
    const long double *at[4];
    for (int k = 0; k < 4; k++)
      at[k] = place + 3 * ids[k];
    const long double volume = tetra_volume(at);
    CHECK_SAY(volume > 0.0L, "type %d degree %d: tetrahedron %lld of %lld has volume %Lg", type, d0,
              (long long)t, (long long)out.sizes.solids, volume);
    CHECK_INT(out.types[t], 10);
    sum += volume;
    if (t % every == 0)
      check_tetra(&it, rational, &out, place, t, chord, field);
  }
  CHECK_NEAR((double)sum, whole[(type - 71) % 7], 1e-10);
  const int64_t n = out.sizes.solids;
  printf("type %d, degrees %d %d %d, %s: %lld tetrahedra\n", type, d0, d1, d2,
         rational ? "rational" : "polynomial", (long long)n);
  free(values);
  free(place);
  solids_free(&out);
  cell_mesh_free(&it.mesh);
  return n;
}

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
static int is_outside(const solids *it, const int64_t face[3]) {
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
static int64_t open_faces(const solids *it) {
  int64_t(*faces)[3] = room(4 * it->sizes.solids, sizeof *faces), n = 0, open = 0;
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

static double all_volumes(const solids *it) {
  long double sum = 0.0L;
  for (int64_t t = 0; t < it->sizes.solids; t++) {
    long double x[4][3];
    const long double *at[4] = {x[0], x[1], x[2], x[3]};
    for (int k = 0; k < 4; k++)
      for (int c = 0; c < 3; c++)
        x[k][c] = it->points[3 * it->ids[4 * t + k] + c];
    sum += tetra_volume(at);
  }
  return (double)sum;
}

/* Hexahedra, wedges and tetrahedra: no gap, and on 3 threads the same bytes. */
static void check_mixed(int bezier, int degree, double noise, double chord) {
  blocks it = {.noise = noise};
  executor exec = {.threads = 3};
  const tsr_execution execution = executor_execution(&exec);
  tsr_cells_options o;
  solids one, out;
  tsr_error error;
  fill_blocks(&it, bezier, degree);
  tsr_cells_options_init(&o);
  o.output = TSR_CELLS_VOLUMES;
  o.chord_error = chord;
  const tsr_cells_view view = cell_mesh_view(&it.mesh, 0);
  CHECK_INT(solids_make(&it.mesh, &view, &o, NULL, &one, &error), TSR_OK);
  CHECK_INT(solids_make(&it.mesh, &view, &o, &execution, &out, &error), TSR_OK);
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
  solids_free(&one);
  CHECK_INT(solids_make(&it.mesh, &view, &o, NULL, &one, &error), TSR_TOO_LARGE);
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
  solids_free(&out);
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
  solids out;
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
  CHECK_INT(solids_make(&mesh, &view, &o, NULL, &out, &error), TSR_OK);
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
  solids_free(&out);
  cell_mesh_free(&mesh);
}

int main(void) {
  static const double coarse[3] = {1.0, 8.0, 3.0};
  check_others();
  for (int degree = 2; degree <= 3; degree++)
    for (int bezier = 0; bezier <= 7; bezier += 7) {
      check_mixed(bezier, degree, 0.0, 0.001);
      check_mixed(bezier, degree, (bezier ? 0.2 : 0.03) / (degree * degree), 0.02);
    }
  for (int bezier = 0; bezier < 2; bezier++)
    for (int k = 0; k < 5; k++)
      for (int kind = 0; kind < 3; kind++)
        for (int rational = 0; rational <= bezier; rational++) {
          static const int degrees[5] = {1, 2, 3, 5, 10};
          static const double looser[5] = {1.0, 1.0, 16.0, 100.0, 4000.0};
          const int d = degrees[k];
          /* Noise at many nodes of a polynomial of a high degree is amplified a thousandfold. */
          if (d > 4 && !bezier && (kind == 1 || d == 10))
            continue;
          const double polynomial = 0.3 / (d * d) * coarse[kind] * looser[k];
          const double chord = bezier ? (d > 5 ? 3.0 : (d > 3 ? 0.06 : 0.1)) / (d * d) *
                                            coarse[kind] * (rational ? 4.0 : 1.0)
                                      : polynomial;
          check_one(71 + 7 * bezier + kind, d, d, d, rational, chord, 2.0 * chord);
        }
  check_one(79, 1, 2, 3, 1, 0.5, 0.5);
  check_one(73, 3, 3, 1, 0, 0.3, 0.3);
  return check_result();
}
