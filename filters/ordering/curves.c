/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * From sorted points to curves: which points repeat, where a curve begins, and who is alone.
 *
 *   group      a a a a a a a b c c        first of a group   #......##.
 *   repeat     . . . x x . . . . .   ->   a cut              .....#....   (from kept to kept)
 *   far        . . . . . x . . . .        alone              .......#..
 *
 * Each step reads what the one before has written; no two items write to the same place.
 */
#include "ordering/plan.h"

/* Progress: the sorting is done, the plan is done. */
#define SORTED 0.3
#define PLANNED 0.4

/* Reads the totals of all counts, and sets the sizes. */
static tsr_status read_sizes(tsr_executor *e, const tsr_finder *f, tsr_ordering_sizes *sizes,
                             tsr_error *error) {
  int64_t totals[TSR_COUNTS];
  tsr_finder_totals job = {.finder = *f};
  tsr_status status =
      e->alloc(e, (void **)&job.totals, TSR_COUNTS, sizeof *job.totals, "the sizes", error);
  if (status == TSR_OK)
    status = TSR_EACH(e, tsr_put_total, job, TSR_COUNTS, error);
  if (status == TSR_OK)
    status = e->read(e, totals, job.totals, sizeof totals, error);
  e->free(e, job.totals);
  if (status != TSR_OK)
    return status;
  sizes->points = totals[TSR_COUNT_POINTS];
  sizes->verts = totals[TSR_COUNT_VERTS];
  sizes->lines = totals[TSR_COUNT_CURVES] - totals[TSR_COUNT_VERTS];
  sizes->repeats = totals[TSR_COUNT_REPEATS];
  sizes->cuts = totals[TSR_COUNT_CUTS];
  sizes->singles_dropped = totals[TSR_COUNT_SINGLES];
  return TSR_OK;
}

/* The steps up to the sizes. */
static tsr_status count_all(tsr_ordering_plan *plan, tsr_finder *f, tsr_error *error) {
  tsr_executor *e = &plan->executor;
  tsr_status status = e->alloc(e, (void **)&f->before, TSR_COUNTS * f->parts + 1, sizeof *f->before,
                               "the counts of points", error);
  if (status == TSR_OK && f->repeats)
    status = TSR_EACH(e, tsr_find_repeats_of, *f, f->parts, error);
  if (status == TSR_OK)
    status = TSR_EACH(e, tsr_flag_cut, *f, plan->n, error);
  if (status == TSR_OK)
    status = TSR_EACH(e, tsr_count_points, *f, f->parts, error);
  if (status == TSR_OK)
    status = e->scan(e, f->before, TSR_COUNTS * f->parts, error);
  return status == TSR_OK ? read_sizes(e, f, &plan->sizes, error) : status;
}

/* Allocates the curves, whose sizes are known now, and places the points in them. */
static tsr_status place_all(tsr_ordering_plan *plan, const tsr_finder *f, tsr_error *error) {
  tsr_executor *e = &plan->executor;
  tsr_curve_list *to = &plan->curves;
  tsr_status status;
  to->verts = plan->sizes.verts;
  to->n = plan->sizes.verts + plan->sizes.lines;
  status = e->alloc(e, (void **)&to->start, to->n + 1, sizeof *to->start, "the curves", error);
  if (status == TSR_OK)
    status = e->alloc(e, (void **)&to->cell, to->n, sizeof *to->cell, "the curves", error);
  if (plan->sizes.points == plan->n) /* each is placed where it is */
    to->point_ids = plan->sorted;
  else if (status == TSR_OK)
    status = e->alloc(e, (void **)&to->point_ids, plan->sizes.points, sizeof *to->point_ids,
                      "the points", error);
  const tsr_placer job = {*f, *to};
  if (status == TSR_OK)
    status = TSR_EACH(e, tsr_place_points, job, f->parts, error);
  return status == TSR_OK ? e->finish(e, NULL, error) : status;
}

tsr_status tsr_ordering_find_curves(tsr_ordering_plan *plan, tsr_error *error) {
  uint8_t *bytes = (uint8_t *)plan->words; /* 8 n bytes that nobody needs any more */
  tsr_executor *e = &plan->executor;
  tsr_finder f = {.points = plan->placed.points,
                  .order = plan->placed.order,
                  .options = plan->options,
                  .n = plan->n,
                  .sorted = plan->sorted,
                  .flags = plan->flags,
                  .repeats = plan->options.drop_repeats ? bytes : NULL,
                  .is = bytes + plan->n,
                  .parts = (plan->n + TSR_ORDERING_PART - 1) / TSR_ORDERING_PART};
  e->done_first = SORTED;
  e->done_last = PLANNED;
  tsr_status status = count_all(plan, &f, error);
  if (status == TSR_OK)
    status = place_all(plan, &f, error);
  e->free(e, f.before);
  return status;
}
