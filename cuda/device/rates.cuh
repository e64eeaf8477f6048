// SPDX-License-Identifier: BSD-3-Clause
#ifndef TSR_DEVICE_RATES_CUH
#define TSR_DEVICE_RATES_CUH

#include "cuda/common/common.cuh"
#include "device/tessera_device.h"

// Measures the memory of the current device and the bus to it, for the members saxpy_rate to
// paged_download of *it.
tsr_status tsr_device_rates(tsr_device *it, tsr_error *error);

// Most blocks in a cluster on the current device; 1 where it has no clusters.
cudaError_t tsr_device_largest_cluster(int major, int *blocks);

#endif
