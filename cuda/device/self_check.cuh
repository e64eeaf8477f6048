// SPDX-License-Identifier: BSD-3-Clause
#ifndef TSR_SELF_CHECK_CUH
#define TSR_SELF_CHECK_CUH

#include "cuda/common/common.cuh"
#include "device/tessera_device.h"

// Measures launches from kernels on the current device, and checks them: the members launch_rate,
// deepest_nesting and diverge_... of *it. The limit of pending launches is put back.
tsr_status tsr_launching_measure(tsr_device *it, tsr_error *error);

#endif
