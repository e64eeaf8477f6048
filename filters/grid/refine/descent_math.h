/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Grids: the descent, from the roots to the input cells. Before it, a bit of the tree says that a
 * criterion asks for a node, whether that node exists or not; after it, that the node is refined:
 *
 *     level 0   [x]            a root that is asked for
 *               / \
 *     level 1  x   .           its children; the left one is asked for
 *             / \   \
 *     level 2 .  x   (x)       (x) was asked for, but its parent is not refined: the bit goes
 *
 * A byte holds the children of one parent, so one step looks at up to eight nodes: those that
 * exist, among them those that are refined in any case, and those that criteria may refine.
 */
#ifndef TSR_GRID_REFINE_DESCENT_MATH_H
#define TSR_GRID_REFINE_DESCENT_MATH_H

#include "grid/lattice_math.h"

/** 1 if a node from x[0] to x[1] lies beside [low, high]: what only touches it does, but where the
 *  region is a plane. */
TSR_FN int tsr_region_passes(const double x[2], double low, double high) {
  return low == high ? (x[1] < low) | (x[0] > high) : (x[1] <= low) | (x[0] >= high);
}

/** Nodes at this level and deeper are refined neither by criteria nor by the buffer. whole: of the
 *  view. */
TSR_FN int tsr_region_limit(const tsr_lattice *lattice, const tsr_grid_options *o,
                            const int64_t whole[6], int level, const int64_t i[3]) {
  const double unit = 1.0 / (double)((int64_t)1 << (lattice->levels - lattice->coarsen));
  if (!o->use_region)
    return lattice->levels;
  for (int a = 0; a < lattice->dimension; ++a) {
    const int axis = lattice->axis[a];
    const double first = (double)whole[2 * axis];
    int64_t at[2];
    double x[2];
    tsr_node_lattice(lattice, a, level, i[a], at);
    x[0] = first + (double)at[0] * unit;
    x[1] = first + (double)at[1] * unit;
    if (tsr_region_passes(x, o->region[2 * axis], o->region[2 * axis + 1]))
      return o->outside_level;
  }
  return o->inside_level;
}

/** 1 if the descent goes on to the children, on `level`, of this parent. */
TSR_FN int tsr_descent_reaches(const tsr_lattice *lattice, const tsr_tree *tree, int level,
                               const int64_t parent[3]) {
  return level == 0 || (tsr_node_in_tree(lattice, level - 1, parent) &&
                        tsr_tree_get(tree, lattice, level - 1, parent));
}

/** Child k of a parent, whether it exists or not. */
TSR_FN void tsr_descent_child(const tsr_lattice *lattice, const int64_t parent[3], unsigned k,
                              int64_t i[3]) {
  for (int a = 0; a < 3; ++a)
    i[a] = a < lattice->dimension ? 2 * parent[a] + ((k >> a) & 1) : 0;
}

/** Bits of the children of a parent that are owned. owned: nodes of their level. */
TSR_FN unsigned tsr_descent_owned(const tsr_lattice *lattice, const int64_t owned[3][2],
                                  const int64_t parent[3]) {
  unsigned bits = 0;
  for (unsigned k = 0; k < (1u << lattice->dimension); ++k) {
    int64_t i[3];
    int inside = 1;
    tsr_descent_child(lattice, parent, k, i);
    for (int a = 0; a < 3; ++a)
      inside = inside && i[a] >= owned[a][0] && i[a] < owned[a][1];
    bits |= inside ? 1u << k : 0u;
  }
  return bits;
}

/** Selects from the bits `children` of a parent, nodes of `level`, the children that are refined
 *  whatever criteria and limits say. mixed: bits of the children with hidden and visible cells. */
TSR_FN unsigned tsr_descent_forced(const tsr_lattice *lattice, const tsr_grid_options *o, int level,
                                   const int64_t parent[3], unsigned children, unsigned mixed) {
  unsigned bits = children & mixed;
  if (o->mode == TSR_GRID_FINE)
    return children;
  if (o->output != TSR_GRID_TREES && o->output != TSR_GRID_PATCHES)
    return bits;
  if (level < tsr_base_levels(o))
    return children;
  for (unsigned k = 0; k < (1u << lattice->dimension); ++k) {
    int64_t i[3];
    tsr_descent_child(lattice, parent, k, i);
    if (((children >> k) & 1) && tsr_node_sticks_out(lattice, level, i))
      bits |= 1u << k;
  }
  return bits;
}

/** Selects from the bits `children` of a parent, nodes of `level`, the children that criteria may
 *  refine: their level is below the limits. */
TSR_FN unsigned tsr_descent_open(const tsr_lattice *lattice, const tsr_grid_options *o,
                                 const int64_t whole[6], int level, const int64_t parent[3],
                                 unsigned children) {
  unsigned bits = 0;
  if (o->mode != TSR_GRID_ADAPTIVE)
    return 0;
  if (!o->use_region)
    return level < lattice->levels ? children : 0;
  for (unsigned k = 0; k < (1u << lattice->dimension); ++k) {
    int64_t i[3];
    tsr_descent_child(lattice, parent, k, i);
    if (((children >> k) & 1) && level < tsr_region_limit(lattice, o, whole, level, i))
      bits |= 1u << k;
  }
  return bits;
}

#endif
