/* SPDX-License-Identifier: BSD-3-Clause */
/** Unstructured meshes: which cells touch the nodes that are wanted. */
#ifndef TSR_MESH_TOUCH_LIST_MATH_H
#define TSR_MESH_TOUCH_LIST_MATH_H

#include "mesh/touch/touch_math.h"

/** Pairs of a node that is wanted and a cell that touches it. */
typedef struct tsr_mesh_list_job {
  tsr_mesh mesh;
  tsr_mesh_marks marks;
  const tsr_mesh_found_boxes *found;
  int64_t *before;   /**< cells + 1: pairs before each cell */
  uint64_t *touched; /**< cells: of a cell that spans few boxes, a bit for each wanted one, in the
                          order of the blocks: 1: the cell touches it */
  tsr_pairs pairs;   /**< keys of nodes, cells */
} tsr_mesh_list_job;

/** Counts the pairs of a cell that spans many boxes, or writes them. */
TSR_FN int64_t tsr_mesh_list_many(const tsr_mesh_list_job *job, int64_t i, int put) {
  const tsr_mesh *mesh = &job->mesh;
  tsr_mesh_seen seen;
  int64_t n = 0;
  int touches;
  tsr_mesh_see(mesh, i, &seen);
  tsr_mesh_walk walk = tsr_mesh_walk_begin(mesh, &seen.hull);
  do {
    const uint64_t key = tsr_mesh_box_key(mesh, walk.height, walk.at);
    const int last = walk.height == seen.hull.own;
    touches = (!last || tsr_mesh_is_wanted(mesh, &job->marks, key)) &&
              tsr_mesh_touches(mesh, &seen.hull, walk.height, walk.at);
    if (touches && last && put)
      tsr_pairs_set(&job->pairs, job->before[i] + n, key, i);
    n += touches && last;
  } while (tsr_mesh_walk_next(mesh, &seen.hull, &walk, touches));
  return n;
}

/** Counts the pairs of a cell that spans few boxes. */
TSR_FN int64_t tsr_mesh_count_few(const tsr_mesh_list_job *job, int64_t i) {
  const tsr_mesh_found_boxes f = job->found[i];
  tsr_mesh_block block = tsr_mesh_first_block(&f);
  tsr_mesh_seen seen;
  uint64_t touched = 0, bit = 0;
  do {
    uint64_t left = tsr_mesh_nodes_in(&job->marks, job->marks.wanted, &block);
    if (left != 0 && bit == 0) {
      tsr_mesh_see(&job->mesh, i, &seen);
      bit = 1;
    }
    for (int k = 0; left != 0; ++k, left >>= 1) {
      int32_t at[3];
      if (!(left & 1u))
        continue;
      tsr_mesh_block_node(&block, k, at);
      touched |= tsr_mesh_touches(&job->mesh, &seen.hull, block.height, at) ? bit : 0;
      bit <<= 1;
    }
  } while (tsr_mesh_next_block(&f, &block));
  job->touched[i] = touched;
  return tsr_mesh_count_bits(touched);
}

/** Writes the pairs of a cell that spans few boxes. */
TSR_FN void tsr_mesh_put_few(const tsr_mesh_list_job *job, int64_t i) {
  const tsr_mesh_found_boxes f = job->found[i];
  tsr_mesh_block block = tsr_mesh_first_block(&f);
  uint64_t touched = job->touched[i];
  int64_t to = job->before[i];
  do {
    uint64_t left = tsr_mesh_nodes_in(&job->marks, job->marks.wanted, &block);
    for (int k = 0; left != 0; ++k, left >>= 1) {
      int32_t at[3];
      if (!(left & 1u))
        continue;
      tsr_mesh_block_node(&block, k, at);
      if (touched & 1u)
        tsr_pairs_set(&job->pairs, to++, tsr_mesh_box_key(&job->mesh, block.height, at), i);
      touched >>= 1;
    }
  } while (tsr_mesh_next_block(&f, &block));
}

/** Counts the pairs of cell i. */
TSR_FN void tsr_mesh_count_wanted(const tsr_mesh_list_job *job, int64_t i) {
  job->before[i] = 0;
  if (job->mesh.use[i] == job->mesh.dimension)
    job->before[i] =
        job->found[i].n[0] == 0 ? tsr_mesh_list_many(job, i, 0) : tsr_mesh_count_few(job, i);
}

/** Writes the pairs of cell i. */
TSR_FN void tsr_mesh_put_wanted(const tsr_mesh_list_job *job, int64_t i) {
  if (job->before[i + 1] == job->before[i])
    return;
  if (job->found[i].n[0] == 0)
    tsr_mesh_list_many(job, i, 1);
  else
    tsr_mesh_put_few(job, i);
}

#endif
