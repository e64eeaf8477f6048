// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/common/opened.cuh"

#include "cuda/common/memory/callers.cuh"
#include "cuda/common/memory/kept.cuh"
#include "cuda/common/memory/made.cuh"
#include "cuda/common/memory/outputs.cuh"
#include "cuda/common/transfer/reuse.cuh"
#include "cuda/common/transfer/transfer.cuh"

#include <algorithm>

namespace {

int64_t bytes_of(const tsr_array &array) {
  return array.data ? (int64_t)tsr_type_size(array.type) * array.components * array.tuples : 0;
}

const uintptr_t input_alignment = 16; // the widest load of a kernel

// Takes an array of the caller that lies on the device; *to stays NULL if it does not. keep: as in
// tsr_upload.
tsr_status take_callers(tsr_opened *plan, tsr_memory *memory, bool keep, const void *array,
                        int64_t bytes, void **to, tsr_error *error) {
  bool there;
  TSR_STEP(tsr_find_callers(plan, array, &there, error));
  if (!there)
    return TSR_OK;
  void *taken = (void *)array;
  if ((uintptr_t)array % input_alignment != 0) {
    TSR_STEP(memory->get(&taken, bytes, 1, "the input", error));
    TSR_CUDA(tsr_copy_async(taken, array, (size_t)bytes, cudaMemcpyDeviceToDevice, plan->stream),
             "aligning the input");
  }
  if (keep)
    plan->uploaded.push_back({array, bytes, taken, 0});
  *to = taken;
  return TSR_OK;
}

// The copy of an array that a fill has left on the device, and whose generation says that it still
// has the host's values; NULL: there is none. The plan uses it in place.
void *made_before(tsr_opened *plan, const tsr_execution *execution, const void *host,
                  int64_t bytes) {
  const uint64_t generation = tsr_generation_of(execution, host);
  const void *made =
      generation ? tsr_made_take(plan->state, host, (size_t)bytes, generation) : nullptr;
  if (made) {
    plan->made.push_back(made);
    plan->uploaded.push_back({host, bytes, (void *)made, 0});
  }
  return (void *)made;
}

// The place of an array that may stay after the plan; NULL: it may not, or there is no room.
void *place_to_stay(tsr_opened *plan, const tsr_execution *execution, const void *host,
                    int64_t bytes, bool *there) {
  tsr_kept_key key = {host, bytes, 0, 0};
  *there = false;
  if (plan->keep_bytes > 0 && execution->owner)
    key.generation = tsr_generation_of(execution, host);
  if (key.generation == 0)
    return nullptr;
  void *memory =
      tsr_kept_take(plan->state, plan->stream, key, execution->owner, plan->keep_bytes, there);
  if (memory) {
    plan->kept.push_back(memory);
    plan->uploaded.push_back({host, bytes, memory, key.generation});
  }
  return memory;
}

} // namespace

void tsr_kept_begin(tsr_opened *plan, int64_t bytes) {
  plan->keep_bytes = bytes;
  if (bytes == 0)
    tsr_kept_forget(plan->owner);
}

tsr_status tsr_check_children(int stream, int64_t pending_launches, tsr_error *error) {
  if (stream < 0 || stream > TSR_CHILD_TAIL)
    return tsr_cuda_refuse(error, TSR_BAD_OPTION, "the child stream %d is unknown", stream);
  if (pending_launches < 0 || pending_launches > 262144)
    return tsr_cuda_refuse(error, TSR_BAD_OPTION,
                           "the pending launch count must lie between 0 and 262144, but is %lld",
                           (long long)pending_launches);
  return TSR_OK;
}

tsr_status tsr_check_nesting(int depth, tsr_error *error) {
  if (depth < 1 || depth > 24)
    return tsr_cuda_refuse(error, TSR_BAD_OPTION,
                           "the nesting depth must lie between 1 and 24, but is %d", depth);
  return TSR_OK;
}

tsr_status tsr_opened_start(tsr_opened *plan, tsr_device_state *state,
                            const tsr_execution &execution, tsr_error *error) {
  plan->state = state;
  plan->callers.anywhere = execution.device_arrays != 0;
  plan->callers.stream = (cudaStream_t)execution.stream;
  TSR_CUDA(cudaStreamCreateWithFlags(&plan->stream, cudaStreamNonBlocking), "making a stream");
  TSR_CUDA(cudaEventCreate(&plan->begin), "making an event");
  TSR_CUDA(cudaEventCreate(&plan->end), "making an event");
  if (plan->callers.anywhere)
    TSR_CUDA(cudaEventCreateWithFlags(&plan->callers.ready, cudaEventDisableTiming),
             "making an event");
  plan->memory.use(plan->state, plan->stream);
  TSR_CUDA(tsr_pool_start(state), "starting to measure memory");
  return TSR_OK;
}

void tsr_opened_stop(tsr_opened *plan) {
  plan->memory.free_all();
  if (!plan->kept.empty() || !plan->made.empty()) {
    const cudaError_t code = cudaStreamSynchronize(plan->stream);
    tsr_cuda_drop(code);
    for (const tsr_derived &one : plan->derived)
      if (one.stays && one.made && code == cudaSuccess) // nobody took it before it was there
        tsr_kept_arrived(one.to);
    for (const void *memory : plan->kept)
      tsr_kept_give(memory, code == cudaSuccess);
    for (const void *memory : plan->made)
      tsr_made_give(memory, code == cudaSuccess);
  }
  if (plan->state)
    tsr_made_trim(plan->state);
  if (plan->state && !plan->leads)
    tsr_outputs_lock(plan->state->device); // for later plans
  tsr_stream_close(plan->stream, plan->begin, plan->end);
  tsr_stream_close(nullptr, plan->callers.ready, nullptr);
}

tsr_status tsr_derive(tsr_opened *plan, const void *from, uint64_t what, int64_t bytes, void **to,
                      bool *made, tsr_error *error) {
  const auto is_from = [from](const tsr_uploaded &one) { return one.device == from; };
  const auto is_it = [&](const tsr_derived &one) { return one.from == from && one.what == what; };
  const auto array = std::find_if(plan->uploaded.begin(), plan->uploaded.end(), is_from);
  const auto known = std::find_if(plan->derived.begin(), plan->derived.end(), is_it);
  *made = known != plan->derived.end() && known->made;
  *to = known != plan->derived.end() ? known->to : nullptr;
  if (*to || array == plan->uploaded.end())
    return TSR_OK;
  if (array->generation)
    *to = tsr_kept_take(plan->state, plan->stream, {array->host, bytes, array->generation, what},
                        plan->owner, plan->keep_bytes, made);
  const bool stays = *to != nullptr;
  if (stays)
    plan->kept.push_back(*to);
  else
    TSR_STEP(plan->memory.get(to, bytes, 1, "what is known of the input", error));
  plan->derived.push_back({from, what, *to, stays, *made});
  return TSR_OK;
}

void tsr_derive_made(tsr_opened *plan, const void *to) {
  for (tsr_derived &one : plan->derived)
    one.made = one.made || one.to == to;
}

void *tsr_find_uploaded(const tsr_opened &plan, const tsr_array &array) {
  const int64_t bytes = bytes_of(array);
  for (const tsr_uploaded &known : plan.uploaded)
    if (bytes > 0 && known.host == array.data && known.bytes >= bytes)
      return known.device;
  return nullptr;
}

namespace {

tsr_status upload(tsr_opened *plan, const tsr_execution *execution, tsr_report *report,
                  tsr_memory *memory, bool keep, const std::vector<tsr_array> &arrays, void **to,
                  std::vector<tsr_copy> *made, tsr_error *error) {
  std::vector<tsr_copy> &copies = *made;
  const double start = tsr_cuda_now(execution);
  for (size_t a = 0; a < arrays.size(); ++a) {
    const int64_t bytes = bytes_of(arrays[a]);
    to[a] = tsr_find_uploaded(*plan, arrays[a]);
    if (bytes == 0 || to[a])
      continue;
    TSR_STEP(take_callers(plan, memory, keep, arrays[a].data, bytes, &to[a], error));
    if (!to[a])
      to[a] = made_before(plan, execution, arrays[a].data, bytes);
    if (to[a])
      continue;
    bool there;
    to[a] = place_to_stay(plan, execution, arrays[a].data, bytes, &there);
    if (there)
      continue;
    if (!to[a]) {
      TSR_STEP(memory->get(&to[a], bytes, 1, "the input", error));
      if (keep)
        plan->uploaded.push_back({arrays[a].data, bytes, to[a], 0});
    }
    copies.push_back({to[a], arrays[a].data, (size_t)bytes});
  }
  if (copies.empty())
    return TSR_OK;
  TSR_CUDA(cudaStreamSynchronize(plan->stream), "allocating the input");
  std::vector<tsr_copy> uploads = copies;
  TSR_STEP(tsr_reuse_bring(plan->state, execution, plan->stream, &uploads, error));
  TSR_STEP(tsr_transfer_up(plan->state, execution, uploads, error));
  for (const tsr_copy &copy : copies)
    tsr_kept_arrived(copy.to);
  report->upload_seconds += tsr_cuda_now(execution) - start;
  return TSR_OK;
}

} // namespace

tsr_status tsr_upload(tsr_opened *plan, const tsr_execution *execution, tsr_report *report,
                      tsr_memory *memory, bool keep, const std::vector<tsr_array> &arrays,
                      void **to, tsr_error *error) {
  const size_t uploaded = plan->uploaded.size(), kept = plan->kept.size();
  std::vector<tsr_copy> made;
  const tsr_status status = upload(plan, execution, report, memory, keep, arrays, to, &made, error);
  if (status == TSR_OK)
    return TSR_OK;
  // Nobody must take them for what they are not.
  plan->uploaded.resize(uploaded);
  for (; plan->kept.size() > kept; plan->kept.pop_back())
    tsr_kept_give(plan->kept.back(), true);
  for (const tsr_copy &copy : made)
    memory->free_one(copy.to);
  return status;
}

void tsr_note_peak(const tsr_opened &plan, tsr_report *report) {
  report->device_peak_bytes = tsr_pool_peak(plan.state, report->device_peak_bytes);
}

void tsr_note_work(const tsr_opened &plan, tsr_report *report) {
  float milliseconds = 0.0f;
  const cudaError_t timed = cudaEventElapsedTime(&milliseconds, plan.begin, plan.end);
  tsr_cuda_drop(timed);
  if (timed == cudaSuccess)
    report->device_seconds += 1e-3 * (double)milliseconds;
  tsr_note_peak(plan, report);
}

double tsr_cuda_now(const tsr_execution *execution) {
  return execution->clock ? execution->clock() : 0.0;
}
