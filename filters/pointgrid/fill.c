/* SPDX-License-Identifier: BSD-3-Clause */
/** Point grids: the output of a plan. */
#include "pointgrid/plan.h"

#include <stdlib.h>
#include <string.h>

/** What the tasks of a fill work on. */
typedef struct fill_work {
  tsr_pointgrid_plan *plan;
  const tsr_pointgrid_output *out;
  const int64_t *cell_leaf; /**< TREE */
  const int32_t *level_of;  /**< TREE */
  const tsr_array *from;    /**< array whose tuples are gathered */
  void *to;
} fill_work;

static void fill_corners(void *data, int64_t begin, int64_t end) {
  const fill_work *work = data;
  const tsr_type type = work->out->points_type;
  for (int64_t i = begin; i < end; ++i) {
    double xyz[3];
    tsr_pointgrid_place(&work->plan->cube, work->plan->corners[i], xyz);
    tsr_store(tsr_value_at(work->out->points, type, 3 * i), type, 1, xyz, 3);
  }
}

static void fill_offsets(void *data, int64_t begin, int64_t end) {
  const fill_work *work = data;
  const int64_t corners = work->plan->options.output == TSR_POINTGRID_CELLS
                              ? (int64_t)1 << work->plan->cube.dimension
                              : 1;
  for (int64_t i = begin; i < end; ++i)
    tsr_store_index(work->out->offsets, work->out->index_type, i, corners * i);
}

static void fill_connectivity(void *data, int64_t begin, int64_t end) {
  const fill_work *work = data;
  for (int64_t i = begin; i < end; ++i)
    tsr_store_index(work->out->connectivity, work->out->index_type, i,
                    work->plan->corner_of ? work->plan->corner_of[i] : i);
}

/** Level, count and density of cells. */
static void fill_cells(void *data, int64_t begin, int64_t end) {
  const fill_work *work = data;
  const tsr_pointgrid_output *out = work->out;
  for (int64_t cell = begin; cell < end; ++cell) {
    const int64_t at = work->cell_leaf ? work->cell_leaf[cell] : cell;
    const tsr_pointgrid_leaf *leaf = at >= 0 ? &work->plan->leaves.at[at] : NULL;
    if (out->level)
      out->level[cell] = work->level_of ? work->level_of[cell] : leaf->level;
    if (out->count)
      out->count[cell] = leaf ? leaf->count : 0;
    if (out->state)
      out->state[cell] = (uint8_t)(leaf              ? TSR_POINTGRID_LEAF
                                   : at == INT64_MIN ? TSR_POINTGRID_FOREIGN
                                                     : TSR_POINTGRID_SPLIT);
  }
}

/** Counts of the cells that are split, from the last one up, then the densities of all. */
static void sum_cells(const fill_work *work, int64_t *count) {
  const tsr_pointgrid_plan *plan = work->plan;
  const int64_t children = (int64_t)1 << plan->cube.dimension;
  for (int64_t cell = plan->sizes.cells; work->cell_leaf && cell-- > 0;) {
    if (work->cell_leaf[cell] < 0 && work->cell_leaf[cell] != INT64_MIN)
      for (int64_t child = 0; child < children; ++child)
        count[cell] += count[-1 - work->cell_leaf[cell] + child];
  }
  for (int64_t cell = 0; cell < plan->sizes.cells && work->out->density; ++cell) {
    const int level = work->level_of ? work->level_of[cell] : plan->leaves.at[cell].level;
    work->out->density[cell] = tsr_pointgrid_density(&plan->cube, count[cell], level);
  }
}

static tsr_status fill_counts(fill_work *work, tsr_error *error) {
  const tsr_pointgrid_plan *plan = work->plan;
  tsr_pointgrid_output out = *work->out;
  int64_t *own = NULL;
  if (!out.count && out.density)
    own = out.count = tsr_alloc(plan->sizes.cells, sizeof *own, "the counts of cells", error);
  if (out.density && !out.count)
    return TSR_NO_MEMORY;
  work->out = &out;
  const tsr_status status =
      tsr_pointgrid_run(plan, fill_cells, work, plan->sizes.cells, 16384, 0.55, 0.6, error);
  if (status == TSR_OK && out.count)
    sum_cells(work, out.count);
  free(own);
  return status;
}

/** Copies whole tuples of the points held into the order of the leaves. */
static void gather_tuples(void *data, int64_t begin, int64_t end) {
  const fill_work *work = data;
  const size_t bytes = tsr_tuple_bytes(work->from);
  const char *from = work->from->data;
  char *to = work->to;
  for (int64_t i = begin; i < end; ++i)
    memcpy(to + (size_t)i * bytes, from + (size_t)work->plan->order[i] * bytes, bytes);
}

/** Places of the points, in the type that is asked for. */
static void fill_places(void *data, int64_t begin, int64_t end) {
  const fill_work *work = data;
  const tsr_type type = work->out->points_type;
  for (int64_t i = begin; i < end; ++i) {
    const int64_t at = 3 * work->plan->order[i];
    const double xyz[3] = {tsr_load(&work->plan->points, at), tsr_load(&work->plan->points, at + 1),
                           tsr_load(&work->plan->points, at + 2)};
    tsr_store(tsr_value_at(work->out->points, type, 3 * i), type, 1, xyz, 3);
  }
}

/** What a point has from its leaf. */
static void fill_points(void *data, int64_t begin, int64_t end) {
  const fill_work *work = data;
  const tsr_pointgrid_output *out = work->out;
  for (int64_t i = begin; i < end; ++i) {
    const tsr_pointgrid_leaf *leaf = &work->plan->leaves.at[i];
    for (int64_t at = leaf->begin; at < leaf->begin + leaf->count; ++at) {
      if (out->level)
        out->level[at] = leaf->level;
      if (out->leaf)
        out->leaf[at] = work->plan->sizes.first_leaf + i;
      if (out->source_point)
        out->source_point[at] = work->plan->order[at];
    }
  }
}

/** Everything but the attributes. */
static tsr_status fill_structure(fill_work *work, tsr_error *error) {
  const tsr_pointgrid_plan *plan = work->plan;
  const tsr_pointgrid_output *out = work->out;
  const tsr_pointgrid_sizes *sizes = &plan->sizes;
  const int points = plan->options.output == TSR_POINTGRID_POINTS;
  const int tree = plan->options.output == TSR_POINTGRID_TREE;
  int done;
  tsr_status status = tsr_pointgrid_device_fill(work->plan, out, &done, error);
  if (status == TSR_OK && done && out->state && !points)
    memset(out->state, TSR_POINTGRID_LEAF, (size_t)sizes->cells);
  if (done || status != TSR_OK)
    return status;
  if (out->points && !tree)
    status = tsr_pointgrid_run(plan, points ? fill_places : fill_corners, work, sizes->points,
                               16384, 0.4, 0.45, error);
  if (status == TSR_OK && out->offsets && !tree)
    status = tsr_pointgrid_run(plan, fill_offsets, work, sizes->cells + 1, 65536, 0.45, 0.5, error);
  if (status == TSR_OK && out->connectivity && !tree)
    status = tsr_pointgrid_run(plan, fill_connectivity, work, sizes->connectivity, 65536, 0.5, 0.55,
                               error);
  if (status == TSR_OK)
    status =
        points ? tsr_pointgrid_run(plan, fill_points, work, plan->leaves.n, 2048, 0.55, 0.6, error)
               : fill_counts(work, error);
  return status;
}

static tsr_status fill_attribute(fill_work *work, const tsr_pointgrid_attribute *attribute,
                                 tsr_error *error) {
  const tsr_pointgrid_plan *plan = work->plan;
  tsr_pointgrid_attribute held = *attribute;
  void *received = NULL;
  int done = 0;
  tsr_status status = TSR_OK;
  if (plan->route.way.sent) {
    status = tsr_pointgrid_send(plan, &attribute->in, &received, error);
    held.in.data = received;
    held.in.tuples = plan->route.way.n_received;
  }
  if (status == TSR_OK)
    status = tsr_pointgrid_device_attribute(work->plan, &held, &done, error);
  if (done || status != TSR_OK) {
    free(received);
    return status;
  }
  if (plan->options.output == TSR_POINTGRID_POINTS) {
    work->from = &held.in;
    work->to = held.out;
    if (held.out)
      status = tsr_pointgrid_run(plan, gather_tuples, work, plan->n_items, 65536, 0.6, 1.0, error);
  } else {
    status = tsr_pointgrid_fill_values(plan, &held, work->cell_leaf, error);
  }
  free(received);
  return status;
}

/** Do all processes come with the same attributes? Else they would wait for each other. */
static tsr_status agree_on_attributes(const tsr_pointgrid_plan *plan,
                                      const tsr_pointgrid_output *output, tsr_status mine,
                                      tsr_error *error) {
  const int n = mine == TSR_OK ? output->n_attributes : 0;
  const int64_t bytes = n * 2 * (int64_t)sizeof(int32_t); /* type and components of each */
  int64_t total;
  void *all;
  if (!plan->route.way.sent)
    return mine;
  tsr_error *own_error = mine == TSR_OK ? error : NULL; /* what failed first is told */
  int32_t *own = tsr_alloc(bytes, 1, "a message", own_error);
  int64_t *sizes = tsr_alloc(plan->options.n_ranks, sizeof *sizes, "a message", own_error);
  tsr_status status = mine == TSR_OK && (!own || !sizes) ? TSR_NO_MEMORY : mine;
  for (int i = 0; status == TSR_OK && i < n; ++i) {
    own[2 * i] = (int32_t)output->attributes[i].in.type;
    own[2 * i + 1] = output->attributes[i].in.components;
  }
  status =
      tsr_processes_gather_bytes(&plan->processes, status, own, bytes, &all, sizes, &total, error);
  const char *at = all;
  for (int rank = 0; status == TSR_OK && rank < plan->options.n_ranks; at += sizes[rank++])
    if (sizes[rank] != bytes || memcmp(at, own, (size_t)bytes) != 0)
      status = tsr_fail(error, TSR_BAD_INPUT, -1,
                        "the processes do not have the same attributes to fill");
  free(own);
  free(sizes);
  free(all);
  return status;
}

tsr_status tsr_pointgrid_fill(tsr_pointgrid_plan *plan, const tsr_pointgrid_output *output,
                              tsr_error *error) {
  if (tsr_need(plan != NULL, "the plan", error))
    return TSR_BAD_INPUT;
  const double start = tsr_now(&plan->execution);
  tsr_pointgrid_output out;
  int64_t *cell_leaf = NULL;
  int32_t *level_of = NULL;
  tsr_pointgrid_output_init(&out);
  tsr_status status = tsr_copy_versioned(&out, sizeof out, output, "output", TSR_BAD_OPTION, error);
  if (status == TSR_OK)
    status = tsr_pointgrid_check_output(plan, &out, error);
  if (status == TSR_OK && plan->options.output == TSR_POINTGRID_TREE && plan->cube.dimension > 0)
    status = tsr_pointgrid_walk(plan, &cell_leaf, &level_of, error);
  fill_work work = {.plan = plan, .out = &out, .cell_leaf = cell_leaf, .level_of = level_of};
  if (status == TSR_OK)
    status = fill_structure(&work, error);
  work.out = &out;
  status = agree_on_attributes(plan, &out, status, error);
  for (int i = 0; status == TSR_OK && i < out.n_attributes; ++i) {
    status = fill_attribute(&work, &out.attributes[i], error);
    /* The next one is sent by all or by none. */
    status = plan->route.way.sent ? tsr_processes_agree(&plan->processes, status, error) : status;
  }
  free(cell_leaf);
  free(level_of);
  plan->report.fill_seconds = tsr_now(&plan->execution) - start;
  return status;
}
