/* SPDX-License-Identifier: BSD-3-Clause */
/** Scenes of discs to try a disc image on. */
#include "common/random_math.h"
#include "common/support.h"
#include "discs/tessera_discs.h"

#include <math.h>
#include <string.h>

/* Property, first member, type, how many, bounds, defaults. */
#define ONE(NAME, MEMBER, TYPE, NUMBERS, LEAST, MOST, ...)                                         \
  TSR_PROPERTY(tsr_random_discs_options, NAME, MEMBER, TYPE, NUMBERS, 1, LEAST, MOST, __VA_ARGS__)

enum { BACK_GRID = 31, FRONT_GRID = 16, NUMBERS = 8 /* that a disc draws at most */ };

typedef struct random_disc {
  double place[2], radius, opacity, color[3];
} random_disc;

static const tsr_property properties[] = {
    ONE(Scene, scene, CHOICE, 1, 0, TSR_SCENE_BIG_LITTLE, TSR_SCENE_RANDOM),
    ONE(NumberOfDiscs, count, INT64, 1, 0, INFINITY, 10000),
    ONE(Seed, seed, INT64, 1, -INFINITY, INFINITY, 1),
    ONE(RadiusRange, smallest, DOUBLE, 2, 0, INFINITY, 0.02, 0.08),
    ONE(Opacity, opacity, DOUBLE, 1, 0, 1, 0.5)};

enum { PROPERTIES = sizeof properties / sizeof properties[0] };

const tsr_property *tsr_random_discs_properties(int *n) {
  *n = PROPERTIES;
  return properties;
}

void tsr_random_discs_options_init(tsr_random_discs_options *options) {
  tsr_options_init(options, sizeof *options, properties, PROPERTIES);
}

void tsr_random_discs_output_init(tsr_random_discs_output *output) {
  memset(output, 0, sizeof *output);
  output->struct_size = sizeof *output;
}

static tsr_status check_options(const tsr_random_discs_options *from, tsr_random_discs_options *o,
                                tsr_error *error) {
  tsr_random_discs_options_init(o);
  if (tsr_copy_versioned(o, sizeof *o, from, "options of the random discs", TSR_BAD_OPTION,
                         error) != TSR_OK)
    return TSR_BAD_OPTION;
  if ((unsigned)o->scene > (unsigned)TSR_SCENE_BIG_LITTLE)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "the scene %d is unknown", (int)o->scene);
  if (o->count < 0 || o->count > TSR_DISCS_MAX_DISCS)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "the number of discs must be from 0 to %d, not %lld",
                    TSR_DISCS_MAX_DISCS, (long long)o->count);
  if (!(o->smallest >= 0.0 && o->smallest <= o->largest && o->largest <= 1e30))
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "the radii must rise from 0 or more to at most 1e30, but %g to %g does not",
                    o->smallest, o->largest);
  if (!(o->opacity >= 0.0 && o->opacity <= 1.0))
    return tsr_fail(error, TSR_BAD_OPTION, -1, "the opacity must be a number from 0 to 1, not %g",
                    o->opacity);
  return TSR_OK;
}

static int64_t count_of(const tsr_random_discs_options *o) {
  if (o->scene == TSR_SCENE_RGB)
    return 3;
  return o->scene == TSR_SCENE_PATTERN ? BACK_GRID * BACK_GRID + FRONT_GRID * FRONT_GRID : o->count;
}

int64_t tsr_random_discs_count(const tsr_random_discs_options *options) {
  tsr_random_discs_options o;
  return check_options(options, &o, NULL) == TSR_OK ? count_of(&o) : -1;
}

static void make_rgb(int64_t i, random_disc *disc) {
  static const double places[3][2] = {{0.4, 0.6}, {0.5, 0.4}, {0.6, 0.6}};
  memcpy(disc->place, places[i], sizeof disc->place);
  disc->radius = 0.3;
  for (int c = 0; c < 3; ++c)
    disc->color[c] = c == (int)i ? 1.0 : 0.0;
}

static void make_pattern(int64_t i, random_disc *disc) {
  const int front = i >= BACK_GRID * BACK_GRID;
  const int64_t k = front ? i - BACK_GRID * BACK_GRID : i, n = front ? FRONT_GRID : BACK_GRID;
  for (int a = 0; a < 2; ++a)
    disc->place[a] = ((double)(a == 0 ? k % n : k / n) + 0.5) / (double)n;
  disc->radius = 0.5 / (double)n;
  disc->color[0] = front ? 1.0 : disc->place[0];
  disc->color[1] = front ? 1.0 - disc->place[1] : 0.5;
  disc->color[2] = front ? 0.2 : disc->place[1];
}

static void make_disc(const tsr_random_discs_options *o, int64_t i, random_disc *disc) {
  const int64_t n = count_of(o);
  const double near = n > 0 ? ((double)i + 0.5) / (double)n : 0.0;
  double u[NUMBERS];
  for (int k = 0; k < NUMBERS; ++k)
    u[k] = tsr_random((uint64_t)o->seed, (uint64_t)i * NUMBERS + (uint64_t)k);
  disc->opacity = o->opacity;
  disc->place[0] = u[0];
  disc->place[1] = u[1];
  for (int c = 0; c < 3; ++c)
    disc->color[c] = 0.1 + 0.9 * u[2 + c];
  disc->radius = o->smallest + (o->largest - o->smallest) * u[5];
  if (o->scene == TSR_SCENE_RGB)
    make_rgb(i, disc);
  else if (o->scene == TSR_SCENE_PATTERN)
    make_pattern(i, disc);
  else if (o->scene == TSR_SCENE_SNOW) {
    /* The nearer a flake is, the larger and clearer it looks. */
    disc->radius = (0.0075 + 0.0075 * u[5]) / (0.2 + 2.0 * (1.0 - near));
    disc->color[0] = disc->color[1] = disc->color[2] = 1.0;
    disc->opacity = o->opacity * (0.4 + 0.6 * near);
  } else if (o->scene == TSR_SCENE_BIG_LITTLE) {
    disc->radius = near < 0.5 ? 0.1 + 0.1 * u[5] : 0.004 + 0.01 * u[5];
  }
}

tsr_status tsr_random_discs_fill(const tsr_random_discs_options *options, int64_t begin,
                                 int64_t end, const tsr_random_discs_output *output,
                                 tsr_error *error) {
  tsr_random_discs_options o;
  tsr_random_discs_output out;
  tsr_status status = check_options(options, &o, error);
  tsr_random_discs_output_init(&out);
  if (status == TSR_OK)
    status = tsr_copy_versioned(&out, sizeof out, output, "output of the random discs",
                                TSR_BAD_OPTION, error);
  if (status == TSR_OK && (begin < 0 || begin > end || end > count_of(&o)))
    return tsr_fail(error, TSR_BAD_OPTION, -1,
                    "discs %lld to %lld are not among the %lld of the scene", (long long)begin,
                    (long long)end, (long long)count_of(&o));
  for (int64_t i = begin; i < end && status == TSR_OK; ++i) {
    const int64_t at = i - begin;
    random_disc disc;
    make_disc(&o, i, &disc);
    for (int a = 0; a < 2 && out.points; ++a)
      out.points[3 * at + a] = (float)disc.place[a];
    if (out.points)
      out.points[3 * at + 2] = (float)(((double)i + 0.5) / (double)count_of(&o));
    if (out.radii)
      out.radii[at] = (float)disc.radius;
    for (int c = 0; c < 3 && out.colors; ++c)
      out.colors[3 * at + c] = tsr_to_uint8(disc.color[c] * 255.0);
    if (out.opacities)
      out.opacities[at] = (float)disc.opacity;
  }
  return status;
}
