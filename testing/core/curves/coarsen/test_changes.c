/* SPDX-License-Identifier: BSD-3-Clause */
/** How often labels change along curves, against counts made by hand. */
#include "check.h"
#include "curve_set.h"

enum { N = 16 };

/** Two labels at 16 points on a line: eight values, and a value of its own at each point. */
static const int32_t eights[N] = {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7};
static const double numbers[N] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/** Changes of both labels along the curves of a set. */
static void check_changes(const curve_set *set, tsr_joints joints, int64_t of_eights,
                          int64_t of_numbers, const char *what) {
  const tsr_curves_view view = curve_set_view(set);
  const tsr_array labels[2] = {{eights, TSR_INT32, 1, N}, {numbers, TSR_DOUBLE, 1, N}};
  tsr_curves_options options;
  tsr_curves_plan *plan = NULL;
  tsr_error error;
  int64_t changes[2] = {-1, -1};
  tsr_curves_options_init(&options);
  options.joints = joints;
  options.labels = labels;
  options.n_labels = 2;
  CHECK_INT(tsr_curves_plan_create(&view, &options, NULL, &plan, &error), TSR_OK);
  CHECK_INT(tsr_curves_label_changes(plan, changes, &error), TSR_OK);
  CHECK_SAY(changes[0] == of_eights && changes[1] == of_numbers, "%s: %lld and %lld changes", what,
            (long long)changes[0], (long long)changes[1]);
  tsr_curves_plan_free(plan);
}

static void check_curves(tsr_curve_kind kind, const char *what) {
  static const int64_t open[6] = {0, 1, 2, 3, 4, 5}, closed[4] = {8, 9, 10, 8};
  static const int64_t short_one[2] = {2, 4}, bad[3] = {2, 99, 4}, back[3] = {12, 11, 12};
  double xyz[3 * N] = {0.0};
  curve_set set;
  for (int i = 0; i < N; ++i)
    xyz[3 * i] = i;
  curve_set_init(&set);
  curve_set_add_points(&set, N, xyz);
  check_changes(&set, TSR_JOINTS_WHERE_NEEDED, 0, 0, "no curves");
  curve_set_add_ids(&set, kind, 6, open);
  check_changes(&set, TSR_JOINTS_WHERE_NEEDED, 2, 5, what);
  check_changes(&set, TSR_JOINTS_KEEP_ALL, 0, 0, "all joints are kept anyway");
  curve_set_add_ids(&set, kind, 4, closed); /* 4 4 5 4 */
  check_changes(&set, TSR_JOINTS_WHERE_NEEDED, 4, 8, "closed");
  curve_set_add_ids(&set, kind, 2, short_one);
  curve_set_add_ids(&set, kind, 3, bad);
  check_changes(&set, TSR_JOINTS_WHERE_NEEDED, 4, 8, "one span, and a bad id");
  curve_set_add_ids(&set, kind, 3, back); /* 6 5 6 */
  check_changes(&set, TSR_JOINTS_WHERE_NEEDED, 6, 10, "there and back");
  curve_set_free(&set);
}

int main(void) {
  check_curves(TSR_KIND_STRAIGHT, "straight");
  check_curves(TSR_KIND_CATMULL_ROM, "Catmull-Rom");
  return check_result();
}
