/* SPDX-License-Identifier: BSD-3-Clause */
/** What CUDA tells about its devices. Not public. */
#ifndef TSR_DEVICE_BACKEND_H
#define TSR_DEVICE_BACKEND_H

#include "device/tessera_device.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsr_device_backend {
  int (*count)(void);
  void (*report)(tsr_devices *devices); /**< gets a report in which nothing is known */
  void (*measure)(tsr_device *device);  /**< a usable one */
  void (*forget)(const void *owner);
  void (*release)(void);
  tsr_status (*alloc)(int device, int64_t bytes, void **memory, tsr_error *error);
  void (*free)(void *memory);
  tsr_status (*wait)(int device, void *stream, tsr_error *error);
} tsr_device_backend;

/** The table; only where TESSERA_HAS_CUDA is defined. */
const tsr_device_backend *tsr_device_cuda(void);

#ifdef __cplusplus
}
#endif
#endif
