/* SPDX-License-Identifier: BSD-3-Clause */
/** Unstructured meshes: the convex bodies that a cell of the mesh consists of. */
#include "mesh/clip/source.h"

/** A face whose points are this close to a plane, in parts of the cell's extent, is plane: some
 *  thousand roundings of coordinates in a domain of 1000 cells. */
#define PLANE 1e-10

/* The mean of the points of the fan's face. The order of the sum does not depend on the cell, so
 * that the two cells of a face have the same bits. */
static void set_middle(const tsr_mesh *mesh, tsr_mesh_fan *fan) {
  const tsr_mesh_face *f = &fan->f;
  int64_t last = -1, count = 0;
  if (mesh->dimension < 3 || fan->face >= fan->faces)
    return;
  fan->middle[0] = fan->middle[1] = fan->middle[2] = 0.0;
  while (count < f->n) {
    int64_t least = INT64_MAX, times = 0;
    for (int64_t k = 0; k < f->n; ++k) {
      const int64_t id = tsr_mesh_face_id(mesh, &fan->c, f, k);
      if (id > last && id <= least) {
        times = id < least ? 1 : times + 1;
        least = id;
      }
    }
    for (int a = 0; a < 3; ++a)
      fan->middle[a] += (double)times * tsr_mesh_place(mesh, least)[a];
    last = least;
    count += times;
  }
  for (int a = 0; a < 3; ++a)
    fan->middle[a] /= (double)f->n;
}

/* The points of face f of a kind, as numbers of the shape's points. Returns how many they are. */
static int face_of(const tsr_mesh_shape *s, int f, int at[4]) {
  const uint32_t locals = tsr_mesh_kind_face(s->kind, f);
  const int n = (int)(locals >> 28);
  for (int k = 0; k < n; ++k)
    at[k] = (int)(locals >> 4 * k & 15u);
  return n;
}

static double extent_of(const tsr_mesh_shape *s) {
  double most = 0.0;
  for (int k = 1; k < s->n; ++k)
    for (int a = 0; a < 3; ++a)
      most = fabs(s->x[k][a] - s->x[0][a]) > most ? fabs(s->x[k][a] - s->x[0][a]) : most;
  return most;
}

/* 1 if all points of the shape are on one side of a face, and its own points in its plane. */
static int is_face_plane(const tsr_mesh_shape *s, const int at[4], int n, double close) {
  double u[3], v[3], normal[3], length, inner = 0.0;
  for (int a = 0; a < 3; ++a) {
    u[a] = s->x[at[1]][a] - s->x[at[0]][a];
    v[a] = s->x[at[2]][a] - s->x[at[0]][a];
  }
  tsr_cross(u, v, normal);
  length = sqrt(tsr_mesh_dot(normal, normal));
  if (!(length > 0.0))
    return 0;
  for (int k = 0; k < s->n; ++k) {
    double w[3], d;
    int own = 0;
    for (int a = 0; a < 3; ++a)
      w[a] = s->x[k][a] - s->x[at[0]][a];
    d = tsr_mesh_dot(normal, w) / length;
    for (int m = 0; m < n; ++m)
      own = own || at[m] == k;
    if (own && !(fabs(d) <= close))
      return 0;
    if (!own && fabs(d) > close) {
      if (inner * d < 0.0)
        return 0;
      inner = d;
    }
  }
  return inner != 0.0;
}

/* 1 if the corner of a plane cell at point k turns the way of `sign`; 0 where it is straight. */
static double corner_of(const tsr_mesh_shape *s, int k) {
  const double *a = s->x[k], *b = s->x[(k + 1) % s->n], *c = s->x[(k + 2) % s->n];
  return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]);
}

static int is_convex(const tsr_mesh_shape *s, int dimension, int64_t faces) {
  const double close = PLANE * extent_of(s);
  if (s->kind == TSR_MESH_TETRAHEDRON || s->kind == TSR_MESH_TRIANGLE)
    return 1;
  if (dimension == 2) {
    int up = 0, down = 0;
    for (int k = 0; k < s->n; ++k) {
      up += corner_of(s, k) > 0.0;
      down += corner_of(s, k) < 0.0;
    }
    return up == s->n || down == s->n;
  }
  for (int f = 0; f < faces; ++f) {
    int at[4];
    const int n = face_of(s, f, at);
    if (!is_face_plane(s, at, n, close))
      return 0;
  }
  return 1;
}

void tsr_bodies_begin(tsr_bodies *it, const tsr_mesh *mesh, int64_t i) {
  const tsr_mesh_cell c = tsr_mesh_cell_of(mesh, i);
  it->mesh = mesh;
  it->more = 1;
  it->whole = 0;
  it->fan.c = c;
  if (!tsr_mesh_is_fan(c.kind)) {
    tsr_mesh_load(mesh, &c, &it->shape);
    it->whole = is_convex(&it->shape, mesh->dimension, tsr_mesh_faces(mesh, &c));
  }
  if (!it->whole) {
    it->fan = tsr_mesh_fan_of(mesh, &c);
    set_middle(mesh, &it->fan);
    it->more = it->fan.faces > 0;
  }
}

/* Makes the body of a convex shape. */
static void make_whole(const tsr_mesh_shape *s, int dimension, int64_t faces, tsr_body *body) {
  int at[TSR_MESH_SHAPE_POINTS];
  tsr_body_begin(body, dimension);
  for (int k = 0; k < s->n; ++k) {
    tsr_body_add(body, s->x[k]);
    at[k] = k;
  }
  if (dimension == 2) {
    tsr_body_close(body, at, s->n);
    return;
  }
  for (int f = 0; f < faces; ++f) {
    int face[4];
    const int n = face_of(s, f, face);
    tsr_body_close(body, face, n);
  }
}

int tsr_bodies_next(tsr_bodies *it, tsr_body *body, tsr_mesh_spot *spot) {
  const tsr_mesh *mesh = it->mesh;
  if (!it->more)
    return 0;
  spot->cell = it->fan.c.cell;
  spot->face = spot->edge = 0;
  if (it->whole) {
    make_whole(&it->shape, mesh->dimension, tsr_mesh_faces(mesh, &it->fan.c), body);
    it->more = 0;
    return 1;
  }
  spot->face = (int32_t)it->fan.face;
  spot->edge = (int32_t)it->fan.edge;
  tsr_mesh_fan_shape(mesh, &it->fan, &it->shape);
  make_whole(&it->shape, mesh->dimension, 4, body);
  const int64_t face = it->fan.face;
  it->more = tsr_mesh_fan_next(mesh, &it->fan);
  if (it->more && it->fan.face != face)
    set_middle(mesh, &it->fan);
  return 1;
}

void tsr_bodies_locate(const tsr_mesh *mesh, const double p[3], tsr_mesh_spot *spot) {
  const tsr_mesh_cell c = tsr_mesh_cell_of(mesh, spot->cell);
  tsr_mesh_shape s;
  if (tsr_mesh_is_fan(c.kind)) {
    tsr_mesh_fan fan = tsr_mesh_fan_of(mesh, &c);
    tsr_mesh_fan_face(mesh, &fan, spot->face);
    fan.edge = spot->edge;
    tsr_mesh_fan_shape(mesh, &fan, &s);
  } else {
    tsr_mesh_load(mesh, &c, &s);
  }
  tsr_mesh_near(&s, mesh->dimension, p, spot->r);
}
