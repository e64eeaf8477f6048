/* SPDX-License-Identifier: BSD-3-Clause */
/** Scenes of curves: those of every kind, some of them not usable, and Bezier cells in single
 *  precision, which the tuned kernels are for. */
#include "scene.h"
#include "views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** What sets a scene apart. */
typedef struct settings {
  const char *name;
  int options; /**< of option_case */
  tsr_sampling sampling;
  int budget;   /**< 1: half of the points that it would have */
  int estimate; /**< 1: the plan alone */
} settings;

static const settings all[] = {
    {"curves by bisection", 0, TSR_SAMPLING_BISECTION, 0, 0},
    {"curves by equal errors", 0, TSR_SAMPLING_EQUAL_ERROR, 0, 0},
    {"uniform curves", 0, TSR_SAMPLING_UNIFORM, 0, 0},
    {"curves by all criteria", 7, TSR_SAMPLING_EQUAL_ERROR, 0, 0},
    {"curves by all criteria and bisection", 7, TSR_SAMPLING_BISECTION, 0, 0},
    {"curves without all joints", 1, TSR_SAMPLING_EQUAL_ERROR, 0, 0},
    {"curves without all joints, with fields", 9, TSR_SAMPLING_BISECTION, 0, 0},
    {"curves without all joints, with labels", 11, TSR_SAMPLING_EQUAL_ERROR, 0, 0},
    {"curves of vertices off them", 15, TSR_SAMPLING_EQUAL_ERROR, 0, 0},
    {"curves of vertices off them, by all criteria", 16, TSR_SAMPLING_EQUAL_ERROR, 0, 0},
    {"curves of the classic rule", 2, TSR_SAMPLING_UNIFORM, 0, 0},
    {"curves of a budget", 0, TSR_SAMPLING_EQUAL_ERROR, 1, 0},
    {"curves of a budget, by bisection", 9, TSR_SAMPLING_BISECTION, 1, 0},
    {"estimate of curves of a budget", 0, TSR_SAMPLING_BISECTION, 1, 1},
    {"curves of equal arcs", 0, TSR_SAMPLING_EQUAL_ARC_LENGTH, 0, 0},
    {"curves of equal arcs, of a length", 4, TSR_SAMPLING_EQUAL_ARC_LENGTH, 0, 0},
    {"curves of equal arcs, of a budget", 4, TSR_SAMPLING_EQUAL_ARC_LENGTH, 1, 0},
    {"estimate of curves", 9, TSR_SAMPLING_EQUAL_ERROR, 0, 1},
};

typedef struct curves_scene {
  const curve_set *curves;
  tsr_curves_view view;
  tsr_curves_options options;
  wanted want;
} curves_scene;

static void run(const scene *shown, const tsr_execution *execution, scene_result *to) {
  const curves_scene *it = shown->of;
  outputs out;
  to->status = outputs_make(&it->view, &it->options, execution, &it->want, &out);
  to->error = out.error;
  to->report = out.report;
  if (to->status == TSR_OK) {
    scene_add(to, &out.sizes, sizeof out.sizes);
    for (int k = 0; k < out.n_arrays; k++) {
      scene_add(to, out.bytes[k], out.size[k]);
    }
  }
  outputs_free(&out);
}

/** Under every launch strategy and output memory that goes together. */
static void show_strategies(const scene_visit *visit, curves_scene *it, const char *name,
                            int last) {
  for (int strategy = 1; strategy <= last; strategy++) {
    for (int memory = 0; memory <= TSR_MEMORY_DEVICE_HEAP; memory++) {
      const int owners =
          strategy != TSR_STRATEGY_FLAT && strategy != TSR_STRATEGY_RECURSIVE_CHILDREN;
      char text[100];
      if (memory == TSR_MEMORY_DEVICE_HEAP && !owners) {
        continue;
      }
      it->options.launch.strategy = (tsr_curves_strategy)strategy;
      it->options.launch.output_memory = (tsr_output_memory)memory;
      snprintf(text, sizeof text, "%s, strategy %d, memory %d", name, strategy, memory);
      scene_show(visit, text, run, it);
    }
  }
}

/** Shows scenes with curves of every kind. */
static void show_mixed(const scene_visit *visit) {
  curve_set set;
  double *storage;
  curves_scene it = {.curves = &set};
  curve_set_init(&set);
  random_curves(&set, TSR_KIND_NONE, visit->curves, 1, 1, 123);
  random_attributes(set.n_points, 3, &it.want, &storage);
  it.want.points_type = TSR_FLOAT;
  it.want.index_type = TSR_INT64;
  it.want.generated = 1;
  it.want.fill_again = visit->fill_again;
  it.view = curve_set_view(&set);
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    it.options = option_case(all[k].options, all[k].sampling, &it.want);
    it.options.defer_count = all[k].budget;
    it.want.budget = all[k].budget ? 10 * visit->curves : 0;
    it.want.estimate = all[k].estimate;
    scene_show(visit, all[k].name, run, &it);
  }
  it.want.budget = it.want.estimate = 0;
  it.options = option_case(0, TSR_SAMPLING_BISECTION, &it.want);
  if (visit->devices) {
    show_strategies(visit, &it, "mixed curves", TSR_STRATEGY_RECURSIVE_CHILDREN);
  }
  curve_set_free(&set);
  free(storage);
}

/** The tuned kernels' case, with arrays that are large enough for the transfer ring. */
static void show_plain(const scene_visit *visit) {
  curve_set set;
  curves_scene it = {.curves = &set};
  curve_set_init(&set);
  bezier_cells(&set, 2, visit->cells, 321);
  float *points = scene_room(3 * set.n_points, sizeof *points);
  for (int64_t v = 0; v < 3 * set.n_points; v++) {
    points[v] = (float)set.points[v];
  }
  it.want.points_type = TSR_FLOAT;
  it.want.index_type = TSR_INT64;
  it.want.fill_again = visit->fill_again;
  it.view = curve_set_view(&set);
  it.view.points.data = points;
  it.view.points.type = TSR_FLOAT;
  it.options = option_case(2, TSR_SAMPLING_UNIFORM, &it.want);
  if (visit->devices) {
    show_strategies(visit, &it, "plain curves", TSR_STRATEGY_FLAT);
  } else {
    scene_show(visit, "plain curves", run, &it);
  }
  curve_set_free(&set);
  free(points);
}

void scenes_of_curves(const scene_visit *visit) {
  show_mixed(visit);
  show_plain(visit);
}
