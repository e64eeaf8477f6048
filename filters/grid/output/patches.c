/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids: patches, overlapping blocks of nodes of one level. */
#include "grid/output/output.h"
#include "grid/output/patch_math.h"

#include <stdlib.h>

/* The list of patches while it grows. */
typedef struct tsr_patch_work {
  const tsr_grid_input *input;
  const tsr_tree *tree;
  tsr_grid_lists *lists;
  int64_t n, room, cells;
  int full; /* no memory */
} tsr_patch_work;

/* Adds the patch that begins at node `at`, as far as it exists and is owned. */
static void add_patch(tsr_patch_work *work, int level, const int64_t at[3]) {
  tsr_grid_patch patch, *more;
  const int64_t cells =
      tsr_patch_make(&work->input->lattice, work->input->options.block_size, level, at, &patch);
  if (cells == 0 || work->full)
    return;
  more = tsr_grow(work->lists->patches, work->n, &work->room, 64, sizeof *more);
  work->full = !more;
  if (!more)
    return;
  patch.first = work->cells;
  work->lists->patches = more;
  work->lists->patches[work->n++] = patch;
  work->cells += cells;
}

/* The patches of the next level within a patch: one for each group of its nodes that is refined. */
static void add_children(tsr_patch_work *work, int64_t n) {
  const tsr_lattice *lattice = &work->input->lattice;
  const tsr_grid_patch patch = work->lists->patches[n];
  for (unsigned k = 0; k < (1u << lattice->dimension); ++k) {
    int64_t at[3];
    if (tsr_patch_child(lattice, work->tree, work->input->options.block_size, &patch, k, at))
      add_patch(work, patch.level + 1, at);
  }
}

/* Ends all of them where the box ends; those with nothing left go. */
static void cut_patches(tsr_patch_work *work) {
  tsr_grid_patch *patches = work->lists->patches;
  int64_t kept = 0;
  work->cells = 0;
  for (int64_t p = 0; p < work->n; ++p) {
    tsr_grid_patch patch = patches[p];
    const int64_t cells = tsr_patch_cut(&work->input->lattice, &patch);
    if (cells == 0)
      continue;
    patch.first = work->cells;
    work->cells += cells;
    patches[kept++] = patch;
  }
  work->n = kept;
}

static void list_task(void *data, int64_t begin, int64_t end) {
  const tsr_patch_work *work = data;
  const tsr_grid_lists *lists = work->lists;
  const tsr_lattice *lattice = &work->input->lattice;
  for (int64_t p = begin; p < end; ++p) {
    const tsr_grid_patch *patch = &lists->patches[p];
    int64_t n = patch->first;
    for (int32_t z = patch->begin[2]; z < patch->end[2]; ++z)
      for (int32_t y = patch->begin[1]; y < patch->end[1]; ++y)
        for (int32_t x = patch->begin[0]; x < patch->end[0]; ++x, ++n) {
          const tsr_grid_node node = {{x, y, z}, patch->level};
          int64_t i[3];
          lists->nodes[n] = node;
          tsr_node_inner(lattice, &node, i);
          lists->states[n] =
              (uint8_t)tsr_node_state(lattice, work->tree, work->input->hidden, patch->level, i);
        }
  }
}

tsr_status tsr_list_patches(const tsr_grid_input *input, const tsr_tree *tree,
                            tsr_grid_lists *lists, tsr_error *error) {
  const tsr_lattice *lattice = &input->lattice;
  const int64_t size = input->options.block_size;
  tsr_patch_work work = {.input = input, .tree = tree, .lists = lists};
  tsr_job job = {.execution = &input->execution, .task = list_task, .data = &work};
  int64_t at[3], first[3];
  tsr_status status;
  for (int a = 0; a < 3; ++a)
    first[a] = a < lattice->dimension ? lattice->owned[a][0] / size * size : 0;
  for (at[2] = first[2]; at[2] < lattice->owned[2][1]; at[2] += size)
    for (at[1] = first[1]; at[1] < lattice->owned[1][1]; at[1] += size)
      for (at[0] = first[0]; at[0] < lattice->owned[0][1]; at[0] += size)
        add_patch(&work, 0, at);
  for (int64_t n = 0; n < work.n; ++n)
    add_children(&work, n);
  cut_patches(&work);
  lists->n_patches = job.n = work.n;
  lists->n = work.cells;
  lists->nodes = tsr_alloc(work.cells, sizeof *lists->nodes, "the cells of blocks", error);
  lists->states = tsr_alloc(work.cells, 1, "the cells of blocks", error);
  if (!lists->nodes || !lists->states)
    return TSR_NO_MEMORY;
  if (work.full)
    return tsr_fail(error, TSR_NO_MEMORY, -1, "there is no memory for more than %lld blocks",
                    (long long)work.n);
  job.done_first = job.done_last = 0.5;
  status = tsr_job_run(&job, 16);
  if (status != TSR_OK)
    return tsr_fail(error, status, -1, "stopped while the blocks were made");
  return TSR_OK;
}
