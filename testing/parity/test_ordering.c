/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Points to curves, CPU against CUDA: the same sizes, notes and bytes for every type of group and
 * order, sort, cut, tolerance and number of points.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "outputs.h"
#include "point_set.h"

enum { ARRAYS = 12 };

/** All that a fill writes, one array after the other. */
typedef struct filled {
  tsr_ordering_sizes sizes;
  tsr_report report;
  char *bytes[ARRAYS];
  size_t size[ARRAYS];
  int n;
} filled;

static void *room(filled *f, int64_t bytes) {
  f->size[f->n] = (size_t)bytes;
  f->bytes[f->n] = malloc((size_t)bytes + 8);
  memset(f->bytes[f->n], 0xa5, (size_t)bytes + 8);
  return f->bytes[f->n++];
}

static int make(const point_set *set, const tsr_ordering_options *options, tsr_backend_id backend,
                filled *f) {
  const tsr_ordering_view view = point_set_view(set);
  tsr_execution execution;
  tsr_execution_init(&execution);
  execution.backend = backend;
  tsr_ordering_plan *plan = NULL;
  tsr_error error = {TSR_OK, -1, ""};
  memset(f, 0, sizeof *f);
  if (!CHECK_SAY(tsr_ordering_plan_create(&view, options, &execution, &plan, &error) == TSR_OK,
                 "the plan: %s", error.text)) {
    return 0;
  }
  f->sizes = *tsr_ordering_plan_sizes(plan);
  const int64_t cells = f->sizes.verts + f->sizes.lines, points = f->sizes.points;
  int8_t *colour = malloc((size_t)(3 * set->n + 1));
  for (int64_t i = 0; i < 3 * set->n; i++) {
    colour[i] = (int8_t)(i * 7 % 127);
  }
  const tsr_ordering_attribute attributes[] = {
      {{colour, TSR_INT8, 3, set->n}, room(f, 3 * points), TSR_AT_POINTS},
      {{set->points, TSR_FLOAT, 6, set->n}, room(f, 24 * cells), TSR_AT_FIRST},
      {{set->points, TSR_DOUBLE, 3, set->n}, room(f, 24 * cells), TSR_AT_LAST}};
  tsr_ordering_output out;
  tsr_ordering_output_init(&out);
  out.points = room(f, 24 * points);
  out.vert_offsets = room(f, 8 * (f->sizes.verts + 1));
  out.vert_connectivity = room(f, 8 * f->sizes.verts);
  out.line_offsets = room(f, 8 * (f->sizes.lines + 1));
  out.line_connectivity = room(f, 8 * (points - f->sizes.verts));
  out.length = room(f, 8 * cells);
  out.point_ids = room(f, 8 * points);
  out.first_ids = room(f, 8 * cells);
  out.last_ids = room(f, 8 * cells);
  out.attributes = attributes;
  out.n_attributes = 3;
  CHECK_SAY(tsr_ordering_fill(plan, &out, &error) == TSR_OK, "the fill: %s", error.text);
  tsr_ordering_plan_report(plan, &f->report);
  free(colour);
  tsr_ordering_plan_free(plan);
  return 1;
}

static void drop(filled *f) {
  for (int k = 0; k < f->n; k++) {
    free(f->bytes[k]);
  }
}

static void check_same(const point_set *set, const tsr_ordering_options *options,
                       const char *what) {
  filled cpu, cuda;
  const int made = make(set, options, TSR_BACKEND_CPU, &cpu);
  if (make(set, options, TSR_BACKEND_CUDA, &cuda) && made) {
    CHECK_INT(cuda.report.backend, TSR_BACKEND_CUDA);
    CHECK_SAY(memcmp(&cpu.sizes, &cuda.sizes, sizeof cpu.sizes) == 0,
              "%s: %lld points, %lld lines, %lld verts on the CPU, %lld, %lld, %lld on CUDA", what,
              (long long)cpu.sizes.points, (long long)cpu.sizes.lines, (long long)cpu.sizes.verts,
              (long long)cuda.sizes.points, (long long)cuda.sizes.lines,
              (long long)cuda.sizes.verts);
    for (int k = 0; k < cpu.n && k < cuda.n && cpu.size[k] == cuda.size[k]; k++) {
      CHECK_SAY(memcmp(cpu.bytes[k], cuda.bytes[k], cpu.size[k] + 8) == 0, "%s: array %d differs",
                what, k);
    }
  }
  drop(&cpu);
  drop(&cuda);
}

static uint64_t state = 5;

static void random_values(void *values, tsr_type type, int64_t n, int64_t different) {
  for (int64_t i = 0; i < n; i++) {
    const int64_t v = (int64_t)(point_set_random(&state) % (uint64_t)different) - different / 3;
    point_set_put(values, type, i, v);
    if (type == TSR_DOUBLE && different > 1000) {
      ((double *)values)[i] = i % 97 == 0 ? NAN : i % 89 == 0 ? -0.0 : (double)v * 1.0000001e-3;
    }
  }
}

/** Places step by step, so that repeats, creeping and jumps occur; some are nowhere. */
static point_set tracks(int64_t n) {
  point_set set = point_set_make(n, state);
  for (int64_t i = 0; i < n; i++) {
    for (int c = 0; c < 3; c++) {
      set.points[3 * i + c] =
          (double)(i / 3) * 1e-3 + (double)(point_set_random(&state) % 3) * 1e-3;
    }
    if (i % 1013 == 5) {
      set.points[3 * i + 1] = i % 2 ? NAN : HUGE_VAL;
    }
  }
  return set;
}

static void check_options(point_set *set, const char *types) {
  for (int mask = 0; mask < 16; mask++) {
    char what[120];
    tsr_ordering_options o;
    tsr_ordering_options_init(&o);
    o.use_gap = mask & 1;
    o.max_gap = 30.0;
    o.use_distance = (mask & 2) != 0;
    o.max_distance = 0.05;
    o.drop_repeats = (mask & 4) != 0;
    o.tolerance = mask % 3 ? 0.0025 : 0.0;
    o.singles = mask & 8 ? TSR_SINGLES_DROP : TSR_SINGLES_VERTICES;
    snprintf(what, sizeof what, "%s, options %d", types, mask);
    check_same(set, &o, what);
  }
}

int main(int argc, char **argv) {
  const int small = argc > 1 && strcmp(argv[1], "small") == 0; /* for an emulated device */
  const int missing = gpu_missing();
  if (missing) {
    return missing;
  }
  for (int group = TSR_INT8; group <= TSR_DOUBLE + 1; group++) {
    for (int order = TSR_INT8; order <= TSR_DOUBLE + 1; order++) {
      const int64_t n = (group + order) % 5 == 0 ? small ? 3000 : 100000 : small ? 300 : 3000;
      char types[80];
      if (small && (group + order) % 3 != 0) {
        continue;
      }
      point_set set = tracks(n);
      if (group <= TSR_DOUBLE) {
        set.group_type = (tsr_type)group;
        set.group = point_set_values(n, set.group_type);
        random_values(set.group, set.group_type, n, order % 2 ? 90 : 5);
      }
      if (order <= TSR_DOUBLE) {
        set.order_type = (tsr_type)order;
        set.order = point_set_values(n, set.order_type);
        random_values(set.order, set.order_type, n, group % 2 ? 100 : (int64_t)1 << 60);
      }
      snprintf(types, sizeof types, "group of type %d, order of type %d", group, order);
      check_options(&set, types);
      point_set_free(&set);
    }
  }
  for (int64_t n = 0; n < 4; n++) {
    point_set set = tracks(n);
    check_options(&set, "few points");
    point_set_free(&set);
  }
  return check_result();
}
