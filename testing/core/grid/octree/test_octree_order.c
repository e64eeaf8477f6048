/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Point data without a list of corners: tuples in Morton order of the corners, each place once.
 * Octrees in space and in each plane, one of their cells halved. The test lists the places of the
 * finest lattice by the interleaved bits of their indices; a linear function must come out exactly.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "tessera.h"

#define MOST_CELLS 15
#define SIDE 5 /* points of the finest lattice along an axis */

typedef struct domain {
  tsr_grid_octree octree;
  uint8_t level[MOST_CELLS];
  int32_t index[3 * MOST_CELLS];
  double value[SIDE * SIDE * SIDE];
} domain;

static double linear(const double x[3]) { return x[0] + 16.0 * x[1] + 256.0 * x[2]; }

/* 1 if a place of the finest lattice is a corner of a cell. */
static int is_corner(const domain *it, const int at[3]) {
  for (int64_t i = 0; i < it->octree.n; ++i) {
    int corner = 1;
    for (int a = 0; a < 3; ++a) {
      const int size = it->octree.cells[a] > 0 ? 2 >> it->level[i] : 0;
      const int low = it->index[3 * i + a] * size;
      corner = corner && (at[a] == low || at[a] == low + size);
    }
    if (corner)
      return 1;
  }
  return 0;
}

static void add(domain *it, int level, int x, int y, int z) {
  const int32_t at[3] = {x, y, z};
  for (int a = 0; a < 3; ++a)
    it->index[3 * it->octree.n + a] = it->octree.cells[a] > 0 ? at[a] : 0;
  it->level[it->octree.n++] = (uint8_t)level;
}

/* The cells of level 0 are 2 along each axis but `flat` (-1: none); number `split` is halved. */
static void make(domain *it, int flat, int split) {
  memset(it, 0, sizeof *it);
  for (int a = 0; a < 3; ++a)
    it->octree.cells[a] = a == flat ? 0 : 2;
  for (int c = 7; c >= 0; --c) { /* not in Morton order */
    const int at[3] = {c & 1, c >> 1 & 1, c >> 2};
    if (flat >= 0 && at[flat])
      continue;
    for (int k = 0; k < (c == split ? 8 : 0); ++k)
      if (flat < 0 || !(k >> flat & 1))
        add(it, 1, 2 * at[0] + (k & 1), 2 * at[1] + (k >> 1 & 1), 2 * at[2] + (k >> 2));
    if (c != split)
      add(it, 0, at[0], at[1], at[2]);
  }
  it->octree.level = it->level;
  it->octree.index = it->index;
  for (int code = 0; code < 512; ++code) {
    int at[3] = {0, 0, 0}, bit = 0;
    for (int level = 0; level < 3; ++level)
      for (int a = 0; a < 3; ++a)
        if (a != flat)
          at[a] |= (code >> bit++ & 1) << level;
    const double x[3] = {0.5 * at[0], 0.5 * at[1], 0.5 * at[2]};
    if (code < 1 << bit && at[0] < SIDE && at[1] < SIDE && at[2] < SIDE && is_corner(it, at))
      it->value[it->octree.points++] = linear(x);
  }
}

/* Plans and fills at the input's own resolution. */
static void check(const domain *it, int flat) {
  tsr_grid_view view;
  tsr_grid_options options;
  tsr_grid_output out;
  tsr_grid_plan *plan = NULL;
  tsr_error error;
  double points[3 * 1000], there[1000];
  const tsr_grid_attribute attribute = {
      {it->value, TSR_DOUBLE, 1, it->octree.points}, 0, there, NULL, {0}};
  tsr_grid_view_init(&view);
  tsr_grid_options_init(&options);
  tsr_grid_output_init(&out);
  view.octree = &it->octree;
  options.mode = TSR_GRID_FINE;
  options.output = TSR_GRID_CONFORMING;
  if (!CHECK_SAY(tsr_grid_plan_create(&view, &options, NULL, &plan, &error) == TSR_OK, "%s",
                 error.text))
    return;
  const int64_t n = tsr_grid_plan_sizes(plan)->points;
  out.points = points;
  out.points_type = TSR_DOUBLE;
  out.attributes = &attribute;
  out.n_attributes = 1;
  if (CHECK(n >= it->octree.points && n <= 1000) &&
      CHECK_SAY(tsr_grid_fill(plan, &out, &error) == TSR_OK, "%s", error.text))
    for (int64_t p = 0; p < n; ++p)
      CHECK_SAY(there[p] == linear(&points[3 * p]), "flat axis %d: %g at %g %g %g", flat, there[p],
                points[3 * p], points[3 * p + 1], points[3 * p + 2]);
  tsr_grid_plan_free(plan);
}

/* One tuple too few. */
static void check_number(domain *it) {
  tsr_grid_view view;
  tsr_grid_options options;
  tsr_grid_criterion c;
  tsr_grid_plan *plan = NULL;
  tsr_error error;
  const int64_t corners = it->octree.points--;
  tsr_grid_view_init(&view);
  tsr_grid_options_init(&options);
  tsr_grid_criterion_init(&c);
  c.measure = TSR_MEASURE_INTERPOLATION_ERROR;
  c.array = (tsr_array){it->value, TSR_DOUBLE, 1, it->octree.points};
  c.threshold = 0.1;
  view.octree = &it->octree;
  options.criteria = &c;
  options.n_criteria = 1;
  const tsr_status status = tsr_grid_plan_create(&view, &options, NULL, &plan, &error);
  CHECK(status == TSR_BAD_INPUT);
  CHECK_SAY(strstr(error.text, "corners"), "%lld corners: %s", (long long)corners, error.text);
  tsr_grid_plan_free(plan);
}

int main(void) {
  domain *it = malloc(sizeof *it);
  for (int flat = -1; flat < 3; ++flat)
    for (int split = 0; split < 8; ++split)
      if (flat < 0 || !(split >> flat & 1)) {
        make(it, flat, split);
        check(it, flat);
      }
  check_number(it);
  free(it);
  return check_result();
}
