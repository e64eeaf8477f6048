/* SPDX-License-Identifier: BSD-3-Clause */
/** A budget of points that the plans of all processes share: the search for the factor on their
 *  tolerances. */
#ifndef TSR_COMMON_BUDGET_BUDGET_H
#define TSR_COMMON_BUDGET_BUDGET_H

#include "common/tessera_common.h"

typedef struct tsr_point_budget {
  /** Counts the points of this process's plans at a factor. More than `limit` (0: none) are an
   *  answer and no failure. */
  tsr_status (*count)(const void *plans, double factor, int64_t limit, int64_t *points,
                      tsr_error *error);
  const void *plans;                            /**< for `count` */
  int64_t budget;                               /**< points of all processes */
  int64_t (*sum)(void *context, int64_t value); /**< over processes; NULL: there is one */
  void *context;                                /**< for `sum` */
  double coarsest;                              /**< the largest factor that is tried */
} tsr_point_budget;

/** Counts all plans at a factor. *total: points of all processes, which fail together. */
tsr_status tsr_point_budget_count(const tsr_point_budget *it, double factor, int64_t limit,
                                  int64_t *total, tsr_error *error);

/** Finds the smallest factor >= 1, to within 1/64, with which the points fit. factor: receives it,
 *  or infinity if even the coarsest does not do. tried: receives the factor of
 *  the last count. Fails with BAD_OPTION if the budget is not above 0 or factor is NULL, and as
 * `count` does. */
tsr_status tsr_point_budget_fit(const tsr_point_budget *it, double *factor, double *tried,
                                tsr_error *error);

#endif
