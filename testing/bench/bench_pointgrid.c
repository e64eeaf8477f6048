/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Speed of the point grid: points a second of the plan and of the fill with one array, for points
 * at random in a cube and for a bumpy surface like a survey's, and how the time grows with their
 * number.
 * Use: bench_pointgrid [largest number in millions, 50] [threads, 2] [balance, 0 to 3: 0]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "executor.h"
#include "point_case.h"

static double seconds(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void make_points(float *points, float *values, int64_t n, int surface) {
  for (int64_t i = 0; i < n; i++) {
    const double x = point_case_random(3 * (uint64_t)i), y = point_case_random(3 * (uint64_t)i + 1);
    const double z = point_case_random(3 * (uint64_t)i + 2);
    points[3 * i] = (float)x;
    points[3 * i + 1] = (float)y;
    points[3 * i + 2] =
        (float)(surface ? 0.05 * (sin(9.0 * x) * sin(7.0 * y) + (z < 0.2 ? z : 0.0)) : z);
    values[i] = (float)z;
  }
}

typedef struct times {
  double plan, fill;
  int64_t leaves;
} times;

static times run(const float *points, const float *values, int64_t n, int threads, int balance) {
  executor exec = {.threads = threads};
  const tsr_execution execution = executor_execution(&exec);
  times best = {1e300, 1e300, 0};
  for (int k = 0; k < 3; k++) {
    tsr_pointgrid_view view;
    tsr_pointgrid_options o;
    tsr_pointgrid_output out;
    tsr_pointgrid_attribute value;
    tsr_pointgrid_plan *plan;
    tsr_error error;
    tsr_pointgrid_view_init(&view);
    tsr_pointgrid_options_init(&o);
    tsr_pointgrid_output_init(&out);
    view.points = (tsr_array){points, TSR_FLOAT, 3, n};
    o.balance = (tsr_balance)balance;
    const double start = seconds();
    if (tsr_pointgrid_plan_create(&view, &o, &execution, &plan, &error) != TSR_OK) {
      printf("%s\n", error.text);
      exit(1);
    }
    const double planned = seconds();
    const tsr_pointgrid_sizes *s = tsr_pointgrid_plan_sizes(plan);
    memset(&value, 0, sizeof value);
    value.in = (tsr_array){values, TSR_FLOAT, 1, n};
    value.mean = malloc((size_t)s->cells * 8 + 8);
    value.least = malloc((size_t)s->cells * 4 + 8);
    value.greatest = malloc((size_t)s->cells * 4 + 8);
    out.points = malloc((size_t)s->points * 24 + 8);
    out.offsets = malloc((size_t)s->cells * 8 + 8);
    out.connectivity = malloc((size_t)s->connectivity * 8 + 8);
    out.count = malloc((size_t)s->cells * 8 + 8);
    out.density = malloc((size_t)s->cells * 8 + 8);
    out.attributes = &value;
    out.n_attributes = 1;
    const double allocated = seconds();
    if (tsr_pointgrid_fill(plan, &out, &error) != TSR_OK) {
      printf("%s\n", error.text);
      exit(1);
    }
    best.plan = fmin(best.plan, planned - start);
    best.fill = fmin(best.fill, seconds() - allocated);
    best.leaves = s->leaves;
    free(value.mean);
    free(value.least);
    free(value.greatest);
    free(out.points);
    free(out.offsets);
    free(out.connectivity);
    free(out.count);
    free(out.density);
    tsr_pointgrid_plan_free(plan);
  }
  return best;
}

int main(int argc, char **argv) {
  const double largest = argc > 1 ? atof(argv[1]) : 50.0;
  const int threads = argc > 2 ? atoi(argv[2]) : 2, balance = argc > 3 ? atoi(argv[3]) : 0;
  static const double millions[] = {0.1, 1.0, 10.0, 50.0};
  for (int surface = 0; surface < 2; surface++) {
    double per_point = 0.0;
    for (int i = 0; i < 4 && millions[i] <= largest; i++) {
      const int64_t n = (int64_t)(millions[i] * 1e6);
      float *points = malloc((size_t)n * 12), *values = malloc((size_t)n * 4);
      if (points == NULL || values == NULL) {
        printf("no memory for %lld points\n", (long long)n);
        return 1;
      }
      make_points(points, values, n, surface);
      const times t = run(points, values, n, threads, balance);
      const double now = (t.plan + t.fill) / (double)n;
      printf("%-8s %5.1f million points, %lld leaves: plan %7.4f s, fill %7.4f s, %6.1f million "
             "points/s, plan alone %6.1f",
             surface ? "surface" : "cube", millions[i], (long long)t.leaves, t.plan, t.fill,
             1e-6 / now, 1e-6 * (double)n / t.plan);
      printf(i > 1 ? ", %.2f times the time a point of before\n" : "\n", now / per_point);
      per_point = now;
      free(points);
      free(values);
    }
  }
  return 0;
}
