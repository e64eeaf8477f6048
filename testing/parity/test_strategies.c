/* SPDX-License-Identifier: BSD-3-Clause */
/** Every launch strategy x child stream x output memory, and every pool: the CPU's bytes, nothing
 *  lost, and numbers in the report that add up. */
#include "check.h"
#include "views.h"

#include <stdlib.h>
#include <string.h>

static const char *const strategies[] = {"Auto",       "Block Per Item", "Child Grid Per Item",
                                         "Aggregated", "Flat",           "Recursive"};
static const char *const streams[] = {"NULL stream", "named", "fire-and-forget", "tail"};
static const char *const memories[] = {"exact", "worst case", "device heap"};

/** One input, with what the CPU makes of it. */
typedef struct input {
  curve_set set;
  tsr_curves_view view;
  wanted want;
  double *storage;
  tsr_curves_options options;
  outputs cpu;
} input;

static void input_make(input *in, int bad, int64_t n, int which, tsr_sampling sampling) {
  const tsr_execution on_cpu = execution_cpu();
  memset(in, 0, sizeof *in);
  in->want.points_type = TSR_FLOAT;
  in->want.index_type = TSR_INT64;
  curve_set_init(&in->set);
  if (bad) {
    random_curves(&in->set, TSR_KIND_NONE, n, 1, 1, 123);
    random_attributes(in->set.n_points, 3, &in->want, &in->storage);
    in->want.generated = 1;
  } else {
    bezier_cells(&in->set, 2, n, 321);
  }
  in->view = curve_set_view(&in->set);
  in->options = option_case(which, sampling, &in->want);
  CHECK_INT(outputs_make(&in->view, &in->options, &on_cpu, &in->want, &in->cpu), TSR_OK);
}

static void input_free(input *in) {
  outputs_free(&in->cpu);
  free(in->storage);
  curve_set_free(&in->set);
}

/** 1 if the combination must be refused before anything starts. */
static int impossible(const tsr_curves_launch *e, const tsr_curves_options *o) {
  if (e->strategy == TSR_STRATEGY_RECURSIVE_CHILDREN &&
      (o->sampling != TSR_SAMPLING_BISECTION || o->use_curvature)) {
    return 1;
  }
  return e->output_memory == TSR_MEMORY_DEVICE_HEAP &&
         (e->strategy == TSR_STRATEGY_FLAT || e->strategy == TSR_STRATEGY_RECURSIVE_CHILDREN);
}

static void compare(const input *in, const tsr_curves_launch *launch, const char *name) {
  const tsr_execution execution = execution_cuda();
  tsr_curves_options options = in->options;
  outputs cuda;
  char what[200];
  snprintf(what, sizeof what, "%s: %s, %s, %s, pool %lld", name, strategies[launch->strategy],
           streams[launch->child_stream], memories[launch->output_memory],
           (long long)launch->pending_launches);
  options.launch = *launch;
  outputs_make(&in->view, &options, &execution, &in->want, &cuda);
  if (impossible(launch, &in->options)) {
    CHECK_SAY(cuda.status == TSR_BAD_OPTION && strlen(cuda.error.text) > 20, "%s: not refused",
              what);
  } else {
    CHECK_SAME(&in->cpu, &cuda, what);
    CHECK_SAY(cuda.report.child_launches <= cuda.report.pool_in_force,
              "%s: %lld launches from a pool of %lld", what, (long long)cuda.report.child_launches,
              (long long)cuda.report.pool_in_force);
  }
  outputs_free(&cuda);
}

static void all_combinations(const input *in, const char *name, int64_t pool) {
  tsr_curves_launch e = in->options.launch;
  e.pending_launches = pool;
  for (int strategy = 0; strategy <= TSR_STRATEGY_RECURSIVE_CHILDREN; strategy++) {
    for (int stream = 0; stream <= TSR_CHILD_TAIL; stream++) {
      for (int memory = 0; memory <= TSR_MEMORY_DEVICE_HEAP; memory++) {
        e.strategy = (tsr_curves_strategy)strategy;
        e.child_stream = (tsr_child_stream)stream;
        e.output_memory = (tsr_output_memory)memory;
        compare(in, &e, name);
      }
    }
  }
}

/** The strategies that launch, by every stream, with each pool. */
static void pools(const input *in, const char *name) {
  static const int64_t sizes[] = {1, 7, 2048, 32768};
  tsr_curves_launch e = in->options.launch;
  for (int p = 0; p < 4; p++) {
    for (int strategy = TSR_STRATEGY_CHILD_PER_ITEM; strategy <= TSR_STRATEGY_RECURSIVE_CHILDREN;
         strategy++) {
      if (strategy == TSR_STRATEGY_FLAT || (strategy == TSR_STRATEGY_RECURSIVE_CHILDREN &&
                                            in->options.sampling != TSR_SAMPLING_BISECTION)) {
        continue;
      }
      for (int stream = 0; stream <= TSR_CHILD_TAIL; stream++) {
        e.strategy = (tsr_curves_strategy)strategy;
        e.child_stream = (tsr_child_stream)stream;
        e.pending_launches = sizes[p];
        e.launch_threshold = strategy == TSR_STRATEGY_AGGREGATED_CHILDREN ? 1 : 0;
        compare(in, &e, name);
      }
    }
  }
}

/** Expert settings change nothing in the output. */
static void expert_settings(const input *in, const char *name) {
  for (int strategy = 0; strategy < TSR_STRATEGY_RECURSIVE_CHILDREN; strategy++) {
    tsr_curves_launch e = in->options.launch;
    e.strategy = (tsr_curves_strategy)strategy;
    e.launch_threshold = 20;
    compare(in, &e, name);
    e.launch_threshold = 0;
    e.device_bytes = 100000; /* in many pieces */
    compare(in, &e, name);
  }
}

int main(int argc, char **argv) {
  input in;
  const int missing = gpu_missing();
  const int small = argc > 1 && strcmp(argv[1], "small") == 0; /* for a memory checker */
  if (missing) {
    return missing;
  }
  input_make(&in, 1, small ? 60 : 400, 0, TSR_SAMPLING_BISECTION);
  all_combinations(&in, "mixed, bisection", 0);
  if (!small) {
    all_combinations(&in, "mixed, bisection", 7);
    expert_settings(&in, "mixed, bisection");
  }
  input_free(&in);
  input_make(&in, 1, small ? 60 : 400, 2, TSR_SAMPLING_UNIFORM);
  all_combinations(&in, "mixed, uniform", 0);
  if (!small) {
    expert_settings(&in, "mixed, uniform");
  }
  input_free(&in);
  input_make(&in, 1, small ? 60 : 400, 0, TSR_SAMPLING_EQUAL_ERROR);
  all_combinations(&in, "mixed, equal error", 0);
  if (!small) {
    expert_settings(&in, "mixed, equal error");
  }
  input_free(&in);
  input_make(&in, 0, 10, 2, TSR_SAMPLING_UNIFORM);
  pools(&in, "10 cells, uniform");
  input_free(&in);
  input_make(&in, 0, 10, 0, TSR_SAMPLING_BISECTION);
  pools(&in, "10 cells, bisection");
  input_free(&in);
  if (!small) {
    input_make(&in, 0, 1000000, 2, TSR_SAMPLING_UNIFORM);
    pools(&in, "1000000 cells, uniform");
    input_free(&in);
    input_make(&in, 0, 100000, 0, TSR_SAMPLING_BISECTION);
    pools(&in, "100000 cells, bisection");
    input_free(&in);
    input_make(&in, 0, 100000, 0, TSR_SAMPLING_EQUAL_ERROR);
    pools(&in, "100000 cells, equal error");
    input_free(&in);
  }
  return check_result();
}
