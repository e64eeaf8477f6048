/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Grids: the points that leaves share, numbered by their places in the integer lattice of the
 * finest level. Every leaf sets the bits of its corners, so a point that many share is one bit; its
 * number is the number of bits before its own:
 *
 *     o---o---o---o      input points: one bit each, in at_input      . o . o    numbers 0, 1, ...
 *     |   | + |   |      an input cell with points between has a
 *     o---o---o---o      bit in has_page, and a page of bits, one     page: 0 0 1 0 ...
 *                        a lattice place from its lowest corner on
 *
 * Points in input points come first, then those of the pages. No list of points is ever sorted.
 */
#include "grid/output/output.h"

#include <stdlib.h>
#include <string.h>

#define TSR_CELL_PIECE 1024 /* cells of a piece of work */

typedef struct tsr_mark {
  const tsr_grid_input *input;
  const tsr_tree *tree;
  const tsr_grid_lists *lists;
  tsr_grid_points *points;
  int pages; /* second round: the points between input points */
} tsr_mark;

/* 1 if lattice place x is one that the bits have room for. */
static int place_is_here(const tsr_lattice *lattice, const tsr_grid_points *points,
                         const int64_t x[3]) {
  const int deep = lattice->levels - lattice->coarsen;
  for (int a = 0; a < lattice->dimension; ++a) {
    const int64_t first = points->first[a] * ((int64_t)1 << deep);
    if (x[a] < first || x[a] > first + (points->size[a] - 1) * ((int64_t)1 << deep))
      return 0;
  }
  return 1;
}

/* Marks lattice place x, if it is here. */
static void mark_place(const tsr_mark *mark, const int64_t x[3]) {
  tsr_grid_points *points = mark->points;
  const tsr_lattice *lattice = &mark->input->lattice;
  int64_t within, bit;
  if (!place_is_here(lattice, points, x))
    return;
  bit = tsr_place_bit(lattice, points, x, &within);
  if (mark->pages && within > 0)
    tsr_bits_set(&points->page, tsr_bits_rank(&points->has_page, bit) * points->page_bits + within);
  else if (!mark->pages)
    tsr_bits_set(within > 0 ? &points->has_page : &points->at_input, bit);
}

/* Marks those corners of a leaf that this process holds. */
static void mark_leaf(const tsr_mark *mark, int level, const int64_t i[3]) {
  const tsr_lattice *lattice = &mark->input->lattice;
  int64_t range[3][2];
  for (int a = 0; a < 3; ++a)
    tsr_node_lattice(lattice, a, level, i[a], range[a]);
  for (int k = 0; k < 1 << lattice->dimension; ++k) {
    const int64_t x[3] = {range[0][k & 1], range[1][(k >> 1) & 1], range[2][(k >> 2) & 1]};
    mark_place(mark, x);
  }
}

/* Marks the places of an owned leaf that is cut. */
static void mark_cut(const tsr_mark *mark, int level, const int64_t i[3]) {
  tsr_cut cut;
  if (!tsr_cut_find(&mark->input->lattice, mark->tree, level, i, &cut))
    return;
  for (int place = 0; place < TSR_CUT_PLACES; ++place) {
    int64_t x[3];
    if (!((cut.has >> place) & 1))
      continue;
    tsr_cut_lattice(&cut, place, x);
    mark_place(mark, x);
  }
}

/* Marks the corners of an owned leaf that is no smaller than an input cell: input points, here. */
static void mark_large_leaf(const tsr_mark *mark, int level, const int64_t i[3]) {
  tsr_grid_points *points = mark->points;
  const tsr_lattice *lattice = &mark->input->lattice;
  int64_t first[3], last[3], bit[8] = {0}, step = 1;
  int n = 1;
  tsr_node_points(lattice, level, i, first, last);
  for (int a = 0; a < lattice->dimension; ++a) {
    for (int k = 0; k < n; ++k) {
      bit[k] += (first[a] - points->first[a]) * step;
      bit[n + k] = bit[k] + (last[a] - first[a]) * step;
    }
    step *= points->size[a];
    n *= 2;
  }
  for (int k = 0; k < n; ++k)
    tsr_bits_set(&points->at_input, bit[k]);
}

static void mark_task(void *data, int64_t begin, int64_t end) {
  const tsr_mark *mark = data;
  for (int64_t n = begin; n < end; ++n) {
    const tsr_grid_node *node = &mark->lists->nodes[n];
    int64_t i[3];
    tsr_node_inner(&mark->input->lattice, node, i);
    if (node->level > mark->input->lattice.coarsen)
      mark_leaf(mark, node->level, i);
    else if (!mark->pages)
      mark_large_leaf(mark, node->level, i);
    if (mark->input->options.output == TSR_GRID_CONFORMING)
      mark_cut(mark, node->level, i);
  }
}

/* Marks the leaves of a node that another process owns. */
static void mark_below(const tsr_mark *mark, int level, const int64_t i[3]) {
  const tsr_lattice *lattice = &mark->input->lattice;
  if (!tsr_tree_get(mark->tree, lattice, level, i)) {
    mark_leaf(mark, level, i);
    return;
  }
  for (unsigned k = 0; k < (1u << lattice->dimension); ++k) {
    int64_t child[3];
    if (tsr_node_child(lattice, level, i, k, child))
      mark_below(mark, level + 1, child);
  }
}

/* Polygons also contain the corners of leaves across the border to another process. */
static void mark_neighbours(const tsr_mark *mark) {
  const tsr_lattice *lattice = &mark->input->lattice;
  int64_t i[3] = {0, 0, 0};
  if (mark->input->options.output != TSR_GRID_POLYGONS || mark->lists->n == 0)
    return;
  for (i[1] = lattice->owned[1][0] - 1; i[1] <= lattice->owned[1][1]; ++i[1])
    for (i[0] = lattice->owned[0][0] - 1; i[0] <= lattice->owned[0][1]; ++i[0]) {
      const int owned = i[0] >= lattice->owned[0][0] && i[0] < lattice->owned[0][1] &&
                        i[1] >= lattice->owned[1][0] && i[1] < lattice->owned[1][1];
      if (!owned && tsr_node_in_tree(lattice, 0, i))
        mark_below(mark, 0, i);
    }
}

static tsr_status mark_run(tsr_mark *mark, int pages) {
  tsr_job job = {.execution = &mark->input->execution, .task = mark_task, .data = mark};
  mark->pages = pages;
  job.n = mark->lists->n;
  job.done_first = job.done_last = 0.5;
  mark_neighbours(mark);
  return tsr_job_run(&job, TSR_CELL_PIECE);
}

/* The points between input points. */
static tsr_status make_pages(tsr_mark *mark, tsr_error *error) {
  tsr_grid_points *points = mark->points;
  const tsr_lattice *lattice = &mark->input->lattice;
  const int deep = (lattice->levels - lattice->coarsen) * lattice->dimension;
  const int64_t pages = tsr_bits_count(&points->has_page);
  tsr_status status;
  if (deep > 50 || pages > ((int64_t)1 << 56) >> deep)
    return tsr_fail(error, TSR_TOO_LARGE, -1,
                    "%lld refined input cells with 2^%d possible points each are too many; lower "
                    "the refine levels",
                    (long long)pages, deep);
  points->page_bits = (int64_t)1 << deep;
  status = tsr_bits_create(&points->page, pages * points->page_bits, "the points", error);
  if (status == TSR_OK && pages > 0)
    status = mark_run(mark, 1);
  return status;
}

tsr_status tsr_points_create(const tsr_grid_input *input, const tsr_tree *tree,
                             const tsr_grid_lists *lists, tsr_grid_points *points,
                             tsr_error *error) {
  const tsr_lattice *lattice = &input->lattice;
  tsr_mark mark = {.input = input, .tree = tree, .lists = lists, .points = points};
  tsr_status status;
  int64_t n = 1;
  for (int a = 0; a < lattice->dimension; ++a) {
    int64_t range[2];
    tsr_level_range(lattice, a, lattice->coarsen, lattice->owned[a], range);
    points->first[a] = range[0];
    points->size[a] = range[1] - range[0] + 1;
    n *= points->size[a];
  }
  status = tsr_bits_create(&points->at_input, n, "the points", error);
  if (status == TSR_OK) /* no page, if input cells are not divided */
    status = tsr_bits_create(&points->has_page, lattice->levels > lattice->coarsen ? n : 0,
                             "the points", error);
  if (status == TSR_OK)
    status = mark_run(&mark, 0);
  if (status == TSR_OK) {
    points->n_input = tsr_bits_count(&points->at_input);
    status = make_pages(&mark, error);
  }
  if (status == TSR_ABORTED)
    return tsr_fail(error, status, -1, "stopped while the points were counted");
  if (status != TSR_OK)
    return status;
  points->n = points->n_input + tsr_bits_count(&points->page);
  points->connectivity = lists->n * ((int64_t)1 << lattice->dimension);
  return TSR_OK;
}

void tsr_points_free(tsr_grid_points *points) {
  tsr_bits_free(&points->at_input);
  tsr_bits_free(&points->has_page);
  tsr_bits_free(&points->page);
  free(points->offsets);
}

typedef struct tsr_point_walk {
  const tsr_lattice *lattice;
  const tsr_grid_points *points;
  void (*visit)(void *data, int64_t id, const int64_t x[3]);
  void *data;
} tsr_point_walk;

/* Lattice place of an input point of the box. */
static void point_place(const tsr_point_walk *walk, int64_t bit, int64_t x[3]) {
  const tsr_grid_points *points = walk->points;
  const int deep = walk->lattice->levels - walk->lattice->coarsen;
  x[1] = x[2] = 0;
  for (int a = 0; a < walk->lattice->dimension; ++a) {
    x[a] = (points->first[a] + bit % points->size[a]) * ((int64_t)1 << deep);
    bit /= points->size[a];
  }
}

static void input_points_task(void *data, int64_t begin, int64_t end) {
  const tsr_point_walk *walk = data;
  const tsr_bits *bits = &walk->points->at_input;
  for (int64_t w = begin; w < end; ++w) {
    int64_t id = bits->before[w];
    for (int k = 0; bits->word[w] >> k; ++k) {
      int64_t x[3];
      if ((bits->word[w] >> k) & 1) {
        point_place(walk, 64 * w + k, x);
        walk->visit(walk->data, id++, x);
      }
      if (k == 63)
        break;
    }
  }
}

/* Points between, by the words of has_page: each set bit there is a page. */
static void page_points_task(void *data, int64_t begin, int64_t end) {
  const tsr_point_walk *walk = data;
  const tsr_grid_points *points = walk->points;
  const int deep = walk->lattice->levels - walk->lattice->coarsen;
  for (int64_t bit = 64 * begin; bit < 64 * end; ++bit) {
    int64_t first, id, lowest[3];
    if (!tsr_bits_get(&points->has_page, bit))
      continue;
    point_place(walk, bit, lowest);
    first = tsr_bits_rank(&points->has_page, bit) * points->page_bits;
    id = points->n_input + tsr_bits_rank(&points->page, first);
    for (int64_t k = first; k < first + points->page_bits; ++k) {
      int64_t x[3] = {lowest[0], lowest[1], lowest[2]}, rest = k - first;
      if (!tsr_bits_get(&points->page, k))
        continue;
      for (int a = 0; a < walk->lattice->dimension; ++a) {
        x[a] += rest & (((int64_t)1 << deep) - 1);
        rest >>= deep;
      }
      walk->visit(walk->data, id++, x);
    }
  }
}

tsr_status tsr_points_visit(const tsr_grid_input *input, const tsr_grid_points *points,
                            void (*visit)(void *data, int64_t id, const int64_t x[3]), void *data) {
  tsr_point_walk walk = {&input->lattice, points, visit, data};
  tsr_job job = {.execution = &input->execution, .task = input_points_task, .data = &walk};
  tsr_status status;
  job.n = points->at_input.words;
  job.done_first = 0.5;
  job.done_last = 0.7;
  status = tsr_job_run(&job, 64);
  if (status != TSR_OK || points->n == points->n_input)
    return status;
  job.task = page_points_task;
  job.n = points->has_page.words;
  return tsr_job_run(&job, 8);
}
