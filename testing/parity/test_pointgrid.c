/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Point grids, CPU against CUDA: the same leaves, order of points and values for every shape,
 * balance and output, with every launch strategy.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "outputs.h"
#include "point_case.h"

#define SAME(MEMBER, N)                                                                            \
  CHECK_SAY(memcmp(cpu->MEMBER, cuda->MEMBER, (size_t)(N) * sizeof *cpu->MEMBER) == 0,             \
            "%s: " #MEMBER " differs", what)

static void compare(const point_out *cpu, const point_out *cuda, const char *what) {
  const tsr_pointgrid_sizes *s = &cpu->sizes;
  CHECK_SAY(cpu->status == TSR_OK, "%s: %s", what, cpu->error.text);
  if (!CHECK_SAY(cuda->status == TSR_OK, "%s: %s", what, cuda->error.text) ||
      !CHECK_SAY(memcmp(s, &cuda->sizes, sizeof *s) == 0, "%s: sizes differ", what)) {
    return;
  }
  SAME(points, 3 * s->points);
  SAME(connectivity, s->connectivity);
  SAME(count, s->cells);
  SAME(level, s->cells);
  SAME(density, s->cells);
  SAME(state, s->cells);
  SAME(mean, s->cells);
  SAME(least, s->cells);
  SAME(greatest, s->cells);
  SAME(pair_mean, 2 * s->cells);
  SAME(leaf, s->points);
  SAME(source, s->points);
  SAME(value, s->points);
  SAME(pair, 2 * s->points);
}

/** What was asked for is what ran; Auto is Flat, or Host Waves where the spread counts. */
static void check_strategy(const point_out *cuda, tsr_pointgrid_strategy asked, int use_spread,
                           const char *what) {
  const int automatic = use_spread ? TSR_POINTGRID_HOST_WAVES : TSR_POINTGRID_FLAT;
  const int expected = asked == TSR_POINTGRID_STRATEGY_AUTO ? automatic : (int)asked;
  const tsr_report *r = &cuda->report;
  if (cuda->status != TSR_OK || cuda->sizes.kept == 0) {
    return;
  }
  CHECK_SAY(r->strategy == expected, "%s: strategy %d ran", what, r->strategy);
  if (expected != TSR_POINTGRID_RECURSIVE_CHILDREN) {
    CHECK_SAY(r->child_launches == 0, "%s: it launched", what);
    return;
  }
  CHECK_SAY(r->child_items + r->inline_items == cuda->sizes.kept, "%s: %lld and %lld points", what,
            (long long)r->child_items, (long long)r->inline_items);
  /* Of very many points the first levels are sorted before, and may be all that there are. */
  CHECK_SAY(cuda->sizes.leaves == 1 || cuda->sizes.kept >= 1 << 20 ||
                r->child_launches + r->refused_launches > 0,
            "%s: no launch was tried", what);
}

/** The strategies that these options can run with. */
static void run_strategies(const point_case *set, const tsr_pointgrid_view *view,
                           const tsr_pointgrid_options *options, const char *what) {
  static const tsr_pointgrid_strategy strategies[] = {TSR_POINTGRID_STRATEGY_AUTO,
                                                      TSR_POINTGRID_FLAT, TSR_POINTGRID_HOST_WAVES,
                                                      TSR_POINTGRID_RECURSIVE_CHILDREN};
  static const int64_t pools[] = {0, 1, 7, 2048};
  const tsr_execution on_cpu = execution_cpu();
  point_out cpu;
  point_run(set, view, options, &on_cpu, &cpu);
  for (int i = 0; i < 4; i++) {
    const int recursive = strategies[i] == TSR_POINTGRID_RECURSIVE_CHILDREN;
    for (int pool = 0; pool < (recursive ? 4 : 1); pool++) {
      for (int depth = 8; depth >= (recursive ? 1 : 8); depth -= 7) {
        const tsr_execution on_cuda = execution_cuda();
        tsr_pointgrid_options launched = *options;
        point_out cuda;
        char text[200];
        launched.launch.strategy = strategies[i];
        launched.launch.pending_launches = pools[pool];
        launched.launch.nesting_depth = depth;
        if (options->use_spread && (strategies[i] == TSR_POINTGRID_FLAT || recursive)) {
          continue; /* refused: see below */
        }
        snprintf(text, sizeof text, "%s, strategy %d, pool %lld, depth %d", what,
                 (int)strategies[i], (long long)pools[pool], depth);
        point_run(set, view, &launched, &on_cuda, &cuda);
        compare(&cpu, &cuda, text);
        CHECK_SAY(cuda.status != TSR_OK || cuda.sizes.kept == 0 ||
                      cuda.report.backend == TSR_BACKEND_CUDA,
                  "%s: the CPU ran", text);
        check_strategy(&cuda, strategies[i], options->use_spread, text);
        point_out_free(&cuda);
      }
    }
  }
  point_out_free(&cpu);
}

static void run_all(const point_case *set, const tsr_pointgrid_view *view,
                    tsr_pointgrid_options options, const char *name) {
  for (int shape = TSR_POINTGRID_OCTREE; shape <= TSR_POINTGRID_XZ; shape++) {
    for (int kind = 0; kind < 3; kind++) {
      char what[160];
      options.shape = (tsr_pointgrid_shape)shape;
      options.output = (tsr_pointgrid_output_kind)kind;
      options.balance = (tsr_balance)((shape + kind) % 4);
      snprintf(what, sizeof what, "%s, shape %d, output %d", name, shape, kind);
      run_strategies(set, view, &options, what);
    }
  }
}

/** Compares a set with enough points that the recursion sorts its first levels beforehand. The
 * points are so unevenly distributed that some cells of these levels are leaves. */
static void run_large(void) {
  point_case set;
  tsr_pointgrid_options o;
  tsr_pointgrid_options_init(&o);
  point_case_init(&set, 1500000);
  point_case_crowd(&set);
  const tsr_pointgrid_view view = point_case_view(&set);
  run_strategies(&set, &view, &o, "1.5 million points");
  o.shape = TSR_POINTGRID_XY;
  o.output = TSR_POINTGRID_POINTS;
  run_strategies(&set, &view, &o, "1.5 million points, quadtree");
  o.shape = TSR_POINTGRID_OCTREE;
  o.max_level = 2;
  run_strategies(&set, &view, &o, "1.5 million points, level 2");
  set.points[4000] = NAN;
  o.max_level = 20;
  o.max_points = 300000;
  run_strategies(&set, &view, &o, "1.5 million points, few leaves");
  point_case_free(&set);
}

enum { TYPES = 10, COMPONENTS = 3 };

/** What comes of one array, in bytes. */
typedef struct array_out {
  char *mean, *least, *greatest, *out;
} array_out;

/** Plans, and fills one array alone. */
static void run_array(const point_case *set, tsr_pointgrid_options *o, const tsr_execution *e,
                      tsr_array array, array_out *to, size_t *cells) {
  const tsr_pointgrid_view view = point_case_view(set);
  const size_t width = tsr_type_size(array.type) * COMPONENTS;
  tsr_pointgrid_plan *plan = NULL;
  tsr_pointgrid_output out;
  tsr_pointgrid_attribute attribute = {.in = array};
  tsr_error error;
  tsr_report report;
  CHECK_INT(tsr_pointgrid_plan_create(&view, o, e, &plan, &error), TSR_OK);
  *cells = (size_t)tsr_pointgrid_plan_sizes(plan)->cells;
  to->mean = calloc(*cells * COMPONENTS, sizeof *attribute.mean);
  to->least = calloc(*cells, width);
  to->greatest = calloc(*cells, width);
  to->out = calloc(*cells, width);
  attribute.mean = (double *)to->mean;
  attribute.least = to->least;
  attribute.greatest = to->greatest;
  attribute.out = to->out;
  tsr_pointgrid_output_init(&out);
  out.attributes = &attribute;
  out.n_attributes = 1;
  CHECK_INT(tsr_pointgrid_fill(plan, &out, &error), TSR_OK);
  tsr_pointgrid_plan_report(plan, &report);
  CHECK_INT(report.backend, e->backend);
  tsr_pointgrid_plan_free(plan);
}

static void free_array(array_out *it) {
  free(it->mean);
  free(it->least);
  free(it->greatest);
  free(it->out);
}

/** Bytes at random in all types: not-a-number, infinite values and all integers; of floating point
 *  often zeros of either sign. */
static void run_type(const point_case *set, tsr_pointgrid_options o, tsr_type type) {
  const size_t width = tsr_type_size(type), n = (size_t)set->n * COMPONENTS;
  const tsr_execution on_cpu = execution_cpu(), on_cuda = execution_cuda();
  char *values = malloc(n * width);
  const tsr_array array = {values, type, COMPONENTS, set->n};
  array_out cpu, cuda;
  size_t cells, other;
  for (size_t i = 0; i < n * width; i++) {
    values[i] = (char)(point_case_random(i) * 256.0);
  }
  for (size_t i = 0; i < n && (type == TSR_FLOAT || type == TSR_DOUBLE); i++) {
    const double zero = i % 2 == 0 ? 0.0 : -0.0;
    if (i % 5 != 0 && type == TSR_FLOAT) {
      ((float *)values)[i] = (float)zero;
    } else if (i % 5 != 0) {
      ((double *)values)[i] = zero;
    }
  }
  run_array(set, &o, &on_cpu, array, &cpu, &cells);
  run_array(set, &o, &on_cuda, array, &cuda, &other);
  if (CHECK_INT((long long)other, (long long)cells)) {
    CHECK_SAY(memcmp(cpu.mean, cuda.mean, cells * COMPONENTS * 8) == 0, "type %d: means", type);
    CHECK_SAY(memcmp(cpu.least, cuda.least, cells * COMPONENTS * width) == 0, "type %d: least",
              type);
    CHECK_SAY(memcmp(cpu.greatest, cuda.greatest, cells * COMPONENTS * width) == 0,
              "type %d: greatest", type);
    CHECK_SAY(memcmp(cpu.out, cuda.out, cells * COMPONENTS * width) == 0, "type %d: points", type);
  }
  free_array(&cpu);
  free_array(&cuda);
  free(values);
}

/** Arrays of all types in leaves of few points, in one of all, and in the points' order. */
static void run_types(const point_case *set) {
  tsr_pointgrid_options o;
  tsr_pointgrid_options_init(&o);
  for (int type = 0; type < TYPES; type++) {
    o.output = TSR_POINTGRID_CELLS;
    o.max_level = 20;
    run_type(set, o, (tsr_type)type);
    o.max_level = type % 3;
    run_type(set, o, (tsr_type)type);
    o.output = TSR_POINTGRID_POINTS;
    run_type(set, o, (tsr_type)type);
  }
}

static void refused(const point_case *set, tsr_pointgrid_launch launch, int use_spread) {
  const tsr_pointgrid_view view = point_case_view(set);
  const tsr_execution e = execution_cuda();
  tsr_pointgrid_options o;
  point_out out;
  tsr_pointgrid_options_init(&o);
  o.use_spread = use_spread;
  o.spread_array = point_case_values(set);
  o.launch = launch;
  CHECK_INT(point_run(set, &view, &o, &e, &out), TSR_BAD_OPTION);
}

int main(int argc, char **argv) {
  const int small = argc > 1 && strcmp(argv[1], "small") == 0; /* for an emulated device */
  const int missing = gpu_missing();
  point_case set;
  tsr_pointgrid_options o;
  if (missing) {
    return missing;
  }
  point_case_init(&set, small ? 120 : 60000);
  point_case_crowd(&set);
  tsr_pointgrid_view view = point_case_view(&set);
  uint8_t *hidden = calloc((size_t)set.n, 1);
  for (int64_t i = 0; i < set.n; i += 7) {
    hidden[i] = 1;
  }
  tsr_pointgrid_options_init(&o);
  run_types(&set);
  run_all(&set, &view, o, "64 points");
  o.max_points = 1;
  run_all(&set, &view, o, "1 point");
  o.max_points = 100000;
  run_all(&set, &view, o, "one leaf");
  o.max_points = 16;
  o.max_level = 3;
  run_all(&set, &view, o, "level 3");
  o.max_level = 20;
  view.hidden = hidden;
  set.points[300] = NAN;
  run_all(&set, &view, o, "hidden points");
  o.use_spread = 1;
  o.spread = 18.0;
  o.spread_array = point_case_values(&set);
  run_all(&set, &view, o, "spread");
  o.spread_of = TSR_POINTGRID_SPREAD_OF_Z;
  o.spread = 0.02;
  run_all(&set, &view, o, "spread of z");
  o.use_spread = 0;
  view.hidden = NULL;
  for (int64_t i = 0; i < 3 * set.n; i++) {
    set.points[i] = i < 3 * 1000 ? (double)(i % 3) : 5.0; /* most in one place */
  }
  run_all(&set, &view, o, "one place");
  if (!small) {
    run_large();
  }
  const tsr_pointgrid_launch launch = o.launch;
  o.launch.strategy = (tsr_pointgrid_strategy)1;
  refused(&set, o.launch, 0);
  o.launch.strategy = TSR_POINTGRID_FLAT;
  refused(&set, o.launch, 1);
  o.launch.strategy = TSR_POINTGRID_RECURSIVE_CHILDREN;
  refused(&set, o.launch, 1);
  o.launch = launch;
  o.launch.child_stream = (tsr_child_stream)4;
  refused(&set, o.launch, 0);
  o.launch = launch;
  o.launch.pending_launches = 262145;
  refused(&set, o.launch, 0);
  o.launch = launch;
  o.launch.nesting_depth = 0;
  refused(&set, o.launch, 0);
  free(hidden);
  point_case_free(&set);
  return check_result();
}
