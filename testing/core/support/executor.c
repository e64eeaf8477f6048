/* SPDX-License-Identifier: BSD-3-Clause */
#include "executor.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_THREADS = 64 };

/** One call of run: the threads take pieces of it until none is left. */
typedef struct job {
  pthread_mutex_t lock;
  int64_t next, n, grain, pieces;
  tsr_task task;
  void *data;
} job;

static void *work(void *pointer) {
  job *const j = pointer;
  for (;;) {
    pthread_mutex_lock(&j->lock);
    const int64_t begin = j->next;
    const int64_t end = j->n - begin > j->grain ? begin + j->grain : j->n;
    j->next = end;
    if (begin < j->n) {
      j->pieces++;
    }
    pthread_mutex_unlock(&j->lock);
    if (begin >= j->n) {
      return NULL;
    }
    j->task(j->data, begin, end);
  }
}

static void run(void *run_context, int64_t n, int64_t grain, tsr_task task, void *data) {
  executor *const exec = run_context;
  pthread_t threads[MAX_THREADS];
  int started = 0;
  job j = {.next = 0, .n = n, .grain = grain > 0 ? grain : 1, .task = task, .data = data};
  pthread_mutex_init(&j.lock, NULL);
  for (int i = 1; i < exec->threads && i < MAX_THREADS; i++) {
    if (pthread_create(&threads[started], NULL, work, &j) == 0) {
      started++;
    }
  }
  work(&j);
  for (int i = 0; i < started; i++) {
    pthread_join(threads[i], NULL);
  }
  pthread_mutex_destroy(&j.lock);
  exec->runs++;
  exec->pieces += j.pieces;
}

tsr_execution executor_execution(executor *exec) {
  tsr_execution execution;
  tsr_execution_init(&execution);
  execution.backend = TSR_BACKEND_CPU;
  execution.run = run;
  execution.run_context = exec;
  execution.threads = exec->threads;
  return execution;
}
