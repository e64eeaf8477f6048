/* SPDX-License-Identifier: BSD-3-Clause */
#include "grid_part.h"

#include <string.h>

/** Splits a box of roots for n processes: across its longest axis, in proportion. */
static void split(grid_part *parts, int n, int64_t box[3][2]) {
  if (n == 1) {
    memcpy(parts->roots, box, sizeof parts->roots);
    return;
  }
  int axis = 0;
  for (int a = 1; a < 3; a++) {
    if (box[a][1] - box[a][0] > box[axis][1] - box[axis][0]) {
      axis = a;
    }
  }
  int64_t low[3][2], high[3][2];
  const int64_t middle = box[axis][0] + (box[axis][1] - box[axis][0]) * (n / 2) / n;
  memcpy(low, box, sizeof low);
  memcpy(high, box, sizeof high);
  low[axis][1] = high[axis][0] = middle;
  split(parts, n / 2, low);
  split(parts + n / 2, n - n / 2, high);
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

/** Owned cells along an axis: begin, end. */
static void owned(const grid_part *part, const int64_t cells[3], const tsr_grid_options *options,
                  int a, int64_t range[2]) {
  for (int end = 0; end < 2; end++) {
    range[end] = smaller(part->roots[a][end] * ((int64_t)1 << options->coarsen_levels), cells[a]);
  }
}

void grid_parts_make(const int64_t cells[3], const tsr_grid_options *options, int n,
                     grid_part *parts) {
  const int ghosts = tsr_grid_ghost_cells(options);
  int64_t box[3][2];
  for (int a = 0; a < 3; a++) {
    const int64_t roots =
        (cells[a] + ((int64_t)1 << options->coarsen_levels) - 1) >> options->coarsen_levels;
    box[a][0] = 0;
    box[a][1] = roots > 0 ? roots : 1;
  }
  memset(parts, 0, (size_t)n * sizeof *parts);
  split(parts, n, box);
  for (int k = 0; k < n; k++) {
    for (int a = 0; a < 3; a++) {
      int64_t range[2];
      owned(&parts[k], cells, options, a, range);
      parts[k].first[a] = range[0] > ghosts ? range[0] - ghosts : 0;
      parts[k].cells[a] = smaller(range[1] + ghosts, cells[a]) - parts[k].first[a];
      parts[k].owns_nothing |= parts[k].roots[a][0] == parts[k].roots[a][1];
    }
  }
}

void grid_part_view(const grid_part *part, const int64_t cells[3], const tsr_grid_options *options,
                    tsr_grid_view *view) {
  for (int a = 0; a < 3; a++) {
    const int64_t begin = 10 * (a + 1);
    int64_t range[2];
    owned(part, cells, options, a, range);
    view->whole[2 * a] = begin;
    view->whole[2 * a + 1] = begin + cells[a];
    view->extent[2 * a] = begin + part->first[a];
    view->extent[2 * a + 1] = begin + part->first[a] + part->cells[a];
    view->owned[2 * a] = begin + range[0];
    view->owned[2 * a + 1] = begin + range[1];
  }
}

/** Points, or cells, of a box along each axis. cells: of the grid; held: of the box. */
static void sizes(const int64_t cells[3], const int64_t held[3], int of_cells, int64_t n[3]) {
  for (int a = 0; a < 3; a++) {
    n[a] = cells[a] == 0 ? 1 : held[a] + !of_cells;
  }
}

int64_t grid_part_tuples(const grid_part *part, const int64_t cells[3], int of_cells) {
  int64_t n[3];
  sizes(cells, part->cells, of_cells, n);
  return n[0] * n[1] * n[2];
}

void grid_part_copy(const grid_part *part, const int64_t cells[3], int of_cells, size_t tuple,
                    const void *from, void *to) {
  int64_t all[3], mine[3];
  sizes(cells, cells, of_cells, all);
  sizes(cells, part->cells, of_cells, mine);
  for (int64_t row = 0; row < mine[1] * mine[2]; row++) {
    const int64_t j = part->first[1] + row % mine[1], k = part->first[2] + row / mine[1];
    const int64_t at = (k * all[1] + j) * all[0] + part->first[0];
    memcpy((char *)to + (size_t)(row * mine[0]) * tuple, (const char *)from + (size_t)at * tuple,
           (size_t)mine[0] * tuple);
  }
}
