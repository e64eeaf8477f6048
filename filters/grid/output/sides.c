/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: the sides of polygons, with all points that lie on them, hanging ones included. */
#include "grid/output/output.h"

/* Where the numbers of points go. */
typedef struct tsr_side_output {
  void *indices; /* NULL: they are counted only */
  tsr_type type;
  int64_t at; /* the next entry */
} tsr_side_output;

/* Points from lattice place `from` towards `to`, without `to`. */
static void put_side(const tsr_lattice *lattice, const tsr_grid_points *points,
                     const int64_t from[2], const int64_t to[2], tsr_side_output *out) {
  const int64_t d[2] = {(to[0] > from[0]) - (to[0] < from[0]),
                        (to[1] > from[1]) - (to[1] < from[1])};
  for (int64_t x[3] = {from[0], from[1], 0}; x[0] != to[0] || x[1] != to[1];
       x[0] += d[0], x[1] += d[1]) {
    const int64_t id = tsr_point_id(lattice, points, x);
    if (id < 0)
      continue;
    if (out->indices)
      tsr_store_index(out->indices, out->type, out->at, id);
    ++out->at;
  }
}

int64_t tsr_sides_put(const tsr_lattice *lattice, const tsr_grid_points *points,
                      const tsr_grid_node *node, void *indices, tsr_type type, int64_t first) {
  static const int corner[5][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}};
  tsr_side_output out = {indices, type, first};
  int64_t i[3], range[2][2];
  tsr_node_inner(lattice, node, i);
  for (int a = 0; a < 2; ++a)
    tsr_node_lattice(lattice, a, node->level, i[a], range[a]);
  for (int k = 0; k < 4; ++k) {
    const int64_t from[2] = {range[0][corner[k][0]], range[1][corner[k][1]]};
    const int64_t to[2] = {range[0][corner[k + 1][0]], range[1][corner[k + 1][1]]};
    put_side(lattice, points, from, to, &out);
  }
  return out.at - first;
}

typedef struct tsr_side_work {
  const tsr_lattice *lattice;
  const tsr_grid_lists *lists;
  tsr_grid_points *points;
} tsr_side_work;

static void count_task(void *data, int64_t begin, int64_t end) {
  const tsr_side_work *work = data;
  for (int64_t n = begin; n < end; ++n)
    work->points->offsets[n] =
        tsr_sides_put(work->lattice, work->points, &work->lists->nodes[n], NULL, TSR_INT64, 0);
}

tsr_status tsr_sides_count(const tsr_grid_input *input, const tsr_grid_lists *lists,
                           tsr_grid_points *points, tsr_error *error) {
  tsr_side_work work = {&input->lattice, lists, points};
  tsr_job job = {.execution = &input->execution, .task = count_task, .data = &work};
  tsr_status status;
  points->offsets = tsr_alloc(lists->n + 1, sizeof(int64_t), "the polygons", error);
  if (!points->offsets)
    return TSR_NO_MEMORY;
  job.n = lists->n;
  job.done_first = job.done_last = 0.5;
  status = tsr_job_run(&job, 1024);
  if (status != TSR_OK)
    return tsr_fail(error, status, -1, "stopped while the polygons were counted");
  points->connectivity = tsr_scan(points->offsets, lists->n);
  return TSR_OK;
}
