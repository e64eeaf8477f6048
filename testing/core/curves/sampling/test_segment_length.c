/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Maximum Segment Length: the number of segments, beside the least that there can be. A segment and
 * the arc that it stands for are no longer than the length, so that a span of known arc length
 * takes at least their quotient, rounded up.
 */
#include <stdlib.h>
#include <time.h>

#include "check.h"
#include "curve_set.h"

static tsr_curves_options options_length(tsr_sampling sampling, double length) {
  tsr_curves_options o = options_chord_error(sampling, 1.0);
  o.use_chord_error = 0;
  o.use_max_length = 1;
  o.max_length = length;
  return o;
}

/** Segments of a set, all curves together. */
static int64_t segments_of(const curve_set *set, const tsr_curves_options *o) {
  const tsr_curves_view view = curve_set_view(set);
  tsr_curves_plan *plan;
  tsr_error error;
  int64_t n = -1;
  if (CHECK_INT(tsr_curves_plan_create(&view, o, NULL, &plan, &error), TSR_OK)) {
    const tsr_curves_sizes *sizes = tsr_curves_plan_sizes(plan);
    n = sizes->connectivity - sizes->cells;
  }
  tsr_curves_plan_free(plan);
  return n;
}

/** A straight line of length 10 takes 10 segments of length 1, whatever it is made of. */
static void check_lines(void) {
  for (int kind = TSR_KIND_STRAIGHT; kind <= TSR_KIND_NATURAL_SPLINE; kind++) {
    for (int n = 2; n <= 5; n++) {
      const int spans = kind == TSR_KIND_LAGRANGE || kind <= TSR_KIND_CATMULL_ROM ||
                                kind == TSR_KIND_NATURAL_SPLINE
                            ? n - 1
                            : 1;
      const int bent = (kind == TSR_KIND_BEZIER2_CHAIN || kind == TSR_KIND_BSPLINE2) && n != 3;
      const int odd = (kind == TSR_KIND_BEZIER3_CHAIN || kind == TSR_KIND_BSPLINE3) && n != 4;
      curve_set set;
      double xyz[15];
      for (int i = 0; i < n; i++) {
        const double t = 10.0 * spans * i / (n - 1);
        xyz[3 * i] = 2.0 / 3.0 * t + 1.0;
        xyz[3 * i + 1] = 2.0 / 3.0 * t;
        xyz[3 * i + 2] = 1.0 / 3.0 * t;
      }
      curve_set_init(&set);
      curve_set_add(&set, (tsr_curve_kind)kind, n, xyz, NULL, 0);
      for (int variant = 0; variant < 6 && !bent && !odd; variant++) {
        tsr_curves_options o = options_length((tsr_sampling)(variant % 3), 1.0);
        o.use_chord_error = variant >= 3;
        o.joints = variant >= 3 ? TSR_JOINTS_WHERE_NEEDED : TSR_JOINTS_KEEP_ALL;
        const int64_t least = 10 * spans, count = segments_of(&set, &o);
        /* a Catmull-Rom curve is slower at its ends, a power of two divides by no 10 */
        if (o.sampling == TSR_SAMPLING_EQUAL_ERROR ||
            (o.sampling == TSR_SAMPLING_UNIFORM && kind != TSR_KIND_CATMULL_ROM)) {
          CHECK_SAY(count == least, "kind %d of %d points, variant %d: %lld segments, not %lld",
                    kind, n, variant, (long long)count, (long long)least);
        }
      }
      curve_set_free(&set);
    }
  }
}

/** Counts of a curve of known length, from 1 segment to 3,000. What is bounded is the control
 *  polygon, which is longer than the arc: by so little beside the half segment that is left over
 *  that counts from 512 on are exact. */
static void check_known(const char *name, const curve_set *set, double arc) {
  int64_t sum = 0, sum_least = 0;
  for (int least = 1; least <= 3000; least += 1 + least / 16) {
    for (int with_chord = 0; with_chord < 2; with_chord++) {
      tsr_curves_options o = options_length(TSR_SAMPLING_EQUAL_ERROR, arc / (least - 0.5));
      o.use_chord_error = with_chord; /* of 1: asks for nothing */
      const int64_t count = segments_of(set, &o);
      CHECK_SAY(count >= least && count <= least + (least < 512 ? 3 : 0),
                "%s: %lld segments, at least %d", name, (long long)count, least);
      sum += count;
      sum_least += least;
    }
  }
  printf("%s: %lld segments, at least %lld\n", name, (long long)sum, (long long)sum_least);
}

static void check_circle_and_parabola(void) {
  static const double circle[9] = {1, 0, 0, 1, 1, 0, 0, 1, 0},
                      weights[3] = {1, 0.70710678118654752, 1};
  static const double parabola[9] = {-1, 2, 0, 0.5, -4, 0, 2, 8, 0}; /* y = 2 x^2 */
  static const double cubic[12] = {-1, 2, 0, 0, -2, 0, 1, 0, 0, 2, 8, 0};
  const double a = -4.0, b = 8.0; /* slopes at the ends */
  const double arc = ((b * sqrt(1 + b * b) + asinh(b)) - (a * sqrt(1 + a * a) + asinh(a))) / 8.0;
  curve_set set;
  curve_set_init(&set);
  set.rational = 1;
  curve_set_add(&set, TSR_KIND_BEZIER, 3, circle, weights, 0);
  check_known("quarter of a circle", &set, 2.0 * atan(1.0));
  curve_set_free(&set);
  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_BEZIER, 3, parabola, NULL, 0);
  check_known("parabola", &set, arc);
  curve_set_free(&set);
  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_BEZIER, 4, cubic, NULL, 0);
  check_known("parabola as a cubic", &set, arc);
  curve_set_free(&set);
}

/** A random curve that is not too uneven. */
static void add_random(curve_set *set, uint64_t *state, tsr_curve_kind kind, int n) {
  double xyz[3 * 16], weights[16];
  for (int i = 0; i < 3 * n; i++) {
    xyz[i] = random_in(state, -1.0, 1.0);
    weights[i / 3] = random_in(state, 0.25, 4.0);
  }
  curve_set_add(set, kind, n, xyz, set->rational ? weights : NULL, 0);
}

/** Equal Error makes no more segments than the others, where the length binds. */
static void check_fewest(void) {
  uint64_t state = 31;
  int64_t sums[3] = {0};
  for (int i = 0; i < 2000; i++) {
    const tsr_curve_kind kind =
        (tsr_curve_kind)(TSR_KIND_STRAIGHT + random_bits(&state) % TSR_KIND_NATURAL_SPLINE);
    const double length = pow(10.0, random_in(&state, -3.0, 0.0));
    const int chord = random_bits(&state) % 2 == 0;
    int64_t n[3];
    curve_set set;
    curve_set_init(&set);
    set.rational = random_bits(&state) % 2 == 0;
    add_random(&set, &state, kind, 2 + (int)(random_bits(&state) % 6));
    for (int s = 0; s < 3; s++) {
      tsr_curves_options o = options_length((tsr_sampling)s, length);
      o.use_chord_error = chord;
      o.chord_error = length; /* the chord error asks for something here and there */
      sums[s] += n[s] = segments_of(&set, &o);
    }
    CHECK_SAY(n[TSR_SAMPLING_EQUAL_ERROR] <= n[TSR_SAMPLING_UNIFORM] &&
                  n[TSR_SAMPLING_EQUAL_ERROR] <= n[TSR_SAMPLING_BISECTION],
              "curve %d of kind %d, length %g: %lld segments, %lld uniform ones, %lld by bisection",
              i, kind, length, (long long)n[TSR_SAMPLING_EQUAL_ERROR],
              (long long)n[TSR_SAMPLING_UNIFORM], (long long)n[TSR_SAMPLING_BISECTION]);
    curve_set_free(&set);
  }
  printf("random curves: %lld segments, %lld uniform ones, %lld by bisection\n",
         (long long)sums[TSR_SAMPLING_EQUAL_ERROR], (long long)sums[TSR_SAMPLING_UNIFORM],
         (long long)sums[TSR_SAMPLING_BISECTION]);
}

/** Seconds of the processor that a plan takes, the least of three. */
static double seconds_of(const curve_set *set, const tsr_curves_options *o) {
  double least = 1e300;
  for (int i = 0; i < 3; i++) {
    const clock_t start = clock();
    segments_of(set, o);
    least = fmin(least, (double)(clock() - start) / CLOCKS_PER_SEC);
  }
  return least;
}

/** Length and chord error together, where the length binds: joints could go for the chord error
 *  alone, and the time that this takes was 20 times that of the length. */
static void check_time(void) {
  uint64_t state = 33;
  curve_set set;
  curve_set_init(&set);
  add_random(&set, &state, TSR_KIND_CATMULL_ROM, 10);
  tsr_curves_options o = options_length(TSR_SAMPLING_BISECTION, 2e-5);
  const double alone = seconds_of(&set, &o);
  o.use_chord_error = 1;
  o.chord_error = 0.01;
  o.joints = TSR_JOINTS_WHERE_NEEDED;
  const double both = seconds_of(&set, &o);
  printf("length alone: %.3f s, with a chord error: %.3f s\n", alone, both);
  CHECK_AT_MOST(both, 10.0 * alone);
  curve_set_free(&set);
}

int main(void) {
  check_lines();
  check_circle_and_parabola();
  check_fewest();
  check_time();
  return check_result();
}
