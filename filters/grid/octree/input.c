/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids from cells of several sizes: the view's cells, checked and in Morton order, and the tree
 *  above them. */
#include "grid/octree/octree.h"

#include <string.h>

/** Bits of an index along an axis: a place in the lattice of points has one more, and a Morton
 *  number of 3 axes 63. */
static int most_bits(int dimension) { return dimension == 3 ? 20 : 30; }

/* Sets the shape: axes, levels and the highest node. */
static tsr_status set_shape(tsr_octree_plan *plan, int deepest, tsr_error *error) {
  const tsr_grid_options *o = &plan->grid.options;
  tsr_octree_shape *shape = &plan->input.shape;
  int64_t most = 1;
  int inner = 0;
  memset(shape, 0, sizeof *shape);
  for (int pass = 0; pass < 2; ++pass)
    for (int axis = 0; axis < 3; ++axis)
      if ((plan->cells.cells[axis] > 0) == (pass == 0))
        shape->axis[inner++] = axis;
  for (int a = 0; a < 3; ++a) {
    const int64_t cells = plan->cells.cells[shape->axis[a]];
    const int64_t finest = cells > 0 ? cells << deepest : 1;
    shape->dimension += cells > 0;
    most = finest > most ? finest : most;
    shape->finest[a] = (int32_t)(finest < INT32_MAX ? finest : INT32_MAX);
  }
  if (most > (int64_t)1 << most_bits(shape->dimension))
    return tsr_fail(error, TSR_TOO_LARGE, -1,
                    "an axis would have %lld cells of the finest level, and at most 2^%d are "
                    "possible: leave out the finest levels, or a part of the domain",
                    (long long)most, most_bits(shape->dimension));
  shape->levels = o->coarsen_levels + deepest;
  if (shape->levels > TSR_GRID_MAX_LEVEL)
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "%d coarsen levels and the %d levels of the input are more than %d together: "
                    "take fewer coarsen levels",
                    o->coarsen_levels, deepest, TSR_GRID_MAX_LEVEL);
  while ((int64_t)1 << shape->top < most)
    ++shape->top;
  return TSR_OK;
}

/* The level of the view that the finest cells have: that of a cell, or deeper where a mark asks for
 * a node to be split. */
static int deepest_of(const tsr_octree_plan *plan, int found) {
  const tsr_grid_options *o = &plan->grid.options;
  int deepest = found;
  for (int64_t i = 0; i < o->marks.n && o->mode == TSR_GRID_ADAPTIVE; ++i) {
    const int below = o->marks.nodes[i].level + 1 - o->coarsen_levels;
    deepest = below > deepest ? below : deepest;
  }
  return deepest;
}

/* Brings the view's arrays to the executor. */
static tsr_status upload(tsr_octree_plan *plan, tsr_error *error) {
  const tsr_grid_octree *cells = &plan->cells;
  const int64_t n = cells->n;
  tsr_array arrays[7] = {{cells->level, TSR_UINT8, 1, n},
                         {cells->index, TSR_INT32, 3, n},
                         {plan->view.hidden_cells, TSR_UINT8, 1, plan->view.hidden_cells ? n : 0},
                         {cells->outside, TSR_UINT8, 1, cells->outside ? n : 0}};
  tsr_executor *e = &plan->executor;
  void *to[7];
  for (int a = 0; a < 3; ++a) {
    const tsr_array none = {NULL, TSR_DOUBLE, 1, 0};
    arrays[4 + a] =
        plan->view.geometry == TSR_GEOMETRY_RECTILINEAR ? plan->view.coordinates[a] : none;
  }
  TSR_OCTREE_TRY(e->input(e, arrays, 7, 1, to, error));
  plan->input.level = to[0];
  plan->input.index = to[1];
  plan->input.hidden = plan->view.hidden_cells ? to[2] : NULL;
  plan->input.outside = cells->outside ? to[3] : NULL;
  plan->input.n = n;
  plan->space.uneven = plan->view.geometry == TSR_GEOMETRY_RECTILINEAR;
  for (int a = 0; a < 3; ++a) {
    plan->space.coordinates[a] = arrays[4 + a];
    plan->space.coordinates[a].data = arrays[4 + a].data ? to[4 + a] : NULL;
    plan->space.origin[a] = plan->view.origin[a];
    plan->space.spacing[a] = plan->view.spacing[a];
    plan->space.cells[a] = plan->input.cells[a] = cells->cells[a];
  }
  return TSR_OK;
}

static tsr_status check_cells(tsr_octree_plan *plan, int64_t *visible, tsr_error *error) {
  tsr_octree_found found;
  TSR_OCTREE_TRY(
      TSR_REDUCE(&plan->executor, tsr_octree_inspect, plan->input, plan->input.n, &found, error));
  if (found.bad >= 0)
    return tsr_fail(error, TSR_BAD_INPUT, found.bad,
                    "cell %lld has a level or an index that its octree does not have",
                    (long long)found.bad);
  *visible = found.visible;
  plan->input.deepest = plan->space.deepest = deepest_of(plan, found.deepest);
  return set_shape(plan, plan->input.deepest, error);
}

/* Bits of the key of a cell; those of hidden cells have one bit more. */
static int key_bits(const tsr_octree_input *in) {
  return tsr_octree_shift(&in->shape, in->shape.top) + 1;
}

/* Sorts the cells, and drops hidden ones and copies. */
static tsr_status sort_cells(tsr_octree_plan *plan, tsr_error *error) {
  tsr_octree_input *in = &plan->input;
  tsr_executor *e = &plan->executor;
  const char *what = "the cells of the octree";
  tsr_octree_cells *kept = &in->kept;
  TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_make_key, *in, in->n, error));
  TSR_OCTREE_TRY(e->sort(e, &in->pairs, key_bits(in), error));
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &in->before, in->n + 1, sizeof *in->before, what, error));
  TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_keep_cell, *in, in->n, error));
  TSR_OCTREE_TRY(tsr_octree_sum(plan, in->before, in->n, &kept->n, error));
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &kept->key, kept->n, sizeof *kept->key, what, error));
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &kept->height, kept->n, 1, what, error));
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &kept->from, kept->n, sizeof *kept->from, what, error));
  if (in->outside)
    TSR_OCTREE_TRY(tsr_octree_alloc(plan, &kept->outside, kept->n, 1, what, error));
  return TSR_EACH(e, tsr_octree_take_cell, *in, in->n, error);
}

tsr_status tsr_octree_take_cells(tsr_octree_plan *plan, tsr_error *error) {
  tsr_octree_input *in = &plan->input;
  tsr_executor *e = &plan->executor;
  tsr_octree_found found = tsr_octree_clash_none();
  int64_t visible = 0;
  tsr_status status;
  TSR_OCTREE_TRY(upload(plan, error));
  TSR_OCTREE_TRY(check_cells(plan, &visible, error));
  if (visible == 0)
    return TSR_OK;
  in->pairs.key_bits = key_bits(in);
  status = e->alloc_pairs(e, &in->pairs, in->n, "the cells of the octree", error);
  if (status == TSR_OK)
    status = sort_cells(plan, error);
  e->free_pairs(e, &in->pairs);
  tsr_octree_release(plan, &in->before);
  if (status == TSR_OK)
    status = TSR_REDUCE(e, tsr_octree_clash, *in, in->kept.n, &found, error);
  if (status == TSR_OK && found.first >= 0)
    return tsr_fail(error, TSR_BAD_INPUT, found.first, "cells %lld and %lld of the octree overlap",
                    (long long)found.first, (long long)found.last);
  plan->tree.shape = in->shape;
  plan->tree.cells = in->kept;
  plan->sizes.fine_cells = found.visible;
  return status;
}

/* Counts the nodes of each height. */
static tsr_status count_nodes(tsr_octree_plan *plan, tsr_octree_node_job *job, tsr_error *error) {
  const int top = job->shape.top;
  tsr_executor *e = &plan->executor;
  int64_t total;
  job->chunks = (job->cells.n + TSR_OCTREE_CHUNK - 1) / TSR_OCTREE_CHUNK;
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &job->begin, (top + 1) * job->chunks + 1,
                                  sizeof *job->begin, "the nodes of the octree", error));
  TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_count_nodes, *job, job->chunks, error));
  TSR_OCTREE_TRY(tsr_octree_sum(plan, job->begin, (top + 1) * job->chunks, &total, error));
  if (total > INT32_MAX)
    return tsr_fail(error, TSR_TOO_LARGE, -1,
                    "the octree has %lld nodes above its cells, and at most 2^31 are possible",
                    (long long)total);
  for (int h = 0; h < TSR_OCTREE_HEIGHTS + 1; ++h)
    job->nodes.at[h] = total;
  for (int h = 0; h <= top; ++h)
    TSR_OCTREE_TRY(e->read(e, &job->nodes.at[h], job->begin + h * job->chunks,
                           sizeof job->nodes.at[h], error));
  return TSR_OK;
}

tsr_status tsr_octree_make_tree(tsr_octree_plan *plan, tsr_error *error) {
  tsr_octree_node_job job = {.shape = plan->tree.shape, .cells = plan->tree.cells};
  tsr_octree_nodes *nodes = &job.nodes;
  tsr_executor *e = &plan->executor;
  const char *what = "the nodes of the octree";
  TSR_OCTREE_TRY(count_nodes(plan, &job, error));
  const int64_t n = nodes->at[job.shape.top + 1];
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &nodes->number, n, sizeof *nodes->number, what, error));
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &nodes->first, n, sizeof *nodes->first, what, error));
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &nodes->end, n, sizeof *nodes->end, what, error));
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &nodes->child, n, sizeof *nodes->child, what, error));
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &nodes->split, n, 1, what, error));
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &nodes->present, n, 1, what, error));
  TSR_OCTREE_TRY(tsr_octree_alloc(plan, &nodes->complete, n, 1, what, error));
  nodes->shown = nodes->present;
  if (job.cells.outside)
    TSR_OCTREE_TRY(tsr_octree_alloc(plan, &nodes->shown, n, 1, what, error));
  TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_put_nodes, job, job.chunks, error));
  TSR_OCTREE_TRY(TSR_EACH(e, tsr_octree_link_node, job, n, error));
  for (int h = 1; h <= job.shape.top; ++h) {
    job.from = nodes->at[h];
    TSR_OCTREE_TRY(
        TSR_EACH(e, tsr_octree_complete_node, job, nodes->at[h + 1] - nodes->at[h], error));
  }
  tsr_octree_release(plan, &job.begin);
  plan->tree.nodes = *nodes;
  return TSR_OK;
}
