/* SPDX-License-Identifier: BSD-3-Clause */
/** Blocks of AMR: the cells that stay. */
#include "grid/amr/amr.h"

typedef struct {
  const tsr_grid_amr *amr;
  uint8_t *level;
  int32_t *index;
  int64_t *corners;
  uint8_t *hidden;
} fill_job;

/** Where the points of a block lie among each other. */
typedef struct {
  int corners;       /* of a cell */
  int64_t stride[3]; /* from a point to the next along each axis */
  int64_t offset[8]; /* from the first corner of a cell to each */
} block_points;

static block_points points_of(const tsr_grid_amr *amr, const tsr_amr_box *box) {
  block_points points = {.corners = 1 << amr->sizes.dimension};
  int64_t step = 1;
  for (int a = 0, bit = 0; a < 3; ++a) {
    const int active = amr->sizes.cells[a] > 0;
    points.stride[a] = step;
    for (int corner = 0; active && corner < points.corners; ++corner)
      points.offset[corner] += corner >> bit & 1 ? step : 0;
    bit += active;
    step *= active ? box->high[a] - box->low[a] + 1 : 1;
  }
  return points;
}

static void fill_block(const fill_job *job, int64_t number) {
  const tsr_amr_part *part = &job->amr->parts[number];
  const uint8_t *ghosts = job->amr->blocks[number].point_ghosts;
  const tsr_amr_box *box = &part->box;
  const block_points points = points_of(job->amr, box);
  int64_t at[3], to = part->first_cell, cell = 0;
  for (at[2] = box->low[2]; at[2] < box->high[2]; ++at[2])
    for (at[1] = box->low[1]; at[1] < box->high[1]; ++at[1])
      for (at[0] = box->low[0]; at[0] < box->high[0]; ++at[0], ++cell) {
        if (part->dropped[cell] == 1)
          continue;
        int64_t first = 0;
        int hidden = part->dropped[cell] == 2;
        for (int a = 0; a < 3; ++a) {
          first += (at[a] - box->low[a]) * points.stride[a];
          job->index[3 * to + a] = (int32_t)at[a];
        }
        job->level[to] = (uint8_t)box->level;
        for (int corner = 0; corner < points.corners; ++corner) {
          const int64_t point = first + points.offset[corner];
          hidden = hidden || (ghosts && tsr_is_hidden_point(ghosts[point]));
          if (job->corners)
            job->corners[points.corners * to + corner] = part->first_point + point;
        }
        if (job->hidden)
          job->hidden[to] = (uint8_t)hidden;
        ++to;
      }
}

static void fill_blocks(void *data, int64_t begin, int64_t end) {
  const fill_job *job = data;
  for (int64_t i = begin; i < end; ++i)
    if (job->amr->parts[i].dropped)
      fill_block(job, i);
}

tsr_status tsr_grid_amr_fill(const tsr_grid_amr *amr, const tsr_execution *execution,
                             uint8_t *level, int32_t *index, int64_t *corners, uint8_t *hidden,
                             tsr_error *error) {
  fill_job job = {amr, level, index, corners, hidden};
  tsr_execution run;
  tsr_status status =
      tsr_need(amr && (amr->sizes.n == 0 || (level && index)), "the plan or an array", error);
  if (status == TSR_OK)
    status = tsr_take_execution(&run, execution, error);
  if (status != TSR_OK)
    return status;
  status = tsr_run_task(&run, fill_blocks, &job, amr->n, 1, 0.0, 0.0);
  return status == TSR_OK ? status : tsr_fail(error, status, -1, "stopped");
}
