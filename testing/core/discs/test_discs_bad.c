/* SPDX-License-Identifier: BSD-3-Clause */
/** Disc images of hostile input: a sentence or a note, and the other discs as if nothing was. */
#include "check.h"
#include "disc_scene.h"
#include "executor.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 48, PIXELS = SIDE * SIDE };

/** Status of plan and fill; the error's text is in `text`. */
static tsr_status run(const tsr_discs_view *view, const tsr_discs_options *o, uint8_t *rgba,
                      tsr_discs_sizes *sizes, char *text) {
  executor exec = {.threads = 2};
  const tsr_execution execution = executor_execution(&exec);
  tsr_discs_plan *plan;
  tsr_discs_output out;
  tsr_error error = {TSR_OK, -1, ""};
  tsr_discs_output_init(&out);
  out.rgba = rgba;
  tsr_status status = tsr_discs_plan_create(view, o, &execution, &plan, &error);
  CHECK((plan == NULL) == (status != TSR_OK));
  if (status == TSR_OK) {
    status = tsr_discs_fill(plan, &out, &error);
    if (sizes != NULL) {
      *sizes = *tsr_discs_plan_sizes(plan);
    }
  }
  tsr_discs_plan_free(plan);
  if (text != NULL) {
    strcpy(text, error.text);
  }
  return status;
}

/** Of 100 random discs a few are spoiled: the picture is that of the others. */
static void bad_discs_are_noted_and_left_out(void) {
  enum { N = 100 };
  tsr_random_discs_options random;
  tsr_discs_options o;
  tsr_discs_view view;
  tsr_discs_sizes sizes;
  disc_scene scene, rest;
  uint8_t rgba[4 * PIXELS], expected[4 * PIXELS];
  tsr_random_discs_options_init(&random);
  random.count = N;
  disc_scene_make(&random, &scene);
  disc_scene_make(&random, &rest);
  scene.points[3 * 7] = NAN;
  scene.points[3 * 20 + 1] = INFINITY;
  scene.points[3 * 21 + 2] = -INFINITY;
  scene.radii[30] = 0.0f;
  scene.radii[31] = -1.0f;
  scene.radii[32] = INFINITY;
  scene.radii[33] = NAN;
  scene.opacities[40] = NAN;
  scene.opacities[41] = -3.0f;  /* 0 */
  scene.opacities[42] = 7.0f;   /* 1 */
  scene.points[3 * 50] = 1e30f; /* outside */
  int64_t n = 0;
  for (int i = 0; i < N; i++) {
    if (i != 7 && i != 20 && i != 21 && i != 50 && (i < 30 || i > 33) && i != 40) {
      memcpy(&rest.points[3 * n], &scene.points[3 * i], 3 * sizeof *rest.points);
      memcpy(&rest.colors[3 * n], &scene.colors[3 * i], 3);
      rest.radii[n] = scene.radii[i];
      rest.opacities[n++] = scene.opacities[i];
    }
  }
  rest.n = n;
  disc_scene_square(SIDE, &o);
  disc_reference(&rest, &o, NULL, expected, NULL);
  disc_scene_view(&scene, &view);
  CHECK_INT(run(&view, &o, rgba, &sizes, NULL), TSR_OK);
  CHECK_INT(memcmp(rgba, expected, sizeof rgba), 0);
  CHECK_INT(sizes.discs, N);
  CHECK_INT(sizes.inside, N - 9);
  CHECK_INT(sizes.outside, 1);
  CHECK_INT(sizes.notes[TSR_DISCS_NOTE_POSITION].count, 3);
  CHECK_INT(sizes.notes[TSR_DISCS_NOTE_POSITION].first, 7);
  CHECK_INT(sizes.notes[TSR_DISCS_NOTE_RADIUS].count, 3);
  CHECK_INT(sizes.notes[TSR_DISCS_NOTE_RADIUS].first, 31);
  CHECK_INT(sizes.notes[TSR_DISCS_NOTE_ZERO].count, 1);
  CHECK_INT(sizes.notes[TSR_DISCS_NOTE_ZERO].first, 30);
  CHECK_INT(sizes.notes[TSR_DISCS_NOTE_OPACITY].count, 1);
  CHECK_INT(sizes.notes[TSR_DISCS_NOTE_OPACITY].first, 40);
  char text[200];
  tsr_discs_note_sentence(TSR_DISCS_NOTE_RADIUS, sizes.notes[TSR_DISCS_NOTE_RADIUS], text,
                          sizeof text);
  CHECK_INT(strcmp(text, "3 radii are negative, infinite or not a number, and their discs are not "
                         "drawn; the first is at point 31."),
            0);
  disc_scene_free(&scene);
  disc_scene_free(&rest);
}

static void small_discs_and_orders_are_noted(void) {
  static const float points[] = {3, 3, 0, 9, 9, 0, 20, 20, 0};
  static const double order[] = {NAN, 2, 1};
  tsr_discs_view view;
  tsr_discs_options o;
  tsr_discs_sizes sizes;
  uint8_t rgba[4 * PIXELS];
  tsr_discs_view_init(&view);
  view.points = (tsr_array){points, TSR_FLOAT, 3, 3};
  view.order = (tsr_array){order, TSR_DOUBLE, 1, 3};
  tsr_discs_options_init(&o);
  o.width = o.height = SIDE;
  o.radius = 0.4;
  o.order = TSR_DISCS_BY_ARRAY;
  CHECK_INT(run(&view, &o, rgba, &sizes, NULL), TSR_OK);
  CHECK_INT(sizes.notes[TSR_DISCS_NOTE_SMALL].count, 3);
  CHECK_INT(sizes.notes[TSR_DISCS_NOTE_ORDER].count, 1);
  CHECK_INT(sizes.notes[TSR_DISCS_NOTE_ORDER].first, 0);
}

static void nothing_makes_the_background(void) {
  tsr_discs_view view;
  tsr_discs_options o;
  tsr_discs_sizes sizes;
  uint8_t rgba[4 * PIXELS];
  tsr_discs_view_init(&view);
  tsr_discs_options_init(&o);
  o.width = o.height = SIDE;
  o.order = TSR_DISCS_BY_ARRAY;
  o.background[1] = 1.0;
  o.background[3] = 0.2;
  CHECK_INT(run(&view, &o, rgba, &sizes, NULL), TSR_OK);
  for (int i = 0; i < PIXELS; i++) {
    CHECK(rgba[4 * i] == 0 && rgba[4 * i + 1] == 255 && rgba[4 * i + 3] == 51);
  }
}

/** A million points in one place, each a hundredth opaque: nearly the colour itself. */
static void many_in_one_place(void) {
  enum { N = 1000000 };
  float *points = calloc(3 * N, sizeof *points);
  tsr_discs_view view;
  tsr_discs_options o;
  uint8_t rgba[4 * PIXELS];
  tsr_discs_view_init(&view);
  view.points = (tsr_array){points, TSR_FLOAT, 3, N};
  tsr_discs_options_init(&o);
  o.width = o.height = SIDE;
  o.radius = 3.0;
  o.opacity = 0.01;
  CHECK_INT(run(&view, &o, rgba, NULL, NULL), TSR_OK);
  CHECK(rgba[0] == 255 && rgba[3] == 255);
  free(points);
}

typedef struct wrong {
  const char *word;
  tsr_status status;
  int at; /**< which member */
} wrong;

static void spoil(int at, tsr_discs_view *view, tsr_discs_options *o) {
  static const float three[9] = {0};
  static const double table[3] = {0, 2, 0};
  switch (at) {
  case 0:
    o->width = 0;
    break;
  case 1:
    o->height = TSR_DISCS_MAX_SIDE + 1;
    break;
  case 2:
    o->supersampling = 3;
    break;
  case 3:
    o->pixel_size = 0.0;
    break;
  case 4:
    o->pixel_size = NAN;
    break;
  case 5:
    o->corner[1] = INFINITY;
    break;
  case 6:
    o->right[0] = 2.0;
    break;
  case 7:
    o->up[0] = 1.0;
    break;
  case 8:
    o->radius = -1.0;
    break;
  case 9:
    o->opacity = 1.5;
    break;
  case 10:
    o->sharpness = NAN;
    break;
  case 11:
    o->color[0] = 2.0;
    break;
  case 12:
    o->table_size = -1;
    break;
  case 13:
    o->table = table;
    o->table_size = 1;
    break;
  case 14:
    o->range[0] = NAN;
    break;
  case 15:
    o->falloff = (tsr_discs_falloff)7;
    break;
  case 16:
    o->order = (tsr_discs_order)-1;
    break;
  case 17:
    o->order = TSR_DISCS_BY_ARRAY;
    break;
  case 18:
    view->points.components = 2;
    break;
  case 19:
    view->points.tuples = -1;
    break;
  case 20:
    view->points.tuples = (int64_t)1 << 40;
    break;
  case 21:
    view->radii = (tsr_array){three, TSR_FLOAT, 1, 2};
    break;
  case 22:
    view->colors = (tsr_array){three, TSR_FLOAT, 2, 3};
    break;
  case 23:
    view->scalars = (tsr_array){three, (tsr_type)99, 1, 3};
    break;
  case 24:
    view->opacities = (tsr_array){NULL, TSR_FLOAT, 1, 3};
    break;
  case 25:
    o->struct_size = 0;
    break;
  case 26:
    view->struct_size = 0;
    break;
  default:
    o->range[1] = INFINITY;
    o->range[0] = -INFINITY;
    break;
  }
}

static void bad_choices_are_refused(void) {
  static const wrong all[] = {{"1 to 65536 pixels", TSR_BAD_OPTION, 0},
                              {"1 to 65536 pixels", TSR_BAD_OPTION, 1},
                              {"supersampling", TSR_BAD_OPTION, 2},
                              {"size of a pixel", TSR_BAD_OPTION, 3},
                              {"size of a pixel", TSR_BAD_OPTION, 4},
                              {"corner", TSR_BAD_OPTION, 5},
                              {"unit vectors", TSR_BAD_OPTION, 6},
                              {"unit vectors", TSR_BAD_OPTION, 7},
                              {"radius", TSR_BAD_OPTION, 8},
                              {"opacity", TSR_BAD_OPTION, 9},
                              {"sharpness", TSR_BAD_OPTION, 10},
                              {"color must be of numbers from 0 to 1, not 2", TSR_BAD_OPTION, 11},
                              {"table", TSR_BAD_OPTION, 12},
                              {"table", TSR_BAD_OPTION, 13},
                              {"range", TSR_BAD_OPTION, 14},
                              {"falloff 7", TSR_BAD_OPTION, 15},
                              {"order -1", TSR_BAD_OPTION, 16},
                              {"order is missing", TSR_BAD_INPUT, 17},
                              {"points", TSR_BAD_INPUT, 18},
                              {"points", TSR_BAD_INPUT, 19},
                              {"1099511627776 discs", TSR_TOO_LARGE, 20},
                              {"radii", TSR_BAD_INPUT, 21},
                              {"colors", TSR_BAD_INPUT, 22},
                              {"scalars", TSR_BAD_INPUT, 23},
                              {"opacities", TSR_BAD_INPUT, 24},
                              {"options", TSR_BAD_OPTION, 25},
                              {"view", TSR_BAD_INPUT, 26},
                              {"", TSR_OK, 27}};
  static const float points[9] = {1, 1, 1, 2, 2, 2, 3, 3, 3};
  uint8_t rgba[4 * PIXELS];
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    tsr_discs_view view;
    tsr_discs_options o;
    char text[500];
    tsr_discs_view_init(&view);
    view.points = (tsr_array){points, TSR_FLOAT, 3, 3};
    tsr_discs_options_init(&o);
    o.width = o.height = SIDE;
    spoil(all[k].at, &view, &o);
    CHECK_INT(run(&view, &o, rgba, NULL, text), all[k].status);
    check_that(strstr(text, all[k].word) != NULL, __FILE__, __LINE__, "%d: %s", all[k].at, text);
  }
}

static void missing_things_are_refused(void) {
  tsr_discs_view view;
  tsr_discs_options o;
  tsr_discs_plan *plan;
  tsr_execution execution;
  tsr_random_discs_options random;
  tsr_discs_view_init(&view);
  tsr_discs_options_init(&o);
  CHECK_INT(tsr_discs_plan_create(NULL, &o, NULL, &plan, NULL), TSR_BAD_INPUT);
  CHECK_INT(tsr_discs_plan_create(&view, NULL, NULL, &plan, NULL), TSR_BAD_INPUT);
  CHECK_INT(tsr_discs_plan_create(&view, &o, NULL, NULL, NULL), TSR_BAD_INPUT);
  tsr_execution_init(&execution);
  execution.backend = (tsr_backend_id)9;
  CHECK_INT(tsr_discs_plan_create(&view, &o, &execution, &plan, NULL), TSR_BAD_OPTION);
  execution.backend = TSR_BACKEND_CPU;
  CHECK_INT(tsr_discs_plan_create(&view, &o, &execution, &plan, NULL), TSR_OK);
  CHECK_INT(tsr_discs_fill(plan, NULL, NULL), TSR_BAD_OPTION);
  tsr_discs_plan_free(plan);
  tsr_discs_plan_free(NULL);
  tsr_random_discs_options_init(&random);
  random.count = -1;
  CHECK_INT(tsr_random_discs_count(&random), -1);
  random.count = 5;
  random.smallest = NAN;
  CHECK_INT(tsr_random_discs_count(&random), -1);
}

static int stop(void *context, double fraction) { return fraction >= *(const double *)context; }

static void the_user_can_stop_it(void) {
  tsr_random_discs_options random;
  tsr_discs_options o;
  tsr_discs_view view;
  disc_scene scene;
  uint8_t rgba[4 * PIXELS];
  tsr_random_discs_options_init(&random);
  disc_scene_make(&random, &scene);
  disc_scene_view(&scene, &view);
  disc_scene_square(SIDE, &o);
  o.order = TSR_DISCS_BY_DEPTH;
  for (double at = 0.0; at < 0.95; at += 0.1) {
    tsr_execution execution;
    tsr_discs_plan *plan;
    tsr_discs_output out;
    tsr_error error = {TSR_OK, -1, ""};
    tsr_execution_init(&execution);
    execution.backend = TSR_BACKEND_CPU;
    execution.progress = stop;
    execution.progress_context = &at;
    tsr_discs_output_init(&out);
    out.rgba = rgba;
    tsr_status status = tsr_discs_plan_create(&view, &o, &execution, &plan, &error);
    if (status == TSR_OK) {
      status = tsr_discs_fill(plan, &out, &error);
    }
    CHECK_INT(status, TSR_ABORTED);
    tsr_discs_plan_free(plan);
  }
  disc_scene_free(&scene);
}

/** How kernels would be launched changes nothing, even where they could not be. */
static void the_cpu_does_not_look_at_launches(void) {
  tsr_random_discs_options random;
  disc_scene scene;
  tsr_discs_view view;
  tsr_discs_options o;
  uint8_t plain[4 * PIXELS], odd[4 * PIXELS];
  tsr_random_discs_options_init(&random);
  random.count = 100;
  disc_scene_make(&random, &scene);
  disc_scene_view(&scene, &view);
  disc_scene_square(SIDE, &o);
  CHECK_INT(o.launch.strategy, TSR_DISCS_STRATEGY_AUTO);
  CHECK_INT(o.launch.child_stream, TSR_CHILD_FIRE_AND_FORGET);
  CHECK_INT(o.launch.pending_launches, 0);
  CHECK_INT(o.launch.launch_threshold, 0);
  CHECK_INT(run(&view, &o, plain, NULL, NULL), TSR_OK);
  o.launch = (tsr_discs_launch){TSR_DISCS_AGGREGATED_CHILDREN, (tsr_child_stream)9, -1, -1};
  CHECK_INT(run(&view, &o, odd, NULL, NULL), TSR_OK);
  CHECK_INT(memcmp(odd, plain, sizeof odd), 0);
  disc_scene_free(&scene);
}

int main(void) {
  bad_discs_are_noted_and_left_out();
  small_discs_and_orders_are_noted();
  nothing_makes_the_background();
  many_in_one_place();
  bad_choices_are_refused();
  missing_things_are_refused();
  the_user_can_stop_it();
  the_cpu_does_not_look_at_launches();
  return check_result();
}
