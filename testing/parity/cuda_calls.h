/* SPDX-License-Identifier: BSD-3-Clause */
/** Between the CUDA backend and the CUDA runtime, in tests that link with --wrap: counts the calls,
 *  lets one fail, and knows what was made and not given back. */
#ifndef TESSERA_PARITY_CUDA_CALLS_H
#define TESSERA_PARITY_CUDA_CALLS_H

#include <stdint.h>

/** Counts from 1 on; call number fail_at fails (0: none), by turns for want of memory and for an
 *  unknown reason. */
void cuda_calls_start(int64_t fail_at);

/** How many calls there were; none fails any more. */
int64_t cuda_calls_stop(void);

/** Name of the call that failed since the last start; NULL: none did. */
const char *cuda_calls_failed(void);

/** Memory, streams, events and pools that were made and not given back. */
int64_t cuda_calls_live(void);

#endif
