/* SPDX-License-Identifier: BSD-3-Clause */
/** Scenes of point grids: points that crowd around a few places. */
#include "point_case.h"
#include "scene.h"

#include <string.h>

/** What sets a scene apart from the plain one: what is 0 is as there. */
typedef struct settings {
  const char *name;
  tsr_pointgrid_output_kind output;
  tsr_pointgrid_shape shape;
  tsr_balance balance;
  tsr_pointgrid_strategy strategy;
  int64_t max_points;
  int spread, estimate;
  int alone; /**< 1: one of one process, so that points are sent about */
} settings;

static const settings all[] = {
    {.name = "cells of points"},
    {.name = "cells of few points", .max_points = 8},
    {.name = "estimate of cells of points", .estimate = 1},
    {.name = "balanced cells of points", .balance = TSR_BALANCE_FACE, .max_points = 3},
    {.name = "flat cells of points", .shape = TSR_POINTGRID_THINNEST},
    {.name = "cells of points and their spread", .spread = 1},
    {.name = "points", .output = TSR_POINTGRID_POINTS},
    {.name = "points, flat", .output = TSR_POINTGRID_POINTS, .strategy = TSR_POINTGRID_FLAT},
    {.name = "points by children",
     .output = TSR_POINTGRID_POINTS,
     .strategy = TSR_POINTGRID_RECURSIVE_CHILDREN},
    {.name = "points in waves",
     .output = TSR_POINTGRID_POINTS,
     .strategy = TSR_POINTGRID_HOST_WAVES},
    {.name = "tree of points", .output = TSR_POINTGRID_TREE},
    {.name = "balanced tree of points",
     .output = TSR_POINTGRID_TREE,
     .balance = TSR_BALANCE_CORNER},
    {.name = "points of a process", .output = TSR_POINTGRID_POINTS, .alone = 1},
    {.name = "cells of a process", .alone = 1, .balance = TSR_BALANCE_FACE},
};

typedef struct points_scene {
  const settings *set;
  const point_case *points;
} points_scene;

/** What a process sends to itself. */
static int to_itself(void *context, const void *send, const int64_t *send_bytes, void *receive,
                     const int64_t *receive_bytes) {
  (void)context;
  if (send_bytes[0] > 0) {
    memcpy(receive, send, (size_t)send_bytes[0]);
  }
  return send_bytes[0] != receive_bytes[0];
}

static void add_all(const settings *set, const point_out *out, scene_result *to) {
  const tsr_pointgrid_sizes *s = &out->sizes;
  const size_t cells = (size_t)s->cells, points = (size_t)s->points;
  scene_add(to, s, sizeof *s);
  if (set->output != TSR_POINTGRID_TREE) {
    scene_add(to, out->points, points * 24);
    scene_add(to, out->offsets, (cells + 1) * 8);
    scene_add(to, out->connectivity, (size_t)s->connectivity * 8);
  }
  scene_add(to, out->level, cells * 4);
  scene_add(to, out->count, cells * 8);
  scene_add(to, out->density, cells * 8);
  scene_add(to, out->state, cells);
  scene_add(to, out->mean, cells * 8);
  scene_add(to, out->least, cells * 8);
  scene_add(to, out->greatest, cells * 8);
  scene_add(to, out->pair_mean, cells * 16);
  if (set->output == TSR_POINTGRID_POINTS) {
    scene_add(to, out->leaf, points * 8);
    scene_add(to, out->source, points * 8);
    scene_add(to, out->value, points * 8);
    scene_add(to, out->pair, points * 2);
  }
}

static void run(const scene *shown, const tsr_execution *execution, scene_result *to) {
  const points_scene *it = shown->of;
  const settings *set = it->set;
  static int one = 1;
  const tsr_pointgrid_view view = point_case_view(it->points);
  tsr_pointgrid_options o;
  point_out out;
  tsr_pointgrid_options_init(&o);
  o.output = set->output;
  o.shape = set->shape;
  o.balance = set->balance;
  o.launch.strategy = set->strategy;
  o.max_points = set->max_points > 0 ? set->max_points : o.max_points;
  o.use_spread = set->spread;
  o.max_level = set->spread ? 5 : o.max_level;
  o.spread = 5.0;
  o.spread_array = point_case_values(it->points);
  if (set->alone) {
    o.gather = scene_echo;
    o.exchange = to_itself;
    o.context = &one;
  }
  if (set->estimate) {
    tsr_pointgrid_plan *plan = NULL;
    to->status = tsr_pointgrid_plan_create(&view, &o, execution, &plan, &to->error);
    if (to->status == TSR_OK) {
      scene_add(to, tsr_pointgrid_plan_sizes(plan), sizeof(tsr_pointgrid_sizes));
      tsr_pointgrid_plan_report(plan, &to->report);
    }
    tsr_pointgrid_plan_free(plan);
    return;
  }
  to->status = point_run(it->points, &view, &o, execution, &out);
  to->error = out.error;
  to->report = out.report;
  if (to->status == TSR_OK) {
    add_all(set, &out, to);
  }
  point_out_free(&out);
}

void scenes_of_points(const scene_visit *visit) {
  point_case points;
  point_case_init(&points, visit->points);
  point_case_crowd(&points);
  points.fill_again = visit->fill_again;
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    const points_scene it = {&all[k], &points};
    scene_show(visit, all[k].name, run, &it);
  }
  point_case_free(&points);
}
