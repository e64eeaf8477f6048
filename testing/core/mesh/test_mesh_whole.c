/* SPDX-License-Identifier: BSD-3-Clause */
/** Octrees of cells that lie wholly inside a mesh: many random places in each of them are in cells
 *  of the mesh, and each leaf whose places all are, with a margin, is one of them. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "mesh_case.h"

static int in_mesh(const mesh_case *it, const double x[3]) {
  double value;
  for (int64_t c = 0; c < it->n_cells; ++c)
    if (mesh_depth(it, c, x, &value) > -1e-7)
      return 1;
  return 0;
}

/* How many of the places of leaf i, grown by a margin, are in the mesh. */
static int count(const mesh_case *it, const mesh_out *out, int64_t i, double margin,
                 unsigned *random, int places) {
  const double side = out->sizes.spacing / (double)((int64_t)1 << out->level[i]);
  int n = 0;
  for (int k = 0; k < places; ++k) {
    double x[3] = {out->sizes.origin[0], out->sizes.origin[1], out->sizes.origin[2]};
    for (int a = 0; a < 3; ++a)
      if (out->sizes.cells[a] > 0) {
        /* Half of the places are on a side, where a leaf would leave the mesh first. */
        double t = mesh_uniform(random);
        t = k % 2 == 0 && a == k / 2 % 3 ? (t < 0.5 ? 0.0 : 1.0) : t;
        x[a] += side * (out->index[3 * i + a] + t + margin * (2.0 * t - 1.0));
      }
    n += in_mesh(it, x);
  }
  return n;
}

static void check_kind(mesh_kind kind, double jitter) {
  const mesh_recipe r = {.seed = 9,
                         .kind = kind,
                         .n = {6, 6, 6},
                         .jitter = jitter,
                         .scale = {0.17, 0.17, 0.17},
                         .origin = {0.01, 0.02, 0.03},
                         .hole = 0.1};
  mesh_case it = mesh_case_make(&r);
  tsr_mesh_options options;
  mesh_out out, touched;
  unsigned random = 4;
  tsr_mesh_options_init(&options);
  options.cell_size = 0.06;
  mesh_run(&it, &options, NULL, &touched);
  options.whole_cells = 1;
  mesh_run(&it, &options, NULL, &out);
  CHECK_INT(out.status, TSR_OK);
  CHECK_INT(out.sizes.n, touched.sizes.n);
  CHECK(out.sizes.inside > 0 && out.sizes.inside < touched.sizes.inside);
  for (int64_t i = 0; i < out.sizes.n && out.status == TSR_OK; ++i) {
    if (touched.outside[i])
      CHECK_INT(out.outside[i], 1);
    else if (!out.outside[i])
      CHECK_SAY(count(&it, &out, i, 0.0, &random, 12) == 12, "kind %d: leaf %lld is not whole",
                (int)kind, (long long)i);
    else if (i % 3 == 0)
      CHECK_SAY(count(&it, &out, i, 0.3, &random, 200) < 200, "kind %d: leaf %lld is whole",
                (int)kind, (long long)i);
  }
  mesh_out_free(&out);
  mesh_out_free(&touched);
  mesh_case_free(&it);
}

/* A mesh whose cells share no points, as those of several processes and of blocks do not, has the
 * octree of the mesh that shares them. */
static void check_apart(mesh_kind kind) {
  const mesh_recipe r = {.seed = 5,
                         .kind = kind,
                         .n = {4, 5, 4},
                         .jitter = 0.3,
                         .scale = {0.17, 0.17, 0.17},
                         .origin = {-0.21, 0.02, 0.0}};
  mesh_case it = mesh_case_make(&r);
  double *points = malloc((size_t)it.n_ids * 3 * sizeof *points);
  int64_t *ids = malloc((size_t)it.n_ids * sizeof *ids);
  tsr_mesh_options options;
  mesh_out shared, apart;
  tsr_mesh_options_init(&options);
  options.cell_size = 0.06;
  options.whole_cells = 1;
  mesh_run(&it, &options, NULL, &shared);
  for (int64_t i = 0; i < it.n_ids; ++i) {
    ids[i] = i;
    for (int a = 0; a < 3; ++a)
      points[3 * i + a] = it.points[3 * it.ids[i] + a];
  }
  tsr_mesh_plan *plan = NULL;
  tsr_error error;
  tsr_mesh_view view = it.view;
  view.points = (tsr_array){points, TSR_DOUBLE, 3, it.n_ids};
  view.connectivity = ids;
  CHECK_INT(tsr_mesh_plan_create(&view, &options, NULL, &plan, &error), TSR_OK);
  memset(&apart, 0, sizeof apart);
  apart.sizes = *tsr_mesh_plan_sizes(plan);
  CHECK(shared.sizes.inside > 0);
  CHECK_INT(apart.sizes.n, shared.sizes.n);
  CHECK_INT(apart.sizes.inside, shared.sizes.inside);
  tsr_mesh_plan_free(plan);
  mesh_out_free(&shared);
  mesh_case_free(&it);
  free(points);
  free(ids);
}

int main(void) {
  check_apart(MESH_TETS_6);
  check_apart(MESH_HEXES);
  check_apart(MESH_TRIANGLES);
  check_kind(MESH_TETS_6, 0.3);
  check_kind(MESH_HEXES, 0.0);
  check_kind(MESH_POLYHEDRA, 0.2);
  check_kind(MESH_TRIANGLES, 0.3);
  check_kind(MESH_STRIPS, 0.3);
  return check_result();
}
