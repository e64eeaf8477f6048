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
#include "grid/steps.h"

#include <stdlib.h>

static tsr_status make_bits(tsr_executor *e, int64_t n, tsr_bits *bits, tsr_error *error) {
  tsr_status status;
  bits->words = n / 64 + 1;
  status = e->alloc(e, (void **)&bits->word, bits->words, sizeof *bits->word, "the points", error);
  if (status == TSR_OK)
    status = e->alloc(e, (void **)&bits->before, bits->words + 1, sizeof *bits->before,
                      "the points", error);
  return status == TSR_OK ? TSR_EACH(e, tsr_bits_clear, *bits, bits->words, error) : status;
}

static tsr_status count_bits(tsr_executor *e, const tsr_bits *bits, int64_t *n, tsr_error *error) {
  tsr_status status = TSR_EACH(e, tsr_bits_count_word, *bits, bits->words, error);
  if (status == TSR_OK)
    status = e->scan(e, bits->before, bits->words, error);
  return status == TSR_OK ? e->read(e, n, bits->before + bits->words, sizeof *n, error) : status;
}

static tsr_status mark(tsr_executor *e, const tsr_points_source *from,
                       const tsr_grid_points *points, int pages, tsr_error *error) {
  const tsr_points_job own = {from->lattice, from->nodes, from->has, 0, pages, *points};
  const tsr_points_job other = {from->lattice, from->ghosts, NULL, 1, pages, *points};
  const tsr_status status = TSR_EACH(e, tsr_points_mark, own, from->n, error);
  return status == TSR_OK ? TSR_EACH(e, tsr_points_mark, other, from->n_ghosts, error) : status;
}

/* The points between input points. */
static tsr_status make_pages(tsr_executor *e, const tsr_lattice *lattice,
                             const tsr_points_source *from, tsr_grid_points *points,
                             tsr_error *error) {
  const int deep = (lattice->levels - lattice->coarsen) * lattice->dimension;
  int64_t pages, between = 0;
  tsr_status status = count_bits(e, &points->has_page, &pages, error);
  if (status != TSR_OK)
    return status;
  if (deep > 50 || pages > ((int64_t)1 << 56) >> deep)
    return tsr_fail(error, TSR_TOO_LARGE, -1,
                    "%lld refined input cells with 2^%d possible points each are too many; lower "
                    "the refine levels",
                    (long long)pages, deep);
  points->page_bits = (int64_t)1 << deep;
  status = make_bits(e, pages * points->page_bits, &points->page, error);
  if (status == TSR_OK && pages > 0)
    status = mark(e, from, points, 1, error);
  if (status == TSR_OK)
    status = count_bits(e, &points->page, &between, error);
  points->n += between;
  return status;
}

tsr_status tsr_number_points(tsr_executor *e, const tsr_lattice *lattice,
                             const tsr_points_source *from, tsr_grid_points *points,
                             tsr_error *error) {
  const int has_pages = lattice->levels > lattice->coarsen;
  tsr_status status;
  int64_t n = 1;
  for (int a = 0; a < lattice->dimension; ++a) {
    int64_t range[2];
    tsr_level_range(lattice, a, lattice->coarsen, lattice->owned[a], range);
    points->first[a] = range[0];
    points->size[a] = range[1] - range[0] + 1;
    n *= points->size[a];
  }
  status = make_bits(e, n, &points->at_input, error);
  if (status == TSR_OK && has_pages)
    status = make_bits(e, n, &points->has_page, error);
  if (status == TSR_OK)
    status = mark(e, from, points, 0, error);
  if (status == TSR_OK)
    status = count_bits(e, &points->at_input, &points->n_input, error);
  points->n = points->n_input;
  points->connectivity = from->n * ((int64_t)1 << lattice->dimension);
  return status == TSR_OK && has_pages ? make_pages(e, lattice, from, points, error) : status;
}

/* Leaves of nodes that other processes own: a list that grows. */
typedef struct tsr_ghost_leaves {
  const tsr_lattice *lattice;
  const tsr_tree *tree;
  tsr_grid_node *nodes;
  int64_t n, room;
  int full; /* no memory */
} tsr_ghost_leaves;

static void list_below(tsr_ghost_leaves *it, int level, const int64_t i[3]) {
  const tsr_lattice *lattice = it->lattice;
  if (!tsr_tree_get(it->tree, lattice, level, i)) {
    tsr_grid_node *grown = tsr_grow(it->nodes, it->n, &it->room, 64, sizeof *grown);
    it->full = it->full || !grown;
    if (grown) {
      it->nodes = grown;
      it->nodes[it->n++] = tsr_node_outer(lattice, level, i);
    }
    return;
  }
  for (unsigned k = 0; k < (1u << lattice->dimension); ++k) {
    int64_t child[3];
    if (tsr_node_child(lattice, level, i, k, child))
      list_below(it, level + 1, child);
  }
}

/* Polygons also contain the corners of leaves across the border to another process. */
static void list_neighbours(tsr_ghost_leaves *it) {
  const tsr_lattice *lattice = it->lattice;
  int64_t i[3] = {0, 0, 0};
  for (i[1] = lattice->owned[1][0] - 1; i[1] <= lattice->owned[1][1]; ++i[1])
    for (i[0] = lattice->owned[0][0] - 1; i[0] <= lattice->owned[0][1]; ++i[0]) {
      const int owned = i[0] >= lattice->owned[0][0] && i[0] < lattice->owned[0][1] &&
                        i[1] >= lattice->owned[1][0] && i[1] < lattice->owned[1][1];
      if (!owned && tsr_node_in_tree(lattice, 0, i))
        list_below(it, 0, i);
    }
}

tsr_status tsr_points_create(tsr_executor *cpu, const tsr_grid_input *input, const tsr_tree *tree,
                             const tsr_grid_lists *lists, const uint32_t *has,
                             tsr_grid_points *points, tsr_error *error) {
  tsr_ghost_leaves ghosts = {.lattice = &input->lattice, .tree = tree};
  tsr_points_source from = {
      .lattice = &input->lattice, .nodes = lists->nodes, .has = has, .n = lists->n};
  tsr_status status = TSR_OK;
  if (input->options.output == TSR_GRID_POLYGONS && lists->n > 0)
    list_neighbours(&ghosts);
  if (ghosts.full)
    status = tsr_fail(error, TSR_NO_MEMORY, -1,
                      "there is no memory for the points of %lld cells "
                      "of other processes",
                      (long long)ghosts.n);
  from.ghosts = ghosts.nodes;
  from.n_ghosts = ghosts.n;
  if (status == TSR_OK)
    status = tsr_number_points(cpu, &input->lattice, &from, points, error);
  free(ghosts.nodes);
  return status;
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

/* Moves the place of an input point to that of the next bit. */
static void move_on(const tsr_point_walk *walk, int64_t x[3]) {
  const tsr_lattice *lattice = walk->lattice;
  const int64_t step = (int64_t)1 << (lattice->levels - lattice->coarsen);
  for (int a = 0; a < lattice->dimension; ++a) {
    x[a] += step;
    if (x[a] < (walk->points->first[a] + walk->points->size[a]) * step)
      return;
    x[a] = walk->points->first[a] * step;
  }
}

static void input_points_task(void *data, int64_t begin, int64_t end) {
  const tsr_point_walk *walk = data;
  const tsr_bits *bits = &walk->points->at_input;
  for (int64_t w = begin; w < end; ++w) {
    int64_t id = bits->before[w], x[3];
    if (bits->word[w])
      tsr_point_place(walk->lattice, walk->points, 64 * w, x);
    for (uint64_t left = bits->word[w]; left; left >>= 1, move_on(walk, x))
      if (left & 1)
        walk->visit(walk->data, id++, x);
  }
}

/* Points between, by the words of has_page: each set bit there is a page. */
static void page_points_task(void *data, int64_t begin, int64_t end) {
  const tsr_point_walk *walk = data;
  const tsr_grid_points *points = walk->points;
  for (int64_t bit = 64 * begin; bit < 64 * end; ++bit) {
    int64_t first, id, lowest[3];
    if (!tsr_bits_get(&points->has_page, bit))
      continue;
    tsr_point_place(walk->lattice, points, bit, lowest);
    first = tsr_bits_rank(&points->has_page, bit) * points->page_bits;
    id = points->n_input + tsr_bits_rank(&points->page, first);
    for (int64_t k = first; k < first + points->page_bits; ++k) {
      int64_t x[3] = {lowest[0], lowest[1], lowest[2]};
      if (!tsr_bits_get(&points->page, k))
        continue;
      tsr_point_move(walk->lattice, k - first, x);
      walk->visit(walk->data, id++, x);
    }
  }
}

tsr_status tsr_points_visit(const tsr_grid_input *input, const tsr_grid_points *points,
                            void (*visit)(void *data, int64_t id, const int64_t x[3]), void *data) {
  tsr_point_walk walk = {&input->lattice, points, visit, data};
  const tsr_status status = tsr_run_task(&input->execution, input_points_task, &walk,
                                         points->at_input.words, 64, 0.5, 0.7);
  return status != TSR_OK || points->n == points->n_input
             ? status
             : tsr_run_task(&input->execution, page_points_task, &walk, points->has_page.words, 8,
                            0.5, 0.7);
}
