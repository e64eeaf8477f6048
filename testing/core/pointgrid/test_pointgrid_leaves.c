/* SPDX-License-Identifier: BSD-3-Clause */
/** Leaves, the points in them and their values against a slow recursion that halves boxes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "executor.h"
#include "point_case.h"

/** A box of the slow recursion, and the points in it. */
typedef struct box {
  double low[3], side;
  int level;
  int64_t n;
  int64_t *points;
} box;

typedef struct slow {
  const point_case *set;
  const tsr_pointgrid_options *options;
  int axes[3], dimension;
  box *leaves;
  int64_t n, room;
} slow;

static double spread_of(const slow *s, const box *b) {
  double low = INFINITY, high = -INFINITY;
  for (int64_t i = 0; i < b->n; i++) {
    const int axis = (int)s->options->spread_of - TSR_POINTGRID_SPREAD_OF_X;
    const double value =
        axis < 0 ? s->set->values[b->points[i]] : s->set->points[3 * b->points[i] + axis];
    low = fmin(low, value);
    high = fmax(high, value);
  }
  return b->n > 0 ? high - low : 0.0;
}

static void recurse(slow *s, box b) {
  const tsr_pointgrid_options *o = s->options;
  if (b.level == o->max_level ||
      !(b.n > o->max_points || (o->use_spread && spread_of(s, &b) > o->spread))) {
    if (s->n == s->room) {
      s->room = 2 * s->room + 64;
      s->leaves = realloc(s->leaves, (size_t)s->room * sizeof *s->leaves);
    }
    s->leaves[s->n++] = b;
    return;
  }
  for (int c = 0; c < 1 << s->dimension; c++) {
    box child = b;
    child.level++;
    child.side = b.side / 2.0;
    child.n = 0;
    child.points = malloc((size_t)(b.n + 1) * sizeof *child.points);
    for (int a = 0; a < s->dimension; a++) {
      child.low[s->axes[a]] += c >> a & 1 ? child.side : 0.0;
    }
    for (int64_t i = 0; i < b.n; i++) {
      int inside = 1;
      for (int a = 0; a < s->dimension; a++) {
        const double middle = b.low[s->axes[a]] + child.side;
        inside = inside && (s->set->points[3 * b.points[i] + s->axes[a]] >= middle) == (c >> a & 1);
      }
      if (inside) {
        child.points[child.n++] = b.points[i];
      }
    }
    recurse(s, child);
  }
  free(b.points);
}

static box root_of(slow *s, const int axes[3], int dimension) {
  box root = {.n = s->set->n, .points = malloc((size_t)(s->set->n + 1) * sizeof *root.points)};
  s->dimension = dimension;
  memcpy(s->axes, axes, sizeof s->axes);
  for (int a = 0; a < 3; a++) {
    double low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; i < s->set->n; i++) {
      low = fmin(low, s->set->points[3 * i + a]);
      high = fmax(high, s->set->points[3 * i + a]);
    }
    root.low[a] = low;
    for (int d = 0; d < dimension; d++) {
      root.side = axes[d] == a ? fmax(root.side, high - low) : root.side;
    }
  }
  for (int64_t i = 0; i < s->set->n; i++) {
    root.points[i] = i;
  }
  return root;
}

static void check_values(const slow *s, const box *b, const point_out *out, int64_t cell) {
  double sum = 0.0, low = INFINITY, high = -INFINITY, pair = 0.0;
  int first = 255;
  for (int64_t i = 0; i < b->n; i++) {
    const double v = s->set->values[b->points[i]];
    sum += v;
    low = fmin(low, v);
    high = fmax(high, v);
    pair += s->set->pairs[2 * b->points[i] + 1];
    first = s->set->pairs[2 * b->points[i]] < first ? s->set->pairs[2 * b->points[i]] : first;
  }
  const double n = (double)b->n;
  if (b->n == 0) {
    CHECK(isnan(out->mean[cell]) && isnan(out->least[cell]) && isnan(out->greatest[cell]));
    CHECK(isnan(out->pair_mean[2 * cell]) && out->pair_least[2 * cell] == 0);
    return;
  }
  CHECK_NEAR(out->mean[cell], sum / n, 1e-11);
  CHECK(out->least[cell] == low && out->greatest[cell] == high);
  CHECK_NEAR(out->pair_mean[2 * cell + 1], pair / n, 1e-11);
  CHECK_INT(out->pair_least[2 * cell], first);
}

static void check_cells(const slow *s, const point_out *out) {
  const int64_t corners = (int64_t)1 << s->dimension;
  int64_t points = 0;
  if (!CHECK_INT(out->sizes.cells, s->n)) {
    return;
  }
  for (int64_t cell = 0; cell < s->n; cell++) {
    const box *b = &s->leaves[cell];
    CHECK_INT(out->level[cell], b->level);
    CHECK_INT(out->count[cell], b->n);
    CHECK_NEAR(out->density[cell] * pow(b->side, s->dimension), (double)b->n, 1e-6);
    CHECK_INT(out->offsets[cell], corners * cell);
    for (int64_t c = 0; c < corners; c++) {
      const double *p = &out->points[3 * out->connectivity[corners * cell + c]];
      for (int a = 0; a < s->dimension; a++) {
        CHECK_NEAR(p[s->axes[a]], b->low[s->axes[a]] + (c >> a & 1 ? b->side : 0.0), 1e-12);
      }
    }
    check_values(s, b, out, cell);
    points += out->count[cell];
  }
  CHECK_INT(points, s->set->n);
  for (int64_t i = 1; i < out->sizes.points; i++) {
    const double *p = &out->points[3 * i];
    CHECK(p[0] != p[-3] || p[1] != p[-2] || p[2] != p[-1]); /* sorted, so equal ones would touch */
  }
}

static void check_points(const slow *s, const point_out *out) {
  int64_t at = 0;
  CHECK_INT(out->sizes.points, s->set->n);
  for (int64_t leaf = 0; leaf < s->n; leaf++) {
    for (int64_t i = 0; i < s->leaves[leaf].n; i++, at++) {
      const int64_t point = s->leaves[leaf].points[i];
      CHECK_INT(out->source[at], point); /* in the order of the input within a leaf */
      CHECK_INT(out->leaf[at], leaf);
      CHECK_INT(out->level[at], s->leaves[leaf].level);
      CHECK(memcmp(&out->points[3 * at], &s->set->points[3 * point], 24) == 0);
      CHECK(out->value[at] == s->set->values[point]);
      CHECK(memcmp(&out->pair[2 * at], &s->set->pairs[2 * point], 2) == 0);
    }
  }
}

/** Splits the slow leaves' tree out of the levels: each split cell's count is its children's. */
static void check_tree(const slow *s, const point_out *out) {
  const int64_t children = (int64_t)1 << s->dimension;
  int64_t next = 1, leaves = 0;
  for (int64_t cell = 0; cell < out->sizes.cells; cell++) {
    if (out->state[cell] == TSR_POINTGRID_SPLIT) {
      int64_t count = 0;
      double low = INFINITY;
      for (int64_t c = next; c < next + children; c++) {
        CHECK_INT(out->level[c], out->level[cell] + 1);
        count += out->count[c];
        low = fmin(low, out->least[c]);
      }
      CHECK_INT(out->count[cell], count);
      CHECK(count == 0 ? isnan(out->least[cell]) : out->least[cell] == low);
      next += children;
    } else {
      CHECK_INT(out->state[cell], TSR_POINTGRID_LEAF);
      leaves++;
    }
  }
  CHECK_INT(next, out->sizes.cells);
  CHECK_INT(leaves, s->n);
  CHECK_INT(out->count[0], s->set->n);
  double sum = 0.0;
  for (int64_t i = 0; i < s->set->n; i++) {
    sum += s->set->values[i];
  }
  CHECK_NEAR(out->mean[0], sum / (double)s->set->n, 1e-10);
}

static void compare(const point_case *set, tsr_pointgrid_options o, const int axes[3],
                    int dimension) {
  const tsr_pointgrid_view view = point_case_view(set);
  slow s = {.set = set, .options = &o};
  recurse(&s, root_of(&s, axes, dimension));
  for (int kind = 0; kind < 3; kind++) {
    for (int threads = 1; threads <= 3; threads += 2) {
      executor exec = {.threads = threads};
      const tsr_execution execution = executor_execution(&exec);
      point_out out;
      o.output = (tsr_pointgrid_output_kind)kind;
      point_run(set, &view, &o, &execution, &out);
      CHECK_SAY(out.status == TSR_OK, "%s", out.error.text);
      CHECK_INT(out.sizes.dimension, dimension);
      CHECK_INT(out.sizes.leaves, s.n);
      CHECK_INT(out.sizes.kept, set->n);
      if (out.status == TSR_OK) {
        (kind == 0 ? check_cells : kind == 1 ? check_tree : check_points)(&s, &out);
      }
      point_out_free(&out);
    }
  }
  for (int64_t i = 0; i < s.n; i++) {
    free(s.leaves[i].points);
  }
  free(s.leaves);
}

int main(void) {
  static const int all[3] = {0, 1, 2}, xy[3] = {0, 1, 2}, yz[3] = {1, 2, 0}, xz[3] = {0, 2, 1};
  point_case set, large;
  tsr_pointgrid_options o;
  tsr_pointgrid_options_init(&o);
  point_case_init(&set, 3000);
  point_case_crowd(&set);
  o.max_points = 5;
  compare(&set, o, all, 3);
  o.max_points = 1;
  compare(&set, o, all, 3);
  o.max_level = 3;
  compare(&set, o, all, 3);
  o.max_level = 0;
  compare(&set, o, all, 3);
  o.max_level = 20;
  o.max_points = 10000;
  compare(&set, o, all, 3);
  o.use_spread = 1; /* values are independent of places: cells of few points */
  o.spread = 12.0;
  o.spread_array = point_case_values(&set);
  compare(&set, o, all, 3);
  o.max_points = 3;
  o.shape = TSR_POINTGRID_XY;
  compare(&set, o, xy, 2);
  o.shape = TSR_POINTGRID_YZ;
  compare(&set, o, yz, 2);
  o.shape = TSR_POINTGRID_XZ;
  compare(&set, o, xz, 2);
  o.spread = 0.1; /* of a coordinate; the array is ignored */
  for (int axis = 0; axis < 3; axis++) {
    o.spread_of = (tsr_pointgrid_spread_of)(TSR_POINTGRID_SPREAD_OF_X + axis);
    o.spread_array = axis == 0 ? point_case_values(&set) : (tsr_array){0};
    o.shape = TSR_POINTGRID_XY;
    compare(&set, o, xy, 2);
    o.shape = TSR_POINTGRID_OCTREE;
    compare(&set, o, all, 3);
  }
  o.use_spread = 0;
  o.shape = TSR_POINTGRID_THINNEST; /* z */
  compare(&set, o, xy, 2);
  point_case_free(&set);
  point_case_init(&large, 400000); /* split by all threads together first */
  point_case_crowd(&large);
  o.shape = TSR_POINTGRID_OCTREE;
  o.max_points = 40;
  compare(&large, o, all, 3);
  point_case_free(&large);
  return check_result();
}
