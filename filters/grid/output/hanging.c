/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: points that hang on coarser leaves, and polygons that contain them. */
#include "grid/plan.h"

int tsr_grid_hangs(const tsr_grid_plan *plan, const int64_t x[3], int *level, int64_t node[3]) {
  const tsr_lattice *lattice = &plan->lattice;
  int found = 0;
  for (int k = 0; k < 1 << lattice->dimension; ++k) {
    int64_t i[3], n[3];
    int leaf, is_corner = 1;
    for (int a = 0; a < 3; ++a)
      i[a] = a < lattice->dimension ? x[a] - 1 + ((k >> a) & 1) : 0;
    if (!tsr_node_in_tree(lattice, lattice->levels, i))
      continue;
    leaf = tsr_tree_leaf(&plan->tree, lattice, i);
    for (int a = 0; a < 3; ++a) {
      int64_t range[2];
      n[a] = tsr_shift(lattice, a, i[a], lattice->levels - leaf);
      tsr_node_lattice(lattice, a, leaf, n[a], range);
      is_corner = is_corner && (x[a] == range[0] || x[a] == range[1]);
    }
    if (is_corner || (found && leaf >= *level) ||
        (plan->hidden && tsr_leaf_is_hidden(plan, leaf, n)))
      continue;
    found = 1;
    *level = leaf;
    for (int a = 0; a < 3; ++a)
      node[a] = n[a];
  }
  return found;
}

/* Where lattice place x lies between b0 and b1, as tsr_axis_parameter for input points. */
static double tsr_lattice_parameter(const tsr_grid_plan *plan, int axis, int64_t b0, int64_t b1,
                                    int64_t x) {
  const tsr_lattice *lattice = &plan->lattice;
  const int deep = lattice->levels - lattice->coarsen;
  const int64_t ends[3] = {b0, b1, x};
  double at[3];
  if (plan->space.geometry == TSR_GEOMETRY_RECTILINEAR) {
    const tsr_array *coordinates = &plan->space.coordinates[lattice->axis[axis]];
    for (int k = 0; k < 3; ++k) {
      const int64_t p = (ends[k] >> deep) - lattice->held[axis][0];
      const int64_t within = ends[k] & (((int64_t)1 << deep) - 1);
      at[k] = tsr_load(coordinates, p);
      if (within > 0)
        at[k] +=
            (tsr_load(coordinates, p + 1) - at[k]) * (double)within / (double)((int64_t)1 << deep);
    }
    if (at[1] - at[0] != 0.0)
      return (at[2] - at[0]) / (at[1] - at[0]);
  }
  return (double)(x - b0) / (double)(b1 - b0);
}

/* The free value: that of the input, or between input points. */
static double tsr_free_value(const tsr_grid_plan *plan, const tsr_array *array, int component,
                             const int64_t x[3]) {
  tsr_corners corners;
  tsr_lattice_corners(&plan->lattice, x, &corners);
  return tsr_corners_value(&corners, array, component);
}

double tsr_grid_constrained(const tsr_grid_plan *plan, const tsr_array *array, int component,
                            const int64_t x[3]) {
  const tsr_lattice *lattice = &plan->lattice;
  int64_t node[3], range[3][2];
  double t[3] = {0.0, 0.0, 0.0}, sum = 0.0;
  int level;
  if (!tsr_grid_hangs(plan, x, &level, node))
    return tsr_free_value(plan, array, component, x);
  for (int a = 0; a < lattice->dimension; ++a) {
    tsr_node_lattice(lattice, a, level, node[a], range[a]);
    t[a] = x[a] == range[a][0]   ? 0.0
           : x[a] == range[a][1] ? 1.0
                                 : tsr_lattice_parameter(plan, a, range[a][0], range[a][1], x[a]);
  }
  for (int k = 0; k < 1 << lattice->dimension; ++k) {
    int64_t corner[3] = {0, 0, 0};
    double weight = 1.0;
    for (int a = 0; a < lattice->dimension; ++a) {
      corner[a] = range[a][(k >> a) & 1];
      weight *= (k >> a) & 1 ? t[a] : 1.0 - t[a];
    }
    if (weight != 0.0)
      sum += weight * tsr_grid_constrained(plan, array, component, corner);
  }
  return sum;
}

/* Points from lattice place `from` towards `to`, without `to`. */
static int64_t tsr_side(const tsr_grid_plan *plan, const int64_t from[2], const int64_t to[2],
                        int64_t *ids) {
  const int64_t d[2] = {(to[0] > from[0]) - (to[0] < from[0]),
                        (to[1] > from[1]) - (to[1] < from[1])};
  int64_t x[3] = {from[0], from[1], 0}, n = 0;
  for (; x[0] != to[0] || x[1] != to[1]; x[0] += d[0], x[1] += d[1]) {
    const int64_t id = tsr_grid_point_id(plan, x);
    if (id < 0)
      continue;
    if (ids)
      ids[n] = id;
    ++n;
  }
  return n;
}

int64_t tsr_grid_sides(const tsr_grid_plan *plan, const tsr_grid_node *node, int64_t *ids) {
  static const int corner[5][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}};
  int64_t i[3], range[2][2], n = 0;
  tsr_node_inner(&plan->lattice, node, i);
  for (int a = 0; a < 2; ++a)
    tsr_node_lattice(&plan->lattice, a, node->level, i[a], range[a]);
  for (int k = 0; k < 4; ++k) {
    const int64_t from[2] = {range[0][corner[k][0]], range[1][corner[k][1]]};
    const int64_t to[2] = {range[0][corner[k + 1][0]], range[1][corner[k + 1][1]]};
    n += tsr_side(plan, from, to, ids ? ids + n : NULL);
  }
  return n;
}

static void tsr_sides_task(void *data, int64_t begin, int64_t end) {
  tsr_grid_plan *plan = data;
  for (int64_t n = begin; n < end; ++n)
    plan->offsets[n] = tsr_grid_sides(plan, &plan->nodes[n], NULL);
}

tsr_status tsr_grid_count_sides(tsr_grid_plan *plan, tsr_error *error) {
  tsr_job job = {.execution = &plan->execution, .task = tsr_sides_task, .data = plan};
  tsr_status status;
  plan->offsets = tsr_alloc(plan->sizes.cells + 1, sizeof(int64_t), "the polygons", error);
  if (!plan->offsets)
    return TSR_NO_MEMORY;
  job.n = plan->sizes.cells;
  job.done_first = job.done_last = 0.5;
  status = tsr_job_run(&job, 1024);
  if (status != TSR_OK)
    return tsr_fail(error, status, -1, "stopped while the polygons were counted");
  plan->sizes.connectivity = tsr_scan(plan->offsets, plan->sizes.cells);
  return TSR_OK;
}
