// SPDX-License-Identifier: BSD-3-Clause
// Chains of filters: what one has made on the device and copied to the host, the next one need not
// upload.
#ifndef TSR_COMMON_TRANSFER_REUSE_CUH
#define TSR_COMMON_TRANSFER_REUSE_CUH

#include "cuda/common/transfer/transfer.cuh"

// Keeps the sources of these copies to the host, which are done, on the device. A source stays if
// it is a block of `memory`, from which it is taken, and its target is memory of tsr_output_alloc,
// which says when it is freed. All work that uses the sources must be done. The execution's
// generations of the targets are noted with them.
void tsr_reuse_keep(const tsr_device_state *state, const tsr_execution *execution,
                    tsr_memory *memory, const std::vector<tsr_copy> &copies);

// Does those of the uploads whose bytes are on the device already, and removes them from the list.
// An array that the host has altered since is left in the list. The memory that the uploads go to
// must be ready on the stream. Returns when they are done.
tsr_status tsr_reuse_bring(tsr_device_state *state, const tsr_execution *execution,
                           cudaStream_t stream, std::vector<tsr_copy> *uploads, tsr_error *error);

#endif
