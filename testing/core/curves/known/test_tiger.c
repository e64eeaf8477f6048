/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The Ghostscript tiger's 1,883 cubics at ten tolerances, against the segment counts published in
 * nical/bezier_flattening at 39184cc2, notes/results/edge-count-cubic-tiger.md (MIT). The counts
 * for Wang's formula are the published ones computed again in double: the published ones come from
 * single precision and differ by up to 5.
 */
#include <math.h>

#include "case_file.h"
#include "check.h"
#include "reference.h"

enum { TOLERANCES = 10, CUBICS = 1883 };

static const double tolerances[TOLERANCES] = {0.01, 0.025, 0.05, 0.075, 0.1,
                                              0.15, 0.2,   0.25, 0.5,   1};
static const int64_t wang[TOLERANCES] = {63519, 40470, 28935, 23816, 20709,
                                         17114, 14930, 13461, 9782,  7199};
static const int64_t recursive[TOLERANCES] = {37604, 23766, 17249, 14049, 12095,
                                              10009, 8828,  7892,  5687,  4096};

/** Segments of the cubics, all of which must be within the tolerance of their curve. */
static int64_t segments(const curve_set *set, tsr_sampling sampling, double tolerance) {
  const tsr_curves_options o = options_chord_error(sampling, tolerance);
  const tsr_curves_view view = curve_set_view(set);
  tessellation out;
  double greatest = 0.0;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  CHECK_INT(out.sizes.cells, CUBICS);
  for (int64_t cell = 0; cell < out.sizes.cells; cell++) {
    const double d = measured_error(set, &out, cell, o.knots, 0.0, 16);
    CHECK_SAY(d <= tolerance * (1.0 + 1e-9), "item %lld: %g away, above %g",
              (long long)out.source_item[cell], d, tolerance);
    CHECK_AT_MOST(d, out.achieved_error[cell] * (1.0 + 1e-9) + 1e-12);
    greatest = fmax(greatest, d);
  }
  printf("tolerance %g, %s: largest distance %.4f of it", tolerance,
         sampling == TSR_SAMPLING_UNIFORM ? "uniform" : "bisection", greatest / tolerance);
  const int64_t count = out.sizes.connectivity - out.sizes.cells;
  tessellation_free(&out);
  return count;
}

int main(void) {
  case_file file;
  if (!case_file_open(&file, "tiger_bezier")) {
    return CHECK_SKIPPED;
  }
  curve_set set;
  curve_set_init(&set);
  case_file_curves(&file, TSR_KIND_NONE, &set);
  for (int t = 0; t < TOLERANCES; t++) {
    const int64_t uniform = segments(&set, TSR_SAMPLING_UNIFORM, tolerances[t]);
    printf(", %lld segments\n", (long long)uniform);
    CHECK_SAY(uniform <= wang[t], "%lld segments, and Wang's bound takes %lld", (long long)uniform,
              (long long)wang[t]);
    const int64_t bisection = segments(&set, TSR_SAMPLING_BISECTION, tolerances[t]);
    printf(", %lld segments; recursive %lld, Wang %lld\n", (long long)bisection,
           (long long)recursive[t], (long long)wang[t]);
    CHECK_SAY(bisection < wang[t], "%lld segments", (long long)bisection);
  }
  curve_set_free(&set);
  case_file_close(&file);
  return check_result();
}
