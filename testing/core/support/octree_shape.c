/* SPDX-License-Identifier: BSD-3-Clause */
#include "octree_shape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "octree_check.h"

static char said[160];

/** Numbers as a sentence: `count` of `what`. Returns NULL where there are none. */
static const char *say(int64_t count, const char *what) {
  snprintf(said, sizeof said, "%lld %s", (long long)count, what);
  return count ? said : NULL;
}

/** 1 if a node holds a place, which is given as a share of the cells of level 0. */
static int is_in_node(const tsr_grid_node *node, int coarsen, int dimension, const int axis[3],
                      const double at[3]) {
  int in = 1;
  for (int a = 0; a < dimension; ++a) {
    const double x = ldexp(at[axis[a]], node->level - coarsen);
    in = in && x > node->index[axis[a]] && x < node->index[axis[a]] + 1.0;
  }
  return in;
}

const char *octree_cover_wrong(const octree_case *it, const octree_out *out, int coarsen) {
  const int dimension = octree_dimension(it);
  int64_t open = 0, visible = 0;
  int axis[3];
  octree_axes(it, axis);
  for (int64_t i = 0; i < it->octree.n; ++i) {
    int covered = 0;
    double at[3];
    if (octree_is_outside(it, i))
      continue;
    /* A little off the middle, where parts of the cell meet. */
    for (int a = 0; a < 3; ++a)
      at[a] = ldexp(it->index[3 * i + a] + 0.4999, -it->level[i]);
    for (int64_t l = 0; l < out->sizes.leaves; ++l)
      covered += is_in_node(&out->nodes[l], coarsen, dimension, axis, at);
    open += covered != 1;
    ++visible;
  }
  if (out->sizes.fine_cells != visible || out->sizes.all_leaves != out->sizes.leaves)
    return "the sizes count other cells or leaves";
  return say(open, "cells that are not in one leaf");
}

/** A face of a cell of the output. */
typedef struct face {
  int64_t id[4];    /**< of its points, ascending; -1: it has fewer */
  double centre[3]; /**< in space */
} face;

static int compare_faces(const void *left, const void *right) {
  return memcmp(((const face *)left)->id, ((const face *)right)->id, sizeof((face *)0)->id);
}

static void sort_ids(int64_t id[4]) {
  for (int i = 0; i < 4; ++i)
    for (int k = i + 1; k < 4; ++k)
      if (id[k] < id[i]) {
        const int64_t other = id[i];
        id[i] = id[k];
        id[k] = other;
      }
}

/** 1 if a cell of the output holds a place, by the boxes of leaves in space. */
static int is_in_output(const octree_case *it, const octree_out *out, const double (*box)[6],
                        const double x[3]) {
  for (int64_t l = 0; l < out->sizes.leaves; ++l) {
    int in = 1;
    for (int a = 0; a < 3; ++a)
      in = in && (it->octree.cells[a] == 0 || (x[a] >= box[l][2 * a] && x[a] <= box[l][2 * a + 1]));
    if (in)
      return 1;
  }
  return 0;
}

/** Boxes of the leaves, by the points of their cells. */
static double (*boxes_of(const octree_out *out))[6] {
  double(*box)[6] = malloc((size_t)(out->sizes.leaves + 1) * sizeof *box);
  for (int64_t l = 0; l < out->sizes.leaves; ++l)
    for (int a = 0; a < 3; ++a) {
      box[l][2 * a] = HUGE_VAL;
      box[l][2 * a + 1] = -HUGE_VAL;
    }
  for (int64_t c = 0; c < out->sizes.cells; ++c)
    for (int64_t k = out->offsets[c]; k < out->offsets[c + 1]; ++k)
      for (int a = 0; a < 3; ++a) {
        double *to = box[out->leaf[c]];
        const double x = out->points[3 * out->connectivity[k] + a];
        to[2 * a] = fmin(to[2 * a], x);
        to[2 * a + 1] = fmax(to[2 * a + 1], x);
      }
  return box;
}

const char *octree_conforming_wrong(const octree_case *it, const octree_out *out) {
  face *faces = calloc(6 * (size_t)out->sizes.cells + 1, sizeof *faces);
  double(*box)[6] = boxes_of(out);
  int64_t n = 0, open = 0, often = 0;
  int axis[3];
  octree_axes(it, axis);
  for (int64_t c = 0; c < out->sizes.cells; ++c) {
    const grid_cell cell = octree_out_cell(it, out, c, out->point);
    int at[6][4];
    const int count = grid_cell_faces(&cell, at);
    for (int f = 0; f < count; ++f, ++n) {
      int corners = 0;
      for (int k = 0; k < 4; ++k) {
        faces[n].id[k] = at[f][k] < 0 ? -1 : cell.id[at[f][k]];
        for (int a = 0; a < 3 && at[f][k] >= 0; ++a)
          faces[n].centre[axis[a]] += cell.x[at[f][k]][a];
        corners += at[f][k] >= 0;
      }
      for (int a = 0; a < 3; ++a)
        faces[n].centre[a] /= corners;
      sort_ids(faces[n].id);
    }
  }
  qsort(faces, (size_t)n, sizeof *faces, compare_faces);
  for (int64_t f = 0; f < n;) {
    int64_t end = f + 1;
    while (end < n && compare_faces(&faces[f], &faces[end]) == 0)
      ++end;
    often += end - f > 2;
    int ends = end - f == 2;
    for (int k = 0; k < 6 && !ends; ++k) {
      double x[3];
      memcpy(x, faces[f].centre, sizeof x);
      x[k / 2] += k % 2 ? 1e-6 : -1e-6;
      ends = it->octree.cells[k / 2] > 0 && !is_in_output(it, out, (const double(*)[6])box, x);
    }
    open += !ends;
    f = end;
  }
  free(box);
  free(faces);
  return often > 0 ? say(often, "faces of more than two cells") : say(open, "faces at a gap");
}

const char *octree_states_wrong(const octree_case *it, const octree_out *out, int coarsen) {
  int64_t wrong = 0, leaves = 0;
  for (int64_t l = 0; l < out->sizes.cells; ++l) {
    int shown = 0;
    if (out->state[l] != TSR_STATE_LEAF && out->state[l] != TSR_STATE_HIDDEN)
      continue;
    for (int64_t i = 0; i < it->octree.n; ++i)
      shown += !octree_is_outside(it, i) && (octree_is_within(it, i, &out->nodes[l], coarsen) ||
                                             octree_is_part(it, i, &out->nodes[l], coarsen));
    wrong += (shown > 0) != (out->state[l] == TSR_STATE_LEAF);
    leaves += shown > 0;
  }
  if (leaves != out->sizes.leaves)
    return "the sizes count other leaves";
  return say(wrong, "nodes of a wrong state");
}
