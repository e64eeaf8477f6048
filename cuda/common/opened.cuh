// SPDX-License-Identifier: BSD-3-Clause
// The device part of a plan: every filter's plan is opened, gets its uploads and is closed in the
// same way.
#ifndef TSR_COMMON_OPENED_CUH
#define TSR_COMMON_OPENED_CUH

#include "cuda/common/common.cuh"

#include <cstdio>
#include <new>

// A host array that has been uploaded.
struct tsr_uploaded {
  const void *host;
  int64_t bytes;
  void *device;
  uint64_t
      generation; // of an array in the cache (memory/kept.cuh); 0: it lasts as long as the plan
};

// Data derived from an uploaded array, and where both lie on the device.
struct tsr_derived {
  const void *from;
  uint64_t what;
  void *to;
  bool stays; // for later plans
  bool made;
};

// Whether the caller's arrays may lie on the device (memory/callers.cuh).
struct tsr_callers_arrays {
  bool anywhere;       // they may
  cudaStream_t stream; // the plan's stream waits for it before it touches them
  cudaEvent_t ready;   // NULL unless `anywhere`
};

// Device part that all plans have. Each filter derives its own struct from it.
struct tsr_opened {
  tsr_device_state *state;
  cudaStream_t stream;
  cudaEvent_t begin, end; // around the kernels that are timed
  bool timing;            // the executor has recorded `begin`, and not yet `end`
  tsr_memory memory;      // freed with the plan
  std::vector<tsr_uploaded> uploaded;
  int64_t keep_bytes;             // most bytes of input that may stay in the cache; 0: none
  const void *owner;              // the owner of what this plan caches; see memory/kept.cuh
  std::vector<const void *> kept; // cached memory that this plan uses
  std::vector<const void *> made; // outputs of earlier fills (memory/made.cuh) that it uses
  std::vector<tsr_derived> derived;
  tsr_callers_arrays callers;
  bool leads; // to another plan that follows at once, and would wait while pages are locked
};

// Check launch options that several filters have: the child stream and the number of slots for
// pending launches; the nesting depth of recursive launches.
tsr_status tsr_check_children(int stream, int64_t pending_launches, tsr_error *error);
tsr_status tsr_check_nesting(int depth, tsr_error *error);

tsr_status tsr_opened_start(tsr_opened *plan, tsr_device_state *state,
                            const tsr_execution &execution, tsr_error *error);
void tsr_opened_stop(tsr_opened *plan);

// Opens a Plan, which derives from tsr_opened, on the device that the execution asks for.
// fill(plan, error) is the filter's own part, called with the device current. close() undoes
// everything, also after a failure halfway.
template <class Plan, class Fill>
tsr_status tsr_open_plan(const tsr_execution &execution, tsr_report *report, Fill fill,
                         void (*close)(Plan *), Plan **made, tsr_error *error) {
  tsr_device_state *state;
  int device = 0;
  TSR_STEP(tsr_device_choose(execution.device, &device, error));
  TSR_STEP(tsr_device_state_of(device, &state, error));
  const tsr_on_device scope(device);
  TSR_STEP(scope.check(error));
  Plan *plan = new (std::nothrow) Plan();
  if (!plan)
    return tsr_cuda_refuse(error, TSR_NO_MEMORY, "there is no memory for the plan");
  plan->owner = execution.owner;
  snprintf(report->device_name, sizeof report->device_name, "%.127s", state->properties.name);
  report->device = device;
  tsr_status status = tsr_opened_start(plan, state, execution, error);
  if (status == TSR_OK)
    status = fill(plan, error);
  if (status != TSR_OK) {
    close(plan);
    return status;
  }
  *made = plan;
  return TSR_OK;
}

// Uploads all arrays at once into `memory`; to[k] receives the device pointer of array k, or NULL
// if it has no data. Arrays that the plan holds already are not uploaded again. keep: the plan
// holds the new ones, too. Arrays whose generation the caller knows may be taken from the cache, or
// be put into it for later plans. An array of the caller that lies on the device is used in place.
tsr_status tsr_upload(tsr_opened *plan, const tsr_execution *execution, tsr_report *report,
                      tsr_memory *memory, bool keep, const std::vector<tsr_array> &arrays,
                      void **to, tsr_error *error);

// Memory of `bytes` for data that depends only on the array at `from` on the device. `what`, not 0,
// identifies the kind of data. The memory lasts as long as the plan; if the array stays in the
// cache, so does the derived data. *to is NULL if `from` is not one of the plan's arrays. *made:
// true if the data is there, or is being made on the stream; otherwise the caller makes it and then
// calls tsr_derive_made.
tsr_status tsr_derive(tsr_opened *plan, const void *from, uint64_t what, int64_t bytes, void **to,
                      bool *made, tsr_error *error);
void tsr_derive_made(tsr_opened *plan, const void *to);

// Device address of an uploaded array; NULL if it was not uploaded.
void *tsr_find_uploaded(const tsr_opened &plan, const tsr_array &array);

// Puts the peak of device memory since the plan was opened into the report.
void tsr_note_peak(const tsr_opened &plan, tsr_report *report);

// Adds the seconds between the plan's two events to the report, if the device reports them, and the
// peak of device memory.
void tsr_note_work(const tsr_opened &plan, tsr_report *report);

// Time in seconds by the execution's clock; 0 if it has none.
double tsr_cuda_now(const tsr_execution *execution);

#endif
