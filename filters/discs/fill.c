/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Disc images: drawing, a tile at a time, one disc after another.
 *
 * Which samples of a row a disc covers is decided sample by sample by one test. Its left side
 * never falls when a sample is further from the centre, so those that pass it lie side by side
 * around the one that is nearest, and the ends are looked for from there. What is between them is
 * then blended without a test.
 */
#include "discs/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  TILE_X = TSR_DISCS_TILE_X,
  TILE_Y = TSR_DISCS_TILE_Y,
  /* Pairs of discs and tiles that are in memory at once, unless one row of tiles has more. */
  MOST_PARTS = 1 << 26
};

typedef struct fill_job {
  const tsr_discs_plan *plan;
  const tsr_discs_output *output;
  const tsr_discs_bins *bins;
  tsr_job *job;
} fill_job;

/* Samples [begin, end) of the image along x and y, and their channels: three colours times the
 * opacity, and the share of what lies behind that shines through. */
typedef struct tile_samples {
  int32_t begin[2], end[2];
  double sample[TILE_Y][TILE_X][4];
  int64_t top[TILE_Y][TILE_X];
} tile_samples;

/* The samples [*first, *last] of a row that are covered; 0 where there are none. */
static int covered(const tsr_disc *disc, double y_square, int32_t begin, int32_t end,
                   int32_t *first, int32_t *last) {
  const double x = disc->x - 0.5, rest = disc->square - y_square;
  const double half = rest > 0.0 ? sqrt(rest) : 0.0;
  const int32_t near = (int32_t)tsr_disc_clamp(disc->x, (double)begin, (double)(end - 1));
  int32_t a = (int32_t)tsr_disc_clamp(x - half, (double)begin, (double)near);
  int32_t b = (int32_t)tsr_disc_clamp(x + half, (double)near, (double)(end - 1));
#define COVERS(I) tsr_disc_covers(tsr_disc_square(disc->x, I), y_square, disc->square)
  if (!COVERS(near))
    return 0;
  while (!COVERS(a))
    ++a;
  while (a > begin && COVERS(a - 1))
    --a;
  while (!COVERS(b))
    --b;
  while (b + 1 < end && COVERS(b + 1))
    ++b;
#undef COVERS
  *first = a;
  *last = b;
  return 1;
}

/* The four channels lie side by side: two vector instructions each, however short the row is. */
static void blend(double *restrict sample, double keep, const double *restrict added) {
  for (int c = 0; c < 4; ++c)
    sample[c] = tsr_disc_blend(sample[c], keep, added[c]);
}

static void blend_even(const tsr_disc *disc, tile_samples *tile, int row, int from, int to) {
  const double keep = 1.0 - disc->opacity;
  const double added[4] = {disc->color[0], disc->color[1], disc->color[2], 0.0};
  for (int i = from; i <= to; ++i)
    blend(tile->sample[row][i], keep, added);
}

static void blend_gaussian(const tsr_disc *disc, const double *falloff, double y_square,
                           tile_samples *tile, int row, int from, int to) {
  double opacity[TILE_X];
  for (int i = from; i <= to; ++i)
    opacity[i] =
        tsr_disc_gaussian(disc, falloff, tsr_disc_square(disc->x, tile->begin[0] + i) + y_square);
  for (int i = from; i <= to; ++i) {
    const double added[4] = {disc->color[0] * opacity[i], disc->color[1] * opacity[i],
                             disc->color[2] * opacity[i], 0.0};
    blend(tile->sample[row][i], 1.0 - opacity[i], added);
  }
}

static void draw_disc(const fill_job *fill, uint32_t rank, tile_samples *tile) {
  const tsr_discs_plan *plan = fill->plan;
  const tsr_disc *disc = &plan->list.discs[rank];
  const int32_t *box = plan->list.boxes[rank];
  const int32_t begin = box[2] > tile->begin[1] ? box[2] : tile->begin[1];
  const int32_t end = box[3] + 1 < tile->end[1] ? box[3] + 1 : tile->end[1];
  for (int32_t j = begin; j < end; ++j) {
    const double y_square = tsr_disc_square(disc->y, j);
    const int row = j - tile->begin[1];
    int32_t first, last;
    if (!covered(disc, y_square, tile->begin[0], tile->end[0], &first, &last))
      continue;
    first -= tile->begin[0];
    last -= tile->begin[0];
    if (plan->options.falloff == TSR_DISCS_GAUSSIAN)
      blend_gaussian(disc, plan->falloff, y_square, tile, row, first, last);
    else
      blend_even(disc, tile, row, first, last);
    if (fill->output->top)
      for (int i = first; i <= last; ++i)
        tile->top[row][i] = rank;
  }
}

static void clear_tile(const tsr_discs_options *o, tile_samples *tile) {
  for (int row = 0; row < TILE_Y; ++row)
    for (int i = 0; i < TILE_X; ++i) {
      for (int c = 0; c < 3; ++c)
        tile->sample[row][i][c] = o->background[c] * o->background[3];
      tile->sample[row][i][3] = 1.0 - o->background[3];
      tile->top[row][i] = -1;
    }
}

/* The pixels whose samples begin in this row of the tile, to the outputs. */
static void store_colors(const fill_job *fill, const tile_samples *tile, int row, uint8_t *rgba) {
  const int n = fill->plan->options.supersampling, end = tile->end[0] - tile->begin[0];
  const double share = 1.0 / (double)(n * n);
  for (int i = 0; i < end; i += n, rgba += 4) {
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    if (n == 1) { /* nothing to add up */
      tsr_disc_store(tile->sample[row][i], share, rgba);
      continue;
    }
    for (int y = row; y < row + n; ++y)
      for (int x = i; x < i + n; ++x)
        for (int c = 0; c < 4; ++c)
          sum[c] += tile->sample[y][x][c];
    tsr_disc_store(sum, share, rgba);
  }
}

static void store_tops(const fill_job *fill, const tile_samples *tile, int row, int64_t *tops) {
  const int n = fill->plan->options.supersampling, end = tile->end[0] - tile->begin[0];
  const uint32_t *order = fill->plan->list.order;
  for (int i = 0; i < end; i += n, ++tops) {
    int64_t top = -1;
    for (int y = row; y < row + n; ++y)
      for (int x = i; x < i + n; ++x)
        top = tile->top[y][x] > top ? tile->top[y][x] : top;
    *tops = top >= 0 && order ? order[top] : top;
  }
}

static void store_row(const fill_job *fill, const tile_samples *tile, int row) {
  const tsr_discs_options *o = &fill->plan->options;
  const int n = o->supersampling;
  const int64_t pixel = (int64_t)((tile->begin[1] + row) / n) * o->width + tile->begin[0] / n;
  if (fill->output->rgba)
    store_colors(fill, tile, row, fill->output->rgba + 4 * pixel);
  if (fill->output->top)
    store_tops(fill, tile, row, fill->output->top + pixel);
}

static void fill_tiles(void *data, int64_t begin, int64_t end) {
  const fill_job *fill = data;
  const tsr_discs_plan *plan = fill->plan;
  const int n = plan->options.supersampling;
  for (int64_t k = begin; k < end; ++k) {
    tile_samples tile;
    const int64_t row = fill->bins->begin + k / plan->tiles[0];
    tile.begin[0] = (int32_t)(k % plan->tiles[0]) * TILE_X;
    tile.begin[1] = (int32_t)row * TILE_Y;
    tile.end[0] =
        tile.begin[0] + TILE_X < plan->rules.width ? tile.begin[0] + TILE_X : plan->rules.width;
    tile.end[1] =
        tile.begin[1] + TILE_Y < plan->rules.height ? tile.begin[1] + TILE_Y : plan->rules.height;
    clear_tile(&plan->options, &tile);
    for (int64_t at = fill->bins->first[k]; at < fill->bins->first[k + 1]; ++at) {
      draw_disc(fill, fill->bins->ranks[at], &tile);
      /* A tile of very many discs takes long: the user may stop in between. */
      if ((at & 0xffff) == 0xffff && !tsr_job_goes_on(fill->job))
        return;
    }
    for (int y = 0; y < tile.end[1] - tile.begin[1]; y += n)
      store_row(fill, &tile, y);
  }
}

/* Rows of tiles from `begin` on whose discs fit into memory together. */
static int64_t band_end(const tsr_discs_plan *plan, int64_t begin) {
  int64_t end = begin + 1, parts = plan->rows[begin];
  while (end < plan->tiles[1] && parts + plan->rows[end] <= MOST_PARTS)
    parts += plan->rows[end++];
  return end;
}

static tsr_status fill_band(const tsr_discs_plan *plan, const tsr_discs_output *output,
                            tsr_discs_bins *bins, tsr_error *error) {
  fill_job fill = {plan, output, bins, NULL};
  tsr_job job = {&plan->base.execution, fill_tiles, &fill, 0, 0.0, 0.0, 0, 0};
  const double rows = (double)plan->tiles[1];
  const double from = 0.4 + 0.6 * (double)bins->begin / rows;
  const double to = 0.4 + 0.6 * (double)bins->end / rows;
  const double done[2] = {from, from + 0.1 * (to - from)};
  tsr_status status = tsr_discs_bin(plan, bins, done, error);
  if (status != TSR_OK)
    return status;
  job.n = (bins->end - bins->begin) * plan->tiles[0];
  job.done_first = done[1];
  job.done_last = to;
  fill.job = &job;
  return tsr_job_run(&job, 4);
}

tsr_status tsr_discs_fill_on_cpu(const tsr_discs_plan *plan, const tsr_discs_output *output,
                                 tsr_error *error) {
  tsr_status status = TSR_OK;
  for (int64_t row = 0, end; row < plan->tiles[1] && status == TSR_OK; row = end) {
    end = band_end(plan, row);
    tsr_discs_bins bins = {.begin = row, .end = end};
    status = fill_band(plan, output, &bins, error);
    tsr_discs_bins_free(&bins);
  }
  return status;
}
