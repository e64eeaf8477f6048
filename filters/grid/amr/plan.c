/* SPDX-License-Identifier: BSD-3-Clause */
/** Blocks of AMR: the plan. */
#include "grid/amr/amr.h"

#include <stdlib.h>
#include <string.h>

static const char WHAT[] = "the blocks";

/** What is sent of a block: all but its flags. */
enum { PLACE_BYTES = offsetof(tsr_grid_amr_block, cell_ghosts) };

/** Gathers the places of the blocks of all processes. */
static tsr_status gather_blocks(const tsr_grid_amr *amr, const tsr_processes *processes,
                                tsr_status status, tsr_grid_amr_block **all, int64_t *count,
                                tsr_error *error) {
  char *mine = NULL;
  void *bytes = NULL;
  int64_t total = 0;
  *all = NULL;
  *count = 0;
  if (status == TSR_OK) {
    mine = tsr_alloc(amr->n, PLACE_BYTES, WHAT, error);
    status = mine ? TSR_OK : TSR_NO_MEMORY;
  }
  for (int64_t i = 0; status == TSR_OK && i < amr->n; ++i)
    memcpy(mine + i * PLACE_BYTES, &amr->blocks[i], PLACE_BYTES);
  status = tsr_processes_gather_bytes(processes, status, mine,
                                      status == TSR_OK ? amr->n * PLACE_BYTES : 0, &bytes, NULL,
                                      &total, error);
  free(mine);
  if (status != TSR_OK)
    return status;
  *count = total / PLACE_BYTES;
  *all = tsr_alloc_clear(*count, sizeof **all, WHAT, error);
  for (int64_t i = 0; *all && i < *count; ++i)
    memcpy(&(*all)[i], (const char *)bytes + i * PLACE_BYTES, PLACE_BYTES);
  free(bytes);
  return *all ? TSR_OK : TSR_NO_MEMORY;
}

/** Places the blocks, and gathers the boxes of own cells of all processes. */
static tsr_status gather_boxes(tsr_grid_amr *amr, const tsr_processes *processes, tsr_status status,
                               tsr_amr_box **all, int64_t *count, tsr_error *error) {
  tsr_amr_boxes own = {NULL, 0, 0};
  void *bytes = NULL;
  int64_t total = 0;
  for (int64_t i = 0; i < amr->n && status == TSR_OK; ++i) {
    tsr_amr_part *part = &amr->parts[i];
    if (!tsr_amr_has_cells(amr, &amr->blocks[i]))
      continue;
    tsr_amr_place(amr, &amr->blocks[i], &part->box);
    part->dropped = tsr_alloc_clear(tsr_amr_count(&part->box), 1, WHAT, error);
    status = part->dropped ? tsr_amr_add_own(&part->box, amr->blocks[i].cell_ghosts, &own, error)
                           : TSR_NO_MEMORY;
  }
  status = tsr_processes_gather_bytes(processes, status, own.at, own.n * (int64_t)sizeof *own.at,
                                      &bytes, NULL, &total, error);
  free(own.at);
  *all = bytes;
  *count = total / (int64_t)sizeof **all;
  return status;
}

/** Flags the cells of a block that are dropped or hidden. */
static tsr_status drop(tsr_grid_amr *amr, int64_t i, tsr_amr_cover *cover, tsr_error *error) {
  const tsr_grid_amr_block *block = &amr->blocks[i];
  tsr_amr_part *part = &amr->parts[i];
  const int64_t n = tsr_amr_count(&part->box);
  int64_t bad;
  for (int64_t cell = 0; block->cell_ghosts && cell < n; ++cell) {
    const uint8_t flags = block->cell_ghosts[cell];
    part->dropped[cell] = tsr_is_copy(flags) ? 1 : tsr_is_hidden_cell(flags) ? 2 : 0;
  }
  const tsr_status status = tsr_amr_cover_flag(cover, &part->box, part->dropped, &bad, error);
  if (status != TSR_OK || bad < 0)
    return status;
  return tsr_fail(
      error, TSR_BAD_INPUT, i,
      "cell %lld of block %lld of level %lld lies partly under finer cells: blocks must "
      "begin and end where cells of the coarser level do",
      (long long)bad, (long long)block->number, (long long)block->level);
}

/** Finds the cells that stay, and counts them. */
static tsr_status find_cells(tsr_grid_amr *amr, const tsr_amr_box *boxes, int64_t n,
                             tsr_error *error) {
  tsr_amr_cover *cover = tsr_amr_cover_create(boxes, n, amr->sizes.cells, error);
  tsr_status status = cover ? TSR_OK : TSR_NO_MEMORY;
  for (int64_t i = 0; i < amr->n && status == TSR_OK; ++i) {
    const tsr_grid_amr_block *block = &amr->blocks[i];
    tsr_amr_part *part = &amr->parts[i];
    if (!part->dropped)
      continue;
    status = drop(amr, i, cover, error);
    part->first_point = amr->sizes.points;
    part->first_cell = amr->sizes.n;
    amr->sizes.points += (block->cells[0] + 1) * (block->cells[1] + 1) * (block->cells[2] + 1);
    amr->sizes.any_hidden = amr->sizes.any_hidden || block->point_ghosts;
    for (int64_t cell = 0; cell < tsr_amr_count(&part->box); ++cell) {
      amr->sizes.n += part->dropped[cell] != 1;
      amr->sizes.any_hidden = amr->sizes.any_hidden || part->dropped[cell] == 2;
    }
  }
  tsr_amr_cover_free(cover);
  return status;
}

/** Makes a plan that has copies of the blocks. */
static tsr_status start(const tsr_grid_amr_block *blocks, int64_t n, tsr_grid_amr **amr,
                        tsr_error *error) {
  const tsr_status status = tsr_check_list(blocks, n, "blocks", TSR_BAD_INPUT, error);
  tsr_grid_amr *made = status == TSR_OK ? tsr_alloc_clear(1, sizeof *made, WHAT, error) : NULL;
  *amr = made;
  if (!made)
    return status == TSR_OK ? TSR_NO_MEMORY : status;
  made->n = n;
  made->blocks = tsr_alloc(n, sizeof *made->blocks, WHAT, error);
  made->parts = tsr_alloc_clear(n, sizeof *made->parts, WHAT, error);
  if (!made->blocks || !made->parts)
    return TSR_NO_MEMORY;
  if (n > 0)
    memcpy(made->blocks, blocks, (size_t)n * sizeof *blocks);
  return TSR_OK;
}

tsr_status tsr_grid_amr_create(const tsr_grid_amr_block *blocks, int64_t n,
                               const tsr_processes *processes, tsr_grid_amr **amr,
                               tsr_error *error) {
  const tsr_processes alone = {.n = 1};
  const tsr_processes *group = processes ? processes : &alone;
  tsr_grid_amr_block *all;
  tsr_amr_box *boxes = NULL;
  int64_t count;
  tsr_status status = start(blocks, n, amr, error);
  status = gather_blocks(*amr, group, status, &all, &count, error);
  /* All processes make the same lattice, or have no memory for it. */
  if (status == TSR_OK)
    status = tsr_amr_make_lattice(*amr, all, count, error);
  free(all);
  status = tsr_processes_agree(group, status, error);
  if (status == TSR_OK)
    status = gather_boxes(*amr, group, status, &boxes, &count, error);
  if (status == TSR_OK)
    status = tsr_processes_agree(group, find_cells(*amr, boxes, count, error), error);
  free(boxes);
  if (status != TSR_OK) {
    tsr_grid_amr_free(*amr);
    *amr = NULL;
  }
  return status;
}

void tsr_grid_amr_free(tsr_grid_amr *amr) {
  if (!amr)
    return;
  for (int64_t i = 0; amr->parts && i < amr->n; ++i)
    free(amr->parts[i].dropped);
  free(amr->blocks);
  free(amr->parts);
  free(amr->halvings);
  free(amr);
}

const tsr_grid_amr_sizes *tsr_grid_amr_plan_sizes(const tsr_grid_amr *amr) { return &amr->sizes; }

const uint8_t *tsr_grid_amr_dropped(const tsr_grid_amr *amr, int64_t i) {
  return amr->parts[i].dropped;
}
