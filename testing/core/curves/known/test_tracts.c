/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Real fibre tracts: 305 polylines of 44,249 points in all, 20,831.338 long, with nine point
 * arrays. The values at the input points must arrive unchanged.
 */
#include <stdlib.h>
#include <string.h>

#include "case_file.h"
#include "check.h"
#include "least.h"

enum { ARRAYS = 9 };

static const char *const names[ARRAYS] = {"p:NormalizedSignalEstimationError",
                                          "p:EstimatedUncertainty",
                                          "p:RTOP1",
                                          "p:RTOP2",
                                          "p:RTAP1",
                                          "p:RTAP2",
                                          "p:RTPP1",
                                          "p:RTPP2",
                                          "p:SignalMean"};

static double total_length(const tessellation *out) {
  double length = 0.0;
  for (int64_t cell = 0; cell < out->sizes.cells; cell++) {
    length += polyline_length(out, cell);
  }
  return length;
}

/** As straight lines: the known length, the same points. */
static void check_straight(const curve_set *set) {
  tsr_curves_view view = curve_set_view(set);
  view.kinds = NULL;
  view.kind = TSR_KIND_STRAIGHT;
  tsr_curves_options o;
  tsr_curves_options_init(&o);
  o.joints = TSR_JOINTS_KEEP_ALL;
  tessellation out;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  CHECK_INT(out.sizes.points, 44249);
  CHECK_NEAR(total_length(&out), 20831.338, 0.0005);
  tessellation_free(&out);
}

/** Of straight lines coarsened at a tolerance, the segments beside the least number of them. */
static void check_coarsened(const curve_set *set, double error) {
  enum { MOST = 1024 };
  static double x[3 * MOST];
  int64_t least = 0;
  tsr_curves_view view = curve_set_view(set);
  view.kinds = NULL;
  view.kind = TSR_KIND_STRAIGHT;
  tsr_curves_options o = options_chord_error(TSR_SAMPLING_EQUAL_ERROR, error);
  o.joints = TSR_JOINTS_WHERE_NEEDED;
  tessellation out;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  for (int64_t item = 0; item < set->n_items; item++) {
    const int64_t first = set->offsets[item], n = set->offsets[item + 1] - first;
    CHECK(n <= MOST);
    for (int64_t k = 0; k < n && k < MOST; k++) {
      memcpy(x + 3 * k, set->points + 3 * set->ids[first + k], 3 * sizeof *x);
    }
    least += least_segments(x, (int)n, error * (1.0 + 1e-12));
  }
  const int64_t segments = out.sizes.points - set->n_items;
  printf("%g: %lld segments, %.3f times the least number\n", error, (long long)segments,
         (double)segments / (double)least);
  CHECK_AT_MOST((double)segments, 1.15 * (double)least);
  tessellation_free(&out);
}

/** Each input point is an output point with the very values of all arrays. */
static void check_arrays(const curve_set *set, const tsr_attribute *attributes,
                         const tessellation *out) {
  for (int64_t cell = 0; cell < out->sizes.cells; cell++) {
    const int64_t *ids = set->ids + set->offsets[cell];
    int64_t next = 0;
    for (int64_t k = out->offsets[cell]; k < out->offsets[cell + 1]; k++) {
      const int64_t point = out->connectivity[k];
      if (out->parameter[point] < (double)next) {
        continue;
      }
      CHECK(out->parameter[point] <= (double)next);
      CHECK(memcmp(out->points + 3 * point, set->points + 3 * ids[next], 3 * sizeof(double)) == 0);
      for (int a = 0; a < ARRAYS; a++) {
        const float *in = attributes[a].in.data;
        CHECK(memcmp((float *)attributes[a].out + point, in + ids[next], sizeof(float)) == 0);
      }
      next++;
    }
    CHECK_INT(next, set->offsets[cell + 1] - set->offsets[cell]);
  }
}

static void check_curved(const curve_set *set, const case_file *file) {
  const tsr_curves_view view = curve_set_view(set);
  tsr_attribute attributes[ARRAYS];
  for (int a = 0; a < ARRAYS; a++) {
    attributes[a].in = case_file_array(file, names[a]);
    attributes[a].mode = TSR_INTERPOLATE_CURVE;
    CHECK_INT(attributes[a].in.tuples, 44249);
    CHECK_INT(attributes[a].in.type, TSR_FLOAT);
  }
  for (int sampling = 0; sampling <= TSR_SAMPLING_EQUAL_ERROR; sampling++) {
    const tsr_curves_options o = options_chord_error((tsr_sampling)sampling, 0.001);
    tessellation out;
    CHECK_INT(tessellate(&view, &o, NULL, attributes, ARRAYS, &out), TSR_OK);
    CHECK_INT(out.sizes.cells, 305);
    CHECK_SAY(total_length(&out) >= 20831.337, "a curve through the points is no shorter");
    check_arrays(set, attributes, &out);
    for (int a = 0; a < ARRAYS; a++) {
      free(attributes[a].out);
    }
    tessellation_free(&out);
  }
}

int main(void) {
  case_file file;
  if (!case_file_open(&file, "tract_example")) {
    return CHECK_SKIPPED;
  }
  curve_set set;
  curve_set_init(&set);
  case_file_curves(&file, TSR_KIND_CATMULL_ROM, &set);
  CHECK_INT(set.n_items, 305);
  check_straight(&set);
  for (double error = 0.005; error < 10.0; error *= 10.0) {
    check_coarsened(&set, error);
  }
  check_curved(&set, &file);
  curve_set_free(&set);
  case_file_close(&file);
  return check_result();
}
