/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Speed of the adaptive grid's plan: input cells a second, by criterion and by size, and how the
 * time grows with the size.
 * Use: bench_grid [largest side, 512] [threads, 1]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "executor.h"
#include "grid_case.h"

static double seconds(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/** A front that a twentieth or so of the cells lie on; of vectors: that spins around z. */
static float *make_field(int64_t n, int components) {
  float *field = malloc((size_t)((n + 1) * (n + 1) * (n + 1) * components) * sizeof *field);
  for (int64_t z = 0, at = 0; field != NULL && z <= n; z++) {
    for (int64_t y = 0; y <= n; y++) {
      for (int64_t x = 0; x <= n; x++, at++) {
        const double u = (double)x / (double)n, v = (double)y / (double)n,
                     w = (double)z / (double)n;
        const double d =
            (u - 0.5) * (u - 0.5) + (v - 0.4) * (v - 0.4) + (w - 0.6) * (w - 0.6) - 0.09;
        const double front = d * 60.0 / (1.0 + fabs(d * 60.0));
        field[at * components] = (float)front;
        for (int c = 1; c < components; c++) {
          field[at * components + c] = (float)((c == 1 ? u : v) * front);
        }
      }
    }
  }
  return field;
}

/** Prints and returns the shortest time of three plans. */
static double bench(const float *field, int components, int64_t n, tsr_grid_measure measure,
                    int coarsen, double threshold, int threads, const char *name) {
  executor exec = {.threads = threads};
  const tsr_execution execution = executor_execution(&exec);
  tsr_grid_view view;
  tsr_grid_options o;
  tsr_grid_criterion c;
  tsr_grid_view_init(&view);
  tsr_grid_options_init(&o);
  tsr_grid_criterion_init(&c);
  for (int a = 0; a < 3; a++) {
    view.whole[2 * a] = view.extent[2 * a] = 0;
    view.whole[2 * a + 1] = view.extent[2 * a + 1] = n;
  }
  c.measure = measure;
  c.array = (tsr_array){field, TSR_FLOAT, components, (n + 1) * (n + 1) * (n + 1)};
  c.threshold = threshold;
  o.criteria = &c;
  o.n_criteria = 1;
  o.coarsen_levels = coarsen;
  double best = 1e300;
  int64_t leaves = 0, fine = 0;
  for (int k = 0; k < 3; k++) {
    tsr_grid_plan *plan;
    tsr_error error;
    const double start = seconds();
    if (tsr_grid_plan_create(&view, &o, &execution, &plan, &error) != TSR_OK) {
      printf("%s\n", error.text);
      exit(1);
    }
    best = fmin(best, seconds() - start);
    leaves = tsr_grid_plan_sizes(plan)->leaves;
    fine = tsr_grid_plan_sizes(plan)->fine_cells;
    tsr_grid_plan_free(plan);
  }
  printf("%-22s %4lld^3, %d levels: %8.4f s, %6.1f million input cells/s/thread, %lld leaves "
         "(%.1f %% of fine)\n",
         name, (long long)n, coarsen, best, (double)fine / best * 1e-6 / threads, (long long)leaves,
         100.0 * (double)leaves / (double)fine);
  return best;
}

int main(int argc, char **argv) {
  static const char *const names[] = {"value range", "gradient",           "second derivative",
                                      "vorticity",   "Q criterion",        "standard deviation",
                                      "in range",    "interpolation error"};
  static const double thresholds[] = {0.1, 0.1, 0.5, 0.05, 0.01, 0.05, 0, 0.01};
  const int64_t largest = argc > 1 ? atoll(argv[1]) : 512;
  const int threads = argc > 2 ? atoi(argv[2]) : 1;
  double before = 0.0;
  for (int64_t n = 128; n <= largest; n *= 2) {
    float *field = make_field(n, 1);
    if (field == NULL) {
      printf("no memory for %lld^3 values\n", (long long)n);
      return 1;
    }
    const double now = bench(field, 1, n, TSR_MEASURE_VALUE_RANGE, 3, 0.1, threads, names[0]);
    if (before > 0.0) {
      printf("  8 times the cells of %lld^3: %.2f times the time\n", (long long)n / 2,
             now / before);
    }
    before = now;
    bench(field, 1, n, TSR_MEASURE_VALUE_RANGE, 6, 0.1, threads, names[0]);
    float *vectors = n == 128 ? make_field(n, 3) : NULL;
    for (int m = 1; m < 8 && vectors != NULL; m++) {
      const int flow = m == TSR_MEASURE_VORTICITY || m == TSR_MEASURE_Q;
      bench(flow ? vectors : field, flow ? 3 : 1, n, (tsr_grid_measure)m, 3, thresholds[m], threads,
            names[m]);
    }
    free(vectors);
    free(field);
  }
  return 0;
}
