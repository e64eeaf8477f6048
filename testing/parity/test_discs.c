/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Disc images, CPU against CUDA: the same bytes, topmost points, counts and notes, for every scene,
 * falloff, order, supersampling and launch strategy, with small pools, and for hostile discs.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "disc_scene.h"
#include "executor.h"

typedef struct image {
  uint8_t *rgba;
  int64_t *top;
  tsr_discs_sizes sizes;
  tsr_report report;
} image;

static image new_image(const tsr_discs_options *o) {
  const size_t pixels = (size_t)o->width * (size_t)o->height;
  image it;
  memset(&it, 0, sizeof it);
  it.rgba = calloc(pixels, 4);
  it.top = calloc(pixels, sizeof *it.top);
  if (it.rgba == NULL || it.top == NULL) {
    printf("the test has no memory\n");
    exit(1);
  }
  return it;
}

static void free_image(image *it) {
  free(it->rgba);
  free(it->top);
}

static tsr_status draw(const tsr_discs_view *view, const tsr_discs_options *o,
                       const tsr_execution *execution, image *to, tsr_error *error) {
  tsr_discs_plan *plan;
  tsr_discs_output out;
  tsr_status status = tsr_discs_plan_create(view, o, execution, &plan, error);
  if (status != TSR_OK) {
    return status;
  }
  tsr_discs_output_init(&out);
  out.rgba = to->rgba;
  out.top = to->top;
  status = tsr_discs_fill(plan, &out, error);
  to->sizes = *tsr_discs_plan_sizes(plan);
  tsr_discs_plan_report(plan, &to->report);
  tsr_discs_plan_free(plan);
  return status;
}

/** Draws with the CPU and with every strategy of CUDA. */
static void compare(const tsr_discs_view *view, tsr_discs_options *o, const char *name) {
  static const tsr_discs_strategy strategies[] = {
      TSR_DISCS_STRATEGY_AUTO, TSR_DISCS_FLAT, TSR_DISCS_AGGREGATED_CHILDREN,
      TSR_DISCS_AGGREGATED_CHILDREN, TSR_DISCS_AGGREGATED_CHILDREN};
  static const int64_t pools[] = {0, 0, 0, 1, 7};
  executor exec = {.threads = 2};
  tsr_execution execution = executor_execution(&exec);
  const size_t pixels = (size_t)o->width * (size_t)o->height;
  tsr_error error;
  image cpu = new_image(o), cuda = new_image(o);
  CHECK_INT(draw(view, o, &execution, &cpu, &error), TSR_OK);
  execution.backend = TSR_BACKEND_CUDA;
  for (size_t k = 0; k < sizeof strategies / sizeof *strategies; k++) {
    o->launch.strategy = strategies[k];
    o->launch.pending_launches = pools[k];
    o->launch.launch_threshold = k == 2 ? 0 : 4;
    memset(cuda.rgba, 99, 4 * pixels);
    if (!CHECK_INT(draw(view, o, &execution, &cuda, &error), TSR_OK)) {
      printf("%s: %s\n", name, error.text);
      continue;
    }
    check_that(memcmp(cuda.rgba, cpu.rgba, 4 * pixels) == 0, __FILE__, __LINE__,
               "%s, strategy %d, pool %lld: the colours differ", name, (int)strategies[k],
               (long long)pools[k]);
    check_that(memcmp(cuda.top, cpu.top, pixels * sizeof *cpu.top) == 0, __FILE__, __LINE__,
               "%s, strategy %d: the topmost points differ", name, (int)strategies[k]);
    cuda.sizes.parts = cpu.sizes.parts; /* of the CPU alone */
    CHECK_INT(memcmp(&cuda.sizes, &cpu.sizes, sizeof cpu.sizes), 0);
    CHECK_INT(cuda.report.backend, TSR_BACKEND_CUDA);
    if (strategies[k] == TSR_DISCS_AGGREGATED_CHILDREN) {
      CHECK_INT(cuda.report.child_items + cuda.report.inline_items, view->points.tuples);
      CHECK(pools[k] == 0 || cuda.report.child_launches <= pools[k]);
    }
  }
  free_image(&cpu);
  free_image(&cuda);
}

/** most: discs of a scene; division: by how much smaller images are. */
static void all_scenes(int64_t most, int division) {
  static const int sides[][2] = {{200, 130}, {1, 1}, {33, 97}, {512, 512}};
  for (int kind = 0; kind < DISC_SCENES - 1; kind++) {
    tsr_random_discs_options random;
    disc_scene scene;
    tsr_discs_view view;
    disc_scene_options(kind, &random);
    random.count = random.count < most ? random.count : most;
    disc_scene_make(&random, &scene);
    disc_scene_view(&scene, &view);
    for (int k = 0; k < 12; k++) {
      tsr_discs_options o;
      disc_scene_square(1 + (sides[k % 4][0] - 1) / division, &o);
      o.height = 1 + (sides[k % 4][1] - 1) / division;
      o.supersampling = 1 << k / 4;
      o.falloff = k % 2 == 0 ? TSR_DISCS_GAUSSIAN : TSR_DISCS_EVEN;
      o.order = k % 3 == 0 ? TSR_DISCS_BY_DEPTH : TSR_DISCS_BY_INDEX;
      o.background[1] = 0.5;
      o.background[3] = k % 5 == 0 ? 0.75 : 0.0;
      compare(&view, &o, disc_scene_names[kind]);
    }
    disc_scene_free(&scene);
  }
}

/** Spoiled discs, orders with ties and not-a-number, scalars through a table. */
static void hostile_discs(void) {
  enum { N = 5000 };
  static const double table[] = {1, 0, 0, 0, 1, 0, 0.2, 0.4, 0.6};
  tsr_random_discs_options random;
  disc_scene scene;
  float order[N], scalars[N];
  static const float odd[] = {NAN, INFINITY, -INFINITY, 0.0f, -1.0f, 1e30f, 3e38f, 1e-30f, -0.0f};
  tsr_random_discs_options_init(&random);
  random.count = N;
  disc_scene_make(&random, &scene);
  for (int i = 0; i < N; i++) {
    order[i] = i % 31 == 0 ? NAN : (float)(i * 7919 % 100);
    scalars[i] = i % 37 == 0 ? odd[i % 9] : (float)(i % 53);
    if (i % 41 == 0) {
      scene.points[3 * i + i % 3] = odd[i / 41 % 9];
    }
    if (i % 43 == 0) {
      scene.radii[i] = odd[i / 43 % 9];
    }
    if (i % 47 == 0) {
      scene.opacities[i] = odd[i / 47 % 9];
    }
  }
  for (int k = 0; k < 6; k++) {
    tsr_discs_view view;
    tsr_discs_options o;
    disc_scene_view(&scene, &view);
    view.order = (tsr_array){order, TSR_FLOAT, 1, N};
    disc_scene_square(150, &o);
    o.order = (tsr_discs_order)(k % 3);
    o.falloff = k % 2 == 0 ? TSR_DISCS_EVEN : TSR_DISCS_GAUSSIAN;
    o.supersampling = k == 5 ? 4 : 1;
    if (k > 2) {
      memset(&view.colors, 0, sizeof view.colors);
      view.scalars = (tsr_array){scalars, TSR_FLOAT, 1, N};
      o.table = k > 3 ? table : NULL;
      o.table_size = k > 3 ? 3 : 0;
    }
    compare(&view, &o, "hostile");
  }
  disc_scene_free(&scene);
}

static void nothing(void) {
  tsr_discs_view view;
  tsr_discs_options o;
  tsr_discs_view_init(&view);
  disc_scene_square(40, &o);
  compare(&view, &o, "nothing");
}

/** What cannot run is refused, with Auto too, and the sentence has the number. */
static void bad_launches(void) {
  tsr_random_discs_options random;
  disc_scene scene;
  tsr_discs_view view;
  tsr_random_discs_options_init(&random);
  random.count = 10;
  disc_scene_make(&random, &scene);
  disc_scene_view(&scene, &view);
  for (int k = 0; k < 10; k++) {
    static const char *const words[] = {"strategy 5", "stream 4", "is -1", "is 262145", "is -7"};
    tsr_execution execution;
    tsr_discs_options o;
    tsr_discs_plan *plan = NULL;
    tsr_error error;
    tsr_execution_init(&execution);
    execution.backend = k < 5 ? TSR_BACKEND_CUDA : TSR_BACKEND_AUTO;
    disc_scene_square(20, &o);
    if (k % 5 == 0) {
      o.launch.strategy = (tsr_discs_strategy)5;
    } else if (k % 5 == 1) {
      o.launch.child_stream = (tsr_child_stream)4;
    } else if (k % 5 == 4) {
      o.launch.launch_threshold = -7;
    } else {
      o.launch.pending_launches = k % 5 == 2 ? -1 : 262145;
    }
    CHECK_INT(tsr_discs_plan_create(&view, &o, &execution, &plan, &error), TSR_BAD_OPTION);
    CHECK(plan == NULL);
    check_that(strstr(error.text, words[k % 5]) != NULL, __FILE__, __LINE__, "'%s' lacks '%s'",
               error.text, words[k % 5]);
    tsr_discs_plan_free(plan);
  }
  disc_scene_free(&scene);
}

int main(int argc, char **argv) {
  const int small = argc > 1 && strcmp(argv[1], "small") == 0; /* for an emulated device */
  const char *required = getenv("TESSERA_REQUIRE_CUDA");
  if (tsr_devices_present() == 0 && !(required != NULL && strcmp(required, "1") == 0)) {
    printf("skipped: there is no usable device\n");
    return CHECK_SKIPPED;
  }
  nothing();
  bad_launches();
  if (!small) {
    hostile_discs();
  }
  all_scenes(small ? 300 : INT64_MAX, small ? 8 : 1);
  return check_result();
}
