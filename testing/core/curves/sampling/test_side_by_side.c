/* SPDX-License-Identifier: BSD-3-Clause */
/** The ends of a span's steps of equal error, found side by side, beside one place after the other;
 *  with the shorter and the longer vectors. */
#include <string.h>

#include "check.h"
#include "curve_set.h"
#include "curves/sampling/density.h"
#include "curves/sampling/lanes.h"

enum { CURVES = 2000 };

static const double CHORDS[] = {1e-1, 1e-2, 1e-3, 1e-4};

/** A case of a cubic with random control points. */
static void random_case(uint64_t *state, tsr_curves_criteria *criteria, tsr_span_case *it) {
  memset(it, 0, sizeof *it);
  it->criteria = criteria;
  it->net.degree = 3;
  for (int i = 0; i < 4; i++) {
    it->net.x[i] = random_in(state, 0.0, 1.0);
    it->net.y[i] = random_in(state, 0.0, 1.0);
    it->net.z[i] = random_in(state, 0.0, 1.0);
  }
  it->least = 1;
  it->most = (int64_t)1 << 24;
  it->wang = tsr_wang_error(&it->net);
}

static void test_steps(int wide) {
  tsr_curves_criteria criteria = {.use_chord = 1, .wide = wide};
  uint64_t state = 5;
  for (int k = 0; k < CURVES; k++) {
    tsr_density density;
    tsr_span_case it;
    tsr_walk walk = {.density = &density, .n = 2 + k % 40};
    int cell = 0;
    random_case(&state, &criteria, &it);
    criteria.chord = CHORDS[k % 4];
    tsr_density_make(&density, &it);
    walk.form = k % 5 == 0 ? TSR_DENSITY_CONSTANT : density.form;
    for (walk.k = 1; walk.k < walk.n; walk.k += TSR_STEPS) {
      double ends[TSR_STEPS];
      tsr_density_steps(&walk, wide, ends);
      for (int l = 0; l < TSR_STEPS && walk.k + l < walk.n; l++) {
        const double share = (double)(walk.k + l) / (double)walk.n;
        const double u = tsr_density_place(&density, walk.form, share, &cell);
        CHECK(ends[l] == u * 0x1p30 + 0.5);
      }
    }
  }
}

int main(void) {
  for (int wide = 0; wide <= tsr_lanes_are_wide(); wide++) {
    test_steps(wide);
  }
  return check_result();
}
