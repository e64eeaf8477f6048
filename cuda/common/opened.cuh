// SPDX-License-Identifier: BSD-3-Clause
// A plan's place on a device: every room opens it, uploads to it and gives it back in the same way.
#ifndef TSR_OPENED_CUH
#define TSR_OPENED_CUH

#include "cuda/common/common.cuh"

#include <cstdio>
#include <new>

// An array of the host that is on the device already.
struct tsr_uploaded {
  const void *host;
  int64_t bytes;
  void *device;
  uint64_t generation; // of what stays for later plans; else 0
};

// What follows from an array, and where that and the array lie on the device.
struct tsr_derived {
  const void *from;
  uint64_t what;
  void *to;
  bool stays; // for later plans
  bool made;
};

// What every plan has there; a room's own struct derives from it.
struct tsr_opened {
  tsr_device_state *state;
  cudaStream_t stream;
  cudaEvent_t begin, end; // around the kernels that are timed
  tsr_memory memory;      // freed with the plan
  std::vector<tsr_uploaded> uploaded;
  int64_t keep_bytes;             // of input that stays for the next plan, if the caller knows it
  const void *owner;              // who asks for that
  std::vector<const void *> kept; // what this plan uses of that
  std::vector<tsr_derived> derived;
};

tsr_status tsr_opened_start(tsr_opened *plan, tsr_device_state *state, tsr_error *error);
void tsr_opened_stop(tsr_opened *plan);

// Opens a Plan, which derives from tsr_opened, on the device that the execution asks for.
// fill(plan, error): the room's part, with the device current. close: undoes all, also halfway.
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
  tsr_status status = tsr_opened_start(plan, state, error);
  if (status == TSR_OK)
    status = fill(plan, error);
  if (status != TSR_OK) {
    close(plan);
    return status;
  }
  *made = plan;
  return TSR_OK;
}

// Uploads arrays, all of them at once, into `memory`. to: the device pointers, NULL for arrays
// without data. What the plan holds already stays there; keep: so will these. Those that the caller
// knows by a generation may stay for later plans, or be there from an earlier one.
tsr_status tsr_upload(tsr_opened *plan, const tsr_execution *execution, tsr_report *report,
                      tsr_memory *memory, bool keep, const std::vector<tsr_array> &arrays,
                      void **to, tsr_error *error);

// Memory of `bytes` for what follows from nothing but an array, which lies at `from` on the device;
// `what`, not 0, tells it from all else that does. It lasts as long as the plan, and stays for
// later ones where the array does. NULL: the array is none of the plan's. *made: it is there, or on
// the stream; else the caller puts it there, and says so.
tsr_status tsr_derive(tsr_opened *plan, const void *from, uint64_t what, int64_t bytes, void **to,
                      bool *made, tsr_error *error);
void tsr_derive_made(tsr_opened *plan, const void *to);

// Where an array lies on the device; NULL: nowhere.
void *tsr_find_uploaded(const tsr_opened &plan, const tsr_array &array);

// Most device memory in use at once since the plan was opened.
void tsr_note_peak(const tsr_opened &plan, tsr_report *report);

// Adds the seconds between the plan's events, unless the device does not tell, and notes the peak.
void tsr_note_work(const tsr_opened &plan, tsr_report *report);

// Seconds of the execution's clock, 0 where it has none.
double tsr_cuda_now(const tsr_execution *execution);

#endif
