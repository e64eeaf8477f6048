/* SPDX-License-Identifier: BSD-3-Clause */
/** Unstructured meshes: the corners of leaves, and which cell of the mesh gives each its value. */
#ifndef TSR_MESH_CORNER_MATH_H
#define TSR_MESH_CORNER_MATH_H

#include "mesh/tree_math.h"

/** The layer of a corner or leaf that has no value yet. */
#define TSR_MESH_UNKNOWN INT32_MAX

/** The corners; arrays of the executor. Corner and point mean the same here. */
typedef struct tsr_mesh_corners {
  int64_t n, slots;
  uint64_t *key;       /**< n: Morton numbers of the indices in the finest lattice, sorted */
  int64_t *begin;      /**< n + 1: where the slots of each begin in `slot` */
  int64_t *slot;       /**< slots, corner after corner */
  int64_t *point_of;   /**< slots: the corner of each */
  tsr_mesh_spot *spot; /**< n: where values come from; cell -1: from the corners next to it */
  uint8_t *inside;     /**< n */
  int32_t *layer;      /**< n: 0: has a spot; k: next to corners of layer k - 1 */
  int64_t n_far;       /**< corners without a spot */
  int64_t *far;        /**< which ones */
  int64_t *source;     /**< leaves: the mesh cell of cell data */
  int32_t *leaf_layer; /**< leaves: as `layer` */
  int64_t n_held;      /**< pairs of a corner and a cell that may hold it */
  const uint64_t *held;
  const uint32_t *held_by;
} tsr_mesh_corners;

typedef struct tsr_mesh_corner_job {
  tsr_mesh mesh;
  tsr_mesh_tree tree;
  tsr_mesh_corners corners;
  tsr_pairs pairs;
  int64_t *before;
  int32_t step;         /**< layer that is made */
  tsr_mesh_corners old; /**< of the round before: n, key, spot, inside; n 0: there was none */
} tsr_mesh_corner_job;

/** Slots of a split node. */
TSR_FN int tsr_mesh_family_slots(int dimension) { return dimension == 3 ? 27 : 9; }

TSR_FN int64_t tsr_mesh_slots(const tsr_mesh *mesh, const tsr_mesh_tree *tree) {
  return (tree->n_roots << mesh->dimension) +
         tree->n_splits * tsr_mesh_family_slots(mesh->dimension);
}

/** Makes the pair of a slot: the key of its corner. */
TSR_FN void tsr_mesh_make_slot(const tsr_mesh_corner_job *job, int64_t i) {
  const int d = job->mesh.dimension, family = tsr_mesh_family_slots(d);
  const int64_t k = i - (job->tree.n_roots << d);
  int32_t at[3] = {0, 0, 0};
  if (k < 0) {
    const int h = tsr_mesh_node_at(&job->mesh, job->tree.roots[i >> d], at);
    for (int a = 0; a < d; ++a)
      at[a] = (at[a] + (int32_t)(i >> a & 1)) << h;
  } else {
    const int h = tsr_mesh_node_at(&job->mesh, job->tree.splits[k / family], at);
    int place = (int)(k % family);
    for (int a = 0; a < d; ++a, place /= 3)
      at[a] = (2 * at[a] + place % 3) << (h - 1);
  }
  tsr_pairs_set(&job->pairs, i, tsr_mesh_corner_key(&job->mesh, at), i);
}

TSR_FN void tsr_mesh_flag_corner(const tsr_mesh_corner_job *job, int64_t i) {
  job->before[i] = i == 0 || tsr_pairs_key(&job->pairs, i) != tsr_pairs_key(&job->pairs, i - 1);
}

/** Gives pair i its corner. */
TSR_FN void tsr_mesh_number_corner(const tsr_mesh_corner_job *job, int64_t i) {
  const tsr_mesh_corners *corners = &job->corners;
  const int64_t begins = job->before[i + 1] - job->before[i];
  const int64_t corner = job->before[i] - 1 + begins, slot = tsr_pairs_value(&job->pairs, i);
  corners->point_of[slot] = corner;
  corners->slot[i] = slot;
  if (begins) {
    corners->key[corner] = tsr_pairs_key(&job->pairs, i);
    corners->begin[corner] = i;
  }
  if (i + 1 == job->pairs.n)
    corners->begin[corner + 1] = i + 1;
}

/** The corner number k of a leaf: bit a of k says at which end of axis a it is. */
TSR_FN int64_t tsr_mesh_corner(const tsr_mesh *mesh, const tsr_mesh_tree *tree,
                               const tsr_mesh_corners *corners, int64_t leaf, int k) {
  const int d = mesh->dimension, c = (int)(tree->leaf[leaf] & (((uint64_t)1 << d) - 1));
  const int64_t home = tree->home[leaf], j = home - tree->n_roots;
  int place = 0;
  if (j < 0)
    return corners->point_of[(home << d) + k];
  for (int a = d; a-- > 0;)
    place = 3 * place + (c >> a & 1) + (k >> a & 1);
  return corners->point_of[(tree->n_roots << d) + j * tsr_mesh_family_slots(d) + place];
}

/** The leaves that have a slot's corner as theirs: at most 8. ks: which corner it is of each. */
TSR_FN int tsr_mesh_slot_leaves(const tsr_mesh *mesh, const tsr_mesh_tree *tree, int64_t slot,
                                int64_t leaves[8], int ks[8]) {
  const int d = mesh->dimension, family = tsr_mesh_family_slots(d);
  const int64_t k = slot - (tree->n_roots << d);
  int n = 0;
  if (k < 0) {
    const int64_t root = slot >> d;
    leaves[0] = tree->first[root];
    ks[0] = (int)(slot & ((1 << d) - 1));
    return tree->root_split[root] < 0;
  }
  /* The axes along which the place is in the middle, where two children have it, and those along
   * which it is at the upper end. */
  const int64_t split = k / family;
  int place = (int)(k - split * family), middle = 0, upper = 0;
  for (int a = 0; a < d; ++a, place /= 3) {
    middle |= (place % 3 == 1) << a;
    upper |= (place % 3 == 2) << a;
  }
  for (int c = 0; c < 1 << d; ++c) {
    const int64_t leaf = (c & ~middle) == upper ? tsr_mesh_child_leaf(tree, split, c) : -1;
    if (leaf >= 0) {
      leaves[n] = leaf;
      ks[n++] = c ^ middle;
    }
  }
  return n;
}

/** Place of a corner in the lattice. */
TSR_FN void tsr_mesh_corner_place(const tsr_mesh *mesh, uint64_t key, double p[3]) {
  int32_t at[3] = {0, 0, 0};
  tsr_mesh_at(mesh, key, at);
  for (int a = 0; a < 3; ++a)
    p[a] = (double)at[a];
}

/** 1 if a cell is in one of n runs. The cells of a run are in ascending order, but where those of
 *  several heights were pushed down to a leaf: one that is missed is tried again, to no effect. */
TSR_FN int tsr_mesh_was_tried(const tsr_mesh_run *runs, int n, uint32_t cell) {
  for (int m = n; m-- > 0;) {
    int64_t low = 0, high = runs[m].n;
    while (low < high) {
      const int64_t middle = low + (high - low) / 2;
      if (runs[m].by[middle] < cell)
        low = middle + 1;
      else
        high = middle;
    }
    if (low < runs[m].n && runs[m].by[low] == cell)
      return 1;
  }
  return 0;
}

/** The lowest of the cells of a run that hold place p, and *spot says where;
 * `best` if that is lower. best: -1: none so far. tried: n runs that were
 * looked at before. */
TSR_FN int64_t tsr_mesh_lowest(const tsr_mesh *mesh, const tsr_mesh_run *run,
                               const tsr_mesh_run *tried, int n, const double p[3], int64_t best,
                               tsr_mesh_spot *spot) {
  tsr_mesh_spot one;
  for (int64_t k = 0; k < run->n; ++k) {
    const int64_t cell = run->by[k];
    if ((best < 0 || cell < best) && tsr_mesh_cell_may_hold(mesh, cell, p) &&
        !tsr_mesh_was_tried(tried, n, run->by[k]) && tsr_mesh_inside(mesh, cell, p, &one)) {
      best = cell;
      *spot = one;
    }
  }
  return best;
}

/** Tries all cells of a run as the closest to p, but for those that are in one
 * of n runs, which were tried before. */
TSR_FN void tsr_mesh_try_run(const tsr_mesh *mesh, const tsr_mesh_run *run,
                             const tsr_mesh_run *tried, int n, const double p[3],
                             tsr_mesh_spot *spot, double *best) {
  for (int64_t k = 0; k < run->n; ++k)
    if (run->by[k] != spot->cell &&
        tsr_mesh_may_be_closer(tsr_mesh_box_distance2(mesh, run->by[k], p), *best) &&
        !tsr_mesh_was_tried(tried, n, run->by[k]))
      tsr_mesh_try(mesh, run->by[k], p, spot, best);
}

/** Tries all cells of leaf i as the closest to p. */
TSR_FN void tsr_mesh_try_leaf(const tsr_mesh *mesh, const tsr_mesh_tree *tree, int64_t leaf,
                              const double p[3], tsr_mesh_spot *spot, double *best) {
  for (int pushed = 0; pushed < 2; ++pushed) {
    const tsr_mesh_run run = tsr_mesh_run_of(tree, leaf, pushed);
    tsr_mesh_try_run(mesh, &run, (const tsr_mesh_run *)0, 0, p, spot, best);
  }
}

/** Notes the spot of corner i. */
TSR_FN void tsr_mesh_set_spot(const tsr_mesh_corner_job *job, int64_t i, const tsr_mesh_spot *spot,
                              int inside) {
  const tsr_mesh_corners *corners = &job->corners;
  corners->spot[i] = *spot;
  corners->inside[i] = (uint8_t)inside;
  corners->layer[i] = spot->cell >= 0 ? 0 : TSR_MESH_UNKNOWN;
}

/** Gives corner i the spot that it had in the round before, if all its leaves were there: a spot
 *  depends on the pairs of these alone. Returns 0 otherwise. */
TSR_FN int tsr_mesh_keep_spot(const tsr_mesh_corner_job *job, int64_t i) {
  const tsr_mesh_corners *corners = &job->corners, *old = &job->old;
  const int family = tsr_mesh_family_slots(job->mesh.dimension);
  if (old->n == 0)
    return 0;
  for (int64_t s = corners->begin[i]; s < corners->begin[i + 1]; ++s) {
    const int64_t k = corners->slot[s] - (job->tree.n_roots << job->mesh.dimension);
    if (k >= 0 && job->tree.is_fresh[k / family])
      return 0;
  }
  const int64_t at = tsr_mesh_find(old->key, old->n, corners->key[i]);
  if (at < 0)
    return 0;
  tsr_mesh_set_spot(job, i, &old->spot[at], old->inside[at]);
  return 1;
}

/** Finds the spot of corner i in a cell that holds it. */
TSR_FN void tsr_mesh_find_spot(const tsr_mesh_corner_job *job, int64_t i) {
  const tsr_mesh_corners *corners = &job->corners;
  const uint64_t key = corners->key[i];
  int64_t best = -1, leaves[8];
  tsr_mesh_spot spot = {-1, {0.0, 0.0, 0.0}, 0, 0}, one;
  tsr_mesh_run runs[8]; /* at most 8 leaves have a corner */
  double p[3];
  int ks[8], tried = 0;
  if (tsr_mesh_keep_spot(job, i))
    return;
  tsr_mesh_corner_place(&job->mesh, key, p);
  /* The cells of a corner are in ascending order. */
  for (int64_t k = tsr_first_not_below(corners->held, 0, corners->n_held, key);
       k < corners->n_held && corners->held[k] == key && best < 0; ++k)
    if (tsr_mesh_inside(&job->mesh, corners->held_by[k], p, &one)) {
      best = one.cell;
      spot = one;
    }
  for (int64_t s = corners->begin[i]; s < corners->begin[i + 1] && job->tree.n_pushed > 0; ++s) {
    const int n = tsr_mesh_slot_leaves(&job->mesh, &job->tree, corners->slot[s], leaves, ks);
    for (int k = 0; k < n; ++k, ++tried) {
      runs[tried] = tsr_mesh_run_of(&job->tree, leaves[k], 1);
      best = tsr_mesh_lowest(&job->mesh, &runs[tried], runs, tried, p, best, &spot);
    }
  }
  tsr_mesh_set_spot(job, i, &spot, best >= 0);
}

/** Wants the cells listed of the leaves that have corner i of those without a spot. */
TSR_FN void tsr_mesh_want_leaves(const tsr_mesh_corner_job *job, int64_t i) {
  const tsr_mesh_corners *corners = &job->corners;
  const int64_t corner = corners->far[i];
  int64_t leaves[8];
  int ks[8];
  for (int64_t s = corners->begin[corner]; s < corners->begin[corner + 1]; ++s) {
    const int n = tsr_mesh_slot_leaves(&job->mesh, &job->tree, corners->slot[s], leaves, ks);
    for (int k = 0; k < n; ++k)
      tsr_mesh_want_node(&job->mesh, &job->tree.marks, job->tree.leaf[leaves[k]]);
  }
}

/** The first of the cells of a run whose boxes are closest to p. */
TSR_FN int64_t tsr_mesh_nearest_box(const tsr_mesh *mesh, const tsr_mesh_run *run,
                                    const double p[3]) {
  int64_t nearest = run->by[0];
  double least = tsr_mesh_box_distance2(mesh, nearest, p);
  for (int64_t k = 1; k < run->n && least > 0.0; ++k) {
    const double distance = tsr_mesh_box_distance2(mesh, run->by[k], p);
    if (distance < least) {
      least = distance;
      nearest = run->by[k];
    }
  }
  return nearest;
}

/** Finds the spot of corner i of those without one in the closest cell of its
 * leaves. */
TSR_FN void tsr_mesh_find_closest(const tsr_mesh_corner_job *job, int64_t i) {
  const tsr_mesh_corners *corners = &job->corners;
  const int64_t corner = corners->far[i];
  int64_t leaves[8];
  tsr_mesh_run runs[16]; /* at most 8 leaves have a corner, and each has two runs */
  tsr_mesh_spot spot = {-1, {0.0, 0.0, 0.0}, 0, 0};
  double p[3], far = -1.0;
  int ks[8], n = 0;
  tsr_mesh_corner_place(&job->mesh, corners->key[corner], p);
  for (int64_t s = corners->begin[corner]; s < corners->begin[corner + 1]; ++s) {
    const int m = tsr_mesh_slot_leaves(&job->mesh, &job->tree, corners->slot[s], leaves, ks);
    for (int k = 0; k < 2 * m; ++k) {
      runs[n] = tsr_mesh_run_of(&job->tree, leaves[k / 2], k % 2);
      n += runs[n].n > 0;
    }
  }
  /* A cell whose box is close rules out most others. */
  if (n > 0)
    tsr_mesh_try(&job->mesh, tsr_mesh_nearest_box(&job->mesh, &runs[0], p), p, &spot, &far);
  for (int k = 0; k < n; ++k)
    tsr_mesh_try_run(&job->mesh, &runs[k], runs, k, p, &spot, &far);
  tsr_mesh_set_spot(job, corner, &spot, 0);
}

TSR_FN void tsr_mesh_flag_far(const tsr_mesh_corner_job *job, int64_t i) {
  job->before[i] = job->corners.spot[i].cell < 0;
}

/** Lists the corners without a spot. */
TSR_FN void tsr_mesh_list_far(const tsr_mesh_corner_job *job, int64_t i) {
  if (job->before[i + 1] > job->before[i])
    job->corners.far[job->before[i]] = i;
}

/** Puts a corner that is next to one of the layer before into this layer. */
TSR_FN void tsr_mesh_reach_corner(const tsr_mesh_corner_job *job, int64_t i) {
  const tsr_mesh_corners *corners = &job->corners;
  const int64_t corner = corners->far[i];
  int64_t leaves[8];
  int ks[8];
  if (corners->layer[corner] != TSR_MESH_UNKNOWN)
    return;
  for (int64_t s = corners->begin[corner]; s < corners->begin[corner + 1]; ++s) {
    const int n = tsr_mesh_slot_leaves(&job->mesh, &job->tree, corners->slot[s], leaves, ks);
    for (int k = 0; k < n; ++k)
      for (int a = 0; a < job->mesh.dimension; ++a)
        if (corners->layer[tsr_mesh_corner(&job->mesh, &job->tree, corners, leaves[k],
                                           ks[k] ^ 1 << a)] == job->step - 1) {
          corners->layer[corner] = job->step;
          return;
        }
  }
}

/** Counts the corners that no layer has reached. */
TSR_FN int64_t tsr_mesh_left_none(void) { return 0; }
TSR_FN void tsr_mesh_left_join(int64_t *all, const int64_t *part) { *all += *part; }
TSR_FN void tsr_mesh_left(const tsr_mesh_corner_job *job, int64_t i, int64_t *n) {
  *n += job->corners.layer[job->corners.far[i]] == TSR_MESH_UNKNOWN;
}

/* ---- Cell data */

/** Finds the mesh cell of leaf i: the lowest one that holds its middle, or else the closest one. */
TSR_FN void tsr_mesh_find_source(const tsr_mesh_corner_job *job, int64_t i) {
  const tsr_mesh_corners *corners = &job->corners;
  const uint64_t key = job->tree.leaf[i];
  tsr_mesh_spot spot = {-1, {0.0, 0.0, 0.0}, 0, 0};
  double p[3] = {0.0, 0.0, 0.0}, far = -1.0;
  int64_t best = -1;
  int32_t at[3] = {0, 0, 0};
  const int h = tsr_mesh_node_at(&job->mesh, key, at);
  for (int a = 0; a < job->mesh.dimension; ++a)
    p[a] = (double)(2 * (int64_t)at[a] + 1) * 0.5 * (double)((int64_t)1 << h);
  for (int pushed = 0; pushed < 2; ++pushed) {
    const tsr_mesh_run run = tsr_mesh_run_of(&job->tree, i, pushed);
    best = tsr_mesh_lowest(&job->mesh, &run, (const tsr_mesh_run *)0, 0, p, best, &spot);
  }
  if (best < 0) {
    tsr_mesh_try_leaf(&job->mesh, &job->tree, i, p, &spot, &far);
    best = spot.cell;
  }
  corners->source[i] = best;
  corners->leaf_layer[i] = best >= 0 ? 0 : TSR_MESH_UNKNOWN;
}

/** Gives leaf i the cell of a neighbour of the layer before, if it has none. */
TSR_FN void tsr_mesh_reach_leaf(const tsr_mesh_corner_job *job, int64_t i) {
  const tsr_mesh_corners *corners = &job->corners;
  int64_t leaves[8];
  int ks[8];
  if (corners->leaf_layer[i] != TSR_MESH_UNKNOWN)
    return;
  for (int c = 0; c < 1 << job->mesh.dimension; ++c) {
    const int64_t corner = tsr_mesh_corner(&job->mesh, &job->tree, corners, i, c);
    for (int64_t s = corners->begin[corner]; s < corners->begin[corner + 1]; ++s) {
      const int n = tsr_mesh_slot_leaves(&job->mesh, &job->tree, corners->slot[s], leaves, ks);
      for (int k = 0; k < n; ++k)
        if (corners->leaf_layer[leaves[k]] == job->step - 1) {
          corners->source[i] = corners->source[leaves[k]];
          corners->leaf_layer[i] = job->step;
          return;
        }
    }
  }
}

/** Counts the leaves that no layer has reached. */
TSR_FN int64_t tsr_mesh_leaves_left_none(void) { return 0; }
TSR_FN void tsr_mesh_leaves_left_join(int64_t *all, const int64_t *part) { *all += *part; }
TSR_FN void tsr_mesh_leaves_left(const tsr_mesh_corner_job *job, int64_t i, int64_t *n) {
  *n += job->corners.leaf_layer[i] == TSR_MESH_UNKNOWN;
}

#endif
