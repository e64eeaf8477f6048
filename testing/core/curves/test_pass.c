/* SPDX-License-Identifier: BSD-3-Clause */
/** Cells that go along as they are: the cells and points that a list made by hand says, at any
 * index type, without those that are bad. */
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "tessera.h"

/** Three lists: vertices 0 to 2, polygons 10 and 11, no strip. */
static const int32_t VERT_OFFSETS[] = {0, 1, 3, 4}, VERT_IDS[] = {5, 2, 5, 99};
static const int64_t POLY_OFFSETS[] = {0, 3, 6}, POLY_IDS[] = {7, 2, 0, 7, 8, 7};

static tsr_pass_view made(void) {
  tsr_pass_view view;
  memset(&view, 0, sizeof view);
  view.n_points = 10;
  view.lists[0] = (tsr_pass_list){3, VERT_OFFSETS, VERT_IDS, 4, TSR_INT32, NULL, 0};
  view.lists[1] = (tsr_pass_list){2, POLY_OFFSETS, POLY_IDS, 6, TSR_INT64, NULL, 10};
  return view;
}

static void check_list(const tsr_pass *pass, int list, int64_t n, const int64_t *cells,
                       const int64_t *offsets, const int64_t *ids) {
  const tsr_pass_sizes *sizes = tsr_pass_get_sizes(pass);
  int64_t to[8], to_ids[16];
  CHECK_INT(sizes->cells[list], n);
  CHECK_INT(sizes->connectivity[list], offsets[n]);
  tsr_pass_fill(pass, list, 100, to, to_ids);
  CHECK(n == 0 || memcmp(tsr_pass_cells(pass, list), cells, (size_t)n * sizeof *cells) == 0);
  CHECK(memcmp(to, offsets, (size_t)(n + 1) * sizeof *to) == 0);
  for (int64_t k = 0; k < offsets[n]; k++) {
    CHECK_INT(tsr_pass_points(pass)[to_ids[k] - 100], ids[k]);
  }
}

static void good_and_bad(void) {
  static const int64_t points[] = {0, 2, 5, 7, 8}, none[] = {0};
  const tsr_pass_view view = made();
  tsr_pass *pass;
  tsr_error error;
  CHECK_INT(tsr_pass_create(&view, &pass, &error), TSR_OK);
  const tsr_pass_sizes *sizes = tsr_pass_get_sizes(pass);
  CHECK_INT(sizes->points, 5);
  CHECK(memcmp(tsr_pass_points(pass), points, sizeof points) == 0);
  CHECK(sizes->bad.count == 1 && sizes->bad.first == 2); /* the point 99 */
  CHECK(sizes->too_large.count == 0 && sizes->too_large.first == -1);
  check_list(pass, 0, 2, (const int64_t[]){0, 1}, (const int64_t[]){0, 1, 3},
             (const int64_t[]){5, 2, 5});
  check_list(pass, 1, 2, (const int64_t[]){10, 11}, POLY_OFFSETS, POLY_IDS);
  check_list(pass, 2, 0, NULL, none, NULL);
  tsr_pass_free(pass);
}

/** Types 3, 9, 0 and 255: a curve, a cell that goes along, nothing, one that is left out. */
static void roles_of_cells(void) {
  static const uint8_t types[] = {9, 3, 255, 0, 3, 255, 9};
  static const uint8_t runs[] = {3, 3, 255, 255, 255, 9, 9};
  tsr_cell_rule rules[TSR_CELL_TYPES] = {{0}};
  uint8_t kinds[7], roles[7], passes[7];
  tsr_cell_roles found = {kinds, roles, passes, -1, {-1, -1}};
  rules[3] = (tsr_cell_rule){TSR_KIND_BEZIER, TSR_JOIN_CURVE, 0, 0};
  rules[9].passes = 1;
  rules[255].left_out = 1;
  tsr_cell_roles_of(types, 7, rules, &found);
  for (int i = 0; i < 7; i++) {
    const int curve = i == 1 || i == 4;
    CHECK_INT(kinds[i], curve ? TSR_KIND_BEZIER : TSR_KIND_NONE);
    CHECK_INT(roles[i], curve ? TSR_JOIN_CURVE : TSR_JOIN_NOTHING);
    CHECK_INT(passes[i], i == 0 || i == 6);
  }
  CHECK_INT(found.n_passing, 2);
  CHECK(found.left_out.count == 2 && found.left_out.first == 2);
  tsr_cell_roles_of(types, 2, rules, &found);
  CHECK(found.left_out.count == 0 && found.left_out.first == -1);
  tsr_cell_roles_of(runs, 7, rules, &found);
  for (int i = 0; i < 7; i++) {
    CHECK_INT(kinds[i], i < 2 ? TSR_KIND_BEZIER : TSR_KIND_NONE);
    CHECK_INT(roles[i], i < 2 ? TSR_JOIN_CURVE : TSR_JOIN_NOTHING);
    CHECK_INT(passes[i], i > 4);
  }
  CHECK_INT(found.n_passing, 2);
  CHECK(found.left_out.count == 3 && found.left_out.first == 2);
}

static void chosen_cells(void) {
  static const uint8_t chosen[] = {0, 1, 0};
  tsr_pass_view view = made();
  tsr_pass *pass;
  tsr_error error;
  view.lists[0].chosen = chosen;
  view.lists[1].n_cells = 0;
  CHECK_INT(tsr_pass_create(&view, &pass, &error), TSR_OK);
  CHECK_INT(tsr_pass_get_sizes(pass)->points, 2);
  CHECK_INT(tsr_pass_get_sizes(pass)->bad.count, 0);
  check_list(pass, 0, 1, (const int64_t[]){1}, (const int64_t[]){0, 2}, (const int64_t[]){2, 5});
  tsr_pass_free(pass);
}

static void offsets_out_of_range(void) {
  static const int64_t offsets[][3] = {{-1, 3, 6}, {0, 7, 6}, {3, 2, 6}, {0, 3, 9}};
  static const int bad[] = {1, 2, 1, 1};
  for (int k = 0; k < 4; k++) {
    tsr_pass_view view = made();
    tsr_pass *pass;
    tsr_error error;
    view.lists[1].offsets = offsets[k];
    CHECK_INT(tsr_pass_create(&view, &pass, &error), TSR_OK);
    CHECK_INT(tsr_pass_get_sizes(pass)->bad.count, 1 + bad[k]);
    CHECK_INT(tsr_pass_get_sizes(pass)->bad.first, 2);
    CHECK_INT(tsr_pass_get_sizes(pass)->cells[1], 2 - bad[k]);
    tsr_pass_free(pass);
  }
}

/** Beyond single precision, but for what is infinite already. */
static void single_precision(void) {
  double points[30] = {0};
  tsr_pass_view view = made();
  tsr_pass *pass;
  tsr_error error;
  points[3 * 8 + 1] = -2.0 * FLT_MAX; /* of polygon 11 */
  points[3 * 5 + 2] = INFINITY;
  points[3 * 2] = NAN;
  points[3 * 7] = FLT_MAX;
  view.points = (tsr_array){points, TSR_DOUBLE, 3, 10};
  CHECK_INT(tsr_pass_create(&view, &pass, &error), TSR_OK);
  CHECK(tsr_pass_get_sizes(pass)->too_large.count == 1 &&
        tsr_pass_get_sizes(pass)->too_large.first == 11);
  CHECK_INT(tsr_pass_get_sizes(pass)->cells[0], 2);
  CHECK_INT(tsr_pass_get_sizes(pass)->cells[1], 1);
  CHECK_INT(tsr_pass_get_sizes(pass)->points, 4);
  tsr_pass_free(pass);
}

int main(void) {
  good_and_bad();
  roles_of_cells();
  chosen_cells();
  offsets_out_of_range();
  single_precision();
  tsr_pass_free(NULL);
  return check_result();
}
