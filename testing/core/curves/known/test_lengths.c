/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Outlines of a font and of a drawing: the length of the polylines approaches the known length
 * from below as the tolerance shrinks; and VTK's quarter circle keeps its radius.
 */
#include <math.h>

#include "case_file.h"
#include "check.h"

/** A length by chords falls short by an amount in proportion to the tolerance. */
static void check_lengths(const char *name, double known, const double *tolerances, int n) {
  case_file file;
  curve_set set;
  if (!case_file_open(&file, name)) {
    return;
  }
  curve_set_init(&set);
  case_file_curves(&file, TSR_KIND_STRAIGHT, &set);
  const tsr_curves_view view = curve_set_view(&set);
  const double *exact = case_file_array(&file, "c:ExactLength").data;
  for (int sampling = 0; sampling <= TSR_SAMPLING_EQUAL_ERROR; sampling++) {
    double previous = 0.0;
    for (int t = 0; t < n; t++) {
      const tsr_curves_options o = options_chord_error((tsr_sampling)sampling, tolerances[t]);
      tessellation out;
      double sum = 0.0;
      CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
      CHECK_INT(out.sizes.cells, set.n_items);
      for (int64_t cell = 0; cell < out.sizes.cells; cell++) {
        const double length = polyline_length(&out, cell);
        CHECK_AT_MOST(length, exact[cell] * (1.0 + 1e-9) + 1e-9);
        sum += length;
      }
      printf("%s, tolerance %g: %lld points, short by %g of the length\n", name, tolerances[t],
             (long long)out.sizes.points, (known - sum) / known);
      CHECK_AT_MOST(sum, known * (1.0 + 1e-10));
      CHECK(sum >= previous);
      CHECK_SAY(t == 0 || known - sum < 0.25 * (known - previous), "%g after %g", known - sum,
                known - previous);
      previous = sum;
      tessellation_free(&out);
    }
  }
  curve_set_free(&set);
  case_file_close(&file);
}

static void check_quarter_circle(void) {
  case_file file;
  curve_set set;
  if (!case_file_open(&file, "vtk_rational_quarter_circle")) {
    return;
  }
  curve_set_init(&set);
  case_file_curves(&file, TSR_KIND_STRAIGHT, &set);
  CHECK_INT(set.n_items, 1);
  CHECK_INT(set.kinds[0], TSR_KIND_BEZIER);
  CHECK_INT(set.rational, 1);
  const tsr_curves_view view = curve_set_view(&set);
  for (int sampling = 0; sampling <= TSR_SAMPLING_EQUAL_ERROR; sampling++) {
    const tsr_curves_options o = options_chord_error((tsr_sampling)sampling, 1e-6);
    tessellation out;
    CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
    CHECK(out.sizes.points > 100);
    for (int64_t i = 0; i < out.sizes.points; i++) {
      CHECK_NEAR(hypot(out.points[3 * i], out.points[3 * i + 1]), 1.0, 1e-12);
    }
    CHECK_NEAR(polyline_length(&out, 0), 2.0 * atan(1.0), 1e-5);
    tessellation_free(&out);
  }
  curve_set_free(&set);
  case_file_close(&file);
}

int main(void) {
  static const double font[] = {10.0, 1.0, 0.1, 0.01};
  static const double drawing[] = {1.0, 0.1, 0.01, 0.001, 0.0001};
  check_lengths("DejaVuSans_bezier", 49230273.35968, font, 4);
  check_lengths("tiger_bezier", 46940.342975, drawing, 5);
  check_quarter_circle();
  return check_count == 0 ? CHECK_SKIPPED : check_result();
}
