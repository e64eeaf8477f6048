/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Unstructured meshes: nodes, and what of a cell decides which boxes of the lattice it touches.
 *
 * A node is a box of the lattice: after its height, the number of halvings from it down to the
 * finest cells, and its Morton number among the boxes of the height. Its key is the number with a
 * bit set above the highest one that a number of this height may have, so that keys are unique,
 * sorting them puts coarse nodes first, and nodes of a height are in Morton order.
 *
 * A cell touches a box if neither an axis of the lattice nor the normal of a face of the cell
 * separates the box from the cell's points: such an axis is a proof that they do not touch. Along
 * the axes of the lattice a box holds its lower face and not its upper one.
 */
#ifndef TSR_MESH_TOUCH_HULL_MATH_H
#define TSR_MESH_TOUCH_HULL_MATH_H

#include "common/morton_math.h"
#include "common/sort/pairs_math.h"
#include "mesh/shape/locate_math.h"

/** Heights are below this. */
enum { TSR_MESH_HEIGHTS = 21 };

/** A cell spans at most this many boxes of the height at which looking for boxes begins. */
enum { TSR_MESH_BOXES = 64 };

/** The geometry of a cell for the test of boxes. */
typedef struct tsr_mesh_hull {
  int own;                  /**< height of the boxes that suit the cell */
  int32_t lo[3], hi[3];     /**< finest cells that the cell's box spans */
  double least[3], most[3]; /**< the cell's box */
  int planes;
  double normal[TSR_MESH_PLANES][3], low[TSR_MESH_PLANES], high[TSR_MESH_PLANES];
  double sum[TSR_MESH_PLANES]; /**< of the magnitudes of each normal */
} tsr_mesh_hull;

/** A cell while its boxes are looked for. */
typedef struct tsr_mesh_seen {
  tsr_mesh_cell c;
  int fan;
  tsr_mesh_shape s; /**< not of a fan */
  tsr_mesh_hull hull;
} tsr_mesh_seen;

TSR_FN uint64_t tsr_mesh_sentinel(const tsr_mesh *mesh, int height) {
  return (uint64_t)1 << mesh->dimension * (mesh->bits - height);
}

/** The number of the box at these indices. */
TSR_FN uint64_t tsr_mesh_number(const tsr_mesh *mesh, const int32_t at[3]) {
  const uint64_t i[3] = {(uint64_t)at[0], (uint64_t)at[1], (uint64_t)at[2]};
  return tsr_morton(i, mesh->dimension);
}

/** Indices of a box. */
TSR_FN void tsr_mesh_at(const tsr_mesh *mesh, uint64_t number, int32_t at[3]) {
  at[0] = at[1] = at[2] = 0;
  for (int a = 0; a < mesh->dimension; ++a)
    at[a] = (int32_t)tsr_morton_axis(number >> a, mesh->dimension);
}

/** Height of the node with this key. */
TSR_FN int tsr_mesh_height(const tsr_mesh *mesh, uint64_t key) {
  int h = 0;
  while (h < mesh->levels && key < tsr_mesh_sentinel(mesh, h))
    ++h;
  return h;
}

/** Height and indices of the node with this key. */
TSR_FN int tsr_mesh_node_at(const tsr_mesh *mesh, uint64_t key, int32_t at[3]) {
  const int h = tsr_mesh_height(mesh, key);
  tsr_mesh_at(mesh, key - tsr_mesh_sentinel(mesh, h), at);
  return h;
}

/** The largest integer that is not above v, which is at least 0, and at most `most`. */
TSR_FN int32_t tsr_mesh_floor(double v, int32_t most) {
  if (!(v > 0.0))
    return 0;
  return v >= (double)most ? most : (int32_t)v;
}

/** The class of an edge by the square of its length: class h has those of 2^h finest cells or
 *  more. */
TSR_FN int tsr_mesh_class(const tsr_mesh *mesh, double length2) {
  double limit = 4.0;
  int h = 0;
  for (; h < mesh->levels && length2 >= limit; ++h)
    limit *= 4.0;
  return h;
}

/** Length class of the median (of two in the middle, the shorter one). */
TSR_FN int tsr_mesh_middle_class(const tsr_mesh *mesh, const int64_t of_class[TSR_MESH_HEIGHTS],
                                 int64_t n) {
  int64_t below = 0;
  int h = 0;
  for (; h < mesh->levels; ++h) {
    below += of_class[h];
    if (below > (n - 1) / 2)
      break;
  }
  return h;
}

/** Place of point k of the cell. */
TSR_FN const double *tsr_mesh_seen_place(const tsr_mesh *mesh, const tsr_mesh_seen *seen,
                                         int64_t k) {
  return seen->fan ? tsr_mesh_place(mesh, tsr_mesh_listed_id(mesh, &seen->c, k)) : seen->s.x[k];
}

/** Place of point k of a face; k may be one more than the last. */
TSR_FN const double *tsr_mesh_face_place(const tsr_mesh *mesh, const tsr_mesh_seen *seen,
                                         const tsr_mesh_face *face, int64_t k) {
  if (seen->fan)
    return tsr_mesh_place(mesh, tsr_mesh_face_id(mesh, &seen->c, face, k));
  if (mesh->dimension == 3)
    return seen->s.x[face->locals >> 4 * (k < face->n ? k : 0) & 15u];
  return seen->s.x[face->first + k < seen->c.n ? face->first + k : 0];
}

/** Finds the height that suits the cell. Every edge of a solid cell is counted twice, with each of
 *  its faces, which does not change the median. */
TSR_FN int tsr_mesh_own_height(const tsr_mesh *mesh, const tsr_mesh_seen *seen) {
  int64_t of_class[TSR_MESH_HEIGHTS] = {0}, n = 0;
  const int64_t faces = tsr_mesh_faces(mesh, &seen->c);
  for (int64_t f = 0; f < faces; ++f) {
    const tsr_mesh_face face = tsr_mesh_face_of(mesh, &seen->c, f);
    const int64_t edges = mesh->dimension == 3 ? face.n : 1;
    const double *from = tsr_mesh_face_place(mesh, seen, &face, 0), *to;
    for (int64_t k = 0; k < edges; ++k, ++n, from = to) {
      to = tsr_mesh_face_place(mesh, seen, &face, k + 1);
      ++of_class[tsr_mesh_class(mesh, tsr_mesh_distance2(from, to))];
    }
  }
  return tsr_mesh_middle_class(mesh, of_class, n);
}

/** A normal of a face: the sum of the areas of the triangles from its first point, or across an
 *  edge. */
TSR_FN void tsr_mesh_normal(const tsr_mesh *mesh, const tsr_mesh_seen *seen, const tsr_mesh_face *f,
                            double normal[3]) {
  const double *x = tsr_mesh_face_place(mesh, seen, f, 0);
  const double *y = tsr_mesh_face_place(mesh, seen, f, 1);
  double u[3] = {y[0] - x[0], y[1] - x[1], y[2] - x[2]}, v[3], w[3];
  normal[0] = -u[1];
  normal[1] = u[0];
  normal[2] = 0.0;
  if (mesh->dimension == 2)
    return;
  normal[0] = normal[1] = 0.0;
  for (int64_t k = 2; k < f->n; ++k) {
    y = tsr_mesh_face_place(mesh, seen, f, k);
    for (int a = 0; a < 3; ++a)
      v[a] = y[a] - x[a];
    tsr_cross(u, v, w);
    for (int a = 0; a < 3; ++a) {
      normal[a] += w[a];
      u[a] = v[a];
    }
  }
}

/** Makes the range of a normal hold v. */
TSR_FN void tsr_mesh_widen(tsr_mesh_hull *hull, int f, double v) {
  hull->low[f] = v < hull->low[f] ? v : hull->low[f];
  hull->high[f] = v > hull->high[f] ? v : hull->high[f];
}

/** The class of the median of n lengths (of two in the middle, of the shorter one) by their
 * squares.
 */
TSR_FN int tsr_mesh_class_of_median(const tsr_mesh *mesh, const double *length2, int n) {
  double limit = 4.0;
  int h = 0;
  for (; h < mesh->levels; ++h, limit *= 4.0) {
    int below = 0;
    for (int k = 0; k < n; ++k)
      below += length2[k] < limit;
    if (2 * below >= n)
      break;
  }
  return h;
}

/** Finds the height that suits a solid cell with shape functions: a polygon, and an apex or another
 *  polygon. */
TSR_FN int tsr_mesh_solid_height(const tsr_mesh *mesh, const tsr_mesh_seen *seen) {
  const double(*x)[3] = (const double(*)[3])seen->s.x;
  const int prism = seen->s.n == 6 || seen->s.n == 8, m = prism ? seen->s.n / 2 : seen->s.n - 1;
  double length2[12];
  int n = 0;
  for (int k = 0; k < m; ++k) {
    const int next = k + 1 < m ? k + 1 : 0;
    length2[n++] = tsr_mesh_distance2(x[k], x[next]);
    length2[n++] = tsr_mesh_distance2(x[k], x[prism ? k + m : m]);
    if (prism)
      length2[n++] = tsr_mesh_distance2(x[k + m], x[next + m]);
  }
  return tsr_mesh_class_of_median(mesh, length2, n);
}

/** Planes of a tetrahedron. */
TSR_FN void tsr_mesh_tetrahedron_planes(tsr_mesh_seen *seen) {
  double(*x)[3] = seen->s.x, a[3], b[3], c[3], u[3], v[3];
  tsr_mesh_hull *hull = &seen->hull;
  for (int k = 0; k < 3; ++k) {
    a[k] = x[1][k] - x[0][k];
    b[k] = x[2][k] - x[0][k];
    c[k] = x[3][k] - x[0][k];
    u[k] = x[2][k] - x[1][k];
    v[k] = x[3][k] - x[1][k];
  }
  tsr_cross(a, b, hull->normal[0]);
  tsr_cross(b, c, hull->normal[1]);
  tsr_cross(c, a, hull->normal[2]);
  tsr_cross(u, v, hull->normal[3]);
  hull->planes = 4;
  for (int f = 0; f < 4; ++f) {
    /* A point of the face, and the point that is not in it. */
    const int on = f == 3, off = f == 0 ? 3 : f == 3 ? 0 : f;
    hull->low[f] = hull->high[f] = tsr_mesh_dot(hull->normal[f], x[on]);
    tsr_mesh_widen(hull, f, tsr_mesh_dot(hull->normal[f], x[off]));
  }
}

/** The normal of a face by the places of its points, as tsr_mesh_normal finds it. */
TSR_FN void tsr_mesh_solid_normal(const double (*x)[3], uint32_t locals, double normal[3]) {
  const double *first = x[locals & 15u], *y = x[locals >> 4 & 15u];
  double u[3] = {y[0] - first[0], y[1] - first[1], y[2] - first[2]}, v[3], w[3];
  normal[0] = normal[1] = normal[2] = 0.0;
  for (uint32_t k = 2; k < locals >> 28; ++k) {
    y = x[locals >> 4 * k & 15u];
    for (int a = 0; a < 3; ++a)
      v[a] = y[a] - first[a];
    tsr_cross(u, v, w);
    for (int a = 0; a < 3; ++a) {
      normal[a] += w[a];
      u[a] = v[a];
    }
  }
}

/** Planes of another solid cell with shape functions. */
TSR_FN void tsr_mesh_solid_planes(const tsr_mesh *mesh, tsr_mesh_seen *seen) {
  const double(*x)[3] = (const double(*)[3])seen->s.x;
  tsr_mesh_hull *hull = &seen->hull;
  hull->planes = (int)tsr_mesh_faces(mesh, &seen->c);
  for (int f = 0; f < hull->planes; ++f) {
    double *normal = hull->normal[f];
    tsr_mesh_solid_normal(x, tsr_mesh_kind_face(seen->c.kind, f), normal);
    double low = tsr_mesh_dot(normal, x[0]), high = low;
    for (int k = 1; k < seen->s.n; ++k) {
      const double v = tsr_mesh_dot(normal, x[k]);
      low = v < low ? v : low;
      high = v > high ? v : high;
    }
    hull->low[f] = low;
    hull->high[f] = high;
  }
}

/** Planes of a fan or a plane cell. */
TSR_FN void tsr_mesh_any_planes(const tsr_mesh *mesh, tsr_mesh_seen *seen) {
  tsr_mesh_hull *hull = &seen->hull;
  const int64_t faces = tsr_mesh_faces(mesh, &seen->c);
  hull->planes = faces < (int64_t)TSR_MESH_PLANES ? (int)faces : (int)TSR_MESH_PLANES;
  for (int f = 0; f < hull->planes; ++f) {
    const tsr_mesh_face face = tsr_mesh_face_of(mesh, &seen->c, f);
    tsr_mesh_normal(mesh, seen, &face, hull->normal[f]);
    const double *normal = hull->normal[f];
    double low = tsr_mesh_dot(normal, tsr_mesh_seen_place(mesh, seen, 0)), high = low;
    for (int64_t k = 1; k < seen->c.n; ++k) {
      const double v = tsr_mesh_dot(normal, tsr_mesh_seen_place(mesh, seen, k));
      low = v < low ? v : low;
      high = v > high ? v : high;
    }
    hull->low[f] = low;
    hull->high[f] = high;
  }
}

/** Finds the height that suits cell i, its box, and the finest cells that the box spans. */
TSR_FN void tsr_mesh_look(const tsr_mesh *mesh, int64_t i, tsr_mesh_seen *seen) {
  tsr_mesh_hull *hull = &seen->hull;
  double *low = hull->least, *high = hull->most;
  seen->c = tsr_mesh_cell_of(mesh, i);
  seen->fan = tsr_mesh_is_fan(seen->c.kind);
  if (!seen->fan)
    tsr_mesh_load(mesh, &seen->c, &seen->s);
  hull->own = !seen->fan && mesh->dimension == 3 ? tsr_mesh_solid_height(mesh, seen)
                                                 : tsr_mesh_own_height(mesh, seen);
  for (int64_t k = 0; k < seen->c.n; ++k) {
    const double *x = tsr_mesh_seen_place(mesh, seen, k);
    for (int a = 0; a < 3 && k == 0; ++a)
      low[a] = high[a] = x[a];
    for (int a = 0; a < 3; ++a) {
      low[a] = x[a] < low[a] ? x[a] : low[a];
      high[a] = x[a] > high[a] ? x[a] : high[a];
    }
  }
  for (int a = 0; a < 3; ++a) {
    const int32_t most = a < mesh->dimension ? (mesh->cells[a] << mesh->levels) - 1 : 0;
    hull->lo[a] = tsr_mesh_floor(low[a], most);
    hull->hi[a] = tsr_mesh_floor(high[a], most);
    if ((double)hull->hi[a] == high[a] && hull->hi[a] > hull->lo[a])
      --hull->hi[a];
  }
}

/** Finds the planes of a cell that tsr_mesh_look has filled. */
TSR_FN void tsr_mesh_find_planes(const tsr_mesh *mesh, tsr_mesh_seen *seen) {
  tsr_mesh_hull *hull = &seen->hull;
  if (seen->c.kind == TSR_MESH_TETRAHEDRON)
    tsr_mesh_tetrahedron_planes(seen);
  else if (!seen->fan && mesh->dimension == 3)
    tsr_mesh_solid_planes(mesh, seen);
  else
    tsr_mesh_any_planes(mesh, seen);
  for (int f = 0; f < hull->planes; ++f) {
    const double *n = hull->normal[f];
    hull->sum[f] = fabs(n[0]) + fabs(n[1]) + fabs(n[2]);
  }
}

/** Finds what the test of boxes needs of cell i. */
TSR_FN void tsr_mesh_see(const tsr_mesh *mesh, int64_t i, tsr_mesh_seen *seen) {
  tsr_mesh_look(mesh, i, seen);
  tsr_mesh_find_planes(mesh, seen);
}

/** 1 if the cell touches the box of this height at these indices. */
TSR_FN int tsr_mesh_touches(const tsr_mesh *mesh, const tsr_mesh_hull *hull, int height,
                            const int32_t at[3]) {
  const double half = 0.5 * (double)((int64_t)1 << height);
  double middle[3] = {0.0, 0.0, 0.0};
  for (int a = 0; a < mesh->dimension; ++a) {
    if (at[a] < hull->lo[a] >> height || at[a] > hull->hi[a] >> height)
      return 0;
    middle[a] = (double)(2 * (int64_t)at[a] + 1) * half;
  }
  for (int f = 0; f < hull->planes; ++f) {
    const double *n = hull->normal[f];
    const double v = tsr_mesh_dot(n, middle);
    const double reach = hull->sum[f] * (half + TSR_MESH_TOUCHES);
    if (v + reach < hull->low[f] || v - reach > hull->high[f])
      return 0;
  }
  return 1;
}

/** 0 if place p is outside the cell's box or the planes of its faces, and so in no way inside it.
 */
TSR_FN int tsr_mesh_may_hold(const tsr_mesh *mesh, const tsr_mesh_hull *hull, const double p[3]) {
  for (int a = 0; a < mesh->dimension; ++a)
    if (p[a] < hull->least[a] - TSR_MESH_TOUCHES || p[a] > hull->most[a] + TSR_MESH_TOUCHES)
      return 0;
  for (int f = 0; f < hull->planes; ++f) {
    const double *n = hull->normal[f];
    const double v = tsr_mesh_dot(n, p);
    const double reach = hull->sum[f] * TSR_MESH_TOUCHES;
    if (v + reach < hull->low[f] || v - reach > hull->high[f])
      return 0;
  }
  return 1;
}

#endif
