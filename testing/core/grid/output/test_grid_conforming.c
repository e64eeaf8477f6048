/* SPDX-License-Identifier: BSD-3-Clause */
/** Conforming grids: cells meet in whole faces, fill the box, none is turned inside out, and the
 *  interpolation error holds in them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "executor.h"
#include "grid_cell.h"

/** A face with its points in order of their numbers. */
typedef struct face {
  int64_t id[4], cell;
  double x[4][3];
  int n;
} face;

static int by_ids(const void *a, const void *b) {
  const face *p = a, *q = b;
  for (int k = 0; k < 4; k++) {
    if (p->id[k] != q->id[k]) {
      return p->id[k] < q->id[k] ? -1 : 1;
    }
  }
  return 0;
}

static int by_place(const void *a, const void *b) {
  const double *p = a, *q = b;
  for (int k = 0; k < 3; k++) {
    if (p[k] != q[k]) {
      return p[k] < q[k] ? -1 : 1;
    }
  }
  return 0;
}

static face face_of(const grid_cell *it, const int places[4], int64_t number) {
  face f = {.cell = number};
  for (int k = 0; k < 4; k++) {
    f.id[k] = -1;
    if (places[k] >= 0) {
      int at = f.n++;
      for (; at > 0 && f.id[at - 1] > it->id[places[k]]; at--) {
        f.id[at] = f.id[at - 1];
      }
      f.id[at] = it->id[places[k]];
      memcpy(f.x[f.n - 1], it->x[places[k]], sizeof f.x[0]);
    }
  }
  return f;
}

/** 1 if the face lies in a side of the box. */
static int is_outer(const face *f, const int64_t cells[3]) {
  for (int a = 0; a < 3; a++) {
    for (int s = 0; s < 2 && cells[a] > 0; s++) {
      int all = 1;
      for (int k = 0; k < f->n; k++) {
        all = all && f->x[k][a] == (s ? (double)cells[a] : 0.0);
      }
      if (all) {
        return 1;
      }
    }
  }
  return 0;
}

/** Inner faces belong to two cells, outer ones to one; next to hidden cells others do, too. */
static void check_faces(const grid_case *grid, const grid_out *out) {
  face *faces = malloc((size_t)out->sizes.cells * 6 * sizeof *faces);
  int64_t n = 0, wrong = 0;
  for (int64_t c = 0; c < out->sizes.cells; c++) {
    const grid_cell it = grid_cell_of(out, c);
    int places[6][4];
    const int count = grid_cell_faces(&it, places);
    for (int k = 0; k < count; k++) {
      faces[n++] = face_of(&it, places[k], c);
    }
  }
  qsort(faces, (size_t)n, sizeof *faces, by_ids);
  for (int64_t k = 0, end; k < n; k = end) {
    for (end = k + 1; end < n && by_ids(&faces[k], &faces[end]) == 0;) {
      end++;
    }
    const int outer = is_outer(&faces[k], grid->cells);
    wrong += grid->hidden ? end - k > 2 || (outer && end - k != 1) : end - k != (outer ? 1 : 2);
  }
  CHECK_SAY(wrong == 0, "%lld of %lld faces belong to a wrong number of cells", (long long)wrong,
            (long long)n);
  free(faces);
}

/** No point lies within an edge, along an axis, of a cell, and no two have the same place. */
static void check_points(const grid_out *out, int refine) {
  const double step = 1.0 / (double)(2 << refine);
  const size_t n = (size_t)out->sizes.points;
  double *sorted = malloc((n + 1) * 3 * sizeof *sorted);
  int64_t same = 0, hanging = 0;
  memcpy(sorted, out->points, n * 3 * sizeof *sorted);
  qsort(sorted, n, 3 * sizeof *sorted, by_place);
  for (size_t p = 1; p < n; p++) {
    same += by_place(sorted + 3 * p - 3, sorted + 3 * p) == 0;
  }
  for (int64_t c = 0; c < out->sizes.cells; c++) {
    const grid_cell it = grid_cell_of(out, c);
    int places[6][4];
    const int count = grid_cell_faces(&it, places);
    for (int k = 0; k < 4 * count; k++) {
      const int *f = places[k / 4];
      const int corners = out->sizes.dimension == 2 ? 2 : f[3] < 0 ? 3 : 4;
      if (k % 4 >= corners) {
        continue;
      }
      const double *from = it.x[f[k % 4]], *to = it.x[f[(k % 4 + 1) % corners]];
      int axis = -1, differ = 0;
      for (int a = 0; a < 3; a++) {
        axis = from[a] < to[a] ? a : axis;
        differ += from[a] != to[a];
      }
      double x[3] = {from[0], from[1], from[2]};
      for (; differ == 1 && axis >= 0 && x[axis] + step < to[axis];) {
        x[axis] += step;
        hanging += bsearch(x, sorted, n, 3 * sizeof *sorted, by_place) != NULL;
      }
    }
  }
  CHECK_INT(same, 0);
  CHECK_INT(hanging, 0);
  for (size_t p = 0; p < n; p++) {
    CHECK_INT(out->hanging[p], 0);
  }
  free(sorted);
}

/** Largest difference, at the input points, of the interpolation in all cells that hold them; each
 *  is held by one. */
static double probe(const grid_case *grid, const grid_out *out) {
  uint8_t *seen = calloc((size_t)grid->n_points, 1);
  double most = 0.0;
  for (int64_t c = 0; c < out->sizes.cells; c++) {
    const grid_cell it = grid_cell_of(out, c);
    int64_t b[3], e[3];
    for (int a = 0; a < 3; a++) {
      double low = it.x[0][a], high = low;
      for (int k = 1; k < it.n; k++) {
        low = fmin(low, it.x[k][a]);
        high = fmax(high, it.x[k][a]);
      }
      b[a] = (int64_t)ceil(low);
      e[a] = (int64_t)floor(high);
    }
    for (int64_t z = b[2]; z <= e[2]; z++) {
      for (int64_t y = b[1]; y <= e[1]; y++) {
        for (int64_t x = b[0]; x <= e[0]; x++) {
          const double at[3] = {(double)x, (double)y, (double)z};
          const int64_t p = (z * (grid->cells[1] + 1) + y) * (grid->cells[0] + 1) + x;
          double value;
          if (grid_cell_value(&it, at, &value)) {
            seen[p] = 1;
            most = fmax(most, fabs(value - grid->points[p]));
          }
        }
      }
    }
  }
  int64_t lost = 0;
  for (int64_t p = 0; p < grid->n_points; p++) {
    lost += !seen[p];
  }
  CHECK_INT(lost, 0);
  free(seen);
  return most;
}

/** The parts of a leaf have its values, and its centre the mean of its corners. */
static void check_values(const grid_case *grid, const tsr_grid_options *o, const grid_out *out) {
  tsr_grid_options of_cells = *o;
  tsr_grid_view view = grid_case_view(grid);
  grid_out whole;
  of_cells.output = TSR_GRID_CELLS;
  int64_t cut = 0, previous = -1;
  if (o->n_criteria > 0 && o->criteria->measure == TSR_MEASURE_INTERPOLATION_ERROR) {
    return; /* more is refined where parts need it */
  }
  if (of_cells.balance < TSR_BALANCE_EDGE && out->sizes.dimension == 3) {
    of_cells.balance = TSR_BALANCE_EDGE;
  } else if (of_cells.balance < TSR_BALANCE_FACE) {
    of_cells.balance = TSR_BALANCE_FACE;
  }
  CHECK_INT(grid_run(grid, &view, &of_cells, NULL, &whole), TSR_OK);
  CHECK_INT(whole.sizes.cells, out->sizes.leaves);
  CHECK_INT(whole.sizes.all_leaves, out->sizes.all_leaves);
  const int corners = 1 << out->sizes.dimension;
  for (int64_t c = 0; c < out->sizes.cells; c++) {
    const int64_t leaf = out->leaf[c];
    CHECK(leaf == previous || leaf == previous + 1);
    CHECK(memcmp(&out->nodes[leaf], &whole.nodes[leaf], sizeof *out->nodes) == 0);
    CHECK_INT(out->level[c], whole.level[leaf]);
    CHECK_INT(out->source_cell[c], whole.source_cell[leaf]);
    CHECK_INT(out->state[c], TSR_STATE_LEAF);
    CHECK(out->indicator[c] == whole.indicator[leaf]);
    CHECK(out->cell_values[c] == whole.cell_values[leaf]);
    cut += out->cell_type[c] != TSR_GRID_CELL_LEAF && leaf != previous;
    const int64_t centre = out->connectivity[out->offsets[c + 1] - 1];
    /* Leaves next to hidden ones may have more points than CELLS has. */
    if (!grid->hidden && out->cell_type[c] != TSR_GRID_CELL_LEAF && centre >= whole.sizes.points) {
      double mean = 0.0, place[3] = {0.0, 0.0, 0.0};
      for (int k = 0; k < corners; k++) {
        const int64_t p = whole.connectivity[corners * leaf + k];
        mean += whole.point_values[p] / corners;
        for (int a = 0; a < 3; a++) {
          place[a] += whole.points[3 * p + a] / corners;
        }
      }
      CHECK_NEAR(out->point_values[centre], mean, 1e-14);
      for (int a = 0; a < 3; a++) {
        CHECK_NEAR(out->points[3 * centre + a], place[a], 1e-12);
      }
    }
    previous = leaf;
  }
  CHECK_INT(cut, out->sizes.cut_leaves);
  CHECK_INT(previous + 1, out->sizes.leaves);
  grid_out_free(&whole);
}

static void check_threads(const grid_case *grid, const tsr_grid_options *o, const grid_out *alone) {
  const tsr_grid_view view = grid_case_view(grid);
  for (int threads = 2; threads <= 5; threads += 3) {
    executor exec = {.threads = threads};
    const tsr_execution execution = executor_execution(&exec);
    grid_out out;
    CHECK_INT(grid_run(grid, &view, o, &execution, &out), TSR_OK);
    if (CHECK(memcmp(&alone->sizes, &out.sizes, sizeof out.sizes) == 0)) {
      const size_t n = (size_t)out.sizes.cells, m = (size_t)out.sizes.points;
      CHECK(memcmp(alone->points, out.points, 3 * m * sizeof(double)) == 0);
      CHECK(memcmp(alone->point_values, out.point_values, m * sizeof(double)) == 0);
      CHECK(memcmp(alone->offsets, out.offsets, (n + 1) * sizeof(int64_t)) == 0);
      CHECK(memcmp(alone->connectivity, out.connectivity,
                   (size_t)out.sizes.connectivity * sizeof(int64_t)) == 0);
      CHECK(memcmp(alone->cell_type, out.cell_type, n) == 0);
      CHECK(memcmp(alone->leaf, out.leaf, n * sizeof(int64_t)) == 0);
      CHECK(memcmp(alone->cell_values, out.cell_values, n * sizeof(double)) == 0);
      CHECK(alone->point_error == out.point_error && alone->cell_error == out.cell_error);
    }
    grid_out_free(&out);
  }
}

/** Everything that holds for any grid. Returns the number of cut leaves. */
static int64_t check_grid(const grid_case *grid, tsr_grid_options *o) {
  const tsr_grid_view view = grid_case_view(grid);
  double volume = 0.0, expected = 0.0;
  grid_out out;
  o->output = TSR_GRID_CONFORMING;
  if (!CHECK_SAY(grid_run(grid, &view, o, NULL, &out) == TSR_OK, "%s", out.error.text)) {
    return 0;
  }
  CHECK_INT(out.offsets[out.sizes.cells], out.sizes.connectivity);
  for (int64_t c = 0; c < out.sizes.cells; c++) {
    const grid_cell it = grid_cell_of(&out, c);
    volume += grid_cell_volume(&it);
  }
  for (int64_t k = 0; k < grid->n_cells; k++) {
    expected += !(grid->hidden && grid->hidden[k]);
  }
  CHECK_NEAR(volume, expected, 1e-9 * expected);
  check_faces(grid, &out);
  check_points(&out, o->refine_levels);
  check_values(grid, o, &out);
  check_threads(grid, o, &out);
  if (!grid->hidden) {
    const double most = probe(grid, &out);
    CHECK_NEAR(out.point_error, most, 1e-6);
    if (o->n_criteria > 0 && o->criteria->measure == TSR_MEASURE_INTERPOLATION_ERROR) {
      CHECK_AT_MOST(most, o->criteria->threshold + 1e-6);
      CHECK_AT_MOST(out.point_error, o->criteria->threshold);
    }
  }
  const int64_t cut = out.sizes.cut_leaves;
  grid_out_free(&out);
  return cut;
}

/** Trees refined at random cells. */
static void check_random(int64_t nx, int64_t ny, int64_t nz, uint64_t seed) {
  grid_case grid;
  int64_t cut = 0;
  grid_case_init(&grid, nx, ny, nz);
  grid_case_fill(&grid, seed);
  for (int k = 0; k < 12; k++) {
    for (int64_t c = 0; c < grid.n_cells; c++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      grid.values[c] = (seed >> 33) % 1000 < (k % 2 ? 3u : 30u) ? 1.0 : 0.0;
    }
    tsr_grid_criterion c = grid_criterion(&grid, TSR_MEASURE_IN_RANGE, 0.0);
    c.array = grid_case_cells(&grid);
    c.cell_data = 1;
    c.lower = c.upper = 1.0;
    tsr_grid_options o = grid_options(&c, 1);
    o.coarsen_levels = k % 4;
    o.refine_levels = k / 4;
    o.buffer_cells = k == 7;
    o.balance = (tsr_balance)((k + k / 4) % 4);
    if (k % 3 == 2) {
      grid.hidden = calloc((size_t)grid.n_cells, 1);
      for (int64_t h = 0; h < grid.n_cells; h++) {
        grid.hidden[h] = h % 211 < 3;
      }
    }
    cut += check_grid(&grid, &o);
    free(grid.hidden);
    grid.hidden = NULL;
  }
  CHECK(cut > 0 || nz + ny == 0);
  grid_case_free(&grid);
}

/** The interpolation error, in grids that it makes. */
static void check_guarantee(int64_t nx, int64_t ny, int64_t nz) {
  grid_case grid;
  int64_t cut = 0;
  grid_case_init(&grid, nx, ny, nz);
  grid_case_fill(&grid, 31);
  for (int k = 0; k < 6; k++) {
    static const double thresholds[3] = {0.1, 0.03, 0.01};
    const tsr_grid_criterion c =
        grid_criterion(&grid, TSR_MEASURE_INTERPOLATION_ERROR, thresholds[k / 2]);
    tsr_grid_options o = grid_options(&c, 1);
    o.coarsen_levels = 2 + k % 2;
    cut += check_grid(&grid, &o);
  }
  CHECK(cut > 0);
  grid_case_free(&grid);
}

/** The output's values of an array of integers, as numbers; and the error that the fill reports. */
static double read_integers(const tsr_array *array, grid_out *out) {
  const size_t size = array->type == TSR_UINT8 ? 1 : array->type == TSR_INT16 ? 2 : 4;
  void *values = malloc(((size_t)out->sizes.points + 1) * size);
  double reported = 0.0;
  const tsr_grid_attribute attribute = {*array, 0, values, &reported, {0}};
  tsr_grid_output output;
  tsr_grid_output_init(&output);
  output.attributes = &attribute;
  output.n_attributes = 1;
  CHECK_INT(tsr_grid_fill(out->plan, &output, NULL), TSR_OK);
  for (int64_t p = 0; p < out->sizes.points; p++) {
    out->point_values[p] = array->type == TSR_UINT8   ? (double)((uint8_t *)values)[p]
                           : array->type == TSR_INT16 ? (double)((int16_t *)values)[p]
                                                      : (double)((int32_t *)values)[p];
  }
  free(values);
  return reported;
}

/** The interpolation error of arrays of integers, whose values at the centres of cut leaves are
 *  rounded. */
static void check_integers(int64_t nz, tsr_type type, double low, double high, double threshold) {
  grid_case grid;
  grid_case_init(&grid, 43, 38, nz);
  grid_case_fill(&grid, 77);
  void *values = malloc((size_t)grid.n_points * sizeof(int32_t));
  const tsr_array array = {values, type, 1, grid.n_points};
  for (int64_t p = 0; p < grid.n_points; p++) {
    grid.points[p] = round(fmin(fmax(low + (high - low) * grid.points[p], low), high));
    if (type == TSR_UINT8) {
      ((uint8_t *)values)[p] = (uint8_t)grid.points[p];
    } else if (type == TSR_INT16) {
      ((int16_t *)values)[p] = (int16_t)grid.points[p];
    } else {
      ((int32_t *)values)[p] = (int32_t)grid.points[p];
    }
  }
  tsr_grid_criterion c = grid_criterion(&grid, TSR_MEASURE_INTERPOLATION_ERROR, threshold);
  c.array = array;
  const tsr_grid_view view = grid_case_view(&grid);
  tsr_grid_options o = grid_options(&c, 1);
  o.coarsen_levels = 3;
  o.output = TSR_GRID_CONFORMING;
  grid_out out;
  if (CHECK_SAY(grid_run(&grid, &view, &o, NULL, &out) == TSR_OK, "%s", out.error.text)) {
    CHECK(out.sizes.cut_leaves > 0);
    const double reported = read_integers(&array, &out);
    const double most = probe(&grid, &out);
    CHECK_AT_MOST(most, threshold + 1e-6);
    CHECK_NEAR(reported, most, 1e-6);
  }
  grid_out_free(&out);
  free(values);
  grid_case_free(&grid);
}

/** Axes that run backwards, and mirror images: the volume is that of the box, and above 0 in each
 *  cell (grid_cell_volume checks it). backwards: a bit an axis. */
static void check_volumes(const grid_case *grid, const tsr_grid_view *view, int backwards) {
  tsr_grid_criterion c = grid_criterion(grid, TSR_MEASURE_INTERPOLATION_ERROR, 0.03);
  tsr_grid_options o = grid_options(&c, 1);
  for (int conforming = 0; conforming < 2; conforming++) {
    double volume = 0.0;
    grid_out out;
    o.output = conforming ? TSR_GRID_CONFORMING : TSR_GRID_CELLS;
    if (!CHECK_SAY(grid_run(grid, view, &o, NULL, &out) == TSR_OK, "%s", out.error.text)) {
      continue;
    }
    CHECK(!conforming || out.sizes.cut_leaves > 0);
    for (int64_t cell = 0; cell < out.sizes.cells; cell++) {
      const grid_cell it = grid_cell_of(&out, cell);
      volume += grid_cell_volume(&it);
    }
    CHECK_SAY(fabs(volume - (double)grid->n_cells) < 1e-9 * volume, "%g of %lld, backwards %d",
              volume, (long long)grid->n_cells, backwards);
    grid_out_free(&out);
  }
}

static void check_backwards(void) {
  static const double mirrors[3][9] = {{1, 0, 0, 0, 1, 0, 0, 0, 1},
                                       {1, 0, 0, 0, -1, 0, 0, 0, 1},
                                       {0, 0.6, 0.8, 0, -0.8, 0.6, 1, 0, 0}};
  double axes[2][16];
  grid_case grid;
  grid_case_init(&grid, 15, 13, 12);
  grid_case_fill(&grid, 5);
  for (int k = 0; k < 16; k++) {
    axes[0][k] = k;
    axes[1][k] = 15 - k;
  }
  for (int backwards = 0; backwards < 8; backwards++) {
    tsr_grid_view view = grid_case_view(&grid);
    for (int a = 0; a < 3; a++) {
      view.spacing[a] = (backwards >> a) & 1 ? -1.0 : 1.0;
    }
    for (int m = 0; m < 3; m++) {
      memcpy(view.direction, mirrors[m], sizeof view.direction);
      check_volumes(&grid, &view, backwards);
    }
    view = grid_case_view(&grid);
    view.geometry = TSR_GEOMETRY_RECTILINEAR;
    for (int a = 0; a < 3; a++) {
      view.coordinates[a] =
          (tsr_array){axes[(backwards >> a) & 1], TSR_DOUBLE, 1, grid.cells[a] + 1};
    }
    check_volumes(&grid, &view, backwards);
  }
  grid_case_free(&grid);
}

int main(void) {
  check_random(13, 11, 9, 1);
  check_random(16, 8, 8, 2);
  check_random(29, 22, 0, 3);
  check_guarantee(24, 19, 17);
  check_guarantee(28, 28, 28); /* a later round cuts a root in another way, and asks then */
  check_guarantee(61, 47, 0);
  for (int k = 0; k < 12; k++) {
    const double threshold = 0.5 * (k + 1);
    check_integers(0, TSR_UINT8, 0.0, 200.0, threshold);
    check_integers(0, TSR_INT16, -90.0, 90.0, threshold + 0.1);
    check_integers(0, TSR_INT32, -50.0, 50.0, threshold + 0.2);
    check_integers(k % 2 ? 6 : 0, TSR_INT32, -500.0, 500.0, 2.0 * threshold + 0.5);
  }
  check_backwards();
  return check_result();
}
