/* SPDX-License-Identifier: BSD-3-Clause */
/** Curved cells, CPU against CUDA: the same bytes for every shape, degree, output and criterion.
 * With the argument `small`: fewer and smaller meshes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cell_mesh.h"
#include "check.h"
#include "outputs.h"

enum { ARRAYS = 17, VARIANTS = 9 };

/* A mesh whose cells share the nodes that lie at one place. */
typedef struct shared_mesh {
  cell_mesh mesh;
  double corner[3];
  double (*lattice)[3]; /* of each point, before it was moved */
  int64_t room;
  double noise;
  int apart; /* 1: every cell has nodes of its own, at the places of its neighbours' */
} shared_mesh;

static int64_t node_at(void *context, const double place[3]) {
  shared_mesh *it = context;
  int64_t id = 0;
  double at[3], x[3];
  for (int c = 0; c < 3; c++)
    at[c] = it->corner[c] + place[c];
  while (id < it->mesh.n_points &&
         !(fabs(it->lattice[id][0] - at[0]) < 1e-9 && fabs(it->lattice[id][1] - at[1]) < 1e-9 &&
           fabs(it->lattice[id][2] - at[2]) < 1e-9))
    id++;
  const int64_t same = id;
  if (id < it->mesh.n_points && !it->apart)
    return id;
  if (it->mesh.n_points == it->room) {
    it->room = 2 * it->room + 64;
    it->lattice = realloc(it->lattice, (size_t)it->room * sizeof *it->lattice);
    if (!it->lattice)
      abort();
  }
  const uint64_t seed = 100 + 7 * (uint64_t)same;
  for (int c = 0; c < 3; c++)
    x[c] = at[c] + it->noise * (cell_mesh_random(seed + (uint64_t)c) - 0.5);
  id = cell_mesh_add_point(&it->mesh, x);
  memcpy(it->lattice[id], at, sizeof at);
  it->mesh.weights[id] = 0.5 + cell_mesh_random(seed + 3);
  for (int c = 0; c < CELL_MESH_VALUES; c++)
    it->mesh.values[CELL_MESH_VALUES * id + c] = sin(3.0 * at[c % 3] + c) + 0.02 * x[(c + 1) % 3];
  return id;
}

static void add(shared_mesh *it, int type, int d, double x, double y, double z) {
  const int shape = type >= 75 ? type - 75 : type - 68;
  const int degrees[3] = {d, shape == 2 || shape == 4 ? d % 10 + 1 : d,
                          shape >= 4 ? (d + 1) % 10 + 1 : d};
  const double corner[3] = {x, y, z};
  memcpy(it->corner, corner, sizeof corner);
  cell_mesh_add_lattice(&it->mesh, type, degrees, node_at, it);
}

/* Every shape, n of a row; VTK's linear and quadratic cells, and cells that are left out. */
static shared_mesh make_mesh(int bezier, int d, int n, double noise, int apart) {
  static const int linear[3] = {1, 1, 1};
  static const struct {
    int type, n;
  } plain[] = {{1, 1},   {2, 3},   {3, 2},   {4, 4},   {5, 3},  {6, 5},   {7, 5},  {9, 4},
               {8, 4},   {10, 4},  {12, 8},  {13, 6},  {14, 5}, {21, 3},  {22, 6}, {23, 8},
               {24, 10}, {25, 20}, {26, 15}, {27, 13}, {28, 9}, {29, 27}, {30, 6}, {31, 12},
               {32, 18}, {33, 24}, {34, 7},  {35, 4},  {37, 19}};
  shared_mesh it = {.noise = noise, .apart = apart};
  for (int shape = 0; shape < 6; shape++)
    for (int k = 0; k < n; k++)
      add(&it, (bezier ? 75 : 68) + shape, d, k, 3.0 * shape, k % 2);
  for (int k = 0; k < n; k++) /* wedges on the hexahedra, which have other degrees */
    add(&it, (bezier ? 80 : 73), d, k, 12.0, 1.0 + k % 2);
  for (size_t k = 0; k < sizeof plain / sizeof *plain; k++) {
    int64_t ids[27];
    for (int c = 0; c < plain[k].n; c++) {
      double x[3] = {c & 1, c >> 1 & 1, c >> 2};
      for (int axis = 0; plain[k].type > 20 && axis < 3; axis++) /* curved */
        x[axis] = cell_mesh_random(1000 * k + 3 * (uint64_t)c + (uint64_t)axis);
      x[0] += 20.0 + 3.0 * (double)k;
      ids[c] = cell_mesh_add_point(&it.mesh, x);
    }
    cell_mesh_add_cell(&it.mesh, plain[k].type, linear, ids, plain[k].n);
  }
  const int64_t out_of_range[3] = {0, 1, it.mesh.n_points}, good[3] = {0, 1, 2};
  cell_mesh_add_cell(&it.mesh, 5, linear, out_of_range, 3);
  cell_mesh_add_cell(&it.mesh, 42, linear, good, 3);
  cell_mesh_add_cell(&it.mesh, 70, linear, good, 3);
  return it;
}

static void free_mesh(shared_mesh *it) {
  cell_mesh_free(&it->mesh);
  free(it->lattice);
}

/* All that a plan and its fill give. */
typedef struct made {
  tsr_status status;
  tsr_error error;
  tsr_report report;
  tsr_cells_sizes sizes;
  double scale;
  int n;
  const char *name[ARRAYS];
  char *data[ARRAYS];
  size_t bytes[ARRAYS];
} made;

static void *array(made *it, const char *name, int64_t n, size_t size) {
  it->name[it->n] = name;
  it->bytes[it->n] = (size_t)n * size;
  it->data[it->n] = malloc(it->bytes[it->n] + 1);
  if (!it->data[it->n])
    abort();
  memset(it->data[it->n], 0x5a, it->bytes[it->n] + 1);
  return it->data[it->n++];
}

static void set_output(made *it, int solids, tsr_type type, tsr_cells_output *o) {
  const tsr_cells_sizes *s = &it->sizes;
  const int64_t cells = s->verts + s->lines + s->polys + s->solids;
  tsr_cells_output_init(o);
  o->points_type = type;
  o->points = array(it, "points", 3 * s->points, tsr_type_size(type));
  o->vert_offsets = array(it, "offsets of vertices", s->verts + 1, 8);
  o->vert_connectivity = array(it, "vertices", s->vert_connectivity, 8);
  o->line_offsets = array(it, "offsets of lines", s->lines + 1, 8);
  o->line_connectivity = array(it, "lines", s->line_connectivity, 8);
  o->poly_offsets = array(it, "offsets of polygons", s->polys + 1, 8);
  o->poly_connectivity = array(it, "polygons", s->poly_connectivity, 8);
  o->source_cell = array(it, "source cell", cells, 8);
  o->achieved = array(it, "achieved error", cells, 8);
  if (solids) {
    o->solid_types = array(it, "types of solids", s->solids, 1);
    o->solid_offsets = array(it, "offsets of solids", s->solids + 1, 8);
    o->solid_connectivity = array(it, "solids", s->solid_connectivity, 8);
  } else {
    o->normals = array(it, "normals", 3 * s->points, sizeof(float));
    o->parameters = array(it, "parameters", 3 * s->points, 8);
    o->parameter_cell = array(it, "cells of parameters", s->points, 8);
  }
}

static void make(const shared_mesh *mesh, const tsr_cells_view *view, const tsr_cells_options *o,
                 int64_t budget, const tsr_execution *execution, made *to) {
  const int64_t n = mesh->mesh.n_cells;
  int16_t *numbers = malloc((size_t)n * 2 * sizeof *numbers);
  tsr_cells_attribute point, cell;
  tsr_cells_plan *plan = NULL;
  tsr_cells_output out;
  if (!numbers)
    abort();
  for (int64_t i = 0; i < 2 * n; i++)
    numbers[i] = (int16_t)(3 * i);
  memset(to, 0, sizeof *to);
  to->status = tsr_cells_plan_create(view, o, execution, &plan, &to->error);
  if (to->status == TSR_OK && budget > 0)
    to->status = tsr_cells_fit_budget(&plan, 1, budget, NULL, NULL, &to->scale, &to->error);
  if (to->status == TSR_OK) {
    to->sizes = *tsr_cells_plan_sizes(plan);
    set_output(to, o->output == TSR_CELLS_VOLUMES, view->single_points ? TSR_FLOAT : TSR_DOUBLE,
               &out);
    const int64_t cells = to->sizes.verts + to->sizes.lines + to->sizes.polys + to->sizes.solids;
    point.in = (tsr_array){mesh->mesh.values, TSR_DOUBLE, CELL_MESH_VALUES, mesh->mesh.n_points};
    point.out = array(to, "values", CELL_MESH_VALUES * to->sizes.points, 8);
    cell.in = (tsr_array){numbers, TSR_INT16, 2, n};
    cell.out = array(to, "cell array", 2 * cells, 2);
    out.point_arrays = &point;
    out.cell_arrays = &cell;
    out.n_point_arrays = out.n_cell_arrays = 1;
    to->status = tsr_cells_fill(plan, &out, &to->error);
    tsr_cells_plan_report(plan, &to->report);
  }
  tsr_cells_plan_free(plan);
  free(numbers);
}

static const char *difference(const made *a, const made *b) {
  if (a->status != b->status)
    return "status";
  if (memcmp(&a->sizes, &b->sizes, sizeof a->sizes) != 0 || a->scale != b->scale)
    return "sizes";
  for (int k = 0; k < a->n && a->status == TSR_OK; k++)
    if (memcmp(a->data[k], b->data[k], a->bytes[k]) != 0)
      return a->name[k];
  return NULL;
}

static void free_made(made *it) {
  for (int k = 0; k < it->n; k++)
    free(it->data[k]);
}

/* The options of a variant; the view that belongs to it. Returns the budget. */
static int64_t set_variant(int variant, const tsr_array *field, tsr_cells_options *o,
                           tsr_cells_view *view) {
  tsr_cells_options_init(o);
  o->chord_error = variant == 5 || variant == 7 ? 0.03 : 0.01;
  o->field_error = 0.05;
  o->fields = field;
  o->n_fields = variant == 2 || variant == 5 || variant == 7;
  o->use_chord_error = variant != 2;
  o->use_normal_angle = variant == 1;
  o->use_max_length = variant == 1 || variant == 6;
  o->normal_angle = 45.0;
  o->max_length = 0.4;
  o->merge_points = variant == 4;
  o->max_segments = variant == 3 ? 3 : variant == 5 || variant == 7 ? 8 : 32;
  o->defer_count = variant == 6;
  o->output = variant == 3                   ? TSR_CELLS_CURVES
              : variant == 5 || variant == 7 ? TSR_CELLS_VOLUMES
                                             : TSR_CELLS_SURFACE;
  view->single_points = variant == 2 || variant == 7;
  return variant == 6 ? view->points.tuples / 2 : variant == 8 ? 1 : 0;
}

static void compare(const shared_mesh *mesh, int rational, int variant, const char *what) {
  const tsr_execution cpu = execution_cpu(), cuda = execution_cuda();
  const tsr_array field = {mesh->mesh.values, TSR_DOUBLE, CELL_MESH_VALUES, mesh->mesh.n_points};
  tsr_cells_view view = cell_mesh_view(&mesh->mesh, rational);
  tsr_cells_options o;
  made one, other;
  const int64_t budget = set_variant(variant, &field, &o, &view);
  make(mesh, &view, &o, budget, &cpu, &one);
  make(mesh, &view, &o, budget, &cuda, &other);
  const char *const found = difference(&one, &other);
  CHECK_SAY(found == NULL, "%s, variant %d: %s differs (%s; %s)", what, variant, found ? found : "",
            one.status ? one.error.text : "", other.status ? other.error.text : "");
  CHECK_SAY(one.status == TSR_OK, "%s, variant %d: %s", what, variant, one.error.text);
  CHECK_SAY(one.sizes.points > 0, "%s, variant %d: nothing comes out", what, variant);
  if (other.status == TSR_OK)
    CHECK_INT(other.report.backend, TSR_BACKEND_CUDA);
  free_made(&one);
  free_made(&other);
}

static void expect(const shared_mesh *mesh, const tsr_cells_options *o, const tsr_execution *cuda,
                   const made *right, const char *what) {
  const tsr_cells_view view = cell_mesh_view(&mesh->mesh, 0);
  made found;
  make(mesh, &view, o, 0, cuda, &found);
  const char *const other = difference(right, &found);
  CHECK_SAY(other == NULL, "%s: %s differs", what, other ? other : "");
  free_made(&found);
}

/* Input that stays on the device: a plan does not notice that the host has other values by now,
 * unless it is told, or nothing may stay. */
static void check_kept(void) {
  tsr_execution cpu = execution_cpu(), cuda = execution_cuda();
  shared_mesh mesh = make_mesh(0, 2, 2, 0.1, 0);
  const tsr_cells_view view = cell_mesh_view(&mesh.mesh, 0);
  tsr_cells_options o;
  made before, after;
  tsr_cells_options_init(&o);
  o.chord_error = 0.02;
  cuda.generation = generation_of_all;
  cuda.owner = &mesh;
  make(&mesh, &view, &o, 0, &cpu, &before);
  generation_now = 1;
  expect(&mesh, &o, &cuda, &before, "first");
  for (int64_t i = 0; i < 3 * mesh.mesh.n_points; i++)
    mesh.mesh.points[i] *= 2.0;
  make(&mesh, &view, &o, 0, &cpu, &after);
  CHECK(difference(&before, &after) != NULL);
  expect(&mesh, &o, &cuda, &before, "the same version");
  generation_now = 2;
  expect(&mesh, &o, &cuda, &after, "another version");
  generation_now = 1;
  o.keep_bytes = 0;
  expect(&mesh, &o, &cuda, &after, "nothing may stay");
  tsr_device_forget(&mesh);
  free_made(&before);
  free_made(&after);
  free_mesh(&mesh);
}

/* The backend that Auto takes for n triangles, of 3 ids each. */
static int auto_backend(int n, tsr_cells_kind kind) {
  static const double x[3][3] = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
  static const int linear[3] = {1, 1, 1};
  static const int64_t ids[3] = {0, 1, 2};
  tsr_execution execution = execution_cuda();
  shared_mesh mesh = {.noise = 0.0};
  tsr_cells_options o;
  made found;
  for (int k = 0; k < 3; k++)
    cell_mesh_add_point(&mesh.mesh, x[k]);
  for (int k = 0; k < n; k++)
    cell_mesh_add_cell(&mesh.mesh, 5, linear, ids, 3);
  const tsr_cells_view view = cell_mesh_view(&mesh.mesh, 0);
  tsr_cells_options_init(&o);
  o.output = kind;
  execution.backend = TSR_BACKEND_AUTO;
  make(&mesh, &view, &o, 0, &execution, &found);
  CHECK_INT(found.status, TSR_OK);
  const int backend = (int)found.report.backend;
  free_made(&found);
  free_mesh(&mesh);
  return backend;
}

/* Auto takes a device from as many ids on as docs/execution.md says. */
static void check_auto(void) {
  CHECK_INT(auto_backend(16666, TSR_CELLS_SURFACE), TSR_BACKEND_CPU);
  CHECK_INT(auto_backend(16667, TSR_CELLS_SURFACE), TSR_BACKEND_CUDA);
  CHECK_INT(auto_backend(16667, TSR_CELLS_CURVES), TSR_BACKEND_CUDA);
  CHECK_INT(auto_backend(3333, TSR_CELLS_VOLUMES), TSR_BACKEND_CPU);
  CHECK_INT(auto_backend(3334, TSR_CELLS_VOLUMES), TSR_BACKEND_CUDA);
}

int main(int argc, char **argv) {
  const int small = argc > 1 && strcmp(argv[1], "small") == 0;
  const int missing = gpu_missing();
  if (missing)
    return missing;
  for (int d = small ? 2 : 1; d <= 10; d += !small ? 1 : d == 2 ? 2 : 6)
    for (int bezier = 0; bezier < 2; bezier++)
      for (int variant = 0; variant < VARIANTS; variant++) {
        const int n = d > 6 ? 1 : small ? 1 + (d < 4) : 4;
        const int rational = bezier && variant % 2 == 0;
        char what[80];
        if (small && d > 2 &&
            (bezier != (variant + d / 3) % 2 || (d > 4 && (variant == 6 || variant == 8))))
          continue;
        shared_mesh mesh = make_mesh(bezier, d, n, 0.3 / (d * d), variant == 4);
        snprintf(what, sizeof what, "degree %d%s%s", d, bezier ? ", Bezier" : "",
                 rational ? ", rational" : "");
        compare(&mesh, rational, variant, what);
        free_mesh(&mesh);
      }
  check_kept();
  check_auto();
  return check_result();
}
