// SPDX-License-Identifier: BSD-3-Clause
// Points To Curves on the device: CUB sorts the words, then kernels make the same decisions as the
// CPU, with one thread for each point.
#ifndef TSR_ORDERING_PLAN_CUH
#define TSR_ORDERING_PLAN_CUH

#include "cuda/common/opened.cuh"
#include "cuda/common/scan.cuh"
#include "cuda/common/sort.cuh"
#include "cuda/common/transfer/transfer.cuh"
#include "ordering/backend.h"
#include "ordering/curves_math.h"

struct tsr_ordering_device : tsr_opened {
  int64_t n;
  tsr_ordering_view view; // as the request's, with data on the device
  uint64_t *words[2];     // n each, while points are sorted; the second is for the sort to use
  int64_t *sorted;        // n, while curves are found
  uint8_t *flags;         // n, while curves are found
  tsr_curve_list curves;
};

// Fills `sorted`, and TSR_FLAG_GROUP in `flags`, and counts what the warnings report.
tsr_status tsr_ordering_cuda_sort(tsr_ordering_device *device, const tsr_ordering_request *request,
                                  tsr_error *error);

// Finds the curves from sorted points and flags: fills the curves and the sizes.
tsr_status tsr_ordering_cuda_find(tsr_ordering_device *device, const tsr_ordering_request *request,
                                  tsr_error *error);

// Functions of the backend's table; see ordering/backend.h.
tsr_status tsr_ordering_cuda_open(const tsr_ordering_request *request, tsr_ordering_device **made,
                                  tsr_error *error);
tsr_status tsr_ordering_cuda_fill(tsr_ordering_device *device, const tsr_ordering_request *request,
                                  const tsr_ordering_output *output, tsr_error *error);
void tsr_ordering_cuda_close(tsr_ordering_device *device);

enum { TSR_ORDERING_BLOCK = 256 };

#endif
