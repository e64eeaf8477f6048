/* SPDX-License-Identifier: BSD-3-Clause */
/** Point grids: the root cell, and the keys of the points in it. */
#include "pointgrid/tree/tree.h"

#include <stdlib.h>

tsr_status tsr_pointgrid_run(const tsr_pointgrid_input *input, tsr_task task, void *data, int64_t n,
                             int64_t grain, double first, double last, tsr_error *error) {
  tsr_executor executor = {.execution = input->execution, .done_first = first, .done_last = last};
  return tsr_executor_run(&executor, task, data, n, grain, error);
}

static void choose_axes(tsr_pointgrid_cube *cube, tsr_pointgrid_shape shape,
                        const tsr_pointgrid_box *box) {
  static const int dropped_of[] = {-1, -1, 2, 0, 1};
  int dropped = dropped_of[shape];
  if (shape == TSR_POINTGRID_THINNEST) {
    dropped = 0;
    for (int a = 1; a < 3; ++a)
      if (box->high[a] - box->low[a] <= box->high[dropped] - box->low[dropped])
        dropped = a;
  }
  cube->dimension = dropped < 0 ? 3 : 2;
  for (int a = 0, n = 0; a < 3; ++a)
    if (a != dropped)
      cube->axis[n++] = a;
  if (dropped >= 0)
    cube->axis[2] = dropped;
}

void tsr_pointgrid_set_cube(tsr_pointgrid_input *input, const tsr_pointgrid_box *box) {
  tsr_pointgrid_cube *cube = &input->cube;
  double largest = 0.0;
  if (!(box->low[0] <= box->high[0]))
    return;
  choose_axes(cube, input->options.shape, box);
  for (int n = 0; n < 3; ++n) {
    const int a = cube->axis[n];
    const double extent = box->high[a] - box->low[a];
    /* Adding 0 makes -0 a 0: which of the two is the least of several depends on their order. */
    cube->origin[a] = box->low[a] + (n < cube->dimension ? 0.0 : extent / 2.0);
    if (n < cube->dimension && extent > cube->side)
      cube->side = extent;
    largest = fabs(box->low[a]) > largest ? fabs(box->low[a]) : largest;
  }
  if (!(cube->side > 0.0))
    cube->side = largest * 1e-6 > 1.0 ? largest * 1e-6 : 1.0;
  input->rule.dimension = cube->dimension;
  input->rule.end = (uint64_t)1 << tsr_pointgrid_shift(cube->dimension, 0);
}

/** What makes items works on. */
typedef struct item_work {
  const tsr_pointgrid_input *input;
  int64_t *before; /**< items of the blocks of points before each block */
  tsr_pointgrid_item *items;
} item_work;

/** Makes the items of the points of block b, or only counts them if `item` is NULL. */
static int64_t make_block(const item_work *work, int64_t b, tsr_pointgrid_item *item) {
  const tsr_pointgrid_input *input = work->input;
  const int64_t first = b * TSR_POINTGRID_BLOCK, n = input->points.tuples;
  const int64_t last = first + TSR_POINTGRID_BLOCK < n ? first + TSR_POINTGRID_BLOCK : n;
  int64_t count = 0;
  for (int64_t i = first; i < last; ++i) {
    double xyz[3];
    if (tsr_pointgrid_load(&input->points, input->hidden, i, xyz) != TSR_POINTGRID_COUNTS)
      continue;
    if (item) {
      item[count].key = tsr_pointgrid_key(&input->cube, xyz);
      item[count].point = i;
    }
    ++count;
  }
  return count;
}

static void count_blocks(void *data, int64_t begin, int64_t end) {
  const item_work *work = data;
  for (int64_t b = begin; b < end; ++b)
    work->before[b] = make_block(work, b, NULL);
}

static void make_blocks(void *data, int64_t begin, int64_t end) {
  const item_work *work = data;
  for (int64_t b = begin; b < end; ++b)
    make_block(work, b, work->items + work->before[b]);
}

tsr_status tsr_pointgrid_make_items(const tsr_pointgrid_input *input, tsr_pointgrid_item **items,
                                    tsr_error *error) {
  const int64_t n = input->n_items > 0 ? input->points.tuples : 0;
  const int64_t blocks = (n + TSR_POINTGRID_BLOCK - 1) / TSR_POINTGRID_BLOCK;
  const char *what = "the keys of the points";
  item_work work = {input, tsr_alloc(blocks + 1, sizeof *work.before, what, error),
                    tsr_alloc(input->n_items, sizeof *work.items, what, error)};
  tsr_status status = work.before && work.items ? TSR_OK : TSR_NO_MEMORY;
  if (status == TSR_OK && input->n_items < n) {
    status = tsr_pointgrid_run(input, count_blocks, &work, blocks, 1, 0.05, 0.07, error);
    tsr_scan(work.before, blocks);
  } else {
    for (int64_t b = 0; status == TSR_OK && b < blocks; ++b)
      work.before[b] = b * TSR_POINTGRID_BLOCK;
  }
  if (status == TSR_OK)
    status = tsr_pointgrid_run(input, make_blocks, &work, blocks, 1, 0.07, 0.1, error);
  free(work.before);
  *items = work.items;
  return status;
}
