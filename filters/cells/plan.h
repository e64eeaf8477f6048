/* SPDX-License-Identifier: BSD-3-Clause */
/** The plan of curved cells, as its own files see it. Not public. */
#ifndef TSR_CELLS_PLAN_H
#define TSR_CELLS_PLAN_H

#include "cells/backend.h"
#include "common/run/plan.h"
#include "common/support.h"

/** The part of an error that is allowed that is kept for the triangles, whatever rounding takes. */
#define TSR_CELLS_KEPT 0.5

struct tsr_cells_plan {
  tsr_plan base;
  tsr_cells_view view;
  tsr_cells_options options;
  tsr_executor executor; /**< owns all arrays of `work` */
  tsr_cells_work work;
  tsr_cells_field *fields; /**< options.n_fields: of the criteria, before any scale */
  tsr_cells_field *scaled; /**< n_fields, the executor's: those of `work` */
  double *forms;           /**< see form/bernstein_math.h */
  tsr_cells_facts facts;   /**< of all cells: their box, and what the user is told of */
  tsr_cells_sizes sizes;
  int64_t inside; /**< points inside faces */
  int64_t cells;  /**< that items become */
  int counted;    /**< 1: the sizes are known */
  void *merged; /**< connectivity of merged points, the executor's; NULL: points stay as they are */
  double *tetra_forms;      /**< see volumes/solid_bend_math.h; NULL: the output is not Cells */
  tsr_cells_device *device; /**< NULL: the CPU makes the plan */
  double scale; /**< factor of the tolerances, which a budget searches. Stays when the plan is
                     made again. 0 means 1; infinity: as coarse as can be */
  int prepared; /**< 1: items and fields are found */
  int fits;     /**< 1: a budget asks for the sizes: options.defer_count counts no more */
};

/** Fails with BAD_INPUT or BAD_OPTION where view or options cannot be used. */
tsr_status tsr_cells_check(const tsr_cells_view *view, const tsr_cells_options *options,
                           tsr_error *error);

/** Fails with BAD_OPTION or BAD_INPUT where an output cannot be filled. */
tsr_status tsr_cells_check_output(const tsr_cells_view *view, const tsr_cells_output *output,
                                  tsr_error *error);

/** Sets up the plan's executor, of the CPU or of a device, as plan->base says. */
tsr_status tsr_cells_open(tsr_cells_plan *plan, tsr_error *error);

/** Tells the plan's device the largest degree of the cells. */
void tsr_cells_set_degree(tsr_cells_plan *plan, int degree);

/** Closes the plan's device, if it has one. */
void tsr_cells_close(tsr_cells_plan *plan);

/** Sets the progress at the begin and at the end of the steps that follow. */
void tsr_cells_progress(tsr_cells_plan *plan, double first, double last);

/** Replaces the connectivity of plan->work's view by one in which points with equal positions are
 *  one. */
tsr_status tsr_cells_merge(tsr_cells_plan *plan, tsr_error *error);

/** Finds the items of plan->work, and the facts of all cells. */
tsr_status tsr_cells_find_items(tsr_cells_plan *plan, tsr_error *error);

/** Makes the table of forms, and finds what the options allow for each field. */
tsr_status tsr_cells_find_fields(tsr_cells_plan *plan, tsr_error *error);

/** Sets the criteria of plan->work: what the options allow, times plan->scale. */
tsr_status tsr_cells_set_criteria(tsr_cells_plan *plan, tsr_error *error);

/** Divides all by what the options allow, times `scale`, which may be infinite. Items and fields
 *  that were found before stay. If the device gives up, the CPU does it. */
tsr_status tsr_cells_divide_at(tsr_cells_plan *plan, double scale, tsr_error *error);

/** Frees what tsr_cells_divide_all made: edges and divided items. */
void tsr_cells_forget(tsr_cells_plan *plan);

/** Divides edges and items by the criteria of plan->work, and sets the sizes. Frees first what an
 *  earlier call made. */
tsr_status tsr_cells_divide_all(tsr_cells_plan *plan, tsr_error *error);

/** Finds the edges of the items, and how many steps each gets. */
tsr_status tsr_cells_find_edges(tsr_cells_plan *plan, tsr_error *error);

/** Divides the items, and sets the sizes. */
tsr_status tsr_cells_count(tsr_cells_plan *plan, tsr_error *error);

/** Writes the output. */
tsr_status tsr_cells_fill_output(tsr_cells_plan *plan, const tsr_cells_output *output,
                                 tsr_error *error);

#endif
