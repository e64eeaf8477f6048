// SPDX-License-Identifier: BSD-3-Clause
// Points to curves on the device: sorted words by CUB, then the same decisions as on the CPU, a
// thread a point.
#ifndef TSR_ORDERING_CUH
#define TSR_ORDERING_CUH

#include "cuda/common/opened.cuh"
#include "cuda/common/scan.cuh"
#include "cuda/common/transfer/transfer.cuh"
#include "ordering/backend.h"
#include "ordering/curves_math.h"

struct tsr_ordering_device : tsr_opened {
  int64_t n;
  tsr_array points, group, order; // as in the view, with data on the device
  uint64_t *words, *scratch;      // n each, while points are sorted
  int64_t *sorted;                // n, while curves are found
  uint8_t *flags;                 // n, while curves are found
  int64_t *point_ids;             // sizes.points
  int64_t *curve_start;           // curves + 1
  int64_t *curve_cell;            // curves
};

// Sorts words by the bits [low, low + bits); what is equal there stays as it is. device->words has
// the result, and device->scratch the other memory.
tsr_status tsr_ordering_cuda_sort_words(tsr_ordering_device *device, int low, int bits,
                                        tsr_ordering_sort sort, tsr_error *error);

// Fills sorted and the TSR_FLAG_GROUP of flags, and notes what is odd.
tsr_status tsr_ordering_cuda_sort(tsr_ordering_device *device, const tsr_ordering_job *job,
                                  tsr_error *error);

// From sorted points and flags to point_ids, curves and sizes.
tsr_status tsr_ordering_cuda_find(tsr_ordering_device *device, const tsr_ordering_job *job,
                                  tsr_error *error);

// What the table of the backend has: see ordering/backend.h.
tsr_status tsr_ordering_cuda_open(const tsr_ordering_job *job, tsr_ordering_device **made,
                                  tsr_error *error);
tsr_status tsr_ordering_cuda_fill(tsr_ordering_device *device, const tsr_ordering_job *job,
                                  const tsr_ordering_output *output, tsr_error *error);
void tsr_ordering_cuda_close(tsr_ordering_device *device);

enum { TSR_ORDERING_BLOCK = 256 };

#endif
