// SPDX-License-Identifier: BSD-3-Clause
#ifndef TSR_DEVICE_SELF_CHECK_CUH
#define TSR_DEVICE_SELF_CHECK_CUH

#include "cuda/common/common.cuh"
#include "device/tessera_device.h"

// Measures and checks launches from kernels on the current device, for the members launch_rate,
// deepest_nesting and diverge_... of *it. The limit of pending launches is restored.
tsr_status tsr_launching_measure(tsr_device *it, tsr_error *error);

#endif
