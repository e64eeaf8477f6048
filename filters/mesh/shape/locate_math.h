/* SPDX-License-Identifier: BSD-3-Clause */
/** Unstructured meshes: whether a cell holds a place, how far it is from it, and values there. */
#ifndef TSR_MESH_SHAPE_LOCATE_MATH_H
#define TSR_MESH_SHAPE_LOCATE_MATH_H

#include "mesh/shape/shape_math.h"

/** A flat cell is further away than any other one. */
#define TSR_MESH_FAR 1e30

/** Where a place is in the mesh. */
typedef struct tsr_mesh_spot {
  int64_t cell;       /**< -1: in no cell */
  double r[3];        /**< parameters in the cell, or in the simplex of a fan */
  int32_t face, edge; /**< of the simplex; strips: `face` is the triangle */
} tsr_mesh_spot;

/** Which simplex of a fan is looked at. */
typedef struct tsr_mesh_fan {
  tsr_mesh_cell c;
  double mean[3]; /**< of the cell's points */
  int64_t face, faces, edge;
  tsr_mesh_face f;
  double middle[3];       /**< of the face's points */
  double low[3], high[3]; /**< box around the simplices of the face; solid cells alone */
} tsr_mesh_fan;

/** Finds the mean of the places of the fan's face, and the box around these and the cell's mean. */
TSR_FN void tsr_mesh_measure_face(const tsr_mesh *mesh, tsr_mesh_fan *fan) {
  for (int a = 0; a < 3; ++a) {
    fan->middle[a] = 0.0;
    fan->low[a] = fan->high[a] = fan->mean[a];
  }
  for (int64_t k = 0; k < fan->f.n; ++k) {
    const double *x = tsr_mesh_place(mesh, tsr_mesh_face_id(mesh, &fan->c, &fan->f, k));
    for (int a = 0; a < 3; ++a) {
      fan->middle[a] += x[a];
      fan->low[a] = x[a] < fan->low[a] ? x[a] : fan->low[a];
      fan->high[a] = x[a] > fan->high[a] ? x[a] : fan->high[a];
    }
  }
  for (int a = 0; a < 3; ++a)
    fan->middle[a] /= (double)fan->f.n;
}

/** Goes to a face of the fan. */
TSR_FN void tsr_mesh_fan_face(const tsr_mesh *mesh, tsr_mesh_fan *fan, int64_t face) {
  const tsr_mesh_face none = {1, 0, 0};
  fan->face = face;
  fan->edge = 0;
  fan->f = none;
  if (fan->c.kind == TSR_MESH_STRIP || face >= fan->faces)
    return;
  fan->f = tsr_mesh_face_of(mesh, &fan->c, face);
  if (mesh->dimension == 3)
    tsr_mesh_measure_face(mesh, fan);
}

TSR_FN tsr_mesh_fan tsr_mesh_fan_of(const tsr_mesh *mesh, const tsr_mesh_cell *c) {
  tsr_mesh_fan fan;
  fan.c = *c;
  fan.mean[0] = fan.mean[1] = fan.mean[2] = 0.0;
  for (int64_t k = 0; k < c->n; ++k) {
    const double *x = tsr_mesh_place(mesh, tsr_mesh_listed_id(mesh, c, k));
    for (int a = 0; a < 3; ++a)
      fan.mean[a] += x[a];
  }
  for (int a = 0; a < 3; ++a) {
    fan.mean[a] /= (double)c->n;
    fan.middle[a] = 0.0;
  }
  fan.faces = c->kind == TSR_MESH_STRIP ? c->n - 2 : tsr_mesh_faces(mesh, c);
  tsr_mesh_fan_face(mesh, &fan, 0);
  return fan;
}

/** Goes to the next simplex; 0: there is none. */
TSR_FN int tsr_mesh_fan_next(const tsr_mesh *mesh, tsr_mesh_fan *fan) {
  if (mesh->dimension == 3 && fan->edge + 1 < fan->f.n) {
    ++fan->edge;
    return 1;
  }
  tsr_mesh_fan_face(mesh, fan, fan->face + 1);
  return fan->face < fan->faces;
}

/** 1 if place p is clearly outside all simplices of the fan's face. */
TSR_FN int tsr_mesh_fan_beyond(const tsr_mesh *mesh, const tsr_mesh_fan *fan, const double p[3]) {
  for (int a = 0; a < 3 && mesh->dimension == 3; ++a)
    if (tsr_mesh_beyond(fan->low[a], fan->high[a], p[a]))
      return 1;
  return 0;
}

/** Point k of the simplex: -1 is the mean of the cell, -2 that of the face. */
TSR_FN int64_t tsr_mesh_fan_id(const tsr_mesh *mesh, const tsr_mesh_fan *fan, int k) {
  if (fan->c.kind == TSR_MESH_STRIP)
    return tsr_mesh_id(mesh, &fan->c, fan->face + k);
  if (k == 0)
    return -1;
  if (mesh->dimension == 2)
    return tsr_mesh_face_id(mesh, &fan->c, &fan->f, k - 1);
  return k == 1 ? -2 : tsr_mesh_face_id(mesh, &fan->c, &fan->f, fan->edge + k - 2);
}

/** The simplex as a cell. */
TSR_FN void tsr_mesh_fan_shape(const tsr_mesh *mesh, const tsr_mesh_fan *fan, tsr_mesh_shape *s) {
  s->kind = mesh->dimension == 3 ? TSR_MESH_TETRAHEDRON : TSR_MESH_TRIANGLE;
  s->n = mesh->dimension + 1;
  for (int k = 0; k < s->n; ++k) {
    const int64_t id = tsr_mesh_fan_id(mesh, fan, k);
    const double *x = id == -1 ? fan->mean : id == -2 ? fan->middle : tsr_mesh_place(mesh, id);
    for (int a = 0; a < 3; ++a)
      s->x[k][a] = x[a];
  }
}

/** Notes the box of cell i. */
TSR_FN void tsr_mesh_set_box(const tsr_mesh *mesh, int64_t i, const double low[3],
                             const double high[3]) {
  float *box = mesh->boxes + 6 * i;
  for (int a = 0; a < 3; ++a) {
    /* Three times the rounding of a float. */
    box[a] = (float)(low[a] - 2e-7 * fabs(low[a]));
    box[3 + a] = (float)(high[a] + 2e-7 * fabs(high[a]));
  }
}

/** 0 if place p is clearly outside the box of cell i. */
TSR_FN int tsr_mesh_cell_may_hold(const tsr_mesh *mesh, int64_t i, const double p[3]) {
  const float *box = mesh->boxes + 6 * i;
  for (int a = 0; a < mesh->dimension; ++a)
    if (tsr_mesh_beyond((double)box[a], (double)box[3 + a], p[a]))
      return 0;
  return 1;
}

/** 1 if cell i, whose box may hold place p, holds it; then *spot says where. */
TSR_FN int tsr_mesh_inside_box(const tsr_mesh *mesh, const tsr_mesh_cell *c, const double p[3],
                               tsr_mesh_spot *spot) {
  tsr_mesh_shape s;
  spot->cell = c->cell;
  spot->face = spot->edge = 0;
  if (!tsr_mesh_is_fan(c->kind)) {
    tsr_mesh_load(mesh, c, &s);
    return tsr_mesh_inside_shape(&s, mesh->dimension, p, spot->r);
  }
  tsr_mesh_fan fan = tsr_mesh_fan_of(mesh, c);
  do {
    if (tsr_mesh_fan_beyond(mesh, &fan, p)) {
      fan.edge = fan.f.n - 1; /* on to the next face */
      continue;
    }
    tsr_mesh_fan_shape(mesh, &fan, &s);
    if (tsr_mesh_box_may_hold((const double(*)[3])s.x, s.n, mesh->dimension, p) &&
        tsr_mesh_inside_shape(&s, mesh->dimension, p, spot->r)) {
      spot->face = (int32_t)fan.face;
      spot->edge = (int32_t)fan.edge;
      return 1;
    }
  } while (tsr_mesh_fan_next(mesh, &fan));
  return 0;
}

/** 1 if cell i holds place p; then *spot says where. */
TSR_FN int tsr_mesh_inside(const tsr_mesh *mesh, int64_t i, const double p[3],
                           tsr_mesh_spot *spot) {
  if (!tsr_mesh_cell_may_hold(mesh, i, p))
    return 0;
  const tsr_mesh_cell c = tsr_mesh_cell_of(mesh, i);
  return tsr_mesh_inside_box(mesh, &c, p, spot);
}

/** The square of the distance from p to the place of its clamped parameters, which r receives. */
TSR_FN double tsr_mesh_near(const tsr_mesh_shape *s, int dimension, const double p[3],
                            double r[3]) {
  double N[8], D[8][3], x[3], J[3][3];
  const int solid = tsr_mesh_solve(s, dimension, p, r);
  if (!solid)
    tsr_mesh_centre(s->kind, r);
  tsr_mesh_clamp(s->kind, dimension, r);
  tsr_mesh_functions(s->kind, r, N, D);
  tsr_mesh_map(s, dimension, N, D, x, J);
  return tsr_mesh_distance2(p, x) + (solid ? 0.0 : TSR_MESH_FAR);
}

/** The square of the distance from p to the box of the points of a cell with shape functions. */
TSR_FN double tsr_mesh_shape_distance2(const tsr_mesh_shape *s, int dimension, const double p[3]) {
  double sum = 0.0;
  for (int a = 0; a < dimension; ++a) {
    double low = s->x[0][a], high = low;
    for (int k = 1; k < s->n; ++k) {
      low = s->x[k][a] < low ? s->x[k][a] : low;
      high = s->x[k][a] > high ? s->x[k][a] : high;
    }
    const double d = p[a] < low ? low - p[a] : p[a] > high ? p[a] - high : 0.0;
    sum += d * d;
  }
  return sum;
}

/** 0 if what is this far from a place, by the square of the distance from its
 * box, is clearly not closer than `best`; below 0: there is none so far. */
TSR_FN int tsr_mesh_may_be_closer(double box_distance2, double best) {
  return best < 0.0 || box_distance2 <= best * (1.0 + 1e-6) + 1e-12;
}

/** The square of the distance from p to the box around the simplices of the
 * fan's face. */
TSR_FN double tsr_mesh_face_distance2(const tsr_mesh_fan *fan, const double p[3]) {
  double sum = 0.0;
  for (int a = 0; a < 3; ++a) {
    const double low = fan->low[a], high = fan->high[a];
    const double d = p[a] < low ? low - p[a] : p[a] > high ? p[a] - high : 0.0;
    sum += d * d;
  }
  return sum;
}

/** As tsr_mesh_near for cell i. best: what is clearly not closer than this need
 * not be looked at; below 0: all. */
TSR_FN double tsr_mesh_closest(const tsr_mesh *mesh, int64_t i, const double p[3], double best,
                               tsr_mesh_spot *spot) {
  const tsr_mesh_cell c = tsr_mesh_cell_of(mesh, i);
  double r[3], far, least = 4.0 * TSR_MESH_FAR;
  tsr_mesh_shape s;
  spot->cell = i;
  spot->face = spot->edge = 0;
  if (!tsr_mesh_is_fan(c.kind)) {
    tsr_mesh_load(mesh, &c, &s);
    return tsr_mesh_near(&s, mesh->dimension, p, spot->r);
  }
  tsr_mesh_fan fan = tsr_mesh_fan_of(mesh, &c);
  best = best < 0.0 || best > least ? least : best;
  spot->r[0] = spot->r[1] = spot->r[2] = 0.25;
  do {
    if (mesh->dimension == 3 && !tsr_mesh_may_be_closer(tsr_mesh_face_distance2(&fan, p), best)) {
      fan.edge = fan.f.n - 1; /* on to the next face */
      continue;
    }
    tsr_mesh_fan_shape(mesh, &fan, &s);
    if (!tsr_mesh_may_be_closer(tsr_mesh_shape_distance2(&s, mesh->dimension, p), best))
      continue;
    far = tsr_mesh_near(&s, mesh->dimension, p, r);
    if (far < least) {
      least = far;
      best = far < best ? far : best;
      for (int a = 0; a < 3; ++a)
        spot->r[a] = r[a];
      spot->face = (int32_t)fan.face;
      spot->edge = (int32_t)fan.edge;
    }
  } while (tsr_mesh_fan_next(mesh, &fan));
  return least;
}

/** The square of the distance from p to the box of cell i. */
TSR_FN double tsr_mesh_box_distance2(const tsr_mesh *mesh, int64_t i, const double p[3]) {
  const float *box = mesh->boxes + 6 * i;
  double sum = 0.0;
  for (int a = 0; a < mesh->dimension; ++a) {
    const double low = (double)box[a], high = (double)box[3 + a];
    const double d = p[a] < low ? low - p[a] : p[a] > high ? p[a] - high : 0.0;
    sum += d * d;
  }
  return sum;
}

/** Takes cell i as the closest one to p if it is; *best: the square of the
 * distance so far, below 0 if there is none. Of two equally close cells the one
 * with the lower number counts. */
TSR_FN void tsr_mesh_try(const tsr_mesh *mesh, int64_t i, const double p[3], tsr_mesh_spot *spot,
                         double *best) {
  tsr_mesh_spot one;
  const double far = tsr_mesh_closest(mesh, i, p, *best, &one);
  if (*best < 0.0 || far < *best || (far == *best && i < spot->cell)) {
    *best = far;
    *spot = one;
  }
}

/** The weights of the values at a spot. p: NULL, or a place outside the cell, to which the values
 *  are continued by their derivative at the spot. s: receives the cell or the simplex. */
TSR_FN void tsr_mesh_weigh(const tsr_mesh *mesh, const tsr_mesh_spot *spot, const double *p,
                           tsr_mesh_fan *fan, tsr_mesh_shape *s, double N[8]) {
  const tsr_mesh_cell c = tsr_mesh_cell_of(mesh, spot->cell);
  double D[8][3], x[3], J[3][3], e[3], d[3];
  if (tsr_mesh_is_fan(c.kind)) {
    *fan = tsr_mesh_fan_of(mesh, &c);
    tsr_mesh_fan_face(mesh, fan, spot->face);
    fan->edge = spot->edge;
    tsr_mesh_fan_shape(mesh, fan, s);
  } else {
    fan->c = c;
    tsr_mesh_load(mesh, &c, s);
  }
  tsr_mesh_functions(s->kind, spot->r, N, D);
  if (!p)
    return;
  tsr_mesh_map(s, mesh->dimension, N, D, x, J);
  for (int a = 0; a < 3; ++a)
    e[a] = a < mesh->dimension ? p[a] - x[a] : 0.0;
  tsr_mesh_invert(J, e, d);
  for (int k = 0; k < s->n; ++k)
    N[k] += D[k][0] * d[0] + D[k][1] * d[1] + D[k][2] * d[2];
}

/** The value of a component of point data by the weights. */
TSR_FN double tsr_mesh_weighed(const tsr_mesh *mesh, const tsr_mesh_fan *fan,
                               const tsr_mesh_shape *s, const double N[8], const tsr_array *array,
                               int component) {
  const int fans = tsr_mesh_is_fan(fan->c.kind);
  double sum = 0.0;
  for (int k = 0; k < s->n; ++k) {
    const int64_t id = fans ? tsr_mesh_fan_id(mesh, fan, k) : tsr_mesh_id(mesh, &fan->c, k);
    double v = 0.0;
    if (id >= 0) {
      v = tsr_load(array, id * array->components + component);
    } else {
      const int64_t n = id == -1 ? fan->c.n : fan->f.n;
      for (int64_t m = 0; m < n; ++m) {
        const int64_t at =
            id == -1 ? tsr_mesh_id(mesh, &fan->c, m) : tsr_mesh_face_id(mesh, &fan->c, &fan->f, m);
        v += tsr_load(array, at * array->components + component);
      }
      v /= (double)n;
    }
    sum += N[k] * v;
  }
  return sum;
}

#endif
