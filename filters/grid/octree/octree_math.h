/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Grids from cells of several sizes: the cells of the input in Morton order.
 *
 * The height of a node is the number of halvings from it down to the finest cells: a cell of height
 * h is 2^h of them long. The number of a node is the Morton number of its indices among the nodes
 * of its height; a cell's key is the number of its first finest cell, which is the cell's own
 * number shifted left by `dimension * height` bits. So the cells below a node are a range of the
 * cells in the order of their keys:
 *
 *     height 2  [               node 0                ]
 *     height 1  [     node 0      |      node 1       ]
 *     cells     [ key 0, height 1 | 4 | 5 | 6 | 7     ]     (2D: keys step by 4 a node of height 1)
 *
 * All indices are by inner axes: the axes that have cells come first, in their order.
 */
#ifndef TSR_GRID_OCTREE_OCTREE_MATH_H
#define TSR_GRID_OCTREE_OCTREE_MATH_H

#include "common/morton_math.h"
#include "common/part_math.h"
#include "common/run/executor.h"
#include "grid/criteria/measure_math.h"
#include "grid/cut/cut_math.h"

/** One more than the greatest height: an axis is halved up to 30 times, and the highest node may
 * reach beyond the domain. */
#define TSR_OCTREE_HEIGHTS 32

/** The place of a node that does not exist: outside the domain, or in a hole. */
#define TSR_OCTREE_NOWHERE INT64_MIN

/** The sizes of the tree. */
typedef struct tsr_octree_shape {
  int dimension;     /**< axes that have cells */
  int axis[3];       /**< the caller's axis that each inner axis stands for */
  int levels;        /**< level of the finest cells, counted from the largest leaves: coarsen_levels
                          more than the view counts */
  int top;           /**< height of the one node that holds the whole domain */
  int32_t finest[3]; /**< cells of the finest level along each inner axis; 1 along the others */
} tsr_octree_shape;

/** A list of cells that do not overlap, in the order of their keys; arrays of the executor. */
typedef struct tsr_octree_cells {
  int64_t n;
  uint64_t *key;
  uint8_t *height;
  int64_t *from; /**< input cells: their index in the view. Leaves of the output: their place in the
                      input tree, see tsr_octree_place */
  uint8_t *outside; /**< input cells: 1: no part of what the octree stands for; NULL: all are */
} tsr_octree_cells;

/** Returns by how many bits the number of a node of this height is shifted left to give the key of
 *  its first finest cell. */
TSR_FN int tsr_octree_shift(const tsr_octree_shape *shape, int height) {
  return shape->dimension * height;
}

/** Number of keys in a node of this height. Heights up to `top` fit. */
TSR_FN uint64_t tsr_octree_size(const tsr_octree_shape *shape, int height) {
  return (uint64_t)1 << tsr_octree_shift(shape, height);
}

/** Which child of its parent a node is. */
TSR_FN int tsr_octree_child_of(const tsr_octree_shape *shape, uint64_t number) {
  return (int)(number & (((uint64_t)1 << shape->dimension) - 1));
}

/* ---- The cells of the view */

/** The view's cells, and the order of their keys. */
typedef struct tsr_octree_input {
  tsr_octree_shape shape;
  int64_t n;
  const uint8_t *level;
  const int32_t *index;
  const uint8_t *hidden;  /**< NULL: none is hidden */
  const uint8_t *outside; /**< NULL: none is outside */
  int32_t cells[3];       /**< of level 0, by the caller's axes; 0 along an axis without cells */
  int deepest;            /**< level of the finest cells, as the view counts */
  tsr_pairs pairs;        /**< key and index of each cell, sorted by the key */
  int64_t *before;        /**< n + 1: cells kept before each, in the order of the pairs */
  tsr_octree_cells kept;
} tsr_octree_input;

/** What is found in the view's cells. */
typedef struct tsr_octree_found {
  int64_t visible;     /**< cells that are not hidden; of the kept ones, those not outside */
  int64_t bad;         /**< first cell with a level above 30 or an index outside its level; or -1 */
  int64_t first, last; /**< the first two cells that overlap, or -1 */
  int deepest;         /**< highest level of a visible cell */
} tsr_octree_found;

/** The result of no cells. */
TSR_FN tsr_octree_found tsr_octree_inspect_none(void) {
  const tsr_octree_found none = {0, -1, -1, -1, 0};
  return none;
}

/** Adds the result *part to *all. */
TSR_FN void tsr_octree_inspect_join(tsr_octree_found *all, const tsr_octree_found *part) {
  all->visible += part->visible;
  if (part->bad >= 0 && (all->bad < 0 || part->bad < all->bad))
    all->bad = part->bad;
  if (part->first >= 0 && (all->first < 0 || part->first < all->first)) {
    all->first = part->first;
    all->last = part->last;
  }
  all->deepest = part->deepest > all->deepest ? part->deepest : all->deepest;
}

/** Counts cell i of the view, and checks its level and index. */
TSR_FN void tsr_octree_inspect(const tsr_octree_input *job, int64_t i, tsr_octree_found *found) {
  const int level = job->level[i];
  tsr_octree_found one = tsr_octree_inspect_none();
  int good = level <= TSR_GRID_MAX_LEVEL;
  if (job->hidden && job->hidden[i])
    return;
  for (int a = 0; a < 3 && good; ++a) {
    const int64_t at = job->index[3 * i + a];
    const int64_t end = job->cells[a] > 0 ? (int64_t)job->cells[a] << level : 1;
    good = at >= 0 && at < end;
  }
  one.visible = 1;
  one.bad = good ? -1 : i;
  one.deepest = good ? level : 0;
  tsr_octree_inspect_join(found, &one);
}

/** The tuples of the view's cells. */
typedef struct tsr_octree_tuple_job {
  const int64_t *corner_tuple; /**< cells x corners */
  int64_t points;
  int corners;
} tsr_octree_tuple_job;

/** Finds cells with a point that the view does not have. */
TSR_FN tsr_octree_found tsr_octree_stray_none(void) { return tsr_octree_inspect_none(); }
TSR_FN void tsr_octree_stray_join(tsr_octree_found *all, const tsr_octree_found *part) {
  tsr_octree_inspect_join(all, part);
}
TSR_FN void tsr_octree_stray(const tsr_octree_tuple_job *job, int64_t i, tsr_octree_found *found) {
  tsr_octree_found one = tsr_octree_inspect_none();
  for (int k = 0; k < job->corners; ++k) {
    const int64_t tuple = job->corner_tuple[job->corners * i + k];
    if (tuple < 0 || tuple >= job->points)
      one.bad = i;
  }
  tsr_octree_inspect_join(found, &one);
}

/** Height of cell i of the view. */
TSR_FN int tsr_octree_height(const tsr_octree_input *job, int64_t i) {
  return job->deepest - job->level[i];
}

/** Makes pair i. Hidden cells come last. */
TSR_FN void tsr_octree_make_key(const tsr_octree_input *job, int64_t i) {
  const tsr_octree_shape *shape = &job->shape;
  uint64_t at[3] = {0, 0, 0}, key = tsr_octree_size(shape, shape->top);
  if (!job->hidden || !job->hidden[i]) {
    for (int a = 0; a < shape->dimension; ++a)
      at[a] = (uint64_t)(uint32_t)job->index[3 * i + shape->axis[a]];
    key = tsr_morton(at, shape->dimension) << tsr_octree_shift(shape, tsr_octree_height(job, i));
  }
  tsr_pairs_set(&job->pairs, i, key, i);
}

/** Decides whether cell i, in the order of the pairs, is kept: it is visible and no copy of the one
 *  before. */
TSR_FN void tsr_octree_keep_cell(const tsr_octree_input *job, int64_t i) {
  const uint64_t key = tsr_pairs_key(&job->pairs, i);
  int keeps = key < tsr_octree_size(&job->shape, job->shape.top);
  if (keeps && i > 0 && tsr_pairs_key(&job->pairs, i - 1) == key)
    keeps = tsr_octree_height(job, tsr_pairs_value(&job->pairs, i)) !=
            tsr_octree_height(job, tsr_pairs_value(&job->pairs, i - 1));
  job->before[i] = keeps;
}

/** Writes cell i, in the order of the pairs, to the list of those that are kept. */
TSR_FN void tsr_octree_take_cell(const tsr_octree_input *job, int64_t i) {
  const int64_t to = job->before[i];
  if (job->before[i + 1] == to)
    return;
  job->kept.key[to] = tsr_pairs_key(&job->pairs, i);
  job->kept.from[to] = tsr_pairs_value(&job->pairs, i);
  job->kept.height[to] = (uint8_t)tsr_octree_height(job, job->kept.from[to]);
  if (job->kept.outside)
    job->kept.outside[to] = job->outside[job->kept.from[to]] != 0;
}

TSR_FN tsr_octree_found tsr_octree_clash_none(void) { return tsr_octree_inspect_none(); }

TSR_FN void tsr_octree_clash_join(tsr_octree_found *all, const tsr_octree_found *part) {
  tsr_octree_inspect_join(all, part);
}

/** Counts kept cell i in *found if it is not outside, and records it if it overlaps kept cell
 *  i + 1. */
TSR_FN void tsr_octree_clash(const tsr_octree_input *job, int64_t i, tsr_octree_found *found) {
  const tsr_octree_cells *cells = &job->kept;
  tsr_octree_found one = tsr_octree_inspect_none();
  one.visible = !cells->outside || !cells->outside[i];
  if (i + 1 < cells->n &&
      cells->key[i] + tsr_octree_size(&job->shape, cells->height[i]) > cells->key[i + 1]) {
    one.first = cells->from[i];
    one.last = cells->from[i + 1];
  }
  tsr_octree_inspect_join(found, &one);
}

/* ---- The nodes above the cells */

/** Nodes with cells below them, height by height, in the order of their numbers. */
typedef struct tsr_octree_nodes {
  int64_t at[TSR_OCTREE_HEIGHTS + 1]; /**< by height: the first node; at[h + 1] ends height h */
  uint64_t *number;
  int64_t *first, *end; /**< cells below: [first, end) */
  int64_t *child;       /**< the first child that is a node, of the height below; where it would be
                             if there is none */
  uint8_t *split;       /**< a bit for each child that is a node */
  uint8_t *present;     /**< a bit for each child that is a node or a cell */
  uint8_t *shown;       /**< a bit for each child with a cell that is not outside; where no cell is
                             outside, this is `present` */
  uint8_t *complete;    /**< 1: cells cover all of the node */
} tsr_octree_nodes;

/** Cells are looked at in chunks; a chunk counts the nodes of each height that begin in it. */
#define TSR_OCTREE_CHUNK 256

typedef struct tsr_octree_node_job {
  tsr_octree_shape shape;
  tsr_octree_cells cells;
  tsr_octree_nodes nodes;
  int64_t chunks;
  int64_t *begin; /**< (top + 1) x chunks + 1: nodes that begin in each chunk, height by height;
                       then their sums */
  int64_t from;   /**< tsr_octree_complete_node: the first node of the height */
  int height;     /**< tsr_octree_complete_node: the height */
} tsr_octree_node_job;

/** The lowest height at which two keys lie in one node. */
TSR_FN int tsr_octree_common_height(const tsr_octree_shape *shape, uint64_t one, uint64_t other) {
  int height = 0;
  for (uint64_t difference = one ^ other; difference != 0; difference >>= shape->dimension)
    ++height;
  return height;
}

/** Returns the greatest height at which a node begins with cell i. A node begins there at each
 *  height from one above the cell's up to it; at none if it is lower. */
TSR_FN int tsr_octree_begins_to(const tsr_octree_node_job *job, int64_t i) {
  const uint64_t *key = job->cells.key;
  return i == 0 ? job->shape.top : tsr_octree_common_height(&job->shape, key[i - 1], key[i]) - 1;
}

/** Returns the greatest height at which a node ends with cell i, as tsr_octree_begins_to does. */
TSR_FN int tsr_octree_ends_to(const tsr_octree_node_job *job, int64_t i) {
  const uint64_t *key = job->cells.key;
  return i + 1 == job->cells.n ? job->shape.top
                               : tsr_octree_common_height(&job->shape, key[i], key[i + 1]) - 1;
}

TSR_FN int64_t tsr_octree_chunk_end(const tsr_octree_node_job *job, int64_t chunk) {
  const int64_t end = (chunk + 1) * TSR_OCTREE_CHUNK;
  return end < job->cells.n ? end : job->cells.n;
}

/** Counts the nodes that begin in a chunk of cells. */
TSR_FN void tsr_octree_count_nodes(const tsr_octree_node_job *job, int64_t chunk) {
  int64_t n[TSR_OCTREE_HEIGHTS] = {0};
  for (int64_t i = chunk * TSR_OCTREE_CHUNK; i < tsr_octree_chunk_end(job, chunk); ++i)
    for (int h = job->cells.height[i] + 1; h <= tsr_octree_begins_to(job, i); ++h)
      ++n[h];
  for (int h = 0; h <= job->shape.top; ++h)
    job->begin[h * job->chunks + chunk] = n[h];
}

/** Writes the nodes that begin or end in a chunk of cells. */
TSR_FN void tsr_octree_put_nodes(const tsr_octree_node_job *job, int64_t chunk) {
  const tsr_octree_nodes *nodes = &job->nodes;
  int64_t next[TSR_OCTREE_HEIGHTS];
  for (int h = 0; h <= job->shape.top; ++h)
    next[h] = job->begin[h * job->chunks + chunk];
  for (int64_t i = chunk * TSR_OCTREE_CHUNK; i < tsr_octree_chunk_end(job, chunk); ++i) {
    const int own = job->cells.height[i];
    const int begins = tsr_octree_begins_to(job, i), ends = tsr_octree_ends_to(job, i);
    for (int h = own + 1; h <= begins; ++h) {
      const int64_t to = next[h]++;
      nodes->number[to] = job->cells.key[i] >> tsr_octree_shift(&job->shape, h);
      nodes->first[to] = i;
      nodes->child[to] = next[h - 1] - (h - 1 > own);
    }
    for (int h = own + 1; h <= ends; ++h)
      nodes->end[next[h] - 1] = i + 1;
  }
}

/** Finds the children of node j, which lie behind one another in the cells and in the nodes of the
 *  next height. */
TSR_FN void tsr_octree_link_node(const tsr_octree_node_job *job, int64_t j) {
  const tsr_octree_nodes *nodes = &job->nodes;
  const int height = (int)tsr_part_at(nodes->at, 0, job->shape.top + 1, j);
  const int shift = tsr_octree_shift(&job->shape, height - 1);
  int64_t child = nodes->child[j], cell = nodes->first[j];
  unsigned split = 0, present = 0;
  while (cell < nodes->end[j]) {
    const unsigned bit = 1u << tsr_octree_child_of(&job->shape, job->cells.key[cell] >> shift);
    present |= bit;
    if (job->cells.height[cell] == height - 1) {
      ++cell;
    } else {
      split |= bit;
      cell = nodes->end[child++];
    }
  }
  nodes->split[j] = (uint8_t)split;
  nodes->present[j] = (uint8_t)present;
}

/** Finds which children of node j have a cell that is not outside. */
TSR_FN unsigned tsr_octree_find_shown(const tsr_octree_node_job *job, int64_t j) {
  const tsr_octree_nodes *nodes = &job->nodes;
  int64_t node = nodes->child[j], cell = nodes->first[j];
  unsigned shown = 0;
  for (int c = 0; c < 1 << job->shape.dimension; ++c)
    if (nodes->split[j] >> c & 1) {
      shown |= (unsigned)(nodes->shown[node] != 0) << c;
      cell = nodes->end[node++];
    } else if (nodes->present[j] >> c & 1) {
      shown |= (unsigned)!job->cells.outside[cell++] << c;
    }
  return shown;
}

/** Finds whether node job->from + k is complete, and what of it is shown. Its children must have
 * been looked at. */
TSR_FN void tsr_octree_complete_node(const tsr_octree_node_job *job, int64_t k) {
  const tsr_octree_nodes *nodes = &job->nodes;
  const int64_t j = job->from + k;
  const int children = 1 << job->shape.dimension;
  const int below = tsr_bits_below(nodes->split[j], 8);
  int complete = nodes->present[j] == (1 << children) - 1;
  for (int c = 0; complete && c < below; ++c)
    complete = nodes->complete[nodes->child[j] + c];
  nodes->complete[j] = (uint8_t)complete;
  if (job->cells.outside)
    nodes->shown[j] = (uint8_t)tsr_octree_find_shown(job, j);
}

/* ---- Places in the tree of the input */

/** The tree of the input, as later steps read it. */
typedef struct tsr_octree_tree {
  tsr_octree_shape shape;
  tsr_octree_cells cells;
  tsr_octree_nodes nodes;
} tsr_octree_tree;

/** The place of cell i; a node's place is its index. A part of a cell has the place of the cell. */
TSR_FN int64_t tsr_octree_place(int64_t cell) { return -1 - cell; }

/** Returns the place of child c of a place; TSR_OCTREE_NOWHERE where there is none. */
TSR_FN int64_t tsr_octree_child(const tsr_octree_tree *tree, int64_t place, int c) {
  const tsr_octree_nodes *nodes = &tree->nodes;
  int64_t cell, child;
  if (place < 0)
    return place;
  if (!(nodes->present[place] >> c & 1))
    return TSR_OCTREE_NOWHERE;
  child = nodes->child[place] + tsr_bits_below(nodes->split[place], c);
  if (nodes->split[place] >> c & 1)
    return child;
  /* The cell follows what is below the child before it. */
  cell = nodes->first[place];
  for (int k = 0, node = 0; k < c; ++k)
    if (nodes->split[place] >> k & 1)
      cell = nodes->end[nodes->child[place] + node++];
    else
      cell += nodes->present[place] >> k & 1;
  return tsr_octree_place(cell);
}

/** Where a walk along the children of a place stands: the next node and the next cell below it. */
typedef struct tsr_octree_walk {
  int64_t place, node, cell;
} tsr_octree_walk;

/** Begins a walk along the children of a place, which may be TSR_OCTREE_NOWHERE. */
TSR_FN tsr_octree_walk tsr_octree_begin_walk(const tsr_octree_tree *tree, int64_t place) {
  const tsr_octree_walk walk = {place, place >= 0 ? tree->nodes.child[place] : 0,
                                place >= 0 ? tree->nodes.first[place] : 0};
  return walk;
}

/** Returns what tsr_octree_child returns for child c. Children are asked for in their order, each
 *  once. */
TSR_FN int64_t tsr_octree_walk_on(const tsr_octree_tree *tree, tsr_octree_walk *walk, int c) {
  const tsr_octree_nodes *nodes = &tree->nodes;
  if (walk->place < 0)
    return walk->place;
  if (!(nodes->present[walk->place] >> c & 1))
    return TSR_OCTREE_NOWHERE;
  if (!(nodes->split[walk->place] >> c & 1))
    return tsr_octree_place(walk->cell++);
  walk->cell = nodes->end[walk->node];
  return walk->node++;
}

/** The place of the whole domain. */
TSR_FN int64_t tsr_octree_root(const tsr_octree_tree *tree) {
  const int64_t root = tree->nodes.at[tree->shape.top];
  return root < tree->nodes.at[tree->shape.top + 1] ? root : tsr_octree_place(0);
}

/** Returns the place of a node, or of the cell that it is in; TSR_OCTREE_NOWHERE where it holds no
 *  cell. */
TSR_FN int64_t tsr_octree_locate(const tsr_octree_tree *tree, uint64_t number, int height) {
  int64_t place = tsr_octree_root(tree);
  for (int h = tree->shape.top; h > height && place >= 0; --h)
    place = tsr_octree_child(
        tree, place,
        tsr_octree_child_of(&tree->shape,
                            number >> tsr_octree_shift(&tree->shape, h - 1 - height)));
  return place;
}

/** Returns the cell of the input that holds a finest cell, or -1. */
TSR_FN int64_t tsr_octree_cell_at(const tsr_octree_tree *tree, const int64_t at[3]) {
  uint64_t i[3] = {0, 0, 0};
  int64_t place;
  for (int a = 0; a < tree->shape.dimension; ++a) {
    if (at[a] < 0 || at[a] >= tree->shape.finest[a])
      return -1;
    i[a] = (uint64_t)at[a];
  }
  place = tsr_octree_locate(tree, tsr_morton(i, tree->shape.dimension), 0);
  return place == TSR_OCTREE_NOWHERE ? -1 : -1 - place;
}

/** 1 if cell i of the input is outside. */
TSR_FN int tsr_octree_is_outside(const tsr_octree_tree *tree, int64_t i) {
  return tree->cells.outside && tree->cells.outside[i];
}

/** Children of a place that hold cells which are not outside, as a bit each. */
TSR_FN unsigned tsr_octree_shown(const tsr_octree_tree *tree, int64_t place) {
  if (place >= 0)
    return tree->nodes.shown[place];
  return place == TSR_OCTREE_NOWHERE || tsr_octree_is_outside(tree, -1 - place)
             ? 0u
             : (1u << (1 << tree->shape.dimension)) - 1u;
}

#endif
