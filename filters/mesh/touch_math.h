/* SPDX-License-Identifier: BSD-3-Clause */
/** Unstructured meshes: which boxes of the lattice a cell touches, and which corners of these it
 * may hold. */
#ifndef TSR_MESH_TOUCH_MATH_H
#define TSR_MESH_TOUCH_MATH_H

#include "common/sort/pairs_math.h"
#include "mesh/hull_math.h"

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

/** What was found of a cell that spans few boxes: a bit for each box and corner, in the order of
 *  the walk and of lattices of n[0] + 1 by n[1] + 1 corners. */
typedef struct tsr_mesh_found_boxes {
  uint64_t boxes, corners;
  int32_t lo[3];
  uint8_t n[3]; /**< boxes along each axis; 0: the cell spans more than 64 corners */
  uint8_t own;
} tsr_mesh_found_boxes;

/** Pairs of a node and a cell that touches it, and of a corner and a cell that may hold it. */
typedef struct tsr_mesh_touch_job {
  tsr_mesh mesh;
  int64_t *boxes, *hits; /**< cells + 1: pairs before each cell */
  tsr_mesh_found_boxes *found;
  tsr_pairs pairs; /**< keys of nodes, cells */
  tsr_pairs held;  /**< keys of corners, cells */
} tsr_mesh_touch_job;

/** Key of a corner at these indices in the finest lattice. */
TSR_FN uint64_t tsr_mesh_corner_key(const tsr_mesh *mesh, const int32_t at[3]) {
  return tsr_mesh_number(mesh, at);
}

/** Writes the pair of a node. */
TSR_FN void tsr_mesh_put_box(const tsr_mesh_touch_job *job, int64_t i, int64_t to, int height,
                             const int32_t at[3]) {
  const uint64_t key = tsr_mesh_number(&job->mesh, at) + tsr_mesh_sentinel(&job->mesh, height);
  tsr_pairs_set(&job->pairs, to, key, i);
}

/** 0 if the cell cannot hold the corner at these indices among those of a height. */
TSR_FN int tsr_mesh_may_hold_corner(const tsr_mesh *mesh, const tsr_mesh_hull *hull, int height,
                                    const int32_t at[3]) {
  double p[3] = {0.0, 0.0, 0.0};
  for (int a = 0; a < mesh->dimension; ++a)
    p[a] = (double)((int64_t)at[a] << height);
  return tsr_mesh_may_hold(mesh, hull, p);
}

/** Looks at the corners of a box that no other box of the walk looks at. Returns how many the cell
 *  may hold. put: 1: writes them. */
TSR_FN int64_t tsr_mesh_hold_corners(const tsr_mesh_touch_job *job, const tsr_mesh_seen *seen,
                                     const tsr_mesh_walk *walk, int put, int64_t to) {
  const int d = job->mesh.dimension;
  int64_t n = 0;
  for (int k = 0; k < 1 << d; ++k) {
    int32_t at[3] = {0, 0, 0};
    int mine = 1;
    for (int a = 0; a < d; ++a) {
      const int up = k >> a & 1;
      mine = mine && (!up || walk->at[a] == seen->hull.hi[a] >> walk->height);
      at[a] = walk->at[a] + up;
    }
    if (!mine || !tsr_mesh_may_hold_corner(&job->mesh, &seen->hull, walk->height, at))
      continue;
    for (int a = 0; a < d; ++a)
      at[a] <<= walk->height;
    if (put)
      tsr_pairs_set(&job->held, to + n, tsr_mesh_corner_key(&job->mesh, at), seen->c.cell);
    ++n;
  }
  return n;
}

/** Counts the pairs of a cell that spans many boxes, or writes them. */
TSR_FN void tsr_mesh_touch_many(const tsr_mesh_touch_job *job, const tsr_mesh_seen *seen, int put) {
  const tsr_mesh *mesh = &job->mesh;
  const int64_t i = seen->c.cell;
  tsr_mesh_walk walk = tsr_mesh_walk_begin(mesh, &seen->hull);
  int64_t boxes = put ? job->boxes[i] : 0, hits = put ? job->hits[i] : 0;
  int touches;
  do {
    touches = tsr_mesh_touches(mesh, &seen->hull, walk.height, walk.at);
    if (!touches || walk.height > seen->hull.own)
      continue;
    if (put)
      tsr_mesh_put_box(job, i, boxes, walk.height, walk.at);
    ++boxes;
    hits += tsr_mesh_hold_corners(job, seen, &walk, put, hits);
  } while (tsr_mesh_walk_next(mesh, &seen->hull, &walk, touches));
  if (!put) {
    job->boxes[i] = boxes;
    job->hits[i] = hits;
  }
}

/** The planes of a cell, for lattice corners: the projection of the first one, and of a step along
 *  each axis; and between which projections of a corner it is possible that the cell holds it (0),
 *  or touches the box above it (1). */
typedef struct tsr_mesh_filter {
  double first[TSR_MESH_PLANES], step[TSR_MESH_PLANES][3];
  double low[TSR_MESH_PLANES][2], high[TSR_MESH_PLANES][2];
} tsr_mesh_filter;

TSR_FN void tsr_mesh_make_filter(const tsr_mesh *mesh, const tsr_mesh_hull *hull,
                                 const int32_t lo[3], tsr_mesh_filter *filter) {
  const double side = (double)((int64_t)1 << hull->own);
  for (int f = 0; f < hull->planes; ++f) {
    const double *n = hull->normal[f];
    const double tolerance = hull->sum[f] * TSR_MESH_TOUCHES;
    double first = 0.0, below = 0.0, above = 0.0;
    for (int a = 0; a < 3; ++a) {
      const double step = a < mesh->dimension ? n[a] * side : 0.0;
      filter->step[f][a] = step;
      first += (double)lo[a] * step;
      below += step < 0.0 ? step : 0.0;
      above += step > 0.0 ? step : 0.0;
    }
    filter->first[f] = first;
    filter->low[f][0] = hull->low[f] - tolerance;
    filter->high[f][0] = hull->high[f] + tolerance;
    filter->low[f][1] = filter->low[f][0] - above;
    filter->high[f][1] = filter->high[f][0] - below;
  }
}

/** 1 if what is asked for is possible at the corner this many steps from the first one. */
TSR_FN int tsr_mesh_may(const tsr_mesh_filter *filter, int planes, double x, double y, double z,
                        int what) {
  for (int f = 0; f < planes; ++f) {
    const double *step = filter->step[f];
    const double v = filter->first[f] + (x * step[0] + y * step[1] + z * step[2]);
    if (v < filter->low[f][what] || v > filter->high[f][what])
      return 0;
  }
  return 1;
}

/** Looks at the boxes of a cell that spans few. */
TSR_FN void tsr_mesh_few_boxes(const tsr_mesh_filter *filter, int planes, tsr_mesh_found_boxes *f) {
  const double end[3] = {(double)f->n[0], (double)f->n[1], (double)f->n[2]};
  uint64_t box = 1, boxes = 0;
  for (double z = 0.0; z < end[2]; z += 1.0)
    for (double y = 0.0; y < end[1]; y += 1.0)
      for (double x = 0.0; x < end[0]; x += 1.0, box <<= 1)
        boxes |= tsr_mesh_may(filter, planes, x, y, z, 1) ? box : 0;
  f->boxes = boxes;
}

/** Looks at the corners of the boxes of a cell that spans few. */
TSR_FN void tsr_mesh_few_corners(const tsr_mesh *mesh, const tsr_mesh_hull *hull,
                                 const tsr_mesh_filter *filter, tsr_mesh_found_boxes *f) {
  const double side = (double)((int64_t)1 << hull->own);
  int first[3] = {0, 0, 0}, last[3] = {0, 0, 0};
  for (int a = 0; a < mesh->dimension; ++a) {
    /* The outermost corners lie outside the cell's box, but where it ends on the lattice. */
    first[a] = hull->least[a] > (double)f->lo[a] * side + TSR_MESH_TOUCHES;
    last[a] = f->n[a] - (hull->most[a] < (double)(f->lo[a] + f->n[a]) * side - TSR_MESH_TOUCHES);
  }
  for (int z = first[2]; z <= last[2]; ++z)
    for (int y = first[1]; y <= last[1]; ++y)
      for (int x = first[0]; x <= last[0]; ++x) {
        const int32_t at[3] = {f->lo[0] + x, f->lo[1] + y, f->lo[2] + z};
        if (tsr_mesh_may(filter, hull->planes, (double)x, (double)y, (double)z, 0) &&
            tsr_mesh_may_hold_corner(mesh, hull, hull->own, at))
          f->corners |= (uint64_t)1 << ((z * (f->n[1] + 1) + y) * (f->n[0] + 1) + x);
      }
}

TSR_FN int64_t tsr_mesh_count_bits(uint64_t v) {
  v = v - (v >> 1 & 0x5555555555555555u);
  v = (v & 0x3333333333333333u) + (v >> 2 & 0x3333333333333333u);
  v = (v + (v >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return (int64_t)(v * 0x0101010101010101u >> 56);
}

/** Counts the pairs of cell i. */
TSR_FN void tsr_mesh_touch(const tsr_mesh_touch_job *job, int64_t i) {
  const tsr_mesh *mesh = &job->mesh;
  tsr_mesh_found_boxes f = {0, 0, {0, 0, 0}, {0, 0, 0}, 0};
  int64_t corners = 1;
  job->boxes[i] = job->hits[i] = 0;
  if (mesh->use[i] == mesh->dimension) {
    tsr_mesh_seen seen;
    tsr_mesh_filter filter;
    int32_t n[3] = {1, 1, 1};
    tsr_mesh_see(mesh, i, &seen);
    tsr_mesh_set_box(mesh, i, seen.hull.least, seen.hull.most);
    f.own = (uint8_t)seen.hull.own;
    for (int a = 0; a < mesh->dimension; ++a) {
      f.lo[a] = seen.hull.lo[a] >> f.own;
      n[a] = (seen.hull.hi[a] >> f.own) - f.lo[a] + 1;
      corners *= (int64_t)n[a] + 1;
    }
    if (corners > TSR_MESH_BOXES) {
      tsr_mesh_touch_many(job, &seen, 0);
    } else {
      for (int a = 0; a < 3; ++a)
        f.n[a] = (uint8_t)n[a];
      tsr_mesh_make_filter(mesh, &seen.hull, f.lo, &filter);
      tsr_mesh_few_boxes(&filter, seen.hull.planes, &f);
      tsr_mesh_few_corners(mesh, &seen.hull, &filter, &f);
      job->boxes[i] = tsr_mesh_count_bits(f.boxes);
      job->hits[i] = tsr_mesh_count_bits(f.corners);
    }
  }
  job->found[i] = f;
}

/** The Morton number of the next box along an axis. */
TSR_FN uint64_t tsr_mesh_next_number(uint64_t number, int axis, int dimension) {
  const uint64_t bits = (dimension == 3 ? 0x1249249249249249u : 0x5555555555555555u) << axis;
  return (((number | ~bits) + 1u) & bits) | (number & ~bits);
}

/** Writes a pair of cell i for each bit that is set, from pair `to` on. n: how many bits there are
 *  along each axis. first: the Morton number of the first one, which has the key first * scale +
 *  more. */
TSR_FN void tsr_mesh_put_bits(const tsr_pairs *pairs, int64_t i, int64_t to, uint64_t bits,
                              const int n[3], int dimension, uint64_t first, uint64_t scale,
                              uint64_t more) {
  for (int z = 0; z < n[2]; ++z, first = tsr_mesh_next_number(first, 2, dimension)) {
    uint64_t row = first;
    for (int y = 0; y < n[1]; ++y, row = tsr_mesh_next_number(row, 1, dimension)) {
      uint64_t number = row;
      for (int x = 0; x < n[0]; ++x, bits >>= 1) {
        if (bits == 0)
          return;
        if (bits & 1)
          tsr_pairs_set(pairs, to++, number * scale + more, i);
        number = tsr_mesh_next_number(number, 0, dimension);
      }
    }
  }
}

/** Writes the pairs of cell i. */
TSR_FN void tsr_mesh_put_touched(const tsr_mesh_touch_job *job, int64_t i) {
  const tsr_mesh_found_boxes f = job->found[i];
  const int d = job->mesh.dimension;
  const int64_t boxes = job->boxes[i], hits = job->hits[i];
  if (f.n[0] == 0) {
    tsr_mesh_seen seen;
    if (job->boxes[i + 1] == boxes && job->hits[i + 1] == hits)
      return;
    tsr_mesh_see(&job->mesh, i, &seen);
    tsr_mesh_touch_many(job, &seen, 1);
    return;
  }
  const int n[3] = {f.n[0], f.n[1], f.n[2]}, corners[3] = {n[0] + 1, n[1] + 1, n[2] + 1};
  const uint64_t first = tsr_mesh_number(&job->mesh, f.lo);
  tsr_mesh_put_bits(&job->pairs, i, boxes, f.boxes, n, d, first, 1,
                    tsr_mesh_sentinel(&job->mesh, f.own));
  tsr_mesh_put_bits(&job->held, i, hits, f.corners, corners, d, first, (uint64_t)1 << d * f.own, 0);
}

#endif
