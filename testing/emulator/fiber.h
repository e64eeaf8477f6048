// SPDX-License-Identifier: BSD-3-Clause
// Threads that take turns on one thread of the host, each with a stack of its own.
#ifndef EMULATOR_FIBER_H
#define EMULATOR_FIBER_H

namespace emulator {

struct fiber;

// A fiber that runs `turn` again and again; it rests after each.
fiber *fiber_make(void (*turn)());

// By the host: goes on with a fiber until it rests.
void fiber_resume(fiber *it);

// By the running fiber: back to the host, which goes on after fiber_resume.
void fiber_rest();

// The fiber that runs.
fiber *fiber_running();

} // namespace emulator

#endif
