/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Unstructured meshes: which boxes of the lattice a cell touches, and which corners of these are in
 * it.
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
#ifndef TSR_MESH_TOUCH_MATH_H
#define TSR_MESH_TOUCH_MATH_H

#include "common/morton_math.h"
#include "common/sort/pairs_math.h"
#include "mesh/locate_math.h"

/** Heights are below this. */
enum { TSR_MESH_HEIGHTS = 21 };

/** Boxes and cells are compared with this tolerance, in finest cells, so that the test of insides
 *  never finds a corner in a cell that touches no box there. */
#define TSR_MESH_TOUCHES 1e-5

/** A cell spans at most this many boxes of the height at which looking for boxes begins. */
enum { TSR_MESH_BOXES = 64 };

/** What a pair says besides its cell. */
#define TSR_MESH_MIDDLE ((uint32_t)1 << 31) /**< the cell holds the middle of the node */
#define TSR_MESH_FINER ((uint32_t)1 << 30)  /**< the node is finer than the cell asked for */
#define TSR_MESH_CELL (TSR_MESH_FINER - 1u)

/** The geometry of a cell for the test of boxes. */
typedef struct tsr_mesh_hull {
  int own;              /**< height of the boxes that suit the cell */
  int32_t lo[3], hi[3]; /**< finest cells that the cell's box spans */
  int planes;
  double normal[TSR_MESH_PLANES][3], low[TSR_MESH_PLANES], high[TSR_MESH_PLANES];
} tsr_mesh_hull;

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
  at[2] = 0;
  for (int a = 0; a < mesh->dimension; ++a)
    at[a] = (int32_t)tsr_morton_axis(number >> a, mesh->dimension);
}

/** The largest integer that is not above v, which is at least 0, and at most `most`. */
TSR_FN int32_t tsr_mesh_floor(double v, int32_t most) {
  if (!(v > 0.0))
    return 0;
  return v >= (double)most ? most : (int32_t)v;
}

/** Counts an edge in the class of its length: class h has those of 2^h finest cells or more. */
TSR_FN void tsr_mesh_classify(const tsr_mesh *mesh, const double a[3], const double b[3],
                              int64_t of_class[TSR_MESH_HEIGHTS]) {
  const double length2 = tsr_mesh_distance2(a, b);
  double limit = 4.0;
  int h = 0;
  for (; h < mesh->levels && length2 >= limit; ++h)
    limit *= 4.0;
  ++of_class[h];
}

/** Length class of the cell's median edge (of two in the middle, the shorter one). Every edge of a
 *  solid cell is counted twice, with each of its faces. */
TSR_FN int tsr_mesh_own_height(const tsr_mesh *mesh, const tsr_mesh_cell *c) {
  int64_t of_class[TSR_MESH_HEIGHTS] = {0}, n = 0, below = 0;
  const int64_t faces = tsr_mesh_faces(mesh, c);
  int h = 0;
  for (int64_t f = 0; f < faces; ++f) {
    const tsr_mesh_face face = tsr_mesh_face_of(mesh, c, f);
    const int64_t edges = mesh->dimension == 3 ? face.n : 1;
    for (int64_t k = 0; k < edges; ++k, ++n)
      tsr_mesh_classify(mesh, tsr_mesh_place(mesh, tsr_mesh_face_id(mesh, c, &face, k)),
                        tsr_mesh_place(mesh, tsr_mesh_face_id(mesh, c, &face, k + 1)), of_class);
  }
  for (; h < mesh->levels; ++h) {
    below += of_class[h];
    if (below > (n - 1) / 2)
      break;
  }
  return h;
}

/** A normal of a face: the sum of the areas of the triangles from its first point, or across an
 *  edge. */
TSR_FN void tsr_mesh_normal(const tsr_mesh *mesh, const tsr_mesh_cell *c, const tsr_mesh_face *f,
                            double normal[3]) {
  const double *x = tsr_mesh_place(mesh, tsr_mesh_face_id(mesh, c, f, 0));
  const double *y = tsr_mesh_place(mesh, tsr_mesh_face_id(mesh, c, f, 1));
  double u[3] = {y[0] - x[0], y[1] - x[1], y[2] - x[2]}, v[3], w[3];
  normal[0] = -u[1];
  normal[1] = u[0];
  normal[2] = 0.0;
  if (mesh->dimension == 2)
    return;
  normal[0] = normal[1] = 0.0;
  for (int64_t k = 2; k < f->n; ++k) {
    y = tsr_mesh_place(mesh, tsr_mesh_face_id(mesh, c, f, k));
    for (int a = 0; a < 3; ++a)
      v[a] = y[a] - x[a];
    tsr_mesh_cross(u, v, w);
    for (int a = 0; a < 3; ++a) {
      normal[a] += w[a];
      u[a] = v[a];
    }
  }
}

/** Finds what the test of boxes needs of cell c. */
TSR_FN void tsr_mesh_make_hull(const tsr_mesh *mesh, const tsr_mesh_cell *c, tsr_mesh_hull *hull) {
  const int64_t faces = tsr_mesh_faces(mesh, c);
  const double *x = tsr_mesh_place(mesh, tsr_mesh_id(mesh, c, 0));
  double low[3] = {x[0], x[1], x[2]}, high[3] = {x[0], x[1], x[2]};
  hull->own = tsr_mesh_own_height(mesh, c);
  hull->planes = (int)(faces < TSR_MESH_PLANES ? faces : TSR_MESH_PLANES);
  for (int f = 0; f < hull->planes; ++f) {
    const tsr_mesh_face face = tsr_mesh_face_of(mesh, c, f);
    tsr_mesh_normal(mesh, c, &face, hull->normal[f]);
    hull->low[f] = hull->high[f] = tsr_mesh_dot(hull->normal[f], x);
  }
  for (int64_t k = 1; k < c->n; ++k) {
    x = tsr_mesh_place(mesh, tsr_mesh_id(mesh, c, k));
    for (int a = 0; a < 3; ++a) {
      low[a] = x[a] < low[a] ? x[a] : low[a];
      high[a] = x[a] > high[a] ? x[a] : high[a];
    }
    for (int f = 0; f < hull->planes; ++f) {
      const double v = tsr_mesh_dot(hull->normal[f], x);
      hull->low[f] = v < hull->low[f] ? v : hull->low[f];
      hull->high[f] = v > hull->high[f] ? v : hull->high[f];
    }
  }
  for (int a = 0; a < 3; ++a) {
    const int32_t most = a < mesh->dimension ? (mesh->cells[a] << mesh->levels) - 1 : 0;
    int32_t end;
    hull->lo[a] = tsr_mesh_floor(low[a], most);
    end = tsr_mesh_floor(high[a], most);
    if ((double)end == high[a] && end > hull->lo[a])
      --end;
    hull->hi[a] = end;
  }
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
    const double reach = (fabs(n[0]) + fabs(n[1]) + fabs(n[2])) * (half + TSR_MESH_TOUCHES);
    if (v + reach < hull->low[f] || v - reach > hull->high[f])
      return 0;
  }
  return 1;
}

/** 0 if place p is outside the planes of the cell's faces, and so in no way inside it. */
TSR_FN int tsr_mesh_may_hold(const tsr_mesh_hull *hull, const double p[3]) {
  for (int f = 0; f < hull->planes; ++f) {
    const double *n = hull->normal[f];
    const double v = tsr_mesh_dot(n, p);
    const double reach = (fabs(n[0]) + fabs(n[1]) + fabs(n[2])) * TSR_MESH_TOUCHES;
    if (v + reach < hull->low[f] || v - reach > hull->high[f])
      return 0;
  }
  return 1;
}

/** A walk over the boxes that a cell touches, depth first. */
typedef struct tsr_mesh_walk {
  int begin, height; /**< where it begins; of the box */
  int32_t at[3];
} tsr_mesh_walk;

TSR_FN tsr_mesh_walk tsr_mesh_walk_begin(const tsr_mesh *mesh, const tsr_mesh_hull *hull) {
  tsr_mesh_walk walk;
  walk.begin = hull->own;
  for (; walk.begin < mesh->levels; ++walk.begin) {
    int64_t n = 1;
    for (int a = 0; a < mesh->dimension; ++a)
      n *= (hull->hi[a] >> walk.begin) - (hull->lo[a] >> walk.begin) + 1;
    if (n <= TSR_MESH_BOXES)
      break;
  }
  walk.height = walk.begin;
  for (int a = 0; a < 3; ++a)
    walk.at[a] = hull->lo[a] >> walk.begin;
  return walk;
}

/** Goes on. into: 1: the cell touches the box, so that its parts are next if it is too large.
 *  Returns 0 at the end. */
TSR_FN int tsr_mesh_walk_next(const tsr_mesh *mesh, const tsr_mesh_hull *hull, tsr_mesh_walk *walk,
                              int into) {
  const int d = mesh->dimension;
  if (into && walk->height > hull->own) {
    --walk->height;
    for (int a = 0; a < d; ++a)
      walk->at[a] *= 2;
    return 1;
  }
  while (walk->height < walk->begin) {
    for (int a = 0; a < d; ++a) {
      if (!(walk->at[a] & 1)) {
        ++walk->at[a];
        return 1;
      }
      walk->at[a] &= ~1;
    }
    ++walk->height;
    for (int a = 0; a < d; ++a)
      walk->at[a] >>= 1;
  }
  for (int a = 0; a < d; ++a) {
    if (walk->at[a] < hull->hi[a] >> walk->begin) {
      ++walk->at[a];
      return 1;
    }
    walk->at[a] = hull->lo[a] >> walk->begin;
  }
  return 0;
}

/** Pairs of a node and a cell that touches it, and of a corner and a cell that holds it. */
typedef struct tsr_mesh_touch_job {
  tsr_mesh mesh;
  int64_t *boxes, *hits; /**< cells + 1: pairs before each cell */
  tsr_pairs pairs;       /**< keys of nodes, cells */
  tsr_pairs held;        /**< keys of corners, cells */
  int put;               /**< 0: count; 1: write */
} tsr_mesh_touch_job;

/** Key of a corner at these indices in the finest lattice. */
TSR_FN uint64_t tsr_mesh_corner_key(const tsr_mesh *mesh, const int32_t at[3]) {
  return tsr_mesh_number(mesh, at);
}

/** Looks at the corners of a box that no other box of the walk looks at. Returns how many are in
 *  the cell. */
TSR_FN int64_t tsr_mesh_hold_corners(const tsr_mesh_touch_job *job, const tsr_mesh_hull *hull,
                                     int64_t i, const tsr_mesh_walk *walk, int64_t to) {
  const int d = job->mesh.dimension;
  int64_t n = 0;
  for (int k = 0; k < 1 << d; ++k) {
    tsr_mesh_spot spot;
    double p[3] = {0.0, 0.0, 0.0};
    int32_t at[3] = {0, 0, 0};
    int mine = 1;
    for (int a = 0; a < d; ++a) {
      const int up = k >> a & 1;
      mine = mine && (!up || walk->at[a] == hull->hi[a] >> walk->height);
      at[a] = (walk->at[a] + up) << walk->height;
      p[a] = (double)at[a];
    }
    if (!mine || !tsr_mesh_may_hold(hull, p) || !tsr_mesh_inside(&job->mesh, i, p, &spot))
      continue;
    if (job->put)
      tsr_pairs_set(&job->held, to + n, tsr_mesh_corner_key(&job->mesh, at), i);
    ++n;
  }
  return n;
}

/** 1 if the cell holds the middle of a node. */
TSR_FN int tsr_mesh_holds_middle(const tsr_mesh *mesh, const tsr_mesh_hull *hull, int64_t i,
                                 int height, const int32_t at[3]) {
  const double half = 0.5 * (double)((int64_t)1 << height);
  double p[3] = {0.0, 0.0, 0.0};
  tsr_mesh_spot spot;
  for (int a = 0; a < mesh->dimension; ++a)
    p[a] = (double)(2 * (int64_t)at[a] + 1) * half;
  return tsr_mesh_may_hold(hull, p) && tsr_mesh_inside(mesh, i, p, &spot);
}

/** Counts or writes the pairs of cell i. */
TSR_FN void tsr_mesh_touch(const tsr_mesh_touch_job *job, int64_t i) {
  const tsr_mesh *mesh = &job->mesh;
  int64_t boxes = 0, hits = 0;
  if (mesh->use[i] == mesh->dimension) {
    const tsr_mesh_cell c = tsr_mesh_cell_of(mesh, i);
    tsr_mesh_hull hull;
    int touches;
    tsr_mesh_make_hull(mesh, &c, &hull);
    tsr_mesh_walk walk = tsr_mesh_walk_begin(mesh, &hull);
    do {
      touches = tsr_mesh_touches(mesh, &hull, walk.height, walk.at);
      if (!touches || walk.height > hull.own)
        continue;
      if (job->put) {
        const uint64_t key = tsr_mesh_number(mesh, walk.at) + tsr_mesh_sentinel(mesh, walk.height);
        const int middle = tsr_mesh_holds_middle(mesh, &hull, i, walk.height, walk.at);
        tsr_pairs_set(&job->pairs, job->boxes[i] + boxes, key,
                      i | (middle ? (int64_t)TSR_MESH_MIDDLE : 0));
      }
      ++boxes;
      hits += tsr_mesh_hold_corners(job, &hull, i, &walk, job->put ? job->hits[i] + hits : 0);
    } while (tsr_mesh_walk_next(mesh, &hull, &walk, touches));
  }
  if (!job->put) {
    job->boxes[i] = boxes;
    job->hits[i] = hits;
  }
}

#endif
