/* SPDX-License-Identifier: BSD-3-Clause */
/** The cells that a region in space touches, by hand and by inverse functions; and which blocks are
 *  pieces of one grid, by counting cells one by one. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "ranks.h"

static const double *const NO_AXES[3] = {NULL, NULL, NULL};

static tsr_grid_view view_of(const int64_t extent[6], tsr_grid_geometry geometry) {
  tsr_grid_view view;
  tsr_grid_view_init(&view);
  memcpy(view.whole, extent, sizeof view.whole);
  memcpy(view.extent, extent, sizeof view.extent);
  view.geometry = geometry;
  return view;
}

/** corners: low and high index along each axis. */
static void expect(const tsr_grid_view *view, const double *const axes[3], const double region[6],
                   const double corners[6], const char *what) {
  double got[6];
  tsr_grid_region(view, axes, region, got);
  for (int k = 0; k < 6; k++) {
    const double value = k % 2 ? got[k] : -got[k];
    CHECK_SAY(fabs(value - corners[k]) < 1e-12, "%s: corner %d is %g, not %g", what, k, value,
              corners[k]);
  }
}

static void expect_nothing(const tsr_grid_view *view, const double *const axes[3],
                           const double region[6], const char *what) {
  double got[6];
  tsr_grid_region(view, axes, region, got);
  for (int k = 0; k < 6; k++) {
    CHECK_SAY(got[k] == -INFINITY, "%s: corner %d is %g", what, k, got[k]);
  }
}

/** An image: indices are (x - origin) / spacing. */
static void images(void) {
  const int64_t extent[6] = {2, 12, -3, 5, 4, 4};
  tsr_grid_view view = view_of(extent, TSR_GEOMETRY_UNIFORM);
  const double spacing[3] = {0.5, 2.0, 1.0};
  memcpy(view.spacing, spacing, sizeof spacing);
  view.origin[0] = 10.0;
  /* x from 11 to 16, y from -6 to 10, z at 4 */
  expect(&view, NO_AXES, (const double[6]){11.75, 14.2, -100, 3, 0, 9},
         (const double[6]){3.5, 8.4, -3, 1.5, 4, 4}, "inside");
  expect(&view, NO_AXES, (const double[6]){12, 12, 1, 1, 4, 4},
         (const double[6]){4, 4, 0.5, 0.5, 4, 4}, "one point");
  expect_nothing(&view, NO_AXES, (const double[6]){16, 20, 0, 1, 0, 9}, "beside, touching");
  expect(&view, NO_AXES, (const double[6]){16, 16, 0, 1, 0, 9},
         (const double[6]){12, 12, 0, 0.5, 4, 4}, "a plane that touches");
  expect_nothing(&view, NO_AXES, (const double[6]){12, 13, 0, 1, 4.5, 9}, "above");
  view.spacing[1] = -2.0; /* y from 6 to -10 */
  expect(&view, NO_AXES, (const double[6]){12, 13, -1, 3, 4, 4},
         (const double[6]){4, 6, -1.5, 0.5, 4, 4}, "backwards");
}

/** Coordinates that are squares: indices are roots. */
static void rectilinear_grids(void) {
  const int64_t whole[6] = {3, 12, 0, 8, 1, 5};
  double x[3][10];
  const double *const axes[3] = {x[0], x[1], x[2]};
  for (int a = 0; a < 3; a++) {
    for (int64_t i = whole[2 * a]; i <= whole[2 * a + 1]; i++) {
      x[a][i - whole[2 * a]] = (double)(i * i);
    }
  }
  tsr_grid_view view = view_of(whole, TSR_GEOMETRY_RECTILINEAR);
  expect(&view, axes, (const double[6]){30, 49, 0, 2, 0, 99},
         (const double[6]){5 + 5.0 / 11, 7, 0, 1 + 1.0 / 3, 1, 5}, "squares");
  view.extent[0] = 8; /* a part of it */
  expect(&view, axes, (const double[6]){30, 70, 0, 2, 0, 99},
         (const double[6]){8, 8 + 6.0 / 17, 0, 1 + 1.0 / 3, 1, 5}, "a part");
  expect_nothing(&view, axes, (const double[6]){30, 49, 0, 2, 0, 99}, "not that part");
  x[1][8] = x[1][7]; /* the last cell is flat */
  expect(&view, axes, (const double[6]){70, 70, 49, 49, 4, 4},
         (const double[6]){8 + 6.0 / 17, 8 + 6.0 / 17, 7, 8, 2, 2}, "a flat cell");
}

/** Cells of a grid of points, found by going through all of them. */
static void compare_cells(const tsr_grid_view *view, const double *points, const double region[6]) {
  const int64_t *e = view->extent;
  double corners[6] = {1e9, -1e9, 1e9, -1e9, 1e9, -1e9}, got[6];
  const int64_t n[3] = {e[1] - e[0], e[3] - e[2], e[5] - e[4]};
  for (int64_t c = 0; c < n[0] * n[1] * n[2]; c++) {
    const int64_t i[3] = {c % n[0], c / n[0] % n[1], c / n[0] / n[1]};
    int touched = 1;
    for (int a = 0; a < 3; a++) {
      double low = 1e9, high = -1e9;
      for (int k = 0; k < 8; k++) {
        const int64_t p =
            ((i[2] + k / 4) * (n[1] + 1) + i[1] + k / 2 % 2) * (n[0] + 1) + i[0] + k % 2;
        low = fmin(low, points[3 * p + a]);
        high = fmax(high, points[3 * p + a]);
      }
      touched = touched && low < region[2 * a + 1] && high > region[2 * a];
    }
    for (int a = 0; a < 3 && touched; a++) {
      corners[2 * a] = fmin(corners[2 * a], (double)(e[2 * a] + i[a]));
      corners[2 * a + 1] = fmax(corners[2 * a + 1], (double)(e[2 * a] + i[a] + 1));
    }
  }
  tsr_grid_region(view, NO_AXES, region, got);
  for (int k = 0; k < 6; k++) {
    const double value = k % 2 ? got[k] : -got[k];
    CHECK(corners[0] > 1e8 ? got[k] == -INFINITY : value == corners[k]);
  }
}

static void other_grids(void) {
  const int64_t extent[6] = {4, 11, -2, 6, 0, 5};
  tsr_grid_view turned = view_of(extent, TSR_GEOMETRY_UNIFORM);
  tsr_grid_view bent = view_of(extent, TSR_GEOMETRY_POINTS);
  const double direction[9] = {0.8, -0.6, 0, 0.6, 0.8, 0, 0, 0, 1};
  double *points[2];
  memcpy(turned.direction, direction, sizeof direction);
  CHECK(!tsr_grid_is_axis_aligned(&turned) && !tsr_grid_is_axis_aligned(&bent));
  points[0] = malloc(sizeof(double) * 3 * 8 * 9 * 6);
  points[1] = malloc(sizeof(double) * 3 * 8 * 9 * 6);
  for (int p = 0; p < 8 * 9 * 6; p++) {
    const double i = 4 + p % 8, j = -2 + p / 8 % 9, k = p / 72;
    const double places[2][3] = {{0.8 * i - 0.6 * j, 0.6 * i + 0.8 * j, k},
                                 {i + 0.3 * sin(j), j + 0.4 * sin(k), k + 0.2 * cos(i)}};
    memcpy(points[0] + 3 * p, places[0], sizeof places[0]);
    memcpy(points[1] + 3 * p, places[1], sizeof places[1]);
  }
  bent.points = (tsr_array){points[1], TSR_DOUBLE, 3, 8 * 9 * 6};
  for (int s = 0; s < 200; s++) {
    double region[6];
    for (int a = 0; a < 3; a++) {
      region[2 * a] = 17.0 * (s * (a + 3) % 23) / 23.0 - 4.01;
      region[2 * a + 1] = region[2 * a] + 0.37 + s % 5;
    }
    compare_cells(&turned, points[0], region);
    compare_cells(&bent, points[1], region);
  }
  bent.points.tuples = 7; /* too few: the plan will say so */
  expect_nothing(&bent, NO_AXES, (const double[6]){-99, 99, -99, 99, -99, 99}, "no points");
  free(points[0]);
  free(points[1]);
}

/** The cells of an extent without those at an end that are copies. */
static void own_boxes(void) {
  const int64_t extent[6] = {3, 9, 0, 4, 2, 2};
  uint8_t flags[24] = {0};
  tsr_grid_box own = tsr_grid_own_box(extent, NULL, 1);
  CHECK(memcmp(own.at, extent, sizeof extent) == 0);
  for (int c = 0; c < 24; c++) {
    flags[c] = (uint8_t)((c % 6 < 2 ? 1 : 0) | (c / 6 == 3 ? 4 : 0) | 8);
  }
  own = tsr_grid_own_box(extent, flags, 5);
  CHECK(memcmp(own.at, (const int64_t[6]){5, 9, 0, 3, 2, 2}, sizeof own.at) == 0);
  own = tsr_grid_own_box(extent, flags, 1);
  CHECK(memcmp(own.at, (const int64_t[6]){5, 9, 0, 4, 2, 2}, sizeof own.at) == 0);
  flags[9] |= 1; /* a hole: no box */
  own = tsr_grid_own_box(extent, flags, 5);
  CHECK(tsr_grid_box_is_empty(&own));
  own = tsr_grid_own_box(extent, flags, 8);
  CHECK(tsr_grid_box_is_empty(&own));
}

/** A process and its pieces of the blocks of a composite. */
typedef struct holder {
  tsr_grid_piece mine[8], *shared;
  int64_t n, n_shared;
  tsr_status status;
  tsr_error error;
} holder;

static void find(void *data, const tsr_processes *processes) {
  holder *h = data;
  h->status = tsr_grid_shared_pieces(processes, h->mine, h->n, &h->shared, &h->n_shared, &h->error);
}

static void give(holder *h, int64_t block, int kind, const int64_t box[6]) {
  h->mine[h->n].block = block;
  h->mine[h->n].kind = kind;
  memcpy(h->mine[h->n].own.at, box, sizeof h->mine->own.at);
  h->n++;
}

static void blocks(void) {
  holder h[3];
  memset(h, 0, sizeof h);
  /* 9 and 2 are torn apart. */
  give(&h[2], 9, 6, (const int64_t[6]){0, 4, 0, 3, 0, 3});
  give(&h[0], 9, 6, (const int64_t[6]){4, 8, 0, 3, 0, 3});
  give(&h[0], 2, 6, (const int64_t[6]){0, 4, 0, 4, 1, 1});
  give(&h[1], 2, 6, (const int64_t[6]){4, 6, 0, 2, 1, 1});
  give(&h[2], 2, 6, (const int64_t[6]){4, 6, 2, 4, 1, 1});
  /* 3 is whole in each, 4 of one process, 5 of two kinds, 6 with a hole, 7 with a piece that is no
   * box, 8 with a layer that has no cells of its own. */
  give(&h[0], 3, 6, (const int64_t[6]){0, 4, 0, 4, 0, 4});
  give(&h[1], 3, 6, (const int64_t[6]){0, 4, 0, 4, 0, 4});
  give(&h[1], 4, 6, (const int64_t[6]){0, 4, 0, 4, 0, 4});
  give(&h[0], 5, 6, (const int64_t[6]){0, 4, 0, 4, 0, 4});
  give(&h[1], 5, 2, (const int64_t[6]){4, 8, 0, 4, 0, 4});
  give(&h[1], 6, 6, (const int64_t[6]){0, 4, 0, 4, 0, 4});
  give(&h[2], 6, 6, (const int64_t[6]){5, 8, 0, 4, 0, 4});
  give(&h[1], 7, 6, (const int64_t[6]){0, 4, 0, 4, 0, 4});
  give(&h[2], 7, 6, (const int64_t[6]){0, -1, 0, -1, 0, -1});
  give(&h[0], 8, 6, (const int64_t[6]){0, 1, 0, 4, 0, 4});
  give(&h[2], 8, 6, (const int64_t[6]){2, 2, 0, 4, 0, 4});
  ranks_run(3, find, h, sizeof *h);
  static const int expected[][2] = {{2, 0}, {2, 1}, {2, 2}, {9, 0}, {9, 2}};
  for (int r = 0; r < 3; r++) {
    CHECK_INT(h[r].status, TSR_OK);
    if (CHECK_INT(h[r].n_shared, 5)) {
      for (int k = 0; k < 5; k++) {
        CHECK_INT(h[r].shared[k].block, expected[k][0]);
        CHECK_INT(h[r].shared[k].rank, expected[k][1]);
      }
    }
    tsr_grid_pieces_free(h[r].shared);
  }
}

int main(void) {
  images();
  rectilinear_grids();
  other_grids();
  own_boxes();
  blocks();
  return check_result();
}
