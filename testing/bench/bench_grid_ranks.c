/* SPDX-License-Identifier: BSD-3-Clause */
/** Adaptive grids in several processes, played by threads that share one device and the cores: plan
 *  and fill of the slowest, on the CPU and on CUDA, conforming and free cells. Best of some runs.
 *
 *      bench_grid_ranks POINTS PROCESSES CORES */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "executor.h"
#include "grid_part.h"
#include "ranks.h"

enum { RUNS = 4 };

/** One process. */
typedef struct process {
  grid_part part;
  int64_t cells[3];
  const float *values;
  tsr_grid_options options;
  tsr_grid_criterion criterion;
  tsr_grid_view view;
  tsr_array array;
  executor pool;
  tsr_backend_id backend;
  tsr_report report;
  tsr_grid_sizes sizes;
} process;

static double seconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void *need(size_t bytes) {
  void *memory = malloc(bytes + 1);
  if (memory == NULL) {
    fprintf(stderr, "no memory\n");
    exit(1);
  }
  return memory;
}

static void take_part(process *p) {
  const int64_t n = grid_part_tuples(&p->part, p->cells, 0);
  float *values = need((size_t)n * sizeof *values);
  tsr_grid_view_init(&p->view);
  grid_part_view(&p->part, p->cells, &p->options, &p->view);
  grid_part_copy(&p->part, p->cells, 0, sizeof *values, p->values, values);
  p->array = (tsr_array){values, TSR_FLOAT, 1, n};
  p->criterion.array = p->array;
}

/** Points, cells and the array, with its largest error. */
static tsr_status fill(tsr_grid_plan *plan, const tsr_array *array, tsr_error *error) {
  const tsr_grid_sizes *n = tsr_grid_plan_sizes(plan);
  double largest;
  tsr_grid_attribute attribute = {*array, 0, need((size_t)n->points * 4), &largest, {0}};
  tsr_grid_output out;
  tsr_grid_output_init(&out);
  out.points = need((size_t)n->points * 12);
  out.offsets = need((size_t)(n->cells + 1) * 4);
  out.connectivity = need((size_t)n->connectivity * 4);
  out.cell_type = need((size_t)n->cells);
  out.level = need((size_t)n->cells * 4);
  out.points_type = TSR_FLOAT;
  out.index_type = TSR_INT32;
  out.attributes = &attribute;
  out.n_attributes = 1;
  const tsr_status status = tsr_grid_fill(plan, &out, error);
  free(out.points);
  free(out.offsets);
  free(out.connectivity);
  free(out.cell_type);
  free(out.level);
  free(attribute.out);
  return status;
}

static void work(void *data, const tsr_processes *processes) {
  process *p = data;
  tsr_execution execution = executor_execution(&p->pool);
  tsr_grid_plan *plan = NULL;
  tsr_error error;
  execution.backend = p->backend;
  execution.clock = seconds;
  p->options.criteria = &p->criterion;
  p->options.n_criteria = 1;
  ranks_take_part(&p->options, processes);
  tsr_status status = tsr_grid_plan_create(&p->view, &p->options, &execution, &plan, &error);
  if (status == TSR_OK) {
    status = fill(plan, &p->array, &error);
  }
  if (status != TSR_OK) {
    fprintf(stderr, "%s\n", error.text);
    exit(1);
  }
  tsr_grid_plan_report(plan, &p->report);
  p->sizes = *tsr_grid_plan_sizes(plan);
  tsr_grid_plan_free(plan);
}

/** The best of some runs, of the slowest process in each. */
static void measure(process *p, int ranks, tsr_backend_id backend, const char *name) {
  double best = 1e9, plan = 0.0, filling = 0.0;
  int64_t cells = 0;
  for (int run = 0; run < RUNS; run++) {
    for (int r = 0; r < ranks; r++) {
      p[r].backend = backend;
    }
    const double start = seconds();
    ranks_run(ranks, work, p, sizeof *p);
    const double taken = seconds() - start;
    if (taken < best) {
      best = taken;
      plan = filling = 0.0;
      cells = 0;
      for (int r = 0; r < ranks; r++) {
        plan = fmax(plan, p[r].report.plan_seconds);
        filling = fmax(filling, p[r].report.fill_seconds);
        cells += p[r].sizes.cells;
      }
    }
  }
  printf("%-11s %-4s %lld cells: %7.1f ms; plan %7.1f, fill %7.1f; by the CPU: %s\n", name,
         backend == TSR_BACKEND_CPU ? "CPU" : "CUDA", (long long)cells, 1e3 * best, 1e3 * plan,
         1e3 * filling, p[0].report.by_cpu);
}

int main(int argc, char **argv) {
  const int64_t n = argc > 1 ? atoi(argv[1]) : 257;
  const int ranks = argc > 2 && atoi(argv[2]) < MAX_RANKS ? atoi(argv[2]) : 4;
  const int cores = argc > 3 ? atoi(argv[3]) : 4;
  const int64_t cells[3] = {n - 1, n - 1, n - 1};
  float *values = need((size_t)(n * n * n) * sizeof *values);
  process p[MAX_RANKS];
  grid_part parts[MAX_RANKS];
  for (int64_t k = 0; k < n * n * n; k++) {
    const double x = (double)(k % n) / (double)n, y = (double)(k / n % n) / (double)n,
                 z = (double)(k / n / n) / (double)n;
    values[k] = (float)(tanh(40.0 * (x + 0.3 * y * y + 0.2 * z - 0.7)) + 0.1 * sin(9.0 * y * z));
  }
  memset(p, 0, sizeof p);
  for (int free_cells = 0; free_cells < 2; free_cells++) {
    for (int r = 0; r < ranks; r++) {
      tsr_grid_options_init(&p[r].options);
      tsr_grid_criterion_init(&p[r].criterion);
      p[r].options.coarsen_levels = 6;
      p[r].options.balance = TSR_BALANCE_EDGE;
      p[r].options.output = free_cells ? TSR_GRID_CELLS : TSR_GRID_CONFORMING;
      p[r].criterion.measure = TSR_MEASURE_INTERPOLATION_ERROR;
      p[r].criterion.component = -1;
      p[r].criterion.relative = 1;
      p[r].criterion.threshold = 0.01;
      p[r].pool.threads = cores / ranks > 0 ? cores / ranks : 1;
      p[r].values = values;
      memcpy(p[r].cells, cells, sizeof cells);
    }
    grid_parts_make(cells, &p[0].options, ranks, parts);
    for (int r = 0; r < ranks; r++) {
      p[r].part = parts[r];
      take_part(&p[r]);
    }
    measure(p, ranks, TSR_BACKEND_CPU, free_cells ? "free" : "conforming");
    if (tsr_devices_present() > 0) {
      measure(p, ranks, TSR_BACKEND_CUDA, free_cells ? "free" : "conforming");
    }
    for (int r = 0; r < ranks; r++) {
      free((void *)p[r].array.data);
    }
  }
  free(values);
  return 0;
}
