/* SPDX-License-Identifier: BSD-3-Clause */
/** The jet: divergence-free, livelier downstream, the same whatever the extent and threads. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "executor.h"
#include "tessera.h"

typedef struct jet {
  int64_t n[3];
  double *velocity, *temperature, *scalar;
} jet;

static void make(const tsr_jet_options *o, const int64_t extent[6], const tsr_execution *execution,
                 jet *j) {
  int64_t points = 1;
  tsr_error error;
  for (int a = 0; a < 3; a++) {
    j->n[a] = extent[2 * a + 1] - extent[2 * a] + 1;
    points *= j->n[a];
  }
  j->velocity = malloc((size_t)points * 3 * sizeof(double));
  j->temperature = malloc((size_t)points * sizeof(double));
  j->scalar = malloc((size_t)points * sizeof(double));
  tsr_jet_output out;
  tsr_jet_output_init(&out);
  out.type = TSR_DOUBLE;
  out.velocity = j->velocity;
  out.temperature = j->temperature;
  out.scalar = j->scalar;
  CHECK_INT(tsr_jet_fill(o, extent, execution, &out, &error), TSR_OK);
}

static void drop(jet *j) {
  free(j->velocity);
  free(j->temperature);
  free(j->scalar);
}

static int64_t at(const jet *j, int64_t x, int64_t y, int64_t z) {
  return (z * j->n[1] + y) * j->n[0] + x;
}

/** Largest |div v| by central differences over largest |grad v|; of steps h it is of order h^2. */
static double divergence(const jet *j, const double h[3]) {
  double most = 0.0, gradient = 0.0;
  for (int64_t z = 1; z < j->n[2] - 1; z++) {
    for (int64_t y = 1; y < j->n[1] - 1; y++) {
      for (int64_t x = 1; x < j->n[0] - 1; x++) {
        double sum = 0.0;
        for (int a = 0; a < 3; a++) {
          const int64_t up = at(j, x + (a == 0), y + (a == 1), z + (a == 2));
          const int64_t down = at(j, x - (a == 0), y - (a == 1), z - (a == 2));
          const double d = (j->velocity[3 * up + a] - j->velocity[3 * down + a]) / (2.0 * h[a]);
          sum += d;
          gradient = fmax(gradient, fabs(d));
        }
        most = fmax(most, fabs(sum));
      }
    }
  }
  return most / gradient;
}

static void check_divergence(void) {
  double found[2];
  for (int k = 0; k < 2; k++) {
    const int64_t n = 400 << k;
    const int64_t middle = n * 5 / 8;
    tsr_jet_options o;
    tsr_jet_options_init(&o);
    const int64_t whole[6] = {0, 2 * n, 0, n, 0, n};
    const int64_t extent[6] = {2 * n * 4 / 5, 2 * n * 4 / 5 + (24 << k), middle, middle + (24 << k),
                               n / 2,         n / 2 + (24 << k)};
    const double h[3] = {4.0 / (double)(2 * n), 2.0 / (double)n, 2.0 / (double)n};
    memcpy(o.whole, whole, sizeof whole);
    o.time = 0.3;
    jet j;
    make(&o, extent, NULL, &j);
    found[k] = divergence(&j, h);
    drop(&j);
  }
  CHECK_AT_MOST(found[0], 0.02);
  CHECK_SAY(found[1] < 0.3 * found[0], "the divergence falls from %g to %g only", found[0],
            found[1]);
}

/** Variance over time-fixed planes, and how quickly the velocity varies along x. */
static void check_growth(void) {
  tsr_jet_options o;
  tsr_jet_options_init(&o);
  const int64_t extent[6] = {0, 255, 0, 63, 0, 63};
  memcpy(o.whole, extent, sizeof extent);
  jet j;
  make(&o, extent, NULL, &j);
  double energy[4] = {0}, change[4] = {0};
  for (int64_t z = 0; z < 64; z++) {
    for (int64_t y = 0; y < 64; y++) {
      for (int64_t x = 0; x < 255; x++) {
        const double w = j.velocity[3 * at(&j, x, y, z) + 2];
        const double next = j.velocity[3 * at(&j, x + 1, y, z) + 2];
        energy[x / 64] += w * w;
        change[x / 64] += (next - w) * (next - w);
      }
    }
  }
  for (int k = 1; k < 4; k++) {
    CHECK_SAY(energy[k] > energy[k - 1], "quarter %d: energy %g after %g", k, energy[k],
              energy[k - 1]);
    CHECK_SAY(change[k] / energy[k] > change[k - 1] / energy[k - 1],
              "quarter %d: wave number squared %g after %g", k, change[k] / energy[k],
              change[k - 1] / energy[k - 1]);
  }
  for (int64_t p = 0; p < 256 * 64 * 64; p++) {
    CHECK(j.scalar[p] >= 0.0 && j.scalar[p] <= 1.0);
    CHECK(j.temperature[p] >= 300.0 - 1e-9 && j.temperature[p] <= 2200.0 + 1e-9);
  }
  drop(&j);
}

/** A part of a large whole is the same values, on any number of threads; time and seed matter. */
static void check_parts(void) {
  const int64_t whole[6] = {-5, 58, 3, 43, 7, 40};
  const int64_t part[6] = {11, 40, 3, 30, 22, 40};
  tsr_jet_options o;
  tsr_jet_options_init(&o);
  memcpy(o.whole, whole, sizeof whole);
  o.time = 1.7;
  executor exec = {.threads = 4};
  const tsr_execution execution = executor_execution(&exec);
  jet all, some, other;
  make(&o, whole, NULL, &all);
  make(&o, part, &execution, &some);
  for (int64_t z = 0; z < some.n[2]; z++) {
    for (int64_t y = 0; y < some.n[1]; y++) {
      const int64_t a = at(&all, 16, y, z + 15), b = at(&some, 0, y, z);
      const size_t bytes = (size_t)some.n[0] * sizeof(double);
      CHECK(memcmp(all.velocity + 3 * a, some.velocity + 3 * b, 3 * bytes) == 0);
      CHECK(memcmp(all.temperature + a, some.temperature + b, bytes) == 0);
      CHECK(memcmp(all.scalar + a, some.scalar + b, bytes) == 0);
    }
  }
  const size_t bytes = (size_t)(all.n[0] * all.n[1] * all.n[2]) * sizeof(double);
  o.time = 1.8;
  make(&o, whole, NULL, &other);
  CHECK(memcmp(all.velocity, other.velocity, bytes) != 0);
  drop(&other);
  o.time = 1.7;
  o.seed = 2;
  make(&o, whole, NULL, &other);
  CHECK(memcmp(all.velocity, other.velocity, bytes) != 0);
  drop(&other);
  drop(&all);
  drop(&some);
}

/** 2D has no velocity across; the far corner of a very large jet is there. */
static void check_shapes(void) {
  const int64_t plane[6] = {0, 99, 0, 49, 0, 0};
  tsr_jet_options o;
  tsr_jet_options_init(&o);
  memcpy(o.whole, plane, sizeof plane);
  jet j;
  make(&o, plane, NULL, &j);
  double most = 0.0;
  for (int64_t p = 0; p < 5000; p++) {
    CHECK(j.velocity[3 * p + 2] == 0.0);
    most = fmax(most, fabs(j.velocity[3 * p + 1]));
  }
  CHECK(most > 0.05);
  drop(&j);
  const int64_t large[6] = {0, 1023, 0, 1023, 0, 1023},
                corner[6] = {1020, 1023, 1020, 1023, 1020, 1023};
  memcpy(o.whole, large, sizeof large);
  make(&o, corner, NULL, &j);
  CHECK(isfinite(j.velocity[0]) && isfinite(j.velocity[191]));
  drop(&j);
  const int64_t huge[6] = {0, (int64_t)1 << 33, 0, (int64_t)1 << 33, 0, (int64_t)1 << 33};
  const int64_t end[6] = {huge[1] - 1, huge[1], huge[1] / 2, huge[1] / 2, huge[1] / 2, huge[1] / 2};
  memcpy(o.whole, huge, sizeof huge);
  make(&o, end, NULL, &j);
  CHECK_NEAR(j.velocity[0], j.velocity[3], 1e-6);
  CHECK(fabs(j.velocity[0]) > 0.01);
  drop(&j);
}

/** The profile of a round jet (Schlichting 1933), here 0.4 of half the side wide. */
static double profile(double y, double z) {
  const double q = 1.0 + (y * y + z * z) / (0.4 * 0.4);
  return 1.0 / (q * q);
}

/** The stream has the profile of a round jet, and so has the fuel, of which the waves carry what
 * was 0.6 of half the side over the speed ago where they move it from. Beyond 0.3 of the length all
 *  that is mixed burns; before it, as the curve says that has two derivatives of 0 at both ends. */
static void check_formula(void) {
  const int64_t whole[6] = {0, 40, 0, 16, 0, 12};
  const double y_axis = 1.5, z_axis = -0.25, speed = 2.0, cold = 250.0, hot = 1800.0;
  for (int modes = 0; modes <= 24; modes += 24) {
    tsr_jet_options o;
    double moved = 0.0, kindled = 0.0;
    tsr_jet_options_init(&o);
    memcpy(o.whole, whole, sizeof whole);
    o.bounds[2] = y_axis - 1.0;
    o.bounds[3] = y_axis + 1.0;
    o.bounds[4] = z_axis - 0.5;
    o.bounds[5] = z_axis + 0.5;
    o.speed = speed;
    o.cold = cold;
    o.hot = hot;
    o.modes = modes;
    jet j;
    make(&o, whole, NULL, &j);
    for (int64_t p = 0; p < j.n[0] * j.n[1] * j.n[2]; p++) {
      const double *v = j.velocity + 3 * p, t = (double)(p % j.n[0]) / 40.0;
      const double y = (double)(p / j.n[0] % j.n[1]) / 8.0 - 1.0;
      const double z = (double)(p / j.n[0] / j.n[1]) / 12.0 - 0.5;
      const double share = profile(y - 0.3 * v[1], z - 0.3 * v[2]);
      const double s = fmin(t / 0.3, 1.0), burning = s * s * s * (6.0 * s * s - 15.0 * s + 10.0);
      CHECK_NEAR(j.scalar[p], share, 1e-12);
      CHECK_NEAR(j.temperature[p], cold + (hot - cold) * burning * 4.0 * share * (1.0 - share),
                 1e-9);
      CHECK(modes > 0 || (v[1] == 0.0 && v[2] == 0.0));
      CHECK_NEAR(v[0], speed * profile(y, z), modes > 0 ? 10.0 : 1e-12);
      moved = fmax(moved, fmin(fabs(v[1]), fabs(v[2])));
      kindled = fmax(kindled, s < 1.0 ? j.temperature[p] : 0.0);
    }
    CHECK(kindled > cold && (modes == 0 || moved > 0.1));
    drop(&j);
  }
}

static void check_bad(void) {
  tsr_jet_options o;
  tsr_jet_output out;
  tsr_error error;
  double value[3];
  const int64_t outside[6] = {0, 128, 0, 0, 0, 0}, empty[6] = {0, -1, 0, 0, 0, 0};
  const int64_t inside[6] = {0, 0, 0, 0, 0, 0};
  tsr_jet_options_init(&o);
  tsr_jet_output_init(&out);
  out.type = TSR_DOUBLE;
  out.velocity = value;
  CHECK_INT(tsr_jet_fill(&o, outside, NULL, &out, &error), TSR_BAD_OPTION);
  CHECK_INT(tsr_jet_fill(&o, empty, NULL, &out, &error), TSR_OK);
  CHECK_INT(tsr_jet_fill(&o, inside, NULL, &out, &error), TSR_OK);
  o.modes = 257;
  CHECK_INT(tsr_jet_fill(&o, inside, NULL, &out, &error), TSR_BAD_OPTION);
  o.modes = 0;
  CHECK_INT(tsr_jet_fill(&o, inside, NULL, &out, &error), TSR_OK);
  o.time = (double)NAN;
  CHECK_INT(tsr_jet_fill(&o, inside, NULL, &out, &error), TSR_BAD_OPTION);
  tsr_jet_options_init(&o);
  o.lowest = 0.0;
  CHECK_INT(tsr_jet_fill(&o, inside, NULL, &out, &error), TSR_BAD_OPTION);
  tsr_jet_options_init(&o);
  o.bounds[1] = o.bounds[0];
  CHECK_INT(tsr_jet_fill(&o, inside, NULL, &out, &error), TSR_BAD_OPTION);
  tsr_jet_options_init(&o);
  out.type = TSR_INT8;
  CHECK_INT(tsr_jet_fill(&o, inside, NULL, &out, &error), TSR_BAD_OPTION);
  CHECK_INT(tsr_jet_fill(NULL, inside, NULL, &out, &error), TSR_BAD_INPUT);
}

/** Makes the corner and the middle of a jet in single precision; the values are finite or the
 *  options are refused with a sentence that has the word. Returns whether they were taken. */
static int finite_or_refused(const tsr_jet_options *o, const char *word) {
  float values[2][5 * 27];
  int taken = 0;
  for (int part = 0; part < 2; part++) {
    int64_t extent[6];
    for (int a = 0; a < 3; a++) {
      const int64_t n = o->whole[2 * a + 1] - o->whole[2 * a];
      extent[2 * a] = o->whole[2 * a] + (part == 0 || n < 3 ? 0 : n / 2);
      extent[2 * a + 1] = extent[2 * a] + (n < 2 ? n : 2);
    }
    tsr_error error = {0};
    tsr_jet_output out;
    tsr_jet_output_init(&out);
    memset(values[part], 0, sizeof values[part]);
    out.velocity = values[part];
    out.temperature = values[part] + 81;
    out.scalar = values[part] + 108;
    const tsr_status status = tsr_jet_fill(o, extent, NULL, &out, &error);
    taken = status == TSR_OK;
    CHECK_SAY(taken || (status == TSR_BAD_OPTION && strstr(error.text, word)),
              "status %d, '%s' instead of a word on the %s", (int)status, error.text, word);
    for (int i = 0; i < 5 * 27; i++) {
      CHECK_SAY(isfinite(values[part][i]), "%s: value %d is %g", word, i, (double)values[part][i]);
    }
  }
  return taken;
}

/** Numbers from the smallest to the largest, one at a time and with others at their limits. */
static void check_extremes(void) {
  static const double sizes[] = {5e-324, 1e-300, 1e-160, 1e-31, 1e-29, 1e-10, 1.0,
                                 1e5,    1e14,   1e20,   1e29,  1e40,  1e99,  1e300};
  const int n = (int)(sizeof sizes / sizeof *sizes);
  for (int k = 0; k < n; k++) {
    const double v = sizes[k];
    for (int sign = -1; sign <= 1; sign += 2) {
      tsr_jet_options o;
      tsr_jet_options_init(&o);
      o.speed = sign * v;
      CHECK_INT(finite_or_refused(&o, "speed"), v >= 1e-30 && v <= 1e15);
      o.strength = 1e6;
      finite_or_refused(&o, "speed");
      tsr_jet_options_init(&o);
      o.strength = sign * v;
      CHECK_INT(finite_or_refused(&o, "strength"), v <= 1e6);
      tsr_jet_options_init(&o);
      o.cold = sign * v;
      CHECK_INT(finite_or_refused(&o, "temperature"), v <= 1e30);
      tsr_jet_options_init(&o);
      o.time = sign * v;
      finite_or_refused(&o, "time");
    }
    for (int axis = 0; axis < 3; axis++) {
      for (int flat = 0; flat < 2; flat++) {
        tsr_jet_options o;
        tsr_jet_options_init(&o);
        o.speed = 1e15;
        o.strength = 1e6;
        o.lowest = 1e-6;
        o.whole[5] = flat ? 0 : 63;
        o.bounds[2 * axis] = 0.0;
        o.bounds[2 * axis + 1] = v;
        finite_or_refused(&o, v > 1e30 ? "highest" : "bounds");
        o.bounds[0] = o.bounds[2] = o.bounds[4] = -v;
        o.bounds[1] = o.bounds[3] = o.bounds[5] = v;
        CHECK_INT(finite_or_refused(&o, v > 1e30 ? "lowest" : "bounds"), v >= 1e-30 && v <= 1e30);
        o.bounds[2 * axis + 1] = -v + 1e-9 * v;
        finite_or_refused(&o, v > 1e30 ? "lowest" : "bounds");
        o.highest = 1e9;
        finite_or_refused(&o, "");
      }
    }
  }
}

/** A product of points beyond 64 bits is refused before anything is written. */
static void check_too_many(void) {
  const int64_t m = (int64_t)1 << 32;
  const int64_t wraps[][3] = {{m, m, 1}, {1, m, m}, {m / 8, m / 8, 64}, {m / 2, m / 2, m / 2}};
  for (int k = 0; k < 4; k++) {
    tsr_jet_options o;
    tsr_jet_output out;
    tsr_error error = {0};
    tsr_jet_options_init(&o);
    tsr_jet_output_init(&out);
    for (int a = 0; a < 3; a++) {
      o.whole[2 * a] = 0;
      o.whole[2 * a + 1] = wraps[k][a] - 1;
    }
    if (CHECK_INT(tsr_jet_fill(&o, o.whole, NULL, &out, &error), TSR_TOO_LARGE)) {
      CHECK_SAY(strstr(error.text, "points"), "the sentence is: %s", error.text);
    }
  }
}

int main(void) {
  check_divergence();
  check_growth();
  check_parts();
  check_shapes();
  check_formula();
  check_bad();
  check_extremes();
  check_too_many();
  return check_result();
}
