/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: patches, overlapping blocks of nodes of one level. The patches of a level are a list; the
 *  number of refined groups before a group says where its patch is in the list of the next level.
 */
#include "grid/output/lists.h"
#include "grid/steps.h"

static const char *const what = "the blocks";

/* The patches of a level, before they are cut. */
typedef struct tsr_patch_level {
  tsr_grid_patch *patches;
  int64_t n;
} tsr_patch_level;

static tsr_status make_roots(tsr_executor *e, const tsr_lattice *lattice, tsr_patch_job *job,
                             tsr_patch_level *level, tsr_error *error) {
  tsr_status status;
  level->n = 1;
  for (int a = 0; a < 3; ++a) {
    const int64_t *owned = lattice->owned[a];
    const int has_cells = a < lattice->dimension;
    job->first[a] = has_cells ? owned[0] / job->size : 0;
    job->blocks[a] = has_cells ? (owned[1] + job->size - 1) / job->size - job->first[a] : 1;
    level->n *= job->blocks[a];
  }
  status = e->alloc(e, (void **)&level->patches, level->n, sizeof *level->patches, what, error);
  job->to = level->patches;
  return status == TSR_OK ? TSR_EACH(e, tsr_patch_begin, *job, level->n, error) : status;
}

/* Makes the list of the next level. */
static tsr_status make_next(tsr_executor *e, tsr_patch_job *job, int64_t groups,
                            tsr_patch_level *next, tsr_error *error) {
  tsr_status status =
      e->alloc(e, (void **)&job->before, groups + 1, sizeof *job->before, what, error);
  if (status == TSR_OK)
    status = TSR_EACH(e, tsr_patch_count, *job, groups, error);
  if (status == TSR_OK)
    status = e->scan(e, job->before, groups, error);
  if (status == TSR_OK)
    status = e->read(e, &next->n, job->before + groups, sizeof next->n, error);
  if (status == TSR_OK)
    status = e->alloc(e, (void **)&next->patches, next->n, sizeof *next->patches, what, error);
  job->to = next->patches;
  if (status == TSR_OK)
    status = TSR_EACH(e, tsr_patch_split, *job, groups, error);
  e->free(e, job->before);
  return status;
}

/* Runs a step for the patches of each level, which have their parts of kept and cells. */
static tsr_status each_level(tsr_executor *e, int step, tsr_patch_job job,
                             const tsr_patch_level *levels, tsr_error *error) {
  tsr_status status = TSR_OK;
  for (int level = 0; level <= TSR_GRID_MAX_LEVEL && status == TSR_OK; ++level) {
    job.patches = levels[level].patches;
    status = e->each(e, step, &job, levels[level].n, error);
    job.kept += levels[level].n;
    job.cells += levels[level].n;
  }
  return status;
}

/* Ends the patches where the box ends, and lists those with something left, in lists->patches. */
static tsr_status keep_patches(tsr_executor *e, tsr_patch_job *job, const tsr_patch_level *levels,
                               tsr_grid_lists *lists, tsr_error *error) {
  int64_t n = 0, ends[TSR_GRID_MAX_LEVEL + 1];
  tsr_status status;
  for (int level = 0; level <= TSR_GRID_MAX_LEVEL; ++level)
    ends[level] = n += levels[level].n;
  status = e->alloc(e, (void **)&job->kept, n + 1, sizeof *job->kept, what, error);
  if (status == TSR_OK)
    status = e->alloc(e, (void **)&job->cells, n + 1, sizeof *job->cells, what, error);
  if (status == TSR_OK)
    status = each_level(e, tsr_patch_measure_number, *job, levels, error);
  if (status == TSR_OK)
    status = e->scan(e, job->kept, n, error);
  if (status == TSR_OK)
    status = e->scan(e, job->cells, n, error);
  if (status == TSR_OK)
    status = e->read(e, &lists->n_patches, job->kept + n, sizeof lists->n_patches, error);
  for (int level = 0; level <= TSR_GRID_MAX_LEVEL && status == TSR_OK; ++level)
    if (levels[level].n > 0) {
      const int64_t before = lists->n;
      status = e->read(e, &lists->n, job->cells + ends[level], sizeof lists->n, error);
      lists->of_level[level] = lists->n - before;
    }
  if (status == TSR_OK)
    status = e->alloc(e, (void **)&lists->patches, lists->n_patches, sizeof *lists->patches, what,
                      error);
  job->to = lists->patches;
  return status == TSR_OK ? each_level(e, tsr_patch_keep_number, *job, levels, error) : status;
}

static tsr_status list_cells(tsr_executor *e, const tsr_lattice *lattice, tsr_patch_job *job,
                             tsr_grid_lists *lists, tsr_error *error) {
  tsr_status status = e->alloc(e, (void **)&lists->nodes, lists->n, sizeof *lists->nodes,
                               "the cells of blocks", error);
  if (status == TSR_OK)
    status = e->alloc(e, (void **)&lists->states, lists->n, 1, "the cells of blocks", error);
  job->patches = lists->patches;
  job->nodes = lists->nodes;
  job->states = lists->states;
  return status == TSR_OK ? TSR_EACH(e, tsr_patch_list, *job,
                                     lists->n_patches * tsr_patch_rows(lattice, job->size), error)
                          : status;
}

tsr_status tsr_list_patches(tsr_executor *e, const tsr_lattice *lattice, const tsr_made_tree *made,
                            int block_size, tsr_grid_lists *lists, tsr_error *error) {
  tsr_patch_level levels[TSR_GRID_MAX_LEVEL + 1] = {{0}};
  tsr_patch_job job = {.made = *made, .size = block_size};
  tsr_status status = make_roots(e, lattice, &job, &levels[0], error);
  for (int level = 0; level < lattice->levels && levels[level].n > 0 && status == TSR_OK; ++level) {
    job.patches = levels[level].patches;
    status = make_next(e, &job, levels[level].n << lattice->dimension, &levels[level + 1], error);
  }
  if (status == TSR_OK)
    status = keep_patches(e, &job, levels, lists, error);
  if (status == TSR_OK)
    status = list_cells(e, lattice, &job, lists, error);
  for (int level = 0; level <= TSR_GRID_MAX_LEVEL; ++level)
    e->free(e, levels[level].patches);
  e->free(e, job.kept);
  e->free(e, job.cells);
  return status;
}
