/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: the sides of polygons, with all points that lie on them, hanging ones included. */
#include "grid/output/output.h"
#include "grid/output/side_math.h"

int64_t tsr_sides_put(const tsr_lattice *lattice, const tsr_grid_points *points,
                      const tsr_grid_node *node, void *indices, tsr_type type, int64_t first) {
  tsr_grid_sides sides;
  int64_t i[3], x[3], at = first;
  tsr_node_inner(lattice, node, i);
  tsr_sides_set(lattice, node->level, i, &sides);
  for (int64_t k = 0; k < sides.n; ++k) {
    int64_t id;
    tsr_sides_place(&sides, k, x);
    id = tsr_point_id(lattice, points, x);
    if (id < 0)
      continue;
    if (indices)
      tsr_store_index(indices, type, at, id);
    ++at;
  }
  return at - first;
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
