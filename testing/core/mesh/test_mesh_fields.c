/* SPDX-License-Identifier: BSD-3-Clause */
/** Octrees of meshes that fields divide: after it, the interpolation at each point of the mesh in a
 *  leaf above the finest level is within the tolerance, by a loop over all leaves. */
#include <stdlib.h>

#include "check.h"
#include "mesh_case.h"

/* The largest error at points in leaves that are not of the finest level, sides included. */
static double largest_error(const mesh_case *it, const mesh_out *out, int levels) {
  const int d = out->sizes.dimension;
  double largest = 0.0;
  for (int64_t p = 0; p < it->n_points; ++p) {
    for (int64_t i = 0; i < out->sizes.n; ++i) {
      const double part = 1.0 / (double)((int64_t)1 << out->level[i]);
      double t[3] = {0, 0, 0}, sum = 0.0;
      int holds = !out->outside[i], inner = 0;
      for (int a = 0; a < 3; ++a)
        if (out->sizes.cells[a] > 0) {
          t[inner] = out->point_places[3 * p + a] / part - out->index[3 * i + a];
          holds = holds && t[inner] >= 0.0 && t[inner] <= 1.0;
          ++inner;
        }
      if (!holds)
        continue;
      for (int k = 0; k < 1 << d; ++k) {
        double w = 1.0;
        for (int a = 0; a < d; ++a)
          w *= k >> a & 1 ? t[a] : 1.0 - t[a];
        sum += w * out->front[out->corners[(i << d) + k]];
      }
      if (out->level[i] < levels)
        largest = fmax(largest, fabs(sum - it->front[p]));
    }
  }
  return largest;
}

static void check_kind(mesh_kind kind, double jitter, double grading) {
  const mesh_recipe r = {.seed = 3,
                         .kind = kind,
                         .n = {8, 6, 6},
                         .jitter = jitter,
                         .scale = {0.2, 0.2, 0.2},
                         .origin = {-0.4, -0.3, -0.3},
                         .grading = grading,
                         .hole = 0.05};
  mesh_case it = mesh_case_make(&r);
  tsr_mesh_field field = {{it.front, TSR_DOUBLE, 1, it.n_points}, 0.02, 1};
  tsr_mesh_options options;
  mesh_out out;
  double range, low = HUGE_VAL, high = -HUGE_VAL;
  int64_t without;
  for (int64_t i = 0; i < it.n_points; ++i) {
    low = fmin(low, it.front[i]);
    high = fmax(high, it.front[i]);
  }
  range = high - low;
  tsr_mesh_options_init(&options);
  options.cell_size = 0.0125;
  options.levels = 5;
  mesh_run(&it, &options, NULL, &out);
  CHECK_SAY(out.status == TSR_OK, "%s", out.error.text);
  without = out.sizes.n;
  CHECK(largest_error(&it, &out, options.levels) > 0.02 * range);
  mesh_out_free(&out);
  options.fields = &field;
  options.n_fields = 1;
  mesh_run(&it, &options, NULL, &out);
  CHECK_SAY(out.status == TSR_OK, "%s", out.error.text);
  CHECK_SAY(largest_error(&it, &out, options.levels) <= 0.02 * range * (1.0 + 1e-9),
            "kind %d: the error is %g, above %g", (int)kind,
            largest_error(&it, &out, options.levels), 0.02 * range);
  CHECK(out.sizes.n > without);
  printf("kind %d: %lld leaves, %lld without fields\n", (int)kind, (long long)out.sizes.n,
         (long long)without);
  mesh_out_free(&out);
  field.tolerance = HUGE_VAL;
  mesh_run(&it, &options, NULL, &out);
  CHECK_INT(out.status, TSR_BAD_OPTION);
  mesh_out_free(&out);
  mesh_case_free(&it);
}

int main(void) {
  check_kind(MESH_TETS_6, 0.2, 8.0);
  check_kind(MESH_HEXES, 0.2, 8.0);
  check_kind(MESH_VOXELS, 0.0, 0.0); /* points on the sides of leaves */
  check_kind(MESH_MIXED, 0.2, 8.0);
  check_kind(MESH_QUADS, 0.2, 8.0);
  return check_result();
}
