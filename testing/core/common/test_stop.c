/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * A job that the user has stopped stays stopped when a task of it then finds no memory.
 *
 * The executor below runs one thread. Once, in a job of its choice, it lets the first malloc of a
 * task run the next range of that job, after which the user asks to stop, and then fails: what two
 * threads may do by chance.
 */
#include <stdlib.h>

#include "check.h"
#include "grid_case.h"

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);

/** The job in which this happens, counted from 0, and what has happened. */
typedef struct scene {
  int job, jobs; /**< which one; how many have run */
  int armed, asked;
  tsr_task task;
  void *data;
} scene;

static scene now;

void *__wrap_malloc(size_t size) {
  if (now.armed) {
    now.armed = 0;
    now.asked = 1;
    now.task(now.data, 1, 2);
    return NULL;
  }
  return __real_malloc(size);
}

static void run(void *context, int64_t n, int64_t grain, tsr_task task, void *data) {
  (void)context, (void)grain;
  if (now.jobs++ == now.job) {
    now.task = task;
    now.data = data;
    now.armed = 1;
  }
  task(data, 0, 1);
  now.armed = 0;
  task(data, 1, n);
}

static int progress(void *context, double fraction) {
  (void)context, (void)fraction;
  return now.asked;
}

static tsr_execution execution_of(void) {
  tsr_execution execution;
  tsr_execution_init(&execution);
  execution.backend = TSR_BACKEND_CPU;
  execution.run = run;
  execution.progress = progress;
  return execution;
}

static tsr_status make_jet(const tsr_execution *execution, tsr_error *error) {
  enum { SIDE = 33 };
  const int64_t extent[] = {0, SIDE - 1, 0, SIDE - 1, 0, SIDE - 1};
  tsr_jet_options options;
  tsr_jet_output output;
  tsr_status status;
  tsr_jet_options_init(&options);
  tsr_jet_output_init(&output);
  output.scalar = calloc(SIDE * SIDE * SIDE, sizeof(float));
  for (int k = 0; k < 6; ++k)
    options.whole[k] = extent[k];
  status = tsr_jet_fill(&options, extent, execution, &output, error);
  free(output.scalar);
  return status;
}

static tsr_status plan_grid(tsr_grid_measure measure, int relative, const tsr_execution *execution,
                            tsr_error *error) {
  grid_case grid;
  tsr_grid_plan *plan = NULL;
  tsr_status status;
  grid_case_init(&grid, 64, 64, 64);
  grid_case_fill(&grid, 1);
  const tsr_grid_view view = grid_case_view(&grid);
  tsr_grid_criterion criterion = grid_criterion(&grid, measure, 0.1);
  criterion.relative = relative;
  const tsr_grid_options options = grid_options(&criterion, 1);
  status = tsr_grid_plan_create(&view, &options, execution, &plan, error);
  tsr_grid_plan_free(plan);
  grid_case_free(&grid);
  return status;
}

static tsr_status make(int what, const tsr_execution *execution, tsr_error *error) {
  return what == 0 ? make_jet(execution, error)
                   : plan_grid(what == 1 ? TSR_MEASURE_GRADIENT : TSR_MEASURE_VALUE_RANGE,
                               what == 1, execution, error);
}

int main(void) {
  const tsr_execution execution = execution_of();
  for (int what = 0; what < 3; ++what) {
    int stopped = 0, jobs = 1;
    for (int job = -1; job < jobs; ++job) { /* -1: nothing happens, the jobs are counted */
      tsr_error error = {TSR_OK, -1, ""};
      now = (scene){.job = job};
      const tsr_status status = make(what, &execution, &error);
      jobs = job < 0 ? now.jobs : jobs;
      stopped += now.asked;
      CHECK_SAY(status == (now.asked ? TSR_ABORTED : TSR_OK), "work %d, job %d ends with %d: %s",
                what, job, (int)status, error.text);
    }
    CHECK(stopped > 0);
  }
  return check_result();
}
