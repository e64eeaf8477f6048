/* SPDX-License-Identifier: BSD-3-Clause */
/** Runs the core's tasks on several POSIX threads. */
#ifndef TESSERA_TEST_EXECUTOR_H
#define TESSERA_TEST_EXECUTOR_H

#include "tessera.h"

/** How many threads, and how often and in which pieces `run` was called (read it afterwards). */
typedef struct executor {
  int threads;
  int64_t runs;
  int64_t pieces;
} executor;

/** An execution that runs on exec->threads threads. exec is borrowed. */
tsr_execution executor_execution(executor *exec);

#endif
