/* SPDX-License-Identifier: BSD-3-Clause */
/** Tessera: what the user of a program sets about adaptive grids beside the core's options, and
 * what that means to these. A part of the public header; include tessera.h. */
#ifndef TESSERA_GRID_CHOICES_H
#define TESSERA_GRID_CHOICES_H

#include "common/tessera_choices.h"
#include "common/tessera_limit.h"
#include "grid/tessera_grid.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How many measures there are. */
#define TSR_GRID_MEASURES (TSR_MEASURE_INTERPOLATION_ERROR + 1)

/** How many criteria the user can switch on: a measure each, and the geometric error. */
#define TSR_GRID_WISHES (TSR_GRID_MEASURES + 1)

/** Which kind of dataset comes out. */
typedef enum tsr_grid_class {
  TSR_GRID_UNSTRUCTURED = 0,
  TSR_GRID_HYPER_TREE,
  TSR_GRID_AMR
} tsr_grid_class;

/** What becomes of points that hang on a coarser neighbour, of UNSTRUCTURED. */
typedef enum tsr_grid_hanging {
  TSR_GRID_FREE = 0,
  TSR_GRID_CONSTRAINED,
  TSR_GRID_SIDES,     /**< cells are polygons that contain them */
  TSR_GRID_NO_HANGING /**< cells with finer neighbours are cut */
} tsr_grid_hanging;

/** Whether a measure is a criterion, and above what. */
typedef struct tsr_grid_threshold {
  int use;
  double threshold;
} tsr_grid_threshold;

/** What the user sets. Set up by tsr_grid_choices_init; the table has the defaults. */
typedef struct tsr_grid_choices {
  int use_region;
  double region[6]; /**< in space, as tsr_grid_region takes it */
  int component;    /**< of the arrays; -1: the magnitude */
  int relative;     /**< thresholds are fractions of what they bound */
  tsr_grid_threshold thresholds[TSR_GRID_MEASURES]; /**< by measure */
  double in_range[2];                               /**< of TSR_MEASURE_IN_RANGE */
  tsr_grid_threshold
      geometry;         /**< the interpolation error of the points' coordinates, where each is
                             given; `relative`: a fraction of the diagonal of their bounds */
  int output;           /**< a tsr_grid_class */
  int hanging_nodes;    /**< a tsr_grid_hanging */
  int hexahedra;        /**< and quads, not voxels and pixels */
  int output_precision; /**< of points: 0 float, 1 double, 2 as the input */
  int errors, level, indicator, source_cell; /**< what is made on request */
  int all_steps;                             /**< one grid for all time steps */
} tsr_grid_choices;

/** Sets every member to its default. `choices` must not be NULL. */
void tsr_grid_choices_init(tsr_grid_choices *choices);

/** The table of them; n: receives how many. */
const tsr_property *tsr_grid_choices_properties(int *n);

/** Do the choices go together with each other and with the options? composite: the input is not one
 *  dataset. BAD_OPTION, with a whole sentence, where they do not; choices of a table are left to
 *  tsr_properties_check. */
tsr_status tsr_grid_choices_check(const tsr_grid_choices *choices, const tsr_grid_options *options,
                                  int composite, tsr_error *error);

/** Sets those members of the options that follow from the output that is chosen. */
void tsr_grid_choices_apply(const tsr_grid_choices *choices, tsr_grid_options *options);

/** A criterion that is switched on; it looks at every chosen array. */
typedef struct tsr_grid_wish {
  const char *name; /**< of the property, as the panel has it */
  tsr_grid_measure measure;
  int geometry;                   /**< 1: its array is that of the points */
  double threshold, lower, upper; /**< as in tsr_grid_criterion */
} tsr_grid_wish;

/** The criteria that are switched on, in the order of the panel, which numbers them in messages.
 *  wishes: receives up to TSR_GRID_WISHES. Returns how many. */
int tsr_grid_choices_wishes(const tsr_grid_choices *choices, tsr_grid_wish *wishes);

/** The thresholds in use, for a sentence about what would fit. list: receives up to
 *  TSR_GRID_WISHES. Returns how many. */
int tsr_grid_choices_tolerances(const tsr_grid_choices *choices, tsr_tolerance *list);

/** A grid that saves nothing, and what would. */
typedef struct tsr_grid_growth {
  int64_t cells;  /**< of the output */
  int64_t fine;   /**< of the fixed fine grid, which has no fewer */
  int64_t leaves; /**< of the output, before some are cut into conforming cells */
  int refined;    /**< Refine Levels is above 0: the fixed fine grid is not the input */
  double scale;   /**< of thresholds that were tried; 0: none of them gives fewer than `fine` */
  int64_t fewer;  /**< cells with these */
} tsr_grid_growth;

/** The k-th factor on the thresholds to try, where the one before gave `cells`, and `fine` is what
 * the fixed fine grid has: 0 where a fifth is saved, or none is left. k counts from 0, and `cells`
 * means nothing there. Factors have one digit, so that thresholds have as few as those that are
 * set. */
double tsr_grid_growth_scale(int k, int64_t cells, int64_t fine);

/** Writes that the output is as large as the fixed fine grid, or larger, and what would make it
 * smaller. list: the thresholds in use, n of them. Writes nothing where it is not larger and no
 *  threshold helps. */
void tsr_grid_growth_sentence(const tsr_grid_growth *growth, const tsr_tolerance *list, int n,
                              char *text, size_t size);

/** Does the measure look at a vector array by itself, whatever component is chosen? */
int tsr_grid_measure_is_flow(tsr_grid_measure measure);

/** Writes the rule of balance that holds, and why where it is not the one of the options.
 * dimension: of the input. text: `size` bytes, which it ends within. */
void tsr_grid_balance_text(const tsr_grid_options *options, int dimension, char *text, size_t size);

/** What the threshold of the interpolation error bounds in point arrays of the output that the
 *  options ask for, in words for the report. in_use: whether that criterion is on. Never NULL. */
const char *tsr_grid_bound_text(const tsr_grid_options *options, int in_use);

/** The part of a budget that a grid of `cells` input cells gets among grids of all_cells together:
 *  1 at least; 0, which is none, stays 0. */
int64_t tsr_grid_budget_share(int64_t budget, int64_t cells, int64_t all_cells);

#ifdef __cplusplus
}
#endif
#endif
