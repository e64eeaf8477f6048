// SPDX-License-Identifier: BSD-3-Clause
// What the emulator takes for a copy that starts too early, and aborts, and what not.
#include <cuda_runtime.h>

#include <cub/device/device_scan.cuh>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

struct device {
  cudaStream_t mine, other;
  uint64_t *values; // two
  device() {
    cudaStreamCreateWithFlags(&mine, 0);
    cudaStreamCreateWithFlags(&other, 0);
    cudaMalloc((void **)&values, 2 * sizeof *values);
    launch(mine); // streams of which nothing was launched yet are not looked at
  }
  ~device() {
    cudaFree(values);
    cudaStreamDestroy(other);
    cudaStreamDestroy(mine);
  }
  void launch(cudaStream_t stream) {
    uint64_t *const to = values;
    emulator::launch({1, 1, 0, stream}, [to]() { ++*to; });
  }
  uint64_t bring(cudaStream_t stream, int which) {
    uint64_t value = 0;
    cudaMemcpyAsync(&value, values + which, sizeof value, cudaMemcpyDeviceToHost, stream);
    return value;
  }
};

// What a stream itself has put there is there for its copies, whatever another launches since.
bool own_work_is_there() {
  device it;
  const uint64_t seven = 7;
  cudaMemsetAsync(it.values, 1, 2 * sizeof *it.values, it.mine);
  it.launch(it.other);
  if (it.bring(it.mine, 1) != 0x0101010101010101u)
    return false;
  cudaMemcpyAsync(it.values + 1, &seven, sizeof seven, cudaMemcpyHostToDevice, it.mine);
  it.launch(it.other);
  if (it.bring(it.mine, 1) != 7)
    return false;
  size_t bytes = 0;
  char room[64];
  cudaMemsetAsync(it.values, 0, 2 * sizeof *it.values, it.mine);
  it.launch(it.mine); // 1, of which the sums are 0 and 1
  cub::DeviceScan::ExclusiveSum(nullptr, bytes, it.values, it.values, 2, it.mine);
  cub::DeviceScan::ExclusiveSum(room, bytes, it.values, it.values, 2, it.mine);
  it.launch(it.other);
  return it.bring(it.mine, 1) == 1;
}

} // namespace

int main() {
  if (!own_work_is_there()) {
    fprintf(stderr, "a copy brought something else than was put there\n");
    return 1;
  }
  signal(SIGABRT, [](int) { _Exit(0); }); // as it should
  device it;
  it.launch(it.other);
  it.bring(it.mine, 0); // nobody has waited for the other stream
  fprintf(stderr, "a copy that starts too early was let through\n");
  return 1;
}
