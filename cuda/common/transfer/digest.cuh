// SPDX-License-Identifier: BSD-3-Clause
// Does memory of the host hold the bytes that memory of the device holds? Both are read where they
// lie, and only digests cross the bus.
#ifndef TSR_COMMON_TRANSFER_DIGEST_CUH
#define TSR_COMMON_TRANSFER_DIGEST_CUH

#include "cuda/common/common.cuh"

// Bytes that one digest covers: the keys of so many bytes stay in a core's first cache, and the
// digests take a thousandth of the data.
const size_t tsr_digest_block = (size_t)16 << 10;

// Sets *same to whether the `bytes` bytes at `host` are those at `device`, which must begin at a
// multiple of 16. Work on the device that writes them must be done. Equal bytes are always found
// equal. Bytes that differ are taken for equal with a probability of 2^-64 for each block that
// differs (see digest.cu). The threads of the execution share the work.
tsr_status tsr_same_bytes(tsr_device_state *state, const tsr_execution *execution,
                          cudaStream_t stream, const void *host, const void *device, size_t bytes,
                          bool *same, tsr_error *error);

#endif
