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

/** A device of which nothing is known. */
static void device_init(tsr_device *device) {
  memset(device, 0, sizeof *device);
  device->index = device->major = device->minor = device->multiprocessors = -1;
  device->memory_bytes = device->free_bytes = -1;
  device->pending_launches = device->default_pending_launches = -1;
  device->heap_bytes = device->default_heap_bytes = -1;
  device->stack_bytes = device->default_stack_bytes = -1;
  device->largest_cluster = device->deepest_nesting = -1;
  device->saxpy_rate = device->copy_rate = device->launch_rate = -1.0;
  device->pinned_upload = device->pinned_download = -1.0;
  device->paged_upload = device->paged_download = -1.0;
  device->diverge_expected = device->diverge_got = -1;
}

void tsr_device_report(tsr_devices *devices) {
  const tsr_device_backend *backend = device_backend();
  memset(devices, 0, sizeof *devices);
  for (int d = 0; d < TSR_MAX_DEVICES; d++)
    device_init(&devices->device[d]);
  if (backend)
    backend->report(devices);
  else
    snprintf(devices->problem, sizeof devices->problem,
             "this Tessera was built without CUDA: everything runs on the CPU");
  if (devices->count == 0) {
    snprintf(devices->device[0].name, sizeof devices->device[0].name, "none");
    snprintf(devices->device[0].problem, sizeof devices->device[0].problem, "%s", devices->problem);
  }
}

void tsr_device_measure(tsr_devices *devices) {
  const tsr_device_backend *backend = device_backend();
  for (int d = 0; backend && d < devices->count; d++)
    if (devices->device[d].usable)
      backend->measure(&devices->device[d]);
}

int tsr_device_checks_failed(const tsr_devices *devices) {
  int failed = 0;
  for (int d = 0; d < devices->count; d++) {
    const tsr_device *it = &devices->device[d];
    failed += it->usable && (!it->launches || it->diverge_expected != it->diverge_got);
  }
  return failed;
}

void tsr_device_forget(const void *owner) {
  const tsr_device_backend *backend = device_backend();
  if (backend)
    backend->forget(owner);
}

void tsr_device_release(void) {
  const tsr_device_backend *backend = device_backend();
  if (backend)
    backend->release();
}
