/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Coarsening: the Frechet distance, found by a slow loop of its own in long double; values, labels
 * and corners; and how many segments there are beside the least number (Imai and Iri, 1986: the
 * shortest path among all segments that may be).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "curve_set.h"
#include "executor.h"
#include "least.h"
#include "reference.h"

static tsr_curves_options coarse(double error) {
  tsr_curves_options o = options_chord_error(TSR_SAMPLING_EQUAL_ERROR, error);
  o.joints = TSR_JOINTS_WHERE_NEEDED;
  return o;
}

enum { SHAPES = 7 };

/** Points of a helix, a noisy walk in the plane and in space, a smooth one, a wave, a road and a
 * straight run with noise up to 1 across, of the size of the largest tolerance. */
static void make_shape(int shape, int n, double *x) {
  uint64_t state = 7 + (uint64_t)shape;
  double p[3] = {0, 0, 0}, a = 0.0, b = 0.0;
  for (int i = 0; i < n; i++, x += 3) {
    const double t = 0.01 * i;
    if (shape == 1 || shape == 2) {
      for (int c = 0; c < (shape == 1 ? 2 : 3); c++) {
        p[c] += random_in(&state, c == 0 ? -0.3 : -0.5, c == 0 ? 0.7 : 0.5);
      }
    } else if (shape == 3 || shape == 5) {
      a += random_in(&state, -0.05, 0.05) + (shape == 5 && i % 40 == 0 ? 0.7 : 0.0);
      b += shape == 3 ? random_in(&state, -0.05, 0.05) : 0.0;
      p[0] += cos(a) * cos(b);
      p[1] += sin(a) * cos(b);
      p[2] += sin(b);
    }
    memcpy(x, p, sizeof p);
    if (shape == 0) {
      x[0] = cos(t), x[1] = sin(t), x[2] = 0.1 * t;
    } else if (shape == 4) {
      x[0] = t, x[1] = sin(t) + 0.2 * sin(9 * t), x[2] = 0.0;
    } else if (shape == 6) {
      x[0] = 0.3 * i, x[1] = random_in(&state, -1, 1), x[2] = random_in(&state, -1, 1);
    }
  }
}

/** The segments of a straight curve of n points: each is within the tolerance, in order. */
static int64_t segments_of(double *x, int n, double error, const char *what, int number) {
  curve_set set;
  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_STRAIGHT, n, x, NULL, 0);
  const tsr_curves_view view = curve_set_view(&set);
  const tsr_curves_options o = coarse(error);
  tessellation out;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  for (int64_t k = 0; k + 1 < out.sizes.points; k++) {
    const int64_t i = out.nearest_point[k], j = out.nearest_point[k + 1];
    CHECK(i < j);
    CHECK_SAY(
        polyline_is_within(x + 3 * i, x + 3 * j, x + 3 * i + 3, j - i - 1, error * (1.0 + 1e-9)),
        "%s %d, %g: %lld to %lld", what, number, error, (long long)i, (long long)j);
  }
  CHECK_AT_MOST(out.achieved_error[0], error * (1.0 + 1e-12));
  const int64_t segments = out.sizes.points - 1;
  tessellation_free(&out);
  curve_set_free(&set);
  return segments;
}

/** Straight lines: every segment within the tolerance, in order, and few of them. */
static void check_against_least(void) {
  enum { N = 2000 };
  static const double sizes[SHAPES] = {0.1, 10, 10, 10, 1, 10, 48};
  double *x = malloc(3 * N * sizeof *x);
  for (int shape = 0; shape < SHAPES; shape++) {
    make_shape(shape, N, x);
    for (double share = 0.0013; share < 0.03; share *= 4.0) {
      const double error = share * sizes[shape];
      const int64_t segments = segments_of(x, N, error, "shape", shape);
      const double ratio = (double)segments / (double)least_segments(x, N, error * (1.0 + 1e-12));
      printf("shape %d, %g: %lld segments, %.3f times the least number\n", shape, error,
             (long long)segments, ratio);
      CHECK_AT_MOST(ratio, shape == 6 ? 1.6 : 1.15);
    }
  }
  free(x);
}

enum { NOISES = 4 };

/** A straight run with noise up to 1 across: of a square, of a disc, in the plane, and of a square
 *  with points farther apart than it is wide. */
static void make_noise(int noise, uint64_t seed, int n, double *x) {
  uint64_t state = 1000 * seed + (uint64_t)noise;
  for (int i = 0; i < n; i++, x += 3) {
    x[0] = (noise == 3 ? 3.0 : 0.3) * i;
    do {
      x[1] = random_in(&state, -1, 1);
      x[2] = noise == 2 ? 0.0 : random_in(&state, -1, 1);
    } while (noise == 1 && x[1] * x[1] + x[2] * x[2] > 1.0);
  }
}

/** Noise of about the size of the tolerance: few points are good ends there. All curves of a kind
 *  together have at most 1.6 times the least number of segments. Where the tolerance is just large
 *  enough for long segments, up to three times as many stay. */
static void check_noise(void) {
  enum { SEEDS = 3, N = 1000 };
  static const double errors[] = {0.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.6, 2.0};
  double *x = malloc(3 * N * sizeof *x);
  for (int noise = 0; noise < NOISES; noise++) {
    int64_t all = 0, all_least = 0;
    for (size_t e = 0; e < sizeof errors / sizeof *errors; e++) {
      int64_t segments = 0, least = 0;
      for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        make_noise(noise, seed, N, x);
        segments += segments_of(x, N, errors[e], "noise", noise);
        least += least_segments(x, N, errors[e] * (1.0 + 1e-12));
      }
      printf("noise %d, %g: %lld segments, %.3f times the least number\n", noise, errors[e],
             (long long)segments, (double)segments / (double)least);
      CHECK_AT_MOST((double)segments, 3.0 * (double)least);
      all += segments;
      all_least += least;
    }
    printf("noise %d: %.3f times the least number\n", noise, (double)all / (double)all_least);
    CHECK_AT_MOST((double)all, 1.6 * (double)all_least);
  }
  free(x);
}

/** Points of the curve between two parameters, `dense` a span; their number. */
static int64_t sample(const curve_set *set, int64_t item, double from, double to, int dense,
                      double *x) {
  int64_t n = 0;
  for (int64_t k = (int64_t)ceil(from * dense); (double)k <= to * dense; k++) {
    int64_t span = k / dense;
    double u = (double)(k % dense) / dense, value[REFERENCE_COMPONENTS];
    if (span == reference_spans(set, item)) {
      span--;
      u = 1.0;
    }
    reference_value(set, item, TSR_KNOTS_CENTRIPETAL, 0.0, set->points, 3, span, u, value);
    memcpy(x + 3 * n++, value, 3 * sizeof *x);
  }
  return n;
}

/** All kinds, random, with folds, and on one straight line that they go along back and forth:
 *  samples of the true curve, in order, beside every segment. */
static void check_every_kind(void) {
  enum { DENSE = 24 };
  uint64_t state = 99;
  double *x = malloc((size_t)3 * DENSE * 400 * sizeof *x);
  int64_t fewer = 0;
  for (int round = 0; round < 60; round++) {
    curve_set set;
    curve_set_init(&set);
    for (int kind = TSR_KIND_STRAIGHT; kind <= TSR_KIND_BSPLINE3; kind++) {
      double xyz[3 * 61], weights[61];
      for (int i = 0; i < 61; i++) {
        const int calm = round % 3 != 0; /* the others fold and turn at every point */
        if (round % 4 == 3) {
          const double at = random_in(&state, -1, 1);
          weights[i] = pow(10.0, random_in(&state, -2.0, 2.0));
          xyz[3 * i] = at, xyz[3 * i + 1] = 0.5 * at, xyz[3 * i + 2] = -0.25 * at;
          continue;
        }
        xyz[3 * i] = calm ? 0.1 * i : random_in(&state, -1, 1);
        xyz[3 * i + 1] = calm ? sin(0.1 * i) : 0.02 * random_in(&state, -1, 1);
        xyz[3 * i + 2] = 0.01 * random_in(&state, -1, 1);
      }
      curve_set_add(&set, (tsr_curve_kind)kind, 61, xyz, round % 8 == 3 ? weights : NULL,
                    round % 2);
    }
    const tsr_curves_view view = curve_set_view(&set);
    const double error = pow(10.0, random_in(&state, round % 4 == 3 ? -6.0 : -3.0, 0.0));
    tsr_curves_options o = coarse(error);
    o.sampling = (tsr_sampling)(round % 3);
    tessellation out, all;
    CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
    o.joints = TSR_JOINTS_KEEP_ALL;
    CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &all), TSR_OK);
    CHECK(out.sizes.points <= all.sizes.points);
    fewer += out.sizes.points < all.sizes.points;
    CHECK_INT(out.sizes.cells, all.sizes.cells);
    for (int64_t cell = 0; cell < out.sizes.cells; cell++) {
      const int64_t first = out.offsets[cell], last = out.offsets[cell + 1];
      CHECK_INT(out.source_item[cell], cell);
      CHECK_AT_MOST(out.achieved_error[cell], error * (1.0 + 1e-12));
      CHECK(round % 2 == 0 || last - first >= 4); /* a closed curve stays a polygon */
      for (int64_t k = first; k + 1 < last; k++) {
        const int64_t a = out.connectivity[k], b = out.connectivity[k + 1];
        const double from = out.parameter[a];
        const double to = k + 2 == last ? (double)reference_spans(&set, cell) : out.parameter[b];
        const int64_t n = sample(&set, cell, from, to, DENSE, x);
        CHECK_SAY(
            polyline_is_within(out.points + 3 * a, out.points + 3 * b, x, n, error * (1.0 + 1e-9)),
            "round %d, kind %d, error %g: from %g to %g", round, set.kinds[cell], error, from, to);
      }
    }
    tessellation_free(&out);
    tessellation_free(&all);
    curve_set_free(&set);
  }
  CHECK_INT(fewer, 60);
  free(x);
}

/** A line that goes on to 10, back to 7 and on to 20: all of it lies on the segment from 0 to 20,
 *  but in order only where the tolerance is 1.5. */
static void check_fold(void) {
  const double xyz[] = {0, 0, 0, 10, 0, 0, 7, 0, 0, 20, 0, 0};
  for (int folds = 0; folds < 2; folds++) {
    curve_set set;
    curve_set_init(&set);
    curve_set_add(&set, TSR_KIND_STRAIGHT, 4, xyz, NULL, 0);
    const tsr_curves_view view = curve_set_view(&set);
    const tsr_curves_options o = coarse(folds ? 1.49 : 1.51);
    tessellation out;
    CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
    CHECK_INT(out.sizes.points, folds ? 4 : 2);
    tessellation_free(&out);
    curve_set_free(&set);
  }
}

/** What one line of n points keeps, with up to one field and one array of labels. */
static int64_t kept(int n, const double *xyz, const double *field, const int32_t *labels,
                    tsr_curves_options o) {
  const tsr_array fields = {field, TSR_DOUBLE, 1, n}, marks = {labels, TSR_INT32, 1, n};
  curve_set set;
  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_STRAIGHT, n, xyz, NULL, 0);
  const tsr_curves_view view = curve_set_view(&set);
  o.fields = &fields;
  o.n_fields = field != NULL;
  o.labels = &marks;
  o.n_labels = labels != NULL;
  tessellation out;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  const int64_t points = out.sizes.points;
  double lo = INFINITY, hi = -INFINITY;
  for (int m = 0; field && m < n; m++) {
    lo = fmin(lo, field[m]); /* passes over what is no number */
    hi = fmax(hi, field[m]);
  }
  const double allowed = o.field_error * (o.field_relative ? hi - lo : 1.0) * (1.0 + 1e-9);
  for (int64_t k = 0; field && k + 1 < points; k++) {
    const int64_t i = out.nearest_point[k], j = out.nearest_point[k + 1];
    for (int64_t m = i; m <= j; m++) { /* the line runs along x */
      const double t = (xyz[3 * m] - xyz[3 * i]) / (xyz[3 * j] - xyz[3 * i]);
      CHECK(!(fabs(field[m] - (field[i] + t * (field[j] - field[i]))) > allowed));
      CHECK(isnan(field[m]) == isnan(field[i]) || j == i + 1);
    }
  }
  tessellation_free(&out);
  curve_set_free(&set);
  return points;
}

/** Many short curves with noise, of which one segment too many is a large part: all together have
 * at most 1.15 times the least number. */
static void check_short(void) {
  enum { SEEDS = 60 };
  static const int sizes[] = {5, 10, 20, 21};
  static const double errors[] = {0.8, 1.0, 1.2, 1.7};
  double x[3 * 21];
  for (int e = 0; e < 4; e++) {
    for (int s = 0; s < 4; s++) {
      const int n = sizes[s];
      int64_t segments = 0, least = 0;
      for (uint64_t seed = 0; seed < NOISES * SEEDS; seed++) {
        make_noise((int)(seed % NOISES), 5000 + seed, n, x);
        const int64_t here = least_segments(x, n, errors[e] * (1.0 + 1e-12));
        const int64_t made = kept(n, x, NULL, NULL, coarse(errors[e])) - 1;
        CHECK_SAY(made >= here, "%lld segments of at least %lld", (long long)made, (long long)here);
        segments += made;
        least += here;
      }
      printf("%d points, %g: %.3f times the least number\n", n, errors[e],
             (double)segments / (double)least);
      CHECK_AT_MOST((double)segments, 1.15 * (double)least);
    }
  }
}

/** A straight line of 100 points at uneven steps. */
static void check_values(void) {
  enum { N = 100 };
  double xyz[3 * N], field[N];
  int32_t labels[N];
  tsr_curves_options o = coarse(0.1);
  for (int i = 0; i < N; i++) {
    xyz[3 * i] = i + 0.3 * sin(i);
    xyz[3 * i + 1] = xyz[3 * i + 2] = 0.0;
    field[i] = xyz[3 * i] < 50.0 ? 0.0 : xyz[3 * i] - 50.0;
    labels[i] = i >= 30;
  }
  o.field_error = 0.01;
  CHECK_INT(kept(N, xyz, NULL, NULL, o), 2);
  CHECK_INT(kept(N, xyz, NULL, labels, o), 4); /* 0 29 30 99 */
  const int64_t bent = kept(N, xyz, field, NULL, o);
  CHECK_SAY(bent >= 3 && bent <= 5, "%lld", (long long)bent);
  for (int i = 60; i < 70; i++) {
    field[i] = (double)NAN;
  }
  const int64_t holed = kept(N, xyz, field, NULL, o); /* and 59, 60, 69 and 70 */
  CHECK_SAY(holed >= bent + 3 && holed <= bent + 5, "%lld", (long long)holed);
  for (int i = 0; i < N; i++) {
    field[i] = sin(0.2 * i);
  }
  CHECK(kept(N, xyz, field, NULL, o) > 20);
  o.field_relative = 1;
  o.field_error = 0.005;
  CHECK(kept(N, xyz, field, NULL, o) > 20);
  for (int i = 0; i < N; i++) {
    field[i] = 5.0;
  }
  CHECK_INT(kept(N, xyz, field, NULL, o), 2);
  o.use_field_error = 0;
  CHECK_INT(kept(N, xyz, NULL, NULL, o), 2);
}

/** The corner of a right angle and the turning angle of a circle stay in bounds. */
static void check_turning(void) {
  enum { N = 721 };
  double xyz[3 * N];
  for (int i = 0; i < N; i++) {
    const double t = 3.14159265358979323846 / 360.0 * i;
    xyz[3 * i] = cos(t);
    xyz[3 * i + 1] = sin(t);
    xyz[3 * i + 2] = 0.0;
  }
  tsr_curves_options o = coarse(0.1);
  const int64_t free_of_it = kept(N, xyz, NULL, NULL, o);
  o.use_turning_angle = 1;
  o.turning_angle = 10.0;
  const int64_t turned = kept(N, xyz, NULL, NULL, o);
  CHECK_SAY(free_of_it < 10 && turned >= 37 && turned <= 42, "%lld and %lld", (long long)free_of_it,
            (long long)turned);
  /* Two legs of a right angle, 0.01 long each: less than the tolerance, but a corner. */
  const double corner[] = {0, 0, 0, 5, 0, 0, 10, 0, 0, 10, 0.01, 0, 20, 0.01, 0};
  CHECK_INT(kept(5, corner, NULL, NULL, o), 4);
  o.use_turning_angle = 0;
  CHECK_INT(kept(5, corner, NULL, NULL, o), 2);
}

/** A straight line in pieces of 0.3 and 1.5 by turns, in segments of at most 1.4: a long piece has
 * a vertex half way, which goes on from no input point. From there 0.75 + 0.3 reach the end of the
 *  next short piece, and nothing longer is allowed: two segments to a pair are the least number. */
static void check_parts_of_lines(void) {
  enum { PAIRS = 20, N = 2 * PAIRS + 1 };
  double xyz[3 * N] = {0.0};
  tsr_curves_options o = coarse(0.05);
  for (int i = 1; i < N; i++) {
    xyz[3 * i] = xyz[3 * (i - 1)] + (i % 2 ? 0.3 : 1.5);
    xyz[3 * i + 1] = xyz[3 * i];
    xyz[3 * i + 2] = 7.0;
  }
  o.use_max_length = 1;
  o.max_length = 1.4 * sqrt(2.0);
  const int64_t segments = kept(N, xyz, NULL, NULL, o) - 1;
  CHECK_SAY(segments >= 2 * PAIRS && (double)segments <= 1.15 * (2 * PAIRS), "%lld segments",
            (long long)segments);
}

/** A curve of many walks: any number of threads gives the same, and each walk's end stays. */
static void check_long(void) {
  enum { N = 200000 };
  double *x = malloc((size_t)3 * N * sizeof *x);
  for (int i = 0; i < N; i++) {
    x[3 * i] = 1e-3 * i;
    x[3 * i + 1] = sin(1e-3 * i);
    x[3 * i + 2] = 0.0;
  }
  curve_set set;
  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_STRAIGHT, N, x, NULL, 0);
  const tsr_curves_view view = curve_set_view(&set);
  const tsr_curves_options o = coarse(1e-3);
  tessellation out, other;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  /* The arc's integral of sqrt(curvature / (8 error)) is the least number. */
  double least = 0.0;
  for (int i = 0; i < N; i++) {
    const double s = sqrt(1 + cos(1e-3 * i) * cos(1e-3 * i));
    least += 1e-3 * s * sqrt(fabs(sin(1e-3 * i)) / (s * s * s) / 8e-3);
  }
  printf("long: %lld points, least %.0f\n", (long long)out.sizes.points, least);
  CHECK_AT_MOST((double)out.sizes.points, 1.05 * least);
  int borders = 0;
  for (int64_t k = 0; k < out.sizes.points; k++) {
    borders += out.nearest_point[k] % 65536 == 0;
  }
  CHECK_INT(borders, 4);
  for (int threads = 2; threads < 5; threads++) {
    executor exec = {.threads = threads};
    const tsr_execution execution = executor_execution(&exec);
    CHECK_INT(tessellate(&view, &o, &execution, NULL, 0, &other), TSR_OK);
    CHECK(other.sizes.points == out.sizes.points &&
          memcmp(other.points, out.points, (size_t)out.sizes.points * 24) == 0);
    tessellation_free(&other);
  }
  tessellation_free(&out);
  curve_set_free(&set);
  free(x);
}

/** A budget below the number of input points is kept. */
static void check_budget(void) {
  enum { N = 1000 };
  double x[3 * N], scale;
  make_shape(4, N, x);
  curve_set set;
  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_CATMULL_ROM, N, x, NULL, 0);
  const tsr_curves_view view = curve_set_view(&set);
  tsr_curves_options o = coarse(1e-9);
  tsr_curves_plan *plan = NULL;
  tsr_error error;
  o.defer_count = 1;
  CHECK_INT(tsr_curves_plan_create(&view, &o, NULL, &plan, &error), TSR_OK);
  CHECK_INT(tsr_curves_fit_budget(&plan, 1, 100, NULL, NULL, &scale, &error), TSR_OK);
  CHECK(isfinite(scale));
  const int64_t points = tsr_curves_plan_sizes(plan)->points;
  CHECK_SAY(points <= 100 && points > 80, "%lld", (long long)points);
  tsr_curves_plan_free(plan);
  curve_set_free(&set);
}

int main(void) {
  check_fold();
  check_values();
  check_turning();
  check_parts_of_lines();
  check_budget();
  check_long();
  check_every_kind();
  check_against_least();
  check_noise();
  check_short();
  return check_result();
}
