/* SPDX-License-Identifier: BSD-3-Clause */
/** Unstructured meshes: values at corners, how far their interpolation is off, and the output. */
#ifndef TSR_MESH_VALUE_MATH_H
#define TSR_MESH_VALUE_MATH_H

#include "mesh/corner_math.h"

/** Range of a component. */
typedef struct tsr_mesh_range {
  double low, high;
} tsr_mesh_range;

typedef struct tsr_mesh_range_job {
  tsr_array array;
  int component;
} tsr_mesh_range_job;

TSR_FN tsr_mesh_range tsr_mesh_values_none(void) {
  const tsr_mesh_range none = {HUGE_VAL, -HUGE_VAL};
  return none;
}

TSR_FN void tsr_mesh_values_join(tsr_mesh_range *all, const tsr_mesh_range *part) {
  all->low = part->low < all->low ? part->low : all->low;
  all->high = part->high > all->high ? part->high : all->high;
}

TSR_FN void tsr_mesh_values(const tsr_mesh_range_job *job, int64_t i, tsr_mesh_range *range) {
  const double v = tsr_load(&job->array, i * job->array.components + job->component) + 0.0;
  const tsr_mesh_range one = {v, v};
  if (v == v)
    tsr_mesh_values_join(range, &one);
}

/** Values of an array at the corners. */
typedef struct tsr_mesh_value_job {
  void *out; /**< set by `make` */
  tsr_mesh mesh;
  tsr_mesh_tree tree;
  tsr_mesh_corners corners;
  tsr_array array;
  int component, columns;
  tsr_mesh_range range; /**< of the component */
  double *to;           /**< corners x columns */
  int column;
  int32_t step; /**< layer */
  double tolerance;
  uint8_t *off;    /**< points: 1 + k: off by more than a tolerance in holder k */
  int64_t *before; /**< points + 1 */
  uint64_t *words;
} tsr_mesh_value_job;

/** Value of the component at corner i, if it has a spot. */
TSR_FN void tsr_mesh_put_value(const tsr_mesh_value_job *job, int64_t i) {
  const tsr_mesh_spot *spot = &job->corners.spot[i];
  const int inside = job->corners.inside[i];
  tsr_mesh_fan fan;
  tsr_mesh_shape s;
  double N[8], p[3], v = 0.0;
  if (spot->cell >= 0) {
    tsr_mesh_corner_place(&job->mesh, job->corners.key[i], p);
    tsr_mesh_weigh(&job->mesh, spot, inside ? (const double *)0 : p, &fan, &s, N);
    v = tsr_mesh_weighed(&job->mesh, &fan, &s, N, &job->array, job->component);
    if (!inside)
      v = tsr_mesh_between(v, job->range.low, job->range.high);
  }
  job->to[i * job->columns + job->column] = v;
}

/** Mean of the corners of earlier layers next to corner i of this layer, once for each leaf that
 *  has both. */
TSR_FN void tsr_mesh_put_mean(const tsr_mesh_value_job *job, int64_t i) {
  const tsr_mesh_corners *corners = &job->corners;
  const int64_t corner = corners->far[i];
  double sum = 0.0;
  int64_t leaves[8], n = 0;
  int ks[8];
  if (corners->layer[corner] != job->step)
    return;
  for (int64_t s = corners->begin[corner]; s < corners->begin[corner + 1]; ++s) {
    const int m = tsr_mesh_slot_leaves(&job->mesh, &job->tree, corners->slot[s], leaves, ks);
    for (int k = 0; k < m; ++k)
      for (int a = 0; a < job->mesh.dimension; ++a) {
        const int64_t next =
            tsr_mesh_corner(&job->mesh, &job->tree, corners, leaves[k], ks[k] ^ 1 << a);
        if (corners->layer[next] < job->step) {
          sum += job->to[next * job->columns + job->column];
          ++n;
        }
      }
  }
  if (n > 0)
    job->to[corner * job->columns + job->column] = sum / (double)n;
}

/** The axes across which point i lies on a side of finest cells, a bit for each. */
TSR_FN int tsr_mesh_sides(const tsr_mesh *mesh, int64_t i) {
  const double *p = tsr_mesh_place(mesh, i);
  int sides = 0;
  for (int a = 0; a < mesh->dimension; ++a)
    sides |= (p[a] == (double)tsr_mesh_floor(p[a], (mesh->cells[a] << mesh->levels) - 1)) << a;
  return sides;
}

/** Holder k of point i: the leaf that has it, not an outside one, or -1. A point on sides of finest
 *  cells may have several; bit a of k: the leaf below, not above, the side across axis a. */
TSR_FN int64_t tsr_mesh_holder(const tsr_mesh_value_job *job, int64_t i, int k) {
  const tsr_mesh *mesh = &job->mesh;
  const double *p = tsr_mesh_place(mesh, i);
  int32_t at[3] = {0, 0, 0};
  for (int a = 0; a < mesh->dimension; ++a) {
    const int below = k >> a & 1;
    at[a] = tsr_mesh_floor(p[a], (mesh->cells[a] << mesh->levels) - 1);
    if (below && !(p[a] == (double)at[a] && at[a] > 0))
      return -1;
    at[a] -= below;
  }
  const int64_t leaf = tsr_mesh_leaf_at(mesh, &job->tree, at);
  return leaf >= 0 && !job->tree.outside[leaf] ? leaf : -1;
}

/** Nothing is known of point i. */
TSR_FN void tsr_mesh_clear_off(const tsr_mesh_value_job *job, int64_t i) { job->off[i] = 0; }

/** Difference between the value at point i and the interpolation in a leaf, which is of height h at
 *  these indices. */
TSR_FN double tsr_mesh_difference_in(const tsr_mesh_value_job *job, int64_t i, int64_t leaf, int h,
                                     const int32_t at[3]) {
  const tsr_mesh *mesh = &job->mesh;
  const double *p = tsr_mesh_place(mesh, i);
  double sum = 0.0, t[3] = {0.0, 0.0, 0.0};
  for (int a = 0; a < mesh->dimension; ++a)
    t[a] = p[a] / (double)((int64_t)1 << h) - (double)at[a];
  for (int k = 0; k < 1 << mesh->dimension; ++k) {
    double w = 1.0;
    for (int a = 0; a < mesh->dimension; ++a)
      w *= k >> a & 1 ? t[a] : 1.0 - t[a];
    sum += w * job->to[tsr_mesh_corner(mesh, &job->tree, &job->corners, leaf, k) * job->columns +
                       job->column];
  }
  return fabs(sum - tsr_load(&job->array, i * job->array.components + job->component));
}

/** Compares the value at point i with the interpolation in its leaves above the finest level. */
TSR_FN void tsr_mesh_compare(const tsr_mesh_value_job *job, int64_t i) {
  if (!job->mesh.marked[i])
    return;
  const int sides = tsr_mesh_sides(&job->mesh, i);
  for (int k = 0; k < 1 << job->mesh.dimension && !job->off[i]; ++k) {
    if (k & ~sides)
      continue;
    const int64_t leaf = tsr_mesh_holder(job, i, k);
    int32_t at[3] = {0, 0, 0};
    const int h = leaf >= 0 ? tsr_mesh_node_at(&job->mesh, job->tree.leaf[leaf], at) : 0;
    if (h > 0 && tsr_mesh_difference_in(job, i, leaf, h, at) > job->tolerance)
      job->off[i] = (uint8_t)(k + 1);
  }
}

TSR_FN void tsr_mesh_count_off(const tsr_mesh_value_job *job, int64_t i) {
  job->before[i] = job->off[i] > 0;
}

TSR_FN void tsr_mesh_put_off(const tsr_mesh_value_job *job, int64_t i) {
  if (job->off[i] > 0)
    job->words[job->before[i]] = job->tree.leaf[tsr_mesh_holder(job, i, job->off[i] - 1)];
}

/* ---- The output */

TSR_FN void tsr_mesh_put_level(const tsr_mesh_value_job *job, int64_t i) {
  ((uint8_t *)job->out)[i] =
      (uint8_t)(job->mesh.levels - tsr_mesh_height(&job->mesh, job->tree.leaf[i]));
}

TSR_FN void tsr_mesh_put_index(const tsr_mesh_value_job *job, int64_t i) {
  int32_t at[3] = {0, 0, 0};
  tsr_mesh_node_at(&job->mesh, job->tree.leaf[i], at);
  for (int a = 0; a < 3; ++a)
    ((int32_t *)job->out)[3 * i + job->mesh.axis[a]] = at[a];
}

TSR_FN void tsr_mesh_put_corners(const tsr_mesh_value_job *job, int64_t i) {
  const int d = job->mesh.dimension;
  for (int k = 0; k < 1 << d; ++k)
    ((int64_t *)job->out)[(i << d) + k] =
        tsr_mesh_corner(&job->mesh, &job->tree, &job->corners, i, k);
}

TSR_FN void tsr_mesh_put_outside(const tsr_mesh_value_job *job, int64_t i) {
  ((uint8_t *)job->out)[i] = job->tree.outside[i];
}

TSR_FN void tsr_mesh_put_inside(const tsr_mesh_value_job *job, int64_t i) {
  ((uint8_t *)job->out)[i] = job->corners.inside[i];
}

TSR_FN void tsr_mesh_put_source(const tsr_mesh_value_job *job, int64_t i) {
  ((int64_t *)job->out)[i] = job->corners.source[i];
}

/** Writes a place in cells of level 0, or NaN: p is NULL then. */
TSR_FN void tsr_mesh_put_sample(const tsr_mesh *mesh, const double *p, double *to) {
  const double part = 1.0 / (double)((int64_t)1 << mesh->levels);
  for (int a = 0; a < 3; ++a)
    to[mesh->axis[a]] = p ? p[a] * part : tsr_to_double((double)NAN);
}

TSR_FN void tsr_mesh_put_point_place(const tsr_mesh_value_job *job, int64_t i) {
  tsr_mesh_put_sample(&job->mesh,
                      job->mesh.marked[i] ? tsr_mesh_place(&job->mesh, i) : (const double *)0,
                      (double *)job->out + 3 * i);
}

TSR_FN void tsr_mesh_put_cell_place(const tsr_mesh_value_job *job, int64_t i) {
  const tsr_mesh *mesh = &job->mesh;
  double p[3] = {0.0, 0.0, 0.0};
  const int counts = mesh->use[i] == mesh->dimension;
  if (counts) {
    const tsr_mesh_cell c = tsr_mesh_cell_of(mesh, i);
    for (int64_t k = 0; k < c.n; ++k) {
      const double *x = tsr_mesh_place(mesh, tsr_mesh_id(mesh, &c, k));
      for (int a = 0; a < 3; ++a)
        p[a] += x[a];
    }
    for (int a = 0; a < 3; ++a)
      p[a] /= (double)c.n;
  }
  tsr_mesh_put_sample(mesh, counts ? p : (const double *)0, (double *)job->out + 3 * i);
}

/** Writes the tuple of point data at corner i. */
TSR_FN void tsr_mesh_put_point_tuple(const tsr_mesh_value_job *job, int64_t i) {
  for (int c = 0; c < job->columns; ++c) {
    const int64_t at = i * job->columns + c;
    switch (job->array.type) {
    case TSR_FLOAT:
      tsr_store((float *)job->out + at, job->array.type, 1, job->to + at, 1);
      break;
    case TSR_DOUBLE:
    case TSR_INT64:
    case TSR_UINT64:
      tsr_store((double *)job->out + at, job->array.type, 1, job->to + at, 1);
      break;
    case TSR_INT32:
    case TSR_UINT32:
      tsr_store((int32_t *)job->out + at, job->array.type, 1, job->to + at, 1);
      break;
    case TSR_INT16:
    case TSR_UINT16:
      tsr_store((int16_t *)job->out + at, job->array.type, 1, job->to + at, 1);
      break;
    default:
      tsr_store((int8_t *)job->out + at, job->array.type, 1, job->to + at, 1);
      break;
    }
  }
}

/** Copies the tuple of cell data of leaf i's mesh cell; columns: its bytes. */
TSR_FN void tsr_mesh_put_cell_tuple(const tsr_mesh_value_job *job, int64_t i) {
  const int64_t from = job->corners.source[i];
  for (int c = 0; c < job->columns; ++c)
    ((uint8_t *)job->out)[i * job->columns + c] =
        from >= 0 ? ((const uint8_t *)job->array.data)[from * job->columns + c] : 0;
}

#endif
