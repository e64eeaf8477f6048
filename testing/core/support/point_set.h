/* SPDX-License-Identifier: BSD-3-Clause */
/** Points with groups and orders, and the curves that a slow obvious loop makes of them. */
#ifndef TESSERA_TEST_POINT_SET_H
#define TESSERA_TEST_POINT_SET_H

#include "tessera.h"

/** Points to make curves of. */
typedef struct point_set {
  int64_t n;
  double *points;      /**< 3 n */
  void *group, *order; /**< of group_type and order_type; NULL: absent */
  tsr_type group_type, order_type;
} point_set;

/** Pseudorandom numbers, the same in every run. */
uint64_t point_set_random(uint64_t *state);

/** n points in the unit cube; groups and orders are not set. */
point_set point_set_make(int64_t n, uint64_t seed);

/** Room for n values of `type`. */
void *point_set_values(int64_t n, tsr_type type);

/** values[i] = v, rounded to the type. */
void point_set_put(void *values, tsr_type type, int64_t i, int64_t v);

void point_set_free(point_set *set);

tsr_ordering_view point_set_view(const point_set *set);

/** The curves, one after the other. */
typedef struct point_curves {
  int64_t points, curves;
  int64_t *ids;   /**< input points */
  int64_t *start; /**< curves + 1 */
  int64_t repeats, cuts, singles;
} point_curves;

/** Makes the curves with the C library's sort, with the index as the last key, and then point by
 * point. */
point_curves point_set_reference(const point_set *set, const tsr_ordering_options *options);

void point_curves_free(point_curves *curves);

#endif
