/* SPDX-License-Identifier: BSD-3-Clause */
/** Tessera: the CUDA devices of this machine. A part of the public header; include tessera.h. */
#ifndef TESSERA_DEVICE_H
#define TESSERA_DEVICE_H

#include "common/tessera_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A CUDA device. */
typedef struct tsr_device {
  int index;
  char name[128];
  int major, minor; /**< compute capability */
  int multiprocessors;
  int64_t memory_bytes, free_bytes;
  int usable;        /**< 1: Tessera's kernels run there */
  int launches;      /**< 1: kernels there can launch kernels */
  char problem[300]; /**< why not, a sentence; empty if both are 1 */
} tsr_device;

/** The CUDA devices of this machine. */
typedef struct tsr_devices {
  int built;           /**< 1: this Tessera was built with CUDA */
  int driver_version;  /**< highest CUDA version that the driver supports, 1000 major + 10 minor */
  int runtime_version; /**< of the CUDA runtime built in */
  int count;
  char problem[300]; /**< why there is no usable device, a sentence; empty if there is one */
  tsr_device device[TSR_MAX_DEVICES];
} tsr_devices;

/** How many CUDA devices there are, found out without starting any of them: at most
 *  TSR_MAX_DEVICES; 0 where there is none or no driver, or CUDA is not built in; -1 where there is
 *  a driver that does not work (tsr_device_report says why). */
int tsr_devices_present(void);

/** Lists the devices and tries a kernel, and a kernel that launches one, on each. Never fails. */
void tsr_device_report(tsr_devices *devices);

/** Gives back all device and page-locked memory that is kept for the next execution. To be called
 *  while no plan exists. */
void tsr_device_release(void);

#ifdef __cplusplus
}
#endif
#endif
