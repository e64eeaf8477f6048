/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Point grids: points into leaves.
 *
 * From the root down, each split moves the points of a cell to the cells below it. Cells with many
 * points are split by all threads together, the others each by one thread, at the end and side by
 * side; the leaves are then joined in Morton order. Points move between two arrays; those of a leaf
 * leave them for the final order.
 */
#include "pointgrid/tree/nodes.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_BLOCKS = 64 };

/** A leaf, or a cell that one thread is to split, in Morton order. */
typedef struct entry {
  tsr_pointgrid_group group;
  int in_second; /**< which array holds its points */
  tsr_pointgrid_leaves leaves;
} entry;

typedef struct sorter {
  const tsr_pointgrid_input *input;
  tsr_pointgrid_sorted *sorted;
  tsr_pointgrid_item *items[2];
  tsr_pointgrid_scratch together; /**< of cells that all threads split */
  entry *entries;
  int64_t n_entries, room;
  int64_t *pieces; /**< first entry of each piece of work */
  int64_t n_pieces;
} sorter;

/** Work on the blocks of one split. */
typedef struct block_work {
  const tsr_pointgrid_split *split;
  int64_t first; /**< group */
} block_work;

static void count_blocks(void *data, int64_t begin, int64_t end) {
  const block_work *work = data;
  for (int64_t b = begin; b < end; ++b)
    tsr_pointgrid_split_count(work->split, b);
}

static void move_blocks(void *data, int64_t begin, int64_t end) {
  const block_work *work = data;
  for (int64_t b = begin; b < end; ++b)
    tsr_pointgrid_split_move(work->split, work->first, b);
}

static int add_entry(sorter *s, const tsr_pointgrid_group *group, int in_second) {
  entry *entries = tsr_grow(s->entries, s->n_entries, &s->room, 4096, sizeof *entries);
  entry *one;
  if (!entries)
    return 0;
  s->entries = entries;
  one = &entries[s->n_entries++];
  memset(one, 0, sizeof *one);
  one->group = *group;
  one->in_second = in_second;
  return 1;
}

/** Splits a cell by all threads together. */
static tsr_status split_together(sorter *s, const tsr_pointgrid_group *node, int in_second,
                                 tsr_error *error) {
  const tsr_pointgrid_input *input = s->input;
  const int64_t first = s->together.n_groups;
  const int64_t blocks = (node->cell.count + TSR_POINTGRID_BLOCK - 1) / TSR_POINTGRID_BLOCK;
  tsr_pointgrid_split split = {.input = input,
                               .scratch = &s->together,
                               .node = *node,
                               .from = s->items[in_second],
                               .to = s->items[!in_second],
                               .levels = tsr_pointgrid_split_levels(&input->rule, &node->cell),
                               .blocks = blocks < 1            ? 1
                                         : blocks > MAX_BLOCKS ? MAX_BLOCKS
                                                               : blocks};
  block_work work = {&split, first};
  tsr_status status =
      tsr_pointgrid_run(input, count_blocks, &work, split.blocks, 1, 0.1, 0.15, error);
  if (status == TSR_OK && !tsr_pointgrid_split_group(&split))
    status = tsr_fail(error, TSR_NO_MEMORY, -1, "there is no memory for splitting cells");
  if (status == TSR_OK)
    status = tsr_pointgrid_run(input, move_blocks, &work, split.blocks, 1, 0.15, 0.2, error);
  const int64_t end = s->together.n_groups;
  for (int64_t g = first; status == TSR_OK && g < end; ++g) {
    const tsr_pointgrid_group group = s->together.groups[g];
    if (group.open && group.cell.count > input->n_items / 32 + TSR_POINTGRID_BLOCK)
      status = split_together(s, &group, !in_second, error);
    else if (tsr_pointgrid_is_owned(&input->rule, group.cell.key, group.cell.level) &&
             !add_entry(s, &group, !in_second))
      status = tsr_fail(error, TSR_NO_MEMORY, -1, "there is no memory for splitting cells");
  }
  s->together.n_groups = first;
  return status;
}

/** The points of a leaf to their final place. */
static int finish_leaf(sorter *s, const tsr_pointgrid_group *group, int in_second,
                       tsr_pointgrid_leaves *leaves) {
  const tsr_pointgrid_item *items = s->items[in_second];
  const tsr_pointgrid_leaf leaf = {group->cell.key, group->begin, group->cell.count,
                                   group->cell.level};
  for (int64_t i = leaf.begin; i < leaf.begin + leaf.count; ++i)
    s->sorted->order[i] = items[i].point;
  return tsr_pointgrid_add_leaf(leaves, &leaf);
}

/** Splits a cell, and all below it, on this thread. 0: no memory. */
static int split_alone(sorter *s, tsr_pointgrid_scratch *scratch, const tsr_pointgrid_group *node,
                       int in_second, tsr_pointgrid_leaves *leaves) {
  const tsr_pointgrid_rule *rule = &s->input->rule;
  const int64_t first = scratch->n_groups;
  const tsr_pointgrid_split split = {.input = s->input,
                                     .scratch = scratch,
                                     .node = *node,
                                     .from = s->items[in_second],
                                     .to = s->items[!in_second],
                                     .levels = tsr_pointgrid_split_levels(rule, &node->cell),
                                     .blocks = 1};
  tsr_pointgrid_split_count(&split, 0);
  int good = tsr_pointgrid_split_group(&split);
  if (good)
    tsr_pointgrid_split_move(&split, first, 0);
  const int64_t end = scratch->n_groups;
  for (int64_t g = first; good && g < end; ++g) {
    const tsr_pointgrid_group group = scratch->groups[g]; /* they may move */
    if (group.open)
      good = split_alone(s, scratch, &group, !in_second, leaves);
    else if (tsr_pointgrid_is_owned(rule, group.cell.key, group.cell.level))
      good = finish_leaf(s, &group, !in_second, leaves);
  }
  scratch->n_groups = first;
  return good;
}

typedef struct piece_work {
  sorter *s;
  _Atomic int no_memory;
} piece_work;

static void sort_pieces(void *data, int64_t begin, int64_t end) {
  piece_work *work = data;
  sorter *s = work->s;
  tsr_pointgrid_scratch scratch;
  int good = tsr_pointgrid_scratch_init(&scratch, 1, &s->input->rule, NULL) == TSR_OK;
  for (int64_t e = s->pieces[begin]; good && e < s->pieces[end]; ++e) {
    entry *one = &s->entries[e];
    good = one->group.open ? split_alone(s, &scratch, &one->group, one->in_second, &one->leaves)
                           : finish_leaf(s, &one->group, one->in_second, &one->leaves);
  }
  tsr_pointgrid_scratch_free(&scratch);
  if (!good)
    atomic_store(&work->no_memory, 1);
}

/** Entries into pieces of about as many points as a block. */
static tsr_status make_pieces(sorter *s, tsr_error *error) {
  int64_t points = 0;
  s->pieces = tsr_alloc(s->n_entries + 1, sizeof *s->pieces, "splitting cells", error);
  if (!s->pieces)
    return TSR_NO_MEMORY;
  for (int64_t e = 0; e < s->n_entries; ++e) {
    if (e == 0 || points >= TSR_POINTGRID_BLOCK) {
      s->pieces[s->n_pieces++] = e;
      points = 0;
    }
    points += s->entries[e].group.cell.count;
  }
  s->pieces[s->n_pieces] = s->n_entries;
  return TSR_OK;
}

/** All leaves of the entries, in their order. */
static tsr_status join_leaves(sorter *s, tsr_error *error) {
  tsr_pointgrid_leaves *leaves = &s->sorted->leaves;
  leaves->n = 0;
  for (int64_t e = 0; e < s->n_entries; ++e)
    leaves->n += s->entries[e].leaves.n;
  leaves->at = tsr_alloc(leaves->n, sizeof *leaves->at, "the leaves", error);
  leaves->room = leaves->n;
  if (!leaves->at)
    return TSR_NO_MEMORY;
  for (int64_t e = 0, at = 0; e < s->n_entries; ++e) {
    const tsr_pointgrid_leaves *part = &s->entries[e].leaves;
    if (part->n > 0)
      memcpy(leaves->at + at, part->at, (size_t)part->n * sizeof *part->at);
    at += part->n;
  }
  return TSR_OK;
}

/** The root as the entry or entries that it starts as. */
static tsr_status start(sorter *s, tsr_error *error) {
  const tsr_pointgrid_input *input = s->input;
  tsr_pointgrid_group root = {
      .cell = {.count = input->n_items, .low = INFINITY, .high = -INFINITY}};
  /* Too many points are split whatever their values are. */
  const int64_t looked_at =
      input->rule.use_spread && input->n_items <= input->rule.max_points ? input->n_items : 0;
  for (int64_t i = 0; i < looked_at; ++i) {
    const double v =
        tsr_pointgrid_value(&input->spread, input->options.spread_component, s->items[0][i].point);
    root.cell.low = v < root.cell.low ? v : root.cell.low;
    root.cell.high = v > root.cell.high ? v : root.cell.high;
  }
  root.open = tsr_pointgrid_splits(&input->rule, &root.cell);
  if (root.open)
    return split_together(s, &root, 0, error);
  return add_entry(s, &root, 0)
             ? TSR_OK
             : tsr_fail(error, TSR_NO_MEMORY, -1, "there is no memory for splitting cells");
}

tsr_status tsr_pointgrid_sort(const tsr_pointgrid_input *input, tsr_pointgrid_sorted *sorted,
                              tsr_error *error) {
  const int64_t blocks = input->n_items / TSR_POINTGRID_BLOCK + 1;
  const char *what = "sorting the points";
  sorter s = {.input = input, .sorted = sorted};
  piece_work work = {.s = &s};
  tsr_status status = tsr_pointgrid_make_items(input, &s.items[0], error);
  if (status == TSR_OK)
    status = tsr_pointgrid_scratch_init(&s.together, blocks < MAX_BLOCKS ? blocks : MAX_BLOCKS,
                                        &input->rule, error);
  s.items[1] = tsr_alloc(input->n_items, sizeof *s.items[1], what, error);
  sorted->order = tsr_alloc(input->n_items, sizeof *sorted->order, what, error);
  if (status == TSR_OK && (!s.items[1] || !sorted->order))
    status = TSR_NO_MEMORY;
  if (status == TSR_OK && input->rule.begin < input->rule.end)
    status = start(&s, error);
  if (status == TSR_OK)
    status = make_pieces(&s, error);
  if (status == TSR_OK)
    status = tsr_pointgrid_run(input, sort_pieces, &work, s.n_pieces, 1, 0.2, 0.3, error);
  if (status == TSR_OK && atomic_load(&work.no_memory))
    status = tsr_fail(error, TSR_NO_MEMORY, -1, "there is no memory for splitting cells");
  if (status == TSR_OK)
    status = join_leaves(&s, error);
  for (int64_t e = 0; e < s.n_entries; ++e)
    free(s.entries[e].leaves.at);
  free(s.entries);
  free(s.pieces);
  free(s.items[0]);
  free(s.items[1]);
  tsr_pointgrid_scratch_free(&s.together);
  return status;
}
