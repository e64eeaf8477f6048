/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Sampling by equal errors. The guarantee is looked at by an evaluator of its own in long double,
 * on random and on adversarial curves; the counts are compared with the least number that vertices
 * on the curve can have, and with those of the other samplings. Use: test_equal_error [CURVES]
 * (default 100,000; the nightly run takes up to 100,000,000)
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "case_file.h"
#include "check.h"
#include "greedy.h"

enum { BATCH = 2000, SAMPLES = 7 };

/** Control points of a Bezier cell, in homogeneous coordinates. */
typedef struct bezier {
  int order;
  long double q[TSR_MAX_DEGREE + 1][4];
} bezier;

static bezier bezier_of(const curve_set *set, int64_t item) {
  const int64_t *ids = set->ids + set->offsets[item];
  bezier b = {(int)(set->offsets[item + 1] - set->offsets[item]), {{0}}};
  for (int i = 0; i < b.order; i++) {
    const int64_t id = ids[i == 0 ? 0 : i == b.order - 1 ? 1 : i + 1];
    const long double w = set->rational ? set->weights[id] : 1.0;
    for (int c = 0; c < 3; c++) {
      b.q[i][c] = w * (long double)set->points[3 * id + c];
    }
    b.q[i][3] = w;
  }
  return b;
}

/** De Casteljau. */
static void evaluate(const bezier *b, long double t, long double *p) {
  long double q[TSR_MAX_DEGREE + 1][4];
  memcpy(q, b->q, sizeof q);
  for (int r = b->order - 1; r > 0; r--) {
    for (int i = 0; i < r; i++) {
      for (int c = 0; c < 4; c++) {
        q[i][c] = (1 - t) * q[i][c] + t * q[i + 1][c];
      }
    }
  }
  for (int c = 0; c < 3; c++) {
    p[c] = q[0][c] / q[0][3];
  }
}

static double distance(const long double *p, const double *a, const double *b) {
  long double along = 0, square = 0, rest = 0;
  for (int c = 0; c < 3; c++) {
    along += (p[c] - a[c]) * ((long double)b[c] - a[c]);
    square += ((long double)b[c] - a[c]) * ((long double)b[c] - a[c]);
  }
  long double t = square > 0 ? along / square : 0;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  for (int c = 0; c < 3; c++) {
    const long double d = p[c] - (a[c] + t * ((long double)b[c] - a[c]));
    rest += d * d;
  }
  return (double)sqrtl(rest);
}

/** Shapes that have broken flatteners, in two dimensions; degree 3. */
static const double shapes[][4][2] = {
    {{0, 0}, {1, 1}, {0, 1}, {1, 0}},         /* a cusp */
    {{0, 0}, {1, 1.0001}, {0, 1}, {1, 0}},    /* nearly a cusp */
    {{0, 0}, {1, 0.9999}, {0, 1}, {1, 0}},    /* a tiny loop */
    {{0, 0}, {3, 1}, {-2, 1}, {1, 0}},        /* a loop */
    {{0, 0}, {1, 1}, {-1, 1}, {0, 0}},        /* closed */
    {{0, 0}, {2, 0}, {-1, 0}, {1, 0}},        /* folded twice */
    {{0, 0}, {2, 1e-9}, {-1, -1e-9}, {1, 0}}, /* nearly */
    {{0, 0}, {1, 1}, {0, -1}, {1, 0}},        /* an S */
    {{0, 0}, {1. / 3, 1e-6}, {2. / 3, -1e-6}, {1, 0}},
    {{0, 0}, {0, 0}, {1, 1}, {1, 1}},     /* straight, slow at both ends */
    {{0, 0}, {0, 0}, {0.5, 0.7}, {1, 1}}, /* a double point */
    {{0, 0}, {0.5, 1}, {0.5, 1}, {1, 0}},
    {{0, 0}, {0, 0}, {0, 0}, {1, 0}},
    {{0, 0}, {1e3, 1e3}, {-1e3, 1e3}, {1, 0}}};

/** A curve of one of several hard sorts; *tolerance would take some ten segments. */
static void add_hard(curve_set *set, uint64_t *state, double scale) {
  const int shape = (int)(random_bits(state) % (2 * sizeof shapes / sizeof *shapes));
  const int shaped = shape < (int)(sizeof shapes / sizeof *shapes);
  const int order = shaped ? 4 : 3 + (int)(random_bits(state) % (random_bits(state) % 8 ? 2 : 8));
  const int flat = random_bits(state) % 8 == 0, heavy = random_bits(state) % 2 == 0;
  const double tiny = pow(10.0, random_in(state, -12.0, 0.0));
  double xyz[3 * (TSR_MAX_DEGREE + 1)], weights[TSR_MAX_DEGREE + 1];
  for (int i = 0; i < order; i++) {
    const double noise = random_bits(state) % 2 ? 1e-7 : 0.0;
    for (int c = 0; c < 3; c++) {
      const double base = !shaped ? random_in(state, -1.0, 1.0) : c < 2 ? shapes[shape][i][c] : 0.0;
      xyz[3 * i + c] = scale * (base + (shaped ? noise * random_in(state, -1.0, 1.0) : 0.0));
    }
    if (flat) { /* nearly straight */
      xyz[3 * i + 1] = tiny * xyz[3 * i + 1] + 0.25 * xyz[3 * i];
      xyz[3 * i + 2] *= tiny;
    }
    if (!shaped && i > 0 && random_bits(state) % 16 == 0) {
      memcpy(xyz + 3 * i, xyz + 3 * (i - 1), 3 * sizeof *xyz);
    }
    weights[i] = heavy ? pow(10.0, random_in(state, -3.0, 3.0)) : random_in(state, 0.5, 2.0);
  }
  curve_set_add(set, TSR_KIND_BEZIER, order, xyz, set->rational ? weights : NULL, 0);
}

/** Every curve must be within the error of its own segments, and say so. */
static void check_cell(const curve_set *set, const tessellation *out, int64_t cell, double scale,
                       double error) {
  const bezier b = bezier_of(set, out->source_item[cell]);
  const double rounding = 1e-11 * scale * (set->rational ? 10.0 : 1.0);
  double greatest = 0.0;
  for (int64_t k = out->offsets[cell]; k + 1 < out->offsets[cell + 1]; k++) {
    const int64_t i = out->connectivity[k], j = out->connectivity[k + 1];
    const long double from = out->parameter[i], to = out->parameter[j];
    CHECK_SAY(to > from, "item %lld: a step back", (long long)cell);
    for (int s = 1; s <= SAMPLES; s++) {
      long double p[3];
      evaluate(&b, from + (to - from) * s / (SAMPLES + 1), p);
      greatest = fmax(greatest, distance(p, out->points + 3 * i, out->points + 3 * j));
    }
  }
  CHECK_SAY(greatest <= error * (1.0 + 1e-9) + rounding, "item %lld of order %d: %g away, above %g",
            (long long)cell, b.order, greatest, error);
  CHECK_SAY(greatest <= out->achieved_error[cell] * (1.0 + 1e-9) + rounding,
            "item %lld: %g away, achieved_error says %g", (long long)cell, greatest,
            out->achieved_error[cell]);
  CHECK_AT_MOST(out->achieved_error[cell], error * (1.0 + 1e-12));
}

static void check_guarantee(int64_t curves) {
  uint64_t state = 5;
  int64_t segments = 0;
  for (int64_t done = 0; done < curves; done += BATCH) {
    const double scale = pow(10.0, random_in(&state, -6.0, 6.0));
    const double error = scale * pow(10.0, random_in(&state, -4.5, -0.5));
    const tsr_curves_options o = options_chord_error(TSR_SAMPLING_EQUAL_ERROR, error);
    curve_set set;
    tessellation out;
    curve_set_init(&set);
    set.rational = random_bits(&state) % 2 == 0;
    for (int i = 0; i < BATCH; i++) {
      add_hard(&set, &state, scale);
    }
    const tsr_curves_view view = curve_set_view(&set);
    if (CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK)) {
      CHECK_INT(out.sizes.cells, BATCH);
      CHECK_INT(out.sizes.notes[TSR_NOTE_LEVEL_LIMIT].count, 0);
      for (int64_t cell = 0; cell < out.sizes.cells; cell++) {
        check_cell(&set, &out, cell, scale, error);
      }
      segments += out.sizes.connectivity - out.sizes.cells;
    }
    tessellation_free(&out);
    curve_set_free(&set);
  }
  printf("%lld curves, %lld segments\n", (long long)curves, (long long)segments);
}

/** Segments of every curve of a set; the caller frees them. */
static int64_t *segments_of(const curve_set *set, tsr_sampling sampling, double error) {
  const tsr_curves_options o = options_chord_error(sampling, error);
  const tsr_curves_view view = curve_set_view(set);
  int64_t *segments = calloc((size_t)set->n_items, sizeof *segments);
  tessellation out;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  for (int64_t cell = 0; cell < out.sizes.cells; cell++) {
    segments[out.source_item[cell]] = out.offsets[cell + 1] - out.offsets[cell] - 1;
  }
  tessellation_free(&out);
  return segments;
}

/** Sums over the curves of a set. */
typedef struct sums {
  int64_t equal, bisection, better, least, equal_of_many, least_of_many;
} sums;

/** The better of the other two, curve by curve, and the least there can be; `many` is 4 or more. */
static sums count_all(const curve_set *set, double error) {
  int64_t *segments[3];
  sums sum = {0};
  for (int s = 0; s < 3; s++) {
    segments[s] = segments_of(set, (tsr_sampling)s, error);
  }
  for (int64_t i = 0; i < set->n_items; i++) {
    if (set->kinds[i] == TSR_KIND_NONE) {
      continue;
    }
    const int64_t least = greedy_segments(set, i, error);
    const int64_t u = segments[TSR_SAMPLING_UNIFORM][i], b = segments[TSR_SAMPLING_BISECTION][i];
    const int64_t n = segments[TSR_SAMPLING_EQUAL_ERROR][i];
    sum.equal += n;
    sum.bisection += b;
    sum.better += u < b ? u : b;
    sum.least += least;
    sum.equal_of_many += least >= 4 ? n : 0;
    sum.least_of_many += least >= 4 ? least : 0;
  }
  for (int s = 0; s < 3; s++) {
    free(segments[s]);
  }
  return sum;
}

static double ratio(int64_t a, int64_t b) { return (double)a / (double)(b > 0 ? b : 1); }

/** The least number is a fact about the curves: no bound of ours is in it. */
static sums check_counts(const char *name, const curve_set *set, double error) {
  const sums s = count_all(set, error);
  printf("%s, %g: %lld segments, %.3f of bisection's, %.3f of the better one's; %.3f times the "
         "least number, %.3f where that is 4 or more\n",
         name, error, (long long)s.equal, ratio(s.equal, s.bisection), ratio(s.equal, s.better),
         ratio(s.equal, s.least), ratio(s.equal_of_many, s.least_of_many));
  CHECK_AT_MOST(ratio(s.equal, s.least), 1.10);
  CHECK_AT_MOST(ratio(s.equal_of_many, s.least_of_many), 1.05);
  CHECK_AT_MOST(ratio(s.equal, s.better), 1.01);
  return s;
}

static void check_file(const char *name, const double *errors) {
  case_file file;
  curve_set set;
  if (!case_file_open(&file, name)) {
    return;
  }
  curve_set_init(&set);
  case_file_curves(&file, TSR_KIND_NONE, &set);
  for (int i = 0; errors[i] > 0.0; i++) {
    check_counts(name, &set, errors[i]);
  }
  curve_set_free(&set);
  case_file_close(&file);
}

static void check_made(int degree, double of_bisection) {
  uint64_t state = 1;
  curve_set set;
  curve_set_init(&set);
  for (int i = 0; i < 2000; i++) {
    double xyz[3 * 4];
    for (int k = 0; k < 3 * (degree + 1); k++) {
      xyz[k] = random_in(&state, 0.0, 1.0);
    }
    curve_set_add(&set, TSR_KIND_BEZIER, degree + 1, xyz, NULL, 0);
  }
  for (double error = 1e-2; error > 5e-5; error /= 10.0) {
    const sums s = check_counts(degree == 2 ? "quadratics" : "cubics", &set, error);
    if (error < 2e-4) {
      CHECK_AT_MOST(ratio(s.equal, s.bisection), of_bisection);
    }
  }
  curve_set_free(&set);
}

/** Weights that differ by a factor of up to 10,000 crowd the curve into a small part of the
 *  parameter; it takes no more than the better of the others even so. */
static void check_uneven_weights(void) {
  uint64_t state = 1;
  curve_set set;
  curve_set_init(&set);
  set.rational = 1;
  for (int i = 0; i < 300; i++) {
    double xyz[9], weights[3];
    for (int k = 0; k < 9; k++) {
      xyz[k] = random_in(&state, 0.0, 1.0);
      weights[k / 3] = pow(10.0, random_in(&state, -2.0, 2.0));
    }
    curve_set_add(&set, TSR_KIND_BEZIER, 3, xyz, weights, 0);
  }
  const sums s = count_all(&set, 1e-4);
  printf("uneven weights: %lld segments, %.3f of bisection's, %.3f of the better one's\n",
         (long long)s.equal, ratio(s.equal, s.bisection), ratio(s.equal, s.better));
  CHECK_AT_MOST(ratio(s.equal, s.better), 1.01);
  curve_set_free(&set);
}

/** What a straight line, a point and a half circle take is known. */
static void check_known(void) {
  static const double line[9] = {0, 0, 0, 1, 2, 3, 2, 4, 6}, point[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
  static const double arch[9] = {0, 0, 0, 1, 1, 0, 2, 0, 0}; /* y = x - x^2 / 2 */
  curve_set set;
  curve_set_init(&set);
  curve_set_add(&set, TSR_KIND_BEZIER, 3, line, NULL, 0);
  curve_set_add(&set, TSR_KIND_BEZIER, 3, point, NULL, 0);
  curve_set_add(&set, TSR_KIND_BEZIER, 2, line, NULL, 0);
  curve_set_add(&set, TSR_KIND_BEZIER, 3, arch, NULL, 0);
  int64_t *n = segments_of(&set, TSR_SAMPLING_EQUAL_ERROR, 1e-6);
  for (int i = 0; i < 3; i++) {
    CHECK_INT(n[i], 1);
  }
  /* the integral over x of sqrt(|y''| / (1 + y'^2)^(1/2) / (8 e)), by the midpoint rule */
  double integral = 0.0;
  for (int i = 0; i < 100000; i++) {
    const double slope = 1.0 - 2.0 * (i + 0.5) / 100000.0;
    integral += 2.0 / 100000.0 * sqrt(1.0 / sqrt(1.0 + slope * slope) / 8e-6);
  }
  CHECK_SAY((double)n[3] >= integral && (double)n[3] < integral + 2.0, "%lld segments, not %g",
            (long long)n[3], integral);
  free(n);
  curve_set_free(&set);
}

/** A span has at most 2^max_level segments, says so, and a plan no more points than its limit. */
static void check_limits(void) {
  curve_set set;
  uint64_t state = 3;
  curve_set_init(&set);
  for (int i = 0; i < 200; i++) {
    add_hard(&set, &state, 1.0);
  }
  const tsr_curves_view view = curve_set_view(&set);
  for (int level = 0; level <= 6; level++) {
    tsr_curves_options o = options_chord_error(TSR_SAMPLING_EQUAL_ERROR, 1e-6);
    tessellation out;
    o.max_level = level;
    CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
    CHECK_SAY(out.sizes.notes[TSR_NOTE_LEVEL_LIMIT].count > 0, "level %d: no note", level);
    for (int64_t cell = 0; cell < out.sizes.cells; cell++) {
      CHECK_AT_MOST((double)(out.offsets[cell + 1] - out.offsets[cell] - 1), (double)(1 << level));
    }
    tessellation_free(&out);
  }
  tsr_curves_options o = options_chord_error(TSR_SAMPLING_EQUAL_ERROR, 1e-6);
  tessellation out;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  const int64_t points = out.sizes.points;
  tessellation_free(&out);
  o.limit_points = points;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_OK);
  tessellation_free(&out);
  o.limit_points = points - 1;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_TOO_LARGE);
  tessellation_free(&out);
  o.limit_points = 1000;
  o.chord_error = 1e-14;
  o.max_level = 30;
  CHECK_INT(tessellate(&view, &o, NULL, NULL, 0, &out), TSR_TOO_LARGE);
  tessellation_free(&out);
  curve_set_free(&set);
}

int main(int argc, char **argv) {
  static const double tiger[] = {1.0, 0.1, 0.01, 0.0}, font[] = {10.0, 1.0, 0.0};
  check_known();
  check_limits();
  check_uneven_weights();
  check_made(2, 0.74);
  check_made(3, 0.72);
  check_file("tiger_bezier", tiger);
  check_file("DejaVuSans_bezier", font);
  check_guarantee(argc > 1 ? strtoll(argv[1], NULL, 10) : 100000);
  return check_result();
}
