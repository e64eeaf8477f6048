/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Disc images: the spine.
 *
 *     take                   check.c      the caller's structs, checked
 *       tsr_discs_prepare    prepare.c    what all discs have in common
 *     make                                on the plan's executor:
 *       tsr_discs_open       device.c     the executor, of the CPU or of a device
 *       tsr_discs_sort       sort.c       the order in which the discs are drawn
 *       tsr_discs_project    project.c    discs in samples
 *       tsr_discs_count_rows project.c    CPU: how many tiles they touch
 *     fill                   fill.c       on the device (cuda/discs/draw.cu), or here
 *
 * common/run/plan.c calls take, make and fill, and falls back to the CPU.
 */
#include "discs/plan.h"

#include <stdlib.h>
#include <string.h>

static tsr_status take(void *data, const void *view, const void *options, tsr_error *error) {
  tsr_discs_plan *plan = data;
  const tsr_status status = tsr_discs_check(plan, view, options, error);
  plan->sizes.discs = plan->view.points.tuples;
  plan->sizes.pixels = (int64_t)plan->options.width * plan->options.height;
  return status == TSR_OK ? tsr_discs_prepare(plan, error) : status;
}

/* Brings the arrays that discs are made of to where the steps can read them. */
static tsr_status place_list(tsr_discs_plan *plan, tsr_error *error) {
  enum { ARRAYS = 6, TABLE = ARRAYS, FALLOFF, ALL };
  tsr_disc_list *s = &plan->list;
  tsr_array *const arrays[ARRAYS] = {&s->view.points,  &s->view.radii,     &s->view.colors,
                                     &s->view.scalars, &s->view.opacities, &s->view.order};
  tsr_array from[ALL];
  void *to[ALL];
  s->view = plan->view;
  s->options = plan->options;
  s->rules = plan->rules;
  for (int k = 0; k < ARRAYS; ++k)
    from[k] = *arrays[k];
  from[TABLE] = (tsr_array){plan->options.table, TSR_DOUBLE, 3, plan->options.table_size};
  from[FALLOFF] = (tsr_array){plan->falloff, TSR_DOUBLE, 1, TSR_FALLOFF_STEPS + 1};
  const tsr_status status = plan->executor.input(&plan->executor, from, ALL, 1, to, error);
  if (status != TSR_OK)
    return status;
  for (int k = 0; k < ARRAYS; ++k)
    arrays[k]->data = to[k];
  s->options.table = to[TABLE];
  s->falloff = to[FALLOFF];
  return TSR_OK;
}

static tsr_status make(void *data, tsr_error *error) {
  tsr_discs_plan *plan = data;
  tsr_status status = tsr_discs_open(plan, error);
  if (status == TSR_OK)
    status = place_list(plan, error);
  if (status == TSR_OK)
    status = tsr_discs_sort(plan, error);
  if (status == TSR_OK)
    status = tsr_discs_project(plan, error);
  return status == TSR_OK && !plan->base.on_device ? tsr_discs_count_rows(plan, error) : status;
}

static tsr_status fill(void *data, const void *output, tsr_error *error) {
  tsr_discs_plan *plan = data;
  return plan->base.on_device ? tsr_discs_device_fill(plan, output, error)
                              : tsr_discs_fill_on_cpu(plan, output, error);
}

static void drop(void *data) {
  tsr_discs_plan *plan = data;
  tsr_executor *e = &plan->executor;
  if (e->free) { /* it was opened */
    e->free_pairs(e, &plan->list.pairs);
    e->free(e, plan->list.order);
    e->free(e, plan->list.discs);
    e->free(e, plan->list.boxes);
  }
  tsr_discs_device_close(plan);
  free(plan->rows);
  *e = (tsr_executor){0};
  plan->list = (tsr_disc_list){0};
  plan->rows = NULL;
}

static void release(void *data) {
  tsr_discs_plan *plan = data;
  free(plan->table);
}

static const tsr_plan_steps STEPS = {.size = sizeof(tsr_discs_plan),
                                     .take = take,
                                     .make = make,
                                     .fill = fill,
                                     .drop = drop,
                                     .release = release,
                                     .on_host_only = "discs"};

tsr_status tsr_discs_plan_create(const tsr_discs_view *view, const tsr_discs_options *options,
                                 const tsr_execution *execution, tsr_discs_plan **plan,
                                 tsr_error *error) {
  return tsr_plan_create(&STEPS, view, options, execution, plan, error);
}

void tsr_discs_plan_free(tsr_discs_plan *plan) { tsr_plan_free(&STEPS, plan); }

const tsr_discs_sizes *tsr_discs_plan_sizes(const tsr_discs_plan *plan) { return &plan->sizes; }

void tsr_discs_plan_report(const tsr_discs_plan *plan, tsr_report *report) {
  *report = tsr_plan_report(&plan->base);
  report->items = plan->sizes.discs;
  report->points = plan->sizes.pixels;
  report->cells = plan->sizes.inside;
}

tsr_status tsr_discs_fill(tsr_discs_plan *plan, const tsr_discs_output *from, tsr_error *error) {
  tsr_discs_output output;
  tsr_status status = tsr_need(plan != NULL, "the plan", error);
  if (status == TSR_OK)
    status = tsr_discs_check_output(from, &output, error);
  return status == TSR_OK ? tsr_plan_fill(&STEPS, plan, &output, error) : status;
}
