/* SPDX-License-Identifier: BSD-3-Clause */
/** A random octree with holes and cells of many levels, arrays on it, and all that a plan makes of
 *  it. */
#ifndef TESSERA_TEST_OCTREE_CASE_H
#define TESSERA_TEST_OCTREE_CASE_H

#include "tessera.h"

/** The octree. Cells are in random order. */
typedef struct octree_case {
  tsr_grid_view view; /**< its `octree` points to the member below */
  tsr_grid_octree octree;
  uint8_t *level;
  int32_t *index;
  int64_t *corners;
  double *linear; /**< of cells: a linear function at the centre */
  float *cell;    /**< of cells */
  int16_t *small; /**< of cells: 2 components */
  double *point;  /**< of points: a function with a steep front; each cell has points of its own */
  float *vector;  /**< of points: 3 components */
  double axes[3][64];
  int deepest;
  double sharp;
  uint8_t *outside; /**< of cells; NULL until octree_case_add_outside */
  double
      *places[2]; /**< of samples of point and of cell data; NULL until octree_case_add_samples */
  double *point_there; /**< values of `point`, `vector` and `cell` at the samples */
  float *vector_there, *cell_there;
} octree_case;

/** What makes an octree. */
typedef struct octree_recipe {
  unsigned seed;
  int32_t cells[3]; /**< of level 0 */
  int levels;       /**< deepest level */
  double split;     /**< chance that a cell is split where it can */
  double hole;      /**< chance that a cell is left out */
  int balanced; /**< 1: cells are split by the distance to a sphere, so that levels differ little
                     from neighbour to neighbour */
  int uneven;   /**< 1: coordinates that are not evenly spaced */
  double sharp; /**< of the front */
} octree_recipe;

octree_case octree_case_make(const octree_recipe *recipe);
void octree_case_free(octree_case *it);

/** Makes the cells outside whose centres are not in a ball around the front's centre. */
void octree_case_add_outside(octree_case *it, double radius);

/** Adds n samples of point and of cell data: at random places, on sides and corners of cells, out
 * of the domain, and nowhere. The values are those of the case's functions, with some noise. */
void octree_case_add_samples(octree_case *it, int64_t n, double noise);

/** Where sample s of point data is in space. Returns 0 if it is not in the domain. */
int octree_sample_at(const octree_case *it, int64_t s, double x[3]);

/** 1 if a sample of point (0) or cell data (1) is in a box, sides included: in a cell of a level of
 *  the octree; levels below 0 are coarser than level 0. */
int octree_holds_sample(const octree_case *it, int cell_data, int64_t s, int level,
                        const int32_t index[3]);

/** The linear function of the case at a place. */
double octree_linear(const double x[3]);

/** Centre of cell i, and half its size. */
void octree_cell_box(const octree_case *it, int64_t i, double centre[3], double half[3]);

/** Everything that a plan makes. */
typedef struct octree_out {
  tsr_status status;
  tsr_error error;
  tsr_grid_sizes sizes;
  tsr_report report;
  double *points;
  int64_t *offsets, *connectivity, *leaf, *source, *tree_first;
  int32_t *level, *tree_root;
  uint8_t *type, *state, *hanging;
  double *indicator;
  tsr_grid_patch *patches;
  tsr_grid_node *nodes; /**< CONFORMING: of leaves */
  double *point, *moved, *linear;
  float *cell, *vector;
  int16_t *small;
  double errors[6]; /**< of point, moved `linear`, linear, cell, small, vector */
} octree_out;

/** Plans and fills. Types of cells are those of tsr_grid_cell. Returns out->status. */
tsr_status octree_run(const octree_case *it, const tsr_grid_options *options,
                      const tsr_execution *execution, octree_out *out);
void octree_out_free(octree_out *out);

/** The name of the first member that differs, or NULL. */
const char *octree_difference(const octree_out *one, const octree_out *other);

#endif
