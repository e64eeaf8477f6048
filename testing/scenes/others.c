/* SPDX-License-Identifier: BSD-3-Clause */
/** Scenes of orders, disc images and jets. */
#include "disc_scene.h"
#include "point_set.h"
#include "scene.h"

#include <stdlib.h>
#include <string.h>

/* ---- orders */

typedef struct order_settings {
  const char *name;
  tsr_type type; /**< of groups and orders */
  int cuts, estimate;
  int chain; /**< 1: a point grid of the curves' points follows. For devices, which keep the points
              */
} order_settings;

static const order_settings orders[] = {
    {.name = "curves of points", .type = TSR_INT32},
    {.name = "estimate of curves of points", .type = TSR_INT32, .estimate = 1},
    {.name = "curves of points, cut", .type = TSR_INT64, .cuts = 1},
    {.name = "curves of points, by numbers", .type = TSR_DOUBLE, .cuts = 1},
    {.name = "cells of curves of points", .type = TSR_INT32, .chain = 1},
};

typedef struct order_scene {
  const order_settings *set;
  const point_set *points;
  int fill_again;
} order_scene;

/** The second filter of a chain. */
static tsr_status count_points(const tsr_array *points, const tsr_execution *execution,
                               scene_result *to) {
  tsr_pointgrid_plan *plan = NULL;
  tsr_pointgrid_options o;
  tsr_pointgrid_output out;
  tsr_pointgrid_view view;
  tsr_pointgrid_view_init(&view);
  tsr_pointgrid_options_init(&o);
  tsr_pointgrid_output_init(&out);
  view.points = *points;
  o.max_points = 8;
  tsr_status status = tsr_pointgrid_plan_create(&view, &o, execution, &plan, &to->error);
  if (status == TSR_OK) {
    const int64_t cells = tsr_pointgrid_plan_sizes(plan)->cells;
    out.count = scene_room(cells, sizeof *out.count);
    status = tsr_pointgrid_fill(plan, &out, &to->error);
    scene_add(to, out.count, (size_t)cells * sizeof *out.count);
    free(out.count);
  }
  tsr_pointgrid_plan_free(plan);
  return status;
}

static tsr_status fill_order(tsr_ordering_plan *plan, const order_scene *it,
                             const tsr_execution *execution, scene_result *to) {
  const point_set *set = it->points;
  const tsr_ordering_sizes *s = tsr_ordering_plan_sizes(plan);
  const int64_t cells = s->verts + s->lines, points = s->points;
  const int64_t bytes[11] = {
      24 * points, 8 * (s->verts + 1), 8 * s->verts, 8 * (s->lines + 1), 8 * (points - s->verts),
      8 * cells,   8 * points,         8 * cells,    8 * cells,          24 * points,
      24 * cells};
  void *arrays[11];
  for (int k = 0; k < 11; k++) {
    arrays[k] = it->set->chain ? tsr_output_alloc((size_t)bytes[k]) : scene_room(bytes[k], 1);
  }
  const tsr_ordering_attribute attributes[] = {
      {{set->points, TSR_DOUBLE, 3, set->n}, arrays[9], TSR_AT_POINTS},
      {{set->points, TSR_DOUBLE, 3, set->n}, arrays[10], TSR_AT_LAST}};
  tsr_ordering_output out;
  tsr_ordering_output_init(&out);
  out.points = arrays[0];
  out.vert_offsets = arrays[1];
  out.vert_connectivity = arrays[2];
  out.line_offsets = arrays[3];
  out.line_connectivity = arrays[4];
  out.length = arrays[5];
  out.point_ids = arrays[6];
  out.first_ids = arrays[7];
  out.last_ids = arrays[8];
  out.attributes = attributes;
  out.n_attributes = 2;
  tsr_status status = tsr_ordering_fill(plan, &out, &to->error);
  if (status == TSR_NO_MEMORY && it->fill_again) {
    status = tsr_ordering_fill(plan, &out, &to->error);
  }
  if (status == TSR_OK && it->set->chain) {
    const tsr_array made = {arrays[0], TSR_DOUBLE, 3, points};
    status = count_points(&made, execution, to);
  }
  for (int k = 0; k < 11; k++) {
    if (status == TSR_OK) {
      scene_add(to, arrays[k], (size_t)bytes[k]);
    }
    if (it->set->chain) {
      tsr_output_free(arrays[k]);
    } else {
      free(arrays[k]);
    }
  }
  return status;
}

static void run_order(const scene *shown, const tsr_execution *execution, scene_result *to) {
  const order_scene *it = shown->of;
  const tsr_ordering_view view = point_set_view(it->points);
  tsr_ordering_plan *plan = NULL;
  tsr_ordering_options o;
  tsr_ordering_options_init(&o);
  o.use_gap = o.use_distance = o.drop_repeats = it->set->cuts;
  o.max_gap = 30.0;
  o.max_distance = 0.5;
  o.tolerance = 0.0025;
  to->status = tsr_ordering_plan_create(&view, &o, execution, &plan, &to->error);
  if (to->status == TSR_OK && !it->set->estimate) {
    to->status = fill_order(plan, it, execution, to);
  }
  if (to->status == TSR_OK) {
    scene_add(to, tsr_ordering_plan_sizes(plan), sizeof(tsr_ordering_sizes));
    tsr_ordering_plan_report(plan, &to->report);
  }
  tsr_ordering_plan_free(plan);
}

void scenes_of_orders(const scene_visit *visit) {
  for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
    const tsr_type type = orders[k].type;
    if (orders[k].chain && !visit->devices) {
      continue;
    }
    point_set points = point_set_make(visit->points, 7);
    uint64_t state = 5;
    points.group = point_set_values(points.n, points.group_type = type);
    points.order = point_set_values(points.n, points.order_type = type);
    for (int64_t i = 0; i < points.n; i++) {
      point_set_put(points.group, type, i, (int64_t)(point_set_random(&state) % 50) - 20);
      point_set_put(points.order, type, i, (int64_t)(point_set_random(&state) % 1000));
    }
    const order_scene it = {&orders[k], &points, visit->fill_again};
    scene_show(visit, orders[k].name, run_order, &it);
    point_set_free(&points);
  }
}

/* ---- discs */

typedef struct disc_settings {
  const char *name;
  tsr_discs_falloff falloff;
  tsr_discs_order order;
  tsr_discs_strategy strategy;
  int supersampling, estimate;
} disc_settings;

static const disc_settings discs[] = {
    {"discs", TSR_DISCS_GAUSSIAN, TSR_DISCS_BY_INDEX, TSR_DISCS_FLAT, 1, 0},
    {"estimate of discs", TSR_DISCS_GAUSSIAN, TSR_DISCS_BY_INDEX, TSR_DISCS_FLAT, 1, 1},
    {"discs by depth", TSR_DISCS_EVEN, TSR_DISCS_BY_DEPTH, TSR_DISCS_AGGREGATED_CHILDREN, 2, 0},
};

typedef struct image_scene {
  const disc_settings *set;
  const disc_scene *discs;
  int fill_again;
} image_scene;

static void run_discs(const scene *shown, const tsr_execution *execution, scene_result *to) {
  const image_scene *it = shown->of;
  tsr_discs_view view;
  tsr_discs_options o;
  tsr_discs_plan *plan = NULL;
  tsr_discs_output out;
  disc_scene_view(it->discs, &view);
  disc_scene_square(48, &o);
  o.falloff = it->set->falloff;
  o.order = it->set->order;
  o.supersampling = it->set->supersampling;
  o.launch.strategy = it->set->strategy;
  to->status = tsr_discs_plan_create(&view, &o, execution, &plan, &to->error);
  if (to->status == TSR_OK) {
    tsr_discs_sizes sizes = *tsr_discs_plan_sizes(plan);
    sizes.parts = 0; /* of the CPU alone */
    scene_add(to, &sizes, sizeof sizes);
    tsr_discs_output_init(&out);
    out.rgba = scene_room((int64_t)48 * 48, 4);
    out.top = scene_room((int64_t)48 * 48, sizeof *out.top);
    if (!it->set->estimate) {
      to->status = tsr_discs_fill(plan, &out, &to->error);
      if (to->status == TSR_NO_MEMORY && it->fill_again) {
        to->status = tsr_discs_fill(plan, &out, &to->error);
      }
    }
    scene_add(to, out.rgba, (size_t)48 * 48 * 4);
    scene_add(to, out.top, (size_t)48 * 48 * sizeof *out.top);
    free(out.rgba);
    free(out.top);
    tsr_discs_plan_report(plan, &to->report);
  }
  tsr_discs_plan_free(plan);
}

void scenes_of_discs(const scene_visit *visit) {
  tsr_random_discs_options random;
  disc_scene made;
  tsr_random_discs_options_init(&random);
  random.count = visit->points;
  disc_scene_make(&random, &made);
  for (size_t k = 0; k < sizeof discs / sizeof *discs; k++) {
    const image_scene it = {&discs[k], &made, visit->fill_again};
    scene_show(visit, discs[k].name, run_discs, &it);
  }
  disc_scene_free(&made);
}

/* ---- jets */

static void run_jet(const scene *shown, const tsr_execution *execution, scene_result *to) {
  const int64_t extent[6] = {0, 10, 0, 6, 0, shown->of ? 0 : 6};
  const int64_t n = (int64_t)11 * 7 * (extent[5] + 1);
  tsr_jet_options o;
  tsr_jet_output out;
  tsr_jet_options_init(&o);
  memcpy(o.whole, extent, sizeof extent);
  tsr_jet_output_init(&out);
  out.velocity = scene_room(3 * n, sizeof(float));
  out.temperature = scene_room(n, sizeof(float));
  out.scalar = scene_room(n, sizeof(float));
  to->status = tsr_jet_fill(&o, extent, execution, &out, &to->error);
  scene_add(to, out.velocity, (size_t)n * 3 * sizeof(float));
  scene_add(to, out.temperature, (size_t)n * sizeof(float));
  scene_add(to, out.scalar, (size_t)n * sizeof(float));
  free(out.velocity);
  free(out.temperature);
  free(out.scalar);
}

void scenes_of_jets(const scene_visit *visit) {
  scene_show(visit, "jet", run_jet, NULL);
  scene_show(visit, "flat jet", run_jet, "flat");
}
