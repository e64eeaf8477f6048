/* SPDX-License-Identifier: BSD-3-Clause */
/** What tests of random octrees share: cells of the output, and the parts of several processes. */
#ifndef TESSERA_TEST_OCTREE_CHECK_H
#define TESSERA_TEST_OCTREE_CHECK_H

#include "grid_cell.h"
#include "octree_case.h"

/** Number of axes that have cells. */
int octree_dimension(const octree_case *it);

/** The axes, those that have cells first. */
void octree_axes(const octree_case *it, int axis[3]);

/** 1 if cell i is outside. */
int octree_is_outside(const octree_case *it, int64_t i);

/** The interpolation error of point or cell data, with the samples of the case. */
tsr_grid_criterion octree_sampled_criterion(const octree_case *it, int cell_data, double threshold);

/** Options with one criterion. */
tsr_grid_options octree_options(const tsr_grid_criterion *c, int output, int coarsen);

/** Corner k of cell i of the input. Returns 0 if it has none. */
int octree_corner(const octree_case *it, int64_t i, int k, double x[3]);

/** 1 if cell i of the input is in a leaf. coarsen: of the options. */
int octree_is_within(const octree_case *it, int64_t i, const tsr_grid_node *leaf, int coarsen);

/** 1 if a leaf is a part of cell i, or the cell. */
int octree_is_part(const octree_case *it, int64_t i, const tsr_grid_node *leaf, int coarsen);

/** The recipe of number k of a long run. */
octree_recipe octree_recipe_of(unsigned k);

/** A cell of the output with what it interpolates of `value`, a value for each point. Its
 *  coordinates are along the axes of octree_axes. */
grid_cell octree_out_cell(const octree_case *it, const octree_out *out, int64_t c,
                          const double *value);

/** Runs the options in n processes. Returns how their parts differ from the whole, or NULL. */
const char *octree_parts_differ(const octree_case *it, const tsr_grid_options *options,
                                const octree_out *whole, int n);

#endif
