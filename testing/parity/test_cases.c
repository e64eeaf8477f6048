/* SPDX-License-Identifier: BSD-3-Clause */
/** Real data: a font's outlines, a drawing and fibre tracts, by every strategy. */
#include "case_file.h"
#include "check.h"
#include "views.h"

static void compare(const curve_set *set, const char *name, tsr_sampling sampling, double error) {
  const tsr_curves_view view = curve_set_view(set);
  const wanted want = {.points_type = TSR_FLOAT, .index_type = TSR_INT64, .generated = 1};
  const tsr_execution on_cpu = execution_cpu();
  tsr_curves_options o = options_chord_error(sampling, error);
  outputs cpu;
  o.use_turning_angle = 1;
  CHECK_INT(outputs_make(&view, &o, &on_cpu, &want, &cpu), TSR_OK);
  for (int strategy = 0; strategy <= TSR_STRATEGY_RECURSIVE_CHILDREN; strategy++) {
    const tsr_execution e = execution_cuda();
    outputs cuda;
    char what[100];
    if (strategy == TSR_STRATEGY_RECURSIVE_CHILDREN && sampling != TSR_SAMPLING_BISECTION) {
      continue;
    }
    o.launch.strategy = (tsr_curves_strategy)strategy;
    snprintf(what, sizeof what, "%s, sampling %d, strategy %d", name, (int)sampling, strategy);
    outputs_make(&view, &o, &e, &want, &cuda);
    CHECK_SAME(&cpu, &cuda, what);
    outputs_free(&cuda);
  }
  outputs_free(&cpu);
}

int main(void) {
  static const struct {
    const char *name;
    tsr_curve_kind lines;
    double error;
  } cases[] = {{"DejaVuSans_bezier", TSR_KIND_STRAIGHT, 1.0},
               {"tiger_bezier", TSR_KIND_STRAIGHT, 0.05},
               {"tract_example", TSR_KIND_CATMULL_ROM, 0.01}};
  const int missing = gpu_missing();
  if (missing) {
    return missing;
  }
  for (int c = 0; c < 3; c++) {
    case_file file;
    curve_set set;
    if (!case_file_open(&file, cases[c].name)) {
      return CHECK_SKIPPED;
    }
    curve_set_init(&set);
    case_file_curves(&file, cases[c].lines, &set);
    printf("%s: %lld curves\n", cases[c].name, (long long)set.n_items);
    compare(&set, cases[c].name, TSR_SAMPLING_UNIFORM, cases[c].error);
    compare(&set, cases[c].name, TSR_SAMPLING_BISECTION, cases[c].error);
    curve_set_free(&set);
    case_file_close(&file);
  }
  return check_result();
}
