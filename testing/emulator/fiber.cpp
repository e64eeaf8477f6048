// SPDX-License-Identifier: BSD-3-Clause
// A fiber starts by ucontext. Later switches are jumps, as in QEMU's coroutines: swapcontext would
// make two system calls each time. The compiler's own setjmp and longjmp are taken, since
// AddressSanitizer clears what it knows about a stack at each call of the C library's.
#include "fiber.h"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <ucontext.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace emulator {

struct fiber {
  void *place[5]; // where it rests
  char *stack;
  void *shadow; // AddressSanitizer's, while it rests
  void (*turn)();
  bool started;
  ucontext_t context;
};

} // namespace emulator

namespace {

using emulator::fiber;

const size_t stack_bytes = 512 << 10, guard_bytes = 64 << 10;

fiber *running;
void *host_place[5];

// AddressSanitizer is told about each switch: before it, and on the other side.
#if defined(__SANITIZE_ADDRESS__)
void *host_shadow;
const void *host_stack;
size_t host_bytes;
void to_fiber(fiber *it) { __sanitizer_start_switch_fiber(&host_shadow, it->stack, stack_bytes); }
void in_host() { __sanitizer_finish_switch_fiber(host_shadow, nullptr, nullptr); }
void to_host(fiber *it) { __sanitizer_start_switch_fiber(&it->shadow, host_stack, host_bytes); }
void in_fiber(fiber *it) { __sanitizer_finish_switch_fiber(it->shadow, &host_stack, &host_bytes); }
#else
void to_fiber(fiber *) {}
void in_host() {}
void to_host(fiber *) {}
void in_fiber(fiber *) {}
#endif

#define NO_INLINE __attribute__((noinline, noclone, no_sanitize_address))

NO_INLINE void jump(void **to) { __builtin_longjmp(to, 1); }

NO_INLINE void swap(void **from, void **to) {
  if (__builtin_setjmp(from) == 0)
    jump(to);
}

NO_INLINE void start(void **from, const ucontext_t *context) {
  if (__builtin_setjmp(from) == 0)
    setcontext(context);
}

void run_turns() {
  fiber *const self = running;
  in_fiber(self);
  for (;;) {
    self->turn();
    emulator::fiber_rest();
  }
}

} // namespace

namespace emulator {

fiber *fiber_make(void (*turn)()) {
  fiber *it = (fiber *)calloc(1, sizeof *it);
  void *memory = mmap(nullptr, guard_bytes + stack_bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (!it || memory == MAP_FAILED || mprotect(memory, guard_bytes, PROT_NONE) != 0) {
    fprintf(stderr, "emulator: there is no memory for the stack of a thread\n");
    abort();
  }
  it->stack = (char *)memory + guard_bytes;
  it->turn = turn;
  getcontext(&it->context);
  it->context.uc_stack.ss_sp = it->stack;
  it->context.uc_stack.ss_size = stack_bytes;
  makecontext(&it->context, run_turns, 0);
  return it;
}

void fiber_resume(fiber *it) {
  running = it;
  to_fiber(it);
  if (it->started) {
    swap(host_place, it->place);
  } else {
    it->started = true;
    start(host_place, &it->context);
  }
  in_host();
  running = nullptr;
}

void fiber_rest() {
  fiber *const self = running;
  to_host(self);
  swap(self->place, host_place);
  in_fiber(self);
}

fiber *fiber_running() { return running; }

} // namespace emulator
