/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Sharing a grid out over processes:
 *
 *     each tells what it holds -> do the parts agree? -> boxes of whole roots -> what each needs
 *
 * Every process makes the same boxes from the same messages. After each step that can fail in one
 * process all agree whether to go on.
 */
#include "grid/partition/box.h"
#include "grid/partition/place.h"

#include <stdlib.h>
#include <string.h>

/* What each process tells of its part. */
typedef struct told {
  tsr_grid_box held, announced;
  int64_t kind, geometry;
  tsr_place place;
} told;

static told tell(const tsr_grid_part *part) {
  told mine;
  memset(&mine, 0, sizeof mine);
  memcpy(mine.held.at, part->view->extent, sizeof mine.held.at);
  mine.announced = part->announced;
  mine.kind = part->kind;
  mine.geometry = part->view->geometry;
  memcpy(mine.place.origin, part->view->origin, sizeof mine.place.origin);
  memcpy(mine.place.spacing, part->view->spacing, sizeof mine.place.spacing);
  memcpy(mine.place.direction, part->view->direction, sizeof mine.place.direction);
  return mine;
}

/* The source may announce what nobody holds. */
static tsr_status check_announced(const tsr_grid_box *announced, const tsr_grid_box *held,
                                  tsr_error *error) {
  for (int a = 0; a < 3 && !tsr_grid_box_is_empty(announced); ++a) {
    const int below = announced->at[2 * a] < held->at[2 * a];
    if (below || announced->at[2 * a + 1] > held->at[2 * a + 1]) {
      int64_t missing[3] = {announced->at[0], announced->at[2], announced->at[4]};
      missing[a] = below ? missing[a] : held->at[2 * a + 1] + 1;
      return tsr_fail(error, TSR_BAD_INPUT, -1,
                      "no process holds the input point %lld %lld %lld, which the source announces",
                      (long long)missing[0], (long long)missing[1], (long long)missing[2]);
    }
  }
  return TSR_OK;
}

/* Puts together what all have told. The first process finds the faults that all see. */
static tsr_status gather_told(const tsr_grid_part *part, const tsr_processes *processes, told *all,
                              tsr_grid_shares *shares, tsr_error *error) {
  const told mine = tell(part);
  tsr_grid_box announced = tsr_box_empty();
  tsr_status status = tsr_processes_gather(processes, &mine, sizeof mine, all, error);
  shares->teller = -1;
  shares->whole = tsr_box_empty();
  for (int k = 0; status == TSR_OK && k < processes->n; ++k) {
    shares->held[k] = all[k].held;
    shares->whole = tsr_box_around(&shares->whole, &all[k].held);
    announced = tsr_box_around(&announced, &all[k].announced);
    if (shares->teller < 0 && !tsr_grid_box_is_empty(&all[k].held))
      shares->teller = k;
  }
  if (status != TSR_OK || shares->teller < 0)
    return status;
  shares->kind = (int)all[shares->teller].kind;
  shares->geometry = (tsr_grid_geometry)all[shares->teller].geometry;
  memcpy(shares->origin, all[shares->teller].place.origin, sizeof shares->origin);
  memcpy(shares->spacing, all[shares->teller].place.spacing, sizeof shares->spacing);
  memcpy(shares->direction, all[shares->teller].place.direction, sizeof shares->direction);
  for (int k = 0; k < processes->n && processes->rank == 0; ++k)
    if (!tsr_grid_box_is_empty(&all[k].held) && all[k].kind != shares->kind)
      return tsr_fail(error, TSR_BAD_INPUT, -1, "the processes hold grids of different kinds");
  return processes->rank == 0 && processes->n > 1
             ? check_announced(&announced, &shares->whole, error)
             : TSR_OK;
}

/* Who owns and needs what. */
static void make_boxes(const tsr_grid_part *part, int n, tsr_grid_shares *shares) {
  const int sharers = part->sharers ? part->n_sharers : n;
  shares->base_levels = part->trees && shares->teller >= 0
                            ? tsr_grid_base_levels(&shares->whole, shares->geometry,
                                                   part->coarsen_levels, part->refine_levels)
                            : 0;
  for (int k = 0; k < n; ++k)
    shares->own[k] = shares->need[k] = tsr_box_empty();
  for (int s = 0; s < sharers; ++s) {
    const int rank = part->sharers ? part->sharers[s] : s;
    shares->own[rank] =
        tsr_box_owned(&shares->whole, part->coarsen_levels + shares->base_levels, s, sharers);
    shares->need[rank] = tsr_box_grown(&shares->own[rank], part->margin, &shares->whole);
  }
  shares->in_place = 1;
  /* Where a process owns nothing it still has to know the arrays. */
  for (int k = 0; k < n && shares->teller >= 0; ++k)
    shares->in_place = shares->in_place && !tsr_grid_box_is_empty(&shares->own[k]) &&
                       tsr_box_holds(&shares->held[k], &shares->need[k]);
}

static tsr_status share(const tsr_grid_part *part, const tsr_processes *processes, told *all,
                        tsr_grid_shares *shares, tsr_error *error) {
  tsr_status status = tsr_grid_check_part(part->view, error);
  const tsr_status own = status;
  /* A part that cannot be one is told of all the same: the others wait for it. */
  status = gather_told(part, processes, all, shares, own == TSR_OK ? error : NULL);
  status = tsr_processes_agree(processes, own == TSR_OK ? status : own, error);
  if (status == TSR_OK && shares->teller >= 0)
    status = tsr_share_axes(part->view, processes, shares, error);
  if (status == TSR_OK && shares->teller >= 0) {
    status =
        tsr_check_place(&all[processes->rank].place, &all[processes->rank].held, shares, error);
    status = tsr_processes_agree(processes, status, error);
  }
  if (status == TSR_OK)
    make_boxes(part, processes->n, shares);
  return status;
}

tsr_status tsr_grid_share(const tsr_grid_part *part, const tsr_processes *processes,
                          tsr_grid_shares *shares, tsr_error *error) {
  if (tsr_need(part && part->view && processes && shares,
               "the part, the group of processes or the place for the shares", error))
    return TSR_BAD_INPUT;
  const int64_t n = processes->n;
  tsr_status status;
  told *all = tsr_alloc(n, sizeof *all, "the parts of the processes", error);
  memset(shares, 0, sizeof *shares);
  shares->held = tsr_alloc(n, sizeof *shares->held, "the boxes of the processes", error);
  shares->own = tsr_alloc(n, sizeof *shares->own, "the boxes of the processes", error);
  shares->need = tsr_alloc(n, sizeof *shares->need, "the boxes of the processes", error);
  status = all && shares->held && shares->own && shares->need ? TSR_OK : TSR_NO_MEMORY;
  status = tsr_processes_agree(processes, status, error);
  if (status == TSR_OK)
    status = share(part, processes, all, shares, error);
  free(all);
  if (status != TSR_OK)
    tsr_grid_shares_free(shares);
  return status;
}

void tsr_grid_shares_free(tsr_grid_shares *shares) {
  if (!shares)
    return;
  free(shares->held);
  free(shares->own);
  free(shares->need);
  for (int a = 0; a < 3; ++a)
    free(shares->axes[a]);
  memset(shares, 0, sizeof *shares);
}
