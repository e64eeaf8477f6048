// SPDX-License-Identifier: BSD-3-Clause
// The digest of a block is NH, the universal hash of UMAC (Black, Halevi, Krawczyk, Krovetz and
// Rogaway 1999), on words of 64 bits: the sum modulo 2^128 of (a + key) (b + next key) over all
// pairs of words a, b, where the sums in brackets are modulo 2^64. For random keys two different
// blocks have one digest with a probability of at most 2^-64. The keys are drawn once a process,
// so that no edit of the data can be such that it is never seen.
#include "cuda/common/transfer/digest.cuh"

#include "cuda/common/policy.cuh"
#include "cuda/common/transfer/pinned.cuh"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <random>

namespace {

typedef unsigned __int128 digest;

const int words = (int)(tsr_digest_block / sizeof(uint64_t));
const int lanes_of_warp = 32;
const int64_t blocks_at_once = 64; // that a thread takes: a MiB

// Key k of a process: the k-th number of SplitMix64 (Steele, Lea and Flood 2014).
__host__ __device__ inline uint64_t key_of(uint64_t seed, int k) {
  uint64_t z = seed + ((uint64_t)k + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

struct key_table {
  uint64_t seed, of[words];
  key_table() {
    std::random_device source;
    seed = (uint64_t)source() << 32 ^ source();
    for (int k = 0; k < words; ++k)
      of[k] = key_of(seed, k);
  }
};

const key_table &keys() {
  static const key_table table;
  return table;
}

// Two words that begin at byte `at`; what lies behind the end is 0.
__device__ void load_pair(const char *data, int64_t bytes, int64_t at, uint64_t pair[2]) {
  if (at + 16 <= bytes) {
    const uint4 both = *(const uint4 *)(data + at);
    pair[0] = both.x | (uint64_t)both.y << 32;
    pair[1] = both.z | (uint64_t)both.w << 32;
    return;
  }
  pair[0] = pair[1] = 0;
  for (int k = 0; k < 16 && at + k < bytes; ++k)
    pair[k / 8] |= (uint64_t)(unsigned char)data[at + k] << (k % 8 * 8);
}

// A warp a block.
__global__ void digest_kernel(const char *data, int64_t bytes, uint64_t seed, int64_t blocks,
                              digest *out) {
  const int64_t block = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / lanes_of_warp;
  const int lane = (int)(threadIdx.x % lanes_of_warp);
  digest sum = 0;
  if (block >= blocks)
    return;
  for (int k = 2 * lane; k < words; k += 2 * lanes_of_warp) {
    uint64_t pair[2];
    load_pair(data, bytes, block * (int64_t)tsr_digest_block + 8 * k, pair);
    sum += (digest)(pair[0] + key_of(seed, k)) * (pair[1] + key_of(seed, k + 1));
  }
  for (int step = lanes_of_warp / 2; step > 0; step /= 2) {
    const uint64_t low = (uint64_t)sum, high = (uint64_t)(sum >> 64);
    sum += (digest)__shfl_xor_sync(0xffffffffu, high, step) << 64 |
           __shfl_xor_sync(0xffffffffu, low, step);
  }
  if (lane == 0)
    out[block] = sum;
}

// How far ahead a thread asks for memory, in bytes. One core of an EPYC then goes through memory at
// 12 to 14 GB/s, without it at 9 to 11. 1 KiB ahead it is 12 to 13, 8 KiB ahead as many as here.
const int ahead = 4096;

// A line of the cache at a time, in sums that need not wait for each other.
digest digest_of(const char *data) {
  const uint64_t *const key = keys().of;
  const int line = 8, sums = line / 2;
  digest sum[sums] = {0};
  for (int k = 0; k < words; k += line) {
    uint64_t w[line];
    memcpy(w, data + 8 * k, sizeof w);
    __builtin_prefetch(data + 8 * k + ahead, 0, 0);
    for (int s = 0; s < sums; ++s)
      sum[s] += (digest)(w[2 * s] + key[k + 2 * s]) * (w[2 * s + 1] + key[k + 2 * s + 1]);
  }
  return sum[0] + sum[1] + sum[2] + sum[3];
}

digest digest_of_end(const char *data, size_t bytes) {
  char padded[tsr_digest_block] = {0};
  memcpy(padded, data, bytes);
  return digest_of(padded);
}

// The host's part: its threads take blocks from a counter, until one differs.
struct comparison {
  const char *host;
  int64_t bytes, blocks;
  const digest *expected;
  std::atomic<int64_t> next{0};
  std::atomic<bool> same{true};

  bool block_is_same(int64_t block) const {
    const int64_t at = block * (int64_t)tsr_digest_block;
    const int64_t left = bytes - at;
    const bool whole = left >= (int64_t)tsr_digest_block;
    return expected[block] ==
           (whole ? digest_of(host + at) : digest_of_end(host + at, (size_t)left));
  }
  void work() {
    for (int64_t first; same && (first = next.fetch_add(blocks_at_once)) < blocks;)
      for (int64_t block = first; block < std::min(blocks, first + blocks_at_once); ++block)
        if (!block_is_same(block))
          same = false;
  }
};

cudaError_t compare(comparison *it, int device, int threads) {
  const int64_t parts = (it->blocks + blocks_at_once - 1) / blocks_at_once;
  const int others = (int)std::min<int64_t>(std::min(threads, tsr_most_lanes), parts) - 1;
  std::vector<tsr_lane> lanes;
  if (others > 0) {
    const cudaError_t code = tsr_lanes_take(device, others, &lanes);
    if (code != cudaSuccess)
      return code;
  }
  for (tsr_lane &lane : lanes)
    lane.worker->start([it]() { it->work(); });
  it->work();
  for (tsr_lane &lane : lanes)
    lane.worker->wait();
  tsr_lanes_give(device, &lanes);
  return cudaSuccess;
}

} // namespace

tsr_status tsr_same_bytes(tsr_device_state *state, const tsr_execution *execution,
                          cudaStream_t stream, const void *host, const void *device, size_t bytes,
                          bool *same, tsr_error *error) {
  const char *const doing = "comparing the input with what is on the device";
  const int64_t blocks = (int64_t)((bytes + tsr_digest_block - 1) / tsr_digest_block);
  std::vector<digest> expected((size_t)blocks);
  digest *made;
  tsr_memory memory;
  memory.use(state, stream);
  TSR_STEP(memory.get(&made, blocks, "digests of the input", error));
  digest_kernel<<<tsr_blocks(blocks * lanes_of_warp, tsr_policy::block), tsr_policy::block, 0,
                  stream>>>((const char *)device, (int64_t)bytes, keys().seed, blocks, made);
  TSR_CUDA(cudaGetLastError(), doing);
  TSR_STEP(
      tsr_bring(expected.data(), made, expected.size() * sizeof(digest), stream, doing, error));
  comparison it;
  it.host = (const char *)host;
  it.bytes = (int64_t)bytes;
  it.blocks = blocks;
  it.expected = expected.data();
  TSR_CUDA(compare(&it, state->device, execution->threads), doing);
  *same = it.same;
  return TSR_OK;
}
