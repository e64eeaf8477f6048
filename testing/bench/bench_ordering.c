/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Points to curves on the CPU: shuffled particles in tracks of 100 points.
 * bench_ordering [points] [threads]
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "executor.h"
#include "point_set.h"

static double seconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Orders: steps as integers, steps as numbers, or any numbers. */
enum { STEPS, TIMES, RANDOM, KINDS };
static const char *const kinds[KINDS] = {"integer steps", "times of steps", "random numbers"};

static point_set shuffled(int64_t n, int kind) {
  point_set set = point_set_make(n, 1);
  uint64_t state = 2;
  int64_t *at = malloc((size_t)n * sizeof *at);
  set.group_type = TSR_INT64;
  set.order_type = kind == STEPS ? TSR_INT64 : TSR_DOUBLE;
  set.group = point_set_values(n, set.group_type);
  set.order = point_set_values(n, set.order_type);
  for (int64_t i = 0; i < n; i++) {
    const int64_t j = (int64_t)(point_set_random(&state) % (uint64_t)(i + 1));
    at[i] = at[j];
    at[j] = i;
  }
  for (int64_t i = 0; i < n; i++) {
    ((int64_t *)set.group)[i] = at[i] / 100;
    if (kind == STEPS) {
      ((int64_t *)set.order)[i] = at[i] % 100;
    } else {
      ((double *)set.order)[i] =
          kind == TIMES ? 0.01 * (double)(at[i] % 100)
                        : (double)(point_set_random(&state) >> 11) / 9007199254740992.0;
    }
  }
  free(at);
  return set;
}

static void measure(const point_set *set, int repeats, const tsr_execution *execution,
                    const char *what) {
  const tsr_ordering_view view = point_set_view(set);
  tsr_ordering_options options;
  double plan_best = 1e30, fill_best = 1e30;
  tsr_ordering_options_init(&options);
  options.drop_repeats = options.use_gap = repeats;
  double *points = malloc((size_t)set->n * 3 * sizeof *points);
  int64_t *ids = malloc((size_t)(set->n + 1) * sizeof *ids);
  int64_t *offsets = malloc((size_t)(set->n + 1) * sizeof *offsets);
  for (int k = 0; k < 3; k++) {
    const double start = seconds();
    tsr_ordering_plan *plan = NULL;
    if (tsr_ordering_plan_create(&view, &options, execution, &plan, NULL) != TSR_OK) {
      exit(1);
    }
    const double planned = seconds();
    tsr_ordering_output out;
    tsr_ordering_output_init(&out);
    out.points = points;
    out.line_connectivity = ids;
    out.line_offsets = offsets;
    if (tsr_ordering_fill(plan, &out, NULL) != TSR_OK) {
      exit(1);
    }
    const double filled = seconds();
    plan_best = planned - start < plan_best ? planned - start : plan_best;
    fill_best = filled - planned < fill_best ? filled - planned : fill_best;
    tsr_ordering_plan_free(plan);
  }
  printf("%-16s%s  plan %.3f s, fill %.3f s: %.1f million points a second\n", what,
         repeats ? " repeats and gaps" : "", plan_best, fill_best,
         1e-6 * (double)set->n / (plan_best + fill_best));
  free(points);
  free(ids);
  free(offsets);
}

int main(int argc, char **argv) {
  const int64_t n = argc > 1 ? atoll(argv[1]) : 10000000;
  executor exec = {.threads = argc > 2 ? atoi(argv[2]) : 2};
  const tsr_execution execution = executor_execution(&exec);
  printf("%lld points, %d threads, best of 3\n", (long long)n, exec.threads);
  for (int kind = 0; kind < KINDS; kind++) {
    point_set set = shuffled(n, kind);
    measure(&set, 0, &execution, kinds[kind]);
    measure(&set, 1, &execution, kinds[kind]);
    point_set_free(&set);
  }
  return 0;
}
