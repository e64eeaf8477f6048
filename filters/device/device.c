/* SPDX-License-Identifier: BSD-3-Clause */
/** The devices of this machine, and what holds where CUDA is not built in. */
#include "device/backend.h"

#include "common/run/backend.h"
#include "common/support.h"

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

static const char *const NOT_BUILT = "the backend CUDA is not built into this Tessera";

tsr_status tsr_device_alloc(int device, int64_t bytes, void **memory, tsr_error *error) {
  const tsr_device_backend *backend = device_backend();
  if (tsr_need(memory != NULL && bytes >= 0, "the place for the memory, or its size,", error))
    return TSR_BAD_INPUT;
  *memory = NULL;
  if (!backend)
    return tsr_fail(error, TSR_NO_BACKEND, -1, "%s", NOT_BUILT);
  return bytes > 0 ? backend->alloc(device, bytes, memory, error) : TSR_OK;
}

void tsr_device_free(void *memory) {
  const tsr_device_backend *backend = device_backend();
  if (backend && memory)
    backend->free(memory);
}

tsr_status tsr_device_copy(int device, void *stream, void *to, const void *from, int64_t bytes,
                           tsr_error *error) {
  tsr_execution execution;
  tsr_execution_init(&execution);
  execution.device_arrays = 1;
  execution.device = device;
  execution.stream = stream;
  if (!device_backend())
    return tsr_fail(error, TSR_NO_BACKEND, -1, "%s", NOT_BUILT);
  if (bytes == 0)
    return TSR_OK;
  if (tsr_need(to && from && bytes > 0, "an array, or a number of bytes above 0,", error))
    return TSR_BAD_INPUT;
  return tsr_copy_anywhere(&execution, to, from, bytes, error);
}

tsr_status tsr_device_wait(int device, void *stream, tsr_error *error) {
  const tsr_device_backend *backend = device_backend();
  return backend ? backend->wait(device, stream, error)
                 : tsr_fail(error, TSR_NO_BACKEND, -1, "%s", NOT_BUILT);
}

void tsr_device_release(void) {
  const tsr_device_backend *backend = device_backend();
  if (backend)
    backend->release();
}
