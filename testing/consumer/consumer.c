/* SPDX-License-Identifier: BSD-3-Clause */
/* A quarter of the unit circle, as a rational quadratic Bezier cell, within a chord error of 0.001:
 * every vertex is at distance 1 from the centre, and every middle of a segment within the error. */
#include <tessera.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double chord_error = 0.001;

static int is_circle(const double *points, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    const double *p = points + 3 * i;
    if (fabs(hypot(p[0], p[1]) - 1.0) > 1e-14) {
      return 0;
    }
    if (i + 1 < n && hypot(p[0] + p[3], p[1] + p[4]) / 2.0 < 1.0 - chord_error) {
      return 0;
    }
  }
  return points[0] == 1.0 && points[3 * n - 2] == 1.0;
}

int main(void) {
  const double corners[] = {1, 0, 0, 0, 1, 0, 1, 1, 0}; /* ends first, as in VTK */
  const double weights[] = {1, 1, sqrt(0.5)};
  const int64_t offsets[] = {0, 3}, ids[] = {0, 1, 2};
  tsr_curves_view view;
  tsr_curves_view_init(&view);
  view.points = (tsr_array){corners, TSR_DOUBLE, 3, 3};
  view.weights = (tsr_array){weights, TSR_DOUBLE, 1, 3};
  view.n_items = 1;
  view.offsets = offsets;
  view.connectivity = ids;
  view.n_connectivity = 3;
  view.index_type = TSR_INT64;
  view.kind = TSR_KIND_BEZIER;
  tsr_curves_options options;
  tsr_curves_options_init(&options);
  options.chord_error = chord_error;
  options.chord_relative = 0;

  tsr_curves_plan *plan;
  tsr_error error;
  if (tsr_curves_plan_create(&view, &options, NULL, &plan, &error) != TSR_OK) {
    fprintf(stderr, "consumer: %s\n", error.text);
    return EXIT_FAILURE;
  }
  const int64_t n = tsr_curves_plan_sizes(plan)->points;
  double *points = malloc((size_t)n * 3 * sizeof *points);
  tsr_curves_output output;
  tsr_curves_output_init(&output);
  output.points_type = TSR_DOUBLE;
  output.points = points;
  const int good =
      points && tsr_curves_fill(plan, &output, &error) == TSR_OK && n > 2 && is_circle(points, n);
  tsr_curves_plan_free(plan);
  free(points);
  printf("%lld points, %s\n", (long long)n, good ? "within the error" : "no circle");
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
