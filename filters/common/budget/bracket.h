/* SPDX-License-Identifier: BSD-3-Clause */
/** The search for the smallest factor on the tolerances with which an output fits its budget. */
#ifndef TSR_COMMON_BUDGET_BRACKET_H
#define TSR_COMMON_BUDGET_BRACKET_H

#include "common/tessera_common.h"

/** Is an output within its budget? */
typedef enum tsr_fit {
  TSR_FITS_NOT = 0,
  TSR_FITS,
  TSR_FITS_WELL /**< it is, and so nearly fills it that the search may end */
} tsr_fit;

typedef struct tsr_bracket {
  /** Makes the output at a factor; *fits: whether it is within the budget. Processes that search
   *  together must give the same answer. */
  tsr_status (*attempt)(void *context, double factor, tsr_fit *fits, tsr_error *error);
  void *context;
  double coarsest; /**< the largest factor that is tried */
  double width;    /**< of the bracket, in proportion, with which the search ends in any case. 0:
                        when no number lies between a factor that fits and one that does not */
} tsr_bracket;

/**
 * Doubles the factor, from 1 on, until the output fits (beyond a million, multiplies it by a
 * million instead). Then bisects the bracket at geometric means until an output fits well, or the
 * bracket is no wider than `width`. factor: receives the smallest factor that fits, or infinity if
 * even the coarsest does not. tried: receives the factor of the last attempt, whose output the
 * caller has.
 */
tsr_status tsr_bracket_search(const tsr_bracket *bracket, double *factor, double *tried,
                              tsr_error *error);

#endif
