/* SPDX-License-Identifier: BSD-3-Clause */
/** Tessera: the user's settings of adaptive grids beyond the core's options, and how they change
 *  those options. A part of the public header; include tessera.h. */
#ifndef TSR_GRID_TESSERA_GRID_CHOICES_H
#define TSR_GRID_TESSERA_GRID_CHOICES_H

#include "common/tessera_choices.h"
#include "common/tessera_limit.h"
#include "grid/tessera_grid.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How many measures there are. */
#define TSR_GRID_MEASURES (TSR_MEASURE_INTERPOLATION_ERROR + 1)

/** How many criteria the user can switch on: one for each measure, and the geometric error. */
#define TSR_GRID_WISHES (TSR_GRID_MEASURES + 1)

/** The kind of output dataset. */
typedef enum tsr_grid_class {
  TSR_GRID_UNSTRUCTURED = 0,
  TSR_GRID_HYPER_TREE,
  TSR_GRID_AMR
} tsr_grid_class;

/** How an UNSTRUCTURED output treats hanging points. */
typedef enum tsr_grid_hanging {
  TSR_GRID_FREE = 0,
  TSR_GRID_CONSTRAINED,
  TSR_GRID_SIDES,     /**< 2D: a cell is a polygon that has the hanging points on its sides */
  TSR_GRID_NO_HANGING /**< conforming: cells with finer neighbours are cut */
} tsr_grid_hanging;

/** Which cells the grid of an unstructured mesh has. */
typedef enum tsr_grid_boundary {
  TSR_GRID_TOUCHING = 0,  /**< cells that touch the mesh, so that each of its points lies in one */
  TSR_GRID_WHOLLY_INSIDE, /**< cells that lie wholly inside the mesh */
  TSR_GRID_CLIPPED        /**< cells that touch the mesh, cut at its surface */
} tsr_grid_boundary;

/** Whether a criterion is on, and its threshold. */
typedef struct tsr_grid_threshold {
  int use;
  double threshold;
} tsr_grid_threshold;

/** What the user sets. Set up by tsr_grid_choices_init; the table has the defaults. */
typedef struct tsr_grid_choices {
  int use_region;
  double region[6];                                 /**< in space, as tsr_grid_region takes it */
  int component;                                    /**< of the arrays; -1: the magnitude */
  int relative;                                     /**< as tsr_grid_criterion.relative */
  tsr_grid_threshold thresholds[TSR_GRID_MEASURES]; /**< by measure */
  double in_range[2];                               /**< of TSR_MEASURE_IN_RANGE */
  tsr_grid_threshold
      geometry;      /**< POINTS geometry: the interpolation error of the points' coordinates;
                          with `relative` a fraction of the diagonal of their bounding box */
  int output;        /**< a tsr_grid_class */
  int hanging_nodes; /**< a tsr_grid_hanging */
  int hexahedra;     /**< 1: hexahedra and quads; 0: voxels and pixels */
  int move_cells;    /**< 1: of cells of several sizes, cell arrays become point arrays, where the
                          output has points; 0: they stay on cells */
  int output_precision;                      /**< of points: 0 float, 1 double, 2 as the input */
  int errors, level, indicator, source_cell; /**< 1: the output has this array */
  int inside;         /**< 1: of meshes, the output says which points lie in the mesh */
  int all_steps;      /**< one grid for all time steps */
  double finest_cell; /**< of meshes: side of the finest cells; 0: the mesh's median edge */
  int boundary;       /**< of meshes: a tsr_grid_boundary */
  int merge_blocks;   /**< 1: the datasets of a composite are one mesh; 0: a grid for each */
} tsr_grid_choices;

/** Sets every member to its default. `choices` must not be NULL. */
void tsr_grid_choices_init(tsr_grid_choices *choices);

/** The table of properties of tsr_grid_choices; n: receives their number. */
const tsr_property *tsr_grid_choices_properties(int *n);

/** Checks that the choices fit each other and the options. composite: 1: the input is a composite
 *  dataset, which choices->merge_blocks makes one mesh of. Properties of type CHOICE are checked by
 * tsr_properties_check instead. Fails with BAD_OPTION and a whole sentence. */
tsr_status tsr_grid_choices_check(const tsr_grid_choices *choices, const tsr_grid_options *options,
                                  int composite, tsr_error *error);

/** Sets the members of the options that depend on the chosen output. */
void tsr_grid_choices_apply(const tsr_grid_choices *choices, tsr_grid_options *options);

/** A criterion that the user has switched on; it applies to every chosen array. */
typedef struct tsr_grid_wish {
  const char *name; /**< of the property, as the panel has it */
  tsr_grid_measure measure;
  int geometry;                   /**< 1: its array is that of the points */
  double threshold, lower, upper; /**< as in tsr_grid_criterion */
} tsr_grid_wish;

/** Lists the criteria that are switched on, in the order of the panel; messages number them in this
 *  order. wishes: receives up to TSR_GRID_WISHES. Returns their number. */
int tsr_grid_choices_wishes(const tsr_grid_choices *choices, tsr_grid_wish *wishes);

/** Lists the thresholds in use, for the messages that propose larger ones. list: receives up to
 *  TSR_GRID_WISHES. Returns their number. */
int tsr_grid_choices_tolerances(const tsr_grid_choices *choices, tsr_tolerance *list);

/** What tsr_grid_growth_sentence tells about an output that is no smaller than the fine grid. */
typedef struct tsr_grid_growth {
  int64_t cells;  /**< of the output */
  int64_t fine;   /**< cells of the fixed fine grid */
  int64_t leaves; /**< leaves of the output, before some are cut into conforming cells */
  int refined;    /**< Refine Levels is above 0: the fixed fine grid is not the input */
  double scale;   /**< factor on the thresholds that gives fewer cells than `fine`; 0: none of those
                       that were tried */
  int64_t fewer;  /**< cells with the thresholds times `scale` */
} tsr_grid_growth;

/** Returns the k-th factor on the thresholds to try, k = 0, 1, ..., until one gives fewer cells
 *  than the fixed fine grid has; 0: there is no further one. The error of linear interpolation in a
 *  smooth field grows with the square of the cell's size, so cells one level coarser take about 4
 *  times the threshold, and two levels 16 times: the first factors are 5 and 20. The last, 100, is
 *  for noise. All are round, so that the proposed thresholds have few digits. */
double tsr_grid_growth_scale(int k);

/** Writes a sentence that the output has as many cells as the fixed fine grid, or more, and what
 *  would make it smaller. list: the n thresholds in use. Writes an empty text if the output is not
 *  larger and no factor helps. */
void tsr_grid_growth_sentence(const tsr_grid_growth *growth, const tsr_tolerance *list, int n,
                              char *text, size_t size);

/** 1 if the measure uses all three components of a vector array, whatever component is chosen:
 *  VORTICITY and Q. */
int tsr_grid_measure_is_flow(tsr_grid_measure measure);

/** Writes the balance rule in force, and a reason where it differs from options.balance.
 *  dimension: of the input. text: receives at most `size` bytes, a NUL included. */
void tsr_grid_balance_text(const tsr_grid_options *options, int dimension, char *text, size_t size);

/** What the threshold of the interpolation error bounds in point arrays of the output that the
 *  options ask for, in words for the report. in_use: whether that criterion is on. Never NULL. */
const char *tsr_grid_bound_text(const tsr_grid_options *options, int in_use);

/** Returns the share of a budget for one of several grids, in proportion to its input cells; at
 *  least 1. A budget of 0 (off) stays 0. cells: of this grid; all_cells: of all grids together. */
int64_t tsr_grid_budget_share(int64_t budget, int64_t cells, int64_t all_cells);

#ifdef __cplusplus
}
#endif
#endif
