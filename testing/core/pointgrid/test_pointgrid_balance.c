/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * 2:1 balance: the numbers of leaves that p4est's p8est gives (Debian's libp4est 2.2: the cell that
 * holds (0.5 - 1e-9) cubed is refined down to a level; a LiDAR survey), and every pair of leaves
 * of small grids.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "case_file.h"
#include "check.h"
#include "point_case.h"

static const tsr_balance balances[] = {TSR_BALANCE_NONE, TSR_BALANCE_FACE, TSR_BALANCE_EDGE,
                                       TSR_BALANCE_CORNER};

static void check_levels(const point_case *set, tsr_pointgrid_options o, int64_t leaves,
                         const int64_t *of_level, int levels) {
  const tsr_pointgrid_view view = point_case_view(set);
  point_out out;
  point_run(set, &view, &o, NULL, &out);
  CHECK_SAY(out.status == TSR_OK, "%s", out.error.text);
  CHECK_INT(out.sizes.leaves, leaves);
  int64_t points = 0;
  for (int64_t cell = 0; cell < out.sizes.cells; cell++) {
    points += out.count[cell];
  }
  CHECK_INT(points, set->n);
  for (int level = 0; of_level && level <= levels; level++) {
    CHECK_INT(out.sizes.leaves_of_level[level], of_level[level]);
  }
  point_out_free(&out);
}

/** p8est's rule "point". */
static void one_deep_cell(void) {
  static const int64_t levels4[4][5] = {
      {0, 7, 7, 7, 8}, {0, 1, 52, 31, 8}, {0, 0, 57, 55, 8}, {0, 0, 56, 63, 8}};
  static const int64_t levels7[4][8] = {{0, 7, 7, 7, 7, 7, 7, 8},
                                        {0, 0, 56, 56, 57, 52, 31, 8},
                                        {0, 0, 56, 56, 56, 57, 55, 8},
                                        {0, 0, 56, 56, 56, 56, 63, 8}};
  static const int64_t leaves4[] = {29, 92, 120, 127}, leaves7[] = {50, 260, 288, 295};
  point_case set;
  tsr_pointgrid_options o;
  tsr_pointgrid_options_init(&o);
  point_case_init(&set, 102);
  for (int64_t i = 0; i < 3 * 100; i++) {
    set.points[i] = 0.5 - 1e-9;
  }
  for (int a = 0; a < 3; a++) {
    set.points[3 * 101 + a] = 1.0; /* the last but one is the origin */
  }
  for (int b = 0; b < 4; b++) {
    o.balance = balances[b];
    o.max_level = 4;
    check_levels(&set, o, leaves4[b], levels4[b], 4);
    o.max_level = 7;
    check_levels(&set, o, leaves7[b], levels7[b], 7);
  }
  point_case_free(&set);
}

static void autzen(void) {
  static const int64_t leaves[] = {9892, 12363, 12944, 13105};
  static const int64_t none[] = {0, 6, 8, 33, 144, 484, 1865, 7352};
  case_file file;
  if (!case_file_open(&file, "autzen_trim")) {
    return;
  }
  const tsr_array points = case_file_array(&file, "points");
  point_case set;
  point_case_init(&set, points.tuples);
  memcpy(set.points, points.data, (size_t)points.tuples * 24);
  CHECK_INT(points.tuples, 110000);
  CHECK_INT(points.type, TSR_DOUBLE);
  tsr_pointgrid_options o;
  tsr_pointgrid_options_init(&o);
  for (int b = 0; b < 4; b++) {
    o.balance = balances[b];
    check_levels(&set, o, leaves[b], b == 0 ? none : NULL, 7);
  }
  point_case_free(&set);
  case_file_close(&file);
}

/** How many axes two boxes touch across: 0 = they do not touch; also for overlap. */
static int touch(const point_out *out, int dimension, int64_t i, int64_t j) {
  const int64_t corners = (int64_t)1 << dimension;
  int across = 0;
  for (int d = 0; d < dimension; d++) {
    const int a = out->sizes.axis[d];
    const double *p = out->points + a;
    const double low_i = p[3 * out->connectivity[corners * i]];
    const double high_i = p[3 * out->connectivity[corners * (i + 1) - 1]];
    const double low_j = p[3 * out->connectivity[corners * j]];
    const double high_j = p[3 * out->connectivity[corners * (j + 1) - 1]];
    if (low_i > high_j || low_j > high_i) {
      return 0;
    }
    across += low_i == high_j || low_j == high_i;
  }
  return across;
}

static void every_pair(tsr_pointgrid_shape shape) {
  point_case set;
  tsr_pointgrid_options o;
  int64_t before = 0;
  tsr_pointgrid_options_init(&o);
  point_case_init(&set, 400);
  point_case_crowd(&set);
  for (int64_t i = 0; i < 1200; i++) { /* on a lattice, so that places compare exactly */
    set.points[i] = floor(set.points[i] * 512.0) / 512.0;
  }
  memset(set.points, 0, 3 * sizeof *set.points);
  for (int a = 0; a < 3; a++) {
    set.points[3 + a] = -4.0;
  }
  o.shape = shape;
  o.max_points = 3;
  o.max_level = 9;
  const int dimension = shape == TSR_POINTGRID_OCTREE ? 3 : 2;
  for (int b = 0; b < 4; b++) {
    const tsr_pointgrid_view view = point_case_view(&set);
    point_out out;
    int worst[4] = {0, 0, 0, 0};
    o.balance = balances[b];
    point_run(&set, &view, &o, NULL, &out);
    CHECK_SAY(out.status == TSR_OK, "%s", out.error.text);
    for (int64_t i = 0; i < out.sizes.cells; i++) {
      for (int64_t j = 0; j < i; j++) {
        const int difference = abs(out.level[i] - out.level[j]);
        const int across = difference > 1 ? touch(&out, dimension, i, j) : 0;
        worst[across] = difference > worst[across] ? difference : worst[across];
      }
    }
    CHECK(b > 0 || worst[1] > 1); /* else there is nothing to test */
    const int bound = b == 2 && dimension == 2 ? 3 : b;
    for (int across = 1; across <= bound && across <= dimension; across++) {
      CHECK_AT_MOST(worst[across], 1);
    }
    CHECK(out.sizes.leaves >= before);
    before = out.sizes.leaves;
    point_out_free(&out);
  }
  point_case_free(&set);
}

int main(void) {
  one_deep_cell();
  every_pair(TSR_POINTGRID_OCTREE);
  every_pair(TSR_POINTGRID_XY);
  every_pair(TSR_POINTGRID_YZ);
  autzen();
  return check_result();
}
