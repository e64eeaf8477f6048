/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Disc images: the discs of each tile, in the order in which they are drawn.
 *
 * The ranks are cut into a few chunks, which threads share out. A chunk counts its discs in each
 * tile; the counts, tile after tile and within a tile chunk after chunk, are summed up; and each
 * chunk then writes its ranks behind those of the chunks before it:
 *
 *     tile 0: chunk 0 | chunk 1 | ...   tile 1: chunk 0 | chunk 1 | ...
 */
#include "discs/plan.h"

#include <stdlib.h>
#include <string.h>

typedef struct bin_job {
  const tsr_discs_plan *plan;
  tsr_discs_bins *bins;
  int64_t *at;
  int write;
} bin_job;

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }

static void tiles_of_row(const tsr_discs_plan *plan, int64_t rank, int64_t row, int64_t range[2]) {
  tsr_disc_tiles(&plan->list.discs[rank], plan->list.boxes[rank], row, TSR_DISCS_TILE_X,
                 TSR_DISCS_TILE_Y, range);
}

int64_t tsr_discs_row_parts(const tsr_discs_plan *plan, uint32_t rank, int64_t row) {
  int64_t range[2];
  tiles_of_row(plan, rank, row, range);
  return range[1] - range[0];
}

static void bin_chunks(void *data, int64_t begin, int64_t end) {
  const bin_job *job = data;
  const tsr_discs_plan *plan = job->plan;
  const tsr_discs_bins *bins = job->bins;
  const int64_t n = plan->sizes.discs;
  for (int64_t chunk = begin; chunk < end; ++chunk)
    for (int64_t rank = n * chunk / bins->chunks; rank < n * (chunk + 1) / bins->chunks; ++rank) {
      const int32_t *box = plan->list.boxes[rank];
      const int64_t last = least(bins->end - 1, box[3] < 0 ? -1 : box[3] / TSR_DISCS_TILE_Y);
      for (int64_t row = most(bins->begin, box[2] / TSR_DISCS_TILE_Y); row <= last; ++row) {
        int64_t range[2];
        tiles_of_row(plan, rank, row, range);
        for (int64_t tile = range[0]; tile < range[1]; ++tile) {
          int64_t *at =
              &job->at[((row - bins->begin) * plan->tiles[0] + tile) * bins->chunks + chunk];
          if (job->write)
            bins->ranks[*at] = (uint32_t)rank;
          ++*at;
        }
      }
    }
}

static tsr_status run_chunks(bin_job *job, double from, double to) {
  return tsr_run_task(&job->plan->base.execution, bin_chunks, job, job->bins->chunks, 1, from, to);
}

/* Counts, sums up, writes. */
static tsr_status bin_all(bin_job *job, int64_t tiles, int64_t parts, const double done[2]) {
  tsr_discs_bins *bins = job->bins;
  const size_t bytes = (size_t)(tiles * bins->chunks + 1) * sizeof *job->at;
  const double middle = 0.5 * (done[0] + done[1]);
  tsr_status status;
  memset(job->at, 0, bytes);
  status = run_chunks(job, done[0], middle);
  if (status != TSR_OK)
    return status;
  tsr_scan(job->at, tiles * bins->chunks);
  for (int64_t tile = 0; tile < tiles; ++tile)
    bins->first[tile] = job->at[tile * bins->chunks];
  bins->first[tiles] = parts;
  job->write = 1;
  return run_chunks(job, middle, done[1]);
}

tsr_status tsr_discs_bin(const tsr_discs_plan *plan, tsr_discs_bins *bins, const double done[2],
                         tsr_error *error) {
  const int64_t tiles = (bins->end - bins->begin) * plan->tiles[0];
  const int64_t by_discs = plan->sizes.discs / 2048, by_memory = ((int64_t)1 << 22) / tiles;
  bin_job job = {plan, bins, NULL, 0};
  int64_t parts = 0;
  tsr_status status = TSR_NO_MEMORY;
  bins->chunks = (int)most(1, least(64, least(by_discs, by_memory)));
  for (int64_t row = bins->begin; row < bins->end; ++row)
    parts += plan->rows[row];
  bins->first = tsr_alloc(tiles + 1, sizeof *bins->first, "the tiles of the image", error);
  bins->ranks = tsr_alloc(parts, sizeof *bins->ranks, "the discs of the tiles", error);
  job.at = tsr_alloc(tiles * bins->chunks + 1, sizeof *job.at, "the tiles of the image", error);
  if (bins->first && bins->ranks && job.at)
    status = bin_all(&job, tiles, parts, done);
  free(job.at);
  return status;
}

void tsr_discs_bins_free(tsr_discs_bins *bins) {
  free(bins->first);
  free(bins->ranks);
  bins->first = NULL;
  bins->ranks = NULL;
}
