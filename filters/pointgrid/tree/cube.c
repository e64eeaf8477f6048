/* SPDX-License-Identifier: BSD-3-Clause */
/** Point grids: the root cell, and the keys of the points in it. */
#include "pointgrid/plan.h"

#include <stdlib.h>

/** Both passes over the points work on the same blocks, so that the second knows its places. */
typedef struct box_work {
  const tsr_pointgrid_plan *plan;
  tsr_pointgrid_box *boxes;
  int64_t *kept;
} box_work;

static void load_point(const tsr_array *points, int64_t i, double xyz[3]) {
  if (points->type == TSR_FLOAT) {
    const float *p = (const float *)points->data + 3 * i;
    for (int a = 0; a < 3; ++a)
      xyz[a] = (double)p[a];
  } else {
    const double *p = (const double *)points->data + 3 * i;
    for (int a = 0; a < 3; ++a)
      xyz[a] = p[a];
  }
}

static int point_counts(const tsr_pointgrid_view *view, const double xyz[3], int64_t i,
                        int *hidden) {
  *hidden = view->hidden && view->hidden[i];
  return !*hidden && tsr_usable(xyz[0]) && tsr_usable(xyz[1]) && tsr_usable(xyz[2]);
}

static void empty_box(tsr_pointgrid_box *box) {
  for (int a = 0; a < 3; ++a) {
    box->low[a] = INFINITY;
    box->high[a] = -INFINITY;
  }
  box->bad = 0;
  box->first_bad = -1;
  box->kept = 0;
}

static void find_boxes(void *data, int64_t begin, int64_t end) {
  const box_work *work = data;
  const tsr_pointgrid_view *view = &work->plan->view;
  for (int64_t b = begin; b < end; ++b) {
    const int64_t last = (b + 1) * TSR_POINTGRID_BLOCK < view->points.tuples
                             ? (b + 1) * TSR_POINTGRID_BLOCK
                             : view->points.tuples;
    tsr_pointgrid_box box;
    empty_box(&box);
    for (int64_t i = b * TSR_POINTGRID_BLOCK; i < last; ++i) {
      double xyz[3];
      int hidden;
      load_point(&view->points, i, xyz);
      if (point_counts(view, xyz, i, &hidden)) {
        box.kept++;
        for (int a = 0; a < 3; ++a) {
          box.low[a] = xyz[a] < box.low[a] ? xyz[a] : box.low[a];
          box.high[a] = xyz[a] > box.high[a] ? xyz[a] : box.high[a];
        }
      } else if (!hidden) {
        box.first_bad = box.bad++ == 0 ? i : box.first_bad;
      }
    }
    work->boxes[b] = box;
    work->kept[b] = box.kept;
  }
}

static void join_boxes(tsr_pointgrid_box *box, const tsr_pointgrid_box *other) {
  for (int a = 0; a < 3; ++a) {
    box->low[a] = other->low[a] < box->low[a] ? other->low[a] : box->low[a];
    box->high[a] = other->high[a] > box->high[a] ? other->high[a] : box->high[a];
  }
  if (box->bad == 0)
    box->first_bad = other->first_bad;
  box->bad += other->bad;
  box->kept += other->kept;
}

tsr_status tsr_pointgrid_find_box(tsr_pointgrid_plan *plan, tsr_pointgrid_box *box,
                                  int64_t **before, tsr_error *error) {
  const int64_t blocks = (plan->view.points.tuples + TSR_POINTGRID_BLOCK - 1) / TSR_POINTGRID_BLOCK;
  box_work work = {plan, tsr_alloc(blocks, sizeof *work.boxes, "the box of the points", error),
                   tsr_alloc(blocks + 1, sizeof *work.kept, "the box of the points", error)};
  tsr_status status = work.boxes && work.kept ? TSR_OK : TSR_NO_MEMORY;
  empty_box(box);
  if (status == TSR_OK)
    status = tsr_pointgrid_run(plan, find_boxes, &work, blocks, 1, 0.0, 0.05, error);
  for (int64_t b = 0; status == TSR_OK && b < blocks; ++b)
    join_boxes(box, &work.boxes[b]);
  if (status == TSR_OK)
    tsr_scan(work.kept, blocks);
  free(work.boxes);
  *before = status == TSR_OK ? work.kept : NULL;
  if (status != TSR_OK)
    free(work.kept);
  return status;
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

void tsr_pointgrid_set_cube(tsr_pointgrid_plan *plan, const tsr_pointgrid_box *box) {
  tsr_pointgrid_cube *cube = &plan->cube;
  tsr_pointgrid_sizes *sizes = &plan->sizes;
  double largest = 0.0;
  if (!(box->low[0] <= box->high[0]))
    return;
  choose_axes(cube, plan->options.shape, box);
  for (int n = 0; n < 3; ++n) {
    const int a = cube->axis[n];
    const double extent = box->high[a] - box->low[a];
    /* 0 is added to make -0 a 0: which of them the least of several is depends on their order. */
    cube->origin[a] = box->low[a] + (n < cube->dimension ? 0.0 : extent / 2.0);
    if (n < cube->dimension && extent > cube->side)
      cube->side = extent;
    largest = fabs(box->low[a]) > largest ? fabs(box->low[a]) : largest;
  }
  if (!(cube->side > 0.0))
    cube->side = largest * 1e-6 > 1.0 ? largest * 1e-6 : 1.0;
  sizes->dimension = cube->dimension;
  sizes->side = cube->side;
  for (int a = 0; a < 3; ++a) {
    sizes->axis[a] = cube->axis[a];
    sizes->origin[a] = cube->origin[a];
  }
  plan->rule.dimension = cube->dimension;
  plan->rule.end = (uint64_t)1 << tsr_pointgrid_shift(cube->dimension, 0);
}

/** What makes items works on. */
typedef struct item_work {
  tsr_pointgrid_plan *plan;
  const int64_t *before;
} item_work;

static void make_items(void *data, int64_t begin, int64_t end) {
  const item_work *work = data;
  const tsr_pointgrid_plan *plan = work->plan;
  const int64_t n = plan->points.tuples;
  for (int64_t b = begin; b < end; ++b) {
    const int64_t first = b * TSR_POINTGRID_BLOCK;
    const int64_t last = first + TSR_POINTGRID_BLOCK < n ? first + TSR_POINTGRID_BLOCK : n;
    tsr_pointgrid_item *item = plan->items + (work->before ? work->before[b] : first);
    for (int64_t i = first; i < last; ++i) {
      double xyz[3];
      int hidden;
      load_point(&plan->points, i, xyz);
      if (!work->before || point_counts(&plan->view, xyz, i, &hidden)) {
        item->key = tsr_pointgrid_key(&plan->cube, xyz);
        item->point = i;
        item++;
      }
    }
  }
}

tsr_status tsr_pointgrid_make_items(tsr_pointgrid_plan *plan, const int64_t *before,
                                    tsr_error *error) {
  const int64_t blocks = (plan->points.tuples + TSR_POINTGRID_BLOCK - 1) / TSR_POINTGRID_BLOCK;
  item_work work = {plan, before};
  if (!before)
    plan->n_items = plan->points.tuples;
  plan->items = tsr_alloc(plan->n_items, sizeof *plan->items, "the keys of the points", error);
  if (!plan->items)
    return TSR_NO_MEMORY;
  return tsr_pointgrid_run(plan, make_items, &work, plan->n_items > 0 ? blocks : 0, 1, 0.05, 0.1,
                           error);
}
