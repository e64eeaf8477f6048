/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Grids: nodes, the tree of refined nodes, and interpolation in the lattice of the finest level.
 *
 * A node is a box of cells: (level, i, j, k). Nodes of level 0 are the roots, those of the level
 * `coarsen` the input cells. Inner axes: the axes that have cells come first, in their order, so
 * that loops over corners run to 2^dimension. Along an axis without cells every level has one node,
 * and the grid has one point.
 */
#ifndef TSR_GRID_LATTICE_MATH_H
#define TSR_GRID_LATTICE_MATH_H

#include "common/common_math.h"
#include "grid/tessera_grid.h"

#ifndef __cplusplus
#include <stdatomic.h>
#endif

/** The index space of a plan, by inner axes. All indices count from the lowest corner of the whole
 *  grid, except positions in the arrays that this process holds. */
typedef struct tsr_lattice {
  int dimension;         /**< axes that have cells */
  int axis[3];           /**< the caller's axis that each inner axis stands for */
  int coarsen, levels;   /**< level of the input cells; the finest level */
  int64_t cells[3];      /**< input cells of the whole grid */
  int64_t roots[3];      /**< roots of the whole grid */
  int64_t held[3][2];    /**< input cells held here: begin, end */
  int64_t owned[3][2];   /**< roots owned here: begin, end */
  int64_t ghosted[3][2]; /**< roots of the tree here: the owned ones and the ghosts around them */
  int64_t point_step[3]; /**< distance of neighbouring points in the held arrays, in tuples */
  int64_t cell_step[3];  /**< distance of neighbouring cells in the held arrays, in tuples */
} tsr_lattice;

/** Levels whose nodes are refined in any case. */
TSR_FN int tsr_base_levels(const tsr_grid_options *o) {
  return o->output == TSR_GRID_TREES ? o->base_levels : 0;
}

/** Index i moved `by` levels up the tree (divided by 2^by), or -by levels down; unchanged along an
 *  axis without cells. */
TSR_FN int64_t tsr_shift(const tsr_lattice *lattice, int axis, int64_t i, int by) {
  if (axis >= lattice->dimension)
    return i;
  return by >= 0 ? i >> by : i * ((int64_t)1 << -by);
}

/** Number of nodes of a level along an axis, with one that reaches beyond the end of the grid. */
TSR_FN int64_t tsr_level_nodes(const tsr_lattice *lattice, int axis, int level) {
  const int by = lattice->coarsen - level;
  if (axis >= lattice->dimension)
    return 1;
  if (by <= 0)
    return lattice->cells[axis] * ((int64_t)1 << -by);
  return (lattice->cells[axis] + ((int64_t)1 << by) - 1) >> by;
}

/** Number of nodes of a level along an axis that do not reach beyond the end of the grid. */
TSR_FN int64_t tsr_level_whole_nodes(const tsr_lattice *lattice, int axis, int level) {
  const int by = lattice->coarsen - level;
  return axis < lattice->dimension && by > 0 ? lattice->cells[axis] >> by
                                             : tsr_level_nodes(lattice, axis, level);
}

/** [begin, end) of the nodes of `level` in the roots [box[0], box[1]) along an axis. */
TSR_FN void tsr_level_range(const tsr_lattice *lattice, int axis, int level, const int64_t box[2],
                            int64_t range[2]) {
  const int64_t n = tsr_level_nodes(lattice, axis, level);
  range[0] = tsr_shift(lattice, axis, box[0], -level);
  range[1] = tsr_shift(lattice, axis, box[1], -level);
  if (range[1] > n)
    range[1] = n;
  if (range[0] > range[1])
    range[0] = range[1];
}

/** [begin, end) of the input cells of node i along an axis. A node that is finer than the input
 * cells has one: the input cell that contains it. */
TSR_FN void tsr_node_cells(const tsr_lattice *lattice, int axis, int level, int64_t i,
                           int64_t range[2]) {
  const int by = lattice->coarsen - level;
  if (axis >= lattice->dimension) {
    range[0] = 0;
    range[1] = 1;
  } else if (by <= 0) {
    range[0] = i >> -by;
    range[1] = range[0] + 1;
  } else {
    range[0] = i * ((int64_t)1 << by);
    range[1] = range[0] + ((int64_t)1 << by);
    if (range[1] > lattice->cells[axis])
      range[1] = lattice->cells[axis];
  }
}

/** Inner indices of a node. */
TSR_FN void tsr_node_inner(const tsr_lattice *lattice, const tsr_grid_node *node, int64_t i[3]) {
  for (int a = 0; a < 3; ++a)
    i[a] = node->index[lattice->axis[a]];
}

/** The node with these inner indices. */
TSR_FN tsr_grid_node tsr_node_outer(const tsr_lattice *lattice, int level, const int64_t i[3]) {
  tsr_grid_node node;
  node.level = level;
  for (int a = 0; a < 3; ++a)
    node.index[lattice->axis[a]] = (int32_t)i[a];
  return node;
}

/** Index i of node n of the box [range[a][0], range[a][1]) along each axis a, axis 0 fastest. */
TSR_FN void tsr_node_in(const int64_t range[3][2], int64_t n, int64_t i[3]) {
  const int64_t nx = range[0][1] - range[0][0], ny = range[1][1] - range[1][0];
  i[0] = range[0][0] + n % nx;
  i[1] = range[1][0] + n / nx % ny;
  i[2] = range[2][0] + n / nx / ny;
}

/** Number of the node with index i in such a box. */
TSR_FN int64_t tsr_number_in(const int64_t range[3][2], const int64_t i[3]) {
  return ((i[2] - range[2][0]) * (range[1][1] - range[1][0]) + (i[1] - range[1][0])) *
             (range[0][1] - range[0][0]) +
         (i[0] - range[0][0]);
}

/** Child k of node i of `level`. Returns 0 where it lies outside the grid. */
TSR_FN int tsr_node_child(const tsr_lattice *lattice, int level, const int64_t i[3], unsigned k,
                          int64_t child[3]) {
  int exists = 1;
  for (int a = 0; a < 3; ++a) {
    child[a] = a < lattice->dimension ? 2 * i[a] + ((k >> a) & 1) : 0;
    exists = exists && child[a] < tsr_level_nodes(lattice, a, level + 1);
  }
  return exists;
}

/** First and last lattice point of node i along an axis. The lattice divides an input cell into
 *  2^(levels - coarsen). */
TSR_FN void tsr_node_lattice(const tsr_lattice *lattice, int axis, int level, int64_t i,
                             int64_t range[2]) {
  const int by = lattice->levels - level;
  int64_t last;
  if (axis >= lattice->dimension) {
    range[0] = range[1] = 0;
    return;
  }
  last = lattice->cells[axis] * ((int64_t)1 << (lattice->levels - lattice->coarsen));
  range[0] = i * ((int64_t)1 << by);
  range[1] = range[0] + ((int64_t)1 << by);
  if (range[1] > last)
    range[1] = last;
}

/** 1 if the node reaches beyond the end of the grid. */
TSR_FN int tsr_node_sticks_out(const tsr_lattice *lattice, int level, const int64_t i[3]) {
  const int by = lattice->coarsen - level;
  for (int a = 0; by > 0 && a < lattice->dimension; ++a)
    if ((i[a] + 1) * ((int64_t)1 << by) > lattice->cells[a])
      return 1;
  return 0;
}

/** Place of an input point in the held point arrays. */
TSR_FN int64_t tsr_point_at(const tsr_lattice *lattice, const int64_t p[3]) {
  return (p[0] - lattice->held[0][0]) * lattice->point_step[0] +
         (p[1] - lattice->held[1][0]) * lattice->point_step[1] +
         (p[2] - lattice->held[2][0]) * lattice->point_step[2];
}

/** Place of an input cell in the held cell arrays. */
TSR_FN int64_t tsr_cell_at(const tsr_lattice *lattice, const int64_t c[3]) {
  return (c[0] - lattice->held[0][0]) * lattice->cell_step[0] +
         (c[1] - lattice->held[1][0]) * lattice->cell_step[1] +
         (c[2] - lattice->held[2][0]) * lattice->cell_step[2];
}

/** Place, in the held arrays, of the input cell that a node begins with; -1: it lies outside the
 *  grid. */
TSR_FN int64_t tsr_node_source(const tsr_lattice *lattice, int level, const int64_t i[3]) {
  int64_t c[3], range[2];
  for (int a = 0; a < 3; ++a) {
    if (i[a] >= tsr_level_nodes(lattice, a, level))
      return -1;
    tsr_node_cells(lattice, a, level, i[a], range);
    c[a] = range[0];
  }
  return tsr_cell_at(lattice, c);
}

/** 1 if the node is hidden. Its first input cell, which must be held, stands for all of them.
 *  hidden: one flag for each held input cell; NULL if none is hidden. */
TSR_FN int tsr_hidden_node(const tsr_lattice *lattice, const uint8_t *hidden, int level,
                           const int64_t i[3]) {
  return hidden && hidden[tsr_node_source(lattice, level, i)] != 0;
}

/** Number of an input cell of the whole grid, axis 0 fastest. */
TSR_FN int64_t tsr_cell_number_of(const tsr_lattice *lattice, const int64_t c[3]) {
  int64_t at = 0;
  for (int a = lattice->dimension - 1; a >= 0; --a)
    at = at * lattice->cells[a] + c[a];
  return at;
}

/* -------------------------------------------------------------------- bits */

/** A bit set that also ranks: before[w] is the number of set bits before word w. */
typedef struct tsr_bits {
  uint64_t *word;
  int64_t *before;
  int64_t words;
} tsr_bits;

/** Number of set bits. */
TSR_FN int tsr_popcount(uint64_t w) {
  w = w - ((w >> 1) & 0x5555555555555555u);
  w = (w & 0x3333333333333333u) + ((w >> 2) & 0x3333333333333333u);
  w = (w + (w >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return (int)((w * 0x0101010101010101u) >> 56);
}

/** Bit n. */
TSR_FN int tsr_bits_get(const tsr_bits *bits, int64_t n) {
  return (int)((bits->word[n >> 6] >> (n & 63)) & 1u);
}

/** Number of set bits before bit n. */
TSR_FN int64_t tsr_bits_rank(const tsr_bits *bits, int64_t n) {
  return bits->before[n >> 6] + tsr_popcount(bits->word[n >> 6] & (((uint64_t)1 << (n & 63)) - 1));
}

/** Sets bit n; any number of threads may do so at once. */
TSR_FN void tsr_bits_set(const tsr_bits *bits, int64_t n) {
  const uint64_t bit = (uint64_t)1 << (n & 63);
#if defined(__CUDA_ARCH__)
  unsigned long long *word = (unsigned long long *)&bits->word[n >> 6];
  if (!(*(volatile unsigned long long *)word & bit))
    atomicOr(word, (unsigned long long)bit);
#elif defined(__cplusplus)
  bits->word[n >> 6] |= bit; /* never by two threads */
#else
  _Atomic uint64_t *word = (_Atomic uint64_t *)&bits->word[n >> 6];
  if (!(atomic_load_explicit(word, memory_order_relaxed) & bit))
    atomic_fetch_or_explicit(word, bit, memory_order_relaxed);
#endif
}

/* -------------------------------------------------------------------- tree */

/**
 * Which nodes are refined, one bit each. A byte holds the children of one parent; bit
 * tsr_child_number() is that of a child. Levels up to that of the input cells are dense boxes of
 * bytes over the roots of the tree here. Deeper levels are bricks: all bytes of one input cell, for
 * the input cells that need them.
 */
typedef struct tsr_tree {
  uint8_t *dense[TSR_GRID_MAX_LEVEL + 1];
  int64_t first[TSR_GRID_MAX_LEVEL + 1][3]; /**< first parent of the box */
  int64_t size[TSR_GRID_MAX_LEVEL + 1][3];  /**< parents of the box */
  tsr_bits has_brick; /**< one bit an input cell, at 8 * byte + bit of the dense level `coarsen` */
  uint8_t *bricks;
  int64_t n_bricks, brick_bytes;
  int64_t brick_level[TSR_GRID_MAX_LEVEL + 1]; /**< where a level starts in a brick */
} tsr_tree;

/** The bit of a child in its parent's byte: the sum of 2^a over the inner axes a along which it is
 *  the upper child. */
TSR_FN int tsr_child_number(const int64_t i[3]) {
  return (int)((i[0] & 1) | ((i[1] & 1) << 1) | ((i[2] & 1) << 2));
}

/** The parent whose children byte n of a dense level holds. */
TSR_FN void tsr_tree_parent(const tsr_tree *tree, int level, int64_t n, int64_t parent[3]) {
  const int64_t *size = tree->size[level], *first = tree->first[level];
  parent[0] = first[0] + n % size[0];
  parent[1] = first[1] + n / size[0] % size[1];
  parent[2] = first[2] + n / size[0] / size[1];
}

/** Number of the byte of a node of a dense level. */
TSR_FN int64_t tsr_tree_dense_at(const tsr_tree *tree, int level, const int64_t i[3]) {
  const int64_t *f = tree->first[level], *n = tree->size[level];
  return (((i[2] >> 1) - f[2]) * n[1] + ((i[1] >> 1) - f[1])) * n[0] + ((i[0] >> 1) - f[0]);
}

/** Number of the brick of an input cell, or -1. */
TSR_FN int64_t tsr_tree_brick(const tsr_tree *tree, int coarsen, const int64_t cell[3]) {
  const int64_t bit = 8 * tsr_tree_dense_at(tree, coarsen, cell) + tsr_child_number(cell);
  if (!tree->has_brick.word || !tsr_bits_get(&tree->has_brick, bit))
    return -1;
  return tsr_bits_rank(&tree->has_brick, bit);
}

/** The byte that holds the node's bit; NULL: the node is in no brick, so not refined. */
TSR_FN uint8_t *tsr_tree_byte(const tsr_tree *tree, const tsr_lattice *lattice, int level,
                              const int64_t i[3]) {
  int64_t cell[3], at = 0, brick;
  const int below = level - lattice->coarsen;
  if (level >= lattice->levels)
    return NULL;
  if (below <= 0 || level == 0)
    return tree->dense[level] + tsr_tree_dense_at(tree, level, i);
  for (int a = 2; a >= 0; --a) {
    const int64_t mask = ((int64_t)1 << (below - 1)) - 1;
    cell[a] = tsr_shift(lattice, a, i[a], below);
    if (a < lattice->dimension)
      at = (at << (below - 1)) | ((i[a] >> 1) & mask);
  }
  brick = tsr_tree_brick(tree, lattice->coarsen, cell);
  return brick < 0 ? NULL
                   : tree->bricks + brick * tree->brick_bytes + tree->brick_level[level] + at;
}

/** 1 if the node, which lies in the roots of the tree here, is refined. */
TSR_FN int tsr_tree_get(const tsr_tree *tree, const tsr_lattice *lattice, int level,
                        const int64_t i[3]) {
  const uint8_t *byte = tsr_tree_byte(tree, lattice, level, i);
  return byte ? (*byte >> tsr_child_number(i)) & 1 : 0;
}

/** The input cell that a brick divides, by its bit in has_brick. */
TSR_FN void tsr_brick_cell(const tsr_lattice *lattice, const tsr_tree *tree, int64_t bit,
                           int64_t cell[3]) {
  tsr_tree_parent(tree, lattice->coarsen, bit / 8, cell);
  for (int a = 0; a < 3; ++a)
    cell[a] = a < lattice->dimension ? 2 * cell[a] + ((bit >> a) & 1) : 0;
}

/** The node whose children's bits are in byte n of a level, in the brick of the cell. */
TSR_FN void tsr_brick_parent(const tsr_lattice *lattice, int level, const int64_t cell[3],
                             int64_t n, int64_t parent[3]) {
  const int below = level - 1 - lattice->coarsen;
  for (int a = 0; a < 3; ++a) {
    parent[a] = cell[a];
    if (a < lattice->dimension)
      parent[a] =
          cell[a] * ((int64_t)1 << below) + ((n >> (a * below)) & (((int64_t)1 << below) - 1));
  }
}

/** 1 if the node exists in the grid and lies in the roots of the tree here. */
TSR_FN int tsr_node_in_tree(const tsr_lattice *lattice, int level, const int64_t i[3]) {
  for (int a = 0; a < 3; ++a) {
    int64_t range[2];
    tsr_level_range(lattice, a, level, lattice->ghosted[a], range);
    if (i[a] < range[0] || i[a] >= range[1])
      return 0;
  }
  return 1;
}

/* ----------------------------------------------------------- interpolation */

/** Up to eight input points and their weights. */
typedef struct tsr_corners {
  int n;
  int64_t at[8]; /**< places in the held point arrays */
  double weight[8];
} tsr_corners;

/** Value of one component: the weighted sum, in the order of the corners. */
TSR_FN double tsr_corners_value(const tsr_corners *c, const tsr_array *array, int component) {
  double sum = c->weight[0] * tsr_load(array, c->at[0] * array->components + component);
  for (int k = 1; k < c->n; ++k)
    sum += c->weight[k] * tsr_load(array, c->at[k] * array->components + component);
  return sum;
}

/** Corners and weights of lattice point x. Corners of weight 0 are left out, so that an input point
 *  has one corner, of weight 1. */
TSR_FN void tsr_lattice_corners(const tsr_lattice *lattice, const int64_t x[3], tsr_corners *c) {
  const int deep = lattice->levels - lattice->coarsen;
  const double unit = 1.0 / (double)((int64_t)1 << deep);
  int64_t p[3];
  c->n = 1;
  c->weight[0] = 1.0;
  for (int a = 0; a < 3; ++a)
    p[a] = tsr_shift(lattice, a, x[a], deep);
  c->at[0] = tsr_point_at(lattice, p);
  for (int a = 0; a < lattice->dimension; ++a) {
    const int64_t beyond = x[a] - p[a] * ((int64_t)1 << deep);
    const double t = (double)beyond * unit;
    const int n = c->n;
    if (beyond == 0)
      continue;
    for (int k = 0; k < n; ++k) {
      c->at[n + k] = c->at[k] + lattice->point_step[a];
      c->weight[n + k] = c->weight[k] * t;
      c->weight[k] = c->weight[k] * (1.0 - t);
    }
    c->n = 2 * n;
  }
}

/** Level of the leaf that holds cell i of the finest level, which lies in the roots of the tree
 * here. */
TSR_FN int tsr_tree_leaf(const tsr_tree *tree, const tsr_lattice *lattice, const int64_t i[3]) {
  for (int level = 0; level < lattice->levels; ++level) {
    int64_t node[3];
    for (int a = 0; a < 3; ++a)
      node[a] = tsr_shift(lattice, a, i[a], lattice->levels - level);
    if (!tsr_tree_get(tree, lattice, level, node))
      return level;
  }
  return lattice->levels;
}

/** Multilinear interpolation of corner values at t[1], t[2], for both ends of axis 0. */
TSR_FN void tsr_row_ends(int dimension, const double v[8], const double t[3], double end[2]) {
  for (int k = 0; k < 2; ++k) {
    double low = v[k], high;
    if (dimension > 1)
      low = v[k] * (1.0 - t[1]) + v[k + 2] * t[1];
    if (dimension > 2) {
      high = v[k + 4] * (1.0 - t[1]) + v[k + 6] * t[1];
      low = low * (1.0 - t[2]) + high * t[2];
    }
    end[k] = low;
  }
}

/** Multilinear interpolation of corner values v (2^dimension of them, axis 0 fastest) at t: axis 0
 *  last, as along the rows of a node. */
TSR_FN double tsr_multilinear(int dimension, const double v[8], const double t[3]) {
  double end[2];
  tsr_row_ends(dimension, v, t, end);
  return end[0] * (1.0 - t[0]) + end[1] * t[0];
}

/** Largest magnitude that counts as finite. */
#define TSR_LARGEST_VALUE 1.7976931348623157e308

/** 1 if v is neither infinite nor not-a-number. */
TSR_FN int tsr_finite(double v) { return fabs(v) <= TSR_LARGEST_VALUE; }

#endif
