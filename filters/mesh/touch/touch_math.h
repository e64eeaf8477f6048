/* SPDX-License-Identifier: BSD-3-Clause */
/** Unstructured meshes: which boxes of the lattice a cell touches, and which corners of these it
 * may hold. */
#ifndef TSR_MESH_TOUCH_TOUCH_MATH_H
#define TSR_MESH_TOUCH_TOUCH_MATH_H

#include "mesh/touch/marks_math.h"

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

/** What was found of a cell that spans few boxes: where these are, and a bit for each corner that
 *  the cell may hold, in the order of a lattice of n[0] + 1 by n[1] + 1 corners. */
typedef struct tsr_mesh_found_boxes {
  uint64_t corners;
  int32_t lo[3]; /**< the first box, among those of the cell's height */
  uint8_t n[3];  /**< boxes along each axis; 0: the cell spans more than 64 corners */
  uint8_t own;   /**< the cell's height */
} tsr_mesh_found_boxes;

/** Nodes that cells touch, and pairs of a corner and a cell that may hold it. */
typedef struct tsr_mesh_touch_job {
  tsr_mesh mesh;
  tsr_mesh_marks marks;
  int64_t *hits; /**< cells + 1: pairs before each cell */
  tsr_mesh_found_boxes *found;
  tsr_pairs held; /**< keys of corners, cells */
} tsr_mesh_touch_job;

/** Key of a corner at these indices in the finest lattice. */
TSR_FN uint64_t tsr_mesh_corner_key(const tsr_mesh *mesh, const int32_t at[3]) {
  return tsr_mesh_number(mesh, at);
}

/** Key of the box at these indices among those of a height. */
TSR_FN uint64_t tsr_mesh_box_key(const tsr_mesh *mesh, int height, const int32_t at[3]) {
  return tsr_mesh_number(mesh, at) + tsr_mesh_sentinel(mesh, height);
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

/** Asks for the nodes of a cell that spans many boxes, and counts its corners; or writes these: put
 *  is 1 then. */
TSR_FN void tsr_mesh_touch_many(const tsr_mesh_touch_job *job, const tsr_mesh_seen *seen, int put) {
  const tsr_mesh *mesh = &job->mesh;
  const int64_t i = seen->c.cell, to = put ? job->hits[i] : 0;
  tsr_mesh_walk walk = tsr_mesh_walk_begin(mesh, &seen->hull);
  int64_t hits = 0;
  int touches;
  do {
    touches = tsr_mesh_touches(mesh, &seen->hull, walk.height, walk.at);
    if (!touches || walk.height > seen->hull.own)
      continue;
    if (!put) {
      const tsr_mesh_block block =
          tsr_mesh_block_of(mesh, tsr_mesh_box_key(mesh, walk.height, walk.at));
      tsr_mesh_ask_nodes(&job->marks, &block);
    }
    hits += tsr_mesh_hold_corners(job, seen, &walk, put, to + hits);
  } while (tsr_mesh_walk_next(mesh, &seen->hull, &walk, touches));
  if (!put)
    job->hits[i] = hits;
}

/** The bits `first` to end - 1 of four that are `step` bits apart. */
TSR_FN uint64_t tsr_mesh_row(int32_t first, int32_t end, int step, uint64_t all) {
  const uint64_t low = first > 0 ? (uint64_t)1 << first * step : 1;
  return end < 4 ? all & (((uint64_t)1 << end * step) - low) : all & (0 - low);
}

/** Sets the nodes of a block to the boxes of a cell that spans few. */
TSR_FN void tsr_mesh_set_nodes(const tsr_mesh_found_boxes *f, tsr_mesh_block *block) {
  int32_t first[3];
  for (int a = 0; a < 3; ++a)
    first[a] = f->lo[a] - 4 * block->at[a];
  block->nodes = tsr_mesh_row(first[0], first[0] + f->n[0], 1, 0xfu) *
                 tsr_mesh_row(first[1], first[1] + f->n[1], 4, 0x1111u) *
                 tsr_mesh_row(first[2], first[2] + f->n[2], 16, 0x0001000100010001u);
}

/** The first block that has boxes of a cell that spans few. */
TSR_FN tsr_mesh_block tsr_mesh_first_block(const tsr_mesh_found_boxes *f) {
  tsr_mesh_block block = {f->own, {f->lo[0] >> 2, f->lo[1] >> 2, f->lo[2] >> 2}, 0};
  tsr_mesh_set_nodes(f, &block);
  return block;
}

/** Goes on to the next block. Returns 0 at the end. */
TSR_FN int tsr_mesh_next_block(const tsr_mesh_found_boxes *f, tsr_mesh_block *block) {
  for (int a = 0; a < 3; ++a) {
    if (block->at[a] < (f->lo[a] + f->n[a] - 1) >> 2) {
      ++block->at[a];
      tsr_mesh_set_nodes(f, block);
      return 1;
    }
    block->at[a] = f->lo[a] >> 2;
  }
  return 0;
}

/** Leaves those nodes of a block that the cell touches. */
TSR_FN void tsr_mesh_keep_touched(const tsr_mesh *mesh, const tsr_mesh_hull *hull,
                                  tsr_mesh_block *block) {
  uint64_t left = block->nodes;
  for (int k = 0; left != 0; ++k, left >>= 1) {
    int32_t at[3];
    if (!(left & 1u))
      continue;
    tsr_mesh_block_node(block, k, at);
    if (!tsr_mesh_touches(mesh, hull, block->height, at))
      block->nodes &= ~((uint64_t)1 << k);
  }
}

/** Looks for the corners of the boxes that the cell's box holds. Returns 0 if there is none. */
TSR_FN int tsr_mesh_corner_range(const tsr_mesh *mesh, const tsr_mesh_hull *hull,
                                 const tsr_mesh_found_boxes *f, int first[3], int last[3]) {
  const double side = (double)((int64_t)1 << hull->own);
  int any = 1;
  for (int a = 0; a < 3; ++a) {
    first[a] = last[a] = 0;
    if (a >= mesh->dimension)
      continue;
    /* The outermost corners lie outside the cell's box, but where it ends on the lattice. */
    first[a] = hull->least[a] > (double)f->lo[a] * side + TSR_MESH_TOUCHES;
    last[a] = f->n[a] - (hull->most[a] < (double)(f->lo[a] + f->n[a]) * side - TSR_MESH_TOUCHES);
    any = any && first[a] <= last[a];
  }
  return any;
}

/** Looks at the corners of the boxes of a cell that spans few. */
TSR_FN void tsr_mesh_few_corners(const tsr_mesh *mesh, const tsr_mesh_hull *hull,
                                 const int first[3], const int last[3], tsr_mesh_found_boxes *f) {
  for (int z = first[2]; z <= last[2]; ++z)
    for (int y = first[1]; y <= last[1]; ++y)
      for (int x = first[0]; x <= last[0]; ++x) {
        const int32_t at[3] = {f->lo[0] + x, f->lo[1] + y, f->lo[2] + z};
        if (tsr_mesh_may_hold_corner(mesh, hull, hull->own, at))
          f->corners |= (uint64_t)1 << ((z * (f->n[1] + 1) + y) * (f->n[0] + 1) + x);
      }
}

/** Where the boxes of a cell are. Returns 0 if it spans many: n is 0 then. */
TSR_FN int tsr_mesh_span(const tsr_mesh *mesh, const tsr_mesh_hull *hull, tsr_mesh_found_boxes *f) {
  int32_t n[3] = {1, 1, 1};
  int64_t corners = 1;
  f->own = (uint8_t)hull->own;
  for (int a = 0; a < mesh->dimension; ++a) {
    f->lo[a] = hull->lo[a] >> f->own;
    n[a] = (hull->hi[a] >> f->own) - f->lo[a] + 1;
    corners *= (int64_t)n[a] + 1;
  }
  for (int a = 0; a < 3 && corners <= TSR_MESH_BOXES; ++a)
    f->n[a] = (uint8_t)n[a];
  return corners <= TSR_MESH_BOXES;
}

/** Asks for the nodes of a cell that spans few boxes. Those that other cells asked for need no
 * test. Returns 1 if it found the planes of the cell. */
TSR_FN int tsr_mesh_ask_few(const tsr_mesh_touch_job *job, tsr_mesh_seen *seen,
                            const tsr_mesh_found_boxes *f) {
  const tsr_mesh *mesh = &job->mesh;
  tsr_mesh_block block = tsr_mesh_first_block(f);
  int planes = 0;
  do {
    block.nodes &= ~tsr_mesh_nodes_in(&job->marks, job->marks.asked, &block);
    if (block.nodes == 0)
      continue;
    if (!planes)
      tsr_mesh_find_planes(mesh, seen);
    planes = 1;
    tsr_mesh_keep_touched(mesh, &seen->hull, &block);
    if (block.nodes != 0)
      tsr_mesh_ask_nodes(&job->marks, &block);
  } while (tsr_mesh_next_block(f, &block));
  return planes;
}

/** Looks at the nodes and corners of a cell that spans few boxes. */
TSR_FN void tsr_mesh_touch_few(const tsr_mesh_touch_job *job, tsr_mesh_seen *seen,
                               tsr_mesh_found_boxes *f) {
  int first[3], last[3];
  const int planes = tsr_mesh_ask_few(job, seen, f);
  if (!tsr_mesh_corner_range(&job->mesh, &seen->hull, f, first, last))
    return;
  if (!planes)
    tsr_mesh_find_planes(&job->mesh, seen);
  tsr_mesh_few_corners(&job->mesh, &seen->hull, first, last, f);
}

/** Asks for the nodes that cell i touches, and counts the corners that it may hold. Does nothing
 *  once the table of nodes is full: it is made larger, and the step begins again. */
TSR_FN void tsr_mesh_touch(const tsr_mesh_touch_job *job, int64_t i) {
  const tsr_mesh *mesh = &job->mesh;
  tsr_mesh_found_boxes f = {0, {0, 0, 0}, {0, 0, 0}, 0};
  job->hits[i] = 0;
  if (mesh->use[i] == mesh->dimension && !tsr_mesh_is_full(&job->marks)) {
    tsr_mesh_seen seen;
    tsr_mesh_look(mesh, i, &seen);
    tsr_mesh_set_box(mesh, i, seen.hull.least, seen.hull.most);
    if (tsr_mesh_span(mesh, &seen.hull, &f)) {
      tsr_mesh_touch_few(job, &seen, &f);
      job->hits[i] = tsr_mesh_count_bits(f.corners);
    } else {
      tsr_mesh_find_planes(mesh, &seen);
      tsr_mesh_touch_many(job, &seen, 0);
    }
  }
  job->found[i] = f;
}

/** Writes a pair for each corner of cell i that it may hold, if it spans few boxes. */
TSR_FN void tsr_mesh_put_corner_bits(const tsr_mesh_touch_job *job, int64_t i,
                                     const tsr_mesh_found_boxes *f) {
  uint64_t left = f->corners;
  int64_t to = job->hits[i];
  int32_t at[3];
  for (int z = 0; z <= f->n[2]; ++z)
    for (int y = 0; y <= f->n[1]; ++y)
      for (int x = 0; x <= f->n[0]; ++x, left >>= 1) {
        if (left == 0)
          return;
        if (!(left & 1u))
          continue;
        at[0] = (f->lo[0] + x) << f->own;
        at[1] = (f->lo[1] + y) << f->own;
        at[2] = (f->lo[2] + z) << f->own;
        tsr_pairs_set(&job->held, to++, tsr_mesh_corner_key(&job->mesh, at), i);
      }
}

/** Writes the corners that cell i may hold. */
TSR_FN void tsr_mesh_put_held(const tsr_mesh_touch_job *job, int64_t i) {
  if (job->hits[i + 1] == job->hits[i])
    return;
  if (job->found[i].n[0] == 0) {
    tsr_mesh_seen seen;
    tsr_mesh_see(&job->mesh, i, &seen);
    tsr_mesh_touch_many(job, &seen, 1);
    return;
  }
  tsr_mesh_put_corner_bits(job, i, &job->found[i]);
}

#endif
