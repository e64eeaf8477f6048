// SPDX-License-Identifier: BSD-3-Clause
// Launches from kernels: how many a second, how deep, and whether none is lost where a block's
// threads go different ways.
#include "cuda/device/self_check.cuh"

#include "cuda/common/policy.cuh"
#include "cuda/common/stopwatch.cuh"
#include "cuda/launching/tickets.cuh"

#include <algorithm>

namespace {

const int64_t slots = tsr_policy::least_slots; // of the pool while it is measured
const int most_nesting = 64;
// The self-check's K blocks of M warps, and the N times that each thread of a child adds 1.
const unsigned diverge_blocks = 256, diverge_warps = 8, diverge_times = 100;
const unsigned long long diverge_added = 5; // by each warp that launches nothing

// On the device.
struct board {
  tsr_tickets tickets;
  unsigned long long counter;
  int deepest;
};

__global__ void add_ones(unsigned long long *counter, unsigned times) {
  for (unsigned k = 0; k < times; ++k)
    atomicAdd(counter, 1ull);
}

__global__ void __launch_bounds__(32 * diverge_warps) diverge(board *it) {
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0)
    tsr_launch_child(&it->tickets, TSR_CHILD_FIRE_AND_FORGET, add_ones, 1, diverge_warps, 0,
                     &it->counter, diverge_times);
  else if (warp > 0 && lane == 0)
    atomicAdd(&it->counter, diverge_added);
}

__global__ void launch_one(board *it) {
  tsr_launch_child(&it->tickets, TSR_CHILD_FIRE_AND_FORGET, add_ones, 1, 1, 0, &it->counter, 1u);
}

// Each launches the next, which is in place before its parent counts as ended.
__global__ void nest(board *it, int depth, int most) {
  atomicMax(&it->deepest, depth);
  if (depth < most)
    tsr_launch_child(&it->tickets, TSR_CHILD_FIRE_AND_FORGET, nest, 1, 1, 0, it, depth + 1, most);
}

class trial {
public:
  ~trial() {
    if (device)
      tsr_cuda_drop(cudaFree(device));
  }
  tsr_status open(int64_t tickets_, tsr_error *error) {
    tickets = (unsigned long long)tickets_;
    TSR_CUDA(watch.open(), "preparing to measure launches from kernels");
    TSR_CUDA(cudaMalloc(&device, sizeof *device), "preparing to measure launches from kernels");
    return TSR_OK;
  }
  // Runs a kernel on a fresh board, and reads the board back.
  template <class Launch>
  tsr_status run(const Launch &launch, const char *what, board *found, double *seconds,
                 tsr_error *error) {
    const cudaStream_t stream = watch.stream();
    *found = board();
    found->tickets.limit = tickets;
    TSR_CUDA(cudaMemcpyAsync(device, found, sizeof *found, cudaMemcpyHostToDevice, stream), what);
    TSR_CUDA(watch.time(
                 [&] {
                   launch(device, stream);
                   return cudaGetLastError();
                 },
                 seconds),
             what);
    TSR_STEP(tsr_bring(found, device, sizeof *found, stream, what, error));
    return TSR_OK;
  }

private:
  tsr_stopwatch watch;
  board *device = nullptr;
  unsigned long long tickets = 0;
};

tsr_status check_diverge(trial *with, tsr_device *it, tsr_error *error) {
  board found;
  double seconds = 0;
  it->diverge_expected = (int64_t)(diverge_blocks * (diverge_times * diverge_warps +
                                                     diverge_added * (diverge_warps - 1)));
  TSR_STEP(with->run(
      [](board *device, cudaStream_t stream) {
        diverge<<<diverge_blocks, 32 * diverge_warps, 0, stream>>>(device);
      },
      "running the diverge self-check", &found, &seconds, error));
  it->diverge_got = (int64_t)found.counter;
  if (it->diverge_got != it->diverge_expected)
    return tsr_cuda_refuse(
        error, TSR_DEVICE,
        "the diverge self-check counted %lld instead of %lld; %llu of %u launches did not happen",
        (long long)it->diverge_got, (long long)it->diverge_expected, found.tickets.refused,
        diverge_blocks);
  return TSR_OK;
}

tsr_status measure_launches(trial *with, unsigned blocks, tsr_device *it, tsr_error *error) {
  const int runs = tsr_stopwatch::runs;
  double all[runs];
  for (int run = -1; run < runs; ++run) { // the first is slower and does not count
    board found;
    double seconds = 0;
    TSR_STEP(
        with->run([blocks](board *device,
                           cudaStream_t stream) { launch_one<<<blocks, 1, 0, stream>>>(device); },
                  "measuring launches from kernels", &found, &seconds, error));
    if (found.counter != blocks || seconds <= 0)
      return tsr_cuda_refuse(error, TSR_DEVICE,
                             "of %u kernels that kernels were to launch %llu ran (%g s)", blocks,
                             found.counter, seconds);
    all[std::max(run, 0)] = seconds;
  }
  std::sort(all, all + runs);
  it->launch_rate = blocks / all[runs / 2];
  return TSR_OK;
}

tsr_status measure_nesting(trial *with, int most, tsr_device *it, tsr_error *error) {
  board found;
  double seconds = 0;
  TSR_STEP(with->run(
      [most](board *device, cudaStream_t stream) { nest<<<1, 1, 0, stream>>>(device, 0, most); },
      "nesting launches from kernels", &found, &seconds, error));
  it->deepest_nesting = found.deepest;
  return TSR_OK;
}

tsr_status measure_in_pool(int64_t in_force, tsr_device *it, tsr_error *error) {
  trial with;
  TSR_STEP(with.open(in_force, error));
  TSR_STEP(check_diverge(&with, it, error));
  TSR_STEP(measure_launches(&with, (unsigned)std::min<int64_t>(in_force, 1024), it, error));
  return measure_nesting(&with, (int)std::min<int64_t>(in_force, most_nesting), it, error);
}

} // namespace

tsr_status tsr_launching_measure(tsr_device *it, tsr_error *error) {
  int64_t in_force = 0;
  tsr_pool pool;
  TSR_CUDA(pool.set(slots, &in_force), "setting the number of pending launches");
  const tsr_status status = measure_in_pool(in_force, it, error);
  const cudaError_t back = pool.put_back();
  if (status != TSR_OK) {
    tsr_cuda_drop(back);
    return status;
  }
  TSR_CUDA(back, "putting the number of pending launches back");
  return TSR_OK;
}
