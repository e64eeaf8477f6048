// SPDX-License-Identifier: BSD-3-Clause
// The largest error of a point array, where that is plain; see corner_field.cuh.
#ifndef TSR_GRID_ERRORS_CUH
#define TSR_GRID_ERRORS_CUH

#include "cuda/grid/whole.cuh"

struct tsr_error_job {
  const tsr_grid_frame *frame;
  tsr_array array; // on the device
  const tsr_grid_node *nodes;
  const uint32_t *cut; // NULL, or not 0 for leaves to leave out
  const int32_t *list; // n leaves of `level`
  int64_t n;
  int level;
  int64_t leaves[2]; // only these are looked at
  int64_t step[3];
  unsigned long long *most; // bits of a double, raised
};

// 1 if an array is of the kind.
int tsr_errors_are_plain(const tsr_grid_frame &frame, const tsr_array &array);

tsr_status tsr_errors_start(tsr_grid_device *grid, const tsr_error_job &job, tsr_error *error);

#endif
