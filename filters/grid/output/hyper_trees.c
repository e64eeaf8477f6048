/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: the owned roots as trees, breadth first. Levels whose nodes all reach beyond the box have
 * no leaves: trees begin below them, so that they reach no further beyond it than they must.
 * options.base_levels lets them begin above the coarsest leaves. */
#include "grid/output/lists.h"
#include "grid/steps.h"

#include <string.h>

static const char *const what = "the nodes of trees";

static tsr_status make_level(tsr_executor *e, int64_t n, int64_t trees, tsr_trees_level *level,
                             tsr_error *error) {
  tsr_status status = e->alloc(e, (void **)&level->nodes, n, sizeof *level->nodes, what, error);
  level->n = n;
  if (status == TSR_OK)
    status = e->alloc(e, (void **)&level->begin, trees + 1, sizeof *level->begin, what, error);
  return status == TSR_OK
             ? e->alloc(e, (void **)&level->shift, trees, sizeof *level->shift, what, error)
             : status;
}

/* Makes the level below job->here, if it has nodes. */
static tsr_status make_next(tsr_executor *e, tsr_trees_job *job, int children, tsr_error *error) {
  const int64_t n = job->here.n, most = n > job->trees ? n : job->trees + 1;
  int64_t refined = 0;
  tsr_status status = e->alloc(e, (void **)&job->before, n + 1, sizeof *job->before, what, error);
  if (status == TSR_OK)
    status = TSR_EACH(e, tsr_trees_count, *job, n, error);
  if (status == TSR_OK)
    status = e->scan(e, job->before, n, error);
  if (status == TSR_OK)
    status = e->read(e, &refined, job->before + n, sizeof refined, error);
  if (status == TSR_OK && refined > 0)
    status = make_level(e, refined * children, job->trees, &job->next, error);
  if (status == TSR_OK && refined > 0)
    status = TSR_EACH(e, tsr_trees_branch, *job, most, error);
  e->free(e, job->before);
  return status;
}

/* Puts all levels where they belong. */
static tsr_status put_levels(tsr_executor *e, tsr_trees_job *job, const tsr_trees_level *levels,
                             tsr_grid_lists *lists, tsr_error *error) {
  tsr_status status;
  for (int level = job->first_level; level <= TSR_GRID_MAX_LEVEL; ++level)
    lists->n += lists->of_level[level] = levels[level].n;
  status = e->alloc(e, (void **)&lists->nodes, lists->n, sizeof *lists->nodes, what, error);
  if (status == TSR_OK)
    status = e->alloc(e, (void **)&lists->states, lists->n, 1, what, error);
  job->nodes = lists->nodes;
  job->states = lists->states;
  for (int level = job->first_level; level <= TSR_GRID_MAX_LEVEL && status == TSR_OK; ++level) {
    job->here = levels[level];
    status = TSR_EACH(e, tsr_trees_put, *job, job->here.n, error);
  }
  return status;
}

tsr_status tsr_list_trees(tsr_executor *e, const tsr_lattice *lattice, const tsr_made_tree *made,
                          tsr_grid_lists *lists, tsr_error *error) {
  tsr_trees_level levels[TSR_GRID_MAX_LEVEL + 1] = {{0}};
  tsr_trees_job job = {.made = *made, .first_level = tsr_first_tree_level(lattice), .trees = 1};
  tsr_status status;
  for (int a = 0; a < 3; ++a) {
    tsr_level_range(lattice, a, job.first_level, lattice->owned[a], job.range[a]);
    job.trees *= job.range[a][1] - job.range[a][0];
  }
  lists->trees = job.trees;
  lists->tree_level = job.first_level;
  status = e->alloc(e, (void **)&lists->tree_first, job.trees + 1, sizeof *job.first, what, error);
  job.first = lists->tree_first;
  if (status == TSR_OK)
    status = make_level(e, job.trees, job.trees, &levels[job.first_level], error);
  job.here = levels[job.first_level];
  if (status == TSR_OK)
    status = TSR_EACH(e, tsr_trees_plant, job, job.trees + 1, error);
  for (int level = job.first_level; level < lattice->levels && status == TSR_OK; ++level) {
    memset(&job.next, 0, sizeof job.next);
    status = job.here.n > 0 ? make_next(e, &job, 1 << lattice->dimension, error) : TSR_OK;
    job.here = levels[level + 1] = job.next;
  }
  if (status == TSR_OK)
    status = put_levels(e, &job, levels, lists, error);
  for (int level = 0; level <= TSR_GRID_MAX_LEVEL; ++level) {
    e->free(e, levels[level].nodes);
    e->free(e, levels[level].begin);
    e->free(e, levels[level].shift);
  }
  return status;
}
