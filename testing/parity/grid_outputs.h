/* SPDX-License-Identifier: BSD-3-Clause */
/** All that a fill can make of an adaptive grid, as bytes to compare. */
#ifndef TESSERA_PARITY_GRID_OUTPUTS_H
#define TESSERA_PARITY_GRID_OUTPUTS_H

#include "tessera.h"

enum { GRID_OUTPUTS = 13, MOST_GRID_ARRAYS = 6 };

/** What is asked of it. */
typedef struct grid_wanted {
  const tsr_array *arrays; /**< n_arrays */
  const int *cell_data;
  int n_arrays;
  tsr_type points_type, index_type;
  int hexahedra, indicator;
  int states; /**< trees and patches: no points */
} grid_wanted;

/** All arrays of a fill, and their bytes. */
typedef struct grid_filled {
  tsr_status status;
  tsr_error error;
  void *data[GRID_OUTPUTS + MOST_GRID_ARRAYS];
  size_t bytes[GRID_OUTPUTS + MOST_GRID_ARRAYS];
  double errors[MOST_GRID_ARRAYS];
} grid_filled;

/** 1 where the output of a plan has states, not points. */
int grid_has_states(const tsr_grid_options *options);

/** Fills every array, poisoned before. Returns to->status. */
tsr_status grid_fill(tsr_grid_plan *plan, const grid_wanted *want, grid_filled *to);
void grid_filled_free(grid_filled *filled);

/** The first difference, as a sentence; NULL if there is none. Valid until the next call. */
const char *grid_difference(const grid_wanted *want, const grid_filled *cpu,
                            const grid_filled *cuda);

#endif
