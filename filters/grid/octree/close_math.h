/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Grids from cells of several sizes: the refined tree, and its closure.
 *
 * The refined tree is a list of split nodes; a leaf is a child of a split node that is not split. A
 * split node is a word: its height in the highest bits, its number below. In a sorted list of words
 * the nodes of a height follow one another in Morton order.
 *
 * Each split node knows its 3^d - 1 neighbours of its own height, itself in the middle. They follow
 * from those of its parent, so they are found from the highest node down:
 *
 *     +-------+-------+     The right neighbour of node c is a child of the right neighbour of its
 *     |   | c |   |   |     parent: one that is split, or a leaf, or in a leaf, or nowhere.
 *     +---+---+---+---+
 *     |   |   |       |
 *     +---+---+       |
 *     | parent|       |
 *
 * Closure repeats two steps until the first one finds nothing: list the nodes that the rules
 * require to be split, with their ancestors that are not split; add them, and make the tree anew.
 * Since nodes are only added, this is the smallest tree that fulfils the rules.
 */
#ifndef TSR_GRID_OCTREE_CLOSE_MATH_H
#define TSR_GRID_OCTREE_CLOSE_MATH_H

#include "grid/octree/look_math.h"

/** Bits of a word below the height, and of the height. */
#define TSR_OCTREE_NUMBER_BITS 58
#define TSR_OCTREE_HEIGHT_BITS 6

/** Neighbours of a node, itself included: number (dx + 1) + 3 (dy + 1) + 9 (dz + 1). */
#define TSR_OCTREE_AROUND 27

/** Values of a neighbour that is no split node. */
enum {
  TSR_OCTREE_OUT = -1 /**< it holds no cell that is not outside */,
  TSR_OCTREE_LEAF = -2 /**< a leaf or in one */
};

/** The refined tree; arrays of the executor. */
typedef struct tsr_octree_splits {
  int64_t n;
  int64_t at[TSR_OCTREE_HEIGHTS + 1]; /**< by height: the first split node; at[h + 1] ends h */
  uint64_t *number;
  int64_t *child;   /**< the first split child, of the next height */
  int32_t *parent;  /**< -1: the highest node */
  int32_t *around;  /**< n x 27 neighbours */
  int64_t *place;   /**< in the tree of the input */
  uint8_t *split;   /**< a bit for each child that is split */
  uint8_t *present; /**< a bit for each child that is split or a leaf. What is outside is neither */
  int64_t *leaves;  /**< number of leaves below */
  int64_t *first;   /**< leaves that come before the first one below, in Morton order */
} tsr_octree_splits;

typedef struct tsr_octree_close_job {
  tsr_octree_tree tree;
  tsr_octree_splits splits;
  const uint8_t *refine; /**< TSR_OCTREE_KEEP, ASKED or FORCED for each node of the input's tree */
  tsr_octree_limits limits; /**< buffer: which nodes may be refined */
  int64_t *before;          /**< what a step counts for each item, then the sums before each */
  uint64_t *words;
  int64_t n_words;
  int64_t *heights; /**< TSR_OCTREE_HEIGHTS + 1: the first word of each height, or -1 */
  int64_t from;     /**< the first split node of the height that is worked on */
  int height;
  int crossed; /**< balance by 1: faces, 2: edges, 3: corners; 0: no balance */
  int group;   /**< blocks: nodes of 2^group along each axis are split together; 0: no blocks */
  int buffer;  /**< buffer cells */
  const tsr_grid_node *marks;
} tsr_octree_close_job;

TSR_FN uint64_t tsr_octree_word(int height, uint64_t number) {
  return (uint64_t)height << TSR_OCTREE_NUMBER_BITS | number;
}
TSR_FN int tsr_octree_word_height(uint64_t word) { return (int)(word >> TSR_OCTREE_NUMBER_BITS); }
TSR_FN uint64_t tsr_octree_word_number(uint64_t word) {
  return word & (((uint64_t)1 << TSR_OCTREE_NUMBER_BITS) - 1);
}

/* ---- The list of words */

/** Notes whether node j of the input's tree is refined. */
TSR_FN void tsr_octree_flag_refined(const tsr_octree_close_job *job, int64_t j) {
  job->before[j] = job->refine[j] != TSR_OCTREE_KEEP;
}

/** Writes node j of the input's tree to the words if it is refined. */
TSR_FN void tsr_octree_put_refined(const tsr_octree_close_job *job, int64_t j) {
  const int height = (int)tsr_part_at(job->tree.nodes.at, 0, job->tree.shape.top + 1, j);
  if (job->before[j + 1] > job->before[j])
    job->words[job->before[j]] = tsr_octree_word(height, job->tree.nodes.number[j]);
}

/** Notes whether word i is the first of its value. */
TSR_FN void tsr_octree_flag_word(const tsr_octree_close_job *job, int64_t i) {
  job->before[i] = i == 0 || job->words[i] != job->words[i - 1];
}

/** Writes word i to the split nodes if it is the first of its value, and notes in job->heights
 * where its height begins. */
TSR_FN void tsr_octree_take_word(const tsr_octree_close_job *job, int64_t i) {
  const int64_t to = job->before[i];
  const int height = tsr_octree_word_height(job->words[i]);
  if (job->before[i + 1] == to)
    return;
  job->splits.number[to] = tsr_octree_word_number(job->words[i]);
  if (i == 0 || tsr_octree_word_height(job->words[i - 1]) != height)
    job->heights[height] = to;
}

/** Writes split node j to the words again. */
TSR_FN void tsr_octree_put_split(const tsr_octree_close_job *job, int64_t j) {
  const int height = (int)tsr_part_at(job->splits.at, 0, job->tree.shape.top + 1, j);
  job->words[j] = tsr_octree_word(height, job->splits.number[j]);
}

/** Clears entry h of the heights. */
TSR_FN void tsr_octree_clear_height(const tsr_octree_close_job *job, int64_t h) {
  job->heights[h] = -1;
}

/* ---- The links between split nodes */

/** Finds the split children of split node j. */
TSR_FN void tsr_octree_link_split(const tsr_octree_close_job *job, int64_t j) {
  const tsr_octree_splits *splits = &job->splits;
  const tsr_octree_shape *shape = &job->tree.shape;
  const int height = (int)tsr_part_at(splits->at, 0, shape->top + 1, j);
  const int64_t end = splits->at[height];
  const uint64_t first = splits->number[j] << shape->dimension;
  int64_t child = tsr_first_not_below(splits->number, splits->at[height - 1], end, first);
  unsigned split = 0;
  splits->child[j] = child;
  for (; child < end && splits->number[child] >> shape->dimension == splits->number[j]; ++child) {
    split |= 1u << tsr_octree_child_of(shape, splits->number[child]);
    splits->parent[child] = (int32_t)j;
  }
  splits->split[j] = (uint8_t)split;
}

/** The direction of a neighbour by its number: -1, 0 or 1 along each axis. */
TSR_FN void tsr_octree_direction(int number, int d[3]) {
  d[0] = number % 3 - 1;
  d[1] = number / 3 % 3 - 1;
  d[2] = number / 9 - 1;
}

/** 1 if a direction stays within the axes that have cells. */
TSR_FN int tsr_octree_is_direction(int dimension, const int d[3]) {
  return (dimension > 1 || d[1] == 0) && (dimension > 2 || d[2] == 0);
}

/** Finds the node beside child c of a node, in direction d. Returns which of the node's 27
 * neighbours holds it; *child: receives which child of that neighbour it is. */
TSR_FN int tsr_octree_beside(int c, const int d[3], int *child) {
  int number = 0, step = 1;
  *child = 0;
  for (int a = 0; a < 3; ++a) {
    const int at = (c >> a & 1) + d[a] + 2; /* 1: below the node, 2 or 3: in it, 4: above */
    *child |= (at & 1) << a;
    number += (at >> 1) * step;
    step *= 3;
  }
  return number;
}

/** Split node in direction d of child c of split node j, or TSR_OCTREE_OUT or TSR_OCTREE_LEAF. */
TSR_FN int32_t tsr_octree_neighbour(const tsr_octree_splits *splits, int64_t j, int c,
                                    const int d[3]) {
  int child;
  const int number = tsr_octree_beside(c, d, &child);
  const int32_t beside = splits->around[j * TSR_OCTREE_AROUND + number];
  if (beside < 0)
    return beside;
  if (splits->split[beside] >> child & 1)
    return (int32_t)(splits->child[beside] + tsr_bits_below(splits->split[beside], child));
  return splits->present[beside] >> child & 1 ? TSR_OCTREE_LEAF : TSR_OCTREE_OUT;
}

/** Sets the highest split node, which holds the whole domain. */
TSR_FN void tsr_octree_set_root(const tsr_octree_close_job *job, int64_t i) {
  const tsr_octree_splits *splits = &job->splits;
  const int64_t j = splits->at[job->tree.shape.top] + i;
  splits->parent[j] = -1;
  splits->place[j] = tsr_octree_root(&job->tree);
  splits->present[j] = (uint8_t)tsr_octree_shown(&job->tree, splits->place[j]);
  for (int k = 0; k < TSR_OCTREE_AROUND; ++k)
    splits->around[j * TSR_OCTREE_AROUND + k] = k == 13 ? (int32_t)j : TSR_OCTREE_OUT;
}

/** Sets the place of child c of split node j, which is the split node `to`. */
TSR_FN void tsr_octree_place_child(const tsr_octree_close_job *job, int64_t j, int c, int64_t to) {
  const tsr_octree_splits *splits = &job->splits;
  splits->place[to] = tsr_octree_child(&job->tree, splits->place[j], c);
  splits->present[to] = (uint8_t)tsr_octree_shown(&job->tree, splits->place[to]);
}

/** Items of tsr_octree_link_children for a split node: 3 for each of up to 8 children. */
#define TSR_OCTREE_LINKS 24

/** Sets a third of the neighbours, those that are d along the last axis, of child c of split node
 * job->from + k, if the child is split: item 24 k + 3 c + (d + 1). The first one sets its place. */
TSR_FN void tsr_octree_link_children(const tsr_octree_close_job *job, int64_t item) {
  const tsr_octree_splits *splits = &job->splits;
  const int dimension = job->tree.shape.dimension;
  const int64_t j = job->from + item / TSR_OCTREE_LINKS;
  const int part = (int)(item % TSR_OCTREE_LINKS), c = part / 3;
  const int64_t to = splits->child[j] + tsr_bits_below(splits->split[j], c);
  int d[3] = {0, 0, part % 3 - 1};
  int32_t *around;
  if (!(splits->split[j] >> c & 1))
    return;
  around = &splits->around[to * TSR_OCTREE_AROUND + 9 * (d[2] + 1)];
  if (part % 3 == 0)
    tsr_octree_place_child(job, j, c, to);
  for (d[1] = -1; d[1] <= 1; ++d[1])
    for (d[0] = -1; d[0] <= 1; ++d[0])
      *around++ = tsr_octree_is_direction(dimension, d) ? tsr_octree_neighbour(splits, j, c, d)
                                                        : TSR_OCTREE_OUT;
}

/* ---- Closure */

/** Where nodes that must be split are listed: only counted if `at` is NULL. */
typedef struct tsr_octree_wanted {
  uint64_t *at;
  int64_t n;
} tsr_octree_wanted;

TSR_FN void tsr_octree_want(tsr_octree_wanted *wanted, int height, uint64_t number) {
  if (wanted->at)
    wanted->at[wanted->n] = tsr_octree_word(height, number);
  ++wanted->n;
}

/** The number of the node of the same height in direction d, which must be in the domain's cube. */
TSR_FN uint64_t tsr_octree_step(int dimension, uint64_t number, const int d[3]) {
  uint64_t i[3] = {0, 0, 0};
  for (int a = 0; a < dimension; ++a)
    i[a] = tsr_morton_axis(number >> a, dimension) + (uint64_t)(int64_t)d[a];
  return tsr_morton(i, dimension);
}

/** 1 if a node has a cell that is not outside. The node must hold cells. */
TSR_FN int tsr_octree_is_shown(const tsr_octree_tree *tree, uint64_t number, int height) {
  return !tree->cells.outside || tsr_octree_shown(tree, tsr_octree_locate(tree, number, height));
}

/** Lists the neighbour of split node j in direction d, which must be a leaf or in one, with its
 *  ancestors that are not split. Where all cells are outside nothing is listed. height: of node j.
 */
TSR_FN void tsr_octree_want_beside(const tsr_octree_close_job *job, int64_t j, int height,
                                   const int d[3], tsr_octree_wanted *wanted) {
  const tsr_octree_splits *splits = &job->splits;
  const int dimension = job->tree.shape.dimension;
  uint64_t number = tsr_octree_step(dimension, splits->number[j], d);
  int step[3] = {d[0], d[1], d[2]};
  for (;;) {
    int child;
    const int c = tsr_octree_child_of(&job->tree.shape, splits->number[j]);
    const int beside = tsr_octree_beside(c, step, &child);
    if (tsr_octree_is_shown(&job->tree, number, height))
      tsr_octree_want(wanted, height, number);
    j = splits->parent[j];
    if (j < 0 || splits->around[j * TSR_OCTREE_AROUND + beside] >= 0)
      return;
    number >>= dimension;
    ++height;
    tsr_octree_direction(beside, step);
  }
}

/** Returns 1 if a split child of a node touches the node's neighbour in direction d, so that
 * balance requires the neighbour to be split. split: a bit for each child. */
TSR_FN int tsr_octree_presses(unsigned split, int dimension, const int d[3]) {
  for (int c = 0; c < 1 << dimension; ++c) {
    int touches = split >> c & 1;
    for (int a = 0; a < dimension; ++a)
      touches = touches && (d[a] == 0 || (c >> a & 1) == (d[a] > 0));
    if (touches)
      return 1;
  }
  return 0;
}

/** Lists the nodes around split node j that balance requires to be split. height: of node j. */
TSR_FN void tsr_octree_balance_node(const tsr_octree_close_job *job, int64_t j, int height,
                                    tsr_octree_wanted *wanted) {
  const tsr_octree_splits *splits = &job->splits;
  const int dimension = job->tree.shape.dimension;
  for (int number = 0; number < TSR_OCTREE_AROUND && splits->split[j]; ++number) {
    int d[3];
    tsr_octree_direction(number, d);
    if (splits->around[j * TSR_OCTREE_AROUND + number] == TSR_OCTREE_LEAF &&
        (d[0] != 0) + (d[1] != 0) + (d[2] != 0) <= job->crossed &&
        tsr_octree_presses(splits->split[j], dimension, d))
      tsr_octree_want_beside(job, j, height, d, wanted);
  }
}

/** Lists the nodes of a block that are not split, if split node j is the first one in its block. */
TSR_FN void tsr_octree_block_node(const tsr_octree_close_job *job, int64_t j, int height,
                                  tsr_octree_wanted *wanted) {
  const tsr_octree_splits *splits = &job->splits;
  const tsr_octree_shape *shape = &job->tree.shape;
  const int up = job->group < shape->top - height ? job->group : shape->top - height;
  const int shift = shape->dimension * up;
  const uint64_t block = splits->number[j] >> shift;
  if (up == 0 || (j > splits->at[height] && splits->number[j - 1] >> shift == block))
    return;
  for (uint64_t k = 0; k < (uint64_t)1 << shift; ++k) {
    const uint64_t number = (block << shift) + k;
    const int64_t at =
        tsr_first_not_below(splits->number, splits->at[height], splits->at[height + 1], number);
    if ((at < splits->at[height + 1] && splits->number[at] == number) ||
        !tsr_octree_shown(&job->tree, tsr_octree_locate(&job->tree, number, height)))
      continue;
    for (int h = 0; h < up; ++h) /* the block's node itself is split, being above node j */
      tsr_octree_want(wanted, height + h, number >> (shape->dimension * h));
  }
}

TSR_FN void tsr_octree_close_node(const tsr_octree_close_job *job, int64_t j,
                                  tsr_octree_wanted *wanted) {
  const int height = (int)tsr_part_at(job->splits.at, 0, job->tree.shape.top + 1, j);
  if (job->crossed > 0)
    tsr_octree_balance_node(job, j, height, wanted);
  if (job->group > 0 && height <= job->tree.shape.levels)
    tsr_octree_block_node(job, j, height, wanted);
}

/** Counts the nodes that the rules require to be split because split node j is. */
TSR_FN void tsr_octree_count_wanted(const tsr_octree_close_job *job, int64_t j) {
  tsr_octree_wanted wanted = {NULL, 0};
  tsr_octree_close_node(job, j, &wanted);
  job->before[j] = wanted.n;
}

/** Writes the nodes that tsr_octree_count_wanted counts, behind the words of the split nodes. */
TSR_FN void tsr_octree_put_wanted(const tsr_octree_close_job *job, int64_t j) {
  tsr_octree_wanted wanted = {job->words + job->splits.n + job->before[j], 0};
  if (job->before[j + 1] > job->before[j])
    tsr_octree_close_node(job, j, &wanted);
}

/* ---- Buffer and marks */

/** Lists a node and all its ancestors. The node may be a part of an input cell. */
TSR_FN void tsr_octree_want_with_parents(const tsr_octree_shape *shape, int height, uint64_t number,
                                         tsr_octree_wanted *wanted) {
  for (int h = height; h <= shape->top; ++h)
    tsr_octree_want(wanted, h, number >> (shape->dimension * (h - height)));
}

/** Lists the nodes within `buffer` nodes of node j of the input's tree, if a criterion refines it.
 */
TSR_FN void tsr_octree_buffer_node(const tsr_octree_close_job *job, int64_t j,
                                   tsr_octree_wanted *wanted) {
  const tsr_octree_nodes *nodes = &job->tree.nodes;
  const tsr_octree_shape *shape = &job->tree.shape;
  const int height = (int)tsr_part_at(nodes->at, 0, shape->top + 1, j), b = job->buffer;
  int64_t at[3], low[3] = {0, 0, 0}, high[3] = {0, 0, 0}, x[3];
  if (job->refine[j] != TSR_OCTREE_ASKED)
    return;
  tsr_octree_lowest(shape, nodes->number[j], at);
  for (int a = 0; a < shape->dimension; ++a) {
    const int64_t last = (shape->finest[a] - 1) >> height;
    low[a] = at[a] > b ? at[a] - b : 0;
    high[a] = at[a] + b < last ? at[a] + b : last;
  }
  for (x[2] = low[2]; x[2] <= high[2]; ++x[2])
    for (x[1] = low[1]; x[1] <= high[1]; ++x[1])
      for (x[0] = low[0]; x[0] <= high[0]; ++x[0]) {
        const uint64_t i[3] = {(uint64_t)x[0], (uint64_t)x[1], (uint64_t)x[2]};
        const uint64_t number = tsr_morton(i, shape->dimension);
        const int64_t near =
            tsr_first_not_below(nodes->number, nodes->at[height], nodes->at[height + 1], number);
        if (near < nodes->at[height + 1] && nodes->number[near] == number &&
            job->refine[near] == TSR_OCTREE_KEEP && nodes->shown[near] &&
            tsr_octree_within_limits(shape, &job->limits, number << tsr_octree_shift(shape, height),
                                     height))
          tsr_octree_want_with_parents(shape, height, number, wanted);
      }
}

/** Counts the nodes around node j of the input's tree that the buffer requires to be split. */
TSR_FN void tsr_octree_count_buffer(const tsr_octree_close_job *job, int64_t j) {
  tsr_octree_wanted wanted = {NULL, 0};
  tsr_octree_buffer_node(job, j, &wanted);
  job->before[j] = wanted.n;
}

/** Writes the nodes around node j that the buffer requires to be split, behind the words of the
 *  refined nodes. */
TSR_FN void tsr_octree_put_buffer(const tsr_octree_close_job *job, int64_t j) {
  tsr_octree_wanted wanted = {job->words + job->n_words + job->before[j], 0};
  if (job->before[j + 1] > job->before[j])
    tsr_octree_buffer_node(job, j, &wanted);
}

/** Lists mark i, if it holds cells here that are not outside. */
TSR_FN void tsr_octree_mark_node(const tsr_octree_close_job *job, int64_t i,
                                 tsr_octree_wanted *wanted) {
  const tsr_octree_shape *shape = &job->tree.shape;
  const tsr_grid_node *mark = &job->marks[i];
  const int height = shape->levels - mark->level;
  uint64_t at[3] = {0, 0, 0}, number;
  if (height < 1 || height > shape->top)
    return;
  for (int a = 0; a < shape->dimension; ++a) {
    const int64_t x = mark->index[shape->axis[a]];
    if (x < 0 || x > (shape->finest[a] - 1) >> height)
      return;
    at[a] = (uint64_t)x;
  }
  number = tsr_morton(at, shape->dimension);
  if (tsr_octree_shown(&job->tree, tsr_octree_locate(&job->tree, number, height)))
    tsr_octree_want_with_parents(shape, height, number, wanted);
}

/** Counts the words of mark i. */
TSR_FN void tsr_octree_count_mark(const tsr_octree_close_job *job, int64_t i) {
  tsr_octree_wanted wanted = {NULL, 0};
  tsr_octree_mark_node(job, i, &wanted);
  job->before[i] = wanted.n;
}

/** Writes the words of mark i behind the words so far. */
TSR_FN void tsr_octree_put_mark(const tsr_octree_close_job *job, int64_t i) {
  tsr_octree_wanted wanted = {job->words + job->n_words + job->before[i], 0};
  tsr_octree_mark_node(job, i, &wanted);
}

#endif
