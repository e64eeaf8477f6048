/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Point grids: one split of a cell, several levels at once.
 *
 * A pass counts the points of the cells some levels below by the digit of their keys. From these
 * counts follows which cells between are leaves, before any point has moved: a leaf higher up takes
 * all of its digits as one group. A second pass moves the points to their groups, each in the order
 * in which they came, so that the points of a leaf stay in the order of the input.
 *
 *     digits   0 1 2 3 | 4 5 6 7 | 8 9 ...        two levels of a quadtree
 *     groups   0       | 1 2 3 4 | 5              cells 0 and 2 are leaves, 1 is split
 */
#include "pointgrid/tree/nodes.h"

#include <stdlib.h>
#include <string.h>

/* Measured on a processor with 1 MiB of second-level cache a core. */
enum { LARGE_CELL = 1 << 18, LARGE_CELL_BITS = 9 };

enum { DIGITS = 1 << TSR_POINTGRID_DIGIT_BITS, PYRAMID = 2 * DIGITS };

tsr_status tsr_pointgrid_scratch_init(tsr_pointgrid_scratch *s, int64_t blocks,
                                      const tsr_pointgrid_rule *rule, tsr_error *error) {
  const char *what = "splitting cells";
  const int64_t spread = rule->use_spread ? 1 : 0;
  memset(s, 0, sizeof *s);
  s->blocks = blocks;
  s->counts = tsr_alloc(PYRAMID, sizeof *s->counts, what, error);
  s->low = tsr_alloc(spread * PYRAMID, sizeof *s->low, what, error);
  s->high = tsr_alloc(spread * PYRAMID, sizeof *s->high, what, error);
  s->group_of = tsr_alloc(DIGITS, sizeof *s->group_of, what, error);
  s->cursor = tsr_alloc(blocks * DIGITS, sizeof *s->cursor, what, error);
  s->block_counts = tsr_alloc(blocks * DIGITS, sizeof *s->block_counts, what, error);
  s->block_low = tsr_alloc(spread * blocks * DIGITS, sizeof *s->block_low, what, error);
  s->block_high = tsr_alloc(spread * blocks * DIGITS, sizeof *s->block_high, what, error);
  return s->counts && s->low && s->high && s->group_of && s->cursor && s->block_counts &&
                 s->block_low && s->block_high
             ? TSR_OK
             : TSR_NO_MEMORY;
}

void tsr_pointgrid_scratch_free(tsr_pointgrid_scratch *s) {
  free(s->counts);
  free(s->low);
  free(s->high);
  free(s->group_of);
  free(s->cursor);
  free(s->block_counts);
  free(s->block_low);
  free(s->block_high);
  free(s->groups);
}

int tsr_pointgrid_split_levels(const tsr_pointgrid_rule *rule, const tsr_pointgrid_cell *cell) {
  /* A cell of the highest level is split only where it is owned in part. */
  const int limit = cell->level < rule->max_level ? rule->max_level : TSR_POINTGRID_MAX_LEVEL;
  /* Points that do not fit into a cache go to fewer places at once. */
  const int bits = cell->count > LARGE_CELL ? LARGE_CELL_BITS : TSR_POINTGRID_DIGIT_BITS;
  int levels = 1;
  while (levels < limit - cell->level && rule->dimension * (levels + 1) <= bits &&
         cell->count >> (rule->dimension * levels) > rule->max_points)
    ++levels;
  return levels;
}

static int digit_shift(const tsr_pointgrid_split *split) {
  return tsr_pointgrid_shift(split->input->rule.dimension, split->node.cell.level + split->levels);
}

static int64_t digits_of(const tsr_pointgrid_split *split) {
  return (int64_t)1 << (split->input->rule.dimension * split->levels);
}

/** The items of block b. */
static void block_range(const tsr_pointgrid_split *split, int64_t b, int64_t range[2]) {
  const int64_t count = split->node.cell.count;
  const int64_t part = count / split->blocks, rest = count % split->blocks;
  range[0] = split->node.begin + b * part + (b < rest ? b : rest);
  range[1] = range[0] + part + (b < rest ? 1 : 0);
}

void tsr_pointgrid_split_count(const tsr_pointgrid_split *split, int64_t b) {
  const tsr_pointgrid_input *input = split->input;
  const int64_t digits = digits_of(split);
  const int shift = digit_shift(split);
  int64_t *counts = split->scratch->block_counts + b * digits;
  int64_t range[2];
  block_range(split, b, range);
  memset(counts, 0, (size_t)digits * sizeof *counts);
  for (int64_t i = range[0]; i < range[1]; ++i)
    counts[(split->from[i].key >> shift) & (uint64_t)(digits - 1)]++;
  if (input->rule.use_spread) {
    double *low = split->scratch->block_low + b * digits;
    double *high = split->scratch->block_high + b * digits;
    for (int64_t d = 0; d < digits; ++d) {
      low[d] = INFINITY;
      high[d] = -INFINITY;
    }
    for (int64_t i = range[0]; i < range[1]; ++i) {
      const uint64_t d = (split->from[i].key >> shift) & (uint64_t)(digits - 1);
      const double v = tsr_pointgrid_value(&input->spread, input->options.spread_component,
                                           split->from[i].point);
      low[d] = v < low[d] ? v : low[d];
      high[d] = v > high[d] ? v : high[d];
    }
  }
}

/** Where the cells that lie `depth` levels below the node begin in the pyramid. */
static int64_t pyramid_first(int dimension, int depth) {
  return (((int64_t)1 << (dimension * depth)) - 1) / (((int64_t)1 << dimension) - 1);
}

/** Sums the digits up over the blocks, and the cells above them. */
static void build_pyramid(const tsr_pointgrid_split *split) {
  const tsr_pointgrid_rule *rule = &split->input->rule;
  const tsr_pointgrid_scratch *s = split->scratch;
  const int64_t digits = digits_of(split);
  const int64_t children = (int64_t)1 << rule->dimension;
  const int64_t last = pyramid_first(rule->dimension, split->levels);
  memset(s->counts, 0, (size_t)(last + digits) * sizeof *s->counts);
  for (int64_t i = 0; rule->use_spread && i < last + digits; ++i) {
    s->low[i] = INFINITY;
    s->high[i] = -INFINITY;
  }
  for (int64_t i = 0; i < split->blocks * digits; ++i) {
    const int64_t at = last + i % digits;
    s->counts[at] += s->block_counts[i];
    if (rule->use_spread) {
      s->low[at] = s->block_low[i] < s->low[at] ? s->block_low[i] : s->low[at];
      s->high[at] = s->block_high[i] > s->high[at] ? s->block_high[i] : s->high[at];
    }
  }
  for (int64_t i = last + digits - 1; i > 0; --i) {
    const int64_t above = (i - 1) / children;
    s->counts[above] += s->counts[i];
    if (rule->use_spread) {
      s->low[above] = s->low[i] < s->low[above] ? s->low[i] : s->low[above];
      s->high[above] = s->high[i] > s->high[above] ? s->high[i] : s->high[above];
    }
  }
}

/** The cell `depth` levels below the node that holds the digit. */
static tsr_pointgrid_cell cell_at(const tsr_pointgrid_split *split, int depth, int64_t digit) {
  const tsr_pointgrid_rule *rule = &split->input->rule;
  const tsr_pointgrid_scratch *s = split->scratch;
  const int64_t number = digit >> (rule->dimension * (split->levels - depth));
  const int64_t at = pyramid_first(rule->dimension, depth) + number;
  const int level = split->node.cell.level + depth;
  const tsr_pointgrid_cell cell = {
      .key =
          split->node.cell.key + ((uint64_t)number << tsr_pointgrid_shift(rule->dimension, level)),
      .count = s->counts[at],
      .low = rule->use_spread ? s->low[at] : 0.0,
      .high = rule->use_spread ? s->high[at] : 0.0,
      .level = level};
  return cell;
}

static tsr_pointgrid_group *add_group(tsr_pointgrid_scratch *s) {
  tsr_pointgrid_group *groups = tsr_grow(s->groups, s->n_groups, &s->room, 1024, sizeof *groups);
  if (!groups)
    return NULL;
  s->groups = groups;
  return &s->groups[s->n_groups++];
}

/** Where the items of each block begin in each group. */
static void place_blocks(const tsr_pointgrid_split *split, int64_t first) {
  tsr_pointgrid_scratch *s = split->scratch;
  const int64_t digits = digits_of(split), groups = s->n_groups - first;
  memset(s->cursor, 0, (size_t)(split->blocks * groups) * sizeof *s->cursor);
  for (int64_t b = 0; b < split->blocks; ++b)
    for (int64_t d = 0; d < digits; ++d)
      s->cursor[b * groups + s->group_of[d]] += s->block_counts[b * digits + d];
  for (int64_t g = 0; g < groups; ++g) {
    int64_t at = s->groups[first + g].begin;
    for (int64_t b = 0; b < split->blocks; ++b) {
      const int64_t count = s->cursor[b * groups + g];
      s->cursor[b * groups + g] = at;
      at += count;
    }
  }
}

int tsr_pointgrid_split_group(const tsr_pointgrid_split *split) {
  tsr_pointgrid_scratch *s = split->scratch;
  const tsr_pointgrid_rule *rule = &split->input->rule;
  const int64_t digits = digits_of(split), first = s->n_groups;
  int64_t begin = split->node.begin;
  build_pyramid(split);
  for (int64_t digit = 0; digit < digits;) {
    tsr_pointgrid_group *group = add_group(s);
    int depth = 1;
    if (!group)
      return 0;
    group->cell = cell_at(split, depth, digit);
    group->open = tsr_pointgrid_splits(rule, &group->cell);
    while (group->open && depth < split->levels) {
      group->cell = cell_at(split, ++depth, digit);
      group->open = tsr_pointgrid_splits(rule, &group->cell);
    }
    group->begin = begin;
    begin += group->cell.count;
    const int64_t end = digit + ((int64_t)1 << (rule->dimension * (split->levels - depth)));
    for (; digit < end; ++digit)
      s->group_of[digit] = (int32_t)(s->n_groups - 1 - first);
  }
  place_blocks(split, first);
  return 1;
}

void tsr_pointgrid_split_move(const tsr_pointgrid_split *split, int64_t first, int64_t b) {
  const tsr_pointgrid_scratch *s = split->scratch;
  const int shift = digit_shift(split);
  const uint64_t mask = (uint64_t)(digits_of(split) - 1);
  int64_t *cursor = s->cursor + b * (s->n_groups - first);
  int64_t range[2];
  block_range(split, b, range);
  for (int64_t i = range[0]; i < range[1]; ++i)
    split->to[cursor[s->group_of[(split->from[i].key >> shift) & mask]]++] = split->from[i];
}
