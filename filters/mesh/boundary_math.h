/* SPDX-License-Identifier: BSD-3-Clause */
/** Unstructured meshes: faces that one cell alone has, and leaves that they touch. Two faces are
 * the same if two hashes of the set of their points' places are: cells of several blocks and
 * processes have points of their own. */
#ifndef TSR_MESH_BOUNDARY_MATH_H
#define TSR_MESH_BOUNDARY_MATH_H

#include "mesh/tree_math.h"

typedef struct tsr_mesh_boundary_job {
  tsr_mesh mesh;
  tsr_mesh_tree tree;
  int64_t *first;   /**< cells + 1: faces before those of each */
  uint64_t *second; /**< faces: the second hash of each */
  uint8_t *open;    /**< faces: 1: no other cell has it */
  tsr_pairs pairs;  /**< first hash, face */
} tsr_mesh_boundary_job;

/** A hash of where a point is. */
TSR_FN uint64_t tsr_mesh_hash_place(const double *x) {
  uint64_t hash = 0;
  for (int a = 0; a < 3; ++a)
    hash = tsr_hash(hash, (int64_t)tsr_key_of_double(x[a]));
  return hash;
}

/** Counts the faces of cell i. */
TSR_FN void tsr_mesh_count_faces(const tsr_mesh_boundary_job *job, int64_t i) {
  const tsr_mesh_cell c = tsr_mesh_cell_of(&job->mesh, i);
  job->first[i] = job->mesh.use[i] == job->mesh.dimension ? tsr_mesh_faces(&job->mesh, &c) : 0;
}

/** Hashes the faces of cell i. */
TSR_FN void tsr_mesh_hash_faces(const tsr_mesh_boundary_job *job, int64_t i) {
  const tsr_mesh_cell c = tsr_mesh_cell_of(&job->mesh, i);
  for (int64_t at = job->first[i]; at < job->first[i + 1]; ++at) {
    const tsr_mesh_face face = tsr_mesh_face_of(&job->mesh, &c, at - job->first[i]);
    uint64_t one = 0, two = (uint64_t)face.n;
    for (int64_t k = 0; k < face.n; ++k) {
      const uint64_t place = tsr_mesh_hash_place(
          tsr_mesh_place(&job->mesh, tsr_mesh_face_id(&job->mesh, &c, &face, k)));
      one += place;
      two += tsr_hash(1, (int64_t)place);
    }
    tsr_pairs_set(&job->pairs, at, one, at);
    job->second[at] = two;
  }
}

/** Finds whether the face of the sorted pair i is that of one cell. */
TSR_FN void tsr_mesh_find_open(const tsr_mesh_boundary_job *job, int64_t i) {
  const uint64_t key = tsr_pairs_key(&job->pairs, i);
  const int64_t face = tsr_pairs_value(&job->pairs, i);
  int open = 1;
  for (int64_t k = i; open && k-- > 0 && tsr_pairs_key(&job->pairs, k) == key;)
    open = job->second[tsr_pairs_value(&job->pairs, k)] != job->second[face];
  for (int64_t k = i + 1; open && k < job->pairs.n && tsr_pairs_key(&job->pairs, k) == key; ++k)
    open = job->second[tsr_pairs_value(&job->pairs, k)] != job->second[face];
  job->open[face] = (uint8_t)open;
}

/** 1 if a face touches the inside of the node of this height at these indices. */
TSR_FN int tsr_mesh_face_touches(const tsr_mesh *mesh, const tsr_mesh_cell *c,
                                 const tsr_mesh_face *face, int height, const int32_t at[3]) {
  const double side = (double)((int64_t)1 << height);
  double normal[3], low[3] = {0.0, 0.0, 0.0}, high[3] = {0.0, 0.0, 0.0}, middle[3];
  double least = 0.0, most = 0.0, reach = 0.0;
  tsr_mesh_seen seen;
  seen.c = *c;
  seen.fan = 1;
  tsr_mesh_normal(mesh, &seen, face, normal);
  for (int64_t k = 0; k < face->n; ++k) {
    const double *x = tsr_mesh_place(mesh, tsr_mesh_face_id(mesh, c, face, k));
    const double v = tsr_mesh_dot(normal, x);
    least = k == 0 || v < least ? v : least;
    most = k == 0 || v > most ? v : most;
    for (int a = 0; a < 3; ++a) {
      low[a] = k == 0 || x[a] < low[a] ? x[a] : low[a];
      high[a] = k == 0 || x[a] > high[a] ? x[a] : high[a];
    }
  }
  for (int a = 0; a < 3; ++a) {
    middle[a] = a < mesh->dimension ? ((double)at[a] + 0.5) * side : 0.0;
    if (a < mesh->dimension &&
        (high[a] <= (double)at[a] * side || low[a] >= ((double)at[a] + 1.0) * side))
      return 0;
    reach += fabs(normal[a]) * (0.5 * side + TSR_MESH_TOUCHES);
  }
  const double v = tsr_mesh_dot(normal, middle);
  return v + reach >= least && v - reach <= most;
}

/** 1 if a face of the boundary of a cell touches a node. */
TSR_FN int tsr_mesh_opens(const tsr_mesh_boundary_job *job, int64_t cell, int height,
                          const int32_t at[3]) {
  const tsr_mesh_cell c = tsr_mesh_cell_of(&job->mesh, cell);
  for (int64_t k = job->first[cell]; k < job->first[cell + 1]; ++k) {
    const tsr_mesh_face face = tsr_mesh_face_of(&job->mesh, &c, k - job->first[cell]);
    if (job->open[k] && tsr_mesh_face_touches(&job->mesh, &c, &face, height, at))
      return 1;
  }
  return 0;
}

/** Flags leaf i as outside if a face of the boundary touches it. */
TSR_FN void tsr_mesh_flag_open(const tsr_mesh_boundary_job *job, int64_t i) {
  const tsr_mesh_tree *tree = &job->tree;
  int32_t at[3] = {0, 0, 0};
  const int height = tsr_mesh_node_at(&job->mesh, tree->leaf[i], at);
  for (int pushed = 0; pushed < 2 && !tree->outside[i]; ++pushed) {
    const tsr_mesh_run run = tsr_mesh_run_of(tree, i, pushed);
    for (int64_t k = 0; k < run.n && !tree->outside[i]; ++k)
      tree->outside[i] = (uint8_t)tsr_mesh_opens(job, run.by[k], height, at);
  }
}

#endif
