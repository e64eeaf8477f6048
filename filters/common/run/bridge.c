/* SPDX-License-Identifier: BSD-3-Clause */
/** Opens devices and falls back to the CPU, for all rooms; also if CUDA is not built in. */
#include "common/run/backend.h"
#include "common/support.h"

#include <stdlib.h>
#include <string.h>

tsr_status tsr_choose_device(const tsr_execution *execution, int *on_device, tsr_error *error) {
#ifdef TESSERA_HAS_CUDA
  const int built = 1;
#else
  const int built = 0;
#endif
  *on_device = 0;
  if ((unsigned)execution->backend > (unsigned)TSR_BACKEND_CPU)
    return tsr_fail(error, TSR_BAD_OPTION, -1, "the backend %d is unknown",
                    (int)execution->backend);
  if (execution->device_arrays && execution->backend == TSR_BACKEND_CPU)
    return tsr_fail(
        error, TSR_BAD_OPTION, -1,
        "the CPU cannot read arrays that lie on a device: take Backend CUDA or Auto, or "
        "copy the arrays to the host");
  if (!built && (execution->backend == TSR_BACKEND_CUDA || execution->device_arrays))
    return tsr_fail(error, TSR_NO_BACKEND, -1, "the backend CUDA is not built into this Tessera");
  *on_device = built && (execution->backend != TSR_BACKEND_CPU || execution->device_arrays);
  return TSR_OK;
}

tsr_status tsr_open_on_device(const tsr_execution *execution, tsr_report *report,
                              tsr_device_opener open, void *plan, tsr_error *error) {
  const tsr_report before = *report;
  int wanted;
  tsr_error why;
  tsr_status status = tsr_choose_device(execution, &wanted, error);
  if (!wanted)
    return status;
  status = open(plan, &why);
  if (status == TSR_OK)
    return TSR_OK;
  *report = before;
  if (tsr_device_gave_up(execution, status, &why, report))
    return TSR_OK;
  return tsr_fail(error, status, why.item, "%s", why.text);
}

int tsr_device_gave_up(const tsr_execution *execution, tsr_status status, const tsr_error *why,
                       tsr_report *report) {
  if (execution->backend != TSR_BACKEND_AUTO || execution->device_arrays ||
      (status != TSR_NO_BACKEND && status != TSR_DEVICE && status != TSR_NO_MEMORY))
    return 0;
  memcpy(report->fallback, why->text, sizeof report->fallback);
  return 1;
}

static const tsr_memory_backend *memory_backend(void) {
#ifdef TESSERA_HAS_CUDA
  return tsr_memory_cuda();
#else
  return NULL;
#endif
}

tsr_status tsr_refuse_device_arrays(const tsr_execution *execution, const char *who,
                                    tsr_error *error) {
  return execution->device_arrays
             ? tsr_fail(error, TSR_BAD_OPTION, -1,
                        "%s take arrays on the host only: copy them there, and clear device_arrays",
                        who)
             : TSR_OK;
}

tsr_status tsr_copy_anywhere(const tsr_execution *execution, void *to, const void *from,
                             int64_t bytes, tsr_error *error) {
  const tsr_memory_backend *backend = memory_backend();
  if (backend && execution->device_arrays)
    return backend->copy(execution, to, from, bytes, error);
  memcpy(to, from, (size_t)bytes);
  return TSR_OK;
}

tsr_status tsr_lies_on_device(const tsr_execution *execution, const void *array, int *on_device,
                              tsr_error *error) {
  const tsr_memory_backend *backend = memory_backend();
  *on_device = 0;
  return backend && execution->device_arrays && array
             ? backend->lies_on_device(execution, array, on_device, error)
             : TSR_OK;
}

tsr_bus_traffic tsr_memory_traffic(void) {
  static const tsr_bus_traffic none;
  const tsr_memory_backend *backend = memory_backend();
  return backend ? backend->traffic() : none;
}

void *tsr_output_alloc(size_t bytes) {
  const tsr_memory_backend *backend = memory_backend();
  if (bytes == 0)
    return NULL;
  return backend ? backend->alloc(bytes) : malloc(bytes);
}

int64_t tsr_output_waiting(void) {
  const tsr_memory_backend *backend = memory_backend();
  return backend ? backend->waiting() : 0;
}

void tsr_output_free(void *memory) {
  const tsr_memory_backend *backend = memory_backend();
  if (backend)
    backend->free(memory);
  else
    free(memory);
}
