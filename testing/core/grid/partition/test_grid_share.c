/* SPDX-License-Identifier: BSD-3-Clause */
/** Grids shared out over processes that threads play: every root has one owner, every value arrives
 *  where a slow search through the parts says, and parts that cannot be one are told of. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "ranks.h"

/** One process. */
typedef struct process {
  tsr_grid_part part;
  tsr_grid_view view;
  double *coordinates[3];
  int rank, n;
  int n_columns;
  tsr_status status;
  tsr_error error;
  tsr_grid_shares shares; /**< freed by the process, but for what the test looks at */
  tsr_grid_box whole, own, need, held;
  int in_place, teller;
  double *axes[3];
  int32_t *points; /**< of need */
  uint8_t *cells;  /**< 3 components */
} process;

static int64_t points_of(const tsr_grid_box *box, int cells) {
  int64_t n = 1;
  for (int a = 0; a < 3; a++) {
    const int64_t points = box->at[2 * a + 1] - box->at[2 * a] + 1;
    n *= cells && points > 1 ? points - 1 : points;
  }
  return tsr_grid_box_is_empty(box) ? 0 : n;
}

/** The place of a point, or cell, in an array of a box, or -1. */
static int64_t place_in(const tsr_grid_box *box, int cells, const int64_t at[3]) {
  int64_t place = 0;
  for (int a = 2; a >= 0; a--) {
    const int64_t low = box->at[2 * a], high = box->at[2 * a + 1];
    const int64_t count = cells && high > low ? high - low : high - low + 1;
    if (at[a] < low || at[a] >= low + count) {
      return -1;
    }
    place = place * count + at[a] - low;
  }
  return place;
}

/** Visits what a box holds. Returns 0 at the end. */
static int next(const tsr_grid_box *box, int cells, int64_t at[3]) {
  for (int a = 0; a < 3; a++) {
    const int64_t low = box->at[2 * a], high = box->at[2 * a + 1];
    if (++at[a] < (cells && high > low ? high : high + 1)) {
      return 1;
    }
    at[a] = low;
  }
  return 0;
}

/** The value that belongs to a point or a cell wherever it is. */
static int32_t value_of(const int64_t at[3], int cells) {
  return (int32_t)(at[0] + 100 * at[1] + 10000 * at[2] + (cells ? 7 : 0));
}

static void *filled(const tsr_grid_box *box, int cells) {
  const size_t size = cells ? 3 : sizeof(int32_t);
  char *array = malloc((size_t)points_of(box, cells) * size + 1);
  int64_t at[3] = {box->at[0], box->at[2], box->at[4]}, i = 0;
  for (int more = points_of(box, cells) > 0; more; more = next(box, cells, at), i++) {
    const int32_t value = value_of(at, cells);
    for (int c = 0; cells && c < 3; c++) {
      array[3 * i + c] = (char)(value % (50 + c));
    }
    if (!cells) {
      memcpy(array + 4 * i, &value, 4);
    }
  }
  return array;
}

static void work(void *data, const tsr_processes *processes) {
  process *p = data;
  tsr_grid_column columns[2] = {{0, 4, NULL, NULL}, {1, 3, NULL, NULL}};
  p->rank = processes->rank;
  p->n = processes->n;
  memcpy(p->held.at, p->view.extent, sizeof p->held.at);
  p->part.view = &p->view;
  memset(&p->error, 0, sizeof p->error);
  p->status = tsr_grid_share(&p->part, processes, &p->shares, &p->error);
  if (p->status != TSR_OK) {
    return;
  }
  p->whole = p->shares.whole;
  p->own = p->shares.own[p->rank];
  p->need = p->shares.need[p->rank];
  p->in_place = p->shares.in_place;
  p->teller = p->shares.teller;
  p->status = tsr_grid_check_cover(&p->shares, processes, p->n_columns > 1, &p->error);
  p->status = tsr_processes_agree(processes, p->status, &p->error);
  if (p->status != TSR_OK) {
    return;
  }
  p->points = malloc((size_t)points_of(&p->need, 0) * 4 + 1);
  p->cells = malloc((size_t)points_of(&p->need, 1) * 3 + 1);
  void *const from[2] = {filled(&p->held, 0), filled(&p->held, 1)};
  columns[0].from = from[0];
  columns[0].to = p->points;
  columns[1].from = from[1];
  columns[1].to = p->cells;
  p->status = tsr_grid_move(&p->shares, processes, columns, p->n_columns, &p->error);
  free(from[0]);
  free(from[1]);
}

static void prepare(process *p, int n, int coarsen, int margin) {
  memset(p, 0, (size_t)n * sizeof *p);
  for (int r = 0; r < n; r++) {
    tsr_grid_view_init(&p[r].view);
    p[r].part.coarsen_levels = coarsen;
    p[r].part.margin = margin;
    p[r].part.announced.at[1] = -1;
    p[r].view.extent[1] = -1;
    p[r].n_columns = 2;
  }
}

static void clean(process *p, int n) {
  for (int r = 0; r < n; r++) {
    tsr_grid_shares_free(&p[r].shares);
    free(p[r].points);
    free(p[r].cells);
    for (int a = 0; a < 3; a++) {
      free(p[r].coordinates[a]);
    }
  }
}

/** Is every value that the process needs there? */
static void check_values(const process *p) {
  for (int cells = 0; cells < 2; cells++) {
    int64_t at[3] = {p->need.at[0], p->need.at[2], p->need.at[4]}, wrong = 0;
    for (int more = points_of(&p->need, cells) > 0; more; more = next(&p->need, cells, at)) {
      const int64_t i = place_in(&p->need, cells, at);
      const int32_t value = value_of(at, cells);
      for (int c = 0; cells && c < 3; c++) {
        wrong += p->cells[3 * i + c] != (uint8_t)(value % (50 + c));
      }
      wrong += !cells && p->points[i] != value;
    }
    CHECK_SAY(wrong == 0, "rank %d: %lld wrong values of %s", p->rank, (long long)wrong,
              cells ? "cells" : "points");
  }
}

/** Every cell of the whole has one owner, which owns whole roots, or what is left of one. */
static void check_owners(const process *p, int n, int coarsen, int margin) {
  const int64_t root = (int64_t)1 << coarsen;
  const tsr_grid_box *whole = &p->whole;
  int64_t at[3] = {whole->at[0], whole->at[2], whole->at[4]};
  for (int more = points_of(whole, 1) > 0; more; more = next(whole, 1, at)) {
    int owners = 0;
    for (int r = 0; r < n; r++) {
      owners += place_in(&p[r].own, 1, at) >= 0;
    }
    CHECK_SAY(owners == 1, "%d owners of cell %d %d %d", owners, (int)at[0], (int)at[1],
              (int)at[2]);
  }
  for (int r = 0; r < n; r++) {
    CHECK(memcmp(&p[r].whole, whole, sizeof *whole) == 0);
    for (int side = 0; side < 6 && !tsr_grid_box_is_empty(&p[r].own); side++) {
      const int64_t end = whole->at[side % 2 ? side : side + 1];
      const int64_t place = p[r].own.at[side], first = whole->at[side / 2 * 2];
      const int64_t grown = place + (side % 2 ? margin : -margin);
      const int64_t limit = whole->at[side];
      CHECK((place - first) % root == 0 || place == end);
      CHECK_INT(p[r].need.at[side], (side % 2 ? grown > limit : grown < limit) ? limit : grown);
    }
  }
}

/** Nothing has to move where every process owns something and holds all that it needs. */
static void check_in_place(const process *p, int n) {
  int in_place = 1;
  for (int r = 0; r < n; r++) {
    const tsr_grid_box *need = &p[r].need;
    int64_t at[3] = {need->at[0], need->at[2], need->at[4]};
    in_place = in_place && !tsr_grid_box_is_empty(&p[r].own);
    for (int more = points_of(need, 0) > 0; more; more = next(need, 0, at)) {
      in_place = in_place && place_in(&p[r].held, 0, at) >= 0;
    }
  }
  for (int r = 0; r < n; r++) {
    CHECK_INT(p[r].in_place, in_place);
  }
}

/** Cuts the whole into slabs of uneven thickness that overlap by `more` points; rank 1 of several
 *  has nothing. */
static void slabs(process *p, int n, const int64_t whole[6], int axis, int more) {
  int64_t cuts[MAX_RANKS + 1];
  int busy = n > 2 ? n - 1 : n, k = 0;
  const int64_t first = whole[2 * axis], length = whole[2 * axis + 1] - first;
  for (int i = 0; i <= busy; i++) {
    cuts[i] = first + length * i * (i + 1) / (busy * (busy + 1));
  }
  for (int r = 0; r < n; r++) {
    if (r == 1 && n > 2) {
      continue;
    }
    memcpy(p[r].view.extent, whole, sizeof p[r].view.extent);
    p[r].view.extent[2 * axis] = cuts[k] - more > first ? cuts[k] - more : first;
    p[r].view.extent[2 * axis + 1] =
        cuts[k + 1] + more < first + length ? cuts[k + 1] + more : first + length;
    k++;
  }
}

static void shares_of(const int64_t whole[6], int n, int coarsen, int margin, int axis, int more) {
  static process p[MAX_RANKS];
  prepare(p, n, coarsen, margin);
  slabs(p, n, whole, axis, more);
  ranks_run(n, work, p, sizeof *p);
  for (int r = 0; r < n; r++) {
    CHECK_SAY(p[r].status == TSR_OK, "rank %d: %s", r, p[r].error.text);
  }
  check_owners(p, n, coarsen, margin);
  check_in_place(p, n);
  for (int r = 0; r < n; r++) {
    const tsr_grid_box needed = tsr_grid_needed_box(&p->whole, coarsen, margin, r, n);
    CHECK(memcmp(&needed, &p[r].need, sizeof needed) == 0);
  }
  for (int r = 0; r < n && p[r].status == TSR_OK; r++) {
    check_values(&p[r]);
  }
  clean(p, n);
}

static void every_share(void) {
  static const int64_t wholes[][6] = {
      {2, 29, -4, 9, 0, 13}, {0, 40, 3, 3, 0, 33}, {5, 44, 0, 0, 7, 7}};
  for (int w = 0; w < 3; w++) {
    for (int n = 1; n <= MAX_RANKS; n += n < 4 ? 1 : 3) {
      for (int coarsen = 0; coarsen < 5; coarsen += 2) {
        shares_of(wholes[w], n, coarsen, 1, w == 2 ? 0 : 2 * (n % 2), coarsen);
      }
    }
  }
}

/** Some processes own nothing, though they hold all of it. */
static void sharers(void) {
  static const int who[] = {4, 2};
  process p[5];
  prepare(p, 5, 1, 2);
  for (int r = 0; r < 5; r++) {
    p[r].part.sharers = who;
    p[r].part.n_sharers = 2;
  }
  const int64_t whole[6] = {0, 9, 0, 6, 0, 5};
  memcpy(p[3].view.extent, whole, sizeof whole);
  ranks_run(5, work, p, sizeof *p);
  check_owners(p, 5, 1, 2);
  for (int r = 0; r < 5; r++) {
    CHECK_INT(p[r].status, TSR_OK);
    CHECK_INT(tsr_grid_box_is_empty(&p[r].own), r != 2 && r != 4);
    CHECK_INT(p[r].teller, 3);
    check_values(&p[r]);
  }
  clean(p, 5);
}

/** What is where it belongs already, and what nobody holds. */
static void nothing_to_move(void) {
  process p[3];
  prepare(p, 3, 2, 0);
  for (int r = 0; r < 3; r++) {
    const int64_t mine[6] = {4 * r, 4 * r + 4, 0, 4, 0, 0};
    memcpy(p[r].view.extent, mine, sizeof mine);
  }
  ranks_run(3, work, p, sizeof *p);
  for (int r = 0; r < 3; r++) {
    CHECK(p[r].status == TSR_OK && p[r].in_place);
  }
  clean(p, 3);
  prepare(p, 3, 2, 1);
  ranks_run(3, work, p, sizeof *p);
  for (int r = 0; r < 3; r++) {
    CHECK(p[r].status == TSR_OK && p[r].in_place && p[r].teller == -1);
    CHECK(tsr_grid_box_is_empty(&p[r].whole) && tsr_grid_box_is_empty(&p[r].need));
  }
  clean(p, 3);
}

/** One process says why; the others that another failed. */
static void refused(process *p, int n, int who, const char *why) {
  ranks_run(n, work, p, sizeof *p);
  for (int r = 0; r < n; r++) {
    CHECK_INT(p[r].status, r == who ? TSR_BAD_INPUT : TSR_ABORTED);
    CHECK_SAY(strcmp(p[r].error.text, why) == 0 || r != who, "rank %d: '%s', not '%s'", r,
              p[r].error.text, why);
  }
  clean(p, n);
}

/** Two slabs of an image; the second process has something else in mind. */
static void two_slabs(process *p) {
  const int64_t low[6] = {0, 5, 0, 4, 0, 3}, high[6] = {5, 9, 0, 4, 0, 3};
  prepare(p, 2, 1, 1);
  memcpy(p[0].view.extent, low, sizeof low);
  memcpy(p[1].view.extent, high, sizeof high);
}

static void parts_that_are_none(void) {
  process p[2];
  two_slabs(p);
  p[1].part.kind = 3;
  refused(p, 2, 0, "the processes hold grids of different kinds");
  two_slabs(p);
  p[1].view.extent[3] = -2;
  refused(p, 2, 1, "the extent along y runs backwards, from 0 to -2");
  two_slabs(p);
  p[0].part.announced = (tsr_grid_box){{0, 9, -3, 4, 0, 3}};
  refused(p, 2, 0, "no process holds the input point 0 -3 0, which the source announces");
  two_slabs(p);
  p[1].part.announced = (tsr_grid_box){{0, 12, 0, 4, 0, 3}};
  refused(p, 2, 0, "no process holds the input point 10 0 0, which the source announces");
  two_slabs(p);
  for (int side = 0; side < 6; side++) {
    p[1].view.extent[side] = side % 2 ? INT32_MAX : INT32_MIN;
  }
  refused(p, 2, 1, "the extent has more points than 64 bits can count");
}

static void parts_that_lie_elsewhere(void) {
  process p[2];
  const char *why = "the part of the image has the origin 0 0.001 0 and the spacing 1 1 1, but on "
                    "process 0 the origin 0 0 0 and the spacing 1 1 1, or another direction: parts "
                    "of one image have to agree";
  two_slabs(p);
  p[1].view.origin[1] = 1e-3;
  refused(p, 2, 1, why);
  two_slabs(p);
  p[1].view.spacing[0] = 1.0 + 1e-6; /* times index 9: more than rounding */
  ranks_run(2, work, p, sizeof *p);
  CHECK_INT(p[1].status, TSR_BAD_INPUT);
  clean(p, 2);
  two_slabs(p);
  p[1].view.direction[0] = -1.0;
  ranks_run(2, work, p, sizeof *p);
  CHECK_INT(p[1].status, TSR_BAD_INPUT);
  clean(p, 2);
  two_slabs(p);
  p[1].view.origin[1] = 1e-9; /* rounding */
  ranks_run(2, work, p, sizeof *p);
  CHECK(p[0].status == TSR_OK && p[1].status == TSR_OK);
  CHECK(p[1].shares.origin[1] == 0.0); /* all say what the first says */
  clean(p, 2);
}

/** Coordinates for what a process holds: squares of the index. */
static void make_rectilinear(process *p) {
  p->view.geometry = TSR_GEOMETRY_RECTILINEAR;
  for (int a = 0; a < 3; a++) {
    const int64_t first = p->view.extent[2 * a], n = p->view.extent[2 * a + 1] - first + 1;
    p->coordinates[a] = malloc((size_t)(n > 0 ? n : 1) * sizeof(double));
    for (int64_t i = 0; i < n; i++) {
      p->coordinates[a][i] = (double)((first + i) * (first + i));
    }
    p->view.coordinates[a] = (tsr_array){p->coordinates[a], TSR_DOUBLE, 1, n > 0 ? n : 0};
  }
}

static void coordinates(void) {
  process p[3];
  prepare(p, 3, 1, 1);
  const int64_t whole[6] = {3, 12, 0, 4, 0, 3};
  slabs(p, 3, whole, 0, 1);
  for (int r = 0; r < 3; r++) {
    make_rectilinear(&p[r]);
  }
  ranks_run(3, work, p, sizeof *p);
  for (int r = 0; r < 3; r++) {
    CHECK_INT(p[r].status, TSR_OK);
    for (int a = 0; a < 3 && p[r].status == TSR_OK; a++) {
      for (int64_t i = whole[2 * a]; i <= whole[2 * a + 1]; i++) {
        CHECK(p[r].shares.axes[a][i - whole[2 * a]] == (double)(i * i));
      }
    }
  }
  clean(p, 3);
  two_slabs(p);
  make_rectilinear(&p[0]);
  make_rectilinear(&p[1]);
  p[0].coordinates[0][5] += 0.5;
  refused(p, 2, 1,
          "the coordinate along x of index 5 is 25, but 25.5 on another process: parts of one grid "
          "have to agree");
  two_slabs(p);
  make_rectilinear(&p[0]);
  make_rectilinear(&p[1]);
  p[1].coordinates[0][0] = NAN;
  refused(p, 2, 0,
          "the coordinate along x of index 5 is 25, but nan on another process: parts of one grid "
          "have to agree");
  two_slabs(p);
  make_rectilinear(&p[0]);
  make_rectilinear(&p[1]);
  p[1].view.coordinates[1].tuples = 7;
  refused(p, 2, 1, "there are 7 coordinates along y for 5 points");
}

/** Where a layer of points, or of cells, is missing between two parts. */
static void holes(void) {
  for (int n_columns = 1; n_columns < 3; n_columns++) {
    for (int gap = 0; gap < 3; gap++) { /* layers of cells that are missing */
      process p[2];
      int failed = 0;
      two_slabs(p);
      p[0].n_columns = p[1].n_columns = n_columns;
      p[1].view.extent[0] = 5 + gap;
      ranks_run(2, work, p, sizeof *p);
      for (int r = 0; r < 2; r++) {
        const char *noun = gap == 2 ? "no process holds the input point 6 0 0"
                                    : "no process holds the input cell 5 0 0";
        failed += p[r].status == TSR_BAD_INPUT && strcmp(p[r].error.text, noun) == 0;
        CHECK(p[r].status == TSR_OK || p[r].status == TSR_ABORTED || failed > 0);
      }
      CHECK_INT(failed > 0, gap == 2 || (gap == 1 && n_columns == 2));
      clean(p, 2);
    }
  }
}

int main(void) {
  every_share();
  sharers();
  nothing_to_move();
  parts_that_are_none();
  parts_that_lie_elsewhere();
  coordinates();
  holes();
  return check_result();
}
