/* SPDX-License-Identifier: BSD-3-Clause */
#include "cell_mesh.h"

#include <stdlib.h>
#include <string.h>

#include "cells/kinds/orders_math.h"

static void *grown(void *at, int64_t n, size_t size) {
  void *more = realloc(at, (size_t)n * size);
  if (!more)
    abort();
  return more;
}

void cell_mesh_free(cell_mesh *mesh) {
  free(mesh->points);
  free(mesh->weights);
  free(mesh->values);
  free(mesh->degrees);
  free(mesh->types);
  free(mesh->offsets);
  free(mesh->ids);
  memset(mesh, 0, sizeof *mesh);
}

int64_t cell_mesh_add_point(cell_mesh *mesh, const double x[3]) {
  const int64_t id = mesh->n_points++;
  if (mesh->n_points > mesh->room_points) {
    mesh->room_points = 2 * mesh->n_points;
    mesh->points = grown(mesh->points, mesh->room_points, 3 * sizeof(double));
    mesh->weights = grown(mesh->weights, mesh->room_points, sizeof(double));
    mesh->values = grown(mesh->values, mesh->room_points, CELL_MESH_VALUES * sizeof(double));
  }
  memcpy(mesh->points + 3 * id, x, 3 * sizeof *x);
  mesh->weights[id] = 1.0;
  memset(mesh->values + CELL_MESH_VALUES * id, 0, CELL_MESH_VALUES * sizeof(double));
  return id;
}

void cell_mesh_add_cell(cell_mesh *mesh, int type, const int d[3], const int64_t *ids, int64_t n) {
  const int64_t c = mesh->n_cells++;
  if (mesh->n_cells > mesh->room_cells) {
    mesh->room_cells = 2 * mesh->n_cells;
    mesh->types = grown(mesh->types, mesh->room_cells, 1);
    mesh->offsets = grown(mesh->offsets, mesh->room_cells + 1, sizeof *mesh->offsets);
    mesh->degrees = grown(mesh->degrees, mesh->room_cells, 3 * sizeof(double));
  }
  if (mesh->n_ids + n > mesh->room_ids) {
    mesh->room_ids = 2 * (mesh->n_ids + n);
    mesh->ids = grown(mesh->ids, mesh->room_ids, sizeof *mesh->ids);
  }
  mesh->types[c] = (uint8_t)type;
  for (int k = 0; k < 3; k++)
    mesh->degrees[3 * c + k] = d[k];
  memcpy(mesh->ids + mesh->n_ids, ids, (size_t)n * sizeof *ids);
  mesh->offsets[c] = mesh->n_ids;
  mesh->n_ids += n;
  mesh->offsets[c + 1] = mesh->n_ids;
}

/* Number of nodes of the lattice of a Lagrange or Bezier type, from 0 for curves on. */
static int64_t lattice_nodes(int shape, const int d[3]) {
  const int64_t a = d[0] + 1, b = d[1] + 1, c = d[2] + 1;
  const int64_t n[6] = {a,         a * (a + 1) / 2,    a * b, a * (a + 1) * (a + 2) / 6,
                        a * b * c, a * (a + 1) / 2 * c};
  return n[shape];
}

/* Number of the node at a place of the lattice, -1 where there is none. */
static int lattice_node(int shape, const int d[3], const int at[3]) {
  const int b[3] = {at[0], at[1], d[0] - at[0] - at[1]};
  const int t[4] = {at[0], at[1], at[2], d[0] - at[0] - at[1] - at[2]};
  switch (shape) {
  case 0:
    return at[1] || at[2] ? -1 : tsr_order_curve(d[0], at[0]);
  case 1:
    return b[2] < 0 || at[2] ? -1 : tsr_order_triangle(d[0], b);
  case 2:
    return at[2] ? -1 : tsr_order_quad(d, at[0], at[1]);
  case 3:
    return t[3] < 0 ? -1 : tsr_order_tetra(d[0], t);
  case 4:
    return tsr_order_hexahedron(d, at[0], at[1], at[2]);
  default:
    return b[2] < 0 ? -1 : tsr_order_wedge(d[0], d[2], at[0], at[1], at[2]);
  }
}

void cell_mesh_add_lattice(cell_mesh *mesh, int type, const int d[3], cell_mesh_node id_of,
                           void *context) {
  const int shape = type >= 75 ? type - 75 : type - 68;
  const int64_t n = lattice_nodes(shape, d);
  int64_t *ids = grown(NULL, n, sizeof *ids);
  int at[3];
  for (at[2] = 0; at[2] <= d[2]; at[2]++)
    for (at[1] = 0; at[1] <= d[1]; at[1]++)
      for (at[0] = 0; at[0] <= d[0]; at[0]++) {
        const int node = lattice_node(shape, d, at);
        const double place[3] = {(double)at[0] / d[0], (double)at[1] / d[1], (double)at[2] / d[2]};
        if (node >= 0)
          ids[node] = id_of(context, place);
      }
  cell_mesh_add_cell(mesh, type, d, ids, n);
  free(ids);
}

typedef struct face_nodes {
  cell_mesh *mesh;
  int sides;
  const int *d;
  const double (*x)[3];
} face_nodes;

static int64_t face_node(void *context, const double place[3]) {
  const face_nodes *it = context;
  const int a = (int)(place[0] * it->d[0] + 0.5), b = (int)(place[1] * it->d[1] + 0.5);
  const int at = it->sides == 3 ? b * (it->d[0] + 1) - b * (b - 1) / 2 + a : b * (it->d[0] + 1) + a;
  const int64_t id = cell_mesh_add_point(it->mesh, it->x[at]);
  it->mesh->values[CELL_MESH_VALUES * id] = place[0];
  it->mesh->values[CELL_MESH_VALUES * id + 1] = place[1];
  return id;
}

void cell_mesh_add_face(cell_mesh *mesh, int sides, int bezier, const int d[2],
                        const double (*x)[3]) {
  const int degrees[3] = {d[0], d[1], 1};
  face_nodes nodes = {mesh, sides, d, x};
  cell_mesh_add_lattice(mesh, (sides == 3 ? 69 : 70) + (bezier ? 7 : 0), degrees, face_node,
                        &nodes);
}

tsr_cells_view cell_mesh_view(const cell_mesh *mesh, int rational) {
  tsr_cells_view view;
  tsr_cells_view_init(&view);
  view.points = (tsr_array){mesh->points, TSR_DOUBLE, 3, mesh->n_points};
  if (rational)
    view.weights = (tsr_array){mesh->weights, TSR_DOUBLE, 1, mesh->n_points};
  view.degrees = (tsr_array){mesh->degrees, TSR_DOUBLE, 3, mesh->n_cells};
  view.n_cells = mesh->n_cells;
  view.types = mesh->types;
  view.offsets = mesh->offsets;
  view.connectivity = mesh->ids;
  view.n_connectivity = mesh->n_ids;
  return view;
}

static void *room(int64_t n, size_t size) {
  void *memory = calloc((size_t)n + 1, size);
  if (!memory)
    abort();
  return memory;
}

tsr_status cell_surface_fill(const cell_mesh *mesh, tsr_cells_plan *plan, cell_surface *out,
                             tsr_error *error) {
  memset(out, 0, sizeof *out);
  out->sizes = *tsr_cells_plan_sizes(plan);
  const tsr_cells_sizes *s = &out->sizes;
  const int64_t cells = s->verts + s->lines + s->polys;
  int64_t *numbers = room(mesh->n_cells, sizeof *numbers);
  tsr_cells_output o;
  for (int64_t c = 0; c < mesh->n_cells; c++)
    numbers[c] = 7 * c;
  tsr_cells_output_init(&o);
  o.points_type = TSR_DOUBLE;
  o.points = out->points = room(3 * s->points, sizeof *out->points);
  o.vert_offsets = out->vert_offsets = room(s->verts, sizeof *out->verts);
  o.vert_connectivity = out->verts = room(s->vert_connectivity, sizeof *out->verts);
  o.line_offsets = out->line_offsets = room(s->lines, sizeof *out->verts);
  o.line_connectivity = out->lines = room(s->line_connectivity, sizeof *out->verts);
  o.poly_offsets = out->poly_offsets = room(s->polys, sizeof *out->verts);
  o.poly_connectivity = out->polys = room(s->poly_connectivity, sizeof *out->verts);
  o.source_cell = out->source = room(cells, sizeof *out->source);
  if (!mesh->without_normals)
    o.normals = out->normals = room(3 * s->points, sizeof *out->normals);
  o.achieved = out->achieved = room(cells, sizeof *out->achieved);
  o.parameters = out->parameters = room(3 * s->points, sizeof *out->parameters);
  o.parameter_cell = out->parameter_cell = room(s->points, sizeof *out->parameter_cell);
  out->values = room(CELL_MESH_VALUES * s->points, sizeof *out->values);
  out->cell_ids = room(cells, sizeof *out->cell_ids);
  const tsr_cells_attribute values = {{mesh->values, TSR_DOUBLE, CELL_MESH_VALUES, mesh->n_points},
                                      out->values};
  const tsr_cells_attribute ids = {{numbers, TSR_INT64, 1, mesh->n_cells}, out->cell_ids};
  o.point_arrays = &values;
  o.cell_arrays = &ids;
  o.n_point_arrays = o.n_cell_arrays = 1;
  const tsr_status status = tsr_cells_fill(plan, &o, error);
  tsr_cells_plan_report(plan, &out->report);
  free(numbers);
  return status;
}

tsr_status cell_surface_make(const cell_mesh *mesh, const tsr_cells_view *view,
                             const tsr_cells_options *options, const tsr_execution *execution,
                             cell_surface *out, tsr_error *error) {
  tsr_cells_plan *plan = NULL;
  memset(out, 0, sizeof *out);
  tsr_status status = tsr_cells_plan_create(view, options, execution, &plan, error);
  if (status == TSR_OK)
    status = cell_surface_fill(mesh, plan, out, error);
  tsr_cells_plan_free(plan);
  return status;
}

void cell_surface_free(cell_surface *out) {
  free(out->points);
  free(out->values);
  free(out->vert_offsets);
  free(out->verts);
  free(out->line_offsets);
  free(out->lines);
  free(out->poly_offsets);
  free(out->polys);
  free(out->source);
  free(out->cell_ids);
  free(out->normals);
  free(out->achieved);
  free(out->parameters);
  free(out->parameter_cell);
  memset(out, 0, sizeof *out);
}

typedef struct pair {
  int64_t low, high;
} pair;

static int compare_pairs(const void *a, const void *b) {
  const pair *p = a, *q = b;
  if (p->low != q->low)
    return p->low < q->low ? -1 : 1;
  return p->high < q->high ? -1 : p->high > q->high;
}

int64_t cell_surface_open_edges(const cell_surface *it) {
  pair *pairs = room(it->sizes.poly_connectivity, sizeof *pairs);
  int64_t n = 0, open = 0;
  for (int64_t c = 0; c < it->sizes.polys; c++) {
    const int64_t first = it->poly_offsets[c], end = it->poly_offsets[c + 1];
    for (int64_t k = first; k < end; k++) {
      const int64_t a = it->polys[k], b = it->polys[k + 1 < end ? k + 1 : first];
      if (a != b)
        pairs[n++] = a < b ? (pair){a, b} : (pair){b, a};
    }
  }
  qsort(pairs, (size_t)n, sizeof *pairs, compare_pairs);
  for (int64_t k = 0, next; k < n; k = next) {
    for (next = k; next < n && compare_pairs(&pairs[k], &pairs[next]) == 0;)
      next++;
    open += (next - k) % 2;
  }
  free(pairs);
  return open;
}

double cell_mesh_random(uint64_t i) {
  i += 0x9e3779b97f4a7c15u;
  i = (i ^ i >> 30) * 0xbf58476d1ce4e5b9u;
  i = (i ^ i >> 27) * 0x94d049bb133111ebu;
  return (double)((i ^ i >> 31) >> 11) * 0x1p-53;
}

double cell_mesh_between(uint64_t *seed, double low, double high) {
  return low + (high - low) * cell_mesh_random((*seed)++);
}
