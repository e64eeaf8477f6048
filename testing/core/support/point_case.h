/* SPDX-License-Identifier: BSD-3-Clause */
/** Points for the tests of point grids, and a run of the core that makes every output. */
#ifndef TESSERA_TEST_POINT_CASE_H
#define TESSERA_TEST_POINT_CASE_H

#include "tessera.h"

/** Points with one array of doubles, "value", and one of bytes with two components, "pair". */
typedef struct point_case {
  int64_t n;
  double *points;
  double *values;
  uint8_t *pairs;
  int fill_again; /**< 1: a fill without memory is called once more */
} point_case;

void point_case_init(point_case *set, int64_t n);
void point_case_free(point_case *set);

/** A number in [0, 1) from a number: the same everywhere. */
double point_case_random(uint64_t i);

/** Points that crowd around a few places in a box, all different. */
void point_case_crowd(point_case *set);

tsr_pointgrid_view point_case_view(const point_case *set);
tsr_array point_case_values(const point_case *set);

/** Everything that the core made; NULL for arrays that this kind of output does not have. */
typedef struct point_out {
  tsr_status status;
  tsr_error error;
  tsr_pointgrid_sizes sizes;
  tsr_report report;
  double *points;
  int64_t *offsets, *connectivity, *count, *leaf, *source;
  int32_t *level;
  double *density, *mean, *least, *greatest, *value;
  uint8_t *pair_least, *pair, *state;
  double *pair_mean;
} point_out;

/** Plans and fills everything. */
tsr_status point_run(const point_case *set, const tsr_pointgrid_view *view,
                     const tsr_pointgrid_options *options, const tsr_execution *execution,
                     point_out *out);
void point_out_free(point_out *out);

#endif
