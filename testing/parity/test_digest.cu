// SPDX-License-Identifier: BSD-3-Clause
// Bytes of the host and of the device, compared by digests: against what the test did to them.
#include "cuda/common/transfer/digest.cuh"

#include <algorithm>
#include <cstring>

extern "C" {
#include "check.h"
#include "outputs.h"
}

namespace {

struct both {
  tsr_device_state *state;
  cudaStream_t stream;
  char *device;
  std::vector<char> host;

  // Compares the first `bytes` bytes.
  bool same(size_t bytes, int threads) {
    tsr_execution execution = execution_cuda();
    tsr_error error = {};
    bool is_same = false;
    execution.threads = threads;
    CHECK_SAY(tsr_same_bytes(state, &execution, stream, host.data(), device, bytes, &is_same,
                             &error) == TSR_OK,
              "%s", error.text);
    return is_same;
  }
};

// Every bit of a byte counts, wherever it lies, and what lies behind the end does not.
void check_bytes(both *it, size_t bytes, int threads) {
  const size_t places[] = {0, bytes / 3, bytes / 2, bytes - 1};
  CHECK_SAY(it->same(bytes, threads), "%zu bytes: the same are others", bytes);
  for (size_t k = 0; k < 4; ++k) {
    char &one = it->host[places[k]];
    one = (char)(one ^ 1 << (bytes + k) % 8);
    CHECK_SAY(!it->same(bytes, threads), "%zu bytes: byte %zu is another", bytes, places[k]);
    one = (char)(one ^ 1 << (bytes + k) % 8);
  }
  it->host[bytes] ^= 1;
  CHECK_SAY(it->same(bytes, threads), "%zu bytes: the byte behind them counts", bytes);
  it->host[bytes] ^= 1;
}

// Edits after which sums, or sums of products, of the words would be those of before.
void check_edits(both *it) {
  const size_t bytes = 5 * tsr_digest_block;
  const std::vector<char> before = it->host;
  uint64_t words[4];
  const auto edit = [&](const char *what) {
    CHECK_SAY(!it->same(bytes, 2), "%s is not seen", what);
    it->host = before;
  };
  memcpy(words, before.data(), sizeof words);
  const uint64_t swapped[4] = {words[1], words[0], words[2], words[3]};
  memcpy(it->host.data(), swapped, sizeof swapped);
  edit("two words that change places");
  const uint64_t pairs[4] = {words[2], words[3], words[0], words[1]};
  memcpy(it->host.data(), pairs, sizeof pairs);
  edit("two pairs that change places");
  const uint64_t shifted[4] = {words[0] + 1, words[1], words[2] - 1, words[3]};
  memcpy(it->host.data(), shifted, sizeof shifted);
  edit("a word that gives to another");
  std::swap_ranges(it->host.begin(), it->host.begin() + (std::ptrdiff_t)tsr_digest_block,
                   it->host.begin() + (std::ptrdiff_t)tsr_digest_block);
  edit("two blocks that change places");
  std::fill(it->host.begin(), it->host.begin() + 64, (char)0);
  edit("a row of zeros");
}

void check(both *it) {
  const size_t block = tsr_digest_block;
  for (size_t bytes : {(size_t)1, (size_t)7, (size_t)16, (size_t)17, block - 1, block, block + 1,
                       3 * block + 8, it->host.size() - 1})
    check_bytes(it, bytes, bytes > block ? 3 : 1);
  check_edits(it);
}

} // namespace

int main() {
  both it = {};
  tsr_error error;
  if (const int missing = gpu_missing())
    return missing;
  it.host.resize(300 * tsr_digest_block + 5); // several threads' worth
  uint64_t state = 1;
  for (char &one : it.host) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    one = (char)(state >> 56);
  }
  const size_t bytes = it.host.size();
  if (CHECK_INT(tsr_device_state_of(0, &it.state, &error), TSR_OK) &&
      CHECK_INT(cudaStreamCreateWithFlags(&it.stream, cudaStreamNonBlocking), cudaSuccess) &&
      CHECK_INT(cudaMalloc(&it.device, bytes), cudaSuccess) &&
      CHECK_INT(cudaMemcpy(it.device, it.host.data(), bytes, cudaMemcpyHostToDevice), cudaSuccess))
    check(&it);
  cudaFree(it.device);
  cudaStreamDestroy(it.stream);
  tsr_device_release();
  return check_result();
}
