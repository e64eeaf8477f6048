/* SPDX-License-Identifier: BSD-3-Clause */
#include "disc_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const char *const disc_scene_names[DISC_SCENES] = {"rgb",        "rand10k",   "rand100k", "pattern",
                                                   "snowsingle", "biglittle", "million"};

void disc_scene_options(int scene, tsr_random_discs_options *options) {
  static const tsr_discs_scene kinds[DISC_SCENES] = {
      TSR_SCENE_RGB,  TSR_SCENE_RANDOM,     TSR_SCENE_RANDOM, TSR_SCENE_PATTERN,
      TSR_SCENE_SNOW, TSR_SCENE_BIG_LITTLE, TSR_SCENE_RANDOM};
  static const int64_t counts[DISC_SCENES] = {3, 10000, 100000, 1217, 100000, 10000, 1000000};
  tsr_random_discs_options_init(options);
  options->scene = kinds[scene];
  options->count = counts[scene];
  if (scene == DISC_SCENES - 1) {
    options->smallest = 0.002;
    options->largest = 0.008;
  }
}

static void *memory(int64_t count, size_t size) {
  void *pointer = malloc(count > 0 ? (size_t)count * size : 1);
  if (pointer == NULL) {
    printf("no memory for %lld discs\n", (long long)count);
    exit(1);
  }
  return pointer;
}

void disc_scene_make(const tsr_random_discs_options *options, disc_scene *scene) {
  tsr_random_discs_output out;
  tsr_error error;
  scene->n = tsr_random_discs_count(options);
  scene->points = memory(3 * scene->n, sizeof *scene->points);
  scene->radii = memory(scene->n, sizeof *scene->radii);
  scene->opacities = memory(scene->n, sizeof *scene->opacities);
  scene->colors = memory(3 * scene->n, 1);
  tsr_random_discs_output_init(&out);
  out.points = scene->points;
  out.radii = scene->radii;
  out.colors = scene->colors;
  out.opacities = scene->opacities;
  if (tsr_random_discs_fill(options, 0, scene->n, &out, &error) != TSR_OK) {
    printf("%s\n", error.text);
    exit(1);
  }
}

void disc_scene_free(disc_scene *scene) {
  free(scene->points);
  free(scene->radii);
  free(scene->opacities);
  free(scene->colors);
}

void disc_scene_view(const disc_scene *scene, tsr_discs_view *view) {
  tsr_discs_view_init(view);
  view->points = (tsr_array){scene->points, TSR_FLOAT, 3, scene->n};
  if (scene->radii != NULL) {
    view->radii = (tsr_array){scene->radii, TSR_FLOAT, 1, scene->n};
  }
  if (scene->colors != NULL) {
    view->colors = (tsr_array){scene->colors, TSR_UINT8, 3, scene->n};
  }
  if (scene->opacities != NULL) {
    view->opacities = (tsr_array){scene->opacities, TSR_FLOAT, 1, scene->n};
  }
}

void disc_scene_square(int pixels, tsr_discs_options *options) {
  tsr_discs_options_init(options);
  options->width = options->height = pixels;
  options->pixel_size = 1.0 / pixels;
}

/** Draws disc k onto the channels of the sample whose centre is at (x, y), in samples. */
static int draw(const disc_scene *scene, const tsr_discs_options *o, int64_t k, double x, double y,
                double channel[4]) {
  const double unit = o->supersampling / o->pixel_size;
  const double cx = ((double)scene->points[3 * k] - o->corner[0]) * unit;
  const double cy = ((double)scene->points[3 * k + 1] - o->corner[1]) * unit;
  double r = o->radius * (scene->radii != NULL ? (double)scene->radii[k] : 1.0);
  r *= o->radius_in_pixels ? o->supersampling : unit;
  const double d2 = (x - cx) * (x - cx) + (y - cy) * (y - cy);
  if (!(r > 0.0) || !(d2 <= r * r) || isinf(r)) {
    return 0;
  }
  double opacity = o->opacity * (scene->opacities != NULL ? (double)scene->opacities[k] : 1.0);
  opacity = opacity < 0.0 ? 0.0 : opacity > 1.0 ? 1.0 : opacity;
  if (o->falloff == TSR_DISCS_GAUSSIAN) {
    opacity *= exp(-o->sharpness * d2 / (r * r));
  }
  for (int c = 0; c < 3; c++) {
    const double color =
        scene->colors != NULL ? (double)scene->colors[3 * k + c] * (1.0 / 255.0) : o->color[c];
    channel[c] = channel[c] * (1.0 - opacity) + color * opacity;
  }
  channel[3] = channel[3] * (1.0 - opacity);
  return 1;
}

void disc_reference(const disc_scene *scene, const tsr_discs_options *o, const int64_t *sequence,
                    uint8_t *rgba, int64_t *top) {
  const int n = o->supersampling;
  for (int64_t pixel = 0; pixel < (int64_t)o->width * o->height; pixel++) {
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    int64_t last = -1;
    for (int s = 0; s < n * n; s++) {
      const double x = (double)(pixel % o->width * n + s % n) + 0.5;
      const double y = (double)(pixel / o->width * n + s / n) + 0.5;
      double channel[4] = {o->background[0] * o->background[3], o->background[1] * o->background[3],
                           o->background[2] * o->background[3], 1.0 - o->background[3]};
      for (int64_t rank = 0; rank < scene->n; rank++) {
        if (draw(scene, o, sequence != NULL ? sequence[rank] : rank, x, y, channel) &&
            rank > last) {
          last = rank;
        }
      }
      for (int c = 0; c < 4; c++) {
        sum[c] += channel[c];
      }
    }
    const double opacity = 1.0 - sum[3] / (n * n);
    for (int c = 0; c < 3; c++) {
      const double v = opacity > 0.0 ? sum[c] / (n * n) / opacity * 255.0 : 0.0;
      rgba[4 * pixel + c] = (uint8_t)(v >= 255.0 ? 255.0 : floor(v + 0.5));
    }
    rgba[4 * pixel + 3] = (uint8_t)floor(opacity * 255.0 + 0.5);
    if (top != NULL) {
      top[pixel] = last >= 0 && sequence != NULL ? sequence[last] : last;
    }
  }
}
