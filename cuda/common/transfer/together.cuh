// SPDX-License-Identifier: BSD-3-Clause
// Large uploads from memory that is not page-locked. All threads fill one page-locked slot
// together, each a part; the last one to finish sends it. So a few large copies follow each other
// on one stream.
#ifndef TSR_COMMON_TRANSFER_TOGETHER_CUH
#define TSR_COMMON_TRANSFER_TOGETHER_CUH

#include "cuda/common/transfer/transfer.cuh"

// Uploads of fewer bytes than this take longer with slots than without, because of the start of the
// threads.
const size_t tsr_together_least = (size_t)16 << 20;

// Uploads the copies. done_first, done_last: progress of the whole execution at the begin and the
// end of this step.
tsr_status tsr_upload_together(tsr_device_state *state, const tsr_execution *execution,
                               const std::vector<tsr_copy> &copies, double done_first,
                               double done_last, tsr_error *error);

// Frees the slots that are kept between executions.
void tsr_together_release(void);

#endif
