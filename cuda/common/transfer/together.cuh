// SPDX-License-Identifier: BSD-3-Clause
// Large uploads of memory that is not page-locked: all threads fill one slot together, part by
// part, and the last of them sends it, so that a few large copies follow each other on one stream.
#ifndef TSR_TOGETHER_CUH
#define TSR_TOGETHER_CUH

#include "cuda/common/transfer/transfer.cuh"

// Below it the slots are not worth their start.
const size_t tsr_together_least = (size_t)16 << 20;

// Uploads the copies; done_first, done_last: the step's share of the whole progress.
tsr_status tsr_upload_together(tsr_device_state *state, const tsr_execution *execution,
                               const std::vector<tsr_copy> &copies, double done_first,
                               double done_last, tsr_error *error);

// Frees the slots that are kept between executions.
void tsr_together_release(void);

#endif
