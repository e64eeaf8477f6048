/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: overlapping blocks of nodes of one level. */
#include "grid/plan.h"

#include <stdlib.h>

/* The list of blocks while it grows. */
typedef struct tsr_blocks {
  tsr_grid_plan *plan;
  int64_t n, room, cells;
  int full; /* no memory */
} tsr_blocks;

/* Adds the block that begins at node `at`, as far as it exists and is owned. */
static void tsr_block_add(tsr_blocks *blocks, int level, const int64_t at[3]) {
  tsr_grid_plan *plan = blocks->plan;
  const tsr_lattice *lattice = &plan->lattice;
  tsr_grid_patch patch = {.level = level, .first = blocks->cells};
  int64_t cells = 1;
  for (int a = 0; a < 3; ++a) {
    int64_t range[2], end = a < lattice->dimension ? at[a] + plan->options.block_size : 1;
    const int axis = lattice->axis[a];
    tsr_level_range(lattice, a, level, lattice->owned[a], range);
    patch.begin[axis] = (int32_t)(at[a] > range[0] ? at[a] : range[0]);
    end = end < range[1] ? end : range[1];
    patch.end[axis] = (int32_t)end;
    cells *= end > patch.begin[axis] ? end - patch.begin[axis] : 0;
  }
  if (cells == 0 || blocks->full)
    return;
  if (blocks->n == blocks->room) {
    const int64_t room = blocks->room > 0 ? 2 * blocks->room : 64;
    tsr_grid_patch *more = realloc(plan->patches, (size_t)room * sizeof *more);
    blocks->full = !more;
    if (!more)
      return;
    plan->patches = more;
    blocks->room = room;
  }
  plan->patches[blocks->n++] = patch;
  blocks->cells += cells;
}

/* The blocks of the next level within a block: one for each of its groups that is refined. */
static void tsr_block_children(tsr_blocks *blocks, int64_t n) {
  const tsr_lattice *lattice = &blocks->plan->lattice;
  const tsr_grid_patch patch = blocks->plan->patches[n];
  const int64_t group = blocks->plan->options.block_size / 2;
  for (unsigned k = 0; k < (1u << lattice->dimension); ++k) {
    int64_t at[3], first[3];
    int inside = 1;
    for (int a = 0; a < 3; ++a) {
      const int axis = lattice->axis[a];
      const int64_t block = patch.begin[axis] / (2 * group) * (2 * group);
      const int64_t low = a < lattice->dimension ? block + ((k >> a) & 1) * group : 0;
      at[a] = a < lattice->dimension ? 2 * low : 0;
      first[a] = low > patch.begin[axis] ? low : patch.begin[axis];
      inside = inside && first[a] < patch.end[axis] &&
               (a >= lattice->dimension || first[a] < low + group);
    }
    if (inside && tsr_tree_get(&blocks->plan->tree, lattice, patch.level, first))
      tsr_block_add(blocks, patch.level + 1, at);
  }
}

static void tsr_patch_task(void *data, int64_t begin, int64_t end) {
  tsr_grid_plan *plan = data;
  const tsr_lattice *lattice = &plan->lattice;
  for (int64_t p = begin; p < end; ++p) {
    const tsr_grid_patch *patch = &plan->patches[p];
    int64_t n = patch->first;
    for (int32_t z = patch->begin[2]; z < patch->end[2]; ++z)
      for (int32_t y = patch->begin[1]; y < patch->end[1]; ++y)
        for (int32_t x = patch->begin[0]; x < patch->end[0]; ++x, ++n) {
          const tsr_grid_node node = {{x, y, z}, patch->level};
          int64_t i[3];
          plan->nodes[n] = node;
          tsr_node_inner(lattice, &node, i);
          plan->states[n] =
              (uint8_t)(tsr_tree_get(&plan->tree, lattice, patch->level, i) ? TSR_STATE_COVERED
                        : tsr_node_hidden(plan, patch->level, i)            ? TSR_STATE_HIDDEN
                                                                            : TSR_STATE_LEAF);
        }
  }
}

tsr_status tsr_grid_list_patches(tsr_grid_plan *plan, tsr_error *error) {
  const tsr_lattice *lattice = &plan->lattice;
  const int64_t size = plan->options.block_size;
  tsr_blocks blocks = {.plan = plan};
  tsr_job job = {.execution = &plan->execution, .task = tsr_patch_task, .data = plan};
  int64_t at[3], first[3];
  tsr_status status;
  for (int a = 0; a < 3; ++a)
    first[a] = a < lattice->dimension ? lattice->owned[a][0] / size * size : 0;
  for (at[2] = first[2]; at[2] < lattice->owned[2][1]; at[2] += size)
    for (at[1] = first[1]; at[1] < lattice->owned[1][1]; at[1] += size)
      for (at[0] = first[0]; at[0] < lattice->owned[0][1]; at[0] += size)
        tsr_block_add(&blocks, 0, at);
  for (int64_t n = 0; n < blocks.n; ++n)
    tsr_block_children(&blocks, n);
  plan->sizes.patches = job.n = blocks.n;
  plan->sizes.cells = blocks.cells;
  plan->nodes = tsr_alloc(blocks.cells, sizeof *plan->nodes, "the cells of blocks", error);
  plan->states = tsr_alloc(blocks.cells, 1, "the cells of blocks", error);
  if (!plan->nodes || !plan->states)
    return TSR_NO_MEMORY;
  if (blocks.full)
    return tsr_fail(error, TSR_NO_MEMORY, -1, "there is no memory for more than %lld blocks",
                    (long long)blocks.n);
  job.done_first = job.done_last = 0.5;
  status = tsr_job_run(&job, 16);
  if (status != TSR_OK)
    return tsr_fail(error, status, -1, "stopped while the blocks were made");
  return TSR_OK;
}
