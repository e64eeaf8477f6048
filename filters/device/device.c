/* SPDX-License-Identifier: BSD-3-Clause */
/** The devices of this machine, and what holds where CUDA is not built in. */
#include "device/backend.h"

#include <stdio.h>
#include <string.h>

static const tsr_device_backend *device_backend(void) {
#ifdef TESSERA_HAS_CUDA
  return tsr_device_cuda();
#else
  return NULL;
#endif
}

int tsr_devices_present(void) {
  const tsr_device_backend *backend = device_backend();
  return backend ? backend->count() : 0;
}

void tsr_device_report(tsr_devices *devices) {
  const tsr_device_backend *backend = device_backend();
  memset(devices, 0, sizeof *devices);
  if (backend)
    backend->report(devices);
  else
    snprintf(devices->problem, sizeof devices->problem,
             "this Tessera was built without CUDA: everything runs on the CPU");
}

void tsr_device_release(void) {
  const tsr_device_backend *backend = device_backend();
  if (backend)
    backend->release();
}
