/* SPDX-License-Identifier: BSD-3-Clause */
#include "mesh_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double mesh_uniform(unsigned *random) {
  *random = *random * 1664525u + 1013904223u;
  return (double)(*random >> 8) / 16777216.0;
}

double mesh_linear(const double x[3]) { return 2.0 * x[0] - 3.0 * x[1] + 0.5 * x[2] + 1.0; }

double mesh_front(const double x[3]) {
  return tanh(8.0 * (sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) - 0.7)) + 0.1 * x[0];
}

static void *grown(void *at, int64_t n, int64_t *room, size_t size) {
  if (n < *room)
    return at;
  *room = *room > 0 ? 2 * *room : 256;
  return realloc(at, (size_t)(*room + 1) * size);
}

static int64_t add_point(mesh_case *it, const double x[3]) {
  it->points = grown(it->points, it->n_points, &it->room_points, 3 * sizeof(double));
  memcpy(it->points + 3 * it->n_points, x, 3 * sizeof(double));
  return it->n_points++;
}

static void end_cell(mesh_case *it, int type) {
  int64_t room = it->room_cells;
  it->types = grown(it->types, it->n_cells, &room, 1);
  room = it->room_cells;
  it->cell_faces = grown(it->cell_faces, it->n_cells, &room, sizeof(int64_t));
  it->offsets = grown(it->offsets, it->n_cells, &it->room_cells, sizeof(int64_t));
  if (it->n_cells == 0)
    it->offsets[0] = it->cell_faces[0] = 0;
  it->types[it->n_cells++] = (uint8_t)type;
  it->offsets[it->n_cells] = it->n_ids;
  it->cell_faces[it->n_cells] = it->n_faces;
}

static void add_id(mesh_case *it, int64_t id) {
  it->ids = grown(it->ids, it->n_ids, &it->room_ids, sizeof(int64_t));
  it->ids[it->n_ids++] = id;
}

static void add_cell(mesh_case *it, int type, const int64_t *ids, int n) {
  for (int k = 0; k < n; ++k)
    add_id(it, ids[k]);
  end_cell(it, type);
}

static void add_face(mesh_case *it, const int64_t *ids, int n) {
  for (int k = 0; k < n; ++k) {
    it->face_ids = grown(it->face_ids, it->n_face_ids, &it->room_face_ids, sizeof(int64_t));
    it->face_ids[it->n_face_ids++] = ids[k];
  }
  it->face_offsets = grown(it->face_offsets, it->n_faces, &it->room_faces, sizeof(int64_t));
  it->face_offsets[0] = 0;
  it->face_offsets[++it->n_faces] = it->n_face_ids;
}

/* v: corners of the box by VTK's order of hexahedra. */
static void add_polyhedron(mesh_case *it, const int64_t v[8]) {
  static const int faces[4][4] = {{0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
  for (int f = 0; f < 4; ++f) {
    int64_t ids[4];
    for (int k = 0; k < 4; ++k)
      ids[k] = v[faces[f][k]];
    add_face(it, ids, 4);
  }
  add_face(it, (int64_t[]){v[0], v[2], v[1]}, 3);
  add_face(it, (int64_t[]){v[0], v[3], v[2]}, 3);
  add_face(it, (int64_t[]){v[4], v[5], v[6]}, 3);
  add_face(it, (int64_t[]){v[4], v[6], v[7]}, 3);
  for (int k = 0; k < 8; ++k)
    add_id(it, v[k]);
  end_cell(it, 42);
}

static void add_tets(mesh_case *it, const int64_t v[8], int five, int odd) {
  static const int six[6][4] = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6},
                                {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};
  static const int fives[2][5][4] = {
      {{0, 1, 2, 5}, {0, 2, 3, 7}, {0, 5, 7, 4}, {2, 7, 5, 6}, {0, 2, 7, 5}},
      {{1, 2, 3, 6}, {0, 1, 3, 4}, {1, 4, 6, 5}, {3, 6, 4, 7}, {1, 3, 4, 6}}};
  for (int t = 0; t < (five ? 5 : 6); ++t) {
    int64_t ids[4];
    for (int k = 0; k < 4; ++k)
      ids[k] = v[five ? fives[odd][t][k] : six[t][k]];
    add_cell(it, 10, ids, 4);
  }
}

static void add_pyramids(mesh_case *it, const int64_t v[8]) {
  static const int faces[6][4] = {{0, 1, 2, 3}, {4, 7, 6, 5}, {0, 4, 5, 1},
                                  {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 4, 0}};
  double x[3] = {0, 0, 0};
  for (int k = 0; k < 8; ++k)
    for (int a = 0; a < 3; ++a)
      x[a] += 0.125 * it->points[3 * v[k] + a];
  const int64_t apex = add_point(it, x);
  for (int f = 0; f < 6; ++f)
    add_cell(it, 14,
             (int64_t[]){v[faces[f][0]], v[faces[f][1]], v[faces[f][2]], v[faces[f][3]], apex}, 5);
}

/* A point between two of a box. */
static int64_t between(mesh_case *it, int64_t a, int64_t b, double t) {
  double x[3];
  for (int c = 0; c < 3; ++c)
    x[c] = it->points[3 * a + c] + t * (it->points[3 * b + c] - it->points[3 * a + c]);
  return add_point(it, x);
}

/* A pentagonal prism and a wedge, or a hexagonal prism and two wedges. */
static void add_prisms(mesh_case *it, const int64_t v[8], int six) {
  const int64_t a = between(it, v[1], v[2], 0.5), b = between(it, v[2], v[3], 0.5);
  const int64_t c = between(it, v[5], v[6], 0.5), d = between(it, v[6], v[7], 0.5);
  add_cell(it, 13, (int64_t[]){a, v[2], b, c, v[6], d}, 6);
  if (!six) {
    add_cell(it, 15, (int64_t[]){v[0], v[1], a, b, v[3], v[4], v[5], c, d, v[7]}, 10);
    return;
  }
  const int64_t e = between(it, v[0], v[3], 0.5), f = between(it, v[0], v[1], 0.5);
  const int64_t g = between(it, v[4], v[7], 0.5), h = between(it, v[4], v[5], 0.5);
  add_cell(it, 13, (int64_t[]){v[0], f, e, v[4], h, g}, 6);
  add_cell(it, 16, (int64_t[]){f, v[1], a, b, v[3], e, h, v[5], c, d, v[7], g}, 12);
}

static void add_solid(mesh_case *it, mesh_kind kind, const int64_t v[8], int odd,
                      unsigned *random) {
  static const mesh_kind mixed[4] = {MESH_HEXES, MESH_WEDGES, MESH_PYRAMIDS, MESH_POLYHEDRA};
  if (kind == MESH_MIXED)
    kind = mixed[(int)(4.0 * mesh_uniform(random))];
  switch (kind) {
  case MESH_TETS_5:
  case MESH_TETS_6:
    add_tets(it, v, kind == MESH_TETS_5, odd);
    break;
  case MESH_VOXELS:
    add_cell(it, 11, (int64_t[]){v[0], v[1], v[3], v[2], v[4], v[5], v[7], v[6]}, 8);
    break;
  case MESH_WEDGES:
    add_cell(it, 13, (int64_t[]){v[0], v[2], v[1], v[4], v[6], v[5]}, 6);
    add_cell(it, 13, (int64_t[]){v[0], v[3], v[2], v[4], v[7], v[6]}, 6);
    break;
  case MESH_PYRAMIDS:
    add_pyramids(it, v);
    break;
  case MESH_POLYHEDRA:
    add_polyhedron(it, v);
    break;
  case MESH_PRISMS:
    add_prisms(it, v, odd);
    break;
  default:
    add_cell(it, 12, v, 8);
    break;
  }
}

static void add_plane(mesh_case *it, mesh_kind kind, const int64_t v[4]) {
  switch (kind) {
  case MESH_TRIANGLES:
    add_cell(it, 5, (int64_t[]){v[0], v[1], v[2]}, 3);
    add_cell(it, 5, (int64_t[]){v[0], v[2], v[3]}, 3);
    break;
  case MESH_PIXELS:
    add_cell(it, 8, (int64_t[]){v[0], v[1], v[3], v[2]}, 4);
    break;
  case MESH_POLYGONS: {
    const int64_t a = between(it, v[1], v[2], 0.6), b = between(it, v[2], v[3], 0.4);
    add_cell(it, 7, (int64_t[]){v[0], v[1], a, b, v[3]}, 5);
    add_cell(it, 7, (int64_t[]){a, v[2], b}, 3);
    break;
  }
  case MESH_STRIPS:
    add_cell(it, 6, (int64_t[]){v[0], v[1], v[3], v[2]}, 4);
    break;
  default:
    add_cell(it, 9, v, 4);
    break;
  }
}

/* Points of the lattice of one part. */
static int64_t *add_points(mesh_case *it, const mesh_recipe *r, int part, unsigned *random) {
  const int n[3] = {r->n[0], r->n[1], it->dimension == 3 ? r->n[2] : 0};
  int64_t *ids = malloc((size_t)(n[0] + 1) * (size_t)(n[1] + 1) * (size_t)(n[2] + 1) * sizeof *ids);
  int64_t k = 0;
  for (int z = 0; z <= n[2]; ++z)
    for (int y = 0; y <= n[1]; ++y)
      for (int x = 0; x <= n[0]; ++x) {
        const int at[3] = {x, y, z};
        double p[3] = {0, 0, 0};
        for (int a = 0; a < it->dimension; ++a) {
          const int edge = at[a] == 0 || at[a] == n[a];
          p[a] = at[a] + (edge ? 0.0 : r->jitter * (mesh_uniform(random) - 0.5));
          if (a == 0 && r->grading > 0.0)
            p[a] = n[0] * (pow(r->grading, p[a] / n[0]) - 1.0) / (r->grading - 1.0);
          p[a] += 0.5 * part * n[a];
        }
        for (int a = 0; a < 3; ++a)
          p[a] = r->origin[a] + r->scale[a] * p[a];
        ids[k++] = add_point(it, p);
      }
  return ids;
}

/* Spoils the last cell. */
static void spoil(mesh_case *it, const mesh_recipe *r, unsigned *random) {
  const int64_t first = it->offsets[it->n_cells - 1], n = it->n_ids - first;
  const int type = it->types[it->n_cells - 1];
  int64_t copy[16];
  if (mesh_uniform(random) < r->invert && type == 10) {
    copy[0] = it->ids[first];
    it->ids[first] = it->ids[first + 1];
    it->ids[first + 1] = copy[0];
  }
  if (mesh_uniform(random) < r->flat && type == 10)
    it->ids[first] = it->ids[first + 1];
  if (mesh_uniform(random) < r->repeat && type != 42) {
    memcpy(copy, it->ids + first, (size_t)n * sizeof *copy);
    add_cell(it, type, copy, (int)n);
  }
}

static void add_boxes(mesh_case *it, const mesh_recipe *r, const int64_t *ids, unsigned *random) {
  const int64_t w = r->n[0] + 1, h = (int64_t)w * (r->n[1] + 1);
  for (int z = 0; z < (it->dimension == 3 ? r->n[2] : 1); ++z)
    for (int y = 0; y < r->n[1]; ++y)
      for (int x = 0; x < r->n[0]; ++x) {
        const int64_t *p = ids + z * h + y * w + x;
        if (mesh_uniform(random) < r->hole)
          continue;
        if (it->dimension == 3)
          add_solid(it, r->kind,
                    (int64_t[]){p[0], p[1], p[w + 1], p[w], p[h], p[h + 1], p[h + w + 1], p[h + w]},
                    (x + y + z) & 1, random);
        else
          add_plane(it, r->kind, (int64_t[]){p[0], p[1], p[w + 1], p[w]});
        spoil(it, r, random);
      }
}

static void set_arrays(mesh_case *it) {
  it->linear = malloc((size_t)(it->n_points + 1) * sizeof(double));
  it->front = malloc((size_t)(it->n_points + 1) * sizeof(double));
  it->pair = malloc((size_t)(it->n_points + 1) * 2 * sizeof(int32_t));
  it->number = malloc((size_t)(it->n_cells + 1) * sizeof(int64_t));
  for (int64_t i = 0; i < it->n_points; ++i) {
    it->linear[i] = mesh_linear(it->points + 3 * i);
    it->front[i] = mesh_front(it->points + 3 * i);
    it->pair[2 * i] = (int32_t)(1000.0 * it->front[i]);
    it->pair[2 * i + 1] = (int32_t)i;
  }
  for (int64_t i = 0; i < it->n_cells; ++i)
    it->number[i] = i - ((int64_t)1 << 60);
}

mesh_case mesh_case_make(const mesh_recipe *r) {
  mesh_case it;
  unsigned random = r->seed;
  memset(&it, 0, sizeof it);
  it.dimension = r->kind >= MESH_TRIANGLES ? 2 : 3;
  for (int part = 0; part < (r->parts > 1 ? r->parts : 1); ++part) {
    int64_t *ids = add_points(&it, r, part, &random);
    add_boxes(&it, r, ids, &random);
    free(ids);
  }
  if (it.n_cells == 0) {
    it.offsets = calloc(1, sizeof(int64_t));
    it.cell_faces = calloc(1, sizeof(int64_t));
  }
  set_arrays(&it);
  tsr_mesh_view_init(&it.view);
  it.view.points = (tsr_array){it.points, TSR_DOUBLE, 3, it.n_points};
  it.view.n_cells = it.n_cells;
  it.view.types = it.types;
  it.view.offsets = it.offsets;
  it.view.connectivity = it.ids;
  it.view.n_connectivity = it.n_ids;
  it.view.cell_faces = it.n_faces > 0 ? it.cell_faces : NULL;
  it.view.face_offsets = it.face_offsets;
  it.view.face_ids = it.face_ids;
  it.view.n_face_ids = it.n_face_ids;
  return it;
}

void mesh_case_free(mesh_case *it) {
  free(it->points);
  free(it->types);
  free(it->offsets);
  free(it->ids);
  free(it->cell_faces);
  free(it->face_offsets);
  free(it->face_ids);
  free(it->linear);
  free(it->front);
  free(it->pair);
  free(it->number);
  memset(it, 0, sizeof *it);
}
