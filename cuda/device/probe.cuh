// SPDX-License-Identifier: BSD-3-Clause
#ifndef TSR_DEVICE_PROBE_CUH
#define TSR_DEVICE_PROBE_CUH

#include "cuda/common/common.cuh"

// Tests whether a kernel can launch another one on the current device.
tsr_status tsr_launching_probe(tsr_error *error);

#endif
