// SPDX-License-Identifier: BSD-3-Clause
// One block: its threads run one after the other on one fiber. Only where a thread waits does the
// next one get another fiber, so that kernels without barriers never switch.
#include "block.h"

#include "fiber.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;

namespace emulator {

struct warp;

struct thread {
  uint3 index;
  unsigned lane;
  warp *of;
};

// Where threads wait for one another. One that goes on may come back before the others have read
// what was brought; hence two generations, which take turns. When a block has ended all are empty.
struct meeting {
  unsigned mask; // of a warp's: the lanes that meet
  const char *operation;
  unsigned generation, arrived;
  exchange brought[2]; // of a warp's
  int yes[2];          // of the block's
  std::vector<std::pair<fiber *, thread *>> waiting;
};

struct warp {
  unsigned live; // a bit for each lane that has not ended
  std::vector<meeting> meetings;
};

void *dynamic_shared;

} // namespace emulator

namespace {

using namespace emulator;

thread *current; // nullptr: no kernel is running
thread threads[most_threads];
warp warps[most_threads / 32];
meeting whole; // of the block
unsigned n_threads, n_started, n_live;
unsigned long n_blocks;
const std::function<void()> *kernel;
// Never destroyed: the leak checker looks for what they hold after main.
std::vector<fiber *> &idle = *new std::vector<fiber *>; // have no thread
std::vector<std::pair<fiber *, thread *>> &ready = *new std::vector<std::pair<fiber *, thread *>>;
size_t next_ready; // of `ready`, which have waited long enough

// Blocks and threads in the opposite order find what holds by the order alone.
bool backwards() {
  static const char *const asked = getenv("TESSERA_EMULATOR_BACKWARDS");
  return asked && strcmp(asked, "1") == 0;
}

void make_current(thread *it) {
  current = it;
  threadIdx = it->index;
}

[[noreturn]] void wrong(const char *what, const char *operation) {
  fprintf(stderr, "emulator: %s: %s (block %u, %u, %u of %u threads)\n", operation, what,
          blockIdx.x, blockIdx.y, blockIdx.z, n_threads);
  abort();
}

void release(meeting *it) {
  it->generation += 1;
  it->arrived = 0;
  it->operation = nullptr;
  it->brought[it->generation % 2].lanes = 0;
  it->yes[it->generation % 2] = 0;
  ready.insert(ready.end(), it->waiting.begin(), it->waiting.end());
  it->waiting.clear();
}

void release_if_complete(meeting *it, unsigned expected) {
  if (it->arrived > 0 && it->arrived == expected)
    release(it);
}

// The current thread has arrived; the last one does not wait.
void wait_for(meeting *it, unsigned expected) {
  thread *const self = current;
  it->arrived += 1;
  if (it->arrived == expected)
    return release(it);
  it->waiting.push_back({fiber_running(), self});
  fiber_rest();
  make_current(self);
}

void arrive(meeting *it, const char *operation) {
  if (it->operation && it->operation != operation && strcmp(it->operation, operation) != 0)
    wrong("other threads wait in another operation", operation);
  it->operation = operation;
}

// The others no longer wait for the current thread.
void end_thread() {
  warp *const mine = current->of;
  mine->live &= ~(1u << current->lane);
  n_live -= 1;
  for (meeting &it : mine->meetings)
    release_if_complete(&it, (unsigned)__builtin_popcount(it.mask & mine->live));
  release_if_complete(&whole, n_live);
}

// A fiber's turn: threads that nobody has started yet.
void run_threads() {
  while (n_started < n_threads) {
    const unsigned k = n_started++;
    make_current(&threads[backwards() ? n_threads - 1 - k : k]);
    (*kernel)();
    end_thread();
  }
  idle.push_back(fiber_running());
}

void set_threads_up() {
  static dim3 last(0, 0, 0);
  for (unsigned first = 0; first < n_threads; first += 32)
    warps[first / 32].live = n_threads - first < 32 ? (1u << (n_threads - first)) - 1u : ~0u;
  if (last.x == blockDim.x && last.y == blockDim.y && last.z == blockDim.z)
    return; // the threads are as in the block before
  last = blockDim;
  for (unsigned t = 0; t < n_threads; ++t) {
    threads[t].index = {t % blockDim.x, t / blockDim.x % blockDim.y, t / blockDim.x / blockDim.y};
    threads[t].lane = t % 32;
    threads[t].of = &warps[t / 32];
  }
}

void run_to_the_end() {
  for (;;) {
    if (next_ready < ready.size()) {
      const auto next = ready[next_ready++];
      fiber_resume(next.first);
    } else if (n_started < n_threads) {
      if (idle.empty())
        idle.push_back(fiber_make(run_threads));
      fiber *const it = idle.back();
      idle.pop_back();
      fiber_resume(it);
    } else {
      break;
    }
    if (next_ready == ready.size()) {
      ready.clear();
      next_ready = 0;
    }
  }
  current = nullptr;
  if (n_live > 0)
    wrong("threads wait for ever", whole.operation ? whole.operation : "an operation of a warp");
}

meeting *meeting_of(warp *of, unsigned mask) {
  for (meeting &it : of->meetings)
    if (it.mask == mask)
      return &it;
  // Threads hold pointers to meetings while they wait.
  if (of->meetings.capacity() < 32)
    of->meetings.reserve(32);
  if (of->meetings.size() == 32)
    wrong("more than 32 different masks in one warp", "an operation of a warp");
  of->meetings.emplace_back();
  meeting *const it = &of->meetings.back();
  it->mask = mask;
  return it;
}

} // namespace

namespace emulator {

void run_block(const std::function<void()> &body, size_t shared) {
  dynamic_shared = malloc(shared > 0 ? shared : 1);
  if (!dynamic_shared)
    wrong("there is no memory for it", "shared memory");
  memset(dynamic_shared, 0xA5, shared);
  kernel = &body;
  n_threads = n_live = blockDim.x * blockDim.y * blockDim.z;
  n_started = 0;
  n_blocks += 1;
  set_threads_up();
  run_to_the_end();
  free(dynamic_shared);
}

unsigned lane() { return current->lane; }

const exchange &meet_warp(unsigned mask, const char *operation, uint64_t word) {
  warp *const of = current->of;
  if (!(mask >> current->lane & 1u))
    wrong("a lane that its mask does not name", operation);
  meeting *const it = meeting_of(of, mask);
  exchange *const brought = &it->brought[it->generation % 2];
  arrive(it, operation);
  brought->lanes |= 1u << current->lane;
  brought->words[current->lane] = word;
  wait_for(it, (unsigned)__builtin_popcount(mask & of->live));
  return *brought;
}

int meet_block(const char *operation, bool yes) {
  int *const said = &whole.yes[whole.generation % 2];
  arrive(&whole, operation);
  *said += yes;
  wait_for(&whole, n_live);
  return *said;
}

bool is_new_block(unsigned long *entered) {
  const bool is_new = *entered != n_blocks;
  *entered = n_blocks;
  return is_new;
}

} // namespace emulator
