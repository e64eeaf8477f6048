/* SPDX-License-Identifier: BSD-3-Clause */
/** Disc images: the bytes are those of a loop over all samples and all discs, whatever the size of
 *  image and discs, the order and the number of threads. */
#include "check.h"
#include "disc_scene.h"
#include "executor.h"

#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/** Draws; ends with a failed check where that is refused. */
static void draw(const tsr_discs_view *view, const tsr_discs_options *o, int threads, uint8_t *rgba,
                 int64_t *top, tsr_discs_sizes *sizes) {
  executor exec = {.threads = threads};
  const tsr_execution execution = executor_execution(&exec);
  tsr_discs_plan *plan;
  tsr_discs_output out;
  tsr_error error;
  tsr_discs_output_init(&out);
  out.rgba = rgba;
  out.top = top;
  memset(rgba, 99, (size_t)o->width * (size_t)o->height * 4);
  if (!CHECK_INT(tsr_discs_plan_create(view, o, &execution, &plan, &error), TSR_OK)) {
    printf("%s\n", error.text);
    return;
  }
  CHECK_INT(tsr_discs_fill(plan, &out, &error), TSR_OK);
  if (sizes != NULL) {
    *sizes = *tsr_discs_plan_sizes(plan);
  }
  tsr_discs_plan_free(plan);
}

/** Largest difference of two bytes. */
static int difference(const uint8_t *a, const uint8_t *b, int64_t n) {
  int most = 0;
  for (int64_t i = 0; i < n; i++) {
    const int d = abs((int)a[i] - (int)b[i]);
    most = d > most ? d : most;
  }
  return most;
}

/** Compares with the loop; gaussian: colours may differ by one for the sake of the table. */
static void compare(const disc_scene *scene, const tsr_discs_options *o, const int64_t *sequence,
                    const tsr_array *order) {
  const size_t pixels = (size_t)o->width * (size_t)o->height;
  uint8_t *rgba = malloc(4 * pixels), *expected = malloc(4 * pixels);
  int64_t *top = malloc(pixels * sizeof *top), *last = malloc(pixels * sizeof *last);
  tsr_discs_view view;
  disc_scene_view(scene, &view);
  if (order != NULL) {
    view.order = *order;
  }
  disc_reference(scene, o, sequence, expected, last);
  for (int threads = 1; threads <= 5; threads += 2) {
    draw(&view, o, threads, rgba, top, NULL);
    CHECK_AT_MOST(difference(rgba, expected, (int64_t)(4 * pixels)),
                  o->falloff == TSR_DISCS_GAUSSIAN ? 1 : 0);
    CHECK_INT(memcmp(top, last, pixels * sizeof *top), 0);
  }
  free(rgba);
  free(expected);
  free(top);
  free(last);
}

static void scenes_are_those_of_the_loop(void) {
  static const int sides[][2] = {{64, 64}, {1, 1}, {97, 33}, {31, 70}, {160, 16}};
  for (int kind = 0; kind <= TSR_SCENE_BIG_LITTLE; kind++) {
    tsr_random_discs_options random;
    disc_scene scene;
    tsr_random_discs_options_init(&random);
    random.scene = (tsr_discs_scene)kind;
    random.count = 500;
    disc_scene_make(&random, &scene);
    for (int k = 0; k < 5; k++) {
      for (int samples = 1; samples <= 4; samples *= 2) {
        tsr_discs_options o;
        disc_scene_square(sides[k][0], &o);
        o.height = sides[k][1];
        o.supersampling = samples;
        o.falloff = k % 2 == 0 ? TSR_DISCS_EVEN : TSR_DISCS_GAUSSIAN;
        o.background[0] = 0.25;
        o.background[3] = k == 0 ? 1.0 : k == 2 ? 0.5 : 0.0;
        compare(&scene, &o, NULL, NULL);
      }
    }
    disc_scene_free(&scene);
  }
}

/** Centres on the borders between samples and radii that reach exactly to centres of others. */
static void samples_on_the_edge_count(void) {
  enum { N = 600 };
  disc_scene scene = {.n = N};
  tsr_discs_options o;
  float *const points = calloc(3 * N, sizeof *points), *const radii = calloc(N, sizeof *radii);
  for (int i = 0; i < N; i++) {
    points[3 * i] = (float)(i % 23) * 2.5f;
    points[3 * i + 1] = (float)(i / 23) * 2.5f;
    radii[i] = (float)(i % 13) * 0.5f;
  }
  scene.points = points;
  scene.radii = radii;
  tsr_discs_options_init(&o);
  o.width = o.height = 60;
  o.opacity = 0.125;
  compare(&scene, &o, NULL, NULL);
  o.corner[0] = 7.5;
  o.corner[1] = -11.0;
  o.radius_in_pixels = 1;
  o.pixel_size = 0.75;
  o.supersampling = 2;
  compare(&scene, &o, NULL, NULL);
  free(points);
  free(radii);
}

/** Discs that are far away, and so large that the whole image is inside them or nearly so. */
static void sizes_do_not_matter(void) {
  static const float places[][3] = {{0.5f, 0.5f, 0},   {-1e6f, 0.5f, 0}, {3e8f, 3e8f, 0},
                                    {0.5f, -1e20f, 0}, {2.0f, 0.5f, 0},  {1e30f, 1e30f, 0}};
  static const float radii[] = {1e10f, 1.0000005e6f, 4.2426407e8f, 1e20f, 1.5f, 3e38f};
  disc_scene scene = {.n = 6};
  tsr_discs_options o;
  scene.points = (float *)(uintptr_t)&places[0][0];
  scene.radii = (float *)(uintptr_t)radii;
  disc_scene_square(70, &o);
  o.opacity = 0.3;
  compare(&scene, &o, NULL, NULL);
}

static int by_depth(const void *a, const void *b) {
  const float *p = *(const float *const *)a, *q = *(const float *const *)b;
  return p[2] != q[2] ? (p[2] < q[2] ? -1 : 1) : p < q ? -1 : p > q;
}

static void orders_are_stable(void) {
  enum { N = 3000 };
  tsr_random_discs_options random;
  tsr_discs_options o;
  disc_scene scene;
  const float **sorted = malloc(N * sizeof *sorted);
  int64_t *sequence = malloc(N * sizeof *sequence);
  int64_t *large = malloc(N * sizeof *large);
  tsr_random_discs_options_init(&random);
  random.count = N;
  disc_scene_make(&random, &scene);
  for (int i = 0; i < N; i++) {
    scene.points[3 * i + 2] = (float)((i * 7919) % 40) - 20.0f; /* many of equal depth */
    sorted[i] = &scene.points[3 * i];
  }
  qsort(sorted, N, sizeof *sorted, by_depth);
  for (int i = 0; i < N; i++) {
    sequence[i] = (sorted[i] - scene.points) / 3;
  }
  disc_scene_square(40, &o);
  o.order = TSR_DISCS_BY_DEPTH;
  compare(&scene, &o, sequence, NULL);
  /* Draw by an array of integers in this order, which are equal once converted to double. */
  for (int i = 0; i < N; i++) {
    large[i] = INT64_MAX - 1000 + (int64_t)scene.points[3 * i + 2];
  }
  const tsr_array order = {large, TSR_INT64, 1, N};
  o.order = TSR_DISCS_BY_ARRAY;
  compare(&scene, &o, sequence, &order);
  disc_scene_free(&scene);
  free(sorted);
  free(sequence);
  free(large);
}

/** One disc: the opacity adds up to its area; with more samples closer. */
static void the_area_is_that_of_a_circle(void) {
  const float place[3] = {101.3f, 97.8f, 0.0f};
  uint8_t *rgba = malloc(200 * 200 * 4);
  for (int samples = 1; samples <= 4; samples *= 2) {
    tsr_discs_view view;
    tsr_discs_options o;
    double area = 0.0;
    tsr_discs_view_init(&view);
    view.points = (tsr_array){place, TSR_FLOAT, 3, 1};
    tsr_discs_options_init(&o);
    o.width = o.height = 200;
    o.radius = 60.0;
    o.supersampling = samples;
    draw(&view, &o, 1, rgba, NULL, NULL);
    for (int i = 0; i < 200 * 200; i++) {
      area += rgba[4 * i + 3] / 255.0;
    }
    CHECK_NEAR(area, PI * 60.0 * 60.0, 25.0 / samples);
    /* A Gaussian's integral: pi r^2 (1 - exp(-s)) / s. */
    o.falloff = TSR_DISCS_GAUSSIAN;
    area = 0.0;
    draw(&view, &o, 1, rgba, NULL, NULL);
    for (int i = 0; i < 200 * 200; i++) {
      area += rgba[4 * i + 3] / 255.0;
    }
    CHECK_NEAR(area, PI * 3600.0 * (1.0 - exp(-5.0)) / 5.0, 3.0);
  }
  free(rgba);
}

/** Scalars take the entry of their interval; the planes of a box show the same discs. */
static void colors_and_planes(void) {
  static const double table[] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1};
  static const float scalars[] = {-5, 0, 0.9f, 1, 1.5f, 2, 3.99f, 4, 70, NAN};
  static const uint8_t expected[] = {0, 0, 0, 1, 1, 2, 3, 3, 3, 9};
  static const double axes[3][2][3] = {
      {{1, 0, 0}, {0, 1, 0}}, {{0, 1, 0}, {0, 0, 1}}, {{0, 0, 1}, {1, 0, 0}}};
  uint8_t rgba[40];
  for (int plane = 0; plane < 3; plane++) {
    float points[30];
    tsr_discs_view view;
    tsr_discs_options o;
    tsr_discs_sizes sizes;
    for (int i = 0; i < 10; i++) {
      for (int a = 0; a < 3; a++) {
        points[3 * i + a] = (float)(axes[plane][0][a] * (i + 0.5) + axes[plane][1][a] * 0.5);
      }
    }
    tsr_discs_view_init(&view);
    view.points = (tsr_array){points, TSR_FLOAT, 3, 10};
    view.scalars = (tsr_array){scalars, TSR_FLOAT, 1, 10};
    tsr_discs_options_init(&o);
    memcpy(o.right, axes[plane][0], sizeof o.right);
    memcpy(o.up, axes[plane][1], sizeof o.up);
    o.width = 10;
    o.height = 1;
    o.radius = 0.25;
    o.table = table;
    o.table_size = 4;
    o.range[0] = 0.0;
    o.range[1] = 4.0;
    draw(&view, &o, 1, rgba, NULL, &sizes);
    CHECK_INT(sizes.notes[TSR_DISCS_NOTE_COLOR].count, 1);
    CHECK_INT(sizes.notes[TSR_DISCS_NOTE_COLOR].first, 9);
    for (int i = 0; i < 10; i++) {
      static const uint8_t yellow[3] = {255, 255, 0};
      for (int c = 0; c < 3; c++) {
        CHECK_INT(rgba[4 * i + c],
                  expected[i] == 9 ? yellow[c] : (int)(255 * table[3 * expected[i] + c]));
      }
      CHECK_INT(rgba[4 * i + 3], 255);
    }
    /* Without a range it is that of the finite ones: -5 to 70, and 18.75 each. */
    o.range[0] = 1.0;
    o.range[1] = 0.0;
    draw(&view, &o, 1, rgba, NULL, &sizes);
    CHECK_NEAR(sizes.range[0], -5.0, 0.0);
    CHECK_NEAR(sizes.range[1], 70.0, 0.0);
    CHECK(rgba[0] == 255 && rgba[4 * 8] == 255 && rgba[4 * 8 + 1] == 255);
  }
}

/** Two half transparent discs over each other: red below, blue above. */
static void one_after_another(void) {
  static const float points[] = {0.5f, 0.5f, 0.0f, 0.5f, 0.5f, 0.0f};
  static const uint8_t colors[] = {255, 0, 0, 128, 0, 0, 255, 128};
  tsr_discs_view view;
  tsr_discs_options o;
  uint8_t rgba[4];
  tsr_discs_view_init(&view);
  view.points = (tsr_array){points, TSR_FLOAT, 3, 2};
  view.colors = (tsr_array){colors, TSR_UINT8, 4, 2};
  tsr_discs_options_init(&o);
  o.width = o.height = 1;
  draw(&view, &o, 1, rgba, NULL, NULL);
  /* a = 128/255; opacity 1 - (1 - a)^2; red a (1 - a) and blue a over it. */
  const double a = 128.0 / 255.0, all = 1.0 - (1.0 - a) * (1.0 - a);
  CHECK_INT(rgba[0], floor(a * (1.0 - a) / all * 255.0 + 0.5));
  CHECK_INT(rgba[1], 0);
  CHECK_INT(rgba[2], floor(a / all * 255.0 + 0.5));
  CHECK_INT(rgba[3], floor(all * 255.0 + 0.5));
}

/** A scene of so many discs that several chunks are binned, on any number of threads. */
static void threads_do_not_matter(void) {
  tsr_random_discs_options random;
  tsr_discs_options o;
  tsr_discs_view view;
  disc_scene scene;
  uint8_t *one = malloc(256 * 256 * 4), *many = malloc(256 * 256 * 4);
  tsr_random_discs_options_init(&random);
  random.count = 50000;
  disc_scene_make(&random, &scene);
  disc_scene_view(&scene, &view);
  disc_scene_square(256, &o);
  o.order = TSR_DISCS_BY_DEPTH;
  for (int k = 0; k < 2; k++) {
    o.falloff = k == 0 ? TSR_DISCS_EVEN : TSR_DISCS_GAUSSIAN;
    draw(&view, &o, 1, one, NULL, NULL);
    for (int threads = 2; threads <= 7; threads++) {
      draw(&view, &o, threads, many, NULL, NULL);
      CHECK_INT(memcmp(one, many, 256 * 256 * 4), 0);
    }
  }
  disc_scene_free(&scene);
  free(one);
  free(many);
}

static void scenes_are_made_in_any_pieces(void) {
  for (int kind = 0; kind <= TSR_SCENE_BIG_LITTLE; kind++) {
    tsr_random_discs_options random;
    disc_scene scene;
    tsr_random_discs_output out;
    tsr_error error;
    float points[3], radius;
    tsr_random_discs_options_init(&random);
    random.scene = (tsr_discs_scene)kind;
    random.count = 100;
    disc_scene_make(&random, &scene);
    CHECK_INT(scene.n, kind == TSR_SCENE_RGB ? 3 : kind == TSR_SCENE_PATTERN ? 1217 : 100);
    tsr_random_discs_output_init(&out);
    out.points = points;
    out.radii = &radius;
    for (int64_t i = 0; i < scene.n; i++) {
      CHECK_INT(tsr_random_discs_fill(&random, i, i + 1, &out, &error), TSR_OK);
      CHECK(memcmp(points, &scene.points[3 * i], sizeof points) == 0 && radius == scene.radii[i]);
      CHECK(points[0] >= 0 && points[0] <= 1 && points[1] >= 0 && points[1] <= 1 && radius > 0);
    }
    disc_scene_free(&scene);
  }
}

/** Two discs: the frame holds both, in the middle of the longer side, in each plane. */
static void frames_hold_the_discs(void) {
  static const double points[] = {1, 2, 3, 5, 4, 7, NAN, 0, 0};
  static const double radii[] = {0.5, 1.0, 9.0};
  static const double expected[2][3] = {{0.5, 1.5, 3.0}, {0.5, 2.5, -4.0}};
  tsr_discs_view view;
  tsr_discs_options o;
  tsr_error error;
  tsr_discs_view_init(&view);
  view.points = (tsr_array){points, TSR_DOUBLE, 3, 3};
  view.radii = (tsr_array){radii, TSR_DOUBLE, 1, 3};
  for (int plane = 0; plane < 2; plane++) {
    double low[3], high[3];
    tsr_discs_options_init(&o);
    o.width = 100;
    o.height = 50;
    if (plane == 1) { /* XZ, seen from -y */
      o.up[1] = 0.0;
      o.up[2] = 1.0;
    }
    CHECK_INT(tsr_discs_bounds(&view, &o, low, high, &error), TSR_OK);
    for (int a = 0; a < 3; a++) {
      CHECK_NEAR(low[a], expected[plane][a], 1e-12);
    }
    CHECK_NEAR(high[0], 6.0, 1e-12);
    CHECK_NEAR(high[1], plane == 0 ? 5.0 : 8.0, 1e-12);
    tsr_discs_frame(low, high, &o);
    CHECK_NEAR(o.pixel_size, fmax(5.5 / 100, (high[1] - low[1]) / 50), 1e-12);
    CHECK_NEAR(o.corner[0], 3.25 - 50 * o.pixel_size, 1e-12);
    CHECK_NEAR(o.corner[plane == 0 ? 1 : 2], 0.5 * (low[1] + high[1]) - 25 * o.pixel_size, 1e-12);
    CHECK_NEAR(o.corner[plane == 0 ? 2 : 1], plane == 0 ? 5.0 : 3.0, 1e-12);
  }
}

/** Entries are the map at the middles of their intervals; a jump has two points of one value. */
static void tables_are_linear_between_points(void) {
  static const double map[] = {2, 0, 0, 0, 4, 1, 0.5, 0, 4, 0, 1, 1, 6, 0, 0, 1};
  double table[24];
  tsr_error error;
  CHECK_INT(tsr_discs_color_table(map, 4, table, 8, &error), TSR_OK);
  for (int e = 0; e < 8; e++) {
    const double t = ((e % 4) + 0.5) / 4;
    CHECK_NEAR(table[3 * e], e < 4 ? t : 0.0, 1e-15);
    CHECK_NEAR(table[3 * e + 1], e < 4 ? 0.5 * t : 1.0 - t, 1e-15);
    CHECK_NEAR(table[3 * e + 2], e < 4 ? 0.0 : 1.0, 1e-15);
  }
  CHECK_INT(tsr_discs_color_table(map + 4, 1, table, 2, &error), TSR_OK);
  CHECK(table[0] == 1 && table[1] == 0.5 && table[5] == 0);
  CHECK_INT(tsr_discs_color_table(map, 0, table, 2, &error), TSR_BAD_OPTION);
}

static void random_curves_are_made_in_any_pieces(void) {
  enum { N = 1000, VALUES = 3 * N * 4 };
  static float all[VALUES], one[12];
  double sum = 0.0;
  tsr_error error;
  CHECK_INT(tsr_random_curves_fill(7, 3, 0, N, all, &error), TSR_OK);
  for (int i = 0; i < N; i++) {
    CHECK_INT(tsr_random_curves_fill(7, 3, i, i + 1, one, &error), TSR_OK);
    CHECK_INT(memcmp(one, all + (ptrdiff_t)12 * i, sizeof one), 0);
  }
  for (int i = 0; i < VALUES; i++) {
    CHECK(all[i] >= 0.0f && all[i] <= 1.0f);
    sum += (double)all[i];
  }
  /* The mean of so many uniform numbers, within five standard deviations. */
  CHECK_NEAR(sum / VALUES, 0.5, 5.0 * sqrt(1.0 / 12.0 / VALUES));
  CHECK_INT(tsr_random_curves_fill(7, 0, 0, 1, all, &error), TSR_BAD_OPTION);
  CHECK_INT(tsr_random_curves_fill(7, 1, 2, 1, all, &error), TSR_BAD_OPTION);
}

int main(void) {
  scenes_are_those_of_the_loop();
  samples_on_the_edge_count();
  sizes_do_not_matter();
  orders_are_stable();
  the_area_is_that_of_a_circle();
  colors_and_planes();
  one_after_another();
  threads_do_not_matter();
  scenes_are_made_in_any_pieces();
  frames_hold_the_discs();
  tables_are_linear_between_points();
  random_curves_are_made_in_any_pieces();
  return check_result();
}
